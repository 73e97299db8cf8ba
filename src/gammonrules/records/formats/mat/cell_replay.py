"""A game followed cell by cell. A play that it does not show is the only one after which the rest of it is legal."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from contextlib import suppress
from itertools import accumulate

from attrs import Factory, define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays, Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, Cube, Double, MatchState, Player, SetPosition
from gammonrules.records.formats.mat.cells import Cell, CellKind
from gammonrules.records.formats.match_reading import CALLED_ILLEGAL, GameReplay
from gammonrules.records.transcript import FindingKind, FindingLog, Severity

_CUBE_ACTIONS = {kind: Action(kind) for kind in (CellKind.DOUBLE, CellKind.TAKE, CellKind.DROP, CellKind.BEAVER)}
CHECKERS = {letter: count for count, letter in enumerate("ponmlkjihgfedcba-ABCDEFGHIJKLMNOP", start=-16)}
"""The checkers that a letter means: upper case the left player's, lower case the right player's."""
LETTERS = {count: letter for letter, count in CHECKERS.items()}
_ILLEGAL = re.compile(r"\s{0,9}\billegal\?", re.IGNORECASE)
"""What a program writes after a move that it calls illegal."""
_SMALL_NUMBER = re.compile(r"-?[0-9]{1,3}")


@define
class Following(GameReplay, ABC):
    """A game that a cell ends which the rules refuse, unless the next state is known."""

    cells: list[Cell]
    """Every cell but the end words."""
    ends_here: bool
    """Whether the record says, in this game or by the next score, that the game has ended."""
    at: int = field(init=False, default=0)
    """The index of the cell that is being followed."""
    set_by_hand: Cell | None = field(init=False, default=None)
    resigner: Player | None = field(init=False, default=None)
    marked: bool = field(init=False, default=False)
    """Whether the resigner's last cell says that they resigned, rather than just stopping."""

    def follow_all(self, first: int, end: int) -> None:
        last = len(self.cells) - 1
        for at in range(first, end):
            self.at, self.place = at, self.cells[at]
            try:
                self.act(self.cells[at], last=at == last)
            except GammonError as error:
                self.stop_at(error)
            if self.cut:
                break

    def act(self, cell: Cell, *, last: bool) -> None:
        side = cell.side
        if side is None or cell.kind is CellKind.UNREADABLE:
            self.cut = True  # the reader of the sheet has reported it
            return
        if self.set_by_hand is not None:
            self.place, self.set_by_hand = self.set_by_hand, None
            self.apply(position_set_by_hand(self.place.play, side, self.state.position.checkers))
            self.place = cell
        if (action := _CUBE_ACTIONS.get(cell.kind)) is not None:
            self.do(action, side)
            offer = self.state.offer
            if isinstance(offer, Double) and cell.value not in (None, offer.value):
                note = f"the double offers the cube at {offer.value}, not {cell.value}"
                self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
        elif last and cell.dice == "00" and not cell.play.strip("?") and (self.ends_here or cell.play):
            # a resignation without a roll: `00: ????`, or its beginning before end words
            self.resigner, self.marked = side, bool(cell.play)
        else:
            self.roll(side, Dice.of(cell.dice))
            self.after_roll(cell, side, last=last)

    def after_roll(self, cell: Cell, side: Player, *, last: bool) -> None:
        text = cell.play
        plays = self.state.legal_plays
        if text[:1].isdigit():
            self.shown_play(cell, side, plays)
            return
        words = text.lower()
        hidden, passed = bool(text) and not text.strip("?"), words in {"", "cannot move"}
        if words.startswith("illegal play"):
            self.apply(SetPosition(position_of_dump(text, self.state.position.checkers), side.opponent))
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
        elif not hidden and not passed:
            self.shown_play(cell, side, plays)
        elif last and self.ends_here and (hidden or not text) and self.may_have_won(plays):
            self.unclear_play(side, plays, None)
        elif hidden and last and self.ends_here:
            self.resigner, self.marked = side, True
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, "the player resigned after this roll")
        elif not (first := plays[0]).moves:
            self.do_play(side, first)
        elif last and (self.ends_here or not text):
            self.resigner = side
        elif passed and text:
            self.claimed_pass(side, plays)
        else:
            self.unclear_play(side, plays, None)

    def shown_play(self, cell: Cell, side: Player, plays: Plays) -> None:
        try:
            play = self.play_in(cell, plays)
        except ParseError as error:
            self.unclear_play(side, plays, error)
            return
        if play is None:
            self.cut = True
        else:
            self.do_play(side, play)
            for remark in _ILLEGAL.findall(cell.play) if "?" in cell.play else ():
                self.remark(remark.strip())

    def claimed_pass(self, side: Player, plays: Plays) -> None:
        """A roll that, according to the record, cannot be played, though it can."""
        kind, note = FindingKind.ILLEGAL_PLAY, f"the record says that there is no legal play, but {plays[0]} is one"
        if len(plays) > 1:
            self.stop(kind, note)
        else:
            self.report(Severity.ERROR, kind, note)
            self.do_play(side, plays[0])

    def may_have_won(self, plays: Plays) -> bool:
        """Whether a last roll whose play is not shown may have ended the game, as the record states it."""
        if sum([count for count in self.state.position.points if count > 0]) > 4:  # more than a roll can bear off
            return False
        return any(self.is_stated_end(self.state.play(play)) for play in plays)

    @abstractmethod
    def is_stated_end(self, state: MatchState) -> bool:
        """Whether the game is over, with the result that the record states."""

    @abstractmethod
    def unclear_play(self, side: Player, plays: Plays, error: ParseError | None) -> None:
        """A roll whose play is not shown, though there is one, or cannot be read, as the error says."""

    def play_in(self, cell: Cell, plays: Plays) -> Play | None:
        """The play that a cell shows; None for an illegal one if enough illegal plays have been explained."""
        text = text_of_play(cell)
        try:
            play = legal_play(plays, text)
            if play is None and not self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
                plays.find(text)  # whose error says why not
        except AmbiguousPlayError as error:
            play = by_order_of_dice(error.candidates, int(cell.dice[0]))
            refused = ", ".join(str(candidate) for candidate in error.candidates if candidate != play)
            note = f"the text also fits {refused}; it is read as {play}, in the order of the dice"
            self.report(Severity.INFO, FindingKind.AMBIGUOUS_PLAY, note)
        return play


