"""What stands behind a ± is half of a 95% interval, wherever people read one, and each place says so."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import bots
import commands
from gammonrules import MatchState, arena
from gammonrules.records import export, load, openings, openings_to_html, report_to_html, to_html, to_table

ROOT = Path(__file__).parents[1]
MEANING = "±: half of a 95% interval"
ROLLED_OUT = ROOT / "tests/data/analysis/gnubg/rollout_3pt-game1.sgf"
XG = ROOT / "examples/matches/xg"


def test_of_the_command_evaluate(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bgsage")
    commands.in_this_process(monkeypatch)
    asked = MatchState.new(7).opening_roll(3, 1).xgid, "--rollout", 36, "--truncate", 1, "--limit", 3
    text, data = (commands.run("evaluate", *asked, *form).stdout for form in ((), ("--json",)))
    errors = [play.get("standard_error") for play in json.loads(data)["analysis"]["candidates"][:3]]
    assert re.findall(r" ± (\S+)", text) == [f"{1.96 * error:.3f}" for error in errors if error is not None] != []
    assert MEANING in text


def test_of_the_command_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    asked = *["bot:choose"] * 3, "--games", 4, "--length", 1, "--workers", 1
    text, data = (commands.run("arena", *asked, *form).stdout for form in ((), ("--json",)))
    told = [pairing["interval"] for pairing in json.loads(data)["pairings"]]
    assert [f"{100 * each['margin']:.1f}%" for each in told] == re.findall(r" ± (\S+%)", text)
    assert all(each["level"] == 0.95 for each in told)
    assert MEANING in text


def test_of_the_command_bench(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)
    text = commands.run("bench", "bots:first", "--worst", 9).stdout
    worst = arena.bench(bots.first).worst[:9]
    assert re.findall(r" ± (\S+)", text) == [f"{1.96 * answer.error:.3f}" for answer in worst]
    assert MEANING in text


def test_of_the_page_of_a_match() -> None:
    match = load(ROLLED_OUT)
    errors = {
        f"{1.96 * play.standard_error:.3f}"
        for decision in match.decisions()
        for play in getattr(decision.analysis, "candidates", ())
        if play.standard_error is not None
    }
    page = to_html(match, candidates=100)
    assert errors <= {*re.findall(r" ± (\d\.\d{3})", page)}
    assert MEANING in page
    assert "±" not in to_html(load(ROLLED_OUT.with_name("match7662222_1ply.sgf"))).partition("<script")[0]


def test_of_the_page_of_openings(tmp_path: Path) -> None:
    export(XG, tmp_path / "table.parquet", workers=1)
    rows = openings(tmp_path / "table.parquet")
    page = openings_to_html(rows)
    told = {f"{1.96 * row['game_points_se']:.2f}" for row in rows if row["game_points_se"] is not None}
    assert told
    assert told <= {*re.findall(r" ± (\d\.\d\d)\b", page)}
    assert MEANING in page


def test_of_a_report() -> None:
    """Of what decisions cost, as the how-to has it."""
    decisions = to_table(XG / "test.xg").to_pandas().query("counts_xg == True").groupby("player")["error"]
    for name, off in (500 * 1.96 * decisions.sem()).items():
        page = report_to_html(XG / "test.xg", player=str(name))
        assert f"<small>± {off:.1f}</small>" in page
        assert MEANING in page
