"""The same match or game in several files: which file had it first, and which one is kept."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from attrs import frozen

from gammonrules.errors import ArgumentError
from gammonrules.transcript import Match, fingerprints_of
from gammonrules.values import shown

Unique: TypeAlias = bool | Literal["match", "game"]
"""What is left out if it is there twice: nothing, matches (True means the same) or games."""


def checked_unique(unique: object) -> Unique:
    """The value of an argument `unique`. Raises ArgumentError."""
    if isinstance(unique, bool):
        return "match" if unique else False
    if isinstance(unique, str) and unique in get_args(get_args(Unique)[1]):
        return cast("Unique", unique)
    raise ArgumentError(f'unique is "match", "game", True or False, not {shown(unique, 60)}')


@frozen
class Played:
    """The fingerprint and length of a match, and the fingerprint of each game with its number of analyzed decisions."""

    fingerprint: str | None = None
    length: int | None = None
    games: tuple[tuple[str | None, int], ...] = ()


NOTHING_PLAYED: Final = Played()


def played_in(match: Match) -> Played:
    """What was played in a match. Raises GammonError if an event breaks the rules."""
    whole, fingerprints = fingerprints_of(match)
    analyzed = (sum(analysis is not None for analysis in game.analyses) for game in match.games)
    return Played(whole, match.length, tuple(zip(fingerprints, analyzed, strict=True)))


class Seen:
    """Which file had a match or a game first."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, int | None]] = {}  # file and length of the match, by fingerprint

    def before(self, played: Played, path: str, *more: str) -> tuple[str | None, tuple[str | None, ...]]:
        """The path of an earlier file with this match, or with all that was played in it, and that for each game.

        `more`: the files of the further games, if each has its own.
        """
        fingerprints = [fingerprint for fingerprint, _ in played.games]
        games = [None if fingerprint is None else self._first.get(fingerprint) for fingerprint in fingerprints]
        earlier = None if played.fingerprint is None else self._first.get(played.fingerprint)
        begun = [game for game, fingerprint in zip(games, fingerprints, strict=True) if fingerprint]
        if earlier is None and begun and all(game and game[1] == played.length for game in begun):
            earlier = begun[0]
        files = (path, *more) if more else (path,) * len(fingerprints)
        for fingerprint, file in zip((played.fingerprint, *fingerprints), (path, *files), strict=True):
            if fingerprint is not None:
                self._first.setdefault(fingerprint, (file, played.length))
        return earlier and earlier[0], tuple(game and game[0] for game in games)


class Best:
    """Of each match, or of each game, the one with the most analyzed decisions, or else the first."""

    def __init__(self, unique: Unique) -> None:
        self._by_game = unique == "game"
        self._best: dict[str, tuple[int, Hashable]] = {}

    def add(self, place: Hashable, played: Played) -> None:
        """Take note of a match, whose place no other has."""
        self._add(played.fingerprint, sum(analyzed for _, analyzed in played.games), place)
        if self._by_game:
            for index, (fingerprint, analyzed) in enumerate(played.games):
                self._add(fingerprint, analyzed, (place, index))

    def _add(self, fingerprint: str | None, analyzed: int, place: Hashable) -> None:
        if fingerprint is not None and analyzed > self._best.get(fingerprint, (-1, None))[0]:
            self._best[fingerprint] = analyzed, place

    def games(self, place: Hashable, played: Played) -> list[int]:
        """The indexes of the games that are the best; all or none if matches are unique.

        A game in which nothing was played belongs to its match.
        """
        whole = self._is_best(played.fingerprint, place)
        return [
            index
            for index, (fingerprint, _) in enumerate(played.games)
            if (self._is_best(fingerprint, (place, index)) if self._by_game and fingerprint else whole)
        ]

    def _is_best(self, fingerprint: str | None, place: Any) -> bool:
        return fingerprint is None or self._best.get(fingerprint, (0, place))[1] == place
