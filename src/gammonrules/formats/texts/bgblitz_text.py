"""Positions as BGBlitz exports them, as text: a board, a Position ID, a Match ID, an XGID, and an analysis.

The words are translated. Red is X, at the bottom: White, as in the XGID; Green is O. Equities are those that the
program calls EMG, and MWC is the chance of winning the match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from gammonrules.equity import Chances
from gammonrules.errors import GammonError
from gammonrules.formats.texts.position_texts import TextPosition, identified, matches_of, state_of_xgid
from gammonrules.formats.texts.text_patterns import (
    NUMBER,
    candidates_in,
    chances_in,
    from_percent,
    legal,
    lines_of,
    play_in,
    six_numbers,
    to_float,
)
from gammonrules.identifiers.internals import decode_gnubg_id, possible_state
from gammonrules.match import MatchState, Player
from gammonrules.transcript import (
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    FindingKind,
    Match,
    PlayAnalysis,
    Severity,
    chances_of,
    may_be_chances,
)

FORMAT: Final = "bgblitz-text"
_ENGINE: Final = "BGBlitz"
_IDS = re.compile(r"[ \t>]{0,20}Position-ID: {1,4}([A-Za-z0-9+/]{14})(?: {1,20}Match-ID: {1,4}([A-Za-z0-9+/]{12}))?")
_SIGN = re.compile(r"(?:^|[\r\n])[ \t>]{0,20}Position-ID: {1,4}[A-Za-z0-9+/]{14}")
_XGID = re.compile(r"[ \t>]{0,20}(XGID=\S{1,120})")
_PLAYER = re.compile(r" \+[-0-9]{30,50}\+ {1,8}([OX]): (.*?)  ?([0-9]{1,3})$")
_SCORES = re.compile(r" - ([0-9]{1,5}) .{1,200}? - ([0-9]{1,5})(?: [^0-9]{1,40}([0-9]{1,5}))?")
_FIGURE = rf"({NUMBER})"
_CANDIDATE = re.compile(
    rf" {{1,6}}[0-9]{{1,4}}\. +(?:{_FIGURE} [^0-9/]{{1,12}}/ +)?{_FIGURE}"
    rf"(?: +\( *{NUMBER}\))? +(?![^0-9]{{0,12}}/ )(.*)"
)
_LOOKS_LIKE_A_CANDIDATE = re.compile(r" {1,6}[0-9]{1,4}\. ")
_ROW = re.compile(rf" ?(\S.{{0,60}}?) *[:\uff1a] +{_FIGURE} +\( *{NUMBER}\)(?: +{_FIGURE} +\( *{NUMBER}\))?$")
_LOOKS_LIKE_A_ROW = re.compile(r" ?[^:\uff1a(]{1,60}[:\uff1a] [^(]{1,30}\([^)]{0,30}\) [^(]{1,30}\(")
_PERCENTS = re.compile(rf"{_FIGURE} +{_FIGURE} +{_FIGURE}$")


@frozen
class Body:
    """The lines of an analysis, and the names of the player on roll and of the opponent."""

    lines: tuple[str, ...]
    names: tuple[str, str]


def is_bgblitz_text(text: str) -> bool:
    """Whether a text has the identifiers as BGBlitz prints them."""
    return "Position-ID:" in text and _SIGN.search(text) is not None


def begins_bgblitz_text(line: str) -> bool:
    """Whether a line is the edge of a board, or has the identifiers below it."""
    return bool(_PLAYER.match(line.rstrip()) or _IDS.match(line))


def read_bgblitz_texts(text: str) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is no position, or there are too many."""
    return matches_of(_positions(text), FORMAT)


def _positions(text: str) -> list[TextPosition]:
    lines = lines_of(text)
    anchors = identified(lines, "Position-ID:", _IDS)
    begins = [_begin_of_board(lines, before + 1, at) for before, at in zip([-1, *anchors], anchors, strict=False)]
    ends = [*begins, len(lines)][1:]
    return [
        _position(lines[begin:anchor], lines[anchor:end], anchor + 1)
        for begin, anchor, end in zip(begins, anchors, ends, strict=True)
    ]


def _begin_of_board(lines: Sequence[str], first: int, anchor: int) -> int:
    """The index of the upper edge of the board above the identifiers, or theirs if there is no board."""
    edges = [at for at in range(max(first, anchor - 20), anchor) if _PLAYER.match(lines[at])]
    return edges[-2] if len(edges) > 1 else anchor


def _position(board: Sequence[str], lines: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, lines[0].strip())
    identifiers = _IDS.match(lines[0])
    found = next((found for line in lines[1:4] if (found := _XGID.match(line))), None)
    by_gnubg = (
        None if identifiers is None or identifiers[2] is None else _by_gnubg_id(f"{identifiers[1]}:{identifiers[2]}")
    )
    position.state = by_gnubg if found is None else state_of_xgid(position, found[1])
    if position.state is None:
        if found is None:
            note = "this position is left out: it has no XGID, and its Position ID and Match ID cannot be read"
            position.findings.append((Severity.ERROR, FindingKind.UNREADABLE_LINE, note))
        return position
    edges = {edge[1]: edge[2].strip() for line in board if (edge := _PLAYER.match(line))}
    position.names = edges.get("X", ""), edges.get("O", "")
    different = _differences(position.state, by_gnubg, identifiers[1] if identifiers else "", board, lines[1:8])
    if different and found is not None:
        note = f"the XGID and the rest of the text differ in {' and '.join(different)}; the XGID is used"
        position.doubt(FindingKind.POSITION_MISMATCH, note)
    _take_analysis(position, position.state, lines)
    return position


