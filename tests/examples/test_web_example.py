"""`examples/web`: whole matches by messages, and every message, request and stored row that must be refused."""

from __future__ import annotations

import asyncio
import contextlib
import logging.config
import random
import re
import secrets
import socket
import sqlite3
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from json import dumps as json_text, loads as json_of
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

import processes
from gammonrules import Action, Event, MatchState, Player, json
from gammonrules.records import Match, referee

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAM = Path(__file__).parents[1] / "browser" / "web_server.py"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

import bot  # noqa: E402
import house  # noqa: E402
import server  # noqa: E402
import sockets  # noqa: E402
import storage  # noqa: E402
import tables  # noqa: E402

SITE = "http://testserver"
ORIGIN = {"origin": SITE}
TOKEN = "0123456789abcdef" * 4
GENEROUS = house.Limits(messages=(1_000_000, 1_000_000), tabs=1000)


class Tab:
    """A page, as far as the server is concerned: what it hears, and what it says."""

    def __init__(
        self, client: TestClient, table: str, token: object, headers: dict[str, str], hello: str | None = None
    ) -> None:
        self.door = client.websocket_connect(f"/tables/{table}", headers=headers)
        self.socket = self.door.__enter__()
        self.seen: dict[str, Any] = {}
        if hello != "":
            self.socket.send_text(json_text({"token": token}) if hello is None else hello)

    def hear(self, kind: str = "table", number: int = -1) -> dict[str, Any]:
        """The next message of this kind, about this event or a later one."""
        while (message := self.receive())["type"] != kind or message.get("number", number) < number:
            assert message["type"] != "refused", message
            self.seen = message if message["type"] == "table" else self.seen
        self.seen = message if kind == "table" else self.seen
        return message

    def receive(self) -> Any:
        """The next message; a test that waits for one that never comes fails instead of hanging."""
        message = self.socket.portal.start_task_soon(self.socket._send_rx.receive).result(timeout=20)
        self.socket._raise_on_close(message)
        return json_of(message["text"])

    def ask(self, do: object, argument: object = None, **more: object) -> None:
        self.socket.send_json({"after": self.seen["number"], "do": do, "argument": argument} | more)

    def act(self, do: str, argument: object = None) -> dict[str, Any]:
        """Do something that succeeds: the table after it."""
        self.ask(do, argument)
        return self.hear(number=self.seen["number"] + 1)

    def refusal(self, do: object, argument: object = None, **more: object) -> str:
        """Ask for something that is refused: the code."""
        self.ask(do, argument, **more)
        message = self.hear("refused")
        assert len(message["message"]) > 10
        return message["code"]

    def end(self) -> int:
        """Wait until the server closes the connection: its code."""
        try:
            while True:
                self.receive()
        except WebSocketDisconnect as closed:
            return closed.code

    def leave(self) -> None:
        self.door.__exit__(None, None, None)


