"""`boards`: rows of a table, or XGIDs, as a grid of boards."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final

from attrs import frozen

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis.internals import cell_text, xgid_of
from gammonrules.draw import BoardStyle, svg
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import MatchState
from gammonrules.notebook._board import BoardPlayer
from gammonrules.notebook._host import BoardHost
from gammonrules.rules import Rules
from gammonrules.values import counted, first_items, shown, suggestion

MAX_ROWS: Final = 100
_MAX_COLUMNS = 100
_MAX_COUNTED = 1_000_000
"""Rows of a series, which are read to count them; it may have no end."""
_MAX_DRAWN = 12
"""The boards of the still picture, about 14 kB each."""
_STYLE = BoardStyle(size=360)
_USUAL_COLUMNS = "player", "action", "best", "error"


@frozen
class _BoardOfGrid:
    """A board of the grid."""

    state: MatchState | None
    xgid: str
    checkers: int
    """Of a side."""
    action: str
    best: str
    """What was best, if something else was done; else ""."""
    text: str

    @property
    def data(self) -> list[Any]:
        """The data for the page."""
        return [self.xgid, self.checkers, self.action, self.best, self.text]


def boards(
    rows: Any,
    columns: Iterable[str] | None = None,
    *,
    rules: Rules | None = None,
    engine: BoardPlayer | str | None = None,
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
    existing_columns = dict[Any, None]()  # as a set that keeps the order
    for row in mappings:
        existing_columns.update(dict.fromkeys(row))
    if columns is None:
        columns = [name for name in _USUAL_COLUMNS if name in existing_columns]
    names = first_items(columns, _MAX_COLUMNS)
    if names is None:  # it is no series
        raise ArgumentError(f"columns must be names of columns, not {shown(columns, 60)}")
    if mappings:  # without rows, no columns are known to be lacking
        for name in ("xgid", *names):
            if name not in existing_columns:
                raise ArgumentError(
                    f"rows have no column {shown(name, 60)}, only {shown([*existing_columns], 200)}"
                    + suggestion(name, existing_columns)
                )
    cells = [_grid_board(row, names, rules) for row in mappings]
    return BoardGrid(cells, total, engine)


def _first_rows(rows: Any) -> tuple[list[Any], int]:
    """The first rows, and how many there are. Tables are recognized by what they can do, so that none is imported."""
    if hasattr(rows, "columns"):
        if hasattr(rows, "to_pylist"):  # pyarrow
            return rows[:MAX_ROWS].to_pylist(), len(rows)
        if hasattr(rows, "to_dicts"):  # polars
            return rows[:MAX_ROWS].to_dicts(), len(rows)
        if hasattr(rows, "to_dict"):  # pandas
            return rows[:MAX_ROWS].to_dict("records"), len(rows)
    items = first_items(rows, _MAX_COUNTED)
    if items is None:  # they are no series
        raise ArgumentError(f"rows must be a table or several XGIDs, not {shown(rows, 60)}")
    return items[:MAX_ROWS], len(items)


def _grid_board(row: Mapping[Any, Any], names: Sequence[Any], rules: Rules | None) -> _BoardOfGrid:
    lines = [f"{cell_text(str(name))}: {_value_text(row.get(name))}" for name in names]
    try:
        with warnings.catch_warnings(action="ignore"):
            state = MatchState.from_xgid(row.get("xgid") or "", rules)
    except GammonError as error:
        lines.append(f"no position: {error}")
        return _BoardOfGrid(None, xgid="", checkers=0, action="", best="", text="\n".join(lines))
    # who decides is at the bottom
    if row.get("seat") == "black":
        state = state.swap_players()
    action = _value_text(row.get("action"))
    best = _value_text(row.get("best"))
    if best == action:
        best = ""
    return _BoardOfGrid(
        state,
        xgid=xgid_of(state),
        checkers=state.position.checkers,
        action=action,
        best=best,
        text="\n".join(lines),
    )


def _value_text(value: object) -> str:
    """A value as text; that of nothing, which each kind of table has in its own way, is empty."""
    is_nothing = not isinstance(value, str) and str(value) in {"nan", "NaT", "<NA>"}
    return "" if is_nothing else cell_text(value)


class BoardGrid(BoardHost):
    """The grid that `boards` makes.

    Examples:
        >>> from gammonrules.notebook import BoardGrid, boards
        >>> grid = boards(["XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"])
        >>> isinstance(grid, BoardGrid)
        True
        >>> grid.close()
    """

    def __init__(
        self, cells: Sequence[_BoardOfGrid], total: int, engine: BoardPlayer | str | None
    ) -> None:
        remark = counted(total, "position", ",")
        if total > len(cells):
            remark += f", of which {len(cells)} are shown"
        self._boards_shown = cells
        data = {"cells": [cell.data for cell in cells], "remark": remark}
        super().__init__([cell.state for cell in cells], data, engine)

    def __repr__(self) -> str:
        return f"<BoardGrid: {self._data['remark']}>"

    def _still(self) -> str:
        """The first boards as pictures, with their texts."""
        figures = list[str]()
        for cell in self._boards_shown[:_MAX_DRAWN]:
            text = escape(cell.text).replace("\n", "<br>")
            figures.append(f"<div>{_board_picture(cell)}<p>{text}</p></div>")
        remark = self._data["remark"]
        if len(figures) < len(self._boards_shown):
            remark += f"; {len(figures)} are drawn"
        return (
            f'<div style="display: flex; flex-wrap: wrap">{"".join(figures)}</div><p>{remark}</p>'
        )


def _board_picture(cell: _BoardOfGrid) -> str:
    if cell.state is None:
        return ""
    is_play = "/" in cell.action
    if not is_play:
        return svg.match_state(cell.state, style=_STYLE)
    try:
        arrows = cell.best or cell.action
        return svg.match_state(cell.state, arrows=arrows, made=cell.action, style=_STYLE)
    except GammonError:  # a play that cannot be made has no arrows
        return svg.match_state(cell.state, style=_STYLE)
