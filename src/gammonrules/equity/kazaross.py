"""The match equity table of Neil Kazaross, the default of GNU Backgammon and of eXtreme Gammon."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from gammonrules.equity.table_files import table_in

KAZAROSS_XG2: Final = table_in(
    files("gammonrules.equity").joinpath("kazaross.met").read_bytes(), "Kazaross-XG2"
)
"""The match equity table of Neil Kazaross for up to 25 points, the default of GNU Backgammon and eXtreme Gammon."""
