"""The club of docs/how-to/your-own-server.md, `examples/own_server`, does what the page promises."""

from __future__ import annotations

import asyncio
import json
import random
import re
import shutil
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import processes
from club_server import CLUB, EXAMPLES, PAGE, Server
from gammonrules import Cube, Event, Forfeit, MatchState, Player, Position, records
from gammonrules.json import loads
from loading import loaded

pytest.importorskip("starlette")
client = pytest.importorskip("websockets.sync.client")
closed = pytest.importorskip("websockets.exceptions").ConnectionClosed


# --- the rules of the table, without a socket -------------------------------------------------------------------------


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The program, with a database that does not wait for the disk."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(EXAMPLES)
    module = loaded(CLUB / "club.py")
    module.DB.execute("PRAGMA synchronous = OFF")
    module.RNG = random.Random(1)
    yield module
    module.DB.close()


def begun(club: ModuleType, players: str = "white black") -> Any:
    """A table with a connection of each of these players, who are all that have keys."""
    keys = {player: Player(player) for player in players.split()}
    assert club.add(club.Table("a", keys, ("Ann", "Bob")))
    table = club.find("a")
    table.here = {club.asyncio.Event(): player for player in table.keys.values()}
    club.go_on(table)
    return table


def message(action: str, table: Any, **more: object) -> str:
    return json.dumps({"action": action, "after": len(table.log), **more})


def record_of(club: ModuleType) -> bytes:
    request = SimpleNamespace(path_params={"name": "a"})
    answer = asyncio.run(club.record(request))
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"  # no browser takes a name in it for a page
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    return answer.body


def test_a_match_is_restored_from_its_log(club: ModuleType) -> None:
    """A person at random against the bot: the log leads to the same table, and is a record without a fault.

    Dice and starters are the server's, whatever a message brings. The record is kept when the next match begins, at a
    table with the same keys.
    """
    table, rng, now = begun(club, "white"), random.Random(5), iter(range(10**9))
    club.now = lambda: next(now) / 10
    actions = set()
    while not table.state.winner:
        if table.state.to_act is Player.BLACK:
            club.due(table)
            continue
        shown = club.seen(table, Player.WHITE)
        assert ("play" in table.state.legal_actions) == (shown["tree"] is not None)
        if shown["tree"]:
            action, played = "play", rng.choice(table.state.legal_plays).moves
            argument = [(move.from_point, move.to_point) for move in played]
        else:
            action, argument = rng.choice(sorted({*shown["actions"]} - {"resign"})), None
        for brought in ({"argument": [6, 6]}, {"starter": "white"}):
            assert "refused" in club.answer(table, Player.WHITE, message(action, table, **brought))
        assert club.answer(table, Player.WHITE, message(action, table, argument=argument)) == {}
        actions.add(action)
        assert action != "next_game" or not any(table.last.values())
    assert actions >= {"roll", "play", "next_game"}
    assert Event("resign", Player.WHITE, "single") in table.log  # as the end of a decided game: nobody has asked for it
    before = (table.state, table.clock, len(table.log), table.last)
    del table
    table = club.find("a")
    assert (table.state, table.clock, len(table.log), table.last) == before
    match = records.loads(record_of(club))
    assert (match.players, match.winner) == (("Ann", "Bob"), table.state.winner)
    assert [finding for finding in records.referee(match) if finding.severity != "info"] == []
    assert club.seen(table, Player.WHITE)["actions"] == ["next_match"]
    assert club.seen(table, None)["actions"] == []
    again = club.find("a/-")
    assert (again.keys, again.names, again.log) == (table.keys, table.names, [])
    again.here = {club.asyncio.Event(): Player.WHITE}
    club.go_on(again)
    assert again.state.phase == "to_play"
    assert records.loads(record_of(club)) == match


