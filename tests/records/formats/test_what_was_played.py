"""What the library itself played can be written in every format, and what that loses is named."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import each
import loop
import random_records
from gammonrules import Action, Cube, Event, Forfeit, GammonError, MatchState, Player, Position, Rules, SetPosition, Win
from gammonrules.records import Game, Match, dumps, load, loads, lost_fields
from random_logs import CLOSED
from random_records import FORMATS

WHITE, BLACK = Player
BROKEN = sorted((Path(__file__).parents[2] / "data" / "matches" / "broken").glob("*.mat"))
OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))
ACCEPT = Event(Action.ACCEPT)


@each.first("seeds", [range(4, 24), range(1_000)], ids=["some", "more"])
def test_random_logs(seeds: range) -> None:
    """Matches and money games under many rules, resigned, forfeited and broken off wherever that is possible."""
    logs = {seed: random_records.log(seed) for seed in seeds}
    unnamed = {
        (seed, form, part)
        for seed, match in logs.items()
        for form in FORMATS
        for part in random_records.differences(match, form)
    }
    assert unnamed == set()
    assert len({game.result and game.result.end for match in logs.values() for game in match.games}) == 5


def shut_out(*events: Event) -> Match:
    """A game in which Black, on the bar, has rolled 66 against a closed board."""
    start = MatchState(CLOSED.flip(), BLACK, length=3)
    return Match.from_events(("Ann", "Bob"), start, (Event(Action.ROLL, argument=(6, 6)), *events))


class TestRefusedBefore:
    @loop.over("loser", Player)
    @loop.rows("form", "mat", "sgf", "ogxm")
    def test_a_resignation_while_the_roll_cannot_be_played(self, loser: Player, form: str) -> None:
        match = shut_out(Event(Action.RESIGN, loser, Win.SINGLE), ACCEPT)
        again = loads(dumps(match, form))
        assert again.games[0].result == match.games[0].result
        is_exact = again.games[0].events[-3:] == match.games[0].events
        assert is_exact or "games[0].events" in lost_fields(match, form)

    @loop.rows("form", "mat", "sgf", "ogxm")
    @loop.over("rules", [Rules(), Rules(opening="reroll")])
    def test_a_starter_who_resigns_before_the_first_roll(self, rules: Rules, form: str) -> None:
        begins = MatchState.new(3, rules=rules)
        start = begins.opening_roll(3, 1) if rules.opening == "reroll" else attrs.evolve(begins, on_roll=WHITE)
        match = Match.from_events(("Ann", "Bob"), start, (Event(Action.RESIGN, WHITE, Win.GAMMON), ACCEPT))
        assert loads(dumps(match, form)).score == (0, 2)
        assert form == "ogxm" or set(lost_fields(match, form)) & {"games[0].start", "games[0].events"}

    @loop.rows("form", "mat", "sgf", "ogxm")
    @loop.rows("further", (), (Forfeit(WHITE, 2),))
    def test_a_resignation_that_is_pending_before_the_first_play(self, form: str, further: tuple[Forfeit, ...]) -> None:
        match = Match.from_events(("Ann", "Bob"), MatchState.new(3), (OPENING, Event(Action.RESIGN, WHITE), *further))
        again = loads(dumps(match, form))
        assert (again.games[0].events[0], again.score) == (OPENING, match.score)
        assert "games[0].events" in lost_fields(match, form)

    @loop.rows("form", "mat", "sgf", "ogxm")
    @loop.rows("answer", Action.TAKE, Action.DROP)
    def test_an_answer_to_a_beaver_after_which_nobody_rolls(self, answer: Action, form: str) -> None:
        play = Event(Action.PLAY, argument="8/5 6/5")
        log = (OPENING, play, *map(Event, (Action.DOUBLE, Action.BEAVER, answer)))
        match = Match.from_events(("Ann", "Bob"), MatchState.new(None, rules=Rules(beavers=1)), log)
        again = loads(dumps(match, form))
        assert (again.games[0].final().cube, again.score) == (match.games[0].final().cube, match.score)


class TestPlaysThatStand:
    """An illegal play that stands is read back as it was; so is one that bears off the last checker."""

    PLAYED = OPENING, Event(Action.PLAY, argument="8/5 6/5")
    FALSE = SetPosition(Position.start().legal_plays("65")[0].position, BLACK)
    WHITE_WINS = SetPosition(Position.of(mine={6: 13, 20: 1}, theirs={}), BLACK)
    BLACK_WINS = SetPosition(Position.of(mine={6: 15}, theirs={}), WHITE)

    @loop.over("form", FORMATS)
    @loop.over("length", [None, 3])
    @loop.rows(
        "log",
        (OPENING, FALSE),
        (OPENING, FALSE, Event(Action.ROLL, BLACK, "62"), Event(Action.PLAY, BLACK, "24/18 13/11")),
        (OPENING, WHITE_WINS),
        (OPENING, SetPosition(WHITE_WINS.position.flip(), WHITE)),
        (OPENING, BLACK_WINS),
        (OPENING, SetPosition(BLACK_WINS.position.flip(), BLACK)),
        (*PLAYED, Event(Action.DOUBLE), Event(Action.TAKE), Event(Action.ROLL, BLACK, "62"), BLACK_WINS),
    )
    def test_kept(self, form: str, length: int | None, log: tuple[Event | SetPosition, ...]) -> None:
        match = Match.from_events(("Ann", "Bob"), MatchState.new(length), log)
        again = loads(dumps(match, form))
        assert [*again.games[0].states()] == [*match.games[0].states()]
        assert again.score == match.score
        assert {name.partition("].")[2] for name in lost_fields(match, form)} <= {"findings.illegal-play"}

    @loop.over("form", FORMATS)
    @loop.rows(
        "log",
        (BLACK_WINS,),
        (*PLAYED, BLACK_WINS),
        (*PLAYED, Event(Action.DOUBLE), BLACK_WINS),
        (*PLAYED, Event(Action.RESIGN, WHITE), BLACK_WINS),
        (OPENING, Event(Action.RESIGN, WHITE), BLACK_WINS),
        (OPENING, attrs.evolve(BLACK_WINS, cube=Cube(2, WHITE))),
    )
    def test_kept_or_named(self, form: str, log: tuple[Event | SetPosition | Forfeit, ...]) -> None:
        """Where no play is due, it may have no place; the score stays, and what is lost is named."""
        games = Match.from_events(("Ann", "Bob"), MatchState.new(5), log).games
        following = Game(2, MatchState.new(5, score=games[0].final().score))
        match = Match(("Ann", "Bob"), 5, (*games, following))
        again = loads(dumps(match, form, shorten=True))
        lost = lost_fields(match, form)
        is_same = [*again.games[0].states()] == [*match.games[0].states()]
        assert is_same or {"games[0].rest", "games[0].events", "games[0].start"} & {*lost}
        assert is_same or form != "json"
        assert again.games[1].score == match.games[1].score

    @loop.over("form", FORMATS)
    @loop.rows("end", (BLACK_WINS,), (Forfeit(WHITE, 5),), (Event(Action.RESIGN, WHITE, Win.GAMMON), ACCEPT))
    @loop.rows("by_hand", WHITE_WINS, BLACK_WINS, FALSE)
    def test_an_end_that_is_taken_back(
        self, form: str, end: tuple[Event | Forfeit | SetPosition, ...], by_hand: SetPosition
    ) -> None:
        """A file that has no place for the board set afterwards leaves out that end too, and states what counts."""
        game = Match.from_events(("Ann", "Bob"), MatchState.new(5), (OPENING, *end, by_hand)).games[0]
        score = game.final().score
        match = Match(("Ann", "Bob"), 5, (game, Game(2, MatchState.new(5, score=score))))
        again = loads(dumps(match, form, shorten=True))
        assert again.games[0].final().score == again.games[1].score == score
        is_same = [*again.games[0].states()] == [*game.states()]
        assert is_same or {"games[0].rest", "games[0].events"} & {*lost_fields(match, form)}
        assert is_same or form != "json"


class TestWayOut:
    """What cannot be written of one game does not keep the others back."""

    @loop.over(("path", "form"), [(path, form) for path in BROKEN for form in FORMATS])
    def test_a_game_that_is_cut(self, path: Path, form: str) -> None:
        match = load(path)
        again = loads(dumps(match, form, shorten=True))
        lost = lost_fields(match, form)
        assert [game.number for game in again.games][-1:] == [game.number for game in match.games][-1:]
        cut = {f"games[{index}].rest" for index, game in enumerate(match.games) if game.cut}
        assert {name for name in lost if name.endswith(".rest")} == cut
        if cut and form != "json":
            with pytest.raises(GammonError, match="part of it could not be replayed"):
                dumps(match, form)

    @loop.rows("form", "mat", "sgf", "ogxm")
    def test_from_an_event_that_the_rules_forbid(self, form: str) -> None:
        """The games after it keep their scores."""
        start, play = MatchState.new(3), Event(Action.PLAY, WHITE, "8/5 6/5")
        bad = Game(1, start, (OPENING, play, Event(Action.ROLL, BLACK, (6, 2)), Event(Action.PLAY, BLACK, "1/off")))
        good = Game(2, MatchState.new(3, score=(2, 0)), (OPENING, play))
        match = Match(("Ann", "Bob"), 3, (bad, good))
        with pytest.raises(GammonError):
            dumps(match, form)
        again = loads(dumps(match, form, shorten=True))
        assert [game.events[:3] for game in again.games] == [bad.events[:3], good.events]
        assert again.games[1].score == (2, 0)
        assert lost_fields(match, form)[0] == "games[0].rest"

    def test_from_a_position_set_by_hand(self) -> None:
        """Where no play is due, .mat has no place for one; the result stays."""
        log = (OPENING, Event(Action.PLAY, argument="8/5 6/5"), SetPosition(CLOSED, BLACK))
        resigned = Event(Action.RESIGN, BLACK, Win.GAMMON), ACCEPT
        match = Match.from_events(("Ann", "Bob"), MatchState.new(3), (*log, *resigned))
        with pytest.raises(GammonError, match="where no play is due"):
            dumps(match)
        again = loads(dumps(match, shorten=True))
        assert (again.games[0].events[:2], again.score) == (match.games[0].events[:2], (2, 0))
        assert lost_fields(match, "mat")[0] == "games[0].rest"
