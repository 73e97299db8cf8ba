"""The board line of FIBS (`board:...`, boardstyle 3), and the raw board of GNU Backgammon, which differs in places.

A server sends it to one of its players, who is named first and is read as White.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import attrs

from gammonrules._shared.identifier_text import first_word, pasted, whole_field
from gammonrules.errors import ArgumentError, IdentifierError
from gammonrules.identifiers.plain_state import (
    NUMBERS,
    PlainDouble,
    PlainState,
    Side,
    plain_game,
    refuse_large_score,
    with_gnubg_offer,
)
from gammonrules.limits import MAX_NAME_LENGTH
from gammonrules.match import MatchState, Player
from gammonrules.values import is_cube_value, items_of_pair, plain_text, shown

_PREFIX = "board:"
_POINTS = range(26)
DICE = (
    "player's first die",
    "player's second die",
    "opponent's first die",
    "opponent's second die",
)
_COUNTS = [f"board at {at}" for at in _POINTS]
_NAMES = (
    "match length",
    "player's score",
    "opponent's score",
    *_COUNTS,
    "turn",
    *DICE,
    "cube",
    "player may double",
    "opponent may double",
    "was doubled",
    "color",
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
_FIELDS = len(_NAMES) + 2
"""The names of the two players come before the numbers."""
_NAME = re.compile(rf"(?!\d+$)\w{{1,{MAX_NAME_LENGTH}}}", re.ASCII)
_UNLIMITED = frozenset({0, 9999})
_RANGES: Mapping[str, range] = {
    **dict.fromkeys(_COUNTS, range(-99, 100)),
    **dict.fromkeys(("turn", "was doubled"), range(-1, 2)),
    **dict.fromkeys(("color", "direction"), range(-1, 2, 2)),
    **dict.fromkeys(("player may double", "opponent may double", "did Crawford"), range(2)),
    "can move": range(5),
    # servers send 1, 2 and 5 there, which the protocol tells clients not to use
    "forced move": range(-NUMBERS[-1], NUMBERS.stop),
}
_UNLIMITED_REDOUBLES = 3

_MAYBE_CRAWFORD = "did Crawford is 0 at one point from winning, so it is read as the Crawford game"

Fields: TypeAlias = dict[str, int]
"""The numbers of the line by name."""


def is_meant(text: str) -> bool:
    """Whether a text begins like a board line."""
    return text[: len(_PREFIX)].lower() == _PREFIX


def decode(text: str) -> PlainState:
    """The state that a board line describes.

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
    with_owner = _with_owner(plain, fields)
    return _with_crawford(with_owner, fields)


def fields_of_line(text: str) -> Fields:
    """The numbers of the line by name."""
    bare = pasted(text, "FIBS board")
    if not is_meant(bare):
        raise IdentifierError(
            f"FIBS board: expected a text that begins with {_PREFIX!r}, not {shown(text)}"
        )
    *values, last = bare[len(_PREFIX) :].split(":", _FIELDS - 1)
    in_a_sentence = last.startswith(" ") and values and not values[-1].startswith(" ")
    if not in_a_sentence:  # in "0: 5 points to go" the last field is missing
        last = first_word(last)  # FIBS sends a board and a message in one line
    values += last.split(":")
    if len(values) != _FIELDS:
        raise IdentifierError(
            f"FIBS board: expected {_FIELDS} fields after {_PREFIX!r}, not {len(values)}"
        )
    fields: Fields = {}
    numbers = values[2:]  # after the names of the players
    for name, number in zip(_NAMES, numbers, strict=True):
        allowed = _RANGES.get(name, NUMBERS)
        fields[name] = whole_field(f"FIBS board, {name}", number.strip(), allowed)
    return fields


