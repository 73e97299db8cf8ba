"""The commands: `show`, `plays` and `perft`; the others have files of their own."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

import click

from gammonrules._shared.identifier_text import whole_field
from gammonrules.board import PerftCount, Position
from gammonrules.board.internals import count_depths
from gammonrules.cli.analyze import analyze
from gammonrules.cli.arena import arena
from gammonrules.cli.bearoff import bearoff_tables
from gammonrules.cli.bench import benchmark
from gammonrules.cli.cards import cards
from gammonrules.cli.conform import conform
from gammonrules.cli.console import console_for_output, progress_by_depth
from gammonrules.cli.convert import convert
from gammonrules.cli.evaluate import evaluate
from gammonrules.cli.export import export
from gammonrules.cli.find import find
from gammonrules.cli.hypergammon import hypergammon_tables
from gammonrules.cli.openings import openings
from gammonrules.cli.output import Refused, doubled_turn, position_of, read_identifier, refusing
from gammonrules.cli.referee import referee
from gammonrules.cli.report import report
from gammonrules.cli.view import view
from gammonrules.dice import Dice
from gammonrules.identifiers.internals import DoubledTurn
from gammonrules.limits import MOST_DEPTH
from gammonrules.values import printable

_ROW = "{:>5}  {:>20}  {:>14}"
_READING = referee, view, convert, export, find, openings
_COMMANDS = (
    *_READING,
    analyze,
    report,
    cards,
    evaluate,
    bearoff_tables,
    hypergammon_tables,
    arena,
    benchmark,
    conform,
)


@click.group(
    commands=_COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(package_name="gammonrules")
def app() -> None:
    """Backgammon rules: referee, view, export, convert, analyze and report on matches, show and evaluate positions."""
    # A character that the terminal's encoding lacks must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def run() -> int:
    """The exit status of the command line. Raises KeyboardInterrupt, BrokenPipeError, or OSError for other output."""
    try:
        with _some_output():
            # Without its standalone mode click returns our exit status, and never uses 1 itself.
            return int(app.main(prog_name="gammonrules", standalone_mode=False) or 0)
    except click.ClickException as error:
        # click repeats an argument too many as it is
        vars(error)["message"] = printable(error.message)[:1_000]
        error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:  # click and rich end a run like this if nobody reads its output
        raise BrokenPipeError from None


@contextmanager
def _some_output() -> Generator[None]:
    """Where standard output is closed, a command still writes its files; what it prints is an OSError at its end."""
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]
        yield
        return
    # or a file that is written would be standard output
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)
    sys.stdout = io.TextIOWrapper(io.BytesIO(), write_through=True)
    yield
    if sys.stdout.buffer.tell():
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


@app.command()
@click.argument("identifier", metavar="ID")
@doubled_turn
def show(identifier: str, doubled_turn: DoubledTurn) -> None:
    """Draw what an identifier describes.

    ID is a Position ID, which is drawn as a board, or a GNU Backgammon ID, XGID, OGID or FIBS board line, which is
    drawn with players, cube and score.
    """
    click.echo(str(read_identifier(identifier, doubled_turn)))


@app.command()
@click.argument("identifier", metavar="ID")
@click.argument("roll", required=False)
@doubled_turn
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def plays(identifier: str, roll: str | None, doubled_turn: DoubledTurn, *, as_json: bool) -> None:
    """List the legal plays of a roll in a position.

    ROLL, such as 31, may be left out if the identifier shows dice. Each play is followed by the Position ID of the
    position that it leads to, with the opponent on roll.
    """
    described = read_identifier(identifier, doubled_turn)
    position = position_of(described)
    dice = None if isinstance(described, Position) else described.dice
    if roll is not None:
        with refusing():
            dice = Dice.of(roll)
    if dice is None:
        raise Refused("the identifier shows no dice: add a roll such as 31")
    rows = [(str(play), play.position.id) for play in position.legal_plays(dice)]
    if as_json:
        listed = [{"play": play, "id": after} for play, after in rows]
        click.echo(json.dumps({"id": position.id, "roll": str(dice), "plays": listed}))
        return
    width = max((len(play) for play, _ in rows), default=0)
    for play, after in rows:
        click.echo(f"{play:<{width}}  {after}")


class _WithNumber(click.Command):
    """A command that reads -1 as a number, which it can refuse, instead of an unknown option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        numbers = [text for text in args if text[:1] == "-" and text[1:2].isdigit()]
        if numbers and "--" not in args:
            args = [*(text for text in args if text not in numbers), "--", *numbers]
        return super().parse_args(ctx, args)


@app.command(cls=_WithNumber)
@click.argument("identifier", metavar="ID")
@click.argument("depth", metavar="DEPTH")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def perft(identifier: str, depth: str, *, as_json: bool) -> None:
    """Count plays and positions at each depth from 1 to DEPTH.

    All rolls are played.

    The numbers test move generators. Deep levels take much time and memory: about 110 bytes for each position of the
    last level.
    """
    position = position_of(read_identifier(identifier))
    with refusing():
        last = whole_field("DEPTH", depth.lstrip("0") or depth, range(1, MOST_DEPTH + 1))
    console = console_for_output(stderr=as_json)
    levels: list[PerftCount] = []
    if not as_json:
        console.print(_ROW.format("depth", "plays", "positions"), soft_wrap=True)
    out_of_memory = False
    try:
        with progress_by_depth(console) as track:
            for count in count_depths(position, last, track):
                levels.append(count)
                if not as_json:
                    console.print(
                        _ROW.format(count.depth, count.plays, count.positions), soft_wrap=True
                    )
    except MemoryError:
        out_of_memory = True
    # not raised above, where the error still refers to all positions, so that no memory is left
    if out_of_memory:
        raise Refused(f"the positions of depth {len(levels) + 1} do not fit into memory")
    if as_json:
        numbers = {
            "plays": [at.plays for at in levels],
            "positions": [at.positions for at in levels],
        }
        click.echo(json.dumps({"id": position.id, "checkers": position.checkers} | numbers))
