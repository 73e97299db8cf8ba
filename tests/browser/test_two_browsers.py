"""The servers for two browsers, in Python and for Node: two browsers play a match, and rude clients another."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import processes
from console_blocks import shown_files
from gammonrules import MatchState, Player, draw
from gammonrules.json import loads
from node import NODE_NEEDS

if TYPE_CHECKING:
    from subprocess import Popen

    from playwright.sync_api import Page

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
IN_PYTHON = DOCS / "how-to" / "your-own-server.md"
FOR_NODE = DOCS / "reference" / "board.md"
PAGE = shown_files(IN_PYTHON)["index.html"]
"""It is the same for both servers."""


QUICK = {
    "server.py": {"asyncio.timeout(5)": "asyncio.timeout(0.5)", "call_later(5, ": "call_later(0.5, "},
    "server.mjs": {"}), 2000);": "}), 400);"},
}
"""How long the servers wait for a client that does not read or answer, and how long they do in tests of that."""
QUICK_UVICORN = ("--ws-ping-interval", 1, "--ws-per-message-deflate", "false")
"""The same; and without compression, or tens of thousands of equal messages would fit into the system's buffers."""


class Server(NamedTuple):
    folder: Path
    port: int
    process: Popen[str]
    log: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


Start = Callable[..., Server]


@pytest.fixture(params=["server.py", "server.mjs"])
def start(request: pytest.FixtureRequest, tmp_path: Path, node_module: Callable[[str], Path]) -> Iterator[Start]:
    """`start()`: a program as it stands on its page, with the scripts and the package that it needs.

    With `quick`, it does not wait as long; `server.py` waits for the answer to a ping for `pong` seconds.
    """
    if not shutil.which("node"):
        pytest.skip("Node is not installed")
    name = request.param
    program = shown_files(IN_PYTHON if name == "server.py" else FOR_NODE)[name]
    scripts = {"match.mjs": draw.match_js(), "match-board.js": draw.match_board_js(), "index.html": PAGE}
    (tmp_path / "node_modules").symlink_to(node_module("ws").parent)
    port = processes.free_port()
    log = tmp_path / "log.txt"

    with ExitStack() as stack:

        def started(*, quick: bool = False, pong: int = 3) -> Server:
            text = program
            if quick:
                for wait, quick_wait in QUICK[name].items():
                    assert wait in text
                    text = text.replace(wait, quick_wait)
            for file, content in {name: text, **scripts}.items():
                (tmp_path / file).write_text(content, encoding="utf-8")
            command: list[object] = ["node", name]
            if name == "server.py":
                (line,) = re.findall(r"(?m)^(uvicorn server:app .*)$", IN_PYTHON.read_text(encoding="utf-8"))
                command = [sys.executable, "-m", *line.split(), "--port", port]
                command += [*QUICK_UVICORN, "--ws-ping-timeout", pong] if quick else []
            options: dict[str, Any] = {"env": os.environ | {"PORT": str(port)}, "megabytes": NODE_NEEDS, "seconds": 600}
            errors = stack.enter_context(log.open("w", encoding="utf-8"))
            process = stack.enter_context(processes.serving(port, *command, cwd=tmp_path, stderr=errors, **options))
            return Server(tmp_path, port, process, log)

        yield started


@pytest.mark.parametrize("end", ["won", "endless"])
def test_rude_clients(start: Start, end: str) -> None:
    """They send twice, forge, lose connections, do not read, vanish and take all places; foreign pages come first.

    What has happened is a match of the library, and no player was kept away.
    """
    server = start(quick=True)
    shutil.copy(HERE / "rude_clients.mjs", server.folder)
    command = "node", "rude_clients.mjs", server.port, end
    said = processes.run(*command, cwd=server.folder, megabytes=NODE_NEEDS, seconds=300).stdout
    start_of_match, *events, last = map(loads, said.splitlines())
    assert start_of_match == MatchState.new(7)
    state = start_of_match
    for event in events:
        state = state.apply(event)
    assert state == last
    assert len(events) == 2000 if end == "endless" else state.winner
    log = server.log.read_text(encoding="utf-8")
    assert "socket.send() raised exception" not in log
    assert "Exception in ASGI application" not in log


# --- two browsers ---

EXPECTED = ("WebSocket", "404")
"""What pages say whose connection is lost, and that there is no icon."""
SEATS = ("You are White.", "You are Black.", "You are watching.")
SENT = "const sent = text => WebSocket.prototype.send.call(socket, text);"
REFUSAL = """message => Promise.race([board.send(message), new Promise(go => setTimeout(go, 60_000))])
    .then(() => null, error => error.message)"""


