"""Records of one match that hold a game or a few each, put together: `joined`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, groupby, zip_longest
from typing import Final, NamedTuple, TypeAlias

import attrs
from attrs import frozen

from gammonrules.records.transcript.findings import Finding, renumbered
from gammonrules.records.transcript.header_tags import other_tags
from gammonrules.records.transcript.matches import Match, score_after
from gammonrules.values import each_of


@frozen
class Span:
    """Where consecutive games belong in a match. Two records with equal spans are twins."""

    match: Hashable
    """What all records of the match have in common: players, length, tags."""
    first: int
    last: int
    """The numbers of the first and the last game."""
    before: tuple[int, int]
    after: tuple[int, int] | None
    """The scores before the first and after the last game; None if that has no end."""
    played: Hashable
    """What was played: different for different games."""

    def is_continued_by(self, other: Span) -> bool:
        """Whether the other's games may be the next ones."""
        end = self.match, self.last + 1, self.after
        return self.first <= self.last and end == (other.match, other.first, other.before)


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
        GammonError: an event breaks the rules. Games that were read from a file hold no such events.

    Examples:
        >>> from gammonrules.records import joined, load
        >>> names = [f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003")]
        >>> texts = [load(f"tests/data/analysis/gnubg/{name}") for name in names]
        >>> joined(texts)
        (<Match lasse 3-1 the_boys, to 5, 3 games>,)
    """
    parts = list(each_of(Match, "matches", matches))
    return tuple(
        _whole_match([parts[index] for index in series])
        for series in chains(list(map(_span_of, parts)))
    )


class FileNumber(NamedTuple):
    """The place of a file in a series: `match7_002.txt` is the second one, and `match7.txt` the first."""

    series: str
    number: int


_NUMBERED = re.compile(
    r"(?P<before>.*[^/\\])_(?P<number>[0-9]{3,9})(?P<after>\.[^/\\_]*|)", re.DOTALL
)
"""The name that GNU Backgammon gives to the text of the second and of every further game."""


def numbered_file(path: str) -> FileNumber:
    """The place that the name of a file gives it."""
    if (match := _NUMBERED.fullmatch(path)) is None:
        return FileNumber(path, 1)
    return FileNumber(match["before"] + match["after"], int(match["number"]))


_Twins: TypeAlias = tuple[Span, FileNumber | None]
"""Records that are the same, and the place of the only one if that is not the first of its series."""


def chains(spans: Sequence[Span | None], paths: Sequence[str] = ()) -> list[list[int]]:
    """The indexes of the records of each match, in the order of their games; a record without a span stands alone.

    Records that fit are joined if their files have the next numbers of a series, and a second or later file of a series
    continues nothing else. Where no names decide, there must be only one way.
    """
    files = list(map(numbered_file, paths)) or [FileNumber("", 1)] * len(spans)
    twins: defaultdict[_Twins, list[list[int]]] = defaultdict(list)
    for run in _runs_by_number(spans, files):
        file = files[run[0]]
        twins[
            _span_of_run([spans[index] for index in run]), file if file.number > 1 else None
        ].append(run)
    joints: defaultdict[Hashable, tuple[list[_Twins], list[_Twins]]] = defaultdict(lambda: ([], []))
    for same in twins:
        span, later = same
        if span.first <= span.last:  # so that nothing can follow itself
            joints[span.match, span.last + 1, span.after][0].append(same)
            joints[span.match, span.first, span.before][1].extend([same] if later is None else [])
    following = {
        ends[0]: begins[0] for ends, begins in joints.values() if len(ends) == len(begins) == 1
    }
    indexes = [[index] for index, span in enumerate(spans) if span is None]
    for same in twins.keys() - following.values():
        series = [same]
        while series[-1] in following:
            series.append(following[series[-1]])
        # the first of each, then the second of each, ...
        for copies in zip_longest(*(twins[part] for part in series)):
            for is_gap, runs in groupby(copies, key=lambda run: run is None):
                indexes += [] if is_gap else [[*chain.from_iterable(runs)]]
    return sorted(indexes)


def _runs_by_number(spans: Sequence[Span | None], files: Sequence[FileNumber]) -> list[list[int]]:
    """The records with a span, those in one list that fit and whose files have the next numbers of a series."""
    runs: list[list[int]] = []
    ending: dict[FileNumber, list[int]] = {}
    for index in sorted(range(len(spans)), key=lambda index: files[index].number):
        if (span := spans[index]) is None:
            continue
        series, number = files[index]
        run = ending.pop(FileNumber(series, number - 1), list[int]())
        before = spans[run[-1]] if run else None
        if before is None or not before.is_continued_by(span):
            run = list[int]()
            runs.append(run)
        run.append(index)
        ending[files[index]] = run
    return runs


def _span_of_run(spans: Sequence[Span | None]) -> Span:
    first, *others = filter(None, spans)
    if not others:
        return first
    played = first.played, *(span.played for span in others)
    return attrs.evolve(first, last=others[-1].last, after=others[-1].after, played=played)


def is_loose(match: Match) -> bool:
    """Whether a text of GNU Backgammon has some games of a match, and others are missing: before them, or after."""
    if match.format != "gnubg-text" or not match.games:
        return False
    goes_on = match.length is not None and not match.is_coin_game and match.winner is None
    return match.games[0].number > 1 or (goes_on and match.games[-1].result is not None)


def loose_told(paths: Sequence[str]) -> str:
    """A sentence about records that are loose, by their paths."""
    named = f"{', '.join(paths[:_MOST_LOOSE])}{', ...' * (len(paths) > _MOST_LOOSE)}"
    why = "which other texts may have: none continues them, or several do"
    return f"Counted as matches though some of their games are missing, {why}: {len(paths):,} ({named})."


_MOST_LOOSE: Final = 3


def _span_of(match: Match) -> Span | None:
    if not match.games:
        return None
    first, last = match.games[0], match.games[-1]
    after = score_after(last)
    common = match.players, match.length, match.rules, other_tags(match.tags)
    played = tuple(game.fingerprint for game in match.games)
    return Span(
        common,
        first=first.number,
        last=last.number,
        before=first.score,
        after=None if after == last.score else after,
        played=played,
    )


def _whole_match(matches: Sequence[Match]) -> Match:
    if len(matches) == 1:
        return matches[0]
    findings: list[Finding] = []
    before = 0
    for match in matches:
        findings += (
            attrs.evolve(finding, game=finding.game and finding.game + before)
            for finding in match.findings
        )
        before += len(match.games)
    return attrs.evolve(
        matches[0],
        games=tuple(game for match in matches for game in match.games),
        comments=tuple(dict.fromkeys(comment for match in matches for comment in match.comments)),
        findings=tuple(dict.fromkeys(findings)),
        stated_rolls=sum(match.rolls for match in matches),
    )


def part_of(match: Match, indexes: Sequence[int]) -> Match:
    """A match with only the games at these indexes, and the findings about them."""
    numbers = dict.fromkeys(index + 1 for index in indexes)  # in order, and quick to look up
    findings = (
        finding for finding in match.findings if finding.game is None or finding.game in numbers
    )
    games = tuple(match.games[index] for index in indexes)
    return attrs.evolve(
        match, games=games, findings=renumbered(findings, numbers), stated_rolls=None
    )
