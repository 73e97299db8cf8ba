"""The documentation as a reader meets it: links, widths, what is copied, light and dark, and what axe-core finds."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from types import FunctionType
from typing import Any
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import pytest

from gammonrules import MatchState
from gammonrules._shared.extras import INSTALL

LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data", "use": "href"}
"""The attribute with which an element loads something into the page; that of a link depends on its `rel`."""
LOADED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "preconnect", "dns-prefetch", "manifest"}
HOME = "https://gammonrules.github.io/gammonrules/"
MAIN_PAGES = {
    "home": "",
    "gallery": "gallery/",
    "notebook": "tutorials/archive/",
    "how-to": "how-to/build-a-board-ui/",
    "classes": "reference/dice/",
    "findings": "reference/findings/",
    "rules": "explanation/rules/",
}
"""One of each kind."""


class Page(HTMLParser):
    """The anchors of a page, where its links lead, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors, self.links, self.loads = {"", "top"}, list[str](), list[str]()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.anchors |= {attributes[name] for name in ("id", "name") if name in attributes}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if address := attributes.get(LOADED.get(tag, "")):
            self.loads.append(address)
        if tag == "link" and LOADED_LINKS & set(attributes["rel"].split()):
            self.loads.append(attributes["href"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """Each page by its path in the site, such as "reference/api/"."""
    files = {path.relative_to(site).as_posix(): Page(path) for path in site.rglob("*.html")}
    return {re.sub(r"(^|/)index\.html$", r"\1", name): page for name, page in files.items()}


@pytest.fixture(scope="module")
def address(site: Path, serve: Callable[[Path], str]) -> str:
    return serve(site)


def test_no_program_is_published_but_the_one_that_a_page_loads(site: Path) -> None:
    assert [path.relative_to(site).as_posix() for path in site.rglob("*.py*")] == ["try/answers.py"]


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
                    where = urldefrag(urljoin(HOME + name, link))[0].partition("?")[0]
                    assert where.startswith(HOME), (name, link)
                    assert (site / unquote(where[len(HOME) :])).is_file(), (name, link)

    def test_what_a_state_has_stands_on_one_of_three_pages(self, pages: dict[str, Page]) -> None:
        members = {name: value for name, value in vars(MatchState).items() if not name.startswith("_")}
        described = [name for name in members if isinstance(members[name], (FunctionType, property, classmethod))]
        anchors = [f"gammonrules.MatchState.{name}" for name in described]
        assert [name for name in anchors if [name in page.anchors for page in pages.values()].count(True) != 1] == []

    def test_the_index_for_language_models_leads_to_every_page(self, site: Path, pages: dict[str, Page]) -> None:
        links = re.findall(r"(?m)^- \[.+\]\((.+?)\): .", (site / "llms.txt").read_text(encoding="utf-8"))
        assert sorted(links) == sorted(HOME + name for name in pages.keys() - {"404.html"})

    def test_there_are_pages_with_links(self, pages: dict[str, Page]) -> None:
        assert len(pages) > 35
        assert all(page.links and page.loads for page in pages.values())


FITTING = """async (names) => {
    const frame = document.createElement("iframe"), wrong = [], pictures = new Map()
    const open = async (url, width, height) => {
        Object.assign(frame.style, {border: 0, width: `${width}px`, height: `${height}px`})
        frame.src = url
        await new Promise(done => { frame.onload = done })
        return frame.contentDocument
    }
    frame.sandbox = "allow-same-origin"
    document.body.append(frame)
    for (const name of names) {
        const page = await open(`/${name}`, 1280, 800)
        for (const code of page.querySelectorAll("pre > code")) {
            const isCut = code.checkVisibility() && code.scrollWidth > code.clientWidth
            if (isCut) wrong.push([name, "cut off", code.textContent.slice(0, 80)])
        }
        Object.assign(frame.style, {width: "390px", height: "844px"})
        const width = page.querySelector(".md-main").scrollWidth
        if (width > 390) wrong.push([name, "as wide as", width])
        for (const img of page.querySelectorAll("article img[src$='.svg']")) {
            pictures.set(`${img.src} ${img.clientWidth}`, [name, img.src, img.clientWidth, img.clientHeight])
        }
    }
    for (const [name, ...place] of pictures.values()) {
        const picture = (await open(...place)).documentElement
        for (const side of ["width", "height"]) picture.removeAttribute(side)
        for (const text of picture.querySelectorAll("text")) {
            const {a, b} = text.getScreenCTM()  // a word may stand upright
            const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(a, b)
            const least = name.startsWith("gallery") ? 10.9 : 8.8
            if (text.checkVisibility() && size < least) wrong.push([name, "small", size])
        }
    }
    return [wrong, pictures.size]
}"""
"""Of each page, what does not fit; and of how many pictures the words were measured, in pixels.

The pages are opened in a frame, without their scripts, which takes a third of the time.
"""
OUT_OF_REACH = """[...document.querySelectorAll(".md-typeset__scrollwrap, p:has(> img), pre, pre > code")]
    .filter(part => part.checkVisibility() && part.scrollWidth > part.clientWidth && part.tabIndex < 0)
    .filter(part => getComputedStyle(part).overflowX != "visible")
    .map(part => part.outerHTML.slice(0, 200))"""


COVERED = """board => {
    const {left, top, right, bottom} = document.querySelector(board).getBoundingClientRect(), covered = []
    for (let x = left + 5; x < right; x += 20) for (let y = top + 5; y < Math.min(bottom, innerHeight); y += 20) {
        if (!document.elementFromPoint(x, y).closest(board)) covered.push([x, y])
    }
    return covered
}"""


def test_what_is_wide_and_what_is_small(open_page: Any, address: str, pages: dict[str, Page]) -> None:
    """On a desk no code is cut off; on a phone no page scrolls sideways, and the words in pictures can be read."""
    page = open_page(address, expected=("Blocked script execution",))
    wrong, pictures = page.evaluate(FITTING, sorted(pages.keys() - {"404.html"}))
    assert wrong == []
    assert pictures >= 30


FIRST_EXAMPLES = """async (names) => {
    const frame = document.createElement("iframe"), tops = {}
    Object.assign(frame.style, {border: 0, width: "1280px", height: "720px"})
    frame.sandbox = "allow-same-origin"
    document.body.append(frame)
    for (const name of names) {
        frame.src = `/${name}`
        await new Promise(done => { frame.onload = done })
        const kinds = ["console", "js", "py", "pycon", "python"].map(kind => `.language-${kind}`)
        const blocks = frame.contentDocument.querySelectorAll(`article :is(${kinds}) pre`)
        const installs = line => line.trim() === "" || line.includes("pip install")
        const isExample = block => !block.textContent.split("\\n").every(installs)
        tops[name] = [...blocks].find(isExample).getBoundingClientRect().top
    }
    return tops
}"""
"""Where the first block of each page that does more than install begins, in a frame as `FITTING` has it."""
LINES_OF_CODE = 60
"""Two of them, in pixels."""


def test_how_tos_show_code_on_the_first_screen(open_page: Any, address: str, pages: dict[str, Page]) -> None:
    names = sorted(name for name in pages if name.startswith("how-to/"))
    tops = open_page(address, expected=("Blocked script execution",)).evaluate(FIRST_EXAMPLES, names)
    assert len(tops) >= 20
    assert {name: top for name, top in tops.items() if top > 720 - LINES_OF_CODE} == {}


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844), (844, 390)])
class TestFirstScreen:
    def test_a_turn_is_played(self, open_page: Any, address: str, width: int, height: int) -> None:
        """By touch; nothing lies over the board."""
        page = open_page(address, width=width, height=height, has_touch=True)
        board, said = page.locator("#turn gammon-board"), page.get_by_role("status").first
        board.locator(".movable").first.wait_for()
        box = board.locator("svg.gammonrules").bounding_box()
        assert box["y"] > 48
        assert box["y"] + box["height"] <= height + 10  # on a phone on its side, the edge may be cut off
        assert page.evaluate(COVERED, "#turn gammon-board") == []
        board.locator("g.point[data-point='8']").drag_to(board.locator("g.point[data-point='6']"))
        assert "2 pips" in page.get_by_role("alert").inner_text()
        board.locator("g.point[data-point='8']").tap()
        board.locator("g.point[data-point='6']").tap()
        assert said.inner_text() == "8/5 6/5 is legal."
        done = board.get_by_role("button", name="Done")
        assert done.bounding_box()["y"] + done.bounding_box()["height"] <= max(height, 600)
        done.tap()
        said.get_by_role("button").tap()
        assert page.locator(".movable").count() > 0
        for _ in range(2):
            board.locator(".movable").first.tap()
        board.get_by_role("button", name="Done").tap()
        said.get_by_role("link").tap()
        page.locator("#try-board svg.gammonrules").wait_for()
        assert "dice have not been rolled" in page.inner_text("#try-problem")


