"""A block of pairs: what a process plays at a time, whatever the other processes do."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from typing import Any, TypeAlias, TypeVar

import numpy as np
from attrs import evolve, field, frozen

from gammonrules._shared.pickles import as_sent, unpickled
from gammonrules._shared.work import CacheOfOne
from gammonrules.arena._losses import Loss, losses_in, table_of
from gammonrules.arena._match import Decide, Decider, DiceOfMatch, play_match
from gammonrules.arena._players import EngineMaker, Entrant, may_remember
from gammonrules.arena._policies import NamedPolicy, Policy, by_states
from gammonrules.arena._programs import AskedProgram
from gammonrules.batch import MatchGames, play_matches
from gammonrules.batch.internals import Stream
from gammonrules.board import Position
from gammonrules.engine import SimpleEngine
from gammonrules.errors import BotError, GammonError
from gammonrules.match import MatchState, Player
from gammonrules.records.formats import written_record
from gammonrules.records.transcript import Match
from gammonrules.rules import Rules
from gammonrules.values import shown

Values: TypeAlias = tuple[float, float]
"""Of a pair, what the first player of the pairing has: as White, and as Black."""
AllValues: TypeAlias = tuple[Values, ...]
_Seated: TypeAlias = tuple[int, Player | None]
"""A player by number, and as whom a program plays that may remember dice; None for all others."""
_Item = TypeVar("_Item")


def pairs_at_once(first: int, *, may_end: bool) -> int:
    """How many pairs two policies play at once after so many, whatever the other processes do.

    The more, the faster; the fewer, the less is lost or played beyond the end, and the sooner others have a share.
    Where the pairing may end early, that weighs more. Players of other kinds play one pair after another.
    """
    return min(max(15, first // 3) if may_end else max(500, first), 2_000)


@frozen
class Plan:
    """All that a process needs to play any block. It can be pickled."""

    names: tuple[str, ...]
    players: bytes | tuple[Entrant, ...]
    """The players; pickled with their functions, if other processes are to have them."""
    length: int | None
    rules: Rules
    seed: int
    timeout: float | None
    table: object = field(eq=str)
    """An exact table, or where its file is; None for none."""
    keeps_records: bool
    board: Position | None = None
    """The first board of every game, if the rules do not name it."""


@frozen
class Block:
    """Pairs of games of two players, by their numbers, from the pair `first` on, or one game of each pair."""

    player: int
    opponent: int
    first: int
    number: int
    seats: tuple[int, ...] = (0, 1)
    """Those of the player: 0 for White, 1 for Black. Another process may play their games in the other one."""

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
    error: str | None = None
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
            seconds=self.seconds + other.seconds,
            losses=losses,
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
            return self._failure(block, _what_went_wrong(error), cause)

    def lost(self, block: Block, sentence: str) -> BlockResults:
        """What comes of a block whose process ended, as the sentence says."""
        return self._failure(block, sentence, cause=None)

    def _failure(self, block: Block, sentence: str, cause: BaseException | None) -> BlockResults:
        names = self.plan.names
        first = block.first + 1  # users count from 1
        last = block.first + block.number
        pairs = f"pair {first}" if first == last else f"pairs {first} to {last}"
        seed = f"seed {self.plan.seed}"
        players = f"{names[block.player]} against {names[block.opponent]}"
        return BlockResults(block, error=f"{players}, {pairs} of {seed}: {sentence}", cause=cause)


def _what_went_wrong(error: Exception) -> str:
    """What went wrong, which an error of another library says only with its name."""
    if isinstance(error, GammonError):
        return str(error)
    return f"{type(error).__name__}: {shown(str(error), 200)}"


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
        self._players: tuple[Entrant, ...] = unpickled(plan.players, "players")
        self._table = table_of(plan.table)
        self._stream = Stream.drawn_from(np.random.default_rng(plan.seed))
        self._opened: dict[_Seated, Decider] = {}
        self._engines: dict[_Seated, ExitStack] = {}
        self._last_pairs: dict[_Seated, int] = {}
        """Those whose dice a program has met."""
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
        if isinstance(player, Policy) and isinstance(opponent, Policy):
            values, matches = self._play_at_once(block, player, opponent)
        else:
            values, matches = self._play_one_by_one(block)
        seconds = round(time.perf_counter() - began - self._starting, 6)
        losses = None if self._table is None else losses_in(matches, self._table, block.seats)
        records = list[str]()
        if self._plan.keeps_records:
            records = [str(written_record(match, "mat").text) for match in matches]
        return BlockResults(block, values, seconds, losses=losses, records=tuple(records))

    @property
    def _keeps_matches(self) -> bool:
        return self._plan.keeps_records or self._table is not None

    def _play_at_once(
        self, block: Block, player: Policy, opponent: Policy
    ) -> tuple[AllValues, list[Match]]:
        """The values and, if they are kept, the matches of a block of two policies."""
        values_by_seat = list[list[float]]()
        matches_by_seat = list[list[Match]]()
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
            if self._keeps_matches:
                matches_by_seat.append(games.to_matches(names))
        values_by_pair = tuple(zip(*values_by_seat, strict=True))
        return values_by_pair, _interleaved(matches_by_seat)

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

    def _play_one_by_one(self, block: Block) -> tuple[AllValues, list[Match]]:
        """The values and, if they are kept, the matches of a block of players who decide state after state."""
        plan = self._plan
        start = MatchState.new(plan.length, rules=plan.rules, position=plan.board)
        all_values = list[Values]()
        matches = list[Match]()
        for number in range(block.first, block.first + block.number):
            values = list[float]()
            for player_color in Player:  # first as White, then as Black
                other_color = player_color.opponent
                bots = {
                    player_color: self._decider(block.player, player_color, number),
                    other_color: self._decider(block.opponent, other_color, number),
                }
                dice = DiceOfMatch(self._stream, number)
                events, final = play_match(start, bots, dice, plan.seed, plan.board)
                values.append(value_for(player_color, final))
                if self._keeps_matches:
                    names = (bots[Player.WHITE].name, bots[Player.BLACK].name)
                    matches.append(Match.from_events(names, start, events))
            all_values.append((values[0], values[1]))
        return tuple(all_values), matches

    def _decider(self, number: int, color: Player, pair: int) -> Decider:
        """A player who decides state after state, in a game of this pair. Raises BotError.

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
        if isinstance(player, EngineMaker):
            engine = self._started(seated, name, player)
            return Decider(name, lambda state, _: engine.decide(state))
        if isinstance(player, Policy):  # as it plays against somebody else than a policy
            return Decider(name, by_states(player, self._stream), self._plan.timeout)
        return Decider(name, deciding(player), self._plan.timeout)

    def _started(
        self, seated: _Seated, name: str, maker: EngineMaker
    ) -> SimpleEngine | AskedProgram:
        began = time.perf_counter()
        try:
            with ExitStack() as stack:
                engine = stack.enter_context(maker.start())
                self._engines[seated] = stack.pop_all()
        except Exception as error:
            raise BotError(f"{name}: it cannot be started: {_what_went_wrong(error)}") from error
        self._starting += time.perf_counter() - began
        return engine

    def _end(self, seated: _Seated) -> None:
        """End a program, unless it has not been started."""
        self._opened.pop(seated, None)
        engine = self._engines.pop(seated, None)
        if engine is not None:
            engine.close()


def deciding(function: Callable[..., Any]) -> Decide:
    with suppress(TypeError, ValueError):  # it is not written in Python
        if "rng" in inspect.signature(function).parameters:
            return lambda state, moment: function(state, rng=moment.rng)
    return lambda state, _: function(state)


def value_for(player: Player, final: MatchState) -> float:
    """What a match, or a money game, gave to a player: 1 or 0, or points."""
    if final.length is not None:
        return float(final.winner is player)
    return float(final.score[player] - final.score[player.opponent])


def _player_values(games: MatchGames, player: int) -> list[float]:
    """What each match, or money game, gave to a player, 0 for White and 1 for Black."""
    scores = games.match_scores.astype(float)
    opponent = 1 - player
    margins: list[float] = (scores[:, player] - scores[:, opponent]).tolist()
    if games.length is None:
        return margins
    return [float(margin > 0) for margin in margins]


players_of_plan = CacheOfOne(_PlayersOfPlan)
"""The players in this process, if it has some."""
_lock = threading.RLock()
"""They play one block at a time, also where a process of a cluster has several threads."""
