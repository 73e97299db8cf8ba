"""What happens at a table: legal events, and whole games and matches of them."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple, cast

import attrs
from hypothesis import strategies as st

from gammonrules.board import Position, Win
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.match import TO_ACT, Action, Event, MatchState, Phase, Player
from gammonrules.records import Game, Match
from gammonrules.strategies import _boards, _given, _tables
from gammonrules.values import shown

_FACES = range(1, 7)
# Ties come last: what is drawn as simply as possible has to lead on.
_PAIRS = st.sampled_from(sorted(product(_FACES, _FACES), key=lambda pair: (pair[0] == pair[1], pair[0] < pair[1])))
_WINS = st.sampled_from(Win)
_PLAYERS = st.sampled_from(Player)
_LIVE = frozenset({Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED})
_OPENINGS = _tables.match_states(phase=Phase.OPENING)
_SHORT_MATCHES = _tables.match_states(
    phase=Phase.OPENING, lengths=st.sampled_from((None, None, 3, 2, 4, 5, 3, 2, 1, 7, 11))
)
"""So short that a few games decide most of them."""
_ONCE_IN_TWO = st.booleans()
_ONCE_IN_FOUR = st.sampled_from((False, False, False, True))
_ONCE_IN_EIGHT = st.sampled_from((*[False] * 7, True))


def events(state: MatchState | None = None) -> st.SearchStrategy[Event]:
    """What the rules allow next at a table, whoever does it.

    The event names the seat that acts, except in the opening roll and the next game, which are nobody's turn. A play is
    its canonical text. A failing one shrinks towards what goes on: no double and no resignation.

    Args:
        state: the table, which must not be that of a match that is over; None: any, see `match_states`.

    Raises:
        GammonError: nothing is allowed any more, the match is over; or this is no table.

    Examples:
        >>> from hypothesis import given
        >>> state = MatchState.new(3).opening_roll(3, 1)
        >>> @given(events(state))
        ... def test_what_is_legal_succeeds(event):
        ...     assert event.action in {"play", "resign"}
        ...     assert state.apply(event) != state
        >>> test_what_is_legal_succeeds()
    """
    if state is None:
        return _tables.match_states().filter(lambda drawn: drawn.winner is None).flatmap(events)
    if not isinstance(cast("object", state), MatchState):
        raise GammonError(f"events are drawn for a MatchState, not {shown(state)}")
    if state.winner is not None:
        raise GammonError(f"nothing is left to do, {state.winner.title()} has won the match")
    return _events(state)


@st.composite
def _events(draw: st.DrawFn, state: MatchState) -> Event:
    resigns = state.phase in _LIVE and draw(_ONCE_IN_FOUR)
    return _resignation(draw, state) if resigns else _next_event(draw, state)


def _resignation(draw: st.DrawFn, state: MatchState) -> Event:
    win = Win.SINGLE if state.rules.scoring == "pips" else draw(_WINS)
    return Event(Action.RESIGN, draw(_PLAYERS), win)


def _next_event(draw: st.DrawFn, state: MatchState) -> Event:
    """What goes on: anything but a resignation."""
    match state.phase:
        case Phase.OPENING:
            return Event(Action.OPENING_ROLL, argument=draw(_PAIRS))
        case Phase.TO_ROLL if Action.DOUBLE not in state.legal_actions or not draw(_ONCE_IN_TWO):
            return Event(Action.ROLL, state.to_act or TO_ACT, draw(_boards.dice()))
        case Phase.TO_PLAY:
            return _play(state, draw(_boards.CHOICES))
        case Phase.OVER:
            return Event(Action.NEXT_GAME, argument=draw(_starts(state)))
        case _:  # what can be done without an argument, in the order of `Action`
            choices = [action for action in Action if action in state.legal_actions - {Action.ROLL, Action.RESIGN}]
            return Event(draw(st.sampled_from(choices)), state.to_act or TO_ACT)


def _play(state: MatchState, choice: int) -> Event:
    return Event(Action.PLAY, state.to_act or TO_ACT, str(_boards.chosen(state.legal_plays, choice)))


def _starts(state: MatchState) -> st.SearchStrategy[Player | Position | None]:
    """What a next game may be given: it needs a board where that of its rules has another number of checkers."""
    start, checkers = Position.start(state.rules.start), state.position.checkers
    boards = _boards.positions(checkers=checkers)
    return st.sampled_from((None, *Player)) | boards if checkers == start.checkers else boards


def games(
    *,
    starts: st.SearchStrategy[MatchState] | None = None,
    max_turns: int = 40,
) -> st.SearchStrategy[Game]:
    """Whole games, each from its start to its end, with legal events only.

    `game.start` is the table before the game, `game.events` are what happened, and `game.states()` yields the start and
    the table after each event. Games that last longer than `max_turns` end by a resignation. A failing one shrinks
    towards few events: a game that is given up at once.

    Args:
        starts: the tables at which the games begin, not over; None: tables before their opening roll, under all rules,
            from the start of these rules or from any other board, as most games from a start last long.
        max_turns: the most turns that are played before somebody resigns.

    Raises:
        GammonError: a number of turns that is none, or something else than a strategy; while drawing, starts of games
            that are over.

    Examples:
        >>> from hypothesis import given
        >>> @given(games())
        ... def test_somebody_gets_the_points(game):
        ...     *_, last = game.states()
        ...     assert sum(last.score) == sum(game.score) + last.result.points
        >>> test_somebody_gets_the_points()
    """
    scripts = _boards.scripts(_TURN, _given.most("turns", 0, max_turns))
    return _games(_given.checked("starts", starts, _first_tables()), scripts)


def matches(
    *,
    starts: st.SearchStrategy[MatchState] | None = None,
    max_games: int = 4,
    max_turns: int = 10,
) -> st.SearchStrategy[Match]:
    """Whole matches and money sessions as records: games in a row, with legal events only.

    Every game is played to its end, as in `games`, and the next one begins with the board with which the first began.
    A match goes on until it is won, or for `max_games`. A failing one shrinks towards one game that is given up at
    once.

    Args:
        starts: the tables at which the first games begin, not over; None: new tables at 0-0, under all rules, from the
            start of these rules or from any other board.
        max_games: the most games of a match.
        max_turns: the most turns of a game that are played before somebody resigns.

    Raises:
        GammonError: a number of games or turns that is none, or something else than a strategy; while drawing, starts
            of games that are over.

    Examples:
        >>> from hypothesis import given
        >>> from gammonrules.records import referee
        >>> @given(matches())
        ... def test_nothing_breaks_the_rules(match):
        ...     assert referee(match) == ()
        >>> test_nothing_breaks_the_rules()
    """
    most = _given.most("games", 1, max_games)
    script = _boards.scripts(_TURN, _given.most("turns", 0, max_turns))
    scripts = st.sampled_from((1, most)).flatmap(lambda least: st.lists(script, min_size=least, max_size=most))
    return _matches(_given.checked("starts", starts, _new_tables()), scripts)


def _first_tables() -> st.SearchStrategy[MatchState]:
    return st.builds(_begun, _OPENINGS, st.booleans())


def _new_tables() -> st.SearchStrategy[MatchState]:
    return st.builds(_begun, _SHORT_MATCHES, st.booleans()).map(
        lambda state: MatchState.new(state.length, rules=state.rules, position=state.position)
    )


def _begun(state: MatchState, from_the_start: bool) -> MatchState:  # noqa: FBT001 - drawn, never written
    return attrs.evolve(state, position=Position.start(state.rules.start)) if from_the_start else state


class _Turn(NamedTuple):
    """What is done in a turn, as far as the table then allows it."""

    doubles: bool
    beavers: int
    answer: Action
    roll: Dice
    choice: int


_TURN = st.builds(
    _Turn,
    doubles=_ONCE_IN_EIGHT,
    beavers=st.sampled_from((0, 0, 0, 1, 1, 2)),
    answer=st.sampled_from((Action.TAKE, Action.TAKE, Action.DROP)),
    roll=_boards.dice(),
    choice=_boards.CHOICES,
)


_NAMES = st.just(("Ann", "Bob")) | st.tuples(st.text(), st.text())


@st.composite
def _games(draw: st.DrawFn, starts: st.SearchStrategy[MatchState], scripts: st.SearchStrategy[list[_Turn]]) -> Game:
    course = _Course(draw(starts))
    course.play_to_the_end(draw, draw(scripts))
    return Game(1, course.start, tuple(course.events))


@st.composite
def _matches(
    draw: st.DrawFn, starts: st.SearchStrategy[MatchState], scripts: st.SearchStrategy[list[list[_Turn]]]
) -> Match:
    course = _Course(draw(starts))
    first, *others = draw(scripts)
    course.play_to_the_end(draw, first)
    for script in others:
        if course.state.winner is None:
            course.add(Event(Action.NEXT_GAME, argument=course.start.view(Player.WHITE)))
            course.play_to_the_end(draw, script)
    return Match.from_events(draw(_NAMES), course.start, course.events)


class _Course:
    """What happens at a table as it goes on."""

    def __init__(self, start: MatchState) -> None:
        self.start = self.state = start
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.state = self.state.apply(event)
        self.events.append(event)

    def do(self, action: Action, argument: object = None) -> None:
        """Let whoever is to act do this, if it is allowed now."""
        if action in self.state.legal_actions:
            self.add(Event(action, self.state.to_act or TO_ACT, argument))

    def play_to_the_end(self, draw: st.DrawFn, script: list[_Turn]) -> None:
        """Play a game as this script says, which somebody gives up if it is not over then."""
        while self.state.phase in {Phase.OPENING, Phase.DOUBLED, Phase.RESIGNED}:
            self.add(_next_event(draw, self.state))
        for turn in script:
            self.play(turn)
        if self.state.result is None:
            self.add(_resignation(draw, self.state))
            self.do(Action.ACCEPT)

    def play(self, turn: _Turn) -> None:
        if turn.doubles:
            self.do(Action.DOUBLE)
            for _ in range(turn.beavers):
                self.do(Action.BEAVER)
            self.do(turn.answer)
        self.do(Action.ROLL, turn.roll)
        if self.state.phase is Phase.TO_PLAY:
            self.add(_play(self.state, turn.choice))
