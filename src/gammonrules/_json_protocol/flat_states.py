"""States and actions as flat objects, for programs that know nothing of this library."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from gammonrules._shared.debug_checks import RECHECK
from gammonrules.board import Plays, Position, Win
from gammonrules.errors import ArgumentError
from gammonrules.json import VERSION, from_data, to_data
from gammonrules.match import Cube, Event, Forfeit, MatchState, Player, RecordEvent
from gammonrules.rules import Rules
from gammonrules.values import shown

_E = TypeVar("_E", Player, Win)


def board_keys(points: Any, checkers: int) -> dict[str, Any]:
    """A board as it stands in questions and states."""
    return {"points": [*points]} | ({} if checkers == 15 else {"checkers": checkers})


def boards_after(plays: Plays) -> list[list[int]]:
    """The boards to which these plays lead, as the player who makes them sees them."""
    return [[*play.position.flip().points] for play in plays]


def flat(state: MatchState) -> dict[str, Any]:
    """A state as one flat object; its fields are those of the JSON form, but for board and cube."""
    fields = to_data(state)
    position = fields.pop("position")
    cube = fields.pop("cube")
    del fields["version"], fields["type"]
    return fields | board_keys(**position) | {"cube": cube["value"], "owner": cube["owner"]}


def state_of_flat(flat: Mapping[str, Any]) -> MatchState:
    """The state of a flat object.

    Raises:
        GammonError: a field is missing, unknown or wrong, or the state is impossible.
    """
    fields = {"checkers": 15, **flat}
    try:
        position = {key: fields.pop(key) for key in ("points", "checkers")}
        cube = {"value": fields.pop("cube"), "owner": fields.pop("owner")}
    except KeyError as error:
        raise ArgumentError(f"the state has no {error.args[0]}") from None
    fields |= {"version": VERSION, "type": "MatchState", "position": position, "cube": cube}
    return from_data(fields, MatchState)


def state_of_right_flat(flat: Mapping[str, Any]) -> MatchState:
    """The state of a flat object that is known to be right, of a game that goes on without an offer.

    So it needs no reading field by field, with a sentence for each that is wrong: the constructors check it.
    """
    state = MatchState(
        Position.from_points(flat["points"], checkers=flat.get("checkers", 15)),
        on_roll=Player(flat["on_roll"]),
        dice=flat["dice"],
        cube=Cube(flat["cube"], None if flat["owner"] is None else Player(flat["owner"])),
        score=flat["score"],
        length=flat["length"],
        crawford=flat["crawford"],
        rules=_cached_rules(tuple(flat["rules"].items())),
    )
    if RECHECK:  # the tests set this
        assert state == state_of_flat(flat), flat
    return state


@cache
def _cached_rules(options: tuple[tuple[str, Any], ...]) -> Rules:
    """The rules with these options, of which a file of states has few."""
    return Rules(**dict(options))


def event_of(action: Mapping[str, Any]) -> RecordEvent:
    """The event of an action.

    Raises:
        GammonError: this is no action.
    """
    match action:
        case {"do": "opening_roll", "white": white, "black": black}:
            return Event("opening_roll", argument=(white, black))
        case {"do": "next_game"}:
            starter = action.get("starter")
            return Event(
                "next_game", argument=None if starter is None else _enum_named(Player, starter)
            )
        case {"do": "forfeit", "by": by, "points": points}:
            return Forfeit(_enum_named(Player, by), points)
        case {"do": "resign", "by": by, "win": win}:
            return Event("resign", _enum_named(Player, by), _enum_named(Win, win))
        case {"do": "roll", "by": by, "dice": argument} | {
            "do": "play",
            "by": by,
            "moves": argument,
        }:
            return Event(action["do"], _enum_named(Player, by), argument)
        case {"do": "double" | "take" | "drop" | "beaver" | "accept" | "decline" as do, "by": by}:
            return Event(do, _enum_named(Player, by))
        case _:
            raise ArgumentError(f"this is no action: {shown(action, 100)}")


def _enum_named(kind: type[_E], name: object) -> _E:
    return from_data({"version": VERSION, "type": kind.__name__, "value": name}, kind)
