"""The sums of a report. What is summed up later is kept in memory, packed: some 20 kB for each match."""

from __future__ import annotations

import datetime as dt
import pickle
import zlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from math import sqrt
from operator import attrgetter
from pathlib import PurePath
from typing import Final, NamedTuple, TypeVar

import attrs
from attrs import Factory, define, frozen

from gammonrules.analysis import Analysis, Level
from gammonrules.analysis.internals import DEVIATIONS, xgid_of
from gammonrules.board import Position, PositionKind
from gammonrules.board.internals import board_in, is_mine
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.records.page.kind_names import DOUBLING
from gammonrules.records.transcript import (
    Decision,
    DecisionKind,
    ErrorRate,
    ErrorSummary,
    Evaluator,
    Game,
    KnownGame,
    KnownRecord,
    KnownRecords,
    Match,
    RecordCounts,
    added,
    counting_rule,
    cut_games,
    fingerprints_of,
    games_to_rate,
    is_by,
    is_loose,
    length_of_games,
    letters_of,
    levels_by_engine,
    merged,
    name_cube_mistake,
    part_of,
    players_of,
    rated,
    trials_of,
    unnamed,
    with_decoded,
    with_player_as_asked,
)
from gammonrules.values import counted, shown

MAX_WORST: Final = 25
MAX_OF_KIND: Final = 6
"""Mistakes that are kept of each kind of position, besides the worst of all."""
MAX_LATEST: Final = 500
MAX_OPPONENTS: Final = 200
FARTHEST: Final = 9
"""Points away; whoever needs more is in the same row of the map of scores."""
MONEY: Final = "Money play"
OTHERS: Final = ""
"""The opponents with the fewest matches."""


class Report(NamedTuple):
    """The page, and what it says first of each player who has a section."""

    html: str
    sentences: Mapping[str, str]


@frozen
class PlayerMatch:
    """A match of a player, as an engine sees it: small enough to be kept for each."""

    path: str
    opponent: str
    date: dt.date | None
    length: int | None
    """None in money play, and in a coin game."""
    score: tuple[int, int]
    """The player's points, and the opponent's."""
    rate: ErrorRate


@frozen(eq=False)
class Mistake:
    """What is a mistake by the rule: it has a size."""

    error: float
    decision: Decision
    names: Pair[str]
    played: PlayerMatch
    kinds: tuple[str, ...]
    """The kind of the position, and perhaps `DOUBLING`."""
    is_named_side: bool | None
    """Whether the player is the side that the kind is named after; None if both are, or neither."""

    @property
    def question(self) -> Hashable:
        """The question on the board, by which mistakes are compared: of a play, the same at every score."""
        state = self.decision.state
        kind = self.decision.kind
        if kind is DecisionKind.PLAY:
            return state.position, state.dice
        return kind, xgid_of(state)


@define
class Sum:
    """What a player did in several matches."""

    counts: Counter[str] = Factory(Counter[str])
    """The `matches`, those of them `won` and `lost`, and those in `money` play."""
    rate: ErrorRate = Factory(ErrorRate)

    def join(self, more: Sum) -> None:
        self.counts.update(more.counts)
        self.add_rate(more.rate)

    def add_rate(self, rate: ErrorRate) -> None:
        self.rate = sum_of_rates([rate, self.rate])


def sum_of_rates(rates: Sequence[ErrorRate]) -> ErrorRate:
    """The sum of the rates of a player in several matches; `merged` sums up several players at once, by name."""
    together = ""
    return merged({together: rates})[together]


class Opening(NamedTuple):
    """The first play of a game."""

    dice: str
    play: str
    best: str
    """"" if it is not known."""


class AwayScore(NamedTuple):
    """How many points each side needs, `FARTHEST` standing for more too."""

    mine: int
    theirs: int


class SideOfKind(NamedTuple):
    """A kind of position, and whether the player is the side that it is named after."""

    kind: PositionKind
    is_named_side: bool | None


