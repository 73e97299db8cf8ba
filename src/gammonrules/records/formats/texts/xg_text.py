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

from gammonrules.analysis import Chances, CubeAnalysis, Level, PlayAnalysis
from gammonrules.analysis.internals import DEVIATIONS, ROLLOUT, EncodedAnalysis, cube_of, ply_level
from gammonrules.match import MatchState, Player
from gammonrules.records.formats.pasted_texts import XGID_LINE, xgid_in
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import (
    NUMBER,
    Body,
    CandidateForm,
    Candidates,
    DoubtfulLine,
    PrintedCandidate,
    TextPosition,
    Unread,
)
from gammonrules.records.transcript import Match

_SIGN = re.compile(f"(?m)^{XGID_LINE.pattern}", XGID_LINE.flags)
_MATCH_LINE = re.compile(
    r"(?mi)^[ \t]{0,20}(?:[0-9]{1,6}[ -]points?[ ]match|unlimited[ \t]{1,20}game)[ \t]{0,80}$"
)
_NAMES = re.compile(r"X:(.*?)(?: +|\t)O:(.*)")
_SCORE = re.compile(r"X: ?([0-9]{1,5}) +O: ?([0-9]{1,5})(?:\D{1,40}([0-9]{1,5}))?")
_PIPS = re.compile(r"X: ?([0-9]{1,3}) +O: ?([0-9]{1,3}) +X-O:")
_CUBE = re.compile(r"\S{1,30}[:\uff1a] ?([0-9]{1,8})(?:, ([XO])\b.*)?")
_BOARD: Final = (" ", "|", "+")
"""How the lines of a board begin."""
_VERSION = re.compile(r"(eXtreme Gammon) Version: ?([0-9A-Za-z.+-]{1,40})")

_CANDIDATE = re.compile(
    rf"[ \t]{{0,8}}[0-9]{{1,4}}\.[ \t](.*)\S[:\uff1a][ \t]?({NUMBER})(?:[ \t]*\({NUMBER}\))?$"
)
_CANDIDATES: Final = CandidateForm(_CANDIDATE)
_AFTER_LABEL = rf"[^:\uff1a]{{0,60}}[:\uff1a] *({NUMBER})(?: *\({NUMBER}\))?$"
_ROW = re.compile(rf" {{3,20}}\S{_AFTER_LABEL}")
_BARE_ROW = re.compile(rf" {{0,2}}[^\s0-9|+]{_AFTER_LABEL}")
"""A row without its indentation."""
_LOOKS_LIKE_A_ROW = re.compile(
    r"(?i)[^\s0-9:\uff1a/][^:\uff1a/]{0,40}(?<![0-9])/(?![0-9])[^:\uff1a/]{1,40}[:\uff1a] {0,9}"
    rf"[+-](?:{NUMBER}|nan|inf)"
)
_PERCENT = r"([0-9]{1,3}[.,][0-9]{1,6})%"
_CHANCES = re.compile(
    rf"(?<![0-9.,]){_PERCENT} *\([^0-9()]{{0,10}}{_PERCENT}[^0-9()]{{1,10}}{_PERCENT}\)"
)
_NAMES_OF_CHANCES = re.compile(r"[ \t]{0,20}(?:[^0-9:\uff1a]{1,40}[:\uff1a]\s{0,3}){1,2}")
"""`Player:`, `Opponent:`, or both, for chances that are on lines of their own."""
_INTERVAL = re.compile(rf"± ?({NUMBER})")
_ROLLER = re.compile(r"XG Roller\+{0,2}")
_PLIES = re.compile(r"(?<![0-9])([0-9]{1,2})[- ](?=[^0-9 ])")
_LINES_WITH_CHANCES_OF_ROLLOUT: Final = 4
"""The lines of a cube decision: two without doubling, two after a take."""
_ROUNDING: Final = 0.0005
"""By how much a chance may be above 1."""
_MAX_LINES_OF_NOTE: Final = 100
_NEXT_DIAGRAM = re.compile(
    r"(?:^|\n)(?:[^\n]{1,60}\n)?(\S{1,30}[:\uff1a]) ?[0-9]{1,5}\n(\S{1,30}[:\uff1a]) ?[0-9]{1,5}\n"
    r"(?:[^\n]{0,60}\n){0,4}?\2 ?[0-9]{1,5}\n\1 ?[0-9]{1,5}(?:\n[^\n]{0,60})?$"
)
"""The heading of a diagram in a forum: score and pips of one player, then pips and score of the other."""
_MAX_HEADING_LENGTH: Final = 40
"""Lines, from the XGID on."""
_FOOTNOTES: Final = "¹²³⁴⁵⁶⁷⁸⁹⁰0123456789^{} "


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
        positions.append(_position_in(lines[begin:end], begin + 1))
    texts.doubt_above(positions, lines)
    return texts.matches_of(positions, "xg-text")


