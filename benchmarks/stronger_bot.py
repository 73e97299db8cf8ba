"""How strong and how fast `examples/td_gammon.py` is, beside GNU Backgammon's networks and bgsage.

    python -m pip install -e ".[arena,engine]" -r benchmarks/requirements.txt
    python benchmarks/stronger_bot.py arena --games 10000
    python benchmarks/stronger_bot.py arena --plies 1 --games 10000
    python benchmarks/stronger_bot.py arena --of gnubg-nn --against gnubg --games 1000
    python benchmarks/stronger_bot.py losses
    python benchmarks/stronger_bot.py speed
    python benchmarks/stronger_bot.py rollouts

The arena is without a cube, in pairs of games with the same dice. gnubg-nn (PyPI) has GNU Backgammon's networks of 2003
without look-ahead; `--against gnubg` is GNU Backgammon itself at its level 0.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from functools import lru_cache
from pathlib import Path

import attrs
import numpy as np

from gammonrules import Action, Dice, MatchState, Play, Player, Rules, arena, batch
from gammonrules.engine import Rollout
from gammonrules.engine._evaluation import candidate_from
from gammonrules.engine._gnubg_rollouts import GnubgRollouts
from gammonrules.match.internals import make_event
from gammonrules.records import PlayAnalysis

sys.path.append(str(Path(__file__).resolve().parent.parent / "examples"))
from players import heuristic
from td_gammon import POINTS, SELFTAUGHT, Bot, known


@lru_cache(maxsize=2**18)
def of_gnubg(board: bytes) -> tuple[float, ...]:
    """The five chances by GNU Backgammon's networks."""
    import gnubg_nn  # noqa: PLC0415

    points = np.frombuffer(board, np.int8)
    mine, theirs = points[1:].clip(0), (-points[24::-1]).clip(0)
    return gnubg_nn.probabilities((tuple(theirs.tolist()), tuple(mine.tolist())), 0)


def gnubg_nn_chances(boards: np.ndarray) -> np.ndarray:
    return np.array([of_gnubg(board.tobytes()) for board in boards]).reshape(-1, 5)


def gnubg_nn(turns: batch.Turns, _: np.random.Generator) -> np.ndarray:
    """The plays of GNU Backgammon's networks."""
    ended = batch.outcomes(turns.points)
    theirs, live = ended.astype(np.float64), np.flatnonzero(ended == 0)
    theirs[live] = gnubg_nn_chances(turns.points[live]) @ POINTS - 1
    return turns.best(-theirs)


def played(options: argparse.Namespace) -> None:
    bot = Bot.load(options.network, options.plies)
    players = {
        "bot": arena.Policy(bot.choose),
        "gnubg-nn": arena.Policy(gnubg_nn),
        "heuristic": arena.Policy(heuristic),
        "gnubg": "gnubg:1",  # which is its own 0-ply
    }
    both = {name: players[name] for name in (options.of, options.against)}
    results = arena.play(
        both, games=options.games, rules=Rules(cube=False), seed=options.seed, workers=1, save=options.save
    )
    print(f"{results.pairings[0]}; {time.process_time():.0f} s of processors here")


def speeds(options: argparse.Namespace) -> None:
    """Boards a second, of self-play."""
    boards = batch.play_games(60, Bot.load(options.network).choose, rng=np.random.default_rng(1)).points[:2000]
    bot = Bot.load(options.network)
    for name, evaluate in (("bot", bot.chances), ("gnubg-nn", gnubg_nn_chances)):
        for plies, some in ((0, boards), (1, boards[:200] if name == "bot" else boards[:20])):
            of_gnubg.cache_clear()
            begun = time.process_time()
            batch.look_ahead(some, evaluate, plies=plies)
            print(f"{name}, {plies} rolls ahead: {len(some) / (time.process_time() - begun):,.0f} boards a second")


def losses(options: argparse.Namespace) -> None:
    """What a decision loses on average, if gnubg-nn's chances after each play are right, of plays made in many ways."""
    bot = Bot.load(options.network)
    games = batch.play_games(40, bot.choose, rng=np.random.default_rng(5))
    rows, rng = np.random.default_rng(1).permutation(len(games.points))[: options.games], np.random.default_rng(1)
    turns = batch.Turns.of(games.points[rows], games.dice[rows], rng=rng)
    theirs = batch.outcomes(turns.points).astype(np.float64)
    live = np.flatnonzero(theirs == 0)
    theirs[live] = gnubg_nn_chances(turns.points[live]) @ POINTS - 1
    without = Bot.load(options.network)
    without.chances = without.network
    contact = batch.board_features(turns.boards).contact
    for name, player in {"none": bot, "none, without tables": without, "one": Bot(bot.network, 1)}.items():
        lost = theirs[player.choose(turns, rng)] - np.minimum.reduceat(theirs, turns.offsets[:-1])
        margin = 1.96 * lost.std() / len(lost) ** 0.5
        parts = f"{lost[contact].mean():.4f} in contact, {lost[~contact].mean():.4f} in races"
        print(f"{name} ahead: {lost.mean():.4f} ± {margin:.4f} points; {parts} ({len(lost):,} decisions)")


