"""Groups E to J of the worked cases: results, cube, resignation, match and Crawford, opening, valid positions.

Each test bears the ids of its rows as parameters. M is White and O, the opponent, is Black; in table H the leader A is
White and B is Black.
"""

from __future__ import annotations

import attrs
import pytest

import loop
import wording
from gammonrules.board import Position, Win
from gammonrules.errors import IllegalActionError, MatchStateError, MatchStateProblem, PositionError, PositionProblem
from gammonrules.match import TO_ACT, Action, Cube, Double, End, MatchState, Phase, Player, Result
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, PORTES, Rules

M = A = Player.WHITE
O = B = Player.BLACK  # noqa: E741 - the letter of the tables
PLAIN = Rules()
JACOBY = Rules(jacoby=True)
WITHOUT_CUBE = Rules(cube=False)

LOSERS = {
    "14 on their 6 point, 1 off": {6: 14},
    "15 on their 6 point": {6: 15},
    "1 on the winner's 7 point": {6: 14, 18: 1},
    "1 on the winner's 6 point": {6: 14, 19: 1},
    "1 on the bar": {6: 14, "bar": 1},
    "1 on the bar, 1 off": {6: 13, "bar": 1},
    "1 on the winner's 3 point, 1 off": {6: 13, 22: 1},
    "1 on their ace point, 14 off": {1: 1},
}


@pytest.fixture(autouse=True)
def _row(request):
    """The row of a test that has no other parameters for it."""


def row(ids):
    """The row of the tables that a test works through, as it appears in the test's name: test_x[F04]."""
    return pytest.mark.parametrize("_row", [ids], indirect=True)


def money(position=None, *, rules=PLAIN, cube=None, on_roll=M, dice=None):
    return MatchState(position or Position.start(), on_roll, dice, cube=cube or Cube(), rules=rules)


def match(length, score=(0, 0), *, on_roll=A, cube=None, rules=PLAIN, crawford=None, position=None, dice=None):
    position = position or Position.start()
    return MatchState(
        position, on_roll, dice, cube=cube or Cube(), score=score, length=length, crawford=crawford, rules=rules
    )


def bear_off_the_last(state):
    """The player on roll wins with a 6-5 that bears off one checker and leaves a die."""
    return attrs.evolve(state, dice="65").play("1/off")


def refused(state, action, *named, by=TO_ACT, **arguments):
    """The action is refused for a reason that these words name, is not listed, and has changed nothing."""
    copy = attrs.evolve(state)
    with wording.tells(IllegalActionError, *named):
        getattr(state, action)(by=by, **arguments)
    listed = state.legal_actions if by is TO_ACT else state.legal_actions_of(by)
    assert action not in listed
    assert state == copy


