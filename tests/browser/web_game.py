"""What the tests of `examples/web` in a browser share: its server, matches to any state, and players."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import random
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import processes
from gammonrules import Action, Event, MatchState, Phase, Player
from gammonrules.match import Clock
from visits import LOOPBACK

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

from bot import choose, next_event  # noqa: E402
from fairness import Promise  # noqa: E402
from storage import Storage  # noqa: E402
from tables import Seat, Table, hash_of  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = api.expect
expect.set_options(timeout=30_000)  # milliseconds; the machine may be busy
PROGRAM = Path(__file__).with_name("web_server.py")
LOST = ("WebSocket connection", "ERR_CONNECTION_REFUSED")
"""What a browser writes to its console when the server is gone."""
TOKENS = {Player.WHITE: "a" * 64, Player.BLACK: "b" * 64}
SIZES = [(390, 844), (844, 390), (768, 1024), (1280, 720)]
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


# --- a server with tables ---------------------------------------------------------------------------------------------


class Server:
    """The program, which can be killed and started again with the same database and address."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "tables.sqlite"
        self.port = processes.free_port()
        self.url = f"http://{LOOPBACK}:{self.port}"
        self.running = ExitStack()

    def start(self, seed: int = 1, *, pause: float = 0, absence: float = 60, teaches: bool = False) -> None:
        program = sys.executable, PROGRAM, self.database, self.port, seed, pause, absence, int(teaches)
        self.running.enter_context(processes.serving(self.port, *program, seconds=1200))

    def kill(self) -> None:
        """SIGKILL: nothing is written any more, and nobody is told."""
        self.running.close()

    def put(
        self,
        name: str,
        match: tuple[MatchState, Sequence[tuple[Event, MatchState]]],
        clock: Clock | None = None,
        since: float = 0,
        names: Sequence[str] = ("Ann", "Bob"),
        kinds: Sequence[Any] = ("person", "person"),
    ) -> None:
        """Store a table at which this has happened, while the server is down."""
        seats = (
            Seat(kind, text, hash_of(token)) for kind, text, token in zip(kinds, names, TOKENS.values(), strict=True)
        )
        (first, log), (white, black) = match, seats
        promise = Promise(bytes(32), ("1" * 40, "2" * 40))
        table = Table(name, first, (white, black), promise, time_control="fast" if clock else "none", clock=clock)
        state = log[-1][1] if log else first
        with contextlib.closing(Storage(self.database)) as storage:
            storage.add(table, log, clock and clock.follow(state, since))

    def address(self, table: str, player: Player | None = None) -> str:
        return f"{self.url}/#/{table}" + (f"/seat/{TOKENS[player]}" if player else "")

    def log(self, table: str = "%") -> list[dict[str, Any]]:
        """The events that are stored of a table, while the server is down."""
        with contextlib.closing(sqlite3.connect(self.database)) as db:
            rows = db.execute("SELECT event FROM events WHERE table_id LIKE ? ORDER BY number", (table,))
            return [json.loads(text) for (text,) in rows]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    started = Server(tmp_path)
    yield started
    started.kill()


@functools.cache
def played(
    is_there: Callable[[MatchState], object], length: int | None = 5, seed: int = 1
) -> tuple[MatchState, list[tuple[Event, MatchState]]]:
    """A match of two bots to the first state that is wanted."""
    for more in itertools.count():
        rng, log, first = random.Random(seed + 1000 * more), [], MatchState.new(length)
        state = first
        while state.winner is None and len(log) < 500:
            event = state.canonical(next_event(state, choose, rng))
            state = state.apply(event)
            log.append((event, state))
            if is_there(state):
                return first, log
    raise AssertionError


def to_play(state: MatchState, player: Player = Player.WHITE, plays: int = 9) -> bool:
    return state.phase is Phase.TO_PLAY and state.to_act is player and len(state.legal_plays) > plays


def to_double(state: MatchState) -> bool:
    return state.to_act is Player.WHITE and Action.DOUBLE in state.legal_actions


def is_dance(state: MatchState) -> bool:
    return state.phase is Phase.TO_PLAY and state.to_act is Player.WHITE and not state.legal_plays[0].moves


def is_offered(state: MatchState, phase: Phase = Phase.DOUBLED) -> bool:
    return state.phase is phase and state.to_act is Player.WHITE


def can_beaver(state: MatchState) -> bool:
    return is_offered(state) and Action.BEAVER in state.legal_actions


# --- pages ------------------------------------------------------------------------------------------------------------


