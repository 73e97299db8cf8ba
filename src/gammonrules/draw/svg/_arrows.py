"""Arrows from checkers to where they will be, none of which hides another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, starmap
from math import dist
from typing import TypeAlias

from gammonrules.draw.svg._geometry import Spot

Line: TypeAlias = tuple[Spot, Spot]
"""From the checker that moves to where it will be."""


def untangled(steps: Sequence[tuple[int, int]], lines: Sequence[Line]) -> list[Line]:
    """The same arrows, but of two that begin or end in the same place none crosses the other.

    Two that cross are longer together than the two that connect their ends otherwise.
    """
    arrows = [*lines]
    for _ in lines:  # a few times at most, but not without end
        before = [*arrows]
        for first, second in combinations(range(len(arrows)), 2):
            for side in (0, 1):
                if steps[first][side] == steps[second][side]:
                    arrows[first], arrows[second] = _shorter(arrows[first], arrows[second], side)
        if arrows == before:
            break
    return arrows


def _shorter(a: Line, b: Line, side: int) -> tuple[Line, Line]:
    """Two arrows, with their starts (0) or their ends (1) exchanged if that makes them shorter."""
    exchanged = ((b[0], a[1]), (a[0], b[1])) if side == 0 else ((a[0], b[1]), (b[0], a[1]))
    return exchanged if sum(starmap(dist, exchanged)) < dist(*a) + dist(*b) - 0.1 else (a, b)


def apart(lines: Sequence[Line], *, right_handed: bool) -> list[Line]:
    """The same arrows, but none along another: it is moved aside, by a shaft and what is seen of the board between.

    The first side tried is the right as one goes along the arrow, or else the left, so that a mirrored picture has
    mirrored arrows.
    """
    arrows = list[Line]()
    side = 1 if right_handed else -1
    for line in lines:
        beside = (_aside(line, side * by) for by in (0, 9, -9, 18))
        arrows.append(
            next(
                (moved for moved in beside if not any(_is_along(moved, arrow) for arrow in arrows)),
                line,
            )
        )
    return arrows


def _aside(line: Line, by: int) -> Line:
    (x1, y1), (x2, y2), (ax, ay) = *line, _direction(line)
    return (x1 - by * ay, y1 + by * ax), (x2 - by * ay, y2 + by * ax)


def _is_along(line: Line, other: Line) -> bool:
    """Whether an arrow covers a part of another that is longer than it is thick."""
    (x1, y1) = line[0]
    (ax, ay) = _direction(line)
    ahead = sorted((x - x1) * ax + (y - y1) * ay for x, y in other)
    is_near = all(abs((y - y1) * ax - (x - x1) * ay) < 6 for x, y in other)
    return is_near and min(ahead[1], dist(*line)) - max(ahead[0], 0) > 12


def _direction(line: Line) -> Spot:
    (x1, y1), (x2, y2), length = *line, max(dist(*line), 1)
    return (x2 - x1) / length, (y2 - y1) / length


def outline(line: Line) -> str:
    """The outline of an arrow: a shaft 6 units wide, with a head 18 long and wide."""
    (x1, y1) = line[0]
    length = max(dist(*line), 1)
    along = _direction(line)
    across = -along[1], along[0]
    shape = ((0, 3), (max(length - 18, 0), 3), (max(length - 18, 0), 9), (length, 0))
    corners = [*shape, *((ahead, -aside) for ahead, aside in reversed(shape[:-1]))]
    xs = (x1 + ahead * along[0] + aside * across[0] for ahead, aside in corners)
    ys = (y1 + ahead * along[1] + aside * across[1] for ahead, aside in corners)
    return (
        "M"
        + "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in zip(xs, ys, strict=True))
        + "z"
    )
