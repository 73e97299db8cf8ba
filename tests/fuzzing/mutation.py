"""Random changes of texts: what typing, copying, other programs and attackers do to them."""

from __future__ import annotations

import random
from collections.abc import Sequence

SPACES = " \t\n\r\v\f\0\x1c\x85\xa0\u2028\u3000\ufeff"
DIGITS = "٣๓３²½Ⅷ①𝟗"
ODD = "\0\x1b\x7f\ud800\udfffİſK\u202e\u200dé😀"
NUMBERS = ("", "-", "0", "00", "-0", "+1", "-1", "1", "2", "3", "6", "7", "9", "10", "14", "15", "16", "25", "26", "30",
           "31", "32", "63", "64", "99", "100", "127", "128", "255", "256", "1000", "32767", "32768", "999999999",
           "1000000000", "1000000001", "2147483648", "9007199254740992", "18446744073709551616", "1e9", "1.0", "0x1",
           "1_0", "inf", "nan", "9" * 12, "9" * 13, "9" * 5000)  # fmt: skip
"""Ends of ranges, and what Python reads as a number though nobody else does."""


def mutated(rng: random.Random, text: str, others: Sequence[str], separators: str = ":") -> str:
    """A text with a few changes."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        text = rng.choice(_CHANGES)(rng, text, others, separators)
    return text


def _replace(rng: random.Random, text: str, others: Sequence[str], _separators: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + _character(rng, others) + text[at + 1 :]


def _insert(rng: random.Random, text: str, others: Sequence[str], _separators: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + _character(rng, others) * rng.choice((1, 1, 1, 2, 40)) + text[at:]


def _remove(rng: random.Random, text: str, _others: Sequence[str], _separators: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.choice((1, 1, 1, 2, 10)) :]


def _repeat(rng: random.Random, text: str, _others: Sequence[str], _separators: str) -> str:
    begin, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    return text[:begin] + text[begin:end] * rng.choice((2, 2, 3, 20)) + text[end:]


def _splice(rng: random.Random, text: str, others: Sequence[str], _separators: str) -> str:
    other = rng.choice(others)
    return text[: rng.randrange(len(text) + 1)] + other[rng.randrange(len(other) + 1) :]


def _field(rng: random.Random, text: str, others: Sequence[str], separators: str) -> str:
    """One field left out, twice, elsewhere, or another."""
    separator = rng.choice(separators)
    fields = text.split(separator)
    at = rng.randrange(len(fields))
    match rng.randrange(6):
        case 0:
            del fields[at]
        case 1:
            fields.insert(at, fields[at])
        case 2:
            other = rng.randrange(len(fields))
            fields[at], fields[other] = fields[other], fields[at]
        case 3:
            fields[at] = rng.choice(rng.choice(others).split(separator))
        case _:
            fields[at] = rng.choice(NUMBERS)
    return separator.join(fields)


def _case(rng: random.Random, text: str, _others: Sequence[str], _separators: str) -> str:
    return rng.choice((str.lower, str.upper, str.swapcase, str.title))(text)


def _around(rng: random.Random, text: str, _others: Sequence[str], _separators: str) -> str:
    before, after = (rng.choice(("", " ", "\n", "(", "[", '"', "<", "ID: ", *SPACES)) for _ in range(2))
    return before + text + after


def _huge(rng: random.Random, text: str, _others: Sequence[str], _separators: str) -> str:
    """A part of the text repeated, up to some 10,000 characters."""
    if rng.random() < 0.95:
        return text
    begin = rng.randrange(len(text) + 1)
    part = text[begin : begin + rng.choice((1, 2, 5, 30))] or "A"
    return text[:begin] + part * (rng.choice((300, 3000, 10_000)) // len(part)) + text[begin:]


_CHANGES = (_replace, _replace, _insert, _remove, _repeat, _splice, _field, _field, _field, _case, _around, _huge)


def _character(rng: random.Random, others: Sequence[str]) -> str:
    """Usually one that occurs in texts of this kind."""
    chance = rng.random()
    if chance < 0.7:
        return rng.choice(rng.choice(others) or " ")
    if chance < 0.8:
        return rng.choice(DIGITS)
    if chance < 0.9:
        return rng.choice(SPACES)
    return rng.choice(ODD) if chance < 0.95 else chr(rng.randrange(0x300))