@define
class Parts:
    """What decisions of a player cost, by what they have in common."""

    by_action: dict[str, ErrorSummary] = Factory(dict[str, ErrorSummary])
    """Under "play", and the actions with the cube."""
    by_score: dict[AwayScore, ErrorSummary] = Factory(dict[AwayScore, ErrorSummary])
    """The errors of decisions with the cube."""
    openings: dict[Opening, ErrorSummary] = Factory(dict[Opening, ErrorSummary])
    by_side: dict[SideOfKind, ErrorSummary] = Factory(dict[SideOfKind, ErrorSummary])
    wrong_actions: Counter[str] = Factory(Counter[str])
    """The mistakes with the cube, counted: "missed_double" or "wrong_take"."""
    squares: float = 0.0
    """The sum of the squares of all errors."""

    def join(self, more: Parts) -> None:
        for action, errors in more.by_action.items():
            _add_errors(self.by_action, action, errors)
        for score, errors in more.by_score.items():
            _add_errors(self.by_score, score, errors)
        for opening, errors in more.openings.items():
            _add_errors(self.openings, opening, errors)
        for side, errors in more.by_side.items():
            _add_errors(self.by_side, side, errors)
        self.wrong_actions += more.wrong_actions
        self.squares += more.squares

    def add(self, decision: Decision, errors: ErrorSummary) -> None:
        """Count a decision of the player."""
        self.squares += errors.error**2
        if decision.kind is DecisionKind.PLAY:
            self._add_play(decision, errors)
        else:
            self._add_cube_action(decision, errors)

    def _add_play(self, decision: Decision, errors: ErrorSummary) -> None:
        _add_errors(self.by_action, "play", errors)
        is_opening = decision.turn == 1 and decision.state.position == Position.start()
        if is_opening:
            opening = Opening(str(decision.dice), decision.action, decision.best or "")
            _add_errors(self.openings, opening, errors)

    def _add_cube_action(self, decision: Decision, errors: ErrorSummary) -> None:
        _add_errors(self.by_action, decision.action, errors)
        if any(errors.mistakes.values()):
            self.wrong_actions[name_cube_mistake(decision.action)] += 1
        away = decision.state.away
        if away is None:  # money play has no score
            return
        mine = away[decision.player]
        theirs = away[decision.player.opponent]
        score = AwayScore(mine=min(mine, FARTHEST), theirs=min(theirs, FARTHEST))
        _add_errors(self.by_score, score, errors)


_Key = TypeVar("_Key", bound=Hashable)


def _add_errors(sums: dict[_Key, ErrorSummary], key: _Key, errors: ErrorSummary) -> None:
    known = sums.get(key)
    sums[key] = errors if known is None else added([known, errors])


@frozen
class PartOfReport:
    """What a match adds to the section of a player."""

    played: PlayerMatch
    parts: Parts
    worst: Sequence[Mistake]


@define
class Details:
    """What a report says of a player."""

    all: Sum = Factory(Sum)
    opponents: defaultdict[str, Sum] = Factory(lambda: defaultdict(Sum))
    parts: Parts = Factory(Parts)
    latest: list[PlayerMatch] = Factory(list[PlayerMatch])
    worst: list[Mistake] = Factory(list[Mistake])

    def add(self, part: PartOfReport) -> None:
        played = part.played
        self.all.add_rate(played.rate)
        self.opponents[played.opponent].add_rate(played.rate)
        self.parts.join(part.parts)
        self.worst = _worst_of([*self.worst, *part.worst])
        self.latest.append(played)
        # only when there are twice as many as are kept, since sorting takes time
        named_opponents = len(self.opponents.keys() - {OTHERS})
        if named_opponents > 2 * MAX_OPPONENTS:
            self._join_rare_opponents()
        if len(self.latest) > 2 * MAX_LATEST:
            self.latest = self.by_date()

    def _join_rare_opponents(self) -> None:
        """Sum up those with the fewest matches as `OTHERS`."""
        names = [name for name in self.opponents if name != OTHERS]
        names.sort(key=lambda name: self.opponents[name].counts["matches"])
        for name in names[:MAX_OPPONENTS]:
            self.opponents[OTHERS].join(self.opponents.pop(name))

    def by_date(self) -> list[PlayerMatch]:
        """The last matches; those without a date come before all others."""
        return sorted(self.latest, key=lambda played: str(played.date or ""))[-MAX_LATEST:]

    @property
    def cube(self) -> ErrorSummary:
        return added([self.all.rate.doubles, self.all.rate.takes])

    @property
    def wrong_cube_actions(self) -> str:
        """The mistakes with the cube, counted, the most frequent first, and from which cost on; "" without any."""
        wrong = self.parts.wrong_actions.most_common()
        if not wrong:
            return ""
        numbers = [counted(number, name.replace("_", " ")) for name, number in wrong]
        rule = counting_rule(self.all.rate.rule)
        least = f"{rule.least:g} or more" if rule.is_least_named else f"more than {rule.least:g}"
        return f"errors of {least}: {', '.join(numbers)}"

    @property
    def uncertainty(self) -> float | None:
        """Half of the 95% interval of the PR, as if decisions did not depend on one another; None for one of them."""
        count = self.all.rate.decisions
        if count <= 1:
            return None
        sum_of_errors = self.all.rate.error
        # the squared deviations from the mean are, summed up, those from 0 less this
        squared_deviations = max(self.parts.squares - sum_of_errors**2 / count, 0)
        variance = squared_deviations / (count - 1)
        standard_error = sqrt(variance / count)
        # a PR is the mean error times 500
        return 500 * DEVIATIONS * standard_error


