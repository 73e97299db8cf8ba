"""Environments for reinforcement learning: Gymnasium, one game or thousands at once, and PettingZoo.

    python -m pip install ".[environments]"

Importing this module registers `gammonrules/Backgammon-v0` with Gymnasium: a `BackgammonEnv`, in which one agent plays
White against a given opponent, or with `make_vec` a `BackgammonVectorEnv`, which plays thousands of such games at once.
The module `backgammon_v0`, which is imported when first named, has the environment of PettingZoo, with two agents.

Examples:
    >>> import gymnasium
    >>> import gammonrules.environments
    >>> env = gymnasium.make("gammonrules/Backgammon-v0")
    >>> observation, info = env.reset(seed=2026)
    >>> ended = False
    >>> while not ended:
    ...     action = env.action_space.sample(info["action_mask"])
    ...     observation, reward, ended, cut, info = env.step(action)
    >>> reward in {-3, -2, -1, 1, 2, 3}
    True
"""

from typing import TYPE_CHECKING

from gammonrules._shared.extras import importing, when_named as _when_named

with importing("Gymnasium", "gammonrules.environments", "environments"):
    import gymnasium

from gammonrules.environments._action_encoding import (
    CUBE_ACTIONS,
    MAX_PLAYS,
    NUM_PLAY_CODES,
    decode_play,
    encode_moves,
    encode_play,
)
from gammonrules.environments._single import BackgammonEnv
from gammonrules.environments._vector import BackgammonVectorEnv

__all__ = [
    "CUBE_ACTIONS",
    "MAX_PLAYS",
    "NUM_PLAY_CODES",
    "BackgammonEnv",
    "BackgammonVectorEnv",
    "decode_play",
    "encode_moves",
    "encode_play",
]

# PettingZoo is imported when first needed. Type checkers must not see `__getattr__`, as in `gammonrules`.
if TYPE_CHECKING:
    from gammonrules.environments import backgammon_v0 as backgammon_v0
else:
    __getattr__ = _when_named(__name__, "backgammon_v0")

    def __dir__() -> list[str]:
        return [*__all__, "backgammon_v0"]


gymnasium.register(  # pyright: ignore[reportUnknownMemberType]  it takes a bare dict
    id="gammonrules/Backgammon-v0",
    entry_point="gammonrules.environments:BackgammonEnv",
    vector_entry_point="gammonrules.environments:BackgammonVectorEnv",
)
