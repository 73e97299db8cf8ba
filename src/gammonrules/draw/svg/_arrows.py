"""Arrows from checkers to where they will be, none of which hides another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

from gammonrules.draw._marks import Step
from gammonrules.draw.svg._geometry import Spot

_SHAFT = 6
"""How thick an arrow is."""
_HEAD = 18
"""How long and wide its head is."""
_PITCH = 9
"""From the middle of an arrow to that of one beside it: a shaft, and what is seen of the board between."""
_PLACES_BESIDE = (0, _PITCH, -_PITCH, 2 * _PITCH)


class Line(NamedTuple):
    """From the checker that moves to where it will be."""

    start: Spot
    end: Spot

    @property
    def length(self) -> float:
        return dist(self.start, self.end)

    @property
    def direction(self) -> Spot:
        """The line as one of length 1 from the origin."""
        length = max(self.length, 1)
        return (self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length


def untangled(moves: Sequence[Step], lines: Sequence[Line]) -> list[Line]:
    """The same arrows, but of two that begin or end in the same place none crosses the other.

    Two that cross are longer together than the two that connect their ends otherwise.
    """
    arrows = [*lines]
    for _ in lines:  # a few times at most, but not without end
        previous = [*arrows]
        for first, second in combinations(range(len(arrows)), 2):
            start, end = moves[first]
            other_start, other_end = moves[second]
            pair = arrows[first], arrows[second]
            if start == other_start:
                pair = _shorter(pair, _with_starts_exchanged(pair))
            if end == other_end:
                pair = _shorter(pair, _with_ends_exchanged(pair))
            arrows[first], arrows[second] = pair
        if arrows == previous:
            break
    return arrows


def _with_starts_exchanged(pair: tuple[Line, Line]) -> tuple[Line, Line]:
    first, second = pair
    return Line(second.start, first.end), Line(first.start, second.end)


def _with_ends_exchanged(pair: tuple[Line, Line]) -> tuple[Line, Line]:
    first, second = pair
    return Line(first.start, second.end), Line(second.start, first.end)


def _shorter(arrows: tuple[Line, Line], exchanged: tuple[Line, Line]) -> tuple[Line, Line]:
    """Two arrows, or those with their starts or ends exchanged, if they are shorter by more than rounding."""
    first, second = arrows
    other_first, other_second = exchanged
    length = first.length + second.length
    exchanged_length = other_first.length + other_second.length
    return exchanged if exchanged_length < length - 0.1 else arrows


def apart(lines: Sequence[Line], *, right_handed: bool) -> list[Line]:
    """The same arrows, but none along another: it is moved aside.

    The first side tried is the right as one goes along the arrow, or else the left, so that a mirrored image has
    mirrored arrows.
    """
    arrows: list[Line] = []
    for line in lines:
        arrows.append(_free_line(line, arrows, side=1 if right_handed else -1))
    return arrows


def _free_line(line: Line, arrows: Sequence[Line], side: int) -> Line:
    """An arrow where none of these is along it, if there is such a place; 1 is to the right of it, -1 to the left."""
    for distance in _PLACES_BESIDE:
        line_beside = _aside(line, side * distance)
        is_free = not any(_is_along(line_beside, arrow) for arrow in arrows)
        if is_free:
            return line_beside
    return line


def _aside(line: Line, distance: int) -> Line:
    (x1, y1), (x2, y2) = line
    ahead_x, ahead_y = line.direction
    right_x = -distance * ahead_y
    right_y = distance * ahead_x
    return Line((x1 + right_x, y1 + right_y), (x2 + right_x, y2 + right_y))


def _is_along(line: Line, other: Line) -> bool:
    """Whether an arrow covers a part of another that is more than twice as long as they are thick."""
    start_x, start_y = line.start
    ahead_x, ahead_y = line.direction
    ends: list[float] = []  # how far along the line the other one begins and ends
    for x, y in other:
        from_start_x = x - start_x
        from_start_y = y - start_y
        aside = from_start_y * ahead_x - from_start_x * ahead_y
        if abs(aside) >= _SHAFT:
            return False
        ends.append(from_start_x * ahead_x + from_start_y * ahead_y)
    covered_from = max(min(ends), 0)
    covered_to = min(max(ends), line.length)
    return covered_to - covered_from > 2 * _SHAFT


def outline(line: Line) -> str:
    """The outline of an arrow, whose shaft ends where its head begins: at its neck."""
    length = max(line.length, 1)
    neck = max(length - _HEAD, 0)
    shaft = _SHAFT // 2
    head = _HEAD // 2
    # each corner: how far ahead along the arrow, and how far aside, to the right
    right_side = [(0, shaft), (neck, shaft), (neck, head)]
    tip = (length, 0)
    left_side = [(neck, -head), (neck, -shaft), (0, -shaft)]
    start_x, start_y = line.start
    ahead_x, ahead_y = line.direction
    corners: list[str] = []
    for ahead, aside in [*right_side, tip, *left_side]:
        x = start_x + ahead * ahead_x - aside * ahead_y
        y = start_y + ahead * ahead_y + aside * ahead_x
        corners.append(f"{round(x, 1):g} {round(y, 1):g}")
    return f"M{'L'.join(corners)}z"
