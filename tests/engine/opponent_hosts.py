"""The opponent in C as a library of this machine, and in WebAssembly by wasmtime: the same calls of both."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from struct import Struct
from tempfile import mkdtemp
from typing import Any

import match_in_c
from attrs import frozen

import gammonrules
from gammonrules import MatchState, Position

C = Path(gammonrules.__file__).parent / "c"
SOURCE = match_in_c.SOURCE.with_name("opponent.c")
WEIGHTS = (C / "selftaught.bin").read_bytes()


@frozen
class Host:
    """The functions of `gammonrules.h`, without their prefix, and memory at the addresses that they give."""

    call: Callable[..., int]
    read: Callable[[int, int], bytes]
    write: Callable[[int, bytes], None]

    def read_weights(self, content: bytes) -> int:
        self.write(self.call("weights"), content)
        return self.call("read_weights", len(content))

    def set(self, state: MatchState) -> None:
        self.write(self.call("match"), bytes(match_in_c.written(state)))

    def numbers(self, name: str, kind: str, count: int) -> list[Any]:
        structure = Struct(f"<{count}{kind}")
        return [*structure.unpack(self.read(self.call(name), structure.size))]

    def board(self) -> Position:
        return Position.from_points(self.numbers("board", "b", 26))


def library() -> Any:
    """The opponent, compiled by the compiler of this machine."""
    compiled = Path(mkdtemp()) / "opponent.so"
    match_in_c.compile_to(compiled, SOURCE, "-shared", "-fPIC")
    return ctypes.CDLL(str(compiled))


@cache
def native() -> Host:
    functions = library()
    for name in ("weights", "match", "board", "boards", "moves", "also", "order", "equities", "chances"):
        getattr(functions, f"gammonrules_{name}").restype = ctypes.c_void_p

    def call(name: str, *numbers: float) -> int:
        # decide takes a float
        values = [ctypes.c_double(number) if isinstance(number, float) else number for number in numbers]
        return int(getattr(functions, f"gammonrules_{name}")(*values))

    def write(address: int, content: bytes) -> None:
        ctypes.memmove(address, content, len(content))

    host = Host(call, ctypes.string_at, write)
    assert host.read_weights(WEIGHTS) == 0
    return host


@cache
def webassembly() -> Host:
    """Raises ImportError without wasmtime."""
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

    host = Host(call, read, write)
    assert host.read_weights(WEIGHTS) == 0
    return host
