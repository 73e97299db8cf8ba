"""`BackgammonVectorEnv`, the Gymnasium environment of thousands of games at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from numpy.lib.stride_tricks import sliding_window_view

from gammonrules import batch
from gammonrules.batch.internals import checked_rolls, own_dice, rows_chosen
from gammonrules.batch.locking import read_only
from gammonrules.board import Position, StartName
from gammonrules.board.array_checks import Bools, Ints, Rows, plain_array, refuse_first
from gammonrules.board.internals import start_of_games
from gammonrules.environments._numbers import MOST_PLAYS, SIZES, Numbering, array_of_any, encode_moves
from gammonrules.environments._table import (
    IllegalActions,
    Observed,
    Settings,
    read_options,
    sentence_of_illegal,
    undone_if_refused,
)
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason
from gammonrules.limits import MOST_ENVIRONMENTS, MOST_TIES
from gammonrules.values import check_function, counted, no_pair, one_of, shown, whole_argument

Array: TypeAlias = npt.NDArray[Any]
OpponentOfMany: TypeAlias = Callable[[batch.Turns, np.random.Generator], npt.ArrayLike]
"""Chooses the opponents' plays, as for `batch.play_games`: a function of their `Turns` and of the generator to use.

It returns the row of `points` that is played on each board.
"""
DiceOfMany: TypeAlias = npt.ArrayLike | Callable[[Ints, Ints], npt.ArrayLike]
"""Where the dice of many games come from: `(num_envs, T, 2)`, the rolls of each environment in order, or a function.

