"""What the tables of decisions and of candidates are filled from: games, their players, decisions and analyses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import Final, NamedTuple, TypeAlias

import attrs
from attrs import define, frozen

from gammonrules.analysis import Analysis, Candidate, Chances, PlayAnalysis
from gammonrules.board.internals import board_in, flip
from gammonrules.equity.internals import EquityScale
from gammonrules.match import Pair, Phase, Player
from gammonrules.records.archive.board_facts import facts_of
from gammonrules.records.archive.deduplication import PlayedMatch
from gammonrules.records.archive.scanning import ScanEntry
from gammonrules.records.transcript import (
    Decision,
    DecisionKind,
    Finding,
    Game,
    Judgment,
    Match,
    Severity,
    chance_difference,
    counting_rule,
    has_stated_errors_of_xg,
    judgment,
    mwc_scale,
    referee,
    with_decoded,
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
    """Decisions of a game, one after another."""

    facts: GameFacts
    seats: Pair[Seat]
    decisions: list[Decision]
    numbers: Sequence[int]
    """Those of the decisions."""
    findings: Mapping[int, int]
    """How many findings a decision has, by its `index`; none is not there."""

    def rows(self) -> Iterator[DecisionRow]:
        for decision, number in zip(self.decisions, self.numbers, strict=True):
            findings = self.findings.get(decision.index, 0)
            yield DecisionRow(decision, number, findings, _board_facts(decision))

    def analyzed(self) -> Iterator[AnalyzedDecision | None]:
        """The decisions with their analyses; None for one that nobody has analyzed."""
        for decision in self.decisions:
            if decision.stored is None:  # not even a call, since decisions are many
                yield None
            else:
                yield _with_analysis(decision, xg_states_errors=self.facts.xg_states_errors)


def facts_of_games(entry: ScanEntry, played: PlayedMatch) -> list[GameFacts]:
    """The games of a match, each with its file, or with the one file of all; analyses are decoded once for all."""
    if entry.match is None:
        return []
    games = tuple([with_decoded(game, tuple(game.states())) for game in entry.match.games])
    match = attrs.evolve(entry.match, games=games)
    xg_states_errors = has_stated_errors_of_xg(_decoded_in(games))
    path = entry.path or None  # "" for a match that is from no file
    files = (path, *entry.more) if entry.more else (path,) * len(games)
    facts: list[GameFacts] = []
    for index, game in enumerate(games):
        fingerprint = played.prints.games[index]
        facts.append(
            GameFacts(
                match,
                entry.fingerprint,
                game,
                fingerprint,
                files[index],
                match_games=entry.games or len(games),
                xg_states_errors=xg_states_errors,
            )
        )
    return facts


def _decoded_in(games: Iterable[Game]) -> Iterator[Analysis]:
    """Those of games whose analyses are decoded."""
    for game in games:
        for analysis in game.analyses:
            if isinstance(analysis, Analysis):
                yield analysis


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
        numbers_of_part = list(islice(numbers, len(part)))
        yield GamePart(
            facts, seats, decisions=part, numbers=numbers_of_part, findings=findings_by_index
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
    """What is read from a board, in the order of `facts_of`."""

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
    """Those of the board as the decider sees it."""
    state = decision.state
    board = board_in(state.position)
    if decision.player is not state.on_roll:
        board = flip(board)
    return BoardFacts(*facts_of(board))


@define
class DecisionRow:
    """A decision and its board. Rows are not frozen, since there are very many."""

    decision: Decision
    number: int
    findings: int
    board: BoardFacts

    @property
    def checkers(self) -> int:
        """How many each side has."""
        return self.decision.state.position.checkers


# --- analyses ---------------------------------------------------------------------------------------------------------


@frozen
class AnalyzedDecision:
    """A decision with its analysis."""

    decision: Decision
    analysis: Analysis
    judgment: Judgment
    chances: Chances | None
    """Those of the decider after what was done, without doubling."""
    level: str
    """That at which the engine looked at what was done."""
    luck: float | None
    mwc_scale: EquityScale | None
    """None in money play."""
    xg_states_errors: bool
    """As of its match."""

    def counts(self, rule: str) -> bool:
        """Whether it counts in an error rate by the rule with this name."""
        return counting_rule(rule).counts(
            self.decision,
            self.analysis,
            self.judgment.error,
            xg_states_errors=self.xg_states_errors,
        )

    def in_mwc(self, equity: float | None) -> float | None:
        if equity is None or self.mwc_scale is None:
            return None
        return chance_difference(equity, self.mwc_scale)


def _with_analysis(decision: Decision, *, xg_states_errors: bool) -> AnalyzedDecision | None:
    """The decision with what its analysis says; None if there is nothing in it."""
    analysis = decision.analysis
    if analysis is None:
        return None
    luck: float | None = None
    if isinstance(analysis, PlayAnalysis):
        made = analysis.made
        chances = None if made is None else made.chances
        candidate = analysis.best if made is None else made
        level = "" if candidate is None else candidate.level.label
        # who resigns after the opponent's roll had no luck: the opponent had
        if decision.state.on_roll is decision.player:
            luck = analysis.luck
    else:
        chances = analysis.chances
        level = analysis.level.label
        # a cube analysis has the view of who may double, also where the opponent answers
        if chances is not None and decision.kind is DecisionKind.ANSWER:
            chances = chances.flip()
    return AnalyzedDecision(
        decision,
        analysis,
        judgment=judgment(analysis, decision.kind, decision.event.action),
        chances=chances,
        level=level,
        luck=luck,
        mwc_scale=mwc_scale(decision),
        xg_states_errors=xg_states_errors,
    )


@frozen
class CandidateRow:
    """A play that an engine compared."""

    index: int
    """That of its decision, among those whose rows are made with it."""
    rank: int
    candidate: Candidate

    @property
    def chances(self) -> Chances | None:
        return self.candidate.chances


def candidates_of(analyses: Sequence[AnalyzedDecision | None]) -> Iterator[CandidateRow]:
    """The candidates of each decision, the best first."""
    for index, decision in enumerate(analyses):
        if decision is not None and isinstance(decision.analysis, PlayAnalysis):
            for rank, candidate in enumerate(decision.analysis.candidates, start=1):
                yield CandidateRow(index, rank, candidate)
