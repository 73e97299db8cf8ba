"""Raw streams, which may write a part of what they are given in silence: all is written, or there is an error.

Standard output is raw where PYTHONUNBUFFERED is set, as in many images of containers.
"""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import commands
import each
import gammonrules.cli
import loop
import processes
from gammonrules import GammonError
from gammonrules._shared.complete_writes import without_short_writes
from gammonrules.cli import anki_decks
from gammonrules.cli.app import app
from gammonrules.engine import serve_ubgi
from gammonrules.records import dump, dumps, load

EXAMPLES = Path(__file__).parents[1] / "examples" / "matches"
RECORD = EXAMPLES / "positions" / "money-jacoby_double-take.txt"
FOLDER = EXAMPLES / "xg"
RESIGNING = """
from gammonrules import Action, Event

def resigns(state):
    return Action.ACCEPT if state.offer else Event(Action.RESIGN, argument=1)
"""
ARENA = "arena resigning:resigns resigning:resigns --games 2 --no-cube --workers 1 --seed 1"
PRINTING = {
    "analyze": [f"analyze {EXAMPLES / 'galaxy' / 'match9806622.txt'} -o new --level 1 --workers 1"],
    "arena": [ARENA, f"{ARENA} --json"],
    "bearoff": ["bearoff show HgAAYAwAAAAAAA"],
    "bench": ["bench --help"],
    "cards": [f"cards {FOLDER} -o -"],
    "conform": ["conform --help"],
    "convert": [f"convert {RECORD} - --to {form}" for form in ("json", "mat", "ogxm", "sgf")],
    "evaluate": ["evaluate 4HPwATDgc/ABMA 31 --level 1", "evaluate 4HPwATDgc/ABMA 31 --level 1 -o -"],
    "examples": ["examples"],
    "export": [f"export {RECORD} -o new.csv --workers 1", "export --help"],
    "find": [f"find dice=31 {FOLDER}{option}" for option in ("", " --xgids", " -o -")],
    "hypergammon": ["hypergammon solve --help"],
    "openings": [f"openings {FOLDER} -o -"],
    "perft": ["perft 4HPwATDgc/ABMA 1"],
    "plays": ["plays 4HPwATDgc/ABMA 31", "plays 4HPwATDgc/ABMA 31 --json"],
    "referee": [f"referee {RECORD}", f"referee {RECORD} --json", f"referee {RECORD} --summary"],
    "report": [f"report {FOLDER} -o - --workers 1"],
    "show": ["show 4HPwATDgc/ABMA", "show 4HPwATDgc/ABMA -o -", "--help", "--version"],
    "view": [f"view {RECORD} -o -"],
}
"""What each command prints; of those that take long or need a program, the help."""

WITHOUT_BYTECODE = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
"""Python itself would leave half a .pyc file, for everybody who imports the module later."""


class Short(io.RawIOBase):
    """A raw stream that takes no more than a few bytes at a time, and waits for nothing."""

    def __init__(self, most: int = 7) -> None:
        self.most = most
        self._content = bytearray()

    @property
    def content(self) -> bytes:
        return bytes(self._content)

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int | None:
        taken = memoryview(content)[: self.most]
        self._content += taken
        return len(taken) or None


def written(line: str, monkeypatch: pytest.MonkeyPatch, *, most: int) -> tuple[object, bytes, bytes]:
    """The exit status of the program and what it wrote but times, where streams take so many bytes at a time."""
    output, errors = Short(most), Short(most)
    for name, raw in ("stdout", output), ("stderr", errors):
        monkeypatch.setattr(sys, name, io.TextIOWrapper(raw, "utf-8", write_through=True))  # type: ignore[type-var]
    monkeypatch.setattr(sys, "argv", ["gammonrules", *line.split()])
    with pytest.raises(SystemExit) as ended:
        gammonrules.cli.main()
    if line.startswith("arena"):  # it says how fast they played
        return ended.value.code, re.sub(rb"[ \d.,]+", b" ", output.content), errors.content
    return ended.value.code, output.content, errors.content


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, with a bot, and decks that are the same each time."""
    commands.answering_at_once(monkeypatch)
    monkeypatch.setattr(anki_decks, "deck_of", lambda *_: b"deck" * 1000)
    commands.in_this_process(monkeypatch)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "resigning", raising=False)
    Path(tmp_path, "resigning.py").write_text(RESIGNING)
    return tmp_path


@each.first("command", [*PRINTING])
def test_what_a_command_prints(command: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a stream that takes 100 bytes at a time the same as to one that takes all."""
    for number, line in enumerate(PRINTING[command]):
        outcomes = []
        for most in 1 << 30, 100:
            folder = here / f"{number}-{most}"
            folder.mkdir()
            monkeypatch.chdir(folder)
            (folder / "resigning.py").write_text(RESIGNING)
            outcomes.append(written(line, monkeypatch, most=most))
        assert outcomes[0][0] == 0, (line, outcomes[0][2])
        assert len(outcomes[0][1] + outcomes[0][2]) > 10
        assert outcomes[1] == outcomes[0], line


