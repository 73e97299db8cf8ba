"""Position IDs of many boards: what `Position.from_id` and `Position.id` give one by one."""

from __future__ import annotations

import base64
import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from test_batch import by_each, generator
from test_readings import assert_same, random_boards

import loop
import reference
import wording
from boards import board_of, positions
from gammonrules import ArgumentError, GammonError, IdentifierError, Position, PositionError, batch
from move_generators import kernel, needs_kernel

__all__ = ["generator"]

DATA = Path(__file__).parents[1] / "data"
IDS = ["4HPwATDgc/ABMA", "sGfwATDgc/ABMA", "mDHAMAMKAEAAAA"]
POINTS = [list(Position.from_id(text).points) for text in IDS]
MANY = 17_000
"""More than are read at a time."""


def one_by_one(texts: list[str], checkers: int) -> Any:
    """The boards; or the error, and its sentence."""
    points = []
    for row, text in enumerate(texts):
        try:
            points.append(list(Position.from_id(text, checkers=checkers).points))
        except GammonError as error:
            return type(error), f"ids, row {row}: {error}"
    return points


def at_once(texts: list[str], checkers: int) -> Any:
    try:
        return batch.from_ids(texts, checkers=checkers).tolist()
    except GammonError as error:
        return type(error), str(error)


@st.composite
def nearly_ids(draw: st.DrawFn) -> str:
    """IDs of boards and of any ten bytes, with a label, with a character changed, and other texts."""
    text = draw(positions(checkers=15, over=True)).id
    at, character = draw(st.integers(0, 14)), draw(st.sampled_from("Ag/+ =\n\0é\u0141\ud800"))
    noise = base64.b64encode(draw(st.binary(min_size=10, max_size=10))).decode()[:14]
    changed = text[:at] + character + text[at + 1 :]
    return draw(st.sampled_from([text, noise, changed, f" Position ID: {text}==\n", text[:at]]) | st.text(max_size=16))


