"""`gammonrules analyze`: archives analyzed by an engine, on several processes, and resumed."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import attrs
import pytest

import commands
import wording
from commands import files_in, refused
from gammonrules import KERNEL
from gammonrules.records import dump, load, loads

EXAMPLES = Path(__file__).parents[2] / "examples" / "matches"
SHORT = EXAMPLES / "galaxy" / "match9806622.txt"
FEW = "2 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n"


run = partial(commands.run, "analyze")


class TestArchive:
    def test_another_match_by_the_same_name(self, tmp_path: Path) -> None:
        """In one run, where only capitals differ, or in the folder already: it fails, and --force replaces it."""
        first, other, out = tmp_path / "1" / "a.mat", tmp_path / "2" / "a:.mat", tmp_path / "out"
        for path, text in (first, FEW), (other, FEW.replace("31", "41")), (other.with_name("a_.mat"), FEW):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        assert "failed: 1" in (result := run(other.parent, "-o", out, "--workers", 1)).stdout
        assert (result.exit_code, files_in(out)) == (2, ["a_.mat.json"])
        first = first.rename(first.with_name("a_.mat"))
        assert [run(first, "-o", out, *force).exit_code for force in ((), ("--force",))] == [2, 0]
        assert load(out / "a_.mat.json").fingerprint == load(first).fingerprint

    @pytest.mark.parametrize(("names", "options"), [(("Ann", "Ann"), ()), (("Ann", "Bob"), ("--alias", "Bob", "Ann"))])
    def test_opponents_are_two_people(self, names: tuple[str, str], options: tuple[str, ...], tmp_path: Path) -> None:
        """Whatever they are called."""
        (tmp_path / "a.mat").write_text(FEW.replace("Ann", names[0]).replace("Bob", names[1]))
        told = run(tmp_path / "a.mat", "-o", tmp_path / "out", *options).stdout
        assert [told.count(f"{seat} of ") for seat in ("white", "black")] == [1, 1]

    def test_players_by_name(self, tmp_path: Path) -> None:
        """Names are joined by --alias alone; who has none is nobody else."""
        for name in "Ann", "ann", "":
            path = tmp_path / "in" / f"{name}{len(name)}.{'txt' if name == 'ann' else 'mat'}"
            path.parent.mkdir(exist_ok=True)
            text = FEW.replace("62: 24/18 13/11", "61: 13/7 8/7") if name == "ann" else FEW  # else it is a copy
            path.write_text(text.replace("Ann", name))
        command = tmp_path / "in", "-o", tmp_path / "out", "--workers", 1
        apart, joined = run(*command).stdout, run(*command, "--alias", "ann", "Ann", "--rule", "gnubg").stdout
        assert [line.split()[0] for line in apart.splitlines() if re.search("  (?i:ann)$", line)] == ["1", "1"]
        assert "--alias Ann ann" in apart
        assert f"white of {tmp_path / 'out' / '0.mat.json'}" in " ".join(apart.split())
        assert [line.split()[0] for line in joined.splitlines() if re.search("  (?i:ann)$", line)] == ["2"]
        assert "--alias" not in joined

    def test_a_match_in_two_files_counts_once(self, tmp_path: Path) -> None:
        """Both are analyzed, whatever their formats are."""
        match = loads(FEW)
        for folder, suffix in ("a", "json"), ("b", "sgf"):
            (tmp_path / "in" / folder).mkdir(parents=True)
            dump(match, tmp_path / "in" / folder / f"{folder}.{suffix}")
        result = run(tmp_path / "in", "-o", tmp_path / "out", "--workers", 1)
        wording.check(" ".join(result.stdout.split()), "2 records: 1 match, 1 copy 2 records analyzed", longest=900)
        assert {line.split()[0] for line in result.stdout.splitlines() if re.search("  (Ann|Bob)$", line)} == {"1"}

    @pytest.mark.parametrize("to", ["json", "sgf"])
    def test_other_players(self, to: str, tmp_path: Path) -> None:
        """Nobody gets another's error rate. A name that the format must change, as SGF does, is the same."""
        runs = []
        for name in "Ann\xa0L", "Ann\xa0L", "Mallory":
            (tmp_path / "a.mat").write_text(FEW.replace("Ann", name), encoding="utf-8")
            runs.append(run(tmp_path / "a.mat", "-o", tmp_path / "out", "--engine", "bgsage", "--to", to))
        assert [result.exit_code for result in runs] == [0, 0, 2]
        assert "already there: 1" in runs[1].stdout
        wording.check(runs[2].stderr.strip(), f"a.mat.{to}", "another match", "--force")
        assert "Ann" not in runs[2].stdout

    @pytest.mark.parametrize("to", ["json", "sgf"])
    def test_what_convert_has_written_is_analyzed(self, to: str, tmp_path: Path) -> None:
        """As it is: what has been added to it stays. In another form, it would not."""
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a").write_text(FEW)
        out = tmp_path / "out" / f"a.{to}"
        commands.run("convert", out.parents[1] / "in", out.parent, "--to", to)
        match = load(out)
        assert [decision.analysis for decision in match.decisions()] == [None] * 3
        dump(attrs.evolve(match, games=(attrs.evolve(match.games[0], comments=("well played",)),)), out)
        converted = out.read_text()
        command = tmp_path / "in", "-o", out.parent, "--engine", "bgsage", "--to", to, "--workers", 1
        out.write_text(f" {converted}")
        assert (run(*command).exit_code, out.read_text()) == (2, f" {converted}")
        out.write_text(converted)
        result = run(*command)
        assert "1 match analyzed" in result.stdout
        assert re.search(r"1 +1 .*Ann", result.stdout)
        analyzed = load(out)
        assert (next(analyzed.decisions()).best, analyzed.games[0].comments) == ("8/5 6/5", ("well played",))
        assert "already there: 1" in run(*command).stdout

    @pytest.mark.parametrize("to", ["json", "sgf"])
    def test_engines_and_levels_do_not_mix(self, to: str, tmp_path: Path) -> None:
        """What another has said stays, its numbers are not in the table, and it is named."""
        (tmp_path / "a.mat").write_text(FEW)
        command = tmp_path / "a.mat", "-o", tmp_path / "out", "--engine", "bgsage", "--to", to
        out = tmp_path / "out" / f"a.mat.{to}"
        assert run(*command).exit_code == 0
        analyzed = out.read_bytes()
        result = run(*command, "--level", 1)
        assert (result.exit_code, out.read_bytes()) == (2, analyzed)
        assert re.search(r"a\.mat\.\w+ .*bgsage .*2-ply.*--force", result.stderr)
        assert "Ann" not in result.stdout
        assert run(*command, "--level", 1, "--force").exit_code == 0
        assert {candidate.level for candidate in next(load(out).decisions()).analysis.candidates} == {"1-ply"}
        out.write_bytes(analyzed.replace(b"bgsage", b"gnubg"))
        result = run(*command)
        assert (result.exit_code, "gnubg" in result.stderr) == (2, True)

    @pytest.mark.usefixtures("real_bgsage")
    def test_sgf(self, tmp_path: Path) -> None:
        """A coin game, which SGF only has as money play, is known again as well."""
        (tmp_path / "a.mat").write_text(f'; [Site "BackgammonGalaxy"]\n{FEW}'.replace("2 p", "16 p"))
        assert load(tmp_path / "a.mat").is_coin_game
        for words in "1 match analyzed", "already there: 1":
            assert words in run(tmp_path / "a.mat", "-o", tmp_path / "out", "--engine", "bgsage", "--to", "sgf").stdout
        assert next(load(tmp_path / "out" / "a.mat.sgf").decisions()).best == "8/5 6/5"

    def test_limits_of_the_cube(self, tmp_path: Path) -> None:
        """A far one is left out, which is said; where all is near, file and reason are named."""
        for name, limit in ("far", 64), ("near", 4):
            (tmp_path / f"{name}.mat").write_text(f'; [CubeLimit "{limit}"]\n{FEW.replace("2 p", "0 p")}')
        out = "-o", tmp_path / "out", "--workers", 1
        result = run(tmp_path / "far.mat", *out)
        assert (result.exit_code, result.stdout.count("ignoring the limit of 64: 1")) == (0, 1)
        written = tmp_path / "out" / "far.mat.json"
        assert next(load(written).decisions()).best == "8/5 6/5"
        written.write_text(written.read_text().replace("the limit of 64", "a stranger's words"))
        assert "ignoring" not in run(tmp_path / "far.mat", *out).stdout
        result = run(tmp_path / "near.mat", *out)
        assert (result.exit_code, result.stdout.count("not analyzed: 1")) == (1, 1)
        wording.check(result.stderr.strip(), "near.mat", "no decision", "a limit of 4", "CubeLimit")
        assert run(tmp_path / "near.mat", tmp_path / "missing.mat", *out).exit_code == 2

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["missing.mat", "-o", "out"], "missing.mat"),
            ([SHORT, "-o", "out", "--engine", "nobody"], "bgsage"),
            ([SHORT.parent, "-o", SHORT.parent / "out"], "inside"),
            ([SHORT, "-o", SHORT / "out"], "not a folder"),
        ],
    )
    def test_refused(
        self, arguments: list[object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        result = run(*arguments)
        assert result.exit_code == 2
        assert words in result.stderr
        assert files_in(tmp_path) == []

    @pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
    @pytest.mark.parametrize("program", ["analyze", "report"])
    def test_selftaught_analyzes_only_if_it_is_named(
        self, program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Where bgsage is missing, error rates are refused before any work; selftaught gives its own."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("gammonrules.engine._factory.installed", lambda: "")
        Path("few.mat").write_text(FEW)
        output = ["-o", "out"] if program == "analyze" else ["-o", "out.html", "--analyze", "out"]
        arguments = (program, "few.mat", *output, "--level", 1, "--workers", 1)
        refused(*arguments, says=("bgsage", "pip install", "--engine selftaught"))
        assert files_in(tmp_path) == ["few.mat"]
        result = commands.run(*arguments, "--engine", "selftaught")
        assert result.exit_code == 0
        analyzed = load("out/few.mat.json")
        assert {rate.engine for rate in analyzed.error_rates()} == {"selftaught 4"}

    @pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel")
    def test_sgf_has_the_levels_of_selftaught_as_gnu_backgammon_counts(self, tmp_path: Path) -> None:
        (tmp_path / "few.mat").write_text(FEW)
        assert run(tmp_path / "few.mat", "-o", tmp_path, "--engine", "selftaught", "--to", "sgf").exit_code == 0
        written = tmp_path / "few.mat.sgf"
        assert next(load(written).decisions()).analysis.candidates[0].level == "2-ply"
        assert (" 1C " in written.read_text(), " 2C " in written.read_text()) == (True, False)
