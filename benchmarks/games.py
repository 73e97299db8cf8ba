"""Games a second, of random play and of a trained network 198-40-6 against itself, each as its users write it.

    python benchmarks/games.py

takes three minutes and prints two tables. A network is trained first, by `examples/td_gammon.py` with the 198 inputs of
TD-Gammon alone, for a minute or so; with `--network FILE`, one that this has saved is taken. All libraries play with
the same network, so their games have the same length on average. pgx has no boards after plays, and plays at random
only. `--quick` only shows that everything runs.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import needed
from gammonrules import OPENING_ROLLS, Dice, Position, batch

Progress = Iterator[tuple[int, int]]
"""Games finished and turns made, again and again."""
Network = Callable[[np.ndarray], np.ndarray]
"""From inputs, `(M, 198) float32`, to what the player on roll wins on average."""
EXAMPLE = Path(__file__).parent.parent / "examples" / "td_gammon.py"
ROUNDS, SECONDS, WARM_UP = 5, 2.0, 6.0
MANY, MANY_OF_PGX = 1000, 100
X = 0  # OpenSpiel's player who moves from 0 up to 23
UNITS = np.array([[n >= 1, n >= 2, n >= 3, max(n - 3, 0) / 2] for n in range(16)], np.float32)


def trained(games: int) -> Network:
    """A network that has learned from so many games."""
    td_gammon = example()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "network.bin"
        options = ["--games", str(games), "--hidden", "40", "--pairs", "2", "--out", str(path)]
        td_gammon.train(td_gammon.read_options(options))
        return read(path)


def example() -> Any:
    """The example that trains, with the 198 inputs of TD-Gammon."""
    sys.path.append(str(EXAMPLE.parent))
    import td_gammon  # noqa: PLC0415

    td_gammon.inputs = batch.features
    return td_gammon


def read(path: Path) -> Network:
    first, biases, last, bias = example().read(path).weights

    def network(inputs: np.ndarray) -> np.ndarray:
        powers = np.exp(np.maximum(inputs @ first + biases, 0) @ last + bias)
        return powers @ np.float32([3, 2, 1, -1, -2, -3]) / powers.sum(axis=1)

    return network


# --- gammonrules ----------------------------------------------------------------------------------------------------


def one_at_a_time(choose: Callable[[Any], Position]) -> Progress:
    """Games on positions; `choose` takes the plays and returns the position after one of them."""
    rng = random.Random(1)
    while True:
        position, dice, turns = Position.start(), rng.choice(OPENING_ROLLS), 0
        while position.outcome is None:
            position = choose(position.legal_plays(dice))
            dice, turns = Dice.random(rng), turns + 1
        yield 1, turns


def random_games() -> Progress:
    rng = random.Random(2)
    return one_at_a_time(lambda plays: rng.choice(plays).position)


def network_games(network: Network) -> Progress:
    def choose(plays: Any) -> Position:
        boards = batch.from_positions([play.position for play in plays])
        return plays[int(np.argmin(theirs(network, boards)))].position

    return one_at_a_time(choose)


def theirs(network: Network, boards: np.ndarray) -> np.ndarray:
    """What these boards, after plays, are worth for the opponent."""
    ended = batch.outcomes(boards)
    return np.where(ended, ended, network(batch.features(boards)))


def many_random_games() -> Progress:
    for seed in range(10**6):
        games = batch.random_games(MANY, rng=np.random.default_rng(seed))
        yield MANY, len(games.points)


def many_network_games(network: Network) -> Progress:
    def choose(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
        return turns.best(-theirs(network, turns.points))

    for seed in range(10**6):
        games = batch.play_games(MANY, choose, rng=np.random.default_rng(seed))
        yield MANY, len(games.points)


# --- gnubg_nn -------------------------------------------------------------------------------------------------------

GnubgBoard = tuple[tuple[int, ...], tuple[int, ...]]
GNUBG_START = (tuple({6: 5, 8: 3, 13: 5, 24: 2}.get(at, 0) for at in range(1, 26)),) * 2


def gnubg(choose: Callable[[list[str]], GnubgBoard]) -> Progress:
    """Games on gnubg_nn's boards: the opponent's checkers and the mover's, each in its own numbering."""
    import gnubg_nn  # noqa: PLC0415

    rng = random.Random(1)
    while True:
        board, dice, turns = GNUBG_START, tuple(rng.choice(OPENING_ROLLS)), 0
        while all(map(sum, board)):
            keys = gnubg_nn.moves(board, *dice)
            waiting, moved = choose(keys) if keys else board
            board, turns = (moved, waiting), turns + 1
            dice = (rng.randint(1, 6), rng.randint(1, 6))
        yield 1, turns


def gnubg_random() -> Progress:
    import gnubg_nn  # noqa: PLC0415

    rng = random.Random(2)
    return gnubg(lambda keys: gnubg_nn.board_from_position_key(rng.choice(keys)))


def gnubg_network(network: Network) -> Progress:
    import gnubg_nn  # noqa: PLC0415

    def choose(keys: list[str]) -> GnubgBoard:
        boards = [gnubg_nn.board_from_position_key(key) for key in keys]
        counts = np.array(boards)  # the opponent, who is on roll next, and the mover
        values = network(inputs(counts[:, 0, :24], counts[:, 1, 23::-1], counts[:, 0, 24], counts[:, 1, 24]))
        values[counts[:, 1].sum(axis=1) == 0] = -3  # the mover has won
        return boards[int(np.argmin(values))]

    return gnubg(choose)


