"""OGID, OpenGammon's identifier of a match state, as far as its meaning is known. It is read, not written.

`P1:P2:CUBE[:DICE[:COLOR[:STATE[:S1[:S2[:LEN[:MOVEID[:N]]]]]]]]`. P1 and P2 are White's and Black's checkers, one
character for the place of each checker: `0` White's bar, `1` to `9` and `a` to `o` the points 1 to 24 as Black
numbers them, `p` Black's bar, `q` borne off.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from gammonrules.board.id_text import bounded, whole
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_state import NUMBERS, PlainState, Side
from gammonrules.match import Player
from gammonrules.values import shown

__all__ = ["decode", "is_meant"]

_NAMES: tuple[str, ...] = ("P1", "P2", "CUBE", "DICE", "COLOR", "STATE", "S1", "S2", "LEN", "MOVEID", "N")
_REQUIRED = 5
"""COLOR is required, since it says who is on roll."""
_PLACES = "0123456789abcdefghijklmnopq"
_BAR = 25
_OFF = 26
_PLAYERS: Mapping[str, Player] = {"W": Player.WHITE, "B": Player.BLACK}
_CUBE = re.compile(r"([WBND?])([0-9]{1,2})([NOTP])", re.ASCII)
_LENGTH = re.compile(r"([0-9]{1,9})(C|L)?(?:G[0-9]+)?", re.ASCII)
_PREFIX = re.compile(r"\s*OGID\s*=\s*", re.IGNORECASE | re.ASCII)


def is_meant(text: str) -> bool:
    """Whether a text has the prefix of an OGID."""
    return _PREFIX.match(text) is not None


def decode(text: str) -> PlainState:
    """What an OGID says.

    Raises:
        IdentifierError: the text is not an OGID, or does not say who is on roll; the message names the field.
    """
    fields = _fields(text)
    made_by = fields["COLOR"]
    if made_by not in _PLAYERS:
        raise IdentifierError(f"OGID, COLOR: expected W or B, for the player on roll, not {shown(made_by)}")
    score = _number(fields, "S1"), _number(fields, "S2")
    length, crawford = _length(fields["LEN"], score)
    doubts = [f"STATE {shown(fields['STATE'])} is not read"] if fields["STATE"] else []
    white, black = _places(fields, "P1", Player.WHITE), _places(fields, "P2", Player.BLACK)
    plain = PlainState(
        sides=(_side(white, Player.WHITE), _side(black, Player.BLACK)),
        off=(white[_OFF] or None, black[_OFF] or None),
        checkers=_number(fields, "N") or None,
        on_roll=_PLAYERS[made_by].opponent,
        dice=_dice(fields["DICE"]),
        score=score,
        length=length,
        crawford=crawford,
        doubts=tuple(doubts),
    )
    return _with_cube(plain, fields["CUBE"])


def _fields(text: str) -> Mapping[str, str]:
    text = bounded(text, "OGID")
    prefix = _PREFIX.match(text)
    words = text[prefix.end() if prefix else 0 :].split(maxsplit=1)
    given = words[0].split(":") if words else []
    if not _REQUIRED <= len(given) <= len(_NAMES):
        raise IdentifierError(
            f"OGID: expected {_REQUIRED} to {len(_NAMES)} fields with colons between them, not {len(given)}"
        )
    return dict.fromkeys(_NAMES, "") | dict(zip(_NAMES, given, strict=False))


def _places(fields: Mapping[str, str], name: str, player: Player) -> list[int]:
    """How many checkers of one side are on each place."""
    counts = [0] * len(_PLACES)
    for character in fields[name]:
        place = _PLACES.find(character)
        if place < 0 or place == (_BAR if player is Player.WHITE else 0):
            raise IdentifierError(f"OGID, {name}: a checker of this side cannot be on {character!r}")
        counts[place] += 1
    return counts


def _side(places: Sequence[int], player: Player) -> Side:
    """The checkers of one side in its own numbering."""
    seen = places[: _BAR + 1]
    return tuple(seen[1:] if player is Player.BLACK else [*reversed(seen)][1:])


def _number(fields: Mapping[str, str], name: str) -> int:
    return whole(f"OGID, {name}", fields[name] or "0", NUMBERS)


def _dice(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(f"OGID, DICE: expected two faces from 1 to 6 or nothing, not {shown(text)}")
    return int(text[0]), int(text[1])


def _length(text: str, score: tuple[int, int]) -> tuple[int | None, bool | None]:
    """The match length, and whether this is the Crawford game, or None if the text does not say."""
    found = _LENGTH.fullmatch(text or "0")
    if found is None:
        raise IdentifierError(f"OGID, LEN: expected a whole number, and C, L or G after it, not {shown(text)}")
    length, sign = int(found[1]), found[2]
    if sign and length - 1 not in score:
        raise IdentifierError(f"OGID, LEN: {sign} is for a match in which a side is one point from winning")
    return length or None, {"C": True, "L": False}.get(sign)


def _with_cube(plain: PlainState, text: str) -> PlainState:
    found = _CUBE.fullmatch(text)
    if found is None:
        raise IdentifierError(f"OGID, CUBE: expected owner, exponent and action (as in W1N), not {shown(text)}")
    letter, exponent, action = found.groups()
    if action == "P":
        raise IdentifierError("OGID, CUBE: the game is over by a pass (P), and its result is not carried")
    owner, value = _PLAYERS.get(letter), 1 << int(exponent)
    if owner is None and letter != "N":
        if value > 1:
            raise IdentifierError(f"OGID, CUBE: the owner of a cube of {value} is unknown ({letter})")
        doubt = f"the cube's owner {letter!r} is read as a centered cube"
        plain = attrs.evolve(plain, doubts=(*plain.doubts, doubt))
    plain = attrs.evolve(plain, cube=value, owner=owner)
    return _offered(plain) if action == "O" else plain


def _offered(plain: PlainState) -> PlainState:
    """A pending double: the owner of the cube made it, or with a centered cube the player who acted last."""
    if plain.owner is not None:
        return _offered_by(plain, plain.owner)
    made_by = plain.on_roll.opponent
    by_color, by_other = (
        attrs.evolve(_offered_by(plain, by), doubts=(*plain.doubts, f"the double of a centered cube is read as {how}"))
        for by, how in (
            (made_by, "made by COLOR, at the value before the offer"),
            (made_by.opponent, "made by the opponent of COLOR, who cannot have doubled"),
        )
    )
    return attrs.evolve(by_color, instead=by_other)


def _offered_by(plain: PlainState, by: Player) -> PlainState:
    return attrs.evolve(plain, on_roll=by, double=(by, 0))
