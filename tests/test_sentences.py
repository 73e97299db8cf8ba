"""The very words of the errors: each is one sentence that names what was wrong and where."""

from __future__ import annotations

import itertools

import pytest

from gammonrules import (
    AmbiguousPlayError,
    BrokenRule,
    Dice,
    DiceError,
    DiceProblem,
    GammonError,
    IdentifierError,
    IllegalPlayError,
    Move,
    Outcome,
    ParseError,
    Position,
    Win,
)
from gammonrules.errors import PositionError
from integers import Count

START = Position.start()


def against(mine: dict[int | str, int], theirs: dict[int, int]) -> Position:
    """A position with the opponent's checkers in the mover's numbering."""
    return Position.of(mine=mine, theirs={25 - point: count for point, count in theirs.items()})


RUNNER: dict[int | str, int] = {24: 1, 1: 14}
LIKE = 'a move is written "13/7", "bar/22*", "6/4(2)" or "2/off"'

REFUSED = [
    (START, "31", "24/20/16", "a roll of 31 does not give all of these moves together"),
    (START, "31", "8/5 6/3", "a roll of 31 does not give all of these moves together"),
    (START, "31", "13/8 6/5", "13/8 is 5 pips, which a roll of 31 does not give"),
    (START, "31", "6/off", "6/off is 6 pips, which a roll of 31 does not give"),
    (START, "31", "23/20 6/5", "23/20 cannot be played, there is no checker on 23"),
    (START, "31", "bar/22 6/5", "bar/22 cannot be played, there is no checker on the bar"),
    (START, "31", "5/8", "5/8 does not move forward, from a higher to a lower point"),
    (START, "31", "5/5", "5/5 does not move forward, from a higher to a lower point"),
    (START, "31", "24/bar", "24/bar does not move forward, from a higher to a lower point"),
    (START, "31", "off/3", "off/3 does not move forward, from a higher to a lower point"),
    (START, "31", "24/21*", "no checker is hit on 21, where the opponent has no blot"),
    (START, "31", "", "the turn cannot be passed, there is a legal play (24/21 24/23)"),
    (START, "31", "8/5", "both dice can be played (24/23 8/5), this plays only one"),
    (START, "65", "24/19 24/18", "24/19 is blocked, the opponent holds the 19 point with 5 checkers"),
    (
        against(RUNNER, {16: 2}),
        "62",
        "24/22",
        "only one die can be played, and it must be the higher, the 6 (24/18)",
    ),
    (against(RUNNER, {15: 2}), "33", "24/21", "two 3s can be played (24/18), this plays only one"),
    (against({24: 4, 1: 11}, {2: 2}), "55", "24/9", "four 5s can be played (24/9 24/19), this plays only three"),
    (against(RUNNER, {12: 2}), "33", "24/18", "three 3s can be played (24/15), this plays only two"),
    (
        against({13: 1, "bar": 1}, {1: 2}),
        "21",
        "13/11 13/12",
        "13/11 must wait, a checker is on the bar and must enter first",
    ),
    (
        against({13: 5, "bar": 1}, {19: 2, 20: 2}),
        "65",
        "bar/19",
        "bar/19 is blocked, the opponent holds the 19 point with 2 checkers",
    ),
    (
        against({5: 1, 2: 2}, {24: 2}),
        "61",
        "2/off 5/4",
        "2/off with a 6 is not allowed, the higher checker on 4 must move first",
    ),
    (
        against({7: 1, 2: 2}, {24: 2}),
        "61",
        "2/off",
        "2/off must wait, not all checkers are in the home board (one is on 7)",
    ),
    (
        against({24: 1, 3: 2}, {12: 2}),
        "63",
        "3/off",
        "3/off must wait, not all checkers are in the home board (one is on 24)",
    ),
    (Position.of(mine={6: 15}), "31", "6/5", "the game is over"),
]


@pytest.mark.parametrize(("position", "roll", "text", "sentence"), REFUSED, ids=[case[3] for case in REFUSED])
def test_illegal_play(position: Position, roll: str, text: str, sentence: str) -> None:
    with pytest.raises(IllegalPlayError) as caught:
        position.legal_plays(roll).find(text)
    assert str(caught.value) == f'"{text}" with {roll}: {sentence}'


def test_illegal_moves_are_spelled_out() -> None:
    with pytest.raises(IllegalPlayError) as caught:
        START.legal_plays("31").find([Move(25, 22, hit=True), Move(6, 5)])
    assert str(caught.value).startswith('"bar/22* 6/5" with 31: ')


