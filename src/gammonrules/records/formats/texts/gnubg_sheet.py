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

MAX_DECISIONS: Final = 100_000
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
_MAX_FACTS: Final = 29
_NEAR: Final = 400
"""Characters after the name of the program in which the identifiers are."""
_MAX_BOARDS: Final = 200
_MAX_DIVISIONS: Final = 20
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
    body_numbers: list[int] = Factory(list[int])
    """The numbers of these lines in the text."""

    @property
    def identifiers(self) -> tuple[str, str]:
        return self.position_id, self.match_id

    def facts(self) -> MatchIdFields:
        """The contents of the Match ID. Raises GammonError if it cannot be decoded."""
        decoded = decode_match_id(self.match_id)
        # in identifiers White is the program's player 1, but in its records player 0: so the players are exchanged
        player_1_score, player_0_score = decoded.score
        cube_owner = None if decoded.owner is None else decoded.owner.opponent
        return MatchIdFields(
            decoded.on_roll.opponent,
            dice=decoded.dice,
            cube=Cube(decoded.cube, cube_owner),
            beavers=None if decoded.double is None else decoded.double.beavers,
            score=(player_0_score, player_1_score),
            length=decoded.length,
            crawford=bool(decoded.crawford),
            jacoby=bool(decoded.jacoby),
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
        """The contents of the Match IDs that can be decoded."""
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
    for name_of_program in re.finditer(_PROGRAM, text):
        start = name_of_program.start()
        near = text[start : start + _NEAR]
        filled_lines = [line.rstrip() for line in near.split("\n") if line.strip()]
        if len(filled_lines) > 1 and _identifiers(filled_lines[0], filled_lines[1]) is not None:
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
    match_id = None if position_id is None else _MATCH_ID.search(below)
    if position_id is None or match_id is None:
        return None
    return position_id[1], match_id[1]


def read_sheet(text: str) -> TextSheet:
    """Take a text apart. Raises ParseError if there are too many decisions."""
    lines = lines_of(text)
    filled = [at for at, line in enumerate(lines) if line]  # a mail may put a blank one after each
    anchors = _anchors_in(lines, filled)
    if len(anchors) > MAX_DECISIONS:
        raise ParseError(f"the record has more than {MAX_DECISIONS:,} decisions, the limit")
    sheet = TextSheet([], _PROGRAM)
    ends = [anchor.heading for anchor in anchors[1:]] + [len(lines)]
    decisions = [_decision_at(anchor, lines) for anchor in anchors]
    # a score line begins the game of the decision below it
    games_above = [_first_score_line(lines, anchors[0].heading) if anchors else None]
    for anchor, decision, end in zip(anchors, decisions, ends, strict=False):
        games_above.append(_take_rest(decision, lines, begin=anchor.below + 1, end=end))
    for anchor, decision, game_above in zip(anchors, decisions, games_above, strict=False):
        if game_above is not None and _names_players_of(game_above, decision):
            lines_between = lines[game_above.line : anchor.heading]
            facts = [line for line in lines_between if line]
            tags = map(_tag_of, facts[:_MAX_FACTS])
            game_above.tags = [tag for tag in tags if tag is not None]
            sheet.games.append(game_above)
        elif not sheet.games or _starts_again(decision, sheet.games[-1].decisions[-1]):
            sheet.games.append(TextGame(decision.line, decision.text))
        sheet.games[-1].decisions.append(decision)
    _take_program(sheet, lines, filled)
    return sheet


@frozen
class _Anchor:
    """Where a decision is: the indexes of lines."""

    heading: int
    """The index of the heading, or else of the Position ID."""
    at: int
    """The index of the line with the Position ID."""
    below: int
    """The index of the line with the Match ID."""
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
    number = None
    has_heading = anchor.heading < anchor.at
    if has_heading:
        number = _HEADING.search(heading)
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
    filled_lines = [lines[at] for at in filled]
    for line_above, line in pairwise(["", *filled_lines]):
        version = _VERSION.search(line)
        if version is not None:
            sheet.engine = version[0]
            sheet.written = _written_on(line_above)


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
    farthest = max(0, anchor - _FAR + 1)
    for at in reversed(range(farthest, anchor)):
        if lines[at]:  # only the nearest line that is not blank may be a heading
            return at if _HEADING.search(lines[at]) else anchor
    return anchor


def _starts_again(decision: TextDecision, before: TextDecision) -> bool:
    """Whether the numbers of the decisions start again, so that the heading of a game is missing."""
    return decision.row is not None and before.row is not None and decision.row <= before.row


def _take_rest(
    decision: TextDecision, lines: Sequence[str], begin: int, end: int
) -> TextGame | None:
    """Take the board, the action and the analysis of a decision, and return the game whose score line is below them.

    The board ends with its second name, or at an action; what follows the last of these is the analysis.
    """
    game_below: TextGame | None = None
    for at in range(begin, end):
        line = lines[at]
        if not line:
            continue
        is_board_over = decision.action is not None or len(decision.names) == 2
        if decision.action is None and _ACTION.match(line):
            decision.action = line[2:]
            decision.line = at + 1
            decision.text = line
            decision.body.clear()
            decision.body_numbers.clear()
        elif is_board_over:
            decision.body.append(line)
            decision.body_numbers.append(at + 1)
            game = _score_line(at + 1, line) if "(" in line else None
            if game is not None:
                game_below = game
        else:
            name = _NAME_BESIDE_BOARD.match(line)
            if name is not None:
                decision.names[name[1]] = name[2]
    decision.body = with_indentation(decision.body)
    return game_below


def _tag_of(line: str) -> tuple[str, str] | None:
    """A fact about the match: `Place: Paris`, or a tag of another format, which the program keeps as a comment."""
    kept = _KEPT_TAG.search(line)
    if kept is not None:
        return kept[1], kept[2]
    fact = _TAG.fullmatch(line)
    return None if fact is None else (fact[1].strip(), fact[2].strip())


def _score_line(number: int, line: str) -> TextGame | None:
    """The line with the score, such as `The score (after 0 games) is: Ann 0, Bob 0 (match to 5 points)`."""
    games_before = _GAMES_BEFORE.search(line)
    if games_before is None:
        return None
    _, colon, words = line[games_before.end() :].partition(":")
    if not colon:
        return None
    words = words.strip()
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
        games_before=int(games_before[1]),
        length=None if length is None else int(length[1]),
    )


