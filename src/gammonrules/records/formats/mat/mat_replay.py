"""From the cells of a game to its events and its end: who resigned at which level, or lost by whose decision.

The next game starts from its own score line, even if the replay of this one ends early.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import dropwhile

from attrs import define, field

from gammonrules.board import Play, Plays, Win
from gammonrules.errors import ParseError
from gammonrules.match import MatchState, Phase, Player
from gammonrules.match.internals import why_not_award
from gammonrules.records.formats.mat.cell_replay import Following, HiddenPlays
from gammonrules.records.formats.mat.cells import (
    END_WORDS,
    LOSERS_WORDS,
    WINNERS_WORDS,
    Cell,
    CellKind,
    SheetGame,
)
from gammonrules.records.formats.match_reading import WINS_BY_FORFEIT, GameReplay, points_gained
from gammonrules.records.transcript import FindingKind, Game, Severity, Stated, quoted

_LEVELS = {"single": Win.SINGLE, "gammon": Win.GAMMON, "backgammon": Win.BACKGAMMON}
_WORD = re.compile(r"\w+")
_DOUBT = {CellKind.WINS: 1, CellKind.RESIGNED: 2}
"""How uncertain it is who won by an end word in somebody's column; a loser's word is certain."""


@define
class MatReplay(Following):
    raw: SheetGame
    next_score: tuple[int, int] | None
    hidden: HiddenPlays
    """Those of the whole record."""
    last: bool
    """Whether no game follows in the record."""
    ends: list[Cell] = field(init=False)
    """The end words."""
    comment: Cell | None = field(init=False)
    """The comment that says that somebody won by forfeit."""
    winners: list[Player] = field(init=False)
    """Whom it names: both players if they have the same name."""
    stated: Stated | None = field(init=False, default=None)
    gained: tuple[Player, int] | None = field(init=False)
    """Who gained how many points by the score of the next game."""
    awarded: str | None = field(init=False, default=None)
    """The comment that awarded the game, or the rest of the match."""

    def run(self) -> Iterator[Game]:
        """The game, as far as it can be followed; after the last, one that was forfeited with the rest of the match."""
        self.set_by_hand = self.raw.set_position
        self.ends = [cell for cell in self.raw.cells if cell.kind in END_WORDS]
        self.stated = stated_end(self.ends)
        self.gained = points_gained(self.start.score, self.next_score)
        self.comment, self.winners = forfeit_by_comment(self.raw)
        self.check_ends()
        if self.loser is not None and (self.points or self.says_how):
            readable = [
                at for at, cell in enumerate(self.cells) if cell.kind is not CellKind.UNREADABLE
            ]
            self.last_action = readable[-1] if readable else 0
        self.follow_all(0, len(self.cells))
        if not self.cut and self.state.result is None:
            self.end()
        rest = [] if self.comment is None or self.cut else list(self.forfeited_rest(self.comment))
        comments = tuple(text for text in self.raw.comments if text is not self.awarded)
        yield self.game(self.raw.number, self.stated, comments)
        yield from rest

    def unclear_play(self, side: Player, plays: Plays, error: ParseError | None) -> None:
        """The only legal play, or the only one after which the rest of the game is legal."""
        if len(plays) == 1 and error is None:
            self.only_legal_play(side, plays[0])
            return
        if error is None and (play := self.last_bear_off(side, plays)) is not None:
            note = f"of the {len(plays)} legal ones, {play} is the first after which the game can end as stated"
            self.report(
                Severity.INFO,
                FindingKind.HIDDEN_PLAY,
                f"the play is not shown; {note}, so it is used",
            )
            self.do_play(side, play)
            return
        fits = [play for play in plays if self.hidden.left > 0 and self.hidden.can_end(self, play)]
        all_tried = self.hidden.left > 0
        if all_tried and len(fits) == 1:
            if error is None:
                why = f"the play is not shown; of the {len(plays)} legal ones, only {fits[0]} fits the rest of the game"
                self.report(Severity.INFO, FindingKind.HIDDEN_PLAY, why)
            else:
                note = f"{error}; only {fits[0]} fits the rest of the game, so it is used"
                self.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, note)
            self.do_play(side, fits[0])
            return
        if error is not None:
            raise error
        fitting = f"{'all' if len(fits) == len(plays) else len(fits) or 'none'} of them fit the rest of the game"
        if not all_tried:
            fitting = (
                f"at least {fitting}"
                if len(fits) > 1
                else "too many to try with the rest of the game"
            )
        note = f"the play is not shown; {len(plays)} are legal, and {fitting}"
        self.stop(FindingKind.HIDDEN_PLAY, note, Severity.WARNING)

    def last_bear_off(self, side: Player, plays: Plays) -> Play | None:
        """The first play after which a winner who shows no more plays bears off the last checkers, as it is stated."""
        rolls = (
            cell
            for cell in self.cells[self.at :]
            if cell.side is side and cell.kind is CellKind.ROLL
        )
        wins = any(winner is side for winner, _ in self.stated_ends)
        if (
            not wins
            or any(cell.play.strip("?") for cell in rolls)
            or max(self.state.position.points[7:]) > 0
        ):
            return None
        return next(
            (play for play in plays if self.hidden.can_end(self, play, must_end=True)), None
        )

    def is_as_stated(self, state: MatchState) -> bool:
        return state.result is None or not self.stated_ends or self.is_stated_end(state)

    @property
    def stated_ends(self) -> list[tuple[Player | None, int | None]]:
        """Who won how much by the end words, and by the next score."""
        by_words = [] if self.stated is None else [(self.stated.winner, self.stated.points)]
        return [*by_words, *([] if self.gained is None else [self.gained])]

    def is_stated_end(self, state: MatchState) -> bool:
        """Whether a result is one of those that the record states; points may be capped."""
        if (result := state.result) is None:
            return False
        caps = capped(self.start, {result.winner})
        return any(
            winner in (None, result.winner)
            and (points in (None, result.points) or (points in caps and points < result.points))
            for winner, points in self.stated_ends
        )

    def check_ends(self) -> None:
        if contradict(self.ends, self.start):
            note = "the record states the end of the game more than once, and differently"
            self.report(
                Severity.WARNING, kind=FindingKind.POINTS_MISMATCH, note=note, place=self.ends[-1]
            )
        from_end = dropwhile(lambda cell: cell.kind not in END_WORDS, self.raw.cells)
        later = (
            cell
            for cell in from_end
            if cell.kind not in END_WORDS and cell.kind is not CellKind.UNREADABLE
        )
        if (cell := next(later, None)) is not None:
            self.report(
                Severity.WARNING,
                kind=FindingKind.POINTS_MISMATCH,
                note="the game goes on after its stated end",
                place=cell,
            )

    def end(self) -> None:
        self.place = self.ends[0] if self.ends else self.raw
        loser = self.loser
        points = None if loser is None else self.points_awarded(loser)
        if loser is not None and points is not None:
            if self.comment is not None and loser.opponent in self.winners:
                self.awarded = self.comment.text
                self.place = self.place if self.ends else self.comment
            self.forfeit(
                loser, points, stated=self.awarded is not None or self.state.phase is Phase.OPENING
            )
        elif loser is None or self.state.phase is Phase.OPENING:
            self.has_no_result()
        else:
            self.report_doubts(loser)
            self.resign(loser, self.level())

    @property
    def may_end_match(self) -> bool:
        """Whether the end of the game may be that of a match: a forfeit without points is then one of the match."""
        return self.last and self.state.length is not None

    @property
    def points(self) -> list[int]:
        """What was won, by the end words and by the score of the next game."""
        return [points for _, points in self.stated_ends if points and points > 0]

    @property
    def says_how(self) -> bool:
        """Whether words say that the loser gave up."""
        return any(cell.kind is not CellKind.WINS for cell in self.ends)

    @property
    def loser(self) -> Player | None:
        """Who resigned.

        The first of these that exists: a comment about a forfeit, if nothing names another winner; the loser's own
        words, the score of the next game, `????` after a roll, the column of `Wins`.
        """
        winners = {winner for winner, _ in self.stated_ends} - {None}
        if len(self.winners) == 1 and (
            winners == {*self.winners} or (not winners and self.may_end_match)
        ):
            return self.winners[0].opponent
        for cell in self.ends:
            if cell.kind in LOSERS_WORDS and cell.side is not None:
                return cell.side
        if self.gained is not None:
            return self.gained[0].opponent
        if self.marked and self.resigner is not None:
            return self.resigner
        if self.stated is not None and self.stated.winner is not None:
            return self.stated.winner.opponent
        return self.resigner if self.ends else None

    def points_awarded(self, loser: Player) -> int | None:
        """The points for which the loser forfeited the game, or None if it was resigned.

        A comment without points means those of the match, if no game follows. Before the opening roll nobody can
        resign: there a loser's word is enough.
        """
        state = self.state
        stated = {*self.points}
        by_comment = loser.opponent in self.winners
        if by_comment and self.may_end_match and not stated:
            return self.points_needed(loser.opponent)
        forfeit = by_comment or (
            state.phase is Phase.OPENING and any(cell.kind in LOSERS_WORDS for cell in self.ends)
        )
        for points in (*stated, self.points_that_win(loser)) if len(stated) == 1 else ():
            if points and (
                self.is_award(loser, points)
                or (forfeit and not why_not_award(state.length, points))
            ):
                return points
        return None

    def points_that_win(self, loser: Player) -> int | None:
        """The points that win the match, if its last game states more, and more than any resignation gives."""
        needed = self.points_needed(loser.opponent) if self.may_end_match and self.points else None
        most = self.points_if_resigned(Win.BACKGAMMON)
        return needed if needed is not None and min(self.points) > max(needed, most) else None

    def level(self) -> Win:
        """The level of the resignation: by the points, else by the loser's words, as in "Resigns gammon"."""
        if self.points:
            return self.level_for(self.points)
        levels = (level for cell in self.ends for level in levels_named(words_of_resignation(cell)))
        return min(next(levels, Win.SINGLE), self.highest_win)

    def report_doubts(self, loser: Player) -> None:
        if self.marked and self.resigner is not loser:
            winner = loser.opponent.title()
            note = f"the last cell says that {winner} resigned, but the rest of the record gives them the game"
            self.report(Severity.WARNING, FindingKind.POINTS_MISMATCH, note)
        if not self.points:
            self.report_unclear_words()
        kinds = {cell.kind for cell in self.ends}
        if not self.marked and kinds.isdisjoint((CellKind.CONCEDES, CellKind.RESIGNED)):
            words = "says who lost, but not how" if CellKind.LOSSES in kinds else "states points"
            self.has_only_points(f"the record only {words}")

    def report_unclear_words(self) -> None:
        """Report words of resignation that name no level, unless earlier ones do."""
        for cell in self.ends:
            words = words_of_resignation(cell)
            if levels_named(words):
                return
            if words:
                note = "these words name no level of resignation; a single game is assumed"
                self.report(
                    Severity.WARNING, kind=FindingKind.RESIGN_ODD_VALUE, note=note, place=cell
                )

    def forfeited_rest(self, comment: Cell) -> Iterator[Game]:
        """The next game, if a comment that does not award this one awards the rest of the match."""
        state = self.state
        winners = self.winners
        points = self.points_needed(winners[0]) if len(winners) == 1 and self.last else None
        if self.awarded is not None or (state.result is not None and not winners):
            return
        if state.result is not None and state.winner is None and points is not None:
            self.awarded = comment.text
            rest = GameReplay(
                self.index + 1, start=state.next_game(), findings=self.findings, place=comment
            )
            rest.forfeit(winners[0].opponent, points, stated=True)
            yield rest.game(self.raw.number + 1)
        else:
            why = (
                "the record gives no points for them" if winners else "neither player has this name"
            )
            self.report(
                Severity.WARNING,
                kind=FindingKind.FORFEIT,
                note=f"nothing is awarded for these words: {why}",
                place=comment,
            )


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
    """What comes after "Resigns", "Resigned" or "Concedes", without points."""
    resigns = cell.kind in {CellKind.CONCEDES, CellKind.RESIGNED}
    return _WORD.findall(cell.text.lower())[1:] if resigns and not cell.value else []


