"""The sections of `docs/explanation/position-kinds.md`, one for each kind, with the authors who use other names."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from gammonrules import Position, PositionKind
from marked_blocks import on_page

DOCS = Path(__file__).parents[1] / "docs"
PAGE = DOCS / "explanation" / "position-kinds.md"
NAMED = DOCS.parent / "tests" / "data" / "position_kinds.tsv"
START = "<!-- python generate.py kinds_page writes what follows -->\n"
DEFINITIONS = dict(re.findall(r"(?ms)^ +([A-Z_]+): (.*?)(?=^ +[A-Z_]+: |^$)", str(PositionKind.__doc__)))


def named() -> list[dict[str, str]]:
    """The positions that authors name."""
    with NAMED.open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file, delimiter="\t")]


def sections() -> str:
    """A section for each kind: a picture, the definition, and the positions that are of another kind here."""
    parts: list[str] = []
    for kind in PositionKind:
        parts += section(kind)
    return "".join(f"\n{part}" for part in parts) + "\n"


def section(kind: PositionKind) -> Iterator[str]:
    definition = " ".join(DEFINITIONS[kind.name].split())
    yield f"## {kind.capitalize()}\n"
    yield f"![A position of this kind](../images/kinds/{kind.replace(' ', '-')}.svg){{ width=346 }}\n"
    yield f"{definition[0].upper()}{definition[1:]}\n"
    rows = [row for row in named() if row["kind"] == kind and kind_here(row) != kind]
    if rows:
        head = "| Position ID | their word | who | here |\n|---|---|---|---|\n"
        yield f"Authors say so of these, which are something else here:\n\n{head}{''.join(map(line_of, rows))}"


def kind_here(row: dict[str, str]) -> PositionKind:
    return Position.from_id(row["position"]).kind


def line_of(row: dict[str, str]) -> str:
    return f"| `{row['position']}` | {row['word']} | {row['author']} | {kind_here(row)} |\n"


def files() -> dict[Path, str]:
    return {PAGE: on_page(PAGE, {START: sections()})}
