"""Positions: their constructors, what they refuse, what they say."""

from __future__ import annotations

import copy
import itertools
import pickle
import re
import string
from contextlib import suppress
from typing import Any

import attrs
import pytest
from hypothesis import assume, example, given, strategies as st

import loop
import reference
import wording
from boards import board_of, boards, finished_boards, position_of, rolls
from gammonrules import Dice, Position, Win
from gammonrules.board import (
    START_NAMES,
    IllegalPlayError,
    IllegalPlayReason,
    Move,
    Outcome,
    Play,
    Plays,
    TurnTree,
    position_id,
)
from gammonrules.board.board_setup import STARTS
from gammonrules.errors import (
    ArgumentError,
    DiceError,
    GammonError,
    IdentifierError,
    ParseError,
    PositionError,
    PositionProblem,
)
from gammonrules.values import one_of
from reference import BAR, OFF

START = {24: 2, 13: 5, 8: 3, 6: 5}
CLOSED = dict.fromkeys(range(1, 7), 2)


def _without(point: int) -> dict[int, int]:
    """The points of a closed board but one."""
    return {made: count for made, count in CLOSED.items() if made != point}


def points(**changes: int) -> list[int]:
    """The 26 points of the start, with p0=..., p25=... in place of some."""
    result = list(Position.start().points)
    for name, count in changes.items():
        result[int(name[1:])] = count
    return result


class TestConstructors:
    @loop.over("name", START_NAMES)
    def test_starts_by_name(self, name):
        """`tests/test_conformance.py` compares their checkers with those of the model."""
        points = STARTS[name]
        start = Position.start(name)
        assert start == Position.of(mine=points, theirs=points, checkers=sum(points.values()))
        assert start.flip() == start
        assert (start.pip_count, start.off) == (sum(point * count for point, count in points.items()), 0)

    @loop.rows("name", "Nackgammon", "", None, 15, ["standard"])
    def test_a_start_that_does_not_exist(self, name):
        with wording.tells(PositionError, problems=PositionProblem.UNKNOWN_START) as caught:
            Position.start(name)
        near = '; did you mean "nackgammon"?' if name == "Nackgammon" else ""
        assert str(caught.value) == f"a start position must be {one_of(START_NAMES)}, not {name!r}{near}"

    @given(boards(over=True) | boards(checkers=3, over=True))
    def test_from_points(self, board):
        """From 26 counts, with the checks of every other way."""
        position = position_of(board)
        assert Position.from_points(position.points, checkers=position.checkers) == position
        assert Position.from_points(list(position.points), checkers=position.checkers) == position
        assert Position.of(position.mine, position.theirs, checkers=position.checkers) == position
        with pytest.raises(PositionError):
            Position.from_points(position.points, checkers=16)
        with pytest.raises(PositionError):
            Position.from_points(position.points[:25])

    @loop.rows(
        ("sides", "same"),
        (({25: 1, 3: 2, 0: 12}, {25: 2, 0: 13}), ({"bar": 1, 3: 2, "off": 12}, {"bar": 2, "off": 13})),
        ((START | {1: 0, "bar": 0, "off": 0}, START), (START, START)),
        (({"bar": 1, 25: 2, 6: 3, "off": 4, 0: 5}, {0: 7, "off": 7, 1: 1}), ({"bar": 3, 6: 3}, {1: 1})),
    )
    def test_of_the_same_board(self, sides, same):
        """Bar and off by name, by number or both; empty points may be given."""
        assert Position.of(*sides) == Position.of(*same)

    @given(boards(over=True))
    def test_every_way_is_one(self, board):
        position = position_of(board)
        size = sum(board[0])
        assert position.points == reference.signed(board)
        assert (position.off, position.opponent_off, position.checkers) == (board[0][OFF], board[1][OFF], size)
        assert (position.bar, position.opponent_bar) == (board[0][BAR], board[1][BAR])
        assert Position.from_points(position.points, checkers=size) == position
        assert Position.from_id(position.id, checkers=size) == position

    def test_only_both_sides_shut_out_are_refused(self):
        """A side is shut out if it is on the bar against the six made points of the other home board, 1 to 6."""
        boards = {"closed": CLOSED, "closed and more": CLOSED | {1: 3}, "prime from 2 to 7": _without(1) | {7: 2}}
        boards |= {f"{open_point} open": _without(open_point) for open_point in range(1, 7)}
        boards |= {f"a blot on {blot}": CLOSED | {blot: 1} for blot in range(1, 7)}
        refused = set()
        for (first, mine), (other, theirs) in itertools.product(boards.items(), repeat=2):
            for my_bar, their_bar in itertools.product((0, 1, 2), repeat=2):
                sides = mine | {"bar": my_bar}, theirs | {"bar": their_bar}
                try:
                    assert Position.of(*sides).flip() == Position.of(*sides[::-1])
                except PositionError as error:
                    assert error.problems is PositionProblem.BOTH_SHUT_OUT
                    refused.add((first, other, my_bar, their_bar))
        assert refused == set(itertools.product(*[("closed", "closed and more")] * 2, (1, 2), (1, 2)))


