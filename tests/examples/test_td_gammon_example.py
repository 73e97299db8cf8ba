"""`examples/td_gammon.py` learns, in the same way every time; `examples/players.py` has the players that measure it."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import loop
import processes
from gammonrules import batch

EXAMPLES = Path(__file__).parents[2] / "examples"
sys.path.append(str(EXAMPLES))
import bot  # noqa: E402
import players  # noqa: E402
import td_gammon  # noqa: E402

OPTIONS = "--games 60 --hidden 20 --lam 0.9 --rate 0.005 --pairs 4 --threads 1".split()


@pytest.fixture(autouse=True, scope="module")
def short_lessons() -> Iterator[None]:
    """So that a few hundred games are many lessons."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(td_gammon, "LESSON", 30)
        patch.setattr(td_gammon, "CHUNK", 30)
        patch.setattr(td_gammon, "EXAMS", 1)
        yield


def options(out: Path, *more: str) -> argparse.Namespace:
    return td_gammon.read_options([*OPTIONS, "--out", str(out), *more])


def finished(out: Path, *more: str) -> td_gammon.Run:
    run = td_gammon.Run(options(out, *more))
    run.take_up()
    run.go_on()
    return run


def weights(run: td_gammon.Run) -> list[bytes]:
    return [array.tobytes() for array in run.network.arrays().values()]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> td_gammon.Run:
    return finished(tmp_path_factory.mktemp("run") / "network.npz")


# Learning -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_it_learns(tmp_path):
    """300 games against itself are enough to win more than a point a game from a player that does not think."""
    run = finished(tmp_path / "network.npz", "--games", "300")
    assert td_gammon.measured(run.network, players.anything, 40).low > 1


def test_a_saved_network_plays_the_same(run):
    network = td_gammon.load(run.options.out)
    inputs = batch.features(batch.random_games(3, np.random.default_rng(1)).points)
    assert network(inputs).tobytes() == run.network(inputs).tobytes()


PROGRAM = f"""
import os, pickle, sys
import numpy as np
from gammonrules import batch
sys.path.append({str(EXAMPLES)!r})
from td_gammon import load, player
choose = pickle.loads(pickle.dumps(player(load(sys.argv[1]))))
print("OMP_NUM_THREADS" in os.environ, batch.play_games(20, np.random.default_rng(1), choose).results.tolist())
"""


