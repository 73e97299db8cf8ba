"""XGID, eXtreme Gammon's identifier of a match state.

`XGID=<board>:<cube>:<owner>:<turn>:<dice>:<score>:<score>:<rule>:<length>:<max cube>`. The bottom player is White. The
board stays in White's numbering, whoever is on roll: one character for the bar of the top player, the points 1 to 24
and the bar of the bottom player; `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` of the top player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from gammonrules._shared.identifier_text import (
    WHOLE_XGID,
    first_word,
    pasted,
    whole_field,
    without_label,
)
from gammonrules.board.internals import board_in
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_state import (
    MAX_SHOWN,
    NO_LIMIT,
    NUMBERS,
    PlainState,
    Side,
    offered,
    refuse_large_score,
    with_fewer_beavers,
)
from gammonrules.limits import MAX_CUBE_TURNS
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import shown

_NAMES = (
    "board",
    "cube",
    "cube owner",
    "turn",
    "dice",
    "score",
    "opponent's score",
    "rule",
    "length",
    "max cube",
)
_BAR = 25
_UPPER = ord("A") - 1
_LOWER = ord("a") - 1
"""The codes below those of one checker, so that a code less these is the number of checkers."""
_MAX_CHECKERS = 15
_PLAYERS: Mapping[int, Player] = {1: Player.WHITE, -1: Player.BLACK}
_SIGNS: Mapping[Player | None, int] = {Player.WHITE: 1, Player.BLACK: -1, None: 0}
_OFFERS = ("D", "B", "R")
"""Written in place of the dice while a double, a beaver or a raccoon must be answered."""
DoubledTurn: TypeAlias = Literal["doubler", "responder"]
"""Whose turn is shown while a double is pending: the doubler's, as in eXtreme Gammon, or the responder's."""
_INSTEAD: Mapping[DoubledTurn, str] = {
    "doubler": "the turn is read as that of the player who must answer, since they cannot have doubled",
    "responder": "the turn is read as that of the doubler, since the opponent cannot have doubled",
}
"""The warning if the other reading of the turn is taken."""
_JACOBY = 1
_BEAVERS = 2
_EXPONENTS = range(MAX_CUBE_TURNS + 1)
"""The cube is written as a power of two."""
_RANGES: Mapping[str, range] = {
    "cube": _EXPONENTS,
    "cube owner": range(-1, 2),
    "turn": range(-1, 2, 2),
    **dict.fromkeys(("score", "opponent's score", "length"), NUMBERS),
    "max cube": _EXPONENTS,
}

is_meant = re.compile("[^ :]{16,} ?:").match
"""Whether a text without a label begins as one with a board does, even with a wrong one."""


def write(state: MatchState, _names: Sequence[str]) -> str:
    """The XGID of a state. Raises IdentifierError if a score is above 10^9."""
    refuse_large_score(state.score, "XGID, score", "XGID, opponent's score")
    return encode(state)


def read_back(state: MatchState, plain: PlainState) -> PlainState:
    """The state that a reader takes from the XGID of a state, whose score is cut in `plain`."""
    return decode(encode(state, plain.score))


def encode(state: MatchState, score: tuple[int, int] | None = None) -> str:
    """The XGID of a state without its result and an offer to resign, with its own score or this one, up to 10^9.

    While a double is pending, the turn is the doubler's, and the cube is as before the offer.
    """
    turn = state.on_roll or Player.WHITE
    cube = state.cube.value
    dice = "00"
    double = None if state.offer is None else state.pending_double  # most states have no offer
    if double is not None:
        beavers = double.beavers
        if beavers > MAX_SHOWN:
            cube, beavers = with_fewer_beavers(cube, beavers)
        dice = _OFFERS[beavers]
    elif state.dice is not None:
        dice = f"{state.dice.high}{state.dice.low}"
    board = _board_field(board_in(state.position), turn)
    exponent = cube.bit_length() - 1
    owner = _SIGNS[state.cube.owner]
    white, black = state.score if score is None else score
    rule = _rule_field(state)
    limit = _limit_field(state.rules)
    first_fields = f"{board}:{exponent}:{owner}:{_SIGNS[turn]}:{dice}"
    return f"XGID={first_fields}:{white}:{black}:{rule}:{state.length or 0}:{limit}"


def _rule_field(state: MatchState) -> int:
    if state.length is not None:
        return int(state.crawford)
    jacoby = _JACOBY if state.rules.jacoby else 0
    beavers = _BEAVERS if state.rules.beavers else 0
    return jacoby + beavers


def _limit_field(rules: Rules) -> int:
    if not rules.cube:
        return 0
    return NO_LIMIT if rules.max_cube is None else rules.max_cube.bit_length() - 1


def _board_field(board: bytes, seen_by: Player) -> str:
    """The field "board": 26 counts as this player sees them, from White's side."""
    if seen_by is Player.WHITE:
        return board.translate(_CHARACTERS).decode("ascii")
    return board[::-1].translate(_CHARACTERS_SEEN_BY_BLACK).decode("ascii")


