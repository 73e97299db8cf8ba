"""The Hypothesis strategies for games, matches, records and analyses; `test_strategies.py` has those of the core."""

from __future__ import annotations

from enum import Enum

import attrs
import pytest
from hypothesis import given, settings, strategies as st

import loop
import wording
from drawn_values import AS_DRAWN, public_classes, seen, simplest
from gammonrules import _hypothesis, strategies
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Position
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, End, MatchState, Player
from gammonrules.records import CubeAnalysis, FindingKind, Match, PlayAnalysis, hypothesis_types, referee
from gammonrules.rules import Rules

PUBLIC = sorted({*public_classes("records")} - {*_hypothesis._STRATEGIES}, key=lambda kind: kind.__qualname__)
VALUES = [kind for kind in PUBLIC if attrs.has(kind) and kind.__eq__ is not object.__eq__]
ENUMS = [kind for kind in PUBLIC if issubclass(kind, Enum)]


class TestGames:
    @given(strategies.games())
    def test_are_legal_to_their_end(self, game):
        states = list(game.states())
        assert states[0] == game.start
        assert [state.result is None for state in states] == [True] * len(game.events) + [False]

    @given(strategies.games(max_turns=0))
    def test_without_turns(self, game):
        assert Action.PLAY not in {event.action for event in game.events}

    @given(strategies.games(starts=strategies.match_states().filter(lambda state: state.result is None), max_turns=5))
    def test_from_any_table(self, game):
        *_, last = game.states()
        assert last.result is not None

    @pytest.mark.long
    def test_are_rich(self):
        def facts(game):
            *_, last = game.states()
            actions = {event.action for event in game.events}
            return {
                **{action: action in actions for action in Action if action is not Action.NEXT_GAME},
                **{f"ended {end}": last.result.end is end for end in End},
                "long": len(game.events) > 60,
                "from a start": game.start.position == Position.start(game.start.rules.start),
                "from elsewhere": game.start.position != Position.start(game.start.rules.start),
                "a tie": sum(event.action is Action.OPENING_ROLL for event in game.events) > 1,
            }

        counted = seen(strategies.games(), facts, 250)
        wanted = {*Action, "long", "from a start", "from elsewhere", "a tie", *(f"ended {end}" for end in End)}
        # Nobody declines in a game that began before its opening roll: its only resignation is its end.
        # Beavers are rare. A forfeit is not an event that the rules allow.
        wanted -= {Action.NEXT_GAME, Action.DECLINE, Action.BEAVER, "ended forfeited"}
        assert {name for name in wanted if not counted[name]} == set()

    def test_shrink_to_a_game_given_up_at_once(self):
        game = simplest(strategies.games(), lambda _: True)
        assert (game.start.rules, game.start.length, game.start.score) == (Rules(), None, (0, 0))
        assert len(game.events) <= 3


class TestMatches:
    @settings(max_examples=8)
    @given(strategies.matches())
    def test_are_legal_to_the_end_of_each_game(self, match):
        assert all(game.final().result is not None for game in match.games)
        assert [game.number for game in match.games] == list(range(1, len(match.games) + 1))
        assert [game.final().winner for game in match.games[:-1]] == [None] * (len(match.games) - 1)
        assert match.games[0].score == (0, 0)
        set_by_hand = any(game.start.position != Position.start(match.rules.start) for game in match.games)
        assert {finding.kind for finding in referee(match)} == ({FindingKind.POSITION_SET} if set_by_hand else set())

    @settings(max_examples=8)
    @given(strategies.matches(starts=strategies.match_states().filter(lambda state: state.result is None), max_turns=3))
    def test_from_any_table(self, match):
        first = match.games[0].start
        assert {game.start.view(Player.WHITE) for game in match.games} == {first.view(Player.WHITE)}
        assert match.rules == first.rules

    @pytest.mark.long
    def test_have_one_game_to_four(self):
        counted = seen(strategies.matches(), lambda match: {len(match.games): True}, 100)
        assert counted.keys() == {"all", 1, 2, 3, 4}

    @loop.rows(
        ("options", "named"), ({"max_games": 0}, ["games", "1", "0"]), ({"max_turns": "x"}, ["turns", "0", "'x'"])
    )
    def test_refuse_what_they_cannot_draw(self, options, named):
        with wording.tells(ArgumentError, *named):
            strategies.matches(**options)


