"""The records of a match, 2,560 bytes each: where their fields are, and the analyses in them.

Player 1 is +1 and White, the left column; player 2 is -1 and Black. A board is 26 signed bytes, as in this package:
1 to 24 are the points and 25 the bar of the player who sees it, 0 is the other one's bar.

An analysis is kept as bytes, and decoded when needed. An evaluation is seven numbers: the chances of losing a
backgammon, of losing a gammon, of losing, of winning, of winning a gammon and of winning a backgammon, and the equity.
All are those of the player on roll.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from itertools import takewhile, zip_longest
from math import isfinite
from operator import itemgetter
from struct import Struct, unpack_from
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

from attrs import fields, frozen

from gammonrules.board.internals import BAR, Maker, flip, play_to
from gammonrules.errors import ParseError
from gammonrules.limits import MOST_IN_A_ROW, MOST_POINTS
from gammonrules.match import MatchState, Phase, Player
from gammonrules.records.transcript import (
    DEVIATIONS,
    ROLLOUT,
    Candidate,
    CubeAnalysis,
    EncodedAnalysis,
    Level,
    PlayAnalysis,
    candidate_of,
    chances_of,
    dashed,
    make_encoded,
    may_be_chances,
    ply_level,
)
from gammonrules.records.transcript.header_tags import ON_OFF, Tags
from gammonrules.values import printable, shown

SIZE: Final = 2560
TYPE: Final = 8
"""Where the type of a record is."""
MATCH_HEADER, GAME_HEADER, CUBE, MOVE, GAME_FOOTER, MATCH_FOOTER = range(6)
PLAYERS: Final = {1: Player.WHITE, -1: Player.BLACK}
NO_BOARD: Final = bytes(26)
NONE: Final = -1
"""No comment, no rollout, not applicable."""
DROPPED = 0
RESIGNED = 100
SETTLED = 1000
DOUBLED: Final = 1
TAKEN = 1
DECLINED = 0
REDOUBLED = 2
"""Answers: to a double (2 is a beaver), to a beaver (2 is a raccoon), to a raccoon."""


class GameHeader(NamedTuple):
    """Type 1, the beginning of a game."""

    white: int
    """The score."""
    black: int
    is_crawford: int
    number: int
    comment_before: int
    comment_after: int
    auto_doubles: int


class CubeRecord(NamedTuple):
    """Type 2, what is done with the cube before a roll: one for each turn."""

    player: int
    double: int
    take: int
    beaver: int
    raccoon: int
    """The answers to a beaver and to a raccoon."""
    cube: int
    """The power of two before the action: positive if White owns it, negative if Black does."""
    board: bytes
    """As White sees it."""
    verdict: int
    """`NOT_ANALYZED`, or the right action."""
    comment: int
    is_edited: int


class MoveRecord(NamedTuple):
    """Type 3, a roll and its play."""

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


class GameFooter(NamedTuple):
    """Type 4, the end of a game."""

    white: int
    """The score."""
    black: int
    winner: int
    points: int
    termination: int


NOT_ANALYZED: Final = -100

_BYTE = 255
_NEGATIVE = 128
_BLOT = 255
"""For a count as an unsigned byte: its range, where negative counts begin, and one opposing checker."""

_STEP = Struct("<2i")
_Fields = TypeVar("_Fields")


def _reader(
    make: Callable[[Iterable[object]], _Fields], layout: str
) -> Callable[[bytes, int], _Fields]:
    fields = Struct(layout)
    return lambda data, at: make(fields.unpack_from(data, at))


read_game_header = _reader(GameHeader._make, "<12x2iB27xi4x3i")
read_cube = _reader(CubeRecord._make, "<12x6i26s58xh170xiB")
read_move = _reader(MoveRecord._make, "<9x26s26s3xi32s2ii8xi2184xB215xiB")
read_game_footer = _reader(GameFooter._make, "<12x2i4x3i")


def read_final_score(data: bytes, at: int) -> tuple[int, int]:
    """Type 5, the end of the match."""
    return unpack_from("<12x2i", data, at)


def moves_played(roll: MoveRecord) -> list[tuple[int, int]]:
    """The moves of a play, from point to point, 25 for the bar and 0 for off."""
    steps = takewhile(lambda step: step[0] != NONE, _STEP.iter_unpack(roll.moves))
    return [(source + 1, max(0, target + 1)) for source, target in steps]


def board_after(before: bytes, roll: MoveRecord) -> bytes | None:
    """The board after moves, legal or not, as the mover sees it; None if one starts where they have no checker."""
    board = bytearray(before)
    for source, target in moves_played(roll):
        if not 0 < source <= BAR or not 0 < board[source] < _NEGATIVE or target >= BAR:
            return None
        board[source] -= 1
        if target:
            if board[target] == _BLOT:
                board[0] = board[0] - 1 & _BYTE
                board[target] = 0
            board[target] = board[target] + 1 & _BYTE
    return bytes(board)


class RecordPlace(NamedTuple):
    """A record of the file, as the place of an event."""

    data: bytes
    at: int
    line: int
    """The number of the record, from 1."""
    row: None = None

    @property
    def text(self) -> str:
        match self.data[self.at + TYPE]:
            case 1:
                game = read_game_header(self.data, self.at)
                return f"game {game.number} at {game.white}-{game.black}"
            case 2:
                turn = read_cube(self.data, self.at)
                answers = {TAKEN: "take", DECLINED: "drop", REDOUBLED: "beaver"}
                return (
                    f"double, {answers.get(turn.take, 'no answer')}"
                    if turn.double == DOUBLED
                    else "no double"
                )
            case 3:
                return _words_of_move(read_move(self.data, self.at))
            case 4:
                footer = read_game_footer(self.data, self.at)
                return f"{footer.points} points for player {1 if footer.winner == 1 else 2}, {_ending_of(footer)}"
            case 5:
                return f"final score {dashed(read_final_score(self.data, self.at))}"
            case kind:
                return f"record of type {kind}"


def _words_of_move(roll: MoveRecord) -> str:
    dice = f"{roll.die_1}{roll.die_2}:" if 0 < roll.die_1 < 7 and 0 < roll.die_2 < 7 else "??:"
    if not roll.is_played:
        return f"{dice} ???"
    names = {25: "bar", 0: "off"}
    return " ".join(
        [dice, *(f"{names.get(a, a)}/{names.get(b, b)}" for a, b in moves_played(roll))]
    )


def _ending_of(footer: GameFooter) -> str:
    if (number := footer.termination) >= SETTLED:
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
"""The cube limit of the program, as a power of two; 0 is for no cube."""

VARIATIONS: Final = {0: "Backgammon", 1: "NackGammon", 2: "HyperGammon", 3: "LongGammon"}
_SITES: Final = (
    *(
        "GammonSite",
        "FIBS",
        "TrueMoney Games",
        "GridGammon",
        "DailyGammon",
        "NetGammon",
        "VOG",
        "Gammon Empire/Play65",
    ),
    *(
        "Club Games",
        "PartyGammon",
        "XcitingGames",
        "BGRoom",
        "DiceArena",
        "Safe Harbor Games",
        "GameAccount",
    ),
    "XG Mobile",
)
_DAY_ZERO: Final = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - the file has no time zone
_LAST_DAY: Final = 2_958_465.0


@frozen
class Header:
    """Type 0, the first record."""

    players: tuple[str, str]
    length: int | None
    variation: int
    auto_doubles: int
    """The most automatic doubles of money play."""
    comments: tuple[int, int]
    """The numbers of the comments before and after the match."""
    tags: Tags
    """Those of the program's own text export, where its player 1 is on the right. They state the other rules."""


