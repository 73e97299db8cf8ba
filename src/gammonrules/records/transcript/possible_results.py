"""Doubts about the end that a record states for a game, from the levels at which it could still be won."""

from __future__ import annotations

from gammonrules.match import MatchState, Player
from gammonrules.match.internals import cube_that_counts, level_name, levels_that_count, wins_left
from gammonrules.records.transcript.findings import FindingKind, Severity
from gammonrules.values import counted


def resignation_doubted(
    offered: MatchState, accepted: MatchState
) -> tuple[Severity, FindingKind, str] | None:
    """The severity, kind and sentence of a doubt about the level of a resignation; None if there is none.

    `offered`: the state before it was accepted, with any roll that was to be played.
    """
    result = accepted.result
    if result is None or result.win is None:
        return None
    winner = result.winner
    loser = winner.opponent
    resigned = f"{loser.title()} resigned a {level_name(result.win)}"
    levels = levels_that_count(offered, winner)
    if not levels:
        note = f"{resigned}, but could no longer lose"
        return Severity.WARNING, FindingKind.MORE_THAN_POSSIBLE, note
    highest = levels[-1]
    if result.win > highest:
        note = f"{resigned}, but could lose no more than a {level_name(highest)}"
        return Severity.WARNING, FindingKind.MORE_THAN_POSSIBLE, note
    lowest = levels[0]
    wins_match = accepted.winner is not None  # so that no points are missing
    if wins_match or result.win >= lowest or wins_left(offered, loser):
        return None
    note = f"{resigned}, and {winner.title()} accepted, but a {level_name(lowest)} was certain"
    return Severity.INFO, FindingKind.LESS_THAN_CERTAIN, note


def why_not_won(state: MatchState, winner: Player, points: int) -> str | None:
    """Why a game that stops in this state cannot have given a player so many points; None if it can."""
    if state.rules.scoring == "pips":
        return None  # its points are open until the last roll
    levels = levels_that_count(state, winner)
    if not levels:
        return f"{winner.title()} could no longer win"
    highest = levels[-1]
    cube = cube_that_counts(state.cube, state.pending_double)
    limit = highest * cube.value
    if points <= limit:
        return None
    gives = f"{counted(limit, 'point')} at this cube"
    return f"{winner.title()} could win no more than a {level_name(highest)}, {gives}"
