"""A block of pairs: what a process plays at a time, whatever the other processes do."""

from __future__ import annotations

import inspect
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import chain
from typing import Any, TypeAlias

import numpy as np
from attrs import Factory, define, evolve, field, frozen

from gammonrules._shared.pickles import as_sent, unpickled
from gammonrules._shared.work import CacheOfOne
from gammonrules.arena._losses import Loss, losses_in, table_of
from gammonrules.arena._match import Decide, Decider, DiceOfMatch, play_match
from gammonrules.arena._players import EngineMaker, Entrant
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
        """The whole block, of which this is the half by the first seat."""
        if self.error or other.error:
            return self if self.error else other
        lost = [
            mine + theirs
            for mine, theirs in zip(self.losses or (), other.losses or (), strict=True)
        ]
        values = tuple(
            (mine[0], theirs[0]) for mine, theirs in zip(self.values, other.values, strict=True)
        )
        records = tuple(chain.from_iterable(zip(self.records, other.records, strict=True)))
        block = evolve(self.block, seats=(0, 1))
        losses = (lost[0], lost[1]) if lost else None
        return BlockResults(block, values, self.seconds + other.seconds, losses, records)


def play_block(plan: Plan, block: Block) -> BlockResults:
    """Play a block; an error is part of the result."""
    try:
        with _lock:
            return rooms.get(plan).played(block)
    except Exception as error:  # noqa: BLE001 - also a mistake of ours
        cause = error.__cause__ if isinstance(error, GammonError) else error
        told = cause if isinstance(plan.players, tuple) else as_sent(cause)
        return block_failure(plan, block, sentence=_what_went_wrong(error), cause=told)


def _what_went_wrong(error: Exception) -> str:
    """What went wrong, which an error of another library says only with its name."""
    return (
        str(error)
        if isinstance(error, GammonError)
        else f"{type(error).__name__}: {shown(str(error), 200)}"
    )


def block_failure(
    plan: Plan, block: Block, sentence: str, cause: BaseException | None = None
) -> BlockResults:
    first, last = block.first + 1, block.first + block.number
    pair = f"pair {first}" if first == last else f"pairs {first} to {last}"
    players = f"{plan.names[block.player]} against {plan.names[block.opponent]}"
    return BlockResults(block, error=f"{players}, {pair}: {sentence}", cause=cause)


