"""Which play a record does not show: the one after which the rest of the game is legal, if there is only one."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import accumulate

from attrs import Factory, define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays, Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.mat.cell_replay import Following, by_order_of_dice, text_of_play
from gammonrules.formats.mat.cells import Cell, CellKind
from gammonrules.match import MatchState, Player
from gammonrules.transcript import FindingKind, FindingLog, Severity

MOST_READ = 1_000_000
"""The most characters that are read again to find the hidden plays of a record."""
AS_OFTEN = 12
"""As often may a record be read again. One hidden play usually takes less: most of the legal plays are soon refuted."""
_PLAY, _CELL, _GAME = 15, 25, 250
"""As many characters are as much work as a play that is tried, as a cell besides its text, and as a further game: a
function of Python is called about once for each."""


def work_of(cell: Cell) -> int:
    """What it costs to follow a cell: doublets, and checkers borne off, take as long again."""
    is_doublet = cell.dice[:1] == cell.dice[1:] != ""
    bears_off = cell.text.lower().endswith(("/0", "off"))
    return _CELL * (1 + is_doublet + bears_off) + len(cell.text)


@define
class Budget:
    """The characters left for a record, so that thousands of hidden plays cost no more than a few."""

    left: int

    @classmethod
    def of(cls, characters: int, games: int) -> Budget:
        """The budget of a record of this length, so that the time stays in proportion to it."""
        return cls(min(MOST_READ, AS_OFTEN * characters - _GAME * (games - 1)))


class _NoLog(FindingLog):
    def is_full(self, severity: Severity, kind: FindingKind) -> bool:  # noqa: ARG002
        return True


_NO_LOG = _NoLog()
_Board = tuple[int, tuple[int, ...]]
"""The index of a cell, and the points before it."""


@define
class Trial(Following):
    """The rest of a game after a play that may be the hidden one; it stops at the next hidden play."""

    answer: Play | None
    """The play that the first cell shows, if that is clear."""
    choices: Plays | None = field(init=False, default=None)
    """The plays that the hidden one may be."""

    def play_in(self, cell: Cell, plays: Plays) -> Play | None:
        answer, self.answer = self.answer, None
        return Following.play_in(self, cell, plays) if answer is None else answer

    def hidden_play(self, side: Player, plays: Plays) -> None:  # noqa: ARG002
        self.choices, self.cut = plays, True

    def unreadable_play(self, side: Player, plays: Plays, error: ParseError) -> None:  # noqa: ARG002
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
    work: list[int] = field(init=False)
    """What it costs to follow the cells before each one."""
    hopeless: set[_Board] = Factory(set[_Board])
    """Boards before a cell from which the rest of the game is not legal."""

    def __attrs_post_init__(self) -> None:
        self.work = [*accumulate(map(work_of, self.cells), initial=0)]

    def plays_that_fit(self, state: MatchState, plays: Plays, at: int) -> tuple[list[Play], bool]:
        """The plays in the cell `at` after which the rest of the game is legal, and whether all could be tried."""
        fits: list[Play] = []
        for play in plays:
            fit = self.can_end(state, play, at + 1)
            if fit is None:
                return fits, False
            if fit:
                fits.append(play)
        return fits, True

    def can_end(self, state: MatchState, play: Play, at: int) -> bool | None:
        """Whether the game can go on after a play before the cell `at` to its end; None if trying takes too long."""
        seen: set[_Board] = set()
        branches = [(at, state, iter((play,)))]
        while branches and self.budget.left > 0:
            at, state, plays = branches[-1]
            following = next(plays, None)
            if following is None:
                branches.pop()
                continue
            self.budget.left -= _PLAY
            board = at, following.position.points
            if board in seen or board in self.hopeless:
                continue
            seen.add(board)
            answer, illegal = self.answer(at, following.position)
            if not illegal:
                trial = self.tried(at, state.play(following), answer)
                if trial.choices is not None:
                    branches.append((trial.at + 1, trial.state, iter(trial.choices)))
                elif self.budget.left > 0 and self.is_legal(trial):
                    return True
        if self.budget.left <= 0:
            return None
        self.hopeless |= seen
        return False

    def answer(self, at: int, position: Position) -> tuple[Play | None, bool]:
        """The play that the cell shows on this board, if clear, and whether it is illegal, in half the time."""
        cell = self.cells[at] if at < len(self.cells) else None
        if cell is None or cell.kind is not CellKind.ROLL or not cell.play[:1].isdigit():
            return None, False
        self.budget.left -= self.work[at + 1] - self.work[at]
        try:
            answer = legal_play(position.legal_plays(Dice.of(cell.dice)), text_of_play(cell))
        except AmbiguousPlayError as error:
            answer = by_order_of_dice(error.candidates, int(cell.dice[0]))
        except GammonError:
            return None, False
        return answer, answer is None

    def tried(self, first: int, state: MatchState, answer: Play | None) -> Trial:
        cells, work = self.cells, self.work
        trial = Trial(self.index, state, _NO_LOG, cells[first - 1], cells, self.ends_here, answer)
        trial.at = first - 1
        trial.follow_all(first, min(len(cells), bisect_left(work, work[first] + self.budget.left)))
        self.budget.left -= work[trial.at + 1] - work[first]
        return trial

    def is_legal(self, trial: Trial) -> bool:
        return self.cells[trial.at].kind is CellKind.UNREADABLE if trial.cut else self.is_as_stated(trial.state)