@pytest.mark.parametrize("player", ["to_act", "other", None])
def test_what_is_refused(club: ModuleType, player: str | None) -> None:
    """In one sentence, and nothing changes; tests/match/test_messages.py has all that `receive` refuses."""
    table = begun(club)
    by = {"to_act": table.state.to_act, "other": table.state.to_act.opponent}.get(player)
    before = club.DB.total_changes, table.state, len(table.log)
    texts = ["", "hello", "7", "{}", "[" * 490, '{"why": []}', '{"why": [["a", {}]]}', '{"why": [7, [99, -1]]}']
    texts += ['{"action": "roll"}', '{"action": "roll", "after": "1"}', message("play", table, argument="24/1")]
    texts += [message(action, table) for action in ("take", "opening_roll", "castle", "roll")]
    texts += [] if player == "to_act" else [message("resign", table)]
    legal = [(move.from_point, move.to_point) for move in table.state.legal_plays[0].moves]
    assert club.answer(table, by, json.dumps({"action": "play", "argument": legal, "after": len(table.log) - 1})) == {}
    for text in texts:
        reply = club.answer(table, by, text)
        assert list(reply) == ["refused"], text
        assert 5 < len(reply["refused"]) < 300, reply
        assert "\n" not in reply["refused"]
    assert (club.DB.total_changes, table.state, len(table.log)) == before


@pytest.mark.parametrize("owner", Player)
def test_the_server_rolls_for_who_is_shut_out(club: ModuleType, owner: Player) -> None:
    """Unless they may double first; they pass themselves."""
    table = begun(club)
    nearly_closed = dict.fromkeys(range(2, 7), 2) | {1: 1, 7: 1, 13: 3}
    position = Position.of(mine=nearly_closed, theirs={"bar": 1, 6: 14})
    table.state = MatchState(position, Player.BLACK, "61", cube=Cube(2, owner), length=5)
    assert club.answer(table, Player.BLACK, message("play", table, argument=[(7, 1), (13, 12)])) == {}
    assert table.state.position.is_shut_out
    if owner is Player.BLACK:
        assert [event.action for event in table.log[-2:]] == ["play", "roll"]
        assert (table.state.phase, table.state.to_act) == ("to_play", Player.WHITE)
        assert club.answer(table, Player.WHITE, message("play", table, argument=[])) == {}
        assert (table.state.phase, table.state.to_act) == ("to_roll", Player.BLACK)
    else:
        assert table.log[-1].action == "play"
        assert table.state.legal_actions == {"roll", "double", "resign"}


LAST_TWO = Position.of(mine={"off": 13, 1: 2}, theirs={13: 15})


@pytest.mark.parametrize(
    ("position", "score", "losses"),
    [
        (Position.start(), (0, 0), ["single", "gammon", "backgammon"]),
        (Position.start(), (2, 0), ["single"]),
        (Position.of(mine={6: 14}, theirs={6: 15}), (0, 0), ["single"]),
        (LAST_TWO, (0, 0), []),
    ],
)
def test_only_what_can_be_lost_is_resigned(
    club: ModuleType, position: Position, score: tuple[int, int], losses: list[str]
) -> None:
    table = begun(club)
    table.state = MatchState(position, Player.BLACK, "31", length=3, score=score)
    shown = club.seen(table, Player.BLACK)
    assert (shown["losses"], "resign" in shown["actions"]) == (losses, bool(losses))
    assert club.seen(table, Player.WHITE)["losses"] == []
    before = len(table.log)
    for level in {"single", "gammon", "backgammon"} - {*losses}:
        reply = club.answer(table, Player.BLACK, message("resign", table, argument=level))
        assert reply == {"refused": "You can resign only what you can still lose."}
    assert len(table.log) == before
    if losses:
        assert club.answer(table, Player.BLACK, message("resign", table, argument=losses[-1])) == {}
        assert table.state.offer.win.name.lower() == losses[-1]


def test_a_decided_game_ends(club: ModuleType) -> None:
    """By two events after the play that decides it: the clock stops, and the next game follows as after any."""
    table = begun(club)
    position = Position.of(mine={"off": 11, 1: 4}, theirs={13: 15})
    table.state = MatchState(position, Player.BLACK, "21", length=3)
    assert club.answer(table, Player.BLACK, message("play", table, argument="1/off(2)")) == {}
    assert table.log[-2:] == [Event("resign", Player.WHITE, "gammon"), Event("accept", Player.BLACK)]
    assert (table.state.score, table.state.winner, table.clock.on_clock) == ((0, 2), None, None)
    assert club.seen(table, Player.WHITE)["said"] == "Bob wins."
    assert club.answer(table, Player.WHITE, message("next_game", table)) == {}
    assert table.state.phase == "to_play"


