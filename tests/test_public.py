"""What every public name promises: annotations that can be read at run time, a docstring, and errors of the library."""

from __future__ import annotations

import importlib
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

import api_page
import gammonrules
import loop
from gammonrules.board import StartName
from gammonrules.draw._themes import ThemeName
from gammonrules.identifiers.internals import FORMS, ReadForm
from gammonrules.match.actions import ActionName
from gammonrules.records.formats import registry
from gammonrules.records.formats.registry import ReadFormat, WrittenBytes, WrittenText

ANY = {
    "records.search": "a pyarrow Table, and pyarrow is an extra",
    "records.to_table": "the same",
    "records.openings": "rows of values of several types",
    "arena.BenchResults.to_dict": "plain data of any shape, for JSON writers",
    "arena.Results.to_dict": "plain data of any shape, for JSON writers",
    "conformance.answer": "the same",
    "environments.BackgammonEnv.reset": "Gymnasium's info may hold anything",
    "environments.BackgammonEnv.step": "Gymnasium's info may hold anything",
    "environments.BackgammonVectorEnv.reset": "Gymnasium's infos may hold anything",
    "environments.BackgammonVectorEnv.step": "Gymnasium's infos may hold anything",
    "json.schema": "a JSON Schema is plain data of any shape",
    "json.to_data": "plain data of any shape, for JSON writers",
}
"""The public callables whose result may be `Any`, or hold it, and why."""

OTHER_ERRORS = {
    "OSError": "of the file system",
    "ImportError": "an extra that is not installed",
    "MemoryError": "arrays that do not fit",
    "TypeError": "of Python's own protocols: an index, an order",
    "IndexError": "of Python's own protocols: an index",
}
"""Errors outside the library's tree that a docstring may promise."""


@cache
def public_names() -> dict[str, object]:
    """Every public name, by the module in which it is listed ("json.loads"); those of the package by their module."""
    modules = {name: importlib.import_module(f"gammonrules.{name}") for name in api_page.MODULES}
    listed = {f"{name}.{known}": getattr(module, known) for name, module in modules.items() for known in module.__all__}
    return {name: value for name, value in listed.items() if not isinstance(value, ModuleType)}


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """What a class of the library or its private base defines under a public name, and a constructor written out."""
    for owner in (cls, *api_page.hidden_bases(cls)):
        for name, value in vars(owner).items():
            if not name.startswith("_") or name == "__init__":
                yield name, getattr(value, "__func__", value)


@cache
def callables() -> dict[str, Callable[..., Any]]:
    """Functions, constructors, methods and the getters of properties, by their full names."""
    listed: dict[str, Callable[..., Any]] = {}
    for name, value in public_names().items():
        if inspect.isfunction(value):
            listed[name] = value
        elif isinstance(value, type):
            for member, inside in () if api_page.is_protocol(value) else members(value):
                getter = getattr(inside, "fget", None) or getattr(inside, "func", inside)
                if inspect.isfunction(getter):
                    listed[f"{name}.{member}"] = getter
    return listed


def holds_any(hint: object) -> bool:
    """Whether `Any` is a part of this; what NumPy says of shapes is NumPy's."""
    return hint is Any or (typing.get_origin(hint) is not np.ndarray and any(map(holds_any, typing.get_args(hint))))


@loop.over("name", callables)
def test_annotations_can_be_read(name: str) -> None:
    """Those of overloads too."""
    for signature in [callables()[name], *typing.get_overloads(callables()[name])]:
        hints = typing.get_type_hints(signature, include_extras=True)
        parameters = [parameter for parameter in inspect.signature(signature).parameters if parameter != "self"]
        assert {*parameters, "return"} - {"cls"} <= set(hints)


def test_fixed_texts_are_those_that_are_known() -> None:
    binary = {reader.name for reader in registry.READERS if reader.is_binary}
    known: dict[Any, Iterable[str]] = {
        ReadFormat: [reader.name for reader in registry.READERS],
        WrittenText: registry.WRITERS.keys() - binary,
        WrittenBytes: registry.WRITERS.keys() & binary,
        ThemeName: gammonrules.draw.THEMES,
        ActionName: [str(action) for action in gammonrules.Action],
        StartName: gammonrules.board.START_NAMES,
        ReadForm: FORMS,
    }
    assert {alias: set(typing.get_args(alias)) for alias in known} == {
        alias: set(texts) for alias, texts in known.items()
    }


@loop.over("name", lambda: [name for name, value in public_names().items() if isinstance(value, type)])
def test_annotations_of_classes_can_be_read(name: str) -> None:
    """Those of the classes of Gymnasium and PettingZoo are theirs."""
    ours = [base for base in public_names()[name].__mro__ if base.__module__.startswith("gammonrules")]
    hints = [hint for base in ours for hint in inspect.get_annotations(base, eval_str=True).values()]
    assert not any(map(holds_any, hints))


def test_results_are_typed() -> None:
    """No result is `Any`, except those that are listed."""
    hints = {name: typing.get_type_hints(function)["return"] for name, function in callables().items()}
    assert {name for name, hint in hints.items() if holds_any(hint)} == set(ANY)


SEEDED = {
    "arena.play": "a saved arena goes on with the same dice, in any process",
    "arena.Results.__init__": "the seed of such an arena",
    "engine.Rollout.__init__": "engines are other programs, and levels in records name the seed",
    "environments.BackgammonEnv.reset": "the protocol of Gymnasium",
    "environments.BackgammonVectorEnv.reset": "the protocol of Gymnasium",
    "environments.backgammon_v0.raw_env.reset": "the protocol of PettingZoo",
}
"""The public callables that have a seed in the place of `rng`, and why."""


