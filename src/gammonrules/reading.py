"""One reader for every identifier that a person may paste."""

from __future__ import annotations

from gammonrules.position import Position


def read(text: str) -> Position:
    """The position that an identifier describes.

    A GNU Backgammon Position ID is understood, with or without its label and padding.

    Raises:
        IdentifierError: the text is no identifier that this version reads.
        PositionError: it describes an impossible board.

    Examples:
        >>> read("Position ID: 4HPwATDgc/ABMA") == Position.start()
        True
    """
    return Position.from_id(text)
