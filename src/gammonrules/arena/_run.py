"""`play`: an arena, on all processors, that goes on where it was."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self, cast

from attrs import evolve

from gammonrules._shared.map_functions import Item, MapFunction, Result
from gammonrules._shared.pickles import pickled
from gammonrules._shared.work import Child, Workers, checked_workers_or_map
from gammonrules.arena._intervals import ArenaUntil
from gammonrules.arena._losses import table_of
from gammonrules.arena._options import Options, checked_options
from gammonrules.arena._players import Entrant, code_of, entrants_of, refuse_limits
from gammonrules.arena._progress import Progress
from gammonrules.arena._results import MAX_SEED, Results
from gammonrules.arena._results_file import (
    Saved,
    open_saved,
    repeat_what_lacks_records,
    seed_of_saved,
    write_records,
)
from gammonrules.arena._roster import Roster, RosterEntry
from gammonrules.arena._saved_games import SavedGames
from gammonrules.arena._schedule import Schedule
from gammonrules.arena._tallies import empty_tallies
from gammonrules.arena._work_units import (
    Block,
    BlockResults,
    Plan,
    PlayBlock,
    ProcessEnd,
    players_of_plan,
)
from gammonrules.batch.internals import start_of_matches
from gammonrules.board import Position, StartName
from gammonrules.errors import ArgumentError, BotError, EngineError
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import checked_until, whole_argument

_MAX_GAMES: Final = 2**32


def play(
    players: Mapping[str, str | Entrant] | Sequence[str | Entrant],
    *,
    games: int = 1_000,
    length: int | None = None,
    rules: Rules | None = None,
    start: StartName | Position | None = None,
    seed: int | None = None,
    until: ArenaUntil = None,
    save: str | os.PathLike[str] | None = None,
    workers: int | MapFunction | None = None,
    options: Options | None = None,
) -> Results:
    """Let players play each other, each against each, and tell by how much one is better.

    Games come in pairs with the same dice, in which the players exchange seats; all pairings have the same dice. So a
    player comes out exactly even against themselves, and the interval, which is that of the mean of the pairs, is
    narrower than with independent dice.

    The result depends on the players, the rules, the seed and `until`, not on the number of processes or interruptions;
    but with "ranked" on the seconds that the games take, too.
    Who knows the seed knows all dice.

    Args:
        players: a list, or a dict by their names. A player is a name as on the command ("gnubg:1", "bgsage:1",
            "ubgi:PROGRAM", "module:function"); a function from a `MatchState` to an `Event`, a `Play` or an action
            without an argument, such as `Action.ROLL`, which may have a parameter `rng` for a `random.Random` of its
            own, made from the seed; a `Policy`; or an `EnginePlayer`.
        games: how many each two play, an even number; in a match, how many matches.
        length: the points that win a match; None (the default) for money play.
        rules: the options; by default those of `MatchState.new`. `Rules(cube=False)` plays without a cube.
        start: the first board of every game, as White sees it, before the opening roll: a name as in `Position.start`,
            or a position. None (the default) is the start of the rules.
        seed: what the dice are made from, a whole number from 0. None (the default) takes that of `save`, or else draws
            one, which nobody knows beforehand; `Results.seed` tells it.
        until: ends a pairing early: "decided" as soon as it is clear who is better, or a number as soon as the margin
            is that small. "ranked" spends the time on the games that say most about the ranking, and ends as soon as
            the order of all is clear, at the latest after the time that each two would take for `games`. None (the
            default) plays all.
        save: a file to which pairs are added as soon as they are played. If it is there, the arena goes on with it; so
            one that was stopped loses nothing, `games` may be raised, and further players may join. Its players come
            first in the results, in the order in which they joined. Pairs without a record in
            `Options.records` are played again.
        workers: the number of processes; None (the default) for one for each processor. With 1 the games are played in
            this process. Or a `records.MapFunction`, which works in their place, for example on a cluster.
        options: the settings that few calls need, such as `Options(on_error="drop")`; None (the default) for those of
            `Options()`.

    Raises:
        ArgumentError: an argument is out of bounds, a player is none, an engine is to play with a limit of the cube
            that may matter, or a record of other games is in `Options.records`.
        BotError: a bot cannot be started, raised an exception, was late, or decided what is not legal, its process
            ended, or an engine failed, unless `Options.on_error` has it forfeit or leave. The message names the
            players, the pair and the state; what a bot raised is the cause.
        GammonError: no game can begin so.
        ParseError: `save` is not a file of this arena, has a player who is not named and does not leave, or another
            arena writes to it.
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
        >>> results = arena.play([first, chance], games=10, rules=no_cube, workers=1)
        >>> results.pairings[0].players, results.pairings[0].games
        (('first', 'chance'), 10)
        >>> even = arena.play([chance, chance], games=10, rules=no_cube, workers=1)
        >>> print(even)
        chance against chance 2: +0.000 ± 0.000 (10 games)
    """
    chosen = checked_options(options)
    entrants = entrants_of(players, chosen.timeout)
    number_or_map = checked_workers_or_map(workers)
    rules_of_games, board = start_of_matches(length, rules, start)
    first_state = MatchState.new(length, rules=rules_of_games, position=board)
    refuse_limits(entrants, first_state)
    exact_table = table_of(chosen.table)
    entry = _checked_entry(entrants, chosen, has_file=save is not None)
    settings = Plan(
        entry.names,
        players=(),
        length=first_state.length,
        rules=rules_of_games,
        seed=_seed_or_new(seed, save),
        timeout=chosen.timeout,
        table=chosen.table if isinstance(chosen.table, str) else exact_table,
        keeps_records=chosen.records is not None,
        board=board,
        on_error=chosen.on_error,
    )
    pairs = _half_of(games)
    ending: ArenaUntil = "ranked" if until == "ranked" else checked_until(until, "ranked")
    with ExitStack() as stack:
        stack.callback(players_of_plan.close)  # ends engines that were started in this process
        file = None
        if save is not None:
            file = stack.enter_context(open_saved(save, settings, exact_table, entry))
        saved = SavedGames() if file is None else file.games
        roster = entry.new_roster() if file is None else file.roster
        if chosen.records is not None:
            repeat_what_lacks_records(chosen.records, saved)
        by_number = _players_by_number(roster, entrants)
        sendable = _sendable_players(by_number, in_process=number_or_map == 1)
        on_error = chosen.on_error or (file.on_error if file else "stop")
        names = tuple(roster.names)
        plan = evolve(settings, names=names, players=sendable, on_error=on_error)
        tallies = empty_tallies(by_number, roster.present, first_state, ending)
        running = Progress(plan, pairs, ending, tallies, roster)
        map_function = _map_function(number_or_map, stack)
        schedule = Schedule(plan, pairs, ending, tallies, map_function, saved, roster)
        _play_blocks(schedule, running, file, chosen)
    return running.results()


def _checked_entry(
    entrants: Mapping[str, Entrant], options: Options, *, has_file: bool
) -> RosterEntry:
    """Who is to play, as the caller says. Raises ArgumentError."""
    codes = tuple(map(code_of, entrants.values()))
    entry = RosterEntry(tuple(entrants), codes, exclude=options.exclude, rerun=options.rerun)
    entry.check(has_file=has_file)
    return entry


def _players_by_number(
    roster: Roster, entrants: Mapping[str, Entrant]
) -> tuple[Entrant | None, ...]:
    """The players by their numbers, None for who does not play."""
    players = list[Entrant | None]()
    for number in range(len(roster.names)):
        is_present = roster.is_present(number)
        players.append(entrants[roster.names[number]] if is_present else None)
    return tuple(players)


def _sendable_players(
    players: tuple[Entrant | None, ...], *, in_process: bool
) -> bytes | tuple[Entrant | None, ...]:
    """The players, pickled if they play in other processes. Raises ArgumentError."""
    if in_process:
        return players
    return pickled(players, "players", "an arena in several processes")


def _map_function(workers: int | MapFunction, stack: ExitStack) -> MapFunction:
    """The caller's function, or processes, which end with the stack."""
    return workers if callable(workers) else stack.enter_context(Processes(workers))


