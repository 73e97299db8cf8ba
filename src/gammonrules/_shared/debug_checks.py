"""Whether what is trusted is checked again, for tests and fuzzers.

What users pass is checked where it comes in, and everything behind that trusts it. With `GAMMONRULES_RECHECK=1` in the
environment when the package is imported, functions assert what they rely on, and a value that is made unchecked is made
as users make it as well. What does not hold is an AssertionError: a fault of ours, never of a user.
"""

from __future__ import annotations

import inspect
import os
import threading
from functools import partial
from typing import Final

RECHECK: Final = os.environ.get("GAMMONRULES_RECHECK", "0") not in {"", "0"}


class _Progress(threading.local):
    is_rechecking = False


_progress = _Progress()


def recheck(value: object) -> None:
    """Make a value once more: by `_remade`, or by its constructor, with a parameter for each attribute that counts.

    What is made on the way is not rechecked, since it would go round in circles.

    Raises:
        AssertionError: this refuses it, or makes another value.
    """
    if _progress.is_rechecking:
        return
    name = type(value).__name__
    remade = getattr(value, "_remade", partial(_constructed, value))
    _progress.is_rechecking = True
    try:
        is_same = remade() == value
    except ValueError as error:
        raise AssertionError(f"{name} that is refused: {error}") from error
    finally:
        _progress.is_rechecking = False
    assert is_same, f"{name} that is made another: {value!r}"


def _constructed(value: object) -> object:
    cls = type(value)
    return cls(**{name: getattr(value, name) for name in inspect.signature(cls).parameters})
