"""Options that say which engine is asked, how deep it looks, and what it rolls out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from gammonrules._shared.engine_levels import USUAL_LEVEL
from gammonrules.cli.common_options import EQUITY, error_option
from gammonrules.cli.option_conflicts import until_of
from gammonrules.cli.usage_errors import refusing
from gammonrules.engine import ENGINES

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import Rollout, SimpleEngine, Tiers

_Command = TypeVar("_Command", bound=Callable[..., object])


def _all_options(*options: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    def with_options(command: _Command) -> _Command:
        for option in reversed(options):  # as decorators, of which the last one is applied first
            command = option(command)
        return command

    return with_options


OF_A_ROLLOUT: Final = {("--truncate", "--until", "--seed"): ("--rollout",)}

ENGINES_IN_WORDS: Final = f"{', '.join(ENGINES[:-1])} or {ENGINES[-1]}"


def engine_option_of(text: str, name: str = "engine") -> Callable[[_Command], _Command]:
    """The option of an engine by its name; its help is `text`, and `name` is that of the argument."""
    return click.option("--engine", name, metavar="NAME", help=text)


def level_option_of(text: str, name: str = "level") -> Callable[[_Command], _Command]:
    """The option of the level of an engine."""
    return click.option("--level", name, type=int, help=text)


engine_option: Final = engine_option_of(
    f"{ENGINES_IN_WORDS}, which gives its own numbers. By default what is known exactly, and else bgsage; "
    "where that is not installed, evaluate and view ask selftaught."
)
level_option: Final = level_option_of(
    f"How deep it looks: {USUAL_LEVEL}, without --engine sometimes deeper; 1 in a rollout. "
    "gnubg's N-ply is level N+1."
)
rollout_options: Final = _all_options(
    click.option(
        "--rollout", "trials", type=int, metavar="TRIALS", help="Roll out: play so many games."
    ),
    click.option(
        "--truncate", type=int, metavar="TURNS", help="Evaluate those games after so many turns."
    ),
    click.option(
        "--until",
        metavar="EQUITY",
        help='End a rollout at this error of differences, or when "decided".',
    ),
    click.option(
        "--seed", type=int, help="What the dice of these games are made from; by default 1."
    ),
)
doubts_options: Final = _all_options(
    click.option("--close", type=EQUITY, default=0.02, help="Roll out what is this close."),
    error_option("Roll out what seems to cost more.", 0.04),
)


def rollout_of(
    trials: int | None, truncate: int | None, until: str | None, seed: int | None
) -> Rollout | None:
    """The rollout of the options; None if there is none. Raises Refused."""
    if trials is None:
        return None
    with refusing():
        from gammonrules.engine import Rollout

        return Rollout(
            trials,
            truncate=0 if truncate is None else truncate,
            seed=1 if seed is None else seed,
            until=until_of(until),
        )


def engine_maker(
    name: str | None, level: int | Tiers | None, rollout: Rollout | None = None
) -> Callable[[], SimpleEngine]:
    """What starts an engine, here or in another process. Raises ImportError."""
    from gammonrules.engine import SimpleEngine

    return partial(SimpleEngine.open, name, level, rollout)
