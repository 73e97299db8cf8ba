"""Charts as static SVG: lines and dots, as wide as the page lets them be.

A chart has no ids, style or script. Its colors are those of the page, by the classes in `charts.css`. Where things are
is told in percent, so that dots stay round and words legible however wide it is. A line has no more than some hundred
points, however many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import ceil, isfinite
from typing import Final

from attrs import frozen

from gammonrules.records.transcript import harmless

_CHARACTER: Final = 11
"""The width of a character in the legend, at most."""
_MOST_POINTS: Final = 400
_LARGEST: Final = 1e9
_LONGEST_NAME: Final = 16
"""Characters of a name beside an axis or in the legend."""
_LONGEST_LABEL: Final = 200
_MOST_MARKS: Final = 30


@frozen
class Point:
    x: float
    y: float | None
    """None is a gap, and so is what is not finite, or beyond a billion."""
    label: str = ""
    """What a dot says when it is pointed at."""
    href: str = ""
    """Where a dot leads to: an address within the page, or of a page beside it."""
    kind: str = ""
    """A class of its own, "error" or "blunder"."""

    @property
    def is_gap(self) -> bool:
        return self.y is None or not isfinite(self.y) or abs(self.y) > _LARGEST


@frozen
class Series:
    name: str
    points: Sequence[Point]
    """From left to right."""


def strip(
    title: str,
    lines: Sequence[Series],
    mistakes: Sequence[Point],
    marks: Sequence[tuple[float, str]],
    ends: tuple[float, float],
    last: float,
    dots: Sequence[Point] = (),
    levels: Sequence[tuple[float, str]] = (),
) -> str:
    """A chart as HTML of any shape, from 0 to `last`: lines, what is below a single one, mistakes, and dots.

    A mistake is as tall as it cost, from below, or from above if its number is negative. Levels are lines across with
    their words, in place of one in the middle; then nothing is drawn below a line.
    """
    known = [[point for point in _thinned(line.points) if not point.is_gap] for line in lines]
    high = max(map(abs, [*ends, *(point.y or 0 for points in known for point in points)])) or 1
    low = -high if ends[0] else 0.0

    def across(x: float) -> float:
        return round(100 * x / max(last, 1), 2)

    def up(y: float | None) -> float:
        return round(100 * (high - (y or 0)) / (high - low), 2)

    parts = ['<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">']
    for number, points in enumerate(known):
        way = " ".join(
            [f"{across(point.x)},{up(point.y)}" for point in points] * (1 + (len(points) == 1))
        )
        if points and len(lines) == 1 and not levels:
            parts.append(
                f'<polygon points="0,100 0,{up(points[0].y)} {way} 100,{up(points[-1].y)} 100,100"/>'
            )
        parts.append(f'<g class="s{number}"><polyline points="{way}"/></g>')
    starts = [(across(x), label) for x, label in marks[1 :: 1 + len(marks) // _MOST_MARKS]]
    heights = [(up(y), label) for y, label in levels]
    drawn = *(f"M0 {y}H100" for y, _ in heights or [(50, "")]), *(f"M{x} 0V100" for x, _ in starts)
    parts += [f'<path d="{" ".join(drawn)}"/><path class="here"/></svg>']
    costs = [(point, point.y or 0) for point in mistakes if not point.is_gap]
    tallest = max((abs(cost) for _, cost in costs), default=0) or 1
    for point, cost in costs:
        tall = round(8 + 37 * abs(cost) / tallest)
        at = f'x="{across(point.x)}%" y="{0 if cost < 0 else 100 - tall}%" height="{tall}%" width="4"'
        parts.append(_linked(point, "rect", at))
    parts += (
        f'<text x="{x}%" y="11">{_short_text(label, _LONGEST_NAME)}</text>' for x, label in starts
    )
    parts += (f'<text y="{y}%" dy="-4">{_short_text(label)}</text>' for y, label in heights)
    shown = (
        (point, f'cx="{across(point.x)}%" cy="{up(point.y)}%" r="5"')
        for point in dots
        if not point.is_gap
    )
    parts += (_linked(point, "circle", at) for point, at in shown)
    parts += _legend(lines)
    about = f"<title>{_short_text(title)}</title>"
    return f'<div class="chart strip"><svg role="group">{about}{"".join(parts)}</svg></div>\n'


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """The lowest and the highest of each run of points, so that none that stands out is lost."""
    size = ceil(2 * len(points) / _MOST_POINTS) or 1
    chosen = list[Point]()
    for run in (points[at : at + size] for at in range(0, len(points), size)):
        known = sorted((point.y or 0, at) for at, point in enumerate(run) if not point.is_gap) or [
            (0, 0)
        ]
        chosen += (run[at] for at in sorted({known[0][1], known[-1][1]}))
    return chosen if len(points) > _MOST_POINTS else points


def _short_text(text: str, longest: int = _LONGEST_LABEL) -> str:
    return escape(harmless(text, longest))


def _legend(series: Sequence[Series]) -> Iterator[str]:
    x = 72
    for number, name in enumerate(graph.name[: _LONGEST_NAME + 1] for graph in series):
        if name:
            yield f'<g class="s{number}"><rect x="{x}" y="8" width="14" height="14"/></g>'
            yield f'<text x="{x + 20}" y="22">{_short_text(name, _LONGEST_NAME)}</text>'
            x += 20 + (len(name) + 2) * _CHARACTER


def _linked(point: Point, tag: str, place: str) -> str:
    label = _short_text(point.label)
    shape = f'<{tag} class="{escape(point.kind)}" {place}><title>{label}</title></{tag}>'
    return (
        f'<a href="{escape(point.href)}" aria-label="{label}">{shape}</a>' if point.href else shape
    )