INVALID = {
    "sixteen of mine": (lambda: Position.of(mine=START | {1: 1}, theirs={}), "TOO_MANY_CHECKERS", "mine", "16", "15"),
    "sixteen of theirs": (lambda: Position.of(mine={}, theirs={6: 16}), "TOO_MANY_CHECKERS"),
    "four in hypergammon": (lambda: Position.of({3: 1}, {3: 4}, checkers=3), "TOO_MANY_CHECKERS", "theirs", "4", "3"),
    "negative": (
        lambda: Position.of({3: -1, "bar": -2}, START),
        "NEGATIVE_COUNT",
        "mine",
        "-1",
        "3 point",
        "-2",
        "bar",
    ),
    "both on a point": (lambda: Position.of(mine={24: 1}, theirs={1: 1}), "SHARED_POINT", "24 point"),
    "both off": (lambda: Position.of(mine={}, theirs={}), "BOTH_OFF", "both", "off"),
    "both shut out": (lambda: Position.of(CLOSED | {"bar": 1}, CLOSED | {"bar": 3}), "BOTH_SHUT_OUT", "bar", "closed"),
    "their sixteenth on my bar": (
        lambda: Position.from_points(points(p25=-1)),
        "CHECKERS_ON_WRONG_BAR",
        "index 25",
        "my bar",
        "-1",
    ),
    "my sixteenth on their bar": (
        lambda: Position.from_points(points(p0=1)),
        "CHECKERS_ON_WRONG_BAR",
        "index 0",
        "opponent's bar",
        "1",
    ),
    "off does not fit": (
        lambda: Position.of({6: 1, "off": 3}, START),
        "WRONG_NUMBER_OFF",
        "mine",
        "3",
        "off",
        "14",
        "15",
    ),
    "too few": (lambda: Position.of(mine={6: 5, "off": 9}, theirs=START), "WRONG_NUMBER_OFF"),
    "no points at all": (
        lambda: Position.of({30: 1}, {"x": 1}),
        "NOT_A_BOARD",
        "mine",
        "30",
        "theirs",
        "'x'",
        "24",
        "bar",
        "off",
    ),
    "no point -1": (lambda: Position.of(mine={-1: 1}, theirs=START), "NOT_A_BOARD"),
    "point is a fraction": (lambda: Position.of(mine={6.0: 1}, theirs=START), "NOT_A_BOARD"),
    "count is a fraction": (lambda: Position.of(mine={6: 5.0}, theirs=START), "NOT_A_BOARD"),
    "count is text": (lambda: Position.of({6: "5"}, None), "NOT_A_BOARD", "mine", "'5'", "6", "theirs", "None"),
    "no mapping": (lambda: Position.of(mine=[(6, 5)], theirs=START), "NOT_A_BOARD"),
    "25 points": (lambda: Position.from_points(points()[:25]), "NOT_A_BOARD", "26", "25"),
    "27 points": (lambda: Position.from_points([*points(), 0]), "NOT_A_BOARD", "26", "more"),
    "points without end": (lambda: Position.from_points(itertools.count()), "NOT_A_BOARD", "26", "more"),
    "points are None": (lambda: Position.from_points(None), "NOT_A_BOARD", "26", "None"),
    "points are text": (lambda: Position.from_points("a" * 26), "NOT_A_BOARD", "26", "'aaa"),
    "points are a mapping": (
        lambda: Position.from_points(dict.fromkeys(range(26), 1)),
        "NOT_A_BOARD",
        "26",
        "{0: 1, 1: 1",
    ),
    "points are fractions": (
        lambda: Position.from_points([0.5, *[0] * 24, "x"]),
        "NOT_A_BOARD",
        "index 0",
        "0.5",
        "25",
        "'x'",
    ),
    "an enormous count": (lambda: Position.of({6: 10**5000}, {}), "TOO_MANY_CHECKERS", "mine", "15"),
    "sixteen of both and a wrong bar": (
        lambda: Position.from_points([3, *[0] * 11, 16, -16, *[0] * 11, -2]),
        "CHECKERS_ON_WRONG_BAR|TOO_MANY_CHECKERS",
    ),
    "no checkers": (lambda: Position.of(mine={}, theirs={}, checkers=0), "CHECKERS_OUT_OF_RANGE"),
    "sixteen a side": (lambda: Position.of({6: 1}, {6: 1}, checkers=16), "CHECKERS_OUT_OF_RANGE", "1", "15", "16"),
    "checkers is a fraction": (lambda: Position.of(mine=START, theirs=START, checkers=15.0), "CHECKERS_OUT_OF_RANGE"),
    "checkers is text": (lambda: Position.from_id("4HPwATDgc/ABMA", checkers="15"), "CHECKERS_OUT_OF_RANGE"),
}


