"""`examples/web` as people use it: by clicks, touch and keys, in every state, and with a server that is killed."""

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
from gammonrules import Action, Event, MatchState, Phase, Player, Position, records
from gammonrules.json import loads
from gammonrules.match import Clock
from visits import LOOPBACK

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

from bot import choose, next_event  # noqa: E402
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

    def start(self, seed: int = 1, *, pause: float = 0, absence: float = 60) -> None:
        program = sys.executable, PROGRAM, self.database, self.port, seed, pause, absence
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
        table = Table(name, first, (white, black), time_control="fast" if clock else "none", clock=clock)
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
    one = Server(tmp_path)
    yield one
    one.kill()


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


def to_play(state: MatchState, player: Player = Player.WHITE) -> bool:
    return state.phase is Phase.TO_PLAY and state.to_act is player and len(state.legal_plays) > 9


def to_double(state: MatchState) -> bool:
    return state.to_act is Player.WHITE and Action.DOUBLE in state.legal_actions


def to_bear_off(state: MatchState) -> bool:
    return state.phase is Phase.TO_PLAY and state.position.off > 0


def is_pass(state: MatchState) -> bool:
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


# --- whole matches ----------------------------------------------------------------------------------------------------


def finish(ann: Tab, bob: Tab) -> str:
    """Play to the end, look at the records, and begin a rematch. Returns the text of the record."""
    while not (tab := first_to_act(ann, bob)).is_there("#rematch:visible"):
        tab.play()
    expect(tab.end).to_contain_text("and the match.")
    with tab.page.expect_download() as download:
        tab.page.focus("#end [data-file='match.mat']")
        tab.press("#end [data-file='match.mat']")
    with tab.page.expect_popup() as popup:
        tab.page.focus("#end [data-file='match.html']")
        tab.press("#end [data-file='match.html']")
    expect(popup.value.locator("h1")).to_contain_text("Ann")
    popup.value.close()
    pages = [one.page.evaluate("[location.hash, history.length]") for one in (ann, bob)]
    for one in (ann, bob):
        one.page.focus("#rematch")
        one.press("#rematch")
    for one, (table, entries) in zip((ann, bob), pages, strict=True):
        expect(one.page.locator("#last")).to_have_attribute("href", re.compile("match.html"))
        expect(one.said.last).to_contain_text("starts")
        assert one.page.evaluate("location.hash") != table
        assert one.page.evaluate("history.length") == entries  # whoever goes back does not come here again
    return download.value.path().read_text(encoding="utf-8")


def is_recorded(server: Server, text: str, table: str, first: MatchState) -> bool:
    """Whether the record that a page got is that of the events that were stored."""
    with contextlib.closing(Storage(server.database)) as storage:
        _, *events = storage.log(table)
    return text == records.dumps(records.Match.from_events(("Ann", "Bob"), first, map(loads, events)))


def test_the_end_of_a_match(server, table) -> None:
    """The last turns by clicks, the result, the record, the page of the match, and a rematch."""
    match = played(lambda state: to_bear_off(state) and state.position.pip_count < 8, 1)
    ann, bob, watcher = table(match)
    record = finish(ann, bob)
    expect(watcher.said.last).to_contain_text("starts")
    server.kill()
    assert is_recorded(server, record, "table", match[0])


@pytest.mark.long
@pytest.mark.parametrize("kind", [Tab, Touching, Dragging, Typing])
def test_a_whole_match(server, open_page, kind, look) -> None:
    """Every action by clicks, by touch, by drag, or by keys."""
    server.start()
    if kind is Touching:
        look |= {"has_touch": True, "is_mobile": look["width"] == 390}
    ann, bob = begin(server, open_page, kind, **look)
    name = re.search(r"#/([\w-]+)/seat", ann.page.url)[1]
    record = finish(ann, bob)
    server.kill()
    assert is_recorded(server, record, name, MatchState.new(1))


# --- what a player does -----------------------------------------------------------------------------------------------

