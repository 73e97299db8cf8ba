"""A game followed cell by cell. A play that it does not show is the only one after which the rest of it is legal."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable
from contextlib import suppress

from attrs import Factory, define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays, Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, Cube, Double, MatchState, Phase, Player, SetPosition
from gammonrules.records.formats.mat.cells import Cell, CellKind
from gammonrules.records.formats.match_reading import CALLED_ILLEGAL, GameReplay
from gammonrules.records.transcript import FindingKind, FindingLog, Severity

_CUBE_ACTIONS = {
    kind: Action(kind) for kind in (CellKind.DOUBLE, CellKind.TAKE, CellKind.DROP, CellKind.BEAVER)
}
CHECKERS = {
    letter: count for count, letter in enumerate("ponmlkjihgfedcba-ABCDEFGHIJKLMNOP", start=-16)
}
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
    last_action: int | None = field(init=False, default=None)
    """The index of the last cell that can be read, if the record states the end that comes after it."""
    at: int = field(init=False, default=0)
    """The index of the cell that is being followed."""
    set_by_hand: Cell | None = field(init=False, default=None)
    resigner: Player | None = field(init=False, default=None)
    marked: bool = field(init=False, default=False)
    """Whether the resigner's last cell says that they resigned, rather than just stopping."""

    def follow_all(self, first: int, end: int) -> None:
        last = len(self.cells) - 1
        for at in range(first, end):
            self.at = at
            self.place = self.cells[at]
            self.only_its_end_follows = self.last_action is not None and at >= self.last_action
            with self.stopping_at_error():
                self.act(self.cells[at], last=at == last)
            if self.cut:
                break

    def act(self, cell: Cell, *, last: bool) -> None:
        if (side := cell.side) is None or cell.kind is CellKind.UNREADABLE:
            self.leave_rest_out()  # the reader of the sheet has reported it
            return
        if self.set_by_hand is not None:
            self.place = self.set_by_hand
            self.set_by_hand = None
            self.apply(position_set_by_hand(self.place.play, side, self.state))
            self.place = cell
        if (action := _CUBE_ACTIONS.get(cell.kind)) is not None:
            self.do(action, side)
            offer = self.state.offer
            if isinstance(offer, Double) and cell.value not in (None, offer.value):
                note = f"the double offers the cube at {offer.value}, not {cell.value}"
                self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)
        elif cell.kind is CellKind.PASS:
            self.hidden_dance(side)
        elif (
            last
            and cell.dice == "00"
            and not cell.play.strip("?")
            and (self.ends_here or cell.play)
        ):
            # a resignation without a roll: `00: ????`, or its beginning before end words
            self.resigner = side
            self.marked = bool(cell.play)
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
        hidden = bool(text) and not text.strip("?")
        passed = words in {"", "cannot move"}
        if words.startswith("illegal play"):
            self.apply(
                SetPosition(position_of_dump(text, self.state.position.checkers), side.opponent)
            )
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
        elif not hidden and not passed:
            self.shown_play(cell, side, plays)
        elif last and self.ends_here and (hidden or not text) and self.may_have_won(plays):
            self.unclear_play(side, plays, None)
        elif hidden and last and self.ends_here:
            self.resigner = side
            self.marked = True
            self.report(
                Severity.INFO, FindingKind.HIDDEN_PLAY, "the player resigned after this roll"
            )
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
            self.leave_rest_out()
        else:
            self.do_play(side, play)
            for remark in _ILLEGAL.findall(cell.play) if "?" in cell.play else ():
                self.remark(remark.strip())

    def hidden_dance(self, side: Player) -> None:
        """A turn without a play whose roll is not shown: whatever it was, the other player goes on from this board."""
        position = self.state.position
        claims = "the record says that a roll cannot be played"
        if self.state.phase is not Phase.TO_ROLL or self.state.on_roll is not side:
            self.stop(
                FindingKind.ILLEGAL_ACTION, f"{claims}, but it is not this player's turn to roll"
            )
        elif all(position.legal_plays(dice)[0].moves for dice in ROLLS):
            self.stop(FindingKind.ILLEGAL_PLAY, f"{claims}, but every roll can be")
        else:
            self.apply(SetPosition(position.flip(), side.opponent))
            self.report(
                Severity.INFO, FindingKind.HIDDEN_PLAY, "the roll is not shown; it cannot be played"
            )

    def claimed_pass(self, side: Player, plays: Plays) -> None:
        """A roll that, according to the record, cannot be played, though it can."""
        kind = FindingKind.ILLEGAL_PLAY
        note = f"the record says that there is no legal play, but {plays[0]} is one"
        if len(plays) > 1:
            self.stop(kind, note)
        else:
            self.report(Severity.ERROR, kind, note)
            self.do_play(side, plays[0])

    def may_have_won(self, plays: Plays) -> bool:
        """Whether a last roll whose play is not shown may have ended the game, as the record states it."""
        # more than a roll can bear off
        if sum([count for count in self.state.position.points if count > 0]) > 4:
            return False
        return any(self.is_stated_end(self.state.play(play)) for play in plays)

    @abstractmethod
    def is_stated_end(self, state: MatchState) -> bool:
        """Whether the game is over, with the result that the record states."""

    @abstractmethod
    def is_as_stated(self, state: MatchState) -> bool:
        """Whether a last state can come before the end that the record states, or has it."""

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
            refused = ", ".join(
                str(candidate) for candidate in error.candidates if candidate != play
            )
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
    fitting = (
        play for play in candidates if play.moves[0].from_point - play.moves[0].to_point == first
    )
    return next(fitting, candidates[0])


