"""What is read from many boards, and the best of many plays: the kernel and NumPy give the same, bit for bit."""

from __future__ import annotations

import importlib.util
import shlex
import shutil
import sys
import sysconfig
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from test_batch import DICE, STARTS, by_each, generator

import each
import loop
import processes
import wording
from boards import positions
from gammonrules import ArgumentError, DiceError, Position, PositionError, batch
from gammonrules.batch._random_streams import random_words
from move_generators import in_threads, kernel, needs_kernel

__all__ = ["generator"]

boards = each.first("boards", [6000, 200_000])
"""How many random boards."""
AT_ONCE = 20_000
PACKAGE = Path(batch.__file__).parents[1]
SOURCE = PACKAGE / "board" / "_kernel.c"
WIDTHS = {
    "flip": (26, np.int8),
    "pip_counts": (2, np.int32),
    "outcomes": (1, np.int8),
    "features": (198, np.float32),
    "to_ids": (14, np.uint32),
}


def random_boards(number: int, rng: np.random.Generator, checkers: int = 15) -> np.ndarray:
    """Boards with a few checkers or many, close together or not, in one half or in both; some games are over."""
    sides = [_random_side(number, rng, checkers) for _ in range(2)]
    over = rng.random(number) < 0.1
    sides[0][over & (rng.random(number) < 0.5)] = 0
    sides[1][over & (sides[0] > 0).any(axis=1)] = 0
    mine, theirs = sides[0], sides[1][:, ::-1]
    contested = (mine > 0) & (theirs > 0)
    mines = rng.random(mine.shape) < 0.5
    points = (mine * ~(contested & ~mines) - theirs * ~(contested & mines)).astype(np.int8)
    points[~(points != 0).any(axis=1), 1] = 1
    return points


def _random_side(number: int, rng: np.random.Generator, checkers: int) -> np.ndarray:
    """The checkers of a side on each place, as that side numbers them, around a place; place 0 is off."""
    around, width = rng.integers(0, 26, (number, 1)), rng.choice((0, 0.5, 2, 6, 20), (number, 1))
    places = (around + width * rng.standard_normal((number, checkers))).clip(0, 25).astype(np.int64)
    rows = 26 * np.arange(number)[:, None]
    counts = np.bincount((places + rows).ravel(), minlength=26 * number).reshape(-1, 26)
    counts[:, 0] = 0
    return counts


def portions(number: int) -> Iterator[tuple[int, np.random.Generator]]:
    rng = np.random.default_rng(2026)
    for start in range(0, number, AT_ONCE):
        yield min(AT_ONCE, number - start), rng


def assert_same(answers: list[np.ndarray]) -> None:
    """Bit for bit."""
    assert {(array.dtype, array.shape) for array in answers} == {(answers[0].dtype, answers[0].shape)}
    assert len({array.tobytes() for array in answers}) == 1


