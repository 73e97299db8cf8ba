"""The cells of a game: what was done, as written, and where a row ends and which player a cell belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum, auto
from itertools import zip_longest
from typing import NamedTuple

from attrs import Factory, define

from gammonrules.match import Cube, Player

LONGEST_LINE = 2_000
"""Characters; no program of the family writes lines longer than 1,023 bytes."""
_LEFT_CELLS_END = 24
# Digits and words are those of ASCII: no dialect has other digits, or a long s.
_WORDS = (
    r"(?=[0-9bcdlrtw])(?<![\w/*(])(?:(?P<dice>[0-9]{2}):|(?P<number>[0-9]{1,5})\)"
    r"|(?P<word>(?a:(?:re)?doubles?|takes?|drops?|beavers?|raccoons?|wins|losses|concedes?|resigns?"
    r"|resigned\s{1,9}(?:game|match)))\b)"
)
_START = re.compile(_WORDS, re.IGNORECASE)
_START_OR_HIDDEN = re.compile(
    _WORDS + r"|(?<![\w?*/)(])(?P<hidden>\?{3,4}|cannot\s{1,9}move)(?!\S)", re.IGNORECASE
)
"""The same for lines with `????` or `Cannot Move`, which may be separate cells."""
_CUBE = re.compile(r"\w+(?:\s{0,40}={1,2}>\s{0,40}([0-9]{1,9}))?")
_POINTS = re.compile(r"\w+(?:\s+(-?[0-9]{1,9})\s*points?(\s+and\s+the\s+match)?)?", re.IGNORECASE)


class CellKind(StrEnum):
    ROLL = auto()
    DOUBLE = auto()
    TAKE = auto()
    DROP = auto()
    BEAVER = auto()
    PASS = auto()
    """A turn without a play whose roll is not shown."""
    WINS = auto()
    LOSSES = auto()
    CONCEDES = auto()
    RESIGNED = auto()
    UNREADABLE = auto()


END_WORDS = dict.fromkeys((CellKind.WINS, CellKind.LOSSES, CellKind.CONCEDES, CellKind.RESIGNED))
"""A set that keeps its order."""
WINNERS_WORDS = frozenset((CellKind.WINS, CellKind.RESIGNED))
"""Those in the cells of the player who won; the other one has resigned, as OpenGammon writes it."""
LOSERS_WORDS = frozenset((CellKind.LOSSES, CellKind.CONCEDES))
"""Those in the cells of the player who lost; a lone `????` counts as one, a resignation without a roll."""
_OTHER_WORDS = {
    "red": CellKind.DOUBLE,
    "rac": CellKind.BEAVER,
    "res": CellKind.CONCEDES,
    "???": CellKind.CONCEDES,
    "can": CellKind.PASS,
}
_TWO_WORDS = {
    CellKind.PASS: re.compile(r"cannot\s+move", re.IGNORECASE),
    CellKind.RESIGNED: re.compile(r"resigned\s+(?:game|match)", re.IGNORECASE),
}
"""Cells with nothing else in them."""
_KINDS = {kind[:3]: kind for kind in CellKind} | _OTHER_WORDS
"""By the first three letters of a word."""


class Cell(NamedTuple):
    kind: CellKind
    side: Player | None
    row: int | None
    line: int
    text: str
    dice: str = ""
    play: str = ""
    value: int | None = None
    and_the_match: bool = False
    rest: str = ""
    """What follows the stated points and cannot be read."""


def kind_of(match: re.Match[str]) -> CellKind:
    if match.lastgroup == "dice":
        return CellKind.ROLL
    word = match[0].lower()
    return CellKind.RESIGNED if word.startswith("resigned") else _KINDS[word[:3]]


def make_cell(kind: CellKind, side: Player | None, row: int | None, line: int, text: str) -> Cell:
    if kind is CellKind.ROLL:
        fields = kind, side, row, line, text, text[:2], text[3:].strip(), None, False, ""
        return tuple.__new__(Cell, fields)  # pyright: ignore[reportUnknownMemberType]  quicker than Cell()
    if (words := _TWO_WORDS.get(kind)) is not None:
        is_whole = words.fullmatch(text) is not None
        return Cell(
            kind if is_whole else CellKind.UNREADABLE, side=side, row=row, line=line, text=text
        )
    if kind is CellKind.CONCEDES and _POINTS.fullmatch(text) is None:
        return Cell(kind, side, row, line, text)
    match = (_POINTS if kind in END_WORDS else _CUBE).match(text)
    rest = text if match is None else text[match.end() :].strip()
    if match is None or (rest and (kind not in END_WORDS or not match[1])):
        return Cell(CellKind.UNREADABLE, side=side, row=row, line=line, text=text)
    value = int(match[1]) if match[1] else None
    won = kind in END_WORDS and bool(match[2])
    return Cell(kind, side, row, line, text, value=value, and_the_match=won, rest=rest)


@define
class SheetRow:
    """A numbered row, or a line without a number; a line may hold more than one."""

    number: int | None
    line: int
    start: int
    end: int
    right_from: int
    """The column from which a single cell is the right player's."""
    cells: list[tuple[CellKind, int, int]] = Factory(list[tuple[CellKind, int, int]])
    """What each cell is, as far as its beginning tells, where it starts, and its end."""


