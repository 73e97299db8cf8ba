"""Whole numbers of another type."""

from __future__ import annotations


class Count:
    """A whole number that is not an int, like those of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value

    def __repr__(self) -> str:
        return f"Count({self.value})"
