"""What holds of every `Pair`, of the core and of records."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

from gammonrules.match import Pair, Player


def is_pair_of(plain: tuple[Any, Any], pair: Any) -> None:
    """It takes a player, and is this tuple otherwise; also what is made of it."""
    assert (pair[Player.WHITE], pair[Player.BLACK]) == (pair[0], pair[-1]) == plain
    assert (hash(pair), repr(pair), json.dumps(pair)) == (hash(plain), repr(plain), json.dumps(plain))
    assert type(pickle.loads(pickle.dumps(pair))) is type(copy.deepcopy(pair)) is Pair
