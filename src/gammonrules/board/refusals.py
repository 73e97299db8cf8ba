"""Why a play is illegal: the broken rule, a sentence, and a legal play that proves it if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum, auto
from operator import eq
from typing import Any, NamedTuple, TypeAlias

from gammonrules.board.encoding import BAR, Board, Packed, count, pack, unpack_flipped
from gammonrules.board.generator import PlainMove
from gammonrules.board.moves import Move, make_move
from gammonrules.board.notation import (
    Attempt,
    Chain,
    Reading,
    Roll,
    attempts,
    canonical_text,
    chains_of,
    leg_ways,
    legs_of,
    point_name,
    spell_play,
)
from gammonrules.board.pure import own_slots, sources_of
from gammonrules.values import counted


class IllegalPlayReason(StrEnum):
    """The rule of checker play that an illegal play breaks (`IllegalPlayError.reason`).

    *Equality*: a member equals its own text, as in any StrEnum.

    Examples:
        >>> from gammonrules import IllegalPlayError, Position
        >>> try:
        ...     Position.start().play("24/18", "61")
        ... except IllegalPlayError as error:
        ...     error.reason is IllegalPlayReason.BOTH_DICE
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


Facts: TypeAlias = dict[str, Any]
"""Attributes of `IllegalPlayError`: `move`, `pips`, `dice`, `point`, `count`."""


class Refusal(NamedTuple):
    """Why a play is illegal, in plain values."""

    reason: IllegalPlayReason
    sentence: str
    facts: Facts = {}  # noqa: RUF012 - it is only read
    witness: Board | None = None


def why(roll: Roll, chains: Sequence[Chain], reading: Reading, *, by_die: bool) -> Refusal:
    """Why these chains, in whose reading there is no result, are not a legal play. `by_die`: as for `read_chains`."""
    if not roll.plays:
        return Refusal(IllegalPlayReason.GAME_OVER, "the game is over")
    if not chains:
        witness = roll.plays[0]
        text = canonical_text(roll.moves(witness))
        sentence = f"you must play, since there is a legal play ({text})"
        return Refusal(IllegalPlayReason.MUST_PLAY, sentence, witness=witness)
    dice = roll.dice.to_play
    for source, target in legs_of(chains):
        refusal = _impossible_leg(roll, dice, source, target, by_die=by_die)
        if refusal is not None:
            return refusal
    if reading.false_star is not None:
        return nothing_to_hit(reading.false_star)
    return _broken_rule(roll, reading.attempts)


def why_unfinished(roll: Roll, moves: Sequence[PlainMove]) -> Refusal:
    """Why a turn cannot end after these moves, which are possible and leave a die."""
    tried = attempts(pack(roll.board), roll.dice.to_play, chains_of(moves), by_die=True)
    return _broken_rule(roll, tried)


def why_not(roll: Roll, board: Packed, left: tuple[int, ...], source: int, target: int) -> Refusal:
    """Why a checker cannot go from one point to another in the middle of a turn, with the dice left."""
    if not roll.plays or not own_slots(board):
        return Refusal(IllegalPlayReason.GAME_OVER, "the game is over")
    if not left:
        return Refusal(
            IllegalPlayReason.DIE_NOT_ROLLED,
            "the turn is complete: all dice have been played",
            {"dice": left},
        )
    is_borne_off = source == 0  # then it would move backward, which `_impossible_leg` says
    if not is_borne_off:
        refusal = _no_checker(board, source, target)
        if refusal is not None:
            return refusal
    refusal = _impossible_leg(roll, left, source, target, by_die=False)
    if refusal is not None:
        return refusal
    chain = Chain((source, target))
    return _broken_rule(roll, attempts(board, left, [chain], by_die=False))


def _impossible_leg(
    roll: Roll, left: tuple[int, ...], source: int, target: int, *, by_die: bool
) -> Refusal | None:
    """Why the dice left cannot make this leg on any board, or None if they can. `by_die`: as for `leg_ways`."""
    name = _move_name(source, target)
    pips = source - target
    faces = roll.dice.to_play
    if pips <= 0:
        return Refusal(
            IllegalPlayReason.MOVES_BACKWARD,
            f"{name} does not move forward, from a higher to a lower point",
        )
    if [*leg_ways(source, target, left, by_die=by_die)]:
        return None
    length = f"{name} is {counted(pips, 'pip')}"
    is_turn_begun = len(left) < len(faces)
    if not is_turn_begun and by_die:
        sentence = f"{length}, which neither die of {roll.dice} gives"
    elif not is_turn_begun:
        sentence = f"{length}, which a roll of {roll.dice} does not give"
    elif pips in faces and pips not in left:
        sentence = f"the {pips} has been played already"
    else:
        sentence = _only_dice_left(roll, left, length)
    facts: Facts = {"move": _move(source, target), "pips": pips, "dice": left}
    return Refusal(IllegalPlayReason.DIE_NOT_ROLLED, sentence, facts)


def _only_dice_left(roll: Roll, left: tuple[int, ...], length: str) -> str:
    """The sentence about a move of a length that the dice left do not give."""
    die = left[0]
    if not roll.dice.is_doublet:
        return f"{length}, but only the {die} is left"
    number = _NUMBER[len(left)]
    if len(left) == 1:
        return f"{length}, but only {number} {die} is left"
    return f"{length}, but only {number} {die}s are left"


