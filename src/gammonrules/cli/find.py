"""The files that a run reads."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from attrs import frozen

SUFFIXES = (".mat", ".txt")
"""Names that count as records inside a folder, in upper or lower case."""


@frozen
class Candidate:
    """A file to read, or a path that cannot be read."""

    path: str
    error: str | None = None


def candidates(paths: Iterable[str]) -> Iterator[Candidate]:
    """Every file once, in the order of the paths; the files of folders are sorted.

    A file that is named is read whatever its suffix. Inside folders, hidden files and folders are skipped, and links to
    folders are not followed, so that the run cannot end up in a loop.
    """
    seen: set[str] = set()
    for path in paths:
        for candidate in _at(path):
            key = _absolute(candidate.path)
            if key not in seen:
                seen.add(key)
                yield candidate


def _at(path: str) -> Iterable[Candidate]:
    """The files of one path on the command line."""
    if not path:
        return [Candidate(path, "nothing to read: the path is empty")]
    plain = str(Path(path))
    try:
        is_folder = stat.S_ISDIR(Path(path).stat().st_mode)
    except OSError as error:
        return [Candidate(plain, sentence(error))]
    except ValueError:
        why = "NUL characters" if "\0" in path else "characters that the system cannot write"
        return [Candidate(plain, f"this path holds {why}")]
    return _below(plain) if is_folder else [Candidate(plain)]


def _absolute(path: str) -> str:
    """The absolute path; unchanged if the current folder no longer exists."""
    try:
        return os.path.abspath(path)  # noqa: PTH100 - resolving links would merge different names
    except OSError:
        return path


def _below(folder: str) -> Iterator[Candidate]:
    """The records of a folder and of the folders in it."""
    errors: list[OSError] = []
    found = False
    try:
        for parent, folders, files in os.walk(folder, onerror=errors.append):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if name.lower().endswith(SUFFIXES) and not name.startswith("."):
                    found = True
                    yield Candidate(str(Path(parent, name)))
    except RecursionError:  # Python 3.11 walks folders by recursion
        yield Candidate(folder, "not all of it is read: its folders are nested too deeply")
        return
    for error in errors:
        yield Candidate(os.fsdecode(error.filename), sentence(error))
    if not found and not errors:
        yield Candidate(folder, f"nothing to read: no {' or '.join(SUFFIXES)} file in this folder")


def sentence(error: OSError) -> str:
    """What the operating system says, as a sentence about the file."""
    return f"it cannot be opened: {error.strerror or type(error).__name__}"
