"""Files of BGBlitz made by hand: an encoder of SMILE, straight from its specification."""

from __future__ import annotations

import gzip
import struct
from typing import Any

HEAD = b'{"format":"BGF","version":"1.0","compress":true,"useSmile":true}\n'
EMPTY = [-1, -1, -1, -1]
START = [2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2, 0, 0, 0, 0]


def packed(document: Any, *, head: bytes = HEAD) -> bytes:
    """A file with this document."""
    return head + gzip.compress(smile(document), 1, mtime=0)


def smile(document: Any) -> bytes:
    return b":)\n\x01" + b"".join(_tokens(document, {}))


def _tokens(value: Any, names: dict[str, int]):
    if isinstance(value, dict):
        yield b"\xfa"
        for name, item in value.items():
            yield _name(name, names)
            yield from _tokens(item, names)
        yield b"\xfb"
    elif isinstance(value, list):
        yield b"\xf8"
        for item in value:
            yield from _tokens(item, names)
        yield b"\xf9"
    else:
        yield _plain(value)


def _name(name: str, names: dict[str, int]) -> bytes:
    if name in names:
        number = names[name]
        return bytes([0x40 + number]) if number < 64 else bytes([0x30 + (number >> 8), number & 255])
    if len(names) == 1024:
        names.clear()
    names[name] = len(names)
    raw = name.encode()
    return bytes([0x7F + len(raw) if name.isascii() else 0xBE + len(raw)]) + raw


def _plain(value: Any) -> bytes:
    if value in (None, ""):
        return b"\x21" if value is None else b"\x20"
    if isinstance(value, bool):
        return b"\x23" if value else b"\x22"
    if isinstance(value, float):
        bits = int.from_bytes(struct.pack(">d", value))
        return b"\x29" + bytes(bits >> shift & 127 for shift in range(63, -1, -7))
    if isinstance(value, int):
        number = value << 1 if value >= 0 else (-value << 1) - 1
        if number < 32:
            return bytes([0xC0 + number])
        high, last = divmod(number, 64)
        digits = [last | 0x80]
        while high:
            high, digit = divmod(high, 128)
            digits.insert(0, digit)
        return (b"\x24" if number < 2**32 else b"\x25") + bytes(digits)
    raw = value.encode("utf-8", "surrogatepass")
    if len(raw) > 64:
        return (b"\xe0" if value.isascii() else b"\xe4") + raw + b"\xfc"
    return bytes([0x3F + len(raw) if value.isascii() else 0x7E + len(raw)]) + raw


def evaluation(win: float = 0.5, equity: float = 0.0, cube: tuple[float, ...] | None = None, **more: Any) -> dict:
    """An evaluation in money play, or with `emg` and `matchEquity` one in a match."""
    numbers = dict.fromkeys(("myGammon", "myBackGammon", "oppGammon", "oppBackGammon"), "0.00000000")
    names = ("eqNoDouble", "eqDoubleTake", "eqDoublePass", "eqCubeFul")
    decision = None if cube is None else {name: f"{number:.8f}" for name, number in zip(names, cube, strict=False)}
    return {"equity": f"{equity:.8f}", "myWins": f"{win:.8f}", **numbers, "cubeDecision": decision, **more}


def record(player: int, red: Any, green: Any, moves: str = "", **more: Any) -> dict:
    """A roll, with its moves as "13/8 24/20", or a code if green is 7."""
    pairs = [map(int, move.split("/")) for move in moves.split()]
    ends = list(zip(*pairs, strict=True)) or [(), ()]
    sources, targets = ([*end, *EMPTY][:4] for end in ends)
    return {"player": player, "red": red, "green": green, "from": sources, "to": targets, **more}


def game(*records: Any, score: tuple[int, int] = (0, 0), won: Any = 1, **more: Any) -> dict:
    initial = {"cube": 1, "points": START, "egyptian": False, "gameMode": 0, "cubeOwner": 0}
    scores = {"scoreGreen": score[0], "scoreRed": score[1], "isCrawford": False, "wonPoints": won}
    return {**scores, "wasResignation": False, "initial": initial, "moves": list(records), **more}


def match(*games: Any, length: Any = 7, **more: Any) -> dict:
    names = {"nameGreen": "Ann", "nameRed": "Bob", "finalGreen": 1, "finalRed": 0}
    return {
        "matchlen": length,
        **names,
        "useCrawford": True,
        "useCube": True,
        "cubeLimit": -1,
        **more,
        "games": [*games],
    }


OPENING = record(-1, 3, 1, "8/5 6/5")
REPLY = record(1, 6, 5, "24/18 18/13")
DOUBLE, TAKE, DROP = (record(-1, 1, 7), record(1, 2, 7), record(1, 3, 7))
