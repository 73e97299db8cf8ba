"""The pictures of a page, with each distinct part stored once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import Factory, define

Numbers = tuple[int, ...]


@define
class Pictures:
    """Pictures as numbers: a picture is a series of blocks, a block a series of lines, a line a series of words.

    A board differs from the one before it in a few points and checkers. So a picture of 12 kB takes about fifty
    numbers, and the page joins the words again.
    """

    words: dict[str, int] = Factory(dict[str, int])
    lines: dict[Numbers, int] = Factory(dict[Numbers, int])
    blocks: dict[Numbers, int] = Factory(dict[Numbers, int])
    _known: dict[str, int] = Factory(dict[str, int])
    """The number of each line so far."""

    def add(self, picture: str) -> list[int]:
        """The numbers of the blocks of a picture."""
        blocks = self.blocks
        return [blocks.setdefault(tuple(map(self._line, block)), len(blocks)) for block in _blocks(picture)]

    def lines_of(self, elements: Iterable[str]) -> list[int]:
        """The numbers of the lines of some elements."""
        return [*map(self._line, elements)]

    def _line(self, line: str) -> int:
        number = self._known.get(line)
        if number is None:
            words = tuple([self.words.setdefault(word, len(self.words)) for word in line.split(" ")])
            number = self._known[line] = self.lines.setdefault(words, len(self.lines))
        return number


def _blocks(picture: str) -> Iterator[list[str]]:
    """The lines of a picture in groups: each element `g`, such as a point, and what is between them."""
    block: list[str] = []
    depth = 0
    for line in picture.split("\n"):
        opens, closes = line.startswith("<g"), line == "</g>"
        if opens and depth == 0 and block:
            yield block
            block = []
        block.append(line)
        depth += opens - closes
        if depth == 0 and (closes or line.startswith("<desc>")):
            yield block
            block = []
    yield block
