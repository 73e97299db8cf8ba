"""`MapFunction`: a function like `map` that works in the place of our own processes, for example on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from gammonrules.errors import ArgumentError
from gammonrules.values import shown

Item = TypeVar("Item")
Result = TypeVar("Result")


class MapFunction(Protocol):
    """Calls a function for each item, as `map` does, and returns the results in the order of the items.

    `arena.play`, `batch.rollout` and `analyze_files` accept one as `workers`: then a cluster works in the place of
    processes on this machine. The function, the items and the results can be pickled. Each item is made when it is
    requested: request only a few more than there are workers, and memory stays small. Exceptions of a map function
    pass through to the caller. A generator is closed as soon as no more results are needed.

    Examples:
        >>> from functools import partial
        >>> from gammonrules.engine import SimpleEngine
        >>> from gammonrules.records import MapFunction, analyze_files
        >>> def one_by_one(function, items):
        ...     for number, item in enumerate(items, 1):
        ...         print("file", number)
        ...         yield function(item)  # a cluster does this elsewhere
        >>> workers: MapFunction = one_by_one
        >>> path = "examples/matches/galaxy/match9806622.txt"
        >>> bgsage = partial(SimpleEngine.bgsage, level=1)
        >>> [entry] = analyze_files(path, engine=bgsage, workers=workers)
        file 1
        >>> entry.match.error_rates()[0].decisions
        5
    """

    def __call__(
        self, function: Callable[[Item], Result], items: Iterable[Item], /
    ) -> Iterable[Result]:
        """The result for each item, in order."""
        raise NotImplementedError


def results_of_map(
    map_function: MapFunction, function: Callable[[Item], Result], items: Iterable[Item]
) -> Generator[Result]:
    """The results of a map function, which is ended if the caller stops early.

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

    results: object = map_function(function, counted_items())
    if not isinstance(results, Iterable):
        raise ArgumentError(
            f"workers: the function must return an iterable of results, not {shown(results, 60)}"
        )
    try:
        for result in results:
            finished += 1
            if finished > begun:
                raise ArgumentError(
                    "workers: the function returned a result for an item that it has not requested"
                )
            yield result
    finally:
        if isinstance(results, Generator):
            results.close()
    not_taken = len([*islice(remaining, 1)])
    if finished < begun + not_taken:
        raise ArgumentError("workers: the function returned fewer results than items")
