"""`server.py` of docs/how-to/your-own-server.md, without a browser; tests/browser/test_two_browsers.py has two."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

import pytest

from club_server import PAGE
from console_blocks import shown_files
from gammonrules import Event, GammonError, MatchState, Player
from gammonrules.json import from_data
from loading import loaded

pytest.importorskip("fastapi")
testclient = pytest.importorskip("starlette.testclient")

FILES = shown_files(PAGE)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A client of the server, which throws the same dice each time."""
    monkeypatch.chdir(tmp_path)
    for name in ("server.py", "index.html"):
        (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    program = loaded(tmp_path / "server.py")
    program.RNG = random.Random(7)
    with testclient.TestClient(program.app) as client:
        client.program = program
        yield client


@pytest.fixture
def connect(client: Any) -> Iterator[Callable[..., Any]]:
    """`connect(key)` is the connection of a window, or of a stranger without a key."""
    with ExitStack() as connections:

        def start(key: str | None = None, origin: str = "http://testserver") -> Any:
            keys = [key] if key else []
            socket = client.websocket_connect("/", subprotocols=keys, headers={"Origin": origin})
            return connections.enter_context(socket)

        yield start


def heard(socket: Any, what: str = "state") -> dict[str, Any]:
    """The next message that has this."""
    while what not in (message := socket.receive_json()):
        pass
    return message


def ask(socket: Any, text: str | bytes) -> str:
    """Why it is refused."""
    socket.send_bytes(text) if isinstance(text, bytes) else socket.send_text(text)
    return str(heard(socket, "refused")["refused"])


def test_the_page_and_its_script(client: Any) -> None:
    page, script = client.get("/"), client.get("/match-board.js")
    assert "<gammon-board" in page.text
    assert 'src="match-board.js"' in page.text
    assert script.headers["Content-Type"].startswith("text/javascript")
    assert "gammonBoard" in script.text
    assert client.get("/server.py").status_code == 404


def test_seats(connect: Callable[..., Any]) -> None:
    """The first two keys have them, also of a window that comes again; a stranger without a key has none."""
    keys = (None, "a", "a", "b", "c", "b")
    assert [heard(connect(key))["player"] for key in keys] == [None, "white", "white", "black", None, "black"]


def test_what_is_refused(client: Any, connect: Callable[..., Any]) -> None:
    """In one sentence, and nothing happens."""
    white, black, third = map(connect, ("a", "b", "c"))
    white.send_text('{"action": "opening_roll", "after": 0}')
    while not (seen := heard(black))["after"]:
        pass
    state = from_data(seen["state"], MatchState)
    sockets = {Player.WHITE: white, Player.BLACK: black}
    mover, other = sockets[state.to_act], sockets[state.to_act.opponent]
    roll = '{"action": "roll", "after": 1}'
    for socket, text, why in [
        (third, roll, "You are watching."),
        (third, "garbage", "Expecting value"),
        (other, '{"action": "play", "argument": [], "after": 1}', "cannot play"),
        (mover, '{"action": "play", "argument": "24/off", "after": 1}', "24/off"),
        (mover, '{"action": "play", "argument": [], "by": "nobody", "after": 1}', "for themselves"),
        (mover, '{"action": "roll", "argument": [6, 6], "after": 1}', "cannot roll|throws the dice"),
        (mover, '{"action": "play", "dice": [6, 6], "after": 1}', "no field 'dice'"),
        (mover, "[" * 490, "Expecting value"),
        (mover, "[" * 100_000, "recursion"),
        (mover, b'{"after": 1}', "Expecting value"),
        (mover, "NaN", "NaN is not JSON."),
        (mover, '{"after": Infinity}', "Infinity is not JSON."),
    ]:
        refused = ask(socket, text)
        assert any(words in refused for words in why.split("|")), refused
        assert "\n" not in refused
    assert client.program.states[-1] == state


def test_false_is_not_the_number_of_events(client: Any, connect: Callable[..., Any]) -> None:
    """In Python, `False` equals 0."""
    white = connect("a")
    white.send_text('{"action": "opening_roll", "after": false}')
    white.send_text("garbage")
    heard(white, "refused")
    assert client.program.events == []


def test_a_late_player_gets_the_state_again(connect: Callable[..., Any]) -> None:
    """So does a player whose message has no number of events, or is no object."""
    white = connect("a")
    white.send_text('{"action": "opening_roll", "after": 0}')
    while not (seen := heard(white))["after"]:
        pass
    for text in ("null", "5", "[]", '{"after": 0, "action": "roll"}', '{"action": "roll"}', "{}"):
        white.send_text(text)
        white.send_text("garbage")
        answers = filter(None, iter(white.receive_json, None))  # some messages are empty
        assert next(answers) == seen
        assert "Expecting" in next(answers)["refused"]


def test_a_match(client: Any, connect: Callable[..., Any]) -> None:
    """Two programs play at random, and a third watches: each state follows from what it was told, by the rules."""
    sockets = {Player.WHITE: connect("a"), Player.BLACK: connect("b")}
    third = connect("c")
    rng = random.Random(3)
    state = from_data(heard(third)["state"], MatchState)
    assert state == MatchState.new(7)
    number, actions = 0, set()
    while not state.winner:
        player = state.to_act or rng.choice([*Player])
        action = rng.choice(sorted(state.legal_actions_of(player) - {"resign"}))
        message = {"action": action, "after": number}
        if action == "play":
            message["argument"] = [(move.from_point, move.to_point) for move in rng.choice(state.legal_plays).moves]
        sockets[player].send_json(message)
        actions.add(action)
        number += 1
        while (seen := heard(third))["after"] < number:
            pass
        start, *events = (from_data(it) for it in (seen["last"]["start"], *seen["last"]["events"]))
        before, state = state, from_data(seen["state"], MatchState)
        assert state == before.apply(events[-1])
        for event in events:
            start = start.apply(event)
        assert start == state
    assert actions >= {"opening_roll", "roll", "play", "double", "take", "next_game"}
    with pytest.raises(GammonError):
        state.apply(Event("roll", argument=(3, 1)))
    assert len(client.program.events) == number


def test_a_match_that_is_too_long(client: Any, connect: Callable[..., Any]) -> None:
    white = connect("a")
    client.program.events.extend([Event("resign")] * 2000)
    client.program.states.extend([MatchState.new(7)] * 2000)
    assert ask(white, json.dumps({"action": "opening_roll", "after": 2000})) == "This match is too long."


ALIENS = ["http://evil.example", "null", "", "testserver", "http://testserver.evil.example", "http://testserver:81"]
ALIENS += ["x://testserver", "evil://x://testserver"]


@pytest.mark.parametrize("origin", ALIENS)
def test_pages_of_other_sites_have_no_place(client: Any, connect: Callable[..., Any], origin: str) -> None:
    """They are told why, and take no seat."""
    with pytest.raises(testclient.WebSocketDisconnect) as refused:
        connect("a", origin).receive_json()
    assert (refused.value.code, refused.value.reason) == (1008, client.program.FOREIGN)
    assert client.program.seats == client.program.here == {}


@pytest.mark.parametrize("crowd", [None, Player.WHITE])
def test_players_have_a_place_when_others_have_taken_all(client: Any, connect: Callable[..., Any], crowd: Any) -> None:
    """Neither those who watch nor the opponent, with any number of windows, keep a player away."""
    for key in ("a", "b"):
        heard(connect(key))
    client.program.here.update((asyncio.Event(), crowd) for _ in range(30 - (crowd is not None)))
    with pytest.raises(testclient.WebSocketDisconnect) as refused:
        connect("a" if crowd else None).receive_json()
    assert (refused.value.code, refused.value.reason) == (1013, "All places are taken.")
    assert heard(connect("b"))["player"] == "black"


class Stalled:
    """A connection whose link stalls: nothing can be sent on it, and nothing comes."""

    scope: ClassVar = {"subprotocols": ["a"]}
    headers: ClassVar = {"host": "here", "origin": "http://here"}

    async def accept(self, _: str) -> None:
        pass

    async def send_json(self, _: object) -> None:
        await asyncio.sleep(60)

    async def receive(self) -> Any:
        await asyncio.sleep(60)


def test_a_client_that_does_not_read_is_disconnected(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends, so that the page connects again."""
    timeout = asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", lambda seconds: timeout(seconds / 1000))
    asyncio.run(asyncio.wait_for(client.program.connect(Stalled()), 20))
    assert client.program.here == {}


class Counting(Stalled):
    """A connection that takes every message at once, as a broken one does until the server knows that it is broken."""

    def __init__(self) -> None:
        self.sent: list[object] = []

    async def send_json(self, message: object) -> None:
        self.sent.append(message)


def test_changes_at_the_same_time_are_one_message(client: Any) -> None:
    """If many connections break together, asyncio would log a warning for each message to one that is broken."""
    socket = Counting()

    async def change() -> None:
        connection = asyncio.create_task(client.program.connect(socket))
        for changes in (0, 20):
            for _ in range(changes):
                client.program.wake()
            for _ in range(10):
                await asyncio.sleep(0)
        connection.cancel()

    asyncio.run(change())
    assert len(socket.sent) == 2
