"""`examples/td_gammon.py` learns, in the same way every time; `examples/players.py` has the players that measure it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import loop
import processes
import wording
from gammonrules import ROLLS, Position, batch

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
        patch.setattr(td_gammon, "CHUNK", 15)
        patch.setattr(td_gammon, "EXAMS", 1)
        yield


def trained(out: Path, *more: str) -> list[bytes]:
    """The weights after a run."""
    bot = td_gammon.train(td_gammon.read_options([*OPTIONS, "--out", str(out), *more]))
    return [array.tobytes() for array in bot.network.weights]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a network that has had two lessons."""
    out = tmp_path_factory.mktemp("run") / "network.bin"
    trained(out)
    return out


@pytest.fixture(scope="module")
def boards() -> np.ndarray:
    return batch.random_games(3, rng=np.random.default_rng(1)).points


# What the network sees ----------------------------------------------------------------------------------------------


def bits(places: tuple[int, ...]) -> int:
    """The set of the distances down to these places from the 24 point."""
    return sum(1 << (23 - place) for place in places)


@loop.rows("places", (23,), (18,), (16,), (15,), (13,), (12,), (23, 14), (20, 16, 12))
def test_shots_are_the_rolls_that_hit(places):
    """One checker that hits one of some blots has the chance of one blot that some checkers hit."""
    position = Position.of(mine={24: 1, "off": 14}, theirs={25 - place: 1 for place in places}, checkers=15)
    hits = sum(roll.weight for roll in ROLLS if any("*" in str(play) for play in position.legal_plays(roll)))
    assert td_gammon.HITS[bits(places)] == pytest.approx(hits / 36)


@loop.rows("places", (23,), (18, 19), (12, 17), (18, 19, 20, 21, 22, 23), (14, 16, 22))
def test_escapes_are_the_rolls_that_can_be_played(places):
    position = Position.of(mine={24: 1, "off": 14}, theirs={25 - place: 2 for place in places}, checkers=15)
    played = sum(roll.weight for roll in ROLLS if len(position.legal_plays(roll)[0].moves) > 1)
    assert td_gammon.ESCAPES[bits(places)] == pytest.approx(played / 36)


def test_both_sides_see_the_same(boards):
    seen, turned = td_gammon.inputs(boards)[:, 198:], td_gammon.inputs(batch.flip(boards))[:, 198:]
    exchanged = [*range(5, 10), *range(5), 10, *range(21, 31), *range(11, 21)]
    assert seen.shape[1] == len(exchanged)
    assert (seen[:, exchanged] == turned).all()


# Learning -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_it_learns(tmp_path):
    """300 games against itself are enough to win more than a point a game from a player that does not think."""
    trained(tmp_path / "network.bin", "--games", "300")
    assert td_gammon.measured(td_gammon.Bot.load(tmp_path / "network.bin"), players.anything, 40).low > 1


def test_the_same_options_give_the_same_weights(tmp_path, saved):
    """With other threads too; another seed gives another network."""
    first = [array.tobytes() for array in td_gammon.Bot.load(saved).network.weights]
    assert trained(tmp_path / "again.bin", "--threads", "2") == first
    assert trained(tmp_path / "other.bin", "--seed", "2", "--games", "30") != first


def test_chances_fit_together(boards):
    chances = td_gammon.Network(20, 1)(boards)
    outcomes = td_gammon.outcomes(chances)
    assert outcomes.min() > -1e-6
    assert outcomes.sum(axis=1) == pytest.approx(1)
    assert outcomes @ td_gammon.CHANCES == pytest.approx(chances, abs=1e-6)
    assert chances @ td_gammon.POINTS - 1 == pytest.approx(outcomes @ [3, 2, 1, -1, -2, -3], abs=1e-5)


class Recording(td_gammon.Network):
    def adam(self, gradients: list[np.ndarray], rate: float) -> None:
        self.gradients = gradients


def test_the_gradient_is_that_of_the_cross_entropy(boards):
    """Each weight is moved a little either way."""
    network = Recording(3, 1)
    network.weights = [weights.astype(np.float64) for weights in network.weights]
    rng = np.random.default_rng(1)
    seen, targets = td_gammon.inputs(boards[:8]).astype(np.float64), rng.dirichlet(np.ones(6), 8)
    network.learn(seen, targets, 0.001)
    expected = [gradient.copy() for gradient in network.gradients]
    for array, gradient in zip(network.weights, expected, strict=True):
        for place in rng.integers(0, array.size, 10):
            around = [changed(network, array.reshape(-1), place, step, seen, targets) for step in (1e-6, -1e-6)]
            assert (around[0] - around[1]) / 2e-6 == pytest.approx(gradient.reshape(-1)[place], rel=1e-4, abs=1e-6)


def changed(network, flat, place, step, seen, targets) -> float:
    before = flat[place]
    flat[place] += step
    error = network.learn(seen, targets, 0.001)
    flat[place] = before
    return error


# The bot ------------------------------------------------------------------------------------------------------------


def test_bear_offs_are_exact(saved):
    """Where both sides have borne off a checker; elsewhere the network says what they are worth."""
    two_sided, one_sided = td_gammon.tables()
    few = Position.of(mine={6: 2, 3: 1, "off": 12}, theirs={5: 3, "off": 12})
    many = Position.of(mine={6: 7, "off": 8}, theirs={4: 8, "off": 7})
    whole = Position.of(mine={6: 15}, theirs={4: 8, "off": 7})
    chances = td_gammon.known(np.array([p.points for p in (few, many, whole, Position.start())], np.int8))
    assert chances[0] == pytest.approx([(1 + two_sided[few].cubeless) / 2, 0, 0, 0, 0])
    assert chances[1] == pytest.approx([one_sided.win(many), 0, 0, 0, 0])
    assert np.isnan(chances[2:]).all()
    assert (td_gammon.Bot.load(saved).chances(np.array([few.points], np.int8)) == chances[0]).all()