@define
class SheetGame:
    """The text of one game, a `Place`: that of its score line, or of its heading until the score line has come."""

    index: int
    number: int
    line: int
    text: str = ""
    row: None = None
    names: tuple[str, str] | None = None
    score: tuple[int, int] | None = None
    right_from: int = _LEFT_CELLS_END
    """The column from which a single cell is the right player's."""
    right_cells: int | None = None
    """Where the right player's cells begin in rows that have both: the leftmost of them."""
    cells: list[Cell] = Factory(list[Cell])
    last_side: Player | None = None
    """Whose the last cell with an action is."""
    comments: list[str] = Factory(list[str])
    forfeits: list[Cell] = Factory(list[Cell])
    """The comments that say that somebody wins by forfeit."""
    set_position: Cell | None = None
    """The board that a comment sets before the first row."""
    cube: Cube = Factory(Cube)
    """The cube with which the game begins, which a comment states after automatic doubles."""
    last_row: int = 0
    row_repeated: bool = False


def threshold(right_column: int) -> int:
    """The column from which a single cell is the right player's, even if a long name pushes theirs further out."""
    return max(8, min(right_column - 6, _LEFT_CELLS_END))


def starts_of_cells(text: str, right_from: int) -> list[re.Match[str]]:
    if "?" not in text and "cannot" not in text.lower():
        return list(_START.finditer(text))
    return [
        match
        for match in _START_OR_HIDDEN.finditer(text)
        if not belongs_to_a_roll(match, text, right_from)
    ]


def belongs_to_a_roll(match: re.Match[str], line: str, right_from: int) -> bool:
    """Whether this is the `????` or `Cannot Move` of a roll, not a separate cell."""
    if match.lastgroup != "hidden":
        return False
    before = line[max(0, match.start() - LONGEST_LINE) : match.start()].rstrip()
    return before.endswith(":") and not len(before) < right_from <= match.start()


def rows_on(line: int, right_from: int, starts: list[re.Match[str]], text: str) -> list[SheetRow]:
    """The rows of a line; the first has what comes before any number."""
    rows = [SheetRow(None, line=line, start=0, end=len(text), right_from=right_from)]
    cells = rows[0].cells
    indent = len(text) - len(text.lstrip())
    for match, following in zip_longest(starts, starts[1:]):
        if match.lastgroup != "number":
            cells.append(
                (
                    kind_of(match),
                    match.start(),
                    len(text) if following is None else following.start(),
                )
            )
        elif not is_printed_twice(rows[-1].number, number=match, following=following, text=text):
            rows[-1].end = match.start()
            column = right_from + match.start() - indent
            rows.append(
                SheetRow(
                    int(match["number"]),
                    line=line,
                    start=match.end(),
                    end=len(text),
                    right_from=column,
                )
            )
            cells = rows[-1].cells
    return rows


def is_printed_twice(
    row: int | None, number: re.Match[str], following: re.Match[str] | None, text: str
) -> bool:
    """Whether a number repeats that of its row; before end words it begins a new row, and they are its left cell."""
    if following is None or following.lastgroup == "number" or int(number["number"]) != row:
        return False
    return (
        kind_of(following) not in END_WORDS and not text[number.end() : following.start()].strip()
    )


