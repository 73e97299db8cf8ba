"""Charts: what is drawn of points of every kind, and that it is a picture, legible in the colors of its page."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET

from hypothesis import given, strategies as st

import gammonrules
from gammonrules.records.page.charts import Mark, Point, Series, strip

HERE = Path(gammonrules.__file__).parent / "records" / "page"
HOSTILE = '<script>alert("1")</script>&\u202e\x00'
numbers = st.none() | st.floats()


def drawn(ys: list[float | None], *dots: Point, **options: object) -> ET.Element:
    """The picture, which is XML, with its title first; it holds numbers from 0 to 10."""
    points = [Point(x, y) for x, y in enumerate(ys)]
    lines = [Series("", points)]
    text = strip("Title", lines, [], [], lowest=0, highest=10, last=len(ys) - 1, dots=dots, **options)  # type: ignore[arg-type]
    picture = ET.fromstring(text)[0]
    assert (picture[0].tag, picture[0].text) == ("title", "Title")
    return picture


def places(picture: ET.Element) -> list[tuple[float, float]]:
    (line,) = (drawn.get("points", "") for drawn in picture.iter("polyline"))
    return [(float(x), float(y)) for x, y in (place.split(",") for place in line.split())]


def test_a_line_is_as_high_as_its_numbers() -> None:
    assert places(drawn([0, 5, 10])) == [(0, 100), (50, 50), (100, 0)]
    assert places(drawn([0, 20])) == [(0, 100), (100, 0)]


def test_what_is_not_known_is_left_out() -> None:
    assert len(places(drawn([1, 2, None, 3, math.nan, 4, 5, math.inf, 1e300]))) == 5


def test_nothing_and_one_point() -> None:
    assert places(drawn([])) == places(drawn([None, math.nan])) == []
    assert places(drawn([7])) == [(0, 30)] * 2  # a point is seen only if it is there twice


def test_levels_are_lines_with_words() -> None:
    """In place of what is below the line, which is drawn without them."""
    picture = drawn([1, 2], levels=[Mark(5, "half"), Mark(10, HOSTILE)])
    assert [(text.get("y"), text.text) for text in picture.iter("text")][:1] == [("50.0%", "half")]
    assert "M0 50.0H100 M0 0.0H100" in [path.get("d") for path in picture.iter("path")]
    assert (len([*picture.iter("polygon")]), len([*drawn([1, 2]).iter("polygon")])) == (0, 1)


@given(st.lists(numbers, max_size=30))
def test_everything_is_inside(ys: list[float | None]) -> None:
    assert all(0 <= x <= 100 and 0 <= y <= 100 for x, y in places(drawn([abs(y) if y else y for y in ys])))


def test_many_points_are_thinned_out() -> None:
    """Nothing that stands out is lost, and the picture stays small."""
    ys: list[float | None] = [math.sin(x / 900) + 1 for x in range(3_000)]
    ys[1_414] = 9.0
    heights = [y for _, y in places(drawn(ys))]
    assert len(heights) < 500
    assert sum(height < 50 for height in heights) == 1


def test_dots_may_be_links() -> None:
    """Each says where it leads."""
    picture = drawn([1], Point(0, 1, "the first", href="#a"), Point(0, 2))
    assert [link.attrib for link in picture.iter("a")] == [{"href": "#a", "aria-label": "the first"}]
    assert len([*picture.iter("circle")]) == 2
