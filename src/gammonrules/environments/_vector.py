"""`BackgammonVectorEnv`, the Gymnasium environment of thousands of games at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias, Unpack

import attrs
import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from gammonrules import batch
from gammonrules._arrays.checks import Bools, Ints, Rows, first, plain_array, rows_and_checkers
from gammonrules._arrays.frozen_arrays import read_only
from gammonrules._shared.checked_fields import check_kind
from gammonrules.batch.internals import (
    CubePolicy,
    Draft,
    GameBoards,
    any_play,
    check_starts,
    checked_rolls,
    decisions,
    drafted,
    flipped_where,
    legal_plays_where,
    own_dice,
    roll_or_take,
    rows_chosen,
    states_at,
    turns_of,
)
from gammonrules.board import Position, StartName
from gammonrules.board.internals import start_of_games
from gammonrules.environments._action_encoding import (
    CUBE_ACTIONS,
    SIZES,
    array_of_any,
    encode_moves,
)
from gammonrules.environments._seeds import following_seeds, random_seed, seeds_of_many, stream_of
from gammonrules.environments._single_games import (
    AnySettings,
    Settings,
    check_names,
    read_options,
    sentence_of_illegal,
    undone_if_refused,
)
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.limits import MAX_ENVIRONMENTS, MAX_TIES
from gammonrules.match import Action, MatchState, Player
from gammonrules.values import (
    counted,
    not_a_pair,
    one_of,
    saying_where,
    shown,
    suggestion,
    whole_argument,
    whole_number,
)

Array: TypeAlias = npt.NDArray[Any]
_Choose: TypeAlias = Callable[[batch.Turns, np.random.Generator], npt.ArrayLike]
OpponentOfMany: TypeAlias = _Choose | tuple[_Choose, CubePolicy]
"""A function that chooses plays, or with one that decides about the cube."""
DiceOfMany: TypeAlias = npt.ArrayLike | Callable[[Ints, Ints], npt.ArrayLike]
"""The rolls of each environment, or a function of their numbers and of how many rolls each has had."""

_CODES_WITH_CUBE: Ints = np.array([[*Action].index(action) for action in CUBE_ACTIONS])
"""The codes of `CUBE_ACTIONS` in `batch.MatchStates`."""
_ROLL_CODE = _CODES_WITH_CUBE[CUBE_ACTIONS.index(Action.ROLL)]
_HIGH_FIRST: Rows = np.array(
    [(max(pair), min(pair)) for pair in product(range(7), repeat=2)], np.int8
)
"""By 7 times one die and the other, both with the higher first; `take` is faster than sorting them."""
_NO_PLAY = -1
"""Instead of a row of plays, as in `LegalPlays.best`."""
_NO_ACTION = -1
"""Instead of the code of an action, as in `MatchStates.apply`."""
_NO_EPISODE = -1
_NOBODY = -1
_AGENT = 0
_OPPONENT = 1


@attrs.frozen(eq=False)
class _AgentsActions:
    """What the agents do in a step, with an item for each environment.

    Attributes:
        rows: the row of the play in the legal plays of all environments, or `_NO_PLAY`.
        codes: the code of the action with the cube, or `_NO_ACTION`.
        are_illegal: whether the action is neither.
    """

    rows: Ints
    codes: Ints
    are_illegal: Bools


class BackgammonVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Many games or matches at once, each as in `BackgammonEnv`: one agent against the same opponent.

    `gymnasium.make_vec("gammonrules/Backgammon-v0", num_envs=1000)` makes one. All games advance together, on the
    arrays of `gammonrules.batch`. Observations, rewards and numbers of actions are those of `BackgammonEnv`, with a row
    for each game. `plays` has the boards after all legal plays, for agents who choose by them, and `states` the score
    and the cube.

    When a game has ended, its action mask allows action 0 alone, so that a softmax has something to choose from. What
    happens then is one of Gymnasium's three modes:

    | `autoreset_mode` | a game that has ended |
    |---|---|
    | `NEXT_STEP` | the next step ignores its action, whatever it is, and begins another game |
    | `SAME_STEP` | the same step begins another game, and `infos` has the last observation and mask of the old one |
    | `DISABLED` | waits for `reset(options={"reset_mask": ...})` |

    With `SAME_STEP`, after a step in which games ended, `infos["final_obs"]` is an array of objects, the last
    observation of each of these games and None for the others, and `infos["final_info"]` a dict with their
    `"action_mask"`. `infos["_final_obs"]` and `infos["_final_info"]`, `(num_envs,) bool`, say which games ended.

    Arguments and errors are those of `environments.BackgammonEnv`, except:

    Args:
        num_envs: how many games. Default 1.
        opponent: chooses the opponent's plays: a function as for `batch.play_games`, called with the `batch.Turns` of
            all opponents who are to play (Black; their `games` are numbers of environments, their `numbers` count the
            turns of an episode, and with a cube or in matches they have `states`) and with `env.np_random`. It doubles
            never, and takes all doubles. A tuple of two functions decides about the cube as well: they are `choose` and
            `cube` of `batch.play_matches`. None (the default): each legal action is equally likely.
        start: where games begin: the name of a start, with an opening roll, or a `Position` in which the agent is on
            roll; later games of a match begin as the rules say. None (the default): the start of the rules.
        dice: the rolls of each environment in order, `(num_envs, T, 2)`; or a function of the numbers of environments
            and of how many rolls each has had since `reset`, both `(K,) int64`, that returns their rolls, `(K, 2)`;
            None (the default): random ones. Where a game begins with an opening roll, it is the agent's die and the
            opponent's, and after a tie the next roll is another; 1,000 ties in a row are an error.
        action_mask: whether `infos` has `"action_mask"`, `(num_envs, actions) int8`. Default True; for thousands of
            games, making it takes longer than everything else. With rows, `plays.counts` says the same.
        autoreset_mode: an `AutoresetMode` or its value, "NextStep" (the default), "SameStep" or "Disabled".
        max_episode_steps: after how many steps of the agent an episode is cut off, as by `gymnasium.make`, also if it
            has just ended; None (the default): never. (`max_turns` counts the turns of both players.)
        settings: `actions`, `observation`, `cube`, `length`, `rules`, `max_turns` and `illegal`, with the defaults of
            `BackgammonEnv`. There are no pictures of many games, so `render_mode` must be left out.

    Attributes:
        num_envs: how many games.
        single_action_space: the `Discrete` of one game.
        single_observation_space: the `Box` of one game.
        action_space: the space of all games.
        observation_space: the space of all games.

    Raises:
        PositionError: there is no start position with this name.
        ArgumentError: `start` has another number of checkers than the later games of the match.

    Examples:
        >>> import numpy as np
        >>> envs = BackgammonVectorEnv(num_envs=100, action_mask=False)
        >>> observations, infos = envs.reset(seed=2026)
        >>> observations.shape
        (100, 28)
        >>> points = 0
        >>> for _ in range(100):  # each agent runs as fast as it can
        ...     pips = batch.pip_counts(envs.plays.points)
        ...     ahead = pips[:, 0] - pips[:, 1]
        ...     actions = envs.best(ahead)
        ...     observations, rewards, *_ = envs.step(actions)
        ...     points += rewards.sum()
        >>> bool(points > 0)
        True
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012  Gymnasium's
    """How games begin again, as Gymnasium expects."""

    def __init__(
        self,
        num_envs: int = 1,
        opponent: OpponentOfMany | None = None,
        *,
        start: StartName | Position | None = None,
        dice: DiceOfMany | None = None,
        action_mask: bool = True,
        autoreset_mode: AutoresetMode
        | Literal["NextStep", "SameStep", "Disabled"] = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        **settings: Unpack[AnySettings],
    ) -> None:
        self._choose, self._turn_cubes = _opponent_functions(opponent)
        check_kind("action_mask", action_mask, bool)
        self._autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._autoreset_mode}
        if max_episode_steps is not None:
            name = "max_episode_steps"
            max_episode_steps = whole_argument(
                name, value=max_episode_steps, minimum=1, maximum=None
            )
        self._max_steps = max_episode_steps
        self._settings = _settings_without_pictures(settings)
        self.num_envs = whole_argument(
            "num_envs", value=num_envs, minimum=1, maximum=MAX_ENVIRONMENTS
        )
        first_state = batch.MatchStates.from_states([_first_state(self._settings, start)])
        self._first_values = {name: array[0] for name, array in drafted(first_state).old.items()}
        copies = np.zeros(self.num_envs, np.int64)  # of state 0
        self._states = drafted(first_state[copies])
        self._shows_mask = action_mask
        self.single_action_space = self._settings.action_space()
        self.single_observation_space = self._settings.observation_space()
        self._dtype = self.single_observation_space.dtype
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, self.num_envs
        )
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, self.num_envs
        )
        self._number_of_actions = int(self.single_action_space.n)
        self._number_of_plays = SIZES[self._settings.actions]  # the actions with the cube follow
        self._plays: batch.LegalPlays | None = None  # None before the first reset
        self._codes_of_plays: Ints | None = None  # None where plays are numbered by rows
        self._may_act_with_cube = np.zeros((self.num_envs, len(CUBE_ACTIONS)), np.bool_)
        self._given_dice = dice
        self._dice_of_episode: Any = None
        self._stream = stream_of(following_seeds(0, self.num_envs))
        # the numbers of the episodes since each seed was given
        self._episodes = np.full(self.num_envs, _NO_EPISODE)
        # what has happened in each episode; rolls of the caller's dice count on since `reset`
        self._rolled = np.zeros(self.num_envs, np.int64)
        self._steps = np.zeros(self.num_envs, np.int64)
        self._turns = np.zeros(self.num_envs, np.int64)
        self._random_cube_decisions = np.zeros(self.num_envs, np.int64)
        self._have_ended = np.zeros(self.num_envs, np.bool_)

    @property
    def states(self) -> batch.MatchStates:
        """The states of all games, in which the agents are White: for decisions about the cube.

        Raises:
            IllegalActionError: before the first `reset`.

        Examples:
            >>> envs = BackgammonVectorEnv(2, cube=True, length=5)
            >>> _ = envs.reset(options={"dice": [[(3, 1)], [(6, 5)]]})
            >>> envs.states.away.tolist(), envs.states.may("double").tolist()
            ([[5, 5], [5, 5]], [False, False])
        """
        _ = self._begun()
        return states_at(self._states, np.arange(self.num_envs))

    @property
    def plays(self) -> batch.LegalPlays:
        """The legal plays of the agents: the rows of environment i begin at `plays.offsets[i]`.

        For an action use `best`: actions count from 0 in each environment, rows across all of them. A game that has
        ended has no plays, nor has one in which the agent decides about the cube. The arrays are read-only.

        Raises:
            IllegalActionError: before the first `reset`.

        Examples:
            >>> envs = BackgammonVectorEnv(2)
            >>> _ = envs.reset(options={"dice": [[(3, 1)], [(6, 5)]]})
            >>> envs.plays.counts
            array([16,  7])
        """
        # copies, which who looks at masks alone does not need
        self._plays = read_only(self._begun())
        return self._plays

    def _begun(self) -> batch.LegalPlays:
        if self._plays is None:
            raise IllegalActionError("call reset() first", IllegalActionReason.OPENING_ROLL_FIRST)
        return self._plays

    def best(self, scores: npt.ArrayLike) -> Ints:
        """For each game the action with the highest score; elsewhere the first legal one, which is to roll or to take.

        It is 0 where the game has ended, whose action is ignored.

        Args:
            scores: `(M,)`, a number for each row of `plays.points`.

        Raises:
            ArgumentError: `scores` is not one number for each row, or has a NaN.
            IllegalActionError: before the first `reset`.
        """
        plays = self._begun()
        actions = np.zeros(self.num_envs, np.int64)
        with_cube = np.flatnonzero(self._may_act_with_cube.any(axis=1))
        first_legal_columns = self._may_act_with_cube[with_cube].argmax(axis=1)
        actions[with_cube] = self._number_of_plays + first_legal_columns
        best_rows = plays.best(scores)
        playing = np.flatnonzero(best_rows != _NO_PLAY)
        rows = best_rows[playing]
        if self._codes_of_plays is None:
            actions[playing] = rows - plays.offsets[playing]
        else:
            actions[playing] = self._codes_of_plays[rows]
        return actions

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all games, or some of them.

        | option | what |
        |---|---|
        | `"boards"` | `(num_envs, 26)`: the games begin here, with the agent on roll, who may double first |
        | `"dice"` | as the argument of this name, until the next `reset` of all games |
        | `"reset_mask"` | `(num_envs,) bool`: the games that begin, at least one; `"boards"` has rows for them alone |

        With `"reset_mask"` all other games go on as they are, and so do the dice, which cannot be given.

        A seed makes the dice of its environment, what its random opponent does, and `random` and `random_rows` of the
        `Turns` of opponents: the same as in `BackgammonEnv` with this seed, in each of its episodes, however many
        games there are. What a function draws from its generator depends on all of them.

        Args:
            seed: one for each environment, or None where its next episode follows; a number is the seed of
                environment 0, that of environment 1 is greater by one, and so on. None (the default) for all: the next
                episodes follow, or if there are none yet, the seeds are random.
            options: see above; None (the default) for the start of all games and the environment's own dice.

        Returns:
            The observations and `infos`.

        Raises:
            ArgumentError: there is no such option, `seed` is none of these, or the opponent returns no plays.
            PositionError: a board is impossible, or its game is over.
            DiceError: `dice` has the wrong shape, a roll is invalid, or the dice run out.
            IllegalActionError: `"reset_mask"` before the first `reset`.

        Examples:
            >>> few, many = BackgammonVectorEnv(2), BackgammonVectorEnv(100)
            >>> observations, _ = few.reset(seed=[7, 3])
            >>> others, _ = many.reset(seed=3)
            >>> observations.tolist() == others[[4, 0]].tolist()
            True
        """
        values = read_options(options, ("boards", "dice", "reset_mask"))
        which = self._checked_mask(values)
        boards: Rows | None = None
        if "boards" in values:
            boards = self._checked_boards(values["boards"], len(which))
        with undone_if_refused(self):
            self._seed(seed, which)
            if "reset_mask" not in values:
                dice = values.get("dice", self._given_dice)
                self._dice_of_episode = _checked_dice(dice, self.num_envs)
                self._rolled[:] = 0
            self._begin(which)
            if boards is not None:
                self._states.put(which, points=boards, on_roll=_AGENT)
            self._go_on()
            return self._observations_and_infos()

    def step(self, actions: Array) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Act in every game, and go to the agents' next plays, or to the end; begin games as `autoreset_mode` says.

        Args:
            actions: `(num_envs,)` of an integer dtype, legal ones; any where a game has ended and will begin again.

        Returns:
            The observations, the rewards (`(num_envs,) float64`), whether games are over, whether they were cut off
            (both `(num_envs,) bool`), and `infos`.

        Raises:
            ArgumentError: `actions` has another shape or dtype, or one of them is not in the action space, or not legal
                (`illegal="raise"`); the opponent returns no plays, or no decisions.
            DiceError: `dice` has the wrong shape, a roll is invalid, or the dice run out.
            IllegalActionError: before the first `reset`, or a game is over (`autoreset_mode="Disabled"`); the opponent
                returns a beaver that the rules forbid.
        """
        if self._autoreset_mode is AutoresetMode.DISABLED:  # only the caller begins games again
            over = first(self._have_ended)
            if over is not None:
                sentence = f'the game of environment {over} is over: call reset(options={{"reset_mask": ...}})'
                raise IllegalActionError(sentence, IllegalActionReason.GAME_OVER)
        agents = self._read(actions)
        plays = self._begun()
        # set again if there is no error in what follows, after which only reset() would help
        self._plays = None
        playing = np.flatnonzero(agents.rows != _NO_PLAY)
        self._play(playing, plays.points.take(agents.rows[playing], axis=0))
        if self._settings.cube:
            self._act_with_cube(agents.codes)
        if agents.are_illegal.any():
            self._states.forfeit(np.flatnonzero(agents.are_illegal), _AGENT)
        had_ended = self._have_ended
        self._begin(np.flatnonzero(had_ended))
        self._go_on(have_decided_to_roll=agents.codes == _ROLL_CODE)
        if self._max_steps is not None:
            self._steps += ~had_ended  # where a game has just begun, the action was ignored
        terminations = self._are_over()
        truncations = self._are_cut(terminations)
        self._have_ended = terminations | truncations
        rewards = self._rewards(np.flatnonzero(terminations))
        final_infos = {}
        if self._autoreset_mode is AutoresetMode.SAME_STEP and self._have_ended.any():
            final_infos = self._final_infos()
            self._begin(np.flatnonzero(self._have_ended))
            self._go_on()
        observations, infos = self._observations_and_infos()
        return observations, rewards, terminations, truncations, {**infos, **final_infos}

    # How games go on --------------------------------------------------------------------------------------------------

    def _seed(self, seed: object, which: Ints) -> None:
        """Take the seeds that some environments are given; without any, all of them once have random ones."""
        are_given = np.ones(self.num_envs, np.bool_)
        number = whole_number(seed)
        if seed is None:
            if self._episodes[0] != _NO_EPISODE:
                return
            seeds = following_seeds(random_seed(self.np_random), self.num_envs)
        elif number is not None:
            super().reset(seed=number)
            seeds = following_seeds(number, self.num_envs)
        else:
            seeds, are_given = seeds_of_many(seed, self.num_envs)
            if are_given.any():
                self.np_random = np.random.default_rng(seeds[are_given].ravel())
        at = which[are_given[which]]
        all_seeds = self._stream.seeds.copy()  # what others have been given does not change
        all_seeds[at] = seeds[at]
        self._stream = stream_of(all_seeds)
        self._episodes[at] = _NO_EPISODE

    def _begin(self, which: Ints) -> None:
        if len(which):
            self._states.put(which, **self._first_values)
            self._episodes[which] += 1
            self._steps[which] = 0
            self._turns[which] = 0
            self._random_cube_decisions[which] = 0
            if self._dice_of_episode is None:
                self._rolled[which] = 0

    def _go_on(self, *, have_decided_to_roll: Bools | None = None) -> None:
        """Until each agent has a decision or has come to the end; some agents have already decided to roll."""
        nobody = np.zeros(self.num_envs, np.bool_)
        are_decided = nobody if have_decided_to_roll is None else have_decided_to_roll
        while self._go_one_step(are_decided):
            are_decided = nobody  # their rolls have been thrown

    def _go_one_step(self, have_decided_to_roll: Bools) -> bool:
        """Let opponents decide about the cube, roll, begin games, and let opponents play.

        Returns:
            Whether there may be more to do. If agents alone have rolled, there is not: the play is their decision.
        """
        states = self._states.old  # written in place, so always the present ones
        are_over = self._are_over()
        self._have_ended = are_over | self._are_cut(are_over)
        have_no_dice = (states["dice"][:, 0] == 0) & ~self._have_ended
        are_in_game = (states["on_roll"] != _NOBODY) & (states["won_by"] == _NOBODY)
        are_before_roll = have_no_dice & are_in_game
        to_begin = np.flatnonzero(have_no_dice & ~are_in_game)
        to_roll = are_before_roll
        have_opponents_decided = False
        if self._settings.cube:
            may_double = are_before_roll & self._may_double() & ~have_decided_to_roll
            codes = self._cube_decisions_of_opponents(may_double)
            have_opponents_decided = bool((codes != _NO_ACTION).any())
            is_doubled = self._states["offered"] > 0
            need_no_decision = are_before_roll & ~is_doubled & ~may_double
            to_roll = need_no_decision | (codes == _ROLL_CODE)
            with saying_where("opponent"):
                self._act_with_cube(codes)
        self._roll(np.flatnonzero(to_roll))
        self._begin_games(to_begin)
        have_dice = states["dice"][:, 0] > 0
        to_play = np.flatnonzero(have_dice & (states["on_roll"] == _OPPONENT))
        self._let_opponents_play(to_play)
        return have_opponents_decided or len(to_begin) > 0 or len(to_play) > 0

    def _are_over(self) -> Bools:
        """Whether each game, or match, has its result."""
        have_won: Bools = self._states.old["won_by"] != _NOBODY
        length = self._settings.length
        if length is None:
            return have_won
        return have_won & (self._states["scores"] >= length).any(axis=1)

    def _are_cut(self, are_over: Bools) -> Bools:
        """Whether each episode is cut off, after so many turns without a result or so many steps."""
        are_cut: Bools = np.zeros(self.num_envs, np.bool_)
        if self._settings.max_turns is not None:
            are_cut |= (self._turns >= self._settings.max_turns) & ~are_over
        if self._max_steps is not None:
            are_cut |= self._steps >= self._max_steps
        return are_cut

    def _rewards(self, which: Ints) -> Array:
        """The rewards of a step in which these games were won or lost."""
        rewards = np.zeros(self.num_envs)
        has_agent_won = self._states["won_by"][which] == _AGENT
        signs = np.where(has_agent_won, 1, -1)
        is_money = self._settings.length is None
        points = self._states["won"][which] if is_money else 1
        rewards[which] = signs * points
        return rewards

    def _begin_games(self, which: Ints) -> None:
        """The next games of matches, and opening rolls until one die is higher."""
        if self._settings.length is not None and len(which):
            have_result = self._states["won_by"][which] != _NOBODY
            self._states.next_game(which[have_result])
        waiting = which
        for _ in range(MAX_TIES):
            if not len(waiting):
                return
            self._states.open(waiting, self._throw(waiting))
            is_tied = self._states["on_roll"][waiting] == _NOBODY
            waiting = waiting[is_tied]
        raise not_a_pair(
            f"dice: {MAX_TIES:,} opening rolls of environment {waiting[0]} in a row are ties"
        )

    # The cube ---------------------------------------------------------------------------------------------------------

    def _may_double(self) -> Bools:
        """Whether in each game nobody has doubled, and the player on roll may."""
        may_double: Bools = self._states.may_double & (self._states["offered"] == 0)
        return may_double

    def _cube_decisions_of_opponents(self, may_double: Bools) -> Ints:
        """Ask the opponents who may double, and those who must answer; return a code for each environment."""
        states = self._states
        are_opponents = states.to_act == _OPPONENT
        are_doubled = states["offered"] > 0
        codes = np.full(self.num_envs, _NO_ACTION)
        for to_ask in (are_opponents & may_double, are_opponents & are_doubled):
            which = np.flatnonzero(to_ask)
            if not len(which):
                continue
            if self._turn_cubes is None:
                codes[which] = self._random_cube_actions(which)
            else:
                codes[which] = decisions(
                    self._turn_cubes,
                    states=states_at(states, which),
                    rng=self.np_random,
                    at=which,
                    label="environment {}".format,
                )
        return codes

    def _random_cube_actions(self, which: Ints) -> Ints:
        """The codes of legal actions, each equally likely."""
        is_legal = states_at(self._states, which).legal_actions[:, _CODES_WITH_CUBE]
        numbers = self._random_cube_decisions[which]
        self._random_cube_decisions[which] += 1
        choices = self._stream.cube_choices(
            which, self._episodes[which], numbers, is_legal.sum(axis=1)
        )
        legal_ones_before = is_legal.cumsum(axis=1) - is_legal
        is_chosen = is_legal & (legal_ones_before == choices[:, np.newaxis])
        codes: Ints = _CODES_WITH_CUBE[is_chosen.argmax(axis=1)]
        return codes

    def _act_with_cube(self, codes: Ints) -> None:
        """Do these actions with the cube; whoever decided to roll does so later."""
        to_do = np.where(codes == _ROLL_CODE, _NO_ACTION, codes)
        if (to_do != _NO_ACTION).any():
            self._states.act(to_do, set(to_do.tolist()), self._states.phase_numbers)

    # Plays and dice ---------------------------------------------------------------------------------------------------

    def _let_opponents_play(self, which: Ints) -> None:
        if not len(which):
            return
        turns = turns_of(
            self._boards_to_play(which),
            stream=self._stream,
            matches=which,
            of_match=self._episodes[which],
            numbers=self._turns[which],
        )
        if self._choose is any_play:
            rows = turns.random_rows()
        else:
            rows = rows_chosen(self._choose(read_only(turns), self.np_random), turns, "opponent")
        self._play(which, turns.points.take(rows, axis=0))

    def _boards_to_play(self, which: Ints) -> GameBoards | batch.MatchStates:
        if self._settings.has_table:
            return states_at(self._states, which)
        return GameBoards(
            self._states["points"].take(which, axis=0),
            on_roll=self._states["on_roll"].take(which),
            dice=self._states["dice"].take(which, axis=0),
            checkers=self._states.checkers,
        )

    def _play(self, which: Ints, after: Rows) -> None:
        self._states.advance(which, after)
        self._turns[which] += 1

    def _roll(self, which: Ints) -> None:
        if len(which):
            first_dice, second_dice = self._throw(which).T
            dice: Rows = np.take(_HIGH_FIRST, 7 * first_dice + second_dice, axis=0)
            self._states.put(which, dice=dice)

    def _throw(self, which: Ints) -> Rows:
        """The next rolls of these environments, in the order in which the dice were thrown."""
        dice = self._dice_of_episode
        rolled = self._rolled[which]
        self._rolled[which] += 1
        if dice is None:
            return self._stream.rolls(which, self._episodes[which], rolled)
        if not isinstance(dice, np.ndarray):
            rolls = plain_array(dice(which.copy(), rolled), "dice")
            return checked_rolls(rolls, len(which), lambda row: f"dice of environment {which[row]}")
        limit = dice.shape[1]
        used_up = first(rolled >= limit)
        if used_up is not None:
            raise not_a_pair(
                f"dice: environment {which[used_up]} has had its {counted(limit, 'roll')}, but its game goes on"
            )
        return dice[which, rolled].astype(np.int8)

    # What goes in and out ---------------------------------------------------------------------------------------------

    def _read(self, actions: object) -> _AgentsActions:
        """The plays and cube actions that the agents' numbers stand for; what is illegal is an error or a warning."""
        numbers = self._checked_numbers(actions)
        rows = self._rows_of(numbers)
        codes = self._cube_codes_of(numbers)
        does_nothing = (rows == _NO_PLAY) & (codes == _NO_ACTION)
        are_illegal = does_nothing & ~self._have_ended
        wrong = first(are_illegal)
        if wrong is not None:
            self._refuse(wrong, int(numbers[wrong]))
        return _AgentsActions(rows, codes, are_illegal)

    def _rows_of(self, numbers: Ints) -> Ints:
        """The row of `plays` that each of these actions plays, or `_NO_PLAY`."""
        plays = self._begun()
        if self._codes_of_plays is None:
            is_play = numbers < plays.counts
            return np.where(is_play, plays.offsets[:-1] + numbers, _NO_PLAY)
        number_of_board = numbers[plays.board_numbers]  # for each row, the action at its board
        chosen_rows = np.flatnonzero(self._codes_of_plays == number_of_board)
        rows = np.full(self.num_envs, _NO_PLAY)
        rows[plays.board_numbers[chosen_rows]] = chosen_rows
        return rows

    def _cube_codes_of(self, numbers: Ints) -> Ints:
        """The code of the legal action with the cube that each of these actions is, or `_NO_ACTION`."""
        codes = np.full(self.num_envs, _NO_ACTION)
        if self._settings.cube:
            with_cube = np.flatnonzero(numbers >= self._number_of_plays)
            columns = numbers[with_cube] - self._number_of_plays
            is_legal = self._may_act_with_cube[with_cube, columns]
            codes[with_cube] = np.where(is_legal, _CODES_WITH_CUBE[columns], _NO_ACTION)
        return codes

    def _checked_numbers(self, actions: object) -> Ints:
        """The numbers of the actions, all of the action space; 0 where a game has ended, whose action is ignored."""
        numbers = array_of_any(actions)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self.num_envs,):
            expected = f"a whole number for each of {counted(self.num_envs, 'environment', ',')}"
            raise ArgumentError(f"step: expected {expected}, not {shown(actions)}")
        numbers = np.where(self._have_ended, 0, numbers.astype(np.int64))
        wrong = first((numbers < 0) | (numbers >= self._number_of_actions))
        if wrong is not None:
            expected = f"a whole number from 0 to {self._number_of_actions - 1:,}"
            raise ArgumentError(
                f"environment {wrong}: an action is {expected}, not {shown(int(numbers[wrong]))}"
            )
        return numbers

    def _refuse(self, environment: int, number: int) -> None:
        """Raise an error for an illegal action, or warn."""
        first_row, end = self._begun().offsets[environment : environment + 2].tolist()
        if self._codes_of_plays is None:
            legal = list(range(end - first_row))
        else:
            legal = self._codes_of_plays[first_row:end].tolist()
        columns = np.flatnonzero(self._may_act_with_cube[environment])
        legal += (self._number_of_plays + columns).tolist()
        sentence = sentence_of_illegal(number, legal)
        if self._settings.illegal == "raise":
            raise ArgumentError(f"environment {environment}: {sentence}")
        hint = "actions count from 0 in each environment, and envs.best(scores) gives them"
        gymnasium.logger.warn(f"environment {environment}: {sentence}; it loses the game ({hint})")

    def _observations_and_infos(self) -> tuple[Array, dict[str, Any]]:
        dice = self._states["dice"]
        have_dice = (dice[:, 0] > 0) & ~self._have_ended  # an episode may be cut off after a roll
        self._plays = legal_plays_where(have_dice, self._states["points"], dice)
        if self._settings.actions == "codes":
            rolls = dice[self._plays.board_numbers]
            self._codes_of_plays = encode_moves(self._plays.moves, rolls)
        if self._settings.cube:
            legal = self._states.legal_actions[:, _CODES_WITH_CUBE]
            self._may_act_with_cube = legal & ~self._have_ended[:, np.newaxis]
        infos: dict[str, Any] = {}
        if self._shows_mask:
            infos["action_mask"] = self._mask(self._plays)
            # so Gymnasium says in which environments the key has a value
            infos["_action_mask"] = np.ones(self.num_envs, np.bool_)
        return self._observations(), infos

    def _observations(self) -> Array:
        states = self._states.old
        boards: Array = flipped_where(states["points"], states["on_roll"] == _OPPONENT)
        if self._settings.observation == "features":
            boards = batch.features(boards, checkers=self._states.checkers)
        parts = [boards, states["dice"]]
        if self._settings.has_table:
            parts.append(_score_and_cube(self._states))
        return np.concatenate(parts, axis=1).astype(self._dtype, copy=False)

    def _final_infos(self) -> dict[str, Any]:
        """The `infos` about the games that have just ended."""
        ended = self._have_ended
        which = np.flatnonzero(ended)
        last_observations = np.full(self.num_envs, None, object)
        # one by one, so that each item is a whole row
        for environment, observation in zip(which, self._observations()[which], strict=True):
            last_observations[environment] = observation
        last_infos: dict[str, Any] = {}
        if self._shows_mask:
            masks = np.zeros((self.num_envs, self._number_of_actions), np.int8)
            masks[which, 0] = 1  # the mask of a game that has ended, as in `_mask`
            last_infos = {"action_mask": masks, "_action_mask": ended}
        return {
            "final_obs": last_observations,
            "_final_obs": ended,
            "final_info": last_infos,
            "_final_info": ended,
        }

    def _mask(self, plays: batch.LegalPlays) -> Rows:
        """The legal actions in each game; only action 0 where it has ended."""
        if self._codes_of_plays is None:
            # comparing short integers takes less time, and the truth values are 0 and 1 in memory
            columns = np.arange(self._number_of_actions, dtype=np.int16)
            counts = plays.counts.astype(np.int16)
            mask: Rows = (columns < counts[:, np.newaxis]).view(np.int8)
        else:
            mask = np.zeros((self.num_envs, self._number_of_actions), np.int8)
            mask[plays.board_numbers, self._codes_of_plays] = 1
        if self._settings.cube:
            mask[:, self._number_of_plays :] = self._may_act_with_cube
        mask[self._have_ended, 0] = 1
        return mask

    # What a reset is given --------------------------------------------------------------------------------------------

    def _checked_mask(self, options: Mapping[str, Any]) -> Ints:
        """The numbers of the games that a reset begins: all, or those of its mask."""
        if "reset_mask" not in options:
            return np.arange(self.num_envs)
        _ = self._begun()  # an error before the first reset, since the other games have to go on
        mask = array_of_any(options["reset_mask"])
        is_mask = mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not is_mask or not mask.any():
            expected = f"True or False for each of {counted(self.num_envs, 'environment', ',')}, True for at least one"
            raise ArgumentError(
                f'options["reset_mask"]: expected {expected}, not {shown(options["reset_mask"])}'
            )
        if "dice" in options:
            raise ArgumentError(
                'options["dice"] is for all games, and "reset_mask" for some: give one of them'
            )
        return np.flatnonzero(mask)

    def _checked_boards(self, boards: batch.Boards, number: int) -> Rows:
        rows, _ = rows_and_checkers(boards, self._states.checkers)
        if len(rows) != number:
            expected = counted(number, "environment", ",")
            raise ArgumentError(
                f'options["boards"]: {counted(len(rows), "board", ",")} for {expected}'
            )
        check_starts(rows, self._states.checkers, 'options["boards"]')
        return rows


