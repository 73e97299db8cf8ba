"""Charts: what is drawn of points of every kind, and that it is a picture, legible in the colors of its page."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given, strategies as st

from gammonrules.records.page.charts import HEIGHT, WIDTH, Point, Series, chart, strip

HERE = Path(__file__).parents[3] / "src" / "gammonrules" / "records" / "page"
HOSTILE = '<script>alert("1")</script>&\u202e\x00'
numbers = st.none() | st.floats()


def drawn(*series: Series, **options: object) -> ET.Element:
    """The picture, which is XML, with a title and a description first."""
    picture = ET.fromstring(chart("Title", "What is seen", series, **options))[0]  # type: ignore[arg-type]
    assert [(part.tag, part.text) for part in picture[:2]] == [("title", "Title"), ("desc", "What is seen")]
    return picture


def line(*ys: float | None) -> Series:
    return Series("", [Point(x, y) for x, y in enumerate(ys)])


def places(picture: ET.Element) -> list[list[str]]:
    return [one.get("points", "").split(" ") for one in picture.iter("polyline")]


def test_a_line_is_as_high_as_its_numbers() -> None:
    (at,) = places(drawn(line(0, 5, 10)))
    xs, ys = zip(*(map(float, place.split(",")) for place in at), strict=True)
    assert xs[0] < xs[1] < xs[2]
    assert ys[0] > ys[1] > ys[2]
    assert ys[0] - ys[1] == ys[1] - ys[2]


def test_the_axis_across_ends_at_points_and_the_other_at_round_numbers() -> None:
    picture = drawn(line(1, 7, 13))
    assert [text.text for text in picture.iter("text") if text.get("text-anchor") == "end"] == ["0", "5", "10", "15"]
    grid = [re.findall(r"[0-9.]+", path.get("d", "")) for path in picture.iter("path")]
    left, low, right = map(float, grid[0])
    first, *_, last = (tuple(map(float, place.split(","))) for place in places(picture)[0])
    assert (first[0], last[0]) == (left, right)
    assert low > first[1] > last[1] > float(grid[-1][1])


def test_what_is_not_known_is_a_gap() -> None:
    assert [len(run) for run in places(drawn(line(1, 2, None, 3, math.nan, 4, 5, 6, math.inf)))] == [2, 2, 3]
    assert len({*places(drawn(line(None, 3, 1e300)))[0]}) == 1


def test_nothing_and_one_point() -> None:
    for series in line(), line(7), Series("", [], "dots"), Series("", [Point(3, 0)], "bars"), line(None, math.nan):
        assert [text.text for text in drawn(series).iter("text")]  # the axes are there
    assert len([*drawn(Series("", [Point(3, 2)], "dots")).iter("circle")]) == 1


@given(st.lists(st.tuples(st.floats(), numbers), max_size=30), st.sampled_from(["line", "dots", "bars"]))
def test_everything_is_inside(points: list[tuple[float, float | None]], shape: str) -> None:
    picture = drawn(Series("", [Point(x, y) for x, y in points], shape))  # type: ignore[arg-type]
    for part in picture.iter():
        xs = [part.get(name) for name in ("x", "cx")] + [at.split(",")[0] for at in part.get("points", "").split()]
        ys = [part.get(name) for name in ("y", "cy")] + [at.split(",")[1] for at in part.get("points", "").split()]
        assert all(-WIDTH <= float(x) <= WIDTH for x in xs if x)  # a bar may begin before a narrow axis
        assert all(0 <= float(y) <= HEIGHT for y in ys if y)


def test_many_points_are_thinned_out() -> None:
    """Nothing that stands out is lost, and the picture stays small."""
    ys = [math.sin(x / 900) for x in range(3_000)]
    ys[1_414] = 9.0
    for shape in "line", "dots", "bars":
        points = [Point(x, y, f"{y}") for x, y in enumerate(ys)]
        text = chart("", "", [Series("", points, shape)], names=[f"match {x}" for x in range(3_000)])  # type: ignore[arg-type]
        assert len(text) < 60_000
        tops = [float(y) for y in re.findall(r'(?:[\d.]+,|cy="|<rect [^>]* y=")([\d.]+)', text)]
        assert sum(top < min(tops) + 1 for top in tops) in {1, 2}


def test_hostile_texts_are_text() -> None:
    """In titles, names, labels, links and the names of series."""
    points = [Point(0, 1, HOSTILE, href='#"><script>', kind="blunder")]
    series = [Series(HOSTILE, points, "dots"), Series(HOSTILE * 1000, points, "bars")]
    text = chart(HOSTILE, HOSTILE, series, names=[HOSTILE], form=lambda _: HOSTILE)
    assert "<script" not in text
    assert "\u202e" not in text
    assert len(text) < 12_000
    links = ET.fromstring(text).iter("a")
    assert [link.get("href") for link in links] == ['#"><script>'] * 2


def test_a_strip_is_for_any_numbers_and_texts() -> None:
    """Of ten thousand steps with gaps, infinities and hostile names; everything is inside it."""
    values = [None, math.inf, 1e300, -3.0, *(math.sin(x / 50) for x in range(9_996))]
    points = [Point(x, y, HOSTILE, href="#a") for x, y in enumerate(values)]
    marks = [(100 * x, HOSTILE * 100) for x in range(100)]
    for lines in ([Series("", points)], [Series(HOSTILE, points), Series("b", [])], [Series("", [])]):
        text = strip(HOSTILE, lines, points[:5], marks, (-1, 1), len(points) - 1)
        assert len(text) < 40_000
        assert "<script" not in text
        picture = ET.fromstring(text)
        assert len([*picture.iter("a")]) == 2
        places = " ".join(line.get("points", "") for line in picture.iter("polyline"))
        assert all(0 <= float(number) <= 100 for number in re.findall(r"-?[\d.]+", places))


def test_dots_may_be_links() -> None:
    """A picture with links is a group, in which they can be reached; each says where it leads."""
    picture = drawn(Series("", [Point(0, 1, "the first", href="#a"), Point(1, 2)], "dots"))
    assert (picture.get("role"), drawn(line(1)).get("role")) == ("group", "img")
    assert [link.attrib for link in picture.iter("a")] == [{"href": "#a", "aria-label": "the first"}]
    assert len([*picture.iter("circle")]) == 2


def test_labels_do_not_cover_each_other() -> None:
    names = [f"2024-{month:02}" for month in range(1, 13)] * 5
    picture = drawn(Series("", [Point(x, 1) for x in range(60)], "bars"), names=names)
    at = [float(text.get("x", "")) for text in picture.iter("text") if (text.text or "").startswith("2024")]
    assert len(at) > 3
    assert all(after - before > 7 * 11 for before, after in itertools.pairwise(at))


def test_colors_are_those_of_the_page() -> None:
    """No picture has a color or a style; the style has only colors of the page, which are there light and dark."""
    text = chart("", "", [Series("a", [Point(0, 1), Point(1, 2)]), Series("b", [Point(0, 1)], "dots")])
    assert re.findall(r"style|fill|stroke|#[0-9a-f]{3}", text) == []
    style, base = ((HERE / name).read_text(encoding="utf-8") for name in ("charts.css", "base.css"))
    assert re.findall(r"#[0-9a-f]{3}|rgb|hsl", style) == []
    light, dark = base.split("@media (prefers-color-scheme: dark)")
    names = {*re.findall(r"var\((--\w+)\)", style)} - {"--series"}
    assert names
    for colors in light, dark:
        assert names <= {*re.findall(r"(--\w+):", colors)}
