"""`BackgammonVectorEnv`, the Gymnasium environment of thousands of games at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, Unpack

import attrs
import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from numpy.lib.stride_tricks import sliding_window_view

from gammonrules import batch
from gammonrules.batch.internals import (
    Boards,
    CubePolicy,
    Draft,
    Stream,
    check_starts,
    checked_rolls,
    decisions,
    drafted,
    flipped_where,
    legal_plays_where,
    own_dice,
    roll_or_take,
    rows_chosen,
    tables_of,
    turns_of,
)
from gammonrules.batch.locking import read_only
from gammonrules.board import Position, StartName
from gammonrules.board.array_checks import Bools, Ints, Rows, plain_array, rows_of
from gammonrules.board.internals import SLOTS, start_of_games
from gammonrules.environments._numbers import (
    CUBE_ACTIONS,
    MOST_PLAYS,
    SIZES,
    array_of_any,
    encode_moves,
)
from gammonrules.environments._table import (
    AnySettings,
    Settings,
    read_options,
    sentence_of_illegal,
    undone_if_refused,
)
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.limits import MOST_ENVIRONMENTS, MOST_TIES
from gammonrules.match import Action, MatchState, Player
from gammonrules.values import (
    check_kind,
    counted,
    no_pair,
    one_of,
    saying_where,
    shown,
    whole_argument,
)

Array: TypeAlias = npt.NDArray[Any]
_Choose: TypeAlias = Callable[[batch.Turns, np.random.Generator], npt.ArrayLike]
OpponentOfMany: TypeAlias = _Choose | tuple[_Choose, CubePolicy]
"""Chooses the opponents' plays, as for `batch.play_games`: a function of their `Turns` and of the generator to use.

It returns the row of `points` that is played on each board. A tuple of two functions decides about the cube as well:
they are `choose` and `cube` of `batch.play_matches`.
"""
DiceOfMany: TypeAlias = npt.ArrayLike | Callable[[Ints, Ints], npt.ArrayLike]
"""Where the dice of many games come from: `(num_envs, T, 2)`, the rolls of each environment in order, or a function.

