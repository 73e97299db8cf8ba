"""`gammonrules arena`: bots and engines play each other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammonrules.board import START_NAMES, Position, StartName
from gammonrules.cli.common_options import json_option, timeout_option, workers_option
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.option_conflicts import AnyPath, Command, WordChoice, until_of
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.errors import BotError, IdentifierError
from gammonrules.rules import Rules
from gammonrules.values import shown

if TYPE_CHECKING:  # NumPy is an extra, and takes time to load
    from gammonrules.arena import Progress, Results


_WAYS_ON = (
    "To go on with the file: --rerun NAME when the player is repaired, --exclude NAME without them, "
    "or --on-error forfeit or drop"
)
_WAYS_ON_OF_TWO = (
    "To go on with the file: --rerun NAME when the player is repaired, or --on-error forfeit"
)
"""Without one of two players nobody is left to play."""


@click.command(cls=Command, only_with={("--exclude", "--rerun"): ("--save",)})
@click.argument("players", nargs=-1, required=True, metavar="PLAYER...")
@click.option("--games", type=int, default=1_000, help="How many each two play, an even number.")
@click.option("--length", type=int, help="Matches to this many points; by default, money play.")
@click.option("--no-cube", is_flag=True, help="Play without a cube, and without the Jacoby rule.")
@click.option(
    "--start",
    metavar="NAME|ID",
    help="First board of every game: a start such as hypergammon, or a Position ID.",
)
@click.option(
    "--seed", type=int, help="What the dice are made from; by default that of FILE, or drawn."
)
@click.option(
    "--until",
    metavar="MARGIN",
    help='End at this margin, when "decided", or when all are "ranked".',
)
@timeout_option("Seconds for a decision. A program also has them to start, and at least 20.", 60)
@click.option(
    "--table", metavar="FILE", type=AnyPath(), help="A two-sided bear-off table, to count mistakes."
)
@click.option(
    "--records",
    metavar="DIR",
    type=AnyPath(),
    help="A folder for the record of every game or match.",
)
@click.option(
    "--save", metavar="FILE", type=AnyPath(), help="Add games to FILE, and go on where it ends."
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="NAME",
    help="A player of FILE who leaves, and counts no longer; may be repeated.",
)
@click.option(
    "--rerun",
    multiple=True,
    metavar="NAME",
    help="A player who was repaired, and plays all games again; may be repeated.",
)
@click.option(
    "--on-error",
    type=WordChoice(["stop", "forfeit", "drop"]),
    help="A player who fails ends the arena (the default), loses the game, or leaves.",
)
@workers_option
@json_option
def arena(
    players: tuple[str, ...],
    *,
    games: int,
    length: int | None,
    no_cube: bool,
    start: str | None,
    seed: int | None,
    until: str | None,
    save: str | None,
    workers: int | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Let bots and engines play each other, each against each.

    A PLAYER is an engine, such as gnubg:LEVEL, program:COMMAND in any language, ubgi:PROGRAM or module:function, where
    the module may be a file of the working directory. gnubg's own N-ply is level N+1. Every two games have the same
    dice, with seats exchanged.

    A margin is half of a 95% interval. With --save, a run that was stopped loses nothing: the same command goes on.
    Further players may be named; who is not to play any more leaves by --exclude NAME. Nobody who plays may read FILE:
    its seed tells all dice. --until ranked spends the time on what says most about the ranking.

    The exit status is 0, or 2 if a player cannot play. A run that ends so, or is stopped with Ctrl-C, shows the result
    so far; after Ctrl-C it exits with 130.
    """
    last: Progress | None = None
    try:
        with bots_at_work("Playing", players) as show:
            from gammonrules.arena import Options, play
            from gammonrules.arena.internals import Processes

            def progress(running: Progress) -> None:
                nonlocal last
                last = running
                # two players have one interval, that of the first against the second
                so_far = str(running.intervals[0]) if len(running.intervals) == 1 else "Playing"
                show(description=so_far, completed=running.finished, total=running.total)

            with Processes(workers, apart=True) as processes, _naming_failures():
                results = play(
                    players,
                    games=games,
                    length=length,
                    rules=Rules(cube=False) if no_cube else None,
                    start=_start_of(start),
                    seed=seed,
                    until=until_of(until),
                    save=save,
                    workers=processes,
                    options=Options(progress=progress, **options),
                )
    except (KeyboardInterrupt, Refused) as stop:
        if last is not None and last.finished:
            _print_results(last.results(), as_json=as_json)
            if save and isinstance(stop, _PlayerFailed):
                click.echo(_WAYS_ON if len(players) > 2 else _WAYS_ON_OF_TWO, err=True)
        raise
    _print_results(results, as_json=as_json)


class _PlayerFailed(Refused):
    """The arena has ended by the fault of a player, not by that of a disk."""


@contextmanager
def _naming_failures() -> Generator[None]:
    """A block whose errors of players are raised as such."""
    try:
        yield
    except BotError as error:
        raise _PlayerFailed(str(error)) from None


def _start_of(text: str | None) -> StartName | Position | None:
    """The value of --start. Raises Refused."""
    if text is None:
        return None
    for name in START_NAMES:
        if text == name:
            return name
    try:
        return Position.from_id(text)
    except IdentifierError:
        names = ", ".join(START_NAMES)
        raise Refused(f"--start is a Position ID, or one of {names}, not {shown(text)}") from None


@contextmanager
def bots_at_work(doing: str, players: Sequence[str]) -> Generator[Callable[..., None]]:
    """Where bots play or are asked, what they print goes elsewhere; it yields what moves the bar. Raises Refused."""
    try:
        with (
            refusing(),
            redirect_stdout(sys.stderr),
            progress_bar(console_for_output(stderr=True)) as bar,
        ):
            # it takes time to load
            from gammonrules.arena.internals import is_in_a_module, refuse_missing_program

            for player in players:
                refuse_missing_program(player)
            if any(is_in_a_module(player) for player in players):
                # last, so that nothing there stands in for a library
                sys.path.append(str(Path.cwd()))
            task = bar.add_task(doing, total=None)
            yield partial(bar.update, task)
    except OSError as error:  # one that names no file, which `refusing` lets through
        raise Refused(error.strerror or str(error)) from None


def _print_results(results: Results, *, as_json: bool) -> None:
    if as_json:
        click.echo(results.to_json())
    else:
        console_for_output().print(results)
