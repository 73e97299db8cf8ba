"""gammonview, which judges the plays of records: `gammonrules conform -- python with_gammonview.py`.

Its sides are counts of checkers on the points of the player on roll; a play is a tuple of moves.
"""

from gvformat.legality import legal_plays

from loop import Board, serve


def boards(points: Board, dice: tuple[int, int]) -> list[Board]:
    mine = [0, *(max(count, 0) for count in points[1:])]
    theirs = [-min(points[0], 0), *(max(-count, 0) for count in points[1:25]), 0]
    plays, _ = legal_plays(mine, theirs, *dice)
    return [list(board) for board in {after(points, play) for play in plays}]


def after(points: Board, play: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    """The board after the moves; a checker that is hit goes to the bar, which is at 0."""
    board = list(points)
    for source, target in sorted(play, reverse=True):
        board[source] -= 1
        if target:
            if board[target] == -1:
                board[target] = 0
                board[0] -= 1
            board[target] += 1
    return tuple(board)


serve("gammonview", "gammonview", boards)
