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
from gammonrules.records.transcript import DEVIATIONS, LEAST_SEEN, MISTAKES, known_play
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
_SHOWN_IF_JUDGED: Final = (
    f"Points lost with each roll, on average ({UNKNOWN}: not judged)",
    "what lost most in all comes first",
)
"""What the map of rolls shows, and which of the other rolls comes first."""
_SHOWN_IF_UNJUDGED: Final = "Games with each roll", "the most frequent comes first"
_UNJUDGED: Final = (
    "No engine has judged these openings: <code>gammonrules analyze RECORD -o DIR</code> does; "
    "the page of DIR shows what they cost."
)
_NONE: Final = "No opening meets this."
_FEW: Final = 30
"""With fewer judged openings, the page says that they are too few."""
_COSTLIEST: Final = 6
_HEAD_OF_COSTLIEST: Final = "Roll", "Played", "Best", "Games", "Each", "In all"
_BARS: Final = 5
"""So many of the most frequent plays have a bar."""
_REPLIES: Final = 30


def page_of_openings(rows: Sequence[Any], title: str, links: str = "") -> str:
    rolls, replies = _rolls_and_replies(rows)
    ranked = sorted(rolls, key=_rank_of_roll, reverse=True)
    main_rolls = [group for group in ranked if _best_play(group) is not None]
    folded_rolls = [group for group in ranked if _best_play(group) is None]
    if not main_rolls:  # where nothing is judged, nothing is folded
        main_rolls = ranked
        folded_rolls = []
    main_sections = [_section_of_roll(group) for group in main_rolls]
    folded_sections = [_section_of_roll(group) for group in folded_rolls]
    frequent_replies = nlargest(_REPLIES, replies, key=_number_of_games)
    reply_sections = [_section_of_roll(group) for group in frequent_replies]
    openings = [*chain.from_iterable(main_rolls + folded_rolls)]
    judged = sum([row["judged"] for row in openings])
    lead = _UNJUDGED if rolls else _NONE
    if judged:
        lead = _lead(main_rolls[0])
    map_shows, first_of_rolls = _SHOWN_IF_JUDGED if judged else _SHOWN_IF_UNJUDGED
    all_sections = main_sections + folded_sections + reply_sections
    pieces = {
        "links": links,
        "title": shown_name(title),
        "costliest": _table_of_costliest(main_rolls, judged),
        "no_map": _hidden_without(rolls),
        "map_shows": map_shows,
        "map": "".join([_roll_in_map(group, is_judged=judged > 0) for group in rolls]),
        "first_of_rolls": first_of_rolls,
        "first": "".join(main_sections[:1]),
        "rolls": "".join(main_sections[1:]),
        "others": "".join(folded_sections),
        "no_rolls": _hidden_without(main_sections[1:]),
        "no_others": _hidden_without(folded_sections),
        "no_replies": _hidden_without(reply_sections),
        "replies": "".join(reply_sections),
        "key": marks_in(_KEY, "".join(all_sections)),
        "judged": _words_on_judged(openings, judged, shown_name(_evaluator_of(rows))),
        "lead": lead,
        "lead_size": "hint" if judged < _FEW else "lead",
    }
    body = filled(part("openings.html"), pieces)
    return document(escape(cell_text(title)), style(), body, command="openings")


def _hidden_without(content: Sequence[Any]) -> str:
    """The attribute of a part of the page that has this content."""
    return "" if content else " hidden"


def _words_on_judged(openings: Sequence[Any], judged: int, evaluator: str) -> str:
    """The words for how many openings are judged, and their loss as far as it is known; "" if none is judged."""
    if not judged:
        return ""
    games = _number_of_games(openings)
    priced = _number_of_games([row for row in openings if row["cost"] is not None])
    few = ": too few to trust" if judged < _FEW else ""
    judgment = f"{evaluator} judged {judged:,} of {counted(games, 'opening', ',')}{few}."
    if games <= 1:
        return f"<p>{judgment}</p>\n"
    losers = f"All {games:,}" if priced == games else f"The {priced:,} whose cost is known"
    loss = f"{losers} lost <b>{cell_text(_mean_cost(openings))}</b> points on average."
    return f"<p>{judgment} {loss}</p>\n"


