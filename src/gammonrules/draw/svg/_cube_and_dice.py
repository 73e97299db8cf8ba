"""The cube and the dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gammonrules.draw._scene import Scene
from gammonrules.draw.svg import _depth as depth
from gammonrules.draw.svg._elements import area_box, box, circle, text_element
from gammonrules.draw.svg._geometry import Area, Geometry, Spot
from gammonrules.draw.svg._themes import Palette
from gammonrules.match import Cube, Double, Player

_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The spots of each face in a grid of three by three, lettered from a to i."""


def drawn_cube(scene: Scene, geometry: Geometry, palette: Palette) -> list[str]:
    """The cube at its owner's end of the tray, or beside the player who must answer; in the Crawford game "Cr"."""
    if scene.offered is not None:
        return [_offered_cube(scene, scene.offered, geometry, palette)]
    if scene.cube is not None:
        return [_cube_at_home(scene, scene.cube, geometry, palette)]
    if not scene.crawford:
        return []
    x, y = geometry.in_tray(0, 0, home=False)
    frame = f'rx="5" stroke-dasharray="3" {palette("sign", "crawford")}'
    sign = scene.words("crawford_sign")
    size = min(15, 46 // max(1, len(sign)))
    return [
        box(x - 15, y - 15, 30, 30, frame),
        text_element(x, y + 5, sign, palette("number"), size=size),
    ]


def _offered_cube(scene: Scene, offered: Double, geometry: Geometry, palette: Palette) -> str:
    answerer = offered.answerer
    x = geometry.right_hand(at_bottom=scene.bottom.color is answerer)
    attributes = f'class="cube offered" data-value="{offered.value}" data-player="{answerer}"'
    return _cube_at((x, geometry.middle), geometry.die, offered.value, attributes, palette)


def _cube_at_home(scene: Scene, cube: Cube, geometry: Geometry, palette: Palette) -> str:
    attributes = f'class="cube" data-value="{cube.value}"'
    value = cube.value
    if cube.owner is None:
        end = 0
        if cube.value == 1:
            value = scene.centered_cube
    else:
        end = 1 if cube.owner is scene.bottom.color else -1
        attributes += f' data-player="{cube.owner}"'
    spot = geometry.in_tray(geometry.die + 4, end, home=False)
    return _cube_at(spot, geometry.die, value, attributes, palette)


@lru_cache(maxsize=256)
def _cube_at(spot: Spot, half: int, value: int, attributes: str, palette: Palette) -> str:
    """A cube; a value of six digits or more is written as a power of two."""
    x, y = spot
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size = min(18, 46 // len(face)) * half // 16
    text = text_element(x, y + size * 3 // 8, face, palette("face-ink"), size=size)
    body = _body(spot, half, 5, palette("face"), palette)
    return "\n".join([f"<g {attributes}>", *body, text, "</g>"])


def drawn_dice(scene: Scene, geometry: Geometry, palette: Palette) -> list[str]:
    """The rolls, in the colors of the players; played dice and those of the turn before are faint."""
    on_roll, opponent = scene.sides
    faces = scene.faces
    is_used = scene.turn.dice_used
    if not is_used:
        is_used = (False,) * len(faces)
    spots = _beside(scene, on_roll.color, geometry, count=len(faces))
    drawn = [
        _die(spot, geometry.die, face, on_roll.color, palette, used=used)
        for spot, face, used in zip(spots, faces, is_used, strict=True)
    ]
    if scene.last_dice is not None:
        spots = _last_spots(scene, opponent.color, geometry)
        last_faces = scene.last_dice.high, scene.last_dice.low
        for spot, face in zip(spots, last_faces, strict=True):
            drawn.append(_die(spot, geometry.die, face, opponent.color, palette, used=None))
    return drawn


def _last_spots(scene: Scene, player: Player, geometry: Geometry) -> Sequence[Spot]:
    """Where the dice of the turn before are: at their player's right hand, or in the cube's tray if that is taken."""
    is_taken = scene.offered is not None and scene.offered.answerer is player
    if not scene.standing and not is_taken:
        return _beside(scene, player, geometry, count=2)
    end = 1 if scene.bottom.color is player else -1
    first, pitch = geometry.spare
    return [geometry.in_tray(step, end, home=False) for step in (first, first + pitch)]


def _beside(scene: Scene, player: Player, geometry: Geometry, count: int) -> Sequence[Spot]:
    """The middles of so many dice at the right hand of a player."""
    middle = geometry.right_hand(at_bottom=scene.bottom.color is player)
    pitch = 5 * geometry.die // 2
    first = middle - pitch * (count - 1) // 2
    return [(first + pitch * number, geometry.middle) for number in range(count)]


@lru_cache(maxsize=256)
def _die(
    spot: Spot, half: int, face: int, color: Player, palette: Palette, *, used: bool | None
) -> str:
    """A die; `used` is None for one of the turn before."""
    attributes = 'class="die last"' if used is None else 'class="die"'
    attributes += f' data-player="{color}" data-value="{face}"'
    if used is not None:
        attributes += f' data-used="{str(used).lower()}"'
    if used is not False:
        attributes += ' opacity="0.35"'
    x, y = spot
    pitch = 9 * half / 16
    ink = palette(f"{color}-ink", "spot")
    drawn = [f"<g {attributes}>", *_body(spot, half, 6, palette(str(color)), palette)]
    for cell in _SPOTS[face]:
        row, column = divmod("abcdefghi".index(cell), 3)
        drawn.append(circle(x + pitch * (column - 1), y + pitch * (row - 1), pitch / 3, ink))
    return "\n".join([*drawn, "</g>"])


def _body(spot: Spot, half: int, corner: int, look: str, palette: Palette) -> Sequence[str]:
    """A die without spots, or the cube without its value."""
    x, y = spot
    area = Area(x - half, y - half, 2 * half, 2 * half)
    face = area_box(area, f'rx="{corner}" stroke-width="1.5" {look}')
    return depth.lit(area, face) if palette.has_depth else [face]
