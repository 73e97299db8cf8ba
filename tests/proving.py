"""Properties that fail as well if their examples prove too little.

A law says little about a board on which nothing can go wrong. So each counts the examples in which its condition held
(`holds`) and those in which a wrong answer was possible (`bites`), and states the share of both, in percent, as it was
measured. A law that holds fails if either comes to less than a third of that. To measure again:
`python -m pytest -n 0 tests/test_laws.py --hypothesis-show-statistics`.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import event, given, seed, settings, strategies as st

from boards import position_of
from move_generators import EVERY_GENERATOR, using
from reference import Board, results

Turn: TypeAlias = tuple[Board, tuple[int, int]]
Share: TypeAlias = tuple[Callable[[Any], bool], int]
"""A condition of an example, and the percentage of examples that meet it."""

ENOUGH = 50
"""With fewer examples, no share is judged."""


def counted(examples: st.SearchStrategy[Any], *, holds: Share, bites: Share) -> Callable[[Any], Any]:
    """Prove a method about each of these examples, and count them."""
    shares = {"its condition held": holds, "a wrong answer was possible": bites}

    def decorate(law: Callable[[Any, Any], None]) -> Callable[[Any], None]:
        seen: Counter[str] = Counter()

        def try_one(self: Any, example: Any) -> None:
            law(self, example)
            seen["all"] += 1
            for name, (condition, _) in shares.items():
                if condition(example):
                    seen[name] += 1
                    event(name)

        usual = settings.default.max_examples  # type: ignore[union-attr]
        prove = settings(max_examples=3 * usual)(given(examples)(try_one))
        # others than before, also with --hypothesis-seed
        prove_more = seed("more")(settings(max_examples=6 * usual)(given(examples)(try_one)))

        @functools.wraps(prove)
        def prove_and_judge(self: Any) -> None:
            seen.clear()
            prove(self)
            if too_few():  # perhaps by chance
                prove_more(self)
            if rare := too_few():
                pytest.fail("; ".join(rare))

        def too_few() -> list[str]:
            return [
                f"{name} in {seen[name]} of {seen['all']} examples, usually in {measured} %"
                for name, (_, measured) in shares.items()
                if seen["all"] >= ENOUGH and seen[name] * 300 < measured * seen["all"]
            ]

        prove_and_judge.__name__, prove_and_judge.__doc__ = law.__name__, law.__doc__
        return prove_and_judge

    return decorate


def law(turns: st.SearchStrategy[Turn], *, holds: Share, bites: Share) -> Callable[[Any], Any]:
    """Prove a method about the plays of a board and a roll, as every generator finds them, and count the turns."""

    def decorate(test: Callable[..., None]) -> Callable[[Any], None]:
        @functools.wraps(test)
        def by_every_generator(self: Any, turn: Turn) -> None:
            board, dice = turn
            position = position_of(board)
            for generator in EVERY_GENERATOR:
                try:
                    with using(generator):
                        test(self, position.legal_plays(dice), board, dice)
                except Exception as error:
                    error.add_note(f"{generator.__name__}, {position!r}, {dice}")
                    error.turn = position, dice
                    raise

        return counted(turns, holds=holds, bites=bites)(by_every_generator)

    return decorate


def without(*rules: str) -> Callable[[Turn], bool]:
    """Whether a generator that did not know one of these rules would find other plays."""
    return lambda turn: any(results(*turn) != results(*turn, without=rule) for rule in rules)
