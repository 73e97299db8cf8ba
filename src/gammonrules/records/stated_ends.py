"""What a file states about the end of a game, compared with how the game was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from gammonrules.match import End, MatchState, Result
from gammonrules.match.internals import level_name
from gammonrules.records.findings import Finding, FindingKind, Severity
from gammonrules.records.header_tags import is_from_galaxy
from gammonrules.records.model import Game, Match, Stated
from gammonrules.values import counted


def points_findings(match: Match, game: Game, index: int, final: MatchState) -> Iterator[Finding]:
    """Check the end that a file states for a game, which it must, against the last state of the game."""
    yield from _points(match, game, index, final)
    if match.format == "mat":  # only these texts say so at all
        yield from _and_the_match(game, index, final.result)


def _points(match: Match, game: Game, index: int, final: MatchState) -> Iterator[Finding]:
    """Check whether the stated winner and points are those of the game."""
    stated, result = game.stated, final.result
    if stated is None or result is None:
        return
    if stated.winner is not None and stated.winner is not result.winner:
        note = f"the file states that {stated.winner.title()} won, but {result.winner.title()} won"
        yield _about(stated, Severity.WARNING, FindingKind.POINTS_MISMATCH, index, note)
    if stated.points is not None and stated.points != result.points:
        severity, kind, note = _other_points(match, game, stated.points, final)
        yield _about(stated, severity, kind, index, note)


def _other_points(match: Match, game: Game, stated: int, final: MatchState) -> tuple[Severity, FindingKind, str]:
    """Why a file may state points that differ from the result."""
    result = cast("Result", final.result)
    won, gives = result.points, counted(result.points, "point")
    capped = _capped(game, stated, result)
    if capped is not None:
        habit = ", as BackgammonGalaxy does" if is_from_galaxy(match.tags) else ""
        return Severity.INFO, FindingKind.CAPPED_POINTS, f"{won} points were won; the record states {capped}{habit}"
    why = _jacoby(final, stated)
    if result.end is End.RESIGNED:
        note = f"no level of resignation gives {counted(stated, 'point')}; the game counts as {gives}{why}"
        return Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, note
    if result.win is None:
        return Severity.WARNING, FindingKind.POINTS_MISMATCH, f"{gives} were awarded, not {stated}"
    note = f"a {level_name(result.win)} {result.end} at this cube gives {gives}{why}"
    return Severity.WARNING, FindingKind.POINTS_MISMATCH, note


def _capped(game: Game, stated: int, result: Result) -> str | None:
    """What the stated points are capped at, if they are."""
    if stated == _needed(game, result) < result.points:
        return f"the {stated} that {'was' if stated == 1 else 'were'} still needed"
    if stated == game.start.length is not None and stated < result.points:
        return f"the match length of {stated}"
    return None


def _jacoby(final: MatchState, stated: int) -> str:
    """A remark if the Jacoby rule is why the stated points are not those of a gammon; otherwise empty."""
    if not final.rules.jacoby or final.length is not None or final.cube.owner is not None:
        return ""
    if stated not in (2 * final.cube.value, 3 * final.cube.value):
        return ""
    return " (by the Jacoby rule, gammons do not count while the cube is centered)"


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
        missing, wrong = (
            'the match was won, but "and the match" is missing',
            'the match goes on, despite "and the match"',
        )
        note = missing if won else wrong
        yield _about(stated, Severity.INFO, FindingKind.AND_THE_MATCH, index, note)


def _about(stated: Stated, severity: Severity, kind: FindingKind, index: int, note: str) -> Finding:
    return Finding(severity, kind, index, stated.row, stated.text[:200], note, stated.line)
