"""The environments for reinforcement learning: numbers of actions, whole episodes, dice, and what is refused."""

from __future__ import annotations

import copy
import itertools
import pickle
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import combinations_with_replacement, product
from operator import attrgetter
from typing import Any

import attrs
import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from hypothesis import given
from pettingzoo.test import api_test, seed_test

import each
import loop
import wording
from gammonrules import (
    MONEY,
    ROLLS,
    Action,
    ArgumentError,
    DiceError,
    Event,
    GammonError,
    IllegalActionError,
    IllegalPlayError,
    MatchState,
    Play,
    Player,
    Plays,
    Position,
    PositionError,
    Rules,
    RulesError,
    batch,
    environments,
    strategies,
)
from gammonrules.environments import (
    CUBE_ACTIONS,
    MAX_PLAYS,
    NUM_PLAY_CODES,
    BackgammonEnv,
    BackgammonVectorEnv,
    backgammon_v0,
    decode_play,
    encode_moves,
    encode_play,
)

episodes = each.first("episodes", [3, 6])
"""How many of each kind are played."""
NAME = "gammonrules/Backgammon-v0"
RACE = MatchState(Position.of(mine={1: 1}, theirs={1: 15}), Player.WHITE, rules=Rules(cube=False))
WAYS: tuple[dict[str, Any], ...] = (
    *({}, {"actions": "codes"}, {"observation": "features"}, {"max_turns": 40}, {"cube": True}),
    *({"cube": True, "actions": "codes", "observation": "features"}, {"length": 2}, {"length": 5, "cube": True}),
    {"cube": True, "rules": Rules(beavers=2, auto_doubles=1, opening="reroll")},
    {"rules": Rules(start="hypergammon")},
)


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings about illegal actions: the checkers take any action of the space."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is not one of the .* legal action")
        yield


class TestCodes:
    @given(strategies.legal_plays())
    def test_a_code_leads_where_its_play_does(self, plays: Plays) -> None:
        for play in plays[:50]:
            moves = decode_play(encode_play(play), plays.dice)
            assert plays.position.play(moves, plays.dice) == play.position

    def test_the_plays_of_a_roll_have_different_codes(self) -> None:
        """Those of arrays are those of single plays."""
        games = batch.random_games(1, rng=np.random.default_rng(2026))
        plays = batch.legal_plays(games.points, games.dice)
        codes = encode_moves(plays.moves, games.dice[plays.board_numbers])
        assert codes.min() >= 0
        assert codes.max() < NUM_PLAY_CODES
        assert len(np.unique(codes + NUM_PLAY_CODES * plays.board_numbers)) == len(codes)
        turns = zip(batch.to_positions(games.points), games.dice.tolist(), strict=True)
        assert codes.tolist() == [encode_play(play) for board, dice in turns for play in board.legal_plays(tuple(dice))]

    def test_doublets_are_numbered_in_the_order_of_their_sources(self) -> None:
        sets = sorted(tuple(sorted(sources, reverse=True)) for sources in combinations_with_replacement(range(26), 4))
        steps = np.array(
            [[(source or -1, max(source - 1, 0) if source else -1) for source in sources] for sources in sets]
        )
        codes = encode_moves(steps, np.ones((len(sets), 2), int))
        assert codes.tolist() == [0, *range(1352, NUM_PLAY_CODES)]
        for code, sources in list(zip(codes.tolist(), sets, strict=True))[::397]:
            assert [source for source, _ in decode_play(code, "11")] == [source for source in sources if source]

    def test_two_dice_are_two_sources_and_their_order(self) -> None:
        for high_source, low_source, low_first in product(range(26), range(26), (0, 1)):
            steps = [(point, max(point - die, 0)) for point, die in ((high_source, 6), (low_source, 2)) if point]
            moves = decode_play(676 * low_first + 26 * high_source + low_source, "62")
            assert list(moves) == (steps[::-1] if low_first else steps)

    def test_a_single_move_that_overshoots_is_by_the_higher_die(self) -> None:
        last = Position.of(mine={2: 1}, theirs={1: 1})
        assert [encode_play(last.legal_plays(dice)[0]) for dice in ("63", "32", "21")] == [52, 2, 52]

    def test_a_pass_is_0_with_any_roll(self) -> None:
        shut_out = Position.of(mine={"bar": 1}, theirs=dict.fromkeys(range(1, 7), 2))
        assert [encode_play(shut_out.legal_plays(dice)[0]) for dice in ROLLS] == [0] * 21
        assert {decode_play(0, dice) for dice in ROLLS} == {()}

    def test_which_die_comes_first_makes_a_difference(self) -> None:
        """Both dice move the same checker, and each order hits another one."""
        board = Position.of(mine={24: 1}, theirs={3: 1, 7: 1})
        codes = {str(play): encode_play(play) for play in board.legal_plays("62")}
        assert codes == {"24/18*/16": 26 * 24 + 18, "24/22*/16": 676 + 26 * 22 + 24}

    @loop.rows(
        ("code", "dice", "error", "example"),
        (NUM_PLAY_CODES, "31", ArgumentError, "code must be a whole number from 0 to 25,101, not 25102"),
        (-1, "31", ArgumentError, "code must be a whole number from 0 to 25,101, not -1"),
        (1.0, "31", ArgumentError, "code must be a whole number from 0 to 25,101, not 1.0"),
        (1352, "31", ArgumentError, "code 1352 is of a doublet, and the roll is 31"),
        (1351, "33", ArgumentError, "code 1351 is of two different dice, and the roll is 33"),
        (1, "77", DiceError, "a roll must be written as two faces from 1 to 6, such as \"31\", not '77'"),
    )
    def test_no_code(self, code: Any, dice: Any, error: type[Exception], example: str) -> None:
        with wording.raises(error, example):
            decode_play(code, dice)

    def test_a_code_may_be_illegal_here(self) -> None:
        with pytest.raises(IllegalPlayError):
            Position.start().play(decode_play(26 * 2 + 1, "31"), "31")

    @loop.rows("moves", [[(8, 5)]], [], [[(8, 5), (6, 5)] * 2, [(8, 5)]], np.zeros((1, 4, 2)), 3, "8/5")
    def test_no_moves(self, moves: Any) -> None:
        with wording.raises(ArgumentError, "moves: expected whole numbers of the shape (M, 4, 2)"):
            encode_moves(moves, [(3, 1)])

    def test_no_dice_of_moves_and_no_play(self) -> None:
        moves = np.zeros((2, 4, 2), int)
        with wording.raises(ArgumentError, "every play needs a roll: moves has 2 rows, dice has 1"):
            encode_moves(moves, [(3, 1)])
        with wording.raises(ArgumentError, "dice: expected whole numbers of the shape (M, 2), not [3, 1]"):
            encode_moves(moves, [3, 1])
        with wording.raises(ArgumentError, "play must be a Play, not '8/5 6/5'"):
            encode_play("8/5 6/5")  # type: ignore[arg-type]

    def test_no_position_has_more_plays(self) -> None:
        """A doublet is four times one of at most 15 points with checkers."""
        assert len(list(combinations_with_replacement(range(15), 4))) == MAX_PLAYS


# --- what an environment of single games shows, written once more ---------------------------------------------------


