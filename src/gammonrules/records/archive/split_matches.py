"""Texts of one game each, put together to matches before they are read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import groupby

import attrs

from gammonrules.records.archive.sources import Source
from gammonrules.records.formats.registry import text_of
from gammonrules.records.formats.texts.gnubg_sheet import is_gnubg_text
from gammonrules.records.formats.texts.gnubg_text import span_of_text
from gammonrules.records.joining import Span, chains

_SIGN = b"GNU Backgammon"


def together(files: Iterable[Source]) -> Iterator[Source]:
    """The files, where the texts of one match in a folder, with its ZIP files, come with its first game.

    Only what follows the first such text of a folder is kept until the folder ends.
    """
    for _, folder in groupby(files, lambda source: os.path.dirname(source.archive or source.path)):  # noqa: PTH120
        held: list[tuple[Source, Span | None]] = []
        for source in folder:
            span = _span_of(source)
            if held or span is not None:
                held.append((source, span))
            else:
                yield source
        for first, *others in chains([span for _, span in held]):
            yield attrs.evolve(held[first][0], more=tuple(held[index][0] for index in others))


def _span_of(source: Source) -> Span | None:
    """Where the game of a text belongs; None for any other file."""
    try:
        content = b"" if source.error else source.content()
        if _SIGN in content and is_gnubg_text(text := text_of(content)):
            return span_of_text(text)
    except Exception:  # noqa: BLE001, S110 - whoever reads the file will say so
        pass
    return None
