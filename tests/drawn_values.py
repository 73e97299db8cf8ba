"""What strategies draw: how often what comes, the simplest value that a property shows, and what there is to draw."""

from __future__ import annotations

import importlib
import inspect
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import attrs
from hypothesis import HealthCheck, Phase as Stage, find, given, settings, strategies as st

from gammonrules.board import Position

# The explain phase draws other values after the simplest has been found, and `find` would return one of those.
FINDING = settings(
    database=None,
    max_examples=2000,
    phases=[stage for stage in Stage if stage is not Stage.explain],
    suppress_health_check=list(HealthCheck),
)

AS_DRAWN = settings(database=None, phases=[Stage.generate])
"""What fails is shown as it was drawn."""


def simplest(strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool]) -> Any:
    """What a property that fails under this condition shows."""
    return find(strategy, condition, settings=FINDING, random=random.Random(1))


def men(position: Position) -> int:
    """How many checkers of both sides are on the board and the bar."""
    return sum(map(abs, position.points))


def changed(value: Any, plain: Any) -> set[str]:
    """The fields in which a value differs from a plain one."""
    return {
        field.name for field in attrs.fields(type(value)) if getattr(value, field.name) != getattr(plain, field.name)
    }


def seen(strategy: st.SearchStrategy[Any], facts: Callable[[Any], dict[str, bool]], examples: int = 150) -> Counter:
    """How many of so many values have each of these facts."""
    counted: Counter = Counter()

    @settings(max_examples=examples, database=None, derandomize=True, phases=[Stage.generate])
    @given(strategy)
    def count(value: Any) -> None:
        counted.update(name for name, holds in facts(value).items() if holds)
        counted["all"] += 1

    count()
    return counted


def public_classes(*modules: str) -> Iterator[type]:
    """Every class that a user can import from these modules."""
    for name in modules:
        module = importlib.import_module(f"gammonrules.{name}")
        yield from (value for name in module.__all__ if inspect.isclass(value := getattr(module, name)))
