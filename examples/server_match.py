"""A match on a server: two players, every message judged, and a log of events that everything follows from.

`python examples/server_match.py` lets two careless players and a stranger send messages until the match is over. On the
way it restores the match from its log, and at the end it prints the record. A real server puts a socket before `handle`
and a database behind `log`; docs/how-to/run-a-server-table.md explains each step. It needs the extra `json`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypedDict

from gammonrules import Action, Dice, Event, GammonError, MatchState, Phase, Player, json
from gammonrules.records import Match, dumps

MOST_CHARACTERS = 1_000
"""Of a message. Reading is bounded anyway, but there is no reason to begin with a long one."""


class Reply(TypedDict):
    """What a client gets: a code for programs, which can be translated, and a sentence for people."""

    code: str
    message: str


class Table:
    """One match between two players."""

    def __init__(self, first: MatchState, seats: Mapping[str, Player], rng: random.Random) -> None:
        self.first, self.state = first, first
        self.seats = seats
        self.rng = rng
        self.log: list[Event] = []

    @classmethod
    def restored(cls, first: str, log: Iterable[str], seats: Mapping[str, Player], rng: random.Random) -> Table:
        """The table as it was, from what was stored: the first state and the events, each checked again."""
        table = cls(json.loads(first, MatchState), seats, rng)
        for line in log:
            table.do(json.loads(line, Event))
        return table

    def do(self, event: Event) -> None:
        """Perform an event and log it in canonical form; if the rules forbid it, nothing changes (GammonError)."""
        event = self.state.canonical(event)
        self.state = self.state.apply(event)
        self.log.append(event)

    def begin_game(self) -> None:
        """What the server does itself: set up the next game, and throw until the opening roll decides who starts."""
        if self.state.phase is Phase.OVER and self.state.winner is None:
            self.do(Event("next_game"))
        while self.state.phase is Phase.OPENING:
            self.do(Event("opening_roll", argument=(self.rng.randint(1, 6), self.rng.randint(1, 6))))

    def handle(self, user: str, message: str) -> Reply:
        """Answer a message: "roll", or the JSON of any other event of a player."""
        if user not in self.seats:
            return {"code": "not_at_this_table", "message": "You are not playing in this match."}
        if len(message) > MOST_CHARACTERS:
            return {"code": "too_long", "message": f"A message has at most {MOST_CHARACTERS} characters."}
        try:
            # The connection says who sent it, whatever the message says.
            self.do(self.event_of(message).sent_by(self.seats[user]))
        except GammonError as error:
            return {"code": str(getattr(error, "reason", "unreadable")), "message": str(error)}
        self.begin_game()
        return {"code": "ok", "message": "" if self.state.winner is None else f"{self.state.winner.title()} has won."}

    def event_of(self, message: str) -> Event:
        """The event of a message, and nothing but an `Event`: dice, games and forfeits are the server's."""
        if message == "roll":
            return Event("roll", argument=Dice.random(self.rng))
        event = json.loads(message, Event)
        if event.action in {Action.ROLL, Action.OPENING_ROLL, Action.NEXT_GAME}:
            raise GammonError(f"{event.action} is not for players to send")
        return event

    def stored(self) -> tuple[str, list[str]]:
        """The first state and the log as JSON, a line for each event."""
        return json.dumps(self.first), [json.dumps(event) for event in self.log]


def careless_message(state: MatchState, rng: random.Random) -> str:
    """A legal message of whoever is to act, or one that is not."""
    action = rng.choice(sorted(state.legal_actions - {Action.RESIGN}))
    if action is Action.ROLL or rng.random() < 0.05:
        return "roll"
    if action is Action.PLAY:
        return json.dumps(Event("play", argument=str(rng.choice(state.legal_plays))))
    return f'{{"version":2,"type":"Event","action":"{action}","by":"to_act","argument":null}}'


def main() -> None:
    rng = random.Random(7)  # a real server uses random.SystemRandom()
    seats = {"ann": Player.WHITE, "bob": Player.BLACK}
    table = Table(MatchState.new(3), seats, rng)
    table.begin_game()
    codes: Counter[str] = Counter()
    for number in range(100_000):
        if table.state.winner is not None:
            break
        codes[table.handle(rng.choice(["ann", "bob", "eve"]), careless_message(table.state, rng))["code"]] += 1
        if number == 500:
            table = Table.restored(*table.stored(), seats, rng)
    print(*(f"{code}: {count}" for code, count in sorted(codes.items())), sep="\n")
    print(dumps(Match.from_events(("Ann", "Bob"), table.first, table.log)))


if __name__ == "__main__":
    main()
