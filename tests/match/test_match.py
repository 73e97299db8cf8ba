"""`MatchState`: the contract, what the constructor refuses, events, seats and what follows from the fields."""

from __future__ import annotations

import copy
import json
import pickle
import re
from itertools import product
from typing import get_args

import attrs
import numpy as np
import pytest
from hypothesis import given

import loop
import wording
from gammonrules import strategies
from gammonrules.board import IllegalPlayError, IllegalPlayReason, Move, Position, StartName, Win
from gammonrules.dice import Dice
from gammonrules.errors import (
    ArgumentError,
    DiceError,
    GammonError,
    IllegalActionError,
    IllegalActionReason as Reason,
    MatchStateError,
    MatchStateProblem as Problem,
)
from gammonrules.json import from_data, to_data
from gammonrules.match import (
    TO_ACT,
    Action,
    Cube,
    Double,
    End,
    Event,
    Forfeit,
    MatchState,
    Player,
    Resignation,
    Result,
    SetPosition,
)
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, TOURNAMENT, Rules
from integers import Count
from pairs import is_pair_of

WHITE, BLACK = Player
START = Position.start()
LAST = Position.of(mine={1: 1}, theirs={6: 15})
BORNE_OFF = Position.of(mine={6: 15}, theirs={})

NO_SEAT = "by is Player.WHITE, Player.BLACK or TO_ACT, not"
NO_ROLL = 'a roll must be Dice, a pair of faces or a string such as "31", not'
NOT_A_PAIR = "an opening roll is a pair, White's die and Black's die, not"
NO_LEVEL = 'the level of a win is a Win, its number or "single", "gammon" or "backgammon", not'
NO_START = "a next game takes its starter, its Position or nothing, not"


def dropped(winner, win=Win.SINGLE, points=1):
    return Result(winner, win, points, End.DROPPED)


def state(on_roll=WHITE, **fields):
    return MatchState(fields.pop("position", START), on_roll, **fields)


class TestContract:
    def test_public_members(self):
        """No name goes, and none comes without a decision."""
        fields = "position on_roll dice cube offer score length crawford rules result"
        derived = "phase to_act legal_plays away post_crawford score_before pending_double winner view swap_players"
        identifiers = "xgid gnubg_id match_id ogid from_xgid from_gnubg_id from_ogid"
        allowed = "legal_actions legal_actions_of cube_after possible_wins"
        actions = "opening_roll roll play double take drop beaver resign accept decline next_game"
        events = "new forfeit apply canonical receive"
        names = f"{fields} {derived} {identifiers} {allowed} {actions} {events}".split()
        public = [name for name in dir(MatchState.new(7)) if not name.startswith("_")]
        assert public == sorted(names)
        assert len(names) == 47

    @given(strategies.match_states())
    def test_an_action_is_an_event_without_an_argument(self, state: MatchState):
        for action in state.legal_actions - {Action.OPENING_ROLL, Action.ROLL, Action.PLAY}:
            assert state.apply(action) == state.apply(Event(action)) == getattr(state, action)()
            assert state.canonical(action) == state.canonical(Event(action))

    def test_rules_by_default(self):
        assert MatchState.new(7).rules == TOURNAMENT
        assert MatchState.new(None).rules == MONEY

    def test_a_board_that_is_replaced(self):
        m = MatchState.new(7).opening_roll(3, 1)
        assert attrs.evolve(m, position=LAST).play("1/off").result.win is Win.GAMMON
        with wording.tells(MatchStateError, problems=Problem.GAME_OVER):
            attrs.evolve(m, position=BORNE_OFF)

    def test_values_are_frozen(self):
        m = MatchState.new(7).opening_roll(3, 1)
        for value in (m, m.cube, m.play("8/5 6/5").double().offer, m.resign().offer, m.resign().accept().result):
            assert not hasattr(value, "__dict__")
            with pytest.raises(attrs.exceptions.FrozenInstanceError):
                value.points = 5

    def test_it_draws_itself(self):
        pytest.importorskip("gammonrules.draw.text")
        assert str(MatchState.new(7).opening_roll(3, 1))