def replayed(events: tuple[Event, ...], start: MatchState) -> MatchState:
    """The last state of an episode by the rules alone: each play is read again, from its text."""
    state = start
    for event in events:
        argument = str(event.argument) if isinstance(event.argument, Play) else event.argument
        state = state.apply(Event(event.action, event.by, argument=argument))  # type: ignore[call-overload]
    return state


def board_seen_by_white(state: MatchState) -> tuple[int, ...]:
    points = state.position.points
    return points if state.on_roll in {None, Player.WHITE} else tuple(-count for count in reversed(points))


def check_observation(state: MatchState, observation: Any, way: dict[str, Any]) -> None:
    """The observation of White."""
    board = board_seen_by_white(state)
    if way.get("observation") == "features":
        checkers = state.position.checkers
        board = tuple(batch.features([board], checkers=checkers)[0].tolist())
    mine = state.dice if state.on_roll is Player.WHITE and state.dice is not None else (0, 0)
    table: tuple[int, ...] = ()
    if "cube" in way or "length" in way:
        asked = state.to_act is Player.WHITE and state.pending_double is not None
        value = state.pending_double.value if asked and state.pending_double else state.cube.value
        away = [0, 0] if state.length is None else [max(state.length - points, 0) for points in state.score]
        owner = {None: 0, Player.WHITE: 1, Player.BLACK: -1}[state.cube.owner]
        table = (int(np.log2(value)), owner, *away, state.crawford, asked)
    assert observation.tolist() == [*board, *mine, *table]


def check_mask(state: MatchState, mask: Any, way: dict[str, Any]) -> None:
    plays: list[Play] = []
    base = NUM_PLAY_CODES if way.get("actions") == "codes" else MAX_PLAYS
    legal = [base + number for number, action in enumerate(CUBE_ACTIONS) if action in state.legal_actions]
    if state.dice is not None and state.result is None:
        plays = list(state.legal_plays)
        legal = [encode_play(play) for play in plays] if base == NUM_PLAY_CODES else list(range(len(plays)))
    assert mask.dtype == np.int8
    assert len(mask) == base + 5 * ("cube" in way)
    assert np.flatnonzero(mask).tolist() == ([0] if is_over(state) else sorted(legal))


def is_over(state: MatchState) -> bool:
    return state.result is not None and (state.length is None or state.winner is not None)


def reward_of(state: MatchState) -> int:
    """White's."""
    if state.result is None or not is_over(state):
        return 0
    points = 1 if state.length else state.result.points
    return points if state.result.winner is Player.WHITE else -points


def check_result(env: BackgammonEnv, reward: float, *, terminated: bool, truncated: bool, way: dict[str, Any]) -> None:
    turns = sum(event.action is Action.PLAY for event in env.events)
    assert terminated == is_over(env.state)
    assert truncated == (not terminated and turns >= way.get("max_turns", np.inf))
    assert reward == reward_of(env.state)


@episodes
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_random_episodes(way: dict[str, Any], episodes: int) -> None:
    """What is shown is so, every transition is legal by `MatchState`, and the reward is that of the result."""
    env = BackgammonEnv(illegal="raise", **way)
    rng = np.random.default_rng(2026)
    start = MatchState.new(way.get("length"), rules=env.state.rules)
    ends: Counter[float] = Counter()
    for seed in range(10, 10 + episodes):
        observation, info = env.reset(seed=seed)
        terminated = truncated = False
        reward = 0.0
        while not (terminated or truncated):
            check_observation(env.state, observation, way)
            check_mask(env.state, info["action_mask"], way)
            assert env.state.to_act is Player.WHITE
            assert observation in env.observation_space
            action = rng.choice(np.flatnonzero(info["action_mask"]))
            observation, reward, terminated, truncated, info = env.step(action)
            check_result(env, reward, terminated=terminated, truncated=truncated, way=way)
            assert env.action_masks().dtype == np.bool_
            assert np.array_equal(env.action_masks(), info["action_mask"])
        assert np.flatnonzero(info["action_mask"]).tolist() == [0]
        check_observation(env.state, observation, way)
        assert info["state"] == env.state == replayed(env.events, start)
        ends[reward] += 1
    assert len(ends) > 1 or way.get("max_turns")


@loop.over("way", WAYS)
def test_gymnasium_checks_it(way: dict[str, Any]) -> None:
    env = gymnasium.make(NAME, render_mode="ansi", **way)
    with quiet():
        check_env(env.unwrapped)


def test_made_by_name() -> None:
    env = gymnasium.make(NAME, cube=True, length=7)
    assert isinstance(env.unwrapped, BackgammonEnv)
    assert env.spec is not None
    assert env.unwrapped.state.length == 7
    limited = gymnasium.make(NAME, max_episode_steps=2)
    _, info = limited.reset(seed=1)
    assert np.array_equal(limited.get_wrapper_attr("action_masks")(), info["action_mask"])  # where sb3-contrib looks
    for _ in range(2):
        _, _, _, truncated, info = limited.step(limited.action_space.sample(info["action_mask"]))
    assert truncated


def episode(env: BackgammonEnv, seed: int | None) -> list[Any]:
    """All observations and rewards of an episode in which the agent always takes the first legal action."""
    observation, info = env.reset(seed=seed)
    seen, over = [observation.tolist()], False
    while not over:
        observation, reward, over, _, info = env.step(int(np.argmax(info["action_mask"])))
        seen += [observation.tolist(), reward]
    return seen


