"""The board line of FIBS (`board:...`, boardstyle 3), and the raw board of GNU Backgammon, which differs in places.

A server sends it to one of its players, who is named first and is read as White.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias, cast

import attrs

from gammonrules._shared.identifier_text import pasted, whole_field
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers.plain_state import (
    NUMBERS,
    PlainState,
    Side,
    refuse_large_score,
    with_gnubg_offer,
)
from gammonrules.limits import LONGEST_NAME
from gammonrules.match import Pair, Player
from gammonrules.values import is_cube_value, items_of_pair, plain_text, shown

_PREFIX = "board:"
_POINTS = range(26)
DICE = (
    "player's first die",
    "player's second die",
    "opponent's first die",
    "opponent's second die",
)
_NAMES = (
    *("match length", "player's score", "opponent's score"),
    *(f"board at {at}" for at in _POINTS),
    "turn",
    *DICE,
    *(
        "cube",
        "player may double",
        "opponent may double",
        "was doubled",
        "color",
        "direction",
        "home",
        "bar",
    ),
    *("player's checkers off", "opponent's checkers off"),
    *("player's checkers on the bar", "opponent's checkers on the bar"),
    *("can move", "forced move", "did Crawford", "redoubles"),
)
_FIELDS = len(_NAMES) + 2
"""The names of the two players come before the numbers."""
_NAME = re.compile(rf"(?!\d+$)\w{{1,{LONGEST_NAME}}}", re.ASCII)
_UNLIMITED = frozenset({0, 9999})
_RANGES: Mapping[str, range] = {
    **{f"board at {at}": range(-99, 100) for at in _POINTS},
    **dict.fromkeys(("turn", "was doubled"), range(-1, 2)),
    **dict.fromkeys(("color", "direction"), range(-1, 2, 2)),
    **dict.fromkeys(
        ("player may double", "opponent may double", "forced move", "did Crawford"), range(2)
    ),
    "can move": range(5),
}
_UNLIMITED_REDOUBLES = 3

_MAYBE_CRAWFORD = "did Crawford is 0 at one point from winning, so it is read as the Crawford game"

Fields: TypeAlias = dict[str, int]
"""The numbers of the line by name, in the order of `_NAMES`."""


def is_meant(text: str) -> bool:
    """Whether a text begins like a board line."""
    return text[: len(_PREFIX)].lower() == _PREFIX


def decode(text: str) -> PlainState:
    """What a board line says.

    Raises:
        IdentifierError: the text is not a board line, or the game is over; the message names the field.
    """
    return from_fields(fields_of_line(text))


def from_fields(fields: Fields) -> PlainState:
    """The state that the numbers of a line describe. Raises IdentifierError if they contradict one another."""
    _refuse_contradictions(fields)
    on_roll = Player.WHITE if fields["turn"] == fields["color"] else Player.BLACK
    plain = PlainState(
        sides=_both_sides(fields),
        off=(fields["player's checkers off"], fields["opponent's checkers off"]),
        on_roll=on_roll,
        dice=_roll_in(fields, on_roll),
        cube=fields["cube"],
        score=(fields["player's score"], fields["opponent's score"]),
        length=None if fields["match length"] in _UNLIMITED else fields["match length"],
    )
    return _with_crawford(_with_owner(plain, fields), fields)


def fields_of_line(text: str) -> Fields:
    """The numbers of the line by name."""
    bare = pasted(text, "FIBS board")
    if not is_meant(bare):
        raise IdentifierError(
            f"FIBS board: expected a text that begins with {_PREFIX!r}, not {shown(text)}"
        )
    values = [field.strip() for field in bare[len(_PREFIX) :].split(":")]
    if len(values) != _FIELDS:
        raise IdentifierError(
            f"FIBS board: expected {_FIELDS} fields after {_PREFIX!r}, not {len(values)}"
        )
    return {
        name: whole_field(f"FIBS board, {name}", field, _RANGES.get(name, NUMBERS))
        for name, field in zip(_NAMES, values[2:], strict=True)
    }


def _refuse_contradictions(fields: Fields) -> None:
    """Raise IdentifierError if one field contradicts another, or the game is over."""
    if fields["turn"] == 0:
        raise IdentifierError(
            "FIBS board, turn: the game is over (0), and the text does not give its result"
        )
    if not is_cube_value(fields["cube"]):
        raise IdentifierError(f"FIBS board, cube: {fields['cube']} is not a power of two")
    home, bar = (0, 25) if fields["direction"] == -1 else (25, 0)
    if (fields["home"], fields["bar"]) != (home, bar):
        right = f"{home} and {bar} belong to direction {fields['direction']}"
        raise IdentifierError(
            f"FIBS board, home and bar: {right}, not {fields['home']} and {fields['bar']}"
        )
    bars = (
        fields[f"board at {bar}"] * fields["color"],
        -fields[f"board at {home}"] * fields["color"],
    )
    for who, count in zip(("player's", "opponent's"), bars, strict=True):
        name = f"{who} checkers on the bar"
        # GNU Backgammon always writes 0 there
        if fields[name] not in {0, count}:
            raise IdentifierError(
                f"FIBS board, {name}: {fields[name]}, while the board shows {count}"
            )


def _both_sides(fields: Fields) -> tuple[Side, Side]:
    """The player's and the opponent's checkers."""
    seen_by_player = [fields[f"board at {at}"] * fields["color"] for at in _POINTS]
    if fields["direction"] == 1:
        seen_by_player.reverse()
    return _side_of_counts(seen_by_player), _side_of_counts(
        [-count for count in reversed(seen_by_player)]
    )


def _side_of_counts(points: Sequence[int]) -> Side:
    if points[0] > 0:
        raise IdentifierError("FIBS board, board: a side has checkers on the other side's bar")
    return tuple(max(count, 0) for count in points[1:])


def _roll_in(fields: Fields, on_roll: Player) -> tuple[int, int] | None:
    """The roll of the player on roll. GNU Backgammon writes it for both players."""
    pairs = Pair(
        (fields[f"{who} first die"], fields[f"{who} second die"])
        for who in ("player's", "opponent's")
    )
    own, opposing = pairs[on_roll], pairs[on_roll.opponent]
    if opposing not in {(0, 0), own}:
        raise IdentifierError(f"FIBS board, dice: {opposing} for the player who is not on roll")
    if own == (0, 0):
        return None
    if not all(1 <= die <= 6 for die in own):
        raise IdentifierError(
            f"FIBS board, dice: expected two faces from 1 to 6, or 0 and 0, not {own}"
        )
    return own


def _with_owner(plain: PlainState, fields: Fields) -> PlainState:
    """The same state with the owner of the cube, and the double if one is pending.

    On FIBS nobody may double while a double is pending, and "was doubled" says that the opponent made it. GNU
    Backgammon goes on showing who owns the cube, the turn stays with the doubler, and "was doubled" is -1 where White
    must answer.
    """
    player, opponent, doubled = (
        fields[name] for name in ("player may double", "opponent may double", "was doubled")
    )
    if not player and not opponent:
        doubler = Player.BLACK if doubled else Player.WHITE
        owner = None if plain.cube == 1 else doubler
        return attrs.evolve(plain, on_roll=doubler, owner=owner, double=(doubler, 0))
    plain = attrs.evolve(
        plain, owner=None if player == opponent else Player.WHITE if player else Player.BLACK
    )
    if not doubled:
        return plain
    beavers = 0
    answerer = Player.WHITE if doubled < 0 else Player.BLACK
    if plain.owner is plain.on_roll.opponent:  # a beaver followed
        beavers = 1 if answerer is plain.on_roll else 2
    return with_gnubg_offer(plain, beavers, "FIBS board")


def _with_crawford(plain: PlainState, fields: Fields) -> PlainState:
    """The same state, with crawford=False if this cannot be the Crawford game.

    No field says that it is one: the score and "did Crawford" decide, if the rules have a Crawford game.
    """
    turned = plain.cube > 1 or plain.owner is not None or plain.double is not None
    if turned or fields["did Crawford"] or fields["redoubles"] == _UNLIMITED_REDOUBLES:
        return attrs.evolve(plain, crawford=False)
    at_match_point = (
        plain.length is not None and [plain.length - points for points in plain.score].count(1) == 1
    )
    if at_match_point and fields["redoubles"]:
        return attrs.evolve(plain, doubts=(_MAYBE_CRAWFORD,))
    return plain


def encode(plain: PlainState, names: Sequence[str] = ("White", "Black"), can_move: int = 0) -> str:
    """The board line that White gets; `can_move` is how many of the dice White can play.

    The turn is 0 if no game is going on, and a beaver is written as the double before it.
    """
    refuse_large_score(plain.score, "FIBS board, player's score", "FIBS board, opponent's score")
    fields = fields_of_state(plain)
    if plain.game != "playing":
        fields["turn"] = 0
    if plain.double is not None:
        fields |= {
            "player may double": 0,
            "opponent may double": 0,
            "was doubled": plain.double[0] is Player.BLACK,
        }
    return line(
        names, fields | {"match length": plain.length or max(_UNLIMITED), "can move": can_move}
    )


def fields_of_state(plain: PlainState) -> Fields:
    """The fields in which FIBS and GNU Backgammon agree; White's color is 1, and White moves down from point 24."""
    white, black = plain.sides
    off = [cast("int", plain.checkers) - sum(side) for side in (white, black)]
    dice = plain.dice or (0, 0)
    last = (plain.length or 0) - 1
    past_crawford = not plain.crawford and last > 0 and last in plain.score
    numbers = (
        *(plain.length or 0, *plain.score),
        *(mine - theirs for mine, theirs in zip((0, *white), (*reversed(black), 0), strict=True)),
        1 if plain.on_roll is Player.WHITE else -1,
        *((*dice, 0, 0) if plain.on_roll is Player.WHITE else (0, 0, *dice)),
        *(plain.cube, plain.owner is not Player.BLACK, plain.owner is not Player.WHITE, 0),
        *(1, -1, 0, 25, *off, white[-1], black[-1], 0, 0, past_crawford, 0),
    )
    return {name: int(number) for name, number in zip(_NAMES, numbers, strict=True)}


def line(names: Sequence[str], fields: Fields) -> str:
    """The line with these names and numbers."""
    return _PREFIX + ":".join((*names, *(str(int(number)) for number in fields.values())))


def checked_names(names: object) -> list[str]:
    """Check the argument `names` of a writer.

    Raises:
        ArgumentError: it is not a pair of names that every reader of such lines accepts.
    """
    plain = [plain_text(name) or "" for name in items_of_pair(names) or ("", "")]
    if all(map(_NAME.fullmatch, plain)):
        return plain
    allowed = f"1 to {LONGEST_NAME} letters, digits and underscores, not only digits"
    raise ArgumentError(f"names must be two texts of {allowed}, not {shown(names)}")