@loop.rows(
    ("fields", "problems", "sentence"),
    ({"score": (-1, 0), "length": 5}, Problem.NEGATIVE_SCORE, "White's score is -1"),
    ({"score": (5, 0), "length": 5, "crawford": False}, Problem.MATCH_OVER, "White had won, with 5 points"),
    (
        {"score": (5, 6), "length": 5, "crawford": False},
        Problem.MATCH_OVER,
        (
            "White had won the match to 5 before this game, with 5 points; "
            "Black had won the match to 5 before this game, with 6 points"
        ),
    ),
    ({"crawford": True}, Problem.IMPOSSIBLE_CRAWFORD_GAME, "a Crawford game in money play"),
    (
        {"crawford": True, "length": 5},
        Problem.IMPOSSIBLE_CRAWFORD_GAME,
        "a Crawford game with nobody one point from winning",
    ),
    (
        {"crawford": True, "length": 1},
        Problem.IMPOSSIBLE_CRAWFORD_GAME,
        "a Crawford game with both one point from winning",
    ),
    (
        {"crawford": True, "length": 5, "score": (4, 0), "rules": Rules(crawford=False)},
        Problem.IMPOSSIBLE_CRAWFORD_GAME,
        "a Crawford game under rules without the Crawford rule",
    ),
    (
        {"crawford": True, "length": 5, "score": (4, 0), "cube": Cube(2, BLACK)},
        Problem.IMPOSSIBLE_CRAWFORD_GAME,
        "a turned cube in the Crawford game (say crawford=False if it is past)",
    ),
    (
        {"cube": Cube(128, WHITE), "rules": Rules(max_cube=64)},
        Problem.IMPOSSIBLE_CUBE,
        "a cube of 128, and it ends at 64",
    ),
    (
        {"cube": Cube(2, WHITE), "rules": Rules(cube=False)},
        Problem.IMPOSSIBLE_CUBE,
        "a turned cube in a game without one",
    ),
    ({"cube": Cube(2), "length": 5}, Problem.IMPOSSIBLE_CUBE, "a centered cube of 2 in a match"),
    ({"dice": "31", "on_roll": None}, Problem.NOBODY_ON_ROLL, "dice before the opening roll"),
    ({"on_roll": None, "offer": Double(WHITE, 2)}, Problem.NOBODY_ON_ROLL, "an offer before the roll"),
    ({"on_roll": None, "offer": Resignation(WHITE, Win(1))}, Problem.NOBODY_ON_ROLL, "an offer before the roll"),
    ({"on_roll": None, "cube": Cube(2, WHITE)}, Problem.NOBODY_ON_ROLL, "an owned cube before the opening roll"),
    ({"dice": "31", "offer": Double(WHITE, 2)}, Problem.IMPOSSIBLE_DICE, "dice and a double"),
    (
        {"dice": "31", "offer": Resignation(WHITE, Win(1), Double(WHITE, 2))},
        Problem.IMPOSSIBLE_DICE,
        "dice and a double",
    ),
    ({"offer": Double(BLACK, 2)}, Problem.IMPOSSIBLE_OFFER, "a double by Black, who is not on roll"),
    ({"offer": Double(WHITE, 4)}, Problem.IMPOSSIBLE_OFFER, "a cube of 1 cannot be offered at 4 after 0 beavers"),
    ({"offer": Double(WHITE, 4), "cube": Cube(2, BLACK)}, Problem.IMPOSSIBLE_OFFER, "White doubles Black's cube"),
    ({"offer": Double(WHITE, 2), "rules": Rules(cube=False)}, Problem.IMPOSSIBLE_OFFER, "White doubles without a cube"),
    (
        {"offer": Double(WHITE, 2), "length": 1},
        Problem.IMPOSSIBLE_OFFER,
        "a double by White, though the cube is dead, 0 points and a cube of 1 already reach the match length of 1",
    ),
    (
        {"offer": Double(WHITE, 2), "length": 5, "score": (0, 4)},
        Problem.IMPOSSIBLE_OFFER,
        "White doubles in the Crawford game",
    ),
    (
        {"offer": Double(WHITE, 4), "cube": Cube(2, WHITE), "rules": Rules(max_cube=2)},
        Problem.IMPOSSIBLE_OFFER,
        "White doubles a cube of 2",
    ),
    (
        {"offer": Double(WHITE, 4, 1), "rules": Rules(max_cube=2, beavers=1)},
        Problem.IMPOSSIBLE_OFFER,
        "White doubles a cube of 2",
    ),
    (
        {"offer": Double(WHITE, 4, 1), "length": 5, "rules": Rules(beavers=1)},
        Problem.IMPOSSIBLE_BEAVER,
        "a beaver in it",
    ),
    ({"offer": Double(WHITE, 8, 2)}, Problem.IMPOSSIBLE_BEAVER, "2 beavers, though the rules allow 1"),
    (
        {"offer": Resignation(WHITE, Win.GAMMON), "rules": BRETTSPIELWELT_SINGLE},
        Problem.IMPOSSIBLE_OFFER,
        "a resignation with pips",
    ),
    ({"rules": BRETTSPIELWELT_SINGLE, "length": 5}, Problem.PIPS_IN_MATCH, "pips in a match"),
    ({"position": BORNE_OFF}, Problem.GAME_OVER, "borne off, but no result"),
    (
        {"result": dropped(BLACK), "score": (0, 1)},
        Problem.IMPOSSIBLE_RESULT,
        "a drop, though the player on roll doubled",
    ),
    (
        {"result": dropped(WHITE, Win.GAMMON, 2), "score": (2, 0)},
        Problem.IMPOSSIBLE_RESULT,
        "a drop loses a single game",
    ),
    (
        {"result": dropped(WHITE), "score": (1, 0), "rules": Rules(cube=False)},
        Problem.IMPOSSIBLE_RESULT,
        "a drop, though this game is played without a cube",
    ),
    (
        {
            "cube": Cube(2, BLACK),
            "result": dropped(WHITE, points=2),
            "rules": Rules(beavers=1),
            "score": (8, 8),
            "length": 25,
        },
        Problem.IMPOSSIBLE_RESULT,
        "a drop",
    ),
    ({"position": BORNE_OFF.flip(), "on_roll": None}, Problem.GAME_OVER, "borne off, but no result"),
    ({"length": 0}, Problem.LENGTH_OUT_OF_RANGE, "length is a whole number from 1 to 1,000,000,000 or None, not 0"),
    (
        {"length": True},
        Problem.LENGTH_OUT_OF_RANGE,
        "length is a whole number from 1 to 1,000,000,000 or None, not True",
    ),
    ({"score": (1, 2, 3)}, Problem.WRONG_TYPE, "score is a pair of whole numbers, White's and Black's, not (1, 2, 3)"),
    ({"on_roll": 1}, Problem.WRONG_TYPE, "on_roll is Player.WHITE, Player.BLACK or None, not 1"),
    ({"cube": 2}, Problem.WRONG_TYPE, "cube is a Cube, not 2"),
    ({"offer": "double"}, Problem.WRONG_TYPE, "offer is a Double, a Resignation or None, not 'double'"),
    ({"crawford": 1}, Problem.WRONG_TYPE, "crawford is True, False or None, not 1"),
    ({"rules": {}}, Problem.WRONG_TYPE, "rules is a Rules, not {}"),
    ({"result": "won"}, Problem.WRONG_TYPE, "result is a Result or None, not 'won'"),
    ({"position": "4HPwATDgc/ABMA"}, Problem.WRONG_TYPE, "position is a Position, not '4HPwATDgc/ABMA'"),
)
def test_the_constructor_refuses(fields, problems, sentence):
    with wording.raises(MatchStateError, f"impossible match state: {sentence}", problems=problems):
        state(**fields)


