"""States in batch: each row of `batch.MatchStates` is at every step what `MatchState` is.

Random actions are done side by side, the wrong ones too.
"""

from __future__ import annotations

import copy
import functools
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

import each
import loop
import wording
from gammonrules import (
    TOURNAMENT,
    Action,
    ArgumentError,
    Cube,
    GammonError,
    IllegalActionError,
    MatchState,
    Phase,
    Player,
    Position,
    Rules,
    Win,
    batch,
    strategies,
)
from gammonrules.batch import MatchStates
from gammonrules.errors import DiceError, MatchStateError, PositionError
from gammonrules.match import End
from rules_by_chance import rules_by_chance

MATCHES = Path(__file__).parents[2] / "examples" / "matches"
ACTIONS = list(Action)
ARRAYS = [field.name for field in attrs.fields(MatchStates) if field.name not in {"length", "rules", "checkers"}]
SEATS = (Player.WHITE, Player.BLACK, None)
NO_ROLL = (0, 0)
PARTS = 4
"""In which the random games are played, so that processes can share them."""


def number(player: Player | None) -> int:
    return SEATS.index(player) if player is not None else -1


def same(many: MatchStates, states: list[MatchState]) -> None:
    """The arrays, and all that follows from them, are those of the states."""
    expected = MatchStates.from_states(states)
    for name in ARRAYS:
        array, meant = getattr(many, name), getattr(expected, name)
        assert array.dtype == meant.dtype, name
        assert np.array_equal(array, meant), name
        assert not array.flags.writeable, name
    assert (many.length, many.rules, many.checkers) == (expected.length, expected.rules, expected.checkers)
    assert many.phase.tolist() == [state.phase for state in states]
    assert many.to_act.tolist() == [number(state.to_act) for state in states]
    assert many.winner.tolist() == [number(state.winner) for state in states]
    legal = [state.legal_actions for state in states]
    assert many.legal_actions.tolist() == [[action in actions for action in ACTIONS] for actions in legal]
    assert many.scores_before.tolist() == [[*state.score_before] for state in states]
    assert many.post_crawford.tolist() == [state.post_crawford for state in states]
    assert many.away is None or many.away.tolist() == [[*(state.away or ())] for state in states]
    assert (many.away is None) == (many.length is None)


@attrs.define
class Move:
    """An action in one state, with the same arguments in both forms."""

    action: Action | None = None
    by: Player | None = None
    dice: tuple[int, int] = NO_ROLL
    row: int = -1
    win: Win = Win.SINGLE
    starter: Player | None = None

    def done(self, state: MatchState) -> MatchState:
        """Done by `MatchState`."""
        by: dict[str, Any] = {} if self.by is None else {"by": self.by}
        match self.action:
            case None:
                return state
            case Action.OPENING_ROLL:
                return state.opening_roll(*self.dice, **by)
            case Action.ROLL:
                return state.roll(self.dice, **by)
            case Action.PLAY:
                plays = state.legal_plays if state.phase is Phase.TO_PLAY else ()
                return state.play(plays[self.row] if plays else "", **by)
            case Action.RESIGN:
                return state.resign(self.win, **by)
            case Action.NEXT_GAME:
                return state.next_game(self.starter, **by)
            case action:
                acted: MatchState = getattr(state, action)(**by)
                return acted


def applied(many: MatchStates, moves: list[Move], as_codes: bool = False) -> MatchStates:
    """Done by `MatchStates`."""
    names = ["" if move.action is None else move.action for move in moves]
    codes = [-1 if move.action is None else ACTIONS.index(move.action) for move in moves]
    firsts = many.legal_plays.offsets[:-1]
    return many.apply(
        codes if as_codes else names,
        dice=[move.dice for move in moves],
        rows=[first + move.row for first, move in zip(firsts, moves, strict=True)],
        wins=[move.win for move in moves],
        by=[number(move.by) for move in moves],
        starters=[number(move.starter) for move in moves],
    )


def both(many: MatchStates, states: list[MatchState], moves: list[Move], as_codes: bool = False) -> None:
    """The same error from both, that of the first wrong state; nothing changes."""
    with pytest.raises(GammonError) as by_arrays:
        applied(many, moves, as_codes)
    for index, (state, move) in enumerate(zip(states, moves, strict=True)):
        try:
            move.done(state)
        except GammonError as error:
            assert type(by_arrays.value) is type(error)
            assert str(by_arrays.value) == f"state {index}: {error}"
            for name in ("reason", "problems"):
                assert getattr(by_arrays.value, name, None) == getattr(error, name, None)
            return
    raise AssertionError("no state refuses its action")


