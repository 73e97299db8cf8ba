"""From the bytes of a file to a match: a line of JSON, compressed data, players and rules, games one after another.

Boards are not stored, so an illegal play ends the replay of its game, as in match text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, TypeGuard

from attrs import define, field, frozen

from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import GammonError, ParseError
from gammonrules.limits import MAX_POINTS
from gammonrules.match import Action, Player
from gammonrules.records.formats.bgf.bgf_analyses import (
    encoded_cube,
    encoded_plays,
    items,
    members,
    moves_of,
    texts,
)
from gammonrules.records.formats.bgf.smile import HEADER, read_smile
from gammonrules.records.formats.match_reading import (
    MAX_GAMES,
    GameReplay,
    MatchReading,
    coin_game,
    points_gained,
)
from gammonrules.records.formats.xg.xg_container import Container
from gammonrules.records.transcript import (
    FindingKind,
    FindingLog,
    Game,
    Match,
    RecordedResult,
    Severity,
)
from gammonrules.records.transcript.header_tags import ON_OFF, length_played, rules_in_tags
from gammonrules.values import printable

_SIGN: Final = re.compile(rb'\s{0,20}\{[^{}\n]{0,400}"format"\s{0,9}:\s{0,9}"BGF"')
_KEPT: Final = frozenset(
    ["equity", "dancingEquity", "moveAnalysis", "move", "eq", "luck", "pr", "prGreen", "prRed"]
)
_HEADER: Final = {
    "Site": "site",
    "Match ID": "extMatchID",
    "Event": "event",
    "Round": "round",
    "EventDate": "date",
}
_TAGS: Final = {**_HEADER, "Player 1": "nameGreen", "Player 2": "nameRed"}
_MAX_TEXT_LENGTH: Final = 200


def is_bgf(content: bytes) -> bool:
    """Whether a file begins like those of BGBlitz."""
    return _SIGN.match(content) is not None


def read_bgf(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    packed = Container()
    _, _, compressed = content.partition(b"\n")  # below a line of JSON
    data = packed.inflate(compressed, "its data")
    document, damage = read_smile(data.removeprefix(HEADER), kept=_KEPT)
    defects = packed.defects
    if damage and not defects:  # otherwise it follows from those
        defects = [damage]
    findings = FindingLog()
    for defect in defects:
        note = f"{defect}; whatever can be read is read"
        findings.report(Severity.ERROR, FindingKind.DAMAGED_FILE, note)
    header = members(document)
    stated_length = header.get("matchlen")  # 0 for money play
    listed_games = items(header.get("games"))
    if not is_integer(stated_length) or not listed_games:
        why = "; ".join(defects) or "it has no games"
        raise ParseError(f"this BGBlitz file holds no match: {why}")
    if len(listed_games) > MAX_GAMES:
        note = f"only the first {MAX_GAMES:,} games are read"
        findings.report(Severity.ERROR, FindingKind.UNREADABLE_LINE, note)
    length = stated_length or None
    games = list(_headings(listed_games[:MAX_GAMES]))
    tags = tuple(_tags_of_header(header, length))
    played_to = length_played(length, [game.score_before or (0, 0) for game in games], tags)
    findings.extend(
        coin_game(length, played=played_to, text=f"{stated_length} point match", line=1)
    )
    reading = MatchReading(played_to, rules_in_tags(tags, played_to, 0), findings)
    _follow_games(games, reading, final_score=_score_in(header, "final"))
    players = (_text_line(header.get("nameGreen")), _text_line(header.get("nameRed")))
    comments = texts(header.get("comment"))
    rolls = sum(map(_rolls_recorded, games))
    return reading.match(players, length, tags, comments, "bgf", rolls)


def _follow_games(
    games: list[NumberedRecord], reading: MatchReading, final_score: tuple[int, int] | None
) -> None:
    """Follow all games that are possible. Raises ParseError if none is."""
    for index, (game, following) in enumerate(zip_longest(games, games[1:]), start=1):
        is_crawford = game.fields.get("isCrawford")
        crawford = is_crawford if isinstance(is_crawford, bool) else None
        start = reading.start(index, game, game.score_before, crawford=crawford)
        if start is None:
            continue
        replay = BgfReplay(
            index,
            start,
            reading.findings,
            place=game,
            fields=game.fields,
            next_score=final_score if following is None else following.score_before,
        )
        reading.games[index] = replay.run()
    if not reading.games:
        raise ParseError("this BGBlitz file holds no game that is possible")


def _rolls_recorded(game: NumberedRecord) -> int:
    """How many records of a game are rolls, including those that cannot be played."""
    rolls = 0
    for move in map(members, items(game.fields.get("moves"))):
        if move.get("green") != _CODE or move.get("red") == _DANCE:
            rolls += 1
    return rolls


def _headings(listed_games: list[Any]) -> Iterator[NumberedRecord]:
    """The fields of each game, with the number of its first record."""
    first_record = 1
    for fields in map(members, listed_games):
        yield NumberedRecord(first_record, fields)
        first_record += len(items(fields.get("moves")))


def _score_in(fields: dict[str, Any], name: str) -> tuple[int, int] | None:
    green = fields.get(f"{name}Green")
    red = fields.get(f"{name}Red")
    return (green, red) if is_integer(green) and is_integer(red) else None


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an integer; true and false are none, though Python counts them as such."""
    return type(value) is int


