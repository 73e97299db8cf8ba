"""Counter-based random numbers, in NumPy: used where there is no kernel."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["philox"]

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
_FACTORS = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_STEPS = 0x9E3779B9, 0xBB67AE85
_ROUNDS = 10


def philox(key: int, counters: npt.NDArray[np.uint32]) -> None:
    """Philox4x32-10 in place, `(N, 4)`.

    Source: J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011.
    """
    a, b, c, d = counters.astype(np.uint64).T
    keys = key & 0xFFFFFFFF, key >> 32
    for _ in range(_ROUNDS):
        ahead, behind = a * _FACTORS[0], c * _FACTORS[1]
        a, b = (behind >> _HALF) ^ b ^ np.uint64(keys[0]), behind & _LOW
        c, d = (ahead >> _HALF) ^ d ^ np.uint64(keys[1]), ahead & _LOW
        keys = (keys[0] + _STEPS[0]) & 0xFFFFFFFF, (keys[1] + _STEPS[1]) & 0xFFFFFFFF
    counters[:] = np.stack([a, b, c, d], axis=-1)
