"""Changes of JSON documents at random, whatever they hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

NAMES = ("", *"version type value points by dice moves position cube owner double castle".split())
LEAVES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 6, 7, 15, 16, 25, 64, 1 << 20, 2**53 - 1, 2**53, -(2**53), 10**30, 0.0, 1.0,
    -0.5, 1e300, float("inf"), float("nan"), "", "white", "black", "single", "gammon", "roll", "MatchState", "Double",
    "31", "8/5 6/5", "x" * 300, "\ud800", "\0", "ſingle", [], {}, [3, 1], [0] * 26, [0] * 27, {"type": "Double"}, [[]],
)  # fmt: skip


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)


def change(rng: random.Random, document: Any) -> None:
    """Replace, leave out, add, exchange or wrap a part of a document."""
    inside = list(places(document))
    if not inside:
        return
    container, key = rng.choice(inside)
    match rng.randrange(8):
        case 0:
            del container[key]
        case 1 if isinstance(container, dict):
            container[rng.choice(NAMES)] = deepcopy(rng.choice(LEAVES))
        case 1:
            container.insert(key, deepcopy(rng.choice(LEAVES)))
        case 2:
            other, other_key = rng.choice(inside)
            container[key] = deepcopy(other[other_key])
        case 3:
            container[key] = [container[key]] if rng.random() < 0.5 else {rng.choice(NAMES): container[key]}
        case 4 if type(container[key]) is int:
            container[key] += rng.choice((-1, 1, 2, 10))
        case 5 if isinstance(container, dict) and isinstance(key, str):
            container[key + rng.choice(("s", " ", "\0", "\ud800")) if rng.random() < 0.5 else key.upper()] = (
                container.pop(key)
            )
        case 6 if isinstance(container[key], list):
            container[key] = container[key] * rng.choice((0, 2, 2, 1000))
        case _:
            container[key] = deepcopy(rng.choice(LEAVES))
