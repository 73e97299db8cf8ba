"""What travels with an error from another process."""

from __future__ import annotations

import concurrent.futures
import multiprocessing

from test_errors import RAISED, raised


def fails(name: str) -> None:
    """In another process."""
    RAISED[name]()


def test_they_come_back_from_other_processes():
    """By `concurrent.futures` and `multiprocessing`, which send them as they are."""
    spawn = multiprocessing.get_context("spawn")
    with spawn.Pool(1) as pool, concurrent.futures.ProcessPoolExecutor(1, spawn) as executor:
        for name, action in RAISED.items():
            error = raised(action)
            for ask in (lambda: pool.apply(fails, [name]), lambda: executor.submit(fails, name).result()):  # noqa: B023
                other = raised(ask)
                assert type(other) is type(error)
                assert str(other) == str(error)
                assert vars(other).keys() >= vars(error).keys()
                assert getattr(other, "reason", None) == getattr(error, "reason", None)
                assert getattr(other, "problems", None) == getattr(error, "problems", None)
