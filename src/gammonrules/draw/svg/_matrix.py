"""The verdict at all scores as a picture, like the tables in books."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from gammonrules.draw.svg._elements import box, escaped, words
from gammonrules.draw.svg._themes import Palette

_STEP, _HEIGHT, _LINE = 39, 36, 18
_LEFT, _TOP = 36, 54
_LETTER: Final = 7.1
"""How wide a letter of a remark is on average, at most; the actual font cannot be measured."""
_SHADES: Final = ("felt", "ink"), ("highlight", "white-ink"), ("black", "black-ink"), ("white", "white-ink")
"""What the cells of the first codes and the writing on them are colored as."""
_OTHERS: Final = "pale", "ink"


class GridCell(NamedTuple):
    code: str
    number: str
    shade: int
    """Which of the codes it is, for its color."""
    sentence: str
    """What the cell says, in words."""
    is_own: bool
    """Whether it is the score of the position itself."""


class Grid(NamedTuple):
    title: str
    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[GridCell | None]]]
    remarks: Sequence[str]

    @property
    def width(self) -> int:
        return _LEFT + _STEP * max(10, len(self.columns)) + 4

    @property
    def height(self) -> int:
        return _TOP + _HEIGHT * len(self.rows) + _LINE * len(self.remarks) + 14


@runtime_checkable
class MatrixLike(Protocol):
    """What `matrix` draws, such as an `engine.ScoreMatrix`."""

    def _grid_(self) -> Grid:
        """The cells with their heads, and the lines below them."""
        ...


def elements(grid: Grid, palette: Palette) -> Iterator[str]:
    yield box(0, 0, grid.width, grid.height, f'rx="8" {palette("paper")}')
    yield words(8, 22, grid.title, palette("ink"), size=15, end="start")
    for column, head in enumerate(grid.columns):
        yield words(_x(column), _TOP - 8, head, palette("ink"))
    for row, (head, cells) in enumerate(grid.rows):
        y = _TOP + _HEIGHT * row
        yield words(_LEFT // 2, y + 22, head, palette("ink"))
        yield from (_cell(_x(column), y, cell, palette) for column, cell in enumerate(cells) if cell)
    for row, remark in enumerate(grid.remarks):
        y = _TOP + _HEIGHT * len(grid.rows) + _LINE * row + 20
        room = grid.width - 16
        squeezed = f' textLength="{room}" lengthAdjust="spacingAndGlyphs"' * (len(remark) * _LETTER > room)
        yield words(8, y, remark, palette("ink") + squeezed, size=12, bold=False, end="start")


def _x(column: int) -> float:
    return _LEFT + _STEP * (column + 0.5)


def _cell(x: float, y: int, cell: GridCell, palette: Palette) -> str:
    """A cell, which is a picture in the picture, so that it can be read out, or pointed at, by itself."""
    fill, ink = _SHADES[cell.shade] if cell.shade < len(_SHADES) else _OTHERS
    left = x - _STEP / 2
    return "".join(
        [
            f'<g class="verdict" role="img"><title>{escaped(cell.sentence)}</title>',
            box(left + 1, y + 1, _STEP - 2, _HEIGHT - 2, palette(fill)),
            words(x, y + 16, cell.code, palette(ink)),
            words(x, y + 31, cell.number, palette(ink), bold=False),
            box(left + 2, y + 2, _STEP - 4, _HEIGHT - 4, f'{palette("last-from")} stroke-width="3"') * cell.is_own,
            "</g>",
        ]
    )
