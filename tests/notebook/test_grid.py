"""`boards` without a browser: rows of every kind, what is missing in them, and what a page sends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import loop
from gammonrules import ArgumentError, MatchState, Player, Rules, records
from gammonrules.notebook import BoardGrid, boards
from gammonrules.notebook._grid import _BoardOfGrid
from shown import Shown

ROOT = Path(__file__).resolve().parents[2]
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
PICTURE = "<title>"
DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10"


@pytest.fixture(scope="module")
def table() -> Any:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    return records.to_table(str(ROOT / "examples/matches/xg/test.xg"))


def cells(grid: BoardGrid) -> list[Any]:
    cells: list[Any] = grid._data["cells"]
    return cells


def test_rows_of_every_library_are_the_same(table: Any) -> None:
    """Also where a value is missing, which each has in its own way, and of a part of the table."""
    pandas, polars = (pytest.importorskip(name, reason=f"{name} is not installed") for name in ("pandas", "polars"))
    names = ["player", "dice", "action", "best", "error", "date", "plays"]
    expected = boards(table, names)
    assert repr(expected) == "<BoardGrid: 546 positions, of which 100 are shown>"
    assert len(cells(expected)) == 100
    frame = table.to_pandas()
    kinds = [
        frame,
        frame.convert_dtypes(),
        polars.from_arrow(table),
        table.to_pylist(),
        (row for row in table.to_pylist()),
    ]
    for rows in kinds:
        assert [cell[:4] for cell in cells(boards(rows, names))] == [cell[:4] for cell in cells(expected)]
    first = cells(expected)[0]
    assert first[4].startswith("player: Kévin Unger\ndice: 51\naction: 24/23 13/8\nbest: 24/23 13/8\nerror: 0.000\n")
    second = dict(
        line.split(": ")
        for line in cells(boards(pandas.DataFrame(frame[1:2]), names))[0][4].splitlines()
        if line[-2:] != ": "
    )
    assert "dice" not in second
    assert second["action"] == "roll"


def test_series_of_xgids(table: Any) -> None:
    """A list, a column, an array of NumPy; they have no texts."""
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = table.slice(0, 3).to_pandas()
    for rows in (list(frame["xgid"]), frame["xgid"], table["xgid"][:3].to_pylist(), frame["xgid"].to_numpy()):
        grid = boards(rows)
        assert [cell[0] for cell in cells(grid)] == list(frame["xgid"])
        assert {cell[4] for cell in cells(grid)} == {""}


def test_who_decides_is_at_the_bottom(table: Any) -> None:
    rows = table.to_pylist()[:20]
    grid = boards(rows)
    states = [MatchState.from_xgid(row["xgid"]) for row in rows]
    seen = [state.swap_players() if row["seat"] == "black" else state for row, state in zip(rows, states, strict=True)]
    assert {row["seat"] for row in rows} == {"white", "black"}
    assert [cell[0] for cell in cells(grid)] == [state.xgid for state in seen]
    assert {state.to_act for state in seen} == {Player.WHITE}


def test_usual_columns_are_those_that_are_there() -> None:
    rows = [{"xgid": XGID, "error": 0.25, "mine": 1}, {"xgid": XGID, "player": "Ann"}]
    assert [cell[4] for cell in cells(boards(rows))] == ["player: \nerror: 0.250", "player: Ann\nerror: "]
    assert cells(boards(rows, []))[0][4] == ""


def test_marks_are_of_two_plays_where_they_differ() -> None:
    row = {"xgid": XGID, "action": "8/5 6/5"}
    for best, told in (("8/5 6/5", ""), ("24/23 13/10", "24/23 13/10"), (None, "")):
        assert cells(boards([row | {"best": best}]))[0][2:4] == ["8/5 6/5", told]


@loop.rows(
    "xgid, reason",
    (None, "XGID: expected 10 fields with colons between them, not 0"),
    (5, "XGID: expected a string, not 5"),
)
def test_a_row_without_a_position_says_why(xgid: object, reason: str) -> None:
    grid = boards([{"xgid": xgid, "player": "Ann", "action": "8/5"}, {"xgid": XGID, "player": "Bob"}], ["player"])
    assert cells(grid)[0] == ["", 0, "", "", f"player: Ann\nno position: {reason}"]
    assert cells(grid)[1][0] == XGID
    assert grid._bundle()["text/html"].count(PICTURE) == 1


def test_columns_that_are_missing_are_named() -> None:
    with pytest.raises(ArgumentError, match=r"^rows have no column 'luck', only \['xgid', 'player'\]$"):
        boards([{"xgid": XGID, "player": "Ann"}], ["player", "luck"])
    with pytest.raises(ArgumentError, match=r"^rows have no column 'xgid', only \['player'\]$"):
        boards([{"player": "Ann"}])
    with pytest.raises(ArgumentError, match=r"^columns must be names of columns, not 'player'$"):
        boards([{"xgid": XGID, "player": "Ann"}], "player")
    with pytest.raises(ArgumentError, match=r"^rows must be a table or several XGIDs, not 'XGID=-b"):
        boards(XGID)
    with pytest.raises(ArgumentError, match=r"^rules must be a Rules or None, not 3$"):
        boards([XGID], rules=3)  # type: ignore[arg-type]


def test_texts_of_rows_are_texts() -> None:
    script = "<script>alert(1)</script>"
    grid = boards([{"xgid": XGID, "action": script + "a/b", script: script}], [script])
    assert cells(grid)[0][4] == f"{script}: {script}"
    assert "<script" not in grid._bundle()["text/html"]


def test_the_still_picture_has_the_first_boards() -> None:
    """Arrows where the action is a play; an action that cannot be read leaves the board."""
    html = boards([{"xgid": XGID, "action": action} for action in ("8/5 6/5", "take", "8/z")])._bundle()["text/html"]
    assert (html.count(PICTURE), html.count('class="arrow"')) == (3, 2)
    html = boards([XGID] * 13)._bundle()["text/html"]
    assert html.count(PICTURE) == 12
    assert "<p>13 positions; 12 are drawn</p>" in html


def test_hypergammon_needs_its_rules() -> None:
    rules = Rules(start="hypergammon")
    state = MatchState.new(5, rules=rules).opening_roll(white=6, black=5)
    assert [cells(boards([state.xgid], rules=each))[0][1] for each in (None, rules)] == [15, 3]


class Grid(Shown, BoardGrid):
    """With the page that shows it."""


def test_a_click_makes_one_live() -> None:
    """A row without a position stays as it is."""
    first, second = MatchState.from_xgid(XGID), MatchState.from_xgid(DOUBLED)
    cells = [_BoardOfGrid(state, "", 15, "", "", "") for state in (first, None, second)]
    grid = Grid(cells, 3, None)
    seen = list[str]()
    grid.observe(lambda change: seen.append(change.new), names="xgid")
    for at, state in ((0, first), (2, second), (1, second)):
        grid._receive({"at": at, "page": "a", "again": True})
        assert grid._board.state == state
    assert seen == [first.xgid, second.xgid, ""]
    live = {"again": grid._board.model_id}
    assert grid.told == [live | {"at": 0}, live | {"at": 2}, {}]