PLAYED = {"position": BORNE_OFF, "on_roll": BLACK, "score": (2, 0), "rules": Rules()}
GAMMON = Result(WHITE, Win.GAMMON, 2, End.PLAYED)


@loop.rows(
    ("fields", "problems", "sentence"),
    ({**PLAYED, "result": attrs.evolve(GAMMON, points=4)}, Problem.NEGATIVE_SCORE, "White's score is -2; 4, not 2"),
    ({**PLAYED, "score": (9, 0), "length": 5}, Problem.MATCH_OVER, "White had won the match to 5, with 7"),
    ({**PLAYED, "score": (3, 5), "length": 5}, Problem.MATCH_OVER, "Black had won the match to 5"),
    ({**PLAYED, "dice": "31"}, Problem.IMPOSSIBLE_DICE, "dice after the end of the game"),
    (
        {**PLAYED, "offer": Resignation(WHITE, Win.SINGLE)},
        Problem.IMPOSSIBLE_OFFER,
        "an offer after the end of the game",
    ),
    ({**PLAYED, "on_roll": WHITE}, Problem.IMPOSSIBLE_RESULT, "the winner is on roll"),
    ({**PLAYED, "position": BORNE_OFF.flip()}, Problem.IMPOSSIBLE_RESULT, "the winner is on roll"),
    ({**PLAYED, "position": START}, Problem.IMPOSSIBLE_RESULT, "a game played, though nobody has borne off everything"),
    (
        {**PLAYED, "result": attrs.evolve(GAMMON, end=End.RESIGNED)},
        Problem.IMPOSSIBLE_RESULT,
        "borne off, and resigned",
    ),
    (
        {**PLAYED, "result": Result(WHITE, Win.SINGLE, 1, End.PLAYED)},
        Problem.IMPOSSIBLE_RESULT,
        "single, on another board",
    ),
    ({**PLAYED, "result": attrs.evolve(GAMMON, points=1)}, Problem.IMPOSSIBLE_RESULT, "1 point where the win counts 2"),
    ({**PLAYED, "rules": MONEY}, Problem.IMPOSSIBLE_RESULT, "a gammon that does not count"),
    ({**PLAYED, "result": attrs.evolve(GAMMON, end=End.DROPPED)}, Problem.IMPOSSIBLE_RESULT, "dropped, but borne off"),
    ({**PLAYED, "on_roll": None}, Problem.NOBODY_ON_ROLL, "a result before the opening roll"),
)
def test_the_constructor_refuses_a_result(fields, problems, sentence):
    assert MatchState(**{**PLAYED, "result": GAMMON}).result == GAMMON
    with pytest.raises(MatchStateError) as caught:
        MatchState(**{"result": GAMMON, **fields})
    assert problems in caught.value.problems
    wording.like(caught.value, f"impossible match state: {sentence}")


def test_every_drop_that_the_constructor_takes_can_happen():
    """By the actions themselves: the cubes and results of all drops, with beavers and a highest cube, and no others."""
    for rules in (Rules(beavers=beavers, max_cube=most) for beavers in range(4) for most in (4, 8, None)):
        turned = (Cube(1 << turns, owner) for turns in range(1, 4) for owner in (WHITE, BLACK, None))
        cubes = [Cube(), *(cube for cube in turned if cube.value <= (rules.max_cube or 8))]
        offers = [
            table.double()
            for table in (MatchState(START, WHITE, cube=cube, rules=rules) for cube in cubes)
            if Action.DOUBLE in table.legal_actions
        ]
        possible = set()
        while offers:
            possible |= {(over.cube, over.result) for over in (offer.drop() for offer in offers)}
            offers = [offer.beaver() for offer in offers if Action.BEAVER in offer.legal_actions]
        for cube, winner in product(cubes, Player):
            result = dropped(winner, points=cube.value)
            fields = {"cube": cube, "rules": rules, "score": (8, 8), "result": result}
            if (cube, result) in possible:
                assert state(**fields).result == result
            else:
                with pytest.raises(MatchStateError):
                    state(**fields)


def test_a_resignation_counts_what_the_rules_count():
    gammon = Result(BLACK, Win.GAMMON, 2, End.RESIGNED)
    assert state(result=gammon, score=(0, 2), rules=Rules()).result == gammon
    with wording.raises(MatchStateError, "a gammon where it does not count", problems=Problem.IMPOSSIBLE_RESULT):
        state(result=gammon, score=(0, 2), rules=MONEY)


def test_all_problems_at_once():
    with pytest.raises(MatchStateError) as caught:
        state(dice="31", offer=Double(BLACK, 4, 1), score=(-1, 9), length=7, cube=Cube(2), crawford=True)
    assert caught.value.problems == (
        Problem.NEGATIVE_SCORE
        | Problem.MATCH_OVER
        | Problem.IMPOSSIBLE_CRAWFORD_GAME
        | Problem.IMPOSSIBLE_CUBE
        | Problem.IMPOSSIBLE_DICE
        | Problem.IMPOSSIBLE_OFFER
        | Problem.IMPOSSIBLE_BEAVER
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)


def test_a_crawford_game_that_is_over_is_known_by_the_score_before_it():
    over = MatchState.new(3, score=(2, 0)).opening_roll(3, 1).resign(by=WHITE).accept()
    assert (over.score, over.crawford, over.score_before) == ((2, 1), True, (2, 0))
    rebuilt = MatchState(over.position, over.on_roll, score=(2, 1), length=3, result=over.result)
    assert rebuilt == over
    first = MatchState.new(3).opening_roll(3, 1).resign(Win.GAMMON, by=BLACK).accept()
    assert (first.score, first.crawford, first.post_crawford) == ((2, 0), False, False)


