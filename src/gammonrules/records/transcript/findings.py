"""`Finding`, what the referee reports about a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Final

import attrs
from attrs import Factory, define, frozen

from gammonrules._shared.checked_fields import Bounds, Checked, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.values import counted


class Severity(StrEnum):
    """How much a finding matters.

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> [str(severity) for severity in Severity]
        ['error', 'warning', 'info']
    """

    ERROR = "error"
    """A rule was broken, or part of the record could not be read."""
    WARNING = "warning"
    """The record contradicts itself, but the game could still be followed."""
    INFO = "info"
    """A quirk of the program that wrote the record."""


class FindingKind(StrEnum):
    """What a finding is about.

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> FindingKind.HIDDEN_PLAY
        <FindingKind.HIDDEN_PLAY: 'hidden-play'>
    """

    ILLEGAL_PLAY = "illegal-play"
    """Error: an illegal play, or a dance although there is a legal play. The rest of the game is not replayed."""
    ILLEGAL_ACTION = "illegal-action"
    """Error: an illegal roll or cube action, or any action out of turn."""
    UNREADABLE_LINE = "unreadable-line"
    """A line, or part of one, that does not belong in a record: an error. Info if nothing is missing without it: XGIDs
    below the games, or the length of a match in SGF of money play. Warning if that line is missing in match text, if a
    log of events does not begin with its state, or if the encoding of the text is in doubt."""
    SCORE_DOES_NOT_FOLLOW = "score-does-not-follow"
    """Error: the score before a game does not follow from the games before it, or the players have changed columns. The
    stated score is used."""
    POINTS_MISMATCH = "points-mismatch"
    """Warning: the stated end does not fit the game as it was played: the points are wrong, the file states two
    different ends, or the game goes on."""
    RESIGN_ODD_VALUE = "resign-odd-value"
    """Warning: no level of resignation gives the stated points, or an offer to resign contradicts them."""
    MORE_THAN_POSSIBLE = "more-than-possible"
    """Warning: a resignation, or the stated end of a game without a result, gives more than any plays could have led
    to: a backgammon where the loser had borne off a checker, for example, or a win to a player who could only lose."""
    LESS_THAN_CERTAIN = "less-than-certain"
    """Info: the winner accepted fewer points than any plays would have given them. Where these points win the match,
    nothing was given away."""
    HIDDEN_PLAY = "hidden-play"
    """The record does not show the play of a roll. Info if what happened is clear: the player resigned, had only one
    legal play, or bore off the last checkers and won as stated. Otherwise a warning: the game ends there as stated if
    no later play of this player is shown either, only dances, and the stated points are possible; or else the rest of
    it is not replayed."""
    AMBIGUOUS_PLAY = "ambiguous-play"
    """Info: the text fits several plays; it is read as the one that uses the dice in the order written."""
    FORFEIT = "forfeit"
    """Warning: the game was awarded, not resigned: the file says so, no level of resignation gives the points that won
    the match, or the game ended before its opening roll. The stated result is used. A comment about a forfeit that
    awards nothing is reported, too."""
    CAPPED_POINTS = "capped-points"
    """Info: the winner won more points than the record states: it caps them at those still needed, or at the match
    length."""
    AND_THE_MATCH = "and-the-match-flag-mismatch"
    """Info: the words "and the match" are missing, or are there although the match goes on."""
    RESIGN_WITHOUT_MARKER = "resign-without-marker"
    """Info: the game stops before its end, and only the stated points or loser suggest a resignation."""
    REPEATED_ROW_NUMBER = "repeated-row-number"
    """Info: a row number is printed twice (reported once per game)."""
    NO_PLAYER_NAME = "no-score-line"
    """Info: a player has no name (reported once per record)."""
    UNFINISHED_GAME = "unfinished-game"
    """Info: a game has no result."""
    COIN_GAME = "coin-game"
    """Info: one game of money play, written as a match to 16; see `Match.is_coin_game`."""
    CRAWFORD_MISMATCH = "crawford-mismatch"
    """Warning: the file says that a game is the Crawford game, or that it is not, but the scores say otherwise."""
    OTHER_PLAYERS = "other-players"
    """Warning: a game names different players from the first game of the record."""
    CRAWFORD_ASSUMED = "crawford-assumed"
    """Info: this may be the Crawford game or a later one; it is taken to be the Crawford game."""
    CHANGED_RULES = "changed-rules"
    """Warning: a game states different rules from the first game of the record, whose rules are used."""
    LEFT_OUT = "left-out"
    """Info: the file has parts that a record cannot express, such as variations of a game. They are left out."""
    POSITION_MISMATCH = "position-mismatch"
    """The board or cube in the file is not the one that the actions before it lead to. The one in the file is used.
    Warning, or info if the file says that it was changed by hand."""
    DAMAGED_FILE = "damaged-file"
    """Error: the file is damaged or cut short: a checksum or a size is wrong, or something is missing. Whatever can be
    read is read."""
    UNREADABLE_ANALYSIS = "unreadable-analysis"
    """Warning: a line that looks like one of an engine's analysis cannot be read, or its numbers cannot be right, so
    they are left out. Of a game that was played only the first is reported; of a single position there may be a few."""
    UNKNOWN_VARIATION = "unknown-variation"
    """Info: the variation is unknown; its games are read as starting from the standard position."""
    UNKNOWN_RULE = "unknown-rule"
    """Info: the header states a rule in unknown words, or twice and differently."""
    POSITION_SET = "position-set"
    """Info: a game does not start as usual: its board or cube was set by hand."""
    GAME_NUMBER = "game-number"
    """Info: the number of a game does not follow the number of the game before it."""


@frozen
class Finding(Checked, JsonField):
    """One thing that the reader or the referee noticed in a record.

    *Equality*: two findings are equal if all attributes are equal.

    Attributes:
        severity: how much it matters.
        kind: what it is about.
        game: the game in `Match.games`, counted from 1; None if it is about the whole record, or about a game that is
            left out of it.
        row: the printed row number, or None.
        text: the words of the record that it is about, at most 200 characters.
        explanation: one sentence, at most 1,000 characters.
        line: the line of the file, counted from 1, or None (the default).

    Raises:
        ArgumentError: attributes have the wrong type, or a text is too long; the message names all of them.

    Examples:
        >>> words = "Wins 1 point", "2 points were won"
        >>> kind = FindingKind.CAPPED_POINTS
        >>> finding = Finding(Severity.INFO, kind, 3, None, *words)
        >>> finding.severity is Severity.INFO
        True
    """

    severity: Severity
    kind: FindingKind
    game: Annotated[int, Bounds(1)] | None
    row: int | None
    text: str
    explanation: str
    line: Annotated[int, Bounds(1)] | None = None

    def _problems(self) -> Iterator[str]:
        wrong = wrong_fields(self)
        yield from wrong
        if wrong:
            return
        if len(self.text) > MAX_QUOTE_LENGTH or len(self.explanation) > MAX_EXPLANATION_LENGTH:
            yield f"text and explanation have at most {MAX_QUOTE_LENGTH} and {MAX_EXPLANATION_LENGTH:,} characters"


MAX_QUOTE_LENGTH: Final = 200
"""Characters of a file that a finding repeats."""
MAX_EXPLANATION_LENGTH: Final = 1_000
"""Characters of the explanation of a finding."""


def renumbered(findings: Iterable[Finding], games: Iterable[int]) -> tuple[Finding, ...]:
    """Findings about the games of a file, of which only these, counted from 1, became games of the match."""
    new_numbers: dict[int | None, int] = {
        number_in_file: new_number for new_number, number_in_file in enumerate(games, start=1)
    }
    return tuple(attrs.evolve(finding, game=new_numbers.get(finding.game)) for finding in findings)


def quoted(text: str) -> str:
    """A text of the file as findings show it: short, without the blanks between the columns."""
    return " ".join(text[: 10 * MAX_QUOTE_LENGTH].split())[:MAX_QUOTE_LENGTH]


def findings_counted(count: int, severity: Severity) -> str:
    """A number of findings; "info" has no plural."""
    return f"{count} info" if severity is Severity.INFO else counted(count, severity)


MAX_OF_A_KIND: Final = 50
"""How many findings of one kind and severity are listed for a record; the last says that there may be more."""


@define
class FindingLog:
    """Findings in the order they are made, with a limit for each kind and severity."""

    listed: list[Finding] = Factory(list[Finding])
    _counts: Counter[tuple[Severity, FindingKind]] = Factory(Counter[tuple[Severity, FindingKind]])

    @classmethod
    def after(cls, findings: Iterable[Finding]) -> FindingLog:
        """A log that continues after earlier findings."""
        listed = list(findings)
        return cls(listed, Counter((finding.severity, finding.kind) for finding in listed))

    def is_full(self, severity: Severity, kind: FindingKind) -> bool:
        """Whether another finding of this kind would not be listed, so that it need not be made."""
        return self._counts[severity, kind] > MAX_OF_A_KIND

    def append(self, finding: Finding) -> None:
        """Add a finding; the last one of its kind gets a note that there may be more."""
        key = (finding.severity, finding.kind)
        self._counts[key] += 1
        count = self._counts[key]
        if count <= MAX_OF_A_KIND:
            self.listed.append(finding)
        elif count == MAX_OF_A_KIND + 1:
            explanation = f"{finding.explanation}; {_AND_MORE}"
            self.listed.append(attrs.evolve(finding, explanation=explanation))

    def report(
        self,
        severity: Severity,
        kind: FindingKind,
        note: str,
        *,
        text: str = "",
        line: int | None = None,
        row: int | None = None,
        game: int | None = None,
    ) -> None:
        """Add a finding that quotes this text, unless there are too many of its kind."""
        if not self.is_full(severity, kind):
            self.append(
                Finding(severity, kind, game, row, text=quoted(text), explanation=note, line=line)
            )

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add several findings."""
        for finding in findings:
            self.append(finding)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.listed)


_AND_MORE = "there may be more of this kind, which are not listed"
