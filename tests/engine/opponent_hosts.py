"""The opponent in C as a library of this machine, and in WebAssembly by wasmtime: the same calls of both."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from struct import Struct
from tempfile import mkdtemp
from typing import Any

from attrs import frozen

import gammonrules
import match_in_c
from gammonrules import MatchState, Position

C = Path(gammonrules.__file__).parent / "c"
WEIGHTS = (C / "selftaught.bin").read_bytes()
ADDRESSES = ("weights", "match", "board", "boards", "moves", "also", "order", "equities", "chances")
_numbers = count()


@frozen
class Judged:
    """A play, its equity, and the five chances of who makes it."""

    position: Position
    equity: float
    five: tuple[float, ...]


@frozen
class Host:
    """The functions of `gammonrules.h`, without their prefix, and memory at the addresses that they give."""

    call: Callable[..., int]
    read: Callable[[int, int], bytes]
    write: Callable[[int, bytes], None]

    def read_weights(self, content: bytes = WEIGHTS) -> int:
        self.write(self.call("weights"), content[: len(WEIGHTS)])
        return self.call("read_weights", len(content))

    def set(self, state: MatchState) -> None:
        self.write(self.call("match"), bytes(match_in_c.written(state)))

    def match(self) -> bytes:
        return self.read(self.call("match"), ctypes.sizeof(match_in_c.Match))

    def numbers(self, name: str, kind: str, how_many: int) -> tuple[Any, ...]:
        structure = Struct(f"<{how_many}{kind}")
        return structure.unpack(self.read(self.call(name), structure.size))

    def board(self) -> Position:
        return Position.from_points(self.numbers("board", "b", 26))

    def candidates(self, state: MatchState, level: int, also: Sequence[int] = ()) -> list[Judged]:
        """Best first; plays in `also` are looked at in any case."""
        self.set(state)
        for number in also:
            self.write(self.call("also") + number, b"\1")
        plays = self.call("candidates", level)
        assert plays >= 0, plays
        boards = self.numbers("boards", "b", 26 * plays)
        order = self.numbers("order", "H", plays)
        equities = self.numbers("equities", "d", plays)
        chances = self.numbers("chances", "f", 5 * plays)
        return [
            Judged(Position.from_points(boards[26 * play :][:26]), equity, chances[5 * rank :][:5])
            for rank, (play, equity) in enumerate(zip(order, equities, strict=True))
        ]


@cache
def _compiled() -> Path:
    library = Path(mkdtemp()) / "opponent.so"
    match_in_c.compile_to(library, match_in_c.SOURCE.with_name("opponent.c"), "-shared", "-fPIC")
    return library


def new_native() -> Host:
    """One that has no weights, with memory of its own."""
    copied = _compiled().with_name(f"opponent_{next(_numbers)}.so")
    shutil.copyfile(_compiled(), copied)
    functions = ctypes.CDLL(str(copied))
    for name in ADDRESSES:
        getattr(functions, f"gammonrules_{name}").restype = ctypes.c_void_p

    def call(name: str, *numbers: float) -> int:
        values = [ctypes.c_double(number) if isinstance(number, float) else number for number in numbers]
        return int(getattr(functions, f"gammonrules_{name}")(*values))

    def write(address: int, content: bytes) -> None:
        ctypes.memmove(address, content, len(content))

    return Host(call, ctypes.string_at, write)


def new_webassembly() -> Host:
    """The same. Raises ImportError without wasmtime."""
    from wasmtime import Instance, Module, Store  # noqa: PLC0415 - an extra

    store = Store()
    exports: Any = Instance(store, Module.from_file(store.engine, str(C / "opponent.wasm")), []).exports(store)
    memory = exports["memory"]

    def call(name: str, *numbers: float) -> int:
        return int(exports[name](store, *numbers))

    def read(address: int, size: int) -> bytes:
        return bytes(memory.read(store, address, address + size))

    def write(address: int, content: bytes) -> None:
        memory.write(store, content, address)

    return Host(call, read, write)
