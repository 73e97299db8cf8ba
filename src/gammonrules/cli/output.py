"""How a run reads and writes: no file is replaced without `--force`, and the one that is read never."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path, PurePath
from typing import Final
from unicodedata import normalize

import click

from gammonrules._shared.disk_files import beginning, ordinary_file, unless_there, utf8, write_whole
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.usage_errors import Refused, must_be_named, safe
from gammonrules.values import counted, printable

_MAX_NAME_SIZE = 240
"""Bytes of a name, so that two suffixes fit in as well."""
_DEVICE = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³]) *(\.|$)", re.IGNORECASE)
"""What Windows takes for a device, in any folder and with any suffix."""
_MAX_FOLDERS = 100
"""Folders in each other, below the one that is written to."""
_MAX_PATH_LENGTH = 300
"""Characters of a path in a sentence; a name in a ZIP archive may have 65,535."""
NOT_APART: Final = (
    "the folders to read and to write must be different, and neither may be inside the other"
)
"""The sentence of `must_be_apart`."""
_MAX_CUT = 20
"""Games that are named, of those that are cut off."""

force_option = click.option(
    "--force", is_flag=True, help="Replace what is there, but never the file that is read."
)


# --- files to write ---------------------------------------------------------------------------------------------------


@contextmanager
def writable(
    target: Path, *inputs: str, force: bool, is_ours: Callable[[bytes], bool] | None = None
) -> Generator[None]:
    """A block that writes a file: every path that a command writes to is guarded by this.

    Raises Refused for a file that is read, and for one that exists, unless `force` replaces it, or it begins as one
    that the command has written. A link to nothing exists too: who made it could choose where we write. The same holds
    for a file that appears during the block.
    """
    already_there = Refused(f"{target} exists: use --force to replace it")

    def begins_as_ours() -> bool:
        return is_ours is not None and _begins(target, is_ours)

    may_replace = force or begins_as_ours()
    real = _existing(target)
    if real is not None:
        for path in inputs:
            with suppress(OSError, ValueError):  # a path into a ZIP archive leads to no file
                if real.samefile(path):
                    raise Refused(f"{target} is the file that is read: write to another one")
        if not may_replace:
            raise already_there
        if not os.access(real, os.W_OK):
            raise Refused(f"{target} cannot be written: it is read-only")
    if may_replace:
        yield
    else:
        with unless_there(target, already_there, may_replace=begins_as_ours):
            yield


def _existing(target: Path) -> Path | None:
    """The file that a path leads to; None if nothing is there. Raises Refused if it is no ordinary file."""
    try:
        real = Path(os.path.realpath(target))
        is_there = os.path.lexists(target)  # also if it is a link to nothing
        is_there_by_detour = os.path.lexists(real)  # as new/../a.json, where there is no "new"
        if not is_there and not is_there_by_detour:
            return None
        is_file = real.is_file()
    except ValueError:  # it is no path at all: the error comes where it is opened
        return None
    except OSError as error:
        raise Refused(_cannot_write(target, error)) from None
    if not is_file:
        raise Refused(f"{target} exists and is not an ordinary file")
    return real


def _begins(target: Path, is_ours: Callable[[bytes], bool]) -> bool:
    try:
        with ordinary_file(target) as file:
            return is_ours(beginning(file, 1_000))
    except (OSError, ValueError):  # `writable` says what is wrong, if anything is
        return False


def output_file(
    output: str, *inputs: str, force: bool, is_ours: Callable[[bytes], bool] | None = None
) -> AbstractContextManager[None]:
    """As `writable`, but "-" is standard output."""
    if output == "-":
        return nullcontext()
    return writable(Path(output), *inputs, force=force, is_ours=is_ours)


@contextmanager
def saving(*paths: str) -> Generator[None]:
    """A block that writes files; the folders that they need are made, and stay if they are used. Raises Refused."""
    made = list[Path]()
    try:
        for path in paths:
            made += _make_folders(Path(path))
        yield
    except OSError as error:
        raise Refused(_cannot_write(" and ".join(paths), error)) from None
    finally:
        for folder in reversed(made):
            with suppress(OSError):  # there is something in it
                folder.rmdir()


def _make_folders(path: Path) -> list[Path]:
    """Make the folders that a file needs, and return those that were not there, the outermost first."""
    folder = Path(os.path.realpath(path)).parent  # no "new" for new/../a.json
    outermost_first = [*reversed(folder.parents), folder]
    missing = [parent for parent in outermost_first if not parent.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    return missing


def _cannot_write(target: Path | str, error: Exception) -> str:
    """A sentence that a file cannot be written, and why."""
    return f"{target} cannot be written: {getattr(error, 'strerror', None) or error}"


@contextmanager
def computing(file: str, *, force: bool) -> Generator[Callable[[float], None]]:
    """A block that computes a table and writes it; what it yields takes how much is done, up to 1. Raises Refused."""
    must_be_named(file)
    with (
        writable(Path(file), force=force),
        saving(file),
        progress_bar(console_for_output(stderr=True)) as bar,
    ):
        task = bar.add_task("Computing, %", total=100)
        yield lambda share_done: bar.update(task, completed=int(100 * share_done))


def write_file(path: Path, text: str | bytes) -> None:
    """Write a file, a text in UTF-8, and the folders that it needs. Raises Refused."""
    try:
        with saving(str(path)):
            write_whole(str(path), utf8(text))
    except ValueError as error:
        raise Refused(_cannot_write(path, error)) from None


def write_output(output: str, text: str | bytes) -> None:
    """Write to a file, or to standard output. Raises Refused."""
    if output == "-":
        click.echo(text, nl=False)
    else:
        write_file(Path(output), text)


def write_page(output: str, page: str) -> None:
    """Write a page to a file, or to standard output. Raises Refused."""
    write_output(output, page)
    if output != "-":
        click.echo(f"{safe(output)} is written: open it in a browser")


# --- names of files ---------------------------------------------------------------------------------------------------


def names_below(path: PurePath, root: PurePath) -> list[str]:
    """The folders and the name of a record below the root, as every system can store them.

    Strangers have chosen them, in ZIP archives even freely: none leads out of the folder that is written to.
    """
    below = "/".join(path.parts[len(root.parts) :])
    names = [name for name in re.split(r"[/\\]", below) if name not in {"", ".", ".."}]
    if not names:
        return ["_"]
    return [_safe_name(name) for name in names]


def _safe_name(name: str) -> str:
    """The name without what Windows forbids or drops, and what could disturb a terminal. It may be that of another."""
    name = re.sub(r'[<>:"|?*]', "_", printable(name, "_"))
    shortened = name.encode()[:_MAX_NAME_SIZE].decode(errors="ignore")  # without half a character
    name = shortened.rstrip(". ") or "_"
    return f"_{name}" if _DEVICE.match(name) else name


def key_of(target: Path) -> str:
    """The same for names that are one file where capitals, or ways to write an accent, make no difference."""
    return normalize("NFC", str(target).casefold())


# --- folders ----------------------------------------------------------------------------------------------------------


def is_folder(path: str) -> bool:
    """Whether it is a folder that can be seen; errors are reported when it is read or written."""
    try:
        return Path(path).is_dir()
    except OSError:
        return False


def must_be_apart(source: Path, target: Path) -> None:
    """Raise Refused if one of these folders is inside the other."""
    source = Path(os.path.realpath(source))
    target = Path(os.path.realpath(target))
    if source == target or source in target.parents or target in source.parents:
        raise Refused(NOT_APART)


def must_take_files(folder: Path) -> None:
    """Raise Refused, before long work, if a folder is none, or if one may not write there."""
    existing = folder
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    if not existing.is_dir():
        raise Refused(f"{folder} cannot be written: {existing} is not a folder")
    if not os.access(existing, os.W_OK):
        raise Refused(f"{folder} cannot be written: {existing} is read-only")


def must_stay_below(folder: Path, target: Path) -> None:
    """Raise Refused if a file is too deep below a folder, or a link leads out of it."""
    if len(target.parts) - len(folder.parts) > _MAX_FOLDERS:
        raise Refused(f"it is in more than {_MAX_FOLDERS} folders")
    if not lies_in(target, folder):
        raise Refused(f"{target} is a link, or in one, that leads out of {folder}")


def lies_in(path: str | Path, folder: str | Path) -> bool:
    """Whether a path leads to something inside a folder, links followed."""
    return Path(os.path.realpath(folder)) in Path(os.path.realpath(path)).parents


# --- what is said of files, on standard error -------------------------------------------------------------------------


def say(source: str, sentence: str) -> None:
    """A sentence about a file, on standard error."""
    if len(source) > _MAX_PATH_LENGTH:
        source = f"{source[:_MAX_PATH_LENGTH]}..."
    click.echo(safe(f"{source}: {sentence}"), err=True)


def say_cut(cut: Sequence[tuple[str, str]]) -> None:
    """Name the games of which only the beginning could be replayed, by their paths and sentences."""
    for path, words in cut[:_MAX_CUT]:
        say(path, words)
    if len(cut) > _MAX_CUT:
        click.echo(f"and {counted(len(cut) - _MAX_CUT, 'more game', ',')} cut off", err=True)
