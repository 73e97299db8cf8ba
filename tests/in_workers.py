"""What the workers of `test_archive` do. They import this, so it imports little."""

from __future__ import annotations

import os
import time

from gammonrules.records.archive.source_files import Source


def busy(source: Source) -> int:
    """The process that works for a while."""
    time.sleep(0.2)
    return os.getpid()


def fail(source: Source) -> str:
    if source.path == "7":
        raise ValueError("what a mistake")
    return source.path


def lost(source: Source, sentence: str) -> str:
    return f"{source.path} lost: {sentence}"
