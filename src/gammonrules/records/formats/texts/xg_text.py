"""Positions as eXtreme Gammon exports them, as text: blocks that begin with `XGID=`.

The words are translated, so lines are known by their order and their numbers. X is the player on roll, whom the XGID
may have at the top (its turn is then -1): the program draws every board from that side. White is the bottom player of
the XGID, as everywhere in the library.

A candidate is `1. XG Roller++  8/5 6/5  eq:+0.159`, with the chances of both players in percent on the two lines below
it. A cube decision has two such lines, or four in a rollout, and then three indented lines with equities, always in the
order no double, double/take, double/drop (there "pass").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Final

from gammonrules.equity import Chances
from gammonrules.match import MatchState, Player
from gammonrules.records.formats.pasted_texts import XGID_LINE, xgid_in
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import (
    NUMBER,
    Body,
    PrintedCandidate,
    TextPosition,
)
from gammonrules.records.transcript import (
    DEVIATIONS,
    ROLLOUT,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    Match,
    PlayAnalysis,
    cube_of,
    ply_level,
)

_SIGN = re.compile(f"(?m)^{XGID_LINE.pattern}", XGID_LINE.flags)
_MATCH_LINE = re.compile(r"(?mi)^[ \t]{0,20}[0-9]{1,6}[ -]points?[ ]match[ \t]{0,80}$")
_NAMES = re.compile(r"X:(.*?)(?: {2,}|\t)O:(.*)")
_SCORE = re.compile(r"X: ?([0-9]{1,5}) +O: ?([0-9]{1,5})(?:\D{1,40}([0-9]{1,5}))?")
_PIPS = re.compile(r"X: ?([0-9]{1,3}) +O: ?([0-9]{1,3}) +X-O:")
_CUBE = re.compile(r"\S{1,30}[:\uff1a] ?([0-9]{1,8})(?:, ([XO])\b.*)?")
_VERSION = re.compile(r"(eXtreme Gammon) Version: ?([0-9A-Za-z.+-]{1,40})")

_CANDIDATE = re.compile(r" {1,8}[0-9]{1,4}\. (.*)")
_TAIL = re.compile(rf"\S[:\uff1a] ?({NUMBER})(?: +\({NUMBER}\))?$")
_ROW = re.compile(rf" {{3,20}}\S[^:\uff1a]{{0,60}}[:\uff1a] *({NUMBER})(?: +\({NUMBER}\))?$")
_BARE_CANDIDATE = re.compile(r"[0-9]{1,4}\. ")
_BARE_ROW = re.compile(rf"\S[^:\uff1a]{{0,60}}[:\uff1a] *{NUMBER}(?: +\({NUMBER}\))?$")
_LOOKS_LIKE_A_ROW = re.compile(r" {7}\S[^:\uff1a/]{0,40}/[^:\uff1a/]{1,40}[:\uff1a] ")
_PERCENT = r"([0-9]{1,3}[.,][0-9]{1,6})%"
_CHANCES = re.compile(
    rf"[:\uff1a] *{_PERCENT} *\([^0-9()]{{0,10}}{_PERCENT}[^0-9()]{{1,10}}{_PERCENT}\)"
)
_INTERVAL = re.compile(rf"± ?({NUMBER})")
_ROLLER = re.compile(r"XG Roller\+{0,2}")
_PLIES = re.compile(r"(?<![0-9])([0-9]{1,2})[- ](?=[^0-9 ])")
_LINES_WITH_CHANCES_OF_ROLLOUT: Final = 4
"""Those of a cube decision: two without doubling, two after a take."""
_ROUNDING: Final = 0.0005
"""By how much a chance may be above 1."""
_MOST_LINES_OF_NOTE: Final = 100
_LONGEST_HEADING: Final = 40
"""Lines, from the XGID on."""
_FOOTNOTES: Final = "¹²³⁴⁵⁶⁷⁸⁹⁰0123456789 "


def is_xg_text(text: str) -> bool:
    """Whether a text has a line that begins with an XGID, before any line that begins a match of the .mat family."""
    sign = _SIGN.search(text) if "xgid" in text.lower() else None
    return sign is not None and not _MATCH_LINE.search(text, 0, sign.start())


def read_xg_texts(text: str) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is no position, or there are too many."""
    lines = texts.lines_of(text)
    begins = texts.identified(lines, XGID_LINE)
    positions: list[TextPosition] = []
    for begin, end in pairwise([*begins, len(lines)]):
        block = texts.single_spaced(lines[begin:end])
        positions.append(_position_in(block, begin + 1))
    return texts.matches_of(positions, "xg-text")


def _position_in(lines: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, lines[0].strip())
    identifier = xgid_in(lines[0])
    state = None if identifier is None else texts.state_of_xgid(position, identifier)
    if state is None:
        return position
    position.state = state
    end_of_heading = _end_of_heading(lines)
    heading = lines[1:end_of_heading]
    x = _player_x(position, state, heading)
    names = texts.first_match(_NAMES.match, heading)
    if names is not None:
        x_name = names[1].strip()
        o_name = names[2].strip()
        position.names = (x_name, o_name) if x is Player.WHITE else (o_name, x_name)
    _add_analysis(position, state, lines[end_of_heading:])
    return position


