"""A server of another making speaks the protocol of docs/how-to/web-game.md, and cheats in each way that it can."""

from __future__ import annotations

import functools
import hashlib
import hmac
import json
import re
from collections.abc import Callable
from typing import Any

import pytest

import web_game
from gammonrules import Event, MatchState, Phase, Player
from gammonrules.match import Forfeit
from web_game import TOKENS, Seat, Table, choose, expect

server = web_game.server  # a fixture
SECRET, OTHER = bytes(range(32)), bytes(32)
BOTH = "5" * 60, "6" * 60  # Black's number, and one that fits no hash


def hash_of(side: str, number: str) -> str:
    return hashlib.sha256(f"{side}:{number}".encode()).hexdigest()


def thrown(secret: bytes, white: str, black: str, number: int) -> tuple[int, int]:
    """A throw by the rule of the page; the first 32 bytes are enough in these matches."""
    block = hmac.digest(secret, f"{white}:{black}:{number}:0".encode(), "sha256")
    first, second, *_ = [byte % 6 + 1 for byte in block if byte < 252]
    return first, second


class Rogue:
    """It has a match played by itself, and lets the page that sits there as White look on. This one is honest."""

    secret = SECRET
    number = BOTH[0]
    """Black's."""
    throws_seen = 6

    def __init__(self) -> None:
        seats = Seat("person", "Ann", b""), Seat("bot", "Bot")
        self.table = Table("rogue", MatchState.new(1), seats)
        self.binding: str | None = None
        self.white: str | None = None
        """White's number."""
        self.heard: list[str] = []
        self.thrown: list[str] = []

    # --- what a cheat does otherwise

    @property
    def hashes(self) -> list[str | None]:
        return [self.binding, hash_of("black", self.number)]

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.secret).hexdigest()

    @property
    def numbers(self) -> list[str | None]:
        return [self.white, self.white and self.number]

    def throw(self, number: int) -> tuple[int, int]:
        white, black = self.numbers
        return thrown(self.secret, str(white), str(black), number)

    def label(self, number: int) -> int:
        return number

    def proof(self) -> Any:
        return {"hash": self.hash, "secret": self.secret.hex(), "numbers": self.numbers, "throws": self.thrown}

    # --- the protocol

    def serve(self, route: Any) -> None:
        def hear(text: str) -> None:
            self.route = route  # the last to come may be that of a page that goes
            self.answer(text)

        route.on_message(hear)

    def answer(self, text: str) -> None:
        message = json.loads(text)
        self.heard.append(message.get("do", "hello"))
        if message.get("do") == "bind":
            self.binding = message["argument"]
        elif message.get("do") == "number":
            assert hash_of("white", message["argument"]) == self.binding
            self.white = message["argument"]
        self.tell()
        if self.white and not self.thrown:
            self.play()

    def tell(self) -> None:
        dice = {"hash": self.hash, "hashes": self.hashes, "numbers": self.numbers}
        present = dict.fromkeys(("asks_back", "claim", "teacher", "analysis", "next_game", "clock"))
        lists = {"agreed": [], "denied": [], "here": [True, True], "watching": 0, "dice": dice}
        self.route.send(json.dumps(self.table.seen_by(Player.WHITE) | present | lists))

    def play(self) -> None:
        """A match with so many throws, which Black ends."""
        while len(self.thrown) < self.throws_seen or self.table.state.phase is Phase.OPENING:
            state = self.table.state
            if state.phase in {Phase.OPENING, Phase.TO_ROLL}:
                first, second = dice = self.throw(len(self.thrown))
                is_opening = state.phase is Phase.OPENING
                high, low = sorted(dice)[::-1]
                self.thrown.append(f"{first}-{second}" if is_opening else f"{high}{low}")
                event = Event("opening_roll", argument=dice) if is_opening else Event("roll", argument=dice)
                self.table.apply(state.canonical(event))
                self.table.told[-1]["throw"] = self.label(len(self.thrown) - 1)
            else:
                self.table.apply(state.canonical(choose(state)))
            self.tell()
        self.table.apply(Forfeit(Player.BLACK))
        self.tell()


