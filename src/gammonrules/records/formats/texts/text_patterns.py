"""What the texts of engines have in common: lines, numbers, chances, candidates, and positions that become matches.

Every pattern is bounded, and long lines are ignored, so that the cost grows with the length of the text only. A
number that a pattern accepts is finite, so that decoding it later cannot fail.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

from attrs import Factory, define, frozen

from gammonrules.analysis import Candidate, Chances, Level, PlayAnalysis
from gammonrules.analysis.internals import (
    UNKNOWN,
    EncodedAnalysis,
    candidate_of,
    chances_of,
    may_be_chances,
)
from gammonrules.board import Play, Plays
from gammonrules.board.internals import legal_play
from gammonrules.errors import GammonError, ParseError
from gammonrules.identifiers.internals import decode_xgid, possible_state
from gammonrules.match import MatchState
from gammonrules.records.transcript import FindingKind, FindingLog, Game, Match, Severity

MAX_LINE_LENGTH: Final = 1_000
"""The most characters of a line that is read; the programs' lines have up to a hundred."""

NUMBER: Final = r"[+-]?[0-9]{1,4}[.,][0-9]{1,8}"
"""A number with decimals."""

_CHANCE: Final = r"(-?[0-9]{1,3}[.,][0-9]{1,8})"
_SIX = re.compile(
    rf"(?<![0-9.,+-]){_CHANCE} +{_CHANCE} +{_CHANCE} +- +{_CHANCE} +{_CHANCE} +{_CHANCE}(?![0-9.,])"
)
_STEP = re.compile(
    r"(?i)(?<!\S)(?:bar|[0-9]{1,2})\*?(?:/(?:off|[0-9]{1,2})\*?)+(?:\([1-4]\)\*?)?(?=,?(?:\s|$))"
)
_MOVE = r"(?:bar|[0-9]{1,2})\*?(?:/(?:off|[0-9]{1,2})\*?)+(?:\([1-4]\)\*?)?(?![0-9/])"
_ONE_MOVE = re.compile(rf"(?i){_MOVE}")
_MOVES = re.compile(rf"(?i){_MOVE}(?:[, \t]{{1,9}}{_MOVE}){{0,3}}")
"""A whole play, whatever stands beside it."""
_FROM = re.compile(r"(?i)bar|[0-9]{1,2}")
_MAX_FROM_LENGTH: Final = 3
_RANKED = re.compile(
    r"(?i)(?P<star>\*?)[ \t]{0,9}(?P<rank>[0-9]{1,4}\.|\?\?\.?)[ \t]{0,9}+"
    r"(?P<words>.*?)(?<=[0-9r])/(?=off|[0-9])"
)
"""A rank, and all up to the slash of the first move."""
_VALUE = re.compile(
    r"(?i)[:\uff1a] {0,4}[+-]?(?:[0-9]{1,4}[.,][0-9]|nan|inf)"
    r"|[+-](?:[0-9]{1,4}[.,][0-9]{1,8}|nan|inf)%?(?: {0,4}\([^()]{0,20}\))?$"
)
"""An equity or a chance: after a colon, or with a sign at the end of a line."""
_MAX_BLANK: Final = 3
"""How many blank lines after each are taken to be no program's."""
_MAX_CANDIDATES: Final = 100
"""The most candidates of one list that are kept; programs print those that they evaluated, usually five."""
_ROUNDING: Final = 0.0011
"""How far rounding may push a chance out of its range."""
_SURELY_PERCENT: Final = 90
_WINS: Final = 0
_WINS_OF_OPPONENT: Final = 3
"""Which of the six chances of a line these are."""


@frozen
class Body:
    """The lines of an analysis, the program that made it, and the names of the player on roll and of the opponent."""

    lines: tuple[str, ...]
    engine: str
    names: tuple[str, str] = ("", "")


@frozen
class PrintedCandidate:
    """What a text says of one candidate."""

    equity: float | None
    chances: Chances | None
    level: Level = UNKNOWN
    standard_error: float | None = None
    mwc: float | None = None


def lines_of(text: str) -> list[str]:
    """The lines of a text, without blanks at their ends; lines that are too long are empty."""
    return [line.rstrip() if len(line) <= MAX_LINE_LENGTH else "" for line in text.split("\n")]


def single_spaced(lines: Sequence[str]) -> Sequence[int]:
    """The indexes of lines without the blank ones that a mail or web page has put after every line.

    These are as many as follow most lines.
    """
    filled = [at for at, line in enumerate(lines) if line]
    gaps = Counter(after - before - 1 for before, after in pairwise(filled))
    highest_count = max(gaps.values(), default=0)
    most_frequent_gaps = [gap for gap, count in gaps.items() if count == highest_count]
    usual_gap = min(most_frequent_gaps, default=0)
    blanks_added = min(_MAX_BLANK, usual_gap)
    if blanks_added == 0:
        return range(len(lines))
    kept: list[int] = []
    for at, line in enumerate(lines):
        lines_before = lines[max(0, at - blanks_added) : at]
        is_beyond_added_blanks = not any(lines_before)
        if line or is_beyond_added_blanks:
            kept.append(at)
    return kept


