"""`gammonrules conform`: what it prints and writes, and its exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import commands
import loop
from gammonrules import Position
from gammonrules._shared.extras import INSTALL
from gammonrules.conformance import answer
from gammonrules.conformance.questions import Case

START = [*Position.start().points]
MOVE_BY_MOVE = "A turn move by move: every order that is a legal play, and no other"
BAR, BOTH = "A checker on the bar enters before any other moves", "Both dice if possible"
FAKE = Path(__file__).parent.parent / "engine" / "fake_engine.py"
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    (BAR, {"ask": "plays", "points": [0, -2, *[0] * 22, 1, 1], "dice": [2, 1]}),
    (BAR, {"ask": "plays", "points": START, "dice": [6, 5]}),
    (BOTH, {"ask": "orders", "points": START, "dice": [6, 5]}),
    (BOTH, {"ask": "perft", "start": "hypergammon1", "depth": 1}),
]
CASES = [Case(rule, {"id": number, **question}) for number, (rule, question) in enumerate(QUESTIONS, 1)]
ANSWERS = [answer(case.question) for case in CASES]
HELLO = {"id": 0, "name": "My \x1b[1mbot", "version": "2", "asks": ["plays", "orders"]}


@pytest.fixture(autouse=True)
def core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gammonrules.conformance.internals.core", lambda: [*CASES])
    monkeypatch.setattr("gammonrules._shared.work.programs._SECONDS_TO_END", 0.1)


def program(folder: Path, *answers: Any) -> list[str]:
    """The end of a command line: a program that says hello, and then these answers, those from the suite by default."""
    script = "".join(f"> {{\n< {json.dumps(said)}\n" for said in (HELLO, *(answers or ANSWERS[:3])))
    (folder / "script").write_text(script)
    return ["--", sys.executable, "-I", "-S", str(FAKE), str(folder / "script")]


def test_a_right_program(tmp_path: Path) -> None:
    """Rules are named only where something failed; nothing of the program reaches the terminal as it is."""
    done = commands.run("conform", *program(tmp_path))
    assert (done.exit_code, done.stderr) == (0, "")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[:3] == [
        ["plays", "2", "asked", "0", "failed"],
        ["orders", "1", "asked", "0", "failed"],
        "perft 1 left out: the program does not answer them".split(),
    ]
    assert "3 questions, 0 failures" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_wrong_program(tmp_path: Path) -> None:
    """Rules stand in the order of the suite, with the question, the board and the proof."""
    wrong = {"id": 1, "points": [*ANSWERS[0]["points"], [0, -2, *[0] * 20, 1, 0, 0, 1]]}
    done = commands.run("conform", *program(tmp_path, wrong, ANSWERS[1], {"id": 3, "orders": []}))
    assert done.exit_code == 1
    first, second = (done.stdout.index(f"{rule}: 1 of {cases} case") for rule, cases in ((BAR, 2), (BOTH, 1)))
    assert first < second
    for words in ('{"id": 1, "ask": "plays"', "+13-14-15", "0 boards missing, 1 too many", "must enter first"):
        assert words in done.stdout[:second]
    assert "missing: [[8, 2], [8, 3]]" in done.stdout[second:]


def test_a_program_that_dies(tmp_path: Path) -> None:
    """The report is that of what was asked."""
    done = commands.run("conform", "--timeout", "20", *program(tmp_path, ANSWERS[0]))
    assert done.exit_code == 2
    assert "2 questions, 1 failure" in done.stdout
    assert "it has ended" in done.stderr


@loop.rows(
    ("arguments", "words"),
    (["--", "no-such-program"], "there is no program"),
    (["--", __file__], "is it executable"),
    ([], "PROGRAM"),
    (["--timeout", "nan", "--", "no-such-program"], "timeout"),
    (["--junit", "", "--", "x"], "empty"),
)
def test_refused(arguments: list[str], words: str) -> None:
    done = commands.run("conform", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stdout == ""


def test_json(tmp_path: Path) -> None:
    done = commands.run("conform", "--json", *program(tmp_path, ANSWERS[0], {"id": 2, "points": 5}, ANSWERS[2]))
    report = json.loads(done.stdout)
    (rule,) = report.pop("rules")
    assert report == {
        "version": 1,
        "suite": 3,
        "program": {"name": "My ?[1mbot", "version": "2", "asks": ["plays", "orders"]},
        "cases": 3,
        "failures": 1,
        "stopped": None,
        "at_random": None,
        "left_out": {"perft": 1},
        "kinds": {"plays": {"cases": 2, "failures": 1}, "orders": {"cases": 1, "failures": 0}},
    }
    assert (rule["rule"], rule["cases"], rule["failures"], rule["question"]["id"]) == (BAR, 2, 1, 2)
    assert (len(rule["lines"]), rule["follows"]) == (1, False)


def test_junit(tmp_path: Path) -> None:
    """It replaces its own reports, and nothing else without --force."""
    report = tmp_path / "report.xml"
    for answers, failures in ((ANSWERS[:3], "0"), ([*ANSWERS[:2], {"id": 3, "error": "no & <\x00>"}], "1")):
        _ = commands.run("conform", "--junit", report, *program(tmp_path, *answers))
        suites = ET.parse(report).getroot()
        assert suites.attrib | {"tests": "3", "failures": failures} == suites.attrib
        tests = [*suites.iter("testcase")]
        assert [test.get("classname") for test in tests] == ["plays", "plays", "orders"]
        assert [failure.get("type") for failure in suites.iter("failure")] == [MOVE_BY_MOVE] * int(failures)
    report.write_text("mine")
    refused = commands.run("conform", "--junit", report, *program(tmp_path))
    assert (refused.exit_code, report.read_text()) == (2, "mine")
    assert "--force" in refused.stderr
    assert commands.run("conform", "--junit", report, "--force", *program(tmp_path)).exit_code == 0
    assert ET.parse(report).getroot().get("tests") == "3"


def test_random_boards_need_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is said before a program is started."""
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    monkeypatch.delitem(sys.modules, "gammonrules.strategies", raising=False)
    commands.refused("conform", "--random", 5, "--", "no-such-program", says=INSTALL.format("hypothesis"))


