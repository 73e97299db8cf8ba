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
    COMMENT_SIGNS,
    END_WORDS,
    MAX_LINE_LENGTH,
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
_LENGTH_OF_MATCH = r"(?:([0-9]{1,6})[ -]+points?\s+match|unlimited\s+game)"
"""Some programs write "Unlimited game" in place of "0 point match"."""
MATCH_LINE = re.compile(rf"\s{{0,200}}{_LENGTH_OF_MATCH}\s*", re.IGNORECASE)
LIKE_A_LINE = re.compile(
    rf"^\s{{0,200}}(?:;|#\s{{0,20}}\[|[0-9]{{1,5}}\)|Game\s+[0-9]|{_LENGTH_OF_MATCH})"
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
    """One match of a text, line by line."""

    most_games: int
    """In all matches of the text, as are the marks."""
    most_marks: int
    games_before: int = 0
    """In the matches before it."""
    length: int | None = None
    """None before the match line; 0 for money play."""
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
        if len(line) > MAX_LINE_LENGTH:
            self.report_unreadable(
                number, line, f"it is longer than {MAX_LINE_LENGTH:,} characters"
            )
            return
        line = line.expandtabs(8).rstrip()
        if not line or self.ended:
            return
        game = self.games[-1] if self.games else None
        # This comes first, since a name may begin like a comment or like a row.
        if game is not None and take_score_line(game, line):
            game.line = number
        elif "xgid" in line.lower() and XGID_LABEL.match(line):
            self.take_identifier(number, line)
        elif line.lstrip()[0] in ";#":
            self.take_comment(number, line.strip(), game)
        elif self.length is None:
            self.take_match_line(number, line)
        else:
            self.take_line_of_games(game, number, line)

    def take_match_line(self, number: int, line: str) -> None:
        """The line "7 point match" or "Unlimited game", before which there are only comments."""
        match = MATCH_LINE.fullmatch(line)
        if match is None:
            self.report_unreadable(number, line, "it comes before the match line")
        else:
            self.length = int(match[1] or 0)
            self.line = number

    def take_line_of_games(self, game: SheetGame | None, number: int, line: str) -> None:
        heading = _GAME_LINE.fullmatch(line)
        if heading is not None:
            self.take_heading(number, line, int(heading[1]))
        elif game is None:
            self.report_unreadable(number, line, "it comes before the first game")
        else:
            self.take_game_line(game, number, line)

    def take_heading(self, number: int, line: str, game: int) -> None:
        """The line "Game 1"."""
        if self.games_before + len(self.games) < self.most_games:
            self.games.append(SheetGame(index=len(self.games) + 1, number=game, line=number))
        else:
            self.end(number, line, f"no more than {self.most_games:,} games are read")

    def take_comment(self, number: int, line: str, game: SheetGame | None) -> None:
        if game is None:
            self.take_header_comment(number, line)
            return
        board = _SET_POSITION.match(line)
        is_money_play = self.length == 0  # only there are automatic doubles
        cube = _SET_CUBE.fullmatch(line) if is_money_play else None
        if board is not None:
            if game.cells:
                why = "a position can be set only before the first row of a game"
                self.report_unreadable(number, line, why)
            # a cell of no action: only its place and its text count
            kind = CellKind.UNREADABLE
            game.set_position = Cell(kind, None, None, number, line, play=board[1].strip())
        elif cube is not None and is_cube_value(int(cube[1])):
            game.cube = Cube(int(cube[1]))
        else:
            comment = line.lstrip(COMMENT_SIGNS)
            game.comments.append(comment)
            if comment.endswith(WINS_BY_FORFEIT):
                game.forfeits.append(Cell(CellKind.WINS, None, None, number, comment))

    def take_header_comment(self, number: int, line: str) -> None:
        tag = _TAG.fullmatch(line)
        if tag is None:
            self.comments.append(line.lstrip(COMMENT_SIGNS))
        else:
            self.tags.append((tag[1], tag[2]))
            self.tag_lines.append(number)

    def take_identifier(self, number: int, line: str) -> None:
        """An XGID, of which programs write one for each position below the games: these say all of it."""
        if self.has_identifiers:
            return
        self.has_identifiers = True
        note = "this identifier, and others in this file, are not read: the games say what they do"
        self.report(Severity.INFO, FindingKind.UNREADABLE_LINE, note, text=line, line=number)

    def take_game_line(self, game: SheetGame, line: int, text: str) -> None:
        """Split a line into its rows, since another number begins another row, and rows into cells."""
        rolls = text.count(":")
        self.marks += 1 + rolls
        if self.marks > self.most_marks:
            self.end(line, text, f"no more than {self.most_marks:,} lines and rolls are read")
            return
        if MATCH_LINE.fullmatch(text):
            self.end(line, text, "a second match begins here, but it has no game")
            return
        masked = without_dumps(text)
        starts = cells.starts_of_cells(masked, game.right_from)
        for match in starts:
            if match.lastgroup == "dice":
                self.rolls += 1
            elif match.lastgroup == "number":
                self.count_row(game, row=int(match["number"]), line=line, text=text)
        for row in cells.rows_on(line, game.right_from, starts, text=masked):
            end_of_unknown = row.cells[0].start if row.cells else row.end
            unknown = masked[row.start : end_of_unknown].strip()
            if unknown:
                why = f"{unknown[:40]!r} is not an action"
                self.report_unreadable(line, text, why, row.number)
                if starts:  # the line has actions, so the game cannot be followed past it
                    kind = CellKind.UNREADABLE
                    game.cells.append(Cell(kind, None, row.number, line, text.strip()))
                return
            if row.cells:
                self.take_cells(game, row, text)

    def take_cells(self, game: SheetGame, row: SheetRow, text: str) -> None:
        cells.note_right_cells(row, game)
        doubt = cells.doubt_about_columns(row, game)
        for index, cell in enumerate(cells.cells_of(text, row, game)):
            if cell.kind is CellKind.UNREADABLE:
                is_in_a_column = cell.side is not None
                why = "it is not an action" if is_in_a_column else "a row has only two columns"
                self.report_unreadable(row.line, cell.text, why, row.number)
            elif cell.rest:
                why = f"{cell.rest[:40]!r} is not an action"
                self.report_unreadable(row.line, cell.text, why, row.number)
            elif index == 0:  # only the first cell of a row is in doubt
                self.report_doubt(cell, row, text, doubt)
            if cell.kind not in END_WORDS and cell.side is not None:
                game.last_side = cell.side
            game.cells.append(cell)

    def report_doubt(self, first: Cell, row: SheetRow, text: str, doubt: str | None) -> None:
        """Report that the first cell of a row may be the other player's, if so."""
        if row.number is None and cells.contradicts_its_column(first, row):
            doubt = "these words are in the other player's column, but continue the row above"
        if doubt is not None:
            kind = FindingKind.POINTS_MISMATCH
            self.report(Severity.WARNING, kind, doubt, text=text, line=row.line, row=row.number)

    def count_row(self, game: SheetGame, row: int, line: int, text: str) -> None:
        if row <= game.last_row and not game.row_repeated:
            game.row_repeated = True
            kind = FindingKind.REPEATED_ROW_NUMBER
            note = "this row number appears a second time"
            self.report(Severity.INFO, kind, note, text=text, line=line, row=row)
        game.last_row = max(row, game.last_row)

    def end(self, number: int, line: str, why: str) -> None:
        self.report_unreadable(number, line, why)
        self.ended = True

    def report_unreadable(self, number: int, line: str, why: str, row: int | None = None) -> None:
        kind = FindingKind.UNREADABLE_LINE
        note = f"line {number} of the file cannot be read: {why}"
        self.report(Severity.ERROR, kind, note, text=line, line=number, row=row)

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        note: str,
        text: str,
        line: int,
        row: int | None = None,
    ) -> None:
        game = self.games[-1].index if self.games else None
        self.findings.report(severity, kind, note, text=text, line=line, row=row, game=game)


