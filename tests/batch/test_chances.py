"""selftaught: its network in C against the NumPy of the program that taught it, and against its inputs in words."""

from __future__ import annotations

import ctypes
import shlex
import shutil
import sys
import sysconfig
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import loop
import processes
import wording
from boards import positions
from gammonrules import (
    KERNEL,
    ROLLS,
    ArgumentError,
    Outcome,
    Position,
    PositionError,
    Win,
    _network as network_module,
    batch,
)
from gammonrules._arrays.checks import Rows
from gammonrules._network import ONE_ROLL_AHEAD, bearoff_efficiency, network, network_chances, network_chances_by_roll
from gammonrules.board.possible_outcomes import possible_outcomes
from gammonrules.errors import EngineStartError

sys.path.append(str(Path(__file__).parents[2] / "examples"))

pytestmark = pytest.mark.skipif(KERNEL != "c", reason="the network is in the kernel alone")

FOLDER = Path(network_module.__file__).parent / "c"
WEIGHTS = FOLDER / "selftaught.bin"
HEADER = 16
LEVELS = [3, 2, 1, -1, -2, -3]
"""Of the six outcomes, as the program has them."""
START = np.array([Position.start().points], np.int8)


def boards_in_play(number: int) -> Rows:
    """Boards of games in which both sides choose the better plays more often."""

    def choose(turns: batch.Turns, rng: np.random.Generator) -> np.ndarray:
        return turns.sample(turns.softmax(-points(batch.chances(turns.points)), 0.05), rng=rng)

    played = batch.play_games(number // 40 + 1, choose, rng=np.random.default_rng(number)).points
    assert len(played) >= number
    return np.ascontiguousarray(played[:number])


def points(chances: np.ndarray) -> np.ndarray:
    return chances @ [2, 1, 1, -1, -1] - 1


def by_numpy(boards: Rows) -> np.ndarray:
    """The network of the program, with the outcomes alone that are possible; NaN for the bear-offs of the table."""
    td_gammon = pytest.importorskip("td_gammon", reason="the core alone has no examples")
    taught = td_gammon.Bot.load().network
    outputs = taught.outputs(taught.hidden(td_gammon.inputs(boards)))
    possible = [possible_outcomes(board.tobytes(), 15) for board in boards]
    outputs *= [[level in levels for level in LEVELS] for levels in possible]
    by_network = outputs / outputs.sum(axis=1, keepdims=True) @ td_gammon.CHANCES
    are_in_table = [bearoff_efficiency(position) is not None for position in batch.to_positions(boards)]
    return np.where(np.transpose([are_in_table]), np.nan, by_network)


@pytest.mark.parametrize("number", [2_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_the_network_is_that_of_the_program(number: int):
    boards = boards_in_play(number)
    parts = [slice(start, start + 10_000) for start in range(0, number, 10_000)]
    differences = np.concatenate([abs(batch.chances(boards[part]) - by_numpy(boards[part])) for part in parts])
    assert np.nanmax(differences) < 1e-5
    assert 0 < np.isnan(differences).mean() < 0.1


# --- laws -------------------------------------------------------------------------------------------------------------


@given(positions(checkers=15, over=True))
def test_chances_fit_together(position: Position):
    """They are nested, and what is won and what is lost are no more than all."""
    (chances,) = batch.chances([position.points])
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = chances.tolist()
    assert 1 >= win >= win_gammon >= win_backgammon >= 0
    assert 1 >= lose_gammon >= lose_backgammon >= 0
    assert win + lose_gammon <= 1 + 1e-6


@given(positions(checkers=15, over=True))
def test_what_cannot_happen_has_no_chance(position: Position):
    (chances,) = batch.chances([position.points])
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = map(float, chances)
    alone = {
        Outcome(True, Win.SINGLE): win - win_gammon,
        Outcome(True, Win.GAMMON): win_gammon - win_backgammon,
        Outcome(True, Win.BACKGAMMON): win_backgammon,
        Outcome(False, Win.GAMMON): lose_gammon - lose_backgammon,
        Outcome(False, Win.BACKGAMMON): lose_backgammon,
    }
    assert all(outcome in position.possible_outcomes for outcome, chance in alone.items() if chance)
    if Outcome(False, Win.SINGLE) not in position.possible_outcomes:
        assert win + lose_gammon == pytest.approx(1, abs=1e-6)


@given(positions(checkers=15, over=True).filter(lambda position: position.outcome is not None))
def test_a_finished_game_gives_its_result(position: Position):
    outcome = position.outcome
    assert outcome is not None
    won = [float(outcome.won and outcome.win >= win) for win in (1, 2, 3)]
    lost = [float(not outcome.won and outcome.win >= win) for win in (2, 3)]
    assert batch.chances([position.points]).tolist() == [won + lost]
    assert network_chances([position], ONE_ROLL_AHEAD) == [(*won, *lost)]


# --- one roll ahead ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [100, pytest.param(3_000, marks=pytest.mark.long)])
def test_one_roll_ahead(number: int):
    boards = boards_in_play(20 * number)[::20]
    ahead = np.array(network_chances(batch.to_positions(boards), ONE_ROLL_AHEAD))
    expected = batch.look_ahead(boards, batch.chances)
    # plays that are worth the same within the last digits may lead to other gammons
    assert abs(points(ahead) - points(expected)).max() < 1e-6
    assert np.quantile(abs(ahead - expected).max(axis=1), 0.99) < 1e-6


def test_after_each_roll():
    position = Position.start().play("8/5 6/5", "31")
    (rolls,) = network_chances_by_roll([position])
    assert [roll.efficiency for roll in rolls] == [pytest.approx(0.68)] * len(ROLLS)
    by_roll = np.array([roll.five for roll in rolls])
    for roll, chances in zip(ROLLS, by_roll, strict=True):
        after = network_chances([play.position for play in position.legal_plays(roll)])
        assert points(chances) == pytest.approx(-points(np.array(after)).min(), abs=1e-6)
    mean = np.average(by_roll, axis=0, weights=[roll.weight for roll in ROLLS])
    assert mean == pytest.approx(network_chances([position], ONE_ROLL_AHEAD)[0], abs=1e-6)


# --- inputs, from their words -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The inside of the network, compiled."""
    compiler = shlex.split(sysconfig.get_config_var("CC") or "cc")
    if sys.platform == "win32" or shutil.which(compiler[0]) is None:
        pytest.skip("there is no C compiler that takes the options of gcc")
    library = tmp_path_factory.mktemp("host") / "host.so"
    source = Path(__file__).with_name("network_host.c")
    options = ["-std=c11", "-O2", "-shared", "-fPIC", f"-I{FOLDER}"]
    processes.run(*compiler, *options, str(source), "-o", str(library))
    program = ctypes.CDLL(str(library))
    assert program.host_read(WEIGHTS.read_bytes(), WEIGHTS.stat().st_size) == 0
    return program


def inputs_by(host: Any, board: Rows) -> np.ndarray:
    inputs = np.empty(229, np.float32)
    host.host_inputs(board.tobytes(), inputs.ctypes.data_as(ctypes.c_void_p))
    return inputs


def share_of_rolls(fits: Callable[[int, int], bool]) -> float:
    return sum(fits(*dice) for dice in product(range(1, 7), repeat=2)) / 36


def hit_from(distances: set[int]) -> float:
    """The share of the rolls by which a checker so many pips away hits, if nothing is in the way."""

    def hits(a: int, b: int) -> bool:
        steps = {a, b, a + b} if a != b else {a, 2 * a, 3 * a, 4 * a}
        return bool(steps & {distance for distance in distances if distance <= 12})

    return share_of_rolls(hits)


def free_of(blocked: set[int]) -> float:
    """The share of the rolls by which a checker can move both dice, if the points so many pips away are blocked."""
    near = {distance for distance in blocked if distance <= 12}
    return share_of_rolls(lambda a, b: a + b not in near and not {a, b} <= near)


def side_in_words(mine: dict[int, int], theirs: dict[int, int]) -> list[float]:
    """Both by the places of the first: 25 is its bar, 0 the other's."""

    def ahead(place: int, least: int = 1) -> set[int]:
        return {place - other for other, count in theirs.items() if count >= least and other < place}

    shots = {place: ahead(place) for place, count in mine.items() if count == 1 and place < 25}
    free = {place: free_of(ahead(place, least=2)) for place in range(1, 26)}
    return [
        hit_from(set().union(*shots.values())),
        sum((1 - place / 25) * hit_from(distances) for place, distances in shots.items()),
        sum(count * free[place] for place, count in mine.items()) / 15,
        sum(count * free[place] * max(place - 6, 0) for place, count in mine.items()) / 100,
        sum(count * free[place] for place, count in mine.items() if place > 18) / 10,
        free[max(mine)],
        min(free[place] for place in range(13, 26)),
        min(free[place] for place in range(7, 13)),
        sum(place * count for place, count in mine.items()) / 100,
        max(mine) / 25,
    ]


def test_inputs_are_what_they_are_called(host):
    for board in boards_in_play(2_000)[::5]:
        position = Position.from_points(board.tolist())
        counts = dict(enumerate(board.tolist()))
        mine = {place: count for place, count in counts.items() if count > 0}
        theirs = {place: -count for place, count in counts.items() if count < 0}
        features = batch.board_features(board[np.newaxis])
        names = ("longest_prime", "anchors", "home_points", "checkers_back", "blots_in_range")
        expected = [
            *batch.features(board[np.newaxis])[0],
            *(getattr(features, name)[0] / 4 for name in names),
            *(getattr(features, f"opponent_{name}")[0] / 4 for name in names),
            float(not position.is_race),
            *side_in_words(mine, theirs),
            *side_in_words(*({25 - place: count for place, count in side.items()} for side in (theirs, mine))),
        ]
        assert inputs_by(host, board) == pytest.approx(expected, abs=1e-6), board


def test_all_processors_give_the_same_bits(host):
    """The sums of four floats at once, and of eight."""
    narrow, wide = np.empty(120, np.float32), np.empty(120, np.float32)
    for board in boards_in_play(500)[::5]:
        inputs = inputs_by(host, board).ctypes.data_as(ctypes.c_void_p)
        host.host_sums(inputs, 0, narrow.ctypes.data_as(ctypes.c_void_p))
        if not host.host_sums(inputs, 1, wide.ctypes.data_as(ctypes.c_void_p)):
            pytest.skip("this processor has no AVX2")
        assert narrow.tobytes() == wide.tobytes()


# --- what is refused --------------------------------------------------------------------------------------------------


def changed(at: int, bits: int) -> Callable[[bytes], bytes]:
    """A file with some bits of a byte turned over."""
    return lambda file: file[:at] + bytes([file[at] ^ bits]) + file[at + 1 :]


def with_number(half: int) -> Callable[[bytes], bytes]:
    """A file with this number, and the right checksum."""

    def written(file: bytes) -> bytes:
        numbers = file[HEADER:-2] + half.to_bytes(2, "little")
        return file[:12] + zlib.crc32(numbers, zlib.crc32(file[:12])).to_bytes(4, "little") + numbers

    return written


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "short": lambda file: file[:-1],
    "long": lambda file: file + b"\0",
    "another kind": changed(0, 1),
    "another version": changed(4, 1),
    "another count": changed(8, 2),
    "another checksum": changed(12, 1),
    "a bit": changed(HEADER + 999, 64),
    "the last bit": changed(HEADER + 2 * 28_326 - 1, 128),
    "infinity": with_number(0x7C00),
    "minus infinity": with_number(0xFC00),
    "not a number": with_number(0x7E01),
}


@pytest.fixture
def read_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Where the weights are read from in this test; there is no file yet."""
    network.cache_clear()
    (tmp_path / "c").mkdir()
    monkeypatch.setattr(network_module, "files", lambda _: tmp_path)
    yield tmp_path / "c" / "selftaught.bin"
    network.cache_clear()


@loop.over("name", DAMAGES)
def test_a_damaged_file_is_refused(name: str, read_anew):
    read_anew.write_bytes(DAMAGES[name](WEIGHTS.read_bytes()))
    with wording.tells(EngineStartError, "selftaught.bin"):
        batch.chances(START)


def test_a_file_is_read_anew_after_an_error(read_anew):
    with pytest.raises(EngineStartError):
        network()
    content = WEIGHTS.read_bytes()
    read_anew.write_bytes(with_number(0x7BFF)(content))
    assert network().version == int.from_bytes(content[4:8], "little")


def test_without_the_kernel(monkeypatch, read_anew):
    monkeypatch.setattr(network_module, "kernel", None)
    with wording.tells(EngineStartError, "selftaught", "kernel"):
        batch.chances(START)


@loop.rows("checkers", 1, 14, 16, 0, True, "15", 15.0)
def test_other_numbers_of_checkers(checkers):
    with wording.tells(ArgumentError, "checkers", "15"):
        batch.chances(START, checkers=checkers)


@loop.rows(
    "boards", START[:, :25], START[0, 1:], START * 1.0, START * 4, START * 0, START[:, ::-1] + START, [["x"] * 26], None
)
def test_impossible_boards(boards):
    with wording.tells(PositionError, "points"):
        batch.chances(boards)


def test_the_row_that_is_wrong_is_named():
    boards = np.repeat(START, 20_000, axis=0)
    boards[17_000, 0] = 1
    with wording.tells(PositionError, "row 17000"):
        batch.chances(boards)


def test_no_boards_and_any_dtype():
    assert batch.chances([]).shape == (0, 5)
    expected = batch.chances(START)
    assert expected.dtype == np.float32
    for boards in (START.tolist(), START.astype(np.int64), np.asfortranarray(np.repeat(START, 2, axis=0))):
        assert (batch.chances(boards) == expected).all()


def test_other_threads_go_on():
    """The interpreter is free meanwhile."""
    work = threading.Thread(target=batch.chances, args=(np.repeat(START, 100_000, axis=0),))
    ticks = 0
    work.start()
    while work.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert ticks > 10