class Site:
    """A running server, its database, and the people at its tables."""

    def __init__(self, database: Path, seed: int = 1, limits: house.Limits = GENEROUS) -> None:
        self.database, self.limits = database, limits
        self.rng = random.Random(seed)
        self.start()

    def start(self) -> None:
        self.app = server.create_app(self.database, [SITE], rng=self.rng, limits=self.limits, bot_pause=0)
        self.client = TestClient(self.app)
        self.client.__enter__()
        self.tabs: list[Tab] = []

    def stop(self) -> None:
        for tab in self.tabs:
            tab.leave()
        self.client.__exit__(None, None, None)

    def restart(self) -> None:
        self.stop()
        self.start()

    def post(self, path: str, headers: dict[str, str] | None = None, **data: object) -> Any:
        return self.client.post(
            path, content=json_text({"token": TOKEN} | data), headers=ORIGIN if headers is None else headers
        )

    def post_from(self, host: str) -> int:
        """Ask for a table from this address: the status."""
        asked = json_text({"name": "Ann", "token": TOKEN, "length": 1, "against": "person"})
        return TestClient(self.app, client=(host, 1)).post("/tables", content=asked, headers=ORIGIN).status_code

    def table(self, length: int | None = 3, against: str = "person") -> SimpleNamespace:
        """A new table: its id, and the tokens of both seats."""
        tokens = {player: secrets.token_hex(32) for player in Player}
        white, black = tokens.values()
        made = self.post("/tables", name="Ann", token=white, length=length, against=against).json()
        if against == "person":
            self.post(f"/tables/{made['table']}", name="Bob", token=black, invitation=made["invitation"])
        return SimpleNamespace(id=made["table"], invitation=made["invitation"], tokens=tokens)

    def tab(self, table: SimpleNamespace, seat: Player | None, token: str | None = None) -> Tab:
        tab = self.knock(table.id, token or (None if seat is None else table.tokens[seat]), ORIGIN)
        tab.hear()
        return tab

    def knock(self, table: str, token: object, headers: dict[str, str], hello: str | None = None) -> Tab:
        """A connection that says this first, whatever comes of it."""
        tab = Tab(self.client, table, token, headers, hello)
        self.tabs.append(tab)
        return tab

    def both(self, table: SimpleNamespace) -> dict[Player, Tab]:
        return {player: self.tab(table, player) for player in Player}

    @contextlib.contextmanager
    def stopped(self) -> Iterator[sqlite3.Connection]:
        """The database, while the server is down."""
        self.stop()
        with contextlib.closing(sqlite3.connect(self.database)) as db, db:
            db.text_factory = lambda text: text.decode(errors="replace")
            yield db
        self.start()

    def stored(self) -> list[Any]:
        """All rows, while the server is down."""
        with self.stopped() as db:
            return [db.execute(f"SELECT * FROM {name}").fetchall() for name in ("tables", "seats", "events")]


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """These servers are not killed; tests/browser/test_web_game.py does that, with the disk's own pace."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "SYNCHRONOUS", "OFF")
        yield


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """`site(limits=...)` is a server that runs until the test ends."""
    sites: list[Site] = []

    def start(**options: Any) -> Site:
        sites.append(Site(tmp_path / "tables.sqlite", **options))
        return sites[-1]

    yield start
    for one in sites:
        one.stop()


def table_where_white_begins(one: Site) -> SimpleNamespace:
    """A table at which White is to play the opening roll, with a tab of each player."""
    while True:
        table = one.table()
        tabs = one.both(table)
        seen = tabs[Player.WHITE].seen
        if (seen["to_act"], seen["number"]) == ("white", 1):
            return SimpleNamespace(site=one, table=table, white=tabs[Player.WHITE], black=tabs[Player.BLACK])


@pytest.fixture
def here(site: Callable[..., Site]) -> SimpleNamespace:
    """A table at which White is to play the opening roll, for one test."""
    return table_where_white_begins(site())


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """The same for all tests in which nothing may happen at it."""
    one = Site(tmp_path_factory.mktemp("web") / "tables.sqlite")
    table = table_where_white_begins(one)
    yield table
    one.stop()


@pytest.fixture
def same(still: SimpleNamespace) -> Iterator[SimpleNamespace]:
    """That table with tabs of this test; after it, the table is as it was."""
    tabs = still.site.both(still.table)
    yield SimpleNamespace(site=still.site, table=still.table, white=tabs[Player.WHITE], black=tabs[Player.BLACK])
    assert still.site.tab(still.table, Player.WHITE).seen["state"] == still.white.seen["state"]


def state_of(message: dict[str, Any]) -> MatchState:
    return json.from_data(message["state"], MatchState)


def asked_by_bot(state: MatchState) -> tuple[Action, Any]:
    decided = bot.choose(state)
    return (decided.action, decided.argument) if isinstance(decided, Event) else (decided, None)


def play_on(tabs: dict[Player, Tab], most: int = 10_000) -> Iterator[dict[str, Any]]:
    """Two people who play as the bot would, until the match is over; what White sees after each event."""
    number = max(tab.seen["number"] for tab in tabs.values())
    for _ in range(most):
        for tab in tabs.values():
            if tab.seen["number"] < number:
                tab.hear(number=number)
        seen = tabs[Player.WHITE].seen
        if seen["winner"] is not None:
            return
        state = state_of(seen)
        if state.to_act is None:
            acted = tabs[Player.BLACK].act("next_game")
        else:
            acted = tabs[state.to_act].act(*asked_by_bot(state))
        number = acted["number"]
        yield acted
    raise AssertionError("the match is not over")


def log_of(one: Site, table: SimpleNamespace) -> list[Event]:
    with one.stopped() as db:
        rows = db.execute("SELECT event FROM events WHERE table_id = ? ORDER BY number", (table.id,)).fetchall()
    return [json.loads(text, Event) for (text,) in rows]


class TestMatches:
    def test_two_people_play_a_match(self, site) -> None:
        """What is stored makes a record in which the referee finds nothing."""
        one = site()
        table = one.table(3)
        tabs = one.both(table)
        last = [message["number"] for message in play_on(tabs)][-1]
        for tab in tabs.values():
            tab.seen["number"] == last or tab.hear(number=last)
        final = tabs[Player.WHITE].seen
        assert tabs[Player.BLACK].seen["state"] == final["state"]
        log = log_of(one, table)
        assert len(log) == last
        match = Match.from_events(("Ann", "Bob"), MatchState.new(3), log)
        assert match.winner == final["winner"]
        assert match.games[-1].result == state_of(final).result
        assert [finding for finding in referee(match) if finding.severity != "info"] == []

    def test_one_person_plays_against_the_bot(self, site) -> None:
        """The bot's events are as anybody's: by its seat, and legal."""
        one = site()
        table = one.table(1, "bot")
        ann = one.tab(table, Player.WHITE)
        while ann.seen["winner"] is None:
            if ann.seen["to_act"] == "white":
                ann.act(*asked_by_bot(state_of(ann.seen)))
            else:
                ann.hear()
        log = log_of(one, table)
        assert {Player.WHITE, Player.BLACK} <= {event.by for event in log}
        assert state_of(ann.seen).winner is not None

    def test_the_bot_goes_on_when_the_server_was_restarted_in_its_turn(self, site, monkeypatch) -> None:
        one = site()
        table = one.table(1, "bot")
        monkeypatch.setattr(house.House, "wake_bot", lambda *_: None)
        ann = one.tab(table, Player.WHITE)
        if ann.seen["to_act"] == "white":
            ann.act("play", str(state_of(ann.seen).legal_plays[0]))
        number = ann.seen["number"]
        monkeypatch.undo()
        one.restart()
        assert one.tab(table, Player.WHITE).hear(number=number + 1)["to_act"] in {"white", "black"}

    def test_a_rematch_is_one_new_table_with_the_same_people(self, here) -> None:
        assert here.white.refusal("rematch") == "match_not_over"
        here.black.hear(number=here.white.act("resign", 3)["number"])
        here.white.hear(number=here.black.act("accept")["number"])
        assert here.white.seen["winner"] == "black"
        here.white.ask("rematch")
        while (successor := here.white.hear()["successor"]) is None:
            pass
        here.black.ask("rematch")
        while here.black.hear()["successor"] is None:
            pass
        assert here.black.seen["successor"] == successor
        again = SimpleNamespace(id=successor, tokens=here.table.tokens)
        seen = here.site.tab(again, Player.BLACK).seen
        assert (seen["names"], seen["you"], seen["state"]["score"]) == (["Ann", "Bob"], "black", [0, 0])
        assert seen["number"] >= 1  # the opening roll

    def test_money_play_with_a_beaver_and_the_next_game(self, site) -> None:
        one = site()
        table = one.table(None)
        tabs = one.both(table)
        first = Player(tabs[Player.WHITE].seen["to_act"])
        starter, other = tabs[first], tabs[first.opponent]
        starter.act("play", str(state_of(starter.seen).legal_plays[0]))
        other.hear(number=starter.seen["number"])
        other.act("double")
        assert "beaver" in starter.hear(number=other.seen["number"])["actions"]
        starter.act("beaver")
        assert other.hear(number=starter.seen["number"])["state"]["offer"]["value"] == 4
        assert other.act("drop")["state"]["result"]["points"] == 2
        starter.hear(number=other.seen["number"])
        assert starter.refusal("next_game", "white") == "unreadable"
        seen = starter.act("next_game")
        assert seen["state"]["dice"] is not None
        assert sum(seen["state"]["score"]) == 2


class TestTurns:
    def test_only_who_is_to_play_gets_the_turn(self, here) -> None:
        """Everybody gets the last play and its dice."""
        watcher, plays = here.site.tab(here.table, None), state_of(here.white.seen).legal_plays
        assert here.white.seen["tree"] == json_of(plays.tree().to_json())
        assert (here.black.seen["tree"], watcher.seen["tree"]) == (None, None)
        number = here.white.act("play", str(plays[0]))["number"]
        for tab in (here.white, here.black, watcher):
            seen = tab.seen if tab is here.white else tab.hear(number=number)
            marks = [seen["svg"].count(f'class="{kind}"') for kind in ("last-to", "die last")]
            assert (marks, seen["tree"]) == ([2, 2], None)
        assert here.black.act("roll")["tree"] is not None

    def test_why_not(self, same) -> None:
        """The reason why the last move cannot be made, for who is to play, about the present turn."""
        legal = same.white.seen["tree"]["nodes"][0][:2]
        cases = ([[24, 1]], "23 pips"), ([[13, 25]], "forward"), ([legal, legal], "played"), ([legal], "legal")
        for moves, reason in cases:
            same.white.ask("why", moves)
            answer = same.white.hear("why")
            assert answer["moves"] == moves
            assert reason in answer["text"]
        assert same.white.refusal("why", [[24, 1]], after=0) == "stale"
        assert same.black.refusal("why", [[24, 1]]) == "not_your_turn"

    def test_why_for_what_is_no_move(self, same) -> None:
        junk = [
            *("24/23", 7, None, True, {"13": 7}, [], [[]], [[13]], [[13, 7, 1, 1]], [["13", "7"]], [[1.5, 7]]),
            *([[True, 7]], [[13, None]], [[[13, 7], 7]], [[1e400, 7]], [[10**1000, 7]], [7, [13, 7]], [[26, 25]]),
        ]
        assert {same.white.refusal("why", one) for one in junk} == {"unreadable"}
        assert same.white.refusal("why", [[24, 23]] * 200) != "unreadable"

    def test_two_tabs_of_one_seat_are_one_player(self, here) -> None:
        second = here.site.tab(here.table, Player.WHITE)
        second.act("play", str(state_of(second.seen).legal_plays[0]))
        here.white.ask("play", str(state_of(here.white.seen).legal_plays[1]))
        assert here.white.hear("refused")["code"] == "stale"
        assert here.black.hear(number=second.seen["number"])["state"] == second.seen["state"]


EVENTS = [
    ("castle", None, "unreadable"),
    ("opening_roll", [3, 1], "unreadable"),
    ("forfeit", "black", "unreadable"),
    ("roll", [6, 6], "unreadable"),
    ("roll", None, "already_rolled"),
    ("double", None, "already_rolled"),
    ("double", 64, "unreadable"),
    ("take", None, "no_double_pending"),
    ("drop", None, "no_double_pending"),
    ("beaver", None, "no_double_pending"),
    ("accept", None, "no_resignation_pending"),
    ("decline", None, "no_resignation_pending"),
    ("next_game", None, "game_not_over"),
    ("resign", 4, "unreadable"),
    ("resign", "gammon", "unreadable"),
    ("resign", True, "unreadable"),
    ("play", None, "unreadable"),
    ("play", "xyzzy", "unreadable"),
    ("play", "24/1", "die_not_rolled"),
    ("play", "", None),
    ("play", "\ud800", "unreadable"),
    ("play", "8/5" * 100, "unreadable"),
    ("play", [[13, 7]] * 99, "unreadable"),
    ("play", {"type": "Play"}, "unreadable"),
    ("play", [[[[[[]]]]]], "unreadable"),
    ("play", 10**1000, "unreadable"),
    ("play", float("nan"), "unreadable"),
    (None, None, "unreadable"),
    (["roll"], None, "unreadable"),
    ({"roll": 1}, None, "unreadable"),
    (7, None, "unreadable"),
]


class TestForgery:
    @pytest.mark.parametrize(("do", "argument", "code"), EVENTS)
    def test_what_is_illegal_is_refused_with_the_reason(self, same, do, argument, code) -> None:
        refused = same.white.refusal(do, argument)
        assert refused == code or (code is None and refused != "unreadable")

    def test_nobody_acts_out_of_turn_or_for_another(self, here) -> None:
        """Whatever a message says about its sender: the seat of the connection counts."""
        assert here.black.refusal("play", "24/18", by="white", you="white") == "not_your_turn"
        assert here.black.act("resign", 1)["state"]["offer"]["by"] == "black"
        assert here.black.refusal("accept", by="white") == "not_your_turn"
        here.white.hear(number=here.black.seen["number"])
        assert here.white.act("decline")["state"]["offer"] is None

    def test_who_watches_cannot_act(self, same) -> None:
        watcher = same.site.tab(same.table, None)
        assert (watcher.seen["you"], watcher.seen["actions"]) == (None, [])
        for do in ("play", "roll", "resign", "rematch", "why", "next_game"):
            assert watcher.refusal(do) == "spectator"

    def test_what_is_replayed_or_late_is_refused(self, here) -> None:
        number, play = here.white.seen["number"], str(state_of(here.white.seen).legal_plays[0])
        for after in (number, number, number - 1, 0):
            here.white.ask("play", play, after=after)
        assert [here.white.hear("refused")["code"] for _ in range(3)] == ["stale"] * 3
        assert here.site.tab(here.table, None).seen["number"] == number + 1

    @pytest.mark.parametrize("after", [None, -1, 7, "1", 1.0, True, [1], 10**1000, float("nan")])
    def test_numbers_that_do_not_count(self, same, after) -> None:
        same.white.socket.send_json({"after": after, "do": "resign", "argument": 1})
        assert same.white.hear("refused")["code"] in {"stale", "unreadable"}

    @pytest.mark.parametrize(
        "text",
        [
            *(" ", "roll", "[]", '"roll"', "null", "7", "[" * 1_900, '{"a":' * 380, "{" + '"a":1,' * 200, "\x00"),
            "9" * 1_900,
        ],
    )
    @pytest.mark.parametrize("first", [True, False])
    def test_what_is_no_message_ends_the_connection(self, same, text, first) -> None:
        tab = same.site.knock(same.table.id, None, ORIGIN, hello=text) if first else same.white
        if not first:
            tab.socket.send_text(text)
        refused = tab.hear("refused")
        assert (refused["code"], refused["message"]) == ("unreadable", "A message is the text of a JSON object.")
        assert tab.end() == 1008

    @pytest.mark.parametrize("size", [2_001, 1_000_000])
    def test_long_messages_end_the_connection(self, same, size) -> None:
        same.white.socket.send_text("x" * size)
        assert same.white.hear("refused")["code"] == "too_long"
        assert same.white.end() == 1008

    def test_bytes_end_the_connection(self, same) -> None:
        same.white.socket.send_bytes(b'{"after":1,"do":"resign","argument":1}')
        assert same.white.hear("refused")["code"] == "unreadable"
        assert same.white.end() == 1008


class TestSeats:
    def test_only_the_right_token_opens_a_seat(self, site) -> None:
        one = site()
        first, second = one.table(), one.table()
        made = one.post("/tables", name="Ann", length=1, against="person").json()
        waiting = SimpleNamespace(id=made["table"])
        wrong = [
            (first, "guess"),
            (first, ""),
            (first, "x" * 1_900),
            (first, "\ud800"),
            (first, first.invitation),
            (first, second.tokens[Player.WHITE]),
            (waiting, made["invitation"]),
        ]
        for table, token in wrong:
            tab = one.knock(table.id, token, ORIGIN)
            assert tab.hear("refused")["code"] == "no_such_seat"
            assert tab.end() == 1008
        assert one.tab(first, Player.BLACK).seen["you"] == "black"

    @pytest.mark.parametrize("token", [7, True, ["x"], {"x": 1}])
    def test_tokens_are_texts(self, same, token) -> None:
        tab = same.site.knock(same.table.id, token, ORIGIN)
        assert tab.hear("refused")["code"] == "unreadable"

    def test_an_invitation_is_good_once(self, site) -> None:
        """But whoever has lost the answer, and asks again with their token, gets it again."""
        one = site()
        table = one.table()
        again = {"name": "Bob", "token": table.tokens[Player.BLACK], "invitation": table.invitation}
        assert one.post(f"/tables/{table.id}", **again).json() == {"table": table.id}
        again["token"] = table.tokens[Player.WHITE]
        assert one.post(f"/tables/{table.id}", **again).json()["code"] == "no_such_invitation"
        for invitation in (table.invitation, table.tokens[Player.BLACK], "guess", "\ud800"):
            reply = one.post(f"/tables/{table.id}", name="Eve", invitation=invitation)
            assert (reply.status_code, reply.json()["code"]) == (400, "no_such_invitation")
        assert one.tab(table, None).seen["names"] == ["Ann", "Bob"]

    def test_the_game_begins_when_both_have_sat_down(self, site) -> None:
        one = site()
        made = one.post("/tables", name="Ann", length=1, against="person").json()
        ann = one.tab(SimpleNamespace(id=made["table"]), None, TOKEN)
        assert (ann.seen["number"], ann.seen["actions"], ann.seen["kinds"]) == (0, [], ["person", "open"])
        assert ann.refusal("roll") != "unreadable"
        one.restart()
        ann = one.tab(SimpleNamespace(id=made["table"]), None, TOKEN)
        assert one.post(f"/tables/{made['table']}", name="Bob", invitation=made["invitation"]).status_code == 200
        assert ann.hear(number=1)["state"]["dice"] is not None

    def test_no_token_is_stored(self, site) -> None:
        one = site()
        table = one.table()
        one.stop()
        stored = b"".join(path.read_bytes() for path in one.database.parent.iterdir())
        assert table.id.encode() in stored
        for token in (*table.tokens.values(), table.invitation):
            assert token.encode() not in stored
        one.start()

    def test_invitations_and_tables_are_unguessable(self, site) -> None:
        one = site()
        made = [one.table() for _ in range(5)]
        assert len({table.invitation for table in made}) == 5
        assert min(len(table.invitation) for table in made) >= 43
        assert len({table.id for table in made}) == 5


WRONG_ORIGINS = [
    *("game.example", "", "null", "https://", "ftp://a.example", "http://a:x", "http://[", "http://é.example")
]


class TestRequests:
    @pytest.mark.parametrize(
        "headers", [{}, {"origin": "null"}, {"origin": "https://evil.example"}, {"origin": SITE + "."}]
    )
    def test_pages_of_others_get_nothing(self, same, headers) -> None:
        one = same.site
        for path in ("/tables", f"/tables/{same.table.id}"):
            assert one.post(path, headers, name="Eve", length=1, against="bot").status_code == 403
        tab = one.knock(same.table.id, same.table.tokens[Player.WHITE], headers)
        assert tab.hear("refused")["code"] == "cross_site"
        assert tab.end() == 1008

    @pytest.mark.parametrize(
        "data",
        [
            *({"name": ""}, {"name": "   "}, {"name": "x" * 19}, {"name": "a\nb"}, {"name": "\u202eab"}),
            *({"name": "\ud800"}, {"name": "\u3164\u2800\ufe0f"}, {"name": 7}, {"token": ""}, {"token": TOKEN[1:]}),
            *({"token": TOKEN + "\n"}, {"token": TOKEN.upper()}, {"token": 7}, {"name": None}, {"length": 0}),
            *({"length": 26}, {"length": "5"}, {"length": True}, {"length": 5.0}, {"length": 10**1000}),
            {"against": None},
        ],
    )
    def test_tables_that_nobody_can_have(self, site, data) -> None:
        one = site()
        reply = one.post("/tables", **({"name": "Ann", "length": 5, "against": "person"} | data))
        assert reply.status_code == 400
        assert reply.json()["code"] in {"unreadable", "bad_name"}

    @pytest.mark.parametrize("body", [b"", b"\xff", b"[]", b"[" * 1_900, b"{", b"x" * 2_001, b"x" * 10**6])
    def test_bodies_that_are_no_request(self, site, body) -> None:
        reply = site().client.post("/tables", content=body, headers=ORIGIN)
        assert (reply.status_code, reply.json()["code"]) in {(400, "unreadable"), (413, "too_long")}

    def test_tables_that_are_not_there(self, site) -> None:
        one = site()
        assert one.post("/tables/castle", name="Ann", invitation="x").status_code == 404
        tab = one.knock("castle", None, ORIGIN)
        assert tab.hear("refused")["code"] == "no_such_table"
        for path in ("/tables", "/tables/castle", "/server.py", "/../server.py", "/tables.sqlite", "/page/game.js"):
            assert one.client.get(path).status_code in {404, 405}

    def test_every_response_has_the_headers(self, site) -> None:
        one = site()
        for path in ("/", "/game.js", "/game.css", "/board.js", "/board.css", "/castle"):
            headers = one.client.get(path).headers
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cache-control"] == "no-store"
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["content-security-policy"].startswith("default-src 'none'; ")
        assert one.post("/tables", name="Ann", length=1, against="bot").headers["cache-control"] == "no-store"

    def test_a_fault_of_the_server_has_the_headers_too(self, tmp_path, monkeypatch) -> None:
        """And it says what the page can show, but nothing about the fault."""
        monkeypatch.setattr(house.House, "make", lambda *_: 1 // 0)
        app = server.create_app(tmp_path / "tables.sqlite", [SITE])
        with TestClient(app, raise_server_exceptions=False) as client:
            reply = client.post("/tables", json=json_of(ASKED), headers=ORIGIN)
        assert (reply.status_code, reply.json()["code"]) == (500, "fault")
        assert "zero" not in reply.text
        assert reply.headers["content-security-policy"].startswith("default-src 'none'; ")

    def test_who_goes_away_in_the_middle_of_a_request_causes_no_error(self, tmp_path) -> None:
        """Nor a traceback in the log for each."""
        app = server.create_app(tmp_path / "tables.sqlite", [SITE])

        async def go_away() -> Any:
            return {"type": "http.disconnect"}

        async def tell(message: Any) -> None:
            assert message.get("status", 500) == 500

        headers = [(b"origin", SITE.encode())]
        asyncio.run(app({"type": "http", "method": "POST", "path": "/tables", "headers": headers}, go_away, tell))

    @pytest.mark.parametrize(
        ("host", "port", "address", "origins"),
        [
            ("127.0.0.1", 8000, None, {"http://127.0.0.1:8000", "http://localhost:8000"}),
            ("127.0.0.1", 80, None, {"http://127.0.0.1", "http://localhost"}),
            ("::1", 8000, None, {"http://[::1]:8000", "http://127.0.0.1:8000", "http://localhost:8000"}),
            ("0.0.0.0", 80, None, {"http://0.0.0.0", "http://127.0.0.1", "http://localhost"}),
            ("Pi.local", 80, None, {"http://pi.local", "http://127.0.0.1", "http://localhost"}),
            ("127.0.0.1", 8000, "https://Game.example/", {"https://game.example"}),
            ("127.0.0.1", 8000, "https://game.example:443", {"https://game.example"}),
            ("127.0.0.1", 8000, "http://[::1]:80/", {"http://[::1]"}),
        ],
    )
    def test_the_server_knows_its_own_page_by_what_browsers_send(self, host, port, address, origins) -> None:
        """Without the usual port, in lower case, without a slash, and with an IPv6 address in brackets."""
        assert server.origins_of(host, port, address) == origins

    @pytest.mark.parametrize(
        ("option", "value", "sentence"),
        [
            *[("--origin", origin, "such as https://game.example") for origin in WRONG_ORIGINS],
            ("--port", "0", "not a port"),
            ("--port", "-1", "not a port"),
            ("--port", "99999", "not a port"),
            ("--proxy", "localhost", "such as 127.0.0.1"),
            ("--proxy", "*", "such as 127.0.0.1"),
            ("--engine", "none", "invalid choice: 'none'"),
            ("--database", "/", "it is a folder"),
            ("--database", "/no/such/file", "there is no folder /no/such"),
            ("--database", __file__, "file is not a database"),
        ],
    )
    def test_options_that_cannot_be(self, option, value, sentence, monkeypatch, capsys) -> None:
        monkeypatch.setattr(sys, "argv", ["server.py", option, value])
        with pytest.raises(SystemExit) as ended:
            server.main()
        assert sentence in capsys.readouterr().err + str(ended.value)

    def test_ctrl_c_ends_the_program_without_a_traceback(self, tmp_path, monkeypatch) -> None:
        def interrupt(*_: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(sys, "argv", ["server.py", "--database", str(tmp_path / "tables.sqlite")])
        monkeypatch.setattr(server, "serve", lambda *_: SimpleNamespace(run=interrupt))
        server.main()

    def test_nothing_in_the_page_needs_a_weaker_policy(self, same) -> None:
        page = same.site.client.get("/").text + same.white.seen["svg"]
        assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:", page) == []

    def test_names_come_as_they_were_given_and_the_picture_escapes_them(self, site) -> None:
        one = site()
        name = "<b>&]]>'\"\u05d0"
        made = one.post("/tables", name=name, length=1, against="bot").json()
        seen = one.tab(SimpleNamespace(id=made["table"]), None).seen
        assert seen["names"][0] == name
        assert "<b>" not in seen["svg"]


class TestLimits:
    def test_an_address_uses_up_its_own_allowance_only(self, site) -> None:
        """A request counts as 10 messages, a connection with its first message as 4; other sites nothing."""
        one = site(limits=house.Limits(messages=(0, 29)))
        table = one.table()
        for _ in range(9):
            assert one.post("/tables", {"origin": "https://evil.example"}).status_code == 403
        tab = one.tab(table, None)
        assert [tab.refusal("roll") for _ in range(6)] == ["spectator"] * 5 + ["too_many"]
        assert tab.end() == 1008
        assert [one.post_from(host) for host in ("testclient", *["192.0.2.7"] * 3)] == [429, 200, 200, 429]

    def test_an_address_has_its_share_of_the_tables(self, site) -> None:
        one = site(limits=house.Limits(tables=(3, 2)))
        hosts = "2001:db8::1", "2001:db8::2:1", "2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:1::1"
        assert [one.post_from(host) for host in hosts] == [200, 200, 503, 200, 503]

    @pytest.mark.parametrize(
        ("host", "household"),
        [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("fe80::1%eth0", "fe80::/64"),
            ("a socket in a file", "a socket in a file"),
        ],
    )
    def test_what_is_one_address(self, host, household) -> None:
        assert sockets.household(host) == household

    def test_an_allowance_grows_with_time(self, monkeypatch) -> None:
        now = 100.0
        monkeypatch.setattr(house.time, "monotonic", lambda: now)
        allowance = house.Allowance((2.0, 3))
        for wait, used in ((0, 3), (1, 2), (0.5, 1), (1000, 3)):
            now += wait
            for _ in range(used):
                allowance.take()
            with pytest.raises(tables.RefusedError):
                allowance.take()

    def test_spectators_keep_no_player_out_and_the_oldest_tab_makes_room(self, site) -> None:
        one = site(limits=house.Limits(tabs=2))
        table = one.table()
        for seat in (None, *Player):
            first, *others = [one.tab(table, seat) for _ in range(3)]
            assert first.end() == house.TOO_MANY_TABS
            for tab in others:
                assert tab.refusal("rematch") == ("match_not_over" if seat else "spectator")

    def test_who_connects_must_say_something(self, site) -> None:
        tab = site(limits=house.Limits(seconds=0.01)).knock("castle", None, ORIGIN, hello="")
        assert tab.hear("refused")["code"] == "too_late"
        assert tab.end() == 1008

    def test_who_keeps_a_connection_for_nothing_is_cut_off(self, tmp_path, monkeypatch, caplog) -> None:
        """On real sockets: half a request, half or wrong handshakes, no hello, a reader who does not read; pings."""
        many = (1_000_000, 1_000_000)
        limits = house.Limits(seconds=0.1, messages=many, bytes=many)
        monkeypatch.setattr(sockets.Caller, "limits", limits)
        monkeypatch.setattr(logging.config, "dictConfig", lambda *_: None)  # uvicorn's logging would outlive the test
        clients: list[socket.socket] = []

        async def attack() -> None:
            app = server.create_app(tmp_path / "tables.sqlite", [SITE], limits=limits, bot_pause=0)
            uvicorn = sockets.serve(app, "127.0.0.1", 0)
            serving = asyncio.create_task(uvicorn.serve())
            while not uvicorn.started:
                await asyncio.sleep(0.01)
            port = uvicorn.servers[0].sockets[0].getsockname()[1]
            made = await reply_to(port, POST + b"Content-Length: %d\r\n\r\n%b" % (len(ASKED), ASKED))
            upgrade = UPGRADE % json_of(made.split(b"\r\n\r\n")[1])["table"].encode()
            for sent in (
                *([b""], [b"GET / HT"], [POST + b"Content-Length: 9\r\n\r\n{"], [upgrade], [upgrade + b"\r\n"]),
                *([upgrade + b"Content-Length: 5\r\n\r\n"], [upgrade + b"a: b\r\n" * 130 + b"\r\n"]),
                [upgrade + b"\r\n", framed(b"\xff")],
                [upgrade + b"\r\n", HELLO, framed(b'{"after": 1, "do": "roll"}') * 3_000],
            ):
                clients.append(client := socket.socket())
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
                client.connect(("127.0.0.1", port))
                client.setblocking(False)
                for part in sent:
                    await asyncio.sleep(0.01)  # the server reads a handshake by itself
                    with contextlib.suppress(ConnectionError):
                        await asyncio.get_running_loop().sock_sendall(client, part)
            async with asyncio.timeout(5):
                while uvicorn.server_state.connections:
                    await asyncio.sleep(0.01)
            sockets.Caller.limits = house.Limits(connections=(9, 2))
            sockets.allowance_of.cache_clear()
            async with asyncio.timeout(5):
                flood = framed(b"", 0x89) * 4_000, framed(b"", 0x88)
                replies = [await reply_to(port, upgrade + b"\r\n", HELLO, *flood) for _ in range(2)]
            assert [reply.endswith(b"\x88\x00") for reply in replies] == [True, False]
            assert "Invalid UTF-8" not in caplog.text
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            assert await reply_to(port, GET) == b""
            monkeypatch.setattr(sockets.Caller, "proxy", "127.0.0.1")
            assert (await reply_to(port, GET)).startswith(b"HTTP/1.1 200 OK")
            for _, writer in idle:
                writer.close()
            uvicorn.should_exit = True
            await serving

        try:
            asyncio.run(asyncio.wait_for(attack(), 20))
        finally:
            for client in clients:
                client.close()

    def test_the_length_of_a_log(self, here, monkeypatch) -> None:
        monkeypatch.setattr(tables, "MOST_EVENTS", 1)
        assert here.white.refusal("play", str(state_of(here.white.seen).legal_plays[0])) == "log_full"
        here.black.hear(number=here.white.act("resign", 3)["number"])
        assert here.black.act("accept")["winner"] == "black"

    def test_a_resignation_is_offered_once_a_turn(self, here) -> None:
        """Or else whoever offers it again after each refusal would keep the other from moving."""
        here.white.hear(number=here.black.act("resign", 1)["number"])
        here.black.hear(number=here.white.act("decline")["number"])
        assert "resign" not in here.black.seen["actions"]
        here.site.restart()
        black, white = here.site.tab(here.table, Player.BLACK), here.site.tab(here.table, Player.WHITE)
        assert black.refusal("resign", 3) == "resigned"
        black.hear(number=white.act("resign", 1)["number"])
        white.hear(number=black.act("decline")["number"])
        black.hear(number=white.act("play", str(state_of(white.seen).legal_plays[0]))["number"])
        assert "resign" in black.seen["actions"]

    def test_tables_expire(self, site, monkeypatch) -> None:
        """After a week without an action, or half a day without a second player; never while they are in use.

        What counts is how long servers have run: the clock of the wall may jump by years.
        """
        one = site()
        one.post("/tables", name="Ann", length=1, against="person")
        one.table()
        other = one.table()
        one.stop()
        monkeypatch.setattr(time, "time", lambda: 9e9)
        for in_use, seconds, left in [
            ([], storage.UNJOINED - 60, 3),
            ([], 120, 2),
            ([], storage.UNUSED - storage.UNJOINED - 120, 2),
            ([other.id], 120, 1),
            ([], 0, 0),
        ]:
            with contextlib.closing(storage.Storage(one.database)) as stored:
                stored.began -= seconds
                stored.expire(in_use)
                assert stored.count("testclient") == (left, left)
                rest = [stored.db.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("seats", "events")]
        assert rest == [(0,), (0,)]
        one.start()

    @pytest.mark.parametrize("acted", ["acted + 3e6", "1e300", "9e999", "-1e300"])
    def test_a_damaged_time_of_one_table_costs_no_other(self, site, acted) -> None:
        one = site()
        kept, damaged = one.table(), one.table()
        with one.stopped() as db:
            db.execute(f"UPDATE tables SET acted = {acted} WHERE id = ?", (damaged.id,))
        assert one.tab(one.table(), None).seen["number"] >= 1
        assert one.tab(kept, None).seen["number"] >= 1

    def test_one_bot_thinks_at_a_time(self, tmp_path) -> None:
        thinking: list[int] = []
        at_once: list[int] = []

        def choose(state: MatchState) -> Event | Action:
            thinking.append(1)
            time.sleep(0.001)
            at_once.append(len(thinking))
            thinking.pop()
            return bot.choose(state)

        async def play() -> None:
            with contextlib.ExitStack() as stack:
                tables_in_use = [stack.enter_context(bots.using(name)) for name in made]
                await asyncio.gather(*(bots.play_bot(one, one.table.state.to_act) for one in tables_in_use))

        with contextlib.closing(storage.Storage(tmp_path / "tables.sqlite")) as stored:
            bots = house.House(stored, random.Random(1), GENEROUS, bot_pause=0, bot=choose)
            seats = tables.Seat("bot", "A"), tables.Seat("person", "B")
            made = [bots.make(1, seats, "").id for _ in range(9)]
            asyncio.run(play())
        assert set(at_once) == {1}


def fail(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("disk I/O error")


class TestStorage:
    def test_a_restart_after_every_event_changes_nothing(self, site) -> None:
        one = site()
        table = one.table(1)
        tabs = one.both(table)
        for _ in range(30):
            seen = next(play_on(tabs), None)
            if seen is None:
                break
            before = {player: tab.hear(number=seen["number"]) if tab.seen["number"] < seen["number"] else tab.seen
                      for player, tab in tabs.items()}  # fmt: skip
            one.restart()
            tabs = one.both(table)
            for player, tab in tabs.items():
                assert {**tab.seen, "here": 0} == {**before[player], "here": 0}

    def test_who_disconnects_in_mid_roll_finds_the_dice_that_were_thrown(self, here) -> None:
        here.black.hear(number=here.white.act("play", str(state_of(here.white.seen).legal_plays[0]))["number"])
        here.black.ask("roll")
        here.site.tabs.remove(here.black)
        here.black.leave()
        rolled = here.white.hear(number=here.black.seen["number"] + 1)
        here.site.restart()
        black = here.site.tab(here.table, Player.BLACK)
        assert (black.seen["number"], black.seen["state"]) == (rolled["number"], rolled["state"])
        assert black.refusal("roll") == "already_rolled"

    def test_what_cannot_be_stored_has_not_happened(self, here, monkeypatch) -> None:
        """Everybody connects again, to the table as it is stored."""
        before = here.white.seen
        monkeypatch.setattr(storage.Storage, "_write_steps", fail)
        assert here.white.refusal("resign", 1) == "storage"
        assert (here.white.end(), here.black.end()) == (1012, 1012)
        monkeypatch.undo()
        white = here.site.tab(here.table, Player.WHITE)
        assert (white.seen["number"], white.seen["state"]) == (before["number"], before["state"])
        assert white.act("resign", 1)["number"] == before["number"] + 1

    def test_a_table_that_cannot_be_stored(self, site, monkeypatch) -> None:
        one = site()
        for name in ("expire", "count", "add"):
            monkeypatch.setattr(storage.Storage, name, fail)
            reply = one.post("/tables", name="Ann", length=1, against="bot")
            assert (reply.status_code, reply.json()["code"]) == (503, "storage")
            assert reply.headers["x-content-type-options"] == "nosniff"
            monkeypatch.undo()
        assert one.table().tokens

    def test_a_rematch_that_cannot_be_stored_may_be_asked_for_again(self, here, monkeypatch) -> None:
        here.black.hear(number=here.white.act("resign", 3)["number"])
        here.white.hear(number=here.black.act("accept")["number"])
        monkeypatch.setattr(storage.Storage, "add", fail)
        assert here.white.refusal("rematch") == "storage"
        monkeypatch.undo()
        here.white.ask("rematch")
        while here.white.hear()["successor"] is None:
            pass

    def test_an_error_in_passing_is_no_damage(self, tmp_path) -> None:
        with contextlib.closing(storage.Storage(tmp_path / "tables.sqlite")) as stored:
            rooms = house.House(stored, random.Random(1), GENEROUS, bot_pause=0)
            made = rooms.make(1, (tables.Seat("person", "A"), tables.Seat("person", "B")), "")
            stored.db.set_progress_handler(lambda: 1, 1)  # every statement is interrupted
            with pytest.raises(tables.RefusedError) as refused, rooms.using(made.id):
                pass
            assert (refused.value.code, server.STATUS[refused.value.code]) == ("storage", 503)
            stored.db.set_progress_handler(None, 0)
            with rooms.using(made.id) as opened:
                assert opened.table.state.phase == "to_play"

    def test_a_long_log_is_replayed_from_a_state_near_its_end(self, tmp_path, monkeypatch) -> None:
        """So that nobody waits long while a stranger comes to such a table, again and again."""
        replayed: list[Event] = []
        step = tables.Table.take_step
        monkeypatch.setattr(
            tables.Table, "take_step", lambda self, *what: (replayed.append(what[0]), step(self, *what))
        )
        with contextlib.closing(storage.Storage(tmp_path / "tables.sqlite")) as stored:
            rooms = house.House(stored, random.Random(1), GENEROUS, bot_pause=0)
            made = rooms.make(1, (tables.Seat("person", "A"), tables.Seat("person", "B")), "")
            table = stored.load(made.id)
            for _ in range(200):
                by = table.state.to_act
                event = table.state.canonical(Event("decline" if table.state.offer else "resign", by, None))
                stored.append(table, [(event, table.state.apply(event))])
                table.take_step(event)
            replayed.clear()
            again = stored.load(made.id)
            assert len(replayed) < 2 * tables.SENTENCES
            assert (again.number, again.state, again.said) == (table.number, table.state, table.said)
            stored.db.execute("UPDATE events SET state = 'x' WHERE state IS NOT NULL")
            with pytest.raises(tables.RefusedError, match="damaged"):
                stored.load(made.id)

    @pytest.mark.parametrize(
        ("where", "name", "value", "code"),
        [(tables, "MOST_EVENTS", 1, "log_full"), (storage.Storage, "append", fail, "storage")],
    )
    def test_a_bot_that_is_refused_stops(self, tmp_path, monkeypatch, caplog, where, name, value, code) -> None:
        """It says so, and leaves no error that nobody fetches. Whoever connects wakes it again."""
        with contextlib.closing(storage.Storage(tmp_path / "tables.sqlite")) as stored:
            bots = house.House(stored, random.Random(1), GENEROUS, bot_pause=0)
            made = bots.make(1, (tables.Seat("bot", "A"), tables.Seat("bot", "B")), "")
            monkeypatch.setattr(where, name, value)
            with bots.using(made.id) as opened:
                asyncio.run(bots.play_bot(opened, opened.table.state.to_act))
        assert f"the bot stops: {code}" in caplog.text

    @pytest.mark.parametrize(
        "damage",
        [
            "DELETE FROM events WHERE number = 1",
            "DELETE FROM events WHERE number = 2",
            "UPDATE events SET number = 9 WHERE number = 2",
            "UPDATE events SET event = replace(event, '\"white\"', '\"black\"') WHERE number = 1",
            "UPDATE events SET event = 'x' WHERE number = 0",
            "UPDATE events SET event = '{}' WHERE number = 0",
            "INSERT INTO events SELECT table_id, 3, event, state FROM events WHERE number = 2",
            "UPDATE tables SET events = 2",
            "UPDATE tables SET state = first",
            "UPDATE tables SET state = 'x'",
            "UPDATE tables SET state = replace(state, '\"score\":[0,0]', '\"score\":[2,0]')",
            "UPDATE tables SET first = '[]'",
            "UPDATE tables SET first = replace(first, '\"length\":3', '\"length\":5')",
            "DELETE FROM seats WHERE player = 'black'",
            "DROP TABLE seats",
            "UPDATE seats SET name = CAST(x'ff41' AS TEXT) WHERE player = 'black'",
            "UPDATE tables SET state = CAST(x'ff41' AS TEXT)",
            "UPDATE tables SET events = 1 << 62",
        ],
    )
    def test_a_damaged_table_stays_closed_and_nothing_is_overwritten(self, here, damage, caplog) -> None:
        here.black.hear(number=here.white.act("play", str(state_of(here.white.seen).legal_plays[0]))["number"])
        here.black.act("roll")
        with here.site.stopped() as db:
            for other in db.execute("SELECT id FROM tables WHERE id != ?", (here.table.id,)).fetchall():
                db.execute("DELETE FROM tables WHERE id = ?", other)
                db.execute("DELETE FROM events WHERE table_id = ?", other)
            changed = db.execute(damage).rowcount
            assert changed != 0
        with here.site.stopped() as db:
            before = list(db.iterdump())
        for token in (*here.table.tokens.values(), None):
            tab = here.site.knock(here.table.id, token, ORIGIN)
            assert tab.hear("refused")["code"] == "damaged"
            assert tab.end() == 1008
        assert f"table '{here.table.id}' is damaged" in caplog.text
        with here.site.stopped() as db:
            assert [*db.iterdump()] == before or damage.startswith("DROP")

    def test_a_database_belongs_to_one_server(self, here, monkeypatch) -> None:
        monkeypatch.setattr(storage.sqlite3, "connect", lambda *a, c=sqlite3.connect, **k: c(*a, timeout=0, **k))
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            storage.Storage(here.site.database)

    def test_many_tables_at_once(self, site) -> None:
        """Each goes its own way, and all are as they were after a restart."""
        one = site()
        made = [one.table(1) for _ in range(8)]
        tabs = [one.both(table) for table in made]
        games = [play_on(pair) for pair in tabs]
        for _ in range(6):
            for game in games:
                next(game)
        seen = []
        for pair in tabs:
            number = max(tab.seen["number"] for tab in pair.values())
            white = pair[Player.WHITE]
            seen.append((white.seen if white.seen["number"] == number else white.hear(number=number))["state"])
        one.restart()
        assert [one.tab(table, None).seen["state"] for table in made] == seen

    def test_a_server_killed_in_mid_write(self, tmp_path, monkeypatch) -> None:
        """What anybody was told of is stored; what was being written is there whole, or not at all."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        one, database = f"127.0.0.1:{port}", tmp_path / "tables.sqlite"
        made = {}
        for seed in range(2):
            with processes.running(sys.executable, PROGRAM, database, port, seed) as process:
                wait_for(port, process)
                made = made or made_at(one)
                with connect(f"ws://{one}/tables/{made['table']}", origin=f"http://{one}") as person:
                    person.send(json_text({"token": TOKEN}))
                    seen = {"number": -1}
                    for _ in range(15):
                        seen = newer(person, seen["number"])
                        if asked := asked_by_white(seen):
                            person.send(json_text({"after": seen["number"]} | asked))
                    process.kill()  # while it carries out what was just sent, or the bot acts
                    process.wait(timeout=20)
            with contextlib.closing(storage.Storage(database)) as stored:
                assert stored.load(made["table"]).number >= seen["number"] > 0
                (first,) = stored.db.execute("SELECT first FROM tables").fetchone()
                log = stored.db.execute("SELECT event FROM events ORDER BY number LIMIT ?", (seen["number"],))
                state = json.loads(first, MatchState)
                for (event,) in log:
                    state = state.apply(json.loads(event, Event))
            assert state == state_of(seen)


