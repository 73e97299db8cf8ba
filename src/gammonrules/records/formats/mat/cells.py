"""The cells of a game: what was done, as written, and where a row ends and which player a cell belongs to."""

from __future__ import annotations

import re
from enum import StrEnum, auto
from itertools import pairwise, zip_longest
from typing import NamedTuple

from attrs import Factory, define

from gammonrules.match import Cube, Player

MAX_LINE_LENGTH = 2_000
"""Characters; no program of the family writes lines longer than 1,023 bytes."""
COMMENT_SIGNS = ";# "
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
"""The pattern for lines with `????` or `Cannot Move`, which may be separate cells."""
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


WINNERS_WORDS = frozenset((CellKind.WINS, CellKind.RESIGNED))
"""End words in the cells of the player who won; the other one has resigned, as OpenGammon writes it."""
LOSERS_WORDS = frozenset((CellKind.LOSSES, CellKind.CONCEDES))
"""End words in the cells of the player who lost; a lone `????` counts as one, a resignation without a roll."""
END_WORDS = WINNERS_WORDS | LOSERS_WORDS
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
    """What one cell says. It is also a `Place`."""

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


class CellSpan(NamedTuple):
    """Where a cell stands in its line, and what it is, as far as its beginning tells."""

    kind: CellKind
    start: int
    end: int


def kind_of(match: re.Match[str]) -> CellKind:
    if match.lastgroup == "dice":
        return CellKind.ROLL
    word = match[0].lower()
    return CellKind.RESIGNED if word.startswith("resigned") else _KINDS[word[:3]]


def make_cell(kind: CellKind, side: Player | None, row: int | None, line: int, text: str) -> Cell:
    """The cell with this text; its kind is `UNREADABLE` if the text does not go on as the kind does."""
    if kind is CellKind.ROLL:
        return Cell(kind, side, row, line, text, dice=text[:2], play=text[3:].strip())
    if kind in _TWO_WORDS:
        is_whole = _TWO_WORDS[kind].fullmatch(text) is not None
        return Cell(kind if is_whole else CellKind.UNREADABLE, side, row, line, text)
    if kind in END_WORDS:
        return make_end_cell(kind, side, row, line, text)
    cube_action = _CUBE.fullmatch(text)
    if cube_action is None:
        return Cell(CellKind.UNREADABLE, side, row, line, text)
    cube_value = int(cube_action[1]) if cube_action[1] else None
    return Cell(kind, side, row, line, text, value=cube_value)


def make_end_cell(
    kind: CellKind, side: Player | None, row: int | None, line: int, text: str
) -> Cell:
    """The cell of end words, perhaps with points, and with what cannot be read after these."""
    match = _POINTS.match(text)
    is_whole = match is not None and match.end() == len(text)
    if kind is CellKind.CONCEDES and not is_whole:
        return Cell(kind, side, row, line, text)  # such as "Resigns gammon", or `????`
    if match is None:
        return Cell(CellKind.UNREADABLE, side, row, line, text)
    points = int(match[1]) if match[1] else None
    rest = text[match.end() :].strip()
    if points is None and rest:
        return Cell(CellKind.UNREADABLE, side, row, line, text)
    and_the_match = match[2] is not None
    return Cell(kind, side, row, line, text, value=points, and_the_match=and_the_match, rest=rest)


@define
class SheetRow:
    """A numbered row, or a line without a number; a line may hold more than one."""

    number: int | None
    line: int
    start: int
    end: int
    right_from: int
    """The column from which a single cell is the right player's."""
    cells: list[CellSpan] = Factory(list[CellSpan])


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
    """Matches where the cells of a line begin, and where its row numbers are."""
    may_have_hidden_plays = "?" in text or "cannot" in text.lower()
    if not may_have_hidden_plays:  # nearly always; the pattern for the others takes longer
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
    before = line[max(0, match.start() - MAX_LINE_LENGTH) : match.start()].rstrip()
    is_in_other_column = len(before) < right_from <= match.start()
    return before.endswith(":") and not is_in_other_column


def rows_on(line: int, right_from: int, starts: list[re.Match[str]], text: str) -> list[SheetRow]:
    """The rows of a line; the first has no number, and what comes before the first number.

    A row ends where the next number begins. Its columns are as much further right as its number is.
    """
    row = SheetRow(None, line=line, start=0, end=len(text), right_from=right_from)
    rows = [row]
    indent = len(text) - len(text.lstrip())
    for match, following in zip_longest(starts, starts[1:]):
        if match.lastgroup != "number":
            end = len(text) if following is None else following.start()
            row.cells.append(CellSpan(kind_of(match), match.start(), end))
            continue
        if is_printed_twice(row.number, number=match, following=following, text=text):
            continue
        row.end = match.start()
        shift = match.start() - indent
        row = SheetRow(
            int(match["number"]),
            line=line,
            start=match.end(),
            end=len(text),
            right_from=right_from + shift,
        )
        rows.append(row)
    return rows


def is_printed_twice(
    row: int | None, number: re.Match[str], following: re.Match[str] | None, text: str
) -> bool:
    """Whether a number repeats that of its row; before end words it begins a new row, and they are its left cell."""
    if following is None or following.lastgroup == "number" or int(number["number"]) != row:
        return False
    between = text[number.end() : following.start()]
    return kind_of(following) not in END_WORDS and not between.strip()


