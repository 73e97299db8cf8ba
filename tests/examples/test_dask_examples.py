"""The examples on a cluster: games, an arena and analyses are the same whatever happens to the workers.

The cluster is made of threads here, and `-m long` starts schedulers and workers as processes, as users do. Each test
needs the extra `dask`: `python -m pip install -e ".[test,dask]"`.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import pytest

import loop
import processes
from gammonrules import Position, arena, batch, records
from gammonrules.cli.output import names_below
from gammonrules.engine import EngineError, SimpleEngine

MISSING = [name for name in ("dask", "distributed", "pyarrow") if find_spec(name) is None]
pytestmark = [
    pytest.mark.skipif(bool(MISSING), reason=f"needs the extra dask ({', '.join(MISSING)} not installed)"),
    pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX"),
]

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
GAMES, ARENA, ANALYSIS = "self_play_on_dask", "arena_on_dask", "analysis_on_dask"
OPTIONS = ["--games", "490", "--chunk", "50", "--seed", "7", "--policy", "random", "--boards"]
FILES = 10
Ran = Callable[..., tuple[object, str, str]]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Ran]:
    """A program run here, on threads: its exit status or last sentence, and what it wrote to both outputs."""

    def cluster(workers: int | None) -> object:
        options = {"threads_per_worker": 1, "processes": False, "dashboard_address": None}
        return import_module("distributed").LocalCluster(n_workers=workers, silence_logs=logging.CRITICAL, **options)

    def run(program: str, *arguments: object) -> tuple[object, str, str]:
        monkeypatch.setattr(sys, "argv", [program, *map(str, arguments)])
        status: object = 0
        try:
            import_module(program).main()
        except SystemExit as ended:
            status = ended.code
        return status, *capsys.readouterr()

    monkeypatch.setattr("self_play_on_dask.local_cluster", cluster)
    yield run
    logging.disable(logging.NOTSET)


def starting(program: str, *arguments: object) -> AbstractContextManager[subprocess.Popen[str]]:
    return processes.running(sys.executable, EXAMPLES / f"{program}.py", *arguments, megabytes=4096)


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


STOPPED = "stopped; the same command goes on with the chunks that are missing"


def stopped(run: subprocess.Popen[str]) -> str:
    """Ctrl-C reaches the whole process group, as in a terminal; nothing hangs or is left, and a sentence says it."""
    os.killpg(run.pid, signal.SIGINT)
    code, printed, shown = end(run)
    assert (code, printed) == (1, "")
    assert shown.endswith(f"{STOPPED}\n")
    assert "Traceback" not in shown
    processes.wait_until(lambda: not is_there(run.pid))
    return shown


def is_there(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except (ProcessLookupError, PermissionError):  # macOS does not permit to signal the dead
        return False
    return True


# Games ----------------------------------------------------------------------------------------------------------------


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def table_of(path: Path) -> Any:
    import pyarrow.parquet as pq  # noqa: PLC0415  it may not be there

    return pq.read_table(path)


def test_the_games_are_legal(ran: Ran, tmp_path: Path) -> None:
    """Each chunk is a part of one run, and the folder a dataset: readers leave out what else is in it."""
    out = tmp_path / "games"
    code, printed, shown = ran(GAMES, *OPTIONS, "--workers", 1, "--out", out)
    assert code == 0, shown
    assert "490 of 490 games" in shown
    written = files(out)
    tables = [table_of(out / name) for name in written]
    assert [len(table) for table in tables] == [50] * (FILES - 1) + [40]
    results = np.concatenate([table["result"].to_numpy() for table in tables])
    assert printed.splitlines()[0] == f"lost by 3: {np.sum(results == -3)}"
    assert len(printed.splitlines()) == 6
    games = batch.random_games(50, rng=np.random.default_rng(7), first=3 * 50)
    assert tables[3]["result"].to_pylist() == games.results.tolist()
    for row in tables[3].slice(10, 2).to_pylist():
        boards = np.frombuffer(b"".join(row["boards"]), np.int8).reshape(-1, 26)
        turns = batch.to_positions(boards)
        rolls = [tuple(roll) for roll in row["dice"]]
        assert len(turns) == len(rolls) == row["turns"]
        assert turns[0] == Position.start()
        for position, roll, after in zip(turns, rolls, turns[1:], strict=False):
            assert after in {play.position for play in position.legal_plays(roll)}
    (out / ".chunk-000010.parquet.1.unfinished").write_bytes(b"PAR1")
    assert len(table_of(out)) == 490
    (out / "chunk-000003.parquet").unlink()
    code, again, shown = ran(GAMES, *OPTIONS, "--workers", 1, "--out", out)
    assert (code, again, "50 of 50 games" in shown) == (0, printed, True)
    assert {path.name for path in out.iterdir()} == {*written, "_run.json"}
    assert files(out) == written


def test_interrupted_as_the_cluster_starts(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that come into being then do not get Ctrl-C, and the run ends in order."""

    def start(_workers: int) -> AbstractContextManager[str]:
        assert signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
        os.kill(os.getpid(), signal.SIGINT)
        return nullcontext("")

    monkeypatch.setattr("self_play_on_dask.local_cluster", start)
    assert ran(GAMES, *OPTIONS, "--out", tmp_path / "games") == (STOPPED, "", "")


