"""A name of the package is found once by grep: what stands in two files is a protocol that is listed here."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cache

import loop
from layers import MODULES
from test_packaging import with_sources

FORMS_OF_IDENTIFIERS = {"decode", "encode", "is_meant"}
READERS_OF_ANALYSES = {"decode_cube", "decode_play", "decode_plays", "encoded_cube", "encoded_plays", "row"}
DRAWINGS = {"board", "table"}  # as SVG and as text

PROTOCOLS = {
    *FORMS_OF_IDENTIFIERS | READERS_OF_ANALYSES | DRAWINGS,
    *("dumps", "loads", "open", "read", "write"),  # JSON and records, tables, identifiers
    # What arrays and single values are asked alike; the first five have a twin in the kernel.
    *("features", "from_ids", "outcomes", "pip_counts", "to_ids", "flip", "legal_plays", "perft", "plays"),
    *("analyze", "export", "openings", "referee"),  # a command, and the function that it calls
    "chances",  # by a network, and drawn by Hypothesis
}
"""What several files may define, without regard to a leading underscore."""


@cache
def definitions() -> list[tuple[str, str, type[ast.stmt]]]:
    """The functions and classes at the top of files: name, module, kind."""
    return [
        (node.name.lstrip("_"), module, type(node))
        for module, path in MODULES.items()
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[:2] != "__"
    ]


@cache
def homes() -> dict[str, set[str]]:
    """The modules that define a name."""
    where: dict[str, set[str]] = defaultdict(set)
    for name, module, _ in definitions():
        where[name].add(module)
    return where


@with_sources
def test_a_class_has_a_name_of_its_own() -> None:
    classes = [name for name, _, kind in definitions() if kind is ast.ClassDef]
    assert sorted(name for name in {*classes} if classes.count(name) > 1 or len(homes()[name]) > 1) == []


@with_sources
def test_a_function_has_a_name_of_its_own() -> None:
    assert {name: where for name, where in homes().items() if len(where) > 1 and name not in PROTOCOLS} == {}


@with_sources
@loop.over("name", PROTOCOLS)
def test_a_protocol_has_several_homes(name: str) -> None:
    assert len(homes()[name]) > 1
