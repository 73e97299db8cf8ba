"""Whole numbers of other types."""

from __future__ import annotations


class Count:
    """A whole number that is no int, as those of NumPy are."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value
