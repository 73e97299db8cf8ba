"""The verdict at all scores as an image, like the tables in books."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final, Protocol, runtime_checkable

import attrs

from gammonrules.draw._themes import Palette
from gammonrules.draw.svg._elements import box, escaped, text_element

_STEP = 39
_HEIGHT = 36
_LINE = 18
_MIN_COLUMNS = 10
"""An image has the width of so many, for the lines above and below them."""
_LEFT = 36
_TOP = 54
_LETTER: Final = 7.6
"""How wide a letter of a remark is on average, at most; the actual font cannot be measured."""
_SHADES: Final = (
    ("felt", "ink"),
    ("highlight", "white-ink"),
    ("black", "black-ink"),
    ("white", "white-ink"),
    ("pale", "ink"),
)
"""How the cells of the first codes, and the writing on them, are colored; the last for all others."""


@attrs.frozen
class GridCell:
    code: str
    number: str
    shade: int
    """Which of the codes it is, for its color."""
    sentence: str
    """What the cell says, in words."""
    is_own: bool
    """Whether it is the score of the position itself."""


@attrs.frozen
class GridRow:
    head: str
    cells: Sequence[GridCell | None]


@attrs.frozen
class Grid:
    title: str
    columns: Sequence[str]
    """The heads of the columns."""
    rows: Sequence[GridRow]
    remarks: Sequence[str]
    """The lines below."""


@runtime_checkable
class MatrixLike(Protocol):
    """What `matrix` draws, such as an `engine.ScoreMatrix`."""

    def _grid_(self) -> Grid:
        """Its cells with their heads, and the lines above and below them."""
        ...


def size_of_grid(grid: Grid) -> tuple[int, int]:
    """The width and the height."""
    width = _LEFT + _STEP * max(_MIN_COLUMNS, len(grid.columns)) + 4
    height = _TOP + _HEIGHT * len(grid.rows) + _LINE * len(_remark_lines(grid, width)) + 14
    return width, height


def _remark_lines(grid: Grid, width: int) -> list[str]:
    """The lines below the cells, broken where they are too long."""
    lines: list[str] = []
    for remark in grid.remarks:
        lines += wrap(remark, int((width - 16) / _LETTER))
    return lines


def elements(grid: Grid, palette: Palette) -> Iterator[str]:
    width, height = size_of_grid(grid)
    ink = palette("ink")
    yield box(0, 0, width, height, f'rx="8" {palette("paper")}')
    yield text_element(8, 22, grid.title, ink, size=15, end="start")
    for column, head in enumerate(grid.columns):
        yield text_element(_LEFT + _STEP * (column + 0.5), _TOP - 8, head, ink)
    shades_of_codes: dict[str, str] = {}
    for number, row in enumerate(grid.rows):
        y = _TOP + _HEIGHT * number
        yield text_element(_LEFT // 2, y + 22, row.head, ink)
        for column, cell in enumerate(row.cells):
            if cell is not None:
                yield _cell(_LEFT + _STEP * column, y, cell, palette)
                shade, _ = _shade_and_ink(cell)
                shades_of_codes[cell.code] = shade
    lines = _remark_lines(grid, width)
    y = height - 12 - _LINE * (len(lines) - 1)  # the last line is 12 above the lower edge
    for line in lines:
        x = 8
        first_word, _, _ = line.partition(" ")
        code = first_word.removesuffix(":")
        explains_code = first_word.endswith(":") and code in shades_of_codes
        if explains_code:
            yield box(x, y - 11, 12, 12, palette(shades_of_codes[code]))
            x = 26
        yield text_element(x, y, line, ink, bold=False, end="start")
        y += _LINE


def _shade_and_ink(cell: GridCell) -> tuple[str, str]:
    return _SHADES[min(cell.shade, len(_SHADES) - 1)]


def _cell(x: int, y: int, cell: GridCell, palette: Palette) -> str:
    """A cell, which is an image in the image, so that it can be read out, or pointed at, by itself."""
    fill, ink = _shade_and_ink(cell)
    middle = x + _STEP / 2
    drawn = box(x + 1, y + 1, _STEP - 2, _HEIGHT - 2, palette(fill))
    drawn += text_element(middle, y + 16, cell.code, palette(ink), size=14)
    drawn += text_element(middle, y + 31, cell.number, palette(ink), size=14, bold=False)
    if cell.is_own:
        frame = f'{palette("last-from")} stroke-width="3"'
        drawn += box(x + 2, y + 2, _STEP - 4, _HEIGHT - 4, frame)
    return f'<g class="verdict" role="img"><title>{escaped(cell.sentence)}</title>{drawn}</g>'