def position_of_dump(text: str, checkers: int) -> Position:
    """The board of `Illegal play (...)` as the player who acts next sees it. Raises ParseError and PositionError."""
    fields = text.partition("(")[2].rpartition(")")[0].split(";")
    board = [int(value) for value in fields[12:38] if _SMALL_NUMBER.fullmatch(value)]
    if len(fields) < 40 or len(board) != 26 or max(map(abs, board)) > 15:
        raise ParseError(
            "an illegal play must be followed by a board of 40 fields, and this one is not"
        )
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


def position_set_by_hand(text: str, side: Player, before: MatchState) -> SetPosition:
    """The start position of `; Set Pos=`, for the player who acts first. Raises ParseError and PositionError."""
    board, _, exponent = text.partition("/")
    power = int(exponent or "0") if _SMALL_NUMBER.fullmatch(exponent or "0") else 99
    if len(board) != 26 or not set(board) <= {*CHECKERS} or abs(power) > 12:
        raise ParseError("a position set by hand must be 26 characters, a slash and the cube")
    position = Position.from_points(
        [CHECKERS[letter] for letter in board], checkers=before.position.checkers
    )
    centered = before.cube if before.cube.owner is None else Cube(1)
    cube = (
        centered
        if not power
        else Cube(2 ** abs(power), Player.WHITE if power < 0 else Player.BLACK)
    )
    return SetPosition(position if side is Player.WHITE else position.flip(), side, cube)


# --- plays that are not shown ---------------------------------------------------------------------------------------

MOST_READ = 1_000_000
"""The most characters that are read again to find the hidden plays of a record."""
AS_OFTEN = 12
"""As often may a record be read again. One hidden play usually takes less: most of the legal plays are soon refuted."""
_PLAY = 15
_CELL = 25
_GAME = 250
"""As many characters are as much work as a play that is tried, as a cell besides its text, and as a further game: a
function of Python is called about once for each."""


def work_of(cell: Cell) -> int:
    """What it costs to follow a cell: doublets, and checkers borne off, take as long again."""
    is_doublet = cell.dice[:1] == cell.dice[1:] != ""
    bears_off = cell.text.lower().endswith(("/0", "off"))
    return _CELL * (1 + is_doublet + bears_off) + len(cell.text)


class _NoLog(FindingLog):
    def is_full(self, severity: Severity, kind: FindingKind) -> bool:  # noqa: ARG002
        return True


_NO_LOG = _NoLog()


@define
class Trial(Following):
    """The rest of a game after a play that may be the hidden one; it stops at the next hidden play."""

    whole: Following
    hidden: HiddenPlays
    choices: Plays | None = field(init=False, default=None)
    """The plays that the next hidden one may be."""

    def act(self, cell: Cell, *, last: bool) -> None:
        self.hidden.left -= work_of(cell)
        self.cut = self.hidden.left <= 0
        if not self.cut:
            Following.act(self, cell, last=last)

    def unclear_play(self, side: Player, plays: Plays, error: ParseError | None) -> None:  # noqa: ARG002
        self.choices = plays
        self.cut = True

    def is_stated_end(self, state: MatchState) -> bool:
        self.hidden.left -= _PLAY
        return self.whole.is_stated_end(state)

    def is_as_stated(self, state: MatchState) -> bool:
        return self.whole.is_as_stated(state)

    def fits(self, *, must_end: bool) -> bool:
        if self.cut:
            return self.cells[self.at].kind is CellKind.UNREADABLE and not must_end
        return self.whole.is_stated_end(self.state) if must_end else self.is_as_stated(self.state)


@define
class HiddenPlays:
    """The search for the hidden plays of a record. Later ones may be any; unreadable ones rule nothing out."""

    left: int
    """The characters that may still be read, so that thousands of hidden plays cost no more than a few."""
    hopeless: set[Hashable] = Factory(set[Hashable])
    """Boards before a cell of a game from which its rest is not legal."""

    @classmethod
    def of(cls, characters: int, games: int) -> HiddenPlays:
        return cls(min(MOST_READ, AS_OFTEN * characters - _GAME * (games - 1)))

    def can_end(self, game: Following, play: Play, *, must_end: bool = False) -> bool:
        """Whether a game can go on to its end after a play in the present cell; no if trying takes too long.

        `must_end`: whether it must be over then.
        """
        cells = game.cells
        seen = set[Hashable]()
        branches = [(game.at + 1, game.state, iter((play,)))]
        while branches and self.left > 0:
            at, state, plays = branches[-1]
            if (following := next(plays, None)) is None:
                branches.pop()
                continue
            self.left -= _PLAY
            board = game.index, must_end, at, following.position.points
            if board in seen or board in self.hopeless:
                continue
            seen.add(board)
            if at < len(cells) and self.is_refuted(cells[at], following.position):
                continue
            trial = Trial(
                game.index,
                start=state.play(following),
                findings=_NO_LOG,
                place=cells[at - 1],
                cells=cells,
                ends_here=game.ends_here,
                whole=game,
                hidden=self,
            )
            trial.at = at - 1
            trial.follow_all(at, len(cells))
            if trial.choices is not None:
                branches.append((trial.at + 1, trial.state, iter(trial.choices)))
            elif self.left > 0 and trial.fits(must_end=must_end):
                return True
        if self.left > 0:
            self.hopeless |= seen
        return False

    def is_refuted(self, cell: Cell, position: Position) -> bool:
        """Whether the play that a cell shows is illegal on this board, which is seen in half the time of a trial."""
        if cell.kind is not CellKind.ROLL or not cell.play[:1].isdigit():
            return False
        self.left -= work_of(cell)
        with suppress(GammonError):  # it can be read in several ways, or not at all
            return legal_play(position.legal_plays(Dice.of(cell.dice)), text_of_play(cell)) is None
        return False
