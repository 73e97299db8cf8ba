"""Charts of what pages print: a bar for each number, with its interval; `pictures.py` writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[1] / "docs"
WIDTH = 628
VALUES = 170
"""The width of the numbers on the right."""
ROW = 60
"""The height of a name with its bar."""
STYLE = (
    "text{font:17px -apple-system,BlinkMacSystemFont,Helvetica,Arial,sans-serif;fill:#33261d}.bar{fill:#b08968}"
    "path{stroke:#33261d;stroke-width:3}.zero{stroke:#767676;stroke-width:1}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#e4ddd6}.bar{fill:#8f6b50}path{stroke:#e4ddd6}}"
    "@media(max-width:420px){text{font-size:24px}}"
)


class Printed(NamedTuple):
    """Where a page prints its result: a pattern with a name, a number and perhaps how far it may be off."""

    page: str
    pattern: str
    title: str
    form: str = "{}"


class Result(NamedTuple):
    """A number that a page prints."""

    name: str
    mean: float
    margin: float | None
    """How far it may be off, if the page says so."""

    @property
    def low(self) -> float:
        return self.mean - (self.margin or 0)

    @property
    def high(self) -> float:
        return self.mean + (self.margin or 0)


CHARTS = {
    "how-to/archive-to-table.svg": Printed(
        "how-to/archive-to-table.md",
        r"^\[(-?\d+, -?\d+)\) +\d+ +\d+ +([\d.]+)$",
        "How often a player doubles, by the lead in pips",
        "{:.0%}",
    ),
    "how-to/measure-a-bot.svg": Printed(
        "how-to/measure-a-bot.md",
        r"^(always|half|sometimes|never): (\S+) ± (\S+)$",
        "Ratings: points a game better than the mean",
        "{:+.2f}",
    ),
    "how-to/train-a-bot.svg": Printed(
        "how-to/train-a-bot.md",
        r"^\| ([^|\d][^|]+) \| [\d,]+ \| (\S+) ± (\S+) \|$",
        "Points a game of the bot, against others",
        "{:+.2f}",
    ),
    "how-to/scale.svg": Printed(
        "how-to/scale.md", r"^(single|gammon|backgammon): ([\d.]+)$", "How 200 games ended", "{:.0%}"
    ),
    "home-bot.svg": Printed(
        "reference/benchmark.md",
        r"^\| (bgsage, level 3|GNU Backgammon, [02]-ply|`.+`, an example) \| (\S+) [^|]*\| \d+\.\d\d \|",
        "What a play of each bot loses, in thousandths of a point",
    ),
}
"""By the names of the pictures."""


def chart(printed: Printed) -> str:
    """The chart of what a page prints."""
    text = (DOCS / printed.page).read_text(encoding="utf-8")
    results: list[Result] = []
    for label, mean, *margins in re.findall(f"(?m){printed.pattern}", text):
        name = re.sub(r"(\d), ", r"\1 to ", label.replace("`", ""))
        margin = number_in(margins[0]) if margins else None
        results.append(Result(name, number_in(mean), margin))
    return drawn(printed.title, printed.form, results)


def number_in(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def signed(text: str) -> str:
    """A number with a minus sign, not a hyphen."""
    return re.sub(r"(?<!\w)-(?=\d)", "\N{MINUS SIGN}", text)


def drawn(title: str, form: str, results: Sequence[Result]) -> str:
    """An SVG drawing; the names are above the bars, and nothing crosses a number."""
    low = min(0, *(result.low for result in results))
    high = max(0, *(result.high for result in results))

    def x(value: float) -> float:
        return 2 + (WIDTH - VALUES) * (value - low) / (high - low)

    parts: list[str] = []
    for number, result in enumerate(results):
        middle = ROW * number + 42
        left = x(min(0, result.mean))
        width = max(x(max(0, result.mean)) - left, 1)
        words = form.format(result.mean)
        parts.append(f'<text x="2" y="{middle - 18}">{escape(signed(result.name))}</text>')
        parts.append(f'<rect class="bar" x="{left:.1f}" y="{middle - 12}" width="{width:.1f}" height="24"/>')
        parts.append(f'<path class="zero" d="M{x(0):.1f} {middle - 14}v28"/>')
        if result.margin is not None:
            parts.append(f'<path d="M{x(result.low):.1f} {middle}H{x(result.high):.1f}"/>')
            words += f" ± {result.margin:.2f}"
        parts.append(f'<text x="{WIDTH}" y="{middle + 6}" text-anchor="end">{signed(words)}</text>')
    height = ROW * len(results)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img"><title>{escape(title)}</title><style>{STYLE}</style>{"".join(parts)}</svg>'
    )
