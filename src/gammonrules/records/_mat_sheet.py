"""The Jellyfish text family as rows and cells: what stands where, before any rule of the game is asked.

A file has header comments, a match line, and games of numbered rows in two columns. Nothing here
raises, except for a text that has no match line or no game; what cannot be read becomes a finding.
Every pattern is bounded, so that the cost grows with the length of the file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum, auto
from itertools import zip_longest

from attrs import Factory, define, frozen

from gammonrules.board.generator import Maker
from gammonrules.errors import ParseError
from gammonrules.match import Player
from gammonrules.records._finding_log import FindingLog
from gammonrules.records.findings import Finding, FindingKind, Severity

LONGEST_LINE = 2_000
"""Characters; no program of the family writes lines longer than 1,023 bytes."""
MOST_GAMES = 5_000
"""Games of one file; the largest of them has place for some three thousand real ones."""
_GAMES_OF_ANY_FILE = 200
_CHARACTERS_OF_A_GAME = 400
"""Beyond those of any file. A game costs time however short it is, and hardly any real one is shorter."""
_MARKS_OF_ANY_FILE = 5_000
_CHARACTERS_OF_A_MARK = 8
"""Beyond those of any file. A mark is a line of a game or a roll in it; real ones have more characters."""

# Digits and words are those of ASCII: other digits, or a long s, are no part of any dialect.
_MATCH_LINE = re.compile(r"\s{0,200}([0-9]{1,6})[ -]+points?\s+match\s*", re.IGNORECASE)
_GAME_LINE = re.compile(r"\s{0,200}Game\s+([0-9]{1,6})\s*", re.IGNORECASE)
_ROW = re.compile(r"\s{0,200}([0-9]{1,5})\)")
_TAG = re.compile(r"[;#]\s{0,20}\[(\S[^\"]{0,80}?)\s{0,20}\"(.{0,1900})\"\]?\s*")
_SET_POSITION = re.compile(r";\s*Set Pos=(.*)", re.IGNORECASE)
_LEFT_SCORE = re.compile(r":[ ]{0,80}(-?[0-9]{1,9})(?=\s)")
_RIGHT_SCORE = re.compile(r":[ ]{0,80}(-?[0-9]{1,9})$")
_DUMP = re.compile(r"Illegal play \((?:[^;]{0,100};){40}\)", re.IGNORECASE)
_STARTS = (
    r"(?=[0-9bcdlrtw])(?<![\w/*(])(?:(?P<dice>[0-9]{2}):|(?P<number>[0-9]{1,5})\)"
    r"|(?P<word>(?a:(?:re)?doubles?|takes?|drops?|beavers?|raccoons?|wins|losses|concedes?|resigns?))\b)"
)
_START = re.compile(_STARTS, re.IGNORECASE)
_START_OR_HIDDEN = re.compile(_STARTS + r"|(?<![\w?*/)(])(?P<hidden>\?{3,4})(?!\S)", re.IGNORECASE)
"""The same for lines with a question mark: a `????` may be a cell of its own."""
_CUBE = re.compile(r"\w+(?:\s{0,40}={1,2}>\s{0,40}([0-9]{1,9}))?")
_POINTS = re.compile(r"\w+(?:\s+(-?[0-9]{1,9})\s*points?(\s+and\s+the\s+match)?)?", re.IGNORECASE)
_LEFT_CELLS_END = 24
_TWO_ROLLS = ["dice", "dice"]


class CellKind(StrEnum):
    """What a cell says."""

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
"""Those that stand with the player who lost; a lone `????` is one of them, a resignation without a roll."""
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
    """One action as written: who, what, and where it stands."""

    kind: CellKind
    side: Player | None
    row: int | None
    line: int
    text: str
    dice: str = ""
    play: str = ""
    value: int | None = None
    and_the_match: bool = False


_CELLS = Maker(Cell, "kind", "side", "row", "line", "text", "dice", "play", "value", "and_the_match")
"""For most of the cells: that of a roll is made in fewer steps."""


@define
class Row:
    """A numbered row, or a line without a number; a line may hold more than one."""

    number: int | None
    line: int
    start: int
    end: int
    right_from: int
    """Where a cell that stands alone begins to be the right player's."""
    cells: list[tuple[re.Match[str], int]] = Factory(list[tuple[re.Match[str], int]])
    """Where each cell starts, and its end."""


