"""The records of an `.xg` file, 2,560 bytes each: the header of the match, then games of turns.

A game is a header, then for each turn a record about the cube and one about the roll, then a footer. Player 1 is +1 and
White, the left column; player 2 is -1 and Black. A board is 26 signed bytes, as in this package: 1 to 24 are the points
and 25 the bar of the player who sees it, 0 is the other one's bar.
"""

from __future__ import annotations

from struct import Struct
from typing import Final, NamedTuple

from gammonrules.board.internals import BAR
from gammonrules.match import Player
from gammonrules.records.transcript import dashed

SIZE: Final = 2560
"""The bytes of a record."""
TYPE: Final = 8
"""Where its type is."""
MATCH_HEADER: Final = 0
GAME_HEADER: Final = 1
CUBE: Final = 2
MOVE: Final = 3
GAME_FOOTER: Final = 4
MATCH_FOOTER: Final = 5
"""The types."""

PLAYERS: Final = {1: Player.WHITE, -1: Player.BLACK}
NO_BOARD: Final = bytes(26)
NONE: Final = -1
"""No comment, no rollout, no further move."""


class GameHeader(NamedTuple):
    """The beginning of a game."""

    white: int
    """The score."""
    black: int
    is_crawford: int
    number: int
    comment_before: int
    comment_after: int
    auto_doubles: int


_GAME_HEADER = Struct(
    "<12x"
    "2i"  # the score
    "B27x"  # whether it is the Crawford game
    "i4x"  # the number of the game
    "3i"  # comments, automatic doubles
)


def read_game_header(data: bytes, at: int) -> GameHeader:
    return GameHeader._make(_GAME_HEADER.unpack_from(data, at))


class CubeRecord(NamedTuple):
    """What is done with the cube before a roll: one for each turn."""

    player: int
    double: int
    """`DOUBLED`, or anything else."""
    take: int
    """`DECLINED`, `TAKEN` or `REDOUBLED`; the answers to a beaver and to a raccoon are the same."""
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


_CUBE_RECORD = Struct(
    "<12x"
    "6i"  # the player, the actions, the cube
    "26s58x"  # the board
    "h170x"  # the verdict
    "i"  # the comment
    "B"  # whether it was edited
)
DOUBLED: Final = 1
DECLINED: Final = 0
TAKEN: Final = 1
REDOUBLED: Final = 2
NOT_ANALYZED: Final = -100


def read_cube_record(data: bytes, at: int) -> CubeRecord:
    return CubeRecord._make(_CUBE_RECORD.unpack_from(data, at))


class MoveRecord(NamedTuple):
    """A roll and its play."""

    before: bytes
    """As White sees it."""
    after: bytes
    """As the player who moves sees it; only zeros if nothing was played."""
    player: int
    moves: bytes
    """Four times from and to, as the mover numbers the points, less 1: a start of `NONE` ends it; below 0 is off."""
    die_1: int
    die_2: int
    cube: int
    candidates: int
    is_played: int
    comment: int
    is_edited: int

    @property
    def has_no_play(self) -> bool:
        """Whether nothing was played: then the board after it and the first move are only zeros."""
        return self.after == NO_BOARD and not any(self.moves[: _STEP.size])


_MOVE_RECORD = Struct(
    "<9x"
    "26s26s3x"  # the boards
    "i"  # the player
    "32s"  # the moves
    "2i"  # the dice
    "i8x"  # the cube
    "i2184x"  # the number of candidates
    "B215x"  # whether it was played
    "i"  # the comment
    "B"  # whether it was edited
)
_STEP = Struct("<2i")


def read_move_record(data: bytes, at: int) -> MoveRecord:
    return MoveRecord._make(_MOVE_RECORD.unpack_from(data, at))


class GameFooter(NamedTuple):
    """The end of a game."""

    white: int
    """The score."""
    black: int
    winner: int
    points: int
    termination: int
    """`DROPPED`, or a level of 1 to 3, to which `RESIGNED` or `SETTLED` is added."""


_GAME_FOOTER = Struct(
    "<12x"
    "2i4x"  # the score
    "3i"  # the winner, the points, how it ended
)
DROPPED: Final = 0
RESIGNED: Final = 100
SETTLED: Final = 1000
_LEVELS: Final = {1: "single game", 2: "gammon", 3: "backgammon"}


