"""selftaught: the network of this library, which takes no other program, and no NumPy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Final

import attrs

from gammonrules.board import Play, Position
from gammonrules.board.internals import (
    ONE_ROLL_AHEAD,
    Five,
    network,
    network_chances,
    network_chances_by_roll,
)
from gammonrules.dice import ROLLS, Dice
from gammonrules.engine._driver import FIRST_LOOK, Driver, before_double
from gammonrules.engine._evaluation import (
    Evaluation,
    are_bearing_off,
    candidate_from,
    player_on_roll,
)
from gammonrules.engine._known_rules import as_known, unknown_rules, without_crawford
from gammonrules.engine._strengths import chance_of_risk, play_drawn
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.equity.internals import EquityScale, Stakes, equity_scale, stakes_of
from gammonrules.errors import EngineUnsupportedError
from gammonrules.match import Action, MatchState, Player, Resignation
from gammonrules.records.transcript import Candidate, CubeAnalysis, Level, ply_level

MOST_SELFTAUGHT_LEVEL: Final = 2
_EFFICIENCY: Final = 0.68
"""How useful the cube is held to be."""
_DROPPED: Final = 1.0
"""The equity of a double that is dropped: the points on the cube, in which equity is measured."""
_FARTHEST_AWAY: Final = len(KAZAROSS_XG2.before_crawford)
_MORE_OPTIONS: Final = frozenset({"max_cube", "gammons", "backgammons"})
"""The options that other engines do not know at all values."""
_ADVICE_ON_BEAR_OFFS: Final = (
    "selftaught misjudges bear-offs; the default engine solves short ones exactly, with NumPy"
)
"""It learned from games that ended where exact values begin."""


@attrs.frozen
class _JudgedPlay:
    """A play, as the player who makes it sees it.

    Attributes:
        five: how the game may end.
        equity: what the play is worth if the opponent then doubles where a double is better.
        undoubled: what it is worth if the opponent rolls without a double.
    """

    play: Play
    five: Five
    equity: float
    undoubled: float
    level: Level


_rank_of_play = attrgetter("equity", "undoubled")
"""After all plays of equal worth the opponent may double out. Then the best is best if the opponent does not."""


def name_of_selftaught() -> str:
    """With the version of its weights. Raises EngineStartError."""
    return f"selftaught {network().version}"


class Selftaught(Driver):
    """The network, which judges boards as they are at level 1, and one roll ahead at level 2.

    With a temperature it errs in what it does, by the numbers that `chance` draws, from 0 to 1; what it says has no
    errors.
    """

    name = "selftaught"
    is_ours = True
    outlives_fork = True
    knows_limits = True

    def __init__(
        self, level: int, temperature: float = 0.0, chance: Callable[[], float] | None = None
    ) -> None:
        self.level = ply_level(level)
        self._looks_ahead = level > 1
        self._temperature = temperature
        self._chance = chance

    def start(self) -> None:
        self.name = name_of_selftaught()

    def why_not(self, state: MatchState) -> str | None:
        why = None
        if not state.rules.crawford:  # where that cannot matter, other engines are asked as with it
            why = without_crawford(as_known(state))
        return why or unknown_rules(state, also_known=_MORE_OPTIONS)

    def advice_about(self, state: MatchState, /) -> str:
        return self.advice or (_ADVICE_ON_BEAR_OFFS if are_bearing_off(state.position) else "")

    # What it says -----------------------------------------------------------------------------------------------------

    def evaluate(self, state: MatchState) -> Evaluation:
        _refuse_beyond_table(state, self.name)
        five = self._five(state)
        worths = _Worths.of_player_on_roll(state)
        return worths.evaluation(Chances(*five), worths.before_roll(five).equity, self.level)

    def rolling(self, state: MatchState) -> Evaluation:
        _refuse_beyond_table(state, self.name)
        five = self._five(state)
        worths = _Worths.of_player_on_roll(state)
        return worths.evaluation(Chances(*five), worths.equity(five), self.level)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        _refuse_beyond_table(state, self.name)
        worths = _Worths.of_player_on_roll(state)
        candidates = list[Candidate]()
        for each in self._judged(state, also):
            after = worths.evaluation(Chances(*each.five), each.equity, each.level)
            candidates.append(candidate_from(each.play, after))
        return candidates

    def cube(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - for tiers
        _refuse_beyond_table(state, self.name)
        five = self._five(state)
        worths = _Worths.of_player_on_roll(state)
        no_double = worths.equity(five)
        double_take = worths.equity_taken(five)
        mwc = None
        if state.length is not None:
            mwc = (worths.mwc(no_double), worths.mwc(double_take), worths.mwc(_DROPPED))
        return CubeAnalysis(
            no_double,
            double_take=double_take,
            double_drop=_DROPPED,
            chances=Chances(*five),
            chances_double_take=None,
            level=self.level,
            standard_errors=None,
            mwc=mwc,
            engine=self.name,
        )

    def rolls(self, state: MatchState) -> Mapping[Dice, float]:
        _refuse_beyond_table(state, self.name)
        opponent = _Worths.of_opponent(state)
        equities = dict[Dice, float]()
        fives = network_chances_by_roll(state.position)
        for dice, five in zip(ROLLS, fives, strict=True):
            equities[dice] = -opponent.before_roll(_seen_by_other(five)).equity
        return equities

    # What it does -----------------------------------------------------------------------------------------------------

    def play(self, state: MatchState) -> Play | str:
        if not self._temperature:
            return self._judged(state)[0].play
        plays = state.legal_plays
        # a game that the opponent may double out is not given up
        equities = [each.undoubled for each in _judged_plays(state, plays, ahead=False)]
        return play_drawn(plays, equities, self._temperature, self._drawn_number())

    def doubles(self, state: MatchState) -> bool:
        if _is_beyond_table(state):
            return False
        if not self._temperature:
            return super().doubles(state)
        cube = self.cube(state)
        assert cube.equity_double is not None  # `cube` gives all the numbers
        assert cube.no_double is not None
        return self._risks(cube.equity_double - cube.no_double)

    def answer(self, state: MatchState) -> Action:
        if _is_beyond_table(state):
            return Action.TAKE
        if not self._temperature:
            return super().answer(state)
        cube = self.cube(before_double(state))
        assert cube.double_drop is not None  # `cube` gives all the numbers
        assert cube.double_take is not None
        return Action.TAKE if self._risks(cube.double_drop - cube.double_take) else Action.DROP

    def accepts(self, state: MatchState) -> bool:
        return super().accepts(_as_money(state) if _is_beyond_table(state) else state)

    def _risks(self, gain: float) -> bool:
        return self._drawn_number() < chance_of_risk(gain, self._temperature)

    def _drawn_number(self) -> float:
        assert self._chance is not None  # there is one beside a temperature
        return self._chance()

    # How it judges ----------------------------------------------------------------------------------------------------

    def _five(self, state: MatchState) -> Five:
        return _fives_of([state.position], ahead=self._looks_ahead)[0]

    def _judged(self, state: MatchState, also: Collection[Position] = ()) -> list[_JudgedPlay]:
        """All plays of a roll, best first; those that it looks ahead at, and these, come before the others."""
        plays = state.legal_plays
        ranked = _best_first(_judged_plays(state, plays, ahead=False))
        if not self._looks_ahead:
            return ranked
        seen_ahead = {each.play.position for each in ranked[:FIRST_LOOK]} | set(also)
        plays_ahead = [play for play in plays if play.position in seen_ahead]
        others = [each for each in ranked if each.play.position not in seen_ahead]
        return _best_first(_judged_plays(state, plays_ahead, ahead=True)) + others


def _best_first(plays: list[_JudgedPlay]) -> list[_JudgedPlay]:
    """Equal ones in the order of legal plays."""
    return sorted(plays, key=_rank_of_play, reverse=True)


def _judged_plays(state: MatchState, plays: Sequence[Play], *, ahead: bool) -> list[_JudgedPlay]:
    """Plays by what the opponent then has before the roll, who may double."""
    opponent = _Worths.of_opponent(state)
    level = ply_level(2 if ahead else 1)
    judged = list[_JudgedPlay]()
    fives = _fives_of([play.position for play in plays], ahead=ahead)
    for play, five in zip(plays, fives, strict=True):
        worth = opponent.before_roll(five)
        judged.append(
            _JudgedPlay(play, _seen_by_other(five), -worth.equity, -worth.no_double, level)
        )
    return judged


def _fives_of(positions: Sequence[Position], *, ahead: bool) -> list[Five]:
    return network_chances(positions, ONE_ROLL_AHEAD) if ahead else network_chances(positions)


def _seen_by_other(five: Five) -> Five:
    """The same chances as the other player sees them."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = five
    return (1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon)


