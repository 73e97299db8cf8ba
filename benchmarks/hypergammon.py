"""Hypergammon on all of it: the proof of the kernel, and the tables beside others.

    python benchmarks/hypergammon.py proof             every board of three checkers with every roll: 10 minutes or more
    python benchmarks/hypergammon.py proof --part 2/4  a quarter of that
    python benchmarks/hypergammon.py sample 1000000    so many of these, found one at a time: 5 minutes or more
    python benchmarks/hypergammon.py makehyper         GNU's tables of one and two checkers beside ours: some minutes
    python benchmarks/hypergammon.py check FILE        a table of ours, looked at by hand: a minute
    python benchmarks/hypergammon.py games FILE        10,000 games of perfect play against others: a minute each

An assertion that fails ends them. `games` takes `--gnubg FILE`, a database that `makehyper` has written.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import TypeAlias

import attrs
import numpy as np
import numpy.typing as npt

from gammonrules import KERNEL, MONEY, ROLLS, Action, Phase, Position, batch, bearoff, hypergammon
from gammonrules._arrays import numpy_generator, numpy_readings

sys.path.append(str(Path(__file__).parent.parent / "tests"))

from move_generators import check_generators

Rows: TypeAlias = npt.NDArray[np.int8]
Floats: TypeAlias = npt.NDArray[np.float64]
Values: TypeAlias = Callable[[Rows], Floats]
"""The equities of rolling now, a row for each board, which the opponent of the last player sees."""

OFF, BAR = 0, 25
EVERY_ROLL = np.array([[*roll] for roll in ROLLS], np.int8)
WEIGHTS = np.array([roll.weight for roll in ROLLS])


# --- all boards -------------------------------------------------------------------------------------------------------


def sides(checkers: int) -> Rows:
    """How many checkers are on each place, from off to the bar, for every side but the one that has everything off."""
    places = [*combinations_with_replacement(range(BAR + 1), checkers)][1:]
    return np.array([[side.count(place) for place in range(BAR + 1)] for side in places], np.int8)


def boards(mine: Rows, theirs: Rows) -> Rows:
    """The boards of sides on roll and their opponents, but for those that share a point."""
    apart = ~((mine[:, 1:BAR] > 0) & (theirs[:, BAR - 1 : OFF : -1] > 0)).any(axis=1)
    rows = mine[apart]
    rows[:, OFF] = 0
    rows[:, :BAR] -= theirs[apart, :OFF:-1]
    return rows


def random_boards(checkers: int, number: int, rng: np.random.Generator) -> Rows:
    """Unfinished boards, each as probable as any other."""
    every = sides(checkers)
    mine, theirs = every[rng.integers(len(every), size=(2, 2 * number + 100))]
    return boards(mine, theirs)[:number]


def plays_of(rows: Rows) -> tuple[Rows, Rows, batch.LegalPlays]:
    """Each board with every roll, and their plays."""
    points, rolls = np.repeat(rows, len(ROLLS), axis=0), np.tile(EVERY_ROLL, (len(rows), 1))
    return points, rolls, batch.legal_plays(points, rolls)


def prove(checkers: int, part: int, parts: int) -> None:
    """The kernel and the generator for arrays on every board with every roll: the same plays, moves and order."""
    assert KERNEL == "c", "there is no kernel"
    every, began = sides(checkers), time.perf_counter()
    chosen, positions, plays = every[part - 1 :: parts], 0, 0
    for number, side in enumerate(chosen, 1):
        rows = boards(np.broadcast_to(side, every.shape), every)
        points, rolls, by_kernel = plays_of(rows)
        by_arrays = numpy_generator.legal_plays_of_many(points, rolls)
        for name, expected in zip(("offsets", "points", "moves"), by_arrays, strict=True):
            assert np.array_equal(getattr(by_kernel, name), expected), (name, side)
        check_ids(rows, checkers)
        positions, plays = positions + len(rows), plays + len(by_kernel.points)
        if number % 100 == 0 or number == len(chosen):
            print(
                f"{number:,} of {len(chosen):,} sides on roll: {positions:,} positions, {positions * len(ROLLS):,} "
                f"with rolls, {plays:,} plays, {time.perf_counter() - began:.0f} s "
                f"({time.process_time():.0f} s of a processor)",
                flush=True,
            )


def check_ids(rows: Rows, checkers: int) -> None:
    """Every ID is read as the board it was written for: by the kernel, in NumPy, and one at a time."""
    ids, by_arrays = batch.to_ids(rows), np.empty(len(rows), "U14")
    numpy_readings.to_ids(rows, by_arrays.view(np.uint32).reshape(-1, 14), checkers)
    assert np.array_equal(ids, by_arrays)
    assert np.array_equal(batch.from_ids(ids, checkers=checkers), rows)
    read, characters = np.empty_like(rows), ids.view(np.uint32).astype(np.uint8).reshape(-1, 14)
    numpy_readings.from_ids(characters, read, np.empty(len(rows), np.bool_), checkers)
    assert np.array_equal(read, rows)
    positions = batch.to_positions(rows, checkers=checkers)
    assert [position.id for position in positions] == ids.tolist()
    assert [Position.from_id(text, checkers=checkers) for text in ids.tolist()] == positions


def sample(checkers: int, number: int, seed: int) -> None:
    """Random boards with random rolls: the generators for one board, in Python and in C, and the brute force."""
    rng, began, seen = np.random.default_rng(seed), time.perf_counter(), 0
    for start in range(0, number, 10_000):
        rows = random_boards(checkers, min(10_000, number - start), rng)
        rolls = EVERY_ROLL[rng.integers(len(ROLLS), size=len(rows))]
        for row, roll, (results, _) in zip(rows.tolist(), rolls.tolist(), batch.legal_plays(rows, rolls), strict=True):
            mine = (0, *(max(count, 0) for count in row[1:]))
            theirs = (0, *(max(-count, 0) for count in row[BAR - 1 :: -1]))
            board = (checkers - sum(mine), *mine[1:]), (checkers - sum(theirs), *theirs[1:])
            assert check_generators(board, tuple(roll)) == [result.tobytes() for result in results]
            seen += len(results)
        if start % 100_000 == 0 or start + len(rows) == number:
            done = start + len(rows)
            print(f"{done:,} boards with a roll, {seen:,} plays, {time.perf_counter() - began:.0f} s", flush=True)


# --- GNU's tables beside ours -----------------------------------------------------------------------------------------

COLUMNS = "cubeless", "owned", "centered", "centered, Jacoby", "other owns"
CUBELESS, OWNED, CENTERED, JACOBY, OTHER_OWNS = range(len(COLUMNS))


class Makehyper:
    """A database of GNU's `makehyper`."""

    def __init__(self, path: Path) -> None:
        content = np.fromfile(path, np.uint8)
        assert content[:7].tobytes() == b"gnubg-H", path
        self.checkers = content[7] - ord("0")
        self._sides = comb(BAR + self.checkers, self.checkers)
        bits = content[40:].reshape(-1, 28)[:, :27].reshape(-1, 9, 3).astype(np.int64) @ [1, 1 << 8, 1 << 16]
        parts = bits / (2**24 - 1)
        cubeless = 2 * parts[:, 0] - 1 + parts[:, 1:3].sum(axis=1) - parts[:, 3:5].sum(axis=1)
        self._values = np.column_stack([cubeless, 6 * (parts[:, 5:] - 0.5)])
        self._terms = np.array([[comb(n + i, i + 1) for i in range(BAR)] for n in range(self.checkers + 1)])

    def __call__(self, rows: Rows) -> Floats:
        mine, theirs = np.maximum(rows[:, 1:], 0), np.maximum(-rows[:, BAR - 1 :: -1], 0)
        values: Floats = self._values[self._number(mine) * self._sides + self._number(theirs)]
        return values

    def _number(self, side: Rows) -> npt.NDArray[np.int64]:
        from_the_bar_on = side[:, ::-1].cumsum(axis=1)
        numbers: npt.NDArray[np.int64] = self._terms[from_the_bar_on, np.arange(BAR)].sum(axis=1)
        return numbers


