"""Reading identifiers: which format a text has, and what it describes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import get_args, overload

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.identifier_text import labeled, pasted
from gammonrules.board import Position
from gammonrules.board.internals import STANDARD_CHECKERS, is_position_id
from gammonrules.errors import ArgumentError, IdentifierError, IdentifierWarning
from gammonrules.identifiers import match_id, xgid
from gammonrules.identifiers.forms import FORMS, SHOWN_FORMS, ReadForm
from gammonrules.identifiers.plain_state import possible_state
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import choice_argument, shown, whole_argument


@overload
def read(
    text: str,
    rules: Rules | None = None,
    *,
    form: ReadForm,
    checkers: int | None = None,
    doubled_turn: xgid.DoubledTurn = "doubler",
) -> MatchState: ...


@overload
def read(
    text: str,
    rules: Rules | None = None,
    *,
    form: None = None,
    checkers: int | None = None,
    doubled_turn: xgid.DoubledTurn = "doubler",
) -> Position | MatchState: ...


def read(
    text: str,
    rules: Rules | None = None,
    *,
    form: ReadForm | None = None,
    checkers: int | None = None,
    doubled_turn: xgid.DoubledTurn = "doubler",
) -> Position | MatchState:
    """Read an identifier of any kind: a board, or a whole match state.

    A `Position` comes from GNU Backgammon's Position ID. A `MatchState` comes from any other form, such as an XGID. All
    are read with or without their labels. Guesses issue an `IdentifierWarning`.

    Args:
        text: the identifier, at most 10,000 characters, as people paste it: in quotes, Markdown or tags, in an address,
            among words, with codes or other signs in place of its own. Its label decides which form is meant.
        rules: what the text does not say; None means `TOURNAMENT` for a match and `MONEY` for money play.
        form: as in `identifiers.write`; None means that the text shows it. A line that GNU Backgammon sends to a bot
            looks like one of FIBS, and is read as that unless `form` is "bot_line".
        checkers: how many each side has, 1 to 15; None means as many as in the start position of the rules, usually 15.
        doubled_turn: whose turn an XGID shows while a double is pending: "doubler", as eXtreme Gammon and GNU
            Backgammon write it, or "responder", the player who was doubled, as some converters do. Other forms do not
            have this option.

    Raises:
        IdentifierError: the text is none of these, is too long, or has several of one form that differ; the message
            names the field.
        PositionError: the text describes an impossible board.
        MatchStateError: the text describes an impossible match state.
        RulesError: the rules contradict what the text says.
        ArgumentError: `rules` is neither `Rules` nor None, `checkers` is not from 1 to 15, or there is no such `form`
            or `doubled_turn`. A Match ID is not a form here, since it has no board.

    Examples:
        >>> read("Position ID: 4HPwATDgc/ABMA") == Position.start()
        True
        >>> read("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").dice
        Dice(high=3, low=1)
        >>> from gammonrules.identifiers import write
        >>> state = MatchState.new(7).opening_roll(3, 1).resign()
        >>> read(write(state, "gnubg_line"), form="gnubg_line") == state
        True
    """
    check_kind("rules", rules, Rules | None)
    turn = choice_argument("doubled_turn", doubled_turn, get_args(xgid.DoubledTurn))
    if form is not None:
        stated_form: ReadForm = choice_argument("form", form, get_args(ReadForm))
        if stated_form != "xgid" and turn != "doubler":
            raise ArgumentError(f"the form {stated_form!r} has no doubled_turn")
        return read_form(text, form=stated_form, rules=rules, checkers=checkers, turn=turn)
    identifier = pasted(text, "identifier")
    seeming_form = _seeming_form(identifier)
    if seeming_form is not None:
        return read_form(text, form=seeming_form, rules=rules, checkers=checkers, turn=turn)
    if not is_position_id(identifier):
        raise IdentifierError(f"{shown(identifier, 60)} is not a {SHOWN_FORMS}")
    number_of_checkers = _checked_number(checkers)
    if number_of_checkers is None:
        start = "standard" if rules is None else rules.start
        number_of_checkers = Position.start(start).checkers
    return Position.from_id(identifier, checkers=number_of_checkers)


def _seeming_form(text: str) -> ReadForm | None:
    """The form that a pasted text seems to have: that of its label, if it has one. None for a board alone.

    Raises:
        IdentifierError: it is a Match ID without a Position ID.
    """
    label, _ = labeled(text)
    for form, its in FORMS.items():
        if label == its.name:
            return form
    for form, its in FORMS.items():
        if label in its.other_labels and its.is_meant(text):
            return form
    if label == "Match ID" or match_id.is_meant(text):
        raise IdentifierError(
            "a Match ID alone has no board: put the Position ID and a colon before it"
        )
    return None


def read_form(
    text: str,
    form: ReadForm,
    rules: Rules | None,
    checkers: int | None,
    turn: xgid.DoubledTurn = "doubler",
) -> MatchState:
    """The state that a text of this form describes, with a warning for each doubt."""
    check_kind("rules", rules, Rules | None)
    plain = xgid.decode(text, turn) if form == "xgid" else FORMS[form].decode(text)
    state, doubts = possible_state(plain, rules, _checked_number(checkers))
    # the warning points at the code that called the library: above this function are `read`, or a method, and that
    level_of_caller = 3
    for doubt in (*doubts, *_unusual(state)):
        warnings.warn(
            f"{FORMS[form].name_in_messages}: {doubt}",
            IdentifierWarning,
            stacklevel=level_of_caller,
        )
    return state


def _checked_number(checkers: int | None) -> int | None:
    if checkers is None:
        return None
    return whole_argument("checkers", checkers, minimum=1, maximum=STANDARD_CHECKERS)


def _unusual(state: MatchState) -> Iterator[str]:
    """Warnings about a state that is possible but unlikely."""
    if state.cube.owner is None and state.cube.value > 1 << state.rules.auto_doubles:
        yield f"a centered cube of {state.cube.value}, though only automatic doubles turn a centered cube"
