"""Who plays in an arena: functions, policies for `batch`, engines, and players by name."""

from __future__ import annotations

import ast
import inspect
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from importlib import import_module
from pathlib import Path
from random import Random
from textwrap import dedent
from typing import Any, TypeAlias, TypeGuard
from zlib import crc32

from attrs import frozen

from gammonrules._shared.extras import EXAMPLES
from gammonrules._shared.work import check_that_it_is_there
from gammonrules.arena._policies import Policy
from gammonrules.arena._programs import AskedProgram, asked_program
from gammonrules.board import Play
from gammonrules.engine import SimpleEngine
from gammonrules.engine.internals import engine_of_file, engine_with_levels, forms_of_names
from gammonrules.errors import ArgumentError
from gammonrules.match import Action, Event, MatchState
from gammonrules.match.internals import limit_matters
from gammonrules.values import (
    check_function,
    error_text,
    is_mapping,
    one_of,
    saying_where,
    shown,
    suggestion,
)

MAX_PLAYERS = 64
_MAX_NAME_LENGTH = 100
_LEVEL_OF_BARE_NAMES = 1
"""Of an engine whose name has none, which is fast enough for thousands of games."""
_PROGRAM = "program"
_UBGI = "ubgi"


@frozen
class EnginePlayer:
    """A player that is an engine with settings of its own; each process starts one for itself.

    *Equality*: two are equal if their functions are.

    Attributes:
        start: starts the engine.

    Raises:
        ArgumentError: `start` is no function.

    Examples:
        >>> from functools import partial
        >>> from gammonrules import arena
        >>> from gammonrules.engine import SimpleEngine
        >>> weak = arena.EnginePlayer(partial(SimpleEngine.gnubg, noise=0.1))
    """

    start: Callable[[], AbstractContextManager[SimpleEngine | AskedProgram]]

    def __attrs_post_init__(self) -> None:
        check_function("start", self.start)


@frozen
class _PlayerOfStrength:
    """selftaught at one of its strengths, which errs as the source of chance of each match has it."""

    strength: str

    def __call__(self, state: MatchState, rng: Random) -> Event | Action:
        with SimpleEngine.selftaught(strength=self.strength, rng=rng) as engine:
            return engine.decide(state)


Entrant: TypeAlias = Policy | EnginePlayer | Callable[..., Event | Action | Play]
"""A policy; an engine; or a function of a state, perhaps with a `Random` named `rng`."""


def entrants_of(players: object, timeout: float | None = 60) -> dict[str, Entrant]:
    """The players by their names; equal texts are one player. Raises ArgumentError.

    The timeout is that of programs; functions have theirs where they are asked.
    """
    by_name: dict[Any, object]
    if is_mapping(players):
        by_name = dict(players)
    elif _is_list_of_players(players):
        by_name = _by_own_names(players)
    else:
        raise ArgumentError(
            f"players must be a list, or a dict by their names, not {shown(players, 60)}"
        )
    if not 2 <= len(by_name) <= MAX_PLAYERS:
        raise ArgumentError(f"there must be 2 to {MAX_PLAYERS} players, not {len(by_name)}")
    for name in by_name:
        if not is_name(name):
            raise ArgumentError(
                f"the name of a player is a text of 1 to {_MAX_NAME_LENGTH} characters, not {shown(name)}"
            )
    # equal texts are one player: what they name is looked up once
    entrant_by_text = {
        text: entrant_named(text, timeout) for text in by_name.values() if isinstance(text, str)
    }
    entrants = dict[str, Entrant]()
    for name, player in by_name.items():
        if isinstance(player, str):
            entrants[name] = entrant_by_text[player]
        else:
            entrants[name] = entrant_of(name, player)
    return entrants


def _by_own_names(players: Sequence[object]) -> dict[Any, object]:
    """The players by names of their own; of several with the same name, all but the first have a number."""
    by_name = dict[Any, object]()
    for player in players:
        without_number = own_name(player)
        name = without_number
        number = 2
        while name in by_name:
            name = f"{without_number} {number}"
            number += 1
        by_name[name] = player
    return by_name


def _is_list_of_players(players: object) -> TypeGuard[Sequence[object]]:
    return isinstance(players, Sequence) and not isinstance(players, str)


def is_name(name: object) -> TypeGuard[str]:
    """Whether a value can be the name of a player."""
    return isinstance(name, str) and 1 <= len(name) <= _MAX_NAME_LENGTH and name.isprintable()