@define
class SheetGame:
    """The text of one game; `line` is that of its score line, or of its heading before that has come."""

    index: int
    number: int
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] | None = None
    score_text: str = ""
    right_from: int = _LEFT_CELLS_END
    """The column from which a cell that stands alone is the right player's."""
    right_cells: int | None = None
    """Where the right player's cells begin, of those rows that have both: the leftmost of them."""
    cells: list[Cell] = Factory(list[Cell])
    last_side: Player | None = None
    """Whose the last cell is that says what was done."""
    comments: list[str] = Factory(list[str])
    set_position: str | None = None
    last_row: int = 0
    row_repeated: bool = False

    @property
    def open(self) -> bool:
        """Whether the score line has not come yet."""
        return self.score is None and not self.cells

    def note_right_cell(self, column: int) -> None:
        """Keep how far left the right player's cells begin."""
        if self.right_cells is None or column < self.right_cells:
            self.right_cells = column


@define
class Sheet:
    """The text of a whole file, taken apart."""

    length: int = -1
    line: int | None = None
    """That of the match line."""
    tags: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    tag_lines: list[int] = Factory(list[int])
    comments: list[str] = Factory(list[str])
    games: list[SheetGame] = Factory(list[SheetGame])
    findings: FindingLog = Factory(FindingLog)
    most_games: int = MOST_GAMES
    most_marks: int = _MARKS_OF_ANY_FILE
    marks: int = 0
    rolls: int = 0
    ended: bool = False

    def take(self, number: int, line: str) -> None:
        """Read one line (counted from 1)."""
        if len(line) > LONGEST_LINE:
            self.report_unreadable(number, line, f"it is longer than {LONGEST_LINE:,} characters")
            return
        line = line.expandtabs(8).rstrip()
        if not line or self.ended:
            return
        # First of all, since a name may begin like a comment or like a row.
        if self.games and self.games[-1].open and take_score_line(self.games[-1], line):
            self.games[-1].line = number
            return
        if line.lstrip()[0] in ";#":
            self.take_comment(number, line.strip())
        elif self.length < 0:
            self.take_match_line(number, line)
        elif match := _GAME_LINE.fullmatch(line):
            self.take_game(number, line, int(match[1]))
        elif not self.games:
            self.report_unreadable(number, line, "it stands before the first game")
        else:
            self.take_game_line(number, line)

    def take_comment(self, number: int, line: str) -> None:
        """Keep a tag or a free comment where it belongs."""
        game = self.games[-1] if self.games else None
        if game is not None and not game.cells and (match := _SET_POSITION.match(line)):
            game.set_position = match[1].strip()
        elif game is not None:
            game.comments.append(line.lstrip(";# "))
        elif match := _TAG.fullmatch(line):
            self.tags.append((match[1], match[2]))
            self.tag_lines.append(number)
        else:
            self.comments.append(line.lstrip(";# "))

    def take_match_line(self, number: int, line: str) -> None:
        """The line "N point match", which must come before the games."""
        if match := _MATCH_LINE.fullmatch(line):
            self.length, self.line = int(match[1]), number
        else:
            self.report_unreadable(number, line, "it stands before the match line")

    def take_game(self, number: int, line: str, game: int) -> None:
        """The heading of a game."""
        if len(self.games) < self.most_games:
            self.games.append(SheetGame(len(self.games) + 1, game, number))
        else:
            self.report_unreadable(number, line, f"no more than {self.most_games:,} games are read")
            self.ended = True

    def take_game_line(self, number: int, line: str) -> None:
        """A score line, a numbered row, or the end line of a game."""
        game = self.games[-1]
        self.marks += 1 + line.count(":")
        if self.marks > self.most_marks:
            self.report_unreadable(number, line, f"no more than {self.most_marks:,} lines and rolls are read")
            self.ended = True
        elif match := _ROW.match(line):
            self.take_row(game, int(match[1]), line, match.end(), number)
        elif _MATCH_LINE.fullmatch(line):
            self.report_unreadable(number, line, "a second match begins here; a file holds one match")
            self.ended = True
        else:
            self.take_row(game, None, line, 0, number)

    def take_row(self, game: SheetGame, number: int | None, text: str, start: int, line: int) -> None:
        """Split a line into its rows, since another number begins another row, and these into their cells."""
        masked = _DUMP.sub(lambda match: "." * len(match[0]), text) if ";" in text else text
        if "?" in masked:
            found = _START_OR_HIDDEN.finditer(masked, start)
            starts = [match for match in found if not belongs_to_a_roll(match, masked, game.right_from)]
        else:
            starts = list(_START.finditer(masked, start))
        what = [match.lastgroup for match in starts]
        self.rolls += what.count("dice")
        if number is not None:
            self.count_row(game, number, line, text)
            if what == _TWO_ROLLS and not masked[start : starts[0].start()].strip():
                self.take_two_rolls(game, number, text, line, *(match.start() for match in starts))
                return
        if "number" in what:
            for match in starts:
                if match.lastgroup == "number":
                    self.count_row(game, int(match["number"]), line, text)
        for row in rows_of(Row(number, line, start, len(text), game.right_from), starts, masked):
            lost = masked[row.start : row.cells[0][0].start() if row.cells else row.end].strip()
            if lost:
                why = f"{lost[:40]!r} is no action"
                self.report_unreadable(line, text, why, game=game.index, row=row.number)
                if number is not None or starts:
                    game.cells.append(Cell(CellKind.UNREADABLE, None, row.number, line, text.strip()))
                return
            self.take_cells(game, row, text)

    def take_two_rolls(self, game: SheetGame, number: int, text: str, line: int, left: int, right: int) -> None:
        """A row like nearly all of them, so in fewer steps: `take_cells` would bring forth the same two cells."""
        game.cells.append(roll_of(Player.WHITE, number, line, text[left:right].strip()))
        game.cells.append(roll_of(Player.BLACK, number, line, text[right:].strip()))
        game.last_side = Player.BLACK
        game.note_right_cell(right)

    def take_cells(self, game: SheetGame, row: Row, text: str) -> None:
        """The cells of one row, if it has any."""
        if not row.cells:
            return
        doubt = doubt_about_columns(row, game)
        for index, cell in enumerate(cells_of(text, row, game)):
            if cell.kind is CellKind.UNREADABLE:
                why = "it is no action" if cell.side is not None else "a row has two columns"
                self.report_unreadable(row.line, cell.text, why, game=game.index, row=row.number)
            elif row.number is None and index == 0 and contradicts_its_column(cell, row):
                note = "these words stand in the column of the other player, but go on with the row above"
                self.add(Severity.WARNING, FindingKind.POINTS_MISMATCH, game.index, None, text, note, row.line)
            elif index == 0 and doubt is not None:
                self.add(Severity.WARNING, FindingKind.POINTS_MISMATCH, game.index, row.number, text, doubt, row.line)
            if cell.kind not in END_WORDS and cell.side is not None:
                game.last_side = cell.side
            game.cells.append(cell)

    def count_row(self, game: SheetGame, row: int, number: int, line: str) -> None:
        """Keep the highest row number; one that was there before is reported, once a game."""
        if row <= game.last_row and not game.row_repeated:
            game.row_repeated = True
            note = "a row number is printed a second time"
            self.add(Severity.INFO, FindingKind.REPEATED_ROW_NUMBER, game.index, row, line, note, number)
        game.last_row = max(row, game.last_row)

    def report_unreadable(
        self, number: int, line: str, why: str, *, game: int | None = None, row: int | None = None
    ) -> None:
        """A line that is no part of a record."""
        if game is None and self.games:
            game = self.games[-1].index
        note = f"line {number} of the file cannot be read: {why}"
        self.add(Severity.ERROR, FindingKind.UNREADABLE_LINE, game, row, line, note, number)

    def add(
        self, severity: Severity, kind: FindingKind, game: int | None, row: int | None, text: str, note: str, line: int
    ) -> None:
        """Keep a finding."""
        if not self.findings.is_full(severity, kind):
            self.findings.append(Finding(severity, kind, game, row, quoted(text), note, line))