@pytest.mark.long
def test_in_a_program_of_your_own(run, tmp_path, monkeypatch):
    """The import changes nothing for others, and the player can be sent to other processes."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    printed = processes.run(sys.executable, "-c", PROGRAM, run.options.out.absolute(), cwd=tmp_path).stdout
    expected = batch.play_games(20, np.random.default_rng(1), td_gammon.player(run.network)).results.tolist()
    assert printed == f"False {expected}\n"


def test_a_run_that_was_stopped_ends_as_one_that_was_not(tmp_path, monkeypatch):
    """Stopped after a lesson, and taken up with two threads."""
    monkeypatch.setattr(td_gammon, "LESSON", 6)
    monkeypatch.setattr(td_gammon, "CHUNK", 3)
    small = "--games", "12"
    undisturbed = finished(tmp_path / "undisturbed.npz", *small)
    stopped = finished(tmp_path / "network.npz", *small, "--minutes", "1e-9")
    assert (stopped.lesson, undisturbed.lesson) == (1, 2)
    again = finished(tmp_path / "network.npz", *small, "--threads", "2")
    assert again.lesson == 2
    assert weights(again) == weights(undisturbed)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["network.npz", "undisturbed.npz"]


def test_another_seed_gives_another_network(run, tmp_path):
    other = td_gammon.Run(options(tmp_path / "network.npz", "--seed", "2"))
    assert weights(other) != weights(td_gammon.Run(options(tmp_path / "network.npz")))


class Recording(td_gammon.Network):
    def adam(self, gradients: list[np.ndarray], rate: float) -> None:
        self.gradients = gradients


def test_the_gradient_is_that_of_the_squared_error():
    """Each weight is moved a little either way."""
    network = Recording(3, 1)
    network.weights = [weights.astype(np.float64) for weights in network.weights]
    rng = np.random.default_rng(1)
    inputs, targets = rng.random((8, 198)), rng.normal(size=8)
    network.learn(inputs, targets, 0.001)
    expected = [gradient.copy() for gradient in network.gradients]
    for array, gradient in zip(network.weights, expected, strict=True):
        for place in rng.integers(0, array.size, 10):
            around = [changed(network, array.reshape(-1), place, step, inputs, targets) for step in (1e-6, -1e-6)]
            assert (around[0] - around[1]) / 2e-6 == pytest.approx(gradient.reshape(-1)[place], rel=1e-4, abs=1e-7)


def changed(network, flat, place, step, inputs, targets) -> float:
    before = flat[place]
    flat[place] += step
    error = network.learn(inputs, targets, 0.001)
    flat[place] = before
    return error


def test_torch_learns_the_same():
    pytest.importorskip("torch")
    rng = np.random.default_rng(1)
    networks = td_gammon.Network(20, 1), td_gammon.TorchNetwork(20, 1)
    for _ in range(5):
        inputs, targets = rng.random((64, 198), np.float32), rng.random(64, np.float32)
        plain, torch = (network.learn(inputs, targets, 0.01) for network in networks)
        assert plain == pytest.approx(torch, rel=1e-4)
    for name, array in networks[0].arrays().items():
        assert np.allclose(array, networks[1].arrays()[name], atol=1e-4), name


# The players --------------------------------------------------------------------------------------------------------


def test_the_heuristic_is_the_bot():
    points = batch.random_games(3, np.random.default_rng(1)).points
    expected = [bot.lead(position) for position in batch.to_positions(points)]
    assert players.lead(points) == pytest.approx(expected, abs=1e-4)


def weights_of_pubeval(folder: Path, race: str, contact: str) -> Path:
    folder.joinpath("WT.race").write_text(race)
    folder.joinpath("WT.cntc").write_text(contact)
    return folder


def test_pubeval_bears_off_first(tmp_path):
    """With weights that see nothing but the checkers borne off, it beats a player that does not look."""
    off = "0 " * 121 + "1\n"
    pubeval = players.Pubeval(weights_of_pubeval(tmp_path, off, off))
    start = np.zeros(26, np.int8)
    start[[1, 2, 3, 4, 5, 6]], start[[19, 20, 21, 22, 23, 24]] = 2, -2
    games = batch.play_games(50, np.random.default_rng(1), (pubeval, players.anything), start=start)
    assert games.results.mean() > 0.3


def test_pubeval_sees_what_was_published():
    points = np.zeros((1, 26), np.int8)
    points[0, [0, 24, 23, 22, 21, 20, 1]] = [-2, -1, 1, 2, 3, 5, -2]
    units = players.Pubeval.inputs(points)[0]
    assert units[:25].reshape(5, 5).tolist() == [
        [1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        [0, 0, 1, 1, 0],
        [0, 0, 1, 0, 1],
    ]
    assert not units[25:120].any()
    assert units[120:].tolist() == [1, 4 / 15]


# Wrong input --------------------------------------------------------------------------------------------------------


@loop.over(
    "wrong",
    [
        *("--games 0", "--games many", "--minutes 0", "--minutes nan", "--seed -1", "--hidden 0", "--lam 1.1"),
        *("--lam nan", "--rate 0", "--pairs 1", "--threads 0", "--curve curve.txt", "--curve no-such-folder/curve.png"),
        "--out no-such-folder/network.npz",
    ],
)
def test_wrong_options(capsys, wrong):
    with pytest.raises(SystemExit) as ended:
        td_gammon.read_options(wrong.split())
    assert ended.value.code == 2
    assert wrong.split()[0] in capsys.readouterr().err.splitlines()[-1]


def refused(run: td_gammon.Run) -> str:
    with pytest.raises(SystemExit) as ended:
        run.take_up()
    sentence = str(ended.value.code)
    assert "\n" not in sentence
    assert str(run.options.out) in sentence
    return sentence


def test_files_that_are_no_network(run, tmp_path):
    """Nor those with arrays of another shape."""
    out = tmp_path / "network.npz"
    new = td_gammon.Run(options(out))
    with np.load(run.options.out) as file:
        saved = dict(file)
    for name, wrong in {
        "weights_0": np.zeros((198, 7)),
        "weights_3": np.array([np.nan]),
        "lesson": np.zeros(2),
        "curve": np.zeros(3),
        "steps": "one",
        "settings": "{",
    }.items():
        np.savez(out, **{**saved, name: wrong})
        assert "not a network" in refused(new)
    for content in (b"", b"nonsense", b"PK\x03\x04 cut"):
        out.write_bytes(content)
        assert "not a network" in refused(new)
    out.unlink()
    out.mkdir()
    assert "not a network" in refused(new)


def test_a_file_of_another_run_is_left_alone(run):
    before = run.options.out.read_bytes()
    assert "another run" in refused(td_gammon.Run(options(run.options.out, "--seed", "2")))
    assert run.options.out.read_bytes() == before


def test_weights_of_pubeval_that_are_none(tmp_path):
    for race in (None, "1 2 3", "nan " * 122, "one"):
        folder = weights_of_pubeval(tmp_path, race, "") if race else tmp_path
        with pytest.raises(SystemExit) as ended:
            players.Pubeval(folder)
        assert str(folder / "WT.race") in str(ended.value.code)


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="ends processes by the signals of POSIX")
def test_it_can_be_stopped(tmp_path):
    """Ctrl-C ends it within a moment; its threads are part of it, so nothing is left."""
    options = "--games 20000 --threads 2 --pairs 20 --out".split()
    with processes.running(sys.executable, EXAMPLES / "td_gammon.py", *options, tmp_path / "network.npz") as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith("200 games")
        running.send_signal(signal.SIGINT)
        printed, shown = running.communicate(timeout=30)
    assert running.returncode == 1
    assert printed == ""
    assert shown.splitlines()[-1].startswith("stopped; the same command goes on")
    assert [path.name for path in tmp_path.iterdir()] in ([], ["network.npz"])  # no unfinished file
