"""At which level a game ended, against what was still possible before; what it counts, the plain model says."""

from __future__ import annotations

from collections.abc import Collection

import attrs

import suite  # noqa: F401 - says where the model is
from gammonrules.board import Win
from gammonrules.match import MatchState, Player

from table_model import Table  # isort: skip


def counted(state: MatchState, player: Player, win: int) -> tuple[Win, int]:
    """As what the model counts a win at this level, with the cube of a resignation now, and the points that matter.

    With pip scoring there are none: they depend on the last board, not on the level.
    """
    seats = [*Player]
    model = Table(state.length, attrs.asdict(state.rules), state.score, [0] * 26)
    model.cube = state.cube.value
    model.owner = None if state.cube.owner is None else seats.index(state.cube.owner)
    if state.pending_double is not None:
        model.turn = seats.index(state.pending_double.by)
        model.doubled = state.pending_double.beavers + 1
    needed = None if state.away is None else state.away[player]
    model.leave(seats.index(player), win, "played")
    _, level, points, _ = model.result
    return Win(level), points if needed is None else min(points, needed)


def ends_as_was_possible(states: Collection[MatchState]) -> None:
    """The level at which a game ended was among the possible ones with the same cube, by what it counts."""
    *earlier, over = states
    assert over.result is not None
    winner = over.result.winner
    assert over.possible_wins(winner) == {over.result.win}
    assert not over.possible_wins(winner.opponent)
    for state in earlier:
        if state.cube == over.cube and state.pending_double is None:
            _, points = counted(state, winner, over.result.win)
            assert points in [counted(state, winner, win)[1] for win in state.possible_wins(winner)]
