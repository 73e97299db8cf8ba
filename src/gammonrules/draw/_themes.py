"""The colors of an image, and how they become attributes or CSS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias, get_args

import attrs

from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_SELECTOR_LENGTH
from gammonrules.values import one_of, plain_text, refuse, shown, suggestion

_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|[A-Za-z]{3,25}")
_NOT_IN_SELECTORS = re.compile(r"[{}<;@\\]|/\*|[^ -~]")
_MAX_WRONG = 3

ThemeName: TypeAlias = Literal["light", "dark", "print", "colorblind"]

_NAMES: Final[tuple[ThemeName, ...]] = get_args(ThemeName)


def _in_themes(*colors: str) -> Any:
    """A field that has these colors in the themes of these names."""
    return attrs.field(default=colors[0], metadata=dict(zip(_NAMES, colors, strict=True)))


@attrs.frozen
class Theme:
    """The colors of an image; the defaults are the colors of the theme "light".

    Each color is written as in CSS: "#5d4030", "#abc", or a name such as "black" or "none".

    *Equality*: all colors.

    Attributes:
        paper: the background of the image.
        ink: the text on it.
        faint: less important text on it, and the arrows of moves that the best play and the one that was made share.
        frame: the frame of the board and the bar.
        number: the numbers of the points, and the checkers borne off, which are written on the frame.
        felt: the playing field between the points.
        pale: the points with even numbers, as the side at the bottom numbers them.
        deep: the points with odd numbers.
        tray: the trays.
        line: the outlines of points, field and trays.
        white: the checkers and dice of White.
        white_rim: their outlines.
        white_ink: the spots of the dice, and the text on the checkers.
        black: the checkers and dice of Black.
        black_rim: their outlines.
        black_ink: the spots of the dice, and the text on the checkers.
        cube: the cube.
        cube_ink: its value and its outline.
        highlight: points that stand out, and rings around what can be clicked.
        target: rings where a checker can go, and around the one that was chosen.
        last: the last play.
        arrow: the arrows.
        arrow_rim: their outlines, those of the last play and of the rings where a checker can go, and the inside of the
            arrows of a play that was made where another was best.
        made: the dashes around these arrows.

    Raises:
        ArgumentError: a color is not written as described.

    Examples:
        >>> from gammonrules import Position, draw
        >>> green = draw.BoardStyle(theme=draw.Theme(felt="#2e6b4f", pale="#c9d8b6"))
        >>> "#2e6b4f" in draw.svg.position(Position.start(), style=green)
        True
    """

    paper: str = _in_themes("#fbf7ee", "#1e1a17", "#ffffff", "#ffffff")
    ink: str = _in_themes("#33261d", "#efe6d8", "#000000", "#000000")
    faint: str = _in_themes("#75665a", "#a99c8d", "#444444", "#4d4d4d")
    frame: str = _in_themes("#5d4030", "#463529", "#ffffff", "#16324f")
    number: str = _in_themes("#ecdfc6", "#c9bba6", "#000000", "#ffffff")
    felt: str = _in_themes("#ecdfc6", "#3a312a", "#ffffff", "#e9eff5")
    pale: str = _in_themes("#d3b588", "#6f5c46", "#ffffff", "#a9c4de")
    deep: str = _in_themes("#a8744a", "#8f5b38", "#c8c8c8", "#3f7cb5")
    tray: str = _in_themes("#7a5a45", "#2a221c", "#ffffff", "#2b4c6f")
    line: str = _in_themes("none", "none", "#000000", "none")
    white: str = _in_themes("#fffdf7", "#efe7d8", "#ffffff", "#ffffff")
    white_rim: str = _in_themes("#4a372b", "#1b1511", "#000000", "#000000")
    white_ink: str = _in_themes("#33261d", "#241b15", "#000000", "#000000")
    black: str = _in_themes("#2d2a2e", "#171517", "#000000", "#000000")
    black_rim: str = _in_themes("#a2978c", "#c2b6a8", "#ffffff", "#ffffff")
    black_ink: str = _in_themes("#fffdf7", "#f4ecdf", "#ffffff", "#ffffff")
    cube: str = _in_themes("#ffffff", "#efe7d8", "#ffffff", "#ffffff")
    cube_ink: str = _in_themes("#33261d", "#1b1511", "#000000", "#000000")
    highlight: str = _in_themes("#c47f00", "#b87400", "#8c8c8c", "#b58900")
    target: str = _in_themes("#0f5c36", "#7fe3ad", "#444444", "#f27429")
    last: str = _in_themes("#6a2c91", "#e0b8ff", "#666666", "#e356b4")
    arrow: str = _in_themes("#1f5fa8", "#7db4f0", "#555555", "#e69f00")
    arrow_rim: str = _in_themes("#fffdf7", "#14202c", "#ffffff", "#000000")
    made: str = _in_themes("#a3160f", "#ff9a8f", "#000000", "#ffffff")

    def __attrs_post_init__(self) -> None:
        wrong = list(self._wrong_colors())
        if len(wrong) > _MAX_WRONG:
            wrong[_MAX_WRONG:] = ["and more"]
        refuse("theme", wrong)

    def _wrong_colors(self) -> Iterator[str]:
        """The faults of colors; those that are right are kept as plain text, whatever class of text they had."""
        for field in attrs.fields(Theme):
            value: object = getattr(self, field.name)
            color = plain_text(value)
            if color is None or len(color) > 25 or not _COLOR.fullmatch(color):
                yield f'{field.name} must be a color such as "#5d4030" or "black", not {shown(value, 20)}'
            else:
                object.__setattr__(self, field.name, color)


def _theme_of_package(name: str) -> Theme:
    return Theme(**{field.name: field.metadata[name] for field in attrs.fields(Theme)})


THEMES: Mapping[str, Theme] = MappingProxyType({name: _theme_of_package(name) for name in _NAMES})
"""The themes by name: for the screen, for paper, and for readers who see some colors alike."""
_LIGHT = THEMES["light"]

AUTO: Final = "auto"
"""The theme that follows the reader: light, unless the page's stylesheet says otherwise."""

