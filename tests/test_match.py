"""`MatchState`: the contract, what the constructor refuses, events, seats and what follows from the fields."""

from __future__ import annotations

import copy
import pickle

import attrs
import pytest

from gammonrules.dice import Dice
from gammonrules.errors import (
    BrokenRule,
    DiceError,
    GammonError,
    IllegalActionError,
    IllegalPlayError,
    MatchStateError,
)
from gammonrules.errors import MatchStateProblem as Problem
from gammonrules.match import (
    Action,
    Cube,
    Double,
    End,
    Event,
    MatchState,
    Phase,
    Player,
    Resignation,
    Result,
)
from gammonrules.position import Move, Position, Win
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, TOURNAMENT, Rules

WHITE, BLACK = Player
START = Position.start()
LAST = Position.of(mine={1: 1}, theirs={6: 15})
BORNE_OFF = LAST.play("1/off", "65")


def state(on_roll=WHITE, **fields):
    return MatchState(fields.pop("position", START), on_roll, **fields)


class TestContract:
    def test_the_example(self):
        m = MatchState.new(length=7)
        assert m.on_roll is None
        assert m.to_act is None
        m = m.opening_roll(white=3, black=1)
        m = m.play("8/5 6/5").double().take()
        assert repr(m.cube) == "Cube(value=2, owner=Player.WHITE)"
        assert repr((m.on_roll, m.to_act)) == "(Player.BLACK, Player.BLACK)"
        assert (m.score[Player.WHITE], m.away[Player.BLACK]) == (0, 7)
        assert m.view(Player.WHITE) == m.position.flip()
        assert sorted(a.value for a in m.legal_actions) == ["resign", "roll"]

    def test_a_tie_waits_for_another_opening_roll(self):
        m = MatchState.new(7).opening_roll(white=2, black=2)
        assert (m.phase, m.on_roll, m.legal_actions) == (Phase.OPENING, None, {Action.OPENING_ROLL})

    def test_before_the_opening_roll_the_board_is_whites(self):
        m = MatchState.new(7, position=LAST)
        assert (m.view(WHITE), m.view(BLACK)) == (LAST, LAST.flip())
        assert m.opening_roll(3, 1).position == LAST
        assert m.opening_roll(1, 3).position == LAST.flip()

    def test_rules_by_default(self):
        assert MatchState.new(7).rules == TOURNAMENT
        assert MatchState.new(None).rules == MONEY

    def test_a_position_set_by_hand(self):
        m = MatchState.new(7).opening_roll(3, 1)
        assert attrs.evolve(m, position=LAST).play("1/off").result.win is Win.GAMMON
        with pytest.raises(MatchStateError) as caught:
            attrs.evolve(m, position=BORNE_OFF)
        assert caught.value.problems == Problem.GAME_OVER

    def test_after_the_last_play_the_loser_is_on_roll(self):
        over = state(position=LAST, dice="21").play("1/off")
        assert (over.on_roll, over.position, over.to_act) == (BLACK, BORNE_OFF, None)
        assert over.legal_actions == {Action.NEXT_GAME}
        assert over.legal_actions_of(WHITE) == over.legal_actions_of(BLACK) == {Action.NEXT_GAME}

    def test_values_are_values(self):
        m = MatchState.new(7).opening_roll(3, 1)
        for value in (m, m.cube, m.play("8/5 6/5").double().offer, m.resign().offer, m.resign().accept().result):
            assert value == copy.deepcopy(value) == pickle.loads(pickle.dumps(value))
            assert hash(value) == hash(copy.deepcopy(value))
            assert not hasattr(value, "__dict__")
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            m.length = 5

    def test_it_draws_itself(self):
        pytest.importorskip("gammonrules.draw.text")
        assert str(MatchState.new(7).opening_roll(3, 1))


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        pytest.param({"score": (-1, 0), "length": 5}, Problem.NEGATIVE_SCORE, id="negative-score"),
        pytest.param({"score": (5, 0), "length": 5, "crawford": False}, Problem.MATCH_OVER, id="won-already"),
        pytest.param({"score": (5, 6), "length": 5, "crawford": False}, Problem.MATCH_OVER, id="won-by-both"),
        pytest.param({"crawford": True}, Problem.WRONG_CRAWFORD, id="crawford-in-money"),
        pytest.param({"crawford": True, "length": 5}, Problem.WRONG_CRAWFORD, id="crawford-none-one-away"),
        pytest.param({"crawford": True, "length": 1}, Problem.WRONG_CRAWFORD, id="crawford-match-to-one"),
        pytest.param(
            {"crawford": True, "length": 5, "score": (4, 0), "rules": Rules(crawford=False)},
            Problem.WRONG_CRAWFORD,
            id="crawford-without-the-rule",
        ),
        pytest.param(
            {"crawford": True, "length": 5, "score": (4, 0), "cube": Cube(2, BLACK)},
            Problem.WRONG_CRAWFORD,
            id="crawford-cube",
        ),
        pytest.param({"cube": Cube(128, WHITE), "rules": Rules(max_cube=64)}, Problem.WRONG_CUBE, id="cube-limit"),
        pytest.param({"cube": Cube(2, WHITE), "rules": Rules(cube=False)}, Problem.WRONG_CUBE, id="no-cube"),
        pytest.param({"cube": Cube(2), "length": 5}, Problem.WRONG_CUBE, id="centred-cube-in-a-match"),
        pytest.param({"dice": "31", "on_roll": None}, Problem.NOBODY_ON_ROLL, id="dice-of-nobody"),
        pytest.param({"on_roll": None, "offer": Double(WHITE, 2)}, Problem.NOBODY_ON_ROLL, id="offer-of-nobody"),
        pytest.param({"on_roll": None, "offer": Resignation(WHITE, Win(1))}, Problem.NOBODY_ON_ROLL, id="no-game"),
        pytest.param({"on_roll": None, "cube": Cube(2, WHITE)}, Problem.NOBODY_ON_ROLL, id="cube-before-the-game"),
        pytest.param({"dice": "31", "offer": Double(WHITE, 2)}, Problem.WRONG_DICE, id="dice-with-a-double"),
        pytest.param(
            {"dice": "31", "offer": Resignation(WHITE, Win(1), Double(WHITE, 2))},
            Problem.WRONG_DICE,
            id="dice-with-an-interrupted-double",
        ),
        pytest.param({"offer": Double(BLACK, 2)}, Problem.WRONG_OFFER, id="double-out-of-turn"),
        pytest.param({"offer": Double(WHITE, 4)}, Problem.WRONG_OFFER, id="double-of-another-cube"),
        pytest.param({"offer": Double(WHITE, 4), "cube": Cube(2, BLACK)}, Problem.WRONG_OFFER, id="double-not-owner"),
        pytest.param({"offer": Double(WHITE, 2), "rules": Rules(cube=False)}, Problem.WRONG_OFFER, id="double-no-cube"),
        pytest.param({"offer": Double(WHITE, 2), "length": 1}, Problem.WRONG_OFFER, id="double-dead-cube"),
        pytest.param(
            {"offer": Double(WHITE, 2), "length": 5, "score": (0, 4)}, Problem.WRONG_OFFER, id="double-in-crawford-game"
        ),
        pytest.param(
            {"offer": Double(WHITE, 4), "cube": Cube(2, WHITE), "rules": Rules(max_cube=2)},
            Problem.WRONG_OFFER,
            id="double-beyond-the-limit",
        ),
        pytest.param(
            {"offer": Double(WHITE, 4, 1), "rules": Rules(max_cube=2, beavers=1)},
            Problem.WRONG_OFFER,
            id="beaver-beyond-the-limit",
        ),
        pytest.param(
            {"offer": Double(WHITE, 4, 1), "length": 5, "rules": Rules(beavers=1)},
            Problem.WRONG_BEAVER,
            id="beaver-in-a-match",
        ),
        pytest.param({"offer": Double(WHITE, 8, 2)}, Problem.WRONG_BEAVER, id="too-many-beavers"),
        pytest.param(
            {"offer": Resignation(WHITE, Win.GAMMON), "rules": BRETTSPIELWELT_SINGLE},
            Problem.WRONG_OFFER,
            id="gammon-with-pips",
        ),
        pytest.param({"rules": BRETTSPIELWELT_SINGLE, "length": 5}, Problem.PIPS_IN_MATCH, id="pips-in-a-match"),
        pytest.param({"position": BORNE_OFF}, Problem.GAME_OVER, id="no-result"),
        pytest.param({"position": BORNE_OFF.flip(), "on_roll": None}, Problem.GAME_OVER, id="no-result-no-game"),
        pytest.param({"length": 0}, Problem.WRONG_LENGTH, id="length-0"),
        pytest.param({"length": -1}, Problem.WRONG_LENGTH, id="length-negative"),
        pytest.param({"length": 7.0}, Problem.WRONG_LENGTH, id="length-float"),
        pytest.param({"length": True}, Problem.WRONG_LENGTH, id="length-bool"),
        pytest.param({"score": (1, 2, 3)}, Problem.WRONG_TYPE, id="three-scores"),
        pytest.param({"score": (1.0, 2)}, Problem.WRONG_TYPE, id="score-float"),
        pytest.param({"score": 4}, Problem.WRONG_TYPE, id="score-number"),
        pytest.param({"on_roll": 1}, Problem.WRONG_TYPE, id="seat-number"),
        pytest.param({"cube": 2}, Problem.WRONG_TYPE, id="cube-number"),
        pytest.param({"offer": "double"}, Problem.WRONG_TYPE, id="offer-text"),
        pytest.param({"crawford": 1}, Problem.WRONG_TYPE, id="crawford-number"),
        pytest.param({"rules": {}}, Problem.WRONG_TYPE, id="rules-dict"),
        pytest.param({"result": "won"}, Problem.WRONG_TYPE, id="result-text"),
        pytest.param({"position": "4HPwATDgc/ABMA"}, Problem.WRONG_TYPE, id="position-text"),
    ],
)
def test_the_constructor_refuses(fields, problems):
    with pytest.raises(MatchStateError) as caught:
        state(**fields)
    assert caught.value.problems == problems
    assert str(caught.value)