class TestResult:
    """Table E: the result of a finished game."""

    @pytest.mark.parametrize(
        ("loser", "win", "points"),
        [
            pytest.param("14 on their 6 point, 1 off", Win.SINGLE, 1, id="E01"),
            pytest.param("15 on their 6 point", Win.GAMMON, 2, id="E02"),
            pytest.param("1 on the winner's 7 point", Win.GAMMON, 2, id="E03"),
            pytest.param("1 on the winner's 6 point", Win.BACKGAMMON, 3, id="E04"),
            pytest.param("1 on the bar", Win.BACKGAMMON, 3, id="E05"),
            pytest.param("1 on the bar, 1 off", Win.SINGLE, 1, id="E06"),
            pytest.param("1 on the winner's 3 point, 1 off", Win.SINGLE, 1, id="E07"),
        ],
    )
    @pytest.mark.parametrize("winner", Player)
    def test_level_of_a_win(self, loser, win, points, winner):
        state = money(Position.of(mine={1: 1}, theirs=LOSERS[loser]), on_roll=winner)
        over = bear_off_the_last(state)
        assert over.result == Result(winner, win, points, End.PLAYED)
        assert over.score[winner] == points
        assert over.score[winner.opponent] == 0
        assert over.on_roll is winner.opponent
        assert over.to_act is None

    @pytest.mark.parametrize(
        ("loser", "rules", "length", "cube", "win", "points"),
        [
            pytest.param("15 on their 6 point", JACOBY, None, Cube(), Win.SINGLE, 1, id="E08"),
            pytest.param("1 on the winner's 6 point", JACOBY, None, Cube(), Win.SINGLE, 1, id="E09-E04"),
            pytest.param("1 on the bar", JACOBY, None, Cube(), Win.SINGLE, 1, id="E09-E05"),
            pytest.param("15 on their 6 point", JACOBY, None, Cube(2, M), Win.GAMMON, 4, id="E10-winner"),
            pytest.param("15 on their 6 point", JACOBY, None, Cube(2, O), Win.GAMMON, 4, id="E10-loser"),
            pytest.param("1 on the winner's 6 point", JACOBY, None, Cube(2, O), Win.BACKGAMMON, 6, id="E11-E04"),
            pytest.param("1 on the bar", JACOBY, None, Cube(2, M), Win.BACKGAMMON, 6, id="E11-E05"),
            pytest.param("15 on their 6 point", JACOBY, None, Cube(2), Win.SINGLE, 2, id="E12"),
            pytest.param("15 on their 6 point", JACOBY, 5, Cube(), Win.GAMMON, 2, id="E13"),
            pytest.param(
                "15 on their 6 point", attrs.evolve(JACOBY, cube=False), None, Cube(), Win.SINGLE, 1, id="E14"
            ),
            pytest.param("1 on the winner's 6 point", PORTES, None, Cube(), Win.GAMMON, 2, id="E15"),
            pytest.param("15 on their 6 point", BRETTSPIELWELT_SINGLE, None, Cube(), Win.SINGLE, 90, id="E16"),
            pytest.param("1 on the bar", BRETTSPIELWELT_SINGLE, None, Cube(), Win.SINGLE, 109, id="E17"),
            pytest.param("1 on their ace point, 14 off", BRETTSPIELWELT_SINGLE, None, Cube(), Win.SINGLE, 1, id="E18"),
        ],
    )
    def test_points_under_the_options(self, loser, rules, length, cube, win, points):
        position = Position.of(mine={1: 1}, theirs=LOSERS[loser])
        over = bear_off_the_last(MatchState(position, M, cube=cube, length=length, rules=rules))
        assert over.result == Result(M, win, points, End.PLAYED)
        assert over.score == (points, 0)

    @pytest.mark.parametrize(
        ("mine", "dice", "text"),
        [
            pytest.param({1: 1}, "65", "1/off", id="E19-first-of-two"),
            pytest.param({6: 1, 4: 1}, "44", "6/2 4/off 2/off", id="E19-third-of-four"),
        ],
    )
    def test_the_remaining_dice_are_void(self, mine, dice, text):
        over = money(Position.of(mine=mine, theirs={6: 14}), dice=dice).play(text)
        assert over.phase is Phase.OVER
        assert over.dice is None

    @row("E20")
    def test_both_sides_cannot_have_borne_off_everything(self):
        with pytest.raises(PositionError) as caught:
            Position.of(mine={}, theirs={})
        assert PositionProblem.BOTH_OFF in caught.value.problems


