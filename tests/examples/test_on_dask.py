"""`examples/on_dask.py`: games, an arena and analyses are the same whatever happens to the workers.

The cluster is made of threads here, and `-m long` starts schedulers and workers as processes, as users do. Each test
needs the extra `dask`: `python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import json
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import loop
import processes
from gammonrules import MatchState, Position, arena, batch, records
from gammonrules.engine import EngineError, SimpleEngine

MISSING = [name for name in ("dask", "distributed", "pyarrow") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
Ran = Callable[..., tuple[object, str, str]]


@pytest.fixture
def example() -> Any:
    return import_module("on_dask")


@pytest.fixture
def ran(example: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Ran]:
    """The program run here, on threads: its exit status or message, and what it wrote to both outputs."""

    def cluster(workers: int | None) -> object:
        options = {"threads_per_worker": 1, "processes": False, "dashboard_address": None}
        return import_module("distributed").LocalCluster(n_workers=workers, silence_logs=logging.CRITICAL, **options)

    def run(*arguments: object) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", ["on_dask.py", *map(str, arguments)])
        status: object = 0
        try:
            example.main()
        except SystemExit as ended:
            status = ended.code
        return status, *capsys.readouterr()

    monkeypatch.setattr(example, "local_cluster", cluster)
    yield run
    logging.disable(logging.NOTSET)


def starting(*arguments: object) -> AbstractContextManager[subprocess.Popen[str]]:
    return processes.running(sys.executable, EXAMPLES / "on_dask.py", *arguments, megabytes=4096)


def end(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=90)
    return process.returncode, out, err


@contextmanager
def cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """A scheduler and workers: its address, and the processes, the scheduler's first."""
    file = folder / "scheduler.json"
    with ExitStack() as stack:

        def running(*arguments: str) -> subprocess.Popen[str]:
            command = sys.executable, "-m", "dask", *arguments, "--scheduler-file", file, "--no-dashboard"
            return stack.enter_context(processes.running(*command, megabytes=4096))

        started = [running("scheduler", "--host", "127.0.0.1", "--port", "0")]
        started += [running("worker", "--nthreads", "1", "--no-nanny") for _ in range(workers)]
        processes.wait_until(lambda: file.exists() and file.read_text().rstrip().endswith("}"))
        yield json.loads(file.read_text())["address"], started


# What is installed ----------------------------------------------------------------------------------------------------


def run_without(module: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """The program where this module cannot be imported."""
    program = f"""
import runpy, sys
sys.modules[{module!r}] = None
sys.argv = {["on_dask.py", *map(str, arguments)]!r}
runpy.run_path({str(EXAMPLES / "on_dask.py")!r}, run_name="__main__")
"""
    return processes.run(sys.executable, "-c", program, check=False, megabytes=4096)


TASKS: dict[str, list[object]] = {
    "analyze": [EXAMPLES / "matches" / "galaxy", "--out", "analyzed"],
    "arena": ["bot:choose", "bot:choose"],
    "self-play": ["--games", 10],
}


@pytest.mark.parametrize(
    ("task", "module", "extras"),
    [
        ("analyze", "cattrs", "analyst,dask"),
        ("arena", "cattrs", "arena,dask"),
        ("arena", "cloudpickle", "arena,dask"),
        ("self-play", "distributed", "dask"),
        ("self-play", "pyarrow", "dask"),
        ("self-play", "numpy", "dask"),
    ],
)
def test_a_task_without_its_extra_names_it(task: str, module: str, extras: str) -> None:
    done = run_without(module, task, *TASKS[task])
    message = f'This task needs {module}: python -m pip install ".[{extras}]"\n'
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


def test_self_play_needs_no_other_extra(tmp_path: Path) -> None:
    done = run_without("cattrs", "self-play", "--games", 10, "--workers", 1, "--out", tmp_path / "games")
    assert done.returncode == 0, done.stderr
    assert len(table_of(tmp_path / "games")) == 10


def test_the_help_needs_no_extra() -> None:
    done = run_without("distributed", "self-play", "--help")
    assert (done.returncode, "--boards" in done.stdout) == (0, True), done.stderr


# Games ----------------------------------------------------------------------------------------------------------------


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("[!.]*.parquet"))}