def _tags_of_header(header: dict[str, Any], length: int | None) -> Iterator[tuple[str, str]]:
    """The tags of a match text, in which Green is player 1."""
    for name, member in _TAGS.items():
        text = _text_line(header.get(member))
        if text:
            yield name, text
    rules = ["Jacoby", "Beaver"] if length is None else ["Crawford"]
    for rule in rules:
        is_used = header.get(f"use{rule}") is True
        yield rule, ON_OFF[is_used]
    has_cube = header.get("useCube") is not False
    limit = header.get("cubeLimit") if has_cube else 1  # a cube that never leaves 1 is none
    if is_integer(limit) and limit > 0:
        yield "CubeLimit", str(limit)


def _text_line(value: object) -> str:
    return " ".join(printable(value[:_MAX_TEXT_LENGTH]).split()) if isinstance(value, str) else ""


# --- the events of a game ---------------------------------------------------------------------------------------------


_PLAYERS: Final = {-1: Player.WHITE, 1: Player.BLACK}
"""Green, the left column, and Red."""
_CODE: Final = 7
"""In place of Green's die: Red's is a code then, one of these."""
_DOUBLE: Final = 1
_TAKE: Final = 2
_DROP: Final = 3
_WIN: Final = 4
_DANCE: Final = 5
_RESIGNATION: Final = 9
_RECORD_OF_WIN: Final = (_WIN, _CODE)
_RECORD_OF_RESIGNATION: Final = (_RESIGNATION, _CODE)
_ENDS: Final = (_RECORD_OF_WIN, _RECORD_OF_RESIGNATION)
"""What stands in place of the two dice in the records at the end of a game."""
_UNKNOWN_RECORD: Final = "such a record is not known, or comes after the end of the game"
_dice: Final = lru_cache(maxsize=None, typed=True)(Dice)  # true is no 1
_START: Final = [*reversed(Position.start().points[1:25]), 0, 0, 0, 0]
_USUAL: Final = {"points": _START, "cube": 1, "cubeOwner": 0, "egyptian": False, "gameMode": 0}


@frozen
class NumberedRecord:
    """A record of the file, by its number from 1, or what it says of a game, as a place."""

    line: int
    fields: dict[str, Any]
    row: None = None

    @property
    def text(self) -> str:
        if "moves" in self.fields:
            return f"{self.stated('Green')}-{self.stated('Red')}"
        return f"{self.stated('Red')}{self.stated('Green')}: {moves_of(self.fields)}"

    @property
    def score_before(self) -> tuple[int, int] | None:
        """The score before the game; None if the file does not state it."""
        return _score_in(self.fields, "score")

    def stated(self, side: str) -> object:
        """The score of this side, or else its die."""
        return self.fields.get(f"score{side}", self.fields.get(side.lower()))