def _by_gnubg_id(text: str) -> MatchState | None:
    try:
        return possible_state(decode_gnubg_id(text), None, None)[0]
    except GammonError:
        return None


def _differences(
    state: MatchState, other: MatchState | None, position_id: str, board: Sequence[str], lines: Sequence[str]
) -> list[str]:
    """Where the other identifiers, the pip counts and the score differ from the XGID."""
    parts = [("the position", state.position.id == position_id)]
    if other is not None:
        parts += [
            ("the player on roll", state.on_roll is other.on_roll),
            ("the dice", state.dice == other.dice),
            ("the cube", (state.cube, state.offer) == (other.cube, other.offer)),
            ("the score", (state.score, state.length) == (other.score, other.length)),
            ("the Crawford game", state.crawford == other.crawford),
        ]
    for line in board:
        if edge := _PLAYER.match(line):
            player = Player.WHITE if edge[1] == "X" else Player.BLACK
            parts.append(("the pip counts", state.view(player).pip_count == int(edge[3])))
    if score := next((found for line in lines if (found := _SCORES.search(line))), None):
        stated = int(score[2]), int(score[1])
        parts.append(
            ("the score that is printed", stated == state.score and (not score[3] or int(score[3]) == state.length))
        )
    return list(dict.fromkeys(name for name, agrees in parts if not agrees))


def _take_analysis(position: TextPosition, state: MatchState, lines: Sequence[str]) -> None:
    body = tuple(line for line in lines[1:] if line)
    damaged = next((line for at, line in enumerate(body) if _is_damaged(line, body[at + 1 : at + 2])), None)
    if damaged is not None:
        position.doubt_analysis(damaged)
    white, black = position.names
    names = (white, black) if state.on_roll is Player.WHITE else (black, white)
    if state.dice is not None and any(map(_CANDIDATE.match, body)):
        position.analysis = EncodedAnalysis(Body(body, names), decode_play)
    elif state.dice is None and len(_rows(body)) == 3:
        position.analysis = EncodedAnalysis(Body(body, names), decode_cube)


def _is_damaged(line: str, below: Sequence[str]) -> bool:
    if _LOOKS_LIKE_A_CANDIDATE.match(line):
        return not _CANDIDATE.match(line) or not below or six_numbers(below[0]) is None
    return _LOOKS_LIKE_A_ROW.match(line) is not None and not _ROW.match(line)


def decode_play(data: object, state: MatchState) -> PlayAnalysis | None:
    """The candidates for a roll."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    found = candidates_in(data.lines, _CANDIDATE, lambda found, below: _candidate(found, below, state))
    return PlayAnalysis(tuple(candidate for _, candidate in found), engine=_ENGINE) if found else None


def _candidate(found: re.Match[str], below: Sequence[str], state: MatchState) -> Candidate | None:
    play = legal(state.legal_plays, play_in(found[3].replace(",", " ")))
    if play is None:
        return None
    chances = chances_in(below[0]) if below else None
    return Candidate(str(play), play.position, to_float(found[2]), chances, mwc=_chance_of_match(found[1]))


def _chance_of_match(text: str | None) -> float | None:
    mwc = None if text is None else to_float(text)
    return mwc if mwc is not None and 0 <= mwc <= 1 else None


def _rows(body: Sequence[str]) -> list[re.Match[str]]:
    """The three equities of a cube decision; other figures have no difference after them."""
    return [found for found in map(_ROW.match, body) if found is not None]


def decode_cube(data: object, _state: MatchState) -> CubeAnalysis | None:
    """The equities of a cube decision: the names of doubles have a slash, and a pass is worth 1."""
    assert isinstance(data, Body)  # noqa: S101 - it was made for this
    rows = [
        (found[1], to_float(found[3] or found[2]), _chance_of_match(found[2] if found[3] else None))
        for found in _rows(data.lines)
    ]
    quiet = [row for row in rows if "/" not in row[0]]
    doubled = sorted((row for row in rows if "/" in row[0]), key=lambda row: abs(row[1] - 1))
    if len(quiet) != 1 or len(doubled) != 2:
        return None
    (_, no_double, first), (_, passed, third), (_, taken, second) = quiet[0], *doubled
    mwc = (first, second, third)
    chances = _chances(data.names, data.lines)
    return CubeAnalysis(no_double, taken, passed, chances, mwc=None if None in mwc else mwc, engine=_ENGINE)


def _chances(names: Sequence[str], body: Sequence[str]) -> Chances | None:
    """The chances of the player on roll, and of the opponent, whose names begin their lines."""
    both = list[tuple[float, ...]]()
    for name in names:
        lines = (line.strip() for line in body)
        figures = (_PERCENTS.fullmatch(line[len(name) :].strip()) for line in lines if name and line.startswith(name))
        found = next((found for found in figures if found is not None), None)
        if found is not None:
            both.append(tuple(map(from_percent, found.groups())))
    if len(both) != 2 or max(*both[0], *both[1]) > 1:
        return None
    five = *both[0], *both[1][1:]
    return chances_of(*five) if may_be_chances(five) else None
