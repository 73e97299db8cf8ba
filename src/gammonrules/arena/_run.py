"""`play`: an arena, on all processors, that goes on where it was."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Final

from gammonrules._shared.disk_files import path_text
from gammonrules._shared.pickles import pickled
from gammonrules._shared.work import checked_jobs, in_order
from gammonrules.arena._blocks import Block, BlockResults, Plan, PlayBlock, players_of_plan
from gammonrules.arena._intervals import ArenaUntil
from gammonrules.arena._losses import table_of
from gammonrules.arena._players import Entrant, entrants_of, refuse_limits
from gammonrules.arena._results import MOST_SEED, Results
from gammonrules.arena._running import Running
from gammonrules.arena._saved import open_saved, seed_of_saved, with_records_in, write_records
from gammonrules.arena._schedule import Runner, Schedule
from gammonrules.arena._tallies import empty_tallies
from gammonrules.batch.internals import start_of_matches
from gammonrules.board import Position, StartName
from gammonrules.engine.internals import seconds_or_none
from gammonrules.errors import ArgumentError
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import check_function, checked_until, whole_argument

_MOST_GAMES: Final = 2**32


def play(  # noqa: PLR0913 - all but the players have a default
    players: Mapping[str, str | Entrant] | Sequence[str | Entrant],
    *,
    games: int = 1_000,
    length: int | None = None,
    rules: Rules | None = None,
    start: StartName | Position | None = None,
    seed: int | None = None,
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
    Who knows the seed knows all dice.

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
        seed: what the dice are made from, a whole number from 0. None (the default) takes that of `save`, or else draws
            one, which nobody knows beforehand; `Results.seed` tells it.
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
    check_function("run", run, optional=True)
    check_function("progress", progress, optional=True)
    in_process = run is None and checked_jobs(jobs) == 1
    options, board = start_of_matches(length, rules, start)
    exact_table = table_of(table)
    first_state = MatchState.new(length, rules=options, position=board)
    refuse_limits(entrants, first_state)
    ready_players = tuple(entrants.values())
    players_to_send: bytes | tuple[Entrant, ...] = ready_players
    if not in_process:
        players_to_send = pickled(ready_players, "players", "an arena in several processes")
    plan = Plan(
        tuple(entrants),
        players=players_to_send,
        length=first_state.length,
        rules=options,
        seed=_seed_or_new(seed, save),
        timeout=seconds_or_none(timeout),
        # other processes read the file themselves
        table=path_text(table) if isinstance(table, (str, os.PathLike)) else exact_table,
        keeps_records=records is not None,
        board=board,
    )
    pairs = _half_of(games)
    ending: ArenaUntil = "ranked" if until == "ranked" else checked_until(until)
    tallies = empty_tallies(ready_players, first_state, ending)
    running = Running(plan, pairs, ending, tallies)
    folder = None if records is None else Path(path_text(records))
    with ExitStack() as stack:
        stack.callback(players_of_plan.close)  # ends engines that were started in this process
        file = None
        saved: Mapping[Block, BlockResults] = {}
        if save is not None:
            file = stack.enter_context(open_saved(save, plan, exact_table, ready_players))
            saved = file.played
        if folder is not None:  # what lacks its records is played again
            saved = with_records_in(folder, saved)
        runner = run or partial(in_processes, jobs)
        schedule = Schedule(plan, pairs, ending, tallies, runner, saved)
        for played in stack.enter_context(closing(schedule.play())):
            if file is not None:
                file.add(played)
            if folder is not None:
                write_records(folder, played)
            if progress is not None:
                progress(running)
    return running.results()


def in_processes(
    jobs: int | None,
    play_block: Callable[[Block], BlockResults],
    blocks: Iterable[Block],
    *,
    apart: bool = False,
) -> Generator[BlockResults]:
    """The `Runner` on this machine. With `apart`, a single job too has a process of its own."""
    assert isinstance(play_block, PlayBlock)
    return in_order(play_block, blocks, play_block.lost, jobs=jobs, apart=apart)


def _seed_or_new(seed: object, save: str | os.PathLike[str] | None) -> int:
    """The seed that is asked for, or that of a file, or a new one. Raises ArgumentError, ParseError and OSError."""
    if seed is None and save is not None:
        seed = seed_of_saved(save)
    if seed is None:
        return drawn_seed()
    return whole_argument("seed", value=seed, least=0, most=MOST_SEED)


def drawn_seed() -> int:
    """A seed that nobody knows. Every reader of JSON has it exactly, since it is a whole number of 53 bits."""
    return secrets.randbits(53)


def _half_of(games: object) -> int:
    """The number of pairs. Raises ArgumentError."""
    number = whole_argument("games", value=games, least=2, most=_MOST_GAMES)
    if number % 2:
        why = "since they come in pairs with the same dice"
        raise ArgumentError(f"games must be an even number, {why}, not {number:,}")
    return number // 2
