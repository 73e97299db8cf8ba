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