def test_a_double_is_answered_before_a_decided_game_ends(club: ModuleType) -> None:
    table = begun(club)
    table.state = MatchState(LAST_TWO, Player.BLACK, length=3)
    assert club.answer(table, Player.BLACK, message("double", table)) == {}
    assert table.log[-1].action == "double"
    assert club.answer(table, Player.WHITE, message("take", table)) == {}
    assert [event.action for event in table.log[-3:]] == ["take", "resign", "accept"]
    assert (table.state.winner, club.seen(table, Player.BLACK)["actions"]) == (Player.BLACK, ["next_match"])


def post(club: ModuleType, *pieces: bytes, whole: bool = True) -> Any:
    """The answer to a form that comes in these pieces, and whose sender then goes."""
    coming: list[dict[str, Any]] = [{"type": "http.request", "body": piece, "more_body": True} for piece in pieces]
    if whole:
        coming.append({"type": "http.request", "body": b"", "more_body": False})
    coming.append({"type": "http.disconnect"})

    async def receive() -> dict[str, Any]:
        return coming.pop(0)

    headers = [(b"host", b"here"), (b"origin", b"http://here")]
    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": headers}
    return asyncio.run(club.lobby(club.Request(scope, receive)))


def test_a_form_that_comes_in_pieces(club: ModuleType) -> None:
    """As through a proxy, or over a slow link: the names are whole."""
    answer = post(club, b"", b"white=Al", b"ice&bla", b"ck=Bob%20B.")
    name = answer.headers["location"].split("/")[2]
    assert club.find(name).names == ("Alice", "Bob B.")


def test_a_form_without_an_end(club: ModuleType) -> None:
    """It is not kept in memory, and makes no table; nor does one whose sender goes."""
    for pieces in ([b"white=" + b"x" * 400] * 3, [b"white=Al", b"ice"]):
        assert post(club, *pieces, whole=False).status_code == 413
    assert names(club) == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "a"},
        {"origin": "null"},
        {"host": "a", "origin": "http://b"},
        {"host": "", "origin": "x://"},
        {"host": "", "origin": "http://"},
        {"host": "a", "origin": "x://a"},
    ],
)
def test_pages_of_other_sites_are_foreign(club: ModuleType, headers: dict[str, str]) -> None:
    assert club.is_foreign(SimpleNamespace(headers=headers))
    assert not club.is_foreign(SimpleNamespace(headers={"host": "a", "origin": "https://a"}))


@pytest.mark.parametrize("somebody_asks", [True, False])
def test_a_flag_loses_whatever_is_asked_for(club: ModuleType, somebody_asks: bool) -> None:
    table = begun(club)
    late = table.state.to_act
    club.now = lambda: 10_000.0
    if somebody_asks:
        played = str(table.state.legal_plays[0])
        assert club.answer(table, late, message("play", table, argument=played)) == {}
    else:
        club.due(table)
    assert club.answer(table, late, message("resign", table)) != {}
    assert table.state.result.end == "forfeited"
    assert table.state.winner is late.opponent
    (log,) = club.DB.execute("SELECT log FROM tables").fetchone()
    assert loads(json.loads(log.splitlines()[-1])[1], Forfeit).loser is late
    assert records.loads(record_of(club)).winner is late.opponent
    state = table.state
    del table
    assert club.find("a").state == state


def test_room(club: ModuleType) -> None:
    """20 connections of each, 2,000 events; none of 1,000 tables goes while somebody is there, or has just acted."""
    table = begun(club)
    table.here |= {club.asyncio.Event(): Player.WHITE for _ in range(19)}
    assert [club.welcome(table, key) for key in ("white", "black", "", "x")] == [False, True, True, False]
    table.log += [None] * 2_000
    assert "too long" in club.answer(table, table.state.to_act, message("roll", table))["refused"]
    assert all(club.add(new(club, f"{number}")) for number in range(999))
    assert not club.add(new(club, "another"))
    later = club.now() + 86_401
    club.now = lambda: later - 9
    club.do(club.find("8"), Event("opening_roll", argument=(3, 1)))
    club.now = lambda: later
    assert club.add(new(club, "another"))
    assert names(club) == ["8", "a", "another"]  # somebody is at "a"


