"""Matches and money games between two players, with the dice of `batch.play_matches`."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from random import Random
from time import monotonic
from typing import Final, Self, TypeAlias, TypeVar

import numpy as np
from attrs import define, field, frozen

from gammonrules._shared.work import is_child
from gammonrules.batch.internals import Stream
from gammonrules.board import Play, Position
from gammonrules.dice import ROLL_OF_FACES, Dice
from gammonrules.engine.internals import legal_event
from gammonrules.errors import BotError, EngineError
from gammonrules.match import Action, Event, Forfeit, MatchState, Player, RecordEvent
from gammonrules.values import error_text

Answer = TypeVar("Answer")

MAX_EVENTS: Final = 20_000
"""More than any game has if the players want it to end."""
_MAX_RINGS: Final = 3
"""After so many, a second apart, a bot that is late will not be interrupted."""
_handler_of: Final[Callable[[int], object]] = import_module("_signal").getsignal
"""`signal.getsignal`, which up to Python 3.12 takes 50 times as long, since it looks for the handler in an enum."""
_AHEAD: Final = 64
"""How many rolls of a game are made at once."""


@frozen
class Moment:
    """The numbers of the match, of the game in it and of the turn of a decision, and the bot's source of chance."""

    match: int
    game: int
    turn: int
    rng: Random


Decide: TypeAlias = Callable[[MatchState, Moment], Event | Action | Play]


class PlayerError(BotError):
    """A player cannot go on: raised an exception, was late, decided what is not legal, or could not be started.

    Attributes:
        name: whose fault it is, if that is known.
    """

    def __init__(self, sentence: str, name: str | None = None) -> None:
        super().__init__(sentence)
        self.name = name


@frozen
class Decider:
    """A player who decides one state after another."""

    name: str
    decide: Decide
    timeout: float | None = None
    """Seconds for a decision."""


@define
class DiceOfMatch:
    """The dice of one match, which depend on the stream, its number, the game and the turn alone."""

    stream: Stream
    match: int
    _rolls: dict[int, list[Dice]] = field(factory=dict)
    """Of each game, those of its first turns."""

    def opening(self, game: int, throw: int) -> Event:
        """White's die and Black's."""
        throws = self.stream.throws(np.array([self.match]), np.array([game]), throw)
        white, black = throws[0].tolist()
        return Event(Action.OPENING_ROLL, argument=(white, black))

    def roll(self, game: int, turn: int) -> Dice:
        """The dice of a turn, which are made for some turns at once."""
        rolls = self._rolls.setdefault(game, [])
        while turn >= len(rolls):
            turns = np.arange(len(rolls), len(rolls) + _AHEAD)
            throws = self.stream.rolls(self.match, game, turns).tolist()
            rolls += [ROLL_OF_FACES[first, second] for first, second in throws]
        return rolls[turn]


def play_match(
    start: MatchState,
    bots: dict[Player, Decider],
    dice: DiceOfMatch,
    seed: object,
    board: Position | None = None,
    *,
    forfeits: bool = False,
) -> tuple[list[RecordEvent], MatchState]:
    """What happens in a match until it is won, or in one money game, and how it ends; later games begin with `board`.

    With `forfeits` a player who fails forfeits the match, or the money game for what the cube says, which is an event
    too.

    Raises:
        PlayerError: a bot raised an exception, was late, or decided what is not legal, or an engine failed.
        BotError: the game never ends.
    """
    log = list[RecordEvent]()
    state = start
    game = 0
    # an engine has no limit here, and may use the alarm itself: beside one it is set for each decision of the other
    all_have_limits = all(bot.timeout is not None for bot in bots.values())
    with Alarm() if all_have_limits else nullcontext() as alarm:
        seats = dict[Player, _SeatedBot]()
        for player, bot in bots.items():
            seats[player] = _SeatedBot(bot, Random(f"{seed} {dice.match} {player}"), alarm)  # noqa: S311
        while True:
            events, state = _opened(state, dice, game)
            log += events
            events, state = _played(state, seats, dice, game, forfeits=forfeits)
            log += events
            is_money_game = state.length is None
            match_is_won = Action.NEXT_GAME not in state.legal_actions
            if is_money_game or match_is_won:
                return log, state
            next_game = Event(Action.NEXT_GAME, argument=board)
            log.append(next_game)
            state = state.apply(next_game)
            game += 1


@frozen
class _SeatedBot:
    """A bot in a match, with its source of chance."""

    bot: Decider
    chance: Random
    alarm: Alarm | None
    """That of the whole match; None where each decision has its own."""

    def event_of(self, state: MatchState, moment: Moment, roll: Dice) -> tuple[Event, MatchState]:
        """What the bot does, and the state after it; if it rolls, these are the dice. Raises PlayerError."""

        def bot_at_moment(asked: MatchState) -> Event | Action | Play:
            return self.bot.decide(asked, moment)

        try:
            return in_time(
                self.bot.timeout, partial(legal_event, bot_at_moment, state, roll), self.alarm
            )
        except BotError as error:
            name = self.bot.name
            cause = error.__cause__
            if isinstance(cause, EngineError):  # it names the engine, and is no mistake of a bot
                raise PlayerError(error_text(cause), name) from None
            raise PlayerError(f"{name}: {error}", name) from cause


