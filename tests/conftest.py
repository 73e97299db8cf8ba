"""Options and Hypothesis profiles of the test suite."""

from __future__ import annotations

import gc
import os
import sys
from collections import Counter
from collections.abc import Generator
from contextlib import suppress
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import HealthCheck, Phase, settings

import each
import left_out
import rule_table

# Machines that run tests are often busy: a slow example is not a failure. What fails is told at once, as it was drawn;
# `--lf --hypothesis-profile thorough` digs deeper, and makes it small. (Hypothesis takes what it has kept for small.)
settings.register_profile(
    "default",
    max_examples=20,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.target),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", settings.get_profile("default"), max_examples=1000, phases=set(Phase) - {Phase.reuse}
)
settings.register_profile("fewer", settings.get_profile("default"), max_examples=12)
# mutmut runs tests in a process that has run them before, with other objects of the same classes.
settings.register_profile(
    "mutation",
    settings.get_profile("default"),
    max_examples=35,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    database=None,
)
settings.load_profile("default")

# Without bytecode, each of the hundreds of programs that tests start would compile the package again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Until all tests are collected; see `pytest_collection_finish`.
gc.disable()

AT_A_TIME = {"portion": 1000, "steps": 500}
"""How much one test does of what an option asks for in total."""


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gammonrules")
    group.addoption(
        "--every-small-board",
        action="store_true",
        help="both generators and the brute force on all 107,252 boards with at most two checkers a side, all rolls",
    )
    group.addoption(
        "--every-perft",
        action="store_true",
        help="every number of data/perft.jsonl by both generators, and by the brute force what fits into memory (3 GB)",
    )
    group.addoption(
        "--cases",
        type=int,
        default=800,
        metavar="N",
        help="random (position, roll) cases in which the package must agree with the brute force (default: 800)",
    )
    group.addoption(
        "--actions",
        type=int,
        default=500,
        metavar="N",
        help="random actions in matches under all rules; everything must hold after each of them (default: 500)",
    )
    group.addoption("--seed", type=int, default=2024, metavar="S", help="seed of both (default: 2024)")


def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis reads no constants in the sources, which takes seconds in each process, unless a profile is named."""
    if not config.getoption("--hypothesis-profile"):
        with suppress(ImportError):
            import_module("hypothesis.internal.conjecture.providers").is_local_module_file = lambda _: False


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cut `--cases` and `--actions` into tests, each with a seed of its own, so that they can run side by side."""
    for fixture, option in (("portion", "--cases"), ("steps", "--actions")):
        if fixture in metafunc.fixturenames:
            total, seed, size = (
                metafunc.config.getoption(option),
                metafunc.config.getoption("--seed"),
                AT_A_TIME[fixture],
            )
            parts = [(f"{seed}/{part}", min(size, total - start)) for part, start in enumerate(range(0, total, size))]
            metafunc.parametrize(fixture, parts, ids=[name for name, _ in parts])


Facts: TypeAlias = dict[str, dict[str, Any]]
"""What is known of tests beside their outcome, by their names."""

