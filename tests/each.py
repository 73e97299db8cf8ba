"""Files as parameters of tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

LARGE = 140_000
"""Files of more bytes are tried by `-m long` only."""

FEW = 4
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