PLAYED = {"position": BORNE_OFF, "on_roll": BLACK, "score": (2, 0), "rules": Rules()}
GAMMON = Result(WHITE, Win.GAMMON, 2, End.PLAYED)


@pytest.mark.parametrize(
    ("fields", "problems"),
    [
        pytest.param({**PLAYED, "result": attrs.evolve(GAMMON, points=4)}, Problem.NEGATIVE_SCORE, id="score-too-low"),
        pytest.param({**PLAYED, "score": (9, 0), "length": 5}, Problem.MATCH_OVER, id="won-before"),
        pytest.param({**PLAYED, "score": (3, 5), "length": 5}, Problem.MATCH_OVER, id="won-by-the-loser-before"),
        pytest.param({**PLAYED, "dice": "31"}, Problem.WRONG_DICE, id="dice"),
        pytest.param({**PLAYED, "offer": Resignation(WHITE, Win.SINGLE)}, Problem.WRONG_OFFER, id="offer"),
        pytest.param({**PLAYED, "on_roll": WHITE}, Problem.WRONG_RESULT, id="winner-on-roll"),
        pytest.param({**PLAYED, "position": BORNE_OFF.flip()}, Problem.WRONG_RESULT, id="board-of-the-winner"),
        pytest.param({**PLAYED, "position": START}, Problem.WRONG_RESULT, id="not-borne-off"),
        pytest.param({**PLAYED, "result": attrs.evolve(GAMMON, by=End.RESIGNED)}, Problem.WRONG_RESULT, id="resigned"),
        pytest.param({**PLAYED, "result": Result(WHITE, Win.SINGLE, 1, End.PLAYED)}, Problem.WRONG_RESULT, id="single"),
        pytest.param({**PLAYED, "result": attrs.evolve(GAMMON, points=1)}, Problem.WRONG_RESULT, id="points"),
        pytest.param({**PLAYED, "rules": MONEY}, Problem.WRONG_RESULT, id="jacoby"),
        pytest.param({**PLAYED, "on_roll": None}, Problem.NOBODY_ON_ROLL, id="before-the-opening-roll"),
    ],
)
def test_the_constructor_refuses_a_result(fields, problems):
    assert MatchState(**{**PLAYED, "result": GAMMON}).result == GAMMON
    with pytest.raises(MatchStateError) as caught:
        MatchState(**{"result": GAMMON, **fields})
    assert problems in caught.value.problems


