"""The pages of a report and of openings: at every width, light, dark and in print, by keys and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest

from gammonrules.records import export, openings, openings_to_html, report_to_html

XG = Path(__file__).parents[2] / "examples" / "matches" / "xg"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("reports")
    (folder / "all.html").write_text(report_to_html(XG), encoding="utf-8")
    both = report_to_html(XG, player="Kévin Unger", names={"charlot1": "Kévin Unger"})
    (folder / "player.html").write_text(both, encoding="utf-8")
    export(XG, folder / "table.parquet", jobs=1)
    (folder / "openings.html").write_text(openings_to_html(openings(folder / "table.parquet")), encoding="utf-8")
    return serve(folder)


@pytest.mark.parametrize("name", ["all", "player", "openings"])
def test_looks(open_page, address, violations, picture, name: str) -> None:
    """Nothing is wider than the window, what is too wide scrolls, and axe-core finds nothing serious."""
    page = open_page(f"{address}/{name}.html")
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for scheme, width, height in (("light", 1440, 900), ("dark", 390, 844)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        picture(page, f"report-{name}-{scheme}-{width}")
        assert violations(page) == []


def test_a_name_leads_to_its_section(open_page, address) -> None:
    """By keys; a section that is closed opens, and needs no script for that."""
    page = open_page(f"{address}/all.html", java_script_enabled=False)
    heading = page.get_by_role("heading", name="Maxence Job")
    assert not heading.is_visible()
    page.get_by_role("link", name="Maxence Job").press("Enter")
    heading.wait_for(state="visible")


@pytest.mark.parametrize("name", ["player", "openings"])
@pytest.mark.parametrize("width", [390, 1440])
def test_the_type_of_charts_is_legible(open_page, address, width: int, name: str) -> None:
    page = open_page(f"{address}/{name}.html", width=width)
    sizes = page.eval_on_selector_all(
        ".chart text", "all => all.map((one) => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a)"
    )
    assert len(sizes) > 10
    assert 11 <= min(sizes) <= max(sizes) <= 18


def test_print_has_what_is_closed(open_page, address) -> None:
    page = open_page(f"{address}/all.html")
    heading = page.get_by_role("heading", name="Maxence Job")
    assert not heading.is_visible()
    page.emulate_media(media="print")
    assert heading.is_visible()
