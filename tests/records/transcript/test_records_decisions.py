"""`match.decisions()`: each decision made, in its state, and what an engine thought of it."""

from __future__ import annotations

import pickle

import attrs
import pytest
from hypothesis import given, settings

import loop
import wording
from gammonrules import Forfeit, SetPosition, strategies
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Position
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, Event, MatchState, Phase, Player
from gammonrules.records import Candidate, Chances, CubeAnalysis, Decision, Game, Match, PlayAnalysis, loads

OPENING = Event("opening_roll", argument=(3, 1)), Event("play", Player.WHITE, "8/5 6/5")
RESIGNED = Event("resign", Player.BLACK), Event("accept", Player.WHITE)


def listed(match: Match) -> list[tuple[int, int, str, str, str, bool]]:
    """Game, turn, player, kind, action and forced, counted anew from states and events, as the issue defines them."""
    rows: list[tuple[int, int, str, str, str, bool]] = []
    for number, game in enumerate(match.games, start=1):
        states = list(game.states())
        turn = 1
        for before, event in zip(states, game.events, strict=False):
            if not isinstance(event, Event):
                turn += before.phase is Phase.TO_PLAY and isinstance(event, SetPosition)
                continue
            if event.action is Action.OPENING_ROLL or (
                event.action is Action.ROLL and Action.DOUBLE not in before.legal_actions
            ):
                continue
            kind, words, forced = "answer", str(event.action), False
            if event.action in {Action.ROLL, Action.DOUBLE}:
                kind = "double"
            elif event.action is Action.PLAY:
                kind, words = "play", str(before.legal_plays.find(event.argument))
                forced = len(before.legal_plays) == 1
            elif event.action is Action.RESIGN:
                kind, words = "resign", ("", "single", "gammon", "backgammon")[event.argument]
            elif event.action in {Action.ACCEPT, Action.DECLINE}:
                kind = "resign_answer"
            player = event.by if isinstance(event.by, Player) else before.to_act
            rows.append((number, turn, str(player), kind, words, forced))
            turn += event.action is Action.PLAY
    return rows


def rows_of(match: Match) -> list[tuple[int, int, str, str, str, bool]]:
    return [
        (decision.game, decision.turn, str(decision.player), str(decision.kind), decision.action, decision.is_forced)
        for decision in match.decisions()
    ]


@settings(max_examples=10)
@given(strategies.matches(max_games=2, max_turns=5))
def test_of_any_match(match: Match) -> None:
    assert rows_of(match) == listed(match)
    for decision in match.decisions():
        assert decision.after == decision.state.apply(decision.event)
        assert decision.event == match.games[decision.game - 1].events[decision.index]
        assert pickle.loads(pickle.dumps(decision)) == decision
        assert Decision(**{field.name: getattr(decision, field.name) for field in attrs.fields(Decision)}) == decision


