"""Pictures of a board, in two forms with the same two functions: `text` and `svg`.

`board` draws a `Position`, `table` a `MatchState`; the names without a form are those of `text`. This room stands above
`gammonrules.match`: it knows positions and states, they do not know it. `str(position)`, `str(state)` and the notebooks
that show them import it when they are called.
"""

from gammonrules.draw import svg, text
from gammonrules.draw.text import board, table

__all__ = ["board", "svg", "table", "text"]
