"""The kernel against the generator in Python and the brute force, and what it does with anything else it is given.

For many cases: `python -m pytest --cases 2000000 -n 2 tests/board/test_kernel.py`; and for all small boards,
with the option `--every-small-board`.
"""

from __future__ import annotations

import copy
import gc
import importlib.util
import os
import pickle
import random
import struct
import sys
import sysconfig
import weakref
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from hypothesis import given

import each
import gammonrules
import loop
import processes
from boards import boards, cases, positions, random_board
from gammonrules import Dice, MatchState, Position
from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import kernel_protocol, notation
from gammonrules.board.encoding import (
    BAR,
    SLOTS,
    board_of,
    flip,
    has_opposing,
    has_own,
    pack,
    pack_flipped,
    points_of,
    unpack,
    unpack_flipped,
)
from gammonrules.board.generator import SWITCH, compiled_kernel, pure
from gammonrules.board.possible_outcomes import outcomes_by_python, possible_outcomes
from integers import Count
from move_generators import (
    GENERATORS,
    ROLLS,
    check_generators,
    in_threads,
    kernel,
    moves_of,
    needs_kernel,
    packed,
    small_boards,
)

START = Position.start()._board
MEMORY = Path("/proc/self/statm")
WIDEST = Position.from_id("AAAA/3+UUlJKKQ")
"""The position with most plays that is known: 2,226 for 1-1."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One small board in 3989, or, if asked for, all of them in 50 tests."""
    if "small_portion" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-small-board")
        parts = [slice(start, None, 50) for start in range(50)] if every else [slice(0, None, 3989)]
        metafunc.parametrize("small_portion", parts, ids=[f"{part.start} of {part.step}" for part in parts])


@pytest.fixture(params=GENERATORS, ids=lambda module: module.__name__.rpartition(".")[2])
def generator(request: pytest.FixtureRequest) -> Any:
    return request.param


@needs_kernel
def test_facts_of_no_board():
    for board in (b"", bytes(25), bytes(27), bytearray(26), "", None, bytes([0, 16, *bytes(24)]), b"\x7f" * 26):
        with pytest.raises((TypeError, ValueError)):
            kernel.facts_of(board)


@needs_kernel
@given(positions())
def test_possible_outcomes(position):
    board = position._board
    levels = possible_outcomes(board, position.checkers)
    assert levels == outcomes_by_python(board, position.checkers)


@needs_kernel
def test_possible_outcomes_know_nothing_of_the_question_before():
    """They are found in memory that has the boards of other questions, with more plays or other numbers of checkers."""
    sides = [({5: 2}, {21: 2}), ({2: 1, 4: 1}, {22: 1, 13: 2}), ({1: 1, 2: 2, 5: 1}, {21: 1}), ({1: 2, 4: 1}, {23: 1})]
    sides += [({2: 1, 6: 1}, {20: 2}), ({1: 2, 3: 1, 8: 1}, {19: 1})]
    questions: list[tuple[bytes, int]] = []
    for mine, theirs in sides:
        fewest = max(sum(mine.values()), sum(theirs.values()))
        questions += [(Position.of(mine, theirs)._board, checkers) for checkers in (fewest, fewest + 2, 15)]
    answers = [outcomes_by_python(*question) for question in questions]
    for before in questions:
        for question, answer in zip(questions, answers, strict=True):
            possible_outcomes(*before)
            assert possible_outcomes(*question) == answer


@needs_kernel
@loop.rows("arguments", (), (START,), (START, None), (None, 15), (START, 15, 1), (START[:-1], 15), (START, 2.0))
def test_possible_outcomes_of_other_types(arguments):
    with pytest.raises(TypeError):
        kernel.possible_outcomes(*arguments)


@needs_kernel
@loop.rows(
    "arguments",
    (START, 0),
    (START, -1),
    (START, 14),
    (START, 16),
    (START, 1 << 70),
    (bytes(26), 15),
    (b"\x7f" * 26, 15),
)
def test_possible_outcomes_of_no_game(arguments):
    with pytest.raises((ValueError, OverflowError)):
        kernel.possible_outcomes(*arguments)


