"""The board lines of GNU Backgammon: the one that asks its player `external`, and the one that it sends to a bot.

Both differ from the board line of FIBS: names and scores are exchanged if the player on turn is asked, the cube's owner
is shown while a double is pending, and the last field says that this is not the Crawford game.
"""

from __future__ import annotations

import re

import attrs

from gammonrules._shared.identifier_text import bounded, whole_field
from gammonrules.errors import IdentifierError
from gammonrules.identifiers import fibs_board
from gammonrules.identifiers.lost_fields import checked_plain, lost_fields
from gammonrules.identifiers.plain_state import (
    PlainState,
    checked_rules,
    plain_state,
    with_cube_on_offer,
    with_score_cut,
)
from gammonrules.identifiers.read_identifiers import state_of
from gammonrules.identifiers.write_identifiers import refuse_loss
from gammonrules.match import MatchState
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.values import shown

_LONGEST_LINE = 254
"""Bytes; 255 end the process of GNU Backgammon 1.07."""
LONGEST_GNUBG_MATCH = 64
"""Points; GNU Backgammon shortens a longer one."""
_QUOTED_NAME = re.compile(r'"[^"]*"')
_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_RULES = ("jacobyrule", "crawfordrule", "beavers")


def to_gnubg_line(state: MatchState, *, names: tuple[str, str] = ("White", "Black")) -> str:
    """The line with which the player `external` of GNU Backgammon is asked what to do.

    Args:
        state: a game in progress.
        names: those of White and Black, as in `MatchState.to_fibs_board`.

    Raises:
        IdentifierError: the state would not come back by `from_gnubg_line` with its own rules, as before the opening
            roll, or if a player resigns under a double or out of turn; a beaver is pending; the match is to more than
            64 points; the names are so long that the line would have more than 254 characters.
        ArgumentError: `state` is not a `MatchState`, or `names` are not two names.

    Examples:
        >>> from gammonrules import MatchState
        >>> to_gnubg_line(MatchState.new(7).opening_roll(3, 1))[-52:]
        '0:0:0:0:1 JACOBYRULE OFF CRAWFORDRULE ON BEAVERS OFF'
    """
    plain = checked_plain(state)
    if plain.double is not None and plain.double[1]:
        raise IdentifierError("gnubg line: GNU Backgammon cannot be asked to answer a beaver")
    if (plain.length or 0) > LONGEST_GNUBG_MATCH:
        raise IdentifierError(f"gnubg line: the match is to {plain.length} points, more than {LONGEST_GNUBG_MATCH}")
    line = _with_options(plain, state.rules, names)
    if len(line) > _LONGEST_LINE:
        raise IdentifierError(f"gnubg line: it would have {len(line)} characters, more than {_LONGEST_LINE}")
    refuse_loss("a gnubg line", lost_fields(state, _line_state(line)[0], state.rules))
    return line


def gnubg_line(state: MatchState) -> str:
    """The same for a state that is known to fit, several times as fast: nothing is read back."""
    return _with_options(plain_state(state), state.rules, ("w", "b"))


def _with_options(plain: PlainState, rules: Rules, names: tuple[str, str]) -> str:
    values = (rules.jacoby, rules.crawford, rules.beavers)
    options = [f"{name.upper()} {'ON' if value else 'OFF'}" for name, value in zip(_RULES, values, strict=True)]
    if plain.resignation is not None:
        options.append(f"RESIGNATION {plain.resignation[1]}")
    return " ".join((_fibs_line(plain, names), *options))


def from_gnubg_line(text: str, rules: Rules | None = None) -> MatchState:
    """Read the line with which GNU Backgammon is asked what to do; White is its color 1.

    Args:
        text: the line; its options override the rules.
        rules: as in `identifiers.read`, and so are the errors.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7).opening_roll(3, 1).resign()
        >>> from_gnubg_line(to_gnubg_line(state)) == state
        True
    """
    plain, crawford_rule = _line_state(bounded(text, "gnubg line"))
    rules = checked_rules(rules) or (MONEY if plain.length is None else TOURNAMENT)
    if crawford_rule is not None:
        rules = attrs.evolve(rules, crawford=crawford_rule)
    return state_of(plain, "gnubg line", rules, None)


