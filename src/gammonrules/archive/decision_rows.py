"""The rows of the table of decisions, one for each decision of a match, in the order of `decision_columns.COLUMNS`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import Any, TypeAlias

from gammonrules.board import Position
from gammonrules.board.internals import BAR, board_of, count_sides
from gammonrules.identifiers.internals import to_xgid
from gammonrules.match import Player
from gammonrules.transcript import (
    Decision,
    DecisionKind,
    Finding,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    date_text_of,
    judgment,
    referee,
    won_in,
)

Row: TypeAlias = tuple[Any, ...]
"""The values of the columns, in order."""

_NO_BOARD: Row = ()
_PLAY, _ANSWER = DecisionKind.PLAY, DecisionKind.ANSWER
_NO_ANALYSIS: Row = (None,) * 15


def rows_of_games(
    match: Match, files: Sequence[str | None], fingerprint: str | None, games: Sequence[str | None]
) -> Iterator[Iterator[Row]]:
    """The rows of each game of a match, with its file, or the one file of all, and its fingerprint."""
    texts = match.site, match.event, match.round, date_text_of(match.tags)
    *where, date_text = (plain(text or "") or None for text in texts)
    about = fingerprint, *where, match.date, date_text, match.length or 0, match.is_coin_game
    people = _people(match)
    findings = _findings_by_game(match)
    for index, (game, of_game) in enumerate(zip(match.games, games, strict=True)):
        file = files[index % len(files)]
        row = (None if file is None else plain(file), *about, game.number, of_game)
        yield _rows_of_game(game, row, people, findings.get(index + 1, []))


def plain(text: str) -> str:
    """The text as any file can store it: bytes of a file name that are not UTF-8 become escapes."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


_People: TypeAlias = dict[Player, tuple[Row, bool | None]]
"""For each player: names, seat and ratings, and whether they won the match."""


def _people(match: Match) -> _People:
    winner = match.winner
    people: _People = {}
    for player in Player:
        opponent = player.opponent
        names = plain(match.players[player]) or None, plain(match.players[opponent]) or None
        facts = (*names, player.value, match.ratings[player], match.ratings[opponent])
        people[player] = facts, None if winner is None else winner is player
    return people


def _findings_by_game(match: Match) -> dict[int, list[Finding]]:
    by_game: dict[int, list[Finding]] = {}
    for finding in referee(match):
        if finding.severity is not Severity.INFO and finding.game is not None:
            by_game.setdefault(finding.game, []).append(finding)
    return by_game


def _rows_of_game(game: Game, about: Row, people: _People, findings: list[Finding]) -> Iterator[Row]:
    decisions: Iterable[Decision] = game.decisions()
    counts: dict[int, int] = {}
    if findings:
        decisions = list(decisions)
        counts = _findings_by_index(decisions, findings)
    before: dict[Player, Row] = {}
    after: dict[Player, Row] = {}
    for player in Player:
        facts, won = people[player]
        before[player] = *facts, *_score(game, player)
        after[player] = _points(game, player), won
    position = game.start.position
    board, flipped = _board(position), _NO_BOARD
    for decision in decisions:
        state, player, kind = decision.state, decision.player, decision.kind
        owner = state.cube.owner
        if state.position is not position:  # the decision to roll and the play are about the same board
            position = state.position
            board, flipped = _board(position), _NO_BOARD
        if player is state.on_roll:
            identifier, *checkers = board
        else:
            flipped = flipped or _flipped(position, board)
            identifier, *checkers = flipped
        dice, plays, hits = state.dice, None, 0
        if kind is _PLAY:
            plays = len(state.legal_plays)
            hits = decision.after.position.points[BAR] + position.points[0]
        yield (
            *about,
            decision.turn,
            *before[player],
            state.cube.value,
            "centered" if owner is None else "player" if owner is player else "opponent",
            kind.value,
            None if dice is None else f"{dice.high}{dice.low}",
            decision.action,
            plays,
            plays == 1,
            identifier,
            to_xgid(state, strict=False, rules=None),
            *checkers,
            hits,
            *after[player],
            counts.get(decision.index, 0),
            *(_NO_ANALYSIS if decision.stored is None else _analysis(decision)),
        )


def _board(position: Position) -> Row:
    """The Position ID and the counts of a board, as the player on roll sees it."""
    points = position.points
    mine, theirs = count_sides(board_of(points))
    return (
        position.id,
        position.pip_count,
        position.opponent_pip_count,
        points[BAR],
        -points[0],
        position.checkers - mine,
        position.checkers - theirs,
        position.is_race,
    )


def _flipped(position: Position, board: Row) -> Row:
    """The same as the opponent sees it."""
    _, pips, opponent_pips, bar, opponent_bar, off, opponent_off, race = board
    return position.flip().id, opponent_pips, pips, opponent_bar, bar, opponent_off, off, race


def _score(game: Game, player: Player) -> Row:
    """Score, points away, Crawford."""
    start = game.start
    away = (None, None) if start.away is None else (start.away[player], start.away[player.opponent])
    return start.score[player], start.score[player.opponent], *away, start.crawford, start.post_crawford


def _points(game: Game, player: Player) -> int | None:
    """What a player won in a game: by its events, else by what the file states."""
    winner, points = won_in(game) or (None, None)
    return points if points is None or winner is player else -points


def _findings_by_index(decisions: list[Decision], findings: list[Finding]) -> dict[int, int]:
    """How many findings each decision has, by the index of its event.

    A finding names a line of the file, which may hold several decisions: it belongs to the last of them.
    """
    by_line = {decision.line: decision.index for decision in decisions if decision.line is not None}
    by_row = {decision.row: decision.index for decision in decisions if decision.row is not None}
    counts: Counter[int] = Counter()
    for finding in findings:
        indices, number = (by_row, finding.row) if finding.line is None else (by_line, finding.line)
        if number in indices:
            counts[indices[number]] += 1
    return counts


def _analysis(decision: Decision) -> Row:
    analysis = decision.analysis
    if analysis is None:
        return _NO_ANALYSIS
    if isinstance(analysis, PlayAnalysis):
        made = analysis.made
        cube: Row = (None, None, None)
        chances = None if made is None else made.chances
        luck = analysis.luck
        looked_at = made or analysis.best
        level = "" if looked_at is None else looked_at.level
    else:
        cube = analysis.no_double, analysis.double_take, analysis.double_pass
        chances, luck, level = analysis.chances, None, analysis.level
        if chances is not None and decision.kind is _ANSWER:
            chances = chances.flip()
    return (
        *judgment(analysis, decision.kind, decision.event.action),
        *cube,
        *((None,) * 5 if chances is None else _five(chances)),
        luck,
        plain(analysis.engine) or None,
        plain(level) or None,
    )


_five = attrgetter("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")
