"""What the workers of `test_archive` do. They import this, so it imports little."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from gammonrules.archive.source_files import Source


def kill_itself(source: Source) -> str:
    """Return how many others are at work; "killer" never does, and "once" only at the second time."""
    path, folder = Path(source.path), Path(source.path).parent
    at_work = folder / f"at work {os.getpid()}"
    at_work.touch()
    time.sleep(0.002)
    others = len(list(folder.glob("at work *"))) - 1
    at_work.unlink()
    if path.name == "killer" or (path.name == "once" and not (folder / "tried").exists()):
        (folder / "tried").touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return f"{path.name} {others}"


def busy(source: Source) -> int:
    """The process that works for a while."""
    time.sleep(0.2)
    return os.getpid()


def fail(source: Source) -> str:
    print("this must not get between the results")  # noqa: T201
    if source.path == "7":
        raise ValueError("what a mistake")
    return source.path
