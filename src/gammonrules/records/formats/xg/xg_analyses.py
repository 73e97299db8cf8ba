"""The analyses in the records of an `.xg` file, which are kept as bytes and decoded when needed.

An evaluation is seven numbers: the chances of losing a backgammon, of losing a gammon, of losing, of winning, of
winning a gammon and of winning a backgammon, and the equity. All are those of the player on roll.

Whether the numbers can be right is checked when a file is read, so decoding never fails.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from operator import itemgetter
from struct import Struct, unpack_from
from typing import Final, TypeAlias

from attrs import frozen

from gammonrules.analysis import Candidate, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    DEVIATIONS,
    ROLLOUT,
    EncodedAnalysis,
    candidate_of,
    chances_of,
    make_encoded,
    may_be_chances,
    ply_level,
)
from gammonrules.board.internals import Maker, flip, play_to
from gammonrules.errors import ParseError
from gammonrules.match import MatchState, Phase
from gammonrules.records.formats.xg.xg_layout import (
    NONE,
    NOT_ANALYZED,
    CubeRecord,
    MoveRecord,
    RecordPlace,
)

ENGINE: Final = "eXtreme Gammon"
MAX_CANDIDATES: Final = 32
_IMPOSSIBLE: Final = "the numbers of the analysis cannot be right, so it is left out"

_UNSET: Final = -999
"""Errors and luck up to this are not set; the program writes -1000."""
_MAX_EQUITY: Final = 1_000.0
"""More than any equity can be; the program writes -1000 for what it has not computed."""
_SLACK: Final = 1e-3
"""By how much a chance may be below 0 or above 1; it is then set to 0 or 1."""

_Evaluation: TypeAlias = Sequence[float]
"""Seven numbers, as above."""
_LOSING: Final = 2
_WINNING: Final = 3
_EQUITY: Final = 6
"""Which of them these are."""
_EVALUATION = Struct("<7f")

# In the record of a roll, three lists of candidates stand one after another.
_BOARDS_AT: Final = 192
_BOARD = Struct("26s")
_LEVELS_AT: Final = 1280
_LEVEL = Struct("<H2x")
_EVALUATIONS_AT: Final = 1408
_TOTALS_AT: Final = 2304
_TOTALS = Struct("<8x2d8xd")
"""The error of the play, the luck of the roll, and the equity before the roll."""
_NO_CHOICE_AT: Final = 0
"""Which byte of the totals is not 0 if the program's statistics see no choice in this play."""
_ROLLOUT_NUMBERS_AT: Final = 2344

# In the record about the cube, all that was evaluated is in one block.
_CUBE_AT: Final = 92
_CUBE = Struct(
    "<i28x"  # the level
    "7f"  # the evaluation without a double
    "3f4x"  # the equities without a double, after a take and after a drop
    "7f4x"  # the evaluation after a take
    "d8x"  # the error of doubling or not
    "d"  # the error of the answer
    "i"  # the number of the rollout
)

_ROLLOUT_SIZE: Final = 2184
_ROLLOUT_ERRORS: Final = 2020
"""In the other file, that of rollouts: the bytes of each, and where its standard errors are."""

_make_play_analysis = Maker(
    PlayAnalysis, "candidates", "played", "luck", "stated_error", "engine"
).make
_make_cube_analysis = Maker(
    CubeAnalysis,
    "no_double",
    "double_take",
    "double_drop",
    "chances",
    "chances_double_take",
    "level",
    "standard_errors",
    "mwc",
    "stated_error",
    "stated_answer_error",
    "engine",
).make
"""The makers of values whose numbers have been checked."""


def level_named(number: int) -> Level:
    level = _LEVELS.get(number)
    return Level(f"level {number}") if level is None else level


_LEVELS: Final = {
    0: ply_level(1),
    1: ply_level(2),
    2: ply_level(3),
    3: ply_level(4),
    4: ply_level(5),
    5: ply_level(6),
    6: ply_level(7),
    12: Level("3-ply red", depth=3),
    100: ROLLOUT,
    998: Level("opening book"),
    999: Level("opening book"),
    1000: Level("XG Roller"),
    1001: Level("XG Roller+"),
    1002: Level("XG Roller++"),
}


# --- plays ------------------------------------------------------------------------------------------------------------


