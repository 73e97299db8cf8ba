"""How a game ended: what the end words say together, and who resigned, at which level, or lost by whose decision."""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import frozen

from gammonrules.board import Win
from gammonrules.formats.mat.cells import END_WORDS, LOSERS_WORDS, Cell, CellKind, SheetGame
from gammonrules.formats.match_reading import (
    WINS_BY_FORFEIT,
    highest_win_now,
    is_award,
    level_for,
    points_if_resigned,
    points_needed,
)
from gammonrules.match import MatchState, Phase, Player, Result
from gammonrules.match.internals import why_not_award
from gammonrules.transcript import FindingKind, Severity, Stated, quoted

_LEVELS = {"single": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
_WORD = re.compile(r"\w+")


@frozen
class Ending:
    """What a record states about a game that stops early."""

    state: MatchState
    """The last state."""
    cells: list[Cell]
    """The end words."""
    stated: Stated | None
    gained: tuple[Player, int] | None
    """Who gained how many points by the score of the next game."""
    resigner: Player | None
    marked: bool
    """Whether the resigner's last cell says that they resigned, rather than just stopping."""
    awarded_to: list[Player]
    """Who won by forfeit, according to a comment: both players if they have the same name."""
    last: bool
    """Whether no game follows."""

    @property
    def may_end_match(self) -> bool:
        """Whether the end of the game may be that of a match: a forfeit without points is then one of the match."""
        return self.last and self.state.length is not None

    @property
    def points(self) -> list[int]:
        """What was won, by the end words and by the score of the next game."""
        stated = (self.stated.points if self.stated else None, self.gained[1] if self.gained else None)
        return [value for value in stated if value and value > 0]

    @property
    def loser(self) -> Player | None:
        """Who resigned.

        The first of these that exists: a comment about a forfeit, if nothing names another winner; the loser's own
        words, the score of the next game, `????` after a roll, the column of `Wins`.
        """
        winners = {self.stated.winner if self.stated else None, self.gained[0] if self.gained else None} - {None}
        if len(self.awarded_to) == 1 and (winners == {*self.awarded_to} or (not winners and self.may_end_match)):
            return self.awarded_to[0].opponent
        for cell in self.cells:
            if cell.kind is not CellKind.WINS and cell.side is not None:
                return cell.side
        if self.gained is not None:
            return self.gained[0].opponent
        if self.marked and self.resigner is not None:
            return self.resigner
        if self.stated is not None and self.stated.winner is not None:
            return self.stated.winner.opponent
        return self.resigner if self.cells else None

    def points_awarded(self, loser: Player) -> int | None:
        """The points for which the loser forfeited the game, or None if it was resigned.

        A comment without points means those of the match, if no game follows. Before the opening roll nobody can
        resign: there a loser's word is enough.
        """
        state, stated = self.state, {*self.points}
        by_comment = loser.opponent in self.awarded_to
        if by_comment and self.may_end_match and not stated:
            return points_needed(state, loser.opponent)
        forfeit = by_comment or (state.phase is Phase.OPENING and any(cell.kind in LOSERS_WORDS for cell in self.cells))
        for points in (*stated, self.points_that_win(loser)) if len(stated) == 1 else ():
            if points and (is_award(state, loser, points) or (forfeit and not why_not_award(state.length, points))):
                return points
        return None

    def points_that_win(self, loser: Player) -> int | None:
        """The points that win the match, if its last game states more, and more than any resignation gives."""
        needed = points_needed(self.state, loser.opponent) if self.may_end_match and self.points else None
        most = points_if_resigned(self.state, Win.BACKGAMMON)
        return needed if needed is not None and min(self.points) > max(needed, most) else None

    def level(self, loser: Player) -> Win:
        """The level of the resignation: by the points, else by the loser's words, as in "Resigns gammon"."""
        if self.points:
            needed = self.points_that_win(loser)
            return level_for(self.state, self.points if needed is None else [needed])
        levels = (level for cell in self.cells for level in levels_named(words_of_resignation(cell)))
        return min(next(levels, Win.SINGLE), highest_win_now(self.state))

    def doubts(self, loser: Player) -> Iterator[tuple[Severity, FindingKind, Cell | None, str]]:
        if self.marked and self.resigner is not loser:
            winner = loser.opponent.title()
            note = f"the last cell says that {winner} resigned, but the rest of the record gives them the game"
            yield Severity.WARNING, FindingKind.POINTS_MISMATCH, None, note
        if not self.points:
            yield from self.unclear_words()
        kinds = {cell.kind for cell in self.cells}
        if not self.marked and CellKind.CONCEDES not in kinds:
            words = "says who lost, but not how" if CellKind.LOSSES in kinds else "states points"
            note = f"the game stops before its end, and the record only {words}: the loser is taken to have resigned"
            yield Severity.INFO, FindingKind.RESIGN_WITHOUT_MARKER, None, note

    def unclear_words(self) -> Iterator[tuple[Severity, FindingKind, Cell, str]]:
        """Words of resignation that name no level, unless earlier ones do."""
        for cell in self.cells:
            words = words_of_resignation(cell)
            if levels_named(words):
                return
            if words:
                note = "these words name no level of resignation; a single game is assumed"
                yield Severity.WARNING, FindingKind.RESIGN_ODD_VALUE, cell, note


def forfeit_by_comment(raw: SheetGame) -> tuple[Cell | None, list[Player]]:
    """The comment "NAME wins by forfeit", if there is one, and the players of that name, of whom there may be none."""
    comment = None
    for comment in raw.forfeits:
        name = comment.text.removesuffix(WINS_BY_FORFEIT)
        named = zip(Player, raw.names or (), strict=False)
        winners = [player for player, player_name in named if player_name.lstrip(";# ") == name]
        if winners:
            return comment, winners
    return comment, []


def words_of_resignation(cell: Cell) -> list[str]:
    """What comes after "Resigns" or "Concedes", without points."""
    return _WORD.findall(cell.text.lower())[1:] if cell.kind is CellKind.CONCEDES and not cell.value else []


def levels_named(words: list[str]) -> list[Win]:
    return [level for word, level in _LEVELS.items() if word in words]


def stated_end(ends: list[Cell]) -> Stated | None:
    if not ends:
        return None
    losers_first = sorted(ends, key=lambda cell: cell.kind is CellKind.WINS)
    winner = next((side for side in map(winner_by, losers_first) if side is not None), None)
    agreeing = [cell for cell in ends if winner_by(cell) in (None, winner)]
    values = [cell.value for kind in END_WORDS for cell in agreeing if cell.kind is kind and cell.value is not None]
    main = next((cell for cell in ends if cell.kind is CellKind.WINS), ends[0])
    points, won = values[0] if values else None, any(cell.and_the_match for cell in ends)
    return Stated(winner, points, won, quoted(main.text), main.row, main.line)


def winner_by(cell: Cell) -> Player | None:
    """Who won by an end word: the player in whose column it is, or the opponent if it is a loser's word."""
    return cell.side if cell.side is None or cell.kind is CellKind.WINS else cell.side.opponent


def contradict(ends: list[Cell], start: MatchState) -> bool:
    """Whether end words name both players as the winner, or different points.

    The winner's points may be capped, at those still needed or at the match length, when the loser's are not.
    """
    winners = {winner for winner in map(winner_by, ends) if winner is not None}
    won = {cell.value for cell in ends if cell.value is not None and cell.kind is CellKind.WINS}
    lost = {cell.value for cell in ends if cell.value is not None and cell.kind is not CellKind.WINS}
    if len(winners) > 1 or len(won) > 1 or len(lost) > 1:
        return True
    caps = capped(start, winners)
    return any(lost and points not in lost and not (points in caps and points < min(lost)) for points in won)


def is_as_stated(result: Result, start: MatchState, stated: Stated | None, gained: tuple[Player, int] | None) -> bool:
    """Whether a result is one of those that the end words and the next score give; points may be capped."""
    ends = [] if stated is None else [(stated.winner, stated.points)]
    ends += [] if gained is None else [gained]
    caps = capped(start, {result.winner})
    return not ends or any(
        winner in (None, result.winner)
        and (points in (None, result.points) or (points in caps and points < result.points))
        for winner, points in ends
    )


def capped(start: MatchState, winners: set[Player]) -> set[int]:
    """The points that a file may state for more: the length of the match, and what its winner still needs."""
    length = start.length
    return set() if length is None else {length, *(length - start.score[winner] for winner in winners)}
