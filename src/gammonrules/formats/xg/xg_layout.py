"""The records of a match, 2,560 bytes each: where their fields are.

Player 1 is +1 and White, the left column; player 2 is -1 and Black. A board is 26 signed bytes, as in this package:
1 to 24 are the points and 25 the bar of the player who sees it, 0 is the other one's bar.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from struct import Struct, unpack_from
from typing import Final, NamedTuple

import attrs
from attrs import frozen

from gammonrules.board import StartName
from gammonrules.board.internals import BAR, Maker
from gammonrules.errors import ParseError
from gammonrules.formats.rule_tags import on_off
from gammonrules.limits import MOST_IN_A_ROW, MOST_POINTS
from gammonrules.match import Player
from gammonrules.rules import MONEY, TOURNAMENT, Rules
from gammonrules.transcript import dashed
from gammonrules.values import shown

SIZE: Final = 2560
TYPE: Final = 8
"""Where the type of a record is."""
MATCH_HEADER, GAME_HEADER, CUBE, MOVE, GAME_FOOTER, MATCH_FOOTER = range(6)
PLAYERS: Final = {1: Player.WHITE, -1: Player.BLACK}
NO_BOARD: Final = bytes(26)
NONE: Final = -1
"""No comment, no rollout, not applicable."""
SETTLED: Final = 1000
RESIGNED: Final = 100
DROPPED: Final = 0
DOUBLED: Final = 1
TAKEN, DECLINED, REDOUBLED = 1, 0, 2
"""Answers: to a double (2 is a beaver), to a beaver (2 is a raccoon), to a raccoon."""


class GameHeader(NamedTuple):
    """Type 1, the beginning of a game."""

    white: int
    """The score."""
    black: int
    is_crawford: int
    board: bytes
    """As White sees it; only zeros for the start position."""
    number: int
    comment_before: int
    comment_after: int
    auto_doubles: int


class Cube(NamedTuple):
    """Type 2, what is done with the cube before a roll: one for each turn."""

    player: int
    double: int
    take: int
    beaver: int
    """The answer to a beaver."""
    raccoon: int
    """The answer to a raccoon."""
    cube: int
    """The power of two before the action: positive if White owns it, negative if Black does."""
    board: bytes
    """As White sees it."""
    verdict: int
    """`NOT_ANALYZED`, or the right action."""
    comment: int
    is_edited: int


class Move(NamedTuple):
    """Type 3, a roll and its play."""

    before: bytes
    """As White sees it."""
    after: bytes
    """As the player who moves sees it; only zeros if nothing was played."""
    player: int
    moves: bytes
    """Four times from and to, in points as the player who moves numbers them, less 1.

    A start of `NONE` ends the list, and a target below 0 is off the board.
    """
    die_1: int
    die_2: int
    cube: int
    candidates: int
    is_played: int
    comment: int
    is_edited: int


class GameFooter(NamedTuple):
    """Type 4, the end of a game."""

    white: int
    """The score."""
    black: int
    winner: int
    points: int
    termination: int


NOT_ANALYZED: Final = -100

_BYTE, _NEGATIVE, _BLOT = 255, 128, 255
"""For a count as an unsigned byte: its range, where negative counts begin, and one opposing checker."""

_GAME_HEADER = Struct("<12x2iB26sxi4x3i")
_CUBE = Struct("<12x6i26s58xh170xiB")
_MOVE = Struct("<9x26s26s3xi32s2ii8xi2184xB215xiB")
_GAME_FOOTER = Struct("<12x2i4x3i")
_MATCH_FOOTER = Struct("<12x2i")
_MOVES = Struct("<8i")


def read_game_header(data: bytes, at: int) -> GameHeader:
    """The record at this offset, as a beginning of a game."""
    return GameHeader._make(_GAME_HEADER.unpack_from(data, at))


def read_cube(data: bytes, at: int) -> Cube:
    """The record at this offset, as an action with the cube."""
    return Cube._make(_CUBE.unpack_from(data, at))


def read_move(data: bytes, at: int) -> Move:
    """The record at this offset, as a roll."""
    return Move._make(_MOVE.unpack_from(data, at))


def read_game_footer(data: bytes, at: int) -> GameFooter:
    """The record at this offset, as an end of a game."""
    return GameFooter._make(_GAME_FOOTER.unpack_from(data, at))


def read_final_score(data: bytes, at: int) -> tuple[int, int]:
    """The score in the record at this offset, the end of the match."""
    return _MATCH_FOOTER.unpack_from(data, at)


def moves_of(roll: Move) -> list[tuple[int, int]]:
    """The moves of a play, from point to point, 25 for the bar and 0 for off."""
    points: tuple[int, ...] = _MOVES.unpack(roll.moves)
    count = (*points[::2], NONE).index(NONE)
    return [(points[2 * index] + 1, max(0, points[2 * index + 1] + 1)) for index in range(count)]


def board_after(before: bytes, roll: Move) -> bytes | None:
    """The board after the moves of a play, as the mover sees it; None if a move starts where they have no checker.

    The moves are made whether or not they are legal.
    """
    board = bytearray(before)
    points: Iterator[int] = iter(_MOVES.unpack(roll.moves))
    for source, target in zip(points, points, strict=True):
        if source == NONE:
            break
        if not 0 <= source < BAR or not 0 < board[source + 1] < _NEGATIVE or target >= BAR - 1:
            return None
        board[source + 1] -= 1
        if target >= 0:
            met = board[target + 1]
            if met == _BLOT:
                board[0] = board[0] - 1 & _BYTE
                met = 0
            board[target + 1] = met + 1 & _BYTE
    return bytes(board)


@frozen
class Spot:
    """A record of the file, as the place of an event."""

    data: bytes
    at: int
    line: int
    """The number of the record, from 1."""
    row: None = None

    @property
    def text(self) -> str:
        """The record in words, for findings."""
        match self.data[self.at + TYPE]:
            case 1:
                game = read_game_header(self.data, self.at)
                return f"game {game.number} at {game.white}-{game.black}"
            case 2:
                return _words_of_cube(read_cube(self.data, self.at))
            case 3:
                return _words_of_move(read_move(self.data, self.at))
            case 4:
                footer = read_game_footer(self.data, self.at)
                return f"{footer.points} points for player {1 if footer.winner == 1 else 2}, {_ending_of(footer)}"
            case 5:
                return f"final score {dashed(read_final_score(self.data, self.at))}"
            case kind:
                return f"record of type {kind}"


make_spot = Maker(Spot, "data", "at", "line", "row").make


def _words_of_cube(turn: Cube) -> str:
    if turn.double != DOUBLED:
        return "no double"
    return f"double, {({TAKEN: 'take', DECLINED: 'drop', REDOUBLED: 'beaver'}).get(turn.take, 'no answer')}"


def _words_of_move(roll: Move) -> str:
    dice = f"{roll.die_1}{roll.die_2}:" if 0 < roll.die_1 < 7 and 0 < roll.die_2 < 7 else "??:"
    if not roll.is_played:
        return f"{dice} ???"
    names = {25: "bar", 0: "off"}
    return " ".join([dice, *(f"{names.get(a, a)}/{names.get(b, b)}" for a, b in moves_of(roll))])


def _ending_of(footer: GameFooter) -> str:
    number = footer.termination
    if number >= SETTLED:
        return "settled"
    level = {1: "single game", 2: "gammon", 3: "backgammon"}.get(number % RESIGNED, "game")
    return "dropped" if number == DROPPED else f"resigned {level}" if number >= RESIGNED else level


# --- the header of the match ------------------------------------------------------------------------------------------

MAGIC: Final = 0x494C4D44
UNLIMITED: Final = 99_999
"""The length of money play."""
_UNICODE_SINCE: Final = 24
_TRANSCRIBER_SINCE: Final = 30
_CUBE_LIMIT_SINCE: Final = 8
_NO_LIMIT: Final = 10
"""The cube limit of the program, as a power of two."""

VARIATIONS: Final[dict[int, tuple[StartName, str]]] = {
    0: ("standard", "Backgammon"),
    1: ("nackgammon", "NackGammon"),
    2: ("hypergammon", "HyperGammon"),
    3: ("longgammon", "LongGammon"),
}
_SITES: Final = (
    *("GammonSite", "FIBS", "TrueMoney Games", "GridGammon", "DailyGammon", "NetGammon", "VOG", "Gammon Empire/Play65"),
    *("Club Games", "PartyGammon", "XcitingGames", "BGRoom", "DiceArena", "Safe Harbor Games", "GameAccount"),
    "XG Mobile",
)
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - the file has no time zone
_LAST_DAY: Final = 2_958_465.0


@frozen
class Header:
    """Type 0, the first record: players, length, rules, and what the text export of the program writes as tags."""

    players: tuple[str, str]
    length: int | None
    variation: int
    crawford: bool
    jacoby: bool
    beaver: bool
    auto_doubles: int
    """The most automatic doubles."""
    cube_limit: int
    """As a power of two; 0 for no cube."""
    tags: tuple[tuple[str, str], ...]
    comments: tuple[int, int]
    """The numbers of the comments before and after the match."""

    def rules(self, doubles: Iterator[Cube]) -> Rules:
        """The rules; the doubles of the games show how many beavers are allowed, and that there is a cube after all."""
        turns = list(doubles) if self.length is None or self.cube_limit == 0 else []
        start = VARIATIONS.get(self.variation, VARIATIONS[0])[0]
        if self.length is not None:
            rules = attrs.evolve(TOURNAMENT, crawford=self.crawford, start=start)
        else:
            beavers = max([1, *((turn.take == REDOUBLED) * (1 + (turn.beaver == REDOUBLED)) for turn in turns)])
            rules = attrs.evolve(MONEY, jacoby=self.jacoby, auto_doubles=self.auto_doubles, start=start)
            rules = attrs.evolve(rules, beavers=beavers if self.beaver else 0)
        if self.cube_limit == 0 and not turns:
            return attrs.evolve(rules, cube=False, auto_doubles=0)
        return attrs.evolve(rules, max_cube=2**self.cube_limit) if 0 < self.cube_limit < _NO_LIMIT else rules


def read_header(record: bytes) -> Header:
    """The header of a match. Raises ParseError if the length of the match is impossible."""
    length, variation, *switches = unpack_from("<2i4B", record, 92)
    if not (0 <= length <= MOST_POINTS):
        raise ParseError(f"this eXtreme Gammon match has an impossible length, {shown(length)}")
    limit, most_auto_doubles = unpack_from("<2i", record, 612)
    players = _text(record, 880, 9, 40), _text(record, 1138, 50, 40)
    crawford, jacoby, beaver, auto_double = map(bool, switches)
    money = length in (0, UNLIMITED)
    header = Header(
        players,
        None if money else length,
        variation,
        crawford,
        jacoby,
        beaver,
        min(max(1, most_auto_doubles), MOST_IN_A_ROW) if auto_double else 0,
        limit if _version(record) >= _CUBE_LIMIT_SINCE and 0 <= limit < _NO_LIMIT else _NO_LIMIT,
        (),
        unpack_from("<2i", record, 576),
    )
    return attrs.evolve(header, tags=_tags(record, header))


def _version(record: bytes) -> int:
    (version,) = unpack_from("<i", record, 552)
    return int(version)


def _text(record: bytes, unicode_at: int, legacy_at: int, longest: int) -> str:
    """A text that is stored twice: in Unicode or, after its length, in Windows-1252."""
    start = legacy_at + 1
    legacy = record[start : start + min(record[legacy_at], longest)].decode("cp1252", "replace")
    return _unicode(record, unicode_at, _UNICODE_SINCE) or _on_one_line(legacy)


def _unicode(record: bytes, at: int, since: int) -> str:
    """A text of up to 129 units of UTF-16, which files have since this version."""
    return _on_one_line(record[at : at + 258].decode("utf-16-le", "replace")) if _version(record) >= since else ""


def _on_one_line(text: str) -> str:
    """The text before the first zero."""
    printable = (character if character.isprintable() else " " for character in text.partition("\0")[0])
    return " ".join("".join(printable).split())


def _tags(record: bytes, header: Header) -> tuple[tuple[str, str], ...]:
    """The tags as in the program's own text export, where its player 1 is on the right."""
    game_id, site = unpack_from("<i", record, 268)[0], unpack_from("<i", record, 608)[0]
    *ratings, first, second = unpack_from("<2d2i", record, 104)
    elo = [
        f"{rating if 0 <= rating < 100_000 else 0:.2f}/{max(0, experience)}"  # NaN is not in this range
        for rating, experience in zip(ratings, (first, second), strict=True)
    ]
    names = header.players
    if names[0] != names[1]:  # otherwise nothing would show that they are exchanged
        names, elo = names[::-1], elo[::-1]
    is_match = header.length is not None
    tags = {
        "Site": _text(record, 1396, 283, 128) or (_SITES[site] if 0 <= site < len(_SITES) else ""),
        "Match ID": str(-game_id) if game_id else "",
        "Event": _text(record, 622, 136, 128),
        "Round": _text(record, 1654, 417, 128),
        "Player 1": names[0],
        "Player 2": names[1],
        "Player 1 Elo": elo[0],
        "Player 2 Elo": elo[1],
        **_time(unpack_from("<d", record, 128)[0]),
        "Variation": VARIATIONS[header.variation][1] if header.variation in VARIATIONS else "",
        "Unrated": on_off(bool(record[574])),
        "Crawford": on_off(header.crawford) if is_match else "",
        "Jacoby": "" if is_match else on_off(header.jacoby),
        "Beaver": "" if is_match else on_off(header.beaver),
        "CubeLimit": str(2**header.cube_limit),
        "Transcriber": _unicode(record, 1960, _TRANSCRIBER_SINCE),
    }
    return tuple((name, value) for name, value in tags.items() if value)


def _time(days: float) -> dict[str, str]:
    """The tags of date and time, from days since the end of 1899."""
    if not 1 <= days <= _LAST_DAY:
        return {}
    moment = _DAY_ZERO + dt.timedelta(seconds=round(days * 86_400))
    return {"EventDate": moment.strftime("%Y.%m.%d"), "EventTime": moment.strftime("%H.%M")}