@pytest.mark.parametrize(
    ("fields", "valid"),
    [
        ({}, True),
        ({"result": Result(BLACK, Win.SINGLE, 1, End.DROPPED)}, False),
        ({"result": Result(WHITE, Win.GAMMON, 2, End.DROPPED)}, False),
        ({"rules": Rules(cube=False)}, False),
        ({"cube": Cube(2, BLACK), "result": Result(WHITE, Win.SINGLE, 2, End.DROPPED)}, False),
        ({"cube": Cube(2, BLACK), "result": Result(BLACK, Win.SINGLE, 2, End.DROPPED), "rules": MONEY}, True),
        ({"result": Result(BLACK, Win.SINGLE, 1, End.DROPPED), "rules": MONEY}, False),
        (
            {
                "cube": Cube(2, BLACK),
                "result": Result(WHITE, Win.SINGLE, 2, End.DROPPED),
                "rules": Rules(beavers=1),
                "length": 25,
            },
            False,
        ),
        ({"on_roll": None}, False),
    ],
)
def test_a_drop_needs_a_double(fields, valid):
    fields = {
        "result": Result(WHITE, Win.SINGLE, 1, End.DROPPED),
        "rules": Rules(),
        "score": (8, 8),
    } | fields
    if valid:
        assert state(**fields).phase is Phase.OVER
        return
    with pytest.raises(MatchStateError) as caught:
        state(**fields)
    assert caught.value.problems in {Problem.WRONG_RESULT, Problem.NOBODY_ON_ROLL}


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"length": 5, "score": (4, 0), "rules": Rules(crawford=False)}, "under rules without the Crawford rule"),
        ({"length": None}, "a Crawford game in money play"),
        ({"length": 5, "score": (3, 0)}, "exactly one side one point from winning, not none"),
        ({"length": 5, "score": (4, 4)}, "exactly one side one point from winning, not both"),
    ],
)
def test_why_it_is_no_crawford_game(fields, sentence):
    with pytest.raises(MatchStateError, match=sentence):
        state(crawford=True, **fields)


