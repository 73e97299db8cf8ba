"""The same match or game in several files: which was first, and which copy is kept."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from operator import attrgetter, itemgetter
from typing import Literal, TypeAlias, cast, get_args

from attrs import frozen

from gammonrules.errors import ArgumentError
from gammonrules.records.transcript import Match, fingerprints_of, is_by, judged_in
from gammonrules.values import check_kind, shown

Unique: TypeAlias = bool | Literal["match", "game"]
"""What is left out if it is there twice: nothing, matches (True means the same) or games."""
Judge: TypeAlias = tuple[str, str]
"""An engine, and the level at which it was asked to look; "" where that is not known."""
Judged: TypeAlias = Mapping[Judge, int]
"""How many decisions each judge analyzed."""
_Weights: TypeAlias = dict[tuple[str, ...], tuple[int, int]]
"""Games and decisions by engine, or by engine and level."""
Origin: TypeAlias = tuple[str, int]
"""Which match of which file this is; no other has the same."""


@frozen
class Choice:
    """What is kept only once, and whose copy is wanted."""

    by_game: bool
    engine: str | None
    levels: Sequence[str] | None


def checked_choice(unique: object, by: str | None, at: str | Sequence[str] | None) -> Choice | None:
    """None if nothing is left out. Raises ArgumentError."""
    if not isinstance(unique, bool) and not (
        isinstance(unique, str) and unique in get_args(get_args(Unique)[1])
    ):
        raise ArgumentError(f'unique is "match", "game", True or False, not {shown(unique, 60)}')
    check_kind("by", by, str | None)
    check_kind("at", at, str | Sequence | None)
    if not unique and not (by is at is None):
        raise ArgumentError("by and at choose among copies: add unique")
    return Choice(unique == "game", by, [at] if isinstance(at, str) else at) if unique else None


@frozen
class Fingerprints:
    """The fingerprint and length of a match, and the fingerprint of each game with who analyzed it."""

    fingerprint: str | None = None
    length: int | None = None
    games: tuple[tuple[str | None, Judged], ...] = ()


def played_in(match: Match, *, judged: bool = False) -> Fingerprints:
    """What was played in a match, and if asked, who analyzed it. Raises GammonError if an event breaks the rules."""
    whole, fingerprints = fingerprints_of(match)
    by: list[Judged] = [
        judged_in(game.decisions()) if judged and any(game.analyses) else {} for game in match.games
    ]
    return Fingerprints(whole, match.length, tuple(zip(fingerprints, by, strict=True)))


class Seen:
    """Which file had a match or a game first."""

    def __init__(self) -> None:
        # file and length of the match, by fingerprint
        self._first: dict[str | None, tuple[str, int | None]] = {}

    def before(
        self, played: Fingerprints, path: str, *more: str
    ) -> tuple[str | None, tuple[str | None, ...]]:
        """The path of an earlier file with this match, or with all that was played in it, and that for each game.

        `more`: the files of the further games, if each has its own.
        """
        fingerprints = [fingerprint for fingerprint, _ in played.games]
        earlier, *games = map(self._first.get, (played.fingerprint, *fingerprints))
        begun = [game for game, fingerprint in zip(games, fingerprints, strict=True) if fingerprint]
        if earlier is None and begun and all(game and game[1] == played.length for game in begun):
            earlier = begun[0]
        files = (path, *more) if more else (path,) * len(fingerprints)
        for fingerprint, file in zip(
            (played.fingerprint, *fingerprints), (path, *files), strict=True
        ):
            if fingerprint is not None:
                self._first.setdefault(fingerprint, (file, played.length))
        return earlier and earlier[0], tuple(game and game[0] for game in games)


# --- whose copy is kept -----------------------------------------------------------------------------------------------


@frozen
class _Copy:
    """A game, or all games of a match, in one of the files."""

    origin: Origin
    index: int | None
    """That of the game; None for the whole match."""
    games: tuple[Judged, ...]
    number: int
    """How many matches were read before."""

    def weights(self) -> _Weights:
        """The games and decisions that each engine analyzed, and that each analyzed at a level."""
        weights: _Weights = {}
        for game in self.games:
            by = Counter[tuple[str, ...]]()
            for judge, number in game.items():
                by.update({judge: number, judge[:1]: number})
            for key, number in by.items():
                weights[key] = _pairwise_sum(weights.get(key, (0, 0)), (1, number))
        return weights

    @property
    def engines(self) -> set[str]:
        return {engine for engine, _ in chain(*self.games)}


def _pairwise_sum(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
    return first[0] + second[0], first[1] + second[1]


class Best:
    """Of each match, or of each game, the copy that is kept: all games of a match as one engine analyzed them."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self._read = 0
        self._copies: dict[str, list[_Copy]] = defaultdict(list)
        self._same: dict[str, str] = {}
        """Another fingerprint of the same match: copies of one match share games, but not always all of them."""

    def add(self, origin: Origin, played: Fingerprints) -> None:
        """Take note of a match, whose judges are known."""
        games = [(game, _interned(judged)) for game, judged in played.games]
        one_by_one = (
            (game, index, (judged,))
            for index, (game, judged) in enumerate(games)
            if self._choice.by_game
        )
        whole = played.fingerprint, None, tuple(judged for _, judged in games)
        for fingerprint, index, judged in (whole, *one_by_one):
            if fingerprint is not None:
                self._copies[fingerprint].append(
                    _Copy(origin, index, games=judged, number=self._read)
                )
                self._same[self._match(fingerprint)] = self._match(cast("str", played.fingerprint))
        self._read += 1

    def _match(self, fingerprint: str) -> str:
        """The fingerprint that stands for a match."""
        while (same := self._same.setdefault(fingerprint, fingerprint)) != fingerprint:
            fingerprint = self._same[fingerprint] = self._same[same]
        return fingerprint

    def games(self, origin: Origin, played: Fingerprints) -> list[int]:
        """The indexes of the games that are kept; all or none if matches are unique.

        A game in which nothing was played belongs to its match.
        """
        whole = self._is_kept(played.fingerprint, origin, None)
        games = enumerate(
            fingerprint if self._choice.by_game else None for fingerprint, _ in played.games
        )
        return [at for at, game in games if (self._is_kept(game, origin, at) if game else whole)]

    def _is_kept(self, fingerprint: str | None, origin: Origin, index: int | None) -> bool:
        kept = None if fingerprint is None else self._kept[0].get(fingerprint)
        return kept is None or (kept.origin, kept.index) == (origin, index)

    def others(self, origin: Origin) -> list[tuple[int, str, str]]:
        """The indexes of kept games that another judge analyzed, with it and the one of their match, in words."""
        return self._kept[1].get(origin, [])

    @cached_property
    def _kept(self) -> tuple[dict[str, _Copy], dict[Origin, list[tuple[int, str, str]]]]:
        """The copies that are kept, and `others`; everything has been added."""
        units: dict[str, list[str]] = defaultdict(list)
        for fingerprint in self._copies:
            units[self._match(fingerprint)].append(fingerprint)
        kept: dict[str, _Copy] = {}
        others: dict[Origin, list[tuple[int, str, str]]] = defaultdict(list)
        for fingerprints in units.values():
            copies = [self._copies[fingerprint] for fingerprint in fingerprints]
            is_unit = [some[0].index is not None or not self._choice.by_game for some in copies]
            counted = [some for some, counts in zip(copies, is_unit, strict=True) if counts]
            judges = self._ranked(counted)
            of_origins = _by_origin(chain(*counted))
            for fingerprint, some, counts in zip(fingerprints, copies, is_unit, strict=True):
                copy = kept[fingerprint] = _best_copy(some, judges, of_origins)
                if counts and judges:
                    others[copy.origin] += _others(copy, judges[0])
        return kept, others

    def _ranked(self, units: Sequence[Sequence[_Copy]]) -> list[Judge]:
        """The judges of a match, first the one that is wanted, or analyzed most of it; among equals, the first read."""
        weights: _Weights = defaultdict(lambda: (0, 0))
        for copies in units:
            most: _Weights = {}
            for copy in copies:
                most |= {
                    key: max(weight, most.get(key, (0, 0)))
                    for key, weight in copy.weights().items()
                }
            for key, weight in most.items():
                weights[key] = _pairwise_sum(weights[key], weight)

        def rank(judge: Judge) -> tuple[object, ...]:
            engine, level = judge
            is_wanted = is_by(engine, self._choice.engine)
            is_at = self._choice.levels is None or level in self._choice.levels
            return is_wanted and is_at, is_wanted, weights[engine,], bool(level), weights[judge]

        in_order = sorted(chain(*units), key=attrgetter("number"))
        judges = dict.fromkeys(
            chain.from_iterable(game for copy in in_order for game in copy.games)
        )
        return sorted(judges, key=rank, reverse=True)


