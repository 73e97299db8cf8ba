"""Binary files of eXtreme Gammon: records of real matches, changed and packed again with right checksums; and damage.

`fuzzing.readers` says what must hold.
"""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator
from functools import cache

from fuzzing.readers import DATA, PIECES, changed_bytes, check_record
from gammonrules.records.formats.xg.xg_container import COMMENTS, HEADER_SIZE, MATCH, unpacked_files
from gammonrules.records.formats.xg.xg_layout import GAME_HEADER, MATCH_HEADER, SIZE, TYPE

_ENTRY = struct.Struct("<256s256s4IBB2x")
_TRAILER = struct.Struct("<6I12x")
FILES = [path.read_bytes() for path in sorted(DATA.glob("[am]*/xg/*.xg"))]
FIELDS = (8, 9, 12, 16, 20, 24, 28, 32, 35, 36, 48, 52, 61, 64, 68, 72, 76, 80, 92, 96, 100, 101, 102, 103, 104, 108,
          112, 116, 120, 124, 128, 132, 136, 140, 144, 148, 180, 196, 208, 212, 216, 220, 224, 260, 288, 292, 296, 300,
          552, 556, 576, 622, 880, 1138, 2308, 2312, 2480, 2520, 2524, 2528)  # fmt: skip
"""Where something stands in one type of record or another."""

Case = tuple[bytes, bytes, bytes]
"""The records of the match and the comments, to be packed; or else a whole file."""


@cache
def _records() -> tuple[list[bytes], list[list[bytes]], list[bytes]]:
    """The headers, the records of each game, and the comments of the real files."""
    heads, games, comments = list[bytes](), list[list[bytes]](), list[bytes]()
    for content in FILES:
        files = unpacked_files(content).files
        match = files[MATCH]
        comments.append(files.get(COMMENTS, b""))
        for at in range(0, len(match), SIZE):
            record = match[at : at + SIZE]
            if record[TYPE] == MATCH_HEADER:
                heads.append(record)
            elif record[TYPE] == GAME_HEADER:
                games.append([record])
            else:
                games[-1].append(record)
    return heads, games, comments


def case(rng: random.Random) -> Case:
    """One or two games of real matches with changes, or a file that is damaged as a whole."""
    if rng.random() < 0.1:
        content = rng.choice(FILES)
        if rng.random() < 0.3:
            content += rng.choice(FILES)
        return b"", b"", changed_bytes(rng, content)
    heads, games, comments = _records()
    records = [rng.choice(heads)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        game = rng.choice(games)
        records += game[: rng.choice((len(game), len(game), rng.randrange(len(game) + 1)))][:60]
    for _ in range(rng.choice((0, 1, 1, 2, 4, 8))):
        _change(rng, records, games)
    match = b"".join(records)
    if rng.random() < 0.05:
        match = changed_bytes(rng, match)
    remarks = rng.choice(comments)
    return match, changed_bytes(rng, remarks) if rng.random() < 0.3 else remarks, b""


def _change(rng: random.Random, records: list[bytes], games: list[list[bytes]]) -> None:
    """One record left out, doubled, elsewhere, that of another game, or with another value somewhere."""
    at, other = rng.randrange(len(records)), rng.randrange(len(records))
    match rng.randrange(10):
        case 0 if len(records) > 1:
            del records[at]
        case 1:
            records.insert(at, records[at])
        case 2:
            records[at], records[other] = records[other], records[at]
        case 3:
            records[at] = rng.choice(rng.choice(games))
        case _:
            place = rng.choice(FIELDS) if rng.random() < 0.7 else rng.randrange(SIZE)
            piece = rng.choice(PIECES)
            records[at] = (records[at][:place] + piece + records[at][place + len(piece) :])[:SIZE]


def packed(files: dict[str, bytes]) -> bytes:
    """A file with these inside, whose checksums are right."""
    data, index = b"", b""
    for name, content in files.items():
        stored = zlib.compress(content, 1)
        pascal = bytes([len(name)]) + name.encode()
        index += _ENTRY.pack(pascal, b"", len(content), len(stored), len(data), zlib.crc32(content), 0, 1)
        data += stored
    index = zlib.compress(index)
    trailer = _TRAILER.pack(zlib.crc32(data + index), len(files), 1, len(index), len(data), 1)
    header = FILES[0][:12] + struct.pack("<qI", 0, 0) + FILES[0][24:HEADER_SIZE]
    return header + data + index + trailer


def octets(case: Case) -> bytes:
    """The file."""
    match, comments, whole = case
    return whole or packed({MATCH: match} | ({COMMENTS: comments} if comments else {}))


def check(case: Case) -> None:
    """Read it, and do everything with it that can be done."""
    match, comments, whole = case
    check_record(octets(case), len(match) + len(comments) or 20 * len(whole))


def candidates(case: Case) -> Iterator[Case]:
    """The case with fewer records, or less of a damaged file."""
    match, comments, whole = case
    if comments:
        yield match, b"", whole
    count = len(match) // SIZE
    size = count
    while size:
        for begin in range(0, count, size):
            yield match[: begin * SIZE] + match[(begin + size) * SIZE :], comments, whole
        size //= 2
    size = len(whole)
    while size > 50:
        for begin in range(0, len(whole), size):
            yield match, comments, whole[:begin] + whole[begin + size :]
        size //= 2
