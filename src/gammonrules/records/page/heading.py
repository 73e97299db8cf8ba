"""The head of a page: what is known about the match as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from gammonrules.records.findings import Finding, Severity
from gammonrules.records.model import Match, dashed
from gammonrules.records.page.listing import comment_html, finding_html
from gammonrules.records.page.places import Places
from gammonrules.records.page.safe_text import harmless, html, isolated
from gammonrules.values import counted

_LONGEST_TAG = 200
_MOST_TAGS = 100


def kind_of(match: Match) -> str:
    """The kind of match."""
    if match.is_coin_game:
        return "coin game"
    return "money play" if match.length is None else f"{match.length} point match"


def about(match: Match) -> str:
    """What is known about the match, on one line."""
    when = [str(match.date)] if match.date is not None else []
    where = [isolated(harmless(said, _LONGEST_TAG)) for said in (match.event, match.round, match.site) if said]
    known = [kind_of(match), counted(len(match.games), "game"), dashed(match.score), *where, *when]
    return " · ".join(known)


def record(match: Match, findings: Sequence[Finding], places: Places, links: Mapping[int, Sequence[str]]) -> str:
    """A section about the whole record that can be opened: its findings, its comments, its header.

    `links` are the addresses of the steps of each game, by its index from 1.
    """
    said = [*map(finding_html, places.record), *map(comment_html, match.comments)]
    placed = "".join(
        f'<li><a href="#{html(links[game][at])}">{html(f"Game {game}: {finding.severity}: {finding.kind}")}</a></li>'
        for game, at, finding in _placed(places)
    )
    found = f"<ul>{placed}</ul>" if placed else ""
    tags = _tags(match)
    if not (said or found or tags):
        return ""
    is_open = any(finding.severity is not Severity.INFO for finding in places.record)
    summary = f"<summary>About the record: {_counts(findings)}</summary>"
    return f"<details{' open' if is_open else ''}>{summary}{''.join(said)}{found}{tags}</details>\n"


def _placed(places: Places) -> Iterator[tuple[int, int, Finding]]:
    """The findings in the list, in its order, each with its game and step."""
    of_games = [(game, 0, found) for game, listed in places.games.items() for found in listed]
    of_steps = [(game, at, found) for (game, at), listed in places.steps.items() for found in listed]
    yield from sorted(of_games + of_steps, key=lambda placed: placed[:2])


def _counts(findings: Sequence[Finding]) -> str:
    """How many findings there are of each severity."""
    numbers = Counter(finding.severity for finding in findings)
    words = [
        f"{numbers[severity]} info" if severity is Severity.INFO else counted(numbers[severity], severity)
        for severity in Severity
        if numbers[severity]
    ]
    return ", ".join(words) or "no findings"


def _tags(match: Match) -> str:
    tags = "".join(
        f"<dt>{isolated(harmless(name, _LONGEST_TAG))}</dt><dd>{isolated(harmless(value, _LONGEST_TAG))}</dd>"
        for name, value in match.tags[:_MOST_TAGS]
    )
    return f"<dl>{tags}</dl>" if tags else ""