def known(rolling: Floats) -> Floats:
    """What boards are worth to the opponent, who may double first, in the columns of the player who has played."""
    before = np.maximum(rolling, np.minimum(2 * rolling[:, [OTHER_OWNS]], 1))
    columns = rolling[:, CUBELESS], rolling[:, OTHER_OWNS], before[:, CENTERED], before[:, JACOBY], before[:, OWNED]
    return np.column_stack(columns)


def looked_ahead(values: Values, rows: Rows, *, dances_as_gnu: bool = False) -> Floats:
    """Rolling now, by the values of what each roll leads to."""
    *_, plays = plays_of(rows)
    rolling = values(plays.points)
    worth = known(rolling)
    if dances_as_gnu:
        danced = plays.moves[:, 0, 0] < 0
        worth[danced] = rolling[danced]
    least = np.minimum.reduceat(worth, plays.offsets[:-1]).reshape(len(rows), len(ROLLS), -1)
    ahead: Floats = -np.average(least, axis=1, weights=WEIGHTS)
    return ahead


def both_made(checkers: int) -> tuple[Makehyper, Values]:
    """GNU's table and ours, by rules without beavers, which GNU's does not know."""
    with tempfile.TemporaryDirectory() as name:
        folder, began = Path(name), os.times()
        program = shutil.which("makehyper", path=f"{os.environ['PATH']}:/usr/games")
        assert program, "makehyper is not installed"
        command = [program, "-n", "-c", str(checkers), "-f", str(folder / "gnu")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        theirs, then = Makehyper(folder / "gnu"), os.times()
        with_jacoby = hypergammon.solve(folder / "jacoby", checkers, beavers=False)
        seconds = sum(then[2:4]) - sum(began[2:4]), sum(os.times()[:2]) - sum(then[:2])
        without = hypergammon.solve(folder / "without", checkers, jacoby=False, beavers=False)
    print("Seconds of a processor: makehyper {:.0f}, one of our tables {:.0f}".format(*seconds))
    return theirs, lambda rows: np.insert(with_jacoby.equities(rows), CENTERED, without.equities(rows)[:, 2], axis=1)


def beside_makehyper(checkers: int) -> None:
    """How far apart they are, and how far each is from what it says one roll later."""
    print(f"\nCheckers: {checkers}")
    theirs, ours = both_made(checkers)
    every = sides(checkers)
    all_rows, differences, *residuals = [], [], [], [], []
    for side in every:
        rows = boards(np.broadcast_to(side, every.shape), every)
        gnu, own = theirs(rows), ours(rows)
        all_rows.append(rows)
        differences.append(abs(gnu - own))
        aheads = looked_ahead(theirs, rows), looked_ahead(theirs, rows, dances_as_gnu=True), looked_ahead(ours, rows)
        for residual, stated, ahead in zip(residuals, (gnu, gnu, own), aheads, strict=True):
            residual.append(abs(stated - ahead).max(axis=0))
    apart = np.concatenate(differences)
    off, largest = apart > 0.0005, [np.max(residual, axis=0) for residual in residuals]
    print(f"{len(apart):,} positions\n")
    print("| | largest difference | off by more than 0.0005 | residual of GNU's | if dances are as GNU's | of ours |")
    print("|---|---|---|---|---|---|")
    for column, name in enumerate(COLUMNS):
        numbers = " | ".join(f"{residual[column]:.2e}" for residual in largest)
        print(f"| {name} | {apart[:, column].max():.2e} | {off[:, column].mean():.2%} | {numbers} |")
    print(f"| any | {apart.max():.2e} | {off.any(axis=1).mean():.2%} | | | |\n")
    row, column = np.unravel_index(apart.argmax(), apart.shape)
    worst = np.concatenate(all_rows)[[row]]
    pair = theirs(worst)[0, column], ours(worst)[0, column]
    print("The largest: {}, {}: {:.6f} and {:.6f}".format(*batch.to_ids(worst), COLUMNS[column], *pair), flush=True)


# --- one table --------------------------------------------------------------------------------------------------------

PLACES = "none", "owned", "centered", "opponent_owns"
PASSED = np.array([0, 3, 2, 1])
"""The columns of a table as the opponent has them."""
KEITH = 0.0836795444708631, 0.52118, 0.31021, 0.02082, 0.27245, 0.01726
"""Tom Keith, Hypergammon Fun, 2018: the winner of the opening roll, without a cube."""


def by_hand(table: hypergammon.HypergammonTable, position: Position) -> Floats:
    """Rolling now, by the solutions of the positions that each roll leads to."""
    rolling = np.zeros(4)
    for roll in ROLLS:
        best = np.full(4, -np.inf)
        for play in position.legal_plays(roll):
            outcome = play.position.outcome
            if outcome:
                points = int(outcome.win)
                values = np.array([points, points, 1 if table.jacoby else points, points])
            else:
                then = table[play.position]
                values = -np.array([then.best(place) for place in PLACES])[PASSED]
            best = np.maximum(best, values)
        rolling += roll.weight / 36 * best
    return rolling


def check(table: hypergammon.HypergammonTable, number: int, seed: int) -> None:
    rng, checkers = np.random.default_rng(seed), table.checkers
    positions = batch.to_positions(random_boards(checkers, number, rng), checkers=checkers)
    began, worst = time.process_time(), 0.0
    solutions = [table[position] for position in positions]
    singly = time.process_time() - began
    for position, solution in zip(positions, solutions, strict=True):
        stated = solution.cubeless, solution.owned, solution.centered, solution.opponent_owns
        worst = max(worst, abs(by_hand(table, position) - stated).max())
    print(f"{table}, residual {table.residual:.1e}")
    print(f"{len(positions):,} positions at random: at most {worst:.1e} from the expectation over 21 rolls")
    print(f"look-up of one board: {1e6 * singly / len(positions):.1f} microseconds")
    many = random_boards(checkers, 500 * number, rng)
    began = time.process_time()
    table.equities(many)
    print(f"of {len(many):,} boards at once: {1e6 * (time.process_time() - began) / len(many):.2f} microseconds each")
    if checkers > 1:
        beside_bearoffs(table)
    the_opening(table)


def beside_bearoffs(table: hypergammon.HypergammonTable) -> None:
    """Where there is no contact, and both have borne off a checker."""
    points = 10
    exact, every = bearoff.two_sided(points, table.checkers - 1), sides(table.checkers)
    home = every[(every[:, OFF] > 0) & ~every[:, points + 1 :].any(axis=1)]
    pairs = np.indices((len(home), len(home))).reshape(2, -1)
    rows = boards(*home[pairs])
    expected = exact.equities(rows, table.checkers)
    assert not np.isnan(expected).any()
    worst = abs(table.equities(rows) - expected).max()
    print(f"{len(rows):,} bear-offs of both sides, from {points} points: at most {worst:.1e} from bearoff.two_sided")


def the_opening(table: hypergammon.HypergammonTable) -> None:
    """What it is worth, without a cube, to have won the opening roll."""
    start, ends = Position.start(table.start), []
    for roll in ROLLS:
        if not roll.is_doublet:
            play, equity = table.plays(start, roll, "none")[0]
            ends.append((equity, *attrs.astuple(table[play.position].chances.flip())))
    print("The winner of the opening roll, without a cube:")
    print("| | equity | wins | gammons | backgammons | gammons lost | backgammons lost |")
    print("|---|---|---|---|---|---|---|")
    print("| table | {:.10f} | {:.5f} | {:.5f} | {:.5f} | {:.5f} | {:.5f} |".format(*np.mean(ends, axis=0)))
    if table.checkers == 3:
        print("| Keith | {:.10f} | {:.5f} | {:.5f} | {:.5f} | {:.5f} | {:.5f} |".format(*KEITH))


# --- games ------------------------------------------------------------------------------------------------------------


class Player:
    """Plays and turns the cube by equities of rolling now, in the columns of a table."""

    def __init__(self, rolling: Values, *, beavers: bool) -> None:
        self.rolling, self.beavers = rolling, beavers

    def doubled(self, rolling: Floats) -> Floats:
        taken = 2 * rolling[:, 3]
        return np.minimum(np.minimum(taken, 2 * taken) if self.beavers else taken, 1)

    def worth(self, turns: batch.Turns) -> Floats:
        """What each play is worth to the player."""
        assert turns.states is not None
        rolling = self.rolling(turns.points)
        doubled = self.doubled(rolling)
        rolling[:, 1] = np.maximum(rolling[:, 1], doubled)
        rolling[:, 2] = np.maximum(rolling[:, 2], doubled)
        at, column = turns.board_numbers, PASSED[places(turns.states)]
        return -rolling[np.arange(len(at)), column[at]]

    def choose(self, turns: batch.Turns, _: np.random.Generator) -> npt.NDArray[np.int64]:
        return turns.best(self.worth(turns))

    def offers(self, states: batch.MatchStates) -> tuple[Floats, Floats]:
        """What rolling is worth, and doubling."""
        rolling = self.rolling(states.points)
        return rolling[np.arange(len(rolling)), places(states)], self.doubled(rolling)

    def cube(self, states: batch.MatchStates, _: np.random.Generator) -> npt.NDArray[np.str_]:
        if states.phase[0] != Phase.DOUBLED:
            roll, double = self.offers(states)
            return np.where(double > roll, Action.DOUBLE, Action.ROLL)
        taken = self.rolling(states.points)[:, 3]
        answers = np.where(2 * taken <= 1, Action.TAKE, Action.DROP)
        is_beaver = (taken < 0) & self.beavers & (states.to_act != states.on_roll)
        return np.where(is_beaver, Action.BEAVER, answers)


class Cubeless(Player):
    """Plays as if there were no cube, never doubles, and takes always, or where a dead cube is taken."""

    def __init__(self, rolling: Values, *, takes_always: bool) -> None:
        super().__init__(rolling, beavers=False)
        self.takes_always = takes_always

    def worth(self, turns: batch.Turns) -> Floats:
        return -self.rolling(turns.points)[:, 0]

    def cube(self, states: batch.MatchStates, _: np.random.Generator) -> npt.NDArray[np.str_]:
        if states.phase[0] != Phase.DOUBLED:
            return np.full(len(states), Action.ROLL)
        takes = (2 * self.rolling(states.points)[:, 0] <= 1) | self.takes_always
        return np.where(takes, Action.TAKE, Action.DROP)


class Judged:
    """A player whose errors are counted by one who makes none."""

    def __init__(self, player: Player, perfect: Player) -> None:
        self.player, self.perfect, self.lost = player, perfect, 0.0

    def choose(self, turns: batch.Turns, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        assert turns.states is not None
        rows, worth = self.player.choose(turns, rng), self.perfect.worth(turns)
        self.lost += float(((worth[turns.best(worth)] - worth[rows]) * turns.states.cube).sum())
        return rows

    def cube(self, states: batch.MatchStates, rng: np.random.Generator) -> npt.NDArray[np.str_]:
        actions = self.player.cube(states, rng)
        if states.phase[0] != Phase.DOUBLED:
            roll, double = self.perfect.offers(states)
            chosen, best = np.where(actions == Action.DOUBLE, double, roll), np.maximum(roll, double)
        else:
            taken = -2 * self.perfect.rolling(states.points)[:, 3]
            best = -self.perfect.doubled(self.perfect.rolling(states.points))
            chosen = np.select([actions == Action.DROP, actions == Action.BEAVER], [-1.0, 2 * taken], taken)
        self.lost += float(((best - chosen) * states.cube).sum())
        return actions


def places(states: batch.MatchStates) -> npt.NDArray[np.int64]:
    """The columns of a table for where the cube is, as the player on roll has it."""
    return np.where(states.owners < 0, 2, np.where(states.owners == states.on_roll, 1, 3))


def games(table: hypergammon.HypergammonTable, gnubg: Path | None, number: int, seed: int) -> None:
    """Perfect play against others. Each plays both seats of games with the same dice."""
    perfect, chunks = Player(table.equities, beavers=table.beavers), 40
    against: dict[str, Player] = {
        "without the cube, takes always": Cubeless(table.equities, takes_always=True),
        "without the cube, takes a dead cube": Cubeless(table.equities, takes_always=False),
    }
    if gnubg:
        gnu, columns = Makehyper(gnubg), [CUBELESS, OWNED, JACOBY if table.jacoby else CENTERED, OTHER_OWNS]
        assert gnu.checkers == table.checkers
        against["makehyper's columns"] = Player(lambda rows: gnu(rows)[:, columns], beavers=False)
    rules = attrs.evolve(MONEY, start=table.start, jacoby=table.jacoby, beavers=int(table.beavers))
    print(f"{table}: {number:,} games each\n")
    print("| perfect play against | points a game | what its errors cost | seconds |\n|---|---|---|---|")
    for name, player in against.items():
        began, won, lost = time.perf_counter(), [], []
        each = number // 2 // chunks
        for chunk in range(chunks):
            judged, points = Judged(player, perfect), 0
            for seats in ((perfect, judged), (judged, perfect)):
                choosing, turning = zip(*((seat.choose, seat.cube) for seat in seats), strict=True)
                rng = np.random.default_rng(seed)
                played = batch.play_matches(
                    each, choosing, turning, rng=rng, length=None, rules=rules, first=chunk * each
                )
                scores = played.match_scores.sum(axis=0)
                points += int(scores[0] - scores[1]) * (1 if seats[0] is perfect else -1)
            won.append(points / (2 * each))
            lost.append(judged.lost / (2 * each))
        errors = [1.96 * np.std(some, ddof=1) / chunks**0.5 for some in (won, lost)]
        means = f"{np.mean(won):+.3f} ± {errors[0]:.3f} | {np.mean(lost):.6f} ± {errors[1]:.6f}"
        print(f"| {name} | {means} | {time.perf_counter() - began:.0f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="The proof of the kernel on Hypergammon, and tables beside others.")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.add_subparsers(dest="what", required=True)
    part, sampled, compared, checked, played = map(asked.add_parser, ("proof", "sample", "makehyper", "check", "games"))
    part.add_argument("--part", default="1/1", help="which part of how many")
    sampled.add_argument("number", type=int)
    for some in (part, sampled):
        some.add_argument("--checkers", type=int, default=3)
    compared.add_argument("--checkers", type=int, nargs="+", default=[1, 2])
    for some, number in ((checked, 2_000), (played, 10_000)):
        some.add_argument("file", type=Path)
        some.add_argument("--number", type=int, default=number)
    played.add_argument("--gnubg", type=Path)
    chosen = parser.parse_args()
    match chosen.what:
        case "proof":
            prove(chosen.checkers, *map(int, chosen.part.split("/")))
        case "sample":
            sample(chosen.checkers, chosen.number, chosen.seed)
        case "makehyper":
            for checkers in chosen.checkers:
                beside_makehyper(checkers)
        case "check":
            check(hypergammon.open(chosen.file), chosen.number, chosen.seed)
        case "games":
            games(hypergammon.open(chosen.file), chosen.gnubg, chosen.number, chosen.seed)


if __name__ == "__main__":
    main()
