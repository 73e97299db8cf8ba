"""The board line of FIBS (`board:...`, boardstyle 3), and the raw board of GNU Backgammon, which differs in places.

The player who is named first is White. The line is only read: what a server sends to one of its players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gammonrules._numbers import is_power_of_two, shown
from gammonrules.codecs.table import BLACK, WHITE, Seat, Side, Table, other
from gammonrules.errors import IdentifierError

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
_ALLOWED: Mapping[str, frozenset[int]] = {
    "turn": frozenset({-1, 0, 1}),
    "colour": frozenset({-1, 1}),
    "direction": frozenset({-1, 1}),
    "player may double": frozenset({0, 1}),
    "opponent may double": frozenset({0, 1}),
    "was doubled": frozenset({0, 1}),
}
_UNLIMITED_REDOUBLES = 3
_HIGHEST_NUMBER = 10**9

Fields = Mapping[str, int]


def decode(text: str) -> Table:
    """The table that a board line describes; IdentifierError with the field if it describes none."""
    fields = _fields(text)
    _refuse_contradictions(fields)
    player_off, opponent_off = fields["player's checkers off"], fields["opponent's checkers off"]
    on_roll = WHITE if fields["turn"] == fields["colour"] else BLACK
    length = None if fields["match length"] in _UNLIMITED else fields["match length"]
    score = fields["player's score"], fields["opponent's score"]
    owner, doubler = _cube(fields, on_roll)
    crawford, doubts = _crawford(fields, score, length, owner)
    return Table(
        sides=_sides(fields),
        off=(player_off, opponent_off),
        on_roll=on_roll if doubler is None else doubler,
        dice=_dice(fields, on_roll),
        cube=fields["cube"],
        owner=owner,
        double=None if doubler is None else (doubler, 0),
        score=score,
        length=length,
        crawford=crawford,
        doubts=doubts,
    )


def _fields(text: str) -> Fields:
    """The numbers of the line by name."""
    if not isinstance(text, str) or not text.strip().startswith(PREFIX):
        raise IdentifierError(f"FIBS board: a text that begins with {PREFIX!r} is needed, not {shown(text)}")
    given = text.strip().removeprefix(PREFIX).split(":")
    if len(given) != _FIELDS:
        raise IdentifierError(f"FIBS board: {_FIELDS} fields behind {PREFIX!r} are needed, not {len(given)}")
    return {name: _number(name, field) for name, field in zip(_NAMES, given[2:], strict=True)}


def _number(name: str, text: str) -> int:
    digits = text.removeprefix("-")
    signed = name.startswith("board at") or -1 in _ALLOWED.get(name, ())
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= len(str(_HIGHEST_NUMBER))) or (
        digits != text and not signed
    ):
        raise IdentifierError(f"FIBS board, {name}: {shown(text)} is no {'' if signed else 'positive '}whole number")
    number = int(text)
    allowed = _ALLOWED.get(name)
    if allowed is not None and number not in allowed:
        raise IdentifierError(f"FIBS board, {name}: {' or '.join(map(str, sorted(allowed)))} is needed, not {number}")
    return number


def _refuse_contradictions(fields: Fields) -> None:
    """Raise IdentifierError where one field denies another, or the game is over."""
    if fields["turn"] == 0:
        raise IdentifierError("FIBS board, turn: the game is over (0), and its result is not carried")
    if not is_power_of_two(fields["cube"]):
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


def _cube(fields: Fields, on_roll: Seat) -> tuple[Seat | None, Seat | None]:
    """The owner of the cube, and the doubler while a double is pending.

    On FIBS nobody may double then, and "was doubled" tells that it was the opponent. GNU Backgammon goes on saying who
    owns the cube, and the turn stays with the doubler.
    """
    player, opponent = fields["player may double"], fields["opponent may double"]
    doubler: Seat | None = None
    if not player and not opponent:
        doubler = BLACK if fields["was doubled"] else WHITE
    elif fields["was doubled"]:
        doubler = on_roll
    if player == opponent:
        return (None if doubler is None or fields["cube"] == 1 or player else doubler), doubler
    return (WHITE if player else BLACK), doubler


def _crawford(
    fields: Fields, score: tuple[int, int], length: int | None, owner: Seat | None
) -> tuple[bool, tuple[str, ...]]:
    """Whether this is the Crawford game, which no field says: it follows from the score and "did Crawford"."""
    first_time = length is not None and [length - points for points in score].count(1) == 1
    turned = fields["cube"] > 1 or owner is not None or fields["was doubled"]
    if not first_time or fields["did Crawford"] or turned or fields["redoubles"] == _UNLIMITED_REDOUBLES:
        return False, ()
    if fields["redoubles"]:
        return True, ("did Crawford is 0 at one point from winning, so it is read as the Crawford game",)
    return True, ()
