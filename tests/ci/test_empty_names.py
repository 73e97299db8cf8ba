"""No program has a name that says nothing."""

from __future__ import annotations

import symtable
from collections.abc import Iterator
from pathlib import Path

from layers import SOURCES
from test_packaging import with_sources

PROGRAMS = ("src", "tests", "examples", "benchmarks", "conformance", "bot_benchmark")


@with_sources
def test_no_name_says_nothing() -> None:
    """These three fit anything, so a reader learns nothing, and grep finds them everywhere."""
    root = SOURCES.parents[1]
    files = (file for folder in PROGRAMS for file in (root / folder).rglob("*.py"))
    bound = ((name, file.relative_to(root)) for file in files for name in names_bound_in(file))
    assert [(name, file) for name, file in bound if name in {"found", "given", "one"}] == []


def names_bound_in(file: Path) -> Iterator[str]:
    tables = [symtable.symtable(file.read_text(encoding="utf-8"), str(file), "exec")]
    for table in tables:
        tables += table.get_children()
        yield from (name.get_name() for name in table.get_symbols() if name.is_assigned() or name.is_parameter())
