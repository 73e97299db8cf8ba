"""A short run of each fuzzer, always the same, so that none of them rots; for longer: `python tests/fuzz.py`."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace
from typing import Any

import pytest

import fuzz
import loop
import processes
from fuzzing import harness, json_records, readers
from fuzzing.readers import CORPUS
from gammonrules import GammonError
from move_generators import kernel

RUNS = {"records": 10, "batch": 100, "api": 40, "kernel": 10}
RUNS |= {
    "parquet": 8,
    "xg": 12,
    "bgf": 5,
    "ogxm": 4,
    "sgf": 10,
    "gnubg_text": 5,
    "xg_text": 5,
    "bgblitz_text": 10,
    "zips": 6,
    "json_records": 10,
}
"""Rounds of each target, for some tenths of a second at most."""


NEEDED = {"kernel": kernel is not None, "parquet": find_spec("pyarrow") is not None}
HERE = [name for name in RUNS if NEEDED.get(name, True)]
"""What can be run: a pure wheel has no kernel, and some systems have no pyarrow."""


def target_of(name: str) -> Any:
    return import_module(f"fuzzing.{name}")


class TestTargets:
    def test_every_target_is_run_here(self):
        assert set(RUNS) == set(fuzz.TARGETS)

    @loop.over("name", HERE)
    def test_nothing_is_found(self, name):
        report = harness.run(target_of(name), seed=2026, rounds=RUNS[name])
        assert report.rounds == RUNS[name]
        assert not report.findings, "\n".join(report.described())

    @loop.over("name", HERE)
    def test_a_round_can_be_repeated_alone(self, name):
        target, cases = target_of(name), []
        recorded = SimpleNamespace(__name__=name, case=target.case, check=cases.append)
        harness.run(recorded, seed=7, rounds=5)
        harness.run(recorded, seed=7, rounds=1, start=3)
        assert repr(cases[3]) == repr(cases[5])


class TestCorpus:
    """Inputs that take many ways through the readers; some of them once found a fault."""

    @loop.over("name", fuzz.READERS)
    def test_each_reader_has_one(self, name):
        assert len(list((CORPUS / name).iterdir())) >= 5

    def test_is_small(self):
        assert sum(path.stat().st_size for path in CORPUS.glob("*/*")) < 300_000

    @loop.over("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
    def test_nothing_is_found(self, path):
        data = path.read_bytes()
        readers.check_record(data, 100 * len(data))

    def test_keeps_what_is_new(self, monkeypatch, tmp_path):
        monkeypatch.setattr(fuzz, "CORPUS", tmp_path)
        assert (
            fuzz.keep(fuzz.options(["json_records", "--rounds", "20", "--seed", "1", "--keep", "3"]), json_records) == 0
        )
        kept = [path.read_bytes() for path in (tmp_path / "json_records").iterdir()]
        assert len(kept) == 3
        assert len({*map(readers.signature, kept)}) > 1


class TestFinding:
    """A fault is found, made smaller, and shown so that it can be pasted."""

    def fuzzer(self, check: Any) -> Any:
        return SimpleNamespace(__name__="fuzzing.made", case=lambda rng: "ab" * rng.randint(3, 9) + "!", check=check)

    def test_the_case_is_made_smaller(self):
        def check(case: str) -> None:
            assert "!" not in case

        report = harness.run(self.fuzzer(check), seed=1, rounds=3)
        (finding,) = report.findings
        assert (finding.case, finding.number, report.rounds) == ("!", 0, 3)
        shown = "\n".join(report.described())
        assert "made.check('!')" in shown
        assert "tests/fuzz.py made --seed 1 --start 0 --rounds 1" in shown

    def test_what_is_slow_every_time(self):
        def check(case: str) -> None:
            with harness.within(0.001):
                end = time.thread_time() + 0.002
                while time.thread_time() < end:
                    pass

        report = harness.run(self.fuzzer(check), seed=1, rounds=1)
        assert [finding.where[0].split()[0] for finding in report.findings] == ["SlowError"]

    @pytest.mark.skipif(sys.platform == "win32", reason="no clock of processor time can interrupt here")
    def test_what_does_not_end(self, monkeypatch):
        monkeypatch.setattr(harness, "STUCK", 0.05)

        def check(case: str) -> None:
            while True:
                pass

        report = harness.run(self.fuzzer(check), seed=1, rounds=1)
        assert [finding.where[0] for finding in report.findings] == ["StuckError"]

    @loop.rows("text", "", "x" * 301, "two\nlines", "\x1b[31m", "\ud800")
    def test_a_message_that_is_no_good(self, text):
        with pytest.raises(AssertionError):
            harness.attempt(lambda: (_ for _ in ()).throw(GammonError(text)))

    def test_an_error_that_is_not_of_the_library(self):
        with pytest.raises(KeyError):
            harness.attempt(lambda: {}["no"])


RECORD = "5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: "
RECORD_FILE = (RECORD + "8/5 6/5").encode()
BOARD = [0] * 6 + [2] + [0] * 18 + [1]
BROKEN = (
    ("records", RECORD_FILE, "fuzzing.records.dumps", lambda _: RECORD + "24/23 24/21"),
    (
        "batch",
        ("pip_counts", [BOARD], "i1", "C", [[3, 1]], "i1", "C"),
        "gammonrules.board.position.Position.pip_count",
        0,
    ),
    ("api", ("MatchState.new(3)",), "gammonrules.match.MatchState.legal_actions", frozenset({"double"})),
    ("gnubg_text", RECORD_FILE, "fuzzing.readers.loads_all", lambda _: {}["no"]),
    ("gnubg_text", RECORD_FILE, "gammonrules.records.transcript.matches.Game.states", lambda _: iter(())),
    ("zips", b"PK\5\6" + bytes(18), "fuzzing.zips.scan", lambda *_, **__: ()),
    ("json_records", ("text", b"{}"), "fuzzing.json_records.json.loads", lambda *_: {}["no"]),
    ("kernel", 1, "gammonrules.board.pure.legal_plays", lambda _board, _high, _low: []),
)
"""A target, a case, what is broken, and what stands in its place then."""


class TestOracles:
    """Each target notices when what it checks is broken."""

    @pytest.mark.parametrize(("name", "case", "broken", "by"), BROKEN, ids=[f"{row[0]}-{row[2]}" for row in BROKEN])
    def test_a_broken_promise_is_a_finding(self, monkeypatch, name, case, broken, by):
        if not NEEDED.get(name, True):
            pytest.skip(f"there is no {name}")
        target = target_of(name)
        assert harness.failing(target, case)[0] is None
        monkeypatch.setattr(broken, by)
        assert harness.failing(target, case)[0] is not None


class TestCommand:
    @pytest.mark.long
    def test_one_target(self):
        done = processes.run(sys.executable, fuzz.__file__, "xg", "--rounds", "5", "--seed", "7")
        assert "5 executions" in done.stdout
        assert done.stdout.rstrip().endswith("seed 7, 0 findings")

    @pytest.mark.skipif(kernel is None, reason="the compiled kernel was not built, for want of a C compiler")
    @pytest.mark.long
    def test_all_targets(self):
        arguments = "all", "--rounds", "1", "--seed", "2026"
        done = processes.run(sys.executable, fuzz.__file__, *arguments, seconds=900, megabytes=fuzz.MEGABYTES)
        assert [line.split()[0] for line in done.stdout.splitlines()] == list(fuzz.TARGETS)
