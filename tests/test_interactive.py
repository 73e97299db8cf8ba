"""A turn built checker by checker: what a user interface may offer, and when the turn may end."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

import reference
from boards import board_of, boards, closed_boards, position_of, rolls
from gammonrules import Position
from gammonrules.board import BrokenRule, IllegalPlayError, Move, Plays
from reference import Board, Step, endings, sequences, signed

any_boards = st.one_of(boards(), boards(checkers=3), closed_boards())


def moves_of(path: Iterable[Step]) -> tuple[Move, ...]:
    return tuple(Move(step.start, step.end, hit=step.hits) for step in path)


def next_steps(paths: Iterable[tuple[Step, ...]], so_far: tuple[Step, ...]) -> set[Step]:
    """What follows `so_far` in these sequences."""
    length = len(so_far)
    return {path[length] for path in paths if len(path) > length and path[:length] == so_far}


def offered(plays: Plays, so_far: tuple[Step, ...]) -> set[Step]:
    moves = plays.next_moves(moves_of(so_far))
    assert isinstance(moves, tuple)
    assert len(set(moves)) == len(moves)
    return {Step(move.from_point, move.to_point, move.hit) for move in moves}


def after(board: Board, so_far: Iterable[Step]) -> Board:
    """The bare board after these steps."""
    mine, theirs = list(board[0]), list(board[1])
    for step in so_far:
        mine[step.start] -= 1
        mine[step.end] += 1
        if step.hits:
            theirs[25 - step.end] -= 1
            theirs[25] += 1
    return tuple(mine), tuple(theirs)


class TestOffers:
    """Every path along the moves offered ends in a legal play, and every legal play lies at the end of such a path."""

    @given(any_boards, rolls(), st.data())
    def test_every_legal_sequence_can_be_walked(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        legal, possible = sequences(board, dice), endings(board, dice)
        path = data.draw(st.sampled_from(sorted(legal)))
        for length in range(len(path) + 1):
            so_far = path[:length]
            found = offered(plays, so_far)
            assert next_steps(legal, so_far) <= found <= next_steps(possible, so_far)
            assert plays.complete(moves_of(so_far)) == (not found) == (length == len(path))
            assert plays.points_after(moves_of(so_far)) == signed(after(board, so_far))
        assert board_of(plays.find(moves_of(path)).position.flip()) == legal[path]

    @given(any_boards, rolls(), st.data())
    def test_every_walk_ends_in_a_legal_play(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        so_far: tuple[Move, ...] = ()
        while choices := plays.next_moves(so_far):
            assert not plays.complete(so_far)
            assert len(so_far) < 4
            so_far = (*so_far, data.draw(st.sampled_from(choices)))
        assert plays.complete(so_far)
        assert plays.points_after(so_far) in {signed(arrival) for arrival in reference.results(board, dice)}
        play = plays.find(so_far)
        assert tuple(-count for count in reversed(plays.points_after(so_far))) == play.position.points

    @given(boards(checkers=3) | boards(checkers=4), rolls())
    def test_all_walks_together_reach_every_play(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        reached, waiting = set(), [()]
        while waiting:
            so_far = waiting.pop()
            choices = plays.next_moves(so_far)
            waiting += [(*so_far, move) for move in choices]
            if not choices:
                reached.add(plays.points_after(so_far))
        assert reached == {signed(arrival) for arrival in reference.results(board, dice)}

    @given(any_boards, rolls(), st.data())
    def test_nothing_else_is_accepted(self, board, dice, data):
        """A move that no legal sequence begins or continues with is refused, with the rule that it breaks."""
        plays = position_of(board).legal_plays(dice)
        possible = endings(board, dice)
        path = data.draw(st.sampled_from(sorted(possible)))
        so_far = path[: data.draw(st.integers(0, len(path)))]
        wrong = Move(data.draw(st.integers(1, 25)), data.draw(st.integers(0, 24)), hit=False)
        allowed = {(step.start, step.end) for step in next_steps(possible, so_far)}
        if (wrong.from_point, wrong.to_point) not in allowed:
            for ask in (plays.next_moves, plays.complete, plays.points_after):
                with pytest.raises(IllegalPlayError) as caught:
                    ask((*moves_of(so_far), wrong))
                assert isinstance(caught.value.reason, BrokenRule)

    @given(any_boards, rolls())
    def test_nothing_made_so_far(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        assert plays.points_after() == plays.points_after(()) == plays.points_after([]) == plays.position.points
        assert plays.complete() == (not plays.next_moves())
        assert plays.complete() == (not any(True for die in dice for _ in reference.steps(board, die)))

    @given(any_boards, rolls())
    def test_canonical_moves_can_be_walked(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        for play in list(plays)[:10]:
            assert plays.complete(play.moves)
            for length, move in enumerate(play.moves):
                assert move in plays.next_moves(play.moves[:length])


class TestExamples:
    def test_the_regression_that_other_programs_met(self):
        """6-2: either 6 or 2 could be played first by itself, but only 24/22 8/2 uses both."""
        position = Position.from_points(
            [0, 0, 0, 0, -2, 0, 13, 0, 1, 0, 0, 0, 0, 0, 0, 0, -2, 0, -3, -4, -4, 0, 0, 0, 1, 0]
        )
        plays = position.legal_plays("62")
        assert [str(play) for play in plays] == ["24/22 8/2"]
        assert set(plays.next_moves()) == {Move(24, 22), Move(8, 2)}
        assert plays.next_moves([Move(24, 22)]) == (Move(8, 2),)
        assert plays.next_moves([Move(8, 2)]) == (Move(24, 22),)
        assert not plays.complete([Move(8, 2)])
        assert plays.complete([Move(8, 2), Move(24, 22)])

    def test_only_the_order_that_works_is_offered(self):
        """B01: the 6 can be played only after the 2."""
        plays = Position.of(mine={24: 1, 1: 14}, theirs={7: 2}).legal_plays("62")
        assert plays.next_moves() == (Move(24, 22),)
        assert plays.next_moves([Move(24, 22)]) == (Move(22, 16),)

    def test_only_the_higher_die_is_offered(self):
        """B02: either die could be played, not both."""
        plays = Position.of(mine={24: 1, 1: 14}, theirs={9: 2}).legal_plays("62")
        assert plays.next_moves() == (Move(24, 18),)
        assert plays.complete([Move(24, 18)])
        with pytest.raises(IllegalPlayError) as caught:
            plays.next_moves([Move(24, 22)])
        assert caught.value.reason == BrokenRule.HIGHER_DIE

    def test_a_move_that_wastes_the_other_die(self):
        """B06: the 6 with the runner would leave no 2."""
        plays = Position.of(mine={24: 1, 8: 1, 1: 13}, theirs={9: 2, 19: 2}).legal_plays("62")
        with pytest.raises(IllegalPlayError) as caught:
            plays.complete([Move(24, 18)])
        assert caught.value.reason == BrokenRule.BOTH_DICE
        assert str(caught.value.witness) == "24/22 8/2"

    def test_dance(self):
        plays = Position.of(mine={"bar": 1, 6: 14}, theirs=dict.fromkeys(range(1, 7), 2)).legal_plays("65")
        assert plays.next_moves() == ()
        assert plays.complete()
        assert plays.points_after() == plays.position.points
        with pytest.raises(IllegalPlayError) as caught:
            plays.complete([Move(25, 19)])
        assert caught.value.reason == BrokenRule.BLOCKED_POINT

    def test_the_last_checker_ends_the_turn(self):
        plays = Position.of(mine={2: 1}, theirs={1: 2}).legal_plays("21")
        assert plays.complete([Move(2, 1), Move(1, 0)])
        assert plays.points_after([Move(2, 1), Move(1, 0)])[2] == 0

    def test_a_finished_game(self):
        plays = Position.of(mine={}, theirs={6: 2}).legal_plays("21")
        assert plays.next_moves() == ()
        assert plays.points_after() == plays.position.points
        with pytest.raises(IllegalPlayError) as caught:
            plays.next_moves([Move(6, 5)])
        assert caught.value.reason == BrokenRule.GAME_OVER

    def test_too_many_moves(self):
        plays = Position.start().legal_plays("31")
        for ask in (plays.next_moves, plays.complete, plays.points_after):
            with pytest.raises(IllegalPlayError) as caught:
                ask([Move(8, 5), Move(6, 5), Move(6, 5)])
            assert caught.value.reason == BrokenRule.DIE_NOT_ROLLED

    def test_a_joined_move_is_not_a_single_one(self):
        plays = Position.of(mine={24: 1, 1: 14}, theirs={6: 2}).legal_plays("62")
        for ask in (plays.next_moves, plays.complete, plays.points_after):
            with pytest.raises(IllegalPlayError) as caught:
                ask([Move(24, 16)])
            assert caught.value.reason == BrokenRule.DIE_NOT_ROLLED

    def test_hits_show_on_the_board(self):
        plays = Position.of(mine={24: 1, 1: 14}, theirs={3: 1}).legal_plays("62")
        assert set(plays.next_moves()) == {Move(24, 18), Move(24, 22, hit=True)}
        board = plays.points_after([Move(24, 22, hit=True)])
        assert (board[0], board[22], board[24]) == (-1, 1, 0)

    def test_an_order_that_cannot_be(self):
        """With 6-2, 4/2 and then 2/off is a play; but 2/off first takes the 2, and 4/2 is not a 6."""
        plays = Position.of(mine={4: 1, 2: 1, 1: 3}, theirs={1: 2}).legal_plays("62")
        assert plays.complete([Move(4, 2), Move(2, 0)])
        assert plays.find([Move(2, 0), Move(4, 2)]) == plays.find("4/2/off")
        with pytest.raises(IllegalPlayError) as caught:
            plays.complete([Move(2, 0), Move(4, 2)])
        assert caught.value.reason == BrokenRule.OTHER_ORDER

    def test_a_star_where_nothing_is_hit(self):
        with pytest.raises(IllegalPlayError) as caught:
            Position.start().legal_plays("31").next_moves([Move(8, 5, hit=True)])
        assert caught.value.reason == BrokenRule.NOTHING_HIT

    @pytest.mark.parametrize("so_far", [None, 5, "8/5", [5], [(8, 5)], [None]])
    def test_wrong_types(self, so_far):
        plays = Position.start().legal_plays("31")
        for ask in (plays.next_moves, plays.complete, plays.points_after):
            with pytest.raises((IllegalPlayError, TypeError, ValueError)):
                ask(so_far)
