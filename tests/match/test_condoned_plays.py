"""Plays that stand: an illegal play that the opponent does not contest is a position set by hand, which ends the turn.

The Finnish text (39) and Philos (24) let the opponent accept a wrong move, or have it corrected until the next throw.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import attrs
import pytest
from hypothesis import assume, event, given, strategies as st

import loop
import reference
import suite
from boards import board_of, position_of, positions, tables
from gammonrules import json, strategies
from gammonrules.board import IllegalPlayError, Position, Win
from gammonrules.errors import IllegalActionError, MatchStateError, MatchStateProblem
from gammonrules.match import Action, Cube, End, MatchState, Phase, Player, Result, SetPosition
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, PORTES, Rules
from reference import BAR, OFF, Board

from table_model import Table  # isort: skip - suite says where it is

WHITE, BLACK = Player
Moves: TypeAlias = list[tuple[int, int]]
FALSE_PLAYS = st.lists(st.tuples(st.integers(1, BAR), st.integers(OFF, 24)), min_size=1, max_size=4)
"""Moves from anywhere to anywhere, whatever the dice."""


def played_falsely(board: Board, moves: Moves) -> Board:
    """The board after these moves, as who plays sees it; those that no hand can make are left out."""
    mine, theirs = list(board[0]), list(board[1])
    for start, end in moves:
        hits = end != OFF and theirs[25 - end] == 1
        is_blocked = end != OFF and theirs[25 - end] > 1
        if mine[start] and not is_blocked:
            mine[start] -= 1
            mine[end] += 1
            theirs[25 - end] -= hits
            theirs[BAR] += hits
    return tuple(mine), tuple(theirs)


def number(player: Player | None) -> int | None:
    return None if player is None else [*Player].index(player)


def by_model(state: MatchState, board: Position, on_roll: Player) -> Table:
    """A table of plain numbers on which the same board was set in the same game."""
    points = list((board if on_roll is WHITE else board.flip()).points)
    model = Table(state.length, attrs.asdict(state.rules), state.score_before, points, board.checkers)
    model.cube, model.owner = state.cube.value, number(state.cube.owner)
    model.set_by_hand(points, board.checkers, number(on_roll))
    return model


def says_the_same(state: MatchState, model: Table) -> bool:
    """Whether a state is what the model has."""
    result = state.result
    plain = None if result is None else (number(result.winner), result.win, result.points, result.end)
    score_and_turn = (state.score, state.phase, number(state.on_roll), number(state.to_act))
    return (plain, score_and_turn) == (model.result, (tuple(model.score), model.phase, model.turn, model.actor()))


class TestLaw:
    """After a play that stands it is the opponent's turn, the dice are gone, and a last checker has won."""

    @given(strategies.match_states(phase="to_play"), FALSE_PLAYS)
    def test_law(self, state: MatchState, moves: Moves) -> None:
        assert state.on_roll is not None
        after = played_falsely(board_of(state.position), moves)
        assume(reference.is_valid(after))
        mover, opponent = state.on_roll, state.on_roll.opponent
        stands = state.apply(SetPosition(position_of(reference.flip(after)), opponent))
        assert (stands.on_roll, stands.dice, stands.offer, stands.cube) == (opponent, None, None, state.cube)
        assert board_of(stands.view(mover)) == after
        assert (stands.length, stands.rules, stands.crawford) == (state.length, state.rules, state.crawford)
        for seat in Player:
            assert not {Action.PLAY, Action.ACCEPT, Action.TAKE} & stands.legal_actions_of(seat)
        if not any(after[0][1:]):
            event("the last checker")
            assert stands.result is not None
            assert (stands.result.winner, stands.result.end, stands.to_act) == (mover, End.PLAYED, None)
            assert stands.result.win <= reference.level(after[1])
        else:
            assert (stands.phase, stands.score, stands.to_act) == (Phase.TO_ROLL, state.score, opponent)
            assert stands.roll("31").on_roll is opponent
            with pytest.raises(IllegalActionError):
                stands.roll("31", by=mover)

    @given(tables(), positions(over=True), st.sampled_from(Player))
    def test_any_board_in_any_phase(self, state: MatchState, board: Position, named: Player) -> None:
        """Who is named does not matter once the game is over, and it ends once: set again, it counts once."""
        by_hand = SetPosition(board, named)
        after = state.apply(by_hand)
        canonical = state.canonical(by_hand)
        assert says_the_same(after, by_model(state, board, named))
        assert attrs.evolve(after) == after  # which checks everything
        assert state.apply(canonical) == after == after.apply(canonical)
        assert state.canonical(canonical) == canonical == SetPosition(after.position, after.on_roll, state.cube)
        assert json.loads(json.dumps(by_hand), SetPosition) == by_hand
        assert json.loads(json.dumps(after), MatchState) == after
        if board.outcome is not None:
            event("over")
            assert after.result is not None
            assert canonical.on_roll is after.result.winner.opponent
            assert state.apply(SetPosition(board.flip(), named.opponent)) == after


def state_in(fields: dict[str, Any]) -> MatchState:
    """The state of a case, whose fields are those of the JSON form, but for board and cube."""
    form = {name: value for name, value in fields.items() if name not in {"points", "checkers", "cube", "owner"}}
    form["position"] = {"points": fields["points"], "checkers": fields.get("checkers", 15)}
    form["cube"] = {"value": fields["cube"], "owner": fields["owner"]}
    return json.from_data({"version": json.VERSION, "type": "MatchState", **form}, MatchState)


