"""`gammonrules bench`: what a bot loses in the decisions of the benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from gammonrules.cli.arena import bots_at_work
from gammonrules.cli.junit import telling
from gammonrules.cli.options import AnyPath, Command
from gammonrules.cli.output import force_option
from gammonrules.records.transcript import DEVIATIONS
from gammonrules.values import counted, listed

if TYPE_CHECKING:  # NumPy is an extra, and takes time to load
    from gammonrules.arena import BenchResults


@click.command(
    "bench",
    cls=Command,
    only_with={("--force",): ("--junit",)},
    never_with={("--force", "--json"): ("--junit=-",), ("--worst",): ("--json",)},
)
@click.argument("bot", metavar="BOT")
@click.option("--against", metavar="BOT", help="Another bot: how much more the first one loses.")
@click.option("--full", is_flag=True, help="Ask all decisions, not the first 400.")
@click.option(
    "--timeout", type=float, default=60, help="Seconds for a decision of a function or a program."
)
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=3,
    metavar="N",
    help="How many of the worst are shown.",
)
@click.option(
    "--data", metavar="FILE", type=AnyPath(), help="Decisions instead of those of the library."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--junit", metavar="FILE", type=AnyPath(), help="Write each question as JUnit XML; - prints it."
)
@force_option
def benchmark(
    bot: str,
    *,
    against: str | None,
    worst: int,
    as_json: bool,
    junit: str | None,
    force: bool,
    **settings: Any,
) -> None:
    """Tell what a bot loses in the decisions of the benchmark.

    A BOT is one as for `arena`: "program:COMMAND" is in any language, reads a question a line from its standard input,
    in JSON, and writes an answer a line.

    The exit status is 0, 1 if an answer is missing or illegal, and 2 if a bot could not be asked, or not to the end.
    """
    with telling("bench", junit, as_json=as_json, force=force) as tell:
        bots = [each for each in (bot, against) if each is not None]
        with bots_at_work("Asking", bots) as show:
            from gammonrules.arena import bench as ask  # noqa: PLC0415 - it takes time to load

            both = [
                ask(by, progress=lambda done, total: show(completed=done, total=total), **settings)
                for by in bots
            ]
        if len({by.bot for by in both}) < len(both):  # two versions of a program, by its own name
            both = [evolve(by, bot=text) for by, text in zip(both, bots, strict=True)]
        every = [(by.bot, each) for by in both for each in by.answers]
        asked = [
            (f"{name}: {each.ask}", {"id": each.id}, each.ask, each.problem) for name, each in every
        ]
        told, *other = (by.to_json() for by in both)
        if other:
            told |= {"against": other[0], "difference": both[0].to_json(than=both[1])}
        stopped = listed(by.stopped for by in both if by.stopped)
        tell(
            " against ".join(by.bot for by in both),
            asked,
            told,
            [*_bench_lines(both, told, worst)],
            stopped,
        )


def _bench_lines(both: Sequence[BenchResults], told: dict[str, Any], worst: int) -> Iterator[str]:
    for results, numbers in zip(both, (told, told.get("against", {})), strict=False):
        number = len({answer.id for answer in results.answers})
        few = " (no more are published)" * (number < 300 and not results.stopped)
        asked = (
            f"{counted(number, 'position', ',')}{few} of version {results.version} of the benchmark"
        )
        yield f"{results.bot}: {asked}, losses in thousandths of a point"
        yield from _loss_lines(numbers)
        if problem := next((answer.problem for answer in results.answers if answer.problem), None):
            yield f"  the first answer that does not count: {problem}"
    if "difference" in told:
        yield f"how much more {both[0].bot} loses than {both[1].bot}"
        yield from _loss_lines(told["difference"])
    for answer in both[0].worst[:worst]:
        yield from ("", *str(answer.state).splitlines(), answer.state.xgid)
        yield f"{answer.action} loses {answer.loss:.3f} ± {DEVIATIONS * answer.error:.3f} against {answer.best}"
    if both[0].worst[:worst]:
        yield "±: half of a 95% interval"


def _loss_lines(told: dict[str, Any]) -> Iterator[str]:
    for ask in ("plays", "cubes"):
        numbers: dict[str, Any] = told[ask]
        wrong = "".join(
            f", {numbers[what]} {what}" for what in ("illegal", "unanswered") if numbers.get(what)
        )
        rate = "" if numbers.get("pr") is None else f", PR {numbers['pr']:.2f}"
        yield f"  {ask:<26}{_loss_text(numbers)}{rate}{wrong}"
        for kind, number in numbers["kinds"].items():
            yield f"    {kind:<24}{_loss_text(number)}"
        apart = (
            "not said: it selected them"
            if told["is_selector"]
            else _loss_text(numbers["disagreement"])
        )
        yield f"    {'where engines disagree':<24}{apart}"


def _loss_text(number: dict[str, Any]) -> str:
    from gammonrules.arena import MeanLoss  # noqa: PLC0415 - it takes time to load

    return str(MeanLoss(**{name: number[name] for name in ("decisions", "loss", "low", "high")}))
