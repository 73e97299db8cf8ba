"""Whole numbers of other types, and what claims to be some."""

from __future__ import annotations


class Count:
    """A whole number that is not an int, like those of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class Equal(type):
    """A class of classes that claim to be any other one."""

    def __eq__(cls, other: object) -> bool:
        return True

    __hash__ = type.__hash__


class LikeInt(metaclass=Equal):
    """A value whose class is equal to int, but is not int."""

    def __index__(self) -> int:
        raise ZeroDivisionError

    def __repr__(self) -> str:
        return "LikeInt()"