def refuse_limits(entrants: Mapping[str, Entrant], start: MatchState) -> None:
    """Raise ArgumentError if an engine may come near a limit of the cube, where it could not decide."""
    limit = start.rules.max_cube
    if limit is None or limit == 1:  # at 1 nobody ever doubles, as without a cube
        return
    if not limit_matters(start.rules, start.length, start.crawford, start.cube, start.score):
        return
    for name, entrant in entrants.items():
        if isinstance(entrant, EnginePlayer) and not _knows_limits(entrant):
            why = f"an engine does not know a limit of {limit:,} that the cube may come near"
            raise ArgumentError(f"{shown(name, 100)}: {why}; play without it: max_cube=None")


def _knows_limits(maker: EnginePlayer) -> bool:
    """Whether this is selftaught, which doubles up to any limit."""
    start = maker.start
    if not isinstance(start, partial):
        return start == SimpleEngine.selftaught
    names = (*start.args[:1], start.keywords.get("name"))
    return start.func == SimpleEngine.selftaught or "selftaught" in names


def own_name(player: object) -> str:
    """The name of a player who was given none: that of the function that chooses plays, or starts the engine."""
    if isinstance(player, str):
        return player
    function = player
    if isinstance(player, EnginePlayer):
        function = player.start
    elif isinstance(player, Policy):
        function = player.choose
    while isinstance(function, partial):
        function = function.func
    name_of_type = type(function).__name__  # of an object that can be called
    return str(getattr(function, "__name__", name_of_type))[:_MAX_NAME_LENGTH]


def code_of(player: Entrant) -> int | None:
    """A checksum of the source of a bot's functions, without comments and without what they call.

    None where the source is not known, as of engines, or may contain other code, as the lines of a lambda.
    """
    functions: list[Any] = [player]
    if isinstance(player, Policy):
        functions = [player.choose]
        if player.cube is not None:
            functions.append(player.cube)
    without_comments = list[str]()
    try:
        for function in functions:
            source = dedent(inspect.getsource(function))
            is_definition = source.startswith(("def ", "@"))
            if not is_definition:
                return None
            without_comments.append(ast.unparse(ast.parse(source)))
    except (OSError, TypeError, SyntaxError):
        return None
    return crc32("\n".join(without_comments).encode())


def entrant_of(name: object, player: object) -> Entrant:
    """A player, who has this name. Raises ArgumentError."""
    if isinstance(player, str):
        return entrant_named(player)
    if isinstance(player, SimpleEngine):
        way = 'give its name, such as "gnubg:1", or an EnginePlayer'
        raise ArgumentError(f"{shown(name)}: every process starts its own engine: {way}")
    if _is_entrant(player):
        return player
    forms = "a name, a function, a Policy or an EnginePlayer"
    raise ArgumentError(f"{shown(name)}: a player is {forms}, not {shown(player, 60)}")


def _is_entrant(player: object) -> TypeGuard[Entrant]:
    """Whether this is a player; what a function returns is seen when it is asked."""
    if isinstance(player, type):
        return False
    return isinstance(player, EnginePlayer) or callable(player)


def entrant_named(text: str, timeout: float | None = 60) -> Entrant:
    """The player that a name stands for, such as "bgsage:2", "program:COMMAND", "module:function".

    A program that takes more seconds for a decision is late.

    Raises ArgumentError; whether a program is there is seen later.
    """
    before_colon, _, after_colon = text.partition(":")
    engine = engine_with_levels(before_colon)
    if engine is not None:
        if after_colon in engine.strengths:
            return _PlayerOfStrength(after_colon)
        if not re.fullmatch("[1-9]?", after_colon):
            strengths = f", or {one_of([*engine.strengths])}" if engine.strengths else ""
            remark = f"; {engine.remark}" if engine.remark else ""
            example = f'such as "{engine.name}:{_LEVEL_OF_BARE_NAMES}"'
            raise ArgumentError(
                f"{shown(text, 100)}: after the colon comes a level from 1{strengths}, {example}{remark}"
                + suggestion(after_colon, engine.strengths)
            )
        level = int(after_colon) if after_colon else _LEVEL_OF_BARE_NAMES
        with saying_where(shown(text, 100)):
            engine.driver(level, None)  # before any game begins
        return EnginePlayer(partial(SimpleEngine.open, before_colon, level))
    if engine_of_file(before_colon) is not None and after_colon:
        return EnginePlayer(partial(SimpleEngine.open, text))
    if before_colon == _PROGRAM and after_colon:
        return EnginePlayer(partial(asked_program, command_in(text, after_colon), timeout))
    if before_colon == _UBGI and after_colon:
        return EnginePlayer(
            partial(SimpleEngine.ubgi, command_in(text, after_colon), timeout=timeout)
        )
    if is_in_a_module(text):
        return _imported(text)
    known = [form.partition(":")[0] for form in forms_of_names()] + [_PROGRAM, _UBGI]
    near = suggestion(text, [text.replace(before_colon, name, 1) for name in known])
    forms = ", ".join([*forms_of_names(), f"{_PROGRAM}:COMMAND", f"{_UBGI}:PROGRAM"])
    hint = f"; a program is named {_PROGRAM}:{text:.100}" if shutil.which(text) else ""
    raise ArgumentError(
        f"a player is {forms} or module:function, not {shown(text, 100)}{hint or near}"
    )


