"""`MatchStates` from states and states from `MatchStates`, one by one; `MatchState` makes all checks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from gammonrules.board import Position, Win
from gammonrules.board.internals import SLOTS
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import Cube, Double, End, MatchState, Player, Resignation, Result
from gammonrules.rules import Rules, unknown_options
from gammonrules.values import reworded

Arrays: TypeAlias = dict[str, npt.NDArray[Any]]
"""Arrays by their names in `COLUMNS`."""
_Value = TypeVar("_Value")

NOBODY = -1
"""In arrays of players, for None in `MatchState`."""
COLUMNS: dict[str, tuple[type[np.integer[Any] | np.bool_], int]] = {
    "points": (np.int8, SLOTS),
    "on_roll": (np.int8, 0),
    "dice": (np.int8, 2),
    "cube": (np.int32, 0),
    "owners": (np.int8, 0),
    "offered": (np.int32, 0),
    "beavers": (np.int8, 0),
    "resigned_by": (np.int8, 0),
    "resigned": (np.int8, 0),
    "scores": (np.int32, 2),
    "crawford": (np.bool_, 0),
    "won_by": (np.int8, 0),
    "wins": (np.int8, 0),
    "won": (np.int32, 0),
    "ends": (np.int8, 0),
}
"""The arrays of `MatchStates`: dtype, and the numbers in a row (0: one number, not a row)."""

SEATS: dict[int, Player | None] = {NOBODY: None, 0: Player.WHITE, 1: Player.BLACK}
"""Players by their numbers in arrays."""
_WINS: dict[int, Win | None] = {0: None, **{int(win): win for win in Win}}
_ENDS: dict[int, End | None] = {-1: None, **dict(enumerate(End))}
NUMBERS_OF_ENDS = {end: number for number, end in _ENDS.items()}
"""In the array `ends`."""


def arrays_of(states: Iterable[MatchState]) -> Arrays:
    """The arrays of `MatchStates` with these states."""
    rows = [_values_of_state(state) for state in states]
    arrays: Arrays = {}
    for name, (dtype, width) in COLUMNS.items():
        array = np.array([row[name] for row in rows], dtype)
        shape = (-1, width) if width else (-1,)
        arrays[name] = array.reshape(shape)  # of no states, the array has no rows of this width yet
    return arrays


def _values_of_state(state: MatchState) -> dict[str, object]:
    """The values of one state for the arrays, by their names in `COLUMNS`."""
    values: dict[str, object] = {
        "points": state.position.points,
        "on_roll": _player_number(state.on_roll),
        "dice": (0, 0) if state.dice is None else tuple(state.dice),
        "cube": state.cube.value,
        "owners": _player_number(state.cube.owner),
        "offered": 0,
        "beavers": 0,
        "resigned_by": NOBODY,
        "resigned": 0,
        "scores": state.score,
        "crawford": state.crawford,
        "won_by": NOBODY,
        "wins": 0,
        "won": 0,
        "ends": NUMBERS_OF_ENDS[None],
    }
    double = state.pending_double
    if double is not None:
        values["offered"] = double.value
        values["beavers"] = double.beavers
    if isinstance(state.offer, Resignation):
        values["resigned_by"] = _player_number(state.offer.by)
        values["resigned"] = state.offer.win
    result = state.result
    if result is not None:
        values["won_by"] = _player_number(result.winner)
        values["wins"] = 0 if result.win is None else result.win
        values["won"] = result.points
        values["ends"] = NUMBERS_OF_ENDS[result.end]
    return values


def _player_number(player: Player | None) -> int:
    """0 for White, 1 for Black, -1 for nobody."""
    if player is None:
        return NOBODY
    return 1 if player is Player.BLACK else 0


def states_of(
    arrays: Arrays, length: int | None, rules: Rules, checkers: int
) -> Iterator[MatchState]:
    """The `MatchState` of each row.

    Raises:
        GammonError: a state is impossible; the message names the first.
    """
    columns = {name: arrays[name].tolist() for name in COLUMNS}
    for index in range(len(columns["points"])):
        row = {name: column[index] for name, column in columns.items()}
        try:
            yield _state_in(row, length=length, rules=rules, checkers=checkers)
        except GammonError as error:
            raise reworded(error, f"state {index}: {error}") from None


def _state_in(
    row: Mapping[str, Any], length: int | None, rules: Rules, checkers: int
) -> MatchState:
    on_roll = _meaning("on_roll", row, SEATS)
    return MatchState(
        Position.from_points(row["points"], checkers=checkers),
        on_roll,
        tuple(row["dice"]) if any(row["dice"]) else None,
        cube=Cube(row["cube"], _meaning("owners", row, SEATS)),
        offer=_offer(row, on_roll),
        score=row["scores"],
        length=length,
        crawford=row["crawford"],
        rules=rules,
        result=_result_in(row),
    )


def _meaning(name: str, row: Mapping[str, Any], meanings: Mapping[int, _Value]) -> _Value:
    """The value that the number in a field means. Raises ArgumentError."""
    number = row[name]
    if number not in meanings:
        raise ArgumentError(f"{name} must be from {min(meanings)} to {max(meanings)}, not {number}")
    return meanings[number]


def _offer(row: Mapping[str, Any], on_roll: Player | None) -> Double | Resignation | None:
    """The pending offer; a double is by the player on roll, and may wait until a resignation is answered."""
    double = None
    if row["offered"]:
        doubler: Any = on_roll  # before the opening roll it is None, which `Double` refuses
        double = Double(doubler, row["offered"], row["beavers"])
    resigning_player = _meaning("resigned_by", row, SEATS)
    if resigning_player is None:
        return double
    level: Any = _meaning("resigned", row, _WINS)  # of 0 it is None, which `Resignation` refuses
    return Resignation(resigning_player, level, double)


def _result_in(row: Mapping[str, Any]) -> Result | None:
    winner = _meaning("won_by", row, SEATS)
    if winner is None:
        return None
    end: Any = _meaning("ends", row, _ENDS)  # None is refused by the constructor
    return Result(winner, win=_meaning("wins", row, _WINS), points=row["won"], end=end)


def same_for_all(states: list[MatchState]) -> MatchState:
    """The first state, whose rules, length and number of checkers are those of all.

    Raises:
        ArgumentError: there is no state, or another one differs in one of these.
    """
    if not states:
        raise ArgumentError(
            "states: at least one is needed, since it determines the rules and the length"
        )
    shared = states[0]
    for index, state in enumerate(states):
        difference = None
        if state.rules != shared.rules:
            difference = "rules"
        elif state.length != shared.length:
            difference = "length"
        elif state.position.checkers != shared.position.checkers:
            difference = "checkers a side"
        if difference is not None:
            raise ArgumentError(
                f"states, index {index}: other {difference} than at index 0; all must share them"
            )
    refuse_unknown(shared.rules)
    return shared


_OPTIONS = {
    "crawford",
    "jacoby",
    "beavers",
    "auto_doubles",
    "max_cube",
    "cube",
    "gammons",
    "backgammons",
    "scoring",
    "opening",
    "start",
}
"""The options that `MatchStates` follow."""


def refuse_unknown(rules: Rules) -> None:
    """Raise ArgumentError if `MatchStates` would play by other rules than these."""
    unknown = unknown_options(rules, _OPTIONS)
    if unknown:
        raise ArgumentError(f"rules: MatchStates do not know the option {unknown[0]}")