TRIALS, TURNS = 144, 7  # of a rollout, and of each of its games
Rolled = tuple[np.ndarray, np.ndarray]
"""The equity without a cube of each play for the player who made it, and its standard error."""


class Gnubg(GnubgRollouts):
    """GNU Backgammon that rolls out single plays, without a cube."""

    def at_prompt(self, settings: Iterable[str], sgf: str, commands: Iterable[str]) -> str:
        no_cube = [f"set rollout {what}cubeful off" for what in ("", "chequerplay ", "truncation chequerplay ")]
        self.answer = super().at_prompt([*settings, *no_cube], sgf, commands)
        return self.answer

    def after(self, state: MatchState, play: Play) -> list[float]:
        self.deadline = None
        at_once = candidate_from(play, self._after(state, state.play(play), 0))
        self._rolled_out(state, make_event(Action.PLAY, Player.WHITE, play), PlayAnalysis((at_once,), 0), "move 1")
        return [float(self.answer.split(f" {what} ")[1].split()[5]) for what in ("Output", "StdDev")]


def by_gnubg(states: list[MatchState], plays: list[Play]) -> Rolled:
    with closing(Gnubg(Rollout(TRIALS, truncate=TURNS), 0, 0, None, None)) as gnubg:
        gnubg.start()
        return np.array([*map(gnubg.after, states, plays)]).T


def by_bgsage(_: list[MatchState], plays: list[Play]) -> Rolled:
    import bgsage  # noqa: PLC0415

    options = {"n_trials": TRIALS, "truncation_depth": TURNS, "seed": 1, "parallel_threads": 1}
    bot = bgsage.BgBotAnalyzer(eval_level="rollout", cubeful=False, cubeful_trial_moves=False, **options)
    boards = [play.position.flip().points for play in plays]
    told = [bot.post_move_analytics([-board[0], *board[1:]], jacoby=False) for board in boards]
    return np.array([(each.cubeless_equity, each.cubeless_se) for each in told]).T


def by_bot(bot: Bot, plays: list[Play]) -> Rolled:
    after = batch.from_positions([play.position for play in plays])
    rng = np.random.default_rng(1)
    result = batch.rollout(after, TRIALS, bot.choose, evaluate=bot.chances, max_turns=TURNS, end=known, rng=rng)
    return -result.mean, result.standard_error


def rollouts(options: argparse.Namespace) -> None:
    """Ten plays of the bot rolled out by all, each with its own dice and without a cube."""
    bot = Bot.load(options.network)
    games = batch.play_games(10, bot.choose, rng=np.random.default_rng(2))
    rows = games.offsets[:-1] + np.array([3, 5, 7, 9, 11, 13, 15, 17, 19, 21])
    money = MatchState.new(None, rules=Rules(jacoby=False)).opening_roll(2, 1)
    positions, after = batch.to_positions(games.points[rows]), batch.to_positions(games.points[rows + 1])
    states = [
        attrs.evolve(money, position=position, dice=Dice(*roll))
        for position, roll in zip(positions, games.dice[rows].tolist(), strict=True)
    ]
    plays = [state.legal_plays.find(position) for state, position in zip(states, after, strict=True)]
    columns = []
    for name, rolled in {"bgsage": by_bgsage, "gnubg": by_gnubg, "bot": lambda _, plays: by_bot(bot, plays)}.items():
        begun = time.perf_counter(), time.process_time()
        worth = zip(*rolled(states, plays), strict=True)
        columns.append([f"{mean:+.3f} ± {1.96 * error:.3f}" for mean, error in worth])
        print(f"{name}: {time.perf_counter() - begun[0]:.1f} s, {time.process_time() - begun[1]:.1f} s of it here")
    for state, play, *cells in zip(states, plays, *columns, strict=True):
        print(f"| {state.position.id} {state.dice}: {play} |", " | ".join(cells), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["arena", "losses", "speed", "rollouts"])
    parser.add_argument("--network", type=Path, default=SELFTAUGHT, help="the file of the network")
    parser.add_argument("--of", default="bot", help="bot, gnubg-nn, heuristic or gnubg")
    parser.add_argument("--against", default="gnubg-nn", help="the same")
    parser.add_argument("--plies", type=int, default=0, help="how many rolls the bot looks ahead")
    parser.add_argument("--games", type=int, default=1_000, help="or decisions, for losses")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="a file of the games, with which an arena that was stopped goes on")
    options = parser.parse_args()
    {"arena": played, "losses": losses, "speed": speeds, "rollouts": rollouts}[options.what](options)


if __name__ == "__main__":
    main()
