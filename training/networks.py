"""The networks in Python: their files, and what they answer."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from struct import Struct
from typing import Any, Final, TypeAlias
from zlib import crc32

import numpy as np
import numpy.typing as npt

from train import build

Floats: TypeAlias = npt.NDArray[np.float32]

INPUTS: Final = 293
INPUT_ROWS: Final = 304
"""Inputs with padding, as the trainer stores them."""
ENDS: Final = 6
ENDS_WIDE: Final = 8
UNITS: Final = (64, 256)
"""Hidden units of the networks for races and for contact."""
PRUNING_NUMBERS: Final = 26 * 32 * 32 + 2 * 32 + 16
NUMBERS: Final = sum((INPUT_ROWS + 1 + ENDS_WIDE) * units + ENDS_WIDE for units in UNITS) + 2 * PRUNING_NUMBERS
"""All numbers of all networks, with padding."""
MAX_KEEP: Final = 16
MAX_ROLLS: Final = 2
POINTS: Final = np.array([3, 2, 1, -1, -2, -3], np.float32)
"""Points of the six ends: backgammon, gammon and single game won, and the same lost from the least."""

_TRAINER_MAGIC: Final = b"gammonrules weights 1\0\0\0"
_TRAINER: Final = Struct("<24sI5i")
_STATE_MAGIC: Final = b"gammonrules training 1\0\0"
_SMALL_MAGIC: Final = b"GRWEIGHT"
_SMALL: Final = Struct("<8sIIII")


def _parts(numbers: Floats) -> Iterator[Floats]:
    """Yield views of the numbers of the networks for races and for contact, without padding."""
    start = 0
    for units in UNITS:
        sizes = (INPUT_ROWS * units, units, ENDS_WIDE * units, ENDS_WIDE)
        first, first_bias, last, last_bias = np.split(numbers[start : start + sum(sizes)], np.cumsum(sizes)[:-1])
        yield first.reshape(INPUT_ROWS, units)[:INPUTS]
        yield first_bias
        yield last.reshape(units, ENDS_WIDE)[:, :ENDS]
        yield last_bias[:ENDS]
        start += sum(sizes)


def read_numbers(path: Path, total: int) -> Floats:
    """Return all numbers of a file of weights, of a state, or of a small file.

    Raises:
        ValueError: the file is none of these, or it is damaged.
    """
    content = path.read_bytes()
    if content.startswith(_SMALL_MAGIC) and len(content) > _SMALL.size:
        return _read_small(content, path, total)
    if len(content) <= 4 * total or not content.startswith((_TRAINER_MAGIC, _STATE_MAGIC)):
        raise ValueError(f"{path} is not a file of weights; use one that training/train.py has written")
    if int.from_bytes(content[24:28], "little") != crc32(content[28:]):
        raise ValueError(f"{path} is damaged; use another checkpoint")
    start = _TRAINER.size if content.startswith(_TRAINER_MAGIC) else len(content) - 3 * 4 * total
    return np.frombuffer(content, np.float32, total, start).copy()


def _read_small(content: bytes, path: Path, total: int) -> Floats:
    _, inputs, race_units, contact_units, checksum = _SMALL.unpack_from(content)
    halves = content[_SMALL.size :]
    if (inputs, race_units, contact_units) != (INPUTS, *UNITS) or checksum != crc32(halves):
        raise ValueError(f"{path} is damaged, or has networks of another size")
    numbers, at = np.zeros(total, np.float32), 0
    for part in _parts(numbers):
        part[...] = np.frombuffer(halves, "<f2", part.size, at).reshape(part.shape)
        at += 2 * part.size
    return numbers


def write_small(path: Path, numbers: Floats) -> None:
    """Write the networks for races and for contact in 16 bits a number, without those for pruning."""
    halves = b"".join(part.astype("<f2").tobytes() for part in _parts(numbers))
    part = path.with_suffix(".part")
    part.write_bytes(_SMALL.pack(_SMALL_MAGIC, INPUTS, *UNITS, crc32(halves)) + halves)
    part.replace(path)


def write_for_trainer(path: Path, numbers: Floats) -> None:
    """Write numbers as the trainer reads them when a run begins."""
    counts = np.array([INPUTS, UNITS[1], UNITS[0], 0, len(numbers)], "<i4").tobytes()
    content = numbers.astype("<f4").tobytes()
    path.write_bytes(_TRAINER_MAGIC + crc32(counts + content).to_bytes(4, "little") + counts + content)


class Networks:
    """The networks of the trainer, built as a shared library in a folder."""

    def __init__(self, folder: Path) -> None:
        library = folder / "measuring.so"
        build("measuring.c", library, "-shared", "-fPIC")
        self._library = ctypes.CDLL(str(library.resolve()))
        self._library.prepare()
        assert self._library.count_numbers() == NUMBERS, "networks.h and networks.py describe the same networks"
        self.total: int = NUMBERS

    def use(self, path: Path, keep: int = 0) -> None:
        """Load weights. `keep` is at how many plays the networks for pruning let look-ahead look; 0: at all."""
        assert 0 <= keep <= MAX_KEEP
        numbers = read_numbers(path, self.total)
        self._library.use_numbers(numbers.ctypes.data_as(ctypes.c_void_p), keep)

    def judge(self, boards: npt.ArrayLike, rolls: int = 0) -> Floats:
        """Return the chances of the six ends of boards, `(N, 6)`, looking so many rolls ahead."""
        assert 0 <= rolls <= MAX_ROLLS
        return self._call(self._library.judge_boards, boards, rolls)

    def judge_alone(self, boards: npt.ArrayLike) -> Floats:
        """Return what the networks answer without the table of bear-offs, `(N, 6)`."""
        return self._call(self._library.judge_by_networks, boards)

    def _call(self, function: Any, boards: npt.ArrayLike, *arguments: int) -> Floats:
        rows = np.ascontiguousarray(boards, np.int8)
        chances = np.zeros((len(rows), ENDS), np.float32)
        count = ctypes.c_long(len(rows))
        function(rows.ctypes.data_as(ctypes.c_void_p), count, *arguments, chances.ctypes.data_as(ctypes.c_void_p))
        return chances
