"""The board lines of GNU Backgammon: the one that asks its player `external`, and the one that it sends to a bot.

Both differ from the board line of FIBS: names and scores are exchanged if the player on turn is asked, the cube's owner
is shown while a double is pending, and the last field says that this is not the Crawford game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import attrs

from gammonrules._shared.identifier_text import bounded, pasted, whole_field
from gammonrules.errors import IdentifierError
from gammonrules.identifiers import fibs_board
from gammonrules.identifiers.plain_state import (
    PlainResignation,
    PlainState,
    plain_state,
    with_cube_on_offer,
    with_score_cut,
)
from gammonrules.match import MatchState, Player
from gammonrules.rules import Rules
from gammonrules.values import shown

_MAX_LINE_LENGTH = 254
"""Bytes; 255 end the process of GNU Backgammon 1.07."""
MAX_GNUBG_MATCH_LENGTH = 64
"""Points; GNU Backgammon shortens a longer one."""
_QUOTED_NAME = re.compile(r'"[^"]*"')
_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_SHORT_NAMES = "w", "b"
"""Names for a line that nobody shows, since a line may not be long."""
_RULES = ("jacobyrule", "crawfordrule", "beavers")


def is_meant(text: str) -> bool:
    """Whether a text looks like the line with its options."""
    return fibs_board.is_meant(text) and _RULES[0] in text.lower()


def write_bot_line(state: MatchState, names: Sequence[str]) -> str:
    """The line that GNU Backgammon sends to a bot, of a state."""
    return encode_bot_line(plain_state(state), names)


def read_back_bot_line(_state: MatchState, plain: PlainState) -> PlainState:
    """The state that a reader takes from a bot line of a state, whose score is cut in `plain`."""
    return decode_bot_line(encode_bot_line(plain, _SHORT_NAMES))


def read_back_gnubg_line(state: MatchState, plain: PlainState) -> PlainState:
    """The same from the line with its options, and from a match of at most 64 points."""
    if plain.length is not None:
        plain = attrs.evolve(plain, length=min(plain.length, MAX_GNUBG_MATCH_LENGTH))
    return decode_gnubg_line(with_options(plain, state.rules, _SHORT_NAMES))


def encode_gnubg_line(state: MatchState, names: Sequence[str]) -> str:
    """The line with which the player `external` of GNU Backgammon is asked what to do.

    Raises:
        IdentifierError: a beaver is pending; the match is to more than 64 points; the names are so long that the line
            would have more than 254 characters.
    """
    plain = plain_state(state)
    if plain.double is not None and plain.double.beavers:
        raise IdentifierError("gnubg line: GNU Backgammon cannot be asked to answer a beaver")
    if (plain.length or 0) > MAX_GNUBG_MATCH_LENGTH:
        raise IdentifierError(
            f"gnubg line: the match is to {plain.length} points, more than {MAX_GNUBG_MATCH_LENGTH}"
        )
    line = with_options(plain, state.rules, names)
    if len(line) > _MAX_LINE_LENGTH:
        raise IdentifierError(
            f"gnubg line: it would have {len(line)} characters, more than {_MAX_LINE_LENGTH}"
        )
    return line


def gnubg_line(state: MatchState) -> str:
    """The same for a state that is known to fit, several times as fast: nothing is read back."""
    return with_options(plain_state(state), state.rules, _SHORT_NAMES)


def with_options(plain: PlainState, rules: Rules, names: Sequence[str]) -> str:
    """The line, whether or not GNU Backgammon can answer it."""
    words = [encode_bot_line(plain, names)]
    values = (rules.jacoby, rules.crawford, rules.beavers)
    for name, value in zip(_RULES, values, strict=True):
        words.append(f"{name.upper()} {'ON' if value else 'OFF'}")
    if plain.resignation is not None:
        words.append(f"RESIGNATION {plain.resignation.level}")
    return " ".join(words)


def encode_bot_line(plain: PlainState, names: Sequence[str]) -> str:
    """The line that GNU Backgammon sends to a bot, without the line feed and NUL after it."""
    white, black = names
    fields = fibs_board.fields_of_state(with_score_cut(with_cube_on_offer(plain)))
    first_die, second_die = plain.dice or (0, 0)
    # the roll stands there for either player
    dice_of_both = (first_die, second_die, first_die, second_die)
    fields.update(zip(fibs_board.DICE, dice_of_both, strict=True))
    fields["player's checkers on the bar"] = 0
    fields["opponent's checkers on the bar"] = 0
    fields["redoubles"] = int(not plain.crawford)
    fields["was doubled"] = int(plain.double is not None)
    if plain.double is not None and plain.double.beavers == 0:
        return fibs_board.line((white, black), fields)
    # names and scores are exchanged if the player on turn is asked, not the opponent
    return fibs_board.line((black, white), _exchanged(fields))


def decode_bot_line(text: str) -> PlainState:
    """The state of a board line as GNU Backgammon has it: the doubler keeps the turn while a double is pending."""
    line = bounded(text, "bot line").strip("\0\r\n")
    fields = fibs_board.fields_of_line(pasted(line, "bot line"))
    white_may = fields["player may double"]
    black_may = fields["opponent may double"]
    owner = None
    if white_may and not black_may:
        owner = Player.WHITE
    elif black_may and not white_may:
        owner = Player.BLACK
    on_roll = Player.WHITE if fields["turn"] == fields["color"] else Player.BLACK
    nobody_may = not white_may and not black_may
    is_doubled = nobody_may or fields["was doubled"] != 0
    has_beaver = is_doubled and owner is on_roll.opponent
    is_opponent_asked = is_doubled and not has_beaver
    if not is_opponent_asked:
        fields = _exchanged(fields)
    if is_doubled:
        # `fibs_board` reads who doubled where nobody may double: 1 is Black, 0 White;
        # and else who must answer: 1 is Black, -1 White
        if on_roll is Player.BLACK:
            fields["was doubled"] = 1
        elif nobody_may:
            fields["was doubled"] = 0
        else:
            fields["was doubled"] = -1
    if fields["redoubles"]:  # this line says so in any game but the Crawford game
        fields["did Crawford"] = 1
    return fibs_board.from_fields(fields)


def _exchanged(fields: fibs_board.Fields) -> fibs_board.Fields:
    return fields | {
        "player's score": fields["opponent's score"],
        "opponent's score": fields["player's score"],
    }


def decode_gnubg_line(text: str) -> PlainState:
    """The state that the line which asks GNU Backgammon, and its options, describe."""
    line = _QUOTED_NAME.sub("name", pasted(text, "gnubg line")).lower()
    without_blanks = line.replace(" :", ":").replace(": ", ":")
    board, _, rest = without_blanks.partition(" ")
    words = rest.split()
    plain = decode_bot_line(board)
    names = words[::2]
    values = words[1::2]
    options = dict(zip(names, values, strict=False))  # a name without a value is refused below
    level = whole_field("gnubg line, RESIGNATION", options.pop("resignation", "0"), range(4))
    are_in_pairs = len(names) == len(values)
    are_names_known = options.keys() <= set(_RULES)
    are_switches = set(options.values()) <= _SWITCH.keys()
    if not (are_in_pairs and are_names_known and are_switches):
        raise IdentifierError(f"gnubg line: {shown(' '.join(words))} are not its options")
    if level > 0 and plain.double is None:
        plain = attrs.evolve(plain, resignation=PlainResignation(plain.on_roll, level))
    rules = {name: _SWITCH[value] for name, value in options.items()}
    return attrs.evolve(
        plain,
        jacoby=rules.get("jacobyrule"),
        beavers=rules.get("beavers"),
        crawford_rule=rules.get("crawfordrule"),
    )
