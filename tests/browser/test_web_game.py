"""`examples/web` as people use it: by clicks, by touch and by keys, and with a server that is killed in mid-game."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import socket
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import processes
from visits import LOOPBACK

if TYPE_CHECKING:
    from playwright.sync_api import Page

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
sockets = pytest.importorskip("websockets.sync.client")
expect = api.expect
PROGRAM = Path(__file__).with_name("web_server.py")
LOST = ("WebSocket connection", "ERR_CONNECTION_REFUSED")
"""What a browser writes to its console when the server is gone."""


class Server:
    """The program, which can be killed and started again with the same database and address."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "tables.sqlite"
        with socket.socket() as free:
            free.bind((LOOPBACK, 0))
            self.port = free.getsockname()[1]
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.running = ExitStack()
        self.start(1)

    def start(self, seed: int) -> None:
        program = processes.running(sys.executable, PROGRAM, self.database, self.port, seed)
        self.process = self.running.enter_context(program)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            assert self.process.poll() is None, self.process.stderr.read()
            with contextlib.suppress(ConnectionError), socket.create_connection((LOOPBACK, self.port)):
                return
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """SIGKILL: nothing is written any more, and nobody is told."""
        self.running.close()

    def log(self) -> list[dict[str, Any]]:
        """The events that are stored, of the only table, while the server is down."""
        with contextlib.closing(sqlite3.connect(self.database)) as db:
            return [json.loads(text) for (text,) in db.execute("SELECT event FROM events ORDER BY number")]

    def says(self, table: str, token: str | None, *messages: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """What a client that is no page of ours is told when it sends this, after it has said who it is."""
        with sockets.connect(f"ws://{LOOPBACK}:{self.port}/tables/{table}", origin=self.url) as client:
            client.send(json.dumps({"token": token}))
            seen = json.loads(client.recv(timeout=10))
            for message in messages:
                client.send(json.dumps({"after": seen["number"]} | message))
                while (answer := json.loads(client.recv(timeout=10)))["type"] == "table":
                    pass
                yield answer


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    one = Server(tmp_path)
    yield one
    one.kill()


class Tab:
    """A player's page, used as a person does."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page, self.touch = page, touch
        self.prompt = page.locator("#prompt")
        self.said = page.locator("#said p")

    def press(self, where: str) -> None:
        target = self.page.locator(where).first
        target.tap() if self.touch else target.click()

    def button(self, label: str) -> str:
        return f"#buttons button:text-is('{label}')"

    def is_there(self, where: str) -> bool:
        return self.page.locator(where).count() > 0

    def is_to_act(self) -> bool:
        return not re.search("is to act|Waiting", self.prompt.inner_text())

    def begin_turn(self) -> None:
        """Roll, if the dice have not been thrown."""
        if self.is_there(self.button("Roll")):
            self.press(self.button("Roll"))
            expect(self.prompt).not_to_contain_text("roll")

    def move(self) -> None:
        """Choose the first checker that can move, and the last place where it can go."""
        before = self.prompt.inner_text()
        self.press("#board .from")
        target = self.page.locator("#board .to").last
        target.tap() if self.touch else target.click()
        expect(self.prompt).not_to_have_text(before)

    def play(self) -> None:
        """A whole turn."""
        self.begin_turn()
        while not (self.is_there(self.button("Done")) or self.is_there(self.button("Pass"))):
            self.move()
        self.press("#buttons button:text-matches('Done|Pass')")
        expect(self.prompt).to_contain_text(re.compile("is to act|has won"))


def begin(server: Server, open_page: Callable[..., Page], length: str, **options: Any) -> SimpleNamespace:
    """Ann makes a table, and Bob follows her invitation; `first` starts."""
    touch = bool(options.get("has_touch"))
    ann, bob = (Tab(open_page(expected=LOST, **options), touch=touch) for _ in range(2))
    ann.page.goto(server.url)
    ann.page.fill("#name", "Ann")
    ann.page.select_option("#length", length)
    ann.press("#begin button")
    expect(ann.page.locator("#invitation input")).to_be_visible()
    bob.page.goto(ann.page.locator("#invitation input").input_value())
    bob.page.fill("#name", "Bob")
    bob.press("#begin button")
    for tab in (ann, bob):
        expect(tab.prompt).to_have_text(re.compile("Move your checkers|is to act"))
    first, second = (ann, bob) if ann.is_to_act() else (bob, ann)
    table = re.search(r"#/([\w-]+)/seat", ann.page.url)[1]
    return SimpleNamespace(ann=ann, bob=bob, first=first, second=second, table=table)


def token_of(tab: Tab) -> str:
    return tab.page.url.rpartition("/")[2]


def until_to_act(tab: Tab) -> None:
    expect(tab.prompt).not_to_contain_text("is to act")


def test_a_match_by_clicks(server, open_page) -> None:
    """A match to 1 from the first roll to the last checker, and a rematch."""
    game = begin(server, open_page, "1")
    tab, other = game.first, game.second
    while not tab.is_there(tab.button("Rematch")):
        tab.play()
        tab, other = other, tab
        expect(tab.prompt).to_have_text(re.compile("Your turn|has won"))
    expect(other.prompt).to_contain_text("has won the match")
    other.press(other.button("Rematch"))
    for one in (tab, other):
        expect(one.said.last).to_contain_text("starts")
        assert game.table not in one.page.url


def test_the_cube_a_resignation_and_the_next_game(server, open_page, violations, picture) -> None:
    game = begin(server, open_page, "3")
    watcher = Tab(open_page(f"{server.url}/#/{game.table}"))
    game.first.play()
    until_to_act(game.second)
    game.second.press(game.second.button("Double"))
    expect(game.first.prompt).to_contain_text("doubles to 2")
    expect(watcher.prompt).to_contain_text("You are watching")
    assert violations(game.first.page) == violations(watcher.page) == []
    game.first.press(game.first.button("Take"))
    until_to_act(game.second)
    game.first.press("#resign summary")
    game.first.press("#resign button")
    expect(game.second.prompt).to_contain_text("offers to resign: single")
    game.second.press(game.second.button("Accept"))
    for tab in (game.first, game.second, watcher):
        expect(tab.page.locator("#score")).to_contain_text("2 points")
    assert not watcher.is_there("#buttons button")
    game.first.press(game.first.button("Next game"))
    expect(watcher.page.locator("#match")).to_contain_text("Crawford game")


def test_forged_messages_and_a_client_in_the_seat_of_the_other(server, open_page) -> None:
    """Nothing of this reaches the board, and the pages go on as if nothing had been sent."""
    game = begin(server, open_page, "3")
    game.first.press("#board .from")
    before = [tab.page.inner_html("#board") for tab in (game.first, game.second)]
    attacks = [
        {"do": "play", "argument": [[24, 1]]},
        {"do": "play", "argument": "24/18(4)"},
        {"do": "roll", "argument": [6, 6]},
        {"do": "opening_roll", "argument": [6, 1]},
        {"do": "next_game"},
        {"do": "resign", "argument": 1, "after": 0},
    ]
    codes = {
        who: [answer["code"] for answer in server.says(game.table, token, *attacks)]
        for who, token in (("first", token_of(game.first)), ("second", token_of(game.second)), ("nobody", None))
    }
    assert codes["nobody"] == ["spectator"] * 6
    assert codes["second"][:2] == ["not_your_turn"] * 2
    assert codes["first"][0] in {"die_not_rolled", "not_moved", "no_checker"} or "_" in codes["first"][0]
    for who in ("first", "second"):
        assert codes[who][2:] == ["unreadable", "unreadable", "game_not_over", "stale"]
    expect(game.first.page.locator("#board .to").first).to_be_visible()
    assert [tab.page.inner_html("#board") for tab in (game.first, game.second)] == before
    game.first.press("#board .from")
    game.first.play()
    until_to_act(game.second)


def test_a_server_killed_in_mid_game_loses_nothing(server, open_page) -> None:
    """The pages notice, wait and go on by themselves, with the dice and the moves of the turn that was begun."""
    game = begin(server, open_page, "5")
    game.first.play()
    until_to_act(game.second)
    game.second.begin_turn()
    if not game.second.is_there(game.second.button("Pass")):
        game.second.move()
    turn, board = game.second.prompt.inner_text(), game.second.page.inner_html("#board")
    server.kill()
    log = server.log()
    for tab in (game.first, game.second):
        expect(tab.page.locator("#trouble")).to_contain_text("The connection is lost")
    server.start(seed=2)
    for tab in (game.first, game.second):
        expect(tab.page.locator("#trouble")).to_be_empty(timeout=20_000)
    assert game.second.prompt.inner_text() == turn
    assert game.second.page.inner_html("#board") == board
    game.second.play()
    until_to_act(game.first)
    game.first.play()
    server.kill()
    later = server.log()
    assert later[: len(log)] == log
    assert [event["action"] for event in later[len(log) :]] == ["play", "roll", "play"]
    assert [event["action"] for event in log][-3:] == ["opening_roll", "play", "roll"]


def test_a_turn_by_keys(server, open_page) -> None:
    """Tab leads to every checker that can move; Enter and the space bar choose it and its place."""
    page = open_page(server.url)
    page.keyboard.press("Tab")
    page.keyboard.type("Ann")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # the bot
    page.keyboard.press("Enter")
    tab = Tab(page)
    expect(tab.prompt).to_have_text(re.compile("^(Your turn|Move)"))
    if tab.is_there(tab.button("Roll")):
        page.keyboard.press("Enter")
        expect(tab.prompt).not_to_contain_text("roll")
    focused = page.locator(":focus")
    first = page.locator("#board .from").first
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-label", re.compile(r"^point \d+, \d of \W?Ann\W?: move from here$"))
    page.keyboard.press("Enter")
    expect(focused).to_have_attribute("aria-label", re.compile(": move here$"))
    page.keyboard.press("Escape")
    expect(focused).to_have_attribute("aria-label", re.compile(": move from here$"))
    while not tab.is_there(tab.button("Done")):
        before = tab.prompt.inner_text()
        page.keyboard.press("Space")
        expect(focused).to_have_attribute("aria-label", re.compile(": move here$"))
        page.keyboard.press("Enter")
        expect(tab.prompt).not_to_have_text(before)
    expect(page.locator(tab.button("Done"))).to_be_focused()
    count = tab.said.count()
    page.keyboard.press("Enter")
    expect(tab.said.nth(count)).to_contain_text("Ann")


def test_a_turn_by_touch_on_a_phone(server, open_page) -> None:
    game = begin(server, open_page, "1", width=390, height=844, has_touch=True, is_mobile=True)
    game.first.play()
    until_to_act(game.second)
    width = game.first.page.evaluate("document.documentElement.scrollWidth")
    assert width == 390
    small = "[...document.querySelectorAll('button')].filter(b => b.offsetHeight && b.offsetHeight < 44).length"
    assert game.second.page.evaluate(small) == 0


def test_the_page_is_accessible_in_every_look(server, open_page, violations, picture) -> None:
    page, game = open_page(server.url), begin(server, open_page, "5")
    game.first.press("#board .from")
    for scheme, width in itertools.product(("light", "dark"), (1280, 390)):
        for seen in (page, game.first.page, game.second.page):
            seen.set_viewport_size({"width": width, "height": 844})
            seen.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(seen) == [], (scheme, width)
        picture(game.first.page, f"web-{scheme}-{width}")
