"""Whole numbers of any type."""

from __future__ import annotations

from operator import index
from typing import SupportsIndex


def whole_number(value: object) -> int | None:
    """A whole number as a plain int, whatever its type; None if it is none. A bool counts as none."""
    return index(value) if isinstance(value, SupportsIndex) and not isinstance(value, bool) else None