@define(eq=False)
class _Room:
    """The players of a plan in this process. Engines start when they are needed."""

    plan: Plan
    players: tuple[Entrant, ...] = Factory(
        lambda room: unpickled(room.plan.players, "players"), takes_self=True
    )
    table: Any = Factory(lambda room: table_of(room.plan.table), takes_self=True)
    stream: Stream = Factory(
        lambda room: Stream.drawn_from(np.random.default_rng(room.plan.seed)), takes_self=True
    )
    opened: dict[int, Decider | Policy] = field(factory=dict)
    closing: ExitStack = field(factory=ExitStack)

    def close(self) -> None:
        self.closing.close()

    def played(self, block: Block) -> BlockResults:
        """The games of a block, those of each pair with the same dice."""
        began = time.perf_counter()
        plan = self.plan
        keeps = plan.keeps_records or self.table is not None
        player, opponent = self._open(block.player), self._open(block.opponent)
        if isinstance(player, Policy) and isinstance(opponent, Policy):
            values, matches = self._at_once(block, (player, opponent), keeps=keeps)
        else:
            values, matches = self._one_by_one(
                block, (self._bot(block.player), self._bot(block.opponent)), keeps=keeps
            )
        seconds = time.perf_counter() - began
        lost = None if self.table is None else losses_in(matches, self.table, block.seats)
        records = tuple(
            str(written_record(match, "mat").text) for match in matches if plan.keeps_records
        )
        return BlockResults(block, values, seconds, losses=lost, records=records)

    def _at_once(
        self, block: Block, policies: tuple[Policy, Policy], *, keeps: bool
    ) -> tuple[AllValues, list[Match]]:
        names = self.plan.names[block.player], self.plan.names[block.opponent]
        values = list[list[float]]()
        matches = list[list[Match]]()
        for seat in block.seats:
            white, black = names[seat], names[1 - seat]
            games = self._games(block, (policies[seat], policies[1 - seat]), (white, black))
            values.append(_player_values(games, seat))
            matches.append(games.to_matches((white, black)) if keeps else [])
        return tuple(zip(*values, strict=True)), list(
            chain.from_iterable(zip(*matches, strict=True))
        )

    def _games(
        self, block: Block, policies: tuple[Policy, Policy], names: tuple[str, str]
    ) -> MatchGames:
        """Matches, or money games, of two policies as White and Black, all at once. Raises BotError."""
        plan = self.plan
        # the functions of a block have numbers of their own
        chance = np.random.default_rng((plan.seed, block.first))
        white, black = (
            NamedPolicy(policy, name, chance) for policy, name in zip(policies, names, strict=True)
        )
        rng = np.random.default_rng(plan.seed)
        cube = (white, black) if plan.rules.cube else None
        settings: dict[str, Any] = {"length": plan.length, "rules": plan.rules, "start": plan.board}
        try:
            return play_matches(
                block.number,
                rng=rng,
                choose=(white, black),
                cube=cube,
                **settings,
                first=block.first,
            )
        except BotError:
            raise
        except GammonError as error:
            raise BotError(f"{' or '.join(dict.fromkeys(names))}: {error}") from error

    def _one_by_one(
        self, block: Block, bots: tuple[Decider, Decider], *, keeps: bool
    ) -> tuple[AllValues, list[Match]]:
        plan = self.plan
        all_values = list[Values]()
        matches = list[Match]()
        start = MatchState.new(plan.length, rules=plan.rules, position=plan.board)
        for number in range(block.first, block.first + block.number):
            values = list[float]()
            for seat, (white, black) in zip(Player, (bots, bots[::-1]), strict=True):
                dice = DiceOfMatch(self.stream, number)
                seats = {Player.WHITE: white, Player.BLACK: black}
                events, final = play_match(
                    start, bots=seats, dice=dice, seed=plan.seed, board=plan.board
                )
                values.append(value_for(seat, final))
                if keeps:
                    matches.append(Match.from_events((white.name, black.name), start, events))
            all_values.append((values[0], values[1]))
        return tuple(all_values), matches

    def _open(self, number: int) -> Decider | Policy:
        """A player, started if it must be. Raises BotError."""
        if number not in self.opened:
            name = self.plan.names[number]
            player = self.players[number]
            if isinstance(player, EngineMaker):
                engine = self._started(name, player)
                self.opened[number] = Decider(name, lambda state, _: engine.decide(state))
            elif isinstance(player, Policy):
                self.opened[number] = player
            else:
                self.opened[number] = Decider(name, deciding(player), self.plan.timeout)
        return self.opened[number]

    def _started(self, name: str, maker: EngineMaker) -> SimpleEngine | AskedProgram:
        try:
            return self.closing.enter_context(maker.start())
        except Exception as error:
            raise BotError(f"{name}: it cannot be started: {_what_went_wrong(error)}") from error

    def _bot(self, number: int) -> Decider:
        """A player who decides state after state."""
        player = self._open(number)
        if isinstance(player, Decider):
            return player
        return Decider(self.plan.names[number], by_states(player, self.stream), self.plan.timeout)


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
    """The same for many of them; the players are 0 for White and 1 for Black."""
    scores = games.match_scores.astype(float)
    margins: list[float] = (scores[:, player] - scores[:, 1 - player]).tolist()
    return margins if games.length is None else [float(margin > 0) for margin in margins]


rooms = CacheOfOne(_Room)
"""The players in this process, if it has some."""
_lock = threading.RLock()
"""They play one block at a time, also where a process of a cluster has several threads."""
