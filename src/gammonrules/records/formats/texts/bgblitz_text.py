"""Positions as BGBlitz exports them, as text: a board, a Position ID, a Match ID, an XGID, and an analysis.

The words are translated. Red is X, at the bottom: White, as in the XGID; Green is O. Equities are those that the
program calls EMG, and MWC is the chance of winning the match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from gammonrules.equity import Chances
from gammonrules.errors import GammonError
from gammonrules.identifiers.internals import decode_gnubg_id, possible_state
from gammonrules.match import MatchState, Player
from gammonrules.records.formats.pasted_texts import xgid_in
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import NUMBER, Body, Row, TextPosition
from gammonrules.records.transcript import (
    UNKNOWN,
    CubeAnalysis,
    EncodedAnalysis,
    FindingKind,
    Match,
    PlayAnalysis,
    Severity,
    cube_of,
)

_ENGINE: Final = "BGBlitz"
_HIGHEST_BOARD: Final = 20
"""The most lines of a board, from its upper edge to the identifiers."""
_IDS = re.compile(
    r"[ \t>]{0,20}Position-ID: {1,4}([A-Za-z0-9+/]{14})(?: {1,20}Match-ID: {1,4}([A-Za-z0-9+/]{12}))?",
    re.IGNORECASE,
)
_SIGN = re.compile(f"(?m)^{_IDS.pattern}", _IDS.flags)
_PLAYER = re.compile(r" ?\+[-0-9]{30,50}\+ {1,8}([OX]): (.*?)  ?([0-9]{1,3})$")
_SCORES = re.compile(r" - ([0-9]{1,5}) .{1,200}? - ([0-9]{1,5})(?: [^0-9]{1,40}([0-9]{1,5}))?")
_FIGURE = rf"({NUMBER})"
_CANDIDATE = re.compile(
    rf" {{1,6}}[0-9]{{1,4}}\. +(?:{_FIGURE} [^0-9/]{{1,12}}/ +)?{_FIGURE}"
    rf"(?: +\( *{NUMBER}\))? +(?![^0-9]{{0,12}}/ )(.*)"
)
_LOOKS_LIKE_A_CANDIDATE = re.compile(r" {1,6}[0-9]{1,4}\. ")
_ROW = re.compile(
    rf" ?(\S.{{0,60}}?) *[:\uff1a] +{_FIGURE} +\( *{NUMBER}\)(?: +{_FIGURE} +\( *{NUMBER}\))?$"
)
_LOOKS_LIKE_A_ROW = re.compile(
    r" ?[^:\uff1a(]{1,60}[:\uff1a] [^(]{1,30}\([^)]{0,30}\) [^(]{1,30}\("
)
_PERCENTS = re.compile(rf"{_FIGURE} +{_FIGURE} +{_FIGURE}$")


def is_bgblitz_text(text: str) -> bool:
    """Whether a text has the identifiers as BGBlitz prints them."""
    return "position-id:" in text.lower() and _SIGN.search(text) is not None


def begins_bgblitz_text(line: str) -> bool:
    """Whether a line is the edge of a board, or has the identifiers below it."""
    return bool(_PLAYER.match(line.rstrip()) or _IDS.match(line))


def read_bgblitz_texts(text: str) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is no position, or there are too many."""
    lines = texts.lines_of(text)
    anchors = texts.identified(lines, _IDS)
    begins = [
        _begin_of_board(lines, before + 1, at)
        for before, at in zip([-1, *anchors], anchors, strict=False)
    ]
    ends = [*begins, len(lines)][1:]
    positions = [
        _position_shown(
            lines[begin:anchor], [line for line in lines[anchor:end] if line], anchor + 1
        )
        for begin, anchor, end in zip(begins, anchors, ends, strict=True)
    ]
    return texts.matches_of(positions, "bgblitz-text")


def _begin_of_board(lines: Sequence[str], first: int, anchor: int) -> int:
    """The index of the upper edge of the board above the identifiers, or theirs if there is no board."""
    near = [at for at in range(first, anchor) if lines[at]][-_HIGHEST_BOARD:]
    edges = [at for at in near if _PLAYER.match(lines[at])]
    return edges[-2] if len(edges) > 1 else anchor


def _position_shown(board: Sequence[str], lines: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, lines[0].strip())
    identifiers = _IDS.match(lines[0])
    xgid = next(filter(None, map(xgid_in, lines[1:4])), None)
    position_id, match_id = ("", None) if identifiers is None else identifiers.groups()
    by_gnubg: MatchState | None = None
    with suppress(GammonError):
        by_gnubg = (
            possible_state(decode_gnubg_id(f"{position_id}:{match_id}"), None, None)[0]
            if match_id
            else None
        )
    state = position.state = by_gnubg if xgid is None else texts.state_of_xgid(position, xgid)
    if state is None:
        if xgid is None:
            note = "this position is left out: it has no XGID, and its Position ID and Match ID cannot be read"
            position.findings.append((Severity.ERROR, FindingKind.UNREADABLE_LINE, note))
        return position
    edges = [edge for edge in map(_PLAYER.match, board) if edge is not None]
    names = {edge[1]: edge[2].strip() for edge in edges}
    position.names = names.get("X", ""), names.get("O", "")
    if xgid is not None:
        position.doubt(
            "the rest of the text",
            _disagreements(state, by_gnubg, position_id, edges, lines=lines[1:8]),
        )
    _take_analysis(position, state, lines)
    return position