def new(club: ModuleType, name: str) -> Any:
    return club.Table(name, {player.value: player for player in Player}, ("Ann", "Bob"))


def names(club: ModuleType) -> list[str]:
    return [name for (name,) in club.DB.execute("SELECT name FROM tables ORDER BY name")]


@pytest.mark.parametrize("finished", [1, 3])
def test_a_match_that_is_over_makes_room(club: ModuleType, finished: int) -> None:
    """Ten minutes after its end, as soon as nobody is there: whoever has lost a connection still sees who has won."""
    assert all(club.add(new(club, f"{number}")) for number in range(1_000))
    for number in range(finished):
        club.do(club.find(f"{number}"), Forfeit(Player.WHITE))
    end = club.now()
    club.now = lambda: end + 590
    assert not club.add(new(club, "too early"))
    looking = club.find("0")
    assert looking.state.winner is Player.BLACK
    club.now = lambda: end + 610
    assert [club.add(new(club, f"new {number}")) for number in range(finished)] == [True] * (finished - 1) + [False]
    del looking
    assert club.add(new(club, "one more"))
    assert not club.add(new(club, "another"))
    assert len(names(club)) == 1_000
    assert all(club.find(f"{number}") is None for number in range(finished))


def test_a_table_for_the_next_match_is_made_for_whoever_asks(club: ModuleType) -> None:
    """Once the match is over, and once there is room."""
    table = begun(club)
    assert club.find("a/-") is None
    club.do(table, Forfeit(Player.WHITE))
    assert all(club.add(new(club, f"{number}")) for number in range(999))
    assert [club.find(name) for name in ("a/-", "a/-/-", "/-", "-")] == [None] * 4
    club.DB.execute("DELETE FROM tables WHERE name = '7'")
    again = club.find("a/-")
    assert (again.name, again.keys, again.names, again.log) == ("a/-", table.keys, table.names, [])
    assert club.find("a/-") is again
    assert club.find("a/-/-") is None


def test_a_match_that_is_over_stays_while_there_is_room(club: ModuleType) -> None:
    """Its record too, whether somebody is there or not."""
    table = begun(club)
    loser = table.state.to_act
    table.state = MatchState(Position.start(), loser, "31", length=3, score=(2, 2))
    assert club.answer(table, loser, message("resign", table)) == {}
    assert club.answer(table, loser.opponent, message("accept", table)) == {}
    assert table.state.winner
    del table
    assert club.add(new(club, "one more"))
    assert names(club) == ["a", "one more"]


class Socket:
    """A spectator of table "a" who says so many things at once and then leaves; `read` is whether they read."""

    scope: ClassVar = {"subprotocols": []}
    path_params: ClassVar = {"name": "a"}
    headers: ClassVar = {"host": "here", "origin": "http://here"}

    def __init__(self, messages: int, *, read: bool) -> None:
        self.messages, self.read = messages, read

    async def accept(self, _: None) -> None:
        pass

    async def send_json(self, _: object) -> None:
        await asyncio.sleep(0 if self.read else 60)

    async def receive(self) -> dict[str, str]:
        self.messages -= 1
        return {"type": "websocket.receive" if self.messages >= 0 else "websocket.disconnect"}