def inputs(mine: np.ndarray, other: np.ndarray, my_bar: np.ndarray, other_bar: np.ndarray) -> np.ndarray:
    """The 198 inputs from counts on points as the player on roll numbers them, and on the bars."""
    values = np.zeros((len(mine), 198), np.float32)
    values[:, :96], values[:, 96:192] = UNITS[mine].reshape(-1, 96), UNITS[other].reshape(-1, 96)
    values[:, 192], values[:, 193] = my_bar / 2, other_bar / 2
    values[:, 194] = (15 - mine.sum(axis=1) - my_bar) / 15
    values[:, 195] = (15 - other.sum(axis=1) - other_bar) / 15
    values[:, 196] = 1
    return values


# --- OpenSpiel ------------------------------------------------------------------------------------------------------


def open_spiel(choose: Callable[[Any], int]) -> Progress:
    """Games on OpenSpiel's states, where a doublet is played in two halves."""
    import pyspiel  # noqa: PLC0415

    game, rng = pyspiel.load_game("backgammon"), random.Random(1)
    while True:
        state, turns = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                turns += 1
            else:
                state.apply_action(choose(state))
        yield 1, turns


def open_spiel_random() -> Progress:
    rng = random.Random(2)
    return open_spiel(lambda state: rng.choice(state.legal_actions()))


def open_spiel_network(network: Network) -> Progress:
    def choose(state: Any) -> int:
        waiting, actions = 1 - state.current_player(), state.legal_actions()
        children = [state.child(action) for action in actions]
        tensors = np.array([child.observation_tensor(waiting) for child in children], np.float32)
        units = tensors[:, :192].reshape(-1, 2, 24, 4)
        counts = (units @ np.float32([1, 2, 3, 1]) + 3 * (units[..., 3] > 0)).astype(int)
        if waiting == X:
            counts = counts[..., ::-1]
        bars = tensors[:, [192, 195]].astype(int)
        values = network(inputs(counts[:, 0], counts[:, 1], bars[:, 0], bars[:, 1]))
        values[[child.is_terminal() for child in children]] = -3
        return actions[int(np.argmin(values))]

    return open_spiel(choose)


# --- pgx ------------------------------------------------------------------------------------------------------------


def pgx_random() -> Progress:
    import jax  # noqa: PLC0415
    import pgx  # noqa: PLC0415
    from pgx.experimental import auto_reset  # noqa: PLC0415

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def random_step(states: Any, key: Any) -> tuple[Any, Any, Any]:
        key, of_actions, of_dice = jax.random.split(key, 3)
        actions = jax.random.categorical(of_actions, jax.numpy.log(states.legal_action_mask.astype("float32")), axis=1)
        after = step(states, actions, jax.random.split(of_dice, MANY_OF_PGX))
        return after, key, ((after._turn != states._turn) | after.terminated).sum()

    key = jax.random.PRNGKey(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, MANY_OF_PGX))
    while True:
        states, key, turns = random_step(states, key)
        yield int(states.terminated.sum()), int(turns)


# --- the table ------------------------------------------------------------------------------------------------------

RANDOM: dict[str, Callable[[], Progress]] = {
    f"gammonrules, {MANY:,} at once": many_random_games,
    "gammonrules, one at a time": random_games,
    "gnubg_nn": gnubg_random,
    "OpenSpiel": open_spiel_random,
    f"pgx, {MANY_OF_PGX} at once": pgx_random,
}
WITH_NETWORK: dict[str, Callable[[Network], Progress]] = {
    f"gammonrules, {MANY:,} at once": many_network_games,
    "gammonrules, one at a time": network_games,
    "gnubg_nn": gnubg_network,
    "OpenSpiel": open_spiel_network,
}


def rate(progress: Progress, seconds: float) -> tuple[float, float]:
    """Games a second, and turns of a game."""
    games = turns = 0
    start = time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        ended, made = next(progress)
        games, turns = games + ended, turns + made
    return games / passed, turns / max(games, 1)


def table(title: str, running: dict[str, Progress], *, quick: bool) -> str:
    """Each contender in turn, several times: medians, and the ratios of rates that were measured together."""
    rounds, seconds, warm_up = (1, 0.1, 0.1) if quick else (ROUNDS, SECONDS, WARM_UP)
    for name, progress in running.items():
        next(progress)  # compiles
        rate(progress, warm_up if "pgx" in name else 0)  # until games of all ages are under way
    measured = [{name: rate(progress, seconds) for name, progress in running.items()} for _ in range(rounds)]
    lines = [f"| {title} | games a second | turns of a game | games, gnubg_nn's = 1 |", "|---|---|---|---|"]
    for name in running:
        games, turns = (median(of_round[name][at] for of_round in measured) for at in (0, 1))
        ratio = median(of_round[name][0] / max(of_round["gnubg_nn"][0], 1e-9) for of_round in measured)
        lines.append(f"| {name} | {games:,.1f} | {turns:.0f} | {ratio:,.2f} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only whether everything runs")
    parser.add_argument(
        "--network", type=Path, metavar="FILE", help="what examples/td_gammon.py has saved, with 198 inputs"
    )
    args = parser.parse_args()
    needed.check_installed(["gnubg_nn", "pyspiel", "jax", "pgx"])
    network = read(args.network) if args.network else trained(200 if args.quick else 10_000)
    print(table("random play", {name: start() for name, start in RANDOM.items()}, quick=args.quick), end="\n\n")
    print(table("a network", {name: start(network) for name, start in WITH_NETWORK.items()}, quick=args.quick))


if __name__ == "__main__":
    main()
