"""The letters of players and points: "a" is White's ace point, "x" White's 24 point, "y" the bar, "z" off."""

from __future__ import annotations

from typing import Final

from gammonrules.board.internals import point_name
from gammonrules.match import Player

COLORS: Final = {Player.WHITE: "W", Player.BLACK: "B"}
SIDES: Final = {color: player for player, color in COLORS.items()}

_BOARD: Final = "abcdefghijklmnopqrstuvwx"
BAR: Final = "y"
OFF: Final = "z"
ALL: Final = _BOARD + BAR

POINTS: Final = {
    Player.WHITE: {letter: index for index, letter in enumerate(OFF + _BOARD + BAR)},
    Player.BLACK: {letter: index for index, letter in enumerate(OFF + _BOARD[::-1] + BAR)},
}
"""The point of each letter as a player numbers it, 25 for the bar and 0 for off."""

LETTERS: Final = {player: {point: letter for letter, point in points.items()} for player, points in POINTS.items()}
"""The letter of each point as a player numbers it."""

STEPS: Final = {
    player: {
        source + target: f"{point_name(points[source])}/{point_name(points[target])}"
        for source in ALL
        for target in _BOARD + OFF
    }
    for player, points in POINTS.items()
}
"""The text of each pair of letters: where a checker comes from, and where it goes."""


def steps_in(letters: str, player: Player) -> str:
    """A series of pairs of letters as the text of a play."""
    steps = STEPS[player]
    return " ".join([steps[letters[at : at + 2]] for at in range(0, len(letters), 2)])


def letters_of(moves: list[tuple[int, int]], player: Player) -> str:
    """Moves, as the player numbers the points, as pairs of letters."""
    letters = LETTERS[player]
    return "".join(letters[source] + letters[target] for source, target in moves)
