"""The sums of a report, which take no more memory for more matches: what is summed up later waits in a file."""

from __future__ import annotations

import datetime as dt
import pickle
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from heapq import nlargest
from operator import attrgetter
from typing import IO, Final, TypeAlias

import attrs
from attrs import Factory, define, frozen

from gammonrules.board import Position
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.transcript import (
    Decision,
    DecisionKind,
    ErrorRate,
    Errors,
    Game,
    Match,
    added,
    decoded,
    fingerprints_of,
    is_by,
    judges_in,
    known_game,
    merged,
    part_of,
    players_of,
    rated,
    similar_names,
    won_in,
)
from gammonrules.values import shown

Judge: TypeAlias = tuple[str, str]
"""An engine, and the level at which it was asked to look; "" if that is not one level."""
Cell: TypeAlias = tuple[str, ...]
"""Decisions that are told together: the name of a table, and what they have in common."""
MOST_WORST: Final = 25
MOST_LATEST: Final = 500
MOST_GROUPS: Final = 200
MOST_CELLS: Final = 1_000
FARTHEST: Final = 9
"""Points away; whoever needs more is in the same row of the map of scores."""
OTHERS: Final = ""
"""What is not in the group of a month or an opponent."""


@frozen
class Digest:
    """What an engine says of a match: small enough to be kept for each."""

    path: str
    names: Pair[str]
    date: dt.date | None
    length: int | None
    score: Pair[int]
    winner: Player | None
    rates: Mapping[Player, ErrorRate]
    packed: Mapping[Player, bytes] = {}
    """What the decisions of each cell cost, and the worst mistakes: most of them are never looked at."""


@frozen
class Mistake:
    error: float
    decision: Decision
    digest: Digest


@define
class Sum:
    """What a player did in several matches."""

    counts: Counter[str] = Factory(Counter[str])
    """Matches, how many of them were won and lost, and the points by which money play was won."""
    rates: list[ErrorRate] = Factory(list[ErrorRate])
    """Of matches, and of money play: their luck-adjusted results do not mix."""

    @classmethod
    def of(cls, digest: Digest, player: Player) -> Sum:
        points = digest.score[player] - digest.score[player.opponent]
        ends = {"won": digest.winner is player, "lost": digest.winner is player.opponent}
        counts = Counter({"matches": 1, "points": 0 if digest.length else points, **ends})
        return cls(counts, [digest.rates[player]])

    def add(self, more: Sum) -> None:
        self.counts.update(more.counts)
        by_unit: dict[bool, list[ErrorRate]] = defaultdict(list)
        for rate in (*self.rates, *more.rates):
            by_unit[rate.luck_mwc is None].append(rate)
        self.rates = [merged({"": rates})[""] for rates in by_unit.values()]

    @property
    def rate(self) -> ErrorRate:
        return merged({"": self.rates})[""]


@define
class Details:
    """What a report tells of a player."""

    groups: defaultdict[tuple[str, str], Sum] = Factory(lambda: defaultdict(Sum))
    """By the name of a table, and of what is in a row of it."""
    cells: dict[Cell, Errors] = Factory(dict[Cell, Errors])
    latest: list[tuple[Digest, Player]] = Factory(list[tuple[Digest, Player]])
    worst: list[Mistake] = Factory(list[Mistake])

    def add(self, digest: Digest, player: Player) -> None:
        opponent, month = digest.names[player.opponent], f"{digest.date:%Y-%m}" if digest.date else OTHERS
        game = "Matches" if digest.length else "Money play"
        for group in ("all", "All"), ("game", game), ("month", month), ("opponent", opponent):
            self.groups[group].add(Sum.of(digest, player))
        cells, worst = pickle.loads(zlib.decompress(digest.packed[player]))  # noqa: S301 - packed by `_packed`
        for cell, errors in cells.items():
            self.cells[cell] = added([errors, self.cells.get(cell, Errors())])
        self.worst = nlargest(MOST_WORST, [*self.worst, *worst], key=attrgetter("error"))
        self.latest.append((attrs.evolve(digest, packed={}), player))
        self._limit()

    def _limit(self) -> None:
        if len(self.groups) > 2 * MOST_GROUPS:
            for table, name in sorted(self.groups, key=lambda group: self.groups[group].counts["matches"])[
                :MOST_GROUPS
            ]:
                self.groups[table, OTHERS].add(self.groups.pop((table, name)))
        if len(self.cells) > 2 * MOST_CELLS:  # nothing but replies can be so many
            ranked = nlargest(
                MOST_CELLS, self.cells.items(), key=lambda cell: (cell[0][0] != "reply", cell[1].decisions)
            )
            self.cells = dict(ranked)
        if len(self.latest) > 2 * MOST_LATEST:
            self.latest = self.by_date()

    def by_date(self) -> list[tuple[Digest, Player]]:
        """The last matches; those without a date come before all others."""
        return sorted(self.latest, key=lambda played: str(played[0].date or ""))[-MOST_LATEST:]

    def rows(self, table: str) -> dict[str, Sum]:
        return {name: self.groups[table, name] for its, name in [*self.groups] if its == table}


