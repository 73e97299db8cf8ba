"""OpenSpiel: `python walk_open_spiel.py [GAMES]` plays games at random and judges the plays of every turn in them.

From Python no board can be set in OpenSpiel, so it cannot be asked by `gammonrules conform`. An action of it moves two
checkers, and a doublet is two turns of the same player: that is a choice, and both halves are put together here.
"""

import random
import sys
from importlib.metadata import version

import pyspiel

from gammonrules import conformance

Board = tuple[int, ...]


def board(state: pyspiel.BackgammonState, player: int) -> Board:
    """The board as a player sees it. X, the first player, moves up."""
    points = [state.board(player, at) - state.board(1 - player, at) for at in range(24)]
    features = state.observation_tensor(player)
    return (-int(features[195]), *(reversed(points) if player == 0 else points), int(features[192]))


def dice(state: pyspiel.BackgammonState) -> list[int]:
    (row,) = [row for row in str(state).splitlines() if row.startswith("Dice:")]
    return [int(digit) for digit in row if digit.isdigit()]


def results(state: pyspiel.BackgammonState, player: int) -> set[Board]:
    boards: set[Board] = set()
    for after in map(state.child, state.legal_actions()):
        is_half = "Extra turn: 1" in str(after) and not after.is_terminal() and after.current_player() == player
        boards |= results(after, player) if is_half else {board(after, player)}
    return boards


def main(games: int = 20) -> None:
    rng, game = random.Random(1), pyspiel.load_game("backgammon")
    turns = wrong = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.current_player()
            if not state.is_chance_node() and "Extra turn: 0" in str(state):
                question = {"id": 1, "ask": "plays", "points": [*board(state, player)], "dice": dice(state)}
                right = {tuple(points) for points in conformance.answer(question)["points"]}
                turns += 1
                if results(state, player) != right:
                    wrong += 1
                    print(f"{len(results(state, player))} boards instead of {len(right)}: {question}" * (wrong == 1))
            state.apply_action(rng.choice(state.legal_actions()))
    print(f"OpenSpiel {version('open_spiel')}: {turns} turns of {games} games, {wrong} with other boards")


main(*map(int, sys.argv[1:]))
