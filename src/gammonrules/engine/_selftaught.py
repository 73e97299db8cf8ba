"""selftaught: the network of this library, which takes no other program, and no NumPy."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Final

import attrs

from gammonrules._network import (
    AS_THEY_ARE,
    ONE_ROLL_AHEAD,
    AfterRoll,
    Five,
    bearoff_efficiency,
    network,
    network_chances,
    network_chances_by_roll,
)
from gammonrules._shared.forks import cached_property
from gammonrules.analysis import Candidate, Chances, CubeAnalysis, Level
from gammonrules.analysis.internals import ply_level
from gammonrules.board import Play, Position
from gammonrules.dice import ROLLS, Dice
from gammonrules.engine._driver import FIRST_LOOK, Driver, before_double
from gammonrules.engine._evaluation import Evaluation, candidate_from, player_on_roll
from gammonrules.engine._rule_support import as_known, unknown_rules, without_crawford
from gammonrules.engine._strengths import chance_of_risk, play_drawn
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.equity.internals import EquityScale, Stakes, equity_scale, stakes_of
from gammonrules.errors import EngineUnsupportedError
from gammonrules.match import Action, Cube, MatchState, Player, Resignation

MAX_SELFTAUGHT_LEVEL: Final = 2
_EFFICIENCY: Final = 0.68
"""How useful the cube is held to be, but in bear-offs without gammons."""
_DROPPED: Final = 1.0
"""The equity of a double that is dropped: the points on the cube, in which equity is measured."""
_FARTHEST_AWAY: Final = len(KAZAROSS_XG2.before_crawford)
_DIGITS: Final = 12
"""After the point, in which two equities differ if they do."""
_MORE_OPTIONS: Final = frozenset({"max_cube", "gammons", "backgammons"})
"""The options that other engines do not know at all values."""


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


def _rank_of_play(play: _JudgedPlay) -> tuple[float, float, float]:
    """The key by which the best is the highest, without what rounding adds to sums.

    After all plays of equal worth the opponent may double out. Then the best is best if the opponent does not, and
    of those that are still equal the one that is best without a cube.
    """
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = play.five
    cubeless = 2 * win + win_gammon + win_backgammon - lose_gammon - lose_backgammon
    equity, undoubled, points = (
        round(worth, _DIGITS) for worth in (play.equity, play.undoubled, cubeless)
    )
    return equity, undoubled, points


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

    # What it says -----------------------------------------------------------------------------------------------------

    def evaluate(self, state: MatchState) -> Evaluation:
        _refuse_beyond_table(state, self.name)
        board = self._board(state)
        worths = _Worths.of_player_on_roll(state)
        return worths.evaluation(board.five, worths.before_roll(board).equity, self.level)

    def rolling(self, state: MatchState) -> Evaluation:
        _refuse_beyond_table(state, self.name)
        board = self._board(state)
        worths = _Worths.of_player_on_roll(state)
        return worths.evaluation(board.five, worths.equity(board), self.level)

    def candidates(self, state: MatchState, also: Collection[Position] = ()) -> list[Candidate]:
        _refuse_beyond_table(state, self.name)
        worths = _Worths.of_player_on_roll(state)
        candidates = list[Candidate]()
        for each in self._judged(state, also):
            after = worths.evaluation(each.five, each.equity, each.level)
            candidates.append(candidate_from(each.play, after))
        return candidates

    def cube_analysis(self, state: MatchState, also: Collection[Action] = ()) -> CubeAnalysis:  # noqa: ARG002 - for tiers
        _refuse_beyond_table(state, self.name)
        board = self._board(state)
        worths = _Worths.of_player_on_roll(state)
        no_double = worths.equity(board)
        double_take = worths.equity_taken(board)
        mwc = None
        if state.length is not None:
            mwc = (worths.mwc(no_double), worths.mwc(double_take), worths.mwc(_DROPPED))
        return CubeAnalysis(
            no_double,
            double_take=double_take,
            double_drop=_DROPPED,
            chances=Chances(*board.five),
            chances_double_take=None,
            level=self.level,
            standard_errors=None,
            mwc=mwc,
            engine=self.name,
        )

    def roll_equities(self, state: MatchState) -> Mapping[Dice, float]:
        _refuse_beyond_table(state, self.name)
        opponent = _Worths.of_opponent(state)
        equities = dict[Dice, float]()
        for dice, after in zip(ROLLS, network_chances_by_roll([state.position])[0], strict=True):
            equities[dice] = -opponent.before_roll(_board_after(after)).equity
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
        cube = self.cube_analysis(state)
        assert cube.equity_double is not None  # `cube` gives all the numbers
        assert cube.no_double is not None
        return self._risks(cube.equity_double - cube.no_double)

    def answer(self, state: MatchState) -> Action:
        if _is_beyond_table(state):
            return Action.TAKE
        if not self._temperature:
            return super().answer(state)
        cube = self.cube_analysis(before_double(state))
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

    def _board(self, state: MatchState) -> _Board:
        return _judged_boards([state.position], ahead=self._looks_ahead)[0]

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
    boards = _judged_boards([play.position for play in plays], ahead=ahead)
    for play, board in zip(plays, boards, strict=True):
        worth = opponent.before_roll(board)
        five = _seen_by_other(board.five)
        judged.append(_JudgedPlay(play, five, -worth.equity, -worth.no_double, level))
    return judged


@attrs.frozen
class _Board:
    """A board as the player on roll sees it, before the roll.

    Attributes:
        five: how the game may end.
        efficiency: how useful the cube is held to be.
        rolls: for each of `ROLLS` the board after it, as the opponent sees it; empty if its worth follows from the
            chances.
    """

    five: Five
    efficiency: float
    rolls: Sequence[_Board] = ()


def _judged_boards(positions: Sequence[Position], *, ahead: bool) -> list[_Board]:
    """Boards as they are, or one roll ahead.

    A bear-off, in which one roll can decide whether to double, is looked ahead at with the cube.
    """
    fives = network_chances(positions, ONE_ROLL_AHEAD if ahead else AS_THEY_ARE)
    efficiencies = [bearoff_efficiency(position) for position in positions]
    bearoffs = [
        position
        for position, efficiency in zip(positions, efficiencies, strict=True)
        if ahead and efficiency is not None
    ]
    rolls_of = dict(zip(bearoffs, network_chances_by_roll(bearoffs), strict=True))
    boards = list[_Board]()
    for position, five, efficiency in zip(positions, fives, efficiencies, strict=True):
        rolls = [_board_after(roll) for roll in rolls_of.get(position, ())]
        boards.append(_Board(five, _EFFICIENCY if efficiency is None else efficiency, rolls))
    return boards


def _board_after(roll: AfterRoll) -> _Board:
    return _Board(_seen_by_other(roll.five), roll.efficiency)


def _seen_by_other(five: Five) -> Five:
    """The same chances as the other player sees them."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = five
    return (1 - win, lose_gammon, lose_backgammon, win_gammon, win_backgammon)


