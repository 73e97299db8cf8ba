"""`play`: an arena, on all processors, that goes on where it was."""

from __future__ import annotations

import heapq
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain, combinations
from math import inf
from pathlib import Path
from typing import Final, TypeAlias, cast

from attrs import define, field

from gammonrules._shared.disk_files import path_text
from gammonrules._shared.pickles import pickled
from gammonrules._shared.work import checked_jobs, in_order
from gammonrules.arena import _blocks as blocks
from gammonrules.arena._blocks import Block, BlockResults, Plan, Values, pairs_at_once
from gammonrules.arena._intervals import LEAST, ArenaUntil, Interval, Scores
from gammonrules.arena._losses import Loss, table_of
from gammonrules.arena._players import Entrant, entrants_of, refuse_limits
from gammonrules.arena._policies import Policy
from gammonrules.arena._ranking import Ranking
from gammonrules.arena._results import MOST_SEED, Pairing, Results
from gammonrules.arena._saved import opened, with_records_in, write_records
from gammonrules.batch.internals import start_of_matches
from gammonrules.board import Position, StartName
from gammonrules.engine.internals import seconds_or_none
from gammonrules.errors import ArgumentError, BotError
from gammonrules.match import MatchState
from gammonrules.match.internals import CENTERED, highest_win, win_points
from gammonrules.rules import Rules
from gammonrules.values import check_function, checked_until, whole_argument

Runner: TypeAlias = Callable[
    [Callable[[Block], BlockResults], Iterable[Block]], Iterable[BlockResults]
]
"""Calls a function for each item, somewhere, and gives the results in the order of the items, as `map` does."""
_Played: TypeAlias = Mapping[Block, BlockResults]

_MOST_GAMES: Final = 2**32
_MOST_PIPS: Final = 15 * 25


def play(  # noqa: PLR0913 - all but the players have a default
    players: Mapping[str, str | Entrant] | Sequence[str | Entrant],
    *,
    games: int = 1_000,
    length: int | None = None,
    rules: Rules | None = None,
    start: StartName | Position | None = None,
    seed: int = 1,
    until: ArenaUntil = None,
    timeout: float | None = 60,
    table: object = None,
    records: str | os.PathLike[str] | None = None,
    save: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    run: Runner | None = None,
    progress: Callable[[Running], object] | None = None,
) -> Results:
    """Let players play each other, each against each, and tell by how much one is better.

    Games come in pairs with the same dice, in which the players exchange seats; all pairings have the same dice. So a
    player comes out exactly even against themselves, and the interval, which is that of the mean of the pairs, is
    narrower than with independent dice.

    The result depends on the players, the rules, the seed and `until`, not on the number of processes or interruptions.

    Args:
        players: a list, or a dict by their names. A player is a name as on the command ("gnubg:1", "bgsage:1",
            "ubgi:PROGRAM", "module:function"); a function from a `MatchState` to an `Event` or `Action.ROLL`, which may
            have a parameter `rng` for a `random.Random` of its own, made from the seed; a `Policy`; or an
            `EngineMaker`.
        games: how many each two play, an even number; in a match, how many matches.
        length: the points that win a match; None (the default) for money play.
        rules: the options; by default those of `MatchState.new`. `Rules(cube=False)` plays without a cube.
        start: the first board of every game, as White sees it, before the opening roll: a name as in `Position.start`,
            or a position. None (the default) is the start of the rules.
        seed: what the dice are made from, a whole number from 0.
        until: ends a pairing early: "decided" as soon as it is clear who is better, or a number as soon as the margin
            is that small. "ranked" plays first the games that say most about the ranking, and ends as soon as the order
            of all is clear; `games` is then how many each two play on average, at most. None (the default) plays all.
        timeout: seconds for a decision of a function, 60 by default; None for no limit. Windows and threads have none.
            Engines have a limit of their own.
        table: a two-sided table of `gammonrules.bearoff`, or its file: what each player loses by decisions that it
            knows is counted (`Pairing.losses`). It is exact for money play, and where any win decides the match.
        records: a folder for a record of every match or money game, as .mat. None is replaced: those that are there
            must be of pairs in `save`.
        save: a file to which pairs are added as soon as they are played. If it is there, the arena goes on with it; so
            one that was stopped loses nothing, and `games` may be raised, and further players named after those that
            it has. Pairs without their `records` are played again.
        jobs: how many processes; None (the default) for one for each processor. With 1 the games are played in this
            process.
        run: calls the function on each item in the place of these processes, and gives the results in order, as `map`
            does: so a cluster can play.
        progress: is called after each block of games.

    Raises:
        ArgumentError: an argument is out of bounds, a player is none, an engine is to play with a limit of the cube
            that may matter, or a record of other games is in `records`.
        BotError: a bot cannot be started, raised an exception, was late, or decided what is not legal, its process
            ended, or an engine failed. The message names the players, the pair and the state; what a bot raised is the
            cause.
        GammonError: no game can begin so.
        ParseError: `save` is not a file of this arena, or another arena writes to it.
        OSError: a file cannot be read or written.

    Examples:
        >>> from gammonrules import Action, Event, Rules, arena
        >>> def first(state):
        ...     if not state.dice:
        ...         return Action.ROLL
        ...     return Event(Action.PLAY, argument=state.legal_plays[0])
        >>> def chance(state, rng):
        ...     if not state.dice:
        ...         return Action.ROLL
        ...     return Event(Action.PLAY, argument=rng.choice(state.legal_plays))
        >>> no_cube = Rules(cube=False)
        >>> results = arena.play([first, chance], games=10, rules=no_cube, jobs=1)
        >>> results.pairings[0].players, results.pairings[0].games
        (('first', 'chance'), 10)
        >>> even = arena.play([chance, chance], games=10, rules=no_cube, jobs=1)
        >>> print(even)
        chance against chance 2: +0.000 ± 0.000 (10 games)
    """
    entrants = entrants_of(players)
    everybody = tuple(entrants.values())
    for name, function in (("run", run), ("progress", progress)):
        check_function(name, function, optional=True)
    in_process = run is None and checked_jobs(jobs) == 1
    (options, board) = start_of_matches(length, rules, start)
    exact = table_of(table)
    begins = MatchState.new(length, rules=options, position=board)
    refuse_limits(entrants, begins)
    sent = (
        everybody if in_process else pickled(everybody, "players", "an arena in several processes")
    )
    told_table = path_text(table) if isinstance(table, (str, os.PathLike)) else exact
    plan = Plan(
        tuple(entrants),
        players=sent,
        length=begins.length,
        rules=options,
        seed=whole_argument("seed", value=seed, least=0, most=MOST_SEED),
        timeout=seconds_or_none(timeout),
        table=told_table,
        keeps_records=records is not None,
        board=board,
    )
    pairings = _pairings_of(everybody, begins)
    running = Running(
        plan,
        pairs=_half_of(games),
        until="ranked" if until == "ranked" else checked_until(until),
        pairings=pairings,
    )
    folder = None if records is None else Path(path_text(records))
    with ExitStack() as stack:
        stack.callback(blocks.rooms.close)
        saved = (
            None
            if save is None
            else stack.enter_context(opened(save, plan=plan, table=exact, players=everybody))
        )
        before = {} if saved is None else saved.played
        if folder is not None:
            before = with_records_in(folder, before)
        runner = run or partial(in_processes, jobs)
        for played in stack.enter_context(closing(running._play(runner, before))):  # noqa: SLF001
            if saved is not None:
                saved.add(played)
            if folder is not None:
                write_records(folder, played)
            if progress is not None:
                progress(running)
    return running.results()