def _rolls_and_replies(rows: Sequence[Any]) -> tuple[list[list[Any]], list[list[Any]]]:
    """The rows of each opening roll, and those of each roll after an opening."""
    rolls: list[list[Any]] = []
    replies: list[list[Any]] = []
    for _, group in groupby(rows, itemgetter("opening_dice", "opening", "dice")):
        rows_of_roll = [*group]
        opening_before = rows_of_roll[0]["opening"]
        if opening_before:
            replies.append(rows_of_roll)
        else:
            rolls.append(rows_of_roll)
    return rolls, replies


def _evaluator_of(rows: Sequence[Any]) -> str:
    """The evaluator of the plays, in words."""
    for row in rows:
        if row["judged"]:
            return ", ".join([words for words in (row["engine"], row["level"]) if words])
    return "nobody"


def _rank_of_roll(rows: Sequence[Any]) -> tuple[float, int]:
    """The key by which rolls are sorted: the loss with it in all, and then the number of games."""
    lost: float = sum([_lost_in_all(row) for row in rows])
    return lost, _number_of_games(rows)


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum([row["games"] for row in rows])


def _lost_in_all(row: Any) -> Any:
    """In all games."""
    return _known_cost(row) * row["games"]


def _known_cost(row: Any) -> Any:
    """0 if no engine says what a play costs."""
    return 0 if row["cost"] is None else row["cost"]


def _mean_cost(rows: Sequence[Any]) -> float | None:
    """The mean cost of these plays; None if no engine says of any."""
    games = _number_of_games([row for row in rows if row["cost"] is not None])
    return sum([_lost_in_all(row) for row in rows]) / games if games else None


def _best_play(rows: Sequence[Any]) -> str | None:
    """The play that costs least, of those that were made and the one that an engine called best."""
    most_judged = max(rows, key=itemgetter("judged"))
    best: str | None = most_judged["best"]
    if not best:
        return None
    costs = {best: 0.0}  # unless it was made, and cost something when it was judged itself
    for row in rows:
        if row["cost"] is not None:
            costs[row["action"]] = row["cost"]
    return min(costs, key=lambda play: costs[play])


def _lead(rows: Sequence[Any]) -> str:
    """The advice on what to learn first; `rows` are the plays of the roll with which most is lost."""
    worst = max(rows, key=_lost_in_all)
    dice = _with_dash(rows[0]["dice"])
    if _known_cost(worst) < LEAST_SEEN:
        return "Nothing was lost with any opening."
    if _known_cost(worst) < _ERROR:
        return f"No opening lost much; most is lost with {dice}."
    often = f"{worst['games']:,} of {counted(_number_of_games(rows), 'game', ',')}"
    cost = f"costs {worst['cost']:.3f} points each time"
    return f"Most is lost with {dice}: {worst['action']}, played in {often}, {cost}; {_best_play(rows)} is best."


def _table_of_costliest(rolls: Sequence[Sequence[Any]], judged: int) -> str:
    """The plays that lost most in all, one of each roll, with what is best instead; "" if no play lost much.

    Of few openings, as those of one match, what lost nothing is shown too.
    """
    if not judged:
        return ""
    least_shown = LEAST_SEEN if judged >= _FEW else 0
    lost: list[tuple[Any, Sequence[Any]]] = []
    for rows in rolls:
        priced = [row for row in rows if row["cost"] is not None and row["cost"] >= least_shown]
        if priced:
            lost.append((max(priced, key=_lost_in_all), rows))
    lost.sort(key=lambda worst_and_rows: -_lost_in_all(worst_and_rows[0]))
    cells: list[list[str]] = []
    for worst, rows in lost[:_COSTLIEST]:
        dice = worst["dice"]
        link = f'<a href="#roll-{dice}">{_with_dash(dice)}</a>'
        best = _best_play(rows) or UNKNOWN
        games = f"{worst['games']:,}"
        costs = [cell_text(worst["cost"]), cell_text(_lost_in_all(worst))]
        cells.append([link, worst["action"], best, games, *costs])
    table = wide_table("What lost most", _HEAD_OF_COSTLIEST, cells)
    caption = "<small>What lost most with each roll, in points</small>"
    return f"<div>{caption}{table}</div>\n" if table else ""


