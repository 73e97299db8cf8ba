"""The documentation as a reader meets it: links, widths, what is copied, light and dark, and what axe-core finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "use": "href"}
"""The attribute with which an element loads something into the page; that of a link depends on its `rel`."""
LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
HOME = "https://gammonrules.github.io/gammonrules/"
MAIN_PAGES = {
    "home": "",
    "gallery": "gallery/",
    "tutorial": "tutorials/first-steps/",
    "notebook": "tutorials/archive/",
    "how-to": "how-to/build-a-board-ui/",
    "names": "reference/api/",
    "records": "reference/records/",
    "findings": "reference/findings/",
    "rules": "explanation/rules/",
    "cookbook": "cookbook/records/",
}


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors, self.links, self.loads = {"", "top"}, list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if address := given.get(LOADED.get(tag, "")):
            self.loads.append(address)
        if tag == "link" and LOADED_LINKS & set(given["rel"].split()):
            self.loads.append(given["href"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Each page by its path in the site, such as "reference/api/"."""
    found = {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}
    return {re.sub(r"(^|/)index\.html$", r"\1", name): page for name, page in found.items()}


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    return serve(site)


class TestLinks:
    def test_every_link_leads_to_a_page_and_its_anchor(self, site: Path, pages: dict[str, Page]) -> None:
        broken = []
        for name, page in pages.items():
            for link in page.links:
                target = urlsplit(urljoin(HOME + name, link))
                where = f"{target.scheme}://{target.netloc}{target.path}"
                if where.startswith(HOME) and not self.leads(site, pages, where[len(HOME) :], target.fragment):
                    broken.append((name, link))
        assert broken == []

    @staticmethod
    def leads(site: Path, pages: dict[str, Page], path: str, anchor: str) -> bool:
        path = unquote(path).removesuffix("index.html")
        page = pages.get(path)
        return (site / path).is_file() if page is None else unquote(anchor) in page.anchors

    def test_pages_load_files_of_the_site_alone(self, site: Path, pages: dict[str, Page]) -> None:
        for name, page in pages.items():
            for link in page.loads:
                if not link.startswith("data:"):
                    where = urljoin(HOME + name, link).partition("?")[0]
                    assert where.startswith(HOME), (name, link)
                    assert (site / unquote(where[len(HOME) :])).is_file(), (name, link)

    def test_there_are_pages_with_links(self, pages: dict[str, Page]) -> None:
        assert len(pages) > 35
        assert all(page.links and page.loads for page in pages.values())


CUT_OFF = """[...document.querySelectorAll("pre > code")]
    .filter(code => code.checkVisibility() && code.scrollWidth > code.clientWidth)
    .map(code => code.textContent.slice(0, 80))"""
OUT_OF_REACH = """[...document.querySelectorAll(".md-typeset__scrollwrap, pre, pre > code")]
    .filter(one => one.checkVisibility() && one.scrollWidth > one.clientWidth && one.tabIndex < 0)
    .filter(one => getComputedStyle(one).overflowX != "visible")
    .map(one => one.outerHTML.slice(0, 200))"""


SMALLEST = """async () => {
    const sizes = []
    for (const img of document.querySelectorAll("article img[src$='.svg']:not([src$='performance.svg'])")) {
        const frame = document.createElement("iframe")
        Object.assign(frame.style, {border: 0, width: `${img.clientWidth}px`, height: `${img.clientHeight}px`})
        frame.src = img.src
        document.body.append(frame)
        await new Promise(done => { frame.onload = done })
        const picture = frame.contentDocument.documentElement
        for (const name of ["width", "height"]) picture.removeAttribute(name)
        for (const text of picture.querySelectorAll("text")) {
            if (text.checkVisibility()) sizes.push(parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)
        }
        frame.remove()
    }
    return Math.min(...sizes, 99)
}"""
"""In pixels, of the words on boards; the chart of `performance.svg` is none."""


