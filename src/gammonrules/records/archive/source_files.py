"""The files of an archive: those that are named, those in folders, and those in ZIP files."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import IO, Final, TypeAlias, TypeVar

import attrs
from attrs import frozen

from gammonrules._shared.disk_files import NOT_ORDINARY, beginning, ordinary_file
from gammonrules._shared.map_functions import MapFunction, results_of_map
from gammonrules._shared.work import in_order
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.records.archive import zip_files
from gammonrules.records.formats import (
    MAX_FILE_SIZE,
    is_gnubg_text,
    span_of_text,
    text_of,
    too_large,
)
from gammonrules.records.transcript import Span, chains
from gammonrules.values import error_text, iterator_of, plain_text, shown

ALIASES_HEAD: Final = b"gammonrules: which names are of one player"
"""The first line of a file that the command keeps beside analyses."""
_MADE_BY: Final = b'<meta name="generator" content="gammonrules '
"""What our pages have among their first bytes."""
_FIRST_BYTES: Final = 300
File = TypeVar("File")
Result = TypeVar("Result")


@frozen
class Source:
    """A file to read, or a path that cannot be read.

    It can be pickled, so that another process reads it.
    """

    path: str
    """The path that the caller named, or one below it; `archive.zip/name` for a file in a ZIP file."""
    is_named: bool = True
    """Whether the caller named the file itself, and not a folder or a ZIP file that it is in."""
    error: str | None = None
    """Why it cannot be read, in a sentence, if looking for it has shown that."""
    is_known: bool = False
    """Whether it can be opened, and is known to be something other than a record."""
    archive: str | None = None
    """The path of the ZIP file that it is in."""
    member: zip_files.Member | None = None
    """Which file of the ZIP file it is."""
    more: tuple[Source, ...] = ()
    """The files with the further games of its match, if each holds one; see `together`."""
    read: bytes | None = None
    """Its entries, packed, if it has been read: it is not read again."""

    def content(self) -> bytes:
        """The bytes of the file. Raises ParseError, whose message is one sentence without the path."""
        if self.error is not None:
            raise ParseError(self.error)
        try:
            if self.archive is not None and self.member is not None:
                with ordinary_file(Path(self.archive)) as file:
                    return zip_files.content_of_member(file, self.member)
            return content_of(Path(self.path))
        except OSError as error:
            raise ParseError(sentence(error)) from None


def failed(error: Exception) -> str:
    """The sentence about a file on which the library itself failed."""
    return f"gammonrules failed on this file, please report this: {type(error).__name__}: {error_text(error):.200}"


def sentence(error: OSError) -> str:
    """What the operating system says, as a sentence about the file."""
    return f"it cannot be opened: {error.strerror or type(error).__name__}"


Paths: TypeAlias = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
"""A path, or several of them."""


def sources(*paths: Paths) -> Iterator[Source]:
    """Every file once, in the order of the paths; files come before folders, both sorted by name.

    What is named is read whatever its name. Inside folders and ZIP files, everything that is not hidden is listed;
    its content decides whether it is a record. Links to folders are not followed, so that there is no loop.
    Raises ArgumentError if a path is neither a string nor a path.
    """
    return _each([_path_name(path) for path in one_by_one(paths)])


def one_by_one(arguments: Iterable[object]) -> Iterator[object]:
    """The items of the arguments, each of which is an item, such as a path, or a series of them."""
    for argument in arguments:
        items = None if isinstance(argument, os.PathLike) else iterator_of(argument)
        yield from (argument,) if items is None else items


def _each(names: list[str]) -> Iterator[Source]:
    """The files of these paths, each once: where it comes first."""
    named_paths = {_absolute(name) for name in names}
    seen: set[tuple[str, zip_files.Member | None]] = set()
    for name in names:
        if name:
            files = _in(Source(str(Path(name))))
        else:
            files = iter([Source(name, error="nothing to read: the path is empty")])
        for source in files:
            path = _absolute(source.path)
            key = (path, source.member)  # a ZIP file may have two members of one name
            if key not in seen:
                seen.add(key)
                # a file that comes first from its folder may be named after it
                yield attrs.evolve(source, is_named=source.is_named or path in named_paths)


def _path_name(path: object) -> str:
    if isinstance(path, (str, os.PathLike)):
        name = plain_text(os.fspath(path))
        if name is not None:
            return name
    raise ArgumentError(f"expected paths of files and folders, not {shown(path, 60)}")


def _absolute(path: str) -> str:
    """The absolute path; unchanged if the current folder no longer exists."""
    with suppress(OSError, ValueError):
        return os.path.abspath(path)  # noqa: PTH100 - resolving links would merge different names
    return path


def _in(source: Source) -> Iterator[Source]:
    """A file, or the files in a ZIP file or in a folder that is named.

    A folder that is not named was reached by a link in another folder, and is left out.
    """
    try:
        mode = Path(source.path).stat().st_mode
    except OSError as error:
        yield attrs.evolve(source, error=sentence(error))
    except ValueError:
        has_nul = "\0" in source.path
        why = "NUL characters" if has_nul else "characters that the system cannot encode"
        yield attrs.evolve(source, error=f"this path contains {why}")
    else:
        if stat.S_ISREG(mode):
            yield from _with_members(source)
        elif not stat.S_ISDIR(mode):
            yield attrs.evolve(source, error=NOT_ORDINARY)
        elif source.is_named:
            empty = "nothing to read: there are no files in this folder"
            yield from _or_else(Source(source.path, error=empty), _files_below(source.path))


def _files_below(top: str) -> Iterator[Source]:
    """The files of a folder and of the folders in it, without recursion, which deep folders would break."""
    folders = [top]  # those still to be listed, the next one last
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(folder) as entries:
                visible = [entry for entry in entries if entry.name[0] != "."]
        except OSError as error:
            yield Source(folder, is_named=folder == top, error=sentence(error))
            continue
        inner: list[str] = []
        for entry in sorted(visible, key=lambda entry: entry.name):
            if _is_folder_entry(entry):
                inner.append(entry.path)
            else:
                yield from _in(Source(str(Path(entry.path)), is_named=False))
        folders += reversed(inner)


def _or_else(nothing: Source, files: Iterator[Source]) -> Iterator[Source]:
    """The files; without any, that there is nothing."""
    yield next(files, nothing)
    yield from files


def _is_folder_entry(entry: os.DirEntry[str]) -> bool:
    with suppress(OSError):
        return entry.is_dir(follow_symlinks=False)
    return False


def _with_members(source: Source) -> Iterator[Source]:
    """An ordinary file itself, or what is in it if it is a ZIP file; nothing if we wrote it beside records."""
    try:
        with ordinary_file(Path(source.path)) as file:
            first_bytes = file.read(_FIRST_BYTES)
            is_ours = first_bytes.startswith(ALIASES_HEAD) or _MADE_BY in first_bytes
            if is_ours and not source.is_named:
                return
            is_zip = first_bytes[:4] in zip_files.ZIP_SIGNS
            if is_zip:
                empty = "nothing to read: there are no files in this ZIP archive"
                nothing = attrs.evolve(source, error=empty)
                yield from _or_else(nothing, _zip_sources(source.path, file))
        if not is_zip:  # after the block, so that the file is closed before it is read
            yield source
    except OSError as error:
        yield attrs.evolve(source, error=sentence(error))
    except ParseError as error:
        is_known = isinstance(error, zip_files.ProgramFileError)
        yield attrs.evolve(source, error=str(error), is_known=is_known)


def _zip_sources(path: str, file: IO[bytes]) -> Iterator[Source]:
    for listed in zip_files.listed_members(file):
        yield Source(
            f"{path}/{listed.name}",
            is_named=False,
            error=listed.error,
            archive=path,
            member=listed.member,
        )


# --- texts of one game each, put together to matches before they are read ---------------------------------------------


def together(files: Iterable[Source]) -> Iterator[Source]:
    """The files, but the text of a further game of a match comes only as `more` of the text of its first game.

    The texts of a match are in one folder, or in ZIP files there. What follows the first such text of a folder waits
    until the folder ends.
    """
    for _, files_of_folder in groupby(files, _folder_of):
        waiting: list[Source] = []
        spans: list[Span | None] = []
        for source in files_of_folder:
            span = _text_span(source)
            if span is None and not waiting:
                yield source
            else:
                waiting.append(source)
                spans.append(span)
        paths = [source.path for source in waiting]
        for index_of_first, *indexes_of_others in chains(spans, paths):
            further_games = tuple(waiting[index] for index in indexes_of_others)
            yield attrs.evolve(waiting[index_of_first], more=further_games)


def _folder_of(source: Source) -> str:
    """The folder of a file, or of the ZIP file that it is in."""
    path = source.path if source.archive is None else source.archive
    return os.path.dirname(path)  # noqa: PTH120


def _text_span(source: Source) -> Span | None:
    """Where the game of a text belongs; None for any other file."""
    if source.error is not None or source.read is not None:
        return None
    with suppress(Exception):  # whoever reads the file will say so
        content = source.content()
        if b"GNU Backgammon" in content:
            text = text_of(content)
            return span_of_text(text) if is_gnubg_text(text) else None
    return None


def content_of(path: Path) -> bytes:
    """The content of an ordinary file. Raises OSError, and ParseError if it is something else or too large."""
    with ordinary_file(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_FILE_SIZE:
            raise too_large(MAX_FILE_SIZE)
        content = beginning(file, MAX_FILE_SIZE + 1)
    if len(content) > MAX_FILE_SIZE:  # it has grown
        raise too_large(MAX_FILE_SIZE)
    return content


# --- work on files, shared among processes ----------------------------------------------------------------------------


def for_each(
    function: Callable[[File], Result],
    files: Iterable[File],
    lost: Callable[[File, str], Result],
    *,
    workers: int | MapFunction | None = None,
    is_long: bool = False,
) -> Generator[Result]:
    """The results of a function for each file, in the order of the files, as `in_order` or a map function has them.

    `lost` makes the result for a file on which the function failed, or whose worker ended, from a sentence that says
    so. Both must be possible to pickle. Unless the work is long, a few small files are read in this process.
    """
    careful = partial(_careful, function, lost)
    if callable(workers):
        return results_of_map(workers, careful, files)
    return in_order(careful, files, lost, workers=workers, size=None if is_long else _size)


def _careful(
    function: Callable[[File], Result], lost: Callable[[File, str], Result], file: File
) -> Result:
    try:
        return function(file)
    except Exception as error:  # noqa: BLE001 - one file must not end the run
        return lost(file, failed(error))


def _size(file: object) -> int:
    """How many bytes are to be read; 0 of what is no `Source`, such as a match that is there."""
    if isinstance(file, Source):
        with suppress(OSError, ValueError):
            return file.member.size if file.member else os.stat(file.path).st_size  # noqa: PTH116
    return 0