def test_a_resignation_counts_what_the_rules_count():
    gammon = Result(BLACK, Win.GAMMON, 2, End.RESIGNED)
    assert state(result=gammon, score=(0, 2), rules=Rules()).result == gammon
    with pytest.raises(MatchStateError, match="a gammon where none counts") as caught:
        state(result=gammon, score=(0, 2), rules=MONEY)
    assert caught.value.problems == Problem.WRONG_RESULT


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"score": (-1, 0)}, "White's score is -1"),
        ({**PLAYED, "score": (1, 0), "result": GAMMON}, "White's score before this game is -1"),
        ({**PLAYED, "position": START, "result": GAMMON}, "a game played, though nobody has borne off everything"),
        ({**PLAYED, "result": attrs.evolve(GAMMON, by=End.DROPPED)}, "a game dropped, though one side has borne off"),
        (
            {"score": (0, 1), "result": Result(BLACK, Win.SINGLE, 1, End.DROPPED)},
            "a drop, though the player on roll has doubled",
        ),
        (
            {"score": (1, 0), "result": Result(WHITE, Win.SINGLE, 1, End.DROPPED), "rules": Rules(cube=False)},
            "a drop, though this game is played without a cube",
        ),
    ],
)
def test_sentences(fields, sentence):
    with pytest.raises(MatchStateError, match=sentence):
        state(**fields)


