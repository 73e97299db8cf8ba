"""The cube and the dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from gammonrules.draw._scene import Scene
from gammonrules.draw.svg import _depth as depth
from gammonrules.draw.svg._elements import box, circle, text_element
from gammonrules.draw.svg._geometry import Geometry, Spot
from gammonrules.draw.svg._themes import Palette
from gammonrules.match import Player

_SPOTS = {1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "acdfgi"}
"""The spots of each face in a grid of three by three, lettered from a to i."""


def draw_cube(scene: Scene, geometry: Geometry, palette: Palette) -> Iterator[str]:
    """The cube at its owner's end of the tray, or beside the player who must answer; in the Crawford game "Cr"."""
    if scene.offered is not None:
        answerer = scene.offered.answerer
        attributes = (
            f'class="cube offered" data-value="{scene.offered.value}" data-player="{answerer}"'
        )
        spot = geometry.right_hand(at_bottom=scene.bottom.color is answerer), geometry.middle
        yield _cube_at(spot, geometry.die, scene.offered.value, attributes, palette)
    elif scene.cube is not None:
        owner = scene.cube.owner
        player = f' data-player="{owner}"' if owner is not None else ""
        attributes = f'class="cube" data-value="{scene.cube.value}"{player}'
        end = {None: 0, scene.bottom.color: 1, scene.top.color: -1}[owner]
        value = scene.centered_cube if (scene.cube.value, owner) == (1, None) else scene.cube.value
        yield _cube_at(
            geometry.in_tray(geometry.die + 4, end, home=False),
            geometry.die,
            value,
            attributes,
            palette,
        )
    elif scene.crawford:
        x, y = geometry.in_tray(0, 0, home=False)
        yield box(
            x - 15, y - 15, 30, 30, f'rx="5" stroke-dasharray="3" {palette("sign", "crawford")}'
        )
        sign = scene.words("crawford_sign")
        yield text_element(x, y + 5, sign, palette("number"), size=min(15, 46 // max(1, len(sign))))


def _cube_at(spot: Spot, half: int, value: int, attributes: str, palette: Palette) -> str:
    """A cube; a value of six digits or more is written as a power of two."""
    x, y = spot
    face = str(value) if value < 100_000 else f"2^{value.bit_length() - 1}"
    size = min(18, 46 // len(face)) * half // 16
    written = text_element(x, y + size * 3 // 8, face, palette("face-ink"), size=size)
    return "\n".join(
        [f"<g {attributes}>", *_body(spot, half, 5, palette("face"), palette), written, "</g>"]
    )


def draw_dice(scene: Scene, geometry: Geometry, palette: Palette) -> Iterator[str]:
    """The rolls, in the colors of the players; played dice and those of the turn before are faint."""
    color, opponent = (side.color for side in scene.sides)
    used = scene.turn.dice_used or (False,) * len(scene.faces)
    for spot, face, is_used in zip(
        _beside(scene, player=color, geometry=geometry, count=len(used)),
        scene.faces,
        used,
        strict=True,
    ):
        yield _die(spot, geometry.die, face, color, palette, used=is_used)
    if scene.last_dice is not None:
        for spot, face in zip(_last_spots(scene, opponent, geometry), scene.last_dice, strict=True):
            yield _die(spot, geometry.die, face, opponent, palette, used=None)


def _last_spots(scene: Scene, player: Player, geometry: Geometry) -> Sequence[Spot]:
    """Where the dice of the turn before are: at their player's right hand, or in the cube's tray if that is taken."""
    if scene.standing or (scene.offered is not None and scene.offered.answerer is player):
        end = 1 if scene.bottom.color is player else -1
        (first, pitch) = geometry.spare
        return [geometry.in_tray(step, end, home=False) for step in (first, first + pitch)]
    return _beside(scene, player, geometry, count=2)


def _beside(scene: Scene, player: Player, geometry: Geometry, count: int) -> Sequence[Spot]:
    """The middles of so many dice at the right hand of a player."""
    middle = geometry.right_hand(at_bottom=scene.bottom.color is player)
    pitch = 5 * geometry.die // 2
    return [
        (middle + pitch * (2 * number - count + 1) // 2, geometry.middle) for number in range(count)
    ]


@lru_cache(maxsize=256)
def _die(
    spot: Spot, half: int, face: int, color: Player, palette: Palette, *, used: bool | None
) -> str:
    """A die; `used` is None for one of the turn before."""
    name, data = ("die last", "") if used is None else ("die", f' data-used="{str(used).lower()}"')
    faint = "" if used is False else ' opacity="0.35"'
    group = f'<g class="{name}" data-player="{color}" data-value="{face}"{data}{faint}>'
    cells = (divmod("abcdefghi".index(cell), 3) for cell in _SPOTS[face])
    look = palette(f"{color}-ink", "spot")
    pitch = 9 * half / 16
    (x, y) = spot
    spots = (
        circle(x + pitch * (column - 1), y + pitch * (row - 1), pitch / 3, look)
        for row, column in cells
    )
    return "\n".join([group, *_body(spot, half, 6, palette(str(color)), palette), *spots, "</g>"])


def _body(spot: Spot, half: int, corner: int, look: str, palette: Palette) -> Sequence[str]:
    """A die without spots, or the cube without its value."""
    area = spot[0] - half, spot[1] - half, 2 * half, 2 * half
    face = box(*area, f'rx="{corner}" stroke-width="1.5" {look}')
    return [*depth.lit(area, face)] if palette.has_depth else [face]
