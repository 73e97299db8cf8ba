"""From the cells of a game to events: each is offered to a `MatchState`, which knows the rules.

A cell that the rules refuse becomes a finding and ends the replay of its game, unless the next state is known anyway.
The next game starts from its own score line.
"""

from __future__ import annotations

from attrs import define, field

from gammonrules.board import AmbiguousPlayError, Play, Plays
from gammonrules.board.plays import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError
from gammonrules.match import Action, Double, Phase, Player
from gammonrules.records.events import SetPosition
from gammonrules.records.findings import FindingKind, Severity
from gammonrules.records.mat.cells import END_WORDS, Cell, CellKind
from gammonrules.records.mat.columns import SheetGame
from gammonrules.records.mat.ending import Ending, contradict, forfeit_by_comment, points_gained, stated_end
from gammonrules.records.mat.set_by_hand import position_of_dump, position_set_by_hand
from gammonrules.records.model import Game
from gammonrules.records.replaying import Replay

_CUBE_ACTIONS = {
    CellKind.DOUBLE: Action.DOUBLE,
    CellKind.TAKE: Action.TAKE,
    CellKind.DROP: Action.DROP,
    CellKind.BEAVER: Action.BEAVER,
}


def heading(raw: SheetGame) -> Cell:
    """The score line of a game, as a place."""
    return Cell(CellKind.WINS, None, None, raw.line, raw.score_text.strip())