def test_points_that_are_still_needed():
    m = MatchState.new(5, score=(1, 3))
    assert m.away == (4, 2)
    assert m.opening_roll(3, 1).resign(Win.BACKGAMMON).accept().away == (4, 0)


def test_all_problems_at_once():
    with pytest.raises(MatchStateError) as caught:
        state(dice="31", offer=Double(BLACK, 4, 1), score=(-1, 9), length=7, cube=Cube(2), crawford=True)
    assert caught.value.problems == (
        Problem.NEGATIVE_SCORE
        | Problem.MATCH_OVER
        | Problem.WRONG_CRAWFORD
        | Problem.WRONG_CUBE
        | Problem.WRONG_DICE
        | Problem.WRONG_OFFER
        | Problem.WRONG_BEAVER
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.problems) == (str(caught.value), caught.value.problems)


def test_a_crawford_game_that_is_over_is_told_by_the_score_before_it():
    over = MatchState.new(3, score=(2, 0)).opening_roll(3, 1).resign(by=WHITE).accept()
    assert (over.score, over.crawford, over.score_before) == ((2, 1), True, (2, 0))
    rebuilt = MatchState(over.position, over.on_roll, score=(2, 1), length=3, result=over.result)
    assert rebuilt == over
    first = MatchState.new(3).opening_roll(3, 1).resign(Win.GAMMON, by=BLACK).accept()
    assert (first.score, first.crawford, first.post_crawford) == ((2, 0), False, False)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: Cube(3), Problem.WRONG_CUBE),
        (lambda: Cube(0), Problem.WRONG_CUBE),
        (lambda: Cube(True), Problem.WRONG_CUBE),
        (lambda: Cube(1, WHITE), Problem.WRONG_CUBE),
        (lambda: Cube(2, 0), Problem.WRONG_TYPE),
        (lambda: Double(None, 2), Problem.WRONG_TYPE),
        (lambda: Double(WHITE, 1), Problem.WRONG_OFFER),
        (lambda: Double(WHITE, 6), Problem.WRONG_OFFER),
        (lambda: Double(WHITE, 2, 1), Problem.WRONG_OFFER),
        (lambda: Double(WHITE, 2, -1), Problem.WRONG_BEAVER),
        (lambda: Double(WHITE, 4, 1.0), Problem.WRONG_BEAVER),
        (lambda: Resignation("White", Win.SINGLE), Problem.WRONG_TYPE),
        (lambda: Resignation(WHITE, 1), Problem.WRONG_TYPE),
        (lambda: Resignation(WHITE, Win.SINGLE, 2), Problem.WRONG_TYPE),
        (lambda: Result(0, Win.SINGLE, 1, End.PLAYED), Problem.WRONG_TYPE),
        (lambda: Result(WHITE, 1, 1, End.PLAYED), Problem.WRONG_TYPE),
        (lambda: Result(WHITE, Win.SINGLE, 1, "played"), Problem.WRONG_TYPE),
        (lambda: Result(WHITE, Win.SINGLE, 0, End.PLAYED), Problem.WRONG_RESULT),
        (lambda: Result(WHITE, Win.SINGLE, 1.0, End.PLAYED), Problem.WRONG_RESULT),
    ],
)
def test_small_values_are_checked(make, problem):
    with pytest.raises(MatchStateError) as caught:
        make()
    assert caught.value.problems is problem


def test_how_often_a_cube_was_turned():
    with pytest.raises(MatchStateError, match="turned 1 time cannot show 6"):
        Double(WHITE, 6)
    with pytest.raises(MatchStateError, match="turned 2 times cannot show 2"):
        Double(WHITE, 2, 1)


