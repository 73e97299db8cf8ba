"""Arguments and options that several commands have in the same words."""

from __future__ import annotations

import shlex
from typing import Final

import click

from gammonrules.cli.option_conflicts import AnyPath, InputPath, WordChoice
from gammonrules.cli.usage_errors import Refused
from gammonrules.limits import MAX_WORKERS
from gammonrules.values import shown

WRITTEN_FORMATS: Final = "mat", "sgf", "ogxm", "json"
"""Those of `records.formats.WRITERS`."""

records_argument = click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=InputPath()
)
page_option = click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=AnyPath(),
    help="The page; - for standard output.",
)
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
