"""The clock of a match, as a value; its caller says what time it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import attrs
from attrs import field

from gammonrules._shared.checked_fields import Bounds, Checked, check_kind, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.errors import ArgumentError
from gammonrules.limits import MAX_SECONDS
from gammonrules.match.cube import Resignation
from gammonrules.match.events import moment_argument, to_the_millisecond
from gammonrules.match.players import Pair, Player, PlayerLike, player_of, to_player_or_none
from gammonrules.match.state import MatchState
from gammonrules.values import items_of_pair, real_number

Seconds: TypeAlias = Annotated[float, Bounds(0, MAX_SECONDS)]
"""A span of time, to the millisecond."""
Timing: TypeAlias = Literal["simple", "bronstein", "fischer"]
"""The controls of time: what the delay of a clock does."""


def _to_seconds(value: float) -> float:
    """Converter of a field: a number of any type to the millisecond, and never -0.0; anything else unchanged."""
    number = real_number(value)
    return value if number is None else to_the_millisecond(number)


def _to_reserves(value: Any) -> Pair[float]:
    pair = items_of_pair(value)
    if pair is not None:
        return Pair((_to_seconds(pair[0]), _to_seconds(pair[1])))
    unchanged: Pair[float] = value  # the check of the fields refuses it
    return unchanged


class _TimeUsed(NamedTuple):
    """How many seconds of a turn, or of an answer to an offer to resign, a player has used."""

    player: Player
    seconds: float


@attrs.frozen
class Clock(Checked, JsonField):
    """The clock of a match: what each player has left, and who is using it up.

    It has no time of its own. The caller says what time it is: `now`, in seconds by any clock that goes forward, such
    as `time.monotonic()`. An earlier `now` than before counts as no time, and the clock goes on from there. Times are
    exact to the millisecond. A flag is final: only another `Clock` gives the player time again.

    *Equality*: two clocks are equal if all fields are equal.

    Attributes:
        reserves: the seconds of (White, Black) when the present turn began, a `Pair`. A player at 0 has lost on time.
        delay: seconds for each turn. Default 0.
        timing: what the delay does. "simple" (the default): the reserve is untouched for so long. "bronstein": the
            reserve runs at once, and the end of the turn gives back what was used, at most the delay. "fischer": the
            end of the turn adds the delay, whatever was used.
        on_clock: whose time runs, or None (the default).
        used: how many seconds of their turn, or of their answer to an offer to resign, had passed at
            `running_since`, or at the pause. Default 0.
        running_since: the time from which the rest of the turn is counted; None (the default) while the clock stands.
        interrupted: whose turn an offer to resign interrupts, while somebody answers it; else None (the default).
        interrupted_after: how many seconds of that turn had passed. Default 0.

    Raises:
        ArgumentError: a number is not from 0 to 1,000,000,000,000 (`running_since`: of either sign), a field has the
            wrong type, both players have lost on time, or nobody or somebody is on the clock though they cannot be.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7)
        >>> clock = Clock((600, 600), delay=12).follow(state, now=0)
        >>> state = state.opening_roll(3, 1)
        >>> clock = clock.follow(state, now=4)    # the opening is free
        >>> state = state.play("8/5 6/5")
        >>> clock = clock.follow(state, now=29)   # White used 25 seconds
        >>> clock.left("white", now=29), clock.delay_left(29), clock.flag(29)
        (587.0, 12.0, None)
    """

    reserves: Pair[Seconds] = field(converter=_to_reserves)
    delay: Seconds = field(default=0.0, converter=_to_seconds)
    timing: Timing = "simple"
    on_clock: Player | None = field(default=None, converter=to_player_or_none)
    used: Seconds = field(default=0.0, converter=_to_seconds)
    running_since: Annotated[float, Bounds(-MAX_SECONDS, MAX_SECONDS)] | None = field(
        default=None, converter=attrs.converters.optional(_to_seconds)
    )
    interrupted: Player | None = field(default=None, converter=to_player_or_none)
    interrupted_after: Seconds = field(default=0.0, converter=_to_seconds)

    def _problems(self) -> Iterable[str]:
        return wrong_fields(self) or self._impossible_times()

    def _impossible_times(self) -> Iterator[str]:
        if not any(self.reserves):
            yield "only one player can lose on time"
        if self.on_clock is None:
            if self.used or self.running_since is not None or self.interrupted:
                yield "nobody is on the clock, so used must be 0, running_since None and interrupted None"
        elif not all(self.reserves) or self._interrupted_too_late():
            yield "a player has lost on time, so nobody is on the clock"
        if self.interrupted_after and self.interrupted is None:
            yield "no turn is interrupted, so interrupted_after must be 0"

    def _interrupted_too_late(self) -> bool:
        """Whether the turn that an offer to resign interrupts had used up the reserve."""
        if self.interrupted is None:
            return False
        return self._charged(self.interrupted_after) >= self.reserves[self.interrupted]

    @classmethod
    def tournament(cls, state: MatchState) -> Clock:
        """The clock of the U.S. Backgammon Clock Rules of March 2013.

        Two minutes for each point of the match, less one minute for each point that either player has scored, and a
        simple delay of 12 seconds.

        Raises:
            ArgumentError: this is money play, the match is over, or `state` is no `MatchState`.

        Examples:
            >>> from gammonrules import MatchState
            >>> clock = Clock.tournament(MatchState.new(9, score=(2, 1)))
            >>> clock.reserves, clock.delay, clock.timing
            ((900.0, 900.0), 12.0, 'simple')
        """
        check_kind("state", state, MatchState)
        length = state.length
        if length is None or state.winner is not None:
            raise ArgumentError(
                "the reserves of a tournament clock depend on the points of a match that goes on"
            )
        reserve = 120 * length - 60 * sum(state.score)
        return cls((reserve, reserve), 12)

    def follow(self, state: MatchState, now: float) -> Clock:
        """The clock after an event: that of `state.to_act` runs, or nobody's.

        If they are on the clock already, their turn goes on, after a pause too. Otherwise the turn before ends. But an
        offer to resign only interrupts a turn: whoever answers has a delay of their own, and if they decline, the turn
        goes on with what it had left. Nothing else of the state matters.

        Raises:
            ArgumentError: `state` is no `MatchState`, or `now` is not finite or beyond 1,000,000,000,000.

        Examples:
            >>> from gammonrules import MatchState
            >>> state = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5")
            >>> clock = Clock((60, 60), 8, "fischer").follow(state, now=100)
            >>> clock = clock.follow(state.double(), now=105)
            >>> clock.on_clock, clock.left("black", now=105)   # 60 - 5 + 8
            (Player.WHITE, 63.0)
        """
        check_kind("state", state, MatchState)
        return self._handed_to(_whose_time(state), now, runs=True)

    def pause(self, now: float) -> Clock:
        """The clock stopped, until `follow` lets it go on. This gives no delay and takes none.

        Raises:
            ArgumentError: as `follow`.

        Examples:
            >>> from gammonrules import MatchState
            >>> state = MatchState.new(7).opening_roll(3, 1)
            >>> paused = Clock((60, 60), 8).follow(state, now=0).pause(now=5)
            >>> going_on = paused.follow(state, now=3600)
            >>> going_on.delay_left(3600)
            3.0
        """
        players = [span.player for span in self._spans(now)]
        return self._handed_to(players, now, runs=False)

    def left(self, player: PlayerLike, now: float) -> float:
        """How many seconds of their reserve a player has left.

        Raises:
            ArgumentError: `player` is not a player, or for `now` as `follow`.
        """
        player = player_of(player)
        charged = 0.0
        for span in self._spans(now):
            if span.player is player:
                charged += self._charged(span.seconds)
        return max(0.0, round(self.reserves[player] - charged, 3))

    def delay_left(self, now: float) -> float:
        """How many seconds pass before the reserve runs; only a simple delay has any.

        Raises:
            ArgumentError: as `follow`.
        """
        turn = self._turn(now)
        if self.timing != "simple" or self.on_clock is None:
            return 0.0
        return max(0.0, round(self.delay - turn, 3))

    def flag(self, now: float) -> Player | None:
        """The player who has lost on time, which is when their reserve is 0; or None.

        Raises:
            ArgumentError: as `follow`.
        """
        for player in Player:
            if not self.left(player, now):
                return player
        return None

    @property
    def runs_out_at(self) -> float | None:
        """The time at which the player on the clock loses unless their turn ends; None while the clock stands.

        Examples:
            >>> from gammonrules import MatchState
            >>> state = MatchState.new(7).opening_roll(3, 1)
            >>> for timing in ("simple", "bronstein"):
            ...     clock = Clock((300, 300), 3, timing).follow(state, now=0)
            ...     clock.runs_out_at, clock.flag(301)
            (303.0, None)
            (300.0, Player.WHITE)
        """
        if self.on_clock is None or self.running_since is None:
            return None
        since = self.running_since
        return round(since + self.left(self.on_clock, since) + self.delay_left(since), 3)

    def _turn(self, now: float) -> float:
        """The seconds of the present turn, or answer, that have passed."""
        moment = moment_argument("now", now)
        since = moment if self.running_since is None else self.running_since
        return min(self.used + max(0.0, moment - since), MAX_SECONDS)

    def _charged(self, seconds: float) -> float:
        """The seconds that a turn or an answer of so many takes from the reserve before it ends."""
        return max(0.0, seconds - self.delay) if self.timing == "simple" else seconds

    def _spans(self, now: float) -> list[_TimeUsed]:
        """The time used since `reserves` counted it: by the turn, and by the answer that interrupts it."""
        spans: list[_TimeUsed] = []
        present = self._turn(now)
        if self.interrupted is not None:
            spans.append(_TimeUsed(self.interrupted, self.interrupted_after))
        if self.on_clock is not None:
            spans.append(_TimeUsed(self.on_clock, present))
        return spans

    def _handed_to(self, players: Sequence[Player], now: float, *, runs: bool) -> Clock:
        """The clock in the turn of the first player, and during the answer of the second, if there are such.

        A turn or an answer that the clock is in already goes on, with what has been used of it. If a flag has fallen,
        nobody is on the clock. `runs`: whether the time goes on, or is stopped.
        """
        moment = moment_argument("now", now)
        if self.flag(now) is not None:
            reserves = [self.left(player, now) for player in Player]
            return self._with(reserves, [], None)
        spans = self._spans(now)
        # a turn of the same player goes on; so does an answer in that turn; what follows something else is new
        going_on: list[_TimeUsed] = []
        for span, player in zip(spans, players, strict=False):
            if span.player is not player:
                break
            going_on.append(span)
        continued = len(going_on)
        reserves = self._after_the_end_of(spans, continued)
        beginning = [_TimeUsed(player, 0.0) for player in players[continued:]]
        going_on += beginning
        running_since = moment if runs and players else None
        return self._with(reserves, going_on, running_since)

    def _with(
        self, reserves: Sequence[float], spans: Sequence[_TimeUsed], running_since: float | None
    ) -> Clock:
        """This clock with other reserves, and with the turn and the answer that go on: none, a turn, or both."""
        present = spans[-1] if spans else None
        interrupted = spans[0] if len(spans) == 2 else None
        return attrs.evolve(
            self,
            reserves=reserves,
            on_clock=None if present is None else present.player,
            used=0.0 if present is None else present.seconds,
            running_since=running_since,
            interrupted=None if interrupted is None else interrupted.player,
            interrupted_after=0.0 if interrupted is None else interrupted.seconds,
        )

    def _after_the_end_of(self, spans: Sequence[_TimeUsed], continued: int) -> list[float]:
        """The reserves after the turn and its answer have ended, but for the first `continued` of them."""
        left = dict(zip(Player, self.reserves, strict=True))
        for number in range(continued, len(spans)):
            span = spans[number]
            is_turn = number == 0  # an answer adds no time, also by Fischer's rule
            given_back = min(span.seconds, self.delay)
            if is_turn and self.timing == "fischer":
                given_back = self.delay  # whatever was used
            after = left[span.player] - span.seconds + given_back
            left[span.player] = min(after, MAX_SECONDS)
        return [left[player] for player in Player]


def _whose_time(state: MatchState) -> list[Player]:
    """The player whose turn it is, and then who is to answer an offer to resign in that turn."""
    if state.to_act is None:
        return []
    if not isinstance(state.offer, Resignation):
        return [state.to_act]
    # the offer to resign interrupts the turn of the player on roll, or of the player who has to answer a double
    double = state.offer.double
    interrupted = state.on_roll if double is None else double.answerer
    assert interrupted is not None  # nobody resigns before the opening roll
    return [interrupted, state.to_act]
