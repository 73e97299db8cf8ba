"""Functions of the caller, and what they raise, on their way to other processes."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from gammonrules._shared.extras import importing
from gammonrules.errors import ArgumentError
from gammonrules.values import error_text

Functions = TypeVar("Functions", bound=tuple[object, ...] | Callable[..., object])
Error = TypeVar("Error", bound=BaseException | None)


def pickled(functions: object, name: str, use: str) -> bytes:
    """Functions for other processes, those of a script or notebook with their code. Raises ArgumentError."""
    with importing("cloudpickle", use, "arena"):
        import cloudpickle  # type: ignore[import-untyped]  # noqa: PLC0415
    try:
        return bytes(cloudpickle.dumps(functions))  # pyright: ignore[reportUnknownMemberType]
    except Exception as error:
        why = f"{type(error).__name__}: {error_text(error):.200}"
        raise ArgumentError(
            f"{name} cannot be sent to other processes; with workers=1 nothing is sent ({why})"
        ) from error


def unpickled(functions: bytes | Functions, name: str) -> Functions:
    """The functions that `pickled` made bytes of; functions as they are. Raises ArgumentError."""
    if not isinstance(functions, bytes):
        return functions
    try:
        loaded: Functions = pickle.loads(functions)  # noqa: S301 - from our own process
    except Exception as error:
        why = f"{type(error).__name__}: {error_text(error):.200}"
        raise ArgumentError(f"the {name} cannot be loaded in another process: {why}") from error
    return loaded


def as_sent(error: Error) -> Error | None:
    """An exception as another process gets it; None if it cannot be pickled, as one of a script."""
    try:
        sent: Error = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - of any class
        return None
    return sent
