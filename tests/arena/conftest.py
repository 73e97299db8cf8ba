"""Arenas of tests have the same dice each time where a test names no seed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def same_dice() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:  # which no test undoes
        patch.setattr("gammonrules.arena._run.drawn_seed", lambda: 1)
        yield patch
