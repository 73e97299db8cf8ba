"""The page of openings: what people play, what comes of it and what it costs, as one HTML file without any script."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from html import escape
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from gammonrules.board import Position
from gammonrules.draw import svg
from gammonrules.records.page.frame import cell_text, document, filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.report import UNKNOWN, style, wide_table
from gammonrules.records.transcript import MISTAKES

_HEAD: Final = "Play", "Games", "Won", "Points", "Matches won", "Judged", "Error", "Best"
_FORMS: Final = {"games": ",", "won": ".0%", "game_points": ".2f", "match_won": ".0%", "judged": ",", "error": ".3f"}


def page_of_openings(rows: Sequence[Any], title: str) -> str:
    judge = next((", ".join(filter(None, (row["engine"], row["level"]))) for row in rows if row["judged"]), "nobody")
    groups = [[*its] for _, its in groupby(rows, itemgetter("opening_dice", "opening", "dice"))]
    rolls = "".join(_group(its) for its in groups if not its[0]["opening"])
    replies = "".join(map(_group, nlargest(30, (its for its in groups if its[0]["opening"]), key=_number_of_games)))
    told = {"title": shown_name(title), "by": shown_name(judge), "rolls": rolls, "replies": replies}
    head, body = escape(cell_text(title)), filled(part("openings.html"), told)
    return document(head, style(), body, command="openings")


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum(row["games"] for row in rows)


def _group(rows: Sequence[Any]) -> str:
    """The plays of one roll, in the first position or after an opening."""
    before, opening, dice, most = itemgetter("opening_dice", "opening", "dice", "action")(rows[0])
    position = Position.start().play(opening, before) if opening else Position.start()
    board = svg.board(position, dice=dice, arrows=most, theme="auto", header=False, footer=False)
    bars = "".join(_bar(at, row, row["games"] / _number_of_games(rows)) for at, row in enumerate(rows[:5]))
    title = f"{before}: {opening}, " * bool(opening) + dice
    cells = ([row["action"], *(_number_cell(row, name) for name in _FORMS), row["best"] or UNKNOWN] for row in rows)
    best = [at for at, row in enumerate(rows) if row["action"] == row["best"]]
    pieces = {
        "title": title,
        "games": f"{_number_of_games(rows):,}",
        "board": board,
        "bars": bars,
        "table": wide_table(title, _HEAD, cells, best),
    }
    return filled(part("opening.html"), pieces)


def _bar(at: int, row: Any, share: float) -> str:
    kind = "".join([size for size, least in MISTAKES["xg"].items() if (row["error"] or 0) >= least][-1:])
    words = f"{share:.0%}" if row["error"] is None else f"{share:.0%}, {row['error']:.3f}"
    pieces = {"y": f"{30 * at}", "play": row["action"], "width": f"{330 * share:.0f}", "kind": kind, "words": words}
    return filled(part("bar.html"), pieces)


def _number_cell(row: Any, name: str) -> str:
    """With its standard error, if there is one."""
    known = [number for number in (row[name], row.get(f"{name}_se")) if number is not None]
    return " ± ".join(format(number, _FORMS[name]) for number in known).replace("-", "\N{MINUS SIGN}") or UNKNOWN
