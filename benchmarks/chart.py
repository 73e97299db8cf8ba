"""The ratios as bars, on a scale on which each doubling has the same length: for wide windows, and for a phone."""

from __future__ import annotations

import textwrap
from math import log2
from typing import Any

WIDTH, LINE, BAR, SMALL_ROW, LEFT, TOP, UNIT = 420, 16, 32, 34, 128, 54, 28
"""To the left of `LEFT` is room for what takes sixteen times as long."""
NAMES = 266
"""The width of the names where they stand beside the bars, not above them."""
STYLE = (
    "text{font:13px sans-serif;fill:#333}.small{font-size:12px;fill:#666}"
    ".ours{fill:#8d6e63}.other{fill:#c9b8b1}"
    ".line{stroke:#999;stroke-dasharray:3}.target{stroke:#c62828;stroke-width:2}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#e4ddd6}.small{fill:#b3a89d}"
    ".ours{fill:#a98274}.other{fill:#6b564e}.line{stroke:#777}.target{stroke:#ff8a80}}"
)


def chart(rows: list[dict[str, Any]], *, narrow: bool = False) -> str:
    """An SVG drawing of the measures: how many times faster than the peer, and than the target asks for."""
    most = max(5, *(log2(row["ratio"]) + 1 for row in rows))
    lines = [LEFT + UNIT * power for power in range(0, int(most) + 1, 2)]
    grid = [f'<text x="{x}" y="{TOP - 13}" text-anchor="middle">x{4**number}</text>' for number, x in enumerate(lines)]
    names: list[str] = []
    bars: list[str] = []
    y = TOP
    for row in rows:
        words = f"{row['name']} {row['what']} (beside {row['times'][1][0]})".replace("`", "")
        wrapped = textwrap.wrap(words, 52 if narrow else 40)
        names += [f'<text x="8" y="{y + LINE * number}">{line}</text>' for number, line in enumerate(wrapped, 1)]
        above = LINE * len(wrapped) + 2 if narrow else 0
        grid += [f'<path class="line" d="M{x} {y + above}v26"/>' for x in lines]
        bars += bar(row, y + above)
        y += max(above + BAR, LINE * len(wrapped) + 10)
        for name, ratio in others(row):
            names.append(f'<text class="small" x="8" y="{y + 8}">{name}</text>')
            bars += small_bar(ratio, y if narrow else y - 14)
            y += SMALL_ROW if narrow else SMALL_ROW - 12
    height = y + 8
    beside = 0 if narrow else NAMES
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + beside} {height}" width="{WIDTH + beside}"'
        f' role="img"><title>How many times faster than the peer</title><style>{STYLE}</style>'
        f'{legend()}{"".join(names)}<g transform="translate({beside})">{"".join([*grid, *bars])}</g></svg>\n'
    )


def legend() -> str:
    """What the signs mean, above all of them."""
    signs = [rectangle("ours", 1, 6, 12, 8), rectangle("other", 1, 8, 8, 138), *mark(264, 4, 16)]
    words = {26: "gammonrules", 156: "another way", 274: "what it should reach"}
    return "".join([*signs, *(f'<text x="{x}" y="17">{word}</text>' for x, word in words.items())])


def others(row: dict[str, Any]) -> list[tuple[str, float]]:
    """What else was measured beside the peer, except the interpreter that does nothing."""
    _, (_, peer), *more = row["times"]
    return [(name, peer / time) for name, time in more if name != "nothing"]


def bar(row: dict[str, Any], y: int) -> list[str]:
    """One measure; a bar to the left of the first line means slower. Nothing crosses the column of numbers."""
    return [
        rectangle("ours", row["ratio"], y + 4, 18),
        *mark(LEFT + UNIT * log2(row["target"]), y + 1, 24),
        f'<text x="{WIDTH - 4}" y="{y + 18}" text-anchor="end">{row["ratio"]:.2f}</text>',
    ]


def small_bar(ratio: float, y: int) -> list[str]:
    """What else was measured beside the same peer."""
    return [
        rectangle("other", ratio, y + 13, 10),
        f'<text class="small" x="{WIDTH - 4}" y="{y + 22}" text-anchor="end">{ratio:.2f}</text>',
    ]


def rectangle(kind: str, ratio: float, y: int, height: int, at: int | None = None) -> str:
    """A bar; `at` is the place of one that only explains itself."""
    length = UNIT * log2(ratio)
    x, width = (min(LEFT, LEFT + length), max(abs(length), 1)) if at is None else (at, 12)
    return f'<rect class="{kind}" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}"/>'


def mark(x: float, y: int, height: int) -> list[str]:
    return [f'<line class="target" x1="{x:.0f}" x2="{x:.0f}" y1="{y}" y2="{y + height}"/>']
