"""Node, asked line by line: each call is a line of JSON, and so is its answer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import processes

NODE_NEEDS = 1 << 20
"""Megabytes of addresses, most of them never used."""


def answers(program: str, argument: Path, calls: Iterable[Any], folder: Path) -> list[Any]:
    """What a program answers, which reads its calls from its input; the folder gets them."""
    if not (node := shutil.which("node")):
        pytest.skip("Node is not installed")
    lines = folder / "calls.jsonl"
    lines.write_text("".join(f"{json.dumps(call)}\n" for call in calls), encoding="ascii")
    with lines.open("rb") as stdin:
        command = node, "--input-type=module", "--eval", program, argument
        done = processes.run(*command, stdin=stdin, seconds=300, megabytes=NODE_NEEDS)
    return [json.loads(line) for line in done.stdout.split("\n") if line]  # other ends of lines stand in texts
