"""Writing identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from gammonrules._shared.checked_fields import check_kind
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers import fibs_board, match_id, ogid, xgid
from gammonrules.identifiers.gnubg_lines import encode_bot_line, encode_gnubg_line
from gammonrules.identifiers.lost_fields import lost_fields
from gammonrules.identifiers.plain_state import (
    Form,
    ReadForm,
    plain_game,
    plain_state,
    refuse_large_score,
)
from gammonrules.identifiers.read_identifiers import FORMS
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import choice_argument

_NAMED = "fibs_board", "bot_line", "gnubg_line"
"""The forms with the names of the players."""
_ONLY_WHOLE = "bot_line", "gnubg_line"
"""The forms in which nothing may be left out, since a program answers for the state that it reads."""


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
        form: "xgid", White is the bottom player; "gnubg_id", a Position ID and a Match ID joined by a colon, or
            "match_id", everything except the board, White is player 1; "ogid"; "fibs_board", the board line that FIBS
            sends to White; "bot_line", the one that GNU Backgammon sends to a bot, without the line feed and NUL after
            it, White is its player 1; "gnubg_line", the one with which its player `external` is asked what to do, White
            is its color 1.
        names: those of White and Black in the last three forms: letters, digits and `_`, at least one of them not a
            digit. None means "White" and "Black". Other forms have no names.
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
    if names is not None and form not in _NAMED:
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
    text = _text_in_form(state, form, plain_names)
    if form in _ONLY_WHOLE:
        _refuse_loss(state, form, state.rules)
    return text


def _refuse_loss(state: MatchState, form: ReadForm, rules: Rules | None) -> None:
    left_out = lost_fields(state, form, rules)
    if left_out:
        name, _ = FORMS[form]
        raise IdentifierError(f"{name}: the text would lose {', '.join(left_out)}")


def _text_in_form(state: MatchState, form: Form, names: Sequence[str]) -> str:
    """The text, whatever it leaves out."""
    match form:
        case "xgid":
            refuse_large_score(state.score, "XGID, score", "XGID, opponent's score")
            return xgid.encode(state)
        case "gnubg_id":
            return f"{state.position.id}:{match_id.encode(plain_game(state))}"
        case "ogid":
            return ogid.encode(plain_game(state))
        case "fibs_board":
            can_move = 0
            if state.dice is not None and state.on_roll is Player.WHITE:
                # all legal plays have as many moves
                can_move = len(state.position.legal_plays(state.dice)[0].moves)
            return fibs_board.encode(plain_game(state), names, can_move)
        case "bot_line":
            return encode_bot_line(plain_state(state), names)
        case _:  # "gnubg_line"
            return encode_gnubg_line(state, names)