def _checked_mode(value: object) -> AutoresetMode:
    """The mode with this value. Raises ArgumentError."""
    try:
        return AutoresetMode(value)
    except ValueError:
        modes = [mode.value for mode in AutoresetMode]
        raise ArgumentError(
            f"autoreset_mode must be an AutoresetMode, {one_of(modes)}, not "
            f"{shown(value)}{suggestion(value, modes)}"
        ) from None


def _settings_without_pictures(settings: AnySettings) -> Settings:
    """The settings of all games. Raises ArgumentError."""
    check_names("BackgammonVectorEnv", settings)
    checked = Settings(**settings)
    if checked.render_mode is not None:
        mode = shown(checked.render_mode)
        raise ArgumentError(
            f"render_mode must be left out, not {mode}: only single games have pictures"
        )
    return checked


def _first_state(settings: Settings, start: StartName | Position | None) -> MatchState:
    """With a name of a start, the state before the opening roll; with a position, the agent on roll."""
    rules = settings.all_rules
    if start is None:
        start = rules.start
    opening = start_of_games(start)
    if isinstance(start, str):
        return MatchState.new(settings.length, rules=attrs.evolve(rules, start=start))
    is_match = settings.length is not None
    if is_match and opening.checkers != Position.start(rules.start).checkers:
        raise ArgumentError(
            f"start has {opening.checkers} checkers a side, unlike the next games of the match"
        )
    return MatchState(opening, Player.WHITE, length=settings.length, rules=rules)


