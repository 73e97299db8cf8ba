"""A network that teaches itself backgammon, as TD-Gammon did: by playing against itself.

    python -m pip install ".[arena]"
    python examples/td_gammon.py --out td_gammon.npz --curve curve.svg

It starts knowing the rules and nothing else. A lesson is 200 games of the network against itself, then one pass over
their turns, in which each board is taught its λ-return: a mixture of what the network said of the later boards of the
game and of how the game ended. At the end it plays against the players of `examples/players.py`.

The network is saved as it learns. A run that is stopped with Ctrl-C and started again with the same options goes on,
and ends with the same weights as one that was never stopped. They do not depend on the number of threads either, since
every game has its own dice.

A saved network can be used elsewhere: `choose = player(load("td_gammon.npz"))` is a function for `batch.play_games`,
and can be pickled for other processes. The import needs the folder of this file on `sys.path`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO
from zipfile import BadZipFile

if __name__ == "__main__":  # NumPy reads it when it is imported, and it is not for those who import this file
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the matrices are small: let each thread play games instead

try:
    import numpy as np
    from players import NO_CUBE, Player, Pubeval, anything, careful, heuristic

    from gammonrules import arena, batch
except ImportError as error:
    sys.exit(f'This program needs the extra "arena" ({error}): python -m pip install ".[arena]"')

LESSON, CHUNK = 200, 100  # games of a lesson, and of a task of one thread
BATCH = 64  # boards of one step down the gradient
EXAMS = 20  # how often a run is measured

# The network --------------------------------------------------------------------------------------------------------


class Network:
    """198 inputs, one hidden layer, one output: the points that the side on roll wins on average."""

    def __init__(self, hidden: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        first = rng.normal(0, 0.25, (198, hidden)).astype(np.float32)
        last = rng.normal(0, 0.1 / hidden**0.5, hidden).astype(np.float32)
        zeros = np.zeros(hidden, np.float32), np.zeros(1, np.float32)
        self.weights = [first, zeros[0], last, zeros[1]]
        self.means = [np.zeros_like(weights) for weights in self.weights]  # of the gradients, for Adam
        self.squares = [np.zeros_like(weights) for weights in self.weights]
        self.steps = np.zeros((), np.float32)

    def __call__(self, inputs: np.ndarray) -> np.ndarray:
        return self.hidden(inputs) @ self.weights[2] + self.weights[3]

    def hidden(self, inputs: np.ndarray) -> np.ndarray:
        sums = inputs @ self.weights[0]
        sums += self.weights[1]
        return np.maximum(sums, 0, out=sums)

    def learn(self, inputs: np.ndarray, targets: np.ndarray, rate: float) -> float:
        """One step of Adam towards the targets; the mean squared error before it."""
        hidden = self.hidden(inputs)
        errors = hidden @ self.weights[2] + self.weights[3] - targets
        slopes = errors * np.float32(2 / len(errors))
        back = np.outer(slopes, self.weights[2]) * (hidden > 0)
        self.adam([inputs.T @ back, back.sum(axis=0), hidden.T @ slopes, slopes.sum(keepdims=True)], rate)
        return float(errors @ errors) / len(errors)

    def adam(self, gradients: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        rate = rate / (1 - 0.9 ** float(self.steps))
        unbiased = np.float32((1 - 0.999 ** float(self.steps)) ** 0.5)
        for weights, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean[...] += np.float32(0.1) * (gradient - mean)
            square[...] += np.float32(0.001) * (gradient * gradient - square)
            weights[...] -= np.float32(rate) * mean / (np.sqrt(square) / unbiased + np.float32(1e-8))

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything that it has learned, by name."""
        groups = {"weights": self.weights, "means": self.means, "squares": self.squares}
        named = {f"{name}_{place}": array for name, group in groups.items() for place, array in enumerate(group)}
        return {**named, "steps": self.steps}

    def restore(self, saved: dict[str, np.ndarray]) -> None:
        for name, array in self.arrays().items():
            if saved[name].shape != array.shape or not np.isfinite(saved[name]).all():
                raise ValueError(f"{name} must be {array.shape} numbers")
            array[...] = saved[name]


