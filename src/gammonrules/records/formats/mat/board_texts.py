"""Boards in match text: the one after an illegal play, and the one with which a comment lets a game start."""

from __future__ import annotations

import re

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
_NUMBERS_OF_BOARD = 26
"""The 24 points, and the bars of both players."""
_MAX_CHECKERS = 15
_MAX_POWER = 12
"""The most turns of the cube that a comment may state."""


def is_dump(text: str) -> bool:
    """Whether the text of a play is `Illegal play (...)`, which DailyGammon and others write."""
    return text.lower().startswith("illegal play")


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it.

    Raises:
        ParseError: the text holds no such board.
        PositionError: the board is impossible.
    """
    in_brackets = text.partition("(")[2].rpartition(")")[0]
    fields = in_brackets.split(";")
    counts = [int(field) for field in fields[_BOARD_OF_DUMP] if _SMALL_NUMBER.fullmatch(field)]
    lacks_fields = len(fields) < _FIELDS_OF_DUMP or len(counts) != _NUMBERS_OF_BOARD
    has_too_many_checkers = any(abs(count) > _MAX_CHECKERS for count in counts)
    if lacks_fields or has_too_many_checkers:
        raise ParseError(
            "an illegal play must be followed by a board of 40 fields, and this one is not"
        )
    # programs differ in the signs of the checkers on the bar
    counts[0] = -abs(counts[0])
    counts[25] = abs(counts[25])
    return Position.from_points(counts, checkers=checkers)


def board_before_first_roll(cell: Cell, usual: Position) -> Position | None:
    """The board, as White sees it, with which a game begins if its first cell is the dump of an illegal play.

    None if the game may begin as usual, and an illegal play of its first roll has led to that board. A play does not
    move the opponent's checkers, except to the bar, so their other points then are those of the usual start. No game
    begins with a finished board.
    """
    if cell.side is None or not is_dump(cell.play):
        return None
    try:
        seen_by_opponent = position_of_dump(cell.play, usual.checkers)
    except GammonError:
        return None
    if seen_by_opponent.outcome is not None:
        return None
    for point in range(1, 25):
        usual_checkers = max(0, usual.points[point])
        if seen_by_opponent.points[point] > usual_checkers:
            opponent_is_white = cell.side is Player.BLACK
            return seen_by_opponent if opponent_is_white else seen_by_opponent.flip()
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
    board, _, power_text = text.partition("/")
    if power_text == "":  # a centered cube
        power_text = "0"
    is_board = len(board) == _NUMBERS_OF_BOARD and set(board) <= _CHECKERS.keys()
    is_number = _SMALL_NUMBER.fullmatch(power_text) is not None
    if not is_board or not is_number or abs(int(power_text)) > _MAX_POWER:
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    seen_by_white = Position.from_points(
        [_CHECKERS[letter] for letter in board], checkers=start.position.checkers
    )
    position = seen_by_white if first is Player.WHITE else seen_by_white.flip()
    return SetPosition(position, first, _cube_of_power(int(power_text), start.cube))


def _cube_of_power(power: int, before: Cube) -> Cube:
    """The cube of a comment: below 0 White owns it, above 0 Black does; 0 leaves one that is centered as it is."""
    if power:
        return Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return before if before.owner is None else Cube(1)
