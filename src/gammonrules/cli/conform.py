"""The command `conform`: another program is asked the questions of the conformance suite."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from gammonrules.cli.common_options import json_option, junit_option, timeout_option
from gammonrules.cli.console import console_for_output, progress_bar
from gammonrules.cli.junit import AnswerReport, Asked, junit_file, show_answers
from gammonrules.cli.option_conflicts import AnyPath, Command
from gammonrules.cli.output import force_option
from gammonrules.cli.usage_errors import must_be_named, refusing
from gammonrules.values import counted, listed, real_argument

if TYPE_CHECKING:
    from gammonrules.conformance.internals import Examination


@click.command(
    cls=Command,
    only_with={("--seed",): ("--random",), ("--force",): ("--junit",)},
    never_with={("--force", "--json"): ("--junit=-",)},
    context_settings={"allow_interspersed_args": False},
)
@click.argument("command", nargs=-1, required=True, metavar="-- PROGRAM ARGS...", type=AnyPath())
@click.option("--full", is_flag=True, help="Ask everything that follows from the core, too.")
@click.option(
    "--random",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Ask about N boards at random, too.",
)
@click.option("--seed", type=int, default=1, help="What these boards are made from.")
@click.option(
    "--ubgi", is_flag=True, help="Ask a UBGI engine for its best plays, which must be legal."
)
@timeout_option("Seconds for an answer.", 10)
@json_option
@junit_option
@force_option
def conform(
    command: tuple[str, ...],
    *,
    junit: str | None,
    number: int | None,
    as_json: bool,
    force: bool,
    **settings: Any,
) -> None:
    """Judge the rules of another program.

    The PROGRAM may be in any language. It reads one question a line from its standard input, in JSON, and writes one
    answer a line. Without --full or --random it is asked the core of the conformance suite, at most 10,000 questions.

    The exit status is 0 if every answer is right, 1 if one is wrong, and 2 if the program could not be asked, or not to
    the end.
    """
    must_be_named(command[0])
    with refusing(), junit_file("conform", junit, force=force):
        verdict = _verdict(command, number, **settings)
        asked = [
            Asked(case.question["ask"], case.question, rule=case.rule, problem=problem)
            for case, problem in verdict.results
        ]
        answers = AnswerReport(
            "conform",
            program=verdict.program.name,
            asked=asked,
            lines=[*_failures(verdict)],
            data=verdict.to_dict(),
            stopped=verdict.stopped,
        )
        show_answers(answers, junit, as_json=as_json)


def _verdict(
    command: Sequence[str], number: int | None, *, full: bool, ubgi: bool, seed: int, timeout: float
) -> Examination:
    from gammonrules.conformance import internals as suite

    if number is not None:
        # it says which extra is missing, before anything is asked
        _ = import_module("gammonrules.strategies")
    timeout = real_argument(
        "timeout",
        value=timeout,
        needed="a number of seconds above 0",
        fits=lambda seconds: seconds > 0,
    )
    cases = suite.core()
    if full:
        cases = suite.full(cases)
    if ubgi:
        cases = suite.for_engines(cases)
    with (
        suite.interviewed(command, timeout, ubgi=ubgi) as program,
        progress_bar(console_for_output(stderr=True)) as bar,
    ):
        verdict = suite.Examination(program)
        verdict.examine(bar.track(cases, description="Asking"))
        if number is not None:
            task = bar.add_task("Asking about boards at random", total=number)
            verdict.examine_random(number, seed, lambda: bar.advance(task))
    return verdict


def _failures(verdict: Examination) -> Iterator[str]:
    """The rules that are broken, with the first failure of each; then the kinds of questions and how many there are."""
    has_second_heading = False
    for rule, tally in verdict.broken:  # those that are blamed come first
        is_blamed = rule in verdict.blamed
        if not is_blamed and not has_second_heading:
            has_second_heading = True
            yield "Cases of these rules fail too, perhaps only because of what is broken above:"
            yield ""
        yield f"{rule}: {tally.failures:,} of {counted(tally.cases, 'case', ',')} failed"
        board_lines = tally.drawn.splitlines()
        for line in (json.dumps(tally.question), *board_lines, *tally.lines, ""):
            yield f"  {line}".rstrip()
    for kind, (cases, failures) in verdict.kinds.items():
        yield f"{kind:<12}{cases:>8,} asked{failures:>8,} failed"
    if verdict.at_random:
        yield f"at random   {verdict.at_random}"
    for kind, number in verdict.left_out.items():
        yield f"{kind:<12}{number:>8,} left out: the program does not answer them"
    if verdict.program.unknown:
        yield f'"asks" names no kinds of questions: {listed(verdict.program.unknown)}'
    questions = counted(len(verdict.results), "question", ",")
    failed = counted(verdict.failures, "failure", ",")
    suite = f"the suite's version {verdict.suite}"
    yield f"{verdict.program.name} {verdict.program.version}: {questions}, {failed} ({suite})"
