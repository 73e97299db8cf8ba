"""Legal events."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from hypothesis import strategies as st

from gammonrules._shared.checked_fields import check_kind
from gammonrules.board import Position
from gammonrules.errors import ArgumentError
from gammonrules.match import TO_ACT, Action, Event, MatchState, Phase, Player
from gammonrules.strategies import _position_strategies, _state_strategies

_FACES = range(1, 7)
_WHITE_BEGINS = [(white, black) for white, black in product(_FACES, _FACES) if white > black]
_BLACK_BEGINS = [(white, black) for white, black in product(_FACES, _FACES) if white < black]
_TIES = [(face, face) for face in _FACES]
# Ties come last, since the simplest draw must start the game.
_PAIRS = st.sampled_from([*_WHITE_BEGINS, *_BLACK_BEGINS, *_TIES])
_event: Callable[..., Event] = Event  # for actions that type checkers do not know
_LIVE = frozenset({Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED})
_ONCE_IN_FOUR = st.sampled_from((False, False, False, True))


def events(state: MatchState | None = None) -> st.SearchStrategy[Event]:
    """Legal next events of a state, by either player.

    The event names the player who acts, except for the opening roll and the next game, which belong to neither. A play
    is its canonical text. A failing one shrinks toward going on, without a double or a resignation.

    Args:
        state: what comes before the event; None: any state, see `match_states`.

    Raises:
        ArgumentError: `state` is not a `MatchState`, or the match is over.

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
        return (
            _state_strategies.match_states()
            .filter(lambda drawn: drawn.winner is None)
            .flatmap(events)
        )
    check_kind("state", state, MatchState)
    if state.winner is not None:
        raise ArgumentError(f"there is no next event: {state.winner.title()} has won the match")
    return _events(state)


@st.composite
def _events(draw: st.DrawFn, state: MatchState) -> Event:
    if state.phase in _LIVE and draw(_ONCE_IN_FOUR):
        return _state_strategies.resignation(draw, state)
    return next_event(draw, state)


def next_event(draw: st.DrawFn, state: MatchState) -> Event:
    """Anything but a resignation."""
    by = state.to_act or TO_ACT
    may_double = Action.DOUBLE in state.legal_actions
    match state.phase:
        case Phase.OPENING:
            return Event(Action.OPENING_ROLL, argument=draw(_PAIRS))
        case Phase.TO_ROLL:
            doubles = may_double and draw(st.booleans())
            if doubles:
                return _event(Action.DOUBLE, by)
            return Event(Action.ROLL, by, draw(_position_strategies.dice()))
        case Phase.TO_PLAY:
            return play_event(state, draw(_position_strategies.CHOICES))
        case Phase.OVER:
            return Event(Action.NEXT_GAME, argument=draw(_starts(state)))
        case Phase.DOUBLED | Phase.RESIGNED:
            answers = state.legal_actions - {Action.RESIGN}
            in_order = [action for action in Action if action in answers]  # as examples shrink
            return _event(draw(st.sampled_from(in_order)), by)


def play_event(state: MatchState, choice: int) -> Event:
    return Event(
        Action.PLAY,
        state.to_act or TO_ACT,
        str(_position_strategies.chosen(state.legal_plays, choice)),
    )


def _starts(state: MatchState) -> st.SearchStrategy[Player | Position | None]:
    """Arguments of a next game: who starts, None, or a board with as many checkers as in the game before."""
    checkers = state.position.checkers
    boards = _position_strategies.positions(checkers=checkers)
    start_of_rules = Position.start(state.rules.start)
    if checkers != start_of_rules.checkers:  # without a board, the game would begin there
        return boards
    return st.sampled_from((None, *Player)) | boards
