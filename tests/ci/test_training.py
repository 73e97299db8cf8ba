"""The trainer of `training/`: its weights follow from the seed, and it learns nothing of the benchmark."""

from __future__ import annotations

import json
import random
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import processes
from gammonrules import Position, bearoff

TRAINING = Path(__file__).parents[2] / "training"
if not TRAINING.exists():
    pytest.skip("a distribution is tested without the trainer", allow_module_level=True)
if shutil.which("cc") is None:
    pytest.skip("there is no C compiler", allow_module_level=True)
sys.path.append(str(TRAINING))

from benchmark_boards import find_benchmark_positions, hash_boards, write_hashes
from measure import BEFORE_ROLL, RECORD, cube_losses, play_losses
from networks import ENDS, Networks, read_numbers, write_for_trainer, write_small
from train import ALL_DONE, DONE, build

OPTIONS = """
seed 3
save 0
td lessons 2 size 48 from_rate .002 to_rate .0005 # each stage, as short as can be
pruning lessons 1 size 8 from_rate .003 to_rate .0003 batch 128
td lessons 2 size 48
targets lessons 2 size 64
bearoffs lessons 2 size 800
fit epochs 2 batch 64 from_rate .003 to_rate .00005
groups lessons 1 size 2
"""
STAGES = 7
STARTS = [[Position.start()], [Position.of(mine={6: 3, 5: 2}, theirs={4: 2, 1: 1})]]


class Run:
    """A run in a folder."""

    def __init__(self, folder: Path, trainer: Path, hashes: Path, options: str = OPTIONS) -> None:
        folder.mkdir()
        self.folder = folder
        (folder / "options.txt").write_text(options, encoding="utf-8")
        self.command = [trainer, folder, folder / "options.txt", hashes]

    def finish(self, workers: int, *start: object) -> None:
        for _ in range(STAGES + 1):
            done = processes.run(*self.command, workers, *start, check=False)
            if done.returncode == ALL_DONE:
                return
            assert done.returncode == DONE, done.stderr
        raise AssertionError("the stages have no end")

    def files(self) -> dict[str, bytes]:
        paths = [*self.folder.glob("*.weights"), *self.folder.glob("*.records")]
        return {path.name: path.read_bytes() for path in paths}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    build("trainer.c", folder / "trainer", "-Werror")
    write_hashes(folder / "benchmark.hashes", find_benchmark_positions())
    return folder


@pytest.fixture(scope="module")
def whole(folder: Path) -> Run:
    run = Run(folder / "whole", folder / "trainer", folder / "benchmark.hashes")
    run.finish(workers=1)
    return run


@pytest.fixture(scope="module")
def networks(folder: Path) -> Networks:
    return Networks(folder)


def test_two_trainers_cannot_use_one_folder(folder: Path, tmp_path: Path) -> None:
    run = Run(
        tmp_path / "run", folder / "trainer", folder / "benchmark.hashes", OPTIONS.replace("lessons 2", "lessons 999")
    )
    with processes.running(*run.command, 1):
        while not (run.folder / "state.bin").exists():
            time.sleep(0.01)
        done = processes.run(*run.command, 1, check=False)
    assert (done.returncode, f"another trainer is running in {run.folder}" in done.stderr) == (1, True)


def test_every_stage_leaves_its_files(whole: Run) -> None:
    kinds = ["td", "pruning", "td", "targets", "bearoffs", "fit", "groups"]
    names = {f"{number:03}-{kind}.weights" for number, kind in enumerate(kinds, 1)}
    records = {"004-targets.records", "005-bearoffs.records", "007-groups.records"}
    assert set(whole.files()) == names | records


def test_a_run_killed_twenty_times_ends_with_the_same_files(folder: Path, whole: Run) -> None:
    """With another number of workers, at random moments and without a chance to save."""
    run, rng, kills = Run(folder / "killed", folder / "trainer", folder / "benchmark.hashes"), random.Random(20), 0
    while kills < 20:
        with processes.running(*run.command, 3) as trainer:
            try:
                trainer.wait(timeout=rng.uniform(0.02, 0.3))
            except processes.subprocess.TimeoutExpired:
                kills += 1
        if trainer.returncode == ALL_DONE:
            shutil.rmtree(run.folder)
            run = Run(folder / "killed", folder / "trainer", folder / "benchmark.hashes")
    run.finish(workers=2)
    assert run.files() == whole.files()


@pytest.mark.long
def test_other_vectors_give_the_same(folder: Path, whole: Run) -> None:
    """Those of 128 bits, which every x86-64 processor has."""
    build("trainer.c", folder / "plain", "-DONE_PROCESSOR")
    run = Run(folder / "plain-run", folder / "plain", folder / "benchmark.hashes")
    run.finish(workers=1)
    assert run.files() == whole.files()