class TakesBack(Rogue):
    """It does not cheat: the last roll was taken back, the game was given up, and the next one began by these dice."""

    def tell(self) -> None:
        if len(self.thrown) == 3 and (last := self.table.told[-1])["do"] == "roll" and not self.again:
            self.again = True
            roll = last["argument"], last["do"]
            last["argument"], last["do"] = self.throw(2), "tie"
            super().tell()
            last["argument"], last["do"] = roll
        super().tell()

    again = False


class SwapsTheSecret(Rogue):
    """The dice follow from another secret than the promised one, which it shows."""

    hash = hashlib.sha256(OTHER).hexdigest()


class SwapsTheHashToo(Rogue):
    """It has chosen the secret once it knew both numbers."""

    @property
    def hash(self) -> str:
        return hashlib.sha256(SECRET if self.white else OTHER).hexdigest()


class SwapsOurNumber(Rogue):
    """It throws by a number that White never gave."""

    @property
    def numbers(self) -> list[str | None]:
        return [self.white and BOTH[1], self.white and self.number]


class BindsForUs(SwapsOurNumber):
    """It was there first, with a number for White, and throws by that."""

    binding = None

    def answer(self, text: str) -> None:
        self.heard.append(json.loads(text).get("do", "hello"))
        self.white, self.binding = BOTH[1], hash_of("white", BOTH[1])
        self.tell()
        if not self.thrown:
            self.play()


class NeverBinds(BindsForUs):
    """Nor does it say by what hash White is bound: as if the table were of an earlier version."""

    hashes = [None, None]


class ChoosesLate(Rogue):
    """Of many numbers for Black, it takes the one that gives Black the most, once it knows White's."""

    late = ""

    @property
    def numbers(self) -> list[str | None]:
        if self.white and not self.late:
            tries = [f"{number:060}" for number in range(500)]
            self.late = max(tries, key=lambda black: sum(thrown(SECRET, str(self.white), black, 2)))
        return [self.white, self.white and self.late]


class ChoosesLateAndSaysSo(ChoosesLate):
    """And it shows the hash of that one from then on."""

    @property
    def hashes(self) -> list[str | None]:
        return [self.binding, hash_of("black", str(self.numbers[1] or self.number))]


class ProvesNothing(Rogue):
    """Black throws sixes, and the proof has them."""

    def throw(self, number: int) -> tuple[int, int]:
        return (6, 6) if self.table.state.phase is Phase.TO_ROLL else super().throw(number)


class ThrowsAtWill(ProvesNothing):
    """The proof says what should have been thrown."""

    def proof(self) -> Any:
        openings = [thrown for thrown in self.thrown if "-" in thrown]
        every = (Rogue.throw(self, number) for number in range(len(openings), len(self.thrown)))
        rolls = (sorted(dice)[::-1] for dice in every)
        return super().proof() | {"throws": [*openings, *(f"{high}{low}" for high, low in rolls)]}


class LeavesOutThrows(Rogue):
    """It takes every other throw only, and its proof has them all."""

    def throw(self, number: int) -> tuple[int, int]:
        return super().throw(self.label(number))

    def label(self, number: int) -> int:
        return 2 * number

    def proof(self) -> Any:
        rolls = (sorted(thrown(SECRET, *map(str, self.numbers), at))[::-1] for at in range(2 * len(self.thrown) - 1))
        every = [f"{high}{low}" for high, low in rolls]
        every[::2] = self.thrown
        return super().proof() | {"throws": every}


class TellsLess(Rogue):
    """The proof ends before the last throw."""

    def proof(self) -> Any:
        return super().proof() | {"throws": self.thrown[:-1]}


