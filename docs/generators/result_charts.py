"""Charts of what pages print: a bar for each number, with its interval; `docs/generators/pictures.py` writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

HOW_TO = Path(__file__).parents[1] / "how-to"
WIDTH, VALUES, ROW = 628, 170, 60
"""The widths of the whole and of the numbers on the right, and the height of a name with its bar."""
STYLE = (
    "text{font:17px -apple-system,BlinkMacSystemFont,Helvetica,Arial,sans-serif;fill:#33261d}.bar{fill:#b08968}"
    "path{stroke:#33261d;stroke-width:3}.zero{stroke:#767676;stroke-width:1}"
    "@media screen and (prefers-color-scheme:dark){text{fill:#e4ddd6}.bar{fill:#8f6b50}path{stroke:#e4ddd6}}"
    "@media(max-width:420px){text{font-size:24px}}"
)


class Printed(NamedTuple):
    """Where a page prints its result: a pattern with a name, a number and perhaps how far it may be off."""

    pattern: str
    title: str
    form: str = "{}"


CHARTS = {
    "archive-to-table": Printed(
        r"^\[(-?\d+, -?\d+)\) +\d+ +\d+ +([\d.]+)$", "How often a player doubles, by the lead in pips", "{:.0%}"
    ),
    "analyze-matches": Printed(r"^(\w+): ([\d.]+) in \d+ decisions$", "Error rates: what a decision loses on average"),
    "measure-a-bot": Printed(
        r"^(careful) against anything: (\S+) ± (\S+) ", "Points a game against a player who moves at random", "{:+.2f}"
    ),
    "how-strong-is-my-bot": Printed(
        r"^(always|half|sometimes|never): (\S+) ± (\S+)$", "Ratings: points a game better than the mean", "{:+.2f}"
    ),
    "train-a-bot": Printed(
        r"^\| ([^|\d][^|]+) \| [\d,]+ \| (\S+) ± (\S+) \|$", "Points a game of the bot, against others", "{:+.2f}"
    ),
    "train-with-libraries": Printed(
        r"^\| ([^|,]+?)(?:,[^|]+)? \| [\d,]+ \| [^|]+ \| (\S+) ± (\S+) \|",
        "Points a game after ten minutes, against a player who moves at random",
        "{:+.2f}",
    ),
    "scale": Printed(r"^(single|gammon|backgammon): ([\d.]+)$", "How 200 games ended", "{:.0%}"),
}
"""By the names of the how-tos."""


def chart(how_to: str) -> str:
    """The chart of a how-to, from what its page prints."""
    pattern, title, form = CHARTS[how_to]
    rows = []
    for label, *numbers in re.findall(f"(?m){pattern}", (HOW_TO / f"{how_to}.md").read_text(encoding="utf-8")):
        name = re.sub(r"(\d), ", r"\1 to ", label.replace("`", ""))
        rows.append((name, *(float(number.replace("\N{MINUS SIGN}", "-")) for number in numbers)))
    return drawn(title, form, rows)


def signed(text: str) -> str:
    """A number with a minus sign, not a hyphen."""
    return re.sub(r"(?<!\w)-(?=\d)", "\N{MINUS SIGN}", text)


def drawn(title: str, form: str, rows: Sequence[tuple[str, *tuple[float, ...]]]) -> str:
    """An SVG drawing; the names are above the bars, and nothing crosses a number."""
    ends = [end for _, mean, *margin in rows for end in (mean - sum(margin), mean + sum(margin))]
    low, high = min(0, *ends), max(0, *ends)

    def x(value: float) -> float:
        return 2 + (WIDTH - VALUES) * (value - low) / (high - low)

    parts = []
    for number, (name, mean, *margin) in enumerate(rows):
        middle = ROW * number + 42
        left, right = sorted((x(0), x(mean)))
        parts.append(f'<text x="2" y="{middle - 18}">{escape(signed(name))}</text>')
        parts.append(
            f'<rect class="bar" x="{left:.1f}" y="{middle - 12}" width="{max(right - left, 1):.1f}" height="24"/>'
        )
        parts.append(f'<path class="zero" d="M{x(0):.1f} {middle - 14}v28"/>')
        said = form.format(mean)
        for each in margin:
            begin, end = x(mean - each), x(mean + each)
            parts.append(f'<path d="M{begin:.1f} {middle}H{end:.1f}"/>')
            said += f" ± {each:.2f}"
        parts.append(f'<text x="{WIDTH}" y="{middle + 6}" text-anchor="end">{signed(said)}</text>')
    height = ROW * len(rows)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img"><title>{escape(title)}</title><style>{STYLE}</style>{"".join(parts)}</svg>'
    )
