"""The doubling cube, offers that must be answered (doubles and resignations), and who may turn the cube.

`against_...` takes the `Values` of one state or of many tables; `why_not_...` says for one state what forbids it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import attrs
from attrs import field

from gammonrules._shared.checked_fields import Bounds, wrong_fields
from gammonrules._shared.json_form import JsonField
from gammonrules.board import Win
from gammonrules.errors import (
    IllegalActionReason as Reason,
    MatchStateError,
    MatchStateProblem as Problem,
)
from gammonrules.limits import MAX_CUBE, MAX_CUBE_TURNS
from gammonrules.match.players import Pair, Player, to_player, to_player_or_none
from gammonrules.rules import Rules
from gammonrules.values import counted, flagged, is_cube_value, refuse_flagged, shown


@attrs.frozen
class Cube(JsonField):
    """The doubling cube.

    *Equality*: two cubes are equal if value and owner are equal.

    Attributes:
        value: 1, 2, 4, 8, ... up to 16,777,216; what a single game counts, in points. Default 1.
        owner: the only player who may double next, or None (the default) while the cube is centered.

    Raises:
        MatchStateError: `value` is not a power of two up to 16,777,216 (2^24), `owner` is not a player, or a cube at
            1 has an owner.

    Examples:
        >>> Cube(), Cube(2, Player.WHITE)
        (Cube(value=1, owner=None), Cube(value=2, owner=Player.WHITE))
    """

    value: int = 1
    owner: Player | None = field(default=None, converter=to_player_or_none)

    def __attrs_post_init__(self) -> None:
        refuse_flagged(MatchStateError, "cube", self._problems())

    def _problems(self) -> Iterator[tuple[Problem, str]]:
        wrong = wrong_fields(self, "owner")  # this makes all fields plain, so it comes first
        if not is_cube_value(self.value):
            yield (
                Problem.IMPOSSIBLE_CUBE,
                f"a cube shows a power of two up to {MAX_CUBE:,}, not {shown(self.value)}",
            )
        elif self.value == 1 and self.owner is not None:
            yield Problem.IMPOSSIBLE_CUBE, "an owned cube has been turned, so it shows at least 2"
        yield from flagged(Problem.WRONG_TYPE, wrong)


@attrs.frozen
class Double(JsonField):
    """A pending double (`MatchState.offer`). `MatchState.cube` still has the value and owner before the first offer.

    *Equality*: two doubles are equal if player, value and beavers are equal.

    Attributes:
        by: the player who doubled; they stay on roll.
        value: the value offered now, in points; a player who drops it loses half of that.
        beavers: how many times the offer has been redoubled at once: 0 (the default) for a plain double, 1 for a
            beaver, 2 for a raccoon, and so on.

    Raises:
        MatchStateError: `by` is not a player, or a cube turned this many times cannot have this value.

    Examples:
        >>> beaver = Double(by=Player.WHITE, value=4, beavers=1)
        >>> beaver.answerer
        Player.WHITE
        >>> try:
        ...     Double(by=Player.WHITE, value=2, beavers=1)
        ... except MatchStateError as error:
        ...     print(error)
        impossible double: a cube that was turned 2 times cannot be at 2
    """

    by: Player = field(converter=to_player)
    value: int
    beavers: Annotated[int, Bounds(0, MAX_CUBE_TURNS - 1)] = 0

    def __attrs_post_init__(self) -> None:
        refuse_flagged(MatchStateError, "double", self._problems())

    def _problems(self) -> Iterator[tuple[Problem, str]]:
        yield from flagged(Problem.WRONG_TYPE, wrong_fields(self, "by"))
        wrong = wrong_fields(self, "beavers")
        yield from flagged(Problem.IMPOSSIBLE_BEAVER, wrong)
        turns = 1 if wrong else self.beavers + 1
        least_value = 2**turns
        if not is_cube_value(self.value) or self.value < least_value:
            turned = f"a cube that was turned {counted(turns, 'time')}"
            yield Problem.IMPOSSIBLE_OFFER, f"{turned} cannot be at {shown(self.value)}"

    @property
    def answerer(self) -> Player:
        """The player who must answer: the doubler's opponent, or after a beaver the doubler."""
        return self.by if self.beavers % 2 else self.by.opponent


def cube_if_taken(double: Double) -> Cube:
    """The player who was doubled first owns it, even after beavers."""
    return Cube(double.value, double.by.opponent)


