"""How many legal-play enumerations a second, beside open_spiel, in one run.

An enumeration is one position with one roll. The positions are those of random games played by open_spiel;
each is asked for the plays of all 21 rolls, by `position.legal_plays(dice)` and `len` here, and by
`state.child(roll)` and `legal_actions()` there (which answers a doublet with its first half only). Only the
ratio of one run means anything.

    python -m pip install -r benchmarks/requirements.txt
    python benchmarks/legal_plays.py
"""

from __future__ import annotations

import random
import re
from typing import Any

import pyperf
import pyspiel

import gammonrules
from gammonrules import ROLLS, Dice, Position

POSITIONS = 200
X = 0  # open_spiel's player who moves from 0 up to 23; the other moves down


def random_states(number: int, seed: int = 2026) -> list[Any]:
    """States of random games in which any roll may come next."""
    rng = random.Random(seed)
    game = pyspiel.load_game("backgammon")
    states: list[Any] = []
    state = game.new_initial_state()
    while len(states) < number:
        if state.is_terminal():
            state = game.new_initial_state()
        actions = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else []
        if len(actions) == 36 and rng.random() < 0.1:
            states.append(state.clone())
        state.apply_action(rng.choice(actions or state.legal_actions()))
    return states


def position_of(state: Any) -> Position:
    """The board of a state, seen by the player who is to roll."""
    player = _next_player(state)
    mine, theirs = _half(state, player), _half(state, 1 - player)
    return Position.of(mine=mine, theirs=theirs)


def _half(state: Any, player: int) -> dict[int, int]:
    """A side's checkers in its own numbering."""
    points = {(24 - at if player == X else at + 1): state.board(player, at) for at in range(24)}
    scores = re.search(r"Scores, X: (\d+), O: (\d+)", str(state))
    assert scores is not None
    # the bar is not bound to Python: it holds what is neither on a point nor off
    return {**points, 25: 15 - sum(points.values()) - int(scores[player + 1])}


def _next_player(state: Any) -> int:
    """Who rolls: the one who may act after any roll."""
    return int(state.child(0).current_player())


def roll_actions(state: Any) -> dict[Dice, int]:
    """open_spiel's chance action for each of the 21 rolls."""
    actions: dict[Dice, int] = {}
    for action, _ in state.chance_outcomes():
        faces = re.search(r"roll: (\d)(\d)", state.action_to_string(action))
        assert faces is not None
        actions.setdefault(Dice.of("".join(faces.groups())), action)
    return actions


def ours(positions: list[Position]) -> int:
    """Count all plays with gammonrules."""
    return sum(len(position.legal_plays(dice)) for position in positions for dice in ROLLS)


def theirs(states: list[Any], actions: list[int]) -> int:
    """Count all actions with open_spiel."""
    return sum(len(state.child(action).legal_actions()) for state in states for action in actions)


def main() -> None:
    """Run both and print the rates and their ratio."""
    states = random_states(POSITIONS)
    positions = [position_of(state) for state in states]
    actions = list(roll_actions(states[0]).values())
    runner = pyperf.Runner()
    loops = POSITIONS * len(ROLLS)
    mine = runner.bench_func(f"gammonrules ({gammonrules.KERNEL})", ours, positions, inner_loops=loops)
    peer = runner.bench_func("open_spiel", theirs, states, actions, inner_loops=loops)
    if mine and peer and not runner.args.worker:
        print(f"plays an enumeration: {ours(positions) / loops:.1f}")
        for name, bench in (("gammonrules", mine), ("open_spiel", peer)):
            print(f"{name}: {1 / bench.median():,.0f} enumerations a second")
        print(f"T4: {peer.median() / mine.median():.2f} x open_spiel")


if __name__ == "__main__":
    main()
