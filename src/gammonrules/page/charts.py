"""Charts as static SVG: lines, dots and bars over an axis of numbers or of names.

A chart has no ids, style or script. Its colors are those of the page, by the classes in `charts.css`, which also keeps
its type legible where it is narrow. It has no more than some hundred points, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from math import ceil, floor, isfinite, log10
from typing import Final, Literal, TypeAlias

from attrs import frozen

from gammonrules.transcript import harmless

WIDTH, HEIGHT = 640, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 626, 52, 262
_CHARACTER: Final = 11
"""The width of a character where type is large, so that no label covers another one."""
_MOST_POINTS: Final = 400
_LARGEST: Final = 1e9
_LONGEST_NAME: Final = 16
"""Characters of a name beside an axis or in the legend."""
_LONGEST_LABEL: Final = 200

Shape: TypeAlias = Literal["line", "dots", "bars"]


@frozen
class Point:
    x: float
    """A number, or the index of a name."""
    y: float | None
    """None is a gap, and so is what is not finite, or beyond a billion."""
    label: str = ""
    """What a dot or a bar says when it is pointed at."""
    href: str = ""
    """Where a dot leads to: an address within the page, or of a page beside it."""
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
    marks: Sequence[tuple[float, str]] = (),
    ends: Sequence[float] = (),
    form: Callable[[float], str] = "{:g}".format,
) -> str:
    """A chart as HTML, as wide as the page lets it be.

    Args:
        title: what it shows; it is read out, as is the description, to those who do not see it.
        description: what can be seen in it.
        series: what is drawn, one above another; no more than one has bars.
        names: those of the axis, if it has no numbers.
        marks: where the axis is divided, and the label of what begins there.
        ends: numbers that the other axis has besides those of the points.
        form: how the numbers of that axis are written.
    """
    drawn = [_thinned([point for point in one.points if _is_usual(point.x)]) for one in series]
    points = [point for some in drawn for point in some]
    ys = [*ends, *(0 for one in series if one.shape == "bars"), *(point.y or 0 for point in points if not point.is_gap)]
    xs = [-0.5, len(names) - 0.5] if names else [*(point.x for point in points), *(x for x, _ in marks)]
    across, up = _Axis.over(xs, _LEFT, _RIGHT), _Axis.over(ys, _BOTTOM, _TOP, is_nice=True)
    labels: list[tuple[float, str]] = [*enumerate(names)] or [(x, f"{x:g}") for x in across.ticks() if not marks]
    bar = 0.7 * (_RIGHT - _LEFT) / max(len(names), len(points), 1)
    parts = (
        *(_grid(y, up, form) for y in up.ticks()),
        *_labels(labels, across, _BOTTOM + 28),
        *(f'<path class="mark" d="M{across.at(x)} {_TOP}V{_BOTTOM}"/>' for x, _ in marks),
        *_labels(marks, across, _TOP - 6),
        *(
            f'<g class="s{number}">{"".join(_DRAWN[one.shape](some, across, up, bar))}</g>'
            for number, (one, some) in enumerate(zip(series, drawn, strict=True))
        ),
        *_legend(series),
    )
    role = "group" if any(point.href for point in points) else "img"
    about = f"<title>{_text(title)}</title><desc>{_text(description)}</desc>"
    return f'<div class="chart"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="{role}">{about}{"".join(parts)}</svg></div>\n'


def _is_usual(number: float) -> bool:
    return isfinite(number) and abs(number) <= _LARGEST


def _thinned(points: Sequence[Point]) -> Sequence[Point]:
    """The lowest and the highest of each run of points, so that none that stands out is lost."""
    size = ceil(2 * len(points) / _MOST_POINTS)
    if len(points) <= _MOST_POINTS:
        return points
    chosen: list[Point] = []
    for run in (points[at : at + size] for at in range(0, len(points), size)):
        known = sorted((point.y or 0, at) for at, point in enumerate(run) if not point.is_gap)
        ends = sorted({known[0][1], known[-1][1]}) if known else [0]
        chosen += (run[at] for at in ends)
    return chosen


@frozen
class _Axis:
    low: float
    high: float
    start: float
    """Where in the picture the lowest number is."""
    end: float

    @classmethod
    def over(cls, numbers: Iterable[float], start: float, end: float, *, is_nice: bool = False) -> _Axis:
        """An axis that has all these numbers; a nice one begins and ends at a tick."""
        known = [number for number in numbers if _is_usual(number)] or [0.0, 1.0]
        low, high = min(known), max(known)
        if high - low < 1e-6 * max(1, abs(high)):
            low, high = low - 0.5, high + 0.5
        step = _step(low, high)
        return (
            cls(floor(low / step) * step, ceil(high / step) * step, start, end)
            if is_nice
            else cls(low, high, start, end)
        )

    def at(self, number: float) -> str:
        share = (number - self.low) / (self.high - self.low)
        return f"{self.start + share * (self.end - self.start):.1f}"

    def ticks(self) -> list[float]:
        step = _step(self.low, self.high)
        return [
            round(tick * step, 9) for tick in range(ceil(self.low / step - 1e-6), floor(self.high / step + 1e-6) + 1)
        ]


def _step(low: float, high: float) -> float:
    """1, 2 or 5 times a power of ten, two to five times in the distance."""
    least = (high - low) / 5
    power = 10.0 ** floor(log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least * (1 - 1e-9))


# --- what is drawn ----------------------------------------------------------------------------------------------------


def _text(text: str, longest: int = _LONGEST_LABEL) -> str:
    return escape(harmless(text, longest))


def _grid(y: float, up: _Axis, form: Callable[[float], str]) -> str:
    at = float(up.at(y))
    words = _text(form(y).replace("-", "\N{MINUS SIGN}"))
    return f'<path d="M{_LEFT} {at}H{_RIGHT}"/><text x="{_LEFT - 8}" y="{at + 5:.1f}" text-anchor="end">{words}</text>'


def _labels(labels: Iterable[tuple[float, str]], across: _Axis, y: float) -> Iterator[str]:
    """As many labels as have room beside one another."""
    free = 0.0
    for number, label in labels:
        words = harmless(label, _LONGEST_NAME)
        half = len(words) * _CHARACTER / 2
        x = min(float(across.at(number)), WIDTH - half)
        if x - half >= free:
            yield f'<text x="{x:.1f}" y="{y}" text-anchor="middle">{escape(words)}</text>'
            free = x + half + _CHARACTER


def _legend(series: Sequence[Series]) -> Iterator[str]:
    x = _LEFT
    for number, one in enumerate(series):
        words = harmless(one.name, _LONGEST_NAME)
        if words:
            yield f'<g class="s{number}"><rect x="{x}" y="8" width="14" height="14"/></g>'
            yield f'<text x="{x + 20}" y="22">{escape(words)}</text>'
            x += 20 + (len(words) + 2) * _CHARACTER


def _line(points: Sequence[Point], across: _Axis, up: _Axis, _: float) -> Iterator[str]:
    runs: list[list[str]] = [[]]
    for point in points:
        if point.is_gap:
            runs.append([])
        else:
            runs[-1].append(f"{across.at(point.x)},{up.at(point.y or 0)}")
    for run in filter(None, runs):  # a point between two gaps is seen only if it is there twice
        yield f'<polyline points="{" ".join(run * (1 + (len(run) == 1)))}"/>'


def _dots(points: Sequence[Point], across: _Axis, up: _Axis, _: float) -> Iterator[str]:
    for point in points:
        if not point.is_gap:
            at = f'class="{escape(point.kind)}" cx="{across.at(point.x)}" cy="{up.at(point.y or 0)}" r="6"'
            dot = f"<circle {at}><title>{_text(point.label)}</title></circle>"
            link = f'<a href="{escape(point.href)}" aria-label="{_text(point.label)}">'
            yield f"{link}{dot}</a>" if point.href else dot


def _bars(points: Sequence[Point], across: _Axis, up: _Axis, width: float) -> Iterator[str]:
    for point in points:
        if not point.is_gap:
            x, zero, y = float(across.at(point.x)) - width / 2, float(up.at(0)), float(up.at(point.y or 0))
            at = f'x="{x:.1f}" y="{min(y, zero):.1f}" width="{width:.1f}" height="{abs(y - zero):.1f}"'
            yield f'<rect class="{escape(point.kind)}" {at}><title>{_text(point.label)}</title></rect>'


_DRAWN: Final = {"line": _line, "dots": _dots, "bars": _bars}
