"""`gammonrules analyze --rollout`: the decisions in doubt, one by one, and on where it was stopped."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import commands
import loop
import wording
from gammonrules.cli.engine_options import engine_maker
from gammonrules.cli.rollout_files import rolled_out
from gammonrules.engine import Rollout, SimpleEngine
from gammonrules.records import Match, PlayAnalysis, analyze, dump, load, loads
from gammonrules.records.analysis_plans import doubts_in

pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)

EXAMPLES = Path(__file__).parents[2] / "examples" / "matches" / "galaxy"
TEXT = "5 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n  2) Doubles => 2   Drops\n"
QUICK = Rollout(36, truncate=1)
ROLLED_OUT = "rollout, 36 trials of 1-ply, truncated at 1, seed 1"

run = partial(commands.run, "analyze")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "a.mat").write_text(TEXT)
    return tmp_path / "a.mat"


@pytest.fixture
def quick(real_bgsage: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process."""
    commands.in_this_process(monkeypatch)


def levels(match: Match) -> list[str]:
    analyses = (decision.analysis for decision in match.decisions())
    return [
        str(analysis.best.level if isinstance(analysis, PlayAnalysis) else analysis.level)
        for analysis in analyses
        if analysis
    ]


def analyses(match: Match) -> list[object]:
    return [decision.analysis for decision in match.decisions()]


def test_a_decision_that_fails(source: Path) -> None:
    """The sentence comes back, the file stays, and the bar is told of each decision, an answer with its double."""
    with SimpleEngine.bgsage() as engine:
        dump(analyze(loads(TEXT), engine), target := source.with_suffix(".json"))
    written, told = target.read_bytes(), list[int]()
    doubts = {target: doubts_in(load(target), {"close": 10})}
    [done] = rolled_out(engine_maker("bgsage", 9, QUICK), doubts, 1, lambda: told.append(1))
    assert (len(told), "level must be" in (done.error or "")) == (4, True)
    assert (done.match, target.read_bytes()) == (load(target), written)


@pytest.mark.usefixtures("quick")
def test_stopped_in_mid_match(source: Path) -> None:
    """The file has what was rolled out before."""
    with SimpleEngine.bgsage() as engine:
        dump(analyze(loads(TEXT), engine), target := source.with_suffix(".json"))
    doubts = {target: doubts_in(load(target), {"close": 10})}
    with pytest.raises(ZeroDivisionError):
        next(rolled_out(engine_maker("bgsage", None, QUICK), doubts, 1, lambda: 1 / 0))
    assert levels(load(target)).count(ROLLED_OUT) == 1


@loop.rows(
    "arguments, words",
    (["--rollout", 0], "trials must be a whole number from 36 to 100,000, not 0"),
    (["--rollout", "many"], "many"),
    (["--rollout", 36, "--truncate", -1], "truncate must be"),
    (["--rollout", 36, "--seed", -1], "seed must be"),
    (["--rollout", 36, "--error", -0.1], "'--error': -0.1"),
    (["--rollout", 360, "--until", "clear"], "until must be"),
    (["--tiers", "deep"], "'deep' is not one of"),
)
def test_what_is_refused(arguments: list[object], words: str) -> None:
    result = run(EXAMPLES, "-o", "no such folder", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr
    assert not Path("no such folder").exists()


@pytest.mark.usefixtures("quick")
def test_tiers_count_as_one_level_and_go_on(source: Path, tmp_path: Path) -> None:
    """A run that was stopped, or is made again, asks nothing twice; another level is refused, and named."""
    out = tmp_path / "out" / "a.mat.json"
    result = run(source, "-o", out.parent, "--tiers", "quick", "--workers", 1)
    assert (result.exit_code, "tiers quick, in" in result.stdout) == (0, True)
    assert {level.partition(": ")[0] for level in levels(load(out))} == {"tiers quick"}
    assert "already there: 1" in run(source, "-o", out.parent, "--tiers", "quick", "--workers", 1).stdout
    other = run(source, "-o", out.parent, "--level", 1, "--workers", 1)
    assert other.exit_code == 2
    wording.check(other.stderr.strip(), "was analyzed by", "tiers quick", "--force", longest=400)