class TestCubeInMoneyPlay:
    """Table F: the cube in money play."""

    @row("F01")
    def test_an_offer_waits_for_the_opponent(self):
        offered = money().double()
        assert offered.offer == Double(M, 2)
        assert (offered.cube, offered.on_roll, offered.to_act) == (Cube(), M, O)
        assert offered.cube_after(Action.TAKE) == Cube(2, O)

    @row("F02")
    def test_who_takes_owns_the_cube_and_the_doubler_rolls(self):
        taken = money().double().take(by=O)
        assert (taken.cube, taken.to_act) == (Cube(2, O), M)
        assert Action.ROLL in taken.legal_actions

    @loop.over("loser", LOSERS)
    @row("F03")
    def test_a_drop_loses_the_value_before_the_offer(self, loser):
        position = Position.of(mine={1: 1}, theirs=LOSERS[loser])
        assert money(position).double().drop().result == Result(M, Win.SINGLE, 1, End.DROPPED)

    @row("F04-F05-F06-F22")
    def test_who_may_not_double(self):
        refused(money(dice="31"), "double", "dice")
        refused(money(on_roll=O), "double", "White", "Black", by=M)
        refused(money(cube=Cube(2, O)), "double", "White", "Black", "cube")
        refused(money(rules=WITHOUT_CUBE), "double", "without a cube")

    @row("F07")
    def test_a_redouble_hands_the_cube_over(self):
        assert money(cube=Cube(2, M)).double().take().cube == Cube(4, O)

    @row("F08")
    def test_a_dropped_redouble_loses_the_value_before_it(self):
        over = money(cube=Cube(2, M)).double().drop()
        assert (over.result, over.cube) == (Result(M, Win.SINGLE, 2, End.DROPPED), Cube(2, M))

    @row("F09")
    def test_the_starter_does_not_double_in_the_first_turn(self):
        first = MatchState.new(None).opening_roll(white=3, black=1)
        refused(first, "double", "dice")
        assert Action.DOUBLE in first.play("8/5 6/5").legal_actions_of(O)

    @row("F10")
    def test_a_pending_double_is_answered_first(self):
        offered = money(rules=MONEY).double()
        refused(offered, "roll", "White", "Black", "take", "drop", by=M, dice="31")
        refused(offered, "double", "White", "Black", "take", "drop", by=M)
        refused(offered, "double", "Black", "taken", "dropped", by=O)
        assert offered.legal_actions == {Action.TAKE, Action.DROP, Action.BEAVER, Action.RESIGN}
        assert offered.legal_actions_of(M) == {Action.RESIGN}

    @loop.rows("answer", "take", "drop", "beaver")
    @loop.rows("dice", None, "31")
    @row("F11")
    def test_there_is_nothing_to_answer_without_a_double(self, answer, dice):
        refused(money(rules=MONEY, dice=dice), answer, "Black", "double", by=O)

    @row("F12")
    def test_a_beaver_doubles_the_offer(self):
        beaver = money(rules=MONEY).double().beaver(by=O)
        assert beaver.offer == Double(M, 4, beavers=1)
        assert (beaver.to_act, beaver.on_roll, beaver.cube) == (M, M, Cube())
        assert beaver.cube_after(Action.TAKE) == Cube(4, O)

    @row("F13")
    def test_who_beavers_keeps_the_cube(self):
        taken = money(rules=MONEY).double().beaver().take(by=M)
        assert (taken.cube, taken.to_act, taken.phase) == (Cube(4, O), M, Phase.TO_ROLL)

    @row("F14")
    def test_dropping_a_beaver_loses_the_value_first_offered(self):
        assert money(rules=MONEY).double().beaver().drop(by=M).result == Result(O, Win.SINGLE, 2, End.DROPPED)

    @row("F15")
    def test_a_taken_raccoon_leaves_the_cube_where_it_was(self):
        taken = money(rules=Rules(beavers=2)).double().beaver().beaver(by=M).take(by=O)
        assert (taken.cube, taken.to_act) == (Cube(8, O), M)

    @row("F16")
    def test_dropping_a_raccoon_loses_the_value_of_the_beaver(self):
        over = money(rules=Rules(beavers=2)).double().beaver().beaver().drop(by=O)
        assert over.result == Result(M, Win.SINGLE, 4, End.DROPPED)

    @row("F17-F18-F19")
    def test_who_may_not_beaver(self):
        refused(money().double(), "beaver", "beaver", "rules")
        refused(money(rules=MONEY).double().beaver(), "beaver", "1 beaver", "rules", by=M)
        refused(match(5, rules=Rules(beavers=3)).double(), "beaver", "money")

    @row("F20")
    def test_the_cube_has_no_limit_by_default(self):
        assert money(cube=Cube(64, M)).double().take().cube == Cube(128, O)

    @row("F21")
    def test_the_cube_ends_at_its_limit(self):
        capped = Rules(max_cube=64)
        refused(money(cube=Cube(64, M), rules=capped), "double", "cube", "64")
        assert money(cube=Cube(32, M), rules=capped).double().take().cube == Cube(64, O)

    @pytest.mark.parametrize(
        ("rules", "length", "value"),
        [
            pytest.param(Rules(auto_doubles=1), None, 2, id="F23"),
            pytest.param(Rules(auto_doubles=2), None, 4, id="two-ties"),
            pytest.param(Rules(auto_doubles=2, max_cube=2), None, 2, id="a-limit"),
            pytest.param(Rules(auto_doubles=1, cube=False), None, 1, id="no-cube"),
            pytest.param(PLAIN, None, 1, id="F24"),
            pytest.param(Rules(auto_doubles=1), 5, 1, id="F25"),
        ],
    )
    def test_automatic_doubles(self, rules, length, value):
        tied = MatchState.new(length, rules=rules).opening_roll(5, 5).opening_roll(4, 4)
        assert (tied.phase, tied.cube) == (Phase.OPENING, Cube(value))
        started = tied.opening_roll(white=6, black=3)
        assert (started.cube, started.on_roll) == (Cube(value), A)
        if rules.cube and rules.max_cube is None:
            second = started.play(started.legal_plays[0])
            assert second.double().offer == Double(B, 2 * value)

    @loop.rows("action", "double", "take", "drop", "beaver")
    @loop.rows("how", "played", "dropped")
    @row("F26")
    def test_no_cube_action_when_the_game_is_over(self, action, how):
        last = money(Position.of(mine={1: 1}, theirs={6: 15}), rules=MONEY)
        over = bear_off_the_last(last) if how == "played" else last.double().drop()
        for player in Player:
            refused(over, action, "over", "White", by=player)