@define
class GameReplay(Replay):
    """The replay of one game."""

    raw: SheetGame
    next_score: tuple[int, int] | None
    awarded: str | None = field(init=False, default=None)
    """The comment that says that the game was forfeited."""
    set_by_hand: str | None = field(init=False, default=None)
    resigner: Player | None = field(init=False, default=None)
    marked: bool = field(init=False, default=False)

    def run(self) -> Game:
        """The game, as far as it can be followed."""
        self.set_by_hand = self.raw.set_position
        ends = [cell for cell in self.raw.cells if cell.kind in END_WORDS]
        stated = stated_end(ends)
        self.check_ends(ends)
        self.follow_all(ends_here=bool(ends) or self.next_score not in (None, self.start.score))
        if not self.cut and self.state.result is None:
            gained = points_gained(self.state.score, self.next_score)
            by_comment = forfeit_by_comment(self.raw)
            self.end(Ending(self.state, ends, stated, gained, self.resigner, self.marked, *by_comment))
        comments = tuple(comment for comment in self.raw.comments if comment is not self.awarded)
        return self.game(self.raw.number, stated, comments)

    def follow_all(self, *, ends_here: bool) -> None:
        """Every cell but the end words, until the rules refuse one."""
        cells = [cell for cell in self.raw.cells if cell.kind not in END_WORDS]
        for index, cell in enumerate(cells):
            self.follow(cell, last=index == len(cells) - 1, ends_here=ends_here)
            if self.cut:
                break

    def check_ends(self, ends: list[Cell]) -> None:
        """Whether the end words agree with each other, and nothing follows them."""
        if contradict(ends, self.state):
            note = "the end of the game is stated more than once, and differently"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, ends[-1])
        ended = False
        for cell in self.raw.cells:
            if ended and cell.kind not in END_WORDS and cell.kind is not CellKind.UNREADABLE:
                note = "the game goes on after its end was stated"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, cell)
                break
            ended |= cell.kind in END_WORDS

    def follow(self, cell: Cell, *, last: bool, ends_here: bool) -> None:
        """One cell; what the rules refuse ends the replay."""
        self.place = cell
        try:
            self.act(cell, last=last, ends_here=ends_here)
        except GammonError as error:
            self.stop_at(error)

    def act(self, cell: Cell, *, last: bool, ends_here: bool) -> None:
        """What one cell says; GammonError if the rules refuse it."""
        side = cell.side
        if side is None or cell.kind is CellKind.UNREADABLE:
            self.cut = True  # the reader of the sheet has reported it
            return
        if self.set_by_hand is not None:
            text, self.set_by_hand = self.set_by_hand, None
            self.set_position(position_set_by_hand(text, side, self.state.position.checkers))
        action = _CUBE_ACTIONS.get(cell.kind)
        if action is not None:
            self.do(action, side)
            self.check_value(cell)
        elif last and is_resignation_without_roll(cell, ends_here=ends_here):
            self.resigner, self.marked = side, bool(cell.play)
        else:
            self.roll(side, Dice.of(cell.dice))
            if not self.cut:
                self.after_roll(cell, side, last=last, ends_here=ends_here)

    def check_value(self, cell: Cell) -> None:
        """Whether the cube value beside an offer is the one that the rules give."""
        offer = self.state.offer
        if isinstance(offer, Double) and cell.value not in (None, offer.value):
            note = f"the value offered is {offer.value}, not {cell.value}"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_ACTION, note)

    def after_roll(self, cell: Cell, side: Player, *, last: bool, ends_here: bool) -> None:
        """The play after a roll, in all the ways of not showing it as well."""
        text = cell.play
        plays = self.state.legal_plays
        if text[:1].isdigit():
            self.shown_play(cell, side, plays)
            return
        hidden = bool(text) and not text.strip("?")
        in_lower_case = text.lower()
        passed = not text or in_lower_case == "cannot move"
        if in_lower_case.startswith("illegal play"):
            self.set_position(SetPosition(position_of_dump(text, self.state.position.checkers), side.opponent))
            note = "the program that wrote the record found this play illegal; the position after it is set by hand"
            self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, note)
        elif not hidden and not passed:
            self.shown_play(cell, side, plays)
        elif hidden and last and ends_here:
            self.resigner, self.marked = side, True
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, "the player resigned after this roll")
        elif not (first := plays[0]).moves:
            self.do_play(side, first)
        elif last and (ends_here or not text):
            self.resigner = side
        else:
            self.unknown_play(side, plays, claimed=passed and bool(text))

    def shown_play(self, cell: Cell, side: Player, plays: Plays) -> None:
        """The play that the record shows."""
        play = self.find(plays, cell)
        if play is None:
            self.cut = True
        else:
            self.do_play(side, play)

    def unknown_play(self, side: Player, plays: Plays, *, claimed: bool) -> None:
        """A roll whose play is missing, though there is one; `claimed`: the file says that there is none."""
        only = len(plays) == 1
        severity, kind, note = (
            Severity.INFO,
            FindingKind.HIDDEN_PLAY,
            f"the play is not shown; {plays[0]} is the only one",
        )
        if claimed:
            severity, kind, note = (
                Severity.ERROR,
                FindingKind.ILLEGAL_PLAY,
                f"the record says that there is no play, but {plays[0]} is one",
            )
        elif not only:
            severity, note = Severity.WARNING, f"the play is not shown, and {len(plays)} are legal"
        if only:
            self.report(severity, kind, note)
            self.do_play(side, plays[0])
        else:
            self.stop(kind, note, severity)

    def find(self, plays: Plays, cell: Cell) -> Play | None:
        """The play that a text means, or None for an illegal one if enough of them have been explained."""
        moves = cell.play.split()
        if "0/0" in moves:
            moves = [move for move in moves if move != "0/0"]
        text = " ".join(moves)
        try:
            play = legal_play(plays, text)
            if play is None and not self.findings.is_full(Severity.ERROR, FindingKind.ILLEGAL_PLAY):
                plays.find(text)  # which says why not
        except AmbiguousPlayError as error:
            play = by_order_of_dice(error.candidates, int(cell.dice[0]))
            others = ", ".join(str(other) for other in error.candidates if other != play)
            note = f"the text also fits {others}; taken is {play}, in the order of the dice"
            self.report(Severity.INFO, FindingKind.AMBIGUOUS_PLAY, note)
        return play

    def end(self, ending: Ending) -> None:
        """The end of a game that stops before its end."""
        self.place = ending.cells[0] if ending.cells else heading(self.raw)
        loser = ending.loser
        if loser is not None and ending.is_forfeited(loser):
            self.awarded = ending.comment
            self.forfeit(loser, ending.points[0])
        elif loser is None or self.state.phase is Phase.OPENING:
            self.report(Severity.INFO, FindingKind.UNFINISHED_GAME, "the game has no result")
        else:
            self.report_doubts(loser, ending)
            self.resign(loser, ending.level)

    def report_doubts(self, loser: Player, ending: Ending) -> None:
        """What the record does not say clearly about a resignation."""
        for severity, kind, cell, note in ending.doubts(loser):
            self.report(severity, kind, note, cell)


def is_resignation_without_roll(cell: Cell, *, ends_here: bool) -> bool:
    """Whether this is `00: ????`, or its beginning before end words, as the last action of a game."""
    return cell.dice == "00" and not cell.play.strip("?") and (ends_here or bool(cell.play))


def by_order_of_dice(candidates: tuple[Play, ...], first: int) -> Play:
    """The candidate that starts with the die written first."""
    for play in candidates:
        move = play.moves[0]
        if move.from_point - move.to_point == first:
            return play
    return candidates[0]