class TestInvalidPositions:
    @loop.over("name", INVALID)
    def test_refused(self, name):
        build, expected, *named = INVALID[name]
        with pytest.raises(PositionError) as caught:
            build()
        assert isinstance(caught.value, GammonError)
        assert sorted(str(flag.name) for flag in caught.value.problems) == expected.split("|")
        wording.check(caught.value, *named)

    def test_all_problems_at_once(self):
        with pytest.raises(PositionError) as caught:
            Position.of(mine={24: 8, 6: 8, "bar": -1}, theirs={1: 16})
        expected = PositionProblem.TOO_MANY_CHECKERS | PositionProblem.NEGATIVE_COUNT | PositionProblem.SHARED_POINT
        assert caught.value.problems & expected == expected
        message = str(caught.value)
        assert "16" in message
        assert "24" in message

    @given(st.lists(st.integers(-17, 17) | st.booleans() | st.none() | st.floats(), max_size=28))
    def test_any_list_is_a_position_or_refused(self, values):
        try:
            position = Position.from_points(values)
        except PositionError as error:
            assert error.problems
        else:
            assert list(position.points) == values
            assert reference.is_valid(board_of(position))

    @given(st.data())
    def test_accepts_exactly_the_valid_boards(self, data):
        """Boards that are drawn checker by checker, so that both sides and too many checkers collide at times."""
        draw_side = st.lists(st.integers(0, 25), min_size=13, max_size=16)
        sides = [data.draw(draw_side) for _ in range(2)]
        board = tuple(tuple(side.count(place) for place in range(26)) for side in sides)
        fits = all(sum(side[1:]) <= 15 for side in board)
        build = {
            name: {place or "off": count for place, count in enumerate(side) if place != OFF and count}
            for name, side in zip(("mine", "theirs"), board, strict=True)
        }
        if fits and reference.is_valid(board):
            assert Position.of(**build).points == reference.signed(board)
        else:
            with pytest.raises(PositionError):
                Position.of(**build)


def outcome_of(make: Any) -> Any:
    """The position, or the text and the problems of the error."""
    try:
        return make()
    except PositionError as error:
        return str(error), error.problems


class TestShortWay:
    """Boards that are plainly possible skip the checks that name problems; nothing else does."""

    @given(boards(over=True), st.data())
    def test_points(self, board, data):
        """A list with something changed gives what any other series of the same numbers gives."""
        points: list[Any] = list(position_of(board).points)
        odd = st.sampled_from([True, False, 1.0, None, "1", 99, 127, 128, -128, -129, 1 << 70])
        for at in data.draw(st.lists(st.integers(0, 25), max_size=3)):
            points[at] = data.draw(st.integers(-16, 16) | odd)
        checkers = data.draw(st.integers(-1, 17) | st.sampled_from([15, 15, 15, True, 15.0, None]))
        expected = outcome_of(lambda: Position.from_points(iter(points), checkers=checkers))
        assert outcome_of(lambda: Position.from_points(points, checkers=checkers)) == expected
        assert outcome_of(lambda: Position.from_points(tuple(points), checkers=checkers)) == expected

    @given(
        st.lists(st.integers(0, 24), max_size=17),
        st.lists(st.integers(0, 24), max_size=17),
        st.integers(-1, 17) | st.just(15),
    )
    def test_identifiers(self, mine, theirs, checkers):
        """Any two sides give the same as their mappings do, impossible ones too."""
        halves = [[points.count(point) for point in range(25)] for points in (theirs, mine)]
        assume(sum(map(sum, halves)) <= 30)
        text = position_id.id_of_bits(*(position_id.bits_of_side(bytes([0, *half])) for half in halves))
        theirs, mine = (dict(enumerate(half, 1)) for half in halves)
        expected = outcome_of(lambda: Position.of(mine, theirs, checkers=checkers))
        assert outcome_of(lambda: Position.from_id(text, checkers=checkers)) == expected


