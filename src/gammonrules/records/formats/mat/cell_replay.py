"""A game followed cell by cell: rolls with their plays, cube actions, and plays that are not shown.

A play that is not shown is made if it is the only legal one, or if it is the last and ends the game as the record
states. If no later play of this player is shown either, the game ends there as the record states, where it can.
Otherwise the replay of the game stops there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays
from gammonrules.board.internals import legal_play
from gammonrules.dice import ROLL_OF_TEXT, ROLLS, Dice
from gammonrules.errors import GammonError
from gammonrules.match import Action, Double, Phase, Player, SetPosition
from gammonrules.match.internals import levels_that_count
from gammonrules.records.formats.mat.board_texts import (
    is_dump,
    position_of_dump,
    position_set_by_hand,
)
from gammonrules.records.formats.mat.cells import Cell, CellKind
from gammonrules.records.formats.mat.stated_end import StatedEnd
from gammonrules.records.formats.match_reading import CALLED_ILLEGAL, GameReplay
from gammonrules.records.transcript import FindingKind, Severity
from gammonrules.values import counted

_CUBE_ACTIONS = {
    CellKind.DOUBLE: Action.DOUBLE,
    CellKind.TAKE: Action.TAKE,
    CellKind.DROP: Action.DROP,
    CellKind.BEAVER: Action.BEAVER,
}
_NO_DICE = "00"
"""What stands in place of a roll where a player resigned before rolling."""
_ILLEGAL = re.compile(r"\s{0,9}\billegal\?", re.IGNORECASE)
"""What a program writes after a move that it calls illegal."""
_MAX_BORNE_OFF = 4
"""Checkers that one roll can bear off."""


@define
class CellReplay(GameReplay):
    cells: list[Cell]
    """Every cell but the end words."""
    ending: StatedEnd
    has_end: bool
    """Whether the record says, in this game or by the next score, that the game has ended."""
    set_position: Cell | None
    """The comment that sets the board, until the first cell is replayed."""
    resigner: Player | None = field(init=False, default=None)
    """Who made no more play in the last cell."""
    has_resign_marker: bool = field(init=False, default=False)
    """Whether that cell says that they resigned, by `????`."""
    is_rest_left_out: bool = field(init=False, default=False)
    """Whether the plays that a player made up to the stated end are left out of the record."""

    def follow_cells(self, last_action: int | None) -> None:
        """Follow all cells, or those before one that the rules refuse.

        Args:
            last_action: the index of the last cell that can be read, if the record states the end of the game. After
                this cell only that end follows, so it is taken even if the rules refuse the cell.
        """
        for index, cell in enumerate(self.cells):
            self.place = cell
            self.only_its_end_follows = last_action is not None and index >= last_action
            is_last = index == len(self.cells) - 1
            try:
                self.follow(cell, is_last=is_last)
            except GammonError as error:
                self.stop_at_error(error)
            if self.cut or self.is_rest_left_out:
                break

    def follow(self, cell: Cell, *, is_last: bool) -> None:
        side = cell.side
        if side is None or cell.kind is CellKind.UNREADABLE:
            self.leave_rest_out()  # the reader of the sheet has reported it
            return
        if self.set_position is not None:
            self.start_from(self.set_position, side)
        if cell.kind is CellKind.ROLL:
            self.follow_roll(cell, side, is_last=is_last)
        elif cell.kind is CellKind.PASS:
            self.pass_without_roll(side)
        else:
            self.act_on_cube(cell, side)

    def start_from(self, comment: Cell, first: Player) -> None:
        """Set the board of a comment before the first action; findings and the event have the place of the comment."""
        first_cell = self.place
        self.place = comment
        self.set_position = None
        self.apply(position_set_by_hand(comment.play, first, self.state))
        self.place = first_cell

    def act_on_cube(self, cell: Cell, side: Player) -> None:
        self.do(_CUBE_ACTIONS[cell.kind], side)
        offer = self.state.offer
        if isinstance(offer, Double) and cell.value not in (None, offer.value):
            note = f"the double offers the cube at {offer.value}, not {cell.value}"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)

    def pass_without_roll(self, side: Player) -> None:
        """A turn without a play whose roll is not shown: whatever it was, the opponent goes on from this board."""
        position = self.state.position
        claim = "the record says that a roll cannot be played"
        if self.state.phase is not Phase.TO_ROLL or self.state.on_roll is not side:
            note = f"{claim}, but it is not this player's turn to roll"
            self.stop(FindingKind.ILLEGAL_ACTION, note)
            return
        first_plays = [position.legal_plays(dice)[0] for dice in ROLLS]
        can_always_move = all(play.moves for play in first_plays)
        if can_always_move:
            self.stop(FindingKind.ILLEGAL_PLAY, f"{claim}, but every roll can be")
            return
        self.apply(SetPosition(position.flip(), side.opponent))
        note = "the roll is not shown; it cannot be played"
        self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)

    # --- rolls --------------------------------------------------------------------------------------------------------

    def follow_roll(self, cell: Cell, side: Player, *, is_last: bool) -> None:
        if is_last and cell.dice == _NO_DICE and self.is_resignation_without_roll(cell):
            self.resigner = side
            self.has_resign_marker = bool(cell.play)
            return
        dice = ROLL_OF_TEXT.get(cell.dice)
        if dice is None:
            dice = Dice.of(cell.dice)  # raises the error that says why these are no dice
        self.roll(side, dice)
        plays = self.state.legal_plays
        text = cell.play
        if text[:1].isdigit():  # nearly always, and then it is none of the texts below
            self.follow_shown_play(cell, side, plays)
        elif is_dump(text):
            self.follow_illegal_play(text, side)
        elif is_hidden_play(text):
            self.follow_hidden_play(cell, side, plays, is_last=is_last)
        elif is_said_to_dance(text):
            self.follow_dance(side, plays, is_last=is_last)
        else:
            self.follow_shown_play(cell, side, plays)

    def is_resignation_without_roll(self, cell: Cell) -> bool:
        """Whether `00:` or `00: ????` stands for a resignation; without `????` only if the game has a stated end."""
        if cell.play:
            return is_question_marks(cell.play)
        return self.has_end

    def follow_illegal_play(self, text: str, side: Player) -> None:
        """An illegal play that was allowed to stand: the record has the board after it."""
        position = position_of_dump(text, self.state.position.checkers)
        self.apply(SetPosition(position, side.opponent))
        self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)

    def follow_hidden_play(self, cell: Cell, side: Player, plays: Plays, *, is_last: bool) -> None:
        """A roll without a play, or with `????` instead of one.

        As the last cell of a game with a stated end, it may be the play that won the game, or a resignation.
        """
        has_question_marks = cell.play != ""
        if is_last and self.has_end:
            winning_play = self.winning_play(plays)
            if winning_play is not None:
                self.make_winning_play(side, winning_play, plays)
                return
            if has_question_marks:
                self.resigner = side
                self.has_resign_marker = True
                note = "the player resigned after this roll"
                self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
                return
        is_dance = not plays[0].moves
        if is_dance:
            self.do_play(side, plays[0])
        elif is_last and not has_question_marks:
            self.resigner = side  # if the rest of the record says that somebody gave the game up
        elif len(plays) == 1:
            self.only_legal_play(side, plays[0])
        else:
            self.leave_plays_out(cell, plays)

    def leave_plays_out(self, cell: Cell, plays: Plays) -> None:
        """Stop at a play that is not shown: at the stated end, if the rest of this player's plays are not shown."""
        later = self.cells[self.cells.index(cell) + 1 :]
        if not are_without_plays(later, cell.side) or not self.has_agreed_end:
            note = f"the play is not shown, and {len(plays)} are legal"
            self.stop(FindingKind.HIDDEN_PLAY, note, Severity.WARNING)
            return
        self.is_rest_left_out = True
        what = "the last play of this player is not shown"
        if any(later_cell.side is cell.side for later_cell in later):
            what = "the play is not shown, nor is any later one of this player"
        note = (
            f"{what}; the game ends here, as the record states it, and "
            f"{rolls_and_plays_of(later)} left out"
        )
        self.report(Severity.WARNING, FindingKind.HIDDEN_PLAY, note)

    @property
    def has_agreed_end(self) -> bool:
        """Whether the record says who won how much, the next score says the same, and the game can end so now."""
        ending = self.ending
        claims = {(claim.winner, claim.points) for claim in ending.claims}
        is_next_score_odd = not ending.is_last_game and ending.by_next_score is None
        if len(claims) != 1 or is_next_score_odd or ending.contradicts_itself():
            return False
        ((winner, points),) = claims
        if winner is None or points is None:
            return False
        return self.can_resign_for(points, winner) or self.is_award(winner.opponent, points)

    def can_resign_for(self, points: int, winner: Player) -> bool:
        """Whether a resignation gives the winner these points, or more than a record that caps them states."""
        level = self.level_for(winner.opponent, [points])
        levels = levels_that_count(self.state, winner)
        is_possible = bool(levels) and level <= levels[-1]
        return is_possible and self.ending.allows_win(winner, self.points_if_resigned(level))

    def winning_play(self, plays: Plays) -> Play | None:
        """The first play that ends the game as the record states it; None if none does."""
        checkers_left = sum(count for count in self.state.position.points if count > 0)
        if checkers_left > _MAX_BORNE_OFF:
            return None
        for play in plays:
            if self.ending.allows(self.state.play(play).result):
                return play
        return None

    def make_winning_play(self, side: Player, play: Play, plays: Plays) -> None:
        if len(plays) == 1:
            self.only_legal_play(side, play)
            return
        note = f"of the {len(plays)} legal ones, {play} ends the game as stated, so it is used"
        self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, f"the play is not shown; {note}")
        self.do_play(side, play)

    def follow_dance(self, side: Player, plays: Plays, *, is_last: bool) -> None:
        """Follow a roll that cannot be played, as the record says; as the last cell, it may be a resignation."""
        first = plays[0]
        is_dance = not first.moves
        if is_dance:
            self.do_play(side, first)
            return
        if is_last and self.has_end:
            self.resigner = side  # they gave the game up instead of playing the roll
            return
        kind = FindingKind.ILLEGAL_PLAY
        note = f"the record says that there is no legal play, but {first} is one"
        if len(plays) > 1:
            self.stop(kind, note)
        else:
            self.report(Severity.ERROR, kind, note)
            self.do_play(side, first)

    def follow_shown_play(self, cell: Cell, side: Player, plays: Plays) -> None:
        play = self.play_in(cell, plays)
        if play is None:
            self.leave_rest_out()  # without a finding: enough illegal plays have been explained
            return
        self.do_play(side, play)
        if "?" in cell.play:  # few plays have a remark, so it is looked for only then
            for remark in _ILLEGAL.findall(cell.play):
                self.remark(remark.strip())

    def play_in(self, cell: Cell, plays: Plays) -> Play | None:
        """The play that a cell shows; None for an illegal one if enough illegal plays have been explained.

        Raises:
            ParseError: the text cannot be read.
            IllegalPlayError: the play is illegal, and the error says why.
        """
        text = text_of_play(cell.play)
        try:
            play = legal_play(plays, text)
        except AmbiguousPlayError as error:
            play = play_in_order_of_dice(error.candidates, int(cell.dice[0]))
            others = [str(candidate) for candidate in error.candidates if candidate != play]
            note = (
                f"the text also fits {', '.join(others)}; "
                f"it is read as {play}, in the order of the dice"
            )
            self.report(Severity.INFO, FindingKind.AMBIGUOUS_PLAY, note)
            return play
        if play is None and not self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
            plays.find(text)  # raises the IllegalPlayError
        return play