class TestLastChecker:
    """It wins what the board says."""

    def test_as_gnu_backgammon_books_it(self) -> None:
        """The points and levels of the games that it ended, here with a board that was set instead of the last play."""
        cases: list[dict[str, Any]] = [case for case in suite.cases("table") if case.get("source") == "GNU Backgammon"]
        assert len(cases) == 60
        for case in cases:
            before = state_in(case["question"]["state"])
            over = state_in(case["answer"]["state"])
            assert over.result is not None
            for named in Player:
                assert before.apply(SetPosition(over.view(named), named)) == over

    @loop.rows(
        ("rules", "length", "cube", "loser", "win", "points"),
        (Rules(), 5, Cube(), {6: 14}, Win.SINGLE, 1),
        (Rules(), 5, Cube(2, BLACK), {6: 15}, Win.GAMMON, 4),
        (Rules(), 5, Cube(), {6: 14, "bar": 1}, Win.BACKGAMMON, 3),
        (MONEY, None, Cube(), {6: 15}, Win.SINGLE, 1),
        (MONEY, None, Cube(2, WHITE), {6: 15}, Win.GAMMON, 4),
        (PORTES, None, Cube(), {6: 14, 19: 1}, Win.GAMMON, 2),
        (BRETTSPIELWELT_SINGLE, None, Cube(), {6: 13}, Win.SINGLE, 78),
    )
    def test_the_level_that_counts(
        self, rules: Rules, length: int | None, cube: Cube, loser: dict[int | str, int], win: Win, points: int
    ) -> None:
        state = MatchState(Position.start(), WHITE, "31", cube=cube, length=length, rules=rules)
        board = Position.of(mine=loser, theirs={})
        over = state.apply(SetPosition(board, BLACK))
        assert over.result == Result(WHITE, win, points, End.PLAYED)
        assert (over.score, over.on_roll, over.position) == ((points, 0), BLACK, board)

    def test_with_the_cube_of_the_event(self) -> None:
        board, state = Position.of(mine={6: 14}, theirs={}), MatchState.new(7).opening_roll(3, 1)
        over = state.apply(SetPosition(board, BLACK, Cube(4, BLACK)))
        assert (over.score, over.cube) == ((4, 0), Cube(4, BLACK))

    def test_a_double_that_was_pending_does_not_count(self) -> None:
        doubled = MatchState(Position.start(), WHITE, length=7).double()
        board = Position.of(mine={6: 14}, theirs={})
        assert doubled.apply(SetPosition(board, BLACK)).score == (1, 0)

    def test_it_may_win_the_match_or_take_it_back(self) -> None:
        state = MatchState(Position.start(), WHITE, "31", length=3, score=(2, 2))
        white, black = (SetPosition(Position.of(mine={6: 14}, theirs={}), loser) for loser in (BLACK, WHITE))
        over = state.apply(white)
        assert (over.winner, over.legal_actions) == (WHITE, frozenset())
        assert over.apply(black).winner is BLACK
        assert over.apply(black).score == (2, 3)
        assert over.apply(SetPosition(Position.start(), WHITE)).score == (2, 2)


class TestNaively:
    """Replacing the board of a state is not how a play stands: it leaves the dice and the turn."""

    STATE = MatchState(Position.start(), WHITE, "31", length=5)
    AFTER = Position.of(mine={24: 2, 13: 5, 8: 2, 6: 5, 3: 1}, theirs={24: 2, 13: 5, 8: 3, 6: 5})
    """After 8/3, as White sees it."""

    def test_the_same_roll_would_be_played_again(self) -> None:
        with pytest.raises(IllegalPlayError):
            self.STATE.play("8/3")
        replaced = attrs.evolve(self.STATE, position=self.AFTER)
        assert (replaced.to_act, replaced.dice) == (WHITE, self.STATE.dice)
        stands = self.STATE.apply(SetPosition(self.AFTER.flip(), BLACK))
        assert (stands.to_act, stands.dice, stands.view(WHITE)) == (BLACK, None, self.AFTER)

    def test_nor_does_it_end_a_game(self) -> None:
        board = Position.of(mine={}, theirs={6: 15})
        with pytest.raises(MatchStateError):
            attrs.evolve(self.STATE, position=board)
        assert self.STATE.apply(SetPosition(board.flip(), BLACK)).score == (2, 0)

    def test_one_that_is_contested_is_corrected(self) -> None:
        """The state before it is still there, as long as nobody has rolled, and also in a log."""
        corrected = self.STATE.play("8/5 6/5")
        stands = self.STATE.apply(SetPosition(self.AFTER.flip(), BLACK))
        assert stands.apply(SetPosition(corrected.position, BLACK)) == corrected


class TestRefused:
    @loop.rows(
        ("cube", "problem"),
        (Cube(2, BLACK), MatchStateProblem.IMPOSSIBLE_CRAWFORD_GAME),
        (Cube(2), MatchStateProblem.IMPOSSIBLE_CUBE),
    )
    @loop.rows("board", Position.start(), Position.of(mine={6: 15}, theirs={}))
    def test_a_cube_that_the_match_does_not_allow(
        self, cube: Cube, problem: MatchStateProblem, board: Position
    ) -> None:
        state = MatchState(Position.start(), WHITE, "31", length=5, score=(4, 0))
        for take in (state.apply, state.canonical):
            with pytest.raises(MatchStateError) as caught:
                take(SetPosition(board, BLACK, cube))
            assert problem in caught.value.problems