class TestResignation:
    """Table G: resignation."""

    @row("G01")
    def test_a_resignation_loses_a_single_game(self):
        assert money().resign(by=M).accept(by=O).result == Result(O, Win.SINGLE, 1, End.RESIGNED)

    @loop.rows("dice", None, "31")
    @row("G02")
    def test_a_declined_resignation_changes_nothing(self, dice):
        state = money(dice=dice, cube=Cube(2, O))
        offered = state.resign(Win.GAMMON, by=M)
        assert (offered.phase, offered.to_act, offered.on_roll) == (Phase.RESIGNED, O, M)
        assert offered.decline() == state

    @row("G03")
    def test_more_can_be_offered_after_a_refusal(self):
        over = money().resign(Win.GAMMON).decline().resign(Win.BACKGAMMON).accept()
        assert over.result == Result(O, Win.BACKGAMMON, 3, End.RESIGNED)

    @row("G04")
    def test_the_cube_multiplies_a_resignation(self):
        assert money(cube=Cube(2, O)).resign(Win.GAMMON).accept().result.points == 4

    @row("G05")
    def test_jacoby_makes_a_resignation_single(self):
        assert money(rules=JACOBY).resign(Win.GAMMON).accept().result == Result(O, Win.SINGLE, 1, End.RESIGNED)

    @row("G06")
    def test_a_player_resigns_after_rolling_too(self):
        over = money(dice="31").resign().accept()
        assert over.result.winner is O
        assert (over.dice, over.on_roll, over.position) == (None, M, Position.start())

    @row("G07")
    def test_a_resignation_instead_of_an_answer_loses_the_value_before_the_double(self):
        offered = money().double()
        resigned = offered.resign(by=O)
        assert resigned.to_act is M
        assert resigned.decline() == offered
        assert resigned.accept().result == Result(M, Win.SINGLE, 1, End.RESIGNED)

    @loop.over("resigner", Player)
    def test_a_resignation_instead_of_an_answer_to_a_beaver(self, resigner):
        """The value before the pending offer, as for a drop: the player who beavers has accepted the double."""
        over = money(rules=MONEY).double().beaver().resign(by=resigner).accept()
        assert over.result == Result(resigner.opponent, Win.SINGLE, 2, End.RESIGNED)

    @row("G08")
    def test_too_little_can_be_offered_and_declined(self):
        hopeless = money(Position.of(mine={6: 15}, theirs={1: 1}))
        assert hopeless.resign(Win.SINGLE).decline() == hopeless

    @row("G09")
    def test_more_can_be_offered_than_the_board_can_give(self):
        over = money(Position.of(mine={6: 10}, theirs={1: 1})).resign(Win.GAMMON).accept()
        assert over.result == Result(O, Win.GAMMON, 2, End.RESIGNED)

    @row("G10")
    def test_a_resignation_can_win_a_match(self):
        over = match(3, cube=Cube(2, B)).resign(Win.GAMMON, by=B).accept()
        assert (over.score, over.winner) == ((4, 0), A)
        assert over.legal_actions == frozenset()

    @loop.rows("answer", "accept", "decline")
    @row("G11")
    def test_there_is_nothing_to_accept_without_a_resignation(self, answer):
        for player in Player:
            refused(money(), answer, player, "resign", by=player)

    def test_pip_scoring_concedes_the_present_pip_count(self):
        state = money(Position.of(mine={6: 2, "bar": 1}, theirs={1: 1}), rules=BRETTSPIELWELT_SINGLE)
        assert state.resign().accept().result == Result(O, Win.SINGLE, 37, End.RESIGNED)
        assert state.resign(by=O).accept().result == Result(M, Win.SINGLE, 1, End.RESIGNED)
        with wording.tells(IllegalActionError, "pip scoring", "single"):
            state.resign(Win.GAMMON)