@frozen
class _EncodedPlays:
    """The analysis of a play, as the file has it."""

    totals: bytes
    played_board: bytes
    """The board after the play that was made."""
    boards: bytes
    levels: bytes
    evaluations: bytes
    """The evaluations of all candidates, one after another."""
    standard_errors: tuple[float | None, ...]
    """The standard errors of the candidates, if the file has rollouts."""


_make_encoded_plays = Maker(
    _EncodedPlays, "totals", "played_board", "boards", "levels", "evaluations", "standard_errors"
).make


def analysis_of_play(
    spot: RecordPlace, roll: MoveRecord, rollouts: bytes
) -> EncodedAnalysis | None:
    """The analysis of a roll and its play; None if it is missing. Raises ParseError if its numbers cannot be right."""
    count = roll.candidates
    if count == 0:
        return None
    if not 0 < count <= MAX_CANDIDATES:
        raise ParseError(_IMPOSSIBLE)
    end_of_rollout_numbers = _ROLLOUT_NUMBERS_AT + 4 * count
    record = spot.data[spot.at : spot.at + end_of_rollout_numbers]
    totals = record[_TOTALS_AT:_ROLLOUT_NUMBERS_AT]
    boards = record[_BOARDS_AT : _BOARDS_AT + count * _BOARD.size]
    levels = record[_LEVELS_AT : _LEVELS_AT + count * _LEVEL.size]
    evaluations = record[_EVALUATIONS_AT : _EVALUATIONS_AT + count * _EVALUATION.size]
    _check(list(_EVALUATION.iter_unpack(evaluations)), _TOTALS.unpack(totals))
    standard_errors: tuple[float | None, ...] = ()
    if rollouts:
        rollout_numbers = unpack_from(f"<{count}i", record, _ROLLOUT_NUMBERS_AT)
        # of the two errors of a rollout, the first is that of the play
        standard_errors = tuple(_standard_errors(number, rollouts)[0] for number in rollout_numbers)
    data = _make_encoded_plays(totals, roll.after, boards, levels, evaluations, standard_errors)
    return make_encoded(data, _decode_play)


def _decode_play(data: _EncodedPlays, state: MatchState) -> PlayAnalysis | None:
    if state.phase is not Phase.TO_PLAY:
        return None
    plays = state.legal_plays
    played = None
    candidates: list[Candidate] = []
    boards = [board for (board,) in _BOARD.iter_unpack(data.boards)]
    levels = [level for (level,) in _LEVEL.iter_unpack(data.levels)]
    evaluations = _EVALUATION.iter_unpack(data.evaluations)
    rows = zip(boards, levels, evaluations, strict=True)
    for index, (board, level, evaluation) in enumerate(rows):
        # the player who moved sees it so in the file; plays are found by how the opponent sees it
        play = play_to(plays, flip(board))
        if play is None:
            continue
        if board == data.played_board:
            played = len(candidates)  # the index of the one that is added now
        candidates.append(
            candidate_of(
                play,
                equity=evaluation[_EQUITY],
                chances=chances_of(_five_of(evaluation)),
                level=level_named(level),
                standard_error=data.standard_errors[index] if data.standard_errors else None,
            )
        )
    change, luck, equity_before = _TOTALS.unpack(data.totals)
    stated_luck = None
    is_empty = luck == 0 and equity_before == 0
    if luck > _UNSET and not is_empty:
        stated_luck = luck
    stated_error = None
    has_choice = data.totals[_NO_CHOICE_AT] == 0
    if change > _UNSET and has_choice:
        stated_error = max(0.0, -change)  # the file has an error as a negative number
    return _make_play_analysis(tuple(candidates), played, stated_luck, stated_error, ENGINE)


# --- the cube ---------------------------------------------------------------------------------------------------------


@frozen
class _EncodedCube:
    """The analysis of whether to double, as the file has it."""

    block: bytes
    standard_errors: tuple[float | None, float | None]


_make_encoded_cube = Maker(_EncodedCube, "block", "standard_errors").make