class Match:
    """Two windows with boards, and a third one that watches."""

    def __init__(self, pages: list[Page], server: Popen[str]) -> None:
        self.pages, self.server = pages, server
        self.rng = random.Random(7)

    @property
    def state(self) -> MatchState:
        """As the third window has it."""
        return loads(self.pages[2].evaluate("() => JSON.stringify(board.state)"), MatchState)

    @property
    def number(self) -> int:
        """How many events it has seen."""
        return int(self.pages[2].evaluate("() => after"))

    def players(self) -> tuple[Page, Page]:
        """Who may act now, and the other."""
        white, black, _ = self.pages
        player = self.state.to_act or self.rng.choice([*Player])
        return (white, black) if player is Player.WHITE else (black, white)

    def act(self, page: Page) -> None:
        """Do something legal by mouse. Nobody doubles in the first game, and everybody in the others."""
        state = self.state
        actions = state.legal_actions - {"resign"}
        doubles = actions & {"double"}
        action = self.rng.choice(sorted((doubles if any(state.score) else actions - doubles) or actions))
        if action == "play":
            while page.locator("#board .movable").count():
                page.locator("#board .movable").first.click()
        page.locator(f"#{'done' if action == 'play' else action}").click()

    def wait(self, number: int) -> None:
        """Until every window shows so many events."""
        for page in self.pages:
            page.wait_for_function("number => after === number", arg=number)

    def act_while(self, page: Page, trouble: str) -> None:
        """Act while the connection has this trouble, of which it ends."""
        page.evaluate(f"() => {{ window.lost = socket; {SENT} {trouble} }}")
        self.act(page)
        self.wait_for_connection(page)

    def wait_for_connection(self, page: Page) -> None:
        page.wait_for_function("() => socket !== lost && said.textContent.startsWith('You are')")


def lose_a_message(match: Match, number: int, page: Page, other: Page) -> None:
    """It does not arrive: the turn is open again."""
    match.act_while(page, "socket.send = () => socket.close();")
    assert match.number == number
    match.act(page)


def lose_an_answer(match: Match, number: int, page: Page, other: Page) -> None:
    """The message has arrived, and counts."""
    match.act_while(page, "socket.send = text => { sent(text); socket.close(); };")


def send_twice(match: Match, number: int, page: Page, other: Page) -> None:
    """It counts once."""
    page.evaluate(f"() => {{ {SENT} socket.send = text => {{ sent(text); sent(text); }}; }}")
    match.act(page)
    match.wait(number + 1)
    page.evaluate("() => { delete socket.send; }")


def freeze_the_server(match: Match, number: int, page: Page, other: Page) -> None:
    """No connection is closed, but nothing is heard."""
    page.evaluate("() => { window.lost = socket; }")
    match.server.send_signal(signal.SIGSTOP)
    match.act(page)
    page.wait_for_function("() => socket !== lost && said.textContent.startsWith('Connecting')")
    match.server.send_signal(signal.SIGCONT)
    match.wait_for_connection(page)


def go_offline(match: Match, number: int, page: Page, other: Page) -> None:
    """The board says why it does nothing, and the other window that a player is missing."""
    page.evaluate("() => { window.lost = socket; socket.close(); }")
    page.context.set_offline(True)
    other.wait_for_function("() => said.textContent.includes('missing')")
    match.act(page)
    page.wait_for_function("() => board.shadowRoot.getElementById('reason').textContent === 'No connection'")
    page.context.set_offline(False)
    match.wait_for_connection(page)
    other.wait_for_function("() => !said.textContent.includes('missing')")
    match.act(page)


def reload(match: Match, number: int, page: Page, other: Page) -> None:
    """Even in mid-turn the window has its seat again."""
    if page.locator("#board .movable").count():
        page.locator("#board .movable").first.click()
    page.reload()
    page.wait_for_function("seat => window.said?.textContent === seat", arg=SEATS[match.pages.index(page)])
    match.act(page)


FORGED = {
    r"cannot|can .* now|throws the dice": {"action": "roll", "argument": [6, 6]},
    r"cannot|can .* now|24/off": {"action": "play", "argument": "24/off"},
    r"^\$\.by: |for themselves": {"action": "roll", "by": "nobody"},
    r"^\$\.action: |unknown action 'win'": {"action": "win"},
    r"^\$\.score: unknown|no field 'score'": {"action": "roll", "score": [5, 0]},
}


