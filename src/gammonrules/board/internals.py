"""What other folders of this package need of the board beside its values. None of it is public.

Its raw forms, above all: a board as 26 bytes, a move as a tuple, many boards as an array, and values made without their
constructors.
"""

from gammonrules.board.board_setup import STANDARD_CHECKERS, is_shut_out
from gammonrules.board.encoding import BAR, SLOTS, board_of, count_sides, flip, points_of
from gammonrules.board.generator import Maker, PlainMove, best_of_many, legal_plays_of_many, philox, read_many
from gammonrules.board.moves import read_moves
from gammonrules.board.notation import chains_of, parse_play, point_name, spell_play
from gammonrules.board.perft_counts import count_depths
from gammonrules.board.plays import legal_play, play_to
from gammonrules.board.position import start_of_games
from gammonrules.board.position_id import halves_of_id, is_position_id

__all__ = [
    "BAR",
    "SLOTS",
    "STANDARD_CHECKERS",
    "Maker",
    "PlainMove",
    "best_of_many",
    "board_of",
    "chains_of",
    "count_depths",
    "count_sides",
    "flip",
    "halves_of_id",
    "is_position_id",
    "is_shut_out",
    "legal_play",
    "legal_plays_of_many",
    "parse_play",
    "philox",
    "play_to",
    "point_name",
    "points_of",
    "read_many",
    "read_moves",
    "spell_play",
    "start_of_games",
]
