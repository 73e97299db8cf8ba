"""What an identifier leaves out of a state: the fields that would not come back if it were read again."""

from __future__ import annotations

from typing import get_args

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules.board import Position
from gammonrules.errors import RulesError
from gammonrules.identifiers.forms import FORMS, ReadForm
from gammonrules.identifiers.plain_state import (
    PlainState,
    fields_of,
    plain_state,
    rules_of,
    with_score_cut,
)
from gammonrules.match import MatchState
from gammonrules.match.internals import crawford_if_first
from gammonrules.rules import Rules
from gammonrules.values import choice_argument


def lost_fields(state: MatchState, form: ReadForm, rules: Rules | None = None) -> tuple[str, ...]:
    """The parts of a state that this text of it leaves out.

    The result is empty if and only if `identifiers.read` reads the same state back from the text.

    Args:
        state: the state to be written.
        form: as in `identifiers.write`, except "match_id".
        rules: the rules that the reader will pass; None means `TOURNAMENT` for a match and `MONEY` for money play.

    Returns:
        Names of fields; those of the rules as `rules.crawford`.

    Raises:
        ArgumentError: `state` is not a `MatchState`, `rules` is neither `Rules` nor None, or there is no such form. A
            Match ID is none of them, since it is not read alone.

    Examples:
        >>> from gammonrules import MatchState, Rules
        >>> m = MatchState.new(5, rules=Rules(crawford=False)).opening_roll(3, 1)
        >>> lost_fields(m, "xgid"), lost_fields(m.resign(), "xgid")
        (('rules.crawford',), ('offer', 'rules.crawford'))
        >>> lost_fields(m, "xgid", Rules(crawford=False))
        ()
        >>> lost_fields(MatchState.new(None, rules=Rules(jacoby=True)), "gnubg_id")
        ('on_roll', 'rules.beavers')
    """
    check_kind("state", state, MatchState)
    check_kind("rules", rules, Rules | None)
    checked: ReadForm = choice_argument("form", form, get_args(ReadForm))
    read = FORMS[checked].read_back(state, with_score_cut(plain_state(state)))
    return _fields_that_differ(state, read, rules)


def _fields_that_differ(
    state: MatchState, read: PlainState, rules: Rules | None
) -> tuple[str, ...]:
    """The fields of a state that differ from what is read from its text."""
    try:
        rules_read = rules_of(read, rules)
    except RulesError:  # the text contradicts the rules of the reader, who gets this error too
        assert rules is not None
        rules_read = rules
    fields = fields_of(read)
    if read.crawford is None:  # the score says whether this is the Crawford game
        fields["crawford"] = crawford_if_first(rules_read, read.length, read.score)
    fields["result"] = None  # the results of games are not read
    missing = [name for name, value in fields.items() if getattr(state, name) != value]
    checkers = read.checkers
    if checkers is None:
        checkers = Position.start(rules_read.start).checkers
    if state.position.checkers != checkers:
        missing.append("position.checkers")
    options = [option.name for option in attrs.fields(Rules)]
    missing += [
        f"rules.{name}"
        for name in options
        if getattr(state.rules, name) != getattr(rules_read, name)
    ]
    return tuple(missing)