class TestLongPagesOnAPhone:
    """Of the reference: headings, and names with a sentence each, which open."""

    def test_what_is_looked_for_opens(self, open_page: Any, address: str, violations: Any) -> None:
        page = open_page(f"{address}/reference/batch/#gammonrules.batch.LegalPlays.best", width=390, height=844)
        best = page.locator("[id='gammonrules.batch.LegalPlays.best']")
        assert 0 <= best.bounding_box()["y"] < 200
        assert page.locator(".fold[aria-expanded=true]").all_inner_texts() == ["LegalPlays", "best"]
        best.get_by_role("button").click()
        assert page.locator(".fold[aria-expanded=true]").all_inner_texts() == ["LegalPlays"]
        assert violations(page, "article h2") == []
        page.get_by_role("button", name="Open everything").click()
        assert page.locator(".folded[hidden], .fold[aria-expanded=false]").count() == 0


def test_the_boards_of_the_reference_play_in_both_looks(
    open_page: Any, address: str, look: dict[str, Any], violations: Any, picture: Any
) -> None:
    """Beside each other, and turned with the phone."""
    page = open_page(f"{address}/reference/board/#how-it-looks", **look, has_touch=True)
    boards = page.locator("[data-board] gammon-board")
    boards.last.locator(".movable").first.wait_for()
    for board in (boards.first, boards.last):
        board.locator('.movable[data-point="8"]').click()
        board.locator('.movable[data-point="6"]').click()
    is_phone = look["width"] < look["height"]
    assert page.locator("[data-board=depth] svg.depth.portrait").count() == is_phone
    assert page.locator("[data-board=flat] svg.gammonrules:not(.depth)").count() == 1
    assert violations(page, "#boards") == []
    page.locator("#boards").scroll_into_view_if_needed()
    picture(page, f"boards-{look['width']}", full_page=False)
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function("() => !document.querySelector('[data-board] svg.portrait')")
    assert boards.evaluate_all("boards => boards.map(({ moves }) => String(moves))") == ["8,5,6,5"] * 2