SMALL_VALUES = [
    (lambda: Cube(3), Problem.IMPOSSIBLE_CUBE, "cube: a cube shows a power of two up to 16,777,216, not 3"),
    (lambda: Cube(True), Problem.IMPOSSIBLE_CUBE, "cube: a cube shows a power of two up to 16,777,216, not True"),
    (lambda: Cube(1, WHITE), Problem.IMPOSSIBLE_CUBE, "cube: an owned cube has been turned, so it shows at least 2"),
    (lambda: Cube(2, 0), Problem.WRONG_TYPE, "cube: the owner is Player.WHITE, Player.BLACK or None, not 0"),
    (
        lambda: Cube(3, "x"),
        Problem.IMPOSSIBLE_CUBE | Problem.WRONG_TYPE,
        (
            "cube: a cube shows a power of two up to 16,777,216, not 3; "
            "the owner is Player.WHITE, Player.BLACK or None, not 'x'"
        ),
    ),
    (lambda: Double(None, 2), Problem.WRONG_TYPE, "double: the doubler is Player.WHITE or Player.BLACK, not None"),
    (lambda: Double(WHITE, 1), Problem.IMPOSSIBLE_OFFER, "double: a cube that has been turned 1 time cannot show 1"),
    (lambda: Double(WHITE, 2, 1), Problem.IMPOSSIBLE_OFFER, "double: a cube that was turned 2 times cannot be at 2"),
    (lambda: Double(WHITE, 2, -1), Problem.IMPOSSIBLE_BEAVER, "double: beavers are counted from 0 to 23, not -1"),
    (
        lambda: Double(0, 1, True),
        Problem.WRONG_TYPE | Problem.IMPOSSIBLE_BEAVER | Problem.IMPOSSIBLE_OFFER,
        (
            "double: the doubler is Player.WHITE or Player.BLACK, not 0; beavers are counted from 0 to 23, not True; "
            "a cube that has been turned 1 time cannot show 1"
        ),
    ),
    (
        lambda: Resignation("White", 1, 2),
        Problem.WRONG_TYPE,
        (
            "resignation: who resigns is Player.WHITE or Player.BLACK, not 'White'; what is offered is a Win, not 1; "
            "what is interrupted is a Double or None, not 2"
        ),
    ),
    (lambda: Resignation(WHITE, WHITE), Problem.WRONG_TYPE, "resignation: what is offered is a Win, not Player.WHITE"),
    (
        lambda: Result(WHITE, Win(1), 1.0, End.PLAYED),
        Problem.IMPOSSIBLE_RESULT,
        "result: a win counts 1 to 1,000,000,000 points, not 1.0",
    ),
    (
        lambda: Result(WHITE, Win.SINGLE, 1, End.FORFEITED),
        Problem.IMPOSSIBLE_RESULT,
        "result: None, not <Win.SINGLE: 1>",
    ),
    (
        lambda: Result(None, None, 0, "played"),
        Problem.WRONG_TYPE | Problem.IMPOSSIBLE_RESULT,
        (
            "result: the winner is Player.WHITE or Player.BLACK, not None; the level is a Win, not None; "
            "a win counts 1 to 1,000,000,000 points, not 0; how the game ended is an End, not 'played'"
        ),
    ),
]


@loop.over(("make", "problem", "sentence"), SMALL_VALUES)
def test_small_values_are_checked(make, problem, sentence):
    with wording.raises(MatchStateError, f"impossible {sentence}", problems=problem):
        make()


def test_whole_numbers_of_any_type():
    assert repr(Cube(Count(2))) == "Cube(value=2, owner=None)"
    with wording.raises(MatchStateError, "impossible cube: a cube shows a power of two up to 16,777,216, not 3"):
        Cube(Count(3))
    assert repr(Double(WHITE, Count(4), Count(1))) == "Double(by=Player.WHITE, value=4, beavers=1)"
    assert Result(WHITE, Win.SINGLE, Count(1), End.PLAYED) == Result(WHITE, Win.SINGLE, 1, End.PLAYED)
    m = MatchState.new(Count(7), score=[Count(2), 0])
    assert m == MatchState.new(7, score=(2, 0))
    assert {type(number) for number in (m.length, *m.score, Cube(Count(2)).value)} == {int}
    assert Event("opening_roll", BLACK, (Count(3), 1)) == Event("opening_roll", BLACK, (3, 1))
    assert m.opening_roll(Count(3), Count(1)).resign(Count(2), by=BLACK).offer == Resignation(BLACK, Win.GAMMON)


class TestPlayer:
    def test_a_player_is_a_text(self):
        assert [WHITE, BLACK] == ["white", "black"]
        assert (WHITE.opponent, BLACK.opponent) == (BLACK, WHITE)
        assert f"{WHITE} {BLACK!r} {WHITE:>7}" == "white Player.BLACK   white"
        assert json.dumps({"winner": WHITE}) == '{"winner": "white"}'

    def test_pairs_take_a_player_and_are_tuples_otherwise(self):
        over = attrs.evolve(MatchState.new(7), score=[3, 1]).opening_roll(3, 1).resign().accept()
        pairs = {
            (3, 2): over.score,
            (3, 1): over.score_before,
            (1, 6): from_data(to_data(Event("opening_roll", argument=(1, 6))), Event).argument,
            (5, 0): from_data(to_data(MatchState.new(7, score=(5, 0))), MatchState).score,
        }
        for plain, pair in pairs.items():
            is_pair_of(plain, pair)

    @loop.rows("series", (4, 2), [4, 2], "ab", np.array([4, 2]), Position.start().points)
    def test_nothing_else_takes_a_player(self, series):
        """The counts of a board least of all: index 1 is a point, not Black."""
        with pytest.raises((TypeError, IndexError)):
            series[BLACK]

    def test_both_players_are_true_and_neither_is_a_number(self):
        assert all(Player)
        assert not {*Player} & {0, 1}
        for not_a_number in (lambda: MatchState.new(WHITE), lambda: Cube(BLACK), lambda: Dice(BLACK, BLACK)):
            with pytest.raises(GammonError):
                not_a_number()

    def test_swap_players(self):
        m = MatchState.new(7, score=(3, 1)).opening_roll(3, 1).play("8/5 6/5").double()
        swapped = m.swap_players()
        assert (swapped.score, swapped.on_roll, swapped.offer) == ((1, 3), WHITE, Double(WHITE, 2))
        assert swapped.position == m.position
        assert swapped.view(WHITE) == m.view(BLACK)
        resigned = m.resign(Win.GAMMON, by=WHITE)
        assert resigned.swap_players().offer == Resignation(BLACK, Win.GAMMON, Double(WHITE, 2))
        plain = m.take().resign(by=WHITE)
        assert plain.swap_players().offer == Resignation(BLACK, Win.SINGLE)
        over = resigned.accept()
        assert over.swap_players().result == attrs.evolve(over.result, winner=WHITE)
        assert m.take().swap_players().cube == Cube(2, BLACK)
        new = MatchState.new(7, position=LAST)
        assert new.swap_players().view(BLACK) == LAST