@attrs.frozen
class _BeforeRoll:
    """The equity of a player before the roll: without a double, and with one where that is better."""

    no_double: float
    equity: float


@attrs.frozen
class _Worths:
    """What chances are worth to a player in a game, as normalized equities.

    Attributes:
        stakes: those of the game, without chances.
        scale: None in money play.
    """

    stakes: Stakes
    scale: EquityScale | None

    @classmethod
    def of_player_on_roll(cls, state: MatchState) -> _Worths:
        return cls._of(state, player_on_roll(state))

    @classmethod
    def of_opponent(cls, state: MatchState) -> _Worths:
        """Those of the player who is on roll after the next play."""
        return cls._of(state, player_on_roll(state).opponent)

    @classmethod
    def _of(cls, state: MatchState, player: Player) -> _Worths:
        """Those of a state; where the match equity table ends, in points of money play without a cube."""
        if _is_beyond_table(state):
            state = _as_money(state)
        stakes = stakes_of(KAZAROSS_XG2, state, player)
        assert stakes is not None  # the engine does not know pip scoring
        looked_up_once = cache(stakes.worth)  # the same few worths are needed for every play
        stakes = attrs.evolve(stakes, worth=looked_up_once)
        return cls(stakes, equity_scale(KAZAROSS_XG2, state, player))

    def equity(self, five: Five) -> float:
        """Before anybody doubles."""
        return self._normalized(self.stakes.with_chances(five).at(_EFFICIENCY))

    def equity_taken(self, five: Five) -> float:
        """Once the player has doubled and the opponent has taken."""
        return self._normalized(self.stakes.with_chances(five).taken_at(_EFFICIENCY))

    def before_roll(self, five: Five) -> _BeforeRoll:
        """Where the player may double, they do if that is better. The opponent then takes or drops, as is better."""
        if not self.stakes.may_double.mine:
            equity = self.equity(five)
            return _BeforeRoll(equity, equity)
        worths = self.stakes.with_chances(five).find_worths(_EFFICIENCY)
        no_double = self._normalized(worths.no_double)
        doubled = min(self._normalized(worths.taken), _DROPPED)
        return _BeforeRoll(no_double, max(no_double, doubled))

    def mwc(self, equity: float) -> float | None:
        """The chance of winning the match; None in money play."""
        if self.scale is None:
            return None
        chance: float = self.scale.chance(equity)
        return min(1.0, max(0.0, chance))

    def evaluation(self, chances: Chances, equity: float, level: Level) -> Evaluation:
        return Evaluation(chances, equity, mwc=self.mwc(equity), level=level)

    def _normalized(self, worth: float) -> float:
        equity: float = worth if self.scale is None else self.scale.equity(worth)
        return equity


def _is_beyond_table(state: MatchState) -> bool:
    """Whether the match equity table does not know what the game is worth."""
    return state.away is not None and max(state.away) > _FARTHEST_AWAY


def _refuse_beyond_table(state: MatchState, who: str) -> None:
    if _is_beyond_table(state):
        raise EngineUnsupportedError(
            f"{who}: it does not know what matches are worth in which a player needs more than {_FARTHEST_AWAY} points"
        )


def _as_money(state: MatchState) -> MatchState:
    """The same game for money: gammons count as in a match, and nobody doubles anymore."""
    double = state.offer.double if isinstance(state.offer, Resignation) else state.offer
    value = state.cube.value if double is None else double.value
    rules = attrs.evolve(state.rules, jacoby=False, max_cube=value)
    return attrs.evolve(state, length=None, score=(0, 0), crawford=False, rules=rules)
