"""What an identifier leaves out of a state: the fields that would not come back if it were read again."""

from __future__ import annotations

from typing import cast

import attrs

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, RulesError
from gammonrules.identifiers import match_id, ogid, xgid
from gammonrules.identifiers.plain_state import PlainState, with_score_cut
from gammonrules.identifiers.state_conversion import fields_of, plain_state, rules_of
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import shown


def lost_in_xgid(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its XGID leaves out.

    The result is empty if and only if `MatchState.from_xgid` reads the same state back.

    Args:
        state: the state to be written.
        rules: the rules that the reader will pass; None means `TOURNAMENT` for a match and `MONEY` for money play.

    Returns:
        Names of fields; those of the rules as `rules.crawford`.

    Raises:
        ArgumentError: `state` is not a `MatchState`, or `rules` is neither `Rules` nor None.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(5, rules=Rules(crawford=False)).opening_roll(3, 1)
        >>> other = Rules(crawford=False)
        >>> lost_in_xgid(m), lost_in_xgid(m.resign()), lost_in_xgid(m, rules=other)
        (('rules.crawford',), ('offer', 'rules.crawford'), ())
    """
    return _lost(state, xgid.decode(xgid.encode(with_score_cut(_plain(state)))), rules)


def lost_in_gnubg_id(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its Position ID and Match ID leave out.

    Arguments and errors are those of `identifiers.lost_in_xgid`, and so is the result.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(jacoby=True)).opening_roll(3, 1)
        >>> lost_in_gnubg_id(m), lost_in_gnubg_id(m.resign().accept())
        (('rules.beavers',), ('result', 'rules.beavers'))
    """
    plain = _plain(state)
    said = attrs.evolve(match_id.decode(match_id.encode(match_id.cut(plain))), sides=plain.sides)
    return _lost(state, said, rules)


def lost_in_ogid(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its OGID leaves out.

    Arguments and errors are those of `identifiers.lost_in_xgid`, and so is the result.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(jacoby=False)).opening_roll(3, 1)
        >>> lost_in_ogid(m), lost_in_ogid(m.resign(), rules=m.rules)
        (('rules.jacoby', 'rules.beavers'), ('offer',))
    """
    plain = with_score_cut(_plain(state))
    if state.on_roll is None:
        plain = attrs.evolve(plain, game="opening")
    return _lost(state, ogid.decode(ogid.encode(plain)), rules)


def _plain(state: MatchState) -> PlainState:
    if not isinstance(state, MatchState):
        raise ArgumentError(f"expected a MatchState, not {shown(state)}")
    return plain_state(state)


def _lost(state: MatchState, said: PlainState, rules: Rules | None) -> tuple[str, ...]:
    """The fields of a state that differ from what its text says."""
    try:
        base = rules_of(said, rules)
    except RulesError:  # a reader with these rules gets it too
        base = cast("Rules", rules)
    # In money play there is no Crawford game, and an XGID cannot mention one. The results of games are not read.
    dice = None if said.dice is None else Dice(*said.dice)
    fields = {**fields_of(said), "crawford": bool(said.crawford), "dice": dice, "result": None}
    lost = [name for name, value in fields.items() if getattr(state, name) != value]
    if state.position.checkers != (said.checkers or Position.start(base.start).checkers):
        lost.append("position.checkers")
    options = (option.name for option in attrs.fields(Rules))
    lost += [f"rules.{name}" for name in options if getattr(state.rules, name) != getattr(base, name)]
    return tuple(lost)