ACTIONS: dict[str, tuple[Callable[[MatchState], object], list[str]]] = {
    "roll": (to_double, ["Roll"]),
    "play": (lambda state: state.phase is Phase.TO_PLAY and state.to_act is Player.WHITE, ["Done"]),
    "decline": (lambda state: is_offered(state, Phase.RESIGNED), ["Decline"]),
    "next_game": (lambda state: state.result and not state.winner, ["Next game"]),
    "double": (to_double, ["Double", "Yes"]),
    "take": (is_offered, ["Take", "Yes"]),
    "drop": (is_offered, ["Drop", "Yes"]),
    "beaver": (can_beaver, ["Beaver", "Yes"]),
    "accept": (lambda state: is_offered(state, Phase.RESIGNED), ["Accept", "Yes"]),
    "resign": (to_play, ["Resign", "Gammon: 2 points"]),
    "Forfeit": (lambda state: to_play(state, Player.BLACK), ["Claim the win", "Yes"]),
}
"""Where each action is possible, and the clicks that it takes; one that cannot be undone takes two."""


def test_every_action_takes_at_most_two_clicks_and_no_dangerous_one_fewer(server, open_page) -> None:
    """A double click on a dangerous button does nothing, nor does Escape, or a question which nobody answers."""
    matches = {do: played(where, None if do == "beaver" else 5) for do, (where, _) in ACTIONS.items()}
    for do, match in matches.items():
        server.put(do, match, kinds=("person", "bot" if do == "next_game" else "person"))
    server.start(pause=600, absence=0)
    page, rows = open_page(expected=LOST), set()
    tab = Tab(page)
    for do, (_, [first, *second]) in ACTIONS.items():
        page.goto(server.address(do, Player.WHITE))
        expect(page.locator(tab.button(first)).or_(page.locator("#board .movable").first).first).to_be_visible()
        while not tab.is_there(tab.button(first)):
            tab.move()
        said = tab.said.count()
        rows |= {round(page.locator(tab.button(first)).bounding_box()["y"])} if do != "resign" else set()
        if second:
            page.dblclick(tab.button(first))
            expect(tab.confirm).to_be_hidden()
            there = page.locator(tab.button(first)).bounding_box()
            page.click(tab.button(first))
            expect(tab.confirm.locator(".no")).to_be_focused()
            assert tab.confirm.locator(".no").bounding_box() == pytest.approx(there)
            page.keyboard.press("Escape")
            expect(tab.confirm).to_be_hidden()
            assert tab.said.count() == said
            page.click(tab.button(first))
            page.click(tab.button(second[0]))
        else:
            page.dblclick(tab.button(first))  # which is not more than one click
        expect(tab.said.nth(said)).to_be_attached()
    assert len(rows) == 1
    server.kill()
    for do, (_, log) in matches.items():
        done = [event.get("action", event["type"]) for event in server.log(do)[len(log) :]]
        assert [one for one in done if one != "opening_roll"] == [do]


def test_the_cube_a_resignation_and_the_next_game(table) -> None:
    """An open question closes when the table has gone on, unless that does not change what is asked."""
    ann, bob, watcher = table(played(lambda state: to_double(state) and not any(state.score), 3))
    late = Tab(ann.page.context.new_page())
    late.page.goto(ann.page.url)
    late.press(late.button("Double"))
    bob.press("#resign")
    ann.decide("Double")
    expect(bob.confirm).to_be_hidden()
    for tab in (ann, late):
        expect(tab.confirm).to_be_hidden()
        expect(tab.prompt).to_have_text("\u2068Bob\u2069 is to answer.")
    expect(bob.prompt).to_contain_text("doubles to 2")
    expect(watcher.prompt).to_contain_text("You are watching")
    bob.press(bob.button("Drop"))
    expect(bob.page.locator("#question")).to_have_text("Drop: lose 1 point?")
    late.page.close()
    watcher.page.reload()
    expect(watcher.prompt).to_contain_text("You are watching")
    bob.press("#confirm .no")
    bob.decide("Take")
    expect(ann.prompt).to_have_text("Move your checkers.")
    bob.press("#resign")
    ann.play()
    expect(bob.prompt).to_have_text("Your turn: roll or double.")
    bob.press_and_wait(bob.button("Single: 2 points"))
    expect(ann.prompt).to_contain_text("offers to resign: single")
    ann.decide("Accept")
    for tab in (ann, bob, watcher):
        expect(tab.page.locator(".points").filter(has_text="2/3")).to_be_visible()
        expect(tab.end).to_contain_text("resignation")
        expect(tab.page.locator("#countdown")).to_have_text("The next game begins in 2 minutes.")
    assert not watcher.is_there("#buttons button")
    bob.press(bob.button("Next game"))
    expect(ann.prompt).to_contain_text("wants the next game")
    ann.press(ann.button("Next game"))
    for tab in (ann, bob, watcher):
        expect(tab.page.locator("#match")).to_contain_text("Crawford game")


