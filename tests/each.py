"""Parameters of which the plain command tries some, and `-m long` the others, which are of their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

LARGE = 100_000
"""Files of more bytes are tried by `-m long` only."""

FEW = 2
"""So are all others of a folder but this many."""

has_long = True
"""Whether parameters that only `-m long` tries become tests: `conftest.py` sets it, since each takes time to make."""


def file(paths: Iterable[Path], name: Callable[[Path], str]) -> pytest.MarkDecorator:
    """A test for each of them, under this name."""
    tried: Counter[Path] = Counter()
    parameters = []
    for path in paths:
        is_long = path.stat().st_size > LARGE or tried[path.parent] >= FEW
        tried[path.parent] += not is_long
        if has_long or not is_long:
            parameters.append(pytest.param(path, id=name(path), marks=[pytest.mark.long] if is_long else []))
    return pytest.mark.parametrize("path", parameters)


def first(names: str, values: Iterable[Any], *, of_these: int = 1, **others: Any) -> pytest.MarkDecorator:
    """A test for each value, as by `pytest.mark.parametrize`: the plain command tries only the first ones."""
    several = "," in names or not isinstance(names, str)
    parameters = [*islice(values := iter(values), of_these)]
    if has_long:
        parameters += [pytest.param(*(value if several else [value]), marks=pytest.mark.long) for value in values]
    if isinstance(others.get("ids"), list):
        others["ids"] = others["ids"][: len(parameters)]
    return pytest.mark.parametrize(names, parameters, **others)
