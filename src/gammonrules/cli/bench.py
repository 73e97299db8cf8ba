"""`gammonrules bench`: what a bot loses in the decisions of the benchmark."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gammonrules.board import PositionKind
from gammonrules.cli.console import console_for_output, progress_bar, safe_text
from gammonrules.cli.junit import junit_file, junit_report
from gammonrules.cli.output import Refused, force_option, refusing, write_output
from gammonrules.cli.referee import AnyPath
from gammonrules.records.transcript import DEVIATIONS
from gammonrules.values import counted

if TYPE_CHECKING:  # NumPy is an extra, and takes time to load
    from gammonrules.arena import BenchResults


@click.command("bench")
@click.argument("bot", metavar="BOT")
@click.option("--against", metavar="BOT", help="Another bot: how much more the first one loses.")
@click.option("--full", is_flag=True, help="Ask all decisions, not the first 400.")
@click.option("--timeout", type=float, default=60, help="Seconds for a decision of a function or a program.")
@click.option("--worst", type=click.IntRange(0), default=3, metavar="N", help="How many of the worst are shown.")
@click.option("--data", metavar="FILE", type=AnyPath(), help="Decisions instead of those of the library.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--junit", metavar="FILE", type=AnyPath(), help="Write each question as JUnit XML; - prints it.")
@force_option
def benchmark(
    bot: str, *, against: str | None, worst: int, as_json: bool, junit: str | None, force: bool, **settings: Any
) -> None:
    """Tell what a bot loses in the decisions of the benchmark.

    A BOT is one as for `arena`, or "program:COMMAND" in any language, which reads a question a line from its standard
    input, in JSON, and writes an answer a line.

    The exit status is 0, 1 if an answer is missing or illegal, and 2 if a bot could not be asked, or not to the end.
    """
    with refusing(), junit_file("bench", junit, force=force):
        results = _bench_results(bot, **settings)
        other = _bench_results(against, **settings) if against is not None else None
        lines = [*_bench_lines(results, other, worst)]
        if junit:
            asked = [(each.ask, {"id": each.id}, each.ask, each.problem) for each in results.answers]
            write_output(junit, junit_report("bench", results.bot, asked, lines, results.stopped))
    if as_json:
        compared = {} if other is None else {"against": other.to_json(), "difference": results.to_json(than=other)}
        click.echo(json.dumps(results.to_json() | compared))
    elif junit != "-":
        for line in lines:
            click.echo(safe_text(line).plain)
    both = [each for each in (results, other) if each]
    failed = any(answer.loss is None for each in both for answer in each.answers)
    click.get_current_context().exit(2 if any(each.stopped for each in both) else int(failed))


def _bench_results(bot: str, **settings: Any) -> BenchResults:
    from gammonrules.arena import bench as ask  # noqa: PLC0415 - it takes time to load
    from gammonrules.arena.internals import is_in_a_module  # noqa: PLC0415

    if is_in_a_module(bot):
        sys.path.append(str(Path.cwd()))  # last, so that nothing there stands in for a library
    with redirect_stdout(sys.stderr), progress_bar(console_for_output(stderr=True)) as bar:
        task = bar.add_task("Asking", total=None)
        try:
            return ask(bot, progress=lambda done, total: bar.update(task, completed=done, total=total), **settings)
        except OSError as error:
            raise Refused(f"{error.filename}: {error.strerror or error}") from None


def _bench_lines(results: BenchResults, other: BenchResults | None, worst: int) -> Iterator[str]:
    for each in filter(None, (results, other)):
        number = len({answer.id for answer in each.answers})
        positions = counted(number, "position", ",") + " (no more are published)" * (number < 300 and not each.stopped)
        yield f"{each.bot}: {positions} of version {each.version} of the benchmark, losses in thousandths of a point"
        yield from _loss_lines(each, None)
        if problem := next((answer.problem for answer in each.answers if answer.problem), None):
            yield f"  the first answer that does not count: {problem}"
        if each.stopped:
            yield f"  it could not be asked to the end: {each.stopped}"
    if other:
        yield f"how much more {results.bot} loses than {other.bot}"
        yield from _loss_lines(results, other)
    for answer in results.worst[:worst]:
        yield from ("", *str(answer.state).splitlines(), answer.state.xgid)
        yield f"{answer.action} loses {answer.loss:.3f} ± {DEVIATIONS * answer.error:.3f} against {answer.best}"
    if results.worst[:worst]:
        yield "±: half of a 95% interval"


def _loss_lines(results: BenchResults, other: BenchResults | None) -> Iterator[str]:
    told = results.to_json(than=other)
    for ask in ("plays", "cubes"):
        numbers: dict[str, Any] = told[ask]
        wrong = (f", {numbers[what]} {what}" for what in ("illegal", "unanswered") if numbers[what] and not other)
        rate = "" if numbers["pr"] is None else f", PR {numbers['pr']:.2f}"
        yield f"  {ask:<26}{results.number(ask, than=other)}{rate}{''.join(wrong)}"
        for kind in map(PositionKind, numbers["kinds"]):
            if numbers["kinds"][kind]["decisions"]:
                yield f"    {kind:<24}{results.number(ask, kind=kind, than=other)}"
        is_said = not any(each.is_selector for each in (results, other) if each)
        number = results.number(ask, "disagreement", than=other)
        yield f"    {'where engines disagree':<24}{number if is_said else 'not said: it selected them'}"