ASKED = json_text({"name": "Ann", "token": TOKEN, "length": 1, "against": "bot"}).encode()
HEAD = b"HTTP/1.1\r\nHost: x\r\nOrigin: %b\r\n" % SITE.encode()
GET = b"GET / " + HEAD + b"\r\n"
POST = b"POST /tables " + HEAD
UPGRADE = b"GET /tables/%b " + HEAD + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
UPGRADE += b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def framed(message: bytes, opcode: int = 0x81) -> bytes:
    """A short WebSocket message of a client, with a mask of zeros."""
    return bytes([opcode, 0x80 | len(message)]) + bytes(4) + message


HELLO = framed(b'{"token": null}')


async def reply_to(port: int, *parts: bytes) -> bytes:
    """What a server answers until it closes the connection; nothing, if it cuts it off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.closing(writer), contextlib.suppress(ConnectionError):
        for part in parts:
            writer.write(part)
            await asyncio.sleep(0.01)
        return await reader.read()
    return b""


def newer(client: Any, number: int) -> dict[str, Any]:
    """What a client is told about the next event."""
    while (seen := json_of(client.recv(timeout=20)))["type"] != "table" or seen["number"] <= number:
        pass
    return seen


def asked_by_white(seen: dict[str, Any]) -> dict[str, Any] | None:
    """What White does, as the bot would, if it is White's turn."""
    if seen["to_act"] != "white":
        return None if seen["to_act"] else {"do": "next_game"}
    return dict(zip(("do", "argument"), asked_by_bot(state_of(seen)), strict=True))


def wait_for(port: int, process: Any) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, process.stderr.read()
        with contextlib.suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)):
            return
    raise AssertionError("the server does not answer")


def made_at(host: str) -> dict[str, str]:
    """A table with the bot, money play: it is never over."""
    body = json_text({"name": "Ann", "token": TOKEN, "length": None, "against": "bot"}).encode()
    request = urllib.request.Request(f"http://{host}/tables", body, {"Origin": f"http://{host}"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return json_of(response.read())
