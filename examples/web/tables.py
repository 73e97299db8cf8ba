"""A table: two seats, and a match that goes on by events. It knows no sockets or databases."""

from __future__ import annotations

import copy
import hashlib
import itertools
import json
import re
import secrets
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias, cast

import attrs
from bot import end_of_decided, losses
from fairness import BINDING, HASH, NUMBER, Promise, binding_of

from gammonrules import Action, Event, MatchState, Phase, Player, Win, draw
from gammonrules.json import to_data
from gammonrules.match import Clock, Forfeit, Pair

MAX_EVENTS = 20_000  # at a table; a long match has a few hundred, and money play could go on forever
ENDING = frozenset({Action.RESIGN, Action.ACCEPT, Action.DECLINE, Action.DROP})
"""What may follow even so, for a game must end. It is not much: each resignation is offered once a turn."""
TOLD = 400  # how many of the last events of a game a client is told

TIME_CONTROLS: dict[str, Callable[[MatchState], Clock | None]] = {
    "none": lambda _: None,
    "fast": lambda state: Clock((30 * cast("int", state.length),) * 2, 8),
    "tournament": Clock.tournament,
}
"""The clocks that a match can have; money play, which has no end, has none."""

STYLE = draw.BoardStyle(theme="auto", look="depth", numbers="fixed", header=False, footer=False)
TURNS = 20  # how many of the last turns of a game can be taken back


@attrs.frozen
class TakeBack:
    """So many of the events that stood until now stand no longer. What was rolled stays rolled."""

    events: int

    def __str__(self) -> str:
        return f'{{"type":"TakeBack","events":{self.events}}}'


Step: TypeAlias = tuple[Event | Forfeit | TakeBack, MatchState]  # an event and the state after it


