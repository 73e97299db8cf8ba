"""Files of GNU Backgammon: 40 characters that say what follows, then 16-bit numbers."""

from __future__ import annotations

import re

import numpy as np

from gammonrules.bearoff._layouts import Bytes, number_of_layouts
from gammonrules.bearoff._one_sided import OneSided, WordsStore
from gammonrules.bearoff._solve_one_sided import GNUBG_ROLLS, GNUBG_WHOLE, Race
from gammonrules.bearoff._two_sided import GnubgPairs, TwoSided
from gammonrules.board.internals import BAR, STANDARD_CHECKERS
from gammonrules.errors import ParseError

HEADER = 40
_ENTRY = np.dtype([("begin", "<u4"), ("spans", "u1", (2, 2))])
"""Where the words of a layout begin, counted in words; how many there are and of how many rolls the first is, for the
bear-off and for the first checker."""
_SHORT_ENTRY = np.dtype([("begin", "<u4"), ("spans", "u1", (1, 2))])


def gnubg_header(text: str) -> Bytes:
    return np.frombuffer(text.encode().ljust(HEADER - 1, b"x") + b"\n", np.uint8)


def compressed(bear_off: Race, first: Race, points: int) -> Bytes:
    """The content of a file with these races."""
    dense = np.zeros((len(bear_off.chances), 2, GNUBG_ROLLS), np.uint16)
    dense[:, 0] = bear_off.chances
    dense[:, 1, 0] = GNUBG_WHOLE
    dense[first.skip :, 1] = first.chances
    is_used = dense > 0
    begin = is_used.argmax(axis=2)
    end = GNUBG_ROLLS - is_used[:, :, ::-1].argmax(axis=2)
    rolls = np.arange(GNUBG_ROLLS)
    words = dense[(rolls >= begin[..., np.newaxis]) & (rolls < end[..., np.newaxis])]
    count = end - begin
    words_of_layouts = count.sum(axis=1)
    index = np.zeros(len(dense), _ENTRY)
    index["begin"] = np.cumsum(words_of_layouts) - words_of_layouts
    index["spans"] = np.stack([count, begin], axis=2)
    header = gnubg_header(f"gnubg-OS-{points:02}-15-1-1-0")
    return np.concatenate([header, index.view(np.uint8), words.astype("<u2").view(np.uint8)])


def read_gnubg(content: Bytes) -> OneSided | TwoSided:
    """The table in a file with these bytes. Raises ParseError."""
    header = content[:HEADER].tobytes()
    if not header.startswith(b"gnubg-"):
        raise ParseError("this is not a bear-off table of gammonrules or GNU Backgammon")
    if re.match(rb"gnubg-H\d", header):
        raise ParseError("this is a table of GNU Backgammon for Hypergammon, which is not read")
    form = re.fullmatch(rb"gnubg-TS-(\d\d)-(\d\d)-([01])x*\n", header)
    if form:
        points = int(form[1])
        checkers = int(form[2])
        must_be_possible(points, checkers)
        return _two_sided_in(content, points, checkers, values=1 if form[3] == b"0" else 4)
    form = re.fullmatch(rb"gnubg-OS-(\d\d)-(\d\d)-([01])-([01])-([01])x*\n", header)
    if not form:
        raise ParseError(
            "this looks like a table of GNU Backgammon, but its header is not one of a bear-off"
        )
    points = int(form[1])
    checkers = int(form[2])
    must_be_possible(points, checkers)
    if form[5] == b"1":
        raise ParseError(
            "this table of GNU Backgammon has normal distributions instead of chances, which are not read"
        )
    return _one_sided_in(
        content, points, checkers, kinds=1 if form[3] == b"0" else 2, is_compressed=form[4] == b"1"
    )


def _two_sided_in(content: Bytes, points: int, checkers: int, values: int) -> TwoSided:
    number = number_of_layouts(points, checkers)
    check_size(len(content), HEADER + 2 * values * number**2)
    pairs = content[HEADER:].view("<u2").reshape(number, number, values)
    return TwoSided(points, checkers, GnubgPairs(pairs, content[:HEADER]))


def _one_sided_in(
    content: Bytes, points: int, checkers: int, kinds: int, *, is_compressed: bool
) -> OneSided:
    number = number_of_layouts(points, checkers)
    skip = number_of_layouts(points, checkers - 1) - 1
    if not is_compressed:
        check_size(len(content), HEADER + 2 * kinds * GNUBG_ROLLS * number)
        words = content[HEADER:].view("<u2").reshape(number, kinds * GNUBG_ROLLS)
        store = WordsStore(content, skip, index=None, words=words, kinds=kinds)
        return OneSided(points, checkers, store)
    entry = _ENTRY if kinds == 2 else _SHORT_ENTRY
    end = HEADER + entry.itemsize * number
    if len(content) < end:
        raise ParseError(
            f"this table is cut short: it has {len(content):,} bytes, and its index takes {end:,}"
        )
    index = content[HEADER:end].view(entry)
    spans = index["spans"].astype(np.int64)
    if (spans.sum(axis=2) > GNUBG_ROLLS).any():
        raise ParseError(
            f"a layout of this table takes more than {GNUBG_ROLLS - 1} rolls: the file is damaged"
        )
    last_word = int((index["begin"] + spans[:, :, 0].sum(axis=1)).max())
    check_size(len(content), end + 2 * last_word)
    words = content[end:].view("<u2")
    return OneSided(points, checkers, WordsStore(content, skip, index, words, kinds))


def must_be_possible(points: int, checkers: int) -> None:
    """Refuse a table of another game: a side has 15 checkers, and there are no more points below the opponent's ace."""
    if not 1 <= points < BAR - 1 or not 1 <= checkers <= STANDARD_CHECKERS:
        raise ParseError(f"no bear-off table has {points} points and {checkers} checkers")


def check_size(size: int, expected: int) -> None:
    if size != expected:
        state = "cut short" if size < expected else "too long"
        raise ParseError(f"this table is {state}: it has {size:,} bytes instead of {expected:,}")
