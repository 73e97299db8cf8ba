"""Questions to a program as JUnit XML, which servers for continuous integration read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any
from xml.etree import ElementTree as ET

from gammonrules.cli.console import safe_text
from gammonrules.cli.output import output_file

_HEAD = "<?xml version='1.0' encoding='us-ascii'?>\n"


def junit_file(command: str, junit: str | None, *, force: bool) -> AbstractContextManager[object]:
    """Within this block the report may be written: there is no file, or one that this command wrote. Raises Refused."""
    ours = f'{_HEAD}<testsuites name="gammonrules {command}"'.encode()
    return output_file(junit, force=force, is_ours=lambda head: head.startswith(ours)) if junit else nullcontext()


def junit_report(
    command: str,
    program: str,
    results: Sequence[tuple[str, dict[str, Any], str, str]],
    lines: Iterable[str],
    stopped: str | None,
) -> bytes:
    """The report: of each question its kind, itself, what it is asked for, and what is wrong with its answer."""
    counts = {"tests": str(len(results)), "failures": str(sum(bool(sentence) for *_, sentence in results))}
    suites = ET.Element("testsuites", {"name": f"gammonrules {command}", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": program, **counts})
    for kind, question, rule, sentence in results:
        test = ET.SubElement(suite, "testcase", {"classname": kind, "name": f"question {question['id']}"})
        if sentence:
            ET.SubElement(test, "failure", {"type": rule, "message": sentence}).text = json.dumps(question)
    ET.SubElement(suite, "system-out").text = "\n".join(safe_text(line).plain for line in lines)
    ET.SubElement(suite, "system-err").text = stopped
    return _HEAD.encode() + ET.tostring(suites)