@given(boards(over=True))
def test_forms_of_a_board(board):
    it = packed(board)
    assert unpack(pack(it)) == it
    assert board_of(points_of(it)) == it
    assert flip(flip(it)) == it
    assert pack_flipped(it) == pack(flip(it))
    assert unpack_flipped(pack(it)) == flip(it)
    assert has_own(it) == (max(points_of(it)) > 0)
    assert has_opposing(it) == (min(points_of(it)) < 0)


class TestAgreement:
    """Generators and brute force find the same plays, and the generators in the same order.

    On boards of Hypothesis, test_laws.py proves it; here on large numbers of others.
    """

    def test_on_many(self, portion):
        for board, dice in cases(*portion):
            check_generators(board, dice)

    def test_moves(self, portion):
        """Of every result, and of boards that are not results."""
        rng = random.Random(2026)
        for board, dice in islice(cases(*portion), 0, None, 20):
            low, high = sorted(dice)
            results = list(pure.legal_plays(packed(board), high, low))
            assert len({generator.turn_nodes(packed(board), high, low) for generator in GENERATORS}) == 1, (board, dice)
            other = packed(random_board(rng))
            for after in (*results, *legal_plays_of_other_dice(packed(board), high, low), other, flip(packed(board))):
                answers = [generator.moves_to(packed(board), high, low, after) for generator in GENERATORS]
                assert (answers[0] is not None) >= (after in results), (board, dice, after)
                assert all(moves == answers[0] for moves in answers), (board, dice, after)
            if kernel is not None:
                for after in results:
                    turn = packed(board), high, low, after
                    assert kernel.text_to(*turn) == notation.plain_text_to(*turn), (board, dice, after)

    def test_small_boards(self, small_portion):
        for board in small_boards(small_portion.start, small_portion.step):
            for dice in ROLLS:
                check_generators(board, dice)

    def test_widest(self, generator):
        boards = generator.legal_plays(WIDEST._board, 1, 1)
        assert len(boards) == len(set(boards)) == 2226
        assert list(boards) == list(pure.legal_plays(WIDEST._board, 1, 1))


def legal_plays_of_other_dice(board: bytes, high: int, low: int) -> list[bytes]:
    """Boards that look much like results."""
    return [*pure.legal_plays(board, high, high), *pure.legal_plays(board, low, low)][:40]


kernel_in_use = pytest.mark.skipif(
    gammonrules.KERNEL != "c" or RECHECK, reason="the kernel does not read the points of positions"
)


class TestShortestLoops:
    """What runs once for each roll or result, before anything else does."""

    @pytest.mark.parametrize("board", [None, b"", START[:-1], START + b"\0", list(START)])
    @kernel_in_use
    def test_points_of_no_board(self, board):
        position = object.__new__(Position)
        with pytest.raises(TypeError, match="a board is 26 bytes, not None"):
            _ = position.points
        object.__setattr__(position, "_board", board)
        with pytest.raises(TypeError, match="a board is 26 bytes"):
            _ = position.points

    @kernel_in_use
    def test_points_belong_to_positions(self):
        points = vars(Position)["points"]
        assert Position.points is points
        assert points.__doc__.startswith("26 counts")
        with pytest.raises(AttributeError):
            object.__setattr__(Position.start(), "points", ())
        for other in (START, 1, Position):
            with pytest.raises(TypeError, match="is not a position"):
                points.__get__(other, type(other))
        for arguments in ((), (1, ""), (kernel.Maker(Position), ""), (kernel.Maker(Position, "_board"), 1)):
            with pytest.raises(TypeError):
                kernel.points_of(*arguments)

    @loop.over("high", range(1, 7))
    @loop.over("low", range(1, 7))
    def test_faces(self, generator, high, low):
        assert generator.faces_of((high, low)) == generator.faces_of(f"{high}{low}") == 10 * high + low

    @loop.rows(
        "dice",
        *("", "3", "07", "71", "3 ", " 1", "3-1", "311", "\u06631", "\ud8001", b"31", None, 31, 3.1),
        *((), (3,), (3, 1, 1), (0, 1), (1, 7), (-1, 1), (3, -1), (1 << 70, 1), (1, -(1 << 70))),
        *((True, 1), (3, True), (3.0, 1), (3, 1.0), ("3", "1"), ([3], 1), (3, None), (Count(3), Count(1))),
        *([3, 1], Dice(3, 1), type("Roll", (tuple,), {})((3, 1)), type("Text", (str,), {})("31")),
    )
    def test_other_faces(self, generator, dice):
        """Unusual values take another way."""
        assert generator.faces_of(dice) == 0


