"""A network that teaches itself backgammon by playing against itself, and the bot that plays with it.

    python -m pip install ".[arena]"
    python examples/td_gammon.py --out td_gammon.bin

It starts knowing the rules, and no opinion of a person or an engine. A lesson is 500 games of the network against
itself, then passes over their turns, in which each board is taught its λ-return: a mixture of what the network said of
the game's later boards and of its end. It is saved as it learns.

It taught the network of the library, selftaught: what it had learned after 600,000 games, with no option but `--out`,
are the weights in `c/selftaught.bin`. The same options give the same weights with the same NumPy on the same kind of
machine. Another build of its OpenBLAS rounds otherwise, and games that begin to differ go on to differ: after 1,000
games 2,068 of the 28,326 weights did. So another run makes another network, which should be as strong within the
interval of `gammonrules bench --full`.

`Bot.load()` plays with the network of the library, `Bot.load(plies=1)` looks one roll ahead; its `choose` and `cube`
make an `arena.Policy`. The import needs the folder of this file on `sys.path`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from struct import Struct
from zlib import crc32

if __name__ == "__main__":  # NumPy reads it when it is imported, and it is not for those who import this file
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # the matrices are small: let each thread play games instead

try:
    import numpy as np

    from gammonrules import Action, Phase, arena, batch, bearoff, equity
except ImportError as error:
    sys.exit(f'This program needs the extra "arena" ({error}): python -m pip install ".[arena]"')

from players import NO_CUBE, Player, anything, careful, heuristic

SELFTAUGHT = Path(str(files("gammonrules").joinpath("c", "selftaught.bin")))
HEADER = Struct("<4sII")
CHECKSUM = Struct("<I")
START = HEADER.size + CHECKSUM.size  # of the weights in a file
OWN = 0  # the version of what this program saves; that of the library counts from 1
MAX_FILE_SIZE = 1 << 23  # bytes of a file, which may be a stranger's
ENDS = 6  # of a game: backgammon, gammon and single game won, and the same lost
AT_ONCE = 4096  # boards, so that their arrays stay in the cache of the processor
LESSON = 500  # games
CHUNK = 250  # games of a task of one thread
PASSES = 3  # over the turns of a lesson
BATCH = 256  # boards of one step down the gradient
MAX_TURNS = 250  # of a game in a lesson: at first it may go on for ever
EXAMS = 20  # how often a run is measured
KEEP = (8, 0.2)  # at how many plays the bot looks ahead, and how many points worse than the best they may seem
EFFICIENCY = 0.68  # of the cube

# What the network sees ------------------------------------------------------------------------------------------------

PLACES = np.arange(26)
BEHIND = PLACES[:, np.newaxis] - PLACES  # pips from the place of a row down to that of a column
SETS = np.where((BEHIND > 0) & (BEHIND <= 12), 2.0 ** (BEHIND - 1), 0).astype(np.float32)  # as bits
NAMED = ["longest_prime", "anchors", "home_points", "checkers_back", "blots_in_range"]


def of_rolls() -> tuple[np.ndarray, np.ndarray]:
    """For every set of distances up to 12, the share of the rolls by which checkers there hit if nothing is in the way,
    and of those by which a checker can move both dice if the points there are blocked."""
    at = [2 * np.arange(2**12) >> distance & 1 == 1 for distance in range(25)]
    rolls = [*product(range(1, 7), repeat=2)]
    hits = [at[a] | at[b] | at[a + b] | (a == b) & (at[3 * a] | at[4 * a]) for a, b in rolls]
    free = [~(at[a + b] | (at[a] & at[b])) for a, b in rolls]
    return np.mean(hits, axis=0).astype(np.float32), np.mean(free, axis=0).astype(np.float32)


HITS, ESCAPES = of_rolls()
SHARES = np.array([PLACES**0 / 15, np.maximum(PLACES - 6, 0) / 100, (PLACES > 18) / 10], np.float32)


def of_side(places: np.ndarray) -> list[np.ndarray]:
    """What a side is worth to know whose checkers are positive, of boards in columns, `(26, N)`."""
    mine = places.clip(0).astype(np.float32)
    blots = (places == 1) & (PLACES % 25 > 0)[:, np.newaxis]
    shots = (SETS @ (places < 0).astype(np.float32)).astype(np.intp) * blots
    free = ESCAPES.take((SETS @ (places <= -2).astype(np.float32)).astype(np.intp))
    rearmost = 25 - (places[::-1] > 0).argmax(axis=0)
    return [
        HITS.take(np.bitwise_or.reduce(shots, axis=0)),  # of a blot
        (1 - PLACES / 25).astype(np.float32) @ HITS.take(shots),  # and what they cost
        *SHARES @ (mine * free),
        free[rearmost, np.arange(places.shape[1])],
        free[13:].min(axis=0),  # how much is blocked
        free[7:13].min(axis=0),
        (PLACES / 100).astype(np.float32) @ mine,
        rearmost / 25,
    ]


def inputs(boards: np.ndarray) -> np.ndarray:
    """`(N, 229) float32`: the 198 of TD-Gammon, what people name on a board, shots and blockades, for both sides."""
    named = batch.board_features(boards)
    places = np.ascontiguousarray(boards.T)
    mine = [getattr(named, name) / 4 for name in NAMED]
    theirs = [getattr(named, f"opponent_{name}") / 4 for name in NAMED]
    columns = [*mine, *theirs, named.contact, *of_side(places), *of_side(-places[::-1])]
    return np.concatenate([batch.features(boards), np.array(columns, np.float32).T], axis=1)


# The network ----------------------------------------------------------------------------------------------------------

CHANCES = np.float32([[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0], [0] * 5, [0, 0, 0, 1, 0], [0, 0, 0, 1, 1]])
POINTS = np.float32([2, 1, 1, -1, -1])  # less 1, what chances are worth


def outcomes(chances: np.ndarray) -> np.ndarray:
    """The chances of each of the six outcomes: backgammon, gammon and single game won, and the same lost."""
    win, gammon, backgammon, lose_gammon, lose_backgammon = chances.T
    won = backgammon, gammon - backgammon, win - gammon
    return np.stack([*won, 1 - win - lose_gammon, lose_gammon - lose_backgammon, lose_backgammon], axis=1)


class Network:
    """One hidden layer, and the chances of the six outcomes, which add up to 1; so the five chances fit together."""

    def __init__(self, hidden: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        size = inputs(np.zeros((0, 26), np.int8)).shape[1]
        first = rng.normal(0, 0.15, (size, hidden))
        last = rng.normal(0, 0.15 / hidden**0.5, (hidden, ENDS))
        self.weights = [array.astype(np.float32) for array in (first, np.zeros(hidden), last, np.zeros(ENDS))]
        self.steps = 0
        self.means = [0 * weights for weights in self.weights]  # of the gradients, for Adam
        self.squares = [0 * weights for weights in self.weights]

    def __call__(self, boards: np.ndarray) -> np.ndarray:
        """The five chances of the player on roll, `(N, 5)`, as in `equity.Chances`."""
        starts = range(0, max(len(boards), 1), AT_ONCE)
        parts = [self.outputs(self.hidden(inputs(boards[start : start + AT_ONCE]))) for start in starts]
        return np.concatenate(parts) @ CHANCES

    def hidden(self, seen: np.ndarray) -> np.ndarray:
        return np.maximum(seen @ self.weights[0] + self.weights[1], 0)

    def outputs(self, hidden: np.ndarray) -> np.ndarray:
        sums = hidden @ self.weights[2] + self.weights[3]
        powers = np.exp(sums - sums.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    def learn(self, seen: np.ndarray, targets: np.ndarray, rate: float) -> float:
        """One step of Adam towards the targets, which are chances of the six outcomes; the cross-entropy before it."""
        hidden = self.hidden(seen)
        outputs = self.outputs(hidden)
        slopes = (outputs - targets) / np.float32(len(targets))
        back = slopes @ self.weights[2].T * (hidden > 0)
        self.adam([seen.T @ back, back.sum(axis=0), hidden.T @ slopes, slopes.sum(axis=0)], rate)
        return float(-(targets * np.log(outputs + 1e-9)).sum() / len(targets))

    def adam(self, gradients: list[np.ndarray], rate: float) -> None:
        self.steps += 1
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weights, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean[...] += np.float32(0.1) * (gradient - mean)
            square[...] += np.float32(0.001) * (gradient * gradient - square)
            weights[...] -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))


# The bot --------------------------------------------------------------------------------------------------------------


@cache
def tables() -> tuple[bearoff.TwoSided, bearoff.OneSided]:
    """Exact chances of up to six checkers a side, and nearly exact ones of all bear-offs without gammons."""
    return bearoff.two_sided(checkers=6), bearoff.one_sided(checkers=14)


def known(boards: np.ndarray) -> np.ndarray:
    """The five chances, `(N, 5)`, where both sides are bearing off and have borne off a checker; else NaN."""
    chances = np.full((len(boards), 5), np.nan)
    home = np.flatnonzero((boards[:, 7:].max(axis=1) <= 0) & (boards[:, :19].min(axis=1) >= 0))
    two_sided, one_sided = tables()
    wins = (two_sided.equities(boards[home])[:, 0] + 1) / 2
    wins = np.where(np.isnan(wins), one_sided.wins(boards[home]), wins)
    chances[home] = np.outer(wins, [1, 0, 0, 0, 0])
    return chances


class Bot:
    """Plays and doubles by a network and the tables, and looks so many rolls ahead at the plays that may be best."""

    def __init__(self, network: Network, plies: int = 0) -> None:
        self.network = network
        self.plies = plies

    @classmethod
    def load(cls, path: Path | str = SELFTAUGHT, plies: int = 0) -> Bot:
        """With a saved network; a program that cannot read it ends with one sentence."""
        try:
            return cls(read(Path(path)), plies)
        except (OSError, ValueError) as error:
            sys.exit(f"{path} is not a network that this program saved: {' '.join(str(error).split())}"[:300])

    def chances(self, boards: np.ndarray) -> np.ndarray:
        exact = known(boards)
        return np.where(np.isnan(exact), self.network(boards), exact)

    def choose(self, turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
        """The rows of the plays; what a board is worth after the last one, nobody has to guess."""
        ended = batch.outcomes(turns.points, checkers=turns.checkers)
        scores = -np.where(ended, ended, self.chances(turns.points) @ POINTS - 1)
        if self.plies:
            rows = turns.top(scores, *KEEP)
            scores = np.full(len(scores), -np.inf)
            settings = {"plies": self.plies, "keep": KEEP, "checkers": turns.checkers}
            scores[rows] = -batch.look_ahead(turns.points[rows], self.chances, **settings) @ POINTS
        return turns.best(scores)

    def cube(self, at: batch.MatchStates, _: np.random.Generator) -> np.ndarray:
        chances = batch.look_ahead(at.points, self.chances, plies=self.plies)  # of the player on roll: the doubler
        (double, cash) = equity.doubling_windows(at, chances, EFFICIENCY).T
        win = chances[:, 0]
        if at.phase[0] == Phase.DOUBLED:
            return np.where(win > cash, Action.DROP, Action.TAKE)
        not_too_good = equity.equities(at, chances, EFFICIENCY) <= 1
        return np.where(np.where(win > cash, not_too_good, win > double), Action.DOUBLE, Action.ROLL)


def measured(bot: Bot, opponent: Player, pairs: int) -> arena.Interval:
    """The points a game that the bot wins, without a cube."""
    players = {"bot": arena.Policy(bot.choose), "opponent": arena.Policy(opponent)}
    return arena.play(players, games=2 * pairs, rules=NO_CUBE, seed=1, workers=1).pairings[0].interval


# Lessons --------------------------------------------------------------------------------------------------------------


def study(network: Network, options: argparse.Namespace, lesson: int, pool: ThreadPoolExecutor) -> float:
    """Play the games of a lesson and learn from them; the mean cross-entropy."""
    parts = pool.map(lambda first: played(network, options, lesson, first), range(0, LESSON, CHUNK))
    seen, targets = map(np.concatenate, zip(*parts, strict=True))
    rng = np.random.default_rng((options.seed, 1, lesson))
    rate = options.rate * (1 - (lesson - 1) / options.lessons)
    number_of_batches = -(-len(seen) // BATCH)
    errors: list[float] = []
    for _ in range(PASSES):
        batches = np.array_split(rng.permutation(len(seen)), number_of_batches)
        errors += [network.learn(seen[rows], targets[rows], rate) for rows in batches]
    return float(np.mean(errors))


def played(network: Network, options: argparse.Namespace, lesson: int, first: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs and targets of all turns of some games of a lesson."""
    rng = np.random.default_rng((options.seed, 0, lesson))  # the dice of a game depend on this and on its number
    games = batch.play_games(CHUNK, Bot(network).choose, rng=rng, first=first, max_turns=MAX_TURNS, end=known)
    returns = games.lambda_returns(network(games.points), options.lam, final=network(games.final))
    return inputs(games.points), outcomes(returns).astype(np.float32)


