"""`examples/own_api`: the server of docs/how-to/an-api-of-your-own.md, asked by fastapi's test client.

tests/browser/test_own_api_client.py has its client in TypeScript.
"""

from __future__ import annotations

import json as python_json
import random
import re
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import gammonrules
import loop
from gammonrules import Event, MatchState, Player, Position, json
from gammonrules.engine import BotError, EngineStartError
from gammonrules.values import MAX_NAMED
from loading import loaded

pytest.importorskip("fastapi", reason="fastapi is not installed")
from fastapi.testclient import TestClient

ROOT = Path(__file__).parents[2]
API = ROOT / "examples" / "own_api" / "api.py"
PAGE = ROOT / "docs" / "how-to" / "an-api-of-your-own.md"
OPENING = MatchState.new(7)
TO_PLAY = OPENING.opening_roll(3, 1)
STATE = json.to_data(TO_PLAY)
JSON = {"Content-Type": "application/json"}


@pytest.fixture
def api() -> Iterator[ModuleType]:
    module = loaded(API)
    module.RNG = random.Random(5)
    yield module
    module.TABLES.clear()


@pytest.fixture
def client(api: ModuleType) -> Iterator[Any]:
    with TestClient(api.app) as client:
        yield client


def problems(answer: Any, status: int) -> list[dict[str, Any]]:
    """What is wrong, in an answer that says no more than that."""
    assert answer.status_code == status, answer.text
    assert answer.text.isascii()
    body = answer.json()
    assert [*body] == ["detail"]
    for problem in body["detail"]:
        assert {"loc", "msg", "type"} <= problem.keys() <= {"loc", "msg", "type", "reason"}
        assert 0 < len(problem["msg"]) < 500
    return body["detail"]


class Seat:
    """A player at a table, who knows what the server has told them."""

    def __init__(self, client: Any, table: str, key: str) -> None:
        self.client, self.address, self.headers = client, f"/tables/{table}", {"key": key}
        self.look()

    def look(self) -> None:
        self.heard(self.client.get(self.address, headers=self.headers))

    def heard(self, answer: Any) -> None:
        assert answer.status_code == 200, answer.text
        seen = answer.json()
        self.number, self.actions = seen["number"], seen["actions"]
        self.losses = seen["losses"]
        self.state = json.from_data(seen["state"], MatchState)

    def send(self, action: str, **more: object) -> Any:
        body = {"after": self.number, "action": action, **more}
        return self.client.post(self.address, json=body, headers=self.headers)

    def log(self) -> list[Event]:
        answer = self.client.get(f"{self.address}/events", headers=self.headers)
        return [json.from_data(event, Event) for event in answer.json()]


def seated(client: Any, length: int = 3) -> list[Seat]:
    """White and Black at a new table."""
    seats = client.post("/tables", json={"length": length}).json()
    return [Seat(client, seats["table"], seats[player]) for player in Player]


# --- state in, state out ----------------------------------------------------------------------------------------------


def test_states_go_in_and_come_out(client: Any) -> None:
    plays = client.post("/plays", json=STATE).json()
    assert plays == [str(play) for play in TO_PLAY.legal_plays]
    event = json.to_data(Event("play", Player.WHITE, plays[0]))
    answer = client.post("/apply", json={"state": STATE, "event": event})
    assert json.loads(answer.content) == TO_PLAY.play(plays[0])


@loop.rows(
    ("change", "loc", "kind"),
    ({"length": "7"}, ["length"], "ParseError"),
    ({"cube": {"value": 3, "owner": None}}, ["cube"], "MatchStateError"),
    ({"position": {"points": [0] * 26, "checkers": 16}}, ["position"], "PositionError"),
    ({"dice": [7, 1]}, ["dice"], "DiceError"),
    ({"rules": STATE["rules"] | {"scoring": "pips"}}, ["rules"], "RulesError"),
    ({"\ud800": 1}, ["'\\ud800'"], "ParseError"),
)
def test_a_wrong_state(client: Any, change: dict[str, Any], loc: list[Any], kind: str) -> None:
    """Our sentence and its place, wherever the state is in the body."""
    wrong = STATE | change
    with pytest.raises(ValueError, match=r"^\$") as caught:
        json.from_data(wrong, MatchState)
    event = json.to_data(Event("play", Player.WHITE, "8/5 6/5"))
    bodies = [("/plays", wrong, []), ("/apply", {"state": wrong, "event": event}, ["state"])]
    for address, body, before in bodies:
        (problem,) = problems(client.post(address, content=python_json.dumps(body), headers=JSON), 422)
        assert problem == {"loc": ["body", *before, *loc], "msg": str(caught.value), "type": kind}


