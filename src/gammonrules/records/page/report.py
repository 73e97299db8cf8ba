"""The page of a report: how well players play, and where they lose points, as one HTML file without any script."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from html import escape
from itertools import chain, starmap
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gammonrules.draw import svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.records.page.charts import Point, Series, chart
from gammonrules.records.page.frame import document, filled, part
from gammonrules.records.page.lessons import SHOWN, Lessons, PageOf, headed, link_to, plural
from gammonrules.records.page.listing import in_bdi, judged_by, shown_name
from gammonrules.records.page.tables import UNKNOWN, share_bar, signed_number, wide_table
from gammonrules.records.page.tallies import (
    FARTHEST,
    MONEY,
    MOST_WORST,
    OTHERS,
    Cell,
    Details,
    Judge,
    PlayerMatch,
    Sum,
    Tally,
)
from gammonrules.records.transcript import ErrorRate, Errors, dashed, harmless, merged

_MOST_SECTIONS: Final = 50
_LISTED: Final = 50
"""Rows of a table of matches, opponents, openings or replies."""
_TOGETHER: Final = 20
"""Matches whose PR is one point of the line."""
_FEW: Final = 1, 2
"""So many players are named in the title, and their sections are not folded."""
_ENOUGH: Final = 50
"""Other players, for a comparison with them."""
_FEW_CUBES: Final = 50
"""With fewer cube decisions nothing is told about scores."""
_CUT: Final = 5
"""Games that are named, of those that are cut off."""
_HEAT: Final = '<span class="heat{}">{:.2f}<small>{:,}</small></span>'
_OF_RATE: Final = "Decisions", "PR", "Rate"
_OF_SUM: Final = "Matches", "Won", "Lost", *_OF_RATE, "Luck"
_KINDS: Final = {"play": "Plays", "roll": "No double", "double": "Doubles", "take": "Takes", "drop": "Drops"}


def page_of_report(tally: Tally, file: str | None) -> str:
    """Raises ArgumentError if there is no such player."""
    judges, player = tally.judges(), tally.player
    sums: Mapping[str, Sum] = tally.totals[judges[0]] if judges else {}
    ranked = [player] if player else sorted(sums, key=lambda name: -sums[name].rate.decisions)
    told = tally.details(judges[0], ranked[:_MOST_SECTIONS]) if judges else {}
    names = {name: f'<a href="#player-{at}">{shown_name(name)}</a>' for at, name in enumerate(told)}
    head = ranked if len(ranked) in _FEW else [f"{len(tally.names):,} players"]
    main = f"<h1>{' and '.join(map(shown_name, head))}</h1>\n"
    if player is None:
        rows = ([names.get(name) or shown_name(name), *_of_sum(sums[name])] for name in ranked)
        main += wide_table("Players", ("Player", *_OF_SUM), rows)
    rates = [total.rate for total in sums.values()]
    everyone = merged({"": rates if len(rates) > _ENOUGH else [ErrorRate()]})[""].kinds
    for at, (name, details) in enumerate(told.items()):
        lessons = Lessons(name, details, everyone, partial(page_beside, file), at, 2 if player else 3)
        inside = lessons.html() + "".join(_sections(lessons))
        section = f'<h2 id="player-{at}">{shown_name(name)}</h2>\n{inside}'
        folded = f"<details><summary>{shown_name(name)}</summary>\n{section}</details>\n"
        main += inside if player else section if len(told) in _FEW else folded
    main += f"<footer>{''.join(f'<p>{words}</p>' for words in _who_judged(tally, judges))}</footer>\n"
    title = escape(harmless(f"{' and '.join(head)}: PR, mistakes and luck", LONGEST_NAME))
    return document(title, style(), filled(part("report.html"), {"main": main}), command="report")


@cache
def style() -> str:
    return f"{part('base.css')}{part('report.css')}{part('charts.css')}{svg.stylesheet()}"


def _who_judged(tally: Tally, judges: Sequence[Judge]) -> Iterator[str]:
    """Who judged, how many matches there are, and what is not in the numbers."""
    judged = sum(tally.matches.values())
    yield f"Matches: {len(tally.matches):,}, with analyses: {judged:,}, files that are no records: {tally.skipped:,}."
    if judges:
        yield f"All numbers are those of {judged_by(*judges[0])}, of the decisions that count by the rule {tally.rule}."
        yield part("numbers.html")
    if judges[1:]:
        others = ", ".join(f"{judged_by(*judge)}: {tally.decisions(judge):,} decisions" for judge in judges[1:6])
        yield f"Others do not mix with them, and are chosen with --by and --at: {others}."
    if cut := [*chain(*tally.cut.values())]:
        named = "; ".join(in_bdi(harmless(words, 300)) for words in cut[:_CUT])
        yield f"Games of which only the beginning could be replayed: {len(cut):,}. {named}{'; …' * (len(cut) > _CUT)}"
    if judged < len(tally.matches):
        yield part("unanalyzed.html")


# --- tables -----------------------------------------------------------------------------------------------------------


def _of_sum(total: Sum) -> list[str]:
    return [*_count_cells(total), *_of_rate(total.rate), signed_number(total.rate.luck)]


def _count_cells(total: Sum) -> list[str]:
    return [f"{total.counts[name]:,}" for name in ("matches", "won", "lost")]


def _of_rate(rate: Errors) -> list[str]:
    known = rate.pr is not None and rate.rate is not None
    return [f"{rate.decisions:,}", *((f"{rate.pr:.2f}", f"{rate.rate:.1f}") if known else (UNKNOWN, UNKNOWN))]


def _result_text(number: float | None, *, is_money: bool) -> str:
    """Points of money play, or chances of winning matches; each names its unit."""
    if number is None or is_money:
        return signed_number(number) + " points" * (number is not None)
    return f"{number:+.1%}".replace("-", "\N{MINUS SIGN}")


# --- a player ---------------------------------------------------------------------------------------------------------


def _sections(lessons: Lessons) -> Iterator[str]:
    """What is told of a player below the lessons; without more mistakes if the page has all players."""
    details, page_of, level = lessons.details, lessons.page_of, lessons.level
    opponents, months, latest = details.rows("opponent"), details.rows("month"), details.by_date()
    ranked = sorted(opponents, key=lambda name: (name == OTHERS, -opponents[name].rate.decisions))
    yield headed(level, "PR over time", _course(latest, page_of))
    yield headed(level, "Where points are lost", _bars(details))
    yield headed(level, "Opening plays", _first_plays("opening", ("Roll", "Play", "Best"), details.cells))
    closed = {
        "Replies to openings": _first_plays("reply", ("Opening", "Play", "Roll", "Reply", "Best"), details.cells),
        "Cube decisions by score": _map(details.cells),
        "Match by match": _latest_matches(latest, page_of),
        "Month by month": _sum_table("Month", months, sorted(months, reverse=True)),
        "By opponent": _sum_table("Opponent", opponents, ranked),
        "Results and luck": _results_and_luck(details.rows("game")),
        "More mistakes": lessons.positions(details.worst[SHOWN:MOST_WORST]) if level == 2 else "",
    }
    for title, told in closed.items():
        yield f"<details><summary><h{level}>{title}</h{level}></summary>\n{told}</details>\n" * bool(told)


def _bars(details: Details) -> str:
    """Bars of what is lost by each kind of decision, and in each kind of position."""
    total, cells = details.total, details.cells
    kinds: dict[str, Errors] = {"All": total}
    kinds |= {words: cells["kind", kind] for kind, words in _KINDS.items() if ("kind", kind) in cells}
    ranked = sorted(total.kinds.items(), key=lambda item: -item[1].error)
    kinds |= {plural(kind).capitalize(): errors for kind, errors in ranked}
    rows: list[list[str]] = []
    for words, errors in kinds.items():
        drawn = share_bar(errors.error / (total.error or 1), errors.decisions / (total.decisions or 1))
        sizes = [f"{errors.mistakes.get(size, 0):,}" for size in total.mistakes]
        rows.append([words, drawn, f"{errors.error:.3f}", *_of_rate(errors)[:2], *sizes])
    head = "Kind", "", "Points", "Decisions", "PR", *map(str.capitalize, total.mistakes)
    return wide_table("By kind", head, rows) + part("bars.html")


def _map(cells: Mapping[Cell, Errors]) -> str:
    by_score = {(int(cell[1]), int(cell[2])): errors for cell, errors in cells.items() if cell[0] == "cube"}
    if sum(errors.decisions for errors in by_score.values()) < _FEW_CUBES:
        by_score = {}
    most = range(1, max(map(max, by_score), default=0) + 1)
    worst = max((errors.error for errors in by_score.values()), default=0) or 1
    away = [f"{points}{'+' * (points == FARTHEST)} away" for points in most]
    heat = {score: _HEAT.format(ceil(4 * it.error / worst), it.error, it.decisions) for score, it in by_score.items()}
    rows = ([away[mine - 1], *(heat.get((mine, theirs), "") for theirs in most)] for mine in most)
    table = wide_table("Cube decisions by score", ("", *(words.split()[0] for words in away)), rows)
    money = [[MONEY, *_of_rate(errors), f"{errors.error:.3f}"] for cell, errors in cells.items() if cell[0] == "money"]
    table = part("map.html") * bool(table) + table
    return table + wide_table("Cube decisions in money play", ("", *_OF_RATE, "Cost"), money)


def _course(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    """The PR of several matches as a line over the dots of each; "" for one match or two."""
    dates = [str(played.date or "no date") for played in latest]
    points = [Point(at, it.rate.pr, f"{it.opponent}, {dates[at]}", page_of(it.path)) for at, it in enumerate(latest)]
    runs = (latest[max(0, end - _TOGETHER) : end] for end in range(1, len(latest) + 1))
    means = [merged({"": [played.rate for played in run]})[""].pr for run in runs]
    words = f"mean of up to {_TOGETHER}"
    series = [Series("a match", points, "dots"), Series(words, [*starmap(Point, enumerate(means))])]
    about = f"A dot for each match, in the order of dates; the line is the {words} matches."
    return chart("PR by match", about, series, names=dates, ends=[0]) * (len(latest) > 2)


def _latest_matches(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    rows: list[list[str]] = []
    for played in latest[: -_LISTED - 1 : -1] if len(latest) > 1 else ():
        name, rate, page = shown_name(played.opponent), played.rate, page_of(played.path)
        luck = signed_number(rate.luck), _result_text(rate.luck_adjusted, is_money=played.length is None)
        score = dashed(played.score, played.length) + (f" to {played.length}" if played.length else "")
        rows.append([link_to(name, page), str(played.date or "no date"), score, *_of_rate(played.rate), *luck])
    head = "Opponent", "Date", "Score", *_OF_RATE, "Luck", "Luck-adjusted"
    return wide_table("Matches, the last one first", head, rows)


def _sum_table(title: str, sums: Mapping[str, Sum], names: Iterable[str]) -> str:
    """Of what there is more than one: of one it is the same as of all."""
    rows = ([shown_name(name or "others, or unknown"), *_of_sum(sums[name])] for name in names)
    return wide_table(title, (title, *_OF_SUM), rows) * (len(sums) > 1)


def _results_and_luck(games: Mapping[str, Sum]) -> str:
    rows: list[list[str]] = []
    for name, total in games.items():
        rate, counts, is_money = total.rate, total.counts, name == MONEY
        result = counts["points"] if is_money else (counts["won"] - counts["lost"]) / 2
        told = (_result_text(number, is_money=is_money) for number in (result, rate.luck_adjusted))
        luck = signed_number(rate.luck), _result_text(rate.luck_mwc, is_money=False)
        rows.append([name, *_count_cells(total), *told, *luck])
    head = "", "Matches", "Won", "Lost", "Result", "Luck-adjusted", "Luck", "Luck in matches"
    return wide_table("Results and luck", head, rows) + part("luck.html")


def _first_plays(table: str, head: Sequence[str], cells: Mapping[Cell, Errors]) -> str:
    """The plays of the first roll, or of the second one: those that cost most come first."""
    ranked = sorted((cell for cell in cells if cell[0] == table), key=lambda cell: -cells[cell].error)
    rows = ([*map(escape, cell[1:]), *_of_rate(cells[cell]), f"{cells[cell].error:.3f}"] for cell in ranked[:_LISTED])
    return wide_table(table, (*head, *_OF_RATE, "Cost"), rows)


def page_beside(file: str | None, path: str) -> str:
    """The address of the page of a match, beside its record or beside the report; "" if there is none."""
    here, record = Path(file or "").parent, Path(path)
    for page in (folder / f"{name}.html" for folder in (record.parent, here) for name in (record.stem, record.name)):
        if file and path and os.path.isfile(page) and page.resolve() != Path(file).resolve():  # noqa: PTH113 - any name
            with suppress(ValueError):  # it is on another drive
                return quote(os.fsencode(Path(os.path.relpath(page, here)).as_posix()))
    return ""