@frozen
class _NumbersOfBlock:
    """The numbers of a block."""

    level: int
    no_double: _Evaluation
    equities: tuple[float, float, float]
    """Without a double, after a take and after a drop."""
    double_take: _Evaluation
    loss: float
    """What doubling or not cost."""
    answer_change: float
    """What the answer cost, as a negative number."""
    rollout: int

    @classmethod
    def of(cls, block: bytes) -> _NumbersOfBlock:
        # two evaluations of seven numbers, and three equities, are among them
        numbers = _CUBE.unpack(block)
        return cls(
            level=numbers[0],
            no_double=numbers[1:8],
            equities=numbers[8:11],
            double_take=numbers[11:18],
            loss=numbers[18],
            answer_change=numbers[19],
            rollout=numbers[20],
        )


def analysis_of_cube(
    spot: RecordPlace, turn: CubeRecord, rollouts: bytes
) -> EncodedAnalysis | None:
    """The analysis of whether to double; None if it is missing. Raises ParseError if its numbers cannot be right."""
    if turn.verdict == NOT_ANALYZED:
        return None
    at = spot.at + _CUBE_AT
    block = spot.data[at : at + _CUBE.size]
    numbers = _NumbersOfBlock.of(block)
    totals = (*numbers.equities, numbers.loss, numbers.answer_change)
    _check([numbers.no_double, numbers.double_take], totals)
    standard_errors: tuple[float | None, float | None] = (None, None)
    if rollouts and numbers.rollout != NONE:
        standard_errors = _standard_errors(numbers.rollout, rollouts)
    return make_encoded(_make_encoded_cube(block, standard_errors), _decode_cube)


def _decode_cube(data: _EncodedCube, _state: MatchState) -> CubeAnalysis:
    numbers = _NumbersOfBlock.of(data.block)
    no_double, double_take, double_drop = numbers.equities
    chances = chances_of(_five_of(numbers.no_double))
    after_take = numbers.double_take
    chances_double_take = None
    if after_take[_LOSING] != 0 or after_take[_WINNING] != 0:  # else nothing was evaluated
        chances_double_take = chances_of(_five_of(after_take))
    level = level_named(numbers.level)
    standard_errors = None
    if data.standard_errors != (None, None):
        standard_errors = data.standard_errors
    mwc = None  # the chances of winning the match are not stored
    stated_error = None
    if numbers.loss > _UNSET:
        stated_error = max(0.0, numbers.loss)
    stated_answer_error = None
    if numbers.answer_change > _UNSET:
        stated_answer_error = max(0.0, -numbers.answer_change)
    return _make_cube_analysis(
        no_double,
        double_take,
        double_drop,
        chances,
        chances_double_take,
        level,
        standard_errors,
        mwc,
        stated_error,
        stated_answer_error,
        ENGINE,
    )


# --- numbers ----------------------------------------------------------------------------------------------------------

_five_of = itemgetter(3, 4, 5, 1, 0)
"""Of an evaluation, the chances that `Chances` has, in its order."""


def _check(evaluations: Sequence[_Evaluation], differences: Sequence[float]) -> None:
    """Raise ParseError unless these can be evaluations, and the others equities, errors or luck."""
    # a sum is finite only if all numbers are
    are_differences = isfinite(sum(differences)) and max(map(abs, differences)) <= _MAX_EQUITY
    are_evaluations = all(map(_is_in_range, evaluations))
    if not (are_differences and are_evaluations and may_be_chances(map(_five_of, evaluations))):
        raise ParseError(_IMPOSSIBLE)


def _is_in_range(evaluation: _Evaluation) -> bool:
    """Whether six of the numbers are from 0 to 1, and the seventh is no larger than an equity can be."""
    chances = evaluation[:_EQUITY]
    equity = evaluation[_EQUITY]
    are_chances = min(chances) >= -_SLACK and max(chances) <= 1 + _SLACK
    return isfinite(sum(evaluation)) and are_chances and abs(equity) <= _MAX_EQUITY


def _standard_errors(number: int, rollouts: bytes) -> tuple[float | None, float | None]:
    """The standard errors of a rollout: of the position, or without doubling, and after a double that is taken."""
    at = number * _ROLLOUT_SIZE
    if number < 0 or at + _ROLLOUT_SIZE > len(rollouts):
        return None, None
    first, second = unpack_from("<2f", rollouts, at + _ROLLOUT_ERRORS)
    return _error_of_confidence(first), _error_of_confidence(second)


def _error_of_confidence(interval: float) -> float | None:
    """The standard error, from half the width of a 95% interval, which the program stores; None if it is not set."""
    error = interval / DEVIATIONS
    return error if 0 < error < _MAX_EQUITY else None