def test_several_wrong_places(client: Any) -> None:
    body = {"state": STATE | {"length": 0.5, "score": 3}, "event": {}}
    wrong = problems(client.post("/apply", json=body), 422)
    assert [problem["loc"][1:] for problem in wrong] == [["state", "score"], ["state", "length"], ["event", "version"]]


# --- tables -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_to_its_end(api: ModuleType, client: Any, seed: int) -> None:
    """Both seats, at random, all that they may; whatever is the server's is refused on the way."""
    api.RNG, rng = random.Random(seed), random.Random(seed + 100)
    seats = seated(client)
    done = set()
    while able := [seat for seat in seats if seat.actions]:
        mover = rng.choice(able)
        action = rng.choice([name for name in mover.actions if name != "resign"] or mover.actions)
        brought: list[dict[str, Any]] = [{"by": "to_act", "starter": "white"}, {"dice": [6, 6]}]
        if action == "play":
            play = rng.choice(mover.state.legal_plays)
            more = {"argument": rng.choice([str(play), [[move.from_point, move.to_point] for move in play.moves]])}
        else:
            more = {"argument": mover.losses[0]} if action == "resign" else {}
            brought += [{"argument": [6, 6]}, {"argument": "white"}, {"argument": json.to_data(TO_PLAY.position)}]
        for wrong in brought:
            assert problems(mover.send(action, **wrong), 422)[0]["type"] in {"ArgumentError", "ParseError"}
        mover.heard(mover.send(action, **more))
        done.add(action)
        for seat in seats:
            seat.look()
    assert done >= {"opening_roll", "roll", "play", "next_game"}
    for seat in seats:
        assert seat.state.winner is not None
        state = MatchState.new(3)
        for event in seat.log():
            state = state.apply(event)
        assert (state, len(seat.log())) == (seat.state, seat.number)


@loop.rows(
    ("position", "losses"),
    (Position.start(), ["single", "gammon"]),
    (Position.of(mine={6: 14}, theirs={6: 15}), ["single"]),
    (Position.of(mine={1: 2}, theirs={6: 15}), []),
)
def test_what_can_still_be_lost_can_be_resigned(position: Position, losses: list[str]) -> None:
    api = loaded(API)
    with TestClient(api.app) as client:
        mover, _ = seated(client)
        (table,) = api.TABLES.values()
        player = table.seats[mover.headers["key"]]
        for level in ("single", "gammon", "backgammon"):
            table.state = MatchState(position, player, "31", length=2)
            mover.look()
            assert (mover.losses, "resign" in mover.actions) == (losses, bool(losses))
            answer = mover.send("resign", argument=level)
            if level in losses:
                assert answer.json()["state"]["offer"]["win"] == level
            else:
                (refused,) = problems(answer, 409)
                assert "what you can still lose" in refused["msg"]


