"""The command and its list of commands, each of which is in a module of its own name."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import import_module
from typing import Final

import click

from gammonrules.values import printable

_COMMANDS: Final = {
    "analyze": ("analyze", "Have an engine analyze match records, for error rates."),
    "arena": ("arena", "Let bots and engines play each other, each against each."),
    "bearoff": ("bearoff_tables", "Make bear-off tables, and look positions up in them."),
    "bench": ("benchmark", "Tell what a bot loses in the decisions of the benchmark."),
    "cards": ("cards", "Write a deck of mistakes for Anki."),
    "conform": ("conform", "Judge the rules of another program."),
    "convert": ("convert", "Write a match record in another format."),
    "evaluate": ("evaluate", "Ask an engine about a position."),
    "examples": ("examples", "Write the folder `examples` here: records and programs."),
    "export": ("export", "Write the decisions of match records as a table."),
    "find": ("find", "Find positions in a table of decisions."),
    "hypergammon": ("hypergammon_tables", "Solve Hypergammon."),
    "openings": ("openings", "Write a page of openings, and what they cost."),
    "perft": ("perft", "Count plays and positions at each depth from 1 to DEPTH."),
    "plays": ("plays", "List the legal plays of a roll in a position."),
    "referee": ("referee", "Replay match records and report every broken rule."),
    "report": ("report", "Write a page that shows where players lose points."),
    "show": ("show", "Draw what an identifier describes."),
    "view": ("view", "Write a match as a page to look through in a browser."),
}
"""Each command by its name, which is that of its module: its function there, and its line in the help."""


class _LazyGroup(click.Group):
    """A group that imports a command when it is called: in `commands` each has its line, and no options."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None:
            module = import_module(f"gammonrules.cli.{name}")
            command = getattr(module, _COMMANDS[name][0])
        return name, command, rest


@click.group(
    cls=_LazyGroup,
    commands=[click.Command(name, short_help=line) for name, (_, line) in _COMMANDS.items()],
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(import_module("gammonrules").__version__)
def app() -> None:
    """Backgammon rules: referee, view, export, convert, analyze and report on matches, show and evaluate positions."""
    # A character that the terminal's encoding lacks must not end the run.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


_IS_HELP = getattr(click.exceptions, "NoArgsIsHelpError", ())
"""What click raises, from 8.2 on, with the help of a group as its message, where no command is named."""


def run() -> int:
    """The exit status of the command line. Raises KeyboardInterrupt, BrokenPipeError, or OSError for other output."""
    try:
        with _some_output():
            # in its standalone mode click would exit itself, at Ctrl-C with 1, which is a verdict of ours
            status = app.main(prog_name="gammonrules", standalone_mode=False)
            return int(status or 0)
    except click.ClickException as error:
        if not isinstance(error, _IS_HELP):
            # its message may repeat what was typed, with characters that disturb a terminal;
            # it is set like this since click's types declare it final
            vars(error)["message"] = printable(error.message)[:1_000]
        error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit as ended:
        if ended.code == 0:  # a shell was told how to complete
            return 0
        # click and rich end a run like this if nobody reads its output
        raise BrokenPipeError from None


_LAST_STANDARD_STREAM = 2
"""The number of standard error; standard input is 0, and standard output 1."""


@contextmanager
def _some_output() -> Generator[None]:
    """A block that runs although standard output is closed: it writes its files, and if it prints, ends in OSError."""
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison]
        yield
        return
    # A file that is opened gets the lowest free number, and must not become standard output: so this takes the free
    # numbers of standard streams, and leaves them open.
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor <= _LAST_STANDARD_STREAM:
        descriptor = os.open(os.devnull, os.O_RDWR)
    os.close(descriptor)  # the first one that is no standard stream
    sys.stdout = io.TextIOWrapper(io.BytesIO(), write_through=True)
    yield
    has_printed = sys.stdout.buffer.tell() > 0
    if has_printed:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