def read_header(record: bytes) -> Header:
    """The header of a match. Raises ParseError if the length of the match is impossible."""
    stated, variation, crawford, jacoby, beaver, auto_doubles = unpack_from("<2i4?", record, 92)
    if not 0 <= stated <= MOST_POINTS:
        raise ParseError(f"this eXtreme Gammon match has an impossible length, {shown(stated)}")
    length = None if stated in (0, UNLIMITED) else stated
    site, limit, most_auto_doubles = unpack_from("<3i", record, 608)
    (game_id,) = unpack_from("<i", record, 268)
    players = (
        _stored_text(record, unicode_at=880, legacy_at=9, longest=40),
        _stored_text(record, unicode_at=1138, legacy_at=50, longest=40),
    )
    has_limit = _version(record) >= _CUBE_LIMIT_SINCE and 0 <= limit < _NO_LIMIT
    tags = {
        "Site": _stored_text(record, 1396, 283)
        or (_SITES[site] if 0 <= site < len(_SITES) else ""),
        "Match ID": str(-game_id) if game_id else "",
        "Event": _stored_text(record, 622, 136),
        "Round": _stored_text(record, 1654, 417),
        **_tags_of_players(record, players),
        **_time(unpack_from("<d", record, 128)[0]),
        "Variation": VARIATIONS.get(variation, ""),
        "Unrated": ON_OFF[record[574] > 0],
        **(
            {"Jacoby": ON_OFF[jacoby], "Beaver": ON_OFF[beaver]}
            if length is None
            else {"Crawford": ON_OFF[crawford]}
        ),
        "CubeLimit": str(2 ** (limit if has_limit else _NO_LIMIT)),
        "Transcriber": _unicode(record, 1960, _TRANSCRIBER_SINCE),
    }
    most = min(max(1, most_auto_doubles), MOST_IN_A_ROW) if auto_doubles else 0
    comments: tuple[int, int] = unpack_from("<2i", record, 576)
    return Header(
        players,
        length,
        variation,
        auto_doubles=most,
        comments=comments,
        tags=tuple((tag, text) for tag, text in tags.items() if text),
    )