@needs_kernel
class TestMany:
    """The batch function finds what the single one does, with the moves of `Play.moves`."""

    def test_agrees(self, portion):
        some = list(islice(cases(*portion), 0, None, 20))
        points = b"".join(packed(board) for board, _ in some)
        offsets, boards, moves = read_batch(points, bytes(die for _, dice in some for die in dice))
        for index, (board, dice) in enumerate(some):
            results = boards[offsets[index] : offsets[index + 1]]
            assert results == list(pure.legal_plays(packed(board), max(dice), min(dice)))
            expected = [moves_of(packed(board), after, dice) for after in results]
            assert moves[offsets[index] : offsets[index + 1]] == expected, (board, dice)

    def test_nothing(self):
        assert read_batch(b"", b"") == ((0,), [], [])

    def test_more_than_was_expected(self):
        """A few narrow boards, then wide ones: memory grows on the way."""
        wide = WIDEST._board
        points = START * 100 + wide * 60
        offsets, boards, _ = read_batch(points, bytes([6, 6]) * 100 + bytes([1, 1]) * 60)
        assert boards[-2226:] == list(pure.legal_plays(wide, 1, 1))
        assert offsets[-1] == len(boards) == 100 * len(pure.legal_plays(START, 6, 6)) + 60 * 2226

    @loop.rows("kind", bytes, bytearray, memoryview)
    def test_any_contiguous_buffer(self, kind):
        assert read_batch(kind(START), kind(b"\x03\x01"))[0] == (0, 16)

    @loop.rows(
        ("points", "dice", "error", "message"),
        (START[:-1], b"\3\1", ValueError, "25 bytes of boards do not match 2 bytes of dice"),
        (START, b"\3\1\2", ValueError, "do not match"),
        (START, b"", ValueError, "do not match"),
        (START * 2, b"\3\1\0\1", ValueError, "case 1: a die shows"),
        (START * 2, b"\3\1\1\7", ValueError, "case 1: a die shows"),
        (START * 2, b"\3\1\1\xff", ValueError, "case 1: a die shows"),
        (START + b"\1" * 26, b"\3\1\3\1", ValueError, "case 1: not a board"),
        (b"\x80" * 26, b"\3\1", ValueError, "case 0: not a board"),
        ("text", b"\3\1", TypeError, "bytes-like"),
        (START, None, TypeError, "bytes-like"),
        (memoryview(START * 2)[::2], b"\3\1", BufferError, "contiguous"),
    )
    def test_refused(self, points, dice, error, message):
        with pytest.raises(error, match=message):
            kernel.legal_plays_of_many(points, dice)

    @loop.rows("arguments", (), (START,), (START, b"\3\1", 1))
    def test_wrong_number(self, arguments):
        with pytest.raises(TypeError, match="expected boards and dice"):
            kernel.legal_plays_of_many(*arguments)


def read_batch(points: Any, dice: Any) -> tuple[tuple[int, ...], list[bytes], list[tuple[int, ...]]]:
    """The three buffers of a batch as Python values."""
    offsets, boards, moves = map(bytes, kernel.legal_plays_of_many(points, dice))
    return (
        struct.unpack(f"{len(offsets) // 8}q", offsets),
        [boards[start : start + SLOTS] for start in range(0, len(boards), SLOTS)],
        list(struct.iter_unpack("8b", moves)),
    )


