"""The fields of a value, checked against their annotations."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import pytest
from attrs import field, frozen
from hypothesis import given, strategies as st

from gammonrules.limits import MOST_POINTS
from gammonrules.problems import Bounds, wrong_fields


class Suit(StrEnum):
    CLUBS = "clubs"


class Number(int):
    """A number of another class, which a converter would have made plain."""


@frozen
class Fields:
    number: int = 0
    bounded: Annotated[int, Bounds(1, 9)] = 1
    open_above: Annotated[int, Bounds(0)] | None = None
    suit: Suit | None = None
    choice: Literal["a", "b"] = "a"
    pair: Annotated[tuple[str, str], "a pair of names"] = ("a", "b")
    numbers: tuple[int | None, ...] = ()
    lines: tuple[Annotated[int, Bounds(1)] | None, ...] = ()
    texts: tuple[str, ...] = ()
    pairs: tuple[tuple[int, str], ...] = ()
    choices: tuple[Literal["a", "b"], ...] = ()
    suits: tuple[Suit | bool, ...] = field(default=())
    _private: int = field(default="x", init=False)


def sentences(**fields: object) -> list[str]:
    return list(wrong_fields(Fields(**fields)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"number": "x"}, "number is a whole number, not 'x'"),
        ({"number": True}, "number is a whole number, not True"),
        ({"number": MOST_POINTS + 1}, "number is a whole number, not 1000000001, beyond 1,000,000,000"),
        ({"bounded": 10}, "bounded is a whole number from 1 to 9, not 10"),
        ({"open_above": -1}, "open_above is a whole number from 0 or None, not -1"),
        ({"suit": "clubs"}, "suit is a Suit or None, not 'clubs'"),
        ({"choice": "c"}, 'choice is "a" or "b", not \'c\''),
        ({"pair": ("a", 1)}, "pair is a pair of names, not ('a', 1)"),
        ({"pair": ("a",)}, "pair is a pair of names, not ('a',)"),
        ({"numbers": [1]}, "numbers is a tuple of whole numbers or None, not [1]"),
        ({"lines": (1, None, 0)}, "lines is a tuple of whole numbers from 1 or None, not (1, None, 0) (lines[2] is 0)"),
        ({"texts": ("a", 5, 6)}, "texts is a tuple of texts, not ('a', 5, 6) (texts[1] is 5)"),
        ({"texts": (5,)}, "texts is a tuple of texts, not (5,)"),
        ({"choices": ("a", "c")}, "choices is a tuple of \"a\" or \"b\", not ('a', 'c') (choices[1] is 'c')"),
        ({"suits": (Suit.CLUBS, "clubs")}, "suits is a tuple of Suit or True or False"),
    ],
)
def test_sentences(fields: dict[str, object], sentence: str) -> None:
    (found,) = sentences(**fields)
    assert found.startswith(sentence)


def test_nothing_wrong() -> None:
    assert sentences() == []
    assert sentences(numbers=(1, None, -MOST_POINTS), pairs=((1, "a"),), suits=(True, Suit.CLUBS)) == []


def test_all_at_once_and_some_only() -> None:
    wrong = Fields("x", 0, texts="x")  # type: ignore[arg-type]
    assert [sentence.split()[0] for sentence in wrong_fields(wrong)] == ["number", "bounded", "texts"]
    assert [sentence.split()[0] for sentence in wrong_fields(wrong, "texts", "number")] == ["number", "texts"]


ITEMS = (
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([MOST_POINTS, -MOST_POINTS - 1, 1.0, "a", "c"])
    | st.sampled_from([Suit.CLUBS, Number(1), (1, "a"), ("a", 1), (1,), [1]])
)  # fmt: skip
TUPLES = ("numbers", "lines", "texts", "pairs", "choices", "suits")


@pytest.mark.parametrize("name", TUPLES)
@given(items=st.lists(ITEMS, max_size=6))
def test_a_tuple_will_do_exactly_if_each_item_does(name: str, items: list[object]) -> None:
    """Long tuples are not looked at item by item: one of each class, and the extremes of numbers, tell enough."""
    wrong = [item for item in items if sentences(**{name: (item,)})]
    found = sentences(**{name: tuple(items)})
    assert bool(found) == bool(wrong)
    if wrong and len(items) > 1:
        assert f"{name}[{[*map(id, items)].index(id(wrong[0]))}] is" in found[0]