def _interned(judged: Judged) -> Judged:
    return {
        (sys.intern(engine), sys.intern(level)): number
        for (engine, level), number in judged.items()
    }


def _by_origin(copies: Iterable[_Copy]) -> Mapping[Origin, _Weights]:
    """The games and decisions of each judge in each file; (0, 0) where there are none."""
    weights: dict[Origin, _Weights] = defaultdict(lambda: defaultdict(lambda: (0, 0)))
    for copy in copies:
        for key, weight in copy.weights().items():
            weights[copy.origin][key] = _pairwise_sum(weights[copy.origin][key], weight)
    return weights


def _best_copy(
    copies: Sequence[_Copy], judges: Sequence[Judge], of_origins: Mapping[Origin, _Weights]
) -> _Copy:
    """The copy by the first of the judges, from the file in which it analyzed most, so that few files are mixed."""
    for engine in dict.fromkeys(map(itemgetter(0), judges)):
        if having := [copy for copy in copies if engine in copy.engines]:
            alone = [copy for copy in having if copy.engines == {engine}] or having
            there = [judge for judge in judges if judge[0] == engine]
            judge = next(
                judge for judge in there if any(judge in chain(*copy.games) for copy in alone)
            )
            return max(
                alone, key=lambda copy: [of_origins[copy.origin][key] for key in (judge, (engine,))]
            )
    return copies[0]


def _others(copy: _Copy, judge: Judge) -> Iterator[tuple[int, str, str]]:
    engine, level = judge
    for index, game in enumerate(copy.games, copy.index or 0):
        of_others = [other for other in game if other[0] != engine]
        if not of_others and level and judge not in game:
            of_others = [other for other in game if other[1]]
        for other in of_others[:1]:
            yield index, _judge_words(other), _judge_words(judge)


def _judge_words(judge: Judge) -> str:
    return ", ".join(filter(None, judge)) or "an unnamed program"
