"""The files in an `.xg` file: the container that packs them, and the comments as text.

A container has a header with a picture, then an archive of compressed files, described by an index and a trailer. The
trailer is at the end of the file and says how long the archive and its index are. If it is missing or wrong, the
archive is read from where the header ends, as far as it goes; each contradiction is a defect, and a file that would
inflate beyond the limit is refused.
"""

from __future__ import annotations

import codecs
import re
import zlib
from contextlib import suppress
from struct import Struct, unpack_from
from typing import Final, NamedTuple

from attrs import Factory, define

from gammonrules.errors import ParseError

MAGIC: Final = b"RGMH"
HEADER_SIZE: Final = 8232
MAX_CONTENT_SIZE: Final = 64 * 1024 * 1024
"""The most bytes of all files of an archive together, inflated."""
MAX_FILES: Final = 16
"""The most files of an archive; the program writes up to four."""

MATCH = "temp.xg"
ROLLOUTS = "temp.xgr"
COMMENTS = "temp.xgc"

_THUMBNAIL_SIZE_AT: Final = 20
_TRAILER = Struct("<6I12x")
_ENTRY = Struct("<256p256x4IB3x")
"""The fields of an `_Entry`."""
_DEFLATE: Final = 8
_ZLIB = 0
_STORED = 1
_ANY_HEADER: Final = 32 + zlib.MAX_WBITS  # that of zlib, or that of gzip
_STEP: Final = 256
"""The bytes of a damaged file that are inflated at once."""


@define
class Container:
    files: dict[str, bytes] = Factory(dict[str, bytes])
    """The content of the files that are needed, by name."""
    defects: list[str] = Factory(list[str])
    """What is wrong with the file: for each defect one sentence, without a period."""
    left: int = MAX_CONTENT_SIZE
    """How many bytes may still be inflated."""

    def inflate(self, data: bytes, name: str) -> bytes:
        """Inflate as much as there is. Raises ParseError beyond the limit."""
        stream = zlib.decompressobj(_ANY_HEADER)
        # one byte more than allowed shows that the limit is exceeded; besides, zlib takes 0 for no limit
        limit = self.left + 1
        is_damaged = False
        try:
            content = stream.decompress(data, limit)
        except zlib.error:
            is_damaged = True
            content = _up_to_the_damage(data, limit)
        if len(content) > self.left:
            raise ParseError(
                f"the file inflates to more than {MAX_CONTENT_SIZE // 2**20} MiB, the limit"
            )
        if is_damaged:
            self.defects.append(f"{name} is damaged: it can be unpacked only in part")
        elif not stream.eof:
            self.defects.append(f"{name} is cut short")
        self.left -= len(content)
        return content


def _up_to_the_damage(data: bytes, limit: int) -> bytes:
    """Inflate as much as can be, in small steps, since all of the step with the damage is lost."""
    stream = zlib.decompressobj(_ANY_HEADER)
    content = bytearray()
    with suppress(zlib.error):
        for start in range(0, len(data), _STEP):
            content += stream.decompress(data[start : start + _STEP], limit - len(content))
            if len(content) == limit:  # 0 more bytes would mean no limit
                break
    return bytes(content)


def is_container(content: bytes) -> bool:
    """Whether a file begins like those of eXtreme Gammon."""
    # a text may begin with these letters
    return content.startswith(MAGIC) and b"\0" in content[len(MAGIC) : 12]


def unpacked_files(content: bytes) -> Container:
    """The files in a container. Raises ParseError if it ends before the match, or inflates beyond the limit."""
    if len(content) < HEADER_SIZE:
        raise ParseError("this eXtreme Gammon file is cut short: even its header is incomplete")
    container = Container()
    (thumbnail_size,) = unpack_from("<I", content, _THUMBNAIL_SIZE_AT)
    end_of_header = HEADER_SIZE + thumbnail_size
    archive = _archive(content, container)
    if archive is None:
        _unpack_only_match(content[end_of_header:], container)
        return container
    surplus = archive.start - end_of_header
    # if the trailer and the header disagree, the checksum tells whether the trailer is right
    if surplus != 0 and not archive.is_sound:
        _unpack_only_match(content[end_of_header:], container)
        return container
    if surplus != 0:
        what = "too many" if surplus > 0 else "missing"
        container.defects.append(
            f"{abs(surplus)} bytes {what} between header and archive; perhaps these are two files in one"
        )
    _unpack_files(archive, container)
    return container


def _unpack_only_match(data: bytes, container: Container) -> None:
    """Unpack the first file of an archive without a trailer, which is always the match. Raises ParseError."""
    container.defects.append(
        "the file is cut short, or its end is damaged: comments and rollouts may be missing"
    )
    if not _begins_like_zlib(data):
        raise ParseError("this eXtreme Gammon file is cut short or damaged: its match is missing")
    container.files[MATCH] = container.inflate(data, MATCH)