def test_random_numbers_come_from_rng() -> None:
    """From a keyword everywhere but in `Dice.random`, which has nothing else; never from `rng` and a seed."""
    parameters = {name: inspect.signature(function).parameters for name, function in callables().items()}
    with_rng = {name: named["rng"] for name, named in parameters.items() if "rng" in named}
    assert {name for name, named in parameters.items() if "seed" in named} == set(SEEDED)
    assert not with_rng.keys() & SEEDED.keys()
    by_position = {name for name, rng in with_rng.items() if rng.kind is not inspect.Parameter.KEYWORD_ONLY}
    assert by_position == {"dice.Dice.random"}


def test_to_json_returns_a_string_and_to_dict_a_dict() -> None:
    results = {"to_json": str, "to_dict": dict}
    hints = {name: typing.get_type_hints(function)["return"] for name, function in callables().items()}
    named = {name: hint for name, hint in hints.items() if name.rpartition(".")[2] in results}
    assert len(named) > len(results)
    for name, hint in named.items():
        assert (typing.get_origin(hint) or hint) is results[name.rpartition(".")[2]], name
    assert not [name for name in hints if name.rpartition(".")[2] in {"from_json", "from_dict"}], "see `json.loads`"


@cache
def docstrings() -> dict[str, str]:
    """Of every public name, and of every public member of a class."""
    listed: dict[str, str] = {}
    for name, value in public_names().items():
        known = name.rpartition(".")[2]
        if inspect.isfunction(value):
            listed[name] = inspect.getdoc(value) or ""
            continue
        if not isinstance(value, type):
            definition = api_page.definition_of(known, value)
            listed[name] = definition.text if definition else ""
            continue
        listed[name] = value.__doc__ or ""
        for member, inside in members(value):
            if not member.startswith("_") and (inspect.isfunction(inside) or isinstance(inside, property)):
                listed[f"{name}.{member}"] = inspect.getdoc(inside) or ""
    return listed


@loop.over("name", docstrings)
def test_docstring(name: str) -> None:
    """Its first line is a sentence; that of a constant may be longer than a line."""
    is_constant = not callable(public_names().get(name, docstrings))
    first, _, _ = inspect.cleandoc(docstrings()[name]).partition("\n\n" if is_constant else "\n")
    assert first.endswith(".")


@loop.rows("module", "", *(f".{name}" for name in api_page.MODULES))
def test_docstring_of_modules(module: str) -> None:
    text = importlib.import_module(f"gammonrules{module}").__doc__ or ""
    assert text.split("\n")[0].endswith(".")


def optional(name: str) -> list[str]:
    """The parameters with a default."""
    parameters = inspect.signature(callables()[name]).parameters.values()
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is not parameter.empty and not parameter.name.startswith("_")
    ]


def own_text(name: str) -> str:
    return inspect.cleandoc(docstrings().get(name.removesuffix(".__init__"), ""))


def borrowed(name: str) -> str:
    """The docstrings to which that of a function refers for its arguments."""
    others = re.findall(r"(?:Arguments and errors are those of|; as) `([\w.]+)`", own_text(name))
    homes = (next(known for known in docstrings() if f".{known}".endswith(f".{other}")) for other in others)
    return "\n".join(inspect.cleandoc(docstrings()[home]) for home in homes)


def described(text: str) -> set[str]:
    return {known for names in re.findall(r"(?m)^    ([a-z]\w*(?:, \w+)*): ", text) for known in names.split(", ")}


@loop.over("name", lambda: [name for name in callables() if optional(name)])
def test_what_may_be_left_out_is_described(name: str) -> None:
    """In "Args:", or for a constructor in "Attributes:"; a signature alone does not say what `None` does."""
    assert set(optional(name)) - described(f"{own_text(name)}\n{borrowed(name)}") == set()


@loop.over("name", lambda: [name for name in callables() if borrowed(name)])
def test_arguments_of_others_that_it_has_not_are_named(name: str) -> None:
    """Who refers to the arguments of another function says which of them are that one's alone."""
    mentioned = set(re.findall(r"`(\w+)`", own_text(name)))
    arguments = "\n".join(re.findall(r"(?ms)^Args:\n(.*?)(?=^\S|\Z)", borrowed(name)))
    assert described(arguments) - set(inspect.signature(callables()[name]).parameters) - mentioned == set()


def promised_errors(text: str) -> list[str]:
    """The names under "Raises:"."""
    section = re.search(r"(?m)^Raises:\n((?:    .*\n|\n)+)", inspect.cleandoc(text) + "\n")
    return re.findall(r"(?m)^    (\w+):", section[1]) if section else []


def test_promised_errors_are_errors_of_the_library() -> None:
    errors = {name.rpartition(".")[2] for name in public_names() if name.endswith(("Error", "Warning"))}
    unknown = {name: set(promised_errors(text)) - errors - set(OTHER_ERRORS) for name, text in docstrings().items()}
    assert {name: names for name, names in unknown.items() if names} == {}


def test_raises_sections_are_read() -> None:
    """Every one names its errors; a line that names none is the end of the one before it."""
    silent = [name for name, text in docstrings().items() if "Raises:" in text and not promised_errors(text)]
    assert silent == []
    assert sum(len(promised_errors(text)) for text in docstrings().values()) > 100
