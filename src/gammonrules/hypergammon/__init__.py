"""Hypergammon solved: what every position with one, two or three checkers a side is worth, with and without the cube.

It needs NumPy (extra `numpy`). A table is computed when you ask for it, from the legal plays alone, and kept in a file.

Examples:
    >>> import tempfile
    >>> from gammonrules import Position, hypergammon
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with hypergammon.solve(f"{folder}/one.table", 1) as table:
    ...         start = table[Position.start("hypergammon1")]
    >>> round(start.cubeless, 4), round(start.centered, 4)
    (0.4528, 0.4537)
"""

from gammonrules._shared.extras import importing

with importing("NumPy", "gammonrules.hypergammon", "numpy"):
    import numpy as np  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.hypergammon._hypergammon_table import HypergammonTable, Solution, open  # noqa: A004
from gammonrules.hypergammon._make import solve

__all__ = ["HypergammonTable", "Solution", "open", "solve"]
__dir__ = __all__.copy