class TestLaws:
    @pytest.mark.parametrize("checkers", [15, 3])
    @given(st.data())
    def test_what_is_written_reads_back(self, checkers, data):
        some = data.draw(st.lists(positions(checkers=checkers, over=True), max_size=4))
        points = batch.from_positions(some)
        for ids in by_each(lambda: batch.to_ids(points)):
            assert ids.dtype == "U14"
            assert ids.tolist() == [position.id for position in some]
            assert ids.tolist() == [reference.encode_id(board_of(position)) for position in some]
            for same in by_each(lambda ids=ids: batch.from_ids(ids, checkers=checkers)):
                assert np.array_equal(same, points)

    @given(st.lists(nearly_ids(), max_size=4), st.sampled_from([15, 15, 3]))
    def test_the_same_texts_are_read_and_refused(self, texts, checkers):
        expected = one_by_one(texts, checkers)
        for result in by_each(lambda: at_once(texts, checkers)):
            assert result == expected

    def test_ids_of_gnu_backgammon(self, generator):
        """As the program wrote them, and the boards that it had."""
        with (DATA / "ids.jsonl").open(encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        points = batch.from_ids([row["position_id"] for row in rows])
        signed = [reference.signed(((0, *row["board_roller"]), (0, *row["board_opp"]))) for row in rows]
        assert points.tolist() == [list(counts) for counts in signed]
        with gzip.open(DATA / "gnubg_ids.tsv.gz", "rt", encoding="ascii") as lines:
            ids = [line.partition("\t")[0] for line in lines][1:]
        assert batch.to_ids(batch.from_ids(ids)).tolist() == ids

    @needs_kernel
    def test_generators_agree(self):
        points = random_boards(20_000, np.random.default_rng(7))
        both = by_each(lambda: batch.to_ids(points))
        assert_same(both)
        texts = both[0].astype("S14").view(np.uint8).reshape(-1, 14)
        rng = np.random.default_rng(8)
        texts[rng.integers(0, len(texts), 9000), rng.integers(0, 14, 9000)] = rng.integers(0, 256, 9000)
        texts = np.concatenate([texts, rng.integers(0, 256, (1000, 14), np.uint8)])
        results = by_each(lambda: read_or_not(texts))
        assert_same(results)
        assert 0.4 < (results[0][:, 0] != 127).mean() < 0.8


def read_or_not(texts: np.ndarray) -> np.ndarray:
    """The boards, all 127 where a text must be read by itself."""
    from gammonrules._arrays.dispatch import of_many  # noqa: PLC0415

    points, is_read = np.empty((len(texts), 26), np.int8), np.empty(len(texts), np.bool_)
    of_many("from_ids", lambda: None, texts, points, is_read, 15)
    points[~is_read] = 127
    return points


class TestForms:
    """Lists, arrays and columns of texts."""

    @loop.rows(
        "make",
        list,
        tuple,
        iter,
        np.array,
        lambda ids: np.array(ids, "S14"),
        lambda ids: np.array(ids, "S20"),
        lambda ids: np.array(ids, "U20"),
        lambda ids: np.array(ids, ">U14"),
        lambda ids: np.array(ids, object),
        lambda ids: np.repeat(np.array(ids), 2)[::2],
        lambda ids: np.repeat(np.array(ids, "S14"), 2)[::2],
        lambda ids: [text.encode() for text in ids],
        lambda ids: [np.str_(text) for text in ids],
        lambda ids: [f"{text}==" for text in ids],
    )
    def test_read(self, generator, make):
        points = batch.from_ids(make(IDS))
        assert points.dtype == np.int8
        assert points.tolist() == POINTS

    @pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
    def test_columns(self, library):
        module = pytest.importorskip(library)
        column = module.array(IDS) if library == "pyarrow" else module.Series(IDS)
        assert batch.from_ids(column).tolist() == POINTS

    def test_none(self, generator):
        assert batch.from_ids([]).shape == (0, 26)
        assert batch.to_ids(batch.from_ids([])).shape == (0,)

    def test_many_in_little_memory(self, generator):
        """Beyond the results, and for texts of every kind."""
        texts = np.resize(np.array(IDS, "S14"), 200_000)
        tracemalloc.start()
        try:
            points = batch.from_ids(texts)
            ids = batch.to_ids(points)
            beyond = tracemalloc.get_traced_memory()[1] - points.nbytes - ids.nbytes
        finally:
            tracemalloc.stop()
        assert beyond < 8 << 20
        assert (ids[: len(IDS)] == IDS).all()

    def test_results_may_be_changed(self, generator):
        points = batch.from_ids(IDS)
        points[0] = 0
        ids = batch.to_ids(points[1:])
        ids[0] = ""
        assert batch.from_ids(IDS).tolist() == POINTS


class TestRefused:
    @loop.rows(
        ("text", "error", "sentence"),
        ("4HPwATDgc/ABM", IdentifierError, "Position ID: expected 14 characters, but '4HPwATDgc/ABM' has 13"),
        ("4HPwATDgc/ABMé", IdentifierError, "Position ID: 'é' is not a Base64 character"),
        ("4HPwATDgc/ABM\ud800", IdentifierError, "Position ID: '\\ud800' is not a Base64 character"),
        ("4HPwATDgc/ABMB", IdentifierError, "Position ID: bits are set beyond the tenth byte"),
        ("AAAAAAAAAAAAAA", PositionError, "impossible position: both sides have borne off everything"),
        (b"4HPwATDgc/ABM\xe9", IdentifierError, "Position ID: 'é' is not a Base64 character"),
        (None, IdentifierError, "Position ID: expected a string, not None"),
        (["4HPwATDgc/ABMA"], IdentifierError, "Position ID: expected a string, not ["),
    )
    def test_the_row_is_named(self, generator, text, error, sentence):
        with wording.raises(error, f"ids, row 2: {sentence}"):
            batch.from_ids([*IDS[:2], text])

    def test_the_row_of_many_is_named(self, generator):
        texts = [*(IDS * MANY)[: MANY - 1], IDS[0][1:]]
        with wording.raises(IdentifierError, f"ids, row {MANY - 1}: Position ID: expected 14 characters"):
            batch.from_ids(texts)

    def test_three_checkers(self, generator):
        hyper = Position.start("hypergammon")
        assert batch.from_ids([hyper.id], checkers=3).tolist() == [list(hyper.points)]
        assert batch.from_ids([hyper.id]).tolist() == [list(hyper.points)]  # the others are off
        with wording.raises(PositionError, "ids, row 1: impossible position: mine: 15 checkers, but the game has 3"):
            batch.from_ids([hyper.id, IDS[0]], checkers=3)

    @loop.rows("ids", IDS[0], IDS[0].encode(), None, 7, np.array([IDS]), np.array(IDS[0]), np.ma.masked_array(IDS))
    def test_no_row_of_texts(self, ids):
        with wording.raises(ArgumentError, "ids") as caught:
            batch.from_ids(ids)
        assert "not" in str(caught.value)

    def test_numbers_are_no_texts(self, generator):
        with wording.raises(IdentifierError, "ids, row 0: Position ID: expected a string, not 1"):
            batch.from_ids(np.array([1, 2]))

    def test_boards_without_checkers_have_no_id(self, generator):
        points = np.resize(np.array(POINTS, np.int8), (MANY, 26))
        points[MANY - 2] = 0
        with wording.raises(PositionError, f"points, row {MANY - 2}: impossible position: both sides have borne off"):
            batch.to_ids(points)


@needs_kernel
class TestKernel:
    """The kernel's function by itself, with whatever it is given."""

    def test_refused(self):
        texts, out, is_read = b"".join(map(str.encode, IDS)), bytearray(3 * 26), bytearray(3)
        kernel.from_ids(texts, out, is_read, 15)
        assert np.frombuffer(out, np.int8).reshape(3, 26).tolist() == POINTS
        for wrong in ((), (texts, out, is_read), (texts, out, is_read, 0), (texts, out, is_read, "15")):
            with pytest.raises(TypeError, match="expected texts"):
                kernel.from_ids(*wrong)
        for wrong in ((texts[1:], out, is_read), (texts[:39], out, is_read), (texts, out[1:], is_read)):
            with pytest.raises(ValueError, match="do not match"):
                kernel.from_ids(*wrong, 15)
        for wrong in ((None, out, is_read), (texts, None, is_read), (texts, out, bytes(3))):
            with pytest.raises((TypeError, BufferError)):
                kernel.from_ids(*wrong, 15)
        kernel.from_ids(b"", bytearray(), bytearray(), 15)