def quoted(text: str) -> str:
    """A text of the file as findings show it: short, without the blanks between the columns."""
    return " ".join(text[:LONGEST_LINE].split())[:200]


def threshold(right_column: int) -> int:
    """The column from which a cell that stands alone belongs to the right player.

    Left cells follow their row number closely, so a long name of the left player, which pushes the
    right name out, does not move the limit beyond column 24.
    """
    return max(8, min(right_column - 6, _LEFT_CELLS_END))


def take_score_line(game: SheetGame, line: str) -> bool:
    """Read `name : score  name : score` (either name may be empty); False if the line is none."""
    left = _LEFT_SCORE.search(line)
    right = _RIGHT_SCORE.search(line, left.end()) if left else None
    if left is None or right is None:
        return False
    middle = line[left.end() : right.start()]
    game.names = (line[: left.start()].strip(), middle.strip())
    game.score = (int(left[1]), int(right[1]))
    game.score_text = line
    game.right_from = threshold(left.end() + len(middle) - len(middle.lstrip()))
    return True


def belongs_to_a_roll(match: re.Match[str], line: str, right_from: int) -> bool:
    """Whether this is the `????` of a roll whose play is not shown, and no cell of its own."""
    if match.lastgroup != "hidden":
        return False
    before = line[max(0, match.start() - LONGEST_LINE) : match.start()].rstrip()
    return before.endswith(":") and not len(before) < right_from <= match.start()


