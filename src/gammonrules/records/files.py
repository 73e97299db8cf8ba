"""Reading and writing records: files, decoding, the size limit, and the choice of a format."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeGuard, TypeVar, overload

from gammonrules._shared.complete_writes import without_short_writes
from gammonrules._shared.disk_files import NOTHING_YET, path_text, utf8, write_whole
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.records.archive import ZIP_SIGNS, content_of, only_record
from gammonrules.records.formats import (
    MAX_FILE_SIZE,
    ReadFormat,
    WrittenBytes,
    WrittenFormat,
    WrittenText,
    parts_lost_in,
    read,
    read_all,
    writer_for,
    written_record,
)
from gammonrules.records.transcript import Match
from gammonrules.values import saying_where, shown

_T = TypeVar("_T")


def loads(
    text: str | bytes, format: ReadFormat | None = None, *, encoding: str | None = None
) -> Match:
    r"""Read a record from text, or from the bytes of a file.

    A text may be as people paste it: quoted (`> `), in a fence of Markdown, with `=&gt;` for `=>`.

    Args:
        text: the record. Bytes of a text are read as UTF-8, with or without a byte order mark, or else as Windows-1252;
            if they are neither, it seems, a finding says so. Bytes that are compressed with Zstandard are unpacked by
            Python 3.14 or newer.
        format: the format, such as "mat", the Jellyfish text family; None (the default) to recognize it by the content,
            where a text that only has a line like a record, such as a manual, is none. With "mat", games without the
            line "N point match" are read too, as money play.
        encoding: the encoding of a text in bytes, such as "shift_jis" or "cp1254"; None (the default) as above.

    Returns:
        The match. Whatever is wrong with the record is in its `findings`; only a record without any game raises an
        error.

    Raises:
        ParseError: the record has no match or no game, or several matches (see `loads_all`), is larger than the limit
            of its format, or is neither str nor bytes. If it is something else, such as a web page, the message says
            so.
        ArgumentError: there is no such format or encoding, or an encoding is given for a string.

    Examples:
        >>> loads("5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5").rolls
        1
    """
    if isinstance(text, bytes) and text.startswith(ZIP_SIGNS):
        return only_record(io.BytesIO(text), format, encoding)
    return read(_record_content(text), format, encoding)


def loads_all(
    text: str | bytes, format: ReadFormat | None = None, *, encoding: str | None = None
) -> tuple[Match, ...]:
    r"""Read all matches of a text or of bytes that may hold several, such as two .mat files one after another.

    Positions, or games of GNU Backgammon's text or of SGF, that follow each other are one match if players, length and
    rules agree. A part that cannot be read is a finding of the match before it. A ZIP file is refused: `scan` reads it.

    The errors are those of `loads`, which raises one if there are several matches.

    Args:
        text: as for `loads`.
        format: as for `loads`; None (the default) to recognize it by the content.
        encoding: as for `loads`.

    Examples:
        >>> start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:"
        >>> matches = loads_all(f"{start}7:10\n\n{start}5:10\n\n{start}5:10\n")
        >>> [(match.length, len(match.games)) for match in matches]
        [(7, 1), (5, 2)]
    """
    return read_all(_record_content(text), format, encoding)


def _record_content(text: object) -> str | bytes:
    if isinstance(text, (str, bytes)):
        return text
    raise ParseError(f"a record must be a string or bytes, not {shown(text, 60)}")


class ReadableFile(Protocol):
    """A file that is open for reading, as text or as bytes."""

    def read(self, size: int, /) -> str | bytes | None:
        """Return up to `size` more characters or bytes; at the end of the file, nothing."""


class WritableFile(Protocol):
    """A file that is open for writing, as text or as bytes."""

    def write(self, text: Any, /) -> object:
        """Write a str to a text file, bytes to a binary one."""


def load(
    file: str | os.PathLike[str] | ReadableFile,
    format: ReadFormat | None = None,
    *,
    encoding: str | None = None,
) -> Match:
    """Read a record from a file.

    A ZIP file is read if there is one record in it; `scan` reads all records of a ZIP file or a folder.

    Args:
        file: the path of a file, whatever its name, or an open file, preferably in binary mode, so that the
            encoding is found as for `loads`. No more than the limit is read, and the file stays open.
        format: as for `loads`; None (the default) to recognize it by the content.
        encoding: as for `loads`.

    Raises:
        OSError: the file cannot be opened or read.
        ArgumentError: `file` is neither a path nor an open file, or there is no such format or encoding.
        ParseError: as for `loads`, or the path is a folder, a pipe or a device. The message begins with the path.

    Examples:
        >>> match = load("examples/matches/galaxy/match1033650.txt")
        >>> match.players, match.length, match.score
        (('lasse', 'gitte'), 7, (7, 4))
        >>> with open("examples/matches/galaxy/match1033650.txt", "rb") as file:
        ...     load(file) == match
        True
        >>> load(".")
        Traceback (most recent call last):
        ...
        gammonrules.ParseError: .: this is not an ordinary file
    """
    return _loaded(file, partial(loads, encoding=encoding), format)


def load_all(
    file: str | os.PathLike[str] | ReadableFile,
    format: ReadFormat | None = None,
    *,
    encoding: str | None = None,
) -> tuple[Match, ...]:
    """Read all matches of a file that may hold several; see `loads_all`.

    The errors are those of `load`.

    Args:
        file: as for `load`.
        format: as for `loads`; None (the default) to recognize it by the content.
        encoding: as for `loads`.

    Examples:
        >>> matches = load_all("examples/matches/galaxy/match1033650.txt")
        >>> [match.score for match in matches]
        [(7, 4)]
    """
    return _loaded(file, partial(loads_all, encoding=encoding), format)


def _loaded(
    file: object, reader: Callable[[str | bytes, ReadFormat | None], _T], format: ReadFormat | None
) -> _T:
    """The result of a reader for a path or an open file; errors begin with the path."""
    if _is_readable(file):
        return reader(_rest_of(file), format)
    name = path_text(file, "a path or an open file")
    with saying_where(name, ParseError):
        return reader(content_of(Path(name)), format)


def _is_readable(file: object) -> TypeGuard[ReadableFile]:
    return not isinstance(file, (str, os.PathLike)) and callable(getattr(file, "read", None))


def _is_writable(file: object) -> TypeGuard[WritableFile]:
    return not isinstance(file, (str, os.PathLike)) and callable(getattr(file, "write", None))


def _rest_of(file: ReadableFile) -> str | bytes:
    """The rest of an open file; if it is too large, only enough to show that."""
    parts: list[str | bytes] = []
    left = MAX_FILE_SIZE + 1
    while left > 0:
        part = _next_part(file, left)
        parts.append(part)
        if not part:  # the end of the file
            break
        left -= len(part)
    texts = [part for part in parts if isinstance(part, str)]
    contents = [part for part in parts if isinstance(part, bytes)]
    if not texts:
        return b"".join(contents)
    if not contents:
        return "".join(texts)
    raise ArgumentError("an open file must return either text or bytes, not both")


def _next_part(file: ReadableFile, size: int) -> str | bytes:
    """The next part of an open file, at most `size` long."""
    try:
        part: object = file.read(size)  # whatever a caller's file gives
    except OSError:  # some are ValueErrors too, as `io.UnsupportedOperation` is
        raise
    except ValueError as error:  # the file is closed, or has another encoding
        raise ParseError(f"the record cannot be read: {error}") from None
    if part is None:
        raise ParseError(NOTHING_YET)
    if not isinstance(part, (str, bytes)):
        raise ArgumentError(f"an open file must return text or bytes, not {shown(part, 60)}")
    return part


@overload
def dumps(match: Match, format: WrittenText = "mat", *, shorten: bool = False) -> str: ...
@overload
def dumps(match: Match, format: WrittenBytes, *, shorten: bool = False) -> bytes: ...
def dumps(match: Match, format: WrittenFormat = "mat", *, shorten: bool = False) -> str | bytes:
    r"""Write a record as text, or in the binary format "ogxm" as bytes.

    "mat" is written in one canonical way: moves of one die each with a star at every hit, 25 for the bar and 0 for off,
    full points. Reading it back gives the same boards, rolls, cubes, results and rules; the match is equal if its
    events name their players and its plays are canonical text, as in records that were read. The format cannot express
    everything; `lost_fields` names what a record would lose:

    - Resignations that were not accepted, and tied opening rolls, are left out.
    - The level of a resignation is the lowest that gives its points.
    - A forfeit is read back with the points that it gave, and with a finding (`FindingKind.FORFEIT`).
    - Options of the rules that have no effect, such as Jacoby in a match, are not written.
    - Empty names, colons, control characters, blanks around names and the sign before a comment are replaced; a tag
      without a proper name is read as a comment.
    - A game that does not start from the start position of its rules (`Rules.start`, written as the tag Variation) is
      read back with that start, and with a position set by hand after the opening roll or instead of it.
    - A game without a result whose end is stated is read back as resigned.
    - Stated points, winners and "and the match" that do not fit the games are corrected, so the findings about them
      disappear.
    - Where nothing is rolled or doubled, the starter and a board that was set by hand are left out, and a resignation
      is read back as a forfeit.
    - A roll that the other player answered by resigning may be read back with the only play that it had.

    What was played is always written. A game that could not be replayed to its end (`Game.cut`) raises an error:
    without the play that broke the rules, the file would look clean. `shorten` writes the part that could be replayed.

    Args:
        match: the record.
        format: "mat", the Jellyfish text family; "sgf", as GNU Backgammon saves matches; "ogxm", the open format of
            OpenGammon and others, in bytes; or "json", which holds everything (extra `json`; see `gammonrules.json`).
        shorten: leave out the rest of a game from where it cannot be written, instead of raising an error. Its stated
            end is written, or else its result, so that the next game begins at the right score.

    Raises:
        ArgumentError: `match` is not a `Match`, there is no such format, or `shorten` is not a bool.
        GammonError: the record has no games, or the text would be read back as something else. Causes: a game that is
            cut, an event that breaks the rules, or a position set by hand where no play is due (these can be
            shortened); a line that would be too long, more short games than a reader accepts, or analyses too long for
            it.

    Examples:
        >>> match = loads("5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 6/5 8/5")
        >>> print(dumps(match).splitlines()[-1])
          1) 31: 8/5 6/5
    """
    return written_record(match, format, shorten=shorten).text


def lost_fields(match: Match, format: WrittenFormat) -> tuple[str, ...]:
    """The parts of a record that its text in this format would leave out or change.

    The result is empty exactly if no game is cut, and reading what `dumps` writes gives the same players, rules, tags,
    comments, events and results, the same statements about the ends of the games, the same times and remarks of events,
    all that the analyses of the record have, and the same findings of the referee (except those that only a reader
    makes, such as `UNFINISHED_GAME`). The mere layout of a file (row numbers, the words of an end, the order of tags)
    does not count, and neither does what an analysis gains where the record has nothing: in SGF a level, the engine of
    another analysis, chances after a take and `mwc`; in OGXM the stated error of a play.

    - In "mat" and "sgf", points are written as GNU Backgammon needs them, at their full value. If a program had capped
      them or got them wrong, `stated.points` is among the results, and the finding about them is not in the new file.
    - "mat" has no analyses and no remarks about events; it and "sgf" have no times. In "mat", a colon in a name becomes
      a dot: `players`.
    - "sgf" keeps tags and rules without a property of their own in the comment about the match, as GNU Backgammon does.
      It has no declined offers to resign and no tied opening rolls. Analyses that came from SGF are written as they
      were. Of others it has equities, chances, luck and plies, to six decimals: a part that it has no words for has a
      name of its own, such as `games[0].analyses.level`.
    - A game of which the rest cannot be written loses it: `games[2].rest`, where `dumps` raises an error unless it may
      shorten. Of a record that cannot be written at all, such as one without games, all is lost: `match`.
    - "ogxm" keeps starts, boards and cubes set by hand, times and remarks of plays, and most of analyses, to six
      decimals (chances to four). It has no numbers of games, declined offers, tied opening rolls or times of rolls.
    - In "json" nothing is lost, but for the rest of a game that is cut, or that breaks the rules: its text has all
      events, and `load` cuts the game at the first one that the rules forbid.

    Args:
        match: the record.
        format: the format, as for `dumps`.

    Returns:
        Names of fields: `rules.jacoby` for an option of the rules, `games[0].events` for a field of a game, with the
        index in `match.games`, and `games[2].findings.capped-points` for a kind of finding that appears or disappears.

    Raises:
        ArgumentError: `match` is not a `Match`, or there is no such format. No error is raised for what a match holds.

    Examples:
        >>> text = '''1 point match
        ...  Game 1
        ...  Ann : 0                         Bob : 0
        ...   1) 31: 8/5 6/5                 62: ????
        ...       Wins 9 points and the match
        ... '''
        >>> lost_fields(loads(text), "mat")
        ('games[0].stated.points', 'games[0].findings.resign-odd-value')
        >>> lost_fields(loads(text.replace("9 points", "1 point")), "mat")
        ()
    """
    return parts_lost_in(match, format)


def dump(
    match: Match,
    file: str | os.PathLike[str] | WritableFile,
    format: WrittenFormat | None = None,
    *,
    shorten: bool = False,
) -> None:
    r"""Write a record to a file, a text in UTF-8.

    Args:
        match: the record.
        file: a path, or a file open for writing, in binary mode or, for a text, in text mode; it stays open. A file in
            text mode is written in its own encoding. At a path, the file is written under a hidden name beside it and
            renamed at the end, so it is never incomplete, and an existing one stays until then. A link is followed.
        format: as for `dumps`; None (the default) for the one that the suffix of the path names, or else "mat".
        shorten: as for `dumps`.

    Raises:
        OSError: the file cannot be written.
        ArgumentError: `file` is neither a path nor an open file, the path leads to something other than an ordinary
            file, or there is no such format.
        GammonError: as for `dumps`, or the encoding of a file in text mode lacks a character. Nothing is written.

    Examples:
        >>> from io import StringIO
        >>> match = loads("5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5")
        >>> file = StringIO()
        >>> dump(match, file)
        >>> loads(file.getvalue()) == match
        True
    """
    if _is_writable(file):
        _write_to(file, dumps(match, format or "mat", shorten=shorten))
    else:
        name = path_text(file, "a path or an open file")
        writer = writer_for(Path(name))
        format_of_suffix = "mat" if writer is None else writer.name
        written = written_record(match, format or format_of_suffix, shorten=shorten)
        write_whole(name, utf8(written.text))


def _write_to(file: WritableFile, text: str | bytes) -> None:
    try:
        whole = without_short_writes(file)
        try:
            whole.write(text)
        except TypeError:  # a binary file
            whole.write(utf8(text))
    except (TypeError, ValueError) as error:
        if isinstance(error, OSError):  # `io.UnsupportedOperation` is both
            raise
        # a text file for bytes, or closed, or its encoding lacks a character
        raise GammonError(f"the record cannot be written to this file: {error}") from None