@frozen
class _Packed:
    """A `PartOfReport`, compressed: as objects it takes eight times as much memory."""

    evaluator: Evaluator
    name: str
    content: bytes


@define
class CountedMatch:
    """A match as it was played in one record, or in several with the same games."""

    match: KnownGame
    """The same in records that have more of the match, or less."""
    whole_games: tuple[KnownGame, ...]
    evaluators: tuple[Evaluator, ...] = ()
    """Whose analyses it has, of those that count."""
    records: int = 0
    has_moves: bool = True
    """Whether something was played. If not, as in a position, there is nothing to analyze."""


@frozen
class _MatchResult:
    """How a match ended for a player, as far as one record has it."""

    match: KnownGame
    points: int
    """Those of both players: of two records, that with more goes on longer."""
    opponent: str
    counts: Counter[str]
    """1 of what a `Sum` counts."""
    has_new_games: bool
    """Whether a game of it was added up. A match of which no record has one does not count."""


@frozen
class _Undecided:
    """A record that waits for all others: packed, since it is read already."""

    content: bytes
    record: KnownRecord
    path: str
    names: Pair[str]

    @classmethod
    def of(cls, match: Match, record: KnownRecord, path: str, names: Pair[str]) -> _Undecided:
        return cls(zlib.compress(pickle.dumps(match), level=1), record, path, names)

    def match(self) -> Match:
        match: Match = pickle.loads(zlib.decompress(self.content))  # noqa: S301 - of `of`
        return match


