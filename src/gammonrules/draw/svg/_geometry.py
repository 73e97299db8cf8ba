"""Where everything is in a picture, in units of its viewBox; `docs/reference/draw.md` lists the measures.

The places of a board are numbered as the side at the bottom sees them: 1 to 24 are the points, 25 is its bar and
`BOTTOM_TRAY` its tray, 0 is the bar of the side at the top and `TOP_TRAY` its tray.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar, TypeAlias

import attrs

from gammonrules.draw._marks import BOTTOM_TRAY, TOP_TRAY

Spot: TypeAlias = tuple[float, float]
Area: TypeAlias = tuple[float, float, float, float]
"""x, y, width and height."""

RADIUS = 18
RING = 15.5
"""The radius of a ring around a checker, or where one can go."""
FIRST_SLAB, SLAB_PITCH = SLABS = 6.5, 12
"""From the end of the tray to the middle of the first checker in it, and from one to the next."""
MOST_APART = 5
"""The most checkers on a point that do not overlap."""
COUNT_SIZE, COUNT_ON_CHECKER, COUNT_BEYOND_SLABS, COUNT_BASELINE = COUNT = 17, 6, 16, 4.5
"""Font size of the number on a tall stack, and how far below the middle of the last checker its baseline is; how far
from the last checker borne off their number is, and its baseline below that."""


@attrs.frozen(eq=False)
class Geometry:
    """A layout with the home boards on the right, or mirrored; there is one of each. This one is wider than high.

    Attributes:
        header: the height that a picture loses without the line above the board.
        footer: the same for the lines below it.
        frame: the area of the board with its frame.
        bar: the x of the middle of the bar.
        middle: the y of the line about which the playing field is symmetrical.
        top: the upper edge of the playing field.
        bottom: its lower edge.
        halves: the left edge of each half of it.
        half: the width of a half.
        pitch: the width of a point.
        reach: half of that.
        length: the length of a point.
        to_bar: how far from the middle the bar begins, as far as checkers are on it.
        die: half the width of a die, and of the cube.
        spare: where dice of the turn before are in the tray of the cube, if something else has their place: from its
            end to the first, and from one to the next.
        slab: width and height of a checker in the tray, seen from the side.
        below: how far below the middle the plate is.
    """

    home_left: bool
    width = 628
    height = 526
    header = 26
    footer = 40
    frame: ClassVar[Area] = (8, 34, 612, 444)
    bar = 314
    middle = 256
    top = 56
    bottom = 456
    halves = (52, 336)
    half = 240
    pitch = 40
    length = 176
    to_bar = 20
    below = 0
    reach: ClassVar[float] = 20
    die = 16
    spare = (140, -40)
    slab = (30, 11)

    def in_tray(self, step: float, end: int, *, home: bool = True) -> Spot:
        """So far from the end of a tray at the top (-1) or bottom (1); or in the middle (0), where a cube can be.

        `home` is whether it is the tray for checkers borne off.
        """
        return 30 if home is self.home_left else self.width - 30, self.middle + end * (200 - step)

    def tray(self, end: int, *, home: bool = True) -> Area:
        """The rectangle of a tray at the top or bottom."""
        return (
            self.in_tray(0, end, home=home)[0] - 18,
            self.middle + 2 if end > 0 else self.top,
            36,
            198,
        )

    def wells(self) -> Iterable[Area]:
        """The rectangles in which the cube is."""
        return [(self.in_tray(0, 0, home=False)[0] - 18, self.top, 36, 400)]

    def right_hand(self, *, at_bottom: bool) -> int:
        """The x of the middle of the half to the right of a player."""
        return self.halves[at_bottom] + self.half // 2

    def column(self, point: int) -> float:
        """The x of the middle of a point."""
        along = 12 - point if point <= 12 else point - 13
        x = self.halves[along // 6] + self.pitch * (along % 6) + self.reach
        return self.width - x if self.home_left else x

    def area(self, place: int) -> Area:
        """The rectangle that belongs to a place."""
        if place in _ENDS:
            return self.tray(_ENDS[place])
        if place in {0, 25}:
            left = self.halves[0] + self.half
            y = self.middle + self.to_bar if place else self.top
            return left, y, self.halves[1] - left, self.middle - self.to_bar - self.top
        y = self.bottom - self.length if place <= 12 else self.top
        return self.column(place) - self.reach, y, self.pitch, self.length

    def spots(self, place: int, count: int) -> Sequence[Spot]:
        """The middles of the checkers in a place, from the first to the last.

        More than five on a point or on the bar overlap, so that all of them fit.
        """
        if place in _ENDS:
            return [
                self.in_tray(FIRST_SLAB + SLAB_PITCH * row, _ENDS[place]) for row in range(count)
            ]
        pitch = 2 * RADIUS * min(1, (MOST_APART - 1) / max(1, count - 1))
        steps = [round(RADIUS + pitch * row, 1) for row in range(count)]
        if place in {0, 25}:
            start = self.to_bar if place else -self.to_bar
            return [(self.bar, self.middle + start + (step if place else -step)) for step in steps]
        x = self.column(place)
        return [(x, self.bottom - step if place <= 12 else self.top + step) for step in steps]

    def spot(self, place: int, slot: int, count: int) -> Spot:
        """The middle of a checker in a place, or, after the last of them, of the next to come."""
        return self.spots(place, max(slot + 1, count))[slot]

    def number(self, place: int, count: int) -> Spot:
        """Where the number of checkers borne off is written, beyond the last of them."""
        x, y = self.in_tray(
            FIRST_SLAB + SLAB_PITCH * (count - 1) + COUNT_BEYOND_SLABS, _ENDS[place]
        )
        return x, y + COUNT_BASELINE


class Portrait(Geometry):
    """The layout for upright phones: the trays are above and below the points, and a centered cube is on the bar."""

    width = 488
    height = 686
    header = 30
    footer = 44
    frame: ClassVar[Area] = (0, 30, 488, 612)
    bar = 244
    middle = 336
    top = 96
    bottom = 576
    halves = (4, 262)
    half = 222
    pitch = 37
    length = 210
    to_bar = 60
    below = 40
    reach: ClassVar[float] = 18.5
    die = 20
    spare = (80, 50)
    slab = (11, 30)

    def in_tray(self, step: float, end: int, *, home: bool = True) -> Spot:
        x = 4 + step if home is self.home_left else self.width - 4 - step
        return (x, self.middle + 282 * end) if end else (self.bar, self.middle)

    def tray(self, end: int, *, home: bool = True) -> Area:
        return self.halves[home is not self.home_left], self.middle + 282 * end - 20, self.half, 40

    def wells(self) -> Iterable[Area]:
        return [self.tray(end, home=False) for end in (-1, 1)]


_KINDS = ("landscape", Geometry), ("portrait", Portrait)
LAYOUTS = {
    (name, home): kind(home == "left") for name, kind in _KINDS for home in ("right", "left")
}
_ENDS = {TOP_TRAY: -1, BOTTOM_TRAY: 1}
MEASURES = {
    "radius": RADIUS,
    "ring": RING,
    "apart": MOST_APART,
    "slab": Geometry.slab,
    "slabs": SLABS,
    "count": COUNT,
}
"""What `board.js` needs to draw checkers as pictures do, besides what it reads from the picture."""
