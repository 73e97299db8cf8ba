"""`EngineBase`: how engines are started, and what is left out in questions to them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NoReturn, Self

from gammonrules._shared.checked_fields import check_kind
from gammonrules.analysis import Level
from gammonrules.dice import RandomSource
from gammonrules.engine._driver import Driver
from gammonrules.engine._factory import (
    bgsage_driver,
    default_driver,
    gnubg_driver,
    selftaught_driver,
    ubgi_driver,
)
from gammonrules.engine._hypergammon import Hypergammon
from gammonrules.engine._named_engines import ENGINES, driver_named, engine_with_levels
from gammonrules.engine._rollout import Rollout
from gammonrules.engine._rule_support import is_far
from gammonrules.engine._tiers import Tiers
from gammonrules.errors import ArgumentError
from gammonrules.match import MatchState
from gammonrules.values import shown, suggestion


class EngineBase:
    """What `SimpleEngine` and `Engine` have in common: class methods that start an engine, and what it is."""

    def __init__(self, driver: Driver) -> None:
        if not isinstance(driver, Driver):
            raise _no_driver(type(self).__name__, driver)
        self._driver: Driver = driver

    def __reduce__(self) -> NoReturn:
        """Raise ArgumentError: what copies or pickles an engine shares something that runs."""
        raise ArgumentError(
            f"{self!r} can be neither pickled nor copied: start an engine in the other process"
        )

    @property
    def name(self) -> str:
        """The program and its version, as far as it says."""
        return self._driver.name

    @property
    def level(self) -> Level:
        """How deep it looks, such as "2-ply"."""
        return self._driver.level

    @property
    def checkers(self) -> int:
        """How many each side has in the games that it knows.

        Examples:
            >>> from gammonrules.engine import SimpleEngine
            >>> with SimpleEngine.bgsage() as bgsage:
            ...     bgsage.checkers
            15
        """
        return self._driver.checkers

    @property
    def advice(self) -> str:
        """What judges better, and how to get it, if `default` took another engine for want of it; else "".

        Examples:
            >>> from gammonrules.engine import SimpleEngine
            >>> with SimpleEngine.selftaught() as asked_for_by_name:
            ...     asked_for_by_name.advice
            ''
        """
        return self._driver.advice

    def ignored_rule(self, state: MatchState) -> str | None:
        """The rule of a state that the engine ignores: "the limit of 256", or None if it ignores none.

        In money play, the engine ignores a limit of the cube that is at least 16 times the cube, before a pending
        double. In a match, a limit that may matter raises an error, and a limit that cannot matter is no rule.

        Args:
            state: the state.

        Raises:
            ArgumentError: it is no state.

        Examples:
            >>> from gammonrules import MatchState, Rules
            >>> from gammonrules.engine import SimpleEngine
            >>> state = MatchState.new(None, rules=Rules(max_cube=256)).opening_roll(3, 1)
            >>> with SimpleEngine.bgsage() as bgsage:
            ...     bgsage.ignored_rule(state)
            'the limit of 256'
        """
        check_kind("state", state, MatchState)
        is_ignored = is_far(state) and not self._driver.knows_limits
        return f"the limit of {state.rules.max_cube:,}" if is_ignored else None

    @classmethod
    def open(
        cls,
        name: str | None = None,
        level: int | Tiers | None = None,
        rollout: Rollout | None = None,
    ) -> Self:
        """An engine by its name, and how deep it looks.

        Args:
            name: "bgsage", "gnubg", "selftaught", or "hypergammon:FILE": a table that `hypergammon.solve` has written,
                with one level. These last two roll nothing out. An engine that is named gives its own numbers. None
                (the default) for `default`.
            level: 1 for the evaluation of each play as it is, 2 for a look at the next roll, and so on, to 4 of bgsage,
                5 of GNU Backgammon and 2 of selftaught. Level N is the N-ply of bgsage and eXtreme Gammon, and the
                (N-1)-ply of GNU Backgammon. `Tiers` for several. None (the default) for 2, or in a rollout for 1;
                without a name, `default` looks deeper at some positions.
            rollout: as for `bgsage`.

        Raises:
            ArgumentError: there is no such engine, or it has no such level; or there is a rollout beside `Tiers`.
            EngineError: the engine does not start.
        """
        return cls(driver_named(name, level, rollout))

    @classmethod
    def default(
        cls,
        level: int | Tiers | None = None,
        *,
        rollout: Rollout | None = None,
        process: bool = False,
        timeout: float | None = None,
    ) -> Self:
        """What answers where no engine is named: exact values where the library knows them, and bgsage elsewhere.

        Where bgsage is not installed, selftaught takes its place at levels 1 and 2, and `advice` says so; without
        NumPy, too, it answers alone.

        Exact are races in which few enough checkers are left, with the cube, for money and in matches (`bearoff.solve`
        says how far it reaches, the same on every machine); they need NumPy, which bgsage brings, and no engine. Other
        races are looked at by level 3 at least, their cubes by level 4, since level 2 misjudges them; positions with
        contact by the level itself. Unless a level is chosen, it is 2, and 3 where a double in contact is close.
        Whatever one decision compares is answered by one of these alone. All are one source with one level, such as
        "level 2+", and each answer says what it comes from, as "level 2+: exact" does.

        Args:
            level: as for `open`, from 1 to 4, or `Tiers`.
            rollout: how bgsage rolls out what is not exact, as for `bgsage`.
            process: as for `bgsage`; tiers, too, have a process of their own.
            timeout: as for `bgsage`.

        Raises:
            ArgumentError: an argument is out of bounds; there is a timeout without a process, or a rollout beside
                `Tiers`.
            ImportError: NumPy is not installed, and bgsage is to answer.
            EngineStartError: its process does not start. That bgsage is not installed, where selftaught cannot take its
                place, is told when it is asked.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.engine import SimpleEngine
            >>> text = "XGID=-A----------------------a-:0:0:1:00:0:0:0:7:10"
            >>> with SimpleEngine.default() as default:
            ...     print(default.level)
            ...     print(default.evaluate(MatchState.from_xgid(text)).level)
            level 2+
            level 2+: exact
        """
        return cls(default_driver(level, rollout, process=process, timeout=timeout))

    @classmethod
    def bgsage(
        cls,
        level: int | None = None,
        *,
        rollout: Rollout | None = None,
        process: bool = False,
        timeout: float | None = None,
    ) -> Self:
        """bgsage, which the extra `engine` installs: the engine of Open Sage, under the MPL 2.0.

        On x86 it needs a processor with AVX2 instructions.

        Args:
            level: as for `open`, from 1 to 4.
            rollout: how it rolls out cubes, the plays that seem best and those in `also`; `level` is then how deep it
                looks in the games that it plays. None (the default) for no rollouts.
            process: whether it runs in a process of its own, where it may crash or be late without harm to this one.
                Default False: in this process, where nothing can end it before it answers. Rollouts, which take
                minutes, always have their own. From level 3 on bgsage has threads. A fork of a process with them has to
                end by `os._exit`, as the forks of `multiprocessing` do: it may hang or abort at any other end.
            timeout: seconds for an answer in a process of its own; None (the default) for no limit.

        Raises:
            ArgumentError: an argument is out of bounds, or there is a timeout without a process.
            EngineStartError: it is not installed, or does not start.
        """
        return cls(bgsage_driver(level, rollout, process=process, timeout=timeout))

    @classmethod
    def gnubg(
        cls,
        *,
        level: int | None = None,
        rollout: Rollout | None = None,
        noise: float = 0,
        timeout: float | None = 60,
        program: str | None = None,
    ) -> Self:
        """GNU Backgammon 1.07 or later, a program of its own to be installed (Debian: `gnubg`), under the GPL.

        Args:
            level: as for `open`, from 1 to 5.
            rollout: how it rolls out, as for `bgsage`. None (the default) for no rollouts.
            noise: how far its evaluations may stray at random, as a standard deviation of the equity from 0 (the
                default) to 1: it plays worse. `evaluate`, `candidates` and `cube` have no noise.
            timeout: seconds for an answer, 60 by default, in a rollout for each trial; None for no limit.
            program: its name or path; None (the default) to look for it.

        Raises:
            ArgumentError: an argument is out of bounds.
            EngineStartError: it is not installed, or does not start.
        """
        return cls(gnubg_driver(level, rollout, noise=noise, timeout=timeout, program=program))

    @classmethod
    def hypergammon(cls, path: str | os.PathLike[str], *, estimate: bool = False) -> Self:
        """The perfect player of Hypergammon: a table that `hypergammon.solve` has written.

        It knows money games by the rules of the table, or matches at the scores that it has; also games without a cube
        in which gammons count; nothing else.

        Args:
            path: the file.
            estimate: whether a table of matches answers at other scores too, where it judges by the chances of a game
                without a cube and its match equity table, so no longer exactly. Default False.

        Raises:
            ArgumentError: `path` is not a path, or `estimate` is wanted of a table of money play.
            OSError: the file cannot be opened.
            ParseError: it is no such table, or was damaged.

        Examples:
            >>> import tempfile
            >>> import attrs
            >>> from gammonrules import MONEY, MatchState, hypergammon
            >>> from gammonrules.engine import SimpleEngine
            >>> rules = attrs.evolve(MONEY, start="hypergammon1")
            >>> state = MatchState.new(None, rules=rules).opening_roll(white=3, black=1)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     hypergammon.solve(f"{folder}/one.table", checkers=1).close()
            ...     with SimpleEngine.hypergammon(f"{folder}/one.table") as perfect:
            ...         str(perfect.decide(state).argument)
            '24/20'
        """
        return cls(Hypergammon(path, estimate=estimate))

    @classmethod
    def selftaught(
        cls,
        level: int | None = None,
        *,
        strength: str | None = None,
        rng: RandomSource | None = None,
    ) -> Self:
        """The network of this library, which needs its compiled kernel and nothing else.

        It knows limits of the cube and games without gammons. It has learned from the usual start. Once
        contact is over and both sides have borne off a checker, its chances follow from a table and are nearly exact.
        `default` solves short races exactly. Where a player needs more than 25 points it plays by points, never
        doubles, takes every double, and evaluates nothing.

        Args:
            level: 1 or 2, as for `open`. None (the default) for 2, or with a strength for 1.
            strength: how well a player of level 1 plays, from "beginner" to "strong". The page *Engines* lists
                them. The weaker, the more often it errs in plays, doubles and takes; "strong" never does. What
                `evaluate`, `candidates` and `cube` say has no errors. None (the default) for no errors.
            rng: what its errors are drawn from; None (the default) for others each time.

        Raises:
            ArgumentError: there is no such level or strength, or a strength is asked for at level 2.
            EngineStartError: the package was installed without its compiled kernel.

        Examples:
            >>> from gammonrules import MatchState
            >>> from gammonrules.engine import SimpleEngine
            >>> state = MatchState.new(7).opening_roll(white=3, black=1)
            >>> with SimpleEngine.selftaught() as selftaught:
            ...     print(selftaught)
            ...     str(selftaught.decide(state).argument)
            <SimpleEngine selftaught 4, 2-ply>
            '8/5 6/5'
        """
        return cls(selftaught_driver(level, strength=strength, rng=rng))

    @classmethod
    def ubgi(
        cls,
        command: str | Sequence[str],
        *,
        level: int | None = None,
        options: Mapping[str, object] | None = None,
        timeout: float | None = 60,
    ) -> Self:
        """A program that speaks UBGI, the Universal Backgammon Interface, in version 0.2.

        Such engines choose plays, without regard to score and cube, and give no evaluations. What they cannot be asked
        raises `EngineUnsupportedError`: where a player may double, the caller decides to roll, or plays without a cube
        (`Rules(cube=False)`).

        Args:
            command: the program, or a list of it and its arguments.
            level: as for `open`; None (the default) leaves it to the engine.
            options: other settings by their names.
            timeout: as for `gnubg`.

        Raises:
            ArgumentError: an argument is out of bounds.
            EngineStartError: the program does not start, refuses an option, has none for the level, speaks an
                earlier version, or does not play backgammon: another protocol has the same name.

        Examples:
            >>> from gammonrules.engine import EngineStartError, SimpleEngine
            >>> try:
            ...     SimpleEngine.ubgi(["no-such-program", "--ubgi"], level=2)
            ... except EngineStartError as error:
            ...     print(error)
            no-such-program: there is no program 'no-such-program'
        """
        return cls(ubgi_driver(command, level, options, timeout))


def _no_driver(class_name: str, value: object) -> ArgumentError:
    """The error for a constructor that got anything but a driver, such as the name of an engine."""
    is_name = isinstance(value, str) and engine_with_levels(value) is not None
    example = shown(value) if is_name else f'"{ENGINES[0]}"'
    near = "" if is_name else suggestion(value, ENGINES)
    way = f"start the engine by a class method, such as {class_name}.open({example}){near}"
    return ArgumentError(f"{class_name} cannot be made from {shown(value)}: {way}")
