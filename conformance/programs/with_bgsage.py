"""bgsage, an engine: `gammonrules conform -- python with_bgsage.py`. It counts the opponent's bar, 0, above 0 too."""

import bgsage

from loop import Board, serve


def boards(points: Board, dice: tuple[int, int]) -> list[Board]:
    return [with_bar(board) for board in bgsage.possible_moves(with_bar(points), *dice)]


def with_bar(board: Board) -> Board:
    return [-board[0], *board[1:]]


serve("bgsage", "bgsage", boards)
