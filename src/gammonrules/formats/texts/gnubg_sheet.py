"""GNU Backgammon's analyzed text as games and decisions: what is where, before any rule is applied.

Only what no translation changes is used: the name of the program before a Position ID, the Match ID below it, the names
beside the board, the star before an action, and numbers.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import Final

from attrs import Factory, define

from gammonrules.errors import ParseError
from gammonrules.formats.texts.text_patterns import lines_of
from gammonrules.match import Pair

MOST_DECISIONS: Final = 100_000
"""Decisions of one file; real games have fewer than two hundred."""

_PROGRAM: Final = "GNU Backgammon"
_POSITION_ID = re.compile(r"[:\s]([A-Za-z0-9+/]{14})$")
_MATCH_ID = re.compile(r"[:\s]([A-Za-z0-9+/]{12})$")
_HEADING = re.compile(r"([0-9]{1,6}): ")
_NAME_BESIDE_BOARD = re.compile(r" \+[-0-9]{30,50}\+ {1,8}([OX]): (.*)")
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
_MOST_FACTS: Final = 30
_FAR: Final = 6
"""Lines between a heading and its identifiers, at most."""


@define
class TextDecision:
    """One decision as it is printed: heading, board, action, analysis. It is also a `Place`."""

    row: int | None
    line: int | None
    text: str
    """The action, or else the heading."""
    position_id: str
    match_id: str
    names: dict[str, str] = Factory(dict[str, str])
    """The names beside the board, by the letters O and X."""
    action: str | None = None
    body: list[str] = Factory(list[str])
    """The lines below the action, without blank ones."""


@define
class TextGame:
    """One game as it is printed. It is also a `Place`: that of its score."""

    line: int | None
    text: str
    row: int | None = None
    score_words: str = ""
    """The names and points of the score line."""
    games_before: int | None = None
    length: int | None = None
    tags: list[tuple[str, str]] = Factory(list[tuple[str, str]])
    decisions: list[TextDecision] = Factory(list[TextDecision])


@define
class TextSheet:
    """A whole text, taken apart."""

    games: list[TextGame]
    engine: str
    written: dt.date | None = None
    """The day on which the program wrote the text."""


def is_gnubg_text(text: str) -> bool:
    """Whether a text has the two identifiers as GNU Backgammon prints them."""
    at = text.find(_PROGRAM)
    while at >= 0:
        two = text[at : at + 400].splitlines()[:2]
        if len(two) == 2 and is_anchor(*(line.rstrip() for line in two)):
            return True
        at = text.find(_PROGRAM, at + 1)
    return False


def begins_gnubg_text(line: str) -> bool:
    """Whether a line has the score before a game, or a Position ID."""
    line = line.rstrip()
    return score_line(1, line) is not None or (_PROGRAM in line and _POSITION_ID.search(line) is not None)


def is_anchor(line: str, below: str) -> bool:
    """Whether these two lines have the identifiers of a decision."""
    return _PROGRAM in line and bool(_POSITION_ID.search(line)) and bool(_MATCH_ID.search(below))


def read_sheet(text: str) -> TextSheet:
    """Take a text apart. Raises ParseError if there are too many decisions."""
    lines = lines_of(text)
    anchors = [at for at in range(len(lines) - 1) if is_anchor(lines[at], lines[at + 1])]
    if len(anchors) > MOST_DECISIONS:
        raise ParseError(f"the record has more than {MOST_DECISIONS:,} decisions, the limit")
    headings = [heading_of(lines, at) for at in anchors]
    sheet = TextSheet([], _PROGRAM)
    first = headings[0] if headings else 0
    waiting = heading_of_game(lines, 0, first, first)
    for index, (heading, anchor) in enumerate(zip(headings, anchors, strict=True)):
        decision = decision_at(lines, heading, anchor)
        end = headings[index + 1] if index + 1 < len(headings) else len(lines)
        following = take_rest(decision, lines, anchor + 2, end)
        if waiting is not None and not is_heading_of(waiting, decision):
            waiting = None
        if waiting is not None or not sheet.games or starts_again(decision, sheet.games[-1].decisions[-1]):
            sheet.games.append(waiting or TextGame(decision.line, decision.text))
        sheet.games[-1].decisions.append(decision)
        waiting = following
    for above, line in zip(reversed(lines[:-1]), reversed(lines), strict=False):
        if found := _VERSION.search(line):
            sheet.engine, sheet.written = found[0], written_on(above)
            break
    return sheet


def written_on(line: str) -> dt.date | None:
    """The day in a line such as `Output generated Sat Aug 31 23:47:24 2024`, which has English months everywhere."""
    found = _WRITTEN.search(line)
    if found is None:
        return None
    try:
        return dt.date(int(found[3]), _MONTHS.index(found[1]) // 3 + 1, int(found[2]))
    except ValueError:  # not a day of the calendar
        return None


def heading_of(lines: Sequence[str], anchor: int) -> int:
    """The index of the heading above the identifiers, or theirs if there is no heading."""
    for at in range(anchor - 1, max(-1, anchor - _FAR), -1):
        if lines[at]:
            return at if _HEADING.search(lines[at]) else anchor
    return anchor


def decision_at(lines: Sequence[str], heading: int, anchor: int) -> TextDecision:
    """A decision, as yet without its action."""
    found = _HEADING.search(lines[heading]) if heading < anchor else None
    row = int(found[1]) if found else None
    position, match = _POSITION_ID.search(lines[anchor]), _MATCH_ID.search(lines[anchor + 1])
    assert position is not None and match is not None  # noqa: S101, PT018 - that is what makes it an anchor
    return TextDecision(row, heading + 1, lines[heading], position[1], match[1])


def is_heading_of(game: TextGame, decision: TextDecision) -> bool:
    """Whether a score line names the players beside the board; a remark may look like one."""
    return all(_CUBE_BESIDE_NAME.sub("", name) in game.score_words for name in decision.names.values())


def starts_again(decision: TextDecision, before: TextDecision) -> bool:
    """Whether the numbers of the decisions start again, so that the heading of a game is missing."""
    return decision.row is not None and before.row is not None and decision.row <= before.row


def take_rest(decision: TextDecision, lines: Sequence[str], begin: int, end: int) -> TextGame | None:
    """The board, the action and the analysis of a decision; the heading of a game that may follow, if there is one."""
    score: int | None = None
    for at in range(begin, end):
        line = lines[at]
        if not line:
            continue
        if decision.action is not None:
            if "(" in line and score_line(at + 1, line) is not None:
                score = at
            decision.body.append(line)
        elif _ACTION.match(line):
            decision.action = line[2:]
            decision.line, decision.text = at + 1, line
        elif found := _NAME_BESIDE_BOARD.match(line):
            decision.names[found[1]] = found[2]
    return None if score is None else heading_of_game(lines, score, score + 1, end)


def heading_of_game(lines: Sequence[str], begin: int, last: int, end: int) -> TextGame | None:
    """The first score among the lines before `last`, with the facts below it before `end`; None if there is none."""
    for at in range(begin, last):
        game = score_line(at + 1, lines[at])
        if game is not None:
            facts = lines[at + 1 : min(end, at + _MOST_FACTS)]
            game.tags = [tag for line in facts if (tag := tag_of(line)) is not None]
            return game
    return None


def tag_of(line: str) -> tuple[str, str] | None:
    """A fact about the match: `Place: Paris`, or a tag of another format, which the program keeps as a comment."""
    kept = _KEPT_TAG.search(line)
    if kept is not None:
        return kept[1], kept[2]
    found = _TAG.fullmatch(line)
    return None if found is None else (found[1].strip(), found[2].strip())


def score_line(number: int, line: str) -> TextGame | None:
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
    return TextGame(number, line, None, words, int(before[1]), int(length[1]) if length else None)


def names_of(game: TextGame) -> Pair[str]:
    """The names of the players O and X: those beside the board, or else those of the score line."""
    beside = [decision.names for decision in game.decisions[:200]]
    seen = [[names[letter] for names in beside if letter in names] for letter in "OX"]
    return choose_names(game.score_words, seen[0], seen[1])


def choose_names(words: str, white: Sequence[str], black: Sequence[str]) -> Pair[str]:
    """The names in a score such as `Ann 0, Bob 0`; beside the board, the value of the cube follows its owner's."""
    splits = [
        (words[: first.start()], words[first.end() : last.start()])
        for last in [_LAST_SCORE.search(words)]
        if last is not None
        for first in _FIRST_SCORE.finditer(words)
        if first.end() <= last.start()
    ]
    for names in splits[:20]:
        if white and black and white[0].startswith(names[0]) and black[0].startswith(names[1]):
            return Pair(names)
    if splits:
        return Pair(splits[0])
    shortest = [min(names, key=len, default="") for names in (white, black)]
    return Pair(_CUBE_BESIDE_NAME.sub("", name) for name in shortest)
