"""What is known of resignations without an engine, from what can still happen."""

from __future__ import annotations

import logging
from typing import Final

from gammonrules.board import Win
from gammonrules.match import Action, Event, MatchState, Player, Resignation
from gammonrules.match.internals import level_name, levels_that_count, make_event

_LOG: Final = logging.getLogger("gammonrules.engine")


def gives_highest_win(state: MatchState) -> bool:
    """Whether a resignation gives its answerer the highest level with which they can still win."""
    answerer = _resignation_in(state).by.opponent
    return _level_offered(state) >= max(state.possible_wins(answerer), default=0)


def certain_answer(state: MatchState) -> Action | None:
    """The answer to a resignation for which no evaluation is needed; None if one is.

    Whoever plays on may drop any double, so they need not lose more than the highest level that is still possible: a
    resignation of as much is accepted. One of less than the lowest level is declined if they can no longer win.
    """
    offer = _resignation_in(state)
    answerer = offer.by.opponent
    wins = state.possible_wins(answerer)
    if not wins or state.accept().winner is not None:
        return Action.ACCEPT
    if offer.double is not None:
        # who must answer a double can drop it, which loses a single game; who doubled may have it taken
        return Action.ACCEPT if offer.double.answerer is offer.by else None
    if state.rules.scoring == "pips":
        # without contact a side only loses pips that its opponent could win
        return Action.ACCEPT if state.position.is_race else None
    if gives_highest_win(state):
        return Action.ACCEPT
    is_certain_to_win = not state.possible_wins(offer.by)
    if is_certain_to_win and _level_offered(state) < min(wins):
        return Action.DECLINE
    return None


def as_far_as_it_can_count(state: MatchState, offered: MatchState) -> Event:
    """A bot's resignation, at the highest level that it can still lose, if it is above that; the log says so.

    `offered`: the state after it. A bot that can no longer lose resigns what it says, since no level is right.
    """
    resignation = _resignation_in(offered)
    player = resignation.by
    level = resignation.win
    levels = levels_that_count(state, player.opponent)
    if not levels:
        _log(state, level, "can no longer lose")
        return _event(player, level)
    highest = levels[-1]
    if level <= highest:
        return _event(player, level)
    _log(state, level, f"can lose no more than a {level_name(highest)}, which is offered instead")
    return _event(player, highest)


def _resignation_in(state: MatchState) -> Resignation:
    offer = state.offer
    assert isinstance(offer, Resignation)
    return offer


def _level_offered(state: MatchState) -> Win:
    """The level of a resignation as it counts."""
    result = state.accept().result
    assert result is not None
    assert result.win is not None  # it is no forfeit
    return result.win


def _event(player: Player, level: Win) -> Event:
    return make_event(Action.RESIGN, player, level)


def _log(state: MatchState, level: Win, but: str) -> None:
    _LOG.warning("a bot resigned a %s, but %s (%s)", level_name(level), but, state.xgid)
