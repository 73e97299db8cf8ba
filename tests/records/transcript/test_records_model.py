"""What a record says about itself: results, winners, the date, ratings; how it is printed."""

from __future__ import annotations

import copy
import datetime as dt
import pickle
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings

import loop
from gammonrules import Forfeit, SetPosition, strategies
from gammonrules.board import Position
from gammonrules.errors import ArgumentError
from gammonrules.match import Event, MatchState, Player
from gammonrules.records import Game, Match, RecordedResult, loads
from pairs import is_pair_of
from real_records import loaded

FOLDER = Path(__file__).parents[2] / "data" / "matches"
FILES = sorted(
    path for kind in ("galaxy", "studio", "xg-text", "endings") for path in (FOLDER / kind).glob("*.[mt][ax]t")
)[::3]
OPENING = Event("opening_roll", argument=(3, 1))
BROKEN = Event("play", Player.WHITE, "8/4 6/5")


def matches() -> dict[str, Match]:
    return {path.name: loaded(path) for path in FILES}


def tagged(*tags: tuple[str, str]) -> Match:
    return Match(("Ann", "Bob"), 7, tags=tags)


class TestResults:
    @settings(max_examples=10)
    @given(strategies.matches(max_games=3, max_turns=5))
    def test_are_those_of_the_last_state(self, match: Match) -> None:
        for game in match.games:
            *_, last = game.states()
            assert game.result == last.result
            assert game.winner == (last.result and last.result.winner)
        assert match.winner == (last.winner if match.length else None)

    def test_while_it_goes_on(self) -> None:
        game = Game(1, MatchState.new(7), (OPENING,))
        assert (game.result, game.winner, Match(("A", "B"), 7, (game,)).winner) == (None, None, None)
        assert Match(("A", "B"), 7).winner is None

    def test_of_events_that_break_the_rules(self) -> None:
        game = Game(1, MatchState.new(7), (OPENING, BROKEN), stated=RecordedResult(Player.BLACK, 7))
        assert (game.result, game.winner) == (None, None)
        assert Match(("A", "B"), 7, (game,)).winner is Player.BLACK  # as for the score, the file is believed

    def test_nobody_wins_money_play(self) -> None:
        game = Game(1, MatchState.new(None), (Forfeit(Player.BLACK, 5),))
        assert (game.winner, Match(("A", "B"), None, (game,)).winner) == (Player.WHITE, None)

    def test_nobody_wins_a_coin_game(self) -> None:
        game = Game(1, MatchState.new(None), (Forfeit(Player.BLACK, 16),))
        assert Match(("A", "B"), 16, (game,), tags=(("Site", "BackgammonGalaxy"),)).winner is None
        for length, site in ((16, "Elsewhere"), (15, "BackgammonGalaxy")):
            with pytest.raises(ArgumentError, match="game 1"):
                Match(("A", "B"), length, (game,), tags=(("Site", site),))

    def test_every_real_match_is_won_by_who_reached_its_length(self) -> None:
        for match in matches().values():
            reached = [player for player in Player if match.length and match.score[player] >= match.length]
            assert [match.winner] == (reached or [None])

    def test_are_kept_with_the_game_that_was_read_only(self) -> None:
        """A reader knows the state after the last event; a game with other events has another one."""
        game = loads("5 point match\n Game 1\n A : 0      B : 0\n  1) 31: 8/5 6/5\n      Wins 1 point").games[0]
        for same in (game, copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert same.winner is Player.WHITE
        assert attrs.evolve(game, events=game.events[:-1]).result is None
        assert attrs.evolve(game, start=MatchState.new(5, score=(0, 3))).final().score == (1, 3)


class TestPlayersAsText:
    def test_wherever_a_record_names_a_player(self) -> None:
        assert Forfeit("black", 2) == Forfeit(Player.BLACK, 2)  # type: ignore[arg-type]
        assert RecordedResult("white", 2) == RecordedResult(Player.WHITE, 2)  # type: ignore[arg-type]
        hand = SetPosition(Position.start(), "black")  # type: ignore[arg-type]
        assert hand == SetPosition(Position.start(), Player.BLACK)
        assert hand.on_roll is Player.BLACK
        assert MatchState.new(7).apply(hand).on_roll is Player.BLACK

    @loop.rows("other", "White", "", 0, 1, True, ["white"])
    def test_nothing_else(self, other: object) -> None:
        for make in (
            lambda: Forfeit(other),
            lambda: RecordedResult(other, 1),
            lambda: SetPosition(Position.start(), other),
        ):  # type: ignore[arg-type]
            with pytest.raises(ArgumentError, match="Player"):
                make()


class TestDates:
    @loop.rows("text", "2024.07.06", "2024-07-06", "2024/7/6", " 2024.07.06 ")
    def test_are_read_if_the_year_is_first(self, text: str) -> None:
        assert tagged(("EventDate", text)).date == tagged(("eventdate", text)).date == dt.date(2024, 7, 6)

    @loop.rows("text", "16/09/2023", "09-16-2023", "2023年09月16日")
    def test_are_read_if_there_is_one_way(self, text: str) -> None:
        day = dt.date(2023, 9, 16)
        assert tagged(("EventDate", text)).date == tagged(("Date", text)).date == day
        assert tagged(("EventDate", "07/06/2024"), ("Date", text)).date == day

    @loop.over(
        "text",
        ["", "2024", "07/06/2024", "06.07.2024", "2024.07", "24.07.06", "2024.13.06", "2024.02.30", "0000.01.01",
         "2024.07-06", "????.??.??", "2024.07.06 18:00", "２０２４.07.06", "2024.07.06\n2024.07.07"],
    )  # fmt: skip
    def test_that_are_not_certain(self, text: str) -> None:
        assert tagged(("EventDate", text)).date is None

    def test_two(self) -> None:
        first, other = ("EventDate", "2024.07.06"), ("EventDate", "2024.07.07")
        assert tagged(first, first).date == dt.date(2024, 7, 6)
        assert tagged(first, other).date is None
        assert tagged().date is None


class TestHeaders:
    @loop.rows(
        ("text", "time"),
        ("19.44", dt.time(19, 44)),
        ("16:15", dt.time(16, 15)),
        ("9:05:59", dt.time(9, 5, 59)),
        ("24:00", None),
        ("12:60", None),
        ("noon", None),
        ("", None),
    )
    def test_times(self, text: str, time: dt.time | None) -> None:
        assert tagged(("EventTime", text)).time == time

    def test_where_and_what(self) -> None:
        match = tagged(("site", " Aachen "), ("Event", "Festival"), ("ROUND", "3"))
        assert (match.site, match.event, match.round) == ("Aachen", "Festival", "3")
        assert (tagged().site, tagged().event, tagged().round, tagged().time) == (None,) * 4


class TestRatings:
    @loop.over(
        ("text", "rating"),
        [("1600.00/0", 1600.0), ("3,00/0", 3.0), ("0,00/0", 0.0), ("1834.56/1200", 1834.56), ("1500", 1500.0)],
    )
    def test_are_read(self, text: str, rating: float) -> None:
        assert tagged(("Player 1 Elo", text)).ratings == (rating, None)
        assert tagged(("player 2 elo", text)).ratings == (None, rating)

    @loop.over(
        "text", ["", "none", "-5", "1.600,00/0", "1e9", "inf", "nan", "9" * 400, "1600.00/", "/0", "1600 or so", "١٦٠٠"]
    )
    def test_that_are_not_certain(self, text: str) -> None:
        assert tagged(("Player 1 Elo", text), ("Player 2 Elo", "5,5/1")).ratings == (None, 5.5)

    def test_two(self) -> None:
        first, other = ("Player 1 Elo", "1600.00/0"), ("Player 1 Elo", "1700.00/0")
        assert tagged(first, first).ratings == (1600.0, None)
        assert tagged(first, other).ratings == tagged().ratings == (None, None)

    def test_of_a_record_that_numbers_the_players_from_the_right(self) -> None:
        """As eXtreme Gammon does; the names decide."""
        elos = ("Player 1 Elo", "1600"), ("Player 2 Elo", "1700")
        assert tagged(("Player 1", "Bob"), ("Player 2", "Ann"), *elos).ratings == (1700.0, 1600.0)
        assert tagged(("Player 1", "Ann"), ("Player 2", "Bob"), *elos).ratings == (1600.0, 1700.0)
        assert tagged(("Player 1", "Bob"), ("Player 2", "Cid"), *elos).ratings == (1600.0, 1700.0)
        same = Match(("Ann", "Ann"), 7, tags=(("Player 1", "Ann"), ("Player 2", "Ann"), *elos))
        assert same.ratings == (1600.0, 1700.0)


class TestPairs:
    def test_they_take_a_player_and_are_tuples_otherwise(self) -> None:
        game = Game(1, MatchState.new(7, score=(2, 4)), stated=RecordedResult(Player.WHITE, 2))
        tags = (("Player 1 Elo", "1600.5"), ("Player 2 Elo", "1700.5"))
        match = attrs.evolve(Match(("x", "y"), 7, (game,), tags=tags), players=("Ann", "Bob"))
        is_pair_of((4, 4), match.score)
        is_pair_of(("Ann", "Bob"), match.players)
        is_pair_of((1600.5, 1700.5), match.ratings)


class TestReprs:
    def test_of_matches(self) -> None:
        assert repr(Match(("A" * 5_000, "B\n\x1b[31m"), 7)) == f"<Match {'A' * 40} 0-0 B  [31m, to 7, 0 games>"

    @given(strategies.matches(max_games=2, max_turns=2))
    def test_never_raise(self, match: Match) -> None:
        assert repr(match)[:6] == "<Match"
