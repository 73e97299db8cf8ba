"""The cube and the dice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gammonrules.draw._scene import Scene
from gammonrules.draw._themes import Palette
from gammonrules.draw.svg import _depth as depth
from gammonrules.draw.svg._elements import area_box, box, circle, text_element
from gammonrules.draw.svg._geometry import AT_BOTTOM, AT_TOP, IN_MIDDLE, Area, Geometry, Spot
from gammonrules.match import Cube, Double, Player

_CELLS = "abcdefghi"
"""A grid of three by three, row by row."""
_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The cells that have a spot on each face."""


def drawn_cube(scene: Scene, geometry: Geometry, palette: Palette) -> list[str]:
    """The cube at its owner's end of the tray, or beside the player who must answer; in the Crawford game "Cr"."""
    if scene.offered is not None:
        return [_offered_cube(scene, scene.offered, geometry, palette)]
    if scene.cube is not None:
        return [_cube_at_home(scene, scene.cube, geometry, palette)]
    if not scene.crawford:
        return []
    x, y = geometry.in_tray(0, IN_MIDDLE, home=False)
    frame = f'rx="5" stroke-dasharray="3" {palette("sign", "crawford")}'
    sign = scene.labels("crawford_sign")
    size = min(15, 46 // max(1, len(sign)))  # a longer sign is smaller, to fit the frame
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
    value_on_face = cube.value
    if cube.owner is None:
        end = IN_MIDDLE
        if cube.value == 1:
            value_on_face = scene.centered_cube
    else:
        end = AT_BOTTOM if cube.owner is scene.bottom.color else AT_TOP
        attributes += f' data-player="{cube.owner}"'
    from_end = geometry.die + 4
    spot = geometry.in_tray(from_end, end, home=False)
    return _cube_at(spot, geometry.die, value_on_face, attributes, palette)


@lru_cache(maxsize=256)
def _cube_at(spot: Spot, half: int, value: int, attributes: str, palette: Palette) -> str:
    """A cube; a value of six digits or more is written as a power of two. `half` is that of its width."""
    x, y = spot
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size_on_usual_cube = min(18, 46 // len(face))  # more digits are smaller
    size = size_on_usual_cube * half // 16  # whose half is 16
    text = text_element(x, y + size * 3 // 8, face, palette("face-ink"), size=size)
    body = _body(spot, half, 5, palette("face"), palette)
    return "\n".join([f"<g {attributes}>", *body, text, "</g>"])


def drawn_dice(scene: Scene, geometry: Geometry, palette: Palette) -> list[str]:
    """The rolls, in the colors of the players; played dice and those of the turn before are faint."""
    on_roll, opponent = scene.sides
    faces = scene.faces
    are_used = scene.turn.dice_used
    if not are_used:  # none has been played
        are_used = (False,) * len(faces)
    spots = _beside(scene, on_roll.color, geometry, count=len(faces))
    drawn = [
        _die(spot, geometry.die, face, on_roll.color, palette, is_used=is_used)
        for spot, face, is_used in zip(spots, faces, are_used, strict=True)
    ]
    if scene.last_dice is not None:
        spots = _last_spots(scene, opponent.color, geometry)
        last_faces = scene.last_dice.high, scene.last_dice.low
        for spot, face in zip(spots, last_faces, strict=True):
            drawn.append(_die(spot, geometry.die, face, opponent.color, palette, is_last=True))
    return drawn


def _last_spots(scene: Scene, player: Player, geometry: Geometry) -> Sequence[Spot]:
    """The spots of the dice of the turn before: at their player's right, or in the cube's tray if that is taken."""
    has_offered_cube = scene.offered is not None and scene.offered.answerer is player
    has_result = bool(scene.standing)
    if not has_offered_cube and not has_result:
        return _beside(scene, player, geometry, count=2)
    end = AT_BOTTOM if scene.bottom.color is player else AT_TOP
    first, pitch = geometry.spare
    second = first + pitch
    return [geometry.in_tray(from_end, end, home=False) for from_end in (first, second)]


def _beside(scene: Scene, player: Player, geometry: Geometry, count: int) -> Sequence[Spot]:
    """The middles of so many dice at the right hand of a player."""
    middle = geometry.right_hand(at_bottom=scene.bottom.color is player)
    pitch = 5 * geometry.die // 2
    first = middle - pitch * (count - 1) // 2
    return [(first + pitch * number, geometry.middle) for number in range(count)]


@lru_cache(maxsize=256)
def _die(
    spot: Spot,
    half: int,
    face: int,
    color: Player,
    palette: Palette,
    *,
    is_used: bool = False,
    is_last: bool = False,
) -> str:
    """A die, faint if it `is_used` or, as `is_last` says, of the turn before. `half`: half of its width."""
    name = "die last" if is_last else "die"
    attributes = f'class="{name}" data-player="{color}" data-value="{face}"'
    if not is_last:
        attributes += f' data-used="{str(is_used).lower()}"'
    is_faint = is_used or is_last
    if is_faint:
        attributes += ' opacity="0.35"'
    x, y = spot
    pitch = 9 * half / 16
    ink = palette(f"{color}-ink", "spot")
    drawn = [f"<g {attributes}>", *_body(spot, half, 6, palette(str(color)), palette)]
    for cell in _SPOTS[face]:
        row, column = divmod(_CELLS.index(cell), 3)
        # the middle one, in row 1 and column 1, is in the middle of the die
        drawn.append(circle(x + pitch * (column - 1), y + pitch * (row - 1), pitch / 3, ink))
    return "\n".join([*drawn, "</g>"])


def _body(spot: Spot, half: int, corner: int, look: str, palette: Palette) -> Sequence[str]:
    """A die without spots, or the cube without its value."""
    x, y = spot
    area = Area(x - half, y - half, 2 * half, 2 * half)
    face = area_box(area, f'rx="{corner}" stroke-width="1.5" {look}')
    return depth.lit(area, face) if palette.has_depth else [face]
