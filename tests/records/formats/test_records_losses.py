"""What the text of a record does not carry: `lost_fields` names it, all of it and nothing else."""

from __future__ import annotations

import attrs
from hypothesis import given, settings, strategies as st

import loop
from gammonrules import SetPosition
from gammonrules.board import Position, Win
from gammonrules.match import Action, Cube, Event, MatchState, Player
from gammonrules.records import Game, Match, dumps, loads, lost_fields
from gammonrules.rules import Rules

OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))
RESIGNED = (OPENING, Event(Action.RESIGN, Player.BLACK, Win.SINGLE), Event(Action.ACCEPT, Player.WHITE))


def one_game(*events: Event | SetPosition, start: MatchState | None = None, length: int | None = 3) -> Match:
    return Match(("A", "B"), length, (Game(1, start or MatchState.new(length), events),))


RESIGNATION = "games[0].findings.resign-without-marker"


class TestBuiltRecords:
    @loop.rows(
        ("match", "lost"),
        (one_game(*RESIGNED), (RESIGNATION,)),
        (attrs.evolve(one_game(*RESIGNED), players=("", "a:b")), ("players", RESIGNATION)),
        (attrs.evolve(one_game(*RESIGNED), players=("bots:choose", "Ann")), ("players", RESIGNATION)),
        (attrs.evolve(one_game(*RESIGNED), tags=(("Event", "x\ny"),)), ("tags", RESIGNATION)),
        (attrs.evolve(one_game(*RESIGNED), tags=(("CubeLimit", "7"), ("Crawford", "on"))), (RESIGNATION,)),
        (attrs.evolve(one_game(*RESIGNED), comments=("; x",)), ("comments", RESIGNATION)),
        (one_game(Event(Action.OPENING_ROLL, argument=(2, 2)), *RESIGNED), ("rolls", "games[0].events", RESIGNATION)),
        (one_game(OPENING, RESIGNED[1], Event(Action.DECLINE)), ("games[0].events",)),
        (
            one_game(*RESIGNED, start=MatchState.new(None, rules=Rules(crawford=False)), length=None),
            ("rules.crawford", RESIGNATION),
        ),
        (
            one_game(Event(Action.ROLL, argument="31"), start=MatchState(Position.start(), Player.WHITE, length=3)),
            ("games[0].start", "games[0].events"),
        ),
        (one_game(OPENING, RESIGNED[1], Event(Action.ACCEPT), start=MatchState.new(3, score=(1, 1))), (RESIGNATION,)),
    )
    def test_named(self, match: Match, lost: tuple[str, ...]) -> None:
        assert lost_fields(match, "mat") == lost

    def test_a_comment_that_is_no_line(self) -> None:
        match = one_game(*RESIGNED)
        [game] = match.games
        lines = attrs.evolve(match, games=(attrs.evolve(game, comments=("two\nlines",)),))
        assert "games[0].comments" in lost_fields(lines, "mat")

    def test_the_level_of_a_resignation(self) -> None:
        """With a centered cube a gammon counts single under Jacoby, and only the points are written."""
        gammon = Event(Action.RESIGN, Player.BLACK, Win.GAMMON)
        start = MatchState.new(None)
        match = one_game(OPENING, gammon, RESIGNED[2], start=start, length=None)
        assert "games[0].events" in lost_fields(match, "mat")

    def test_a_game_that_was_not_followed_to_its_end(self) -> None:
        broken = loads("5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/4   62: 24/18 13/11")
        assert set(lost_fields(broken, "mat")) == {"games[0].rest", "rolls", "games[0].findings.illegal-play"}

    @settings(max_examples=20)
    @given(
        st.permutations([("Site", "a"), ("Event", "b"), ("EventDate", "2024.07.27"), ("Bracket", "c")]),
        st.sampled_from(["mat", "sgf", "json"]),
    )
    def test_tags_in_any_order(self, tags: list[tuple[str, str]], form: str) -> None:
        match = attrs.evolve(Match.from_events(("Ann", "Bob"), MatchState.new(3), ()), tags=tuple(tags))
        again = loads(dumps(match, form))
        assert (again, hash(again)) == (match, hash(match))
        assert again != attrs.evolve(match, tags=tuple(tags[1:]))


class TestPositionsSetByHand:
    """Only the next action says whose turn it is, so a position without one is lost."""

    BOARD = Position.of(mine={6: 2}, theirs={5: 2})

    @loop.rows("further", (), (Event(Action.RESIGN, Player.WHITE), Event(Action.DECLINE, Player.BLACK)))
    def test_alone(self, further: tuple[Event, ...]) -> None:
        match = one_game(SetPosition(self.BOARD, Player.BLACK), *further)
        assert lost_fields(match, "mat") == ("games[0].events", "games[0].findings.position-set")

    def test_as_the_start_of_a_game_that_has_not_begun(self) -> None:
        match = one_game(start=MatchState.new(3, position=self.BOARD))
        assert lost_fields(match, "mat") == ("games[0].start", "games[0].findings.position-set")

    @loop.rows("event", Event(Action.ROLL, Player.BLACK, "21"), Event(Action.DOUBLE, Player.BLACK))
    def test_with_an_action(self, event: Event) -> None:
        match = one_game(SetPosition(self.BOARD, Player.BLACK, Cube()), event)
        again = loads(dumps(match))
        assert again.games[0].events == match.games[0].events
        assert lost_fields(match, "mat") == ()
