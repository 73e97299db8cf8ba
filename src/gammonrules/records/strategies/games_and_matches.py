"""Whole games and matches of legal events."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import attrs
from hypothesis import strategies as st

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.match import TO_ACT, Action, Event, MatchState, Phase, Player
from gammonrules.records.transcript import Game, Match
from gammonrules.strategies import dice, match_states
from gammonrules.strategies.internals import (
    CHOICES,
    limit,
    next_event,
    play_event,
    scripts,
    strategy_for,
)

_event: Callable[..., Event] = Event  # for actions that type checkers do not know
_OPENINGS = match_states(phase=Phase.OPENING)
_SHORT_MATCHES = match_states(
    phase=Phase.OPENING, lengths=st.sampled_from((None, None, 3, 2, 4, 5, 3, 2, 1, 7, 11))
)
"""Match lengths that a few games usually decide."""


def games(
    *, starts: st.SearchStrategy[MatchState] | None = None, max_turns: int = 40
) -> st.SearchStrategy[Game]:
    """Whole games from start to end, with legal events only.

    `game.start` is the state before the game, `game.events` is what happened, and `game.states()` yields the start and
    the state after each event. A game that lasts longer than `max_turns` ends by a resignation, at a level at which it
    could still be lost. A failing one shrinks toward few events: a game that is given up at once.

    Args:
        starts: draws the states in which the games begin; None: states before the opening roll, under all rules, with
            the start of these rules or (since games from a start take long) any other board.
        max_turns: how many turns are played before somebody resigns, 0 to 1,000.

    Raises:
        ArgumentError: `max_turns` is out of bounds, or `starts` is not a strategy; while drawing, if it draws anything
            but states of games that go on.

    Examples:
        >>> from hypothesis import given
        >>> @given(games())
        ... def test_somebody_gets_the_points(game):
        ...     *_, last = game.states()
        ...     assert sum(last.score) == sum(game.score) + last.result.points
        >>> test_somebody_gets_the_points()
    """
    turns = scripts(_TURN, limit("max_turns", max_turns))
    return _drawn_game(strategy_for("starts", starts, _begun(_OPENINGS)), turns)


def matches(
    *, starts: st.SearchStrategy[MatchState] | None = None, max_games: int = 4, max_turns: int = 10
) -> st.SearchStrategy[Match]:
    """Whole matches and money sessions as records: games in a row, with legal events only.

    Every game is played to its end, as in `games`, and the next one begins with the same board as the first. A match
    goes on until it is won, or for `max_games`. A failing one shrinks toward one game that is given up at once.

    Args:
        starts: draws the states in which the first games begin; None: new matches at 0-0, under all rules, with the
            start of these rules or any other board.
        max_games: the most games of a match, 1 to 1,000.
        max_turns: how many turns of a game are played before somebody resigns, 0 to 1,000.

    Raises:
        ArgumentError: `max_games` or `max_turns` is out of bounds, or `starts` is not a strategy; while drawing, if it
            draws anything but states of games that go on.

    Examples:
        >>> from hypothesis import given
        >>> from gammonrules.records import referee
        >>> @given(matches())
        ... def test_nothing_breaks_the_rules(match):
        ...     assert all(finding.severity == "info" for finding in referee(match))
        >>> test_nothing_breaks_the_rules()
    """
    maximum = limit("max_games", max_games, 1)
    script_of_game = scripts(_TURN, limit("max_turns", max_turns))
    # without a least number, most lists would be short
    turns_of_games = st.sampled_from((1, maximum)).flatmap(
        lambda minimum: st.lists(script_of_game, min_size=minimum, max_size=maximum)
    )
    new_matches = _begun(_SHORT_MATCHES).map(_at_0_0)
    return _drawn_match(strategy_for("starts", starts, new_matches), turns_of_games)


def _at_0_0(state: MatchState) -> MatchState:
    return MatchState.new(state.length, rules=state.rules, position=state.position)


@st.composite
def _begun(draw: st.DrawFn, openings: st.SearchStrategy[MatchState]) -> MatchState:
    """States before the opening roll, with the start of their rules or any other board."""
    state = draw(openings)
    if draw(st.booleans()):
        return attrs.evolve(state, position=Position.start(state.rules.start))
    return state


class _TurnScript(NamedTuple):
    """What is done in a turn, as far as the state allows it then."""

    doubles: bool
    beavers: int
    answer: Action
    roll: Dice
    choice: int


_TURN = st.builds(
    _TurnScript,
    doubles=st.sampled_from((*[False] * 7, True)),
    beavers=st.sampled_from((0, 0, 0, 1, 1, 2)),
    answer=st.sampled_from((Action.TAKE, Action.TAKE, Action.DROP)),
    roll=dice(),
    choice=CHOICES,
)


_NAMES = st.just(("Ann", "Bob")) | st.tuples(st.text(), st.text())


@st.composite
def _drawn_game(
    draw: st.DrawFn,
    starts: st.SearchStrategy[MatchState],
    scripts: st.SearchStrategy[list[_TurnScript]],
) -> Game:
    course = _Course(draw(starts))
    course.play_to_the_end(draw, draw(scripts))
    return Game(1, course.start, tuple(course.events))


@st.composite
def _drawn_match(
    draw: st.DrawFn,
    starts: st.SearchStrategy[MatchState],
    scripts: st.SearchStrategy[list[list[_TurnScript]]],
) -> Match:
    course = _Course(draw(starts))
    first_script, *other_scripts = draw(scripts)
    course.play_to_the_end(draw, first_script)
    board_of_first_game = course.start.view(Player.WHITE)
    for script in other_scripts:
        if course.state.winner is not None:
            break
        course.add(Event(Action.NEXT_GAME, argument=board_of_first_game))
        course.play_to_the_end(draw, script)
    return Match.from_events(draw(_NAMES), course.start, course.events)


def _given_up(draw: st.DrawFn, state: MatchState) -> Event:
    """A resignation at a level at which the game can still be lost, so that the referee has nothing to say."""
    losers = [player for player in Player if state.possible_wins(player.opponent)]
    loser = draw(st.sampled_from(losers))
    levels = sorted(state.possible_wins(loser.opponent))
    return Event(Action.RESIGN, loser, draw(st.sampled_from(levels)))


class _Course:
    """A match in progress."""

    def __init__(self, start: MatchState) -> None:
        self.start = self.state = start
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.state = self.state.apply(event)
        self.events.append(event)

    def do(self, action: Action, argument: Dice | None = None) -> None:
        """Let the player to act do this, if it is legal now."""
        if action in self.state.legal_actions:
            self.add(_event(action, self.state.to_act or TO_ACT, argument))

    def play_to_the_end(self, draw: st.DrawFn, script: list[_TurnScript]) -> None:
        """Play a game by this script; if it is not over then, somebody resigns."""
        # a script has turns only; a start can be before the opening roll, or in the middle of an offer
        while self.state.phase in {Phase.OPENING, Phase.DOUBLED, Phase.RESIGNED}:
            self.add(next_event(draw, self.state))
        for turn in script:
            self.play(turn)
        if self.state.result is None:
            self.add(_given_up(draw, self.state))
            self.do(Action.ACCEPT)

    def play(self, turn: _TurnScript) -> None:
        """Play a turn of the script, as far as its actions are legal now."""
        if turn.doubles:
            self.do(Action.DOUBLE)
            for _ in range(turn.beavers):
                self.do(Action.BEAVER)
            self.do(turn.answer)
        self.do(Action.ROLL, turn.roll)
        if self.state.phase is Phase.TO_PLAY:
            self.add(play_event(self.state, turn.choice))