def test_a_position_is_set_up_on_its_page(open_page: Any, address: str) -> None:
    """And judged on the page to try the library, which may not be built here; in the colors of the site."""
    page = open_page(f"{address}/reference/board/", dark=True)
    setup = page.locator("#setup gammon-setup")
    setup.locator("[data-place='6'] .checker").last.drag_to(setup.locator("[data-place='5']"))
    xgid = setup.evaluate("setup => setup.xgid")
    assert xgid.startswith("XGID=-b---AD-C")
    assert f"?position={quote(xgid, safe='')}" in page.locator("#setup > a").get_attribute("href")
    assert setup.get_attribute("theme") == "dark"


FOUND = {
    "illegal": "tutorials/first-steps",
    "pip count": "cookbook/boards",
    "match equity": "reference/equity",
    "XGID": "reference/identifiers",
    "cube": "explanation/rules",
    "Crawford": "explanation/rules",
    "gymnasium": "how-to/train-with-gymnasium",
    "rollout": "reference/engine",
    "bearoff": "reference/bearoff",
    "PR": "how-to/analyze-matches",
    "pytorch": "how-to/train-a-bot",
    "random bot": "cookbook/bots",
    "who won": "cookbook/records",
    "download matches": "cookbook/records",
    "undo": "cookbook/boards",
    "excel": "cookbook/records",
    "two browsers": "how-to/your-own-server",
    "multiplayer": "how-to/your-own-server",
    "drag and drop": "how-to/build-a-board-ui",
    "match-board.js": "reference/board",
}
"""The page that readers want who type a word; the search leaves out "my", as in "download my matches"."""


