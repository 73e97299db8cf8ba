"""Texts of positions, whatever program printed them: a `Match` with one game a position, and no events.

The start of each game is the state that its identifiers give, and `Game.pending_analysis` the program's analysis of
the decision there. Positions that follow each other belong to one match if names, length and rules agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import Factory, define

from gammonrules.errors import GammonError, ParseError
from gammonrules.identifiers.internals import decode_xgid, possible_state
from gammonrules.match import MatchState
from gammonrules.transcript import EncodedAnalysis, FindingKind, FindingLog, Game, Match, Severity, quoted

MOST_POSITIONS: Final = 5_000
"""The most positions of one text. Each takes as much time as thousands of other characters, however short it is."""


@define
class TextPosition:
    line: int
    text: str
    """The line of its identifier."""
    state: MatchState | None = None
    """None if it cannot be read; then the findings say why."""
    names: tuple[str, str] = ("", "")
    analysis: EncodedAnalysis | None = None
    note: str = ""
    """The user's note."""
    findings: list[tuple[Severity, FindingKind, str]] = Factory(list[tuple[Severity, FindingKind, str]])

    def doubt(self, words: str, differences: Sequence[str]) -> None:
        """Warn that these words of the text differ from its XGID, if they do."""
        if differences:
            note = f"the XGID and {words} differ in {' and '.join(differences)}; the XGID is used"
            self.findings.append((Severity.WARNING, FindingKind.POSITION_MISMATCH, note))

    def doubt_analysis(self, line: str) -> None:
        """Warn of a line of the analysis whose numbers cannot be read, if there is one."""
        if line:
            note = f"numbers of the analysis cannot be read, as in {quoted(line)[:60]!r}; they are left out"
            self.findings.append((Severity.WARNING, FindingKind.UNREADABLE_ANALYSIS, note))


def identified(lines: Sequence[str], sign: str, pattern: re.Pattern[str]) -> list[int]:
    """The indexes of the lines that match and so contain this sign. Raises ParseError if there are too many."""
    indexes = [at for at, line in enumerate(lines) if sign in line and pattern.match(line)]
    if len(indexes) > MOST_POSITIONS:
        raise ParseError(f"the text has more than {MOST_POSITIONS:,} positions, the limit")
    return indexes


def state_of_xgid(position: TextPosition, identifier: str) -> MatchState | None:
    """The state of an XGID, or None; doubts and errors become findings."""
    try:
        state, doubts = possible_state(decode_xgid(identifier), None, None)
    except GammonError as error:
        position.findings.append((Severity.ERROR, FindingKind.UNREADABLE_LINE, f"this position is left out: {error}"))
        return None
    position.findings += [(Severity.INFO, FindingKind.POSITION_MISMATCH, doubt) for doubt in doubts]
    return state


def matches_of(positions: Sequence[TextPosition], name: str) -> tuple[Match, ...]:
    """All matches of a text. Raises ParseError if no position can be read."""
    groups: list[list[TextPosition]] = []
    for position in positions:
        if not groups or not _goes_on(groups[-1], position):
            groups.append([])
        groups[-1].append(position)
    readable = [group for group in groups if any(position.state is not None for position in group)]
    if not readable:
        raise ParseError(positions[0].findings[0][2] if positions else "there is no position in the text")
    return tuple(_match(group, name) for group in readable)


def _goes_on(group: Iterable[TextPosition], position: TextPosition) -> bool:
    """Whether a position may be from the same match as those before it. An unreadable one may be from any."""
    first = next((earlier for earlier in group if earlier.state is not None), None)
    if first is None or first.state is None or position.state is None:
        return True
    same_play = (first.state.length, first.state.rules) == (position.state.length, position.state.rules)
    return same_play and first.names == position.names


def _match(group: Sequence[TextPosition], name: str) -> Match:
    findings, games = FindingLog(), list[Game]()
    for position in group:
        number = None if position.state is None else len(games) + 1
        for severity, kind, note in position.findings:
            findings.report(severity, kind, note, text=position.text, line=position.line, game=number)
        if position.state is not None:
            comments = (position.note,) if position.note else ()
            line, analysis = position.line, position.analysis
            games.append(Game(len(games) + 1, position.state, (), comments, line=line, pending_analysis=analysis))
    start = games[0].start
    names = next(position.names for position in group if position.state is not None)
    return Match(names, start.length, tuple(games), start.rules, format=name, findings=tuple(findings))
