"""What an engine in a program says of many boards."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from scripted_engines import FAKE, LISTENS
from test_evaluate_batch import BOARDS

import each
import wording
from gammonrules.engine import EngineReplyError, evaluate_batch

ANSWER = "> evaluation fibsboard\n< 0.750000 0.250000 0.000000 0.125000 0.000000 0.625000\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@each.first(
    ("workers", "script", "error", "named"),
    [
        (1, LISTENS + "forever\n" + ANSWER, None, ""),
        (2, LISTENS + ANSWER + "> evaluation\n< castle\nwait", EngineReplyError, "castle"),
    ],
    of_these=2,
)
def test_an_engine_in_a_program(
    workers: int,
    script: str,
    error: type[Exception] | None,
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An error of it is raised, whichever process it comes from."""
    program = tmp_path / "gnubg"
    program.with_suffix(".txt").write_text(script)
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -I -S {FAKE} "$0.txt" "$@"\n')
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    if error is None:
        assert evaluate_batch(BOARDS, engine="gnubg", workers=workers).tolist() == [[0.75, 0.25, 0, 0.125, 0]] * len(
            BOARDS
        )
    else:
        with wording.tells(error, named):
            evaluate_batch(BOARDS, engine="gnubg", workers=workers)
