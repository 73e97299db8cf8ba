"""What a play is worth by what an engine says of the opponent's double after it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from attrs import frozen

from gammonrules import Action, MatchState, Phase, Play
from gammonrules.engine import SimpleEngine
from gammonrules.engine._evaluation import evaluation_of_end, player_on_roll
from real_records import loaded

MATCHES = Path(__file__).parents[2] / "examples" / "matches"
CASH = MatchState.from_xgid("XGID=--CBCBC------B--b--cabbcb-:0:0:1:21:0:0:0:0:10")
"""After each of its plays the opponent doubles, and a take costs more than a drop."""


@frozen
class Worth:
    """The equity of a play, and that if the opponent rolls without a double."""

    equity: float
    undoubled: float


def may_double_after(state: MatchState, play: Play) -> bool:
    """Whether the opponent may double after a play."""
    return Action.DOUBLE in state.play(play).legal_actions


def worth_after(engine: SimpleEngine, state: MatchState, play: Play) -> Worth:
    after = state.play(play)
    if after.result is not None:
        equity = evaluation_of_end(after, before=state, player=player_on_roll(state)).equity
        return Worth(equity, equity)
    if not may_double_after(state, play):
        equity = -engine.evaluate(after).equity
        return Worth(equity, equity)
    cube = engine.cube_analysis(after)
    assert cube.no_double is not None
    assert cube.equity_double is not None  # of a take and a drop what is better for the opponent
    return Worth(-max(cube.no_double, cube.equity_double), -cube.no_double)


def decisions_of_matches(count: int) -> Iterator[MatchState]:
    """Plays after which the opponent may double, drawn from the matches of the examples."""
    states = list[MatchState]()
    for path in sorted([*MATCHES.glob("galaxy/*.txt"), *MATCHES.glob("studio/*.txt")]):
        for decision in loaded(path).decisions():
            state = decision.state
            if state.phase is Phase.TO_PLAY and may_double_after(state, state.legal_plays[0]):
                states.append(state)
    yield from Random(1).sample(states, count)
