"""The referee: whether a record follows the rules, and whether its points and scores are right."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from gammonrules.board import IllegalPlayError
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import End, Event, MatchState, Player, Result
from gammonrules.match.results import level_name
from gammonrules.match.scoring import add_points
from gammonrules.records.events import Forfeit, RecordEvent
from gammonrules.records.findings import Finding, FindingKind, FindingLog, Severity
from gammonrules.records.model import Game, Match, Stated, dashed, points_stated
from gammonrules.values import counted, shown


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


def doubts_about_points(match: Match) -> int:
    """How many stated points and scores of a record do not fit its games.

    This decides between rules if nothing else in the record does.
    """
    return sum(finding.kind in _ABOUT_POINTS for finding in _found(match))


_ABOUT_POINTS = {FindingKind.POINTS_MISMATCH, FindingKind.RESIGN_ODD_VALUE, FindingKind.SCORE_DOES_NOT_FOLLOW}


def _found(match: Match) -> Iterator[Finding]:
    """What the replay shows, game by game."""
    before: set[tuple[int, int]] = set()
    for index, game in enumerate(match.games, start=1):
        yield from _score(game, index, before)
        final, broken = _replay(game, index)
        yield from broken
        result = final.result
        if game.stated is not None:
            yield from _points(game, index, result)
            # Only these texts say so at all, and a coin game is not a match.
            if match.format == "mat" and not match.is_coin_game:
                yield from _and_the_match(game, index, result)
        before = _scores_after(game, result)


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


def _points(game: Game, index: int, result: Result | None) -> Iterator[Finding]:
    """Check whether the stated winner and points are those of the game."""
    stated = game.stated
    if stated is None or result is None:
        return
    if stated.winner is not None and stated.winner is not result.winner:
        note = f"the file states that {stated.winner.title()} won, but {result.winner.title()} won"
        yield _about(stated, Severity.WARNING, FindingKind.POINTS_MISMATCH, index, note)
    if stated.points is not None and stated.points != result.points:
        severity, kind, note = _other_points(game, stated.points, result)
        yield _about(stated, severity, kind, index, note)


def _other_points(game: Game, stated: int, result: Result) -> tuple[Severity, FindingKind, str]:
    """Why a file may state points that differ from the result."""
    won, gives = result.points, counted(result.points, "point")
    if stated == _needed(game, result) < won:
        note = f"{won} points were won, of which {stated} were still needed"
        return Severity.INFO, FindingKind.CAPPED_POINTS, note
    if stated == game.start.length is not None and stated < won:
        note = f"{won} points were won; the stated points end at the match length of {stated}"
        return Severity.INFO, FindingKind.CAPPED_POINTS, note
    if result.end is End.RESIGNED:
        note = f"no level of resignation gives {stated} points; it is read as {gives}"
        return Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, note
    if result.win is None:
        return Severity.WARNING, FindingKind.POINTS_MISMATCH, f"{gives} were awarded, not {stated}"
    note = f"a {level_name(result.win)} {result.end} at this cube gives {gives}"
    return Severity.WARNING, FindingKind.POINTS_MISMATCH, note


def _needed(game: Game, result: Result) -> int:
    """The points that the winner still needed before the game; 0 in money play."""
    length = game.start.length
    return 0 if length is None else length - game.score[result.winner]


def _and_the_match(game: Game, index: int, result: Result | None) -> Iterator[Finding]:
    """Check whether "and the match" appears exactly where the match was won."""
    stated, length = game.stated, game.start.length
    if stated is None or stated.points is None or length is None:
        return
    winner = result.winner if result is not None else stated.winner
    if winner is None:
        return
    points = result.points if result is not None else stated.points
    won = game.score[winner] + points >= length
    if won != stated.and_the_match:
        note = 'the match was won, but "and the match" is missing' if won else "the match was not won by this game"
        yield _about(stated, Severity.INFO, FindingKind.AND_THE_MATCH, index, note)


def _about(stated: Stated, severity: Severity, kind: FindingKind, index: int, note: str) -> Finding:
    return Finding(severity, kind, index, stated.row, stated.text[:200], note, stated.line)
