"""GNU Backgammon, run without a window."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import processes

GNUBG = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")

is_needed = pytest.mark.skipif(GNUBG is None, reason="GNU Backgammon is not installed")


def run(folder: Path, *commands: str) -> str:
    """What the program prints while it carries out these commands, with a home of its own."""
    script = folder / "commands.txt"
    script.write_text("\n".join([*commands, "quit", ""]), encoding="utf-8")
    assert GNUBG is not None
    done = processes.run(
        *(GNUBG, "-t", "-q", "-c", script),
        seconds=300,
        check=False,
        text=False,
        cwd=folder,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", "")},
    )
    return str(done.stdout, "utf-8", "replace")


def fed(folder: Path, *commands: str) -> str:
    """What it prints if it is given these commands as if they were typed, which a player `external` needs."""
    script = folder / "typed.txt"
    script.write_text("\n".join([*commands, ""]), encoding="utf-8")
    with script.open(encoding="utf-8") as typed:
        done = processes.run(
            *(GNUBG, "-t", "-q", "-r"),
            stdin=typed,
            seconds=60,
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8"},
        )
    return f"{done.stdout}{done.stderr}"


def to_play(seat: int, port: int) -> list[str]:
    """Commands that let a bot at this port play in this seat, and the program, at its quickest, in the other."""
    gnubg = f"set player {1 - seat}"
    return [
        *("set defaultnames Gnu Bot", "set threads 1", "set display off", "set beavers 0", "set automatic roll on"),
        *(f"{gnubg} gnubg", f"{gnubg} chequerplay evaluation plies 0", f"{gnubg} cubedecision evaluation plies 0"),
        f"set player {seat} external 127.0.0.1:{port}",
    ]
