"""Boards in match text: the one after an illegal play, and the one with which a comment lets a game start."""

from __future__ import annotations

import re
from contextlib import suppress

from gammonrules.board import Position
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Cube, MatchState, Player, SetPosition
from gammonrules.records.formats.mat.cells import Cell

_CHECKERS = {
    letter: count for count, letter in enumerate("ponmlkjihgfedcba-ABCDEFGHIJKLMNOP", start=-16)
}
"""The checkers that a letter means: upper case the left player's, lower case the right player's."""
_LETTERS = {count: letter for letter, count in _CHECKERS.items()}
_SMALL_NUMBER = re.compile(r"-?[0-9]{1,3}")
_FIELDS_OF_DUMP = 40
_BOARD_OF_DUMP = slice(12, 38)
"""Which of the fields in `Illegal play (...)` are the board."""
_LARGEST_POWER = 12
"""The most turns of the cube that a comment may state."""


def is_dump(text: str) -> bool:
    """Whether the text of a play is `Illegal play (...)`, which DailyGammon and others write."""
    return text.lower().startswith("illegal play")


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it.

    Raises:
        ParseError: it is no such board.
        PositionError: the board is impossible.
    """
    fields = text.partition("(")[2].rpartition(")")[0].split(";")
    counts = [int(field) for field in fields[_BOARD_OF_DUMP] if _SMALL_NUMBER.fullmatch(field)]
    if len(fields) < _FIELDS_OF_DUMP or len(counts) != 26 or max(map(abs, counts)) > 15:
        raise ParseError(
            "an illegal play must be followed by a board of 40 fields, and this one is not"
        )
    # programs differ in the signs of the checkers on the bar
    counts[0] = -abs(counts[0])
    counts[25] = abs(counts[25])
    return Position.from_points(counts, checkers=checkers)


def board_before_first_roll(cell: Cell) -> Position | None:
    """The board, as White sees it, with which a game begins if its first cell is the dump of an illegal play.

    It is None if that play can have led there from the usual start: then the mover's opponent has no checkers where
    they did not start, except on the bar.
    """
    if cell.side is None or not is_dump(cell.play):
        return None
    with suppress(GammonError):
        position = position_of_dump(cell.play, Position.start().checkers)
        usual = Position.start()
        for point in range(1, 25):
            if position.points[point] > max(0, usual.points[point]):
                return position.flip() if cell.side is Player.WHITE else position
    return None


def set_position_text(board: Position, cube: Cube) -> str:
    """A board as White sees it, and the cube, as `; Set Pos=` has them."""
    letters = "".join(_LETTERS[count] for count in board.points)
    power = 0 if cube.owner is None else cube.value.bit_length() - 1
    sign = "-" if cube.owner is Player.WHITE and power else ""
    return f"{letters}/{sign}{power}"


def position_set_by_hand(text: str, first: Player, start: MatchState) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first.

    Raises:
        ParseError: the text is no such position.
        PositionError: the board is impossible.
    """
    board, _, exponent = text.partition("/")
    exponent = exponent or "0"
    if (
        len(board) != 26
        or not set(board) <= _CHECKERS.keys()
        or not _SMALL_NUMBER.fullmatch(exponent)
        or abs(int(exponent)) > _LARGEST_POWER
    ):
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    seen_by_white = Position.from_points(
        [_CHECKERS[letter] for letter in board], checkers=start.position.checkers
    )
    position = seen_by_white if first is Player.WHITE else seen_by_white.flip()
    return SetPosition(position, first, _cube_of_power(int(exponent), start.cube))


def _cube_of_power(power: int, before: Cube) -> Cube:
    """The cube of a comment: below 0 White owns it, above 0 Black does; 0 leaves one that is centered as it is."""
    if power:
        return Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return before if before.owner is None else Cube(1)