class TestRecords:
    """Matches as files hold them."""

    @settings(max_examples=5)
    @given(strategies.records())
    def test_analyses_belong_to_decisions(self, match):
        stored = sum(analysis is not None for game in match.games for analysis in game.analyses)
        analyzed = [decision for decision in match.decisions() if decision.analysis is not None]
        assert len(analyzed) <= stored
        for decision in analyzed:
            assert (decision.play_analysis is None) == (decision.kind != "play")
            made = decision.play_analysis and decision.play_analysis.made
            assert made is None or made.play == decision.action

    @pytest.mark.long
    def test_are_rich(self):
        def facts(match):
            stored = [analysis for game in match.games for analysis in game.analyses]
            return {
                "tags": match.tags != (),
                "comments": match.comments != (),
                "findings": match.findings != (),
                "stated ends": any(game.stated for game in match.games),
                "remarks": any(any(game.notes) for game in match.games),
                "rows": any(game.rows for game in match.games),
                "encoded": any(isinstance(analysis, EncodedAnalysis) for analysis in stored),
                "plays": any(isinstance(analysis, PlayAnalysis) and analysis.candidates for analysis in stored),
                "cubes": any(isinstance(analysis, CubeAnalysis) for analysis in stored),
                "errors": any(decision.error for decision in match.decisions()),
                "nothing": match == Match(match.players, match.length, match.games) and not any(stored),
            }

        counted = seen(strategies.records(), facts, 80)
        assert [name for name in facts(Match(("A", "B"), 1)) if not 1 < counted[name] < 79] == []

    @given(strategies.play_analyses(plays=st.just(Position.start().legal_plays("31")[3])))
    def test_analyses_of_a_given_play(self, analysis):
        plays = Position.start().legal_plays("31")
        for candidate in analysis.candidates:
            assert plays.find(candidate.play).position == candidate.position
        assert analysis.made is None or analysis.made.play == str(plays[3])


class TestPlainValues:
    """A value in the place of a strategy, and a strategy that draws other values."""

    @loop.rows(
        ("build", "named"),
        (lambda: strategies.games(starts=MatchState.new(3)), ["starts=", "MatchState"]),
        (lambda: strategies.matches(starts=MatchState.new(3)), ["starts="]),
        (lambda: strategies.records(matches=Match(("A", "B"), 7)), ["matches="]),
        (lambda: strategies.play_analyses(plays="8/5 6/5"), ["plays=", "'8/5 6/5'"]),
    )
    def test_are_refused_at_once(self, build, named):
        """With a strategy to write in their place."""
        with wording.tells(ArgumentError, *named, "strategy"):
            build()

    def test_what_is_not_wanted_is_named(self):
        games = strategies.games(starts=st.just(Position.start()))
        with wording.tells(ArgumentError, "starts=", "MatchState", "Position"):
            settings(AS_DRAWN)(given(games)(lambda _: None))()

    @loop.rows("draw", strategies.games, strategies.matches)
    def test_no_game_begins_where_it_is_over(self, draw):
        over = draw(starts=st.just(MatchState.new(3).opening_roll(3, 1).resign().accept()))
        with wording.tells(ArgumentError, "starts=", "MatchState"):
            settings(AS_DRAWN)(given(over)(lambda _: None))()


class TestRegistration:
    """`st.from_type` knows the types of records as soon as Hypothesis is imported."""

    @loop.over("kind", [*VALUES, *ENUMS], ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
    def test_by_type(self, kind):
        hypothesis_types.register_records()

        @settings(max_examples=1)
        @given(st.from_type(kind))
        def test(value):
            assert isinstance(value, kind)

        test()

    def test_every_public_value_has_a_strategy(self):
        """Hypothesis would guess how to draw the others, and what it guesses may be refused."""
        assert len(VALUES) >= 8
        assert set(VALUES) == {*hypothesis_types._STRATEGIES}

    def test_every_other_public_class_is_of_arrays_or_an_error(self):
        others = [kind for kind in PUBLIC if kind not in {*VALUES, *ENUMS} and not issubclass(kind, Exception)]
        assert [kind.__name__ for kind in others if not getattr(kind, "_is_protocol", False)] == ["Samples"]
