"""Many games, or matches with a cube, played at the same time to the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, TypeVar

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules._arrays.checks import (
    Rows,
    check_boards,
    first as first_of,
    number_of_checkers,
    plain_array,
    refuse_board,
    rows_of,
)
from gammonrules.batch._board_arrays import from_positions
from gammonrules.batch._game_loop import (
    Choose,
    CubePolicy,
    Ending,
    GameBoards,
    RunOfGames,
    RunOfMatches,
    any_play,
)
from gammonrules.batch._games import Games, MatchGames
from gammonrules.batch._legal_plays import Sizes, checked_sizes, is_list
from gammonrules.batch._match_states import MatchStates
from gammonrules.batch._random_streams import DiceOfGames, OwnDice, Stream, own_dice
from gammonrules.board import Position, StartName
from gammonrules.board.internals import BAR, SLOTS, STANDARD_CHECKERS, start_of_games
from gammonrules.errors import ArgumentError, PositionError
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import check_function, counted, saying_where, shown, whole_argument

Start: TypeAlias = StartName | Position | Sequence[Position] | npt.ArrayLike
"""Where games begin: the name of a start, a position, or one for each game."""
_Function = TypeVar("_Function", Choose, CubePolicy)

MAX_GAMES = 2**32
"""The numbers of games are counters of 32 bits, from which their dice are made."""


def random_games(
    n: int,
    *,
    rng: np.random.Generator,
    start: Start = "standard",
    checkers: int = STANDARD_CHECKERS,
    dice: OwnDice = None,
    first: int = 0,
    max_turns: int | None = None,
) -> Games:
    """Play games in which each legal play is equally likely, for tests and as data.

    The same state of `rng` gives the same games, with the kernel or without, and game i is the same however many games
    there are. One number is drawn from `rng`. Arguments and errors are those of `batch.play_games`, which has `choose`,
    `end` and `pad` besides.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import batch
        >>> games = batch.random_games(100, rng=np.random.default_rng(2026))
        >>> len(games), len(games.points) == int(games.offsets[-1])
        (100, True)
    """
    return play_games(
        n,
        any_play,
        rng=rng,
        start=start,
        checkers=checkers,
        dice=dice,
        first=first,
        max_turns=max_turns,
    )


def play_games(
    n: int,
    choose: Choose | tuple[Choose, Choose],
    *,
    rng: np.random.Generator,
    start: Start = "standard",
    checkers: int = STANDARD_CHECKERS,
    dice: OwnDice = None,
    first: int = 0,
    max_turns: int | None = None,
    end: Ending | None = None,
    pad: Sizes | None = None,
) -> Games:
    """Play games at the same time; a function chooses the plays of both players, or one function for each.

    White starts every game. All games advance together: the first, third, fifth, ... call is for White, the others are
    for Black. A game that is over is left out of later calls; the others keep their order.

    Each game has its own dice, made from one number that is drawn from `rng`, the number of the game and the number
    of the turn. So game i has the same dice however many games there are, whoever plays, and if the players change
    seats (duplicate dice): play `(one, other)` and `(other, one)` with `np.random.default_rng(seed)` made anew for
    each. To divide a run among processes or threads, make the same generator in each and set `first`.

    `choose` may keep its arrays but not write into them: they are read-only copies.

    Args:
        n: how many games.
        choose: called once a turn with the `Turns` of all games that still go on (their boards, rolls, legal plays and
            numbers) and with `rng`. It returns the row of `points` that is played in each of them, `(N,)` of an integer
            dtype. A tuple of two such functions is White's and Black's.
        rng: the source of the dice, such as `numpy.random.default_rng(1)`; `choose` may draw from it as well.
        start: where the games begin: the name of a start, as in `Position.start`, with an opening roll, which is not a
            doublet; or a position in which the game goes on, whose player on roll starts; or one for each game, as
            positions or as boards, `(n, 26)`; or one board, `(26,)`. From a position or a board, it is
            known whose turn it is, so the first roll is like all others and may be a doublet.
        checkers: how many each side has, if `start` is an array: 1 to 15 (the default).
        dice: the caller's own dice instead: `(n, T, 2)`, the rolls of each game in order; or a function that returns
            the rolls, `(N, 2)`, of three arrays of numbers, `(N,) int64`: those of the games, of the games in a match
            (here 0), and of the rolls in the game, from 0.
        first: the number of the first game; the others follow.
        max_turns: after how many turns games are stopped, without a result; None for an error if one has not ended
            after 10,000.
        end: ends games whose equity is known: called before each roll, except an opening roll, with the boards of all
            games that still go on, `(N, 26) int8`, seen by the side on roll. It returns `(N,)` floats: the points that
            this side wins on average if it rolls now, which end the game without a result (`Games.equities` has them,
            as White sees them), or NaN where the game goes on. Or it returns `(N, 5)`, five chances in the order of
            `analysis.Chances`, for `Games.chances` and the equities that follow from them, or NaN in all five. Other
            games remain the same.
        pad: pads the plays that `choose` gets to one of a few numbers of rows, for a network that is compiled for each
            shape, such as one of `jax.jit`: the smallest of these numbers that suffices, or beyond the largest, that
            number doubled until it does; so 64 alone means 64, 128, 256, ... rows. None (the default): no padding.
            `Turns` says what the rows are that are no plays; they make no difference to the games.

    Raises:
        ArgumentError: `n` or `first` is not a whole number from 0 on (their sum is at most 2**32), `rng` is not a NumPy
            generator, `choose` is neither a function nor a tuple of two, `start` is not a start, does not have n
            positions, or is the end of a game, `checkers` is not from 1 to 15, `max_turns` is not a whole number from 0
            on, `choose` returned anything but one row for each game, `end` is neither a function nor None or returned
            anything but one float for each game, from -3 to 3 or NaN, or five chances, `pad` is neither None nor
            whole numbers from 1 on, or a game does not end.
        PositionError: there is no start position with this name, or a board is impossible.
        DiceError: `dice` has the wrong shape, an invalid roll or too few rolls, or an opening roll is a doublet.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Position, batch
        >>> def first_play(turns, rng):
        ...     return turns.offsets[:-1]
        >>> batch.play_games(3, first_play, rng=np.random.default_rng(1)).results.shape
        (3,)
        >>> last_roll = Position.of(mine={6: 1}, theirs={1: 1})  # 27 of 36 rolls win
        >>> games = batch.play_games(
        ...     3600, first_play, rng=np.random.default_rng(1), start=last_roll
        ... )
        >>> round(36 * float((games.results > 0).mean()))
        27
        >>> def sure(boards):  # the last checker is borne off with any roll
        ...     last = (boards[:, 1] == 1) & (boards.clip(0).sum(axis=1) == 1)
        ...     return np.where(last, 1.0, np.nan)
        >>> games = batch.play_games(
        ...     3, first_play, rng=np.random.default_rng(1), start=last_roll, end=sure
        ... )
        >>> games.results.tolist(), games.equities.tolist()
        ([0, 1, 1], [-1.0, 1.0, 1.0])
        >>> shapes = set()
        >>> def network(points):  # compiled for each shape
        ...     shapes.add(points.shape)
        ...     return points[:, 0] / 2
        >>> def choose(turns, rng):
        ...     return turns.best(-network(turns.points))
        >>> games = batch.play_games(
        ...     20, choose, rng=np.random.default_rng(1), pad=[64, 256]
        ... )
        >>> sorted(shapes)
        [(64, 26), (256, 26), (512, 26), (1024, 26)]
    """
    first_game = whole_argument("first", value=first, minimum=0, maximum=MAX_GAMES)
    games = whole_argument("n", value=n, minimum=0, maximum=MAX_GAMES - first_game)
    limit = most_turns(max_turns)
    functions = functions_of("choose", choose)
    stream = Stream.drawn_from(rng)
    check_function("end", end, optional=True)
    boards = _boards_of_start(start, games, checkers)
    name = _plain_name(start) if isinstance(start, str) else None
    has_opening_roll = name is not None  # from any other board it is known whose turn it is
    run = RunOfGames(
        boards,
        choose=functions,
        rng=rng,
        dice=DiceOfGames(stream, own=own_dice(dice, games), first=first_game, label="game {}"),
        max_turns=limit,
        pad=sizes_to_pad(pad),
        opening=has_opening_roll,
        end=end,
    )
    columns = run.columns()
    # each match is one game here
    del columns["matches"]
    del columns["of_match"]
    return Games(**columns, first=first_game, checkers=boards.checkers, start=name)


def play_matches(  # noqa: D417, PLR0913  `play_games` describes the others, which have a default
    n: int,
    choose: Choose | tuple[Choose, Choose],
    cube: CubePolicy | tuple[CubePolicy, CubePolicy] | None = None,
    *,
    rng: np.random.Generator,
    length: int | None = 7,
    rules: Rules | None = None,
    start: StartName | Position | None = None,
    score: Sequence[int] = (0, 0),
    first: int = 0,
    max_turns: int | None = None,
    dice: OwnDice = None,
    pad: Sizes | None = None,
) -> MatchGames:
    """Play matches with the cube at the same time; functions choose the plays and turn the cube.

    It is `play_games` with a cube and a score. An opening roll, of one die by each, decides who starts. In the `turns`
    that `choose` gets, `games` has the numbers of the matches, and `states` has the score and the cube of every board.
    A match of which a game has reached `max_turns` is stopped. There is no `end`: with a cube, what a board is worth
    depends on its value, its owner and the score as well.

    `cube` is asked whenever there is something to decide: with the states whose player on roll may double, before they
    roll, and with those where a double, a beaver or a raccoon must be answered. All states of one call are of the same
    kind. It returns an action for each, such as `np.where(chance > 0.7, Action.DOUBLE, Action.ROLL)`: ROLL or DOUBLE,
    and TAKE, DROP or (where `states.may(Action.BEAVER)`) BEAVER as an answer. `states.points` are the boards of the
    player on roll, who rolls next whatever the answer: the doubler. A network's chance of winning there is that of
    `states.on_roll`, so subtract it from 1 where `states.to_act` is the other player; `states.view(states.to_act)` has
    the boards as they see them.

    Match i has the same dice however many matches there are, whoever plays, and if the players change seats. The same
    is true of `turns.random`, but not of what the functions draw from `rng`.

    Arguments and errors are those of `batch.play_games`, which has `start`, `checkers` and `end` besides, except:

    Args:
        cube: decides about the cube: called with `MatchStates` and `rng`, returns `(N,)` strings of `Action` or their
            numbers. A tuple of two functions is White's and Black's. None: nobody doubles.
        length: points that win a match, 7 by default; None for money, where each match is one game.
        rules: the options; None means `TOURNAMENT` for matches and `MONEY` for money play.
        start: the first board of every game, as White sees it, before the opening roll: a name as in `Position.start`,
            or a position. None (the default) is the start of the rules.
        score: points of (White, Black) at which all matches begin.
        dice: the caller's own dice instead, as in `play_games`; a function gets the numbers of the matches, of the
            games in them, and of the rolls in these. Roll 0 is the opening roll: White's die and Black's, which must
            differ. Under `Rules(opening="reroll")` the first turn has roll 1. An array has rolls for one game of each
            match.

    Raises:
        ArgumentError: `cube` returned something of another shape or dtype, or not a decision.
        IllegalActionError: `cube` returned a beaver that the rules do not allow.
        MatchStateError: `length` or `score` is impossible.

    Examples:
        >>> import numpy as np
        >>> from gammonrules import Action, Phase, batch
        >>> def choose(turns, rng):
        ...     return turns.best((turns.points <= -2).sum(axis=1))
        >>> def cube(states, rng):
        ...     mine, theirs = batch.pip_counts(states.view(states.to_act)).T
        ...     offers = np.where(mine < 0.9 * theirs, Action.DOUBLE, Action.ROLL)
        ...     answers = np.where(mine < 1.2 * theirs, Action.TAKE, Action.DROP)
        ...     return np.where(states.phase == Phase.DOUBLED, answers, offers)
        >>> rng = np.random.default_rng(2026)
        >>> games = batch.play_matches(20, choose, cube, rng=rng, length=5)
        >>> len(games.match_winners), int(games.cubes.max()) >= 4
        (20, True)
    """
    first_match = whole_argument("first", value=first, minimum=0, maximum=MAX_GAMES)
    matches = whole_argument("n", value=n, minimum=0, maximum=MAX_GAMES - first_match)
    limit = most_turns(max_turns)
    functions = functions_of("choose", choose)
    policies = None if cube is None else functions_of("cube", cube, "a tuple of two, or None")
    options, board = start_of_matches(length, rules, start)
    states = MatchStates.new(matches, length, rules=options, position=board, score=score)
    dice_of_games = DiceOfGames(
        Stream.drawn_from(rng),
        own=own_dice(dice, matches),
        first=first_match,
        label="match {}, game {}",
        rerolled=options.opening == "reroll",
    )
    run = RunOfMatches(
        states,
        choose=functions,
        rng=rng,
        dice=dice_of_games,
        max_turns=limit,
        pad=sizes_to_pad(pad),
        cube=policies,
        start=board,
    )
    return MatchGames(
        **run.columns(),
        first=0,  # games are numbered within the result; `matches` begins with `first_match`
        checkers=states.checkers,
        start=options.start if board is None else None,
        length=length,
        rules=options,
    )


def start_of_matches(
    length: int | None, rules: Rules | None, start: StartName | Position | None
) -> tuple[Rules, Position | None]:
    """The rules, and the first board of every game; None instead of a board if the rules name the start."""
    options = MatchState.new(length, rules=rules).rules
    if isinstance(start, str):
        return attrs.evolve(options, start=_plain_name(start)), None
    return options, None if start is None else start_of_games(start)


def _plain_name(start: str) -> Any:
    """The name of a start as a plain string; what is none is refused when its board is looked up."""
    return str(start)


def sizes_to_pad(pad: object) -> tuple[int, ...]:
    """The numbers of rows that turns are padded to; none if they are not."""
    return () if pad is None else checked_sizes("pad", pad)


def most_turns(max_turns: object) -> int | None:
    if max_turns is None:
        return None
    return whole_argument("max_turns", value=max_turns, minimum=0, maximum=None)


def functions_of(
    name: str,
    functions: _Function | tuple[_Function, _Function],
    otherwise: str = "or a tuple of two",
) -> tuple[_Function, _Function]:
    """White's function and Black's; `otherwise`: what may be given beside a function."""
    pair = functions if isinstance(functions, tuple) else (functions, functions)
    if len(pair) != 2 or not all(map(callable, pair)):
        raise ArgumentError(f"{name} must be a function, {otherwise}, not {shown(functions)}")
    return pair


def _boards_of_start(start: Any, number: int, checkers: object) -> GameBoards:
    """The boards with which games begin."""
    of_each_side = number_of_checkers(checkers)  # of arrays; positions know it
    if isinstance(start, (str, Position)):
        opening = start_of_games(_plain_name(start) if isinstance(start, str) else start)
        rows = np.repeat(from_positions([opening]), number, axis=0)
        of_each_side = opening.checkers
    elif hasattr(start, "__len__"):
        boards = start
        if is_list(start) and start and isinstance(start[0], Position):
            of_each_side = start[0].checkers
            boards = from_positions(start)
        with saying_where("start", PositionError):
            rows = _starting_rows(boards, number)
            check_starts(rows, of_each_side, "start")
    else:
        raise ArgumentError(
            f"start must be the name of a start position, a Position or boards, not {shown(start)}"
        )
    return GameBoards(
        rows,
        on_roll=np.zeros(number, np.int8),
        dice=np.zeros((number, 2), np.int8),
        checkers=of_each_side,
    )


def _starting_rows(start: npt.ArrayLike, number: int) -> Rows:
    """The board with which each game begins; one that is given alone is that of all."""
    array = plain_array(start, "points")
    if array.shape == (SLOTS,):
        return np.repeat(rows_of(array[None], SLOTS, "points"), number, axis=0)
    rows = rows_of(start, SLOTS, "points")
    if len(rows) != number:
        sentence = f"expected one board, or one for each of {counted(number, 'game', ',')}, not {len(rows)}"
        raise ArgumentError(f"start: {sentence}")
    return rows.copy()


def check_starts(rows: Rows, checkers: int, name: str) -> None:
    """Refuse boards that `Position` refuses, and those on which the game is over."""
    mine, theirs = check_boards(rows, checkers)
    # `Position` refuses such a board if neither side can enter, and `refuse_board` raises its error
    are_both_on_bar = (rows[:, BAR] > 0) & (rows[:, 0] < 0)
    for row in np.flatnonzero(are_both_on_bar):
        refuse_board(rows, int(row), checkers)
    over = first_of((mine == 0) | (theirs == 0))
    if over is not None:
        refuse_board(rows, over, checkers)  # raises if both sides are off, which no position is
        raise ArgumentError(f"{name}, row {over}: the game is over on this board")