ThemeLike: TypeAlias = ThemeName | Literal["auto"] | Theme
"""The name of a theme, "auto", or colors of your own."""

_PAINTS: Mapping[str, tuple[str, str]] = {
    **{name: (name, "") for name in ("paper", "ink", "faint")},
    "frame": ("frame", "line"),
    "number": ("number", ""),
    **{name: (name, "line") for name in ("felt", "pale", "deep")},
    "well": ("tray", "line"),
    "white": ("white", "white_rim"),
    "white-ink": ("white_ink", ""),
    "black": ("black", "black_rim"),
    "black-ink": ("black_ink", ""),
    "face": ("cube", "cube_ink"),
    "face-ink": ("cube_ink", ""),
    "sign": ("", "number"),
    "plate": ("paper", "frame"),
    "highlight": ("highlight", "highlight"),
    "target": ("", "target"),
    "chosen": ("", "target"),
    "halo": ("", "arrow_rim"),
    "last-from": ("", "last"),
    "last-to": ("last", "arrow_rim"),
    "last-halo": ("", "arrow_rim"),
    "arrow": ("arrow", "arrow_rim"),
    "made": ("arrow_rim", "made"),
    "both": ("faint", "arrow_rim"),
}
"""The classes that have a color, and the fields of the theme for their fill and outline."""
COLORS = {
    "paints": [
        f"{paint} {fill} {outline}".strip().replace("_", "-")
        for paint, (fill, outline) in _PAINTS.items()
    ],
    "fields": [field.name.replace("_", "-") for field in attrs.fields(Theme)],
    "themes": {name: attrs.astuple(theme) for name, theme in THEMES.items()},
}
"""What `board.js` needs to let pages change colors, which have the names of CSS there."""


