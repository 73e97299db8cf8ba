"""Writing identifiers."""

from __future__ import annotations

from typing import get_args

from gammonrules._shared.checked_fields import check_kind
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers import fibs_board, match_id
from gammonrules.identifiers.forms import FORMS, Form, ReadForm
from gammonrules.identifiers.lost_fields import lost_fields
from gammonrules.identifiers.plain_state import plain_game
from gammonrules.match import MatchState
from gammonrules.rules import Rules
from gammonrules.values import choice_argument


def write(
    state: MatchState,
    form: Form,
    *,
    names: tuple[str, str] | None = None,
    strict: bool = False,
    rules: Rules | None = None,
) -> str:
    """Write a state in one line of text.

    Args:
        state: the state. While a double is pending, the cube is written as before the offer.
        form: one of the forms in the table of the page *Identifiers*, which says who White is in each. A "match_id" is
            everything except the board.
        names: those of White and Black in a line of FIBS or GNU Backgammon: letters, digits and `_`, at least one of
            them not a digit. None means "White" and "Black". Other forms have no names.
        strict: raise an error if the string would leave something out; `identifiers.lost_fields` names it. A
            "match_id" always leaves out the board, so it does not have this option. The two lines of GNU Backgammon are
            never written if they would not be read back under the rules of the state.
        rules: for `strict`, the rules that the reader will pass; None means `TOURNAMENT` for a match and `MONEY` for
            money play. A "match_id" does not have this option either.

    Raises:
        IdentifierError: a number is too large for the form; something would be left out that may not be; with
            "gnubg_line", a beaver is pending, the match is to more than 64 points, or the names are so long that the
            line would have more than 254 characters.
        ArgumentError: `state` is not a `MatchState`, `rules` is neither `Rules` nor None, `names` are not two such
            names, there is no such form, or the form does not have an option that is given.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7).opening_roll(3, 1)
        >>> write(state, "gnubg_id", strict=True)
        '4HPwATDgc/ABMA:cInlAAAAAAAE'
        >>> write(state, "fibs_board", names=("Ann", "Bob"))[:25]
        'board:Ann:Bob:7:0:0:0:-2:'
        >>> write(state, "gnubg_line")[-52:]
        '0:0:0:0:1 JACOBYRULE OFF CRAWFORDRULE ON BEAVERS OFF'
    """
    check_kind("state", state, MatchState)
    check_kind("rules", rules, Rules | None)
    form = choice_argument("form", form, get_args(Form))
    if names is not None and not (form != "match_id" and FORMS[form].has_names):
        raise ArgumentError(f"the form {form!r} has no names")
    if form == "match_id":
        if strict or rules is not None:
            raise ArgumentError(
                "the form 'match_id' has neither strict nor rules, since it is not read alone"
            )
        return match_id.encode(plain_game(state))
    plain_names = ["White", "Black"] if names is None else fibs_board.checked_names(names)
    if strict:
        _refuse_loss(state, form, rules)
    text = FORMS[form].write(state, plain_names)
    if FORMS[form].is_always_whole:
        _refuse_loss(state, form, state.rules)
    return text


def _refuse_loss(state: MatchState, form: ReadForm, rules: Rules | None) -> None:
    left_out = lost_fields(state, form, rules)
    if left_out:
        raise IdentifierError(
            f"{FORMS[form].name_in_messages}: the text would lose {', '.join(left_out)}"
        )
