"""The command `gammonrules` (extra `cli`: click and rich)."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

from gammonrules._shared.complete_writes import without_short_writes
from gammonrules._shared.extras import missing

# What a shell reports for programs ended by SIGINT or SIGPIPE.
_INTERRUPTED = 130
_NOBODY_READS = 141
_SECONDS_TO_REPEAT = 0.05
"""After which a signal comes once more whose error was dropped."""


class _Stopped(BaseException):
    """A signal, by its number, that ends the run; unlike at its default, nothing is left behind."""


def main() -> None:
    """Run the command; if it cannot run or write, say why in one sentence."""
    sys.stdout = without_short_writes(sys.stdout)
    sys.stderr = without_short_writes(sys.stderr)
    try:
        from gammonrules.cli.app import run

        with _stopped_by_signals():
            status = run()
        sys.exit(status)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in {"click", "rich"}:
            raise
        _exit_with(missing("the command", library, "cli"))
    except KeyboardInterrupt:
        _exit_with("stopped", status=_INTERRUPTED)
    except _Stopped as stopped:
        _exit_with("stopped", status=128 + stopped.args[0])
    except BrokenPipeError:
        _drop_output()
        sys.exit(_NOBODY_READS)
    except OSError as error:  # errors of record files are handled where they are read
        _drop_output()
        _exit_with(f"the output cannot be written: {error.strerror or error}")


@contextmanager
def _stopped_by_signals() -> Generator[None]:
    """Within the block SIGTERM and SIGHUP raise an error, as SIGINT does, unless they are ignored as with `nohup`.

    Where Python drops the error, as in the callback of a weak reference, the signal comes once more.
    """
    names = ("SIGTERM", "SIGHUP")
    signals = [getattr(signal, name) for name in names if hasattr(signal, name)]  # not on Windows
    not_ignored = [number for number in signals if signal.getsignal(number) == signal.SIG_DFL]
    received: list[int] = []
    repetitions: list[threading.Timer] = []
    usual_hook = sys.unraisablehook

    def set_handlers(handler: Callable[[int, FrameType | None], object] | signal.Handlers) -> None:
        for number in not_ignored:
            signal.signal(number, handler)

    def do_nothing(_number: int, _frame: object) -> None:
        pass

    def stop(number: int, _frame: object) -> NoReturn:
        set_handlers(do_nothing)  # a second signal would interrupt the cleaning up
        received.append(number)
        raise _Stopped(number)

    def repeat_later(dropped: sys.UnraisableHookArgs) -> None:
        if isinstance(dropped.exc_value, _Stopped):
            set_handlers(stop)
        elif isinstance(dropped.exc_value, KeyboardInterrupt):
            received.append(signal.SIGINT)
        else:
            usual_hook(dropped)
            return
        # not at once: this is still the place where errors are dropped
        repetition = threading.Timer(_SECONDS_TO_REPEAT, _send_to_main_thread, received[-1:])
        repetition.daemon = True
        repetitions.append(repetition)
        repetition.start()

    try:
        sys.unraisablehook = repeat_later
        set_handlers(stop)
        yield
        if received:  # and the error was dropped
            raise _Stopped(received[-1])
    finally:
        set_handlers(signal.SIG_DFL)
        sys.unraisablehook = usual_hook
        for repetition in repetitions:
            repetition.cancel()


def _send_to_main_thread(number: int) -> None:
    """Send a signal so that it wakes the main thread, which may be waiting for input or for workers."""
    main_thread = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main_thread is not None:
        signal.pthread_kill(main_thread, number)
    else:  # on Windows, where it wakes that thread as well
        signal.raise_signal(number)


def _exit_with(sentence: str, status: int = 2) -> None:
    with suppress(OSError, AttributeError):  # standard error may be closed, or missing altogether
        sys.stderr.write(f"gammonrules: {sentence}\n")
    sys.exit(status)


def _drop_output() -> None:
    """Discard what is still unwritten: Python would try to write it at its end, and fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
    os.close(nowhere)
