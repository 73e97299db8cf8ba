"""The generators of legal plays and the brute force, on the same cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from itertools import combinations_with_replacement
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import reference
from gammonrules._arrays import numpy_generator
from gammonrules.board import Plays, Position, position as position_module, pure
from gammonrules.board.encoding import Board, board_of, hits, pack, pack_flipped
from gammonrules.board.generator import PlainMove, compiled_kernel

try:
    kernel: Any = import_module("gammonrules.board._kernel")
except ModuleNotFoundError:
    kernel = None

needs_kernel = pytest.mark.skipif(kernel is None, reason="the kernel was not built: there is no C compiler")

GENERATORS: list[ModuleType] = [pure] if kernel is None else [pure, kernel]
IN_USE = compiled_kernel() or pure
ROLLS = list(combinations_with_replacement(range(1, 7), 2))


def _for_one(many: Any) -> SimpleNamespace:
    """What a generator for arrays finds, one board at a time."""

    @lru_cache(maxsize=1)
    def plays(board: Board, high: int, low: int) -> dict[Board, list[PlainMove]]:
        points, dice = np.frombuffer(board, np.int8)[None], np.array([[high, low]], np.int8)
        _, rows, moves = many.legal_plays_of_many(points, dice)
        rows, moves = np.frombuffer(rows, np.int8).reshape(-1, 26), np.frombuffer(moves, np.int8).reshape(-1, 4, 2)
        return {row.tobytes(): _with_hits(board, some) for row, some in zip(rows, moves.tolist(), strict=True)}

    return SimpleNamespace(
        __name__=f"{many.__name__} of arrays",
        legal_plays=lambda *turn: pure.Found([pack_flipped(row) for row in plays(*turn)]),
        moves_to=lambda board, high, low, after: plays(board, high, low).get(after),
        turn_nodes=pure.turn_nodes,
    )


def _with_hits(board: Board, pairs: list[tuple[int, int]]) -> list[PlainMove]:
    """Moves with whether they hit: the first that ends on a blot does."""
    used = [(source, target) for source, target in pairs if source > 0]
    targets = [target for _, target in used]
    return [(*pair, hits(pack(board), pair[1]) and targets.index(pair[1]) == at) for at, pair in enumerate(used)]


EVERY_GENERATOR: list[Any] = [*GENERATORS, *map(_for_one, [numpy_generator, *([kernel] if kernel else [])])]


@contextmanager
def using(generator: Any) -> Iterator[None]:
    """Let `Position.legal_plays`, `Play.moves` and `Plays.tree` ask this generator."""
    with pytest.MonkeyPatch.context() as patch:
        if generator is not IN_USE:
            patch.setattr(position_module, "legal_plays", generator.legal_plays)
            patch.setattr(position_module, "moves_to", generator.moves_to)
            patch.setattr(position_module, "plays_of", pure.plays_of)  # the kernel's knows only its own makers
            patch.setattr(position_module, "turn_nodes", generator.turn_nodes)
        yield


def _plays_in(plays: Plays) -> str:
    return repr([(play.position, play.moves) for play in plays])


def _orders_in(plays: Plays) -> str:
    return repr(plays.tree().nodes)


COMPARED: dict[Callable[[Plays], str], dict[str, list[Any]]] = {
    _plays_in: {"Python": [pure], "the array generator": [_for_one(numpy_generator)]},
    _orders_in: {"Python": [pure]},
}
"""By what generators are compared, and by their names those that find it themselves."""
if kernel is not None:
    COMPARED[_plays_in]["the kernel"] = [kernel, _for_one(kernel)]
    COMPARED[_orders_in]["the kernel"] = [kernel]


def compared(turns: Iterable[tuple[list[int], int, list[int]]]) -> str:
    """Which generator differs from the others on the first of these turns on which one does.

    A turn is the points of a position, its number of checkers, and the dice.
    """
    for points, checkers, dice in turns:
        position = Position.from_points(tuple(points), checkers=checkers)
        for answer_in, by_name in COMPARED.items():
            names: dict[frozenset[str], list[str]] = {}
            for name, generators in by_name.items():
                answers = frozenset(_answer(generator, answer_in, position, dice) for generator in generators)
                names.setdefault(answers, []).append(name)
            if len(names) > 1:
                return f"{_difference([*names.values()])} on {position!r}, {dice[0]}-{dice[1]}"
    return f"{listed([*COMPARED[_plays_in]])} agree wherever a law failed"


def _answer(generator: Any, answer_in: Callable[[Plays], str], position: Position, dice: list[int]) -> str:
    """What a generator finds, or the error in which it ends, which the law has shown."""
    with using(generator):
        try:
            return answer_in(position.legal_plays(tuple(dice)))
        except Exception as error:  # noqa: BLE001
            return repr(error)


def _difference(groups: list[list[str]]) -> str:
    """Which generator differs from the others, if these agree."""
    match sorted(groups, key=len):
        case [[name], [_, _] as others]:
            return f"{name} differs from {listed(others)}"
        case several:
            return f"{listed([name for group in several for name in group])} differ"


def listed(names: list[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}"


def in_threads(number: int, work: Callable[[], object]) -> None:
    """Do this in several threads at once; an error in one of them is raised here."""
    with ThreadPoolExecutor(number) as pool:
        for task in [pool.submit(work) for _ in range(number)]:
            task.result()


def packed(board: reference.Board) -> Board:
    """The package's bytes for a board of the reference."""
    return board_of(reference.signed(board))


def check_generators(board: reference.Board, dice: tuple[int, int]) -> list[Board]:
    """Every generator gives the boards of the brute force, each once and in the same order."""
    low, high = sorted(dice)
    expected = {packed(reference.flip(after)) for after in reference.results(board, dice)}
    by_generator = [list(generator.legal_plays(packed(board), high, low)) for generator in GENERATORS]
    for results in by_generator:
        assert len(results) == len(expected), (board, dice)
        assert set(results) == expected, (board, dice)
        assert results == by_generator[0], (board, dice)
    return by_generator[0]


def moves_of(board: Board, after: Board, dice: tuple[int, int]) -> tuple[int, ...]:
    """From and to of the four moves of a play as `Play.moves` has them, -1 where there is none."""
    low, high = sorted(dice)
    moves = pure.moves_to(board, high, low, after)
    assert moves is not None
    numbers = [number for source, target, _ in moves for number in (source, target)]
    return (*numbers, *[-1] * (8 - len(numbers)))


def small_boards(first: int = 0, step: int = 1) -> Iterator[reference.Board]:
    """Every board with at most two checkers a side on the points and the bar, all others off; or each `step`-th."""
    sides = [points for size in range(3) for points in combinations_with_replacement(range(1, 26), size)]
    places = [(points, {*points}, {25 - point for point in points if point < 25}) for points in sides]
    number = -1
    for mine, _, taken in places:
        for theirs, held, _ in places:
            if (mine or theirs) and not taken & held:
                number += 1
                if number >= first and (number - first) % step == 0:
                    yield reference.side(_counted(mine)), reference.side(_counted(theirs))


def _counted(points: tuple[int, ...]) -> dict[int, int]:
    return {point: points.count(point) for point in points}