def random_roll(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def random_move(rng: random.Random, state: MatchState) -> Move:
    """A legal action, usually one that goes on with the game."""
    legal = sorted(state.legal_actions)
    weights = [{Action.RESIGN: 0.02, Action.DOUBLE: 0.3, Action.DROP: 0.4}.get(action, 1) for action in legal]
    if not legal:
        return Move()
    move = Move(rng.choices(legal, weights)[0], dice=random_roll(rng))
    if move.action is Action.PLAY:
        move.row = rng.randrange(len(state.legal_plays))
    if move.action is Action.RESIGN and state.rules.scoring != "pips":
        move.win = rng.choice(list(Win))
    if move.action is Action.NEXT_GAME and rng.random() < 0.2:
        move.starter = rng.choice(list(Player))
    if move.action is Action.RESIGN and rng.random() < 0.5:
        move.by = rng.choice(list(Player))
    return Move() if rng.random() < 0.02 else move


def wrong_move(rng: random.Random, state: MatchState) -> Move | None:
    """An action that the state refuses, or None if this one happens to be legal."""
    move = Move(rng.choice(ACTIONS), rng.choice(SEATS), random_roll(rng), 0, rng.choice(list(Win)))
    try:
        move.done(state)
    except GammonError:
        return move
    return None


def walk(seed: int, n: int, most: int) -> int:
    """Random actions in n states until as many games as that are over, or all matches; how many are."""
    rng = random.Random(seed)
    rules, games = rules_by_chance(rng.choice), 0
    length = None if rules.scoring == "pips" else rng.choice((None, None, 1, 2, 3, 5, 7))
    states = [MatchState.new(length, rules=rules)] * n
    many = MatchStates.new(n, length, rules=rules)
    while games < most and not all(state.winner for state in states):
        moves = [random_move(rng, state) for state in states]
        if rng.random() < 0.05:
            at = rng.randrange(n)
            wrong = wrong_move(rng, states[at])
            if wrong is not None:
                both(many, states, [*moves[:at], wrong, *moves[at + 1 :]])
        live = [state.result is None for state in states]
        states = [move.done(state) for move, state in zip(moves, states, strict=True)]
        many = applied(many, moves, as_codes=rng.random() < 0.5)
        games += sum(was_live and state.result is not None for was_live, state in zip(live, states, strict=True))
        same(many, states)
    assert list(many) == states
    return games


@each.first("games", [40, 300])
@pytest.mark.parametrize("part", range(PARTS))
def test_random_games_are_those_of_many(part: int, games: int) -> None:
    played, seed = 0, part
    while played * PARTS < games:
        played += walk(seed, n=10, most=20)
        seed += PARTS


# States of all kinds ----------------------------------------------------------------------------------------------


@st.composite
def many_states(draw: st.DrawFn) -> list[MatchState]:
    """States that share rules and length."""
    rules = draw(strategies.rules())
    length = None if rules.scoring == "pips" else draw(st.sampled_from((None, 1, 2, 3, 5, 25)))
    states = strategies.match_states(rules=st.just(rules), lengths=st.just(length))
    return draw(st.lists(states, min_size=1, max_size=3))


@given(many_states(), st.randoms(use_true_random=False))
def test_any_states_go_on_alike(states: list[MatchState], rng: random.Random) -> None:
    many = MatchStates.from_states(states)
    same(many, states)
    assert list(many) == states
    for _ in range(2):
        for index, state in enumerate(states):
            wrong = wrong_move(rng, state)
            if wrong is not None:
                both(many, states, [Move()] * index + [wrong] + [Move()] * (len(states) - index - 1))
        moves = [random_move(rng, state) for state in states]
        states = [move.done(state) for move, state in zip(moves, states, strict=True)]
        many = applied(many, moves)
        same(many, states)


@given(many_states())
def test_the_constructor_accepts_what_is_possible(states: list[MatchState]) -> None:
    many = MatchStates.from_states(states)
    same(attrs.evolve(many, cube=many.cube.astype(np.int64)), states)
    same(pickle.loads(pickle.dumps(many)), states)
    same(copy.deepcopy(many), states)


@given(many_states(), st.data())
def test_the_constructor_accepts_nothing_else(states: list[MatchState], data: st.DataObject) -> None:
    """An array with one other number is the arrays of other states, or refused."""
    many = MatchStates.from_states(states)
    name = data.draw(st.sampled_from(ARRAYS))
    changed = getattr(many, name).copy()
    index = data.draw(st.integers(0, changed.size - 1))
    changed.flat[index] = data.draw(st.integers(-2, 4))
    try:
        new = attrs.evolve(many, **{name: changed})
    except GammonError as error:
        wording.check(error)
        assert str(error).startswith("state ")
    else:
        same(new, list(new))


# What the arrays say, by hand -------------------------------------------------------------------------------------


def opened(length: int | None = 7, rules: Rules | None = None) -> MatchStates:
    """Two states after the opening play: Black and White are to roll."""
    many = MatchStates.new(2, length, rules=rules).apply(Action.OPENING_ROLL, dice=[(3, 1), (1, 3)])
    return many.apply(Action.PLAY, rows=many.legal_plays.offsets[:-1])


def test_the_arrays_before_are_left_as_they_were() -> None:
    before = opened()
    copies = {name: getattr(before, name).copy() for name in ARRAYS}
    before.apply(["double", "roll"], dice=[(0, 0), (6, 5)]).apply(["drop", ""])
    for name, array in copies.items():
        assert np.array_equal(getattr(before, name), array)


@loop.rows("name", *ARRAYS, "to_act", "phase", "legal_actions")
def test_arrays_are_read_only(name: str) -> None:
    with pytest.raises(ValueError, match="read-only"):
        getattr(opened(), name)[0] = 0


@loop.rows("copied", copy.copy, copy.deepcopy, lambda many: pickle.loads(pickle.dumps(many)))
def test_copies_are_equal_and_read_only(copied: Callable[[MatchStates], MatchStates]) -> None:
    many = opened()
    assert many.legal_plays
    again = copied(many)
    assert [*again] == [*many]
    assert again.legal_actions.tolist() == many.legal_actions.tolist()
    assert not any(getattr(again, name).flags.writeable for name in ARRAYS)


def test_what_follows_from_the_arrays_is_not_pickled() -> None:
    many = opened()
    before = len(pickle.dumps(many))
    assert many.legal_actions.any()
    assert len(pickle.dumps(many)) == before


def test_legal_plays_are_found_once_and_read_only() -> None:
    many = opened().apply(["roll", ""], dice=[(6, 5), (0, 0)])
    plays = many.legal_plays
    assert plays is many.legal_plays
    assert plays.counts.tolist() == [len(many[0].legal_plays), 0]
    assert not plays.points.flags.writeable


def test_a_view_is_that_of_the_player() -> None:
    many = opened()
    for players in ([0, 1], [1, 0], 0, 1, many.to_act):
        seen = batch.to_positions(many.view(players))
        expected = [state.view(list(Player)[at]) for state, at in zip(many, np.broadcast_to(players, 2), strict=True)]
        assert seen == expected


def test_some_of_the_states() -> None:
    many = opened()
    assert many[1] == many[-1] == many[np.int64(1)] == list(many)[1]
    assert list(many[np.array([1, 0, 1])]) == [many[1], many[0], many[1]]
    assert list(many[many.on_roll == 1]) == [many[0]]
    assert list(many[1:]) == [many[1]]
    assert list(many[[]]) == []
    with pytest.raises(IndexError):
        many[2]
    with pytest.raises(IndexError):
        many[np.array([[0, 1]])]


def test_a_state_is_among_the_states_or_not() -> None:
    many = MatchStates.new(3, 5)
    assert MatchState.new(5) in many
    assert MatchState.new(7) not in many
    for value in (0, None, MatchState.new(5).xgid):
        with wording.tells(ArgumentError, "state must be a MatchState, not"):
            value in many  # type: ignore[operator]  # noqa: B015


def test_no_states_at_all() -> None:
    many = MatchStates.new(0, 7)
    assert (len(many), len(many.legal_plays), list(many)) == (0, 0, [])
    assert len(many.apply([])) == len(many.apply("roll")) == 0
    assert many.apply(np.zeros(0, np.int64), dice=[]).legal_actions.shape == (0, 11)


def test_next_games_from_boards_of_ones_own() -> None:
    start = Position.of(mine={1: 1, 2: 2}, theirs={6: 2}, checkers=3)
    over = [MatchState.new(5, position=start).opening_roll(2, 1).resign(by=player).accept() for player in Player]
    many = MatchStates.from_states(over)
    boards = batch.from_positions([start, start.flip()])
    following = many.apply("next_game", starts=boards, starters=[1, -1])
    assert list(following) == [
        attrs.evolve(over[0].next_game(position=start), on_roll=Player.BLACK, position=start.flip()),
        over[1].next_game(position=start.flip()),
    ]


# Bad input --------------------------------------------------------------------------------------------------------


def refused(error: type[GammonError], act: Callable[[], object], *words: str) -> None:
    with wording.tells(error, *words):
        act()


@loop.rows(
    ("actions", "words"),
    (["double"], ("actions", "(2,)")),
    ([["double"], ["roll"]], ("actions",)),
    ([0.5, 1.0], ("actions", "float64")),
    ([True, False], ("actions", "bool")),
    ([None, None], ("actions", "object")),
    (["double", "castle"], ("state 1", "castle")),
    ([3, 11], ("state 1", "11")),
    ([-2, 3], ("state 0", "-2")),
    (np.ma.masked_array([3, 3], [True, False]), ("actions", "masked")),
    ([[3], [3, 3]], ("actions",)),
    (np.array([2**63, 3], np.uint64), ("state 0", "9223372036854775808")),
)
def test_actions_that_are_none(actions: npt.ArrayLike, words: tuple[str, ...]) -> None:
    refused(ArgumentError, lambda: opened().apply(actions), *words)


@loop.rows(
    ("arguments", "error", "words"),
    ({}, ArgumentError, ("state 0", "dice")),
    ({"dice": [(3, 1)]}, ArgumentError, ("dice", "(2, 2)")),
    ({"dice": [(3, 1), (7, 1)]}, DiceError, ("state 1", "7")),
    ({"dice": [(3, 1), (0, 0)]}, DiceError, ("state 1", "0")),
    ({"dice": [3, 1]}, DiceError, ("dice",)),
    ({"dice": [(3.0, 1.0)] * 2}, DiceError, ("dice", "float64")),
    ({"dice": [(3, 1)] * 2, "by": 2}, ArgumentError, ("by", "2")),
    ({"dice": [(3, 1)] * 2, "by": [1]}, ArgumentError, ("by", "(2,)")),
    ({"dice": [(3, 1)] * 2, "by": [1, 1]}, IllegalActionError, ("state 1", "Black")),
)
def test_rolls_that_are_none(arguments: dict[str, Any], error: type[GammonError], words: tuple[str, ...]) -> None:
    refused(error, lambda: opened().apply("roll", **arguments), *words)


@loop.rows(
    ("rows", "words"),
    (None, ("state 0", "rows")),
    ([0, 0], ("state 1", "row 0")),
    ([-1, 20], ("state 0", "row -1")),
    ([0, 10**6], ("state 1", "1000000")),
    ([0.0, 20.0], ("rows", "float64")),
    ([float("nan")] * 2, ("rows", "float64")),
    ([0], ("rows", "(2,)")),
)
def test_rows_that_are_no_play(rows: npt.ArrayLike | None, words: tuple[str, ...]) -> None:
    many = opened().apply("roll", dice=[(3, 1), (6, 5)])
    refused(ArgumentError, lambda: many.apply("play", rows=rows), *words)


def test_other_arguments_that_mean_nothing() -> None:
    many = opened()
    refused(ArgumentError, lambda: many.apply("resign", wins=[1, 4]), "wins", "state 1", "4")
    refused(ArgumentError, lambda: many.apply("resign", wins=0), "wins", "state 0", "0")
    over = many.apply("resign").apply("accept")
    refused(ArgumentError, lambda: over.apply("next_game", starters=[0, 2]), "starters", "state 1", "2")
    refused(ArgumentError, lambda: over.apply("next_game", starts=many.points[:1]), "starts", "(2, 26)")
    refused(PositionError, lambda: over.apply("next_game", starts=np.full((2, 26), 9)), "state 0")
    refused(PositionError, lambda: over.apply("next_game", starts=np.zeros((2, 26), int)), "state 0")
    done = [Position.of(mine={6: 15}).points] * 2
    refused(MatchStateError, lambda: over.apply("next_game", starts=done), "state 0")
    refused(ArgumentError, lambda: many.view(2), "players", "2")
    refused(ArgumentError, lambda: many.may("castle"), "castle")


def test_a_next_game_needs_a_start_with_as_many_checkers() -> None:
    start = Position.start("hypergammon")
    over = MatchStates.new(1, 3, position=start).apply("opening_roll", dice=[(3, 1)]).apply("resign").apply("accept")
    refused(MatchStateError, lambda: over.apply("next_game"), "state 0", "3")
    assert over.apply("next_game", starts=[start.points]).phase.tolist() == ["opening"]


def test_states_that_do_not_belong_together() -> None:
    state = MatchState.new(7)
    for states, words in (
        ([], ("one",)),
        ([state, 7], ("states[1]", "7")),
        (7, ("7",)),
        ([state, MatchState.new(5)], ("index 1", "length")),
        ([state, MatchState.new(7, rules=Rules(crawford=False))], ("index 1", "rules")),
        ([state, MatchState.new(7, position=Position.start("hypergammon"))], ("index 1", "checkers")),
    ):
        refused(ArgumentError, functools.partial(MatchStates.from_states, states), *words)
    refused(ArgumentError, lambda: MatchStates.new(-1, 7), "n", "-1")
    refused(MatchStateError, lambda: MatchStates.new(2, 0), "0")


def test_arrays_that_are_no_states() -> None:
    many = opened()
    changed: Callable[..., MatchStates] = functools.partial(attrs.evolve, many)
    refused(ArgumentError, lambda: changed(cube=[1]), "cube", "(2,)")
    refused(ArgumentError, lambda: changed(cube=[1.0, 1.0]), "cube", "float64")
    refused(ArgumentError, lambda: changed(crawford=[0, 0]), "crawford")
    refused(ArgumentError, lambda: changed(owners=[-1, 200]), "owners", "200")
    refused(MatchStateError, lambda: changed(cube=[1, 3]), "state 1", "3")
    refused(ArgumentError, lambda: changed(owners=[-1, 2]), "state 1", "owners")
    refused(ArgumentError, lambda: changed(won=[0, 4]), "state 1", "won")
    refused(GammonError, lambda: changed(length="7"), "7")
    refused(ArgumentError, lambda: changed(rules=None), "rules", "None")
    refused(ArgumentError, lambda: changed(checkers=16), "checkers", "16")
    refused(PositionError, lambda: changed(points=[1, 2]), "points", "26")


def test_ends_have_the_order_of_their_names() -> None:
    game = MatchState.new(3).opening_roll(3, 1)
    over = [game.resign().accept(), game.forfeit(Player.WHITE), game.play("8/5 6/5").double().drop()]
    numbers = MatchStates.from_states(over).ends.tolist()
    assert [list(End)[number] for number in numbers] == [state.result.end for state in over if state.result]


def test_no_game_begins_with_more_points_than_the_limit() -> None:
    over = [
        MatchState.new(None, rules=TOURNAMENT, score=(10**9 - less, 0)).opening_roll(3, 1).resign(by="black").accept()
        for less in (0, 1, 2)
    ]
    assert MatchStates.from_states(over).may("next_game").tolist() == [False, True, True]
    same(MatchStates.from_states(over), over)


def test_ties_do_not_double_beyond_the_highest_cube() -> None:
    state = MatchState.new(None, rules=Rules(auto_doubles=3, max_cube=2))
    many = MatchStates.from_states([state])
    for _ in range(3):
        many, state = many.apply("opening_roll", dice=[(4, 4)]), state.opening_roll(4, 4)
        same(many, [state])
    assert many.cube.tolist() == [2]


def test_a_cube_at_its_limit() -> None:
    state = MatchState(Position.start(), Player.WHITE, cube=Cube(2**24, Player.WHITE), rules=TOURNAMENT)
    many = MatchStates.from_states([state])
    same(many, [state])
    assert not many.may("double").any()
    lost = many.apply("resign", wins=3).apply("accept")
    assert lost.won.tolist() == [3 * 2**24]
    same(lost, [state.resign(Win.BACKGAMMON).accept()])
