"""`examples/web`: whole matches by messages, and every message, request and stored row that must be refused."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import itertools
import random
import re
import secrets
import shutil
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from json import dumps as json_text, loads as json_of
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

import each
import loop
import processes
from gammonrules import Action, Event, MatchState, Play, Player, Position, Win, json
from gammonrules.engine import EngineTerminatedError
from gammonrules.match import Forfeit
from gammonrules.records import Match, dumps, loads, referee, to_html
from gammonrules.rules import BRETTSPIELWELT_SINGLE

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path += [str(EXAMPLES), str(EXAMPLES / "web")]

import analysis  # noqa: E402
import bot  # noqa: E402
import house  # noqa: E402
import opponents  # noqa: E402
import server  # noqa: E402
import storage  # noqa: E402
import tables  # noqa: E402
from fairness import Promise, Throw, binding_of  # noqa: E402

SITE = "http://testserver"
ORIGIN = {"origin": SITE}
TOKEN = "0123456789abcdef" * 4
ASKED = json_text({"name": "Ann", "token": TOKEN, "length": 1, "against": "person", "time_control": "none"})
"""What a page sends for a table."""
GENEROUS = house.Limits(messages=(1_000_000, 1_000_000), tabs=1000, absence=(90, 60))


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
        while True:
            message = self.receive()
            if message["type"] == "table":
                self.seen = message
                assert not message["clock"] or message["clock"]["on_clock"] == message["to_act"]
            if message["type"] == kind and message.get("number", number) >= number:
                return message
            assert message["type"] != "refused", message

    def until(self, is_so: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """What it sees once this is so."""
        while not is_so(self.seen):
            self.hear()
        return self.seen

    def sees(self, name: str) -> Any:
        """What stands there under this name, once something does."""
        return self.until(lambda seen: seen[name])[name]

    def analyzed(self) -> dict[str, Any]:
        """What the analysis says, once it is there."""
        return self.until(lambda seen: isinstance(seen["analysis"], dict))["analysis"]

    def rolls(self) -> dict[str, Any]:
        """What it sees once its player has dice to play."""
        return self.until(lambda seen: seen["to_act"] == seen["you"] and seen["state"]["dice"])

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

    def refused(self) -> str:
        """The code of a refusal after which the connection is closed."""
        code = self.hear("refused")["code"]
        assert self.end() == 1008
        return code

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

    def __init__(
        self, database: Path, seed: int = 1, limits: house.Limits = GENEROUS, pause: float = 0, **bots: Any
    ) -> None:
        self.database, self.limits, self.pause, self.bots = database, limits, pause, bots
        self.rng = random.Random(seed)
        self.start()

    def start(self) -> None:
        options = {"rng": self.rng, "limits": self.limits, "pause": self.pause}
        self.app = server.create_app(self.database, [SITE], **options, **self.bots)
        self.storage = Storage.newest
        self.client = TestClient(self.app)
        self.client.__enter__()
        self.tabs: list[Tab] = []

    def stop(self) -> None:
        self.leave()
        self.client.__exit__(None, None, None)

    def restart(self) -> None:
        self.stop()
        self.start()

    def post(self, path: str, headers: dict[str, str] | None = None, **data: object) -> Any:
        asked = json_text({"token": TOKEN, "time_control": "none"} | data)
        return self.client.post(path, content=asked, headers=ORIGIN if headers is None else headers)

    def post_from(self, host: str) -> int:
        """Ask for a table from this address: the status."""
        return TestClient(self.app, client=(host, 1)).post("/tables", content=ASKED, headers=ORIGIN).status_code

    def wait(self, seconds: float) -> None:
        """So much time passes for clocks, claims and the age of tables."""
        self.storage.time += seconds

    def table(
        self, length: int | None = 3, against: str = "person", time_control: str = "none", **more: Any
    ) -> SimpleNamespace:
        """A new table: its id, its invitation, and the tokens of both seats. With `joins=False` nobody follows it."""
        tokens = {player: secrets.token_hex(32) for player in Player}
        white, black = tokens.values()
        joins = more.pop("joins", against == "person")
        asked = {"name": "Ann", "length": length, "against": against, "time_control": time_control} | more
        made = self.post("/tables", token=white, **asked).json()
        if joins:
            self.post(f"/tables/{made['table']}", name="Bob", token=black, invitation=made["invitation"])
        return SimpleNamespace(id=made["table"], invitation=made["invitation"], tokens=tokens)

    def denied(self, path: str = "/tables", **data: object) -> tuple[int, str]:
        """Ask for what is refused: the status and the code."""
        reply = self.post(path, **{"name": "Ann", "length": 1} | data)
        return reply.status_code, reply.json()["code"]

    def tab(self, table: SimpleNamespace, seat: Player | None) -> Tab:
        tab = self.knock(table.id, None if seat is None else table.tokens[seat], ORIGIN)
        tab.hear()
        return tab

    def knock(self, table: str, token: object, headers: dict[str, str], hello: str | None = None) -> Tab:
        """A connection that says this first, whatever comes of it."""
        tab = Tab(self.client, table, token, headers, hello)
        self.tabs.append(tab)
        return tab

    def leave(self, *tabs: Tab) -> None:
        """These are closed; once nobody is left, the table is in the database only."""
        for tab in tabs or tuple(self.tabs):
            self.tabs.remove(tab)
            tab.leave()

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


class Storage(storage.Storage):
    """One that tests can find, and whose time stands still except where they let it pass."""

    newest: Storage

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        Storage.newest, self.time = self, float(int(super().now()))

    def now(self) -> float:
        return self.time


@pytest.fixture(scope="module", autouse=True)
def no_waiting_for_the_disk() -> Iterator[None]:
    """These servers are not killed; tests/browser/test_web_game_troubles.py does that, with the disk's own pace.

    Nobody needs to send a number for the dice either; `TestDice` is about those who do.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house, "Promise", lambda secret, _: Promise(secret, NUMBERS))
        patch.setattr(storage, "SYNCHRONOUS", "OFF")
        patch.setattr(server, "Storage", Storage)
        patch.setattr(server, "opened", lambda *_: contextlib.nullcontext(({}, None)))  # it starts programs
        yield


PEOPLE = tables.Seat("person", "A"), tables.Seat("person", "B")
NUMBERS = "1" * 40, "2" * 40


@contextlib.contextmanager
def house_at(folder: Path, limits: house.Limits = GENEROUS, **options: Any) -> Iterator[house.House]:
    """Tables in use, without requests and connections."""
    with contextlib.closing(server.Storage(folder / "tables.sqlite")) as stored:
        yield house.House(stored, random.Random(1), limits, **{"pause": 0, "bots": {}} | options)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Callable[..., Site]]:
    """`site(limits=...)` is a server that runs until the test ends."""
    sites: list[Site] = []

    def start(**options: Any) -> Site:
        sites.append(Site(tmp_path / "tables.sqlite", **options))
        return sites[-1]

    yield start
    for started in sites:
        started.stop()


@attrs.define
class Here:
    """A table at which White is to play the opening roll, with a tab of each player."""

    site: Site
    table: SimpleNamespace
    white: Tab
    black: Tab

    def play(self) -> int:
        """White's first play, which both see: its number."""
        return self.black.hear(number=self.white.act(*first_play(self.white))["number"])["number"]

    def resign(self, win: int) -> int:
        """White resigns, and Black accepts."""
        self.black.hear(number=self.white.act("resign", win)["number"])
        return self.white.hear(number=self.black.act("accept")["number"])["number"]


def table_where_white_begins(club: Site, **options: Any) -> Here:
    while True:
        table = club.table(**options)
        tabs = club.both(table)
        seen = tabs[Player.WHITE].seen
        if (seen["to_act"], seen["number"]) == ("white", 1):
            return Here(club, table, *tabs.values())


@pytest.fixture
def here(site: Callable[..., Site]) -> Here:
    """For one test."""
    return table_where_white_begins(site())


