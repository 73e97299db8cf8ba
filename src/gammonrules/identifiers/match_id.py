"""GNU Backgammon's Match ID: a match state without the board, in 12 characters.

Nine bytes, least significant bit first, contain the fields of `_FIELDS` one after the other. GNU Backgammon's player 1
is White, player 0 is Black.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping

import attrs

from gammonrules._shared.identifier_text import base64_characters
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_state import (
    Game,
    PlainResignation,
    PlainState,
    with_a_raccoon_at_most,
    with_cube_on_offer,
    with_gnubg_offer,
)
from gammonrules.match import Player
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
"""Every field with its width in bits, in order."""
_GAMES: tuple[Game, ...] = ("opening", "playing", "played", "resigned", "dropped")
_PLAYERS = Player.BLACK, Player.WHITE
"""By the numbers that GNU Backgammon has for them."""
_CENTERED = 3
_HIGHEST_FACE = 6
_OTHER_TURN = "without an offer the player on roll decides, so the turn of the opponent is not read"
_HIDDEN_BEAVERS = "the resignation hides how many beavers there were; one is assumed"

is_meant = re.compile("[A-Za-z0-9+/]{12}").fullmatch
"""Whether a text without a label is one."""


def encode(plain: PlainState) -> str:
    """The Match ID of a state.

    Raises:
        IdentifierError: a number needs more bits than its field has.
    """
    plain = with_cube_on_offer(with_a_raccoon_at_most(plain))
    high, low = plain.dice or (0, 0)
    white, black = plain.score
    owner = _CENTERED if plain.owner is None else _PLAYERS.index(plain.owner)
    turn = plain.on_roll if plain.turn is None else plain.turn
    level = 0 if plain.resignation is None else plain.resignation.level
    is_jacoby_game = plain.length is None and bool(plain.jacoby)
    values = {
        "cube": plain.cube.bit_length() - 1,
        "cube owner": owner,
        "player on roll": _PLAYERS.index(plain.on_roll),
        "Crawford": int(bool(plain.crawford)),
        "game state": _GAMES.index(plain.game),
        "turn": _PLAYERS.index(turn),
        "double": int(plain.double is not None),
        "resignation": level,
        "first die": high,
        "second die": low,
        "match length": plain.length or 0,
        "score of player 0": black,
        "score of player 1": white,
        "no Jacoby": int(not is_jacoby_game),
        "unused bits": 0,
    }
    return b64encode(_one_number(values).to_bytes(_BYTES, "little")).decode("ascii")


def capped_state(plain: PlainState) -> PlainState:
    """The same state, with numbers capped at what a Match ID can hold."""
    plain = with_a_raccoon_at_most(plain)
    beavers = 0 if plain.double is None else plain.double.beavers
    highest = {name: (1 << width) - 1 for name, width in _FIELDS.items()}
    white, black = plain.score
    length = plain.length
    if length is not None:
        length = min(length, highest["match length"])
    # the cube is written as the beavers have turned it: each takes one power of two
    highest_power = highest["cube"] - beavers
    return attrs.evolve(
        plain,
        cube=min(plain.cube, 1 << highest_power),
        score=(min(white, highest["score of player 1"]), min(black, highest["score of player 0"])),
        length=length,
    )


def decode(text: str) -> PlainState:
    """The state that a Match ID describes, all but the board.

    Raises:
        IdentifierError: the text is not a Match ID, or the game is not in progress; the message names the field.
    """
    body = base64_characters(text, "Match ID", LENGTH)
    values = _fields_in(int.from_bytes(b64decode(body), "little"))
    _refuse_fields(values)
    on_roll = _PLAYERS[values["player on roll"]]
    turn = _PLAYERS[values["turn"]]
    level = values["resignation"]
    length = values["match length"]
    owner = None
    if values["cube owner"] in {0, 1}:
        owner = _PLAYERS[values["cube owner"]]
    beavers = None  # no double is pending
    if values["double"]:
        beavers = _beavers(level, owner, on_roll, turn)
    is_offer_pending = beavers is not None or level > 0
    doubts: list[str] = []
    # two beavers need a cube of 4 or more, that is 2 to the power of "cube"
    could_be_two_beavers = beavers == 1 and values["cube"] > 1
    if could_be_two_beavers and level > 0:
        doubts.append(_HIDDEN_BEAVERS)
    if turn is not on_roll and not is_offer_pending:
        doubts.append(_OTHER_TURN)
    dice = None
    if values["first die"] > 0:
        dice = (values["first die"], values["second die"])
    resignation = None
    if level > 0:  # who must answer it has the turn
        resignation = PlainResignation(turn.opponent, level)
    plain = PlainState(
        on_roll=on_roll,
        dice=dice,
        cube=1 << values["cube"],
        owner=owner,
        resignation=resignation,
        score=(values["score of player 1"], values["score of player 0"]),
        length=length or None,
        crawford=bool(values["Crawford"]),
        jacoby=None if length else not values["no Jacoby"],
        doubts=tuple(doubts),
    )
    return plain if beavers is None else with_gnubg_offer(plain, beavers, "Match ID")


def _one_number(values: Mapping[str, int]) -> int:
    """The fields as one number."""
    bits = 0
    shift = 0
    for name, width in _FIELDS.items():
        value = values[name]
        limit = (1 << width) - 1
        if value > limit:
            power = "2^" if name == "cube" else ""
            sentence = f"{power}{limit} is the most that it can hold, not {power}{shown(value)}"
            raise IdentifierError(f"Match ID, {name}: {sentence}")
        bits |= value << shift
        shift += width
    return bits


def _fields_in(bits: int) -> dict[str, int]:
    """The fields of one number."""
    values: dict[str, int] = {}
    for name, width in _FIELDS.items():
        values[name] = bits & ((1 << width) - 1)
        bits >>= width
    return values


def _refuse_fields(values: Mapping[str, int]) -> None:
    """Raise IdentifierError for the first invalid field, or if the game is not in progress."""
    unused = values["unused bits"]
    if unused:
        raise IdentifierError(f"Match ID, unused bits: they are 0, not {unused:05b}")
    state = values["game state"]
    if state >= len(_GAMES):
        raise IdentifierError(f"Match ID, game state: expected 0 to {len(_GAMES) - 1}, not {state}")
    if state > _GAMES.index("playing"):
        over = f"the game is over (game state {state}), and the text does not give its result"
        raise IdentifierError(f"Match ID, game state: {over}")
    first = values["first die"]
    second = values["second die"]
    # before the first decision of a game GNU Backgammon has this state too, but then there are dice
    is_not_begun = _GAMES[state] == "opening"
    if is_not_begun and first == 0 and second == 0:
        raise IdentifierError("Match ID, game state: no game in progress (game state 0)")
    highest = max(first, second)
    if highest > _HIGHEST_FACE:
        raise IdentifierError(f"Match ID, dice: a die shows 1 to {_HIGHEST_FACE}, not {highest}")
    is_first_rolled = first > 0
    is_second_rolled = second > 0
    if is_first_rolled != is_second_rolled:
        expected = "either both or neither have been rolled"
        raise IdentifierError(f"Match ID, dice: {expected}, not {first} and {second}")
    if values["match length"] == 0 and values["Crawford"]:
        raise IdentifierError("Match ID, Crawford: money play has no Crawford game")


def _beavers(level: int, owner: Player | None, on_roll: Player, turn: Player) -> int:
    """The number of beavers that have followed a double, which the player on roll has made.

    Whoever beavers owns the cube at once. After one beaver the doubler must answer, after a raccoon the opponent.

    Args:
        level: that of an offer to resign, 0 without one. Its answer hides who must answer the double, and one beaver
            is assumed.
        owner: of the cube.
        on_roll: the doubler.
        turn: who must answer.
    """
    is_resignation_pending = level > 0
    is_doubler_to_answer = turn is on_roll
    has_beaver = owner is on_roll.opponent
    if has_beaver:
        return 1 if is_resignation_pending or is_doubler_to_answer else 2
    if is_doubler_to_answer and not is_resignation_pending:
        raise IdentifierError("Match ID, turn: the doubler's opponent answers a double")
    return 0
