"""The check of messages: another wording passes, a message that says less does not."""

from __future__ import annotations

import pytest

import loop
import wording

EXAMPLE = "White cannot double: the cube is dead, 2 points and a cube of 1 already reach 3"


@loop.rows(
    "text",
    EXAMPLE,
    "With 2 points, White would reach 3 at the present cube of 1, so a double is pointless: the cube is dead.",
)
def test_another_wording_passes(text):
    wording.like(text, EXAMPLE)


@loop.rows(
    "text",
    EXAMPLE.replace("White", "Black"),
    EXAMPLE.replace("White", "the player"),
    EXAMPLE.replace("2 points", "12 points"),
    EXAMPLE.replace("double", "do that"),
    EXAMPLE.replace(", ", ",\n"),
    EXAMPLE + " " * 400,
    "",
)
def test_a_message_that_says_less_does_not(text):
    with pytest.raises(AssertionError):
        wording.like(text, EXAMPLE)


def test_what_counts():
    """Quotations, plays, names of code, players, numbers, terms of the game."""
    facts = wording.facts("'6/x' with 31: \"a b\" is no Position; Dice.of(), crawford=False, bar and 6/off, -1, Jacoby")
    assert {"'6/x'", "31", '"a b"', "position", "dice.of", "crawford=", "bar", "6/off", "-1", "jacoby"} <= facts
    assert "with" not in facts
    assert wording.facts("$.argument[0]: 7") == {"$.argument[0]", "7"}
    assert wording.facts("points, row 3: mine") == {"points", "row", "3", "mine"}


def test_listed_words():
    wording.check("White has 16 checkers", "white", 16)
    with pytest.raises(AssertionError):
        wording.check("White has 16 checkers", "Black")
    with pytest.raises(AssertionError):
        wording.check("White has 16 checkers", longest=10)