@define
class Tally:
    """The matches of a report, about one player or about all."""

    player: str | None
    rule: str
    analyzed_by: str | None
    analysis_level: Level | str | None
    aliases: Mapping[str, str]
    totals: defaultdict[Evaluator, defaultdict[str, Sum]] = Factory(
        lambda: defaultdict(lambda: defaultdict(Sum))
    )
    names: Counter[str] = Factory(Counter[str])
    """Everybody who played, also without analyses, and in how many of the matches that count."""
    names_not_in_records: set[str] = Factory(set[str])
    """Of players who have none, or are counted under another."""
    known: KnownRecords = Factory(KnownRecords)
    """All records that were added, for copies among them."""
    matches: dict[KnownGame, CountedMatch] = Factory(dict[KnownGame, CountedMatch])
    """The matches as they were played: records with the same games are one."""
    unplayed: int = 0
    """Records in which nothing was played, such as a position: there is nothing to analyze."""
    read: int = 0
    skipped: int = 0
    is_of_run: bool = False
    """Whether `analyzed_by` and `analysis_level` are those of an engine that analyzes meanwhile."""
    cut: dict[KnownGame, list[tuple[str, str]]] = Factory(dict[KnownGame, list[tuple[str, str]]])
    """Games of which only the beginning could be replayed: path and sentence, by the match, as in `matches`."""
    loose: dict[KnownGame, str] = Factory(dict[KnownGame, str])
    """The paths of matches that lack games, by the match."""
    trials: defaultdict[Evaluator, Counter[str]] = Factory(lambda: defaultdict(Counter[str]))
    """The trials of rollouts that may end early."""
    evaluators_named: set[str] = Factory(set[str])
    """Who analyzed, in words."""
    _games_analyzed: Counter[Evaluator] = Factory(Counter[Evaluator])
    _decisions_analyzed: Counter[Evaluator] = Factory(Counter[Evaluator])
    """All that each has analyzed: which of these decisions count differs from one to another."""
    _games: set[tuple[Evaluator, KnownGame]] = Factory(set[tuple[Evaluator, KnownGame]])
    """The games that were added up, each for an evaluator."""
    _results: defaultdict[tuple[Evaluator, str], list[_MatchResult]] = Factory(
        lambda: defaultdict(list[_MatchResult])
    )
    """Those of a player in all records: which are of one match is known when all have been added."""
    _analyzed_games: set[KnownGame] = Factory(set[KnownGame])
    """The same games, for whichever evaluator."""
    games_of_records: list[KnownGame] = Factory(list[KnownGame])
    """Those of all records, with or without analyses."""
    _undecided: list[_Undecided] = Factory(list[_Undecided])
    """Analyzed records that wait for all others, which may show that a game of theirs is a copy."""
    _packed: list[_Packed] = Factory(list[_Packed])
    """What is summed up when it is known whom sections are about."""

    def add(self, match: Match | None, path: str, *, is_record: bool = True) -> KnownGame | None:
        """Count a match, or a file without one. Raises GammonError if an event breaks the rules.

        `is_record`: whether it counts as a record of the user's, as what an engine has written about one does not.

        Returns the key of the match in `matches`; None if it is not one of the player, or nothing was played.
        """
        self.read += 1
        if match is None:
            self.skipped += 1
            return None
        names_in_record = players_of(match, self.aliases, self._where(path))
        names = with_player_as_asked(names_in_record, self.player)
        self.names.update(dict.fromkeys(names, 0))
        self.names_not_in_records |= {*names}.difference(match.players)
        if self.player is not None and self.player not in names:
            return None
        games = tuple([with_decoded(game, tuple(game.states())) for game in match.games])
        match = attrs.evolve(match, games=games)
        prints = fingerprints_of(match)
        record = self.known.add(self._names_in_records(match), prints)
        key = record.played
        if key not in self.matches:
            self.names.update(names)
            whole_games = [
                known
                for known, game in zip(record.games, match.games, strict=True)
                if known is not None and game.result is not None
            ]
            self.matches[key] = CountedMatch(
                record.match, tuple(whole_games), has_moves=prints.match is not None
            )
        self.matches[key].records += is_record
        if is_record:
            self.games_of_records += filter(None, record.games)
        self.unplayed += is_record and prints.match is None
        if self.known.is_undecided(record, prints):
            self._undecided.append(_Undecided.of(match, record, path, names))
        else:
            self._add_up(match, record, path, names)
        cut = [(path, reason) for _, reason in cut_games(match)]
        if cut:
            self.cut.setdefault(key, cut)
        if is_loose(match):
            self.loose.setdefault(key, path)
        return key if prints.match else None

    def finish(self) -> None:
        """Add up what waited for all other records, and count the matches."""
        for waiting in self._undecided:
            self._add_up(waiting.match(), waiting.record, waiting.path, waiting.names)
        self._undecided.clear()
        for evaluator, name in self._results:
            counts = Counter[str]()
            for result in self._results_of(evaluator, name):
                counts += result.counts
            self.totals[evaluator][name].counts = counts

    def _results_of(self, evaluator: Evaluator, name: str) -> list[_MatchResult]:
        """The result of each match of a player: of several records, that of the one that goes on longest."""
        longest: dict[KnownGame, _MatchResult] = {}
        counted_matches: set[KnownGame] = set()
        for result in self._results[evaluator, name]:
            match = result.match.first
            if result.has_new_games:
                counted_matches.add(match)
            if match not in longest or longest[match].points < result.points:
                longest[match] = result
        return [result for match, result in longest.items() if match in counted_matches]

    def is_played(self, match: Match) -> bool:
        """Whether a record with just these games was added."""
        return self.known.is_played(self._names_in_records(match), fingerprints_of(match))

    def counts(self) -> RecordCounts:
        """How many records and matches there are, and how many games of records are left out as copies."""
        copies = 0
        for match in self._by_match():
            records = sum(played.records for played in match)
            copies += max(0, records - 1)  # there is no record if only its analyses are left
        games = {game.first for game in self.games_of_records}
        left_out = len(self.games_of_records) - len(games)
        return RecordCounts(self.played, copies, self.unplayed, left_out)

    @property
    def played(self) -> int:
        """How many matches there are in which something was played."""
        return len(self._by_match())

    @property
    def unanalyzed(self) -> int:
        """How many of the matches played have no analyses that count, or have them of some games alone."""
        return self.played - sum(map(self._is_analyzed, self._by_match()))

    def _by_match(self) -> list[list[CountedMatch]]:
        """The matches, with what records have of each: more than one if they have different games of it."""
        by_match: defaultdict[KnownGame, list[CountedMatch]] = defaultdict(list)
        for played in self.matches.values():
            if played.has_moves:
                by_match[played.match.first].append(played)
        return [*by_match.values()]

    def _is_analyzed(self, match: Sequence[CountedMatch]) -> bool:
        """Whether a match has analyses of all its games; a game that is cut may be whole in another record."""
        for played in match:
            is_in_others = all(game.first in self._analyzed_games for game in played.whole_games)
            if not played.evaluators and not is_in_others:
                return False
        return any(played.evaluators for played in match)

    @property
    def is_choice(self) -> bool:
        """Whether somebody has chosen whose analyses count."""
        return bool(self.analyzed_by or self.analysis_level) and not self.is_of_run

    @property
    def is_judged_twice(self) -> bool:
        """Whether a match was analyzed by two engines or levels, in one file or two."""
        for match in self._by_match():
            evaluators = {evaluator for played in match for evaluator in played.evaluators}
            if len(evaluators) > 1:
                return True
        return False

    @property
    def lack(self) -> str:
        """How many of the matches have no analyses that count, in words; "" if all have some."""
        unanalyzed = self.unanalyzed
        if not unanalyzed:
            return ""
        asked = " as asked" if self.is_choice else ""
        if unanalyzed == self.played:
            of_player = f" of {self.player}" if self.player else ""
            return f"No match{of_player} is analyzed{asked}"
        has = "has" if unanalyzed == 1 else "have"
        whose = f"{self.player}'s " if self.player else ""
        return f"{unanalyzed:,} of {whose}{self.played:,} matches {has} no analysis{asked}"

    def without_analyses(self, by: Evaluator) -> Tally:
        """The same matches, to which the analyses of an evaluator are to be added."""
        return Tally(
            self.player,
            self.rule,
            by.engine,
            by.level,
            self.aliases,
            known=self.known,
            matches={
                key: attrs.evolve(played, evaluators=()) for key, played in self.matches.items()
            },
            games_of_records=self.games_of_records,
            unplayed=self.unplayed,
            skipped=self.skipped,
            is_of_run=True,
            cut=self.cut,
            loose=self.loose,
        )

    def _where(self, path: str) -> str:
        """The file in which a player without a name sat, with the number of the match if it is not the first of it."""
        where = PurePath(path).name
        is_known = any(unnamed(player, where) in self.names for player in Player)
        return f"{where}, match {self.read}" if is_known else where

    def _evaluators_of(self, match: Match) -> Iterator[Evaluator]:
        """The evaluators of a match that are asked for, whose analyses are summed up apart."""
        for engine, levels in levels_by_engine(match.decisions()).items():
            engine_and_levels = ", ".join([engine, *[str(level) for level in levels]])
            self.evaluators_named.add(shown(engine_and_levels, 60))
            if not is_by(engine, self.analyzed_by):
                continue
            if self.analysis_level:
                yield Evaluator(engine, self.analysis_level)
            elif levels:
                for level in levels:
                    yield Evaluator(engine, level)
            else:
                yield Evaluator(engine, "")

    def _names_in_records(self, match: Match) -> Pair[str]:
        """The names of both players as records have them, or under which they are counted."""
        names = [self.aliases.get(name, name) for name in match.players]
        return with_player_as_asked(names, self.player)

    def _add_up(self, match: Match, record: KnownRecord, path: str, names: Pair[str]) -> None:
        """Add up the analyses of a match, but for those of games that are copies."""
        counted_match = self.matches[record.played]
        for evaluator in self._evaluators_of(match):
            has_analyses = self._add_games(match, evaluator, record, path, names)
            if has_analyses and evaluator not in counted_match.evaluators:
                counted_match.evaluators += (evaluator,)

    def _add_games(
        self, match: Match, evaluator: Evaluator, record: KnownRecord, path: str, names: Pair[str]
    ) -> bool:
        """Add up the games that were not added for this evaluator before; whether there are analyses of it."""
        new_match = self._with_new_games(match, evaluator, record)
        if new_match is None:  # the record may still go on longer than those that have its games
            self._add_results(match, evaluator, record, names, has_new_games=False)
            return False
        result = rated(
            games_to_rate(new_match.games),
            rule=self.rule,
            analyzed_by=evaluator.engine,
            analysis_level=evaluator.level or None,
        )
        if not result.has_analysis_as_asked:
            return False
        self._add_results(match, evaluator, record, names, has_new_games=True)
        self._count(new_match, evaluator)
        counted_decisions = [*result.counted()]
        for player in Player:
            name = names[player]
            played = _player_match(new_match, path, player, names, rate=result.rates[player])
            self.totals[evaluator][name].add_rate(played.rate)
            has_section = self.player is None or self.player == name
            if has_section:
                part = _part_of_report(counted_decisions, player, names, played)
                content = zlib.compress(pickle.dumps(part), level=1)
                self._packed.append(_Packed(evaluator, name, content))
        return True

    def _add_results(
        self,
        match: Match,
        evaluator: Evaluator,
        record: KnownRecord,
        names: Pair[str],
        *,
        has_new_games: bool,
    ) -> None:
        for player in Player:
            result = _MatchResult(
                record.match,
                points=sum(match.score),
                opponent=names[player.opponent],
                counts=_counts_of_match(match, player),
                has_new_games=has_new_games,
            )
            self._results[evaluator, names[player]].append(result)

    def _with_new_games(
        self, match: Match, evaluator: Evaluator, record: KnownRecord
    ) -> Match | None:
        """The match with the games that were not added for this evaluator before; None without any.

        A game in which nothing was played is no copy, and goes with the others.
        """
        new_games: list[int] = []
        for index, (game, known_game) in enumerate(zip(match.games, record.games, strict=True)):
            if known_game is None:
                new_games.append(index)
                continue
            counted_game = (evaluator, known_game.first)
            if counted_game in self._games:
                continue
            new_games.append(index)
            if _is_analyzed_by(game, evaluator):
                self._games.add(counted_game)
                self._analyzed_games.add(known_game.first)
        played = [index for index, known_game in enumerate(record.games) if known_game is not None]
        if played and not {*played}.intersection(new_games):
            return None
        if len(new_games) == len(record.games):
            return match
        return part_of(match, new_games)

    def _count(self, match: Match, evaluator: Evaluator) -> None:
        """Take note of what an engine has analyzed, in a match whose analyses are decoded."""
        analyses: list[Analysis] = []
        for game in match.games:
            own = [*_analyses_by(evaluator, game)]
            if own:
                self._games_analyzed[evaluator] += 1
            self._decisions_analyzed[evaluator] += len(own)
            analyses += own
        self.trials[evaluator] += trials_of(analyses)

    def check_player(self) -> None:
        """Raise ArgumentError if there is no such player in the matches that have been added."""
        if self.player is not None and self.player not in self.names:
            raise ArgumentError(
                f"there is no player {shown(self.player, 60)} in these records"
                f"{_or_alike(self.player, self.names)}"
            )

    def evaluators(self) -> list[Evaluator]:
        """The evaluators, that with most games first, then that with most decisions.

        Raises ArgumentError if there is no such player, or no analysis of the engine and level that are asked for.
        """
        self.check_player()
        asks_for_evaluator = bool(self.analyzed_by or self.analysis_level)
        has_matches = bool(self.names)
        if asks_for_evaluator and has_matches and not self.totals:
            asked = " at ".join(
                [shown(str(text), 60) for text in (self.analyzed_by, self.analysis_level) if text]
            )
            known = sorted(self.evaluators_named)[:5]
            others = f"only of {' and '.join(known)}" if known else "nor of another"
            raise ArgumentError(f"no analysis here is of {asked}, {others}")
        return sorted(self.totals, key=self._number_analyzed, reverse=True)

    def _number_analyzed(self, evaluator: Evaluator) -> tuple[int, int]:
        return self._games_analyzed[evaluator], self._decisions_analyzed[evaluator]

    def decisions(self, evaluator: Evaluator) -> int:
        decisions = 0
        for name, total in self.totals[evaluator].items():
            if self.player is None or self.player == name:
                decisions += total.rate.decisions
        return decisions

    def details(self, evaluator: Evaluator, names: Sequence[str]) -> dict[str, Details]:
        """The details of these players, for the sections of a report."""
        details = {name: Details() for name in names}
        for name, of_player in details.items():
            for match_result in self._results_of(evaluator, name):
                of_player.all.counts += match_result.counts
                of_player.opponents[match_result.opponent].counts += match_result.counts
        for packed in self._packed:
            if packed.evaluator == evaluator and packed.name in details:
                part = pickle.loads(zlib.decompress(packed.content))  # noqa: S301 - of `_add_games`
                details[packed.name].add(part)
        return details


