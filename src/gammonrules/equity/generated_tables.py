"""Match equity tables that are computed from a few assumptions instead of being played out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from gammonrules.equity.match_equity_table import MatchEquityTable, from_0_to_1
from gammonrules.limits import LONGEST_EQUITY_TABLE
from gammonrules.values import check_kind, whole_argument

_Equity: TypeAlias = Callable[[int, int], float]
"""The chance of a player, by the points that they and their opponent need."""


def mec(
    gammon_rate: float = 0.26,
    *,
    length: int = 25,
    free_drop_2_away: float = 0,
    free_drop_4_away: float = 0,
    exact: MatchEquityTable | None = None,
) -> MatchEquityTable:
    """A table by the method of Claes Tornberg's match equity calculator (mec).

    Players win half of all games. The cube moves through the whole match as if the chance of winning the game changed
    without jumps, so that each double is made where it is just taken.

    Args:
        gammon_rate: the part of all wins that are gammons, from 0 to 0.95.
        length: how many points a player may need, from 1 to 64.
        free_drop_2_away: what the right to drop without a loss takes from a player who is 2 away after the Crawford
            game, as a chance from 0 to 0.1.
        free_drop_4_away: the same for a player who is 4 away, from 0 to 0.05.
        exact: a table whose chances are better known: they stand in the table, and others follow from them.

    Raises:
        ArgumentError: an argument is out of bounds.

    Examples:
        >>> from gammonrules import equity
        >>> table = equity.mec()
        >>> round(table.before_crawford[3][4], 3), table.name
        (0.575, 'mec, gammon rate 0.26')
    """
    rate = from_0_to_1("gammon_rate", gammon_rate, 0.95)
    size = _checked_length(length)
    check_kind("exact", exact, MatchEquityTable | None)
    after = _trailer_chances(
        rate,
        size=size,
        drop_2_away=free_drop_2_away,
        drop_4_away=free_drop_4_away,
        exact=exact.after_crawford if exact else (),
    )

    def chance(away: int, opponent_away: int, equity: _Equity) -> float:
        """Between the doubling points of both sides the chance of winning the match is linear in that of the game."""
        mine, worth = _mec_point(equity, rate, away, opponent_away)
        theirs, their_worth = _mec_point(equity, rate, away=opponent_away, opponent_away=away)
        low = 1 - their_worth
        return low + (theirs - 0.5) / (mine + theirs - 1) * (worth - low)

    name = f"{exact.name + ', then ' if exact else ''}mec, gammon rate {rate:g}"
    before = _before_crawford(
        chance, after, gammon_rate=rate, exact=exact.before_crawford if exact else ()
    )
    return MatchEquityTable(name, before, tuple(after))


def zadeh(
    *,
    length: int = 25,
    gammon_rate_leader: float = 0.25,
    gammon_rate_trailer: float = 0.15,
    delta: float = 0.08,
    delta_bar: float = 0.06,
    gammon_rate_crawford: float = 0.25,
    free_drop_2_away: float = 0.015,
    free_drop_4_away: float = 0.004,
) -> MatchEquityTable:
    """A table by the method of Norman Zadeh, On Doubling in Tournament Backgammon (Management Science 23, 1977).

    Args:
        length: as for `mec`.
        gammon_rate_leader: the part of the wins of a player who doubled that are gammons, from 0 to 0.5.
        gammon_rate_trailer: the same for a player who took.
        delta: how far beyond the last take players double on average with a cube that may be turned again, as a chance
            of winning the game from 0 to 0.1.
        delta_bar: the same for the first double.
        gammon_rate_crawford: the part of all wins that are gammons in the Crawford game and after it.
        free_drop_2_away: as for `mec`.
        free_drop_4_away: as for `mec`.

    Raises:
        ArgumentError: an argument is out of bounds.

    Examples:
        >>> from gammonrules import equity
        >>> round(equity.zadeh().before_crawford[3][4], 3)
        0.577
    """
    doubler = _rate("gammon_rate_leader", gammon_rate_leader)
    taker = _rate("gammon_rate_trailer", gammon_rate_trailer)
    rate = _rate("gammon_rate_crawford", gammon_rate_crawford)
    size = _checked_length(length)
    beyond = _small("delta", delta)
    first = _small("delta_bar", delta_bar)
    after = _trailer_chances(
        rate, size=size, drop_2_away=free_drop_2_away, drop_4_away=free_drop_4_away
    )

    def drop_point(away: int, opponent_away: int, cube: int, equity: _Equity) -> float:
        """The chance from which the opponent drops a double of this cube."""
        twice = 2 * cube
        # the opponent redoubles at once
        redoubled = 4 * cube if away <= twice < opponent_away else twice
        won = _weighted(
            equity(away - twice, opponent_away), equity(away - 2 * twice, opponent_away), doubler
        )
        lost = _weighted(
            equity(away, opponent_away - redoubled),
            equity(away, opponent_away - 2 * redoubled),
            taker,
        )
        dead = (equity(away - cube, opponent_away) - lost) / (won - lost)
        if away <= twice or opponent_away <= twice:
            return dead
        return 1 - (drop_point(opponent_away, away, twice, equity) + beyond) * (1 - dead)

    def chance(away: int, opponent_away: int, equity: _Equity) -> float:
        mine = drop_point(away, opponent_away, 1, equity) + first
        theirs = drop_point(opponent_away, away, 1, equity) + first
        part = (theirs - 0.5) / (mine + theirs - 1)
        return _weighted(equity(away, opponent_away - 1), equity(away - 1, opponent_away), part)

    return MatchEquityTable("Zadeh", _before_crawford(chance, after, rate), tuple(after))


def _checked_length(length: object) -> int:
    return whole_argument("length", value=length, least=1, most=LONGEST_EQUITY_TABLE)


def _rate(name: str, value: float) -> float:
    return from_0_to_1(name, value, 0.5)


def _small(name: str, value: float) -> float:
    return from_0_to_1(name, value, 0.1)


def _weighted(most: float, rest: float, part: float) -> float:
    return (1 - part) * most + part * rest


def _trailer_chances(
    gammon_rate: float,
    size: int,
    drop_2_away: float,
    drop_4_away: float,
    exact: Sequence[float] = (),
) -> list[float]:
    """A trailer doubles at once, so each game counts 2 points, and a gammon 4."""
    # A larger drop at 4 away would make it worse than 5 away.
    drops = {
        2: _small("free_drop_2_away", drop_2_away),
        4: from_0_to_1("free_drop_4_away", drop_4_away, 0.05),
    }
    row = [1.0, 1.0, 1.0, 1.0, 0.5, *exact[1:]]  # those who need -3, -2, -1, 0 points, 1, and more
    for away in range(len(row) - 3, size + 1):
        row.append(_weighted(row[-2], row[-4], gammon_rate) / 2 - drops.get(away, 0))
    return row[4 : 4 + size]


def _before_crawford(
    chance: Callable[[int, int, _Equity], float],
    after: list[float],
    gammon_rate: float,
    exact: Sequence[Sequence[float]] = (),
) -> tuple[tuple[float, ...], ...]:
    """A table whose cells `chance` computes from those of fewer points; those of a player 1 away are Crawford games."""
    points = range(1, len(after) + 1)
    chances = dict[tuple[int, int], float]()

    def equity(away: int, opponent_away: int) -> float:
        return float(away <= 0) if away <= 0 or opponent_away <= 0 else chances[away, opponent_away]

    for away in points:
        for opponent_away in range(1, away + 1):
            if away <= len(exact):
                cell = exact[away - 1][opponent_away - 1]
            elif away == opponent_away:
                cell = 0.5
            elif opponent_away == 1:
                cell = (
                    _weighted(after[away - 2], 1.0 if away == 2 else after[away - 3], gammon_rate)
                    / 2
                )
            else:
                cell = chance(away, opponent_away, equity)
            chances[away, opponent_away] = cell
            chances[opponent_away, away] = 1 - cell
    return tuple(tuple(chances[away, opponent_away] for opponent_away in points) for away in points)


def _mec_point(
    equity: _Equity, rate: float, away: int, opponent_away: int, doubled: int = 2
) -> tuple[float, float]:
    """Where the opponent just takes a cube turned to this value, as chances of winning the game and the match."""
    if 2 * away <= doubled:
        return 1.0, 1.0
    win, worth = _mec_point(
        equity, rate, away=opponent_away, opponent_away=away, doubled=2 * doubled
    )
    lost = _weighted(
        equity(opponent_away, away - doubled), equity(opponent_away, away - 2 * doubled), rate
    )
    dropped = equity(opponent_away, away - doubled // 2)
    return 1 - (dropped - lost) * win / (worth - lost), 1 - dropped
