"""Files as parameters of tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

LARGE = 140_000
"""Files of more bytes are tried by `-m long` only."""


def file(paths: Iterable[Path], name: Callable[[Path], str]) -> pytest.MarkDecorator:
    """A test for each of them, under this name."""
    large = {path: [pytest.mark.long] if path.stat().st_size > LARGE else [] for path in paths}
    return pytest.mark.parametrize("path", [pytest.param(path, id=name(path), marks=large[path]) for path in large])
