"""The board with its checkers: a group for each point, each half of the bar and each tray, with everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import attrs

from gammonrules.board.internals import point_name
from gammonrules.draw._marks import (
    ARROWS,
    BOTTOM_TRAY,
    NO_STEPS,
    TOP_TRAY,
    Step,
    Steps,
    place_number,
)
from gammonrules.draw._scene import Scene
from gammonrules.draw._themes import Palette
from gammonrules.draw.svg import _depth as depth
from gammonrules.draw.svg._arrows import Line, apart, outline, untangled
from gammonrules.draw.svg._elements import area_box, box, circle, text_element
from gammonrules.draw.svg._geometry import (
    AT_BOTTOM,
    AT_TOP,
    COUNT_ON_CHECKER,
    COUNT_SIZE,
    MAX_APART,
    RADIUS,
    RING,
    Area,
    Geometry,
    Spot,
)
from gammonrules.match import Player

_AREA = 'fill="none" pointer-events="all"'
"""Takes the clicks on a place, whatever is in it."""


_PLACES = (*range(1, 25), 0, 25, TOP_TRAY, BOTTOM_TRAY)
"""All places, in the order in which they are drawn."""


@attrs.frozen
class Field:
    """The board of one image."""

    scene: Scene
    geometry: Geometry
    palette: Palette
    numbers: str

    def elements(self) -> list[str]:
        """The frame, then every place, then the arrows."""
        geometry = self.geometry
        palette = self.palette
        best = self.scene.marks.arrows
        made = self.scene.marks.made
        drawn = [*_empty_board(geometry, palette), *self._places()]
        if palette.has_depth:
            drawn += depth.hollows(geometry.tray(AT_TOP), geometry.tray(AT_BOTTOM))
        drawn += drawn_arrows(self.scene, geometry, palette, made, "made", best)
        drawn += drawn_arrows(self.scene, geometry, palette, best, "arrow", made)
        return drawn

    def _places(self) -> list[str]:
        scene = self.scene
        counts = scene.counts
        marks = scene.marks
        last_play = marks.last_play
        field = _FieldLook(
            self.geometry,
            self.palette,
            self.numbers,
            bottom=scene.bottom.color,
            on_roll_at_bottom=scene.on_roll_at_bottom,
            last_at_bottom=last_play.at_bottom,
        )
        drawn: list[str] = []
        for place in _PLACES:
            look = _PlaceLook(
                field,
                place,
                checkers=counts[place],
                is_highlighted=place in marks.highlighted,
                is_target=place in marks.targets,
                vacated=last_play.vacated.get(place, 0),
                reached=last_play.reached.get(place, 0),
            )
            drawn.append(_drawn_place(look))
        return drawn


@lru_cache(maxsize=32)
def _empty_board(geometry: Geometry, palette: Palette) -> Sequence[str]:
    """The frame, the wells of the cube, and the two halves of the playing field."""
    wells = geometry.wells()
    height = geometry.bottom - geometry.top
    halves = [Area(left, geometry.top, geometry.half, height) for left in geometry.halves]
    drawn = [area_box(geometry.frame, f'rx="6" {palette("frame")}')]
    if palette.has_depth:
        drawn += depth.frame(geometry)
    drawn += [area_box(well, palette("well")) for well in wells]
    drawn += [area_box(half, palette("felt")) for half in halves]
    if palette.has_depth:
        drawn += depth.hollows(*wells, *halves)
    return drawn


def drawn_arrows(
    scene: Scene,
    geometry: Geometry,
    palette: Palette,
    steps: Steps,
    kind: str,
    other: Steps = NO_STEPS,
) -> list[str]:
    """An arrow for each move, from the checker that moves to where it will be.

    A move that is in the other play too has one arrow, which is drawn with the play that is not "made".
    """
    if not steps.steps:
        return []
    in_both, in_this_alone = steps.parted(other)
    moves = in_both + in_this_alone
    lines = _lines_of_moves(scene, geometry, moves, at_bottom=steps.at_bottom)
    lines = apart(untangled(moves, lines), right_handed=steps.at_bottom)
    side = scene.bottom if steps.at_bottom else scene.top
    drawn: list[str] = []
    for number, (start, end) in enumerate(moves):
        is_in_both = number < len(in_both)  # these come first
        if is_in_both and kind == "made":
            continue  # the other play draws it; here it only has its place among the other arrows
        look = "both" if is_in_both else kind
        # every arrow has the class "arrow": one of another look has it besides the class of its color
        class_besides = "" if look == "arrow" else "arrow"
        paint = palette(look, class_besides)
        from_point = point_name(scene.number_of(start))
        to_point = point_name(scene.number_of(end))
        drawn.append(
            f'<path d="{outline(lines[number])}" {_ARROW_SHAPES[look]} pointer-events="none" {paint} '
            f'data-from="{from_point}" data-to="{to_point}" data-player="{side.color}"/>'
        )
    return drawn


_ARROW_SHAPES = {
    look: " ".join(f'{name}="{value}"' for name, value in attributes.items())
    for look, attributes in ARROWS.items()
}


def _lines_of_moves(
    scene: Scene, geometry: Geometry, moves: Sequence[Step], *, at_bottom: bool
) -> list[Line]:
    """The arrow of each move, from its beginning to its end, as one checker after the other moves."""
    checkers: dict[int, int] = {}  # how many the moving side has in each place
    for place in chain.from_iterable(moves):
        count = scene.counts[place] if at_bottom else -scene.counts[place]
        checkers[place] = max(count, 0)  # below 0 are those of the other side
    lines: list[Line] = []
    for start, end in moves:
        # slots are counted from 0: the last checker of four leaves slot 3, and comes to slot 2 beside two others
        start_slot = max(checkers[start] - 1, 0)
        checkers[start] = start_slot
        end_slot = checkers[end]
        start_spot = geometry.spot(start, start_slot, abs(scene.counts[start]))
        end_spot = geometry.spot(end, end_slot, abs(scene.counts[end]))
        lines.append(Line(start_spot, end_spot))
        checkers[end] += 1
    return lines


class _FieldLook(NamedTuple):
    """What decides how each place of an image looks."""

    geometry: Geometry
    palette: Palette
    numbers: str
    bottom: Player
    on_roll_at_bottom: bool
    last_at_bottom: bool
    """Whether the side at the bottom made the last play."""


class _PlaceLook(NamedTuple):
    """A point, half of the bar, or half of the tray, with everything in it: all that decides how it looks."""

    field: _FieldLook
    place: int
    checkers: int
    """The number of checkers here; those of the side at the bottom are positive."""
    is_highlighted: bool
    is_target: bool
    vacated: int
    reached: int

    def elements(self) -> list[str]:
        """A group with everything in it."""
        if self._is_tray:
            return self._tray()
        if self.place in {0, 25}:
            return self._bar()
        return self._point()

    def _point(self) -> list[str]:
        geometry = self.field.geometry
        palette = self.field.palette
        point = self.place
        x, y, width, height = geometry.area(point)
        is_lower = point <= 12
        edge = y + height if is_lower else y
        length = -height if is_lower else height  # lower points go up from their edge
        half = width / 2
        color = palette("deep" if point % 2 else "pale", "triangle")
        drawn = [
            self._group("point", self._color if self.checkers else None),
            box(x, y, width, height, _AREA),
            f'<path d="M{x:g} {edge}l{half:g} {length} {half:g} {-length}z" {color}/>',
        ]
        if palette.has_depth:
            drawn.append(depth.facet(x, edge, half, length))
        if self.field.numbers != "off":
            number = point if self.field.numbers == "fixed" else self._number
            baseline = edge + 16 if is_lower else edge - 6
            middle = geometry.column(point)
            drawn.append(text_element(middle, baseline, str(number), palette("number"), bold=False))
        return [*drawn, *self._content(), "</g>"]

    def _bar(self) -> list[str]:
        area = area_box(self.field.geometry.area(self.place), _AREA)
        is_bottom = self.place == 25
        return [self._group("bar", self._owner(is_bottom)), area, *self._content(), "</g>"]

    def _tray(self) -> list[str]:
        palette = self.field.palette
        is_bottom = self.place == BOTTOM_TRAY
        drawn = [
            self._group("tray", self._owner(is_bottom)),
            area_box(self._area(), f'{palette("well")} pointer-events="all"'),
            *self._content(),
        ]
        off = abs(self.checkers)
        if off:
            x, y = self.field.geometry.number(self.place, off)
            drawn.append(text_element(x, y, str(off), palette("number", "count")))
        return [*drawn, "</g>"]

    @property
    def _is_tray(self) -> bool:
        return self.place in {BOTTOM_TRAY, TOP_TRAY}

    def _owner(self, is_bottom: bool) -> Player:  # noqa: FBT001
        return self.field.bottom if is_bottom else self.field.bottom.opponent

    def _area(self) -> Area:
        """The rectangle of the place; the two halves of a tray meet in the middle."""
        area = self.field.geometry.area(self.place)
        is_upright = area.width < area.height
        if not (self._is_tray and is_upright):
            return area
        seam = 2
        y = area.y - seam if self.place == BOTTOM_TRAY else area.y
        return Area(area.x, y, area.width, area.height + seam)

    def _group(self, name: str, owner: Player | None) -> str:
        """The start of a group; `data-player` says whose checkers are in it, or whose bar or tray it is."""
        player = "" if owner is None else f' data-player="{owner}"'
        return f'<g class="{name}" {self._name}{player} data-count="{abs(self.checkers)}">'

    @property
    def _name(self) -> str:
        return f'data-point="{point_name(self._number)}"'

    @property
    def _number(self) -> int:
        return place_number(self.place, on_roll_at_bottom=self.field.on_roll_at_bottom)

    @property
    def _color(self) -> Player:
        """The player whose checkers are here."""
        return self._owner(self.checkers > 0)

    # --- what is in it -----------------------------------------------------------------------------

    def _content(self) -> list[str]:
        """The checkers, and the marks on them."""
        drawn = self._checkers() if self.checkers else []
        if self.is_highlighted:
            opacity = "0" if self.checkers else "0.45"
            last_slot = abs(self.checkers) - 1
            drawn.append(
                self._ring("highlight", last_slot, f'stroke-width="4" fill-opacity="{opacity}"')
            )
        if self.is_target:
            # slots are counted from 0, so the first free one is that of the number of checkers there
            free_slot = self._count_of(at_bottom=self.field.on_roll_at_bottom)
            drawn.append(self._ring("halo", free_slot, 'stroke-width="6" pointer-events="none"'))
            drawn.append(self._ring("target", free_slot, 'stroke-width="3" pointer-events="none"'))
        return drawn + self._last_play()

    def _count_of(self, *, at_bottom: bool) -> int:
        """The number of checkers that a side has here."""
        return max(self.checkers if at_bottom else -self.checkers, 0)

    def _ring(self, name: str, slot: int, look: str) -> str:
        """A ring around a checker, or where one can go (on a blot that it would hit); or a line around the place."""
        look = f"{look} {self.field.palette(name)} {self._name}"
        if slot < 0 or self._is_tray:
            return area_box(self._area(), f'rx="4" {look}')
        x, y = self._spot(slot)
        return circle(x, y, RING, look)

    def _checkers(self) -> list[str]:
        palette = self.field.palette
        count = abs(self.checkers)
        color = self._color
        spots = self.field.geometry.spots(self.place, count)
        paint = palette(color, "checker")
        look = f'{paint} stroke-width="1.5" {self._name} data-player="{color}"'
        if self._is_tray:
            return [self._slab(spot, look) for spot in spots]
        if palette.has_depth:
            drawn = [depth.checker(x, y, look) for x, y in spots]
        else:
            drawn = [circle(x, y, RADIUS - 1, look) for x, y in spots]
        if count > MAX_APART:
            x, y = spots[-1]
            ink = palette(f"{color}-ink", "count")
            drawn.append(text_element(x, y + COUNT_ON_CHECKER, str(count), ink, size=COUNT_SIZE))
        return drawn

    def _slab(self, spot: Spot, look: str) -> str:
        """A checker in the tray."""
        width, height = self.field.geometry.slab
        x, y = spot
        area = Area(x - width / 2, y - height / 2, width, height)
        if self.field.palette.has_depth:
            lit = depth.lit(area, area_box(area, 'rx="3"'))
            return "\n".join([f"<g {look}>", *lit, "</g>"])
        return area_box(area, f'rx="3" {look}')

    def _spot(self, slot: int) -> Spot:
        return self.field.geometry.spot(self.place, slot, abs(self.checkers))

    def _last_play(self) -> list[str]:
        """Rings where checkers were, and dots on those that came."""
        palette = self.field.palette
        count = self._count_of(at_bottom=self.field.last_at_bottom)
        drawn: list[str] = []
        first_free_slot = count
        for slot in range(first_free_slot, first_free_slot + self.vacated):
            x, y = self._spot(slot)
            halo = f'stroke-width="5" {palette("last-halo")}'
            ring = f'stroke-width="3" stroke-dasharray="5 3" {palette("last-from")} {self._name}'
            drawn.append(circle(x, y, RADIUS - 2, halo))
            drawn.append(circle(x, y, RADIUS - 2, ring))
        last_slot = count - 1
        has_number = count > MAX_APART and not self._is_tray
        if has_number:  # it is on the last checker, so the dots begin below it
            last_slot -= 1
        for number in range(self.reached):
            x, y = self._spot(max(last_slot - number, 0))
            dot = f'stroke-width="2" {palette("last-to")} {self._name}'
            drawn.append(circle(x, y, 6, dot))
        return drawn


@lru_cache(maxsize=4096)
def _drawn_place(look: _PlaceLook) -> str:
    """A place as it looks. From image to image few places change, and some three thousand looks are common."""
    return "\n".join(look.elements())