MARKED = """last => [...document.querySelectorAll(".md-search-result__item > a")].some(
    link => (new URL(link.href).searchParams.get("h") ?? "").split(" ").includes(last)
)"""
"""The results are those of the whole text: one of them marks its last word."""


def test_the_search_finds_the_right_page_first(open_page: Any, site: Path, serve: Any) -> None:
    page = open_page(f"{serve(site, search=True)}/security/")
    field, path_by_word = page.locator("input.md-search__input"), {}
    field.focus()
    for word in FOUND:
        field.fill("")
        field.press_sequentially(word)
        page.wait_for_function(MARKED, arg=re.findall(r"\w+", word.lower())[-1])
        first = page.locator(".md-search-result__item > a").first
        path_by_word[word] = urlsplit(first.get_attribute("href")).path.strip("/")
    assert path_by_word == FOUND


class TestCopying:
    def copies(self, open_page: Any, url: str) -> list[str]:
        page = open_page(url, permissions=["clipboard-read", "clipboard-write"])
        buttons = page.locator("button[data-clipboard-target], button.md-code__button[title='Copy to clipboard']")
        copied = []
        for number in range(buttons.count()):
            page.evaluate("navigator.clipboard.writeText('nothing')")
            buttons.nth(number).click()
            page.wait_for_function("navigator.clipboard.readText().then(text => text != 'nothing')")
            copied.append(page.evaluate("navigator.clipboard.readText()"))
        return copied

    def test_sessions_without_prompts_and_outputs(self, open_page: Any, address: str) -> None:
        """All of the tutorial's sessions together are a program."""
        copied = self.copies(open_page, f"{address}/tutorials/first-steps/")
        begun = ("from gammonrules import Position", "pos = Position.start()", "pos.pip_count")
        assert copied[1].startswith("\n".join(begun))
        sessions = [text for text in copied if not text.startswith(("gammonrules ", "python -m pip "))]
        assert len(sessions) >= 20
        for text in sessions:
            compile(text, "copied", "exec")

    def test_programs_and_commands_as_they_are(self, open_page: Any, address: str) -> None:
        copied = self.copies(open_page, f"{address}/tutorials/tour/")
        install = INSTALL[INSTALL.index("python") :].format("notebook")
        assert copied[0] == "gammonrules view examples/matches/xg/test.xg -o match.html"
        assert copied[1].startswith('from gammonrules import records\n\nmatch = records.load("')
        assert f"{install} matplotlib jupyterlab\njupyter lab" in copied


@pytest.mark.parametrize("name", MAIN_PAGES)
def test_accessible(open_page: Any, address: str, violations: Any, picture: Any, name: str) -> None:
    """What is dark and narrow is the same on long pages: they are looked at once. What scrolls there takes the keys."""
    page = open_page(f"{address}/{MAIN_PAGES[name]}")
    picture(page, f"{name}-light-1280")
    assert violations(page) == []
    if name in {"home", "gallery", "how-to", "findings", "notebook", "rules"}:
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme="dark")
        page.locator("[data-md-color-scheme=slate]").first.wait_for()
        picture(page, f"{name}-dark-390")
        page.wait_for_function("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert page.evaluate(OUT_OF_REACH) == []
        assert violations(page) == []
