"""Legal plays on plain packed values.

`legal_plays(board, high, low)` is the one function that a twin offers: every board that a roll may lead to, before the
turn changes. `pure` is the twin that people read.
"""

from __future__ import annotations

from gammonrules.movegen.pure import legal_plays

KERNEL = "pure"
"""Which twin generates the plays."""

__all__ = ["KERNEL", "legal_plays"]
