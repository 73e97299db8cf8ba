"""Bots that cannot be started: one message that says who, in which pair, and why."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import pytest
from test_arena_laws import NO_CUBE
from test_bad_bots import raises

import loop
import wording
from bots import first
from gammonrules import arena
from gammonrules.engine import SimpleEngine
from gammonrules.errors import BotError, EngineStartError


def missing_weights() -> NoReturn:
    Path("/no/such/weights").read_bytes()
    raise AssertionError


@loop.rows(("options", "begin"), ({"workers": 1}, 0), ({"workers": 2}, 3), ({"workers": map}, 0))
def test_a_bot_that_cannot_be_started(options: dict[str, Any], begin: int) -> None:
    """An error of the user's is told as theirs, and is the cause: in this process, in others, and elsewhere."""
    bots: list[tuple[Any, type[Exception], list[str]]] = [
        (arena.EnginePlayer(missing_weights), FileNotFoundError, ["FileNotFoundError", "/no/such/weights"]),
        (arena.EnginePlayer(lambda: None), TypeError, ["TypeError", "context manager"]),
        (arena.EnginePlayer(partial(SimpleEngine.gnubg, program="/no/such")), EngineStartError, ["/no/such"]),
        (raises(KeyError("no idea")), KeyError, ["KeyError", "no idea"]),
    ]
    for bot, cause, words in bots[begin:]:  # a process takes longer to start
        with pytest.raises(BotError) as caught:
            arena.play({"opponent": first, "Bad one": bot}, games=2, rules=NO_CUBE, **options)
        wording.check(caught.value, "opponent against Bad one, pair 1 of seed 1: Bad one: ", *words, longest=700)
        assert isinstance(caught.value.__cause__, cause)
