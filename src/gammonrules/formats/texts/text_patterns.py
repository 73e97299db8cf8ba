"""What the texts of engines have in common: lines, decimals with a point or a comma, six chances in a row.

Every pattern is bounded, and long lines are ignored, so that the cost grows with the length of the text only. A
number that a pattern accepts is finite, so that decoding it later cannot fail.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from attrs import frozen

from gammonrules.board import Play, Plays
from gammonrules.board.internals import legal_play
from gammonrules.equity import Chances
from gammonrules.errors import GammonError
from gammonrules.transcript import Candidate, chances_of, may_be_chances

LONGEST_LINE: Final = 1_000
"""The most characters of a line that is read; the programs' lines have up to a hundred."""

NUMBER: Final = r"[+-]?[0-9]{1,4}[.,][0-9]{1,8}"
"""A number with decimals."""

_CHANCE: Final = r"(-?[0-9]{1,3}[.,][0-9]{1,8})"
_SIX = re.compile(rf"(?<![0-9.,+-]){_CHANCE} +{_CHANCE} +{_CHANCE} +- +{_CHANCE} +{_CHANCE} +{_CHANCE}(?![0-9.,])")
_STEP = re.compile(
    r"(?<!\S)(?:bar|[0-9]{1,2})\*?(?:/(?:off|[0-9]{1,2})\*?)+(?:\([1-4]\)\*?)?(?=,?(?:\s|$))", re.IGNORECASE
)
_LINE_END = re.compile(r"\r\n?|\n")
_MOST_CANDIDATES: Final = 100
"""The most candidates of one list that are kept; programs print those that they evaluated, usually five."""
_ROUNDING: Final = 0.0011
"""How far rounding may push a chance out of its range."""
_SURELY_PERCENT: Final = 90


@frozen
class Body:
    """The lines of an analysis, and the program that made it."""

    lines: tuple[str, ...]
    engine: str


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever ends them, without blanks at their ends; lines that are too long are empty."""
    return [line.rstrip() if len(line) <= LONGEST_LINE else "" for line in _LINE_END.split(text)]


def to_float(text: str) -> float:
    """The value of a number with a point or a comma."""
    return float(text.replace(",", "."))


def from_percent(text: str) -> float:
    """A chance that is printed in percent, from 0 to 1."""
    return round(to_float(text) / 100, 8)


def six_numbers(line: str) -> list[float] | None:
    """The six numbers of a line such as `0.533 0.154 0.011 - 0.467 0.134 0.007`, from 0 to 1; None if there are none.

    They are wins, gammons and backgammons, then the same for the opponent. Some programs print percentages. Wins and
    losses add up to 1.
    """
    found = _SIX.search(line)
    if found is None:
        return None
    numbers = [to_float(number) for number in found.groups()]
    if numbers[0] + numbers[3] > _SURELY_PERCENT:
        numbers = [round(number / 100, 8) for number in numbers]
    in_range = min(numbers) >= -_ROUNDING and max(numbers) <= 1 + _ROUNDING
    is_whole = in_range and abs(numbers[0] + numbers[3] - 1) <= 2 * _ROUNDING
    return numbers if is_whole and may_be_chances((*numbers[:3], *numbers[4:])) else None


def chances_in(line: str) -> Chances | None:
    """The chances in such a line."""
    numbers = six_numbers(line)
    return None if numbers is None else chances_of(*numbers[:3], *numbers[4:])


def play_in(text: str) -> str:
    """The moves in a text, such as `8/5 6/5` in `4-ply 8/5 6/5`; "" if it has none."""
    return " ".join(found[0] for found in _STEP.finditer(text))


def before_the_play(text: str) -> str:
    """The text before the moves."""
    found = _STEP.search(text)
    return text if found is None else text[: found.start()]


def legal(plays: Plays, text: str) -> Play | None:
    """The legal play that a text means, or None."""
    try:
        return legal_play(plays, text)
    except GammonError:
        return None


def candidates_in(
    lines: Sequence[str], pattern: re.Pattern[str], read: Callable[[re.Match[str], Sequence[str]], Candidate | None]
) -> list[tuple[re.Match[str], Candidate]]:
    """The legal candidates of a list: `read` makes one of its line, as the pattern matches it, and those below."""

    def found() -> Iterator[tuple[re.Match[str], Candidate]]:
        for at, line in enumerate(lines):
            if (match := pattern.match(line)) and (candidate := read(match, lines[at + 1 : at + 4])) is not None:
                yield match, candidate

    return list(islice(found(), _MOST_CANDIDATES))
