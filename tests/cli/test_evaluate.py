"""`gammonrules evaluate`, and the hints that it prints."""

from __future__ import annotations

import json
import re
import shlex
from functools import partial
from pathlib import Path

import pytest

import commands
import loop
from gammonrules import Action, MatchState, Player, Position, Win
from gammonrules.engine import (
    Evaluation,
    Hint,
    Rollout,
    SimpleEngine,
    compare_cube_positions,
    compare_plays,
    score_matrix,
)
from gammonrules.equity import Chances

pytest.importorskip("bgsage")
pytestmark = pytest.mark.usefixtures("real_bgsage")

OPENING = MatchState.new(7).opening_roll(white=3, black=1)
LATER = OPENING.play("8/5 6/5").roll("66").play("24/18(2) 13/7(2)")
CRAWFORD = MatchState.new(3, score=(2, 0)).opening_roll(white=3, black=1).play("8/5 6/5")


run = partial(commands.run, "evaluate")


def table(state: MatchState, *arguments: object) -> list[str]:
    """What is printed below the board."""
    result = run(state.gnubg_id, "--level", 1, *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    board, _, below = result.stdout.partition("\n\n")
    assert board == str(state)
    return below.splitlines()


@loop.rows(
    "state, words",
    (OPENING, ["Play", "1. 8/5 6/5"]),
    (LATER, ["Action", "No double", "Double, take", "Double, drop", "Best: no double, take"]),
    (LATER.double(), ["Action", "No double", "Double, take", "Double, drop", "Best: no double, take"]),
    (CRAWFORD, ["Before the roll", "Black", "Black cannot double: the Crawford game is played without doubling"]),
    (LATER.resign(Win.SINGLE, by=Player.BLACK), ["Before the roll", "White"]),
)
def test_what_is_printed(state: MatchState, words: list[str]) -> None:
    """The head, the first column, and whether to double; then who says it, and the answer if one is due."""
    lines = table(state, "--limit", 1)
    answer = [f"Answer: {answer}" for answer in state.legal_actions & {Action.TAKE, Action.ACCEPT}]
    assert [re.split("  +", line)[0] for line in lines[: len(words)]] == words
    assert [line.partition(":")[0] for line in lines[len(words) :]] == ["Engine", "Level", "Answer"][: 2 + len(answer)]
    assert lines[len(words) + 2 :] == answer


def test_a_certain_game_is_not_too_good_to_double() -> None:
    for engine in ("selftaught", "bgsage"):
        printed = run("mxmAQ4PbAQAAAA", "--engine", engine, "--level", 1).stdout
        assert "No double     +1.000" in printed
        assert "Double, drop  +1.000\nBest: double, drop\n" in printed


def test_numbers() -> None:
    """Those of the engine, of a roll given beside the identifier, and in JSON."""
    with SimpleEngine.default(1) as bgsage:
        hint = bgsage.hint(OPENING, 2)
        assert hint == bgsage.hint(OPENING, 2)
        candidates = bgsage.candidates(OPENING, 2)
    rows = table(OPENING, "--limit", 2)[:3]
    for row, candidate in zip(rows[1:], candidates, strict=True):
        assert row.split(". ")[1].startswith(f"{candidate.play} ")
        assert f"{candidate.equity:+.3f} " in row
        assert f" {100 * candidate.chances.win:.1f} (" in row
    answer = json.loads(run(OPENING.position.id, "31", "--level", 1, "--json").stdout)
    assert (answer["action"], answer["state"]) == ("play", MatchState(OPENING.position, Player.WHITE, "31").xgid)
    said = json.loads(run(OPENING.xgid, "--level", 1, "--json", "--limit", 2).stdout)["analysis"]["candidates"]
    assert [(candidate["play"], candidate["position"], candidate["equity"]) for candidate in said] == [
        (candidate.play, candidate.position.id, candidate.equity) for candidate in candidates
    ]
    cells = re.findall("<td>(.*?)</td>", hint._repr_html_())
    shown = [cell.replace("\N{MINUS SIGN}", "-") for cell in cells if cell]
    assert shown == [cell for row in rows[1:] for cell in re.split("  +", row)]


@loop.rows("state", OPENING, LATER)
def test_other_questions(state: MatchState) -> None:
    """What they print is what the functions return; as JSON, with the verdicts."""
    with SimpleEngine.default(1) as bgsage:
        answers = {
            ("--matrix", "--scores", 3): score_matrix(bgsage, state, away=3),
            ("--cubes",): compare_cube_positions(bgsage, state),
        }
    for options, answer in answers.items():
        asked = state.xgid, "--level", 1, *options
        assert run(*asked).stdout == f"{answer}\n"
        data = json.loads(run(*asked, "--json").stdout)
        assert (data["state"], data["engine"], data["level"]) == (state.xgid, answer.engine, "level 1")
        for said, analysis in zip(data["analyses"], answer.analyses, strict=True):
            score = None if said["away"] is None else (*said["away"], said["crawford"])
            assert (score, said["verdict"], said["margin"]) == (analysis.score, analysis.verdict, analysis.margin)
            best = said["analysis"]["candidates"][0]["play"] if state.dice else said["analysis"].get("no_double")
            assert best == (analysis.verdict if state.dice else getattr(analysis.analysis, "no_double", None))
            assert said["state"] == analysis.state.xgid


def test_chosen_plays() -> None:
    with SimpleEngine.default(1) as bgsage:
        compared = compare_plays(bgsage, OPENING, ["6/2", "24/20"])
    asked = OPENING.xgid, "--level", 1, "--plays", "6/2; 24/20"
    assert run(*asked).stdout == f"{compared}\n"
    data = json.loads(run(*asked, "--json").stdout)
    assert [data["analysis"]["candidates"][rank]["play"] for rank in data["chosen"]] == ["24/20", "6/2"]


def test_names_are_shown_as_text() -> None:
    hint = Hint(LATER, Action.ROLL, Evaluation(Chances(0.5, 0.1, 0.0, 0.1, 0.0), 0.0), "<b>\x1b[31m")
    assert str(hint).endswith("\nEngine: <b>\N{REPLACEMENT CHARACTER}[31m")
    assert "Engine: &lt;b&gt;\N{REPLACEMENT CHARACTER}[31m" in hint._repr_html_()


def test_a_rollout(monkeypatch: pytest.MonkeyPatch) -> None:
    commands.in_this_process(monkeypatch)
    result = run(OPENING.xgid, "--rollout", 36, "--truncate", 1, "--seed", 5, "--limit", 3)
    with SimpleEngine.default(rollout=Rollout(36, truncate=1, seed=5)) as bgsage:
        assert result.stdout == f"{bgsage.hint(OPENING, 3)}\n"
    assert "rollout, 36 trials of 1-ply, truncated at 1, seed 5" in result.stdout


@loop.rows(
    "arguments, words",
    (["nonsense"], "is not a Position ID"),
    ([OPENING.xgid, "71"], "two faces from 1 to 6"),
    ([LATER.double().xgid, "31"], "a double has yet to be taken or dropped"),
    ([OPENING.xgid, "--engine", "none"], "engine must be"),
    ([OPENING.xgid, "--level", 6], "level must be a whole number from 1 to 4, not 6"),
    ([OPENING.xgid, "--rollout", 0], "trials must be a whole number from 36 to 100,000, not 0"),
    ([OPENING.xgid, "--plays", "3"], "--limit 3"),
    ([OPENING.xgid, "--plays", ""], "no plays"),
    ([LATER.xgid, "--plays", "8/7"], "dice"),
    ([OPENING.xgid, "--matrix", "--scores", 26], "away must be a whole number from 2 to 25, not 26"),
    ([Position.of(mine={6: 1, "off": 14}, theirs={}).id], "one side has borne off everything"),
    (["XGID=-b----E-C---eE---c-e----B-:3:1:1:31:0:0:0:0:6"], "a limit of 64"),
)
def test_what_is_refused(arguments: list[object], words: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in result.stderr


def test_the_page() -> None:
    """The examples of the reference are what is printed, but for numbers, which another version may change."""
    page = (Path(__file__).parents[2] / "docs/reference/command/evaluate.md").read_text(encoding="utf-8")
    for command, printed in re.findall(r"```console\n\$ gammonrules evaluate (.+)\n([^`]+)", page):
        shown = [re.sub(r"[\d.]+", "#", text) for text in (run(*shlex.split(command)).stdout, printed)]
        assert shown[0] == shown[1]
