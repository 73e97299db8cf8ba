"""Programs that are engines, with the errors of engines."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import ClassVar

from gammonrules import work
from gammonrules.errors import (
    EngineError,
    EngineReplyError,
    EngineStartError,
    EngineTerminatedError,
    EngineTimeoutError,
    GammonError,
)


class EngineErrors:
    """The errors that a program raises if it is an engine."""

    start_error: ClassVar[type[GammonError]] = EngineStartError
    end_error: ClassVar[type[GammonError]] = EngineTerminatedError
    late_error: ClassVar[type[GammonError]] = EngineTimeoutError
    reply_error: ClassVar[type[GammonError]] = EngineReplyError


class Program(EngineErrors, work.Program):
    """A program whose errors are those of an engine."""


@contextmanager
def starting(who: str) -> Generator[None]:
    """While an engine starts, whatever goes wrong is an `EngineStartError`."""
    try:
        yield
    except EngineStartError:
        raise
    except EngineError as error:
        raise EngineStartError(str(error)) from error
    except OSError as error:
        raise EngineStartError(f"{who}: {error}") from error


def printable(text: str) -> str:
    """The beginning of a text as part of a line."""
    return "".join(character if character.isprintable() else "?" for character in text[:60])
