"""The page of a report: how well players play, and where they lose points, as one HTML file without any script."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from html import escape
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import quote

from gammonrules.draw import svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.records.page.charts import Point, Series, chart
from gammonrules.records.page.frame import document, filled, part
from gammonrules.records.page.listing import in_bdi, judged_by, shown_name
from gammonrules.records.page.tallies import (
    FARTHEST,
    MONEY,
    OTHERS,
    Cell,
    Details,
    Judge,
    Mistake,
    PlayerMatch,
    Sum,
    Tally,
)
from gammonrules.records.transcript import (
    FEW_PLAYS,
    DecisionKind,
    Errors,
    dashed,
    harmless,
    merged,
    panel,
    signed,
    xgid_of,
)

_MOST_SECTIONS: Final = 50
_LISTED: Final = 50
"""Rows of a table of matches, opponents, openings or replies."""
_TOGETHER: Final = 20
"""Matches whose PR is one point of the line."""
_WORST: Final = 5
"""Mistakes of a player that are drawn if the page has all players."""
_CUT: Final = 5
"""Games that are named, of those that are cut off."""
UNKNOWN: Final = "\N{EN DASH}"
_EMPTY: Final = '<span class="heat"></span>'
_OF_RATE: Final = "Decisions", "PR", "Rate"
_OF_SUM: Final = "Matches", "Won", "Lost", *_OF_RATE, "Luck"
_KINDS: Final = {"play": "Plays", "roll": "No double", "double": "Doubles", "take": "Takes", "drop": "Drops"}

_PageOf: TypeAlias = Callable[[str], str]
"""The address of the page of a match, by the path of its record; "" if there is none."""


def page_of_report(tally: Tally, file: str | None) -> str:
    """Raises ArgumentError if there is no such player."""
    judges, player = tally.judges(), tally.player
    main = "".join(f"<p>{words}</p>\n" for words in _who_judged(tally, judges))
    sums: Mapping[str, Sum] = tally.totals[judges[0]] if judges else {}
    ranked = sorted(sums, key=lambda name: -sums[name].rate.decisions)
    names = {name: f'<a href="#player-{at}">{shown_name(name)}</a>' for at, name in enumerate(ranked[:_MOST_SECTIONS])}
    if player is None:
        rows = ([names.get(name) or shown_name(name), *_of_sum(sums[name])] for name in ranked)
        main += wide_table("Players", ("Player", *_OF_SUM), rows)
    for at, (name, details) in enumerate(tally.details(judges[0], [*names]).items() if judges else ()):
        sections = "".join(_sections(details, partial(page_beside, file), None if player else _WORST))
        inside = f'<h2 id="player-{at}">{shown_name(name)}</h2>\n{sections}'
        main += inside if player else f"<details><summary>{shown_name(name)}</summary>\n{inside}</details>\n"
    title = escape(harmless(f"{player}: " * bool(player) + "PR, mistakes and luck", LONGEST_NAME))
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


def wide_table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], done: Sequence[int] = ()) -> str:
    """A table of cells that are HTML, which can be moved sideways where it is too wide; "" if it has no rows."""
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = [f'<th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}' for first, *cells in rows]
    body = "".join(f"<tr class={'done' if at in done else 'row'}>{line}</tr>" for at, line in enumerate(lines))
    region = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}">'
    return f"{region}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>\n" if lines else ""


def _of_sum(total: Sum) -> list[str]:
    return [*_count_cells(total), *_of_rate(total.rate), _signed_number(total.rate.luck)]


def _count_cells(total: Sum) -> list[str]:
    return [f"{total.counts[name]:,}" for name in ("matches", "won", "lost")]


def _of_rate(rate: Errors) -> list[str]:
    known = rate.pr is not None and rate.rate is not None
    return [f"{rate.decisions:,}", *((f"{rate.pr:.2f}", f"{rate.rate:.1f}") if known else (UNKNOWN, UNKNOWN))]


def _signed_number(number: float | None) -> str:
    return UNKNOWN if number is None else f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")


def _result_text(number: float | None, *, is_money: bool) -> str:
    """Points of money play, or chances of winning matches; each names its unit."""
    if number is None or is_money:
        return _signed_number(number) + " points" * (number is not None)
    return f"{number:+.1%}".replace("-", "\N{MINUS SIGN}")


# --- a player ---------------------------------------------------------------------------------------------------------


def _sections(details: Details, page_of: _PageOf, most: int | None) -> Iterator[str]:
    """What is told of a player, with this many mistakes; None for all that are kept."""
    opponents = details.rows("opponent")
    ranked = sorted(opponents, key=lambda name: (name == OTHERS, -opponents[name].rate.decisions))
    sections = {
        "Where points are lost": _by_decision(details),
        "Cube decisions by score": _map(details.cells),
        "Match by match": _latest_matches(details.by_date(), page_of),
        "Month by month": _months(details.rows("month")),
        "By opponent": _sum_table("Opponent", opponents, ranked),
        "Results and luck": _results_and_luck(details.rows("game")),
        "Openings": _first_plays("opening", ("Roll", "Play", "Best"), details.cells),
        "Replies to openings": _first_plays("reply", ("Opening", "Play", "Roll", "Reply", "Best"), details.cells),
        "The worst mistakes": "".join(_mistake(mistake, page_of) for mistake in details.worst[:most]),
    }
    for title, inside in sections.items():
        if inside:
            yield f"<details open><summary><h3>{title}</h3></summary>\n{inside}</details>\n"


def _by_decision(details: Details) -> str:
    kinds: dict[str, Errors] = {"All": details.groups["all", "All"].rate}
    kinds |= {words: details.cells["kind", kind] for kind, words in _KINDS.items() if ("kind", kind) in details.cells}
    sizes = [*kinds["All"].mistakes]
    rows = (
        [words, *_of_rate(errors), f"{errors.error:.3f}", *(f"{errors.mistakes[size]:,}" for size in sizes)]
        for words, errors in kinds.items()
    )
    return wide_table("By kind of decision", ("Kind", *_OF_RATE, "Cost", *map(str.capitalize, sizes)), rows)


def _map(cells: Mapping[Cell, Errors]) -> str:
    by_score = {(int(cell[1]), int(cell[2])): errors for cell, errors in cells.items() if cell[0] == "cube"}
    most = range(1, max(map(max, by_score), default=0) + 1)
    worst = max((errors.error for errors in by_score.values()), default=0) or 1
    away = [f"{points}{'+' * (points == FARTHEST)} away" for points in most]
    words = {score: f"{errors.error:.2f}<small>{errors.decisions:,}</small>" for score, errors in by_score.items()}
    shades = {score: ceil(4 * errors.error / worst) for score, errors in by_score.items()}
    heat = {score: f'<span class="heat{shades[score]}">{words[score]}</span>' for score in words}
    rows = ([away[mine - 1], *(heat.get((mine, theirs), _EMPTY) for theirs in most)] for mine in most)
    table = wide_table("Cube decisions by score", ("", *(words.split()[0] for words in away)), rows)
    money = [[MONEY, *_of_rate(errors), f"{errors.error:.3f}"] for cell, errors in cells.items() if cell[0] == "money"]
    about = part("map.html") if table else ""
    return about + table + wide_table("Cube decisions in money play", ("", *_OF_RATE, "Cost"), money)


def _latest_matches(latest: Sequence[PlayerMatch], page_of: _PageOf) -> str:
    dates = [str(played.date or "no date") for played in latest]
    pages = [page_of(played.path) for played in latest]
    points = [Point(at, last.rate.pr, f"{last.opponent}, {dates[at]}", pages[at]) for at, last in enumerate(latest)]
    ends = range(_TOGETHER, len(latest) + 1)
    means = [merged({"": [played.rate for played in latest[end - _TOGETHER : end]]})[""].pr for end in ends]
    line = [Point(end - 1, mean) for end, mean in zip(ends, means, strict=True)]
    series = [Series("a match", points, "dots"), Series(f"{_TOGETHER} matches" * bool(line), line)]
    picture = chart("PR by match", "A dot for each match, in the order of dates.", series, names=dates, ends=[0])
    rows: list[list[str]] = []
    for played, date, page in list(zip(latest, dates, pages, strict=True))[: -_LISTED - 1 : -1]:
        name, rate = shown_name(played.opponent), played.rate
        luck = _signed_number(rate.luck), _result_text(rate.luck_adjusted, is_money=played.length is None)
        link = f'<a href="{page}">{name}</a>' if page else name
        score = dashed(played.score, played.length) + (f" to {played.length}" if played.length else "")
        rows.append([link, date, score, *_of_rate(played.rate), *luck])
    head = "Opponent", "Date", "Score", *_OF_RATE, "Luck", "Luck-adjusted"
    return picture * (len(latest) > 1) + wide_table("Matches, the last one first", head, rows)


def _months(months: Mapping[str, Sum]) -> str:
    names = sorted({*months} - {OTHERS})
    bars = [Point(at, months[name].rate.pr, name) for at, name in enumerate(names)]
    picture = chart("PR by month", "A bar for each month.", [Series("", bars, "bars")], names=names)
    return picture * (len(names) > 1) + _sum_table("Month", months, [*names[::-1], OTHERS])


def _sum_table(title: str, sums: Mapping[str, Sum], names: Iterable[str]) -> str:
    rows = ([shown_name(name or "others, or unknown"), *_of_sum(sums[name])] for name in names if name in sums)
    return wide_table(title, (title, *_OF_SUM), rows)


def _results_and_luck(games: Mapping[str, Sum]) -> str:
    rows: list[list[str]] = []
    for name, total in games.items():
        rate, wins = total.rate, (total.counts["won"] - total.counts["lost"]) / 2
        is_money = name == MONEY
        results = total.counts["points"] if is_money else wins, rate.luck_adjusted
        told = (_result_text(number, is_money=is_money) for number in results)
        luck = _signed_number(rate.luck), _result_text(rate.luck_mwc, is_money=False)
        rows.append([name, *_count_cells(total), *told, *luck])
    head = "", "Matches", "Won", "Lost", "Result", "Luck-adjusted", "Luck", "Luck in matches"
    return wide_table("Results and luck", head, rows) + part("luck.html")


def _first_plays(table: str, head: Sequence[str], cells: Mapping[Cell, Errors]) -> str:
    """The plays of the first roll, or of the second one: those that cost most come first."""
    ranked = sorted((cell for cell in cells if cell[0] == table), key=lambda cell: -cells[cell].error)
    rows = ([*map(escape, cell[1:]), *_of_rate(cells[cell]), f"{cells[cell].error:.3f}"] for cell in ranked[:_LISTED])
    return wide_table(table, (*head, *_OF_RATE, "Cost"), rows)


def _mistake(mistake: Mistake, page_of: _PageOf) -> str:
    decision, played, analysis = mistake.decision, mistake.played, mistake.decision.analysis
    if analysis is None:
        return ""
    table, state, page = panel(analysis, decision.event.action, FEW_PLAYS), decision.state, page_of(played.path)
    columns = [at for at, name in enumerate(table.head) if "%" not in name]  # chances are on the page of the match
    head, *rows = ([escape(row[at]) for at in columns] for row in (table.head, *table.rows))
    xgid = escape(xgid_of(state))
    score = dashed((state.score[decision.player], state.score[decision.player.opponent]))
    where = f"{score} to {played.length}" if played.length else MONEY.lower(), str(played.date or "")
    roll, made = f"{decision.dice}: " * (decision.kind is DecisionKind.PLAY), harmless(decision.action, LONGEST_NAME)
    pieces = {
        "board": svg.table(decision, names=mistake.names, theme="auto"),
        "what": escape(f"{roll}{made}; best: {harmless(decision.best or '', LONGEST_NAME)}"),
        "cost": signed(-mistake.error),
        "where": " · ".join(filter(None, (shown_name(played.opponent), *where))),
        "link": f'<a href="{page}#{xgid}">in the match</a>' if page else "",
        "candidates": wide_table("What else there was", head, rows, table.chosen),
        "remarks": " · ".join(map(escape, table.remarks)),
        "xgid": xgid,
    }
    return filled(part("mistake.html"), pieces)


def page_beside(file: str | None, path: str) -> str:
    """The address of the page of a match, beside its record or beside the report; "" if there is none."""
    here, record = Path(file or "").parent, Path(path)
    for page in (folder / f"{name}.html" for folder in (record.parent, here) for name in (record.stem, record.name)):
        if file and path and os.path.isfile(page) and page.resolve() != Path(file).resolve():  # noqa: PTH113 - any name
            with suppress(ValueError):  # it is on another drive
                return quote(os.fsencode(Path(os.path.relpath(page, here)).as_posix()))
    return ""