def _opened(
    state: MatchState, dice: DiceOfMatch, game: int
) -> tuple[list[RecordEvent], MatchState]:
    """Begin a game: the events of its opening roll, and the state after them."""
    log = list[RecordEvent]()
    throw = 0
    while state.to_act is None:
        opening = dice.opening(game, throw)
        throw += 1
        after = state.apply(opening)
        is_tie_without_effect = after == state
        if not is_tie_without_effect:  # which records of `play_matches` leave out, too
            log.append(opening)
        state = after
    return log, state


def _played(
    state: MatchState,
    seats: dict[Player, _SeatedBot],
    dice: DiceOfMatch,
    game: int,
    *,
    forfeits: bool,
) -> tuple[list[RecordEvent], MatchState]:
    """Play a game after its opening roll: its events, and the state at its end.

    `forfeits`: whether a player who fails loses the game, instead of ending everything.
    """
    log = list[RecordEvent]()
    turn = 0
    # the state with the resignation that was declined by the last decision
    declined_offer: MatchState | None = None
    while state.result is None:
        player = state.to_act
        assert player is not None  # the opening roll was thrown
        seat = seats[player]
        moment = Moment(dice.match, game, turn, rng=seat.chance)
        roll = dice.roll(game, turn)
        try:
            event, after = seat.event_of(state, moment, roll)
        except PlayerError:
            if not forfeits:
                raise
            forfeit = forfeit_of(player, state)
            log.append(forfeit)
            return log, state.apply(forfeit)
        if declined_offer is not None and after == declined_offer:
            # the same again: the two could go on with it forever
            event, after = legal_event(_when_repeated, state, roll)
        log.append(event)
        if event.action is Action.PLAY:
            turn += 1
        declined_offer = state if event.action is Action.DECLINE else None
        state = after
        if len(log) > MAX_EVENTS:
            names = " against ".join(seat.bot.name for seat in seats.values())
            raise BotError(f"{names}: a game has not ended after {MAX_EVENTS:,} decisions")
    return log, state


def forfeit_of(player: Player, state: MatchState) -> Forfeit:
    """The forfeit of a player who fails: of a match as a whole, of a money game for what the cube says."""
    is_money_game = state.length is None
    return Forfeit(player, state.cube.value if is_money_game else None)


def _when_repeated(state: MatchState) -> Event | Action:
    """The decision of a bot that offers again what was declined, which a state cannot tell it."""
    if state.dice is not None:
        return Event(Action.PLAY, argument=state.legal_plays[0])
    return Action.DROP if state.pending_double else Action.ROLL


class _Late(BaseException):
    """Raised in the midst of a bot, which is not to catch it."""


def _can_ring() -> bool:
    """Whether a signal can interrupt this thread, and nobody else waits for it."""
    if not hasattr(signal, "setitimer"):
        return False
    is_in_main_thread = threading.current_thread() is threading.main_thread()
    return is_in_main_thread and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@define(eq=False)
class Alarm:
    """Interrupts bots that are late, inside a `with` block.

    Its handler stays for the whole block, since setting it takes as long as several quick decisions. Only the main
    thread can be interrupted, and not on Windows; elsewhere there is no limit.
    """

    _is_set: bool = False
    _is_asking: bool = False
    _rings: int = 0
    """How often it has rung during this decision."""

    def __enter__(self) -> Self:
        self._is_set = _can_ring()
        if self._is_set:
            signal.signal(signal.SIGALRM, self._ring)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_set:
            signal.setitimer(
                signal.ITIMER_REAL, 0
            )  # it still runs if Ctrl-C has interrupted `_stop`
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def answer(self, seconds: float, ask: Callable[[], Answer]) -> Answer:
        """The answer of a bot, which is interrupted after these seconds, and then a BotError is raised.

        A child of ours ends if the bot cannot be interrupted, since it catches all that is raised.
        """
        if not self._is_set:
            return ask()
        self._rings = 0
        began = monotonic()
        try:
            try:
                self._is_asking = True
                # it rings again every second, since a bot may catch what `_ring` raises
                signal.setitimer(signal.ITIMER_REAL, seconds, 1)
                answer = ask()
            finally:
                self._stop()
        except _Late:  # from the bot, or from `_stop` before it has stopped anything
            self._stop()
            raise _too_late(seconds) from None
        if (
            self._rings or monotonic() - began > seconds
        ):  # the bot has caught it, or stopped the timer
            raise _too_late(seconds)
        return answer

    def _stop(self) -> None:
        """End a decision; the next one needs the handler, which the bot may have replaced."""
        self._is_asking = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        if _handler_of(signal.SIGALRM) != self._ring:
            signal.signal(signal.SIGALRM, self._ring)

    def _ring(self, _number: int, _frame: object) -> None:
        if not self._is_asking:
            return
        self._rings += 1
        if self._rings > _MAX_RINGS and is_child():  # the bot catches whatever is raised
            os._exit(1)
        raise _Late


def _too_late(seconds: float) -> BotError:
    return BotError(f"it did not answer within {seconds:g} seconds")


def in_time(seconds: float | None, ask: Callable[[], Answer], alarm: Alarm | None = None) -> Answer:
    """The answer of a bot that has so many seconds, by an `Alarm` that is set already or by one for this decision."""
    if seconds is None:
        return ask()
    if alarm is not None:
        return alarm.answer(seconds, ask)
    with Alarm() as own_alarm:
        return own_alarm.answer(seconds, ask)