class Tab:
    """A player's page, used as a person does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.prompt = page.locator("#prompt")
        self.said = page.locator("#said p")
        self.confirm = page.locator("#confirm")
        self.end = page.locator("#end")

    def press(self, where: str) -> None:
        self.page.locator(where).first.click()

    def button(self, label: str) -> str:
        return f"#table button:text-is('{label}'):visible"

    def is_there(self, where: str) -> bool:
        return self.page.locator(where).count() > 0

    def is_to_act(self) -> bool:
        return self.is_there(f"#board .movable, {self.button('Roll')}, {self.button('Next game')}, #rematch:visible")

    def press_and_wait(self, where: str) -> None:
        """Until the server has told everybody what happened."""
        before = self.said.count()
        self.press(where)
        expect(self.said.nth(before)).to_be_attached()

    def decide(self, label: str) -> None:
        """What cannot be undone, with the question that comes first."""
        self.press(self.button(label))
        self.press_and_wait("#confirm .yes")

    def move(self) -> None:
        """Move the first checker that can move."""
        self.press("#board .movable")

    def play(self) -> None:
        """A whole turn."""
        if self.is_there(self.button("Roll")):
            self.press_and_wait(self.button("Roll"))
        while self.is_there("#board .movable"):
            self.move()
        if self.is_there(self.button("Done")):
            self.press_and_wait(self.button("Done"))

    def try_wrong(self) -> None:
        """Drag a checker to where no die leads."""
        start, end = (self.page.locator(f'#board .point[data-point="{point}"]') for point in (6, 13))
        start.locator(".checker").last.drag_to(end)


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


def first_to_act(*tabs: Tab) -> Tab:
    """The first of these players who can go on, once one can."""
    while True:
        for tab in tabs:
            if tab.is_to_act():
                return tab
        tabs[0].page.wait_for_timeout(20)


@pytest.fixture
def table(server: Server, open_page: Callable[..., Page]) -> Callable[..., Any]:
    """`table(match)` is a table where this has happened: pages of Ann, who has White, of Bob, and of a spectator."""

    def start(match: Any, clock: Clock | None = None, pause: float = 0, absence: float = 60, **look: Any) -> Any:
        server.put("table", match, clock)
        server.start(pause=pause, absence=absence)
        tabs = [Tab(open_page(server.address("table", player), expected=LOST, **look)) for player in (*Player, None)]
        for tab in tabs:
            expect(tab.prompt).not_to_be_empty()
        return tabs

    return start


def begin(server: Server, open_page: Callable[..., Page], kind: Callable[..., Tab] = Tab, **look: Any) -> list[Tab]:
    """Ann makes a table, and Bob follows her invitation."""
    ann, bob = (kind(open_page(expected=LOST, **look)) for _ in range(2))
    ann.page.goto(server.url)
    ann.page.fill("#name", "Ann")
    ann.page.select_option("#length", "1")
    ann.page.locator("#clock").press("Tab")
    ann.page.locator("#friend").press("Enter")
    expect(ann.page.locator("#invitation input")).to_be_visible()
    bob.page.goto(ann.page.locator("#invitation input").input_value())
    bob.page.fill("#name", "Bob")
    expect(bob.page.locator("#invited")).to_contain_text("Ann\u2069 invites you. Match to 1, clock: none.")
    bob.page.locator("#name").press("Tab")
    bob.page.locator("#join").press("Enter")
    for tab in (ann, bob):
        expect(tab.prompt).to_have_text(re.compile("Move your checkers|'s turn"))
    return [ann, bob]


MISPLACED = """async () => {
  const isUpright = () => matchMedia("(orientation: portrait) and (max-width: 40rem)").matches;
  do await new Promise(requestAnimationFrame); // until the page has the board for the way that it is held
  while (board.side && board.querySelector("svg").matches(".portrait") !== isUpright());
  const all = (root, what) => {
    return [...root.querySelectorAll(what)].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  };
  const parts = all(board.shadowRoot, "button");
  const deciding = [...all(document, "#begin button, #buttons button, #confirm button, #end :is(a, button)"), ...parts];
  const buttons = [...all(document, "button, a.button, select, input"), ...parts];
  const texts = [...all(document, ".bar-of :not(.name, bdi, small), #prompt, #question, button, a.button"), ...parts];
  const seen = all(document, "#board, .bar-of, #prompt, #countdown, #end");
  const isAsking = document.querySelector("#confirm").open;
  const faults = {
    "not in the window": [...seen, ...deciding].filter((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    }),
    "too small": buttons.map((button) => button.closest(".switch") ?? button).filter((button) => {
      return button.offsetWidth < 44 || button.offsetHeight < 44;
    }),
    covered: deciding.filter((button) => !isAsking || button.closest("#confirm")).filter((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const place = [left + width / 2, top + height / 2];
      return !button.contains(button.getRootNode().elementFromPoint(...place));
    }),
    "cut off": texts.filter(({ scrollWidth, clientWidth }) => clientWidth && scrollWidth > clientWidth + 1),
    "over others": all(document, ".bar-of *").filter((element) => {
      const [part, bar] = [element, element.closest(".bar-of")].map((one) => one.getBoundingClientRect());
      return part.bottom > bar.bottom + 1 || part.right > bar.right + 1 || part.left < bar.left - 1;
    }),
    "over a player": all(document, ".notice:not(:empty)").filter((notice) => all(document, ".bar-of").some((bar) => {
      const [one, other] = [notice, bar].map((element) => element.getBoundingClientRect());
      return one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right;
    })),
    "broken word": all(document, ".bar-of *, .tools *, button, a, label").filter((element) => {
      return [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).some((node) => {
        return [...node.data.matchAll(/[\\p{L}\\d/]+/gu)].some(({ index, 0: { length } }) => {
          const word = document.createRange();
          word.setStart(node, index);
          word.setEnd(node, index + length);
          return length < 9 && word.getClientRects().length > 1; // longer ones have nowhere to go
        });
      });
    }),
    "too wide": [document.documentElement].filter(({ scrollWidth }) => scrollWidth > innerWidth),
  };
  const name = ({ id, className, textContent }) => `${id} ${className} ${textContent.trim().slice(0, 30)}`;
  return Object.entries(faults).flatMap(([fault, all]) => all.map((element) => `${fault}: ${name(element)}`));
}"""