@attrs.frozen
class Resignation(JsonField):
    """A pending offer to resign (`MatchState.offer`).

    *Equality*: two resignations are equal if player, level and interrupted double are equal.

    Attributes:
        by: the player who offers to lose the game.
        win: the level offered to the opponent.
        double: the double that was pending, and will be again if the resignation is declined; None (the default) if
            there was none.

    Raises:
        MatchStateError: a field has the wrong type.

    Examples:
        >>> Resignation(Player.WHITE, Win.GAMMON)
        Resignation(by=Player.WHITE, win=<Win.GAMMON: 2>, double=None)
    """

    by: Player = field(converter=to_player)
    win: Win
    double: Double | None = None

    def __attrs_post_init__(self) -> None:
        refuse_flagged(
            MatchStateError, "resignation", flagged(Problem.WRONG_TYPE, wrong_fields(self))
        )


Offer: TypeAlias = Double | Resignation

CENTERED = Cube()
"""The cube with which a game begins."""


def pending_double(offer: Offer | None) -> Double | None:
    """The double that must be answered, even while a resignation interrupts it, or None."""
    return offer.double if isinstance(offer, Resignation) else offer


def place_for(cube: Cube, player: Player | None) -> Literal["centered", "owned", "opponent_owns"]:
    """The place of a cube, as a player sees it."""
    if cube.owner is None:
        return "centered"
    return "owned" if cube.owner is player else "opponent_owns"


def beavered(double: Double) -> Double:
    """The offer after this one is redoubled at once."""
    return Double(double.by, 2 * double.value, double.beavers + 1)


def offer_swapped(offer: Offer | None) -> Offer | None:
    """The same offer by the other player."""
    if offer is None:
        return None
    if isinstance(offer, Double):
        return attrs.evolve(offer, by=offer.by.opponent)
    double = offer.double
    if double is not None:
        double = attrs.evolve(double, by=double.by.opponent)
    return attrs.evolve(offer, by=offer.by.opponent, double=double)


# --- who may turn the cube, and who owns it afterward -----------------------------------------------------------------


class ForbiddenBy(NamedTuple):
    """The rule that forbids something, and a sentence that says so."""

    reason: Reason
    sentence: str


Values: TypeAlias = Any
"""A number or a truth value, or for `batch` a NumPy array of them with one for each table.

So use comparisons, arithmetic, `&` and `|` on these, which work for both. `if`, `and` and `not` are for the rules and
the length, which all tables share.
"""


def against_double(
    rules: Rules,
    length: int | None,
    crawford: Values,
    opponent_owns: Values,
    cube: Values,
    points: Values,
) -> tuple[Values, ...]:
    """Whether each rule that can forbid a double does; `why_not_double` names them. `points` are the player's."""
    highest_alive, highest_turnable = _highest_turns(rules, length, points)
    is_dead = cube > highest_alive
    is_at_limit = cube > highest_turnable
    return not rules.cube, crawford, opponent_owns, is_dead, is_at_limit


def highest_turn(rules: Rules, length: int | None, crawford: Values, points: Values) -> Values:
    """The highest value at which a player with so many points may double a cube that is not the opponent's."""
    highest_alive, highest_turnable = _highest_turns(rules, length, points)
    # the lower of both, and 0 without a cube; by arithmetic, since these may be arrays
    excess = (highest_turnable - highest_alive) * (highest_turnable > highest_alive)
    return rules.cube * (1 - crawford) * (highest_turnable - excess)


def _highest_turns(rules: Rules, length: int | None, points: Values) -> tuple[Values, int]:
    """The highest cube with which a player's points do not reach the length, and the highest that can be doubled."""
    highest_alive = MAX_CUBE if length is None else length - points - 1
    highest_turnable = highest_cube(rules) // 2
    return highest_alive, highest_turnable


def against_beaver(
    rules: Rules, length: int | None, offered: Values, beavers: Values
) -> tuple[Values, ...]:
    """Whether each rule that can forbid redoubling a pending double does; `why_not_beaver` names them."""
    return length is not None, beavers >= rules.beavers, 2 * offered > highest_cube(rules)


def doubles_automatically(rules: Rules, length: int | None, cube: Values) -> Values:
    """Whether a tied opening roll doubles the cube.

    Before the opening roll only automatic doubles have turned the cube, so its value counts them.
    """
    after_all_automatic_doubles = 1 << rules.auto_doubles
    highest = min(after_all_automatic_doubles, highest_cube(rules))
    return length is None and rules.cube and cube < highest


