"""The analysis below a decision in GNU Backgammon's text, in any language.

Its lines are known by their shape: `1. No double  +0.144` is a row about the cube, `*  1. Cubeful 0-ply  8/5
6/5  Eq.: +0.185` a candidate (the star marks the play that was made), `Rolled 31 (+0.035):` the luck. A number without
a sign is a chance of winning the match, which GNU Backgammon prints instead of equities if it is set to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import frozen

from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.formats.texts.text_patterns import (
    NUMBER,
    Body,
    before_the_play,
    candidates_in,
    chances_in,
    legal,
    play_in,
    six_numbers,
    to_float,
)
from gammonrules.match import MatchState
from gammonrules.transcript import Candidate, CubeAnalysis, PlayAnalysis

_CANDIDATE = re.compile(r"([* ]) {1,8}(?:[0-9]{1,4}\.|\?\?\.?) (.*)")
"""The rank of the play that was made is not known if it is outside the list."""
_ROW = re.compile(r"[1-3]\. (.*)")
_TAIL = re.compile(rf"(?<![0-9.,+-])({NUMBER})(%?)(?: +\( *\+?{NUMBER}%?\))?$")
"""A number, and perhaps the difference from the best one, before which the program may print two signs."""
_LUCK = re.compile(rf"[1-6][1-6] \( *({NUMBER})(%?)\):$")
_ALERT_OF_CUBE = re.compile(rf"[^\s0-9*][^0-9!]{{0,100}}\( *-({NUMBER})(%?)\)!$")
_ALERT_OF_PLAY = re.compile(rf"[^\s0-9*][^0-9!]{{0,100}}\( *-({NUMBER})(%?)\)$")
_PLIES = re.compile(r"(?<![0-9])([0-9]{1,2})-")
_LEVEL_OF_CUBE = re.compile(rf"([0-9]{{1,2}})-\S.*{NUMBER}")
_HEADING_OF_NOTE = re.compile(r"[^\s0-9()*][^0-9()]{0,40}[:\uff1a]")
_OF_CUBE = re.compile(r" {2,5}[0-9]")
"""The chances of a cube decision are further left than those of a play, and without a bracket."""
_CUBEFUL = re.compile(rf" CF +({NUMBER})(%?)")


@frozen
class Shape:
    """The contents of a body, as far as a quick look shows."""

    cube: bool
    play: bool
    damaged: str
    """The first line whose numbers cannot be read; "" if there is none."""


def shape_of(lines: Sequence[str]) -> Shape:
    """Which analyses a body has, and whether their numbers can be read."""
    rows, play, damaged = 0, False, ""
    follows = False
    for line in lines:
        is_row, is_candidate = _ROW.match(line) is not None, _CANDIDATE.match(line) is not None
        if follows and six_numbers(line) is None:
            damaged = damaged or line
        follows = is_candidate
        if (is_row or is_candidate) and not _TAIL.search(line):
            damaged = damaged or line
        rows += is_row
        play = play or is_candidate or _LUCK.search(line) is not None
    return Shape(rows == 3, play, damaged)


def note_of(lines: Sequence[str]) -> list[str]:
    """The remark about the decision: the lines below the first heading that no analysis follows."""
    last = max((at for at, line in enumerate(lines) if _is_analysis(line)), default=-1)
    for at in range(last + 1, len(lines)):
        if _HEADING_OF_NOTE.fullmatch(lines[at]):
            return list(lines[at + 1 :])
    return []


def _is_analysis(line: str) -> bool:
    return bool(_ROW.match(line) or _CANDIDATE.match(line)) or (line[:1] == " " and six_numbers(line) is not None)


# --- the cube ---------------------------------------------------------------------------------------------------------


def decode_cube(data: object, state: MatchState) -> CubeAnalysis | None:
    """The analysis of a double, or of not doubling."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    return _cube(data, state, sign=1)


