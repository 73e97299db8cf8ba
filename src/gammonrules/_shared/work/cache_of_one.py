"""What a process keeps because it is costly to make, such as an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from attrs import define

from gammonrules._shared.forks import call_in_forks


class _Closable(Protocol):
    def close(self) -> object: ...


Key = TypeVar("Key")
Value = TypeVar("Value", bound=_Closable)


@define(eq=False)
class CacheOfOne(Generic[Key, Value]):
    """A cache with a single value: one for another key takes its place, and it is closed before that is made.

    A fork has none, since the engine of its parent is not its own.
    """

    make: Callable[[Key], Value]
    _entry: tuple[Key, Value] | None = None

    def get(self, key: Key) -> Value:
        """The value for this key, made if it is not there."""
        if self._entry is not None and self._entry[0] == key:
            return self._entry[1]
        self.close()
        value = self.make(key)
        self._entry = (key, value)
        # here, since a copy in another process is unpickled
        call_in_forks(self, lambda cache: cache.forget())
        return value

    def close(self) -> None:
        """Close the value, if there is one."""
        entry = self._entry
        self._entry = None
        if entry is not None:
            entry[1].close()

    def forget(self) -> None:
        """Forget the value without closing it."""
        self._entry = None
