"""Questions to a program: what came of them as lines, JSON, or JUnit XML, which continuous integration reads."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn

import click
from attrs import frozen

from gammonrules.cli.output import output_file, write_output
from gammonrules.cli.usage_errors import Refused, must_be_named, safe

_HEAD = "<?xml version='1.0' encoding='us-ascii'?>\n"


@frozen
class Asked:
    """A question that a program was asked."""

    kind: str
    question: dict[str, Any]
    rule: str
    """What it is asked for."""
    problem: str
    """What is wrong with the answer; "" if it is right."""


@frozen
class AnswerReport:
    """What came of the questions to a program."""

    command: str
    program: str
    asked: Sequence[Asked]
    lines: Sequence[str]
    data: object
    """What stands in JSON in the place of the lines."""
    stopped: str | None
    """Why it could not be asked to the end."""


def junit_file(command: str, junit: str | None, *, force: bool) -> AbstractContextManager[None]:
    """A block that writes the JUnit XML of a command, if it is asked for.

    Raises Refused if it may not be written: there must be no file, or one that this command wrote.
    """
    must_be_named(junit)
    if junit is None:
        return nullcontext()
    beginning = f'{_HEAD}<testsuites name="gammonrules {command}"'.encode()
    return output_file(junit, force=force, is_ours=lambda head: head.startswith(beginning))


def show_answers(answers: AnswerReport, junit: str | None, *, as_json: bool) -> NoReturn:
    """Print it, write the JUnit XML, and end the command."""
    if junit:
        write_output(junit, _junit_report(answers))
    if as_json:
        click.echo(safe(json.dumps(answers.data)))
    elif junit != "-":  # else the XML that is printed has these lines
        for line in answers.lines:
            click.echo(safe(line))
    if answers.stopped:
        click.echo(safe(f"it could not be asked any more: {answers.stopped}"), err=True)
        click.get_current_context().exit(Refused.exit_code)
    is_wrong = any(question.problem for question in answers.asked)
    click.get_current_context().exit(int(is_wrong))


def _junit_report(answers: AnswerReport) -> bytes:
    from xml.etree import ElementTree as ET

    failures = sum(1 for question in answers.asked if question.problem)
    counts = {"tests": str(len(answers.asked)), "failures": str(failures)}
    suites = ET.Element("testsuites", {"name": f"gammonrules {answers.command}", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": answers.program, **counts})
    for asked in answers.asked:
        names = {"classname": asked.kind, "name": f"question {asked.question['id']}"}
        test = ET.SubElement(suite, "testcase", names)
        if asked.problem:
            what = {"type": asked.rule, "message": asked.problem}
            failure = ET.SubElement(test, "failure", what)
            failure.text = json.dumps(asked.question)
    output = ET.SubElement(suite, "system-out")
    output.text = "\n".join(safe(line) for line in answers.lines)
    errors = ET.SubElement(suite, "system-err")
    errors.text = answers.stopped
    return _HEAD.encode() + ET.tostring(suites)
