"""The verdict at all scores on the page of a match, in a browser: below the verdict on the decision, folded."""

from __future__ import annotations

from pathlib import Path

import pytest

from gammonrules.engine import SimpleEngine, score_matrix
from gammonrules.records import load, to_html

pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

ANALYZED = Path(__file__).parents[2] / "examples" / "matches" / "xg" / "test.xg"

IN_VIEW = """() => {
    const { top, bottom } = document.querySelector("#beside .matrix g.verdict").getBoundingClientRect();
    return top >= 0 && bottom < innerHeight;
}"""


def test_beside_the_board(open_page, serve, tmp_path, violations, picture, look) -> None:
    """It opens by keys, is no wider than the page, its letters have 11 pixels, and axe-core finds nothing serious."""
    match = load(ANALYZED)
    worst = max((each for each in match.decisions() if each.cube_analysis), key=lambda each: each.error)
    with SimpleEngine.bgsage() as bgsage:
        matrices = {(worst.game, worst.index): score_matrix(bgsage, worst.state)}
    (tmp_path / "page.html").write_text(to_html(match, matrices=matrices), encoding="utf-8")
    page = open_page(f"{serve(tmp_path)}/page.html", **look)
    for game in page.locator("#moves section:has(.matrix) > details:not([open]) > summary").all():
        game.click()  # on a phone
    page.locator("tr:has(+ tr .matrix) a", has=page.locator("xpath=following-sibling::*")).first.click()
    parts = page.locator("#beside > details")
    assert "matrix" in parts.last.get_attribute("class")
    assert page.locator("#beside details.matrix").count() == 1
    summary = page.locator("#beside .matrix summary")
    summary.press("Enter")
    page.wait_for_function(IN_VIEW)
    cell = page.locator("#beside .matrix g.verdict").first
    cell.scroll_into_view_if_needed()
    scale = page.eval_on_selector(
        "#beside .matrix svg", "(one) => one.getBoundingClientRect().width / one.viewBox.baseVal.width"
    )
    assert scale * 14 >= 11
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    picture(page, f"matrix-{look['width']}")
    assert violations(page, "#beside") == []
