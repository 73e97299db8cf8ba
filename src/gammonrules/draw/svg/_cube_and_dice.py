"""The cube and the dice."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from gammonrules.draw._scene import Scene
from gammonrules.draw.svg._elements import box, circle, words
from gammonrules.draw.svg._geometry import BOTTOM, DICE_PITCH, HALVES, MIDDLE, TOP, Geometry
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
        value = scene.centered_cube if (scene.cube.value, owner) == (1, None) else scene.cube.value
        yield _cube_at(geometry.cube_tray, ends[owner], value, attributes, palette)
    elif scene.crawford:
        x = geometry.cube_tray
        yield box(x - 15, MIDDLE - 15, 30, 30, f'rx="5" stroke-dasharray="3" {palette("sign", "crawford")}')
        sign = scene.words("crawford_sign")
        yield words(x, MIDDLE + 5, sign, palette("number"), size=min(15, 46 // max(1, len(sign))))


def _cube_at(x: int, y: int, value: int, attributes: str, palette: Palette) -> str:
    """A cube; a value of six digits or more is written as a power of two."""
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size = min(18, 46 // len(face))
    square = box(x - 16, y - 16, 32, 32, f'rx="5" stroke-width="1.5" {palette("face")}')
    return f"<g {attributes}>\n{square}\n{words(x, y + size * 3 // 8, face, palette('face-ink'), size=size)}\n</g>"


def dice(scene: Scene, geometry: Geometry, palette: Palette) -> Iterator[str]:
    """The rolls, in the colors of the players; played dice and those of the turn before are faint."""
    color, opponent = (side.color for side in scene.sides)
    used = scene.dice_used or (False,) * len(scene.faces)
    for x, face, is_used in zip(_beside(scene, color, len(scene.faces)), scene.faces, used, strict=True):
        yield _die(x, MIDDLE, face, color, palette, used=is_used)
    if scene.last_dice is not None:
        for (x, y), face in zip(_last_spots(scene, opponent, geometry), scene.last_dice, strict=True):
            yield _die(x, y, face, opponent, palette, used=None)


def _last_spots(scene: Scene, player: Player, geometry: Geometry) -> tuple[tuple[int, int], tuple[int, int]]:
    """Where the dice of the turn before are: at their player's right hand, or in the cube's tray if that is taken."""
    if scene.standing or (scene.offered is not None and scene.offered.answerer is player):
        down = 1 if scene.bottom.color is player else -1
        return (geometry.cube_tray, MIDDLE + 60 * down), (geometry.cube_tray, MIDDLE + 100 * down)
    first, second = _beside(scene, player, 2)
    return (first, MIDDLE), (second, MIDDLE)


def _beside(scene: Scene, player: Player, count: int) -> range:
    """The x of the middles of so many dice at the right hand of a player."""
    first = _right_hand(scene, player) - DICE_PITCH * (count - 1) // 2
    return range(first, first + DICE_PITCH * count, DICE_PITCH)


@lru_cache(maxsize=256)
def _die(x: int, y: int, face: int, color: Player, palette: Palette, *, used: bool | None) -> str:
    """A die; `used` is None for one of the turn before."""
    name, data = ("die last", "") if used is None else ("die", f' data-used="{str(used).lower()}"')
    faint = "" if used is False else ' opacity="0.35"'
    group = f'<g class="{name}" data-player="{color}" data-value="{face}"{data}{faint}>'
    square = box(x - 16, y - 16, 32, 32, f'rx="6" stroke-width="1.5" {palette(str(color))}')
    cells = (divmod("abcdefghi".index(spot), 3) for spot in _SPOTS[face])
    look = palette(f"{color}-ink", "spot")
    spots = (circle(x + 9 * (column - 1), y + 9 * (row - 1), 3, look) for row, column in cells)
    return "\n".join([group, square, *spots, "</g>"])


def _right_hand(scene: Scene, color: Player) -> int:
    """The x of the middle of the half to the right of a player."""
    return HALVES[1 if scene.bottom.color is color else 0] + 120
