"""The one helper that says what is wrong with a value: all of it at once, in words that follow from the annotations."""

from __future__ import annotations

from enum import Enum, StrEnum
from fractions import Fraction
from typing import Annotated, Literal

import attrs
import pytest

import loop
from bots import MuteError
from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules.errors import ArgumentError, RulesError, RulesProblem
from gammonrules.limits import MAX_POINTS
from gammonrules.values import error_text, flagged, refuse, refuse_flagged, shown, whole_argument
from integers import Count


class Color(StrEnum):
    RED = "red"


class Shade(Enum):
    RED = "red"


@attrs.frozen
class Sample:
    number: int = 0
    bounded: Annotated[int, Bounds(1, 9)] = 1
    optional: Annotated[int, Bounds(1, 9)] | None = None
    switch: bool = True
    text: str = ""
    choice: Literal["a", "b"] = "a"
    color: Color | None = None
    either: Color | Shade | None = None
    pair: tuple[int, int] = (0, 0)
    colors: tuple[Color, ...] = ()
    real: float = 0.0
    share: Annotated[float, Bounds(0, 1)] | None = None
    amount: Annotated[float, Bounds(0)] = 0.0
    reals: tuple[float, ...] = ()
    rows: tuple[tuple[float, ...], ...] = ()
    _private: int = 0


class TestFields:
    @loop.rows(
        "fields",
        {},
        {"number": -MAX_POINTS, "bounded": 9, "optional": 9},
        {"switch": False, "text": "x" * 10_000, "choice": "b"},
        {"color": Color.RED, "either": Shade.RED, "pair": (-1, MAX_POINTS), "colors": (Color.RED,) * 3},
        {"real": -1e300, "share": 1.0, "amount": 1e9, "reals": (0.5, -0.5)},
        {"private": "not looked at"},
    )
    def test_nothing_is_wrong(self, fields):
        assert list(wrong_fields(Sample(**fields))) == []

    @loop.rows(
        ("name", "wrong"),
        *(("number", wrong) for wrong in (None, True, 1.0, "1", Count(10**30), MAX_POINTS + 1, -(10**30))),
        *(("bounded", wrong) for wrong in (0, 10, True)),
        *(("optional", wrong) for wrong in (0, 10, False)),
        *(("switch", wrong) for wrong in (1, None)),
        *(("text", wrong) for wrong in (None, b"")),
        *(("choice", wrong) for wrong in ("A", ["a"])),
        *(("color", wrong) for wrong in ("red", Shade.RED)),
        *(("either", wrong) for wrong in ("red", False)),
        *(("pair", wrong) for wrong in ((1,), (1, 2, 3), [1, 2], (1, None), 5)),
        *(("colors", wrong) for wrong in (("red",), (Color.RED, None), [Color.RED])),
        *(("real", wrong) for wrong in (True, "0.5", Fraction(10**400), float("nan"))),
        *(("share", wrong) for wrong in (-0.1, 1.1, float("nan"))),
        *(("amount", wrong) for wrong in (-1e-9, float("inf"))),
        *(("reals", wrong) for wrong in ((0.5, 1), (float("nan"),), [0.5])),
    )
    def test_one_sentence_for_a_wrong_field(self, name, wrong):
        (sentence,) = wrong_fields(Sample(**{name: wrong}))
        assert sentence.startswith(f"{name} must be ")
        assert ", not " in sentence
        assert len(sentence) < 300
        assert "\n" not in sentence

    def test_the_wrong_item_is_named(self):
        (sentence,) = wrong_fields(Sample(rows=((0.5, 0.5), (0.5, None))))
        assert sentence.endswith(" (rows[1] is (0.5, None) (rows[1][1] is None))")

    def test_numbers_and_texts_of_other_classes_become_plain(self):
        words = {"text": Color.RED, "choice": type("Choice", (str,), {})("a")}
        sample = Sample(number=Count(1), pair=(Count(1), 2), real=1, share=Fraction(1, 2), **words)
        assert list(wrong_fields(sample)) == []
        assert repr(sample) == repr(Sample(number=1, pair=(1, 2), real=1.0, share=0.5, text="red", choice="a"))

    def test_all_of_them_in_order(self):
        wrong = Sample(number="1", switch=1, pair=())
        assert [sentence.split()[0] for sentence in wrong_fields(wrong)] == ["number", "switch", "pair"]
        assert [sentence.split()[0] for sentence in wrong_fields(wrong, "pair", "switch")] == ["switch", "pair"]
        assert list(wrong_fields(wrong, "text")) == []

    @loop.rows(
        ("name", "words"),
        ("bounded", "a whole number from 1 to 9"),
        ("optional", "a whole number from 1 to 9 or None"),
        ("switch", "True or False"),
        ("choice", '"a" or "b"'),
        ("either", "a Color, a Shade or None"),
        ("share", "a number from 0 to 1 or None"),
        ("reals", "a tuple of finite numbers"),
    )
    def test_words(self, name, words):
        assert list(wrong_fields(Sample(**{name: 2.5}))) == [f"{name} must be {words}, not 2.5"]


class TestRaising:
    def test_nothing_to_refuse(self):
        refuse("sample", [])
        refuse_flagged(RulesError, "rules", [])

    def test_up_to_ten_sentences(self):
        with pytest.raises(ArgumentError, match=r"^impossible sample: 0; 1; 2; 3; 4; 5; 6; 7; 8; 9$"):
            refuse("sample", map(str, range(10)))
        with pytest.raises(ArgumentError, match=r"; 9; and more$"):
            refuse("sample", map(str, range(1000)))

    def test_flags_are_joined(self):
        switch, number = RulesProblem.NOT_A_BOOL, RulesProblem.NUMBER_OUT_OF_RANGE
        with pytest.raises(RulesError, match=r"^impossible rules: a; b; c$") as caught:
            refuse_flagged(RulesError, "rules", [*flagged(switch, "ab"), *flagged(number, "c")])
        assert caught.value.problems == switch | number

    @loop.rows("value", 1, 9, Count(5))
    def test_a_whole_argument(self, value):
        assert type(whole_argument("count", value, 1, 9)) is int

    @loop.rows("value", 0, 10, None, True, 1.0, "1", 10**30)
    def test_what_is_no_whole_argument(self, value):
        with pytest.raises(ArgumentError, match=r"^count must be a whole number from 1 to 9, not "):
            whole_argument("count", value, 1, 9)


def test_the_text_of_any_exception():
    """Also where it cannot be made, as `shown` has the type of an object in such a case."""
    assert error_text(KeyError("x")) == "'x'"
    assert error_text(MuteError()) == "its text cannot be shown"
    assert shown(MuteError()) == "an object of type MuteError"
