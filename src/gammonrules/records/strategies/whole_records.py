"""Whole records: matches with everything else that files state, and with engines' analyses."""

from __future__ import annotations

from typing import TypeVar

import attrs
from hypothesis import strategies as st

from gammonrules.analysis import Analysis, CubeAnalysis, PlayAnalysis
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.analysis.strategies import analyses_of, cube_analyses
from gammonrules.match import Action, Event, MatchState, RecordEvent
from gammonrules.records.strategies import games_and_matches
from gammonrules.records.transcript import (
    Finding,
    FindingKind,
    Game,
    Match,
    RecordedResult,
    Severity,
)
from gammonrules.strategies.internals import DrawnValues, is_a, strategy_for

_Item = TypeVar("_Item")
_NUMBERS = st.none() | st.integers(1, 99)
_SHORT = st.text(max_size=12)
_TEXTS = st.lists(_SHORT, max_size=2).map(tuple)
_TAG_NAMES = (
    st.sampled_from(("Site", "Event", "Round", "EventDate", "Player 1 Elo", "Transcriber")) | _SHORT
)
_ONCE_IN_TWO = st.booleans()
_ANY_MATCH = DrawnValues("Match(('Ann', 'Bob'), 7)", is_a(Match), "a Match")
_CUBE = frozenset({Action.ROLL, Action.DOUBLE, Action.TAKE, Action.DROP, Action.BEAVER})


def records(*, matches: st.SearchStrategy[Match] | None = None) -> st.SearchStrategy[Match]:
    """Matches as in files: with tags, comments, remarks, row numbers, stated ends, findings and analyses.

    Some analyses are still encoded (`EncodedAnalysis`), as readers leave them. Everything that is stated is true, but
    the findings and the numbers of the engine are made up. A failing record shrinks toward a match without all this.

    Args:
        matches: draws the matches; None: whole ones with legal events only, see `matches`.

    Raises:
        ArgumentError: `matches` is not a strategy; while drawing, if it draws anything but a `Match`.

    Examples:
        >>> from hypothesis import given
        >>> @given(records())
        ... def test_every_decision_can_be_shown(match):
        ...     for decision in match.decisions():
        ...         assert decision.action
        ...         decision.analysis
        >>> test_every_decision_can_be_shown()
    """
    whole_matches = games_and_matches.matches()
    return _records(strategy_for("matches", matches, whole_matches, _ANY_MATCH))


@st.composite
def _records(draw: st.DrawFn, matches: st.SearchStrategy[Match]) -> Match:
    match = draw(matches)
    return attrs.evolve(
        match,
        games=tuple(_with_remarks(draw, game) for game in match.games),
        tags=tuple(draw(st.lists(st.tuples(_TAG_NAMES, _SHORT), max_size=3))),
        comments=draw(_TEXTS),
        format=draw(st.sampled_from(("mat", "sgf", "xg"))),
        findings=tuple(draw(st.lists(_FINDINGS, max_size=2))),
        stated_rolls=draw(st.none() | st.integers(0, 999)),
    )


_SEVERITIES = st.sampled_from(Severity)
_KINDS = st.sampled_from(FindingKind)
_FINDINGS = st.builds(Finding, _SEVERITIES, _KINDS, _NUMBERS, _NUMBERS, _SHORT, _SHORT, _NUMBERS)


def _with_remarks(draw: st.DrawFn, game: Game) -> Game:
    """The game as it may be in a file."""
    count = len(game.events)
    comments = draw(_TEXTS)
    stated = _stated(game) if draw(_ONCE_IN_TWO) else None
    rows = draw(_sparse(count, st.integers(0, 99)))
    line = draw(_NUMBERS)
    lines = draw(_sparse(count, st.integers(1, 999)))
    notes = draw(_sparse(count, _SHORT))
    analyses = _analyses(draw, game)
    pending = None
    if game.result is None:
        pending = draw(st.none() | cube_analyses())
    return attrs.evolve(
        game,
        comments=comments,
        stated=stated,
        rows=rows,
        line=line,
        lines=lines,
        notes=notes,
        analyses=analyses,
        pending_analysis=pending,
    )


@st.composite
def _sparse(
    draw: st.DrawFn, count: int, items: st.SearchStrategy[_Item]
) -> tuple[_Item | None, ...]:
    """An item for each event, most of them None; or nothing at all."""
    drawn = draw(st.dictionaries(st.integers(0, max(0, count - 1)), items, max_size=3))
    if not drawn:
        return ()
    return tuple(drawn.get(index) for index in range(count))


def _stated(game: Game) -> RecordedResult | None:
    result = game.result
    if result is None:
        return None
    length = game.start.length
    score = game.final().score
    is_match_won = length is not None and score[result.winner] >= length
    return RecordedResult(
        result.winner, result.points, and_the_match=is_match_won, text="Wins", line=1
    )


def _analyses(draw: st.DrawFn, game: Game) -> tuple[Analysis | EncodedAnalysis | None, ...]:
    indices = st.integers(0, max(0, len(game.events) - 1))
    analyzed = draw(st.sets(indices, max_size=3))
    if not analyzed:
        return ()
    analyses: list[Analysis | EncodedAnalysis | None] = []
    states = [*game.states()]
    for index, event in enumerate(game.events):
        state_before = states[index]
        analyses.append(_analysis(draw, state_before, event) if index in analyzed else None)
    return tuple(analyses)


def _analysis(
    draw: st.DrawFn, state: MatchState, event: RecordEvent
) -> Analysis | EncodedAnalysis | None:
    """An analysis of the decision that this event makes, if it makes one."""
    analysis: Analysis
    if isinstance(event, Event) and event.action is Action.PLAY:
        plays = state.legal_plays
        analysis = draw(analyses_of(plays, plays.find(event.argument)))  # type: ignore[arg-type]
    elif isinstance(event, Event) and event.action in _CUBE:
        analysis = draw(cube_analyses())
    else:
        return None
    return EncodedAnalysis(analysis, _as_it_is) if draw(_ONCE_IN_TWO) else analysis


def _as_it_is(analysis: object, _: MatchState) -> Analysis | None:
    """Decode an encoded analysis that a strategy drew: there is nothing to do."""
    return analysis if isinstance(analysis, (PlayAnalysis, CubeAnalysis)) else None
