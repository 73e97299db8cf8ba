"""XGID, eXtreme Gammon's line for a whole table.

`XGID=<board>:<cube>:<owner>:<turn>:<dice>:<score>:<score>:<rule>:<length>:<max cube>`. The bottom player is White. The
board stays in White's numbering, whoever is on roll: one character for the bar of the top player, the points 1 to 24
and the bar of the bottom player; `A` to `O` are 1 to 15 checkers of the bottom player, `a` to `o` of the top player.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

import attrs

from gammonrules._numbers import shown
from gammonrules.codecs.table import BLACK, WHITE, Seat, Side, Table, other
from gammonrules.errors import IdentifierError

__all__ = ["PATTERN", "decode", "encode"]

_Meaning = TypeVar("_Meaning")

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
_SEATS: Mapping[str, Seat] = {"1": WHITE, "-1": BLACK}
_OWNERS: Mapping[str, Seat | None] = {**_SEATS, "0": None}
_SIGNS: Mapping[Seat | None, str] = {seat: sign for sign, seat in _OWNERS.items()}
_OFFERS = "DBR"
"""What stands for the dice while a double is pending: the double, the beaver, the raccoon."""
_JACOBY, _BEAVERS = 1, 2
_MOST_OF = {"cube": 99, "score": 10**9, "opponent's score": 10**9, "length": 10**9, "max cube": 99}
"""Limits of our own, far above what is played: a short text must not ask for a number of millions of digits."""

PATTERN = re.compile(r"\s*(?:XGID\s*=|[-A-Za-z]{26}:)", re.IGNORECASE)
"""How a text begins that is meant as an XGID, with or without its prefix."""
_PREFIX = re.compile(r"\A\s*XGID\s*=\s*", re.IGNORECASE)


def encode(table: Table) -> str:
    """The XGID of a table; offers to resign, and a result, are left out."""
    cube, dice = _offer(table)
    bottom, top = table.score
    values = (
        _board(table),
        cube.bit_length() - 1,
        _SIGNS[table.owner],
        _SIGNS[table.on_roll],
        dice,
        bottom,
        top,
        _rule(table),
        table.length or 0,
        table.max_cube,
    )
    fields = {name: str(value) for name, value in zip(_NAMES, values, strict=True)}
    for name in _MOST_OF:
        _ = _number(fields, name)  # refuses what could not be read back
    return f"XGID={':'.join(fields.values())}"


def cut(table: Table) -> Table:
    """The table with numbers that an XGID can hold."""
    beavers = 0 if table.double is None else table.double[1]
    white, black = table.score
    return attrs.evolve(
        table,
        cube=min(table.cube, 1 << (_MOST_OF["cube"] - beavers)),
        score=(min(white, _MOST_OF["score"]), min(black, _MOST_OF["opponent's score"])),
        length=table.length and min(table.length, _MOST_OF["length"]),
    )


def _offer(table: Table) -> tuple[int, str]:
    """The cube and the dice field.

    The cube is that before the offer. After more than a raccoon it is written as if it had been higher before, so that
    the value on offer, and who has to answer, are right.
    """
    if table.double is None:
        high, low = table.dice or (0, 0)
        return table.cube, f"{high}{low}"
    beavers = table.double[1]
    letter = beavers if beavers < len(_OFFERS) else 2 - beavers % 2
    return table.cube << (beavers - letter), _OFFERS[letter]


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


def decode(text: str) -> Table:
    """The table that an XGID describes; IdentifierError with the field if it describes none."""
    if not isinstance(text, str):
        raise IdentifierError(f"XGID: a text is needed, not {shown(text)}")
    words = _PREFIX.sub("", text, count=1).split(maxsplit=1)
    given = words[0].split(":") if words else []
    if len(given) < len(_NAMES):
        raise IdentifierError(f"XGID: {len(_NAMES)} fields with colons between them are needed, not {len(given)}")
    fields = dict(zip(_NAMES, given, strict=False))
    doubts: list[str] = []
    if len(given) > len(_NAMES):
        doubts.append(f"{shown(':'.join(given[len(_NAMES) :]))} behind the tenth field is not read")
    length = _number(fields, "length") or None
    table = Table(
        sides=_sides(fields["board"]),
        cube=1 << _number(fields, "cube"),
        owner=_one_of(fields, "cube owner", _OWNERS),
        on_roll=_one_of(fields, "turn", _SEATS),
        score=(_number(fields, "score"), _number(fields, "opponent's score")),
        length=length,
        max_cube=_number(fields, "max cube"),
        doubts=tuple(doubts),
    )
    return _with_dice(_with_rule(table, fields), fields)


def _number(fields: Mapping[str, str], name: str) -> int:
    text, most = fields[name], _MOST_OF[name]
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most)) and int(text) <= most):
        raise IdentifierError(f"XGID, {name}: a whole number from 0 to {most} is needed, not {shown(text)}")
    return int(text)


def _one_of(fields: Mapping[str, str], name: str, meanings: Mapping[str, _Meaning]) -> _Meaning:
    text = fields[name]
    if text not in meanings:
        raise IdentifierError(f"XGID, {name}: {' or '.join(meanings)} is needed, not {shown(text)}")
    return meanings[text]


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


def _with_dice(table: Table, fields: Mapping[str, str]) -> Table:
    text = fields["dice"]
    if text in set(_OFFERS):
        return _with_offer(table, _OFFERS.index(text))
    if text == "00":
        return table
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(f"XGID, dice: 00, two faces from 1 to 6, D, B or R is needed, not {shown(text)}")
    return attrs.evolve(table, dice=(int(text[0]), int(text[1])))


def _with_offer(table: Table, beavers: int) -> Table:
    """A pending double. Its turn is the doubler's, but some programs name the player who must answer."""
    if beavers and not table.beavers:
        where = "a match" if table.length is not None else "a game without beavers (rule)"
        raise IdentifierError(f"XGID, dice: {_OFFERS[beavers]} stands for a cube redoubled at once, in {where}")
    by = table.on_roll
    if table.owner == other(by):
        doubt = "the turn is not that of the cube's owner, and is read as that of the player who must answer"
        by, table = other(by), attrs.evolve(table, doubts=(*table.doubts, doubt))
    return attrs.evolve(table, on_roll=by, double=(by, beavers))
