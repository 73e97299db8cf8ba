"""A match in the cell of a notebook."""

from __future__ import annotations

from typing import Final

from gammonrules.match import Player
from gammonrules.records.html.page import page_of
from gammonrules.records.html.texts import html
from gammonrules.records.model import Match

MOST_POSITIONS: Final = 1_000
"""The positions in a cell, which is saved with its notebook; about 1 MB."""
LARGEST_CELL: Final = 8_000_000
"""The characters of a page in a cell, which only long remarks or analyses can exceed."""
_HEIGHT = 520
_CANDIDATES = 5


def cell_of(match: Match) -> str:
    """The page of a match in a frame, which isolates it from the notebook. Without frames, the caption remains."""
    words = html(repr(match).strip("<>"))
    page = page_of(match, bottom=Player.WHITE, candidates=_CANDIDATES, most=MOST_POSITIONS)
    if len(page) > LARGEST_CELL:
        return f"<p>{words}: too large for a notebook, but records.to_html makes a page of it</p>"
    escaped = page.replace("&", "&amp;").replace("'", "&#39;")
    frame = f"<iframe title='{words}' sandbox='allow-scripts' width='100%' height='{_HEIGHT}'"
    return f"<p>{words}</p>\n{frame} frameborder='0' srcdoc='{escaped}'></iframe>"
