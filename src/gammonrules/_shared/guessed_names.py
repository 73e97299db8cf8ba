"""Names that users of python-chess and GNU Backgammon guess first, and the names to use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

GUESSES: Final[Mapping[str, Mapping[str, str]]] = {
    "gammonrules": {
        "Board": "'Position' for the checkers alone or 'MatchState' for the whole match"
    },
    "MatchState": {
        "fen": "'xgid'",
        "legal_moves": "'legal_plays'",
        "pass_": "'drop' to answer a double, or 'play' with an empty string if no play is legal",
        "push": "'play', which returns the next state",
        "turn": "'on_roll' for the player whose turn it is, or 'to_act' for the player who must act",
        "undo": "a reference to the previous state, since states never change",
    },
    "Position": {
        "fen": "'id'",
        "legal_moves": "'legal_plays'",
        "push": "'play', which returns the next position",
        "turn": "'MatchState.on_roll'; a position always belongs to the player on roll",
        "xgid": "'id' for the checkers alone or 'MatchState.xgid' for the whole match",
    },
}
"""By the module or class, what to use for each name that it does not have; twelve in all."""


class _Guess:
    """An attribute that does not exist, whose error has the right name.

    A class with `__getattr__` would be slower for all its attributes; this costs them nothing.
    """

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, value: object, owner: type) -> object:
        raise AttributeError(self._message)


def explain_guesses(cls: type) -> None:
    """Let a class answer the guesses of its name; they stay out of `dir`, and `hasattr` is false."""
    guesses = GUESSES[cls.__name__]

    def names(self: object) -> Iterable[str]:
        return [name for name in object.__dir__(self) if name not in guesses]

    for name in guesses:
        setattr(cls, name, _Guess(message_for(f"{cls.__name__!r} object", cls.__name__, name)))
    cls.__dir__ = names  # type: ignore[method-assign, assignment]


def message_for(owner: str, key: str, name: str) -> str:
    """The message for a name that a module or a class does not have.

    Args:
        owner: the module or object, in words.
        key: its key in `GUESSES`, if it has one.
        name: the name that was asked for.
    """
    use = GUESSES.get(key, {}).get(name)
    return (
        f"{owner} has no attribute {name!r}"
        if use is None
        else f"{owner} has no {name!r}; use {use}"
    )
