"""One test for many cases: it tries them all, and fails with the name of each case that is wrong.

It is for cases that share everything but their values; `pytest.mark.parametrize` is for those that need something of
their own: a fresh fixture such as `tmp_path`, a mark, a process, or a name that a page cites. `rows` takes cases that
are written down, `over` those that are made.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any
from unittest.util import safe_repr

import pytest

MAX_NAME_LENGTH = 200


class WrongCases(pytest.fail.Exception):
    """Cases that are wrong, with the error of each, as an `ExceptionGroup` has them."""

    def __init__(self, message: str, exceptions: list[BaseException]) -> None:
        super().__init__(message)
        self.exceptions = exceptions


def over(
    names: str | tuple[str, ...],
    cases: Iterable[Any] | Callable[[], Iterable[Any]],
    *,
    ids: Callable[[Any], str] = safe_repr,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each of these cases, as `pytest.mark.parametrize` would.

    A function makes them when the test runs: every process collects all tests, and runs some.
    """
    keys = re.findall(r"\w+", names) if isinstance(names, str) else list(names)
    make = functools.partial(list, list(cases)) if isinstance(cases, Iterable) else cases

    def looped(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def loop(*arguments: Any, **others: Any) -> None:
            wrong, errors, values = list[str](), list[BaseException](), list(make())
            for number, case in enumerate(values):
                try:
                    test(*arguments, **dict(zip(keys, [case] if len(keys) == 1 else case, strict=True)), **others)
                except (Exception, pytest.fail.Exception, pytest.skip.Exception) as error:  # noqa: BLE001
                    wrong.append(f"case {number}, {ids(case)[:MAX_NAME_LENGTH]}: {type(error).__name__}: {error}")
                    errors.append(error)
            if wrong:
                raise WrongCases("\n".join([f"{len(wrong)} of {len(values)} cases are wrong:", *wrong]), errors)
            assert values, "no cases"

        signature = inspect.signature(test)
        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        assert len(fixtures) == len(signature.parameters) - len(keys), f"{test.__name__} does not take {names}"
        loop.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return loop

    return looped


def rows(names: str | tuple[str, ...], *cases: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call the test with each of these cases, which are written one below the other."""
    return over(names, cases)
