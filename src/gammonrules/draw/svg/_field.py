"""The board with its checkers: a group for each point, each half of the bar and each tray, with everything in it."""

from __future__ import annotations

from collections.abc import Iterator

from gammonrules.draw._marks import BOTTOM_TRAY, TOP_TRAY, Steps
from gammonrules.draw._scene import Scene, Side
from gammonrules.draw.svg._elements import box, circle, words
from gammonrules.draw.svg._geometry import (
    BOTTOM,
    HALVES,
    MOST_APART,
    POINT_LENGTH,
    RADIUS,
    SLAB_HEIGHT,
    SLAB_PITCH,
    SLAB_WIDTH,
    TOP,
    WIDTH,
    Geometry,
)
from gammonrules.draw.svg._themes import Palette

_AREA = 'fill="none" pointer-events="all"'
"""Takes the clicks on a place, whatever is in it."""


class Field:
    """The board of one picture."""

    def __init__(self, scene: Scene, geometry: Geometry, palette: Palette, numbers: str) -> None:
        self.scene = scene
        self.geometry = geometry
        self.palette = palette
        self.numbers = numbers
        self.vacated, self.reached = scene.marks.last_play.vacated, scene.marks.last_play.reached

    def elements(self) -> Iterator[str]:
        """The frame, then every place."""
        paint, geometry = self.palette, self.geometry
        yield box(8, 34, WIDTH - 16, 444, f'rx="6" {paint("frame")}')
        yield box(geometry.cube_tray - 18, TOP, 36, 400, paint("well"))
        for half in HALVES:
            yield box(half, TOP, 240, 400, paint("felt"))
        for point in range(1, 25):
            yield from self._point(point)
        for side, place in ((self.scene.top, 0), (self.scene.bottom, 25)):
            yield from self._bar(side, place)
        for side, place in ((self.scene.top, TOP_TRAY), (self.scene.bottom, BOTTOM_TRAY)):
            yield from self._tray(side, place)
        yield from self.arrows(self.scene.marks.arrows)

    # --- places ------------------------------------------------------------------------------------

    def _point(self, point: int) -> Iterator[str]:
        x, y, width, height = self.geometry.area(point)
        edge, length = (BOTTOM, -POINT_LENGTH) if point <= 12 else (TOP, POINT_LENGTH)
        yield self._group("point", point)
        yield box(x, y, width, height, _AREA)
        color = self.palette("deep" if point % 2 else "pale", "triangle")
        yield f'<path d="M{x} {edge}l20 {length} 20 {-length}z" {color}/>'
        if self.numbers != "off":
            number = point if self.numbers == "fixed" else self.scene.number(point)
            baseline = BOTTOM + 16 if point <= 12 else TOP - 6
            yield words(self.geometry.column(point), baseline, str(number), self.palette("number"), bold=False)
        yield from self._content(point)
        yield "</g>"

    def _bar(self, side: Side, place: int) -> Iterator[str]:
        yield self._group("bar", place, side)
        yield box(*self.geometry.area(place), _AREA)
        yield from self._content(place)
        yield "</g>"

    def _tray(self, side: Side, place: int) -> Iterator[str]:
        x, y, width, height = self.geometry.area(place)
        yield self._group("tray", place, side)
        # The two halves of a tray meet in the middle.
        yield box(x, y - 2 * (place == BOTTOM_TRAY), width, height + 2, f'{self.palette("well")} pointer-events="all"')
        yield from self._content(place)
        if side.off:
            slabs = side.off + (place in self.scene.marks.targets)
            beyond = BOTTOM - SLAB_PITCH * slabs - 6 if place == BOTTOM_TRAY else TOP + SLAB_PITCH * slabs + 15
            yield words(self.geometry.off_tray, beyond, str(side.off), self.palette("number", "count"))
        yield "</g>"

    def _group(self, name: str, place: int, owner: Side | None = None) -> str:
        """The start of a group; `data-player` says whose checkers are in it, or whose bar or tray it is."""
        count = self.scene.count_in(place)
        owner = owner or (self.scene.bottom if count > 0 else self.scene.top if count < 0 else None)
        player = f' data-player="{owner.color}"' if owner is not None else ""
        return f'<g class="{name}" data-point="{self.scene.name(place)}"{player} data-count="{abs(count)}">'

    # --- what is in a place ------------------------------------------------------------------------

    def _content(self, place: int) -> Iterator[str]:
        """The highlight under the checkers, the checkers, and the other marks on them."""
        marks, count = self.scene.marks, self.scene.count_in(place)
        name = f'data-point="{self.scene.name(place)}"'
        if place in marks.highlighted:
            look = f'rx="4" fill-opacity="0.45" stroke-width="2" {self.palette("highlight")} {name}'
            yield box(*self.geometry.area(place), look)
        if count:
            yield from self._checkers(place, self.scene.bottom if count > 0 else self.scene.top)
        if place in marks.targets:
            yield from self._target(place, name)
        yield from self._last_play(place, name)

    def _checkers(self, place: int, side: Side) -> Iterator[str]:
        count = abs(self.scene.count_in(place))
        name = f'data-point="{self.scene.name(place)}" data-player="{side.color}"'
        x, ys = self.geometry.spots(place, count)
        look = f'{self.palette(str(side.color), "checker")} stroke-width="1.5" {name}'
        if place in {BOTTOM_TRAY, TOP_TRAY}:
            for y in ys:
                yield _slab(x, y, look)
            return
        for y in ys:
            yield circle(x, y, RADIUS - 1, look)
        if count > MOST_APART:
            yield words(x, ys[-1] + 6, str(count), self.palette(f"{side.color}-ink", "count"), size=17)

    def _spot(self, place: int, slot: int) -> tuple[int, float]:
        """The middle of a checker in a place, or, after the last of them, of the next to come."""
        x, ys = self.geometry.spots(place, max(slot + 1, abs(self.scene.count_in(place))))
        return x, ys[slot]

    def _target(self, place: int, name: str) -> Iterator[str]:
        """A ring where the checker of the player on roll would be, on a blot that it would hit."""
        mine = self.scene.count_in(place) * (1 if self.scene.on_roll_at_bottom else -1)
        x, y = self._spot(place, max(mine, 0))
        ring = f'stroke-width="3" stroke-dasharray="5 3" {self.palette("target")} {name}'
        if place in {BOTTOM_TRAY, TOP_TRAY}:
            yield _slab(x, y, ring)
            return
        yield circle(x, y, RADIUS, ring)
        yield circle(x, y, 5, self.palette("target-dot"))

    def _last_play(self, place: int, name: str) -> Iterator[str]:
        """Rings where checkers were, and dots on those that came."""
        count = max(self.scene.count_in(place) * (1 if self.scene.marks.last_play.at_bottom else -1), 0)
        for number in range(self.vacated[place]):
            look = f'stroke-width="2" stroke-dasharray="3 3" {self.palette("last-from")} {name}'
            yield circle(*self._spot(place, count + number), RADIUS - 2, look)
        for number in range(self.reached[place]):
            yield circle(*self._spot(place, max(count - 1 - number, 0)), 5, f"{self.palette('last-to')} {name}")

    # --- arrows ------------------------------------------------------------------------------------

    def arrows(self, steps: Steps) -> Iterator[str]:
        """An arrow for each move, from the checker that moves to where it will be."""
        sign = 1 if steps.at_bottom else -1
        counts = {place: self.scene.count_in(place) * sign for place in range(BOTTOM_TRAY, TOP_TRAY + 1)}
        color = (self.scene.bottom if steps.at_bottom else self.scene.top).color
        for start, end in steps.steps:
            counts[start] = max(counts[start] - 1, 0)
            first, last = self._spot(start, counts[start]), self._spot(end, max(counts[end], 0))
            counts[end] = max(counts[end], 0) + 1
            names = f'data-from="{self.scene.name(start)}" data-to="{self.scene.name(end)}" data-player="{color}"'
            look = f'fill-opacity="0.9" pointer-events="none" {self.palette("arrow")} {names}'
            yield f'<path d="{_arrow(*first, *last)}" {look}/>'


def _slab(x: float, y: float, look: str) -> str:
    """A checker in the tray."""
    return box(x - SLAB_WIDTH / 2, y - SLAB_HEIGHT / 2, SLAB_WIDTH, SLAB_HEIGHT, f'rx="3" {look}')


def _arrow(x1: float, y1: float, x2: float, y2: float) -> str:
    """The outline of an arrow: a shaft 6 units wide, with a head 18 long and wide."""
    dx, dy = x2 - x1, y2 - y1
    length = max((dx * dx + dy * dy) ** 0.5, 1)
    along, across = (dx / length, dy / length), (-dy / length, dx / length)
    shape = ((0, 3), (max(length - 18, 0), 3), (max(length - 18, 0), 9), (length, 0))
    outline = [*shape, *((ahead, -aside) for ahead, aside in reversed(shape[:-1]))]
    corners = (
        (x1 + ahead * along[0] + aside * across[0], y1 + ahead * along[1] + aside * across[1])
        for ahead, aside in outline
    )
    return "M" + "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in corners) + "z"