class TestPlayer:
    def test_a_seat_is_a_number_and_has_a_name(self):
        assert [WHITE, BLACK] == [0, 1]
        assert (WHITE.opponent, BLACK.opponent) == (BLACK, WHITE)
        assert f"{WHITE} {BLACK!r} {WHITE:>7}" == "White Player.BLACK   White"

    def test_swap_players(self):
        m = MatchState.new(7, score=(3, 1)).opening_roll(3, 1).play("8/5 6/5").double()
        swapped = m.swap_players()
        assert (swapped.score, swapped.on_roll, swapped.offer) == ((1, 3), WHITE, Double(WHITE, 2))
        assert swapped.position == m.position
        assert swapped.view(WHITE) == m.view(BLACK)
        resigned = m.resign(Win.GAMMON, by=WHITE)
        assert resigned.swap_players().offer == Resignation(BLACK, Win.GAMMON, Double(WHITE, 2))
        over = resigned.accept()
        assert over.swap_players().result == attrs.evolve(over.result, winner=WHITE)
        assert m.take().swap_players().cube == Cube(2, BLACK)
        new = MatchState.new(7, position=LAST)
        assert new.swap_players().view(BLACK) == LAST


class TestSeats:
    """Every action takes the seat that sends it."""

    def test_the_wrong_seat_is_refused(self):
        m = MatchState.new(7).opening_roll(3, 1)
        with pytest.raises(IllegalActionError, match="Black cannot play: White is to act"):
            m.play("8/5 6/5", by=BLACK)
        m = m.play("8/5 6/5", by=WHITE).double(by=BLACK)
        with pytest.raises(IllegalActionError, match="Black cannot take: White is to act"):
            m.take(by=BLACK)

    @pytest.mark.parametrize("seat", [*Player, None])
    def test_neutral_actions_take_any_seat(self, seat):
        m = MatchState.new(7).opening_roll(3, 1, by=seat)
        assert m.resign(by=seat).accept().next_game(by=seat).phase is Phase.OPENING

    @pytest.mark.parametrize("seat", ["White", 2, -1, 0.5])
    def test_what_is_no_seat(self, seat):
        m = MatchState.new(7).opening_roll(3, 1)
        with pytest.raises(IllegalActionError, match="a seat is Player"):
            m.resign(by=seat)
        with pytest.raises(GammonError):
            m.legal_actions_of(seat)

    def test_both_may_resign_and_the_other_answers(self):
        m = MatchState.new(7).opening_roll(3, 1)
        for seat in Player:
            offered = m.resign(by=seat)
            assert offered.legal_actions_of(seat) == frozenset()
            assert offered.legal_actions == {Action.ACCEPT, Action.DECLINE}
            assert offered.to_act is seat.opponent
        with pytest.raises(IllegalActionError, match="White has yet to accept or decline a resignation"):
            offered.resign(by=WHITE)


