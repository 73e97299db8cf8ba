"""XGID, eXtreme Gammon's line for a whole table.

`XGID=<board>:<cube>:<owner>:<turn>:<dice>:<score>:<score>:<rule>:<length>:<max cube>`. The bottom player is White. The
board stays in White's numbering, whoever is on roll: one character for the bar of the top player, the points 1 to 24
and the bar of the bottom player; `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` of the top player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, TypeAlias

import attrs

from gammonrules.board.id_text import bounded, whole
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_table import BLACK, WHITE, Seat, Side, Table, other, with_a_raccoon_at_most
from gammonrules.values import shown

__all__ = ["DoubledTurn", "cut", "decode", "encode", "is_meant"]

_NAMES: tuple[str, ...] = (
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
_UPPER, _LOWER = ord("A") - 1, ord("a") - 1
_MOST = 15
_SEATS: Mapping[int, Seat] = {1: WHITE, -1: BLACK}
_SIGNS: Mapping[Seat | None, int] = {WHITE: 1, BLACK: -1, None: 0}
_OFFERS = "DBR"
"""What stands for the dice while a double is pending: the double, the beaver, the raccoon."""
DoubledTurn: TypeAlias = Literal["doubler", "responder"]
"""Whom the turn names while a double is pending: who doubled, as in eXtreme Gammon, or who was doubled."""
_INSTEAD: Mapping[DoubledTurn, str] = {
    "doubler": "the turn is read as that of the player who must answer, since they cannot have doubled",
    "responder": "the turn is read as that of the doubler, since the opponent cannot have doubled",
}
"""The doubt about the other reading of the turn."""
_JACOBY, _BEAVERS = 1, 2
_NUMBERS = range(10**9 + 1)
_EXPONENTS = range(100)
_RANGES: Mapping[str, range] = {
    "cube": _EXPONENTS,
    "cube owner": range(-1, 2),
    "turn": range(-1, 2, 2),
    "score": _NUMBERS,
    "opponent's score": _NUMBERS,
    "length": _NUMBERS,
    "max cube": _EXPONENTS,
}
"""Far above what is played: these limits are our own."""

_PREFIX = re.compile(r"\s*XGID\s*=\s*", re.IGNORECASE | re.ASCII)
_CLOSING = ")]}>.,;\"'"
"""What may close a sentence or a link right behind the text."""


def encode(table: Table) -> str:
    """The XGID of a table; offers to resign, and a result, are left out."""
    table = with_a_raccoon_at_most(table)
    bottom, top = table.score
    numbers = {
        "cube": table.cube.bit_length() - 1,
        "score": bottom,
        "opponent's score": top,
        "length": table.length or 0,
        "max cube": table.max_cube or 0,
    }
    for name, number in numbers.items():
        if number not in _RANGES[name]:
            power, most = "2^" if "cube" in name else "", _RANGES[name][-1]
            sentence = f"{power}{most} is the most that it can hold, not {power}{shown(number)}"
            raise IdentifierError(f"XGID, {name}: {sentence}")
    values = {
        **numbers,
        "board": _board(table),
        "cube owner": _SIGNS[table.owner],
        "turn": _SIGNS[table.on_roll],
        "dice": _dice(table),
        "rule": _rule(table),
    }
    return f"XGID={':'.join(str(values[name]) for name in _NAMES)}"


def cut(table: Table) -> Table:
    """The table with numbers that an XGID can hold."""
    table = with_a_raccoon_at_most(table)
    white, black = table.score
    return attrs.evolve(
        table,
        cube=min(table.cube, 1 << _EXPONENTS[-1]),
        score=(min(white, _NUMBERS[-1]), min(black, _NUMBERS[-1])),
        length=table.length and min(table.length, _NUMBERS[-1]),
        max_cube=min(table.max_cube or 0, _EXPONENTS[-1]),
    )


def _dice(table: Table) -> str:
    if table.double is not None:
        return _OFFERS[table.double[1]]
    high, low = table.dice or (0, 0)
    return f"{high}{low}"


def _rule(table: Table) -> int:
    if table.length is not None:
        return int(bool(table.crawford))
    return _JACOBY * bool(table.jacoby) + _BEAVERS * bool(table.beavers)


def _board(table: Table) -> str:
    white, black = table.sides or ((), ())
    characters = ["-"] * (_BAR + 1)
    for point, count in enumerate(white, 1):
        if count:
            characters[point] = chr(_UPPER + count)
    for point, count in enumerate(black, 1):
        if count:
            characters[_BAR - point] = chr(_LOWER + count)
    return "".join(characters)


def is_meant(text: str) -> bool:
    """Whether a text has the prefix of an XGID."""
    return _PREFIX.match(text) is not None


def decode(text: str, doubled_turn: DoubledTurn = "doubler") -> Table:
    """The table that an XGID describes; IdentifierError with the field if it describes none.

    While a double is pending the turn is that of the doubler or of the responder: what `doubled_turn` says, or instead
    the other.
    """
    prefix = _PREFIX.match(bounded(text, "XGID"))
    words = text[prefix.end() if prefix else 0 :].split(maxsplit=1)
    given = words[0].rstrip(_CLOSING).split(":") if words else []
    if len(given) < len(_NAMES):
        raise IdentifierError(f"XGID: {len(_NAMES)} fields with colons between them are needed, not {len(given)}")
    fields = dict(zip(_NAMES, given, strict=False))
    behind = ":".join(given[len(_NAMES) :])
    numbers = {name: whole(f"XGID, {name}", fields[name], allowed) for name, allowed in _RANGES.items()}
    table = Table(
        sides=_sides(fields["board"]),
        cube=1 << numbers["cube"],
        owner=_SEATS.get(numbers["cube owner"]),
        on_roll=_SEATS[numbers["turn"]],
        score=(numbers["score"], numbers["opponent's score"]),
        length=numbers["length"] or None,
        max_cube=numbers["max cube"],
        doubts=(f"{shown(behind)} behind the tenth field is not read",) if behind else (),
    )
    return _with_dice(_with_rule(table, fields), fields["dice"], doubled_turn)


def _sides(board: str) -> tuple[Side, Side]:
    """White's and Black's checkers."""
    if len(board) != _BAR + 1:
        raise IdentifierError(f"XGID, board: 26 characters are needed, {shown(board)} has {len(board)}")
    white, black = [0] * _BAR, [0] * _BAR
    for at, character in enumerate(board):
        upper, lower = ord(character) - _UPPER, ord(character) - _LOWER
        if 1 <= upper <= _MOST and at > 0:
            white[at - 1] = upper
        elif 1 <= lower <= _MOST and at < _BAR:
            black[_BAR - at - 1] = lower
        elif character != "-":
            raise IdentifierError(f"XGID, board: {character!r} cannot stand {_place(at)}")
    return tuple(white), tuple(black)


def _place(at: int) -> str:
    bars = {0: "on the top player's bar (-, a to o)", _BAR: "on the bottom player's bar (-, A to O)"}
    return bars.get(at, f"on the {at} point (-, A to O, a to o)")


def _with_rule(table: Table, fields: Mapping[str, str]) -> Table:
    in_match = table.length is not None
    highest = 1 if in_match else _JACOBY + _BEAVERS
    rule = fields["rule"]
    if rule not in set("0123"[: highest + 1]):
        kind = "a match" if in_match else "money play"
        raise IdentifierError(f"XGID, rule: 0 to {highest} is needed in {kind}, not {shown(rule)}")
    if in_match:
        return attrs.evolve(table, crawford=rule == "1")
    return attrs.evolve(table, jacoby=bool(int(rule) & _JACOBY), beavers=bool(int(rule) & _BEAVERS))


def _with_dice(table: Table, text: str, doubled_turn: DoubledTurn) -> Table:
    if text in set(_OFFERS):
        return _with_offer(table, _OFFERS.index(text), doubled_turn)
    if text == "00":
        return table
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(f"XGID, dice: 00, two faces from 1 to 6, D, B or R is needed, not {shown(text)}")
    return attrs.evolve(table, dice=(int(text[0]), int(text[1])))


def _with_offer(table: Table, beavers: int, doubled_turn: DoubledTurn) -> Table:
    if beavers and not table.beavers:
        where = "a match" if table.length is not None else "a game without beavers (rule)"
        raise IdentifierError(f"XGID, dice: {_OFFERS[beavers]} stands for a cube redoubled at once, in {where}")
    by = table.on_roll if doubled_turn == "doubler" else other(table.on_roll)
    said, instead = (attrs.evolve(table, on_roll=seat, double=(seat, beavers)) for seat in (by, other(by)))
    return attrs.evolve(said, instead=attrs.evolve(instead, doubts=(*table.doubts, _INSTEAD[doubled_turn])))
