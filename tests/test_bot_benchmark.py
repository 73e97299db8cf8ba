"""The decisions in `bot_benchmark/`: how they are chosen, rolled out in chunks, and published."""

from __future__ import annotations

import gzip
import importlib
import json
import math
import random
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import pytest

import gnu_backgammon
from gammonrules import Action, Event, MatchState, arena, bearoff
from gammonrules._json_protocol.flat_states import state_of_flat
from gammonrules.engine import EngineStartError
from gammonrules.records import PlayAnalysis, load

ROOT = Path(__file__).parents[1]
BENCHMARK = ROOT / "bot_benchmark"
RAW = ROOT / "tests" / "data" / "bot_benchmark.jsonl"
DRAWN = ROOT / "tests" / "data" / "bot_benchmark-decision.json"
MODULES = ("positions", "private", "rollouts", "building", "decisions")

pytestmark = [
    pytest.mark.skipif(not BENCHMARK.exists(), reason="the benchmark is not here"),
    pytest.mark.skipif(sys.platform == "win32", reason="its files are locked as POSIX does"),
]


@pytest.fixture(scope="module")
def made() -> Iterator[SimpleNamespace]:
    """The programs, as modules."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARK))
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
        for name in MODULES:
            del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """As a run leaves it: a file for each decision."""
    jobs = tmp_path / "run" / "jobs"
    jobs.mkdir(parents=True)
    for line in RAW.read_text(encoding="ascii").splitlines(keepends=True):
        if '"job"' in line:
            file = jobs / f"{json.loads(line)['job']:05}.jsonl"
        with file.open("a", encoding="ascii") as lines:
            lines.write(line)
    begun = {"job": 9, "ask": "play"}
    (jobs / "00009.jsonl").write_text(f"{json.dumps(begun)}\n", encoding="ascii")
    return jobs.parent


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def chunks_of(engine: str, *rows: dict[str, float]) -> list[dict[str, Any]]:
    equities = [{name: [equity, 0.02] for name, equity in row.items()} for row in rows]
    return [{"engine": engine, "chunk": number, "equities": each} for number, each in enumerate(equities)]


# What is wanted -------------------------------------------------------------------------------------------------------


def test_every_sixteen_are_balanced(made: SimpleNamespace) -> None:
    jobs = [made.positions.Job(number) for number in range(96)]
    for first in range(0, 96, 16):
        kinds = Counter((job.half, job.drawn, job.ask) for job in jobs[first : first + 16])
        assert {kind: number for kind, number in kinds.items() if kind[2] == "cube"} == dict.fromkeys(
            [kind for kind in kinds if kind[2] == "cube"], 1
        )
        assert sorted(kinds.values()) == [1, 1, 1, 1, 3, 3, 3, 3]
    assert set(Counter((job.pair, job.is_money) for job in jobs).values()) == {16}
    seeds = {job.seed(engine, chunk) for job in jobs for engine in ("bgsage", "gnubg") for chunk in range(60)}
    assert len(seeds) > 96 * 2 * 60 - 3  # of two thousand million
    assert jobs[0].rng(0).random() != jobs[0].rng(1).random() != jobs[1].rng(0).random()


def test_candidates(made: SimpleNamespace) -> None:
    """The best of each engine, and up to four within 0.12 of the best by the mean of both."""
    losses = {"a": (0, 0.02), "b": (0.03, 0), "c": (0.1, 0.1), "d": (0.05, 0.06), "e": (0.09, 0.1), "f": (0.1, 0.2)}
    names = {name: {"bgsage": mine, "gnubg": theirs} for name, (mine, theirs) in losses.items()}
    assert made.positions.candidates_of(names) == ["a", "b", "d", "e"]
    far = {"a": {"bgsage": 0.0, "gnubg": 0.3}, "b": {"bgsage": 0.4, "gnubg": 0.0}, "c": {"bgsage": 0.3, "gnubg": 0.3}}
    assert made.positions.candidates_of(far) == ["a", "b"]
    assert made.positions.candidates_of({**far, "a": {"bgsage": 0.0, "gnubg": 0.0}}) == ["a"]


# Further decisions ----------------------------------------------------------------------------------------------------


def test_further_numbers(made: SimpleNamespace) -> None:
    """Half of them are at random, and the others are not wanted; and 150 races."""
    jobs = [made.positions.Job(number) for number in range(1_000, 6_334)]
    assert Counter(job.ask for job in jobs if job.is_wanted) == {"play": 2_002, "cube": 666}
    assert {job.drawn for job in jobs if job.is_wanted} == {"at random"}
    assert all(made.positions.Job(number).is_wanted for number in range(16))
    races = [made.positions.Job(number) for number in range(10_000, 10_150)]
    assert Counter((job.ask, job.drawn) for job in races) == {("cube", "race"): 100, ("play", "race"): 50}


def test_each_decision_is_drawn_equally_often(made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its game is long or short, and wherever it stands in it; and no game goes on behind the one drawn."""
    lengths = (8, 20, 60)

    def game(job: Any, panel: Any, rng: random.Random) -> tuple[list[str], Iterator[SimpleNamespace]]:
        length = rng.choice(lengths)

        def states() -> Iterator[SimpleNamespace]:
            for place in range(length):
                panel.last = place
                yield SimpleNamespace(xgid=(length, place))

        return [], states()

    positions = made.positions
    monkeypatch.setattr(positions, "game", game)
    monkeypatch.setattr(positions, "is_decision", lambda ask, state: True)
    monkeypatch.setattr(positions, "judgment", lambda panel, state: [0, 500])
    panel, drawn = SimpleNamespace(), Counter[int]()
    for number in range(4_000):
        length, place = positions.judged_decision(positions.Job(16, str(number)), panel)["xgid"]
        assert panel.last == place
        drawn[length] += 1
        drawn[place // 4] += place < 8
    expected = {length: 4_000 * length / sum(lengths) for length in lengths}
    assert {length: drawn[length] for length in lengths} == pytest.approx(expected, rel=0.15)
    assert drawn[0] == pytest.approx(drawn[1], rel=0.25)
    assert drawn[0] == pytest.approx(4_000 * 12 / sum(lengths), rel=0.15)


def test_what_is_no_choice_is_not_drawn(made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deep engines say so, and are asked only where the judge sees next to no loss."""
    asked = list[object]()

    def seen(panel: object, state: object) -> dict[str, Any]:
        asked.append(state)
        return {"plays": {"a": {"bgsage": 0.0, "gnubg": 0.0}, "b": {"bgsage": 0.0, "gnubg": state}}}

    monkeypatch.setattr(made.positions, "seen", seen)
    assert made.positions.is_choice(0.0, [0, 201], None)
    assert asked == []
    assert not made.positions.is_choice(0.0001, [0, 200], None)
    assert made.positions.is_choice(0.0002, [0, 0], None)


@pytest.mark.parametrize(
    ("xgid", "is_dead"),
    [
        ("0:0:1:00:0:0:0:0:10", False),  # money
        ("6:1:1:00:0:0:0:0:10", False),
        ("0:0:1:00:4:0:1:5:10", True),  # Crawford
        ("0:0:1:00:4:0:0:5:10", False),  # after it, the other one doubles
        ("0:0:1:00:4:4:0:5:10", True),
        ("1:1:1:00:3:0:0:5:10", True),  # who owns it needs no more than it is worth
        ("1:1:1:00:2:4:0:5:10", False),
        ("1:-1:1:00:3:0:0:5:10", False),
    ],
)
def test_where_nobody_may_double_any_more(made: SimpleNamespace, xgid: str, *, is_dead: bool) -> None:
    state = MatchState.from_xgid(f"XGID=-b----E-C---eE---c-e----B-:{xgid}")
    assert made.positions.is_cube_dead(state) is is_dead


def test_judgments(made: SimpleNamespace) -> None:
    """Of plays, in the order of the library; of a cube, two pairs of actions."""
    state = MatchState.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    plays = [*state.legal_plays]
    worth = {play.position: -number / 7 for number, play in enumerate(plays)}
    candidates = [SimpleNamespace(position=play.position, equity=worth[play.position]) for play in reversed(plays)]
    judge = SimpleNamespace(candidates=lambda state, also: candidates)
    panel = SimpleNamespace(engine=lambda name: judge)
    assert made.positions.judgment(panel, state) == [round(10_000 * n / 7) for n in range(len(plays))]
    assert made.positions.judged_names(state) == [str(play) for play in plays]
    before = MatchState.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    for no_double, take, expected in ((0.9, 1.2, [1000, 0, 2000, 0]), (0.5, 0.2, [0, 3000, 0, 8000])):
        judge.cube_analysis = lambda state, pair=(no_double, take): SimpleNamespace(
            no_double=pair[0], double_take=pair[1]
        )
        assert made.positions.judgment(panel, before) == expected


def test_races(made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of the decisions that can be solved, but none in which all plays are equal."""
    positions = made.positions
    contact = MatchState.from_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    short = MatchState.from_xgid("XGID=-BB-A-----------------b-b-:0:0:1:31:0:0:0:0:10")
    equal = MatchState.from_xgid("XGID=------C-----------------a-:0:0:1:31:0:0:0:0:10")
    games = iter([[contact], [], [contact, equal], [contact, short, contact]])
    monkeypatch.setattr(positions, "game", lambda job, panel, rng: (["a", "b"], iter(next(games))))
    asked = positions.race_decision(positions.Job(10_002), None)
    assert asked["game"] == 3
    assert state_of_flat(asked["state"]) == short
    solution = bearoff.solve(short)
    assert {play.play for play in solution.candidates} == asked["exact"].keys()
    for play in solution.candidates:
        assert play.equity is not None
        assert asked["exact"][play.play] == pytest.approx(solution.equity - play.equity, abs=1e-6)
    decision, why = made.building.published([asked])
    assert why == ""
    assert {play["loss"] for play in decision["plays"]} > {0}
    assert all(play["error"] == 0 for play in decision["plays"])
    row = made.building.race_row(decision)
    assert MatchState.from_xgid(row["xgid"]) == short


def test_plays_of_weak_players_are_rolled_out(
    made: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """In the chunks of the best play, with their seeds; where that has too few, both are."""
    rollouts = made.rollouts
    number, lines = next(
        (number, lines)
        for number, lines in made.building.jobs_in(folder).items()
        if lines[0].get("drawn") == "at random" and lines[0]["ask"] == "play" and rollouts.chunks_in(lines)
    )
    asked = lines[0]
    best = rollouts.best_of(lines)
    other = next(name for name in asked["plays"] if name not in asked["candidates"])
    asked["choices"] = {"bot.py": [other], "gnubg:1": [best]}
    known = {engine: rollouts.samples(rollouts.chunks_in(lines), engine)[best] for engine in rollouts.TRUNCATE}
    rolled = list[tuple[str, int, tuple[str, ...]]]()

    def chunk_of(job: Any, engine: str, chunk: int, state: object, names: list[str], key: str) -> dict[str, Any]:
        rolled.append((engine, chunk, tuple(names)))
        noise = random.Random(f"{engine} {chunk}").gauss(0, 0.02)
        best_here = known[engine].get(chunk, 0.3)
        equities = {name: [best_here if name == best else best_here - 0.2 + noise, 0.02] for name in names}
        return {"engine": engine, key: chunk, "seed": job.seed(engine, chunk), "equities": equities}

    monkeypatch.setattr(rollouts, "chunk_of", chunk_of)
    monkeypatch.setattr(rollouts, "judgment", lambda panel, state: [0] * len(state.legal_plays))
    panel = SimpleNamespace(engine=lambda name: SimpleNamespace(name=name))
    before = made.building.published(lines)[0]["plays"]
    for line in rollouts.missing_lines(lines, made.positions.Job(number), panel):
        lines.append(line)
    assert rollouts.is_complete(lines, made.positions.Job(number))
    assert len(rolled) >= 2 * rollouts.MIN_OTHERS
    for engine, chunk, names in rolled:
        assert (best in names) is (chunk not in known[engine])
        assert other in names
    assert len({(engine, chunk) for engine, chunk, _ in rolled}) == len(rolled)
    decision = made.building.published(lines)[0]
    by_name = {play["play"]: play for play in decision["plays"]}
    assert by_name[other]["loss"] == pytest.approx(0.2, abs=0.03)
    assert 0 < by_name[other]["error"] <= 0.02
    assert [{**by_name[play["play"]], "judged": 0} for play in before] == [{**play, "judged": 0} for play in before]
    assert other not in {play["play"] for play in decision["others"]}


def test_judgments_are_packed_with_two_digits(made: SimpleNamespace) -> None:
    assert made.building.short([0, 7, 123, 1_234, 1_235, 99_960]) == [0, 7, 120, 1_200, 1_200, 100_000]


# Secrets --------------------------------------------------------------------------------------------------------------


def test_a_secret_makes_other_decisions(made: SimpleNamespace, tmp_path: Path) -> None:
    secrets = [
        made.private.secret_in(written(tmp_path / name, text)) for name, text in (("a", "x" * 8), ("b", "y" * 8))
    ]
    jobs = [made.positions.Job(7, secret) for secret in ("", *secrets)]
    assert len({job.rng(0).random() for job in jobs}) == 3
    assert len({job.seed("gnubg", 0) for job in jobs}) == 3
    assert [job.ask for job in jobs] == [jobs[0].ask] * 3
    assert made.private.secret_in(tmp_path / "a") == secrets[0]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="ascii")
    return path


@pytest.mark.parametrize("content", ["", " \n", "short", "x" * 4_097])
def test_secrets_that_are_none(made: SimpleNamespace, tmp_path: Path, content: str) -> None:
    with pytest.raises(made.private.SecretError, match="8 to 4,096 bytes"):
        made.private.secret_in(written(tmp_path / "secret", content))
    with pytest.raises(made.private.SecretError):
        made.private.secret_in(tmp_path / "missing")


def test_a_folder_has_one_secret(made: SimpleNamespace, tmp_path: Path, folder: Path) -> None:
    check = made.private.check
    check(tmp_path / "mine", "1" * 64)
    check(tmp_path / "mine", "1" * 64)
    assert "1" * 64 not in made.private.digest_file(tmp_path / "mine").read_text(encoding="ascii")
    for secret in ("", "2" * 64):
        with pytest.raises(made.private.SecretError, match="secret"):
            check(tmp_path / "mine", secret)
    check(folder, "")
    with pytest.raises(made.private.SecretError, match="without"):
        check(folder, "1" * 64)


def test_a_private_set(
    made: SimpleNamespace,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It begins with nothing that was published, and `bench` takes what is built of it, in the folder."""
    runs = list[tuple[Any, ...]]()
    monkeypatch.setattr(made.rollouts, "run", lambda *arguments: runs.append(arguments))
    secret = written(tmp_path / "secret", "nobody knows this")
    mine = tmp_path / "mine"
    monkeypatch.setattr(sys, "argv", ["decisions.py", "run", str(mine), "--last", "4", "--secret", str(secret)])
    made.decisions.main()
    assert runs == [(mine, 0, 4, made.private.secret_in(secret))]
    assert not (mine / "jobs").exists()
    monkeypatch.setattr(sys, "argv", ["decisions.py", "run", str(mine)])
    with pytest.raises(SystemExit):
        made.decisions.main()
    assert "--secret" in capsys.readouterr().err
    shutil.copytree(folder / "jobs", mine / "jobs")
    monkeypatch.setattr(sys, "argv", ["decisions.py", "build", str(mine)])
    made.decisions.main()
    results = arena.bench(first_play, data=mine / made.building.PACKED.name)
    assert {answer.id for answer in results.answers} == {0, 1, 2, 3, 4}


def first_play(state: MatchState) -> Event | Action:
    if state.dice:
        return Event(Action.PLAY, argument=state.legal_plays[0])
    return Action.TAKE if state.pending_double else Action.ROLL


# When it is enough ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scatter", "apart", "left"),
    [
        (0.001, 0.0, []),
        (0.024, 0.1, []),  # an error of 0.009
        (0.024, 0.02, ["a", "b"]),  # which is too much for what is close
        (0.04, 0.1, ["a", "b"]),
    ],
)
def test_errors_that_are_small_enough(made: SimpleNamespace, scatter: float, apart: float, left: list[str]) -> None:
    rows = [{"a": 0.2 + sign * scatter, "b": 0.2 - apart + sign * scatter} for sign in (1, -1) * 4]
    chunks = [*chunks_of("bgsage", *rows), *chunks_of("gnubg", *rows)]
    assert made.rollouts.unsettled(chunks, "gnubg", "play", ["a", "b"]) == left
    assert made.rollouts.unsettled(chunks[:-1], "gnubg", "play", ["a", "b"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("no_double", "take", "is_enough"),
    [
        (0.5, 0.3, True),  # the error of the take, 0.009, is small enough, and that of the difference is none
        (0.5, 0.52, True),
        (0.5, 0.99, False),  # to take and to drop is close
        (1.02, 1.3, False),  # to double and not to, if it is dropped
        (1.4, 1.5, True),
    ],
)
def test_what_is_close_of_a_cube(made: SimpleNamespace, no_double: float, take: float, *, is_enough: bool) -> None:
    rows = [{"no_double": no_double + sign * 0.024, "take": take + sign * 0.024} for sign in (1, -1) * 4]
    chunks = [*chunks_of("bgsage", *rows), *chunks_of("gnubg", *rows)]
    assert (made.rollouts.unsettled(chunks, "bgsage", "cube", ["no_double", "take"]) == []) is is_enough


@pytest.mark.parametrize(("number", "scatter", "is_hopeless"), [(74, 0.1, False), (76, 0.1, True), (76, 0.09, False)])
def test_what_no_number_of_chunks_settles(
    made: SimpleNamespace, number: int, scatter: float, *, is_hopeless: bool
) -> None:
    """After half of them, an error that may be 0.006 and would be above 0.0075: here 0.0082, and 0.0074."""
    rows = [{"a": 0.2 + sign * scatter, "b": 0.19} for sign in (1, -1) * (number // 2)]
    chunks = [*chunks_of("bgsage", *rows), *chunks_of("gnubg", *rows)]
    assert made.rollouts.is_hopeless(chunks, "gnubg", "play", ["a", "b"]) is is_hopeless


# Files of a run -------------------------------------------------------------------------------------------------------


def test_a_run_goes_on_after_the_last_whole_line(
    made: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in a line, or between two, it ends with the same file."""
    monkeypatch.setattr(made.rollouts, "decision", lambda job, panel: {"ask": "cube", "state": {}})
    monkeypatch.setattr(made.rollouts, "state_of_flat", lambda flat: None)
    monkeypatch.setattr(made.rollouts, "cpu_seconds", lambda: 0)
    panel = SimpleNamespace(names=dict)

    monkeypatch.setattr(made.rollouts, "judgment", lambda panel, state: [0, 12, 0, 3])
    monkeypatch.setattr(panel, "engine", lambda name: SimpleNamespace(name=name), raising=False)

    def chunk_of(job: Any, engine: str, number: int, state: object, names: list[str]) -> dict[str, Any]:
        equity = random.Random(f"{engine} {number}").gauss(0.98, 0.03)
        return {"engine": engine, "chunk": number, "equities": {name: [equity, 0.1] for name in names}}

    monkeypatch.setattr(made.rollouts, "chunk_of", chunk_of)
    job = made.positions.Job(4)
    path = made.rollouts.file_of(tmp_path, job)
    assert made.rollouts.work_on(tmp_path, job, panel)
    whole = path.read_bytes()
    lines = made.rollouts.whole_lines(whole)
    assert made.rollouts.is_complete(lines, job)
    assert len(lines) > 18
    assert [line["judged"] for line in lines if "judged" in line] == [[0, 12, 0, 3]]
    assert not made.rollouts.work_on(tmp_path, job, panel)
    for end in (0, 20, whole.index(b"\n"), whole.index(b"\n") + 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:end])
        assert made.rollouts.work_on(tmp_path, job, panel)
        again = made.rollouts.whole_lines(path.read_bytes())
        assert again[1:] == lines[1:]
    with path.open("r+b") as file:
        made.rollouts.fcntl.flock(file, made.rollouts.fcntl.LOCK_EX)
        assert not made.rollouts.work_on(tmp_path, job, panel)


def test_a_run_ends_where_an_engine_fails(
    made: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three times in a row; it goes on after one that failed, of which whole lines are left."""
    tried = list[int]()

    def decision(job: Any, panel: object) -> dict[str, Any]:
        tried.append(job.number)
        if job.number in {1, 3, 4, 5}:
            raise EngineStartError("gnubg: it is not here")
        return {"ask": "play", "candidates": ["8/5 6/5"], "choices": {}, "state": {}}

    monkeypatch.setattr(made.rollouts.os, "nice", lambda step: step)
    monkeypatch.setattr(made.rollouts, "judgment", lambda panel, state: [0])
    monkeypatch.setattr(made.rollouts.Panel, "engine", lambda panel, name: SimpleNamespace(name=name))
    monkeypatch.setattr(made.rollouts, "decision", decision)
    monkeypatch.setattr(made.rollouts, "state_of_flat", lambda flat: None)
    monkeypatch.setattr(made.rollouts.Panel, "names", lambda panel: {})
    with pytest.raises(SystemExit):
        made.rollouts.run(tmp_path, 0, None)
    assert tried == [0, 1, 2, 3, 4, 5]
    assert capsys.readouterr().err.count("it is not here") == 4
    assert sorted(made.building.jobs_in(tmp_path)) == [0, 2]


# What is published ----------------------------------------------------------------------------------------------------


def test_the_same_lines_make_the_same_files(folder: Path, tmp_path: Path, made: SimpleNamespace) -> None:
    """What is not yet done is not in them; and another run begins with what they have."""
    made.building.build(folder, tmp_path / "one", tmp_path / "one" / "pack.jsonl.gz")
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    made.building.build(None, tmp_path / "other", tmp_path / "other" / "pack.jsonl.gz")
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "other" / file.name).read_bytes()
    made.building.unpack(tmp_path / "one", tmp_path / "again")
    unpacked = {file.name: file.read_bytes() for file in (tmp_path / "again" / "jobs").iterdir()}
    assert unpacked == {name: (folder / "jobs" / name).read_bytes() for name in unpacked}
    assert len(unpacked) == len(made.building.jobs_in(folder)) - 1
    check_files(tmp_path / "one", made)
    header, *rows = read(tmp_path / "one" / "pack.jsonl.gz")
    assert header["sha256"] == made.building.digest_of(made.building.lines_of(rows))
    assert [len(row["losses"]) for row in rows[-1:]] == [4], "a cube has four actions"
    assert all(min(loss for loss, _ in row["losses"].values()) == 0 for row in rows)
    assert all(row.keys() <= {"id", "selected_by", "state", "losses"} for row in rows)
    summary = json.loads((tmp_path / "one" / "benchmark.json").read_text(encoding="utf-8"))
    assert [summary["files"][f"{ask}s.jsonl.gz"]["decisions"] for ask in ("play", "cube")] == [4, 1]
    assert summary["left_out"] == {"play": {}, "cube": {}}


def test_what_is_left_out_is_counted(folder: Path, tmp_path: Path, made: SimpleNamespace) -> None:
    """And all that was said of it is in the raw file."""
    wrong, unsure = (folder / "jobs" / f"{number:05}.jsonl" for number in (2, 3))
    lines = made.rollouts.whole_lines(wrong.read_bytes())
    for line in lines:
        if line.get("engine") == "gnubg":
            line["equities"]["5/1"][0] += 0.2
    wrong.write_bytes(made.building.lines_of(lines))
    few = made.rollouts.whole_lines(unsure.read_bytes())
    unsure.write_bytes(made.building.lines_of([*few[:10], few[-1]]))
    made.building.build(folder, tmp_path / "out", tmp_path / "out" / "pack.jsonl.gz")
    summary = json.loads((tmp_path / "out" / "benchmark.json").read_text(encoding="utf-8"))
    assert summary["left_out"]["play"] == {"the engines differ": [2], "the error is too large": [3]}
    assert [decision["id"] for decision in read(tmp_path / "out" / "plays.jsonl.gz")] == [0, 1]
    raw = read(tmp_path / "out" / "raw.jsonl.gz")
    assert raw[raw.index(lines[0]) :][: len(lines)] == lines
    check_files(tmp_path / "out", made)


def check_files(folder: Path, made: SimpleNamespace) -> None:
    """Published files are by their schema, say what they have, and are right about boards and losses."""
    check = jsonschema.Draft202012Validator(json.loads((BENCHMARK / "schema.json").read_text(encoding="utf-8")))
    summary = json.loads((folder / "benchmark.json").read_text(encoding="utf-8"))
    assert summary["version"] == made.positions.VERSION
    ids = set()
    for name, about in summary["files"].items():
        content = gzip.decompress((folder / name).read_bytes())
        assert made.building.digest_of(content) == about["sha256"]
        if name == made.building.RAW:
            continue
        decisions = read(folder / name)
        if name == made.building.JUDGED:
            check_judgments(decisions)
            continue
        assert len(decisions) == about["decisions"]
        for decision in decisions:
            check.validate(decision)
            assert decision["id"] not in ids
            ids.add(decision["id"])
            assert ("selected_by" in decision) is (decision["drawn"] == "disagreement")
            assert (decision["drawn"] == "race") is (name == made.building.RACES_FILE)
            check_numbers(decision, state_of_flat(decision["state"]))


def check_judgments(decisions: list[dict[str, Any]]) -> None:
    """One for each action, and the best loses nothing."""
    for decision in decisions:
        state = MatchState.from_xgid(decision["xgid"])
        judged = decision["judged"]
        assert len(judged) == (len(state.legal_plays) if state.dice else 4)
        assert min(judged[:2] if state.dice is None else judged) == 0
        assert state.dice or min(judged[2:]) == 0


def check_numbers(decision: dict[str, Any], state: MatchState) -> None:
    if "plays" not in decision:
        actions = decision["actions"]
        assert min(actions[action]["loss"] for action in ("roll", "double")) == 0
        assert min(actions[action]["loss"] for action in ("take", "drop")) == 0
        return
    every = [*decision["plays"], *decision["others"]]
    boards = {tuple(play["points"]) for play in every}
    assert boards == {tuple(play.position.flip().points) for play in state.legal_plays}
    assert len(boards) == len(every)
    losses = [play["loss"] for play in decision["plays"]]
    assert losses[0] == 0
    assert losses == sorted(losses)
    for (choice,) in decision.get("choices", {}).values():
        assert choice in {play["play"] for play in every}


def test_losses_of_a_cube(made: SimpleNamespace) -> None:
    """Too good to double, a double that is dropped, one that is taken, and none."""
    for no_double, take, expected in (
        (1.1, 1.3, [0, 0.1, 0.3, 0]),
        (0.8, 1.2, [0.2, 0, 0.2, 0]),
        (0.6, 0.7, [0.1, 0, 0, 0.3]),
        (0.4, 0.1, [0, 0.3, 0, 0.9]),
    ):
        rows = [{"no_double": no_double + sign * 0.01, "take": take + sign * 0.02} for sign in (1, -1) * 4]
        chunks = [*chunks_of("bgsage", *rows), *chunks_of("gnubg", *rows)]
        cube, apart = made.building.cube_of([{}, *chunks])
        assert [cube["actions"][action]["loss"] for action in ("roll", "double", "take", "drop")] == pytest.approx(
            expected
        )
        assert apart == 0
        assert cube["actions"]["take"]["error"] == pytest.approx(0.02 * math.sqrt(8 / 7 / 8 / 2), abs=1e-4)


def test_where_engines_differ(made: SimpleNamespace) -> None:
    """The error is half of what they differ by, and beyond three joint errors nobody knows."""
    assert made.building.mean_of((0.1, 0.003), (0.02, 0.004)) == pytest.approx((0.06, 0.04))
    assert made.building.mean_of((0.1, 0.003), (0.1, 0.004)) == pytest.approx((0.1, 0.0025))
    assert made.building.apart_by((0.02, 0.003), (0.02 - 3 * 0.006, 0.002)) == pytest.approx(3 / math.sqrt(2))
    assert made.building.apart_by((0.12, 0.003), (0.08, 0.02)) == pytest.approx(0.04 / math.hypot(0.01, 0.02))
    assert made.building.apart_by((0.82, 0.003), (0.78, 0.003)) == pytest.approx(0.04 / math.hypot(0.04, 0.04))


@pytest.mark.skipif(not (BENCHMARK / "benchmark.json").exists(), reason="no file was published yet")
def test_the_published_files(made: SimpleNamespace) -> None:
    check_files(BENCHMARK, made)
    decisions = [decision for ask in made.building.ASKS for decision in read(BENCHMARK / f"{ask}s.jsonl.gz")]
    further, races = (read(BENCHMARK / name) for name in (made.building.JUDGED, made.building.RACES_FILE))
    packed = made.building.packed(decisions, further, races)
    assert gzip.decompress(made.building.PACKED.read_bytes()) == gzip.decompress(packed)


# With engines ---------------------------------------------------------------------------------------------------------


@gnu_backgammon.is_needed
def test_a_decision_follows_from_its_number(made: SimpleNamespace) -> None:
    """The games of quick players, as the engines play them since level 1 of bgsage counts the opponent's double."""
    pytest.importorskip("bgsage", reason="there is no bgsage for this system", exc_type=ImportError)
    known = json.loads(DRAWN.read_text(encoding="ascii"))
    panel = made.positions.Panel()
    try:
        again = made.positions.decision(made.positions.Job(known["job"]), panel)
    finally:
        panel.close()
    plays = again.pop("plays")
    assert plays.keys() == known["plays"].keys()
    assert again == {key: known[key] for key in again}
    for play, numbers in plays.items():
        # GNU Backgammon's networks differ in the fifth place from processor to processor. So its look-ahead may choose
        # another reply of nearly the same worth: one loss of half a point differed by 0.005.
        assert numbers["bgsage"] == pytest.approx(known["plays"][play]["bgsage"], abs=1e-4)
        assert numbers["gnubg"] == pytest.approx(known["plays"][play]["gnubg"], abs=0.01)


@pytest.mark.long
@gnu_backgammon.is_needed
def test_rolled_out_anew_by_gnu_backgammon_itself(made: SimpleNamespace, folder: Path, tmp_path: Path) -> None:
    """At its own prompt, from an XGID, with another seed: within three joint errors."""
    compared = 0
    for number, lines in made.building.jobs_in(folder).items():
        asked, ours = lines[0], made.rollouts.samples([line for line in lines if "chunk" in line], "gnubg")
        if asked["ask"] == "cube" or not ours:
            continue
        state = state_of_flat(asked["state"])
        steps = ["next"] * (4 if state.cube.owner else 2)  # its record sets the cube, too
        gnu_backgammon.fed(
            tmp_path,
            *("set threads 1", "set display off", "set player 0 human", "set player 1 human", "set automatic roll off"),
            *("set analysis chequerplay evaluation plies 0", "set rollout trials 72", "set rollout seed 20261126"),
            *("set rollout chequerplay plies 0", "set rollout cubedecision plies 0", f"set xgid {state.xgid}"),
            *(f"move {asked['candidates'][0]}", "first game", *steps, "analyse move"),
            *("analyse rollout move 1 2 3", f"save match anew-{number}.sgf"),
        )
        analysis = [*load(tmp_path / f"anew-{number}.sgf").decisions()][-1].analysis
        assert isinstance(analysis, PlayAnalysis)
        for play in analysis.candidates:
            name = made.positions.canonical(state, play.play)
            if play.level == "rollout" and name in ours:
                mean, error = made.rollouts.mean_and_error([*ours[name].values()])
                assert play.standard_error is not None
                assert play.equity == pytest.approx(mean, abs=3 * math.hypot(error, play.standard_error)), name
                compared += 1
    assert compared >= 6