def names_beside(game: TextGame) -> Pair[str]:
    """The names of the players O and X in a score such as `Ann 0, Bob 0`, or else beside the board.

    A name may look like points and a comma, so the names beside the board choose among the ways to divide the score.
    """
    beside = [decision.names for decision in game.decisions[:_MAX_BOARDS]]
    white = [names["O"] for names in beside if "O" in names]
    black = [names["X"] for names in beside if "X" in names]
    divisions = _divisions_of(game.score_words)
    if white and black:
        for o_name, x_name in divisions[:_MAX_DIVISIONS]:
            # a name beside the board may have the cube after it
            if white[0].startswith(o_name) and black[0].startswith(x_name):
                return Pair((o_name, x_name))
    if divisions:
        return Pair(divisions[0])
    # the shortest of each player, since some boards have the cube beside a name
    shortest_white = min(white, key=len, default="")
    shortest_black = min(black, key=len, default="")
    return Pair((name_beside(shortest_white), name_beside(shortest_black)))


def _divisions_of(score: str) -> list[tuple[str, str]]:
    """The two names in a score such as `Ann 0, Bob 0`, by each comma after points."""
    points_of_second = _LAST_SCORE.search(score)
    if points_of_second is None:
        return []
    divisions: list[tuple[str, str]] = []
    for points_of_first in _FIRST_SCORE.finditer(score):
        if points_of_first.end() <= points_of_second.start():
            first_name = score[: points_of_first.start()]
            second_name = score[points_of_first.end() : points_of_second.start()]
            divisions.append((first_name, second_name))
    return divisions


def name_beside(words: str) -> str:
    """The name in the words beside a board, where the owner's cube may follow it."""
    return _CUBE_BESIDE_NAME.sub("", words)
