"""Where findings are shown: at the step that they are about, at their game, or above all games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import Factory, define

from gammonrules.page.steps import GameSteps
from gammonrules.transcript import Finding, FindingKind

_ENDS_THE_REPLAY = {FindingKind.ILLEGAL_PLAY, FindingKind.ILLEGAL_ACTION}


@define
class Places:
    """The findings of a record, by where they are shown."""

    record: list[Finding] = Factory(list[Finding])
    """Those about the whole record."""
    games: dict[int, list[Finding]] = Factory(dict[int, list[Finding]])
    """Those about a game as a whole, by its index from 1."""
    steps: dict[tuple[int, int], list[Finding]] = Factory(dict[tuple[int, int], list[Finding]])
    """Those about a step, by the index of the game and the index of the step in it, from 0."""


def places_of(findings: Iterable[Finding], games: Sequence[GameSteps]) -> Places:
    """Where each finding is shown."""
    places, readers = Places(), dict[int, _Reader]()
    for finding in findings:
        number = finding.game
        if number is None or not 0 < number <= len(games):
            places.record.append(finding)
            continue
        if number not in readers:
            readers[number] = _Reader.of(games[number - 1])
        at = readers[number].step(finding)
        if at is None:
            places.games.setdefault(number, []).append(finding)
        else:
            places.steps.setdefault((number, at), []).append(finding)
    return places


@define
class _Reader:
    """Finds the step of a game that a finding is about."""

    game: GameSteps
    lines: dict[int, list[int]] = Factory(dict[int, list[int]])
    """The steps that come from a line of the file, in order."""
    rows: dict[int, list[int]] = Factory(dict[int, list[int]])

    @classmethod
    def of(cls, game: GameSteps) -> _Reader:
        """The reader of a game."""
        reader = cls(game)
        for at, step in enumerate(game.steps):
            for line in game.lines(step):
                reader.lines.setdefault(line, []).append(at)
            for row in game.rows(step):
                reader.rows.setdefault(row, []).append(at)
        return reader

    def step(self, finding: Finding) -> int | None:
        """The index of the step; None if the finding is about the game as a whole."""
        game, line = self.game.game, finding.line
        if finding.kind in _ENDS_THE_REPLAY and (game.cut or not self.game.is_followed):
            return len(self.game.steps) - 1
        if line is None:
            return None if finding.row is None else self._named(finding, self.rows.get(finding.row, ()))
        if line == game.line:
            return None
        return self._named(finding, self.lines.get(line, ())) if line in self.lines else self._before(line)

    def _named(self, finding: Finding, steps: Sequence[int]) -> int | None:
        """Of the steps of a line, which may be both players', the one whose roll or word the finding quotes."""
        quoted = finding.text.lower()
        named = (at for at in steps if self.game.steps[at].label.split(" ")[0].lower() in quoted)
        return next(named, steps[-1] if steps else None)

    def _before(self, line: int) -> int | None:
        """The last step from a line before this one; after the last line, the end of the game."""
        if not self.lines or line < min(self.lines):
            return None
        if line > max(self.lines):
            return len(self.game.steps) - 1
        return max(at for known, steps in self.lines.items() if known < line for at in steps)
