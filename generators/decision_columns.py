"""The tables of columns in `docs/reference/decisions-table.md`: a row for each column, from its declaration."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from gammonrules.records import Column
from gammonrules.records.archive.decision_table import CANDIDATES, COLUMNS

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "decisions-table.md"
COLUMNS_OF = {"decisions": COLUMNS, "candidates": CANDIDATES}
TABLE = re.compile(r"(?ms)^(<!-- generate\.py decision_columns: (\w+) -->\n).*?(?=^<!-- end -->$)")


def rows(columns: Iterable[Column]) -> str:
    lines = ["| column | type | unit | seen by | meaning |", "|---|---|---|---|---|"]
    for column in columns:
        cells = f"`{column.name}`", column.type, column.unit or "-", column.view or "-", column.meaning
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def files() -> dict[Path, str]:
    page = PAGE.read_text(encoding="utf-8")
    return {PAGE: TABLE.sub(lambda place: f"{place[1]}\n{rows(COLUMNS_OF[place[2]])}\n\n", page)}
