"""The tables and charts of `docs/explanation/performance.md` and the five numbers in `README.md`.

All of them come from `docs/images/performance.json`.
`benchmarks/run.py` measures, and makes the tables and the chart of all measures.
"""

from __future__ import annotations

import json
import re
import sys
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
MEASURED = IMAGES / "performance.json"
WIDTH = 628
ROW = 62
"""The height of what is measured, with its two bars."""
VALUES = 156
"""The width of the numbers on the right."""
STYLE = (
    "text{font:17px -apple-system,BlinkMacSystemFont,Helvetica,Arial,sans-serif;fill:#33261d}.peer{fill:#6a6058}"
    ".value{font-weight:700}.bar{fill:#8d5a3a}.other{fill:#c9b8a6}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#e4ddd6}.peer{fill:#b3a89d}.bar{fill:#c98d5f}"
    ".other{fill:#6b564e}}@media(max-width:420px){text{font-size:25px}.long{display:none}}"
)


class Compared(NamedTuple):
    """What readers ask first: a measure, in their words."""

    what: str
    more: str
    """Of what it is, where there is room."""
    peer: str


FIRST = {
    "T1b": Compared("count the plays of a roll", "", "gnubg-nn"),
    "T2b": Compared("the positions after them", "", "gnubg-nn"),
    "T3": Compared("plays of many boards", ", 105,000 in one call", "gnubg-nn"),
    "T4": Compared("count without a compiler", ", in pure Python", "OpenSpiel"),
    "T6": Compared("read and check records", " of matches", "GammonView"),
}
"""By the name of the measure."""


def measured() -> dict[str, Any]:
    result: dict[str, Any] = json.loads(MEASURED.read_text(encoding="utf-8"))
    return result


def ratios(result: dict[str, Any]) -> dict[str, float]:
    """How many times as fast as its peer the library is, by the name of the measure."""
    return {measure["name"]: measure["ratio"] for measure in result["measures"]}


def in_words(ratio: float) -> str:
    """A reader does not take 0.95 for a victory, nor 1.0 for a defeat."""
    return "equally" if 0.9 < ratio < 1.1 else f"{ratio:.1f} times as"


def rows(result: dict[str, Any]) -> str:
    """The five numbers of `README.md`."""
    of = ratios(result)
    lines = ["| | gammonrules is | |", "|---|---|---|"]
    for name, (what, more, peer) in FIRST.items():
        lines.append(f"| {what}{more} | **{in_words(of[name])} fast** | as {peer} |")
    return "\n".join(lines)


def chart(result: dict[str, Any]) -> str:
    """The same as bars, each above that of the peer."""
    of = ratios(result)
    longest = max(of[name] for name in FIRST)
    scale = (WIDTH - VALUES) / longest
    parts: list[str] = []
    for number, (name, (what, more, peer)) in enumerate(FIRST.items()):
        top = ROW * number
        label = f'{escape(what)}<tspan class="long">{escape(more)}</tspan>'
        parts.append(f'<text x="2" y="{top + 20}">{label} <tspan class="peer">beside {peer}</tspan></text>')
        parts.append(f'<rect class="bar" x="2" y="{top + 28}" width="{scale * of[name]:.0f}" height="15"/>')
        parts.append(f'<rect class="other" x="2" y="{top + 43}" width="{scale:.0f}" height="7"/>')
        value = "equal" if in_words(of[name]) == "equally" else f"{of[name]:.1f} times"
        parts.append(f'<text class="value" x="{WIDTH}" y="{top + 45}" text-anchor="end">{value}</text>')
    height = ROW * len(FIRST)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img"><title>How many times as fast</title><style>{STYLE}</style>{"".join(parts)}</svg>\n'
    )


def with_rows(text: str, result: dict[str, Any]) -> str:
    """`README.md` with its five numbers."""
    text, places = re.subn(r"(?ms)^\| \| gammonrules is \| \|\n.*?(?=\n\n)", lambda _: rows(result), text)
    if places != 1:
        raise SystemExit(f"README.md has {places} tables that begin with `| | gammonrules is | |`, not 1")
    return text


def with_machine(text: str, result: dict[str, Any]) -> str:
    """The page with the machine on which it was measured."""
    machine = "machine with {processors} processors ({processor}) and CPython {python}".format(**result["machine"])
    text, places = re.subn(r"machine with \d+ processors \(\w+\) and CPython [\d.]*\d", machine, text)
    if places != 1:
        raise SystemExit(f"{places} places of the page name the machine, not 1")
    return text


def with_tables(text: str, tables: str) -> str:
    """The page with its tables, each known by its first line."""
    for table in tables.split("\n\n"):
        first = re.escape(table.partition("\n")[0]) if table[0] == "|" else "(?:Below their target:|All targets)[^\n]*"
        places = list(re.finditer(rf"(?ms)^ *({first}$.*?)(?=\n\n)", text))
        if len(places) != 1:
            raise SystemExit(f"{len(places)} places of the page look like {first}, not 1")
        start, end = places[0].span(1)
        text = text[:start] + table + text[end:]
    return text


def files() -> dict[Path, str]:
    """What is made of the figures, by its file."""
    sys.path.append(str(ROOT / "benchmarks"))
    import run  # noqa: PLC0415  it is in no folder that tests import from
    from chart import chart as chart_of_all  # noqa: PLC0415

    result = measured()
    page, readme = ROOT / "docs" / "explanation" / "performance.md", ROOT / "README.md"
    return {
        page: with_machine(with_tables(page.read_text(encoding="utf-8"), run.tables(result)), result),
        readme: with_rows(readme.read_text(encoding="utf-8"), result),
        IMAGES / "faster.svg": chart(result),
        IMAGES / "performance.svg": chart_of_all(result["measures"]),
        IMAGES / "performance-narrow.svg": chart_of_all(result["measures"], narrow=True),
    }