def _position_in(block: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, block[0].strip())
    kept = texts.single_spaced(block)
    lines = [block[at] for at in kept]
    identifier = xgid_in(lines[0])
    state = None if identifier is None else texts.state_of_xgid(position, identifier)
    if state is None:
        return position
    position.state = state
    cube = _line_of_cube(lines)
    heading = [] if cube is None else lines[1 : cube + 1]
    x = _player_x(position, state, heading)
    names = texts.first_match(_NAMES.match, heading)
    if names is not None:
        x_name = names[1].strip()
        o_name = names[2].strip()
        position.names = (x_name, o_name) if x is Player.WHITE else (o_name, x_name)
    below = 1 if cube is None else cube + 2  # the question is between them
    position.numbers = [number + at for at in kept[below:]]
    _add_analysis(position, state, lines[below:])
    return position


def _line_of_cube(lines: Sequence[str]) -> int | None:
    """The index of the line of the cube, such as `Cube: 1`, with which the heading ends; None if it is not there.

    It follows the score or the pips of X and O, or says who owns the cube. Diagrams in forums have `score: 0` and `pip:
    135` in lines of the same form.
    """
    is_below_score = False
    for at, line in enumerate(lines[:_MAX_HEADING_LENGTH]):
        cube = _CUBE.fullmatch(line) if at > 0 else None
        if cube is not None and (is_below_score or cube[2] is not None):
            return at
        if line and not line.startswith(_BOARD):
            is_below_score = bool(_SCORE.search(line) or _PIPS.search(line))
    return None


def _player_x(position: TextPosition, state: MatchState, heading: Sequence[str]) -> Player:
    """The player called X: the one on roll, unless the heading fits the XGID better the other way around."""
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
    """The fields in which the heading contradicts the XGID if this player is X."""
    differences: list[str] = []
    for line in heading:
        if line.startswith(_BOARD):
            continue
        pips = _PIPS.search(line)
        score = _SCORE.search(line)
        cube = _CUBE.fullmatch(line) if line is heading[-1] else None
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
    unread_below: dict[int, str] = {}
    version = texts.first_match(_VERSION.match, lines)
    if version is not None:  # its line comes last
        engine = " ".join(version.groups())
        end = lines.index(version.string)
        looking_like_one = texts.lines_where(texts.looks_like_a_candidate, lines)
        unread_below = {at: line for at, line in looking_like_one.items() if at > end}
        lines = lines[:end]
    candidates = _CANDIDATES.among(lines, state)
    unread = Unread({**candidates.unread.lines, **unread_below})
    position.doubt_analysis(unread.doubt)
    if state.dice is None:
        _add_cube(position, lines, engine)
    else:
        _add_plays(position, lines, candidates, engine)


def _add_cube(position: TextPosition, lines: Sequence[str], engine: str) -> None:
    lines = _with_rows_indented(lines)
    rows = _rows_at(lines)
    if not rows:
        position.doubt_analysis(_unread_rows(lines).doubt)
        return
    position.note = _note(lines[_end_of_paragraph(lines, rows.stop) :])
    position.analysis = EncodedAnalysis(Body(tuple(lines), engine), _decode_cube)


def _unread_rows(lines: Sequence[str]) -> Unread:
    return Unread(texts.lines_where(_LOOKS_LIKE_A_ROW.search, lines), "a row of a cube decision")


