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
    "analyze": "analyze",
    "arena": "arena",
    "bearoff": "bearoff_tables",
    "bench": "benchmark",
    "cards": "cards",
    "conform": "conform",
    "convert": "convert",
    "evaluate": "evaluate",
    "examples": "examples",
    "export": "export",
    "find": "find",
    "hypergammon": "hypergammon_tables",
    "openings": "openings",
    "perft": "perft",
    "plays": "plays",
    "referee": "referee",
    "report": "report",
    "show": "show",
    "view": "view",
}
"""The name of each command, which is that of its module, and of the function there."""


class _LazyGroup(click.Group):
    """A group that imports a command when it is called, or when its help is shown: most need the whole library."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return sorted(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # for a misspelled name, click looks for what was meant among the commands that are there: all of them
        needed = [cmd_name] if cmd_name in _COMMANDS else [*_COMMANDS]
        for name in needed:
            module = import_module(f"gammonrules.cli.{name}")
            self.add_command(getattr(module, _COMMANDS[name]))
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "show_default": True}
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
            # in its standalone mode click would exit itself, at Ctrl-C with 1, which is a verdict of ours
            status = app.main(prog_name="gammonrules", standalone_mode=False)
            return int(status or 0)
    except click.ClickException as error:
        # its message may repeat what was typed, with characters that disturb a terminal;
        # it is set like this since click's types declare it final
        vars(error)["message"] = printable(error.message)[:1_000]
        error.show()
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except SystemExit:  # click and rich end a run like this if nobody reads its output
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
