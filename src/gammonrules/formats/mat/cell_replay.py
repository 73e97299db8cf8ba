"""A game followed cell by cell."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod

from attrs import define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays, Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.mat.cells import Cell, CellKind
from gammonrules.formats.match_reading import CALLED_ILLEGAL, GameReplay
from gammonrules.match import Action, Cube, Double, Player, SetPosition
from gammonrules.transcript import FindingKind, Severity

_CUBE_ACTIONS = {kind: Action(kind) for kind in (CellKind.DOUBLE, CellKind.TAKE, CellKind.DROP, CellKind.BEAVER)}
CHECKERS = {letter: count for count, letter in enumerate("ponmlkjihgfedcba-ABCDEFGHIJKLMNOP", start=-16)}
"""The checkers that a letter means: upper case the left player's, lower case the right player's."""
LETTERS = {count: letter for letter, count in CHECKERS.items()}
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
        action = _CUBE_ACTIONS.get(cell.kind)
        if action is not None:
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
            if not self.cut:
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
            self.hidden_play(side, plays)

    def shown_play(self, cell: Cell, side: Player, plays: Plays) -> None:
        try:
            play = self.play_in(cell, plays)
        except ParseError as error:
            self.unreadable_play(side, plays, error)
            return
        if play is None:
            self.cut = True
        else:
            self.do_play(side, play)

    def claimed_pass(self, side: Player, plays: Plays) -> None:
        """A roll that, according to the record, cannot be played, though it can."""
        kind, note = FindingKind.ILLEGAL_PLAY, f"the record says that there is no legal play, but {plays[0]} is one"
        if len(plays) > 1:
            self.stop(kind, note)
        else:
            self.report(Severity.ERROR, kind, note)
            self.do_play(side, plays[0])

    @abstractmethod
    def hidden_play(self, side: Player, plays: Plays) -> None:
        """A roll whose play is not shown, though there is one."""

    @abstractmethod
    def unreadable_play(self, side: Player, plays: Plays, error: ParseError) -> None:
        """A roll whose play cannot be read."""

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
    """The text of a play, without the moves that some programs add to it."""
    if "0/0" in cell.play or "  " in cell.play:
        return " ".join(move for move in cell.play.split() if move != "0/0")
    return cell.play


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


def position_set_by_hand(text: str, side: Player, checkers: int) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first. Raises ParseError and PositionError."""
    board, _, exponent = text.partition("/")
    power = int(exponent or "0") if _SMALL_NUMBER.fullmatch(exponent or "0") else 99
    if len(board) != 26 or not set(board) <= {*CHECKERS} or abs(power) > 12:
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    position = Position.from_points([CHECKERS[letter] for letter in board], checkers=checkers)
    cube = Cube(1) if not power else Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    return SetPosition(position if side is Player.WHITE else position.flip(), side, cube)
