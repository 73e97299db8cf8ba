"""selftaught, a network that taught itself backgammon: five chances of boards, in the order of `equity.Chances`.

`c/_network.c` is the network, so only the kernel has it; `c/selftaught.bin` has its weights, which are read when they
are first needed. It knows sides of 15 checkers alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from struct import Struct
from typing import Any, Final, Literal, TypeAlias

import attrs

from gammonrules._shared.rechecking import RECHECK
from gammonrules.board.board_setup import STANDARD_CHECKERS
from gammonrules.board.generator import kernel_chances, kernel_network
from gammonrules.board.position import Position
from gammonrules.errors import EngineStartError

Five: TypeAlias = tuple[float, float, float, float, float]
"""Chances, in the order of `equity.Chances`."""

AS_THEY_ARE: Final = 0
ONE_ROLL_AHEAD: Final = 1
_AFTER_EACH_ROLL: Final = 2
_FIVE = Struct("=5f")
_ROLLS = 21
_VERSION = slice(4, 8)


@attrs.frozen
class Network:
    """The network as the kernel takes it, and the version of its weights."""

    version: int
    """The number in the name of the engine, "selftaught 2", which changes too if chances are judged in another way."""
    _weights: bytes = attrs.field(repr=False)

    def write_chances(self, boards: Any, out: Any, look: int = AS_THEY_ARE) -> None:
        """Write the chances of boards into memory for five float32 each.

        Raises:
            ValueError: a row is no board.
        """
        assert kernel_chances is not None, "a network was read by the kernel"
        kernel_chances(self._weights, boards, out, look)


@cache
def network() -> Network:
    """The network of the library.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    if kernel_network is None:
        raise EngineStartError(
            "selftaught needs the compiled kernel: install the package where it can be built"
        )
    try:
        content = files("gammonrules").joinpath("c", "selftaught.bin").read_bytes()
        weights = kernel_network(content)
    except (OSError, ValueError) as error:
        raise EngineStartError(f"selftaught.bin, the weights of selftaught: {error}") from error
    return Network(int.from_bytes(content[_VERSION], "little"), weights)


def network_chances(positions: Sequence[Position], look: Literal[0, 1] = AS_THEY_ARE) -> list[Five]:
    """The chances of the player on roll, before the roll; where the game is over, its result.

    `ONE_ROLL_AHEAD` gives the mean of those after all rolls, each played as is best in points without a cube.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    return _five_each(positions, look)


def network_chances_by_roll(position: Position) -> list[Five]:
    """The chances of the player on roll after each of `dice.ROLLS`, played as is best in points without a cube.

    The game goes on.

    Raises:
        EngineStartError: there is no kernel, or the file of weights cannot be used.
    """
    return _five_each([position], _AFTER_EACH_ROLL, times=_ROLLS)


def _five_each(positions: Sequence[Position], look: int, times: int = 1) -> list[Five]:
    """What is written of each position: five numbers, so many times."""
    if RECHECK:
        assert all(position.checkers == STANDARD_CHECKERS for position in positions)
    boards = b"".join(position._board for position in positions)
    out = bytearray(_FIVE.size * len(positions) * times)
    network().write_chances(boards, out, look)
    return [*_FIVE.iter_unpack(out)]
