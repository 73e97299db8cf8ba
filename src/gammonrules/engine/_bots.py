"""Bots: functions of a state, whose decisions are checked before anybody sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from gammonrules.board import Play
from gammonrules.dice import Dice
from gammonrules.engine._resignations import as_far_as_it_can_count
from gammonrules.errors import BotError, GammonError
from gammonrules.match import TO_ACT, Action, Event, MatchState, Phase, Player
from gammonrules.match.internals import make_event
from gammonrules.values import error_text, shown

Bot: TypeAlias = Callable[[MatchState], Event | Action | Play]
"""Decides for whoever is to act: an `Event`, a `Play`, or an action without an argument, such as `Action.ROLL`."""

_OF_NO_PLAYER = frozenset({Action.OPENING_ROLL, Action.NEXT_GAME})
_WITHOUT_ARGUMENT = frozenset(Action) - _OF_NO_PLAYER - {Action.PLAY, Action.RESIGN}
_ANY_ROLL = Dice(2, 1)
"""To see whether a player may roll; the caller has the dice."""


def legal_decision(bot: Bot, state: MatchState) -> tuple[Event | Action, MatchState]:
    """The decision of a bot, and the state after it; for `Action.ROLL` the same state, since the caller has the dice.

    Raises:
        BotError: as for `legal_event`.
    """
    event, after = legal_event(bot, state, _ANY_ROLL)
    if event.action is Action.ROLL:
        return Action.ROLL, state
    return event, after


def legal_event(bot: Bot, state: MatchState, roll: Dice) -> tuple[Event, MatchState]:
    """The decision of a bot as an event, and the state after it. If the bot rolls, these are the dice.

    A play without a choice does not take a bot. A resignation is offered at no higher level than can still be lost.

    Raises:
        BotError: the bot raised an exception, or its answer is no decision, or not legal.
    """
    if state.phase is Phase.TO_PLAY and len(state.legal_plays) == 1:
        return _applied(state.legal_plays[0], state, roll)
    try:
        decision = bot(state)
    except BotError as error:  # of a program: it says all but where
        raise BotError(f"{error_text(error)} ({state.xgid})") from error.__cause__
    except Exception as error:
        hint = hint_of_policy(error, state)
        raise BotError(
            f"it raised {type(error).__name__}: {shown(error_text(error), 200)}{hint} ({state.xgid})"
        ) from error
    return _applied(decision, state, roll)


def hint_of_policy(error: BaseException, state: MatchState) -> str:
    """An addition to the error of a bot that perhaps takes the arrays of many games; "" for all others.

    Such arrays have other attributes than a state.
    """
    if isinstance(error, AttributeError) and error.obj is state:
        return "; what plays many games at once is an arena.Policy"
    return ""


def _applied(decision: object, state: MatchState, roll: Dice) -> tuple[Event, MatchState]:
    player = state.to_act
    event = _as_event(decision, player, roll)
    if event is None:
        raise BotError(
            f"it decided {shown(decision, 100)}, which is {_no_decision(decision)} ({state.xgid})"
        )
    if event.by is not player and event.by is not TO_ACT:
        # the rules let either player resign at any time, but a bot cannot resign for the other one
        raise BotError(
            f"it decided {_event_text(event)} for {event.by}, who is not to act ({state.xgid})"
        )
    try:
        after = state.apply(event)
    except GammonError as error:
        raise BotError(
            f"it decided {_event_text(event)}, which is not legal: {error} ({state.xgid})"
        ) from error
    if event.action is Action.RESIGN:
        resignation = as_far_as_it_can_count(state, after)
        return resignation, state.apply(resignation)
    return event, after


def _as_event(decision: object, player: Player | None, roll: Dice) -> Event | None:
    """A decision as an event; None if it is none."""
    if isinstance(decision, Play):
        return make_event(Action.PLAY, player, decision)
    action = decision.action if isinstance(decision, Event) else decision
    if action is Action.ROLL:  # dice that a bot names do not count
        by = decision.by if isinstance(decision, Event) else TO_ACT
        return make_event(Action.ROLL, player if by is TO_ACT else by, roll)
    if isinstance(decision, Event):
        return None if action in _OF_NO_PLAYER else decision
    if isinstance(action, Action) and action in _WITHOUT_ARGUMENT:
        return make_event(action, player, None)
    return None


def _no_decision(decision: object) -> str:
    """The fault of a decision that no state allows."""
    action = decision.action if isinstance(decision, Event) else decision
    if isinstance(action, Action) and action in _OF_NO_PLAYER:
        return "decided by no player"
    return "not a Play, an Event or an action without an argument, such as Action.ROLL"


def _event_text(event: Event) -> str:
    argument = None if event.action is Action.ROLL else event.argument
    text = " ".join(map(str, argument)) if isinstance(argument, tuple) else str(argument)
    return event.action if argument is None else f"{event.action} {shown(text, 100)}"
