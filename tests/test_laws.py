"""The laws of checker play, each proven over arbitrary valid positions.

Each class quotes, in our words, the rule that it proves. K1 to K11 number the laws of checker play: K1 to
K10 are the classes below, in that order; K11 is a table of counts over the first two turns and stands in test_facts.py.

The boards come from the strategies of the package: not only what a game can reach, but every board that is valid.
"""

from __future__ import annotations

from hypothesis import given, strategies as st

from boards import board_of, boards, closed_boards, finished_boards, position_of, rolls
from gammonrules import Dice, Position, strategies
from gammonrules.dice import ROLLS
from reference import BAR, OFF, flip, is_over, is_valid, pips, results, sequences, signed, steps

shut_out = strategies.positions(kind="shut-out")
any_positions = st.one_of(strategies.positions(), shut_out, shut_out.map(Position.flip))
any_boards = any_positions.map(board_of)


class TestBoards:
    """The strategies draw what they promise: valid boards of live games, translated without loss."""

    @given(any_boards)
    def test_are_valid_and_live(self, board):
        assert is_valid(board)
        assert not is_over(board)

    @given(boards(over=True) | finished_boards())
    def test_translate_both_ways(self, board):
        position = position_of(board)
        assert board_of(position) == board
        assert position.points == signed(board)
        assert position.checkers == sum(board[0])