def _begins_like_zlib(data: bytes) -> bool:
    """Whether the first two bytes are a header of zlib: the method in four bits, and a multiple of 31."""
    if len(data) < 2:
        return False
    return data[0] & 0x0F == _DEFLATE and int.from_bytes(data[:2], "big") % 31 == 0


class _Entry(NamedTuple):
    """A file in the index of an archive."""

    raw_name: bytes
    size: int
    """Unpacked."""
    stored_size: int
    start: int
    checksum: int
    method: int

    @property
    def name(self) -> str:
        return self.raw_name.decode("latin-1").lower()

    @property
    def end(self) -> int:
        return self.start + self.stored_size


class _Archive(NamedTuple):
    start: int
    data: bytes
    entries: bytes
    is_sound: bool
    """Whether its checksum is right."""


def _archive(content: bytes, container: Container) -> _Archive | None:
    """The archive: its data, its index, and the trailer at the end of the file. None if they cannot be right."""
    end = len(content) - _TRAILER.size
    checksum, count, _version, index_size, data_size, is_compressed = _TRAILER.unpack_from(
        content, end
    )
    start_of_index = end - index_size
    start = start_of_index - data_size
    if start < HEADER_SIZE or not 1 <= count <= MAX_FILES:
        return None
    data = content[start:start_of_index]
    index = content[start_of_index:end]
    checksum_of_data = zlib.crc32(data)
    is_sound = zlib.crc32(index, checksum_of_data) == checksum
    if not is_sound:
        container.defects.append(
            "the checksum of the file is wrong, so something in it was changed or damaged"
        )
    if is_compressed:
        longer_than_allowed = (MAX_FILES + 1) * _ENTRY.size
        try:
            index = zlib.decompressobj().decompress(index, longer_than_allowed)
        except zlib.error:
            index = b""
    if len(index) != count * _ENTRY.size:
        container.defects.append("the index of the archive is damaged")
        return None
    return _Archive(start, data, entries=index, is_sound=is_sound)


def _unpack_files(archive: _Archive, container: Container) -> None:
    defects = container.defects
    earlier: list[_Entry] = []
    for fields in _ENTRY.iter_unpack(archive.entries):
        entry = _Entry._make(fields)
        name = entry.name
        overlaps = any(entry.start < other.end and other.start < entry.end for other in earlier)
        if entry.stored_size > 0 and overlaps:
            defects.append("files of the archive overlap")
        earlier.append(entry)
        if name in container.files:
            defects.append(f"{name} is in the archive twice; the first one is read")
        elif name in (MATCH, ROLLOUTS, COMMENTS):
            content = _content_of_entry(entry, archive.data, container)
            container.files[name] = content
            if entry.end > len(archive.data):
                defects.append(f"{name} goes on beyond the end of the archive")
            if len(content) != entry.size:
                defects.append(
                    f"{name} has {len(content)} bytes, not the {entry.size} that the index states"
                )
            elif zlib.crc32(content) != entry.checksum:
                defects.append(
                    f"the checksum of {name} is wrong, so something in it was changed or damaged"
                )


def _content_of_entry(entry: _Entry, data: bytes, container: Container) -> bytes:
    """The content of a file; empty if its method is unknown. Raises ParseError beyond the limit."""
    packed = data[entry.start : entry.end]
    if entry.method == _ZLIB:
        return container.inflate(packed, entry.name)
    if entry.method == _STORED:
        content = packed[: container.left]  # stored bytes count as inflated ones
        container.left -= len(content)
        return content
    container.defects.append(f"{entry.name} is compressed by an unknown method ({entry.method})")
    return b""


# --- comments ---------------------------------------------------------------------------------------------------------

MAX_COMMENT_LENGTH: Final = 20_000
"""The most bytes of RTF that are read; the rest of a comment is left out."""
MAX_COMMENTS_SIZE: Final = 2 * 1024 * 1024
"""Bytes of RTF of all comments together."""
MAX_TEXT: Final = 4 * 1024 * 1024
"""Characters of all comments together, each counted every time a record names it; later ones are left out."""

_TOKEN = re.compile(
    r"\\'(?P<byte>[0-9a-fA-F]{2})"
    r"|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    r"|\\(?P<symbol>[^a-zA-Z])"
    r"|(?P<brace>[{}])"
    r"|(?P<plain>[^\\{}\r\n]+)"
    r"|[\\\r\n]"
)
_SILENT = frozenset(
    {
        "*",
        "fonttbl",
        "colortbl",
        "stylesheet",
        "info",
        "pict",
        "generator",
        "listtable",
        "themedata",
    }
)
"""What begins a group without text."""
_BREAKS = {
    "par": "\n",
    "line": "\n",
    "sect": "\n",
    "page": "\n",
    "tab": "\t",
    "\n": "\n",
    "\r": "\n",
}
_DASHES = {"emdash": "\u2014", "endash": "\u2013", "_": "\u2011", "~": "\u00a0", "bullet": "\u2022"}
_QUOTES = {"lquote": "\u2018", "rquote": "\u2019", "ldblquote": "\u201c", "rdblquote": "\u201d"}
_CHARACTERS = _BREAKS | _DASHES | _QUOTES
_MAX_FALLBACKS = 8
"""The most characters that may replace one of Unicode."""


