"""Positions as eXtreme Gammon exports them, as text: blocks that begin with `XGID=`.

The words are translated, so lines are known by their order and their numbers. X is the player on roll, whom the XGID
may have at the top (its turn is then -1): the program draws every board from that side. White is the bottom player of
the XGID, as everywhere in the library.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gammonrules.formats.texts.position_texts import TextPosition, identified, matches_of, state_of_xgid
from gammonrules.formats.texts.text_patterns import Body, lines_of
from gammonrules.formats.texts.xg_analysis import decode_cube, decode_play, indented, shape_of
from gammonrules.match import MatchState, Player
from gammonrules.transcript import EncodedAnalysis, FindingKind, Match

FORMAT: Final = "xg-text"
XGID_LINE: Final = re.compile(r"[ \t>]{0,20}(XGID=[-A-Pa-p]{26}:\S{1,80})")
_QUOTED = re.compile(r"[ \t]{0,20}(?:> ?){1,20}")
_SIGN = re.compile(r"(?:^|[\r\n])[ \t>]{0,20}XGID=[-A-Pa-p]{26}:")
_MATCH_LINE = re.compile(r"(?:^|[\r\n])[ \t]{0,20}[0-9]{1,6}[ -]points?[ ]match[ \t]{0,80}[\r\n]", re.IGNORECASE)
_NAMES = re.compile(r"X:(.*?)(?: {2,}|\t)O:(.*)")
_SCORE = re.compile(r"X: ?([0-9]{1,5}) +O: ?([0-9]{1,5})(?:\D{1,40}([0-9]{1,5}))?")
_PIPS = re.compile(r"X: ?([0-9]{1,3}) +O: ?([0-9]{1,3}) +X-O:")
_CUBE = re.compile(r"\S{1,30}[:\uff1a] ?([0-9]{1,8})(?:, ([XO])\b.*)?")
_VERSION = re.compile(r"eXtreme Gammon Version: ?([0-9A-Za-z.+-]{1,40})")


def is_xg_text(text: str) -> bool:
    """Whether a text has a line that begins with an XGID, before any line that begins a match of the .mat family."""
    sign = _SIGN.search(text) if "XGID=" in text else None
    return sign is not None and not _MATCH_LINE.search(text, 0, sign.start() + 1)


def read_xg_texts(text: str) -> tuple[Match, ...]:
    """Read all positions. Raises ParseError if there is no position, or there are too many."""
    return matches_of(_positions(text), FORMAT)


def _positions(text: str) -> list[TextPosition]:
    lines = lines_of(text)
    begins = identified(lines, "XGID=", XGID_LINE)
    ends = [*begins, len(lines)][1:]
    return [_position(_unquoted(lines[begin:end]), begin + 1) for begin, end in zip(begins, ends, strict=True)]


def _unquoted(lines: list[str]) -> list[str]:
    """The lines of a block without the `>` of a quotation, as in email, if its first line has it."""
    return (
        [line[found.end() :] if (found := _QUOTED.match(line)) else line for line in lines]
        if _QUOTED.match(lines[0])
        else lines
    )


def _position(lines: Sequence[str], number: int) -> TextPosition:
    position = TextPosition(number, lines[0].strip())
    found = XGID_LINE.match(lines[0])
    state = None if found is None else state_of_xgid(position, found[1])
    position.state = state
    if state is None:
        return position
    top = _end_of_heading(lines)
    x = _compare(position, state, lines[1:top])
    names = next((found for line in lines[1:top] if (found := _NAMES.match(line))), None)
    if names is not None:
        pair = names[1].strip(), names[2].strip()
        position.names = pair if x is Player.WHITE else (pair[1], pair[0])
    _take_analysis(position, state, lines[top:])
    return position


def _end_of_heading(lines: Sequence[str]) -> int:
    """The index of the first line of the analysis: after the cube and the question, or else after the XGID."""
    for at in range(1, min(len(lines), 40)):
        if _CUBE.fullmatch(lines[at]):
            return min(at + 2, len(lines))
    return 1


def _differences(state: MatchState, x: Player, heading: Sequence[str]) -> list[str]:
    """Where the heading contradicts the XGID if this player is X."""
    different = list[str]()
    for line in heading:
        if line.startswith((" ", "|", "+")):
            continue
        if pips := _PIPS.search(line):
            counts = state.view(x).pip_count, state.view(x.opponent).pip_count
            different += ["the pip counts"] * ((int(pips[1]), int(pips[2])) != counts)
        elif score := _SCORE.search(line):
            stated = int(score[1]), int(score[2])
            different += ["the score"] * (stated != (state.score[x], state.score[x.opponent]))
            length = int(score[3]) if score[3] else None
            different += ["the length of the match"] * (length != state.length)
        elif cube := _CUBE.fullmatch(line):
            owner = None if cube[2] is None else x if cube[2] == "X" else x.opponent
            different += ["the cube"] * ((int(cube[1]), owner) != (state.cube.value, state.cube.owner))
    return different


def _compare(position: TextPosition, state: MatchState, heading: Sequence[str]) -> Player:
    """Who X is: the player on roll, unless the heading fits the XGID better the other way around."""
    on_roll = state.on_roll or Player.WHITE
    options = [(player, _differences(state, player, heading)) for player in (on_roll, on_roll.opponent)]
    x, different = min(options, key=lambda option: len(option[1]))
    if different:
        note = f"the XGID and the words below it differ in {' and '.join(different)}; the XGID is used"
        position.doubt(FindingKind.POSITION_MISMATCH, note)
    return x


def _take_analysis(position: TextPosition, state: MatchState, lines: Sequence[str]) -> None:
    """The analysis, as text, and the note of the user."""
    version = next((at for at, line in enumerate(lines) if _VERSION.match(line)), len(lines))
    found = _VERSION.match(lines[version]) if version < len(lines) else None
    engine = f"eXtreme Gammon {found[1]}" if found else "eXtreme Gammon"
    body = indented(lines[:version])
    shape = shape_of(body)
    position.note = shape.note
    if shape.damaged:
        position.doubt_analysis(shape.damaged)
    if state.dice is not None and shape.candidates:
        position.analysis = EncodedAnalysis(Body(tuple(body), engine), decode_play)
    elif state.dice is None and shape.cube:
        position.analysis = EncodedAnalysis(Body(tuple(body), engine), decode_cube)
