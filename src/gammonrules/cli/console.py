"""The terminal: its width, and bars that show the progress of a run."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any

from gammonrules.cli.refusals import safe

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

_WIDTH_OF_FILES = 120
_HEIGHT = 25
_WIDEST = 1_000


def console_for_output(*, stderr: bool = False) -> Console:
    """The console of a run, as wide as the terminal, or of a fixed width if there is no terminal.

    rich does not decide the width, since it reads `COLUMNS=0` as a terminal of width 0.
    """
    from rich.console import Console

    console = Console(stderr=stderr, highlight=False, width=_WIDTH_OF_FILES, height=_HEIGHT)
    if console.is_terminal:
        console.width = min(shutil.get_terminal_size().columns, _WIDEST)
    return console


def is_at_terminal() -> bool:
    """Whether somebody sits at a terminal, who can be asked."""
    return bool(sys.stdin and sys.stdin.isatty())


def safe_text(text: str) -> Text:
    """Text from a file or a path, made harmless for the terminal."""
    from rich.text import Text

    return Text(safe(text))


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines. The terminal breaks those that are too long, so that the link of a long path still works."""
    for line in lines:
        console.print(line, soft_wrap=True)


def progress_bar(console: Console) -> Progress:
    """A bar that disappears when the work is done; without a terminal there is none."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )


@contextmanager
def progress_by_depth(console: Console) -> Generator[Callable[[Collection[Any]], Iterable[Any]]]:
    """A function that gives back the positions of a depth, and shows in a bar how many are done.

    It is called for one depth after another, and the bar begins again.
    """
    with progress_bar(console) as progress:
        task = progress.add_task("")
        depths = count(1)

        def track(positions: Collection[Any]) -> Iterable[Any]:
            progress.reset(task, total=len(positions), description=f"Depth {next(depths)}")
            # not Progress.track, which needs memory at its end: that may have run out
            for position in positions:
                yield position
                progress.advance(task)

        yield track
