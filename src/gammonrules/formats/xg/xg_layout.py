"""The records of a match, 2,560 bytes each: where their fields are.

Player 1 is +1 and White, the left column; player 2 is -1 and Black. A board is 26 signed bytes, as in this package:
1 to 24 are the points and 25 the bar of the player who sees it, 0 is the other one's bar.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from attrs import frozen

from gammonrules.board.internals import BAR, Maker
from gammonrules.match import Player

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
    in_progress: int
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
    from_1: int
    """Points as the player who moves numbers them, less 1; `NONE` ends the list."""
    to_1: int
    """The same, below 0 for a checker that is borne off."""
    from_2: int
    to_2: int
    from_3: int
    to_3: int
    from_4: int
    to_4: int
    die_1: int
    die_2: int
    cube: int
    candidates: int
    is_played: int
    validity: int
    comment: int
    is_edited: int


class GameFooter(NamedTuple):
    """Type 4, the end of a game."""

    white: int
    """The score."""
    black: int
    is_crawford_next: int
    winner: int
    points: int
    termination: int


class MatchFooter(NamedTuple):
    """Type 5, the end of the match."""

    white: int
    black: int


NOT_ANALYZED: Final = -100

_BYTE, _NEGATIVE, _BLOT = 255, 128, 255
"""For a count as an unsigned byte: its range, where negative counts begin, and one opposing checker."""

_GAME_HEADER = Struct("<12x2iB26sxiB3x3i")
_CUBE = Struct("<12x6i26s58xh170xiB")
_MOVE = Struct("<9x26s26s3xi8i2ii8xi2184xB171xi40xiB")
_GAME_FOOTER = Struct("<12x2iB3x3i")
_MATCH_FOOTER = Struct("<12x2i")


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


def read_match_footer(data: bytes, at: int) -> MatchFooter:
    """The record at this offset, as the end of the match."""
    return MatchFooter._make(_MATCH_FOOTER.unpack_from(data, at))


def moves_of(roll: Move) -> list[tuple[int, int]]:
    """The moves of a play, from point to point, 25 for the bar and 0 for off."""
    pairs = (roll.from_1, roll.to_1), (roll.from_2, roll.to_2), (roll.from_3, roll.to_3), (roll.from_4, roll.to_4)
    moves: list[tuple[int, int]] = []
    for source, target in pairs:
        if source == NONE:
            break
        moves.append((source + 1, max(0, target + 1)))
    return moves


def board_after(before: bytes, roll: Move) -> bytes | None:
    """The board after the moves of a play, as the mover sees it; None if a move starts where they have no checker.

    The moves are made whether or not they are legal.
    """
    board = bytearray(before)
    pairs = (roll.from_1, roll.to_1), (roll.from_2, roll.to_2), (roll.from_3, roll.to_3), (roll.from_4, roll.to_4)
    for source, target in pairs:
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
        return words_of(self.data, self.at)


make_spot = Maker(Spot, "data", "at", "line", "row").make


def words_of(data: bytes, at: int) -> str:
    """A record in words."""
    match data[at + TYPE]:
        case 1:
            game = read_game_header(data, at)
            return f"game {game.number} at {game.white}-{game.black}"
        case 2:
            return _words_of_cube(read_cube(data, at))
        case 3:
            return _words_of_move(read_move(data, at))
        case 4:
            footer = read_game_footer(data, at)
            return f"{footer.points} points for player {1 if footer.winner == 1 else 2}, {ending_of(footer)}"
        case 5:
            return f"final score {'-'.join(map(str, read_match_footer(data, at)))}"
        case kind:
            return f"record of type {kind}"


def ending_of(footer: GameFooter) -> str:
    """How a game ended, in words."""
    number = footer.termination
    if number >= SETTLED:
        return "settled"
    level = {1: "single game", 2: "gammon", 3: "backgammon"}.get(number % RESIGNED, "game")
    return "dropped" if number == DROPPED else f"resigned {level}" if number >= RESIGNED else level


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