def are_without_plays(cells: Sequence[Cell], side: Player | None) -> bool:
    """Whether all cells are rolls, and none of this player shows a play; a dance is none."""
    are_rolls = all(cell.kind is CellKind.ROLL for cell in cells)
    return are_rolls and not any(shows_a_play(cell.play) for cell in cells if cell.side is side)


def rolls_and_plays_of(cells: Sequence[Cell]) -> str:
    """How many rolls and plays there are in the last cells of a game, such as "1 roll and 1 play after it are"."""
    plays = [cell for cell in cells if shows_a_play(cell.play)]
    rolls = counted(len(cells), "roll")
    if plays:
        return f"{rolls} and {counted(len(plays), 'play')} after it are"
    return f"{rolls} after it {'is' if len(cells) == 1 else 'are'}"


def shows_a_play(text: str) -> bool:
    return not is_hidden_play(text) and not is_said_to_dance(text)


def is_said_to_dance(text: str) -> bool:
    return text.lower() == "cannot move"


def is_hidden_play(text: str) -> bool:
    return not text or is_question_marks(text)


def is_question_marks(text: str) -> bool:
    return bool(text) and not text.strip("?")


def text_of_play(text: str) -> str:
    """The text of a play, without the moves and the remarks that some programs add to it."""
    if "?" in text:
        text = _ILLEGAL.sub("", text)
    if "0/0" in text or "  " in text:
        text = " ".join(move for move in text.split() if move != "0/0")
    return text


def play_in_order_of_dice(candidates: tuple[Play, ...], first_die: int) -> Play:
    """The candidate that starts with the die written first; the first one if none does."""
    for play in candidates:
        move = play.moves[0]
        if move.from_point - move.to_point == first_die:
            return play
    return candidates[0]
