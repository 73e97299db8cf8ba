"""The elements of images, each as one line of text."""

from __future__ import annotations

from html import escape

from gammonrules.draw.svg._geometry import Area

SIZE = 13
"""The font size of most labels."""


def box(x: float, y: float, width: float, height: float, rest: str) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {rest}/>'


def area_box(area: Area, rest: str) -> str:
    return box(area.x, area.y, area.width, area.height, rest)


def circle(x: float, y: float, radius: float, rest: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" {rest}/>'


def text_element(
    x: float, y: float, text: str, look: str, *, size: int = SIZE, bold: bool = True, end: str = ""
) -> str:
    """Text centered on `x`, or with their start or end there."""
    more = f' font-size="{size}"' if size != SIZE else ""
    more += ' font-weight="bold"' if bold else ""
    more += f' text-anchor="{end}"' if end else ""
    return f'<text x="{x:g}" y="{y:g}" {look}{more}>{escaped(text)}</text>'


def escaped(text: str) -> str:
    """A text as the content of an element."""
    return escape(text, quote=False)
