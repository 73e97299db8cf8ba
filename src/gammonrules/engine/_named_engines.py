"""The engines that have a name: for `SimpleEngine.open`, as players of an arena, and in the help of the command.

A new engine that is chosen by name is an entry here, and a driver. This file loads no driver before it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Final

from attrs import frozen

from gammonrules._shared.engine_levels import TEMPERATURES
from gammonrules.errors import ArgumentError
from gammonrules.values import one_of, shown, suggestion

if TYPE_CHECKING:
    from gammonrules.engine._driver import Driver
    from gammonrules.engine._rollout import Rollout
    from gammonrules.engine._tiers import Tiers


@frozen
class EngineWithLevels:
    """An engine that looks as deep as it is asked to."""

    name: str
    driver: Callable[[int | None, Rollout | None], Driver]
    """Makes its driver for a level and a rollout, or for what is usual. Raises ArgumentError."""
    remark: str = ""
    """What users may not know of its levels."""
    strengths: Collection[str] = ()
    """Names of players who err, which may stand for a level where players are named."""


@frozen
class EngineOfFile:
    """An engine that plays from a table in a file, whose path follows its name and a colon."""

    name: str
    driver: Callable[[str], Driver]
    """Makes its driver for a path. Raises OSError and ParseError."""


def _bgsage(level: int | None, rollout: Rollout | None) -> Driver:
    from gammonrules.engine._factory import bgsage_driver  # noqa: PLC0415

    return bgsage_driver(level, rollout)


def _gnubg(level: int | None, rollout: Rollout | None) -> Driver:
    from gammonrules.engine._factory import gnubg_driver  # noqa: PLC0415

    return gnubg_driver(level, rollout)


def _selftaught(level: int | None, rollout: Rollout | None) -> Driver:
    from gammonrules.engine._factory import selftaught_driver  # noqa: PLC0415

    if rollout is not None:
        raise ArgumentError("selftaught rolls nothing out: leave out rollout")
    return selftaught_driver(level)


def _hypergammon(path: str) -> Driver:
    from gammonrules.engine._hypergammon import Hypergammon  # noqa: PLC0415

    return Hypergammon(path)


ENGINES_WITH_LEVELS: Final = (
    EngineWithLevels("bgsage", _bgsage),
    EngineWithLevels("gnubg", _gnubg, remark="its own N-ply is level N+1"),
    EngineWithLevels("selftaught", _selftaught, strengths=TEMPERATURES),
)
ENGINES_OF_FILES: Final = (EngineOfFile("hypergammon", _hypergammon),)

ENGINES: Final = tuple(engine.name for engine in ENGINES_WITH_LEVELS)
"""The engines that `open` knows by name."""


def engine_with_levels(name: object) -> EngineWithLevels | None:
    """The engine with this name; None if there is none."""
    return next((engine for engine in ENGINES_WITH_LEVELS if engine.name == name), None)


def engine_of_file(name: object) -> EngineOfFile | None:
    """The engine with this name; None if there is none."""
    return next((engine for engine in ENGINES_OF_FILES if engine.name == name), None)


def forms_of_names() -> list[str]:
    """The forms of names that say all of an engine: "bgsage:LEVEL", "hypergammon:FILE"."""
    with_levels = [f"{engine.name}:LEVEL" for engine in ENGINES_WITH_LEVELS]
    of_files = [f"{engine.name}:FILE" for engine in ENGINES_OF_FILES]
    return with_levels + of_files


def driver_named(name: str | None, level: int | Tiers | None, rollout: Rollout | None) -> Driver:
    """The driver of `SimpleEngine.open`. Raises ArgumentError, and what drivers of files raise."""
    from gammonrules.engine._factory import default_driver, tiered_driver  # noqa: PLC0415
    from gammonrules.engine._own_process import OwnProcess  # noqa: PLC0415
    from gammonrules.engine._tiers import Tiers  # noqa: PLC0415

    if name is None:
        return default_driver(level, rollout)
    with_levels = engine_with_levels(name)
    if with_levels is not None:
        if isinstance(level, Tiers):
            if name == "selftaught":
                raise ArgumentError("selftaught has no tiers: level is 1 or 2")
            no_timeout = None
            return OwnProcess(tiered_driver(level, rollout, with_levels.driver), no_timeout)
        return with_levels.driver(level, rollout)
    # else a name such as "hypergammon:FILE"
    text = name if isinstance(name, str) else ""
    kind, colon, path = text.partition(":")
    of_file = engine_of_file(kind)
    if not colon or of_file is None:
        near = suggestion(name, ENGINES)
        raise ArgumentError(f"engine must be {one_of(ENGINES)}, not {shown(name, 60)}{near}")
    if level is not None or rollout is not None:
        raise ArgumentError(f"{shown(name, 60)} is exact: leave out level and rollout")
    return of_file.driver(path)
