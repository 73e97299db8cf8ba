"""`gammonrules bench`: what a bot loses in the decisions of the benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from attrs import evolve

from gammonrules.cli.arena import bots_at_work
from gammonrules.cli.common_options import json_option, junit_option, timeout_option
from gammonrules.cli.junit import AnswerReport, Asked, junit_file, show_answers
from gammonrules.cli.option_conflicts import AnyPath, Command
from gammonrules.cli.output import force_option
from gammonrules.cli.usage_errors import Refused, refusing
from gammonrules.values import counted, listed

if TYPE_CHECKING:  # NumPy is an extra, and takes time to load
    from gammonrules.arena import BenchAnswer, BenchResults

_ASKS = ("plays", "cubes")


@click.command(
    "bench",
    cls=Command,
    only_with={("--force",): ("--junit",)},
    never_with={("--force", "--json"): ("--junit=-",), ("--worst",): ("--json",)},
)
@click.argument("bot", metavar="BOT")
@click.option("--against", metavar="BOT", help="Another bot: how much more the first one loses.")
@click.option("--full", is_flag=True, help="Ask all decisions, not 400.")
@timeout_option(
    "Seconds for a decision of a function or a program. A program also has them to start, and at least 20.",
    60,
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
@json_option
@junit_option
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

    What is not answered, or illegally, loses as much as the worst action. The exit status is 0, 1 if an answer is
    missing or illegal, and 2 if a bot answered nothing, or could not be asked, or not to the end.
    """
    bots = [bot] if against is None else [bot, against]
    with refusing(), junit_file("bench", junit, force=force):
        results = _results_of(bots, **settings)
        for result in results:
            _refuse_without_answers(result)
        data = results[0].to_dict()
        if against is not None:
            data["against"] = results[1].to_dict()
            data["difference"] = results[0].to_dict(than=results[1])
        answers = AnswerReport(
            "bench",
            program=" against ".join(result.bot for result in results),
            asked=[question for result in results for question in _questions_of(result)],
            lines=[*_bench_lines(results, data, worst)],
            data=data,
            stopped=listed(result.stopped for result in results if result.stopped),
        )
        show_answers(answers, junit, as_json=as_json)


def _results_of(bots: Sequence[str], **settings: Any) -> list[BenchResults]:
    """What each of these bots answers, by different names."""
    with bots_at_work("Asking", bots) as show:
        from gammonrules.arena import bench as ask

        def progress(done: int, total: int) -> None:
            show(completed=done, total=total)

        results = [ask(bot, progress=progress, **settings) for bot in bots]
    names = {result.bot for result in results}
    if len(names) < len(results):
        # two versions of a program have one name: what was typed tells them apart
        results = [evolve(result, bot=bot) for result, bot in zip(results, bots, strict=True)]
    return results


def _refuse_without_answers(result: BenchResults) -> None:
    """Raise Refused if a bot answered nothing: numbers would tell only that something is wrong with it."""
    problems = [answer.problem for answer in result.answers if not _is_answered(answer)]
    if problems and len(problems) == len(result.answers) and not result.stopped:
        number = counted(len(problems), "question", ",")
        raise Refused(f"{result.bot} answered none of {number}: {problems[0]}")


def _is_answered(answer: BenchAnswer) -> bool:
    """Whether the bot decided something, right or illegal, or may leave it out."""
    return bool(answer.action) or answer.is_illegal or answer.loss is None


def _questions_of(result: BenchResults) -> Iterator[Asked]:
    for answer in result.answers:
        yield Asked(
            kind=f"{result.bot}: {answer.ask}",
            question={"id": answer.id},
            rule=answer.ask,
            problem=answer.problem,
        )


