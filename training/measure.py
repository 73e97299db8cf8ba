"""Measures checkpoints of the training, one line for each.

    python training/measure.py                       the checkpoints of training/run
    python training/measure.py FILE... --rolls 1     these, looking one roll ahead
    python training/measure.py FILE --games 10000    games against gnubg-nn (pip install gnubg-nn)

Losses are in thousandths of a point. Never choose weights by the benchmark: publish.py compares held-out groups.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import numpy as np
from attrs import frozen

from gammonrules import MatchState, Player, Position, Rules, arena, batch, equity
from networks import ENDS, POINTS, Floats, Networks

HERE: Final = Path(__file__).resolve().parent
EFFICIENCY: Final = 0.68
RECORD: Final = np.dtype([("points", "26i1"), ("kind", "u1"), ("role", "u1"), ("target", "<f4", ENDS)])
BEFORE_ROLL: Final = 5
FIRST_OF_GROUP: Final = 6
LAST_ROLLS: Final = 5_000


@frozen
class Held:
    """The mean losses of a network on held-out groups, in points, with standard errors.

    Attributes:
        play: the loss in a play.
        cube: the loss in a cube action for money.
    """

    play: float
    play_error: float
    cube: float
    cube_error: float

    def __str__(self) -> str:
        return (
            f"held-out plays {1000 * self.play:.2f} ± {1000 * self.play_error:.2f}, "
            f"cubes {1000 * self.cube:.2f} ± {1000 * self.cube_error:.2f}"
        )


def read_groups(folder: Path) -> np.ndarray:
    """Return the records of held-out groups, of the last stage 'groups' that is finished; none before."""
    finished = sorted(folder.glob("*-groups.json"))
    return np.fromfile(finished[-1].with_suffix(".records"), RECORD) if finished else np.zeros(0, RECORD)


def play_losses(records: np.ndarray, chances: Floats) -> np.ndarray:
    """Return what the choice of each group loses. Boards are seen by the opponent, so the least points are best."""
    of_plays = records["role"] >= FIRST_OF_GROUP
    starts = np.flatnonzero(records["role"][of_plays] == FIRST_OF_GROUP)
    right = (records["target"] @ POINTS)[of_plays]
    found = (chances @ POINTS)[of_plays]
    groups = zip(np.split(found, starts[1:]), np.split(right, starts[1:]), strict=True)
    return np.array([targets[points.argmin()] - targets.min() for points, targets in groups])


def five_of(ends: Floats) -> Floats:
    """Return the five nested chances of six ends, which the equities of the library take."""
    ends = ends.clip(0) / ends.clip(0).sum(axis=1, keepdims=True)
    won, lost = np.cumsum(ends[:, :3], axis=1)[:, ::-1], np.cumsum(ends[:, :2:-1], axis=1)[:, 1::-1]
    return np.concatenate([won, lost], axis=1).clip(0, 1)


def cube_losses(records: np.ndarray, chances: Floats) -> np.ndarray:
    """Return what each cube action for money loses, by Janowski's formula with the chances of the targets."""
    rows = records["role"] == BEFORE_ROLL
    right, found = five_of(records["target"][rows]), five_of(chances[rows])
    state = MatchState(Position.start(), Player.WHITE)
    centered = batch.MatchStates.from_states([state] * len(right))
    taken = batch.MatchStates.from_states([state.double().take()] * len(right))
    undoubled = equity.equities(centered, right, EFFICIENCY)
    after_take = 2 * equity.equities(taken, right, EFFICIENCY)
    doubled = np.minimum(after_take, 1)
    double_point, cash_point = equity.doubling_windows(centered, found, EFFICIENCY).T
    too_good = (found[:, 0] > cash_point) & (equity.equities(centered, found, EFFICIENCY) > 1)
    doubles = (found[:, 0] > double_point) & ~too_good
    of_double = np.maximum(undoubled, doubled) - np.where(doubles, doubled, undoubled)
    of_take = np.where(found[:, 0] > cash_point, 1, after_take) - doubled
    return of_double + np.where(undoubled > 0.2, of_take, 0)  # nobody thinks about a take of a double far too early


def measure_held(networks: Networks, records: np.ndarray) -> Held:
    """Return what the networks in use lose on held-out groups."""
    chances = networks.judge(records["points"])
    plays, cubes = play_losses(records, chances), cube_losses(records, chances)
    return Held(plays.mean(), plays.std() / np.sqrt(len(plays)), cubes.mean(), cubes.std() / np.sqrt(len(cubes)))


