"""The helpers of these tests notice what they are there for."""

from __future__ import annotations

from pathlib import Path

import pytest

from visits import Visit

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="data:,"></head><body><main><h1>A page</h1>{}</main></body></html>"""


@pytest.fixture
def site(serve, tmp_path: Path):
    """The address of a page with this inside."""

    def write(inside: str, headers: dict[str, str] | None = None) -> str:
        (tmp_path / "index.html").write_text(PAGE.format(inside), encoding="utf-8")
        return serve(tmp_path, headers)

    return write


@pytest.mark.parametrize(
    ("inside", "wrong"),
    [
        ("<p>nothing</p>", []),
        ("<script>console.error('castle')</script>", ["console: castle"]),
        ("<script>throw new Error('castle')</script>", ["exception: castle"]),
        ("<script>fetch('http://castle.example/x').catch(() => 0)</script>", ["request: http://castle.example/x"]),
        ("<script>new WebSocket('ws://castle.example/x')</script>", ["request: ws://castle.example/x"]),
    ],
)
def test_what_goes_wrong_is_noticed(browser, site, inside: str, wrong: list[str]) -> None:
    visit = Visit(browser.new_context())
    page = visit.context.new_page()
    page.goto(site(inside))
    page.wait_for_load_state("networkidle")
    visit.context.close()
    assert [text for text in visit.wrong if "net::" not in text] == wrong


def test_violations_are_found(open_page, site, violations) -> None:
    page = open_page(site("<p id='good'>text</p><button id='bad'></button>"))
    [violation] = violations(page)
    assert violation.startswith("button-name (critical)")
    assert violations(page, "#good") == []