class TestIdentifier:
    """The Position ID, with boards that are not symmetric: the side that is not on roll comes first."""

    @given(boards(over=True))
    def test_equals_the_reference(self, board):
        position = position_of(board)
        assert position.id == reference.encode_id(board)
        assert board_of(Position.from_id(position.id, checkers=sum(board[0]))) == board

    @loop.rows(
        "text",
        "4HPwATDgc/ABMA",
        "4HPwATDgc/ABMA==",
        " 4HPwATDgc/ABMA\n",
        "Position ID: 4HPwATDgc/ABMA",
        "Position ID:4HPwATDgc/ABMA",
        "position id: 4HPwATDgc/ABMA==",
    )
    def test_accepted_forms(self, text):
        assert Position.from_id(text) == Position.start()

    @loop.over("text", [
            "", "==", "4HPwATDgc/ABM", "4HPwATDgc/ABMA=", "4HPwATDgc/ABMA===", "4HPw ATDgc/ABMA", "Position ID:",
            "Match ID: 4HPwATDgc/ABMA", "ID 4HPwATDgc/ABMA", "A" * 1_000_000, "４HPwATDgc/ABM４Ａ",
        ], ids=lambda text: repr(text[:30]))  # fmt: skip
    def test_no_identifier(self, text):
        with pytest.raises(IdentifierError) as caught:
            Position.from_id(text)
        assert isinstance(caught.value, ParseError)
        assert len(str(caught.value)) < 300

    @loop.rows("value", None, 3, b"4HPwATDgc/ABMA", 1.5, ["4HPwATDgc/ABMA"])
    def test_wrong_type(self, value):
        with pytest.raises((IdentifierError, TypeError)):
            Position.from_id(value)

    @loop.rows("text", Position.start().id, Position.of(mine={6: 2}, theirs={6: 2}).id)
    def test_a_changed_character(self, text):
        """Every bit counts: of what is read, the text is the same."""
        for at, character in itertools.product(range(14), string.ascii_letters + string.digits + "+/=- \n\0é"):
            changed = text[:at] + character + text[at + 1 :]
            with suppress(IdentifierError, PositionError):
                assert Position.from_id(changed).id == changed

    @given(st.text(max_size=40) | st.text(st.sampled_from("4HPwATDgc/ABMA="), min_size=13, max_size=16))
    @example("AAAAAAAAAAAAAA")
    def test_any_text_is_read_or_refused(self, text):
        try:
            position = Position.from_id(text)
        except (IdentifierError, PositionError):
            return
        assert position.id in text


class TestQuestions:
    @given(boards(over=True))
    def test_pips(self, board):
        position = position_of(board)
        assert (position.pip_count, position.opponent_pip_count) == (reference.pips(board[0]), reference.pips(board[1]))

    @given(boards(over=True))
    def test_blots_and_made_points(self, board):
        mine, _ = board
        position = position_of(board)
        assert tuple(position.blots) == tuple(point for point in range(24, 0, -1) if mine[point] == 1)
        assert tuple(position.made_points) == tuple(point for point in range(24, 0, -1) if mine[point] >= 2)

    @given(boards(over=True))
    def test_anchors_and_longest_prime(self, board):
        for position, side in zip((position_of(board), position_of(board).flip()), board, strict=True):
            assert position.anchors == reference.anchors(side)
            assert position.longest_prime == reference.longest_prime(side)

    @given(boards())
    def test_is_race(self, board):
        assert position_of(board).is_race == reference.is_race(board)

    @given(boards() | finished_boards())
    def test_outcome(self, board):
        position = position_of(board)
        mine, theirs = board
        if not any(mine[1:]):
            assert position.outcome == Outcome(won=True, win=Win(reference.level(theirs)))
        elif not any(theirs[1:]):
            assert position.outcome == Outcome(won=False, win=Win(reference.level(mine)))
        else:
            assert position.outcome is None

    @loop.rows("text", "8/5 6/5", "6/5 8/5", "24/20")
    def test_play(self, text):
        start = Position.start()
        assert start.play(text, "31") == start.legal_plays("31").find(text).position
        assert start.play(start.legal_plays("31").find(text), (1, 3)) == start.play(text, Dice(3, 1))

    def test_play_of_another_roll_or_position(self):
        start = Position.start()
        with pytest.raises(IllegalPlayError) as caught:
            start.play(start.legal_plays("61").find("13/7 8/7"), "31")
        assert caught.value.reason
        with wording.tells(IllegalPlayError, reason=IllegalPlayReason.OTHER_POSITION):
            start.play(Position.start("nackgammon").legal_plays("31").find("24/20"), "31")


