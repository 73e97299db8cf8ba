"""What a conversion has lost, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gammonrules.records import Match

_PART = re.compile(r"(?:games\[(\d+)\]\.)?(.+)")

_SENTENCES: Mapping[str, str] = {
    "players": "the names of the players are changed",
    "tags": "some facts in the header are left out or changed",
    "comments": "some comments are left out or changed",
    "rolls": "the number of rolls differs: rolls that were not replayed are left out, that of a position is added",
    "start": "the start of the game is written differently, as a position set by hand",
    "events": "some actions are left out, changed or added, such as a declined resignation or a position set by hand",
    "stated": "the stated end is left out",
    "stated.winner": "the stated winner is corrected to the one who won by the rules",
    "stated.points": "the stated points are corrected to those that were won",
    "stated.and_the_match": 'the words "and the match" are corrected',
    "analyses": "the analyses are left out or changed",
    "notes": "remarks about individual actions are left out or changed",
    "pending_analysis": "the analysis of the last position is left out or changed",
}


def losses_in_words(match: Match, names: Iterable[str]) -> list[str]:
    """A sentence for each part that was lost, with the games that lost it.

    Args:
        match: the record.
        names: the parts, as `lost_in` names them.
    """
    games: dict[str, list[int]] = {}
    for name in names:
        parts = _PART.fullmatch(name)
        if parts is not None:
            of_part = games.setdefault(_sentence(parts[2]), [])
            of_part += [] if parts[1] is None else [match.games[int(parts[1])].number]
    return [sentence + _where(numbers) for sentence, numbers in games.items()]


def _sentence(part: str) -> str:
    if part in _SENTENCES:
        return _SENTENCES[part]
    area, _, detail = part.partition(".")
    if area == "rules":
        return f'the rule option "{detail}" is left out'
    if area == "findings":
        return f'the referee\'s "{detail}" findings will differ'
    return f'"{part}" is left out or changed'


def _where(numbers: Sequence[int]) -> str:
    """The games, as a remark: " (game 3)", " (games 1 to 4, 7)"."""
    if not numbers:
        return ""
    runs = [f"{first}" if first == last else f"{first} to {last}" for first, last in _runs(numbers)]
    return f" (game{'s' * (len(numbers) > 1)} {', '.join(runs)})"


def _runs(numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and last of numbers that follow one another."""
    first = last = numbers[0]
    for number in numbers[1:]:
        if number != last + 1:
            yield first, last
            first = number
        last = number
    yield first, last
