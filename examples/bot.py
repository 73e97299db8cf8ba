"""A simple opponent for `examples/terminal` and `examples/own_server`: no search, no tables, a few weights.

`choose(state)` decides for whoever is to act. The rules are the library's: the bot looks at the legal actions and at
the legal plays, and asks `MatchState` what an action would lead to. Those of `opponents.py` have the same interface.

`python examples/bot.py` lets the bot play a match against itself and prints the record. It needs no extra.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from gammonrules import Action, Dice, Event, MatchState, Phase, Play, Player, Position, Win
from gammonrules.engine import Bot, BotError
from gammonrules.records import Match, dumps

MADE = {2: 1.0, 3: 4.0, 4: 6.0, 5: 7.0, 6: 5.0, 7: 5.0, 8: 3.0, 18: 3.0, 20: 5.0, 21: 4.0, 22: 2.0}
"""The value of holding a point while there is contact, in pips."""
DOUBLE = 0.7
"""The chance of winning from which the bot doubles."""
TAKE = 0.25
"""The same for a take."""
BEAVER = 0.55
"""The same for a beaver."""


def choose(state: MatchState) -> Event | Action:
    """What the bot does as the player who is to act; `Action.ROLL` if they roll, since the caller has the dice."""
    player = state.to_act
    if player is None:
        raise ValueError(f"nobody is to act in this phase: {state.phase}")
    match state.phase:
        case Phase.TO_PLAY:
            best = max(state.legal_plays, key=lambda play: lead(play.position.flip()))
            return Event(Action.PLAY, player, str(best))
        case Phase.DOUBLED:
            return Event(answer_to_double(state, player), player)
        case Phase.RESIGNED:
            return Event(answer_to_resignation(state, player), player)
        case _:
            lost = certain_loss(state, player)
            if lost is not None:
                return Event(Action.RESIGN, player, lost)
            if Action.DOUBLE in state.legal_actions and wants_to_double(state, player):
                return Event(Action.DOUBLE, player)
            return Action.ROLL


def next_event(state: MatchState, bot: Bot, rng: random.Random) -> Event:
    """What a bot does, or what needs no player while a match goes on: the next game and the opening roll."""
    if state.phase is Phase.OPENING:
        return Event(Action.OPENING_ROLL, argument=(rng.randint(1, 6), rng.randint(1, 6)))
    if state.to_act is None:
        return Event(Action.NEXT_GAME)
    event = decision_of(bot, state)
    return Event(Action.ROLL, argument=Dice.random(rng)) if event is Action.ROLL else event


def decision_of(bot: Bot, state: MatchState) -> Event | Literal[Action.ROLL]:
    """What a bot does, as an event; `Action.ROLL` if it rolls, since the caller has the dice. Raises BotError."""
    decided = bot(state)
    match decided:
        case Action.ROLL | Event(action=Action.ROLL):
            return Action.ROLL
        case Event():
            return decided
        case Play():
            return Event(Action.PLAY, argument=decided)
        case Action.DOUBLE | Action.TAKE | Action.DROP | Action.BEAVER | Action.ACCEPT | Action.DECLINE:
            return Event(decided)
        case _:
            raise BotError(
                f"the bot decided {decided!r:.100}, which is not an Event, a Play or Action.ROLL ({state.xgid})"
            )


# The cube -------------------------------------------------------------------------------------------------------------


def wants_to_double(state: MatchState, player: Player) -> bool:
    """Whether the bot is a clear favorite, or has nothing to lose: the opponent needs only one more point."""
    nothing_to_lose = state.away is not None and state.away[player.opponent] == 1
    return nothing_to_lose or chance(state.position, on_roll=True) >= DOUBLE


def answer_to_double(state: MatchState, player: Player) -> Literal[Action.BEAVER, Action.TAKE, Action.DROP]:
    """Beaver, take or drop."""
    mine = chance(state.view(player), on_roll=player is state.on_roll)
    if Action.BEAVER in state.legal_actions and mine >= BEAVER:
        return Action.BEAVER
    return Action.TAKE if mine >= TAKE else Action.DROP


# Resignations ---------------------------------------------------------------------------------------------------------


# --8<-- [start:decided]
def certain_loss(state: MatchState, player: Player) -> Win | None:
    """At which level a player loses whatever happens; None if that is open.

    Under pip scoring the points are open until the last roll.
    """
    levels = state.possible_wins(player.opponent)
    is_lost = len(levels) == 1 and not state.possible_wins(player)
    if state.rules.scoring == "pips" or not is_lost:
        return None
    return min(levels)


@lru_cache(1_000)
def losses(state: MatchState, player: Player) -> Mapping[Win, int]:
    """What this player can still lose, and so resign.

    The levels that count, the least first, and their points.
    """
    before = state.decline() if state.phase is Phase.RESIGNED else state
    if Action.RESIGN not in before.legal_actions_of(player):
        return {}
    winner = player.opponent
    points: dict[Win, int] = {}
    for win in sorted(before.possible_wins(winner)):
        end = before.resign(win, by=player).accept()
        points[win] = end.score[winner] - before.score[winner]
    return points


def end_of_decided(state: MatchState) -> Event | None:
    """What ends a game with nothing left to play for.

    Before a roll the loser resigns it, and then the winner accepts. A double is
    answered first.
    """
    before = state.decline() if state.phase is Phase.RESIGNED else state
    if before.phase is not Phase.TO_ROLL:
        return None
    for loser in Player:
        lost = certain_loss(before, loser)
        if lost is not None:
            if state == before:
                return Event(Action.RESIGN, loser, lost)
            is_that = state == before.resign(lost, by=loser)
            return Event(Action.ACCEPT, loser.opponent) if is_that else None
    return None


# --8<-- [end:decided]


def answer_to_resignation(state: MatchState, player: Player) -> Literal[Action.ACCEPT, Action.DECLINE]:
    """Accept what counts as much as all that can still be won, or as the win that the board promises."""
    levels = state.possible_wins(player)
    result = state.accept().result
    if not levels or result is None or result.win is None:
        return Action.ACCEPT
    promised = min(promised_win(state.view(player)), max(levels))
    if not state.possible_wins(player.opponent):
        promised = max(promised, min(levels))
    return Action.ACCEPT if result.win >= promised else Action.DECLINE


def promised_win(position: Position) -> Win:
    """What the side on roll will probably win, if it wins: how far its opponent is from saving each level."""
    theirs = position.flip().points
    to_home = sum((point - 6) * theirs[point] for point in range(7, 26) if theirs[point] > 0)
    if position.opponent_off or to_home + 6 < position.pip_count:
        return Win.SINGLE
    out_of_mine = sum((point - 18) * theirs[point] for point in range(19, 26) if theirs[point] > 0)
    return Win.BACKGAMMON if out_of_mine > position.pip_count else Win.GAMMON


# How good a board is --------------------------------------------------------------------------------------------------


def chance(position: Position, *, on_roll: bool) -> float:
    """The chance of winning, guessed from the lead and the length of the game that is left.

    The numbers were fitted to a thousand games of the bot against itself.
    """
    roll = 6 if on_roll else -6
    length = position.pip_count + position.opponent_pip_count
    steepness = 1.2 / math.sqrt(length + 20) if position.is_race else 0.5 / math.sqrt(length)
    return (1 + math.tanh(steepness * (lead(position) + roll) / 2)) / 2


def lead(position: Position) -> float:
    """How far the side on roll is ahead, in pips; good points and safe checkers count as pips too."""
    theirs = position.flip()
    pips = theirs.pip_count - position.pip_count
    return pips + shape(position) - shape(theirs)


def shape(position: Position) -> float:
    """What the checkers of the side on roll are worth beyond their pips."""
    points = position.points
    rearmost = next((point for point in range(25) if points[point] < 0), 25)  # the opponent's last checker
    if rearmost > max((point for point in range(26) if points[point] > 0), default=0):
        return 2.0 * position.off  # a race: a checker borne off needs no half roll
    worth = 0.0
    for point, count in enumerate(points[1:25], 1):
        if count > 1 and (point > rearmost or point > 17):
            worth += MADE.get(point, 0.5) - max(0, count - 3)
        elif count == 1 and point > rearmost:
            worth -= risk(points, point) * (25 - point + 6)
    return worth + 2.0 * position.off - 3.0 * points[25] * sum(count < -1 for count in points[19:25])


def risk(points: tuple[int, ...], blot: int) -> float:
    """The chance that a blot is hit, if each of the opponent's checkers had its own roll."""
    safe = 1.0
    for point in range(max(0, blot - 12), blot):
        if points[point] < 0:
            distance = blot - point
            safe *= 1 - ((10 + distance) / 36 if distance <= 6 else 0.1)
    return 1 - safe


def played(bot: Bot, seed: int, length: int = 5) -> Match:
    """A match of a bot against itself."""
    rng = random.Random(seed)
    first = state = MatchState.new(length)
    log: list[Event] = []
    while state.winner is None:
        log.append(next_event(state, bot, rng))
        state = state.apply(log[-1])
    return Match.from_events(("Bot", "Bot's twin"), first, log)


if __name__ == "__main__":
    print(dumps(played(choose, 5)))
