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

from gammonrules.analysis.internals import harmless

_LEGEND_FROM: Final = 72
_LEGEND_KEY: Final = 20
"""The width of the colored square before a name in the legend, with the space after it."""
_CHARACTER: Final = 11
"""The width of a character in the legend, at most."""
_MAX_POINTS: Final = 400
_MAX_VALUE: Final = 1e9
_MAX_NAME_LENGTH: Final = 16
"""Characters of a name beside an axis or in the legend."""
_MAX_LABEL_LENGTH: Final = 200
_MAX_MARKS: Final = 30
_MIN_HEIGHT: Final = 8
_MAX_HEIGHT: Final = 45
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
        return self.y is None or not isfinite(self.y) or abs(self.y) > _MAX_VALUE

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
    """A chart as HTML, which fits any width and height: lines, mistakes, and dots, from 0 to `last`.

    If `lowest` is 0, the scale begins there. If it is negative, the scale goes as far below 0 as above. The scale has
    room for `lowest`, `highest`, and all lines.

    A mistake is a bar as tall as it cost. It stands on the lower edge, or hangs from the upper one if its height is
    negative. Marks are lines from top to bottom, and levels lines from left to right. Without levels there is a line in
    the middle, and if there is a single line, the area below it is filled.
    """
    points_of_lines = [_known_points(line) for line in lines]
    heights = [abs(lowest), abs(highest)]
    for points in points_of_lines:
        heights += [abs(point.height) for point in points]
    top = max(heights)
    if top == 0:
        top = 1  # nothing is seen of a chart without height
    bottom = -top if lowest < 0 else 0.0
    scale = _Scale(lowest=bottom, highest=top, last=last)
    # the first mark would be at the left edge; of too many, every second or third is drawn
    distance = 1 + len(marks) // _MAX_MARKS
    drawn_marks = marks[1::distance]
    has_area = len(lines) == 1 and not levels
    parts = [
        # only this inner picture is stretched; the bars, dots and words after it keep their shape
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">',
        *_drawn_lines(points_of_lines, scale, has_area=has_area),
        _grid(drawn_marks, levels, scale),
        "</svg>",
        *_drawn_mistakes(mistakes, scale),
    ]
    for mark in drawn_marks:
        words = _short_text(mark.words, _MAX_NAME_LENGTH)
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
    """The SVG of each line, and if `has_area`, of the area between it and the lower edge of the chart."""
    for number, points in enumerate(lines):
        corners = [f"{scale.x(point.x)},{scale.y(point.height)}" for point in points]
        if len(corners) == 1:
            corners *= 2  # a point is seen only if it is there twice
        path = " ".join(corners)
        if points and has_area:
            # from the lower left corner of the chart along the line to the lower right one
            left = f"0,100 0,{scale.y(points[0].height)}"
            right = f"100,{scale.y(points[-1].height)} 100,100"
            yield f'<polygon points="{left} {path} {right}"/>'
        yield f'<g class="s{number}"><polyline points="{path}"/></g>'


def _grid(marks: Sequence[Mark], levels: Sequence[Mark], scale: _Scale) -> str:
    """The lines of levels and marks, and the one that the script moves to what the page shows."""
    heights: list[float] = [scale.y(level.at) for level in levels] or [50]
    across = [f"M0 {height}H100" for height in heights]
    down = [f"M{scale.x(mark.at)} 0V100" for mark in marks]
    return f'<path d="{" ".join(across + down)}"/><path class="here"/>'


def _drawn_mistakes(mistakes: Sequence[Point], scale: _Scale) -> Iterator[str]:
    """A bar for each mistake, from the lower edge of the chart, or from the upper one if its height is negative."""
    known = [mistake for mistake in mistakes if not mistake.is_gap]
    largest = max((abs(mistake.height) for mistake in known), default=0)
    for mistake in known:
        height: float = _MIN_HEIGHT
        if largest:
            height += (_MAX_HEIGHT - _MIN_HEIGHT) * abs(mistake.height) / largest
        percent = round(height)
        hangs_from_above = mistake.height < 0
        top = 0 if hangs_from_above else 100 - percent
        place = f'x="{scale.x(mistake.x)}%" y="{top}%" height="{percent}%" width="4"'
        yield _linked(mistake, "rect", place)


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """The lowest and the highest of each run of points, so that none that stands out is lost."""
    if len(points) <= _MAX_POINTS:
        return points
    length_of_run = ceil(2 * len(points) / _MAX_POINTS)  # since two points of each run are kept
    kept: list[Point] = []
    for start in range(0, len(points), length_of_run):
        run = points[start : start + length_of_run]
        places = [place for place, point in enumerate(run) if not point.is_gap]
        if not places:
            a_gap = run[0]
            kept.append(a_gap)
            continue
        lowest = min(places, key=lambda place: run[place].height)
        # of several that are equally high the last, so that a level run keeps both its ends
        highest = max(reversed(places), key=lambda place: run[place].height)
        kept += [run[place] for place in sorted({lowest, highest})]
    return kept


def _short_text(text: str, longest: int = _MAX_LABEL_LENGTH) -> str:
    return escape(harmless(text, longest))


def _legend(series: Sequence[Series]) -> Iterator[str]:
    """The name of each line beside a square of its color, from left to right."""
    x = _LEGEND_FROM
    for number, line in enumerate(series):
        name = line.name[: _MAX_NAME_LENGTH + 1]  # one more, so that it is seen to be cut
        if not name:
            continue
        x_of_name = x + _LEGEND_KEY
        yield f'<g class="s{number}"><rect x="{x}" y="8" width="14" height="14"/></g>'
        yield f'<text x="{x_of_name}" y="22">{_short_text(name, _MAX_NAME_LENGTH)}</text>'
        space_between = 2 * _CHARACTER
        x = x_of_name + len(name) * _CHARACTER + space_between


def _linked(point: Point, tag: str, place: str) -> str:
    label = _short_text(point.label)
    shape = f'<{tag} class="{escape(point.kind)}" {place}><title>{label}</title></{tag}>'
    if not point.href:
        return shape
    return f'<a href="{escape(point.href)}" aria-label="{label}">{shape}</a>'
