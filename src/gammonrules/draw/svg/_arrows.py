"""Arrows from checkers to where they will be, none of which hides another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import dist
from typing import NamedTuple

from gammonrules.draw._marks import Step
from gammonrules.draw.svg._geometry import Spot


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
        before = [*arrows]
        for first, second in combinations(range(len(arrows)), 2):
            if moves[first][0] == moves[second][0]:
                a, b = arrows[first], arrows[second]
                exchanged = Line(b.start, a.end), Line(a.start, b.end)
                arrows[first], arrows[second] = _shorter((a, b), exchanged)
            if moves[first][1] == moves[second][1]:
                a, b = arrows[first], arrows[second]
                exchanged = Line(a.start, b.end), Line(b.start, a.end)
                arrows[first], arrows[second] = _shorter((a, b), exchanged)
        if arrows == before:
            break
    return arrows


def _shorter(arrows: tuple[Line, Line], exchanged: tuple[Line, Line]) -> tuple[Line, Line]:
    """Two arrows, or those with their starts or ends exchanged, if they are shorter."""
    length = arrows[0].length + arrows[1].length
    return exchanged if exchanged[0].length + exchanged[1].length < length - 0.1 else arrows


def apart(lines: Sequence[Line], *, right_handed: bool) -> list[Line]:
    """The same arrows, but none along another: it is moved aside, by a shaft and what is seen of the board between.

    The first side tried is the right as one goes along the arrow, or else the left, so that a mirrored picture has
    mirrored arrows.
    """
    arrows: list[Line] = []
    for line in lines:
        arrows.append(_free_line(line, arrows, side=1 if right_handed else -1))
    return arrows


def _free_line(line: Line, arrows: Sequence[Line], side: int) -> Line:
    """An arrow where none of these is along it, if there is such a place."""
    for distance in (0, 9, -9, 18):
        moved = _aside(line, side * distance)
        if not any(_is_along(moved, arrow) for arrow in arrows):
            return moved
    return line


def _aside(line: Line, distance: int) -> Line:
    (x1, y1), (x2, y2) = line
    ahead_x, ahead_y = line.direction
    right_x = -distance * ahead_y
    right_y = distance * ahead_x
    return Line((x1 + right_x, y1 + right_y), (x2 + right_x, y2 + right_y))


def _is_along(line: Line, other: Line) -> bool:
    """Whether an arrow covers a part of another that is longer than it is thick."""
    start_x, start_y = line.start
    ahead_x, ahead_y = line.direction
    ends: list[float] = []
    for x, y in other:
        aside = (y - start_y) * ahead_x - (x - start_x) * ahead_y
        if abs(aside) >= 6:
            return False
        ends.append((x - start_x) * ahead_x + (y - start_y) * ahead_y)
    return min(max(ends), line.length) - max(min(ends), 0) > 12


def outline(line: Line) -> str:
    """The outline of an arrow: a shaft 6 units wide, with a head 18 long and wide."""
    length = max(line.length, 1)
    neck = max(length - 18, 0)
    right = [(0, 3), (neck, 3), (neck, 9)]
    left = [(neck, -9), (neck, -3), (0, -3)]
    start_x, start_y = line.start
    ahead_x, ahead_y = line.direction
    corners: list[str] = []
    for ahead, aside in [*right, (length, 0), *left]:
        x = start_x + ahead * ahead_x - aside * ahead_y
        y = start_y + ahead * ahead_y + aside * ahead_x
        corners.append(f"{round(x, 1):g} {round(y, 1):g}")
    return f"M{'L'.join(corners)}z"
