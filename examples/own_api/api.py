"""An API of your own: what the rules say of a state, and tables for two.

docs/how-to/an-api-of-your-own.md says what is where, and why.

    python -m pip install ".[examples]"
    uvicorn --app-dir examples/own_api api:app
"""

import json
import logging
import time
from collections.abc import Mapping, Sequence
from secrets import SystemRandom, token_urlsafe
from typing import Annotated, Any

from fastapi import Body, FastAPI, Header, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gammonrules import (
    Event,
    GammonError,
    IllegalActionError,
    MatchState,
    Player,
    Win,
)
from gammonrules.engine import BotError, EngineError

RNG = SystemRandom()
MAX_BODY_SIZE = 100_000  # bytes
MAX_TABLES = 1_000
MAX_EVENTS = 10_000  # a match to 25 without a double has about 5,000

# what asyncio would log without end, with tracebacks, for too many connections
NOISE = "socket.accept() out of system resource"
LOG = logging.getLogger("asyncio")
LOG.addFilter(lambda it: not str(it.msg).startswith(NOISE))


# --8<-- [start:refused]
# --- what is refused -------------------------------------------------------


class Problem(BaseModel):
    """What is wrong: a sentence for people; the rest is for programs."""

    loc: list[str | int]
    msg: str
    type: str
    reason: str | None = None


class Refusal(BaseModel):
    detail: list[Problem]


def refusal(status: int, problems: Sequence[Mapping[str, Any]]) -> Response:
    """An answer in ASCII, whatever a stranger has sent."""
    text = json.dumps({"detail": problems})
    return Response(text, status, media_type="application/json")


async def malformed(_: Request, error: Any) -> Response:
    """The body is not what the API takes; it is not repeated."""
    names = ("loc", "msg", "type")
    problems = [{name: it[name] for name in names} for it in error.errors()]
    return refusal(422, problems)


async def against_the_rules(_: Request, error: Any) -> Response:
    status = 409 if isinstance(error, IllegalActionError) else 422
    problem: dict[str, object] = {
        "loc": ["body"],
        "msg": str(error),
        "type": type(error).__name__,
        "reason": getattr(error, "reason", None),
    }
    return refusal(status, [problem])


async def out_of_order(_: Request, error: Any) -> Response:
    """Why an engine or a bot does not answer is for the log only."""
    logging.getLogger("uvicorn.error").error("%s", error)
    msg = "No answer now: try again later."
    kind = type(error).__name__
    problem: dict[str, object] = {"loc": [], "msg": msg, "type": kind}
    return refusal(503, [problem])


async def not_here(_: Request, error: Any) -> Response:
    msg = str(error.detail)
    kind = "HTTPException"
    problem: dict[str, object] = {"loc": [], "msg": msg, "type": kind}
    return refusal(error.status_code, [problem])


