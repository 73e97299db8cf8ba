"""The identifiers of a decision, with GNU Backgammon's player 0 as White."""

from __future__ import annotations

from attrs import frozen

from gammonrules.errors import GammonError
from gammonrules.formats.texts.gnubg_sheet import TextDecision
from gammonrules.identifiers.internals import decode_match_id
from gammonrules.match import Cube, Double, MatchState, Player


@frozen
class Facts:
    """The Match ID of a decision."""

    on_roll: Player
    dice: tuple[int, int] | None
    cube: Cube
    beavers: int | None
    """How many beavers have followed a pending double; None if no double is pending."""
    score: tuple[int, int]
    length: int | None
    crawford: bool
    jacoby: bool


def facts_of(decision: TextDecision) -> Facts:
    """Decode a Match ID, or raise GammonError. In identifiers White has the number 1, in records the left column, 0."""
    plain = decode_match_id(decision.match_id)
    owner = None if plain.owner is None else plain.owner.opponent
    beavers = None if plain.double is None else plain.double[1]
    score = plain.score[1], plain.score[0]
    cube = Cube(plain.cube, owner)
    rules = bool(plain.crawford), bool(plain.jacoby)
    return Facts(plain.on_roll.opponent, plain.dice, cube, beavers, score, plain.length, *rules)


def facts_or_none(decision: TextDecision) -> Facts | None:
    """The same, but None if it cannot be decoded."""
    try:
        return facts_of(decision)
    except GammonError:
        return None


def differs(state: MatchState, length: int | None, facts: Facts, decision: TextDecision) -> str:
    """Where the identifiers differ from the state, in a match to `length`, of the decision; "" if they agree."""
    offer = state.offer
    beavers = offer.beavers if isinstance(offer, Double) else None
    dice = None if state.dice is None else (state.dice.high, state.dice.low)
    stated_dice = None if facts.dice is None else (max(facts.dice), min(facts.dice))
    parts = (
        ("the position", state.position.id == decision.position_id),
        ("the player on roll", state.on_roll is facts.on_roll),
        ("the dice", dice == stated_dice),
        ("the cube", state.cube == facts.cube),
        ("the double", beavers == facts.beavers),
        ("the score", state.score == facts.score and length == facts.length),
        ("the Crawford game", state.crawford == facts.crawford),
    )
    return " and ".join(name for name, agrees in parts if not agrees)
