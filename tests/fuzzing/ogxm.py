"""OGXM files: sections of real matches, changed, doubled or exchanged, with right sizes and checksums; and damage.

`fuzzing.readers` says what must hold.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from functools import cache

from fuzzing.readers import DATA, changed_bytes, check_record
from gammonrules.records import dumps, load
from gammonrules.records.formats.ogxm.ogxm_layout import CHECKSUM, END, HEADER, MAGIC, SECTION

Case = tuple[tuple[bytes, bytes], ...]
"""Types and contents of sections; one without a type is a whole file."""
_TYPES = (b"MTCH", b"GAME", b"ANAL", b"DECS", b"CLCK", b"ANNO", b"SIGN", b"NEWS", b"CSUM")


@cache
def files() -> list[bytes]:
    """The real files, and what is written of other records, with remarks and analyses."""
    texts = [*sorted(DATA.glob("matches/galaxy/*"))[:6], *sorted(DATA.glob("analysis/gnubg/*.sgf"))[:2]]
    real = [path.read_bytes() for path in sorted(DATA.glob("matches/ogxm/*.ogxm"))]
    return real + [dumps(load(path), "ogxm") for path in texts]


def sections(content: bytes) -> Case:
    at, parts = HEADER.size, list[tuple[bytes, bytes]]()
    while at < len(content) - len(END):
        kind, length, _ = SECTION.unpack_from(content, at)
        parts.append((kind, content[at + SECTION.size : at + SECTION.size + length]))
        at += SECTION.size + length
    return tuple(parts)


def case(rng: random.Random) -> Case:
    """A real match with a few changes, in its sections or as a whole."""
    if rng.random() < 0.1:
        return ((b"", changed_bytes(rng, rng.choice(files()))),)
    parts = [part for part in sections(rng.choice(files())) if part[0] != b"CSUM" or rng.random() < 0.1]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, (kind, content) = rng.choice([*enumerate(parts)]) if parts else (0, (b"MTCH", b""))
        match rng.randrange(8):
            case 0:
                del parts[at : at + 1]
            case 1:
                parts[at:at] = [(kind, content)] * rng.choice((1, 1, 300))
            case 2:
                parts[at : at + 1] = [rng.choice(sections(rng.choice(files())))]
            case 3:
                parts[at : at + 1] = [(rng.choice(_TYPES), content)]
            case _:
                parts[at : at + 1] = [(kind, changed_bytes(rng, content))]
    return tuple(parts)


def octets(case: Case) -> bytes:
    """The file."""
    if case and not case[0][0]:
        return case[0][1]
    body = b"".join(SECTION.pack(kind, len(part), kind == b"MTCH") + part for kind, part in case)
    size = HEADER.size + len(body) + SECTION.size + 8 + len(END)
    content = HEADER.pack(MAGIC, 2, 2, 2, 0, size) + body
    checksum = CHECKSUM.write({"algorithm": 0, "digest": zlib.crc32(content).to_bytes(4, "little")})
    return content + SECTION.pack(b"CSUM", len(checksum), 1) + checksum + END


def check(case: Case) -> None:
    """Read it, and do everything with it that can be done; sometimes with another file behind it."""
    content = octets(case)
    check_record(content + files()[0] * (zlib.crc32(content) % 8 == 0))


def candidates(case: Case) -> Iterator[Case]:
    """The case with fewer sections, or less of one."""
    for index, (kind, content) in enumerate(case):
        yield case[:index] + case[index + 1 :]
        size = len(content)
        while size:
            for start in range(0, len(content), size):
                yield *case[:index], (kind, content[:start] + content[start + size :]), *case[index + 1 :]
            size //= 2