def draw_last_rolls() -> np.ndarray:
    """Return boards with up to six checkers of each side at home, always the same ones."""
    random = np.random.default_rng(112)
    boards = np.zeros((LAST_ROLLS, 26), np.int8)
    for board in boards:
        for side in (1, -1):
            points = random.integers(1, 7, random.integers(1, 7))
            np.add.at(board, points if side > 0 else 25 - points, side)
    return boards


def policy_of(networks: Networks, rolls: int) -> arena.Policy:
    """Return a player that looks so many rolls ahead, at the eight best plays within 0.2 points."""

    def choose(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
        scores = -(networks.judge(turns.points) @ POINTS).astype(np.float64)
        if rolls:
            rows = turns.top(scores, 8, 0.2)
            deep = np.full(len(scores), -9.0)
            deep[rows] = -(networks.judge(turns.points[rows], rolls) @ POINTS)
            scores = deep
        return turns.best(scores)

    return arena.Policy(choose)


def processor_hours(path: Path) -> float | None:
    """Return the hours of processors that a checkpoint took, from the manifest next to it."""
    manifest = path.parent / "manifest.json"
    stage = path.name.split("-")[0]
    if not manifest.exists() or not stage.isdigit():
        return None
    finished = json.loads(manifest.read_text(encoding="utf-8"))["finished"]
    return next((entry["processor_hours"] for entry in finished if entry["stage"] == int(stage)), None)


def measure(networks: Networks, path: Path, records: np.ndarray, rolls: int) -> str:
    """Return the line of a checkpoint."""
    networks.use(path, keep=0)
    last_rolls = draw_last_rolls()
    errors = np.abs(networks.judge_alone(last_rolls)[:, :3].sum(axis=1) - networks.judge(last_rolls)[:, :3].sum(axis=1))
    results = arena.bench(policy_of(networks, rolls), name=path.stem, full=True)
    hours = processor_hours(path)
    parts = [
        f"{path.stem}: " + (f"{hours:.3f} processor hours" if hours is not None else "hours unknown"),
        f"plays of the benchmark{f', looking {rolls} ahead,' if rolls else ''} {results.plays}",
        f"its races {results.number('plays', 'race')}",
        f"last rolls without the table off by {errors.mean():.4f} on average, {errors.max():.3f} at most",
    ]
    if len(records):
        parts.append(str(measure_held(networks, records)))
    return "; ".join(parts)


def play_gnubg_nn(networks: Networks, path: Path, games: int, rolls: int) -> str:
    """Return the points a game against the networks of GNU Backgammon, without a cube."""
    sys.path.append(str(HERE.parent / "benchmarks"))
    try:
        import_module("gnubg_nn")
    except ImportError:
        sys.exit("--games needs the networks of GNU Backgammon: pip install gnubg-nn")
    choose = import_module("stronger_bot").gnubg_nn

    networks.use(path)
    players = {path.stem: policy_of(networks, rolls), "gnubg-nn": arena.Policy(choose)}
    return str(arena.play(players, games=games, rules=Rules(cube=False), seed=1, workers=1).pairings[0])


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "files", nargs="*", type=Path, help="files of weights (default: those after self-play or a fit)"
    )
    parser.add_argument(
        "--folder", type=Path, default=HERE / "run", help="the folder of the run (default: training/run)"
    )
    parser.add_argument("--rolls", type=int, choices=(0, 1, 2), default=0, help="rolls to look ahead (default: 0)")
    parser.add_argument("--games", type=int, default=0, help="games against gnubg-nn instead")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    if not folder.is_dir():
        parser.error(f"there is no folder {folder}; run training/train.py first")
    checkpoints = sorted([*folder.glob("*-td.weights"), *folder.glob("*-fit.weights")])
    if not (arguments.files or checkpoints):
        parser.error(f"{folder} has no finished stage yet; measure {folder / 'state.bin'}, or wait for the first stage")
    for path in arguments.files:
        if not path.is_file():
            known = ", ".join(str(checkpoint) for checkpoint in checkpoints)
            parser.error(f"there is no file {path}; the checkpoints are: {known or 'none yet'}")
    networks = Networks(folder)
    records = read_groups(folder)
    for path in arguments.files or checkpoints:
        try:
            if arguments.games:
                print(play_gnubg_nn(networks, path, arguments.games, arguments.rolls), flush=True)
            else:
                print(measure(networks, path, records, arguments.rolls), flush=True)
        except (OSError, ValueError) as error:
            parser.error(str(error))


if __name__ == "__main__":
    main()