def rows_of(row: Row, starts: list[re.Match[str]], text: str) -> list[Row]:
    """The rows of a line; `row` is the first of them, which has no cells yet."""
    rows, cells = [row], row.cells
    indent = len(text) - len(text.lstrip())
    for match, following in zip_longest(starts, starts[1:]):
        if match.lastgroup != "number":
            cells.append((match, len(text) if following is None else following.start()))
        elif not is_printed_twice(rows[-1].number, match, following, text):
            rows[-1].end = match.start()
            right_from = row.right_from + match.start() - indent
            rows.append(Row(int(match["number"]), row.line, match.end(), len(text), right_from))
            cells = rows[-1].cells
    return rows


def is_printed_twice(row: int | None, number: re.Match[str], following: re.Match[str] | None, text: str) -> bool:
    """Whether a number is that of its row once more, before the right player's roll or cube action.

    Before end words it begins a row of its own, whose left cell they are.
    """
    if following is None or following.lastgroup == "number" or int(number["number"]) != row:
        return False
    return kind_of(following) not in END_WORDS and not text[number.end() : following.start()].strip()


def cells_of(text: str, row: Row, game: SheetGame) -> Iterator[Cell]:
    """The cells of a row; each runs to the start of the next.

    Several cells in a row are left, then right, wherever they stand; a cell that stands alone, or with end words only,
    belongs to the player of its column. Who lost follows from what stands before a loser's word:

    - In the cell of a roll, or behind the right player's cell, it is said by the player of that cell.
    - On a line without a number it goes on with the last cell of the row above, whatever its column.
    - "Wins" after it is the other player's.

    After the right player's cell there is no third column: one end word may stand there.
    """
    side: Player | None = None
    before = CellKind.UNREADABLE
    both = len(row.cells) > 1 and kind_of(row.cells[1][0]) not in END_WORDS
    for index, (match, end) in enumerate(row.cells):
        kind = kind_of(match)
        in_right_column = match.start() >= row.right_from
        if index == 0:
            side = Player.BLACK if in_right_column and not both else Player.WHITE
            if row.number is None:
                side = side_of_unnumbered(kind, side, game)
        else:
            side = side_of_next(kind, before, side, index, in_right_column=in_right_column)
        before = kind
        cell = cell_of(kind, side, row, text[match.start() : end].strip())
        if side is None and (cell.kind not in END_WORDS or index + 1 < len(row.cells)):
            yield Cell(CellKind.UNREADABLE, None, row.number, row.line, text[match.start() : row.end].strip())
            return
        yield cell


