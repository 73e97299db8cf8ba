"""The page of a report: how well players play, and where they lose points, as one HTML file without any script."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from html import escape
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import quote

from gammonrules.draw import svg
from gammonrules.limits import LONGEST_NAME
from gammonrules.records.page.charts import Point, Series, strip
from gammonrules.records.page.frame import document, filled, part
from gammonrules.records.page.lessons import (
    LEVELS,
    TOO_FEW,
    Lessons,
    PageOf,
    headed,
    link_to,
    plural,
)
from gammonrules.records.page.listing import in_bdi, shown_evaluator, shown_name
from gammonrules.records.page.tables import UNKNOWN, share_bar, signed_number, wide_table
from gammonrules.records.page.tallies import (
    FARTHEST,
    OTHERS,
    Cell,
    Details,
    PlayerMatch,
    Report,
    Sum,
    Tally,
)
from gammonrules.records.transcript import (
    LEAST_SEEN,
    MISTAKES,
    ErrorRate,
    Errors,
    Evaluator,
    dashed,
    harmless,
    loose_told,
    merged,
    trials_text,
)

_MOST_SECTIONS: Final = 50
_LISTED: Final = 50
"""Rows of a table of matches or openings."""
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
_DATES: Final = 4
"""At most so many are below the line of PRs."""
_HEAT: Final = '<span class="heat{}">{:.2f}<small>{:,}</small></span>'
_OF_RATE: Final = "Decisions", "PR"
_OF_SUM: Final = "Matches", "Won", "Lost", *_OF_RATE, "Net luck"
_ACTIONS: Final = {
    "roll": "Not doubling",
    "double": "Doubling",
    "take": "Taking",
    "drop": "Dropping",
}


def page_of_report(tally: Tally, file: str | None) -> Report:
    """Raises ArgumentError if there is no such player."""
    evaluators = tally.evaluators()
    player = tally.player
    sums: Mapping[str, Sum] = tally.totals[evaluators[0]] if evaluators else {}
    ranked = [player] if player else sorted(sums, key=lambda name: -sums[name].rate.decisions)
    told = tally.details(evaluators[0], ranked[:_MOST_SECTIONS]) if evaluators else {}
    names = {name: f'<a href="#player-{at}">{shown_name(name)}</a>' for at, name in enumerate(told)}
    head = ranked if len(ranked) in _FEW else [f"{len(tally.names):,} players"]
    main = f"<h1>{' and '.join(map(shown_name, head))}</h1>\n{part('unanalyzed.html') * (not told)}"
    if player is None:
        rows = ([names.get(name) or shown_name(name), *_of_sum(sums[name])] for name in ranked)
        main += wide_table("Players", ("Player", *_OF_SUM), rows)
    rates = [total.rate for total in sums.values()]
    everyone = merged({"": rates if len(rates) > _ENOUGH else [ErrorRate()]})[""].kinds
    sentences: dict[str, str] = {}
    for at, (name, details) in enumerate(told.items()):
        lessons = Lessons(
            details,
            everyone,
            page_of=partial(page_beside, file),
            number=at,
            level=2 if player else 3,
        )
        sentences[name] = " ".join(filter(None, lessons.sentences))
        inside = lessons.html() + "".join(_sections(lessons))
        section = f'<h2 id="player-{at}">{shown_name(name)}</h2>\n{inside}'
        folded = f"<details><summary>{shown_name(name)}</summary>\n{section}</details>\n"
        main += inside if player else section if len(told) in _FEW else folded
    main += f"<footer>{''.join(f'<p>{words}</p>' for words in _who_analyzed(tally, evaluators))}</footer>\n"
    title = escape(harmless(f"{' and '.join(head)}: PR, mistakes and luck", LONGEST_NAME))
    return Report(
        document(title, style(), filled(part("report.html"), {"main": main}), command="report"),
        sentences,
    )


@cache
def style() -> str:
    return f"{part('base.css')}{part('report.css')}{part('charts.css')}{svg.stylesheet()}"


def _who_analyzed(tally: Tally, evaluators: Sequence[Evaluator]) -> Iterator[str]:
    """Who analyzed, how many matches there are, and what is not in the numbers."""
    analyzed = sum(tally.matches.values())
    yield f"Matches: {len(tally.matches):,}, with analyses: {analyzed:,}, files that are no records: {tally.skipped:,}."
    if evaluators:
        by = shown_evaluator(evaluators[0])
        yield f"All numbers are those of {by}, of the decisions that count by the rule {tally.rule}."
        if trials := trials_text(tally.trials[evaluators[0]]):
            yield f"{trials} that were asked for."
        yield filled(part("numbers.html"), {"sizes": _sizes(tally.rule)})
    if evaluators[1:]:
        others = ", ".join(
            f"{shown_evaluator(evaluator)}: {tally.decisions(evaluator):,} decisions"
            for evaluator in evaluators[1:6]
        )
        yield f"Others do not mix with them, and are chosen with --by and --at: {others}."
    if tally.loose:
        yield in_bdi(harmless(loose_told([*tally.loose.values()]), 600))
    if cut := [*chain(*tally.cut.values())]:
        named = "; ".join(in_bdi(harmless(": ".join(words), 300)) for words in cut[:_CUT])
        yield f"Games of which only the beginning could be replayed: {len(cut):,}. {named}{'; …' * (len(cut) > _CUT)}"


def _sizes(rule: str) -> str:
    """From which cost on a mistake has a name."""
    least = "from" if rule == "xg" else "above"
    sizes = ", ".join(f"{name} {least} {cost:g}" for name, cost in MISTAKES[rule].items())
    return f"Mistakes by the rule {rule}, in points: {sizes}"


# --- tables -----------------------------------------------------------------------------------------------------------


def _of_sum(total: Sum) -> list[str]:
    counts = (f"{total.counts[name]:,}" for name in ("matches", "won", "lost"))
    return [*counts, *_of_rate(total.rate), signed_number(total.rate.luck_net)]


def _of_rate(rate: Errors) -> list[str]:
    return [f"{rate.decisions:,}", UNKNOWN if rate.pr is None else f"{rate.pr:.2f}"]


# --- a player ---------------------------------------------------------------------------------------------------------


def _sections(lessons: Lessons) -> Iterator[str]:
    """What is told of a player below the lessons; without more mistakes if the page has all players."""
    details = lessons.details
    page_of = lessons.page_of
    level = lessons.level
    opponents = details.opponents
    latest = details.by_date()
    ranked = sorted(opponents, key=lambda name: (name == OTHERS, -opponents[name].rate.decisions))
    rivals = ([shown_name(name or "others"), *_of_sum(opponents[name])] for name in ranked)
    yield headed(level, "PR over time", _course(latest, page_of))
    yield headed(level, "Where points are lost", _bars(details))
    yield headed(level, "Opening plays that cost", _openings(details.cells))
    closed = {
        "Cube decisions by score": _map(details.cells),
        "Match by match": _latest_matches(latest, page_of),
        "By opponent": wide_table("Opponent", ("Opponent", *_OF_SUM), rivals)
        * (len(opponents) > 1),
        "More mistakes": lessons.positions(lessons.more) if level == 2 else "",
    }
    for title, told in closed.items():
        yield (
            f"<details><summary><h{level}>{title}</h{level}></summary>\n{told}</details>\n"
            * bool(told)
        )


def _bars(details: Details) -> str:
    """Bars of what is lost by each kind of decision, and in each kind of position."""
    total = details.all.rate
    cells = details.cells
    decisions: dict[str, Errors] = {"All": total, "Checker plays": total.plays}
    decisions |= {
        words: cells["kind", name] for name, words in _ACTIONS.items() if ("kind", name) in cells
    }
    ranked = sorted(total.kinds.items(), key=lambda item: -item[1].error)
    tables = {
        "Decision": decisions,
        "Position": {plural(kind).capitalize(): errors for kind, errors in ranked},
    }
    drawn = (_bar_table(title, rows, total) for title, rows in tables.items())
    return f'<div class="boards">{"".join(drawn)}</div>\n{part("bars.html")}'


def _bar_table(title: str, parts: Mapping[str, Errors], total: Errors) -> str:
    rows: list[list[str]] = []
    for words, errors in parts.items():
        drawn = share_bar(
            errors.error / (total.error or 1), errors.decisions / (total.decisions or 1)
        )
        decisions, pr = _of_rate(errors)
        known = pr if errors.decisions >= TOO_FEW else "<small>too few</small>"
        sizes = [f"{errors.mistakes.get(size, 0):,}" for size in total.mistakes]
        rows.append([words, drawn, f"{errors.error:.3f}", decisions, known, *sizes])
    return wide_table(
        title, (title, "", "Points", *_OF_RATE, *map(str.capitalize, total.mistakes)), rows
    )


def _map(cells: Mapping[Cell, Errors]) -> str:
    by_score = {
        (int(cell[1]), int(cell[2])): errors for cell, errors in cells.items() if cell[0] == "cube"
    }
    if not by_score or sum(errors.decisions for errors in by_score.values()) < _FEW_CUBES:
        return ""
    most = range(1, max(map(max, by_score)) + 1)
    worst = max(errors.error for errors in by_score.values()) or 1
    away = [f"{points}{'+' * (points == FARTHEST)} away" for points in most]
    heat = {
        score: _HEAT.format(ceil(4 * it.error / worst), it.error, it.decisions)
        for score, it in by_score.items()
    }
    rows = ([away[mine - 1], *(heat.get((mine, theirs), "") for theirs in most)] for mine in most)
    return part("map.html") + wide_table(
        "Cube decisions by score", ("", *(words.split()[0] for words in away)), rows
    )


def _course(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    """The PR of several matches as a line among the dots of each; "" for one match or two."""
    days = [str(played.date or "no date") for played in latest]
    dots = [
        Point(at + 0.5, it.rate.pr, f"{it.opponent}, {days[at]}", page_of(it.path))
        for at, it in enumerate(latest)
    ]
    runs = (latest[max(0, end - _TOGETHER) : end] for end in range(1, len(latest) + 1))
    means = [merged({"": [played.rate for played in run]})[""].pr for run in runs]
    most = max((dot.y or 0 for dot in dots), default=0)
    levels = [(end, f"{words}: up to {end:g}") for end, words in LEVELS if end <= most]
    marks = [(at + 0.5, days[at]) for at in range(0, len(days), -(-len(days) // _DATES) or 1)]
    line = [Series("", [Point(at + 0.5, pr) for at, pr in enumerate(means)])]
    drawn = strip(
        "PR by match",
        lines=line,
        mistakes=(),
        marks=marks,
        ends=(0, 1.1 * most),
        last=len(dots),
        dots=dots,
        levels=levels or [(0, "0")],
    )
    note = f'<p class="note">A dot for each match, by date; the line is the mean of up to {_TOGETHER} matches.</p>\n'
    return (drawn + note) * (len(latest) > 2)


def _latest_matches(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    rows: list[list[str]] = []
    for played in latest[: -_LISTED - 1 : -1] if len(latest) > 1 else ():
        name = link_to(shown_name(played.opponent), page_of(played.path))
        rate = played.rate
        score = dashed(played.score, played.length) + (
            f" to {played.length}" if played.length else ""
        )
        rows.append(
            [
                name,
                str(played.date or "no date"),
                score,
                *_of_rate(rate),
                signed_number(rate.luck_net),
            ]
        )
    return wide_table(
        "Matches, the last one first", ("Opponent", "Date", "Score", *_OF_RATE, "Net luck"), rows
    )


def _openings(cells: Mapping[Cell, Errors]) -> str:
    ranked = sorted(
        (cell for cell in cells if cell[0] == "opening"), key=lambda cell: -cells[cell].error
    )
    costly = [(cell, cells[cell]) for cell in ranked[:_LISTED] if cells[cell].error >= LEAST_SEEN]
    rows = (
        [*map(escape, cell[1:]), f"{its.decisions:,}", f"{its.error:.3f}"] for cell, its in costly
    )
    return wide_table("Opening plays", ("Roll", "Play", "Best", "Times", "Cost"), rows)


def page_beside(file: str | None, path: str) -> str:
    """The address of the page of a match, beside its record or beside the report; "" if there is none."""
    here = Path(file or "").parent
    record = Path(path)
    for page in (
        folder / f"{name}.html"
        for folder in (record.parent, here)
        for name in (record.stem, record.name)
    ):
        if file and path and os.path.isfile(page) and page.resolve() != Path(file).resolve():  # noqa: PTH113 - any name
            with suppress(ValueError):  # it is on another drive
                return quote(os.fsencode(Path(os.path.relpath(page, here)).as_posix()))
    return ""
