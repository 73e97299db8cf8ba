"""The pictures of a page, with each distinct part stored once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from attrs import Factory, define

Plain: TypeAlias = "dict[str, Plain] | list[Plain] | str | int | None"
"""What JSON can express."""


@define
class _TextStore:
    """Texts of one kind, each stored once."""

    separator: str = ""
    parts: _TextStore | None = None
    """Where the parts of a text are; what is stored for it are their numbers. None: it is stored as it is."""
    stored: list[Plain] = Factory(list["Plain"])
    numbers: dict[str, int] = Factory(dict[str, int])

    def number(self, text: str) -> int:
        """The number of a text, which is stored if it is new."""
        if text not in self.numbers:
            self.numbers[text] = len(self.stored)
            self.stored.append(
                [*map(self.parts.number, text.split(self.separator))] if self.parts else text
            )
        return self.numbers[text]


@define
class Pictures:
    """Pictures as numbers: a picture is a series of blocks, a block a series of lines, a line a series of words.

    A board differs from the one before it in a few points and checkers. So a picture of 12 kB takes about fifty
    numbers, and the page joins the words again.
    """

    words: _TextStore = Factory(_TextStore)
    lines: _TextStore = Factory(lambda self: _TextStore(" ", self.words), takes_self=True)
    blocks: _TextStore = Factory(lambda self: _TextStore("\n", self.lines), takes_self=True)

    def add(self, elements: Iterable[str]) -> list[Plain]:
        """The numbers of the blocks of a picture."""
        return [*map(self.blocks.number, _blocks(elements))]

    def lines_of(self, elements: Iterable[str]) -> list[Plain]:
        """The numbers of the lines of some elements."""
        return [*map(self.lines.number, elements)]


def _blocks(elements: Iterable[str]) -> Iterator[str]:
    """The elements of a picture, those between the groups joined; a description ends what comes before the board."""
    block: list[str] = []
    for element in elements:
        if block and element.startswith("<g "):
            yield "\n".join(block)
            block = []
        block.append(element)
        if element.startswith(("<g ", "<desc>")):
            yield "\n".join(block)
            block = []
    yield "\n".join(block)