def test_ambiguous_play() -> None:
    with pytest.raises(AmbiguousPlayError) as caught:
        against(RUNNER, {22: 1, 18: 1, 16: 1}).legal_plays("62").find("24/16")
    assert str(caught.value) == '"24/16" with 62: which checkers are hit on the way? 24/18*/16* or 24/22*/16*'


def test_play_of_another_roll() -> None:
    with pytest.raises(IllegalPlayError) as caught:
        START.legal_plays("31").find(START.legal_plays("21").find("24/21"))
    assert str(caught.value) == '"24/21" with 31: this play does not belong to this position and roll'


@pytest.mark.parametrize(
    ("so_far", "sentence"),
    [
        ([Move(24, 20)], '"24/20" with 31: 24/20 is 4 pips, which no die of 31 gives'),
        ([Move(8, 5, hit=True)], '"8/5*" with 31: no checker is hit on 5, where the opponent has no blot'),
        (
            [Move(24, 21), Move(6, 5, hit=True)],
            '"6/5*" with 31: no checker is hit on 5, where the opponent has no blot',
        ),
        (
            [Move(8, 5), Move(8, 5), Move(6, 5)],
            '"8/5 8/5" with 31: a roll of 31 does not give all of these moves together',
        ),
    ],
)
def test_impossible_turn(so_far: list[Move], sentence: str) -> None:
    with pytest.raises(IllegalPlayError) as caught:
        START.legal_plays("31").next_moves(so_far)
    assert str(caught.value) == sentence


def test_offered_moves_come_high_points_first() -> None:
    offered = START.legal_plays("31").next_moves()
    assert [str(move) for move in offered] == ["24/23", "24/21", "13/10", "8/7", "8/5", "6/5", "6/3"]


def test_hashes_tell_values_apart() -> None:
    rolls = [START.legal_plays(roll) for roll in ("31", "21", "65")]
    assert len({hash(plays) for plays in rolls}) == 3
    assert len({hash(play) for play in rolls[0]}) == len(rolls[0])


def test_moves_of_a_legal_play_in_an_impossible_order() -> None:
    plays = against({"bar": 1, 13: 1}, {1: 2}).legal_plays("21")
    with pytest.raises(IllegalPlayError) as caught:
        plays.next_moves([Move(13, 12), Move(25, 23)])
    assert str(caught.value) == '"13/12" with 21: 13/12 must wait, a checker is on the bar and must enter first'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8/5 6/x", f"cannot read '6/x': {LIKE}"),
        ("*8/5", f"cannot read '*8/5': {LIKE}"),
        ("26/25", "cannot read '26/25': there is no point 26"),
        ("8/5(0)", "cannot read '8/5(0)': a move is repeated 1 to 15 times"),
        ("8/5(16)", "cannot read '8/5(16)': a move is repeated 1 to 15 times"),
        ("8*/5", "cannot read '8*/5': a star belongs behind the point where a checker is hit"),
        ("6/5" * 70, "a play is at most 200 characters long, this text has 210"),
    ],
)
def test_unreadable_play(text: str, sentence: str) -> None:
    with pytest.raises(ParseError) as caught:
        START.legal_plays("31").find(text)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("given", [[(8, 5)], None, 5, b"8/5", {}, Move(8, 5), [Move(8, 5), "6/5"]])
def test_play_that_is_no_play(given) -> None:
    plays = START.legal_plays("31")
    for ask in (plays.find, plays.next_moves, plays.complete, plays.points_after):
        with pytest.raises(ParseError) as caught:
            ask(given)
        assert str(caught.value) == f"a play is a text, a Play or a series of Move, not {given!r:.60}"


@pytest.mark.parametrize("points", [("8", "5"), (26, 5), (8, -1), (8.0, 5), (True, 0), (None, None)])
def test_move_between_what_is_no_point(points) -> None:
    with pytest.raises(ParseError) as caught:
        Move(*points)
    wrong = next(point for point in points if type(point) is not int or not 0 <= point <= 25)
    assert str(caught.value) == f"a move leads from point to point, 0 (off) to 25 (bar), not {wrong!r}"


