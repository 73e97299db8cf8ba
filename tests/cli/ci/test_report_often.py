"""Reports that are made again and again, with analyses from runs before."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from test_report_analyses import DATED, UNDATED, analyzed_before, bgsage, inside, mixed

import wording
from commands import at_terminal, files_in, refused, run
from gammonrules.engine import EngineTerminatedError
from gammonrules.records import Match
from gammonrules.records.internals import AnalysisPlan

__all__ = ["bgsage", "inside", "mixed"]


@pytest.mark.usefixtures("bgsage")
def test_two_runs_at_once_in_a_folder(here: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run writes all analyses while this one works on its second match; in the first, the engine has failed."""
    command = "report", mixed, "--player", "lasse", "-o", "me.html", "--analyze", "kept", "--workers", "1"
    analyzed = AnalysisPlan.analyzed
    asked: list[Match] = []

    def slow(self: AnalysisPlan, match: Match) -> object:
        asked.append(match)
        if len(asked) == 1:
            raise EngineTerminatedError("it has ended")
        with monkeypatch.context() as patch:
            patch.setattr(AnalysisPlan, "analyzed", analyzed)
            assert run(*command).exit_code == 0
        return analyzed(self, match)

    monkeypatch.setattr(AnalysisPlan, "analyzed", slow)
    result = run(*command)
    assert (result.exit_code, len(asked)) == (2, 2)
    assert [line for line in result.stderr.splitlines() if "ended" in line or "force" in line] == [
        f"{mixed / DATED['2024-02-28']}: it has ended"
    ]
    assert "already there: 4" in result.stderr
    assert "5 matches; with analyses: 5" in (here / "me.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("bgsage")
def test_a_run_that_was_stopped_goes_on(here: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been analyzed until then counts; then the rest is analyzed, and nothing again."""
    done: list[Match] = []
    analyzed = AnalysisPlan.analyzed

    def stopping(self: AnalysisPlan, match: Match) -> object:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(match)
        return analyzed(self, match)

    command = "report", mixed, "--player", "lasse", "-o", "me.html", "--analyze", "analyzed", "--workers", "1"
    with monkeypatch.context() as patch:
        patch.setattr(AnalysisPlan, "analyzed", stopping)
        assert run(*command).exit_code != 0
    assert "3 of lasse&#x27;s 5 matches have no analysis" in (here / "me.html").read_text(encoding="utf-8")
    assert "2 of lasse's 5" in run("report", mixed, "--player", "lasse", "-o", "me.html").stderr
    done.clear()
    with monkeypatch.context() as patch:
        patch.setattr(AnalysisPlan, "analyzed", stopping)
        assert run(*command).exit_code == 0
    assert len(done) == 2


@pytest.mark.usefixtures("bgsage")
def test_where_numbers_would_change_the_answer_is_no(mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless somebody says yes; where the engine only goes on, it is yes."""
    asked = at_terminal(monkeypatch, "\n", "report", mixed, "-o", "all.html", "--workers", "1")
    assert (asked.exit_code, Path("analyzed").exists()) == (0, False)
    wording.check(asked.stderr.splitlines()[0].strip(), "5 of 6", "6 records", "eXtreme Gammon", "[y/N]", longest=300)
    (mixed / "game.json").unlink()
    analyzed_before(mixed / UNDATED[1])
    going_on = at_terminal(monkeypatch, "\n", "report", mixed, "-o", "all.html", "--workers", "1")
    assert "4 of 5 matches have no analysis" in going_on.stderr
    assert "[Y/n]" in going_on.stderr
    assert len(files_in(Path("analyzed"))) == 5


def renamed(path: Path, name: str) -> None:
    """Give lasse another name in a record."""
    path.write_text(path.read_text(encoding="utf-8").replace("lasse", name), encoding="utf-8")


def test_spellings_of_a_name_are_asked_about_once(here: Path, mixed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is joined without an answer, which is kept in a file that no reader of records reports."""
    monkeypatch.setitem(sys.modules, "bgsage", None)  # nothing else is asked
    renamed(mixed / UNDATED[0], "Lasse")
    renamed(mixed / UNDATED[1], "LASSE")
    command = "report", "mixed", "--player", "lasse", "-o", "me.html"
    not_asked = run(*command)
    assert "perhaps one player: --alias Lasse lasse" in not_asked.stderr
    assert "lasse's 3" not in not_asked.stderr
    assert not (here / "analyzed").exists()
    asked = at_terminal(monkeypatch, "y\nn\n", *command)
    questions = [line for line in asked.stderr.splitlines() if "one player?" in line]
    assert len(questions) == 2, asked.stderr
    assert files_in(here / "analyzed") == ["aliases.txt"]
    pages = "report", "mixed", "--player", "lasse", "-o", "pages", "--pages"
    for again in at_terminal(monkeypatch, "", *command), run(*command), run(*pages):
        assert "one player" not in again.stderr
        assert "4 matches;" in (here / "me.html").read_text(encoding="utf-8")
    kept = here / "analyzed" / "aliases.txt"
    kept.write_bytes(kept.read_bytes().replace(b"\n", b"\r\n"))  # as an editor saves it
    assert "one player" not in run(*command).stderr
    shutil.copy(kept, mixed)
    for reader in (["referee", "mixed"], ["export", "mixed", "-o", "table.csv"], ["report", "mixed", "-o", "-"]):
        assert "aliases.txt" not in run(*reader).output
    other = "report", "mixed", "--player", "Lasse", "-o", "-"
    assert "4 matches;" in run(*other).stdout  # by either name
    (here / "analyzed" / "aliases.txt").write_text("Lasse is lasse", encoding="utf-8")
    refused(*command, says=("aliases.txt", "not written by gammonrules"))
    text = (mixed / "aliases.txt").read_text(encoding="utf-8")
    (here / "analyzed" / "aliases.txt").write_text(f"{text}one player\tLasse\n", encoding="utf-8")
    refused(*command, says=("aliases.txt, line 4", "two names"))


def test_report_with_nothing_else(inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads the folder, offers who is named most, and never names its own pages as skipped."""
    assert run("report").exit_code == 0
    assert "7 records: 6 matches, 1 without a play; with" in (inside / "report.html").read_text(encoding="utf-8")
    assert "report.html" not in run("report").stderr
    asked = at_terminal(monkeypatch, "\n", "report")
    wording.check(asked.stderr.splitlines()[0], "lasse is named most, in 5 matches", "[Y/n]", longest=200)
    assert "5 matches; with" in (inside / "report.html").read_text(encoding="utf-8")
    assert "7 records: 6 matches, 1 without a play; with" in at_terminal(monkeypatch, "n\n", "report", "-o", "-").stdout
    assert "named most" not in at_terminal(monkeypatch, "\n", "report", ".").stderr
    for _ in range(2):
        pages = run("report", "--pages")
        assert (pages.exit_code, ".html" in pages.stderr) == (0, False), pages.stderr
    assert (inside / "report" / "index.html").is_file()
    (inside / "report.html").write_text("mine", encoding="utf-8")
    refused("report", says=("report.html", "--force"))
    assert "report.html: skipped" in run("report", "-o", "other.html").stderr
