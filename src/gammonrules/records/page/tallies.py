"""The sums of a report, which take no more memory for more matches: what is summed up later waits in a file."""

from __future__ import annotations

import datetime as dt
import pickle
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from math import sqrt
from operator import attrgetter
from typing import IO, Final, TypeAlias

import attrs
from attrs import Factory, define, frozen

from gammonrules.board import Position, PositionKind
from gammonrules.errors import ArgumentError
from gammonrules.match import Pair, Player
from gammonrules.records.transcript import (
    Decision,
    DecisionKind,
    ErrorRate,
    Errors,
    Match,
    added,
    cut_games,
    fingerprints_of,
    for_rates,
    is_by,
    judges_in,
    letters_of,
    merged,
    part_of,
    players_of,
    rated,
    with_decoded,
)
from gammonrules.values import shown

Judge: TypeAlias = tuple[str, str]
"""An engine, and the level at which it was asked to look; "" if that is not one level."""
Cell: TypeAlias = tuple[str, ...]
"""Decisions that are told together: the name of a table, and what they have in common."""
MOST_WORST: Final = 25
MOST_OF_KIND: Final = 6
"""Mistakes that are kept of each kind of position, besides the worst of all."""
MOST_LATEST: Final = 500
MOST_GROUPS: Final = 200
MOST_CELLS: Final = 1_000
FARTHEST: Final = 9
"""Points away; whoever needs more is in the same row of the map of scores."""
MONEY: Final = "Money play"
OTHERS: Final = ""
"""What is not in the group of a month or an opponent."""


@frozen
class PlayerMatch:
    """A match of a player, as an engine judges it: small enough to be kept for each."""

    path: str
    opponent: str
    date: dt.date | None
    length: int | None
    """None in money play, and in a coin game."""
    score: tuple[int, int]
    """The player's points, and the opponent's."""
    counts: Counter[str]
    """1 of `matches`, whether it is `won` or `lost`, and the `points` by which money play was."""
    rate: ErrorRate


@frozen
class Mistake:
    error: float
    decision: Decision
    names: Pair[str]
    played: PlayerMatch
    kind: PositionKind


@define
class Sum:
    """What a player did in several matches."""

    counts: Counter[str] = Factory(Counter[str])
    rates: list[ErrorRate] = Factory(list[ErrorRate])
    """Of matches, and of money play: their luck-adjusted results do not mix."""

    def add(self, played: PlayerMatch) -> None:
        self.join(Sum(played.counts, [played.rate]))

    def join(self, more: Sum) -> None:
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
    latest: list[PlayerMatch] = Factory(list[PlayerMatch])
    worst: list[Mistake] = Factory(list[Mistake])

    def add(self, played: PlayerMatch, cells: Mapping[Cell, Errors], worst: Sequence[Mistake]) -> None:
        month, game = f"{played.date:%Y-%m}" if played.date else OTHERS, "Matches" if played.length else MONEY
        for group in ("all", "All"), ("game", game), ("month", month), ("opponent", played.opponent):
            self.groups[group].add(played)
        for cell, errors in cells.items():
            self.cells[cell] = added([errors, self.cells.get(cell, Errors())])
        self.worst = _worst_of([*self.worst, *worst])
        self.latest.append(played)
        self._limit()

    def _limit(self) -> None:
        named = [group for group in self.groups if group[0] in {"month", "opponent"} and group[1] != OTHERS]
        if len(named) > 2 * MOST_GROUPS:
            for table, name in sorted(named, key=lambda key: self.groups[key].counts["matches"])[:MOST_GROUPS]:
                self.groups[table, OTHERS].join(self.groups.pop((table, name)))
        if len(self.cells) > 2 * MOST_CELLS:  # nothing but replies can be so many
            ranked = sorted(self.cells.items(), key=lambda cell: (cell[0][0] == "reply", -cell[1].decisions))
            self.cells = dict(ranked[:MOST_CELLS])
        if len(self.latest) > 2 * MOST_LATEST:
            self.latest = self.by_date()

    def by_date(self) -> list[PlayerMatch]:
        """The last matches; those without a date come before all others."""
        return sorted(self.latest, key=lambda played: str(played.date or ""))[-MOST_LATEST:]

    def rows(self, table: str) -> dict[str, Sum]:
        return {name: self.groups[table, name] for its, name in [*self.groups] if its == table}

    @property
    def total(self) -> ErrorRate:
        return self.groups["all", "All"].rate

    @property
    def uncertainty(self) -> float | None:
        """The standard error of the PR, as if decisions did not depend on one another; None for one of them."""
        count, error, squares = self.total.decisions, self.total.error, self.cells.get(("squares",), Errors()).error
        return 500 * sqrt(max(squares - error**2 / count, 0) / (count - 1) / count) if count > 1 else None


