"""A block of pairs: what a process plays at a time, whatever the other processes do."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NoReturn,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    get_args,
)

import numpy as np
from attrs import define, evolve, field, frozen

from gammonrules._shared.extras import importing_package
from gammonrules._shared.forks import ForkableLock
from gammonrules._shared.pickles import as_sent, unpickled
from gammonrules._shared.work import CacheOfOne
from gammonrules.arena._losses import Loss, losses_in, table_of
from gammonrules.arena._match import Decide, Decider, DiceOfMatch, Moment, PlayerError, play_match
from gammonrules.arena._players import EnginePlayer, Entrant, may_remember
from gammonrules.arena._policies import NamedPolicy, Policy, by_states
from gammonrules.arena._programs import AskedProgram
from gammonrules.batch import MatchGames, play_matches
from gammonrules.batch.internals import Stream
from gammonrules.board import Play, Position
from gammonrules.engine import SimpleEngine
from gammonrules.errors import BotError, EngineError, GammonError
from gammonrules.match import Action, Event, Forfeit, MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import choice_argument, error_text, shown

if TYPE_CHECKING:  # you can remove records
    from gammonrules.records.transcript import Match

Values: TypeAlias = tuple[float, float]
"""Of a pair, what the first player of the pairing has: as White, and as Black."""
AllValues: TypeAlias = tuple[Values, ...]
_Seated: TypeAlias = tuple[int, Player | None]
"""A player by number, and as whom a program plays that may remember dice; None for all others."""
OnError: TypeAlias = Literal["stop", "forfeit", "drop"]
"""What is done with a player who fails: the arena ends, they lose the game, or they leave."""
_Item = TypeVar("_Item")
_MAX_SENTENCE_LENGTH: Final = 2_000
"""About a player who fails, so that it fits into a line of a file; those of ours have up to 1,000 characters."""


def checked_on_error(value: object) -> OnError:
    """What is done with a player who fails. Raises ArgumentError."""
    choices: tuple[OnError, ...] = get_args(OnError)
    return choice_argument("on_error", value, choices)


def pairs_at_once(first: int, *, may_end: bool) -> int:
    """The number of pairs that two policies play at once after `first` of them, whatever other processes do.

    The more, the faster; the fewer, the less is lost or played beyond the end, and the sooner others have a share.
    Where the pairing may end early, that weighs more. Players of other kinds play one pair after another.
    """
    return min(max(15, first // 3) if may_end else max(500, first), 2_000)


@frozen
class Plan:
    """All that a process needs to play any block. It can be pickled."""

    names: tuple[str, ...]
    """By number, also those of players who have left."""
    players: bytes | tuple[Entrant | None, ...]
    """The players, or None for who has left; pickled with their functions, if other processes are to have them."""
    length: int | None
    rules: Rules
    seed: int
    timeout: float | None
    table: object = field(eq=str)
    """An exact table, or where its file is; None for none."""
    keeps_records: bool
    board: Position | None = None
    """The first board of every game, if the rules do not name it."""
    on_error: OnError | None = None
    """None for what a file says."""

    def __attrs_post_init__(self) -> None:
        if self.keeps_matches:
            record_class()  # if this copy has no records, that is reported before anything is played

    @property
    def keeps_matches(self) -> bool:
        """Whether the games are made into matches: for their records, or for what was lost by the table."""
        return self.keeps_records or self.table is not None


def record_class() -> type[Match]:
    """Return the class of the matches that are kept.

    Raises:
        ImportError: this copy of the library has no records.
    """
    with importing_package("records", "arena.Options with records= or table="):
        from gammonrules.records.transcript import Match  # noqa: PLC0415 - most games are not kept

    return Match


@frozen
class ProcessEnd:
    """Where the process ended in which a block was played: in which of its games, and who was to decide."""

    game: int
    decision: int
    """The number of the decision of this player in the game, from 0."""
    name: str

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The decision that was written last, or None if nobody was asked."""
        try:
            game, decision, name = path.read_text(encoding="utf-8").split(" ", 2)
        except (OSError, ValueError):
            return None
        return cls(int(game), int(decision), name)

    def write(self, path: Path) -> None:
        """Write this down before the player is asked."""
        path.write_text(f"{self.game} {self.decision} {self.name}", encoding="utf-8")