COLLECTED = pytest.StashKey[list[str]]()
"""The names of all tests that were collected, also of those that are left out."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[COLLECTED] = [item.nodeid for item in items]
    for item in items:
        for what in left_out.missing(item.nodeid):
            item.add_marker(pytest.mark.skip(reason=f"needs {what}, see left_out.py"))


RULES = frozenset({"batch", "board", "match", "test_dice.py", "test_laws.py", "test_rules.py"})
"""Where rules of the game are proven; elsewhere fewer examples of a property will do."""


def pytest_collectstart(collector: pytest.Collector) -> None:
    """A property takes the profile that is loaded when its file is imported, which makes its parameters, too."""
    each.has_long = not collector.config.option.markexpr.startswith("not long")
    if isinstance(collector, pytest.Module) and not collector.config.getoption("--hypothesis-profile"):
        place = collector.path.relative_to(Path(__file__).parent).parts[0]
        settings.load_profile("default" if place in RULES else "fewer")


@pytest.fixture(scope="session")
def all_tests(pytestconfig: pytest.Config) -> list[str]:
    return pytestconfig.stash[COLLECTED]


@pytest.fixture
def few_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several processes work on a few small items too, where they are asked for."""
    monkeypatch.setattr("gammonrules._shared.work.process_pool._FEW", 0)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Whatever has been imported and collected stays: it need not be looked through for garbage again and again."""
    settings.load_profile(session.config.getoption("--hypothesis-profile") or "default")
    gc.freeze()
    gc.set_threshold(200_000)
    gc.enable()


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, or of a test of many cases; of any other, itself."""
    if not hasattr(error, "exceptions"):
        return [error]
    return list(chain.from_iterable(map(leaves, error.exceptions)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo[None]) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """What the end of the output needs of a failure goes with its report, which may come from another process."""
    report = yield
    if report.failed and call.excinfo is not None:
        errors = leaves(call.excinfo.value)
        asserted = any(isinstance(error, AssertionError | pytest.fail.Exception) for error in errors)
        report.user_properties.append(("asserted", asserted))
        if turns := [error.turn for error in errors if hasattr(error, "turn")]:
            position, dice = turns[0]
            report.user_properties.append(("turn", ([*position.points], position.checkers, [*dice])))
    return report


class Failures:
    """Prints a failure when it happens, in whatever process, and the rules that are likeliest to be wrong by then."""

    MAX_JUDGED = 50
    """After so many failures, the end of the output is soon enough for the rules."""

    def __init__(self, terminalreporter: pytest.TerminalReporter) -> None:
        self._terminal = terminalreporter
        self._number = 0
        self._likeliest = list[str]()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.failed:
            return
        self._terminal.write_line(f"\nFAILED {report.nodeid}", red=True)
        if self._number < self.MAX_JUDGED and any(row.proofs_in([report.nodeid]) for row in rule_table.rows()):
            self._number += 1
            rules = list[str]()
            with suppress(Exception):  # it needs rules, too
                rules = broken_rules(*facts_of_tests(self._terminal))
            likeliest = [rule.rpartition(" (")[0] for rule in rules[:2]]
            if likeliest != self._likeliest:
                self._likeliest = likeliest
                self._terminal.write_line("  the wrong rule may be: " + "\n                     or: ".join(likeliest))


@pytest.hookimpl(trylast=True, specname="pytest_configure")
def pytest_print_failures(config: pytest.Config) -> None:
    terminalreporter = config.pluginmanager.getplugin("terminalreporter")
    if terminalreporter is not None:  # in the processes of xdist there is none
        config.pluginmanager.register(Failures(terminalreporter))


def facts_of_tests(terminalreporter: pytest.TerminalReporter) -> tuple[Facts, Facts]:
    """Those of the tests that have failed, and of those that have passed."""
    failed, passed = (
        {
            report.nodeid: dict(report.user_properties)
            for report in terminalreporter.getreports(outcome)
            if report.when not in {"setup", "teardown"}  # of a process that crashed, "???"
        }
        for outcome in ("failed", "passed")
    )
    return failed, passed


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Which rule may be wrong, what tests tell, and a count of the random actions in all of them, in all processes."""
    failed, passed = facts_of_tests(terminalreporter)
    tell_what_is_wrong(terminalreporter, failed, passed)
    counts: Counter[str] = Counter()
    for facts in (*passed.values(), *failed.values()):
        counts.update(facts.get("random actions", {}))
        if "told" in facts:
            terminalreporter.write_line(facts["told"])
    if counts:
        actions = counts.pop("actions")
        listed = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
        terminalreporter.write_line(f"{actions} random actions at the table: {listed}")


def turns_of(failed: Facts) -> list[rule_table.Turn]:
    """Those on which the laws failed."""
    return [facts["turn"] for _, facts in sorted(failed.items()) if "turn" in facts]


def broken_rules(failed: Facts, passed: Facts) -> list[str]:
    asserted = [name for name, facts in failed.items() if facts.get("asserted")]
    return rule_table.broken(failed, passed, asserted=asserted, turns=turns_of(failed))


def tell_what_is_wrong(terminalreporter: pytest.TerminalReporter, failed: Facts, passed: Facts) -> None:
    """The rules whose proofs failed, and which generator of plays differs from the others."""
    if broken := broken_rules(failed, passed):
        terminalreporter.section("rules of the game whose proofs failed")
        terminalreporter.write("\n".join(broken) + "\n")
    if turns := turns_of(failed):
        from move_generators import compared  # noqa: PLC0415 - which takes longer to import than all of this

        terminalreporter.write_line(compared(turns))
