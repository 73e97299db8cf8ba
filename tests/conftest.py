"""Options and Hypothesis profiles of the test suite."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

# Machines that run tests are often busy: a slow example is no failure. `--hypothesis-profile thorough` digs deeper.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", settings.get_profile("default"), max_examples=3000)
settings.load_profile("default")

CASES_PER_TEST = 1000


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("gammonrules")
    group.addoption(
        "--every-small-board",
        action="store_true",
        help="both twins against the brute force on all 107,252 boards with at most two checkers a side, 21 rolls each",
    )
    group.addoption(
        "--every-perft",
        action="store_true",
        help="every number of data/perft.jsonl by both twins, and by the brute force what fits into memory (3 GB)",
    )
    group.addoption(
        "--cases",
        type=int,
        default=4000,
        metavar="N",
        help="random (position, roll) cases in which the package must agree with the brute force (default: 4000)",
    )
    group.addoption("--seed", type=int, default=2024, metavar="S", help="seed of these cases (default: 2024)")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cut the `--cases` into tests of a thousand, each with a seed of its own, so that they can run side by side."""
    if "portion" not in metafunc.fixturenames:
        return
    cases, seed = metafunc.config.getoption("--cases"), metafunc.config.getoption("--seed")
    portions = [
        (f"{seed}/{index}", min(CASES_PER_TEST, cases - start))
        for index, start in enumerate(range(0, cases, CASES_PER_TEST))
    ]
    metafunc.parametrize("portion", portions, ids=[name for name, _ in portions])