CLOSED = {25: 1, **dict.fromkeys(range(1, 7), 2)}
BOARDS = [
    (
        lambda: Position.of({6: 16}, {19: 1}),
        "mine: 16 checkers, the game has 15; both sides have checkers on my 6 point",
    ),
    (lambda: Position.of({3: -1, "bar": -2}, {6: 1}), "mine: -1 checkers on the 3 point; mine: -2 checkers on the bar"),
    (
        lambda: Position.of({6: 1, "off": 3}, {6: 1}),
        "mine: 3 checkers off, but 14 of 15 are not on the board",
    ),
    (lambda: Position.of({6: 1}, {6: 4}, checkers=3), "theirs: 4 checkers, the game has 3"),
    (
        lambda: Position.of({30: 1}, {"x": 1}),
        'mine: 30 is no point (1 to 24, "bar", "off"); theirs: \'x\' is no point (1 to 24, "bar", "off")',
    ),
    (
        lambda: Position.of({6: "a"}, None),
        "mine: 'a' on 6 is no whole number; theirs: checkers by point are needed, not None",
    ),
    (lambda: Position.of({6: 10**5000}, {}), "mine: a number of thousands of digits checkers, the game has 15"),
    (Position.of, "both sides have borne off everything"),
    (lambda: Position.of(CLOSED, CLOSED), "both sides are on the bar against a closed board, nobody can ever move"),
    (lambda: Position.of({6: 1}, {6: 1}, checkers=16), "a side has 1 to 15 checkers, not 16"),
    (lambda: Position.from_points([0] * 25 + [-1]), "index 25 is my bar, it cannot hold -1"),
    (lambda: Position.from_points([2] + [0] * 24 + [1]), "index 0 is the opponent's bar, it cannot hold 2"),
]


@pytest.mark.parametrize(("build", "sentence"), BOARDS, ids=[case[1] for case in BOARDS])
def test_impossible_position(build, sentence: str) -> None:
    with pytest.raises(PositionError) as caught:
        build()
    assert str(caught.value) == f"impossible position: {sentence}"


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([0] * 25, "26 counts are needed, not 25"),
        ([0] * 27, "26 counts are needed, not more"),
        (itertools.count(), "26 counts are needed, not more"),
        (
            [-16, *[0] * 24, 16],
            "impossible position: mine: 16 checkers, the game has 15; theirs: 16 checkers, the game has 15",
        ),
        ("abc", "26 counts are needed, not 'abc'"),
        (dict.fromkeys(range(26), 1), f"26 counts are needed, not {dict.fromkeys(range(26), 1)!r:.40}"),
        (None, "26 counts are needed, not None"),
        (
            [0.5, *[0] * 5, 2, *[0] * 18, "x"],
            "impossible position: index 0: 0.5 is no whole number; index 25: 'x' is no whole number",
        ),
    ],
)
def test_no_points(points, sentence: str) -> None:
    with pytest.raises(PositionError) as caught:
        Position.from_points(points)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("abc", "14 characters are needed, 'abc' has 3"),
        ("a" * 50, f"14 characters are needed, '{'a' * 40}...' has 50"),
        ("4HPwATDgc/ABM!", "'!' is not a Base64 character"),
        ("4HPwATDgc/ABMB", "bits are set beyond the tenth byte, in the last character of '4HPwATDgc/ABMB'"),
        ("////////////8w", "'////////////8w' ends before both sides are described"),
        ("AAAAAAAAAAAAgA", "bits are set behind the board in 'AAAAAAAAAAAAgA'"),
        (None, "a text is needed, not None"),
    ],
)
def test_no_position_id(text, sentence: str) -> None:
    with pytest.raises(IdentifierError) as caught:
        Position.from_id(text)
    assert str(caught.value) == f"Position ID: {sentence}"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ((0, 1), "a die shows a whole number from 1 to 6, not 0"),
        ((0, 7), "a die shows a whole number from 1 to 6, not 0 and 7"),
        ((10**5000, 1), "a die shows a whole number from 1 to 6, not a number of thousands of digits"),
        ((1, 7), "a die shows a whole number from 1 to 6, not 7"),
        ((int, 2), "a die shows a whole number from 1 to 6, not <class 'int'>"),
        ((True, 2), "a die shows a whole number from 1 to 6, not True"),
        ("99", "a roll is written as two faces from 1 to 6, such as \"31\", not '99'"),
        (3.0, 'a roll is Dice, a pair of faces or a text such as "31", not 3.0'),
        ((1, 2, 3), 'a roll is Dice, a pair of faces or a text such as "31", not (1, 2, 3)'),
    ],
)
def test_no_roll(value, sentence: str) -> None:
    with pytest.raises(DiceError) as caught:
        Dice.of(value)
    assert str(caught.value) == sentence


def test_wrong_faces_are_flagged() -> None:
    for faces, problems in (
        ((0, 7), DiceProblem.WRONG_FIRST | DiceProblem.WRONG_SECOND),
        ((1, 7), DiceProblem.WRONG_SECOND),
        ((7, 1), DiceProblem.WRONG_FIRST),
        ("x", DiceProblem.NO_PAIR),
    ):
        with pytest.raises(DiceError) as caught:
            Dice.of(faces)
        assert caught.value.problems is problems