WITHOUT_STORAGE = """for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("refused", "SecurityError"); } });
}"""


def test_half_a_turn(server, table) -> None:
    """It is kept over a reload, by a browser which stores nothing; Done, twice and in two tabs, is one play."""
    ann, *_ = table(played(to_play))
    ann.page.add_init_script(WITHOUT_STORAGE)
    late = Tab(ann.page.context.new_page())
    late.page.goto(ann.page.url)
    late.move()
    ann.page.reload()
    ann.move()
    moves = ann.page.evaluate("board.moves")
    ann.page.reload()
    expect(ann.page.locator("#board .movable").first).to_be_visible()
    assert len(moves) == 1
    assert ann.page.evaluate("board.moves") == moves
    late.try_wrong()
    expect(late.page.get_by_role("alert").filter(has_text="6/13 does not move forward")).to_be_visible()
    said = ann.said.count()
    while not ann.is_there(ann.button("Done")):
        ann.move()
    ann.page.dblclick(ann.button("Done"))
    for tab in (ann, late):
        expect(tab.said).to_have_count(said + 1)
        expect(tab.prompt).to_contain_text("'s turn")
    assert not late.is_there("#board .movable")


def test_a_server_killed_in_mid_turn_loses_nothing(server, table) -> None:
    """The pages notice and go on by themselves, with dice, clocks and the half of a turn; downtime costs no time."""
    ann, bob, _ = table(played(to_play), Clock((100, 100), 2))
    ann.move()
    expect(bob.prompt).not_to_contain_text("not connected")
    prompts = [tab.prompt.inner_text() for tab in (ann, bob)]  # before the server notices, late, that she has left
    for is_offline, text in ((True, "You are offline"), (False, "")):
        ann.page.context.set_offline(is_offline)
        expect(ann.page.locator("#trouble")).to_have_text(re.compile(text or "^$"))
    board = ann.page.inner_html("#board")
    expect(ann.page.locator(".bottom .time")).not_to_have_text("1:40")
    left = clocks(ann)
    server.kill()
    log = server.log()
    for tab in (ann, bob):
        expect(tab.page.locator("#trouble")).to_contain_text("The connection is lost")
    server.start(seed=2)
    for tab in (ann, bob):
        expect(tab.page.locator("#trouble")).to_be_empty(timeout=20_000)
        assert clocks(tab) == pytest.approx(left, abs=4)
    for tab, text in zip((ann, bob), prompts, strict=True):
        expect(tab.prompt).to_have_text(text)
    assert ann.page.inner_html("#board") == board
    ann.play()
    first_to_act(bob).play()
    server.kill()
    later = server.log()
    assert later[: len(log)] == log
    assert [event["action"] for event in later[len(log) :]][:3] == ["play", "roll", "play"]


def clocks(tab: Tab) -> list[float]:
    """The seconds that White and Black have left."""
    times = [tab.page.locator(f".bar-of[data-player={player}] .time").inner_text().split(":") for player in Player]
    return [60 * int(minutes) + float(seconds) for minutes, seconds in times]


def test_what_nobody_decides_is_seen_by_both(table) -> None:
    """An automatic roll, and a turn without a move: each for a moment, with the words for it."""
    shut_out = Position.of({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 13: 3}, {"bar": 1, 6: 5, 5: 5, 4: 4})
    state = MatchState(shut_out, Player.WHITE, "21", length=3, score=(2, 0), crawford=True)
    ann, bob, _ = table((state, []), pause=0.2)
    for tab in (ann, bob):
        tab.prompt.evaluate("""(prompt) => {
          window.seen = [];
          new MutationObserver(() => seen.push(prompt.textContent)).observe(prompt, { childList: true });
        }""")
    for _ in range(2):
        ann.press("#board .movable[data-point='13']")
    ann.press(ann.button("Done"))
    expect(ann.page.locator("#board .movable").first).to_be_visible()
    for tab, who in ((ann, "\u2068Bob\u2069"), (bob, "You")):
        assert {f"{who} cannot move.", "Your turn: the dice are thrown."} <= {*tab.page.evaluate("seen")}


