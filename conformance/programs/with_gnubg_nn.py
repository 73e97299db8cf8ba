"""gnubg-nn, the evaluation of GNU Backgammon as a library: `gammonrules conform -- python with_gnubg_nn.py`.

Its board has two sides, the opponent's first: the checkers of each on their own points 1 to 24 and on the bar.
"""

import gnubg_nn

from loop import Board, serve


def boards(points: Board, dice: tuple[int, int]) -> list[Board]:
    theirs, mine = [max(-points[25 - at], 0) for at in range(1, 26)], [max(points[at], 0) for at in range(1, 26)]
    keys = gnubg_nn.moves((tuple(theirs), tuple(mine)), *dice)
    return [signed(*gnubg_nn.board_from_position_key(key)) for key in keys]


def signed(theirs: tuple[int, ...], mine: tuple[int, ...]) -> Board:
    return [-theirs[24], *(mine[at] - theirs[23 - at] for at in range(24)), mine[24]]


serve("gnubg-nn", "gnubg-nn", boards)
