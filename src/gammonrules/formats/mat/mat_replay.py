"""From the cells of a game to its events and its end.

The next game starts from its own score line, even if the replay of this one ends early.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field

from gammonrules.board import Play, Plays
from gammonrules.errors import ParseError
from gammonrules.formats.mat.cell_replay import Following
from gammonrules.formats.mat.cells import END_WORDS, Cell, CellKind, SheetGame
from gammonrules.formats.mat.end_words import Ending, contradict, forfeit_by_comment, is_as_stated, stated_end
from gammonrules.formats.mat.hidden_plays import Budget, Trials
from gammonrules.formats.match_reading import GameReplay, points_gained, points_needed
from gammonrules.match import MatchState, Phase, Player
from gammonrules.transcript import FindingKind, Game, Severity, Stated


def heading(raw: SheetGame) -> Cell:
    return Cell(CellKind.WINS, None, None, raw.line, raw.score_text.strip())


@define
class MatReplay(Following):
    raw: SheetGame
    next_score: tuple[int, int] | None
    budget: Budget
    """The budget for hidden plays in the whole record."""
    last: bool
    """Whether no game follows in the record."""
    trials: Trials | None = field(init=False, default=None)
    stated: Stated | None = field(init=False, default=None)
    awarded: str | None = field(init=False, default=None)
    """The comment that awarded the game, or the rest of the match."""

    def run(self) -> Iterator[Game]:
        """The game, as far as it can be followed; after the last, one that was forfeited with the rest of the match."""
        self.set_by_hand = self.raw.set_position
        ends = [cell for cell in self.raw.cells if cell.kind in END_WORDS]
        self.stated = stated_end(ends)
        self.check_ends(ends)
        self.follow_all(0, len(self.cells))
        comment, winners = forfeit_by_comment(self.raw)
        if not self.cut and self.state.result is None:
            about = self.stated, self.gained, self.resigner, self.marked
            self.end(Ending(self.state, ends, *about, winners, self.last), comment)
        rest = [] if comment is None or self.cut else list(self.forfeited_rest(comment, winners))
        comments = tuple(text for text in self.raw.comments if text is not self.awarded)
        yield self.game(self.raw.number, self.stated, comments)
        yield from rest

    @property
    def gained(self) -> tuple[Player, int] | None:
        """Who gained how many points by the score of the next game."""
        return points_gained(self.start.score, self.next_score)

    def hidden_play(self, side: Player, plays: Plays) -> None:
        """A play that is not shown: the only legal one, or the only one after which the rest of the game is legal."""
        if len(plays) == 1:
            self.only_legal_play(side, plays[0])
            return
        fits, all_tried = self.plays_that_fit(plays)
        if all_tried and len(fits) == 1:
            note = f"the play is not shown; of the {len(plays)} legal ones, only {fits[0]} fits the rest of the game"
            self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, note)
            self.do_play(side, fits[0])
            return
        several = "all" if len(fits) == len(plays) else len(fits) or "none"
        fitting = f"{several} of them fit the rest of the game"
        if not all_tried:
            fitting = f"at least {fitting}" if len(fits) > 1 else "too many to try with the rest of the game"
        note = f"the play is not shown; {len(plays)} are legal, and {fitting}"
        self.stop(FindingKind.HIDDEN_PLAY, note, Severity.WARNING)

    def unreadable_play(self, side: Player, plays: Plays, error: ParseError) -> None:
        """A play that cannot be read; the game goes on if only one fits the rest of it."""
        fits, all_tried = self.plays_that_fit(plays)
        if not all_tried or len(fits) != 1:
            raise error
        note = f"{error}; only {fits[0]} fits the rest of the game, so it is used"
        self.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, note)
        self.do_play(side, fits[0])

    def plays_that_fit(self, plays: Plays) -> tuple[list[Play], bool]:
        """The plays after which the rest of the game is legal, and whether there was time to try all of them."""
        if self.trials is None:
            self.trials = Trials(self.index, self.cells, self.ends_here, self.is_as_stated, self.budget)
        return self.trials.plays_that_fit(self.state, plays, self.at)

    def is_as_stated(self, state: MatchState) -> bool:
        return state.result is None or is_as_stated(state.result, self.start, self.stated, self.gained)

    def check_ends(self, ends: list[Cell]) -> None:
        if contradict(ends, self.state):
            note = "the record states the end of the game more than once, and differently"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, ends[-1])
        ended = False
        for cell in self.raw.cells:
            if ended and cell.kind not in END_WORDS and cell.kind is not CellKind.UNREADABLE:
                note = "the game goes on after its stated end"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, cell)
                break
            ended |= cell.kind in END_WORDS

    def end(self, ending: Ending, comment: Cell | None) -> None:
        """The end of a game that stops early, and that a comment may award."""
        self.place = ending.cells[0] if ending.cells else heading(self.raw)
        loser = ending.loser
        points = None if loser is None else ending.points_awarded(loser)
        if loser is not None and points is not None:
            if comment is not None and loser.opponent in ending.awarded_to:
                self.awarded = comment.text
                self.place = self.place if ending.cells else comment
            self.forfeit(loser, points, stated=self.awarded is not None or self.state.phase is Phase.OPENING)
        elif loser is None or self.state.phase is Phase.OPENING:
            self.has_no_result()
        else:
            for severity, kind, cell, note in ending.doubts(loser):
                self.report(severity, kind, note, cell)
            self.resign(loser, ending.level(loser))

    def forfeited_rest(self, comment: Cell, winners: list[Player]) -> Iterator[Game]:
        """The next game, if a comment that does not award this one awards the rest of the match."""
        state = self.state
        points = points_needed(state, winners[0]) if len(winners) == 1 and self.last else None
        if self.awarded is not None or (state.result is not None and not winners):
            return
        if state.result is not None and state.winner is None and points is not None:
            self.awarded = comment.text
            rest = GameReplay(self.index + 1, state.next_game(), self.findings, comment)
            rest.forfeit(winners[0].opponent, points, stated=True)
            yield rest.game(self.raw.number + 1)
        else:
            why = "the record gives no points for them" if winners else "neither player has this name"
            self.report(Severity.WARNING, FindingKind.FORFEIT, f"nothing is awarded for these words: {why}", comment)
