"""Positions as BGBlitz exports them, as text: a board, a Position ID, a Match ID, an XGID, and an analysis.

The words are translated. Red is X, at the bottom: White, as in the XGID; Green is O. Equities are those that the
program calls EMG, and MWC is the chance of winning the match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, zip_longest
from typing import Final

from attrs import frozen

from gammonrules.analysis import Chances, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.errors import GammonError
from gammonrules.identifiers.internals import decode_gnubg_id, possible_state
from gammonrules.match import MatchState, Player
from gammonrules.records.formats.pasted_texts import xgid_in
from gammonrules.records.formats.texts import text_patterns as texts
from gammonrules.records.formats.texts.text_patterns import (
    NUMBER,
    Body,
    CandidateForm,
    DoubtfulLine,
    PrintedCandidate,
    TextPosition,
    Unread,
)
from gammonrules.records.transcript import Match

_ENGINE: Final = "BGBlitz"
_HIGHEST_BOARD: Final = 20
"""The most lines of a board, from its upper edge to the identifiers."""
_END_OF_IDS: Final = 8
"""The line before which the score is printed, counted from that of the identifiers."""
_END_OF_XGID: Final = 4
"""The line before which the XGID is, counted in the same way."""
_IDS = re.compile(
    r"[ \t>]{0,20}Position-ID: {1,4}([A-Za-z0-9+/]{14})(?: {1,20}Match-ID: {1,4}([A-Za-z0-9+/]{12}))?",
    re.IGNORECASE,
)
_SIGN = re.compile(f"(?m)^{_IDS.pattern}", _IDS.flags)
_PLAYER = re.compile(
    r" ?\+[-0-9]{30,50}\+ {1,8}(?P<letter>[OX]): (?P<name>.*?)  ?(?P<pips>[0-9]{1,3})$"
)
"""The edge of a board, with a player beside it."""
_SCORES = re.compile(r" - ([0-9]{1,5}) .{1,200}? - ([0-9]{1,5})(?: [^0-9]{1,40}([0-9]{1,5}))?")
_FIGURE = rf"({NUMBER})"
_CANDIDATE = re.compile(
    rf" {{0,6}}[0-9]{{1,4}}\. *(?:{_FIGURE} [^0-9/]{{1,12}}/ *)?{_FIGURE}"
    rf"(?: *\( *{NUMBER}\))? +(?![^0-9]{{0,12}}/ )(.*)"
)
_LOOKS_LIKE_A_CANDIDATE = re.compile(
    r"(?i) {0,6}[0-9]{1,4}\. {0,9}[+-]?(?:[0-9]{1,4}[.,][0-9]|nan|inf).*[0-9r]/(?:off|[0-9])"
)
_BEGINS_A_CANDIDATE = re.compile(r" {1,6}[0-9]{1,4}\. ")
_ROW = re.compile(
    rf" ?(\S.{{0,60}}?) *[:\uff1a] *{_FIGURE} *\( *{NUMBER}\)(?: *{_FIGURE} *\( *{NUMBER}\))?$"
)
_LOOKS_LIKE_A_ROW = re.compile(r" ?[^:\uff1a(]{1,60}[:\uff1a][^(]{1,30}\([^)]{0,30}\)[^(]{1,30}\(")
_ROWS_OF_CUBE: Final = 3
"""No double, the take and the drop."""
_PERCENTS = re.compile(rf"{_FIGURE} +{_FIGURE} +{_FIGURE}$")


def _has_rank_number_and_move(line: str) -> bool:
    """Whether a line begins with a rank and a number, and has a move."""
    return _LOOKS_LIKE_A_CANDIDATE.match(line) is not None


_CANDIDATES: Final = CandidateForm(_CANDIDATE, _has_rank_number_and_move)


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
    begins: list[int] = []
    for anchor_above, anchor in pairwise([-1, *anchors]):
        begins.append(_begin_of_board(lines, anchor_above + 1, anchor))
    positions: list[TextPosition] = []
    ends = [*begins[1:], len(lines)]  # each position ends where the next one begins
    for begin, anchor, end in zip(begins, anchors, ends, strict=False):
        board = lines[begin:anchor]
        positions.append(_position_shown(board, lines[anchor:end], anchor + 1))
    texts.doubt_above(positions, lines)
    return texts.matches_of(positions, "bgblitz-text")


def _begin_of_board(lines: Sequence[str], first: int, anchor: int) -> int:
    """The index of the upper edge of the board above the identifiers, or theirs if there is no board."""
    filled = [at for at in range(first, anchor) if lines[at]]
    edges = [at for at in filled[-_HIGHEST_BOARD:] if _PLAYER.match(lines[at])]
    if len(edges) < 2:
        return anchor
    upper_edge, _ = edges[-2:]
    return upper_edge


def _position_shown(board: Sequence[str], block: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, block[0].strip())
    filled = [at for at, line in enumerate(block) if line]
    lines = [block[at] for at in filled]
    position.numbers = [number + at for at in filled[1:]]  # below the identifiers
    identifiers = _IDS.match(lines[0])
    position_id = identifiers[1] if identifiers is not None else ""
    match_id = identifiers[2] if identifiers is not None else None
    state_of_ids = None if match_id is None else _state_of_gnubg_id(f"{position_id}:{match_id}")
    xgid = _xgid_below(lines)
    if xgid is not None:
        state = texts.state_of_xgid(position, xgid)  # which reports why, if it cannot be read
    else:
        state = state_of_ids
        if state is None:
            position.refuse("it has no XGID, and its Position ID and Match ID cannot be read")
    if state is None:
        return position
    position.state = state
    edges = [edge for edge in map(_PLAYER.match, board) if edge is not None]
    names = {edge["letter"]: edge["name"].strip() for edge in edges}
    position.names = (names.get("X", ""), names.get("O", ""))
    if xgid is not None:
        differences = [
            *_differences_of_ids(state, state_of_ids, position_id),
            *_differences_of_board(state, edges),
            *_differences_of_score(state, lines[1:_END_OF_IDS]),
        ]
        without_repeats = list(dict.fromkeys(differences))
        position.doubt("the rest of the text", without_repeats)
    _take_analysis(position, state, lines)
    return position


def _state_of_gnubg_id(identifier: str) -> MatchState | None:
    with suppress(GammonError):
        state, _ = possible_state(decode_gnubg_id(identifier), None, None)
        return state
    return None


def _xgid_below(lines: Sequence[str]) -> str | None:
    """The XGID near below the other identifiers."""
    for line in lines[1:_END_OF_XGID]:
        xgid = xgid_in(line)
        if xgid is not None:
            return xgid
    return None


def _differences_of_ids(
    state: MatchState, state_of_ids: MatchState | None, position_id: str
) -> Iterator[str]:
    """The fields in which the state of the XGID differs from that of the other identifiers."""
    if state.position.id != position_id:
        yield "the position"
    if state_of_ids is None:
        return
    if state.on_roll is not state_of_ids.on_roll:
        yield "the player on roll"
    if state.dice != state_of_ids.dice:
        yield "the dice"
    if state.cube != state_of_ids.cube or state.offer != state_of_ids.offer:
        yield "the cube"
    if state.score != state_of_ids.score or state.length != state_of_ids.length:
        yield "the score"
    if state.crawford != state_of_ids.crawford:
        yield "the Crawford game"


def _differences_of_board(state: MatchState, edges: Sequence[re.Match[str]]) -> Iterator[str]:
    for edge in edges:
        player = Player.WHITE if edge["letter"] == "X" else Player.BLACK
        if state.view(player).pip_count != int(edge["pips"]):
            yield "the pip counts"


def _differences_of_score(state: MatchState, lines: Sequence[str]) -> Iterator[str]:
    score = texts.first_match(_SCORES.search, lines)
    if score is None:
        return
    green, red, length = score.groups()  # Red is White
    is_same_score = (int(red), int(green)) == state.score
    is_same_length = length is None or int(length) == state.length
    if not is_same_score or not is_same_length:
        yield "the score that is printed"


def _take_analysis(position: TextPosition, state: MatchState, lines: Sequence[str]) -> None:
    body = tuple(lines[1:])
    unread = _CANDIDATES.among(body, state).unread
    position.doubt_analysis(unread.doubt)
    position.doubt_analysis(_first_broken_line(body, unread))
    white, black = position.names
    # of the player on roll, and of the opponent
    names = (white, black) if state.on_roll is Player.WHITE else (black, white)
    if state.dice is not None and any(map(_has_rank_number_and_move, body)):
        position.analysis = EncodedAnalysis(Body(body, _ENGINE), _decode_play)
    elif state.dice is None and len(_rows(body)) == _ROWS_OF_CUBE:
        position.analysis = EncodedAnalysis(Body(body, _ENGINE, names), _decode_cube)
    else:
        rows = texts.lines_where(_ROW.match, body)
        position.doubt_analysis(Unread(rows, "a row of a cube decision").doubt)


def _first_broken_line(body: Sequence[str], unread: Unread) -> DoubtfulLine | None:
    """The first candidate without chances, or line that looks like a candidate or a row and cannot be read as one."""
    for at, (line, line_below) in enumerate(zip_longest(body, body[1:], fillvalue="")):
        if at in unread.lines:
            continue
        if _BEGINS_A_CANDIDATE.match(line) or _has_rank_number_and_move(line):
            if _CANDIDATE.match(line) is None:
                return Unread({at: line}).doubt
            if texts.chances_in(line_below) is None:
                return DoubtfulLine.without_chances(at, line)
        elif _LOOKS_LIKE_A_ROW.match(line) and not _ROW.match(line):
            return Unread({at: line}, "a row of a cube decision").doubt
    return None


def _decode_play(body: Body, state: MatchState) -> PlayAnalysis | None:
    return texts.plays_in(body, state, form=_CANDIDATES, read_row=_row)


def _row(match: re.Match[str], below: Sequence[str]) -> PrintedCandidate:
    return PrintedCandidate(
        equity=texts.to_float(match[2]),
        chances=texts.chances_in(below[0]) if below else None,
        mwc=_chance_of_match(match[1]),
    )


def _chance_of_match(text: str | None) -> float | None:
    mwc = None if text is None else texts.to_float(text)
    return mwc if mwc is not None and 0 <= mwc <= 1 else None


def _rows(body: Sequence[str]) -> list[re.Match[str]]:
    """The three equities of a cube decision; other figures have no difference after them."""
    return [row for row in map(_ROW.match, body) if row is not None]


@frozen
class _CubeRow:
    """A row of a cube decision."""

    name: str
    equity: float
    mwc: float | None

    @classmethod
    def of(cls, row: re.Match[str]) -> _CubeRow:
        """Its first number is the chance of winning the match if there is a second one, the equity."""
        if row[3]:
            return cls(row[1], texts.to_float(row[3]), _chance_of_match(row[2]))
        return cls(row[1], texts.to_float(row[2]), None)


def _decode_cube(body: Body, _state: MatchState) -> CubeAnalysis | None:
    """The equities of a cube decision, whose rows are in any order.

    The names of the rows after a double have a slash; of these two the drop is the one that is nearer to its worth, 1.
    """
    rows = [_CubeRow.of(row) for row in _rows(body.lines)]
    without_double = [row for row in rows if "/" not in row.name]
    after_double = [row for row in rows if "/" in row.name]
    if len(without_double) != 1 or len(after_double) != 2:
        return None
    no_double = without_double[0]
    drop, take = sorted(after_double, key=lambda row: abs(row.equity - 1))
    mwc = None
    if no_double.mwc is not None and take.mwc is not None and drop.mwc is not None:
        mwc = (no_double.mwc, take.mwc, drop.mwc)
    return CubeAnalysis(
        no_double.equity,
        take.equity,
        drop.equity,
        chances=_chances_below(body),
        mwc=mwc,
        engine=_ENGINE,
    )


def _chances_below(body: Body) -> Chances | None:
    """The chances of the player on roll, and of the opponent, whose names begin their lines."""
    six: list[float] = []
    for name in body.names:
        six += _percents_of(name, body.lines)
    return texts.chances_of_both(six) if len(six) == 6 and max(six) <= 1 else None


def _percents_of(name: str, lines: Sequence[str]) -> list[float]:
    """The three chances of a player; none if no line has them."""
    if not name:
        return []
    for line in map(str.strip, lines):
        if line.startswith(name):
            percents = _PERCENTS.fullmatch(line.removeprefix(name).strip())
            if percents is not None:
                return [texts.from_percent(number) for number in percents.groups()]
    return []
