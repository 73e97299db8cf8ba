"""`gammonrules arena` as a program, and with a process for its bots."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from test_arena_command import folder, run

import loop
import processes

__all__ = ["folder"]


def test_a_player_against_itself(folder: Path) -> None:
    """It comes out even, by a bot whose output disturbs nothing: even a single job has a process of its own."""
    options = "--games", 4, "--no-cube", "--seed", 7, "--workers", 1, "--save", "saved", "--records", "records"
    result = run("some_bots:resigns", "some_bots:resigns", *options, "--json")
    (pairing,) = json.loads(result.stdout)["pairings"]
    assert pairing["players"] == ["some_bots:resigns", "some_bots:resigns 2"]
    assert (pairing["games"], pairing["interval"]["mean"], pairing["interval"]["margin"]) == (4, 0, 0)
    assert len([*(folder / "records").iterdir()]) == 4
    assert [path.stem == str(os.getpid()) for path in folder.glob("*.pid")] == [False]
    assert (
        run(*["some_bots:resigns"] * 2, "--games", 400, "--no-cube", "--until", "ranked", "--workers", 1).exit_code == 0
    )
    assert len([*folder.glob("*.pid")]) == 2  # the same process in all rounds
    assert b'"cube":false' in (folder / "saved").read_bytes()
    assert " 4   +0.000 ± 0.000 " in run(*["some_bots:resigns"] * 2, *options).stdout
    assert "seed" in run(*["some_bots:resigns"] * 2, *options, "--seed", 8).stderr
    without_seed = [option for option in options if option not in {"--seed", 7}]
    assert "Seed of the dice: 7\n" in run(*["some_bots:resigns"] * 2, *without_seed).stdout


@loop.rows(
    "program, player, status",
    (["-P", "-c", "from gammonrules.cli import main; main()"], "some_bots:resigns", 0),
    (["-m", "gammonrules"], "ubgi:none", 2),
)
def test_nothing_in_the_working_folder_stands_in_for_a_library(
    program: list[str], player: str, status: int, folder: Path
) -> None:
    """It is searched last, here and in the processes, and only if a player is in a module."""
    for library in ("click", "rich", "numpy", "cloudpickle", "bgsage"):
        (folder / f"{library}.py").write_text('open("ran", "w").close()\n')
    options = "--games", 2, "--no-cube", "--workers", 1
    done = processes.run(sys.executable, *program, "arena", *[player] * 2, *options, check=False, cwd=folder)
    assert done.returncode == status, done.stderr
    assert not (folder / "ran").exists()
