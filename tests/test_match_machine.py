"""Whole matches, action by action, against the plain model of `table_model`."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from gammonrules.errors import IllegalActionError
from gammonrules.match import Action, Event, MatchState, Player, Win
from gammonrules.position import Position
from gammonrules.rules import Rules
from table_model import Table

START = Position.start()
HYPERGAMMON = Position.of(mine={24: 1, 23: 1, 22: 1}, theirs={24: 1, 23: 1, 22: 1}, checkers=3)
NEARLY_DONE = (
    Position.of(mine={1: 1}, theirs={1: 1}),
    Position.of(mine={2: 1}, theirs={6: 15}),
    Position.of(mine={1: 2}, theirs={6: 14, 20: 1}),
    Position.of(mine={6: 14, "bar": 1}, theirs={1: 1}),
    Position.of(mine={6: 15}, theirs={1: 2, 3: 1}),
    Position.of(mine={3: 1, 8: 1}, theirs={24: 1, "bar": 1, 6: 13}),
    Position.of(mine={6: 13, 18: 1}, theirs={4: 2}),
    HYPERGAMMON,
    Position.of(mine={2: 1, 1: 1}, theirs={20: 1, 3: 2}, checkers=3),
)
BOARDS = st.sampled_from((START, *NEARLY_DONE, *NEARLY_DONE))
LENGTHS = st.sampled_from([None, 1, 2, 3, 4, 5, 7])
SEATS = st.sampled_from(Player)
Draw = Callable[..., Any]
DIE = st.integers(1, 6)


@st.composite
def rules_of_all_kinds(draw: st.DrawFn) -> Rules:
    """Every combination of options that goes together."""
    shared = {"crawford": draw(st.booleans()), "opening": draw(st.sampled_from(["shared", "reroll"]))}
    gammons = draw(st.sampled_from([(True, True), (True, False), (False, False)]))
    shared |= {"gammons": gammons[0], "backgammons": gammons[1]}
    if draw(st.integers(0, 9)) == 0:
        return Rules(scoring="pips", cube=False, **shared)
    return Rules(
        cube=draw(st.integers(0, 9)) > 0,
        jacoby=draw(st.booleans()),
        beavers=draw(st.integers(0, 3)),
        auto_doubles=draw(st.integers(0, 2)),
        max_cube=draw(st.sampled_from([None, None, 1, 2, 4, 64])),
        **shared,
    )


class MatchMachine(RuleBasedStateMachine):
    """Each step does the same to the state and to the model, and proves that the state before it was left as it was.

    What may be done is drawn from the model: rules with preconditions would throw most of the examples away.
    """

    @initialize(rules=rules_of_all_kinds(), length=LENGTHS, board=BOARDS)
    def begin(self, rules: Rules, length: int | None, board: Position) -> None:
        if rules.scoring == "pips":
            length = None
        self.state = MatchState.new(length, rules=rules, position=board)
        self.model = Table(length, attrs.asdict(rules), (0, 0), list(board.points), board.checkers)

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        if self.model.champion() is not None:
            self.begin(data.draw(rules_of_all_kinds()), data.draw(LENGTHS), data.draw(BOARDS))
            return
        actor = self.model.actor()
        allowed = sorted(self.model.may(0 if actor is None else actor) - {"resign"}) * 4
        if self.model.phase not in {"opening", "over", "resigned"}:
            allowed += ["resign", "set_board_by_hand"]
        name = data.draw(st.sampled_from(allowed))
        if name in {"double", "take", "drop", "beaver", "accept", "decline"}:
            self.do(name)
            getattr(self.model, name)()
        else:
            getattr(self, name)(data.draw)

    def do(self, name: str, *arguments: object, by: Player | None = None, **options: object) -> None:
        before, image = self.state, pickle.dumps(self.state)
        self.state = getattr(before, name)(*arguments, by=by, **options)
        assert pickle.dumps(before) == image
        event = Event(name, by, ARGUMENT.get(name, lambda given: None)((*arguments, *options.values())))
        assert before.apply(event) == self.state

    def opening_roll(self, draw: Draw) -> None:
        white, black = draw(DIE), draw(DIE)
        self.do("opening_roll", white, black)
        self.model.opening_roll(white, black)

    def roll(self, draw: Draw) -> None:
        dice = draw(DIE), draw(DIE)
        self.do("roll", dice)
        self.model.roll(dice)

    def play(self, draw: Draw) -> None:
        plays = self.state.legal_plays
        play = plays[draw(st.integers(0, len(plays) - 1))]
        self.do("play", draw(st.sampled_from((str(play), play, play.moves))))
        self.model.play([(move.from_point, move.to_point) for move in play.moves])

    def resign(self, draw: Draw) -> None:
        seat, level = draw(SEATS), draw(st.sampled_from(Win))
        if self.state.rules.scoring == "pips" and level > 1:
            with pytest.raises(IllegalActionError, match="pip scoring"):
                self.state.resign(level, by=seat)
            return
        self.do("resign", level, by=seat)
        self.model.resign(int(seat), int(level))

    def next_game(self, draw: Draw) -> None:
        """From another board by an opening roll, or, where there is a standard start, with a starter."""
        if self.state.position.checkers == 15 and draw(st.booleans()):
            starter = draw(st.sampled_from((None, *Player)))
            self.do("next_game", starter)
            self.model.next_game(None if starter is None else int(starter), list(START.points), 15)
        else:
            board = draw(BOARDS)
            self.do("next_game", position=board)
            self.model.next_game(None, list(board.points), board.checkers)

    def set_board_by_hand(self, draw: Draw) -> None:
        board = draw(st.sampled_from(NEARLY_DONE))
        self.state = attrs.evolve(self.state, position=board)
        seen_by_white = board if self.state.on_roll is Player.WHITE else board.flip()
        self.model.set_board(list(seen_by_white.points), board.checkers)

    @invariant()
    def same_table(self) -> None:
        if not hasattr(self, "state"):
            return
        state, model = self.state, self.model
        assert (state.phase, state.on_roll, state.to_act) == (model.phase, model.turn, model.actor())
        assert (state.score, state.winner, state.crawford) == (tuple(model.score), model.champion(), model.crawford)
        assert (state.cube.value, state.cube.owner) == (model.cube, model.owner)
        assert (None if state.dice is None else set(state.dice)) == model.dice
        assert (None if state.result is None else attrs.astuple(state.result)) == model.result
        assert attrs.evolve(state) == state  # the constructor, which checks everything, takes what actions lead to
        own, theirs = state.view(Player.WHITE).points, state.view(Player.BLACK).points
        assert [max(0, n) for n in own] == [0, *model.board[0][1:]]
        assert [max(0, n) for n in theirs] == [0, *model.board[1][1:]]

    @invariant()
    def each_action_succeeds_exactly_when_listed(self) -> None:
        if not hasattr(self, "state"):
            return
        state, image = self.state, pickle.dumps(self.state)
        for seat in Player:
            listed = state.legal_actions_of(seat)
            assert listed == self.model.may(int(seat))
            assert {action for action in Action if succeeds(state, action, seat)} == listed
        actor = state.to_act
        assert state.legal_actions == state.legal_actions_of(Player.WHITE if actor is None else actor)
        assert pickle.dumps(state) == image
        assert attrs.evolve(state) == state
        assert state.swap_players().swap_players() == state


ARGUMENT = {
    "opening_roll": lambda given: given,
    "roll": lambda given: given[0],
    "play": lambda given: given[0],
    "resign": lambda given: given[0],
    "next_game": lambda given: given[0],
}
ARGUMENTS = {
    Action.OPENING_ROLL: (3, 1),
    Action.ROLL: ("31",),
    Action.NEXT_GAME: (None,),
}


def succeeds(state: MatchState, action: Action, seat: Player) -> bool:
    """Whether the method of this action returns a state for this seat."""
    arguments = ARGUMENTS.get(action, ())
    if action is Action.PLAY:
        arguments = (state.position.legal_plays(state.dice or "31")[0] if state.result is None else "",)
    options = {"position": START} if action is Action.NEXT_GAME else {}
    try:
        after = getattr(state, action)(*arguments, by=seat, **options)
    except IllegalActionError:
        return False
    assert isinstance(after, MatchState)
    assert after.rules is state.rules
    return True


TestMatches = MatchMachine.TestCase
TestMatches.settings = settings(
    settings(),
    stateful_step_count=60,
    suppress_health_check=[HealthCheck.too_slow],
)