def decode_answer(data: object, state: MatchState) -> CubeAnalysis | None:
    """The analysis of an answer, whose numbers are those of the player who answers."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    return _cube(data, state, sign=-1)


def _cube(body: Body, state: MatchState, sign: int) -> CubeAnalysis | None:
    rows = [found[1] for found in map(_ROW.match, body.lines) if found is not None]
    numbers = _numbers_of_cube(rows, state, sign)
    if numbers is None:
        return None
    equities, mwc = numbers
    alert = next((found for found in map(_ALERT_OF_CUBE.match, body.lines) if found is not None), None)
    stated = None if alert is None or alert[2] else to_float(alert[1])
    return CubeAnalysis(
        *equities,
        *_chances_of_cube(body.lines, sign),
        level=_level_of_cube(body.lines),
        standard_errors=_errors_of_cube(body.lines, state, of_equity=mwc is None),
        mwc=mwc,
        stated_error=stated if sign > 0 else None,
        stated_answer_error=stated if sign < 0 else None,
        engine=body.engine,
    )


_Three = tuple[float | None, float | None, float | None]


def _numbers_of_cube(rows: list[str], state: MatchState, sign: int) -> tuple[_Three, _Three | None] | None:
    """The equities, and chances of winning the match, of no double, a take and a pass; None if the rows are others.

    In every language the words for the take and for the pass have a comma, and those for no double do not.
    """
    tails = [_TAIL.search(row) for row in rows]
    if len(rows) != 3 or None in tails:
        return None
    cells = [(row[: tail.start()], tail[1], tail[2]) for row, tail in zip(rows, tails, strict=True) if tail is not None]
    no_double = [cell for cell in cells if not re.search("[,、،]", cell[0])]
    doubled = [cell for cell in cells if re.search("[,、،]", cell[0])]
    if len(no_double) != 1:
        return None
    if cells[0][1][0] in "+-":
        nd, first, second = (sign * to_float(number) for _, number, _ in (*no_double, *doubled))
        taken, passed = (first, second) if abs(second - 1) <= abs(first - 1) else (second, first)
        return (nd, taken, passed), None
    return _numbers_of_chances(
        [_chance_of_match(number, percent) for _, number, percent in (*no_double, *doubled)], state, sign
    )


def _numbers_of_chances(numbers: list[float], state: MatchState, sign: int) -> tuple[_Three, _Three | None] | None:
    """The same from chances of winning the match: the pass is the one whose equity is nearest to 1.

    The program converts the equities of the answerer as if they were the doubler's: only their sign is the answerer's.
    """
    if not all(0 <= number <= 1 for number in numbers):
        return None
    worth = [sign * equity for number in numbers if (equity := KAZAROSS_XG2.to_equity(number, state)) is not None]
    if len(worth) != 3:
        return None
    nd, first, second = worth
    taken, passed = (first, second) if abs(second - 1) <= abs(first - 1) else (second, first)
    chances = [KAZAROSS_XG2.to_chance(equity, state) for equity in (nd, taken, passed)]
    in_range = [chance if chance is not None and 0 <= chance <= 1 else None for chance in chances]
    return (nd, taken, 1.0), (in_range[0], in_range[1], in_range[2])


def _chance_of_match(number: str, percent: str) -> float:
    return to_float(number) / 100 if percent else to_float(number)


_Errors = tuple[float | None, float | None] | None


def _chances_of_cube(lines: Sequence[str], sign: int) -> tuple[Chances | None, Chances | None]:
    """The chances without doubling and, in a rollout, after a take."""
    found = [chances for line in lines if _OF_CUBE.match(line) and (chances := chances_in(line)) is not None]
    both = [chances if sign > 0 else chances.flip() for chances in found]
    return both[0] if both else None, both[1] if len(both) > 1 else None


def _errors_of_cube(lines: Sequence[str], state: MatchState, *, of_equity: bool) -> _Errors:
    """The standard errors of a rollout, without doubling and after a take."""
    errors = [_standard_error(line, state, of_equity=of_equity) for line in lines if line.startswith(" [")]
    return (errors[0], errors[1]) if len(errors) > 1 else None


def _level_of_cube(lines: Sequence[str]) -> str:
    """The level: the first line with a number after the plies names it, or else it is a rollout."""
    for line in lines:
        if _ROW.match(line):
            break
        if plies := _LEVEL_OF_CUBE.match(line):
            return f"{int(plies[1])}-ply"
    return "rollout"


# --- the play ---------------------------------------------------------------------------------------------------------


def decode_play(data: object, state: MatchState) -> PlayAnalysis | None:
    """The analysis of the plays of a roll."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    candidates = candidates_in(data.lines, _CANDIDATE, lambda found, below: _candidate(found[2], below, state))
    played = max((index for index, (found, _) in enumerate(candidates) if found[1] == "*"), default=None)
    luck = next((found for found in map(_LUCK.search, data.lines) if found is not None), None)
    alert = next((found for found in map(_ALERT_OF_PLAY.match, data.lines) if found is not None), None)
    if not candidates and luck is None:
        return None
    return PlayAnalysis(
        tuple(candidate for _, candidate in candidates),
        played,
        luck=None if luck is None else _luck(luck, state),
        stated_error=None if alert is None or alert[2] else to_float(alert[1]),
        engine=data.engine,
    )


def _luck(found: re.Match[str], state: MatchState) -> float | None:
    return _difference(to_float(found[1]) / 100, state) if found[2] else to_float(found[1])


def _difference(number: float, state: MatchState) -> float | None:
    """A difference of two chances of winning the match, converted to equity."""
    more, less = KAZAROSS_XG2.to_equity(0.5 + number, state), KAZAROSS_XG2.to_equity(0.5, state)
    return None if more is None or less is None else more - less


def _candidate(text: str, below: Sequence[str], state: MatchState) -> Candidate | None:
    """One candidate: its own line, then its chances, then in a rollout the standard errors."""
    tail = _TAIL.search(text)
    play = legal(state.legal_plays, play_in(text))
    if tail is None or play is None:
        return None
    equity, mwc = _equity(tail, state)
    plies = _PLIES.search(before_the_play(text))
    return Candidate(
        str(play),
        play.position,
        equity,
        chances_in(below[0]) if below else None,
        f"{int(plies[1])}-ply" if plies else "rollout",
        _standard_error(below[1], state, of_equity=mwc is None) if len(below) > 1 else None,
        mwc,
    )


def _equity(tail: re.Match[str], state: MatchState) -> tuple[float | None, float | None]:
    """The equity, and the chance of winning the match if that is what is printed."""
    if tail[1][0] in "+-":
        return to_float(tail[1]), None
    mwc = _chance_of_match(tail[1], tail[2])
    return (KAZAROSS_XG2.to_equity(mwc, state), mwc) if 0 <= mwc <= 1 else (None, None)


def _standard_error(line: str, state: MatchState, *, of_equity: bool) -> float | None:
    """The standard error of the cubeful equity, in a line such as `[0.002 .. CL  0.005 CF  0.012]`."""
    found = _CUBEFUL.search(line) if line.lstrip().startswith("[") else None
    if found is None:
        return None
    number = abs(to_float(found[1])) / (100 if found[2] else 1)
    return number if of_equity else _difference(number, state)