def side_of_next(
    kind: CellKind, before: CellKind, side: Player | None, index: int, *, in_right_column: bool
) -> Player | None:
    """Whose a cell is that stands behind another one in its row, `before`, which is `side`'s."""
    if kind is CellKind.WINS and before in LOSERS_WORDS:
        return None if side is None else side.opponent
    if kind in LOSERS_WORDS and before not in END_WORDS and (side is Player.BLACK or not in_right_column):
        return side
    return Player.BLACK if index == 1 and side is Player.WHITE else None


def side_of_unnumbered(kind: CellKind, side: Player, game: SheetGame) -> Player:
    """Whose the first cell of a line without a number is, by what stands before it; else that of its column, `side`."""
    if kind in LOSERS_WORDS and game.last_side is not None:
        return game.last_side
    last = game.cells[-1] if game.cells else None
    if kind is CellKind.WINS and last is not None and last.kind in LOSERS_WORDS and last.row is None:
        return side if last.side is None else last.side.opponent
    return side


def contradicts_its_column(cell: Cell, row: Row) -> bool:
    """Whether an end word on a line without a number stands where only the other player's can.

    A loser's word further left stands in no column at all: "Losses" begins such a line.
    """
    in_right_column = row.cells[0][0].start() >= row.right_from
    if cell.kind is CellKind.WINS:
        return cell.side is (Player.WHITE if in_right_column else Player.BLACK)
    return cell.kind in LOSERS_WORDS and cell.side is Player.WHITE and in_right_column


def doubt_about_columns(row: Row, game: SheetGame) -> str | None:
    """Why the player whom an end word of a row is taken for may not be the one who is meant; None if there is no doubt.

    It is asked of each row in turn, so it also notes where the right player's cells begin.
    """
    kinds = [kind_of(match) for match, _ in row.cells[:2]]
    starts = [match.start() for match, _ in row.cells[:2]]
    if kinds == [CellKind.ROLL, CellKind.WINS] and starts[0] < row.right_from and starts[1] < row.right_from:
        return "these words stand in the left column, but behind a roll, so they are taken for the right player's"
    if len(kinds) == 2 and kinds[1] not in END_WORDS:
        game.note_right_cell(starts[1])
    if kinds[0] in END_WORDS and row.right_from <= starts[0] < threshold(game.right_cells or 0):
        return "these words stand below the right player's name, but left of their cells; they are taken for theirs"
    return None


def kind_of(match: re.Match[str]) -> CellKind:
    """What a cell says, by its first word."""
    if match.lastgroup == "hidden":
        return CellKind.CONCEDES
    return CellKind.ROLL if match.lastgroup == "dice" else _KINDS[match["word"][:3].lower()]


def cell_of(kind: CellKind, side: Player | None, row: Row, text: str) -> Cell:
    """One cell from its text."""
    if kind is CellKind.ROLL:
        return roll_of(side, row.number, row.line, text)
    found = (_POINTS if kind in END_WORDS else _CUBE).fullmatch(text)
    if kind is CellKind.CONCEDES and found is None:
        return Cell(kind, side, row.number, row.line, text)
    if found is None:
        return Cell(CellKind.UNREADABLE, side, row.number, row.line, text)
    value = int(found[1]) if found[1] else None
    ended = kind in END_WORDS and bool(found[2])
    return Cell(kind, side, row.number, row.line, text, value=value, and_the_match=ended)


def roll_of(side: Player | None, row: int | None, line: int, text: str) -> Cell:
    """The cell of a roll, which begins with two digits and a colon."""
    return _CELLS.make(CellKind.ROLL, side, row, line, text, text[:2], text[3:].strip(), None, False)


def read_sheet(text: str) -> Sheet:
    """Take a text apart.

    Raises:
        ParseError: there is no match line, or no game after it.
    """
    sheet = Sheet(
        most_games=min(MOST_GAMES, _GAMES_OF_ANY_FILE + len(text) // _CHARACTERS_OF_A_GAME),
        most_marks=_MARKS_OF_ANY_FILE + len(text) // _CHARACTERS_OF_A_MARK,
    )
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        sheet.take(number, line)
    if sheet.length < 0:
        raise ParseError('the record holds no match: the line "N point match" is missing')
    if not sheet.games:
        raise ParseError("the record holds no game: nothing that can be read follows the match line")
    return sheet