@pytest.mark.parametrize("is_played", [False, True], ids=["waits", "plays-in-the-last-moment"])
def test_a_flag(server, table, is_played) -> None:
    """The clock counts down; what happens first counts, and all see the same."""
    ann, bob, watcher = table(played(lambda state: to_play(state, Player.BLACK)), Clock((2, 60), 0))
    bob.play()
    expect(ann.page.locator(".bottom .low")).to_have_text(re.compile("^[01][.]"))
    if is_played:
        ann.page.evaluate("""() => {
          const time = document.querySelector(".bottom .time");
          new MutationObserver(() => {
            if (time.textContent < "0.2") document.querySelector("[value=roll]")?.click();
          }).observe(time, { childList: true });
        }""")
    for tab in (ann, bob, watcher):
        expect(tab.end).to_contain_text("has run out of time")
        expect(tab.page.locator("#refusal")).to_be_empty()
    server.kill()
    done = [event.get("action", event["type"]) for event in server.log()[-2:]]
    assert done in [["play", "Forfeit"]] + is_played * [["roll", "Forfeit"]]


def test_a_claim(table) -> None:
    """Against somebody who has left: a countdown, then a button, which is gone when they come back."""
    ann, bob, watcher = table(played(lambda state: to_play(state, Player.BLACK)), absence=3, width=390, height=844)
    claim = ann.page.locator("#buttons button", has_text="Claim the win")
    for comes_back in (True, False):
        bob.page.goto("about:blank")
        expect(ann.page.locator("#countdown")).to_contain_text("You can claim the win in ")
        expect(ann.page.locator(".bar-of[data-player=black]")).to_contain_text("not connected")
        expect(claim).to_be_visible()
        assert ann.page.evaluate(MISPLACED) == []
        ann.press(ann.button("Claim the win"))
        if comes_back:
            bob.page.go_back()
            expect(claim).to_have_count(0)
            expect(ann.confirm).to_be_hidden()
    ann.press_and_wait("#confirm .yes")
    for tab in (ann, watcher):
        expect(tab.end).to_contain_text("has left")


def test_a_turn_by_keys(server, open_page) -> None:
    """From the first key to the first play; the focus goes where the player goes on."""
    server.start(seed=5)  # Ann starts
    page = open_page(server.url)
    page.keyboard.press("Tab")
    page.keyboard.type("Ann")
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # "Play the bot"
    tab = Typing(page)
    expect(page.locator("#board .movable").first).to_be_focused()
    tab.move()
    page.keyboard.press("u")
    while not tab.is_there(tab.button("Done")):
        tab.move()
    tab.press(tab.button("Done"))
    expect(tab.said.filter(has_text=re.compile("Ann.* plays"))).to_be_visible()


def test_a_turn_by_touch_on_a_phone(server, open_page) -> None:
    server.start()
    tabs = begin(server, open_page, Touching, **PHONE)
    first_to_act(*tabs).play()
    for tab in tabs:
        expect(tab.said.filter(has_text="plays")).to_be_visible()


def test_the_first_screen_connects_to_no_table(server, open_page) -> None:
    """Nor when it is online again, after a table."""
    server.start(pause=600)
    page = open_page(server.url)
    page.click("#bot")
    page.click("#tools a:text-is('Start page')")
    page.evaluate("() => { WebSocket = function () { window.connects = true; }; }")
    for is_offline, text in ((True, "You are offline."), (False, "")):
        page.context.set_offline(is_offline)
        expect(page.locator("#trouble")).to_have_text(text)
    assert not page.evaluate("window.connects")


def test_an_invitation_is_copied_and_sounds_are_silenced_for_good(server, open_page) -> None:
    """Whoever comes too late can watch."""
    server.start(seed=5)
    page = open_page(server.url, permissions=["clipboard-read", "clipboard-write"])
    page.add_init_script("""window.sounds = 0;
      const { connect } = AudioNode.prototype;
      AudioNode.prototype.connect = function (...where) {
        sounds += 1;
        return connect.apply(this, where);
      };""")
    page.select_option("#clock", "fast")
    page.click("#friend")
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    expect(page.locator("#watch")).to_be_hidden()  # there is one link to send
    names = page.locator(".name").evaluate_all(
        "(all) => all.map((one) => [one.textContent, one.scrollWidth - one.clientWidth])"
    )
    assert names == [["(nobody yet)", 0], ["Guest", 0]]
    guest, late = (open_page(page.evaluate("navigator.clipboard.readText()")) for _ in range(2))
    guest.click("#join")
    late.click("#again a:text-is('Watch')")
    expect(late.locator("#prompt")).to_contain_text("You are watching")
    page.goto(server.url)
    page.reload()
    page.click("#bot")
    page.click("#board .movable")
    page.wait_for_function("() => sounds > 0")
    page.click("#sound")
    page.reload()
    page.keyboard.press("u")
    page.click("#board .movable")
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    assert page.evaluate("sounds") == 0


