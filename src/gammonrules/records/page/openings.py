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
from gammonrules.records.page.report import SHADES, style
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
_BARS: Final = 5
"""So many of the most frequent plays have a bar."""
_REPLIES: Final = 30


def page_of_openings(rows: Sequence[Any], title: str) -> str:
    rolls, replies = _rolls_and_replies(rows)
    pieces = {
        "title": shown_name(title),
        "by": shown_name(_evaluator_of(rows)),
        "map": "".join([_roll_in_map(group) for group in rolls]),
    }
    ranked = sorted(rolls, key=_lost_with_roll, reverse=True)
    rolls_judged = [group for group in ranked if _best_play(group) is not None]
    other_rolls = [group for group in ranked if _best_play(group) is None]
    if not rolls_judged:
        rolls_judged = other_rolls
        other_rolls = []
    drawn_rolls = [_plays_of_roll(group) for group in rolls_judged]
    others = [_plays_of_roll(group) for group in other_rolls]
    frequent = nlargest(_REPLIES, replies, key=_number_of_games)
    drawn_replies = [_plays_of_roll(group) for group in frequent]
    openings = [*chain.from_iterable(rolls_judged + other_rolls)]
    judged = sum([row["judged"] for row in openings])
    number = f"{judged:,} of {counted(_number_of_games(openings), 'opening', ',')}"
    if judged < _FEW:
        number += ": too few to trust"
    priced = [row for row in openings if row["cost"] is not None]
    pieces |= {
        "first": "".join(drawn_rolls[:1]),
        "rolls": "".join(drawn_rolls[1:]),
        "others": "".join(others),
        "no_others": "" if others else " hidden",
        "replies": "".join(drawn_replies),
        "key": marks_in(_KEY, "".join(drawn_rolls + others + drawn_replies)),
        "judged": number,
        "priced": f"{_number_of_games(priced):,}",
        "cost": cell_text(_mean_cost(openings)),
        "hidden": "" if judged else " hidden",
        "lead": _lead(rolls_judged[0]) if judged else "No engine has judged these openings.",
    }
    body = filled(part("openings.html"), pieces)
    return document(escape(cell_text(title)), style(), body, command="openings")