def wins(state, player, points):
    """The player wins so many points with the cube in the middle: a resignation of that level."""
    return state.resign(Win(points), by=player.opponent).accept()


def live(state, on_roll=A):
    """The next game, the player about to throw the dice."""
    return state.next_game(starter=on_roll)


def may_double(state):
    return Action.DOUBLE in state.legal_actions_of(state.on_roll)


class TestMatchPlay:
    """Table H: match play; "n-away" and the Crawford game."""

    @row("H01")
    def test_a_match_to_one_has_a_dead_cube_and_no_crawford_game(self):
        for player in Player:
            state = match(1, on_roll=player)
            assert not state.crawford
            assert not state.post_crawford
            refused(state, "double", player, "dead", "0 points", "cube of 1")

    @row("H02")
    def test_the_game_after_one_away_is_the_crawford_game(self):
        over = wins(match(3), A, 2)
        assert (over.score, over.crawford) == ((2, 0), False)
        assert over.next_game().crawford

    @row("H03-H04-H20")
    def test_nobody_doubles_in_the_crawford_game(self):
        for player in Player:
            refused(match(3, (2, 0), on_roll=player), "double", "Crawford")
        refused(match(5, (4, 0), on_roll=B), "double", "Crawford")

    @row("H05")
    def test_there_is_one_crawford_game_in_a_match(self):
        following = wins(match(3, (2, 0)), B, 1).next_game()
        assert (following.score, following.crawford, following.post_crawford) == ((2, 1), False, True)

    @row("H06-H07")
    def test_the_trailer_doubles_after_it_and_the_leader_does_not_redouble(self):
        taken = match(3, (2, 1), on_roll=B, crawford=False).double().take()
        assert taken.cube == Cube(2, A)
        turn = taken.roll("31").play("8/5 6/5")
        assert turn.on_roll is A
        refused(turn, "double", "White", "dead", "2 points", "cube of 2")

    @row("H08-H16")
    def test_the_leader_does_not_turn_a_dead_cube(self):
        refused(match(3, (2, 1), crawford=False), "double", "dead", "2 points", "cube of 1")
        refused(match(5, (3, 0), cube=Cube(2, A)), "double", "dead", "3 points", "cube of 2")

    @row("H09")
    def test_nobody_doubles_at_double_match_point(self):
        dmp = wins(live(wins(match(3), A, 2)), B, 2).next_game()
        assert (dmp.score, dmp.crawford, dmp.post_crawford) == ((2, 2), False, True)
        for player in Player:
            assert not may_double(match(3, (2, 2), on_roll=player))

    @row("H10")
    def test_a_drop_after_the_crawford_game_brings_no_other(self):
        crawford = match(5, (4, 0))
        assert crawford.crawford
        following = live(wins(crawford, B, 2), B)
        assert (following.score, following.crawford) == ((4, 2), False)
        dropped = following.double().drop()
        assert dropped.score == (4, 3)
        assert not live(dropped, B).crawford
        assert may_double(live(dropped, B))

    @row("H11")
    def test_a_cube_that_wins_the_match_is_dead_for_its_owner(self):
        first = match(2)
        assert may_double(first)
        owner = first.double().take().roll("31").play("8/5 6/5")
        refused(owner, "double", "Black", "dead", "0 points", "cube of 2")

    @row("H12")
    def test_a_match_to_two_has_a_crawford_game(self):
        assert wins(match(2), A, 1).next_game().crawford

    @row("H13")
    def test_a_dropped_redouble_can_lead_to_the_crawford_game(self):
        dropped = match(5, (2, 0), cube=Cube(2, A)).double().drop()
        assert dropped.score == (4, 0)
        assert dropped.next_game().crawford

    @row("H14")
    def test_the_score_is_not_capped(self):
        over = match(3, cube=Cube(2, B)).resign(Win.GAMMON, by=B).accept()
        assert (over.score, over.away, over.winner) == ((4, 0), (0, 3), A)

    @row("H15")
    def test_a_cube_above_the_length_is_dead_for_its_owner(self):
        offered = match(5, cube=Cube(4, A)).double()
        assert offered.offer.value == 8
        owner = offered.take().roll("31").play("8/5 6/5")
        refused(owner, "double", "Black", "dead", "0 points", "cube of 8")

    @row("H17")
    def test_without_the_crawford_rule_the_trailer_doubles_at_once(self):
        state = match(5, (4, 0), on_roll=B, rules=Rules(crawford=False))
        assert not state.crawford
        assert not state.post_crawford
        assert may_double(state)

    @row("H18")
    def test_a_state_at_one_away_is_the_crawford_game_unless_it_is_said(self):
        assert match(5, (4, 0)).crawford
        assert match(5, (0, 4)).crawford
        assert not match(5, (4, 0)).post_crawford
        assert match(5, (4, 0), crawford=False).post_crawford

    @row("H19")
    def test_no_crawford_game_where_both_are_one_away(self):
        state = match(5, (4, 4))
        assert not state.crawford
        assert state.post_crawford
        with wording.tells(MatchStateError, problems=MatchStateProblem.IMPOSSIBLE_CRAWFORD_GAME):
            match(5, (4, 4), crawford=True)

    @row("H21")
    def test_the_trailer_doubles_at_once_after_the_crawford_game(self):
        assert not [field.name for field in attrs.fields(Rules) if "holland" in field.name]
        assert may_double(live(wins(match(5, (4, 0)), B, 1), B))

    @row("H22")
    def test_nothing_follows_a_match_that_is_won(self):
        over = wins(match(3, (1, 0)), A, 2)
        assert over.winner is A
        refused(over, "next_game", "White", "match")
        refused(over, "double", "over")

    @row("H23")
    def test_money_play_has_no_end(self):
        state = live(wins(money(), M, 3))
        for _ in range(5):
            state = live(wins(state, M, 3))
        assert (state.score, state.crawford, state.winner, state.away) == ((18, 0), False, None, None)

    @loop.rows("how", "dropped", "resigned", "gammon", "played")
    @row("H24")
    def test_the_crawford_game_comes_whatever_led_to_one_away(self, how):
        if how == "dropped":
            over = match(5, (2, 0), cube=Cube(2, A)).double().drop()
        elif how == "resigned":
            over = match(5, (3, 0)).resign(by=B).accept()
        else:
            before, loser = ((2, 0), {6: 15}) if how == "gammon" else ((3, 0), {6: 14})
            over = bear_off_the_last(match(5, before, position=Position.of(mine={1: 1}, theirs=loser)))
        assert over.score == (4, 0)
        assert over.next_game().crawford

    @row("H25")
    def test_a_score_changed_in_mid_game_makes_no_crawford_game(self):
        running = match(5, (3, 3), on_roll=B)
        one_away = attrs.evolve(running, score=(4, 3))
        assert not one_away.crawford
        assert may_double(one_away)
        both = attrs.evolve(running, score=(4, 4))
        assert not both.crawford
        assert not wins(both, A, 1).crawford


