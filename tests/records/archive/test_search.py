"""Positions found again in a table of decisions: what is found is what a slow judgment of every board says."""

from __future__ import annotations

import contextlib
import operator
import random
import re
import shutil
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, strategies as st

import wording
from gammonrules import ROLLS, MatchState, Position, strategies
from gammonrules.errors import ArgumentError, GammonError, IdentifierError, ParseError
from gammonrules.limits import MAX_ROWS_OF_A_GROUP
from gammonrules.records import export, loads, search, to_table
from gammonrules.records.archive import candidates_of_rows
from gammonrules.records.archive.decision_table import LATER, names_of

if find_spec("pyarrow") is None:
    pytest.skip("needs the extra tables", allow_module_level=True)

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[3]
RECORDS = [ROOT / "tests" / "data" / "matches" / "endings", ROOT / "examples" / "matches" / "xg" / "test.xg"]
START = "4HPwATDgc/ABMA"
TEXT = loads("5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5  62: 24/18 13/11\n")
COMPARE: dict[str, Callable[[Any, Any], bool]] = {"": operator.eq, "+": operator.ge, "-": operator.le}
SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

Asked = tuple[bool, int | str, int, str]
"""Whether it is about the opponent, a point, "bar" or "off", a number of checkers, and "", "+" or "-"."""


def checkers_on(position: Position, place: int | str) -> int:
    return position.off if place == "off" else max(position.points[25 if place == "bar" else int(place)], 0)


def fits(position: Position, asked: Iterable[Asked]) -> bool:
    """The slow judgment: each side is asked by its own numbers."""
    return all(
        COMPARE[sign](checkers_on(position.flip() if is_theirs else position, place), count)
        for is_theirs, place, count, sign in asked
    )


def pattern_of(asked: Iterable[Asked]) -> str:
    mine, theirs = (
        " ".join(f"{place}:{count}{sign}" for is_theirs, place, count, sign in asked if is_theirs is side)
        for side in (False, True)
    )
    return f"{mine} vs {theirs}" if theirs else mine


VERSION = {"gammonrules.table": "2"}


def write(table: Any, path: Path, **options: Any) -> None:
    """As a table that `export` has written, whatever is in it."""
    pq.write_table(table.replace_schema_metadata(VERSION), path, **options)