@define
class Tally:
    """The matches of a report, about one player or about all."""

    waiting: IO[bytes]
    """A file for what is summed up when it is known whom sections are about."""
    player: str | None
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
    cut: dict[int, list[str]] = Factory(dict[int, list[str]])
    """A sentence about each game of which only the beginning could be replayed, by its match, as in `matches`."""
    _analyzed: defaultdict[Judge, tuple[int, int]] = Factory(lambda: defaultdict(lambda: (0, 0)))
    """The games and decisions that each judge has analyzed: of these, other decisions count for each."""
    _games: set[int] = Factory(set[int])
    _kept: int = 0
    _judges: set[str] = Factory(set[str])
    """Who analyzed, in words."""

    def add(self, match: Match | None, path: str) -> None:
        """Count a match, or a file without one. Raises GammonError if an event breaks the rules."""
        self.read += 1
        if match is None:
            self.skipped += 1
            return
        names = Pair(players_of(match, self.renamed, f"match {self.read}"))
        self.names |= dict.fromkeys(names)
        if self.player not in {None, *names}:
            return
        match = attrs.evolve(match, games=tuple(with_decoded(game, (*game.states(),)) for game in match.games))
        whole, games = fingerprints_of(match)
        is_judged = [self._judge(match, judge, games, path, names) for judge in self._judges_of(match)]
        key = hash(whole or self.read)
        self.matches[key] = any(is_judged) or self.matches.get(key, False)
        if cut := [f"{path}: {words}" for _, words in cut_games(match)]:
            self.cut.setdefault(key, cut)

    def _judges_of(self, match: Match) -> Iterator[Judge]:
        for engine, levels in judges_in(match.decisions()).items():
            self._judges.add(shown(", ".join((engine, *levels)), 60))
            if is_by(engine, self.engine):
                yield from ((engine, level) for level in ([self.level] if self.level else levels or [""]))

    def _judge(self, match: Match, judge: Judge, games: Sequence[str | None], path: str, names: Pair[str]) -> bool:
        """Add up the games that this judge has not judged before; whether there are analyses of it."""
        keys = [hash((judge, game)) if game else None for game in games]
        new = [index for index, key in enumerate(keys) if key not in self._games]
        self._games.update(key for key in keys if key is not None)
        if any(keys) and not any(keys[index] for index in new):  # games in which nothing was played go with others
            return False
        match = match if len(new) == len(keys) else part_of(match, new)
        rates, counted, is_there, _ = rated(for_rates(match.games), self.rule, judge[0], judge[1] or None)
        decisions = [*counted]
        if is_there:
            self._count(match, judge)
        for player in Player if is_there else ():
            played = _player_match(match, path, player, names, rates[player])
            self.totals[judge][names[player]].add(played)
            if self.player in {None, names[player]}:
                told = zlib.compress(pickle.dumps((played, *_told(decisions, player, names, played))), 1)
                pickle.dump((judge, names[player], told), self.waiting)
                self._kept += 1
        return is_there

    def _count(self, match: Match, judge: Judge) -> None:
        """Take note of what an engine has analyzed, in a match whose analyses are decoded."""
        engines = [[getattr(stored, "engine", None) for stored in game.analyses] for game in match.games]
        by = [names.count(judge[0]) for names in engines]
        games, decisions = self._analyzed[judge]
        self._analyzed[judge] = games + sum(map(bool, by)), decisions + sum(by)

    def judges(self) -> list[Judge]:
        """Who judged, most games first, then most decisions. Raises ArgumentError if there is no such player."""
        if self.player is not None and self.player not in self.names:
            letters = {name: letters_of(name) for name in self.names}
            asked = letters_of(self.player)
            alike = [name for name in letters if asked and asked in letters[name]]
            alike = sorted(alike, key=lambda name: letters[name] != asked)
            alike = alike or get_close_matches(self.player, self.names)
            mean = f": did you mean {' or '.join(shown(name, 60) for name in alike[:3])}?" if alike else ""
            raise ArgumentError(f"there is no player {shown(self.player, 60)} in these records{mean}")
        if self.names and not self.totals and (self.engine or self.level):
            asked = " at ".join(shown(text, 60) for text in (self.engine, self.level) if text)
            there = f"only of {' and '.join(sorted(self._judges)[:5])}" if self._judges else "nor of any other engine"
            raise ArgumentError(f"no analysis here is of {asked}, {there}")
        return sorted(self.totals, key=self._analyzed.__getitem__, reverse=True)

    def decisions(self, judge: Judge) -> int:
        return sum(total.rate.decisions for name, total in self.totals[judge].items() if self.player in {None, name})

    def details(self, judge: Judge, names: Sequence[str]) -> dict[str, Details]:
        """What is told of these players."""
        details = {name: Details() for name in names}
        self.waiting.seek(0)
        for _ in range(self._kept):
            by, name, told = pickle.load(self.waiting)  # noqa: S301 - written by `_judge`
            if by == judge and name in details:
                details[name].add(*pickle.loads(zlib.decompress(told)))  # noqa: S301
        return details


