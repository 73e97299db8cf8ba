"""What is open for the tests of this folder ends with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from open_engines import close_all


@pytest.fixture(scope="session", autouse=True)
def _closing() -> Iterator[None]:
    yield
    close_all()
