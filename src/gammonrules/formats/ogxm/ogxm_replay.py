"""One game, ply by ply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import define

from gammonrules.board import Position, Win
from gammonrules.board.internals import legal_play
from gammonrules.dice import ROLLS, Dice
from gammonrules.errors import GammonError
from gammonrules.formats.match_reading import CALLED_ILLEGAL, GameReplay
from gammonrules.formats.ogxm import ogxm_layout as layout
from gammonrules.formats.ogxm.ogxm_analyses import CUBE, LUCK, PLAYS, Stored, analysis_of
from gammonrules.formats.ogxm.ogxm_layout import Ply
from gammonrules.match import Action, Cube, Double, Event, Player, SetPosition
from gammonrules.match.internals import make_event, why_not_award
from gammonrules.transcript import FindingKind, Severity, Stated

ACTIONS: Final = {layout.DOUBLE: Action.DOUBLE, layout.TAKE: Action.TAKE, layout.DROP: Action.DROP}
_ACTIONS: Final = ACTIONS | dict.fromkeys((layout.BEAVER, layout.RACCOON), Action.BEAVER)
_ENDS: Final = layout.RESIGN, layout.RESIGN_MATCH, layout.FORFEIT, layout.SETTLE
OWNERS: Final[dict[int | None, Player]] = dict(enumerate(Player))


@define
class OgxmReplay(GameReplay):
    winner: Player | None
    points: int
    stored: Stored
    times: Sequence[float]
    """Of the plies of the match, as far as they are known."""
    texts: dict[tuple[int, int], list[str]]

    def follow_all(self, plies: Sequence[Ply]) -> None:
        for index, ply in enumerate(plies):
            self.place, first = ply, len(self.events)
            try:
                self.follow(ply, plies[index + 1] if index + 1 < len(plies) else None)
            except GammonError as error:
                self.stop_at(error)
            for at, event in enumerate(self.events[first:] if ply.line <= len(self.times) else (), start=first):
                if isinstance(event, Event):
                    self.events[at] = make_event(event.action, event.by, event.argument, self.times[ply.line - 1])
            for text in self.texts[2, ply.line - 1]:
                self.remark(text)
            if self.cut:
                break

    def follow(self, ply: Ply, following: Ply | None) -> None:
        player, extras = ply.player, ply.extras
        if ply.action < len(ROLLS) or ply.action in _ACTIONS:
            self.analyze_next(analysis_of(self.stored, ply.line, CUBE))
        if ply.action < len(ROLLS):
            self.dice(ply, following)
        elif ply.action in _ACTIONS:
            self.do(_ACTIONS[ply.action], player)
        elif ply.action == layout.SET_POSITION and "board" in extras:
            if "dice" in extras:
                self.roll(player.opponent, Dice.of(extras["dice"]))
                self.report(Severity.ERROR, FindingKind.ILLEGAL_PLAY, CALLED_ILLEGAL)
            board, checkers = layout.seen(extras["board"], player), self.state.position.checkers
            cube = _cube_in(following) if following and following.action == layout.CUBE_SET else None
            self.apply(SetPosition(Position.from_points(board, checkers=checkers), player, cube))
        elif ply.action == layout.CUBE_SET:
            cube = _cube_in(ply)
            if isinstance(self.state.offer, Double):
                self.do(Action.TAKE, self.state.offer.answerer)
            if self.state.cube != cube:
                self.apply(SetPosition(self.state.view(player), player, cube))
        elif ply.action not in layout.SILENT:
            self.end_by(ply.action, player, extras.get("resigned", 1))

    def dice(self, ply: Ply, following: Ply | None) -> None:
        """A roll, which is the decision not to double, and its play."""
        self.roll(ply.player, ROLLS[ply.action])
        is_last = following is None or following.action in _ENDS
        if ply.steps or not (is_last and any(play.moves for play in self.state.legal_plays)):
            self.analyze_next(analysis_of(self.stored, ply.line, PLAYS, LUCK))
            text = layout.moves_in(ply.steps, ply.player)
            self.do_play(ply.player, legal_play(self.state.legal_plays, text) or self.state.legal_plays.find(text))

    def end_by(self, action: int, player: Player, resigned: int) -> None:
        """A resignation, a forfeit or a settlement."""
        if action == layout.RESIGN and resigned in tuple(Win):
            self.resign(player, Win(resigned))
        elif action == layout.RESIGN_MATCH:
            self.give_up(player, self.points or self.points_needed(player.opponent))
        elif action == layout.FORFEIT:
            self.forfeit(player, self.points or self.points_needed(player.opponent) or 1, stated=True)
        elif action == layout.SETTLE and self.winner and not why_not_award(self.state.length, self.points):
            self.award(self.winner.opponent, self.points, "the players settled the game")
        elif action != layout.SETTLE:
            self.stop(FindingKind.UNREADABLE_LINE, "this action is not known")

    def end(self) -> Stated | None:
        """The stated end of the game; if it stops before that, it was resigned."""
        winner, points, goes_on = self.winner, self.points, not self.cut and self.state.result is None
        if winner is None or not points:
            if goes_on:
                self.has_no_result()
            return None
        if goes_on:
            self.end_early(winner.opponent, points, "the file states points")
        return self.stated_end(winner, points, "", self.place.line)


def _cube_in(ply: Ply) -> Cube:
    return Cube(ply.extras.get("cube", 1), OWNERS.get(ply.extras.get("owner")))
