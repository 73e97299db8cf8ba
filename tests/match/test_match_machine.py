"""Whole matches, action by action, against the plain model of `table_model`.

Those of Hypothesis are short and shrink. For many actions by chance:
`python -m pytest --actions 50000 tests/match/test_match_machine.py`.
"""

from __future__ import annotations

import copy
import pickle
import random
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import attrs
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from table_model import Table

import wording
from boards import position_of, random_board
from gammonrules import IdentifierWarning, json, strategies
from gammonrules.board import Position, Win
from gammonrules.errors import IllegalActionError, MatchStateError
from gammonrules.identifiers import lost_fields
from gammonrules.match import (
    TO_ACT,
    Action,
    Double,
    End,
    Event,
    MatchState,
    Phase,
    Player,
    Resignation,
    SetPosition,
    ToAct,
)
from gammonrules.rules import Rules
from rules_by_chance import rules_by_chance

START = Position.start()
NEARLY_DONE = (
    Position.of(mine={1: 1}, theirs={1: 1}),
    Position.of(mine={2: 1}, theirs={6: 15}),
    Position.of(mine={1: 2}, theirs={6: 14, 20: 1}),
    Position.of(mine={6: 14, "bar": 1}, theirs={1: 1}),
    Position.of(mine={6: 15}, theirs={1: 2, 3: 1}),
    Position.of(mine={3: 1, 8: 1}, theirs={24: 1, "bar": 1, 6: 13}),
    Position.of(mine={6: 13, 18: 1}, theirs={4: 2}),
    Position.start("hypergammon"),
    Position.of(mine={2: 1, 1: 1}, theirs={20: 1, 3: 2}, checkers=3),
)
FINISHED = (
    Position.of(mine={6: 15}, theirs={}),
    Position.of(mine={6: 14, 19: 1}, theirs={}),
    Position.of(mine={}, theirs={6: 13, "bar": 1}),
    Position.of(mine={}, theirs={6: 2, 20: 1}, checkers=3),
)
BOARDS = (None, START, *NEARLY_DONE, *NEARLY_DONE)
"""Where a game begins; None: at the start of its rules."""
MATCH_LENGTHS = (None, None, 1, 2, 3, 4, 5, 7)
LENGTHS = st.sampled_from(MATCH_LENGTHS)
Pick = Callable[[Sequence[Any]], Any]
"""How one of several things is chosen: by Hypothesis or by chance."""


def every_form(state: MatchState) -> None:
    """The state, written and read again in each form, is the same except for what the form cannot say."""
    for same in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), json.loads(json.dumps(state), MatchState)):
        assert same == state
        assert hash(same) == hash(state)
    assert set(lost_fields(state, "xgid", state.rules)) == without_a_word_in_xgid(state)
    assert set(lost_fields(state, "gnubg_id", state.rules)) == without_a_word_in_gnubg_id(state)
    assert set(lost_fields(state, "ogid", state.rules)) == without_a_word_in_ogid(state)
    if state.result is None:
        comes_back(state, without_a_word_in_ogid(state), "ogid", MatchState.from_ogid)
        comes_back(state, without_a_word_in_xgid(state), "xgid", MatchState.from_xgid)
        if state.on_roll is not None:  # gnubg's text says that the game has not begun, and is not read
            comes_back(state, without_a_word_in_gnubg_id(state), "gnubg_id", MatchState.from_gnubg_id)


