"""GNU Backgammon's analyzed text as games and decisions: what is where, before any rule is applied.

Only what no translation changes is used: the name of the program before a Position ID, the Match ID below it, the names
beside the board, the star before an action, and numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

from attrs import Factory, define, frozen

from gammonrules.errors import GammonError, ParseError
from gammonrules.identifiers.internals import decode_match_id
from gammonrules.match import Cube, Pair, Player
from gammonrules.records.formats.texts.gnubg_analysis import with_indentation
from gammonrules.records.formats.texts.text_patterns import lines_of

MOST_DECISIONS: Final = 100_000
"""Decisions of one file; real games have fewer than two hundred."""

_PROGRAM: Final = "GNU Backgammon"
_POSITION_ID = re.compile(r"[:\s]([A-Za-z0-9+/]{14})$")
_MATCH_ID = re.compile(r"[:\s]([A-Za-z0-9+/]{12})$")
_HEADING = re.compile(r"([0-9]{1,6}): ")
_NAME_BESIDE_BOARD = re.compile(r" ?\+[-0-9]{30,50}\+ {1,8}([OX]): (.*)")
_CUBE_BESIDE_NAME = re.compile(r" \([^()0-9]{0,40}[0-9]{1,8}\)$")
_ACTION = re.compile(r"\*[ .](?=\S)")
_FIRST_SCORE = re.compile(r" ([0-9]{1,5}), ")
_LAST_SCORE = re.compile(r" ([0-9]{1,5})$")
_GAMES_BEFORE = re.compile(r"\([^()0-9]{0,60}([0-9]{1,5})[^()0-9]{0,60}\)")
_LENGTH = re.compile(r" \([^()0-9]{0,60}([0-9]{1,5})[^()0-9]{0,60}\)[^()0-9]{0,60}$")
"""`(match to 5 points)`, and perhaps ", Crawford game" or ", post-Crawford play"."""
_TAG = re.compile(r"([^:0-9]{1,60}?) ?: ?(\S.{0,400})")
_KEPT_TAG = re.compile(r"\[(\S[^\"\[\]]{0,60}?) \"([^\"]{0,400})\"\]$")
_VERSION = re.compile(r"GNU Backgammon [0-9][0-9A-Za-z.]{0,20}")
_WRITTEN = re.compile(r"\b([A-Z][a-z]{2}) {1,2}([0-9]{1,2}) [0-9]{2}:[0-9]{2}:[0-9]{2} ([0-9]{4})$")
_MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_MOST_FACTS: Final = 29
_NEAR: Final = 400
"""Characters after the name of the program in which the identifiers are."""
_MOST_BOARDS: Final = 200
_MOST_DIVISIONS: Final = 20
_FAR: Final = 8
"""Lines between a heading and its identifiers, at most; two in the program's texts, five if each stands alone."""


@frozen
class MatchIdFields:
    """The contents of a Match ID, with GNU Backgammon's player 0 as White."""

    on_roll: Player
    dice: tuple[int, int] | None
    cube: Cube
    beavers: int | None
    """How many beavers have followed a pending double; None if no double is pending."""
    score: tuple[int, int]
    length: int | None
    crawford: bool
    jacoby: bool


@define
class TextDecision:
    """One decision as it is printed: heading, board, action, analysis. It is also a `Place`."""

    row: int | None
    line: int
    text: str
    """The action, or else the heading, or the line with the Position ID."""
    position_id: str
    match_id: str
    names: dict[str, str] = Factory(dict[str, str])
    """The names beside the board, by the letters O and X."""
    action: str | None = None
    body: list[str] = Factory(list[str])
    """The lines below the action, or else below the board, without blank ones."""

    @property
    def identifiers(self) -> tuple[str, str]:
        return self.position_id, self.match_id

    def facts(self) -> MatchIdFields:
        """What the Match ID says. Raises GammonError if it cannot be decoded."""
        # whose White has the number 1; that of records, the left column, has 0
        plain = decode_match_id(self.match_id)
        cube = Cube(plain.cube, None if plain.owner is None else plain.owner.opponent)
        beavers = None if plain.double is None else plain.double.beavers
        return MatchIdFields(
            plain.on_roll.opponent,
            dice=plain.dice,
            cube=cube,
            beavers=beavers,
            score=(plain.score[1], plain.score[0]),
            length=plain.length,
            crawford=bool(plain.crawford),
            jacoby=bool(plain.jacoby),
        )

    def facts_or_none(self) -> MatchIdFields | None:
        with suppress(GammonError):
            return self.facts()
        return None