def first_match(
    match: Callable[[str], re.Match[str] | None], lines: Iterable[str]
) -> re.Match[str] | None:
    """The match of the first line that has one, by a method of a pattern; or None."""
    for line in lines:
        matched = match(line)
        if matched is not None:
            return matched
    return None


def to_float(text: str) -> float:
    """The value of a number with a point or a comma."""
    return float(text.replace(",", "."))


def from_percent(text: str) -> float:
    """A chance that is printed in percent, from 0 to 1."""
    return round(to_float(text) / 100, 8)


def chances_in(line: str) -> Chances | None:
    """The chances in a line such as `0.533 0.154 0.011 - 0.467 0.134 0.007`; None if it has none.

    They are wins, gammons and backgammons, then the same for the opponent; some programs print percentages.
    """
    match = _SIX.search(line)
    if match is None:
        return None
    six = [to_float(number) for number in match.groups()]
    wins_of_both = six[_WINS] + six[_WINS_OF_OPPONENT]  # 1, or 100 percent
    if wins_of_both > _SURELY_PERCENT:
        six = [round(number / 100, 8) for number in six]
        wins_of_both = six[_WINS] + six[_WINS_OF_OPPONENT]
    is_in_range = min(six) >= -_ROUNDING and max(six) <= 1 + _ROUNDING
    adds_up = abs(wins_of_both - 1) <= 2 * _ROUNDING
    return chances_of_both(six) if is_in_range and adds_up else None


def chances_of_both(six: Sequence[float]) -> Chances | None:
    """The chances of wins, gammons and backgammons of both players; None if they do not fit together."""
    # the wins of the opponent follow from those of the player
    five = (*six[:_WINS_OF_OPPONENT], *six[_WINS_OF_OPPONENT + 1 :])
    return chances_of(five) if may_be_chances([five]) else None


def play_in(text: str) -> str:
    """The moves in a text, such as `8/5 6/5` in `4-ply 8/5 6/5`; "" if it has none."""
    return " ".join(_STEP.findall(text))


def before_the_play(text: str) -> str:
    return _STEP.split(text, maxsplit=1)[0]


# --- candidates -------------------------------------------------------------------------------------------------------


def looks_like_a_candidate(line: str) -> bool:
    """Whether a line begins with a rank, and a move and a value follow, as in the lines of candidates."""
    ranked = _RANKED.match(line)
    return ranked is not None and _VALUE.search(line, ranked.end()) is not None


@frozen
class DoubtfulLine:
    """A line of an analysis that was not read, or not as a whole."""

    at: int
    """Its index among the lines of the analysis."""
    text: str
    note: str
    """What is wrong with it."""

    @classmethod
    def without_chances(cls, at: int, text: str) -> DoubtfulLine:
        return cls(at, text, "the chances below this line are missing or cannot be read")


@frozen
class Unread:
    """Lines that look like parts of an analysis, and were not read, by their indexes."""

    lines: Mapping[int, str]
    what: str = "a candidate"
    """What they look like."""

    @property
    def doubt(self) -> DoubtfulLine | None:
        """A doubt about the first line that was not read, with the number of the others."""
        if not self.lines:
            return None
        note = f"this line looks like {self.what} and was not read"
        others = len(self.lines) - 1
        if others > 0:
            note += f", nor {'was' if others == 1 else 'were'} {others} more"
        at, text = next(iter(self.lines.items()))
        return DoubtfulLine(at, text, note)


def lines_where(is_wanted: Callable[[str], object], lines: Sequence[str]) -> dict[int, str]:
    """The lines for which something is true, by their indexes."""
    return {at: line for at, line in enumerate(lines) if is_wanted(line)}


@frozen
class Candidates:
    """The candidates among the lines of an analysis."""

    legal: Mapping[int, _LegalCandidate]
    """By the indexes of their lines."""
    unread: Unread