class TestOneGame:
    def test_turns(self) -> None:
        """A double, its answer, the roll and the play are one turn."""
        text = """7 point match
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2)  Doubles => 2                Takes
  3) 11: 8/7(2) 6/5(2)            Doubles => 4
  4)  Drops                      Wins 2 points
"""
        assert rows_of(loads(text)) == [
            (1, 1, "white", "play", "8/5 6/5", False),
            (1, 2, "black", "double", "roll", False),
            (1, 2, "black", "play", "24/18 13/11", False),
            (1, 3, "white", "double", "double", False),
            (1, 3, "black", "answer", "take", False),
            (1, 3, "white", "play", "8/7*(2) 6/5(2)", False),
            (1, 4, "black", "double", "double", False),
            (1, 4, "white", "answer", "drop", False),
        ]

    @loop.rows("number", 1, 2, 3)
    def test_nobody_may_double_before_a_doublet_that_opens_the_game(self, number: int) -> None:
        events = (
            SetPosition(Position.start(), Player.WHITE),
            Event("roll", Player.WHITE, "66"),
            Event("play", argument="24/18(2) 13/7(2)"),
        )
        game = Game(1, MatchState.new(7), events[:number])
        assert [decision.action for decision in game.decisions()] == ["24/18(2) 13/7(2)"] * (number == 3)

    def test_where_it_stands(self) -> None:
        text = (
            "1 point match\n Game 1\n Ann : 0      Bob : 0\n  1)                  31: 8/5 6/5\n  2) 62: 24/18 13/11\n"
        )
        assert [(decision.row, decision.line, decision.player) for decision in loads(text).decisions()] == [
            (1, 4, Player.BLACK),
            (2, 5, Player.WHITE),
        ]

    def test_of_a_game_by_itself(self) -> None:
        game = Game(3, MatchState.new(7), (*OPENING, *RESIGNED))
        assert [decision.game for decision in game.decisions()] == [3, 3, 3]
        assert [decision.game for decision in Match(("Ann", "Bob"), 7, (game,)).decisions()] == [3, 3, 3]
        assert [decision.action for decision in game.decisions()] == ["8/5 6/5", "single", "accept"]

    def test_a_hidden_play_and_a_forfeit_are_none(self) -> None:
        rolled = Game(1, MatchState.new(7), (OPENING[0], *RESIGNED))
        assert [str(decision.kind) for decision in rolled.decisions()] == ["resign", "resign_answer"]
        assert list(Game(1, MatchState.new(7), (Forfeit(Player.BLACK),)).decisions()) == []

    def test_a_position_in_the_place_of_a_play_is_a_turn(self) -> None:
        edited = SetPosition(Position.start(), Player.BLACK)
        game = Game(1, MatchState.new(7), (OPENING[0], edited, Event("roll", argument="62")))
        assert [(decision.turn, decision.action) for decision in game.decisions()] == [(2, "roll")]

    def test_a_dance_is_a_decision(self) -> None:
        shut_out = Position.of(mine={"bar": 1, 6: 14}, theirs={1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 3})
        start = MatchState.new(7).opening_roll(3, 1)
        state = attrs.evolve(start, position=shut_out, dice="31")
        game = Game(1, state, (Event("play", argument="no play"),))
        assert [(decision.action, decision.is_forced) for decision in game.decisions()] == [("no play", True)]


def play_analysis(state: MatchState, texts: list[tuple[str, float]], **fields: object) -> PlayAnalysis:
    plays = [(state.legal_plays.find(text), equity) for text, equity in texts]
    candidates = tuple(Candidate(str(play), play.position, equity) for play, equity in plays)
    return PlayAnalysis(candidates, **fields)  # type: ignore[arg-type]


class TestAnalyses:
    opened = MatchState.new(7).opening_roll(3, 1)

    def test_belong_to_their_events(self) -> None:
        best = play_analysis(self.opened, [("8/5 6/5", 0.15), ("24/23 13/10", -0.01)], played=1, luck=0.25)
        cube = CubeAnalysis(0.5, 0.75)
        events = (
            OPENING[0],
            Event("play", argument="24/23 13/10"),
            Event("double", Player.BLACK),
            Event("drop", Player.WHITE),
        )
        game = Game(1, MatchState.new(7), events, analyses=(None, best, cube, cube), notes=(None, "slow", None))
        played, doubled, dropped = game.decisions()
        assert (played.analysis, played.note) == (best, "slow")
        assert (played.best, played.equity_best, played.equity, played.luck) == ("8/5 6/5", 0.15, -0.01, 0.25)
        assert played.error == pytest.approx(0.16)
        assert (doubled.best, doubled.equity_best, doubled.equity, doubled.error) == ("double", 0.75, 0.75, 0.0)
        assert (dropped.best, dropped.equity_best, dropped.equity, dropped.error) == ("take", -0.75, -1.0, 0.25)
        assert (doubled.luck, dropped.play_analysis, played.cube_analysis) == (None, None, None)
        assert dropped.cube_analysis == cube
        assert played.play_analysis == best

    def test_without_one_nothing_is_known(self) -> None:
        played, *_ = Game(1, MatchState.new(7), OPENING).decisions()
        known = played.analysis, played.best, played.equity, played.equity_best, played.error, played.luck
        assert known == (None,) * 6

    def test_encoded_ones_are_decoded_with_their_state(self) -> None:
        asked: list[tuple[object, MatchState]] = []

        def decode(data: object, state: MatchState) -> PlayAnalysis:
            asked.append((data, state))
            return PlayAnalysis(luck=0.5)

        game = Game(1, MatchState.new(7), OPENING, analyses=(None, EncodedAnalysis("numbers", decode)))
        (played,) = game.decisions()
        assert asked == []
        assert played.luck == 0.5
        assert asked == [("numbers", self.opened)]

    def test_equal_games_may_have_different_ones(self) -> None:
        with_one = Game(1, MatchState.new(7), OPENING, analyses=(None, PlayAnalysis(luck=0.5)), notes=("x", "y"))
        assert with_one == Game(1, MatchState.new(7), OPENING)

    @loop.rows(
        ("no_double", "take", "best", "answer", "errors"),
        (0.5, 0.75, "double", "take", {"roll": 0.25, "double": 0, "take": 0, "drop": 0.25}),
        (0.5, 1.25, "double", "drop", {"roll": 0.5, "double": 0, "take": 0.25, "drop": 0}),
        (1.5, 1.75, "roll", "drop", {"roll": 0, "double": 0.5, "take": 0.75, "drop": 0}),
        (0.5, 0.25, "roll", "take", {"roll": 0, "double": 0.25, "take": 0, "drop": 0.75}),
        (0.5, 0.5, "roll", "take", {"roll": 0, "double": 0, "take": 0, "drop": 0.5}),
        (1.0, 2.0, "roll", "drop", {"roll": 0, "double": 0, "take": 1, "drop": 0}),
        (0.5, 1.0, "double", "take", {"roll": 0.5, "double": 0, "take": 0, "drop": 0}),
    )
    def test_of_the_cube(self, no_double: float, take: float, best: str, answer: str, errors: dict[str, float]) -> None:
        analysis = CubeAnalysis(no_double, take)
        assert (analysis.best, analysis.best_answer) == (best, answer)
        assert {name: analysis.error_of(Action(name)) for name in errors} == errors
        assert (analysis.equity_of(Action.BEAVER), analysis.error_of(Action.BEAVER)) == (None, None)

    def test_stated_errors_serve_where_equities_are_missing(self) -> None:
        cube = CubeAnalysis(stated_error=0.125, stated_answer_error=0.25)
        assert (cube.best, cube.best_answer, cube.equity_double) == (None, None, None)
        assert (cube.error_of(Action.ROLL), cube.error_of(Action.TAKE)) == (0.125, 0.25)
        assert PlayAnalysis((Candidate("8/5", Position.start()),), played=0, stated_error=0.5).error == 0.5
        assert (PlayAnalysis().best, PlayAnalysis().made) == (None, None)

    def test_a_shallower_play_may_seem_better(self) -> None:
        """Engines look deeper at some plays; the first one is the best all the same, and no error is negative."""
        better = play_analysis(self.opened, [("8/5 6/5", 0.15), ("24/23 13/10", 0.2)], played=1)
        assert better.best is better.candidates[0]
        assert better.error == 0