def text_of_play(cell: Cell) -> str:
    """The text of a play, without the moves and the remarks that some programs add to it."""
    play = _ILLEGAL.sub("", cell.play) if "?" in cell.play else cell.play
    if "0/0" in play or "  " in play:
        return " ".join(move for move in play.split() if move != "0/0")
    return play


def by_order_of_dice(candidates: tuple[Play, ...], first: int) -> Play:
    """The candidate that starts with the die written first."""
    fitting = (play for play in candidates if play.moves[0].from_point - play.moves[0].to_point == first)
    return next(fitting, candidates[0])


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it. Raises ParseError and PositionError."""
    fields = text.partition("(")[2].rpartition(")")[0].split(";")
    board = [int(value) for value in fields[12:38] if _SMALL_NUMBER.fullmatch(value)]
    if len(fields) < 40 or len(board) != 26 or max(map(abs, board)) > 15:
        raise ParseError("an illegal play must be followed by a board of 40 fields, and this one is not")
    return Position.from_points((-abs(board[0]), *board[1:25], abs(board[25])), checkers=checkers)


def board_before_play(cell: Cell) -> Position | None:
    """The board, as White sees it, with which a game begins if its first cell is the dump of an illegal play.

    It is none if that play can have led there, since no checker of the other player has moved but to the bar.
    """
    if cell.side is None or not cell.play.lower().startswith("illegal play"):
        return None
    with suppress(GammonError):
        position = position_of_dump(cell.play, Position.start().checkers)
        usual = Position.start().points[:25]
        if any(now > max(0, before) for now, before in zip(position.points, usual, strict=False)):
            return position.flip() if cell.side is Player.WHITE else position
    return None


def text_of_board(position: Position) -> str:
    """A board as White sees it, and a centered cube, as `; Set Pos=` has them."""
    return "".join(LETTERS[count] for count in position.points) + "/0"


def position_set_by_hand(text: str, side: Player, checkers: int) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first. Raises ParseError and PositionError."""
    board, _, exponent = text.partition("/")
    power = int(exponent or "0") if _SMALL_NUMBER.fullmatch(exponent or "0") else 99
    if len(board) != 26 or not set(board) <= {*CHECKERS} or abs(power) > 12:
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    position = Position.from_points([CHECKERS[letter] for letter in board], checkers=checkers)
    cube = Cube(1) if not power else Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return SetPosition(position if side is Player.WHITE else position.flip(), side, cube)


# --- plays that are not shown ---------------------------------------------------------------------------------------

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
    trials: Trials
    choices: Plays | None = field(init=False, default=None)
    """The plays that the hidden one may be."""

    def play_in(self, cell: Cell, plays: Plays) -> Play | None:
        answer, self.answer = self.answer, None
        return Following.play_in(self, cell, plays) if answer is None else answer

    def unclear_play(self, side: Player, plays: Plays, error: ParseError | None) -> None:  # noqa: ARG002
        self.choices, self.cut = plays, True

    def is_stated_end(self, state: MatchState) -> bool:
        self.trials.budget.left -= _PLAY
        return self.trials.is_stated_end(state)


@define
class Trials:
    """The search for a hidden play. Later hidden plays may be any; unreadable ones rule nothing out."""

    index: int
    """The number of the game."""
    cells: list[Cell]
    ends_here: bool
    is_as_stated: Callable[[MatchState], bool]
    """Whether a last state fits the end that the record states."""
    is_stated_end: Callable[[MatchState], bool]
    budget: Budget
    must_end: bool = False
    """Whether the game must be over then."""
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
            if (fit := self.can_end(state, play, at + 1)) is None:
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
            if (following := next(plays, None)) is None:
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
        trial = Trial(self.index, state, _NO_LOG, cells[first - 1], cells, self.ends_here, answer, self)
        trial.at = first - 1
        trial.follow_all(first, min(len(cells), bisect_left(work, work[first] + self.budget.left)))
        self.budget.left -= work[trial.at + 1] - work[first]
        return trial

    def is_legal(self, trial: Trial) -> bool:
        if trial.cut or self.must_end:
            unread = trial.cut and self.cells[trial.at].kind is CellKind.UNREADABLE
            return unread and not self.must_end if trial.cut else self.is_stated_end(trial.state)
        return self.is_as_stated(trial.state)
