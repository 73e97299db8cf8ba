"""Which files a run reads."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

SUFFIXES = (".mat", ".txt")
"""Names that count as records inside a folder, in upper or lower case."""


@frozen
class Candidate:
    """A file to read, or a path of which it is known already that it cannot be read."""

    path: Path
    error: str | None = None


def candidates(paths: Iterable[Path]) -> Iterator[Candidate]:
    """Every file once, in the order of the paths; folders are searched through and sorted.

    A file that is named is read whatever its suffix. Inside folders hidden files and folders are passed over, and
    links to folders are not followed, so that no loop can catch the run.
    """
    seen: set[str] = set()
    for path in paths:
        for candidate in _below(path) if path.is_dir() else [Candidate(path)]:
            key = os.path.abspath(candidate.path)  # noqa: PTH100 - resolving links would merge different names
            if key not in seen:
                seen.add(key)
                yield candidate


def _below(folder: Path) -> Iterator[Candidate]:
    """The records of a folder and of the folders in it."""
    errors: list[OSError] = []
    found = False
    for parent, folders, files in os.walk(folder, onerror=errors.append):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                found = True
                yield Candidate(Path(parent, name))
    for error in errors:
        yield Candidate(Path(os.fsdecode(error.filename)), sentence(error))
    if not found and not errors:
        yield Candidate(folder, f"nothing to read: no {' or '.join(SUFFIXES)} file in this folder")


def sentence(error: OSError) -> str:
    """What the operating system says, as a sentence about the file."""
    return f"it cannot be opened: {error.strerror or type(error).__name__}"