def test_whatever_the_browser_has_kept_is_no_hindrance(server, table) -> None:
    """Nor is another tab, with which the games are remembered, or a lost network where there is no table."""
    match = played(to_play)
    ann, *_ = table(match)
    page = ann.page.context.new_page()
    for text in "null", '{"games": null, "length": "99", "clock": 5}':
        page.goto(server.url)
        page.evaluate("(text) => localStorage.setItem('gammonrules', text)", text)
        page.reload()
        assert [page.input_value(f"#{field}") for field in ("length", "clock")] in (["5", "none"], ["1", "none"])
        page.goto(ann.page.url)
        page.evaluate("(turn) => history.replaceState({ turn, moves: 5 }, '')", len(match[1]))
        page.reload()
        expect(page.locator("#board .movable").first).to_be_visible()
    page.goto(server.url)
    page.evaluate("['offline', 'online'].forEach((name) => dispatchEvent(new Event(name)))")
    page.click("#bot")
    expect(page.locator("#prompt")).not_to_be_empty()
    ann.page.reload()
    expect(ann.prompt).not_to_be_empty()
    page.goto(server.url)
    expect(page.locator("#again a")).to_have_count(2)


def test_a_connection_that_has_died_unnoticed(server, open_page) -> None:
    """A page whose message has no answer connects again, and goes on; in between, no click is lost."""
    server.put("table", played(to_double))
    server.start()
    page = open_page()
    page.clock.install()
    routes: list[Any] = []

    def lose(route: Any) -> None:
        routes.append(route)
        passed, is_first = route.connect_to_server(), len(routes) == 1
        route.on_message(lambda text: None if is_first and "roll" in text else passed.send(text))

    page.route_web_socket(re.compile("/tables/"), lose)
    page.goto(server.address("table", Player.WHITE))
    tab = Tab(page)
    page.click(tab.button("Roll"))
    expect(tab.said).not_to_have_count(0)
    page.clock.fast_forward(10_000)
    tab.press_and_wait(tab.button("Roll"))
    assert len(routes) == 2
    assert page.evaluate("(dispatchEvent(new Event('online')), document.querySelector('#buttons').inert)")


def test_a_resignation_that_comes_too_late_is_answered(server, open_page) -> None:
    """Two messages that cross: the player is told, and can offer it again."""
    match = played(to_play)
    server.put("table", match)
    server.start()
    ann, bob = (Tab(open_page()) for _ in Player)
    late: list[Callable[[], None]] = []
    most = [len(match[1])]

    def delay(route: Any) -> None:
        def pass_on(text: str) -> None:
            is_new = json.loads(text).get("number", 0) > most[0]
            late.append(lambda: route.send(text)) if is_new else route.send(text)

        route.connect_to_server().on_message(pass_on)

    bob.page.route_web_socket(re.compile("/tables/"), delay)
    for tab, player in ((bob, Player.BLACK), (ann, Player.WHITE)):
        tab.page.goto(server.address("table", player))
        expect(tab.prompt).not_to_be_empty()
    ann.play()
    bob.press("#resign")
    bob.press(bob.button("Single: 1 point"))
    expect(bob.page.locator("#refusal")).to_have_text("The table has gone on since you sent this.")
    most[0] += 10
    for tell in late:
        tell()
    bob.press("#resign")
    bob.press_and_wait(bob.button("Single: 1 point"))


# --- how it looks -----------------------------------------------------------------------------------------------------

MISPLACED = """() => {
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
    "too small": buttons.filter(({ offsetWidth, offsetHeight }) => offsetWidth < 44 || offsetHeight < 44),
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
    "too wide": [document.documentElement].filter(({ scrollWidth }) => scrollWidth > innerWidth),
  };
  const name = ({ id, className, textContent }) => `${id} ${className} ${textContent.trim().slice(0, 30)}`;
  return Object.entries(faults).flatMap(([fault, all]) => all.map((element) => `${fault}: ${name(element)}`));
}"""


