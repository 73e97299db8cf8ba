"""The same match or game in several files: which was first, and which copy is kept.

What counts as a copy is decided by `KnownRecords`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Literal, TypeAlias

import attrs
from attrs import Factory, frozen

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.forks import cached_property
from gammonrules.analysis import Level
from gammonrules.analysis.internals import UNKNOWN, labels_of_levels
from gammonrules.errors import ArgumentError
from gammonrules.records.transcript import (
    Evaluator,
    Fingerprints,
    KnownGame,
    KnownRecord,
    KnownRecords,
    Match,
    RecordCounts,
    count_by_evaluator,
    fingerprints_of,
    is_by,
)
from gammonrules.values import shown, suggestion

Unique: TypeAlias = bool | Literal["match", "game"]
"""What is left out if it is there twice: nothing, matches (True means the same) or games."""
Analyzed: TypeAlias = Mapping[Evaluator, int]
"""How many decisions each evaluator analyzed."""
Origin: TypeAlias = tuple[str, int]
"""Which match of which file this is; no other has the same."""


@frozen
class Choice:
    """What is kept only once, and whose copy is wanted."""

    by_game: bool
    engine: str | None
    levels: Sequence[str] | None


def checked_choice(
    unique: object,
    analyzed_by: str | None,
    analysis_level: Level | str | Sequence[Level | str] | None,
) -> Choice | None:
    """The choice that users name; None if nothing is left out. Raises ArgumentError."""
    names_what = isinstance(unique, str) and unique in ("match", "game")
    if not isinstance(unique, bool) and not names_what:
        near = suggestion(unique, ("match", "game"))
        raise ArgumentError(
            f'unique must be "match", "game", True or False, not {shown(unique, 60)}{near}'
        )
    check_kind("analyzed_by", analyzed_by, str | None)
    levels = labels_of_levels(analysis_level)
    if unique:
        return Choice(by_game=unique == "game", engine=analyzed_by, levels=levels)
    if analyzed_by is not None or analysis_level is not None:
        raise ArgumentError("analyzed_by and analysis_level choose between copies: add unique")
    return None


@frozen
class PlayedMatch:
    """The players and length of a match, what was played, and who analyzed each game."""

    players: tuple[str, str] = ("", "")
    length: int | None = None
    prints: Fingerprints = Factory(Fingerprints)
    analyzed: tuple[Analyzed, ...] = ()


def played_in(match: Match, *, with_evaluators: bool = False) -> PlayedMatch:
    """What was played in a match, and if asked, who analyzed it. Raises GammonError if an event breaks the rules."""
    analyzed_games: list[Analyzed] = []
    for game in match.games:
        analyzed: Analyzed = {}
        if with_evaluators and any(game.analyses):
            analyzed = count_by_evaluator(game.decisions())
        analyzed_games.append(analyzed)
    white, black = match.players
    return PlayedMatch(
        (white, black), match.length, fingerprints_of(match), analyzed=tuple(analyzed_games)
    )


# --- which was first --------------------------------------------------------------------------------------------------


@frozen
class Earlier:
    """The path of an earlier file with a match, or with all that was played in it, and that for each of its games."""

    match: str | None
    games: tuple[str | None, ...]


@frozen
class _First:
    """The first file with a match or a game, and the length of the match."""

    path: str
    length: int | None


class Seen:
    """Which file had a match or a game first, as far as the files show that have been read."""

    def __init__(self) -> None:
        self._known = KnownRecords()
        self._first: dict[KnownGame, _First] = {}

    @property
    def counts(self) -> RecordCounts:
        return self._known.counts

    def before(self, played: PlayedMatch, path: str, more: Sequence[str] = ()) -> Earlier:
        """Where a match was seen before; from now on, it was seen in this file.

        `more`: the files of the further games, if each has its own.
        """
        record = self._known.add(played.players, played.prints)
        first_of_match = self._file_with(record.played)
        firsts_of_games = [self._file_with(game) for game in record.games]
        if first_of_match is None:
            first_of_match = _file_with_all(played.length, record, firsts_of_games)
        self._see(record.played, path, played.length)
        paths_of_games = (path, *more) if more else (path,) * len(record.games)
        for game, path_of_game in zip(record.games, paths_of_games, strict=True):
            self._see(game, path_of_game, played.length)
        return Earlier(
            match=None if first_of_match is None else first_of_match.path,
            games=tuple(None if first is None else first.path for first in firsts_of_games),
        )

    def _file_with(self, game: KnownGame | None) -> _First | None:
        return None if game is None else self._first.get(game.first)

    def _see(self, game: KnownGame | None, path: str, length: int | None) -> None:
        if game is not None:
            self._first.setdefault(game.first, _First(path, length))


def _file_with_all(
    length: int | None, record: KnownRecord, firsts_of_games: Sequence[_First | None]
) -> _First | None:
    """The first file with the first game, if every game that was begun was seen in a match of this length.

    `firsts_of_games`: the first file with each game.
    """
    firsts_of_begun: list[_First] = []
    for first, game in zip(firsts_of_games, record.games, strict=True):
        if game is None:  # nothing was played in it
            continue
        if first is None or first.length != length:
            return None
        firsts_of_begun.append(first)
    return firsts_of_begun[0] if firsts_of_begun else None


# --- whose copy is kept -----------------------------------------------------------------------------------------------


@frozen(order=True)
class _Weight:
    """How much was analyzed. More games come before more decisions."""

    games: int = 0
    decisions: int = 0

    def __add__(self, other: _Weight) -> _Weight:
        return _Weight(self.games + other.games, self.decisions + other.decisions)


@frozen
class _Weights:
    """How much each engine analyzed, at all its levels together, and each evaluator."""

    of_engines: dict[str, _Weight] = Factory(lambda: defaultdict(_Weight))
    of_evaluators: dict[Evaluator, _Weight] = Factory(lambda: defaultdict(_Weight))

    def add(self, other: _Weights) -> None:
        for engine, weight in other.of_engines.items():
            self.of_engines[engine] += weight
        for evaluator, weight in other.of_evaluators.items():
            self.of_evaluators[evaluator] += weight

    def keep_larger(self, other: _Weights) -> None:
        """Of each engine and of each evaluator, keep the larger of both weights."""
        for engine, weight in other.of_engines.items():
            self.of_engines[engine] = max(weight, self.of_engines[engine])
        for evaluator, weight in other.of_evaluators.items():
            self.of_evaluators[evaluator] = max(weight, self.of_evaluators[evaluator])


@frozen
class _Copy:
    """A game, or all games of a match, in one of the files."""

    origin: Origin
    index: int | None
    """That of the game; None for the whole match."""
    games: tuple[Analyzed, ...]
    number: int
    """How many matches were read before."""

    def weights(self) -> _Weights:
        """What each engine analyzed, and what each evaluator did."""
        weights = _Weights()
        for game in self.games:
            decisions_of_engines = Counter[str]()
            for evaluator, decisions in game.items():
                weights.of_evaluators[evaluator] += _Weight(games=1, decisions=decisions)
                decisions_of_engines[evaluator.engine] += decisions
            for engine, decisions in decisions_of_engines.items():
                weights.of_engines[engine] += _Weight(games=1, decisions=decisions)
        return weights

    @property
    def evaluators(self) -> dict[Evaluator, None]:
        """Those of all games, in the order of their first analysis."""
        return {evaluator: None for game in self.games for evaluator in game}

    @property
    def engines(self) -> set[str]:
        return {evaluator.engine for evaluator in self.evaluators}


@frozen
class OtherEvaluator:
    """A game that another evaluator analyzed than that of its match, both in words."""

    index: int
    analyzed_by: str
    of_match: str


@frozen
class _Chosen:
    kept: set[tuple[Origin, int | None]] = Factory(set[tuple[Origin, int | None]])
    """The file and the index of each game that is kept; without an index, of each match."""
    others: dict[Origin, list[OtherEvaluator]] = Factory(lambda: defaultdict(list))
    """The games of each file that another evaluator analyzed than that of their match."""


class Best:
    """Of each match, or of each game, the copy that is kept: all games of a match as one engine analyzed them."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._known = KnownRecords()
        self._matches_read = 0
        self._read: list[tuple[KnownRecord, _Copy]] = []
        """What each file has of a match, in the order of the files."""
        self._copies: dict[KnownGame, list[_Copy]] = defaultdict(list)
        """By the match or the game, when everything has been read."""
        self._same: dict[KnownGame, KnownGame] = {}
        """The match that a game or another match belongs to: copies of one match share games, but not always all."""
        self._evaluators: dict[Evaluator, Evaluator] = {}
        """One object for each, since there may be very many copies."""

    def add(self, origin: Origin, played: PlayedMatch) -> None:
        """Take note of a match whose evaluators are known."""
        number = self._matches_read
        self._matches_read += 1
        record = self._known.add(played.players, played.prints)
        if played.prints.match is None:  # nothing was played in any game
            return
        games = [self._with_known_evaluators(analyzed) for analyzed in played.analyzed]
        copy_of_match = _Copy(origin, index=None, games=tuple(games), number=number)
        self._read.append((record, copy_of_match))

    def _with_known_evaluators(self, analyzed: Analyzed) -> Analyzed:
        known = self._evaluators.setdefault
        return {known(evaluator, evaluator): number for evaluator, number in analyzed.items()}

    def _add_copies(self, record: KnownRecord, copy_of_match: _Copy) -> None:
        """Add what a file has of a match, which is no copy of what other files have before everything is read."""
        self._add_copy(record.played, copy_of_match, of_match=record.played)
        if not self._choice.by_game:
            return
        for index, game in enumerate(record.games):
            if game is not None:
                analyzed = copy_of_match.games[index]
                copy = attrs.evolve(copy_of_match, index=index, games=(analyzed,))
                self._add_copy(game, copy, of_match=record.played)

    def _add_copy(self, game: KnownGame, copy: _Copy, of_match: KnownGame) -> None:
        self._copies[game.first].append(copy)
        match = self._match_with(of_match.first)
        former_match = self._match_with(game.first)
        self._same[former_match] = match  # a game is in both: they are the same match

    def _match_with(self, game: KnownGame) -> KnownGame:
        """What stands for all that belong to one match: the last one of the chain in `_same`."""
        last = game
        while self._same.get(last, last) is not last:
            last = self._same[last]
        self._same[game] = last  # so that the next search is short
        return last

    def games(self, origin: Origin, played: PlayedMatch) -> list[int]:
        """The indexes of the games that are kept; all or none if matches are unique.

        A game in which nothing was played belongs to its match.
        """
        is_match_kept = self._is_kept(played.prints.match, origin, None)
        indexes: list[int] = []
        for index, fingerprint in enumerate(played.prints.games):
            if self._choice.by_game and fingerprint is not None:
                is_kept = self._is_kept(fingerprint, origin, index)
            else:
                is_kept = is_match_kept
            if is_kept:
                indexes.append(index)
        return indexes

    def counts_left_out(self, played: PlayedMatch, kept_games: Iterable[int]) -> RecordCounts:
        """What is left out of a record of which these games are kept: games, or a record as a whole."""
        games = [index for index, game in enumerate(played.prints.games) if game is not None]
        left_out = len({*games}.difference(kept_games))
        if self._choice.by_game:
            return RecordCounts(games_left_out=left_out)
        return RecordCounts(records_left_out=1 if left_out else 0)

    def _is_kept(self, fingerprint: str | None, origin: Origin, index: int | None) -> bool:
        return fingerprint is None or (origin, index) in self._chosen.kept

    def others(self, origin: Origin) -> list[OtherEvaluator]:
        """The kept games of a file that another evaluator analyzed than that of their match."""
        return self._chosen.others.get(origin, [])

    @cached_property
    def _chosen(self) -> _Chosen:
        """What is kept; everything has been added."""
        for record, copy_of_match in self._read:
            self._add_copies(record, copy_of_match)
        games_by_match: dict[KnownGame, list[KnownGame]] = defaultdict(list)
        for game in self._copies:
            games_by_match[self._match_with(game)].append(game)
        chosen = _Chosen()
        for games in games_by_match.values():
            self._choose(games, chosen)
        return chosen

    def _choose(self, games: Sequence[KnownGame], chosen: _Chosen) -> None:
        """Add to `chosen` the best copy of each of these: a match, and its games if games are unique."""
        unique = [game for game in games if self._is_unique(game)]
        copies_of_unique = [self._copies[game] for game in unique]
        evaluators = self._ranked(copies_of_unique)
        weights_by_origin = _weights_by_origin(copies_of_unique)
        for game in games:
            copy = _best_copy(self._copies[game], evaluators, weights_by_origin)
            chosen.kept.add((copy.origin, copy.index))
            if evaluators and game in unique:
                chosen.others[copy.origin] += _analyzed_by_others(copy, evaluators[0])

    def _is_unique(self, game: KnownGame) -> bool:
        """Whether this is a game where games are unique, or a match where matches are."""
        is_game = self._copies[game][0].index is not None
        return is_game or not self._choice.by_game

    def _ranked(self, copies_of_unique: Sequence[Sequence[_Copy]]) -> list[Evaluator]:
        """The evaluators of a match, first the one that is wanted, or analyzed most of it, then the first read."""
        weights = _Weights()
        all_copies: list[_Copy] = []
        for copies in copies_of_unique:
            all_copies += copies
            weights.add(_heaviest(copies))
        evaluators: dict[Evaluator, None] = {}
        for copy in sorted(all_copies, key=attrgetter("number")):
            evaluators |= copy.evaluators
        ranks = {evaluator: self._rank(evaluator, weights) for evaluator in evaluators}
        # sorting keeps the order of those with equal ranks, also in reverse
        return sorted(evaluators, key=ranks.__getitem__, reverse=True)

    def _rank(self, evaluator: Evaluator, weights: _Weights) -> _Rank:
        levels = self._choice.levels
        is_engine_chosen = is_by(evaluator.engine, self._choice.engine)
        is_level_chosen = levels is None or evaluator.level in levels
        return _Rank(
            is_chosen=is_engine_chosen and is_level_chosen,
            is_engine_chosen=is_engine_chosen,
            of_engine=weights.of_engines[evaluator.engine],
            has_level=bool(evaluator.level),
            of_evaluator=weights.of_evaluators[evaluator],
        )


