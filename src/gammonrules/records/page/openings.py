"""The page of openings: what people play, what comes of it and what it costs, as one HTML file without any script."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from html import escape
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

from gammonrules.board import Position
from gammonrules.draw import svg
from gammonrules.records.page.frame import cell_text, document, filled, part
from gammonrules.records.page.listing import shown_name
from gammonrules.records.page.report import style
from gammonrules.records.page.rows import BARE, marks_in
from gammonrules.records.page.tables import UNKNOWN, wide_table
from gammonrules.records.transcript import MISTAKES, known_play
from gammonrules.values import counted

_HEAD: Final = "Play", "Games", "Won", "Points", "Matches won", "Judged", "Error", "Best"
_FORMS: Final = {"games": ",", "won": ".0%", "game_points": ".2f", "match_won": ".0%", "judged": ",", "error": ".3f"}
_SIZES: Final = {size: f"cost {least:g} or more" for size, least in MISTAKES["xg"].items()}
_KEY: Final = {"best": "best play", "made": "made most often, though another one was best"} | _SIZES


def page_of_openings(rows: Sequence[Any], title: str) -> str:
    judge = next((", ".join(filter(None, (row["engine"], row["level"]))) for row in rows if row["judged"]), "nobody")
    groups = [[*its] for _, its in groupby(rows, itemgetter("opening_dice", "opening", "dice"))]
    rolls, replies = ([its for its in groups if bool(its[0]["opening"]) is is_reply] for is_reply in (False, True))
    pieces = {"title": shown_name(title), "by": shown_name(judge), "map": "".join(map(_roll, rolls))}
    rows, judged = [*chain(*rolls)], sum(row["judged"] for its in rolls for row in its)
    is_few = judged < max(_number_of_games(rows) / 2, 1)
    rolls.sort(key=_number_of_games if is_few else _total_cost, reverse=True)
    often = nlargest(30, replies, key=_number_of_games)
    pieces |= {"rolls": "".join(map(_group, rolls)), "replies": "".join(map(_group, often))}
    pieces["games"] = counted(_number_of_games(rows), "game", ",")
    costs = (cell_text(_mean_cost([*chain(*some)])) or UNKNOWN for some in (rolls, replies))
    pieces["costs"] = ": openings {}, replies {}".format(*costs)
    pieces["lead"] = f"{judged:,} of the {pieces['games']} begin with a play that is judged"
    pieces["lead"] += ", too few to say what costs most." if is_few else f". Most is lost with {rolls[0][0]['dice']}."
    pieces["key"] = marks_in(_KEY, pieces["rolls"] + pieces["replies"])
    return document(escape(cell_text(title)), style(), filled(part("openings.html"), pieces), command="openings")


def _total_cost(rows: Sequence[Any]) -> float:
    """What these plays cost in all, if those that nobody has judged cost as much as the others."""
    return (_mean_cost(rows) or 0) * _number_of_games(rows)


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum(row["games"] for row in rows)


def _mean_cost(rows: Sequence[Any]) -> float | None:
    """What these plays cost on average; None if nobody has judged them."""
    judged = sum(row["judged"] for row in rows)
    return sum((row["error"] or 0) * row["judged"] for row in rows) / judged if judged else None


def _roll(rows: Sequence[Any]) -> str:
    """A cell of the map of opening rolls, the darker the more it costs."""
    dice, cost = rows[0]["dice"], _mean_cost(rows)
    words, shade = f"{dice}<small>{cell_text(cost) or UNKNOWN}</small>", min(4, int((cost or 0) / 0.02))
    return f'<a class="heat{shade}" href="#roll-{dice}">{words}</a>'


def _group(rows: Sequence[Any]) -> str:
    """The plays of one roll, in the first position or after an opening."""
    before, opening, dice, most = itemgetter("opening_dice", "opening", "dice", "action")(rows[0])
    position = Position.start().play(opening, before) if opening else Position.start()
    best = known_play(position.legal_plays(dice), max(rows, key=itemgetter("judged"))["best"])
    games = _number_of_games(rows)
    listed = {row["action"]: row for at, row in enumerate(rows) if at < 5 or row["action"] == best}
    if best:
        listed[best] = listed.get(best, {"action": best, "games": 0}) | {"error": 0.0}
    marks = {most: "made" * bool(best)} | {best: "best"}
    cells = ([row["action"], *(_number_cell(row, name) for name in _FORMS), row["best"] or UNKNOWN] for row in rows)
    done = [at for at, row in enumerate(rows) if row["action"] == best]
    pieces = {
        "id": "" if opening else f' id="roll-{dice}"',
        "dice": dice,
        "after": f"after {before}: {opening} · " * bool(opening),
        "games": counted(games, "game", ","),
        "board": svg.board(position, dice=dice, arrows=best or (), made=most if best else None, **BARE),
        "bars": "".join(_bar(row, row["games"] / games, marks.get(play, "")) for play, row in listed.items()),
        "table": wide_table(f"Numbers of {dice}", _HEAD, cells, done),
    }
    return filled(part("opening.html"), pieces)


def _bar(row: Any, share: float, mark: str) -> str:
    kind = "".join([size for size, least in MISTAKES["xg"].items() if (row["error"] or 0) >= least][-1:])
    told = {"play": row["action"], "width": f"{100 * share:.0f}", "share": f"{share:.0%}", "kind": kind, "mark": mark}
    return filled(part("bar.html"), told | {"cost": cell_text(row["error"]) or UNKNOWN})


def _number_cell(row: Any, name: str) -> str:
    """With its standard error, if there is one."""
    known = [number for number in (row[name], row.get(f"{name}_se")) if number is not None]
    return " ± ".join(format(number, _FORMS[name]) for number in known).replace("-", "\N{MINUS SIGN}") or UNKNOWN
