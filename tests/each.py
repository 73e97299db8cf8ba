"""Parameters of which the plain command tries some, and `-m long` the others, which are of their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

LARGE = 100_000
"""Files of more bytes are tried by `-m long` only."""

FEW = 2
"""So are all others of a folder but this many."""


def file(paths: Iterable[Path], name: Callable[[Path], str]) -> pytest.MarkDecorator:
    """A test for each of them, under this name."""
    tried: Counter[Path] = Counter()
    parameters = []
    for path in paths:
        is_long = path.stat().st_size > LARGE or tried[path.parent] >= FEW
        tried[path.parent] += not is_long
        parameters.append(pytest.param(path, id=name(path), marks=[pytest.mark.long] if is_long else []))
    return pytest.mark.parametrize("path", parameters)


def first(names: str, values: Iterable[Any], *, of_these: int = 1, **others: Any) -> pytest.MarkDecorator:
    """A test for each value, as by `pytest.mark.parametrize`: the plain command tries only the first ones."""
    several = "," in names or not isinstance(names, str)
    parameters = [
        value if number < of_these else pytest.param(*(value if several else [value]), marks=pytest.mark.long)
        for number, value in enumerate(values)
    ]
    return pytest.mark.parametrize(names, parameters, **others)
