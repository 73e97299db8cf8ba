"""Boards played out many times with the same dice, if wanted without their luck."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from functools import partial
from itertools import chain
from typing import TypeAlias

import attrs
import numpy as np

from gammonrules._arrays.checks import Boards, Floats, Ints, Rows, rows_and_checkers
from gammonrules._shared.map_functions import MapFunction, results_of_map
from gammonrules._shared.pickles import as_sent, pickled, unpickled
from gammonrules._shared.sample_means import (
    NORMAL_QUANTILE,
    chance_spent_at,
    errors_of_means,
    normal_quantile,
)
from gammonrules.batch._board_arrays import CHANCES
from gammonrules.batch._evaluators import Evaluate, cubeless_equity, finished, flipped
from gammonrules.batch._game_loop import Choose, Ending, GameBoards, RunOfGames, joined_columns
from gammonrules.batch._legal_plays import Sizes
from gammonrules.batch._look_ahead import NUMBER_OF_ROLL, Search, mean_of_rolls
from gammonrules.batch._play import MAX_GAMES, check_starts, functions_of, most_turns, sizes_to_pad
from gammonrules.batch._random_streams import DiceOfGames, Stream
from gammonrules.batch._state_columns import Arrays
from gammonrules.errors import ArgumentError, BotError, PositionError
from gammonrules.values import (
    Until,
    check_function,
    checked_until,
    counted,
    error_text,
    saying_where,
    shown,
    whole_argument,
)

_GAMES_AT_ONCE = 1_000
_FIRST_LOOK = 144
_MAX_IN_ALL = 10**9


@attrs.frozen(eq=False, repr=False)
class Rollouts:
    """What `rollout` found out about boards; all is for the player on roll of each board, before the roll.

    *Equality*: identity.

    Attributes:
        mean: `(N,) float64`, the mean of the games, in points.
        standard_error: `(N,) float64`, the standard error of each mean, in points; infinite after a single game.
        chances: `(N, 5) float64`, in the order of `analysis.Chances`; NaN where a game ended by an equity alone.
            Without luck only if `evaluate` returns five chances; then some may be a little below 0 or above 1.
        games: how many games were played from each board.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> batch.Rollouts(np.zeros(2), np.ones(2), np.zeros((2, 5)), 100)
        <Rollouts: 2 boards, 100 games each>
    """

    mean: Floats
    standard_error: Floats
    chances: Floats
    games: int

    def __repr__(self) -> str:
        return f"<Rollouts: {counted(len(self.mean), 'board', ',')}, {counted(self.games, 'game', ',')} each>"


_Functions: TypeAlias = tuple[tuple[Choose, Choose], Evaluate | None, Ending | None]
"""Those of the caller: `choose`, `evaluate` and `end`."""


@attrs.frozen
class _RolloutPlan:
    """All that a process needs to play any part."""

    boards: Rows
    functions: bytes | _Functions
    """Pickled, unless they stay in this process."""
    key: int
    """Of the stream of dice."""
    max_turns: int | None
    pad: tuple[int, ...]
    checkers: int
    width: tuple[int, ...]
    """The shape of a value of the evaluator."""


@attrs.frozen
class _GamesOfBoards:
    """Some boards, and the numbers of some games of each."""

    boards: slice[int, int, int]
    games: slice[int, int, int]


@attrs.frozen
class _RolloutLook:
    """A moment at which it is asked whether the games are enough.

    Attributes:
        number: 1 for the first look.
        games: how many games have been played from each board.
        parts: those of these games that the look before did not have.
    """

    number: int
    games: int
    parts: list[_GamesOfBoards]


_Played: TypeAlias = tuple[Floats, Floats] | Exception
"""The points of each game of each board, and the sums of the chances; or why there are none."""


def rollout(  # noqa: PLR0913 - most have a default
    boards: Boards,
    games: int,
    choose: Choose | tuple[Choose, Choose],
    *,
    evaluate: Evaluate | None = None,
    max_turns: int | None = None,
    end: Ending | None = None,
    rng: np.random.Generator,
    until: Until = None,
    workers: int | MapFunction | None = 1,
    checkers: int | None = None,
    pad: Sizes | None = None,
) -> Rollouts:
    """Play many games from each board, and tell what it is worth in money play without a cube.

    All boards have the same dice: a roll depends on the numbers of the game and of the turn alone. So differences
    between boards are more exact than their values. The first roll is like all others and may be a doublet.

    With `evaluate`, luck is removed: the luck of a roll is what it is worth, as `next_rolls` says, less the mean of the
    21 rolls; the luck of all rolls is subtracted from the result. It is 0 on average, however bad the evaluator is; the
    better it is, the smaller the errors.

    The results depend on the arguments and the state of `rng` alone, not on the number of processes. One number is
    drawn from `rng`; `choose` gets generators made from it.

    Args:
        boards: as the player on roll sees them, in any form of `Boards`.
        games: how many games are played from each board, at most if `until` is given.
        choose: chooses the plays of both players, as in `play_games`; of a tuple, the first function is that of the
            player on roll of the boards. `Turns.games` has the numbers of games, which are those of all boards.
        evaluate: as in `look_ahead`; None to leave the luck in.
        max_turns: after how many turns games are stopped, which are then worth what `evaluate` says; None to play on.
        end: ends games whose equity is known, as in `play_games`.
        rng: the source of the dice.
        until: ends the rollout early, after 144, 288, 576, ... games of each board. A number of points: as soon as
            1.96 standard errors of every board are less; games that all end alike have an error of 0. "decided": as
            soon as the best board is clear. It is, if the mean of its differences from each other board, game by game,
            is so many standard errors above 0 that a normal variable is with a probability of at most
            0.05 / (k (k + 1) (N - 1)) at the k-th look. So the wrong board is called the best in at most about 5% of
            rollouts, however often they look.
        workers: the number of processes; None for one for each processor. More than one need the extra `arena`. Or a
            `records.MapFunction`, which works in their place, for example on a cluster.
        checkers: how many each side has, on the board and off, 1 to 15. None (the default) for the number that
            positions have, or 15.
        pad: pads the plays that `choose` gets, as in `play_games`.

    Raises:
        PositionError: `boards` are not boards, or a board is impossible.
        ArgumentError: there is no board, or the game is over on one; `max_turns` is given without `evaluate`; an
            argument is none of those above, or cannot be sent to other processes; or a function returned something
            else than it should.
        BotError: a process ended unexpectedly.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Position, batch
        >>> def first_play(turns, rng):
        ...     return turns.offsets[:-1]
        >>> def even(boards):
        ...     return boards[:, 0] * 0.0
        >>> last_rolls = Position.of(mine={6: 1}, theirs={1: 1})  # 27 of 36 rolls win
        >>> result = batch.rollout(
        ...     last_rolls,
        ...     500,
        ...     first_play,
        ...     evaluate=even,
        ...     rng=np.random.default_rng(1),
        ... )
        >>> round(float(result.mean[0]), 1), float(result.standard_error[0]) < 0.04
        (0.5, True)
    """
    # Starting processes takes time to load, and most programs of this package need none.
    from gammonrules._shared.work import checked_workers_or_map  # noqa: PLC0415

    with saying_where("boards", PositionError):
        rows, of_each_side = rows_and_checkers(boards, checkers)
        rows = rows.copy()
        check_starts(rows, of_each_side, "boards")
    number = whole_argument("games", value=games, minimum=1, maximum=MAX_GAMES)
    _check_numbers(len(rows), number)
    limit = most_turns(max_turns)
    if limit is not None and evaluate is None:
        raise ArgumentError(
            "max_turns needs evaluate, which says what a game that is stopped is worth"
        )
    functions: _Functions = (functions_of("choose", choose), evaluate, end)
    for name, function in (("evaluate", evaluate), ("end", end)):
        check_function(name, function, optional=True)
    margin = checked_until(until)
    if margin == "decided" and len(rows) == 1:
        raise ArgumentError('until: "decided" compares boards, and there is only one')
    functions_to_send: bytes | _Functions = functions
    number_or_map = checked_workers_or_map(workers)
    if number_or_map != 1:
        functions_to_send = pickled(functions, "functions", "a rollout in several processes")
    stream = Stream.drawn_from(rng)
    width: tuple[int, ...] = ()
    if evaluate is not None:
        # asked before any game, so that a wrong value is refused, and for the shape of a value
        search = Search(evaluate, keep=None, checkers=of_each_side)
        width = search.values(rows, plies=0).shape[1:]
    plan = _RolloutPlan(
        rows,
        functions=functions_to_send,
        key=stream.key,
        max_turns=limit,
        pad=sizes_to_pad(pad),
        checkers=of_each_side,
        width=width,
    )
    return _rollouts_so_far(plan, games=number, until=margin, workers=number_or_map)


def _check_numbers(boards: int, games: int) -> None:
    if not boards:
        raise ArgumentError("boards: there are none")
    if boards * games > _MAX_IN_ALL:
        limit = f"{_MAX_IN_ALL:,} in all are the most that are kept"
        raise ArgumentError(
            f"games: {games:,} of each of {counted(boards, 'board', ',')} are too many; {limit}"
        )


def _lost_part(_: _GamesOfBoards, sentence: str) -> _Played:
    return BotError(f"rollout: {sentence}")


def _rollouts_so_far(
    plan: _RolloutPlan, games: int, until: Until, workers: int | MapFunction
) -> Rollouts:
    """The games up to the look at which they are enough."""
    boards = len(plan.boards)
    looks = _looks(boards, games, until)
    all_parts = chain.from_iterable(look.parts for look in looks)
    points = np.empty((games, boards))
    sums_of_chances = np.zeros((boards, CHANCES))
    played = 0
    # results come in the order of the parts of all looks; those of later looks are left if the games are enough before
    with closing(_results_of_parts(plan, all_parts, workers)) as results:
        for look in looks:
            for part in look.parts:
                result = next(results)
                if isinstance(result, Exception):
                    raise result
                points_of_part, chances_of_part = result
                points[part.games, part.boards] = points_of_part
                sums_of_chances[part.boards] += chances_of_part
            played = look.games
            if _is_enough(points[:played], until, look.number):
                break
    return Rollouts(
        points[:played].mean(axis=0),
        standard_error=errors_of_means(points[:played]),
        chances=sums_of_chances / played,
        games=played,
    )


def _looks(boards: int, games: int, until: Until) -> list[_RolloutLook]:
    """All looks of a rollout of so many games of each board; only the last one if it cannot end early."""
    ends = list[int]()
    if until is not None:
        end = _FIRST_LOOK
        while end < games:
            ends.append(end)
            end *= 2
    ends.append(games)
    looks = list[_RolloutLook]()
    begin = 0
    for end in ends:
        parts = _parts_between(begin, end, boards)
        looks.append(_RolloutLook(number=len(looks) + 1, games=end, parts=parts))
        begin = end
    return looks


def _results_of_parts(
    plan: _RolloutPlan, parts: Iterable[_GamesOfBoards], workers: int | MapFunction
) -> Generator[_Played]:
    from gammonrules._shared.work import in_order  # noqa: PLC0415 - as in `rollout`

    play = partial(_play_part, plan)
    if callable(workers):
        return results_of_map(workers, play, parts)
    return in_order(play, parts, _lost_part, workers=workers)


def _parts_between(begin: int, end: int, boards: int) -> list[_GamesOfBoards]:
    """The games of all boards from `begin` to `end`, in parts of some 1,000, however many processes there are."""
    # some games of all boards; of more boards than that, one game of some of them
    boards_at_once = min(boards, _GAMES_AT_ONCE)
    games_at_once = max(_GAMES_AT_ONCE // boards, 1)
    parts = list[_GamesOfBoards]()
    for game in range(begin, end, games_at_once):
        games_of_part = slice(game, min(game + games_at_once, end))
        for board in range(0, boards, boards_at_once):
            boards_of_part = slice(board, min(board + boards_at_once, boards))
            parts.append(_GamesOfBoards(boards_of_part, games_of_part))
    return parts


def _is_enough(values: Floats, until: Until, look: int) -> bool:
    """Whether a rollout may end at this look; `rollout` says by which rule.

    At each look there are hundreds of games of each board, so this asks the normal distribution, where the rollouts of
    engines have few chunks. A margin is that of one look, however many there are.
    """
    if until is None:
        return False
    if until != "decided":
        return bool((NORMAL_QUANTILE * errors_of_means(values) < until).all())
    best = values.mean(axis=0).argmax()
    others = np.delete(values, best, axis=1)
    leads = values[:, [best]] - others
    number_of_others = others.shape[1]
    chance_of_error = chance_spent_at(look) / number_of_others
    # so many standard errors; the quantile of a small chance is below 0
    needed_errors = -normal_quantile(chance_of_error)
    return bool((leads.mean(axis=0) > needed_errors * errors_of_means(leads)).all())


# --- in each process --------------------------------------------------------------------------------------------------


def _play_part(plan: _RolloutPlan, part: _GamesOfBoards) -> _Played:
    """Play a part; an error is its result."""
    try:
        return _results_of_part(plan, part)
    except Exception as error:  # noqa: BLE001 - of a function of the caller
        is_in_this_process = not isinstance(plan.functions, bytes)
        if is_in_this_process:
            return error
        return as_sent(error) or BotError(
            f"rollout: {type(error).__name__}: {shown(error_text(error), 200)}"
        )


def _results_of_part(plan: _RolloutPlan, part: _GamesOfBoards) -> tuple[Floats, Floats]:
    """The points of each game of each board, and for each board the sums of its chances."""
    choose, evaluate, end = unpickled(plan.functions, "functions")
    starts = plan.boards[part.boards]
    numbers = np.arange(part.games.start, part.games.stop)
    total = len(starts) * len(numbers)
    search = None
    if evaluate is not None:
        search = Search(evaluate, keep=None, checkers=plan.checkers, width=plan.width)
    dice = DiceOfGames(Stream(plan.key), own=None, first=0, label="game {}")
    rng = np.random.default_rng((plan.key, part.games.start, part.boards.start))
    # the first game of every board, then the second of every board, and so on
    boards = GameBoards(
        np.tile(starts, (len(numbers), 1)),
        on_roll=np.zeros(total, np.int8),
        dice=np.zeros((total, 2), np.int8),
        checkers=plan.checkers,
    )
    run = _PlayedOut(
        boards,
        choose=choose,
        rng=rng,
        dice=dice,
        max_turns=plan.max_turns,
        pad=plan.pad,
        opening=False,
        end=end,
        numbers=np.repeat(numbers, len(starts)),
        search=search,
    )
    points, chances = run.values()
    chances_of_games = chances.reshape(len(numbers), len(starts), CHANCES)
    return points.reshape(len(numbers), len(starts)), chances_of_games.sum(axis=0)


@attrs.define(eq=False)
class _PlayedOut(RunOfGames):
    """Games with numbers that are not all different: those with the same number begin on different boards.

    `luck` is that of the player who was on roll first.
    """

    numbers: Ints
    search: Search | None

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        total = len(self.numbers)
        width: tuple[int, ...] = ()
        if self.search is not None and self.search.width is not None:
            width = self.search.width
        self.games["matches"] = self.numbers
        self.games["luck"] = np.zeros((total, *width))
        self.games["equities"] = np.full(total, np.nan)
        self.games["chances"] = np.full((total, CHANCES), np.nan)

    def values(self) -> tuple[Floats, Floats]:
        """The points and the chances of each game, without luck where it is known."""
        while len(self.games["serial"]):
            self._end_known()
            self._stop()
            self._play()
        games = joined_columns(self.ended)
        order = games["serial"].argsort()
        results = games["results"][order]
        luck = games["luck"][order]
        has_result = results != 0
        points = np.where(has_result, results, games["equities"][order])
        chances = np.where(
            has_result[:, np.newaxis], finished(results, (CHANCES,)), games["chances"][order]
        )
        if luck.ndim == 1:
            return points - luck, chances
        # luck is a difference of five chances. Five zeros have an equity of -1, that of a sure loss, but are no luck:
        # so the luck in points is its equity plus 1
        return points - cubeless_equity(luck) - 1, chances - luck

    def _stop(self) -> None:
        """Stop the games at the limit of turns: all of them, since they began together."""
        self._refuse_endless()
        stopped = self._are_at_limit()
        if self.search is None or not stopped.any():
            return
        values = self._for_first(self.search.values(self.boards.points, plies=0))
        self.games["equities"] = cubeless_equity(values)
        if values.ndim > 1:
            self.games["chances"] = values
        self._end(stopped)

    def _roll(self) -> None:
        """Roll the dice, and add the luck of each roll: what it is worth less the mean of all rolls."""
        super()._roll()
        if self.search is None:
            return
        values_of_rolls = self.search.values(self.boards.points, plies=1, by_roll=True)
        dice = self.boards.dice
        rolls = NUMBER_OF_ROLL[dice[:, 0], dice[:, 1]]
        value_of_roll = self._for_first(values_of_rolls[np.arange(len(dice)), rolls])
        mean = self._for_first(mean_of_rolls(values_of_rolls))
        self.games["luck"] = self.games["luck"] + value_of_roll - mean

    def _for_first(self, values: Floats) -> Floats:
        """Values for the side on roll, the same in all games, as the side sees them that was on roll first."""
        is_second_on_roll = self.boards.on_roll[0] == 1
        return flipped(values) if is_second_on_roll else values

    def _turn_columns(self, boards: GameBoards, serial: Ints, moves: Rows) -> Arrays:  # noqa: ARG002 - turns are not kept
        return {}
