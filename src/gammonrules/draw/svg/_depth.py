"""What gives things depth: veils of black and white over the flat colors, as if light came from the upper left.

So every theme has it, and nothing needs an id, a style or a filter, which a page could take away or mix up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def lit(area: Area, face: str) -> Iterator[str]:
    """A die, the cube, or a checker seen from the side, with its shadow, and shade and light on its edges."""
    x, y, width, height = area
    yield box(x + 1, y + 2, width, height, 'rx="6" fill="#000" stroke="none" opacity="0.3"')
    yield face
    edge = width - 5, height - 5
    yield box(
        x + 3, y + 3, *edge, 'rx="4" fill="none" stroke="#000" stroke-width="4" opacity="0.15"'
    )
    yield box(
        x + 2, y + 2, *edge, 'rx="4" fill="none" stroke="#fff" stroke-width="3" opacity="0.3"'
    )


def facet(x: float, edge: float, half: float, length: float) -> str:
    """The side of a point that is in the shade."""
    return f'<path d="M{x + half:g} {edge + length:g}l{half:g} {-length:g}h{-0.6 * half:g}z" opacity="0.12"/>'


@lru_cache(maxsize=16)
def frame(geometry: Geometry) -> Sequence[str]:
    """The light on the frame, and the ridge and the seam of the bar."""
    (x, y, width, height) = geometry.frame
    bar = geometry.bar
    return [
        box(
            x + 0.5,
            y + 0.5,
            width - 1,
            height - 1,
            'rx="5.5" fill="none" stroke="#000" opacity="0.35"',
        ),
        f'<path d="M{x + 2} {y + height - 4}V{y + 2}H{x + width - 4}" fill="none" stroke="#fff" opacity="0.3"/>',
        box(bar - 10, y + 2, 16, height - 4, 'fill="#fff" opacity="0.07"'),
        box(bar - 1, y, 1.5, height, 'opacity="0.45"'),
        box(bar + 0.5, y, 1, height, 'fill="#fff" opacity="0.2"'),
    ]


@lru_cache(maxsize=16)
def hollows(*areas: Area) -> Sequence[str]:
    """The shade of the frame on what lies deeper, and the light on the edges beyond."""

    def corners(deep: int) -> str:
        return "".join(
            f"M{x:g} {y + h:g}V{y:g}h{w:g}v{deep}H{x + deep:g}V{y + h:g}z" for x, y, w, h in areas
        )

    shades = [
        f'<path d="{corners(deep)}" pointer-events="none" opacity="0.05"/>'
        for deep in range(2, 11, 2)
    ]
    edges = "".join(
        f"M{x:g} {y + height + 0.5:g}h{width + 0.5:g}v{-height:g}" for x, y, width, height in areas
    )
    return [
        *shades,
        f'<path d="{edges}" pointer-events="none" fill="none" stroke="#fff" opacity="0.3"/>',
    ]
