"""Positions and records as text of eXtreme Gammon, changed at random; `fuzzing.readers` says what must hold."""

from __future__ import annotations

import random

from fuzzing.readers import changed_text, check_record, files

TEXTS = files("analysis/xg-text/*.txt", "matches/xg-text/*")


def case(rng: random.Random) -> bytes:
    """A file."""
    return changed_text(rng, TEXTS, "\\n\\n\\n :=-")


def octets(case: bytes) -> bytes:
    """The file itself."""
    return case


def check(case: bytes) -> None:
    """Read it, and do everything with it that can be done."""
    check_record(case)
