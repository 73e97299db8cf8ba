"""At which levels a side can still win by the plays that are left; `scoring` says which of them count differently."""

from __future__ import annotations

from collections.abc import Sequence

from gammonrules.board import Position, Win
from gammonrules.dice import Dice


def wins_by_plays(
    position: Position, rolls: Sequence[Dice] | None, *, is_on_roll: bool
) -> frozenset[Win]:
    """The levels at which the player on roll, or else their opponent, can win after one of these rolls, or after any.

    A roll is followed over all its legal plays.
    """
    before = _wins_on(position, is_on_roll=is_on_roll)
    if rolls is None:
        return before
    reached: frozenset[Win] = frozenset()
    for dice in rolls:
        for play in position.legal_plays(dice):
            # after the play the opponent is on roll
            reached |= _wins_on(play.position, is_on_roll=not is_on_roll)
            if reached >= before:  # no play makes more possible
                return before
    return reached & before


def _wins_on(position: Position, *, is_on_roll: bool) -> frozenset[Win]:
    """The levels at which the player on roll, or else their opponent, can win when any roll may follow."""
    outcomes = position.possible_outcomes
    return frozenset([outcome.win for outcome in outcomes if outcome.won is is_on_roll])