@define
class Tally:
    """All matches of a report."""

    waiting: IO[bytes]
    """A file for the digests, which are read again."""
    rule: str
    engine: str | None
    level: str | None
    renamed: Mapping[str, str]
    totals: defaultdict[Judge, defaultdict[str, Sum]] = Factory(lambda: defaultdict(lambda: defaultdict(Sum)))
    names: dict[str, None] = Factory(dict[str, None])
    """Everybody who played, also in matches without analyses."""
    matches: dict[int, bool] = Factory(dict[int, bool])
    """Whether each match has analyses that count, by the hash of its fingerprint."""
    read: int = 0
    skipped: int = 0
    _games: set[int] = Factory(set[int])
    _digests: int = 0

    def add(self, match: Match | None, path: str) -> None:
        """Count a match, or a file without one. Raises ArgumentError and GammonError as `Match.error_rates`."""
        self.read += 1
        if match is None:
            self.skipped += 1
            return
        match = attrs.evolve(match, games=tuple(map(_decoded, match.games)))
        names = Pair(players_of(match, self.renamed, path or f"match {self.read}"))
        self.names |= dict.fromkeys(names)
        whole, games = fingerprints_of(match)
        new = [(judge, self._new(judge, games)) for judge in self._judges_of(match)]
        parts = [(judge, match if len(some) == len(games) else part_of(match, some)) for judge, some in new if some]
        is_judged = [self._judge(part, judge, path, names) for judge, part in parts]
        key = hash(whole or self.read)
        self.matches[key] = any(is_judged) or self.matches.get(key, False)

    def _judges_of(self, match: Match) -> Iterator[Judge]:
        for engine, levels in judges_in(match.decisions()).items():
            if is_by(engine, self.engine):
                yield from ((engine, level) for level in ([self.level] if self.level else levels or [""]))

    def _new(self, judge: Judge, games: Iterable[str | None]) -> list[int]:
        """The indexes of the games that this judge has not judged before; without play, a game goes with the others."""
        keys = [hash((judge, game)) if game else None for game in games]
        new = [index for index, key in enumerate(keys) if key not in self._games]
        is_new = not any(keys) or any(keys[index] for index in new)
        self._games.update(key for key in keys if key is not None)
        return new if is_new else []

    def _judge(self, match: Match, judge: Judge, path: str, names: Pair[str]) -> bool:
        """Add up a match; whether there are decisions that count."""
        engine, level = judge
        games = [(game.start, [*game.decisions()], won_in(game)) for game in match.games]
        rates, counted = rated(games, self.rule, engine, level or None)
        if not any(rate.decisions for rate in rates):
            return False
        by_player = dict(zip(Player, rates, strict=True))
        digest = Digest(path, names, match.date, match.length, match.score, match.winner, by_player)
        decisions = [*counted]
        packed = {player: _packed(digest, decisions, player) for player in Player}
        pickle.dump((judge, attrs.evolve(digest, packed=packed)), self.waiting)
        self._digests += 1
        for player in Player:
            self.totals[judge][names[player]].add(Sum.of(digest, player))
        return True

    def judges(self, player: str | None) -> list[Judge]:
        """Who judged a player, or everybody; the most decisions first. Raises ArgumentError for an unknown player."""
        if player is not None and player not in self.names:
            alike = [name for group in similar_names([player, *self.names]) if player in group for name in group[1:]]
            alike = alike or get_close_matches(player, self.names)
            mean = f": did you mean {' or '.join(shown(name, 60) for name in alike[:3])}?" if alike else ""
            raise ArgumentError(f"there is no player {shown(player, 60)} in these records{mean}")
        judges = [judge for judge, sums in self.totals.items() if player is None or player in sums]
        return sorted(judges, key=lambda judge: -self.decisions(judge, player))

    def decisions(self, judge: Judge, player: str | None) -> int:
        sums = self.totals[judge]
        return sum(sums[name].rate.decisions for name in ([player] if player else sums))

    def details(self, judge: Judge, names: Sequence[str]) -> dict[str, Details]:
        """What is told of these players, read again."""
        by_name = {name: Details() for name in names}
        self.waiting.seek(0)
        for _ in range(self._digests):
            by, digest = pickle.load(self.waiting)  # noqa: S301 - written by `_judge`
            for player in Player:
                if by == judge and digest.names[player] in by_name:
                    by_name[digest.names[player]].add(digest, player)
        return by_name


def _decoded(game: Game) -> Game:
    """The same game with its analyses decoded, so that this is done once."""
    states = (*game.states(),)
    analyses = tuple(decoded(analysis, state) for analysis, state in zip(game.analyses, states, strict=False))
    return known_game(attrs.evolve(game, analyses=analyses), states)


Counted: TypeAlias = Sequence[tuple[Decision, Errors]]


def _packed(digest: Digest, counted: Counted, player: Player) -> bytes:
    cells: dict[Cell, list[Errors]] = defaultdict(list)
    for cell, errors in _cells(counted, player):
        cells[cell].append(errors)
    wrong = [Mistake(errors.error, one, digest) for one, errors in counted if one.player is player and errors.error]
    worst = nlargest(MOST_WORST, wrong, key=attrgetter("error"))
    return zlib.compress(pickle.dumps(({cell: added(errors) for cell, errors in cells.items()}, worst)), 1)


def _cells(counted: Counted, player: Player) -> Iterator[tuple[Cell, Errors]]:
    """The decisions of a player with each of the cells that they are in."""
    opening, last = Cell(), -1
    for decision, errors in counted:
        is_play, roll = decision.kind is DecisionKind.PLAY, (str(decision.dice), decision.action)
        if decision.index < last:  # another game
            opening = ()
        last, begun = decision.index, opening
        if is_play and decision.turn == 1 and decision.state.position == Position.start():
            opening = roll
        if decision.player is player:
            yield ("kind", "play" if is_play else decision.action), errors
            if not is_play:
                away = decision.state.away
                sides = player, player.opponent
                yield ("cube", *(str(min(away[side], FARTHEST)) for side in sides)) if away else ("money",), errors
            elif opening and decision.turn <= 2:
                yield ("reply", *begun, *roll) if begun else ("opening", *roll), errors
