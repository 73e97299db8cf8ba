"""JSON documents: those of random values with changes, as data and as text.

A document gives a value or an error of the library; a value is written as it was read. The published schema refuses
nothing that the reader takes, and takes nothing that the reader calls ill-formed.
"""

from __future__ import annotations

import json as python_json
import random
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import jsonschema

from fuzzing.harness import attempt
from fuzzing.mutation import NUMBERS, ODD, mutated
from fuzzing.tables import random_table
from gammonrules import TO_ACT, Event, GammonError, Outcome, ParseError, Phase, Player, Position, Win, json
from gammonrules.match import Clock

VALIDATOR = jsonschema.Draft202012Validator(json.schema())
NAMES = ("", *"version type value points by dice moves position cube owner double castle".split())
LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 6, 7, 15, 16, 25, 64, 1 << 20, 2**53 - 1, 2**53, -(2**53), 10**30, 0.0, 1.0,
    -0.5, 1e300, float("inf"), float("nan"), "", "white", "black", "single", "gammon", "roll", "MatchState", "Double",
    "31", "8/5 6/5", "x" * 300, "\ud800", "\0", "ſingle", [], {}, [3, 1], [0] * 26, [0] * 27, {"type": "Double"}, [[]],
)  # fmt: skip
WRONG_TEXTS = (
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-0",
    "1.0",
    "01",
    "+1",
    "1_0",
    "٣",
    "'1'",
    "undefined",
    "\ufeff",
)
LONGEST_MESSAGE = 4_000
"""Characters: up to ten wrong places of a document, each with its own sentence."""

Case = tuple[str, Any]
"""What reads it ("text", "data", or "schema": data that the slow schema judges as well), and the document."""


# --- documents ----------------------------------------------------------------------------------------------------


@cache
def _pool() -> list[Any]:
    """Documents of good values; making them takes longer than all else, so there are some hundreds."""
    rng = random.Random(2026)
    return [json.to_data(_value(rng)) for _ in range(500)]


def case(rng: random.Random) -> Case:
    """A document."""
    document = deepcopy(rng.choice(_pool()))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
        _change(rng, document)
    if rng.random() < 0.5:
        return "text", _text(rng, document)
    return "schema" if rng.random() < 0.2 else "data", document


def _value(rng: random.Random) -> Any:
    """A value of any kind."""
    state = random_table(rng)
    values: list[Any] = [state, state, state.position, state.rules, state.cube, state.phase]
    values += filter(None, (state.offer, state.dice, state.result, rng.choice(list(Player)), rng.choice(list(Win))))
    dice = rng.randint(1, 6), rng.randint(1, 6)
    values += [
        Outcome(won=True, win=Win.GAMMON),
        Clock((rng.random(), 600), 12, on_clock=Player.WHITE, used=2.5, interrupted=rng.choice((None, *Player))),
        Phase.OVER,
        Event("opening_roll", argument=dice),
        Event("roll", Player.BLACK, dice),
    ]
    plays = state.position.legal_plays(dice)
    if plays:
        play = rng.choice(plays)
        argument = rng.choice((play, play.moves, str(play), "", "x/y", "6/6"))
        values += [play, play, Event("play", rng.choice((TO_ACT, *Player)), argument), *play.moves[:1]]
    values += [
        Event("next_game", argument=rng.choice((None, Player.BLACK, Position.start()))),
        Event("resign", Player.WHITE, 2),
    ]
    return rng.choice(values)


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from _places(value)


def _change(rng: random.Random, document: Any) -> None:
    """Replace, leave out, add, exchange or wrap a part of a document."""
    places = list(_places(document))
    if not places:
        return
    container, key = rng.choice(places)
    match rng.randrange(8):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[rng.choice(NAMES)] = deepcopy(rng.choice(LEAVES))
        case 1:
            container.insert(key, deepcopy(rng.choice(LEAVES)))
        case 2:
            other, other_key = rng.choice(places)
            container[key] = deepcopy(other[other_key])
        case 3:
            container[key] = [container[key]] if rng.random() < 0.5 else {rng.choice(NAMES): container[key]}
        case 4 if type(container[key]) is int:
            container[key] += rng.choice((-1, 1, 2, 10))
        case 5 if isinstance(container, dict) and isinstance(key, str):
            container[key + rng.choice(("s", " ", "\0", "\ud800")) if rng.random() < 0.5 else key.upper()] = (
                container.pop(key)
            )
        case 6 if isinstance(container[key], list):
            container[key] = container[key] * rng.choice((0, 2, 2, 1000))
        case _:
            container[key] = deepcopy(rng.choice(LEAVES))


def _text(rng: random.Random, document: Any) -> str | bytes:
    """The document as text, at times not JSON anymore."""
    text = python_json.dumps(document, ensure_ascii=rng.random() < 0.5)
    match rng.randrange(8):
        case 0:
            text = mutated(rng, text, [text, *NUMBERS, *ODD], ',:"[{')
        case 1:  # another number in the place of one
            at = rng.choice([at for at, character in enumerate(text) if character.isdigit()] or [0])
            text = text[:at] + rng.choice((*WRONG_TEXTS, *NUMBERS)) + text[at + 1 :]
        case 2:  # a field twice
            text = text.replace(
                "{",
                "{" + rng.choice(('"type":"Cube",', '"version":3,', '"by":"to_act",', '"":0,')),
                rng.choice((1, -1)),
            )
        case 3 if rng.random() < 0.3:  # nested deeply
            depth = rng.choice((10, 900, 1_100, 100_000))
            opening, closing = rng.choice((("[", "]"), ('{"type":', "}")))
            inner = text if rng.random() < 0.5 else "1"
            text = opening * depth + inner + closing * depth
        case _:
            pass
    if rng.random() < 0.2:
        return text.encode(rng.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig")), "surrogatepass")
    return text


# --- what must hold -----------------------------------------------------------------------------------------------


def check(case: Case) -> None:
    """Read a document, write what was read, and ask the schema."""
    form, document = case
    size = len(document) if form == "text" else 1000
    read = json.loads if form == "text" else json.from_data
    value, error = attempt(lambda: read(document), seconds=0.05 * (1 + size / 1000), longest=LONGEST_MESSAGE)
    if error is None:
        _check_written(value)
        with_kind, _ = attempt(lambda: read(document, type(value)))
        assert with_kind == value
    else:
        assert str(error).startswith(("$", "this is not ", "a document has ")), error
    if form == "schema":
        _check_schema(document, error)


def _check_written(value: Any) -> None:
    """A value that was read is written, as text and as data, and reads equal."""
    text = json.dumps(value)
    assert text.isascii()
    again = json.loads(text)
    assert (type(again), again) == (type(value), value)
    assert json.from_data(json.to_data(value)) == value
    assert python_json.loads(text) == json.to_data(value)


def _check_schema(document: Any, error: GammonError | None) -> None:
    """The schema takes what the reader takes, unless its version is older, and refuses what is ill-formed."""
    if error is None:
        assert VALIDATOR.is_valid(document) or document["version"] < json.VERSION
    elif type(error) is ParseError and VALIDATOR.is_valid(document):
        assert _has_whole_floats(document) or "cannot read" in str(error), f"the schema takes it: {error}"


def _has_whole_floats(data: Any) -> bool:
    """For a schema 1.0 is a whole number."""
    return isinstance(data, dict) and any(
        isinstance(container[key], float) and container[key].is_integer() for container, key in _places(data)
    )
