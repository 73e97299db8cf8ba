"""Players for `gammonrules.batch`, and an arena that shows how much better one is than another.

`python examples/players.py` lets them play each other, and the network of `td_gammon.py`. It needs the extra `arena`.

A player is a function for `batch.play_games`, and with `arena.Policy` for `gammonrules.arena`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

try:
    import numpy as np

    from gammonrules import Rules, arena, batch
except ImportError as error:
    sys.exit(f'This program needs the extra "arena" ({error}): python -m pip install ".[arena]"')

from bot import MADE, risk

Player = Callable[[batch.Turns, np.random.Generator], np.ndarray]
NO_CUBE = Rules(cube=False)

# Players without a network ------------------------------------------------------------------------------------------


def anything(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """Every play is equally likely."""
    return turns.random_rows()


def careful(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """Hit, make points and leave few blots; ties are broken at random."""
    points = turns.points  # the opponent is on roll: the mover's checkers are negative
    score = 3.0 * points[:, 25] + (points <= -2).sum(axis=1) - (points == -1).sum(axis=1)
    return turns.best(score + turns.random() / 2)


def heuristic(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """The plays of `examples/bot.py`."""
    return turns.best(-lead(turns.points))


def lead(points: np.ndarray) -> np.ndarray:
    """`bot.lead` of many boards: how far the side on roll is ahead, in pips."""
    pips = batch.pip_counts(points)
    return pips[:, 1] - pips[:, 0] + shape(points) - shape(batch.flip(points))


def shape(points: np.ndarray) -> np.ndarray:
    """`bot.shape` of many boards: what the checkers of the side on roll are worth beyond their pips."""
    theirs = points < 0
    rearmost = np.where(theirs[:, :25].any(axis=1), theirs[:, :25].argmax(axis=1), 25)[:, np.newaxis]
    in_contact = (points > 0) & (rearmost < PLACES)
    on_the_points = (PLACES > 0) & (PLACES < 25)
    made = (points > 1) & on_the_points & (in_contact | (PLACES > 17))
    blots = (points == 1) & on_the_points & in_contact
    hit = 1 - np.exp(theirs.astype(np.float32) @ SAFE)
    worth = (made * (VALUES - np.maximum(0, points - 3)) - blots * hit * (31 - PLACES)).sum(axis=1)
    worth -= 3.0 * points[:, 25] * (points[:, 19:25] < -1).sum(axis=1)
    off = 15 - np.maximum(points, 0).sum(axis=1)
    return 2.0 * off + np.where(in_contact.any(axis=1), worth, 0)


def safety() -> np.ndarray:
    """The logarithm of the chance that a checker of the opponent on one point does not hit a blot on another."""
    logarithms = np.zeros((26, 26), np.float32)
    for theirs in range(25):
        alone = tuple(-1 if point == theirs else 0 for point in range(26))
        logarithms[theirs, 1:25] = [np.log(1 - risk(alone, blot)) for blot in range(1, 25)]
    return logarithms


PLACES = np.arange(26)
VALUES = np.array([MADE.get(point, 0.5) for point in range(26)])
SAFE = safety()


# Pubeval ------------------------------------------------------------------------------------------------------------


class Pubeval:
    """The linear player that Gerald Tesauro published as a yardstick, if you have its two files of weights.

    He gave it to the newsgroup rec.games.backgammon "as a public service to the backgammon programming community",
    without a license, so its weights are not here. They are 122 numbers in each of the files WT.race and WT.cntc.
    """

    def __init__(self, folder: Path) -> None:
        self.race = numbers(folder / "WT.race")
        self.contact = numbers(folder / "WT.cntc")

    def __call__(self, turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
        inputs = self.inputs(batch.flip(turns.points))
        in_contact = batch.board_features(turns.boards).contact[turns.board_numbers]
        score = np.where(in_contact, inputs @ self.contact, inputs @ self.race)
        return turns.best(np.where(batch.outcomes(turns.points) < 0, np.inf, score))

    @staticmethod
    def inputs(points: np.ndarray) -> np.ndarray:
        """Five for each point from 24 to 1, the opponent's bar, and the checkers borne off, as the mover sees them."""
        rows = points.astype(np.float64)
        n = rows[:, 24:0:-1]
        units = np.stack([n == -1, n == 1, n >= 2, n == 3, np.where(n > 3, (n - 3) / 2, 0)], axis=2)
        off = (15 - np.maximum(rows, 0).sum(axis=1)) / 15
        return np.column_stack([units.reshape(-1, 120), -rows[:, 0] / 2, off])


def numbers(path: Path) -> np.ndarray:
    """The 122 weights in a file."""
    try:
        weights = np.array(path.read_text(encoding="ascii").split(), np.float64)
    except (OSError, ValueError) as error:
        sys.exit(f"the weights of pubeval cannot be read: {path}: {error}"[:300])
    if weights.shape != (122,) or not np.isfinite(weights).all():
        sys.exit(f"{path} has {len(weights)} numbers; the weights of pubeval are 122 in each of its two files")
    return weights


# All against all ----------------------------------------------------------------------------------------------------


def main() -> None:
    from td_gammon import Bot  # noqa: PLC0415  it imports this file

    options = read_options()
    players = {"network": Bot.load().choose, "heuristic": heuristic, "careful": careful, "anything": anything}
    if options.pubeval:
        players = {"pubeval": Pubeval(options.pubeval), **players}
    policies = {name: arena.Policy(player) for name, player in players.items()}
    try:
        results = arena.play(policies, games=2 * options.pairs, rules=NO_CUBE, seed=1)
    except KeyboardInterrupt:
        sys.exit("stopped")
    for pairing in results.pairings:
        print(f"{pairing}; variance without duplicate dice: {pairing.variance_ratio:.2f} times")


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2_000, help="pairs of games of each two players (2,000)")
    parser.add_argument("--pubeval", type=Path, metavar="FOLDER", help="with WT.race and WT.cntc")
    options = parser.parse_args()
    if not 2 <= options.pairs <= 1_000_000:
        parser.error("--pairs is a number from 2 to 1,000,000")
    return options


if __name__ == "__main__":
    main()
