"""Files of GNU Backgammon: 40 characters that say what follows, then 16-bit numbers."""

from __future__ import annotations

import re

import numpy as np

from gammonrules.bearoff._layouts import Bytes, number_of_layouts
from gammonrules.bearoff._one_sided import OneSided, WordsStore
from gammonrules.bearoff._solve_one_sided import GNUBG_ROLLS, GNUBG_WHOLE, Race, skip_to_first
from gammonrules.bearoff._two_sided import GnubgPairs, TwoSided
from gammonrules.board.internals import BAR, STANDARD_CHECKERS
from gammonrules.errors import ParseError

HEADER = 40
_ENTRY = np.dtype([("begin", "<u4"), ("spans", "u1", (2, 2))])
"""Where the words of a layout begin, counted in words; how many there are and of how many rolls the first is, for the
bear-off and for the first checker."""
_SHORT_ENTRY = np.dtype([("begin", "<u4"), ("spans", "u1", (1, 2))])
"""A short entry, where there is nothing about the first checker."""
_TWO_SIDED = re.compile(rb"gnubg-TS-(?P<points>\d\d)-(?P<checkers>\d\d)-(?P<has_cube>[01])x*\n")
_ONE_SIDED = re.compile(
    rb"gnubg-OS-(?P<points>\d\d)-(?P<checkers>\d\d)"
    rb"-(?P<has_first>[01])-(?P<is_compressed>[01])-(?P<is_normal>[01])x*\n"
)


def gnubg_header(text: str) -> Bytes:
    return np.frombuffer(text.encode().ljust(HEADER - 1, b"x") + b"\n", np.uint8)


def compressed(bear_off: Race, first: Race, points: int) -> Bytes:
    """The content of a file with these races."""
    # for each layout the chances of both races
    dense = np.zeros((len(bear_off.chances), 2, GNUBG_ROLLS), np.uint16)
    dense[:, 0] = bear_off.chances
    dense[:, 1, 0] = GNUBG_WHOLE  # where a checker is off, the first one needs 0 rolls
    dense[first.skip :, 1] = first.chances
    # written are the chances from the first that is not 0 to the last
    is_used = dense > 0
    first_roll = is_used.argmax(axis=2)
    end = GNUBG_ROLLS - is_used[:, :, ::-1].argmax(axis=2)
    rolls = np.arange(GNUBG_ROLLS)
    is_written = (rolls >= first_roll[..., np.newaxis]) & (rolls < end[..., np.newaxis])
    words = dense[is_written]
    count = end - first_roll
    words_of_layouts = count.sum(axis=1)
    words_up_to_layouts = np.cumsum(words_of_layouts)
    index = np.zeros(len(dense), _ENTRY)
    index["begin"] = words_up_to_layouts - words_of_layouts
    index["spans"] = np.stack([count, first_roll], axis=2)
    header = gnubg_header(f"gnubg-OS-{points:02}-15-1-1-0")
    return np.concatenate([header, index.view(np.uint8), words.astype("<u2").view(np.uint8)])


def read_gnubg(content: Bytes) -> OneSided | TwoSided:
    """The table in a file with these bytes. Raises ParseError."""
    header = content[:HEADER].tobytes()
    if not header.startswith(b"gnubg-"):
        raise ParseError("this is not a bear-off table of gammonrules or GNU Backgammon")
    if re.match(rb"gnubg-H\d", header):
        raise ParseError("this is a table of GNU Backgammon for Hypergammon, which is not read")
    two_sided = _TWO_SIDED.fullmatch(header)
    if two_sided:
        points = int(two_sided["points"])
        checkers = int(two_sided["checkers"])
        must_be_possible(points, checkers)
        values = 4 if two_sided["has_cube"] == b"1" else 1
        return _two_sided_in(content, points, checkers, values)
    one_sided = _ONE_SIDED.fullmatch(header)
    if not one_sided:
        raise ParseError(
            "this looks like a table of GNU Backgammon, but its header is not one of a bear-off"
        )
    points = int(one_sided["points"])
    checkers = int(one_sided["checkers"])
    must_be_possible(points, checkers)
    if one_sided["is_normal"] == b"1":
        raise ParseError(
            "this table of GNU Backgammon has normal distributions instead of chances, which are not read"
        )
    return _one_sided_in(
        content,
        points,
        checkers,
        has_first=one_sided["has_first"] == b"1",
        is_compressed=one_sided["is_compressed"] == b"1",
    )


def _two_sided_in(content: Bytes, points: int, checkers: int, values: int) -> TwoSided:
    number = number_of_layouts(points, checkers)
    check_size(len(content), HEADER + 2 * values * number**2)
    pairs = content[HEADER:].view("<u2").reshape(number, number, values)
    return TwoSided(points, checkers, GnubgPairs(pairs, content[:HEADER]))


def _one_sided_in(
    content: Bytes, points: int, checkers: int, *, has_first: bool, is_compressed: bool
) -> OneSided:
    number = number_of_layouts(points, checkers)
    skip = skip_to_first(points, checkers)
    bytes_per_word = 2
    if not is_compressed:
        width = 2 * GNUBG_ROLLS if has_first else GNUBG_ROLLS
        check_size(len(content), HEADER + bytes_per_word * width * number)
        words = content[HEADER:].view("<u2").reshape(number, width)
        store = WordsStore(content, skip, index=None, words=words, has_first=has_first)
        return OneSided(points, checkers, store)
    entry = _ENTRY if has_first else _SHORT_ENTRY
    end = HEADER + entry.itemsize * number  # of the index, which the words follow
    if len(content) < end:
        raise ParseError(
            f"this table is cut short: it has {len(content):,} bytes, and its index takes {end:,}"
        )
    index = content[HEADER:end].view(entry)
    spans = index["spans"].astype(np.int64)
    counts = spans[:, :, 0]
    first_rolls = spans[:, :, 1]
    if (first_rolls + counts > GNUBG_ROLLS).any():
        raise ParseError(
            f"a layout of this table takes more than {GNUBG_ROLLS - 1} rolls: the file is damaged"
        )
    ends_of_layouts = index["begin"] + counts.sum(axis=1)
    number_of_words = int(ends_of_layouts.max())
    check_size(len(content), end + bytes_per_word * number_of_words)
    words = content[end:].view("<u2")
    store = WordsStore(content, skip, index, words, has_first=has_first)
    return OneSided(points, checkers, store)


def must_be_possible(points: int, checkers: int) -> None:
    """Refuse a table of another game: a side has 15 checkers, and there are no more points below the opponent's ace."""
    if not 1 <= points < BAR - 1 or not 1 <= checkers <= STANDARD_CHECKERS:
        raise ParseError(f"no bear-off table has {points} points and {checkers} checkers")


def check_size(size: int, expected: int) -> None:
    if size != expected:
        state = "cut short" if size < expected else "too long"
        raise ParseError(f"this table is {state}: it has {size:,} bytes instead of {expected:,}")
