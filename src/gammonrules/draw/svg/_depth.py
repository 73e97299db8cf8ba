"""What gives things depth: veils of black and white over the flat colors, as if light came from the upper left.

So every theme has it, and nothing needs an id, a style or a filter, which a page could take away or mix up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gammonrules.draw.svg._elements import box, circle
from gammonrules.draw.svg._geometry import Area, Geometry


def checker(x: float, y: float, look: str) -> str:
    """A checker with its shadow, and shade and light on its rim."""
    shadow = circle(x + 1, y + 2, 18, 'fill="#000" stroke="none" opacity="0.3"')
    shade = circle(x + 1, y + 1, 13, 'fill="none" stroke="#000" stroke-width="5" opacity="0.2"')
    light = circle(x - 1, y - 1, 13, 'fill="none" stroke="#fff" stroke-width="5" opacity="0.25"')
    return "\n".join(
        [f"<g {look}>", shadow, f'<circle cx="{x:g}" cy="{y:g}" r="17"/>', shade, light, "</g>"]
    )


def lit(area: Area, face: str) -> Sequence[str]:
    """A die, the cube, or a checker seen from the side, with its shadow, and shade and light on its edges."""
    x, y, width, height = area
    shadow = 'rx="6" fill="#000" stroke="none" opacity="0.3"'
    shade = 'rx="4" fill="none" stroke="#000" stroke-width="4" opacity="0.15"'
    light = 'rx="4" fill="none" stroke="#fff" stroke-width="3" opacity="0.3"'
    return [
        box(x + 1, y + 2, width, height, shadow),
        face,
        box(x + 3, y + 3, width - 5, height - 5, shade),
        box(x + 2, y + 2, width - 5, height - 5, light),
    ]


def facet(x: float, edge: float, half: float, length: float) -> str:
    """The side of a point that is in the shade."""
    return f'<path d="M{x + half:g} {edge + length:g}l{half:g} {-length:g}h{-0.6 * half:g}z" opacity="0.12"/>'


@lru_cache(maxsize=16)
def frame(geometry: Geometry) -> Sequence[str]:
    """The light on the frame, and the ridge and the seam of the bar."""
    x, y, width, height = geometry.frame
    bar = geometry.bar
    edge = 'rx="5.5" fill="none" stroke="#000" opacity="0.35"'
    return [
        box(x + 0.5, y + 0.5, width - 1, height - 1, edge),
        f'<path d="M{x + 2} {y + height - 4}V{y + 2}H{x + width - 4}" fill="none" stroke="#fff" opacity="0.3"/>',
        box(bar - 10, y + 2, 16, height - 4, 'fill="#fff" opacity="0.07"'),
        box(bar - 1, y, 1.5, height, 'opacity="0.45"'),
        box(bar + 0.5, y, 1, height, 'fill="#fff" opacity="0.2"'),
    ]


@lru_cache(maxsize=16)
def hollows(*areas: Area) -> Sequence[str]:
    """The shade of the frame on what lies deeper, and the light on the edges beyond."""
    drawn: list[str] = []
    for width in range(2, 11, 2):  # five layers, so that the shade fades away from the frame
        corners = "".join([_upper_left(area, width) for area in areas])
        drawn.append(f'<path d="{corners}" pointer-events="none" opacity="0.05"/>')
    edges = "".join([_lower_right(area) for area in areas])
    light = 'pointer-events="none" fill="none" stroke="#fff" opacity="0.3"'
    return [*drawn, f'<path d="{edges}" {light}/>']


def _upper_left(area: Area, deep: int) -> str:
    """Two edges of a rectangle, so thick."""
    x, y, width, height = area
    return f"M{x:g} {y + height:g}V{y:g}h{width:g}v{deep}H{x + deep:g}V{y + height:g}z"


def _lower_right(area: Area) -> str:
    """The line around the other two."""
    x, y, width, height = area
    return f"M{x:g} {y + height + 0.5:g}h{width + 0.5:g}v{-height:g}"
