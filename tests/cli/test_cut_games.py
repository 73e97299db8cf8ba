"""A game that cannot be replayed to its end is named wherever its numbers are those of its beginning."""

from __future__ import annotations

from pathlib import Path

import pytest

import commands
from gammonrules.records import report_to_html

MATCHES = Path(__file__).parents[1] / "data" / "matches"
CUT = MATCHES / "bgf" / "broken" / "5nqfGw9bWG3deTaU.bgf"
"""Its first and only game is illegal at line 20, and is not replayed from there."""
SAID = "game 1 is cut off at line 20, '31: 14/10 13/12': what follows in it does not count"


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    """A game that can be replayed."""
    path = tmp_path / "whole.txt"
    match = (MATCHES / "galaxy" / "match7662222.txt").read_text(encoding="utf-8")
    path.write_text(match.partition("\n Game 2")[0], encoding="utf-8")
    return path


@pytest.mark.parametrize("command", ["export", "report"])
def test_it_is_named(command: str, whole: Path, tmp_path: Path) -> None:
    file = tmp_path / f"x.{'csv' if command == 'export' else 'html'}"
    ended = commands.run(command, CUT, whole, "-o", file)
    assert ended.exit_code == 0
    assert f"{CUT}: {SAID}" in ended.stderr.splitlines()
    assert ended.stderr.count("is cut off") == 1


def test_also_when_it_is_analyzed_and_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = tmp_path / "cut.mat"
    cut.write_text("5 point match\n Game 1\n A : 0  B : 0\n  1) 31: 8/5 6/5  62: 24/18 13/11\n  2) 31: 1/5\n")
    said = "game 1 is cut off at line 5, '31: 1/5': what follows in it does not count"
    for _ in range(2):
        ended = commands.run("analyze", cut, "-o", tmp_path / "out", "--workers", 1, "--level", 1)
        assert (ended.exit_code, f"{cut}: {said}" in ended.stderr.splitlines()) == (0, True)
    (written,) = (tmp_path / "out").iterdir()
    assert f"{written}: {said}" in commands.run("report", written, "-o", tmp_path / "x.html").stderr.splitlines()


def test_many_are_counted(tmp_path: Path) -> None:
    (tmp_path / "x.mat").write_text(
        "".join(["50 point match\n"] + [f"\n Game {n}\n A : 0  B : 0\n  1) 31: 5/1\n" for n in range(1, 31)]),
        encoding="utf-8",
    )
    said = commands.run("export", tmp_path / "x.mat", "-o", tmp_path / "x.csv").stderr
    assert (said.count("is cut off"), "and 10 more games cut off" in said) == (20, True)


def test_a_report_says_so(whole: Path, tmp_path: Path) -> None:
    """Once, though the match is there twice, and not about the matches of others."""
    page = report_to_html(CUT, CUT, whole)
    assert "Games of which only the beginning could be replayed: 1." in page
    assert page.count("is cut off at line 20") == 1
    assert "only the beginning" not in report_to_html(CUT, whole, player="lasse")
    hostile = tmp_path / "<b>&.mat"
    hostile.write_bytes((MATCHES / "broken" / "illegal-play.mat").read_bytes())
    assert "<b>" not in report_to_html(hostile)