def test_full_and_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the core there are more questions; a program that does not answer them all cannot be asked to the end."""
    done = commands.run("conform", "--full", "--json", *program(tmp_path))
    assert json.loads(done.stdout)["cases"] == 4
    monkeypatch.setattr("gammonrules._json_protocol.client.Interview.ask", lambda _, question: answer(question))
    done = commands.run("conform", "--full", "--random", 7, "--json", *program(tmp_path))
    assert (done.exit_code, json.loads(done.stdout)["cases"]) == (0, 2 * 21 + 21 + 7)


def test_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report of half a run would be taken for one of all of it."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gammonrules._json_protocol.client.Interview.ask", stop)
    report = tmp_path / "report.xml"
    status, output, _ = commands.main("conform", "--junit", report, *program(tmp_path))
    assert (status, output, report.exists()) == (130, b"", False)


ENGINE = """> ubgi
< id name Sham|proto 0.2|ubgiok
> newgame
> isready
< readyok
> position
> dice
> go
< bestmove 6/off
> isready
< readyok
> position
> dice
> go
< bestmove bar/23 24/23
> isready
< readyok
> position
> dice
> go
< bestmove 24/20 13/8
"""


def test_an_engine(tmp_path: Path) -> None:
    """It plays the first board legally, if not as anybody would, and the second one by numbers that were not rolled."""
    script = tmp_path / "script"
    forced = "XGID=-E-b-b--D-b---e-F---bb----:0:0:1:62:0:0:3:0:10"
    from gammonrules import MatchState  # noqa: PLC0415

    only = str(MatchState.from_xgid(forced).legal_plays[0])
    script.write_text(ENGINE.replace("6/off", only))
    done = commands.run("conform", "--ubgi", "--", sys.executable, "-I", "-S", FAKE, script)
    assert done.exit_code == 1, done.output
    assert "plays              2 asked       1 failed" in done.stdout
    assert "24/20 13/8" in done.stdout
    assert "Sham" in done.stdout
