"""`register_records`, which Hypothesis calls when it is imported, so that it can draw the types of records."""

from __future__ import annotations

from typing import Any

from gammonrules._hypothesis import MakesStrategy, register_types
from gammonrules.match import Player
from gammonrules.records.archive import COLUMNS, Column, ExportSummary, ScanEntry
from gammonrules.records.transcript import (
    Decision,
    ErrorRate,
    ErrorSummary,
    Finding,
    FindingKind,
    Game,
    Match,
    RecordedResult,
    Severity,
)


def _any_findings(st: Any, _: Any) -> Any:
    numbers = st.none() | st.integers(1, 99)
    severities = st.sampled_from(Severity)
    kinds = st.sampled_from(FindingKind)
    return st.builds(
        Finding, severities, kinds, numbers, numbers, st.text(max_size=200), st.text(min_size=1)
    )


def _statements(st: Any, _: Any) -> Any:
    numbers = st.none() | st.integers(1, 99)
    return st.builds(
        RecordedResult,
        st.none() | st.sampled_from(Player),
        numbers,
        st.booleans(),
        st.text(),
        numbers,
    )


def _scanned(st: Any, strategies: Any) -> Any:
    texts = st.text(min_size=1)
    read = st.builds(
        ScanEntry, texts, strategies.matches(), st.none(), st.booleans(), st.just("mat")
    )
    refused = st.builds(ScanEntry, texts, st.none(), texts, st.booleans())
    return read | refused


# As in `gammonrules._hypothesis`.
_STRATEGIES: dict[type, MakesStrategy] = {
    Column: lambda st, _: st.sampled_from(COLUMNS),
    Decision: lambda st, strategies: (
        strategies.records().map(Match.decisions).map(list).flatmap(st.sampled_from)
    ),
    ErrorRate: lambda st, _: st.builds(ErrorRate, st.integers(0, 10**6), st.floats(0, 10**6)),
    ErrorSummary: lambda st, _: st.builds(ErrorSummary, st.integers(0, 10**6), st.floats(0, 10**6)),
    ExportSummary: lambda st, _: st.builds(
        ExportSummary, st.integers(0, 10**9), st.integers(0, 10**6), st.integers(0, 10**6)
    ),
    Finding: _any_findings,
    Game: lambda _, strategies: strategies.games(),
    Match: lambda _, strategies: strategies.records(),
    ScanEntry: _scanned,
    RecordedResult: _statements,
}


def register_records() -> None:
    """Register the types of records with Hypothesis."""
    register_types(_STRATEGIES)