def _add_plays(
    position: TextPosition, lines: Sequence[str], candidates: Candidates, engine: str
) -> None:
    position.doubt_analysis(_unread_rows(lines).doubt)
    if not candidates.legal:
        return
    printed, indexes = _as_printed(lines, candidates)
    position.note = _note(printed[_end_of_figures(printed, indexes[-1]) :])
    position.doubt_analysis(_first_without_chances(lines, candidates, printed, indexes))
    position.analysis = EncodedAnalysis(Body(tuple(printed), engine), _decode_play)


def _first_without_chances(
    lines: Sequence[str], candidates: Candidates, printed: Sequence[str], indexes: Sequence[int]
) -> DoubtfulLine | None:
    """The first candidate whose chances cannot be read; None in a table that has none at all."""
    has_percents = any("%" in line for line in lines)
    for at, at_printed in zip(candidates.legal, indexes, strict=True):
        chances = _chances_on(printed[at_printed + 1 : at_printed + 3])
        if chances is None and has_percents:
            return DoubtfulLine.without_chances(at, lines[at])
    return None


def _as_printed(
    lines: Sequence[str], candidates: Candidates
) -> tuple[Sequence[str], Sequence[int]]:
    """The lines as the program prints them, whatever a web page made of its table, and the indexes of candidates."""
    printed: list[str] = []
    indexes: list[int] = []
    awaited = 0  # lines with chances
    for at, line in enumerate(lines):
        if at in candidates.legal:
            indexes.append(len(printed))
            printed.append(candidates.legal[at].printed.string)
            awaited = 2
        elif awaited > 0 and _NAMES_OF_CHANCES.fullmatch(line):
            are_chances_below = any(map(_CHANCES.search, lines[at + 1 : at + 3]))
            if not are_chances_below:
                printed.append(line)
        elif awaited > 0:
            parts = _lines_of_chances(line)
            printed += parts
            awaited -= len(parts)
        else:
            printed.append(line)
    return printed, indexes


def _lines_of_chances(line: str) -> list[str]:
    """A line divided before its second chances, and behind them."""
    chances = list(_CHANCES.finditer(line))
    if len(chances) < 2:
        return [line]
    _, second, *_ = chances
    parts = [line[: second.start()], second[0], line[second.end() :]]
    return [part for part in parts if part.strip()]


def _with_rows_indented(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a cube decision, with the indentation of its rows that a forum or an email may have removed."""
    if _rows_at(lines):
        return lines
    for at in range(len(lines) - 2):
        if all(map(_BARE_ROW.match, lines[at : at + 3])):
            rows = [f"    {line.lstrip()}" for line in lines[at : at + 3]]
            return [*lines[:at], *rows, *lines[at + 3 :]]
    return lines


def _rows_at(lines: Sequence[str]) -> range:
    """The indexes of the three lines of a cube decision; empty if they are not there."""
    for at in range(len(lines) - 2):
        if all(_ROW.match(line) and not _CANDIDATE.match(line) for line in lines[at : at + 3]):
            return range(at, at + 3)
    return range(0)


def _end_of_figures(lines: Sequence[str], last_candidate: int) -> int:
    """The line where a note may begin: below the last candidate and its chances and interval."""
    end = last_candidate + 1
    for number, line in enumerate(lines[end:], start=end + 1):
        if _CHANCES.search(line) or _INTERVAL.search(line):
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
    text = "\n".join(note)
    return "\n".join(_NEXT_DIAGRAM.sub("", text).split("\n")[:_MAX_LINES_OF_NOTE])


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    """The candidates for a roll; a text of a position does not say which was played."""
    return texts.plays_in(body, state, form=_CANDIDATES, read_row=_row)


def _row(match: re.Match[str], below: Sequence[str]) -> PrintedCandidate:
    words, equity = match.groups()
    return PrintedCandidate(
        equity=texts.to_float(equity),
        chances=_chances_on(below),
        level=_level_shown(texts.before_the_play(words)),
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
    last_word = words.lower().split(" ")[-1]
    if last_word.endswith("rollout"):  # such as "playedRollout", of a table
        return ROLLOUT
    return Level("opening book" if last_word.endswith("book") else words)


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