class ThrowsTwice(Rogue):
    """A throw is shown, and then another with the same number."""

    def tell(self) -> None:
        if len(self.thrown) == 3 and self.table.told[-1]["do"] == "roll":
            right = self.table.told[-1]["argument"]
            self.table.told[-1]["argument"] = "66"
            super().tell()
            self.table.told[-1]["argument"] = right
        super().tell()


class Refuses(Rogue):
    """It does not show the secret."""

    def proof(self) -> Any:
        return None


class Babbles(Rogue):
    """What it shows is no proof."""

    def proof(self) -> Any:
        return super().proof() | {"secret": [1]}


BELIEF = "do not believe"
CHEATS: list[tuple[type[Rogue], str]] = [
    (Rogue, "All 6 throws are right"),
    (TakesBack, "All 6 throws are right"),
    (SwapsTheSecret, f"not the one that was promised: {BELIEF}"),
    (SwapsTheHashToo, f"not the one that was promised: {BELIEF}"),
    (SwapsOurNumber, f"not the one to which its player was bound: {BELIEF}"),
    (BindsForUs, "no number was drawn in this browser"),
    (NeverBinds, "no number was drawn in this browser"),
    (ChoosesLate, f"not the one to which its player was bound: {BELIEF}"),
    (ChoosesLateAndSaysSo, f"not the one to which its player was bound: {BELIEF}"),
    (ThrowsAtWill, f"Throw .* or was another on this page: {BELIEF}"),
    (ProvesNothing, f"Throw .* or was another on this page: {BELIEF}"),
    (LeavesOutThrows, "has seen only 6 of them"),
    (TellsLess, f"Throw 6 .* or was another on this page: {BELIEF}"),
    (ThrowsTwice, f"Throw 3 .* or was another on this page: {BELIEF}"),
    (Refuses, f"does not show what proves the dice.*{BELIEF}"),
    (Babbles, f"does not show what proves the dice.*{BELIEF}"),
]


SAME_NUMBER = """const draw = crypto.getRandomValues.bind(crypto);
crypto.getRandomValues = (bytes) => bytes.length === 60 ? bytes.fill(7) : draw(bytes);"""
"""White's. The connections that playwright stands in for have random names, which must differ."""


def fulfill(rogue: Rogue, route: Any) -> None:
    proof = rogue.proof()
    route.fulfill(json=proof or {"type": "refused"}, status=200 if proof else 400)


def sit_at(rogue: Rogue, open_page: Callable[..., Any], address: str) -> Any:
    page = open_page(expected=("status of 400",))
    page.add_init_script(SAME_NUMBER)  # or some throws would be what cheats show
    page.route_web_socket(re.compile("/tables/"), rogue.serve)
    page.route("**/dice.json", functools.partial(fulfill, rogue))
    page.goto(address)
    return page


@pytest.mark.parametrize(("kind", "words"), CHEATS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_server_that_cheats_is_not_approved(server, open_page, kind, words) -> None:
    """And one of another making that does not is: its page says so."""
    server.start()
    rogue = kind()
    page = sit_at(rogue, open_page, f"{server.url}/#/rogue/seat/{TOKENS[Player.WHITE]}")
    expect(page.locator("#check")).to_be_visible()
    page.reload()  # what is kept outlasts the page
    expect(page.locator("#check")).to_be_visible()
    page.click("#check")
    expect(page.locator("#proof")).to_have_text(re.compile(words))


def test_a_page_shows_its_number_only_to_whoever_is_bound(server, open_page) -> None:
    """Without Black's hash, White's number stays where it is."""

    class Waits(Rogue):
        hashes = property(lambda self: [self.binding, None])  # type: ignore[assignment]

    server.start()
    rogue = Waits()
    page = sit_at(rogue, open_page, f"{server.url}/#/rogue/seat/{TOKENS[Player.WHITE]}")
    expect(page.locator("#prompt")).to_have_text("The dice wait for both numbers.")
    while not rogue.binding:
        page.wait_for_timeout(20)
    for _ in range(3):
        rogue.tell()
    page.wait_for_timeout(200)
    assert rogue.heard == ["hello", "bind"]