class TestFound:
    """What a generator returns is a sequence of boards."""

    def test_sequence(self, generator):
        plays = generator.legal_plays(START, 3, 1)
        boards = list(plays)
        assert len(plays) == len(boards) == 16
        assert [plays[index] for index in range(16)] == boards
        assert (plays[-1], plays[-16]) == (boards[15], boards[0])
        assert all(board in plays for board in boards)
        assert not any(other in plays for other in (START, START[:-1], b"", None, 7, bytearray(boards[0])))

    @pytest.mark.parametrize("index", [16, -17, 1 << 62])
    def test_no_such_index(self, generator, index):
        with pytest.raises(IndexError):
            generator.legal_plays(START, 3, 1)[index]

    @needs_kernel
    def test_is_not_made_by_hand(self):
        with pytest.raises(TypeError, match="cannot create"):
            kernel.Found()
        with pytest.raises(TypeError, match="immutable"):
            kernel.Found.rows = 1


class TestMaker:
    """Values are made without their constructors, by both generators alike."""

    def test_plays(self, generator):
        positions, plays = generator.Maker(Position, "_board", "checkers"), generator.Maker(type(a_play()), *FIELDS)
        before, dice = Position.start(), Dice(3, 1)
        made = list(generator.plays_of(generator.legal_plays(START, 3, 1), plays, positions, before, dice, 15))
        assert made == list(before.legal_plays(dice))
        assert {play.position.checkers for play in made} == {15}
        assert positions.make(START, 15) == before

    def test_many_fields(self, generator):
        """A `MatchState` has ten."""
        state = MatchState.new(5, score=(4, 2)).opening_roll(3, 1)
        names = [field.name for field in attrs.fields(MatchState)]
        made = generator.Maker(MatchState, *names).make(*(getattr(state, name) for name in names))
        assert made == state
        assert made is not state

    def test_rechecked(self):
        """With the switch, a value that whoever checks it would refuse or change is a fault of the library."""
        positions = kernel_protocol.RecheckedMaker(Position, "_board", "checkers")
        assert positions.make(START, 15) == Position.start()
        with pytest.raises(AssertionError, match=r"refused: impossible position: .* the game has 14"):
            positions.make(START, 14)
        pairs = kernel_protocol.RecheckedMaker(Dice, "high", "low")
        with pytest.raises(AssertionError, match=r"another: Dice\(high=1, low=3\)"):
            pairs.make(1, 3)

    @pytest.mark.parametrize("values", [(), (1,), (1, 2, 3)])
    def test_wrong_number_of_values(self, generator, values):
        with pytest.raises(TypeError):
            generator.Maker(Position, "_board", "checkers").make(*values)

    @needs_kernel
    @loop.rows(
        "arguments",
        (),
        (3,),
        (Position, *"abcdefghijk"),
        (int,),
        (str, "join"),
        (Position, "points"),
        (Position, "__init__"),
        (Position, 7),
        (type("Text", (str,), {"__slots__": ()}),),
        (type(lambda: 0), "__closure__"),
    )
    def test_refused(self, arguments):
        with pytest.raises((TypeError, AttributeError)):
            kernel.Maker(*arguments)
        with pytest.raises(AttributeError):
            kernel.Maker(Position, "castle")
        with pytest.raises(TypeError):
            kernel.Maker(Position, "_board", cls="checkers")

    @needs_kernel
    def test_slot_of_another_class(self):
        other = type("Other", (), {"__slots__": ("board",)})
        thief = type("Thief", (), {"__slots__": (), "board": other.board})
        with pytest.raises(TypeError, match="board"):
            kernel.Maker(thief, "board").make(1)

    @needs_kernel
    def test_is_not_found_while_it_is_made(self):
        """A class may run anything when it is asked for a slot."""
        seen = []

        class Curious(type):
            def __getattribute__(cls, name: str) -> Any:
                if name == "slot":
                    seen.extend(each for each in gc.get_objects() if type(each) is kernel.Maker)
                return super().__getattribute__(name)

        class Thing(metaclass=Curious):
            __slots__ = ("slot",)

        maker = kernel.Maker(Thing, "slot")
        assert not any(each is maker for each in seen)
        assert maker.make(3).slot == 3
        assert gc.is_tracked(maker)

    @needs_kernel
    @loop.over("wrong", range(6))
    def test_plays_of_anything_else(self, wrong):
        boards = kernel.legal_plays(START, 3, 1)
        positions, plays = kernel.Maker(Position, "_board", "checkers"), kernel.Maker(type(a_play()), *FIELDS)
        arguments = [boards, plays, positions, None, None, None]
        mistakes: list[list[Any]] = [
            [(), *arguments[1:]],
            [boards, positions, plays, *arguments[3:]],
            [boards, positions, positions, *arguments[3:]],
            [boards, plays, plays, *arguments[3:]],
            [boards, object(), object(), *arguments[3:]],
            arguments[:5],
        ]
        with pytest.raises(TypeError, match="expected"):
            kernel.plays_of(*mistakes[wrong])

    @needs_kernel
    @loop.over("place", range(3))
    def test_plays_in_plays(self, place):
        """A million, each in the next, would be a million calls deep when they go."""
        boards, parts = kernel.legal_plays(START, 3, 1), [None, None, None]
        parts[place] = kernel.plays_of(boards, *a_pair_of_makers(), *parts)
        with pytest.raises(TypeError, match="plays cannot contain plays"):
            kernel.plays_of(boards, *a_pair_of_makers(), *parts)


