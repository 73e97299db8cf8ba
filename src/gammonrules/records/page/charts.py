"""Charts as static SVG: lines, dots and bars over an axis of numbers or of names.

A chart has no ids, style or script. Its colors are those of the page, by the classes in `charts.css`, which also keeps
its type legible where it is narrow. It has no more than some hundred points, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from math import ceil, floor, isfinite, log10
from operator import attrgetter
from typing import Final, Literal, TypeAlias

from attrs import frozen

from gammonrules.records.transcript import harmless

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 626, 52, 262
_CHARACTER: Final = 11
"""The width of a character where type is large, so that no label covers another one."""
_MOST_POINTS: Final = 400
_LARGEST: Final = 1e9
_LONGEST_NAME: Final = 16
"""Characters of a name beside an axis or in the legend."""
_LONGEST_LABEL: Final = 200
_MOST_MARKS: Final = 30

Shape: TypeAlias = Literal["line", "dots", "bars"]
_Place: TypeAlias = Callable[[float], float]
"""Where a number is in the picture."""


@frozen
class Point:
    x: float
    """A number, or the index of a name."""
    y: float | None
    """None is a gap, and so is what is not finite, or beyond a billion."""
    label: str = ""
    """What a dot or a bar says when it is pointed at."""
    href: str = ""
    """Where a dot or a bar leads to: an address within the page, or of a page beside it."""
    kind: str = ""
    """A class of its own, "error" or "blunder"."""

    @property
    def is_gap(self) -> bool:
        return self.y is None or not _is_usual(self.y)


@frozen
class Series:
    name: str
    points: Sequence[Point]
    """From left to right."""
    shape: Shape = "line"


def chart(
    title: str,
    description: str,
    series: Sequence[Series],
    *,
    names: Sequence[str] = (),
    ends: Sequence[float] = (),
    form: Callable[[float], str] = "{:g}".format,
) -> str:
    """A chart as HTML, as wide as the page lets it be.

    Args:
        title: what it shows; it is read out, as is the description, to those who do not see it.
        description: what can be seen in it.
        series: what is drawn, one above another; no more than one has bars.
        names: those of the axis, if it has no numbers.
        ends: numbers that the other axis has besides those of the points.
        form: how the numbers of that axis are written.
    """
    drawn = [_thinned([point for point in graph.points if _is_usual(point.x)]) for graph in series]
    points = [point for some in drawn for point in some]
    ys = [*ends, *(0 for graph in series if graph.shape == "bars"), *(dot.y or 0 for dot in points if not dot.is_gap)]
    xs = [-0.5, len(names) - 0.5] if names else [point.x for point in points]
    (across, numbers), (up, heights) = _axis(xs, _LEFT, _RIGHT), _axis(ys, _BOTTOM, _TOP, is_nice=True)
    labels: list[tuple[float, str]] = [*enumerate(names)] or [(x, f"{x:g}") for x in numbers]
    width = 0.7 * (_RIGHT - _LEFT) / max(len(names), len(points), 1)
    parts = [
        *(_grid(up(y), _short_text(form(y).replace("-", "\N{MINUS SIGN}"))) for y in heights),
        *_axis_labels(labels, across, _BOTTOM + 28),
    ]
    for number, (graph, its_points) in enumerate(zip(series, drawn, strict=True)):
        parts += [f'<g class="s{number}">', *_drawn_series(graph.shape, its_points, across, up, width), "</g>"]
    role = "group" if any(point.href for point in points) else "img"
    about = f"<title>{_short_text(title)}</title><desc>{_short_text(description)}</desc>"
    inside = "".join([*parts, *_legend(series)])
    return f'<div class="chart"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}">{about}{inside}</svg></div>\n'


def _is_usual(number: float) -> bool:
    return isfinite(number) and abs(number) <= _LARGEST


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """The lowest and the highest of each run of points, so that none that stands out is lost."""
    size, chosen = ceil(2 * len(points) / _MOST_POINTS) or 1, list[Point]()
    for run in (points[at : at + size] for at in range(0, len(points), size)):
        known = sorted((point.y or 0, at) for at, point in enumerate(run) if not point.is_gap) or [(0, 0)]
        chosen += (run[at] for at in sorted({known[0][1], known[-1][1]}))
    return chosen if len(points) > _MOST_POINTS else points


def _axis(numbers: Iterable[float], start: float, end: float, *, is_nice: bool = False) -> tuple[_Place, list[float]]:
    """Where each number is between start and end, and the ticks, at which a nice axis begins and ends."""
    known = [number for number in numbers if _is_usual(number)] or [0.0, 1.0]
    low, high = min(known), max(known)
    if high - low < 1e-6 * max(1, abs(high)):
        low, high = low - 0.5, high + 0.5
    power = 10.0 ** floor(log10((high - low) / 5))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= (high - low) / 5.000001)
    if is_nice:
        low, high = floor(low / step + 1e-6) * step, ceil(high / step - 1e-6) * step
    ticks = range(ceil(low / step - 1e-6), floor(high / step + 1e-6) + 1)
    scale = (end - start) / (high - low)
    return lambda number: round(start + (number - low) * scale, 1), [round(tick * step, 9) for tick in ticks]


# --- what is drawn ----------------------------------------------------------------------------------------------------


def _short_text(text: str, longest: int = _LONGEST_LABEL) -> str:
    return escape(harmless(text, longest))


def _grid(y: float, words: str) -> str:
    return f'<path d="M{_LEFT} {y}H{_RIGHT}"/><text x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{words}</text>'


def _axis_labels(labels: Iterable[tuple[float, str]], across: _Place, y: float) -> Iterator[str]:
    """As many labels as have room beside one another."""
    free = 0.0
    for number, label in labels:
        half = min(len(label), _LONGEST_NAME + 1) * _CHARACTER / 2
        x = min(across(number), WIDTH - half)
        if x - half >= free:
            yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{_short_text(label, _LONGEST_NAME)}</text>'
            free = x + half + _CHARACTER


def _legend(series: Sequence[Series]) -> Iterator[str]:
    x = _LEFT
    for number, name in enumerate(graph.name[: _LONGEST_NAME + 1] for graph in series):
        if name:
            yield f'<g class="s{number}"><rect x="{x}" y="8" width="14" height="14"/></g>'
            yield f'<text x="{x + 20}" y="22">{_short_text(name, _LONGEST_NAME)}</text>'
            x += 20 + (len(name) + 2) * _CHARACTER


def _drawn_series(shape: Shape, points: Sequence[Point], across: _Place, up: _Place, width: float) -> Iterator[str]:
    for is_gap, run in groupby(points, attrgetter("is_gap")):
        places = [] if is_gap else [(across(point.x), up(point.y or 0), point) for point in run]
        if shape == "line" and places:  # a point between two gaps is seen only if it is there twice
            yield f'<polyline points="{" ".join(f"{x},{y}" for x, y, _ in places * (1 + (len(places) == 1)))}"/>'
        for x, y, point in places if shape != "line" else ():
            bar = f'x="{x - width / 2:.1f}" y="{min(y, up(0))}" width="{width:.1f}" height="{abs(y - up(0)):.1f}"'
            dot = f'cx="{x}" cy="{y}" r="6"'
            yield _linked(point, "rect", bar) if shape == "bars" else _linked(point, "circle", dot)


def _linked(point: Point, tag: str, place: str) -> str:
    label = _short_text(point.label)
    shape = f'<{tag} class="{escape(point.kind)}" {place}><title>{label}</title></{tag}>'
    return f'<a href="{escape(point.href)}" aria-label="{label}">{shape}</a>' if point.href else shape


# --- a low chart beside a board ---------------------------------------------------------------------------------------


def strip(
    title: str,
    lines: Sequence[Series],
    mistakes: Sequence[Point],
    marks: Sequence[tuple[float, str]],
    ends: tuple[float, float],
    last: float,
) -> str:
    """A chart as HTML of any shape, from 0 to `last`: lines, what is below a single one, and mistakes.

    A mistake is as tall as it cost, from below, or from above if its number is negative. Where things are is told in
    percent, so that words stay legible however wide it is.
    """
    known = [[point for point in _thinned(line.points) if not point.is_gap] for line in lines]
    high = max(map(abs, [*ends, *(point.y or 0 for points in known for point in points)]))
    low = -high if ends[0] else 0.0

    def across(x: float) -> float:
        return round(100 * x / max(last, 1), 2)

    parts = ['<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">']
    for number, points in enumerate(known):
        ys = [round(100 * (high - (point.y or 0)) / (high - low), 2) for point in points]
        way = " ".join(f"{across(point.x)},{y}" for point, y in [*zip(points, ys, strict=True)] * (1 + (len(ys) == 1)))
        if ys and len(lines) == 1:
            parts.append(f'<polygon points="0,100 0,{ys[0]} {way} 100,{ys[-1]} 100,100"/>')
        parts.append(f'<g class="s{number}"><polyline points="{way}"/></g>')
    starts = [(across(x), label) for x, label in marks[1 :: 1 + len(marks) // _MOST_MARKS]]
    parts += ['<path d="M0 50H100', *(f"M{x} 0V100" for x, _ in starts), '"/><path class="here"/></svg>']
    costs = [(point, point.y or 0) for point in mistakes if not point.is_gap]
    tallest = max((abs(cost) for _, cost in costs), default=0) or 1
    for point, cost in costs:
        tall = round(8 + 37 * abs(cost) / tallest)
        at = f'x="{across(point.x)}%" y="{0 if cost < 0 else 100 - tall}%" height="{tall}%" width="4"'
        parts.append(_linked(point, "rect", at))
    parts += (f'<text x="{x}%" y="11">{_short_text(label, _LONGEST_NAME)}</text>' for x, label in starts)
    parts += _legend(lines)
    return f'<div class="chart strip"><svg role="group"><title>{_short_text(title)}</title>{"".join(parts)}</svg></div>'