@frozen
class Block:
    """Pairs of games of two players, by their numbers, from the pair `first` on, or one game of each pair."""

    player: int
    opponent: int
    first: int
    number: int
    seats: tuple[int, ...] = (0, 1)
    """The seats that the player has: 0 for White, 1 for Black. Another process may play the games of the other seat."""
    trace: Path | None = field(default=None, eq=False)
    """A file in which stands who is asked, if it is to be found out at whom a process ends."""
    ends: tuple[ProcessEnd, ...] = field(default=(), eq=False)
    """Where processes ended that played this block: there nobody is asked any more."""

    @property
    def begin(self) -> tuple[int, int, int]:
        """The players, and the pair with which it begins."""
        return self.player, self.opponent, self.first

    @property
    def is_whole(self) -> bool:
        """Whether it has both games of each pair."""
        return self.seats == (0, 1)

    @property
    def halves(self) -> tuple[Block, Block]:
        """The same by seats."""
        return evolve(self, seats=(0,)), evolve(self, seats=(1,))


@frozen
class BlockResults:
    """The results of a block, or why it has none."""

    block: Block
    values: AllValues = ()
    seconds: float = 0
    losses: tuple[Loss, Loss] | None = None
    """Of both players, if there is a table."""
    records: tuple[str, ...] = ()
    """The matches as .mat, both of each pair in turn, if they are kept."""
    forfeits: tuple[int, int] = (0, 0)
    """How many of the games each of the two players forfeited."""
    error: str | None = None
    failed: str | None = None
    """The name of the player whose fault that is, if it is known."""
    cause: BaseException | None = field(default=None, eq=False)
    """What a bot raised, if that can be sent here."""

    def with_half(self, other: BlockResults) -> BlockResults:
        """The whole block: this half has the games of the player as White, the other one those as Black."""
        if self.error is not None:
            return self
        if other.error is not None:
            return other
        values = list[Values]()
        for as_white, as_black in zip(self.values, other.values, strict=True):
            # a half has one value of each pair, that of its seat
            values.append((as_white[0], as_black[0]))
        losses = None
        if self.losses is not None and other.losses is not None:
            losses = (self.losses[0] + other.losses[0], self.losses[1] + other.losses[1])
        return BlockResults(
            evolve(self.block, seats=(0, 1)),
            values=tuple(values),
            seconds=round(self.seconds + other.seconds, 6),
            losses=losses,
            forfeits=(self.forfeits[0] + other.forfeits[0], self.forfeits[1] + other.forfeits[1]),
            records=tuple(_interleaved([self.records, other.records])),
        )


@frozen(eq=False)
class PlayBlock:
    """A function that plays a block, in whatever process it is called. It can be pickled."""

    plan: Plan

    def __call__(self, block: Block) -> BlockResults:
        """The results of a block; an error is one of them."""
        try:
            with _lock:
                return players_of_plan.get(self.plan).results_of(block)
        except Exception as error:  # noqa: BLE001 - also a mistake of ours
            # a GammonError has what a bot raised as its cause
            cause = error.__cause__ if isinstance(error, GammonError) else error
            is_in_other_process = isinstance(self.plan.players, bytes)
            if is_in_other_process:
                cause = as_sent(cause)
            failed = error.name if isinstance(error, PlayerError) else None
            return self.failure(block, _what_went_wrong(error), cause, failed)

    def failure(
        self,
        block: Block,
        sentence: str,
        cause: BaseException | None = None,
        failed: str | None = None,
    ) -> BlockResults:
        """The results of a block that cannot be played, as the sentence says, by the fault of the player `failed`."""
        names = self.plan.names
        first = block.first + 1  # users count from 1
        last = block.first + block.number
        pairs = f"pair {first}" if first == last else f"pairs {first} to {last}"
        seed = f"seed {self.plan.seed}"
        players = f"{names[block.player]} against {names[block.opponent]}"
        return BlockResults(
            block, error=f"{players}, {pairs} of {seed}: {sentence}", cause=cause, failed=failed
        )


