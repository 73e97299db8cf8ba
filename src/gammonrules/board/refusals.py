"""Why a play is illegal: the broken rule, a sentence, and a legal play that proves it if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, auto

import attrs

from gammonrules.board.encoding import BAR, SLOTS, Board, Packed, count, unpack_flipped
from gammonrules.board.notation import Attempt, Chain, Roll, attempts, false_star, point_name, ways
from gammonrules.board.pure import own_slots
from gammonrules.values import counted

__all__ = ["BrokenRule"]


class BrokenRule(StrEnum):
    """The rule of checker play that an illegal play breaks (`IllegalPlayError.reason`).

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import IllegalPlayError, Position
        >>> try:
        ...     Position.start().play("24/18", "61")
        ... except IllegalPlayError as error:
        ...     error.reason is BrokenRule.BOTH_DICE
        True
    """

    BLOCKED_POINT = auto()
    """A checker cannot land on a point held by two or more opposing checkers."""
    BAR_FIRST = auto()
    """A checker on the bar must enter before any other moves."""
    NOT_ALL_HOME = auto()
    """Bearing off begins when all checkers are in the home board."""
    HIGHER_CHECKER_FIRST = auto()
    """A die larger than the point bears off only from the highest point held."""
    BOTH_DICE = auto()
    """Both dice must be played if possible."""
    HIGHER_DIE = auto()
    """If either die can be played but not both, it must be the higher."""
    MORE_OF_DOUBLET = auto()
    """As many of the four moves of a doublet as possible must be played."""
    DIE_NOT_ROLLED = auto()
    """A move by a number that was not rolled, or has been played already."""
    NO_SUCH_CHECKER = auto()
    """A move from a point where the player has no checker."""
    MOVES_BACKWARD = auto()
    """A checker moves from higher to lower points only."""
    NOTHING_HIT = auto()
    """A move is marked as a hit, but nothing is hit."""
    MUST_PLAY = auto()
    """A pass, although there is a legal play."""
    GAME_OVER = auto()
    """The game is over."""
    OTHER_ORDER = auto()
    """Moves of a legal play, in an order in which they cannot be made."""
    AMBIGUOUS = auto()
    """A text that fits several plays, which hit different checkers (`AmbiguousPlayError`)."""
    OTHER_POSITION = auto()
    """A `Play` that belongs to another position or roll."""


@attrs.frozen(eq=False, repr=False)
class Refusal:
    """Why a play is illegal, in plain values."""

    reason: BrokenRule
    sentence: str
    witness: Board | None = None


def why(roll: Roll, chains: Sequence[Chain], *, by_die: bool) -> Refusal:
    """Why these chains are not a legal play of this roll, after `notation.find` has found none."""
    if not roll.plays:
        return Refusal(BrokenRule.GAME_OVER, "the game is over")
    if not chains:
        witness = roll.plays[0]
        sentence = f"you cannot pass, since there is a legal play ({roll.write(witness)})"
        return Refusal(BrokenRule.MUST_PLAY, sentence, witness)
    refusal = _impossible_leg(roll, chains, by_die=by_die)
    if refusal is not None:
        return refusal
    starred = false_star(roll, chains)
    return _broken_rule(roll, attempts(roll, chains, by_die=by_die)) if starred is None else nothing_to_hit(starred)


def _impossible_leg(roll: Roll, chains: Sequence[Chain], *, by_die: bool) -> Refusal | None:
    """A leg that the dice of this roll cannot make on any board."""
    for source, target in (leg for chain in chains for leg in chain.legs):
        name = f"{point_name(source)}/{point_name(target)}"
        if target >= source:
            return Refusal(BrokenRule.MOVES_BACKWARD, f"{name} does not move forward, from a higher to a lower point")
        if next(ways([Chain((source, target))], roll.dice.to_play, by_die=by_die), None) is None:
            giver = f"neither die of {roll.dice} gives" if by_die else f"a roll of {roll.dice} does not give"
            sentence = f"{name} is {counted(source - target, 'pip')}, which {giver}"
            return Refusal(BrokenRule.DIE_NOT_ROLLED, sentence)
    return None


def nothing_to_hit(point: int) -> Refusal:
    """The refusal of a hit on a point without a blot."""
    sentence = f"no checker is hit on {point_name(point)}, where the opponent has no blot"
    return Refusal(BrokenRule.NOTHING_HIT, sentence)


def _broken_rule(roll: Roll, tried: Sequence[Attempt]) -> Refusal:
    """The rule that forbids what was tried, from the attempt that got farthest."""
    if not tried:
        sentence = f"a roll of {roll.dice} does not give all of these moves together"
        return Refusal(BrokenRule.DIE_NOT_ROLLED, sentence)
    best = min(tried, key=lambda attempt: len(attempt.left))
    return _impossible_move(best.board, *best.left[0]) if best.left else _unused_die(roll, best)


def _impossible_move(board: Packed, source: int, die: int) -> Refusal:
    """Why one move cannot be made."""
    name = f"{point_name(source)}/{point_name(max(source - die, 0))}"
    if source != BAR and count(board, BAR) > 0:
        return Refusal(BrokenRule.BAR_FIRST, f"{name} must wait, since a checker is on the bar and must enter first")
    if count(board, source) <= 0:
        sentence = f"{name} cannot be played, since there is no checker on {'the bar' if source == BAR else source}"
        return Refusal(BrokenRule.NO_SUCH_CHECKER, sentence)
    if source > die:
        held = -count(board, source - die)
        sentence = f"{name} is blocked, since the opponent holds the {source - die} point with {held} checkers"
        return Refusal(BrokenRule.BLOCKED_POINT, sentence)
    highest = own_slots(board)[0]
    if highest > 6:
        sentence = f"{name} must wait, since not all checkers are in the home board (one is on {highest})"
        return Refusal(BrokenRule.NOT_ALL_HOME, sentence)
    sentence = f"{name} with a {die} is not allowed, since the higher checker on {highest} must move first"
    return Refusal(BrokenRule.HIGHER_CHECKER_FIRST, sentence)


def _unused_die(roll: Roll, attempt: Attempt) -> Refusal:
    """Why a series of possible moves is not a legal way to use the dice."""
    played = len(attempt.landings)
    witness = _nearest(roll, attempt)
    text = roll.write(witness)
    most = len(roll.moves(witness))
    if roll.dice.is_doublet:
        sentence = f"{_NUMBER[most]} {roll.dice.high}s can be played ({text}), but this plays only {_NUMBER[played]}"
        return Refusal(BrokenRule.MORE_OF_DOUBLET, sentence, witness)
    if most > played:
        return Refusal(BrokenRule.BOTH_DICE, f"both dice can be played ({text}), but this plays only one", witness)
    sentence = f"only one die can be played, and it must be the higher, the {roll.dice.high} ({text})"
    return Refusal(BrokenRule.HIGHER_DIE, sentence, witness)


_NUMBER = ("none", "one", "two", "three", "four")


def _nearest(roll: Roll, attempt: Attempt) -> Board:
    """The legal result that is most like the attempt, and so explains it best."""
    wanted = int.from_bytes(unpack_flipped(attempt.board))

    def agreements(result: Board) -> int:
        return (int.from_bytes(result) ^ wanted).to_bytes(SLOTS).count(0)  # 0 where two bytes are equal

    return max(roll.plays, key=agreements)
