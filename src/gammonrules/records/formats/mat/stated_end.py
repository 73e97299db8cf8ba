"""What a record states about the end of a game: by end words, by the next score, and by a comment about a forfeit.

None of it is checked against the play. Points may be capped: some programs state only as many as the winner needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from gammonrules.match import MatchState, Player, Result
from gammonrules.records.formats.mat.cells import (
    COMMENT_SIGNS,
    END_WORDS,
    LOSERS_WORDS,
    WINNERS_WORDS,
    Cell,
    CellKind,
    SheetGame,
)
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT, points_gained
from gammonrules.records.transcript import RecordedResult, quoted

_MAX_RELIABLE_POINTS = (CellKind.WINS, CellKind.LOSSES, CellKind.CONCEDES, CellKind.RESIGNED)
"""Whose points count if end words state several."""
_DOUBT_ABOUT_WINNER = {CellKind.WINS: 1, CellKind.RESIGNED: 2}
"""How uncertain it is who won by an end word in somebody's column; a loser's word is certain."""


@frozen
class _Claim:
    """Who won how much; None for what is not said."""

    winner: Player | None
    points: int | None


@frozen
class StatedEnd:
    start: MatchState
    is_last_game: bool
    """Whether no game follows in the record."""
    words: tuple[Cell, ...]
    """The cells with end words."""
    by_words: RecordedResult | None
    by_next_score: tuple[Player, int] | None
    """Who gained how much by the score of the next game."""
    forfeit: Cell | None
    """The comment that says that somebody won by forfeit."""
    forfeit_winners: tuple[Player, ...]
    """Whom it names: both players if they have the same name, and nobody if it is the name of neither."""

    @classmethod
    def of(
        cls,
        game: SheetGame,
        start: MatchState,
        next_score: tuple[int, int] | None,
        *,
        is_last_game: bool,
    ) -> StatedEnd:
        words = tuple(cell for cell in game.cells if cell.kind in END_WORDS)
        forfeit, forfeit_winners = forfeit_in(game)
        return cls(
            start,
            is_last_game=is_last_game,
            words=words,
            by_words=_end_by_words(words),
            by_next_score=points_gained(start.score, next_score),
            forfeit=forfeit,
            forfeit_winners=forfeit_winners,
        )

    @property
    def claims(self) -> list[_Claim]:
        """The claims about who won how much, of the end words and of the next score."""
        claims: list[_Claim] = []
        if self.by_words is not None:
            claims.append(_Claim(self.by_words.winner, self.by_words.points))
        if self.by_next_score is not None:
            winner, points = self.by_next_score
            claims.append(_Claim(winner, points))
        return claims

    @property
    def points(self) -> list[int]:
        """The points that were won, by the end words and by the next score."""
        claimed = [claim.points for claim in self.claims]
        return [points for points in claimed if points is not None and points > 0]

    @property
    def says_how(self) -> bool:
        """Whether words say that the loser gave up."""
        return any(cell.kind is not CellKind.WINS for cell in self.words)

    @property
    def may_end_match(self) -> bool:
        """Whether this may be the end of the match, so that a forfeit without points is one of the match."""
        return self.is_last_game and self.start.length is not None

    def allows(self, result: Result | None) -> bool:
        """Whether a game that ends like this ends as one of the claims says."""
        return result is not None and self.allows_win(result.winner, result.points)

    def allows_win(self, winner: Player, points: int) -> bool:
        """Whether one of the claims says that this player won this much, or states fewer points as a cap."""
        caps = _points_for_more(self.start, {winner})
        for claim in self.claims:
            if claim.winner is not None and claim.winner is not winner:
                continue
            if claim.points is None or claim.points == points:
                return True
            is_capped = claim.points in caps and claim.points < points
            if is_capped:
                return True
        return False

    def loser(self, resigner: Player | None, *, has_marker: bool) -> Player | None:
        """The player who gave the game up.

        The most certain sign decides: a comment about a forfeit, if nothing names another winner; else the loser's own
        words; else the score of the next game; else `????` after a roll; else the column of `Wins`.

        Args:
            resigner: who made no more play, as far as the last cell shows that.
            has_marker: whether that cell says that they resigned, by `????`.
        """
        if self._forfeit_counts():
            return self.forfeit_winners[0].opponent
        for cell in self.words:
            if cell.kind in LOSERS_WORDS and cell.side is not None:
                return cell.side
        if self.by_next_score is not None:
            winner, _ = self.by_next_score
            return winner.opponent
        if resigner is not None and has_marker:
            return resigner
        if self.by_words is not None and self.by_words.winner is not None:
            return self.by_words.winner.opponent
        is_end_stated = len(self.words) > 0
        return resigner if is_end_stated else None

    def _forfeit_counts(self) -> bool:
        """Whether a comment names one player as the winner, and nothing else names the other one."""
        if len(self.forfeit_winners) != 1:
            return False
        (forfeit_winner,) = self.forfeit_winners
        winners = [claim.winner for claim in self.claims if claim.winner is not None]
        if winners:
            return all(winner is forfeit_winner for winner in winners)
        return self.may_end_match

    def contradicts_itself(self) -> bool:
        """Whether end words name both players as the winner, or different points; only the winner's may be capped."""
        winners = {winner for winner in map(_winner_by, self.words) if winner is not None}
        points_won = set[int]()
        points_lost = set[int]()
        for cell in self.words:
            if cell.value is None:
                continue
            if cell.kind is CellKind.WINS:
                points_won.add(cell.value)
            else:
                points_lost.add(cell.value)
        if len(winners) > 1 or len(points_won) > 1 or len(points_lost) > 1:
            return True
        if not points_won or not points_lost or points_won == points_lost:
            return False
        (won,) = points_won
        (lost,) = points_lost
        is_capped = won < lost and won in _points_for_more(self.start, winners)
        return not is_capped