@frozen
class CandidateForm:
    """How a program prints the line of a candidate."""

    pattern: re.Pattern[str]
    looks: Callable[[str], bool] = looks_like_a_candidate
    """Whether a line looks like one, even if it does not match."""

    def may_be(self, line: str) -> bool:
        """Whether a line may be that of a candidate, legal or not."""
        return self.pattern.match(line) is not None or self.looks(line)

    def among(self, lines: Sequence[str], state: MatchState) -> Candidates:
        """The legal candidates for the roll of a state, on the first lines that may be one, and the other lines."""
        return self.legal_among(lines_where(self.may_be, lines), state)

    def legal_among(self, suspects: Mapping[int, str], state: MatchState) -> Candidates:
        """The same among the lines that may be candidates, by their indexes."""
        plays = _CandidatePlays.of(state) if suspects else None
        legal: dict[int, _LegalCandidate] = {}
        for at in list(suspects)[:_MAX_CANDIDATES]:
            candidate = None if plays is None else self._on(suspects[at], plays)
            if candidate is not None:
                legal[at] = candidate
        unread = {at: line for at, line in suspects.items() if at not in legal and self.looks(line)}
        return Candidates(legal, Unread(unread))

    def _on(self, line: str, plays: _CandidatePlays) -> _LegalCandidate | None:
        """The legal candidate on a line, as it is printed or with its cells spaced apart; None if there is none."""
        as_printed = self._printed_on(line, plays)
        if as_printed is not None:
            return as_printed
        apart = _spaced_apart(line, plays)
        return None if apart is None else self._printed_on(apart, plays)

    def _printed_on(self, line: str, plays: _CandidatePlays) -> _LegalCandidate | None:
        match = self.pattern.match(line)
        play = None if match is None else plays.found_in(line)
        return None if match is None or play is None else _LegalCandidate(play, match)


@frozen
class _LegalCandidate:
    play: Play
    printed: re.Match[str]
    """Its line, spaced apart if its cells ran together."""


@frozen
class _CandidatePlays:
    """The legal plays of a roll, and the same by their canonical texts, in which programs print most of them."""

    plays: Plays
    by_text: Mapping[str, Play]

    @classmethod
    def of(cls, state: MatchState) -> _CandidatePlays | None:
        """None if there is no roll to be played."""
        with suppress(GammonError):
            plays = state.legal_plays
            return cls(plays, {str(play): play for play in plays})
        return None

    def found_in(self, text: str) -> Play | None:
        """The play in a text; None if there is none, or it is not legal."""
        words = play_in(text)
        play = self.by_text.get(words)
        if play is not None:
            return play
        with suppress(GammonError):
            return legal_play(self.plays, words)
        return None


def _spaced_apart(line: str, plays: _CandidatePlays) -> str | None:
    """The line of a candidate whose cells run together, with blanks between them.

    In `2.Rollout113/10* 10/9eq: +0.481`, copied from a table, the play may begin in several places: where one of these
    gives a legal play, and only one, it is read.
    """
    ranked = _RANKED.match(line)
    if ranked is None:
        return None
    readings: list[str] = []
    begin_of_words, slash = ranked.span("words")
    for begin in range(max(begin_of_words, slash - _MAX_FROM_LENGTH), slash):
        moves = _MOVES.match(line, begin) if _FROM.fullmatch(line, begin, slash) else None
        if moves is None:
            continue
        play = " ".join(_ONE_MOVE.findall(moves[0]))
        if plays.found_in(play) is not None:
            words = line[begin_of_words:begin].rstrip()
            rest = line[moves.end() :].lstrip()
            star = ranked["star"] or " "
            readings.append(f"{star}    {ranked['rank']} {words}  {play}  {rest}")
    return readings[0] if len(readings) == 1 else None


def plays_in(
    body: Body,
    state: MatchState,
    form: CandidateForm,
    read_row: Callable[[re.Match[str], Sequence[str]], PrintedCandidate | None],
    luck: float | None = None,
    stated_error: float | None = None,
) -> PlayAnalysis | None:
    """The legal candidates, of which the last one with a star was played; None if there are none, and no luck.

    Args:
        body: the lines of the analysis.
        state: that of the decision.
        form: how the lines of candidates look.
        read_row: reads the match of such a line and the three lines below; None if there is no number.
        luck: the luck of the roll, if it is known.
        stated_error: what the text says that the play cost.
    """
    candidates: list[Candidate] = []
    played = None
    for at, candidate in form.among(body.lines, state).legal.items():
        row = read_row(candidate.printed, body.lines[at + 1 : at + 4])
        if row is None:
            continue
        if candidate.printed.string.startswith("*"):
            played = len(candidates)
        candidates.append(
            candidate_of(
                candidate.play, row.equity, row.chances, row.level, row.standard_error, row.mwc
            )
        )
    if not candidates and luck is None:
        return None
    return PlayAnalysis(
        tuple(candidates), played=played, luck=luck, stated_error=stated_error, engine=body.engine
    )


# --- positions that become matches ------------------------------------------------------------------------------------

MAX_POSITIONS: Final = 5_000
"""The most positions of one text. Each takes as much time as thousands of other characters, however short it is."""


@frozen
class PositionFinding:
    """A finding about a position, before its number in the match is known."""

    severity: Severity
    kind: FindingKind
    note: str
    line: int
    text: str


