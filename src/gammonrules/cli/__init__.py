"""The command `gammonrules` (extra `cli`: click and rich)."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from gammonrules.extras import missing

# What a shell reports for programs ended by SIGINT or SIGPIPE.
_INTERRUPTED = 130
_NOBODY_READS = 141


def main() -> None:
    """Run the command; if it cannot run or write, say why in one sentence."""
    try:
        from gammonrules.cli.app import run  # noqa: PLC0415 - click and rich are an extra

        sys.exit(run())
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library not in {"click", "rich"}:
            raise
        _end(missing("the command", library, "cli"))
    except KeyboardInterrupt:
        _end("aborted", status=_INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        sys.exit(_NOBODY_READS)
    except OSError as error:  # errors of record files are handled where they are read
        _drop_output()
        _end(f"the output cannot be written: {error.strerror or error}")


def _end(sentence: str, status: int = 2) -> None:
    """Print a sentence and end the run."""
    with suppress(OSError, AttributeError):  # standard error may be closed, or missing altogether
        sys.stderr.write(f"gammonrules: {sentence}\n")
    sys.exit(status)


def _drop_output() -> None:
    """Discard what is still unwritten: Python would try to write it at its end, and fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.__stdout__.fileno() if sys.__stdout__ else 1)
    os.close(nowhere)
