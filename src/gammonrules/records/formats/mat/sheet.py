"""A record as rows and cells, before any rule of the game is applied.

A match has header comments, a match line, and games of numbered rows in two columns; a file has one match or more. What
cannot be read becomes a finding; only a text without a match line or without a game is refused. Every pattern is
bounded, so the cost grows with the length of the file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from attrs import Factory, define

from gammonrules.errors import ParseError
from gammonrules.match import Cube
from gammonrules.records.formats.mat import cells
from gammonrules.records.formats.mat.cells import (
    END_WORDS,
    LONGEST_LINE,
    Cell,
    CellKind,
    SheetGame,
    SheetRow,
)
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT, most_games_in
from gammonrules.records.formats.pasted_texts import XGID_LABEL
from gammonrules.records.transcript import FindingKind, FindingLog, Severity
from gammonrules.values import is_cube_value

_MARKS_OF_ANY_FILE = 5_000
_CHARACTERS_OF_A_MARK = 8
"""For each further mark. A mark is a line of a game or a roll in it; real ones have more characters."""
MATCH_LINE = re.compile(r"\s{0,200}([0-9]{1,6})[ -]+points?\s+match\s*", re.IGNORECASE)
LIKE_A_LINE = re.compile(
    r"^\s{0,200}(?:;|#\s{0,20}\[|[0-9]{1,5}\)|Game\s+[0-9]|[0-9]{1,6}[ -]+points?\s+match)"
    r"|[1-6]{2}:|: {0,80}-?[0-9]+\s.{0,200}: {0,80}-?[0-9]+\s*$|\b(?:Wins|Loses|Losses|Doubles|Takes|Drops)\b",
    re.IGNORECASE,
)
"""A line as most of a record are: a tag, a heading, a row, a score or an end. ("# Title" is one of Markdown.)"""
_GAME_LINE = re.compile(r"\s{0,200}Game\s+([0-9]{1,6})\s*", re.IGNORECASE)
_TAG = re.compile(r"[;#]\s{0,20}\[(\S[^\"]{0,80}?)\s{0,20}\"(.{0,1900})\"\]?\s*")
_SET_POSITION = re.compile(r";\s*Set Pos=(.*)", re.IGNORECASE)
_SET_CUBE = re.compile(r";\s*Set Cube=([0-9]{1,8})", re.IGNORECASE)
"""The centered cube after automatic doubles: a line of this package."""
_LEFT_SCORE = re.compile(r":[ ]{0,80}(-?[0-9]{1,9})(?=\s)")
_RIGHT_SCORE = re.compile(r":[ ]{0,80}(-?[0-9]{1,9})$")
_DUMP = re.compile(r"Illegal play \((?:[^;]{0,100};){40}\)", re.IGNORECASE)


@define
class Sheet:
    characters: int
    """The length of the text."""
    most_games: int
    most_marks: int
    games_before: int = 0
    """In the matches before it, which count as well."""
    length: int = -1
    line: int | None = None
    """The line number of the match line."""
    tags: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    tag_lines: list[int] = Factory(list[int])
    comments: list[str] = Factory(list[str])
    games: list[SheetGame] = Factory(list[SheetGame])
    findings: FindingLog = Factory(FindingLog)
    marks: int = 0
    rolls: int = 0
    ended: bool = False
    has_identifiers: bool = False

    def take(self, number: int, line: str) -> None:
        if len(line) > LONGEST_LINE:
            self.report_unreadable(number, line, f"it is longer than {LONGEST_LINE:,} characters")
            return
        line = line.expandtabs(8).rstrip()
        if not line or self.ended:
            return
        # This comes first, since a name may begin like a comment or like a row.
        game = self.games[-1] if self.games else None
        if (
            game is not None
            and game.score is None
            and not game.cells
            and take_score_line(game, line)
        ):
            game.line = number
        elif "xgid" in line.lower() and XGID_LABEL.match(line):
            self.take_identifier(number, line)
        elif line.lstrip()[0] in ";#":
            self.take_comment(number, line.strip(), game)
        elif self.length < 0 and (match := MATCH_LINE.fullmatch(line)):
            self.length = int(match[1])
            self.line = number
        elif self.length >= 0 and (match := _GAME_LINE.fullmatch(line)):
            if self.games_before + len(self.games) < self.most_games:
                self.games.append(SheetGame(len(self.games) + 1, int(match[1]), number))
            else:
                self.end(number, line, f"no more than {self.most_games:,} games are read")
        elif game is None:
            what = "match line" if self.length < 0 else "first game"
            self.report_unreadable(number, line, f"it comes before the {what}")
        else:
            self.take_game_line(game, number, line)

    def take_comment(self, number: int, line: str, game: SheetGame | None) -> None:
        comment = line.lstrip(";# ")
        if game is None:
            if match := _TAG.fullmatch(line):
                self.tags.append((match[1], match[2]))
                self.tag_lines.append(number)
            else:
                self.comments.append(comment)
        elif match := _SET_POSITION.match(line):
            if game.cells:
                self.report_unreadable(
                    number, line, "a position can be set only before the first row of a game"
                )
            game.set_position = Cell(
                CellKind.UNREADABLE,
                side=None,
                row=None,
                line=number,
                text=line,
                play=match[1].strip(),
            )
        elif (
            self.length == 0
            and (match := _SET_CUBE.fullmatch(line))
            and is_cube_value(int(match[1]))
        ):
            game.cube = Cube(int(match[1]))
        else:
            game.comments.append(comment)
            if comment.endswith(WINS_BY_FORFEIT):
                game.forfeits.append(
                    Cell(CellKind.WINS, side=None, row=None, line=number, text=comment)
                )

    def take_identifier(self, number: int, line: str) -> None:
        """An XGID, of which programs write one for each position below the games: these say all of it."""
        if not self.has_identifiers:
            self.has_identifiers = True
            note = (
                "this identifier, and others in this file, are not read: the games say what they do"
            )
            self.report(
                Severity.INFO,
                kind=FindingKind.UNREADABLE_LINE,
                note=note,
                text=line,
                line=number,
                row=None,
            )

    def take_game_line(self, game: SheetGame, line: int, text: str) -> None:
        """Split a line into its rows, since another number begins another row, and rows into cells."""
        self.marks += 1 + text.count(":")
        if self.marks > self.most_marks:
            self.end(line, text, f"no more than {self.most_marks:,} lines and rolls are read")
            return
        if MATCH_LINE.fullmatch(text):
            self.end(line, text, "a second match begins here, but it has no game")
            return
        masked = _DUMP.sub(lambda match: "." * len(match[0]), text) if ";" in text else text
        starts = cells.starts_of_cells(masked, game.right_from)
        for match in starts:
            if match.lastgroup == "dice":
                self.rolls += 1
            elif match.lastgroup == "number":
                self.count_row(game, row=int(match["number"]), number=line, line=text)
        for row in cells.rows_on(line, game.right_from, starts, text=masked):
            if unknown := masked[row.start : row.cells[0][1] if row.cells else row.end].strip():
                self.report_unreadable(
                    line, line=text, why=f"{unknown[:40]!r} is not an action", row=row.number
                )
                if starts:
                    game.cells.append(
                        Cell(
                            CellKind.UNREADABLE,
                            side=None,
                            row=row.number,
                            line=line,
                            text=text.strip(),
                        )
                    )
                return
            if row.cells:
                self.take_cells(game, row, text)

    def take_cells(self, game: SheetGame, row: SheetRow, text: str) -> None:
        doubt = cells.doubt_about_columns(row, game)
        for index, cell in enumerate(cells.cells_of(text, row, game)):
            if cell.kind is CellKind.UNREADABLE:
                why = (
                    "it is not an action" if cell.side is not None else "a row has only two columns"
                )
                self.report_unreadable(row.line, line=cell.text, why=why, row=row.number)
            elif cell.rest:
                self.report_unreadable(
                    row.line,
                    line=cell.text,
                    why=f"{cell.rest[:40]!r} is not an action",
                    row=row.number,
                )
            elif index == 0:
                if row.number is None and cells.contradicts_its_column(cell, row):
                    doubt = (
                        "these words are in the other player's column, but continue the row above"
                    )
                if doubt is not None:
                    self.report(
                        Severity.WARNING,
                        kind=FindingKind.POINTS_MISMATCH,
                        note=doubt,
                        text=text,
                        line=row.line,
                        row=row.number,
                    )
            if cell.kind not in END_WORDS and cell.side is not None:
                game.last_side = cell.side
            game.cells.append(cell)

    def count_row(self, game: SheetGame, row: int, number: int, line: str) -> None:
        if row <= game.last_row and not game.row_repeated:
            game.row_repeated = True
            note = "this row number appears a second time"
            self.report(
                Severity.INFO,
                kind=FindingKind.REPEATED_ROW_NUMBER,
                note=note,
                text=line,
                line=number,
                row=row,
            )
        game.last_row = max(row, game.last_row)

    def end(self, number: int, line: str, why: str) -> None:
        self.report_unreadable(number, line, why)
        self.ended = True

    def report_unreadable(self, number: int, line: str, why: str, row: int | None = None) -> None:
        note = f"line {number} of the file cannot be read: {why}"
        self.report(
            Severity.ERROR,
            kind=FindingKind.UNREADABLE_LINE,
            note=note,
            text=line,
            line=number,
            row=row,
        )

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        note: str,
        text: str,
        line: int,
        row: int | None,
    ) -> None:
        game = self.games[-1].index if self.games else None
        self.findings.report(severity, kind, note, text=text, line=line, row=row, game=game)


def take_score_line(game: SheetGame, line: str) -> bool:
    """Read `name : score  name : score` (either name may be empty); False if this is not a score line."""
    left = _LEFT_SCORE.search(line)
    right = _RIGHT_SCORE.search(line, left.end()) if left else None
    if left is None or right is None:
        return False
    middle = line[left.end() : right.start()]
    game.names = (line[: left.start()].strip(), middle.strip())
    game.score = (int(left[1]), int(right[1]))
    game.text = line.strip()
    game.right_from = cells.threshold(left.end() + len(middle) - len(middle.lstrip()))
    return True


def read_sheets(text: str, *, is_part: bool = False) -> list[Sheet]:
    """Take a text apart, match by match. Raises ParseError if there is no match line, or no game after it.

    A part of a record needs no match line: then its games are read as money play.
    """
    lines = text.split("\n")
    is_part = (
        is_part
        and any(map(_GAME_LINE.fullmatch, lines))
        and not any(map(MATCH_LINE.fullmatch, lines))
    )
    most = most_games_in(text), _MARKS_OF_ANY_FILE + len(text) // _CHARACTERS_OF_A_MARK
    sheets: list[Sheet] = []
    games = marks = 0
    for start, end in pairwise((0, *_further_matches(lines), len(lines))):
        sheet = Sheet(sum(map(len, lines[start:end])) + end - start, *most, games, marks=marks)
        if is_part:
            sheet.length = 0
            note = 'the line "N point match" is missing, so the games are read as money play'
            sheet.report(Severity.WARNING, FindingKind.UNREADABLE_LINE, note, lines[0], 1, None)
        for number, line in enumerate(lines[start:end], start=start + 1):
            sheet.take(number, line)
        games = games + len(sheet.games)
        marks = sheet.marks
        if sheet.games or not sheets:
            sheets.append(sheet)
        else:  # beyond the limits
            sheets[-1].findings.extend(sheet.findings)
            break
    if sheets[0].length < 0:
        raise ParseError('the record holds no match: the line "N point match" is missing')
    if not sheets[0].games:
        raise ParseError(
            "the record holds no game: nothing that can be read follows the match line"
        )
    return sheets


def _further_matches(lines: Sequence[str]) -> Iterator[int]:
    """Where the second and further matches begin: match lines, each followed by a game, with the header before them."""
    has_game = False
    start = None
    for index, line in enumerate(lines):
        if _says_nothing(line) or len(line) > LONGEST_LINE:
            continue
        if _GAME_LINE.fullmatch(line):
            if start is not None:
                yield start
            has_game = True
            start = None
        else:
            start = (
                _header_before(index, lines) if has_game and MATCH_LINE.fullmatch(line) else None
            )


def _header_before(index: int, lines: Sequence[str]) -> int:
    """Where the tags and comments above a match line begin, which are not those of the game before them."""
    first = index
    while (
        first
        and _says_nothing(lines[first - 1])
        and not lines[first - 1].rstrip().endswith(WINS_BY_FORFEIT)
    ):
        first -= 1
    tags = (at for at in range(first, index) if _TAG.fullmatch(lines[at].strip()))
    start = next(tags, index)
    while start > first and lines[start - 1].strip():
        start -= 1
    return start


def _says_nothing(line: str) -> bool:
    """Whether a line is blank, or a tag or another comment."""
    return line.lstrip()[:1] in ("", ";", "#")
