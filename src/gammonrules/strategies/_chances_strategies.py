"""How a game may end, in an engine's numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from gammonrules.equity import Chances

_CHANCE = st.floats(0, 1)


def chances() -> st.SearchStrategy[Chances]:
    """How a game may end: the five numbers of an engine, gammons among the wins and backgammons among the gammons.

    A failing one shrinks toward a game that is lost without a gammon.

    Examples:
        >>> from hypothesis import given
        >>> @given(chances())
        ... def test_no_more_gammons_than_wins(chances):
        ...     assert chances.win_backgammon <= chances.win_gammon <= chances.win
        >>> test_no_more_gammons_than_wins()
    """
    return st.tuples(_CHANCE, _CHANCE, _CHANCE, _CHANCE, _CHANCE).map(_from_parts)


def _from_parts(parts: tuple[float, float, float, float, float]) -> Chances:
    """The chances, from that of a win, and what part of wins are gammons, and of these backgammons; also of losses."""
    win, part_gammons, part_backgammons, part_gammons_lost, part_backgammons_lost = parts
    lose_gammon = part_gammons_lost * (1 - win)
    return Chances(
        win,
        win_gammon=win * part_gammons,
        win_backgammon=win * part_gammons * part_backgammons,
        lose_gammon=lose_gammon,
        lose_backgammon=lose_gammon * part_backgammons_lost,
    )