def _count_characters(mine: int, theirs: int) -> bytes:
    """The character of each count, as a signed byte."""
    characters = bytearray(b"-" * 256)
    for count in range(1, _MAX_CHECKERS + 1):
        characters[count] = mine + count
        characters[256 - count] = theirs + count
    return bytes(characters)


_CHARACTERS = _count_characters(_UPPER, _LOWER)
_CHARACTERS_SEEN_BY_BLACK = _count_characters(_LOWER, _UPPER)


def decode(text: str, doubled_turn: DoubledTurn = "doubler") -> PlainState:
    """The state that an XGID describes.

    While a double is pending, the turn is read as `doubled_turn` says; the other reading is in `instead`.

    Raises:
        IdentifierError: the text is not an XGID; the message names the field.
    """
    word = _word_in(text)
    values = word.split(":") if word else []
    if len(values) < len(_NAMES):
        raise IdentifierError(
            f"XGID: expected {len(_NAMES)} fields with colons between them, not {len(values)}"
        )
    count = len(_NAMES)
    fields: dict[str, str] = dict(zip(_NAMES, values[:count], strict=True))
    rest = ":".join(values[count:])
    doubts: tuple[str, ...] = ()
    if rest:
        doubts = (f"{shown(rest)} after the tenth field is not read",)
    numbers = {
        name: whole_field(f"XGID, {name}", fields[name], allowed)
        for name, allowed in _RANGES.items()
    }
    sides = _sides_in(fields["board"])
    # the field "rule" is about the Crawford game in a match, and about the options of money play otherwise
    in_match = numbers["length"] > 0
    rule = _rule_in(fields["rule"], in_match=in_match)
    crawford = None
    jacoby = None
    beavers = None
    if in_match:
        crawford = rule == 1
    else:
        jacoby = bool(rule & _JACOBY)
        beavers = bool(rule & _BEAVERS)
    dice = fields["dice"]
    plain = PlainState(
        sides=sides,
        cube=1 << numbers["cube"],
        owner=_PLAYERS.get(numbers["cube owner"]),
        on_roll=_PLAYERS[numbers["turn"]],
        dice=None if dice in _OFFERS else _roll_of_field(dice),
        score=(numbers["score"], numbers["opponent's score"]),
        length=numbers["length"] or None,
        crawford=crawford,
        jacoby=jacoby,
        beavers=beavers,
        max_cube=numbers["max cube"],
        doubts=doubts,
    )
    if dice in _OFFERS:
        return _with_offer(plain, _OFFERS.index(dice), doubled_turn)
    return plain


def _word_in(text: str) -> str:
    """The XGID of a text as it is written, without blanks; the first word if not all fields are there."""
    begun = pasted(text, "XGID")
    whole = WHOLE_XGID.match(begun)
    if whole is None:
        return first_word(without_label(begun, "XGID"))
    return without_label(whole[0], "XGID").replace(" ", "")


def _sides_in(board: str) -> tuple[Side, Side]:
    """White's and Black's checkers."""
    if len(board) != _BAR + 1:
        raise IdentifierError(
            f"XGID, board: expected 26 characters, but {shown(board)} has {len(board)}"
        )
    white = [0] * _BAR
    black = [0] * _BAR
    for place, character in enumerate(board):
        as_white = ord(character) - _UPPER
        as_black = ord(character) - _LOWER
        if 1 <= as_white <= _MAX_CHECKERS and place > 0:  # place 0 is Black's bar
            white[place - 1] = as_white
        elif 1 <= as_black <= _MAX_CHECKERS and place < _BAR:  # place 25 is White's bar
            own_place = _BAR - place
            black[own_place - 1] = as_black
        elif character != "-":
            raise IdentifierError(f"XGID, board: {character!r} cannot be {_place_name(place)}")
    return tuple(white), tuple(black)


def _place_name(at: int) -> str:
    bars = {
        0: "on the top player's bar (-, a to o)",
        _BAR: "on the bottom player's bar (-, A to O)",
    }
    return bars.get(at, f"on the {at} point (-, A to O, a to o)")


def _rule_in(text: str, *, in_match: bool) -> int:
    highest = 1 if in_match else _JACOBY + _BEAVERS
    if text not in {str(number) for number in range(highest + 1)}:
        kind = "a match" if in_match else "money play"
        raise IdentifierError(f"XGID, rule: expected 0 to {highest} in {kind}, not {shown(text)}")
    return int(text)


def _roll_of_field(text: str) -> tuple[int, int] | None:
    if text == "00":
        return None
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(
            f"XGID, dice: expected 00, two faces from 1 to 6, D, B or R, not {shown(text)}"
        )
    return int(text[0]), int(text[1])


def _with_offer(plain: PlainState, beavers: int, doubled_turn: DoubledTurn) -> PlainState:
    if beavers > 0 and not plain.beavers:
        where = "a match" if plain.length is not None else "a game under this rule"
        name = "beaver" if beavers == 1 else "raccoon"
        raise IdentifierError(
            f"XGID, dice: {_OFFERS[beavers]} is a {name}, which {where} does not have"
        )
    by = plain.on_roll if doubled_turn == "doubler" else plain.on_roll.opponent
    return offered(plain, by, beavers, otherwise=_INSTEAD[doubled_turn])
