"""What people call the game at a table."""

from __future__ import annotations

from gammonrules.match.state import MatchState


def kind_of_game(state: MatchState) -> str:
    """What is played for, which does not change during a game: "7 point match (Crawford game)"."""
    kind = "Money play" if state.length is None else f"{state.length} point match"
    if state.crawford:
        return f"{kind} (Crawford game)"
    if not state.rules.cube:
        return f"{kind} (no cube)"
    return f"{kind}, post-Crawford" if state.post_crawford else kind
