"""What a distribution is tested without: a few tests, each of which is there."""

from __future__ import annotations

import left_out


def test_names_are_those_of_tests(all_tests: list[str]) -> None:
    """In the files that were collected; there are no more than these."""
    named = [name for tests, _ in left_out.NEEDS.values() for name in tests]
    assert (len(named), len({*named})) == (29, 29)
    collected = {name.removeprefix("tests/") for name in all_tests}
    files = {name.partition("::")[0] for name in collected}
    without_tests = {
        name
        for name in named
        if name.partition("::")[0] in files and not any(test.startswith(name) for test in collected)
    }
    assert without_tests == set()
