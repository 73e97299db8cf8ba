"""The example that plays games on a cluster: the same files whatever happens to the workers.

Each test starts schedulers and workers as processes, as users do. It needs the extra `dask`:
`python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import each
import processes
from gammonrules import Position, batch

MISSING = [name for name in ("dask", "distributed", "pyarrow") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLE = Path(__file__).parents[2] / "examples" / "self_play_on_dask.py"
OPTIONS = ["--games", "1970", "--chunk", "50", "--seed", "7", "--policy", "random"]
FILES = 40


def starting(*arguments: str | Path) -> AbstractContextManager[subprocess.Popen[str]]:
    return processes.running(sys.executable, *arguments, megabytes=4096)


def end(process: subprocess.Popen[str], seconds: float = 90) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=seconds)
    return process.returncode, out, err


def finished(*arguments: str | Path) -> tuple[int, str, str]:
    """A run to its end: its exit status, and what it wrote to both outputs."""
    with starting(*arguments) as run:
        return end(run)


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and workers: its address, and the processes, the scheduler's first."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:

        def running(*arguments: str) -> subprocess.Popen[str]:
            return stack.enter_context(starting("-m", "dask", *arguments, "--scheduler-file", file, "--no-dashboard"))

        processes = [running("scheduler", "--host", "127.0.0.1", "--port", "0")]
        processes += [running("worker", "--nthreads", "1", "--no-nanny") for _ in range(workers)]
        wait_until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        yield json.loads(file.read_text())["address"], processes


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def table_of(path: Path) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415  it may not be there

    return pq.read_table(path)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], str, Path]:
    """The files and the printed results of a run with a single worker."""
    out = tmp_path_factory.mktemp("undisturbed") / "games"
    code, printed, shown = finished(EXAMPLE, *OPTIONS, "--boards", "--workers", "1", "--out", out)
    assert code == 0, shown
    assert "1,970 of 1,970 games" in shown
    return files(out), printed, out


def test_the_games_are_legal(undisturbed):
    written, printed, out = undisturbed
    assert len(written) == FILES
    tables = [table_of(out / name) for name in written]
    assert [len(table) for table in tables] == [50] * (FILES - 1) + [20]
    results = np.concatenate([table["result"].to_numpy() for table in tables])
    assert printed.splitlines()[0] == f"lost by 3: {np.sum(results == -3)}"
    assert len(printed.splitlines()) == 6
    for row in tables[3].slice(10, 2).to_pylist():
        boards = np.frombuffer(b"".join(row["boards"]), np.int8).reshape(-1, 26)
        turns = batch.to_positions(boards)
        rolls = [tuple(roll) for roll in row["dice"]]
        assert len(turns) == len(rolls) == row["turns"]
        assert turns[0] == Position.start()
        for position, roll, after in zip(turns, rolls, turns[1:], strict=False):
            assert after in {play.position for play in position.legal_plays(roll)}


def test_a_chunk_is_a_part_of_one_run(undisturbed):
    games = batch.random_games(50, np.random.default_rng(7), first=12 * 50)
    assert table_of(undisturbed[2] / "chunk-000012.parquet")["result"].to_pylist() == games.results.tolist()


@pytest.mark.long
def test_a_worker_is_lost(undisturbed, tmp_path):
    """One of two workers is killed while it plays; the other one plays its games again, and the files are the same."""
    out = tmp_path / "games"
    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        with starting(EXAMPLE, *OPTIONS, "--boards", "--scheduler", address, "--out", out) as run:
            wait_until(lambda: len(files(out)) >= 3)
            workers[0].kill()
            done = len(files(out))
            code, printed, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
        assert workers[1].poll() is None
    assert code == 0, shown
    assert done < FILES
    assert (files(out), printed) == undisturbed[:2]


@pytest.mark.long
def test_interrupted_and_started_again(undisturbed, tmp_path):
    """Ctrl-C reaches the whole process group, as in a terminal; nothing hangs, and the run can be taken up."""
    out = tmp_path / "games"
    arguments = [EXAMPLE, *OPTIONS, "--boards", "--workers", "2", "--out", out]
    with starting(*arguments) as run:
        wait_until(lambda: len(files(out)) >= 3)
        os.killpg(run.pid, signal.SIGINT)
        code, printed, shown = end(run)
        assert (code, printed) == (1, "")
        assert shown.endswith("stopped; the same command goes on with the chunks that are missing\n")
        assert "Traceback" not in shown
        assert "WARNING" not in shown
        wait_until(lambda: not is_there(run.pid))
    there = files(out)
    assert 3 <= len(there) < FILES
    code, printed, shown = finished(*arguments)
    assert code == 0, shown
    assert (files(out), printed) == undisturbed[:2]


@each.first("seconds", [0.3, 0.0, 0.6])
def test_interrupted_while_the_cluster_starts(tmp_path, seconds):
    """Workers that come into being do not take Ctrl-C away from the run, and none is left behind."""
    out = tmp_path / "games"
    with starting(EXAMPLE, "--games", "10000", "--chunk", "50", "--workers", "2", "--out", out) as run:
        wait_until((out / "_run.json").exists)
        time.sleep(seconds)
        os.killpg(run.pid, signal.SIGINT)
        code, printed, shown = end(run)
        assert (code, printed) == (1, "")
        assert shown.endswith("stopped; the same command goes on with the chunks that are missing\n")
        assert "Traceback" not in shown
        wait_until(lambda: not is_there(run.pid))


@pytest.mark.long
def test_the_scheduler_is_lost(tmp_path):
    out = tmp_path / "games"
    with (
        cluster(tmp_path, workers=1) as (address, (scheduler, _)),
        starting(EXAMPLE, *OPTIONS, "--boards", "--scheduler", address, "--out", out) as run,
    ):
        wait_until(lambda: len(files(out)) >= 3)
        scheduler.kill()
        code, printed, shown = end(run)
    assert (code, printed) == (1, "")
    assert shown.endswith("the scheduler is gone; the same command goes on with the chunks that are missing\n")
    assert "Traceback" not in shown


def is_there(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):  # macOS does not permit to signal the dead
        return False
    return True


@pytest.mark.long
def test_the_folder_is_a_dataset(undisturbed):
    """What is in it besides the games has a name that readers of Parquet folders leave out."""
    written, _, out = undisturbed
    assert len(table_of(out)) == 1970
    (out / ".chunk-000041.parquet.1.unfinished").write_bytes(b"PAR1")
    assert len(table_of(out)) == 1970
    code, _, shown = finished(EXAMPLE, *OPTIONS, "--boards", "--workers", "1", "--out", out)
    assert code == 0, shown
    assert {path.name for path in out.iterdir()} == {*written, "_run.json"}


def refused(*arguments: str | Path) -> str:
    """The sentence with which a run is refused."""
    code, printed, shown = finished(EXAMPLE, *OPTIONS, *arguments)
    assert (code, printed) == (1, "")
    assert shown.count("\n") == 1
    return shown


def test_games_of_another_run_are_not_mixed_in(undisturbed):
    out = undisturbed[2]
    assert f"{out} contains the games of another run" in refused("--boards", "--seed", "8", "--out", out)
    assert files(out) == undisturbed[0]


@pytest.mark.long
def test_games_of_an_unknown_run_are_not_mixed_in(tmp_path):
    (tmp_path / "chunk-000002.parquet").touch()
    assert f"{tmp_path} contains games, but no _run.json" in refused("--out", tmp_path)
    (tmp_path / "_run.json").write_text('{"games": 19')
    assert f"{tmp_path / '_run.json'} does not say which run" in refused("--out", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["_run.json", "chunk-000002.parquet"]


@pytest.mark.long
def test_no_folder(tmp_path):
    file = tmp_path / "file"
    file.touch()
    assert str(file) in refused("--out", file)
    assert str(file) in refused("--out", file / "games")


@pytest.mark.long
@pytest.mark.parametrize("address", ["nonsense://127.0.0.1:1", "localhost", "inproc://x"])
def test_no_scheduler(tmp_path, address):
    assert f"no scheduler can be reached at {address}: " in refused("--scheduler", address, "--out", tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("workers", ["0", "-1"])
def test_no_workers(tmp_path, workers):
    out = tmp_path / "games"
    code, printed, shown = finished(EXAMPLE, *OPTIONS, "--workers", workers, "--out", out)
    assert (code, printed) == (2, "")
    assert "--workers are numbers from 1" in shown
    assert not out.exists()
