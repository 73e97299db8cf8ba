"""The colors and measures of an image, which follow from its style."""

from __future__ import annotations

from functools import lru_cache

import attrs

from gammonrules.draw._styles import BoardStyle
from gammonrules.draw._themes import AUTO, Palette, palette_of, style_element
from gammonrules.draw.svg._geometry import LAYOUTS, Geometry


@attrs.frozen(eq=False)
class Canvas:
    """An image without its content, in units of its viewBox."""

    style: BoardStyle
    palette: Palette
    stylesheet: str
    """The `<style>` element of the image, or ""."""
    geometry: Geometry
    numbers: str
    """As in the style, or "fixed" for the decision of a player who is not on roll."""
    top: int
    """The upper edge: without the header, an image begins further down."""
    height: int
    """Without the lines below the image."""
    classes: str


@lru_cache(maxsize=16)
def canvas_of(style: BoardStyle) -> Canvas:
    has_depth = style.look == "depth"
    palette = palette_of(style.theme, has_depth=has_depth)
    geometry = LAYOUTS[style.layout, style.home]
    top = 0 if style.header else geometry.header
    bottom = geometry.height
    if not style.footer:
        bottom -= geometry.footer
    classes = f"gammonrules {palette.name}"
    if has_depth:
        classes += " depth"
    if style.layout == "portrait":
        classes += " portrait"
    return Canvas(
        style,
        palette,
        stylesheet=style_element(style.nonce) if palette.name == AUTO else "",
        geometry=geometry,
        numbers=style.numbers,
        top=top,
        height=bottom - top,
        classes=classes,
    )
