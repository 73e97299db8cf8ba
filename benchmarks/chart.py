"""The ratios as bars, on a scale on which each doubling has the same length."""

from __future__ import annotations

from math import log2
from typing import Any

WIDTH, ROW, LEFT, TOP, UNIT = 760, 34, 330, 30, 70
STYLE = "text{font:13px sans-serif;fill:#333}.ours{fill:#8d6e63}.line{stroke:#999;stroke-dasharray:3}"


def chart(rows: list[dict[str, Any]]) -> str:
    """An SVG drawing of the measures: how many times faster than the peer."""
    height = TOP + ROW * len(rows) + 10
    most = max(5, *(log2(row["ratio"]) + 1 for row in rows))
    parts = [f"<style>{STYLE}</style>", '<rect width="100%" height="100%" fill="#fff"/>']
    for power in range(int(most) + 1):
        x = LEFT + UNIT * power
        parts.append(f'<line class="line" x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{height}"/>')
        parts.append(f'<text x="{x}" y="{TOP - 13}" text-anchor="middle">x{2**power}</text>')
    for number, row in enumerate(rows):
        parts += bar(row, TOP + ROW * number)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" role="img">'
        f"<title>How many times faster than the peer</title>{''.join(parts)}</svg>\n"
    )


def bar(row: dict[str, Any], y: int) -> list[str]:
    """One measure; a bar to the left of the first line means slower."""
    length = UNIT * log2(row["ratio"])
    x, peer = min(LEFT, LEFT + length), row["times"][1][0]
    return [
        f'<text x="8" y="{y + 13}">{row["name"]} {row["what"]}</text>',
        f'<text x="8" y="{y + 26}" style="font-size:10px;fill:#777">beside {peer}</text>',
        f'<rect class="ours" x="{x:.0f}" y="{y + 4}" width="{max(abs(length), 1):.0f}" height="18"/>',
        f'<text x="{LEFT + max(length, 0) + 6:.0f}" y="{y + 18}">{row["ratio"]:.2f}</text>',
    ]
