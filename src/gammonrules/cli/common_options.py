"""Arguments and options that several commands have in the same words."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

from gammonrules.cli.option_conflicts import AnyPath, InputPath, WordChoice
from gammonrules.cli.usage_errors import Refused
from gammonrules.limits import MAX_WORKERS
from gammonrules.values import shown

_Command = TypeVar("_Command", bound=Callable[..., Any])

EQUITY: Final = click.FloatRange(0, 10)
WRITTEN_FORMATS: Final = "mat", "sgf", "ogxm", "json"
"""Those of `records.formats.WRITERS`."""

records_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=InputPath()
)


def output_option(text: str, *, required: bool = False) -> Callable[[_Command], _Command]:
    """The option of the file that a command writes; its help is `text`."""
    return click.option(
        "-o", "--output", required=required, metavar="FILE", type=AnyPath(), help=text
    )


page_option = output_option("The page; - for standard output.", required=True)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
junit_option = click.option(
    "--junit",
    metavar="FILE",
    type=AnyPath(),
    help="Write each result as JUnit XML; - for standard output.",
)
candidates_option = click.option(
    "--candidates", metavar="FILE", type=AnyPath(), help="With a TABLE: its candidates, by export."
)


def timeout_option(text: str, default: float) -> Callable[[_Command], _Command]:
    """The option of the seconds that a bot or a program has."""
    return click.option("--timeout", type=float, default=default, help=text)


def player_option(text: str) -> Callable[[_Command], _Command]:
    """The option of a player, by name; its help says what for."""
    return click.option("--player", metavar="NAME", help=text)


def analyzed_by_option(what: str) -> Callable[[_Command], _Command]:
    """The option of whose analyses count; its help begins with `what`."""
    return click.option(
        "--analyzed-by", metavar="ENGINE", help=f"{what}, by how the name of the engine begins."
    )


def error_option(text: str, default: float) -> Callable[[_Command], _Command]:
    """The option of the equity that an error costs; its help says what for."""
    return click.option("--error", type=EQUITY, default=default, help=text)


analysis_level_option = click.option(
    "--analysis-level",
    metavar="LEVEL",
    help="At which level, in the words of the engine, such as 2-ply.",
)


def _pairs_checked(
    _context: click.Context, _option: click.Parameter, pairs: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    """The pairs of names. Raises Refused if a name is to be listed by two."""
    listed: dict[str, str] = {}
    for name, second in pairs:
        other = listed.setdefault(name, second)
        if other != second:
            command = shlex.join(["--alias", name, second, "--alias", other, second])
            raise Refused(
                f"--alias lists {shown(name, 60)} by {shown(other, 60)} and by {shown(second, 60)}: "
                f"give it once, or {command} if all are one player"
            )
    return pairs


alias_option = click.option(
    "--alias",
    "aliases",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    callback=_pairs_checked,
    help="Names of one player, listed by the second.",
)
rule_option = click.option(
    "--rule", type=WordChoice(["xg", "gnubg"]), default="xg", help="Which decisions count."
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(1, MAX_WORKERS),
    help="Number of processes; by default, one per processor.",
)
