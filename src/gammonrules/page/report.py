"""The page of a report: how well players play, and where they lose points, as one HTML file without any script."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from html import escape
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import quote

from attrs import frozen

from gammonrules.draw import svg
from gammonrules.errors import IdentifierError
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Player
from gammonrules.page.charts import Point, Series, chart
from gammonrules.page.digests import FARTHEST, MONEY, Cell, Digest, Judge, Mistake
from gammonrules.page.frame import filled, part, policy
from gammonrules.page.listing import isolated
from gammonrules.page.tallies import MOST_SECTIONS, OTHERS, Details, Sum, Sums, Tally
from gammonrules.transcript import Decision, DecisionKind, ErrorRate, Errors, dashed, harmless, merged, panel, signed
from gammonrules.values import counted

_LISTED: Final = 50
"""Rows of a table of matches, opponents or replies."""
_TOGETHER: Final = 20
"""Matches whose PR is one point of the line."""
_WORST: Final = 5
"""Mistakes of a player that are drawn if the page has all players."""
_CANDIDATES: Final = 5
_DONE: Final = ' class="done"'
_ACTIONS: Final = {"play": "Plays", "roll": "No double", "double": "Doubles", "take": "Takes", "drop": "Drops"}
_HEAD: Final = "Matches", "Won", "Lost", "Decisions", "PR", "Rate", "Luck"


def page_of_report(tally: Tally, player: str | None, file: str | None) -> str:
    """The page about this player, or about all of them. Raises ArgumentError if there is no such player.

    `file`: where it will be written, so that links lead from there to the pages of matches.
    """
    judges = tally.judges(player)
    main = _about_archive(tally, judges, player)
    if judges:
        sums = tally.totals[judges[0]]
        ranked = sorted(sums, key=lambda name: -sums[name].decisions)
        names = ranked[:MOST_SECTIONS] if player is None else [player]
        sections = _Sections(file, None if player else _WORST)
        if player is None:
            main += _overview(sums, ranked, names)
        for number, (name, details) in enumerate(tally.details(judges[0], names).items()):
            inside = f'<h2 id="player-{number}">{_name(name)}</h2>\n{"".join(sections.of(details))}'
            main += inside if player else f"<details><summary>{_name(name)}</summary>\n{inside}</details>\n"
    title = f"{harmless(player, LONGEST_NAME)}: PR, mistakes and luck" if player else "PR, mistakes and luck"
    pieces = {"policy": policy(_style()), "style": _style(), "title": escape(title), "main": main}
    return filled(part("report.html"), pieces)


@cache
def _style() -> str:
    return f"{part('base.css')}{part('report.css')}{part('charts.css')}{svg.stylesheet()}"


def _name(name: str) -> str:
    return isolated(harmless(name, LONGEST_NAME))


# --- all matches ------------------------------------------------------------------------------------------------------


def _about_archive(tally: Tally, judges: Sequence[Judge], player: str | None) -> str:
    """Who judged, how many matches there are, and what is not in the numbers."""
    judged = sum(tally.matches.values())
    about = f"{_counted(len(tally.matches), 'match', 'matches')}, {_counted(judged, 'of them with analyses')}."
    if judges:
        about += f" The numbers are those of {_judge(judges[0])}."
    others = ", ".join(f"{_judge(judge)}: {tally.decisions(judge, player):,} decisions" for judge in judges[1:6])
    paragraphs = [about, f"Numbers of other engines or levels do not mix with them: {others}." * bool(others)]
    if judged < len(tally.matches):
        command = "<code>gammonrules analyze PATH -o analyzed</code>, then <code>gammonrules report analyzed</code>"
        how = f"{command}; or add <code>--engine bgsage</code> to this report"
        paragraphs.append(f"Matches without analyses are not in the numbers. An engine analyzes them: {how}.")
    if tally.skipped:
        paragraphs.append(f"{_counted(tally.skipped, 'file')} skipped, which cannot be read as records.")
    return "".join(f"<p>{words}</p>\n" for words in paragraphs if words)


def _counted(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {plural if plural and number != 1 else noun}"


def _judge(judge: Judge) -> str:
    engine, level = judge
    return isolated(harmless(", ".join(filter(None, (engine or "an unnamed program", level))), LONGEST_NAME))


def _overview(sums: Sums, ranked: Sequence[str], names: Sequence[str]) -> str:
    links = {name: f'<a href="#player-{number}">{_name(name)}</a>' for number, name in enumerate(names)}
    rows = ([links.get(name) or _name(name), *_cells(sums[name])] for name in ranked)
    return f"<h2>Players</h2>\n{_table('Players', ('Player', *_HEAD), rows)}"


# --- tables -----------------------------------------------------------------------------------------------------------


def _table(title: str, head: Sequence[str], rows: Iterable[Sequence[str]], done: Sequence[int] = ()) -> str:
    """A table of cells that are HTML, which can be moved sideways where it is too wide."""
    heads = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    lines = (f'<th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}' for first, *cells in rows)
    body = "".join(f"<tr{_DONE * (number in done)}>{line}</tr>" for number, line in enumerate(lines))
    region = f'<div class="wide" role="region" tabindex="0" aria-label="{escape(title)}">'
    return f"{region}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>\n"


def _cells(one: Sum) -> list[str]:
    rate = one.rate
    return [*(f"{number:,}" for number in (one.matches, one.won, one.lost)), *_of_rate(rate), _signed(rate.luck)]


def _of_rate(rate: Errors) -> list[str]:
    return [f"{rate.decisions:,}", _number(rate.pr, 2), _number(rate.rate, 1)]


def _number(number: float | None, digits: int) -> str:
    return "\N{EN DASH}" if number is None else f"{number:.{digits}f}"


def _signed(number: float | None) -> str:
    return "\N{EN DASH}" if number is None else f"{number:+.2f}".replace("-", "\N{MINUS SIGN}")


# --- a player ---------------------------------------------------------------------------------------------------------


@frozen
class _Sections:
    """What is told of each player."""

    file: str | None
    worst: int | None
    """How many mistakes are drawn; None for all that are kept."""

    def of(self, details: Details) -> Iterator[str]:
        yield _summary(details)
        yield _section("Where points are lost", _kinds(details.cells))
        yield _section("Cube decisions by score", _map(details.cells))
        yield _section("Match by match", self._matches(details))
        yield _section("Month by month", _months(details.months))
        yield _section("By opponent", _opponents(details.opponents))
        yield _section("Results and luck", _results(details.results))
        yield _section("Openings", _openings(details.cells))
        yield _section("Replies to openings", _replies(details.cells))
        yield _section("The worst mistakes", "".join(map(self._mistake, details.worst[: self.worst])))

    def _matches(self, details: Details) -> str:
        played = [(digest, player, digest.rates[player]) for digest, player in details.by_date()]
        rates = [rate for _, _, rate in played]
        dots = [
            Point(at, rate.pr, f"{digest.names[player.opponent]}: PR {_number(rate.pr, 2)}", self._page_of(digest.path))
            for at, (digest, player, rate) in enumerate(played)
        ]
        line = [
            Point(at, merged({"": rates[at + 1 - _TOGETHER : at + 1]})[""].pr)
            for at in range(_TOGETHER - 1, len(rates))
        ]
        series = [Series("a match", dots, "dots"), *([Series(f"{_TOGETHER} matches", line)] if line else [])]
        names = [str(digest.date or "no date") for digest, *_ in played]
        about = f"{_counted(len(played), 'match', 'matches')}, one dot each."
        rows = ([self._linked(*one), *_of_match(*one)] for one in played[: -_LISTED - 1 : -1])
        head = "Opponent", "Date", "Score", "Decisions", "PR", "Rate", "Luck", "Luck-adjusted"
        dotted = chart("PR by match", about, series, names=names, ends=[0]) if len(played) > 1 else ""
        return dotted + _table("Matches, the last one first", head, rows)

    def _linked(self, digest: Digest, player: Player, _: ErrorRate) -> str:
        name, page = _name(digest.names[player.opponent]), self._page_of(digest.path)
        return f'<a href="{page}">{name}</a>' if page else name

    def _page_of(self, path: str) -> str:
        """The address of the page of a match, beside its record or beside the report; "" if there is none."""
        if self.file is None:
            return ""
        here, record = Path(self.file).parent, Path(path)
        pages = (folder / f"{name}.html" for folder in (record.parent, here) for name in (record.stem, record.name))
        for page in pages:
            if path and page.is_file() and not _is_same(page, Path(self.file)):
                return quote(Path(os.path.relpath(page, here)).as_posix())
        return ""

    def _mistake(self, mistake: Mistake) -> str:
        decision, analysis, names = mistake.decision, mistake.decision.analysis, mistake.names
        if analysis is None:
            return ""
        table, xgid = panel(analysis, decision.event.action, _CANDIDATES), _xgid(decision)
        page = self._page_of(mistake.path)
        link = f'<a href="{page}#{escape(xgid)}">in the match</a>' if page else ""
        where = [
            f"against {_name(names[decision.player.opponent])}",
            str(mistake.date or ""),
            _at_score(decision),
            link,
        ]
        made, best = (escape(_words(decision, action)) for action in (decision.action, decision.best or ""))
        heading = f'<h4><span class="loss">{signed(-mistake.error)}</span> {made}; best: {best}</h4>'
        columns = [at for at, name in enumerate(table.head) if "%" not in name]  # chances are on the page of the match
        head, *rows = ([row[at] for at in columns] for row in (table.head, *table.rows))
        candidates = _table("What else there was", head, ([*map(escape, row)] for row in rows), table.chosen)
        remarks = " · ".join(escape(remark) for remark in table.remarks)
        return (
            f'<article class="mistake">{svg.table(decision, names=names, theme="auto")}\n<div>{heading}'
            f"<p>{' · '.join(filter(None, where))}</p>{candidates}"
            f"<p>{remarks}</p><p><code>{escape(xgid)}</code></p></div></article>\n"
        )


def _section(title: str, inside: str) -> str:
    return f"<details open><summary><h3>{title}</h3></summary>\n{inside}</details>\n" if inside else ""


def _is_same(page: Path, file: Path) -> bool:
    return os.path.realpath(page) == os.path.realpath(file)


def _xgid(decision: Decision) -> str:
    try:
        return decision.state.to_xgid()
    except IdentifierError:  # a score too high for an XGID
        return ""


def _words(decision: Decision, action: str) -> str:
    """What was done, or should have been, as players say it."""
    action = harmless(action, LONGEST_NAME)
    return (
        f"{decision.dice}: {action}"
        if decision.kind is DecisionKind.PLAY
        else {"roll": "no double"}.get(action, action)
    )


def _at_score(decision: Decision) -> str:
    length = decision.state.length
    score = decision.state.score
    mine, theirs = score[decision.player], score[decision.player.opponent]
    return "money play" if length is None else f"{dashed((mine, theirs))} to {length}"


def _of_match(digest: Digest, player: Player, rate: ErrorRate) -> list[str]:
    score = dashed((digest.score[player], digest.score[player.opponent]))
    return [str(digest.date or ""), score, *_of_rate(rate), _signed(rate.luck), _signed(rate.luck_adjusted)]


def _summary(details: Details) -> str:
    rate = details.total.rate
    sizes = ", ".join(f"{number:,} {name}{'s' * name.endswith(('r',))}" for name, number in rate.mistakes.items())
    return _table("In all", _HEAD, [_cells(details.total)]) + f"<p>{sizes}</p>\n"


def _kinds(cells: dict[Cell, Errors]) -> str:
    kinds = [(words, cells["kind", action]) for action, words in _ACTIONS.items() if ("kind", action) in cells]
    sizes = [*kinds[0][1].mistakes] if kinds else []
    rows = (
        [words, *_of_rate(errors), f"{errors.error:.3f}", *(f"{errors.mistakes[size]:,}" for size in sizes)]
        for words, errors in kinds
    )
    return (
        _table(
            "By kind of decision", ("Kind", "Decisions", "PR", "Rate", "Cost", *(f"{size}s" for size in sizes)), rows
        )
        if kinds
        else ""
    )


def _map(cells: dict[Cell, Errors]) -> str:
    by_score = {
        (int(cell[1]), int(cell[2])): errors for cell, errors in cells.items() if cell[0] == "cube" and cell != MONEY
    }
    words = ""
    if by_score:
        most = range(1, max(map(max, by_score)) + 1)
        worst = max(errors.error for errors in by_score.values()) or 1
        heads = "".join(f'<th scope="col">{_away(away)}</th>' for away in most)
        rows = "".join(
            f'<tr><th scope="row">{_away(mine)}</th>'
            + "".join(_map_cell(by_score.get((mine, theirs)), worst) for theirs in most)
            + "</tr>"
            for mine in most
        )
        words = (
            "<p>What cube decisions cost in all, and how many there were; rows by the points that the player needs, "
            'columns by those that the opponent needs.</p><div class="wide" role="region" tabindex="0" '
            f'aria-label="Cube decisions by score"><table class="map"><thead><tr><td></td>{heads}</tr></thead>'
            f"<tbody>{rows}</tbody></table></div>\n"
        )
    if (money := cells.get(MONEY)) is not None:
        words += f"<p>Money play: {money.error:.3f} in {counted(money.decisions, 'cube decision', ',')}.</p>\n"
    return words


def _away(points: int) -> str:
    return f"{points}{'+' * (points == FARTHEST)}"


def _map_cell(errors: Errors | None, worst: float) -> str:
    if errors is None:
        return "<td></td>"
    heat = ceil(4 * errors.error / worst)
    return f'<td class="heat{heat}">{errors.error:.2f}<small>{errors.decisions:,}</small></td>'


def _months(months: Sums) -> str:
    names = sorted(name for name in months if name != OTHERS)
    points = [
        Point(at, months[name].rate.pr, f"{name}: PR {_number(months[name].rate.pr, 2)}")
        for at, name in enumerate(names)
    ]
    bars = chart(
        "PR by month",
        f"{_counted(len(names), 'month', 'months')}, one bar each.",
        [Series("", points, "bars")],
        names=names,
    )
    rows = (
        [name or "no date, or older", *_cells(months[name])]
        for name in [*names[::-1], *([OTHERS] if OTHERS in months else [])]
    )
    return (bars if len(names) > 1 else "") + _table("Months, the last one first", ("Month", *_HEAD), rows)


def _opponents(opponents: Sums) -> str:
    ranked = sorted(opponents, key=lambda name: (name == OTHERS, -opponents[name].decisions))
    rest = Sum()
    for name in ranked[_LISTED:]:
        rest.add(opponents[name])
    rows = [[_name(name), *_cells(opponents[name])] for name in ranked[:_LISTED]]
    return _table(
        "Opponents", ("Opponent", *_HEAD), [*rows, *([["all others", *_cells(rest)]] if rest.matches else [])]
    )


def _results(results: Sums) -> str:
    head = "", "Matches", "Won", "Lost", "Result", "Luck", "Luck in matches", "Luck-adjusted result"
    rows = []
    for name, one in sorted(results.items()):
        rate = one.rate
        numbers = one.result, rate.luck, rate.luck_mwc, rate.luck_adjusted
        rows.append([name, *(f"{number:,}" for number in (one.matches, one.won, one.lost)), *map(_signed, numbers)])
    note = (
        "<p>A match that is won is worth +0.50, as at even chances, and one that is lost \N{MINUS SIGN}0.50. "
        "Money play counts points. Luck is in normalized equity.</p>\n"
    )
    return _table("Results and luck", head, rows) + note


def _openings(cells: dict[Cell, Errors]) -> str:
    openings = sorted(
        (cell for cell in cells if cell[0] == "opening"), key=lambda cell: (cell[1], -cells[cell].decisions)
    )
    rows = ([cell[1], escape(cell[2]), *_costs(cells[cell])] for cell in openings)
    return _table("Openings", ("Roll", "Play", "Times", "Cost", "Rate"), rows) if openings else ""


def _replies(cells: dict[Cell, Errors]) -> str:
    replies = sorted((cell for cell in cells if cell[0] == "reply"), key=lambda cell: -cells[cell].error)[:_LISTED]
    rows = (
        [f"{cell[1]}: {escape(cell[2])}", f"{cell[3]}: {escape(cell[4])}", *_costs(cells[cell])] for cell in replies
    )
    return _table("Replies that cost most", ("Opening", "Reply", "Times", "Cost", "Rate"), rows) if replies else ""


def _costs(errors: Errors) -> list[str]:
    return [f"{errors.decisions:,}", f"{errors.error:.3f}", _number(errors.rate, 1)]