class TestSeats:
    """Every action takes the player who sends it."""

    def test_the_wrong_seat_is_refused(self):
        m = MatchState.new(7).opening_roll(3, 1)
        with wording.raises(IllegalActionError, "Black cannot play: White is to act"):
            m.play("8/5 6/5", by=BLACK)
        m = m.play("8/5 6/5", by=WHITE).double(by=BLACK)
        with wording.raises(IllegalActionError, "Black cannot take: White is to act"):
            m.take(by=BLACK)

    @loop.rows("seat", "White", None, "to_act", 0, 1, -1, 0.5, 1.0, True, Win.SINGLE)
    def test_what_is_no_seat(self, seat):
        m = MatchState.new(7)
        started = m.opening_roll(3, 1)
        over = started.resign().accept()
        for act in (
            lambda: m.opening_roll(3, 1, by=seat),
            lambda: started.resign(by=seat),
            lambda: started.play("8/5 6/5", by=seat),
            lambda: over.next_game(by=seat),
            lambda: Event("take", seat),
        ):
            with wording.raises(IllegalActionError, f"{NO_SEAT} {seat!r}", reason=Reason.UNKNOWN_PLAYER):
                act()

    @loop.rows("starter", "White", TO_ACT, 0, 1, True, Win.SINGLE)
    def test_who_cannot_start(self, starter):
        over = MatchState.new(7).opening_roll(3, 1).resign().accept()
        with wording.raises(ArgumentError, f"a player must be Player.WHITE or Player.BLACK, not {starter!r}"):
            over.next_game(starter)

    def test_to_act_is_one_value(self):
        assert repr(TO_ACT) == "TO_ACT"
        assert pickle.loads(pickle.dumps(TO_ACT)) is copy.deepcopy(TO_ACT) is TO_ACT
        assert Event("take") == Event("take", TO_ACT) != Event("take", WHITE)

    @loop.rows("player", None, "Black", 0, 1, True, Win.SINGLE)
    def test_what_is_no_player(self, player):
        m = MatchState.new(7).opening_roll(3, 1)
        for ask in (m.view, m.legal_actions_of):
            with wording.raises(ArgumentError, f"a player must be Player.WHITE or Player.BLACK, not {player!r}"):
                ask(player)

    def test_a_player_may_be_given_as_text(self):
        m = MatchState.new(7).opening_roll(3, 1).play("8/5 6/5")
        assert m.view("white") == m.view(WHITE) != m.view(BLACK) == m.view("black")
        assert m.legal_actions_of("black") == m.legal_actions
        assert m.double(by="black") == m.double()
        assert m.double().offer.by is m.double(by="black").offer.by is BLACK

    def test_who_is_refused(self):
        new = MatchState.new(7)
        started = new.opening_roll(3, 1)
        doubled = started.play("8/5 6/5").double()
        resigned = doubled.resign(by=BLACK)
        over = resigned.accept()
        for act, sentence in (
            (lambda: new.roll("31"), "nobody can roll now: the game must begin with the opening roll"),
            (lambda: new.roll("31", by=BLACK), "Black cannot roll: the game must begin with the opening roll"),
            (over.double, "nobody can double now: the game is over, and White has won it"),
            (started.double, "White cannot double: the dice have already been rolled"),
            (lambda: doubled.roll("31", by=BLACK), "Black cannot roll: White has yet to take or drop a double"),
            (lambda: doubled.opening_roll(3, 1), "no opening roll now: a double has yet to be taken or dropped"),
            (lambda: resigned.take(by=BLACK), "Black cannot take: White has yet to accept or decline a resignation"),
            (lambda: resigned.legal_plays, "there are no plays now: White has yet to accept or decline a resignation"),
        ):
            with wording.raises(IllegalActionError, sentence):
                act()


