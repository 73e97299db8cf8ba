"""One reader for every identifier that a person may paste."""

from __future__ import annotations

import re

from gammonrules.errors import IdentifierError
from gammonrules.position import Position

__all__ = ["read"]

_GNUBG_ID = re.compile(r"\S{14}:\S{12}", re.ASCII)


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
    if isinstance(text, str):
        if text.strip().upper().startswith("XGID"):
            raise IdentifierError("an XGID is not read by this version, give a Position ID")
        if _GNUBG_ID.fullmatch(text.strip()):
            raise IdentifierError("a Match ID is not read by this version, give the Position ID before the colon")
    return Position.from_id(text)