def _end_of_heading(lines: Sequence[str]) -> int:
    """Where the analysis may begin: after the cube and the question, or else after the XGID."""
    for at, line in enumerate(lines[:_LONGEST_HEADING]):
        if at > 0 and _CUBE.fullmatch(line):
            question = at + 1
            return question + 1
    return 1


def _player_x(position: TextPosition, state: MatchState, heading: Sequence[str]) -> Player:
    """Who X is: the player on roll, unless the heading fits the XGID better the other way around."""
    x = state.on_roll or Player.WHITE
    differences = _differences(state, x, heading)
    if differences:
        differences_of_opponent = _differences(state, x.opponent, heading)
        if len(differences_of_opponent) < len(differences):
            x = x.opponent
            differences = differences_of_opponent
    position.doubt("the words below it", differences)
    return x


def _differences(state: MatchState, x: Player, heading: Sequence[str]) -> list[str]:
    """Where the heading contradicts the XGID if this player is X."""
    differences: list[str] = []
    for line in heading:
        is_line_of_board = line.startswith((" ", "|", "+"))
        if is_line_of_board:
            continue
        pips = _PIPS.search(line)
        score = _SCORE.search(line)
        cube = _CUBE.fullmatch(line)
        if pips is not None:
            pips_of_x = state.view(x).pip_count
            pips_of_o = state.view(x.opponent).pip_count
            if int(pips[1]) != pips_of_x or int(pips[2]) != pips_of_o:
                differences.append("the pip counts")
        elif score is not None:
            differences += _differences_from_score(state, x, score)
        elif cube is not None:
            owner = None
            if cube[2] is not None:
                owner = x if cube[2] == "X" else x.opponent
            if int(cube[1]) != state.cube.value or owner is not state.cube.owner:
                differences.append("the cube")
    return differences


def _differences_from_score(state: MatchState, x: Player, score: re.Match[str]) -> list[str]:
    differences: list[str] = []
    if int(score[1]) != state.score[x] or int(score[2]) != state.score[x.opponent]:
        differences.append("the score")
    length = int(score[3]) if score[3] else None
    if length != state.length:
        differences.append("the length of the match")
    return differences


def _add_analysis(position: TextPosition, state: MatchState, lines: Sequence[str]) -> None:
    engine = "eXtreme Gammon"
    version = texts.first_match(_VERSION.match, lines)
    if version is not None:  # its line comes last
        engine = " ".join(version.groups())
        lines = lines[: lines.index(version.string)]
    lines = _indented(lines)
    rows = _rows_at(lines)
    has_candidates = any(map(_CANDIDATE.match, lines))
    if rows or has_candidates:
        position.note = _note(lines[_end_of_analysis(lines, rows) :])
    for at, line in enumerate(lines):
        if _is_damaged(line, lines[at + 1 : at + 3], has_rows=len(rows) > 0):
            position.doubt_analysis(line)
            break
    if state.dice is not None and has_candidates:
        position.analysis = EncodedAnalysis(Body(tuple(lines), engine), _decode_play)
    elif state.dice is None and rows:
        position.analysis = EncodedAnalysis(Body(tuple(lines), engine), _decode_cube)


def _indented(lines: Sequence[str]) -> Sequence[str]:
    """The lines of an analysis, with the indentation that a forum or an email may have removed."""
    if any(line.startswith(" ") for line in lines):
        return lines
    rows = _bare_rows_at(lines)
    indented: list[str] = []
    for at, line in enumerate(lines):
        is_row = at in rows
        is_candidate = _BARE_CANDIDATE.match(line) and _TAIL.search(line)
        indented.append(f"    {line}" if is_row or is_candidate else line)
    return indented


def _bare_rows_at(lines: Sequence[str]) -> range:
    """The indexes of the three lines of a cube decision without indentation; empty if they are not there."""
    for at in range(len(lines) - 2):
        if all(map(_BARE_ROW.match, lines[at : at + 3])):
            return range(at, at + 3)
    return range(0)


def _rows_at(lines: Sequence[str]) -> range:
    """The indexes of the three lines of a cube decision; empty if they are not there."""
    for at in range(len(lines) - 2):
        if all(_ROW.match(line) and not _CANDIDATE.match(line) for line in lines[at : at + 3]):
            return range(at, at + 3)
    return range(0)


def _is_damaged(line: str, two_below: Sequence[str], *, has_rows: bool) -> bool:
    """Whether a line begins a candidate without equity or chances, or looks like a row of a cube where none is read."""
    if _CANDIDATE.match(line):
        has_equity = _TAIL.search(line) is not None
        has_chances = len(two_below) == 2 and all(map(_percents, two_below))
        if not has_equity or not has_chances:
            return True
    return not has_rows and _LOOKS_LIKE_A_ROW.match(line) is not None