def standing(log: Iterable[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Of the texts of events, each with something more, those that were not taken back."""
    kept = list[tuple[str, Any]]()
    for text, more in log:
        if text.startswith('{"type":"TakeBack"'):
            del kept[-json.loads(text)["events"] :]
        else:
            kept.append((text, more))
    return kept


def thrown(log: Iterable[str]) -> list[str]:
    """Each throw of a log: the higher die first, or White's and Black's. What is taken back stays rolled."""
    between = {"roll": "", "opening_roll": "-"}
    counts = [0]
    throws = list[str]()
    for event in map(json.loads, log):
        if event["type"] == "TakeBack":
            del counts[-event["events"] :]
            continue
        is_throw = event.get("action") in between
        if is_throw and counts[-1] == len(throws):
            throws.append(between[event["action"]].join(map(str, event["argument"])))
        counts.append(counts[-1] + is_throw)
    return throws


class RefusedError(Exception):
    """A message that is not carried out: a code for programs, which can be translated, and a sentence for people."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def points_of(over: MatchState) -> int:
    """What a game that is over was won by."""
    return over.result.points if over.result else 0


def hash_of(token: str) -> bytes:
    """What is stored of a token. 256 random bits cannot be guessed, so they need neither salt nor a slow hash."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


@attrs.frozen
class Seat:
    """A side of the table. `key` is the hash of the person's token, or, while the seat is open, of the invitation."""

    kind: Literal["person", "bot", "open"]
    name: str
    key: bytes = b""

    def opens_with(self, token: str) -> bool:
        """Whether this is the right token; the comparison takes as long for a wrong one."""
        return secrets.compare_digest(self.key, hash_of(token))


@attrs.define(eq=False)
class Table:
    """A match with its seats, White's first. `maker` is the address of whoever made it, `successor` its rematch."""

    id: str
    state: MatchState
    seats: tuple[Seat, Seat]
    promise: Promise  # what the dice follow from
    maker: str = ""
    successor: str | None = None
    time_control: str = "none"
    clock: Clock | None = None
    number: int = 0  # how many events led to the state
    thrown: int = 0  # how many of them were throws
    standing: int = 0  # how many of them were not taken back
    turns: list[tuple[object, Table]] = attrs.field(init=False, factory=list)
    """Who played in the last turns of this game, and the table before."""
    told: list[dict[str, Any]] = attrs.field(init=False, factory=list)  # the last events of this game, for the page
    last: dict[str, Any] = attrs.field(init=False, factory=dict)  # the last play and its dice, as a picture shows them
    moves: list[tuple[int, int]] = attrs.field(init=False, factory=list)  # of a play just made, checker by checker
    resigned: dict[Player, Win] = attrs.field(init=False, factory=dict)
    """The most that each has offered in this turn: the same again and again would keep the other from moving."""

    @property
    def names(self) -> tuple[str, str]:
        return self.seats[0].name, self.seats[1].name

    @property
    def kinds(self) -> Pair[str]:
        return Pair(seat.kind for seat in self.seats)

    def seat_of(self, token: str) -> Player:
        """Who holds this token. Raises RefusedError if nobody does."""
        for player, seat in zip(Player, self.seats, strict=True):
            if seat.kind == "person" and seat.opens_with(token):
                return player
        raise RefusedError("no_such_seat", "This link opens no seat at this table.")

    # --- what happens -------------------------------------------------------------------------------------------------

    def steps(self, player: Player, do: str, argument: object) -> list[Step]:
        """The steps that a message leads to; nothing is changed yet. Raises RefusedError or GammonError."""
        if do == Action.OPENING_ROLL:
            raise RefusedError("unreadable", "The server throws for the opening by itself.")
        if self.number >= MAX_EVENTS and do not in ENDING:
            raise RefusedError("log_full", f"A table has at most {MAX_EVENTS:,} events: now you can only resign.")
        if do == Action.ROLL and not self.has_numbers:
            raise RefusedError("no_number", "The dice wait for both numbers.")
        message = {"action": do, "argument": argument}
        event, after = self.state.receive(message, player, roll=self.throw)
        if event.action is Action.RESIGN:
            self.check_resignation(player, cast("Win", event.argument))
        return self.going_on([(event, after)])

    def check_resignation(self, player: Player, win: Win) -> None:
        """Only what was offered to this player. Raises RefusedError."""
        if win not in losses(self.state, player):
            raise RefusedError("not_lost", "You can resign only what you can still lose, as far as it counts.")
        if win <= self.resigned.get(player, 0):
            raise RefusedError("resigned", "You have offered that already: offer more, or wait for a roll or play.")

    def sender(self, seat: Player | None, after: int) -> Player:
        """Who sent a message. Raises RefusedError for a spectator, and for a player who has not seen the last event."""
        if seat is None:
            raise RefusedError("spectator", "You are watching: only the two players can act.")
        if after != self.number:
            raise RefusedError("stale", "The table has gone on since you sent this.")
        return seat

    def forced(self) -> Action | None:
        """What the player who is to act need not decide: a roll where they cannot double, or a turn without a move."""
        state = self.state
        if self.number >= MAX_EVENTS:
            return None  # nothing goes on here
        if state.phase is Phase.TO_ROLL and Action.DOUBLE not in state.legal_actions:
            return Action.ROLL
        return Action.PLAY if state.phase is Phase.TO_PLAY and not state.legal_plays[0].moves else None

    @property
    def needs_nobody(self) -> bool:
        """Whether the server or the bot is to act."""
        player = self.state.to_act
        acts = player is not None and (self.kinds[player] == "bot" or self.forced() is not None)
        return acts and self.has_numbers

    @property
    def has_numbers(self) -> bool:
        """Whether the dice can be thrown."""
        return None not in self.promise.numbers

    @property
    def owes(self) -> Player | None:
        """Who alone has not shown the number that they are bound to, and lets the other wait."""
        numbers = [] if None in self.promise.bindings else self.promise.numbers
        return [*Player][numbers.index(None)] if numbers.count(None) == 1 and not self.state.result else None

    @property
    def is_between_games(self) -> bool:
        """Whether the match goes on with another game."""
        state = self.state
        return None not in (state.result, state.length) and state.winner is None and self.number < MAX_EVENTS

    def forfeited(self, loser: Player) -> list[Step]:
        """The loss of whoever lets the other wait: of the match, or of what the cube says where there is none."""
        event = Forfeit(loser, None if self.state.length else self.state.cube.value)
        return [(event, self.state.apply(event))]

    def taken_back(self, player: Player) -> list[Step]:
        """The last play of this player, and all that came after it, taken back. Raises RefusedError."""
        last = self.back_to(player)
        if last is None:
            raise RefusedError("no_take_back", "There is no play of yours that can be taken back now.")
        return [(TakeBack(self.standing - last.standing), last.state)]

    def back_to(self, player: Player) -> Table | None:
        """The table before the last play of this player; None while they cannot take it back."""
        ends = self.state.offer or self.state.result
        return None if ends else next((table for by, table in reversed(self.turns) if by is player), None)

    def actions_of(self, seat: Player) -> frozenset[Action]:
        """What a person may do here. The server does what is forced."""
        done = {self.forced(), *([] if self.resignations(seat) else [Action.RESIGN])}
        return self.state.legal_actions_of(seat) - {Action.OPENING_ROLL} - done

    def throw(self, more: int = 0) -> tuple[int, int]:
        """The next throw, or the one after so many more: the dice in their order."""
        throw = self.promise.throw(self.thrown + more).randrange
        return throw(1, 7), throw(1, 7)

    def promised(self, player: Player, do: str, binding: object) -> Promise:
        """The promise with what binds a player, or then with their number; each is given once. Raises RefusedError."""
        white, black = self.promise.bindings
        own = white if player is Player.WHITE else black
        is_number = do == "number"
        if not isinstance(binding, str) or not re.fullmatch(NUMBER if is_number else BINDING, binding):
            raise RefusedError("bad_number", "A number for the dice has 40 to 60 digits, and its hash 64 from 0 to f.")
        if own is not None and (not is_number or len(own) < HASH):
            raise RefusedError("number_stands", "Your number for the dice stands already: nobody can change it.")
        if is_number and (None in (white, black) or binding_of(player, binding) != own):
            raise RefusedError("not_bound", "Numbers are shown once both players are bound, and must be those.")
        return attrs.evolve(self.promise, bindings=(binding, black) if player is Player.WHITE else (white, binding))

    def going_on(self, steps: list[Step]) -> list[Step]:
        """These steps and those of the server: the opening until somebody starts, and the end of a decided game."""
        state = steps[-1][1] if steps else self.state
        is_complete = "open" not in self.kinds and self.has_numbers
        for more in itertools.count():
            if state.phase is not Phase.OPENING or not is_complete:
                break
            event = Event("opening_roll", argument=self.throw(more))
            state = state.apply(event)
            steps.append((event, state))
        while is_complete and (end := end_of_decided(state)):
            state = state.apply(end)
            steps.append((end, state))
        return steps

    def apply(self, event: Event | Forfeit | TakeBack, after: MatchState | None = None) -> None:
        """Apply an event; if the rules forbid it, raise GammonError and change nothing."""
        if isinstance(event, TakeBack):
            self.moves = []
            starts = [table.standing for _, table in self.turns]
            at = starts.index(self.standing - event.events)
            by, last = self.turns[at]
            for name in ("state", "thrown", "standing", "last", "resigned"):
                setattr(self, name, getattr(last, name))
            self.turns = self.turns[:at]
            self.number += 1
            own, *others = [it["argument"] for it in self.told if it["number"] > last.number and it["do"] == "play"]
            told = {"number": self.number, "do": "take_both_back" if others else "take_back", "by": by}
            self.told = [*last.told, told | {"from": last.number + 1, "argument": [own, ", ".join(others)]}]
            return
        before = self.state
        if event != end_of_decided(before):  # or the play that decided the game would not be seen
            self.moves = []
        table = copy.copy(self)
        table.turns = []  # or each turn would keep all those before it
        self.state = after or self.state.apply(event)
        self.number += 1
        self.standing += 1
        self.told = [*self.told, self.telling(before, event)][-TOLD:]
        match event:
            case Event(Action.ROLL | Action.OPENING_ROLL):
                self.thrown += 1
            case Event(Action.RESIGN, by=Player() as player, argument=Win() as win):
                self.resigned = self.resigned | {player: win}
                return
            case Event(Action.DECLINE):
                return
            case Event(Action.PLAY, by=player, argument=play):
                self.last = {"last_play": str(play), "last_dice": before.dice}
                moves = before.legal_plays.find(str(play)).moves
                self.moves = [(move.from_point, move.to_point) for move in moves]
                self.turns = [*self.turns, (player, table)][-TURNS:] if moves else self.turns
            case Event(Action.NEXT_GAME):
                self.last = {}
                self.turns = []
                self.told = self.told[-1:]
            case _:
                pass
        self.resigned = {}

    def resignations(self, seat: Player) -> list[tuple[Win, int]]:
        """What this player can offer, and the points: more than they have offered in this turn."""
        return [(win, points) for win, points in losses(self.state, seat).items() if win > self.resigned.get(seat, 0)]

    def stakes(self, seat: Player) -> dict[str, Any]:
        """The points if this player ends the game: of an offer beside the most, which a bot has offered."""
        state = self.state
        actions = self.actions_of(seat)
        stakes = dict[str, Any]()
        if Action.DROP in actions:
            stakes[Action.DROP] = points_of(state.drop())
        if Action.ACCEPT in actions:
            offered = points_of(state.accept())
            loser = seat.opponent
            more = losses(state, loser).values() if self.kinds[loser] != "bot" else ()
            stakes[Action.ACCEPT] = offered, max([offered, *more])
        if Action.RESIGN in actions:
            stakes[Action.RESIGN] = self.resignations(seat)
        return stakes

    # --- what each of them sees ---------------------------------------------------------------------------------------

    def seen_by(self, seat: Player | None, *, upright: bool = False) -> dict[str, Any]:
        """Everything that a page shows a player or a spectator, with a board for an upright phone if they hold such."""
        forced = self.forced()
        playing = seat is not None and seat is self.state.to_act and self.state.phase is Phase.TO_PLAY and not forced
        return {
            "type": "table",
            "number": self.number,
            "you": seat,
            "names": self.names,
            "kinds": self.kinds,
            "state": to_data(self.state),
            "to_act": self.state.to_act,
            "actions": [] if seat is None else sorted(self.actions_of(seat)),
            "back": [last and last.number for last in map(self.back_to, Player)],
            "stakes": {} if seat is None else self.stakes(seat),
            "forced": "dance" if forced is Action.PLAY else forced,
            "time_control": self.time_control,
            "winner": self.state.winner,
            "crawford_next": self.is_between_games and self.state.next_game().crawford,
            "dice": {name: getattr(self.promise, name) for name in ("hash", "hashes", "numbers")},
            "told": self.told,
            "successor": self.successor,
            "svg": self.picture(seat or Player.WHITE, "portrait" if upright else "landscape"),
            "play": self.moves,
            "tree": self.state.legal_plays.tree().data if playing else None,
        }

    def why(self, seat: Player | None, after: int, sent: Any) -> dict[str, Any]:
        """Why the last of these moves cannot be made after the others. Raises RefusedError or GammonError."""
        if self.sender(seat, after) is not self.state.to_act:
            raise RefusedError("not_your_turn", "It is not your turn.")
        match sent:
            case [*so_far, [int(start), int(end)]]:
                error = self.state.legal_plays.why(start, end, so_far)
                facts = {name: str(getattr(error, name, "")) for name in ("point", "count", "witness")}
                facts["move"] = "/".join({25: "bar", 0: "off"}.get(at, str(at)) for at in (start, end))
                told = {"type": "why", "moves": sent, "text": str(error or "This move is legal.")}
                return told | {"code": error and error.reason, "facts": facts}
            case _:
                raise RefusedError("unreadable", "Moves are pairs of points, such as [[13, 7]].")

    def picture(self, bottom: Player, layout: Literal["landscape", "portrait"]) -> str:
        """The board as the reader sees it, whoever is on roll."""
        return draw.svg.match_state(
            self.state, bottom=bottom, names=self.names, **self.last, style=attrs.evolve(STYLE, layout=layout)
        )

    def telling(self, before: MatchState, event: Event | Forfeit) -> dict[str, Any]:
        """What an event did, once it is in `state` and `clock`; the names are keys of `page/translations.js`."""
        state = self.state
        argument = cast("Any", getattr(event, "argument", None))
        by: object = event.loser if isinstance(event, Forfeit) else event.by
        do = "hides" if not self.has_numbers else "late" if self.clock and not all(self.clock.reserves) else "left"
        if isinstance(event, Event):
            do = event.action.value
        match do:
            case "opening_roll":
                do, by = ("opening_roll", state.on_roll) if state.on_roll else ("tie", None)
            case "play" if not before.legal_plays[0].moves:
                do = "dance"
                argument = None
            case "double" | "beaver":
                argument = state.pending_double and state.pending_double.value
            case "resign" if event == end_of_decided(before):
                do = "decided"
            case "resign":
                do = f"resign_{argument.name.lower()}"
            case _:
                argument = argument and str(argument)
        told = {"number": self.number, "do": do, "by": by if isinstance(by, Player) else None, "argument": argument}
        if isinstance(event, Event) and event.action in {Action.ROLL, Action.OPENING_ROLL}:
            told["throw"] = self.thrown
        if state.result is not None:
            told["won"] = {"by": state.result.winner, "points": state.result.points, "match": state.winner is not None}
        return told
