"""GNU Backgammon's analyzed text as games and decisions: what is where, before any rule is applied.

Only what no translation changes is used: the name of the program before a Position ID, the Match ID below it, the names
beside the board, the star before an action, and numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise, starmap
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
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"
_MOST_FACTS: Final = 29
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


@define
class TextSheet:
    games: list[TextGame]
    engine: str
    written: dt.date | None = None
    """The day on which the program wrote the text."""


def is_gnubg_text(text: str) -> bool:
    """Whether a text has the two identifiers as GNU Backgammon prints them."""
    parts = (
        text[match.start() : match.start() + 400].split("\n")
        for match in re.finditer(_PROGRAM, text)
    )
    pairs = ([line.rstrip() for line in part if line.strip()][:2] for part in parts)
    return any(len(two) == 2 and _identifiers(*two) for two in pairs)


def begins_gnubg_text(line: str) -> bool:
    """Whether a line has the score before a game, or a Position ID."""
    line = line.rstrip()
    return _score_line(1, line) is not None or (
        _PROGRAM in line and _POSITION_ID.search(line) is not None
    )


def _identifiers(line: str, below: str) -> tuple[str, str] | None:
    position_id = _POSITION_ID.search(line) if _PROGRAM in line else None
    match_id = _MATCH_ID.search(below) if position_id else None
    return (position_id[1], match_id[1]) if position_id and match_id else None


def read_sheet(text: str) -> TextSheet:
    """Take a text apart. Raises ParseError if there are too many decisions."""
    lines = lines_of(text)
    filled = [at for at, line in enumerate(lines) if line]  # a mail may put a blank one after each
    anchors = [
        (at, below) for at, below in pairwise(filled) if _identifiers(lines[at], lines[below])
    ]
    if len(anchors) > MOST_DECISIONS:
        raise ParseError(f"the record has more than {MOST_DECISIONS:,} decisions, the limit")
    headings = [_heading_of(lines, at) for at, _ in anchors]
    sheet = TextSheet([], _PROGRAM)
    first = lines[: headings[0]] if headings else []
    game = next(filter(None, starmap(_score_line, enumerate(first, start=1))), None)
    for heading, end, (anchor, below) in zip(
        headings, [*headings, len(lines)][1:], anchors, strict=True
    ):
        number = _HEADING.search(lines[heading]) if heading < anchor else None
        identifiers = _identifiers(lines[anchor], lines[below]) or ("", "")
        decision = TextDecision(
            int(number[1]) if number else None, heading + 1, lines[heading], *identifiers
        )
        following = _take_rest(decision, lines, begin=below + 1, end=end)
        # its score line names the players beside the board; a remark may look like one
        if game is not None and all(
            name_beside(name) in game.score_words for name in decision.names.values()
        ):
            facts = [line for line in lines[game.line : heading] if line][:_MOST_FACTS]
            game.tags = [tag for line in facts if (tag := _tag_of(line)) is not None]
            sheet.games.append(game)
        elif not sheet.games or _starts_again(decision, sheet.games[-1].decisions[-1]):
            sheet.games.append(TextGame(decision.line, decision.text))
        sheet.games[-1].decisions.append(decision)
        game = following
    for at, above in pairwise(reversed([-1, *filled])):
        if version := _VERSION.search(lines[at]):
            sheet.engine = version[0]
            sheet.written = _written_on(lines[above] if above >= 0 else "")
            break
    return sheet


def _written_on(line: str) -> dt.date | None:
    """The day in a line such as `Output generated Sat Aug 31 23:47:24 2024`, which has English months everywhere."""
    date = _WRITTEN.search(line)
    with suppress(ValueError):  # not a day of the calendar
        return date and dt.date(int(date[3]), _MONTHS.index(date[1]) // 3 + 1, int(date[2]))
    return None


def _heading_of(lines: Sequence[str], anchor: int) -> int:
    """The index of the heading above the identifiers, or theirs if there is no heading."""
    at = next((at for at in range(anchor - 1, max(-1, anchor - _FAR), -1) if lines[at]), anchor)
    return at if _HEADING.search(lines[at]) else anchor


def _starts_again(decision: TextDecision, before: TextDecision) -> bool:
    """Whether the numbers of the decisions start again, so that the heading of a game is missing."""
    return decision.row is not None and before.row is not None and decision.row <= before.row


def _take_rest(
    decision: TextDecision, lines: Sequence[str], begin: int, end: int
) -> TextGame | None:
    """The board, the action and the analysis of a decision; the heading of a game that may follow, if there is one."""
    game: TextGame | None = None
    for at in range(begin, end):
        if not (line := lines[at]):
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
        elif name := _NAME_BESIDE_BOARD.match(line):
            decision.names[name[1]] = name[2]
    decision.body = with_indentation(decision.body)
    return game


def _tag_of(line: str) -> tuple[str, str] | None:
    """A fact about the match: `Place: Paris`, or a tag of another format, which the program keeps as a comment."""
    if kept := _KEPT_TAG.search(line):
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
    if length := _LENGTH.search(words):
        words = words[: length.start()]
    if not _FIRST_SCORE.search(words) or not _LAST_SCORE.search(words):
        return None
    return TextGame(
        number,
        text=line,
        row=None,
        score_words=words,
        games_before=int(before[1]),
        length=int(length[1]) if length else None,
    )


def names_beside(game: TextGame) -> Pair[str]:
    """The names of the players O and X in a score such as `Ann 0, Bob 0`, or else beside the board.

    Of several ways to divide the score, it is the one that the names beside the board show.
    """
    beside = [decision.names for decision in game.decisions[:200]]
    white, black = ([names[letter] for names in beside if letter in names] for letter in "OX")
    words = game.score_words
    last = _LAST_SCORE.search(game.score_words)
    splits = [
        (words[: first.start()], words[first.end() : last.start()])
        for first in _FIRST_SCORE.finditer(words)
        if last is not None and first.end() <= last.start()
    ]
    for names in splits[:20]:
        if white and black and white[0].startswith(names[0]) and black[0].startswith(names[1]):
            return Pair(names)
    if splits:
        return Pair(splits[0])
    return Pair(name_beside(min(names, key=len, default="")) for names in (white, black))


def name_beside(words: str) -> str:
    """The name in the words beside a board, where the owner's cube may follow it."""
    return _CUBE_BESIDE_NAME.sub("", words)
