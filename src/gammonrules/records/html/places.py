"""Where findings stand: at the step that they are about, at their game, or above all games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import Factory, define

from gammonrules.records.findings import Finding, FindingKind
from gammonrules.records.html.steps import GameSteps, Step

_ENDS_THE_REPLAY = {FindingKind.ILLEGAL_PLAY, FindingKind.ILLEGAL_ACTION}


@define
class Places:
    """The findings of a record, by where they stand."""

    record: list[Finding] = Factory(list[Finding])
    """Those about the whole record."""
    games: dict[int, list[Finding]] = Factory(dict[int, list[Finding]])
    """Those about a game as a whole, by its index from 1."""
    steps: dict[tuple[int, int], list[Finding]] = Factory(dict[tuple[int, int], list[Finding]])
    """Those about a step, by the index of the game and the index of the step in it, from 0."""


def places_of(findings: Iterable[Finding], games: Sequence[GameSteps]) -> Places:
    """Where each finding stands."""
    places = Places()
    for finding in findings:
        number = finding.game
        if number is None or not 0 < number <= len(games):
            places.record.append(finding)
            continue
        at = _step(finding, games[number - 1])
        if at is None:
            places.games.setdefault(number, []).append(finding)
        else:
            places.steps.setdefault((number, at), []).append(finding)
    return places


def _step(finding: Finding, game: GameSteps) -> int | None:
    """The step of a game that a finding is about; None if it is about the game."""
    last = len(game.steps) - 1
    stops = game.game.cut or not game.is_followed
    if stops and finding.kind in _ENDS_THE_REPLAY:
        return last
    if finding.line is None and finding.row is None:
        return None
    if finding.line is not None and finding.line == game.game.line:
        return None
    there = [index for index, step in enumerate(game.steps) if _is_at(finding, game, step)]
    if there:
        return next((index for index in there if _is_named(finding, game.steps[index])), there[-1])
    return _before(finding, game)


def _is_at(finding: Finding, game: GameSteps, step: Step) -> bool:
    """Whether a step comes from the line of a finding, or from its row if it has no line."""
    return finding.row in game.rows(step) if finding.line is None else finding.line in game.lines(step)


def _is_named(finding: Finding, step: Step) -> bool:
    """Whether a finding quotes the roll or the word that a step begins with; both players may have the same line."""
    return step.label.split(" ")[0].lower() in finding.text.lower()


def _before(finding: Finding, game: GameSteps) -> int | None:
    """The last step that comes from a line before that of a finding."""
    if finding.line is None:
        return None
    lines = [max((line for line in game.lines(step) if line is not None), default=None) for step in game.steps]
    earlier = [index for index, line in enumerate(lines) if line is not None and line < finding.line]
    if not earlier:
        return None
    is_after_all = all(line is None or line < finding.line for line in lines)
    return len(game.steps) - 1 if is_after_all else earlier[-1]
