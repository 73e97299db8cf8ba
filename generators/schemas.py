"""The definitions of match states in `conformance/schema.json` and `bot_benchmark/schema.json`, and the names, options
and version in `json/schema.json`.

The definitions of a match state are here. In `json/schema.json`, the schema of the library's JSON, only the
enumerations, the options and the version are replaced.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import json_text
import library_names as names
from gammonrules import Player, Position
from gammonrules._shared.json_form import VERSION
from gammonrules.board.board_setup import STANDARD_CHECKERS
from gammonrules.limits import MAX_CUBE, MAX_CUBE_TURNS, MAX_IN_A_ROW, MAX_POINTS

ROOT = Path(__file__).parents[1]
WITH_STATES = (ROOT / "conformance" / "schema.json", ROOT / "bot_benchmark" / "schema.json")
OF_THE_LIBRARY = ROOT / "src" / "gammonrules" / "json" / "schema.json"
Schema = dict[str, Any]


def files() -> dict[Path, str]:
    texts = {path: json.dumps(with_state_definitions(read(path)), indent=1) for path in WITH_STATES}
    texts[OF_THE_LIBRARY] = json_text.dumped(with_names(read(OF_THE_LIBRARY)))
    return {path: f"{text}\n" for path, text in texts.items()}


def read(path: Path) -> Schema:
    schema: Schema = json.loads(path.read_text(encoding="utf-8"))
    return schema


# --- states as the conformance suite and the benchmark write them -----------------------------------------------------


def with_state_definitions(schema: Schema) -> Schema:
    definitions = schema["$defs"]
    new = state_definitions()
    assert new.keys() <= definitions.keys()
    return schema | {"$defs": {name: new.get(name, old) for name, old in definitions.items()}}


def state_definitions() -> Schema:
    slots = len(Position.start().points)
    start = {name: {"enum": values} for name, values in (("player", names.PLAYERS), ("win", names.WINS))}
    return start | {
        "points": {
            "description": "26 counts as the player on roll sees them: own checkers positive; "
            "25 is the own bar, 0 the opponent's",
            **array(slots, {"type": "integer", "minimum": -STANDARD_CHECKERS, "maximum": STANDARD_CHECKERS}),
        },
        "dice": {"description": "the higher die first", **array(2, {"type": "integer", "minimum": 1, "maximum": 6})},
        "checkers": {
            "description": f"of each side, where there are not {STANDARD_CHECKERS}",
            "type": "integer",
            "minimum": 1,
            "maximum": STANDARD_CHECKERS - 1,
        },
        "cube": {"description": "a power of two", "type": "integer", "minimum": 1, "maximum": MAX_CUBE},
        "start": {"enum": names.STARTS},
        "rules": record({option.name: form_of_option(option) for option in names.OPTIONS}),
        "double": record({"type": {"const": "Double"}, **DOUBLE}),
        "resignation": record(
            {
                "type": {"const": "Resignation"},
                "by": ref("player"),
                "win": ref("win"),
                "double": {"description": "the double that it interrupts", **or_null(record(DOUBLE))},
            }
        ),
        "result": record(
            {
                "winner": ref("player"),
                "win": {"description": "null: forfeited", "enum": [*names.WINS, None]},
                "points": {"type": "integer", "minimum": 1},
                "end": {"enum": names.ENDS},
            }
        ),
        "state": state(),
    }


def state() -> Schema:
    """A match state without nesting; only `checkers` may be missing."""
    player_or_null = [*names.PLAYERS, None]
    fields = {
        "length": {
            "description": "points that win the match; null: money play",
            "type": ["integer", "null"],
            "minimum": 1,
        },
        "score": {"description": "White's, Black's", **array(len(Player), {"type": "integer", "minimum": 0})},
        "crawford": {"description": "whether this is the Crawford game", "type": "boolean"},
        "rules": ref("rules"),
        "on_roll": {"description": "whose turn it is; null before the opening roll", "enum": player_or_null},
        "points": {
            **ref("points"),
            "description": "as the player on roll sees them; as White does where nobody is on roll",
        },
        "dice": or_null(ref("dice")),
        "cube": ref("cube"),
        "owner": {
            "description": "null: centered; while a double is pending, value and owner are those before it",
            "enum": player_or_null,
        },
        "offer": or_null(ref("double"), ref("resignation")),
        "result": or_null(ref("result")),
        "checkers": ref("checkers"),
    }
    whole = record(fields)
    whole["required"].remove("checkers")
    return whole


def form_of_option(option: Any) -> Schema:
    """What the value of an option of the rules may be."""
    if option.name == "start":
        return ref("start")
    if option.name in names.CHOICES:
        return {"enum": names.CHOICES[option.name]}
    if option.default is None:
        return or_null(ref("cube"))
    return {"type": "boolean"} if isinstance(option.default, bool) else {"type": "integer", "minimum": 0}


def ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def record(fields: Schema) -> Schema:
    """An object that has these fields and no other ones."""
    return {"type": "object", "properties": fields, "required": [*fields], "additionalProperties": False}


def array(length: int, items: Schema) -> Schema:
    return {"type": "array", "minItems": length, "maxItems": length, "items": items}


def or_null(*forms: Schema) -> Schema:
    return {"anyOf": [*forms, {"type": "null"}]}


DOUBLE = {"by": ref("player"), "value": ref("cube"), "beavers": {"type": "integer", "minimum": 0}}


# --- the library's JSON -----------------------------------------------------------------------------------------------


def with_names(schema: Schema) -> Schema:
    """The schema of the library's JSON with the names and the version of today."""
    definitions = schema["$defs"]
    enumerations = {
        "CubeValue": [2**turns for turns in range(MAX_CUBE_TURNS + 1)],
        "Player": names.PLAYERS,
        "Win": names.WINS,
        "Action": names.ACTIONS,
        "Phase": names.PHASES,
        "End": names.ENDS,
    }
    for name, values in enumerations.items():
        definitions[name]["enum"] = values
    definitions["Clock"]["properties"]["timing"]["enum"] = names.TIMINGS
    definitions["Count"]["maximum"] = MAX_IN_A_ROW
    definitions["Points"]["maximum"] = MAX_POINTS
    definitions["Version"]["const"] = VERSION
    rules = definitions["Rules"]
    rules["properties"] = {option.name: json_form_of_option(option) for option in names.OPTIONS}
    rules["required"] = [*rules["properties"]]
    return schema | {"$id": f"urn:gammonrules:json:{VERSION}", "title": f"A value of gammonrules, version {VERSION}"}


def json_form_of_option(option: Any) -> Schema:
    """The same for the library's JSON, whose numbers have a maximum."""
    if option.name in names.CHOICES:
        return {"enum": names.CHOICES[option.name]}
    if option.default is None:
        return {"description": "null: no limit.", "oneOf": [ref("CubeValue"), {"type": "null"}]}
    return {"type": "boolean"} if isinstance(option.default, bool) else ref("Count")