@define
class TextGame:
    """One game as it is printed. It is also a `Place`: that of its score."""

    line: int
    text: str
    row: None = None
    score_words: str = ""
    """The names and points of the score line."""
    games_before: int | None = None
    length: int | None = None
    tags: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    decisions: list[TextDecision] = Factory(list[TextDecision])

    def facts(self) -> Iterator[MatchIdFields]:
        """What the Match IDs say that can be decoded."""
        for decision in self.decisions:
            facts = decision.facts_or_none()
            if facts is not None:
                yield facts


@define
class TextSheet:
    games: list[TextGame]
    engine: str
    written: dt.date | None = None
    """The day on which the program wrote the text."""


def is_gnubg_text(text: str) -> bool:
    """Whether a text has the two identifiers as GNU Backgammon prints them."""
    for match in re.finditer(_PROGRAM, text):
        part = text[match.start() : match.start() + _NEAR]
        filled = [line.rstrip() for line in part.split("\n") if line.strip()]
        if len(filled) > 1 and _identifiers(filled[0], filled[1]) is not None:
            return True
    return False


def begins_gnubg_text(line: str) -> bool:
    """Whether a line has the score before a game, or a Position ID."""
    line = line.rstrip()
    return _score_line(1, line) is not None or (
        _PROGRAM in line and _POSITION_ID.search(line) is not None
    )


def _identifiers(line: str, below: str) -> tuple[str, str] | None:
    """The Position ID on a line, and the Match ID on the next one."""
    position_id = _POSITION_ID.search(line) if _PROGRAM in line else None
    match_id = _MATCH_ID.search(below)
    if position_id is None or match_id is None:
        return None
    return position_id[1], match_id[1]


def read_sheet(text: str) -> TextSheet:
    """Take a text apart. Raises ParseError if there are too many decisions."""
    lines = lines_of(text)
    filled = [at for at, line in enumerate(lines) if line]  # a mail may put a blank one after each
    anchors = _anchors_in(lines, filled)
    if len(anchors) > MOST_DECISIONS:
        raise ParseError(f"the record has more than {MOST_DECISIONS:,} decisions, the limit")
    sheet = TextSheet([], _PROGRAM)
    begins = [anchor.heading for anchor in anchors]
    ends = [*begins, len(lines)][1:]
    game_above = _first_score_line(lines, begins[0]) if begins else None
    """The game whose score line stands between the decision before and the present one."""
    for anchor, end in zip(anchors, ends, strict=True):
        decision = _decision_at(anchor, lines)
        game_below = _take_rest(decision, lines, begin=anchor.below + 1, end=end)
        if game_above is not None and _names_players_of(game_above, decision):
            facts = [line for line in lines[game_above.line : anchor.heading] if line]
            tags = map(_tag_of, facts[:_MOST_FACTS])
            game_above.tags = [tag for tag in tags if tag is not None]
            sheet.games.append(game_above)
        elif not sheet.games or _starts_again(decision, sheet.games[-1].decisions[-1]):
            sheet.games.append(TextGame(decision.line, decision.text))
        sheet.games[-1].decisions.append(decision)
        game_above = game_below
    _take_program(sheet, lines, filled)
    return sheet


@frozen
class _Anchor:
    """Where a decision is: the indexes of lines."""

    heading: int
    """That of the heading, or else of the Position ID."""
    at: int
    """That of the Position ID."""
    below: int
    """That of the Match ID."""
    position_id: str
    match_id: str


def _anchors_in(lines: Sequence[str], filled: Sequence[int]) -> list[_Anchor]:
    anchors: list[_Anchor] = []
    for at, below in pairwise(filled):
        identifiers = _identifiers(lines[at], lines[below])
        if identifiers is not None:
            position_id, match_id = identifiers
            anchors.append(_Anchor(_heading_of(lines, at), at, below, position_id, match_id))
    return anchors


def _decision_at(anchor: _Anchor, lines: Sequence[str]) -> TextDecision:
    heading = lines[anchor.heading]
    number = _HEADING.search(heading) if anchor.heading < anchor.at else None
    return TextDecision(
        None if number is None else int(number[1]),
        line=anchor.heading + 1,
        text=heading,
        position_id=anchor.position_id,
        match_id=anchor.match_id,
    )


def _first_score_line(lines: Sequence[str], end: int) -> TextGame | None:
    for number, line in enumerate(lines[:end], start=1):
        game = _score_line(number, line)
        if game is not None:
            return game
    return None


def _names_players_of(game: TextGame, decision: TextDecision) -> bool:
    """Whether a score line names the players beside the board; a remark may look like a score line."""
    return all(name_beside(name) in game.score_words for name in decision.names.values())