def nothing_to_hit(point: int) -> Refusal:
    """The refusal of a hit on a point without a blot."""
    sentence = f"no checker is hit on {point_name(point)}, where the opponent has no blot"
    return Refusal(IllegalPlayReason.NOTHING_HIT, sentence, {"point": point})


def _broken_rule(roll: Roll, tried: Sequence[Attempt]) -> Refusal:
    """The rule that forbids what was tried, from the attempt that got farthest."""
    if not tried:
        sentence = f"a roll of {roll.dice} does not give all of these moves together"
        return Refusal(IllegalPlayReason.DIE_NOT_ROLLED, sentence, {"dice": roll.dice.to_play})
    best = min(tried, key=lambda attempt: len(attempt.left))
    if not best.left:
        return _unused_die(roll, best)
    source, die = best.left[0]
    return _impossible_move(best.board, source, die)


def _no_checker(board: Packed, source: int, target: int) -> Refusal | None:
    """Why no checker can leave this point for the other, or None if one can."""
    name = _move_name(source, target)
    move = _move(source, target)
    held = count(board, source)  # negative if the opponent is there
    if held <= 0:
        if held < 0:
            sentence = f"{name} cannot be played, since the opponent is on {source}"
        elif source == BAR:
            sentence = f"{name} cannot be played, since there is no checker on the bar"
        else:
            sentence = f"{name} cannot be played, since there is no checker on {source}"
        facts: Facts = {"move": move, "point": source, "count": -held}
        return Refusal(IllegalPlayReason.NO_SUCH_CHECKER, sentence, facts)
    moves_forward = target < source
    leaves_one_on_bar = source < BAR and count(board, BAR) > 0
    if moves_forward and leaves_one_on_bar:
        sentence = f"{name} must wait, since a checker is on the bar and must enter first"
        return Refusal(IllegalPlayReason.BAR_FIRST, sentence, {"move": move})
    return None


def _impossible_move(board: Packed, source: int, die: int) -> Refusal:
    """Why one move cannot be made."""
    target = max(source - die, 0)
    name = _move_name(source, target)
    move = _move(source, target, die)
    refusal = _no_checker(board, source, target)
    if refusal is not None:
        return refusal
    if target:
        opposing = -count(board, target)
        sentence = f"{name} is blocked, since the opponent holds the {target} point with {opposing} checkers"
        facts: Facts = {"move": move, "point": target, "count": opposing}
        return Refusal(IllegalPlayReason.BLOCKED_POINT, sentence, facts)
    highest = own_slots(board)[0]
    if highest > 6:
        sentence = (
            f"{name} must wait, since not all checkers are in the home board (one is on {highest})"
        )
        return Refusal(IllegalPlayReason.NOT_ALL_HOME, sentence, {"move": move, "point": highest})
    sentence = (
        f"{name} with a {die} is not allowed, since the higher checker on {highest} must move first"
    )
    facts = {"move": move, "dice": (die,), "point": highest}
    return Refusal(IllegalPlayReason.HIGHER_CHECKER_FIRST, sentence, facts)


def _unused_die(roll: Roll, attempt: Attempt) -> Refusal:
    """Why a series of possible moves is not a legal way to use the dice."""
    if attempt.plays_all(roll.dice):
        sentence = '"pass" is not allowed, since all dice have been played'
        return Refusal(IllegalPlayReason.DIE_NOT_ROLLED, sentence, {"dice": ()})
    played = len(attempt.landings)
    dice = roll.dice.to_play
    witness = _nearest(roll, attempt)
    moves = roll.moves(witness)
    possible = len(moves)
    text = canonical_text(moves)
    is_same_board = witness == unpack_flipped(attempt.board)
    if is_same_board:  # then the canonical text may be the text that was tried, so show each move
        text = spell_play(chains_of(moves))
    if roll.dice.is_doublet:
        sentence = f"{_NUMBER[possible]} {dice[0]}s can be played ({text}), but this plays only {_NUMBER[played]}"
        facts: Facts = {"dice": dice[:possible], "count": played}
        return Refusal(IllegalPlayReason.MORE_OF_DOUBLET, sentence, facts, witness)
    # where the higher die is left and can be played, both dice can be, even if the witness is a single move: one that
    # takes the last checker off
    can_play_higher = sources_of(attempt.board, dice[0]) != 0
    if possible > played or can_play_higher:
        sentence = f"both dice can be played ({text}), but this plays only one"
        return Refusal(IllegalPlayReason.BOTH_DICE, sentence, {"dice": dice}, witness)
    sentence = f"only one die can be played, and it must be the higher, the {dice[0]} ({text})"
    return Refusal(IllegalPlayReason.HIGHER_DIE, sentence, {"dice": dice[:1]}, witness)


def _move_name(source: int, target: int) -> str:
    return f"{point_name(source)}/{point_name(target)}"


def _move(source: int, target: int, die: int | None = None) -> Move | None:
    return make_move(source, target, False, die) if source > target else None


_NUMBER = ("none", "one", "two", "three", "four")


def _nearest(roll: Roll, attempt: Attempt) -> Board:
    """The legal result that is most like the attempt, and so explains it best."""
    tried = unpack_flipped(attempt.board)

    def equal_slots(result: Board) -> int:
        return sum(map(eq, result, tried))

    return max(roll.plays, key=equal_slots)
