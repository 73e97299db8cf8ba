"""The match in C as a library of this machine, and its structure as Python writes it."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs

from gammonrules import Action, MatchState, Player
from gammonrules.board import Position
from gammonrules.errors import IllegalActionReason, MatchStateProblem as Problem
from gammonrules.match import End
from gammonrules.match.cube import Resignation, pending_double
from gammonrules.rules import Rules

SOURCE = Path(__file__).parents[1] / "src" / "gammonrules" / "c" / "match.c"
COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
ACTIONS = list(Action)
ENDS = list(End)
REASONS = [None, *IllegalActionReason]
FIRST_CONTRADICTION = 15
"""The number of the first problem of fields that values have."""
PROBLEMS = [
    *[Problem.NEGATIVE_SCORE] * 2,
    *[Problem.MATCH_OVER] * 2,
    Problem.PIPS_IN_MATCH,
    *[Problem.IMPOSSIBLE_CRAWFORD_GAME] * 4,
    *[Problem.IMPOSSIBLE_CUBE] * 3,
    *[Problem.NOBODY_ON_ROLL] * 4,
    *[Problem.IMPOSSIBLE_DICE] * 2,
    Problem.GAME_OVER,
    *[Problem.IMPOSSIBLE_OFFER] * 3,
    *[Problem.IMPOSSIBLE_BEAVER] * 2,
    *[Problem.IMPOSSIBLE_OFFER] * 2,
    *[Problem.IMPOSSIBLE_RESULT] * 9,
]
"""The flags of these problems, by their numbers."""
FIRST_OF_HOST = len(REASONS)
NO_SUCH_DICE, NO_SUCH_PLAY, NO_SUCH_WIN, NO_SUCH_POINTS, NO_SUCH_BOARD, NO_SUCH_MATCH = range(
    FIRST_OF_HOST, FIRST_OF_HOST + 6
)
"""What only a host can do wrong."""
SEATS: dict[Player | None, int] = {Player.WHITE: 0, Player.BLACK: 1, None: -1}
CHOICES: dict[str, tuple[object, ...]] = {
    name: get_args(hint) for name, hint in get_type_hints(Rules).items() if get_origin(hint) is Literal
}
OPTIONS = [option.name for option in attrs.fields(Rules) if option.name != "start"]
"""The options in C, which are in the order of those in Python. The host knows the starts."""


class Options(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int32) for name in OPTIONS]


class Match(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int32) for name in ("on_roll", "high", "low", "cube", "owner", "doubled_by", "offered")),
        *((name, ctypes.c_int32) for name in ("beavers", "resigned_by", "resigned")),
        ("score", ctypes.c_int32 * 2),
        *((name, ctypes.c_int32) for name in ("length", "is_crawford", "winner", "win", "points", "end")),
        ("rules", Options),
        ("checkers", ctypes.c_int32),
        ("board", ctypes.c_int8 * 26),
    ]


def options(rules: Rules) -> Options:
    values = {name: getattr(rules, name) for name in OPTIONS}
    return Options(*(CHOICES[name].index(value) if name in CHOICES else value or 0 for name, value in values.items()))


def written(state: Any) -> Match:
    """A state, or what has the fields of one, as the structure has it."""
    offer, result = state.offer, state.result
    double = pending_double(offer)
    resignation = offer if isinstance(offer, Resignation) else None
    ended = (-1, 0, 0, 0)
    if result is not None:
        ended = (SEATS[result.winner], int(result.win or 0), result.points, ENDS.index(result.end))
    return Match(
        SEATS[state.on_roll],
        *((state.dice.high, state.dice.low) if state.dice else (0, 0)),
        state.cube.value,
        SEATS[state.cube.owner],
        *((SEATS[double.by], double.value, double.beavers) if double else (-1, 0, 0)),
        *((SEATS[resignation.by], int(resignation.win)) if resignation else (-1, 0)),
        tuple(state.score),
        state.length or 0,
        state.crawford,
        *ended,
        options(state.rules),
        state.position.checkers,
        state.position.points,
    )


class Table:
    """One match in C."""

    def __init__(self, library: Any) -> None:
        self.library = library
        library.gammonrules_match.restype = ctypes.POINTER(Match)
        library.gammonrules_board.restype = ctypes.POINTER(ctypes.c_int8 * 26)
        library.gammonrules_problem_numbers.restype = ctypes.POINTER(ctypes.c_int32)
        self.numbers = library.gammonrules_problem_numbers()
        self.match = library.gammonrules_match().contents
        self.board = library.gammonrules_board().contents

    def set(self, state: Any) -> None:
        ctypes.memmove(ctypes.byref(self.match), ctypes.byref(written(state)), ctypes.sizeof(Match))

    def act(self, action: Action, seat: int, *numbers: int, board: Position | None = None) -> int:
        """The number of the reason why it is illegal, or 0 when it is done."""
        if board is not None:
            self.board[:] = board.points
        return self.library.gammonrules_act(ACTIONS.index(action), seat, *(*numbers, 0, 0)[:2])

    def problems(self) -> list[int]:
        """The numbers of what makes the match impossible."""
        return self.numbers[: self.library.gammonrules_problems()]

    def is_at(self, state: MatchState) -> bool:
        return bytes(self.match) == bytes(written(state))


@cache
def compiled() -> Table | None:
    """The match in C, or None if there is no compiler."""
    if COMPILER is None:
        return None
    library = Path(mkdtemp()) / "match.so"
    compile_to(library, SOURCE, "-shared", "-fPIC")
    return Table(ctypes.CDLL(str(library)))


def compile_to(program: Path, source: Path, *options: str) -> None:
    """Compile C without a warning."""
    assert COMPILER is not None
    flags = os.environ.get("CFLAGS", "-O2").split()  # with sanitizers, for example
    flags += ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Wmissing-prototypes", "-Werror", *options]
    subprocess.run([COMPILER, *flags, str(source), "-o", str(program)], check=True)