def _version(record: bytes) -> int:
    return int(unpack_from("<i", record, 552)[0])


def _stored_text(record: bytes, unicode_at: int, legacy_at: int, longest: int = 128) -> str:
    """A text on one line, which is stored twice: in Unicode or, after its length, in Windows-1252."""
    (legacy,) = unpack_from(f"{longest + 1}p", record, legacy_at)
    return _unicode(record, unicode_at, _UNICODE_SINCE) or _on_one_line(
        legacy.decode("cp1252", "replace")
    )


def _unicode(record: bytes, at: int, since: int) -> str:
    """A text of up to 129 units of UTF-16, which files have since this version."""
    return (
        _on_one_line(record[at : at + 258].decode("utf-16-le", "replace"))
        if _version(record) >= since
        else ""
    )


def _on_one_line(text: str) -> str:
    """The text before the first zero."""
    return " ".join(printable(text.partition("\0")[0]).split())


def _tags_of_players(record: bytes, names: tuple[str, str]) -> dict[str, str]:
    elo = [
        f"{rating if 0 <= rating < 100_000 else 0:.2f}/{max(0, experience)}"  # NaN is not in this range
        for rating, experience in zip(
            unpack_from("<2d", record, 104), unpack_from("<2i", record, 120), strict=True
        )
    ]
    first = int(names[0] != names[1])  # otherwise nothing would show that they are exchanged
    sides = {"Player 1": first, "Player 2": 1 - first}
    return {tag: names[side] for tag, side in sides.items()} | {
        f"{tag} Elo": elo[side] for tag, side in sides.items()
    }


def _time(days: float) -> dict[str, str]:
    if not 1 <= days <= _LAST_DAY:
        return {}
    moment = _DAY_ZERO + dt.timedelta(seconds=round(days * 86_400))
    return {"EventDate": moment.strftime("%Y.%m.%d"), "EventTime": moment.strftime("%H.%M")}


# --- analyses ---------------------------------------------------------------------------------------------------------

ENGINE: Final = "eXtreme Gammon"
MOST_CANDIDATES: Final = 32
_IMPOSSIBLE: Final = "the numbers of the analysis cannot be right, so it is left out"

_LEVELS: Final = {
    **{number: ply_level(number + 1) for number in range(7)},
    12: Level("3-ply red", depth=3),
    100: ROLLOUT,
    998: Level("opening book"),
    999: Level("opening book"),
    1000: Level("XG Roller"),
    1001: Level("XG Roller+"),
    1002: Level("XG Roller++"),
}
_UNSET: Final = -999
"""Errors and luck below this are not set; the program writes -1000."""
_LARGEST_EQUITY: Final = 1_000.0
"""More than any equity can be; the program writes -1000 for what it has not computed."""
_SLACK: Final = 1e-3
"""By how much a chance may be below 0 or above 1; it is then set to 0 or 1."""

_BOARD = Struct("26s")
_LEVEL = Struct("<H2x")
_EVALUATION = Struct("<7f")
_PLAY_NUMBERS = Struct("<8x2d8xd")
"""In these 40 bytes: the error of the play, the luck of the roll, and the equity before the roll."""
_EVALUATIONS = tuple(Struct(f"<{7 * count}f") for count in range(MOST_CANDIDATES + 1))
_CUBE = Struct("<i28x7f3f4x7f4xd8xdi")
_ROLLOUT_SIZE: Final = 2184
_ROLLOUT_ERRORS: Final = 2020
_five = itemgetter(3, 4, 5, 1, 0)
"""Of the six chances of an evaluation, those that `Chances` has, in its order."""

_PlayData: TypeAlias = tuple[bytes, bytes, bytes, bytes, bytes, tuple[float | None, ...]]
"""The numbers of the play, the board after it, columns of boards, levels and evaluations, and standard errors."""

_make_play_analysis = Maker(
    PlayAnalysis, "candidates", "played", "luck", "stated_error", "engine"
).make
_make_cube_analysis = Maker(CubeAnalysis, *(field.name for field in fields(CubeAnalysis))).make
"""These make values whose numbers have been checked."""


