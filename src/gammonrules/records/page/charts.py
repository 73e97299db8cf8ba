"""Charts as static SVG: lines and dots, as wide as the page lets them be.

A chart has no ids, style or script. Its colors are those of the page, by the classes in `charts.css`. Where things are
is given in percent, so that dots stay round and words legible however wide it is. A line has no more than some hundred
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
_LEAST_HEIGHT: Final = 8
_MOST_HEIGHT: Final = 45
"""Of a mistake, in percent of the chart: those of two players do not meet."""


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

    @property
    def height(self) -> float:
        """0 for a gap."""
        return self.y or 0.0


@frozen
class Series:
    name: str
    points: Sequence[Point]
    """From left to right."""


@frozen
class Mark:
    """Words at a line across the chart, or at one from top to bottom."""

    at: float
    words: str


@frozen
class _Scale:
    """Where things are, in percent of the chart."""

    lowest: float
    highest: float
    last: float

    def x(self, x: float) -> float:
        return round(100 * x / max(self.last, 1), 2)

    def y(self, y: float) -> float:
        return round(100 * (self.highest - y) / (self.highest - self.lowest), 2)


def strip(
    title: str,
    lines: Sequence[Series],
    mistakes: Sequence[Point],
    marks: Sequence[Mark],
    *,
    lowest: float,
    highest: float,
    last: float,
    dots: Sequence[Point] = (),
    levels: Sequence[Mark] = (),
) -> str:
    """A chart as HTML of any shape, from 0 to `last`: lines, what is below a single one, mistakes, and dots.

    It reaches at least from `lowest`, 0 or a negative number, to `highest`. With a negative one, 0 is in the middle. A
    mistake is as tall as it cost, from below, or from above if its number is negative. Marks are lines from top to
    bottom; levels are lines across, in place of one in the middle; then nothing is drawn below a line.
    """
    known = [_known_points(line) for line in lines]
    heights = [abs(lowest), abs(highest)]
    for points in known:
        heights += [abs(point.height) for point in points]
    high = max(heights)
    if high == 0:
        high = 1  # nothing is seen of a chart without height
    scale = _Scale(lowest=-high if lowest else 0.0, highest=high, last=last)
    # the first one is where the chart begins; of too many, every second or third is named
    distance = 1 + len(marks) // _MOST_MARKS
    named_marks = marks[1::distance]
    has_area = len(lines) == 1 and not levels
    parts = [
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">',
        *_drawn_lines(known, scale, has_area=has_area),
        _grid(named_marks, levels, scale),
        "</svg>",
        *_drawn_mistakes(mistakes, scale),
    ]
    for mark in named_marks:
        words = _short_text(mark.words, _LONGEST_NAME)
        parts.append(f'<text x="{scale.x(mark.at)}%" y="11">{words}</text>')
    for level in levels:
        words = _short_text(level.words)
        parts.append(f'<text y="{scale.y(level.at)}%" dy="-4">{words}</text>')
    for dot in dots:
        if not dot.is_gap:
            place = f'cx="{scale.x(dot.x)}%" cy="{scale.y(dot.height)}%" r="5"'
            parts.append(_linked(dot, "circle", place))
    parts += _legend(lines)
    drawn = f"<title>{_short_text(title)}</title>{''.join(parts)}"
    return f'<div class="chart strip"><svg role="group">{drawn}</svg></div>\n'


def _known_points(line: Series) -> list[Point]:
    return [point for point in _thinned(line.points) if not point.is_gap]


def _drawn_lines(
    lines: Sequence[Sequence[Point]], scale: _Scale, *, has_area: bool
) -> Iterator[str]:
    """Each line, and with an area, what is below it."""
    for number, points in enumerate(lines):
        corners = [f"{scale.x(point.x)},{scale.y(point.height)}" for point in points]
        if len(corners) == 1:
            corners *= 2  # a point is seen only if it is there twice
        way = " ".join(corners)
        if points and has_area:
            left = f"0,100 0,{scale.y(points[0].height)}"
            right = f"100,{scale.y(points[-1].height)} 100,100"
            yield f'<polygon points="{left} {way} {right}"/>'
        yield f'<g class="s{number}"><polyline points="{way}"/></g>'


def _grid(marks: Sequence[Mark], levels: Sequence[Mark], scale: _Scale) -> str:
    """The lines of levels and marks, and the one that the script moves to what the page shows."""
    heights: list[float] = [scale.y(level.at) for level in levels] or [50]
    across = [f"M0 {height}H100" for height in heights]
    down = [f"M{scale.x(mark.at)} 0V100" for mark in marks]
    return f'<path d="{" ".join(across + down)}"/><path class="here"/>'


def _drawn_mistakes(mistakes: Sequence[Point], scale: _Scale) -> Iterator[str]:
    known = [mistake for mistake in mistakes if not mistake.is_gap]
    tallest = max((abs(mistake.height) for mistake in known), default=0)
    for mistake in known:
        cost = mistake.height
        height = _LEAST_HEIGHT
        if tallest:
            height = round(height + (_MOST_HEIGHT - _LEAST_HEIGHT) * abs(cost) / tallest)
        top = 0 if cost < 0 else 100 - height
        place = f'x="{scale.x(mistake.x)}%" y="{top}%" height="{height}%" width="4"'
        yield _linked(mistake, "rect", place)


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """The lowest and the highest of each run of points, so that none that stands out is lost."""
    if len(points) <= _MOST_POINTS:
        return points
    size = ceil(2 * len(points) / _MOST_POINTS)
    chosen: list[Point] = []
    for start in range(0, len(points), size):
        run = points[start : start + size]
        known = [index for index, point in enumerate(run) if not point.is_gap]
        if not known:
            a_gap = run[0]
            chosen.append(a_gap)
            continue
        lowest = min(known, key=lambda index: run[index].height)
        # of several that are equally high the last, so that a level run keeps both its ends
        highest = max(reversed(known), key=lambda index: run[index].height)
        chosen += [run[index] for index in sorted({lowest, highest})]
    return chosen


def _short_text(text: str, longest: int = _LONGEST_LABEL) -> str:
    return escape(harmless(text, longest))


def _legend(series: Sequence[Series]) -> Iterator[str]:
    x = 72
    for number, graph in enumerate(series):
        name = graph.name[: _LONGEST_NAME + 1]
        if name:
            yield f'<g class="s{number}"><rect x="{x}" y="8" width="14" height="14"/></g>'
            yield f'<text x="{x + 20}" y="22">{_short_text(name, _LONGEST_NAME)}</text>'
            x += 20 + (len(name) + 2) * _CHARACTER


def _linked(point: Point, tag: str, place: str) -> str:
    label = _short_text(point.label)
    shape = f'<{tag} class="{escape(point.kind)}" {place}><title>{label}</title></{tag}>'
    if not point.href:
        return shape
    return f'<a href="{escape(point.href)}" aria-label="{label}">{shape}</a>'
