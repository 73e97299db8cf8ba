"""Questions to a program: what came of them as lines, JSON, or JUnit XML, which continuous integration reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TypeAlias
from xml.etree import ElementTree as ET

import click

from gammonrules.cli.output import output_file, write_output
from gammonrules.cli.refusals import must_be_named, refusing, safe

_Asked: TypeAlias = Sequence[tuple[str, dict[str, Any], str, str]]
"""Of each question its kind, itself, what it is asked for, and what is wrong with its answer."""
_HEAD = "<?xml version='1.0' encoding='us-ascii'?>\n"


@contextmanager
def telling(
    command: str, junit: str | None, *, as_json: bool, force: bool
) -> Generator[Callable[..., None]]:
    """Within this block a program is asked; what it yields tells the answers, and ends the command.

    Raises Refused, also where the report may not be written: there must be no file, or one that this command wrote.
    """

    def tell(
        program: str, asked: _Asked, plain: object, lines: Sequence[str], stopped: str | None
    ) -> None:
        if junit:
            write_output(junit, _junit_report(command, program, asked, lines, stopped))
        for line in [json.dumps(plain)] if as_json else lines if junit != "-" else ():
            click.echo(safe(line))
        if stopped:
            click.echo(safe(f"it could not be asked any more: {stopped}"), err=True)
        click.get_current_context().exit(
            2 if stopped else int(any(sentence for *_, sentence in asked))
        )

    must_be_named(junit)
    ours = f'{_HEAD}<testsuites name="gammonrules {command}"'.encode()
    known = (
        output_file(junit, force=force, is_ours=lambda head: head.startswith(ours))
        if junit
        else nullcontext()
    )
    with refusing(), known:
        yield tell


def _junit_report(
    command: str, program: str, asked: _Asked, lines: Sequence[str], stopped: str | None
) -> bytes:
    counts = {
        "tests": str(len(asked)),
        "failures": str(sum(bool(sentence) for *_, sentence in asked)),
    }
    suites = ET.Element("testsuites", {"name": f"gammonrules {command}", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": program, **counts})
    for kind, question, rule, sentence in asked:
        test = ET.SubElement(
            suite, "testcase", {"classname": kind, "name": f"question {question['id']}"}
        )
        if sentence:
            ET.SubElement(test, "failure", {"type": rule, "message": sentence}).text = json.dumps(
                question
            )
    ET.SubElement(suite, "system-out").text = "\n".join(safe(line) for line in lines)
    ET.SubElement(suite, "system-err").text = stopped
    return _HEAD.encode() + ET.tostring(suites)
