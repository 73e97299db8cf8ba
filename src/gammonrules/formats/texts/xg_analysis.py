"""The analysis in eXtreme Gammon's text of a position, in any language.

A candidate is `1. XG Roller++  8/5 6/5  eq:+0.159`, with the chances of both players in percent on the two lines below
it. A cube decision has two such lines, or four in a rollout, and then three indented lines with equities, always in the
order no double, double/take, double/pass. Confidence intervals are at 95%, so half of their width is 1.96 standard
errors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from gammonrules.equity import Chances
from gammonrules.formats.texts.text_patterns import (
    NUMBER,
    Body,
    before_the_play,
    candidates_in,
    from_percent,
    legal,
    play_in,
    to_float,
)
from gammonrules.match import MatchState
from gammonrules.transcript import Candidate, CubeAnalysis, PlayAnalysis, chances_of, may_be_chances

_STANDARD_ERRORS: Final = 1.96
"""Half the width of the interval with 95% of a normal distribution, in standard deviations."""

_CANDIDATE = re.compile(r" {1,8}[0-9]{1,4}\. (.*)")
_TAIL = re.compile(rf"\S[:\uff1a] ?({NUMBER})(?: +\({NUMBER}\))?$")
_ROW = re.compile(rf" {{3,20}}\S[^:\uff1a]{{0,60}}[:\uff1a] *({NUMBER})(?: +\({NUMBER}\))?$")
_BARE_CANDIDATE = re.compile(r"[0-9]{1,4}\. ")
_BARE_ROW = re.compile(rf"\S[^:\uff1a]{{0,60}}[:\uff1a] *{NUMBER}(?: +\({NUMBER}\))?$")
_LOOKS_LIKE_A_ROW = re.compile(r" {7}\S[^:\uff1a/]{0,40}/[^:\uff1a/]{1,40}[:\uff1a] ")
_PERCENT = r"([0-9]{1,3}[.,][0-9]{1,6})%"
_CHANCES = re.compile(rf"[:\uff1a] *{_PERCENT} *\([^0-9()]{{0,10}}{_PERCENT}[^0-9()]{{1,10}}{_PERCENT}\)")
_INTERVAL = re.compile(rf"± ?({NUMBER})")
_ROLLER = re.compile(r"XG Roller\+{0,2}")
_PLIES = re.compile(r"(?<![0-9])([0-9]{1,2})[- ](?=[^0-9 ])")
_FOOTNOTES: Final = "¹²³⁴⁵⁶⁷⁸⁹⁰0123456789 "


@frozen
class Shape:
    """The contents of a body, as far as a quick look shows."""

    candidates: bool
    cube: bool
    damaged: str
    note: str


def indented(lines: Sequence[str]) -> Sequence[str]:
    """The lines of an analysis, with the indentation that a forum or an email may have removed."""
    if any(line.startswith(" ") for line in lines):
        return lines
    bare = [_BARE_ROW.match(line) is not None for line in lines]
    first = next((at for at in range(len(lines) - 2) if all(bare[at : at + 3])), len(lines))
    return [_indentation_of(line, is_row=first <= at < first + 3) + line for at, line in enumerate(lines)]


def _indentation_of(line: str, *, is_row: bool) -> str:
    is_candidate = _BARE_CANDIDATE.match(line) and _TAIL.search(line)
    return "    " if is_row or is_candidate else ""


def shape_of(lines: Sequence[str]) -> Shape:
    """The contents of the lines between the heading and the version."""
    rows, candidates, damaged, end = _rows_at(lines), False, "", 0
    for at, line in enumerate(lines):
        is_candidate = _CANDIDATE.match(line) is not None
        candidates = candidates or is_candidate
        if (is_candidate and not _is_whole(lines[at : at + 3])) or (not rows and _LOOKS_LIKE_A_ROW.match(line)):
            damaged = damaged or line.strip()
        if is_candidate or _CHANCES.search(line) or (_INTERVAL.search(line) and end):
            end = at + 1
    if rows:
        end = _end_of_paragraph(lines, rows[-1] + 1)
    return Shape(candidates, bool(rows), damaged, _note(lines[end:]) if candidates or rows else "")


def _is_whole(three: Sequence[str]) -> bool:
    """Whether a candidate has an equity and the chances of both players."""
    return bool(_TAIL.search(three[0])) and len(three) == 3 and all(_percents(line) is not None for line in three[1:])


def _rows_at(lines: Sequence[str]) -> range:
    """The indexes of the three lines of a cube decision; empty if they are not there."""
    for at in range(len(lines) - 2):
        if all(_ROW.match(line) and not _CANDIDATE.match(line) for line in lines[at : at + 3]):
            return range(at, at + 3)
    return range(0)


def _end_of_paragraph(lines: Sequence[str], begin: int) -> int:
    """The end of the verdict, a separate paragraph after the equities."""
    at = begin
    while at < len(lines) and not lines[at]:
        at += 1
    while at < len(lines) and lines[at]:
        at += 1
    return at


def _note(lines: Sequence[str]) -> str:
    """The user's note: not indented, as the settings of a rollout are, and not a footnote or a heading of those."""
    kept = list[str]()
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else ""
        is_setting = line.startswith((" ", "¹", "²", "³")) or (line.endswith(":") and below.startswith(" "))
        if line and not is_setting:
            kept.append(line)
    return "\n".join(kept[:100])


