"""What the command loads before it works: help and misspellings take no longer than listing plays."""

from __future__ import annotations

import json
import sys
from typing import get_args

import click
import pytest

import processes
from gammonrules.cli.app import app
from gammonrules.draw import THEMES, svg
from gammonrules.records import Severity
from gammonrules.records.formats import WRITERS
from gammonrules.records.transcript.counting_rules import RULES

LOADED = """
import json, sys

def loaded_by(line):
    before = {*sys.modules}
    from gammonrules.cli.app import app
    try:
        app(line.split(), standalone_mode=False)
    except Exception as error:
        assert line == "playz", error
    return sorted({*sys.modules} - before)

lines = sys.argv[1:]
print(json.dumps({line: loaded_by(line) for line in lines}), file=sys.stderr)
"""
PLAYS = "plays 4HPwATDgc/ABMA 31"
BEYOND = {"gammonrules.records", "gammonrules.engine", "gammonrules.engine._named_engines"}
"""What help needs beyond what `plays` does: the names of engines, and packages whose names are loaded when used."""


def loaded_by(*lines: str) -> dict[str, list[str]]:
    """The modules that each of these lines loads, one after another in a fresh process."""
    return json.loads(processes.run(sys.executable, "-c", LOADED, *lines).stderr)


def named(name: str, *words: str) -> click.Command:
    """The command of a line."""
    group: click.Command = app
    for word in (name, *words):
        assert isinstance(group, click.Group)
        _, group, _ = group.resolve_command(click.Context(group), [word])
    return group


def test_the_list_and_a_misspelled_name_load_no_command() -> None:
    """The first of these lines loads the core, as `import gammonrules` does, the list of commands, and click."""
    first, *others = loaded_by("--help", "playz", "--version").values()
    assert [name for modules in others for name in modules if "gammonrules" in name] == []
    assert {name.partition(".")[0] for name in first} <= {
        *sys.stdlib_module_names,
        "gammonrules",
        "attr",
        "attrs",
        "click",
    }
    packages = {name.split(".")[1] for name in first if name.startswith("gammonrules.")}
    assert packages == {"errors", "limits", "values", "_shared", "dice", "board", "rules", "match", "cli"}
    assert [name for name in first if name.startswith("gammonrules.cli.")] == ["gammonrules.cli.app"]


def test_help_of_a_command_loads_its_options_alone() -> None:
    """Beside what `plays` has loaded: no record, no engine, no picture, and no library but click and attrs."""
    helps = loaded_by(PLAYS, *(f"{name} --help" for name in app.commands), "bearoff show --help")
    del helps[PLAYS]
    for line, modules in helps.items():
        for name in modules:
            package = ".".join(name.split(".")[:2])
            is_light = package in {"gammonrules.cli", "gammonrules._shared", "gammonrules.board"} or name in BEYOND
            assert is_light or name.split(".")[0] in {*sys.stdlib_module_names, "click"}, (line, name)


def test_a_board_is_shown_without_records_and_engines() -> None:
    modules = loaded_by("show 4HPwATDgc/ABMA")["show 4HPwATDgc/ABMA"]
    assert not [name for name in modules if name.startswith(("gammonrules.records.", "gammonrules.engine", "rich"))]


def test_the_lines_of_the_list_are_those_of_the_commands() -> None:
    """The first sentence of each, uncut."""
    lines = {name: listed.short_help for name, listed in app.commands.items()}
    assert lines == {name: named(name).get_short_help_str(61) for name in lines}
    assert [*lines] == sorted(lines)


@pytest.mark.parametrize(
    ("command", "option", "choices"),
    [
        ("convert", "--to", [*WRITERS]),
        ("analyze", "--rule", [*RULES]),
        ("referee", "--severity", [*map(str, Severity)]),
        ("show", "--look", [*get_args(svg.Look)]),
        ("show", "--theme", [*THEMES]),
    ],
)
def test_choices_are_those_of_the_library(command: str, option: str, choices: list[str]) -> None:
    """They stand in the command, since their home takes time to load."""
    (parameter,) = (each for each in named(command).params if option in each.opts)
    assert isinstance(parameter.type, click.Choice)
    assert [*parameter.type.choices] == choices
