"""Races solved state by state, straight from the rules: from the actions of `MatchState`, and nothing else."""

from __future__ import annotations

from functools import cache

from gammonrules import Action, MatchState, Phase, Player
from gammonrules.dice import ROLLS
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable


@cache
def worth(state: MatchState, table: MatchEquityTable = KAZAROSS_XG2) -> float:
    """White's chance of winning the match; in money play the points that White wins."""
    match state.phase:
        case Phase.OVER:
            return ending(state, table)
        case Phase.TO_PLAY:
            return best(state, [worth(state.play(play), table) for play in state.legal_plays])
        case Phase.TO_ROLL:
            return best(state, [rolling(state, table), *doubling(state, table)])
        case _:
            return best(state, [worth(answer, table) for answer in answers(state)])


def ending(state: MatchState, table: MatchEquityTable) -> float:
    if state.length is None:
        return state.score[Player.WHITE] - state.score[Player.BLACK]
    chance = table.chance(state, Player.WHITE)
    assert chance is not None
    return chance


def best(state: MatchState, worths: list[float]) -> float:
    return max(worths) if state.to_act is Player.WHITE else min(worths)


def rolling(state: MatchState, table: MatchEquityTable = KAZAROSS_XG2) -> float:
    return sum(roll.weight * worth(state.roll(roll), table) for roll in ROLLS) / 36


def doubling(state: MatchState, table: MatchEquityTable) -> list[float]:
    return [worth(state.double(), table)] if Action.DOUBLE in state.legal_actions else []


def answers(state: MatchState) -> list[MatchState]:
    beavers = [state.beaver()] if Action.BEAVER in state.legal_actions else []
    return [state.take(), state.drop(), *beavers]