def to_bot_line(state: MatchState, *, names: tuple[str, str] = ("White", "Black")) -> str:
    """The line that GNU Backgammon sends to a bot, without the line feed and NUL after it; White is its player 1.

    Arguments and errors are those of `to_gnubg_line`, but a first beaver may be pending and no resignation, and the
    match and the line may be longer.

    Examples:
        >>> from gammonrules import MatchState
        >>> to_bot_line(MatchState.new(7).opening_roll(3, 1))[:35]
        'board:Black:White:7:0:0:0:-2:0:0:0:'
    """
    line = _fibs_line(checked_plain(state), names)
    refuse_loss("a bot line", lost_fields(state, _from_board(line), state.rules))
    return line


def from_bot_line(text: str, rules: Rules | None = None) -> MatchState:
    r"""Read the line that GNU Backgammon sends to a bot, with NULs around it or not; White is its player 1.

    Arguments and errors are those of `identifiers.read`, which has `checkers` and `doubled_turn` besides.

    Examples:
        >>> from gammonrules import MatchState
        >>> state = MatchState.new(7).opening_roll(3, 1)
        >>> from_bot_line(f"\0{to_bot_line(state)}\n") == state
        True
    """
    return state_of(_from_board(bounded(text, "bot line").strip("\0\r\n")), "bot line", rules, None)


def _fibs_line(plain: PlainState, names: object) -> str:
    white, black = fibs_board.checked_names(names)
    fields = fibs_board.fields_of_state(with_score_cut(with_cube_on_offer(plain)))
    fields |= zip(fibs_board.DICE, 2 * (plain.dice or (0, 0)), strict=True)
    fields |= {"player's checkers on the bar": 0, "opponent's checkers on the bar": 0, "redoubles": not plain.crawford}
    fields["was doubled"] = int(plain.double is not None)
    if plain.double is not None and plain.double[1] == 0:
        return fibs_board.line((white, black), fields)
    return fibs_board.line((black, white), _exchanged(fields))


def _from_board(board: str) -> PlainState:
    """What a board line says in GNU Backgammon's way: if the turn is not the owner's, who doubled answers a beaver."""
    fields = fibs_board.fields_of_line(board)
    of_white, of_black = fields["player may double"], fields["opponent may double"]
    is_white, nobody = fields["turn"] == fields["color"], not of_white and not of_black
    doubled = nobody or fields["was doubled"]
    if not doubled or (of_white != of_black and of_black == is_white):
        fields = _exchanged(fields)
    if doubled:
        fields["was doubled"] = 1 if not is_white else 0 if nobody else -1
    fields["did Crawford"] |= bool(fields["redoubles"])
    return fibs_board.from_fields(fields)


def _exchanged(fields: fibs_board.Fields) -> fibs_board.Fields:
    return fields | {"player's score": fields["opponent's score"], "opponent's score": fields["player's score"]}


def _line_state(line: str) -> tuple[PlainState, bool | None]:
    """What a line and its options say, and whether the Crawford rule is on; None if they do not say."""
    board, *words = _QUOTED_NAME.sub("name", line).lower().split() or [""]
    plain, options = _from_board(board), dict(zip(words[::2], words[1::2], strict=False))
    level = whole_field("gnubg line, RESIGNATION", options.pop("resignation", "0"), range(4))
    wrong = [name for name, value in options.items() if name not in _RULES or value not in _SWITCH]
    if wrong or len(words) % 2:
        raise IdentifierError(f"gnubg line: {shown(' '.join(words))} are not its options")
    jacoby, crawford, beavers = (_SWITCH.get(options.get(name, "")) for name in _RULES)
    if level and plain.double is None:
        plain = attrs.evolve(plain, resignation=(plain.on_roll, level))
    return attrs.evolve(plain, jacoby=jacoby, beavers=beavers), crawford
