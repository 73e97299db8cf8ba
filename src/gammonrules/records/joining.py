"""Records of one match that hold a game or a few each, put together: `joined`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence

import attrs
from attrs import frozen

from gammonrules.errors import ArgumentError
from gammonrules.records.findings import Finding
from gammonrules.records.headers import other_tags
from gammonrules.records.model import Match, score_after
from gammonrules.values import shown


@frozen
class Span:
    """Where consecutive games belong in a match. Two records with equal spans are twins."""

    about: Hashable
    """What all records of the match have in common: players, length, tags."""
    first: int
    last: int
    """The numbers of the first and the last game."""
    before: tuple[int, int]
    after: tuple[int, int] | None
    """The scores before the first and after the last game; None if that has no end."""
    played: Hashable
    """What was played: different for different games."""


def joined(matches: Iterable[Match]) -> tuple[Match, ...]:
    """Put records together that hold some of the games of one match each, such as texts of GNU Backgammon.

    One record continues another if players, length, rules and tags are the same, its games have the next numbers, and
    its score is the one that the other ends with. They are joined if there is only one way: where two different records
    would continue one, all stay apart. Of a record that is there twice, the first is joined.

    Args:
        matches: the records, in any order.

    Returns:
        The matches, in the order of their first records. Findings are those of the records; their lines count in the
        file of the game.

    Raises:
        ArgumentError: there is something other than a `Match` among them.

    Examples:
        >>> from gammonrules.records import joined, load
        >>> names = [f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003")]
        >>> texts = [load(f"tests/data/analysis/gnubg/{name}") for name in names]
        >>> joined(texts)
        (<Match lasse 3-1 the_boys, to 5, 3 games>,)
    """
    given = list(matches)
    for match in given:
        if not isinstance(match, Match):
            raise ArgumentError(f"expected matches, not {shown(match, 60)}")
    return tuple(_whole([given[index] for index in chain]) for chain in chains([_span_of(match) for match in given]))


def chains(spans: Sequence[Span | None]) -> list[list[int]]:
    """The indexes of the records of each match, in the order of their games; a record without a span stands alone."""
    twins: defaultdict[Span, list[int]] = defaultdict(list)
    beginnings: defaultdict[Hashable, set[Span]] = defaultdict(set)
    ends: defaultdict[Hashable, set[Span]] = defaultdict(set)
    for index, span in enumerate(spans):
        if span is not None:
            twins[span].append(index)
            beginnings[span.about, span.first, span.before].add(span)
            ends[span.about, span.last + 1, span.after].add(span)
    following = {
        next(iter(ends[place])): next(iter(spans_here))
        for place, spans_here in beginnings.items()
        if len(spans_here) == 1 and len(ends.get(place, ())) == 1
    }
    found = [[index] for index, span in enumerate(spans) if span is None]
    for span in twins.keys() - following.values():
        series = [span]
        while series[-1] in following:
            series.append(following[series[-1]])
        for layer in range(max(len(twins[one]) for one in series)):
            found += _runs([twins[one][layer] if layer < len(twins[one]) else None for one in series])
    return sorted(found)


def _runs(indexes: Iterable[int | None]) -> Iterator[list[int]]:
    """The parts of a series between its gaps."""
    run: list[int] = []
    for index in [*indexes, None]:
        if index is not None:
            run.append(index)
        elif run:
            yield run
            run = []


def _span_of(match: Match) -> Span | None:
    if not match.games:
        return None
    first, last = match.games[0], match.games[-1]
    after = score_after(last)
    about = match.players, match.length, match.rules, other_tags(match.tags)
    played = tuple(game.fingerprint for game in match.games)
    return Span(about, first.number, last.number, first.score, None if after == last.score else after, played)


def _whole(matches: Sequence[Match]) -> Match:
    """One match with the games of all."""
    if len(matches) == 1:
        return matches[0]
    findings: list[Finding] = []
    before = 0
    for match in matches:
        findings += (moved(finding, before) for finding in match.findings)
        before += len(match.games)
    return attrs.evolve(
        matches[0],
        games=tuple(game for match in matches for game in match.games),
        comments=tuple(dict.fromkeys(comment for match in matches for comment in match.comments)),
        findings=tuple(dict.fromkeys(findings)),
        stated_rolls=sum(match.rolls for match in matches),
    )


def moved(finding: Finding, by: int) -> Finding:
    """The same finding in a record with so many more games before it."""
    return finding if finding.game is None else attrs.evolve(finding, game=finding.game + by)


def part_of(match: Match, wanted: Sequence[int]) -> Match:
    """A match with only the games at these indexes, and what was found about them."""
    numbers = {index + 1: number for number, index in enumerate(wanted, start=1)}
    kept = (finding for finding in match.findings if finding.game is None or finding.game in numbers)
    findings = tuple(moved(finding, numbers.get(finding.game or 0, 0) - (finding.game or 0)) for finding in kept)
    return attrs.evolve(
        match, games=tuple(match.games[index] for index in wanted), findings=findings, stated_rolls=None
    )