def without_dumps(text: str) -> str:
    """The text with dots in place of boards after illegal plays, in which names may look like cells."""
    if ";" not in text:
        return text
    return _DUMP.sub(lambda dump: "." * len(dump[0]), text)


def take_score_line(game: SheetGame, line: str) -> bool:
    """Read `name : score  name : score` (either name may be empty); False if this is not a score line.

    A game has one before its first row.
    """
    if game.score is not None or game.cells:
        return False
    left = _LEFT_SCORE.search(line)
    right = None if left is None else _RIGHT_SCORE.search(line, left.end())
    if left is None or right is None:
        return False
    between = line[left.end() : right.start()]
    left_name = line[: left.start()].strip()
    right_name = between.strip()
    blanks = len(between) - len(between.lstrip())
    right_column = left.end() + blanks  # where the right player's name begins
    game.names = (left_name, right_name)
    game.score = (int(left[1]), int(right[1]))
    game.text = line.strip()
    game.right_from = cells.threshold(right_column)
    return True


def read_sheets(text: str, *, is_part: bool = False) -> list[Sheet]:
    """Take a text apart, match by match. Raises ParseError if there is no match line, or no game after it.

    A part of a record needs no match line: then its games are read as money play.
    """
    lines = text.split("\n")
    has_game_line = any(map(_GAME_LINE.fullmatch, lines))
    has_match_line = any(map(MATCH_LINE.fullmatch, lines))
    is_of_games_alone = is_part and has_game_line and not has_match_line
    most_games = most_games_in(text)
    most_marks = _MARKS_OF_ANY_FILE + len(text) // _CHARACTERS_OF_A_MARK
    sheets: list[Sheet] = []
    games_before = 0
    marks_before = 0
    bounds = (0, *_further_matches(lines), len(lines))
    for start, end in pairwise(bounds):
        sheet = Sheet(most_games, most_marks, games_before=games_before, marks=marks_before)
        if is_of_games_alone:
            sheet.length = 0
            kind = FindingKind.UNREADABLE_LINE
            note = 'the line "N point match" or "Unlimited game" is missing, so the games are read as money play'
            sheet.report(Severity.WARNING, kind, note, text=lines[0], line=1)
        for number, line in enumerate(lines[start:end], start=start + 1):
            sheet.take(number, line)
        games_before += len(sheet.games)
        marks_before = sheet.marks  # which began with those of the matches before it
        is_further = len(sheets) > 0
        if is_further and not sheet.games:  # all its games are beyond the limits
            sheets[-1].findings.extend(sheet.findings)
            break
        sheets.append(sheet)
    first_match = sheets[0]
    if first_match.length is None:
        raise ParseError(
            'the record holds no match: the line "N point match" or "Unlimited game" is missing'
        )
    if not first_match.games:
        raise ParseError(
            "the record holds no game: nothing that can be read follows the match line"
        )
    return sheets


