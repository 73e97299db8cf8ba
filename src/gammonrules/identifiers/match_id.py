"""GNU Backgammon's Match ID: a table without its board in 12 characters.

Nine bytes, least significant bit first, hold the fields of `_FIELDS` one behind the other. GNU Backgammon's player 1 is
White, player 0 is Black.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping

import attrs

from gammonrules.board.id_text import base64_characters, label
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_table import (
    BLACK,
    WHITE,
    Game,
    Seat,
    Table,
    before_the_offer,
    other,
    with_a_raccoon_at_most,
)
from gammonrules.values import shown

LENGTH = 12
_BYTES = 9
_FIELDS: Mapping[str, int] = {
    "cube": 4,
    "cube owner": 2,
    "player on roll": 1,
    "Crawford": 1,
    "game state": 3,
    "turn": 1,
    "double": 1,
    "resignation": 2,
    "first die": 3,
    "second die": 3,
    "match length": 15,
    "score of player 0": 15,
    "score of player 1": 15,
    "no Jacoby": 1,
    "unused bits": 5,
}
"""Every field with its width in bits, in their order."""
_GAMES: tuple[Game, ...] = ("opening", "playing", "played", "resigned", "dropped")
_CENTRED = 3
_HIGHEST_FACE = 6
_HIDDEN_BEAVERS = "the resignation hides how often the cube has been redoubled at once, it is read as once"

PATTERN = re.compile(f"(?:{label('Match ID')})?[A-Za-z0-9+/]{{12}}", re.IGNORECASE | re.ASCII)
"""A Match ID alone, with or without its label."""


def encode(table: Table) -> str:
    """The Match ID of a table; IdentifierError if a number needs more bits than its field has."""
    table = with_a_raccoon_at_most(table)
    cube, owner = _cube_on_offer(table)
    high, low = table.dice or (0, 0)
    white, black = table.score
    in_match = table.length is not None
    values = {
        "cube": cube.bit_length() - 1,
        "cube owner": _CENTRED if owner is None else _number(owner),
        "player on roll": _number(table.on_roll),
        "Crawford": int(bool(table.crawford)),
        "game state": _GAMES.index(table.game),
        "turn": _number(table.on_roll if table.turn is None else table.turn),
        "double": int(table.double is not None),
        "resignation": 0 if table.resignation is None else table.resignation[1],
        "first die": high,
        "second die": low,
        "match length": table.length or 0,
        "score of player 0": black,
        "score of player 1": white,
        "no Jacoby": int(in_match or not table.jacoby),
        "unused bits": 0,
    }
    return b64encode(_packed(values).to_bytes(_BYTES, "little")).decode("ascii")


def cut(table: Table) -> Table:
    """The table with numbers that a Match ID can hold."""
    table = with_a_raccoon_at_most(table)
    beavers = 0 if table.double is None else table.double[1]
    highest = {name: (1 << width) - 1 for name, width in _FIELDS.items()}
    white, black = table.score
    return attrs.evolve(
        table,
        cube=min(table.cube, 1 << (highest["cube"] - beavers)),
        score=(min(white, highest["score of player 1"]), min(black, highest["score of player 0"])),
        length=table.length and min(table.length, highest["match length"]),
    )


def decode(text: str) -> Table:
    """The table that a Match ID describes; IdentifierError with the field if it describes none."""
    body = base64_characters(text, "Match ID", LENGTH)
    values = _unpacked(int.from_bytes(b64decode(body), "little"))
    _refuse_fields(values)
    on_roll, turn = _seat(values["player on roll"]), _seat(values["turn"])
    level, length = values["resignation"], values["match length"]
    owner = _seat(values["cube owner"]) if values["cube owner"] in {0, 1} else None
    beavers = _beavers(values["double"], level, owner, on_roll, turn)
    before = before_the_offer(1 << values["cube"], owner, on_roll, beavers or 0)
    if before is None:
        cube = 1 << values["cube"]
        raise IdentifierError(f"Match ID, cube: {cube} is too low for a cube that has been redoubled at once")
    hidden = beavers == 1 and level > 0 and values["cube"] > 1
    die = values["first die"]
    return Table(
        on_roll=on_roll,
        dice=(die, values["second die"]) if die else None,
        cube=before[0],
        owner=before[1],
        double=None if beavers is None else (on_roll, beavers),
        resignation=(other(turn), level) if level else None,
        score=(values["score of player 1"], values["score of player 0"]),
        length=length or None,
        crawford=bool(values["Crawford"]),
        jacoby=None if length else not values["no Jacoby"],
        doubts=(_HIDDEN_BEAVERS,) if hidden else (),
    )


def _number(seat: Seat) -> int:
    """The player number of a seat."""
    return 1 if seat == WHITE else 0


def _seat(number: int) -> Seat:
    """The seat of a player number."""
    return WHITE if number else BLACK


def _packed(values: Mapping[str, int]) -> int:
    """The fields as one number."""
    bits = shift = 0
    for name, width in _FIELDS.items():
        value = values[name]
        if value >> width:
            power = "2^" if name == "cube" else ""
            limit = (1 << width) - 1
            raise IdentifierError(
                f"Match ID, {name}: {power}{limit} is the most that it can hold, not {power}{shown(value)}"
            )
        bits |= value << shift
        shift += width
    return bits


def _unpacked(bits: int) -> dict[str, int]:
    """The fields of one number."""
    values: dict[str, int] = {}
    for name, width in _FIELDS.items():
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    return values


def _refuse_fields(values: Mapping[str, int]) -> None:
    """Raise IdentifierError for the first field that means nothing, or a game that is not in progress."""
    state, dice = values["game state"], (values["first die"], values["second die"])
    problem = None
    if values["unused bits"]:
        problem = f"unused bits: they are zero, not {values['unused bits']:05b}"
    elif state >= len(_GAMES):
        problem = f"game state: {state} means nothing, it is 0 to {len(_GAMES) - 1}"
    elif state > 1:
        problem = f"game state: the game is over (game state {state}), and its result is not carried"
    elif state == 0 and dice == (0, 0):
        problem = "game state: no game in progress (game state 0)"  # with dice, GNU Backgammon's first decisions
    elif max(dice) > _HIGHEST_FACE:
        problem = f"dice: a die shows 1 to {_HIGHEST_FACE}, not {max(dice)}"
    elif (dice[0] == 0) != (dice[1] == 0):
        problem = f"dice: both have been rolled or none, not {dice[0]} and {dice[1]}"
    elif values["match length"] == 0 and values["Crawford"]:
        problem = "Crawford: money play has no Crawford game"
    if problem is not None:
        raise IdentifierError(f"Match ID, {problem}")


def _cube_on_offer(table: Table) -> tuple[int, Seat | None]:
    """The cube as it is written: whoever redoubles at once owns it at the value that he has accepted."""
    if table.double is None or table.double[1] == 0:
        return table.cube, table.owner
    by, beavers = table.double
    return table.cube << beavers, other(by)


def _beavers(doubled: int, level: int, owner: Seat | None, on_roll: Seat, turn: Seat) -> int | None:
    """How often a pending double has been redoubled at once; None if no double is pending.

    The cube then belongs to the opponent of the player on roll already, and who has to answer tells a beaver from a
    raccoon; a resignation hides that, and is read as following a beaver.
    """
    if not doubled:
        if not level and turn != on_roll:
            raise IdentifierError("Match ID, turn: without an offer the player on roll decides")
        return None
    if owner == other(on_roll):
        return 1 if level or turn == on_roll else 2
    if not level and turn == on_roll:
        raise IdentifierError("Match ID, turn: the doubler's opponent answers a double")
    return 0
