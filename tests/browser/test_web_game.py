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

    def __init__(self, page: Page) -> None:
        self.page = page
        self.prompt = page.locator("#prompt")
        self.said = page.locator("#said p")

    def press(self, where: str) -> None:
        self.page.locator(where).first.click()

    def button(self, label: str) -> str:
        return f"#table button:text-is('{label}'):visible"

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
        """Move the first checker that can move."""
        self.press("#board .movable")

    def play(self) -> None:
        """A whole turn."""
        self.begin_turn()
        while self.is_there("#board .movable"):
            self.move()
        self.press("#board button:text-matches('Done|Pass'):visible")
        expect(self.prompt).to_contain_text(re.compile("is to act|has won"))


class Touching(Tab):
    def press(self, where: str) -> None:
        self.page.locator(where).first.tap()


class Dragging(Tab):
    """A page on which checkers are dragged, one by one, to where the board shows that they can go."""

    def move(self) -> None:
        self.page.locator("#board .movable .checker").last.hover()
        target = self.page.locator("#board .target").first.bounding_box()
        self.page.mouse.down()
        self.page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=3)
        self.page.mouse.up()


class Typing(Tab):
    """A page without a pointer: the focus is always where the player goes on."""

    def press(self, where: str) -> None:
        expect(self.page.locator(where).and_(self.page.locator(":focus"))).to_be_visible()
        self.page.keyboard.press("Enter")


def begin(
    server: Server, open_page: Callable[..., Page], length: str, tab: Callable[..., Tab] = Tab, **options: Any
) -> SimpleNamespace:
    """Ann makes a table, and Bob follows her invitation; `first` starts."""
    ann, bob = (tab(open_page(expected=LOST, **options)) for _ in range(2))
    ann.page.goto(server.url)
    ann.page.fill("#name", "Ann")
    ann.page.select_option("#length", length)
    ann.page.click("#begin button")
    expect(ann.page.locator("#invitation input")).to_be_visible()
    bob.page.goto(ann.page.locator("#invitation input").input_value())
    bob.page.fill("#name", "Bob")
    bob.page.click("#begin button")
    for tab in (ann, bob):
        expect(tab.prompt).to_have_text(re.compile("Move your checkers|is to act"))
    first, second = (ann, bob) if ann.is_to_act() else (bob, ann)
    table = re.search(r"#/([\w-]+)/seat", ann.page.url)[1]
    return SimpleNamespace(ann=ann, bob=bob, first=first, second=second, table=table)


def token_of(tab: Tab) -> str:
    return tab.page.url.rpartition("/")[2]


def until_to_act(tab: Tab) -> None:
    expect(tab.prompt).not_to_contain_text("is to act")


@pytest.mark.parametrize("tab", [Tab, *(pytest.param(one, marks=pytest.mark.long) for one in (Dragging, Typing))])
def test_a_match(server, open_page, tab) -> None:
    """A match to 1 from the first roll to the last checker, by clicks, by drag only or by keys only, and a rematch."""
    game = begin(server, open_page, "1", tab)
    tab, other = game.first, game.second
    while not tab.is_there(tab.button("Rematch")):
        tab.play()
        tab, other = other, tab
        expect(tab.prompt).to_have_text(re.compile("Your turn|has won"))
    expect(other.prompt).to_contain_text("has won the match")
    other.page.click(other.button("Rematch"))
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
    picture(game.first.page, "web-doubled")
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