@pytest.fixture(scope="module")
def whole() -> Any:
    """Half of the decisions, eight at a time."""
    every = to_table(*RECORDS)
    return every.take([number for number in range(every.num_rows) if number // 8 % 2 == 0])


@pytest.fixture(scope="module")
def table(whole: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In several row groups."""
    path: Path = tmp_path_factory.mktemp("tables") / "all.parquet"
    pq.write_table(whole, path, row_group_size=500)
    return path


@pytest.fixture(scope="module")
def rows(whole: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = whole.to_pylist()
    return made


# --- patterns ---------------------------------------------------------------------------------------------------------

PRIME = [(False, point, 2, "+") for point in range(4, 9)]
QUESTIONS: dict[str, list[Asked]] = {
    "4-8:2+": PRIME,
    "6:2+ 1-6:1+ vs bar:1+": [(False, 6, 2, "+"), *((False, n, 1, "+") for n in range(1, 7)), (True, "bar", 1, "+")],
    "bar:1+ VS bar:1+": [(False, "bar", 1, "+"), (True, "bar", 1, "+")],
    "6:3+ 6:4- vs 13:2- 20:2": [(False, 6, 3, "+"), (False, 6, 4, "-"), (True, 13, 2, "-"), (True, 20, 2, "")],
}


@pytest.mark.parametrize("pattern", QUESTIONS)
def test_a_pattern_finds_what_a_slow_judgment_does(pattern: str, table: Path, rows: list[dict[str, Any]]) -> None:
    expected = [row for row in rows if fits(Position.from_id(row["position_id"]), QUESTIONS[pattern])]
    assert 0 < len(expected) < len(rows)
    assert search(table, pattern).to_pylist() == expected


@st.composite
def boards_and_questions(draw: st.DrawFn) -> tuple[list[Position], list[Asked]]:
    """Boards that differ little, and a pattern made from the first of them."""
    board = draw(strategies.positions())
    plays = board.legal_plays(draw(st.sampled_from(ROLLS)))
    others = [board.flip(), *(play.position.flip() for play in plays[:5]), draw(strategies.positions())]
    boards = [board, *(other for other in others if other.outcome is None)]
    asked: list[Asked] = []
    for is_theirs, place in draw(st.sets(st.tuples(st.booleans(), st.sampled_from([*range(1, 25), "bar", "off"])))):
        count, sign = checkers_on(board.flip() if is_theirs else board, place), draw(st.sampled_from("=+-"))
        change = {"=": 0, "+": -draw(st.integers(0, count)), "-": draw(st.integers(0, 15 - count))}[sign]
        asked.append((is_theirs, place, count + change, sign.strip("=")))
    return boards, asked


@given(boards_and_questions())
def test_a_pattern_of_a_board_finds_it_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, drawn: tuple[list[Position], list[Asked]]
) -> None:
    """Whoever decides: the XGIDs of the table are White's."""
    boards, asked = drawn
    state = MatchState.new(7).opening_roll(3, 1)
    made = [attrs.evolve(state, position=board) for board in boards]
    seats = {"white": made, "black": [each.swap_players() for each in made]}
    every = [(seat, each.xgid, board) for seat in seats for each, board in zip(seats[seat], boards, strict=True)]
    off = {"off": [board.off for *_, board in every], "opponent_off": [board.opponent_off for *_, board in every]}
    path = tmp_path_factory.getbasetemp() / "boards.parquet"
    write(pa.table({"seat": [row[0] for row in every], "xgid": [row[1] for row in every]} | off), path)
    expected = [(seat, xgid) for seat, xgid, board in every if fits(board, asked)]
    assert {("white", every[0][1]), ("black", every[len(boards)][1])} <= {*expected}
    if asked:
        rows = search(path, pattern_of(asked), columns=["seat", "xgid"]).to_pylist()
        assert [(row["seat"], row["xgid"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("27:2", "27:2"),
        ("0:2", "0:2"),
        ("6:", "6:"),
        ("6:2 bar", "bar"),
        ("6:2++", "6:2++"),
        ("6:2 vs 5:2 vs 4:2", "vs"),
        ("6:16", "6:16"),
        ("13:8 6:5+ 8:3", "8:3"),
        ("1-8:2+", "1-8:2+"),
        ("6:10 off:6+", "off:6+"),
        ("6:2+ 6:1-", "6:1-"),
        ("6:1+ vs 19:1+", "19:1+"),
        ("vs 5:8 4:8", "4:8"),
    ],
)
def test_what_no_board_can_have_is_refused(pattern: str, named: str, table: Path) -> None:
    with wording.tells(ArgumentError, named):
        search(table, pattern)


# --- boards and states ------------------------------------------------------------------------------------------------


def test_a_board_is_found_by_its_id_and_by_itself(table: Path, rows: list[dict[str, Any]]) -> None:
    for number in (0, 400, len(rows) - 1):
        text = rows[number]["position_id"]
        expected = [row for row in rows if row["position_id"] == text]
        for asked in (text, f"Position ID: {text}", Position.from_id(text)):
            assert search(table, asked).to_pylist() == expected


def test_an_xgid_is_found_whoever_is_white(table: Path, rows: list[dict[str, Any]]) -> None:
    decided = [row for row in rows if row["decision"] in {"play", "answer", "double"}]
    for row in decided[:: len(decided) // 5]:
        state = MatchState.from_xgid(row["xgid"])
        twins = {row["xgid"], state.swap_players().xgid}
        for asked in (row["xgid"], state, state.swap_players()):
            xgids = {*search(table, asked, columns=["xgid"])["xgid"].to_pylist()}
            assert row["xgid"] in xgids <= twins


def test_a_state_is_found_at_any_score(table: Path, rows: list[dict[str, Any]]) -> None:
    first = MatchState.new(5, score=(1, 3)).opening_roll(3, 1)
    expected = [row for row in rows if row["position_id"] == START and row["dice"] == "31"]
    assert len({(row["seat"], row["away"]) for row in expected}) > 1
    assert search(table, first.xgid, any_score=True).to_pylist() == expected
    assert search(table, first).num_rows == 0


# --- columns ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["error >= 0.08", "pips<120", "dice=13", "dice != 66", "player = Kévin UNGER"])
@pytest.mark.parametrize("more", ["away <= 3", "race = false", "date > 2010-01-01", "cube = 2", "time > 12:00:00"])
def test_a_column_is_compared(condition: str, more: str, table: Path, rows: list[dict[str, Any]]) -> None:
    def holds(row: dict[str, Any], text: str) -> bool:
        name, sign, value = (part.strip() for part in re.split(r"([<>=!]+)", text))
        stored = row[name]
        if stored is None:
            return False
        plain = str(stored).lower() if isinstance(stored, bool) else str(stored) if name in {"date", "time"} else stored
        return SIGNS[sign](plain, {"13": "31"}.get(value, type(plain)(value)))

    expected = [row for row in rows if holds(row, condition) and holds(row, more)]
    assert search(table, condition, more).to_pylist() == expected


def test_columns_without_a_value_and_of_one_type(table: Path, rows: list[dict[str, Any]]) -> None:
    conditions: dict[str, Callable[[dict[str, Any]], bool]] = {
        "mistake !=": lambda row: row["mistake"] is not None,
        "mistake = ": lambda row: row["mistake"] is None,
        "pips < opponent_pips": lambda row: row["pips"] < row["opponent_pips"],
        "position_kind = opening": lambda row: row["position_kind"] == "opening",  # and so is a column called
        "cube_owner = opponent": lambda row: row["cube_owner"] == "opponent",
        "action != best": lambda row: row["best"] is not None and row["action"] != row["best"],
    }
    for condition, holds in conditions.items():
        expected = [row["xgid"] for row in rows if holds(row)]
        assert 0 < len(expected) < len(rows)
        assert search(table, condition, columns=["xgid"])["xgid"].to_pylist() == expected


@pytest.mark.parametrize(
    ("condition", "error", "named"),
    [
        ("", IdentifierError, "pattern"),
        ("nothing", IdentifierError, "nothing"),
        ("6:2+ " * 3000, IdentifierError, "10,000"),
        (31, IdentifierError, "31"),
        ("dices = 31", ArgumentError, "dices"),
        ("dice = 71", GammonError, "71"),
        ("error >= much", ArgumentError, "much"),
        ("race = perhaps", ArgumentError, "perhaps"),
        ("date = 2024-13-01", ArgumentError, "2024-13-01"),
        ("time = noon", ArgumentError, "noon"),
        ("error >=", ArgumentError, "error"),
        ("XGID=-b:1", IdentifierError, "XGID"),
        ("xgid = -b", IdentifierError, "xgid"),
    ],
)
def test_conditions_that_cannot_be_read(condition: Any, error: type[GammonError], named: str, table: Path) -> None:
    with wording.tells(error, named):
        search(table, condition)


# --- tables -----------------------------------------------------------------------------------------------------------


def test_everything_and_nothing(table: Path, whole: Any) -> None:
    assert search(table) == whole == search(table, "24:0+")
    assert search(table, "game < 0") == whole.slice(0, 0)
    assert search([table, str(table)], columns=["dice", "xgid"]).num_rows == 2 * whole.num_rows
    assert search([]) == whole.slice(0, 0)


def test_a_folder_with_anything_else_is_refused(table: Path, tmp_path: Path) -> None:
    """What is wrong is named: nothing in it, a file that is no table, a folder, a table of another version."""
    with wording.tells(ParseError, tmp_path.name, "gammonrules export"):
        search(tmp_path)
    wrong = [tmp_path / name for name in ("all.csv", "more", "older.parquet")]
    wrong[0].touch()
    with wording.tells(ParseError, tmp_path.name, "gammonrules export"):
        search(tmp_path)
    shutil.copy(table, tmp_path / "new.parquet")
    with wording.tells(ParseError, wrong[0]):
        search(tmp_path)
    wrong[0].unlink()
    wrong[1].mkdir()
    with wording.tells(ParseError, wrong[1]):
        search(tmp_path)
    wrong[1].rmdir()
    pq.write_table(pq.read_table(table).replace_schema_metadata({"gammonrules.table": "1"}), wrong[2])
    with wording.tells(ParseError, wrong[2], "version '1'"):
        search(tmp_path)


def test_decisions_and_candidates_are_not_taken_for_each_other(table: Path, tmp_path: Path) -> None:
    """Both are Parquet, with some columns of the same names, and lie in one folder."""
    candidates = tmp_path / "ranked.parquet"
    export(RECORDS[1], tmp_path / "all.parquet", candidates=candidates, workers=1)
    with wording.tells(ParseError, candidates, "a table of candidates, where one of decisions is needed"):
        search(tmp_path, columns=["file", "game", "number", "equity"])
    with wording.tells(ParseError, table, "a table of decisions, where one of candidates is needed"):
        list(candidates_of_rows(search(table).slice(0, 1).to_pylist(), table))


def test_tables_that_other_programs_have_written(whole: Any, tmp_path: Path) -> None:
    """Other types of texts and numbers are taken; a row without an XGID or a seat is on no board."""
    path = tmp_path / "other.parquet"
    other = {pa.string(): pa.large_string(), pa.int64(): pa.int32()}
    fields = [field.with_type(other.get(field.type, field.type)).remove_metadata() for field in whole.schema]
    write(whole.cast(pa.schema(fields)).append_column("more", pa.array([1] * whole.num_rows)), path)
    assert search(path) == whole
    for name in ("xgid", "seat"):
        column = pa.array([None, *whole[name].to_pylist()[1:]], pa.string())
        pq.write_table(whole.set_column(whole.column_names.index(name), name, column), path)
        assert search(path, "24:0+") == whole.slice(1)


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        (None, "no version"),
        ({"gammonrules.table": ""}, "no version"),
        ({"gammonrules.table": "1"}, "version '1'"),
        ({"gammonrules.table": "3" * 10_000}, "version '333"),
        ({"gammonrules.table": b"\xff2"}, "version '\ufffd2'"),
    ],
)
def test_a_table_of_another_version_is_refused(whole: Any, tmp_path: Path, metadata: Any, named: str) -> None:
    """The former one had no version, and an `equity_double_pass`."""
    path = tmp_path / "old.parquet"
    names = ["equity_double_pass" if name == "equity_double_drop" else name for name in whole.column_names]
    pq.write_table(whole.slice(0, 9).rename_columns(names).replace_schema_metadata(metadata), path)
    with pytest.raises(ParseError) as refused:
        search(path, "6:5", columns=["xgid"])
    wording.check(refused.value, path.name, named, "version 2", "gammonrules export")


@pytest.mark.parametrize("unique", [False, True])
def test_every_table_that_is_made_has_the_version(unique: bool, tmp_path: Path) -> None:
    done = export(RECORDS[1], tmp_path / "a.parquet", candidates=tmp_path / "b.parquet", unique=unique, workers=1)
    assert done.candidates
    made = [to_table(RECORDS[1], unique=unique).schema, search(tmp_path / "a.parquet", columns=["xgid"]).schema]
    for schema in *made, pq.read_schema(tmp_path / "a.parquet"), pq.read_schema(tmp_path / "b.parquet"):
        assert schema.metadata[b"gammonrules.table"] == b"2"


@pytest.mark.parametrize("name", ["opponent", "action", "site"])
def test_a_player_may_be_called_like_a_column(name: str, tmp_path: Path) -> None:
    text = f"1 point match\n Game 1\n {name} : 0  Bob : 0\n  1) 31: 8/5 6/5  42: 8/4 6/4"
    path = tmp_path / "table.parquet"
    pq.write_table(to_table(loads(text)), path)
    assert search(path, f"player = {name}")["player"].to_pylist() == [name]
    assert search(path, f"opponent = {name}")["player"].to_pylist() == ["Bob"]


def test_a_column_that_a_table_lacks_is_named(whole: Any, tmp_path: Path) -> None:
    path = tmp_path / "narrow.parquet"
    pq.write_table(whole.drop_columns(["longest_prime", "number"]), path)
    assert search(path, "6:5", columns=["xgid"]).num_rows
    for columns, conditions, named in (
        (None, [], ("longest_prime", "number")),
        (["dice", "number"], ["game < 0"], ("number",)),
        (["dice"], ["longest_prime >= 5"], ("longest_prime",)),
    ):
        with wording.tells(ParseError, path.name, *named):
            search(path, *conditions, columns=columns)
    with wording.tells(ArgumentError, "hue"):
        search(path, columns=["dice", "hue"])


def test_each_new_column_may_be_missing() -> None:
    """Tables of this version had 71 columns first. Set `is_later=True` for each one that you add."""
    assert len({*names_of("decisions")} - LATER) == 71


def test_a_column_that_was_added_later_may_be_missing(whole: Any, tmp_path: Path) -> None:
    """A table of this version from before `take_point` is searched, also beside one that has it."""
    path, new = tmp_path / "older.parquet", tmp_path / "new.parquet"
    pq.write_table(whole.drop_columns(["take_point"]), path)
    pq.write_table(whole, new)
    both = search([path, new], "24:0+")
    assert both.schema.names == whole.schema.names
    assert both.slice(whole.num_rows) == whole
    assert both["take_point"].slice(0, whole.num_rows).null_count == whole.num_rows > whole["take_point"].null_count
    assert search(path, columns=["take_point", "dice"]).column_names == ["take_point", "dice"]
    with wording.tells(ParseError, path.name, "take_point"):
        search(path, "win < take_point")


def test_what_is_no_table_is_refused(table: Path, tmp_path: Path) -> None:
    content, path = table.read_bytes(), tmp_path / "no.parquet"
    damaged = [b"", b"PAR1", b"noise" * 1000, content[: len(content) // 2], content[:-9] + bytes(9), content[100:]]
    for text in damaged:
        path.write_bytes(text)
        with wording.tells(ParseError, path.name):
            search(path, "6:5")
    write(pa.table({"seat": [[1]], "xgid": [b"\xff"]}), path)
    for missing in (path, tmp_path, tmp_path / "none.parquet"):
        with wording.tells(ParseError, missing.name):
            search(missing, "6:5", columns=["xgid"])
    with pytest.raises(ArgumentError):
        search("")


class TestTablesOfStrangers:
    """Some kilobytes that unpack to gigabytes are refused before they are unpacked, in one sentence."""

    @pytest.mark.parametrize(
        ("rows", "texts", "options", "named"),
        [
            (100_000, {"file": "x" * 50_000, "player": "y" * 20_000}, {}, "unpacks"),
            (4, {"player": "y" * 12_000_000}, {"use_dictionary": False, "data_page_size": 1 << 30}, "unpacks"),
        ],
    )
    def test_bombs(self, tmp_path: Path, rows: int, texts: dict[str, str], options: dict[str, Any], named: str) -> None:
        whole = to_table(TEXT)
        arrays = {
            name: pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0), rows), [texts[name]])
            if name in texts
            else pa.nulls(rows, whole.schema.field(name).type)
            for name in whole.column_names
        }
        write(pa.table(arrays), tmp_path / "x.parquet", compression="zstd", **options)
        assert (tmp_path / "x.parquet").stat().st_size < 300_000
        before = pa.total_allocated_bytes()
        for columns in ["player"], None:
            with wording.tells(ParseError, "x.parquet", named):
                search(tmp_path / "x.parquet", "player !=", columns=columns)
            assert pa.total_allocated_bytes() - before < 200_000_000

    def test_a_group_of_too_many_rows(self, tmp_path: Path) -> None:
        players = pa.table({"player": pa.nulls(MAX_ROWS_OF_A_GROUP + 1, pa.string())})
        write(players, tmp_path / "x.parquet", row_group_size=2 * MAX_ROWS_OF_A_GROUP)
        with wording.tells(ParseError, "x.parquet", "1,048,576"):
            search(tmp_path / "x.parquet", "player !=", columns=["player"])

    def test_a_column_twice_and_one_of_lists(self, tmp_path: Path) -> None:
        table, path = to_table(TEXT), tmp_path / "x.parquet"
        twice = pa.Table.from_arrays([*table.columns, table["player"]], names=[*table.column_names, "player"])
        at = table.column_names.index("player")
        lists = table.set_column(at, "player", pa.array([["a"]] * table.num_rows))
        for other in twice, lists:
            write(other, path)
            with wording.tells(ParseError, "x.parquet", "player"):
                search(path, "player != Ann")
            assert search(path, "dice = 31", columns=["dice"]).num_rows == 1

    def test_damaged_pages(self, tmp_path: Path) -> None:
        path = tmp_path / "x.parquet"
        pq.write_table(to_table(TEXT), path)
        whole, rng = path.read_bytes(), random.Random(1)
        for _ in range(100):
            content = bytearray(whole)
            for _ in range(rng.choice((1, 3, 20))):
                content[rng.randrange(len(content))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            path.write_bytes(content)
            with contextlib.suppress(ParseError):
                search(path, "player != Ann", columns=["player", "xgid", "equity"])