def _bench_lines(
    results: Sequence[BenchResults], data: dict[str, Any], worst: int
) -> Iterator[str]:
    """How much more one bot loses than another, what each loses, the worst decisions of the first, the answer again.

    `data` is what --json prints.
    """
    from gammonrules.arena.internals import loss_text

    first = results[0]
    answer_lines = list[str]()
    if first.answers:  # why they end is said beside these lines
        answer_lines = str(evolve(first, stopped=None)).splitlines()
    if len(results) > 1:
        compared = [ask for ask in _ASKS if _is_compared(ask, data)]
        heading = _heading_of_comparison(results, compared)
        answer_lines = [heading]
        answer_lines += [f"  {ask}  {loss_text(data['difference'][ask])}" for ask in compared]
        yield heading
        yield from _loss_lines(data["difference"], compared)
        yield ""
    yield from _lines_of_bot(first, data)
    if len(results) > 1:
        yield ""
        yield from _lines_of_bot(results[1], data["against"])
    worst_answers = first.worst[:worst]
    for answer in worst_answers:
        yield ""
        yield from str(answer.state).splitlines()
        yield answer.state.xgid
        yield f"{answer.action} loses {_with_error(answer)} against {answer.best}"
    if any(answer.error for answer in worst_answers):
        yield "±: half of a 95% interval"
    if answer_lines:  # the lines above fill more than a screen
        yield ""
        yield from answer_lines


def _is_compared(ask: str, data: dict[str, Any]) -> bool:
    """Whether both bots answered some of the plays, or of the cubes."""
    for numbers in (data[ask], data["against"][ask]):
        if numbers["asked"] == numbers["unanswered"] + numbers["unsupported"]:
            return False
    return True


def _heading_of_comparison(results: Sequence[BenchResults], compared: Sequence[str]) -> str:
    if not compared:
        return "nothing to compare: neither plays nor cubes were answered by both"
    first, second = (result.bot for result in results)
    return f"how much more {first} loses than {second}, in thousandths of a point"


def _with_error(answer: BenchAnswer) -> str:
    """What an answer loses, and how far that can be trusted."""
    if answer.part == "judged":
        return f"{answer.loss:.3f}, as level 3 of bgsage judges,"
    if not answer.error:
        return f"{answer.loss:.3f}"
    from gammonrules.analysis.internals import DEVIATIONS

    half_of_interval = DEVIATIONS * answer.error
    return f"{answer.loss:.3f} ± {half_of_interval:.3f}"


def _lines_of_bot(result: BenchResults, data: dict[str, Any]) -> Iterator[str]:
    from gammonrules.arena.internals import FIRST

    positions = {(answer.part, answer.ask, answer.id) for answer in result.answers}
    numbers = Counter(ask for _, ask, _ in positions)
    asked = counted(len(positions), "position", ",")
    # of a kind that is asked, fewer than the first ones: the file of decisions has no more
    are_fewer = any(0 < numbers[ask] < first for ask, first in FIRST.items())
    if are_fewer and not result.stopped:
        asked += " (no more are published)"
    asked += f" of version {result.version} of the benchmark"
    yield f"{result.bot}: {asked}, losses in thousandths of a point"
    yield from _loss_lines(data)
    for answer in result.answers:
        if answer.problem:
            yield f"  the first question without a right answer: {answer.problem}"
            return


def _loss_lines(data: dict[str, Any], asks: Sequence[str] = _ASKS) -> Iterator[str]:
    """The losses in plays and in cubes, as `BenchResults.to_dict` has them."""
    from gammonrules.arena.internals import is_unanswered, loss_text, mean_loss_text

    for ask in asks:
        numbers: dict[str, Any] = data[ask]
        yield f"  {ask:<26}{loss_text(numbers)}"
        if "asked" in numbers and is_unanswered(numbers):
            continue
        for kind, numbers_of_kind in numbers["kinds"].items():
            yield f"    {kind:<24}{mean_loss_text(numbers_of_kind)}"
        disagreement = mean_loss_text(numbers["disagreement"])
        if data["is_selector"]:  # it is one of the engines whose disagreement chose the decisions
            disagreement = "not said: it selected them"
        yield f"    {'where engines disagree':<24}{disagreement}"
        if numbers["races"]["decisions"]:
            yield f"    {'races, exact':<24}{mean_loss_text(numbers['races'])}"