FIELDS = ("before", "dice", "position")


def a_play() -> Any:
    return Position.start().legal_plays("31")[0]


def a_pair_of_makers() -> tuple[Any, Any]:
    return kernel.Maker(type(a_play()), *FIELDS), kernel.Maker(Position, "_board", "checkers")


@needs_kernel
class TestArguments:
    """Whatever the kernel is given: an exception, or a right answer."""

    @loop.rows(
        "arguments", (), (START,), (START, 3), (START, 3, 1, 1), (None, 3, 1), (pack(START), 3, 1), ("x" * 26, 3, 1)
    )
    def test_wrong_types(self, arguments):
        with pytest.raises(TypeError, match=r"expected|a board is 26 bytes"):
            kernel.legal_plays(*arguments)
        with pytest.raises(TypeError):
            kernel.legal_plays(START, high=3, low=1)

    @loop.rows("die", 0, 7, -1, 1 << 40, -(1 << 200), 2.0, "2", None, b"\2")
    def test_no_dice(self, die):
        for dice in ((die, 1), (6, die)):
            with pytest.raises(ValueError, match="a die shows a whole number from 1 to 6"):
                kernel.legal_plays(START, *dice)

    @loop.rows("after", None, b"", START[:-1], START + b"\0", bytearray(START), 7)
    def test_no_board_after(self, after):
        for arguments in ((START, 3, 1, after), (START, 3, 1), (START, 3, 1, START, after)):
            with pytest.raises(TypeError, match="a board, two dice and the board after them"):
                kernel.moves_to(*arguments)
            with pytest.raises(TypeError, match="a board, two dice and the board after them"):
                kernel.text_to(*arguments)

    def test_text_of_no_result(self):
        with pytest.raises(ValueError, match="no moves of this roll lead to that board"):
            kernel.text_to(START, 3, 1, START)

    @loop.rows("arguments", (START, 7, 1), (START, 1, 3), (START[:-1], 3, 1), (b"\x80" * 26, 3, 1))
    def test_no_roll_of_a_board(self, arguments):
        with pytest.raises((TypeError, ValueError)):
            kernel.moves_to(*arguments, START)

    def test_smaller_die_first(self):
        with pytest.raises(ValueError, match="the larger die comes first, not 1 before 3"):
            kernel.legal_plays(START, 1, 3)

    @loop.rows(
        "counts", {6: 16}, {6: -16}, {6: 15, 5: 2}, {1: 127, 2: 127, 3: 127}, {6: -128}, {BAR: -1, 6: 1}, {0: 1, 6: -1}
    )
    def test_impossible_boards(self, counts):
        board = board_of([counts.get(slot, 0) for slot in range(SLOTS)])
        with pytest.raises(ValueError, match="not a board"):
            kernel.legal_plays(board, 3, 1)