class TestChecks:
    @loop.rows(
        ("make", "sentence"),
        (lambda: Chances(1.1, 0, 0, 0, 0), "impossible chances: win must be a number from 0 to 1, not 1.1"),
        (
            lambda: Chances(0.9, 0.1, 0, 0.2, 0),
            "impossible chances: lose_gammon is 0.2, but lose, which includes it, 0.1",
        ),
        (
            lambda: Chances(0.3, 0.31, 0, 0, 0),
            "impossible chances: win_gammon is 0.31, but win, which includes it, 0.3",
        ),
        (
            lambda: Candidate("8/5", Position.start(), float("inf")),
            "impossible candidate: equity must be a finite number or None, not inf",
        ),
        (
            lambda: Candidate("8/5", Position.start(), standard_error=-1),
            "impossible candidate: standard_error must be a number from 0 up or None, not -1.0",
        ),
        (
            lambda: PlayAnalysis((Candidate("8/5", Position.start()),), played=1),
            "impossible play analysis: played is 1, but there are 1 candidates",
        ),
        (
            lambda: CubeAnalysis("much"),
            "impossible cube analysis: no_double must be a finite number or None, not 'much'",
        ),
        (
            lambda: CubeAnalysis(mwc=(0.5, 2.0, None)),
            "impossible cube analysis: mwc must be a tuple of three chances or None, not (0.5, 2.0, None)",
        ),
    )
    def test_numbers_out_of_bounds(self, make: object, sentence: str) -> None:
        with wording.raises(ArgumentError, sentence):
            make()  # type: ignore[operator]

    def test_numbers_of_any_type(self) -> None:
        assert Chances(1, 0, 0, 0, 0) == Chances(1.0, 0.0, 0.0, 0.0, 0.0)
        with pytest.raises(ArgumentError):
            Chances(True, 0, 0, 0, 0)
        with pytest.raises(ArgumentError):
            Candidate("8/5", Position.start(), 10**400)

    def test_chances_of_the_opponent(self) -> None:
        chances = Chances(0.75, 0.25, 0.125, 0.0625, 0)
        assert chances.flip().flip() == chances
        assert chances.flip().win == chances.lose == 0.25