def comes_back(state: MatchState, missing: set[str], name: str, read: Callable[..., MatchState]) -> None:
    """All fields but the lost ones are read as they were."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IdentifierWarning)
        again = read(getattr(state, name), state.rules, checkers=state.position.checkers)
    for field in attrs.fields(MatchState):
        if field.name == "rules":
            changed = {name for name, value in attrs.asdict(again.rules).items() if value != getattr(state.rules, name)}
            assert changed == {name.removeprefix("rules.") for name in missing if name.startswith("rules.")}
        elif field.name not in missing:
            assert getattr(again, field.name) == getattr(state, field.name), field.name


def without_a_word_in_both(state: MatchState) -> set[str]:
    lost = {"on_roll"} if state.on_roll is None else set[str]()
    lost |= {"result"} if state.result is not None else set()
    if state.position.checkers != Position.start(state.rules.start).checkers:
        lost.add("position.checkers")
    beavers = 0 if state.pending_double is None else state.pending_double.beavers
    return lost | ({"cube", "offer"} if beavers > 2 else set())


def without_a_word_in_xgid(state: MatchState) -> set[str]:
    """Written from the formats: an XGID has no resignation, and 0 and 10 as highest cubes mean something else."""
    lost = without_a_word_in_both(state)
    lost |= {"offer"} if isinstance(state.offer, Resignation) else set()
    lost |= {"rules.cube"} if state.rules.cube and state.rules.max_cube == 1 else set()
    return lost | ({"rules.max_cube"} if state.rules.cube and state.rules.max_cube == 1024 else set())


def without_a_word_in_gnubg_id(state: MatchState) -> set[str]:
    """Written from the formats: a Match ID shows a beaver by who owns the cube, and a resignation by who decides."""
    lost, double = without_a_word_in_both(state), state.pending_double
    if double is not None and double.beavers:
        if isinstance(state.offer, Resignation) and double.beavers > 1:
            lost |= {"cube", "offer"}
        if state.cube.owner is None and state.cube.value > 1:
            lost |= {"cube"}  # whose it was is guessed
    return lost


def without_a_word_in_ogid(state: MatchState) -> set[str]:
    """Written from the formats: an OGID counts the checkers if there are not 15; it has no beaver, no resignation."""
    lost = without_a_word_in_both(state) - {"on_roll", "cube", "offer"}
    lost -= {"position.checkers"} if state.position.checkers != 15 else set()
    lost |= {"offer"} if isinstance(state.offer, Resignation) else set()
    return lost | ({"cube", "offer"} if state.pending_double is not None and state.pending_double.beavers else set())


def number(player: Player | None) -> int | None:
    """A player as the model knows them."""
    return None if player is None else [*Player].index(player)


def result_of(state: MatchState) -> tuple[int | None, Win | None, int, End] | None:
    """The result as the model has it."""
    result = state.result
    return None if result is None else (number(result.winner), result.win, result.points, result.end)


class Walk:
    """A state and its model, to which the same is done; each step proves that the state before was left as it was.

    What may be done is taken from the model.
    """

    def __init__(self, pick: Pick, length: int | None, rules: Rules, board: Position | None) -> None:
        self.pick = pick
        if rules.scoring == "pips":
            length = None
        self.state = MatchState.new(length, rules=rules, position=board)
        points = self.state.position.points
        self.model = Table(length, attrs.asdict(rules), (0, 0), list(points), self.state.position.checkers)
        self.won = [0, 0]
        self.crawford_games = 0
        self.came_to_one_point = False
        self.game_begins()

    # what is done

    @property
    def is_over(self) -> bool:
        return self.model.champion() is not None

    def act(self) -> str:
        """Do something that is allowed; which action it was."""
        actor = self.model.actor()
        allowed = sorted(self.model.may(0 if actor is None else actor) - {"resign"}) * 4
        if self.model.phase not in {"opening", "over", "resigned"}:
            allowed += ["resign", "change_board"]
        if self.model.phase != "over" and self.pick(range(20)) == 19:
            allowed = ["forfeit"]
        if self.pick(range(20)) == 18:
            allowed = ["set_by_hand"]
        name = self.pick(allowed)
        if name in {"double", "take", "drop", "beaver", "accept", "decline"}:
            self.do(name, by=self.pick((TO_ACT, self.state.to_act)))
            getattr(self.model, name)()
        else:
            getattr(self, name)()
        return name

    def do(self, name: str, *arguments: object, by: Player | ToAct = TO_ACT, **options: object) -> None:
        before, image = self.state, pickle.dumps(self.state)
        self.state = getattr(before, name)(*arguments, by=by, **options)
        assert pickle.dumps(before) == image
        event = Event(name, by, ARGUMENT.get(name, lambda arguments: None)((*arguments, *options.values())))
        canonical = before.canonical(event)
        assert before.apply(event) == before.apply(canonical) == self.state
        assert before.canonical(canonical) == canonical
        if name != "opening_roll":  # which may double the cube, or not
            agreed = self.state.take() if name in {"double", "beaver"} else self.state
            assert before.cube_after(name) == agreed.cube
        if self.state.result is not None:
            self.won[number(self.state.result.winner)] += self.state.result.points

    def dice(self) -> tuple[int, int]:
        return self.pick(range(1, 7)), self.pick(range(1, 7))

    def opening_roll(self) -> None:
        white, black = self.dice()
        self.do("opening_roll", white, black)
        self.model.opening_roll(white, black)

    def roll(self) -> None:
        dice = self.dice()
        self.do("roll", dice)
        self.model.roll(dice)

    def play(self) -> None:
        play = self.pick(self.state.legal_plays)
        self.do("play", self.pick((str(play), play, play.moves)))
        self.model.play([(move.from_point, move.to_point) for move in play.moves])

    def resign(self) -> None:
        seat, level = self.pick(tuple(Player)), self.pick(tuple(Win))
        if self.state.rules.scoring == "pips" and level > 1:
            with wording.raises(IllegalActionError, "pip scoring"):
                self.state.resign(level, by=seat)
            return
        self.do("resign", level, by=seat)
        self.model.resign(number(seat), int(level))

    def next_game(self) -> None:
        """From another board by an opening roll, or with a starter, where the start of the rules fits this board."""
        start = Position.start(self.state.rules.start)
        fits = start.checkers == self.state.position.checkers
        if not fits:
            with wording.raises(MatchStateError, "no next game"):
                self.state.next_game()
        if fits and self.pick((True, False)):
            starter = self.pick((None, *Player))
            self.do("next_game", starter)
            self.model.next_game(number(starter), list(start.points), start.checkers)
        else:
            board = self.pick(BOARDS[1:])
            self.do("next_game", position=board)
            self.model.next_game(None, list(board.points), board.checkers)
        self.game_begins()

    def forfeit(self) -> None:
        """Not an action: an arbiter may decide this whoever is to act, and nothing lists it."""
        before, image, loser = self.state, pickle.dumps(self.state), self.pick(tuple(Player))
        away = before.away
        points = self.pick((1, before.length or 7))
        if away is not None and self.pick((True, False)):
            points = None
        self.state = before.forfeit(loser, points)
        assert pickle.dumps(before) == image
        awarded = away[loser.opponent] if points is None else points
        self.won[number(loser.opponent)] += awarded
        self.model.forfeit(number(loser), awarded)

    def set_by_hand(self) -> None:
        """Neither an action: an illegal play that stands, or an edited board, in any phase."""
        before, image = self.state, pickle.dumps(self.state)
        board, on_roll = self.pick((*NEARLY_DONE, *FINISHED)), self.pick(tuple(Player))
        event = SetPosition(board, on_roll)
        self.state = before.apply(event)
        assert pickle.dumps(before) == image
        canonical = before.canonical(event)
        assert before.apply(canonical) == self.state
        assert before.canonical(canonical) == canonical
        for result, points in ((before.result, -1), (self.state.result, 1)):
            if result is not None:
                self.won[number(result.winner)] += points * result.points
        seen_by_white = board if on_roll is Player.WHITE else board.flip()
        self.model.set_by_hand(list(seen_by_white.points), board.checkers, number(on_roll))

    def change_board(self) -> None:
        board = self.pick(NEARLY_DONE)
        self.state = attrs.evolve(self.state, position=board)
        seen_by_white = board if self.state.on_roll is Player.WHITE else board.flip()
        self.model.set_board(list(seen_by_white.points), board.checkers)

    # what always holds

    def game_begins(self) -> None:
        """A Crawford game is the first game at which one side is one point from winning, and no other."""
        rules, missing = self.state.rules, self.state.away
        at_one_point = missing is not None and missing != (1, 1) and 1 in missing
        assert self.state.crawford == (rules.crawford and at_one_point and not self.came_to_one_point)
        assert self.state.post_crawford == (rules.crawford and self.came_to_one_point and not self.state.crawford)
        self.came_to_one_point |= at_one_point
        self.crawford_games += self.state.crawford
        assert self.crawford_games == (rules.crawford and self.came_to_one_point)

    def check(self) -> None:
        self.check_score()
        self.check_offer()
        self.check_model()
        self.check_actions()

    def check_score(self) -> None:
        """No point appears or is lost: the score is what the results of the games have brought."""
        state = self.state
        assert state.score == tuple(self.won)
        before = list(self.won)
        if state.result is not None:
            winner, win, points, _ = attrs.astuple(state.result)
            before[number(winner)] -= points
            if win is None:
                assert 1 <= points <= (state.length or points)
            elif state.rules.scoring == "points":
                assert points == win * state.cube.value
            else:
                assert points == state.view(winner.opponent).pip_count
        assert state.score_before == tuple(before)
        if state.length is not None:
            assert max(before) < state.length
            assert (state.winner is None) == (max(state.score) < state.length)

    def check_offer(self) -> None:
        """The player on roll doubles, before the roll, with a cube that is theirs or centered. Who must answer an offer
        is to act."""
        state, double = self.state, self.state.pending_double
        assert (state.offer is not None) == (state.phase in {Phase.DOUBLED, Phase.RESIGNED})
        if double is not None:
            assert (double.by, state.dice) == (state.on_roll, None)
            assert state.cube.owner in {None, double.by}
            assert double.value == state.cube.value * 2 ** (double.beavers + 1)
            assert state.rules.max_cube is None or double.value <= state.rules.max_cube
            assert double.beavers <= (0 if state.length is not None else state.rules.beavers)
        if isinstance(state.offer, Resignation):
            assert state.to_act is state.offer.by.opponent
        elif isinstance(state.offer, Double):
            assert state.to_act is (state.offer.by if state.offer.beavers % 2 else state.offer.by.opponent)
        else:
            assert state.to_act is (None if state.phase is Phase.OVER else state.on_roll)

    def check_model(self) -> None:
        state, model = self.state, self.model
        assert (state.phase, number(state.on_roll), number(state.to_act)) == (model.phase, model.turn, model.actor())
        assert (state.score, state.crawford) == (tuple(model.score), model.crawford)
        assert number(state.winner) == model.champion()
        assert (state.cube.value, number(state.cube.owner)) == (model.cube, model.owner)
        assert (None if state.dice is None else set(state.dice)) == model.dice
        assert result_of(state) == model.result
        assert attrs.evolve(state) == state  # the constructor, which checks everything, takes what actions lead to
        own, theirs = state.view(Player.WHITE).points, state.view(Player.BLACK).points
        assert [max(0, n) for n in own] == [0, *model.board[0][1:]]
        assert [max(0, n) for n in theirs] == [0, *model.board[1][1:]]

    def check_actions(self) -> None:
        """An action succeeds exactly when it is listed."""
        state, image = self.state, pickle.dumps(self.state)
        for seat in Player:
            listed = state.legal_actions_of(seat)
            assert listed == self.model.may(number(seat))
            assert {action for action in Action if succeeds(state, action, seat)} == listed
        actor = state.to_act
        assert state.legal_actions == state.legal_actions_of(Player.WHITE if actor is None else actor)
        assert pickle.dumps(state) == image
        assert attrs.evolve(state) == state
        assert state.swap_players().swap_players() == state


ARGUMENT = {
    "opening_roll": lambda arguments: arguments,
    "roll": lambda arguments: arguments[0],
    "play": lambda arguments: arguments[0],
    "resign": lambda arguments: arguments[0],
    "next_game": lambda arguments: arguments[0],
}
ARGUMENTS = {Action.OPENING_ROLL: (3, 1), Action.ROLL: ("31",), Action.NEXT_GAME: (None,)}


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


class MatchMachine(RuleBasedStateMachine):
    """Rules with preconditions would throw most of the examples away, so there is one rule only, which acts."""

    @initialize(rules=strategies.rules(), length=LENGTHS, board=st.sampled_from(BOARDS))
    def begin(self, rules: Rules, length: int | None, board: Position | None) -> None:
        self.walk = Walk(lambda _: None, length, rules, board)

    @rule(data=st.data())
    def act(self, data: st.DataObject) -> None:
        def pick(options: Sequence[Any]) -> Any:
            return options[data.draw(st.integers(0, len(options) - 1))]

        if self.walk.is_over:
            self.walk = Walk(pick, pick(MATCH_LENGTHS), data.draw(strategies.rules()), pick(BOARDS))
        else:
            self.walk.pick = pick
            self.walk.act()

    @invariant()
    def all_holds(self) -> None:
        if hasattr(self, "walk"):
            self.walk.check()


TestMatches = MatchMachine.TestCase
TestMatches.settings = settings(
    settings(),
    max_examples=settings().max_examples // 4,  # most of the work is that of test_actions_by_chance
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow],
)


def test_actions_by_chance(steps: tuple[str, int], record_property: Callable[[str, object], None]) -> None:
    """Every state that comes out of so many random actions keeps all that must hold."""
    seed, actions = steps
    rng = random.Random(seed)
    counts: Counter[str] = Counter()
    walk = None
    while counts["actions"] < actions:
        if walk is None or walk.is_over or rng.random() < 0.005:
            board = rng.choice((*BOARDS, *BOARDS, position_of(random_board(rng))))
            walk = Walk(rng.choice, rng.choice(MATCH_LENGTHS), rules_by_chance(rng.choice), board)
            walk.check()
            counts["tables"] += 1
        counts[walk.act()] += 1
        counts["actions"] += 1
        walk.check()
        if counts["actions"] % 5 == 0:
            every_form(walk.state)
    record_property("random actions", dict(counts))
