"""Arguments and options that several commands have in the same words."""

from __future__ import annotations

from typing import Final

import click

from gammonrules.cli.options import AnyPath, InputPath, WordChoice
from gammonrules.limits import MOST_JOBS

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
at_option = click.option(
    "--at", metavar="LEVEL", help="At which level, in the words of the engine, such as 2-ply."
)
same_option = click.option(
    "--same",
    nargs=2,
    multiple=True,
    metavar="NAME NAME",
    help="Names of one player, listed by the second.",
)
rule_option = click.option(
    "--rule", type=WordChoice(["xg", "gnubg"]), default="xg", help="Which decisions count."
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    help="Number of processes; by default, one per processor.",
)