class TestSeeds:
    def test_the_same_seed_gives_the_same_episodes_with_the_same_chance_of_the_opponent(self) -> None:
        def random_player(observation: Any, info: dict[str, Any], rng: np.random.Generator) -> int:
            return int(rng.choice(np.flatnonzero(info["action_mask"])))

        env, twin = (BackgammonEnv(random_player, cube=True) for _ in range(2))
        assert [episode(env, 1), episode(env, None)] == [episode(twin, 1), episode(twin, None)]
        assert episode(env, 1) != episode(env, 2)

    def test_what_opponents_draw_from_their_turns_is_that_of_their_game(self) -> None:
        """With other games beside it or not, and in the next episodes too."""

        def by_chance(turns: batch.Turns, rng: np.random.Generator) -> Any:
            at_random = turns.random_rows()
            return np.where(turns.numbers % 2, at_random, turns.best(turns.random()))

        few, many = BackgammonVectorEnv(2, by_chance), BackgammonVectorEnv(9, by_chance)
        few.reset(seed=[5, 8])
        many.reset(seed=4)
        for _ in range(80):
            observations, expected = (envs.step(np.zeros(envs.num_envs, int))[0] for envs in (few, many))
            assert observations.tolist() == expected[[1, 4]].tolist()

    def test_neighboring_seeds_have_unrelated_dice(self) -> None:
        """Of 20,000 first rolls, and of two that follow one another, the squares of errors are those of chance."""
        many = BackgammonVectorEnv(20_000, start=Position.start(), action_mask=False)
        dice = many.reset(seed=1)[0][:, 26:]
        chances = np.array([2 - (high == low) for high, low in product(range(6), repeat=2) if high >= low]) / 36
        rolls = np.array([high * (high - 1) // 2 + low - 1 for high, low in dice.tolist()])
        for kinds, expected, limit in (
            (rolls, chances, 45.3),  # 1 in 1,000 by chance
            (21 * rolls[:-1] + rolls[1:], np.outer(chances, chances).ravel(), 535.7),
        ):
            counts = np.bincount(kinds, minlength=len(expected))
            assert ((counts - expected * len(kinds)) ** 2 / (expected * len(kinds))).sum() < limit

    @loop.rows(
        ("seed", "example"),
        ([1], "seed: expected a whole number, or one for each of 2 environments, not [1]"),
        (range(3), "seed: expected a whole number, or one for each of 2 environments, not range(0, 3)"),
        (1.5, "seed: expected a whole number, or one for each of 2 environments, not 1.5"),
        ("12", "seed: expected a whole number, or one for each of 2 environments, not '12'"),
        ([1, -1], "seed, index 1: expected a whole number from 0 up, or None, not -1"),
        ([None, "1"], "seed, index 1: expected a whole number from 0 up, or None, not '1'"),
    )
    def test_no_seeds(self, seed: Any, example: str) -> None:
        many = BackgammonVectorEnv(2)
        with wording.raises(ArgumentError, example):
            many.reset(seed=seed)


class TestDice:
    def test_the_first_roll_is_the_opening_roll(self) -> None:
        """White's die, then Black's; a tie is thrown again."""
        env = BackgammonEnv()
        env.reset(options={"dice": [(2, 2), (1, 3), (6, 5)]})
        assert [event.argument for event in env.events[:2]] == [(2, 2), (1, 3)]
        assert env.events[2].by is Player.BLACK
        assert env.state.dice == ROLLS[19]

    def test_a_series_goes_on_from_episode_to_episode(self) -> None:
        """So many ties come to an end."""
        env = BackgammonEnv(dice=iter([(3, 1), *["33"] * 999, (4, 2)]))
        assert [env.reset()[0][26:].tolist() for _ in range(2)] == [[3, 1], [4, 2]]

    def test_a_function(self) -> None:
        env = BackgammonEnv(dice=lambda rng: (6, int(rng.integers(1, 6))))
        observations = [env.reset(seed=seed)[0] for seed in range(20)]
        assert {int(observation[26]) for observation in observations} == {6}
        assert len({int(observation[27]) for observation in observations}) > 2

    def test_those_of_a_reset_are_for_one_episode(self) -> None:
        env = BackgammonEnv(dice=lambda rng: (6, 5))
        assert env.reset(options={"dice": [(3, 1)]})[0][26:].tolist() == [3, 1]
        assert env.reset()[0][26:].tolist() == [6, 5]

    def test_a_series_that_ends(self) -> None:
        env = BackgammonEnv()
        _ = env.reset(options={"dice": [(3, 1), (6, 5)]})
        with wording.raises(DiceError, "dice: the series ends after 2 rolls, and the game goes on"):
            env.step(0)

    @loop.rows("dice", lambda rng: (3, 3), itertools.repeat("33"))
    def test_ties_without_end(self, dice: Any) -> None:
        with wording.raises(DiceError, "dice: 1,000 opening rolls in a row are ties"):
            BackgammonEnv(dice=dice).reset()

    @loop.rows("dice", [(7, 1)], [None], lambda rng: (0, 1))
    def test_no_rolls(self, dice: Any) -> None:
        with pytest.raises(DiceError):
            BackgammonEnv(dice=dice).reset()

    @loop.rows("dice", 3, "31")
    def test_no_source(self, dice: Any) -> None:
        with wording.raises(DiceError, f"dice must be a function, or a series of rolls, not {dice!r}"):
            BackgammonEnv().reset(options={"dice": dice})


class TestStarts:
    def test_any_state(self) -> None:
        env = BackgammonEnv()
        observation, _ = env.reset(options={"state": RACE, "dice": ["31"]})
        assert observation.tolist() == [0, 1, *[0] * 22, -15, 0, 3, 1]
        assert env.step(0)[1:3] == (2, True)

    @loop.rows("observation", "board", "features")
    def test_all_checkers_may_be_on_the_bars(self, observation: Any) -> None:
        env, start = BackgammonEnv(observation=observation), Position.of(mine={"bar": 15}, theirs={"bar": 15})
        shown, _ = env.reset(options={"state": attrs.evolve(RACE, position=start), "dice": ["66"]})
        assert shown in env.observation_space

    def test_the_opponent_may_be_on_roll(self) -> None:
        race = attrs.evolve(RACE, on_roll=Player.BLACK)
        _, info = BackgammonEnv().reset(options={"state": race, "dice": ["31"]})
        assert info["state"].result.winner is Player.BLACK

    def test_a_double_that_the_agent_must_answer(self) -> None:
        state = MatchState.new(5).opening_roll(3, 1).play("8/5 6/5").double()
        env = BackgammonEnv(cube=True, length=5)
        observation, info = env.reset(options={"state": state})
        assert info["state"] == state
        assert observation[28:].tolist() == [1, 0, 5, 5, 0, 1]
        legal = [CUBE_ACTIONS[number - MAX_PLAYS] for number in np.flatnonzero(info["action_mask"])]
        assert legal == [Action.TAKE, Action.DROP]
        _, reward, terminated, _, _ = env.step(MAX_PLAYS + CUBE_ACTIONS.index(Action.TAKE))
        assert (reward, terminated) == (0, False)
        assert env.events[0] == Event("take", Player.WHITE)

    @loop.rows(
        ("state", "example"),
        ("start", "options[\"state\"] must be a MatchState, not 'start'"),
        (MatchState.new(3), 'options["state"]: this environment has length=None, cube=True'),
        (MatchState.new(None, rules=Rules(cube=False)), 'options["state"]: this environment has cube=True'),
        (MatchState.new(None).opening_roll(3, 1).resign(), 'options["state"]: the game waits for a resignation'),
        (MatchState.new(None).opening_roll(3, 1).resign().accept(), 'options["state"]: the game is over'),
    )
    def test_no_start(self, state: Any, example: str) -> None:
        env = BackgammonEnv(cube=True)
        with wording.raises(ArgumentError, example):
            env.reset(options={"state": state})
        with pytest.raises(IllegalActionError):
            env.step(0)

    @loop.rows(
        ("options", "example"),
        (3, "options must be a dict, not 3"),
        ({"dise": 1}, "there is no option 'dise'"),
        ({1: 1}, "no option 1"),
    )
    def test_no_options(self, options: Any, example: str) -> None:
        with wording.raises(ArgumentError, example):
            BackgammonEnv().reset(options=options)


REFUSED: tuple[tuple[dict[str, Any], type[Exception]], ...] = (
    ({"options": 3}, ArgumentError),
    ({"options": {"dice": 3}}, DiceError),
    ({"options": {"dice": [(3, 3)]}}, DiceError),  # which run out
    ({"seed": -1}, gymnasium.error.Error),
    ({"seed": 1, "options": {"state": MatchState.new(3)}}, ArgumentError),
)
REFUSED_OF_MANY: tuple[tuple[dict[str, Any], type[Exception]], ...] = (
    *REFUSED,
    ({"seed": [1, -1]}, ArgumentError),
    ({"seed": [1, None], "options": {"dice": [[(7, 1)]] * 2}}, DiceError),
    ({"seed": 1, "options": {"dice": [[(3, 3)]] * 2}}, DiceError),
    ({"seed": 1, "options": {"boards": [[0] * 26] * 2}}, PositionError),
    ({"seed": 1, "options": {"reset_mask": [True, False], "dice": [[(3, 1)]] * 2}}, ArgumentError),
)


class TestRefusedResets:
    """A reset that is refused for what was given leaves the running episode, and its dice, as they are."""

    @loop.rows("state", "state", "unwrapped.match_state")
    @loop.over(("wrong", "error"), REFUSED)
    def test_one(self, wrong: dict[str, Any], error: type[Exception], state: str) -> None:
        env, twin = (BackgammonEnv() if state == "state" else backgammon_v0.env() for _ in range(2))
        env.reset(seed=1)
        twin.reset(seed=1)
        with pytest.raises(error):
            env.reset(**wrong)
        env.step(0)
        twin.step(0)
        assert attrgetter(state)(env) == attrgetter(state)(twin)

    @loop.rows(
        "options",
        {"dice": [(7, 1)]},
        {"dice": [(3, 3)]},
        {"state": MatchState.new(3)},
        {"state": MatchState.new(None).forfeit(Player.WHITE, points=1)},
    )
    def test_in_other_processes(self, options: dict[str, Any]) -> None:
        """Gymnasium raises the class of the error again, with the error that came from there as its only argument."""
        with pytest.raises(GammonError) as here:
            BackgammonEnv().reset(options=options)
        envs = gymnasium.make_vec(NAME, 2, "async")
        try:
            with warnings.catch_warnings(action="ignore"), pytest.raises(GammonError) as there:
                envs.reset(options=options)
        finally:
            envs.close(terminate=True)
        assert type(there.value) is type(here.value)
        assert str(there.value) == str(here.value)

    @loop.over(("wrong", "error"), REFUSED_OF_MANY)
    def test_many(self, wrong: dict[str, Any], error: type[Exception]) -> None:
        envs, twins = BackgammonVectorEnv(2), BackgammonVectorEnv(2)
        envs.reset(seed=1)
        twins.reset(seed=1)
        with pytest.raises(error):
            envs.reset(**wrong)
        observations, expected = (many.step(np.zeros(2, int))[0] for many in (envs, twins))
        assert observations.tolist() == expected.tolist()


class TestIllegalActions:
    @loop.rows("action", -1, MAX_PLAYS, 1.0, None, "1", True, np.zeros(2, int), np.zeros(1), [1])
    @loop.rows("illegal", "lose", "raise")
    def test_no_number_of_an_action(self, action: Any, illegal: Any) -> None:
        env = BackgammonEnv(illegal=illegal)
        _, info = env.reset(options={"dice": [(3, 1)]})
        with wording.raises(ArgumentError, "an action is a whole number from 0 to 3,059"):
            env.step(action)
        if illegal == "raise":
            with wording.raises(ArgumentError, "action 3059 is not one of the 16 legal actions (0, 1, 2, ...)"):
                env.step(3059)
        assert env.state == info["state"]

    @loop.rows("action", 1, np.int64(1), np.int8(1), np.array(1), np.array([1]))
    def test_whole_numbers_of_any_type(self, action: Any) -> None:
        """Stable-Baselines3 and others act with arrays of one number."""
        env = BackgammonEnv()
        env.reset(options={"dice": [(3, 1), (6, 6), (5, 4)]})
        play = env.state.legal_plays[1]
        env.step(action)
        assert env.events[1].argument == play
        two = backgammon_v0.env()
        two.reset(options={"dice": [(3, 1), (6, 6)]})
        two.step(action)
        assert two.unwrapped.events[1].argument == play

    def test_it_loses_with_a_warning(self) -> None:
        env = BackgammonEnv()
        env.reset(options={"dice": [(3, 1)]})
        with pytest.warns(UserWarning, match="action 16 is not one of the 16 legal actions") as caught:
            _, reward, terminated, truncated, info = env.step(16)
        assert len(caught) == 1
        assert (reward, terminated, truncated, info["action_mask"].sum()) == (-1, True, False, 1)

    def test_it_loses_the_cube_or_the_match(self) -> None:
        state = MatchState(Position.start(), Player.WHITE, rules=MONEY).double().take()
        money, match = BackgammonEnv(cube=True), BackgammonEnv(length=7)
        money.reset(options={"state": state, "dice": [(3, 1)]})
        match.reset(options={"dice": [(3, 1)]})
        with quiet():
            assert money.step(MAX_PLAYS)[1] == -2
            assert match.step(16)[1] == -1
        assert match.state.winner is Player.BLACK

    def test_after_the_end(self) -> None:
        env = BackgammonEnv(max_turns=2)
        env.reset(options={"dice": [(3, 1), (6, 6)]})
        assert env.step(0)[1:4] == (0, False, True)
        with wording.raises(IllegalActionError, "the episode is over: call reset()"):
            env.step(0)


class TestOpponents:
    def test_one_gets_what_an_agent_would(self) -> None:
        seen: list[Any] = []

        def watcher(observation: Any, info: dict[str, Any], rng: np.random.Generator) -> int:
            seen.append((observation.tolist(), info["state"], int(info["action_mask"].sum())))
            return 0

        BackgammonEnv(watcher, cube=True).reset(options={"dice": [(1, 3), (5, 2)]})
        start = MatchState.new(None).opening_roll(1, 3)
        assert seen == [([*start.position.points, 3, 1, 0, 0, 0, 0, 0, 0], start, 16)]

    @loop.rows("answer", None, "0", 1.5, -1, 16, MAX_PLAYS)
    def test_nonsense(self, answer: Any) -> None:
        with wording.tells(ArgumentError, "opponent: ", answer):
            BackgammonEnv(lambda observation, info, rng: answer).reset(options={"dice": [(1, 3)]})

    def test_errors_are_their_own(self) -> None:
        """The agent cannot go on in their place."""
        env = BackgammonEnv(lambda observation, info, rng: 1 // 0)
        with pytest.raises(ZeroDivisionError):
            env.reset(options={"dice": [(1, 3)]})
        env.reset(options={"dice": [(3, 1), (6, 6)]})
        with pytest.raises(ZeroDivisionError):
            env.step(0)
        with wording.raises(IllegalActionError, "call reset() first"):
            env.step(0)


@loop.rows(
    ("options", "error", "example"),
    ({"opponent": "random"}, ArgumentError, "opponent must be a function or None, not 'random'"),
    ({"render_mode": "human"}, ArgumentError, 'render_mode must be "ansi" or "svg", or None, not \'human\''),
    ({"actions": "row"}, ArgumentError, 'actions must be "rows" or "codes", not \'row\''),
    ({"observation": 1}, ArgumentError, 'observation must be "board" or "features", not 1'),
    ({"illegal": "ignore"}, ArgumentError, 'illegal must be "lose" or "raise", not \'ignore\''),
    ({"cube": 1}, ArgumentError, "cube must be True or False, not 1"),
    ({"length": 0, "max_turns": 1}, ArgumentError, "length must be from 1 to 127, not 0; max_turns 2, not 1"),
    ({"rules": "money"}, ArgumentError, "rules must be a Rules or None, not 'money'"),
    ({"rules": Rules(cube=False, scoring="pips"), "cube": True}, RulesError, "pip scoring has no cube, cube=False"),
)
def test_no_environment(options: dict[str, Any], error: type[Exception], example: str) -> None:
    with wording.raises(error, example):
        BackgammonEnv(**options)


@loop.rows(
    ("make", "name"),
    (BackgammonEnv, "BackgammonEnv.__init__"),
    (partial(gymnasium.make, NAME), "BackgammonEnv.__init__"),
    (partial(gymnasium.make_vec, NAME), "BackgammonVectorEnv"),
    (BackgammonVectorEnv, "BackgammonVectorEnv"),
    (backgammon_v0.env, "env"),
    (backgammon_v0.raw_env, "raw_env"),
)
def test_an_argument_that_is_misspelled(make: Callable[..., Any], name: str) -> None:
    """The error is Python's, of the function that users know."""
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'cubes'"):
        make(cubes=True)


@loop.rows("make", BackgammonEnv, backgammon_v0.env)
def test_rendering(make: Callable[..., Any]) -> None:
    for mode, beginning in (("ansi", str(MatchState.new(None).opening_roll(3, 1)).split("\n")[0]), ("svg", "<svg")):
        env = make(render_mode=mode)
        env.reset(options={"dice": [(3, 1)]})
        assert str(env.render()).startswith(beginning)
    assert BackgammonEnv().render() is None


@loop.rows("dice", None, [(3, 1), (6, 5), (2, 1), (4, 3), (5, 5)])
@loop.rows("copied", copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)))
def test_an_environment_can_be_copied(copied: Callable[[BackgammonEnv], BackgammonEnv], dice: Any) -> None:
    """In the middle of an episode, as a search needs it: both go on in the same way."""
    env = BackgammonEnv()
    env.reset(seed=1, options=None if dice is None else {"dice": dice})
    other = copied(env)
    for environment in (env, other):
        environment.step(0)
    assert env.state == other.state
    assert len(env.events) == len(other.events) > 2


# --- PettingZoo -----------------------------------------------------------------------------------------------------

AGENTS = {"white_0": Player.WHITE, "black_0": Player.BLACK}


@contextmanager
def as_for_its_own_games() -> Iterator[None]:
    """PettingZoo's test knows the names of its own games whose observations are dicts; for others it warns."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        yield


@loop.over("way", WAYS)
def test_pettingzoo_checks_it(way: dict[str, Any]) -> None:
    with as_for_its_own_games():
        api_test(backgammon_v0.env(**way), num_cycles=30)
        seed_test(lambda: backgammon_v0.env(**way), num_cycles=10)


@episodes
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_random_episodes_of_two_agents(way: dict[str, Any], episodes: int) -> None:
    """White sees what the agent of Gymnasium's environment does, Black the same with the colors exchanged."""
    env = backgammon_v0.raw_env(illegal="raise", **way)
    rng = np.random.default_rng(2026)
    for episode in range(episodes):
        env.reset(seed=episode)
        totals = dict.fromkeys(AGENTS, 0.0)
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, info = env.last()
            totals[agent] += reward
            state = info["state"] if AGENTS[agent] is Player.WHITE else info["state"].swap_players()
            check_observation(state, seen["observation"], way)
            if terminated or truncated:
                assert not seen["action_mask"].any()
                env.step(None)
                continue
            assert AGENTS[agent] is env.match_state.to_act
            assert not env.observe("white_0" if agent == "black_0" else "black_0")["action_mask"].any()
            check_mask(env.match_state, seen["action_mask"], way)
            env.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        state = env.match_state
        assert state == replayed(env.events, MatchState.new(way.get("length"), rules=state.rules))
        assert totals["white_0"] == -totals["black_0"] == reward_of(state)


class TestTwoAgents:
    def test_an_illegal_action_loses_for_its_agent(self) -> None:
        env = backgammon_v0.env()
        env.reset(options={"dice": [(1, 3)]})
        with pytest.warns(UserWarning, match="action 16 is not one of the 16 legal actions"):
            env.step(16)
        assert env.rewards == {"white_0": 1, "black_0": -1}
        assert env.terminations == dict.fromkeys(AGENTS, True)

    def test_or_raises_an_error(self) -> None:
        env = backgammon_v0.env(illegal="raise")
        env.reset(options={"dice": [(1, 3)], "of another": 1})
        for action in (16, MAX_PLAYS, -1, None, "0"):
            with pytest.raises(ArgumentError):
                env.step(action)
        assert env.unwrapped.match_state.dice == ROLLS[2]

    def test_an_agent_whose_game_is_over_steps_with_none(self) -> None:
        env = backgammon_v0.raw_env()
        env.reset(options={"state": RACE, "dice": ["31"]})
        env.step(0)
        assert env.rewards == {"white_0": 2, "black_0": -2}
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        env.step(None)
        env.step(None)
        assert env.agents == []
        with wording.raises(IllegalActionError, "the episode is over, or has not begun: call reset()"):
            env.step(None)

    def test_no_agent(self) -> None:
        env = backgammon_v0.raw_env()
        for ask in (env.observe, env.action_space, env.observation_space):
            with wording.raises(ArgumentError, 'agent must be "white_0" or "black_0", not \'white\''):
                ask("white")

    def test_an_episode_that_was_left_says_nothing_about_the_next(self) -> None:
        env = backgammon_v0.raw_env()
        for _ in range(2):
            env.reset(options={"state": RACE, "dice": ["31"]})
            env.step(0)
            assert env.agent_selection == "black_0"
            env.step(None)
            assert env.agent_selection == "white_0"


# --- many games at once ---------------------------------------------------------------------------------------------


NO_ACTIONS = "step: expected a whole number for each of 3 environments"


def last_row(turns: batch.Turns, rng: np.random.Generator) -> Any:
    return turns.offsets[1:] - 1


def by_pips(states: batch.MatchStates, rng: np.random.Generator) -> Any:
    """All decisions about the cube, as `last_of_rows` makes them."""
    pips = batch.pip_counts(states.points).sum(axis=1)
    beavers = np.where((pips % 4 == 1) & states.may(Action.BEAVER), Action.BEAVER, Action.TAKE)
    answers = np.where(pips % 4 == 0, Action.DROP, beavers)
    return np.where(states.offered > 0, answers, np.where(pips % 3 == 0, Action.DOUBLE, Action.ROLL))


OPTIONS = {"cube": True, "rules": Rules(jacoby=True, beavers=3, auto_doubles=1, max_cube=64, opening="reroll")}
VECTOR_WAYS: tuple[dict[str, Any], ...] = (
    *({}, {"actions": "codes"}, {"observation": "features"}, {"start": "hypergammon"}, {"max_turns": 21}),
    {"max_turns": 21, "autoreset_mode": AutoresetMode.SAME_STEP, "actions": "codes"},
    {"max_turns": 21, "autoreset_mode": AutoresetMode.DISABLED},
    *({"cube": True}, {"cube": True, "length": 3}, {"length": 2}, {"rules": Rules(cube=False, scoring="pips")}),
    {"cube": True, "length": 5, "autoreset_mode": AutoresetMode.SAME_STEP, "actions": "codes", "max_turns": 50},
    {**OPTIONS, "autoreset_mode": AutoresetMode.DISABLED, "observation": "features"},
)


SEEDED_WAYS: tuple[dict[str, Any], ...] = (
    {"observation": "features", "max_turns": 40, "max_episode_steps": 21},
    {"max_episode_steps": 21, "autoreset_mode": AutoresetMode.SAME_STEP},
    {"max_episode_steps": 21, "autoreset_mode": AutoresetMode.DISABLED, "cube": True, "length": 2},
    {"cube": True, "length": 2, "actions": "codes"},
    {**OPTIONS, "autoreset_mode": AutoresetMode.SAME_STEP},
)


@each.first("rounds", [50, 150])
@pytest.mark.parametrize("way", VECTOR_WAYS, ids=str)
def test_many_games_are_as_single_ones_with_the_same_dice(way: dict[str, Any], rounds: int) -> None:
    """In Gymnasium's `SyncVectorEnv`, which begins them again in each of its ways; some actions are illegal."""
    dice = np.random.default_rng(2026).integers(1, 7, (3, 4 * rounds, 2))
    mode = way.get("autoreset_mode", AutoresetMode.NEXT_STEP)
    single_way = {name: value for name, value in way.items() if name not in {"start", "autoreset_mode"}}
    if "start" in way:
        single_way["rules"] = Rules(cube=False, start=way["start"])
    singles = [partial(BackgammonEnv, last_of_rows, dice=iter(rolls), **single_way) for rolls in dice]
    many = BackgammonVectorEnv(3, (last_row, by_pips), dice=dice, **way)
    check_same_games(many, gymnasium.vector.SyncVectorEnv(singles, autoreset_mode=mode), rounds, None)


@each.first("rounds", [50, 150])
@pytest.mark.parametrize("way", SEEDED_WAYS, ids=str)
@each.first("seed", [[7, 2**80, 0], 2**64 - 2], ids=str)
def test_many_games_are_as_single_ones_with_the_same_seeds(way: dict[str, Any], seed: Any, rounds: int) -> None:
    """Whichever way `make_vec` makes them, in all of their episodes, against random opponents."""
    single_way = dict(way)
    mode = {"autoreset_mode": single_way.pop("autoreset_mode", AutoresetMode.NEXT_STEP)}
    witness: Any = gymnasium.make_vec(NAME, 3, "sync", vector_kwargs=mode, **single_way)
    many: Any = gymnasium.make_vec(NAME, 3, **way)
    check_same_games(many, witness, rounds, seed)
    observations, expected = (envs.reset(seed=[None, 7, None])[0] for envs in (many, witness))
    assert observations.tolist() == expected.tolist()


def check_same_games(many: BackgammonVectorEnv, witness: gymnasium.vector.SyncVectorEnv, steps: int, seed: Any) -> None:
    """Three games of each, for so many steps, with the same actions."""
    rng = np.random.default_rng(2026)
    mode = witness.metadata["autoreset_mode"]
    assert many.metadata["autoreset_mode"] is mode
    (observations, infos), (expected, known) = many.reset(seed=seed), witness.reset(seed=seed)
    over, ends = np.zeros(3, np.bool_), 0
    for _ in range(steps):
        assert observations in many.observation_space
        np.testing.assert_array_equal(observations, expected)
        np.testing.assert_array_equal(infos["action_mask"], masks_at_ends(known["action_mask"], over, mode))
        assert list(many.states) == [env.unwrapped.state for env in witness.envs]  # type: ignore[attr-defined]
        assert ("final_obs" in infos) == ("final_obs" in known)
        if "final_obs" in known:
            check_ends(infos, known)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        if rng.random() < 0.1:
            actions[rng.integers(3)] = rng.integers(many.single_action_space.n)
        if mode is AutoresetMode.NEXT_STEP:
            actions[over] = -1  # ignored
        with quiet():
            observations, *outcomes, infos = many.step(actions)
            expected, *others, known = witness.step(actions)
        assert [part.tolist() for part in outcomes] == [part.tolist() for part in others]
        over = outcomes[1] | outcomes[2]
        ends += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            with wording.raises(IllegalActionError, f"environment {over.argmax()} is over: reset_mask"):
                many.step(actions)
            observations, infos = many.reset(options={"reset_mask": over})
            expected, masks = witness.reset(options={"reset_mask": over})
            known["action_mask"][over] = masks["action_mask"][over]
            over[:] = False
    assert ends >= 3


def masks_at_ends(masks: Any, over: Any, mode: AutoresetMode) -> Any:
    """Gymnasium's `TimeLimit` leaves the mask of an episode that it cuts off as it is; many games allow action 0."""
    if mode is AutoresetMode.SAME_STEP:
        return masks
    masks = masks.copy()
    masks[over] = np.arange(masks.shape[1]) == 0
    return masks


def check_ends(infos: dict[str, Any], known: dict[str, Any]) -> None:
    """What is told of games that ended in this step."""
    for name in ("_final_obs", "_final_info"):
        np.testing.assert_array_equal(infos[name], known[name])
    for mine, its in zip(infos["final_obs"], known["final_obs"], strict=True):
        assert (mine is None) == (its is None)
        np.testing.assert_array_equal(mine, its)
    ended = infos["_final_info"]
    assert (
        infos["final_info"]["_action_mask"].tolist() == known["final_info"]["_action_mask"].tolist() == ended.tolist()
    )
    masks = masks_at_ends(known["final_info"]["action_mask"], ended, AutoresetMode.DISABLED)
    np.testing.assert_array_equal(infos["final_info"]["action_mask"], masks)


class TestSomeGames:
    """`reset` with `"reset_mask"`."""

    def test_the_others_go_on(self) -> None:
        many = BackgammonVectorEnv(3, dice=[[(3, 1), (6, 5), (4, 2)]] * 3)
        before, _ = many.reset()
        boards = [Position.of(mine={6: 1}, theirs={6: 1}).points]
        after, _ = many.reset(options={"reset_mask": [False, True, False], "boards": boards})
        assert after[::2].tolist() == before[::2].tolist()
        assert after[1].tolist() == [*boards[0], 6, 5]

    @loop.rows(
        ("mask", "example"),
        ([True], 'options["reset_mask"]: expected True or False for each of 2 environments, not [True]'),
        ([1, 0], 'options["reset_mask"]: expected True or False for each of 2 environments, not [1, 0]'),
        ([False, False], 'options["reset_mask"]: expected True for at least one, not [False, False]'),
    )
    def test_no_mask(self, mask: Any, example: str) -> None:
        many = BackgammonVectorEnv(2)
        many.reset(seed=1)
        with wording.raises(ArgumentError, example):
            many.reset(options={"reset_mask": mask})

    def test_without_masks_of_actions(self) -> None:
        many = BackgammonVectorEnv(1, max_turns=2, action_mask=False, autoreset_mode="SameStep")
        many.reset(options={"boards": [Position.start().points]})
        *_, truncations, infos = many.step(np.zeros(1, int))
        assert truncations.tolist() == [True]
        assert sorted(infos) == ["_final_info", "_final_obs", "final_info", "final_obs"]


def last_of_rows(observation: Any, info: dict[str, Any], rng: np.random.Generator) -> int:
    """The last legal play, in either numbering, and with the cube what `by_pips` does."""
    state, base = info["state"], NUM_PLAY_CODES if len(info["action_mask"]) >= NUM_PLAY_CODES else MAX_PLAYS
    if state.dice is None:
        decision = by_pips(batch.MatchStates.from_states([state]), rng)[0]
        return base + [*CUBE_ACTIONS].index(Action(decision))
    return len(state.legal_plays) - 1 if base == MAX_PLAYS else encode_play(state.legal_plays[-1])


class TestManyGames:
    def test_made_by_name(self) -> None:
        many = gymnasium.make_vec(NAME, 7, observation="features")
        assert isinstance(many.unwrapped, BackgammonVectorEnv)
        assert many.reset(seed=1)[0].shape == (7, 200)
        assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP

    def test_the_best_rows_as_actions(self) -> None:
        for actions in ("rows", "codes"):
            many = BackgammonVectorEnv(2, illegal="raise", actions=actions, dice=[[(3, 1)] * 3, [(2, 1)] * 3])
            many.reset()
            made = (many.plays.points <= -2).sum(axis=1)
            _, infos = many.reset()
            best = many.best(made)
            assert [infos["action_mask"][at, best[at]] for at in range(2)] == [1, 1]
            play = Position.start().legal_plays("31").find("8/5 6/5")
            number = encode_play(play) if actions == "codes" else Position.start().legal_plays("31").index(play)
            assert best[0] == number

    def test_the_best_where_games_are_over(self) -> None:
        many = BackgammonVectorEnv(2)
        many.reset(options={"boards": [RACE.position.points, Position.start().points]})
        many.step(np.zeros(2, int))
        assert many.plays.counts[0] == 0
        assert many.best(np.arange(len(many.plays.points))).tolist() == [0, many.plays.counts[1] - 1]

    def test_on_given_boards_the_agent_has_begun(self) -> None:
        """Whoever began the games before."""
        turns_made: list[int] = []

        def opponent(turns: batch.Turns, rng: np.random.Generator) -> Any:
            turns_made.extend(turns.numbers.tolist())
            return turns.offsets[:-1]

        envs = BackgammonVectorEnv(1, opponent)
        _ = envs.reset(options={"dice": [[(1, 3), (6, 5)]]})
        _ = envs.reset(options={"boards": [Position.start().points]})
        _ = envs.step(np.zeros(1, int))
        assert turns_made == [0, 1]

    def test_plays_cannot_be_written_into(self) -> None:
        """A step goes on from them."""
        envs = BackgammonVectorEnv(2)
        _ = envs.reset(seed=1)
        for array in (envs.plays.points, envs.plays.offsets, envs.plays.moves):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0
            with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
                array.setflags(write=True)

    def test_what_an_opponent_is_asked(self) -> None:
        asked: list[Any] = []

        def watcher(turns: batch.Turns, rng: np.random.Generator) -> Any:
            asked.append((turns.games.tolist(), turns.numbers.tolist(), turns.on_roll.tolist(), turns.dice.tolist()))
            return turns.offsets[:-1]

        rolls = [[(3, 1), (6, 6), (5, 4), (2, 1)], [(1, 3), (6, 5), (4, 4), (6, 1)]]
        many = BackgammonVectorEnv(2, watcher, dice=rolls)
        many.reset()
        many.step(np.zeros(2, int))
        assert asked == [([1], [0], [1], [[3, 1]]), ([0, 1], [1, 2], [1, 1], [[6, 6], [4, 4]])]

    @loop.rows("cube", False, True)
    def test_an_opponent_knows_how_many_checkers_there_are(self, cube: bool) -> None:
        asked: set[int] = set()

        def watcher(turns: batch.Turns | batch.MatchStates, rng: np.random.Generator) -> Any:
            asked.add(turns.checkers)
            return turns.offsets[:-1] if isinstance(turns, batch.Turns) else ["roll"] * len(turns)

        many = BackgammonVectorEnv(9, watcher, rules=Rules(start="hypergammon"), cube=cube)
        many.reset(seed=1)
        assert asked == {3}

    def test_dice_of_a_function(self) -> None:
        many = BackgammonVectorEnv(3, dice=lambda which, rolled: np.stack([which + 2, rolled * 0 + 1], axis=1))
        assert many.reset()[0][:, 26:].tolist() == [[2, 1], [3, 1], [4, 1]]

    def test_a_start_in_which_the_agent_is_on_roll(self) -> None:
        many = BackgammonVectorEnv(50, start=Position.of(mine={1: 2}, theirs={1: 15}), action_mask=False)
        many.reset(seed=1)
        _, rewards, terminations, _, _ = many.step(np.zeros(50, int))
        assert rewards.tolist() == [2] * 50
        observations, rewards, terminations, _, _ = many.step(np.full(50, -7))
        assert not terminations.any()
        assert set(observations[:, 1]) == {2}

    def test_an_illegal_action_loses_with_one_warning(self) -> None:
        many = BackgammonVectorEnv(3)
        _, infos = many.reset(seed=1)
        legal = infos["action_mask"][1].sum()
        with pytest.warns(UserWarning, match=f"environment 1: action 3000 is not one of the {legal} legal") as caught:
            _, rewards, terminations, _, infos = many.step(np.array([0, 3000, 3001]))
        assert len(caught) == 1
        assert rewards.tolist() == [0, -1, -1]
        assert terminations.tolist() == [False, True, True]
        assert [np.flatnonzero(mask).tolist() for mask in infos["action_mask"][1:]] == [[0], [0]]

    @loop.rows(
        ("actions", "example"),
        ([0, 0], f"{NO_ACTIONS}, not [0, 0]"),
        ([0.0, 0.0, 0.0], f"{NO_ACTIONS}, not [0.0, 0.0, 0.0]"),
        ([[0], [0, 0]], f"{NO_ACTIONS}, not [[0], [0, 0]]"),
        ([0, -1, 0], "environment 1: an action is a whole number from 0 to 3,059, not -1"),
        ([0, 0, 3060], "environment 2: an action is a whole number from 0 to 3,059, not 3060"),
    )
    def test_no_actions(self, actions: Any, example: str) -> None:
        many = BackgammonVectorEnv(3)
        many.reset(seed=1)
        with wording.raises(ArgumentError, example):
            many.step(actions)

    @loop.rows(
        ("answer", "example"),
        ([0] * 8 + [10**30], "opponent: expected one row for each of 9 boards"),
        ([[1], [1, 2]], "opponent: rows of different lengths are not an array"),
        (np.zeros(9, int), "opponent, index 1: row 0 is not a play of this board"),
    )
    def test_an_opponent_who_returns_no_rows(self, answer: Any, example: str) -> None:
        many = BackgammonVectorEnv(9, lambda turns, rng: answer, dice=[[(1, 2)] * 3] * 9)
        with wording.raises(ArgumentError, example):
            many.reset()

    def test_after_an_error_of_the_opponent(self) -> None:
        many = BackgammonVectorEnv(2, lambda turns, rng: 1 // 0, dice=[[(2, 1), (6, 6)]] * 2)
        many.reset()
        with pytest.raises(ZeroDivisionError):
            many.step(np.zeros(2, int))
        with wording.raises(IllegalActionError, "call reset() first"):
            many.step(np.zeros(2, int))

    def test_an_opponent_cannot_write_into_the_turns(self) -> None:
        def writer(turns: batch.Turns, rng: np.random.Generator) -> Any:
            turns.points[:] = 0

        with pytest.raises(ValueError, match="read-only"):
            BackgammonVectorEnv(9, writer, dice=[[(1, 2)]] * 9).reset()

    @loop.rows(
        ("dice", "error", "example"),
        ([(3, 1)], DiceError, "dice: expected whole numbers of the shape (2, T, 2)"),
        ([[(3, 1)], [(3, 1), (2, 1)]], DiceError, "dice: rows of different lengths are not an array"),
        ("31", DiceError, "dice: expected whole numbers of the shape (2, T, 2)"),
        ([[(3, 3)], [(3, 1)]], DiceError, "dice: environment 0 has had its 1 roll, but its game goes on"),
        ([[(3, 1)], [(7, 1)]], DiceError, "dice of environment 1: a die must be from 1 to 6, not 7"),
        (lambda which, rolled: None, DiceError, "dice: expected a roll for each of 2 games, not object of shape ()"),
        (
            lambda which, rolled: np.column_stack([np.full(len(which), 3), 3 - which]),
            DiceError,
            "dice: 1,000 opening rolls of environment 0 in a row are ties",
        ),
    )
    def test_no_dice(self, dice: Any, error: type[Exception], example: str) -> None:
        with wording.raises(error, example):
            BackgammonVectorEnv(2).reset(options={"dice": dice})

    @loop.rows(
        ("boards", "error", "example"),
        ([Position.start().points], ArgumentError, 'options["boards"]: 1 board for 2 environments'),
        ([[0] * 26, [0] * 26], PositionError, "row 0"),
        (
            [Position.start().points, Position.of(theirs={1: 2}).points],
            ArgumentError,
            'options["boards"], row 1: the game is over',
        ),
    )
    def test_no_boards(self, boards: Any, error: type[Exception], example: str) -> None:
        with wording.raises(error, example):
            BackgammonVectorEnv(2).reset(options={"boards": boards})

    @loop.rows(
        ("options", "error", "example"),
        ({"num_envs": 0}, ArgumentError, "num_envs must be a whole number from 1 to 16,777,216, not 0"),
        ({"opponent": 1}, ArgumentError, "opponent must be a function or None, not 1"),
        ({"render_mode": "ansi"}, ArgumentError, "render_mode must be left out, not 'ansi'"),
        (
            {"opponent": (last_row, 1)},
            ArgumentError,
            "opponent must be a function, a tuple of two, or None, not (<function",
        ),
        ({"cube": 1}, ArgumentError, "cube must be True or False, not 1"),
        (
            {"length": 3, "start": Position.start("hypergammon")},
            ArgumentError,
            "start has 3 checkers a side, unlike the next games of the match",
        ),
        ({"max_episode_steps": 0}, ArgumentError, "max_episode_steps must be a whole number from 1 up, not 0"),
        ({"autoreset_mode": "Never"}, ArgumentError, "autoreset_mode must be an AutoresetMode, not 'Never'"),
        ({"start": "chess"}, PositionError, "'chess'"),
        ({"start": Position.of(theirs={1: 2})}, ArgumentError, "start: the game is over in this position"),
        ({"action_mask": 1}, ArgumentError, "action_mask must be True or False, not 1"),
    )
    def test_no_environment(self, options: dict[str, Any], error: type[Exception], example: str) -> None:
        with wording.raises(error, example):
            BackgammonVectorEnv(**options)


class TestManyCubes:
    """Environments of many games with a cube, beyond what single ones show."""

    def test_random_opponents_decide_by_chance(self) -> None:
        """Whatever is legal happens, and the same again with the same seed."""

        def play() -> tuple[Any, set[str]]:
            many, rng = BackgammonVectorEnv(30, cube=True, rules=MONEY, illegal="raise"), np.random.default_rng(1)
            _, infos = many.reset(seed=1)
            seen: set[str] = set()
            for _ in range(40):
                actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
                observations, *_, infos = many.step(actions)
                states = many.states
                seen |= {"doubled"} if (states.offered > 0).any() else set()
                seen |= {"beavered"} if (states.beavers > 0).any() else set()
                seen |= {"dropped"} if (states.ends == 1).any() else set()
                seen |= {"taken"} if (states.owners == 1).any() else set()
            return observations.tolist(), seen

        first = play()
        assert first == play()
        assert first[1] == {"doubled", "beavered", "dropped", "taken"}

    def test_without_a_function_for_it_the_cube_is_left_alone_and_doubles_are_taken(self) -> None:
        many = BackgammonVectorEnv(20, last_row, cube=True, length=3)
        many.reset(options={"boards": [Position.start().points] * 20})
        _, *_, infos = many.step(np.full(20, MAX_PLAYS + CUBE_ACTIONS.index(Action.DOUBLE)))
        assert many.states.owners.tolist() == [1] * 20
        for _ in range(3):
            _, *_, infos = many.step(infos["action_mask"].argmax(axis=1))
            assert not (many.states.offered > 0).any()

    def test_the_best_where_the_cube_is_to_be_decided(self) -> None:
        """To roll, or to take."""
        doubler = BackgammonVectorEnv(2, (last_row, lambda states, rng: ["double"] * len(states)), cube=True)
        boards = [Position.start().points] * 2
        doubler.reset(options={"boards": boards, "dice": [[(3, 1)] * 3] * 2})
        assert doubler.best([]).tolist() == [MAX_PLAYS] * 2
        doubler.step(doubler.best([]))
        doubler.step(doubler.best(np.zeros(len(doubler.plays.points))))
        assert doubler.states.offered.tolist() == [2, 2]
        assert doubler.best([]).tolist() == [MAX_PLAYS + CUBE_ACTIONS.index(Action.TAKE)] * 2

    @loop.rows(
        ("decided", "error", "example"),
        ("take", ArgumentError, "cube, index 0: environment 1: the decision is roll or double, not 'take'"),
        ("", ArgumentError, "cube, index 0: environment 1: the decision is roll or double, not no action"),
        (["roll"] * 2, ArgumentError, "cube: expected whole numbers or names of shape (1,)"),
    )
    def test_decisions_that_are_none(self, decided: Any, error: type[Exception], example: str) -> None:
        rules = Rules(opening="reroll")
        dice = [[(3, 1), (3, 1)], [(1, 3), (3, 1)]]
        many = BackgammonVectorEnv(2, (last_row, lambda states, rng: decided), cube=True, rules=rules, dice=dice)
        with wording.raises(error, example):
            many.reset()

    def test_a_beaver_that_the_rules_forbid(self) -> None:
        many = BackgammonVectorEnv(2, (last_row, lambda states, rng: "beaver"), cube=True, length=3)
        many.reset(options={"boards": [Position.start().points] * 2})
        with wording.raises(IllegalActionError, "opponent: state 0: Black cannot beaver: money play only"):
            many.step(np.full(2, MAX_PLAYS + CUBE_ACTIONS.index(Action.DOUBLE)))
        with wording.raises(IllegalActionError, "call reset() first"):
            _ = many.states


@loop.rows(
    "act",
    lambda: BackgammonEnv().step(0),
    lambda: BackgammonVectorEnv().step(np.zeros(1, int)),
    lambda: BackgammonVectorEnv(2).reset(options={"reset_mask": [True, False]}),
    lambda: backgammon_v0.raw_env().step(0),
)
def test_before_the_beginning(act: Callable[[], object]) -> None:
    with pytest.raises(IllegalActionError, match=r"^(call reset\(\) first|the episode is over, or has not begun)"):
        act()


def test_the_module_of_two_agents_needs_no_import_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "gammonrules.environments.backgammon_v0")
    monkeypatch.delattr(environments, "backgammon_v0")
    assert str(environments.backgammon_v0.env()) == "backgammon_v0"
    assert not hasattr(environments, "backgammon_v1")
