"""The Jellyfish text family as rows and cells: what stands where, before any rule of the game is asked.

A file has header comments, a match line, and games of numbered rows in two columns. Nothing here
raises, except for a text that has no match line or no game; what cannot be read becomes a finding.
Every pattern is bounded, so that the cost grows with the length of the file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum, auto

from attrs import Factory, define, frozen

from gammonrules.errors import ParseError
from gammonrules.match import Player
from gammonrules.movegen import Maker
from gammonrules.records._finding_log import FindingLog
from gammonrules.records.findings import Finding, Kind, Severity

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
_START = re.compile(
    r"\b(?<![/*(])(?:(?P<dice>[0-9]{2}):|(?P<number>[0-9]{1,5})\)"
    r"|(?P<word>(?a:(?:re)?doubles?|takes?|drops?|beavers?|raccoons?|wins|losses|concedes?|resigns?))\b)",
    re.IGNORECASE,
)
_CUBE = re.compile(r"\w+(?:\s{0,40}={1,2}>\s{0,40}([0-9]{1,9}))?")
_POINTS = re.compile(r"\w+(?:\s+(-?[0-9]{1,9})\s*points?(\s+and\s+the\s+match)?)?", re.IGNORECASE)
_ROW_NUMBER_AT_END = re.compile(r"(?<=\s)[0-9]{1,5}\)$")
_LEFT_CELLS_END = 24


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
    text: str
    dice: str = ""
    play: str = ""
    value: int | None = None
    and_the_match: bool = False


_CELLS = Maker(Cell, "kind", "side", "row", "text", "dice", "play", "value", "and_the_match")
"""For most of the cells: that of a roll is made in fewer steps."""


@define
class SheetGame:
    """The text of one game."""

    index: int
    number: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] | None = None
    score_text: str = ""
    right_column: int = 33
    cells: list[Cell] = Factory(list[Cell])
    comments: list[str] = Factory(list[str])
    set_position: str | None = None
    last_row: int = 0
    row_repeated: bool = False

    @property
    def open(self) -> bool:
        """Whether the score line has not come yet."""
        return self.score is None and not self.cells


@define
class Sheet:
    """The text of a whole file, taken apart."""

    length: int = -1
    tags: list[tuple[str, str]] = Factory(list[tuple[str, str]])
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
            return
        if line.lstrip()[0] in ";#":
            self.take_comment(line.strip())
        elif self.length < 0:
            self.take_match_line(number, line)
        elif match := _GAME_LINE.fullmatch(line):
            self.take_game(number, line, int(match[1]))
        elif not self.games:
            self.report_unreadable(number, line, "it stands before the first game")
        else:
            self.take_game_line(number, line)

    def take_comment(self, line: str) -> None:
        """Keep a tag or a free comment where it belongs."""
        game = self.games[-1] if self.games else None
        if game is not None and not game.cells and (match := _SET_POSITION.match(line)):
            game.set_position = match[1].strip()
        elif game is not None:
            game.comments.append(line.lstrip(";# "))
        elif match := _TAG.fullmatch(line):
            self.tags.append((match[1], match[2]))
        else:
            self.comments.append(line.lstrip(";# "))

    def take_match_line(self, number: int, line: str) -> None:
        """The line "N point match", which must come before the games."""
        if match := _MATCH_LINE.fullmatch(line):
            self.length = int(match[1])
        else:
            self.report_unreadable(number, line, "it stands before the match line")

    def take_game(self, number: int, line: str, game: int) -> None:
        """The heading of a game."""
        if len(self.games) < self.most_games:
            self.games.append(SheetGame(len(self.games) + 1, game))
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

    def take_row(self, game: SheetGame, row: int | None, line: str, start: int, number: int) -> None:
        """Split a row into its cells."""
        masked = _DUMP.sub(lambda match: "." * len(match[0]), line) if ";" in line else line
        if row is not None:
            if row <= game.last_row:
                self.report_repeated(game, row, line)
            game.last_row = max(row, game.last_row)
        starts = list(_START.finditer(masked, start))
        what = [match.lastgroup for match in starts]
        self.rolls += what.count("dice")
        if "number" in what:
            self.report_repeated(game, row, line)
        lost = masked[start : starts[0].start() if starts else None].strip()
        if lost:
            self.report_unreadable(number, line, f"{lost[:40]!r} is no action", game=game.index, row=row)
            if row is not None or starts:
                game.cells.append(Cell(CellKind.UNREADABLE, None, row, line.strip()))
            return
        if "number" in what:
            starts = [match for match in starts if match.lastgroup != "number"]
        for cell in cells_of(line, starts, row, threshold(game.right_column)):
            if cell.kind is CellKind.UNREADABLE:
                why = "it is no action" if cell.side is not None else "a row has two columns"
                self.report_unreadable(number, cell.text, why, game=game.index, row=row)
            game.cells.append(cell)

    def report_repeated(self, game: SheetGame, row: int | None, line: str) -> None:
        """A row number that was there before."""
        if not game.row_repeated:
            game.row_repeated = True
            note = "a row number is printed a second time"
            self.add(Severity.INFO, Kind.REPEATED_ROW_NUMBER, game.index, row, line, note)

    def report_unreadable(
        self, number: int, line: str, why: str, *, game: int | None = None, row: int | None = None
    ) -> None:
        """A line that is no part of a record."""
        if game is None and self.games:
            game = self.games[-1].index
        self.add(
            Severity.ERROR, Kind.UNREADABLE_LINE, game, row, line, f"line {number} of the file cannot be read: {why}"
        )

    def add(self, severity: Severity, kind: Kind, game: int | None, row: int | None, text: str, note: str) -> None:
        """Keep a finding."""
        if not self.findings.is_full(severity, kind):
            self.findings.append(Finding(severity, kind, game, row, quoted(text), note))


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
    game.right_column = left.end() + len(middle) - len(middle.lstrip())
    return True


def cells_of(line: str, starts: list[re.Match[str]], row: int | None, right_from: int) -> Iterator[Cell]:
    """The cells of a row; each runs to the start of the next.

    Several cells in a row are left, then right, wherever they stand; a cell that stands alone, or with end words only,
    belongs to the player of its column. After the right player's cell there is no third column: one end word may stand
    there, and its side is unknown.
    """
    side: Player | None = None
    both = len(starts) > 1 and kind_of(starts[1]) not in END_WORDS
    for index, match in enumerate(starts):
        end = starts[index + 1].start() if index + 1 < len(starts) else len(line)
        if index == 0:
            side = Player.WHITE if both or match.start() < right_from else Player.BLACK
        else:
            side = Player.BLACK if index == 1 and side is Player.WHITE else None
        cell = cell_of(match, side, row, line[match.start() : end].strip())
        if side is None and (cell.kind not in END_WORDS or index + 1 < len(starts)):
            yield Cell(CellKind.UNREADABLE, None, row, line[match.start() :].strip())
            return
        yield cell


def kind_of(match: re.Match[str]) -> CellKind:
    """What a cell says, by its first word."""
    return CellKind.ROLL if match.lastgroup == "dice" else _KINDS[match["word"][:3].lower()]


def cell_of(match: re.Match[str], side: Player | None, row: int | None, text: str) -> Cell:
    """One cell from its text."""
    if text.endswith(")"):
        text = _ROW_NUMBER_AT_END.sub("", text).rstrip()
    kind = kind_of(match)
    if kind is CellKind.ROLL:
        return _CELLS.make(kind, side, row, text, text[:2], text[3:].strip(), None, False)
    if kind is CellKind.CONCEDES:
        return Cell(kind, side, row, text)
    found = (_POINTS if kind in END_WORDS else _CUBE).fullmatch(text)
    if found is None:
        return Cell(CellKind.UNREADABLE, side, row, text)
    value = int(found[1]) if found[1] else None
    return Cell(kind, side, row, text, value=value, and_the_match=kind in END_WORDS and bool(found[2]))


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