def train(options: argparse.Namespace) -> Bot:
    """A bot whose network has had all lessons; it is measured and saved on the way, more often at first."""
    network = Network(options.hidden, options.seed)
    begun = time.perf_counter()
    exams = {-(-options.lessons * exam**2 // EXAMS**2) for exam in range(1, EXAMS + 1)}
    with ThreadPoolExecutor(options.threads) as pool:
        for lesson in range(1, options.lessons + 1):
            error = study(network, options, lesson, pool)
            if lesson in exams:
                save(network, options.out)
                points = measured(Bot(network), heuristic, max(2, options.pairs // 10))
                spent = f"{time.perf_counter() - begun:.0f} s ({time.process_time():.0f} s of processors)"
                result = f"{lesson * LESSON:,} games, {spent}: error {error:.4f}, {points} against the heuristic"
                print(result, file=sys.stderr, flush=True)
    return Bot.load(options.out)


# The file of a network ------------------------------------------------------------------------------------------------


def save(network: Network, path: Path) -> None:
    """The weights, in 16 bits. What was saved before stays until all are written."""
    numbers = b"".join(array.astype("<f2").tobytes() for array in network.weights)
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(header_of(numbers, OWN) + numbers)
    unfinished.replace(path)


def read(path: Path) -> Network:
    """The network that was saved there. Raises ValueError."""
    if path.stat().st_size > MAX_FILE_SIZE:
        raise ValueError("it is too large")
    content = path.read_bytes()
    header, checksum, numbers = content[: HEADER.size], content[HEADER.size : START], content[START:]
    if header + checksum != header_of(numbers, version=int.from_bytes(header[4:8], "little")):
        raise ValueError("its beginning or its checksum is wrong")
    weights = np.frombuffer(numbers, "<f2").astype(np.float32)
    network = Network(1, 0)
    size = len(network.weights[0])
    hidden, rest = divmod(len(weights) - ENDS, size + 1 + ENDS)
    if rest or hidden < 1 or not np.isfinite(weights).all():
        raise ValueError("its numbers are not those of a network")
    parts = np.split(weights, np.cumsum([size * hidden, hidden, hidden * ENDS]))
    shapes = (size, hidden), (hidden,), (hidden, ENDS), (ENDS,)
    network.weights = [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]
    return network


def header_of(numbers: bytes, version: int) -> bytes:
    """What stands before the weights in a file: "SELF", the version, how many they are, and a checksum of all this."""
    header = HEADER.pack(b"SELF", version, len(numbers) // 2)
    return header + CHECKSUM.pack(crc32(numbers, crc32(header)))


# The command ----------------------------------------------------------------------------------------------------------


NUMBERS = {  # the value unless another is asked for, the lowest, the highest, and what it is
    "games": (600_000, 1, 10**8, "of the network against itself"),
    "seed": (1, 0, 2**63, "of the first weights and of the dice"),
    "hidden": (120, 1, 10_000, "units of the hidden layer"),
    "lam": (0.7, 0, 1, "λ of the λ-returns"),
    "rate": (0.002, 1e-9, 1, "of learning at the beginning; it falls"),
    "pairs": (5_000, 2, 10**6, "of games with each opponent at the end"),
    "threads": (min(2, os.cpu_count() or 1), 1, 64, "at most 2 are of use"),
}


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, (default, _, _, meaning) in NUMBERS.items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{meaning} ({default:,})")
    parser.add_argument("--out", type=Path, default=Path("td_gammon.bin"), help="the file of the network")
    parser.add_argument("--quick", action="store_true", help="a small run of some seconds, to see that it works")
    options = parser.parse_args(arguments)
    for name, (_, low, high, _) in NUMBERS.items():
        if not low <= getattr(options, name) <= high:
            parser.error(f"--{name} is a number from {low:,} to {high:,}")
    if options.quick:
        options.games = min(options.games, 2_000)
        options.pairs = min(options.pairs, 100)
    options.lessons = -(-options.games // LESSON)
    return options


def main() -> None:
    options = read_options()
    try:
        bot = train(options)
        print(f"{options.games:,} games; points a game against")
        for opponent in (anything, careful, heuristic):
            print(f"  {opponent.__name__}: {measured(bot, opponent, options.pairs)}")
    except (KeyboardInterrupt, OSError) as error:
        sys.exit(f"stopped {error}".strip())


if __name__ == "__main__":
    main()
