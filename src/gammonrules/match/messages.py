"""What players send, and what the server adds to it: dice, and the starter or the board of a next game.

A message is an `Event`, or an object as JSON has it. A player says what they do, and decides a play or the level of a
resignation; everything else that an event can hold is the server's, and refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.json_form import described, version_of, word_of
from gammonrules.board import Move, Play, Position
from gammonrules.dice import Dice
from gammonrules.errors import ArgumentError, IllegalActionError, IllegalActionReason, ParseError
from gammonrules.limits import MAX_MOVES
from gammonrules.match.actions import Action, action_named
from gammonrules.match.events import Event, two_dice
from gammonrules.match.players import TO_ACT, Pair, Player, player_of
from gammonrules.values import first_items, is_mapping, items_of_pair, plain_text, shown

_FIELDS = ("type", "version", *(field.name for field in attrs.fields(Event)))
_FIELDS_OF_MOVE = tuple(field.name for field in attrs.fields(Move) if field.init)

_DECIDED_BY_PLAYER = frozenset({Action.PLAY, Action.RESIGN})
"""The actions whose argument a player decides."""
_DICE = ": the server throws the dice"
_DECIDED_BY_SERVER = {
    Action.ROLL: _DICE,
    Action.OPENING_ROLL: _DICE,
    Action.NEXT_GAME: ": the server says who starts, and on which board",
}
"""The actions whose argument the server decides, and how a refusal says so."""


def read_message(message: object, sender: Player) -> tuple[Action, object]:
    """The action that a player wants to do, and its argument, which is theirs but has yet to be checked.

    Raises:
        ParseError: the object has another field, type or version than an event.
        IllegalActionError: it says that somebody else acts.
        ArgumentError: it is no message, names no action, or has an argument that is not the player's.
    """
    fields = _fields_sent(message)
    action = action_named(fields.get("action"))
    if "by" in fields:
        _refuse_others(fields["by"], sender)
    argument = fields.get("argument")
    if argument is not None and action not in _DECIDED_BY_PLAYER:
        who_decides = _DECIDED_BY_SERVER.get(action, "")
        raise ArgumentError(f"{action} takes no argument, not {shown(argument)}{who_decides}")
    return action, argument


def _fields_sent(message: object) -> Mapping[Any, object]:
    if isinstance(message, Event):
        return {"action": message.action, "by": message.by, "argument": message.argument}
    if not is_mapping(message):
        raise ArgumentError(f"a message must be an Event or an object, not {shown(message)}")
    for name in message:
        if name not in _FIELDS:
            raise ParseError(f"a message has no field {shown(name)}")
    if "type" in message and plain_text(message["type"]) != Event.__name__:
        raise ParseError(f'the type of a message must be "Event", not {described(message["type"])}')
    if "version" in message:
        _ = version_of(message["version"])
    return message


def _refuse_others(by: object, sender: Player) -> None:
    """Raise IllegalActionError if a message says that anybody else acts than who has sent it."""
    if by is not TO_ACT and plain_text(by) not in {sender.value, word_of(TO_ACT)}:
        sentence = f"{sender.title()} cannot act as {shown(by)}: everybody acts for themselves"
        raise IllegalActionError(sentence, IllegalActionReason.UNKNOWN_PLAYER)


# --- a play -----------------------------------------------------------------------------------------------------------


def play_sent(argument: object) -> object:
    """A play in a form that `Event` takes, and checks.

    JSON has objects for moves, and for a `Play`, which brings the board and the roll that it belongs to.

    Raises:
        GammonError: an object is none of these, or is not legal on its own board.
    """
    return _play_of(argument) if is_mapping(argument) else _moves_sent(argument)


def _moves_sent(argument: object) -> Any:
    """Moves, at most one too many; anything else unchanged."""
    moves = first_items(argument, MAX_MOVES + 1)
    if moves is None:
        return argument
    return [_move_of(move) if is_mapping(move) else move for move in moves]


def _move_of(data: object) -> Move:
    return Move(**_exactly(data, Move, _FIELDS_OF_MOVE))


def _play_of(data: object) -> Play:
    fields = _exactly(data, Play, ("before", "dice", "moves"))
    board = _exactly(fields["before"], Position, ("points", "checkers"))
    before = Position.from_points(board["points"], checkers=board["checkers"])
    return before.legal_plays(fields["dice"]).find(_moves_sent(fields["moves"]))


def _exactly(data: object, kind: type, names: Sequence[str]) -> dict[str, Any]:
    """The fields of an object. Raises ParseError if they are others."""
    if is_mapping(data) and len(data) == len(names) and all(name in data for name in names):
        return {name: data[name] for name in names}
    raise ParseError(
        f"a {kind.__name__} must be an object with {', '.join(names)}, not {shown(data)}"
    )


# --- what the server adds ---------------------------------------------------------------------------------------------


def dice_thrown(action: Action, thrown: object) -> Dice | Pair[int]:
    """The argument of a roll or an opening roll, from what the server has thrown.

    Raises:
        ArgumentError: these are not two faces, or they are sorted, as `Dice` are, where the order says who starts.
        DiceError: a face is not a whole number from 1 to 6.
    """
    if isinstance(thrown, Dice):
        if action is Action.ROLL:
            return thrown
        why = "Dice have their higher face first, so White would always start"
        raise ArgumentError(
            f"roll() must give an opening roll as two ints, White's first, not {thrown!r}: {why}"
        )
    if items_of_pair(thrown) is None:
        raise ArgumentError(f"roll() must give two ints, in the order thrown, not {shown(thrown)}")
    pair = two_dice(thrown)
    return Dice(pair[0], pair[1]) if action is Action.ROLL else pair


def start_agreed(starter: object, position: object, *, is_over: bool) -> Player | Position | None:
    """The player who starts the next game, or its board, if the server says so.

    Raises:
        ArgumentError: `starter` is no player or `position` no `Position`; both are there; or no game is over.
    """
    if starter is None and position is None:
        return None
    if starter is not None and position is not None:
        raise ArgumentError("a next game takes a starter or a position, not both")
    if not is_over:
        raise ArgumentError(
            "starter and position are those of a next game, but this game is not over"
        )
    if position is None:
        return player_of(starter, "starter")
    check_kind("position", position, Position)
    assert isinstance(position, Position)
    return position