class TorchNetwork(Network):
    """The same network with PyTorch's gradients and PyTorch's Adam, which work on the same arrays."""

    def __init__(self, hidden: int, seed: int) -> None:
        import torch  # noqa: PLC0415  it need not be there

        super().__init__(hidden, seed)
        torch.set_num_threads(1)
        self.torch = torch
        self.tensors = [torch.from_numpy(weights).requires_grad_() for weights in self.weights]
        self.optimizer = torch.optim.Adam(self.tensors)
        for tensor, *moments in zip(self.tensors, self.means, self.squares, strict=True):
            mean, square = map(torch.from_numpy, moments)
            self.optimizer.state[tensor] = {"step": torch.zeros(()), "exp_avg": mean, "exp_avg_sq": square}

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy needs tensors that share its own arrays."""
        return restored, (TorchNetwork, len(self.weights[2]), self.arrays())

    def learn(self, inputs: np.ndarray, targets: np.ndarray, rate: float) -> float:
        first, biases, last, bias = self.tensors
        values = (self.torch.from_numpy(inputs) @ first + biases).relu() @ last + bias
        loss = self.torch.nn.functional.mse_loss(values, self.torch.from_numpy(targets))
        self.optimizer.zero_grad()
        loss.backward()
        for state in self.optimizer.state.values():
            state["step"].fill_(float(self.steps))
        self.optimizer.param_groups[0]["lr"] = rate
        self.optimizer.step()
        self.steps += 1
        return loss.item()


def restored(kind: type[Network], hidden: int, saved: dict[str, np.ndarray]) -> Network:
    network = kind(hidden, 0)
    network.restore(saved)
    return network


def player(network: Network) -> Player:
    """A function for `batch.play_games`, which can be pickled."""
    return partial(worst_for_the_opponent, network)


def worst_for_the_opponent(network: Network, turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """What a board is worth after the last play, nobody has to guess."""
    theirs = network(batch.features(turns.points))
    ended = batch.outcomes(turns.points)
    return turns.best(-np.where(ended, ended, theirs))


def measured(network: Network, opponent: Player, pairs: int) -> arena.Interval:
    """The points a game that the network wins, without a cube."""
    players = {"network": arena.Policy(player(network)), "opponent": arena.Policy(opponent)}
    return arena.play(players, games=2 * pairs, rules=NO_CUBE, jobs=1).pairings[0].interval


# Lessons ------------------------------------------------------------------------------------------------------------


def study(network: Network, options: argparse.Namespace, lesson: int, pool: ThreadPoolExecutor) -> float:
    """Play the games of a lesson and learn from them; the mean squared error."""
    chunks = pool.map(lambda first: played(network, options, lesson, first), range(0, LESSON, CHUNK))
    inputs, targets = map(np.concatenate, zip(*chunks, strict=True))
    order = np.random.default_rng((options.seed, 1, lesson)).permutation(len(inputs))
    batches = np.array_split(order, -(-len(order) // BATCH))
    rate = options.rate * (1 - 0.95 * lesson / lessons(options))
    return float(np.mean([network.learn(inputs[rows], targets[rows], rate) for rows in batches]))


def played(network: Network, options: argparse.Namespace, lesson: int, first: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets of all turns of some games of a lesson."""
    rng = np.random.default_rng((options.seed, 0, lesson))  # the dice of a game depend on this and on its number
    games = batch.play_games(CHUNK, rng, player(network), first=first)
    inputs = batch.features(games.points)
    return inputs, games.lambda_returns(network(inputs), options.lam).astype(np.float32)