@define(eq=False)
class _PairTally:
    """The results of two players so far, and whether they are policies, which play many pairs at once."""

    numbers: tuple[int, int]
    are_policies: bool
    scores: Scores
    values: list[Values] = field(factory=list)
    seconds: float = 0
    losses: tuple[Loss, Loss] | None = None

    def add(self, played: BlockResults) -> None:
        self.scores.seen.update(played.values)
        self.values += played.values
        self.seconds += played.seconds
        if played.losses is not None:
            mine, theirs = self.losses or (Loss(), Loss())
            self.losses = mine + played.losses[0], theirs + played.losses[1]

    def next_blocks(self, number: int) -> Iterator[Block]:
        """So many more pairs."""
        begin = len(self.values)
        size = pairs_at_once(begin, may_end=False) if self.are_policies else 1
        for first in range(begin, begin + number, size):
            yield Block(*self.numbers, first, min(size, begin + number - first))

    def result(self, names: Sequence[str], interval: Interval) -> Pairing:
        first, second = self.numbers
        return Pairing(
            (names[first], names[second]),
            interval=interval,
            variance_ratio=self.scores.variance_ratio,
            losses=self.losses,
            seconds=self.seconds,
            values=tuple(self.values),
        )


@define(eq=False)
class Running:
    """An arena while it is played; `arena.play` passes it to `progress`.

    *Equality*: identity.
    """

    _plan: Plan
    _pairs: int
    _until: ArenaUntil
    _pairings: list[_PairTally]

    @property
    def finished(self) -> int:
        """How many games have been played."""
        return 2 * sum(len(pairing.values) for pairing in self._pairings)

    @property
    def total(self) -> int:
        """How many games there are to be, unless `until` ends more pairings early."""
        return 2 * sum(
            len(pairing.values) if self._is_over(pairing) else self._pairs
            for pairing in self._pairings
        )

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """The result of each pairing so far, with how far it can be trusted."""
        return tuple(pairing.scores.interval(self._until) for pairing in self._pairings)

    def results(self) -> Results:
        """The results of the games so far, with all values."""
        names = self._plan.names
        both = zip(self._pairings, self.intervals, strict=True)
        pairings = tuple(pairing.result(names, interval) for pairing, interval in both)
        return Results(
            names,
            length=self._plan.length,
            seed=self._plan.seed,
            pairings=pairings,
            until=self._until,
        )

    def _play(self, run: Runner, before: _Played) -> Generator[BlockResults]:
        """Play what was not played before. Raises BotError."""
        there = {block.begin: block for block in sorted(before, key=lambda block: block.number)}
        if self._until == "ranked":
            for pairing in self._pairings:  # whatever was played tells something
                while block := there.get((*pairing.numbers, len(pairing.values))):
                    self._count(before[block])
            while blocks := self._most_telling():
                yield from self._play_planned(run, {}, iter(blocks))
        else:  # those with the same dice beside each other
            each = (self._blocks_of(pairing, there) for pairing in self._pairings)
            yield from self._play_planned(
                run, before, heapq.merge(*each, key=lambda block: block.first)
            )

    def _most_telling(self) -> list[Block]:
        """What says most about the ranking, a quarter more than was played; nothing if it is clear, or all is played.

        It follows from what was counted alone, not from what takes how long.
        """
        values = (tally.values for tally in self._pairings)
        ranking = Ranking(
            dict(zip(combinations(self._plan.names, 2), values, strict=True)), self._plan.length
        )
        left = self._pairs * len(self._pairings) - self.finished // 2
        number = min(left, max(LEAST, self.finished // 8)) if any(ranking.unclear()) else 0
        return [*chain(*map(_PairTally.next_blocks, self._pairings, ranking.most_telling(number)))]

    def _play_planned(
        self, run: Runner, before: _Played, planned: Iterator[Block]
    ) -> Generator[BlockResults]:
        """The blocks are counted in the same order, whatever was played before."""
        begun = deque[Block]()  # and not counted

        def missing() -> Iterator[Block]:
            for block in planned:
                if block in before and not begun:
                    self._count(before[block])  # which may end the pairing
                    continue
                begun.append(block)
                if block not in before:
                    yield from block.halves if self._pairing_of(block).are_policies else (block,)

        results = run(partial(blocks.play_block, self._plan), missing())
        try:
            parts = iter(results)
            for part in parts:
                played = part if part.block.seats == (0, 1) else part.with_half(next(parts))
                self._count_saved(begun, before)
                self._count(played)
                begun.popleft()  # only now: the blocks may be taken in another thread
                if played.error is None:
                    yield played
                if all(map(self._is_over, self._pairings)):
                    return  # what is begun is not waited for
            self._count_saved(begun, before)
        finally:
            if isinstance(results, Generator):
                results.close()

    def _count_saved(self, begun: deque[Block], before: _Played) -> None:
        """Count the first blocks that were played before."""
        while begun and begun[0] in before:
            self._count(before[begun.popleft()])

    def _count(self, played: BlockResults) -> None:
        """Count a block, unless the pairing ended before it. Raises BotError if it failed."""
        pairing = self._pairing_of(played.block)
        if not self._is_over(pairing):
            if played.error is not None:
                raise BotError(played.error) from played.cause
            pairing.add(played)

    def _blocks_of(
        self, pairing: _PairTally, there: Mapping[tuple[int, int, int], Block]
    ) -> Iterator[Block]:
        """The blocks of a pairing, whose sizes follow from the pairs before them, not from what takes how long.

        A larger one that is there counts as it is: it was played without `until`, or when blocks were larger.
        """
        first = 0
        while first < self._pairs and not self._is_over(pairing):
            number = 1
            left = self._pairs - first
            if pairing.are_policies:
                number = pairs_at_once(first, may_end=self._until is not None)
            block = Block(*pairing.numbers, first, min(number, left))
            if (saved := there.get(block.begin, block)).number in range(number + 1, left + 1):
                block = saved
            yield block
            first += block.number

    def _pairing_of(self, block: Block) -> _PairTally:
        return next(
            pairing
            for pairing in self._pairings
            if pairing.numbers == (block.player, block.opponent)
        )

    def _is_over(self, pairing: _PairTally) -> bool:
        return pairing.scores.is_enough(self._until)


def _pairings_of(players: Sequence[object], start: MatchState) -> list[_PairTally]:
    """Every two players."""
    rules = start.rules
    even = 0.0 if start.length is None else 0.5
    # of a money game; infinite with a cube, which has no limit that matters
    most = (
        inf
        if rules.cube
        else win_points(
            rules, cube=1, win=highest_win(rules, None, CENTERED), loser_pips=_MOST_PIPS
        )
    )
    are_policies = [isinstance(player, Policy) for player in players]
    return [
        _PairTally(
            (i, j),
            are_policies[i] and are_policies[j],
            Scores(even, even or most, players[i] is players[j]),
        )
        for i, j in combinations(range(len(players)), 2)
    ]


def in_processes(
    jobs: int | None,
    function: Callable[[Block], BlockResults],
    missing: Iterable[Block],
    *,
    apart: bool = False,
) -> Generator[BlockResults]:
    """The `Runner` on this machine. With `apart`, a single job too has a process of its own."""
    plan: Plan = cast("partial[BlockResults]", function).args[0]
    return in_order(function, missing, partial(blocks.block_failure, plan), jobs=jobs, apart=apart)


def _half_of(games: object) -> int:
    """The number of pairs. Raises ArgumentError."""
    number = whole_argument("games", value=games, least=2, most=_MOST_GAMES)
    if number % 2:
        why = "since they come in pairs with the same dice"
        raise ArgumentError(f"games must be an even number, {why}, not {number:,}")
    return number // 2
