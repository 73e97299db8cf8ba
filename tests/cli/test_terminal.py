"""What a terminal shows when a command ends: all that was printed, and nothing of its progress bars."""

from __future__ import annotations

import io
import os
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, _NamedTextIOWrapper
from rich.progress import Progress

import commands
import loop
from gammonrules.cli import verdict_lines
from gammonrules.cli.app import app
from gammonrules.cli.console import console_for_output, progress_bar

BAR = "\N{BOX DRAWINGS HEAVY HORIZONTAL}"
START = "4HPwATDgc/ABMA"
WIDTH = 120
COMMANDS = (
    "referee records",
    "export records -o table.parquet --workers 1",
    "find dice=31 records",
    "openings records -o page.html",
    "report records -o pages --pages --analyzed-by bgsage --workers 1",
    "analyze records -o analyzed --engine selftaught --level 1 --workers 1",
    "view records/b.mat.json -o match.html --matrix --engine selftaught --error 0",
    f"perft {START} 1",
    f"evaluate {START} --matrix --scores 2 --engine selftaught --level 1",
    "bearoff make one-sided --points 2 small.bd",
    "arena selftaught:1 selftaught:1 --games 2 --no-cube --workers 1 --seed 1",
)
"""The commands with bars. The records are a match, an analyzed one and a file that is none."""
SKIPPED = 'records/c.mat: skipped: the record holds no match: the line "N point match" or "Unlimited game" is missing'


class Terminal(io.StringIO):
    """A stream to a terminal of so many columns, which knows the codes that a bar is drawn with."""

    encoding = "utf-8"
    errors = "strict"

    def __init__(self, columns: int) -> None:
        super().__init__()
        self.columns = columns

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1_000_000 + self.columns


def screen(written: str, columns: int) -> list[str]:
    """The lines of a terminal to which this has been written."""
    lines, row, column = [""], 0, 0
    for code, up, sign in re.findall(r"(\x1b\[(?:(\d+)A|2K|\?25[hl]|[\d;]*m))|(.|\n)", written):
        if code.endswith("A"):
            row -= int(up)
        elif code == "\x1b[2K":
            lines[row] = ""
        elif sign == "\r":
            column = 0
        elif sign:
            if sign == "\n" or column == columns:
                row, column = row + 1, 0
                lines += [""] * (row == len(lines))
            if sign != "\n":
                lines[row] = f"{lines[row]:<{column}}"[:column] + sign + lines[row][column + 1 :]
                column += 1
    return [line.rstrip() for line in lines if line.strip()]


def shown_at_terminal(patch: pytest.MonkeyPatch, *arguments: str) -> str:
    """What a command writes to a terminal, to which both of its streams lead."""
    with patch.context() as terminal:
        terminal.setattr(_NamedTextIOWrapper, "isatty", lambda stream: stream.name != "<stdin>")
        result = CliRunner(env={"COLUMNS": str(WIDTH), "TERM": "xterm"}).invoke(app, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.output


@pytest.fixture
def records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verdict_lines, "LONG_RUN", 1)
    Path("records").mkdir()
    few = "2 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n"
    Path("records/a.mat").write_text(few + "  2) Doubles => 2  Drops\n      Wins 1 point\n")
    Path("other").mkdir()
    Path("other/b.mat").write_text(few.replace("24/18 13/11", "24/16") + "  2) Doubles => 2  Takes\n  3) 64: 24/14\n")
    assert commands.run("analyze", "other", "-o", "records", "--level", 1, "--workers", 1).exit_code == 0
    Path("records/c.mat").write_text("no match\n")


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize("command", COMMANDS)
def test_no_bar_stays(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal shows the lines that a file would have; there was a bar, and what was said above it is whole."""
    words = command.split()
    written = shown_at_terminal(monkeypatch, *words)
    assert BAR in written
    seen = screen(written, WIDTH)
    assert seen
    assert [line for line in seen if BAR in line or "0:00" in line] == []
    done = re.findall(r"\x1b\[32m *(\d+)/(\d+)", written)
    assert [numbers for numbers in done if int(numbers[0]) > int(numbers[1]) or numbers[1] == "0"] == []
    assert seen.count(SKIPPED) == written.count("c.mat: skipped:")


class TestProgressBar:
    @pytest.mark.parametrize("is_error", [False, True])
    def test_what_is_printed_meanwhile_is_above_it(self, is_error: bool) -> None:
        """Whole, and in the order in which it was printed; click breaks no line, and the terminal does."""
        terminal = Terminal(WIDTH)
        long_line = "x" * (WIDTH + 5)
        with redirect_stdout(terminal), redirect_stderr(terminal):
            with progress_bar(console_for_output(stderr=True)) as bar:
                task = bar.add_task("Reading", total=2)
                for line in ("one", long_line):
                    click.echo(line, err=is_error)
                    bar.advance(task)
                sys.stdout.write("the en")
                sys.stdout.write("d")
            click.echo(".")
        assert BAR in terminal.getvalue()
        assert screen(terminal.getvalue(), WIDTH) == ["one", long_line[:WIDTH], long_line[WIDTH:], "the end."]

    def test_a_file_gets_what_is_printed_meanwhile(self) -> None:
        """And nothing of the bar, which is on the terminal."""
        terminal, file = Terminal(WIDTH), io.StringIO()
        with redirect_stdout(file), redirect_stderr(terminal), progress_bar(console_for_output(stderr=True)) as bar:
            bar.add_task("Reading", total=2)
            click.echo("data")
        assert file.getvalue() == "data\n"
        assert screen(terminal.getvalue(), WIDTH) == []

    @loop.over("columns", [20, 60, 200])
    def test_is_as_wide_as_its_own_terminal(self, columns: int) -> None:
        """A wider one would take two lines, of which one stays, where standard output is a pipe."""
        terminal = Terminal(columns)
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(io.StringIO()), redirect_stderr(terminal):
            patch.delenv("COLUMNS", raising=False)
            patch.setattr(os, "get_terminal_size", size_of)
            with progress_bar(console_for_output(stderr=True)) as bar:
                task = bar.add_task("Reading records, 9,060 decisions", total=2)
                bar.advance(task)
        assert screen(terminal.getvalue(), columns) == []

    @loop.rows(("name", "value"), ("FORCE_COLOR", "1"), ("TTY_COMPATIBLE", "1"))
    def test_none_in_a_file(self, name: str, value: str) -> None:
        """Also where colors are wanted there: a bar could not disappear."""
        file = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stderr(file):
            patch.setenv(name, value)
            with progress_bar(console_for_output(stderr=True)) as bar:
                assert isinstance(bar, Progress)
                bar.add_task("Reading", total=2)
                click.echo("a line", err=True)
        assert file.getvalue() == "a line\n"


def size_of(number: int) -> os.terminal_size:
    """The size of a `Terminal`, by the number of its file; the others are none."""
    if number < 1_000_000:
        raise OSError
    return os.terminal_size((number - 1_000_000, 24))
