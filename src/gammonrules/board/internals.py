"""What other folders of this package need of the board beside its values. None of it is public.

Its raw forms, above all: a board as 26 bytes, a move as a tuple, and values made without their constructors.
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import when_named
from gammonrules.board.board_setup import (
    STANDARD_CHECKERS as STANDARD_CHECKERS,
    is_shut_out as is_shut_out,
)
from gammonrules.board.encoding import (
    BAR as BAR,
    SLOTS as SLOTS,
    board_of as board_of,
    flip as flip,
    longest_prime as longest_prime,
    pips_of as pips_of,
    points_of as points_of,
    sides as sides,
)
from gammonrules.board.generator import (
    KERNEL as KERNEL,
    Maker as Maker,
    PlainMove as PlainMove,
    kernel as kernel,
)
from gammonrules.board.moves import read_moves as read_moves
from gammonrules.board.notation import (
    chains_of as chains_of,
    legs_of as legs_of,
    parse_play as parse_play,
    point_name as point_name,
    spell_play as spell_play,
)
from gammonrules.board.position import (
    board_in as board_in,
    legal_play as legal_play,
    play_to as play_to,
    position_of_sides as position_of_sides,
    start_of_games as start_of_games,
)
from gammonrules.board.position_id import (
    FIELDS as FIELDS,
    LENGTH as LENGTH,
    bits_of_side as bits_of_side,
    halves_of_id as halves_of_id,
    id_of_bits as id_of_bits,
    is_position_id as is_position_id,
)
from gammonrules.board.position_kinds import conditions as conditions, is_mine as is_mine

if TYPE_CHECKING:
    from gammonrules.board.perft_counts import (
        count_depths as count_depths,
        count_plays as count_plays,
    )
else:
    __getattr__ = when_named("gammonrules.board", perft_counts=("count_depths", "count_plays"))
