"""The values of the columns of the tables of decisions and of candidates, for the parts of games that are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, TypeAlias

from gammonrules._shared.forks import cached_property
from gammonrules.analysis import Candidate, PlayAnalysis
from gammonrules.match import Player
from gammonrules.records.archive.decision_rows import GamePart, Seat
from gammonrules.records.archive.decision_table import FILLED_COLUMNS, FilledColumn, Table
from gammonrules.records.transcript import AnalyzedDecision

Columns: TypeAlias = list[list[Any]]
"""The values of each column of a table, in order."""


def columns_of(
    parts: Sequence[GamePart], tables: Iterable[Table] = ("decisions",)
) -> dict[Table, Columns]:
    """The values of tables for decisions of a match."""
    filler = _Filler(parts)
    columns: dict[Table, Columns] = {}
    for table in tables:
        values_of = filler.of_decisions if table == "decisions" else filler.of_candidates
        columns[table] = [values_of(filled) for filled in FILLED_COLUMNS[table]]
    return columns


class _Filler:
    """The values of columns for decisions of a match."""

    def __init__(self, parts: Sequence[GamePart]) -> None:
        self._parts = parts
        self._decisions = [*chain.from_iterable(part.decisions for part in parts)]
        self._boards = [*chain.from_iterable(part.boards for part in parts)]
        self._analyzed = [*chain.from_iterable(part.analyzed for part in parts)]
        self._is_white = [decision.player is Player.WHITE for decision in self._decisions]
        self._is_analyzed = any(analyzed is not None for analyzed in self._analyzed)

    def of_decisions(self, filled: FilledColumn) -> list[Any]:
        """The value of a column for each decision."""
        value = filled.value
        match filled.source:
            case "decision":
                return [*map(value, self._decisions)]
            case "board":
                return [*map(value, self._boards)]
            case "part":
                return [*chain.from_iterable(map(value, self._parts))]
            case "seat":
                return self._of_seats(value)
            case "match":
                return [value(self._parts[0].facts)] * len(self._decisions)
            case "game":
                return self._repeated([value(part.facts) for part in self._parts])
            case _:  # "analysis"
                return self._of_analyses(value)

    def _of_seats(self, value: Callable[[Seat], object]) -> list[Any]:
        whites = self._repeated([value(part.seats[Player.WHITE]) for part in self._parts])
        blacks = self._repeated([value(part.seats[Player.BLACK]) for part in self._parts])
        three = zip(self._is_white, whites, blacks, strict=True)
        return [white if is_white else black for is_white, white, black in three]

    def _repeated(self, values: Sequence[object]) -> list[Any]:
        """The value of each part for each of its decisions."""
        repeated: list[Any] = []
        for part, value in zip(self._parts, values, strict=True):
            repeated += [value] * len(part.decisions)
        return repeated

    def _of_analyses(self, value: Callable[[AnalyzedDecision], object]) -> list[Any]:
        if not self._is_analyzed:  # as in most records
            return [None] * len(self._decisions)
        return [None if analyzed is None else value(analyzed) for analyzed in self._analyzed]

    @cached_property
    def _candidates(self) -> list[tuple[int, int, Candidate]]:
        """The index of the decision, the rank and the candidate. The best candidate of a decision comes first."""
        candidates: list[tuple[int, int, Candidate]] = []
        for index, analyzed in enumerate(self._analyzed):
            if analyzed is not None and isinstance(analyzed.analysis, PlayAnalysis):
                for rank, candidate in enumerate(analyzed.analysis.candidates, start=1):
                    candidates.append((index, rank, candidate))
        return candidates

    def of_candidates(self, filled: FilledColumn) -> list[Any]:
        """The value of a column for each candidate, which may be that of its decision."""
        value = filled.value
        if filled.source == "rank":
            return [value(rank) for _, rank, _ in self._candidates]
        if filled.source == "candidate":
            return [value(candidate) for _, _, candidate in self._candidates]
        values = self.of_decisions(filled)
        return [values[index] for index, _, _ in self._candidates]
