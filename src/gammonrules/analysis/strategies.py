"""Hypothesis strategies for five chances and for analyses; `gammonrules.strategies` has them for users."""

from __future__ import annotations

from hypothesis import strategies as st

from gammonrules.analysis.analyses import Candidate, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.chances import Chances
from gammonrules.board import Play, Plays
from gammonrules.strategies import plays as any_plays
from gammonrules.strategies.internals import CHOICES, chosen, strategy_for

_CHANCE = st.floats(0, 1)
_MAYBE = st.none() | _CHANCE
_ONCE_IN_TWO = st.booleans()
_EQUITY = st.floats(-3, 3)
_COST = st.floats(0, 3)
_LEVELS = st.sampled_from(("", "2-ply", "XG Roller++", "rollout"))
_ENGINES = st.sampled_from(("", "GNU Backgammon 1.07", "eXtreme Gammon 2.10"))


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


def play_analyses(
    *, plays: st.SearchStrategy[Play] | None = None
) -> st.SearchStrategy[PlayAnalysis]:
    """An engine's analysis of the legal plays of a roll; the play that was made is often among its candidates.

    There are up to four candidates with any equities, best first. A failing one shrinks toward no candidates.

    Args:
        plays: draws the play that was made; None: any, see `plays`.

    Raises:
        ArgumentError: `plays` is not a strategy; while drawing, if it draws anything but a `Play`.

    Examples:
        >>> from hypothesis import given
        >>> @given(play_analyses())
        ... def test_nothing_is_better_than_the_best(analysis):
        ...     assert analysis.error is None or analysis.error >= 0
        >>> test_nothing_is_better_than_the_best()
    """
    drawn = strategy_for("plays", plays, any_plays())
    return drawn.flatmap(lambda play: analyses_of(play.before.legal_plays(play.dice), play))


@st.composite
def analyses_of(draw: st.DrawFn, plays: Plays, made: Play) -> PlayAnalysis:
    """Analyses of these plays, of which one was made."""
    choices = draw(st.lists(CHOICES, max_size=4))
    listed = [chosen(plays, choice) for choice in choices]
    if draw(_ONCE_IN_TWO):
        listed.append(made)
    listed = [*dict.fromkeys(listed)]  # each once
    equities = [draw(_EQUITY) for _ in listed]
    equities.sort(reverse=True)
    chances_of_all = draw(st.none() | chances())
    level = draw(_LEVELS)
    candidates: list[Candidate] = []
    for play, equity in zip(listed, equities, strict=True):
        candidate = Candidate(
            str(play),
            position=play.position,
            equity=equity,
            chances=chances_of_all,
            level=level,
            standard_error=draw(st.none() | _COST),
            mwc=draw(_MAYBE),
        )
        candidates.append(candidate)
    played = listed.index(made) if made in listed else None
    return PlayAnalysis(
        tuple(candidates),
        played,
        luck=draw(st.none() | _EQUITY),
        stated_error=draw(st.none() | _COST),
        engine=draw(_ENGINES),
    )


def cube_analyses() -> st.SearchStrategy[CubeAnalysis]:
    """An engine's analysis of a double and its answer, with any equities. A failing one shrinks toward no equities.

    Examples:
        >>> from hypothesis import given
        >>> @given(cube_analyses())
        ... def test_a_player_doubles_to_win_more(analysis):
        ...     if analysis.best == "double":
        ...         assert analysis.equity_double > analysis.no_double
        >>> test_a_player_doubles_to_win_more()
    """
    equity = st.none() | _EQUITY
    cost = st.none() | _COST
    known_chances = st.none() | chances()
    return st.builds(
        CubeAnalysis,
        no_double=equity,
        double_take=equity,
        double_drop=st.just(1.0) | equity,  # 1 point, unless the match score changes its worth
        chances=known_chances,
        chances_double_take=known_chances,
        level=_LEVELS,
        standard_errors=st.none() | st.tuples(cost, cost),
        mwc=st.none() | st.tuples(_MAYBE, _MAYBE, _MAYBE),
        stated_error=cost,
        stated_answer_error=cost,
        engine=_ENGINES,
    )
