"""The page of some rows of the table of decisions: a board for each, which leads to the page of its match."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from typing import Any

from gammonrules.draw import svg
from gammonrules.errors import GammonError
from gammonrules.match import MatchState
from gammonrules.records.page.frame import COLUMNS_OF_ROWS, cell_text, document, filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.report import UNKNOWN, page_beside, style


def page_of_rows(rows: Sequence[Mapping[str, Any]], count: str, title: str, file: str | None) -> str:
    pieces = {"title": shown_name(title), "count": count, "rows": "".join(_article(row, file) for row in rows)}
    return document(escape(cell_text(title)), style(), filled(part("rows.html"), pieces), command="find")


def _article(row: Mapping[str, Any], file: str | None) -> str:
    texts = {name: shown_name(cell_text(row.get(name)) or UNKNOWN) for name in COLUMNS_OF_ROWS}
    page = page_beside(file, row.get("file") or "")
    link = f'<a href="{page}#{escape(row.get("xgid") or "")}">in the match</a>' * bool(page)
    return filled(part("row.html"), texts | {"board": _board_of_row(row), "link": link})


def _board_of_row(row: Mapping[str, Any]) -> str:
    """Who decides has the light checkers, at the bottom; "" if there is no XGID that can be read."""
    names, action = [row.get(name) or "" for name in ("player", "opponent")], row.get("action") or ""
    with suppress(GammonError), warnings.catch_warnings(action="ignore"):
        state = MatchState.from_xgid(row.get("xgid") or "")
        state = state.swap_players() if row.get("seat") == "black" else state
        return svg.table(state, names=names, arrows=action if "/" in action else None, theme="auto")
    return ""