def _refuse_contradictions(fields: Fields) -> None:
    """Raise IdentifierError if one field contradicts another, or the game is over."""
    if fields["turn"] == 0:
        raise IdentifierError(
            "FIBS board, turn: the game is over (0), and the text does not give its result"
        )
    if not is_cube_value(fields["cube"]):
        raise IdentifierError(f"FIBS board, cube: {fields['cube']} is not a power of two")
    moves_down = fields["direction"] == -1
    home = 0 if moves_down else 25
    bar = 25 - home
    if fields["home"] != home or fields["bar"] != bar:
        right = f"{home} and {bar} belong to direction {fields['direction']}"
        raise IdentifierError(
            f"FIBS board, home and bar: {right}, not {fields['home']} and {fields['bar']}"
        )
    # counts of the board have the sign of the color; the place of the opponent's bar is the player's home
    own_sign = fields["color"]
    on_bars = {
        "player's checkers on the bar": fields[f"board at {bar}"] * own_sign,
        "opponent's checkers on the bar": fields[f"board at {home}"] * -own_sign,
    }
    for name, on_board in on_bars.items():
        # GNU Backgammon always writes 0 there
        if fields[name] not in {0, on_board}:
            raise IdentifierError(
                f"FIBS board, {name}: {fields[name]}, while the board shows {on_board}"
            )


def _both_sides(fields: Fields) -> tuple[Side, Side]:
    """The player's and the opponent's checkers."""
    seen_by_player = [fields[name] * fields["color"] for name in _COUNTS]
    if fields["direction"] == 1:
        seen_by_player.reverse()
    seen_by_opponent = [-count for count in reversed(seen_by_player)]
    return _side_of_counts(seen_by_player), _side_of_counts(seen_by_opponent)


def _side_of_counts(points: Sequence[int]) -> Side:
    if points[0] > 0:
        raise IdentifierError("FIBS board, board: a side has checkers on the other side's bar")
    return tuple(max(count, 0) for count in points[1:])


def _roll_in(fields: Fields, on_roll: Player) -> tuple[int, int] | None:
    """The roll of the player on roll. GNU Backgammon writes it for both players."""
    not_rolled = (0, 0)
    rolls = {
        Player.WHITE: (fields["player's first die"], fields["player's second die"]),
        Player.BLACK: (fields["opponent's first die"], fields["opponent's second die"]),
    }
    roll = rolls[on_roll]
    other_roll = rolls[on_roll.opponent]
    if other_roll not in {not_rolled, roll}:
        raise IdentifierError(f"FIBS board, dice: {other_roll} for the player who is not on roll")
    if roll == not_rolled:
        return None
    if not all(1 <= die <= 6 for die in roll):
        raise IdentifierError(
            f"FIBS board, dice: expected two faces from 1 to 6, or 0 and 0, not {roll}"
        )
    return roll


def _with_owner(plain: PlainState, fields: Fields) -> PlainState:
    """The same state with the owner of the cube, and the double if one is pending.

    On FIBS nobody may double while a double is pending, and "was doubled" says that the opponent made it. GNU
    Backgammon goes on showing who owns the cube, the turn stays with the doubler, and "was doubled" is -1 where White
    must answer.
    """
    white_may = fields["player may double"]
    black_may = fields["opponent may double"]
    doubled = fields["was doubled"]
    if not white_may and not black_may:  # FIBS: a double is pending
        doubler = Player.BLACK if doubled else Player.WHITE
        owner = None if plain.cube == 1 else doubler  # nobody else may redouble
        return attrs.evolve(plain, on_roll=doubler, owner=owner, double=PlainDouble(doubler, 0))
    owner = None
    if white_may and not black_may:
        owner = Player.WHITE
    elif black_may and not white_may:
        owner = Player.BLACK
    plain = attrs.evolve(plain, owner=owner)
    if not doubled:
        return plain
    # GNU Backgammon: a double is pending, and whoever beavers owns the cube at once
    doubler = plain.on_roll
    answerer = Player.WHITE if doubled < 0 else Player.BLACK
    if owner is not doubler.opponent:
        beavers = 0
    elif answerer is doubler:
        beavers = 1
    else:  # the doubler has made a raccoon of the beaver
        beavers = 2
    return with_gnubg_offer(plain, beavers, "FIBS board")


def _with_crawford(plain: PlainState, fields: Fields) -> PlainState:
    """The same state, with crawford=False if this cannot be the Crawford game.

    No field says that it is one: the score and "did Crawford" decide, if the rules have a Crawford game.
    """
    is_turned = plain.cube > 1 or plain.owner is not None or plain.double is not None
    redoubles = fields["redoubles"]
    if is_turned or fields["did Crawford"] or redoubles == _UNLIMITED_REDOUBLES:
        return attrs.evolve(plain, crawford=False)
    if plain.length is None:
        return plain
    # GNU Backgammon writes 0 in the Crawford game, which leaves no doubt
    if redoubles == 0:
        return plain
    one_point_from_winning = plain.length - 1
    players_at_that_score = plain.score.count(one_point_from_winning)
    if players_at_that_score == 1:
        return attrs.evolve(plain, doubts=(_MAYBE_CRAWFORD,))
    return plain


