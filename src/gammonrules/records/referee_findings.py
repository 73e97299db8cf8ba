"""The referee: whether a record follows the rules, and whether its points and scores are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

import attrs

from gammonrules.board import IllegalPlayError, Position
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import Event, Forfeit, MatchState, Phase, Player, RecordEvent, Result, SetPosition
from gammonrules.match.internals import add_points
from gammonrules.records.crawford_game import CrawfordGame
from gammonrules.records.findings import Finding, FindingKind, FindingLog, Severity
from gammonrules.records.model import Game, Match, dashed, points_stated
from gammonrules.records.stated_ends import points_findings
from gammonrules.rules import Rules
from gammonrules.values import shown


def referee(match: Match) -> tuple[Finding, ...]:
    """Replay every game and compare it with what the record says about it.

    Args:
        match: a record, read from a file or built in a program.

    Returns:
        The findings of the reader and of the replay, in the order of the games: broken rules, points that do not fit
        the result of a game, scores that do not follow, and quirks of the program that wrote the file. The tuple is
        empty for a clean record.

    Raises:
        ArgumentError: `match` is not a `Match`. No error is raised for what a match contains.

    Examples:
        >>> from gammonrules.records import loads
        >>> record = '''7 point match
        ...
        ...  Game 1
        ...  Ann : 0                         Bob : 0
        ...   1) 31: 8/5 6/5                 62: 24/18 13/11
        ...   2)  Doubles => 2                Drops
        ...       Wins 3 points
        ... '''
        >>> for finding in referee(loads(record)):
        ...     print(finding.severity, finding.kind, "-", finding.explanation)
        warning points-mismatch - a single game dropped at this cube gives 1 point
    """
    if not isinstance(match, Match):
        raise ArgumentError(f"match must be a Match, not {shown(match, 60)}")
    findings = FindingLog.after(match.findings)
    findings.extend(_found(match))
    return tuple(sorted(findings, key=lambda finding: finding.game or 0))


def with_jacoby_decided(replayed: Callable[[Rules], Match], rules: Rules) -> Match:
    """A record that does not mention the Jacoby rule: by these rules, unless its points fit the others better."""
    match = replayed(rules)
    doubts = _doubts_about_points(match)
    if not doubts:
        return match
    other = replayed(attrs.evolve(rules, jacoby=not rules.jacoby))
    return other if _doubts_about_points(other) < doubts else match


def _doubts_about_points(match: Match) -> int:
    """How many stated points and scores of a record do not fit its games."""
    return sum(finding.kind in _ABOUT_POINTS for finding in _found(match))


_ABOUT_POINTS = {FindingKind.POINTS_MISMATCH, FindingKind.RESIGN_ODD_VALUE, FindingKind.SCORE_DOES_NOT_FOLLOW}


def _found(match: Match) -> Iterator[Finding]:
    """What the replay shows, game by game."""
    before: set[tuple[int, int]] = set()
    crawford = CrawfordGame(match)
    for index, game in enumerate(match.games, start=1):
        yield from _number(match, game, index)
        yield from _score(game, index, before)
        yield from crawford.judge(game, index, follows=game.score in before)
        yield from _board(game, index)
        final, broken = _replay(game, index)
        yield from broken
        if game.stated is not None:
            yield from points_findings(match, game, index, final)
        before = _scores_after(game, final.result)


def _number(match: Match, game: Game, index: int) -> Iterator[Finding]:
    """Check whether the games are numbered one after another, from any number."""
    last = match.games[index - 2].number if index > 1 else game.number - 1
    if game.number != last + 1:
        note = f"game {game.number} comes after game {last}: games may be missing or out of order"
        yield Finding(Severity.INFO, FindingKind.GAME_NUMBER, index, None, f"Game {game.number}", note, game.line)


def _board(game: Game, index: int) -> Iterator[Finding]:
    """Report that the board or the cube was set by hand before a game began."""
    start, first = Position.start(game.start.rules.start), game.events[0] if game.events else None
    row, line = None, game.line
    if isinstance(first, SetPosition):
        if first.position == start and first.cube in (None, game.start.cube):
            return  # only whose turn it is, without an opening roll
        row, line = (numbers[0] if numbers else None for numbers in (game.rows, game.lines))
    elif game.start.phase is not Phase.OPENING or game.start.position == start:
        return
    note = "the game does not start as usual: its board or cube was set by hand"
    yield Finding(Severity.INFO, FindingKind.POSITION_SET, index, row, "position set by hand", note, line)


def _replay(game: Game, index: int) -> tuple[MatchState, list[Finding]]:
    """The last state that the rules allow, and a finding for the event that they forbid, if any."""
    try:
        return game.final(), []
    except GammonError as error:
        state, done = game.start, -1
        with suppress(GammonError):
            for state in game.states():  # noqa: B007
                done += 1
        event = game.events[done]
        kind = FindingKind.ILLEGAL_PLAY if isinstance(error, IllegalPlayError) else FindingKind.ILLEGAL_ACTION
        text = _words(event)
        row, line = (numbers[done] if done < len(numbers) else None for numbers in (game.rows, game.lines))
        return state, [Finding(Severity.ERROR, kind, index, row, text[:200], str(error), line)]


def _words(event: RecordEvent) -> str:
    """An event as a finding shows it."""
    if isinstance(event, Event):
        return f"{event.action} {event.argument or ''}".strip()
    return "forfeit" if isinstance(event, Forfeit) else "position set by hand"


def _score(game: Game, index: int, expected: set[tuple[int, int]]) -> Iterator[Finding]:
    """Check whether the score before a game follows from the game before it."""
    if expected and game.score not in expected:
        score, wanted = dashed(game.score), " or ".join(sorted(map(dashed, expected)))
        note = f"the game starts at {score}, but the games before it give {wanted}; the stated score is used"
        yield Finding(Severity.ERROR, FindingKind.SCORE_DOES_NOT_FOLLOW, index, None, score, note, game.line)


def _scores_after(game: Game, result: Result | None) -> set[tuple[int, int]]:
    """The scores that can follow a game: by its result, and by the points that the file states."""
    stated = game.stated
    scores: set[tuple[int, int]] = set()
    if result is not None:
        scores.add(add_points(game.score, result.winner, result.points))
    points = points_stated(game)
    if stated is not None and points is not None:
        winner = stated.winner if result is None else result.winner
        sides = list(Player) if winner is None else [winner]
        scores.update(add_points(game.score, side, points) for side in sides)
    if not scores and not game.cut:
        scores.add(game.score)
    return scores
