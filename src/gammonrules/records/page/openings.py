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
from gammonrules.records.transcript import DEVIATIONS, MISTAKES, known_play
from gammonrules.values import counted

_HEAD: Final = "Play", "Games", "Won", "Points", "Matches won", "Judged", "Error", "Best"
_FORMS: Final = {
    "games": ",",
    "won": ".0%",
    "game_points": ".2f",
    "match_won": ".0%",
    "judged": ",",
    "error": ".3f",
}
_ERROR: Final = MISTAKES["xg"]["error"]
_SIZES: Final = {size: f"cost {least:g} or more" for size, least in MISTAKES["xg"].items()}
_KEY: Final = {"best": "best", "made": "lost most", "both": "in both"} | _SIZES
_FEW: Final = 30
"""With fewer judged openings, the page says that they are too few."""


def page_of_openings(rows: Sequence[Any], title: str) -> str:
    judge = next(
        (", ".join(filter(None, (row["engine"], row["level"]))) for row in rows if row["judged"]),
        "nobody",
    )
    groups = [[*its] for _, its in groupby(rows, itemgetter("opening_dice", "opening", "dice"))]
    rolls, replies = (
        [its for its in groups if bool(its[0]["opening"]) is is_reply] for is_reply in (False, True)
    )
    pieces = {
        "title": shown_name(title),
        "by": shown_name(judge),
        "map": "".join(map(_roll, rolls)),
    }
    rolls.sort(key=lambda its: (not _best_play(its), -sum(map(_lost_in_all, its))))
    known = sum(map(bool, map(_best_play, rolls))) or len(rolls)
    cards = [*map(_group, rolls), *map(_group, nlargest(30, replies, key=_number_of_games))]
    pieces |= {"first": "".join(cards[:1]), "rolls": "".join(cards[1:known])}
    pieces |= {
        "others": "".join(cards[known : len(rolls)]),
        "no_others": " hidden" * (known == len(rolls)),
    }
    pieces |= {"replies": "".join(cards[len(rolls) :]), "key": marks_in(_KEY, "".join(cards))}
    openings = [*chain(*rolls)]
    judged = sum(row["judged"] for row in openings)
    few = ": too few to trust"
    number = f"{judged:,} of {counted(_number_of_games(openings), 'opening', ',')}{few * (judged < _FEW)}"
    priced = _number_of_games([row for row in openings if row["cost"] is not None])
    pieces |= {"judged": number, "priced": f"{priced:,}"}
    pieces |= {"cost": cell_text(_mean_cost(openings)), "hidden": " hidden" * (not judged)}
    pieces["lead"] = _lead(rolls[0]) if judged else "No engine has judged these openings."
    return document(
        escape(cell_text(title)), style(), filled(part("openings.html"), pieces), command="openings"
    )


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum(row["games"] for row in rows)


def _lost_in_all(row: Any) -> Any:
    """In all games."""
    return (row["cost"] or 0) * row["games"]


def _mean_cost(rows: Sequence[Any]) -> float | None:
    """What these plays cost on average; None if no engine says of any."""
    games = sum(row["games"] for row in rows if row["cost"] is not None)
    return sum(map(_lost_in_all, rows)) / games if games else None


def _best_play(rows: Sequence[Any]) -> Any:
    """The play that costs least, of those that were made and the one that an engine called best."""
    told = max(rows, key=itemgetter("judged"))["best"]
    costs = {told: 0.0} | {row["action"]: row["cost"] for row in rows if row["cost"] is not None}
    return min(costs, key=lambda play: costs[play]) if told else None


def _lead(rows: Sequence[Any]) -> str:
    """What to learn first."""
    worst = max(rows, key=_lost_in_all)
    dice = "-".join(rows[0]["dice"])
    if (worst["cost"] or 0) < _ERROR:
        return f"No opening lost much; most is lost with {dice}."
    often = f"{worst['games']:,} of {counted(_number_of_games(rows), 'game', ',')}"
    cost = f"costs {worst['cost']:.3f} points each time"
    return f"Most is lost with {dice}: {worst['action']}, played in {often}, {cost}; {_best_play(rows)} is best."


def _roll(rows: Sequence[Any]) -> str:
    """A cell of the map of opening rolls, the darker the more it costs."""
    dice = rows[0]["dice"]
    cost = _mean_cost(rows)
    words = f"{'-'.join(dice)}<small>{cell_text(cost) or UNKNOWN}</small>"
    shade = min(4, int((cost or 0) / _ERROR))
    return f'<a class="heat{shade}" href="#roll-{dice}">{words}</a>'


def _group(rows: Sequence[Any]) -> str:
    """The plays of one roll, in the first position or after an opening."""
    before, opening, dice = itemgetter("opening_dice", "opening", "dice")(rows[0])
    position = Position.start().play(opening, before) if opening else Position.start()
    best = known_play(position.legal_plays(dice), _best_play(rows))
    worst = max(rows, key=_lost_in_all)
    made = worst["action"] if (worst["cost"] or 0) >= _ERROR else None
    games = _number_of_games(rows)
    listed = {
        row["action"]: row for at, row in enumerate(rows) if at < 5 or row["action"] in {best, made}
    }
    if best:
        listed.setdefault(best, {"action": best, "games": 0, "cost": 0.0})
    marks = {made: "made", best: "best"}
    cells = (
        [row["action"], *(_number_cell(row, name) for name in _FORMS), row["best"] or UNKNOWN]
        for row in rows
    )
    done = [at for at, row in enumerate(rows) if row["action"] == best]
    pieces = {
        "id": "" if opening else f' id="roll-{dice}"',
        "dice": "-".join(dice),
        "after": f"after {'-'.join(before)}: {opening} · " * bool(opening),
        "games": counted(games, "game", ","),
        "board": svg.board(
            position, dice=dice, arrows=best or (), made=made if best else None, **BARE
        ),
        "bars": "".join(
            _bar(row, row["games"] / games, marks.get(play, "")) for play, row in listed.items()
        ),
        "table": wide_table(f"Numbers of {dice}", head=_HEAD, rows=cells, done=done),
    }
    return filled(part("opening.html"), pieces)


def _bar(row: Any, share: float, mark: str) -> str:
    kind = "".join(
        [size for size, least in MISTAKES["xg"].items() if (row["cost"] or 0) >= least][-1:]
    )
    told = {
        "play": row["action"],
        "width": f"{100 * share:.0f}",
        "share": f"{share:.0%}",
        "kind": kind,
        "mark": mark,
    }
    return filled(part("bar.html"), told | {"cost": cell_text(row["cost"]) or UNKNOWN})


def _number_cell(row: Any, name: str) -> str:
    """With half of its interval, if it has one."""
    error = row.get(f"{name}_se")
    known = [number for number in (row[name], error and DEVIATIONS * error) if number is not None]
    return (
        " ± ".join(format(number, _FORMS[name]) for number in known).replace("-", "\N{MINUS SIGN}")
        or UNKNOWN
    )