def test_half_a_turn_in_each_of_two_tabs(server, open_page) -> None:
    """A forged play disturbs nothing, a refused move has its reason, and Done, twice, is one play in both tabs."""
    game = begin(server, open_page, "3")
    late = Tab(open_page(game.first.page.url))
    late.move()
    forged = server.says(game.table, token_of(game.first), {"do": "play", "argument": "24/1"}, {"do": "roll"})
    assert [answer["code"] for answer in forged] == ["die_not_rolled", "already_rolled"]
    start, end = (late.page.locator(f'#board .point[data-point="{point}"]') for point in (6, 13))
    start.locator(".checker").last.drag_to(end)
    expect(late.page.get_by_role("alert").filter(has_text="6/13 does not move forward")).to_be_visible()
    while not game.first.is_there(game.first.button("Done")):
        game.first.move()
    game.first.page.locator(game.first.button("Done")).dblclick()
    for tab in (game.first, late):
        expect(tab.prompt).to_contain_text("is to act")
        expect(tab.said.filter(has_text=" plays ")).to_have_count(1)
    assert not late.is_there("#board .movable")


def test_a_server_killed_in_mid_game_loses_nothing(server, open_page) -> None:
    """The pages notice, wait and go on by themselves, with the dice and the moves of the turn that was begun."""
    game = begin(server, open_page, "5")
    game.first.play()
    until_to_act(game.second)
    game.second.begin_turn()
    if game.second.is_there("#board .movable"):
        game.second.move()
    turn, board = game.second.prompt.inner_text(), game.second.page.inner_html("#board")
    moves = game.second.page.evaluate("board.moves")
    first, second = (tab.page.locator("#board .number").all_text_contents() for tab in (game.first, game.second))
    assert first == second  # each numbered from where the player sits
    server.kill()
    log = server.log()
    for tab in (game.first, game.second):
        expect(tab.page.locator("#trouble")).to_contain_text("The connection is lost")
    server.start(seed=2)
    for tab in (game.first, game.second):
        expect(tab.page.locator("#trouble")).to_be_empty(timeout=20_000)
    assert game.second.prompt.inner_text() == turn
    assert game.second.page.inner_html("#board") == board
    game.second.page.reload()
    expect(game.second.prompt).to_have_text(turn)
    assert game.second.page.evaluate("board.moves") == moves
    game.second.play()
    until_to_act(game.first)
    game.first.play()
    server.kill()
    later = server.log()
    assert later[: len(log)] == log
    assert [event["action"] for event in later[len(log) :]] == ["play", "roll", "play"]
    assert [event["action"] for event in log][-3:] == ["opening_roll", "play", "roll"]


def test_a_turn_by_keys(server, open_page) -> None:
    """From the first key to the first play; the focus goes where the player goes on."""
    page = open_page(server.url)
    page.keyboard.press("Tab")
    page.keyboard.type("Ann")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")  # the bot
    page.keyboard.press("Enter")
    tab = Typing(page)
    expect(tab.prompt).to_have_text(re.compile("^(Your turn|Move)"))
    tab.begin_turn()
    expect(page.locator("#board .movable").first).to_be_focused()
    tab.move()
    page.keyboard.press("u")
    while not tab.is_there(tab.button("Done")):
        tab.move()
    tab.press(tab.button("Done"))
    expect(tab.said.filter(has_text=re.compile("Ann.* plays"))).to_be_visible()


def test_a_turn_by_touch_on_a_phone(server, open_page) -> None:
    game = begin(server, open_page, "1", Touching, width=390, height=844, has_touch=True, is_mobile=True)
    game.first.play()
    until_to_act(game.second)
    width = game.first.page.evaluate("document.documentElement.scrollWidth")
    assert width == 390
    small = "[...document.querySelectorAll('button')].filter(b => b.offsetHeight && b.offsetHeight < 44).length"
    assert game.second.page.evaluate(small) == 0


def test_the_page_is_accessible_in_every_look(server, open_page, violations, picture) -> None:
    page, game = open_page(server.url), begin(server, open_page, "5")
    game.first.move()
    for scheme, width in itertools.product(("light", "dark"), (1280, 390)):
        for seen in (page, game.first.page, game.second.page):
            seen.set_viewport_size({"width": width, "height": 844})
            seen.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations(seen) == [], (scheme, width)
        picture(game.first.page, f"web-{scheme}-{width}")
