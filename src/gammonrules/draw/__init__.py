"""Boards as text and as SVG: the modules `text` and `svg` have the same two functions.

`board` draws a `Position`, `table` a `MatchState`. `draw.board` and `draw.table` are those of `text`, which
`str(position)` and `str(state)` use; notebooks show the SVG.
"""

from gammonrules.draw import svg, text
from gammonrules.draw.text import board, table

__all__ = ["board", "svg", "table", "text"]