def test_what_is_wide_and_what_is_small(open_page: Any, address: str, pages: dict[str, Page]) -> None:
    """On a desk no code is cut off. On a phone no page scrolls sideways, what does so within it takes the keys, and
    the words on boards can be read.
    """
    page, wrong, boards = open_page(), [], 0
    for name in pages.keys() - {"404.html"}:
        page.set_viewport_size({"width": 1280, "height": 800})
        page.goto(f"{address}/{name}")
        wrong += [(name, "cut off", code) for code in page.evaluate(CUT_OFF)]
        page.set_viewport_size({"width": 390, "height": 844})
        if (width := page.evaluate("document.documentElement.scrollWidth")) > 390:
            wrong.append((name, "as wide as", width))
        page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        wrong += [(name, "out of reach", part) for part in page.evaluate(OUT_OF_REACH)]
        smallest = page.evaluate(SMALLEST)
        wrong += [(name, "small", smallest)] if smallest < 8.8 else []
        boards += smallest < 99
    assert wrong == []
    assert boards >= 5


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_first_screen_says_where_to_begin(open_page: Any, address: str, width: int, height: int) -> None:
    first = open_page(address, width=width, height=height).locator(".opening > div").first
    box = first.bounding_box()
    assert box["y"] + box["height"] <= height
    assert [first.locator(part).count() for part in (".md-button", "pre button", "a[href^='#you-']")] == [1, 1, 3]


class TestCopying:
    def copies(self, open_page: Any, url: str) -> list[str]:
        page = open_page(url, permissions=["clipboard-read", "clipboard-write"])
        buttons = page.locator("button[data-clipboard-target], button.md-code__button[title='Copy to clipboard']")
        found = []
        for number in range(buttons.count()):
            page.evaluate("navigator.clipboard.writeText('nothing')")
            buttons.nth(number).click()
            page.wait_for_function("navigator.clipboard.readText().then(text => text != 'nothing')")
            found.append(page.evaluate("navigator.clipboard.readText()"))
        return found

    def test_sessions_without_prompts_and_outputs(self, open_page: Any, address: str) -> None:
        """All of the tutorial's sessions together are a program."""
        copied = self.copies(open_page, f"{address}/tutorials/first-steps/")
        assert (
            copied[0]
            == "from gammonrules import Position\npos = Position.start()\npos.pip_count\npos.points[6], pos.points[19]"
        )
        sessions = [text for text in copied if not text.startswith("gammonrules ")]
        assert len(sessions) >= 20
        for text in sessions:
            compile(text, "copied", "exec")

    def test_programs_and_commands_as_they_are(self, open_page: Any, address: str) -> None:
        copied = self.copies(open_page, f"{address}/tutorials/tour/")
        assert copied[0] == "python -m pip install . matplotlib jupyterlab && jupyter lab"
        assert copied[1] == "from gammonrules import Position\n\nstart = Position.start()\nstart"


class TestLightAndDark:
    GROUND = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).every(part => part < 128)"

    @pytest.mark.parametrize("dark", [False, True])
    def test_a_page_follows_the_reader_until_they_choose(
        self, open_page: Any, site: Path, serve: Any, dark: bool
    ) -> None:
        address = serve(site, search=True)
        page = open_page(address, dark=dark)
        assert page.evaluate(self.GROUND) == dark
        page.get_by_title("Switch to light mode").click()
        assert page.evaluate(self.GROUND) is False
        page.get_by_title("Switch to dark mode").click()
        assert page.evaluate(self.GROUND) is True
        page.goto(f"{address}/reference/api/")
        assert page.evaluate(self.GROUND) is True
        page.get_by_title("Follow the system's setting").click()
        assert page.evaluate(self.GROUND) == dark

    def test_pictures_change_with_the_switch(self, open_page: Any, address: str) -> None:
        page = open_page(address)
        board = page.get_by_role("img", name="The board after these lines")
        light = board.screenshot()
        page.get_by_title("Switch to light mode").click()
        assert board.screenshot() == light
        page.get_by_title("Switch to dark mode").click()
        dark = board.screenshot()
        assert dark != light
        page.reload()
        assert board.screenshot() == dark


@pytest.mark.parametrize("name", MAIN_PAGES)
def test_accessible(open_page: Any, address: str, violations: Any, picture: Any, name: str) -> None:
    """What is dark and narrow is the same on long pages: they are looked at once."""
    page = open_page(f"{address}/{MAIN_PAGES[name]}")
    picture(page, f"{name}-light-1280")
    assert violations(page) == []
    if name in {"home", "gallery", "tutorial", "findings", "rules"}:
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme="dark")
        page.locator("[data-md-color-scheme=slate]").first.wait_for()
        picture(page, f"{name}-dark-390")
        assert violations(page) == []
