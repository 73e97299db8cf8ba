"""The sums of a report, which take no more memory for more matches: what is summed later waits in a file."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from heapq import nlargest
from operator import attrgetter
from typing import IO, Final

from attrs import Factory, define

from gammonrules.errors import ArgumentError
from gammonrules.match import Player
from gammonrules.page.digests import MOST_WORST, Cell, Digest, Judge, Mistake
from gammonrules.transcript import ErrorRate, Errors, added, merged, similar_names
from gammonrules.values import shown

MOST_SECTIONS: Final = 50
MOST_LATEST: Final = 500
MOST_GROUPS: Final = 200
"""Months, and opponents, that a player's sums are kept by; the others are summed up."""
MOST_REPLIES: Final = 1_000
OTHERS: Final = ""


@define
class Sum:
    """What a player did in several matches."""

    matches: int = 0
    won: int = 0
    lost: int = 0
    result: float = 0.0
    """Matches won, where each is worth 0.5 as at even chances; in money play points."""
    rates: list[ErrorRate] = Factory(list[ErrorRate])
    """Of matches, and of money play: their luck-adjusted results do not mix."""

    @classmethod
    def of(cls, digest: Digest, player: Player) -> Sum:
        won, lost = digest.winner is player, digest.winner is player.opponent
        points = digest.score[player] - digest.score[player.opponent]
        result = points if digest.length is None else (won - lost) / 2
        return cls(1, won, lost, result, [digest.rates[player]])

    def add(self, other: Sum) -> None:
        self.matches, self.won, self.lost = self.matches + other.matches, self.won + other.won, self.lost + other.lost
        self.result += other.result
        by_unit: dict[bool, list[ErrorRate]] = defaultdict(list)
        for rate in (*self.rates, *other.rates):
            by_unit[rate.luck_mwc is None].append(rate)
        self.rates = [merged({"": rates})[""] for rates in by_unit.values()]

    @property
    def rate(self) -> ErrorRate:
        return merged({"": self.rates})[""]

    @property
    def decisions(self) -> int:
        return sum(rate.decisions for rate in self.rates)


Sums = defaultdict[str, Sum]


def _sums() -> Sums:
    return defaultdict(Sum)


@define
class Details:
    """What a report tells of a player."""

    total: Sum = Factory(Sum)
    results: Sums = Factory(_sums)
    """By what is played, for matches and for money."""
    months: Sums = Factory(_sums)
    opponents: Sums = Factory(_sums)
    cells: dict[Cell, Errors] = Factory(dict[Cell, Errors])
    latest: list[tuple[Digest, Player]] = Factory(list[tuple[Digest, Player]])
    """The last matches by their dates, those without a date first."""
    worst: list[Mistake] = Factory(list[Mistake])

    def add(self, digest: Digest, player: Player) -> None:
        cells, mistakes = digest.details_of(player)
        month = f"{digest.date:%Y-%m}" if digest.date else OTHERS
        game = "Money play" if digest.length is None else "Matches"
        for sums, name in (self.months, month), (self.opponents, digest.names[player.opponent]), (self.results, game):
            sums[name].add(Sum.of(digest, player))
            _limit(sums)
        self.total.add(Sum.of(digest, player))
        for cell, errors in cells.items():
            self.cells[cell] = added([self.cells[cell], errors]) if cell in self.cells else errors
        self.worst = nlargest(MOST_WORST, [*self.worst, *mistakes], key=attrgetter("error"))
        self.latest.append((digest.light, player))
        if len(self.latest) > 2 * MOST_LATEST:
            self.latest = self.by_date()
        replies = [cell for cell in self.cells if cell[0] == "reply"]
        if len(replies) > 2 * MOST_REPLIES:
            for cell in sorted(replies, key=lambda cell: self.cells[cell].decisions)[:-MOST_REPLIES]:
                del self.cells[cell]

    def by_date(self) -> list[tuple[Digest, Player]]:
        return sorted(self.latest, key=lambda played: str(played[0].date or ""))[-MOST_LATEST:]


def _limit(sums: Sums) -> None:
    if len(sums) > 2 * MOST_GROUPS:
        for name in sorted(sums, key=lambda name: (name == OTHERS, sums[name].decisions))[:-MOST_GROUPS]:
            sums[OTHERS].add(sums.pop(name))


@define
class Tally:
    """All matches of a report."""

    waiting: IO[bytes]
    """A file for the digests, which are read again."""
    totals: defaultdict[Judge, Sums] = Factory(lambda: defaultdict(_sums))
    names: dict[str, None] = Factory(dict[str, None])
    """Everybody who played, also in matches without analyses."""
    matches: dict[int, bool] = Factory(dict[int, bool])
    """Whether each match has analyses, by the hash of its fingerprint."""
    skipped: int = 0
    digests: int = 0
    _games: set[int] = Factory(set[int])

    def new_games(self, digest: Digest) -> list[int]:
        """The indexes of the games that this judge has not judged before, with those in which nothing was played."""
        keys = [game and hash((digest.judge, game)) for game in digest.games]
        new = [index for index, key in enumerate(keys) if not key or key not in self._games]
        is_new = not any(keys) or any(keys[index] for index in new)
        return new if is_new else []

    def add(self, digest: Digest) -> None:
        self.names |= dict.fromkeys(digest.names)
        key = hash(digest.match or digest.path)
        self.matches[key] = self.matches.get(key, False) or digest.judge is not None
        self._games |= {hash((digest.judge, game)) for game in digest.games if game}
        if digest.judge is not None:
            self.digests += 1
            pickle.dump(digest, self.waiting)
            for player in Player:
                self.totals[digest.judge][digest.names[player]].add(Sum.of(digest, player))

    def judges(self, player: str | None) -> list[Judge]:
        """Who judged this player, or everybody; the most decisions first. Raises ArgumentError for nobody."""
        if player is not None and player not in self.names:
            alike = [name for group in similar_names([player, *self.names]) if player in group for name in group[1:]]
            alike = alike or get_close_matches(player, self.names)
            mean = f": did you mean {' or '.join(shown(name, 60) for name in alike[:3])}?" if alike else ""
            raise ArgumentError(f"there is no player {shown(player, 60)} in these records{mean}")
        judges = [judge for judge, sums in self.totals.items() if player is None or player in sums]
        return sorted(judges, key=lambda judge: -self.decisions(judge, player))

    def decisions(self, judge: Judge, player: str | None) -> int:
        return sum(sum_.decisions for name, sum_ in self.totals[judge].items() if player in {None, name})

    def details(self, judge: Judge, names: Sequence[str]) -> dict[str, Details]:
        """What is told of these players."""
        by_name = {name: Details() for name in names}
        self.waiting.seek(0)
        for digest in self._waiting():
            for player in Player:
                if digest.judge == judge and digest.names[player] in by_name:
                    by_name[digest.names[player]].add(digest, player)
        return by_name

    def _waiting(self) -> Iterator[Digest]:
        for _ in range(self.digests):
            yield pickle.load(self.waiting)  # noqa: S301 - written by `add`