@pytest.fixture(scope="module")
def still(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    """For all tests in which nothing may happen."""
    club = Site(tmp_path_factory.mktemp("web") / "tables.sqlite")
    table = table_where_white_begins(club)
    club.leave()
    yield table
    club.stop()


@pytest.fixture
def same(still: Here) -> Iterator[Here]:
    """That table with tabs of this test; after it, the table is as it was."""
    yield Here(still.site, still.table, *still.site.both(still.table).values())
    assert still.site.tab(still.table, Player.WHITE).seen["state"] == still.white.seen["state"]
    still.site.leave()


def state_of(message: dict[str, Any]) -> MatchState:
    return json.from_data(message["state"], MatchState)


def first_play(tab: Tab) -> tuple[str, str]:
    return "play", str(state_of(tab.seen).legal_plays[0])


def asked_by_bot(state: MatchState) -> tuple[Action, Any]:
    decided = bot.choose(state)
    return (decided.action, decided.argument) if isinstance(decided, Event) else (decided, None)


def newest(tabs: dict[Player, Tab]) -> dict[str, Any]:
    """What all these tabs see, once a person is to decide or the match is over."""
    while True:
        seen = max((tab.seen for tab in tabs.values()), key=lambda seen: seen["number"])
        to_act = seen["to_act"]
        goes_on = seen["forced"] or (to_act and seen["kinds"][Player(to_act) is Player.BLACK] == "bot")
        number = seen["number"] + bool(goes_on)
        late = [tab for tab in tabs.values() if tab.seen["number"] < number]
        if not late:
            return seen
        for tab in late:
            tab.hear(number=number)


def play_on(tabs: dict[Player, Tab], most: int = 10_000) -> Iterator[dict[str, Any]]:
    """These people play as the bot would, until the match is over; what they see when one of them is to decide."""
    for _ in range(most):
        yield (seen := newest(tabs))
        if seen["winner"] is not None:
            return
        state = state_of(seen)
        if state.to_act is None:
            for tab in tabs.values():
                tab.ask("next_game")
            for tab in tabs.values():
                tab.hear(number=seen["number"] + 1)
        else:
            tabs[state.to_act].act(*asked_by_bot(state))
    raise AssertionError("the match is not over")


def is_forced(state: MatchState) -> bool:
    """Whether the server does what comes next by itself."""
    if state.phase == "to_play":
        return not state.legal_plays[0].moves
    if bot.end_of_decided(state):
        return True
    return (state.to_act is None and state.result is None) or state.legal_actions == {Action.ROLL, Action.RESIGN}


def log_of(club: Site, table: SimpleNamespace) -> list[Any]:
    with club.stopped() as db:
        rows = db.execute("SELECT event FROM events WHERE table_id = ? ORDER BY number", (table.id,)).fetchall()
    return [json.loads(text) for (text,) in rows]


class TestMatches:
    def test_two_people_play_a_match(self, site) -> None:
        """What is stored makes a record in which the referee finds nothing.

        The server does what nobody has to decide, and nothing else; the clock is of whoever is to act.
        """
        club = site(seed=1)
        table = club.table(3, time_control="tournament")
        tabs = club.both(table)
        seen = list(play_on(tabs))
        assert {each["forced"] for each in seen} == {None}
        final = seen[-1]
        assert tabs[Player.BLACK].seen["state"] == final["state"]
        texts = {name: club.client.get(f"/tables/{table.id}/match.{name}").text for name in ("mat", "html")}
        log = log_of(club, table)
        assert len(log) == final["number"]
        state, before = MatchState.new(3), []
        for event in log:
            before.append(state)
            state = state.apply(event)
        assert {"double", "take", "next_game"} <= {event.action for event in log}
        forced = [state for state in before if is_forced(state)]
        assert {state.phase for state in forced} == {"opening", "to_roll", "to_play", "resigned"}
        assert len(seen) - 1 == len(log) - len(forced)
        match = Match.from_events(("Ann", "Bob"), MatchState.new(3), log)
        assert match.winner == final["winner"]
        assert match.games[-1].result == state_of(final).result
        assert [finding for finding in referee(match) if finding.severity != "info"] == []
        assert texts == {"mat": dumps(match), "html": to_html(match)}

    def test_a_decided_game_ends_after_the_play_that_decides_it(self, site) -> None:
        """By two ordinary events, which are told with it; the clock stops, and the page still shows that play."""
        club = site()
        first = MatchState(Position.of(mine={"off": 11, 1: 4}, theirs={13: 15}), Player.WHITE, "21", length=3)
        table = club.table(3, "bot", xgid=first.xgid, time_control="tournament")
        ann = club.tab(table, Player.WHITE)
        assert (ann.seen["actions"], ann.refusal("resign", 1)) == (["play"], "not_lost")
        seen = ann.act("play", [[1, 0], [1, 0]])
        assert [(told["do"], told["by"]) for told in seen["told"][-2:]] == [("decided", "black"), ("accept", "white")]
        assert seen["play"] == [[1, 0], [1, 0]]
        assert seen["clock"]["on_clock"] is None
        result = state_of(seen).result
        assert (result.winner, result.win, result.points, result.end) == (Player.WHITE, Win.GAMMON, 2, "resigned")
        club.restart()
        again = club.tab(table, Player.WHITE).seen
        assert (again["state"], again["told"], again["play"]) == (seen["state"], seen["told"], seen["play"])

    def test_a_game_of_pips_is_played_out(self) -> None:
        """Its points are open until the last roll."""
        board = Position.of(mine={"off": 11, 1: 4}, theirs={13: 15})
        state = MatchState(board, Player.WHITE, "21", rules=BRETTSPIELWELT_SINGLE)
        table = tables.Table("", state, PEOPLE, Promise(b"", NUMBERS))
        assert [event.action for event, _ in table.steps(Player.WHITE, "play", "1/off(2)")] == ["play"]

    def test_a_bot_that_has_thought_too_long_thinks_anew(self, site) -> None:
        is_thinking, has_thought = threading.Event(), threading.Event()

        def choose(state: MatchState) -> Event | Action:
            is_thinking.set()
            assert has_thought.wait(20)
            return bot.choose(state)

        club = site(bot=choose)
        ann = club.tab(club.table(1, "bot"), Player.WHITE)
        if ann.seen["to_act"] == "white":
            ann.act(*first_play(ann))
        assert is_thinking.wait(20)
        ann.act("resign", 1)
        has_thought.set()
        assert ann.sees("winner") == "black"

    def test_a_rematch_is_one_new_table_with_the_same_people(self, here, monkeypatch) -> None:
        """If it cannot be stored, it may be asked for again."""
        assert here.white.refusal("rematch") == "match_not_over"
        here.resign(3)
        here.white.ask("rematch")
        assert here.black.until(lambda seen: seen["agreed"])["successor"] is None
        monkeypatch.setattr(storage.Storage, "add", fail)
        assert here.black.refusal("rematch") == "storage"
        monkeypatch.undo()
        for tab in (here.black, here.black, here.white):  # again and again, it is one rematch
            tab.ask("rematch")
        (successor,) = {tab.sees("successor") for tab in (here.white, here.black)}
        seen = here.site.tab(SimpleNamespace(id=successor, tokens=here.table.tokens), Player.BLACK).seen
        assert (seen["names"], seen["you"], seen["state"]["score"]) == (["Ann", "Bob"], "black", [0, 0])
        assert seen["number"] >= 1  # the opening roll

    def test_the_next_game_of_a_match_begins_by_itself(self, here) -> None:
        """After a while in which both can look at the last; at once if both want to go on, or after a restart."""
        number = here.resign(1)
        here.black.ask("next_game")
        ends_in = here.white.until(lambda seen: seen["agreed"])["next_game"]
        assert ends_in == pytest.approx(here.site.limits.intermission, abs=0.005)
        here.site.wait(ends_in - 0.01)
        assert here.white.refusal("roll") == "game_over"
        here.site.restart()
        white = here.site.tab(here.table, Player.WHITE)
        here.site.wait(here.site.limits.intermission)
        assert white.refusal("roll") == "stale"
        assert white.until(lambda seen: seen["number"] > number)["state"]["score"] == [0, 1]
        assert white.seen["next_game"] is None

    def test_against_a_bot_the_next_game_begins_when_the_person_wants(self, site) -> None:
        ann = at_the_bots_table(site(), 3)
        ann.act("resign", 2)
        assert ann.until(lambda seen: seen["state"]["result"])["crawford_next"]
        assert ann.seen["next_game"] is None
        assert ann.act("next_game")["state"]["crawford"]


def fails(_: MatchState) -> Event | Action:
    raise EngineTerminatedError("Sage: it was closed")


class TestBots:
    def test_one_chooses_a_bot_by_its_name(self, site) -> None:
        """The first one, unless another is asked for."""
        fails.about = "never there"  # type: ignore[attr-defined]
        club = site(bot={"A": bot.choose, "B": fails}, pause=1000)
        lengths = [None, *range(1, 26)]
        assert club.client.get("/bots.json").json() == {"bots": [["A", ""], ["B", "never there"]], "lengths": lengths}
        tables = [club.table(1, "bot", **asked) for asked in ({}, {"bot": "B"})]
        assert [club.tab(table, None).seen["names"][1] for table in tables] == ["A", "B"]
        for other in "C", 7, None, ["A"]:
            assert club.denied(against="bot", bot=other) == (400, "no_such_bot")

    @pytest.mark.parametrize("is_missing", [False, True])
    def test_the_simple_bot_takes_the_seat_of_a_program_that_fails(self, site, caplog, is_missing) -> None:
        """Or that is not there any more; the match goes on, and everybody sees who plays now."""
        club = site(bot={"Sage": fails}, seed=3)
        table = club.table(1, "bot")
        if is_missing:
            club.bots["bot"] = {"Other": fails}
            club.restart()
        ann = club.tab(table, Player.WHITE)
        assert list(play_on({Player.WHITE: ann}))[-1]["winner"]
        assert ann.seen["names"] == ["Ann", "Simple bot"]
        assert len([line for line in caplog.messages if line.startswith("Sage: ")]) == 1

    def test_a_bot_may_return_plays_and_dice_of_its_own(self, site, caplog) -> None:
        """It plays what it returns, and the dice are the table's."""

        def plays(state: MatchState) -> Any:
            if state.phase == "to_play":
                return state.legal_plays[0]
            return Event("roll", argument=(6, 6)) if state.phase == "to_roll" else Action.DROP

        club = site(bot=plays, seed=3)
        table = club.table(1, "bot")
        assert list(play_on({Player.WHITE: club.tab(table, Player.WHITE)}))[-1]["winner"]
        assert caplog.messages == []
        thrown = {event.argument for event in log_of(club, table) if event.action == "roll"}
        assert len(thrown) > 3

    def test_a_bot_that_says_nothing_stops_its_table(self, site, caplog) -> None:
        club = site(bot=lambda _: None, seed=3)
        ann = club.tab(club.table(1, "bot"), Player.WHITE)
        if ann.seen["to_act"] == "white":
            ann.act(*first_play(ann))
        for _ in range(1_000):
            if not caplog.messages:
                time.sleep(0.01)
        (said,) = caplog.messages
        assert "BotError" in said
        assert "None" in said

    def test_a_resignation_that_is_declined_is_not_offered_again_in_this_turn(self, site) -> None:
        def resigns(state: MatchState) -> Event | Action:
            return Event("resign", state.to_act, 1) if state.phase == "to_roll" else bot.choose(state)

        club = site(bot=resigns)
        ann = club.tab(club.table(5, "bot"), Player.WHITE)
        if ann.seen["to_act"] == "white":
            ann.act(*first_play(ann))
        seen = ann.until(lambda seen: "decline" in seen["actions"] or seen["to_act"] == "white")
        while "decline" not in seen["actions"]:
            ann.act(*asked_by_bot(state_of(seen)))
            seen = ann.until(lambda seen: "decline" in seen["actions"] or seen["to_act"] == "white")
        number = ann.act("decline")["number"]
        assert ann.hear(number=number + 1)["state"]["dice"]

    def test_a_game_goes_on_from_a_position(self, site) -> None:
        """With the person to act, as White, and with the same picture on the start page."""
        club = site(pause=1000)
        for state in (
            MatchState.new(5, score=(1, 2)).opening_roll(3, 1),
            MatchState.new(5, score=(1, 2)).opening_roll(1, 3).play("8/5 6/5").double(),
            MatchState.new(None).opening_roll(1, 3),
        ):
            seen = club.tab(club.table(9, "bot", xgid=state.xgid), Player.WHITE).seen
            asked = state if state.to_act is Player.WHITE else state.swap_players()
            assert (state_of(seen), seen["to_act"]) == (MatchState.from_xgid(asked.xgid), "white")
            pictures = seen["svg"], club.client.get("/start.svg", params={"xgid": state.xgid}).text
            assert len({re.sub("<title>.*?</desc>", "", picture, flags=re.DOTALL) for picture in pictures}) == 1
        over = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:5:4:0:5:10"
        long = MatchState.new(64).opening_roll(3, 1).xgid
        assert club.client.get("/start.svg", params={"xgid": long}).status_code == 400
        for wrong in "", "XGID", "XGID=" + "-" * 26 + ":0:0:1:00:0:0:0:5:10", over, long, 7, ["x"], "\ud800":
            assert club.denied(against="bot", xgid=wrong) == (400, "unreadable")


class Sage:
    """A tutor of the tests: every play is as good as the first, or loses 0.2."""

    key, name = "sage", "Sage, 2-ply"

    def choices(self, state: MatchState, also: Any = ()) -> list[tuple[str, float]]:
        plays = state.legal_plays
        best, *others = [plays[0], *map(plays.find, also or plays[1:2])]
        return [(str(best), 0.0), *((str(play), 0.2) for play in others if play != best)]

    def chances(self, state: MatchState) -> list[float]:
        return [0.6, 0.2, 0.1]


class Mute(Sage):
    def choices(self, state: MatchState, also: Any = ()) -> list[tuple[str, float]]:
        raise EngineTerminatedError("Sage: it was closed")


def at_the_bots_table(club: Site, length: int = 1, **more: str) -> Tab:
    """A tab of the person who is to play against a bot."""
    while True:
        ann = club.tab(club.table(length, "bot", **more), Player.WHITE)
        if ann.seen["to_act"] == "white":
            return ann


class TestHypergammon:
    @pytest.fixture
    def tables_of(self, site, tmp_path) -> Iterator[Callable[[int | None], Site]]:
        """`tables_of(length)` is a server whose table is of matches to so many points, or of money play."""
        with contextlib.ExitStack() as stack:

            def start(length: int | None) -> Site:
                hypergammon = pytest.importorskip("gammonrules.hypergammon")
                hypergammon.solve(file := str(tmp_path / "one.table"), 1, length=length).close()
                rules, lengths = opponents.solved(file)
                limits = attrs.evolve(GENEROUS, lengths=lengths)
                bots, tutor = stack.enter_context(opponents.opened(table=file))
                return site(limits=limits, bot=bots, tutor=tutor, rules=rules)

            yield start

    def test_what_the_table_does_not_know_is_refused(self, tables_of) -> None:
        club = tables_of(1)
        for asked, sentence in [
            ({"length": 3}, "Here one plays matches to at most 1 points."),
            ({"length": None}, "Here one plays matches to at most 1 points."),
            ({"length": 1, "xgid": MatchState.new(1).opening_roll(3, 1).xgid}, "A position to play on from"),
        ]:
            reply = club.post("/tables", name="Ann", against="bot", **asked)
            assert reply.status_code == 400
            assert sentence in reply.json()["message"]
        state = MatchState.new(1, rules=club.bots["rules"]).opening_roll(3, 1)
        again = at_the_bots_table(club, xgid=state.xgid)
        assert state_of(again.seen) == state

    def test_a_rematch_is_the_same_game(self, tables_of) -> None:
        club = tables_of(1)
        ann = at_the_bots_table(club)
        ann.act("resign", 2)
        ann.sees("winner")
        ann.ask("rematch")
        successor = ann.sees("successor")
        rules = state_of(club.tab(SimpleNamespace(id=successor), None).seen).rules
        assert rules.start == "hypergammon1"


class TestTutor:
    def test_a_hint_and_what_a_play_loses(self, site) -> None:
        """To who is to act against a bot; the judge is named."""
        ann = at_the_bots_table(site(tutor=Sage(), pause=1000))
        best, second, *_ = state_of(ann.seen).legal_plays
        asked = [
            ("hint", None),
            ("judge", str(second)),
            ("judge", [[move.from_point, move.to_point] for move in second.moves]),
        ]
        for do, argument in asked:
            ann.ask(do, argument)
            answer = ann.hear(do)
            assert answer["choices"] == [[str(best), 0.0], [str(second), 0.2]]
            assert (answer["by"], answer["number"]) == ("Sage, 2-ply", ann.seen["number"])
            assert answer["chances"] == ([0.6, 0.2, 0.1] if do == "hint" else [])
        assert ann.seen["tutor"]
        for wrong in None, "24/1", [[1]], 7, [[[[]]]]:
            assert ann.refusal("judge", wrong)
        assert ann.refusal("hint", after=0) == "stale"

    def test_who_gets_no_hint(self, site) -> None:
        """Nobody against a person, or while it is the other's turn, or who only watches."""
        club = site(tutor=Sage(), pause=1000)
        here = table_where_white_begins(club)
        assert here.white.refusal("hint") == "no_tutor"
        assert here.black.refusal("hint") == "not_your_turn"
        assert club.tab(here.table, None).refusal("hint") == "spectator"
        club.bots["tutor"] = Mute()
        club.restart()
        assert at_the_bots_table(club).refusal("hint") == "no_tutor"
        del club.bots["tutor"]
        club.restart()
        assert at_the_bots_table(club).refusal("judge") == "no_tutor"


ANALYSIS = """
import gzip, json, sys, time
lines = list(iter(lambda: sys.stdin.readline().strip(), ""))
{}
said = json.dumps({{"by": sys.argv[1], "rates": [1.5, None]}}).encode()
sys.stdout.buffer.write(said + b"\\n" + gzip.compress(lines[-1].encode()))
"""

SLOW = """
import os, sys, time
from pathlib import Path
sys.path.append({folder!r})
import analysis
def slow(key):
    Path("beginning").write_text(str(os.getpid()))
    Path("beginning").rename({begun!r})
    time.sleep(60)
analysis.Tutor = slow
analysis.main()
"""


class TestAnalysis:
    @pytest.fixture
    def program(self, tmp_path, monkeypatch) -> Callable[[str], None]:
        """What analyzes, which does this before it answers."""

        def write(text: str = "") -> None:
            (tmp_path / "analysis.py").write_text(ANALYSIS.format(text))

        monkeypatch.setattr(analysis, "PROGRAM", str(tmp_path / "analysis.py"))
        write()
        return write

    def test_a_match_that_is_over_analyzed(self, site, program) -> None:
        """Its page is then the analyzed one, after a restart too."""
        club = site(tutor=Sage())
        here = table_where_white_begins(club, length=1)
        page = club.client.get(f"/tables/{here.table.id}/match.html").text
        assert here.white.refusal("analyze") == "no_analysis"
        here.resign(1)
        said = here.white.analyzed()
        assert said == {"by": "sage", "rates": [1.5, None]}
        for _ in range(2):
            analyzed = club.client.get(f"/tables/{here.table.id}/match.html")
            assert '"accept"' in analyzed.text != page
            assert analyzed.headers["content-security-policy"] == "frame-ancestors 'none'"
            club.restart()
            assert club.tab(here.table, None).seen["analysis"] == said

    def test_a_game_of_money_play_analyzed_on_request(self, site, program) -> None:
        """What is played after it, is not in the page, which is then the plain one again."""
        club = site(tutor=Sage())
        here = table_where_white_begins(club, length=None)
        here.resign(1)
        assert here.white.seen["analysis"] is None
        here.white.ask("analyze")
        here.black.ask("analyze")
        here.white.analyzed()
        for tab in (here.white, here.black):
            tab.ask("next_game")
        assert here.white.until(lambda seen: not seen["state"]["result"])["analysis"] is None
        assert "<!DOCTYPE" in club.client.get(f"/tables/{here.table.id}/match.html").text

    @pytest.mark.parametrize("how", ["sys.exit(1)", "print('x'); sys.exit()", "time.sleep(60)"])
    def test_an_analysis_that_fails_can_be_asked_for_again(self, site, program, how, caplog) -> None:
        """Whether the program ends, says nonsense, or is late: then it is ended."""
        program(how)
        club = site(tutor=Sage(), limits=attrs.evolve(GENEROUS, analyses=(1, 0.5)))
        here = table_where_white_begins(club, length=1)
        here.resign(1)
        assert here.white.until(lambda seen: seen["analysis"] == "failed")
        assert f"table {here.table.id} is not analyzed" in caplog.text
        program()
        club.limits = GENEROUS
        club.restart()
        white = club.tab(here.table, Player.WHITE)
        white.ask("analyze")
        assert white.analyzed()

    def test_it_ends_with_the_server_even_if_that_is_killed(self, tmp_path) -> None:
        """So does its engine, which is guarded. Here it thinks for long, and writes which process is its own."""
        begun, folder, lines = (
            tmp_path / "begun",
            str(Path(analysis.__file__).parent),
            ['["Ann", "Bob"]', json.dumps(MatchState.new(1))],
        )
        (tmp_path / "slow.py").write_text(SLOW.format(folder=folder, begun=str(begun)))
        asking = f"import sys; sys.path.append({folder!r}); import analysis, asyncio; analysis.PROGRAM = 'slow.py'"
        program = f"{asking}; asyncio.run(analysis.made('gnubg', {lines!r}, 60))"
        with processes.running(sys.executable, "-c", program, cwd=tmp_path) as asker:
            processes.wait_until(begun.exists)
            asker.kill()
            processes.wait_until(lambda: not processes.is_alive(int(begun.read_text())))


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
            assert answer["facts"]["move"] == "/".join(map(str, moves[-1])).replace("25", "bar")
        assert same.white.refusal("why", [[24, 1]], after=0) == "stale"
        assert same.black.refusal("why", [[24, 1]]) == "not_your_turn"
        junk = "24/23", [], [[13]], [["13", 7]], [[True, 7]], [[10**1000, 7]], [[26, 25]]
        assert {same.white.refusal("why", question) for question in junk} == {"unreadable"}
        assert same.white.refusal("why", [[24, 23]] * 200) != "unreadable"


REFUSED = [
    *((do, argument, "unreadable") for do, argument in (("opening_roll", [3, 1]), ("roll", [6, 6]), (None, None))),
    *((do, None, "already_rolled") for do in ("roll", "double")),
    ("take", None, "no_double_pending"),
    ("accept", None, "no_resignation_pending"),
    ("next_game", None, "game_not_over"),
    ("play", "24/1", "die_not_rolled"),
]
"""What `tables.py` refuses, and some of what `receive` does: tests/match/test_messages.py has all of that."""


class TestForgery:
    @loop.over(("do", "argument", "code"), REFUSED)
    def test_what_is_illegal_is_refused_with_the_reason(self, same, do, argument, code) -> None:
        assert same.white.refusal(do, argument) == code

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
        second, number = here.site.tab(here.table, Player.WHITE), here.white.seen["number"]
        second.act(*first_play(second))
        here.white.ask("play", str(state_of(here.white.seen).legal_plays[1]), after=number)  # two tabs are one player
        for after in (number, number - 1, 0):
            second.ask(*first_play(here.white), after=after)
        assert [tab.hear("refused")["code"] for tab in (here.white, second, second, second)] == ["stale"] * 4
        assert here.black.hear(number=number + 1)["state"] == second.seen["state"]

    @loop.rows("after", None, 7, "1", 1.0, True, 10**1000)
    def test_numbers_that_do_not_count(self, same, after) -> None:
        same.white.socket.send_json({"after": after, "do": "resign", "argument": 1})
        assert same.white.hear("refused")["code"] in {"stale", "unreadable"}

    @loop.rows(
        ("code", "text"),
        *(("unreadable", text) for text in (" ", "[]", "null", "\x00", "[" * 1_900)),
        *(("too_long", "x" * size) for size in (2_001, 1_000_000)),
        ("unreadable", b'{"after":1,"do":"resign","argument":1}'),
    )
    def test_what_is_no_message_ends_the_connection(self, same, code, text) -> None:
        first, later = same.site.knock(same.table.id, None, ORIGIN, hello=""), same.site.tab(same.table, Player.WHITE)
        for tab in (first, later):
            tab.socket.send_text(text) if isinstance(text, str) else tab.socket.send_bytes(text)
            assert tab.refused() == code
        same.site.leave(first, later)


class TestSeats:
    def test_only_the_right_token_opens_a_seat(self, site) -> None:
        club = site()
        first, second, waiting = club.table(), club.table(), club.table(joins=False)
        guesses = "guess", "", "x" * 1_900, "\ud800", first.invitation, second.tokens[Player.WHITE]
        for table, token, code in [
            *((first, guess, "no_such_seat") for guess in guesses),
            (waiting, waiting.invitation, "no_such_seat"),
            *((first, no_text, "unreadable") for no_text in (7, True, ["x"], {"x": 1})),
        ]:
            assert club.knock(table.id, token, ORIGIN).refused() == code
        assert club.tab(first, Player.BLACK).seen["you"] == "black"

    def test_an_invitation_is_good_once(self, site) -> None:
        """But whoever has lost the answer, and asks again with their token, gets it again."""
        club = site()
        table = club.table()
        again = {"name": "Bob", "token": table.tokens[Player.BLACK], "invitation": table.invitation}
        assert club.post(f"/tables/{table.id}", **again).json() == {"table": table.id}
        for invitation in (table.invitation, table.tokens[Player.BLACK], "guess", "\ud800"):
            assert club.denied(f"/tables/{table.id}", invitation=invitation) == (400, "no_such_invitation")
        bots = club.table(1, "bot")
        assert club.denied(f"/tables/{bots.id}", invitation="") == (400, "no_such_invitation")
        assert club.tab(table, None).seen["names"] == ["Ann", "Bob"]

    def test_nobody_sits_on_both_sides(self, site) -> None:
        club = site()
        table = club.table()
        own = {"path": f"/tables/{table.id}", "token": table.tokens[Player.WHITE], "invitation": table.invitation}
        assert club.denied(**own)[1] == "own_invitation"
        assert club.post(name="Ann", **own | {"token": table.tokens[Player.BLACK]}).status_code == 200
        assert club.denied(**own)[1] == "own_invitation"

    def test_the_game_begins_when_both_have_sat_down(self, site) -> None:
        club = site()
        table = club.table(joins=False)
        for _ in range(2):
            club.restart()
            ann = club.tab(table, Player.WHITE)
            assert (ann.seen["number"], ann.seen["actions"], ann.seen["kinds"]) == (0, [], ["person", "open"])
            assert ann.refusal("roll") != "unreadable"
        assert club.post(f"/tables/{table.id}", name="Bob", invitation=table.invitation).status_code == 200
        assert ann.hear(number=1)["state"]["dice"] is not None

    def test_no_token_is_stored_and_no_invitation_can_be_guessed(self, site) -> None:
        club = site()
        made = [club.table() for _ in range(5)]
        assert len({table.invitation for table in made}) == len({table.id for table in made}) == 5
        assert min(len(table.invitation) for table in made) >= 43
        club.stop()
        stored = b"".join(path.read_bytes() for path in club.database.parent.iterdir())
        for table in made:
            assert table.id.encode() in stored
            assert not any(token.encode() in stored for token in (*table.tokens.values(), table.invitation))
        club.start()


WRONG_ORIGINS = "game.example", "", "null", "https://", "ftp://a.example", "http://a:x", "http://[", "http://é.example"


class TestRequests:
    @loop.rows("headers", {}, {"origin": "null"}, {"origin": "https://evil.example"}, {"origin": SITE + "."})
    def test_pages_of_others_get_nothing(self, same, headers) -> None:
        club = same.site
        for path in ("/tables", f"/tables/{same.table.id}"):
            assert club.post(path, headers, name="Eve", length=1, against="bot").status_code == 403
        assert club.knock(same.table.id, same.table.tokens[Player.WHITE], headers).refused() == "cross_site"

    @loop.rows(
        ("field", "value"),
        *(
            ("name", name)
            for name in ("", "   ", "x" * 19, "a\nb", "\u202eab", "\ud800", "\u3164\u2800\ufe0f", 7, None)
        ),
        *(("token", token) for token in ("", TOKEN[1:], TOKEN + "\n", TOKEN.upper(), 7)),
        *(("length", length) for length in (0, 26, "5", True, 5.0, 10**1000, None)),
        *(("time_control", name) for name in ("castle", 7, None)),
        ("against", None),
    )
    def test_tables_that_nobody_can_have(self, same, field, value) -> None:
        """Nor money play with a clock."""
        status, code = same.site.denied(**{"against": "person", "time_control": "fast", field: value})
        assert (status, code) == (400, "bad_name" if field == "name" and isinstance(value, str) else "unreadable")

    @loop.rows("body", b"", b"\xff", b"[]", b"x" * 2_001, b"x" * 10**6)
    def test_bodies_that_are_no_request(self, same, body) -> None:
        reply = same.site.client.post("/tables", content=body, headers=ORIGIN)
        assert (reply.status_code, reply.json()["code"]) in {(400, "unreadable"), (413, "too_long")}

    def test_tables_that_are_not_there(self, site) -> None:
        club = site()
        assert club.post("/tables/castle", name="Ann", invitation="x").status_code == 404
        assert club.knock("castle", None, ORIGIN).refused() == "no_such_table"
        for path in ("/tables", "/tables/castle", "/server.py", "/../server.py", "/tables.sqlite", "/page/game.js"):
            assert club.client.get(path).status_code in {404, 405}

    def test_every_response_has_the_headers(self, site) -> None:
        club = site()
        for path in ("/", "/game.js", "/game.css", "/board.js", "/board.css", "/castle"):
            headers = club.client.get(path).headers
            names = ("x-content-type-options", "referrer-policy", "cache-control")
            assert [headers[name] for name in names] == ["nosniff", "no-referrer", "no-store"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["content-security-policy"].startswith("default-src 'none'; ")
        assert club.post("/tables", name="Ann", length=1, against="bot").headers["cache-control"] == "no-store"

    def test_a_fault_of_the_server_has_the_headers_too(self, tmp_path, monkeypatch) -> None:
        """And it says what the page can show, but nothing about the fault."""
        monkeypatch.setattr(house.House, "make", lambda *_: 1 // 0)
        app = server.create_app(tmp_path / "tables.sqlite", [SITE])
        with TestClient(app, raise_server_exceptions=False) as client:
            reply = client.post("/tables", content=ASKED, headers=ORIGIN)
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

    @loop.rows(
        ("host", "port", "address", "origins"),
        ("127.0.0.1", 8000, None, "http://127.0.0.1:8000 http://localhost:8000"),
        ("::1", 8000, None, "http://[::1]:8000 http://127.0.0.1:8000 http://localhost:8000"),
        ("Pi.local", 80, None, "http://pi.local http://127.0.0.1 http://localhost"),
        ("127.0.0.1", 8000, "https://Game.example/", "https://game.example"),
        ("127.0.0.1", 8000, "https://game.example:443", "https://game.example"),
    )
    def test_the_server_knows_its_own_page_by_what_browsers_send(self, host, port, address, origins) -> None:
        """Without the usual port, in lower case, without a slash, and with an IPv6 address in brackets."""
        assert server.origins_of(host, port, address) == {*origins.split()}

    @loop.rows(
        ("option", "value", "sentence"),
        *[("--origin", origin, "such as https://game.example") for origin in WRONG_ORIGINS],
        *[("--port", port, "not a port") for port in ("0", "-1", "99999")],
        *[("--proxy", proxy, "such as 127.0.0.1") for proxy in ("localhost", "*")],
        ("--pause", "long", "invalid float value"),
        ("--database", "/", "it is a folder"),
        ("--database", "/no/such/file", "there is no folder /no/such"),
        ("--database", __file__, "file is not a database"),
        ("--hypergammon", "/no/such/file", "No such file"),
        ("--hypergammon", __file__, "not that of"),
    )
    def test_options_that_cannot_be(self, option, value, sentence, monkeypatch, capsys) -> None:
        monkeypatch.setattr(sys, "argv", ["server.py", option, value])
        with pytest.raises(SystemExit) as ended:
            server.main()
        assert sentence in capsys.readouterr().err + str(ended.value)


class TestLimits:
    def test_an_address_uses_up_its_own_allowance_only(self, site) -> None:
        """A request counts as 10 messages, a connection with its first message as 4; other sites nothing."""
        club = site(limits=house.Limits(messages=(0, 29)))
        table = club.table()
        for _ in range(9):
            assert club.post("/tables", {"origin": "https://evil.example"}).status_code == 403
        tab = club.tab(table, None)
        assert [tab.refusal("roll") for _ in range(6)] == ["spectator"] * 5 + ["too_many"]
        assert tab.end() == 1008
        assert [club.post_from(host) for host in ("testclient", *["192.0.2.7"] * 3)] == [429, 200, 200, 429]

    def test_an_address_has_its_share_of_the_tables(self, site) -> None:
        club = site(limits=house.Limits(tables=(3, 2)))
        hosts = "2001:db8::1", "2001:db8::2:1", "2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:1::1"
        assert [club.post_from(host) for host in hosts] == [200, 200, 503, 200, 503]

    def test_a_match_that_is_over_is_in_nobodys_way(self, site, monkeypatch) -> None:
        """Some of the last can still be looked at."""
        monkeypatch.setattr(storage, "FINISHED", 1)
        club, made = site(limits=house.Limits(tables=(1, 1))), []
        for _ in range(3):
            made.append(club.table(1))
            assert club.post_from("testclient") == 503
            Here(club, made[-1], *club.both(made[-1]).values()).resign(1)
            club.leave()
            club.wait(1)
        assert [club.client.get(f"/tables/{table.id}/match.mat").status_code for table in made] == [404, 200, 200]

    def test_what_is_one_address(self) -> None:
        assert server.household("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::/64"
        assert (server.household("fe80::1%eth0"), server.household("::ffff:192.0.2.1")) == ("fe80::/64", "192.0.2.1")
        assert [server.household(host) for host in ("192.0.2.1", "a socket")] == ["192.0.2.1", "a socket"]

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
        """No spectator puts another one out."""
        club = site(limits=house.Limits(tabs=2))
        table = club.table()
        watchers = [club.tab(table, None) for _ in range(2)]
        assert club.knock(table.id, None, ORIGIN).refused() == "too_many_spectators"
        for player in Player:
            first, *others = [club.tab(table, player) for _ in range(3)]
            assert first.end() == house.TOO_MANY_TABS
            first.socket.send_text("too late to be refused")
            assert [tab.refusal("rematch") for tab in others] == ["match_not_over"] * 2
        assert [tab.refusal("rematch") for tab in watchers] == ["spectator"] * 2

    def test_whoever_must_wait_is_told_why_in_german_too(self) -> None:
        translations = (EXAMPLES / "web" / "page" / "translations.js").read_text("utf-8")
        waiting = {code for code, status in server.STATUS.items() if status in {429, 503}}
        assert {"busy", "too_many", "too_many_spectators"} <= waiting
        assert waiting <= {*re.findall(r"(?m)^    (\w+): ", translations.partition("  refused: {\n")[2])}

    def test_who_connects_must_say_something(self, site) -> None:
        club = site(limits=house.Limits(seconds=0.01))
        assert club.knock("castle", None, ORIGIN, hello="").refused() == "too_late"

    def test_all_addresses_share_the_connections(self, site, monkeypatch) -> None:
        club = site(limits=house.Limits(connections=(3, 2)))
        table = club.table()
        club.both(table)
        assert club.knock(table.id, None, ORIGIN).refused() == "busy"
        club.leave()
        monkeypatch.setattr(server, "address_of", lambda _: secrets.token_hex())
        club.both(table)
        club.tab(table, None)
        assert club.knock(table.id, None, ORIGIN).refused() == "busy"

    def test_whoever_does_not_read_is_cut_off(self, tmp_path) -> None:
        """Whatever they send; and their place is free again."""
        said = iter(["", '{"token": null}', *['{"after": 1, "do": "roll"}'] * 99])

        async def receive() -> dict[str, str]:
            return {"type": f"websocket.{'receive' if (text := next(said)) else 'connect'}", "text": text}

        async def send(message: dict[str, str]) -> None:
            await asyncio.sleep(60 if message["type"] == "websocket.send" else 0)

        with house_at(tmp_path, house.Limits(seconds=0.05)) as rooms:
            path = {"table": rooms.make(MatchState.new(1), PEOPLE, "", "none").id}
            scope = {"type": "websocket", "headers": [(b"origin", SITE.encode())], "path_params": path}
            endpoints = server.Endpoints(rooms, [SITE])
            asyncio.run(asyncio.wait_for(endpoints.socket(WebSocket(scope, receive, send)), 20))
        assert not rooms.waiting

    def test_who_is_declined_can_offer_no_more_than_a_larger_loss_in_that_turn(self, here) -> None:
        """Or else whoever offers the same again after each refusal would keep the other from moving."""
        for win, left in (1, [[2, 2], [3, 3]]), (3, None):
            here.white.hear(number=here.black.act("resign", win)["number"])
            assert here.white.seen["stakes"]["accept"] == [win, 3]
            here.black.hear(number=here.white.act("decline")["number"])
            assert here.black.seen["stakes"].get("resign") == left
            assert here.black.refusal("resign", win) == "resigned"
        here.site.restart()
        here.white, here.black = here.site.both(here.table).values()
        assert "resign" not in here.black.seen["actions"]
        assert here.black.refusal("resign", 3) == "resigned"
        here.play()
        assert here.black.seen["stakes"]["resign"] == [[1, 1], [2, 2], [3, 3]]

    @loop.rows(
        ("xgid", "offered"),
        ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10", [(1, 1), (2, 2), (3, 3)]),
        ("-b----E-C---eE---c-e----B-:1:1:1:31:0:0:0:3:10", [(1, 2), (2, 4)]),
        ("-b----E-C---eE---c-e----B-:0:0:1:31:1:2:1:3:10", [(1, 1)]),
        ("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10", [(1, 1)]),
        ("-BBB-------------------bb-:0:0:1:31:0:0:0:0:10", [(1, 1)]),
        ("-B-----------------o------:0:0:1:31:0:0:0:7:10", None),
    )
    def test_what_can_be_lost_is_offered_and_nothing_else_is_taken(self, xgid, offered) -> None:
        """No more than counts at that score, or with Jacoby's rule; nothing where White can only win."""
        table = tables.Table("", MatchState.from_xgid(f"XGID={xgid}"), PEOPLE, Promise(b"", NUMBERS))
        assert table.stakes(Player.WHITE).get("resign") == offered
        assert ("resign" in table.actions_of(Player.WHITE)) == bool(offered)
        for win in Win:
            if win in dict(offered or ()):
                assert table.steps(Player.WHITE, "resign", int(win))[0][1].offer.win is win
                continue
            with pytest.raises(tables.RefusedError, match="what you can still lose"):
                table.steps(Player.WHITE, "resign", int(win))

    def test_tables_expire(self, site, monkeypatch) -> None:
        """After a week without an action, or half a day without a second player; never while they are in use.

        What counts is how long servers have run: the clock of the wall may jump by years.
        """
        club = site()
        club.table(joins=False)
        club.table()
        other = club.table()
        club.stop()
        monkeypatch.setattr(time, "time", lambda: 9e9)
        week = storage.UNUSED - storage.UNJOINED - 120
        steps = ([], storage.UNJOINED - 60, 3), ([], 120, 2), ([], week, 2), ([other.id], 120, 1), ([], 0, 0)
        for in_use, seconds, left in steps:
            with contextlib.closing(storage.Storage(club.database)) as stored:
                stored.began -= seconds
                stored.expire(in_use)
                assert stored.count("testclient") == (left, left)
                rest = [stored.db.execute(f"SELECT count(*) FROM {name}").fetchone() for name in ("seats", "events")]
        assert rest == [(0,), (0,)]
        club.start()

    def test_a_damaged_time_of_one_table_costs_no_other(self, site) -> None:
        club = site()
        kept, *damaged = [club.table() for _ in range(5)]
        with club.stopped() as db:
            for table, acted in zip(damaged, ("acted + 3e6", "1e300", "9e999", "-1e300"), strict=True):
                db.execute(f"UPDATE tables SET acted = {acted} WHERE id = ?", (table.id,))
        assert club.tab(club.table(), None).seen["number"] >= 1
        assert club.tab(kept, None).seen["number"] >= 1


def fail(*_: object, **__: object) -> None:
    raise sqlite3.OperationalError("disk I/O error")


class TestForcedMoves:
    def test_in_the_pause(self, site) -> None:
        """Nobody can do more than resign, and a server that is started again goes on."""
        club = site(pause=1000)
        here = table_where_white_begins(club, length=1, time_control="fast")
        here.play()
        assert (here.black.seen["forced"], here.black.seen["actions"]) == ("roll", ["resign"])
        here.white.hear(number=here.black.act("resign", 1)["number"])
        assert here.white.seen["forced"] is None
        here.black.hear(number=here.white.act("decline")["number"])
        club.pause = 0
        club.restart()
        assert club.tab(here.table, Player.BLACK).hear(number=5)["state"]["dice"] is not None

    def test_nobody_is_stuck_where_the_log_is_full(self, site, monkeypatch) -> None:
        here = table_where_white_begins(site(), length=1, time_control="fast")
        monkeypatch.setattr(tables, "MAX_EVENTS", 2)
        here.play()
        assert here.black.seen["forced"] is None
        assert here.black.refusal("roll") == "log_full"
        here.white.hear(number=here.black.act("resign", 1)["number"])
        here.black.hear(number=here.white.act("decline")["number"])
        here.site.wait(39)
        assert here.black.refusal("roll") == "stale"
        assert here.black.hear(number=5)["winner"] == "white"


@pytest.fixture
def timed(site: Callable[..., Site]) -> Here:
    """With a fast clock, 90 seconds and 8 a turn."""
    return table_where_white_begins(site(), time_control="fast")


def times(seen: dict[str, Any]) -> list[float]:
    """What White and Black have left, and of the delay."""
    return [*seen["clock"]["left"], seen["clock"]["delay_left"]]


def end_of(tab: Tab) -> tuple[str, str, str]:
    """How the match has ended: who won, by what, and the last words."""
    seen = tab.until(lambda seen: seen["winner"])
    return seen["winner"], seen["state"]["result"]["end"], seen["told"][-1]["do"]


WHITE_IS_LATE = "black", "forfeited", "late"


class TestClocks:
    def test_the_clock_of_a_table(self, timed) -> None:
        """It runs for whoever is to act, while nobody is there too; two tabs of a seat see the same."""
        club, white, black = timed.site, timed.white, timed.black
        for time_control, expected in ("none", None), ("tournament", [360, 360, 12]):
            seen = club.tab(club.table(time_control=time_control), None).seen
            assert (seen["time_control"], seen["clock"] and times(seen)) == (time_control, expected)
        club.wait(20)
        second = club.tab(timed.table, Player.WHITE)
        assert (second.seen["time_control"], times(second.seen)) == ("fast", [78, 90, 0])
        second.act(*first_play(second))
        assert white.refusal(*first_play(white)) == "stale"
        assert times(black.hear(number=2)) == times(second.seen) == [78, 90, 8]
        club.leave()
        club.wait(18)
        assert times(club.tab(timed.table, None).seen) == [78, 80, 0]

    def test_a_restart_costs_nobody_time(self, timed, monkeypatch) -> None:
        """Nor does a computer that was switched off, or a database whose time was lost."""
        club = timed.site
        club.wait(50)
        club.storage.write_time()
        club.stop()
        monkeypatch.setattr(storage, "time", SimpleNamespace(monotonic=lambda: time.monotonic() + 1e6))
        club.start()
        assert times(club.tab(timed.table, None).seen) == [48, 90, 0]
        second = club.tab(timed.table, Player.WHITE)
        second.act(*first_play(second))
        with club.stopped() as db:
            db.execute("PRAGMA user_version = 0")
        assert times(club.tab(timed.table, None).seen) == [48, 90, 8]
        club.wait(18)
        assert times(club.tab(timed.table, None).seen) == [48, 80, 0]

    @pytest.mark.parametrize("late", [False, True])
    def test_a_play_in_the_last_moment(self, timed, late, monkeypatch) -> None:
        """The server decides once which was first: time that passes while it looks at the play changes nothing."""
        club, steps = timed.site, tables.Table.steps
        monkeypatch.setattr(tables.Table, "steps", lambda *sent: (club.wait(5), steps(*sent))[1])
        club.wait(98 if late else 97.5)
        if late:
            assert timed.white.refusal(*first_play(timed.white)) == "stale"
            assert end_of(timed.black) == WHITE_IS_LATE
        else:
            timed.white.act(*first_play(timed.white))
            assert times(timed.black.hear(number=2)) == [0.5, 90, 3]
        club.restart()
        assert club.tab(timed.table, None).seen["number"] == 2
        assert [type(event) for event in log_of(club, timed.table)[1:]] == [Forfeit if late else Event]

    def test_an_end_that_cannot_be_stored_comes_later(self, timed, monkeypatch) -> None:
        """Everybody must connect again, and then the match is over."""
        timed.site.wait(97.99)
        assert timed.black.refusal("take") == "no_double_pending"
        monkeypatch.setattr(storage.Storage, "_write", fail)
        timed.site.wait(0.01)
        assert timed.black.end() == 1012
        monkeypatch.undo()
        assert end_of(timed.site.tab(timed.table, Player.BLACK)) == WHITE_IS_LATE


class TestClaims:
    def test_who_has_left_loses_after_a_minute_of_their_turn(self, here) -> None:
        club, black, watcher = here.site, here.black, here.site.tab(here.table, None)
        assert black.seen["claim"] is None
        assert [tab.refusal("claim") for tab in (here.white, watcher)] == ["not_absent", "spectator"]
        second = club.tab(here.table, Player.WHITE)
        club.leave(here.white)
        assert black.refusal("claim") == "not_absent"
        club.wait(1000)
        club.leave(second)
        assert black.sees("claim") == 60
        club.wait(59.5)
        assert black.refusal("claim") == "too_early"
        white = club.tab(here.table, Player.WHITE)
        club.wait(1)
        assert black.refusal("claim") == "not_absent"
        club.leave(black)
        club.wait(1000)
        assert white.act(*first_play(white))["claim"] == 60
        club.wait(60)
        club.restart()
        white = club.tab(here.table, Player.WHITE)
        assert white.seen["claim"] == 60
        club.wait(60)
        for _ in range(2):
            white.ask("claim")
        assert white.hear("refused")["code"] == "stale"
        assert end_of(club.tab(here.table, None)) == ("white", "forfeited", "left")

    def test_money_play_goes_on_after_a_claim(self, site) -> None:
        club = site()
        here = table_where_white_begins(club, length=None)
        club.leave(here.white)
        club.wait(60)
        seen = here.black.act("claim")
        assert (seen["state"]["result"]["points"], seen["winner"], seen["state"]["score"]) == (1, None, [0, 1])
        white = club.tab(here.table, Player.WHITE)
        for tab in (here.black, white):
            club.wait(1000)  # nobody must go on
            tab.ask("next_game")
        assert white.hear(number=seen["number"] + 1)["state"]["result"] is None

    def test_nobody_wins_by_a_resignation_that_is_not_answered(self, here) -> None:
        here.white.act("resign", 1)
        here.site.leave(here.black)
        here.site.wait(1000)
        assert (here.white.refusal("claim"), here.white.seen["claim"]) == ("not_absent", None)

    def test_nobody_else_is_claimed_from(self, site) -> None:
        """Not the bot, which thinks, nor somebody who has not come yet."""
        club = site(pause=1000)
        ann = club.tab(club.table(1, "bot"), Player.WHITE)
        if ann.seen["to_act"] == "white":
            ann.act(*first_play(ann))
        alone = club.tab(club.table(joins=False), Player.WHITE)
        club.wait(100)
        for tab in (ann, alone):
            assert (tab.seen["claim"], tab.refusal("claim")) == (None, "not_absent")


class TestRecords:
    def test_a_match_can_be_had_as_a_file_and_as_a_page(self, site) -> None:
        """At any time, with whatever names, and what a claim has ended too."""
        club, names = site(), ["\u05d0</script>:1", "0 point match"]
        table = club.table(1, name=names[0], joins=False)

        def records() -> tuple[Match, str]:
            file, page = (club.client.get(f"/tables/{table.id}/match.{form}") for form in ("mat", "html"))
            assert file.headers["content-disposition"] == 'attachment; filename="match.mat"'
            assert page.headers["content-security-policy"] == "frame-ancestors 'none'"
            for reply, kind in (file, "plain"), (page, "html"):
                headers = ("content-type", "x-content-type-options", "cache-control")
                wanted = [f"text/{kind}; charset=utf-8", "nosniff", "no-store"]
                assert [reply.headers[name] for name in headers] == wanted
            assert page.text.count("</script>") == page.text.count("<script")
            return loads(file.text), page.text

        black = {"token": table.tokens[Player.BLACK], "invitation": table.invitation}
        club.post(f"/tables/{table.id}", name=names[1], **black)
        tabs = club.both(table)
        match, _ = records()
        assert (match.players, match.winner, len(match.games)) == (("\u05d0</script>.1", names[1]), None, 1)
        away = Player(newest(tabs)["to_act"])
        club.leave(tabs[away])
        club.wait(60)
        tabs[away.opponent].act("claim")
        match, page = records()
        assert (match.winner, match.games[-1].result.end) == (away.opponent, "forfeited")
        assert "forfeit" in page

    def test_records_that_nobody_gets(self, site, monkeypatch) -> None:
        """Nor do pictures and frames in pages of other sites, which cost their visitors nothing; links are good."""
        club = site(limits=house.Limits(messages=(0, 159)))
        path = f"/tables/{club.table().id}/match."

        def status(path: str, site: str = "same-origin", kind: str = "empty") -> int:
            return club.client.get(path, headers={"sec-fetch-site": site, "sec-fetch-dest": kind}).status_code

        assert [status(path + "html", "cross-site", kind) for kind in ("image", "iframe", "empty")] == [403] * 3
        assert status(path + "exe") == 404
        assert status(path + "mat", "cross-site", "document") == 200
        monkeypatch.setattr(storage.Storage, "log", fail)
        assert status(path + "mat") == 503
        monkeypatch.undo()
        monkeypatch.setattr(server, "MAX_PAGE_LENGTH", 0)
        assert status(path + "html") == 413
        monkeypatch.undo()
        assert status("/tables/castle/match.mat") == 404
        assert [status(path + "html") for _ in range(2)] == [200, 429]

    def test_few_are_written_at_once(self, tmp_path) -> None:
        """Whatever many addresses ask for, the others are refused; afterwards there is room again."""

        async def ask() -> list[Any]:
            with rooms.using(rooms.make(MatchState.new(1), PEOPLE, "", "none").id) as opened:
                return [
                    await asyncio.gather(*(rooms.record(opened.table, dumps) for _ in range(6)), return_exceptions=True)
                    for _ in range(2)
                ]

        with house_at(tmp_path) as rooms:
            for answers in asyncio.run(ask()):
                assert [getattr(answer, "code", None) for answer in answers] == [None] * 4 + ["busy"] * 2


def thrown_by_rule(secret: str, numbers: list[str], number: int) -> list[int]:
    """Two dice as docs/how-to/web-game.md states them, with nothing but SHA-256."""

    def hmac(text: str) -> bytes:
        key = bytes.fromhex(secret).ljust(64, b"\0")
        inner, outer = (bytes(byte ^ pad for byte in key) for pad in (0x36, 0x5C))
        return hashlib.sha256(outer + hashlib.sha256(inner + text.encode()).digest()).digest()

    white, black = numbers
    blocks = b"".join(hmac(f"{white}:{black}:{number}:{block}") for block in range(3))
    return [byte % 6 + 1 for byte in blocks if byte < 252][:2]


class TestDice:
    @pytest.fixture(autouse=True)
    def numbers_have_to_come(self, monkeypatch) -> None:
        monkeypatch.setattr(house, "Promise", Promise)

    @each.first("matches", [4, 20])
    def test_every_throw_of_some_matches_is_proved(self, matches, tmp_path) -> None:
        """Ties of opening rolls too, by a program that shares nothing with the server."""

        def first(state: MatchState) -> Event | Action:
            return Action.ROLL if state.phase == "to_roll" else Event(Action.PLAY, argument=str(state.legal_plays[0]))

        def plays(state: MatchState) -> Play | Action:
            return Action.ROLL if state.phase == "to_roll" else state.legal_plays[0]

        bots = tables.Seat("bot", "A"), tables.Seat("bot", "B")
        with house_at(tmp_path, bots={"A": first, "B": plays}) as rooms:
            for _ in range(matches):
                with rooms.using(rooms.make(MatchState.new(1), bots, "", "none").id) as opened:
                    told = opened.table.seen_by(None)["dice"]
                    asyncio.run(rooms.move_on(opened))
                    proof = rooms.proof(opened.table)
                    match = Match.from_events(
                        ("A", "B"), MatchState.new(1), map(json.loads, rooms.log(opened.table)[1:])
                    )
                assert hashlib.sha256(bytes.fromhex(proof["secret"])).hexdigest() == proof["hash"] == told["hash"]
                assert told["numbers"] == proof["numbers"]
                assert match.rolls == len(proof["throws"])
                for number, text in enumerate(proof["throws"]):
                    dice = thrown_by_rule(proof["secret"], proof["numbers"], number)
                    is_opening = "-" in text
                    assert text == ("-" if is_opening else "").join(
                        map(str, dice if is_opening else sorted(dice)[::-1])
                    )

    def test_both_are_bound_before_a_number_is_shown(self, site) -> None:
        """The hash of the secret stands before, and nobody is told the secret before the end."""
        club = site()
        table = club.table(1)
        white, black = club.both(table).values()
        watcher = club.tab(table, None)
        numbers = {white: "007" + "1" * 40, black: "9" * 60}
        hashes = [binding_of(side, number) for side, number in zip(Player, numbers.values(), strict=True)]
        told = white.seen["dice"]
        assert (white.seen["number"], told["numbers"], told["hashes"]) == (0, [None] * 2, [None] * 2)
        assert len(told["hash"]) == 64
        for wrong in (None, 7, "", "1" * 39, "1" * 61, "-1", "\u0661" * 40, "1" * 40 + "\n", ["1"], "x" * 64, "A" * 64):
            assert [white.refusal(do, wrong) for do in ("bind", "number")] == ["bad_number"] * 2
        assert watcher.refusal("bind", hashes[0]) == "spectator"
        assert white.refusal("number", numbers[white]) == "not_bound"
        white.ask("bind", hashes[0])
        assert black.until(lambda seen: seen["dice"]["hashes"][0])["dice"]["hashes"] == [hashes[0], None]
        assert [white.refusal(do, numbers[white]) for do in ("number", "bind")] == ["not_bound", "number_stands"]
        assert black.refusal("number", numbers[black]) == "not_bound"
        black.ask("bind", hashes[1])
        white.until(lambda seen: seen["dice"]["hashes"][1])
        for tab, number in numbers.items():
            assert tab.refusal("number", "8" * 60) == "not_bound"  # this is not what it was bound to
            tab.ask("number", number)
            tab.until(lambda seen: any(seen["dice"]["numbers"]))
        for tab in numbers:
            tab.sees("to_act")
            assert [tab.refusal(do, "9" * 60) for do in ("bind", "number")] == ["number_stands"] * 2
            assert tab.refusal("number", "9" * 60, after=0) == "stale"
        path = f"/tables/{table.id}/dice.json"
        assert (club.client.get(path).status_code, club.client.get(path).json()["code"]) == (400, "match_not_over")
        club.restart()
        white, black = club.both(table).values()
        white.act("resign", 1)
        black.until(lambda seen: seen["state"]["offer"])
        assert "secret" not in str(white.seen | black.seen)
        black.act("accept")
        proof = club.client.get(path).json()
        assert (proof["hash"], proof["numbers"]) == (told["hash"], [*numbers.values()])
        assert black.seen["dice"]["hashes"] == hashes
        assert proof["throws"][-1] == "-".join(
            map(str, thrown_by_rule(proof["secret"], proof["numbers"], len(proof["throws"]) - 1))
        )

    def test_who_hides_their_number_loses_the_match(self, site) -> None:
        """After a minute, here or not, in a match and in money play; who owes nothing loses nothing."""
        club = site(limits=house.Limits(absence=(60, 600)))
        for length in (3, None):
            table = club.table(length)
            white, black = club.both(table).values()
            for tab in (white, black):
                tab.ask("bind", binding_of(tab.seen["you"], "7" * 40))
            black.until(lambda seen: None not in seen["dice"]["hashes"])
            club.wait(1000)
            assert [tab.refusal("claim") for tab in (white, black)] == ["not_absent"] * 2
            white.ask("number", "7" * 40)
            assert white.sees("claim") == 60
            club.wait(59)
            club.leave(black)
            black = club.tab(table, Player.BLACK)  # coming and going is no way out
            assert white.refusal("claim") == "too_early"
            club.wait(1)
            assert black.refusal("claim") == "not_absent"
            white.act("claim")
            assert white.refusal("claim") == "not_absent"
            if length:
                assert club.client.get(f"/tables/{table.id}/dice.json").json()["throws"] == []
            for _ in range(2):
                seen = club.tab(table, None).seen
                assert (seen["state"]["result"]["winner"], seen["told"][-1]["do"]) == ("white", "hides")
                club.restart()

    def test_a_position_waits_for_the_numbers_too(self, site) -> None:
        """Nothing is thrown from numbers that are still to come."""
        club = site()
        table = club.table(None, "bot", xgid="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
        white = club.tab(table, Player.WHITE)
        assert white.refusal("roll") == "no_number"
        assert white.seen["dice"]["numbers"] == [None, None]  # the bot has one, and White is not bound
        white.ask("bind", binding_of("white", "7" * 40))
        white.until(lambda seen: seen["dice"]["hashes"][0])
        white.ask("number", "7" * 40)
        white.until(lambda seen: seen["dice"]["numbers"][0])
        white.act("roll")

    def test_no_die_is_favored(self) -> None:
        """Of the 256 bytes, 252 are used, 42 for each face."""
        throw = Throw(b"", "")
        throw.bytes = iter(range(256))
        assert Counter(throw.randrange(1, 7) for _ in range(252)) == dict.fromkeys(range(1, 7), 42)
        throw.bytes = iter([252, 255, 3])
        assert throw.randrange(1, 7) == 4


DAMAGES = [
    "DELETE FROM events WHERE number = 2",
    "UPDATE events SET number = 9 WHERE number = 2",
    "UPDATE events SET event = replace(event, '\"white\"', '\"black\"') WHERE number = 1",
    "UPDATE events SET event = 'x' WHERE number = 0",
    "INSERT INTO events SELECT table_id, 3, event, state FROM events WHERE number = 2",
    "UPDATE tables SET state = first",
    "UPDATE tables SET state = replace(state, '\"score\":[0,0]', '\"score\":[2,0]')",
    "UPDATE tables SET first = '[]'",
    "UPDATE tables SET first = replace(first, '\"length\":3', '\"length\":5')",
    "DELETE FROM seats WHERE player = 'black'",
    "DROP TABLE seats",
    "UPDATE seats SET name = CAST(x'ff41' AS TEXT) WHERE player = 'black'",
    "UPDATE tables SET state = CAST(x'ff41' AS TEXT)",
    "UPDATE tables SET events = 1 << 62",
    "UPDATE clocks SET clock = 'x'",
    "UPDATE clocks SET clock = replace(clock, '\"black\"', '\"white\"')",
    "UPDATE clocks SET clock = replace(clock, '90.0', '-1')",
    "UPDATE clocks SET time_control = 'castle'",
    "UPDATE promises SET black = 'x'",
    "DELETE FROM promises",
]


class TestTakeBacks:
    def test_what_was_rolled_stays_rolled(self, site) -> None:
        """Dice that were thrown come again, for both sides. The log holds it all, and the record what stands."""
        club = site()
        table = club.table(1)
        tabs = club.both(table)
        first = tabs[Player(tabs[Player.WHITE].seen["to_act"])]
        second = tabs[Player(first.seen["you"]).opponent]
        begun = first.seen["state"]
        rolls = []
        for play in (0, 1):
            own = str(state_of(first.seen).legal_plays[play])
            first.act("play", own)
            rolls.append(second.rolls()["state"]["dice"])
            first.until(lambda seen: seen["number"] == second.seen["number"])
            if play:
                break
            assert sorted(first.seen["back"], key=bool) == [None, 1]
            assert second.refusal("take_back") == "no_take_back"
            first.ask("take_back")
            assert second.sees("asks_back") == first.seen["you"]
            first.ask("take_back", False)  # they let it stand
            assert second.until(lambda seen: not seen["asks_back"])["denied"] == []
            first.ask("take_back")
            second.sees("asks_back")
            second.ask("take_back", False)
            first.until(lambda seen: seen["asks_back"] is None)
            assert first.refusal("take_back") == "denied"
            _, theirs = first_play(second)
            second.act("play", theirs)
            first.rolls()
            second.until(lambda seen: seen["number"] == first.seen["number"])
            first.ask("take_back")
            second.sees("asks_back")
            assert second.refusal("take_back", "yes") == "unreadable"
            second.act("take_back", True)
            assert first.until(lambda seen: seen["number"] == second.seen["number"])["state"] == begun
            told = first.seen["told"][-1]
            assert (told["do"], told["by"], told["argument"]) == ("take_both_back", first.seen["you"], [own, theirs])
        assert rolls[0] == rolls[1]
        before = first.seen
        club.restart()
        tabs = club.both(table)
        again = tabs[Player(before["you"])].seen
        assert all(again[name] == before[name] for name in ("state", "number", "back"))
        game = loads(club.client.get(f"/tables/{table.id}/match.mat").text).games[0]
        assert len(game.events) < before["number"]
        assert [finding for finding in referee(Match(("A", "B"), 1, (game,))) if finding.severity == "error"] == []
        with club.stopped() as db:
            (texts,) = zip(*db.execute("SELECT event FROM events ORDER BY number"), strict=True)
        assert sum("TakeBack" in text for text in texts) == 1
        assert len(texts) == before["number"]

    def test_nobody_takes_back_what_they_could_not_choose(self) -> None:
        closed = Position.of(mine={"bar": 1, 6: 14}, theirs=dict.fromkeys(range(1, 7), 2) | {8: 3})
        table = tables.Table("", MatchState(closed, Player.WHITE, dice="65"), PEOPLE, Promise(b"", NUMBERS))
        table.apply(Event("play", Player.WHITE, ""))
        assert (table.number, table.turns) == (1, [])

    def test_the_bot_always_agrees(self, site) -> None:
        """But a turn of a game that is over stays. What was thrown and taken back is proved, thrown again or not."""
        club = site(seed=5)
        table = club.table(1, "bot")
        white = club.tab(table, Player.WHITE)
        begun = white.rolls()["state"]
        assert (white.seen["number"], white.refusal("take_back")) == (1, "no_take_back")
        white.act(*first_play(white))
        position = state_of(white.rolls()).position
        assert white.act("take_back")["state"] == begun
        white.act(*first_play(white))
        assert state_of(white.rolls()).position == position
        white.act(*first_play(white))
        throws = [told["argument"] for told in white.rolls()["told"] if "throw" in told]
        white.act("take_back")
        white.act("resign", 1)
        white.sees("winner")
        assert white.refusal("take_back") == "no_take_back"
        proved = club.client.get(f"/tables/{table.id}/dice.json").json()["throws"]
        assert proved == ["-".join(map(str, dice)) if isinstance(dice, list) else dice for dice in throws]


class TestStorage:
    def test_a_server_killed_after_any_event_has_it(self, site, tmp_path_factory) -> None:
        """Whatever anybody was told is in the files already, also a roll whose player has left at once."""
        club, left = site(), tmp_path_factory.mktemp("left")
        table, folder = club.table(1), club.database.parent
        for _ in range(8):
            tabs = club.both(table)
            next(itertools.islice(play_on(tabs), 1, None))
            before = {player: tab.seen for player, tab in tabs.items()}
            shutil.copytree(folder, left, dirs_exist_ok=True)
            club.stop()
            shutil.copytree(left, folder, dirs_exist_ok=True)
            club.start()
            tabs = club.both(table)
            now = {"here": 0, "claim": 0}
            for player, tab in tabs.items():
                assert tab.seen | now == before[player] | now

    def test_what_cannot_be_stored_has_not_happened(self, here, monkeypatch) -> None:
        """Everybody connects again, to the table as it is stored."""
        before = here.white.seen
        monkeypatch.setattr(storage.Storage, "_write", fail)
        assert here.white.refusal("resign", 1) == "storage"
        assert (here.white.end(), here.black.end()) == (1012, 1012)
        monkeypatch.undo()
        here.black.ask("resign", 1)  # it comes too late
        here.site.leave()
        white = here.site.tab(here.table, Player.WHITE)
        assert (white.seen["number"], white.seen["state"]) == (before["number"], before["state"])
        assert white.act("resign", 1)["number"] == before["number"] + 1

    def test_a_table_that_cannot_be_stored(self, site, monkeypatch) -> None:
        club = site()
        for name in ("expire", "count", "add"):
            monkeypatch.setattr(storage.Storage, name, fail)
            assert club.denied(against="bot") == (503, "storage")
            monkeypatch.undo()
        assert club.table().tokens

    def test_an_error_in_passing_is_no_damage(self, tmp_path) -> None:
        with house_at(tmp_path) as rooms:
            made = rooms.make(MatchState.new(1), PEOPLE, "", "none")
            rooms.storage.db.set_progress_handler(lambda: 1, 1)  # every statement is interrupted
            with pytest.raises(tables.RefusedError) as refused, rooms.using(made.id):
                pass
            assert (refused.value.code, server.STATUS[refused.value.code]) == ("storage", 503)
            rooms.storage.db.set_progress_handler(None, 0)
            with rooms.using(made.id) as opened:
                assert opened.table.state.phase == "to_play"

    def test_a_long_log_is_replayed_from_a_state_near_its_end(self, tmp_path, monkeypatch) -> None:
        """So that nobody waits long while a stranger comes to such a table, again and again."""
        replayed: list[Event] = []
        step = tables.Table.apply
        monkeypatch.setattr(tables.Table, "apply", lambda self, *what: (replayed.append(what[0]), step(self, *what)))
        monkeypatch.setattr(storage, "TOLD", 20)
        with house_at(tmp_path) as rooms:
            stored, made = rooms.storage, rooms.make(MatchState.new(1), PEOPLE, "", "none")
            table = stored.load(made.id)
            for _ in range(200):
                by = table.state.to_act
                event = table.state.canonical(Event("decline" if table.state.offer else "resign", by, None))
                stored.append(table, [(event, table.state.apply(event))])
                table.apply(event)
            replayed.clear()
            again = stored.load(made.id)
            assert len(replayed) < 50
            assert (again.number, again.state) == (table.number, table.state)
            assert again.told == table.told[-len(again.told) :]
            stored.db.execute("UPDATE events SET state = 'x' WHERE state IS NOT NULL")
            with pytest.raises(tables.RefusedError, match="damaged"):
                stored.load(made.id)

    @pytest.mark.parametrize(
        ("where", "name", "value", "code"),
        [
            (tables, "MAX_EVENTS", 1, "log_full"),
            (storage.Storage, "append", fail, "storage"),
            (None, "bots", dict.fromkeys("AB", lambda _: 1 // 0), "ZeroDivisionError"),
            (None, "bots", dict.fromkeys("AB", lambda _: Action.TAKE), "IllegalActionError"),
        ],
    )
    def test_a_bot_that_is_refused_stops(self, tmp_path, monkeypatch, caplog, where, name, value, code) -> None:
        """It says so, and leaves no error that nobody fetches. Whoever connects wakes it again."""
        with house_at(tmp_path) as bots:
            made = bots.make(MatchState.new(1), (tables.Seat("bot", "A"), tables.Seat("bot", "B")), "", "none")
            monkeypatch.setattr(where or bots, name, value)
            with bots.using(made.id) as opened:
                asyncio.run(bots.move_on(opened))
        assert f"stops: {code}" in caplog.text

    def test_a_damaged_table_stays_closed_and_nothing_is_overwritten(self, tmp_path, caplog) -> None:
        with house_at(tmp_path) as rooms:
            rooms.rng = random.Random(5)  # White begins
            table = rooms.make(MatchState.new(3), PEOPLE, "", "fast")
            stored = rooms.storage.load(table.id)
            for do in ("play", "roll"):
                play = str(stored.state.legal_plays[0]) if do == "play" else None
                steps = stored.steps(stored.state.to_act, do, play)
                rooms.storage.append(stored, steps, clock=house.clock_after(stored, steps, 0))
                stored.apply(*steps[0])
        (tmp_path / "copy").mkdir()
        for damage in DAMAGES:
            copy = shutil.copy(tmp_path / "tables.sqlite", tmp_path / "copy")
            with contextlib.closing(sqlite3.connect(copy)) as db:
                db.text_factory = lambda text: text.decode(errors="replace")
                assert db.execute(damage).rowcount != 0
                db.commit()
                before = list(db.iterdump())
            with house_at(tmp_path / "copy") as rooms:
                with pytest.raises(tables.RefusedError) as refused, rooms.using(table.id):
                    pass
                assert (damage, refused.value.code) == (damage, "damaged")
            with contextlib.closing(sqlite3.connect(copy)) as db:
                db.text_factory = lambda text: text.decode(errors="replace")
                assert [*db.iterdump()] == before or damage.startswith("DROP")
        assert f"table '{table.id}' is damaged" in caplog.text

    def test_a_database_belongs_to_one_server(self, here, monkeypatch) -> None:
        monkeypatch.setattr(storage.sqlite3, "connect", lambda *a, c=sqlite3.connect, **k: c(*a, timeout=0, **k))
        monkeypatch.setattr(sys, "argv", ["server.py", "--database", str(here.site.database)])
        with pytest.raises(SystemExit, match="another server has it open"):
            server.main()