class TestActions:
    @pytest.mark.parametrize("form", ["8/5 6/5", "6/5 8/5", (Move(8, 5), Move(6, 5)), [Move(6, 5), Move(8, 5)]])
    def test_a_play_in_every_form(self, form):
        m = MatchState.new(7).opening_roll(3, 1)
        assert m.play(form) == m.play(m.legal_plays.find("8/5 6/5"))
        assert m.play(iter(form)) == m.play(form) if not isinstance(form, str) else True

    def test_a_play_of_another_position(self):
        m = MatchState.new(7).opening_roll(3, 1)
        foreign = LAST.legal_plays("31")[0]
        with pytest.raises(IllegalPlayError) as caught:
            m.play(foreign)
        assert caught.value.reason is BrokenRule.OTHER_POSITION

    def test_a_play_of_other_dice(self):
        m = MatchState.new(7).opening_roll(3, 1)
        with pytest.raises(IllegalPlayError) as caught:
            m.play(START.legal_plays("65")[0])
        assert caught.value.reason is BrokenRule.OTHER_POSITION

    def test_no_plays_without_dice(self):
        m = MatchState.new(7)
        for without in (m, m.opening_roll(3, 1).play("8/5 6/5"), m.opening_roll(3, 1).resign()):
            with pytest.raises(IllegalActionError, match="there are no plays now"):
                without.legal_plays  # noqa: B018 - a property that raises

    @pytest.mark.parametrize("dice", ["3", "99", 3.0, (0, 1)])
    def test_dice_that_do_not_exist(self, dice):
        m = MatchState.new(7, rules=Rules(opening="reroll")).opening_roll(3, 1)
        with pytest.raises(DiceError):
            m.roll(dice)
        with pytest.raises(DiceError):
            MatchState.new(7).opening_roll(7, 1)

    def test_a_level_that_does_not_exist(self):
        m = MatchState.new(7).opening_roll(3, 1)
        with pytest.raises(IllegalActionError, match="the level of a win"):
            m.resign(4)
        assert m.resign(2).offer.win is Win.GAMMON

    def test_a_starter_without_opening_roll_may_double(self):
        over = MatchState.new(7).opening_roll(3, 1).resign().accept()
        new = over.next_game(starter=BLACK)
        assert (new.on_roll, new.dice, new.score) == (BLACK, None, (0, 1))
        assert new.double().take().cube == Cube(2, WHITE)

    def test_where_the_checkers_of_the_next_game_start(self):
        over = MatchState.new(7, position=LAST).opening_roll(3, 1).play("1/off")
        assert over.next_game().position == START
        assert over.next_game(BLACK, position=LAST).position == LAST.flip()
        assert over.next_game(BLACK, position=LAST).view(WHITE) == LAST

    def test_a_small_board_has_no_standard_start(self):
        small = Position.of(mine={24: 1, 23: 1, 22: 1}, theirs={24: 1, 23: 1, 22: 1}, checkers=3)
        over = MatchState.new(7, position=small).opening_roll(3, 1).resign().accept()
        with pytest.raises(MatchStateError, match="3 checkers a side has no standard start") as caught:
            over.next_game()
        assert caught.value.problems is Problem.NO_STANDARD_START
        assert over.next_game(position=small).position == small

    def test_the_cube_after_an_action(self):
        raccoons = Rules(beavers=2)
        m = state(rules=raccoons)
        assert m.cube_after(Action.DOUBLE) == Cube(2, BLACK)
        assert state(cube=Cube(4, WHITE)).cube_after(Action.DOUBLE) == Cube(8, BLACK)
        assert m.cube_after(Action.ROLL) == m.cube_after(Action.RESIGN) == Cube()
        offered = m.double()
        assert offered.cube_after(Action.TAKE) == offered.take().cube
        assert offered.cube_after(Action.DROP) == offered.drop().cube == Cube()
        assert offered.cube_after(Action.BEAVER) == offered.beaver().take().cube == Cube(4, BLACK)
        assert offered.beaver().cube_after(Action.DROP) == offered.beaver().drop().cube == Cube(2, BLACK)
        resigned = offered.beaver().resign()
        assert resigned.cube_after(Action.ACCEPT) == resigned.accept().cube == Cube(2, BLACK)
        assert resigned.cube_after(Action.DECLINE) == resigned.decline().cube == Cube()
        assert resigned.accept().cube_after(Action.NEXT_GAME) == Cube()
        with pytest.raises(IllegalActionError, match="White cannot take: no double is pending"):
            m.cube_after(Action.TAKE)