@attrs.frozen
class _BeforeRoll:
    """The equity of a player before the roll: without a double, and with one where that is better."""

    no_double: float
    equity: float


@attrs.frozen(slots=False)
class _Worths:
    """What boards are worth to a player on roll in a game, as normalized equities.

    Attributes:
        state: the game, at some time.
        player: who is on roll.
        stakes: those of the game, without chances.
        scale: None in money play.
    """

    state: MatchState
    player: Player
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
        return cls(state, player, stakes, equity_scale(KAZAROSS_XG2, state, player))

    @cached_property
    def opponents(self) -> _Worths:
        """Those of the opponent, with the cube as it is."""
        return self._of(self.state, self.player.opponent)

    @cached_property
    def opponents_taken(self) -> _Worths:
        """Those of the opponent, who has taken a double."""
        opponent = self.player.opponent
        doubled = Cube(2 * self.state.cube.value, opponent)
        return self._of(attrs.evolve(self.state, offer=None, cube=doubled), opponent)

    def equity(self, board: _Board) -> float:
        """Before anybody doubles."""
        if board.rolls:
            return -self.opponents.mean_of_rolls(board.rolls)
        return self._normalized(self.stakes.with_chances(board.five).at(board.efficiency))

    def equity_taken(self, board: _Board) -> float:
        """Once the player has doubled and the opponent has taken."""
        if board.rolls:
            return self._equity_of_taken(self.opponents_taken.mean_of_rolls(board.rolls))
        return self._normalized(self.stakes.with_chances(board.five).taken_at(board.efficiency))

    def before_roll(self, board: _Board) -> _BeforeRoll:
        """Where the player may double, they do if that is better. The opponent then takes or drops, as is better."""
        if not self.stakes.may_double.mine:
            equity = self.equity(board)
            return _BeforeRoll(equity, equity)
        if board.rolls:
            no_double = self.equity(board)
            taken = self.equity_taken(board)
        else:  # both at once take less time
            worths = self.stakes.with_chances(board.five).find_worths(board.efficiency)
            no_double = self._normalized(worths.no_double)
            taken = self._normalized(worths.taken)
        return _BeforeRoll(no_double, max(no_double, min(taken, _DROPPED)))

    def mean_of_rolls(self, boards: Sequence[_Board]) -> float:
        """The mean equity on these boards, each of which one of `ROLLS` has led to."""
        weighted = (
            roll.weight * self.before_roll(board).equity
            for roll, board in zip(ROLLS, boards, strict=True)
        )
        return sum(weighted) / 36

    def _equity_of_taken(self, opponents: float) -> float:
        """The equity for the cube as it is; `opponents` is that of the opponent for the doubled one."""
        if self.scale is None:
            return -2 * opponents
        scale = self.opponents_taken.scale
        assert scale is not None  # the score is the same
        equity: float = self.scale.equity(1 - scale.chance(opponents))
        return equity

    def mwc(self, equity: float) -> float | None:
        """The chance of winning the match; None in money play."""
        if self.scale is None:
            return None
        chance: float = self.scale.chance(equity)
        return min(1.0, max(0.0, chance))

    def evaluation(self, five: Five, equity: float, level: Level) -> Evaluation:
        return Evaluation(Chances(*five), equity, mwc=self.mwc(equity), level=level)

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