def test_every_command_is_tried() -> None:
    assert [*PRINTING] == app.list_commands(None)  # type: ignore[arg-type]


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
@each.first(
    "line",
    [
        "show 4HPwATDgc/ABMA -o -",
        f"view {RECORD} -o -",
        f"convert {FOLDER / 'test.xg'} - --to sgf",
        f"report {FOLDER} -o -",
        f"referee {EXAMPLES / 'positions'} --json",
        "plays 4HPwATDgc/ABMA 11",
        "find --help",
    ],
)
@each.first("unbuffered", ["1", ""])
def test_a_file_that_may_not_grow(line: str, unbuffered: str, tmp_path: Path) -> None:
    """As on a full disk: exit status 2, and a sentence."""
    done = processes.run(
        *("sh", "-c", 'ulimit -f 1; exec "$@" > output', "sh", *commands.PROGRAM, *line.split()),
        env={**WITHOUT_BYTECODE, "PYTHONUNBUFFERED": unbuffered},
        cwd=tmp_path,
        check=False,
    )
    assert done.stderr.splitlines()[-1].startswith("gammonrules: the output cannot be written: ")
    assert done.returncode == 2
    assert 0 < (tmp_path / "output").stat().st_size <= 1024


def bot(state: object) -> object:
    raise AssertionError("it is not asked")


def test_the_answers_of_a_bot() -> None:
    output = Short()
    serve_ubgi(bot, name="A bot of some name", input=io.BytesIO(b"ubgi\nquit\n"), output=output)  # type: ignore[arg-type]
    expected = io.BytesIO()
    serve_ubgi(bot, name="A bot of some name", input=io.BytesIO(b"ubgi\nquit\n"), output=expected)  # type: ignore[arg-type]
    assert len(expected.getvalue()) > 50
    assert output.content == expected.getvalue()


@pytest.mark.skipif(os.name != "posix", reason="a shell of POSIX")
def test_the_answers_of_a_bot_in_a_file_that_may_not_grow(tmp_path: Path) -> None:
    """Some thousand of them: the bot ends in an error, rather than leave out what has no room."""
    (tmp_path / "questions").write_text("isready\n" * 10_000 + "quit\n")
    program = "from gammonrules.engine import serve_ubgi; serve_ubgi(lambda state: None)"
    script = 'ulimit -f 4; exec "$@" < questions > answers'
    command = ("sh", "-c", script, "sh", sys.executable, "-c", program)
    done = processes.run(*command, env=WITHOUT_BYTECODE, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "OSError" in done.stderr.splitlines()[-1]


@loop.rows("form", "json", "mat", "ogxm")
def test_records_in_raw_files(form: str) -> None:
    match = load(RECORD)
    content = dumps(match, form)  # type: ignore[call-overload]
    binary = Short()
    dump(match, binary, form)  # type: ignore[arg-type]
    assert binary.content == (content if isinstance(content, bytes) else content.encode())
    raw = Short()
    text = io.TextIOWrapper(raw, "utf-8", newline="", write_through=True)  # type: ignore[type-var]
    if isinstance(content, bytes):
        with pytest.raises(GammonError):
            dump(match, text, form)  # type: ignore[arg-type]
        return
    text.write("before\n")
    before = raw.content
    dump(match, text, form)  # type: ignore[arg-type]
    assert raw.content.decode().removeprefix(before.decode()) == content.replace("\n", os.linesep)
    assert not text.closed


class TestStreams:
    def test_others_stay_as_they_are(self) -> None:
        for stream in None, io.StringIO(), io.BytesIO(), io.TextIOWrapper(io.BytesIO()), object():
            assert without_short_writes(stream) is stream

    def test_what_writes_all_stays_as_it_is(self) -> None:
        for stream in Short(), io.TextIOWrapper(Short(), "utf-8"):  # type: ignore[type-var]
            whole = without_short_writes(stream)
            assert whole is not stream
            assert without_short_writes(whole) is whole

    def test_line_endings_are_the_usual_ones(self) -> None:
        """A text stream does not tell its own."""
        raw = Short()
        without_short_writes(io.TextIOWrapper(raw, "utf-8", newline="\r\n")).write("a\nb\n")  # type: ignore[type-var]
        assert raw.content.decode() == f"a{os.linesep}b{os.linesep}"

    def test_the_stream_below_stays_open(self) -> None:
        raw = Short()
        without_short_writes(raw).close()
        without_short_writes(io.TextIOWrapper(raw)).close()
        raw.write(b"open")
        assert raw.content == b"open"

    def test_its_descriptor(self) -> None:
        with open(os.devnull, "wb", buffering=0) as raw:  # noqa: PTH123
            whole = without_short_writes(raw)
            assert (whole.fileno(), whole.isatty(), whole.writable()) == (raw.fileno(), raw.isatty(), True)
            assert whole.name == raw.name
            text = io.TextIOWrapper(raw)
            assert without_short_writes(text).name == text.name
        assert not hasattr(without_short_writes(Short()), "name")

    @pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
    def test_a_full_pipe_that_does_not_wait(self) -> None:
        """Raw, it would take nothing and say so by None."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        with open(reading, "rb"), open(writing, "wb", buffering=0) as raw, pytest.raises(BlockingIOError):  # noqa: PTH123
            without_short_writes(raw).write(bytes(10_000_000))

    def test_nothing(self) -> None:
        assert without_short_writes(Short()).write(b"") == 0
