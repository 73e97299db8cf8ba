"""The tables of columns in `docs/reference/decisions-table.md`: a row for each column, from its declaration."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from gammonrules.records import Column
from gammonrules.records.archive.decision_table import CANDIDATES, COLUMNS
from marked_blocks import on_page

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "decisions-table.md"
COLUMNS_OF = {"decisions": COLUMNS, "candidates": CANDIDATES}


def rows(columns: Iterable[Column]) -> str:
    lines = ["| column | type | unit | seen by | meaning |", "|---|---|---|---|---|"]
    for column in columns:
        cells = f"`{column.name}`", column.type, column.unit or "-", column.view or "-", column.meaning
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def files() -> dict[Path, str]:
    tables = {
        f"<!-- generate.py decision_columns: {name} -->\n": f"\n{rows(columns)}\n\n"
        for name, columns in COLUMNS_OF.items()
    }
    return {PAGE: on_page(PAGE, tables)}
