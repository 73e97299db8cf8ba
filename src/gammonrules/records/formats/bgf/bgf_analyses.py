"""Analyses in BGBlitz' files, which are kept as they are there, and decoded when needed.

Numbers are texts with eight decimals. In a match, an evaluation has the chance of winning it, and the same as equity;
the numbers of the cube are such chances, which become equities in the same proportion.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from math import isnan, nan
from typing import Any, Final, TypeGuard

from attrs import frozen

from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import EncodedAnalysis, candidate_of, chances_of, make_encoded
from gammonrules.board import Position
from gammonrules.board.internals import legal_play
from gammonrules.errors import GammonError
from gammonrules.match import MatchState
from gammonrules.records.formats.bgf.smile import EncodedMember, read_part
from gammonrules.values import is_json_object

MAX_COMMENT_LENGTH: Final = 20_000
"""Characters of a comment that are read."""
_ENGINE: Final = "BGBlitz"
_CHANCES: Final = ("myWins", "myGammon", "myBackGammon", "oppGammon", "oppBackGammon")
_OBJECT: Final = b"\xfa"
"""How an object begins in SMILE."""
_NO_CUBE: Final = b"-999.9"
"""What stands for the equities if the cube cannot be turned."""
_NUMBER: Final = re.compile(r"-?[0-9]{1,4}(?:\.[0-9]{1,20})?")
_CLOSE: Final = 1e-6
"""Chances this close to each other do not tell what a point is worth."""


def members(value: object) -> dict[str, Any]:
    """The members of an object, perhaps encoded; none of anything else."""
    if isinstance(value, EncodedMember):
        value = read_part(value)
    return value if is_json_object(value) else {}


def items(value: object) -> list[Any]:
    return value if is_json_array(value) else []


def is_json_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def texts(value: object) -> tuple[str, ...]:
    """The comments in a member that is one text, or an array of them; without empty ones."""
    comments = [value] if isinstance(value, str) else items(value)
    return tuple(
        comment[:MAX_COMMENT_LENGTH]
        for comment in comments
        if isinstance(comment, str) and comment.strip()
    )


def moves_of(fields: Mapping[str, Any]) -> str:
    """The moves of a play, as the player numbers the points; one may use several dice."""
    pairs = zip(items(fields.get("from")), items(fields.get("to")), strict=False)
    return " ".join([f"{source}/{target}" for source, target in pairs if source != -1])


@frozen
class _PlaysMembers:
    """The plays of a roll that were evaluated, as the file has them."""

    plays: EncodedMember | None
    luck: EncodedMember | None
    played: Position
    """The position after the play that was made."""
    plies: object


@frozen
class _CubeMember:
    evaluation: EncodedMember
    plies: object


def encoded_plays(fields: dict[str, Any], name: str, played: Position) -> EncodedAnalysis | None:
    """The plays that were evaluated, or a dance, in the member with this name, and the luck; None if both are empty."""
    plays = _encoded_part(fields, name)
    luck = _encoded_part(fields, "luck")
    if plays is None and luck is None:
        return None
    return make_encoded(_PlaysMembers(plays, luck, played, fields.get("ply")), _decode_plays)


def encoded_cube(fields: dict[str, Any]) -> EncodedAnalysis | None:
    """The analysis of doubling, or of rolling instead; None if there is none."""
    part = _encoded_part(fields, "equity")
    if part is None:
        return None
    objects = part.data.count(_OBJECT)
    # the evaluation is an object, and the numbers of the cube are one inside it
    has_numbers_of_cube = objects > 1
    can_be_turned = _NO_CUBE not in part.data
    if not has_numbers_of_cube or not can_be_turned:
        return None
    return make_encoded(_CubeMember(part, fields.get("ply")), _decode_cube)


def _encoded_part(fields: dict[str, Any], name: str) -> EncodedMember | None:
    """A member that was kept encoded and is not empty."""
    part = fields.get(name)
    return part if isinstance(part, EncodedMember) and len(part.data) > 2 else None


def _decode_plays(data: _PlaysMembers, state: MatchState) -> PlayAnalysis:
    evaluated = None if data.plays is None else read_part(data.plays)
    options = items(evaluated)
    evaluation_of_dance = members(evaluated)  # an object in place of a list of plays
    if evaluation_of_dance:
        options = [{"eq": evaluation_of_dance}]
    level = _level_of_plies_stored(data.plies)
    candidates: list[Candidate] = []
    played = None
    for option in options:
        candidate = _evaluated_play(members(option), state, level)
        if candidate is None:
            continue
        if played is None and candidate.position == data.played:
            played = len(candidates)
        candidates.append(candidate)
    fields_of_luck = members(data.luck)
    is_money_play = fields_of_luck.get("mode") == "Money"
    name = "luckPlain" if is_money_play else "luckWeighted"
    luck = _known(_number_or_nan(fields_of_luck.get(name)))
    return PlayAnalysis(tuple(candidates), played=played, luck=luck, engine=_ENGINE)


def _level_of_plies_stored(plies: object) -> Level:
    return Level.read(f"{plies!s:.9}-ply")


def _evaluated_play(option: dict[str, Any], state: MatchState, level: Level) -> Candidate | None:
    """A play that was evaluated; None if it is not legal."""
    play = None
    with suppress(GammonError):
        play = legal_play(state.legal_plays, moves_of(members(option.get("move"))))
    if play is None:
        return None
    evaluation = members(option.get("eq"))
    mwc = None
    is_of_match = evaluation.get("hasEMG") is True
    if is_of_match:
        equity = evaluation.get("emg")
        mwc = _chance(_number_or_nan(evaluation.get("matchEquity")))
    else:
        cubeless_equity = evaluation.get("equity")
        equity = members(evaluation.get("cubeDecision")).get("eqCubeFul", cubeless_equity)
    return candidate_of(
        play,
        equity=_known(_number_or_nan(equity)),
        chances=_evaluated_chances(evaluation),
        level=level,
        mwc=mwc,
    )


def _decode_cube(data: _CubeMember, _state: MatchState) -> CubeAnalysis:
    evaluation = members(data.evaluation)
    cube = members(evaluation.get("cubeDecision"))
    rolling = _number_or_nan(cube.get("eqNoDouble"))
    taken = _number_or_nan(cube.get("eqDoubleTake"))
    dropped = _number_or_nan(cube.get("eqDoublePass"))
    mwc = None
    is_of_match = evaluation.get("hasEMG") is True
    if is_of_match:  # the three numbers are chances of winning it
        mwc = (_chance(rolling), _chance(taken), _chance(dropped))
        equity_of_a_chance = _equity_of_a_chance(evaluation, dropped)
        rolling = 1 + (rolling - dropped) * equity_of_a_chance  # a drop is worth 1
        taken = 1 + (taken - dropped) * equity_of_a_chance
        dropped = 1.0
    return CubeAnalysis(
        _known(rolling),
        _known(taken),
        _known(dropped),
        chances=_evaluated_chances(evaluation),
        level=_level_of_plies_stored(data.plies),
        mwc=mwc,
        engine=_ENGINE,
    )


def _equity_of_a_chance(evaluation: dict[str, Any], dropped: float) -> float:
    """The equity that a chance of winning the match is worth, by an evaluation that has both; NaN if it cannot tell.

    A drop is worth an equity of 1.
    """
    gap_in_chances = dropped - _number_or_nan(evaluation.get("matchEquity"))
    gap_in_equity = 1 - _number_or_nan(evaluation.get("emg"))
    if isnan(gap_in_chances) or abs(gap_in_chances) <= _CLOSE:
        return nan
    return gap_in_equity / gap_in_chances


def _number_or_nan(value: object) -> float:
    """A number as the program writes it; NaN for anything else."""
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else nan


def _known(number: float) -> float | None:
    return None if isnan(number) else number


def _chance(number: float) -> float | None:
    return None if isnan(number) else min(1.0, max(0.0, number))


def _evaluated_chances(evaluation: dict[str, Any]) -> Chances | None:
    five = [_number_or_nan(evaluation.get(name)) for name in _CHANCES]
    return None if isnan(sum(five)) else chances_of(five)
