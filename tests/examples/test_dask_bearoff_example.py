"""The example that computes a bear-off table on a cluster: the bytes of one process, whatever happens on the way.

It needs the extra `dask`: `python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from test_dask_example import MISSING, cluster, end, finished, is_there, starting, wait_until

from gammonrules import bearoff

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLE = Path(__file__).parents[2] / "examples" / "bearoff_on_dask.py"


def of_one_process(folder: Path, checkers: int, *, gnubg: bool) -> bytes:
    bearoff.two_sided(checkers=checkers, gnubg=gnubg).save(folder / "alone")
    return (folder / "alone").read_bytes()


def files(out: Path) -> list[Path]:
    """Those of the blocks, the oldest first."""
    return sorted(out.glob("block-*"), key=lambda path: path.stat().st_mtime_ns)


def damage(out: Path) -> dict[Path, bytes]:
    """Change a byte of the first block and of a late one, and cut another late one; return what they were."""
    written = files(out)
    chosen = [written[0], *written[-12:-10]]
    were = {path: path.read_bytes() for path in chosen}
    for path in chosen[:2]:
        path.write_bytes(were[path][:-1] + bytes([were[path][-1] ^ 1]))
    chosen[2].write_bytes(were[chosen[2]][:100])
    return were


def test_undisturbed(tmp_path: Path) -> None:
    code, _, shown = finished(EXAMPLE, "--checkers", "2", "--exact", "--workers", "1", "--out", tmp_path)
    assert code == 0, shown
    assert (tmp_path / "table.bearoff").read_bytes() == of_one_process(tmp_path, 2, gnubg=False)


@pytest.mark.long
def test_a_worker_is_lost(tmp_path: Path) -> None:
    """And blocks are damaged meanwhile."""
    out = tmp_path / "out"
    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        with starting(EXAMPLE, "--checkers", "8", "--scheduler", address, "--out", out) as run:
            wait_until(lambda: len(files(out)) >= 500)
            workers[0].kill()
            were = damage(out)
            assert len(files(out)) < 48**2
            code, printed, shown = end(run, 600)
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
    assert code == 0, shown
    assert printed.endswith(f"{out / 'table.bd'}\n")
    assert {path: path.read_bytes() for path in were} == were
    assert (out / "table.bd").read_bytes() == of_one_process(tmp_path, 8, gnubg=True)


@pytest.mark.long
def test_interrupted_and_started_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [EXAMPLE, "--checkers", "3", "--exact", "--workers", "2", "--out", out]
    with starting(*arguments) as run:
        wait_until(lambda: len(files(out)) >= 20)
        os.killpg(run.pid, signal.SIGINT)
        code, _, shown = end(run)
        assert code == 1
        assert shown.endswith("stopped; the same command goes on with the blocks that are missing\n")
        assert "Traceback" not in shown
        wait_until(lambda: not is_there(run.pid))
    were = {path: path.stat().st_mtime_ns for path in files(out)} | dict.fromkeys(damage(out), 0)
    assert 20 <= len(were) < 18**2
    code, _, shown = finished(*arguments)
    assert code == 0, shown
    assert {path for path, time in were.items() if path.stat().st_mtime_ns != time} == {
        path for path, time in were.items() if not time
    }
    assert (out / "table.bearoff").read_bytes() == of_one_process(tmp_path, 3, gnubg=False)
    code, _, shown = finished(EXAMPLE, "--checkers", "4", "--out", out)
    assert (code, "contains the blocks of another run" in shown) == (1, True)