def _end_of_analysis(lines: Sequence[str], rows: range) -> int:
    """Where a note may begin: below the verdict, a paragraph after the rows of a cube; else below the last figures."""
    if rows:
        return _end_of_paragraph(lines, rows.stop)
    end = 0
    for number, line in enumerate(lines, start=1):
        is_below_figures = end > 0
        is_interval = is_below_figures and _INTERVAL.search(line) is not None
        if _CANDIDATE.match(line) or _CHANCES.search(line) or is_interval:
            end = number
    return end


def _end_of_paragraph(lines: Sequence[str], at: int) -> int:
    """The end of the paragraph that begins here, or after blank lines."""
    while at < len(lines) and not lines[at]:
        at += 1
    while at < len(lines) and lines[at]:
        at += 1
    return at


def _note(lines: Sequence[str]) -> str:
    """The user's note: not indented, as the settings of a rollout are, and not a footnote or a heading of those."""
    note: list[str] = []
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        is_heading = line.endswith(":") and below.startswith(" ")
        is_setting = line.startswith((" ", "¹", "²", "³"))
        if line and not is_heading and not is_setting:
            note.append(line)
    return "\n".join(note[:_MOST_LINES_OF_NOTE])


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    """The candidates for a roll; a text of a position does not say which was played."""
    return texts.plays_in(body, state, pattern=_CANDIDATE, read_row=_row)


def _row(match: re.Match[str], below: Sequence[str]) -> PrintedCandidate | None:
    text = match[1]
    tail = _TAIL.search(text)
    if tail is None:
        return None
    return PrintedCandidate(
        text[: tail.start()],
        equity=texts.to_float(tail[1]),
        chances=_chances_on(below),
        level=_level_shown(texts.before_the_play(text)),
        standard_error=_error_of_interval(below[2]) if len(below) > 2 else None,
    )


def _decode_cube(body: Body, _state: MatchState) -> CubeAnalysis | None:
    lines = body.lines
    rows = [_ROW.match(lines[at]) for at in _rows_at(lines)]
    equities = [texts.to_float(row[1]) for row in rows if row is not None]
    if len(equities) != 3:
        return None
    percents = [line for line in lines if _CHANCES.search(line)]
    pairs_of_lines = zip(percents[::2], percents[1::2], strict=False)  # of both players
    chances = [_chances_on(pair) for pair in pairs_of_lines]  # without doubling, then after a take
    errors = [error for error in map(_error_of_interval, lines) if error is not None]
    no_double, taken, dropped = equities
    return cube_of(
        (no_double, taken, dropped),
        chances=chances,
        level=_level_of_cube(lines),
        errors=errors,
        engine=body.engine,
    )


def _level_of_cube(lines: Sequence[str]) -> Level:
    """The level, which is above the chances; in a rollout, which has four lines of them, above another line."""
    with_chances = [at for at, line in enumerate(lines) if _CHANCES.search(line)]
    is_rollout = len(with_chances) >= _LINES_WITH_CHANCES_OF_ROLLOUT
    lines_above: Sequence[str] = lines[: with_chances[0]] if with_chances else []
    filled = [line for line in lines_above if line]
    line = filled[-1] if filled else ""
    if is_rollout and len(filled) > 1:
        line = filled[-2]
    if _ROLLER.search(line) or _PLIES.search(line):
        return _level_shown(line)
    last_word = line.split(" ")[-1]
    return ROLLOUT if is_rollout else _level_shown(last_word)


def _level_shown(text: str) -> Level:
    """The level, without the number of a footnote: "4-ply" in every language, "XG Roller++", "rollout"."""
    roller = _ROLLER.search(text)
    if roller is not None:
        return Level(roller[0])
    plies = _PLIES.search(text)
    if plies is not None:
        return ply_level(int(plies[1]))
    words = text.strip().rstrip(_FOOTNOTES)
    match words.lower().split(" ")[-1]:
        case "rollout":
            return ROLLOUT
        case "book":
            return Level("opening book")
        case _:
            return Level(words)


def _chances_on(lines: Sequence[str]) -> Chances | None:
    """The chances on the first two lines, that of the player and that of the opponent."""
    if len(lines) < 2:
        return None
    player = _percents(lines[0])
    opponent = _percents(lines[1])
    if player is None or opponent is None:
        return None
    return texts.chances_of_both([*player, *opponent])


def _percents(line: str) -> tuple[float, ...] | None:
    """Wins, gammons and backgammons of one player, from 0 to 1."""
    match = _CHANCES.search(line)
    if match is None:
        return None
    percents = tuple(map(texts.from_percent, match.groups()))
    return percents if max(percents) <= 1 + _ROUNDING else None


def _error_of_interval(line: str) -> float | None:
    interval = _INTERVAL.search(line)
    return None if interval is None else abs(texts.to_float(interval[1])) / DEVIATIONS