def _play_blocks(
    schedule: Schedule, running: Progress, file: Saved | None, options: Options
) -> None:
    """Play what is missing, and write down each block as soon as it is played. Raises BotError and OSError."""
    try:
        with closing(schedule.play()) as blocks:
            for played in blocks:
                if file is not None:
                    _write(file, played, schedule)
                if options.records is not None:
                    write_records(options.records, played)
                if options.progress is not None:
                    options.progress(running)
    except BotError:
        schedule.count_saved_from_start()
        if options.progress is not None:
            options.progress(running)
        raise
    if file is not None:
        file.finish()


def _write(file: Saved, played: BlockResults, schedule: Schedule) -> None:
    """Write a block, or who was dropped for it. Raises OSError."""
    if played.error is None:
        file.add(played)
    else:
        file.add_dropped(schedule.number_of_failed(played), played.error)


class Processes:
    """The `MapFunction` on this machine: its processes, and the engines in them, stay until the end of its block.

    With `apart`, a single worker too has a process of its own. Raises ArgumentError.
    """

    def __init__(self, workers: int | None, *, apart: bool = False) -> None:
        self._workers = Workers(workers, apart=apart)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._workers.close()

    def __call__(
        self, function: Callable[[Item], Result], items: Iterable[Item], /
    ) -> Generator[Result]:
        """Play blocks; their results, in order."""
        # an arena calls this with a `PlayBlock` alone, which type checkers cannot know
        lost: Any = partial(_played_alone, cast("PlayBlock", function))
        return self._workers.in_order(function, items, lost)