@frozen(order=True)
class _Rank:
    """How well an evaluator is suited for a match: compared field by field, the first counts most."""

    is_chosen: bool
    is_engine_chosen: bool
    of_engine: _Weight
    has_level: bool
    """Whether its level is known, and not mixed."""
    of_evaluator: _Weight


def _heaviest(copies: Iterable[_Copy]) -> _Weights:
    """What each engine and each evaluator analyzed in the copy in which it analyzed most."""
    heaviest = _Weights()
    for copy in copies:
        heaviest.keep_larger(copy.weights())
    return heaviest


def _weights_by_origin(copies_of_unique: Iterable[Iterable[_Copy]]) -> Mapping[Origin, _Weights]:
    """What each engine and each evaluator analyzed in each file; nothing where it is not there."""
    weights: dict[Origin, _Weights] = defaultdict(_Weights)
    for copies in copies_of_unique:
        for copy in copies:
            weights[copy.origin].add(copy.weights())
    return weights


def _best_copy(
    copies: Sequence[_Copy],
    ranked: Sequence[Evaluator],
    weights_by_origin: Mapping[Origin, _Weights],
) -> _Copy:
    """The copy by the first of the evaluators, from the file in which it analyzed most, so that few files are mixed."""
    engines: set[str] = set()
    for copy in copies:
        engines |= copy.engines
    ranked_here = [evaluator for evaluator in ranked if evaluator.engine in engines]
    if not ranked_here:  # nobody analyzed them
        return copies[0]
    engine = ranked_here[0].engine
    eligible = [copy for copy in copies if copy.engines == {engine}]
    if not eligible:  # no copy by this engine alone
        eligible = [copy for copy in copies if engine in copy.engines]
    evaluators_of_eligible: set[Evaluator] = set()
    for copy in eligible:
        evaluators_of_eligible.update(copy.evaluators)
    best = next(
        evaluator
        for evaluator in ranked_here
        if evaluator.engine == engine and evaluator in evaluators_of_eligible
    )

    def analyzed_in_file(copy: _Copy) -> tuple[_Weight, _Weight]:
        weights = weights_by_origin[copy.origin]
        return weights.of_evaluators[best], weights.of_engines[engine]

    return max(eligible, key=analyzed_in_file)


def _analyzed_by_others(copy: _Copy, evaluator: Evaluator) -> Iterator[OtherEvaluator]:
    """The games of a copy that the evaluator of their match has not analyzed, or not alone, and another has."""
    first_index = 0 if copy.index is None else copy.index  # a copy of one game has only that
    for index, game in enumerate(copy.games, first_index):
        others = [other for other in game if other.engine != evaluator.engine]
        is_level_known = evaluator.level != UNKNOWN
        if not others and is_level_known and evaluator not in game:
            # by the same engine, at another level
            others = [other for other in game if other.level != UNKNOWN]
        if others:
            yield OtherEvaluator(
                index, analyzed_by=_evaluator_words(others[0]), of_match=_evaluator_words(evaluator)
            )


def _evaluator_words(evaluator: Evaluator) -> str:
    words = [word for word in (evaluator.engine, str(evaluator.level)) if word]
    return ", ".join(words) or "an unnamed program"
