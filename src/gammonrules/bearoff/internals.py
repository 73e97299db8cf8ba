"""What Hypergammon and other folders need of bear-off tables beside their values. None of it is public."""

from gammonrules.bearoff._bearoff_table import ClosingTable as ClosingTable
from gammonrules.bearoff._gnubg_files import check_size as check_size
from gammonrules.bearoff._layouts import (
    ROLL_PAIRS as ROLL_PAIRS,
    ROLLS as ROLLS,
    WEIGHTS as WEIGHTS,
    Bytes as Bytes,
    ProgressCallback as ProgressCallback,
)
from gammonrules.bearoff._make import mapped as mapped, unwatched as unwatched
from gammonrules.bearoff._own_files import checksum as checksum
from gammonrules.bearoff._solved_race import why_not_solved as why_not_solved
from gammonrules.bearoff._two_sided import Cube as Cube, column_of as column_of