def forfeit_in(game: SheetGame) -> tuple[Cell | None, tuple[Player, ...]]:
    """The comment "NAME wins by forfeit", if there is one, and the players of that name."""
    # a comment has lost such signs at its beginning, so a name that begins with them has too
    names = [name.lstrip(COMMENT_SIGNS) for name in game.names or ()]
    for comment in game.forfeits:
        winner = comment.text.removesuffix(WINS_BY_FORFEIT)
        winners = tuple(
            player for player, name in zip(Player, names, strict=False) if name == winner
        )
        if winners:
            return comment, winners
    last_comment = game.forfeits[-1] if game.forfeits else None
    return last_comment, ()


def _end_by_words(words: Sequence[Cell]) -> RecordedResult | None:
    """The winner and the points by the end words; None without any. "Wins" is quoted, or else the first of them."""
    if not words:
        return None
    winner = _most_certain_winner(words)
    agreeing = [cell for cell in words if _winner_by(cell) in (None, winner)]
    with_points = [cell for cell in agreeing if cell.value is not None]
    points = None
    if with_points:
        most_reliable = min(with_points, key=lambda cell: _MAX_RELIABLE_POINTS.index(cell.kind))
        points = most_reliable.value
    cells_of_wins = [cell for cell in words if cell.kind is CellKind.WINS]
    quoted_cell = cells_of_wins[0] if cells_of_wins else words[0]
    return RecordedResult(
        winner,
        points,
        and_the_match=any(cell.and_the_match for cell in words),
        text=quoted(quoted_cell.text),
        row=quoted_cell.row,
        line=quoted_cell.line,
    )


def _most_certain_winner(words: Iterable[Cell]) -> Player | None:
    for cell in sorted(words, key=lambda cell: _DOUBT_ABOUT_WINNER.get(cell.kind, 0)):
        winner = _winner_by(cell)
        if winner is not None:
            return winner
    return None


def _winner_by(cell: Cell) -> Player | None:
    """The winner by an end word: the player in whose column it is, or the opponent if it is a loser's word."""
    if cell.side is None or cell.kind in WINNERS_WORDS:
        return cell.side
    return cell.side.opponent


def _points_for_more(start: MatchState, winners: Iterable[Player]) -> set[int]:
    """The points that a file may state in place of more: the length of the match, and what its winner still needs."""
    length = start.length
    if length is None:
        return set()
    return {length, *(length - start.score[winner] for winner in winners)}
