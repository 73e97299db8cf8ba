"""`solve`: what a race or a bear-off is worth at its score, with the cube."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final

import attrs
import numpy as np
from attrs import frozen

from gammonrules._arrays.checks import Floats
from gammonrules._shared.checked_fields import Bounds, Checked, check_kind
from gammonrules.analysis import Candidate, Chances, CubeAnalysis
from gammonrules.analysis.internals import EXACT
from gammonrules.bearoff._cube_states import NOW as NOW_CUBE, CubeStates, cube_states
from gammonrules.bearoff._layouts import ROLL_PAIRS, WEIGHTS
from gammonrules.bearoff._reach import NOW, most_reachable, reach_of
from gammonrules.bearoff._solve_race import solve_race
from gammonrules.board import Play, Position, Win
from gammonrules.board.internals import BAR, STANDARD_CHECKERS
from gammonrules.dice import Dice
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable
from gammonrules.equity.internals import equity_scale
from gammonrules.errors import GammonError
from gammonrules.match import MatchState, Phase, Player
from gammonrules.match.internals import limit_matters
from gammonrules.rules import Rules, unknown_options
from gammonrules.values import shown, whole_argument

MAX_PAIRS: Final = 3_000_000
"""Pairs of layouts solved unless a caller allows more: seven checkers a side in their home boards have fewer."""
_MIN_LAYOUTS = 100
"""As many are counted for a side with fewer: each layout of the other side costs as much as so many pairs."""
_DIGITS = 10
"""Sums of floats are as exact as this, so that equal worths become equal numbers."""
_DICE = [Dice(high, low) for high, low in ROLL_PAIRS.tolist()]
_KNOWN: Final = {
    "crawford",
    "jacoby",
    "beavers",
    "auto_doubles",
    "max_cube",
    "cube",
    "gammons",
    "backgammons",
    "scoring",
    "opening",
    "start",
}
"""The options that are taken into account, or refused where they matter."""


class NotSolvedError(GammonError):
    """Raised when `solve` does not answer for a state; the message says why.

    Examples:
        >>> from gammonrules import MatchState, bearoff
        >>> try:
        ...     bearoff.solve(MatchState.new(7).opening_roll(3, 1))
        ... except bearoff.NotSolvedError as error:
        ...     print(error)
        the sides are still in contact
    """


@frozen
class SolvedRace(Checked):
    """What a race is worth to the player on roll, if both sides play and double as well as possible from now on.

    Equities are normalized as in a `CubeAnalysis`, and exact to some nine digits. Chances are those of the plays that
    are best if nobody doubles anymore.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        equity: the equity of the best that can be done: of rolling or doubling; with dice, of a play; while a double is
            pending, of the answer, also as the player on roll sees it.
        chances: how the game may end; with dice, after the best play.
        mwc: the chance of winning the match that corresponds to `equity`; None in money play.
        cube: what rolling and doubling are worth; None with dice, and where the player on roll may not double.
        candidates: with dice, the legal plays, the best first; else none.
        rolls: the 21 rolls, each with the equity of its best play, if the player on roll does not double.

    Raises:
        ArgumentError: an attribute has the wrong type.

    Examples:
        >>> from gammonrules import Dice, MatchState, bearoff
        >>> xgid = "XGID=------A--------------a-a--:0:0:1:00:0:0:1:0:10"
        >>> solution = bearoff.solve(MatchState.from_xgid(xgid))
        >>> isinstance(solution, bearoff.SolvedRace)
        True
        >>> round(solution.cube.no_double, 3), round(solution.cube.double_take, 3)
        (0.611, 1.222)
        >>> dict(solution.rolls)[Dice(2, 1)]
        -0.5555555556
    """

    equity: float
    chances: Chances
    mwc: Annotated[float, Bounds(0, 1)] | None
    cube: CubeAnalysis | None
    candidates: tuple[Candidate, ...]
    rolls: tuple[tuple[Dice, float], ...]


def solve(
    state: MatchState, *, table: MatchEquityTable = KAZAROSS_XG2, limit: int = MAX_PAIRS
) -> SolvedRace:
    """Solve a race or a bear-off: the exact worth of rolling, of doubling and of each play, with a live cube.

    All pairs of layouts that the sides can come to are solved, with every cube that the score allows, and with gammons
    where they are possible. What follows the game is worth what `table` says.

    Args:
        state: a state without contact, of 15 checkers a side, before a roll, with dice, or while a double is pending.
        table: what scores are worth.
        limit: the most pairs of layouts, those in which no checker is farther than before. The default has room
            for seven checkers a side in their home boards, and takes a second or two at most.

    Raises:
        NotSolvedError: the state is another one, has more pairs, or rules under which the values would not hold; or
            the table does not have its score.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> from gammonrules import MatchState, bearoff
        >>> xgid = "XGID=-AD-B-A----------------ee-:1:-1:-1:00:1:2:0:7:10"
        >>> state = MatchState.from_xgid(xgid)
        >>> cube = bearoff.solve(state).cube
        >>> round(cube.no_double, 3), round(cube.double_take, 3)
        (0.68, 0.689)
        >>> for candidate in bearoff.solve(state.roll("61")).candidates:
        ...     print(candidate.play, round(candidate.equity, 3))
        2/off 1/off 0.614
        2/off 2/1 -0.363
    """
    check_kind("state", state, MatchState)
    check_kind("table", table, MatchEquityTable)
    most_pairs = whole_argument("limit", value=limit, minimum=1, maximum=None)
    why_not = why_not_solved(state, table, most_pairs)
    if why_not:
        raise NotSolvedError(why_not)
    answers = _answers(attrs.evolve(state, dice=None, offer=None), table)
    if state.dice is not None:
        return answers.of_dice(state.dice)
    return answers.before_roll(is_doubled=state.pending_double is not None)


def why_not_solved(
    state: MatchState, table: MatchEquityTable = KAZAROSS_XG2, limit: int = MAX_PAIRS
) -> str:
    """Why a state is not solved; nothing if it is. To say so takes no time to speak of."""
    if state.phase not in {Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED}:
        return f"a race is solved before a roll, with dice, or while a double is pending, not if it is {state.phase}"
    position = state.position
    double = state.pending_double
    if double and double.beavers:
        return "a race is not solved while a beaver is pending"
    if position.checkers != STANDARD_CHECKERS:
        return f"a race is solved with {STANDARD_CHECKERS} checkers a side, not with {position.checkers}"
    if not position.is_race:
        return "the sides are still in contact"
    why_not = _why_not_options(state.rules) or _why_not_rules(state) or _why_not_table(state, table)
    if why_not:
        return why_not
    mine = most_reachable(_own_counts(position))
    theirs = most_reachable(_own_counts(position.flip()))
    # a side that has hardly any layouts left takes time, too
    pairs = max(mine, _MIN_LAYOUTS) * max(theirs, _MIN_LAYOUTS)
    if pairs > limit:
        return f"there are {pairs:,} pairs of layouts to solve, more than {limit:,}"
    return ""


def _why_not_options(rules: Rules) -> str:
    unknown = unknown_options(rules, _KNOWN)
    return f"races are not solved with the option {unknown[0]}" if unknown else ""


def _why_not_rules(state: MatchState) -> str:
    """Why the values would not hold under the rules of a game; nothing if they do."""
    rules = state.rules
    away = state.away
    if rules.scoring == "pips":
        return "with pip scoring, games have no equities"
    if away is None:
        may_beaver = rules.cube and rules.beavers > 0
        jacoby_counts = rules.jacoby and state.cube.owner is None
        if may_beaver and jacoby_counts and _may_lose_gammon(state.position):
            return "gammons are not solved with beavers and the Jacoby rule together"
        return ""
    if state.cube.value >= max(away):
        return ""  # whoever wins this game wins the match, so the table is not asked
    if not (rules.gammons and rules.backgammons):
        return "match equity tables do not hold without gammons or backgammons"
    if not rules.crawford and min(away) > 1:
        return "match equity tables do not hold without the Crawford rule"
    if limit_matters(rules, state.length, state.crawford, state.cube, state.score):
        return "match equity tables do not hold where the limit of the cube matters"
    return ""


def _why_not_table(state: MatchState, table: MatchEquityTable) -> str:
    if state.length is None or equity_scale(table, state, state.on_roll) is not None:
        return ""
    return f"the match equity table {shown(table.name)} has no equities at this score"


def _may_lose_gammon(position: Position) -> bool:
    return not (position.off and position.opponent_off)


def _own_counts(position: Position) -> list[int]:
    """The checkers of the player on roll, on their ace point, their 2 point, and so on up to the last that has any."""
    counts = [max(0, count) for count in position.points[1:BAR]]
    while not counts[-1]:
        counts.pop()
    return counts


@lru_cache(maxsize=16)
def _answers(state: MatchState, table: MatchEquityTable) -> _Answers:
    """The race of a state before the player on roll doubles or rolls, which several questions are about."""
    player = state.on_roll
    assert player is not None  # the game has begun
    reach = {
        player: reach_of(_own_counts(state.position)),
        player.opponent: reach_of(_own_counts(state.position.flip())),
    }
    gammons = _may_lose_gammon(state.position)
    race = solve_race(reach, cube_states(state, table, gammons=gammons), gammons=gammons)
    # what is left to the opponent, who has not moved: their last level has one layout, `NOW`
    level_now = race.left[player.opponent][-1]
    left_to_opponent = level_now[:, :, 0]
    mine = reach[player]
    # what a worth leaves to the opponent is the opposite for the player; a chance is the same for both
    worths = race.states.number
    chances = left_to_opponent.shape[1] - worths
    signs = np.repeat([-1, 1], [worths, chances])
    plays = list[Floats]()
    for start, count in zip(mine.starts[NOW], mine.counts[NOW], strict=True):
        successors = mine.successors[start : start + count]
        plays.append(left_to_opponent[successors] * signs)
    return _Answers(state, table, player, race.states, plays)


@frozen(eq=False)
class _Answers:
    """What can be said of a state once its race is solved.

    Attributes:
        state: the state, before the player on roll doubles or rolls.
        table: what scores are worth.
        player: the player on roll.
        states: the cubes.
        plays: for each roll, what the plays are worth to the player, in the order of `Position.legal_plays`: a row for
            each play, with the columns of `RacePairs`.
    """

    state: MatchState
    table: MatchEquityTable
    player: Player
    states: CubeStates
    plays: list[Floats]

    def before_roll(self, *, is_doubled: bool) -> SolvedRace:
        rolling = WEIGHTS @ self._rolls() / 36  # the mean over the rolls, in each column
        no_double = float(rolling[NOW_CUBE])
        chances = self._chances(rolling)
        doubled_cube = self.states.doubles[self.player].get(NOW_CUBE)
        if doubled_cube is None:  # the player may not double
            return self._solution(no_double, chances)
        take = float(self.states.factor * rolling[doubled_cube])
        drop = float(self.states.won[self.player][NOW_CUBE, Win.SINGLE - 1])
        double = min(take, drop)  # the opponent answers
        best = double if is_doubled else max(no_double, double)
        return self._solution(best, chances, self._cube(no_double, take, drop, chances))

    def of_dice(self, dice: Dice) -> SolvedRace:
        worths = self.plays[_DICE.index(dice)]
        plays = self.state.position.legal_plays(dice)
        equities = list(map(self._equity, worths[:, NOW_CUBE].tolist()))
        best_first = sorted(range(len(equities)), key=equities.__getitem__, reverse=True)
        candidates = [self._candidate(plays[index], worths[index]) for index in best_first]
        best = float(worths[:, NOW_CUBE].max())
        chances = candidates[0].chances
        assert chances is not None
        return self._solution(best, chances, candidates=tuple(candidates))

    def _solution(
        self,
        worth: float,
        chances: Chances,
        cube: CubeAnalysis | None = None,
        candidates: tuple[Candidate, ...] = (),
    ) -> SolvedRace:
        equities = map(self._equity, self._rolls()[:, NOW_CUBE].tolist())
        rolls = tuple(zip(_DICE, equities, strict=True))
        return SolvedRace(
            self._equity(worth),
            chances=chances,
            mwc=self._mwc(worth),
            cube=cube,
            candidates=candidates,
            rolls=rolls,
        )

    def _cube(self, no_double: float, take: float, drop: float, chances: Chances) -> CubeAnalysis:
        mwc = None
        if self.state.length is not None:
            mwc = (self._mwc(no_double), self._mwc(take), self._mwc(drop))
        return CubeAnalysis(
            self._equity(no_double),
            double_take=self._equity(take),
            double_drop=self._equity(drop),
            chances=chances,
            level=EXACT,
            mwc=mwc,
        )

    def _candidate(self, play: Play, worths: Floats) -> Candidate:
        worth = float(worths[NOW_CUBE])
        return Candidate(
            str(play),
            position=play.position,
            equity=self._equity(worth),
            chances=self._chances(worths),
            level=EXACT,
            standard_error=None,
            mwc=self._mwc(worth),
        )

    def _rolls(self) -> Floats:
        """`(21, columns)`: what the best play of each roll is worth with each cube."""
        return np.stack([self._best(plays) for plays in self.plays])

    def _best(self, plays: Floats) -> Floats:
        """The best worth with each cube; chances are those after the best play with a dead cube."""
        states = self.states.number
        best: Floats = plays[plays[:, self.states.dead].argmax()].copy()
        best[:states] = plays[:, :states].max(axis=0)
        return best

    def _mwc(self, worth: float) -> float | None:
        return None if self.state.length is None else _as_chance((1 + worth) / 2)

    def _equity(self, worth: float) -> float:
        """In money play, worths are equities."""
        scale = equity_scale(self.table, self.state, self.player)
        equity = worth if scale is None else scale.equity((1 + worth) / 2)
        return round(equity, _DIGITS)

    def _chances(self, worths: Floats) -> Chances:
        """The chances, from the columns that worths have for them, or without gammons from that of a dead cube."""
        has_gammons = len(worths) > self.states.number
        if not has_gammons:
            # nobody doubles with a dead cube, so its worth lies between a loss and a win as the chance between 0 and 1
            dead = self.states.dead
            worth_of_win = self.states.won[self.player][dead, Win.SINGLE - 1]
            worth_of_loss = -self.states.won[self.player.opponent][dead, Win.SINGLE - 1]
            win = (worths[dead] - worth_of_loss) / (worth_of_win - worth_of_loss)
            return Chances(
                _as_chance(win),
                win_gammon=0.0,
                win_backgammon=0.0,
                lose_gammon=0.0,
                lose_backgammon=0.0,
            )
        # of exactly a single game, a gammon and a backgammon, won by White and by Black
        white, black = worths[self.states.number :].reshape(2, -1)
        won = white if self.player is Player.WHITE else black
        lost = black if self.player is Player.WHITE else white
        return Chances(
            _as_chance(won.sum()),
            win_gammon=_as_chance(won[1:].sum()),
            win_backgammon=_as_chance(won[2:].sum()),
            lose_gammon=_as_chance(lost[1:].sum()),
            lose_backgammon=_as_chance(lost[2:].sum()),
        )


def _as_chance(number: float) -> float:
    return round(float(min(1.0, max(0.0, number))), _DIGITS)
