"""Pages name the files that commands write as the commands name them, and every command line in them can be typed."""

from __future__ import annotations

import re
import shlex
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Any

import click
import pytest

import loop
from gammonrules.cli.analysis_runs import AnalysisRun, root_of
from gammonrules.cli.app import app
from gammonrules.cli.record_files import renamed
from gammonrules.records.formats import SUFFIXES
from gammonrules.records.internals import AnalysisPlan
from gammonrules.records.transcript import Evaluator

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("examples/**/README.md"))]
OURS = {".json", ".parquet", ".jsonl", ".html", ".apkg"}
"""What people have from our commands alone; records of other kinds are their own."""
FROM_ELSEWHERE = {
    "terminal-game.md": {"match*.json"},
    # forms of names, which `tests/cli` tries
    "analyze.md": {"DIR/*"},
    "convert.md": {"a*.json"},
    "referee.md": {"*.schema.json"},
    "report.md": {"match*.html", "NAME-2.html"},
}
"""By page: what others write."""
BLOCK = r"^( *)```console\n(?P<block>.*?)^\1```$|^( *)```.*?^\3```$"
SPAN = r"`(?P<span>(?:for [^`\n]*; do )?gammonrules [a-z]+\s[^`]*)`"
OUTPUTS = "output", "candidates", "target", "file"
INPUTS = "paths", "record", "table", "source"


def command_lines(text: str) -> list[str]:
    """What a page lets readers type, one line each, in its order."""
    lines: list[str] = []
    for part in re.finditer(rf"(?ms){BLOCK}|{SPAN}", text):
        block, span = part["block"] or "", part["span"] or ""
        lines += block.replace("\\\n", " ").splitlines()
        lines += [span.replace("\n", " ")] * bool(span)
    return [line for line in lines if re.search(r"(?:^|\$ |&& |do )gammonrules [a-z]", line)]


def words_of(line: str) -> list[str]:
    """The words of the command in a line, up to what the shell does with it."""
    words = shlex.split(line[line.index("gammonrules ") :].partition("; done")[0], comments=True)
    ends = [at for at, word in enumerate(words) if word in {">", "|", "&&"}]
    return words[1 : min(ends, default=len(words))]


def typed(words: list[str]) -> tuple[str, dict[str, Any]]:
    """The command, and what its words mean, if it is not only named. Raises UsageError if there is no such option."""
    command: click.Command = app
    while isinstance(command, click.Group):
        name, called, words = command.resolve_command(click.Context(command), words)
        assert called is not None, name
        command = called
    return name, command.make_context(name, list(words)).params if words else {}


def written_by(name: str, told: dict[str, Any]) -> list[str]:
    """The names or patterns of what is written; folders are asked for their records."""
    if name == "report" and told["output"] is None:
        told["output"] = "report" if told["has_pages"] else "report.html"
    written = [told[output] for output in OUTPUTS if told.get(output)]
    if name == "view" and told["output"] is None:
        written.append(renamed(Path(told["record"]), ".html").name)
    if told.get("has_pages"):
        pages = "index.html", "openings.html"
        written += [*pages, *(f"{told['output']}/{page}" for page in pages)]
    folder = told.get("folder")
    if name == "report":
        folder = told["kept"] or str(PurePath(told["output"]).with_name("analyzed"))
    for path in told["paths"] if folder else ():
        written += analyzed(path, folder, told.get("to", "json"))
    return written


def analyzed(path: str, folder: str, to: str) -> list[str]:
    """What `analyze` makes of a record, or of each in a folder; of a folder that is not there, a pattern."""
    root = root_of([path])
    run = AnalysisRun(AnalysisPlan(pytest.fail, Evaluator("", "")), Path(folder), root, to)
    if Path(path).is_dir():
        return [run.target(str(record)).as_posix() for record in Path(path).rglob("*.*")]
    is_record = PurePath(path).suffix in SUFFIXES
    return [run.target(path).as_posix()] if is_record else [f"{folder}/*.{to}"]


@loop.over("page", PAGES, ids=lambda page: page.name)
def test_what_is_read_has_been_written(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = page.read_text(encoding="utf-8")
    written = {*FROM_ELSEWHERE.get(page.name, ())} | {*re.findall(r'"([^"\n/]+\.\w+)"', text)}
    for line in command_lines(text):
        if " FILE" in line:
            continue  # the form of a command
        name, told = typed(words_of(line))
        read = [told[key] for key in INPUTS if told.get(key)]
        paths = [path for each in read for path in ([each] if isinstance(each, str) else each)]
        paths += re.findall(r"for \w+ in (\S+);", line)
        mine = [path for path in paths if PurePath(path).suffix in OURS]
        known = [path for path in mine if any(fnmatch(each, path) or fnmatch(path, each) for each in written)]
        assert mine == known, line
        written.update(written_by(name, told) if told else ())
    named = {*re.findall(r"`([\w-][\w./-]*\.(?:json|parquet|html|apkg))`", text)} if command_lines(text) else set()
    assert {each for each in named if not any(fnmatch(each, path) for path in written)} == set()


def test_the_lines_are_found() -> None:
    assert sum(len(command_lines(page.read_text(encoding="utf-8"))) for page in PAGES) > 60
