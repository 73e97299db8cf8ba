"""OGID, OpenGammon's identifier of a match state.

`P1:P2:CUBE:DICE:COLOR:STATE:S1:S2:LEN:MOVEID[:N]`; the fields after COLOR may be missing. P1 and P2 are White's and
Black's checkers, one character for the place of each checker: `0` White's bar, `1` to `9` and `a` to `o` the points 1
to 24 as Black numbers them, `p` Black's bar, `q` borne off. COLOR acted last, and the opponent acts next; while a
double is pending, COLOR is the doubler, and CUBE is as before the offer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import attrs

from gammonrules._shared.identifier_text import first_word, pasted, whole_field, without_label
from gammonrules.board import START_NAMES, Position
from gammonrules.board.internals import STANDARD_CHECKERS
from gammonrules.errors import IdentifierError
from gammonrules.identifiers.plain_state import (
    NUMBERS,
    PlainState,
    Side,
    offered,
    plain_game,
    refuse_large_score,
    side_of,
    with_cube_on_offer,
    with_doubt,
)
from gammonrules.match import MatchState, Player
from gammonrules.values import shown

_NAMES: tuple[str, ...] = (
    "P1",
    "P2",
    "CUBE",
    "DICE",
    "COLOR",
    "STATE",
    "S1",
    "S2",
    "LEN",
    "MOVEID",
    "N",
)
_REQUIRED = 5
"""COLOR is required, since it says who is on roll."""
_PLACES = "0123456789abcdefghijklmnopq"
_BAR = 25
_OFF = 26
_PLAYERS: Mapping[str, Player] = {"W": Player.WHITE, "B": Player.BLACK}
_LETTERS: Mapping[Player | None, str] = {Player.WHITE: "W", Player.BLACK: "B", None: "N"}
_CUBE = re.compile(r"([WBND?])([0-9]{1,2})([NOTP])", re.ASCII)
_LENGTH = re.compile(r"([0-9]+)([CL]?)(?:G[0-9]+)?", re.ASCII)
"""C is the Crawford game; L, the last game of the match, and G, the most games, are not read."""
is_meant = re.compile("[0-9a-z]{0,15}:[0-9a-z]{0,15}:[A-Z?][0-9]").match
"""Whether a text without a label begins as one, even with mistakes in it."""

_OPENING = "IB"
_OVER = "G"
_WHITE_BEGINS = "IW"
_DOUBLED = "D"
_ROLLED = "R"
_TO_ROLL = "C"
_TAKEN = "A"
_FITTING: Mapping[str, frozenset[str]] = {
    _DOUBLED: frozenset({_DOUBLED}),
    _ROLLED: frozenset({_ROLLED, _OPENING, _WHITE_BEGINS}),
    _TO_ROLL: frozenset({_TO_ROLL, _TAKEN, _OPENING, _WHITE_BEGINS}),
}
"""What STATE may say while a double is pending, with dice, and before a roll."""
_BY_THE_OPPONENT = "the double is read as made by the opponent of COLOR, who cannot have doubled"


def write(state: MatchState, _names: Sequence[str]) -> str:
    """The OGID of a state. Raises IdentifierError as `encode` does."""
    return encode(plain_game(state))


def read_back(state: MatchState, plain: PlainState) -> PlainState:
    """The state that a reader takes from the OGID of a state, whose score is cut in `plain`."""
    game = "opening" if state.on_roll is None else plain.game
    return decode(encode(attrs.evolve(plain, game=game)))


def encode(plain: PlainState) -> str:
    """The OGID of a state, without its result or an offer to resign; a beaver is written as taken.

    Raises:
        IdentifierError: a score is above 10^9.
    """
    if plain.double is not None and plain.double.beavers > 0:
        # an OGID has no beavers: the last one is written as taken, which doubles the cube once more
        on_offer = with_cube_on_offer(plain)
        plain = attrs.evolve(on_offer, cube=2 * on_offer.cube, double=None)
    refuse_large_score(plain.score, "OGID, S1", "OGID, S2")
    white, black = plain.sides
    # places are numbered as Black's points are: White's own 25, the bar, is place 0
    white_places = [_PLACES[_BAR - point] * white[point - 1] for point in range(_BAR, 0, -1)]
    black_places = [_PLACES[point] * black[point - 1] for point in range(1, _BAR + 1)]
    exponent = plain.cube.bit_length() - 1
    acted_last = plain.on_roll.opponent if plain.double is None else plain.double.by
    white_score, black_score = plain.score
    crawford = "C" if plain.crawford else ""
    fields = {
        "P1": "".join(white_places),
        "P2": "".join(black_places),
        "CUBE": f"{_LETTERS[plain.owner]}{exponent}{_cube_action(plain)}",
        "DICE": "".join(map(str, sorted(plain.dice or ()))),
        "COLOR": _LETTERS[acted_last],
        "STATE": _state_letters(plain),
        "S1": str(white_score),
        "S2": str(black_score),
        "LEN": f"{plain.length or 0}{crawford}",
        "MOVEID": "0",
    }
    if plain.checkers not in {None, STANDARD_CHECKERS}:
        fields["N"] = str(plain.checkers)
    return ":".join(fields.values())


def _cube_action(plain: PlainState) -> str:
    if plain.game == "dropped":
        return "P"
    return "N" if plain.double is None else "O"


def _state_letters(plain: PlainState) -> str:
    if plain.game not in {"opening", "playing"}:
        return _OVER
    if plain.game == "opening":
        return _OPENING
    is_opening_roll = plain.dice is not None and plain.sides in _STARTS
    if is_opening_roll:  # OpenGammon writes the same then
        return _OPENING
    return _phase(plain.dice, doubled=plain.double is not None)


def _phase(dice: tuple[int, int] | None, *, doubled: bool) -> str:
    if doubled:
        return _DOUBLED
    return _TO_ROLL if dice is None else _ROLLED


_START_SIDES = [side_of(Position.start(name)) for name in START_NAMES]
_STARTS = frozenset((side, side) for side in _START_SIDES)


def decode(text: str) -> PlainState:
    """The state that an OGID describes.

    Raises:
        IdentifierError: the text is not an OGID, does not say who is on roll, or says that the game is over; the
            message names the field.
    """
    fields = _fields(text)
    acted_last = fields["COLOR"]
    if acted_last not in _PLAYERS:
        raise IdentifierError(
            f"OGID, COLOR: expected W or B, for the player on roll, not {shown(acted_last)}"
        )
    length = _LENGTH.fullmatch(fields["LEN"] or "0")
    if length is None:
        raise IdentifierError(
            f"OGID, LEN: expected a whole number, and C, L or G after it, not {shown(fields['LEN'])}"
        )
    white = _places(fields, "P1", Player.WHITE)
    black = _places(fields, "P2", Player.BLACK)
    plain = PlainState(
        sides=(_side_from(white, Player.WHITE), _side_from(black, Player.BLACK)),
        off=(white[_OFF] or None, black[_OFF] or None),
        checkers=_number_field("N", fields["N"]) or None,
        on_roll=_PLAYERS[acted_last].opponent,
        dice=_roll_of(fields["DICE"]),
        score=(_number_field("S1", fields["S1"]), _number_field("S2", fields["S2"])),
        length=_number_field("LEN", length[1]) or None,
        crawford=length[2] == "C",
    )
    return _with_state(plain, fields)


def _fields(text: str) -> Mapping[str, str]:
    word = first_word(without_label(pasted(text, "OGID"), "OGID"))
    values = word.split(":") if word else []
    if not _REQUIRED <= len(values) <= len(_NAMES):
        expected = f"{_REQUIRED} to {len(_NAMES)} fields with colons between them"
        raise IdentifierError(f"OGID: expected {expected}, not {len(values)}")
    fields = dict.fromkeys(_NAMES, "")  # those that are missing are empty
    fields.update(zip(_NAMES, values, strict=False))
    return fields


def _places(fields: Mapping[str, str], name: str, player: Player) -> list[int]:
    """The number of checkers of one side on each place."""
    counts = [0] * len(_PLACES)
    opponents_bar = _BAR if player is Player.WHITE else 0
    for character in fields[name]:
        place = _PLACES.find(character)
        if place in {-1, opponents_bar}:
            raise IdentifierError(
                f"OGID, {name}: a checker of this side cannot be on {character!r}"
            )
        counts[place] += 1
    return counts


def _side_from(places: Sequence[int], player: Player) -> Side:
    """The checkers of one side in its own numbering."""
    points_and_bars = places[: _BAR + 1]
    if player is Player.WHITE:
        points_and_bars = points_and_bars[::-1]
    return tuple(points_and_bars[1:])  # without the opponent's bar


def _number_field(name: str, text: str) -> int:
    return whole_field(f"OGID, {name}", text or "0", NUMBERS)


def _roll_of(text: str) -> tuple[int, int] | None:
    if not text:
        return None
    if not re.fullmatch("[1-6]{2}", text):
        raise IdentifierError(
            f"OGID, DICE: expected two faces from 1 to 6 or nothing, not {shown(text)}"
        )
    return int(text[0]), int(text[1])


def _with_state(plain: PlainState, fields: Mapping[str, str]) -> PlainState:
    """The same state, with what CUBE and STATE say."""
    cube = _CUBE.fullmatch(fields["CUBE"])
    state = fields["STATE"]
    if cube is None:
        expected = "owner, exponent and action (as in W1N)"
        raise IdentifierError(f"OGID, CUBE: expected {expected}, not {shown(fields['CUBE'])}")
    letter, exponent, action = cube.groups()
    if action == "P":
        raise IdentifierError(
            "OGID, CUBE: the game is over by a drop (P), and the text does not give its result"
        )
    if state == _OVER:
        raise IdentifierError(
            f"OGID, STATE: the game is over ({_OVER}), and the text does not give its result"
        )
    phase = _phase(plain.dice, doubled=action == "O")
    plain = _with_cube(plain, letter, 1 << int(exponent))
    if state and state not in _FITTING[phase]:
        doubt = f"STATE {shown(state)} is not read"
        is_of_another_phase = any(state in fitting for fitting in _FITTING.values())
        if is_of_another_phase:
            doubt += ": CUBE and DICE say otherwise"
        plain = with_doubt(plain, doubt)
    if phase == _DOUBLED:
        doubler = plain.on_roll.opponent  # COLOR, who acted last
        return offered(plain, by=doubler, beavers=0, otherwise=_BY_THE_OPPONENT)
    if phase == _TO_ROLL and state == _OPENING:
        return attrs.evolve(plain, on_roll=Player.WHITE, game="opening")
    if phase == _TO_ROLL and state == _WHITE_BEGINS:
        return attrs.evolve(plain, on_roll=Player.WHITE, game="playing")
    return plain


def _with_cube(plain: PlainState, letter: str, value: int) -> PlainState:
    owner = _PLAYERS.get(letter)
    is_owner_unclear = owner is None and letter != _LETTERS[None]
    if is_owner_unclear and value > 1:
        raise IdentifierError(f"OGID, CUBE: the owner of a cube of {value} is unknown ({letter})")
    if is_owner_unclear:
        plain = with_doubt(plain, f"the cube's owner {letter!r} is read as a centered cube")
    return attrs.evolve(plain, cube=value, owner=owner)
