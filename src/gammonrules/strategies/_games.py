"""What happens at a table: legal events, and whole games of them."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import attrs
from hypothesis import strategies as st

from gammonrules._numbers import shown, whole_number
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.match import Action, Event, MatchState, Phase, Player
from gammonrules.position import Position, Win
from gammonrules.records import Game
from gammonrules.strategies import _boards, _tables

_FACES = range(1, 7)
# Ties come last: what is drawn as simply as possible has to lead on.
_PAIRS = st.sampled_from(sorted(product(_FACES, _FACES), key=lambda pair: (pair[0] == pair[1], pair[0] < pair[1])))
_WINS = st.sampled_from(Win)
_PLAYERS = st.sampled_from(Player)
_LIVE = frozenset({Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED})
_OPENINGS = _tables.match_states(phase=Phase.OPENING)
_ONCE_IN_FOUR = st.sampled_from((False, False, False, True))
_ONCE_IN_EIGHT = st.sampled_from((*[False] * 7, True))


def events(state: MatchState | None = None) -> st.SearchStrategy[Event]:
    """What the rules allow next at a table, whoever does it.

    The event names the seat that acts, except in the opening roll and the next game, which are nobody's turn. A play is
    its canonical text. A failing one shrinks towards what goes on: no double and no resignation.

    Args:
        state: the table, which must not be that of a match that is over; None: any, see `match_states`.

    Raises:
        GammonError: nothing is allowed any more, the match is over.

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
    if state.winner is not None:
        raise GammonError(f"nothing is left to do, {state.winner} has won the match")
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
            return Event(Action.OPENING_ROLL, None, draw(_PAIRS))
        case Phase.TO_ROLL if Action.DOUBLE not in state.legal_actions or not draw(_ONCE_IN_FOUR):
            return Event(Action.ROLL, state.to_act, draw(_boards.dice()))
        case Phase.TO_PLAY:
            return _play(state, draw(_boards.CHOICES))
        case Phase.OVER:
            return Event(Action.NEXT_GAME, None, draw(_starts(state)))
        case _:  # what can be done without an argument, in the order of `Action`
            choices = [action for action in Action if action in state.legal_actions - {Action.ROLL, Action.RESIGN}]
            return Event(draw(st.sampled_from(choices)), state.to_act)


def _play(state: MatchState, choice: int) -> Event:
    return Event(Action.PLAY, state.to_act, str(_boards.chosen(state.legal_plays, choice)))


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
        GammonError: a number of turns that is none.

    Examples:
        >>> from hypothesis import given
        >>> @given(games())
        ... def test_somebody_gets_the_points(game):
        ...     *_, last = game.states()
        ...     assert sum(last.score) == sum(game.score) + last.result.points
        >>> test_somebody_gets_the_points()
    """
    turns = whole_number(max_turns)
    if turns is None or turns < 0:
        raise GammonError(f"the most turns is a whole number from 0, not {shown(max_turns)}")
    return _games(_first_tables() if starts is None else starts, _boards.scripts(_TURN, turns))


@st.composite
def _first_tables(draw: st.DrawFn) -> MatchState:
    state = draw(_OPENINGS)
    any_board = draw(st.booleans())
    return state if any_board else attrs.evolve(state, position=Position.start(state.rules.start))


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


@st.composite
def _games(draw: st.DrawFn, starts: st.SearchStrategy[MatchState], scripts: st.SearchStrategy[list[_Turn]]) -> Game:
    start = draw(starts)
    course = _Course(start)
    while course.state.phase in {Phase.OPENING, Phase.DOUBLED, Phase.RESIGNED}:
        course.add(_next_event(draw, course.state))
    for turn in draw(scripts):
        course.play(turn)
    if course.state.result is None:
        course.add(_resignation(draw, course.state))
        course.do(Action.ACCEPT)
    return Game(1, start, tuple(course.events))


class _Course:
    """A game as it goes on."""

    def __init__(self, start: MatchState) -> None:
        self.state = start
        self.events: list[Event] = []

    def add(self, event: Event) -> None:
        self.state = self.state.apply(event)
        self.events.append(event)

    def do(self, action: Action, argument: object = None) -> None:
        """Let whoever is to act do this, if it is allowed now."""
        if action in self.state.legal_actions:
            self.add(Event(action, self.state.to_act, argument))

    def play(self, turn: _Turn) -> None:
        if turn.doubles:
            self.do(Action.DOUBLE)
            for _ in range(turn.beavers):
                self.do(Action.BEAVER)
            self.do(turn.answer)
        self.do(Action.ROLL, turn.roll)
        if self.state.phase is Phase.TO_PLAY:
            self.add(_play(self.state, turn.choice))