def _further_matches(lines: Sequence[str]) -> Iterator[int]:
    """The lines where further matches begin: match lines, each followed by a game, with the header before them."""
    has_game = False
    start_of_match = None  # if the line before this one, comments aside, is a further match line
    for index, line in enumerate(lines):
        if _says_nothing(line) or len(line) > MAX_LINE_LENGTH:
            continue
        is_game_line = _GAME_LINE.fullmatch(line) is not None
        if is_game_line and start_of_match is not None:
            yield start_of_match
        start_of_match = None
        if is_game_line:
            has_game = True
        elif has_game and MATCH_LINE.fullmatch(line):
            start_of_match = _header_before(index, lines)


def _header_before(index: int, lines: Sequence[str]) -> int:
    """The line where the tags and comments above a match line begin, which are not those of the game before them."""
    earliest = index
    while earliest > 0 and _may_be_header(lines[earliest - 1]):
        earliest -= 1
    tags = [at for at in range(earliest, index) if _TAG.fullmatch(lines[at].strip())]
    header = tags[0] if tags else index
    # comments above the first tag, or the match line, belong to the header, up to a blank line
    while header > earliest and lines[header - 1].strip():
        header -= 1
    return header


def _may_be_header(line: str) -> bool:
    """Whether a line can stand between two matches and belong to the second."""
    return _says_nothing(line) and not line.rstrip().endswith(WINS_BY_FORFEIT)


def _says_nothing(line: str) -> bool:
    """Whether a line is blank, or a tag or another comment."""
    return line.lstrip()[:1] in ("", ";", "#")
