"""The page of a report: how well players play, and where they lose points, as one HTML file whose script asks."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from html import escape
from itertools import chain, pairwise
from math import ceil
from pathlib import Path
from typing import Final
from urllib.parse import quote

from attrs import evolve, frozen

from gammonrules.analysis.internals import MIN_SEEN, harmless, trials_text
from gammonrules.board import Position, PositionKind
from gammonrules.draw import svg
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.records.page.aggregates import (
    FARTHEST,
    OTHERS,
    AwayScore,
    Details,
    Opening,
    PlayerMatch,
    Report,
    Sum,
    Tally,
    sum_of_rates,
)
from gammonrules.records.page.charts import Mark, Point, Series, strip
from gammonrules.records.page.find_commands import FindCommand
from gammonrules.records.page.html_tables import pr_cell, share_bar, signed_number, wide_table
from gammonrules.records.page.kind_names import plural
from gammonrules.records.page.move_list import in_bdi, shown_evaluator, shown_name
from gammonrules.records.page.player_summary import CLASSES, SHOWN, Lessons, PageOf, headed, link_to
from gammonrules.records.page.quiz import quiz
from gammonrules.records.page.template import document, filled, part
from gammonrules.records.transcript import (
    ErrorRate,
    ErrorSummary,
    Evaluator,
    counting_rule,
    dashed,
    loose_told,
    told_pr,
)
from gammonrules.values import counted

_MAX_SECTIONS: Final = 50
_WITH_COMMANDS: Final = 20
"""Rows of a table that have a command."""
_LISTED: Final = 50
"""Rows of a table of matches or openings."""
_MIN_NAMED: Final = 2
"""Matches of the player with whom a page about all begins."""
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
_OTHERS: Final = 5
"""Evaluators that are named, of those whose numbers the page does not have."""
_MAX_WARNING_LENGTH: Final = 600
_MAX_REASON_LENGTH: Final = 300
_DATES: Final = 4
"""At most so many are below the line of PRs."""
SHADES: Final = 4
"""Classes of the style sheet for the cells of the map, besides that of what cost nothing."""
_HEAT: Final = '<span class="heat{}">{:.2f}<small>{:,}</small></span>'
_OF_RATE: Final = "Decisions", "PR"
_OF_PLAYERS: Final = "Net luck", "Won", "Lost", "Matches", "Decisions"
_PRACTICE: Final = "To practice"
_OF_SUM: Final = "Matches", "Won", "Lost", *_OF_RATE, "Net luck"
_ACTIONS: Final = {
    "roll": "Not doubling",
    "double": "Doubling",
    "take": "Taking",
    "drop": "Dropping",
}


@frozen
class ReportContents:
    """What a report says, before it is drawn."""

    tally: Tally
    evaluators: Sequence[Evaluator]
    """Who analyzed; the numbers are those of the first."""
    sums: Mapping[str, Sum]
    ranked: Sequence[str]
    """The players, who decided most first."""
    lessons_of: Mapping[str, Lessons]
    """The lessons of the players who have a section, in its order."""
    reader: str
    """Who comes first on a page about all, as it is most of all about them; "" if nobody does."""
    find_in: str
    """Where `gammonrules find` finds what is counted; "" if nowhere."""

    @property
    def paths(self) -> list[str]:
        """The files of the matches to which the page leads, in its order."""
        paths: dict[str, None] = {}
        for lessons in self.lessons_of.values():
            of_mistakes = [mistake.played for mistake in lessons.shown]
            for played in chain(lessons.details.by_date(), of_mistakes):
                paths[played.path] = None
        return [*paths]

    def page(self, page_of: PageOf, links: str) -> Report:
        """The page, and what it says first of each player."""
        lessons_of: dict[str, Lessons] = {}
        for name, lessons in self.lessons_of.items():
            lessons_of[name] = evolve(lessons, page_of=page_of)
        return _page_of_report(evolve(self, lessons_of=lessons_of), links)


def contents_of_report(tally: Tally, find_in: str) -> ReportContents:
    """Raises ArgumentError if there is no such player."""
    evaluators = tally.evaluators()
    sums: Mapping[str, Sum] = {}
    if evaluators:  # the page has the numbers of the first
        sums = tally.totals[evaluators[0]]
    ranked = sorted(sums, key=lambda name: -sums[name].rate.decisions)
    if tally.player:
        ranked = [tally.player]
    players: Mapping[str, Details] = {}
    if evaluators:
        details = tally.details(evaluators[0], ranked[:_MAX_SECTIONS])
        players = dict(sorted(details.items(), key=lambda item: _by_pr(item[1].all)))
    reader = "" if tally.player else _player_named_most(sums)
    if reader not in players:  # as those with few decisions are not
        reader = ""
    else:
        players = {reader: players[reader]} | dict(players)
    everyone = _kinds_of_everyone(sums)
    lessons_of: dict[str, Lessons] = {}
    for number, name in enumerate(players):
        lessons_of[name] = Lessons(
            players[name], everyone, number=number, level=2 if name in {tally.player, reader} else 3
        )
    return ReportContents(tally, evaluators, sums, ranked, lessons_of, reader, find_in)


def _player_named_most(sums: Mapping[str, Sum]) -> str:
    """The player of two matches or more, at least half of all, and more than anybody else; "" if there is none."""
    matches = {name: total.counts["matches"] for name, total in sums.items()}
    ranked = sorted(matches, key=lambda name: -matches[name])
    if len(ranked) <= max(_FEW):
        return ""
    first, second = [matches[name] for name in ranked[:2]]
    number_of_matches = sum(matches.values()) / 2  # each has two players
    is_named_most = first >= _MIN_NAMED and first >= number_of_matches / 2 and first > second
    return ranked[0] if is_named_most else ""


def _page_of_report(contents: ReportContents, links: str) -> Report:
    tally = contents.tally
    sums = contents.sums
    lessons_of = contents.lessons_of
    reader = contents.reader
    is_folded = len(lessons_of) not in _FEW
    lack = _lack_in_words(tally)
    sections: dict[str, str] = {}
    sentences: dict[str, str] = {}
    for name, lessons in lessons_of.items():
        sentences[name] = " ".join([sentence for sentence in lessons.sentences if sentence])
        find = FindCommand.of(tally, contents.evaluators[0], name, contents.find_in)
        note = lack if name in {tally.player, reader} else ""
        sections[name] = _section_of_player(name, lessons, find, note, is_folded=is_folded)
    title, heading = _title_and_heading(contents)
    parts = [links, quiz(), heading]
    if not lessons_of:
        parts.append(lack)
    if reader:
        parts.append(f'{sections.pop(reader)}<h2 id="players">All players</h2>\n')
    if not tally.player and sums:
        parts.append(_lead_of_all(sums) if is_folded else "")
        parts.append(_table_of_players(tally, sums, lessons_of))
        parts.append("" if reader else lack)
    if is_folded:
        parts.append(_worst_of_all([lessons_of[name] for name in sections], reader))
    parts += sections.values()
    footer = "".join([f"<p>{words}</p>" for words in _about_numbers(tally, contents.evaluators)])
    parts.append(f"<footer>{footer}</footer>\n")
    body = filled(part("report.html"), {"main": "".join(parts), "script": part("quiz.js")})
    return Report(
        document(title, style(), body, script=part("quiz.js"), command="report"), sentences
    )


def _lack_in_words(tally: Tally) -> str:
    """What is not analyzed, and the command that has it analyzed; "" if everything is."""
    lack = tally.lack
    if not lack:
        return ""
    kind = "note" if tally.totals else "lead"  # else the page says nothing more
    sentence = in_bdi(harmless(lack, _MAX_WARNING_LENGTH))
    how = ""
    if not tally.is_choice:  # nothing analyzes beside one
        player = f" --player {shlex.quote(tally.player)}" if tally.player else ""
        command = f"gammonrules report PATH{player} --analyze analyzed"
        how = filled(part("lack.html"), {"command": escape(harmless(command, _MAX_WARNING_LENGTH))})
    return f'<p class="{kind}">{sentence}.{how}</p>\n'


def _title_and_heading(contents: ReportContents) -> tuple[str, str]:
    """Whom the page is about."""
    reader = contents.reader
    names = contents.ranked
    remark = ""
    identifier = ""
    if reader:
        matches = contents.sums[reader].counts["matches"]
        others = counted(len(contents.sums) - 1, "other player", ",")
        names = [reader]
        identifier = f' id="player-{contents.lessons_of[reader].number}"'
        remark = (
            f" <small>named most, in {matches:,} matches; "
            f'<a href="#players">{others}</a> below</small>'
        )
    elif len(names) not in _FEW:
        names = [_number_of_players(contents.tally, contents.sums)]
    title = escape(harmless(f"{' and '.join(names)}: PR, mistakes and luck", MAX_NAME_LENGTH))
    return title, f"<h1{identifier}>{' and '.join(map(shown_name, names))}{remark}</h1>\n"


def _section_of_player(
    name: str, lessons: Lessons, find: FindCommand | None, note: str, *, is_folded: bool
) -> str:
    """The section about a player, below a heading with the name if the page is about others too.

    `note`: HTML below what is said first.
    """
    section = lessons.html(note) + "".join(_sections(lessons, find))
    if lessons.is_whole_page:
        return section
    section = f'<h2 id="player-{lessons.number}">{shown_name(name)}</h2>\n{section}'
    if is_folded:
        return f"<details><summary>{shown_name(name)}</summary>\n{section}</details>\n"
    return section


def _lead_of_all(sums: Mapping[str, Sum]) -> str:
    """In which kind of position all players together lose most."""
    total = sum_of_rates([total.rate for total in sums.values()])
    if not total.error:
        return ""
    kind = max(total.kinds, key=lambda kind: total.kinds[kind].error)
    lost = f"{total.kinds[kind].error:.1f} of {total.error:.1f} points"
    return f'<p class="lead">Most is lost in {plural(kind)}: {lost}.</p>\n'


def _number_of_players(tally: Tally, sums: Mapping[str, Sum]) -> str:
    """The number of players in the table, in words; of all, where nobody is in it."""
    return counted(len(sums) or len(tally.names), "player", ",")


def _without_analyses(tally: Tally, sums: Mapping[str, Sum]) -> str:
    """The sentence about players who are not in the table; "" if all are."""
    unanalyzed = len(tally.names) - len(sums)
    return f" Not analyzed: {counted(unanalyzed, 'other player', ',')}." if unanalyzed else ""


def _by_pr(total: Sum) -> tuple[bool, float]:
    """The key by which players are sorted: the best first, those with too few decisions to say last."""
    pr = told_pr(total.rate)
    return pr is None, pr or 0.0


def _table_of_players(
    tally: Tally, sums: Mapping[str, Sum], lessons_of: Mapping[str, Lessons]
) -> str:
    """All players, the best first, with links to the sections of those who have one."""
    ranked = sorted(sums, key=lambda name: _by_pr(sums[name]))
    highest = max([told_pr(total.rate) or 0.0 for total in sums.values()], default=0.0)
    rows: list[list[str]] = []
    for name in ranked:
        rate = sums[name].rate
        shown = shown_name(name)
        uncertainty = ""
        practice = ""
        lessons = lessons_of.get(name)
        if lessons is not None:
            shown = f'<a href="#player-{lessons.number}">{shown}</a>'
            if told_pr(rate) is not None:
                uncertainty = _plus_minus(lessons.details.uncertainty)
            practice = lessons.practice
        share = (told_pr(rate) or 0.0) / highest if highest else 0.0
        matches, won, lost, decisions, pr, luck = _cells_of_sum(sums[name])
        bar = filled(part("pr-bar.html"), {"width": f"{100 * share:.0f}"})
        words = f'<span class="words">{practice}</span>'
        counts = [luck, won, lost, matches, decisions]
        rows.append([shown, f"{pr}{uncertainty}", bar, *counts, words])
    less = "", "Matches"  # those won and lost are there
    head = "Player", "PR ±", "", *_OF_PLAYERS, _PRACTICE
    about = filled(part("players.html"), {"others": _without_analyses(tally, sums)})
    return wide_table("Players", head, rows, less=less) + about


def _plus_minus(uncertainty: float | None) -> str:
    return "" if uncertainty is None else f" <small>± {uncertainty:.1f}</small>"


def _worst_of_all(lessons: Iterable[Lessons], reader: str) -> str:
    """The worst mistakes of all players, or of those but the reader, which are asked; "" if there are none."""
    asked = [(mistake, of_player) for of_player in lessons for mistake in of_player.solved]
    if not asked:
        return ""
    asked.sort(key=lambda mistake_and_player: -mistake_and_player[0].error)
    worst = [
        of_player.position(mistake, is_open=False, is_named=True)
        for mistake, of_player in asked[:SHOWN]
    ]
    boards = "".join(worst)
    title = f"The worst mistakes of {'others' if reader else 'all'}"
    return headed(2, title, f'<div class="boards">{boards}</div>\n')


def _kinds_of_everyone(sums: Mapping[str, Sum]) -> Mapping[PositionKind, ErrorSummary]:
    """The errors of all players in each kind of position; empty if they are too few."""
    if len(sums) <= _ENOUGH:
        return {}
    return sum_of_rates([total.rate for total in sums.values()]).kinds


@cache
def style() -> str:
    return f"{part('base.css')}{part('report.css')}{part('quiz.css')}{part('charts.css')}{svg.stylesheet()}"


def _about_numbers(tally: Tally, evaluators: Sequence[Evaluator]) -> Iterator[str]:
    """The lines about the numbers: who analyzed, how many matches there are, and what is not in them."""
    analyzed = tally.played - tally.unanalyzed
    yield f"{tally.counts()}; with analyses: {analyzed:,}, files that are no records: {tally.skipped:,}."
    if evaluators:
        main, *others = evaluators  # the page has the numbers of the first
        yield f"All numbers are those of {shown_evaluator(main)}, of the decisions that count by the rule {tally.rule}."
        trials = trials_text(tally.trials[main])
        if trials:
            yield f"{trials} that were asked for."
        classes = [f"{player_class.name} from {player_class.least:g}" for player_class in CLASSES]
        pieces = {"sizes": _sizes(tally.rule), "classes": ", ".join(classes)}
        yield filled(part("numbers.html"), pieces)
        if others:
            counts = [
                f"{shown_evaluator(other)}: {tally.decisions(other):,} decisions"
                for other in others[:_OTHERS]
            ]
            options = "--analyzed-by and --analysis-level"
            yield f"Others do not mix with them, and are chosen with {options}: {', '.join(counts)}."
    if tally.loose:
        warning = loose_told([*tally.loose.values()])
        yield in_bdi(harmless(warning, _MAX_WARNING_LENGTH))
    cut_games = [*chain.from_iterable(tally.cut.values())]
    if cut_games:
        reasons: list[str] = []
        for path, reason in cut_games[:_CUT]:
            reasons.append(in_bdi(harmless(f"{path}: {reason}", _MAX_REASON_LENGTH)))
        if len(cut_games) > _CUT:
            reasons.append("…")
        number = f"{len(cut_games):,}"
        yield f"Games of which only the beginning could be replayed: {number}. {'; '.join(reasons)}"


def _sizes(rule: str) -> str:
    """From which cost on a mistake has a name."""
    costs = counting_rule(rule).mistakes
    sizes = [f"{name} {_from_cost(rule, cost)}" for name, cost in costs.items()]
    return f"Mistakes by the rule {rule}, in points: {', '.join(sizes)}"


def _from_cost(rule: str, least: float) -> str:
    """The words for the least cost of a mistake: "from", or "above" if by the rule just this cost has no name."""
    return f"{'from' if counting_rule(rule).is_least_named else 'above'} {least:g}"


# --- tables -----------------------------------------------------------------------------------------------------------


def _cells_of_sum(total: Sum) -> list[str]:
    counts = [f"{total.counts[name]:,}" for name in ("matches", "won", "lost")]
    return [*counts, *_cells_of_rate(total.rate), signed_number(total.rate.luck_net)]


def _cells_of_rate(rate: ErrorSummary) -> list[str]:
    return [f"{rate.decisions:,}", pr_cell(rate)]


# --- a player ---------------------------------------------------------------------------------------------------------


def _sections(lessons: Lessons, find: FindCommand | None) -> Iterator[str]:
    """The sections about a player below the lessons; without more mistakes if the page has all players.

    `find`: lists the decisions of a row.
    """
    details = lessons.details
    level = lessons.level
    latest = details.by_date()
    yield headed(level, "PR over time", _course(latest, lessons.page_of))
    yield headed(level, "Where points are lost", _bars(details, find))
    yield headed(level, "Opening plays that cost", _openings(details.parts.openings, find))
    closed = {
        "Cube decisions by score": _map(details.parts.by_score, find),
        "Match by match": _latest_matches(latest, lessons.page_of),
        "By opponent": _table_of_opponents(details.opponents),
        "More mistakes": lessons.positions(lessons.more) if lessons.is_whole_page else "",
    }
    for title, contents in closed.items():
        if contents:
            heading = f"<h{level}>{title}</h{level}>"
            yield f"<details><summary>{heading}</summary>\n{contents}</details>\n"


def _table_of_opponents(opponents: Mapping[str, Sum]) -> str:
    if len(opponents) <= 1:
        return ""
    ranked = [name for name in opponents if name != OTHERS]
    ranked.sort(key=lambda name: -opponents[name].rate.decisions)
    if OTHERS in opponents:
        ranked.append(OTHERS)
    rows: list[list[str]] = []
    for name in ranked:
        shown = shown_name("others" if name == OTHERS else name)
        rows.append([shown, *_cells_of_sum(opponents[name])])
    return wide_table("Opponent", ("Opponent", *_OF_SUM), rows)


def _commands_of_rows(find: FindCommand | None, rows: Mapping[str, Sequence[str]]) -> str:
    """The commands for the first rows of a table, folded."""
    return find.folded(dict([*rows.items()][:_WITH_COMMANDS])) if find else ""


def _bars(details: Details, find: FindCommand | None) -> str:
    """Bars of what is lost by each kind of decision, and in each kind of position."""
    total = details.all.rate
    decisions: dict[str, ErrorSummary] = {"All": total, "Checker plays": total.plays}
    conditions: dict[str, Sequence[str]] = {"All": (), "Checker plays": ("decision = play",)}
    for action, words in _ACTIONS.items():
        errors = details.parts.by_action.get(action)
        if errors is not None:
            decisions[words] = errors
            conditions[words] = (f"action = {action}",)
    rule = counting_rule(total.rule)
    is_mistake = f"error {'>=' if rule.is_least_named else '>'} {rule.least:g}"
    for name, _ in details.parts.wrong_actions.most_common():
        words = f"{name.replace('_', ' ').capitalize()}s"
        conditions[words] = (f"mistake = {name}", is_mistake)
    positions: dict[str, ErrorSummary] = {}
    for kind in sorted(total.kinds, key=lambda kind: -total.kinds[kind].error):
        words = plural(kind).capitalize()
        positions[words] = total.kinds[kind]
        conditions[words] = (f"position_kind = {kind}",)
    tables = _bar_table("Decision", decisions, total) + _bar_table("Position", positions, total)
    commands = find.folded(conditions) if find else ""
    return f'<div class="boards">{tables}</div>\n{part("bars.html")}{commands}'


def _bar_table(title: str, parts: Mapping[str, ErrorSummary], total: ErrorRate) -> str:
    rows: list[list[str]] = []
    for words, errors in parts.items():
        share_of_error = errors.error / total.error if total.error else 0.0
        share_of_decisions = errors.decisions / total.decisions if total.decisions else 0.0
        decisions, pr = _cells_of_rate(errors)
        bar = share_bar(share_of_error, usual=share_of_decisions)
        mistakes = [f"{errors.mistakes.get(size, 0):,}" for size in total.mistakes]
        rows.append([words, bar, f"{errors.error:.3f}", decisions, pr, *mistakes])
    sizes = [size.capitalize() for size in total.mistakes]
    return wide_table(title, (title, "", "Points", *_OF_RATE, *sizes), rows)


def _map(by_score: Mapping[AwayScore, ErrorSummary], find: FindCommand | None) -> str:
    """The table of losses with the cube at each score, the darker the more."""
    decisions = sum([errors.decisions for errors in by_score.values()])
    if decisions < _FEW_CUBES:
        return ""
    most_away = max([max(score.mine, score.theirs) for score in by_score])
    # what costs the same in the two decimals of the map is equally dark
    largest_error = max([round(errors.error, 2) for errors in by_score.values()])
    columns: list[str] = []
    rows: list[list[str]] = []
    for mine in range(1, most_away + 1):
        away = f"{mine}+" if mine == FARTHEST else f"{mine}"
        columns.append(away)
        row = [f"{away} away"]
        for theirs in range(1, most_away + 1):
            errors = by_score.get(AwayScore(mine, theirs))
            if errors is None:
                row.append("")
                continue
            shade = 0
            if largest_error:
                shade = ceil(SHADES * round(errors.error, 2) / largest_error)
            row.append(_HEAT.format(shade, errors.error, errors.decisions))
        rows.append(row)
    table = wide_table("Cube decisions by score", ("", *columns), rows)
    return f"{part('map.html')}{table}{_commands_of_rows(find, _conditions_of_scores(by_score))}"


def _conditions_of_scores(by_score: Mapping[AwayScore, ErrorSummary]) -> dict[str, Sequence[str]]:
    """The conditions of the cells of the map of scores, those first that lost most."""
    conditions: dict[str, Sequence[str]] = {}
    for score in sorted(by_score, key=lambda score: -by_score[score].error):
        words = [f"{away}+" if away == FARTHEST else f"{away}" for away in score]
        signs = [">=" if away == FARTHEST else "=" for away in score]
        conditions[f"{words[0]} away, opponent {words[1]} away"] = (
            "decision != play",
            f"away {signs[0]} {score.mine}",
            f"opponent_away {signs[1]} {score.theirs}",
        )
    return conditions


def _course(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    """The PR of several matches as a line among the dots of each; "" for one match or two."""
    if len(latest) <= 2:
        return ""
    dots: list[Point] = []
    line: list[Point] = []
    dates: list[Mark] = []
    for number, played in enumerate(latest):
        x = number + 0.5  # in the middle of its share of the width
        date = str(played.date or "no date")
        label = f"{played.opponent}, {date}"
        dots.append(Point(x, told_pr(played.rate), label, href=page_of(played.path)))
        until_this_match = latest[: number + 1]
        together = sum_of_rates([match.rate for match in until_this_match[-_TOGETHER:]])
        line.append(Point(x, told_pr(together)))
        dates.append(Mark(x, date))
    highest = max([dot.height for dot in dots])
    levels = _class_levels(highest)
    if not levels:
        levels = [Mark(0, "0")]
    distance_of_dates = ceil(len(dates) / _DATES)
    drawn = strip(
        "PR by match",
        lines=[Series("", line)],
        mistakes=(),
        marks=dates[::distance_of_dates],
        lowest=0,
        highest=1.1 * highest,  # some room above the highest dot
        last=len(dots),
        dots=dots,
        levels=levels,
    )
    note = f"A dot for each match, by date; the line is the mean of up to {_TOGETHER} matches."
    return f'{drawn}<p class="note">{note}</p>\n'


def _class_levels(highest: float) -> list[Mark]:
    """The marks on a chart where each class of players ends, as far as it goes."""
    levels: list[Mark] = []
    for player_class, following in pairwise(CLASSES):
        end = following.least
        if end <= highest:
            levels.append(Mark(end, f"{player_class.name}: up to {end:g}"))
    return levels


def _latest_matches(latest: Sequence[PlayerMatch], page_of: PageOf) -> str:
    if len(latest) <= 1:
        return ""
    rows: list[list[str]] = []
    for played in reversed(latest[-_LISTED:]):
        score = dashed(played.score, played.length)
        if played.length:
            score += f" to {played.length}"
        rows.append(
            [
                link_to(shown_name(played.opponent), page_of(played.path)),
                str(played.date or "no date"),
                score,
                *_cells_of_rate(played.rate),
                signed_number(played.rate.luck_net),
            ]
        )
    head = ("Opponent", "Date", "Score", *_OF_RATE, "Net luck")
    return wide_table("Matches, the last one first", head, rows)


def _openings(openings: Mapping[Opening, ErrorSummary], find: FindCommand | None) -> str:
    ranked = sorted(openings, key=lambda opening: -openings[opening].error)
    rows: list[list[str]] = []
    conditions: dict[str, Sequence[str]] = {}
    for opening in ranked[:_LISTED]:
        errors = openings[opening]
        if errors.error >= MIN_SEEN:
            rows.append(
                [
                    escape(opening.dice),
                    escape(opening.play),
                    escape(opening.best),
                    f"{errors.decisions:,}",
                    f"{errors.error:.3f}",
                ]
            )
            # the same play has a row for each play that was better, at other scores
            words = f"{opening.dice}: {opening.play}, best {opening.best or 'not known'}"
            conditions[escape(words)] = (
                Position.start().id,
                "turn = 1",
                f"dice = {opening.dice}",
                f"action = {opening.play}",
                f"best = {opening.best}".rstrip(),
            )
    table = wide_table("Opening plays", ("Roll", "Play", "Best", "Times", "Cost"), rows)
    return table + _commands_of_rows(find, conditions)


def page_beside(file: str | None, path: str) -> str:
    """The address of the page of a match, beside its record or beside the report; "" if there is none."""
    if not (file and path):
        return ""
    here = Path(file).parent
    record = Path(path)
    for page in (
        record.parent / f"{record.stem}.html",
        record.parent / f"{record.name}.html",
        here / f"{record.stem}.html",
        here / f"{record.name}.html",
    ):
        if not os.path.isfile(page):  # noqa: PTH113 - any name
            continue
        is_the_report_itself = page.resolve() == Path(file).resolve()
        if is_the_report_itself:
            continue
        try:
            relative = Path(os.path.relpath(page, here))
        except ValueError:  # it is on another drive
            continue
        return quote(os.fsencode(relative.as_posix()))
    return ""
