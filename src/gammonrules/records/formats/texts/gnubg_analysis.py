"""The analysis below a decision in GNU Backgammon's text, in any language.

Its lines are known by their shape: `1. No double  +0.144` is a row about the cube, `*  1. Cubeful 0-ply  8/5
6/5  Eq.: +0.185` a candidate (the star marks the play that was made), `Rolled 31 (+0.035):` the luck. A number without
a sign is a chance of winning the match, which GNU Backgammon prints instead of equities if it is set to.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from gammonrules.equity import KAZAROSS_XG2
from gammonrules.match import MatchState
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import NUMBER, Body, Row
from gammonrules.records.transcript import (
    ROLLOUT,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    PlayAnalysis,
    Triple,
    cube_of,
    ply_level,
)

_CANDIDATE = re.compile(r"([* ]) {1,8}(?:[0-9]{1,4}\.|\?\?\.?) (.*)")
"""The rank of the play that was made is not known if it is outside the list."""
_BARE_CANDIDATE = re.compile(r"(?:[0-9]{1,4}\.|\?\?\.?) ")
_ROW = re.compile(r"[1-3]\. (.*)")
_TAIL = re.compile(rf"(?<![0-9.,+-])({NUMBER})(%?)(?: +\( *\+?{NUMBER}%?\))?$")
"""A number, and perhaps the difference from the best one, before which the program may print two signs."""
_LUCK = re.compile(rf"[1-6][1-6] \( *({NUMBER})(%?)\):$")
_ALERT_OF_CUBE = re.compile(rf"[^\s0-9*][^0-9!]{{0,100}}\( *-({NUMBER})(%?)\)!$")
_ALERT_OF_PLAY = re.compile(rf"[^\s0-9*][^0-9!]{{0,100}}\( *-({NUMBER})(%?)\)$")
_PLIES = re.compile(r"(?<![0-9])([0-9]{1,2})-")
_LEVEL_OF_CUBE = re.compile(rf"([0-9]{{1,2}})-\S.*{NUMBER}")
_HEADING_OF_NOTE = re.compile(r"[^\s0-9()*][^0-9()]{0,40}[:\uff1a]")
_COMMA = re.compile("[,、،]")
"""In the words for the take and for the drop, in every language; those for no double have none."""
_OF_CUBE = re.compile(r" {2,5}[0-9]")
"""The chances of a cube decision are further left than those of a play, and without a bracket."""
_CUBEFUL = re.compile(rf" CF +({NUMBER})(%?)")
_LINES_OF_A_NOTE = 200


def with_indentation(lines: list[str]) -> list[str]:
    """The lines of an analysis, with the indentation that a forum or an email may have removed."""
    if any(line.startswith(" ") for line in lines):
        return lines
    is_candidate = [bool(_CANDIDATE.match(line) or _is_bare_candidate(line)) for line in lines]
    return [
        f"     {line}"
        if _is_bare_candidate(line)
        else f"{' ' * (7 if below else 2)}{line}"
        if _is_below(line)
        else line
        for line, below in zip(lines, [False, *is_candidate], strict=False)
    ]


def _is_bare_candidate(line: str) -> bool:
    return bool(_BARE_CANDIDATE.match(line) and texts.play_in(line) and _TAIL.search(line))


def _is_below(line: str) -> bool:
    """Whether it has chances, which are below a candidate or above the rows of a cube, or their standard errors."""
    return line.startswith("[") or texts.chances_in(line) is not None


def analyses_in(
    lines: Sequence[str], engine: str
) -> tuple[EncodedAnalysis | None, EncodedAnalysis | None, EncodedAnalysis | None, str]:
    """The analyses of a double or none, of an answer and of a play; the first line with unreadable numbers, or ""."""
    rows = 0
    play = False
    damaged = ""
    is_candidate = False
    for line in lines:
        is_below = is_candidate
        is_candidate = _CANDIDATE.match(line) is not None
        is_row = _ROW.match(line) is not None
        if (is_below and texts.chances_in(line) is None) or (
            (is_row or is_candidate) and not _has_number(line)
        ):
            damaged = damaged or line
        rows += is_row
        play = play or is_candidate or _LUCK.search(line) is not None
    body = Body(tuple(lines), engine)
    cube, answer = (
        EncodedAnalysis(body, decode) if rows == 3 else None
        for decode in (_decode_cube, _decode_answer)
    )
    return cube, answer, EncodedAnalysis(body, _decode_play) if play else None, damaged


def note_of(lines: Sequence[str]) -> str:
    """The remark about the decision: the lines below the first heading that no analysis follows."""
    last = next((at for at in reversed(range(len(lines))) if _is_analysis(lines[at])), -1)
    headings = (at for at in range(last + 1, len(lines)) if _HEADING_OF_NOTE.fullmatch(lines[at]))
    return "\n".join(lines[next(headings, len(lines)) + 1 :][:_LINES_OF_A_NOTE])


def _is_analysis(line: str) -> bool:
    return bool(_ROW.match(line) or _CANDIDATE.match(line)) or (
        line[:1] == " " and texts.chances_in(line) is not None
    )


def _has_number(line: str) -> bool:
    """Whether it ends in an equity, or in a chance that can be one."""
    tail = _TAIL.search(line)
    return tail is not None and (tail[1][0] in "+-" or 0 <= _printed_number(tail) <= 1)


def _decode_answer(body: Body, state: MatchState) -> CubeAnalysis | None:
    return _decode_cube(body, state, sign=-1)


def _decode_cube(body: Body, state: MatchState, sign: int = 1) -> CubeAnalysis | None:
    if (numbers := _numbers_of_cube(body.lines, state, sign)) is None:
        return None
    equities, mwc = numbers
    chances = [
        five
        for line in body.lines
        if _OF_CUBE.match(line) and (five := texts.chances_in(line)) is not None
    ]
    chances = chances if sign > 0 else [five.flip() for five in chances]
    errors = [
        _standard_error(line, state, of_equity=mwc is None)
        for line in body.lines
        if line.startswith(" [")
    ]
    stated = {
        "stated_error" if sign > 0 else "stated_answer_error": _stated_error(
            _ALERT_OF_CUBE, body.lines
        )
    }
    above = takewhile(lambda line: not _ROW.match(line), body.lines)
    # in the first line with a number after the plies
    level = _level_in(texts.first_match(_LEVEL_OF_CUBE.match, above))
    return cube_of(equities, chances, level, errors, mwc=mwc, engine=body.engine, **stated)


def _numbers_of_cube(
    lines: Sequence[str], state: MatchState, sign: int
) -> tuple[Triple, Triple | None] | None:
    """The equities, and chances of winning the match, of no double, a take and a drop; None if the rows are others.

    The drop is the one whose equity is nearest to 1. Where the program prints chances, it converts the equities of the
    answerer as if they were the doubler's: only their sign is the answerer's.
    """
    rows = [row[1] for row in map(_ROW.match, lines) if row is not None]
    tails = [tail for row in rows if (tail := _TAIL.search(row)) is not None]
    no_double = [tail for tail in tails if not _COMMA.search(tail.string[: tail.start()])]
    if (len(rows), len(tails), len(no_double)) != (3, 3, 1):
        return None
    are_equities = tails[0][1][0] in "+-"
    tails.sort(key=lambda tail: tail not in no_double)
    equities = [texts.to_float(tail[1]) for tail in tails]
    if not are_equities:
        numbers = [
            KAZAROSS_XG2.to_equity(chance, state)
            for chance in map(_printed_number, tails)
            if 0 <= chance <= 1
        ]
        equities = [equity for equity in numbers if equity is not None]
    if len(equities) != 3:
        return None
    nothing, first, second = (sign * equity for equity in equities)
    taken, dropped = (first, second) if abs(second - 1) <= abs(first - 1) else (second, first)
    if are_equities:
        return (nothing, taken, dropped), None
    chances = [KAZAROSS_XG2.to_chance(equity, state) for equity in (nothing, taken, dropped)]
    in_range = [chance if chance is not None and 0 <= chance <= 1 else None for chance in chances]
    return (nothing, taken, 1.0), (in_range[0], in_range[1], in_range[2])


def _level_in(plies: re.Match[str] | None) -> Level:
    return ROLLOUT if plies is None else ply_level(int(plies[1]))


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    luck = texts.first_match(_LUCK.search, body.lines)
    number = (
        None
        if luck is None
        else _difference(_printed_number(luck), state)
        if luck[2]
        else _printed_number(luck)
    )
    return texts.plays_in(
        body,
        state,
        pattern=_CANDIDATE,
        read=_row,
        luck=number,
        stated_error=_stated_error(_ALERT_OF_PLAY, body.lines),
    )


def _row(match: re.Match[str], below: Sequence[str], state: MatchState) -> Row | None:
    """One candidate: its own line, then its chances, then in a rollout the standard errors."""
    text = match[2]
    if (tail := _TAIL.search(text)) is None:
        return None
    equity, mwc = _equity(tail, state)
    chances = texts.chances_in(below[0]) if below else None
    level = _level_in(_PLIES.search(texts.before_the_play(text)))
    error = _standard_error(below[1], state, of_equity=mwc is None) if len(below) > 1 else None
    return text, equity, chances, level, error, mwc


def _printed_number(match: re.Match[str]) -> float:
    """A number, which a percent sign may follow."""
    return texts.to_float(match[1]) / (100 if match[2] else 1)


def _equity(tail: re.Match[str], state: MatchState) -> tuple[float | None, float | None]:
    """The equity, and the chance of winning the match if that is what is printed."""
    if tail[1][0] in "+-":
        return texts.to_float(tail[1]), None
    mwc = _printed_number(tail)
    return (KAZAROSS_XG2.to_equity(mwc, state), mwc) if 0 <= mwc <= 1 else (None, None)


def _difference(number: float, state: MatchState) -> float | None:
    """A difference of two chances of winning the match, converted to equity."""
    more = KAZAROSS_XG2.to_equity(0.5 + number, state)
    less = KAZAROSS_XG2.to_equity(0.5, state)
    return None if more is None or less is None else more - less


def _stated_error(alert: re.Pattern[str], lines: Sequence[str]) -> float | None:
    """What the decision cost, if a line says it as equity."""
    match = texts.first_match(alert.match, lines)
    return None if match is None or match[2] else texts.to_float(match[1])


def _standard_error(line: str, state: MatchState, *, of_equity: bool) -> float | None:
    """The standard error of the cubeful equity, in a line such as `[0.002 .. CL  0.005 CF  0.012]`."""
    match = _CUBEFUL.search(line) if line.lstrip().startswith("[") else None
    error = None if match is None else abs(_printed_number(match))
    return error if error is None or of_equity else _difference(error, state)