def table_of(path: Path) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415  it may not be there

    return pq.read_table(path)


def test_the_games_are_legal(example: Any, ran: Ran, tmp_path: Path) -> None:
    """Each chunk is a part of one run, and the folder a dataset: readers leave out what else is in it."""
    out = tmp_path / "games"
    options = ["self-play", "--games", 490, "--chunk", 50, "--seed", 7, "--workers", 1, "--out", out]
    code, _, shown = ran(*options, "--boards")
    assert code == 0, shown
    assert "490 games played" in shown
    written = files(out)
    tables = [table_of(out / name) for name in written]
    assert [len(table) for table in tables] == [50] * 9 + [40]
    assert list(written)[3] == "7-000000150-000000199-boards.parquet"
    games = batch.play_games(50, example.choose, rng=np.random.default_rng(7), first=150)
    assert tables[3]["result"].to_pylist() == games.results.tolist()
    for row in tables[3].slice(10, 2).to_pylist():
        boards = np.frombuffer(b"".join(row["boards"]), np.int8).reshape(-1, 26)
        turns = batch.to_positions(boards)
        rolls = [tuple(roll) for roll in row["dice"]]
        assert len(turns) == len(rolls) == row["turns"]
        assert turns[0] == Position.start()
        for position, roll, after in zip(turns, rolls, turns[1:], strict=False):
            assert after in {play.position for play in position.legal_plays(roll)}
    (out / ".7-000000500-000000549-boards.parquet.1").write_bytes(b"PAR1")
    assert len(table_of(out)) == 490
    (out / list(written)[3]).unlink()
    code, _, shown = ran(*options, "--boards")
    assert (code, shown.strip()) == (0, "50 games played")
    assert files(out) == written


SETTINGS = {"--games": 300, "--chunk": 200, "--seed": 7}


@pytest.mark.parametrize(
    "changed", [{"--games": 500}, {"--games": 200}, {"--chunk": 100}, {"--seed": 8}, {"--boards": None}]
)
def test_files_of_other_settings_are_refused(changed: dict[str, int | None], ran: Ran, tmp_path: Path) -> None:
    """A folder with both would have some games twice, or games of other dice."""
    out = tmp_path / "games"
    assert ran("self-play", *settings({}), "--out", out)[0] == 0
    written = files(out)
    message, _, _ = ran("self-play", *settings(changed), "--out", out)
    assert re.fullmatch(
        rf"{re.escape(str(out))} contains 7-0000\S+\.parquet, which these settings do not write: "
        "name another folder with --out, or use the settings that wrote it",
        str(message),
    )
    assert files(out) == written


def settings(changed: dict[str, int | None]) -> list[object]:
    return [part for pair in (SETTINGS | changed).items() for part in pair if part is not None]


def test_more_chunks_continue_a_run(ran: Ran, tmp_path: Path) -> None:
    options = "self-play", "--chunk", 100, "--workers", 1, "--out", tmp_path, "--games"
    assert ran(*options, 200)[0] == 0
    code, _, shown = ran(*options, 300)
    assert (code, shown.strip()) == (0, "100 games played")
    assert len(table_of(tmp_path)) == 300


@loop.rows(
    ("option", "value", "least"),
    ("--games", "-1", 1),
    ("--chunk", "0", 1),
    ("--chunk", "many", 1),
    ("--workers", "0", 1),
    ("--seed", "-1", 0),
)
def test_a_number_that_is_too_small(option: str, value: str, least: int, ran: Ran, tmp_path: Path) -> None:
    code, _, shown = ran("self-play", f"{option}={value}", "--out", tmp_path / "games")
    assert code == 2
    assert shown.endswith(f"argument {option}: must be a whole number from {least}, not {value!r}\n")
    assert not (tmp_path / "games").exists()


