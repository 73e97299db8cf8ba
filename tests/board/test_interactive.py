"""A turn built checker by checker: what a user interface may offer, and when the turn may end."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable
from itertools import count

import pytest
from hypothesis import given, strategies as st

import loop
import reference
import wording
from boards import board_of, boards, closed_boards, position_of, rolls, wasteful_turns
from gammonrules import ArgumentError, Position
from gammonrules.board import AmbiguousPlayError, IllegalPlayError, IllegalPlayReason, Move, Plays, TurnTree
from move_generators import GENERATORS, packed
from reference import Board, Step, endings, sequences, signed, steps

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


def questions(plays: Plays) -> list[Callable[..., object]]:
    """What can be asked about moves that have been made."""
    return [plays.next_moves, plays.is_complete, plays.points_after, plays.dice_left, plays.combined_moves]


class TestOffers:
    """Every path along the moves offered ends in a legal play, and every legal play lies at the end of such a path."""

    @given(any_boards, rolls(), st.data())
    def test_every_legal_sequence_can_be_walked(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        legal, possible = sequences(board, dice), endings(board, dice)
        path = data.draw(st.sampled_from(sorted(legal)))
        for length in range(len(path) + 1):
            so_far = path[:length]
            steps = offered(plays, so_far)
            assert steps == next_steps(possible, so_far)
            assert plays.is_complete(moves_of(so_far)) == (not steps) == (length == len(path))
            assert plays.points_after(moves_of(so_far)) == signed(after(board, so_far))
        assert board_of(plays.find(moves_of(path)).position.flip()) == legal[path]

    @given(any_boards, rolls(), st.data())
    def test_nothing_else_is_accepted(self, board, dice, data):
        """A move that no legal sequence begins or continues with is refused, with the rule that it breaks."""
        plays = position_of(board).legal_plays(dice)
        possible = endings(board, dice)
        path = data.draw(st.sampled_from(sorted(possible)))
        so_far = path[: data.draw(st.integers(0, len(path)))]
        wrong = data.draw(st.integers(1, 25)), data.draw(st.integers(0, 24))
        allowed = {(step.start, step.end) for step in next_steps(possible, so_far)}
        if wrong not in allowed:
            for ask in questions(plays):
                with pytest.raises(IllegalPlayError) as caught:
                    ask((*moves_of(so_far), wrong))
                assert isinstance(caught.value.reason, IllegalPlayReason)

    @given(any_boards, rolls())
    def test_nothing_made_so_far(self, board, dice):
        plays = position_of(board).legal_plays(dice)
        assert plays.points_after() == plays.points_after(()) == plays.points_after([]) == plays.position.points
        assert plays.is_complete() == (not plays.next_moves())
        assert plays.is_complete() == (not any(True for die in dice for _ in reference.steps(board, die)))


def used(board: Board, dice: tuple[int, int], so_far: tuple[Step, ...]) -> list[tuple[int, ...]]:
    """The dice that may have been used for these steps, if they are the beginning of a legal play."""
    legal, length = endings(board, dice), len(so_far)
    sequences = [sequence for order in reference.orders(dice) for sequence in reference._sequences(board, order)]
    return [numbers[:length] for numbers, path, _ in sequences if path[:length] == so_far and path in legal]


def runs(path: tuple[Step, ...]) -> list[tuple[Step, ...]]:
    """The beginnings of this path in which one checker goes on and on."""
    length = next((n for n in range(1, len(path)) if path[n - 1].end != path[n].start), len(path))
    return [path[: n + 1] for n in range(length)]


def badness(run: tuple[Step, ...]) -> tuple[int, int, list[int]]:
    """Hits on the way, then the number of moves, then the lower die first."""
    on_the_way = run[:-1]
    return sum(step.hits for step in on_the_way), len(run), [step.end - step.start for step in on_the_way]


class TestSeveralDice:
    """What is left to play, and what one checker can do with it, against every sequence of the brute force."""

    @given(any_boards, rolls(), st.data())
    def test_dice_left(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        path = data.draw(st.sampled_from(sorted(endings(board, dice))))
        so_far = path[: data.draw(st.integers(0, len(path)))]
        every = sorted(dice * 2 if dice[0] == dice[1] else dice, reverse=True)
        expected = []
        for numbers in used(board, dice, so_far):
            left = list(every)
            for number in numbers:
                left.remove(number)
            expected.append(tuple(left))
        over = not any(after(board, so_far)[0][1:])
        assert plays.dice_left(moves_of(so_far)) == (() if over else max(expected))
        assert len(plays.next_moves(moves_of(so_far))) == 0 or plays.dice_left(moves_of(so_far))

    @given(any_boards, rolls(), st.data())
    def test_combined_moves(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        possible = endings(board, dice)
        path = data.draw(st.sampled_from(sorted(possible)))
        so_far = path[: data.draw(st.integers(0, len(path)))]
        length = len(so_far)
        best = {}
        for other in possible:
            if len(other) > length and other[:length] == so_far:
                for run in runs(other[length:]):
                    way = run[0].start, run[-1].end
                    best[way] = min(run, best.get(way, run), key=badness)
        expected = tuple(moves_of(best[way]) for way in sorted(best, reverse=True))
        assert plays.combined_moves(moves_of(so_far)) == expected
        single = tuple(series[0] for series in expected if len(series) == 1)
        assert single == plays.next_moves(moves_of(so_far))

    @given(any_boards, rolls())
    def test_texts_mean_the_same(self, board, dice):
        """A combined move that is a whole play is what its text means, where the text means one play."""
        plays = position_of(board).legal_plays(dice)
        for series in plays.combined_moves():
            assert plays.next_moves(series) is not None
            if plays.is_complete(series):
                try:
                    play = plays.find(f"{series[0].from_point}/{series[-1].to_point}")
                except AmbiguousPlayError as error:
                    assert plays.find(series) in error.candidates
                else:
                    assert play == plays.find(series)

    def test_the_last_checker_leaves_no_dice(self):
        plays = Position.of(mine={2: 1}, theirs={1: 2}).legal_plays("64")
        assert plays.dice_left() == (6, 4)
        assert plays.dice_left([(2, 0)]) == ()
        assert Position.of(mine={}, theirs={6: 2}).legal_plays("64").dice_left() == ()
        assert Position.of(mine={6: 2}, theirs={}).legal_plays("64").dice_left() == ()


def walks(board: Board, tree: TurnTree) -> dict[tuple[tuple[int, int], ...], tuple[int, ...]]:
    """Every way through a tree, as moves, with the dice that it uses; each node is one board with some dice left."""
    stages: dict[int, tuple[Board, list[int]]] = {}
    reached, boards = {}, tree.boards

    def walk(
        node: int, board: Board, left: list[int], path: tuple[tuple[int, int], ...], dice: tuple[int, ...]
    ) -> None:
        assert stages.setdefault(node, (board, left)) == (board, left)
        mine, theirs = board
        on_points = [mine[point] - theirs[25 - point] for point in range(1, 25)]
        assert boards[node] == (-theirs[25], *on_points, mine[25])
        if not tree.nodes[node]:
            reached[path] = dice
        for source, target, die, following in tree.nodes[node]:
            step = Step(source, target, target > 0 and board[1][25 - target] == 1)
            rest = [*left]
            rest.remove(die)
            walk(following, after(board, [step]), rest, (*path, (source, target)), (*dice, die))

    high, low = tree.dice.high, tree.dice.low
    walk(0, board, [high, low] * (2 if high == low else 1), (), ())
    assert len({repr(stage) for stage in stages.values()}) == len(stages) == len(tree.nodes)
    return reached


class TestTree:
    @given(any_boards, rolls())
    def test_every_way_to_a_legal_play_and_no_other(self, board, dice):
        """Each with one choice of dice, the smaller first: where either bears a checker off, both lead on alike."""
        tree = position_of(board).legal_plays(dice).tree()
        legal, expected = endings(board, dice), {}
        for order in reference.orders(dice):
            for numbers, path, _ in reference._sequences(board, order):
                if path in legal:
                    pairs = tuple((step.start, step.end) for step in path)
                    expected[pairs] = min(numbers, expected.get(pairs, numbers))
        assert walks(board, tree) == expected
        for generator in GENERATORS:
            assert generator.turn_nodes(packed(board), *sorted(dice, reverse=True)) == tree.nodes
        for node in tree.nodes:
            assert sorted(node, key=lambda move: (-move[0], -move[2])) == list(node)

    @given(any_boards, rolls(), st.data())
    def test_moves_know_their_die(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        ways = walks(board, plays.tree())
        for play in list(plays)[:10]:
            assert [move.die for move in play.moves] == [*ways[tuple(map(pair, play.moves))]]
        for series in plays.combined_moves():
            assert all(plays.dice_left(series[:n]).count(move.die) for n, move in enumerate(series))
        assert Move(8, 5).die is None

    def test_as_a_value(self):
        plays = Position.start().legal_plays("33")
        tree = plays.tree()
        assert tree is plays.tree()
        again = pickle.loads(pickle.dumps(tree))
        start = Position.start()
        assert start.legal_plays((3, 3)).tree() == tree == again != start.legal_plays("31").tree()
        assert again.nodes == tree.nodes
        flat = [[number for move in node for number in move] for node in tree.nodes]
        data = {"points": [*plays.position.points], "dice": [3, 3], "nodes": flat}
        assert json.loads(tree.to_json()) == tree.data == data


def pair(move: Move) -> tuple[int, int]:
    return move.from_point, move.to_point


def is_true(error: IllegalPlayError, board: Board, left: tuple[int, ...], played: int) -> bool:
    """Whether what an error says is so, by its facts. In two moves of one checker it may speak of the second."""
    mine, theirs = board
    rule, move, point, count = error.reason, error.move, error.point, error.count
    sums = {sum(left[:number]) for number in range(1, len(left) + 1)} | {*left}
    if rule is IllegalPlayReason.DIE_NOT_ROLLED:
        return error.dice == left and (
            not left or not (error.pips in sums or (not move.to_point and error.pips < max(sums)))
        )
    return {
        IllegalPlayReason.GAME_OVER: lambda: reference.is_over(board),
        IllegalPlayReason.NO_SUCH_CHECKER: lambda: (
            mine[point] == 0 and count == (theirs[25 - point] if point < 25 else 0)
        ),
        IllegalPlayReason.MOVES_BACKWARD: lambda: move is None,
        IllegalPlayReason.BAR_FIRST: lambda: mine[25] > 0 and move.from_point < 25,
        IllegalPlayReason.BLOCKED_POINT: lambda: (
            theirs[25 - point] == count > 1 and point == move.from_point - move.die
        ),
        IllegalPlayReason.NOT_ALL_HOME: lambda: mine[point] > 0 and point > 6 and move.to_point == 0,
        IllegalPlayReason.HIGHER_CHECKER_FIRST: lambda: mine[point] > 0 and point > move.from_point < error.dice[0],
        IllegalPlayReason.BOTH_DICE: lambda: played == 0 and reference.numbers_played(board, left) == 2,
        IllegalPlayReason.HIGHER_DIE: lambda: (
            (played, error.dice, reference.numbers_played(board, left)) == (0, left[:1], 1)
        ),
    }[rule]()


class TestWhy:
    @given(st.one_of(st.tuples(any_boards, rolls()), wasteful_turns()), st.integers(-25, 25), st.data())
    def test_every_pair_of_points(self, turn, pips, data):
        """A reason for each that is not a combined move, or where one die would waste the other, and it is true."""
        board, dice = turn
        plays = position_of(board).legal_plays(dice)
        path = data.draw(st.sampled_from(sorted(endings(board, dice))))
        so_far = path[: data.draw(st.integers(0, len(path)))]
        made, now = moves_of(so_far), after(board, so_far)
        ways = {(series[0].from_point, series[-1].to_point) for series in plays.combined_moves(made)}
        left = tuple(plays.dice_left(made))
        if not made:
            first = {way[0][:2] for way in endings(board, dice) if way}
            ways -= {step[:2] for die in dice for step, _ in steps(board, die)} - first
        for source in range(26):
            for target in {min(max(source - number, 0), 25) for number in (*dice, sum(dice), 3 * dice[0], pips)}:
                error = plays.why(source, target, made)
                assert (error is None) == ((source, target) in ways)
                if error is not None:
                    assert is_true(error, now, left, len(made)), (source, target, error)
                    assert (error.reason is IllegalPlayReason.MOVES_BACKWARD) <= (target >= source)
                    wording.check(error, longest=100)
                    if error.witness is not None:  # in a wasteful turn, its moves: its text is what was tried
                        moves = " ".join(map(str, error.witness.moves))
                        assert str(error.witness) in str(error) or (target == 0 and moves in str(error))

    @loop.rows(
        ("mine", "theirs", "roll", "so_far", "way", "named"),
        ({24: 2, 13: 13}, {6: 2}, "65", [], (24, 19), ("24/19", "19 point", 2)),
        ({3: 1}, {23: 1}, "31", [], (3, 0), ("both dice can be played (3/2*/off)",)),
        ({24: 2, 13: 13}, {6: 2}, "65", [], (6, 3), ("6/3", "no checker on 6")),
        ({24: 2, 13: 13}, {6: 2}, "65", [], (13, 19), ("13/19", "forward")),
        ({24: 2, 13: 13}, {6: 2}, "65", [], (13, 10), ("3 pips", "65")),
        ({24: 2, 13: 13}, {6: 2}, "65", [(13, 7)], (13, 3), ("10 pips", "only the 5")),
        ({24: 2, 13: 13}, {6: 2}, "33", [(13, 10)] * 2, (24, 12), ("12 pips", "only two 3s are")),
        ({24: 2, 13: 13}, {6: 2}, "65", [(13, 7), (13, 8)], (13, 7), ("complete",)),
        ({24: 1, 8: 1, 1: 13}, {9: 2, 19: 2}, "62", [], (24, 18), ("both dice", "24/22 8/2", "only one")),
        ({2: 1}, {1: 2}, "64", [(2, 0)], (2, 0), ("over",)),
    )
    def test_sentences(self, mine, theirs, roll, so_far, way, named):
        wording.check(Position.of(mine=mine, theirs=theirs).legal_plays(roll).why(*way, so_far), *named, longest=100)

    @loop.rows("way", (24, 30), (-1, -1), (24.0, 18), (None, 18), ("24", 18), (True, 0))
    def test_no_points(self, way):
        with pytest.raises(ArgumentError):
            Position.start().legal_plays("65").why(*way)


class TestBareMoves:
    """Pairs and triples work as well as `Move`, wherever moves are taken."""

    @given(any_boards, rolls(), st.data())
    def test_every_play(self, board, dice, data):
        plays = position_of(board).legal_plays(dice)
        play = data.draw(st.sampled_from(list(plays)))
        pairs = [(move.from_point, move.to_point) for move in play.moves]
        rows = [list(pair) for pair in pairs] + [[-1, -1]] * (4 - len(pairs))
        triples = [(move.from_point, move.to_point, move.hit) for move in play.moves]
        for moves in (pairs, rows, triples, iter(pairs), tuple(map(tuple, rows))):
            assert plays.find(moves) == play
        for ask in questions(plays):
            assert ask(pairs) == ask(rows) == ask(triples) == ask(play.moves)

    def test_rows_of_a_batch(self):
        numpy = pytest.importorskip("numpy")
        plays = Position.start().legal_plays("31")
        row = numpy.array([[8, 5], [6, 5], [-1, -1], [-1, -1]], numpy.int8)
        assert plays.find(row) == plays.find("8/5 6/5")
        assert plays.is_complete(row)

    @loop.rows(
        ("moves", "reason"),
        ([(8, 5, True), (6, 5)], IllegalPlayReason.NOTHING_HIT),
        ([(5, 8)], IllegalPlayReason.MOVES_BACKWARD),  # as a text: it can be read, and is illegal
    )
    def test_no_play(self, moves, reason):
        for ask in (Position.start().legal_plays("31").find, Position.start().legal_plays("31").next_moves):
            with wording.tells(IllegalPlayError, reason=reason):
                ask(moves)

    def test_no_end(self):
        with pytest.raises(IllegalPlayError):
            Position.start().legal_plays("11").find((8, 7) for _ in count())


START = {24: 2, 13: 5, 8: 3, 6: 5}
RUNNER = {24: 1, 1: 14}
DANCER, CLOSED = {"bar": 1, 6: 14}, dict.fromkeys(range(1, 7), 2)


class TestExamples:
    @loop.rows(
        ("mine", "theirs", "roll", "so_far", "reason", "named"),
        (RUNNER, {9: 2}, "62", [(24, 22)], IllegalPlayReason.HIGHER_DIE, ["24/22"]),
        (
            {24: 1, 8: 1, 1: 13},
            {9: 2, 19: 2},
            "62",
            [(24, 18)],
            IllegalPlayReason.BOTH_DICE,
            ["24/18", "24/22 8/2"],
        ),  # B06
        (DANCER, CLOSED, "65", [(25, 19)], IllegalPlayReason.BLOCKED_POINT, ["bar/19"]),
        ({"bar": 1, 13: 1}, {24: 2}, "21", [(13, 12), (25, 23)], IllegalPlayReason.BAR_FIRST, ["13/12", "the bar"]),
        (START, START, "31", [(8, 5), (8, 5), (6, 5)], IllegalPlayReason.DIE_NOT_ROLLED, ['"8/5 8/5" with 31']),
        (
            RUNNER,
            {6: 2},
            "62",
            [(24, 16)],
            IllegalPlayReason.DIE_NOT_ROLLED,
            ["24/16"],
        ),  # a joined move is not a single one
        (START, START, "31", [(24, 21), (6, 5, True)], IllegalPlayReason.NOTHING_HIT, ['"6/5*" with 31', " 5,"]),
    )
    def test_refused(self, mine, theirs, roll, so_far, reason, named):
        """By every question, as pairs and as moves; the first move that cannot be is named."""
        plays = Position.of(mine=mine, theirs=theirs).legal_plays(roll)
        for ask in questions(plays):
            for moves in (so_far, [Move(*step[:2], hit=len(step) > 2) for step in so_far]):
                with wording.tells(IllegalPlayError, *named, reason=reason):
                    ask(moves)

    def test_one_die_does_what_both_do(self):
        """3/off leaves no 1; 3/2/off plays both dice and leads to the same position, so only that can be walked.

        A click from 3 to off means both moves, and what is read means the one play that leads there.
        """
        plays = Position.of(mine={3: 1, 2: 1}, theirs={24: 2, 1: 13}).legal_plays("31")
        moves = (Move(3, 2), Move(2, 0))
        assert plays.next_moves() == moves[:1]
        assert plays.next_moves(moves[:1]) == moves[1:]
        assert plays.combined_moves() == (moves[:1], moves)
        wording.check(plays.why(3, 0), "both dice can be played (3/2 2/off)")
        for ask in questions(plays):
            for so_far in ([(3, 0)], [(3, 0), (2, 1)]):
                with pytest.raises(IllegalPlayError) as caught:
                    ask(so_far)
                assert (caught.value.reason, caught.value.witness) == (IllegalPlayReason.BOTH_DICE, plays[0])
                wording.check(caught.value, "3/off", "3/2 2/off")
        for read in ("3/off", "3/2/off", "3/2 2/off", [(3, 0)], [(3, 2), (2, 0)], [(2, 0), (3, 2)], plays[0]):
            play = plays.find(read)
            assert (play, play.moves, str(play)) == (plays[0], moves, "3/off")
            assert [move.die for move in play.moves] == [1, 3]

    def test_an_order_that_cannot_be(self):
        """With 6-2, 4/2 and then 2/off is a play; but 2/off first takes the 2, and 4/2 is not a 6."""
        plays = Position.of(mine={4: 1, 2: 1, 1: 3}, theirs={1: 2}).legal_plays("62")
        assert plays.is_complete([Move(4, 2), Move(2, 0)])
        assert plays.find([Move(2, 0), Move(4, 2)]) == plays.find("4/2/off")
        with wording.tells(IllegalPlayError, reason=IllegalPlayReason.OTHER_ORDER):
            plays.is_complete([Move(2, 0), Move(4, 2)])
