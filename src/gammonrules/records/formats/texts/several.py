"""Texts of several matches, one after another."""

from __future__ import annotations

from collections.abc import Sequence

from gammonrules.errors import ParseError


def refuse_several(described: Sequence[str]) -> None:
    """Raise ParseError if a text that should have one match has several.

    Args:
        described: what each of them is, and where it begins, such as "Ann against Bob, to 7, on line 1".
    """
    if len(described) > 1:
        raise ParseError(
            f"the text holds {len(described)} matches, and a record holds one: the first is {described[0]}, the second "
            f"{described[1]}; records.loads_all reads them all"
        )
