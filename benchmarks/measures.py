"""One measure under pyperf: gammonrules and a peer, in the same run.

    python benchmarks/measures.py T1a

`run.py` runs them all. Each checks first that both libraries find the same.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import analyst
import peers
from gammonrules import KERNEL, ROLLS, MatchState, Position, batch, bearoff, equity, records
from gammonrules.board import notation, pure
from gammonrules.dice import DiceLike
from needed import MAKEBEAROFF

if TYPE_CHECKING:
    import pyperf

PURE = "GAMMONRULES_PURE_PYTHON"
SIZES = {"few": (10, 20, 100), "quick": (20, 500, 20), "full": (200, 5000, 5)}
"""Positions one by one, positions for arrays (each with 21 rolls), and of how many records one is taken.

Tests take few inputs, which tell only whether a measure runs.
"""
CACHES = {"_parse_word": notation._parse_word, "slots_of": pure.slots_of}
"""What the library remembers: the words of plays, and the slots of sets of points, above all without the kernel.

With `--caches` a measure tells how often its first call and its first two calls found something there, and no times.
T6, T10 and T11 forget before each call. T6 then knows 94% of the words, T11 98%: so do users, since records repeat
them, and large archives more. T4 knows 87% of the slots in its first call and all in the later ones, which are
measured. Who plays games without the kernel knows some 70%, and waits up to 1.25 times as long. T5 asks for none of
them, but its peer does as T4. The kind of a position is not remembered.
"""


def random_points(number: int) -> Any:
    """Boards of random games."""
    games = batch.random_games(2 + number // 40, rng=np.random.default_rng(2026))
    return spread(games.points, number)


def spread(points: Any, number: int) -> Any:
    """A sample of the boards, at equal distances, for measures that take boards one by one."""
    return points[np.linspace(0, len(points) - 1, number).astype(int)]


def with_all_rolls(points: Any) -> tuple[Any, Any]:
    """Each board with each of the 21 rolls."""
    rolls = np.array([tuple(dice) for dice in ROLLS], np.int8)
    return np.repeat(points, len(rolls), axis=0), np.tile(rolls, (len(points), 1))


def by_two_threads(function: Callable[..., Any], *arrays: Any) -> list[Any]:
    """What a function returns for each half of the arrays, as users divide them."""
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(function, *(np.array_split(array, 2) for array in arrays)))


def count_plays(positions: list[Position], rolls: Sequence[DiceLike] = ROLLS) -> int:
    return sum(len(position.legal_plays(dice)) for position in positions for dice in rolls)


def read_positions(positions: list[Position]) -> None:
    for position in positions:
        for dice in ROLLS:
            for play in position.legal_plays(dice):
                _ = play.position


def read_points(positions: list[Position]) -> None:
    for position in positions:
        for dice in ROLLS:
            for play in position.legal_plays(dice):
                _ = play.position.points


def call_each(function: Callable[[Any], Any], arguments: list[Any]) -> None:
    for argument in arguments:
        function(argument)


class Network:
    """198 inputs, 40 hidden units and one output; which play it likes best makes no difference here."""

    def __init__(self) -> None:
        rng = np.random.default_rng(198)
        self.hidden = rng.standard_normal((198, 40), np.float32) / 10
        self.output = rng.standard_normal((40, 1), np.float32)

    def __call__(self, inputs: Any) -> Any:
        return (np.tanh(inputs @ self.hidden) @ self.output)[:, 0]


class Evaluator:
    """A network with 212 inputs, 60 hidden units and five outputs: the chance of a win, and shares of wins and losses.

    It takes its rows in parts that stay in the cache of a processor, and notes how many.
    """

    AT_ONCE = 4096

    def __init__(self) -> None:
        rng = np.random.default_rng(212)
        self.weights = [rng.standard_normal(shape, np.float32) / 10 for shape in ((198, 60), (14, 60), (60, 5))]
        self.inputs = [np.zeros((self.AT_ONCE, width), np.float32) for width in (198, 14)]
        self.rows: list[int] = []

    def __call__(self, boards: Any) -> Any:
        parts = [boards[start : start + self.AT_ONCE] for start in range(0, len(boards), self.AT_ONCE)]
        return np.concatenate([self.of_part(part) for part in parts])

    def of_part(self, boards: Any) -> Any:
        self.rows.append(len(boards))
        known, others = (inputs[: len(boards)] for inputs in self.inputs)
        batch.features(boards, known)
        others[:, :6], others[:, 6:12], others[:, 12:] = boards[:, 1:7], boards[:, 19:25], batch.pip_counts(boards)
        return self.arithmetic(len(boards))

    def arithmetic(self, number: int) -> Any:
        known, others = (inputs[:number] for inputs in self.inputs)
        hidden = np.tanh(known @ self.weights[0] + others @ self.weights[1])
        win, gammons, backgammons, lost_gammons, lost_backgammons = (1 / (1 + np.exp(-hidden @ self.weights[2]))).T
        won, lost = win * gammons, (1 - win) * lost_gammons
        return np.stack([win, won, won * backgammons, lost, lost * lost_backgammons], axis=1)


def forget() -> None:
    """Empty these caches, which an archive that was not seen before does not find filled."""
    for cache in CACHES.values():
        cache.cache_clear()


def referee_files(paths: list[Path]) -> None:
    """Records one after the other, as if their words had never been seen."""
    forget()
    for path in paths:
        records.referee(records.load(path))


def read_and_referee(contents: Sequence[str | bytes]) -> None:
    """Records, as if their words had never been seen."""
    forget()
    for content in contents:
        records.referee(records.loads(content))


def processor_time(loops: int, program: str) -> float:
    """Seconds of processor time that interpreters take to run a program, including their own start."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(loops):
        subprocess.run([sys.executable, "-c", program], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Measures:
    """Each method whose name begins with T is one measure; its first benchmark is ours."""

    def __init__(self, runner: pyperf.Runner, size: str) -> None:
        self.runner = runner
        self.size = size
        self.single, self.many, self.every = SIZES[size]

    def bench(self, name: str, function: Callable[..., Any], *args: Any, loops: int) -> None:
        if not self.runner.args.caches:
            self.runner.bench_func(name, function, *args, inner_loops=loops)
            return
        forget()
        for calls in (1, 2):
            function(*args)
            print(f"{name}, {calls} calls:", *(f"{of} {cache.cache_info()}" for of, cache in CACHES.items()))

    def positions(self) -> list[Position]:
        return batch.to_positions(random_points(self.single))

    def T1a(self) -> None:
        """A call that counts the plays of a position with a roll, given as `Dice`."""
        self.count_plays(ROLLS)

    def T1b(self) -> None:
        """The same with a text, such as "31"."""
        self.count_plays([str(dice) for dice in ROLLS])

    def T1c(self) -> None:
        """The same with a tuple, such as (3, 1), as most users call it."""
        self.count_plays([(dice.high, dice.low) for dice in ROLLS])

    def count_plays(self, spelled: Sequence[DiceLike]) -> None:
        import gnubg_nn  # noqa: PLC0415

        positions, boards, rolls = self.same_as_gnubg()

        def theirs() -> int:
            return sum(len(gnubg_nn.moves(board, high, low)) for board in boards for high, low in rolls)

        self.bench("gammonrules", count_plays, positions, spelled, loops=len(positions) * 21)
        self.bench("gnubg_nn", theirs, loops=len(positions) * 21)

    def T2(self) -> None:
        """The same, and the points after every play: a tuple for each."""
        self.read_plays(read_points)

    def T2b(self) -> None:
        """The same, and the position after every play."""
        self.read_plays(read_positions)

    def read_plays(self, ours: Callable[[list[Position]], None]) -> None:
        import gnubg_nn  # noqa: PLC0415

        positions, boards, rolls = self.same_as_gnubg()
        board_of = gnubg_nn.board_from_position_key

        def theirs() -> None:
            for board in boards:
                for high, low in rolls:
                    for key in gnubg_nn.moves(board, high, low):
                        _ = board_of(key)

        self.bench("gammonrules", ours, positions, loops=len(positions) * 21)
        self.bench("gnubg_nn", theirs, loops=len(positions) * 21)

    def same_as_gnubg(self) -> tuple[list[Position], list[peers.GnubgBoard], list[tuple[int, ...]]]:
        """Positions in which both find the same plays, the boards as gnubg_nn takes them, and the rolls."""
        positions = self.positions()
        self.check(peers.check_gnubg, positions)
        return positions, [peers.gnubg_board(position) for position in positions], [tuple(dice) for dice in ROLLS]

    def T3(self) -> None:
        """All plays of arrays of boards and rolls."""
        import gnubg_nn  # noqa: PLC0415

        boards = random_points(self.many)
        points, dice = with_all_rolls(boards)
        positions = batch.to_positions(spread(boards, self.single))
        self.check(peers.check_gnubg, positions)
        asked, rolls = [peers.gnubg_board(position) for position in positions], [tuple(dice) for dice in ROLLS]

        def theirs() -> int:
            return sum(len(gnubg_nn.moves(board, high, low)) for board in asked for high, low in rolls)

        parts = [slice(start, start + 8192) for start in range(0, len(points), 8192)]

        def in_chunks() -> int:
            return sum(len(batch.legal_plays(points[some], dice[some]).points) for some in parts)

        self.bench("gammonrules", batch.legal_plays, points, dice, loops=len(dice))
        self.bench("gnubg_nn", theirs, loops=len(positions) * 21)
        self.bench("gammonrules, in chunks of 8,192", in_chunks, loops=len(dice))

    def T4(self) -> None:
        """T1's call without the kernel."""
        states = peers.random_states(self.single)
        self.check(peers.check_open_spiel, states[:20])
        positions = [peers.position_of(state) for state in states]
        actions = list(peers.roll_actions(states[0]).values())

        def theirs() -> int:
            return sum(len(state.child(action).legal_actions()) for state in states for action in actions)

        self.bench("gammonrules", count_plays, positions, loops=len(states) * 21)
        self.bench("open_spiel", theirs, loops=len(states) * 21)

    def T5(self) -> None:
        """Arrays without the kernel, beside single calls without it."""
        boards = random_points(max(self.many // 5, 100))
        points, dice = with_all_rolls(boards)
        positions = batch.to_positions(spread(boards, self.single))
        self.bench("gammonrules", batch.legal_plays, points, dice, loops=len(dice))
        self.bench("single calls", count_plays, positions, loops=len(positions) * 21)

    def T6(self) -> None:
        """Reading and refereeing a roll of match records, one file after the other."""
        paths, rolls = peers.clean_records(self.every)
        self.check(peers.check_gammonview, paths)

        def theirs() -> None:
            for path in paths:
                peers.referee_with_gammonview(path)

        self.bench("gammonrules", referee_files, paths, loops=rolls)
        self.bench("gammonview", theirs, loops=rolls)

    def T7(self) -> None:
        """Imports, each in a fresh interpreter."""
        programs = {
            "from gammonrules import MatchState": "from gammonrules import MatchState",
            "import attrs": "import attrs",
            "from gammonrules import Position": "from gammonrules import Position",
            "import gammonrules": "import gammonrules",
            "nothing": "pass",
        }
        for name, program in programs.items():
            self.runner.bench_time_func(name, processor_time, program)

    def T8(self) -> None:
        """A game of a network against itself, all games at once, beside the network's own arithmetic."""
        number, network, rows = 5 * self.single, Network(), list[int]()
        inputs = np.zeros((60 * number, 198), np.float32)

        def choose(plays: batch.LegalPlays, _rng: np.random.Generator) -> Any:
            rows.append(len(plays.points))
            return plays.best(-network(batch.features(plays.points, inputs[: rows[-1]])))

        def self_play() -> None:
            rows.clear()
            batch.play_games(number, choose, rng=np.random.default_rng(2026))

        def arithmetic() -> None:
            for count in rows:
                network(inputs[:count])

        self_play()
        self.bench("gammonrules", self_play, loops=number)
        self.bench("the network alone", arithmetic, loops=number)

    def T8b(self) -> None:
        """The inputs of a network for a row of plays, beside finding the row."""
        boards = random_points(self.many)
        dice = np.resize(np.array([tuple(roll) for roll in ROLLS], np.int8), (len(boards), 2))
        plays = batch.legal_plays(boards, dice)
        inputs = np.zeros((len(plays.points), 198), np.float32)
        self.bench("gammonrules", batch.features, plays.points, inputs, loops=len(inputs))
        self.bench("legal_plays", batch.legal_plays, boards, dice, loops=len(inputs))
        self.bench("into fresh memory", batch.features, plays.points, loops=len(inputs))

    def T9a(self) -> None:
        """A position from a list of 26 counts, beside the legal plays of a roll."""
        self.one_off(Position.from_points, [list(position.points) for position in self.positions()])

    def T9b(self) -> None:
        """A position from its identifier."""
        self.one_off(Position.from_id, [position.id for position in self.positions()])

    def T9c(self) -> None:
        """The legal actions of a state."""
        self.one_off(attrgetter("legal_actions"), peers.random_tables(20 * self.single))

    def T11a(self) -> None:
        """A row of the table of decisions, from the example records to a Parquet file, in one process."""
        paths = peers.example_records()
        self.tables(paths[-2:] if self.size == "few" else paths)

    def T11b(self) -> None:
        """The same from records of matches between bots, with more decisions about the cube."""
        self.tables(peers.played_records(self.single // 8))

    def tables(self, paths: list[Path]) -> None:
        """From records that were not seen before."""
        output = Path(tempfile.mkdtemp()) / "decisions.parquet"
        rows = [row for path in paths for row in analyst.rows_of(path)]
        analyst.check_rows(paths, rows)

        def ours() -> None:
            forget()
            records.export(paths, output, workers=1)

        def theirs() -> None:
            forget()
            analyst.write_table(paths, output)

        self.bench("gammonrules", ours, loops=len(rows))
        self.bench("a loop over states and events", theirs, loops=len(rows))

    def T10a(self) -> None:
        """Reading and refereeing a roll of an .xg file, beside the same match as .mat."""
        self.same_matches("xg", ".xg")

    def T10b(self) -> None:
        """The same for SGF."""
        self.same_matches("sgf", ".sgf")

    def T12a(self) -> None:
        """A one-sided bear-off table of 6 points (2 in the small size), beside GNU Backgammon's makebearoff."""
        points = 6 if self.size == "full" else 2
        self.bear_off(bearoff.one_sided, (points, 15), "-o", str(points))

    def T12b(self) -> None:
        """A two-sided one of 6 checkers (2 in the small size)."""
        checkers = 6 if self.size == "full" else 2
        self.bear_off(bearoff.two_sided, (6, checkers), "-t", f"6x{checkers}")

    def T13a(self) -> None:
        """The board of a Position ID, of many at once, beside one by one."""
        points = random_points(20 * self.many)
        ids = batch.to_ids(points).tolist()
        assert [Position.from_id(text).points for text in ids] == [*map(tuple, batch.from_ids(ids).tolist())]
        self.bench("gammonrules", batch.from_ids, ids, loops=len(ids))
        self.bench("one by one", lambda: [Position.from_id(text).points for text in ids], loops=len(ids))

    def T13b(self) -> None:
        """The Position ID of a board."""
        points = random_points(20 * self.many)
        positions = batch.to_positions(points)
        assert [position.id for position in positions] == batch.to_ids(points).tolist()
        self.bench("gammonrules", batch.to_ids, points, loops=len(points))
        self.bench("one by one", lambda: [position.id for position in positions], loops=len(points))

    T13c, T13d = T13a, T13b

    def T16a(self) -> None:
        """A board one roll ahead by a network, beside the network's own arithmetic on the same number of rows."""
        boards, network = random_points(self.single), Evaluator()
        evaluated: list[Any] = []

        def noted(some: Any) -> Any:
            evaluated.append(some)
            return network(some)

        batch.look_ahead(boards, noted)
        rows = network.rows.copy()
        self.bench("gammonrules", batch.look_ahead, boards, network, loops=len(boards))
        self.bench("the network alone", call_each, network.arithmetic, rows, loops=len(boards))
        self.bench("with its inputs", call_each, network, evaluated, loops=len(boards))

    def T16b(self) -> None:
        """The same beside other libraries at the same depth, one board after another."""
        import bgsage  # noqa: PLC0415
        import gnubg_nn  # noqa: PLC0415

        boards, number = random_points(self.single), self.single // 10
        positions = cycle(batch.to_positions(random_points(20 * self.many)))  # gnubg_nn remembers what it was asked
        analyzer = bgsage.BgBotAnalyzer(eval_level="2ply", cubeful=False, parallel_threads=1)

        def by_gnubg() -> None:
            for position in islice(positions, number):
                gnubg_nn.probabilities(peers.gnubg_board(position), 1)

        def by_bgsage() -> None:
            for position in islice(positions, number):
                points = position.flip().points
                analyzer.post_move_analytics([-points[0], *points[1:]], jacoby=False)

        self.bench("gammonrules", batch.look_ahead, boards, Evaluator(), loops=len(boards))
        self.bench("gnubg_nn", by_gnubg, loops=number)
        self.bench("bgsage", by_bgsage, loops=number)

    def T17a(self) -> None:
        """When to double and to take in money play, in arrays, beside one state after another."""
        self.windows(peers.random_tables(self.single, length=None))

    def T17b(self) -> None:
        """The same at the scores of matches to 7."""
        self.windows(peers.random_tables(self.single))

    def T20(self) -> None:
        """The plays of arrays, their halves by two threads, beside one."""
        points, dice = with_all_rolls(random_points(self.many))
        plays = batch.legal_plays(points, dice)
        halves = by_two_threads(batch.legal_plays, points, dice)
        assert plays.points.tobytes() == b"".join(half.points.tobytes() for half in halves)
        del plays, halves  # whose memory the next call gets
        self.bench("gammonrules", by_two_threads, batch.legal_plays, points, dice, loops=len(dice))
        self.bench("one thread", batch.legal_plays, points, dice, loops=len(dice))

    def T21(self) -> None:
        """A row of a network's inputs, their halves by two threads, beside one, in memory used before."""
        points = random_points(20 * self.many)
        inputs = np.zeros((len(points), 198), np.float32)
        by_two_threads(batch.features, points, inputs)
        assert batch.features(points).tobytes() == inputs.tobytes()
        self.bench("gammonrules", by_two_threads, batch.features, points, inputs, loops=len(points))
        self.bench("one thread", batch.features, points, inputs, loops=len(points))

    def T22(self) -> None:
        """The texts of all plays of a roll, beside their positions."""
        plays = [position.legal_plays(dice) for position in self.positions() for dice in ROLLS]

        def texts() -> None:
            for some in plays:
                _ = [str(play) for play in some]

        def positions() -> None:
            for some in plays:
                _ = [play.position for play in some]

        self.bench("gammonrules", texts, loops=len(plays))
        self.bench("positions", positions, loops=len(plays))

    def windows(self, states: list[MatchState]) -> None:
        rng, number = np.random.default_rng(2026), 40 * self.many
        rows = equity.nested(rng.random((len(states), 5)))
        chances = [equity.Chances(*row) for row in rows.tolist()]
        match_states, at = batch.MatchStates.from_states(states), np.resize(np.arange(len(states)), number)

        def one_by_one() -> list[equity.DoublingWindow | None]:
            window_of = equity.KAZAROSS_XG2.doubling_window
            return [window_of(state, None, five, 0.68) for state, five in zip(states, chances, strict=True)]

        windows = [(window.double_point, window.cash_point) if window else (np.nan, np.nan) for window in one_by_one()]
        assert np.allclose(equity.doubling_windows(match_states, rows, 0.68), windows, equal_nan=True)
        self.bench("gammonrules", equity.doubling_windows, match_states[at], rows[at], 0.68, loops=number)
        self.bench("one by one", one_by_one, loops=len(states))

    def bear_off(self, make: Callable[..., Any], size: tuple[int, int], *options: str) -> None:
        folder = Path(tempfile.mkdtemp())
        ours, theirs = folder / "ours", folder / "theirs"

        def makebearoff() -> None:
            command = [MAKEBEAROFF, *options, "-f", str(theirs)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        makebearoff()
        make(*size, gnubg=True).save(ours)
        assert ours.read_bytes() == theirs.read_bytes()
        self.bench("gammonrules", make, *size, loops=1)
        self.bench("makebearoff", makebearoff, loops=1)

    def same_matches(self, folder: str, suffix: str) -> None:
        texts = [path.read_bytes() for path in sorted((peers.MATCHES / "xg-text").glob("*.mat"))]
        others = [
            (peers.MATCHES / folder / path.name).with_suffix(suffix).read_bytes()
            for path in sorted((peers.MATCHES / "xg-text").glob("*.mat"))
        ]
        games = [[records.loads(content).games for content in contents] for contents in (texts, others)]
        assert games[0] == games[1]
        rolls = sum(records.loads(text).rolls for text in texts)
        self.bench("gammonrules", read_and_referee, others, loops=rolls)
        self.bench("as .mat", read_and_referee, texts, loops=rolls)

    def one_off(self, function: Callable[[Any], Any], arguments: list[Any]) -> None:
        positions = self.positions()
        self.bench("gammonrules", call_each, function, arguments, loops=len(arguments))
        self.bench("legal_plays", count_plays, positions, loops=len(positions) * 21)

    def check(self, check: Callable[[list[Any]], None], cases: list[Any]) -> None:
        """Whether the peer agrees; asked once, not by every worker that another process has started."""
        if self.runner.args.worker_task is None:
            check(cases)


def main() -> None:
    import pyperf  # noqa: PLC0415  tests call the measures without it

    runner = pyperf.Runner(values=5, add_cmdline_args=lambda command, args: command.extend(_own(args)))
    runner.argparser.add_argument("measure", choices=[name for name in dir(Measures) if name.startswith("T")])
    runner.argparser.add_argument("--size", choices=SIZES, default="full")
    runner.argparser.add_argument("--caches", action="store_true", help="tell what was remembered, measure nothing")
    args = runner.parse_args()
    pure = os.environ.get(PURE) == "1"
    if pure is not (args.measure in {"T4", "T5", "T13c", "T13d"}) or (KERNEL == "pure") is not pure:
        raise SystemExit(f"{args.measure} wants {'no ' * (not pure)}{PURE}=1, or there is no kernel")
    runner.metadata["kernel"] = KERNEL
    getattr(Measures(runner, args.size), args.measure)()


def _own(args: Any) -> list[str]:
    """The arguments that workers get besides pyperf's own options."""
    return [args.measure, "--size", args.size]


if __name__ == "__main__":
    main()