def lessons(options: argparse.Namespace) -> int:
    return -(-options.games // LESSON)


# The run ------------------------------------------------------------------------------------------------------------


class Run:
    """A network, how many lessons it has had, and its curve: a row for each time that it was measured."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.settings = {name: getattr(options, name) for name in ("games", "seed", "hidden", "lam", "rate")}
        self.network = (TorchNetwork if options.torch else Network)(options.hidden, options.seed)
        self.lesson, self.seconds = 0, 0.0
        self.curve = np.zeros((0, 5))  # games, seconds, squared error, margin, error of the margin

    def take_up(self) -> None:
        """Go on from the file, if there is one."""
        if not self.options.out.exists():
            return
        with readable(self.options.out) as saved:
            if saved["settings"] != self.settings:
                sys.exit(f"{self.options.out} is of another run: {json.dumps(saved['settings'])[:200]}")
            self.network.restore(saved)
            self.lesson, self.seconds = int(saved["lesson"]), float(saved["seconds"])
            self.curve = saved["curve"].reshape(-1, 5)

    def save(self) -> None:
        """Write the whole file: one with this name is complete, even if the machine stops now."""
        state = {"lesson": self.lesson, "seconds": self.seconds, "curve": self.curve, **self.network.arrays()}
        with whole(self.options.out) as file:
            np.savez(file, settings=json.dumps(self.settings), **state)

    def go_on(self) -> None:
        """The lessons that are missing, as far as the time allows."""
        begun = time.perf_counter() - self.seconds
        with ThreadPoolExecutor(self.options.threads) as pool:
            while self.lesson < lessons(self.options) and self.seconds < 60 * self.options.minutes:
                error = study(self.network, self.options, self.lesson, pool)
                self.lesson, self.seconds = self.lesson + 1, time.perf_counter() - begun
                if self.lesson in self.exams():
                    self.measure(error)
                if self.lesson in self.exams() or self.lesson % 25 == 0:
                    self.save()
        self.save()

    def exams(self) -> set[int]:
        """After which lessons the network is measured: more often in the beginning."""
        return {-(-lessons(self.options) * exam**2 // EXAMS**2) for exam in range(1, EXAMS + 1)}

    def measure(self, error: float) -> None:
        points = measured(self.network, heuristic, max(2, self.options.pairs // 10))
        self.curve = np.vstack([self.curve, [self.lesson * LESSON, self.seconds, error, points.mean, points.margin]])
        result = f"{self.lesson * LESSON:,} games, {self.seconds:.0f} s: {points} points a game against the heuristic"
        print(result, file=sys.stderr, flush=True)


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that gets its name when it is complete."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("wb") as file:
            yield file
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@contextmanager
def readable(path: Path) -> Iterator[dict[str, Any]]:
    """What a run saved; one sentence if it is something else."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            saved = dict(arrays)
        yield {**saved, "settings": json.loads(str(saved["settings"]))}
    except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
        sys.exit(f"{path} is not a network that this program saved: {error}"[:300])


def load(path: Path | str) -> Network:
    """A saved network."""
    with readable(Path(path)) as saved:
        return restored(Network, int(saved["settings"]["hidden"]), saved)


def draw(curve: np.ndarray, path: Path) -> None:
    """The margin over the games, with its intervals."""
    from matplotlib.figure import Figure  # noqa: PLC0415  it need not be there

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.errorbar(curve[:, 0], curve[:, 3], curve[:, 4], marker="o", capsize=3)
    axes.axhline(0, color="gray", linewidth=1)
    axes.set(xlabel="games", ylabel="points a game against the heuristic")
    with whole(path) as file:
        figure.savefig(file, format=path.suffix[1:])


# The command --------------------------------------------------------------------------------------------------------


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200_000, help="of the network against itself (200,000)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time; take it up later")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hidden", type=int, default=40, help="units of the hidden layer (40)")
    parser.add_argument("--lam", type=float, default=0.7, help="λ of the λ-returns, from 0 to 1 (0.7)")
    parser.add_argument("--rate", type=float, default=0.003, help="of learning at the beginning; it falls (0.003)")
    parser.add_argument("--out", type=Path, default=Path("td_gammon.npz"), help="the file of the network")
    parser.add_argument("--curve", type=Path, metavar="FILE", help=".png or .svg; needs matplotlib")
    parser.add_argument("--pairs", type=int, default=5_000, help="pairs of games with each opponent at the end (5,000)")
    parser.add_argument("--pubeval", type=Path, metavar="FOLDER", help="play it as well: WT.race and WT.cntc")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1), help="at most 2 are of use")
    parser.add_argument("--torch", action="store_true", help="learn with PyTorch")
    parser.add_argument("--quick", action="store_true", help="a small run of some seconds, to see that it works")
    options = parser.parse_args(arguments)
    if options.quick:
        options.games, options.pairs = min(options.games, 2_000), min(options.pairs, 100)
    if wrong := next((sentence for sentence, right in demands(options) if not right), None):
        parser.error(wrong)
    return options


def demands(options: argparse.Namespace) -> list[tuple[str, bool]]:
    """What the options must be, and whether they are."""
    files = [path for path in (options.out, options.curve) if path]
    drawable = options.curve is None or options.curve.suffix in {".png", ".svg"}
    return [
        ("--games is a number from 1 to 100,000,000", 1 <= options.games <= 100_000_000),
        ("--minutes is a number above 0", options.minutes > 0),
        ("--seed is a number from 0", options.seed >= 0),
        ("--hidden is a number from 1 to 10,000", 1 <= options.hidden <= 10_000),
        ("--lam is a number from 0 to 1", 0 <= options.lam <= 1),
        ("--rate is a number above 0, at most 1", 0 < options.rate <= 1),
        ("--pairs is a number from 2 to 1,000,000", 2 <= options.pairs <= 1_000_000),
        ("--threads is a number from 1 to 64", 1 <= options.threads <= 64),
        ("--curve is a file .png or .svg", drawable),
        ("--out and --curve are in folders that exist", all(path.parent.is_dir() for path in files)),
        ("--curve needs matplotlib, which is not installed", not options.curve or find_spec("matplotlib") is not None),
        ("--torch needs PyTorch, which is not installed", not options.torch or find_spec("torch") is not None),
    ]


def main() -> None:
    options = read_options()
    opponents = {"anything": anything, "careful": careful, "the heuristic of bot.py": heuristic}
    if options.pubeval:
        opponents["pubeval"] = Pubeval(options.pubeval)
    run = Run(options)
    try:
        run.take_up()
        run.go_on()
        if options.curve:
            draw(run.curve, options.curve)
        print(f"{run.lesson * LESSON:,} games in {run.seconds / 60:.1f} minutes; points a game against")
        for name, opponent in opponents.items():
            print(f"  {name}: {measured(run.network, opponent, options.pairs)}")
    except KeyboardInterrupt:
        sys.exit("stopped; the same command goes on")
    except OSError as error:
        sys.exit(f"stopped: {error}")


if __name__ == "__main__":
    main()
