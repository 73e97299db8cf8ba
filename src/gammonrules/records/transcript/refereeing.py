"""The referee: whether a record follows the rules, and whether its points and scores are right."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import attrs
from attrs import define, field

from gammonrules._shared.checked_fields import check_kind
from gammonrules.board import IllegalPlayError, Position, Win
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import (
    Action,
    End,
    Event,
    Forfeit,
    MatchState,
    Phase,
    Player,
    RecordEvent,
    Result,
    SetPosition,
)
from gammonrules.match.internals import add_points, canonical_event, level_name, wins_left
from gammonrules.records.transcript.findings import (
    MAX_QUOTE_LENGTH,
    Finding,
    FindingKind,
    FindingLog,
    Severity,
)
from gammonrules.records.transcript.header_tags import Tags, is_from_galaxy
from gammonrules.records.transcript.matches import (
    Game,
    Match,
    RecordedResult,
    beginning_of,
    dashed,
    known_game,
    knows_states,
    points_stated,
    won_in,
)
from gammonrules.records.transcript.possible_results import resignation_doubted, why_not_won
from gammonrules.rules import Rules
from gammonrules.values import counted


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
    check_kind("match", match, Match)
    findings = FindingLog.after(match.findings)
    reported = set(match.findings)  # a reader has said which resignations it guessed
    findings.extend(finding for finding in _findings(match) if finding not in reported)
    return tuple(sorted(findings, key=lambda finding: finding.game or 0))


NOT_REPLAYED: Final = "the rest of this game is not replayed"


def as_replayed(match: Match) -> Match:
    """The match as readers make it, which replay events: of games that none has made, too.

    Such a game ends before the first event that the rules forbid, which is a finding.
    """
    if all(map(knows_states, match.games)):
        return match
    findings = FindingLog.after(match.findings)
    games: list[Game] = []
    is_cut = False
    for index, game in enumerate(match.games, start=1):
        states, broken_rule = _replayed(game, index)
        if broken_rule is None:
            games.append(_with_states(game, states))
        else:
            explanation = f"{broken_rule.explanation}; {NOT_REPLAYED}"
            findings.append(attrs.evolve(broken_rule, explanation=explanation))
            games.append(_with_states(beginning_of(game, len(states) - 1, cut=True), states))
            is_cut = True
    if not is_cut:
        return match
    return attrs.evolve(
        match, games=tuple(games), findings=tuple(findings), stated_rolls=match.rolls
    )


def replay_once(match: Match) -> None:
    """Let the games know their states, so that they are not replayed again. Raises GammonError for a broken rule.

    A game whose events are not as readers make them stays as it is.
    """
    for game in match.games:
        if not knows_states(game):
            _ = _with_states(game, [*game.states()])


def _with_states(game: Game, states: list[MatchState]) -> Game:
    """The game, which knows its states if its events are as readers make them: then plays are taken for canonical."""
    if all(map(_is_as_readers_make_it, game.events, states, states[1:])):
        return known_game(game, tuple(states))
    return game


def _is_as_readers_make_it(event: RecordEvent, before: MatchState, after: MatchState) -> bool:
    """Whether an event, which leads from one state to another, names its player, and a play is canonical text."""
    return not isinstance(event, Event) or event == canonical_event(before, event, after)


def kind_of_refusal(error: GammonError) -> FindingKind:
    """The kind of a finding about an action that raises this error."""
    if isinstance(error, IllegalPlayError):
        return FindingKind.ILLEGAL_PLAY
    if isinstance(error, ParseError):
        return FindingKind.UNREADABLE_LINE
    return FindingKind.ILLEGAL_ACTION


def jacoby_decided(replayed: Callable[[Rules], Match], rules: Rules) -> Match:
    """A record that does not say whether the Jacoby rule was played: by these rules, unless the contrary fits better.

    `replayed`: makes the record by some rules. What must fit are the points that it states.
    """
    match = replayed(rules)
    doubts = _doubts_about_points(match)
    if doubts == 0:
        return match
    match_by_contrary = replayed(attrs.evolve(rules, jacoby=not rules.jacoby))
    if _doubts_about_points(match_by_contrary) < doubts:
        return match_by_contrary
    return match


def _doubts_about_points(match: Match) -> int:
    return sum(finding.kind in _ABOUT_POINTS for finding in _findings(match))


_ABOUT_POINTS = {
    FindingKind.POINTS_MISMATCH,
    FindingKind.RESIGN_ODD_VALUE,
    FindingKind.MORE_THAN_POSSIBLE,
    FindingKind.SCORE_DOES_NOT_FOLLOW,
}


def _findings(match: Match) -> Iterator[Finding]:
    scores_that_follow: set[tuple[int, int]] = set()  # after the game before this one
    last_number: int | None = None
    crawford = _CrawfordGame(match)
    for index, game in enumerate(match.games, start=1):
        yield from _game_number(game, index, last_number)
        yield from _score(game, index, scores_that_follow)
        follows = game.score in scores_that_follow
        yield from crawford.findings_about(game, index, follows=follows)
        crawford.remember(game, index)
        yield from _hand_set_board(game, index)
        states, broken_rule = _replayed(game, index)
        final = states[-1]
        if broken_rule is not None:
            yield broken_rule
        yield from _stated_points(game, match.tags, index, states)
        is_whole = not game.cut and broken_rule is None
        if final.result is not None and final.result.end is End.RESIGNED:
            yield from _accepted_resignation(game, index, states)
        elif final.result is None and is_whole:
            yield from _stated_without_result(game, index, final)
        if match.format == "mat":  # only these texts say at all that the match is won
            yield from _and_the_match(game, index, final.result)
        scores_that_follow = _scores_after(game, final.result)
        last_number = game.number


def _game_number(game: Game, index: int, last_number: int | None) -> Iterator[Finding]:
    """Check whether a game has the number after that of the game before it; the first may have any."""
    if last_number is not None and game.number != last_number + 1:
        note = (
            f"game {game.number} comes after game {last_number}: "
            f"games may be missing or out of order"
        )
        yield Finding(
            Severity.INFO,
            kind=FindingKind.GAME_NUMBER,
            game=index,
            row=None,
            text=f"Game {game.number}",
            explanation=note,
            line=game.line,
        )


def _hand_set_board(game: Game, index: int) -> Iterator[Finding]:
    """Report that the board or the cube was set by hand before a game began."""
    usual = Position.start(game.start.rules.start)
    first = game.events[0] if game.events else None
    row = None
    line = game.line
    if isinstance(first, SetPosition):
        is_cube_unchanged = first.cube in (None, game.start.cube)
        if first.position == usual and is_cube_unchanged:
            return  # the event says only whose turn it is, without an opening roll
        row = game.rows[0] if game.rows else None
        line = game.lines[0] if game.lines else None
    else:
        # a start after the opening roll is that of a record which begins in the middle of a game
        is_before_opening = game.start.phase is Phase.OPENING
        if not is_before_opening or game.start.position == usual:
            return
    note = "the game does not start as usual: its board or cube was set by hand"
    yield Finding(
        Severity.INFO,
        kind=FindingKind.POSITION_SET,
        game=index,
        row=row,
        text="position set by hand",
        explanation=note,
        line=line,
    )


def _replayed(game: Game, index: int) -> tuple[list[MatchState], Finding | None]:
    """The states that the rules allow, and a finding about the event that they forbid, if there is one."""
    states: list[MatchState] = []
    try:
        states.extend(game.states())  # those before an error stay
    except GammonError as error:
        index_of_forbidden = len(states) - 1  # one state for the start, and one for each event
        finding = _finding_at_event(
            game,
            index,
            at=index_of_forbidden,
            severity=Severity.ERROR,
            kind=kind_of_refusal(error),
            text=_event_words(game.events[index_of_forbidden])[:MAX_QUOTE_LENGTH],
            note=str(error),
        )
        return states, finding
    return states, None


def _finding_at_event(
    game: Game, index: int, *, at: int, severity: Severity, kind: FindingKind, text: str, note: str
) -> Finding:
    """A finding about the event at this index of the game."""
    rows = game.rows[at:]
    lines = game.lines[at:]
    return Finding(
        severity,
        kind,
        game=index,
        row=rows[0] if rows else None,
        text=text,
        explanation=note,
        line=lines[0] if lines else None,
    )


def _event_words(event: RecordEvent) -> str:
    if isinstance(event, Event):
        return f"{event.action} {event.argument or ''}".strip()
    return "forfeit" if isinstance(event, Forfeit) else "position set by hand"


def _score(game: Game, index: int, expected: set[tuple[int, int]]) -> Iterator[Finding]:
    """Check whether the score before a game follows from the game before it."""
    if expected and game.score not in expected:
        score = dashed(game.score)
        follows = " or ".join(sorted(map(dashed, expected)))
        note = f"the game starts at {score}, but the games before it give {follows}; the stated score is used"
        yield Finding(
            Severity.ERROR,
            kind=FindingKind.SCORE_DOES_NOT_FOLLOW,
            game=index,
            row=None,
            text=score,
            explanation=note,
            line=game.line,
        )


def _scores_after(game: Game, result: Result | None) -> set[tuple[int, int]]:
    """The scores that can follow a game: by its result, and by the points that the file states; none if it is cut."""
    scores: set[tuple[int, int]] = set()
    possible_winners = list(Player)
    if result is not None:
        scores.add(add_points(game.score, result.winner, result.points))
        possible_winners = [result.winner]
    elif game.stated is not None and game.stated.winner is not None:
        possible_winners = [game.stated.winner]
    points = points_stated(game)
    if points is not None:
        scores.update(add_points(game.score, winner, points) for winner in possible_winners)
    if not scores and not game.cut:  # an unfinished game gives no points
        scores.add(game.score)
    return scores


# --- the Crawford game ------------------------------------------------------------------------------------------------


_CRAWFORD = FindingKind.CRAWFORD_MISMATCH


@define
class _CrawfordGame:
    """The Crawford game of a match: the first one that begins when a player needs one more point.

    A record may begin anywhere, or leave out games. A game can be judged only if the record shows the one before it.
    """

    match: Match
    played: int | None = field(init=False, default=None)
    """The index of the game that the record treats as the Crawford game."""
    is_still_to_come: bool = field(init=False, default=False)
    """Whether nobody needed just one more point in the game before this one."""

    def findings_about(self, game: Game, index: int, *, follows: bool) -> Iterator[Finding]:
        """The next game; `follows` says whether its score follows from the game before it."""
        if self.match.length is None or not self.match.rules.crawford:
            return
        leaders = self._one_point_away(game)
        is_crawford_score = self.is_still_to_come and follows and len(leaders) == 1
        note = ""
        if is_crawford_score and not game.start.crawford:
            leader = leaders[0].title()
            note = (
                f"{leader} is now one point from winning, so this must be the Crawford game, "
                f"but the record does not treat it as one"
            )
        elif game.start.crawford and self.played is not None:
            note = f"the Crawford game was game {self.played} of the record; this cannot be another one"
        # where the file marks the Crawford game, its reader has reported this
        reported = {finding.game for finding in self.match.findings if finding.kind is _CRAWFORD}
        if note and index not in reported:
            yield Finding(
                Severity.WARNING,
                kind=_CRAWFORD,
                game=index,
                row=None,
                text=dashed(game.score),
                explanation=note,
                line=game.line,
            )

    def remember(self, game: Game, index: int) -> None:
        """Take note of a game before the next one is judged."""
        if game.start.crawford and self.played is None:
            self.played = index
        self.is_still_to_come = not self._one_point_away(game)

    def _one_point_away(self, game: Game) -> list[Player]:
        """The players who need just one more point."""
        length = self.match.length
        if length is None:
            return []
        return [player for player in Player if game.score[player] == length - 1]


# --- the stated end ---------------------------------------------------------------------------------------------------


def odd_resignations(games: Sequence[Game], tags: Tags) -> Iterator[Finding]:
    """The resignations whose level a reader took from points that no level gives."""
    for index, game in enumerate(games, start=1):
        if game.stated is not None:
            for finding in _stated_points(game, tags, index, list(game.states())):
                if finding.kind is FindingKind.RESIGN_ODD_VALUE:
                    yield finding


def _stated_points(
    game: Game, tags: Tags, index: int, states: Sequence[MatchState]
) -> Iterator[Finding]:
    """Check whether the stated winner and points are those of the game."""
    stated = game.stated
    result = states[-1].result
    if stated is None or result is None:
        return
    if stated.winner is not None and stated.winner is not result.winner:
        note = f"the file states that {stated.winner.title()} won, but {result.winner.title()} won"
        yield _finding_at_end(stated, Severity.WARNING, FindingKind.POINTS_MISMATCH, index, note)
    if stated.points is not None and stated.points != result.points:
        severity, kind, note = _why_other_points(game, tags, stated.points, result, states)
        yield _finding_at_end(stated, severity, kind, index, note)


def _why_other_points(
    game: Game, tags: Tags, stated: int, result: Result, states: Sequence[MatchState]
) -> tuple[Severity, FindingKind, str]:
    """The severity, kind and sentence of a finding that the stated points differ from the result."""
    cap = _cap_of(game, stated, result)
    if cap is not None:
        habit = ", as BackgammonGalaxy does" if is_from_galaxy(tags) else ""
        note = f"{result.points} points were won; the record states {cap}{habit}"
        return Severity.INFO, FindingKind.CAPPED_POINTS, note
    gives = counted(result.points, "point")
    by_jacoby = ""
    if _is_gammon_without_jacoby(stated, result, states):
        by_jacoby = " (by the Jacoby rule, gammons do not count while the cube is centered)"
    if result.end is End.RESIGNED:
        note = f"no level of resignation gives {counted(stated, 'point')}; the game counts as {gives}{by_jacoby}"
        return Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, note
    if result.win is None:  # a forfeit, which gives any points
        return Severity.WARNING, FindingKind.POINTS_MISMATCH, f"{gives} were awarded, not {stated}"
    note = f"a {level_name(result.win)} {result.end} at this cube gives {gives}{by_jacoby}"
    return Severity.WARNING, FindingKind.POINTS_MISMATCH, note


def _is_gammon_without_jacoby(stated: int, result: Result, states: Sequence[MatchState]) -> bool:
    """Whether these are the points of a gammon or backgammon that only the Jacoby rule makes a single game."""
    final = states[-1]
    is_jacoby_played = final.rules.jacoby and final.length is None
    if not is_jacoby_played or final.cube.owner is not None:
        return False
    # the board of a drop is as it was, and that of a resignation may have dice, which bound it
    at_end = states[-2] if result.end is End.RESIGNED else final
    levels = wins_left(at_end, result.winner)
    return stated in [level * final.cube.value for level in levels if level > Win.SINGLE]


def _cap_of(game: Game, stated: int, result: Result) -> str | None:
    """The words for the number at which the stated points are capped, if they are."""
    length = game.start.length
    if length is None or stated >= result.points:
        return None
    if stated == length - game.score[result.winner]:
        were = "was" if stated == 1 else "were"
        return f"the {stated} that {were} still needed"
    if stated == length:
        return f"the match length of {stated}"
    return None


def _accepted_resignation(
    game: Game, index: int, states: Sequence[MatchState]
) -> Iterator[Finding]:
    """Compare the level of a resignation that was accepted with what could still have happened."""
    offered, accepted = states[-2:]
    doubt = resignation_doubted(offered, accepted)
    if doubt is None:
        return
    severity, kind, note = doubt
    stated = game.stated
    if stated is not None and stated.text:
        yield _finding_at_end(stated, severity, kind, index, note)
        return
    result = accepted.result
    assert result is not None
    assert result.win is not None
    yield _finding_at_event(
        game,
        index,
        at=len(states) - 2,  # the last event, since the first state comes before all of them
        severity=severity,
        kind=kind,
        text=f"{Action.RESIGN} {level_name(result.win)}",
        note=note,
    )


def _stated_without_result(game: Game, index: int, final: MatchState) -> Iterator[Finding]:
    """Compare the end that a file states for a game which its events leave unfinished with what could still happen."""
    stated = game.stated
    won = won_in(game)
    if stated is None or won is None:
        return
    why_not = why_not_won(final, won.winner, won.points)
    if why_not is not None:
        kind = FindingKind.MORE_THAN_POSSIBLE
        yield _finding_at_end(stated, Severity.WARNING, kind, index, why_not)


def _and_the_match(game: Game, index: int, result: Result | None) -> Iterator[Finding]:
    """Check whether "and the match" appears exactly where the match was won."""
    stated = game.stated
    length = game.start.length
    if stated is None or stated.points is None or length is None:
        return
    if result is None:
        winner = stated.winner
        points = stated.points
    else:
        winner = result.winner
        points = result.points
    if winner is None:
        return
    is_match_won = game.score[winner] + points >= length
    if is_match_won != stated.and_the_match:
        note = 'the match goes on, despite "and the match"'
        if is_match_won:
            note = 'the match was won, but "and the match" is missing'
        yield _finding_at_end(
            stated, severity=Severity.INFO, kind=FindingKind.AND_THE_MATCH, index=index, note=note
        )


def _finding_at_end(
    stated: RecordedResult, severity: Severity, kind: FindingKind, index: int, note: str
) -> Finding:
    """A finding that quotes the stated end of a game."""
    return Finding(
        severity,
        kind,
        game=index,
        row=stated.row,
        text=stated.text[:MAX_QUOTE_LENGTH],
        explanation=note,
        line=stated.line,
    )
