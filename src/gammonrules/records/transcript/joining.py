"""Records of one match that hold a game or a few each, put together: `join`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

import attrs
from attrs import frozen

from gammonrules._shared.checked_fields import each_of
from gammonrules.records.transcript.findings import Finding, renumbered
from gammonrules.records.transcript.header_tags import other_tags
from gammonrules.records.transcript.matches import Game, Match, score_after


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
        if self.first > self.last:  # numbers that go back say nothing
            return False
        is_next = other.match == self.match and other.first == self.last + 1
        return is_next and other.before == self.after


def join(matches: Iterable[Match]) -> tuple[Match, ...]:
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
        GammonError: an event breaks the rules. Games that `records` has read hold no such events.

    Examples:
        >>> from gammonrules.records import join, load
        >>> names = [f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003")]
        >>> texts = [load(f"tests/data/analysis/gnubg/{name}") for name in names]
        >>> join(texts)
        (<Match lasse 3-1 the_boys, to 5, 3 games>,)
    """
    records = list(each_of(Match, "matches", matches))
    spans = [_span_of(record) for record in records]
    return tuple(_whole_match([records[index] for index in chain]) for chain in chains(spans))


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
    match = _NUMBERED.fullmatch(path)
    if match is None:
        return FileNumber(path, 1)
    return FileNumber(match["before"] + match["after"], int(match["number"]))


@frozen
class _PlacedRecord:
    """A record with its place in a list of them, and that of its file in a series."""

    index: int
    span: Span
    file: FileNumber


_Run: TypeAlias = list[_PlacedRecord]
"""Records that follow each other, as the names of their files decide."""


@frozen
class _MatchPart:
    """What a run has of a match. Runs with equal parts are copies of each other."""

    span: Span
    later_file: FileNumber | None
    """The place of the first file, if it is not the first of its series: then this part continues no other."""


def chains(spans: Sequence[Span | None], paths: Sequence[str] = ()) -> list[list[int]]:
    """The indexes of the records of each match, in the order of their games; a record without a span stands alone.

    Records that fit are joined if their files have the next numbers of a series, and a second or later file of a series
    continues nothing else. Where no names decide, there must be only one way.
    """
    matches: list[list[int]] = []
    records: list[_PlacedRecord] = []
    for index, span in enumerate(spans):
        if span is None:
            matches.append([index])
        else:
            file = numbered_file(paths[index]) if paths else FileNumber("", 1)
            records.append(_PlacedRecord(index, span, file))
    copies: dict[_MatchPart, list[_Run]] = defaultdict(list)
    for run in _runs_by_file(records):
        copies[_part_of_run(run)].append(run)
    next_part = _next_parts(copies)
    parts_that_follow_none = copies.keys() - next_part.values()
    for first in parts_that_follow_none:
        parts = [first]
        while parts[-1] in next_part:
            parts.append(next_part[parts[-1]])
        joined_runs = _matches_with_copies([copies[part] for part in parts])
        matches += [[record.index for record in run] for run in joined_runs]
    return sorted(matches)  # in the order of their first records


def _runs_by_file(records: Iterable[_PlacedRecord]) -> list[_Run]:
    """The records in runs: each continues the one whose file has the number before its own, if it fits."""
    runs: list[_Run] = []
    run_ending_with: dict[FileNumber, _Run] = {}
    for record in sorted(records, key=lambda record: record.file.number):
        file_before = FileNumber(record.file.series, record.file.number - 1)
        run = run_ending_with.pop(file_before, None)  # it gets another end, or none
        if run is None or not run[-1].span.is_continued_by(record.span):
            run = list[_PlacedRecord]()
            runs.append(run)
        run.append(record)
        run_ending_with[record.file] = run
    return runs


def _part_of_run(run: _Run) -> _MatchPart:
    """The part of a match that the records of a run have together, from the first to the last."""
    span = run[0].span
    if len(run) > 1:
        span_at_end = run[-1].span
        played = tuple(record.span.played for record in run)
        span = attrs.evolve(span, last=span_at_end.last, after=span_at_end.after, played=played)
    file = run[0].file
    return _MatchPart(span, later_file=file if file.number > 1 else None)


