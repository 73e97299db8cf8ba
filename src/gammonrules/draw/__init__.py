"""Pictures of a board: text today.

This room stands above `gammonrules.match`: it knows positions and states, they do not know it. `str(position)` and
`str(state)` import it when they are called.
"""

from gammonrules.draw.text import board, table

__all__ = ["board", "table"]