def wrong(tab: Tab) -> None:
    tab.try_wrong()
    expect(tab.page.get_by_role("alert").filter(has_text="forward")).to_be_visible()


def begin_screen(tab: Tab) -> None:
    tab.page.goto(tab.page.url.partition("#")[0])
    expect(tab.page.locator("#start svg")).to_be_visible()


def right_to_left(tab: Tab) -> None:
    tab.page.evaluate("document.documentElement.dir = 'rtl'")
    tab.move()


def asked(label: str) -> Callable[[Tab], None]:
    """With a question open."""
    return lambda tab: tab.press(tab.button(label))


LONG = ("W" * 18, "\U0001f3b2" * 9 + "\u05d0" * 9)
STATES: dict[str, tuple[Any, Callable[[Tab], None] | None, dict[str, Any]]] = {
    "first": ((to_play,), begin_screen, {"clock": True}),
    "roll": ((to_double,), None, {"clock": True}),
    "double?": ((to_double,), asked("Double"), {"clock": True}),
    "doubled": ((is_offered,), None, {"clock": True}),
    "drop?": ((is_offered,), asked("Drop"), {}),
    "half": ((to_play,), Tab.move, {"clock": True}),
    "reason": ((to_play,), wrong, {}),
    "right-to-left": ((to_play,), right_to_left, {"clock": True}),
    "cannot-move": ((is_pass,), None, {"clock": True}),
    "waits": ((lambda state: to_play(state, Player.BLACK),), None, {"clock": True}),
    "resigned": ((lambda state: is_offered(state, Phase.RESIGNED),), None, {"clock": True}),
    "resign?": ((to_play,), asked("Resign"), {"clock": True}),
    "game-over": ((lambda state: state.result and not state.winner,), None, {"clock": True}),
    "match-over": ((lambda state: state.winner,), None, {"clock": True}),
    "watched": ((to_play,), None, {"clock": True, "player": None}),
    "long-names": ((to_play,), None, {"clock": True, "names": LONG}),
    "long-end": ((lambda state: state.winner,), None, {"clock": True, "names": LONG}),
    "beaver": ((can_beaver, None), None, {"names": LONG}),
}
"""How each is reached (by `played`), what a person does then, and who looks."""


LOOKED_AT = ("first", "roll", "double?", "doubled", "half", "resign?", "game-over", "match-over", "watched")
"""By axe-core too: the others have the same elements at other places."""


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "all"])
def test_every_state_in_every_look(server, open_page, violations, picture, whole) -> None:
    """All that is needed is seen without scrolling, can be pressed, and is accessible, also in a question."""
    for name, (reached, _, options) in STATES.items():
        clock = Clock((9, 100), 8) if options.get("clock") else None
        names = options.get("names", ("Ann", "Bob"))
        server.put(name.replace("?", "-"), played(*reached), clock, since=10_000, names=names)  # when it begins to run
    server.start(pause=600)
    schemes, found = ("light", "dark"), list[str]()
    for at, (name, (_, do, options)) in enumerate(STATES.items()):
        tab = Tab(open_page(server.address(name.replace("?", "-"), options.get("player", Player.WHITE))))
        expect(tab.prompt).not_to_be_empty()
        for number, (scheme, size) in enumerate(itertools.product(schemes if whole else [schemes[at // 4 % 2]], SIZES)):
            tab.page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
            tab.page.emulate_media(color_scheme=scheme)
            if do and (number == 0 or name.endswith("?")):
                tab.page.keyboard.press("Escape")
                do(tab)
            found += [f"{name} {size}: {fault}" for fault in tab.page.evaluate(MISPLACED)]
            if whole or (number == at % 4 and name in LOOKED_AT):
                found += [f"{name} {size} {scheme}: {fault}" for fault in violations(tab.page)]
            picture(tab.page, f"{name}-{'x'.join(map(str, size))}-{scheme}", full_page=False)
        for width, height in ((640, 360), (320, 640)):  # of a window of 1280 at 200 %, and of the narrowest phones
            tab.page.set_viewport_size({"width": width, "height": height})
            faults = tab.page.evaluate(MISPLACED)
            found += [f"{name} {width}: {fault}" for fault in faults if fault.startswith(("too", "over"))]
        tab.page.close()
    assert not found, "\n".join(found)