The function gets the numbers of environments, and how many rolls each has had since `reset`, both `(K,) int64`, and
returns their rolls, `(K, 2)`.
"""

_ROW_MASKS = sliding_window_view(np.repeat(np.array([1, 0], np.int8), MOST_PLAYS), MOST_PLAYS)[::-1]
"""Row n has n ones."""


class BackgammonVectorEnv(gymnasium.vector.VectorEnv[Array, Array, Array]):
    """Many games at once, each as in `BackgammonEnv` without a cube: one agent against the same opponent.

    `gymnasium.make_vec("gammonrules/Backgammon-v0", num_envs=1000)` makes one. All games advance together, on the
    arrays of `gammonrules.batch`. Observations, rewards and numbers of actions are those of `BackgammonEnv`, with a row
    for each game. `plays` has the boards after all legal plays, for agents who choose by them.

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
            all opponents who are to play (Black; their `games` are numbers of environments) and with `env.np_random`.
            None (the default): each legal play is equally likely.
        start: where games begin: the name of a start (default "standard"), with an opening roll, or a `Position` in
            which the agent is on roll.
        dice: the dice: `(num_envs, T, 2)`, or a function, or None (the default) for random ones. Where a game begins
            with an opening roll, it is the agent's die and the opponent's, and after a tie the next roll is another;
            1,000 ties in a row are an error.
        action_mask: whether `infos` has `"action_mask"`, `(num_envs, actions) int8`. Default True; for thousands of
            games, making it takes longer than everything else. With rows, `plays.counts` says the same.
        autoreset_mode: an `AutoresetMode` or its value, "NextStep" (the default), "SameStep" or "Disabled".
        cube: False: many games at once have no cube.
        length: None: they are not matches.
        rules: None: they have no other rules.
        render_mode: None: there are no pictures of many games.

    Attributes:
        num_envs: how many games.
        single_action_space: the `Discrete` of one game.
        single_observation_space: the `Box` of one game.
        action_space: the space of all games.
        observation_space: the space of all games.

    Raises:
        PositionError: there is no start position with this name.

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

    def __init__(  # noqa: PLR0913  four of them only to refuse them
        self,
        num_envs: int = 1,
        opponent: OpponentOfMany | None = None,
        *,
        actions: Numbering = "rows",
        observation: Observed = "board",
        start: StartName | Position = "standard",
        dice: DiceOfMany | None = None,
        max_turns: int | None = None,
        illegal: IllegalActions = "lose",
        action_mask: bool = True,
        autoreset_mode: AutoresetMode | Literal["NextStep", "SameStep", "Disabled"] = AutoresetMode.NEXT_STEP,
        cube: Literal[False] = False,
        length: None = None,
        rules: None = None,
        render_mode: None = None,
    ) -> None:
        check_function("opponent", opponent, optional=True)
        if type(action_mask) is not bool:
            raise ArgumentError(f"action_mask must be True or False, not {shown(action_mask)}")
        _refuse_what_single_games_have(cube=cube, length=length, rules=rules, render_mode=render_mode)
        self._autoreset_mode = _checked_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._autoreset_mode}
        self._settings = Settings(actions, observation, max_turns=max_turns, illegal=illegal)
        self.num_envs = whole_argument("num_envs", num_envs, 1, MOST_ENVIRONMENTS)
        self._opponent = _any_play if opponent is None else opponent
        opening = start_of_games(start)
        self._start, self._checkers = batch.from_positions([opening])[0], opening.checkers
        self._has_opening_roll = isinstance(start, str)
        self._own_dice = dice
        self._shows_mask = action_mask
        self.single_action_space = self._settings.action_space()
        self.single_observation_space = self._settings.observation_space()
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self._plays: batch.LegalPlays | None = None
        self._codes: Ints | None = None
        self._thrown_by: Callable[[Ints, Ints], npt.ArrayLike] | None = None
        self._boards, self._dice = np.tile(self._start, (self.num_envs, 1)), np.ones((self.num_envs, 2), np.int8)
        self._turns, self._rolled = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.int64)
        self._ended = np.zeros(self.num_envs, np.bool_)

    @property
    def plays(self) -> batch.LegalPlays:
        """The legal plays of the agents: the rows of environment i begin at `plays.offsets[i]`.

        For an action use `best`: actions count from 0 in each environment, rows across all of them. A game that
        is over has no plays, and one that was cut off has those of the roll before. The arrays are read-only.

        Raises:
            IllegalActionError: before the first `reset`.

        Examples:
            >>> envs = BackgammonVectorEnv(2)
            >>> _ = envs.reset(options={"dice": [[(3, 1)], [(6, 5)]]})
            >>> envs.plays.counts
            array([16,  7])
        """
        if self._plays is None:
            raise IllegalActionError("call reset() first", IllegalActionReason.OPENING_ROLL_FIRST)
        return self._plays

    def best(self, scores: npt.ArrayLike) -> Ints:
        """For each game the action with the highest score; 0 where the game is over, whose action is ignored.

        Args:
            scores: `(M,)`, a number for each row of `plays.points`.

        Raises:
            ArgumentError: `scores` is not one number for each row, or has a NaN.
            IllegalActionError: before the first `reset`.
        """
        plays = self.plays
        playing = np.flatnonzero(plays.counts)
        # a game without plays has no rows, so the rows of the others are contiguous
        rows = batch.LegalPlays(plays.offsets[np.append(playing, -1)], plays.points, plays.moves).best(scores)
        actions = np.zeros(self.num_envs, np.int64)
        actions[playing] = rows - plays.offsets[playing] if self._codes is None else self._codes[rows]
        return actions

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Begin all games, or some of them.

        | option | what |
        |---|---|
        | `"boards"` | `(num_envs, 26)`: the games begin here, with the agent on roll |
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
                self._thrown_by = _source_of(chosen.get("dice", self._own_dice), self.num_envs)
                self._rolled[:] = 0
            self._turns[which], self._ended[which] = 0, False
            if boards is None:
                self._let_opponents_play(self._begin(which))
            else:
                self._boards[which] = boards
                self._roll(which)
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
                (`illegal="raise"`); the opponent returns no plays.
            DiceError: `dice` has the wrong shape, a roll is invalid, or the dice run out.
            IllegalActionError: before the first `reset`, or a game is over (`autoreset_mode="Disabled"`).
        """
        self._refuse_games_that_are_over()
        rows, is_legal = self._rows_of(actions)
        plays, self._plays = self.plays, None  # after an error in what follows only reset() helps
        begins, rewards = self._ended, np.zeros(self.num_envs)
        rewards[~begins & ~is_legal] = -1
        acts = np.flatnonzero(~begins & is_legal)
        asked = [self._play(acts, plays.points[rows[acts]], rewards), self._begin(np.flatnonzero(begins))]
        self._let_opponents_play(np.sort(np.concatenate(asked)), rewards)
        terminations = rewards != 0
        truncations = self._are_cut(np.arange(self.num_envs)) & ~terminations
        self._ended = terminations | truncations
        final = self._begin_at_once() if self._autoreset_mode is AutoresetMode.SAME_STEP else {}
        observations, infos = self._seen()
        return observations, rewards, terminations, truncations, {**infos, **final}

    # What happens in some of the games --------------------------------------------------------------------------------

    def _play(self, which: Ints, after: Rows, rewards: Array) -> Ints:
        """Advance games to these boards, seen by the opponent; return those in which the opponent has rolled."""
        losses = batch.outcomes(after, checkers=self._checkers)  # as the opponent, who is on roll, sees them
        rewards[which] = -losses
        self._boards[which] = batch.flip(after)
        self._turns[which] += 1
        others: Ints = which[(losses == 0) & ~self._are_cut(which)]
        self._roll(others)
        return others

    def _begin(self, which: Ints) -> Ints:
        """Begin games, with their first roll; return those that the opponent begins."""
        self._boards[which], self._turns[which] = self._start, 0
        self._roll(which)
        if not self._has_opening_roll:
            return which[:0]
        self._break_ties(which)
        opponents: Ints = which[self._dice[which, 0] < self._dice[which, 1]]
        return opponents

    def _begin_at_once(self) -> dict[str, Any]:
        """Begin the games that have just ended; return what `infos` says about their ends."""
        ended = self._ended
        if not ended.any():
            return {}
        last = np.full(self.num_envs, None, object)
        for at, observation in zip(np.flatnonzero(ended), self._observations()[ended], strict=True):
            last[at] = observation
        info: dict[str, Any] = {}
        if self._shows_mask:
            masks = np.zeros((self.num_envs, SIZES[self._settings.actions]), np.int8)
            masks[ended, 0] = 1
            info = {"action_mask": masks, "_action_mask": ended}
        self._ended = np.zeros(self.num_envs, np.bool_)
        self._let_opponents_play(self._begin(np.flatnonzero(ended)))
        return {"final_obs": last, "_final_obs": ended, "final_info": info, "_final_info": ended}

    def _break_ties(self, tied: Ints) -> None:
        """More opening rolls, until one die is higher everywhere."""
        for _ in range(MOST_TIES):
            tied = tied[self._dice[tied, 0] == self._dice[tied, 1]]
            if not len(tied):
                return
            self._roll(tied)
        raise no_pair(f"dice: {MOST_TIES:,} opening rolls of environment {tied[0]} in a row are ties")

    def _let_opponents_play(self, which: Ints, rewards: Array | None = None) -> None:
        """The opponents in these games play the dice that they have, and the agents roll."""
        if not len(which):
            return
        turns = batch.Turns.of(
            batch.flip(self._boards[which]),
            self._dice[which],
            self.np_random,
            games=which,
            numbers=self._turns[which],
            on_roll=np.ones_like(which),  # the agents are White
        )
        after = turns.points[rows_chosen(self._opponent(turns, self.np_random), turns, "opponent")]
        losses = batch.outcomes(after, checkers=self._checkers)
        if rewards is not None:
            rewards[which] += losses
        self._boards[which] = after
        self._turns[which] += 1
        self._roll(which[(losses == 0) & ~self._are_cut(which)])

    def _roll(self, which: Ints) -> None:
        if not len(which):
            return
        own = self._thrown_by
        if own is None:
            self._dice[which] = self.np_random.integers(1, 7, (len(which), 2), np.int8)
        else:
            self._dice[which] = _checked_rolls(own(which.copy(), self._rolled[which]), which)
        self._rolled[which] += 1

    def _are_cut(self, which: Ints) -> Bools:
        most = self._settings.max_turns
        return np.zeros(len(which), np.bool_) if most is None else self._turns[which] >= most

    # What goes in and out ---------------------------------------------------------------------------------------------

    def _rows_of(self, actions: object) -> tuple[Ints, Bools]:
        """The row of each action, and whether there is one."""
        plays, numbers = self.plays, array_of_any(actions)
        if numbers.dtype.kind not in "iu" or numbers.shape != (self.num_envs,):
            expected = f"a whole number for each of {counted(self.num_envs, 'environment', ',')}"
            raise ArgumentError(f"step: expected {expected}, not {shown(actions)}")
        numbers, goes_on, size = numbers.astype(np.int64), ~self._ended, SIZES[self._settings.actions]
        for wrong in np.flatnonzero(goes_on & ((numbers < 0) | (numbers >= size)))[:1]:
            sentence = f"an action is a whole number from 0 to {size - 1:,}, not {shown(int(numbers[wrong]))}"
            raise ArgumentError(f"environment {wrong}: {sentence}")
        if self._codes is None:
            rows: Ints = plays.offsets[:-1] + numbers
            is_legal: Bools = numbers < plays.counts
        else:
            chosen = np.flatnonzero(self._codes == numbers[plays.board_numbers])
            rows, is_legal = np.zeros(self.num_envs, np.int64), np.zeros(self.num_envs, np.bool_)
            rows[plays.board_numbers[chosen]], is_legal[plays.board_numbers[chosen]] = chosen, True
        for wrong in np.flatnonzero(goes_on & ~is_legal)[:1]:
            self._refuse(int(wrong), int(numbers[wrong]))
        return rows, is_legal

    def _refuse(self, environment: int, number: int) -> None:
        """Raise an error for an illegal action, or warn."""
        plays = self.plays
        legal = range(int(plays.counts[environment]))
        rows = slice(plays.offsets[environment], plays.offsets[environment + 1])
        sentence = sentence_of_illegal(number, legal if self._codes is None else self._codes[rows].tolist())
        if self._settings.illegal == "raise":
            raise ArgumentError(f"environment {environment}: {sentence}")
        count = "actions count from 0 in each environment, and envs.best(scores) gives them"
        gymnasium.logger.warn(f"environment {environment}: {sentence}; it loses the game ({count})")

    def _observations(self) -> Array:
        dice = np.sort(self._dice, axis=1)[:, ::-1] * ~self._ended[:, np.newaxis]
        if self._settings.observation == "board":
            return np.concatenate([self._boards, dice], axis=1)
        inputs = batch.features(self._boards, checkers=self._checkers)
        return np.concatenate([inputs, dice], axis=1).astype(np.float32, copy=False)

    def _seen(self) -> tuple[Array, dict[str, Any]]:
        """Observations and infos."""
        self._plays = plays = read_only(batch.legal_plays(self._boards, self._dice))
        self._codes = None
        if self._settings.actions == "codes":
            self._codes = encode_moves(plays.moves, self._dice[plays.board_numbers])
        observations = self._observations()
        if not self._shows_mask:
            return observations, {}
        return observations, {"action_mask": self._mask(plays), "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _mask(self, plays: batch.LegalPlays) -> Rows:
        if self._codes is None:
            masks: Rows = _ROW_MASKS[np.where(self._ended, 1, plays.counts)]
            return masks
        mask = np.zeros((self.num_envs, SIZES["codes"]), np.int8)
        mask[plays.board_numbers, self._codes] = 1
        mask[self._ended] = 0
        mask[self._ended, 0] = 1
        return mask

    def _refuse_games_that_are_over(self) -> None:
        """Raise an error if nobody but the caller begins games again, and one of them is over."""
        if self._autoreset_mode is AutoresetMode.DISABLED:
            for over in np.flatnonzero(self._ended)[:1]:
                sentence = f'the game of environment {over} is over: call reset(options={{"reset_mask": ...}})'
                raise IllegalActionError(sentence, IllegalActionReason.GAME_OVER)

    def _checked_mask(self, options: Mapping[str, Any]) -> Ints:
        """The numbers of the games that a reset begins."""
        if "reset_mask" not in options:
            return np.arange(self.num_envs)
        _ = self.plays  # the games that go on
        mask = array_of_any(options["reset_mask"])
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,) or not mask.any():
            expected = f"True or False for each of {counted(self.num_envs, 'environment', ',')}, True for at least one"
            raise ArgumentError(f'options["reset_mask"]: expected {expected}, not {shown(options["reset_mask"])}')
        if "dice" in options:
            raise ArgumentError('options["dice"] is for all games, and "reset_mask" for some: give one of them')
        return np.flatnonzero(mask)

    def _checked_boards(self, boards: npt.ArrayLike, number: int) -> Rows:
        positions = batch.to_positions(boards, checkers=self._checkers)
        if len(positions) != number:
            expected = counted(number, "environment", ",")
            raise ArgumentError(f'options["boards"]: {counted(len(positions), "board", ",")} for {expected}')
        rows = batch.from_positions(positions)
        are_over = batch.outcomes(rows, checkers=self._checkers) != 0
        refuse_first(are_over, 'options["boards"], row {}: the game is over'.format)
        return rows


def _refuse_what_single_games_have(**arguments: object) -> None:
    """`BackgammonEnv` takes these, so they are tried here too."""
    for name, value in arguments.items():
        if value is not None and value is not False:
            why = 'only single games have it, as those of make_vec(..., vectorization_mode="sync")'
            raise ArgumentError(f"{name} must be left out, not {shown(value)}: {why}")


def _checked_mode(mode: object) -> AutoresetMode:
    modes = {each.value: each for each in AutoresetMode}
    checked = mode if isinstance(mode, AutoresetMode) else modes.get(mode) if isinstance(mode, str) else None
    if checked is None:
        raise ArgumentError(f"autoreset_mode must be an AutoresetMode, {one_of([*modes])}, not {shown(mode)}")
    return checked


def _any_play(turns: batch.Turns, rng: np.random.Generator) -> Ints:
    return turns.offsets[:-1] + rng.integers(0, turns.counts)


# --- dice ----------------------------------------------------------------------------------------------------------


def _source_of(dice: Any, number: int) -> Callable[[Ints, Ints], npt.ArrayLike] | None:
    """The dice of many games as a function."""
    rolls: Any = own_dice(dice, number)
    if not isinstance(rolls, np.ndarray):
        return rolls  # type: ignore[no-any-return]
    _checked_rolls(rolls.reshape(-1, 2), np.arange(number).repeat(rolls.shape[1]))

    def throw(which: Ints, rolled: Ints) -> Array:
        for at in np.flatnonzero(rolled >= rolls.shape[1])[:1]:
            had = counted(rolls.shape[1], "roll")
            raise no_pair(f"dice: environment {which[at]} has had its {had}, but its game goes on")
        return rolls[which, rolled]

    return throw


def _checked_rolls(argument: npt.ArrayLike, which: Ints) -> Array:
    rolls = plain_array(argument, "dice")
    return checked_rolls(rolls, len(which), lambda row: f"dice of environment {which[row]}")
