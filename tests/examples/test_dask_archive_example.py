"""The example that exports an archive on a cluster: the same rows whatever happens to the workers.

It needs the extra `dask`: `python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from test_dask_example import MISSING, cluster, end, finished, is_there, starting, wait_until

from gammonrules import records

pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLE = Path(__file__).parents[2] / "examples" / "archive_on_dask.py"
DATA = Path(__file__).parents[1] / "data" / "matches"
COPIES, CHUNK = 8, 3
MATCHES, FILES = 9 * COPIES, 11 * COPIES


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies of some records, with files that are none among them."""
    folder = tmp_path_factory.mktemp("records")
    for number in range(COPIES):
        shutil.copytree(DATA / "endings", folder / f"{number:02}")
        (folder / f"{number:02}" / "README.txt").write_text("Nothing\n")
    return folder


@pytest.fixture(scope="module")
def alone(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The checksum of the rows that one process writes."""
    path = tmp_path_factory.mktemp("alone") / "x.parquet"
    done = records.export([archive], path, jobs=1)
    assert (done.matches, done.skipped.total()) == (MATCHES, FILES - MATCHES)
    return checksum(path)


def checksum(path: Path) -> str:
    """Of all rows, in an order that does not depend on the files of the dataset."""
    import pyarrow.parquet as pq  # noqa: PLC0415  it may not be there

    table: Any = pq.read_table(path)
    rows = sorted(repr(sorted(row.items())) for row in table.to_pylist())
    return f"{len(rows)} {hashlib.sha256(repr(rows).encode()).hexdigest()}" if rows else ""


def reports(folder: Path) -> int:
    return len(list(folder.glob("_report-*.json")))


CHUNKS = -(-FILES // CHUNK)


def test_undisturbed(archive: Path, alone: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, printed, shown = finished(EXAMPLE, archive, "--chunk", str(CHUNK), "--workers", "2", "--out", out)
    assert code == 0, shown
    assert checksum(out) == alone
    assert reports(out) == CHUNKS
    assert printed.startswith(f"{int(alone.partition(' ')[0]):,} decisions of {MATCHES} matches in {FILES} files\n")
    assert f"{2 * COPIES} skipped: " in printed
    code, _, shown = finished(EXAMPLE, archive, "--chunk", "5", "--workers", "1", "--out", out)
    assert (code, shown.count("another run")) == (1, 1)
    assert checksum(out) == alone


@pytest.mark.long
def test_a_worker_is_lost(archive: Path, alone: str, tmp_path: Path) -> None:
    """One of two workers is killed in the middle; the other takes its chunks, and no row is lost or comes twice."""
    out = tmp_path / "out"
    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        with starting(EXAMPLE, archive, "--chunk", str(CHUNK), "--scheduler", address, "--out", out) as run:
            wait_until(lambda: reports(out) >= 3)
            workers[0].kill()
            done = reports(out)
            code, _, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert code == 0, shown
    assert done < CHUNKS
    assert checksum(out) == alone


@pytest.mark.long
def test_interrupted_and_started_again(archive: Path, alone: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = [EXAMPLE, archive, "--chunk", str(CHUNK), "--workers", "2", "--out", out]
    with starting(*arguments) as run:
        wait_until(lambda: reports(out) >= 3)
        os.killpg(run.pid, signal.SIGINT)
        code, printed, shown = end(run)
        assert (code, printed) == (1, "")
        assert shown.endswith("stopped; the same command goes on with the chunks that are missing\n")
        assert "Traceback" not in shown
        wait_until(lambda: not is_there(run.pid))
    assert 3 <= reports(out) < CHUNKS
    code, _, shown = finished(*arguments)
    assert code == 0, shown
    assert checksum(out) == alone
    assert json.loads((out / "_run.json").read_text())["files"] == FILES


@pytest.mark.long
@pytest.mark.parametrize("options", [["--chunk", "0"], ["--workers", "-1"], ["--out", "."]])
def test_wrong_options(archive: Path, options: list[str]) -> None:
    where = [str(archive / "out") if option == "." else option for option in options]
    code, printed, shown = finished(EXAMPLE, archive, *where)
    assert (code, printed) == (2, "")
    assert "--chunk and --workers are numbers from 1" in shown or "--out must not be in the archive" in shown


def test_no_archive(tmp_path: Path) -> None:
    code, _, shown = finished(EXAMPLE, tmp_path / "missing", "--out", tmp_path / "out")
    assert (code, "there is no folder" in shown) == (2, True)
