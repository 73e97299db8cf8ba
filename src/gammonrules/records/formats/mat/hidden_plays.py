"""Which play a record does not show: the one after which the rest of the game is legal, if there is only one."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from attrs import Factory, define, field

from gammonrules.board import Play, Plays
from gammonrules.errors import ParseError
from gammonrules.match import MatchState, Player
from gammonrules.records.findings import FindingKind, FindingLog, Severity
from gammonrules.records.formats.mat.cell_replay import Following
from gammonrules.records.formats.mat.cells import Cell, CellKind

MOST_CELLS = 20_000
"""The most cells of a record that are followed to find its hidden plays. A hidden play usually takes a few hundred:
most of the legal plays are soon refuted."""
_CELLS_OF_ANY_RECORD = 2_000
_CELLS_A_ROLL = 50
"""Added for each roll, so that the time for a record stays in proportion to its size."""


@define
class Budget:
    """The cells left for a record, so that thousands of hidden plays cost no more than a few."""

    cells: int = MOST_CELLS

    @classmethod
    def of(cls, rolls: int) -> Budget:
        """The budget of a record with this many rolls."""
        return cls(min(MOST_CELLS, _CELLS_OF_ANY_RECORD + _CELLS_A_ROLL * rolls))


class _Nothing(FindingLog):
    """A log for trials."""

    def is_full(self, severity: Severity, kind: FindingKind) -> bool:  # noqa: ARG002
        return True


_NOTHING = _Nothing()


@define
class Trial(Following):
    """The rest of a game from a state to which a hidden play may have led. It stops at the next hidden play."""

    choices: Plays | None = field(init=False, default=None)
    """The plays that this one may be."""

    def hidden_play(self, side: Player, plays: Plays) -> None:  # noqa: ARG002
        """Leave the choice to the caller."""
        self.choices, self.cut = plays, True

    def unreadable_play(self, side: Player, plays: Plays, error: ParseError) -> None:  # noqa: ARG002
        """The same: what cannot be read is hidden."""
        self.hidden_play(side, plays)


@define
class Trials:
    """The search for a hidden play. Later hidden plays may be any; unreadable ones rule nothing out."""

    index: int
    """The number of the game."""
    cells: list[Cell]
    ends_here: bool
    is_as_stated: Callable[[MatchState], bool]
    """Whether a last state fits the end that the record states."""
    budget: Budget
    hopeless: set[tuple[int, MatchState]] = Factory(set[tuple[int, MatchState]])
    """States before a cell from which the rest of the game is not legal."""

    def plays_that_fit(self, state: MatchState, side: Player, plays: Plays, at: int) -> tuple[list[Play], bool]:
        """The plays in the cell `at` after which the rest of the game is legal, and whether all could be tried."""
        fits: list[Play] = []
        for play in plays:
            fit = self.can_end(state.play(play, by=side), at + 1)
            if fit is None:
                return fits, False
            if fit:
                fits.append(play)
        return fits, True

    def can_end(self, state: MatchState, first: int) -> bool | None:
        """Whether the game can go on from a state before the cell `first` to its end; None if trying takes too long."""
        seen: set[tuple[int, MatchState]] = set()
        branches = [iter([(first, state)])]
        while branches:
            step = next(branches[-1], None)
            if step is None:
                branches.pop()
            elif step not in seen and step not in self.hopeless:
                seen.add(step)
                trial = self.tried(*step)
                if self.budget.cells <= 0:
                    return None
                if trial.choices is not None:
                    branches.append(after_each(trial.state, trial.choices, trial.at + 1))
                elif self.is_legal(trial):
                    return True
        self.hopeless |= seen
        return False

    def tried(self, first: int, state: MatchState) -> Trial:
        """The rest of the game, as far as the rules and the budget allow."""
        place = self.cells[first - 1]
        trial = Trial(self.index, state, _NOTHING, place, cells=self.cells, ends_here=self.ends_here)
        trial.follow_all(first, min(len(self.cells), first + self.budget.cells))
        self.budget.cells -= max(1, trial.at - first + 1)
        return trial

    def is_legal(self, trial: Trial) -> bool:
        """Whether nothing in the rest of the game was refused."""
        if trial.cut:
            return self.cells[trial.at].kind is CellKind.UNREADABLE
        return self.is_as_stated(trial.state)


def after_each(state: MatchState, plays: Plays, at: int) -> Iterator[tuple[int, MatchState]]:
    """The states after each play, before the cell `at`."""
    return ((at, state.play(play)) for play in plays)
