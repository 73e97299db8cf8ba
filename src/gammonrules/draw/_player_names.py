"""Names prepared for a drawing: cut between characters, without unprintable ones, isolated in writing direction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from unicodedata import bidirectional, category, east_asian_width

_ZERO_WIDTH_JOINER = "\u200d"
_INVISIBLE = frozenset("\u200c\u200d\u200e\u200f\u061c") | frozenset(
    map(chr, range(0xE0020, 0xE0080))
)
"""Joiners in Persian and Indian words and in emoji, direction marks, and the tags in flags."""
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = frozenset(map(chr, range(0x1F1E6, 0x1F200)))
_MAX_MARKS = 4
"""The most marks on one letter; letters of Vietnamese, Hebrew and Thai have fewer."""
_MAX_JOINERS = 3
"""The most joined characters in one emoji; families and kisses have this many."""
_ISOLATE = "\u2068"
_END_OF_ISOLATE = "\u2069"


def printable_name(name: str) -> str:
    """A name without control characters, overrides of the writing direction and the like, which become "�".

    Spaces of any width become plain ones, and piles of marks are cut to the number that languages use.
    """
    letters: list[str] = []
    marks_on_letter = 0
    for letter in name:
        is_invisible = letter in _INVISIBLE
        if category(letter).startswith("M"):
            marks_on_letter += 1
        elif not is_invisible:  # a mark after an invisible one is still on the same letter
            marks_on_letter = 0
        if is_invisible or marks_on_letter <= _MAX_MARKS:
            letters.append(_shown_letter(letter))
    return "".join(letters)


def _shown_letter(letter: str) -> str:
    if letter.isprintable() or letter in _INVISIBLE:
        return letter
    return " " if category(letter) == "Zs" else "\ufffd"


def columns(text: str) -> int:
    """The columns that a text takes in a terminal: two for a wide character, otherwise one."""
    return sum(map(_character_columns, _characters(text)))


def _character_columns(character: str) -> int:
    is_wide = east_asian_width(character[0]) in {"W", "F"}
    is_flag = len(_FLAG_LETTERS.intersection(character)) > 1
    return 2 if is_wide or is_flag else 1


def cut(name: str, limit: int, length: Callable[[str], int]) -> str:
    """A name, or its beginning with "…", no longer than this. `length` is that of one character."""
    beginning = name
    if length is len:  # the rest cannot have a place, so a name of any length takes no time
        beginning = name[: limit + 1]
    characters = [*_characters(beginning)]
    if sum([length(character) for character in characters]) <= limit:
        return name
    shortened = ""
    length_so_far = 0
    for character in characters:
        length_so_far += length(character)
        if length_so_far >= limit:  # "…" needs its place too
            break
        shortened += character
    return f"{shortened}…"


def _characters(text: str) -> Iterator[str]:
    """The characters of a text as a person sees them, such as a letter with its accents or a family emoji."""
    character = ""
    for letter in text:
        if character and not _belongs_to(character, letter):
            yield character
            character = ""
        character += letter
    if character:
        yield character


def _belongs_to(character: str, letter: str) -> bool:
    """Whether a code point continues the character before it."""
    if category(letter).startswith("M") or letter in _INVISIBLE:
        return True
    if letter in _SKIN_TONES:
        return category(character[-1]) == "So"
    if character[-1] == _ZERO_WIDTH_JOINER:
        # Between letters a joiner only shapes them. (Some emoji end in an arrow, which is a mathematical symbol.)
        are_emoji = category(character[0]) == "So" and category(letter) in {"So", "Sm"}
        return are_emoji and character.count(_ZERO_WIDTH_JOINER) <= _MAX_JOINERS
    # two such letters are a flag
    return character in _FLAG_LETTERS and letter in _FLAG_LETTERS


@lru_cache(maxsize=64)
def isolated(name: str) -> str:
    """A right-to-left name, wrapped so that it does not disturb the order of the words around it."""
    if any(bidirectional(letter) in {"R", "AL", "AN"} for letter in name):
        return f"{_ISOLATE}{name}{_END_OF_ISOLATE}"
    return name
