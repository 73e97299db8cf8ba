"""What tests of the command share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