def _disagreements(
    state: MatchState,
    by_gnubg: MatchState | None,
    position_id: str,
    edges: list[re.Match[str]],
    lines: Sequence[str],
) -> list[str]:
    parts = [("the position", state.position.id == position_id)]
    if by_gnubg is not None:
        parts += [
            ("the player on roll", state.on_roll is by_gnubg.on_roll),
            ("the dice", state.dice == by_gnubg.dice),
            ("the cube", (state.cube, state.offer) == (by_gnubg.cube, by_gnubg.offer)),
            ("the score", (state.score, state.length) == (by_gnubg.score, by_gnubg.length)),
            ("the Crawford game", state.crawford == by_gnubg.crawford),
        ]
    for edge in edges:
        player = Player.WHITE if edge[1] == "X" else Player.BLACK
        parts.append(("the pip counts", state.view(player).pip_count == int(edge[3])))
    if score := texts.first_match(_SCORES.search, lines):
        stated = int(score[2]), int(score[1]), int(score[3]) if score[3] else state.length
        parts.append(("the score that is printed", stated == (*state.score, state.length)))
    return list(dict.fromkeys(name for name, agrees in parts if not agrees))


def _take_analysis(position: TextPosition, state: MatchState, lines: Sequence[str]) -> None:
    body = tuple(lines[1:])
    position.doubt_analysis(
        line for at, line in enumerate(body) if _is_broken_row(line, body[at + 1 : at + 2])
    )
    white, black = position.names
    names = (white, black) if state.on_roll is Player.WHITE else (black, white)
    if state.dice is not None and any(map(_CANDIDATE.match, body)):
        position.analysis = EncodedAnalysis(Body(body, _ENGINE), _decode_play)
    elif state.dice is None and len(_rows(body)) == 3:
        position.analysis = EncodedAnalysis(Body(body, _ENGINE, names), _decode_cube)


def _is_broken_row(line: str, below: Sequence[str]) -> bool:
    if _LOOKS_LIKE_A_CANDIDATE.match(line):
        return not _CANDIDATE.match(line) or not below or texts.chances_in(below[0]) is None
    return _LOOKS_LIKE_A_ROW.match(line) is not None and not _ROW.match(line)


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    return texts.plays_in(body, state, pattern=_CANDIDATE, read=_row)


def _row(match: re.Match[str], below: Sequence[str], _state: MatchState) -> Row:
    chances = texts.chances_in(below[0]) if below else None
    return (
        match[3].replace(",", " "),
        texts.to_float(match[2]),
        chances,
        UNKNOWN,
        None,
        _chance_of_match(match[1]),
    )


def _chance_of_match(text: str | None) -> float | None:
    mwc = None if text is None else texts.to_float(text)
    return mwc if mwc is not None and 0 <= mwc <= 1 else None


def _rows(body: Sequence[str]) -> list[re.Match[str]]:
    """The three equities of a cube decision; other figures have no difference after them."""
    return [row for row in map(_ROW.match, body) if row is not None]


def _decode_cube(body: Body, _state: MatchState) -> CubeAnalysis | None:
    """The equities of a cube decision: the names of doubles have a slash, and a drop is worth 1."""
    figures = [(row[1], row[3] or row[2], row[2] if row[3] else None) for row in _rows(body.lines)]
    rows = [
        (name, texts.to_float(equity), _chance_of_match(chance)) for name, equity, chance in figures
    ]
    quiet = [row for row in rows if "/" not in row[0]]
    doubled = sorted((row for row in rows if "/" in row[0]), key=lambda row: abs(row[1] - 1))
    if len(quiet) != 1 or len(doubled) != 2:
        return None
    (_, no_double, first) = quiet[0]
    (_, taken, second) = doubled[1]
    (_, dropped, third) = doubled[0]
    mwc = None if None in (first, second, third) else (first, second, third)
    return cube_of(
        (no_double, taken, dropped), [_chances_below(body)], UNKNOWN, mwc=mwc, engine=_ENGINE
    )


def _chances_below(body: Body) -> Chances | None:
    """The chances of the player on roll, and of the opponent, whose names begin their lines."""
    six = list[float]()
    for name in filter(None, body.names):
        figures = (
            line.strip()[len(name) :].strip()
            for line in body.lines
            if line.strip().startswith(name)
        )
        if (percents := texts.first_match(_PERCENTS.fullmatch, figures)) is not None:
            six += map(texts.from_percent, percents.groups())
    return texts.chances_of_both(six) if len(six) == 6 and max(six) <= 1 else None
