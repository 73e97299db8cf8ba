"""How match records are written as plain data and read again: matches, games and findings.

Each is an object with exactly the fields of its class. Values that may be of several classes have a field `type`: an
event of a game, and an analysis. An analysis that a reader left encoded is decoded first, in the state before its
decision.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from cattrs import Converter
from cattrs.gen import make_dict_unstructure_fn

from gammonrules._shared.json_form import described
from gammonrules.analysis import json_forms as _  # noqa: F401 - it teaches the converter
from gammonrules.analysis.internals import EncodedAnalysis, decoded
from gammonrules.errors import ParseError
from gammonrules.json.internals import CONVERTER, text, write_tagged
from gammonrules.records.transcript import FindingKind, Game, Severity

_Word = TypeVar("_Word", Severity, FindingKind)


def _word(value: object, words: type[_Word], what: str) -> _Word:
    """The severity or the kind of a finding, by the text that every report shows."""
    word = text(value)
    if word in {member.value for member in words}:
        return words(word)
    raise ParseError(f"there is no {what} {described(word)}")


def _game_writer(kind: Any, converter: Converter) -> Callable[[Game], dict[str, Any]]:
    """A function that writes a game, and raises GammonError as `Game.states` if analyses are still encoded."""
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


def _teach_records(converter: Converter) -> None:
    names = {Severity: "severity", FindingKind: "kind of finding"}
    for words, name in names.items():
        converter.register_unstructure_hook(words, str)
        converter.register_structure_hook(words, partial(_word, what=name))
    converter.register_unstructure_hook_factory(lambda kind: kind is Game, _game_writer)


_teach_records(CONVERTER)
