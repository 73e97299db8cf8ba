"""How each value is written as plain data and read again: the hooks of one cattrs converter.

Most values are objects with exactly the fields of their class, which the converter finds by itself. The others are
here: enums by name, dice and scores as pairs, a board as its 26 counts, a play with its moves, an offer with its type,
and the argument of an event, which depends on the action.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from gammonrules._shared.json_form import described, member_of, word_of
from gammonrules.board import Move, Play, Position, Win
from gammonrules.board.internals import SLOTS
from gammonrules.dice import Dice
from gammonrules.errors import ParseError
from gammonrules.json._strict import (
    MISSING,
    PartToRead,
    exact_fields,
    members_of,
    read_each,
    read_fields,
    read_one,
    refused_fields,
)
from gammonrules.limits import MAX_JSON_NUMBER, MAX_MOVES
from gammonrules.match import (
    TO_ACT,
    Action,
    Clock,
    Double,
    End,
    Event,
    EventArgument,
    Forfeit,
    Pair,
    Phase,
    Player,
    Resignation,
    SetPosition,
    ToAct,
)
from gammonrules.values import is_mapping, is_series

_OPTIONAL: Mapping[type, Sequence[str]] = {Clock: ("interrupted", "interrupted_after")}
"""The fields that are left out where they have their defaults, as older documents do."""
_ENUMS = (Player, Win, Action, Phase, End)

_V = TypeVar("_V")


# --- numbers, strings, names and arrays -----------------------------------------------------------


def whole(value: object, _: object = None) -> int:
    if type(value) is not int:
        raise ParseError(f"expected a whole number, not {described(value)}")
    if abs(value) > MAX_JSON_NUMBER:
        raise ParseError(f"numbers go up to {MAX_JSON_NUMBER}")
    return value


def _switch(value: object, _: object = None) -> bool:
    if type(value) is not bool:
        raise ParseError(f"expected true or false, not {described(value)}")
    return value


def text(value: object, _: object = None) -> str:
    if type(value) is not str:
        raise ParseError(f"expected a string, not {described(value)}")
    return value


def _any_number(value: object, _: object = None) -> float:
    """With or without a fraction: JSON does not tell 1 from 1.0."""
    if type(value) is float and isfinite(value):
        return value
    if type(value) is int:
        return float(whole(value))
    raise ParseError(f"expected a finite number, not {described(value)}")


def array(
    value: object, read: Callable[[Any], Any], minimum: int, maximum: int | None
) -> list[Any]:
    """The items of an array; `maximum` None: as many as there are."""
    if not is_series(value):
        raise ParseError(f"expected an array, not {described(value)}")
    has_wrong_size = maximum is not None and not minimum <= len(value) <= maximum
    if has_wrong_size:
        sizes = f"{maximum}" if minimum == maximum else f"{minimum} to {maximum}"
        raise ParseError(f"expected an array of {sizes}, not {described(value)}")
    parts = (PartToRead(index, read, item) for index, item in enumerate(value))
    return read_each(list, parts)


def _whole_array(value: object, count: int) -> list[int]:
    """So many whole numbers: looked at together where all are right, as those of boards nearly always are."""
    if is_series(value) and len(value) == count:
        numbers = [item for item in value if type(item) is int]
        if len(numbers) == count and max(map(abs, numbers)) <= MAX_JSON_NUMBER:
            return numbers
    return array(value, read=whole, minimum=count, maximum=count)


def _pair(value: object, _: object = None) -> Pair[int]:
    return Pair(_whole_array(value, 2))


def _is_tuple(kind: object) -> bool:
    return get_origin(kind) in {tuple, Pair}


def _tuple_reader(kind: Any, converter: Converter) -> Callable[[object, object], tuple[Any, ...]]:
    """A function that reads a tuple: of any length, or of a fixed one, whose items are all of one type."""
    tuple_or_pair: Callable[[list[Any]], tuple[Any, ...]] | None = get_origin(kind)
    assert tuple_or_pair is not None
    arguments = get_args(kind)
    item_type = arguments[0]
    minimum = len(arguments)
    maximum: int | None = minimum
    if tuple_or_pair is Pair:  # which has one argument for both
        minimum = 2
        maximum = 2
    elif arguments[-1] is Ellipsis:
        minimum = 0
        maximum = None
    hook = converter.get_structure_hook(item_type)

    def read_item(item: object) -> Any:
        return hook(item, item_type)

    def read(value: object, _: object) -> tuple[Any, ...]:
        return tuple_or_pair(array(value, read_item, minimum=minimum, maximum=maximum))

    return read


def _tuple_writer(kind: Any, converter: Converter) -> Callable[[tuple[Any, ...]], list[Any]]:
    write = converter.get_unstructure_hook(get_args(kind)[0])
    return lambda items: [*map(write, items)]


# --- boards and plays -----------------------------------------------------------------------------


def _read_dice(value: object, _: object = None) -> Dice:
    first, second = _whole_array(value, 2)
    return Dice(first, second)


def _write_position(position: Position) -> dict[str, Any]:
    return {"points": list(position.points), "checkers": position.checkers}


def _read_points(value: object) -> list[int]:
    return _whole_array(value, SLOTS)


def _read_position(data: object, _: object = None) -> Position:
    points, checkers = read_fields(data, Position, {"points": _read_points, "checkers": whole})
    return Position.from_points(points, checkers=checkers)


def _structured_moves(value: object) -> tuple[Move, ...]:
    return tuple(
        array(
            value, read=lambda item: CONVERTER.structure(item, Move), minimum=0, maximum=MAX_MOVES
        )
    )


def _write_play(play: Play) -> dict[str, Any]:
    return {
        "before": _write_position(play.before),
        "dice": list(play.dice),
        "moves": [CONVERTER.unstructure(move) for move in play.moves],
    }


def _read_play(data: object, _: object = None) -> Play:
    """Raises IllegalPlayError if the play is not legal."""
    readers: dict[str, Callable[[Any], Any]] = {
        "before": _read_position,
        "dice": _read_dice,
        "moves": _structured_moves,
    }
    before: Position
    before, dice, moves = read_fields(data, Play, readers)
    return before.legal_plays(dice).find(moves)


# --- values of several types ----------------------------------------------------------------------


def tagged(
    data: object, kinds: Mapping[str, type[_V]], read_as: type
) -> tuple[type[_V], dict[str, Any]]:
    """The kind that the field "type" of an object names, and its other fields.

    `read_as` is the class of which errors say that this is none.
    """
    fields = dict(members_of(data, read_as))
    if "type" not in fields:
        raise refused_fields(read_as, MISSING, ["type"])
    name = fields.pop("type")
    if type(name) is not str or name not in kinds:
        names = " or ".join(f'"{kind}"' for kind in kinds)
        raise refused_fields(read_as, f"expected {names}, not {described(name)}", ["type"])
    return kinds[name], fields


def register_union(
    converter: Converter, kinds: Collection[type], unwritten: type = NoneType
) -> None:
    """Teach a converter unions of these classes, with or without None and one whose values are written as null."""
    by_name: dict[str, type[Any]] = {kind.__name__: kind for kind in kinds}

    def fits(annotation: object) -> bool:
        if not isinstance(annotation, UnionType):
            return False
        tagged_members = {*get_args(annotation)} - {NoneType, unwritten}
        return tagged_members == {*kinds}

    def write(value: Any) -> dict[str, Any] | None:
        return None if isinstance(value, unwritten) else write_tagged(value)

    def reader(union: Any, _: Converter) -> Callable[[object, object], Any]:
        can_be_none = NoneType in get_args(union)

        def read(data: object, _: object) -> Any:
            if data is None and can_be_none:
                return None
            kind, fields = tagged(data, by_name, object)
            return CONVERTER.structure(fields, kind)

        return read

    converter.register_structure_hook_factory(fits, reader)
    converter.register_unstructure_hook_func(fits, write)


def write_tagged(value: Any) -> dict[str, Any] | None:
    """A value with its type, or None."""
    return None if value is None else {"type": type(value).__name__, **CONVERTER.unstructure(value)}


# --- events ---------------------------------------------------------------------------------------


def _write_event(event: Event) -> dict[str, Any]:
    form: dict[str, Any] = {
        "action": word_of(event.action),
        "by": word_of(event.by),
        "argument": _write_argument(event.argument),
    }
    if event.time is not None:
        form["time"] = event.time
    return form


def _write_argument(argument: EventArgument) -> Any:
    if isinstance(argument, tuple):  # the dice of an opening roll, or moves
        return [CONVERTER.unstructure(item) for item in argument]
    return CONVERTER.unstructure(argument)


def _read_event(data: object, _: object = None) -> Event:
    fields = exact_fields(data, Event, ("action", "by", "argument"), optional=("time",))
    # first alone, since it says what the argument is
    read_action = partial(member_of, members=Action)
    action = read_one(Event, PartToRead("action", read_action, fields["action"]))
    read_argument = _ARGUMENTS.get(action, _read_nothing)
    by_part = PartToRead("by", partial(member_of, members=_SEATS), fields["by"])
    argument_part = PartToRead("argument", read_argument, fields["argument"])
    by, argument = read_each(Event, [by_part, argument_part])
    event: Event = Event(action, by, argument)
    if "time" not in fields:
        return event
    # `event.at` checks the time, and returns the event with it
    timed_event: Event = read_one(Event, PartToRead("time", event.at, fields["time"]))
    return timed_event


_SEATS: tuple[Player | ToAct, ...] = (*Player, TO_ACT)


def _read_nothing(value: object) -> None:
    if value is not None:
        raise ParseError(
            f"expected null, since this action has no argument, not {described(value)}"
        )


def _read_play_argument(value: object) -> str | Play | tuple[Move, ...]:
    if is_mapping(value):
        return _read_play(value)
    if is_series(value):
        return _structured_moves(value)
    if type(value) is str:
        return value
    raise ParseError(f"expected a string, an array of moves or a play, not {described(value)}")


def _read_start(value: object) -> Player | Position | None:
    """A board, or who starts."""
    if value is None:
        return None
    if is_mapping(value):
        return _read_position(value)
    return member_of(value, Player)


_ARGUMENTS: Mapping[Action, Callable[[object], EventArgument]] = {
    Action.OPENING_ROLL: _pair,
    Action.ROLL: _read_dice,
    Action.PLAY: _read_play_argument,
    Action.RESIGN: partial(member_of, members=Win),
    Action.NEXT_GAME: _read_start,
}


# --- the converter --------------------------------------------------------------------------------


def _class_reader(kind: type[Any]) -> Callable[[object, Any], object]:
    """A function that reads a class with fields: all of its fields but the optional ones, and no others."""
    optional = _OPTIONAL.get(kind, ())
    names = [field.name for field in attrs.fields(kind) if field.init]
    required = [name for name in names if name not in optional]
    structure = make_dict_structure_fn(kind, CONVERTER)

    def read(data: object, _: object) -> object:
        fields = exact_fields(data, kind, required, optional)
        return structure(fields, kind)

    return read


def _writer(kind: Any, converter: Converter) -> Callable[[Any], dict[str, Any]]:
    """A function that writes a class with optional fields."""
    optional: dict[str, Any] = dict.fromkeys(_OPTIONAL[kind], override(omit_if_default=True))
    return make_dict_unstructure_fn(kind, converter, **optional)


def _is_literal(kind: object) -> bool:
    return get_origin(kind) is Literal


def _converter() -> Converter:
    """A converter that knows the values of this library and reads them strictly."""
    converter = Converter(detailed_validation=True)
    converter.register_structure_hook(int, whole)
    converter.register_structure_hook(bool, _switch)
    converter.register_structure_hook(float, _any_number)
    converter.register_structure_hook(str, text)
    # the constructor checks which of its texts a Literal may be
    converter.register_structure_hook_func(_is_literal, text)
    converter.register_structure_hook_factory(attrs.has, _class_reader)
    converter.register_unstructure_hook_factory(_OPTIONAL.__contains__, _writer)
    converter.register_structure_hook_factory(_is_tuple, _tuple_reader)
    converter.register_unstructure_hook_factory(_is_tuple, _tuple_writer)
    # scores are in every state, so they have faster ones
    converter.register_structure_hook_func(lambda kind: kind == Pair[int], _pair)
    converter.register_unstructure_hook_func(lambda kind: kind == Pair[int], list)
    register_union(converter, (Double, Resignation))
    register_union(converter, (Event, SetPosition, Forfeit))
    for enum in _ENUMS:  # each separately: the hooks of int and str know those enums too
        converter.register_unstructure_hook(enum, word_of)
        converter.register_structure_hook(enum, member_of)
    converter.register_unstructure_hook(Dice, list)
    converter.register_structure_hook(Dice, _read_dice)
    converter.register_unstructure_hook(Position, _write_position)
    converter.register_structure_hook(Position, _read_position)
    converter.register_unstructure_hook(Play, _write_play)
    converter.register_structure_hook(Play, _read_play)
    converter.register_unstructure_hook(Event, _write_event)
    converter.register_structure_hook(Event, _read_event)
    return converter


CONVERTER = _converter()
