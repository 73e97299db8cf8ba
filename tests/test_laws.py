"""The laws of checker play, each proven over arbitrary valid positions, for every generator.

Each class quotes, in our words, the rule that it proves. K1 to K11 number the laws of checker play: K1 to
K10 are the classes below, in that order; K11 is a table of counts over the first two turns and stands in test_facts.py.

The boards come from the strategies of the package: not only what a game can reach, but every board that is valid; and
from those of boards.py, where a rule decides what can be played. `holds` and `bites` say how often it does, in percent
of the examples: see proving.py.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

from hypothesis import given, strategies as st

import loop
from boards import (
    board_of,
    boards,
    closed_boards,
    finished_boards,
    position_of,
    tight_turns,
    turns,
    wasteful_turns,
    wide_turns,
)
from gammonrules import Dice, Position, strategies
from move_generators import EVERY_GENERATOR, using
from proving import counted, law, without
from reference import (
    BAR,
    OFF,
    RULES,
    endings,
    flip,
    is_over,
    is_shut_out,
    is_valid,
    numbers_played,
    orders,
    pips,
    results,
    sequences,
    shortcuts,
    signed,
    steps,
)

boards_on_the_bar = strategies.positions(kind="bar").map(board_of)
shut_out = strategies.positions(kind="shut-out")
any_boards = st.one_of(strategies.positions(), shut_out, shut_out.map(Position.flip)).map(board_of)
any_turns = turns(any_boards) | tight_turns()
mixed_rolls = st.permutations(range(1, 7)).map(lambda faces: (faces[0], faces[1]))
# few checkers, often one alone, can move by either number and then not by the other: outside, and from the bar
choices = st.one_of(
    tight_turns(places=places, most=most, primed=primed, near=(0, 1, 0, 2), far=(2, 2, 0), dice=mixed_rolls)
    for places, most, primed in ((range(8, 25), 2, False), (range(8, 18), 1, True), ([BAR], 1, False))
)
entries = tight_turns(besides=[BAR], most=2) | tight_turns(besides=[BAR, BAR], most=2)
bear_offs = tight_turns(places=range(1, 7))
stragglers = tight_turns(places=range(1, 7), besides=[7]) | tight_turns(places=range(1, 7), besides=[BAR])
ends = tight_turns(places=range(1, 7), most=2, near=[0], far=[0])
dances = tight_turns(near=(2, 2, 2, 0)) | turns(closed_boards())
fights, mixed_fights = (
    tight_turns(places=range(7, 19), near=(1, 1, 0, 2), far=(1, 0, 2), dice=dice) for dice in (None, mixed_rolls)
)
open_turns = st.one_of(
    turns(boards()),
    tight_turns(near=(0, 0, 1, 2), far=(0, 0, 1, 2)),
    tight_turns(besides=[BAR], most=1, near=(0, 0, 1), far=(0, 0, 2)),
)


def free_again(board):
    """A shut-out side, free again: the bar holds no checker, or one of the six points a single one."""
    mine, theirs = board
    yield (mine[OFF] + mine[BAR], *mine[1:BAR], 0), theirs
    for point in range(1, 7):
        opened = list(theirs)
        opened[OFF] += opened[point] - 1
        opened[point] = 1
        yield mine, tuple(opened)


def is_mixed(turn):
    return turn[1][0] != turn[1][1]


def plays_one_of_two(turn):
    return is_mixed(turn) and numbers_played(*turn) == 1


def can_move(turn):
    return numbers_played(*turn) > 0


def cannot_move(turn):
    return not can_move(turn)


def can_enter(board):
    return board[0][BAR] > 0 and any(True for die in range(1, 7) for _ in steps(board, die))


def has_no_mirror(board):
    return flip(board) != board


class TestBoards:
    """The boards of the brute force are positions of the package, translated without loss."""

    @counted(boards(over=True) | finished_boards(), holds=(is_over, 42), bites=(has_no_mirror, 90))
    def test_translate_both_ways(self, board):
        position = position_of(board)
        assert board_of(position) == board
        assert position.points == signed(board)
        assert position.checkers == sum(board[0])


class TestReference:
    """The legal plays are exactly those found by trying every order of the dice and every sequence of moves."""

    @law(
        any_turns | fights | choices | entries | bear_offs | stragglers,
        holds=(can_move, 75),
        bites=(without(*RULES), 94),
    )
    def test_results(self, plays, board, dice):
        assert sorted(board_of(play.position.flip()) for play in plays) == sorted(results(board, dice))

    @law(wide_turns(), holds=(lambda turn: len(results(*turn)) > 64, 63), bites=(without("doublets"), 70))
    def test_many_results(self, plays, board, dice):
        """Not one of them is missing, however many there are."""
        assert {play.position.points for play in plays} == {signed(flip(after)) for after in results(board, dice)}
        assert len(plays) == len(results(board, dice))

    @loop.rows(
        ("blots", "dice", "count"),
        ([3, 4, 6, 7, 9, 10, 12, 14, 15, 17, 18, 20, 21, 23, 24], (1, 1), 2226),
        ([4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 19, 20, 22, 23, 24], (3, 1), 210),
    )
    def test_most_results(self, blots, dice, count):
        """The largest numbers known of a doublet and of any other roll."""
        position = Position.of(mine=dict.fromkeys(blots, 1), theirs={"bar": 15})
        expected = {signed(flip(after)) for after in results(board_of(position), dice)}
        for generator in EVERY_GENERATOR:
            with using(generator):
                reached = [play.position.points for play in position.legal_plays(dice)]
            assert len(reached) == count
            assert set(reached) == expected


@lru_cache(maxsize=100)
def _in_order(board, dice):
    """The results in the order in which they are found, played from the rear."""
    paths = sequences(board, dice)
    return tuple(
        dict.fromkeys(
            after for path, after in paths.items() if dice[0] != dice[1] or list(path) == sorted(path, reverse=True)
        )
    )


class TestOrderOfPlays:
    """The order is that in which plays are found if the higher die is played first, then the lower one first.

    Each die from the rearmost checker on, the four of a doublet from sources that never go back. What has been found
    before is left out.
    """

    @law(
        open_turns,
        holds=(lambda turn: len(results(*turn)) > 1, 58),
        bites=(lambda turn: len({_in_order(turn[0], dice) for dice in permutations(turn[1])}) == 2, 29),
    )
    def test_order(self, plays, board, dice):
        assert [board_of(play.position.flip()) for play in plays] == list(_in_order(board, (max(dice), min(dice))))


class TestDiceInEitherOrder:
    """K1. The two numbers of a roll may be played in either order: how the dice fell makes no difference."""

    @law(mixed_fights, holds=(lambda turn: numbers_played(*turn) == 2, 89), bites=(without("either order"), 58))
    def test_law(self, plays, board, dice):
        others = plays.position.legal_plays(dice[::-1])
        assert list(plays) == list(others)
        assert [str(play) for play in plays] == [str(play) for play in others]
        reached = {board_of(play.position.flip()) for play in plays}
        for first, second in orders(dice):
            assert reached >= {after for _, between in steps(board, first) for _, after in steps(between, second)}


class TestAsManyDiceAsPossible:
    """K2. As many numbers must be played as can be, so every play of a roll uses equally many; one that ends the game
    may use fewer, since what is left of the roll is then void.
    """

    @law(any_turns | choices | entries, holds=(can_move, 75), bites=(without("as many as possible", "doublets"), 42))
    def test_law(self, plays, board, dice):
        most = numbers_played(board, dice)
        used = [len(play.moves) for play in plays if play.position.outcome is None]
        assert used == [most] * len(used)
        assert all(len(play.moves) <= most for play in plays)

    @law(wasteful_turns(), holds=(can_move, 100), bites=(lambda turn: shortcuts(*turn) != {}, 54))
    def test_every_order(self, plays, board, dice):
        """So does every order that is offered, even if one number alone leads to the same position as both."""
        legal = {tuple((step.start, step.end) for step in path) for path in endings(board, dice)}
        assert set(_orders(plays.tree().nodes)) == legal
        assert {tuple((move.from_point, move.to_point) for move in play.moves) for play in plays} <= legal
        for path, after in shortcuts(board, dice).items():
            play = plays.find([step[:2] for step in path])
            assert play == plays.find(str(play)) == plays.find(play.moves) == plays.find(position_of(flip(after)))


def _orders(nodes, number=0):
    """Every way through a tree."""
    if not nodes[number]:
        yield ()
    for source, target, _, after in nodes[number]:
        yield from (((source, target), *rest) for rest in _orders(nodes, after))


class TestHigherDie:
    """K3. If only one of two numbers can be played, it is the higher one whenever that can be played at all."""

    @law(choices, holds=(plays_one_of_two, 64), bites=(without("higher die"), 55))
    def test_law(self, plays, board, dice):
        if plays_one_of_two((board, dice)):
            by_higher, by_lower = ({after for _, after in steps(board, die)} for die in sorted(dice, reverse=True))
            assert {board_of(play.position.flip()) for play in plays} == (by_higher or by_lower)


class TestCheckersStay:
    """K4. No checker appears or is lost: points, bar and off together hold as many as the game began with."""

    @law(fights | bear_offs, holds=(can_move, 94), bites=(without("hits"), 60))
    def test_law(self, plays, board, dice):
        size = sum(board[0])
        for play in plays:
            after = play.position
            assert after.checkers == size
            assert after.off + sum(count for count in after.points if count > 0) == size
            assert after.opponent_off - sum(count for count in after.points if count < 0) == size


class TestMoverPips:
    """K5. A play brings the mover nearer by the numbers used, or by less only where a checker is borne off from a
    point below the number rolled.
    """

    @law(fights | bear_offs, holds=(can_move, 94), bites=(without("larger numbers"), 30))
    def test_law(self, plays, board, dice):
        for play in plays:
            travelled = sum(move.from_point - move.to_point for move in play.moves)
            assert pips(board[0]) - play.position.opponent_pip_count == travelled
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

    @law(fights | entries, holds=(can_move, 74), bites=(without("hits"), 54))
    def test_law(self, plays, board, dice):
        for play in plays:
            hits = [move.to_point for move in play.moves if move.hit]
            assert play.position.pip_count - pips(board[1]) == sum(hits)
            assert play.position.points[BAR] == board[1][BAR] + len(hits)
            assert all(board[1][25 - point] == 1 for point in hits)
            assert ("*" in str(play)) == (hits != [])


class TestBarFirst:
    """K7. While a player has a checker on the bar, none of their other checkers may move."""

    @law(entries, holds=(lambda turn: turn[0][0][BAR] > 0, 100), bites=(without("bar first"), 55))
    def test_law(self, plays, board, dice):
        for play in plays:
            waiting = board[0][BAR]
            for move in play.moves:
                assert waiting == 0 or move.from_point == BAR
                waiting -= move.from_point == BAR
            assert waiting == -play.position.points[0]


class TestFlip:
    """K8. The board seen from across the table, seen from across the table, is the board."""

    @counted(any_boards, holds=(is_valid, 100), bites=(has_no_mirror, 90))
    def test_law(self, board):
        position = position_of(board)
        assert position.flip().flip() == position
        assert position.flip() == position_of(flip(board))
        other = position.flip()
        assert other.points == tuple(-count for count in reversed(position.points))
        assert (other.off, other.opponent_off) == (position.opponent_off, position.off)
        assert (other.pip_count, other.opponent_pip_count) == (position.opponent_pip_count, position.pip_count)
        assert (position.pip_count, position.opponent_pip_count) == (pips(board[0]), pips(board[1]))
        assert other.is_race == position.is_race


class TestDistinctResults:
    """K9. A play is known by the position that it leads to: no two plays of a roll lead to the same one."""

    @law(
        open_turns,
        holds=(lambda turn: len(results(*turn)) > 1, 57),
        bites=(lambda turn: len(sequences(*turn)) > len(results(*turn)), 58),
    )
    def test_law(self, plays, board, dice):
        assert len({play.position for play in plays}) == len(plays) == len(set(plays)) == len(list(plays))
        assert len({str(play) for play in plays}) == len(plays)


class TestEveryTurnHasAPlay:
    """K10. A player who cannot move passes, which is a play without moves; only a finished game has no plays."""

    @law(dances, holds=(cannot_move, 77), bites=(without("blocked points"), 88))
    def test_law(self, plays, board, dice):
        """Above all on the bar against six made points."""
        if can_move((board, dice)):
            assert not any(play.is_dance for play in plays)
            assert all(play.moves for play in plays)
        else:
            (play,) = plays
            assert (play.is_dance, play.moves, play.position) == (True, (), plays.position.flip())
        assert len(plays) >= 1

    @law(
        turns(finished_boards()),
        holds=(lambda turn: is_over(turn[0]), 100),
        bites=(lambda turn: any(True for die in turn[1] for _ in steps(turn[0], die)), 45),
    )
    def test_finished_game(self, plays, board, dice):
        assert len(plays) == 0


class TestShutOut:
    """Who is on the bar while the opponent holds all six points of their home board is shut out: no number enters a
    checker. Against any other board some number does.
    """

    @given(boards(over=True) | boards_on_the_bar | closed_boards())
    def test_law(self, board):
        must_pass = board[0][BAR] > 0 and not can_enter(board)
        assert position_of(board).is_shut_out == is_shut_out(board) == must_pass

    @given(closed_boards())
    def test_each_point_counts(self, board):
        assert position_of(board).is_shut_out
        assert [freed for freed in free_again(board) if position_of(freed).is_shut_out] == []


class TestBlockedPoints:
    """A checker may not land on a point with two or more opposing checkers."""

    @law(any_turns, holds=(can_move, 72), bites=(without("blocked points"), 48))
    def test_law(self, plays, board, dice):
        opposing = {point: board[1][25 - point] for point in range(1, 25)} | {OFF: 0}
        assert all(opposing[move.to_point] <= 1 for play in plays for move in play.moves)


class TestBearingOff:
    """Checkers are borne off only while all are in the home board: from the point of the number rolled, or from the
    highest point if that is lower. A die that reaches the highest point bears off.
    """

    @law(
        bear_offs | stragglers, holds=(can_move, 80), bites=(without("all home", "highest point", "larger numbers"), 60)
    )
    def test_law(self, plays, board, dice):
        must = max(dice) >= max(place for place in range(1, 26) if board[0][place])
        for play in plays:
            assert not must or any(move.to_point == OFF for move in play.moves)
            mine = list(board[0])
            for move in play.moves:
                if move.to_point == OFF:
                    highest = max(place for place in range(26) if mine[place])
                    assert highest <= 6
                    assert move.from_point in dice or (move.from_point == highest < max(dice))
                mine[move.from_point] -= 1
                mine[move.to_point] += 1


class TestGameGoesOn:
    """After a play the opponent is on roll, in a position as valid as any; the game is over when the mover's last
    checker is off, and not before.
    """

    @law(
        turns(boards()) | bear_offs | ends,
        holds=(can_move, 91),
        bites=(lambda turn: any(map(is_over, results(*turn))), 22),
    )
    def test_law(self, plays, board, dice):
        for play in plays:
            after = play.position
            assert after == Position.from_points(after.points, checkers=after.checkers)
            assert (after.outcome is not None) == (after.opponent_off == after.checkers)
