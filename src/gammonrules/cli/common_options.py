"""Arguments and options that several commands have in the same words."""

from __future__ import annotations

import click

from gammonrules._shared.work import MOST_JOBS
from gammonrules.cli.options import AnyPath, InputPath

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
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, MOST_JOBS),
    help="Number of processes; by default, one per processor.",
)
