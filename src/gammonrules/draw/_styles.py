"""The style of an image: how it looks, whatever it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

import attrs

from gammonrules._shared.checked_fields import Bounds, Checked, check_kind, wrong_fields
from gammonrules.draw._themes import ThemeLike
from gammonrules.limits import MAX_SELECTOR_LENGTH, MAX_WIDTH
from gammonrules.values import shown

Look: TypeAlias = Literal["flat", "depth"]
Layout: TypeAlias = Literal["landscape", "portrait"]
Home: TypeAlias = Literal["right", "left"]
Numbers: TypeAlias = Literal["turning", "fixed", "off"]
Score: TypeAlias = Literal["points", "away"]

USUAL_WIDTH = 628
"""The width in pixels at which notebooks show an image."""
_NONCE = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")


@attrs.frozen(kw_only=True)
class BoardStyle(Checked):
    """How an image looks, whatever it shows: its colors, its layout, its size and the lines around the board.

    Make a style once and pass it to any number of images. `attrs.evolve(style, theme="dark")` returns a changed copy.

    *Equality*: all attributes.

    Attributes:
        theme: the colors: "light", "dark", "print" (black and white), "colorblind" (for readers who confuse some
            colors), "auto" (follows the page or the system of the reader; needs `draw.svg.stylesheet` or `nonce`), or
            a `Theme` with your own colors.
        look: "flat", or "depth", which adds light and shadow in the same colors.
        layout: "landscape", or "portrait" for phones that are held upright. In "portrait" the trays are above and
            below the points, the points are longer, and a centered cube is on the bar.
        home: the side of the image on which players bear off, "right" or "left".
        numbers: the numbers next to the points: "turning" (the player on roll numbers them), "fixed" (the player at the
            bottom numbers them, also in the description), or "off" (no numbers).
        size: the width in pixels, 1 to 100,000. None (the default): as wide as the element that contains the image. An
            image file needs a size; notebooks use 628.
        header: whether to draw the line of the player at the top.
        footer: whether to draw the line of the player at the bottom, and the line with the kind of game.
        score: the score of a match: the "points" of each player, or "away", the points that each player still needs.
        centered_cube: the number on the centered cube while its value is 1: 1, or 64 as on a wooden cube.
        nonce: for the theme "auto": adds the stylesheet to the image, in a `<style>` element with this nonce. With "",
            the element has no nonce, as image files need. None (the default): the page has the stylesheet.

    Raises:
        ArgumentError: an attribute is not as described.

    Examples:
        >>> from gammonrules import Position, draw
        >>> style = draw.BoardStyle(theme="dark", look="depth", size=628)
        >>> image = draw.svg.position(Position.start(), style=style)
        >>> 'class="gammonrules dark depth" width="628"' in image
        True
    """

    theme: ThemeLike = "light"
    look: Look = "flat"
    layout: Layout = "landscape"
    home: Home = "right"
    numbers: Numbers = "turning"
    size: Annotated[int, Bounds(1, MAX_WIDTH)] | None = None
    header: bool = True
    footer: bool = True
    score: Score = "points"
    centered_cube: Literal[1, 64] = 1
    nonce: str | None = None

    def _problems(self) -> Iterator[str]:
        yield from wrong_fields(self)
        nonce: object = self.nonce
        if isinstance(nonce, str) and not _is_nonce(nonce):
            yield f"nonce must be letters, digits and any of + / - _ =, not {shown(nonce)}"


def _is_nonce(text: str) -> bool:
    return len(text) <= MAX_SELECTOR_LENGTH and _NONCE.fullmatch(text) is not None


DEFAULT_STYLE = BoardStyle()
NOTEBOOK_STYLE = BoardStyle(size=USUAL_WIDTH)


def style_argument(style: BoardStyle | None) -> BoardStyle:
    """The style of a caller, or the default style for None. Raises ArgumentError for anything else."""
    if style is None:
        return DEFAULT_STYLE
    check_kind("style", style, BoardStyle | None)
    return style