def write(state: MatchState, names: Sequence[str]) -> str:
    """The line that FIBS sends to White."""
    can_move = 0
    if state.dice is not None and state.on_roll is Player.WHITE:
        # all legal plays have as many moves
        can_move = len(state.position.legal_plays(state.dice)[0].moves)
    return encode(plain_game(state), names, can_move)


def read_back(_state: MatchState, plain: PlainState) -> PlainState:
    """The state that a reader takes from the line of a state, whose score is cut in `plain`."""
    return decode(encode(plain))


def encode(plain: PlainState, names: Sequence[str] = ("White", "Black"), can_move: int = 0) -> str:
    """The board line that White gets; `can_move` is how many of the dice White can play.

    The turn is 0 if no game is going on, and a beaver is written as the double before it.
    """
    refuse_large_score(plain.score, "FIBS board, player's score", "FIBS board, opponent's score")
    fields = fields_of_state(plain)
    if plain.game != "playing":
        fields["turn"] = 0
    if plain.double is not None:
        fields["player may double"] = 0
        fields["opponent may double"] = 0
        fields["was doubled"] = int(plain.double.by is Player.BLACK)  # White has been doubled
    if plain.length is None:
        fields["match length"] = max(_UNLIMITED)
    fields["can move"] = can_move
    return line(names, fields)


def fields_of_state(plain: PlainState) -> Fields:
    """The fields in which FIBS and GNU Backgammon agree; White's color is 1, and White moves down from point 24."""
    white, black = plain.sides
    checkers = plain.checkers
    assert checkers is not None  # a state knows how many there are
    past_crawford = False
    # a match to 1 point has no Crawford game
    if plain.length is not None and plain.length > 1 and not plain.crawford:
        one_point_from_winning = plain.length - 1
        past_crawford = one_point_from_winning in plain.score
    white_on_roll = plain.on_roll is Player.WHITE
    first_die, second_die = plain.dice or (0, 0)
    dice_of_both = (first_die, second_die, 0, 0)
    if not white_on_roll:
        dice_of_both = (0, 0, first_die, second_die)
    fields = {
        "match length": plain.length or 0,
        "player's score": plain.score[0],
        "opponent's score": plain.score[1],
        "turn": 1 if white_on_roll else -1,
        "cube": plain.cube,
        "player may double": int(plain.owner is not Player.BLACK),
        "opponent may double": int(plain.owner is not Player.WHITE),
        "was doubled": 0,
        "color": 1,
        "direction": -1,
        "home": 0,
        "bar": 25,
        "player's checkers off": checkers - sum(white),
        "opponent's checkers off": checkers - sum(black),
        "player's checkers on the bar": white[-1],
        "opponent's checkers on the bar": black[-1],
        "can move": 0,
        "forced move": 0,
        "did Crawford": int(past_crawford),
        "redoubles": 0,
    }
    fields.update(zip(DICE, dice_of_both, strict=True))
    # places 0 and 25 are the bars, Black's and White's; White's checkers are positive
    white_by_place = (0, *white)
    black_by_place = (*reversed(black), 0)
    for name, of_white, of_black in zip(_COUNTS, white_by_place, black_by_place, strict=True):
        fields[name] = of_white - of_black
    return fields


def line(names: Sequence[str], fields: Fields) -> str:
    """The line with these names and numbers."""
    numbers = [str(fields[name]) for name in _NAMES]
    return _PREFIX + ":".join([*names, *numbers])


def checked_names(names: object) -> list[str]:
    """Check the argument `names` of a writer.

    Raises:
        ArgumentError: it is not a pair of names that every reader of such lines accepts.
    """
    pair = items_of_pair(names)
    if pair is not None:
        # "" for what is no text, which is refused too
        texts = [plain_text(name) or "" for name in pair]
        if all(_NAME.fullmatch(text) for text in texts):
            return texts
    allowed = f"1 to {MAX_NAME_LENGTH} letters, digits and underscores, not only digits"
    raise ArgumentError(f"names must be two texts of {allowed}, not {shown(names)}")
