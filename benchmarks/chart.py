"""The ratios as bars, on a scale on which each doubling has the same length: for wide windows, and for a phone."""

from __future__ import annotations

import textwrap
from math import log2
from typing import Any

WIDTH, LINE, BAR, SMALL_ROW, LEFT, TOP, UNIT = 420, 16, 32, 34, 128, 30, 28
"""To the left of `LEFT` is room for what takes sixteen times as long."""
NAMES = 266
"""The width of the names where they stand beside the bars, not above them."""
STYLE = (
    "text{font:13px sans-serif;fill:#333;stroke:#fff;stroke-width:4;paint-order:stroke}.small{font-size:11px;fill:#666}"
    ".ours{fill:#8d6e63}.other{fill:#c9b8b1}"
    ".line{stroke:#999;stroke-dasharray:3}.target{stroke:#c62828;stroke-width:2}.ground{fill:#fff}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#e4ddd6;stroke:#1e1a17}.small{fill:#b3a89d}"
    ".ours{fill:#a98274}.other{fill:#6b564e}.line{stroke:#777}.target{stroke:#ff8a80}.ground{fill:#1e1a17}}"
)


def chart(rows: list[dict[str, Any]], *, narrow: bool = False) -> str:
    """An SVG drawing of the measures: how many times faster than the peer, and than the target asks for."""
    most = max(5, *(log2(row["ratio"]) + 1 for row in rows))
    names: list[str] = []
    bars: list[str] = []
    y = TOP
    for row in rows:
        words = f"{row['name']} {row['what']} (beside {row['times'][1][0]})".replace("`", "")
        lines = textwrap.wrap(words, 52 if narrow else 40)
        names += [f'<text x="8" y="{y + LINE * number}">{line}</text>' for number, line in enumerate(lines, 1)]
        above = LINE * len(lines) + 2 if narrow else 0
        bars += bar(row, y + above)
        y += max(above + BAR, LINE * len(lines) + 10)
        for name, ratio in others(row):
            names.append(f'<text class="small" x="8" y="{y + 8}">{name}</text>')
            bars += small_bar(ratio, y if narrow else y - 14)
            y += SMALL_ROW if narrow else SMALL_ROW - 12
    height = y + 24
    grid: list[str] = []
    for power in range(0, int(most) + 1, 2):
        x = LEFT + UNIT * power
        grid.append(f'<line class="line" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{y}"/>')
        grid.append(f'<text x="{x}" y="{TOP - 13}" text-anchor="middle">x{2**power}</text>')
    bars += [*mark(LEFT, y + 2, 14), f'<text class="small" x="{LEFT + 8}" y="{y + 13}">the target</text>']
    beside = 0 if narrow else NAMES
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + beside} {height}" width="{WIDTH + beside}"'
        f' role="img"><title>How many times faster than the peer</title><style>{STYLE}</style>'
        f'<rect class="ground" width="100%" height="100%"/><g transform="translate({beside})">{"".join(grid)}</g>'
        f'{"".join(names)}<g transform="translate({beside})">{"".join(bars)}</g></svg>\n'
    )


def others(row: dict[str, Any]) -> list[tuple[str, float]]:
    """What else was measured beside the peer, except the interpreter that does nothing."""
    _, (_, peer), *more = row["times"]
    return [(name, peer / time) for name, time in more if name != "nothing"]


def bar(row: dict[str, Any], y: int) -> list[str]:
    """One measure; a bar to the left of the first line means slower."""
    end = LEFT + max(UNIT * log2(max(row["ratio"], row["target"])), 0)
    return [
        rectangle("ours", row["ratio"], y + 4, 18),
        *mark(LEFT + UNIT * log2(row["target"]), y + 1, 24),
        f'<text x="{end + 6:.0f}" y="{y + 18}">{row["ratio"]:.2f}</text>',
    ]


def small_bar(ratio: float, y: int) -> list[str]:
    """What else was measured beside the same peer."""
    end = LEFT + max(UNIT * log2(ratio), 0)
    return [
        rectangle("other", ratio, y + 13, 10),
        f'<text class="small" x="{end + 6:.0f}" y="{y + 22}">{ratio:.2f}</text>',
    ]


def rectangle(kind: str, ratio: float, y: int, height: int) -> str:
    length = UNIT * log2(ratio)
    x, width = min(LEFT, LEFT + length), max(abs(length), 1)
    return f'<rect class="{kind}" x="{x:.0f}" y="{y}" width="{width:.0f}" height="{height}"/>'


def mark(x: float, y: int, height: int) -> list[str]:
    return [f'<line class="target" x1="{x:.0f}" x2="{x:.0f}" y1="{y}" y2="{y + height}"/>']
