"""The page of some rows of the table of decisions: a board for each, which leads to the page of its match."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import PurePath
from typing import Any, Final

from attrs import frozen

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


@frozen
class _RowBoard:
    """The board of a row, with the words about its two sides."""

    picture: str
    light: str
    dark: str


def page_of_rows(
    rows: Sequence[Mapping[str, Any]], count: str, title: str, file: str | None
) -> str:
    drawn = "".join([_article(row, file) for row in rows])
    summary = count
    largest_cost = max([_cost_of_row(row) for row in rows], default=0)
    if largest_cost >= LEAST_SEEN:
        summary += f": the worst lost {largest_cost:.3f} points"
    pieces = {
        "title": shown_name(title),
        "summary": summary,
        "key": marks_in(_KEY, drawn),
        "rows": drawn,
    }
    body = filled(part("rows.html"), pieces)
    return document(escape(cell_text(title)), style(), body, command="find")


def marks_in(words: Mapping[str, str], drawn: str) -> str:
    """What the marks mean, of those that have been drawn."""
    seen = {*re.findall(r'class="(?:arrow )?(\w+)"', drawn)}
    spans = [f'<span class="{mark}">{text}</span>' for mark, text in words.items() if mark in seen]
    return " ".join(spans)


def _cost_of_row(row: Mapping[str, Any]) -> float:
    """What a decision cost; 0 if that is not known."""
    cost: float | None = row.get("error")
    return cost or 0


def _article(row: Mapping[str, Any], file: str | None) -> str:
    texts = {name: shown_name(cell_text(row.get(name)) or UNKNOWN) for name in COLUMNS_OF_ROWS}
    for name in ("action", "best"):
        if row.get(name) == "roll":
            texts[name] = "no double"
    for name in ("away", "opponent_away"):
        texts[name] = f"{texts[name]} away" if row.get(name) else "money play"
    is_wrong = bool(row.get("best")) and _cost_of_row(row) >= LEAST_SEEN
    board = _board_of_row(row, texts, is_wrong=is_wrong)
    link = ""
    page = page_beside(file, row.get("file") or "")
    if page:
        link = f' · <a href="{page}#{escape(row.get("xgid") or "")}">in the match</a>'
    pieces = texts | {
        "file": shown_name(PurePath(row.get("file") or UNKNOWN).name),
        "link": link,
        "question": _question_of_row(row, texts),
        "board": board.picture,
        "light": board.light,
        "dark": board.dark,
    }
    if is_wrong:
        pieces["cost"] = f'<small class="loss">lost {row["error"]:.3f}</small>'
        pieces["open"] = ""
        pieces["mark"] = "made"
        pieces["instead"] = f'<p class="best">{texts["best"]} <small>best</small></p>'
    else:  # there is no better answer to hide
        pieces["cost"] = ""
        pieces["open"] = " open"
        pieces["mark"] = ""
        pieces["instead"] = ""
    return filled(part("row.html"), pieces)


def _question_of_row(row: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    if row.get("dice"):
        return f" to play {texts['dice']}"
    is_double = row.get("action") in {"double", "roll"}
    return ": double or roll?" if is_double else ": take or drop?"


def _board_of_row(row: Mapping[str, Any], texts: Mapping[str, str], *, is_wrong: bool) -> _RowBoard:
    """Without a picture and pips where no XGID can be read.

    Who is on roll, or has doubled, has the light checkers, at the bottom.
    """
    player = f"{texts['player']}, {texts['away']}"
    opponent = f"{texts['opponent']}, {texts['opponent_away']}"
    try:
        state = _state_of_row(row)
        picture = _picture_of_row(row, state, is_wrong=is_wrong)
    except GammonError:
        return _RowBoard("", light=player, dark=opponent)
    light_side = player
    dark_side = opponent
    if state.pending_double is not None:  # the player answers, and the opponent has doubled
        light_side = opponent
        dark_side = player
    return _RowBoard(
        picture,
        light=f"{light_side}, {state.position.pip_count} pips",
        dark=f"{dark_side}, {state.position.opponent_pip_count} pips",
    )


def _state_of_row(row: Mapping[str, Any]) -> MatchState:
    """The state, with White on roll. Raises GammonError if there is none."""
    with warnings.catch_warnings(action="ignore"):
        state = MatchState.from_xgid(row.get("xgid") or "")
    return state.swap_players() if state.on_roll is Player.BLACK else state


def _picture_of_row(row: Mapping[str, Any], state: MatchState, *, is_wrong: bool) -> str:
    """The board, with the best play, or the one that was made. Raises GammonError for a play of another board."""
    names = [row.get("player") or "", row.get("opponent") or ""]
    if state.pending_double is not None:  # the player answers, and the opponent has doubled
        names.reverse()
    action = row.get("action") or ""
    is_play = "/" in action  # and nothing with the cube
    made = action if is_play else None
    best = None
    if is_wrong and state.dice:
        best = known_play(state.legal_plays, row["best"])
    return svg.table(state, names=names, arrows=best or made, made=made, **BARE)
