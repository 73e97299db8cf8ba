"""The engine that a process keeps while it analyzes records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from attrs import Factory, define

from gammonrules import records
from gammonrules._shared.work import Kept
from gammonrules.match import MatchState
from gammonrules.records import Decision, Match

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.engine import Rollout, SimpleEngine

Settings: TypeAlias = "tuple[str, int, Rollout | None]"
"""The name of an engine, its level, and how it rolls out."""
Only: TypeAlias = Callable[[Decision], bool]
_MOST_CACHED = 10_000


@define(eq=False)
class CachedAnalyzer:
    """An engine with the answers that it has given."""

    engine: SimpleEngine
    cache: dict[object, object] = Factory(dict[object, object])

    @classmethod
    def opened(cls, settings: Settings) -> CachedAnalyzer:
        """Raises EngineError and ArgumentError."""
        from gammonrules.engine import SimpleEngine  # noqa: PLC0415

        return cls(SimpleEngine.open(*settings))

    def analyzed(self, match: Match, unknown: Counter[str], only: Only | None = None) -> Match:
        """The match with analyses; the reasons why decisions have none are counted."""
        if len(self.cache) > _MOST_CACHED:
            self.cache.clear()

        def count(_state: MatchState, why: str | None) -> None:
            unknown.update([why] if why else [])

        return records.analyze(match, self.engine, only=only, cache=self.cache, progress=count)

    def close(self) -> None:
        self.engine.close()


def why_none(match: Match, unknown: Counter[str]) -> str:
    """Why no decision of a match was analyzed, if there are some, by the reasons that were counted; else ""."""
    is_analyzed = any(game.pending_analysis or any(game.analyses) for game in match.games)
    return "" if is_analyzed or not unknown else f"no decision could be analyzed: {unknown.most_common(1)[0][0]}"


analyzers = Kept(CachedAnalyzer.opened)
