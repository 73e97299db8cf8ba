"""The board with its checkers: a group for each point, each half of the bar and each tray, with everything in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from gammonrules.board.internals import point_name
from gammonrules.draw._marks import ARROWS, BOTTOM_TRAY, NO_STEPS, TOP_TRAY, Steps, place_number
from gammonrules.draw._scene import Scene
from gammonrules.draw.svg import _depth as depth
from gammonrules.draw.svg._arrows import Line, apart, outline, untangled
from gammonrules.draw.svg._elements import box, circle, text_element
from gammonrules.draw.svg._geometry import (
    COUNT_ON_CHECKER,
    COUNT_SIZE,
    MOST_APART,
    RADIUS,
    RING,
    Area,
    Geometry,
    Spot,
)
from gammonrules.draw.svg._themes import Palette
from gammonrules.match import Player

_AREA = 'fill="none" pointer-events="all"'
"""Takes the clicks on a place, whatever is in it."""


class Field:
    """The board of one picture."""

    def __init__(self, scene: Scene, geometry: Geometry, palette: Palette, numbers: str) -> None:
        self.scene = scene
        self.geometry = geometry
        self.palette = palette
        self.numbers = numbers

    def elements(self) -> Iterator[str]:
        """The frame, then every place."""
        paint = self.palette
        geometry = self.geometry
        wells = geometry.wells()
        height = geometry.bottom - geometry.top
        felts = [(half, geometry.top, geometry.half, height) for half in geometry.halves]
        yield box(*geometry.frame, f'rx="6" {paint("frame")}')
        yield from depth.frame(geometry) if paint.has_depth else ()
        yield from (box(*well, paint("well")) for well in wells)
        yield from (box(*felt, paint("felt")) for felt in felts)
        yield from depth.hollows(*wells, *felts) if paint.has_depth else ()
        yield from map(_drawn_place, self._places())
        yield from depth.hollows(geometry.tray(-1), geometry.tray(1)) if paint.has_depth else ()
        best = self.scene.marks.arrows
        made = self.scene.marks.made
        yield from self.arrows(made, "made", best)
        yield from self.arrows(best, "arrow", made)

    def _places(self) -> Iterator[_PlaceLook]:
        """All places, in the order in which they are drawn."""
        scene = self.scene
        marks = self.scene.marks
        last = self.scene.marks.last_play
        # faster than counting what is missing
        vacated = last.vacated.get
        reached = last.reached.get
        look = (
            self.geometry,
            self.palette,
            self.numbers,
            scene.bottom.color,
            scene.on_roll_at_bottom,
            last.at_bottom,
        )
        for place in (*range(1, 25), 0, 25, TOP_TRAY, BOTTOM_TRAY):
            yield _PlaceLook(
                *look,
                place,
                scene.count_in(place),
                place in marks.highlighted,
                place in marks.targets,
                vacated(place, 0),
                reached(place, 0),
            )

    def arrows(self, steps: Steps, kind: str, other: Steps = NO_STEPS) -> Iterator[str]:
        """An arrow for each move, from the checker that moves to where it will be, once if both have it."""
        both, rest = steps.parted(other)
        moves = [*both, *rest]
        kinds = ["both"] * len(both) + [kind] * len(rest)
        scene = self.scene
        sign = 1 if steps.at_bottom else -1
        color = (scene.bottom if steps.at_bottom else scene.top).color
        there = {place: scene.count_in(place) for step in moves for place in step}
        left = {place: max(sign * count, 0) for place, count in there.items()}
        lines = list[Line]()
        for start, end in moves:
            left[start] = max(left[start] - 1, 0)
            spots = [
                self.geometry.spot(place, left[place], abs(there[place])) for place in (start, end)
            ]
            lines.append((spots[0], spots[1]))
            left[end] += 1
        drawn = [
            *zip(
                moves,
                apart(untangled(moves, lines), right_handed=steps.at_bottom),
                kinds,
                strict=True,
            )
        ]
        for (start, end), line, look in drawn[len(both) * (kind == "made") :]:
            first, last = (point_name(scene.number_of(place)) for place in (start, end))
            names = f'data-from="{first}" data-to="{last}" data-player="{color}"'
            shape = " ".join(f'{name}="{value}"' for name, value in ARROWS[look].items())
            paint = self.palette(look, "arrow" * (look != "arrow"))
            yield f'<path d="{outline(line)}" {shape} pointer-events="none" {paint} {names}/>'


class _PlaceLook(NamedTuple):
    """A point, half of the bar, or half of the tray, with everything in it: all that decides how it looks."""

    geometry: Geometry
    palette: Palette
    numbers: str
    bottom: Player
    on_roll_at_bottom: bool
    last_at_bottom: bool
    """Whether the side at the bottom made the last play."""
    place: int
    checkers: int
    """Those of the side at the bottom positive."""
    is_highlighted: bool
    is_target: bool
    vacated: int
    reached: int

    def elements(self) -> Iterator[str]:
        """A group with everything in it."""
        if self.place in {BOTTOM_TRAY, TOP_TRAY}:
            return self._tray()
        return self._bar() if self.place in {0, 25} else self._point()

    def _point(self) -> Iterator[str]:
        point = self.place
        x, y, width, height = self.geometry.area(point)
        edge, length = (y + height, -height) if point <= 12 else (y, height)
        yield self._group("point", self._color if self.checkers else None)
        yield box(x, y, width, height, _AREA)
        color = self.palette("deep" if point % 2 else "pale", "triangle")
        half = f"{width / 2:g}"
        yield f'<path d="M{x:g} {edge}l{half} {length} {half} {-length}z" {color}/>'
        if self.palette.has_depth:
            yield depth.facet(x, edge, width / 2, length)
        if self.numbers != "off":
            number = point if self.numbers == "fixed" else self._number
            baseline = edge + 16 if point <= 12 else edge - 6
            yield text_element(
                self.geometry.column(point),
                baseline,
                str(number),
                self.palette("number"),
                bold=False,
            )
        yield from self._content()
        yield "</g>"

    def _bar(self) -> Iterator[str]:
        yield self._group("bar", self.bottom if self.place else self.bottom.opponent)
        yield box(*self.geometry.area(self.place), _AREA)
        yield from self._content()
        yield "</g>"

    def _tray(self) -> Iterator[str]:
        yield self._group(
            "tray", self.bottom if self.place == BOTTOM_TRAY else self.bottom.opponent
        )
        yield box(*self._area(), f'{self.palette("well")} pointer-events="all"')
        yield from self._content()
        if off := abs(self.checkers):
            yield text_element(
                *self.geometry.number(self.place, off), str(off), self.palette("number", "count")
            )
        yield "</g>"

    def _area(self) -> Area:
        """The rectangle of the place; the two halves of a tray meet in the middle."""
        x, y, width, height = self.geometry.area(self.place)
        seam = 2 * (self.place in {BOTTOM_TRAY, TOP_TRAY} and width < height)
        return x, y - seam * (self.place == BOTTOM_TRAY), width, height + seam

    def _group(self, name: str, owner: Player | None) -> str:
        """The start of a group; `data-player` says whose checkers are in it, or whose bar or tray it is."""
        player = f' data-player="{owner}"' if owner is not None else ""
        return f'<g class="{name}" {self._name}{player} data-count="{abs(self.checkers)}">'

    @property
    def _name(self) -> str:
        return f'data-point="{point_name(self._number)}"'

    @property
    def _number(self) -> int:
        return place_number(self.place, on_roll_at_bottom=self.on_roll_at_bottom)

    @property
    def _color(self) -> Player:
        """Whose checkers are here."""
        return self.bottom if self.checkers > 0 else self.bottom.opponent

    # --- what is in it -----------------------------------------------------------------------------

    def _content(self) -> Iterator[str]:
        """The checkers, and the marks on them."""
        if self.checkers:
            yield from self._checkers()
        if self.is_highlighted:
            look = f'stroke-width="4" fill-opacity="{0 if self.checkers else 0.45}"'
            yield self._line("highlight", abs(self.checkers) - 1, look)
        if self.is_target:
            mine = max(self.checkers if self.on_roll_at_bottom else -self.checkers, 0)
            yield self._line("halo", mine, 'stroke-width="6" pointer-events="none"')
            yield self._line("target", mine, 'stroke-width="3" pointer-events="none"')
        yield from self._last_play()

    def _line(self, name: str, slot: int, look: str) -> str:
        """A ring around a checker, or where one can go (on a blot that it would hit); or a line around the place."""
        look = f"{look} {self.palette(name)} {self._name}"
        if slot < 0 or self.place in {BOTTOM_TRAY, TOP_TRAY}:
            return box(*self._area(), f'rx="4" {look}')
        return circle(*self._spot(slot), RING, look)

    def _checkers(self) -> Iterator[str]:
        count = abs(self.checkers)
        color = self._color
        spots = self.geometry.spots(self.place, count)
        look = f'{self.palette(color, "checker")} stroke-width="1.5" {self._name} data-player="{color}"'
        if self.place in {BOTTOM_TRAY, TOP_TRAY}:
            yield from (self._slab(spot, look) for spot in spots)
            return
        for x, y in spots:
            yield (
                depth.checker(x, y, look)
                if self.palette.has_depth
                else circle(x, y, RADIUS - 1, look)
            )
        if count > MOST_APART:
            ink = self.palette(f"{color}-ink", "count")
            yield text_element(
                spots[-1][0], spots[-1][1] + COUNT_ON_CHECKER, str(count), ink, size=COUNT_SIZE
            )

    def _slab(self, spot: Spot, look: str) -> str:
        """A checker in the tray."""
        width, height = self.geometry.slab
        area = spot[0] - width / 2, spot[1] - height / 2, width, height
        if self.palette.has_depth:
            return "\n".join([f"<g {look}>", *depth.lit(area, box(*area, 'rx="3"')), "</g>"])
        return box(*area, f'rx="3" {look}')

    def _spot(self, slot: int) -> Spot:
        return self.geometry.spot(self.place, slot, abs(self.checkers))

    def _last_play(self) -> Iterator[str]:
        """Rings where checkers were, and dots on those that came."""
        count = max(self.checkers if self.last_at_bottom else -self.checkers, 0)
        for number in range(self.vacated):
            look = (
                f'stroke-width="3" stroke-dasharray="5 3" {self.palette("last-from")} {self._name}'
            )
            yield circle(
                *self._spot(count + number),
                RADIUS - 2,
                f'stroke-width="5" {self.palette("last-halo")}',
            )
            yield circle(*self._spot(count + number), RADIUS - 2, look)
        is_numbered = count > MOST_APART and self.place not in {BOTTOM_TRAY, TOP_TRAY}
        top = count - 1 - is_numbered  # not on the number of a tall stack
        for number in range(self.reached):
            look = f'stroke-width="2" {self.palette("last-to")} {self._name}'
            yield circle(*self._spot(max(top - number, 0)), 6, look)


@lru_cache(maxsize=4096)
def _drawn_place(place: _PlaceLook) -> str:
    """A place as it looks. From picture to picture few places change, and some three thousand looks are common."""
    return "\n".join(place.elements())