def _next_parts(parts: Iterable[_MatchPart]) -> dict[_MatchPart, _MatchPart]:
    """The part after a part: where just one ends before a game at a score, and just one begins there."""
    ending: dict[Hashable, list[_MatchPart]] = defaultdict(list)
    beginning: dict[Hashable, list[_MatchPart]] = defaultdict(list)
    for part in parts:
        span = part.span
        if span.first > span.last:  # numbers that go back: such a part could follow itself
            continue
        next_number = span.last + 1
        ending[span.match, next_number, span.after].append(part)
        if part.later_file is None:
            beginning[span.match, span.first, span.before].append(part)
    next_part: dict[_MatchPart, _MatchPart] = {}
    for place, parts_before in ending.items():
        parts_after = beginning[place]
        if len(parts_before) == 1 and len(parts_after) == 1:
            next_part[parts_before[0]] = parts_after[0]
    return next_part


def _matches_with_copies(copies_of_parts: Sequence[Sequence[_Run]]) -> Iterator[_Run]:
    """The records of each match: the first copies of all parts are one, the second copies another, and so on.

    Where a part has fewer copies, there is a gap, and what comes after it is a match of its own.
    """
    limit = max(len(copies) for copies in copies_of_parts)
    for number in range(limit):
        match: _Run = []
        for copies in copies_of_parts:
            if number < len(copies):
                match += copies[number]
            elif match:
                yield match
                match = []
        if match:
            yield match


def is_loose(match: Match) -> bool:
    """Whether a text of GNU Backgammon has some games of a match, and others are missing: before them, or after."""
    if match.format != "gnubg-text" or not match.games:
        return False
    lacks_first_games = match.games[0].number > 1
    is_undecided = match.length is not None and not match.is_coin_game and match.winner is None
    lacks_last_games = is_undecided and match.games[-1].result is not None
    return lacks_first_games or lacks_last_games


def loose_told(paths: Sequence[str]) -> str:
    """A sentence about records that are loose, by their paths."""
    named = ", ".join(paths[:_MAX_LOOSE])
    if len(paths) > _MAX_LOOSE:
        named += ", ..."
    why = "which other texts may have: none continues them, or several do"
    return f"Counted as matches though some of their games are missing, {why}: {len(paths):,} ({named})."


_MAX_LOOSE: Final = 3


def _span_of(match: Match) -> Span | None:
    if not match.games:
        return None
    first = match.games[0]
    last = match.games[-1]
    score_at_end = score_after(last)
    is_last_won = score_at_end != last.score  # the winner of a game has at least one more point
    return Span(
        match=(match.players, match.length, match.rules, other_tags(match.tags)),
        first=first.number,
        last=last.number,
        before=first.score,
        after=score_at_end if is_last_won else None,
        played=tuple(game.fingerprint for game in match.games),
    )


def _whole_match(matches: Sequence[Match]) -> Match:
    if len(matches) == 1:
        return matches[0]
    games: list[Game] = []
    findings: list[Finding] = []
    comments: list[str] = []
    for match in matches:
        games_before = len(games)
        for finding in match.findings:
            place = None if finding.game is None else games_before + finding.game
            findings.append(attrs.evolve(finding, game=place))
        games += match.games
        comments += match.comments
    return attrs.evolve(
        matches[0],
        games=tuple(games),
        comments=tuple(dict.fromkeys(comments)),
        findings=tuple(dict.fromkeys(findings)),
        stated_rolls=sum(match.rolls for match in matches),
    )


def part_of(match: Match, indexes: Sequence[int]) -> Match:
    """A match with only the games at these indexes, and the findings about them."""
    numbers = [index + 1 for index in indexes]
    kept_findings = [
        finding
        for finding in match.findings
        if finding.game is None or finding.game in numbers  # None: about the whole match
    ]
    return attrs.evolve(
        match,
        games=tuple(match.games[index] for index in indexes),
        findings=renumbered(kept_findings, numbers),
        stated_rolls=None,  # they are of all games
    )