@pytest.mark.long
def test_interrupted_and_started_again(tmp_path: Path) -> None:
    arguments = GAMES, "--games", 20_000, "--chunk", 500, "--workers", 2, "--out"
    out, whole = tmp_path / "games", tmp_path / "whole"
    with starting(*arguments, out) as run:
        processes.wait_until(lambda: len(files(out)) >= 3)
        assert "WARNING" not in stopped(run)
    assert 3 <= len(files(out)) < 40
    for folder in out, whole:
        with starting(*arguments, folder) as run:
            code, _, shown = end(run)
        assert code == 0, shown
    assert files(out) == files(whole)


@pytest.mark.long
def test_the_scheduler_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "games"
    with (
        cluster(tmp_path, workers=1) as (address, (scheduler, _)),
        starting(GAMES, "--games", "100000", "--chunk", "500", "--scheduler", address, "--out", out) as run,
    ):
        processes.wait_until(lambda: len(files(out)) >= 3)
        scheduler.kill()
        code, printed, shown = end(run)
    assert (code, printed) == (1, "")
    assert shown.endswith("the scheduler is gone; the same command goes on with the chunks that are missing\n")
    assert "Traceback" not in shown


def test_what_is_refused(ran: Ran, tmp_path: Path) -> None:
    def refused(*arguments: object) -> str:
        """The sentence with which a run is refused."""
        sentence, printed, _ = ran(GAMES, *OPTIONS, *arguments)
        assert (printed, str(sentence).count("\n")) == ("", 0)
        return str(sentence)

    file, games = tmp_path / "file", tmp_path / "games"
    file.touch()
    games.mkdir()
    (games / "chunk-000002.parquet").touch()
    assert str(file) in refused("--out", file / "games")
    assert f"{games} contains games, but no _run.json" in refused("--out", games)
    (games / "_run.json").write_text('{"games": 19')
    assert f"{games / '_run.json'} does not say which run" in refused("--out", games)
    (games / "_run.json").write_text('{"games": 19}')
    assert f"{games} contains the games of another run" in refused("--out", games)
    for address in ("nonsense://127.0.0.1:1", "localhost"):
        assert f"no scheduler can be reached at {address}: " in refused(
            "--scheduler", address, "--out", tmp_path / "new"
        )
    code, printed, shown = ran(GAMES, *OPTIONS, "--workers", "0", "--out", tmp_path / "none")
    assert (code, printed, "--workers are numbers from 1" in shown) == (2, "", True)
    assert not (tmp_path / "none").exists()


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
        options = [
            "--games",
            "12",
            "--length",
            "3",
            "--seed",
            "1",
            "--records",
            folders[0],
            "--save",
            saved,
            "--scheduler",
            address,
        ]
        with starting(ARENA, *PLAYERS, *options) as run:
            processes.wait_until(lambda: len(written(folders[0])) >= 4)
            workers[0].kill()
            assert len(written(folders[0])) < 36
            code, printed, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert code == 0, shown
    alone, side_by_side = (
        arena.play(PLAYERS, games=12, length=3, seed=1, records=folder, workers=workers)
        for workers, folder in enumerate(folders[1:], start=1)
    )
    assert alone == side_by_side
    assert printed == f"{alone}\n"
    assert written(folders[0]) == written(folders[1]) == written(folders[2])
    assert len(written(folders[0])) == 36
    saved.write_bytes(b"".join(saved.read_bytes().splitlines(keepends=True)[:8]))
    assert arena.play(PLAYERS, games=12, length=3, save=saved, workers=1) == alone


