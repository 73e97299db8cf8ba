"""The board line of FIBS (`board:...`, boardstyle 3), and the raw board of GNU Backgammon, which differs in places.

The player who is named first is White. The line is only read: what a server sends to one of its players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import attrs

from gammonrules.board.id_text import bounded, whole
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_table import BLACK, WHITE, Seat, Side, Table, before_the_offer, other
from gammonrules.values import is_cube_value, shown

__all__ = ["PREFIX", "decode"]

PREFIX = "board:"
_POINTS = range(26)
_FIRST = ("match length", "player's score", "opponent's score")
_LAST = (
    "turn",
    "player's first die",
    "player's second die",
    "opponent's first die",
    "opponent's second die",
    "cube",
    "player may double",
    "opponent may double",
    "was doubled",
    "colour",
    "direction",
    "home",
    "bar",
    "player's checkers off",
    "opponent's checkers off",
    "player's checkers on the bar",
    "opponent's checkers on the bar",
    "can move",
    "forced move",
    "did Crawford",
    "redoubles",
)
_NAMES = (*_FIRST, *(f"board at {at}" for at in _POINTS), *_LAST)
_FIELDS = len(_NAMES) + 2
"""The two names of the players stand before the numbers."""
_UNLIMITED = frozenset({0, 9999})
_SWITCH = range(2)
_SIGN = range(-1, 2, 2)
_RANGES: Mapping[str, range] = {
    "turn": range(-1, 2),
    "player may double": _SWITCH,
    "opponent may double": _SWITCH,
    "was doubled": range(-1, 2),
    "colour": _SIGN,
    "direction": _SIGN,
    "can move": range(5),
    "forced move": _SWITCH,
    "did Crawford": _SWITCH,
}
_CHECKERS = range(-99, 100)
_NUMBERS = range(10**9 + 1)
_UNLIMITED_REDOUBLES = 3

_MAYBE_CRAWFORD = "did Crawford is 0 at one point from winning, so it is read as the Crawford game"

Fields = Mapping[str, int]


def decode(text: str) -> Table:
    """The table that a board line describes; IdentifierError with the field if it describes none."""
    fields = _fields(text)
    _refuse_contradictions(fields)
    on_roll = WHITE if fields["turn"] == fields["colour"] else BLACK
    table = Table(
        sides=_sides(fields),
        off=(fields["player's checkers off"], fields["opponent's checkers off"]),
        on_roll=on_roll,
        dice=_dice(fields, on_roll),
        cube=fields["cube"],
        score=(fields["player's score"], fields["opponent's score"]),
        length=None if fields["match length"] in _UNLIMITED else fields["match length"],
    )
    return _with_crawford(_with_cube(table, fields), fields)


def _fields(text: str) -> Fields:
    """The numbers of the line by name."""
    if not isinstance(text, str) or not bounded(text, "FIBS board").strip().startswith(PREFIX):
        raise IdentifierError(f"FIBS board: a text that begins with {PREFIX!r} is needed, not {shown(text)}")
    given = text.strip().removeprefix(PREFIX).split(":")
    if len(given) != _FIELDS:
        raise IdentifierError(f"FIBS board: {_FIELDS} fields behind {PREFIX!r} are needed, not {len(given)}")
    return {name: _number(name, field) for name, field in zip(_NAMES, given[2:], strict=True)}


def _number(name: str, text: str) -> int:
    allowed = _CHECKERS if name.startswith("board at") else _RANGES.get(name, _NUMBERS)
    return whole(f"FIBS board, {name}", text, allowed)


def _refuse_contradictions(fields: Fields) -> None:
    """Raise IdentifierError where one field denies another, or the game is over."""
    if fields["turn"] == 0:
        raise IdentifierError("FIBS board, turn: the game is over (0), and its result is not carried")
    if not is_cube_value(fields["cube"]):
        raise IdentifierError(f"FIBS board, cube: {fields['cube']} is no power of two")
    home, bar = (0, 25) if fields["direction"] == -1 else (25, 0)
    if (fields["home"], fields["bar"]) != (home, bar):
        raise IdentifierError(
            f"FIBS board, home and bar: {home} and {bar} belong to direction {fields['direction']}, "
            f"not {fields['home']} and {fields['bar']}"
        )
    bars = fields[f"board at {bar}"] * fields["colour"], -fields[f"board at {home}"] * fields["colour"]
    for who, count in zip(("player's", "opponent's"), bars, strict=True):
        name = f"{who} checkers on the bar"
        # GNU Backgammon always writes 0 there
        if fields[name] not in {0, count}:
            raise IdentifierError(f"FIBS board, {name}: {fields[name]}, while the board shows {count}")


def _sides(fields: Fields) -> tuple[Side, Side]:
    """The player's and the opponent's checkers."""
    seen_by_player = [fields[f"board at {at}"] * fields["colour"] for at in _POINTS]
    if fields["direction"] == 1:
        seen_by_player.reverse()
    return _side(seen_by_player), _side([-count for count in reversed(seen_by_player)])


def _side(points: Sequence[int]) -> Side:
    if points[0] > 0:
        raise IdentifierError("FIBS board, board: checkers of a side on the bar of the other")
    return tuple(max(count, 0) for count in points[1:])


def _dice(fields: Fields, on_roll: Seat) -> tuple[int, int] | None:
    """The roll of the player on roll. GNU Backgammon writes it for both players."""
    pairs = [(fields[f"{who} first die"], fields[f"{who} second die"]) for who in ("player's", "opponent's")]
    own, others = pairs[on_roll], pairs[other(on_roll)]
    if others not in {(0, 0), own}:
        raise IdentifierError(f"FIBS board, dice: {others} of the player who is not on roll")
    if own == (0, 0):
        return None
    if not all(1 <= die <= 6 for die in own):
        raise IdentifierError(f"FIBS board, dice: two faces from 1 to 6, or 0 and 0, are needed, not {own}")
    return own


def _with_cube(table: Table, fields: Fields) -> Table:
    """The table with the owner of the cube, and the double if one is pending.

    On FIBS nobody may double then, and "was doubled" tells that it was the opponent. GNU Backgammon goes on saying who
    owns the cube, the turn stays with the doubler, and the sign of "was doubled" is -1 where White has to answer.
    """
    player, opponent, doubled = (fields[name] for name in ("player may double", "opponent may double", "was doubled"))
    if not player and not opponent:
        doubler = BLACK if doubled else WHITE
        owner = None if table.cube == 1 else doubler
        return attrs.evolve(table, on_roll=doubler, owner=owner, double=(doubler, 0))
    owner = None if player == opponent else WHITE if player else BLACK
    if not doubled:
        return attrs.evolve(table, owner=owner)
    return _doubled(table, owner, answerer=WHITE if doubled < 0 else BLACK)


def _doubled(table: Table, owner: Seat | None, answerer: Seat) -> Table:
    """A pending double as GNU Backgammon shows it; a cube of the doubler's opponent has been redoubled at once."""
    by, beavers = table.on_roll, 0
    if owner == other(by):
        beavers = 1 if answerer == by else 2
    before = before_the_offer(table.cube, owner, by, beavers)
    if before is None:
        raise IdentifierError(f"FIBS board, cube: {table.cube} is too low for a cube that has been redoubled at once")
    return attrs.evolve(table, cube=before[0], owner=before[1], double=(by, beavers))


def _with_crawford(table: Table, fields: Fields) -> Table:
    """The table with crawford=False where this cannot be the Crawford game.

    No field says that it is: it follows from the score and from "did Crawford", where the rules have a Crawford game.
    """
    turned = table.cube > 1 or table.owner is not None or table.double is not None
    if turned or fields["did Crawford"] or fields["redoubles"] == _UNLIMITED_REDOUBLES:
        return attrs.evolve(table, crawford=False)
    at_point = table.length is not None and [table.length - points for points in table.score].count(1) == 1
    if at_point and fields["redoubles"]:
        return attrs.evolve(table, doubts=(_MAYBE_CRAWFORD,))
    return table
