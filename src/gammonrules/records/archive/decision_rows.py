"""Games, their players, decisions and analyses, which fill the tables of decisions and of candidates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, takewhile
from typing import Final, NamedTuple, TypeAlias

import attrs
from attrs import frozen

from gammonrules.analysis import Analysis
from gammonrules.analysis.internals import decoded
from gammonrules.board.internals import board_in, flip
from gammonrules.match import Pair, Phase, Player
from gammonrules.records.archive.board_facts import facts_of
from gammonrules.records.archive.scanning import ScanEntry, played_of
from gammonrules.records.transcript import (
    AnalyzedDecision,
    Decision,
    DecisionKind,
    Finding,
    Game,
    Match,
    Severity,
    has_stated_errors_of_xg,
    referee,
    with_analysis,
    won_in,
)

Numbers: TypeAlias = Mapping[int, Iterator[int]]
"""The numbers that the decisions of a file get, by the number of their game."""

MAX_ROWS: Final = 10_000
"""About how many rows are made at once, so that nothing needs much memory, however long a game or a match is."""


# --- games and their players ------------------------------------------------------------------------------------------


@frozen
class GameFacts:
    """A game of a match, with the file that it is from."""

    match: Match
    match_fingerprint: str | None
    game: Game
    fingerprint: str | None
    file: str | None
    match_games: int
    """How many games the match has, also if `match` has only some of them."""
    xg_states_errors: bool
    """Whether the analyses of eXtreme Gammon in the match have the errors that it states."""
    analyses: Mapping[int, Analysis]
    """The decoded analyses, by the index of their event."""
    first_plays: Mapping[int, Decision] = {}
    """The plays of the first two turns, by the number of the turn; those that the record has."""


@frozen
class Seat:
    """A player of a game: where they stood before it, and what it brought them."""

    player: Player
    name: str
    opponent_name: str
    rating: float | None
    opponent_rating: float | None
    score: int
    opponent_score: int
    away: int | None
    opponent_away: int | None
    points_won: int | None
    """Below 0 for what they lost; None without an end."""
    has_won_match: bool | None


@frozen
class GamePart:
    """Decisions of a game, one after another. Each list has an item for each decision."""

    facts: GameFacts
    seats: Pair[Seat]
    decisions: list[Decision]
    numbers: list[int]
    findings: list[int]
    """How many findings each decision has."""
    boards: list[BoardFacts]
    analyzed: list[AnalyzedDecision | None]
    """None for a decision that nobody has analyzed."""


def facts_of_games(entry: ScanEntry) -> list[GameFacts]:
    """The games of a match, each with its file, or with the one file of all; analyses are decoded once for all."""
    match = entry.match
    if match is None:
        return []
    games = match.games
    fingerprints = played_of(entry).prints.games
    analyses = [_analyses_of(game) for game in games]
    xg_states_errors = has_stated_errors_of_xg(
        chain.from_iterable(of_game.values() for of_game in analyses)
    )
    path = entry.path or None  # "" for a match that is from no file
    files = (path, *entry.more) if entry.more else (path,) * len(games)
    facts: list[GameFacts] = []
    for index, game in enumerate(games):
        facts.append(
            GameFacts(
                match,
                entry.fingerprint,
                game,
                fingerprints[index],
                files[index],
                match_games=entry.games or len(games),
                xg_states_errors=xg_states_errors,
                analyses=analyses[index],
            )
        )
    return facts


def _analyses_of(game: Game) -> dict[int, Analysis]:
    """The decoded analyses of a game, by the index of their event."""
    if not any(game.analyses):  # as in most records
        return {}
    analyses = map(decoded, game.analyses, game.states())
    return {index: analysis for index, analysis in enumerate(analyses) if analysis is not None}


def parts_of_games(games: Sequence[GameFacts], numbers: Numbers) -> Iterator[Iterator[GamePart]]:
    """The decisions of each game of a match, in parts.

    `numbers`: from which each game takes its own; a file may hold several games of one number, which share them.
    """
    if not games:
        return
    match = games[0].match
    findings = _findings_by_game(match)
    winner = match.winner
    for place, facts in enumerate(games, start=1):
        yield _parts_of_game(facts, findings[place], winner, numbers[facts.game.number])


def _parts_of_game(
    facts: GameFacts, findings: list[Finding], match_winner: Player | None, numbers: Iterator[int]
) -> Iterator[GamePart]:
    seats = _seats_of(facts, match_winner)
    decisions = facts.game.decisions()
    findings_by_index: Mapping[int, int] = {}
    if findings:  # only these need all decisions of the game at once
        all_decisions = list(decisions)
        decisions = iter(all_decisions)
        findings_by_index = _findings_by_index(all_decisions, findings)
    part = list(islice(decisions, MAX_ROWS))
    facts = attrs.evolve(facts, first_plays=_first_plays(facts.game, part))
    while part:
        yield GamePart(
            facts,
            seats,
            decisions=part,
            numbers=list(islice(numbers, len(part))),
            findings=[findings_by_index.get(decision.index, 0) for decision in part],
            boards=[*map(_board_facts, part)],
            analyzed=_analyzed(part, facts.analyses),
        )
        part = list(islice(decisions, MAX_ROWS))


def _first_plays(game: Game, decisions: Iterable[Decision]) -> Mapping[int, Decision]:
    if game.start.phase is not Phase.OPENING:  # the record begins later
        return {}
    first_turns = takewhile(lambda decision: decision.turn <= 2, decisions)
    return {
        decision.turn: decision for decision in first_turns if decision.kind is DecisionKind.PLAY
    }


def _seats_of(facts: GameFacts, match_winner: Player | None) -> Pair[Seat]:
    names = Pair(facts.match.players)
    ratings = facts.match.ratings
    score = facts.game.start.score
    away = facts.game.start.away
    won = won_in(facts.game)

    def seat_of(player: Player) -> Seat:
        opponent = player.opponent
        points_won = None
        if won is not None:
            points_won = won.points if won.winner is player else -won.points
        return Seat(
            player=player,
            name=names[player],
            opponent_name=names[opponent],
            rating=ratings[player],
            opponent_rating=ratings[opponent],
            score=score[player],
            opponent_score=score[opponent],
            away=None if away is None else away[player],
            opponent_away=None if away is None else away[opponent],
            points_won=points_won,
            has_won_match=None if match_winner is None else match_winner is player,
        )

    return Pair(seat_of(player) for player in Player)


def _findings_by_game(match: Match) -> Mapping[int | None, list[Finding]]:
    """The findings that are no mere information, by the place of the game in the match."""
    findings: dict[int | None, list[Finding]] = defaultdict(list)
    for finding in referee(match):
        if finding.severity is not Severity.INFO:
            findings[finding.game].append(finding)
    return findings


def _findings_by_index(decisions: list[Decision], findings: list[Finding]) -> Mapping[int, int]:
    """How many findings each decision has, by the index of its event.

    A finding names a line of the file, which may hold several decisions: it belongs to the last of them.
    """
    # the last decision takes the place of those before it
    by_line = {decision.line: decision.index for decision in decisions if decision.line is not None}
    by_row = {decision.row: decision.index for decision in decisions if decision.row is not None}
    counted: dict[int, int] = defaultdict(int)
    for finding in findings:
        index = None
        if finding.line is not None:
            index = by_line.get(finding.line)
        elif finding.row is not None:
            index = by_row.get(finding.row)
        if index is not None:
            counted[index] += 1
    return counted


# --- decisions --------------------------------------------------------------------------------------------------------


class BoardFacts(NamedTuple):
    """The facts about a board. All but the first are in the order of `facts_of`."""

    checkers: int
    """How many checkers each side has, on the board and off it."""
    position_id: str
    race: bool
    on_board: int
    pips: int
    bar: int
    longest_prime: int
    anchors: int
    opponent_on_board: int
    opponent_pips: int
    opponent_bar: int
    opponent_longest_prime: int
    opponent_anchors: int


def _board_facts(decision: Decision) -> BoardFacts:
    """The facts about the board as the decider sees it."""
    state = decision.state
    board = board_in(state.position)
    if decision.player is not state.on_roll:
        board = flip(board)
    return BoardFacts(state.position.checkers, *facts_of(board))


def _analyzed(
    decisions: Iterable[Decision], analyses: Mapping[int, Analysis]
) -> list[AnalyzedDecision | None]:
    """Each decision with its analysis; None for one that nobody has analyzed."""
    analyzed: list[AnalyzedDecision | None] = []
    for decision in decisions:
        analysis = analyses.get(decision.index)
        analyzed.append(None if analysis is None else with_analysis(decision, analysis))
    return analyzed