@attrs.frozen(eq=False)
class Palette:
    """The colors of an image, as attributes of its elements."""

    theme: Theme
    name: str
    """The class of the image."""
    has_depth: bool = False
    """Whether veils give its things depth."""

    def __call__(self, paint: str, name: str = "") -> str:
        """The attributes of an element: its class, the class that has the color, and the color itself."""
        classes = f"{name} {paint}" if name else paint
        return f'class="{classes}" {self._colors[paint]}'

    @cached_property
    def _colors(self) -> dict[str, str]:
        """The attributes for each class that has a color."""
        return {paint: self._color(fill, outline) for paint, (fill, outline) in _PAINTS.items()}

    def _color(self, fill: str, outline: str) -> str:
        inside = getattr(self.theme, fill) if fill else "none"
        stroke = getattr(self.theme, outline) if outline else "none"
        if stroke == "none":
            return f'fill="{inside}"'
        return f'fill="{inside}" stroke="{stroke}"'


def palette_of(theme: ThemeLike, *, has_depth: bool = False) -> Palette:
    """The colors of a theme that has been checked. The theme "auto" has the light colors."""
    if isinstance(theme, Theme):
        return _palette(theme, "own", has_depth)
    colors = _LIGHT if theme == AUTO else THEMES[theme]
    return _palette(colors, theme, has_depth)


_palette = lru_cache(maxsize=16)(Palette)


def _theme_of(name: str, value: object) -> Theme:
    """A theme with colors of its own, so not "auto". Raises ArgumentError."""
    theme = value if isinstance(value, Theme) else THEMES.get(plain_text(value) or "")
    if theme is None:
        near = suggestion(value, THEMES)
        names = one_of([*THEMES])
        raise ArgumentError(f"{name} must be {names}, or a Theme, not {shown(value)}{near}")
    return theme


def stylesheet(
    *, light: ThemeName | Theme = "light", dark: ThemeName | Theme = "dark", when: str | None = None
) -> str:
    """The CSS for images with the theme "auto". Add it to the stylesheet of your page.

    The images are then light or dark like the reader's system, or like your page.

    Args:
        light: the theme for light pages.
        dark: the theme for dark pages.
        when: a CSS selector that matches an element around the image while the page is dark, such as
            `[data-theme="dark"]`. A page with its own switch needs one. None (the default): the image is dark if the
            reader's system is dark.

    Returns:
        About 2 kB of CSS for any number of images.

    Raises:
        ArgumentError: `light` or `dark` is not a theme, or is "auto"; or `when` is not a selector.

    Examples:
        >>> for line in stylesheet().splitlines()[:2]:
        ...     print(line)
        @media screen and (prefers-color-scheme: dark) {
        .gammonrules.auto .paper { fill: #1e1a17 }
    """
    light_theme = _theme_of("light", light)
    dark_theme = _theme_of("dark", dark)
    lines: list[str] = []
    if light_theme != _LIGHT:  # images of the theme "auto" have the light colors without CSS
        lines += _css_rules(light_theme, "")
    if when is None:
        lines.append("@media screen and (prefers-color-scheme: dark) {")
        lines += _css_rules(dark_theme, "")
        lines.append("}")
    else:
        lines += _css_rules(dark_theme, f"{_selector(when)} ")
    return "\n".join(lines)


def _css_rules(theme: Theme, within: str) -> Iterator[str]:
    for paint, (fill, outline) in _PAINTS.items():
        colors: list[str] = []
        if fill:
            colors.append(f"fill: {getattr(theme, fill)}")
        if outline:
            colors.append(f"stroke: {getattr(theme, outline)}")
        yield f"{within}.gammonrules.auto .{paint} {{ {'; '.join(colors)} }}"


def _selector(when: object) -> str:
    text = plain_text(when)
    if not text or len(text) > MAX_SELECTOR_LENGTH or _NOT_IN_SELECTORS.search(text):
        raise ArgumentError(
            f"when must be a CSS selector of up to {MAX_SELECTOR_LENGTH} characters, not {shown(when)}"
        )
    return text


def style_element(nonce: str | None) -> str:
    """The stylesheet as an element of the image, with a nonce that has been checked; "" if it is None."""
    if nonce is None:
        return ""
    attribute = f' nonce="{nonce}"' if nonce else ""
    return f"<style{attribute}>{' '.join(stylesheet().splitlines())}</style>"
