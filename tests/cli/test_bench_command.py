"""`gammonrules bench`: what it prints and writes, and its exit status."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import commands
import loop

DATA = Path(__file__).parents[1] / "data" / "benchmark.jsonl.gz"
BOT = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    answer = {"id": question["id"]}
    if question["ask"] == "hello":
        answer |= {"name": "my \\x1b[1mbot", "version": "1", "asks": ["decide"]}
    elif question["state"]["dice"]:
        answer |= {"do": "play", "moves": [[24, 1]]}
    else:
        answer |= {"do": "take" if question["state"]["offer"] else "double"}
    print(json.dumps(answer), flush=True)
"""
NOTHING = "nothing to compare: neither plays nor cubes were answered by both"


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "bot.py"
    path.write_text(BOT, encoding="utf-8")
    return f"program:{sys.executable} -I -S {path.as_posix()}"


def test_what_is_printed(program: str) -> None:
    """Both numbers, illegal moves, the worst decisions as boards; and nothing of the program as it is."""
    done = commands.run("bench", program, "--data", DATA, "--worst", 2)
    assert (done.exit_code, done.stderr) == (1, "")
    for words in ("my ?[1mbot: 28 positions", " in 11 decisions, PR ", ", 20 illegal", "not legal"):
        assert words in done.stdout
    assert done.stdout.count("+13-14-15") == 2
    assert "\x1b" not in done.stdout


def test_all_decisions() -> None:
    """Further ones and races with `--full` alone; who loses nothing has made no mistake."""
    few, every = (
        commands.run("bench", "bots:first", "--data", DATA, "--worst", 40, *full).stdout for full in ([], ["--full"])
    )
    for words, is_in_few in (
        (" in 11 decisions and 15 further ones, PR ", False),
        ("    races, exact            ", False),
        ("    opening                 no mistake in ", True),
        (", as level 3 of bgsage judges, against ", False),
    ):
        assert (words in few, words in every) == (is_in_few, True), (words, every)


def test_bots_by_name() -> None:
    done = commands.run("bench", "bots:first", "--against", "bots:first", "--data", DATA, "--worst", 0)
    assert done.exit_code == 0
    assert done.stdout.startswith("how much more bots:first loses than bots:first, in thousandths of a point\n")
    assert "illegal" not in done.stdout
    assert "  plays                     no difference in 11 decisions\n" in done.stdout


def test_the_answer_is_repeated_last(program: str) -> None:
    """Boards make the first lines scroll away."""
    alone = commands.run("bench", program, "--data", DATA).stdout.splitlines()
    assert alone[-4:-2] == ["", "my ?[1mbot: losses in thousandths of a point"]
    first_lines = [" ".join(line.split()) for line in alone if line.startswith(("  plays ", "  cubes "))]
    assert len(first_lines) == 4
    assert first_lines[:2] == first_lines[2:]
    compared = commands.run("bench", "bots:first", "--against", program, "--data", DATA).stdout.splitlines()
    assert compared[-3] == compared[0]
    assert [line.split() for line in compared[-2:]] == [
        line.split() for line in compared[1:20] if line.startswith(("  plays ", "  cubes "))
    ][:2]


def test_a_module_that_is_not_there() -> None:
    for bots in (["nobots:careful"], ["bots:first", "--against", "nobots:careful"]):
        done = commands.run("bench", *bots, "--data", DATA)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr == "Error: nobots:careful cannot be imported: there is no nobots.py in this folder\n"


def test_json(program: str) -> None:
    alone = json.loads(commands.run("bench", program, "--data", DATA, "--json").stdout)
    assert (alone["plays"]["illegal"], alone["plays"]["unanswered"], alone["cubes"]["loss"] > 0) == (20, 0, True)
    compared = json.loads(commands.run("bench", "bots:first", "--against", program, "--data", DATA, "--json").stdout)
    assert compared["against"] == alone
    assert compared["difference"]["plays"]["loss"] < 0


def test_junit(program: str, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    for _ in range(2):
        assert commands.run("bench", program, "--data", DATA, "--junit", report).exit_code == 1
    suites = ET.parse(report).getroot()
    assert suites.attrib == {"name": "gammonrules bench", "tests": "36", "failures": "20"}
    assert "20 illegal" in (suites.findtext(".//system-out") or "")
    report.write_text("mine")
    assert commands.run("bench", program, "--data", DATA, "--junit", report).exit_code == 2
    assert report.read_text() == "mine"


def test_nothing_to_compare() -> None:
    """The two bots answer no question of the same kind."""
    done = commands.run("bench", "bots:only_plays", "--against", "bots:only_cubes", "--data", DATA, "--worst", 0)
    assert (done.exit_code, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == [NOTHING, ""]
    assert lines[-2:] == ["", NOTHING]
    assert "how much more" not in done.stdout


def test_nothing_answered() -> None:
    """Numbers would tell what the worst actions lose: one sentence instead, and a line of what is not answered."""
    commands.refused("bench", "bots:arrays", "--data", DATA, says="none of 36 questions: it raised AttributeError")
    commands.refused("bench", "bots:arrays", "--data", DATA, "--json", says="many games at once is an arena.Policy")
    done = commands.run("bench", "bots:first", "--against", "bots:only_cubes", "--data", DATA, "--worst", 0)
    assert (done.exit_code, done.stdout.count("  plays  "), done.stdout.count("  cubes  ")) == (1, 2, 4)
    assert "\n  plays                     none of 20 answered\n  cubes  " in done.stdout


@loop.rows(
    ("arguments", "words"),
    (["nobody"], "a player is"),
    (["program:no-such-program"], "there is no program"),
    (["arena_bots:mute_maker"], "its text cannot be shown"),
    (["bots:mute"], "it raised MuteError: its text cannot be shown"),
    (["bots:first", "--data", __file__], "no file of the benchmark's decisions"),
    (["bots:first", "--data", "no-such-file"], "no-such-file"),
    (["bots:first", "--timeout", "0"], "timeout"),
)
def test_refused(arguments: list[str], words: str) -> None:
    commands.refused("bench", *arguments, says=words)
