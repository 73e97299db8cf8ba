"""What players won by luck, as an engine says: what rolls were worth, and the result less that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from attrs import frozen

from gammonrules.analysis import PlayAnalysis
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import equity_scale
from gammonrules.match import MatchState, Player
from gammonrules.records.transcript.decisions import AnalyzedDecision, Decision


@frozen
class GameToRate:
    """What error rates need of a game: its start, its decisions, and its winner with the points."""

    start: MatchState
    decisions: Sequence[Decision]
    won: tuple[Player, int] | None


@frozen
class PlayerLuck:
    """The luck of a player, as `ErrorRate` has it."""

    equity: float | None
    mwc: float | None
    net: float | None
    worth: float | None
    adjusted: float | None


def luck_of_players(
    games: Sequence[GameToRate],
    decisions: Sequence[Decision],
    evaluated: Sequence[AnalyzedDecision],
) -> dict[Player, PlayerLuck]:
    """The luck of the players in all rolls; `evaluated` are the decisions that the engine analyzed.

    The result of the games, less what the luck was worth, is `adjusted`.
    """
    luck = _luck_of_rolls(decisions, evaluated)
    gains_of_white: list[float | None] = []
    for game in games:
        if game.won is not None:
            winner, points = game.won
            gains_of_white.append(_gain_of_white(game.start, winner, points))
    white_gained = sum_of_all(gains_of_white)
    black_gained = None if white_gained is None else 0 - white_gained  # 0, and not -0, of 0
    gained = {Player.WHITE: white_gained, Player.BLACK: black_gained}
    luck_of: dict[Player, PlayerLuck] = {}
    for player in Player:
        own = luck[player]
        other = luck[player.opponent]
        worth = _less(own.worth, other.worth)
        luck_of[player] = PlayerLuck(
            own.equity,
            mwc=own.mwc,
            net=_less(own.equity, other.equity),
            worth=worth,
            adjusted=_less(gained[player], worth),
        )
    return luck_of


@frozen
class _Luck:
    """The luck of a roll, or of all rolls of a player."""

    equity: float | None
    mwc: float | None
    worth: float | None
    """In the unit of a result: a chance of winning the match, or in money play points."""


def _luck_of_rolls(
    decisions: Sequence[Decision], evaluated: Sequence[AnalyzedDecision]
) -> Mapping[Player, _Luck]:
    """The luck of each player. It is 0 of who did not roll, if the opponent's is known."""
    lucks: dict[Player, list[_Luck]] = {player: [] for player in Player}
    for known in evaluated:
        analysis = known.analysis
        if isinstance(analysis, PlayAnalysis) and analysis.luck is not None:
            lucks[_roller(known.decision)].append(_luck_of_roll(known.decision, analysis.luck))
    rollers = {_roller(decision) for decision in decisions if decision.dice is not None}
    for player in Player:
        if lucks[player.opponent] and player not in rollers:
            no_luck = _luck_of_roll(decisions[0], 0.0)  # of any decision: its units are the same
            lucks[player].append(no_luck)
    return {player: _sum_of_rolls(lucks[player]) for player in Player}


def _luck_of_roll(decision: Decision, equity: float) -> _Luck:
    if decision.state.length is None:
        points = equity * decision.state.cube.value
        return _Luck(equity, mwc=None, worth=points)
    mwc = in_mwc(equity, decision)
    return _Luck(equity, mwc, worth=mwc)


def _sum_of_rolls(rolls: Sequence[_Luck]) -> _Luck:
    return _Luck(
        sum_of_known([roll.equity for roll in rolls]),
        mwc=sum_of_all([roll.mwc for roll in rolls]),
        worth=sum_of_all([roll.worth for roll in rolls]),
    )


def _roller(decision: Decision) -> Player:
    """The player who rolled: a resignation may come after the opponent's roll."""
    return decision.state.on_roll or decision.player


def _gain_of_white(start: MatchState, winner: Player, points: int) -> float | None:
    """The gain of White by a game: chances of winning the match, or points in money play."""
    won = points if winner is Player.WHITE else -points
    if start.length is None:
        return won
    before = KAZAROSS_XG2.chance(start, Player.WHITE)
    after = KAZAROSS_XG2.chance_after(start, Player.WHITE, won)
    return _less(after, before)


# --- numbers that may not be known --------------------------------------------------------------


def in_mwc(equity: float, decision: Decision) -> float | None:
    """A difference of normalized equities as one of chances of winning the match; None in money play."""
    # by the default table of both programs
    scale = equity_scale(KAZAROSS_XG2, decision.state, decision.player)
    if scale is None:
        return None
    chance: float = scale.chance(equity) - scale.chance(0)
    return chance


def sum_of_known(numbers: Iterable[float | None]) -> float | None:
    """The sum of the numbers that are known; None if none is."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None


def sum_of_all(numbers: Sequence[float | None]) -> float | None:
    """The sum; None if a number is not known, or there is none."""
    return None if None in numbers else sum_of_known(numbers)


def _less(number: float | None, other: float | None) -> float | None:
    return None if number is None or other is None else number - other