def test_what_is_refused_at_a_table(client: Any) -> None:
    """With the key for translations where a rule forbids it; nothing changes."""
    seats = seated(client)
    seats[0].heard(seats[0].send("opening_roll"))
    for seat in seats:
        seat.look()
    mover, other = sorted(seats, key=lambda seat: "play" not in seat.actions)
    (late,) = problems(
        mover.client.post(mover.address, json={"after": 0, "action": "roll"}, headers=mover.headers), 409
    )
    assert late["type"] == "HTTPException"
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    for seat, action, more, status, kind, reason in [
        (other, "play", {"argument": "8/7"}, 409, "IllegalActionError", "not_your_turn"),
        (mover, "roll", {}, 409, "IllegalActionError", "already_rolled"),
        (mover, "play", {"argument": "24/1"}, 422, "IllegalPlayError", "die_not_rolled"),
        (mover, "play", {"argument": "e2-e4"}, 422, "ParseError", None),
        (mover, "castle", {}, 422, "ArgumentError", None),
        (mover, "play", {"argument": {}}, 422, "ParseError", None),
        (mover, "play", {"argument": deep}, 422, "ArgumentError", None),
        (mover, "play", {"argument": [deep]}, 422, "ArgumentError", None),
    ]:
        (problem,) = problems(seat.send(action, **more), status)
        assert (problem["type"], problem["reason"], problem["loc"]) == (kind, reason, ["body"])
    before = (mover.state, mover.number)
    mover.look()
    assert (mover.state, mover.number) == before


def test_strangers(client: Any) -> None:
    white, _ = seated(client)
    for headers, address, status in [
        ({"key": "x"}, white.address, 403),
        ({}, white.address, 422),
        (white.headers, "/tables/x", 404),
        (white.headers, "/castle", 404),
    ]:
        assert problems(client.get(address, headers=headers), status)
    assert problems(client.put("/tables"), 405)
    assert problems(client.post("/tables", json={"length": 26}), 422)


def test_a_stranger_takes_no_table_in_use(api: ModuleType, client: Any) -> None:
    """Nobody gets a table in place of one of 1,000 others; whoever plays at the oldest one goes on."""
    oldest, *_ = seated(client)
    api.TABLES |= {f"{number}": api.Table(3) for number in range(999)}
    for _ in range(3):
        (refused,) = problems(client.post("/tables", json={"length": 3}), 503)
        assert refused["msg"] == "There is no table for you now."
    oldest.heard(oldest.send("opening_roll"))
    assert len(api.TABLES) == api.MAX_TABLES == 1_000


