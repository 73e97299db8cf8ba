"""selftaught, a network that taught itself backgammon: five chances of boards, in the order of `analysis.Chances`.

`c/_network.c` is the network, so only the kernel has it; `c/selftaught.bin` has its weights, which are read when they
are first needed. It knows sides of 15 checkers alone. Bear-offs in which no gammon is possible are in a table, which
`c/_bearoffs.c` solves in some 50 ms when a board first needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from struct import Struct
from typing import Any, Final, Literal, TypeAlias

import attrs

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import Position
from gammonrules.board.internals import STANDARD_CHECKERS, board_in, kernel
from gammonrules.errors import EngineStartError

Five: TypeAlias = tuple[float, float, float, float, float]
"""Chances, in the order of `analysis.Chances`."""

AS_THEY_ARE: Final = 0
ONE_ROLL_AHEAD: Final = 1
_AFTER_EACH_ROLL: Final = 2
_FIVE = Struct("=5f")
_SIX = Struct("=6f")
_ROLLS = 21
_VERSION = slice(4, 8)
_NO_TABLE = b""


@attrs.frozen
class AfterRoll:
    """A roll that the player has played.

    Attributes:
        five: the chances of the player.
        efficiency: how useful the cube then is held to be to the opponent, who is on roll.
    """

    five: Five
    efficiency: float


@attrs.frozen
class Network:
    """The network as the kernel takes it, and the version of its weights."""

    version: int
    """The number in the name of the engine, "selftaught 4", which changes too if chances are judged in another way."""
    _weights: bytes = attrs.field(repr=False)

    def write_chances(self, boards: Any, out: Any, look: int = AS_THEY_ARE) -> None:
        """Write the chances of boards into memory for five float32 each, or six after each of the rolls.

        Raises:
            ValueError: a row is no board.
        """
        assert kernel is not None, "a network was read by the kernel"
        # without a table the kernel does nothing and returns False if a board may need it
        if not kernel.chances(self._weights, _NO_TABLE, boards, out, look):
            kernel.chances(self._weights, _bearoffs(), boards, out, look)


@cache
def network() -> Network:
    """The network of the library.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    if kernel is None:
        raise EngineStartError(
            "selftaught needs the compiled kernel: install the package where it can be built"
        )
    try:
        content = files("gammonrules").joinpath("c", "selftaught.bin").read_bytes()
        weights = kernel.network(content)
    except (OSError, ValueError) as error:
        raise EngineStartError(f"selftaught.bin, the weights of selftaught: {error}") from error
    return Network(int.from_bytes(content[_VERSION], "little"), weights)


@cache
def _bearoffs() -> bytes:
    """The table of bear-offs. Threads that need it at the same time may each solve it, with equal results."""
    assert kernel is not None, "a network was read by the kernel"
    table: bytes = kernel.bearoffs()
    return table


def network_chances(positions: Sequence[Position], look: Literal[0, 1] = AS_THEY_ARE) -> list[Five]:
    """The chances of the player on roll, before the roll; where the game is over, its result.

    `ONE_ROLL_AHEAD` gives the mean of those after all rolls, each played as is best in points without a cube.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    return [*_written(_FIVE, positions, look)]


def network_chances_by_roll(positions: Sequence[Position]) -> list[list[AfterRoll]]:
    """For each position, what follows each of `dice.ROLLS`, played as is best in points without a cube.

    The games go on.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    numbers = _written(_SIX, positions, _AFTER_EACH_ROLL, times=_ROLLS)
    rolls = [AfterRoll(five=six[:5], efficiency=six[5]) for six in numbers]
    return [rolls[start : start + _ROLLS] for start in range(0, len(rolls), _ROLLS)]


def bearoff_efficiency(position: Position) -> float | None:
    """The efficiency of the cube before a roll, if the table judges the board; else None."""
    if RECHECK:
        assert position.checkers == STANDARD_CHECKERS
    assert kernel is not None, "a network was read by the kernel"
    efficiency: float | None = kernel.bearoff_efficiency(board_in(position))
    return efficiency


def _written(
    numbers: Struct, positions: Sequence[Position], look: int, times: int = 1
) -> Iterator[tuple[Any, ...]]:
    """What is written of each position: these numbers, so many times."""
    if RECHECK:
        assert all(position.checkers == STANDARD_CHECKERS for position in positions)
    boards = b"".join(map(board_in, positions))
    out = bytearray(numbers.size * len(positions) * times)
    network().write_chances(boards, out, look)
    return numbers.iter_unpack(out)