def test_a_client_that_does_not_read_is_disconnected(club: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    table, timeout = begun(club), asyncio.timeout
    monkeypatch.setattr(asyncio, "timeout", lambda seconds: timeout(seconds / 1000))
    before = dict(table.here)
    asyncio.run(asyncio.wait_for(club.play(Socket(1, read=False)), 20))
    assert table.here == before


def test_a_flood_keeps_nobody_waiting(club: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    begun(club).keys["key"] = None  # which keeps the table in memory
    monkeypatch.setattr(club, "answer", lambda *_: {})
    flood = Socket(100, read=True)

    async def others() -> None:
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert flood.messages > 50

    async def both() -> None:
        await asyncio.gather(club.play(flood), others())

    asyncio.run(both())


def test_who_leaves_as_something_happens_is_told_nothing_more(club: ModuleType) -> None:
    async def leave() -> None:
        table = begun(club)
        news, _ = table.here
        telling = asyncio.create_task(club.tell(Socket(0, read=True), table, news))
        await asyncio.sleep(0.01)
        news.set()
        telling.cancel()
        await asyncio.wait([telling], timeout=5)
        assert telling.done()

    asyncio.run(leave())


def test_an_error_leaves_nobody_out(club: ModuleType) -> None:
    """Whoever is here is told what happened before it, and the place of whoever meets it is free again."""
    table = begun(club)
    table.state, before = MatchState.new(3), dict(table.here)
    for news in before:
        news.clear()
    club.RNG = None
    with pytest.raises(AttributeError):
        asyncio.run(club.play(Socket(0, read=True)))
    assert table.here == before
    assert all(news.is_set() for news in before)


# --- the server, as a reader has it ---------------------------------------------------------------------------------


def connected(running: Server, address: str, key: str = "", origin: str | None = None) -> Any:
    """A WebSocket of a page of this origin, by default the server's own."""
    keys = [key] if key else None
    url = f"ws{running.url[4:]}{address}"
    return client.connect(url, subprotocols=keys, origin=origin or running.url, max_size=None, close_timeout=1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """`server()`; it must not have written a traceback."""
    started: list[Server] = []

    def start(*options: Any, **more: Any) -> Server:
        started.append(Server(tmp_path, *options, **more))
        return started[-1]

    yield start
    for running in started:
        assert (said := running.end()).count("Traceback") == 0, said


def heard(tab: Any) -> dict[str, Any]:
    return json.loads(tab.recv(timeout=20))


def say(tab: Any, action: str, number: int, **more: object) -> None:
    tab.send(json.dumps({"action": action, "after": number, **more}))


def seat(shown: dict[str, Any]) -> str:
    """Who is at the bottom of a picture."""
    return [*shown["left"]][-1]


def way_through(tree: dict[str, Any]) -> list[list[int]]:
    """The moves of a legal play."""
    moves, branches = [], tree["nodes"][0]
    while branches:
        moves.append(branches[:2])
        branches = tree["nodes"][branches[3]]
    return moves


def act(tab: Any, shown: dict[str, Any]) -> None:
    """What anybody can do now: roll, or the play."""
    way = {"argument": way_through(shown["tree"])} if shown["tree"] else {}
    say(tab, "play" if way else "roll", shown["number"], **way)


def without_time(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in shown.items() if name not in {"left", "delay"}}


class Match:
    """A new table with both players at it: their keys and connections, and what they see, first whoever is to act."""

    def __init__(self, running: Server, pages: ExitStack) -> None:
        self.address, white = running.post()
        tab = pages.enter_context(connected(running, self.address, white))
        (black,) = heard(tab)["keys"]
        self.keys = {"white": white, "black": black}
        self.tabs = [tab, pages.enter_context(connected(running, self.address, black))]
        self.wait(1)
        assert self.shown[0]["keys"] == self.shown[1]["keys"] == []

    def wait(self, number: int) -> None:
        """Until so many events have happened."""
        self.shown = []
        for tab in self.tabs:
            while (shown := heard(tab))["number"] < number:
                pass
            self.shown.append(shown)
        if seat(self.shown[0]) != self.shown[0]["runs"]:
            self.tabs.reverse()
            self.shown.reverse()

    def go_on(self) -> None:
        act(self.tabs[0], self.shown[0])
        self.wait(self.shown[0]["number"] + 1)


@pytest.fixture
def pages() -> Iterator[ExitStack]:
    """Connections that end before the server does."""
    with ExitStack() as stack:
        yield stack


long = pytest.mark.long


@long
def test_two_seats(server: Callable[..., Server], pages: ExitStack) -> None:
    """One acts, the other does not; what is late or malformed is refused; whoever comes back sees the same."""
    running = server()
    match = Match(running, pages)
    (mover, other), (turn, watch) = match.tabs, match.shown
    number, moves = turn["number"], way_through(turn["tree"])
    assert (watch["tree"], watch["actions"]) == (None, [])
    for tab, text, reason in [
        (other, {"action": "play", "argument": moves, "after": number}, "cannot play"),
        (other, {"action": "resign", "after": number}, "your turn"),
        (mover, {"action": "play", "argument": [[24, 1]], "after": number}, "pips"),
        (mover, "hello", "sense"),
    ]:
        tab.send(json.dumps(text))
        assert reason in heard(tab)["refused"]
    say(mover, "play", number - 1, argument=moves)  # which changes nothing, and has no reply
    mover.send(b"bytes")
    assert "Expecting value" in heard(mover)["refused"]
    mover.send(json.dumps({"why": [[24, 1]]}))
    assert "pips" in heard(mover)["why"]
    match.go_on()
    assert match.shown[0]["actions"] == ["double", "resign", "roll"]
    for _ in "12":  # a double click
        say(other, "double", number + 1)
    other.send("hello")
    assert sum("refused" in heard(other) for _ in "12") == 1
    doubled = heard(mover)
    assert doubled["actions"] == ["drop", "resign", "take"]
    assert without_time(heard(pages.enter_context(connected(running, match.address, match.keys[seat(doubled)])))) == (
        without_time(doubled)
    )


@long
def test_pages_of_other_sites_have_no_place(server: Callable[..., Server]) -> None:
    """Nor have wrong keys; whoever has none watches."""
    running = server()
    address, white = running.post()
    with connected(running, address) as tab:
        shown = heard(tab)
        assert (shown["actions"], shown["keys"]) == ([], [])
    for key, origin in [(white, "http://evil.example"), ("wrong", None)]:
        with connected(running, address, key, origin) as tab, pytest.raises(closed, match="no seat for you"):
            tab.recv(timeout=20)
    for headers in ({"Origin": "http://evil.example"}, {}):
        with pytest.raises(HTTPError) as refused:
            urlopen(Request(running.url, b"", headers))
        assert (refused.value.code, refused.value.read()) == (403, b"Only the server's own page may ask this.")


@long
@pytest.mark.skipif(shutil.which("sqlite3") is None, reason="sqlite3 is not installed")
def test_killed_and_restored(server: Callable[..., Server], tmp_path: Path) -> None:
    """After SIGKILL a table and its clocks are as they were; a copy that is restored has them as they were before."""
    running = server("Clock((300, 300))")
    page = PAGE.read_text(encoding="utf-8")
    backup, *restore = re.findall(r"(?m)^((?:sqlite3|rm|cp) .*sqlite.*)$", page)
    with ExitStack() as pages:
        match = Match(running, pages)
        for _ in range(5):
            match.go_on()
        copied = match.shown
        processes.run("sh", "-c", backup, cwd=tmp_path)
        match.go_on()
        time.sleep(2)  # which nobody loses
        running.running.close()
    for commands, expected in [([], match.shown), (restore, copied)]:
        for command in commands:
            processes.run("sh", "-c", command, cwd=tmp_path)
        running.start()
        for before in expected:
            with connected(running, match.address, match.keys[seat(before)]) as tab:
                again = heard(tab)
            assert without_time(again) == without_time(before)
            assert again["left"] == pytest.approx(before["left"], abs=1.5)
        running.running.close()
    running.start()


def test_a_connection_ends_even_if_its_client_does_not_read(server: Callable[..., Server]) -> None:
    """The answers to a flood fill all buffers; then the server ends the connection, so the client can send no more."""
    running = server(quick=True)
    address, _ = running.post()
    host = f"127.0.0.1:{running.port}"
    request = f"GET {address} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
    request += "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    request += f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n"
    message = b"\x81\x82\0\0\0\0{}"  # a frame with a mask of zeros
    with socket.create_connection(("127.0.0.1", running.port), timeout=30) as flood:
        flood.sendall(request.encode())
        with pytest.raises(ConnectionError):
            flood.sendall(20_000_000 * message)


@long
def test_what_strangers_send_leaves_no_traceback(server: Callable[..., Server]) -> None:
    """The fixture looks for one. Whoever sends too much, or no text, is cut off."""
    running = server()
    address, white = running.post()
    for parts in (["x" * 501], ["hello", "\xff"], ["hello", "\xff", ""]):
        with connected(running, address, white) as tab:
            heard(tab)
            for text in parts:  # all in one packet
                tab.protocol.send_text(text.encode("latin-1")) if text else tab.protocol.send_close(1000)
            tab.socket.sendall(b"".join(tab.protocol.data_to_send()))
            with pytest.raises(closed):
                tab.recv(timeout=20)
    with pytest.raises(HTTPError):
        urlopen(f"{running.url}/club.py")