def analysis_of_play(
    data: bytes, at: int, roll: MoveRecord, rollouts: bytes
) -> EncodedAnalysis | None:
    """The analysis of a roll and its play; None if it is missing. Raises ParseError if its numbers cannot be right."""
    if (count := roll.candidates) == 0:
        return None
    if not 0 < count <= MOST_CANDIDATES:
        raise ParseError(_IMPOSSIBLE)
    numbers: tuple[float, ...] = _EVALUATIONS[count].unpack_from(data, at + 1408)
    chances = list(numbers)
    del chances[6::7]
    lost, luck, before = _PLAY_NUMBERS.unpack_from(data, at + 2304)
    _check(chances, (*numbers[6::7], lost, luck, before))
    tables = ((192, _BOARD), (1280, _LEVEL), (1408, _EVALUATION))
    columns = [data[at + start : at + start + count * row.size] for start, row in tables]
    errors: tuple[float | None, ...] = ()
    if rollouts:
        errors = tuple(
            _standard_errors(index, rollouts)[0]
            for index in unpack_from(f"<{count}i", data, at + 2344)
        )
    return make_encoded((data[at + 2304 : at + 2344], roll.after, *columns, errors), _decode_play)


def _check(chances: list[float], equities: tuple[float, ...]) -> None:
    """Raise ParseError unless these can be chances, and equities, errors or luck."""
    if not (
        isfinite(sum(chances) + sum(equities))  # only if all of them are finite
        and -_SLACK <= min(chances) <= max(chances) <= 1 + _SLACK
        and all(map(may_be_chances, map(_five, zip(*[iter(chances)] * 6, strict=True))))
        and -_LARGEST_EQUITY <= min(equities) <= max(equities) <= _LARGEST_EQUITY
    ):
        raise ParseError(_IMPOSSIBLE)


def _decode_play(data: _PlayData, state: MatchState) -> PlayAnalysis | None:
    totals, after, boards, levels, evaluated, errors = data
    if state.phase is not Phase.TO_PLAY:
        return None
    lost, luck, before = _PLAY_NUMBERS.unpack(totals)
    plays = state.legal_plays
    played = None
    candidates: list[Candidate] = []
    rows = zip(
        _BOARD.iter_unpack(boards),
        _LEVEL.iter_unpack(levels),
        _EVALUATION.iter_unpack(evaluated),
        strict=True,
    )
    for ((board,), (level,), numbers), error in zip_longest(rows, errors):
        if (play := play_to(plays, flip(board))) is None:
            continue
        if board == after:
            played = len(candidates)
        candidates.append(
            candidate_of(
                play, numbers[6], chances_of(*_five(numbers)), _level_named(level), error, None
            )
        )
    is_lucky = luck > _UNSET and (luck, before) != (0, 0)
    is_choice = lost > _UNSET and not totals[0]  # by the rule of the program's statistics
    stated_error = max(0.0, -lost) if is_choice else None
    return _make_play_analysis(
        tuple(candidates), played, luck if is_lucky else None, stated_error, ENGINE
    )


def _level_named(number: int) -> Level:
    return _LEVELS.get(number) or Level(f"level {number}")


def analysis_of_cube(
    data: bytes, at: int, turn: CubeRecord, rollouts: bytes
) -> EncodedAnalysis | None:
    """The analysis of whether to double; None if it is missing. Raises ParseError if its numbers cannot be right."""
    if turn.verdict == NOT_ANALYZED:
        return None
    block = data[at + 92 : at + 228]
    _, *numbers, number = cast("tuple[float, ...]", _CUBE.unpack(block))
    chances = numbers[:6] + numbers[10:16]
    equities = (numbers[6], *numbers[7:10], *numbers[16:])
    _check(chances, equities)
    errors = (
        _standard_errors(int(number), rollouts) if rollouts and number != NONE else (None, None)
    )
    return make_encoded((block, errors), _decode_cube)


def _decode_cube(
    data: tuple[bytes, tuple[float | None, float | None]], _state: MatchState
) -> CubeAnalysis:
    block, errors = data
    level, *values, _ = cast("tuple[float, ...]", _CUBE.unpack(block))
    taken = values[10:17]
    lost, lost_by_answer = values[17:]
    return _make_cube_analysis(
        *values[7:10],
        chances_of(*_five(values)),
        chances_of(*_five(taken)) if taken[2] or taken[3] else None,
        _level_named(int(level)),
        errors if errors != (None, None) else None,
        None,
        max(0.0, lost) if lost > _UNSET else None,
        max(0.0, -lost_by_answer) if lost_by_answer > _UNSET else None,
        ENGINE,
    )


def _standard_errors(number: int, rollouts: bytes) -> tuple[float | None, float | None]:
    """The standard errors of a rollout: of the position, or without doubling, and after a double that is taken."""
    at = number * _ROLLOUT_SIZE
    if number < 0 or at + _ROLLOUT_SIZE > len(rollouts):
        return None, None
    first, second = (
        value / DEVIATIONS for value in unpack_from("<2f", rollouts, at + _ROLLOUT_ERRORS)
    )
    return (first if 0 < first < _LARGEST_EQUITY else None), (
        second if 0 < second < _LARGEST_EQUITY else None
    )
