"""`boards`: rows of a table, or XGIDs, as a grid of boards."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Any, Final, TypeAlias

from gammonrules.draw import svg
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import MatchState
from gammonrules.notebook._again import BoardHost
from gammonrules.notebook._board import BoardPlayer
from gammonrules.records.page import cell_text
from gammonrules.records.transcript import xgid_of
from gammonrules.rules import Rules
from gammonrules.values import check_kind, counted, first_items, shown

MOST_ROWS: Final = 100
_MOST_IN_ALL = 1_000_000
_MOST_DRAWN = 12
"""The boards of the still picture, about 14 kB each."""
_USUAL = "player", "action", "best", "error"
_AS_MAPPINGS: Final = (("to_pylist", ()), ("to_dicts", ()), ("to_dict", ("records",)))
"""How pyarrow, polars and pandas make mappings of the rows of a table."""

_Cell: TypeAlias = tuple[MatchState | None, list[Any]]
"""The state, and what the page shows: the XGID, the checkers of a side, what was done and what was best, and texts."""


def boards(
    rows: Any,
    columns: Iterable[str] | None = None,
    *,
    rules: Rules | None = None,
    engine: BoardPlayer | None = None,
) -> BoardGrid:
    """Rows of the table of decisions, or XGIDs, as a grid of boards; a click makes one live.

    Who decided is at the bottom. The arrows are those of `Viewer`.

    Args:
        rows: a DataFrame of pandas or polars, a table of pyarrow, or rows as mappings, with columns of the table of
            decisions, of which `xgid` is needed; or XGIDs. The first 100 are shown, and the page says so if there are
            more.
        columns: those that stand below each board; None (the default): `player`, `action`, `best` and `error`, as far
            as they are there.
        rules: what XGIDs do not say, as for `MatchState.from_xgid`.
        engine: what plays the other side on a live board, as for `Board`; who is to act is White then. None (the
            default) for nobody.

    Raises:
        ArgumentError: `rows` is neither a table nor a series, or has no such column; or another argument is nothing of
            the kind. A row whose position cannot be read is shown with the reason.

    Examples:
        >>> from gammonrules import records
        >>> from gammonrules.notebook import boards
        >>> table = records.to_table("examples/matches/xg/test.xg")
        >>> boards(table, ["player", "dice", "error"])
        <BoardGrid: 546 positions, of which 100 are shown>
        >>> boards(["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"])
        <BoardGrid: 1 position>
    """
    check_kind("rules", rules, Rules | None)
    items, total = _first_rows(rows)
    mappings: list[Mapping[Any, Any]] = [
        item if isinstance(item, Mapping) else {"xgid": item} for item in items
    ]
    there = dict.fromkeys(name for row in mappings for name in row)
    names = first_items(
        [name for name in _USUAL if name in there] if columns is None else columns, MOST_ROWS
    )
    if names is None:
        raise ArgumentError(f"columns must be names of columns, not {shown(columns, 60)}")
    for name in ("xgid", *names) if mappings else ():
        if name not in there:
            raise ArgumentError(
                f"rows have no column {shown(name, 60)}, only {shown([*there], 200)}"
            )
    return BoardGrid([_row_data(row, names, rules) for row in mappings], total, engine)


def _first_rows(rows: Any) -> tuple[list[Any], int]:
    """The first rows, and how many there are."""
    for method, arguments in _AS_MAPPINGS if hasattr(rows, "columns") else ():
        if hasattr(rows, method):
            return getattr(rows[:MOST_ROWS], method)(*arguments), len(rows)
    if (items := first_items(rows, _MOST_IN_ALL)) is None:
        raise ArgumentError(f"rows must be a table or several XGIDs, not {shown(rows, 60)}")
    return items[:MOST_ROWS], len(items)


def _row_data(row: Mapping[Any, Any], names: Sequence[Any], rules: Rules | None) -> _Cell:
    action, best, *texts = (_value_text(row.get(name)) for name in ("action", "best", *names))
    lines = [f"{cell_text(str(name))}: {text}" for name, text in zip(names, texts, strict=True)]
    try:
        with warnings.catch_warnings(action="ignore"):
            state = MatchState.from_xgid(row.get("xgid") or "", rules)
    except GammonError as error:
        return None, ["", 0, "", "", "\n".join([*lines, f"no position: {error}"])]
    # who decides is at the bottom
    state = state.swap_players() if row.get("seat") == "black" else state
    return state, [
        xgid_of(state),
        state.position.checkers,
        action,
        best * (best != action),
        "\n".join(lines),
    ]


def _value_text(value: object) -> str:
    """A value as text; that of nothing, which each kind of table has in its own way, is empty."""
    return (
        ""
        if str(value) in {"nan", "NaT", "<NA>"} and not isinstance(value, str)
        else cell_text(value)
    )


class BoardGrid(BoardHost):
    """The grid that `boards` makes.

    Examples:
        >>> from gammonrules.notebook import BoardGrid, boards
        >>> grid = boards(["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"])
        >>> isinstance(grid, BoardGrid)
        True
        >>> grid.close()
    """

    def __init__(self, cells: Sequence[_Cell], total: int, engine: BoardPlayer | None) -> None:
        remark = counted(total, "position", ",") + f", of which {len(cells)} are shown" * (
            total > len(cells)
        )
        data = {"cells": [cell for _, cell in cells], "remark": remark}
        super().__init__([state for state, _ in cells], data, engine)

    def __repr__(self) -> str:
        return f"<BoardGrid: {self._data['remark']}>"

    def _still(self) -> str:
        """The first boards as pictures, with their texts."""
        cells = [*zip(self._states, self._data["cells"], strict=True)][:_MOST_DRAWN]
        texts = [escape(cell[4]).replace("\n", "<br>") for _, cell in cells]
        drawn = [_row_picture(state, cell[2], cell[3]) for state, cell in cells]
        figures = "".join(
            f"<div>{picture}<p>{text}</p></div>" for picture, text in zip(drawn, texts, strict=True)
        )
        more = f"; {len(cells)} are drawn" * (len(cells) < len(self._states))
        return f'<div style="display: flex; flex-wrap: wrap">{figures}</div><p>{self._data["remark"]}{more}</p>'


def _row_picture(state: MatchState | None, action: str, best: str) -> str:
    if state is None:
        return ""
    made = action if "/" in action else None
    with suppress(GammonError):  # what is no play has no arrows
        return svg.table(state, arrows=made and (best or made), made=made, size=360)
    return svg.table(state, size=360)