def _analyses_by(evaluator: Evaluator, game: Game) -> Iterator[Analysis]:
    """Those of a game, decoded, of the engine of this evaluator."""
    for analysis in game.analyses:
        if isinstance(analysis, Analysis) and analysis.engine == evaluator.engine:
            yield analysis


def _is_analyzed_by(game: Game, evaluator: Evaluator) -> bool:
    return any(_analyses_by(evaluator, game))


def _or_alike(player: str, names: Iterable[str]) -> str:
    """A question about similar names, if there are any."""
    letters = letters_of(player)
    alike: list[str] = []
    if letters:
        alike = [name for name in names if letters in letters_of(name)]
        alike.sort(key=len)
    if not alike:
        alike = get_close_matches(player, names)
    if not alike:
        return ""
    return f": did you mean {' or '.join([shown(name, 60) for name in alike[:3]])}?"


def _player_match(
    match: Match, path: str, player: Player, names: Pair[str], rate: ErrorRate
) -> PlayerMatch:
    return PlayerMatch(
        path,
        opponent=names[player.opponent],
        date=match.date,
        length=length_of_games(match),
        score=(match.score[player], match.score[player.opponent]),
        rate=rate,
    )


def _counts_of_match(match: Match, player: Player) -> Counter[str]:
    """Money play, which has no end, is won by who has more points; a match that goes on by nobody."""
    opponent = player.opponent
    own_points = match.score[player]
    other_points = match.score[opponent]
    counts = Counter(["matches"])
    if length_of_games(match) is None:
        counts["money"] = 1
        is_won = own_points > other_points
        is_lost = own_points < other_points
    else:
        is_won = match.winner is player
        is_lost = match.winner is opponent
    if is_won:
        counts["won"] = 1
    if is_lost:
        counts["lost"] = 1
    return counts