def _player_match(match: Match, path: str, player: Player, names: Pair[str], rate: ErrorRate) -> PlayerMatch:
    other, score = player.opponent, (match.score[player], match.score[player.opponent])
    length = None if match.is_coin_game else match.length
    points = 0 if length else score[0] - score[1]
    won, lost = (match.winner is player, match.winner is other) if length else (points > 0, points < 0)
    counts = Counter(matches=1, won=won, lost=lost, points=points)
    return PlayerMatch(path, names[other], match.date, length, score, counts, rate)


def _told(
    counted: Sequence[tuple[Decision, Errors]], player: Player, names: Pair[str], played: PlayerMatch
) -> tuple[dict[Cell, Errors], list[Mistake]]:
    """What the decisions of each cell cost, and the worst mistakes."""
    cells: dict[Cell, list[Errors]] = defaultdict(list)
    for cell, errors in _cells(counted, player):
        cells[cell].append(errors)
    mine = ((decision, errors.error) for decision, errors in counted if decision.player is player)
    mistakes = (Mistake(cost, one, names, played, one.state.position.kind) for one, cost in mine if cost)
    return {cell: added(errors) for cell, errors in cells.items()}, _worst_of(mistakes)


def _worst_of(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """The worst in all, and in each kind of position."""
    worst, of_kind = list[Mistake](), Counter[str]()
    for rank, mistake in enumerate(sorted(mistakes, key=attrgetter("error"), reverse=True)):
        of_kind[mistake.kind] += 1
        if rank < MOST_WORST or of_kind[mistake.kind] <= MOST_OF_KIND:
            worst.append(mistake)
    return worst


def _cells(counted: Sequence[tuple[Decision, Errors]], player: Player) -> Iterator[tuple[Cell, Errors]]:
    """The decisions of a player with each of the cells that they are in."""
    first, last = Cell(), -1
    for decision, errors in counted:
        is_play, play = decision.kind is DecisionKind.PLAY, (str(decision.dice), decision.action)
        before, last = first if decision.index > last else (), decision.index  # in another game, indices begin anew
        is_opening = is_play and decision.turn == 1 and decision.state.position == Position.start()
        first = play if is_opening and play[0][0] != play[0][1] else before
        if decision.player is player:
            yield ("kind", "play" if is_play else decision.action), errors
            yield ("squares",), Errors(1, errors.error**2)
            away = decision.state.away
            if not is_play:
                score = [str(min(away[side], FARTHEST)) for side in (player, player.opponent)] if away else []
                yield ("cube" if away else "money", *score), errors
            elif first and decision.turn <= 2:
                yield ("reply" if before else "opening", *before, *play, decision.best or ""), errors
