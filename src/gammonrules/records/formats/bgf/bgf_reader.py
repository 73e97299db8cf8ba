"""From the bytes of a file to a match: a line of JSON, compressed data, players and rules, games one after another.

Boards are not stored, so an illegal play ends the replay of its game, as in match text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from attrs import define, field, frozen

from gammonrules.board import Position
from gammonrules.board.internals import legal_play
from gammonrules.dice import Dice
from gammonrules.errors import ParseError
from gammonrules.limits import MOST_POINTS
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
    MOST_GAMES,
    GameReplay,
    MatchReading,
    RawGame,
    coin_game,
    points_gained,
)
from gammonrules.records.formats.xg.xg_container import Container
from gammonrules.records.transcript import (
    EncodedAnalysis,
    FindingKind,
    FindingLog,
    Game,
    Match,
    Severity,
    Stated,
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
_LONGEST_TEXT: Final = 200


def is_bgf(content: bytes) -> bool:
    """Whether a file begins like those of BGBlitz."""
    return _SIGN.match(content) is not None


def read_bgf(content: bytes) -> Match:
    """Read a file; its defects become findings. Raises ParseError if it has no match, or inflates beyond the limit."""
    packed = Container()
    findings = FindingLog()
    data = packed.inflate(content.partition(b"\n")[2], "its data")
    document, damage = read_smile(data.removeprefix(HEADER), kept=_KEPT)
    for defect in packed.defects or [damage] * bool(damage):
        findings.report(
            Severity.ERROR, FindingKind.DAMAGED_FILE, f"{defect}; whatever can be read is read"
        )
    header = members(document)
    stated = header.get("matchlen")
    listed = items(header.get("games"))
    if type(stated) is not int or not listed:
        why = "; ".join(packed.defects) or damage or "it has no games"
        raise ParseError(f"this BGBlitz file holds no match: {why}")
    length = stated or None
    if len(listed) > MOST_GAMES:
        findings.report(
            Severity.ERROR,
            FindingKind.UNREADABLE_LINE,
            f"only the first {MOST_GAMES:,} games are read",
        )
    games = list(_raw_games(listed[:MOST_GAMES]))
    tags = tuple(_tags_of_header(header, length))
    played_to = length_played(length, (game.score or (0, 0) for game in games), tags)
    findings.extend(coin_game(length, played=played_to, text=f"{stated} point match", line=1))
    reading = MatchReading(
        games, length=played_to, rules=rules_in_tags(tags, played_to, 0), findings=findings
    )
    for index, raw, start in reading.starts():
        next_score = (
            _score_in(header, "final") if index == len(games) else reading.stated_score(index + 1)
        )
        reading.games[index] = BgfReplay(
            index, start, findings, place=raw.heading, fields=raw.source, next_score=next_score
        ).run()
    if not reading.games:
        raise ParseError("this BGBlitz file holds no game that is possible")
    players = _text_line(header.get("nameGreen")), _text_line(header.get("nameRed"))
    moves = (members(move) for game in games for move in items(game.source.get("moves")))
    rolls = sum(move.get("green") != 7 or move.get("red") == 5 for move in moves)
    return reading.match(players, length, tags, texts(header.get("comment")), "bgf", rolls)


def _raw_games(listed: list[Any]) -> Iterator[RawGame[dict[str, Any]]]:
    line = 1
    for fields in map(members, listed):
        score = _score_in(fields, "score")
        is_crawford = fields.get("isCrawford")
        crawford = is_crawford if isinstance(is_crawford, bool) else None
        yield RawGame(NumberedRecord(line, fields), source=fields, score=score, crawford=crawford)
        line += len(items(fields.get("moves")))


def _score_in(fields: dict[str, Any], name: str) -> tuple[int, int] | None:
    green, red = fields.get(f"{name}Green"), fields.get(f"{name}Red")
    return (green, red) if type(green) is int and type(red) is int else None


def _tags_of_header(header: dict[str, Any], length: int | None) -> Iterator[tuple[str, str]]:
    """The tags of a match text, in which Green is player 1."""
    yield from (
        (name, text) for name, member in _TAGS.items() if (text := _text_line(header.get(member)))
    )
    for name in ["Crawford"] if length else ["Jacoby", "Beaver"]:
        yield name, ON_OFF[header.get(f"use{name}") is True]
    limit = header.get("cubeLimit") if header.get("useCube") is not False else 1
    if type(limit) is int and limit > 0:
        yield "CubeLimit", str(limit)


def _text_line(value: object) -> str:
    return " ".join(printable(value[:_LONGEST_TEXT]).split()) if isinstance(value, str) else ""


# --- the events of a game ---------------------------------------------------------------------------------------------


_PLAYERS: Final = {-1: Player.WHITE, 1: Player.BLACK}
"""Green, the left column, and Red."""
_ACTIONS: Final = {1: Action.DOUBLE, 2: Action.TAKE, 3: Action.DROP}
_WINS: Final = 4, 7
_RESIGNS: Final = 9, 7
_ENDS: Final = _WINS, _RESIGNS
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
        first, second = (
            self.fields.get(f"score{side}", self.fields.get(side.lower()))
            for side in ("Red", "Green")
        )
        return (
            f"{second}-{first}"
            if "moves" in self.fields
            else f"{first}{second}: {moves_of(self.fields)}"
        )


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
            self.stop(
                FindingKind.UNREADABLE_LINE,
                "the game begins with another board or cube, or has other rules",
            )
        moves = [*map(members, items(self.fields.get("moves")))]
        first = self.place.line or 1
        codes = [(fields.get("red"), fields.get("green")) for fields in moves]
        last_action = max(
            (at for at, code in enumerate(codes, start=first) if code not in _ENDS), default=first
        )
        for line, (fields, code) in enumerate(zip(moves, codes, strict=True), start=first):
            self.only_its_end_follows = _WINS in codes and line >= last_action
            if not self.cut or code == _WINS:
                self.place = NumberedRecord(line, fields)
                with self.stopping_at_error():
                    self.follow(fields)
                for comment in texts(fields.get("comment")):
                    self.remark(comment)
        if not (self.cut or self.ended or self.state.result):
            self.has_no_result()
        return self.game(self.index, self.ended, texts(self.fields.get("comment")))

    def follow(self, fields: dict[str, Any]) -> None:
        """The next record; if "green" is 7, "red" is not a die but a code."""
        side = fields.get("player")
        a = fields.get("red")
        b = fields.get("green")
        if b != 7 and isinstance(a, int) and isinstance(b, int) and side in (-1, 1):
            self.turn(
                _PLAYERS[side],
                dice=_dice(a, b),
                text=moves_of(fields),
                fields=fields,
                analysis="moveAnalysis",
            )
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
                self.turn(
                    _PLAYERS[side],
                    dice=_dice(a, b),
                    text="",
                    fields=fields,
                    analysis="dancingEquity",
                )
            case _:
                raise ParseError("such a record is not known, or comes after the end of the game")

    def turn(
        self, player: Player, dice: Dice, text: str, fields: dict[str, Any], analysis: str
    ) -> None:
        self.analyze_next(encoded_cube(fields))
        self.roll(player, dice)
        plays = self.state.legal_plays
        play = legal_play(plays, text) or plays.find(text)
        self.analyze_next(encoded_plays(fields, analysis, play.position))
        self.do_play(player, play)

    def end(self, winner: Player) -> None:
        points = self.fields.get("wonPoints")
        gained = points_gained(self.start.score, self.next_score)
        # for some last games only the scores tell
        if type(points) is not int or not 0 < points <= MOST_POINTS:
            points = gained[1] if gained is not None and gained[0] is winner else None
        self.ended = self.stated_end(
            winner, points, text=f"{winner.title()} wins", line=self.place.line
        )
        if self.cut or self.state.result is not None:
            return
        if points and (
            self.fields.get("wasForfeit") is True or self.fields.get("lostOnTime") is True
        ):
            self.forfeit(winner.opponent, points, stated=True)
        else:
            said = self.resigned or self.fields.get("wasResignation") is True
            self.end_early(winner.opponent, points, "" if said else "the file states points")
