"""The pictures of pages in the how-tos, light and dark, as a browser shows them today.

`PYTHONPATH=tests/browser:tests python generators/page_pictures.py` takes them again, after a change of such a
page; names after it, such as "find-positions", take only these.
"""

from __future__ import annotations

import asyncio
import io
import random
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal, TypedDict

from attrs import frozen
from PIL import Image
from playwright.sync_api import sync_playwright

import club_server
import processes
from conftest import OPTIONS, PROGRAMS, ROOT
from gammonrules import MatchState
from gammonrules.records import load

sys.path += [str(ROOT / "examples"), str(ROOT / "examples" / "terminal")]
from game import Game
from screen import MatchApp

if TYPE_CHECKING:
    from playwright.sync_api import Page

FOLDER = ROOT / "docs" / "images" / "how-to"


class Size(TypedDict):
    """Of a window."""

    width: int
    height: int


WINDOW: Size = {"width": 1040, "height": 650}
PHONE: Size = {"width": 390, "height": 730}
MAX_OF_PHONE: Size = {"width": 390, "height": 585}
SMALL_WINDOW: Size = {"width": 620, "height": 604}
"""For a third of the home page."""
MATCHES = Path("examples", "matches")
MATCH = MATCHES / "xg" / "test.xg"
MADE = {
    "find-positions": ("find", "error >= 0.08", MATCHES),
    "analyze-matches": ("report", MATCHES / "xg", "--player", "Kévin Unger"),
    "home": ("report", MATCHES / "xg", "--player", "Kévin Unger"),
    "view-a-match": ("view", MATCH),
}
"""The commands that make a page, by the names of the how-tos."""


@contextmanager
def of_command(name: str, folder: Path) -> Iterator[str]:
    page = folder / f"{name}.html"
    processes.run(sys.executable, "-m", "gammonrules", *MADE[name], "-o", page, cwd=ROOT)
    yield page.as_uri()


@contextmanager
def of_own_server(_: str, folder: Path) -> Iterator[str]:
    server = club_server.Server(folder)
    try:
        yield server.url
    finally:
        server.running.close()


@contextmanager
def of_mistake(name: str, folder: Path) -> Iterator[str]:
    """The page of a match, with the worst decision."""
    worst = max(load(ROOT / MATCH).decisions(), key=lambda decision: decision.error or 0)
    with of_command(name, folder) as address:
        yield f"{address}#{worst.state.xgid}"


@contextmanager
def of_terminal(_: str, folder: Path) -> Iterator[str]:
    """What Textual says that a terminal would show; its font is that of the machine."""
    game = Game(MatchState.new(5).opening_roll(3, 1), "You", random.Random(1), folder / "match.json")
    shown = folder / "screen.svg"

    async def start() -> None:
        app = MatchApp(game)
        async with app.run_test(size=(106, 32)) as pilot:
            await pilot.pause()
            shown.write_text(app.export_screenshot(), encoding="utf-8")

    asyncio.run(start())
    yield shown.as_uri()


def bot(page: Page) -> None:
    """A game in which the bot has begun, and the person is to roll."""
    lobby = page.url
    while not page.locator("#buttons [name=roll]").count():
        page.goto(lobby)
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("button", name="Play the bot").click()
        page.locator("#board .movable, #buttons [name=roll]").first.wait_for()


@frozen
class Shown:
    """What a picture shows."""

    serve: Callable[[str, Path], AbstractContextManager[str]]
    """Makes the page, by the name of the how-to and a folder for files, and gives its address."""
    act: Callable[[Page], None] | None = None
    """What is done on it first."""
    schemes: tuple[Literal["light", "dark"] | None, ...] = ("light", "dark")
    phone: Size | None = None
    """Of another picture, which a phone shows, not the left part of this one."""
    window: Size = WINDOW
    phone_end: str | None = None
    """What that of the phone ends below, where the window would cut it."""


PAGES = {
    "find-positions": Shown(of_command, phone=MAX_OF_PHONE),
    "analyze-matches": Shown(of_command, phone=PHONE, phone_end=".tiles"),
    "home": Shown(of_command, window=SMALL_WINDOW),
    "view-a-match": Shown(of_mistake, phone=PHONE),
    "your-own-server": Shown(of_own_server, bot, phone=PHONE),
    "terminal-game": Shown(of_terminal, schemes=(None,)),  # a terminal has its own colors
}


def bottom_of(page: Page, selector: str) -> int:
    """Where an element ends, with some space below it."""
    box = page.locator(selector).bounding_box()
    return round(box["y"] + box["height"]) + 16


def take(*names: str) -> None:
    programs = [path for path in map(shutil.which, PROGRAMS) if path]
    with ExitStack() as started:
        addresses = {}
        for name in names or PAGES:  # all before the browser, beside which asyncio does not run
            folder = Path(started.enter_context(TemporaryDirectory()))
            addresses[name] = started.enter_context(PAGES[name].serve(name, folder))
        playwright = started.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=programs[0], args=OPTIONS)
        for name, address in addresses.items():
            shown = PAGES[name]
            windows = {"": shown.window} | ({"-phone": shown.phone} if shown.phone else {})
            for scheme, (which, window) in product(shown.schemes, windows.items()):
                page = browser.new_page(
                    viewport=window,
                    color_scheme=scheme,
                    reduced_motion="reduce",
                    has_touch=bool(which),
                    is_mobile=bool(which),
                )
                page.goto(address)
                if shown.act:
                    shown.act(page)
                page.wait_for_timeout(2_000)
                target = FOLDER / f"{name}{which}{f'-{scheme}' if scheme else ''}.webp"
                taken = Image.open(io.BytesIO(page.screenshot()))
                if which and shown.phone_end:
                    taken = taken.crop((0, 0, taken.width, bottom_of(page, shown.phone_end)))
                taken.save(target, quality=55, method=6)
                page.close()


if __name__ == "__main__":
    take(*sys.argv[1:])