def _percents(line: str) -> tuple[float, float, float] | None:
    """Wins, gammons and backgammons of one player, from 0 to 1."""
    found = _CHANCES.search(line)
    if found is None:
        return None
    win, gammon, backgammon = map(from_percent, found.groups())
    return (win, gammon, backgammon) if max(win, gammon, backgammon) <= 1.0005 else None


def _chances(two: Sequence[str]) -> Chances | None:
    """The chances on the lines of the player and of the opponent."""
    if len(two) < 2:
        return None
    mine, theirs = _percents(two[0]), _percents(two[1])
    if mine is None or theirs is None or not may_be_chances((*mine, *theirs[1:])):
        return None
    return chances_of(*mine, *theirs[1:])


def _level(text: str) -> str:
    """The level, without the number of a footnote: "4-ply" in every language, "XG Roller++", "rollout"."""
    if roller := _ROLLER.search(text):
        return roller[0]
    if plies := _PLIES.search(text):
        return f"{int(plies[1])}-ply"
    word = text.strip().rstrip(_FOOTNOTES)
    return {"rollout": "rollout", "book": "opening book"}.get(word.lower().split(" ")[-1], word)


def _standard_error(line: str) -> float | None:
    found = _INTERVAL.search(line)
    return None if found is None else abs(to_float(found[1])) / _STANDARD_ERRORS


def decode_play(data: object, state: MatchState) -> PlayAnalysis | None:
    """The candidates for a roll; a text of a position does not say which was played."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    found = candidates_in(data.lines, _CANDIDATE, lambda found, below: _candidate(found[1], below, state))
    return PlayAnalysis(tuple(candidate for _, candidate in found), engine=data.engine) if found else None


def _candidate(text: str, below: Sequence[str], state: MatchState) -> Candidate | None:
    tail = _TAIL.search(text)
    play = legal(state.legal_plays, play_in(text[: tail.start()] if tail else text))
    if tail is None or play is None:
        return None
    error = _standard_error(below[2]) if len(below) > 2 else None
    equity, level = to_float(tail[1]), _level(before_the_play(text))
    return Candidate(str(play), play.position, equity, _chances(below), level, error)


def decode_cube(data: object, _state: MatchState) -> CubeAnalysis | None:
    """The equities of a cube decision."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    lines = data.lines
    rows = _rows_at(lines)
    if not rows:
        return None
    no_double, taken, passed = (to_float(found[1]) for at in rows if (found := _ROW.match(lines[at])))
    at = [index for index, line in enumerate(lines) if _CHANCES.search(line)]
    chances = [_chances([lines[one], lines[other]]) for one, other in zip(at[::2], at[1::2], strict=False)]
    errors = [error for error in map(_standard_error, lines) if error is not None]
    return CubeAnalysis(
        no_double,
        taken,
        passed,
        chances[0] if chances else None,
        chances[1] if len(chances) > 1 else None,
        _level_of_cube(lines),
        (errors[0], errors[1]) if len(errors) > 1 else None,
        engine=data.engine,
    )


def _level_of_cube(lines: Sequence[str]) -> str:
    """The level, which is above the chances; in a rollout, which has four lines of them, above another line."""
    at = [index for index, line in enumerate(lines) if _CHANCES.search(line)]
    above = [line for line in lines[: at[0]] if line] if at else []
    is_rollout = len(at) >= 4
    line = above[-2] if is_rollout and len(above) > 1 else above[-1] if above else ""
    if _ROLLER.search(line) or _PLIES.search(line):
        return _level(line)
    return "rollout" if is_rollout else _level(line.split(" ")[-1])
