"""`Engine`, the asynchronous form of a `SimpleEngine`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Self, TypeVar

from gammonrules._shared.forks import call_in_forks
from gammonrules.analysis import Candidate, CubeAnalysis
from gammonrules.board import PlayLike
from gammonrules.dice import Dice
from gammonrules.engine._driver import Driver
from gammonrules.engine._engine_base import EngineBase
from gammonrules.engine._evaluation import Evaluation
from gammonrules.engine._hint import Hint
from gammonrules.engine._simple_engine import SimpleEngine
from gammonrules.errors import EngineTerminatedError
from gammonrules.match import Action, Event, MatchState
from gammonrules.match.internals import ActionName

_Answer = TypeVar("_Answer")


class Engine(EngineBase):
    """An engine for `async` programs: `async with Engine.gnubg(level=3) as gnubg`, which starts and ends it.

    It answers what `SimpleEngine` does, with the same arguments and errors, and lets other tasks run meanwhile. Several
    tasks may ask it; they wait for each other. If a task is canceled while the engine works for it, the engine is
    ended: nothing else can interrupt it.

    Attributes:
        name: the program and its version, as far as it says.
        level: how deep it looks, such as "2-ply".

    Examples:
        >>> import asyncio
        >>> from gammonrules import MatchState
        >>> from gammonrules.engine import Engine
        >>> async def first_play(state):
        ...     async with Engine.bgsage() as bgsage:
        ...         return await bgsage.decide(state)
        >>> state = MatchState.new(7).opening_roll(white=3, black=1)
        >>> str(asyncio.run(first_play(state)).argument)
        '8/5 6/5'
    """

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver)
        self._engine: SimpleEngine | None = None
        self._lock = asyncio.Lock()
        self._thread: ThreadPoolExecutor | None = None
        call_in_forks(self, Engine._take_another_thread)

    def _take_another_thread(self) -> None:
        """In a fork, where the thread of the engine is not, take another one."""
        self._lock = asyncio.Lock()
        self._thread = None if self._engine is None else _one_thread()

    async def decide(self, state: MatchState, *, timeout: float | None = None) -> Event | Action:
        """What the engine does as the player who is to act; as `SimpleEngine.decide`."""
        return await self._ask(lambda engine: engine.decide(state, timeout=timeout))

    async def candidates(
        self,
        state: MatchState,
        limit: int | None = None,
        *,
        also: Sequence[PlayLike] = (),
        timeout: float | None = None,
    ) -> tuple[Candidate, ...]:
        """The plays of a roll with equity and chances, best first; as `SimpleEngine.candidates`."""
        return await self._ask(
            lambda engine: engine.candidates(state, limit, also=also, timeout=timeout)
        )

    async def cube_analysis(
        self,
        state: MatchState,
        *,
        also: Collection[Action | ActionName] = (),
        timeout: float | None = None,
    ) -> CubeAnalysis:
        """The equities of doubling, and so the verdict; as `SimpleEngine.cube_analysis`."""
        return await self._ask(
            lambda engine: engine.cube_analysis(state, also=also, timeout=timeout)
        )

    async def evaluate(self, state: MatchState, *, timeout: float | None = None) -> Evaluation:
        """What the state is worth to the player who is to act, before the roll; as `SimpleEngine.evaluate`."""
        return await self._ask(lambda engine: engine.evaluate(state, timeout=timeout))

    async def roll_equities(
        self, state: MatchState, *, timeout: float | None = None
    ) -> Mapping[Dice, float]:
        """The equity of each of the 21 rolls if it is played well; as `SimpleEngine.roll_equities`."""
        return await self._ask(lambda engine: engine.roll_equities(state, timeout=timeout))

    async def hint(
        self, state: MatchState, limit: int = 10, *, timeout: float | None = None
    ) -> Hint:
        """What the engine would do, and why, as a board with a table; as `SimpleEngine.hint`."""
        return await self._ask(lambda engine: engine.hint(state, limit, timeout=timeout))

    async def analyze_sgf(
        self, state: MatchState, sgf: str, *, timeout: float | None = None
    ) -> str:
        """A game in SGF, with the analysis that the engine makes of all of it; as `SimpleEngine.analyze_sgf`."""
        return await self._ask(lambda engine: engine.analyze_sgf(state, sgf, timeout=timeout))

    async def _ask(self, question: Callable[[SimpleEngine], _Answer]) -> _Answer:
        async with self._lock:
            if self._engine is None:
                raise EngineTerminatedError(f"{self.name}: it runs only in an async with block")
            return await self._in_thread(partial(question, self._engine))

    async def _in_thread(self, work: Callable[[], _Answer]) -> _Answer:
        """The result of work in the thread of this engine. After a cancellation the work has ended, too."""
        future = asyncio.get_running_loop().run_in_executor(self._thread, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            # without its engine the work ends at once, with an error that the cancellation replaces
            (self._driver if self._engine is None else self._engine).kill()
            _ = await asyncio.gather(future, return_exceptions=True)
            raise

    async def __aenter__(self) -> Self:
        self._thread = _one_thread()
        try:
            self._engine = await self._in_thread(partial(SimpleEngine, self._driver))
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the engine. Nothing of it is left afterward; closing it again does nothing."""
        engine = self._engine
        thread = self._thread
        self._engine = None
        self._thread = None
        if thread is None:
            return
        # where the engine did not start, there is only its driver to close
        close = self._driver.close if engine is None else engine.close
        await asyncio.get_running_loop().run_in_executor(thread, close)
        thread.shutdown()

    def __repr__(self) -> str:
        closed = ", closed" if self._engine is None else ""
        return f"<Engine {self.name}, {self.level}{closed}>"


def _one_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "gammonrules-engine")
