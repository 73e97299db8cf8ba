"""`Pool`: several engines that share the questions about many states."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Self, TypeVar

from gammonrules.engine._simple_engine import SimpleEngine
from gammonrules.errors import EngineTerminatedError
from gammonrules.problems import whole_argument

_Asked = TypeVar("_Asked")
_Found = TypeVar("_Found")

_MOST_ENGINES = 256
_AHEAD = 4
"""How many questions per engine may be begun before their answers are taken."""


class Pool:
    """Several engines of the same kind, for many questions.

    Use it in a `with` block, or call `close`.

    Args:
        start: starts an engine.
        size: how many there are at most; None (the default) for one per processor.

    Raises:
        ArgumentError: `size` is not a whole number from 1 to 256.

    Examples:
        >>> from functools import partial
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import Pool, SimpleEngine
        >>> start = MatchState.new(7)
        >>> states = [start.opening_roll(3, 1), start.opening_roll(6, 5)]
        >>> with Pool(SimpleEngine.bgsage, size=2) as pool:
        ...     [str(event.argument) for event in pool.map(SimpleEngine.decide, states)]
        ['8/5 6/5', '24/13']
    """

    def __init__(self, start: Callable[[], SimpleEngine], size: int | None = None) -> None:
        self._size = whole_argument("size", os.cpu_count() or 1 if size is None else size, 1, _MOST_ENGINES)
        self._start = start
        self._threads = ThreadPoolExecutor(self._size, "gammonrules-engine")
        self._own = threading.local()
        self._engines: list[SimpleEngine] = []

    def map(self, question: Callable[[SimpleEngine, _Asked], _Found], asked: Iterable[_Asked]) -> Generator[_Found]:
        """The answers to a question about many states, in their order.

        Only some questions are asked ahead of the answers that are taken, so there may be any number of them. An engine
        that ends is replaced, and its question is asked once more.

        Args:
            question: a method of `SimpleEngine`, such as `SimpleEngine.evaluate`, or any function of an engine and one
                of the things asked about; it runs in a thread.
            asked: the states, or what `question` takes.

        Raises:
            GammonError: what the question raises, when its turn comes.
        """
        answers: deque[Future[_Found]] = deque()
        try:
            for one in asked:
                answers.append(self._threads.submit(self._ask, question, one))
                if len(answers) >= _AHEAD * self._size:
                    yield answers.popleft().result()
            while answers:
                yield answers.popleft().result()
        finally:
            for answer in answers:
                answer.cancel()

    def _ask(self, question: Callable[[SimpleEngine, _Asked], _Found], one: _Asked) -> _Found:
        try:
            return question(self._engine(), one)
        except EngineTerminatedError:
            return question(self._engine(), one)

    def _engine(self) -> SimpleEngine:
        """The engine of this thread, started anew if it has ended."""
        engine: SimpleEngine | None = getattr(self._own, "engine", None)
        if engine is None or not engine.is_open:
            engine = self._own.engine = self._start()
            self._engines.append(engine)
        return engine

    def close(self) -> None:
        """End all engines. Nothing of them is left afterward."""
        for engine in self._engines:
            engine.kill()
        self._threads.shutdown(cancel_futures=True)
        for engine in self._engines:
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
