"""Where everything is in a picture, in units of its viewBox; `docs/reference/draw.md` lists the measures.

The places of a board are numbered as the side at the bottom sees them: 1 to 24 are the points, 25 is its bar and
`BOTTOM_TRAY` its tray, 0 is the bar of the side at the top and `TOP_TRAY` its tray.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from gammonrules.draw._marks import BOTTOM_TRAY, TOP_TRAY

WIDTH, HEIGHT = 628, 526
TOP, BOTTOM, MIDDLE = 56, 456, 256
"""The edges of the playing field, and the line about which it is symmetrical."""
HEADER, FOOTER = 26, 40
"""The height that a picture loses without the line above the board, and without the lines below it."""
FRAME = (34, 478)
"""The upper and the lower edge of the board with its frame."""
RADIUS, PITCH, POINT_LENGTH = 18, 40, 176
SLAB = {"width": 30, "height": 11, "rx": 3}
"""A checker in the tray, seen from the side."""
FIRST_SLAB, SLAB_PITCH = 6.5, 12
"""From the edge of the tray to the middle of the first, and from one to the next."""
MOST_APART = 5
"""The most checkers on a point that do not overlap."""
COUNT_SIZE, COUNT_ON_CHECKER, COUNT_BEYOND_SLABS = 17, 6, (-11.5, 20.5)
"""Font size of the number on a tall stack, and how far below the middle of the last checker its baseline is; the same
for checkers borne off, at the bottom and at the top."""
DICE_PITCH = 40
HALVES = (52, 336)
"""The left edge of each half; a half is 240 wide."""
BAR = 314


@attrs.frozen(eq=False)
class Geometry:
    """The picture with the home boards on the right, or mirrored; there is one of each."""

    home_left: bool
    cube_tray: int
    """The x of the middle of the tray that holds the cube."""
    off_tray: int
    """The x of the middle of the tray for checkers borne off."""

    def column(self, point: int) -> int:
        """The x of the middle of a point."""
        along = 12 - point if point <= 12 else point - 13
        x = HALVES[along // 6] + PITCH * (along % 6) + 20
        return WIDTH - x if self.home_left else x

    def area(self, place: int) -> tuple[int, int, int, int]:
        """The rectangle that belongs to a place: x, y, width and height."""
        if place in {BOTTOM_TRAY, TOP_TRAY}:
            return self.off_tray - 18, MIDDLE + 2 if place == BOTTOM_TRAY else TOP, 36, 198
        if place in {0, 25}:
            return BAR - 22, MIDDLE + 20 if place else TOP, 44, 180
        return self.column(place) - 20, BOTTOM - POINT_LENGTH if place <= 12 else TOP, PITCH, POINT_LENGTH

    def spots(self, place: int, count: int) -> tuple[int, Sequence[float]]:
        """The middles of the checkers in a place, from the first to the last: one x, and the y of each.

        More than five on a point or on the bar overlap, so that all of them fit.
        """
        if place in {BOTTOM_TRAY, TOP_TRAY}:
            steps = [FIRST_SLAB + SLAB_PITCH * row for row in range(count)]
            return self.off_tray, [BOTTOM - step if place == BOTTOM_TRAY else TOP + step for step in steps]
        pitch = 2 * RADIUS * min(1, (MOST_APART - 1) / max(1, count - 1))
        steps = [round(RADIUS + pitch * row, 1) for row in range(count)]
        if place in {0, 25}:
            return BAR, [MIDDLE + 20 + step if place else MIDDLE - 20 - step for step in steps]
        return self.column(place), [BOTTOM - step if place <= 12 else TOP + step for step in steps]

    def spot(self, place: int, slot: int, count: int) -> tuple[int, float]:
        """The middle of a checker in a place, or, after the last of them, of the next to come."""
        x, ys = self.spots(place, max(slot + 1, count))
        return x, ys[slot]


HOME_RIGHT = Geometry(home_left=False, cube_tray=30, off_tray=598)
HOME_LEFT = Geometry(home_left=True, cube_tray=598, off_tray=30)

MEASURES = {
    "middle": MIDDLE,
    "bar": BAR,
    "half": HALVES[0],
    "frame": FRAME,
    "radius": RADIUS,
    "apart": MOST_APART,
    "slab": SLAB,
    "slabs": (FIRST_SLAB, SLAB_PITCH),
    "count": (COUNT_SIZE, COUNT_ON_CHECKER, *COUNT_BEYOND_SLABS),
    "dice": DICE_PITCH,
}
"""What `board.js` needs to draw checkers as pictures do."""
