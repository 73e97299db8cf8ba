"""How match records are written as plain data and read again: matches, games, findings, and the analyses of an engine.

Each is an object with exactly the fields of its class. Values that may be of several classes have a field `type`: an
event of a game, and an analysis. An analysis that a reader left encoded is decoded first, in the state before its
decision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isfinite
from typing import Any, TypeAlias, TypeVar, get_args, get_origin

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from gammonrules._shared.json_words import described
from gammonrules.equity import Chances
from gammonrules.errors import ParseError
from gammonrules.json._forms import (
    CONVERTER,
    TableValue,
    array,
    register_union,
    text,
    whole,
    write_tagged,
)
from gammonrules.match import Event, Forfeit, Pair, SetPosition
from gammonrules.records.transcript import (
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    Finding,
    FindingKind,
    Game,
    Level,
    Match,
    PlayAnalysis,
    Severity,
    Stated,
    decoded,
)

Value: TypeAlias = (
    TableValue | Match | Game | Stated | Finding | PlayAnalysis | CubeAnalysis | Candidate | Chances
)
"""All types with a JSON form."""

_Word = TypeVar("_Word", Severity, FindingKind)


# --- numbers, words and arrays --------------------------------------------------------------------


def _any_number(value: object, _: object = None) -> float:
    """With or without a fraction: JSON does not tell 1 from 1.0."""
    if type(value) is float and isfinite(value):
        return value
    if type(value) is int:
        return float(whole(value))
    raise ParseError(f"expected a finite number, not {described(value)}")


def _word(value: object, words: type[_Word], what: str) -> _Word:
    """The severity or the kind of a finding, by the text that every report shows."""
    word = text(value)
    if word in {member.value for member in words}:
        return words(word)
    raise ParseError(f"there is no {what} {described(word)}")


def _read_level(value: object, _: object) -> Level:
    return Level.read(text(value))


def _is_tuple(kind: object) -> bool:
    return get_origin(kind) in {tuple, Pair}


def _tuple_reader(kind: Any, converter: Converter) -> Callable[[object, object], tuple[Any, ...]]:
    """How a tuple is read: one of any length, or one of a fixed length, whose items are all of one type in records."""
    tuple_or_pair: Callable[[list[Any]], tuple[Any, ...]] | None = get_origin(kind)
    assert tuple_or_pair is not None
    arguments = get_args(kind)
    item_type = arguments[0]
    least = len(arguments)
    most: int | None = least
    if tuple_or_pair is Pair:  # which has one argument for both
        least = 2
        most = 2
    elif arguments[-1] is Ellipsis:
        least = 0
        most = None
    hook = converter.get_structure_hook(item_type)

    def read_item(item: object) -> Any:
        return hook(item, item_type)

    def read(value: object, _: object) -> tuple[Any, ...]:
        return tuple_or_pair(array(value, read_item, least=least, most=most))

    return read


def _tuple_writer(kind: Any, converter: Converter) -> Callable[[tuple[Any, ...]], list[Any]]:
    write = converter.get_unstructure_hook(get_args(kind)[0])
    return lambda items: [*map(write, items)]


# --- games ----------------------------------------------------------------------------------------


def _game_writer(kind: Any, converter: Converter) -> Callable[[Game], dict[str, Any]]:
    """How a game is written, which raises GammonError as `Game.states` if analyses are still encoded."""
    write_fields = make_dict_unstructure_fn(kind, converter)

    def write(game: Game) -> dict[str, Any]:
        form = write_fields(game)
        stored = [*game.analyses, game.pending_analysis]
        has_encoded = any(isinstance(analysis, EncodedAnalysis) for analysis in stored)
        if not has_encoded:
            return form
        states = [*game.states()]
        last = len(states) - 1
        forms = list[Any]()
        for index, analysis in enumerate(game.analyses):
            # analyses may go on after a game that was cut
            state_before = states[min(index, last)]
            forms.append(write_tagged(decoded(analysis, state_before)))
        form["analyses"] = forms
        form["pending_analysis"] = write_tagged(decoded(game.pending_analysis, states[last]))
        return form

    return write


# --- the converter --------------------------------------------------------------------------------


def _teach_records(converter: Converter) -> None:
    converter.register_structure_hook(str, text)
    converter.register_structure_hook(float, _any_number)
    converter.register_unstructure_hook(Level, str)
    converter.register_structure_hook(Level, _read_level)
    names = {Severity: "severity", FindingKind: "kind of finding"}
    for words, name in names.items():
        converter.register_unstructure_hook(words, str)
        converter.register_structure_hook(words, partial(_word, what=name))
    converter.register_structure_hook_factory(_is_tuple, _tuple_reader)
    converter.register_unstructure_hook_factory(_is_tuple, _tuple_writer)
    register_union(converter, (Event, SetPosition, Forfeit))
    register_union(converter, (PlayAnalysis, CubeAnalysis))
    converter.register_unstructure_hook_factory(lambda kind: kind is Game, _game_writer)


_teach_records(CONVERTER)