def test_the_last_checker_past_a_blot() -> None:
    """Both dice can be played, 4/2* and 2/off, so the 4 alone may not end the game with the blot unhit."""
    plays = Position.of({4: 1}, {23: 1, 6: 2}).legal_plays("42")
    assert [str(play) for play in plays] == ["4/2*/off"]
    assert plays.find("4/off") == plays[0]
    with pytest.raises(IllegalPlayError) as caught:
        plays.next_moves([Move(4, 0)])
    assert str(caught.value) == '"4/off" with 42: both dice can be played (4/2*/off), this plays only one'
    assert caught.value.witness == plays[0]


def test_a_turn_is_not_over_where_it_looks_like_a_legal_result() -> None:
    """5/off by the 6 leaves the board of 5/4/off... but the 1 is still to be played."""
    plays = Position.of({5: 1, 1: 2}, {6: 2}).legal_plays("61")
    assert not plays.complete([Move(5, 0)])
    assert plays.next_moves([Move(5, 0)]) == (Move(1, 0),)


def test_a_blot_is_hit_once() -> None:
    plays = Position.of({8: 2, 6: 2}, {21: 1}).legal_plays("42")
    assert plays.complete([Move(8, 4, hit=True), Move(6, 4)])
    with pytest.raises(IllegalPlayError) as caught:
        plays.next_moves([Move(8, 4, hit=True), Move(6, 4, hit=True)])
    assert caught.value.reason is BrokenRule.NOTHING_HIT
    assert str(caught.value) == '"6/4*" with 42: no checker is hit on 4, where the opponent has no blot'


def test_points_of_a_move_may_be_of_any_integer_type() -> None:
    for move in (Move(Count(8), 5), Move(13, Count(8))):
        assert (type(move.from_point), type(move.to_point)) == (int, int)
        assert move in (Move(8, 5), Move(13, 8))


def test_move_that_neither_hits_nor_does_not() -> None:
    with pytest.raises(ParseError) as caught:
        Move(8, 5, "x")
    assert str(caught.value) == "a move hits or does not, True or False, not 'x'"


@pytest.mark.parametrize("values", [("x", Win.SINGLE), (True, 1), (1, Win.GAMMON)])
def test_no_outcome(values) -> None:
    with pytest.raises(GammonError) as caught:
        Outcome(*values)
    assert str(caught.value) == f"an outcome is True or False and a Win, not {values[0]!r} and {values[1]!r}"


def test_order_of_bearing_off() -> None:
    plays = Position.of(mine={4: 1, 2: 1, 1: 3}, theirs={1: 2}).legal_plays("62")
    with pytest.raises(IllegalPlayError) as caught:
        plays.next_moves([Move(2, 0), Move(4, 2)])
    assert str(caught.value) == '"4/2" with 62: it cannot be played at this moment of the turn'


def test_a_hit_is_starred_once() -> None:
    plays = against({24: 1, 22: 1, 6: 5}, {20: 1, 1: 5}).legal_plays("22")
    assert "24/20* 22/20 6/4" in {str(play) for play in plays}


def test_representations() -> None:
    plays = START.legal_plays("31")
    assert repr(START) == "Position.from_id('4HPwATDgc/ABMA')"
    assert repr(Position.of({24: 1}, {24: 1}, checkers=3)) == "Position.from_id('AACAAAAAAgAAAA', checkers=3)"
    assert repr(plays.find("8/5 6/5")) == "<Play 31: 8/5 6/5>"
    assert repr(plays) == "<Plays 31, 16: 24/21 24/23, 24/21 8/7, 24/21 6/5, ...>"
    assert repr(Position.of({24: 1, 1: 14}, {2: 2}).legal_plays("62")) == "<Plays 62, 1: 24/16>"
    four = START.legal_plays("55")
    assert len(four) == 4
    assert repr(four).endswith(", ...>")
    three = Position.of({24: 1, 13: 1, 1: 13}, {2: 1, 7: 2}).legal_plays("65")
    assert repr(three) == "<Plays 65, 3: 24/19 13/7, 13/2, 24/13>"
    assert repr(Position.of({24: 1, 1: 14}, {7: 2}).legal_plays("33")) == "<Plays 33, 1: 24/21>"
    assert str(Move(25, 22, hit=True)) == "bar/22*"


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (Position, "make a Position with Position.start(), of(), from_points() or from_id()"),
        (type(START.legal_plays("31")[0]), "a Play comes from Position.legal_plays(dice)"),
        (type(START.legal_plays("31")), "Plays come from Position.legal_plays(dice)"),
    ],
)
def test_no_bare_constructor(make, sentence: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert str(caught.value) == sentence
