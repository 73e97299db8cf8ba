"""The client of docs/how-to/an-api-of-your-own.md: made, compiled and run by the commands of the page."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import processes
from node import NODE_NEEDS

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "own_api"
PAGE = ROOT / "docs" / "how-to" / "an-api-of-your-own.md"


def commands(first_word: str) -> list[list[str]]:
    """Those of the page that begin so, without a `&&`."""
    lines = re.findall(rf"(?m)^{first_word} (.*)$", PAGE.read_text(encoding="utf-8").replace("\\\n", ""))
    return [line.split() for line in lines]


def test_the_client(node_module: Callable[[str], Path], tmp_path: Path) -> None:
    """It plays a match to its end for both seats, and shows what the server refuses."""
    pytest.importorskip("fastapi", reason="fastapi is not installed")
    (tmp_path / "node_modules").symlink_to(node_module("swagger-typescript-api").parent)
    shutil.copy(EXAMPLE / "client.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    port = processes.free_port()
    client = tmp_path / "client.ts"
    client.write_text(client.read_text(encoding="utf-8").replace(":8000", f":{port}"), encoding="utf-8")
    ((_, folder, app),) = commands("uvicorn")
    options = ("--port", port, "--no-access-log")
    with processes.serving(port, sys.executable, "-m", "uvicorn", "--app-dir", ROOT / folder, app, *options):
        for program, *arguments in commands("npx"):
            addressed = [argument.replace(":8000", f":{port}") for argument in arguments]
            program_file = tmp_path / "node_modules" / ".bin" / program
            processes.run("node", program_file, *addressed, cwd=tmp_path, megabytes=NODE_NEEDS)
        said = processes.run("node", "client.js", cwd=tmp_path, megabytes=NODE_NEEDS).stdout
    won, refused = said.splitlines()
    assert re.fullmatch(r"(white|black) wins after \d+ events", won)
    assert refused.startswith("body: ")
    assert "server throws the dice" in refused
