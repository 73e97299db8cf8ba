"""The Hypothesis strategies: they draw what they promise, richly, without waste, and what fails shrinks to a board that
a person can read.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, get_args, get_type_hints

import attrs
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import each
import gammonrules
import loop
import reference
import wording
from boards import board_of
from drawn_values import AS_DRAWN, changed, men, public_classes, seen, simplest
from gammonrules import SetPosition, _hypothesis, strategies
from gammonrules.board import START_NAMES, Position, Win
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import ArgumentError, PositionError, RulesError, RulesProblem
from gammonrules.match import TO_ACT, Action, End, Event, MatchState, Phase, Player
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, TOURNAMENT, Rules
from gammonrules.strategies._position_strategies import let_somebody_move

KINDS = get_args(strategies.PositionKind)


# The arrays of `batch` come from boards, and tables of equities from files.
PUBLIC = sorted(
    public_classes("analysis", "board", "dice", "errors", "match", "rules"), key=lambda kind: kind.__qualname__
)
VALUES = [kind for kind in PUBLIC if attrs.has(kind) and kind.__eq__ is not object.__eq__]
ENUMS = [kind for kind in PUBLIC if issubclass(kind, Enum)]


class TestPositions:
    @loop.over("kind", KINDS)
    def test_are_of_their_kind(self, kind):
        @given(strategies.positions(kind=kind))
        def test(position):
            board = board_of(position)
            assert reference.is_valid(board)
            assert Position.from_points(position.points, checkers=position.checkers) == position
            if kind != "any":
                assert reference.is_over(board) == (kind == "finished")
            match kind:
                case "contact":
                    assert not reference.is_race(board)
                case "race":
                    assert reference.is_race(board)
                case "bear-off":
                    assert not any(board[0][7:])
                case "bar":
                    assert board[0][25] > 0
                case "shut-out":
                    assert reference.is_shut_out(board)

        test()

    @given(st.integers(1, 15), st.data())
    def test_have_as_many_checkers_as_asked(self, checkers, data):
        kinds = [kind for kind in KINDS if kind != "shut-out" or checkers >= 12]
        kind = data.draw(st.sampled_from(kinds))
        assert data.draw(strategies.positions(kind=kind, checkers=checkers)).checkers == checkers

    @loop.rows(
        ("options", "named"),
        ({"kind": "odd"}, [*KINDS, "'odd'"]),
        ({"checkers": 0}, ["checkers", "1", "15", "0"]),
        ({"kind": "shut-out", "checkers": 11}, ["shut-out", "checkers", "12", "15", "11"]),
    )
    def test_refuse_what_they_cannot_draw(self, options, named):
        with wording.tells(ArgumentError, *named):
            strategies.positions(**options)

    def test_one_side_at_least_can_move(self):
        """Two closed boards with checkers on both bars are too rare to wait for."""
        closed = dict.fromkeys(range(1, 7), 2)
        mine, theirs, entering = closed | {25: 1}, closed | {25: 2}, {1: 1, 25: 1}
        let_somebody_move(mine, entering)
        let_somebody_move(mine, theirs)
        assert (mine, theirs, entering) == (closed | {25: 1}, closed, {1: 1, 25: 1})

    @each.first(
        ("kind", "condition", "fewest"),
        [
            ("contact", lambda _: True, 2),
            ("shut-out", lambda _: True, 14),
            ("live", lambda position: position.points[25] > 0, 2),
            ("live", lambda position: len(position.made_points) >= 3, 7),
            ("live", lambda position: position.points[25] > 0 > position.points[0], 2),
        ],
        ids=["contact", "shut out", "bar", "three points", "both bars"],
    )
    def test_shrink_to_few_checkers(self, kind, condition, fewest):
        """How few exactly is up to Hypothesis; a board that a person reads has hardly more than there must be."""
        simple = simplest(strategies.positions(kind=kind), condition)
        assert condition(simple)
        assert fewest <= men(simple) <= fewest + 2


class TestReachablePositions:
    @given(strategies.reachable_positions(max_turns=1))
    def test_are_reached_by_play(self, position):
        start = Position.start()
        assert position in {start, *(play.position for roll in ROLLS for play in start.legal_plays(roll))}

    @given(strategies.reachable_positions(start="hypergammon"))
    def test_go_on(self, position):
        assert position.checkers == 3
        assert position.outcome is None

    def test_go_far(self):
        counted = seen(strategies.reachable_positions(), lambda position: {"far": position.pip_count < 140}, 60)
        assert counted["far"] > 8

    def test_from_a_position(self):
        start = Position.of(mine={6: 1}, theirs={6: 1})
        reached = seen(strategies.reachable_positions(start=start), lambda position: {position.id: True}, 30)
        assert reached[start.id]

    @loop.rows(
        ("options", "error", "named"),
        ({"start": "chess"}, PositionError, ["chess"]),
        ({"start": Position.of(mine={6: 1})}, ArgumentError, ["start", "over"]),
        ({"max_turns": -1}, ArgumentError, ["turns", "-1"]),
    )
    def test_refuse_what_they_cannot_draw(self, options, error, named):
        with wording.tells(error, *named):
            strategies.reachable_positions(**options)


class TestDiceAndPlays:
    def test_all_rolls_come_as_they_fall(self):
        counted = seen(st.tuples(strategies.dice(), st.integers()), lambda drawn: {str(drawn[0]): True})
        assert set(counted) - {"all"} == {str(roll) for roll in ROLLS}
        assert sum(counted[str(roll)] for roll in ROLLS if not roll.is_doublet) > 0.6 * counted["all"]

    @given(strategies.plays())
    def test_plays_are_legal(self, play):
        assert play in play.before.legal_plays(play.dice)

    @given(strategies.legal_plays(positions=st.just(Position.start()), rolls=st.just(Dice(3, 1))))
    def test_legal_plays_of_given_positions_and_rolls(self, plays):
        assert plays == Position.start().legal_plays("31")

    @given(strategies.plays(positions=strategies.positions(kind="bar"), rolls=st.just(Dice(6, 6))))
    def test_plays_of_given_positions_and_rolls(self, play):
        assert play.before.points[25] > 0
        assert play.dice == Dice(6, 6)

    def test_every_play_can_come(self):
        plays = strategies.plays(positions=st.just(Position.start()), rolls=st.just(Dice(3, 1)))
        counted = seen(plays, lambda play: {str(play): True}, 150)
        assert set(counted) - {"all"} == {str(play) for play in Position.start().legal_plays("31")}

    @given(strategies.moves())
    def test_moves_go_by_a_die(self, move):
        assert 1 <= move.from_point - move.to_point <= 6
        assert not (move.hit and move.to_point == 0)


class TestRules:
    def test_every_option_comes_with_every_other(self):
        def facts(rules):
            options = attrs.asdict(rules).items()
            return {f"{option} and {other}": True for option in options for other in options if option < other}

        counted = seen(strategies.rules(), facts)
        switches = ("crawford", "jacoby", "cube", "backgammons")
        for option in switches:
            for other in switches:
                if option < other:
                    pairs = [f"({option!r}, {x}) and ({other!r}, {y})" for x in (True, False) for y in (True, False)]
                    assert [pair for pair in pairs if not counted[pair]] == []
        assert counted["('opening', 'reroll') and ('scoring', 'pips')"]
        assert counted["('backgammons', False) and ('gammons', False)"]

    @loop.rows(
        "fixed",
        *({"scoring": "pips"}, {"scoring": "points"}, {"cube": True}, {"beavers": 2}),
        *({"jacoby": True}, {"gammons": False}, {"backgammons": True}),
        {"gammons": False, "backgammons": False, "scoring": "pips", "cube": False},
        *({"max_cube": 8, "opening": "reroll", "start": "nackgammon", "crawford": False}, attrs.asdict(MONEY)),
    )
    def test_options_that_are_given(self, fixed):
        @settings(max_examples=8)
        @given(strategies.rules(**fixed))
        def test(rules):
            assert attrs.asdict(rules) | fixed == attrs.asdict(rules)

        test()

    def test_refuse_what_does_not_go_together(self):
        for options, problem in (
            ({"scoring": "pips", "cube": True}, RulesProblem.PIPS_WITH_CUBE),
            ({"gammons": False, "backgammons": True}, RulesProblem.BACKGAMMONS_WITHOUT_GAMMONS),
        ):
            with wording.tells(RulesError, problems=problem):
                strategies.rules(**options)
        with pytest.raises(TypeError, match="castling"):
            strategies.rules(castling=True)

    def test_take_every_option_with_its_type(self):
        options = get_type_hints(strategies.rules)["fixed"]
        assert get_type_hints(get_args(options)[0]) == get_type_hints(Rules)

    def test_shrink_to_the_default(self):
        """No option differs that need not."""
        for condition, needed in (
            (lambda _: True, set()),
            (lambda rules: rules.scoring == "pips", {"scoring", "cube"}),
            (lambda rules: rules.beavers > 1, {"beavers"}),
        ):
            assert changed(simplest(strategies.rules(), condition), Rules()) == needed


class TestMatchStates:
    @given(strategies.match_states())
    def test_are_what_a_constructor_accepts(self, state):
        assert attrs.evolve(state) == state
        assert state.swap_players().swap_players() == state

    @each.first("phase", Phase, of_these=2)
    def test_of_a_phase(self, phase):
        @settings(max_examples=8)
        @given(strategies.match_states(phase=phase), strategies.match_states(phase=phase.value))
        def test(state, other):
            assert state.phase is other.phase is phase

        test()

    @given(strategies.match_states(rules=st.just(MONEY), lengths=st.just(3), positions=st.just(Position.start())))
    def test_of_given_rules_lengths_and_boards(self, state):
        assert (state.rules, state.length) == (MONEY, 3)
        assert state.position == Position.start() or state.result.end is End.PLAYED

    @given(strategies.match_states(rules=strategies.rules(scoring="pips")))
    def test_pip_scoring_is_money_play(self, state):
        assert state.length is None

    @given(strategies.match_states(phase="to_roll", positions=strategies.positions(kind="any")))
    def test_boards_of_games_that_are_over_are_left_out(self, state):
        assert state.position.outcome is None

    @loop.over("start", START_NAMES)
    def test_have_as_many_checkers_as_the_start_of_their_rules(self, start):
        @settings(max_examples=5)
        @given(strategies.match_states(rules=strategies.rules(start=start)))
        def test(state):
            assert state.position.checkers == Position.start(start).checkers

        test()

    @given(strategies.match_states(positions=strategies.positions(checkers=7)))
    def test_have_as_many_checkers_as_given_boards(self, state):
        assert state.position.checkers == 7

    def test_what_does_not_go_together_is_left_out(self):
        """The simplest draws do not fit here, and others do."""
        rules = st.sampled_from((BRETTSPIELWELT_SINGLE, TOURNAMENT))
        boards = st.sampled_from((Position.of(mine={6: 1}), Position.start()))

        @settings(max_examples=8, suppress_health_check=list(HealthCheck))
        @given(strategies.match_states(phase="to_roll", rules=rules, lengths=st.just(5), positions=boards))
        def test(state):
            assert (state.position, state.rules) == (Position.start(), TOURNAMENT)

        test()

    def test_there_is_no_such_phase(self):
        with wording.tells(ArgumentError, *(phase.value for phase in Phase), "'thinking'"):
            strategies.match_states(phase="thinking")

    @pytest.mark.long
    def test_are_rich(self):
        def facts(state):
            return {
                **{f"phase {phase}": state.phase is phase for phase in Phase},
                "money": state.length is None,
                "pips": state.rules.scoring == "pips",
                "Crawford": state.crawford,
                "post-Crawford": state.post_crawford,
                "both one away": state.length != 1 and state.away == (1, 1),
                "White owns the cube": state.cube.owner is Player.WHITE,
                "Black owns the cube": state.cube.owner is Player.BLACK,
                "an automatic double": state.cube.owner is None and state.cube.value > 1,
                "a high cube": state.cube.value >= 64,
                "another start": state.rules.start != "standard",
                "few checkers": state.position.checkers < 15,
            }

        counted = seen(strategies.match_states(), facts, 600)
        assert [name for name in facts(MatchState.new(1)) if not counted[name]] == []

    @pytest.mark.long
    def test_ends_are_rich(self):
        def facts(state):
            end, owner = state.result.end, state.cube.owner
            return {
                **{end.name: state.result.end is end for end in End},
                **{win.name: state.result.win is win for win in Win},
                "the match is won": state.winner is not None,
                "the match goes on": state.winner is None and state.length is not None,
                "forfeited before the opening roll": end is End.FORFEITED and state.on_roll is None,
                "dropped after a beaver": end is End.DROPPED and owner not in {None, state.on_roll},
            }

        counted = seen(strategies.match_states(phase="over"), facts, 300)
        assert len(counted) == 12

    @each.first(
        ("condition", "needed"),
        [
            (lambda _: True, set()),
            (lambda state: state.crawford, {"length", "score", "crawford"}),
            (lambda state: state.cube.value > 1 and state.length, {"length", "cube"}),
            (lambda state: state.result is not None and state.result.end is End.DROPPED, {"score", "result"}),
        ],
        ids=["any", "Crawford", "cube", "drop"],
    )
    def test_shrink_to_a_plain_table(self, condition, needed):
        """A small board, and nothing else that need not be."""
        simple = simplest(strategies.match_states(), condition)
        plain = MatchState(Position.of(mine={1: 1}, theirs={1: 1}), Player.WHITE, rules=Rules())
        assert men(simple.position) <= 4
        assert changed(simple, plain) - {"position"} == needed


class TestEvents:
    @given(strategies.match_states().filter(lambda state: state.winner is None), st.data())
    def test_are_legal(self, state, data):
        event = data.draw(strategies.events(state))
        assert event.action in state.legal_actions_of(Player.WHITE if event.by is TO_ACT else event.by)
        assert isinstance(state.apply(event), MatchState)

    @each.first(
        ("phase", "actions", "examples"),
        [
            (Phase.RESIGNED, {Action.ACCEPT, Action.DECLINE}, 20),
            (Phase.OPENING, {Action.OPENING_ROLL}, 20),
            (Phase.TO_ROLL, {Action.ROLL, Action.DOUBLE, Action.RESIGN}, 100),
            (Phase.TO_PLAY, {Action.PLAY, Action.RESIGN}, 100),
            (Phase.DOUBLED, {Action.TAKE, Action.DROP, Action.BEAVER, Action.RESIGN}, 100),
        ],
    )
    def test_every_action_comes(self, phase, actions, examples):
        events = strategies.match_states(phase=phase).flatmap(strategies.events)
        counted = seen(events, lambda event: {event.action: True}, examples)
        assert set(counted) - {"all"} == actions

    @given(strategies.events())
    def test_of_any_table(self, event):
        assert isinstance(event, Event)

    def test_a_match_that_is_over_has_none(self):
        won = MatchState.new(1).opening_roll(3, 1).resign().accept()
        with wording.tells(ArgumentError, "Black", "match"):
            strategies.events(won)

    def test_are_those_of_a_table(self):
        with wording.tells(ArgumentError, "MatchState", "'start'"):
            strategies.events("start")


class TestPlainValues:
    """A value in the place of a strategy, and a strategy that draws other values."""

    @loop.rows(
        ("build", "named"),
        (lambda: strategies.match_states(rules=Rules()), ["rules=", "st.just(Rules())"]),
        (lambda: strategies.match_states(lengths=7), ["lengths=", "7"]),
        (lambda: strategies.legal_plays(positions=[]), ["positions=", "[]"]),
        (lambda: strategies.plays(rolls="31"), ["rolls=", "'31'"]),
    )
    def test_are_refused_at_once(self, build, named):
        """With a strategy to write in their place."""
        with wording.tells(ArgumentError, *named, "strategy"):
            build()

    @loop.rows(
        ("strategy", "named"),
        (strategies.match_states(rules=st.just(7)), ["rules=", "Rules", "7"]),
        (strategies.match_states(lengths=st.just(0)), ["lengths=", "None", "0"]),
        (strategies.legal_plays(positions=st.none()), ["positions=", "Position", "None"]),
    )
    def test_what_is_not_wanted_is_named(self, strategy, named):
        with wording.tells(ArgumentError, *named):
            settings(AS_DRAWN)(given(strategy)(lambda _: None))()

    def test_have_the_same_name_everywhere(self):
        """As in the name of a parametrized test."""
        assert "0x" not in repr(strategies.match_states())

    @settings(max_examples=5)
    @given(strategies.legal_plays(rolls=st.just("31")))
    def test_rolls_in_any_form(self, plays):
        assert plays.dice == Dice(3, 1)

    @given(strategies.plays(positions=strategies.positions(kind="any")))
    def test_games_that_are_over_have_no_plays(self, play):
        assert play.before.outcome is None


class TestRegistration:
    """`st.from_type` knows the types of the library as soon as Hypothesis is imported."""

    @loop.over("kind", [*VALUES, *ENUMS], ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
    def test_by_type(self, kind):
        _hypothesis.register()

        @settings(max_examples=1)
        @given(st.from_type(kind))
        def test(value):
            assert isinstance(value, kind)

        test()

    def test_every_public_value_has_a_strategy(self):
        """Hypothesis would guess how to draw the others, and what it guesses may be refused."""
        assert len(VALUES) >= 22
        assert set(VALUES) == {*_hypothesis._STRATEGIES}

    def test_every_other_public_class_is_a_pair_or_an_error(self):
        others = [kind for kind in PUBLIC if kind not in {*VALUES, *ENUMS} and not issubclass(kind, Exception)]
        assert [kind.__name__ for kind in others if not getattr(kind, "_is_protocol", False)] == ["Pair"]

    @given(st.from_type(SetPosition), st.sampled_from((None, 7)))
    def test_positions_set_by_hand_fit_any_game(self, event, length):
        """Some end it, and may name its winner."""
        table = MatchState.new(length, rules=Rules(auto_doubles=99))
        if length is None or event.cube is None or event.cube.owner is not None or event.cube.value == 1:
            after = table.apply(event)
            assert after.view(event.on_roll) == event.position
            assert (after.result is None) == (event.position.outcome is None)

    @pytest.mark.long
    def test_finished_positions_are_positions(self):
        counted = seen(st.from_type(Position), lambda position: {"over": position.outcome is not None}, 300)
        assert 10 < counted["over"] < 250


class TestWhatAUserSees:
    """A failing example is printed as code that makes it again."""

    @staticmethod
    def made_again(test: Callable[..., None]) -> dict[str, Any]:
        """The arguments of the failing example, from the text that Hypothesis prints."""
        with pytest.raises(AssertionError) as caught:
            test()
        text = "\n".join(caught.value.__notes__)
        code = text[text.index("test(") + len("test") :].partition("\n)")[0]
        names = {name: getattr(gammonrules, name) for name in gammonrules.__all__}
        return eval(f"dict{code}\n)", names)

    def test_plays_and_tables(self):
        drawn = []

        @settings(AS_DRAWN)
        @given(strategies.plays(), strategies.legal_plays(), strategies.match_states())
        def test(play, plays, state):
            drawn.append({"play": play, "plays": plays, "state": state})
            raise AssertionError

        again = self.made_again(test)
        assert again == drawn[-1]
        assert (again["plays"].position, again["plays"].dice) == (drawn[-1]["plays"].position, drawn[-1]["plays"].dice)
