"""Many boards at once: NumPy arrays in, NumPy arrays out (extra `numpy`).

    python -m pip install ".[numpy]"

Functions accept boards as a `Position`, a list of positions, or an array, and return a row for each board (`Boards`).
In an array a board is a row of 26 counts as in `Position.points`: index 1 to 24 are the points as the player on roll
numbers them, 25 is their bar, 0 the opponent's; their checkers are positive, the opponent's negative. Arrays of any
integer dtype and memory layout are accepted; an array that is already int8 and contiguous is not copied. Boards are
checked: no side has more than 15 checkers, and none is on the other side's bar. An error about a wrong number names the
first row that has one. Arrays that are returned belong to the caller, who may write into them; the arrays that
`play_games` and `play_matches` pass to a function, and those of `MatchStates`, are read-only.

Examples:
    >>> from gammonrules import Position, batch
    >>> boards = Position.start(), Position.start("nackgammon")
    >>> plays = batch.legal_plays(boards, ["31", "66"])
    >>> len(plays), plays.counts.tolist(), plays.points.shape, plays.moves.shape
    (2, [16, 3], (19, 26), (19, 4, 2))
"""

from gammonrules._shared.extras import importing

with importing("NumPy", "gammonrules.batch", "numpy"):
    import numpy as np  # noqa: F401 - only to say what is missing  # pyright: ignore[reportUnusedImport]

from gammonrules._arrays.checks import Boards
from gammonrules.batch._board_arrays import (
    chances,
    features,
    flip,
    from_positions,
    outcomes,
    pip_counts,
    to_positions,
)
from gammonrules.batch._board_features import BoardFeatures, board_features, kinds
from gammonrules.batch._games import Games, MatchGames
from gammonrules.batch._legal_plays import LegalPlays, Rolls, legal_plays
from gammonrules.batch._look_ahead import look_ahead, next_rolls
from gammonrules.batch._match_states import MatchStates
from gammonrules.batch._play import play_games, play_matches, random_games
from gammonrules.batch._position_ids import from_ids, to_ids
from gammonrules.batch._rollouts import Rollouts, rollout
from gammonrules.batch._turns import Turns

__all__ = [
    "BoardFeatures",
    "Boards",
    "Games",
    "LegalPlays",
    "MatchGames",
    "MatchStates",
    "Rollouts",
    "Rolls",
    "Turns",
    "board_features",
]
__all__ += ["chances", "features", "flip", "from_ids", "from_positions", "kinds", "legal_plays"]
__all__ += [
    "look_ahead",
    "next_rolls",
    "outcomes",
    "pip_counts",
    "play_games",
    "play_matches",
    "random_games",
]
__all__ += ["rollout", "to_ids", "to_positions"]
__dir__ = __all__.copy