def records_of(run: Run) -> np.ndarray:
    return np.concatenate([np.fromfile(path, RECORD) for path in sorted(run.folder.glob("*.records"))])


def test_no_record_is_of_the_benchmark(folder: Path, whole: Run) -> None:
    """While the same run has such boards if they are not left out."""
    hashes = np.fromfile(folder / "benchmark.hashes", "<u8")
    assert not np.isin(hash_boards(records_of(whole)["points"]), hashes).any()
    write_hashes(folder / "few.hashes", [Position.of(mine={24: 1}, theirs={24: 1})])
    other = Run(folder / "other", folder / "trainer", folder / "few.hashes")
    other.finish(workers=1)
    records = records_of(other)
    is_of_benchmark = np.isin(hash_boards(records["points"]), hashes)
    assert is_of_benchmark[records["role"] < BEFORE_ROLL].any()


def test_a_stopped_run_repeats_no_record(folder: Path, whole: Run) -> None:
    """What was written after the last state is cut off."""
    run = Run(folder / "cut", folder / "trainer", folder / "benchmark.hashes")
    for _ in range(3):
        processes.run(*run.command, 1)
    (run.folder / "004-targets.records").write_bytes(b"?" * 1000)
    run.finish(workers=1)
    assert run.files() == whole.files()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("seed 1\ntd lessons 3 bach 4", "line 2 of the options: unknown name 'bach'; use one of: lessons size"),
        ("seed 1\ndt lessons 3", "line 2 of the options: unknown stage 'dt'; use one of: td pruning"),
        ("seed 1\ntd lessons", "lessons must be a whole number, not ''"),
        ("seed 1\ntd lessons 1.9", "lessons must be a whole number, not '1.9'"),
        ("seed 1\ntd lessons 99999999", "lessons must be a number from 0 to 10000000, not '99999999'"),
        ("seed 1\ntd lessons 3 rare 2", "rare must be a number from 0 to 1, not '2'"),
        ("seed 1\ntd size 16", "line 2 of the options: td has no lessons; add 'lessons NUMBER'"),
        ("seed 1\ntd lessons 1 from_rate 0", "from_rate and to_rate must be above 0"),
        ("seed 1\nfit epochs 0", "size and epochs must be at least 1, batch at least 4"),
        ("seed 1\nfit epochs 1", "stage 1, fit, has no records of an earlier stage to learn"),
        ("seed 1\n# " + "x" * 500, "line 2 of the options is longer than 398 characters"),
        ("seed 1e3\ntd lessons 1", "seed must be a whole number, not '1e3'"),
        ("seed 1 2\ntd lessons 1", "line 1 of the options: seed has one value"),
        ("td lessons 1\nseed 1", "line 2 of the options: there must be one seed, before the stages"),
        ("td lessons 1", "has no seed; begin it with 'seed NUMBER'"),
        ("seed 3", "has no stages; add a line such as 'td lessons 100'"),
    ],
)
def test_wrong_options_are_named(folder: Path, tmp_path: Path, options: str, message: str) -> None:
    run = Run(tmp_path / "run", folder / "trainer", folder / "benchmark.hashes", options)
    done = processes.run(*run.command, 1, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_options_of_a_stage_that_has_begun_cannot_change(folder: Path, tmp_path: Path) -> None:
    run = Run(tmp_path / "run", folder / "trainer", folder / "benchmark.hashes")
    processes.run(*run.command, 1)
    later = OPTIONS.replace("epochs 2", "epochs 3")
    (run.folder / "options.txt").write_text(later, encoding="utf-8")
    processes.run(*run.command, 1)
    (run.folder / "options.txt").write_text(later.replace("size 8 ", "size 9 "), encoding="utf-8")
    done = processes.run(*run.command, 1, check=False)
    assert (done.returncode, "options of stage 3 or an earlier one have changed" in done.stderr) == (1, True)


@pytest.mark.parametrize("change", [lambda content: content[:-1], lambda content: content[:-1] + b"?"])
def test_a_damaged_state_is_refused(folder: Path, tmp_path: Path, change: object) -> None:
    run = Run(tmp_path / "run", folder / "trainer", folder / "benchmark.hashes")
    processes.run(*run.command, 1)
    path = run.folder / "state.bin"
    path.write_bytes(change(path.read_bytes()))  # type: ignore[operator]
    done = processes.run(*run.command, 1, check=False)
    assert (done.returncode, done.stderr.count("\n"), str(path) in done.stderr) == (1, 1, True)


@pytest.mark.long
def test_a_run_that_is_stopped_again_and_again_has_a_whole_manifest(folder: Path, tmp_path: Path) -> None:
    """Also if the last lesson of a stage was the one that ended."""
    options, run = tmp_path / "options.txt", tmp_path / "run"
    options.write_text("seed 1\nbearoffs lessons 1 size 160\ntd lessons 2 size 160\nbearoffs lessons 1 size 160\n")
    command = [sys.executable, TRAINING / "train.py", "--options", options, "--folder", run, "--priority", 0, "--fresh"]
    for wait in range(30):
        with processes.running(*command, stdout=processes.subprocess.PIPE) as training:
            assert training.stdout is not None
            training.stdout.readline()  # it is being built
            with suppress(processes.subprocess.TimeoutExpired):
                training.wait(timeout=6 + wait)
            training.send_signal(signal.SIGTERM)
            training.wait()
        manifest = run / "manifest.json"
        if training.returncode == 0 and manifest.exists():
            break
    finished = json.loads(manifest.read_text())["finished"]
    assert [(entry["stage"], entry["options"].split()[0]) for entry in finished] == [
        (1, "bearoffs"),
        (2, "td"),
        (3, "bearoffs"),
    ]
    names = {path.name for path in run.iterdir() if path.suffix in {".weights", ".records"}}
    assert names < set(json.loads(manifest.read_text())["files"])


@pytest.mark.parametrize(
    "change", [lambda content: content[:-1], lambda content: content[:-1] + b"?", lambda _: b"GRWEIGHT"]
)
def test_damaged_weights_are_refused(whole: Run, networks: Networks, tmp_path: Path, change: object) -> None:
    path = tmp_path / "damaged.weights"
    path.write_bytes(change((whole.folder / "003-td.weights").read_bytes()))  # type: ignore[operator]
    with pytest.raises(ValueError, match="damaged"):
        read_numbers(path, networks.total)


def test_a_run_begins_from_published_weights(folder: Path, whole: Run, networks: Networks, tmp_path: Path) -> None:
    """Their numbers have 16 bits, so that they answer nearly the same."""
    path, small, start = whole.folder / "003-td.weights", tmp_path / "small.bin", tmp_path / "start.weights"
    write_small(small, read_numbers(path, networks.total))
    assert small.stat().st_size < 200_000
    write_for_trainer(start, read_numbers(small, networks.total))
    answers = []
    for weights in (path, small, start):
        networks.use(weights)
        answers.append(networks.judge_alone(np.array([position.points for [position] in STARTS], np.int8)))
    assert np.array_equal(answers[1], answers[2])
    assert np.allclose(answers[0], answers[1], atol=0.002)
    run = Run(tmp_path / "run", folder / "trainer", folder / "benchmark.hashes")
    run.finish(1, start, 3)
    assert set(run.files()) == {name for name in whole.files() if name >= "004"}


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [({3: 1}, {6: 1}), ({6: 1, 5: 1}, {1: 2}), ({3: 2, 1: 1}, {2: 3}), ({6: 2, 2: 1}, {5: 1, 4: 1, 1: 1})],
)
def test_bear_offs_are_exact(networks: Networks, mine: dict[int, int], theirs: dict[int, int]) -> None:
    """As two tables of one side find them: both sides play for the fewest rolls on average."""
    position = Position.of(mine=mine, theirs=theirs)
    table = bearoff.one_sided(checkers=3)
    assert networks.judge([position.points])[0, :3].sum() == pytest.approx(table.win(position), abs=1e-5)


