"""The terminal: its width, and bars that show the progress of a run."""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Collection, Generator, Iterable
from contextlib import (
    AbstractContextManager,
    ExitStack,
    contextmanager,
    redirect_stderr,
    redirect_stdout,
)
from itertools import count
from typing import IO, TYPE_CHECKING, Any, TextIO

from gammonrules.cli.usage_errors import safe

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

_WIDTH_OF_FILES = 120
_USUAL_WIDTH = 80
_HEIGHT = 25
_WIDEST = 1_000


def console_for_output(*, stderr: bool = False) -> Console:
    """The console of a run, as wide as the terminal, or of a fixed width if there is no terminal.

    rich does not decide the width, since it reads `COLUMNS=0` as a terminal of width 0.
    """
    from rich.console import Console

    console = Console(
        stderr=stderr,
        highlight=False,
        width=_WIDTH_OF_FILES,
        height=_HEIGHT,
        # FORCE_COLOR colors a file or a pipe, but no bar can disappear there
        force_interactive=None if _is_terminal(sys.stderr if stderr else sys.stdout) else False,
    )
    if console.is_terminal:
        size = shutil.get_terminal_size((_measure_width(console.file), _HEIGHT))
        console.width = min(size.columns, _WIDEST)
    return console


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return bool(stream and stream.isatty())
    except ValueError:  # it is closed
        return False


def _measure_width(terminal: IO[str]) -> int:
    """The width of this terminal, which may not be that of standard output; the usual one if it is not known."""
    try:
        columns = os.get_terminal_size(terminal.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return columns or _USUAL_WIDTH


def is_at_terminal() -> bool:
    """Whether somebody sits at a terminal, who can be asked."""
    return _is_terminal(sys.stdin)


def safe_text(text: str) -> Text:
    """Text from a file or a path, made harmless for the terminal."""
    from rich.text import Text

    return Text(safe(text))


def print_lines(lines: Iterable[Text], console: Console) -> None:
    """Print lines. The terminal breaks those that are too long, so that the link of a long path still works."""
    for line in lines:
        console.print(line, soft_wrap=True)


@contextmanager
def progress_bar(console: Console) -> Generator[Progress]:
    """A bar that disappears when the work is done; without a terminal there is none.

    What is printed meanwhile appears above the bar.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,  # click writes past the streams of rich, which have no encoding
        redirect_stderr=False,
        disable=not console.is_interactive,
    )
    with ExitStack() as stack:
        if console.is_interactive:
            redirects: list[tuple[TextIO, Callable[[_AboveBar], AbstractContextManager[object]]]]
            redirects = [(sys.stdout, redirect_stdout), (sys.stderr, redirect_stderr)]
            for stream, redirect in redirects:
                if _is_terminal(stream):
                    above = _AboveBar(console, stream)
                    stack.enter_context(redirect(above))
                    stack.callback(above.finish)
        yield stack.enter_context(bar)


class _AboveBar(io.TextIOBase):
    """A stream to the terminal while there is a bar: each whole line is printed above it."""

    encoding = ""
    errors = ""

    def __init__(self, console: Console, stream: TextIO) -> None:
        self.encoding = stream.encoding
        self.errors = stream.errors or ""
        self._console = console
        self._unfinished = ""
        self.rich_proxied_file = stream
        """What a console of rich writes to in the place of this stream."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.rich_proxied_file.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        from rich.text import Text

        *lines, self._unfinished = (self._unfinished + text).split("\n")
        for line in lines:
            # as by `print_lines`, the terminal breaks it
            self._console.print(Text.from_ansi(line), soft_wrap=True)
        return len(text)

    def finish(self) -> None:
        """Write the rest, after which no line has ended."""
        _ = self.rich_proxied_file.write(self._unfinished)


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