class TestOpening:
    """Table I: the opening."""

    @row("I01")
    def test_the_starter_plays_the_opening_dice(self):
        started = match(5, on_roll=None).opening_roll(white=6, black=3)
        assert (started.on_roll, str(started.dice), started.phase) == (A, "63", Phase.TO_PLAY)
        refused(started, "roll", "dice", dice="31")

    @row("I02")
    def test_a_tie_is_thrown_again(self):
        new = MatchState.new(5)
        assert all(new.opening_roll(die, die) == new for die in range(1, 7))
        starts = {
            new.opening_roll(white, black).dice for white in range(1, 7) for black in range(1, 7) if white != black
        }
        assert len(starts) == 15

    @row("I03")
    def test_the_starter_rolls_anew_where_the_rules_say_so(self):
        started = MatchState.new(5, rules=Rules(opening="reroll")).opening_roll(white=2, black=6)
        assert (started.on_roll, started.dice, started.phase) == (B, None, Phase.TO_ROLL)
        assert started.roll("55").dice.is_doublet
        assert may_double(started)

    @row("I04")
    def test_a_later_game_opens_in_the_same_way_or_by_choice(self):
        over = wins(match(5), B, 1)
        again = over.next_game()
        assert (again.phase, again.to_act) == (Phase.OPENING, None)
        chosen = over.next_game(starter=over.result.winner)
        assert (chosen.phase, chosen.on_roll, chosen.position) == (Phase.TO_ROLL, B, Position.start())

    @row("I05")
    def test_the_start_is_the_same_for_both(self):
        start = Position.start()
        assert start.flip() == start
        assert (start.pip_count, start.opponent_pip_count) == (167, 167)
        assert MatchState.new(5).swap_players() == MatchState.new(5)