def why_not_double(
    rules: Rules, length: int | None, crawford: Values, cube: Cube, score: Pair[int], player: Player
) -> ForbiddenBy | None:
    """Why this player may not double in a game that began at this score, or None if they may."""
    opponent = player.opponent
    points = score[player]
    no_cube, in_crawford, opponent_owns, dead, limit = against_double(
        rules,
        length,
        crawford,
        opponent_owns=cube.owner is opponent,
        cube=cube.value,
        points=points,
    )
    if no_cube:
        return ForbiddenBy(Reason.NO_CUBE, "this game is played without a cube")
    if in_crawford:
        return ForbiddenBy(Reason.CRAWFORD_GAME, "the Crawford game is played without doubling")
    if opponent_owns:
        return ForbiddenBy(Reason.OPPONENT_OWNS_CUBE, f"{opponent.title()} owns the cube")
    if dead:
        reached = f"{counted(points, 'point')} and a cube of {cube.value} already reach the match length of {length}"
        return ForbiddenBy(Reason.DEAD_CUBE, f"the cube is dead, {reached}")
    return _cube_limit(rules) if limit else None


def why_not_beaver(rules: Rules, length: int | None, double: Double) -> ForbiddenBy | None:
    """Why this pending double may not be redoubled at once, or None if it may."""
    in_match, too_many, limit = against_beaver(
        rules, length, offered=double.value, beavers=double.beavers
    )
    if in_match:
        return ForbiddenBy(Reason.NO_BEAVERS_IN_MATCH, "beavers are for money play only")
    if too_many:
        allowed = counted(rules.beavers, "beaver") if rules.beavers else "no beavers"
        return ForbiddenBy(Reason.TOO_MANY_BEAVERS, f"the rules allow {allowed} in a row")
    return _cube_limit(rules) if limit else None


def why_not_value(rules: Rules, value: int) -> ForbiddenBy | None:
    """Why the cube may not show this value, or None if it may."""
    return _cube_limit(rules) if value > highest_cube(rules) else None


def _cube_limit(rules: Rules) -> ForbiddenBy:
    return ForbiddenBy(Reason.CUBE_LIMIT, f"the cube ends at {highest_cube(rules):,}")


def highest_cube(rules: Rules) -> int:
    """The highest value that the cube may show."""
    return MAX_CUBE if rules.max_cube is None else rules.max_cube


def limit_matters(
    rules: Rules, length: int | None, crawford: Values, cube: Cube, score: Pair[int]
) -> bool:
    """Whether a double in this game, or in a later one of the match, may be forbidden by the limit of the cube alone.

    The players turn the cube one after the other. Of the later games, the cube can get highest in the next one, after
    somebody has won as many points as this one counts now: then both need the most points, so the cube stays alive.
    """
    if _can_pass_limit(rules, length, crawford, cube, score):
        return True
    if length is None:
        return False
    white, black = score
    later_scores = {
        Player.WHITE: Pair((white + cube.value, black)),
        Player.BLACK: Pair((white, black + cube.value)),
    }
    for winner in Player:
        later = later_scores[winner]
        if later[winner] >= length:  # then there is no later game
            continue
        is_crawford = False  # that game may be past
        if _can_pass_limit(rules, length, is_crawford, CENTERED, later):
            return True
    return False


def _can_pass_limit(
    rules: Rules, length: int | None, crawford: Values, cube: Cube, score: Pair[int]
) -> bool:
    """Whether the players could turn the cube beyond its limit in this game, if there were none."""
    limitless = attrs.evolve(rules, max_cube=None)
    highest = highest_cube(rules)
    values = [_turned_up_to(limitless, length, crawford, cube, score, first) for first in Player]
    return max(values) > highest


def _turned_up_to(
    rules: Rules, length: int | None, crawford: Values, cube: Cube, score: Pair[int], player: Player
) -> int:
    """The value at which a cube ends if this player turns it, then the opponent, and so on."""
    while why_not_double(rules, length, crawford, cube, score, player) is None:
        player = player.opponent
        cube = Cube(2 * cube.value, player)
    return cube.value


def cube_that_counts(cube: Cube, double: Double | None) -> Cube:
    """The cube that counts if the game ends now by a drop or a resignation.

    A plain double changes nothing until it is taken. A player who redoubles at once has accepted the offer, and owns
    the cube at that value.
    """
    if double is None or not double.beavers:
        return cube
    return Cube(double.value // 2, double.by.opponent)
