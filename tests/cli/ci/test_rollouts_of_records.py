"""`gammonrules analyze --rollout` with records that an engine rolls out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
from test_analyze_rollouts import QUICK, ROLLED_OUT, TEXT, analyses, levels, quick, run, source

import commands
import wording
from gammonrules.cli.rollout_files import rolled_out
from gammonrules.engine import SimpleEngine
from gammonrules.records import PlayAnalysis, analyze, dump, load, loads, needs_rollout
from gammonrules.records.analysis_plans import Doubt

__all__ = ["quick", "source"]
OPTIONS = "--rollout", 36, "--truncate", 1, "--close", 0.01, "--workers", 1


@pytest.mark.usefixtures("quick")
def test_what_is_in_doubt_is_rolled_out_and_nothing_twice(source: Path, tmp_path: Path) -> None:
    """As by the functions of the library; a double with its answer. What a stopped run has written stays as it is."""
    with SimpleEngine.default() as first, SimpleEngine.default(rollout=QUICK) as engine:
        plain = analyze(loads(TEXT), first)
        needs = partial(needs_rollout, close=0.01)
        whole = analyze(plain, engine, only=needs)
    doubts = [needs(decision) for decision in plain.decisions()]
    assert doubts[-2:] in ([True, False], [False, True], [True, True])
    assert levels(whole)[-2:] == [ROLLED_OUT] * 2
    made = [decision.play_analysis.made for decision in whole.decisions() if decision.play_analysis]
    assert ROLLED_OUT in {play.level for play in made} <= {ROLLED_OUT, "1-ply"}
    assert all(
        analysis.made.level == analysis.best.level for analysis in analyses(whole) if isinstance(analysis, PlayAnalysis)
    )
    assert sum(level.startswith("level 2+: ") for level in levels(whole)) == doubts[:-2].count(False) > 0
    out = tmp_path / "out" / "a.mat.json"
    result = run(source, "-o", out.parent, *OPTIONS)
    assert (result.exit_code, analyses(load(out))) == (0, analyses(whole))
    assert f"level 2+, then {ROLLED_OUT}, in" in result.stdout
    game, old = whole.games[0], plain.games[0]
    marked = [attrs.evolve(game.analyses[1], luck=9.0), *game.analyses[2:-2], *old.analyses[-2:]]
    stopped = attrs.evolve(whole, games=(attrs.evolve(game, analyses=(None, *marked)),))
    dump(stopped, out)
    assert run(source, "-o", out.parent, *OPTIONS).exit_code == 0
    assert analyses(load(out)) == [marked[0], *analyses(whole)[1:]]
    before = out.stat().st_mtime_ns
    assert "already there: 1" in run(source, "-o", out.parent, *OPTIONS).stdout
    for other in ((), (*OPTIONS, "--seed", 2)):
        result = run(source, "-o", out.parent, *other)
        assert (result.exit_code, out.stat().st_mtime_ns) == (2, before)
        wording.check(result.stderr.strip(), "was analyzed by", "--force", longest=400)


@pytest.mark.usefixtures("quick")
def test_files_that_somebody_else_changes(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is named in a sentence, and the others go on."""
    for name in "b", "c", "d":
        source.with_stem(name).write_text(TEXT.replace("Ann", name))

    def changed(start: Any, doubts: Mapping[Path, Sequence[Doubt]], *more: Any, **rest: Any) -> object:
        broken, fewer, _, gone = doubts
        broken.write_text("{")
        dump(attrs.evolve(match := load(fewer), games=(attrs.evolve(match.games[0], events=(), analyses=()),)), fewer)
        gone.unlink()
        return rolled_out(start, doubts, *more, **rest)

    monkeypatch.setattr("gammonrules.cli.analysis_runs.rolled_out", changed)
    out = tmp_path.with_name(f"{tmp_path.name}-out")
    result = run(tmp_path, "-o", out, *OPTIONS)
    assert (result.exit_code, ROLLED_OUT in levels(load(out / "c.mat.json"))) == (2, True)
    broken, fewer, gone = result.stderr.strip().splitlines()
    wording.check(broken, "a.mat.json", "the record holds no match")
    wording.check(fewer, "b.mat.json", "no longer the match that was analyzed")
    wording.check(gone, "d.mat.json", "No such file")


@pytest.mark.usefixtures("quick")
def test_a_rollout_that_stops_says_how_many_trials_it_took(source: Path, tmp_path: Path) -> None:
    """In each decision; what they are called together, as a run that goes on does, has those that were asked for."""
    options = "--rollout", 324, "--truncate", 1, "--close", 0.01, "--until", 0.5, "--workers", 1
    asked = "rollout, 324 trials of 1-ply, truncated at 1, until 0.5, seed 1"
    result = run(source, "-o", out := tmp_path / "out", *options)
    assert (result.exit_code, f"level 2+, then {asked}, in" in result.stdout) == (0, True)
    match = load(out / "a.mat.json")
    assert asked.replace("324", "144 of 324") in levels(match)
    assert asked in match.error_rates()[0].levels
    *plays, doubled, answered = levels(match)
    each = [level for level in (*plays, doubled) if " of 324 trials" in level]
    assert (doubled == answered, len(each) > 1) == (True, True)
    used = sum(int(level.split()[1]) for level in each)
    said = f"rials of rollouts: {used:,} of {324 * len(each):,}"
    assert result.stdout.endswith(f"; t{said}\n")
    again = run(source, "-o", out, *options).stdout
    assert again.endswith(f"already there: 1; t{said}\n")
    report = commands.run("report", out / "a.mat.json", "-o", page := tmp_path / "a.html")
    assert (report.exit_code, f"T{said} that were asked for." in page.read_text()) == (0, True)