@pytest.mark.long
def test_interrupted_and_started_again(tmp_path: Path) -> None:
    """Ctrl-C reaches the whole process group, as in a terminal; nothing hangs or is left, and a message says it."""
    arguments = "self-play", "--games", 20_000, "--chunk", 500, "--workers", 2, "--out"
    out, whole = tmp_path / "games", tmp_path / "whole"
    with starting(*arguments, out) as run:
        processes.wait_until(lambda: len(files(out)) >= 3)
        os.killpg(run.pid, signal.SIGINT)
        code, printed, shown = end(run)
        processes.wait_until(lambda: not is_there(run.pid))
    assert (code, printed) == (1, "")
    assert shown.endswith("stopped; the same command continues\n")
    assert not {"Traceback", "WARNING"} & {*shown.replace(":", " ").split()}
    assert 3 <= len(files(out)) < 40
    for folder in out, whole:
        with starting(*arguments, folder) as run:
            code, _, shown = end(run)
        assert code == 0, shown
    assert files(out) == files(whole)


def is_there(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):  # macOS does not permit to signal the dead
        return False
    return True


@pytest.mark.long
def test_the_scheduler_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "games"
    with (
        cluster(tmp_path, workers=1) as (address, (scheduler, _)),
        starting("self-play", "--games", 100_000, "--chunk", 500, "--scheduler", address, "--out", out) as run,
    ):
        processes.wait_until(lambda: len(files(out)) >= 3)
        scheduler.kill()
        code, printed, shown = end(run)
    assert (code, printed) == (1, "")
    assert shown.endswith("the scheduler is gone; the same command continues\n")
    assert "Traceback" not in shown


# An arena -------------------------------------------------------------------------------------------------------------

PLAYERS = ["bot:choose", "colors:dark", "colors:light"]
COLORS = """
from gammonrules import arena
dark = arena.Policy(lambda turns, rng: turns.best(turns.random()))
light = arena.Policy(lambda turns, rng: turns.best((turns.points > 1).sum(axis=1)))
"""


@pytest.mark.long
def test_a_worker_of_an_arena_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of two is killed while it plays: all is as in one process, and in two, also if it is taken up there."""
    (tmp_path / "colors.py").write_text(COLORS)
    for folder in (EXAMPLES, tmp_path):
        monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", f"{EXAMPLES}:{tmp_path}")
    saved = tmp_path / "saved"
    folders = [tmp_path / name for name in ("dask", "one", "two")]

    def written(folder: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in folder.glob("*.mat")}

    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        settings = "--games 12 --length 3 --seed 1 --records".split()
        options = *settings, folders[0], "--save", saved, "--scheduler", address
        with starting("arena", *PLAYERS, *options) as run:
            processes.wait_until(lambda: len(written(folders[0])) >= 4)
            workers[0].kill()
            assert len(written(folders[0])) < 36
            code, printed, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert code == 0, shown
    alone, side_by_side = (
        arena.play(PLAYERS, games=12, length=3, seed=1, workers=workers, options=arena.Options(records=folder))
        for workers, folder in enumerate(folders[1:], start=1)
    )
    assert alone == side_by_side
    assert printed == f"{alone}\n"
    assert written(folders[0]) == written(folders[1]) == written(folders[2])
    assert len(written(folders[0])) == 36
    saved.write_bytes(b"".join(saved.read_bytes().splitlines(keepends=True)[:8]))
    assert arena.play(PLAYERS, games=12, length=3, save=saved, workers=1) == alone


# Analyses -------------------------------------------------------------------------------------------------------------

MATCHES = [EXAMPLES / "matches" / "galaxy" / name for name in ("match9806622.txt", "match1033650.txt")]
BGSAGE = ["--engine", "bgsage", "--level", 1]
needs_bgsage = pytest.mark.skipif(find_spec("bgsage") is None, reason="there is no bgsage for this system")


def analyzed_here(folder: Path) -> set[str]:
    """What the example writes, without a cluster."""
    entries = records.analyze_files(folder, engine=partial(SimpleEngine.open, "bgsage", 1), workers=1)
    return {records.dumps(entry.match, "json") for entry in entries if entry.match}


def written_as_json(out: Path) -> dict[str, str]:
    """In the folder of the engine, which is the only one."""
    return {path.name: path.read_text(encoding="utf-8") for path in out.glob("*/*.json")}


@needs_bgsage
def test_analyses(ran: Ran, tmp_path: Path) -> None:
    """What is no record is said at each start; copies are analyzed once, and what is written is left as it is."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "README.md").write_text("no record")
    shutil.copy(MATCHES[0], folder / "b.txt")
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        for match, name in [(MATCHES[0], "copy.txt"), (MATCHES[1], "../../outside.txt")]:
            archive.write(match, name)
    command = "analyze", folder, *BGSAGE, "--workers", 1, "--out", out
    code, _, shown = ran(*command)
    assert (code, "README.md: " in shown, "matches analyzed: 3" in shown) == (0, True, True), shown
    written = written_as_json(out)
    assert {*written.values()} == analyzed_here(folder)
    assert [name.partition(" ")[0] for name in sorted(written)] == ["lasse", "lasse"]
    times = {path: path.stat().st_mtime_ns for path in out.rglob("*.json")}
    code, _, shown = ran(*command)
    assert (code, "README.md: " in shown, "matches analyzed: 0" in shown) == (0, True, True), shown
    assert {path: path.stat().st_mtime_ns for path in out.rglob("*.json")} == times
    next(iter(times)).unlink()
    assert ran(*command)[0] == 0
    assert written_as_json(out) == written


