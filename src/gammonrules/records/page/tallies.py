"""The sums of a report, which take no more memory for more matches: what is summed up later waits in a file."""

from __future__ import annotations

import datetime as dt
import pickle
import zlib
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from math import sqrt
from operator import attrgetter
from typing import IO, Any, Final, NamedTuple, TypeAlias

import attrs
from attrs import Factory, define, frozen

from gammonrules.board import Position
from gammonrules.board.internals import board_in, is_mine
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, Pair, Player
from gammonrules.records.transcript import (
    DEVIATIONS,
    Decision,
    DecisionKind,
    ErrorRate,
    Errors,
    Evaluator,
    Match,
    added,
    cut_games,
    fingerprints_of,
    for_rates,
    is_by,
    is_loose,
    length_of_games,
    letters_of,
    levels_by_engine,
    merged,
    part_of,
    players_of,
    rated,
    trials_of,
    with_decoded,
    xgid_of,
)
from gammonrules.values import counted, shown

Cell: TypeAlias = tuple[str, ...]
"""Decisions that are told together: the name of a table, and what they have in common."""
MOST_WORST: Final = 25
MOST_OF_KIND: Final = 6
"""Mistakes that are kept of each kind of position, besides the worst of all."""
MOST_LATEST: Final = 500
MOST_OPPONENTS: Final = 200
FARTHEST: Final = 9
"""Points away; whoever needs more is in the same row of the map of scores."""
MONEY: Final = "Money play"
DOUBLING: Final = "doubling"
"""What cube decisions are called where kinds of positions have names."""
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
    counts: Counter[str]
    """1 of `matches`, and whether it is `won` or `lost`, and `money` play."""
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
    is_mine: bool | None
    """Whether the player is the side that the kind is named after; None if both are, or neither."""

    @property
    def question(self) -> Hashable:
        """What the board asks: of a play, the same at every score."""
        state = self.decision.state
        kind = self.decision.kind
        return (state.position, state.dice) if kind is DecisionKind.PLAY else (kind, xgid_of(state))


@define
class Sum:
    """What a player did in several matches."""

    counts: Counter[str] = Factory(Counter[str])
    rate: ErrorRate = Factory(ErrorRate)

    def join(self, more: PlayerMatch | Sum) -> None:
        self.counts.update(more.counts)
        self.rate = merged({"": [more.rate, self.rate]})[""]


@define
class Details:
    """What a report tells of a player."""

    all: Sum = Factory(Sum)
    opponents: defaultdict[str, Sum] = Factory(lambda: defaultdict(Sum))
    cells: dict[Cell, Errors] = Factory(dict[Cell, Errors])
    latest: list[PlayerMatch] = Factory(list[PlayerMatch])
    worst: list[Mistake] = Factory(list[Mistake])

    def add(
        self, played: PlayerMatch, cells: Mapping[Cell, Errors], worst: Sequence[Mistake]
    ) -> None:
        self.all.join(played)
        self.opponents[played.opponent].join(played)
        for cell, errors in cells.items():
            self.cells[cell] = added([errors, self.cells.get(cell, Errors())])
        self.worst = _worst_of([*self.worst, *worst])
        self.latest.append(played)
        self._limit()

    def _limit(self) -> None:
        if len(self.opponents) > 2 * MOST_OPPONENTS + 1:
            named = sorted(
                self.opponents.keys() - {OTHERS},
                key=lambda name: self.opponents[name].counts["matches"],
            )
            for name in named[:MOST_OPPONENTS]:
                self.opponents[OTHERS].join(self.opponents.pop(name))
        if len(self.latest) > 2 * MOST_LATEST:
            self.latest = self.by_date()

    def by_date(self) -> list[PlayerMatch]:
        """The last matches; those without a date come before all others."""
        return sorted(self.latest, key=lambda played: str(played.date or ""))[-MOST_LATEST:]

    @property
    def cube(self) -> Errors:
        return added([self.all.rate.doubles, self.all.rate.takes])

    @property
    def wrong_doubles(self) -> str:
        """The errors with the cube, counted, the most frequent first."""
        wrong = {
            cell[1]: errors.decisions for cell, errors in self.cells.items() if cell[0] == "wrong"
        }
        return ", ".join(
            counted(wrong[name], name) for name in sorted(wrong, key=lambda name: -wrong[name])
        )

    @property
    def uncertainty(self) -> float | None:
        """Half of the 95% interval of the PR, as if decisions did not depend on one another; None for one of them."""
        count = self.all.rate.decisions
        error = self.all.rate.error
        squares = self.cells.get(("squares",), Errors()).error
        return (
            500 * DEVIATIONS * sqrt(max(squares - error**2 / count, 0) / (count - 1) / count)
            if count > 1
            else None
        )