def _score_and_cube(states: Draft) -> Array:
    """The numbers of `Table.observation` about score and cube; nobody but an agent is still to answer a double."""
    offered = states["offered"]
    owners = states["owners"]
    is_doubled = offered > 0
    value = np.where(is_doubled, offered, states["cube"])
    _, bit_lengths = np.frexp(value)  # the exponent of a float is `int.bit_length` here
    turns = bit_lengths - 1  # each doubles the value, from 1
    owner_signs = np.select([owners == _AGENT, owners == _OPPONENT], [1, -1], 0)
    away = np.zeros_like(states["scores"])
    if states.length is not None:
        away = np.maximum(0, states.length - states["scores"])
    return np.column_stack([turns, owner_signs, away, states["crawford"], is_doubled])


# --- opponents -----------------------------------------------------------------------------------------------------


def _opponent_functions(opponent: OpponentOfMany | None) -> tuple[_Choose, CubePolicy | None]:
    """The functions for the opponents' plays and for their cubes; None for a cube that turns at random."""
    if opponent is None:
        return any_play, None
    functions = opponent if isinstance(opponent, tuple) else (opponent, roll_or_take)
    if len(functions) != 2 or not all(map(callable, functions)):
        raise ArgumentError(
            f"opponent must be a function, a tuple of two, or None, not {shown(opponent)}"
        )
    return functions


def _checked_dice(dice: Any, number: int) -> Any:
    """The dice of many games: rolls that are possible, a function, or None."""
    source = own_dice(dice, number)
    if isinstance(source, np.ndarray):
        all_rolls = source.reshape(-1, 2)
        rolls_each = source.shape[1]
        checked_rolls(
            all_rolls, len(all_rolls), lambda row: f"dice of environment {row // rolls_each}"
        )
    return source