def test_no_name_leads_out_of_the_folder(example: Any, tmp_path: Path) -> None:
    """And none is too long for a system."""
    for name in ("../../evil", "/evil", "C:\\evil", "\ud800", "\0", "😀" * 400):
        match = records.Match.from_events((name, "Bob"), MatchState.new(1), [])
        file = example.file_of(tmp_path, match)
        file.write_text("")
        assert [*tmp_path.iterdir()] == [file]
        file.unlink()


def test_a_match_in_several_files_is_analyzed_once(example: Any, tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    texts = ["match7662222_1ply.txt", *(f"match7662222_1ply_00{game}.txt" for game in (2, 3, 4))]
    for text in texts:
        shutil.copy(EXAMPLES.parent / "tests" / "data" / "analysis" / "gnubg" / text, folder)
    assert example.missing(folder, out) == [str(folder / text) for text in texts]
    [entry] = records.scan(folder)
    out.mkdir()
    example.file_of(out, entry.match).touch()
    assert example.missing(folder, out) == []


@needs_bgsage
def test_an_engine_that_fails(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is named and counted; the next start analyzes it. An unknown engine is refused at once."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    shutil.copy(MATCHES[0], folder)
    options = "--workers", 1, "--out", out
    message, _, shown = ran("analyze", folder, "--engine", "sage", *options)
    assert ("'sage'" in str(message), shown.strip(), out.exists()) == (True, "", False)

    def fail(*_: object, **__: object) -> None:
        raise EngineError("it is too tired")

    with monkeypatch.context() as patched:
        for question in ("candidates", "cube_analysis", "roll_equities"):
            patched.setattr(SimpleEngine, question, fail)
        code, _, shown = ran("analyze", folder, *BGSAGE, *options)
    assert code == "not analyzed: 1; the same command tries it again"
    assert f"{MATCHES[0].name}: it is too tired" in shown
    assert ran("analyze", folder, *BGSAGE, *options)[0] == 0
    assert {*written_as_json(out).values()} == analyzed_here(folder)


@needs_bgsage
@pytest.mark.long
def test_a_worker_of_an_analysis_is_lost(tmp_path: Path) -> None:
    """One of two is killed while it works: each record is written as by one process, and none is missing."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    short = MATCHES[0].read_text(encoding="utf-8")
    for number in range(8):  # of other players each
        (folder / f"{number}.txt").write_text(short.replace("lasse", f"player {number}"), encoding="utf-8")
    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        with starting("analyze", folder, *BGSAGE, "--out", out, "--scheduler", address) as run:
            processes.wait_until(lambda: len(written_as_json(out)) >= 1)
            workers[0].kill()
            assert len(written_as_json(out)) < 8
            code, _, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert (code, "matches analyzed: 8" in shown) == (0, True), shown
    assert {*written_as_json(out).values()} == analyzed_here(folder)