@define
class Tally:
    """The matches of a report, about one player or about all."""

    waiting: IO[bytes]
    """A file for what is summed up when it is known whom sections are about."""
    player: str | None
    rule: str
    by: str | None
    at: str | None
    renamed: Mapping[str, str]
    totals: defaultdict[Evaluator, defaultdict[str, Sum]] = Factory(
        lambda: defaultdict(lambda: defaultdict(Sum))
    )
    names: dict[str, None] = Factory(dict[str, None])
    """Everybody who played, also in matches without analyses."""
    matches: dict[int, bool] = Factory(dict[int, bool])
    """Whether each match has analyses that count, by the hash of its fingerprint."""
    read: int = 0
    skipped: int = 0
    cut: dict[int, list[tuple[str, str]]] = Factory(dict[int, list[tuple[str, str]]])
    """Games of which only the beginning could be replayed: path and sentence, by the match, as in `matches`."""
    loose: dict[int, str] = Factory(dict[int, str])
    """The paths of matches that lack games, by the match."""
    _analyzed: defaultdict[Evaluator, tuple[int, int]] = Factory(
        lambda: defaultdict(lambda: (0, 0))
    )
    """The games and decisions that each has analyzed: of these, other decisions count for each."""
    trials: defaultdict[Evaluator, Counter[str]] = Factory(lambda: defaultdict(Counter[str]))
    """Those of rollouts that may end early, as `trials_of` has them."""
    _games: set[int] = Factory(set[int])
    _kept: int = 0
    evaluators_named: set[str] = Factory(set[str])
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
        match = attrs.evolve(
            match, games=tuple(with_decoded(game, (*game.states(),)) for game in match.games)
        )
        whole, games = fingerprints_of(match)
        is_analyzed = [
            self._add_games(match, evaluator, games, path, names)
            for evaluator in self._evaluators_of(match)
        ]
        key = hash(whole or self.read)
        self.matches[key] = any(is_analyzed) or self.matches.get(key, False)
        if cut := [(path, words) for _, words in cut_games(match)]:
            self.cut.setdefault(key, cut)
        if is_loose(match):
            self.loose.setdefault(key, path)

    def _evaluators_of(self, match: Match) -> Iterator[Evaluator]:
        for engine, levels in levels_by_engine(match.decisions()).items():
            name = ", ".join((engine, *map(str, levels)))
            self.evaluators_named.add(shown(name, 60))
            if is_by(engine, self.by):
                for level in [self.at] if self.at else levels or [""]:
                    yield Evaluator(engine, level)

    def _add_games(
        self,
        match: Match,
        evaluator: Evaluator,
        games: Sequence[str | None],
        path: str,
        names: Pair[str],
    ) -> bool:
        """Add up the games that were not added for this evaluator before; whether there are analyses of it."""
        keys = [hash((evaluator, game)) if game else None for game in games]
        new = [index for index, key in enumerate(keys) if key not in self._games]
        self._games.update(key for key in keys if key is not None)
        # games in which nothing was played go with others
        if any(keys) and not any(keys[index] for index in new):
            return False
        match = match if len(new) == len(keys) else part_of(match, new)
        rates, judged, is_there, _ = rated(
            for_rates(match.games), rule=self.rule, by=evaluator.engine, at=evaluator.level or None
        )
        decisions = [*judged]
        if is_there:
            self._count(match, evaluator)
        for player in Player if is_there else ():
            played = _player_match(match, path, player, names, rate=rates[player])
            self.totals[evaluator][names[player]].join(played)
            if self.player in {None, names[player]}:
                told = zlib.compress(
                    pickle.dumps(
                        (played, *_told(decisions, player=player, names=names, played=played))
                    ),
                    1,
                )
                pickle.dump((evaluator, names[player], told), self.waiting)
                self._kept += 1
        return is_there

    def _count(self, match: Match, evaluator: Evaluator) -> None:
        """Take note of what an engine has analyzed, in a match whose analyses are decoded."""
        engines = [
            [getattr(stored, "engine", None) for stored in game.analyses] for game in match.games
        ]
        by = [names.count(evaluator.engine) for names in engines]
        every: Any = (stored for game in match.games for stored in game.analyses)
        self.trials[evaluator] += trials_of(
            each for each in every if each is not None and each.engine == evaluator.engine
        )
        games, decisions = self._analyzed[evaluator]
        self._analyzed[evaluator] = games + sum(map(bool, by)), decisions + sum(by)

    def evaluators(self) -> list[Evaluator]:
        """Who analyzed, most games first, then most decisions. Raises ArgumentError if there is no such player."""
        if self.player is not None and self.player not in self.names:
            asked = letters_of(self.player)
            alike = sorted(
                (name for name in self.names if asked and asked in letters_of(name)), key=len
            )
            alike = alike or get_close_matches(self.player, self.names)
            mean = (
                f": did you mean {' or '.join(shown(name, 60) for name in alike[:3])}?"
                if alike
                else ""
            )
            raise ArgumentError(
                f"there is no player {shown(self.player, 60)} in these records{mean}"
            )
        if self.names and not self.totals and (self.by or self.at):
            asked = " at ".join(shown(text, 60) for text in (self.by, self.at) if text)
            there = (
                f"only of {' and '.join(known)}"
                if (known := sorted(self.evaluators_named)[:5])
                else "nor of another"
            )
            raise ArgumentError(f"no analysis here is of {asked}, {there}")
        return sorted(self.totals, key=self._analyzed.__getitem__, reverse=True)

    def decisions(self, evaluator: Evaluator) -> int:
        return sum(
            total.rate.decisions
            for name, total in self.totals[evaluator].items()
            if self.player in {None, name}
        )

    def details(self, evaluator: Evaluator, names: Sequence[str]) -> dict[str, Details]:
        """What is told of these players."""
        details = {name: Details() for name in names}
        self.waiting.seek(0)
        for _ in range(self._kept):
            by, name, told = pickle.load(self.waiting)  # noqa: S301 - written by `_add_games`
            if by == evaluator and name in details:
                details[name].add(*pickle.loads(zlib.decompress(told)))  # noqa: S301
        return details


