"""Boards that live in a notebook, in Jupyter or marimo (extra `notebook`).

Examples:
    >>> from gammonrules import MatchState
    >>> from gammonrules.notebook import Board
    >>> board = Board(MatchState.new(7).opening_roll(white=3, black=1))
    >>> board.state = board.state.play("8/5 6/5")
    >>> board.state.phase
    <Phase.TO_ROLL: 'to_roll'>
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import importing, importing_package

with importing("anywidget", "gammonrules.notebook", "notebook"):
    import anywidget  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules.notebook._board import Board, BoardPlayer
from gammonrules.notebook._grid import BoardGrid, boards

__all__ = ["Board", "BoardGrid", "BoardPlayer", "Viewer", "boards"]
__dir__ = __all__.copy

if TYPE_CHECKING:
    from gammonrules.notebook._viewer import Viewer
else:

    def __getattr__(name: str) -> object:
        """The viewer of match records, without which boards work too."""
        if name != "Viewer":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        with importing_package("records", "notebook.Viewer"):
            from gammonrules.notebook._viewer import Viewer  # noqa: PLC0415 - see above

        return Viewer