class TestValues:
    """Frozen, hashable, comparable, picklable."""

    @given(boards(), rolls())
    def test_copies_are_equal(self, board, dice):
        position, outcome = position_of(board), Outcome(won=False, win=Win.GAMMON)
        plays = position.legal_plays(dice)
        for value in (position, plays[0], plays, *plays[0].moves[:1], outcome, outcome.win):
            for copied in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
                assert copied == value
                assert repr(copied) == repr(value)
                assert hash(copied) == hash(value)
        assert pickle.loads(pickle.dumps(plays)).find(str(plays[-1])) == plays[-1]

    @given(boards(), boards())
    def test_positions_are_equal_if_their_boards_are(self, board, other):
        assert (position_of(board) == position_of(other)) == (board == other)
        assert (hash(position_of(board)) == hash(position_of(other))) or board != other

    def test_play_equality(self):
        """Two plays are equal if they lead from the same position to the same position, whatever the roll."""
        start = Position.start()
        assert start.legal_plays("31").find("24/20") != start.legal_plays("31").find("13/9")
        assert start.legal_plays("31").find("24/20") == start.legal_plays("31").find("24/23 23/20")
        lone = Position.of(mine={1: 1}, theirs={6: 5})
        assert lone.legal_plays("21")[0] == lone.legal_plays("66")[0]

    @loop.over(
        "value",
        lambda: [
            *(Position.start(), Position.start().legal_plays("31")[0], Move(8, 5), Outcome(won=True, win=Win.SINGLE)),
            Dice(3, 1),
        ],
    )
    def test_frozen(self, value):
        name = attrs.fields(type(value))[0].name
        with pytest.raises((attrs.exceptions.FrozenInstanceError, AttributeError)):
            setattr(value, name, 1)
        with pytest.raises((AttributeError, TypeError)):
            value.something_new = 1
        assert not hasattr(value, "__dict__")

    def test_only_the_constructors_make_them(self):
        for value in (Position, Play):
            with pytest.raises(TypeError):
                value()
        with pytest.raises((AttributeError, TypeError)):
            Position.start().legal_plays("31").dice = Dice(6, 6)

    def test_move_reads_as_in_the_contract(self):
        assert repr(Move(8, 5)) == "Move(from_point=8, to_point=5, hit=False)"