class TestActions:
    @loop.rows("form", "8/5 6/5", "6/5 8/5", (Move(8, 5), Move(6, 5)), [Move(6, 5), Move(8, 5)])
    def test_a_play_in_every_form(self, form):
        m = MatchState.new(7).opening_roll(3, 1)
        assert m.play(form) == m.play(m.legal_plays.find("8/5 6/5"))
        assert m.play(iter(form)) == m.play(form) if not isinstance(form, str) else True

    @loop.rows("level", 0, 4, None, "Single", "single game", True, 1.0, WHITE, BLACK)
    def test_what_is_no_level(self, level):
        m = MatchState.new(7).opening_roll(3, 1)
        with pytest.raises(ArgumentError) as caught:
            m.resign(level)
        wording.like(caught.value, f"{NO_LEVEL} {level!r}")

    @loop.over("win", Win)
    def test_a_level_in_every_form(self, win):
        """Also by the word that JSON has for it."""
        m = MatchState.new(7).opening_roll(3, 1)
        word = win.name.lower()
        for form in (win, int(win), word):
            assert m.resign(form) == m.resign(win)
            event = Event("resign", WHITE, form)
            assert event == Event("resign", WHITE, win)
            assert type(event.argument) is Win
        assert to_data(event)["argument"] == word

    def test_the_last_play_may_hit(self):
        """The loser's pips are those after the play."""
        position = Position.of(mine={6: 1}, theirs={20: 1, 2: 1})
        over = MatchState(position, WHITE, "51", rules=BRETTSPIELWELT_SINGLE).play("6/5*/off")
        assert over.result == Result(WHITE, Win.SINGLE, 27, End.PLAYED)

    def test_a_play_of_the_same_table(self):
        """Whether it was found on this very board or on an equal one; with other dice from this board it is refused."""
        m = MatchState.new(7).opening_roll(3, 1)
        wanted = m.play("8/5 6/5")
        for plays in (m.legal_plays, m.position.legal_plays((1, 3)), Position.start().legal_plays("31")):
            assert m.play(plays.find("8/5 6/5")) == wanted
        for foreign in (m.position.legal_plays("65")[0], LAST.legal_plays("31")[0]):
            with wording.tells(IllegalPlayError, reason=IllegalPlayReason.OTHER_POSITION):
                m.play(foreign)

    @loop.rows("start", "hypergammon", "nackgammon")
    def test_a_play_of_another_table(self, start):
        """With the very same roll, which is one object if it is read from the same text."""
        m = MatchState.new(3).opening_roll(3, 1).play("8/5 6/5").roll("31")
        other = Position.start(start).legal_plays("31")[0]
        assert other.dice is m.dice
        with wording.tells(IllegalPlayError, reason=IllegalPlayReason.OTHER_POSITION):
            m.play(other)

    @loop.rows("dice", "3", "99", 3.0, (0, 1))
    def test_dice_that_do_not_exist(self, dice):
        m = MatchState.new(7, rules=Rules(opening="reroll")).opening_roll(3, 1)
        with pytest.raises(DiceError):
            m.roll(dice)
        with pytest.raises(DiceError):
            MatchState.new(7).opening_roll(7, 1)

    def test_where_the_checkers_of_the_next_game_start(self):
        over = MatchState.new(7, position=LAST).opening_roll(3, 1).play("1/off")
        assert over.next_game().position == START
        assert over.next_game(BLACK, position=LAST).position == LAST.flip()
        assert over.next_game(BLACK, position=LAST).view(WHITE) == LAST
        assert over.next_game(WHITE, position=LAST).position == LAST
        assert over.next_game(position=LAST).position == LAST
        for position in ("start", LAST.id, BORNE_OFF):
            for starter in (*Player, None):
                with pytest.raises(MatchStateError):
                    over.next_game(starter, position=position)

    @loop.over("name", get_args(StartName))
    def test_every_game_begins_from_the_start_of_the_rules(self, name):
        m = MatchState.new(7, rules=Rules(start=name))
        assert m.position == Position.start(name)
        over = m.opening_roll(3, 1).resign().accept()
        assert over.next_game().position == over.next_game(BLACK).position == Position.start(name)
        assert MatchState.new(7, rules=Rules(start=name), position=LAST).position == LAST

    def test_the_crawford_sign_can_be_given(self):
        assert MatchState.new(5, score=(4, 0)).crawford
        assert not MatchState.new(5, score=(4, 0), crawford=False).crawford
        with pytest.raises(MatchStateError):
            MatchState.new(5, crawford=True)

    def test_the_cube_that_a_resignation_under_a_beaver_loses(self):
        """As `test_match_machine.py` has it of all actions, though such a resignation is rare there."""
        resigned = state(rules=Rules(beavers=1)).double().beaver().resign()
        assert resigned.cube_after(Action.ACCEPT) == resigned.accept().cube == Cube(2, BLACK)

    @loop.rows(
        ("action", "sentence"),
        (Action.TAKE, "White cannot take: no double is pending"),
        (Action.DECLINE, "White cannot decline: nobody has offered to resign"),
        (Action.OPENING_ROLL, "no opening roll now: the opening roll has already been made"),
    )
    def test_no_cube_after_an_action(self, action, sentence):
        with wording.raises(IllegalActionError, sentence):
            state().cube_after(action)

    @loop.rows("action", "castle", None, [], WHITE)
    def test_no_cube_after_what_is_no_action(self, action):
        with wording.tells(ArgumentError, f"unknown action {action!r}; expected", '"opening_roll"', '"next_game"'):
            state().cube_after(action)

    def test_a_misspelled_action_is_corrected(self):
        with pytest.raises(ArgumentError) as caught:
            state().cube_after("plya")
        assert str(caught.value) == "unknown action 'plya'; did you mean \"play\"?"


