"""What an identifier leaves out of a state: the fields that would not come back if it were read again."""

from __future__ import annotations

from typing import cast

import attrs

from gammonrules.board import Position
from gammonrules.dice import Dice
from gammonrules.errors import RulesError
from gammonrules.identifiers import fibs_board, match_id, ogid, xgid
from gammonrules.identifiers.plain_state import PlainState, fields_of, plain_state, rules_of, score_cut, with_score_cut
from gammonrules.match import MatchState
from gammonrules.match.internals import crawford_if_first
from gammonrules.rules import Rules
from gammonrules.values import check_kind


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
        >>> without = Rules(crawford=False)
        >>> lost_in_xgid(m), lost_in_xgid(m.resign()), lost_in_xgid(m, rules=without)
        (('rules.crawford',), ('offer', 'rules.crawford'), ())
    """
    check_kind("state", state, MatchState)
    return lost_fields(state, xgid.decode(xgid.encode(state, score_cut(state.score))), rules)


def lost_in_gnubg_id(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its Position ID and Match ID leave out.

    Arguments and errors are those of `identifiers.lost_in_xgid`, and so is the result.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(jacoby=True)).opening_roll(3, 1)
        >>> lost_in_gnubg_id(m), lost_in_gnubg_id(m.resign().accept())
        (('rules.beavers',), ('result', 'rules.beavers'))
    """
    plain = checked_plain(state)
    read = attrs.evolve(match_id.decode(match_id.encode(match_id.capped_state(plain))), sides=plain.sides)
    return lost_fields(state, read, rules)


def lost_in_ogid(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its OGID leaves out.

    Arguments and errors are those of `identifiers.lost_in_xgid`, and so is the result.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(jacoby=False)).opening_roll(3, 1)
        >>> lost_in_ogid(m), lost_in_ogid(m.resign(), rules=m.rules)
        (('rules.jacoby', 'rules.beavers'), ('offer',))
    """
    plain = with_score_cut(checked_plain(state))
    if state.on_roll is None:
        plain = attrs.evolve(plain, game="opening")
    return lost_fields(state, ogid.decode(ogid.encode(plain)), rules)


def lost_in_fibs_board(state: MatchState, *, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that its board line of FIBS leaves out.

    Arguments and errors are those of `identifiers.lost_in_xgid`, and so is the result.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(None, rules=Rules(beavers=1)).opening_roll(3, 1)
        >>> lost_in_fibs_board(m), lost_in_fibs_board(m.resign(), rules=m.rules)
        (('rules.jacoby',), ('offer',))
    """
    return lost_fields(state, fibs_board.decode(fibs_board.encode(with_score_cut(checked_plain(state)))), rules)


def checked_plain(state: MatchState) -> PlainState:
    """The state as plain values. Raises ArgumentError for anything else than a state."""
    check_kind("state", state, MatchState)
    return plain_state(state)


def lost_fields(state: MatchState, read: PlainState, rules: Rules | None) -> tuple[str, ...]:
    """The fields of a state that differ from what is read from its text."""
    try:
        base = rules_of(read, rules)
    except RulesError:  # a reader with these rules gets it too
        base = cast("Rules", rules)
    # What does not say whether this is the Crawford game leaves it to the score. The results of games are not read.
    dice = None if read.dice is None else Dice(*read.dice)
    by_score = crawford_if_first(base, read.length, read.score)
    crawford = by_score if read.crawford is None else read.crawford
    fields = {**fields_of(read), "crawford": crawford, "dice": dice, "result": None}
    lost = [name for name, value in fields.items() if getattr(state, name) != value]
    if state.position.checkers != (read.checkers or Position.start(base.start).checkers):
        lost.append("position.checkers")
    options = (option.name for option in attrs.fields(Rules))
    lost += [f"rules.{name}" for name in options if getattr(state.rules, name) != getattr(base, name)]
    return tuple(lost)