def refuse_missing_program(text: str) -> None:
    """Raise EngineStartError if a player is a program by name that is not on this machine."""
    before_colon, _, command = text.partition(":")
    if before_colon in {_PROGRAM, _UBGI} and command.strip():
        program, *_ = command_in(text, command)
        check_that_it_is_there(text, program)


def may_remember(player: Entrant | None) -> bool:
    """Whether this is a program that could remember the dice of earlier games: none of the engines that we know."""
    if not isinstance(player, EnginePlayer):
        return False
    start: object = player.start
    while isinstance(start, partial):
        start = start.func
    known = (
        SimpleEngine.open,
        SimpleEngine.default,
        SimpleEngine.bgsage,
        SimpleEngine.gnubg,
        SimpleEngine.hypergammon,
        SimpleEngine.selftaught,
    )
    return start not in known


def full_name(text: str) -> str:
    """The name of a player with all that it means: an engine without a level plays at the first one."""
    return text if engine_with_levels(text) is None else f"{text}:{_LEVEL_OF_BARE_NAMES}"


def is_in_a_module(text: str) -> bool:
    """Whether a name is "module:function", so that the module is imported."""
    module, _, name = text.partition(":")
    is_engine = engine_with_levels(module) is not None or engine_of_file(module) is not None
    if is_engine or module in {_PROGRAM, _UBGI}:
        return False
    parts = [*module.split("."), *name.split(".")]
    return all(part.isidentifier() for part in parts)


def _imported(text: str) -> Entrant:
    module, _, name = text.partition(":")
    imported: object = None
    try:
        imported = player = import_module(module)
        for part in name.split("."):
            player = getattr(player, part)
    except (Exception, SystemExit) as error:  # SystemExit from a program that reads its arguments
        why = f"{type(error).__name__}: {error_text(error):.200}"
        if imported is not None and isinstance(error, AttributeError):
            why = f"there is no {name:.100} in {getattr(imported, '__file__', None) or module}"
        elif isinstance(error, ModuleNotFoundError):
            why = _why_no_module(module, name, error.name or "") or why
        raise ArgumentError(f"{text:.100} cannot be imported: {why}") from error
    return entrant_of(text, player)


def _why_no_module(module: str, name: str, missing: str) -> str:
    """Why there is no module of a player, as its user knows it; "" if something that it imports is missing."""
    if missing == "examples":
        return EXAMPLES
    is_itself = f"{module}.".startswith(f"{missing}.")
    if is_itself and module.endswith(".py"):
        return f"a module is named without .py, as {module.removesuffix('.py'):.100}:{name:.100}"
    file = f"{module.replace('.', '/')}.py"
    if is_itself and not os.path.exists(file):  # noqa: PTH110 - a Path raises an error if it is too long
        return f"there is no {file:.100} in this folder"
    return ""


def command_in(text: str, rest: str) -> list[str]:
    """The program and its arguments. `rest` is what `text` has after its colon."""
    if Path(rest).is_file():  # without arguments; its path may have blanks
        return [rest]
    try:
        words = shlex.split(rest, posix=sys.platform != "win32")
        return [word.strip('"') for word in words]  # without `posix` they keep their quotes
    except ValueError as error:
        raise ArgumentError(f"{shown(text, 100)}: {error}") from None
