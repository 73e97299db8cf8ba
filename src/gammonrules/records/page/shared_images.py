"""The pictures of a page, with each distinct part stored once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from attrs import Factory, define

Plain: TypeAlias = "Mapping[str, Plain] | Sequence[Plain] | str | int | None"
"""What JSON can express."""


@define
class _Numbered:
    """Texts of one kind, each stored once, in the order of their numbers."""

    stored: list[Plain] = Factory(list["Plain"])
    """What the page has for each."""
    numbers: dict[str, int] = Factory(dict[str, int])

    def add(self, text: str, stored: Plain) -> None:
        self.numbers[text] = len(self.stored)
        self.stored.append(stored)


@define
class Pictures:
    """Pictures as numbers: a picture is a series of blocks, a block a series of lines, a line a series of words.

    A board differs from the one before it in a few points and checkers. So a picture of 12 kB takes about fifty
    numbers, and the page joins the words again.
    """

    words: _Numbered = Factory(_Numbered)
    lines: _Numbered = Factory(_Numbered)
    blocks: _Numbered = Factory(_Numbered)

    def add(self, elements: Iterable[str]) -> list[Plain]:
        """The numbers of the blocks of a picture."""
        numbers: list[Plain] = []
        known = self.blocks.numbers
        for block in _blocks(elements):
            if block not in known:
                self.blocks.add(block, self.lines_of(block.split("\n")))
            numbers.append(known[block])
        return numbers

    def lines_of(self, elements: Iterable[str]) -> list[Plain]:
        """The numbers of lines, one for each element; new lines are added."""
        numbers: list[Plain] = []
        known = self.lines.numbers
        for line in elements:
            if line not in known:
                self.lines.add(line, self._words_of(line))
            numbers.append(known[line])
        return numbers

    def _words_of(self, line: str) -> list[Plain]:
        numbers: list[Plain] = []
        known = self.words.numbers
        for word in line.split(" "):
            if word not in known:
                self.words.add(word, word)
            numbers.append(known[word])
        return numbers


def _blocks(elements: Iterable[str]) -> list[str]:
    """The blocks of a picture: each group, and the lines between two groups together.

    The lines before the board are two blocks: those up to the description, which differs from board to board, and the
    rest.
    """
    blocks: list[str] = []
    between: list[str] = []
    for element in elements:
        if element.startswith("<g "):
            if between:
                blocks.append("\n".join(between))
                between = []
            blocks.append(element)
            continue
        between.append(element)
        if element.startswith("<desc>"):
            blocks.append("\n".join(between))
            between = []
    blocks.append("\n".join(between))  # the end of the picture
    return blocks