def not_started(name: str, error: Exception) -> str:
    """The sentence about a player who cannot begin."""
    return f"{name}: it cannot be started: {_what_went_wrong(error)}"


def _what_went_wrong(error: Exception) -> str:
    """The message of an error, with its name before that of another library.

    A bot may raise an error of ours with all that a program of its own has said.
    """
    if isinstance(error, GammonError):
        return error_text(error)[:_MAX_SENTENCE_LENGTH]
    return f"{type(error).__name__}: {shown(error_text(error), 200)}"


def _records_of(matches: Iterable[Match]) -> list[str]:
    from gammonrules.records.formats import written_record  # noqa: PLC0415 - they take time to load

    return [str(written_record(match, "mat").text) for match in matches]


def _interleaved(sequences: Iterable[Sequence[_Item]]) -> list[_Item]:
    """The first items of all, then the second ones, and so on: both games of a pair, then both of the next."""
    items = list[_Item]()
    for items_of_pair in zip(*sequences, strict=True):
        items += items_of_pair
    return items


class _PlayersOfPlan:
    """The players of a plan in this process. Engines start when they are needed."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._players: tuple[Entrant | None, ...] = unpickled(plan.players, "players")
        self._table = table_of(plan.table)
        self._stream = Stream.drawn_from(np.random.default_rng(plan.seed))
        self._opened: dict[_Seated, Decider] = {}
        self._engines: dict[_Seated, ExitStack] = {}
        self._last_pairs: dict[_Seated, int] = {}
        """The last pairs whose dice a program has met."""
        self._starting = 0.0
        """How many seconds it took to start engines."""

    def close(self) -> None:
        """End the engines."""
        with ExitStack() as stack:
            for engine in self._engines.values():
                stack.push(engine)

    def results_of(self, block: Block) -> BlockResults:
        """The games of a block, those of each pair with the same dice."""
        player = self._players[block.player]
        opponent = self._players[block.opponent]
        self._starting = 0.0
        began = time.perf_counter()
        played: _Played | None = None
        if isinstance(player, Policy) and isinstance(opponent, Policy) and block.trace is None:
            try:
                played = self._play_at_once(block, player, opponent)
            except PlayerError:
                if not self._forfeits:
                    raise
        if played is None:  # also where one of many games at once is to be forfeited
            played = self._play_one_by_one(block)
        seconds = round(time.perf_counter() - began - self._starting, 6)
        losses = None
        if self._table is not None:
            losses = losses_in(played.matches, self._table, block.seats)
        records = _records_of(played.matches) if self._plan.keeps_records else []
        return BlockResults(
            block,
            played.values,
            seconds,
            losses=losses,
            records=tuple(records),
            forfeits=played.forfeits,
        )

    @property
    def _forfeits(self) -> bool:
        """Whether a player who fails forfeits the game."""
        return self._plan.on_error == "forfeit"

    def _play_at_once(self, block: Block, player: Policy, opponent: Policy) -> _Played:
        """The games of two policies."""
        values_by_seat = list[list[float]]()
        matches_by_seat: list[list[Match]] = []
        player_name = self._plan.names[block.player]
        opponent_name = self._plan.names[block.opponent]
        for seat in block.seats:
            if seat == 0:
                names = (player_name, opponent_name)
                games = self._games(block, (player, opponent), names)
            else:
                names = (opponent_name, player_name)
                games = self._games(block, (opponent, player), names)
            values_by_seat.append(_player_values(games, seat))
            if self._plan.keeps_matches:
                matches_by_seat.append(games.to_matches(names))
        values_by_pair = tuple(zip(*values_by_seat, strict=True))
        return _Played(values_by_pair, _interleaved(matches_by_seat))

    def _games(
        self, block: Block, policies: tuple[Policy, Policy], names: tuple[str, str]
    ) -> MatchGames:
        """Matches, or money games, of two policies as White and Black, all at once. Raises BotError."""
        plan = self._plan
        # what the functions draw depends on the block alone, not on who has played before
        chance = np.random.default_rng((plan.seed, block.first))
        white = NamedPolicy(policies[0], names[0], chance)
        black = NamedPolicy(policies[1], names[1], chance)
        try:
            return play_matches(
                block.number,
                rng=np.random.default_rng(plan.seed),
                choose=(white, black),
                cube=(white, black) if plan.rules.cube else None,
                length=plan.length,
                rules=plan.rules,
                start=plan.board,
                first=block.first,
            )
        except BotError:
            raise
        except GammonError as error:
            players = names[0] if names[0] == names[1] else f"{names[0]} or {names[1]}"
            raise BotError(f"{players}: {error}") from error

    def _play_one_by_one(self, block: Block) -> _Played:
        """The games of players who decide state after state."""
        plan = self._plan
        start = MatchState.new(plan.length, rules=plan.rules, position=plan.board)
        all_values = list[Values]()
        matches: list[Match] = []
        kept_as = record_class() if plan.keeps_matches else None
        forfeits = [0, 0]
        for number in range(block.first, block.first + block.number):
            values = list[float]()
            dice = DiceOfMatch(self._stream, number)
            for seat in block.seats:
                color = Player.WHITE if seat == 0 else Player.BLACK
                game = 2 * (number - block.first) + seat
                bots = {
                    color: self._seated(block.player, color, block, game),
                    color.opponent: self._seated(block.opponent, color.opponent, block, game),
                }
                events, final = play_match(
                    start, bots, dice, plan.seed, plan.board, forfeits=self._forfeits
                )
                values.append(value_for(color, final))
                if isinstance(events[-1], Forfeit):
                    is_of_player = events[-1].loser is color
                    forfeits[0 if is_of_player else 1] += 1
                    self._end_failed(block.player if is_of_player else block.opponent)
                if kept_as is not None:
                    names = (bots[Player.WHITE].name, bots[Player.BLACK].name)
                    matches.append(kept_as.from_events(names, start, events))
            # a block that was halved has a value for one seat only
            all_values.append(cast("Values", tuple(values)))
        return _Played(tuple(all_values), matches, (forfeits[0], forfeits[1]))

    def _seated(self, number: int, color: Player, block: Block, game: int) -> Decider:
        """A player for one game of a block. Raises PlayerError if they cannot be started."""
        pair = block.first + game // 2
        try:
            decider = self._decider(number, color, pair)
        except PlayerError as failure:
            # who cannot even start for the first pair is no player
            if pair == 0 or not self._forfeits:
                raise
            return Decider(self._plan.names[number], partial(_fails, failure))
        if block.trace is None:
            return decider
        return evolve(decider, decide=_Traced(decider, game, block.trace, block.ends).decide)

    def _decider(self, number: int, color: Player, pair: int) -> Decider:
        """A player who decides state after state, in a game of this pair. Raises PlayerError.

        A program that may remember dice has a process for its games as White, and another one for those as Black. One
        that has met the dice of this pair, against somebody else, ends, and another one takes its place: so none meets
        the same dice twice.
        """
        player = self._players[number]
        seated: _Seated = (number, None)
        if may_remember(player):
            seated = (number, color)
            if self._last_pairs.get(seated, -1) >= pair:
                self._end(seated)
            self._last_pairs[seated] = pair
        if seated not in self._opened:
            self._opened[seated] = self._newly_opened(seated)
        return self._opened[seated]

    def _newly_opened(self, seated: _Seated) -> Decider:
        number, _ = seated
        name = self._plan.names[number]
        player = self._players[number]
        assert player is not None  # who has left plays no more
        if isinstance(player, EnginePlayer):
            engine = self._started(seated, player)
            return Decider(name, lambda state, _: engine.decide(state))
        if isinstance(player, Policy):  # as it plays against somebody else than a policy
            return Decider(name, by_states(player, self._stream), self._plan.timeout)
        return Decider(name, deciding(player), self._plan.timeout)

    def _started(self, seated: _Seated, maker: EnginePlayer) -> SimpleEngine | AskedProgram:
        number, _ = seated
        name = self._plan.names[number]
        began = time.perf_counter()
        try:
            with ExitStack() as stack:
                engine = stack.enter_context(maker.start())
                self._engines[seated] = stack.pop_all()
        except Exception as error:
            raise PlayerError(not_started(name, error), name) from error
        self._starting += time.perf_counter() - began
        return engine

    def _end_failed(self, number: int) -> None:
        """End the engines of a player who has failed: for the next game one is started anew."""
        for seated in [seated for seated in self._engines if seated[0] == number]:
            self._opened.pop(seated, None)
            with suppress(EngineError), self._engines.pop(seated):
                raise EngineError("it has failed, so it is not waited for")

    def _end(self, seated: _Seated) -> None:
        """End a program, unless it has not been started."""
        self._opened.pop(seated, None)
        engine = self._engines.pop(seated, None)
        if engine is not None:
            engine.close()


@frozen
class _Played:
    """The games of a block: their values, the matches if they are kept, and how many each player forfeited."""

    values: AllValues
    matches: list[Match]
    forfeits: tuple[int, int] = (0, 0)


@define(eq=False)
class _Traced:
    """A player in one game, who is written down before each decision: if the process ends, it is known at whom."""

    decider: Decider
    game: int
    trace: Path
    ends: tuple[ProcessEnd, ...]
    asked: int = 0

    def decide(self, state: MatchState, moment: Moment) -> Event | Action | Play:
        """Ask the player, after writing down who is asked. Raises PlayerError where a process has ended before."""
        name = self.decider.name
        for end in self.ends:
            if (end.game, end.name) == (self.game, name) and self.asked >= end.decision:
                raise PlayerError(f"{name}: its process ended here", name)
        ProcessEnd(self.game, self.asked, name).write(self.trace)
        self.asked += 1
        return self.decider.decide(state, moment)


def _fails(failure: PlayerError, _state: MatchState, _moment: Moment) -> NoReturn:
    """A decision of a player who could not be started."""
    raise failure


def deciding(function: Callable[..., Any]) -> Decide:
    with suppress(TypeError, ValueError):  # it is not written in Python
        if "rng" in inspect.signature(function).parameters:
            return lambda state, moment: function(state, rng=moment.rng)
    return lambda state, _: function(state)


def value_for(player: Player, final: MatchState) -> float:
    """The value of a match, or a money game, to a player: 1 or 0, or points."""
    if final.length is not None:
        return float(final.winner is player)
    return float(final.score[player] - final.score[player.opponent])


def _player_values(games: MatchGames, player: int) -> list[float]:
    """The value of each match, or money game, to a player, 0 for White and 1 for Black."""
    scores = games.match_scores.astype(float)
    opponent = 1 - player
    margins: list[float] = (scores[:, player] - scores[:, opponent]).tolist()
    if games.length is None:
        return margins
    return [float(margin > 0) for margin in margins]


players_of_plan = CacheOfOne(_PlayersOfPlan)
"""The players in this process, if it has some."""
_lock = ForkableLock()
"""They play one block at a time, also where a process of a cluster has several threads."""