def levels_named(words: list[str]) -> list[Win]:
    return [level for word, level in _LEVELS.items() if word in words]


def stated_end(ends: list[Cell]) -> Stated | None:
    if not ends:
        return None
    most_certain_first = sorted(ends, key=lambda cell: _DOUBT.get(cell.kind, 0))
    winner = next((side for side in map(winner_by, most_certain_first) if side is not None), None)
    agreeing = [cell for cell in ends if winner_by(cell) in (None, winner)]
    values = [
        cell.value
        for kind in END_WORDS
        for cell in agreeing
        if cell.kind is kind and cell.value is not None
    ]
    main = next((cell for cell in ends if cell.kind is CellKind.WINS), ends[0])
    points = values[0] if values else None
    won = any(cell.and_the_match for cell in ends)
    return Stated(
        winner, points, and_the_match=won, text=quoted(main.text), row=main.row, line=main.line
    )


def winner_by(cell: Cell) -> Player | None:
    """Who won by an end word: the player in whose column it is, or the opponent if it is a loser's word."""
    return cell.side if cell.side is None or cell.kind in WINNERS_WORDS else cell.side.opponent


def contradict(ends: list[Cell], start: MatchState) -> bool:
    """Whether end words name both players as the winner, or different points; only the winner's may be capped."""
    winners = {winner for winner in map(winner_by, ends) if winner is not None}
    won = {cell.value for cell in ends if cell.value is not None and cell.kind is CellKind.WINS}
    lost = {
        cell.value for cell in ends if cell.value is not None and cell.kind is not CellKind.WINS
    }
    if len(winners) > 1 or len(won) > 1 or len(lost) > 1:
        return True
    caps = capped(start, winners)
    return any(
        lost and points not in lost and not (points in caps and points < min(lost))
        for points in won
    )


def capped(start: MatchState, winners: set[Player]) -> set[int]:
    """The points that a file may state for more: the length of the match, and what its winner still needs."""
    length = start.length
    return (
        set() if length is None else {length, *(length - start.score[winner] for winner in winners)}
    )
