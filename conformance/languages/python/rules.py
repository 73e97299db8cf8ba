"""match.wasm in Python, with the package wasmtime: its exports, and what is at their addresses."""

import sys
from struct import Struct
from typing import Any

from names import OPTIONS
from wasmtime import Instance, Module, Store

ENDS = ["played", "dropped", "resigned", "forfeited"]
BOARD = Struct("26b")
MATCH = Struct(f"<{19 + len(OPTIONS)}i26b")
SIZE = Struct("<H")
MOVE = Struct("<4H")

store = Store()
exports: Any = Instance(store, Module.from_file(store.engine, sys.argv[1]), []).exports(store)
memory = exports["memory"]


def call(name: str, *numbers: int) -> Any:
    """What an export gives."""
    return exports[name](store, *numbers)


def write(structure: Struct, name: str, numbers: list[int]) -> None:
    """Write numbers at the address that an export gives."""
    memory.write(store, structure.pack(*numbers), call(name))


def read(structure: Struct, name: str) -> list[int]:
    """Read numbers there."""
    start = call(name)
    return [*structure.unpack(memory.read(store, start, start + structure.size))]


def read_id(text: str, checkers: int) -> bool:
    """Write the board of a Position ID, if it is one."""
    memory.write(store, text.encode("ascii", "replace")[:14].ljust(14), call("text"))
    return len(text) == 14 and call("read_id", checkers) == 1


def turned(board: list[int]) -> list[int]:
    """The board as the opponent sees it."""
    return [-count for count in reversed(board)]


def boards(high: int, low: int) -> list[list[int]]:
    """The boards of all plays, as the opponent sees them."""
    count = call("plays", high, low)
    start = call("boards")
    rows = memory.read(store, start, start + BOARD.size * count)
    return [[*row] for row in BOARD.iter_unpack(rows)]


def nodes(high: int, low: int) -> list[list[tuple[int, ...]]]:
    """The moves at each node of the turn: from, to, die and next node."""
    tree: list[list[tuple[int, ...]]] = []
    at = call("nodes")
    for _ in range(call("turn", high, low)):
        (count,) = SIZE.unpack(memory.read(store, at, at + SIZE.size))
        end = at + SIZE.size + MOVE.size * count
        tree.append([*MOVE.iter_unpack(memory.read(store, at + SIZE.size, end))])
        at = end
    return tree