def read_game_footer(data: bytes, at: int) -> GameFooter:
    return GameFooter._make(_GAME_FOOTER.unpack_from(data, at))


_MATCH_FOOTER = Struct("<12x2i")


def read_final_score(data: bytes, at: int) -> tuple[int, int]:
    """The score at the end of the match."""
    white, black = _MATCH_FOOTER.unpack_from(data, at)
    return white, black


# --- what a record says -----------------------------------------------------------------------------------------------

_BYTE: Final = 256
_FIRST_NEGATIVE: Final = 128
_BLOT: Final = 255
"""Counts of a board as unsigned bytes: their range, where the negative ones begin, and one opposing checker."""
_HIGHEST_FACE: Final = 6


def moves_played(roll: MoveRecord) -> list[tuple[int, int]]:
    """The moves of a play, from point to point, 25 for the bar and 0 for off."""
    moves: list[tuple[int, int]] = []
    for source, target in _STEP.iter_unpack(roll.moves):
        if source == NONE:
            break
        moves.append((source + 1, max(0, target + 1)))
    return moves


def board_after(before: bytes, moves: list[tuple[int, int]]) -> bytes | None:
    """The board after moves, legal or not, as the mover sees it; None if one starts where they have no checker."""
    board = bytearray(before)
    for source, target in moves:
        if not 0 < source <= BAR or target >= BAR:
            return None
        has_own_checker = 0 < board[source] < _FIRST_NEGATIVE
        if not has_own_checker:
            return None
        board[source] -= 1
        if target == 0:  # the checker is borne off
            continue
        if board[target] == _BLOT:
            board[target] = 0
            opponents_bar = 0
            board[opponents_bar] = (board[opponents_bar] - 1) % _BYTE
        board[target] = (board[target] + 1) % _BYTE
    return bytes(board)


class RecordPlace(NamedTuple):
    """A record of the file, as the place of an event."""

    data: bytes
    """All records."""
    at: int
    """Where this one begins."""
    line: int
    """The number of the record, from 1."""
    type: int
    row: None = None

    @property
    def text(self) -> str:
        if self.type == GAME_HEADER:
            game = read_game_header(self.data, self.at)
            return f"game {game.number} at {game.white}-{game.black}"
        if self.type == CUBE:
            return _words_of_cube(read_cube_record(self.data, self.at))
        if self.type == MOVE:
            return _words_of_move(read_move_record(self.data, self.at))
        if self.type == GAME_FOOTER:
            return _words_of_footer(read_game_footer(self.data, self.at))
        if self.type == MATCH_FOOTER:
            return f"final score {dashed(read_final_score(self.data, self.at))}"
        return f"record of type {self.type}"


def _words_of_cube(turn: CubeRecord) -> str:
    if turn.double != DOUBLED:
        return "no double"
    answers = {TAKEN: "take", DECLINED: "drop", REDOUBLED: "beaver"}
    return f"double, {answers.get(turn.take, 'no answer')}"


def _words_of_move(roll: MoveRecord) -> str:
    faces = (roll.die_1, roll.die_2)
    are_dice = all(0 < face <= _HIGHEST_FACE for face in faces)
    words = [f"{roll.die_1}{roll.die_2}:" if are_dice else "??:"]
    if not roll.is_played:
        words.append("???")
    else:
        names = {BAR: "bar", 0: "off"}
        for source, target in moves_played(roll):
            words.append(f"{names.get(source, source)}/{names.get(target, target)}")
    return " ".join(words)


def _words_of_footer(footer: GameFooter) -> str:
    winner_number = 1 if footer.winner == 1 else 2
    return f"{footer.points} points for player {winner_number}, {_words_of_termination(footer.termination)}"


def _words_of_termination(number: int) -> str:
    if number >= SETTLED:
        return "settled"
    if number == DROPPED:
        return "dropped"
    # a level of 1 to 3, with RESIGNED added if the game was given up
    level = _LEVELS.get(number % RESIGNED, "game")
    return f"resigned {level}" if number >= RESIGNED else level
