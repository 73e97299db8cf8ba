"""`gammonrules analyze`: records with an engine's analyses, and the players' error rates."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammonrules.cli.common_options import (
    WRITTEN_FORMATS,
    alias_option,
    records_argument,
    rule_option,
    workers_option,
)
from gammonrules.cli.console import console_for_output, print_lines
from gammonrules.cli.engine_options import (
    OF_A_ROLLOUT,
    doubts_options,
    engine_maker,
    engine_option,
    level_option,
    rollout_of,
    rollout_options,
)
from gammonrules.cli.option_conflicts import AnyPath, Command, WordChoice
from gammonrules.cli.output import is_folder, must_be_apart, must_take_files, say_cut
from gammonrules.cli.record_files import say_loose
from gammonrules.cli.usage_errors import Refused, must_be_named, refusing

if TYPE_CHECKING:
    from gammonrules.cli.analysis_runs import AnalysisTotal
    from gammonrules.engine import Rollout, Tiers
    from gammonrules.records.internals import AnalysisPlan

_FORMATS = [name for name in WRITTEN_FORMATS if name != "mat"]
_OTHER_FORMATS = tuple(f"--to={name}" for name in _FORMATS if name != "json")
"""Which cannot state a rollout."""


@click.command(
    cls=Command,
    only_with=OF_A_ROLLOUT | {("--close", "--error"): ("--rollout",)},
    never_with={("--tiers",): ("--level", "--rollout"), ("--rollout", "--tiers"): _OTHER_FORMATS},
)
@records_argument
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    metavar="DIR",
    type=AnyPath(),
    help="The folder to write to.",
)
@engine_option
@level_option
@click.option("--to", type=WordChoice(_FORMATS), default="json", help="The format to write.")
@rule_option
@alias_option
@workers_option
@rollout_options
@doubts_options
@click.option(
    "--tiers", type=WordChoice(["quick", "thorough"]), help="Look deeper only where it matters."
)
@click.option("--force", is_flag=True, help="Analyze again, and replace, what DIR has.")
def analyze(  # noqa: PLR0913 - an argument for each option
    paths: tuple[str, ...],
    folder: str,
    *,
    engine: str | None,
    level: int | None,
    tiers: str | None,
    to: str,
    rule: str,
    aliases: tuple[tuple[str, str], ...],
    workers: int | None,
    close: float,
    error: float,
    force: bool,
    **rollout_terms: Any,
) -> None:
    """Have an engine analyze match records, for error rates.

    A PATH is a record, a folder or a ZIP archive. Each record is written to DIR with its analyses, under its own name
    with the suffix of the format, and in a folder as it was. What the engine has analyzed in DIR is not analyzed again,
    so a run that was stopped goes on where it was, and several runs may use DIR at the same time. Other files in a
    folder or ZIP archive are skipped.

    The error rate is what a decision cost a player on average, in thousandths of a point, which is what a single game
    wins with the cube as it stands. Counted are plays with a choice, doubles, takes and drops, and rolls where a double
    was right, or wrong by less than 0.2 (with --rule gnubg, less than 0.16). Half of it is the PR. Luck is in points
    too; net luck is that less the opponents', and its worth a chance of winning a match, or points in money play.

    With --rollout, it then rolls out the decisions whose best alternatives differ by at most 0.02 (--close) and those
    that cost more than 0.04 (--error), one by one. A run that was stopped goes on with the next one.

    With --tiers quick it looks at level 1, and again at level 2 where the best two are within 0.08, or what was made is
    not the best. With thorough it then looks at level 3 where that is still so, and by 324 trials where the best two
    stay within 0.04. The whole counts as one level.

    The exit status is 0 if every record is in DIR, analyzed. It is 1 if the engine knows no decision of one of them. It
    is 2 if one cannot be read, analyzed or written, or if there is no record. A run that is stopped exits with 130
    (Ctrl-C), and leaves only files that are whole.
    """
    from gammonrules.cli.analysis_runs import AnalysisRun, carry_out, root_of
    from gammonrules.cli.player_aliases import names_joined
    from gammonrules.engine import TIERS
    from gammonrules.records.archive import sources, together

    must_be_named(folder, *paths)
    for path in paths:
        if is_folder(path):
            must_be_apart(Path(path), Path(folder))
    must_take_files(Path(folder))
    if engine is None and to == "sgf":
        raise Refused(
            "SGF cannot state which numbers are exact: name an engine with --engine, or use --to json"
        )
    depth = TIERS[tiers] if tiers else level
    limits = {"close": close, "error": error}
    plan = _plan_of(engine, depth, to, rollout_of(**rollout_terms), limits)
    run = AnalysisRun(
        plan,
        folder=Path(folder),
        root=root_of(paths),
        to=to,
        rule=rule,
        aliases=names_joined(aliases, None),
        is_forced=force,
    )
    total = carry_out(run, together(sources(paths)), workers)
    summary = total.summary(plan.words(), folder)
    print_lines((*total.lines(), summary), console_for_output())
    say_cut(total.cut)
    say_loose(total.loose)
    click.get_current_context().exit(_exit_status(total))


def _plan_of(
    engine: str | None,
    depth: int | Tiers | None,
    to: str,
    rollout: Rollout | None,
    limits: Mapping[str, float],
) -> AnalysisPlan:
    """How decisions are analyzed, and which are rolled out then, by these limits. Raises Refused."""
    from gammonrules.cli.analysis_runs import checked_evaluator, rollout_level_from
    from gammonrules.records.internals import AnalysisPlan, PlannedRollout

    with refusing():
        start = engine_maker(engine, depth)
        start_rollout = engine_maker(engine, depth, rollout)
    planned = None
    if rollout is not None:
        planned = PlannedRollout(start_rollout, rollout_level_from(start_rollout), limits)
    return AnalysisPlan(start, checked_evaluator(start, to), planned)


def _exit_status(total: AnalysisTotal) -> int:
    if total.failed or not total.written:
        return Refused.exit_code
    return 1 if total.in_vain else 0