@needs_kernel
class TestAgreement:
    """The kernel gives what NumPy gives."""

    @boards
    @pytest.mark.parametrize("checkers", [15, 3, 1])
    def test_on_random_boards(self, checkers, boards):
        for number, rng in portions(boards if checkers == 15 else boards // 10):
            points = random_boards(number, rng, checkers)
            assert_same(by_each(lambda points=points: batch.flip(points)))
            assert_same(by_each(lambda points=points: batch.pip_counts(points)))
            assert_same(by_each(lambda points=points: batch.outcomes(points, checkers=checkers)))
            assert_same(by_each(lambda points=points: batch.features(points, checkers=checkers)))

    def test_random_boards_are_of_every_kind(self):
        points = random_boards(6000, np.random.default_rng(1))
        assert set(batch.outcomes(points).tolist()) == {-3, -2, -1, 0, 1, 2, 3}
        assert {-15, 15, *range(-11, 12)} <= set(points.ravel().tolist())

    @boards
    @pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.int32, np.uint64, np.float16, ">f4"])
    def test_best(self, dtype, boards):
        for number, rng in portions(boards):
            offsets = np.concatenate([[0], np.cumsum(rng.integers(0, 30, max(number // 20, 1)))])
            rows = np.zeros((offsets[-1], 26), np.int8)
            plays = batch.LegalPlays(offsets, rows, np.zeros((len(rows), 4, 2), np.int8))
            scores = rng.choice(rng.standard_normal(rng.choice((3, 100, 10_000))) * 100, len(rows))
            scores = abs(scores).astype(dtype) if np.dtype(dtype).kind == "u" else scores.astype(dtype)
            assert_same(by_each(lambda plays=plays, scores=scores: plays.best(scores)))


class TestBest:
    @given(st.data())
    def test_first_of_the_highest(self, data):
        numbers = st.sampled_from([-np.inf, -1.0, -0.0, 0.0, 1.0, np.inf])
        scores = data.draw(st.lists(st.lists(numbers, max_size=5), max_size=5))
        offsets = np.cumsum([0, *map(len, scores)])
        rows = np.zeros((offsets[-1], 26), np.int8)
        plays = batch.LegalPlays(offsets, rows, np.zeros((len(rows), 4, 2), np.int8))
        flat = np.array([score for some in scores for score in some])
        pairs = zip(offsets.tolist(), scores, strict=False)
        expected = [start + some.index(max(some)) if some else -1 for start, some in pairs]
        for chosen in by_each(lambda: plays.best(flat)):
            assert chosen.tolist() == expected
            assert chosen.dtype == np.int64

    @pytest.mark.parametrize("offsets", [[0, 3], [1, 4], [0, 5, 4], [-1, 4], [0, 2**62]])
    def test_offsets_that_are_none(self, generator, offsets):
        with pytest.raises(ArgumentError, match=r"^offsets: expected numbers that rise from 0"):
            batch.LegalPlays(np.array(offsets), np.zeros((4, 26), np.int8), np.zeros((4, 4, 2), np.int8)).best(range(4))

    def test_whole_numbers_that_no_double_holds(self, generator):
        plays = batch.legal_plays(STARTS[:1], [(6, 5)])
        scores = np.full(7, 2**53, np.int64)
        scores[4] += 1
        assert plays.best(scores).tolist() == [4]
        assert plays.best(scores.astype(np.uint64)).tolist() == [4]

    @loop.rows("dtype", np.float32, np.float64, np.float16, ">f8")
    @loop.rows("row", 0, 15, 16, 22, 23, 97)
    def test_nan_anywhere(self, generator, dtype, row):
        plays = batch.legal_plays(STARTS, DICE)
        scores = np.zeros(98, dtype)
        scores[row] = np.nan
        with wording.raises(ArgumentError, f"scores, row {row}: NaN is neither better nor worse"):
            plays.best(scores)

    @pytest.mark.parametrize("over", [0, 1, 2])
    def test_a_game_that_is_over(self, generator, over):
        points = STARTS.copy()
        points[over] = Position.of(mine={6: 2}).points
        plays = batch.legal_plays(points, DICE)
        rows = plays.best(np.zeros(len(plays.points), np.float32))
        assert rows.tolist() == [-1 if board == over else plays.offsets[board] for board in range(3)]

    def test_scores_in_any_layout(self, generator):
        plays = batch.legal_plays(STARTS, DICE)
        scores = np.random.default_rng(1).standard_normal(98)
        expected = plays.best(scores).tolist()
        unaligned = np.frombuffer(b"\0" + scores.tobytes(), np.float64, offset=1)
        for same in (np.repeat(scores, 2)[::2], scores[::-1].copy()[::-1], unaligned, scores.tolist()):
            assert plays.best(same).tolist() == expected


class TestChance:
    """Philox4x32-10, with the numbers that its authors publish (kat_vectors of Random123)."""

    @given(st.integers(0, 2**64 - 1), st.lists(st.tuples(*[st.integers(0, 2**32 - 1)] * 4), max_size=4))
    def test_same(self, key, counters):
        words = by_each(lambda: random_words(key, *np.array(counters, np.uint32).reshape(-1, 4).T))
        assert words[0].shape == (len(counters), 4)
        assert_same(words)

    @loop.rows(
        ("key", "counters", "expected"),
        (0, [0] * 4, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
        (2**64 - 1, [2**32 - 1] * 4, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
        (0x299F31D0_A4093822, [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], "d16cfe09 94fdcceb 5001e420 24126ea1"),
    )
    def test_known_answers(self, generator, key, counters, expected):
        assert " ".join(f"{number:08x}" for number in random_words(key, *counters).tolist()) == expected

    @needs_kernel
    def test_refused(self):
        counters = bytearray(32)
        for wrong in ((), (1,), (1, counters, 1), (1.0, counters), ("1", counters), (1, "text"), (1, None)):
            with pytest.raises(TypeError):
                kernel.philox(*wrong)
        for key in (-1, 1 << 64, 1 << 200):
            with pytest.raises(OverflowError):
                kernel.philox(key, counters)
        with pytest.raises(ValueError, match="31 bytes are not rows of four words"):
            kernel.philox(1, bytearray(31))
        with pytest.raises(BufferError):
            kernel.philox(1, bytes(32))
        assert counters == bytearray(32)


class TestOut:
    """`features` writes into an array of the caller's."""

    @given(st.lists(positions(checkers=15, over=True), max_size=4))
    def test_same(self, some):
        points = batch.from_positions(some)

        def check() -> None:
            out = np.full((len(points), 198), np.nan, np.float32)
            assert batch.features(points, out) is out
            assert np.array_equal(out, batch.features(points))

        by_each(check)

    def test_part_of_a_larger_array(self, generator):
        large = np.full((7, 198), 5, np.float32)
        batch.features(STARTS, large[2:5])
        assert np.array_equal(large[2:5], batch.features(STARTS))
        assert (large[[0, 1, 5, 6]] == 5).all()

    def test_unaligned(self, generator):
        memory = bytearray(3 * 198 * 4 + 1)
        out = np.frombuffer(memory, np.float32, offset=1).reshape(3, 198)
        assert batch.features(STARTS, out=out) is out
        assert np.array_equal(out, batch.features(STARTS))

    def test_nothing(self, generator):
        assert batch.features([], np.zeros((0, 198), np.float32)).shape == (0, 198)

    @loop.over(
        ("out", "message"),
        [
            (np.zeros((2, 198), np.float32), "not float32 of shape (2, 198)"),
            (np.zeros((3, 197), np.float32), "not float32 of shape (3, 197)"),
            (np.zeros(3 * 198, np.float32), "not float32 of shape (594,)"),
            (np.zeros((3, 198)), "not float64 of shape (3, 198)"),
            (np.zeros((3, 198), ">f4"), "not >f4 of shape (3, 198)"),
            ([[0.0] * 198] * 3, "not [[0.0, 0.0"),
            (np.ma.zeros((3, 198), np.float32), "expected an array"),
            (bytearray(3 * 198 * 4), "expected an array"),
            (np.frombuffer(bytes(3 * 198 * 4), np.float32).reshape(3, 198), "the array is read-only"),
            (np.zeros((198, 3), np.float32).T, "C-contiguous"),
            (np.zeros((6, 198), np.float32)[::2], "C-contiguous"),
            (np.zeros((3, 396), np.float32)[:, :198], "C-contiguous"),
            (np.broadcast_to(np.zeros(198, np.float32), (3, 198)), "C-contiguous"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_refused(self, generator, out, message):
        with wording.raises(ArgumentError, "out: ") as caught:
            batch.features(STARTS, out)
        assert message in str(caught.value)

    @pytest.mark.parametrize("place", [slice(3 * 26), slice(-3 * 26, None)])
    def test_memory_of_the_boards(self, generator, place):
        memory = np.zeros(3 * 198, np.float32)
        points = memory.view(np.int8)[place].reshape(3, 26)
        points[:] = STARTS
        with wording.raises(ArgumentError, "out: it shares memory with points"):
            batch.features(points, memory.reshape(3, 198))
        assert np.array_equal(points, STARTS)

    @pytest.mark.parametrize("row", [0, 2])
    def test_nothing_is_written_if_a_board_is_impossible(self, generator, row):
        points, out = STARTS.copy(), np.full((3, 198), 7, np.float32)
        points[row, 3] = 9
        with wording.raises(PositionError, f"points, row {row}: impossible position"):
            batch.features(points, out)
        assert (out == 7).all()


class Tensor:
    """An array of another library, as NumPy sees it."""

    def __init__(self, array: np.ndarray, *, copies: bool = False) -> None:
        self.array = array
        self.copies = copies

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.array.__dlpack_device__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.array.copy() if self.copies else self.array


class OnlyDlpack:
    """An array of a library that knows nothing of NumPy."""

    __dlpack__, __dlpack_device__ = Tensor.__dlpack__, Tensor.__dlpack_device__

    def __init__(self, array: np.ndarray) -> None:
        self.array = array


class OnlyInterface:
    """An array of a library that knows NumPy's older protocol."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array
        self.__array_interface__ = array.__array_interface__


class Unreadable:
    """A tensor that refuses to be read."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("use tensor.detach() first\n" + "and read the manual " * 100)


FOREIGN = [Tensor, OnlyDlpack, OnlyInterface, memoryview]


class TestOtherLibraries:
    """Arrays and tensors of other libraries are read where NumPy can read them."""

    @loop.over("kind", FOREIGN)
    @loop.rows("dtype", np.int8, np.int64)
    def test_boards_and_dice(self, generator, kind, dtype):
        points, dice = kind(STARTS.astype(dtype)), kind(DICE.astype(dtype))
        assert np.array_equal(batch.legal_plays(points, dice).points, batch.legal_plays(STARTS, DICE).points)
        for name in WIDTHS:
            assert np.array_equal(getattr(batch, name)(points), getattr(batch, name)(STARTS))
        assert batch.to_positions(points) == [Position.start()] * 3

    @pytest.mark.parametrize("kind", FOREIGN)
    def test_scores_and_choices(self, generator, kind):
        plays = batch.legal_plays(STARTS, DICE)
        scores = np.random.default_rng(1).standard_normal(98).astype(np.float32)
        assert np.array_equal(plays.best(kind(scores)), plays.best(scores))
        rng = np.random.default_rng
        both = [
            batch.play_games(2, lambda plays, _, as_=as_: as_(plays.best(-plays.points[:, 7])), rng=rng(1), max_turns=9)
            for as_ in (kind, list)
        ]
        assert np.array_equal(both[0].points, both[1].points)

    def test_out(self, generator):
        out = Tensor(np.zeros((3, 198), np.float32))
        assert batch.features(STARTS, out) is out
        assert np.array_equal(out.array, batch.features(STARTS))
        empty = Tensor(np.zeros((0, 198), np.float32))
        assert batch.features([], empty) is empty

    def test_no_out(self, generator):
        memory = np.zeros((3, 198), np.float32)
        for wrong, message in (
            (Tensor(memory, copies=True), "expected an array, float32 of shape (3, 198), not "),
            (OnlyInterface(memory), "expected an array"),
            (Tensor(memory.astype(float)), "not float64"),
            (Tensor(np.asfortranarray(memory)), "C-contiguous"),
        ):
            with wording.raises(ArgumentError, "out: ") as caught:
                batch.features(STARTS, wrong)
            assert message in str(caught.value)
        memory.flags.writeable = False
        with wording.raises(ArgumentError, "out: "):  # older versions of NumPy do not pass on what is read-only
            batch.features(STARTS, Tensor(memory))

    def test_what_cannot_be_read(self, generator):
        plays = batch.legal_plays(STARTS, DICE)
        sentence = "NumPy cannot read Unreadable: RuntimeError('use tensor.detach() first"
        for error, call in (
            (PositionError, lambda: batch.flip(Unreadable())),
            (DiceError, lambda: batch.legal_plays(STARTS, Unreadable())),
            (ArgumentError, lambda: plays.best(Unreadable())),
            (ArgumentError, lambda: batch.play_games(1, lambda *_: Unreadable(), rng=np.random.default_rng(1))),
        ):
            with wording.raises(error, "") as caught:
                call()
            assert sentence in str(caught.value)
            assert isinstance(caught.value.__cause__, RuntimeError)


@needs_kernel
class TestKernel:
    """The kernel's functions by themselves, with whatever they are given."""

    @loop.over("name", WIDTHS)
    def test_refused(self, name):
        function, out = getattr(kernel, name), bytearray(198 * 4)
        too_many = STARTS[:1], out, 15, 1
        for wrong in ((), too_many, (STARTS[:1], out), (STARTS[:1], out, 16), (STARTS[:1], out, "15")):
            with pytest.raises(TypeError, match="expected boards, memory and a number of checkers"):
                function(*wrong)
        for wrong in (("text", out, 15), (None, out, 15), (STARTS[:1], None, 15)):
            with pytest.raises(TypeError):
                function(*wrong)
        with pytest.raises(BufferError):
            function(STARTS[:1], bytes(198 * 4), 15)
        with pytest.raises(OverflowError):
            function(STARTS[:1], out, 1 << 70)

    def test_best_refused(self):
        offsets, out = np.array([0, 2], np.int64), np.zeros(1, np.int64)
        kernel.best(offsets, np.zeros(2), out)
        for scores in (np.zeros(2, ">f8"), np.zeros(2, np.int32), b"12", np.zeros(2, bool)):
            with pytest.raises(TypeError, match="scores are floats, doubles, or integers"):
                kernel.best(offsets, scores, out)
        for wrong in (b"", b"1", np.array([0, 1, 2]), np.zeros(1, np.int64)):
            with pytest.raises(ValueError, match="offsets do not match"):
                kernel.best(wrong, np.zeros(2), out)
        for wrong in ([1, 2], [0, 3], [0, 1], [0, 0], [0, -1], [0, 2**62], [-(2**63), 2]):
            with pytest.raises(ValueError, match="the offsets do not match the scores"):
                kernel.best(np.array(wrong), np.zeros(2), out)
        with pytest.raises(TypeError, match="expected offsets, scores and memory"):
            kernel.best(offsets, np.zeros(2))
        with pytest.raises((BufferError, ValueError)):
            kernel.best(offsets, np.zeros(2), bytes(8))

    def test_memory_beside_is_left_alone(self):
        """Rows are written in vectors that are wider than a row."""
        for name, (width, dtype) in WIDTHS.items():
            size = width * np.dtype(dtype).itemsize * 3
            memory = np.full(size + 128, 99, np.uint8)
            getattr(kernel, name)(STARTS, memory[64:-64], 15)
            assert (memory[:64] == 99).all(), name
            assert (memory[-64:] == 99).all(), name

    def test_no_references_are_kept(self):
        points, out = STARTS.copy(), np.zeros((3, 198), np.float32)
        counts = sys.getrefcount(points), sys.getrefcount(out)
        for checkers in (15, 14, 15):
            for _ in range(10):
                try:
                    kernel.features(points, out, checkers)
                except ValueError:
                    assert checkers == 14
        assert (sys.getrefcount(points), sys.getrefcount(out)) == counts

    def test_threads(self):
        """Each with its own memory; one board changes all the time, and is a board or is refused."""
        points = random_boards(2000, np.random.default_rng(3))
        expected, shared = batch.features(points), points.copy()
        stop = threading.Event()

        def change() -> None:
            while not stop.is_set():
                shared[1000, :] = 127
                shared[1000, :] = points[1000]

        def work() -> None:
            out = np.empty_like(expected)
            for _ in range(20):
                assert np.array_equal(batch.features(points, out), expected)
                with suppress(ValueError):
                    kernel.features(shared, out, 15)

        changing = threading.Thread(target=change)
        changing.start()
        try:
            in_threads(3, work)
        finally:
            stop.set()
            changing.join()


@pytest.mark.long
@needs_kernel
def test_plain_c(tmp_path):
    """The kernel without anything that only some compilers or processors have."""
    plain = plain_kernel(tmp_path)
    rng = np.random.default_rng(5)
    points, dice = random_boards(2000, rng), rng.integers(1, 7, (2000, 2), np.int8)
    for name, (width, dtype) in WIDTHS.items():
        outputs = [np.zeros((len(points), width), dtype) for _ in range(2)]
        kernel_function, plain_function = getattr(kernel, name), getattr(plain, name)
        kernel_function(points, outputs[0], 15)
        plain_function(points, outputs[1], 15)
        assert_same(outputs)
    outputs = [each.legal_plays_of_many(points, dice) for each in (kernel, plain)]
    assert list(map(bytes, outputs[0])) == list(map(bytes, outputs[1]))
    file = (PACKAGE / "c" / "selftaught.bin").read_bytes()
    network = kernel.network(file)
    assert plain.network(file) == network
    going_on, table = points[batch.outcomes(points) == 0][:20], kernel.bearoffs()
    for look, width in enumerate((5, 5, 21 * 6)):
        outputs = [np.zeros((20, width), np.float32) for _ in range(2)]
        kernel.chances(network, table, going_on, outputs[0], look)
        plain.chances(network, table, going_on, outputs[1], look)
        assert_same(outputs)


def plain_kernel(folder: Path) -> Any:
    """The kernel, compiled for no processor in particular."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    if sys.platform == "win32" or shutil.which(compiler[0]) is None:
        pytest.skip("there is no C compiler that takes the options of gcc")
    if not SOURCE.exists():
        pytest.skip("the C file is not installed")
    include, target = sysconfig.get_path("include"), folder / "_kernel.abi3.so"
    options = ["-shared", "-fPIC", "-O0", "-DGAMMONRULES_PLAIN_C", f"-I{include}"]
    options += ["-undefined", "dynamic_lookup"] if sys.platform == "darwin" else []
    processes.run(*compiler, *options, str(SOURCE), "-o", str(target))
    spec = importlib.util.spec_from_file_location("gammonrules.board._kernel", target)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
