"""The page of some rows of the table of decisions: a board for each, which leads to the page of its match."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from html import escape
from pathlib import PurePath
from typing import Any, Final

from gammonrules.draw import svg
from gammonrules.errors import GammonError
from gammonrules.match import MatchState, Player
from gammonrules.records.page.frame import COLUMNS_OF_ROWS, cell_text, document, filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.report import page_beside, style
from gammonrules.records.page.tables import UNKNOWN
from gammonrules.records.transcript import LEAST_SEEN, known_play

_KEY: Final = {"best": "best", "made": "what was done instead", "both": "in both"}
BARE: Any = {"theme": "auto", "header": False, "footer": False}
"""How a board is drawn beside which the page says the rest."""


def page_of_rows(
    rows: Sequence[Mapping[str, Any]], count: str, title: str, file: str | None
) -> str:
    drawn = "".join(_article(row, file) for row in rows)
    cost = max((row.get("error") or 0 for row in rows), default=0)
    told = count + f": the worst lost {cost:.3f} points" * (cost >= LEAST_SEEN)
    pieces = {"title": shown_name(title), "told": told, "key": marks_in(_KEY, drawn), "rows": drawn}
    return document(
        escape(cell_text(title)), style(), filled(part("rows.html"), pieces), command="find"
    )


def marks_in(words: Mapping[str, str], drawn: str) -> str:
    """What the marks mean, of those that have been drawn."""
    seen = {*re.findall(r'class="(?:arrow )?(\w+)"', drawn)}
    return " ".join(
        f'<span class="{mark}">{text}</span>' for mark, text in words.items() if mark in seen
    )


def _article(row: Mapping[str, Any], file: str | None) -> str:
    texts = {name: shown_name(cell_text(row.get(name)) or UNKNOWN) for name in COLUMNS_OF_ROWS}
    texts |= {name: "no double" for name in ("action", "best") if row.get(name) == "roll"}
    texts |= {
        name: f"{texts[name]} away" if row.get(name) else "money play"
        for name in ("away", "opponent_away")
    }
    page = page_beside(file, row.get("file") or "")
    is_wrong = bool(row.get("best")) and (row.get("error") or 0) >= LEAST_SEEN
    asked = ": double or roll?" if row.get("action") in {"double", "roll"} else ": take or drop?"
    pieces = {
        "file": shown_name(PurePath(row.get("file") or UNKNOWN).name),
        "link": f' · <a href="{page}#{escape(row.get("xgid") or "")}">in the match</a>'
        * bool(page),
        "question": f" to play {texts['dice']}" if row.get("dice") else asked,
        "cost": f'<small class="loss">lost {row["error"]:.3f}</small>' if is_wrong else "",
        "open": " open" * (not is_wrong),
        "mark": "made" * is_wrong,
        "instead": f'<p class="best">{texts["best"]} <small>best</small></p>' * is_wrong,
    }
    drawn, pips, is_turned = _board_of_row(row, is_wrong=is_wrong)
    sides = [
        f"{texts[name]}, {texts[away]}"
        for name, away in (("player", "away"), ("opponent", "opponent_away"))
    ]
    light, dark = (
        side + more for side, more in zip(sides[:: -1 if is_turned else 1], pips, strict=True)
    )
    return filled(part("row.html"), texts | pieces | {"board": drawn, "light": light, "dark": dark})


def _board_of_row(row: Mapping[str, Any], *, is_wrong: bool) -> tuple[str, tuple[str, str], bool]:
    """The board, with the pips of light and dark; "" where no XGID can be read; and whether the opponent is light.

    Who is on roll, or has doubled, has the light checkers, at the bottom.
    """
    with suppress(GammonError), warnings.catch_warnings(action="ignore"):
        state = MatchState.from_xgid(row.get("xgid") or "")
        state = state.swap_players() if state.on_roll is Player.BLACK else state
        is_turned = state.pending_double is not None
        position = state.position
        names = [row.get(name) or "" for name in ("player", "opponent")][:: -1 if is_turned else 1]
        made = action if "/" in (action := row.get("action") or "") else None
        best = known_play(state.legal_plays, row["best"]) if is_wrong and state.dice else None
        pips = f", {position.pip_count} pips", f", {position.opponent_pip_count} pips"
        return (
            svg.table(state, names=names, arrows=best or made, made=made, **BARE),
            pips,
            is_turned,
        )
    return "", ("", ""), False