class TestForfeits:
    """An arbiter ends the game: not an action of a player, at any time before the game is over."""

    LIVE = {
        "opening": lambda: MatchState.new(5, score=(1, 3)),
        "to_play": lambda: MatchState.new(5, score=(1, 3)).opening_roll(3, 1),
        "to_roll": lambda: MatchState.new(5, score=(1, 3)).opening_roll(3, 1).play("8/5 6/5"),
        "doubled": lambda: MatchState.new(5, score=(1, 3)).opening_roll(3, 1).play("8/5 6/5").double(),
        "resigned": lambda: MatchState.new(5, score=(1, 3)).opening_roll(3, 1).resign(Win.GAMMON),
    }

    @loop.over("phase", LIVE)
    @loop.over("loser", Player)
    def test_in_every_phase(self, phase, loser):
        m = self.LIVE[phase]()
        over = m.forfeit(loser)
        needed = m.away[loser.opponent]
        assert (m.phase, over.phase, over.to_act) == (phase, "over", None)
        assert over.result == Result(loser.opponent, None, needed, End.FORFEITED)
        assert (over.winner, over.score_before) == (loser.opponent, m.score)
        assert (over.position, over.on_roll, over.cube) == (m.position, m.on_roll, m.cube)
        assert (over.dice, over.offer) == (None, None)
        assert attrs.evolve(over) == over  # the constructor takes what the arbiter leaves
        assert over.swap_players() == m.swap_players().forfeit(loser.opponent)

    @loop.rows(
        ("length", "loser", "points", "sentence"),
        (5, None, None, 'loser must be Player.WHITE ("white") or Player.BLACK ("black"), not None'),
        (5, WHITE, 0, "no such forfeit: a win counts 1 to 1,000,000,000 points, not 0"),
        (5, WHITE, 6, "no such forfeit: a match to 5 is won with 5 points, not 6"),
        (5, WHITE, 10**5000, "no such forfeit: a win counts 1 to 1,000,000,000"),
        (None, WHITE, 10**9 + 1, "no such forfeit: a win counts 1 to 1,000,000,000 points, not 1000000001"),
        (None, WHITE, None, "in money play a forfeit needs the points that are awarded"),
        (5, WHITE, True, "points must be a whole number or None, not True"),
    )
    def test_refused(self, length, loser, points, sentence):
        with pytest.raises(ArgumentError) as caught:
            MatchState.new(length).forfeit(loser, points)
        assert str(caught.value).startswith(sentence)

    def test_not_after_the_end(self):
        over = self.LIVE["to_play"]().resign().accept()
        with pytest.raises(IllegalActionError, match=r"^White cannot forfeit: the game is over, and Black has won it$"):
            over.forfeit(WHITE)

    @loop.rows(
        ("fields", "sentence"),
        ({"result": Result(WHITE, None, 6, End.FORFEITED), "score": (6, 0), "length": 5}, "a match to 5 is won with"),
        (
            {**PLAYED, "result": Result(WHITE, None, 2, End.FORFEITED)},
            "a game forfeited, though one side has borne off everything",
        ),
        ({"on_roll": None, "result": attrs.evolve(GAMMON, end=End.RESIGNED)}, "a result before the opening roll"),
    )
    def test_the_constructor_refuses(self, fields, sentence):
        with pytest.raises(MatchStateError, match=sentence):
            state(**fields)


class TestEvents:
    @loop.rows("event", None, {"action": "roll"}, "roll")
    def test_only_events_are_applied(self, event):
        for take in (MatchState.new(3).apply, MatchState.new(3).canonical):
            with wording.raises(ArgumentError, "an Event is applied to a table, not "):
                take(event)

    def test_what_no_player_does(self):
        """A forfeit and a position set by hand are applied as events are."""
        m = MatchState.new(7, score=(3, 0)).opening_roll(3, 1)
        assert m.apply(Forfeit(BLACK)) == m.forfeit(BLACK)
        assert m.apply(Forfeit(BLACK, 1)).score == (4, 0)
        over = m.resign().accept()
        edited = over.apply(SetPosition(LAST, BLACK, Cube(2, BLACK)))
        assert edited == MatchState(LAST, BLACK, cube=Cube(2, BLACK), score=(3, 0), length=7)
        assert edited.apply(SetPosition(START, WHITE)).cube == Cube(2, BLACK)
        for interrupted in (TO_PLAY, TO_ROLL.double()):  # a roll and an offer are gone
            assert interrupted.apply(SetPosition(LAST, WHITE)) == MatchState(LAST, WHITE, length=7)
        with wording.raises(IllegalActionError, "White cannot forfeit: the game is over"):
            over.apply(Forfeit(WHITE))

    @loop.over(
        ("before", "event", "expected"),
        lambda: [
            (MatchState.new(7), Event("opening_roll", WHITE, (3, 1)), Event("opening_roll", argument=(3, 1))),
            (MatchState.new(7).opening_roll(3, 1), Event("resign", BLACK, 2), Event("resign", BLACK, Win.GAMMON)),
            (state(position=LAST, dice="65"), Event("play", argument="1/0"), Event("play", WHITE, "1/off")),
            (MatchState.new(1).forfeit(WHITE), Event("next_game"), None),
            (state().resign().accept(), Event("next_game", BLACK, LAST), Event("next_game", argument=LAST)),
            (MatchState.new(7, score=(0, 4)), Forfeit(WHITE), Forfeit(WHITE, 3)),
            (MatchState.new(None), Forfeit(WHITE), None),
            (state(cube=Cube(2, WHITE)), SetPosition(LAST, BLACK), SetPosition(LAST, BLACK, Cube(2, WHITE))),
            (state(), SetPosition(BORNE_OFF.flip(), WHITE), SetPosition(BORNE_OFF, BLACK, Cube())),
            (state(dice="65"), Event("play", WHITE, "24/12"), None),
        ],
    )
    def test_canonical_events(self, before, event, expected):
        """What the rules forbid has no such form: the error is that of `apply`."""
        if expected is not None:
            assert before.canonical(event) == expected
            assert before.apply(expected) == before.apply(event)
            return
        errors = []
        for take in (before.apply, before.canonical):
            with pytest.raises(GammonError) as caught:
                take(event)
            errors.append(repr(caught.value))
        assert errors[0] == errors[1]

    def test_arguments_get_their_own_type(self):
        assert Event("roll", "black", [1, 3]) == Event(Action.ROLL, BLACK, Dice(3, 1))
        assert Event("opening_roll", argument=[3, 1]).argument == (3, 1)
        assert Event("resign").argument is Win.SINGLE
        assert Event("resign", argument=2).argument is Win.GAMMON
        assert Event("next_game", argument="black").argument is BLACK
        assert Event("play", argument=[Move(8, 5), Move(6, 5)]).argument == (Move(8, 5), Move(6, 5))
        play = START.legal_plays("31")[0]
        assert Event("play", argument=play).argument is play
        event = Event("play", WHITE, "8/5 6/5")
        assert attrs.evolve(event) == event == pickle.loads(pickle.dumps(event))

    @loop.rows(
        ("arguments", "error", "sentence"),
        (("castle",), ArgumentError, "unknown action 'castle'"),
        ((None,), ArgumentError, "unknown action None"),
        (("roll", "White", "31"), IllegalActionError, f"{NO_SEAT} 'White'"),
        (("roll",), DiceError, f"{NO_ROLL} None"),
        (("roll", True, None), ArgumentError, f"{NO_SEAT} True; {NO_ROLL} None"),
        (("castle", 2, "31"), ArgumentError, f"unknown action 'castle'; {NO_SEAT} 2"),
        (("opening_roll",), ArgumentError, f"{NOT_A_PAIR} None"),
        (("opening_roll", TO_ACT, "31"), ArgumentError, f"{NOT_A_PAIR} '31'"),
        (("opening_roll", TO_ACT, (3, 7)), DiceError, "a die must be a whole number from 1 to 6, not 7"),
        (("play",), ArgumentError, "a play is a text, a Play or moves, not None"),
        (("play", TO_ACT, [(8, 26)]), ArgumentError, "a play is a text, a Play or moves, not [(8, 26)]"),
        (("resign", TO_ACT, 4), ArgumentError, f"{NO_LEVEL} 4"),
        (("next_game", TO_ACT, 2), ArgumentError, f"{NO_START} 2"),
        (("next_game", TO_ACT, "4HPwATDgc/ABMA"), ArgumentError, f"{NO_START} '4HPwATDgc/ABMA'"),
        (("take", TO_ACT, 2), ArgumentError, "take takes no argument, not 2"),
    )
    def test_what_is_no_event(self, arguments, error, sentence):
        with wording.raises(error, sentence):
            Event(*arguments)


