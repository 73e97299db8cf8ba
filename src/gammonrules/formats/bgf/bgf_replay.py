"""From the records of a game to events. Boards are not stored, so an illegal play ends the replay, as in match text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from attrs import define, field, frozen

from gammonrules.board import Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.formats.bgf.bgf_analyses import encoded_cube, encoded_plays, items, members, moves_of, texts
from gammonrules.formats.match_reading import GameReplay, points_gained
from gammonrules.limits import MOST_POINTS
from gammonrules.match import Action, Player
from gammonrules.transcript import EncodedAnalysis, FindingKind, Game, Stated

_PLAYERS: Final = {-1: Player.WHITE, 1: Player.BLACK}
"""Green, the left column, and Red."""
_ACTIONS: Final = {1: Action.DOUBLE, 2: Action.TAKE, 3: Action.DROP}
_dice: Final = lru_cache(maxsize=None, typed=True)(Dice)  # true is no 1
_START: Final = [*reversed(Position.start().points[1:25]), 0, 0, 0, 0]
_USUAL: Final = {"points": _START, "cube": 1, "cubeOwner": 0, "egyptian": False, "gameMode": 0}


@frozen
class Spot:
    """A record of the file, by its number from 1, or what it says of a game, as a place."""

    line: int
    fields: dict[str, Any]
    row: None = None

    @property
    def text(self) -> str:
        first, second = (self.fields.get(f"score{side}", self.fields.get(side.lower())) for side in ("Red", "Green"))
        return f"{second}-{first}" if "moves" in self.fields else f"{first}{second}: {moves_of(self.fields)}"


@define
class BgfReplay(GameReplay):
    fields: dict[str, Any]
    next_score: tuple[int, int] | None
    doubled: EncodedAnalysis | None = field(init=False, default=None)
    """The analysis of a double, which is that of its answer."""
    ended: Stated | None = field(init=False, default=None)
    resigned: bool = field(init=False, default=False)

    def run(self) -> Game:
        if not _USUAL.items() <= members(self.fields.get("initial")).items():
            self.stop(FindingKind.UNREADABLE_LINE, "the game begins with another board or cube, or has other rules")
        for line, fields in enumerate(map(members, items(self.fields.get("moves"))), start=self.place.line or 1):
            if not self.cut or (fields.get("red"), fields.get("green")) == (4, 7):
                self.place = Spot(line, fields)
                try:
                    self.follow(fields)
                except GammonError as error:
                    self.stop_at(error)
                for comment in texts(fields.get("comment")):
                    self.remark(comment)
        if not (self.cut or self.ended or self.state.result):
            self.has_no_result()
        return self.game(self.index, self.ended, texts(self.fields.get("comment")))

    def follow(self, fields: dict[str, Any]) -> None:
        """The next record; if "green" is 7, "red" is not a die but a code."""
        side, a, b = fields.get("player"), fields.get("red"), fields.get("green")
        if b != 7 and isinstance(a, int) and isinstance(b, int) and side in (-1, 1):
            self.turn(_PLAYERS[side], _dice(a, b), moves_of(fields), fields, "moveAnalysis")
            return
        match side, a, b, fields.get("from"), fields.get("to"):
            case -1 | 1, 4, 7, _, _ if self.ended is None:
                self.end(_PLAYERS[side])
            case -1 | 1, 9, 7, _, _:
                self.resigned = True
            case -1 | 1, 1 | 2 | 3 as code, 7, _, _:
                self.doubled = encoded_cube(fields) if code == 1 else self.doubled
                self.analyze_next(self.doubled)
                self.do(_ACTIONS[code], _PLAYERS[side])
            case -1 | 1, 5, 7, [int(a), *_], [int(b), *_]:
                self.turn(_PLAYERS[side], _dice(a, b), "", fields, "dancingEquity")
            case _:
                raise ParseError("such a record is not known, or comes after the end of the game")

    def turn(self, player: Player, dice: Dice, text: str, fields: dict[str, Any], analysis: str) -> None:
        self.analyze_next(encoded_cube(fields))
        self.roll(player, dice)
        plays = self.state.legal_plays
        play = legal_play(plays, text) or plays.find(text)
        self.analyze_next(encoded_plays(fields, analysis, play.position))
        self.do_play(player, play)

    def end(self, winner: Player) -> None:
        points, gained = self.fields.get("wonPoints"), points_gained(self.start.score, self.next_score)
        if type(points) is not int or not 0 < points <= MOST_POINTS:  # for some last games only the scores tell
            points = gained[1] if gained is not None and gained[0] is winner else None
        self.ended = self.stated_end(winner, points, f"{winner.title()} wins", self.place.line)
        if self.cut or self.state.result is not None:
            return
        if points and (self.fields.get("wasForfeit") is True or self.fields.get("lostOnTime") is True):
            self.forfeit(winner.opponent, points, stated=True)
        else:
            said = self.resigned or self.fields.get("wasResignation") is True
            self.end_early(winner.opponent, points, "" if said else "the file states points")