@needs_kernel
class TestLife:
    """No leak, and no harm from threads, forks and other interpreters."""

    def test_no_leak(self):
        def work() -> None:
            for play in WIDEST.legal_plays("11"):
                assert play.position
            for board, dice in ((START, b"\3\1"), (b"\x80" * 26, b"\3\1"), (START, b"\0\1")):
                try:
                    kernel.legal_plays_of_many(board * 50, dice * 50)
                    kernel.moves_to(board, *dice, kernel.legal_plays(board, *dice)[0])
                    kernel.turn_nodes(board, *dice)
                    kernel.legal_plays(board, *dice)[99]
                except (ValueError, IndexError):
                    pass
            iter(WIDEST.legal_plays("11"))
            kernel.Maker(Position, "_board", "checkers").make(START, 15)

        def growth() -> int:
            gc.collect()
            before = sys.getallocatedblocks()
            for _ in range(10):
                work()
            gc.collect()
            return sys.getallocatedblocks() - before

        work()
        # A leak grows every time. What is kept for later does not: the numbers of coverage, and the names that a Maker
        # looks up, of which the cache of CPython takes some dozens.
        assert any(growth() < 10 for _ in range(40))

    @pytest.mark.skipif(not MEMORY.exists(), reason="needs Linux's /proc")
    def test_batches_give_their_memory_back(self):
        rng = random.Random(1)
        points = b"".join(packed(random_board(rng)) for _ in range(250)) * 20
        dice = bytes(rng.randint(1, 6) for _ in range(500)) * 20
        for _ in range(3):
            kernel.legal_plays_of_many(points, dice)
        wrong = points[: -2 * SLOTS] + bytes([99]) * SLOTS + points[-SLOTS:]

        def work() -> None:
            held = [kernel.legal_plays_of_many(points, dice) for _ in range(3)]
            with pytest.raises(ValueError, match=f"case {len(points) // SLOTS - 2}: not a board"):
                kernel.legal_plays_of_many(wrong, dice)
            assert len({bytes(boards) for _, boards, _ in held}) == 1

        for _ in range(3):
            work()
        before = pages()[1]
        for _ in range(20):
            work()
        assert pages()[1] - before < 4096  # 16 MB; one batch is 2 MB or more

    @pytest.mark.skipif(not MEMORY.exists(), reason="needs Linux's /proc")
    @pytest.mark.long
    def test_little_memory_is_kept(self):
        """No more than 88 MB in all; nothing without the GIL, where two threads could get the same memory."""
        program = """
from gammonrules import Position
from gammonrules.board import _kernel
def pages():
    return int(open("/proc/self/statm").read().split()[1])
board = Position.from_id("AAAA/3+UUlJKKQ")._board
_kernel.legal_plays_of_many(board * 10, b"\\1" * 20)
before = pages()
for number in (600, 1000, 2000):
    _kernel.legal_plays_of_many(board * number, b"\\1" * 2 * number)  # 35 MB of boards, 58 MB, 116 MB
    print((pages() - before) // 256)
"""
        run = processes.run(sys.executable, "-c", program)
        small, large, too_large = map(int, run.stdout.split())
        if not sysconfig.get_config_var("Py_GIL_DISABLED"):
            assert small in range(30, 60)
            assert large in range(60, 92)
        assert max(small, large, too_large) < 92

    def test_references_are_given_back(self):
        def work() -> None:
            _, boards, moves = kernel.legal_plays_of_many(START * 3000, b"\3\1" * 3000)
            del boards, moves
            list(Position.start().legal_plays("31"))
            with pytest.raises(ValueError, match="not a board"):
                kernel.legal_plays_of_many(b"\x7f" * SLOTS, b"\3\1")

        block = type(kernel.legal_plays_of_many(START, b"\3\1")[0])
        iterator = type(kernel.plays_of(kernel.legal_plays(START, 3, 1), *a_pair_of_makers(), 1, 2, 3))
        counted = [kernel, kernel.Found, kernel.Maker, block, iterator]
        work()
        before = [sys.getrefcount(each) for each in counted]
        for _ in range(10):
            work()
        assert [sys.getrefcount(each) for each in counted] == before

    @pytest.mark.skipif(not MEMORY.exists(), reason="needs Linux's /proc")
    def test_small_results_take_little(self):
        """Also after a large one, whose memory they could have reused."""
        kernel.legal_plays_of_many(WIDEST._board * 600, b"\1" * 1200)
        before = pages()[0]
        held = [kernel.legal_plays_of_many(START * 10, b"\3\1" * 10) for _ in range(300)]
        assert pages()[0] - before < 4096  # 16 MB of addresses
        assert len(held) == 300

    @pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is not limited so")
    @pytest.mark.skipif(
        "libasan" in os.environ.get("LD_PRELOAD", ""), reason="AddressSanitizer needs terabytes of addresses"
    )
    @pytest.mark.long
    def test_the_first_boards_are_not_like_the_rest(self):
        """500 of the widest, 50,000 with few plays: if all were so wide, 3 GB would be needed."""
        program = f"""
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from gammonrules.board import _kernel
boards = {WIDEST._board!r} * 500 + {START!r} * 50000
print(len(memoryview(_kernel.legal_plays_of_many(boards, bytes([1, 1]) * 50500)[1])))
"""
        number = 500 * 2226 + 50000 * len(Position.start().legal_plays("11"))
        assert processes.run(sys.executable, "-c", program).stdout == f"{SLOTS * number}\n"

    def test_a_result_outlives_its_batch(self):
        _, boards, _ = kernel.legal_plays_of_many(START, b"\3\1")
        view = memoryview(boards)
        del boards
        gc.collect()
        assert bytes(view[:SLOTS]) == pure.legal_plays(START, 3, 1)[0]
        view[0] = 7
        assert view[0] == 7

    def test_cycles_are_collected(self):
        def ring() -> weakref.ref[type]:
            class Local:
                __slots__ = ("me",)

            Local.maker = kernel.Maker(Local, "me")  # type: ignore[attr-defined]
            return weakref.ref(Local)

        local = ring()
        gc.collect()
        assert local() is None

    def test_threads(self):
        rng = random.Random(7)
        some = [(packed(random_board(rng)), *rng.choice(ROLLS)[::-1]) for _ in range(300)]
        points, dice = b"".join(case[0] for case in some) * 20, bytes(die for case in some for die in case[1:]) * 20
        expected = bytes(kernel.legal_plays_of_many(points, dice)[1])
        single = [list(pure.legal_plays(*case)) for case in some]
        wrong: list[object] = []

        def work() -> None:
            for _ in range(3):
                if bytes(kernel.legal_plays_of_many(points, dice)[1]) != expected:
                    wrong.append("batch")
                if [list(kernel.legal_plays(*case)) for case in some] != single:
                    wrong.append("single")

        in_threads(6, work)
        assert wrong == []

    def test_threads_share_an_iterator(self):
        plays, seen = WIDEST.legal_plays("11"), []
        shared = kernel.plays_of(kernel.legal_plays(WIDEST._board, 1, 1), *a_pair_of_makers(), WIDEST, Dice(1, 1), 15)
        in_threads(4, lambda: seen.extend(shared))
        assert len(seen) == 2226
        assert set(seen) == set(plays)

    def test_other_interpreters(self):
        program = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
