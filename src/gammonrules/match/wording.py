"""What people call a game and its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gammonrules.board import Win

if TYPE_CHECKING:
    from gammonrules.match.state import MatchState


def kind_of_game(state: MatchState) -> str:
    """What is played for, which does not change during a game: "7 point match (Crawford game)"."""
    kind = "Money play" if state.length is None else f"{state.length} point match"
    if state.crawford:
        return f"{kind} (Crawford game)"
    if not state.rules.cube:
        return f"{kind} (no cube)"
    return f"{kind}, post-Crawford" if state.post_crawford else kind


def level_name(win: Win) -> str:
    """The level of a win in words."""
    return "single game" if win is Win.SINGLE else win.name.lower()
