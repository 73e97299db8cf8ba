"""Files that a run writes: each is whole, or it is not there."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Generator[Path]:
    """The name under which to write a file that gets its own name when everything is written.

    Raises:
        OSError: the file cannot be renamed.
    """
    part = path.with_name(f".gammonrules-{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink()


def write_whole(path: Path, text: str) -> None:
    """Write a file, in UTF-8, and the folders that it needs.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as part:
        part.write_bytes(text.encode("utf-8", "replace"))
