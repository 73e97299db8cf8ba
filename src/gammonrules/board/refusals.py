"""Why a play is illegal: the broken rule, a sentence, and a legal play that proves it if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, auto
from typing import Any, NamedTuple

from gammonrules.board.encoding import BAR, SLOTS, Board, Packed, count, pack, unpack_flipped
from gammonrules.board.moves import Move, make_move
from gammonrules.board.notation import (
    Attempt,
    Chain,
    Roll,
    attempts,
    canonical_text,
    chains_of,
    false_star,
    legs_of,
    point_name,
    spell_play,
    ways,
)
from gammonrules.board.pure import own_slots, sources_and_steps
from gammonrules.values import counted


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
    """A dance, although there is a legal play."""
    GAME_OVER = auto()
    """The game is over."""
    OTHER_ORDER = auto()
    """Moves of a legal play, in an order in which they cannot be made."""
    AMBIGUOUS = auto()
    """A text that fits several plays, which hit different checkers (`AmbiguousPlayError`)."""
    OTHER_POSITION = auto()
    """A `Play` that belongs to another position or roll, or a text that begins with another roll."""


class Refusal(NamedTuple):
    """Why a play is illegal, in plain values."""

    reason: BrokenRule
    sentence: str
    facts: dict[str, Any] = {}  # noqa: RUF012 - it is only read
    """Attributes of `IllegalPlayError`: `move`, `pips`, `dice`, `point`, `count`."""
    witness: Board | None = None


def why(roll: Roll, chains: Sequence[Chain], *, by_die: bool) -> Refusal:
    """Why these chains are not a legal play of this roll, after `notation.matching_results` has found none."""
    if not roll.plays:
        return Refusal(BrokenRule.GAME_OVER, "the game is over")
    if not chains:
        witness = roll.plays[0]
        sentence = (
            f"you must play, since there is a legal play ({canonical_text(roll.moves(witness))})"
        )
        return Refusal(BrokenRule.MUST_PLAY, sentence, witness=witness)
    for leg in legs_of(chains):
        refusal = _impossible_leg(roll, roll.dice.to_play, leg, by_die=by_die)
        if refusal is not None:
            return refusal
    starred = false_star(roll, chains)
    if starred is not None:
        return nothing_to_hit(starred)
    return _broken_rule(roll, attempts(pack(roll.board), roll.dice.to_play, chains, by_die=by_die))


def why_not(roll: Roll, board: Packed, left: tuple[int, ...], source: int, target: int) -> Refusal:
    """Why a checker cannot go from one point to another in the middle of a turn, with the dice left."""
    if not roll.plays or not own_slots(board):
        return Refusal(BrokenRule.GAME_OVER, "the game is over")
    if not left:
        return Refusal(
            BrokenRule.DIE_NOT_ROLLED,
            "the turn is complete: all dice have been played",
            {"dice": left},
        )
    leg = source, target
    refusal = _no_checker(board, *leg) if source else None
    refusal = refusal or _impossible_leg(roll, left, leg, by_die=False)
    return refusal or _broken_rule(roll, attempts(board, left, [Chain(leg)], by_die=False))


def _impossible_leg(
    roll: Roll, left: tuple[int, ...], leg: tuple[int, int], *, by_die: bool
) -> Refusal | None:
    """A leg that the dice left cannot make on any board."""
    source, target = leg
    name = _move_name(source, target)
    pips = source - target
    faces = roll.dice.to_play
    if pips <= 0:
        return Refusal(
            BrokenRule.MOVES_BACKWARD,
            f"{name} does not move forward, from a higher to a lower point",
        )
    if next(ways([Chain(leg)], left, by_die=by_die), None) is not None:
        return None
    if len(left) == len(faces):
        giver = (
            f"neither die of {roll.dice} gives"
            if by_die
            else f"a roll of {roll.dice} does not give"
        )
        sentence = f"{name} is {counted(pips, 'pip')}, which {giver}"
    elif pips in faces and pips not in left:
        sentence = f"the {pips} has been played already"
    else:
        rest = f"{_NUMBER[len(left)]} {left[0]}" if roll.dice.is_doublet else f"the {left[0]}"
        sentence = f"{name} is {counted(pips, 'pip')}, but only {rest}{'s are' if len(left) > 1 else ' is'} left"
    return Refusal(
        BrokenRule.DIE_NOT_ROLLED, sentence, {"move": _move(*leg), "pips": pips, "dice": left}
    )


def nothing_to_hit(point: int) -> Refusal:
    """The refusal of a hit on a point without a blot."""
    sentence = f"no checker is hit on {point_name(point)}, where the opponent has no blot"
    return Refusal(BrokenRule.NOTHING_HIT, sentence, {"point": point})


def _broken_rule(roll: Roll, tried: Sequence[Attempt]) -> Refusal:
    """The rule that forbids what was tried, from the attempt that got farthest."""
    if not tried:
        sentence = f"a roll of {roll.dice} does not give all of these moves together"
        return Refusal(BrokenRule.DIE_NOT_ROLLED, sentence, {"dice": roll.dice.to_play})
    best = min(tried, key=lambda attempt: len(attempt.left))
    return _impossible_move(best.board, *best.left[0]) if best.left else _unused_die(roll, best)


def _no_checker(board: Packed, source: int, target: int) -> Refusal | None:
    """Why no checker can leave this point."""
    name = _move_name(source, target)
    move = _move(source, target)
    held = -count(board, source)
    if held >= 0:
        empty = f"there is no checker on {'the bar' if source == BAR else source}"
        since = f"the opponent is on {source}" if held else empty
        sentence = f"{name} cannot be played, since {since}"
        return Refusal(
            BrokenRule.NO_SUCH_CHECKER, sentence, {"move": move, "point": source, "count": held}
        )
    if target < source < BAR and count(board, BAR) > 0:
        sentence = f"{name} must wait, since a checker is on the bar and must enter first"
        return Refusal(BrokenRule.BAR_FIRST, sentence, {"move": move})
    return None


def _impossible_move(board: Packed, source: int, die: int) -> Refusal:
    """Why one move cannot be made."""
    target = max(source - die, 0)
    name = _move_name(source, target)
    move = _move(source, target, die)
    if (refusal := _no_checker(board, source, target)) is not None:
        return refusal
    if target:
        held = -count(board, target)
        sentence = (
            f"{name} is blocked, since the opponent holds the {target} point with {held} checkers"
        )
        return Refusal(
            BrokenRule.BLOCKED_POINT, sentence, {"move": move, "point": target, "count": held}
        )
    if (highest := own_slots(board)[0]) > 6:
        sentence = (
            f"{name} must wait, since not all checkers are in the home board (one is on {highest})"
        )
        return Refusal(BrokenRule.NOT_ALL_HOME, sentence, {"move": move, "point": highest})
    sentence = (
        f"{name} with a {die} is not allowed, since the higher checker on {highest} must move first"
    )
    return Refusal(
        BrokenRule.HIGHER_CHECKER_FIRST, sentence, {"move": move, "dice": (die,), "point": highest}
    )


def _unused_die(roll: Roll, attempt: Attempt) -> Refusal:
    """Why a series of possible moves is not a legal way to use the dice."""
    if attempt.plays_all(roll.dice):
        sentence = '"pass" is not allowed, since all dice have been played'
        return Refusal(BrokenRule.DIE_NOT_ROLLED, sentence, {"dice": ()})
    played = len(attempt.landings)
    dice = roll.dice.to_play
    witness = _nearest(roll, attempt)
    # a play with the same end is usually written as what was tried
    moves = roll.moves(witness)
    text = (
        spell_play(chains_of(moves))
        if witness == unpack_flipped(attempt.board)
        else canonical_text(moves)
    )
    most = len(moves)
    if roll.dice.is_doublet:
        sentence = f"{_NUMBER[most]} {dice[0]}s can be played ({text}), but this plays only {_NUMBER[played]}"
        return Refusal(
            BrokenRule.MORE_OF_DOUBLET,
            sentence=sentence,
            facts={"dice": dice[:most], "count": played},
            witness=witness,
        )
    # one die alone takes the last checker off
    if most > played or sources_and_steps(attempt.board, dice[0])[0]:
        sentence = f"both dice can be played ({text}), but this plays only one"
        return Refusal(
            BrokenRule.BOTH_DICE, sentence=sentence, facts={"dice": dice}, witness=witness
        )
    sentence = f"only one die can be played, and it must be the higher, the {dice[0]} ({text})"
    return Refusal(
        BrokenRule.HIGHER_DIE, sentence=sentence, facts={"dice": dice[:1]}, witness=witness
    )


def _move_name(source: int, target: int) -> str:
    return f"{point_name(source)}/{point_name(target)}"


def _move(source: int, target: int, die: int | None = None) -> Move | None:
    return make_move(source, target, False, die) if source > target else None


_NUMBER = ("none", "one", "two", "three", "four")


def _nearest(roll: Roll, attempt: Attempt) -> Board:
    """The legal result that is most like the attempt, and so explains it best."""
    wanted = int.from_bytes(unpack_flipped(attempt.board))
    # 0 where two bytes are equal
    return max(
        roll.plays, key=lambda result: (int.from_bytes(result) ^ wanted).to_bytes(SLOTS).count(0)
    )