The function gets the numbers of environments, and how many rolls each has had since `reset`, both `(K,) int64`, and
returns their rolls, `(K, 2)`.
"""

_WIDTH = MOST_PLAYS + len(CUBE_ACTIONS)
_ROW_MASKS = sliding_window_view((np.arange(2 * _WIDTH) < _WIDTH).view(np.int8), _WIDTH)[::-1]
"""Row n has n ones."""
_CODES: Ints = np.array([[*Action].index(action) for action in CUBE_ACTIONS])
"""The actions with the cube, as in `batch.Tables`."""
_NOTHING = _NOBODY = -1
"""Instead of an action, and of a player."""
_AGENT = 0
_OPPONENT = 1


class BackgammonVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Many games or matches at once, each as in `BackgammonEnv`: one agent against the same opponent.

    `gymnasium.make_vec("gammonrules/Backgammon-v0", num_envs=1000)` makes one. All games advance together, on the
    arrays of `gammonrules.batch`. Observations, rewards and numbers of actions are those of `BackgammonEnv`, with a row
    for each game. `plays` has the boards after all legal plays, for agents who choose by them, and `tables` the score
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
            turns of an episode, and with a cube or in matches they have `tables`) and with `env.np_random`. It doubles
            never, and takes all doubles. A tuple of two functions decides about the cube as well: they are `choose` and
            `cube` of `batch.play_matches`. None (the default): each legal action is equally likely.
        start: where games begin: the name of a start, with an opening roll, or a `Position` in which the agent is on
            roll; later games of a match begin as the rules say. None (the default): the start of the rules.
        dice: the dice: `(num_envs, T, 2)`, or a function, or None (the default) for random ones. Where a game begins
            with an opening roll, it is the agent's die and the opponent's, and after a tie the next roll is another;
            1,000 ties in a row are an error.
        action_mask: whether `infos` has `"action_mask"`, `(num_envs, actions) int8`. Default True; for thousands of
            games, making it takes longer than everything else. With rows, `plays.counts` says the same.
        autoreset_mode: an `AutoresetMode` or its value, "NextStep" (the default), "SameStep" or "Disabled".
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
        **settings: Unpack[AnySettings],
    ) -> None:
        self._choose, self._decide = _opponent_functions(opponent)
        check_kind("action_mask", action_mask, bool)
        try:
            self._autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError:
            needed = f"an AutoresetMode, {one_of([each.value for each in AutoresetMode])}"
            raise ArgumentError(
                f"autoreset_mode must be {needed}, not {shown(autoreset_mode)}"
            ) from None
        self.metadata = {**self.metadata, "autoreset_mode": self._autoreset_mode}
        self._settings = Settings(**settings)
        if self._settings.render_mode is not None:
            mode = shown(self._settings.render_mode)
            raise ArgumentError(
                f"render_mode must be left out, not {mode}: only single games have pictures"
            )
        self.num_envs = whole_argument("num_envs", value=num_envs, least=1, most=MOST_ENVIRONMENTS)
        first = batch.Tables.from_states([_first_state(self._settings, start)])
        self._first = {name: array[0] for name, array in drafted(first).old.items()}
        self._own_dice = dice
        self._shows_mask = action_mask
        self.single_action_space = self._settings.action_space()
        self.single_observation_space = self._settings.observation_space()
        self._size = int(self.single_action_space.n)
        self._plays_end = SIZES[self._settings.actions]
        self._dtype = self.single_observation_space.dtype
        self.action_space = gymnasium.vector.utils.batch_space(
            self.single_action_space, self.num_envs
        )
        self.observation_space = gymnasium.vector.utils.batch_space(
            self.single_observation_space, self.num_envs
        )
        self._tables = drafted(first[np.zeros(self.num_envs, np.int64)])
        self._plays: batch.LegalPlays | None = None
        self._codes: Ints | None = None
        self._cube_mask = np.zeros((self.num_envs, len(CUBE_ACTIONS)), np.bool_)
        self._limit = np.inf if self._settings.max_turns is None else self._settings.max_turns
        self._thrown_by: Any = None
        self._turns = np.zeros(self.num_envs, np.int64)
        self._rolled = np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)

    @property
    def tables(self) -> batch.Tables:
        """The tables of all games, in which the agents are White: for decisions about the cube.

        Raises:
            IllegalActionError: before the first `reset`.

        Examples:
            >>> envs = BackgammonVectorEnv(2, cube=True, length=5)
            >>> _ = envs.reset(options={"dice": [[(3, 1)], [(6, 5)]]})
            >>> envs.tables.away.tolist(), envs.tables.may("double").tolist()
            ([[5, 5], [5, 5]], [False, False])
        """
        _ = self._begun()
        return tables_of(self._tables, np.arange(self.num_envs))

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
        turning = self._cube_mask.any(axis=1)
        rows = plays.best(scores)
        actions: Ints = turning * (self._plays_end + self._cube_mask.argmax(axis=1))
        playing = np.flatnonzero(rows >= 0)
        rows = rows[playing]
        actions[playing] = (
            rows - plays.offsets[playing] if self._codes is None else self._codes[rows]
        )
        return actions

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all games, or some of them.

        | option | what |
        |---|---|
        | `"boards"` | `(num_envs, 26)`: the games begin here, with the agent on roll, who may double first |
        | `"dice"` | as the argument of this name, until the next `reset` of all games |
        | `"reset_mask"` | `(num_envs,) bool`: the games that begin, at least one; `"boards"` has rows for them alone |

        With `"reset_mask"` all other games go on as they are, and so do the dice, which cannot be given.

        Args:
            seed: makes the dice, and the choices of random opponents, the same as with this seed before; None (the
                default) goes on with the present generator, which is that of all games.
            options: see above; None (the default) for the start of all games and the environment's own dice.

        Returns:
            The observations and `infos`.

        Raises:
            ArgumentError: there is no such option, or the opponent returns no plays.
            PositionError: a board is impossible, or its game is over.
            DiceError: `dice` has the wrong shape, a roll is invalid, or the dice run out.
            IllegalActionError: `"reset_mask"` before the first `reset`.
        """
        chosen = read_options(options, ("boards", "dice", "reset_mask"))
        which = self._checked_mask(chosen)
        boards = self._checked_boards(chosen["boards"], len(which)) if "boards" in chosen else None
        with undone_if_refused(self):
            super().reset(seed=seed)
            if "reset_mask" not in chosen:
                self._thrown_by = _checked_dice(chosen.get("dice", self._own_dice), self.num_envs)
                self._rolled[:] = 0
            self._begin(which)
            if boards is not None:
                self._tables.put(which, points=boards, on_roll=_AGENT)
            self._go_on()
            return self._seen()

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
            for over in self._ended.nonzero()[0][:1]:
                sentence = f'the game of environment {over} is over: call reset(options={{"reset_mask": ...}})'
                raise IllegalActionError(sentence, IllegalActionReason.GAME_OVER)
        rows, codes, illegal = self._read(actions)
        # after an error in what follows only reset() helps
        plays = self._begun()
        self._plays = None
        acts = (rows >= 0).nonzero()[0]
        self._play(acts, plays.points.take(rows[acts], axis=0))
        rolls = self._turn(codes) if self._settings.cube else np.False_
        if illegal.any():
            self._tables.forfeit(illegal.nonzero()[0], _AGENT)
        self._begin(self._ended.nonzero()[0])
        self._go_on(rolls)
        over = self._are_over()
        rewards = np.zeros(self.num_envs)
        at = over.nonzero()[0]
        rewards[at] = (1 - 2 * self._tables["won_by"][at]) * (
            1 if self._settings.length else self._tables["won"][at]
        )
        truncations = self._ended & ~over
        final = self._begin_at_once() if self._autoreset_mode is AutoresetMode.SAME_STEP else {}
        observations, infos = self._seen()
        return observations, rewards, over, truncations, {**infos, **final}

    # What happens in some of the games --------------------------------------------------------------------------------

    def _begin(self, which: Ints) -> None:
        if len(which):
            self._tables.put(which, **self._first)
            self._turns[which] = 0

    def _begin_at_once(self) -> dict[str, Any]:
        """Begin the games that have just ended; return what `infos` says about their ends."""
        ended = self._ended
        which = self._ended.nonzero()[0]
        if not len(which):
            return {}
        last = np.full(self.num_envs, None, object)
        for at, observation in zip(which, self._observations()[which], strict=True):
            last[at] = observation
        info: dict[str, Any] = {}
        if self._shows_mask:
            masks = np.zeros((self.num_envs, self._size), np.int8)
            masks[which, 0] = 1
            info = {"action_mask": masks, "_action_mask": ended}
        self._begin(which)
        self._go_on()
        return {"final_obs": last, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def _go_on(self, rolls: Bools | np.bool_ = np.False_) -> None:
        """Until each agent has a decision or has come to the end; `rolls`: where they have decided to roll."""
        tables = self._tables.old
        is_busy = True
        while is_busy:
            self._ended = self._are_over() | (self._turns >= self._limit)
            waits = (tables["dice"][:, 0] == 0) & ~self._ended
            in_game = waits & (tables["on_roll"] != _NOBODY) & (tables["won_by"] == _NOBODY)
            asked, to_roll = (
                self._turn_cubes(in_game, rolls) if self._settings.cube else (False, in_game)
            )
            self._roll(to_roll.nonzero()[0])
            begins = (waits & ~in_game).nonzero()[0]
            if len(begins):
                self._begin_games(begins)
            playing = ((tables["dice"][:, 0] > 0) & (tables["on_roll"] == _OPPONENT)).nonzero()[0]
            if len(playing):
                self._let_opponents_play(playing)
            is_busy = asked or len(begins) + len(playing) > 0
            rolls = np.False_

    def _are_over(self) -> Bools:
        over: Bools = self._tables.old["won_by"] != _NOBODY
        length = self._settings.length
        return over if length is None else over & (self._tables["scores"] >= length).any(axis=1)

    def _turn_cubes(self, in_game: Bools, rolls: Bools | np.bool_) -> tuple[bool, Bools]:
        """Let the opponents double or answer; return whether one was asked, and where somebody rolls."""
        tables = self._tables
        theirs = tables.to_act == _OPPONENT
        doubled = tables["offered"] > 0
        to_roll = in_game & ~doubled
        decides = to_roll & tables.may_double & ~rolls
        codes = np.full(self.num_envs, _NOTHING)
        for asked in (theirs & decides).nonzero()[0], (theirs & doubled).nonzero()[0]:
            if len(asked):
                some = tables_of(tables, asked)
                codes[asked] = decisions(
                    self._decide,
                    tables=some,
                    rng=self.np_random,
                    at=asked,
                    label="environment {}".format,
                )
        with saying_where("opponent"):
            return bool((codes != _NOTHING).any()), to_roll & ~decides | self._turn(codes)

    def _turn(self, codes: Ints) -> Bools:
        """Do these actions with the cube; return where they are to roll."""
        rolls: Bools = codes == _CODES[0]
        turns = np.where(rolls, _NOTHING, codes)
        if (turns != _NOTHING).any():
            self._tables.act(turns, set(turns.tolist()), self._tables.phase_numbers)
        return rolls

    def _begin_games(self, tied: Ints) -> None:
        """The next games of matches, and opening rolls until one die is higher."""
        if self._settings.length is not None:
            self._tables.next_game(tied[self._tables["won_by"][tied] != _NOBODY])
        for _ in range(MOST_TIES):
            if not len(tied):
                return
            self._tables.open(tied, self._throw(tied))
            tied = tied[self._tables["on_roll"][tied] == _NOBODY]
        raise no_pair(
            f"dice: {MOST_TIES:,} opening rolls of environment {tied[0]} in a row are ties"
        )

    def _let_opponents_play(self, which: Ints) -> None:
        if self._settings.has_table:
            boards: Boards | batch.Tables = tables_of(self._tables, which)
        else:
            points, on_roll, dice = (
                self._tables[name].take(which, axis=0) for name in ("points", "on_roll", "dice")
            )
            boards = Boards(points, on_roll, dice, self._tables.checkers)
        turns = turns_of(
            boards,
            stream=Stream.drawn_from(self.np_random),
            matches=which,
            of_match=np.zeros_like(which),
            numbers=self._turns[which],
        )
        if self._choose is _random_offsets:
            rows = _random_offsets(turns, self.np_random)
        else:
            rows = rows_chosen(self._choose(read_only(turns), self.np_random), turns, "opponent")
        self._play(which, turns.points.take(rows, axis=0))

    def _play(self, which: Ints, after: Rows) -> None:
        self._tables.advance(which, after)
        self._turns[which] += 1

    def _roll(self, which: Ints) -> None:
        if len(which):
            dice = self._throw(which)
            dice.sort(axis=1)
            self._tables.put(which, dice=dice[:, ::-1])

    def _throw(self, which: Ints) -> Rows:
        if (own := self._thrown_by) is None:
            return self.np_random.integers(1, 7, (len(which), 2), np.int8)
        rolled = self._rolled[which]
        self._rolled[which] += 1
        if isinstance(own, np.ndarray):
            for at in (rolled >= own.shape[1]).nonzero()[0][:1]:
                had = counted(own.shape[1], "roll")
                raise no_pair(
                    f"dice: environment {which[at]} has had its {had}, but its game goes on"
                )
            return own[which, rolled].astype(np.int8)
        rolls = plain_array(own(which.copy(), rolled), "dice")
        return checked_rolls(rolls, len(which), lambda row: f"dice of environment {which[row]}")

    # What goes in and out ---------------------------------------------------------------------------------------------

    def _read(self, actions: object) -> tuple[Ints, Ints, Bools]:
        """The row of each legal play, the code of each legal action with the cube (else -1), and what is illegal."""
        plays = self._begun()
        numbers = array_of_any(actions)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self.num_envs,):
            expected = f"a whole number for each of {counted(self.num_envs, 'environment', ',')}"
            raise ArgumentError(f"step: expected {expected}, not {shown(actions)}")
        numbers = np.where(self._ended, 0, numbers.astype(np.int64))
        for wrong in ((numbers < 0) | (numbers >= self._size)).nonzero()[0][:1]:
            sentence = f"an action is a whole number from 0 to {self._size - 1:,}, not {shown(int(numbers[wrong]))}"
            raise ArgumentError(f"environment {wrong}: {sentence}")
        rows, codes = np.full((2, self.num_envs), _NOTHING)
        if self._codes is None:
            rows = np.where(numbers < plays.counts, plays.offsets[:-1] + numbers, _NOTHING)
        else:
            chosen = (self._codes == numbers[plays.board_numbers]).nonzero()[0]
            rows[plays.board_numbers[chosen]] = chosen
        if self._settings.cube:
            turns = (numbers >= self._plays_end).nonzero()[0]
            choices = numbers[turns] - self._plays_end
            codes[turns] = np.where(self._cube_mask[turns, choices], _CODES[choices], _NOTHING)
        illegal = (np.maximum(rows, codes) < 0) & ~self._ended
        for wrong in illegal.nonzero()[0][:1]:
            self._refuse(int(wrong), int(numbers[wrong]))
        return rows, codes, illegal

    def _refuse(self, environment: int, number: int) -> None:
        """Raise an error for an illegal action, or warn."""
        begin, end = self._begun().offsets[environment : environment + 2]
        plays = range(end - begin) if self._codes is None else self._codes[begin:end].tolist()
        turns = self._plays_end + np.flatnonzero(self._cube_mask[environment])
        sentence = sentence_of_illegal(number, [*plays, *turns.tolist()])
        if self._settings.illegal == "raise":
            raise ArgumentError(f"environment {environment}: {sentence}")
        count = "actions count from 0 in each environment, and envs.best(scores) gives them"
        gymnasium.logger.warn(f"environment {environment}: {sentence}; it loses the game ({count})")

    def _observations(self) -> Array:
        tables = self._tables.old
        boards: Array = flipped_where(tables["points"], tables["on_roll"] == _OPPONENT)
        if self._settings.observation == "features":
            boards = batch.features(boards, checkers=self._tables.checkers)
        table = _of_tables(self._tables) if self._settings.has_table else tables["dice"][:, :0]
        return np.concatenate([boards, tables["dice"], table], axis=1).astype(
            self._dtype, copy=False
        )

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        """Observations and infos."""
        dice = self._tables["dice"]
        self._plays = plays = legal_plays_where(dice[:, 0] > 0, self._tables["points"], dice)
        if self._settings.actions == "codes":
            self._codes = encode_moves(plays.moves, dice[plays.board_numbers])
        if self._settings.cube:
            self._cube_mask = self._tables.legal_actions[:, _CODES] & ~self._ended[:, np.newaxis]
        observations = self._observations()
        if not self._shows_mask:
            return observations, {}
        return observations, {
            "action_mask": self._mask(plays),
            "_action_mask": np.ones(self.num_envs, np.bool_),
        }

    def _mask(self, plays: batch.LegalPlays) -> Rows:
        if self._codes is None:
            mask: Rows = _ROW_MASKS[:, : self._size][plays.counts]
        else:
            mask = np.zeros((self.num_envs, self._size), np.int8)
            mask[plays.board_numbers, self._codes] = 1
        if self._settings.cube:
            mask[:, self._plays_end :] = self._cube_mask
        mask[self._ended, 0] = 1
        return mask

    def _checked_mask(self, options: Mapping[str, Any]) -> Ints:
        """The numbers of the games that a reset begins."""
        if "reset_mask" not in options:
            return np.arange(self.num_envs)
        _ = self._begun()  # the games that go on
        mask = array_of_any(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            expected = f"True or False for each of {counted(self.num_envs, 'environment', ',')}, True for at least one"
            raise ArgumentError(
                f'options["reset_mask"]: expected {expected}, not {shown(options["reset_mask"])}'
            )
        if "dice" in options:
            raise ArgumentError(
                'options["dice"] is for all games, and "reset_mask" for some: give one of them'
            )
        return np.flatnonzero(mask)

    def _checked_boards(self, boards: npt.ArrayLike, number: int) -> Rows:
        rows = rows_of(boards, SLOTS, "points")
        if len(rows) != number:
            expected = counted(number, "environment", ",")
            raise ArgumentError(
                f'options["boards"]: {counted(len(rows), "board", ",")} for {expected}'
            )
        check_starts(rows, self._tables.checkers, 'options["boards"]')
        return rows


def _first_state(settings: Settings, start: StartName | Position | None) -> MatchState:
    """Before the opening roll, or where the agent is on roll."""
    rules = settings.all_rules
    opening = start_of_games(rules.start if start is None else start)
    if start is None or isinstance(start, str):
        return MatchState.new(
            settings.length, rules=attrs.evolve(rules, start=start or rules.start)
        )
    if settings.length and opening.checkers != Position.start(rules.start).checkers:
        raise ArgumentError(
            f"start has {opening.checkers} checkers a side, unlike the next games of the match"
        )
    return MatchState(opening, Player.WHITE, length=settings.length, rules=rules)


def _of_tables(tables: Draft) -> Array:
    """What `Table.observation` says of a table; nobody but an agent is still to answer a double."""
    offered = tables["offered"]
    owners = tables["owners"]
    turned = np.frexp(np.where(offered > 0, offered, tables["cube"]))[1] - 1
    away = (
        0 * tables["scores"]
        if tables.length is None
        else np.maximum(0, tables.length - tables["scores"])
    )
    return np.column_stack(
        [turned, (owners != _NOBODY) * (1 - 2 * owners), away, tables["crawford"], offered > 0]
    )


# --- opponents -----------------------------------------------------------------------------------------------------


def _opponent_functions(opponent: OpponentOfMany | None) -> tuple[_Choose, CubePolicy]:
    """What chooses the opponents' plays, and what turns their cubes."""
    if opponent is None:
        return _random_offsets, _any_action
    both = opponent if isinstance(opponent, tuple) else (opponent, roll_or_take)
    if len(both) != 2 or not all(map(callable, both)):
        raise ArgumentError(
            f"opponent must be a function, a tuple of two, or None, not {shown(opponent)}"
        )
    return both


def _random_offsets(turns: batch.Turns, rng: np.random.Generator) -> Ints:
    return turns.offsets[:-1] + rng.integers(0, turns.counts)


def _any_action(tables: batch.Tables, rng: np.random.Generator) -> Any:
    scores = tables.legal_actions[:, _CODES] * rng.random((len(tables), len(_CODES)))
    return _CODES[scores.argmax(axis=1)]


def _checked_dice(dice: Any, number: int) -> Any:
    """The dice of many games: rolls that are possible, a function, or None."""
    own = own_dice(dice, number)
    if isinstance(own, np.ndarray):
        checked_rolls(
            own.reshape(-1, 2),
            own.size // 2,
            lambda row: f"dice of environment {row // own.shape[1]}",
        )
    return own
