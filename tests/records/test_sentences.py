"""What errors name: the broken rule, the move, the point, the field, the value; and what values are called.

Each message is one short line. Its words are not public, so a test asks for what a reader needs, not for the sentence.
"""

from __future__ import annotations

import pytest

import loop
import wording
from gammonrules import (
    AmbiguousPlayError,
    ArgumentError,
    Dice,
    DiceError,
    DiceProblem,
    IllegalPlayError,
    Move,
    ParseError,
    Position,
)
from gammonrules.board.position import legal_play

START = Position.start()


def against(mine: dict[int | str, int], theirs: dict[int, int]) -> Position:
    """A position with the opponent's checkers in the mover's numbering."""
    return Position.of(mine=mine, theirs={25 - point: count for point, count in theirs.items()})


RUNNER: dict[int | str, int] = {24: 1, 1: 14}


def test_illegal_moves_are_spelled_out() -> None:
    with wording.tells(IllegalPlayError, "bar/22* 6/5", "31"):
        START.legal_plays("31").find([Move(25, 22, hit=True), Move(6, 5)])


def test_ambiguous_play_for_those_who_do_not_ask_why() -> None:
    """A reader of records gets the same error, and None if nothing is legal."""
    plays = against(RUNNER, {22: 1, 18: 1, 16: 1}).legal_plays("62")
    with pytest.raises(AmbiguousPlayError):
        legal_play(plays, "24/16")
    assert legal_play(plays, "24/22") is None
    assert legal_play(plays, "24/18*/16*") == plays.find("24/18*/16*")


@loop.rows(
    ("text", "named"),
    ("8/5 6/x", ["'6/x'"]),
    ("*8/5", ["'*8/5'"]),
    ("26/25", ["'26/25'", "point 26"]),
    ("8/5(0)", ["'8/5(0)'", "1", "15"]),
    ("8/5(16)", ["'8/5(16)'", "1", "15"]),
    ("8*/5", ["'8*/5'", "star"]),
    ("6/5" * 70, ["200", "210"]),
)
def test_unreadable_play(text: str, named: list[str]) -> None:
    """The word that cannot be read, and what is wrong with it."""
    with pytest.raises(ParseError) as caught:
        START.legal_plays("31").find(text)
    wording.check(caught.value, *named, longest=200)


@loop.rows("value", None, 5, b"8/5", {}, Move(8, 5))
def test_not_a_play(value) -> None:
    plays = START.legal_plays("31")
    for ask in (plays.find, *in_turn(plays)):
        with wording.tells(ArgumentError, "Play", "moves", f"{value!r:.60}"):
            ask(value)


@loop.over("wrong", ["6/5", None, {8: 5}, (8,), (8, 5, 1), (8, 5, False, 1), (26, 5), (8, -1)])
def test_not_a_move(wrong) -> None:
    plays = START.legal_plays("31")
    for ask in (plays.find, *in_turn(plays)):
        with wording.tells(ArgumentError, "a Move, (from, to) or (from, to, hit)", "25 (bar)", "0 (off)", repr(wrong)):
            ask([(8, 5), wrong])


def in_turn(plays):
    """Everything that takes the moves made so far."""
    return plays.next_moves, plays.is_complete, plays.points_after, plays.dice_left, plays.combined_moves


@loop.rows(
    ("points", "named"),
    (("8", "5"), ["from_point", "from 1 to 25", "'8'", "to_point", "from 0 to 24", "'5'"]),
    ((26, 5), ["from_point must be a whole number from 1 to 25, not 26"]),
    ((25, 25), ["to_point must be a whole number from 0 to 24, not 25"]),
    ((8, -1), ["to_point must be a whole number from 0 to 24, not -1"]),
    ((5, 8), ["5/8 does not go forward"]),
    ((5, 5), ["5/5 does not go forward"]),
)
def test_impossible_move(points, named) -> None:
    with wording.tells(ArgumentError, "impossible move", *named):
        Move(*points)


def test_wrong_faces_are_flagged() -> None:
    for faces, problems in (
        ((0, 7), DiceProblem.INVALID_FIRST_DIE | DiceProblem.INVALID_SECOND_DIE),
        ((1, 7), DiceProblem.INVALID_SECOND_DIE),
        ((7, 1), DiceProblem.INVALID_FIRST_DIE),
        ("x", DiceProblem.NOT_A_PAIR),
    ):
        with wording.tells(DiceError, problems=problems):
            Dice.of(faces)


def test_representations() -> None:
    """A position is code that makes it again; plays show the roll and a few of what they hold, in a line."""
    for position in (START, Position.of({24: 1}, {24: 1}, checkers=3)):
        assert eval(repr(position), {"Position": Position}) == position
    plays = START.legal_plays("31")
    wording.check(repr(plays), "Plays", "31", "16", *map(str, plays[:3]), longest=100)
    assert str(plays[5]) not in repr(plays)
    assert str(Move(25, 22, hit=True)) == "bar/22*"
