"""gym_backgammon, an environment: `gammonrules conform -- python with_gym_backgammon.py`.

The player on roll is its White, who moves down; points are counted from 0, and a roll of White is negative.
"""

from gym_backgammon.envs.backgammon import BLACK, WHITE, Backgammon

from loop import Board, serve


def boards(points: Board, dice: tuple[int, int]) -> list[Board]:
    game = Backgammon()
    roll = (-dice[0], -dice[1])
    results = set()
    for play in set_up(game, points).get_valid_plays(WHITE, roll):
        set_up(game, points).execute_play(WHITE, play)
        signed = (count if who == WHITE else -count for count, who in game.board)
        results.add((-game.bar[BLACK], *signed, game.bar[WHITE]))
    return [list(board) for board in results]


def set_up(game: Backgammon, points: Board) -> Backgammon:
    game.board = [(abs(count), WHITE if count > 0 else BLACK if count else None) for count in points[1:25]]
    game.bar = [points[25], -points[0]]
    on_board = sum(max(count, 0) for count in points), -sum(min(count, 0) for count in points)
    game.off = [15 - count for count in on_board]
    game.players_positions = game.get_players_positions()
    return game


serve("gym_backgammon", "gym_backgammon", boards)