def _rolls_and_replies(rows: Sequence[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    """The rows of each opening roll, and those of each roll after an opening."""
    rolls: list[list[Any]] = []
    replies: list[list[Any]] = []
    for _, group in groupby(rows, itemgetter("opening_dice", "opening", "dice")):
        plays = [*group]
        is_reply = bool(plays[0]["opening"])
        if is_reply:
            replies.append(plays)
        else:
            rolls.append(plays)
    return rolls, replies


def _evaluator_of(rows: Sequence[Any]) -> str:
    """Who judged the plays, in words."""
    for row in rows:
        if row["judged"]:
            return ", ".join([words for words in (row["engine"], row["level"]) if words])
    return "nobody"


def _lost_with_roll(rows: Sequence[Any]) -> float:
    lost: float = sum([_lost_in_all(row) for row in rows])
    return lost


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum([row["games"] for row in rows])


def _lost_in_all(row: Any) -> Any:
    """In all games."""
    return _known_cost(row) * row["games"]


def _known_cost(row: Any) -> Any:
    """0 if no engine says what a play costs."""
    return 0 if row["cost"] is None else row["cost"]


def _mean_cost(rows: Sequence[Any]) -> float | None:
    """What these plays cost on average; None if no engine says of any."""
    games = _number_of_games([row for row in rows if row["cost"] is not None])
    return sum([_lost_in_all(row) for row in rows]) / games if games else None


def _best_play(rows: Sequence[Any]) -> str | None:
    """The play that costs least, of those that were made and the one that an engine called best."""
    most_judged = max(rows, key=itemgetter("judged"))
    best: str | None = most_judged["best"]
    if not best:
        return None
    costs = {best: 0.0}
    for row in rows:
        if row["cost"] is not None:
            costs[row["action"]] = row["cost"]
    return min(costs, key=lambda play: costs[play])


def _lead(rows: Sequence[Any]) -> str:
    """What to learn first."""
    worst = max(rows, key=_lost_in_all)
    dice = "-".join(rows[0]["dice"])
    if _known_cost(worst) < _ERROR:
        return f"No opening lost much; most is lost with {dice}."
    often = f"{worst['games']:,} of {counted(_number_of_games(rows), 'game', ',')}"
    cost = f"costs {worst['cost']:.3f} points each time"
    return f"Most is lost with {dice}: {worst['action']}, played in {often}, {cost}; {_best_play(rows)} is best."


def _roll_in_map(rows: Sequence[Any]) -> str:
    """A cell of the map of opening rolls, the darker the more it costs."""
    dice = rows[0]["dice"]
    cost = _mean_cost(rows)
    words = f"{'-'.join(dice)}<small>{cell_text(cost) or UNKNOWN}</small>"
    shade = 0 if cost is None else min(SHADES, int(cost / _ERROR))
    return f'<a class="heat{shade}" href="#roll-{dice}">{words}</a>'


def _plays_of_roll(rows: Sequence[Any]) -> str:
    """The plays of one roll, in the first position or after an opening."""
    opening_dice = rows[0]["opening_dice"]
    opening = rows[0]["opening"]
    dice = rows[0]["dice"]
    position = Position.start()
    if opening:
        position = position.play(opening, opening_dice)
    best = known_play(position.legal_plays(dice), _best_play(rows))
    worst = max(rows, key=_lost_in_all)
    made = worst["action"] if _known_cost(worst) >= _ERROR else None
    games = _number_of_games(rows)
    board = svg.board(position, dice=dice, arrows=best or (), made=made if best else None, **BARE)
    pieces = {
        "id": "" if opening else f' id="roll-{dice}"',
        "dice": "-".join(dice),
        "after": f"after {'-'.join(opening_dice)}: {opening} · " if opening else "",
        "games": counted(games, "game", ","),
        "board": board,
        "bars": _bars_of_plays(rows, games, best, made),
        "table": wide_table(
            f"Numbers of {dice}",
            head=_HEAD,
            rows=[_cells_of_play(row) for row in rows],
            done=[number for number, row in enumerate(rows) if row["action"] == best],
        ),
    }
    return filled(part("opening.html"), pieces)


def _bars_of_plays(rows: Sequence[Any], games: int, best: str | None, made: str | None) -> str:
    """A bar for each of the most frequent plays, the best and the one that lost most."""
    bars: list[str] = []
    has_best = False
    for number, row in enumerate(rows):
        play = row["action"]
        if number >= _BARS and play not in {best, made}:
            continue
        mark = ""
        if play == best:
            mark = "best"
            has_best = True
        elif play == made:
            mark = "made"
        bars.append(_bar(row, row["games"] / games, mark))
    if best and not has_best:
        bars.append(_bar({"action": best, "games": 0, "cost": 0.0}, 0.0, "best"))
    return "".join(bars)


def _bar(row: Any, share: float, mark: str) -> str:
    kind = ""
    for size, least in MISTAKES["xg"].items():
        if _known_cost(row) >= least:
            kind = size
    pieces = {
        "play": row["action"],
        "width": f"{100 * share:.0f}",
        "share": f"{share:.0%}",
        "kind": kind,
        "mark": mark,
        "cost": cell_text(row["cost"]) or UNKNOWN,
    }
    return filled(part("bar.html"), pieces)


def _cells_of_play(row: Any) -> list[str]:
    numbers = [_number_cell(row, name) for name in _FORMS]
    return [row["action"], *numbers, row["best"] or UNKNOWN]


def _number_cell(row: Any, name: str) -> str:
    """With half of its interval, if it has one."""
    if row[name] is None:
        return UNKNOWN
    words = format(row[name], _FORMS[name])
    error = row.get(f"{name}_se")
    if error is not None:
        words += f" ± {format(DEVIATIONS * error, _FORMS[name])}"
    return words.replace("-", "\N{MINUS SIGN}")