def test_it_looks_ahead_at_the_plays_that_may_be_best(saved, boards):
    shallow, deep = (td_gammon.Bot.load(saved, plies) for plies in (0, 1))
    rng = np.random.default_rng(1)
    turns = batch.Turns.of(boards[:20], [(6, 4)] * 20, rng=rng)
    theirs = batch.look_ahead(turns.points, deep.chances, plies=1) @ td_gammon.POINTS
    rows = turns.top(-batch.look_ahead(turns.points, deep.chances, plies=0) @ td_gammon.POINTS, *td_gammon.KEEP)
    kept = np.full(len(theirs), np.inf)
    kept[rows] = theirs[rows]
    assert (theirs[deep.choose(turns, rng)] == np.minimum.reduceat(kept, turns.offsets[:-1])).all()
    assert np.isin(shallow.choose(turns, rng), rows).all()


def test_it_turns_the_cube(saved):
    bot = td_gammon.Bot.load(saved)
    games = batch.play_matches(6, bot.choose, bot.cube, rng=np.random.default_rng(1), length=3)
    assert games.cubes.max() > 1


PROGRAM = f"""
import os, pickle, sys
import numpy as np
from gammonrules import batch
sys.path.append({str(EXAMPLES)!r})
from td_gammon import Bot
choose = pickle.loads(pickle.dumps(Bot.load(sys.argv[1]).choose))
print("OMP_NUM_THREADS" in os.environ, batch.play_games(20, choose, rng=np.random.default_rng(1)).results.tolist())
"""


@pytest.mark.long
def test_in_a_program_of_your_own(saved, monkeypatch):
    """The import changes nothing for others, and the bot can be sent to other processes."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    printed = processes.run(sys.executable, "-c", PROGRAM, saved.absolute(), cwd=saved.parent).stdout
    choose = td_gammon.Bot.load(saved).choose
    assert printed == f"False {batch.play_games(20, choose, rng=np.random.default_rng(1)).results.tolist()}\n"


def test_the_network_of_the_library():
    assert td_gammon.measured(td_gammon.Bot.load(), players.careful, 20).low > 0.3


def test_it_is_saved_as_the_library_has_it(tmp_path):
    """But for the version, and the checksum of it."""
    td_gammon.save(td_gammon.Bot.load().network, tmp_path / "network.bin")
    saved, kept = ((folder).read_bytes() for folder in (tmp_path / "network.bin", td_gammon.SELFTAUGHT))
    assert saved[:4] + saved[8:12] + saved[16:] == kept[:4] + kept[8:12] + kept[16:]
    assert saved[4:8] == bytes(4) != kept[4:8]


# The players --------------------------------------------------------------------------------------------------------


def test_the_heuristic_is_the_bot():
    points = batch.random_games(3, rng=np.random.default_rng(1)).points
    expected = [bot.lead(position) for position in batch.to_positions(points)]
    assert players.lead(points) == pytest.approx(expected, abs=1e-4)


def weights_of_pubeval(folder: Path, race: str, contact: str) -> Path:
    folder.joinpath("WT.race").write_text(race)
    folder.joinpath("WT.cntc").write_text(contact)
    return folder


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


@loop.rows(
    "wrong",
    *("--games 0", "--games many", "--seed -1", "--hidden 0", "--lam 1.1", "--lam nan", "--rate 0", "--pairs 1"),
    "--threads 0",
)
def test_wrong_options(capsys, wrong):
    with wording.tells(SystemExit, code=2):
        td_gammon.read_options(wrong.split())
    assert wrong.split()[0] in capsys.readouterr().err.splitlines()[-1]


def test_files_that_are_no_network(saved, tmp_path):
    """Nor those of another number of inputs, with numbers that are none, cut, or with a single bit that is wrong."""
    path, whole = tmp_path / "network.bin", saved.read_bytes()
    numbers = whole[td_gammon.START :]
    for wrong in (numbers[:-2], numbers[:-1], b"", numbers[:12], numbers[:-2] + b"\0\x7c", numbers[:-2] + b"\1\xfe"):
        path.write_bytes(td_gammon.header_of(wrong, version=0) + wrong)
        refused(path)
    for content in (b"", b"nonsense", b"SELF", whole[:-1], whole + b"\0"):
        path.write_bytes(content)
        refused(path)
    for at in range(0, len(whole), len(whole) // 300):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        refused(path)
    path.unlink()
    refused(path)


def test_a_large_file_is_refused_before_it_is_read(tmp_path, monkeypatch):
    path = tmp_path / "network.bin"
    with path.open("wb") as file:
        file.truncate(1 << 24)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("it was read"))
    refused(path)


def refused(path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        td_gammon.Bot.load(path)
    sentence = str(ended.value.code)
    assert sentence.startswith(f"{path} is not a network")
    assert "\n" not in sentence


def test_weights_of_pubeval_that_are_none(tmp_path):
    for race in (None, "1 2 3", "nan " * 122, "one"):
        folder = weights_of_pubeval(tmp_path, race, "") if race else tmp_path
        with pytest.raises(SystemExit) as ended:
            players.Pubeval(folder)
        assert str(folder / "WT.race") in str(ended.value.code)
