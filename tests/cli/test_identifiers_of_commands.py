"""The argument ID of commands: identifiers as pages show them, and those that begin like an option."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from test_options import commands_below

import loop
from commands import refused, run
from gammonrules.cli.app import app
from gammonrules.cli.identifier_argument import IdentifierCommand

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
BARE = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
ARGUMENTS = ("identifier", "patterns")
TAKES_IDENTIFIERS = ("bearoff show", "evaluate", "find", "openings", "perft", "plays", "show")


def test_every_command_that_takes_identifiers() -> None:
    commands = dict(commands_below(app))
    are_of_the_class = [name for name, command in commands.items() if isinstance(command, IdentifierCommand)]
    have_the_argument = [
        name for name, command in commands.items() if any(each.name in ARGUMENTS for each in command.params)
    ]
    assert sorted(are_of_the_class) == sorted(have_the_argument) == [*TAKES_IDENTIFIERS]


@loop.rows(
    "arguments",
    ("show", BARE),
    ("show", "-o", "-", BARE, "--width", 300),
    ("show", "--", BARE),
    ("plays", BARE, 66),
    ("plays", "--json", BARE),
    ("perft", BARE, 1),
    ("perft", "--json", BARE, 1),
    ("show", BARE.replace(":", " : ")),
)
def test_an_xgid_without_its_label(arguments: tuple[object, ...]) -> None:
    """Its board begins with a hyphen, as options do."""
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    labeled = [f"XGID={argument}" if str(argument).startswith(BARE[:26]) else argument for argument in arguments]
    assert result.stdout == run(*labeled).stdout != ""


@pytest.mark.skipif(os.name == "nt", reason="names of files have no colons there")
def test_options_that_look_like_an_xgid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that stands at its option, or after it, is no identifier, and neither is an option that is not there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out-2026-11-29").mkdir()
    names = "out-2026-11-29/at-15:07.svg", "-bbbbbbbbbbbbbbbbbbbbb:x.svg", f"{BARE}.svg"
    for options in ((f"-o{names[0]}",), ("-o", names[1]), ("--output", names[2])):
        assert run("show", "4HPwATDgc/ABMA", *options).exit_code == 0, options
    written = [path for path in Path().rglob("*") if path.is_file()]
    assert sorted(map(str, written)) == sorted(names)
    for option in ("--at-most-something:foo", "--a-name-of-lines-and-more:0:0", "--aaaaaaaaaaaaaaaaaaaaaaaa:1:1"):
        refused("show", "4HPwATDgc/ABMA", option, says="No such option")


def test_engines_and_tables_take_it_too() -> None:
    pytest.importorskip("bgsage")
    assert run("evaluate", BARE).stdout == run("evaluate", f"XGID={BARE}").stdout != ""


def test_a_search_takes_it() -> None:
    pytest.importorskip("pyarrow")
    record = ROOT / "examples" / "matches" / "xg" / "test.xg"
    rows = [run("find", pattern, "--any-score", record).stdout for pattern in (BARE, f"XGID={BARE}")]
    assert rows[0] == rows[1] != ""


def test_what_is_wrong_with_it_is_said() -> None:
    refused("show", BARE[1:].replace("b", "-b--", 1), says="XGID, board: expected 26 characters")
    refused("plays", BARE.replace("C", "P"), says="XGID, board: 'P' cannot be on the 8 point")
    refused("show", "-x", BARE, says="No such option")
    refused("perft", BARE, -1, says="DEPTH: expected a whole number")


@loop.over("line", (DATA / "pasted-identifiers.jsonl").read_text(encoding="utf-8").splitlines())
def test_as_pages_show_them(line: str) -> None:
    text = json.loads(line)["text"]
    assert run("show", text).stdout == run("show", f"XGID={BARE}").stdout
    assert run("plays", text).stdout == run("plays", f"XGID={BARE}").stdout


def test_several_are_refused() -> None:
    refused("show", f"{BARE} {BARE.replace(':31:', ':32:')}", says="XGID: the text has several that differ: '-b")
