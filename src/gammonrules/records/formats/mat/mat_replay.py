"""A game of match text: its cells are followed, then it ends as the record states, if they have not ended it.

The next game starts from its own score line, even if the replay of this one ends early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import define, field

from gammonrules.board import Win
from gammonrules.match import Phase, Player
from gammonrules.match.internals import level_name, why_not_award
from gammonrules.records.formats.mat.cell_replay import CellReplay
from gammonrules.records.formats.mat.cells import END_WORDS, LOSERS_WORDS, Cell, CellKind, SheetGame
from gammonrules.records.formats.match_reading import GameReplay
from gammonrules.records.transcript import FindingKind, Game, Severity

_LEVELS = {"single": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
_WORD = re.compile(r"\w+")
_RESIGNS = (CellKind.CONCEDES, CellKind.RESIGNED)
"""End words that say that the game was resigned, and may say at which level."""


@define
class MatReplay(CellReplay):
    raw: SheetGame
    awarded: str | None = field(init=False, default=None)
    """The comment that awarded this game, or the rest of the match."""

    def run(self) -> Iterator[Game]:
        """The game, as far as it can be followed; after the last, one that was forfeited with the rest of the match."""
        self.report_odd_end()
        self.follow_cells(self.last_action())
        if not self.cut and self.state.result is None:
            self.end()
        forfeited = None
        if self.ending.forfeit is not None and not self.cut:
            forfeited = self.forfeited_rest(self.ending.forfeit)
        # the comment that awarded a game became an event; by identity, since another may have the same words
        comments = tuple(text for text in self.raw.comments if text is not self.awarded)
        yield self.game(self.raw.number, self.ending.by_words, comments)
        if forfeited is not None:
            yield forfeited

    def report_odd_end(self) -> None:
        """Report end words that contradict each other, or after which the game goes on."""
        words = self.ending.words
        if self.ending.contradicts_itself():
            note = "the record states the end of the game more than once, and differently"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, place=words[-1])
        has_ended = False
        for cell in self.raw.cells:
            if cell.kind in END_WORDS:
                has_ended = True
            elif has_ended and cell.kind is not CellKind.UNREADABLE:
                note = "the game goes on after its stated end"
                self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note, place=cell)
                return

    def last_action(self) -> int | None:
        """The index of the last cell that can be read, after which the stated end comes; None if no end is stated.

        It is 0 if no cell can be read: then the end comes at once.
        """
        is_end_stated = bool(self.ending.points) or self.ending.says_how
        if self.loser is None or not is_end_stated:
            return None
        for index in reversed(range(len(self.cells))):
            if self.cells[index].kind is not CellKind.UNREADABLE:
                return index
        return 0

    @property
    def loser(self) -> Player | None:
        """The player who gave the game up, by what the record states and by the last cell, if it has been followed."""
        return self.ending.loser(self.resigner, has_marker=self.has_resign_marker)

    # --- an end that no play has brought about ------------------------------------------------------------------------

    def end(self) -> None:
        """End the game as the record states: it was forfeited or resigned, or it has no result."""
        words = self.ending.words
        self.place = words[0] if words else self.raw
        loser = self.loser
        if loser is None:
            self.report_no_result()
            return
        points = self.points_awarded(loser)
        if points is not None:
            self.end_by_forfeit(loser, points)
        elif self.state.phase is Phase.OPENING:
            self.report_no_result()
        else:
            self.report_doubts(loser)
            self.resign(loser, self.level_resigned(loser))

    def end_by_forfeit(self, loser: Player, points: int) -> None:
        comment = self.ending.forfeit
        if comment is not None and loser.opponent in self.ending.forfeit_winners:
            self.awarded = comment.text
            if not self.ending.words:  # otherwise the place is that of the words
                self.place = comment
        is_stated = self.awarded is not None or self.state.phase is Phase.OPENING
        self.forfeit(loser, points, stated=is_stated)

    def points_awarded(self, loser: Player) -> int | None:
        """The points for which the loser forfeited the game; None if it was resigned.

        A comment without points means those of the match, if no game follows. Before the opening roll nobody can
        resign: there a loser's word is enough.
        """
        stated_points = set(self.ending.points)
        is_in_comment = loser.opponent in self.ending.forfeit_winners
        if not stated_points and is_in_comment and self.ending.may_end_match:
            return self.points_needed(loser.opponent)
        if len(stated_points) != 1:
            return None
        (points,) = stated_points
        is_opening = self.state.phase is Phase.OPENING
        has_losers_word = any(cell.kind in LOSERS_WORDS for cell in self.ending.words)
        is_forfeit = is_in_comment or (is_opening and has_losers_word)
        if self.can_award(loser, points, is_forfeit=is_forfeit):
            return points
        winning_points = self.points_that_win(loser, points)
        if winning_points and self.can_award(loser, winning_points, is_forfeit=is_forfeit):
            return winning_points
        return None

    def can_award(self, loser: Player, points: int, *, is_forfeit: bool) -> bool:
        """Whether these points must have been awarded, or can have been, if words say that there was a forfeit."""
        if is_forfeit and why_not_award(self.state.length, points) is None:
            return True
        return self.is_award(loser, points)

    def points_that_win(self, loser: Player, stated: int) -> int | None:
        """The points that win the match, if its last game states more, and more than any resignation gives."""
        needed = self.points_needed(loser.opponent)
        if needed is None or not self.ending.may_end_match:
            return None
        most_by_resignation = self.points_if_resigned(Win.BACKGAMMON)
        return needed if stated > needed and stated > most_by_resignation else None

    def level_resigned(self, loser: Player) -> Win:
        """The level of the resignation: by the points, else by the loser's words, as in "Resigns gammon"."""
        if self.ending.points:
            return self.level_for(loser, self.ending.points)
        for cell in self.ending.words:
            levels = levels_named(words_of_resignation(cell))
            if levels:
                lowest_named = levels[0]
                return min(lowest_named, self.highest_win)
        return self.level_for(loser, [])

    def report_doubts(self, loser: Player) -> None:
        """Report what is odd about a resignation that is taken from the record."""
        if self.has_resign_marker and self.resigner is not loser:
            winner = loser.opponent.title()
            note = f"the last cell says that {winner} resigned, but the rest of the record gives them the game"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)
        if not self.ending.points:
            self.report_unclear_words(loser)
        kinds = {cell.kind for cell in self.ending.words}
        says_that_they_resigned = self.has_resign_marker or not kinds.isdisjoint(_RESIGNS)
        if not says_that_they_resigned:
            says_who_lost = CellKind.LOSSES in kinds
            words = "says who lost, but not how" if says_who_lost else "states points"
            self.report_inferred_resignation(f"the record only {words}")

    def report_unclear_words(self, loser: Player) -> None:
        """Report words of resignation that name no level, unless earlier ones do."""
        for cell in self.ending.words:
            words = words_of_resignation(cell)
            if levels_named(words):
                return
            if words:
                assumed = level_name(self.level_for(loser, []))
                note = f"these words name no level of resignation; a {assumed} is assumed"
                self.report(Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, note, place=cell)

    # --- the rest of the match ----------------------------------------------------------------------------------------

    def forfeited_rest(self, comment: Cell) -> Game | None:
        """The next game, if a comment that does not award this one awards the rest of the match."""
        state = self.state
        winners = self.ending.forfeit_winners
        awards_this_game = self.awarded is not None
        game_is_over = state.result is not None
        if awards_this_game or (game_is_over and not winners):
            return None
        points = None
        if len(winners) == 1 and self.ending.is_last_game:
            points = self.points_needed(winners[0])
        a_game_follows = game_is_over and state.winner is None
        if points is None or not a_game_follows:
            unknown = "neither player has this name"
            why = "the record gives no points for them" if winners else unknown
            note = f"nothing is awarded for these words: {why}"
            self.report(Severity.WARNING, FindingKind.FORFEIT, note, place=comment)
            return None
        self.awarded = comment.text
        rest = GameReplay(
            self.index + 1, start=state.next_game(), findings=self.findings, place=comment
        )
        rest.forfeit(winners[0].opponent, points, stated=True)
        return rest.game(self.raw.number + 1)


def words_of_resignation(cell: Cell) -> list[str]:
    """The words after "Resigns", "Resigned" or "Concedes", without points."""
    if cell.kind not in _RESIGNS or cell.value:
        return []
    return _WORD.findall(cell.text.lower())[1:]


def levels_named(words: Sequence[str]) -> list[Win]:
    """The levels that are among these words, the lowest first."""
    return [level for word, level in _LEVELS.items() if word in words]
