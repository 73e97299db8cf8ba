"""The page of openings: what people play, what comes of it and what it costs, as one HTML file without any script."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from html import escape
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Final

from gammonrules.analysis.internals import DEVIATIONS, MIN_SEEN, cell_text
from gammonrules.board import Position
from gammonrules.draw import svg
from gammonrules.records.page.decisions_page import marks_in
from gammonrules.records.page.html_tables import UNKNOWN, wide_table
from gammonrules.records.page.move_list import shown_name
from gammonrules.records.page.quiz import PAGE_STYLE
from gammonrules.records.page.report import SHADES, style
from gammonrules.records.page.template import document, filled, part
from gammonrules.records.transcript import MISTAKES, known_play
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
_SHOWN_IF_NOTHING_LOST: Final = _SHOWN_IF_JUDGED[0], "the most frequent comes first"
_SHOWN_IF_UNJUDGED: Final = "Games with each roll", "the most frequent comes first"
_UNJUDGED: Final = (
    "No engine has judged these openings: <code>gammonrules analyze RECORD -o DIR</code> does; "
    "the page of DIR shows what they cost."
)
_NONE: Final = "No opening meets this."
_FEW: Final = 30
"""With fewer judged openings, the page says that they are few."""
_FIRST_ROLLS: Final = 6
"""So many are in the table of what was played."""
_HEAD_OF_PLAYED: Final = "Roll", "Played", "Times"
_HEAD_IF_JUDGED: Final = *_HEAD_OF_PLAYED, "Best", "Each", "In all"
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
    first_section = "".join([_section_of_roll(group, level=2) for group in main_rolls[:1]])
    main_sections = [_section_of_roll(group) for group in main_rolls[1:]]
    folded_sections = [_section_of_roll(group) for group in folded_rolls]
    frequent_replies = nlargest(_REPLIES, replies, key=_number_of_games)
    reply_sections = [_section_of_roll(group) for group in frequent_replies]
    openings = [*chain.from_iterable(main_rolls + folded_rolls)]
    judged = sum([row["judged"] for row in openings])
    map_shows, first_of_rolls = _words_on_order(main_rolls, judged)
    all_sections = [first_section, *main_sections, *folded_sections, *reply_sections]
    pieces = {
        "links": links,
        "title": shown_name(title),
        "played": _table_of_played(main_rolls, is_judged=judged > 0),
        "no_map": _hidden_without(rolls),
        "map_shows": map_shows,
        "map": "".join([_roll_in_map(group, is_judged=judged > 0) for group in rolls]),
        "first_of_rolls": first_of_rolls,
        "first": first_section,
        "rolls": "".join(main_sections),
        "others": "".join(folded_sections),
        "no_rolls": _hidden_without(main_sections),
        "no_others": _hidden_without(folded_sections),
        "no_replies": _hidden_without(reply_sections),
        "replies": "".join(reply_sections),
        "key": marks_in(_KEY, "".join(all_sections)),
        "judged": _words_on_judged(openings, judged, shown_name(_evaluator_of(rows))),
        "lead": _lead(main_rolls[0]) if rolls else _NONE,
    }
    body = filled(part("openings.html"), pieces)
    return document(escape(cell_text(title)), style(), body, command="openings")


def _hidden_without(content: Sequence[Any]) -> str:
    """The attribute of a part of the page that has this content."""
    return "" if content else " hidden"


def _words_on_order(main_rolls: Sequence[Sequence[Any]], judged: int) -> tuple[str, str]:
    """What the map of rolls shows, and which of the rolls comes first."""
    if not judged:
        return _SHOWN_IF_UNJUDGED
    lost, _ = _rank_of_roll(main_rolls[0])
    return _SHOWN_IF_JUDGED if lost else _SHOWN_IF_NOTHING_LOST


def _words_on_judged(openings: Sequence[Any], judged: int, evaluator: str) -> str:
    """The words for how many openings are judged, and their loss as far as it is known."""
    if not judged:
        return f"<p>{_UNJUDGED}</p>\n" if openings else ""
    games = _number_of_games(openings)
    priced = _number_of_games([row for row in openings if row["cost"] is not None])
    sentences = [f"{evaluator} judged {judged:,} of {counted(games, 'opening', ',')}."]
    if games > 1:
        plays = "all plays" if priced == games else f"the plays of {priced:,}"
        mean = cell_text(_mean_cost(openings))
        sentences.append(f"Its analyses have {plays}: they lost <b>{mean}</b> points on average.")
    if judged < _FEW:
        sentences.append("A hint only: few are judged.")
    return f"<p>{' '.join(sentences)}</p>\n"


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
    """The key by which rolls are sorted: the loss with it that can be seen, in all, and then the number of games."""
    lost: float = sum([_lost_in_all(row) for row in rows if _known_cost(row) >= MIN_SEEN])
    return lost, _number_of_games(rows)


def _number_of_games(rows: Sequence[Any]) -> int:
    return sum([row["games"] for row in rows])


def _lost_in_all(row: Any) -> Any:
    """In all games."""
    return _known_cost(row) * row["games"]


def _known_cost(row: Any) -> Any:
    """0 if no engine says what a play costs."""
    return 0 if row["cost"] is None else row["cost"]


def _as_shown(cost: float) -> float:
    """A cost in the three decimals of the page: what costs the same there has the same tint and marks."""
    return round(cost, 3)


def _is_error(row: Any) -> bool:
    return _as_shown(_known_cost(row)) >= _ERROR


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


def _costliest_play(rows: Sequence[Any]) -> Any:
    """The play of a roll that lost most in all; if none lost anything that can be seen, the most frequent one."""
    costly = [row for row in rows if _known_cost(row) >= MIN_SEEN]
    return max(costly, key=_lost_in_all) if costly else max(rows, key=itemgetter("games"))


def _lead(rows: Sequence[Any]) -> str:
    """What was played with the roll that comes first, and what it lost; `rows` are its plays."""
    row = _costliest_play(rows)
    times = f"{row['games']:,} of {counted(_number_of_games(rows), 'time', ',')}"
    played = f"{_with_dash(row['dice'])}: {row['action']}, {times}"
    if row["cost"] is None:
        return f"{played}."
    if row["cost"] < MIN_SEEN:
        return f"{played}. Nothing was lost with any opening."
    if not _is_error(row):
        return f"{played}, cost {row['cost']:.3f} points each. No opening lost much."
    cost = f"cost {row['cost']:.3f} points each, the most of all"
    return f"{played}, {cost}; {_best_play(rows)} is best."


def _table_of_played(rolls: Sequence[Sequence[Any]], *, is_judged: bool) -> str:
    """What was played with the rolls that come first, one play of each, what was best, and what it lost."""
    cells: list[list[str]] = []
    for rows in rolls[:_FIRST_ROLLS]:
        row = _costliest_play(rows)
        dice = row["dice"]
        link = f'<a href="#roll-{dice}">{_with_dash(dice)}</a>'
        times = f"{row['games']:,} of {_number_of_games(rows):,}"
        costs = [cell_text(row["cost"]) or UNKNOWN, cell_text(_lost_in_all(row))]
        cells.append([link, row["action"], times, _best_play(rows) or UNKNOWN, *costs])
    caption = "What was played"
    head: Sequence[str] = _HEAD_OF_PLAYED
    if is_judged:
        caption += ", and what it lost, in points"
        head = _HEAD_IF_JUDGED
    table = wide_table("What was played", head, [row[: len(head)] for row in cells])
    return f"<div><small>{caption}</small>{table}</div>\n" if table else ""


def _roll_in_map(rows: Sequence[Any], *, is_judged: bool) -> str:
    """A cell of the map of opening rolls, the darker the more it costs; with the games if nothing is judged."""
    dice = rows[0]["dice"]
    cost = _mean_cost(rows)
    number = (cell_text(cost) or UNKNOWN) if is_judged else f"{_number_of_games(rows):,}"
    words = f"{_with_dash(dice)}<small>{number}</small>"
    shade = 0 if cost is None else min(SHADES, int(_as_shown(cost) / _ERROR))
    return f'<a class="heat{shade}" href="#roll-{dice}">{words}</a>'


def _with_dash(dice: str) -> str:
    """A roll such as 31 as it is said: 3-1."""
    return "-".join(dice)


def _section_of_roll(rows: Sequence[Any], level: int = 3) -> str:
    """The board, the bars and the table of the plays of one roll, in the first position or after an opening.

    `level`: of its heading.
    """
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
    mistake = worst["action"] if _is_error(worst) else None
    if best:
        board = svg.position(position, dice=dice, arrows=best, made=mistake, style=PAGE_STYLE)
    else:
        board = svg.position(position, dice=dice, style=PAGE_STYLE)
    games = _number_of_games(rows)
    table = wide_table(
        f"Numbers of {dice}",
        head=_HEAD,
        rows=[_cells_of_play(row) for row in rows],
        done=[number for number, row in enumerate(rows) if row["action"] == best],
    )
    pieces = {
        "id": id_attribute,
        "level": str(level),
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
        if cost is not None and _as_shown(cost) >= least:
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
