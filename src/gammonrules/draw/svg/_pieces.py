"""The cube and the dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gammonrules.draw._scene import Scene
from gammonrules.draw.svg._elements import box, circle, words
from gammonrules.draw.svg._geometry import BOTTOM, HALVES, MIDDLE, TOP, Geometry
from gammonrules.draw.svg._themes import Palette
from gammonrules.match import Player

_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The spots of each face in a grid of three by three, lettered from a to i."""


def cube(scene: Scene, geometry: Geometry, palette: Palette) -> Iterator[str]:
    """The cube at its owner's end of the tray, or beside the player who must answer; in the Crawford game "Cr"."""
    if scene.offered is not None:
        answerer = scene.offered.answerer
        attributes = f'class="cube offered" data-value="{scene.offered.value}" data-player="{answerer}"'
        yield _cube_at(_right_hand(scene, answerer), MIDDLE, scene.offered.value, attributes, palette)
    elif scene.cube is not None:
        owner = scene.cube.owner
        player = f' data-player="{owner}"' if owner is not None else ""
        attributes = f'class="cube" data-value="{scene.cube.value}"{player}'
        ends = {None: MIDDLE, scene.bottom.color: BOTTOM - 20, scene.top.color: TOP + 20}
        yield _cube_at(geometry.cube_tray, ends[owner], scene.cube.value, attributes, palette)
    elif scene.crawford:
        x = geometry.cube_tray
        yield box(x - 15, MIDDLE - 15, 30, 30, f'rx="5" stroke-dasharray="3" {palette("sign", "crawford")}')
        yield words(x, MIDDLE + 5, "Cr", palette("number"), size=15)


def _cube_at(x: int, y: int, value: int, attributes: str, palette: Palette) -> str:
    """A cube; a value of six digits or more is written as a power of two."""
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size = min(18, 46 // len(face))
    square = box(x - 16, y - 16, 32, 32, f'rx="5" stroke-width="1.5" {palette("face")}')
    return f"<g {attributes}>\n{square}\n{words(x, y + size * 3 // 8, face, palette('face-ink'), size=size)}\n</g>"


def dice(scene: Scene, palette: Palette) -> Iterator[str]:
    """The roll, in the color of the player who threw it; dice that have been played are faint."""
    if scene.dice is None:
        return
    color = scene.sides[0].color
    middle = _right_hand(scene, color)
    faces = (middle - 20, scene.dice.high), (middle + 20, scene.dice.low)
    for (x, face), used in zip(faces, scene.dice_used, strict=True):
        yield _die(x, face, color, palette, used=used)


@lru_cache(maxsize=256)
def _die(x: int, face: int, color: Player, palette: Palette, *, used: bool) -> str:
    faint = ' opacity="0.35"' if used else ""
    group = f'<g class="die" data-player="{color}" data-value="{face}" data-used="{str(used).lower()}"{faint}>'
    square = box(x - 16, MIDDLE - 16, 32, 32, f'rx="6" stroke-width="1.5" {palette(str(color))}')
    cells = (divmod("abcdefghi".index(spot), 3) for spot in _SPOTS[face])
    look = palette(f"{color}-ink", "spot")
    spots = (circle(x + 9 * (column - 1), MIDDLE + 9 * (row - 1), 3, look) for row, column in cells)
    return "\n".join([group, square, *spots, "</g>"])


def _right_hand(scene: Scene, color: Player) -> int:
    """The x of the middle of the half to the right of a player."""
    return HALVES[1 if scene.bottom.color is color else 0] + 120
