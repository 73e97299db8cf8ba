"""`Run`: who calls a function for many items in the place of our own processes, such as a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from gammonrules.errors import ArgumentError
from gammonrules.values import shown

Item = TypeVar("Item")
Result = TypeVar("Result")


class Run(Protocol):
    """Calls a function for each item, as `map` does, and gives the results in the order of the items.

    `arena.play`, `batch.rollout` and `analyze_files` take one, with which a cluster works in the place of processes of
    this machine; `jobs` does not matter then. The function, the items and the results can be pickled. An item is made
    when it is taken: take a few more than there are workers, and memory stays small. What `run` raises passes through
    to the caller. If it is a generator function, its generator is closed as soon as no more results are needed.

    Examples:
        >>> from functools import partial
        >>> from gammonrules.engine import SimpleEngine
        >>> from gammonrules.records import Run, analyze_files
        >>> def one_by_one(function, items):
        ...     for number, item in enumerate(items, 1):
        ...         print("file", number)
        ...         yield function(item)  # a cluster does this elsewhere
        >>> run: Run = one_by_one
        >>> path = "examples/matches/galaxy/match9806622.txt"
        >>> bgsage = partial(SimpleEngine.bgsage, level=1)
        >>> [entry] = analyze_files(path, engine=bgsage, run=run)
        file 1
        >>> entry.match.error_rates()[0].decisions
        5
    """

    def __call__(
        self, function: Callable[[Item], Result], items: Iterable[Item], /
    ) -> Iterable[Result]:
        """The result for each item, in order."""
        raise NotImplementedError


def results_of_run(
    run: Run, function: Callable[[Item], Result], items: Iterable[Item]
) -> Generator[Result]:
    """The results of a run, which ends where they are not taken to the end.

    Raises ArgumentError if there is not a result for each item.
    """
    remaining = iter(items)
    begun = 0
    finished = 0

    def counted_items() -> Iterator[Item]:
        nonlocal begun
        for item in remaining:
            begun += 1
            yield item

    results: object = run(function, counted_items())
    if not isinstance(results, Iterable):
        raise ArgumentError(f"run must return an iterable of results, not {shown(results, 60)}")
    try:
        for result in results:
            finished += 1
            if finished > begun:
                raise ArgumentError("run returned a result for an item that it has not taken")
            yield result
    finally:
        if isinstance(results, Generator):
            results.close()
    not_taken = len([*islice(remaining, 1)])
    if finished < begun + not_taken:
        raise ArgumentError("run returned fewer results than it was given items")