class TestEvents:
    def test_a_game_as_events(self):
        events = [
            Event(Action.OPENING_ROLL, argument=(3, 1)),
            Event(Action.PLAY, WHITE, "8/5 6/5"),
            Event(Action.DOUBLE, BLACK),
            Event(Action.TAKE),
            Event(Action.ROLL, argument="62"),
            Event(Action.RESIGN, WHITE),
            Event(Action.ACCEPT),
            Event(Action.NEXT_GAME, argument=BLACK),
        ]
        m = MatchState.new(7)
        for event in events:
            m = m.apply(event)
        assert (m.score, m.on_roll, m.phase) == ((0, 2), BLACK, Phase.TO_ROLL)

    def test_arguments_get_their_own_type(self):
        assert Event("roll", 1, [1, 3]) == Event(Action.ROLL, BLACK, Dice(3, 1))
        assert Event("opening_roll", argument=[3, 1]).argument == (3, 1)
        assert Event("resign").argument is Win.SINGLE
        assert Event("resign", argument=2).argument is Win.GAMMON
        assert Event("next_game", argument=1).argument is BLACK
        assert Event("play", argument=[Move(8, 5), Move(6, 5)]).argument == (Move(8, 5), Move(6, 5))
        play = START.legal_plays("31")[0]
        assert Event("play", argument=play).argument is play
        event = Event("play", WHITE, "8/5 6/5")
        assert attrs.evolve(event) == event == pickle.loads(pickle.dumps(event))

    @pytest.mark.parametrize(
        ("arguments", "error"),
        [
            (("castle",), IllegalActionError),
            ((None,), IllegalActionError),
            (("roll", "White", "31"), IllegalActionError),
            (("roll",), DiceError),
            (("roll", None, "77"), DiceError),
            (("opening_roll",), IllegalActionError),
            (("opening_roll", None, "31"), IllegalActionError),
            (("opening_roll", None, (3, 1, 1)), IllegalActionError),
            (("opening_roll", None, (3, 7)), DiceError),
            (("play",), IllegalActionError),
            (("play", None, [(8, 5)]), IllegalActionError),
            (("resign", None, 4), IllegalActionError),
            (("next_game", None, 2), IllegalActionError),
            (("take", None, 2), IllegalActionError),
            (("double", None, Cube()), IllegalActionError),
        ],
    )
    def test_what_is_no_event(self, arguments, error):
        with pytest.raises(error):
            Event(*arguments)

    @pytest.mark.parametrize("seat", [*Player, None])
    @pytest.mark.parametrize("action", list(Action))
    def test_an_event_acts_for_its_seat(self, action, seat):
        opening = MatchState.new(None, rules=Rules(beavers=1))
        to_play = opening.opening_roll(3, 1)
        to_roll = to_play.play("8/5 6/5")
        before, arguments = {
            Action.OPENING_ROLL: (opening, (3, 1)),
            Action.ROLL: (to_roll, ("62",)),
            Action.PLAY: (to_play, ("8/5 6/5",)),
            Action.DOUBLE: (to_roll, ()),
            Action.TAKE: (to_roll.double(), ()),
            Action.DROP: (to_roll.double(), ()),
            Action.BEAVER: (to_roll.double(), ()),
            Action.RESIGN: (to_roll, (Win.GAMMON,)),
            Action.ACCEPT: (to_roll.resign(), ()),
            Action.DECLINE: (to_roll.resign(), ()),
            Action.NEXT_GAME: (to_roll.double().drop(), (BLACK,)),
        }[action]
        argument = (arguments[0] if action is not Action.OPENING_ROLL else arguments) if arguments else None
        event = Event(action, seat, argument)
        if action in before.legal_actions_of(before.to_act or WHITE if seat is None else seat):
            assert before.apply(event) == getattr(before, action)(*arguments, by=seat)
        else:
            with pytest.raises(IllegalActionError, match=f"{seat} cannot {action}: "):
                before.apply(event)

    def test_an_event_is_judged_like_its_action(self):
        with pytest.raises(IllegalActionError, match="no next game: the game begins with the opening roll"):
            MatchState.new(7).apply(Event("next_game"))
        with pytest.raises(IllegalActionError, match="no opening roll now: the opening roll has been made"):
            MatchState.new(7).opening_roll(3, 1).apply(Event("opening_roll", argument=(3, 1)))
