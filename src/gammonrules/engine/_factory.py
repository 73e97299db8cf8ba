"""Drivers of the engines that this library knows, made of what users say: checked, and not yet started."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Final

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.engine_levels import RACE_CUBES, RACE_PLAYS, TEMPERATURES, USUAL_LEVEL
from gammonrules._shared.extras import INSTALL
from gammonrules.analysis.internals import default_level
from gammonrules.board.internals import KERNEL
from gammonrules.dice import RandomSource, thrower
from gammonrules.engine._bgsage import (
    MAX_LEVEL,
    Bgsage,
    BgsageLookingAgain,
    installed,
    is_lost_by_fork,
    name_at_level,
)
from gammonrules.engine._default import Default
from gammonrules.engine._driver import Driver
from gammonrules.engine._early_stopping import BgsageInChunks, GnubgInChunks
from gammonrules.engine._gnubg import MAX_PLIES, Gnubg
from gammonrules.engine._gnubg_rollouts import GnubgRollouts
from gammonrules.engine._own_process import OwnProcess
from gammonrules.engine._rollout import Rollout
from gammonrules.engine._selftaught import MAX_SELFTAUGHT_LEVEL, Selftaught, name_of_selftaught
from gammonrules.engine._tiers import Tiered, Tiers
from gammonrules.engine._ubgi import Ubgi, checked_command, checked_options
from gammonrules.errors import ArgumentError
from gammonrules.values import choice_argument, plain_text, real_argument, shown, whole_argument

_FOR_EVER: Final = 1e8
"""Seconds, three years: so much is no limit, since a system cannot wait for much more."""
_USUAL_ON_THE_WAY: Final = 1
"""The level of the decisions in a rollout, unless another is chosen."""


def bgsage_driver(
    level: int | None,
    rollout: Rollout | None,
    *,
    process: bool = False,
    timeout: float | None = None,
) -> Driver:
    """The driver of `SimpleEngine.bgsage`. Raises ArgumentError."""
    check_kind("rollout", rollout, Rollout | None)
    driver = _bgsage_here(_checked_level(level, rollout, MAX_LEVEL), rollout)
    takes_long = rollout is not None
    return _placed(driver, seconds_or_none(timeout), process=process or takes_long)


def _bgsage_here(depth: int, rollout: Rollout | None) -> Driver:
    if rollout is not None and rollout.until is not None:
        return BgsageInChunks(depth, rollout)
    return Bgsage(depth, rollout)


def gnubg_driver(
    level: int | None,
    rollout: Rollout | None,
    *,
    noise: float = 0,
    timeout: float | None = 60,
    program: str | None = None,
) -> Driver:
    """The driver of `SimpleEngine.gnubg`. Raises ArgumentError."""
    check_kind("rollout", rollout, Rollout | None)
    # this library's level N is the (N-1)-ply of GNU Backgammon
    depth = _checked_level(
        level, rollout, MAX_PLIES + 1, name="level (one more than its own plies)"
    )
    plies = depth - 1
    deviation = real_argument(
        "noise", value=noise, needed="a number from 0 to 1", fits=lambda number: 0 <= number <= 1
    )
    path = None
    if program is not None:
        path = plain_text(program)
        if path is None:
            raise ArgumentError(
                f"program must be its name or path, without arguments, not {shown(program, 60)}"
            )
    seconds = seconds_or_none(timeout)
    if rollout is None:
        return Gnubg(plies, deviation, path, seconds)
    if rollout.until is None:
        return GnubgRollouts(rollout, plies, noise=deviation, program=path, timeout=seconds)
    return GnubgInChunks(rollout, plies, noise=deviation, program=path, timeout=seconds)


def selftaught_driver(
    level: int | None, *, strength: str | None = None, rng: RandomSource | None = None
) -> Driver:
    """The driver of `SimpleEngine.selftaught`. Raises ArgumentError."""
    if level is not None:
        level = whole_argument("level", value=level, minimum=1, maximum=MAX_SELFTAUGHT_LEVEL)
    chance = _numbers_drawn_by(rng)
    if strength is None:
        return Selftaught(USUAL_LEVEL if level is None else level)
    strength = choice_argument("strength", value=strength, choices=tuple(TEMPERATURES))
    if level not in {None, 1}:
        raise ArgumentError(f"a strength is of level 1, not {level}: leave out level")
    return Selftaught(1, TEMPERATURES[strength], chance)


def _numbers_drawn_by(rng: RandomSource | None) -> Callable[[], float]:
    """A source of numbers from 0 up to, but excluding, 1."""
    if rng is None:
        from random import Random  # noqa: PLC0415 - it takes time to load

        rng = Random()  # noqa: S311
    throw = thrower(rng)
    steps = 1 << 53  # as many as a float can tell apart
    return lambda: throw(0, steps) / steps


def ubgi_driver(
    command: object, level: int | None, options: Mapping[str, object] | None, timeout: float | None
) -> Driver:
    """The driver of `SimpleEngine.ubgi`. Raises ArgumentError."""
    if level is not None:
        level = whole_argument("level", value=level, minimum=1, maximum=MAX_PLIES + 1)
    return Ubgi(
        checked_command(command),
        level=level,
        options=checked_options(options),
        timeout=seconds_or_none(timeout),
    )


def default_driver(
    level: int | Tiers | None,
    rollout: Rollout | None,
    *,
    process: bool = False,
    timeout: float | None = None,
) -> Driver:
    """The driver of `SimpleEngine.default`. Raises ArgumentError."""
    check_kind("rollout", rollout, Rollout | None)
    driver = _default_here(level, rollout)
    takes_long = rollout is not None or isinstance(level, Tiers)
    return _placed(driver, seconds_or_none(timeout), process=process or takes_long)


def _default_here(level: int | Tiers | None, rollout: Rollout | None) -> Driver:
    bgsage = installed()
    if isinstance(level, Tiers):
        return Default(
            name_at_level(bgsage, min(level.levels)),
            level.level,
            contact=tiered_driver(level, rollout, bgsage_driver),
            race_plays=Bgsage(RACE_PLAYS),
            race_cubes=Bgsage(RACE_CUBES),
        )
    if rollout is not None:
        rolling_out = _bgsage_here(_checked_level(level, rollout, MAX_LEVEL), rollout)
        return Default(
            bgsage,
            rolling_out.level,
            contact=rolling_out,
            race_plays=rolling_out,
            race_cubes=rolling_out,
        )
    depth = _checked_level(level, None, MAX_LEVEL)
    if not bgsage and depth <= MAX_SELFTAUGHT_LEVEL and KERNEL == "c":
        return _selftaught_by_default(depth)
    looks_again = level is None
    return Default(
        name_at_level(bgsage, depth),
        default_level(depth, looks_again=looks_again),
        contact=BgsageLookingAgain(depth) if looks_again else Bgsage(depth),
        race_plays=Bgsage(max(depth, RACE_PLAYS)),
        race_cubes=Bgsage(max(depth, RACE_CUBES)),
    )


def _selftaught_by_default(depth: int) -> Driver:
    """What answers in the place of bgsage: selftaught, with exact values if there is NumPy, which they need."""
    selftaught = Selftaught(depth)
    driver: Driver = selftaught
    advice = list[str]()
    if find_spec("numpy") is None:
        advice.append(f"short races are solved exactly with NumPy; {INSTALL.format('numpy')}")
    else:
        driver = Default(
            name_of_selftaught(),
            default_level(depth),
            contact=selftaught,
            race_plays=selftaught,
            race_cubes=selftaught,
        )
    look = "one roll ahead" if depth > 1 else "without looking ahead"
    advice.append(f"bgsage judges better than selftaught {look}; {INSTALL.format('engine')}")
    driver.advice = "; ".join(advice)
    return driver


def tiered_driver(
    tiers: Tiers, rollout: Rollout | None, driver_of: Callable[[int | None, Rollout | None], Driver]
) -> Driver:
    """The driver of tiers: `driver_of` makes one for each of their levels, and one for their rollout."""
    if rollout is not None:
        raise ArgumentError("tiers have a rollout of their own: leave out rollout")
    drivers = [driver_of(level, None) for level in tiers.levels]
    if tiers.rollout is not None:
        usual_level = None
        drivers.append(driver_of(usual_level, tiers.rollout))
    return Tiered(tiers, drivers)


def _placed(driver: Driver, seconds: float | None, *, process: bool) -> Driver:
    """The driver in a process of its own, or as it is. Raises ArgumentError for a timeout that nothing can end."""
    if seconds is not None and not process:
        raise ArgumentError("timeout needs a process of its own: process=True")
    if process or is_lost_by_fork():
        return OwnProcess(driver, seconds)
    return driver


def _checked_level(
    level: int | None, rollout: Rollout | None, limit: int, name: str = "level"
) -> int:
    if level is None:
        level = USUAL_LEVEL if rollout is None else _USUAL_ON_THE_WAY
    return whole_argument(name, value=level, minimum=1, maximum=limit)


def seconds_or_none(timeout: object) -> float | None:
    """A number of seconds, or None for no limit. Raises ArgumentError for anything else."""
    if timeout is None:
        return None
    seconds = real_argument(
        "timeout",
        value=timeout,
        needed="a number of seconds above 0, or None",
        fits=lambda seconds: seconds > 0,
    )
    return None if seconds >= _FOR_EVER else seconds