def cells_of(text: str, row: SheetRow, game: SheetGame) -> Iterator[Cell]:
    """The cells of a row; each runs to the start of the next.

    Several cells in a row are left, then right, wherever they are; a cell that is alone, or with end words only,
    belongs to the player of its column. Who lost follows from what comes before a loser's word:

    - In the cell of a roll, or after the right player's cell, it belongs to the player of that cell.
    - On a line without a number it continues the last cell of the row above, whatever its column.
    - "Wins" after it is the opponent's, but after "Resigned Game" that of the same player.

    After the right player's cell there is no third column, but there may be one end word.
    """
    side: Player | None = None
    before = CellKind.UNREADABLE
    both = len(row.cells) > 1 and row.cells[1][0] not in END_WORDS
    for index, (kind, start, end) in enumerate(row.cells):
        in_right_column = start >= row.right_from
        if index == 0:
            side = Player.BLACK if in_right_column and not both else Player.WHITE
            if row.number is None:
                side = side_of_unnumbered(kind, side, game)
        else:
            side = side_of_next(kind, before, side, index, in_right_column=in_right_column)
        before = kind
        cell = make_cell(kind, side, row=row.number, line=row.line, text=text[start:end].strip())
        if side is None and (cell.kind not in END_WORDS or index + 1 < len(row.cells)):
            yield Cell(
                CellKind.UNREADABLE,
                side=None,
                row=row.number,
                line=row.line,
                text=text[start : row.end].strip(),
            )
            return
        yield cell


def side_of_next(
    kind: CellKind, before: CellKind, side: Player | None, index: int, *, in_right_column: bool
) -> Player | None:
    """Whose cell this is, after `side`'s cell in its row, which is of the kind `before`."""
    if kind is CellKind.WINS and before in LOSERS_WORDS:
        return None if side is None else side.opponent
    if kind is CellKind.WINS and before is CellKind.RESIGNED:
        return Player.BLACK if in_right_column else side
    if (
        kind in LOSERS_WORDS
        and before not in END_WORDS
        and (side is Player.BLACK or not in_right_column)
    ):
        return side
    return Player.BLACK if index == 1 and side is Player.WHITE else None


def side_of_unnumbered(kind: CellKind, side: Player, game: SheetGame) -> Player:
    """Whose the first cell of a line without a number is, by what comes before it; else by its column, `side`."""
    if kind in LOSERS_WORDS and game.last_side is not None:
        return game.last_side
    last = game.cells[-1] if game.cells else None
    if (
        kind is CellKind.WINS
        and last is not None
        and last.kind in LOSERS_WORDS
        and last.row is None
    ):
        return side if last.side is None else last.side.opponent
    return side


def contradicts_its_column(cell: Cell, row: SheetRow) -> bool:
    """Whether an end word on a line without a number is in the opponent's column; "Losses" left of it is in neither."""
    in_right_column = row.cells[0][1] >= row.right_from
    if cell.kind is CellKind.WINS:
        return cell.side is (Player.WHITE if in_right_column else Player.BLACK)
    return cell.kind in LOSERS_WORDS and cell.side is Player.WHITE and in_right_column


def doubt_about_columns(row: SheetRow, game: SheetGame) -> str | None:
    """Why an end word may not be of the player it is read for, if so. Notes where the right player's cells begin."""
    kinds, starts, _ = zip(*row.cells[:2], strict=True)
    is_won = len(kinds) == 2 and kinds[0] is CellKind.ROLL and kinds[1] in WINNERS_WORDS
    if is_won and starts[0] < row.right_from and starts[1] < row.right_from:
        return "these words are in the left column, but after a roll, so they are read as the right player's"
    if len(kinds) == 2 and kinds[1] not in END_WORDS:
        game.right_cells = min(
            starts[1], starts[1] if game.right_cells is None else game.right_cells
        )
    if kinds[0] in END_WORDS and row.right_from <= starts[0] < threshold(game.right_cells or 0):
        return "these words are below the right player's name, so they are read as that player's"
    return None
