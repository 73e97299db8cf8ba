"""What cannot be done as asked ends the run with one sentence."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

import click

from gammonrules.errors import GammonError
from gammonrules.values import error_text, printable


def safe(text: str) -> str:
    """Text from a file or a path, made harmless for the terminal."""
    return printable(text, "\N{REPLACEMENT CHARACTER}")


class Refused(click.ClickException):
    """What cannot be done as asked, such as a record that cannot be read, or a file that cannot be written."""

    exit_code = 2

    def __init__(self, message: str) -> None:
        """Paths and records may have control characters, which click would print as they are."""
        super().__init__(safe(message))


@contextmanager
def refusing() -> Generator[None]:
    """A block whose errors end the run with one sentence."""
    try:
        yield
    except (GammonError, ImportError) as error:
        raise Refused(error_text(error)) from None
    except MemoryError:
        raise Refused("there is not enough memory") from None
    except OSError as error:
        if error.filename is None:  # of standard output
            raise
        raise Refused(f"{error.filename}: {error.strerror or error}") from None


def must_be_named(*paths: str | None) -> None:
    if "" in paths:
        raise Refused("a path is empty")
