"""Positions set by hand, in the two ways that files write them: `; Set Pos=` and `Illegal play (...)`."""

from __future__ import annotations

import re

from gammonrules.board import Position
from gammonrules.errors import ParseError
from gammonrules.match import Cube, MatchState, Pair, Player, SetPosition

_DUMP_FIELDS = 40
_SMALL_NUMBER = re.compile(r"-?[0-9]{1,3}")


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it. Raises ParseError and PositionError."""
    fields = text.partition("(")[2].rpartition(")")[0].split(";")
    board = [int(value) for value in fields[12:38] if _SMALL_NUMBER.fullmatch(value)]
    if len(fields) < _DUMP_FIELDS or len(board) != 26 or max(map(abs, board)) > 15:
        raise ParseError("an illegal play must be followed by a board of 40 fields, and this one is not")
    return Position.from_points((-abs(board[0]), *board[1:25], abs(board[25])), checkers=checkers)


def position_set_by_hand(text: str, side: Player, checkers: int) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first. Raises ParseError and PositionError."""
    board, _, exponent = text.partition("/")
    points = tuple(letter_value(letter) for letter in board)
    power = int(exponent or "0") if _SMALL_NUMBER.fullmatch(exponent or "0") else 99
    if len(points) != 26 or None in points or abs(power) > 12:
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    position = Position.from_points(tuple(value or 0 for value in points), checkers=checkers)
    cube = Cube(1) if not power else Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return SetPosition(position if side is Player.WHITE else position.flip(), side, cube)


def letter_value(letter: str) -> int | None:
    """The checkers that a letter means: upper case the left player's, lower case the right player's."""
    if letter == "-":
        return 0
    if "A" <= letter <= "P":
        return ord(letter) - ord("A") + 1
    if "a" <= letter <= "p":
        return ord("a") - ord(letter) - 1
    return None


def set_position_line(white_view: Position, cube: Cube) -> str:
    letters = (
        "-" if not count else chr(ord("A") + count - 1) if count > 0 else chr(ord("a") - count - 1)
        for count in (white_view.points[0], *white_view.points[1:])
    )
    power = cube.value.bit_length() - 1
    sign = "-" if cube.owner is Player.WHITE else ""
    return f"; Set Pos={''.join(letters)}/{sign if power else ''}{power}"


def illegal_play(after: MatchState, names: Pair[str]) -> str:
    """The state after an illegal play, in the forty fields that other programs write."""
    player = after.on_roll
    assert player is not None  # noqa: S101 - a position set by hand always has one
    owner = 0 if after.cube.owner is None else 1 if after.cube.owner is player else -1
    rules = after.length or 0, int(after.rules.jacoby and after.length is None), 1, 0
    shown_names = (re.sub("[;()]", ".", names[side]) for side in (player, player.opponent))
    score = int(after.crawford), after.score[player], after.score[player.opponent]
    table = *score, after.cube.value, owner, *after.position.points
    fields = *rules, int(player is Player.WHITE), *shown_names, *table, 0, 0
    return f"Illegal play ({''.join(f'{value};' for value in fields)})"
