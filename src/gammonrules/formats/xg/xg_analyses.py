"""eXtreme Gammon's analyses of doubles and plays: kept as bytes, and decoded when needed.

An evaluation is seven numbers: the chances of losing a backgammon, of losing a gammon, of losing, of winning, of
winning a gammon and of winning a backgammon, and the equity. All are those of the player on roll.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from operator import itemgetter
from struct import Struct, unpack_from
from typing import Final, cast

from gammonrules.board.internals import Maker, flip, play_to
from gammonrules.equity import Chances
from gammonrules.formats.xg.xg_layout import NONE, NOT_ANALYZED, Cube, Move
from gammonrules.match import MatchState, Phase
from gammonrules.transcript import (
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    PlayAnalysis,
    chances_of,
    make_candidate,
    may_be_chances,
)

ENGINE: Final = "eXtreme Gammon"
MOST_CANDIDATES: Final = 32

_LEVELS: Final = {
    **{number: f"{number + 1}-ply" for number in range(7)},
    12: "3-ply red",
    100: "rollout",
    998: "opening book",
    999: "opening book",
    1000: "XG Roller",
    1001: "XG Roller+",
    1002: "XG Roller++",
}
_UNSET: Final = -999
"""Errors and luck below this are not set; the program writes -1000."""
_LARGEST_EQUITY: Final = 1_000.0
"""More than any equity can be; the program writes -1000 for what it has not computed."""
_SLACK: Final = 1e-3
"""By how much a chance may be below 0 or above 1; it is then set to 0 or 1."""

_EVALUATION: Final = 28
_POSITION: Final = 26
_PER_CANDIDATE: Final = _POSITION + 4 + _EVALUATION
_PLAY_HEAD: Final = 40 + _POSITION
_PLAY_NUMBERS = Struct("<8x2d8xd")
"""In these 40 bytes: the error of the play, the luck of the roll, and the equity before the roll."""
_EVALUATIONS = tuple(Struct(f"<{7 * count}f") for count in range(MOST_CANDIDATES + 1))
_CUBE = Struct("<i28x7f3f4x7f4xd8xdi")
_ROLLOUT_SIZE: Final = 2184
_ROLLOUT_ERRORS: Final = 2020
_five = itemgetter(3, 4, 5, 1, 0)
"""Of the six chances of an evaluation, those that `Chances` has, in its order."""
_DEVIATIONS: Final = 1.96
"""Half the width of a 95% interval, in standard errors."""

_make_play_analysis = Maker(PlayAnalysis, "candidates", "played", "luck", "stated_error", "engine").make
_make_cube_analysis = Maker(
    CubeAnalysis,
    *("no_double", "double_take", "double_pass", "chances", "chances_double_take", "level"),
    *("standard_errors", "mwc", "stated_error", "stated_answer_error", "engine"),
).make
"""These make values whose numbers have been checked."""
_make_encoded = Maker(EncodedAnalysis, "data", "decode").make


# --- plays ------------------------------------------------------------------------------------------------------------


def analysis_of_play(data: bytes, at: int, roll: Move, rollouts: bytes) -> EncodedAnalysis | None:
    """The analysis of a roll and its play; None if it is missing. Raises ValueError if its numbers cannot be right.

    What it keeps is a block of bytes, and the standard errors of the candidates if the file has rollouts.
    """
    count = roll.candidates
    if count == 0:
        return None
    if not 0 < count <= MOST_CANDIDATES:
        raise ValueError(f"{count} candidates")
    numbers: tuple[float, ...] = _EVALUATIONS[count].unpack_from(data, at + 1408)
    chances = list(numbers)
    del chances[6::7]
    lost, luck, before = _PLAY_NUMBERS.unpack_from(data, at + 2304)
    _check(chances, (*numbers[6::7], lost, luck, before))
    block = b"".join(
        (
            data[at + 2304 : at + 2344],
            roll.after,
            data[at + 192 : at + 192 + _POSITION * count],
            data[at + 1280 : at + 1280 + 4 * count],
            data[at + 1408 : at + 1408 + _EVALUATION * count],
        )
    )
    errors: tuple[float | None, ...] = ()
    if rollouts:
        errors = tuple(_standard_errors(index, rollouts)[0] for index in unpack_from(f"<{count}i", data, at + 2344))
    return _make_encoded((block, errors), _decode_play)


def _check(chances: list[float], equities: tuple[float, ...]) -> None:
    """Raise ValueError unless these can be chances, and equities, errors or luck."""
    if not isfinite(sum(chances) + sum(equities)):  # unless all of them are finite
        raise ValueError("not numbers")
    if min(chances) < -_SLACK or max(chances) > 1 + _SLACK:
        raise ValueError("not chances")
    if not all(map(may_be_chances, map(_five, zip(*[iter(chances)] * 6, strict=True)))):
        raise ValueError("more gammons than games")
    if min(equities) < -_LARGEST_EQUITY or max(equities) > _LARGEST_EQUITY:
        raise ValueError("not equities")


def _decode_play(data: tuple[bytes, tuple[float | None, ...]], state: MatchState) -> PlayAnalysis | None:
    block, errors = data
    if state.phase is not Phase.TO_PLAY:
        return None
    count = (len(block) - _PLAY_HEAD) // _PER_CANDIDATE
    lost, luck, before = cast("tuple[float, float, float]", _PLAY_NUMBERS.unpack_from(block))
    after = block[40:_PLAY_HEAD]
    evaluations_at = len(block) - _EVALUATION * count
    levels_at = evaluations_at - 4 * count
    plays, played = state.legal_plays, None
    candidates: list[Candidate] = []
    for index in range(count):
        board = block[_PLAY_HEAD + _POSITION * index : _PLAY_HEAD + _POSITION * (index + 1)]
        play = play_to(plays, flip(board))
        if play is None:
            continue
        if board == after:
            played = len(candidates)
        numbers: tuple[float, ...] = unpack_from("<7f", block, evaluations_at + _EVALUATION * index)
        level = _level(int.from_bytes(block[levels_at + 4 * index : levels_at + 4 * index + 2], "little"))
        evaluation = numbers[6], _chances(numbers), level, errors[index] if errors else None, None
        candidates.append(make_candidate(str(play), play.position, *evaluation))
    is_lucky = luck > _UNSET and (luck, before) != (0, 0)
    return _make_play_analysis(
        tuple(candidates), played, luck if is_lucky else None, max(0.0, -lost) if lost > _UNSET else None, ENGINE
    )


def _chances(numbers: Sequence[float]) -> Chances:
    return chances_of(*_five(numbers))


def _level(number: int) -> str:
    return _LEVELS.get(number) or f"level {number}"


# --- doubles ----------------------------------------------------------------------------------------------------------


def analysis_of_cube(data: bytes, at: int, turn: Cube, rollouts: bytes) -> EncodedAnalysis | None:
    """The analysis of whether to double; None if it is missing. Raises ValueError if its numbers cannot be right."""
    if turn.verdict == NOT_ANALYZED:
        return None
    block = data[at + 92 : at + 228]
    _, *numbers, number = cast("tuple[float, ...]", _CUBE.unpack(block))
    chances, equities = numbers[:6] + numbers[10:16], (numbers[6], *numbers[7:10], *numbers[16:])
    _check(chances, equities)
    errors = _standard_errors(int(number), rollouts) if rollouts and number != NONE else (None, None)
    return _make_encoded((block, errors), _decode_cube)


def _decode_cube(data: tuple[bytes, tuple[float | None, float | None]], _state: MatchState) -> CubeAnalysis:
    block, errors = data
    level, *values, _ = cast("tuple[float, ...]", _CUBE.unpack(block))
    taken = values[10:17]
    lost, lost_by_answer = values[17:]
    return _make_cube_analysis(
        *values[7:10],
        _chances(values),
        _chances(taken) if taken[2] or taken[3] else None,
        _level(int(level)),
        errors if errors != (None, None) else None,
        None,
        max(0.0, lost) if lost > _UNSET else None,
        max(0.0, -lost_by_answer) if lost_by_answer > _UNSET else None,
        ENGINE,
    )


def _standard_errors(number: int, rollouts: bytes) -> tuple[float | None, float | None]:
    """The standard errors of a rollout: of the position, or without doubling, and after a double that is taken."""
    at = number * _ROLLOUT_SIZE
    if number < 0 or at + _ROLLOUT_SIZE > len(rollouts):
        return None, None
    first, second = (value / _DEVIATIONS for value in unpack_from("<2f", rollouts, at + _ROLLOUT_ERRORS))
    return (first if 0 < first < _LARGEST_EQUITY else None), (second if 0 < second < _LARGEST_EQUITY else None)