@define
class BgfReplay(GameReplay):
    fields: dict[str, Any]
    next_score: tuple[int, int] | None
    doubled: EncodedAnalysis | None = field(init=False, default=None)
    """The analysis of a double, which is that of its answer."""
    ended: RecordedResult | None = field(init=False, default=None)
    """The end that the file states, once its record has been reached."""
    resigned: bool = field(init=False, default=False)
    """Whether a record says that a player resigned."""

    def run(self) -> Game:
        initial = members(self.fields.get("initial"))
        begins_as_usual = _USUAL.items() <= initial.items()
        if not begins_as_usual:
            note = "the game begins with another board or cube, or has other rules"
            self.stop(FindingKind.UNREADABLE_LINE, note)
        moves = [members(move) for move in items(self.fields.get("moves"))]
        codes = [(fields.get("red"), fields.get("green")) for fields in moves]
        last_action = 0
        for index, code in enumerate(codes):
            if code not in _ENDS:
                last_action = index
        is_end_stated = _RECORD_OF_WIN in codes
        first_record = self.place.line or 1
        for index, (fields, code) in enumerate(zip(moves, codes, strict=True)):
            self.only_its_end_follows = is_end_stated and index >= last_action
            # of a game that is cut, only the stated end still counts
            if not self.cut or code == _RECORD_OF_WIN:
                self.place = NumberedRecord(first_record + index, fields)
                self.follow(fields)
        if not self.cut and self.ended is None and self.state.result is None:
            self.report_no_result()
        return self.game(self.index, self.ended, texts(self.fields.get("comment")))

    def follow(self, fields: dict[str, Any]) -> None:
        try:
            self.act(fields)
        except GammonError as error:
            self.stop_at_error(error)
        for comment in texts(fields.get("comment")):
            self.remark(comment)

    def act(self, fields: dict[str, Any]) -> None:
        """Do what the next record says. Raises GammonError."""
        side = fields.get("player")
        red = fields.get("red")
        green = fields.get("green")
        if side not in list(_PLAYERS):  # not in the dict, which raises an error for a list
            raise ParseError(_UNKNOWN_RECORD)
        player = _PLAYERS[side]
        if green == _CODE:
            self.act_by_code(red, player, fields)
        elif isinstance(red, int) and isinstance(green, int):
            play = moves_of(fields)
            self.turn(player, _dice(red, green), play, fields, analysis="moveAnalysis")
        else:
            raise ParseError(_UNKNOWN_RECORD)

    def act_by_code(self, code: object, player: Player, fields: dict[str, Any]) -> None:
        if code == _WIN and self.ended is None:
            self.end(player)
        elif code == _RESIGNATION:
            self.resigned = True
        elif code == _DOUBLE:
            self.doubled = encoded_cube(fields)
            self.act_on_cube(Action.DOUBLE, player)
        elif code == _TAKE:
            self.act_on_cube(Action.TAKE, player)
        elif code == _DROP:
            self.act_on_cube(Action.DROP, player)
        elif code == _DANCE:
            self.dance(player, fields)
        else:
            raise ParseError(_UNKNOWN_RECORD)

    def dance(self, player: Player, fields: dict[str, Any]) -> None:
        """A roll that cannot be played: its dice stand where the moves of a play would."""
        match fields.get("from"), fields.get("to"):
            case [int(first), *_], [int(second), *_]:
                self.turn(player, _dice(first, second), "", fields, analysis="dancingEquity")
            case _:
                raise ParseError(_UNKNOWN_RECORD)

    def act_on_cube(self, action: Action, player: Player) -> None:
        self.analyze_next(self.doubled)
        self.do(action, player)

    def turn(
        self, player: Player, dice: Dice, text: str, fields: dict[str, Any], analysis: str
    ) -> None:
        """A roll with the text of its play; `analysis` is the name of the member that has the evaluated plays."""
        self.analyze_next(encoded_cube(fields))
        self.roll(player, dice)
        plays = self.state.legal_plays
        play = legal_play(plays, text)
        if play is None:
            play = plays.find(text)  # raises the error that says why the play is illegal
        self.analyze_next(encoded_plays(fields, analysis, play.position))
        self.do_play(player, play)

    def points_won(self, winner: Player) -> int | None:
        """The points that the file states, or else, as in some last games, those of the next score; or None."""
        stated = self.fields.get("wonPoints")
        if is_integer(stated) and 0 < stated <= MAX_POINTS:
            return stated
        gained = points_gained(self.start.score, self.next_score)
        if gained is None:
            return None
        winner_by_score, points = gained
        return points if winner_by_score is winner else None

    def end(self, winner: Player) -> None:
        """Keep the end that the file states, and bring it about if the game has been followed and has not ended."""
        points = self.points_won(winner)
        words = f"{winner.title()} wins"
        self.ended = self.stated_end(winner, points, text=words, line=self.place.line)
        if self.cut or self.state.result is not None:
            return
        is_forfeit = self.says("wasForfeit") or self.says("lostOnTime")
        if points and is_forfeit:
            self.forfeit(winner.opponent, points, stated=True)
        else:
            is_resigned = self.resigned or self.says("wasResignation")
            why = "" if is_resigned else "the file states points"
            self.end_early(winner.opponent, points, why)

    def says(self, name: str) -> bool:
        """Whether the game has this mark."""
        return self.fields.get(name) is True