@define
class Comments:
    """The comments of a file, one a line, with the bytes 1 and 2 for line breaks; decoded when a record names them."""

    lines: list[bytes]
    left: int = MAX_TEXT
    texts: dict[int, str] = Factory(dict[int, str])

    @classmethod
    def of(cls, content: bytes) -> Comments:
        return cls(content[:MAX_COMMENTS_SIZE].split(b"\r\n"))

    def text(self, number: int) -> str:
        """The comment with this number as plain text; nothing if there is none."""
        if not 0 <= number < len(self.lines):
            return ""
        if number not in self.texts:
            self.texts[number] = text_of_rtf(self.lines[number].replace(b"\x01\x02", b"\r\n"))
        text = self.texts[number]
        # also of a comment that was named before: each time it takes room in the match
        self.left -= len(text)
        return text if self.left >= 0 else ""


def text_of_rtf(rtf: bytes) -> str:
    r"""The text of one comment.

    >>> text_of_rtf(rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Tahoma;}}\f0 d\'e9j\u224?\par}")
    'd\xe9j\xe0'
    """
    text = rtf[:MAX_COMMENT_LENGTH].decode("latin-1")
    if not text.lstrip().startswith("{\\rtf"):
        return rtf[:MAX_COMMENT_LENGTH].decode("cp1252", "replace").strip()
    return _RtfReader().read(text)


@define
class _RtfReader:
    """Takes the text of RTF. All else is left out, as are groups without text, such as the table of fonts."""

    page: str = "cp1252"
    undecoded: bytearray = Factory(bytearray)
    """Bytes in the code page: a character may take two."""
    parts: list[str] = Factory(list[str])
    fallbacks: list[int] = Factory(lambda: [1])
    """For each open group, how many characters replace one of Unicode."""
    silent_from: int = 0
    """Inside a group without text, the depth of this group, the outermost being 1; 0 outside."""
    to_skip: int = 0
    """How many characters are left to skip, since they replace one of Unicode."""

    def read(self, text: str) -> str:
        for token in _TOKEN.finditer(text):
            if token["brace"]:
                self.brace(opens=token["brace"] == "{")
            elif self.silent_from > 0:
                continue
            elif token["byte"]:
                self.characters(bytes([int(token["byte"], 16)]))
            elif token["plain"]:
                self.characters(token["plain"].encode("latin-1"))
            elif word := token["word"] or token["symbol"]:
                self.control(word, token["number"])
        self.add("")
        joined = "".join(self.parts)
        # RTF has the halves of a surrogate pair one after another: in UTF-16 they become one character
        with_whole_pairs = joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return with_whole_pairs.strip()

    def brace(self, *, opens: bool) -> None:
        self.to_skip = 0
        if opens:
            self.fallbacks.append(self.fallbacks[-1])
            return
        depth = len(self.fallbacks)
        if depth <= self.silent_from:  # the group without text ends here
            self.silent_from = 0
        if depth > 1:  # else the brace closes nothing
            self.fallbacks.pop()

    def characters(self, characters: bytes) -> None:
        skipped = min(self.to_skip, len(characters))
        self.to_skip -= skipped
        self.undecoded += characters[skipped:]

    def control(self, word: str, number: str | None) -> None:
        """Take a control word, such as `u` with the number of a character."""
        value = int(number or 0)
        if word in _SILENT:
            self.silent_from = len(self.fallbacks)
        elif word == "ansicpg":
            self.add("")
            self.page = "cp1252"
            with suppress(LookupError):
                self.page = codecs.lookup(f"cp{value}").name
        elif word == "u" and number is not None:
            self.add(chr(value & 0xFFFF))  # a code above 0x7FFF is written as a negative number
            self.to_skip = self.fallbacks[-1]
        elif word == "uc" and number is not None:
            self.fallbacks[-1] = min(max(value, 0), _MAX_FALLBACKS)
        elif word in _CHARACTERS:
            self.add(_CHARACTERS[word])
        elif word in "\\{}":
            self.characters(word.encode())

    def add(self, text: str) -> None:
        """Decode the bytes so far, and add this text."""
        self.parts.append(self.undecoded.decode(self.page, "replace") + text)
        self.undecoded.clear()
