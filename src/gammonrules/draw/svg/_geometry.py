"""Where everything is in an image, in units of its viewBox; `docs/reference/draw.md` lists the measures.

The places of a board are numbered as the side at the bottom sees them: 1 to 24 are the points, 25 is its bar and
`BOTTOM_TRAY` its tray, 0 is the bar of the side at the top and `TOP_TRAY` its tray.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple, TypeAlias

import attrs

from gammonrules.draw._marks import BOTTOM_TRAY, TOP_TRAY

Spot: TypeAlias = tuple[float, float]
"""x and y."""


class Area(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float


AT_TOP = -1
IN_MIDDLE = 0
AT_BOTTOM = 1
"""The ends of a tray, and the place between them, as they multiply a distance from the middle."""
RADIUS = 18
RING = 15.5
"""The radius of a ring around a checker, or where one can go."""
FIRST_SLAB = 6.5
"""From the end of the tray to the middle of the first checker in it."""
SLAB_PITCH = 12
"""From the middle of a checker in the tray to that of the next."""
MAX_APART = 5
"""The most checkers on a point that do not overlap."""
COUNT_SIZE = 17
"""The font size of the number on a tall stack."""
COUNT_ON_CHECKER = 6
"""How far below the middle of the last checker its baseline is."""
COUNT_BEYOND_SLABS = 16
"""How far from the last checker borne off their number is."""
COUNT_BASELINE = 4.5
"""How far below that its baseline is."""


@attrs.frozen(eq=False)
class Geometry:
    """A layout with the home boards on the right, or mirrored; there is one of each. This one is wider than high.

    Attributes:
        header: the height that an image loses without the line above the board.
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
    frame: ClassVar[Area] = Area(8, 34, 612, 444)
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
        """So far from an end of a tray, which is `AT_TOP` or `AT_BOTTOM`; or `IN_MIDDLE`, where a cube can be.

        `home` is whether it is the tray for checkers borne off, and not that of the cube.
        """
        is_left = home is self.home_left
        x = 30 if is_left else self.width - 30
        half_of_height = self.bottom - self.middle
        return x, self.middle + end * (half_of_height - step)

    def tray(self, end: int, *, home: bool = True) -> Area:
        """The rectangle of a tray at the top or bottom."""
        middle, _ = self.in_tray(0, end, home=home)
        top = self.middle + 2 if end == AT_BOTTOM else self.top
        return Area(middle - 18, top, width=36, height=198)

    def wells(self) -> Sequence[Area]:
        """The rectangles in which the cube is."""
        middle, _ = self.in_tray(0, IN_MIDDLE, home=False)
        return [Area(middle - 18, self.top, width=36, height=400)]

    def right_hand(self, *, at_bottom: bool) -> int:
        """The x of the middle of the half to the right of a player."""
        left, right = self.halves
        edge = right if at_bottom else left
        return edge + self.half // 2

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
            is_lower_bar = place == 25
            left = self.halves[0] + self.half  # the bar is between the halves
            y = self.middle + self.to_bar if is_lower_bar else self.top
            height = self.middle - self.to_bar - self.top
            return Area(left, y, self.halves[1] - left, height)
        is_lower_point = place <= 12
        y = self.bottom - self.length if is_lower_point else self.top
        return Area(self.column(place) - self.reach, y, self.pitch, self.length)

    def spots(self, place: int, count: int) -> Sequence[Spot]:
        """The middles of the checkers in a place, from the first to the last.

        More than five on a point or on the bar overlap, so that all of them fit.
        """
        if place in _ENDS:
            end = _ENDS[place]
            return [self.in_tray(FIRST_SLAB + SLAB_PITCH * row, end) for row in range(count)]
        # from the middle of the first checker to that of the last is never more than if five touch each other
        pitches = max(1, count - 1)
        pitch = 2 * RADIUS * min(1, (MAX_APART - 1) / pitches)
        steps = [round(RADIUS + pitch * row, 1) for row in range(count)]
        if place in {0, 25}:
            # y grows downward, and stacks on the bar grow away from the middle
            downward = 1 if place == 25 else -1
            start = self.middle + downward * self.to_bar
            return [(self.bar, start + downward * step) for step in steps]
        x = self.column(place)
        is_lower_point = place <= 12
        if is_lower_point:
            return [(x, self.bottom - step) for step in steps]
        return [(x, self.top + step) for step in steps]

    def spot(self, place: int, slot: int, count: int) -> Spot:
        """The middle of a checker in a place, or, after the last of them, of the next to come."""
        return self.spots(place, max(slot + 1, count))[slot]

    def number(self, place: int, count: int) -> Spot:
        """The spot of the number of checkers borne off, beyond the last of them."""
        last = FIRST_SLAB + SLAB_PITCH * (count - 1)
        x, y = self.in_tray(last + COUNT_BEYOND_SLABS, _ENDS[place])
        return x, y + COUNT_BASELINE


_TO_TRAY = 282
"""From the middle of an upright board to that of a tray."""


class Portrait(Geometry):
    """The layout for upright phones: the trays are above and below the points, and a centered cube is on the bar."""

    width = 488
    height = 686
    header = 30
    footer = 44
    frame: ClassVar[Area] = Area(0, 30, 488, 612)
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
        if end == IN_MIDDLE:
            return self.bar, self.middle
        is_left = home is self.home_left
        x = 4 + step if is_left else self.width - 4 - step
        return x, self.middle + _TO_TRAY * end

    def tray(self, end: int, *, home: bool = True) -> Area:
        left = self.halves[0] if home is self.home_left else self.halves[1]
        return Area(left, self.middle + _TO_TRAY * end - 20, self.half, height=40)

    def wells(self) -> Sequence[Area]:
        return [self.tray(end, home=False) for end in (AT_TOP, AT_BOTTOM)]


LAYOUTS = {
    ("landscape", "right"): Geometry(home_left=False),
    ("landscape", "left"): Geometry(home_left=True),
    ("portrait", "right"): Portrait(home_left=False),
    ("portrait", "left"): Portrait(home_left=True),
}
_ENDS = {TOP_TRAY: AT_TOP, BOTTOM_TRAY: AT_BOTTOM}
MEASURES = {
    "radius": RADIUS,
    "ring": RING,
    "apart": MAX_APART,
    "slab": Geometry.slab,
    "slabs": (FIRST_SLAB, SLAB_PITCH),
    "count": (COUNT_SIZE, COUNT_ON_CHECKER, COUNT_BEYOND_SLABS, COUNT_BASELINE),
}
"""What `board.js` needs to draw checkers as images do, besides what it reads from the image."""