def test_a_choice_loses_what_its_target_says() -> None:
    """Two groups of two plays, of which the second group is chosen wrongly."""
    records = np.zeros(5, RECORD)
    records["role"] = [5, 6, 7, 6, 7]
    records["target"][:, 2] = [0.5, 0.4, 0.6, 0.3, 0.5]
    records["target"][:, 3] = 1 - records["target"][:, 2]
    chances = records["target"].copy()
    assert play_losses(records, chances).tolist() == [0, 0]
    chances[3:] = chances[:2:-1]
    assert play_losses(records, chances) == pytest.approx([0, 0.4])


@pytest.mark.parametrize(
    ("right", "answered", "loss"), [(0.95, 0.95, 0), (0.95, 0.5, 0.032 + 0.766), (0.5, 0.95, 0.34)]
)
def test_a_cube_action_loses_what_its_equities_say(right: float, answered: float, loss: float) -> None:
    """By Janowski's formula, without gammons: a double that is left out, and taken, and one far too early."""
    records = np.zeros(1, RECORD)
    records["role"] = 5
    chances = np.zeros((1, ENDS), np.float32)
    for win, rows in ((right, records["target"]), (answered, chances)):
        rows[0, 2:4] = win, 1 - win
    assert cube_losses(records, chances) == pytest.approx([loss], abs=1e-6)
