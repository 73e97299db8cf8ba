"""Rolls decisions of the benchmark out anew by GNU Backgammon's own command, `analyse rollout`, with another seed.

    python bot_benchmark/anew.py [NUMBER...] [--trials 1296] [--seed 20261126] [--truncate 10]

Each is told by its XGID, at the prompt. The settings are ours: 0-ply, with the cube, variance reduction, to the end;
or it cuts games short after so many turns, and evaluates them there by its 2-ply.
Prints what each action loses, here and there, and how far its equity is from that of our rollouts by the same engine.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import building
from positions import canonical
from rollouts import CUBE, mean_and_error, names_of, samples_with_others

from gammonrules import MatchState
from gammonrules._json_protocol.flat_states import state_of_flat
from gammonrules.records import Analysis, CubeAnalysis, PlayAnalysis, load

GNUBG = "/usr/games/gnubg"
QUIET = ("set threads 1", "set display off", "set player 0 human", "set player 1 human", "set automatic roll off")
PLIES = [f"set {what} plies 0" for what in ("analysis chequerplay evaluation", "rollout chequerplay")]

Pair = tuple[float, float]
"""A number and its standard error."""


def analyzed(state: MatchState, action: str, *commands: str) -> Analysis | None:
    """What GNU Backgammon says of a decision after these commands."""
    steps = ["next"] * (4 if state.cube.owner else 2)  # its record sets the cube, too
    asked = [*QUIET, *PLIES, "set rollout cubedecision plies 0", f"set xgid {state.xgid}", action, "first game", *steps]
    with tempfile.TemporaryDirectory() as home:
        typed = "\n".join([*asked, *commands, "save match anew.sgf", ""])
        environment = {**os.environ, "HOME": home, "LC_ALL": "C.UTF-8"}
        command = [GNUBG, "-t", "-q", "-r"]
        subprocess.run(
            command, input=typed, cwd=home, env=environment, text=True, stdout=subprocess.DEVNULL, check=True
        )
        return [*load(Path(home, "anew.sgf")).decisions()][-1].analysis


def rolled_out(asked: Mapping[str, Any], names: Sequence[str], rollout: Sequence[str]) -> dict[str, Pair]:
    """The equities of these plays, or of a cube, as `samples` names them."""
    state = state_of_flat(asked["state"])
    if asked["ask"] == "cube":
        cube = analyzed(state, "double", *rollout, "analyse rollout cube")
        assert isinstance(cube, CubeAnalysis)
        assert cube.standard_errors is not None
        return dict(zip(CUBE, zip((cube.no_double, cube.double_take), cube.standard_errors, strict=True), strict=True))
    move = f"move {names[0]}"
    first = analyzed(state, move, "analyse move")
    assert isinstance(first, PlayAnalysis)
    numbers = [str(n) for n, play in enumerate(first.candidates, 1) if canonical(state, play.play) in names]
    plays = analyzed(state, move, "analyse move", *rollout, f"analyse rollout move {' '.join(numbers)}")
    assert isinstance(plays, PlayAnalysis)
    of_names = {canonical(state, play.play): play for play in plays.candidates if play.level == "rollout"}
    return {name: (of_names[name].equity, of_names[name].standard_error or math.inf) for name in names}


def losses(decision: Mapping[str, Any], equities: Mapping[str, Pair]) -> Iterator[tuple[str, Pair, Pair]]:
    """What actions lose, as it is published and by these equities: beside the best play, or beside the other action."""
    if "actions" in decision:
        actions = decision["actions"]
        drops = actions["take"]["loss"] > actions["drop"]["loss"]
        answered = (1.0, 0.0) if drops else equities["take"]
        questions = [
            ("double", "roll", equities["no_double"], answered),
            ("take", "drop", equities["take"], (1.0, 0.0)),
        ]
        for action, other, ahead, behind in questions:
            published = actions[action]["loss"] - actions[other]["loss"], actions[action]["error"]
            yield action, published, minus(ahead, behind)
    else:
        best, *others = decision["plays"]
        for play in others:
            yield play["play"], (play["loss"], play["error"]), minus(equities[best["play"]], equities[play["play"]])


def minus(first: Pair, second: Pair) -> Pair:
    return first[0] - second[0], math.hypot(first[1], second[1])


def apart(first: Pair, second: Pair) -> float:
    """By how many joint errors two numbers differ."""
    difference, error = minus(first, second)
    return difference / error


def written(pair: Pair) -> str:
    return f"{1000 * pair[0]:6.1f} ± {1000 * pair[1]:4.1f}"


def summary(what: str, by: Sequence[float]) -> str:
    within, most = sum(abs(number) <= 2 for number in by), max(map(abs, by))
    squares = sum(number**2 for number in by)
    return f"{what}: {within} of {len(by)} within two joint errors, at most {most:.1f}; sum of squares {squares:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", type=int, nargs="*", metavar="NUMBER", help="a decision; by default, every third")
    parser.add_argument("--trials", type=int, default=1296)
    parser.add_argument("--seed", type=int, default=20261126)
    parser.add_argument("--truncate", type=int, metavar="TURNS", help="by default, games are rolled out to the end")
    chosen = parser.parse_args()
    rollout = [f"set rollout trials {chosen.trials}", f"set rollout seed {chosen.seed}"]
    if chosen.truncate:
        at_end = [f"set rollout truncation {what} plies 2" for what in ("chequerplay", "cubedecision")]
        rollout += ["set rollout truncation enable on", f"set rollout truncation plies {chosen.truncate}", *at_end]
    jobs = building.jobs_of(building.HERE)
    numbers = chosen.numbers or [number for number, lines in jobs.items() if names_of(lines[0])][::3]
    of_losses, of_equities = list[float](), list[float]()
    print("thousandths of a point: what an action loses, published and anew; by how many joint errors they differ")
    for lines in map(jobs.__getitem__, numbers):
        decision, why = building.published(lines)
        names = [play["play"] for play in decision.get("plays", [])]
        equities, ours = rolled_out(lines[0], names, rollout), samples_with_others(lines, "gnubg")
        of_equities += [apart(equities[name], mean_and_error([*ours[name].values()])) for name in equities]
        for action, published, anew in losses(decision, equities):
            of_losses.append(apart(published, anew))
            told = f"{written(published)} {written(anew)} {of_losses[-1]:5.1f}"
            print(f"{lines[0]['job']:5} {action:24} {told}", flush=True)
        if why:
            print(f"{lines[0]['job']:5} in doubt: {why}", flush=True)
    print(summary("losses", of_losses), summary("equities, beside GNU Backgammon's of ours", of_equities), sep="\n")


if __name__ == "__main__":
    main()
