"""The analysis below a decision in GNU Backgammon's text, in any language.

Its lines are known by their shape: `1. No double  +0.144` is a row about the cube, `*  1. Cubeful 0-ply  8/5
6/5  Eq.: +0.185` a candidate (the star marks the play that was made), `Rolled 31 (+0.035):` the luck. A number without
a sign is a chance of winning the match, which GNU Backgammon prints instead of equities if it is set to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import takewhile, zip_longest
from typing import Final

from attrs import frozen

from gammonrules.analysis import Chances, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import ROLLOUT, EncodedAnalysis, Triple, cube_of, ply_level
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import EquityScale, equity_scale
from gammonrules.match import MatchState
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import (
    NUMBER,
    Body,
    CandidateForm,
    DoubtfulLine,
    PrintedCandidate,
    Unread,
    looks_like_a_candidate,
)

_CANDIDATE = re.compile(r"([* ]) {1,8}(?:[0-9]{1,4}\.|\?\?\.?) (.*)")
"""The rank of the play that was made is not known if it is outside the list."""
_CANDIDATES: Final = CandidateForm(_CANDIDATE)
_BARE_CANDIDATE = re.compile(r"(?:[0-9]{1,4}\.|\?\?\.?) ")
_ROW = re.compile(r"[1-3]\. (.*)")
_TAIL = re.compile(rf"(?<![0-9.,+-])({NUMBER})(%?)(?: *\( *\+?{NUMBER}%?\))?$")
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
_ROWS_OF_CUBE = 3
"""No double, the take and the drop."""
_NO_NUMBER: Final = "this line has no equity or chance that can be read, so it is left out"


def with_indentation(lines: list[str]) -> list[str]:
    """The lines of an analysis, with the indentation that a forum or an email may have removed, but for one blank."""
    if any(line.startswith("  ") for line in lines):
        return lines
    indented: list[str] = []
    is_below_candidate = False
    for line in lines:
        bare = line.removeprefix(" ")
        if _is_bare_candidate(bare):
            indented.append(f"     {bare}")
            is_below_candidate = True
        elif _CANDIDATE.match(line):  # with a star, and so with one blank
            indented.append(line)
            is_below_candidate = True
        elif _is_below(bare):
            indented.append(
                " " * _blanks_before(bare, is_below_candidate=is_below_candidate) + bare
            )
        else:
            indented.append(line)
            is_below_candidate = False
    return indented


def _blanks_before(figures: str, *, is_below_candidate: bool) -> int:
    """The indentation of chances, or of the standard errors in brackets below them."""
    if is_below_candidate:
        return 7
    return 1 if figures.startswith("[") else 2


def _is_bare_candidate(line: str) -> bool:
    return bool(_BARE_CANDIDATE.match(line) and texts.play_in(line) and _TAIL.search(line))


def _is_below(line: str) -> bool:
    """Whether a line has chances, below a candidate or above the rows of a cube, or their standard errors."""
    return line.startswith("[") or texts.chances_in(line) is not None


@frozen
class TextAnalyses:
    """What lines may be the analysis of: whoever asks knows the decision."""

    of_double: EncodedAnalysis | None
    of_answer: EncodedAnalysis | None
    of_play: EncodedAnalysis | None
    damaged: DoubtfulLine | None
    """The first line whose number cannot be read, or the chances below it."""
    candidates: Mapping[int, str]
    """The lines that may be candidates, legal or not, by their indexes."""

    def unread(self, state: MatchState) -> Unread:
        """The lines that look like candidates for the roll of a state, and cannot be read."""
        return _CANDIDATES.legal_among(self.candidates, state).unread


def analyses_in(lines: Sequence[str], engine: str) -> TextAnalyses:
    """The analyses that lines may hold; a candidate has its chances on the line below."""
    rows = 0
    candidates: dict[int, str] = {}
    has_luck = False
    damaged: DoubtfulLine | None = None
    for at, (line, line_below) in enumerate(zip_longest(lines, lines[1:], fillvalue="")):
        is_candidate = _CANDIDATES.may_be(line)
        is_row = not is_candidate and _ROW.match(line) is not None
        if is_row:
            rows += 1
        elif is_candidate:
            candidates[at] = line
        elif _LUCK.search(line):
            has_luck = True
        if damaged is not None:
            continue
        if (is_candidate or is_row) and not _has_number(line):
            damaged = DoubtfulLine(at, line, _NO_NUMBER)
        elif is_candidate and texts.chances_in(line_below) is None:
            damaged = DoubtfulLine.without_chances(at, line)
    body = Body(tuple(lines), engine)
    is_cube = rows == _ROWS_OF_CUBE
    return TextAnalyses(
        of_double=EncodedAnalysis(body, _decode_cube) if is_cube else None,
        of_answer=EncodedAnalysis(body, _decode_answer) if is_cube else None,
        of_play=EncodedAnalysis(body, _decode_play) if candidates or has_luck else None,
        damaged=damaged,
        candidates=candidates,
    )


def _row_on(line: str) -> re.Match[str] | None:
    """The match of a row about the cube."""
    row = _ROW.match(line)
    return None if row is None or looks_like_a_candidate(line) else row


def note_of(lines: Sequence[str]) -> str:
    """The remark about the decision: the lines below the first heading that no analysis follows."""
    end_of_analysis = len(lines)
    while end_of_analysis > 0 and not _is_analysis(lines[end_of_analysis - 1]):
        end_of_analysis -= 1
    for at in range(end_of_analysis, len(lines)):
        if _HEADING_OF_NOTE.fullmatch(lines[at]):
            lines_below = lines[at + 1 :]
            return "\n".join(lines_below[:_LINES_OF_A_NOTE])
    return ""


def _is_analysis(line: str) -> bool:
    if _ROW.match(line) or _CANDIDATE.match(line):
        return True
    return line.startswith(" ") and texts.chances_in(line) is not None


def _has_number(line: str) -> bool:
    """Whether a line ends in an equity, or in a number from 0 to 1, which may be a chance."""
    tail = _TAIL.search(line)
    if tail is None:
        return False
    return _has_sign(tail) or 0 <= _printed_number(tail) <= 1


def _has_sign(number: re.Match[str]) -> bool:
    """Whether a number has a sign, as equities do; chances have none."""
    return number[1].startswith(("+", "-"))


def _decode_answer(body: Body, state: MatchState) -> CubeAnalysis | None:
    """The analysis of an answer, whose numbers are printed as the answerer sees them."""
    return _decode_cube_seen(body, state, by_answerer=True)


def _decode_cube(body: Body, state: MatchState) -> CubeAnalysis | None:
    return _decode_cube_seen(body, state, by_answerer=False)


def _decode_cube_seen(body: Body, state: MatchState, *, by_answerer: bool) -> CubeAnalysis | None:
    scale = equity_scale(KAZAROSS_XG2, state, state.on_roll)
    numbers = _numbers_of_cube(body.lines, scale, by_answerer=by_answerer)
    if numbers is None:
        return None
    are_equities = numbers.mwc is None
    chances: list[Chances] = []
    errors: list[float | None] = []
    for line in body.lines:
        printed_chances = texts.chances_in(line) if _OF_CUBE.match(line) else None
        if printed_chances is not None:
            chances.append(printed_chances.flip() if by_answerer else printed_chances)
        if line.startswith(" ["):
            errors.append(_printed_standard_error(line, scale, of_equity=are_equities))
    lines_above_rows = takewhile(lambda line: _row_on(line) is None, body.lines)
    level = _level_of_plies(texts.first_match(_LEVEL_OF_CUBE.match, lines_above_rows))
    error = _stated_error(_ALERT_OF_CUBE, body.lines)
    return cube_of(
        numbers.equities,
        chances,
        level,
        errors,
        mwc=numbers.mwc,
        engine=body.engine,
        stated_error=None if by_answerer else error,
        stated_answer_error=error if by_answerer else None,
    )


@frozen
class _CubeEquities:
    """Of no double, a take and a drop."""

    equities: Triple
    mwc: Triple | None
    """The chances of winning the match, if the program prints them."""


def _numbers_of_cube(
    lines: Sequence[str], scale: EquityScale | None, *, by_answerer: bool
) -> _CubeEquities | None:
    """The numbers in the three rows; None if the rows are others.

    The program sorts the rows: the words for no double are those without a comma, and the drop is the row whose equity
    is nearest to 1. Where it prints chances, it has converted the equities of the answerer as if they were the
    doubler's, so the chances too become equities whose sign is the answerer's.
    """
    rows = [row[1] for row in map(_row_on, lines) if row is not None]
    tails = [tail for tail in map(_TAIL.search, rows) if tail is not None]
    if len(rows) != _ROWS_OF_CUBE or len(tails) != _ROWS_OF_CUBE:
        return None
    without_double: list[re.Match[str]] = []
    after_double: list[re.Match[str]] = []
    for tail in tails:
        words = tail.string[: tail.start()]
        if _COMMA.search(words):
            after_double.append(tail)
        else:
            without_double.append(tail)
    if len(without_double) != 1:
        return None
    are_equities = _has_sign(tails[0])
    equities: list[float] = []
    for tail in without_double + after_double:
        equity = texts.to_float(tail[1]) if are_equities else _equity_of_chance(tail, scale)
        if equity is None:
            return None
        equities.append(-equity if by_answerer else equity)
    rolling, taken, dropped = equities
    if abs(taken - 1) < abs(dropped - 1):
        taken, dropped = dropped, taken
    if are_equities:
        return _CubeEquities((rolling, taken, dropped), None)
    mwc = (
        _chance_of_match_worth(rolling, scale),
        _chance_of_match_worth(taken, scale),
        _chance_of_match_worth(dropped, scale),
    )
    return _CubeEquities((rolling, taken, 1.0), mwc)


def _equity_of_chance(number: re.Match[str], scale: EquityScale | None) -> float | None:
    chance = _printed_number(number)
    if scale is None or not 0 <= chance <= 1:
        return None
    equity: float = scale.equity(chance)
    return equity


def _chance_of_match_worth(equity: float, scale: EquityScale | None) -> float | None:
    """The chance of winning the match that an equity is worth."""
    chance = None if scale is None else scale.chance(equity)
    return chance if chance is not None and 0 <= chance <= 1 else None


def _level_of_plies(plies: re.Match[str] | None) -> Level:
    return ROLLOUT if plies is None else ply_level(int(plies[1]))


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    scale = equity_scale(KAZAROSS_XG2, state, state.on_roll)
    return texts.plays_in(
        body,
        state,
        form=_CANDIDATES,
        read_row=partial(_row, scale=scale),
        luck=_printed_luck(body.lines, scale),
        stated_error=_stated_error(_ALERT_OF_PLAY, body.lines),
    )


def _printed_luck(lines: Sequence[str], scale: EquityScale | None) -> float | None:
    """The luck of the roll as equity; one with a percent sign is a difference of chances."""
    luck = texts.first_match(_LUCK.search, lines)
    if luck is None:
        return None
    number = _printed_number(luck)
    has_percent_sign = luck[2] != ""
    return _difference(number, scale) if has_percent_sign else number


def _row(
    match: re.Match[str], below: Sequence[str], scale: EquityScale | None
) -> PrintedCandidate | None:
    """The numbers of a candidate: on its own line, then its chances, then in a rollout the standard errors."""
    text = match[2]
    tail = _TAIL.search(text)
    if tail is None:
        return None
    mwc = None
    if _has_sign(tail):
        equity: float | None = texts.to_float(tail[1])
    else:
        equity = _equity_of_chance(tail, scale)
        if equity is not None:
            mwc = _printed_number(tail)
    error = None
    if len(below) > 1:
        error = _printed_standard_error(below[1], scale, of_equity=mwc is None)
    return PrintedCandidate(
        equity=equity,
        chances=texts.chances_in(below[0]) if below else None,
        level=_level_of_plies(_PLIES.search(texts.before_the_play(text))),
        standard_error=error,
        mwc=mwc,
    )


def _printed_number(match: re.Match[str]) -> float:
    """A number, which a percent sign may follow."""
    return texts.to_float(match[1]) / (100 if match[2] else 1)


def _difference(number: float, scale: EquityScale | None) -> float | None:
    """A difference of two chances of winning the match, converted to equity."""
    if scale is None:
        return None
    difference: float = scale.equity(0.5 + number) - scale.equity(0.5)
    return difference


def _stated_error(alert: re.Pattern[str], lines: Sequence[str]) -> float | None:
    """The cost of the decision, if a line says it as equity."""
    match = texts.first_match(alert.match, lines)
    if match is None:
        return None
    is_chance = match[2] != ""
    return None if is_chance else texts.to_float(match[1])


def _printed_standard_error(
    line: str, scale: EquityScale | None, *, of_equity: bool
) -> float | None:
    """The standard error of the cubeful equity, in a line such as `[0.002 .. CL  0.005 CF  0.012]`."""
    match = _CUBEFUL.search(line) if line.lstrip().startswith("[") else None
    if match is None:
        return None
    error = abs(_printed_number(match))
    return error if of_equity else _difference(error, scale)
