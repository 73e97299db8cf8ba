"""Ways in which people write a play, made from its single steps, for tests that read them back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby

from reference import BAR, OFF, Step


def spellings(path: Sequence[Step], rng: random.Random) -> list[str]:
    """A few spellings of this sequence of steps that name every step, in any order and style."""
    if not path:
        return ["", "no play", "Cannot Move", "NO PLAY", "  ", "Pass"]
    return [
        _one_by_one(path),
        _one_by_one(path).upper(),
        _in_numbers(path),
        _repeats(path, star_last=True),
        _repeats(path, star_last=False).title(),
        _in_any_order(path, rng),
        _one_by_one(path).replace("/", "-") if len(path) > 1 else _in_numbers(path),  # "6-5" alone may be a roll
        "  " + _in_numbers(path).replace(" ", "   ") + " \n",
    ]


def _one_by_one(path: Sequence[Step]) -> str:
    return " ".join(f"{_name(step.start)}/{_name(step.end)}{'*' if step.hits else ''}" for step in path)


def _in_numbers(path: Sequence[Step]) -> str:
    """The bar as 25, off as 0, no stars."""
    return " ".join(f"{step.start}/{step.end}" for step in path)


def _repeats(path: Sequence[Step], *, star_last: bool) -> str:
    """Equal steps gathered, as "6/4*(2)" or "6/4(2)*"."""
    words = []
    for (start, end), group in groupby(sorted(path, reverse=True), key=lambda step: (step.start, step.end)):
        same = list(group)
        star = "*" if any(step.hits for step in same) else ""
        count = f"({len(same)})" if len(same) > 1 else ""
        words.append(f"{_name(start)}/{_name(end)}{count + star if star_last else star + count}")
    return " ".join(words)


def _in_any_order(path: Sequence[Step], rng: random.Random) -> str:
    return _one_by_one(rng.sample(list(path), len(path)))


def _name(place: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(place, str(place))