CLOSED = dict.fromkeys(range(1, 7), 2)


class TestValidPosition:
    """Table J: valid positions."""

    @pytest.mark.parametrize(
        ("mine", "theirs", "problem"),
        [
            pytest.param({6: 2}, {19: 2}, PositionProblem.SHARED_POINT, id="J01"),
            pytest.param({**CLOSED, "bar": 1}, {**CLOSED, "bar": 1}, PositionProblem.BOTH_SHUT_OUT, id="J02"),
            pytest.param({6: 16}, {6: 15}, PositionProblem.TOO_MANY_CHECKERS, id="J04-mine"),
            pytest.param({6: 15}, {6: 16}, PositionProblem.TOO_MANY_CHECKERS, id="J04-theirs"),
            pytest.param({6: -1}, {6: 15}, PositionProblem.NEGATIVE_COUNT, id="J04-negative"),
        ],
    )
    def test_impossible_positions_are_refused(self, mine, theirs, problem):
        with pytest.raises(PositionError) as caught:
            Position.of(mine=mine, theirs=theirs)
        assert problem in caught.value.problems

    @pytest.mark.parametrize(
        ("mine", "theirs", "off"),
        [
            pytest.param({13: 1, "bar": 1}, CLOSED, 13, id="J03"),
            pytest.param({13: 15}, {6: 15}, 0, id="J05"),
            pytest.param({6: 3, 5: 1}, {6: 15}, 11, id="J06"),
        ],
    )
    def test_unusual_positions_are_accepted(self, mine, theirs, off):
        position = Position.of(mine=mine, theirs=theirs)
        assert position.off == off
        assert money(position).legal_actions == {Action.ROLL, Action.DOUBLE, Action.RESIGN}