class Bounded:
    """Reads no more of a body than an API needs, endless ones too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(
        self, scope: Scope, receive: Receive, send: Send
    ) -> None:
        left = MAX_BODY_SIZE

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(
                    413, f"A body has up to {MAX_BODY_SIZE} bytes."
                )
            return message

        await self.app(scope, bounded, send)


def name_of(route: APIRoute) -> str:
    """What clients call a function: the name that it has here."""
    return route.name


REFUSALS: Any = {
    status: {"model": Refusal} for status in (400, 403, 404, 409, 413, 422, 503)
}
app = FastAPI(
    title="An API of your own",
    responses=REFUSALS,
    generate_unique_id_function=name_of,
)
app.add_middleware(Bounded)
app.add_exception_handler(RequestValidationError, malformed)
app.add_exception_handler(GammonError, against_the_rules)
app.add_exception_handler(EngineError, out_of_order)
app.add_exception_handler(BotError, out_of_order)
app.add_exception_handler(AnyHTTPException, not_here)

# --8<-- [end:refused]

# --8<-- [start:in_and_out]
# --- state in, state out ---------------------------------------------------


class Step(BaseModel):
    state: MatchState
    event: Event


@app.post("/plays")
async def legal_plays(state: Annotated[MatchState, Body()]) -> list[str]:
    """Every legal play."""
    return [str(play) for play in state.legal_plays]


@app.post("/apply")
async def apply(step: Step) -> MatchState:
    """The state after an event, which brings its dice."""
    return step.state.apply(step.event)


# --8<-- [end:in_and_out]

# --8<-- [start:tables]
# --- tables for two --------------------------------------------------------


class Length(BaseModel):
    length: int = Field(3, ge=1, le=25)


class Seats(BaseModel):
    """A table and the keys of its seats: one is for a friend."""

    table: str
    white: str
    black: str


class Sent(BaseModel):
    """What a player sends: `after` is how many events they have seen.

    Other fields are allowed here, so that `receive` refuses them.
    """

    model_config = ConfigDict(extra="allow")
    after: int
    action: str
    argument: Any = Field(
        None,
        description="a play, as a text or moves, or the level of a resignation",
        json_schema_extra={
            "anyOf": [
                {"type": "string"},
                {
                    "type": "array",
                    "items": {"type": "array", "items": {"type": "integer"}},
                },
                {"type": "null"},
            ]
        },
    )


class Seen(BaseModel):
    """What a player sees: `number` is how many events there are."""

    number: int
    state: MatchState
    actions: list[str]
    losses: list[str] = Field(description="the levels that can be resigned")


class Table:
    def __init__(self, length: int) -> None:
        self.state = MatchState.new(length)
        self.log: list[Event] = []
        self.seats = {token_urlsafe(): player for player in Player}
        self.acted = time.monotonic()

    def seen(self, player: Player) -> Seen:
        actions = {*map(str, self.state.legal_actions_of(player))}
        lost = self.losses(player) if "resign" in actions else set[Win]()
        return Seen(
            number=len(self.log),
            state=self.state,
            actions=sorted(actions if lost else actions - {"resign"}),
            losses=[win.name.lower() for win in sorted(lost)],
        )

    def is_unused(self) -> bool:
        """Whether nobody has acted for a day, or the match is long over.

        Ten minutes are enough for the loser to see the end.
        """
        is_over = self.state.winner is not None
        return time.monotonic() > self.acted + (600 if is_over else 86_400)

    def losses(self, player: Player) -> frozenset[Win]:
        """What a player can still lose, as far as it counts."""
        return self.state.possible_wins(player.opponent)


TABLES: dict[str, Table] = {}
Key = Annotated[str, Header(description="the key of a seat")]


def roll() -> tuple[int, int]:
    return RNG.randint(1, 6), RNG.randint(1, 6)


def seat(name: str, key: str) -> tuple[Table, Player]:
    table = TABLES.get(name)
    if table is None:
        raise HTTPException(404, "There is no such table.")
    if key not in table.seats:
        raise HTTPException(403, "This is not the key of a seat.")
    return table, table.seats[key]


@app.post("/tables")
async def new_table(match: Length) -> Seats:
    """A new table; where there is no room, in place of an unused one."""
    if len(TABLES) == MAX_TABLES:
        unused = (name for name in TABLES if TABLES[name].is_unused())
        if (old := next(unused, None)) is None:
            raise HTTPException(503, "There is no table for you now.")
        del TABLES[old]
    name = token_urlsafe(6)
    TABLES[name] = Table(match.length)
    white, black = TABLES[name].seats
    return Seats(table=name, white=white, black=black)


@app.get("/tables/{name}")
async def look(name: str, key: Key) -> Seen:
    table, player = seat(name, key)
    return table.seen(player)


@app.get("/tables/{name}/events")
async def events(name: str, key: Key) -> list[Event]:
    """The log, which leads from a new match to the state."""
    table, _ = seat(name, key)
    return table.log


@app.post("/tables/{name}")
async def act(name: str, sent: Sent, key: Key) -> Seen:
    """What a player does; dice, starters and boards are the server's."""
    table, player = seat(name, key)
    if sent.after != len(table.log):
        raise HTTPException(409, "Something has happened at the table since.")
    if len(table.log) == MAX_EVENTS:
        raise HTTPException(409, "This match is too long.")
    message = sent.model_dump(exclude={"after"})
    event, after = table.state.receive(message, player, roll=roll)
    if event.action == "resign" and event.argument not in table.losses(player):
        raise HTTPException(409, "You can resign only what you can still lose.")
    table.state = after
    table.log.append(event)
    table.acted = time.monotonic()
    return table.seen(player)


# --8<-- [end:tables]
