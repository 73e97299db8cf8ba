"""The servers of `examples` while no more files can be open: what they log is short, and afterwards they go on."""

from __future__ import annotations

import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

import processes

pytest.importorskip("starlette")
pytest.importorskip("fastapi", reason="fastapi is not installed")

EXAMPLES = Path(__file__).parents[2] / "examples"
UVICORN = ("-m", "uvicorn", "--app-dir")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="other systems limit only a process that is still to start")
@pytest.mark.parametrize(
    ("program", "page"),
    [
        ((*UVICORN, EXAMPLES / "own_server", "--factory", "club:app"), "board.js"),
        ((*UVICORN, EXAMPLES / "own_api", "api:app"), "docs"),
    ],
    ids=["own_server", "own_api"],
)
def test_too_many_connections(
    program: tuple[object, ...], page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource  # noqa: PLC0415  POSIX only

    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES))
    port = processes.free_port()
    log = tmp_path / "log"
    with (
        log.open("wb") as out,
        processes.serving(port, sys.executable, *program, "--port", port, cwd=tmp_path, stderr=out) as server,
    ):
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (40, 40))
        with ExitStack() as stack:
            for _ in range(60):
                stack.enter_context(socket.create_connection(("127.0.0.1", port), 10))
            time.sleep(1.5)  # asyncio tries again each second
        with urlopen(f"http://127.0.0.1:{port}/{page}", timeout=20) as answer:
            assert answer.status == 200
    assert log.stat().st_size < 5_000, log.read_text(encoding="utf-8")[:2_000]
