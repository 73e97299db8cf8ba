"""`Options`: the settings of an arena that few calls need."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

from attrs import field, frozen

from gammonrules._shared.disk_files import path_text
from gammonrules.arena._players import MAX_PLAYERS, is_name
from gammonrules.arena._progress import Progress
from gammonrules.arena._work_units import OnError, checked_on_error
from gammonrules.engine.internals import seconds_or_none
from gammonrules.errors import ArgumentError
from gammonrules.values import check_function, first_items, shown

_OnProgress: TypeAlias = Callable[[Progress], object]


def _to_timeout(value: float | None) -> float | None:
    return seconds_or_none(value)


def _to_on_error(value: OnError | None) -> OnError | None:
    return None if value is None else checked_on_error(value)


def _to_table(value: object) -> object:
    if value is None:
        return None
    expected = "a two-sided table of gammonrules.bearoff, or the path of its file, as table"
    # other processes read the file themselves
    if isinstance(value, (str, os.PathLike)):
        return path_text(value, expected)
    from gammonrules import bearoff  # noqa: PLC0415

    if not isinstance(value, bearoff.TwoSided):
        raise ArgumentError(f"expected {expected}, not {shown(value, 60)}")
    return value


def _to_records(value: str | os.PathLike[str] | None) -> Path | None:
    return None if value is None else Path(path_text(value, "the path of a folder as records"))


def _to_names(option: str, names: object) -> tuple[str, ...]:
    """The names of players that a caller gives: one, or several."""
    listed = [names] if isinstance(names, str) else first_items(names, MAX_PLAYERS + 1)
    if listed is not None and len(listed) <= MAX_PLAYERS and all(map(is_name, listed)):
        return tuple(map(str, listed))
    raise ArgumentError(
        f"{option} must be the name of a player, or at most {MAX_PLAYERS} names, not {shown(names, 60)}"
    )


def _to_exclude(value: str | Iterable[str]) -> tuple[str, ...]:
    return _to_names("exclude", value)


def _to_rerun(value: str | Iterable[str]) -> tuple[str, ...]:
    return _to_names("rerun", value)


def _to_progress(value: _OnProgress | None) -> _OnProgress | None:
    check_function("progress", value, optional=True)
    return value


@frozen(kw_only=True)
class Options:
    """The settings of an arena that few calls need: who may fail or leave, and what is written down.

    *Equality*: two are equal if all attributes are equal.

    Attributes:
        timeout: seconds for a decision of a function or a program, 60 by default; None for no limit. Functions have
            none on Windows and in threads. A program also has them to start, and at least 20. Engines have a limit of
            their own.
        on_error: what happens to a player who fails. "stop" ends the arena with a `BotError`. "forfeit" gives the match
            to the opponent; in money play it gives the game, for what the cube says. "drop" has the player leave as
            with `exclude`, as long as two are left. None (the default) does what it did when the file of `save` was
            written last, or stops.
        exclude: players of the file of `save`, by their names, who leave. Their games stay in the file and out of the
            results. To bring a player back, name it among the players again.
        rerun: players, by their names, all of whose games are played again, such as a bot that was repaired. The old
            games stay in the file and out of the results. Each call with it begins anew: leave it out to go on.
        table: a two-sided table of `gammonrules.bearoff`, or its file. The arena counts what each player loses by
            decisions that the table knows (`Pairing.losses`). It is exact for money play, and where any win decides
            the match.
        records: a folder for a record of every match or money game, as .mat. No record is replaced: those that are
            there must be of pairs in the file of `save`.
        progress: is called after each block of games, and once more before a `BotError` is raised.

    Raises:
        ArgumentError: an attribute has the wrong type, or is out of bounds.

    Examples:
        >>> from gammonrules import arena
        >>> arena.Options(on_error="drop", rerun="mine").rerun
        ('mine',)
    """

    timeout: float | None = field(default=60, converter=_to_timeout)
    on_error: OnError | None = field(default=None, converter=_to_on_error)
    exclude: tuple[str, ...] = field(default=(), converter=_to_exclude)
    rerun: tuple[str, ...] = field(default=(), converter=_to_rerun)
    table: object = field(default=None, converter=_to_table, repr=shown)
    records: Path | None = field(default=None, converter=_to_records, repr=shown)
    progress: _OnProgress | None = field(default=None, converter=_to_progress)


def checked_options(options: object) -> Options:
    """The settings that a caller gives, or those by default. Raises ArgumentError."""
    if options is None:
        return Options()
    if isinstance(options, Options):
        return options
    raise ArgumentError(
        f"options must be an Options, not {shown(options, 60)}: "
        'write options=arena.Options(on_error="drop"), for example'
    )
