"""The match without a screen: the state, the log, the turn so far, the bot's answers, and the file it is saved in."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import bot
from opponents import SIMPLE, Tutor
from words import BAR, BOT, OFF, PERSON, WHO, advice, news

from gammonrules import Action, Event, GammonError, MatchState, Move, Phase, Play, Player, Win, json
from gammonrules.engine import Bot, EngineError
from gammonrules.records import MAX_RECORD_SIZE, Match, dump, dumps

POINTS = {"bar": BAR, "off": OFF} | {str(point): point for point in range(26)}


class Game:
    """A match of a person against the bot. What the rules forbid raises a GammonError, and nothing has changed."""

    def __init__(self, first: MatchState, name: str, rng: random.Random, file: Path) -> None:
        self.first = self.state = first
        self.name = clean(name)
        self.rng = rng
        self.file = file
        self.bots: Mapping[str, Bot] = {SIMPLE: bot.choose}
        self.strength = SIMPLE
        self.tutor: Tutor | None = None
        self.saved = b""
        self.is_saved = True
        self.log: list[Event] = []
        self.news: list[str] = []
        self.last_play: Play | None = None
        self.so_far: tuple[Move, ...] = ()
        self.chosen: int | None = None

    @classmethod
    def resumed(cls, file: Path, rng: random.Random) -> Game:
        """The match in a file, which is replayed. Raises OSError, or GammonError if it is not a saved match."""
        if not file.is_file() or file.stat().st_size > MAX_RECORD_SIZE:
            raise GammonError("this is not a saved match")
        content = file.read_bytes()
        match = json.loads(content, Match)  # every event, also those that the rules forbid
        if not match.games:
            raise GammonError("this match has not begun")
        game = cls(match.games[0].start, match.players[PERSON], rng, file)
        game.saved = content
        for number, record in enumerate(match.games, 1):
            if number > 1:
                game.apply(Event(Action.NEXT_GAME))
            if game.state != record.start:
                raise GammonError(f"game {number} does not follow from the one before")
            for event in record.events:
                if not isinstance(event, Event):
                    raise GammonError(f"game {number} has an event that no player can cause")
                game.apply(event)
        if game.record != match:  # the first save would overwrite what is different
            raise GammonError("this is not a match against the bot of this game")
        return game

    # Events -----------------------------------------------------------------------------------------------------------

    def act(self, event: Event) -> None:
        """Perform an event of the person, and what follows until the person must act again."""
        self.perform(event)
        self.go_on()

    def go_on(self) -> None:
        """What no person decides, until they must act or the game is over; a decided game ends."""
        while event := bot.end_of_decided(self.state) or self.event_of_nobody():
            self.perform(event)
        if self.state.winner is not None:
            self.write(self.finish)

    def event_of_nobody(self) -> Event | None:
        """The opening roll, or what the bot does; None if the person must act or the game is over."""
        goes_on = self.state.phase is Phase.OPENING or self.state.to_act is BOT
        return bot.next_event(self.state, self.decide, self.rng) if goes_on else None

    def decide(self, state: MatchState) -> Event | Action | Play:
        """What the bot does. Where its program fails, the simple bot goes on."""
        try:
            decided = self.bots.get(self.strength, bot.choose)(state)
        except EngineError as error:
            self.news.append(f"{error}. The simple bot plays on.")
            self.strength = SIMPLE
            decided = bot.choose(state)
        is_declined = self.log[-1:] == [Event(Action.DECLINE, PERSON)]  # the person still wants to play
        resigns = isinstance(decided, Event) and decided.action is Action.RESIGN
        return Action.ROLL if is_declined and resigns else decided

    def choose_strength(self, name: str) -> None:
        """Another bot from now on."""
        self.strength = name
        self.news.append(f"{name} plays now")

    def hint(self) -> None:
        """Say what is best here, and what else loses. Raises GammonError."""
        choices = self.tutor.choices(self.state) if self.tutor else []
        if not choices or self.tutor is None:
            raise GammonError("there is no hint here")
        self.news += advice(choices, self.tutor.name)

    def perform(self, event: Event) -> None:
        """Apply an event and save the match."""
        self.apply(event)
        self.is_saved = False
        self.write(self.save)

    def write(self, file: Callable[[], None]) -> None:
        """Write a file. If that fails, the game goes on, and the next event is saved with all that were not."""
        try:
            file()
        except (OSError, GammonError) as error:
            self.news.append(f"Not written: {error}")

    def apply(self, event: Event) -> None:
        event = self.state.canonical(event)
        before = self.state
        self.state = self.state.apply(event)
        self.log.append(event)
        self.news += news(before, event, self.state)
        self.so_far = ()
        self.chosen = None
        if event.action is Action.PLAY:
            self.last_play = before.legal_plays.find(self.state.position)
        elif event.action is Action.NEXT_GAME:
            self.last_play = None

    # The turn so far --------------------------------------------------------------------------------------------------

    def allows(self, action: str) -> bool:
        """Whether the person may do this now: an `Action`, or something within their turn."""
        within = {"type": self.is_playing, "undo": bool(self.so_far), "done": self.is_complete}
        within |= {"strength": len(self.bots) > 1, "hint": self.tutor is not None and self.state.to_act is PERSON}
        within |= {"resign": bool(self.losses)}
        return within[action] if action in within else action in self.state.legal_actions_of(PERSON)

    @property
    def losses(self) -> Mapping[Win, int]:
        """What the person can resign, and the points."""
        return bot.losses(self.state, PERSON)

    @property
    def is_playing(self) -> bool:
        return self.state.phase is Phase.TO_PLAY and self.state.to_act is PERSON

    @property
    def is_complete(self) -> bool:
        """Whether the turn may end: there is only one play, or everything has been played."""
        return self.is_playing and (len(self.state.legal_plays) == 1 or not self.sources)

    @property
    def sources(self) -> set[int]:
        """The points from which a checker can move now."""
        return (
            {move.from_point for move in self.state.legal_plays.next_moves(self.so_far)} if self.is_playing else set()
        )

    @property
    def targets(self) -> dict[int, tuple[Move, ...]]:
        """The points to which the chosen checker can go, and its moves."""
        if self.chosen is None:
            return {}
        series = self.state.legal_plays.combined_moves(self.so_far)
        return {moves[-1].to_point: moves for moves in series if moves[0].from_point == self.chosen}

    @property
    def points(self) -> tuple[int, ...]:
        """The board as the person sees it, in the middle of their turn too."""
        if self.is_playing:
            return self.state.legal_plays.points_after(self.so_far)
        return self.state.view(PERSON).points

    def counts(self, player: Player) -> list[int]:
        """The checkers of a player on each point, as they number them; the last is their bar."""
        seen = self.points if player is PERSON else [-count for count in reversed(self.points)]
        return [max(0, count) for count in seen]

    def choose(self, point: int) -> None:
        """Choose the checker that moves, and then the point it goes to."""
        plays = self.state.legal_plays
        targets = self.targets
        if point in targets:
            self.so_far += targets[point]
        elif self.chosen is not None and point != self.chosen and point not in self.sources:
            plays.points_after([*self.so_far, Move(self.chosen, point)])  # raises the error
        elif point not in self.sources:
            where = {BAR: "the bar", OFF: "off"}.get(point, f"point {point}")
            raise GammonError(f"you have no checker on {where} that can move now")
        self.chosen = None if point in targets or point == self.chosen else point

    def type(self, text: str) -> None:
        """Choose a point by its number, or make a whole play."""
        point = POINTS.get(text.strip().lower())
        if point is None:
            self.so_far = self.state.legal_plays.find(text).moves
            self.chosen = None
        else:
            self.choose(point)

    def undo(self, *, whole_turn: bool = False) -> None:
        """Take back the last move, or the whole turn."""
        self.so_far = () if whole_turn else self.so_far[:-1]
        self.chosen = None

    def done(self) -> None:
        """End the turn."""
        plays = self.state.legal_plays
        self.act(Event(Action.PLAY, PERSON, plays[0] if len(plays) == 1 else self.so_far))

    # Files ------------------------------------------------------------------------------------------------------------

    @property
    def record(self) -> Match:
        return Match.from_events((self.name, WHO[BOT]), self.first, self.log)

    def save(self) -> None:
        """Save the match, in a new file if another game has used this one."""
        if self.file.exists() and self.file.read_bytes() != self.saved:
            old = self.file.name
            self.file = self.numbered(self.unused, ".json")
            self.news.append(f"{old} has another game: saved in {self.file.name}")
        dump(self.record, self.file, "json")
        self.saved = self.file.read_bytes()
        self.is_saved = True

    def finish(self) -> None:
        """Save what is not saved. If the match is over, write its record, and name both after a new number."""
        if not self.is_saved:
            self.save()
        if self.state.winner is None:
            return
        record = self.file.with_suffix(".mat")
        if not record.is_file() or record.read_bytes() != dumps(self.record, "mat").encode():
            number = self.unused
            record = self.numbered(number, ".mat")
            dump(self.record, record, "mat")
            self.file = self.file.replace(self.numbered(number, ".json"))
            self.news.append(f"Record: {record.name}")

    @property
    def unused(self) -> int:
        """The first number under which there is no file."""
        number = 1
        while any(self.numbered(number, suffix).exists() for suffix in (".mat", ".json")):
            number += 1
        return number

    def numbered(self, number: int, suffix: str) -> Path:
        return self.file.with_name(f"{self.file.stem}-{number}{suffix}")


def clean(name: str) -> str:
    """A name that cannot disturb a terminal."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name[:30]).strip() or WHO[PERSON]