class TestReference:
    """The legal plays are exactly those found by trying every order of the dice and every sequence of moves."""

    @given(any_boards, rolls())
    def test_results(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        assert sorted(play.position.points for play in plays) == sorted(
            signed(flip(after)) for after in results(board, dice)
        )

    @given(any_boards, rolls())
    def test_borne_off(self, board, dice):
        expected = results(board, dice)
        for play in position_of(board).legal_plays(dice):
            theirs, mine = board_of(play.position)
            assert (mine, theirs) in expected


class TestOrderOfPlays:
    """The order is that in which plays are found if the higher die is played first, then the lower one first.

    Each die from the rearmost checker on, the four of a doublet from sources that never go back. What has been found
    before is left out.
    """

    @given(any_boards, rolls())
    def test_order(self, board, dice):
        paths = sequences(board, (max(dice), min(dice)))
        if dice[0] == dice[1]:
            paths = {path: after for path, after in paths.items() if list(path) == sorted(path, reverse=True)}
        plays = position_of(board).legal_plays(dice)
        assert [board_of(play.position.flip()) for play in plays] == list(dict.fromkeys(paths.values()))


class TestDiceInEitherOrder:
    """K1. The two numbers of a roll may be played in either order: how the dice fell makes no difference."""

    @given(strategies.positions(), rolls())
    def test_law(self, position, dice):
        first, second = dice
        plays, others = position.legal_plays((first, second)), position.legal_plays((second, first))
        assert list(plays) == list(others)
        assert [str(play) for play in plays] == [str(play) for play in others]


class TestAsManyDiceAsPossible:
    """K2. As many numbers must be played as can be, so every play of a roll uses equally many; one that ends the game
    may use fewer, since what is left of the roll is then void.
    """

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        plays = position.legal_plays(dice)
        most = max(len(play.moves) for play in plays)
        assert all(len(play.moves) == most or play.position.outcome is not None for play in plays)
        assert most <= (4 if dice[0] == dice[1] else 2)


class TestHigherDie:
    """K3. If only one of two numbers can be played, it is the higher one whenever that can be played at all."""

    @given(any_boards, rolls())
    def test_law(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        by_higher = {(step.start, step.end) for step, _ in steps(board, max(dice))}
        if dice[0] != dice[1] and by_higher and all(len(play.moves) == 1 for play in plays):
            assert all((play.moves[0].from_point, play.moves[0].to_point) in by_higher for play in plays)


class TestCheckersStay:
    """K4. No checker appears or is lost: points, bar and off together hold as many as the game began with."""

    @given(any_boards, rolls())
    def test_law(self, board, dice):
        size = sum(board[0])
        for play in position_of(board).legal_plays(dice):
            after = play.position
            assert after.checkers == size
            assert after.off + sum(count for count in after.points if count > 0) == size
            assert after.opponent_off - sum(count for count in after.points if count < 0) == size


class TestMoverPips:
    """K5. A play brings the mover nearer by the numbers used, or by less only where a checker is borne off from a
    point below the number rolled.
    """

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        for play in position.legal_plays(dice):
            travelled = sum(move.from_point - move.to_point for move in play.moves)
            assert position.pip_count - play.position.opponent_pip_count == travelled
            distances = [move.from_point - move.to_point for move in play.moves]
            bears_off = [move.to_point == OFF for move in play.moves]
            assert _fits(distances, bears_off, Dice.of(dice))


def _fits(distances: list[int], bears_off: list[bool], dice: Dice) -> bool:
    """Whether each distance can be given a number of the roll of its own."""
    numbers = [dice.high] * 4 if dice.is_doublet else list(dice)
    orders = [numbers] if dice.is_doublet else [numbers, numbers[::-1]]
    # one move of a mixed roll may use either number, so try both orders
    return len(distances) <= len(numbers) and any(
        all(
            distance == number or (off and distance < number)
            for distance, off, number in zip(distances, bears_off, order, strict=False)
        )
        for order in orders
    )


class TestOpponentPips:
    """K6. A hit checker starts again from the bar: on the mover's point p it had 25 - p pips to go, now it has 25."""

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        for play in position.legal_plays(dice):
            lost = sum(move.to_point for move in play.moves if move.hit)
            assert play.position.pip_count - position.opponent_pip_count == lost

    @given(any_positions, rolls())
    def test_stars_are_hits(self, position, dice):
        for play in position.legal_plays(dice):
            hits = sum(move.hit for move in play.moves)
            assert play.position.points[BAR] == -position.points[0] + hits
            assert str(play).count("*") <= hits
            assert ("*" in str(play)) == (hits > 0)


class TestBarFirst:
    """K7. While a player has a checker on the bar, none of their other checkers may move."""

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        for play in position.legal_plays(dice):
            waiting = position.points[BAR]
            for move in play.moves:
                assert waiting == 0 or move.from_point == BAR
                waiting -= move.from_point == BAR
            assert waiting == -play.position.points[0]
            if waiting:
                assert all(move.from_point == BAR for move in play.moves)


class TestFlip:
    """K8. The board seen from across the table, seen from across the table, is the board."""

    @given(any_boards)
    def test_law(self, board):
        position = position_of(board)
        assert position.flip().flip() == position
        assert position.flip() == position_of(flip(board))

    @given(any_boards)
    def test_both_sides_change_places(self, board):
        position = position_of(board)
        other = position.flip()
        assert other.points == tuple(-count for count in reversed(position.points))
        assert (other.off, other.opponent_off) == (position.opponent_off, position.off)
        assert (other.pip_count, other.opponent_pip_count) == (position.opponent_pip_count, position.pip_count)
        assert (position.pip_count, position.opponent_pip_count) == (pips(board[0]), pips(board[1]))
        assert other.is_race == position.is_race


class TestDistinctResults:
    """K9. A play is known by the position that it leads to: no two plays of a roll lead to the same one."""

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        plays = position.legal_plays(dice)
        assert len({play.position for play in plays}) == len(plays) == len(set(plays)) == len(list(plays))
        assert len({str(play) for play in plays}) == len(plays)


class TestEveryTurnHasAPlay:
    """K10. A player who cannot move passes, which is a play without moves; only a finished game has no plays."""

    @given(any_boards, rolls())
    def test_law(self, board, dice):
        position = position_of(board)
        plays = position.legal_plays(dice)
        assert len(plays) >= 1
        can_move = any(True for die in dice for _ in steps(board, die))
        if can_move:
            assert all(play.moves for play in plays)
        else:
            (play,) = plays
            assert play.moves == ()
            assert play.position == position.flip()

    @given(finished_boards(), st.sampled_from(ROLLS))
    def test_finished_game(self, board, roll):
        assert len(position_of(board).legal_plays(roll)) == 0

    @given(closed_boards(), st.sampled_from(ROLLS))
    def test_closed_board(self, board, roll):
        """A player on the bar against six made points passes with every roll."""
        (play,) = position_of(board).legal_plays(roll)
        assert play.moves == ()


class TestGameGoesOn:
    """After a play the opponent is on roll, in a position as valid as any; the game is over when the mover's last
    checker is off, and not before.
    """

    @given(any_positions, rolls())
    def test_law(self, position, dice):
        for play in position.legal_plays(dice):
            after = play.position
            assert after == Position.from_points(after.points, checkers=after.checkers)
            assert (after.outcome is not None) == (after.opponent_off == after.checkers)