def test_room_comes_from_what_is_unused(api: ModuleType, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """One table goes for each new one: a match long over, or at which nobody has acted for a day."""
    acting, looking = (seated(client)[0] for _ in range(2))
    api.TABLES |= {f"{number}": api.Table(3) for number in range(998)}
    api.TABLES["7"].state = MatchState.new(1).opening_roll(3, 1).resign().accept()
    assert problems(client.post("/tables", json={"length": 3}), 503)
    made = time.monotonic()
    monkeypatch.setattr(api.time, "monotonic", lambda: made + 601)
    seated(client)
    assert "7" not in api.TABLES
    assert problems(client.post("/tables", json={"length": 3}), 503)
    day = made + 24 * 60 * 60 - 10
    monkeypatch.setattr(api.time, "monotonic", lambda: day)
    assert problems(client.post("/tables", json={"length": 3}), 503)
    acting.heard(acting.send("opening_roll"))
    monkeypatch.setattr(api.time, "monotonic", lambda: day + 100)
    seated(client)
    acting.look()
    assert problems(client.get(looking.address, headers=looking.headers), 404)
    assert len(api.TABLES) == api.MAX_TABLES


def test_the_loser_of_a_full_server_sees_the_end(api: ModuleType, client: Any) -> None:
    white, black = seated(client, 1)
    api.TABLES |= {f"{number}": api.Table(3) for number in range(999)}
    white.heard(white.send("opening_roll"))
    for seat in (white, black):
        seat.look()
    loser, winner = (white, black) if "resign" in white.actions else (black, white)
    loser.heard(loser.send("resign", argument="single"))
    winner.look()
    winner.heard(winner.send("accept"))
    assert problems(client.post("/tables", json={"length": 3}), 503)
    loser.look()
    assert loser.state.winner


def test_the_longest_match(api: ModuleType, client: Any) -> None:
    white, _ = seated(client)
    (table,) = api.TABLES.values()
    table.log += [Event("take")] * api.MAX_EVENTS
    white.look()
    assert problems(white.send("opening_roll"), 409)


def test_an_engine_out_of_order(api: ModuleType, client: Any, caplog: Any) -> None:
    """Why is in the log, and not for strangers."""

    @api.app.get("/hint")
    async def hint(bot: bool) -> None:
        raise BotError("the secret") if bot else EngineStartError("the secret")

    for bot, kind in ((True, "BotError"), (False, "EngineStartError")):
        (problem,) = problems(client.get(f"/hint?bot={bot}"), 503)
        assert problem == {"loc": [], "msg": "No answer now: try again later.", "type": kind}
    assert caplog.messages.count("the secret") == 2


# --- what strangers send ----------------------------------------------------------------------------------------------


@loop.rows(
    ("body", "statuses"),
    (b"[" * 50_000, {400, 422}),
    (b'{"a":' * 10_000, {400, 422}),
    (b"[" * 600 + b"]" * 600, {422}),
    (b'{"cube":' + b"[" * 400 + b"]" * 400 + b"}", {422}),
    (b"9" * 50_000, {400, 422}),
    (b"NaN", {422}),
    (b'{"version":3,"type":"MatchState","length":NaN}', {422}),
    (b'"\\ud800"', {422}),
    (b"\xff\xfe", {400, 422}),
    (b"", {422}),
    (b"{", {422}),
    (b"[" + b"0," * 49_000 + b"0]", {422}),
    (b"{" + b",".join(b'"%d":0' % number for number in range(9_000)) + b"}", {422}),
    (b" " * 100_001, {413}),
)
def test_hostile_bodies(client: Any, body: bytes, statuses: set[int]) -> None:
    """Each is refused in a short answer, and none of it is repeated; the client raises what a server did not expect."""
    white, _ = seated(client)
    for address in ("/plays", "/apply", white.address):
        answer = client.post(address, content=body, headers=JSON | white.headers)
        assert answer.status_code in statuses, (address, answer.text)
        assert len(problems(answer, answer.status_code)) <= MAX_NAMED
        assert len(answer.content) < 5_000


def test_an_endless_body_is_not_read(client: Any) -> None:
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 10**8:
            sent += 10_000
            yield b" " * 10_000

    assert problems(client.post("/plays", content=endless()), 413)


# --- what describes it ------------------------------------------------------------------------------------------------


def references(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from references(value)
    elif isinstance(part, list):
        for item in part:
            yield from references(item)


def test_openapi(api: ModuleType) -> None:
    """No reference leads nowhere, and what is said of a state is what `json.schema` says."""
    described = api.app.openapi()
    schemas = described["components"]["schemas"]
    assert {reference.removeprefix("#/components/schemas/") for reference in references(described)} <= schemas.keys()
    for kind in (MatchState, Event):
        expected = json.schema(kind, references="#/components/schemas/")
        definitions = expected.pop("$defs")
        assert {name: schemas[name] for name in definitions} == definitions
        assert schemas[f"{kind.__name__}Document"] == expected
    operations = {operation["operationId"] for path in described["paths"].values() for operation in path.values()}
    assert operations == {"legal_plays", "apply", "new_table", "look", "events", "act"}


def test_a_body_that_is_not_said_to_be_json(client: Any) -> None:
    """FastAPI does not read it then."""
    (problem,) = problems(client.post("/plays", content=python_json.dumps(STATE)), 422)
    assert (problem["loc"], problem["type"]) == (["body"], "ParseError")


def test_the_page_names_every_status_and_error(api: ModuleType) -> None:
    """Also those that none of its functions has: of the server itself, and for another method."""
    (table,) = re.findall(r"(?ms)^\| error \|.*?\n\n", PAGE.read_text(encoding="utf-8"))
    assert {int(status) for status in re.findall(r"\b[345]\d\d\b", table)} - {405, 500} == {*api.REFUSALS}
    errors = {name for name in gammonrules.__all__ if name.endswith("Error")} | {"EngineError", "BotError"}
    assert errors == {*re.findall(r"`(\w+Error)`", table)} - {"RequestValidationError"}
