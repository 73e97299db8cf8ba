"""Who analyzed, and how deep: which numbers may be added up, and which do not mix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from attrs import field, frozen

from gammonrules.analysis import Analysis, CubeAnalysis, Level
from gammonrules.analysis.internals import UNKNOWN, level_of_text, level_reached, trials_at_levels
from gammonrules.errors import ArgumentError
from gammonrules.records.transcript.decisions import Decision
from gammonrules.values import shown

XG: Final = "eXtreme Gammon"
_SHORT_NAMES: Final = {"gnubg": "GNU Backgammon", "xg": XG}
"""What programs call themselves whose short names do not begin so."""
_NARROWEST_FILTER: Final = 0.02
"""However few plays GNU Backgammon is to look at more deeply, those this close to the best are among them."""
_MAX_NAME_LENGTH: Final = 60


@frozen
class Evaluator:
    """An engine at one level: its numbers do not mix with those of another."""

    engine: str
    level: Level = field(converter=level_of_text)
    """`UNKNOWN` where it is not known, or mixed as in eXtreme Gammon."""


# --- engines ------------------------------------------------------------------------------------


def is_by(name: str, engine: str | None) -> bool:
    """Whether an engine is the one that was asked for: by the beginning of its name, or as `SimpleEngine.open` does."""
    if engine is None:
        return True
    return name.startswith(_SHORT_NAMES.get(engine, engine))


def mixes_levels(engine: str) -> bool:
    """Whether all levels of an engine count as one: eXtreme Gammon chooses between its levels by itself."""
    return engine == XG


def only_engine(engines: Iterable[str]) -> str:
    """The one engine with these names; "" without any. Raises ArgumentError if there are several."""
    names = list(dict.fromkeys(engines))
    if len(names) > 1:
        first, second = [_name_shown(name) if name else "an unnamed program" for name in names[:2]]
        raise ArgumentError(
            f"{first} and {second} analyzed here, whose numbers do not mix: choose one with analyzed_by="
        )
    return names[0] if names else ""


# --- levels -------------------------------------------------------------------------------------


def refuse_mixed(engine: str, levels: Iterable[Level]) -> None:
    """Raise ArgumentError if an engine looked at several levels whose numbers do not mix. Rollouts mix with any."""
    if mixes_levels(engine):
        return
    not_rollouts = [level for level in levels if not level.is_rollout]
    if len(not_rollouts) > 1:
        who = _name_shown(engine) if engine else "an unnamed program"
        first, second = [_name_shown(level.label) for level in not_rollouts[:2]]
        raise ArgumentError(
            f"{who} looked at {first} and {second}, which do not mix: choose one with analysis_level="
        )


def _name_shown(name: str) -> str:
    return shown(name, _MAX_NAME_LENGTH)


def level_of(analysis: Analysis) -> Level:
    """The level at which the best play, or the cube, was to be looked at: all `tiers` are one, as all trials are.

    So is a level of the default engine, with what it knows exactly. Which of them answered, or how many trials a
    rollout took before it ended, is in the level itself, as `level_reached`.
    """
    return level_reached(analysis).requested


def levels_asked(engine: str, analyses: Sequence[Analysis]) -> tuple[Level, ...]:
    """The levels at which an engine was asked to look, the most frequent first, and then those of rollouts.

    It may look less deep where one play is far better than the others, and where it is the only one: levels that occur
    only there do not count.
    """
    frequencies = Counter(level_of(analysis) for analysis in analyses)
    del frequencies[UNKNOWN]
    asked: set[Level] = set()
    for analysis in analyses:
        if mixes_levels(engine) or is_as_asked(analysis):
            asked.add(level_of(analysis))
    levels = [level for level in frequencies if level.is_rollout or level in asked]
    if not levels:  # no decision was close: the first level that occurs stands for what was asked
        return tuple(frequencies)[:1]
    most_frequent_first = sorted(levels, key=frequencies.__getitem__, reverse=True)
    rollouts = [level for level in most_frequent_first if level.is_rollout]
    others = [level for level in most_frequent_first if not level.is_rollout]
    return (*others, *rollouts)


def is_as_asked(analysis: Analysis) -> bool:
    """Whether an engine certainly looked as deep as it was asked to: where plays are close, it always does."""
    if isinstance(analysis, CubeAnalysis):
        return True
    if len(analysis.candidates) < 2:
        return False
    best, second = analysis.candidates[:2]
    return best.level == second.level and is_close(best.equity, second.equity)


def is_close(best: float | None, second: float | None) -> bool:
    """Whether plays of these equities are so close that GNU Backgammon looks at both as deep as it was asked to."""
    return best is not None and second is not None and best - second <= _NARROWEST_FILTER


# --- evaluators of decisions --------------------------------------------------------------------


def levels_by_engine(decisions: Iterable[Decision]) -> dict[str, tuple[Level, ...]]:
    """The engines that analyzed, each with the levels among which one must be chosen; none for eXtreme Gammon."""
    by_engine = _analyses_by_engine(decisions)
    return {engine: _levels_apart(engine, analyses) for engine, analyses in by_engine.items()}


def count_by_evaluator(decisions: Iterable[Decision]) -> Counter[Evaluator]:
    """The number of decisions of each engine at each level of `levels_by_engine`; `UNKNOWN` stands for all others."""
    numbers = Counter[Evaluator]()
    for engine, analyses in _analyses_by_engine(decisions).items():
        levels_apart = _levels_apart(engine, analyses)
        for analysis in analyses:
            level = level_of(analysis)
            if level not in levels_apart:
                level = UNKNOWN
            numbers[Evaluator(engine, level)] += 1
    return numbers


def _analyses_by_engine(decisions: Iterable[Decision]) -> dict[str, list[Analysis]]:
    by_engine: dict[str, list[Analysis]] = {}
    for decision in decisions:
        analysis = decision.analysis
        if analysis is not None:
            by_engine.setdefault(analysis.engine, []).append(analysis)
    return by_engine


def _levels_apart(engine: str, analyses: Sequence[Analysis]) -> tuple[Level, ...]:
    """The levels of an engine whose numbers do not mix."""
    if mixes_levels(engine):
        return ()
    return tuple(level for level in levels_asked(engine, analyses) if not level.is_rollout)


# --- rollouts that may end early ----------------------------------------------------------------


def trials_of(analyses: Iterable[Analysis | None]) -> Counter[str]:
    """The trials of rollouts that may end early, `used` and `requested`. A double and its answer share one."""
    return trials_at_levels(
        [level_reached(analysis) for analysis, _ in groupby(analyses) if analysis]
    )