MONEY_ROLL = MatchState(START, WHITE, length=None, rules=Rules(beavers=1))
"""White may roll or double, for money."""
TO_PLAY = state(dice="31", length=7)
TO_ROLL = state(BLACK, length=7)
OVER = state(BLACK, length=7, score=(0, 1), result=dropped(BLACK))
MATCH_TO_3 = state(length=3)

REASONS = {
    Reason.UNKNOWN_PLAYER: lambda: TO_ROLL.roll("31", by=None),
    Reason.NOT_YOUR_TURN: lambda: TO_ROLL.roll("31", by=WHITE),
    Reason.OPENING_ROLL_FIRST: lambda: MatchState.new(7).roll("31"),
    Reason.OPENING_ROLL_MADE: lambda: TO_ROLL.opening_roll(3, 1),
    Reason.ALREADY_ROLLED: TO_PLAY.double,
    Reason.NOT_ROLLED: lambda: TO_ROLL.legal_plays,
    Reason.DOUBLE_PENDING: lambda: TO_ROLL.double().roll("31"),
    Reason.NO_DOUBLE_PENDING: TO_ROLL.take,
    Reason.RESIGNATION_PENDING: lambda: TO_ROLL.resign().resign(),
    Reason.NO_RESIGNATION_PENDING: TO_ROLL.accept,
    Reason.GAME_OVER: lambda: OVER.forfeit(WHITE),
    Reason.GAME_NOT_OVER: TO_ROLL.next_game,
    Reason.MATCH_OVER: lambda: MatchState.new(1).forfeit(WHITE).next_game(),
    Reason.SCORE_LIMIT: lambda: MatchState.new(None, score=(10**9, 0)).forfeit(BLACK, 1).next_game(),
    Reason.NO_CUBE: lambda: state(length=3, rules=Rules(cube=False)).double(),
    Reason.CRAWFORD_GAME: lambda: attrs.evolve(MATCH_TO_3, score=(2, 0), crawford=True).double(),
    Reason.OPPONENT_OWNS_CUBE: lambda: attrs.evolve(MATCH_TO_3, cube=Cube(2, BLACK)).double(),
    Reason.DEAD_CUBE: lambda: attrs.evolve(MATCH_TO_3, cube=Cube(4, WHITE)).double(),
    Reason.CUBE_LIMIT: lambda: state(rules=Rules(max_cube=1)).double(),
    Reason.NO_BEAVERS_IN_MATCH: lambda: TO_ROLL.double().beaver(),
    Reason.TOO_MANY_BEAVERS: lambda: MONEY_ROLL.double().beaver().beaver(),
    Reason.PIPS_ARE_SINGLE: lambda: state(rules=BRETTSPIELWELT_SINGLE).resign(Win.GAMMON),
}


class TestReasons:
    def test_a_score_may_reach_its_limit(self):
        full = MatchState.new(None, score=(1, 0)).forfeit(BLACK, 10**9 - 1)
        assert full.next_game().score == (10**9, 0)
        assert MatchState.new(None).forfeit(BLACK, 10**9).result.points == 10**9

    @loop.over("reason", list(Reason))
    def test_every_reason_is_reached(self, reason):
        with wording.tells(IllegalActionError, reason=reason) as caught:
            REASONS[reason]()
        travelled = pickle.loads(pickle.dumps(caught.value))
        assert (travelled.reason, str(travelled)) == (reason, str(caught.value))

    def test_every_sentence_has_its_own_reason(self):
        """Two refusals that say the same, apart from names and numbers, have the same reason."""
        reasons: dict[str, set[Reason]] = {}
        doubled, arguments = TO_ROLL.double(), {"opening_roll": (3, 1), "roll": ("31",), "play": ("",)}
        phases = MatchState.new(7), TO_PLAY, TO_ROLL, doubled, doubled.resign(), TO_ROLL.resign(), OVER
        limited = state(rules=Rules(max_cube=2, beavers=1))
        for m in (*phases, MONEY_ROLL.double(), MONEY_ROLL.double().beaver(), limited, limited.double()):
            for action in set(Action) - m.legal_actions:
                for by in (*Player, TO_ACT):
                    with pytest.raises(IllegalActionError) as caught:
                        getattr(m, action)(*arguments.get(action, ()), by=by)
                    sentence = str(caught.value).split(": ", 1)[1]
                    reasons.setdefault(re.sub(r"White|Black|\d+", "", sentence), set()).add(caught.value.reason)
        assert all(len(sentences) == 1 for sentences in reasons.values()), reasons
        assert len(reasons) > 12