@define
class TextPosition:
    line: int
    text: str
    """The line of its identifier."""
    numbers: Sequence[int] = ()
    """The numbers of the lines of its analysis."""
    state: MatchState | None = None
    """None if it cannot be read; then the findings say why."""
    names: tuple[str, str] = ("", "")
    analysis: EncodedAnalysis | None = None
    note: str = ""
    """The user's note."""
    findings: list[PositionFinding] = Factory(list[PositionFinding])

    @property
    def match(self) -> Hashable:
        """The facts that positions of one match share; None for a position that cannot be read."""
        if self.state is None:
            return None
        return (self.names, self.state.length, self.state.rules)

    def refuse(self, why: str) -> None:
        """Say why the position is left out."""
        note = f"this position is left out: {why}"
        self.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, note)

    def doubt(self, words: str, differences: Sequence[str]) -> None:
        """Warn that these words of the text differ from its XGID, if they do."""
        if differences:
            note = f"the XGID and {words} differ in {' and '.join(differences)}; the XGID is used"
            self.report(Severity.WARNING, FindingKind.POSITION_MISMATCH, note)

    def doubt_analysis(self, doubt: DoubtfulLine | None) -> None:
        """Warn of a line of the analysis, if there is one to be doubted."""
        if doubt is not None:
            kind = FindingKind.UNREADABLE_ANALYSIS
            number = self.numbers[doubt.at]
            self.report(Severity.WARNING, kind, doubt.note, number, doubt.text)

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        note: str,
        line: int | None = None,
        text: str | None = None,
    ) -> None:
        """Add a finding about a line, or else about that of the identifier."""
        finding = PositionFinding(severity, kind, note, line or self.line, text or self.text)
        self.findings.append(finding)


def identified(lines: Sequence[str], pattern: re.Pattern[str]) -> list[int]:
    """The indexes of the lines that match. Raises ParseError if there are too many."""
    indexes = [at for at, line in enumerate(lines) if pattern.match(line)]
    if len(indexes) > MAX_POSITIONS:
        raise ParseError(f"the text has more than {MAX_POSITIONS:,} positions, the limit")
    return indexes


def state_of_xgid(position: TextPosition, identifier: str) -> MatchState | None:
    """The state of an XGID, or None; doubts and errors become findings."""
    try:
        state, doubts = possible_state(decode_xgid(identifier), None, None)
    except GammonError as error:
        position.refuse(str(error))
        return None
    for doubt in doubts:
        position.report(Severity.INFO, FindingKind.POSITION_MISMATCH, doubt)
    return state


def doubt_above(positions: Sequence[TextPosition], lines: Sequence[str]) -> None:
    """Warn of candidates above the first position of a text, with that position."""
    if not positions:
        return
    above = lines[: positions[0].line - 1]
    doubt = Unread(lines_where(looks_like_a_candidate, above)).doubt
    if doubt is not None:
        kind = FindingKind.UNREADABLE_ANALYSIS
        positions[0].report(Severity.WARNING, kind, doubt.note, doubt.at + 1, doubt.text)


def matches_of(positions: Sequence[TextPosition], name: str) -> tuple[Match, ...]:
    """All matches of a text: positions that follow each other belong to one if names, length and rules agree.

    A match has one game a position, and no events: the game starts in the state that the identifiers give, and its
    `pending_analysis` is the program's analysis of the decision there. Raises ParseError if no position can be read.
    """
    groups: list[list[TextPosition]] = []
    match_of_group: Hashable = None  # None as long as no position of the group can be read
    for position in positions:
        match = position.match
        may_be_any = match is None or match_of_group is None
        is_of_other_match = not may_be_any and match != match_of_group
        if not groups or is_of_other_match:
            groups.append([])
        groups[-1].append(position)
        if match is not None:
            match_of_group = match
    readable = [group for group in groups if any(position.state is not None for position in group)]
    if not readable:
        why = positions[0].findings[0].note if positions else "there is no position in the text"
        raise ParseError(why)
    return tuple(_match_of_positions(group, name) for group in readable)


def _match_of_positions(group: Sequence[TextPosition], name: str) -> Match:
    findings = FindingLog()
    games: list[Game] = []
    names: list[tuple[str, str]] = []
    for position in group:
        state = position.state
        number = len(games) + 1  # a position that cannot be read becomes no game
        for finding in position.findings:
            findings.report(
                finding.severity,
                finding.kind,
                finding.note,
                text=finding.text,
                line=finding.line,
                game=None if state is None else number,
            )
        if state is None:
            continue
        names.append(position.names)
        game = Game(
            number,
            start=state,
            comments=(position.note,) if position.note else (),
            line=position.line,
            pending_analysis=position.analysis,
        )
        games.append(game)
    start = games[0].start
    return Match(
        names[0],
        length=start.length,
        games=tuple(games),
        rules=start.rules,
        format=name,
        findings=tuple(findings),
    )