def _roll_in_map(rows: Sequence[Any], *, is_judged: bool) -> str:
    """A cell of the map of opening rolls, the darker the more it costs; with the games if nothing is judged."""
    dice = rows[0]["dice"]
    cost = _mean_cost(rows)
    number = (cell_text(cost) or UNKNOWN) if is_judged else f"{_number_of_games(rows):,}"
    words = f"{_with_dash(dice)}<small>{number}</small>"
    shade = 0 if cost is None else min(SHADES, int(cost / _ERROR))
    return f'<a class="heat{shade}" href="#roll-{dice}">{words}</a>'


def _with_dash(dice: str) -> str:
    """A roll such as 31 as it is said: 3-1."""
    return "-".join(dice)


def _section_of_roll(rows: Sequence[Any]) -> str:
    """The board, the bars and the table of the plays of one roll, in the first position or after an opening."""
    opening_dice = rows[0]["opening_dice"]
    opening = rows[0]["opening"]
    dice = rows[0]["dice"]
    position = Position.start()
    id_attribute = f' id="roll-{dice}"'
    after_opening = ""
    if opening:
        position = position.play(opening, opening_dice)
        id_attribute = ""  # the map of rolls does not lead to replies
        after_opening = f"after {_with_dash(opening_dice)}: {opening} · "
    best = known_play(position.legal_plays(dice), _best_play(rows))
    worst = max(rows, key=_lost_in_all)
    mistake = worst["action"] if _known_cost(worst) >= _ERROR else None
    if best:
        board = svg.board(position, dice=dice, arrows=best, made=mistake, **BARE)
    else:
        board = svg.board(position, dice=dice, **BARE)
    games = _number_of_games(rows)
    table = wide_table(
        f"Numbers of {dice}",
        head=_HEAD,
        rows=[_cells_of_play(row) for row in rows],
        done=[number for number, row in enumerate(rows) if row["action"] == best],
    )
    pieces = {
        "id": id_attribute,
        "dice": _with_dash(dice),
        "after": after_opening,
        "games": counted(games, "game", ","),
        "board": board,
        "bars": _bars_of_plays(rows, games, best, mistake),
        "table": table,
    }
    return filled(part("opening.html"), pieces)


def _bars_of_plays(rows: Sequence[Any], games: int, best: str | None, mistake: str | None) -> str:
    """A bar for each of the most frequent plays, the best and the one that lost most."""
    bars: list[str] = []
    marks: dict[str, str] = {}
    if mistake:
        marks[mistake] = "made"
    if best:  # after the mistake: a best play that lost most is marked as the best
        marks[best] = "best"
    for number, row in enumerate(rows):
        play = row["action"]
        is_frequent = number < _BARS  # the first rows are the most frequent plays
        if is_frequent or play in marks:
            share = row["games"] / games
            bars.append(_bar(play, row["cost"], share, marks.get(play, "")))
    is_best_made = any(row["action"] == best for row in rows)
    if best and not is_best_made:
        bars.append(_bar(best, cost=0.0, share=0.0, mark="best"))
    return "".join(bars)


def _bar(play: str, cost: float | None, share: float, mark: str) -> str:
    """A bar as long as the share of games in which a play was made, with its cost."""
    size_of_mistake = ""
    for size, least in MISTAKES["xg"].items():  # from small to large
        if cost is not None and cost >= least:
            size_of_mistake = size
    pieces = {
        "play": play,
        "width": f"{100 * share:.0f}",
        "share": f"{share:.0%}",
        "kind": size_of_mistake,
        "mark": mark,
        "cost": cell_text(cost) or UNKNOWN,
    }
    return filled(part("bar.html"), pieces)


def _cells_of_play(row: Any) -> list[str]:
    numbers = [_number_cell(row, name) for name in _FORMS]
    return [row["action"], *numbers, row["best"] or UNKNOWN]


def _number_cell(row: Any, name: str) -> str:
    """A number, and after "±" how far it can be off, if its standard error is known."""
    number = row[name]
    if number is None:
        return UNKNOWN
    form = _FORMS[name]
    words = format(number, form)
    standard_error = row.get(f"{name}_se")
    if standard_error is not None:
        words += f" ± {format(DEVIATIONS * standard_error, form)}"
    return words.replace("-", "\N{MINUS SIGN}")
