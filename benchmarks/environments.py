"""Steps a second of environments for reinforcement learning, random play, each as its users write it.

    python benchmarks/environments.py

takes four minutes and prints one table. Steps differ: one of `gymnasium.make` and `make_vec` is a turn of the agent
and one of the opponent, one of PettingZoo a turn, one of OpenSpiel a turn or half a doublet, one of pgx a checker's
move. So the ratios are those of whole games. `--quick` only shows that everything runs.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import gymnasium
import numpy as np

import needed
from gammonrules.environments import backgammon_v0

Progress = Iterator[tuple[int, int]]
"""Steps made and games finished, again and again."""
ROUNDS, SECONDS, WARM_UP = 5, 2.0, 6.0
MANY = 4096
FEWER = 64
MANY_OF_PGX = 100
"""As many as are fastest on a processor: with 1,000 it is slower."""


def gymnasium_rows() -> Progress:
    env = gymnasium.make("gammonrules/Backgammon-v0")
    while True:
        steps, over = 0, False
        _, info = env.reset()
        while not over:
            action = env.action_space.sample(info["action_mask"])
            _, _, over, _, info = env.step(action)
            steps += 1
        yield steps, 1


def gymnasium_codes() -> Progress:
    env = gymnasium.make("gammonrules/Backgammon-v0", actions="codes")
    while True:
        steps, over = 0, False
        _, info = env.reset()
        while not over:
            action = env.action_space.sample(info["action_mask"])
            _, _, over, _, info = env.step(action)
            steps += 1
        yield steps, 1


def gymnasium_many() -> Progress:
    envs = gymnasium.make_vec("gammonrules/Backgammon-v0", MANY, action_mask=False)
    rng = np.random.default_rng(1)
    envs.reset(seed=1)
    while True:
        actions = rng.integers(0, np.maximum(envs.plays.counts, 1))
        _, _, over, _, _ = envs.step(actions)
        yield MANY, int(over.sum())


def gymnasium_many_with_masks() -> Progress:
    envs = gymnasium.make_vec("gammonrules/Backgammon-v0", MANY)
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    while True:
        actions = rng.integers(0, np.maximum(infos["action_mask"].sum(axis=1), 1))
        _, _, over, _, infos = envs.step(actions)
        yield MANY, int(over.sum())


def gymnasium_cubes() -> Progress:
    envs = gymnasium.make_vec("gammonrules/Backgammon-v0", FEWER, cube=True, length=7)
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    while True:
        _, _, over, _, infos = envs.step(drawn(infos["action_mask"], rng))
        yield FEWER, int(over.sum())


def single_cubes() -> Progress:
    envs = gymnasium.make_vec("gammonrules/Backgammon-v0", 16, vectorization_mode="sync", cube=True, length=7)
    rng = np.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    while True:
        _, _, over, _, infos = envs.step(drawn(infos["action_mask"], rng))
        yield 16, int(over.sum())


def drawn(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """An action for each row, each legal one equally likely."""
    rows, actions = np.divmod(np.flatnonzero(masks), masks.shape[1])
    counts = np.bincount(rows, minlength=len(masks))
    return actions[np.cumsum(counts) - counts + rng.integers(0, counts)]


def pettingzoo() -> Progress:
    env = backgammon_v0.env()
    while True:
        steps = 0
        env.reset()
        for agent in env.agent_iter():
            observation, _, over, _, _ = env.last()
            action = None if over else env.action_space(agent).sample(observation["action_mask"])
            env.step(action)
            steps += 1
        yield steps, 1


def open_spiel() -> Progress:
    from open_spiel.python import rl_environment  # noqa: PLC0415

    env, rng = rl_environment.Environment("backgammon"), random.Random(1)
    while True:
        steps, now = 0, env.reset()
        while not now.last():
            player = now.observations["current_player"]
            now = env.step([rng.choice(now.observations["legal_actions"][player])])
            steps += 1
        yield steps, 1


def pgx() -> Progress:
    import jax  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def random_step(states: Any, key: Any) -> tuple[Any, Any]:
        key, of_actions, of_dice = jax.random.split(key, 3)
        actions = jax.random.categorical(of_actions, jax.numpy.log(states.legal_action_mask.astype("float32")), axis=1)
        return step(states, actions, jax.random.split(of_dice, MANY_OF_PGX)), key

    key = jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, MANY_OF_PGX))
    while True:
        states, key = random_step(states, key)
        yield MANY_OF_PGX, int(states.terminated.sum())


CONTENDERS: dict[str, Callable[[], Progress]] = {
    f"`make_vec`, {MANY:,} games, without masks": gymnasium_many,
    f"`make_vec`, {MANY:,} games": gymnasium_many_with_masks,
    f"`make_vec(cube=True, length=7)`, {FEWER} matches": gymnasium_cubes,
    "the same, 16 separate ones": single_cubes,
    "`gymnasium.make`, one game": gymnasium_rows,
    '`gymnasium.make(actions="codes")`': gymnasium_codes,
    "`backgammon_v0.env()`, one game": pettingzoo,
    "OpenSpiel: `rl_environment`, one game": open_spiel,
    f"pgx: `auto_reset`, {MANY_OF_PGX} games": pgx,
}


def rates(progress: Progress, seconds: float) -> tuple[float, float]:
    """Steps and games a second."""
    steps = games = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        made, ended = next(progress)
        steps, games = steps + made, games + ended
    return steps / passed, games / passed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only whether everything runs")
    quick = parser.parse_args().quick
    needed.check_installed(["pyspiel", "jax", "pgx"])
    rounds, seconds, warm_up = (1, 0.1, 0.1) if quick else (ROUNDS, SECONDS, WARM_UP)
    running = {name: start() for name, start in CONTENDERS.items()}
    for progress in running.values():
        next(progress)  # compiles
        rates(progress, warm_up)  # until games of all ages are under way
    measured = [{name: rates(progress, seconds) for name, progress in running.items()} for _ in range(rounds)]
    peer = next(name for name in CONTENDERS if name.startswith("OpenSpiel"))
    print("| environment | steps a second | games a second | games, OpenSpiel's = 1 |\n|---|---|---|---|")
    for name in CONTENDERS:
        steps, games = (median(of_round[name][at] for of_round in measured) for at in (0, 1))
        ratio = median(of_round[name][1] / max(of_round[peer][1], 1e-9) for of_round in measured)
        print(f"| {name} | {steps:,.0f} | {games:,.1f} | {ratio:,.2f} |")


if __name__ == "__main__":
    main()
