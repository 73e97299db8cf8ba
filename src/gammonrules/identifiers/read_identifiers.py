"""Reading identifiers: which format a text has, and what it describes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, cast, get_args

from gammonrules._shared.identifier_text import bounded
from gammonrules.board import Position
from gammonrules.board.internals import STANDARD_CHECKERS, is_position_id
from gammonrules.errors import ArgumentError, IdentifierError, IdentifierWarning
from gammonrules.identifiers import fibs_board, gnubg_id, match_id, ogid, xgid
from gammonrules.identifiers.plain_state import PlainState, checked_rules, possible_state
from gammonrules.match import MatchState
from gammonrules.rules import TOURNAMENT, Rules
from gammonrules.values import one_of, plain_text, shown, whole_argument

_BRACKETS = "()[]{}<>\"'`"
_FIELDS_OF_AN_OGID = 4
"""The least number of fields after the first."""
_LONGEST_SIDE_OF_AN_OGID = 15


def read(
    text: str,
    rules: Rules | None = None,
    *,
    checkers: int | None = None,
    doubled_turn: Literal["doubler", "responder"] = "doubler",
) -> Position | MatchState:
    """Read an identifier of any kind: a board, or a whole match state.

    A `Position` comes from GNU Backgammon's Position ID. A `MatchState` comes from a Position ID with a Match ID, an
    XGID, an OGID or the board line of FIBS. All are read with or without their labels. Guesses issue an
    `IdentifierWarning`.

    Args:
        text: the identifier, at most 10,000 characters; blanks around it are ignored.
        rules: what the text does not say; None means `TOURNAMENT` for a match and `MONEY` for money play.
        checkers: how many each side has, 1 to 15; None means as many as in the start position of the rules, usually 15.
        doubled_turn: whose turn an XGID shows while a double is pending: "doubler", as eXtreme Gammon and GNU
            Backgammon write it, or "responder", the player who was doubled, as some converters do.

    Raises:
        IdentifierError: the text is none of these, or too long; the message names the field.
        PositionError: the text describes an impossible board.
        MatchStateError: the text describes an impossible match state.
        RulesError: the rules contradict what the text says.
        ArgumentError: `rules` is neither `Rules` nor None, `checkers` is not from 1 to 15, or there is no such
            `doubled_turn`.

    Examples:
        >>> read("Position ID: 4HPwATDgc/ABMA") == Position.start()
        True
        >>> read("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10").dice
        Dice(high=3, low=1)
    """
    doubled_turn = _checked_turn(doubled_turn)
    text = bounded(text, "identifier").strip().strip(_BRACKETS) if isinstance(text, str) else text
    reader = _reader_of(text) if isinstance(text, str) else None
    if reader is from_xgid:
        return from_xgid(text, rules, checkers, doubled_turn)
    if reader is not None:
        return reader(text, rules, checkers)
    if isinstance(text, str) and not is_position_id(text):
        raise IdentifierError(f"{shown(text, 60)} is not a Position ID, gnubg ID, XGID, OGID or FIBS board")
    number, start = _checked_number(checkers), (checked_rules(rules) or TOURNAMENT).start
    return Position.from_id(text, checkers=Position.start(start).checkers if number is None else number)


_Reader: TypeAlias = Callable[[str, Rules | None, int | None], MatchState]


def _reader_of(text: str) -> _Reader | None:
    """The reader of the format that this text seems to have; None if no format fits."""
    stripped = text.strip()
    readers = (xgid, from_xgid), (ogid, from_ogid), (fibs_board, from_fibs_board), (gnubg_id, from_gnubg_id)
    for form, reader in readers:
        if form.is_meant(stripped):
            return reader
    if match_id.is_meant(stripped):
        raise IdentifierError("a Match ID alone has no board: put the Position ID and a colon before it")
    board, *fields = stripped.split(maxsplit=1)[0].split(":") if stripped else [""]
    if fields and len(board) > _LONGEST_SIDE_OF_AN_OGID:
        return from_xgid
    return from_ogid if len(fields) >= _FIELDS_OF_AN_OGID else None


def from_xgid(
    text: str, rules: Rules | None, checkers: int | None, doubled_turn: xgid.DoubledTurn = "doubler"
) -> MatchState:
    """The state of an XGID.

    The prefix "XGID=" may be missing, and anything after a blank is ignored. A maximum cube of 10 means no limit, and 0
    a game without a cube. If only the other `doubled_turn` gives a possible state, that one is taken, with a warning.
    """
    return state_of(xgid.decode(text, _checked_turn(doubled_turn)), "XGID", rules, checkers)


def _checked_turn(doubled_turn: object) -> xgid.DoubledTurn:
    choices, text = get_args(xgid.DoubledTurn), plain_text(doubled_turn)
    if text not in choices:
        raise ArgumentError(f"doubled_turn is {one_of(choices)}, not {shown(doubled_turn)}")
    return cast("xgid.DoubledTurn", text)


def from_gnubg_id(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """The state of a Position ID and a Match ID, joined by a colon or each with its label, as gnubg prints them."""
    return state_of(gnubg_id.decode(text), "Match ID", rules, checkers)


def from_ogid(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """The state of an OGID.

    Without a letter after the length, this is not the Crawford game. The move number, the letter L for the last game of
    a match, and G for the most games are ignored. If STATE contradicts the other fields, they decide, with a warning.
    """
    return state_of(ogid.decode(text), "OGID", rules, checkers)


def from_fibs_board(text: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """The state of a board line of FIBS.

    The score and the field "did Crawford" decide whether this is the Crawford game.
    """
    return state_of(fibs_board.decode(text), "FIBS board", rules, checkers)


def state_of(plain: PlainState, name: str, rules: Rules | None, checkers: int | None) -> MatchState:
    """The state that the text describes, with a warning for each doubt."""
    state, doubts = possible_state(plain, checked_rules(rules), _checked_number(checkers))
    for doubt in (*doubts, *_unusual(state)):
        # The level of the code that called the library: above this function are the reader, and the method or `read`.
        warnings.warn(f"{name}: {doubt}", IdentifierWarning, stacklevel=4)
    return state


def _checked_number(checkers: int | None) -> int | None:
    return None if checkers is None else whole_argument("checkers", checkers, 1, STANDARD_CHECKERS)


def _unusual(state: MatchState) -> Iterator[str]:
    """Warnings about a state that is possible but unlikely."""
    turned = state.cube.value.bit_length() - 1
    if state.cube.owner is None and turned > state.rules.auto_doubles:
        yield f"a centered cube of {state.cube.value}, though only automatic doubles turn a centered cube"
