"""Analyses in BGBlitz' files, which are kept as they are there, and decoded when needed.

Numbers are texts with eight decimals. In a match, an evaluation has the chance of winning it, and the same as equity;
the numbers of the cube are such chances, which become equities in the same proportion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from math import isnan, nan
from typing import Any, Final, cast

from gammonrules.board import Position
from gammonrules.board.internals import legal_play
from gammonrules.equity import Chances
from gammonrules.errors import GammonError
from gammonrules.match import MatchState
from gammonrules.records.formats.bgf.smile import Part, read_smile
from gammonrules.records.transcript import (
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    PlayAnalysis,
    candidate_of,
    chances_of,
    cube_of,
    make_encoded,
)

LONGEST_COMMENT: Final = 20_000
"""Characters of a comment that are read."""
_ENGINE: Final = "BGBlitz"
_CHANCES: Final = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
_CUBE: Final = ("eqNoDouble", "eqDoubleTake", "eqDoublePass")
_NUMBER: Final = re.compile(r"-?[0-9]{1,4}(?:\.[0-9]{1,20})?")
_CLOSE: Final = 1e-6
"""Chances this close to each other do not tell what a point is worth."""


def members(value: object) -> dict[str, Any]:
    """The members of an object, perhaps encoded; none of anything else."""
    value = read_smile(*cast("Part", value))[0] if isinstance(value, tuple) else value
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return cast("list[object]", value) if isinstance(value, list) else []


def texts(value: object) -> tuple[str, ...]:
    """A comment, or several."""
    comments = [value] if isinstance(value, str) else items(value)
    return tuple(
        comment[:LONGEST_COMMENT]
        for comment in comments
        if isinstance(comment, str) and comment.strip()
    )


def moves_of(fields: Mapping[str, Any]) -> str:
    """The moves of a play, as the player numbers the points; one may use several dice."""
    pairs = zip(items(fields.get("from")), items(fields.get("to")), strict=False)
    return " ".join([f"{source}/{target}" for source, target in pairs if source != -1])


def encoded_plays(fields: dict[str, Any], name: str, played: Position) -> EncodedAnalysis | None:
    """The plays that were evaluated, or a dance, in the member with this name, and the luck; None if both are empty."""
    plays = _encoded_part(fields, name)
    luck = _encoded_part(fields, "luck")
    return make_encoded((plays, luck, played, fields.get("ply")), _plays) if plays or luck else None


def encoded_cube(fields: dict[str, Any]) -> EncodedAnalysis | None:
    """The analysis of doubling, or of rolling instead; None if there is none."""
    part = _encoded_part(fields, "equity")
    # it cannot be turned
    has_cube = part is not None and part[0].count(b"\xfa") > 1 and b"-999.9" not in part[0]
    return make_encoded((part, fields.get("ply")), _cube_analysis) if has_cube else None


def _encoded_part(fields: dict[str, Any], name: str) -> Part | None:
    """A member that was kept encoded and is not empty."""
    part: Part | None = fields[name] if isinstance(fields.get(name), tuple) else None
    return part if part and len(part[0]) > 2 else None


def _plays(
    data: tuple[Part | None, Part | None, Position, object], state: MatchState
) -> PlayAnalysis:
    plays, rolled, played, ply = data
    value = read_smile(*plays)[0] if plays else None
    luck = members(rolled)
    options = [{"eq": value}] if members(value) else items(value)  # a dance is no list
    candidates = [
        candidate
        for option in options
        if (candidate := _evaluated_play(members(option), state, ply))
    ]
    made = next(
        (index for index, candidate in enumerate(candidates) if candidate.position == played), None
    )
    gain = _number_or_nan(luck.get("luckPlain" if luck.get("mode") == "Money" else "luckWeighted"))
    return PlayAnalysis(tuple(candidates), made, _known(gain), engine=_ENGINE)


def _evaluated_play(option: dict[str, Any], state: MatchState, ply: object) -> Candidate | None:
    """A play that was evaluated; None if it is not legal."""
    evaluation = members(option.get("eq"))
    play = None
    with suppress(GammonError):
        play = legal_play(state.legal_plays, moves_of(members(option.get("move"))))
    if play is None:
        return None
    equity = evaluation.get("emg")
    mwc = _chance(_number_or_nan(evaluation.get("matchEquity")))
    if evaluation.get("hasEMG") is not True:
        equity = members(evaluation.get("cubeDecision")).get("eqCubeFul", evaluation.get("equity"))
        mwc = None
    chances = _evaluated_chances(evaluation)
    return candidate_of(
        play, _known(_number_or_nan(equity)), chances, Level.read(f"{ply!s:.9}-ply"), None, mwc
    )


def _cube_analysis(data: tuple[Part, object], _state: MatchState) -> CubeAnalysis:
    (part, ply) = data
    mwc = None
    evaluation = members(part)
    cube = members(evaluation.get("cubeDecision"))
    chances = _evaluated_chances(evaluation)
    rolling, taken, dropped = (_number_or_nan(cube.get(name)) for name in _CUBE)
    if evaluation.get("hasEMG") is True:
        mwc = _chance(rolling), _chance(taken), _chance(dropped)
        gap = dropped - _number_or_nan(evaluation.get("matchEquity"))
        scale = (1 - _number_or_nan(evaluation.get("emg"))) / gap if abs(gap) > _CLOSE else nan
        rolling = (rolling - dropped) * scale + 1
        taken = (taken - dropped) * scale + 1
        dropped = 1.0
    equities = _known(rolling), _known(taken), _known(dropped)
    return cube_of(equities, [chances], Level.read(f"{ply!s:.9}-ply"), mwc=mwc, engine=_ENGINE)


def _number_or_nan(value: object) -> float:
    """A number as the program writes it; NaN for anything else."""
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else nan


def _known(number: float) -> float | None:
    return None if isnan(number) else number


def _chance(number: float) -> float | None:
    return None if isnan(number) else min(1.0, max(0.0, number))


def _evaluated_chances(evaluation: dict[str, Any]) -> Chances | None:
    five = [_number_or_nan(evaluation.get(name)) for name in _CHANCES]
    return None if isnan(sum(five)) else chances_of(*five)
