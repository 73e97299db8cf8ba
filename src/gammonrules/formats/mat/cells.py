"""A cell of a row: what was done, as written."""

from __future__ import annotations

import re
from enum import StrEnum, auto

from attrs import frozen

from gammonrules.board.internals import Maker
from gammonrules.match import Player

LONGEST_LINE = 2_000
"""Characters; no program of the family writes lines longer than 1,023 bytes."""
# Digits and words are those of ASCII: no dialect has other digits, or a long s.
_WORDS = (
    r"(?=[0-9bcdlrtw])(?<![\w/*(])(?:(?P<dice>[0-9]{2}):|(?P<number>[0-9]{1,5})\)"
    r"|(?P<word>(?a:(?:re)?doubles?|takes?|drops?|beavers?|raccoons?|wins|losses|concedes?|resigns?))\b)"
)
START = re.compile(_WORDS, re.IGNORECASE)
START_OR_HIDDEN = re.compile(_WORDS + r"|(?<![\w?*/)(])(?P<hidden>\?{3,4})(?!\S)", re.IGNORECASE)
"""The same for lines with a question mark: `????` may be a separate cell."""
_CUBE = re.compile(r"\w+(?:\s{0,40}={1,2}>\s{0,40}([0-9]{1,9}))?")
_POINTS = re.compile(r"\w+(?:\s+(-?[0-9]{1,9})\s*points?(\s+and\s+the\s+match)?)?", re.IGNORECASE)


class CellKind(StrEnum):
    ROLL = auto()
    DOUBLE = auto()
    TAKE = auto()
    DROP = auto()
    BEAVER = auto()
    WINS = auto()
    LOSSES = auto()
    CONCEDES = auto()
    UNREADABLE = auto()


END_WORDS = dict.fromkeys((CellKind.WINS, CellKind.LOSSES, CellKind.CONCEDES))
"""A set that keeps its order."""
LOSERS_WORDS = frozenset((CellKind.LOSSES, CellKind.CONCEDES))
"""Those in the cells of the player who lost; a lone `????` counts as one, a resignation without a roll."""
_KINDS = {
    "dou": CellKind.DOUBLE,
    "red": CellKind.DOUBLE,
    "tak": CellKind.TAKE,
    "dro": CellKind.DROP,
    "bea": CellKind.BEAVER,
    "rac": CellKind.BEAVER,
    "win": CellKind.WINS,
    "los": CellKind.LOSSES,
    "con": CellKind.CONCEDES,
    "res": CellKind.CONCEDES,
}


@frozen
class Cell:
    """One action as written: who, what, and where in the file."""

    kind: CellKind
    side: Player | None
    row: int | None
    line: int
    text: str
    dice: str = ""
    play: str = ""
    value: int | None = None
    and_the_match: bool = False


_make_cell = Maker(Cell, "kind", "side", "row", "line", "text", "dice", "play", "value", "and_the_match").make
"""For most cells: the cell of a roll is made in fewer steps."""


def kind_of(match: re.Match[str]) -> CellKind:
    if match.lastgroup == "hidden":
        return CellKind.CONCEDES
    return CellKind.ROLL if match.lastgroup == "dice" else _KINDS[match["word"][:3].lower()]


def cell_of(kind: CellKind, side: Player | None, row: int | None, line: int, text: str) -> Cell:
    if kind is CellKind.ROLL:
        return roll_of(side, row, line, text)
    match = (_POINTS if kind in END_WORDS else _CUBE).fullmatch(text)
    if kind is CellKind.CONCEDES and match is None:
        return Cell(kind, side, row, line, text)
    if match is None:
        return Cell(CellKind.UNREADABLE, side, row, line, text)
    value = int(match[1]) if match[1] else None
    return Cell(kind, side, row, line, text, value=value, and_the_match=kind in END_WORDS and bool(match[2]))


def roll_of(side: Player | None, row: int | None, line: int, text: str) -> Cell:
    """The cell of a roll, which begins with two digits and a colon."""
    return _make_cell(CellKind.ROLL, side, row, line, text, text[:2], text[3:].strip(), None, False)