def cells_of(text: str, row: SheetRow, game: SheetGame) -> list[Cell]:
    """The cells of a row; each runs to the start of the next.

    There is no third column: a cell in neither of the two cannot be read, with all that follows, unless it is an end
    word with which the row ends.
    """
    cells: list[Cell] = []
    for index, side in enumerate(sides_of_cells(row, game)):
        span = row.cells[index]
        words = text[span.start : span.end].strip()
        cell = make_cell(span.kind, side, row=row.number, line=row.line, text=words)
        is_last = index == len(row.cells) - 1
        may_be_in_neither_column = is_last and cell.kind in END_WORDS
        if side is None and not may_be_in_neither_column:
            rest = text[span.start : row.end].strip()
            cells.append(Cell(CellKind.UNREADABLE, None, row.number, row.line, rest))
            break
        cells.append(cell)
    return cells


def sides_of_cells(row: SheetRow, game: SheetGame) -> list[Player | None]:
    """The player of each cell of a row; None for one in neither column.

    Several cells in a row are left, then right, wherever they are; a cell that is alone, or with end words only,
    belongs to the player of its column. Who lost follows from what comes before a loser's word:

    - In the cell of a roll, or after the right player's cell, the word belongs to the player of that cell.
    - On a line without a number it belongs to the player of the last action above, whatever its column.
    - "Wins" after a loser's word is the opponent's; after "Resigned Game" it is the same player's.
    """
    side: Player | None = side_of_first(row, game)
    sides: list[Player | None] = [side]
    for index, (span_before, span) in enumerate(pairwise(row.cells), start=1):
        side = side_of_next(
            span.kind,
            kind_before=span_before.kind,
            side_before=side,
            is_second=index == 1,
            in_right_column=span.start >= row.right_from,
        )
        sides.append(side)
    return sides


def side_of_first(row: SheetRow, game: SheetGame) -> Player:
    """The player of the first cell of a row."""
    first = row.cells[0]
    has_both_players = len(row.cells) > 1 and row.cells[1].kind not in END_WORDS
    is_right = first.start >= row.right_from and not has_both_players
    column_side = Player.BLACK if is_right else Player.WHITE
    if row.number is None:
        return side_of_unnumbered(first.kind, column_side, game)
    return column_side


def side_of_unnumbered(kind: CellKind, column_side: Player, game: SheetGame) -> Player:
    """The player of the first cell of a line without a number, by what comes before it; else by its column."""
    if kind in LOSERS_WORDS and game.last_side is not None:
        return game.last_side  # the loser's word goes on after the last action
    if kind is not CellKind.WINS or not game.cells:
        return column_side
    above = game.cells[-1]
    is_below_unnumbered_line = above.row is None
    if above.kind in LOSERS_WORDS and is_below_unnumbered_line and above.side is not None:
        return above.side.opponent  # "Wins" below the loser's word
    return column_side


def side_of_next(
    kind: CellKind,
    kind_before: CellKind,
    side_before: Player | None,
    *,
    is_second: bool,
    in_right_column: bool,
) -> Player | None:
    """The player of a cell that is not the first of its row; None if it is in neither column."""
    if kind is CellKind.WINS and kind_before in LOSERS_WORDS:
        return None if side_before is None else side_before.opponent
    if kind is CellKind.WINS and kind_before is CellKind.RESIGNED:
        return Player.BLACK if in_right_column else side_before
    # only a cell after a left one can begin the right column
    begins_right_column = side_before is Player.WHITE and in_right_column
    is_loser_after_action = kind in LOSERS_WORDS and kind_before not in END_WORDS
    if is_loser_after_action and not begins_right_column:
        return side_before  # it belongs to the cell of that action
    if is_second and side_before is Player.WHITE:
        return Player.BLACK
    return None


def contradicts_its_column(cell: Cell, row: SheetRow) -> bool:
    """Whether an end word on a line without a number is in the opponent's column.

    A loser's word at the left contradicts nothing: programs write it there for either player.
    """
    in_right_column = row.cells[0].start >= row.right_from
    if cell.kind is CellKind.WINS:
        column_side = Player.BLACK if in_right_column else Player.WHITE
        return cell.side is column_side.opponent
    return cell.kind in LOSERS_WORDS and cell.side is Player.WHITE and in_right_column


def doubt_about_columns(row: SheetRow, game: SheetGame) -> str | None:
    """Why an end word of a row may not be of the player for whom it is read; None if there is no doubt."""
    first = row.cells[0]
    if len(row.cells) > 1:
        second = row.cells[1]
        is_win_after_roll = first.kind is CellKind.ROLL and second.kind in WINNERS_WORDS
        are_left = first.start < row.right_from and second.start < row.right_from
        if is_win_after_roll and are_left:
            return "these words are in the left column, but after a roll, so they are read as the right player's"
    if first.kind not in END_WORDS or game.right_cells is None:
        return None
    # below the right player's name, but left of where that player's cells begin in other rows
    if row.right_from <= first.start < threshold(game.right_cells):
        return "these words are below the right player's name, so they are read as that player's"
    return None


def note_right_cells(row: SheetRow, game: SheetGame) -> None:
    """Note where the right player's cells begin, if a row has cells of both players."""
    if len(row.cells) < 2 or row.cells[1].kind in END_WORDS:
        return
    start = row.cells[1].start
    game.right_cells = start if game.right_cells is None else min(game.right_cells, start)
