"""The verdict at all scores as a picture, like the tables in books."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

from gammonrules.draw.svg._elements import box, escaped, text_element
from gammonrules.draw.svg._themes import Palette

_STEP = 39
_HEIGHT = 36
_LINE = 18
_LEFT = 36
_TOP = 54
_LETTER: Final = 7.6
"""How wide a letter of a remark is on average, at most; the actual font cannot be measured."""
_OTHERS: Final = "pale", "ink"
_SHADES: Final = (
    ("felt", "ink"),
    ("highlight", "white-ink"),
    ("black", "black-ink"),
    ("white", "white-ink"),
    _OTHERS,
)
"""How the cells of the first codes, and the writing on them, are colored."""


class GridCell(NamedTuple):
    code: str
    number: str
    shade: int
    """Which of the codes it is, for its color."""
    sentence: str
    """What the cell says, in words."""
    is_own: bool
    """Whether it is the score of the position itself."""


Grid: TypeAlias = tuple[
    str, Sequence[str], Sequence[tuple[str, Sequence[GridCell | None]]], Sequence[str]
]
"""A title, the heads of the columns, the rows with their heads, and the lines below."""


@runtime_checkable
class MatrixLike(Protocol):
    """What `matrix` draws, such as an `engine.ScoreMatrix`."""

    def _grid_(self) -> Grid:
        """Its cells with their heads, and the lines above and below them."""
        ...


def size_of_grid(grid: Grid) -> tuple[int, int]:
    _, columns, rows, _ = grid
    width = _LEFT + _STEP * max(10, len(columns)) + 4
    return width, _TOP + _HEIGHT * len(rows) + _LINE * len(_remark_lines(grid, width)) + 14


def _remark_lines(grid: Grid, width: int) -> list[str]:
    """The lines below the cells, broken where they are too long."""
    return [line for remark in grid[3] for line in wrap(remark, int((width - 16) / _LETTER))]


def elements(grid: Grid, palette: Palette) -> Iterator[str]:
    (title, columns, rows, _) = grid
    (width, height) = size_of_grid(grid)
    lines = _remark_lines(grid, width)
    yield box(0, 0, width, height, f'rx="8" {palette("paper")}')
    yield text_element(8, 22, title, palette("ink"), size=15, end="start")
    for column, head in enumerate(columns):
        yield text_element(_LEFT + _STEP * (column + 0.5), _TOP - 8, head, palette("ink"))
    for row, (head, cells) in enumerate(rows):
        y = _TOP + _HEIGHT * row
        yield text_element(_LEFT // 2, y + 22, head, palette("ink"))
        yield from (
            _cell(_LEFT + _STEP * column, y, cell, palette)
            for column, cell in enumerate(cells)
            if cell
        )
    shades = {
        f"{cell.code}:": _SHADES[min(cell.shade, 4)][0]
        for _, cells in rows
        for cell in cells
        if cell
    }
    for row, line in enumerate(lines, start=1):
        y = height - 12 - _LINE * (len(lines) - row)
        code = line.partition(" ")[0]
        if code in shades:
            yield box(8, y - 11, 12, 12, palette(shades[code]))
        yield text_element(
            26 if code in shades else 8, y, line, palette("ink"), bold=False, end="start"
        )


def _cell(x: int, y: int, cell: GridCell, palette: Palette) -> str:
    """A cell, which is a picture in the picture, so that it can be read out, or pointed at, by itself."""
    fill, ink = _SHADES[min(cell.shade, 4)]
    middle = x + _STEP / 2
    frame = f'{palette("last-from")} stroke-width="3"'
    drawn = box(x + 1, y + 1, _STEP - 2, _HEIGHT - 2, palette(fill))
    drawn += text_element(middle, y + 16, cell.code, palette(ink), size=14)
    drawn += text_element(middle, y + 31, cell.number, palette(ink), size=14, bold=False)
    drawn += box(x + 2, y + 2, _STEP - 4, _HEIGHT - 4, frame) * cell.is_own
    return f'<g class="verdict" role="img"><title>{escaped(cell.sentence)}</title>{drawn}</g>'