class TestPlays:
    """`Plays` is an immutable sequence."""

    def test_is_a_sequence(self):
        plays = Position.start().legal_plays("31")
        assert plays.position == Position.start()
        assert plays.dice == Dice(3, 1)
        assert plays[0] == list(plays)[0]  # noqa: RUF015
        assert plays[-1] == list(plays)[-1]
        assert list(plays[2:5]) == list(plays)[2:5]
        assert list(reversed(plays)) == list(plays)[::-1]
        assert plays[3] in plays
        assert plays.index(plays[3]) == 3
        assert plays.count(plays[3]) == 1
        assert Position.start().legal_plays("61")[0] not in plays
        with pytest.raises(IndexError):
            plays[16]
        with pytest.raises(TypeError):
            plays[0] = plays[1]
        with pytest.raises(TypeError):
            plays["0"]

    @loop.rows("form", str, lambda play: play.moves, lambda play: play.position, lambda play: play)
    def test_contains_every_form_that_find_accepts(self, form):
        plays = Position.start().legal_plays("31")
        for number, play in enumerate(plays):
            assert form(play) in plays
            assert (plays.index(form(play)), plays.count(form(play))) == (number, 1)

    @loop.rows(
        "illegal",
        *("24/16", "8/5", "62: 8/5 6/5"),
        *([(8, 5), (6, 4)], Position.start()),
        lambda: Position.start().legal_plays("61")[0],
    )
    def test_does_not_contain_an_illegal_play(self, illegal):
        plays = Position.start().legal_plays("31")
        illegal = illegal() if callable(illegal) else illegal
        assert illegal not in plays
        assert plays.count(illegal) == 0
        with pytest.raises(IllegalPlayError):
            plays.index(illegal)

    def test_contains_an_ambiguous_play(self):
        plays = Position.of(mine={24: 1, 13: 1}, theirs={3: 1, 7: 1}).legal_plays("62")
        fitting = [plays.index("24/18*/16"), plays.index("24/22*/16")]
        assert "24/16" in plays
        assert (plays.index("24/16"), plays.count("24/16")) == (min(fitting), 2)
        assert plays.index("24/16", min(fitting) + 1) == max(fitting)

    @loop.rows(
        ("value", "error"), ("8/5 x", ParseError), ("castle", ParseError), (None, ArgumentError), (31, ArgumentError)
    )
    def test_looking_for_anything_else_raises_the_error_of_find(self, value, error):
        plays = Position.start().legal_plays("31")
        for look_up in (plays.find, plays.__contains__, plays.index, plays.count):
            with pytest.raises(error):
                look_up(value)

    def test_index_in_a_part(self):
        plays = Position.start().legal_plays("31")
        number = plays.index("8/5 6/5")
        assert plays.index("8/5 6/5", number) == plays.index("8/5 6/5", number - 16) == number
        assert plays.index("8/5 6/5", 0, number + 1) == number
        for *part, words in ((number + 1, "11 to the end"), (0, number, "0 to 10"), (number + 1, 99, "11 to 99")):
            with pytest.raises(ArgumentError, match=f"8/5 6/5 is not among the plays from {words}$"):
                plays.index("8/5 6/5", *part)

    @given(boards(over=True), rolls())
    def test_found_by_the_board_after_it(self, board, dice):
        position = position_of(board)
        plays = position.legal_plays(dice)
        for play in plays:
            same = plays.find(play.position)
            assert same == play
            assert (same.before, same.dice, same.moves) == (position, Dice.of(dice), play.moves)
            assert (play.before, play.dice) == (position, Dice.of(dice))
            assert all(type(move) is Move for move in play.moves)
        with pytest.raises(DiceError):
            position.legal_plays("07")

    def test_no_constructor(self):
        """What exists is valid, since it comes from what checks it; the error says from what."""
        position = Position.start()
        plays = position.legal_plays("31")
        for make, way in (
            (lambda: Position(position.points), "Position.from_points"),
            (Position, "Position.from_points"),
            (lambda: Plays(position, "31"), "Position.legal_plays"),
            (lambda: Play(position, dice="31", position=plays[0].position), "Position.legal_plays"),
            (lambda: TurnTree(position, "31"), "Plays.tree"),
        ):
            with pytest.raises(TypeError, match=re.escape(way)):
                make()

    @given(boards(), boards(), rolls())
    def test_no_play_between_any_two_positions(self, board, other, dice):
        before, after = position_of(board), position_of(other)
        legal = reference.flip(other) in reference.results(board, dice)
        if not legal or before.checkers != after.checkers:
            with wording.tells(IllegalPlayError, reason=IllegalPlayReason.OTHER_POSITION):
                before.legal_plays(dice).find(after)

    def test_a_position_of_another_game(self):
        """The checkers that are off are more or fewer."""
        plays = Position.of(mine={6: 2}, theirs={6: 2}).legal_plays("21")
        after = Position.from_points(plays[0].position.points, checkers=3)
        with pytest.raises(IllegalPlayError):
            plays.find(after)

    def test_equality(self):
        start = Position.start()
        assert start.legal_plays("31") == start.legal_plays("13") == start.legal_plays([1, 3])
        assert start.legal_plays("31") != start.legal_plays("21")
        assert start.legal_plays("31") != list(start.legal_plays("31"))
        assert start.legal_plays("31") != Position.of(mine=START, theirs={24: 2}).legal_plays("31")

    @given(boards(), rolls())
    def test_moves_lead_to_the_position(self, board, dice):
        """The moves of a play, made one after the other on the bare board, arrive at its position."""
        for play in position_of(board).legal_plays(dice):
            mine, theirs = list(board[0]), list(board[1])
            for move in play.moves:
                assert mine[move.from_point] > 0
                mine[move.from_point] -= 1
                mine[move.to_point] += 1
                hit = move.to_point != OFF and theirs[25 - move.to_point] == 1
                assert move.hit == hit
                if hit:
                    theirs[25 - move.to_point] -= 1
                    theirs[BAR] += 1
            assert board_of(play.position) == (tuple(theirs), tuple(mine))