def _player_match(
    match: Match, path: str, player: Player, names: Pair[str], rate: ErrorRate
) -> PlayerMatch:
    other, score = player.opponent, (match.score[player], match.score[player.opponent])
    length = None if match.is_coin_game else match.length
    is_won = match.winner is player if length else score[0] > score[1]
    is_lost = match.winner is other if length else score[0] < score[1]
    counts = Counter(matches=1, won=is_won, lost=is_lost, money=length_of_games(match) is None)
    return PlayerMatch(
        path,
        opponent=names[other],
        date=match.date,
        length=length,
        score=score,
        counts=counts,
        rate=rate,
    )


def _told(
    judged: Sequence[tuple[Decision, Errors]], player: Player, names: Pair[str], played: PlayerMatch
) -> tuple[dict[Cell, Errors], list[Mistake]]:
    """What the decisions of each cell cost, and the worst mistakes."""
    cells = defaultdict[Cell, list[Errors]](list)
    mistakes = list[Mistake]()
    for cell, errors in _cells(judged, player):
        cells[cell].append(errors)
    for decision, errors in judged:
        if errors.error and decision.player is player:
            position = decision.state.view(player)
            is_play = decision.kind is DecisionKind.PLAY
            kinds = (position.kind,) if is_play else (position.kind, DOUBLING)
            own = is_mine(position.kind, board_in(position))
            cells["side", position.kind, str(own)].append(errors)
            if any(errors.mistakes.values()):
                mistakes.append(Mistake(errors.error, decision, names, played, kinds, is_mine=own))
    return {cell: added(errors) for cell, errors in cells.items()}, _worst_of(mistakes)


def _worst_of(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """The worst in all, and of each kind; what was answered wrong twice is there once."""
    asked: dict[Hashable, Mistake] = {}
    for mistake in sorted(mistakes, key=attrgetter("error"), reverse=True):
        asked.setdefault(mistake.question, mistake)
    worst = list[Mistake]()
    of_kind = Counter[str]()
    for rank, mistake in enumerate(asked.values()):
        of_kind.update(mistake.kinds)
        if rank < MOST_WORST or min(of_kind[kind] for kind in mistake.kinds) <= MOST_OF_KIND:
            worst.append(mistake)
    return worst


def _cells(
    judged: Sequence[tuple[Decision, Errors]], player: Player
) -> Iterator[tuple[Cell, Errors]]:
    """The decisions of a player with each of the cells that they are in."""
    for decision, errors in (pair for pair in judged if pair[0].player is player):
        is_play = decision.kind is DecisionKind.PLAY
        away = decision.state.away
        yield ("kind", "play" if is_play else decision.action), errors
        yield ("squares",), Errors(1, errors.error**2)
        if is_play and decision.turn == 1 and decision.state.position == Position.start():
            yield ("opening", str(decision.dice), decision.action, decision.best or ""), errors
        if not is_play and any(errors.mistakes.values()):
            # as in the table
            name = "missed double" if decision.action == Action.ROLL else f"wrong {decision.action}"
            yield ("wrong", name), errors
        if not is_play and away:
            yield (
                ("cube", *(str(min(away[side], FARTHEST)) for side in (player, player.opponent))),
                errors,
            )