def _take_program(sheet: TextSheet, lines: Sequence[str], filled: Sequence[int]) -> None:
    """Take the version of the program from the last line that has it, and the day from the line above."""
    above = ""
    for at in filled:
        version = _VERSION.search(lines[at])
        if version is not None:
            sheet.engine = version[0]
            sheet.written = _written_on(above)
        above = lines[at]


def _written_on(line: str) -> dt.date | None:
    """The day in a line such as `Output generated Sat Aug 31 23:47:24 2024`, which has English months everywhere."""
    date = _WRITTEN.search(line)
    if date is None:
        return None
    with suppress(ValueError):  # not a day of the calendar
        month = _MONTHS.index(date[1]) + 1
        return dt.date(int(date[3]), month, int(date[2]))
    return None


def _heading_of(lines: Sequence[str], anchor: int) -> int:
    """The index of the heading above the identifiers, or theirs if there is no heading."""
    for at in range(anchor - 1, max(-1, anchor - _FAR), -1):
        if lines[at]:
            return at if _HEADING.search(lines[at]) else anchor
    return anchor


def _starts_again(decision: TextDecision, before: TextDecision) -> bool:
    """Whether the numbers of the decisions start again, so that the heading of a game is missing."""
    return decision.row is not None and before.row is not None and decision.row <= before.row


def _take_rest(
    decision: TextDecision, lines: Sequence[str], begin: int, end: int
) -> TextGame | None:
    """The board, the action and the analysis of a decision; the heading of a game that may follow, if there is one."""
    game: TextGame | None = None
    for at in range(begin, end):
        line = lines[at]
        if not line:
            continue
        if decision.action is None and _ACTION.match(line):
            decision.action = line[2:]
            decision.line = at + 1
            decision.text = line
            decision.body.clear()
        elif decision.action is not None or len(decision.names) == 2:
            if "(" in line:
                game = _score_line(at + 1, line) or game
            decision.body.append(line)
        else:
            name = _NAME_BESIDE_BOARD.match(line)
            if name is not None:
                decision.names[name[1]] = name[2]
    decision.body = with_indentation(decision.body)
    return game


def _tag_of(line: str) -> tuple[str, str] | None:
    """A fact about the match: `Place: Paris`, or a tag of another format, which the program keeps as a comment."""
    kept = _KEPT_TAG.search(line)
    if kept is not None:
        return kept[1], kept[2]
    fact = _TAG.fullmatch(line)
    return None if fact is None else (fact[1].strip(), fact[2].strip())


def _score_line(number: int, line: str) -> TextGame | None:
    """The line with the score, such as `The score (after 0 games) is: Ann 0, Bob 0 (match to 5 points)`."""
    before = _GAMES_BEFORE.search(line)
    colon = -1 if before is None else line.find(":", before.end())
    if before is None or colon < 0:
        return None
    words = line[colon + 1 :].strip()
    length = _LENGTH.search(words)
    if length is not None:
        words = words[: length.start()]
    if not _FIRST_SCORE.search(words) or not _LAST_SCORE.search(words):
        return None
    return TextGame(
        number,
        text=line,
        row=None,
        score_words=words,
        games_before=int(before[1]),
        length=None if length is None else int(length[1]),
    )


def names_beside(game: TextGame) -> Pair[str]:
    """The names of the players O and X in a score such as `Ann 0, Bob 0`, or else beside the board.

    Of several ways to divide the score, it is the one that the names beside the board show.
    """
    beside = [decision.names for decision in game.decisions[:_MOST_BOARDS]]
    white = [names["O"] for names in beside if "O" in names]
    black = [names["X"] for names in beside if "X" in names]
    splits = _divisions_of(game.score_words)
    for names in splits[:_MOST_DIVISIONS]:
        if white and black and white[0].startswith(names[0]) and black[0].startswith(names[1]):
            return Pair(names)
    if splits:
        return Pair(splits[0])
    shortest_white = min(white, key=len, default="")
    shortest_black = min(black, key=len, default="")
    return Pair((name_beside(shortest_white), name_beside(shortest_black)))


def _divisions_of(score: str) -> list[tuple[str, str]]:
    """The two names in a score such as `Ann 0, Bob 0`, by each comma after points."""
    last = _LAST_SCORE.search(score)
    if last is None:
        return []
    return [
        (score[: first.start()], score[first.end() : last.start()])
        for first in _FIRST_SCORE.finditer(score)
        if first.end() <= last.start()
    ]


def name_beside(words: str) -> str:
    """The name in the words beside a board, where the owner's cube may follow it."""
    return _CUBE_BESIDE_NAME.sub("", words)