task = '''
import gammonrules
from gammonrules.board import _kernel
plays = gammonrules.Position.start().legal_plays("31")
assert len(plays) == 16 and plays.find("8/5 6/5").position.pip_count == 167
print(gammonrules.KERNEL)
'''
exec(task)
for _ in range(2):
    other = interpreters.create()
    failed = interpreters.run_string(other, task)
    assert failed is None, failed
    interpreters.destroy(other)
exec(task)
"""
        done = processes.run(sys.executable, "-c", program)
        assert done.stdout.split() == [gammonrules.KERNEL] * 4


def pages() -> tuple[int, int]:
    """Pages of addresses, and of memory."""
    addresses, resident, *_ = map(int, MEMORY.read_text(encoding="ascii").split())
    return addresses, resident


class TestChoice:
    """Which generator is in use is decided at import, and can be asked."""

    @pytest.mark.parametrize(
        ("value", "pure_only"), [(None, False), ("", False), ("0", False), ("1", True), ("yes", True)]
    )
    def test_switch(self, monkeypatch, value, pure_only):
        monkeypatch.delenv(SWITCH, raising=False)
        if value is not None:
            monkeypatch.setenv(SWITCH, value)
        assert compiled_kernel() is (None if pure_only else kernel)

    def test_not_built(self, monkeypatch):
        monkeypatch.delenv(SWITCH, raising=False)
        monkeypatch.setattr(importlib, "import_module", lambda name: exec(f"raise ModuleNotFoundError({name!r})"))
        assert compiled_kernel() is None

    def test_cannot_be_loaded(self, monkeypatch):
        """A file that is not a kernel, or not for this machine: Python does the work, and `KERNEL` says so."""
        monkeypatch.delenv(SWITCH, raising=False)
        refuse = "raise ImportError('gammonrules.board._kernel: too short')"
        monkeypatch.setattr(importlib, "import_module", lambda _: exec(refuse))
        with pytest.warns(RuntimeWarning, match=r"cannot be loaded: .*_kernel: too short \(GAMMONRULES_PURE_PYTHON=1"):
            assert compiled_kernel() is None

    @pytest.mark.parametrize("older", [{}, {"INTERFACE": 0}], ids=["before there was a number", "another number"])
    def test_built_from_other_sources(self, monkeypatch, older):
        """A kernel that was built before the Python files beside it changed: some of its functions may be missing."""
        monkeypatch.delenv(SWITCH, raising=False)
        monkeypatch.setattr(importlib, "import_module", lambda _: SimpleNamespace(**older))
        with pytest.warns(RuntimeWarning, match="built from other sources than the Python files beside it"):
            assert compiled_kernel() is None

    @needs_kernel
    def test_slots_are_elsewhere(self, monkeypatch):
        """As far as this class says: nothing is read behind an object, and Python does the work."""

        class Small(type):
            __basicsize__ = object.__basicsize__ + 8

        class Elsewhere(metaclass=Small):
            __slots__ = ("first", "second")

        assert kernel.Maker(Elsewhere, "first").make(3).first == 3
        with pytest.raises(RuntimeError, match="do not have 'second' where this kernel looks"):
            kernel.Maker(Elsewhere, "first", "second")
        monkeypatch.delenv(SWITCH, raising=False)
        monkeypatch.setattr("gammonrules.board.generator._Slotted", Elsewhere)
        with pytest.warns(RuntimeWarning, match="not built for the objects of this Python: .*Elsewhere"):
            assert compiled_kernel() is None

    def test_kernel_tells(self):
        expected = "pure" if compiled_kernel() is None else "c"
        assert expected == gammonrules.KERNEL
        assert type(Position.start().legal_plays("31")._found).__module__.rpartition(".")[2] == (
            "_kernel" if expected == "c" else "kernel_protocol"
        )

    @each.first("other", ["1", ""])
    def test_pickles_cross(self, other):
        """A pickle can be read where the other generator is in use."""
        plays = Position.start().legal_plays("31")
        data = pickle.dumps((plays, plays[3]))
        program = f"import pickle; plays, play = pickle.loads({data!r}); print(f'{{len(plays)}} {{play}}', end='')"
        environment = {**os.environ, SWITCH: other}
        done = processes.run(sys.executable, "-c", program, env=environment)
        assert done.stdout == f"16 {plays[3]}"
        assert copy.deepcopy(plays) == plays
        assert list(copy.copy(plays)) == list(plays)