# Analyses -------------------------------------------------------------------------------------------------------------

SHORT_MATCH = EXAMPLES / "matches" / "galaxy" / "match9806622.txt"
BGSAGE = ["--engine", "bgsage", "--level", 1]
needs_bgsage = pytest.mark.skipif(find_spec("bgsage") is None, reason="there is no bgsage for this system")


def analyzed_here(folder: Path) -> dict[str, str]:
    """What the example writes, without a cluster."""
    entries = records.analyze_files(folder, engine=partial(SimpleEngine.open, "bgsage", 1), workers=1)
    return {
        f"{Path(entry.path).relative_to(folder)}.json": records.dumps(entry.match, "json")
        for entry in entries
        if entry.match
    }


def written_as_json(out: Path) -> dict[str, str]:
    """Below the folder of the engine, which is the only one."""
    return {
        str(path.relative_to(folder)): path.read_text(encoding="utf-8")
        for folder in out.glob("*")
        for path in folder.rglob("*.json")
    }


def times_of(out: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in out.rglob("*.json")}


@needs_bgsage
def test_analyses(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no record is said at each start, hidden folders are left out, and what is written is left as it is."""
    folder, out = tmp_path / "in", tmp_path / "out"
    shutil.copytree(SHORT_MATCH.parent, folder / ".git")
    (folder / "README.md").write_text("no record")
    names = ["a\u2028b.txt", os.fsdecode(b"caf\xe9.txt") if sys.platform == "linux" else "x.txt"]
    for name in names:
        shutil.copy(SHORT_MATCH, folder / name)
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        for name in ("match.txt", "../../outside.txt", "C:/x/evil.txt"):
            archive.write(SHORT_MATCH, name)
    options = *BGSAGE, "--workers", 1, "--out", out
    code, _, shown = ran(ANALYSIS, folder, *options)
    assert (code, "README.md: " in shown, "matches analyzed: 5" in shown) == (0, True, True)
    written = written_as_json(out)
    names_in_zip = {str(Path("z.zip", name)) for name in ("match.txt.json", "outside.txt.json", "C_/x/evil.txt.json")}
    stored = [names_below(Path(name), Path())[0] for name in names]
    assert written.keys() == {f"{name}.json" for name in stored} | names_in_zip
    assert {*written.values()} == {*analyzed_here(folder).values()}
    times = times_of(out)
    monkeypatch.chdir(tmp_path)
    code, _, shown = ran(ANALYSIS, "in", *options)
    assert (code, "README.md: " in shown, shown.endswith("matches analyzed: 0 \n")) == (0, True, True)
    assert times_of(out) == times
    next(out.rglob("a*.json")).unlink()
    next(out.rglob("match.txt.json")).write_text("{")
    code, _, shown = ran(ANALYSIS, "in", *options)
    assert (code, "matches analyzed: 4" in shown, written_as_json(out)) == (0, True, written)
    assert {name for name, time in times_of(out).items() if time == times[name]} == {f"{stored[1]}.json"}


@loop.rows("folder", PurePosixPath("/in"), PureWindowsPath("C:/in"))
@loop.over("name", ["../../evil.mat", "/evil.mat", "C:/Users/x/evil.mat", "C:evil.mat", "..\\evil.mat", "con", "a:b"])
def test_no_name_in_an_archive_leads_out_of_the_folder(
    folder: PurePath, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On any system; `tests/cli/test_convert.py` has the rule."""
    analysis, out = import_module(ANALYSIS), folder.with_name("out")
    monkeypatch.setattr(analysis, "PurePath", type(folder))
    entry = records.ScanEntry(f"{folder}/z.zip/{name}")
    ((_, target),) = analysis.Targets(folder, out).of([entry])
    below = names_below(type(folder)(entry.path), folder)
    assert target == out.joinpath("z.zip", *below[1:-1], f"{below[-1]}.json")
    assert target.is_relative_to(out)
    assert not {"..", "con.json"} & {*target.parts}


@needs_bgsage
def test_the_second_of_two_names_that_become_one_is_reported(ran: Ran, tmp_path: Path) -> None:
    """At each start, also where capitals make no difference. Neither match replaces the other."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    other_match = SHORT_MATCH.with_name("match1033650.txt")
    names = {"a:b.txt": SHORT_MATCH, "a_b.txt": other_match, "A_b.txt": other_match, "../a_b.txt": other_match}
    with zipfile.ZipFile(folder / "z.zip", "w") as archive:
        for name, match in names.items():
            archive.write(match, name)
    written = []
    for analyzed in (1, 0):
        code, _, shown = ran(ANALYSIS, folder, *BGSAGE, "--workers", 1, "--out", out)
        assert (code, f"matches analyzed: {analyzed} \n" in shown) == (0, True), shown
        assert shown.count("has the same name in --out: rename one of them") == 3
        written.append(written_as_json(out))
    assert written[0] == written[1]
    [(name, text)] = written[0].items()
    assert name == str(Path("z.zip", "a_b.txt.json"))
    assert records.loads(text, "json").players == records.load(SHORT_MATCH).players


def test_a_match_in_several_files_is_analyzed_once(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    texts = ["match7662222_1ply.txt", *(f"match7662222_1ply_00{game}.txt" for game in (2, 3, 4))]
    for text in texts:
        shutil.copy(EXAMPLES.parent / "tests" / "data" / "analysis" / "gnubg" / text, folder)
    analysis = import_module(ANALYSIS)
    assert analysis.missing(analysis.Targets(folder, out)) == [str(folder / text) for text in texts]
    [entry] = records.scan(folder)
    assert entry.match is not None
    out.mkdir()
    records.dump(entry.match, out / f"{texts[0]}.json")
    assert analysis.missing(analysis.Targets(folder, out)) == []


@needs_bgsage
def test_analyses_that_are_refused(ran: Ran, tmp_path: Path) -> None:
    """Nothing is written, and the same folder takes the corrected command."""
    folder, other, out = tmp_path / "in", tmp_path / "other", tmp_path / "out"
    for parent in folder, other:
        parent.mkdir()
    shutil.copy(SHORT_MATCH, folder)
    shutil.copy(SHORT_MATCH.with_name("match1033650.txt"), other / SHORT_MATCH.name)
    for wrong in ([SHORT_MATCH, "--out", out], [folder, "--out", folder / "out"]):
        assert ran(ANALYSIS, *wrong)[0] == 2
    options = "--workers", 1, "--out", out
    sentence, _, shown = ran(ANALYSIS, folder, "--engine", "sage", *options)
    assert ("'sage'" in str(sentence), shown.strip(), out.exists()) == (True, "", False)
    assert ran(ANALYSIS, folder, *BGSAGE, *options)[0] == 0
    written = written_as_json(out)
    assert [*written] == [f"{SHORT_MATCH.name}.json"]
    sentence, _, _ = ran(ANALYSIS, other, *BGSAGE, *options)
    assert f"{SHORT_MATCH.name}.json is another match than {other / SHORT_MATCH.name}" in str(sentence)
    assert written_as_json(out) == written


@needs_bgsage
def test_an_engine_that_fails(ran: Ran, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match is named and counted; the next start analyzes it."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    shutil.copy(SHORT_MATCH, folder)
    options = folder, *BGSAGE, "--workers", 1, "--out", out

    def fail(*_: object, **__: object) -> None:
        raise EngineError("it is too tired")

    with monkeypatch.context() as patched:
        for question in ("candidates", "cube_analysis", "roll_equities"):
            patched.setattr(SimpleEngine, question, fail)
        code, _, shown = ran(ANALYSIS, *options)
    assert code == "not analyzed: 1; the same command tries it again"
    assert f"{SHORT_MATCH.name}: it is too tired" in shown
    assert ran(ANALYSIS, *options)[0] == 0
    assert written_as_json(out) == analyzed_here(folder)


@needs_bgsage
@pytest.mark.long
def test_a_worker_of_an_analysis_is_lost(tmp_path: Path) -> None:
    """One of two is killed while it works: each record is written as by one process, and none is missing."""
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    for number in range(8):
        shutil.copy(SHORT_MATCH, folder / f"{number}.txt")
    with cluster(tmp_path, workers=2) as (address, (_, *workers)):
        options = *BGSAGE, "--out", out, "--scheduler", address
        with starting(ANALYSIS, folder, *options) as run:
            processes.wait_until(lambda: len(written_as_json(out)) >= 1)
            workers[0].kill()
            assert len(written_as_json(out)) < 8
            code, _, shown = end(run)
        assert workers[0].wait() == -signal.SIGKILL
    assert (code, "matches analyzed: 8" in shown) == (0, True), shown
    assert written_as_json(out) == analyzed_here(folder)