def _part_of_report(
    decisions: Sequence[tuple[Decision, ErrorSummary]],
    player: Player,
    names: Pair[str],
    played: PlayerMatch,
) -> PartOfReport:
    """The costs of a player's decisions by what these have in common, and the worst mistakes."""
    parts = Parts()
    mistakes: list[Mistake] = []
    for decision, errors in decisions:
        if decision.player is not player:
            continue
        parts.add(decision, errors)
        if not errors.error:
            continue
        position = decision.state.view(player)
        side = SideOfKind(position.kind, is_mine(position.kind, board_in(position)))
        _add_errors(parts.by_side, side, errors)
        is_mistake = any(errors.mistakes.values())
        if not is_mistake:  # too small to have the name of one
            continue
        kinds: tuple[str, ...] = (side.kind,)
        if decision.kind is not DecisionKind.PLAY:
            kinds = (side.kind, DOUBLING)
        mistakes.append(
            Mistake(errors.error, decision, names, played, kinds, is_named_side=side.is_named_side)
        )
    return PartOfReport(played, parts, _worst_of(mistakes))


def _worst_of(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """The worst in all, and of each kind; what was answered wrong twice is there once."""
    by_question: dict[Hashable, Mistake] = {}
    for mistake in sorted(mistakes, key=attrgetter("error"), reverse=True):
        by_question.setdefault(mistake.question, mistake)
    worst: list[Mistake] = []
    rank_in_kind = Counter[str]()
    for rank, mistake in enumerate(by_question.values(), start=1):
        rank_in_kind.update(mistake.kinds)
        is_among_kind = any(rank_in_kind[kind] <= MAX_OF_KIND for kind in mistake.kinds)
        if rank <= MAX_WORST or is_among_kind:
            worst.append(mistake)
    return worst