def forge(match: Match, number: int, page: Page, other: Page) -> None:
    """Whoever it was, a player, the other one, a window that watches or a program, is told why nothing happens."""
    for why, message in FORGED.items():
        assert re.search(why, page.evaluate(REFUSAL, message)), message
    legal = {"action": min(match.state.legal_actions)}
    assert match.pages[2].evaluate(REFUSAL, legal) == "You are watching."
    if match.state.to_act:
        assert re.search("cannot", other.evaluate(REFUSAL, legal))
    program = """texts => new Promise(go => {
        const socket = new WebSocket(location.origin.replace("http", "ws"), "forged"), refused = [];
        const sendNext = () => socket.send(texts.shift());
        socket.onopen = sendNext;
        socket.onmessage = ({ data }) => {
            const why = JSON.parse(data).refused;
            if (why) { refused.push(why); sendNext(); }
        };
        socket.onclose = ({ code }) => go([code, ...refused]);
    })"""
    texts = [json.dumps({**legal, "after": number}), "garbage", "x" * 501]
    too_long, *refused = match.pages[2].evaluate(program, texts)
    assert (too_long, refused[0], len(refused)) == (1009, "You are watching.", 2)
    match.wait(number)
    match.act(page)


TROUBLES = [lose_a_message, lose_an_answer, send_twice, go_offline, reload, forge]
if processes.IS_POSIX:
    TROUBLES.append(freeze_the_server)


def test_two_browsers_play_a_match(
    open_page: Callable[..., Page], violations: Callable[..., list[str]], picture: Callable[..., None], start: Start
) -> None:
    """To 7 points, Black on a phone; every fifth event meets with a trouble, as long as there is one left."""
    server = start()
    pages: list[Page] = []
    for seat in SEATS:
        look = {"width": 390, "dark": True} if seat == SEATS[1] else {}
        pages.append(open_page(server.url, expected=EXPECTED, **look))
        pages[-1].wait_for_function("seat => said.textContent.startsWith(seat)", arg=seat)
    assert [page.evaluate("() => board.layout") for page in pages] == ["landscape", "portrait", "landscape"]
    match = Match(pages, server.process)
    troubles = [*TROUBLES]
    while match.state.winner is None:
        number = match.number
        page, other = match.players()
        if number % 5 == 2 and troubles:
            troubles.pop(0)(match, number, page, other)
        else:
            match.act(page)
        match.wait(number + 1)
    assert troubles == []
    states = [page.evaluate("() => JSON.stringify(board.state)") for page in pages]
    assert states == [states[0]] * 3
    for page, name in zip(pages, ("white", "black", "watching"), strict=True):
        assert f"{match.state.winner.name.title()} wins the match" in page.locator("#board").text_content()
        assert violations(page) == []
        picture(page, f"two-browsers-{name}")


def test_a_page_of_another_site(open_page: Callable[..., Page], serve: Callable[..., str], start: Start) -> None:
    """It shows why it has no seat, and does not try again; the server's own pages have both."""
    server = start()
    foreign = server.folder / "foreign"
    foreign.mkdir()
    shutil.copy(server.folder / "match-board.js", foreign)
    (foreign / "index.html").write_text(PAGE.replace("location.origin", repr(server.url)), encoding="utf-8")
    page = open_page(serve(foreign), expected=EXPECTED)
    page.wait_for_function(
        "() => said.textContent === \"This page's address does not match the server's (Origin and Host).\""
    )
    assert page.evaluate("() => heard === Infinity && socket.readyState === WebSocket.CLOSED")
    for seat in SEATS:
        own = open_page(server.url, expected=EXPECTED)
        own.wait_for_function("seat => said.textContent.startsWith(seat)", arg=seat)


def test_a_page_whose_link_stalls(open_page: Callable[..., Page], start: Start) -> None:
    """The server ends its connection, and it connects again."""
    page = open_page(start(quick=True, pong=60).url, expected=EXPECTED)
    page.wait_for_function("seat => said.textContent.startsWith(seat)", arg=SEATS[0])
    page.evaluate("""() => {
        window.lost = socket;
        for (let times = 0; times < 20_000; times += 1) socket.send("{}");
        for (const end = Date.now() + 3000; Date.now() < end;);
    }""")
    page.wait_for_function("seat => socket !== lost && said.textContent.startsWith(seat)", arg=SEATS[0])