def _played_alone(play_block: PlayBlock, block: Block, sentence: str) -> BlockResults:
    """Play a block once more whose process ended, as the sentence says, and write down who is asked.

    So it is known at whom it ends. With "forfeit" that player loses the game there, and the block is played again.
    """
    with TemporaryDirectory() as folder:
        trace = Path(folder, "asked")
        while True:
            traced = evolve(block, trace=trace)
            played = _in_a_process_of_its_own(play_block, traced)
            if played is not None:
                return evolve(played, block=evolve(block, trace=None, ends=()))
            end = ProcessEnd.read(trace)
            if end is None or end in block.ends:
                return play_block.failure(block, sentence)
            seconds = play_block.plan.timeout
            if seconds is not None and time.time() - trace.stat().st_mtime > seconds:
                sentence = (
                    f"it did not answer within {seconds:g} seconds, nor could it be interrupted"
                )
            if play_block.plan.on_error != "forfeit":
                return play_block.failure(block, f"{end.name}: {sentence}", failed=end.name)
            block = evolve(block, ends=(*block.ends, end))


def _in_a_process_of_its_own(play_block: PlayBlock, block: Block) -> BlockResults | None:
    """The results of a block, or None if the process ends."""
    with closing(Child("worker", play_block, guarded=False)) as child:
        child.ask(block)
        with suppress(EngineError):
            child.read(None)  # that it is ready
            played: BlockResults = child.read(None)
            return played
    return None


def _seed_or_new(seed: object, save: str | os.PathLike[str] | None) -> int:
    """The seed that is asked for, or that of a file, or a new one. Raises ArgumentError, ParseError and OSError."""
    if seed is None and save is not None:
        seed = seed_of_saved(save)
    if seed is None:
        return drawn_seed()
    return whole_argument("seed", value=seed, minimum=0, maximum=MAX_SEED)


def drawn_seed() -> int:
    """A seed that nobody knows. Every reader of JSON has it exactly, since it is a whole number of 53 bits."""
    return secrets.randbits(53)


def _half_of(games: object) -> int:
    """The number of pairs. Raises ArgumentError."""
    number = whole_argument("games", value=games, minimum=2, maximum=_MAX_GAMES)
    if number % 2:
        why = "since they come in pairs with the same dice"
        raise ArgumentError(f"games must be an even number, {why}, not {number:,}")
    return number // 2
