"""Which games of several records are copies of one game: the rule that every command and table follows.

Fingerprints alone do not decide: short games are equal by chance, such as a double that is dropped. The rule is stated
in docs/reference/decisions-table.md, under *Copies*. Here, a *link* is what makes equal short games one: the names of
the players, first that of the player who rolled first, or the first eight rolls of another game.

The order of the records does not matter. One record may link two others that have the same short game. Then the three
games are one, even if this record is read last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import TypeAlias

from attrs import Factory, define, evolve, frozen

from gammonrules.match import Player
from gammonrules.records.transcript.matches import Fingerprints
from gammonrules.values import counted

_Link: TypeAlias = Hashable
"""The names of the players in the order of their first rolls, or the beginning of a game."""


@define(eq=False)
class KnownGame:
    """A game or a match, which one record has, or several."""

    number: int
    """How many were known before it."""
    _joined: KnownGame | None = None

    @property
    def first(self) -> KnownGame:
        """The earliest game that this one is a copy of, as far as it is known; or the game itself."""
        first = self
        while first._joined is not None:
            first = first._joined
        if first is not self:
            self._joined = first  # so that the next search is short
        return first

    def join(self, earlier: KnownGame) -> None:
        """Become a copy of an earlier game; both are the first of their copies."""
        self._joined = earlier


@frozen
class KnownRecord:
    """What is known of a record, now and when more records have been added."""

    played: KnownGame
    """The match, as it was played here: the same in a record with all these games."""
    games: tuple[KnownGame | None, ...]
    """None where nothing was played."""
    match: KnownGame
    """The match, also where another record has more of it, or less."""


@frozen
class RecordCounts:
    """How many records there are, of how many matches; and how many games are left out as copies."""

    matches: int = 0
    copies: int = 0
    """Records of a match that another record has too, or a part of it."""
    without_play: int = 0
    """Records in which nothing was played, such as a position."""
    games_left_out: int = 0
    records_left_out: int = 0
    """Records that are left out as wholes, since others have the same games."""

    @property
    def records(self) -> int:
        """All of them; each match of a file is one."""
        return self.matches + self.copies + self.without_play

    @property
    def has_copies(self) -> bool:
        """Whether a record is a copy, or a game is left out as one."""
        return self.copies > 0 or self.games_left_out > 0

    def __str__(self) -> str:
        """Such as "9 records: 7 matches, 2 copies"; only "7 matches" if that is all."""
        words = matches_counted(self.matches)
        if self.copies:
            words += ", 1 copy" if self.copies == 1 else f", {self.copies:,} copies"
        if self.without_play:
            words += f", {self.without_play:,} without a play"
        if self.matches != self.records:
            words = f"{counted(self.records, 'record', ',')}: {words}"
        if self.games_left_out:
            as_copies = "a copy" if self.games_left_out == 1 else "copies"
            words += f"; {counted(self.games_left_out, 'game', ',')} left out as {as_copies}"
        if self.records_left_out:
            others_have = "another has" if self.records_left_out == 1 else "others have"
            left_out = counted(self.records_left_out, "record", ",")
            words += f"; {left_out} left out: {others_have} the same games"
        return words

    def of_records(self, number: int) -> str:
        """So many of the records in words: matches, if each record is one."""
        if self.matches == self.records:
            return matches_counted(number)
        return counted(number, "record", ",")


def matches_counted(number: int) -> str:
    """Such as "1 match" or "1,000 matches"."""
    return "1 match" if number == 1 else f"{number:,} matches"


@define
class KnownRecords:
    """The records that have been added, each compared with the earlier ones by the rule."""

    _numbered: int = 0
    _counts: RecordCounts = Factory(RecordCounts)
    _long: dict[_Link, KnownGame] = Factory(dict[_Link, KnownGame])
    """The games and matches with eight rolls, by fingerprint."""
    _short: dict[str, dict[_Link, KnownGame]] = Factory(lambda: defaultdict(dict))
    """The others, by fingerprint, and then by each link of the records that have them."""
    _match_of: dict[_Link, KnownGame] = Factory(dict[_Link, KnownGame])
    """The match of each match as it was played, and of each beginning of a game."""

    @property
    def counts(self) -> RecordCounts:
        """The counts of all records that have been added."""
        return self._counts

    def add(self, players: Sequence[str], prints: Fingerprints) -> KnownRecord:
        """Add a record. White and Black have the names under which they are counted."""
        names_of_games = _names_as_rolled(players, prints)
        beginnings = [*filter(None, prints.beginnings)]
        games: list[KnownGame | None] = []
        for fingerprint, beginning, names in zip(
            prints.games, prints.beginnings, names_of_games, strict=True
        ):
            if fingerprint is None:
                games.append(None)
            elif beginning is not None:
                games.append(self._one_of(self._long, [fingerprint]))
            else:
                games.append(self._one_of(self._short[fingerprint], [names, *beginnings]))
        if prints.match is None:  # nothing was played, so it is like no other
            self._counts = evolve(self._counts, without_play=self._counts.without_play + 1)
            match = self._new()
            return KnownRecord(match, tuple(games), match)
        if beginnings:
            played = self._one_of(self._long, [prints.match])
        else:
            played = self._one_of(self._short[prints.match], [names_of_games])
        links = [played, *beginnings]
        self._count_copies(len(_games_at(self._match_of, links)))
        return KnownRecord(played, tuple(games), self._one_of(self._match_of, links))

    def _count_copies(self, matches_linked: int) -> None:
        """Count a record that links so many matches, which are one from now on."""
        counts = self._counts
        self._counts = evolve(
            counts,
            matches=counts.matches + 1 - matches_linked,
            copies=counts.copies + matches_linked,
        )

    def is_played(self, players: Sequence[str], prints: Fingerprints) -> bool:
        """Whether a record with just these games has been added."""
        if prints.match is None:
            return False
        if any(prints.beginnings):
            return prints.match in self._long
        return _names_as_rolled(players, prints) in self._short.get(prints.match, {})

    def is_undecided(self, record: KnownRecord, prints: Fingerprints) -> bool:
        """Whether another game is equal to a short one of a record, and a further record may link the two."""
        for game, fingerprint in zip(record.games, prints.games, strict=True):
            if game is None or fingerprint is None:
                continue
            equal_games = self._short.get(fingerprint, {}).values()
            if any(other.first is not game.first for other in equal_games):
                return True
        return False

    def _new(self) -> KnownGame:
        self._numbered += 1
        return KnownGame(self._numbered)

    def _one_of(self, known: dict[_Link, KnownGame], links: Sequence[_Link]) -> KnownGame:
        """The game that has one of these links, or a new one; from now on, all of them lead to it."""
        linked = _games_at(known, links)
        game = min(linked, key=attrgetter("number")) if linked else self._new()
        for other in linked - {game}:
            other.join(game)
        for link in links:
            known[link] = game
        return game


def _names_as_rolled(players: Sequence[str], prints: Fingerprints) -> tuple[_Link, ...]:
    """Of each game the names of the players, first that of the player who rolled first.

    Players without names, or with the same one, may be anybody. Only a record in which all games are equal is of the
    same players, such as what an engine has written about it.
    """
    white, black = players
    is_anybody = not white or not black or white == black
    links: list[_Link] = []
    for first_roller in prints.first_rollers:
        if is_anybody:
            links.append(prints.match)
        else:
            links.append((black, white) if first_roller is Player.BLACK else (white, black))
    return tuple(links)


def _games_at(known: Mapping[_Link, KnownGame], links: Iterable[_Link]) -> set[KnownGame]:
    return {known[link].first for link in links if link in known}
