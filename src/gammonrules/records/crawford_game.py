"""Which game of a match is the Crawford game, and whether a record has the wrong one."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from gammonrules.match import Player
from gammonrules.records.findings import Finding, FindingKind, Severity
from gammonrules.records.model import Game, Match, dashed

_KIND = FindingKind.CRAWFORD_MISMATCH


@define
class CrawfordGame:
    """The Crawford game of a match: the first one that begins when a player needs one more point.

    A record may begin anywhere, or leave out games. A game can be judged only if the record shows the one before it.
    """

    match: Match
    played: int | None = field(init=False, default=None)
    """The index of the game that the record treats as the Crawford game."""
    due: bool = field(init=False, default=False)
    """Whether the game before this one came before the Crawford game."""

    def judge(self, game: Game, index: int, *, follows: bool) -> Iterator[Finding]:
        """The next game; `follows` says whether its score follows from the game before it."""
        length = self.match.length
        if length is None or not self.match.rules.crawford:
            return
        leaders = [player for player in Player if game.score[player] == length - 1]
        if any(finding.game == index for finding in self.match.findings if finding.kind is _KIND):
            pass  # the file marks the Crawford game, so its reader has reported it
        elif self.due and follows and len(leaders) == 1 and not game.start.crawford:
            note = f"{leaders[0].title()} is now one point from winning, so this must be the Crawford game"
            yield _finding(game, index, f"{note}, but the record does not treat it as one")
        elif game.start.crawford and self.played is not None:
            note = f"the Crawford game was game {self.played} of the record; this cannot be another one"
            yield _finding(game, index, note)
        if game.start.crawford and self.played is None:
            self.played = index
        self.due = not leaders


def _finding(game: Game, index: int, note: str) -> Finding:
    words = dashed(game.score)
    return Finding(Severity.WARNING, _KIND, index, None, words, note, game.line)
