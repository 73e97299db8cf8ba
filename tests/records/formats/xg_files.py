"""Writes files of eXtreme Gammon, for tests: what the program may write, and what it never would.

The offsets are those of the published description, typed in again, not those of the reader.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping

from gammonrules import Action, Event, Forfeit, MatchState, Player, Position, SetPosition
from gammonrules.records import Game, Match

SIZE = 2560
NUMBER = {Player.WHITE: 1, Player.BLACK: -1}
VARIATION = {"standard": 0, "nackgammon": 1, "hypergammon": 2, "longgammon": 3}
ANSWER = {Action.TAKE: 1, Action.DROP: 0, Action.BEAVER: 2}


def put(record: bytearray, at: int, form: str, *values: object) -> None:
    struct.pack_into(f"<{form}", record, at, *values)


def new(kind: int) -> bytearray:
    record = bytearray(b"\xab" * 8 + bytes(SIZE - 8))  # the first bytes are pointers that mean nothing
    record[8] = kind
    return record


def pascal(text: str, size: int) -> bytes:
    data = text.encode("cp1252", "replace")[:size]
    return bytes([len(data)]) + data


def wide(text: str) -> bytes:
    return text.encode("utf-16-le")[:256] + b"\0\0"


def board(position: Position) -> bytes:
    return struct.pack("26b", *position.points)


def header(match: Match, *, version: int = 32) -> bytearray:
    """Type 0."""
    record, rules, (white, black) = new(0), match.rules, match.players
    record[9 : 9 + 1 + min(40, len(white))] = pascal(white, 40)
    record[50 : 50 + 1 + min(40, len(black))] = pascal(black, 40)
    put(record, 92, "2i", 99_999 if match.length is None else match.length, VARIATION[rules.start])
    put(record, 100, "4B", rules.crawford, rules.jacoby, bool(rules.beavers), bool(rules.auto_doubles))
    put(record, 104, "2d2i", 1600.0, 1600.0, 0, 0)
    put(record, 552, "2i", version, 0x494C4D44)
    put(record, 576, "2i", -1, -1)
    limit = 10 if rules.max_cube is None else rules.max_cube.bit_length() - 1
    put(record, 608, "3i", -1, limit if rules.cube else 0, rules.auto_doubles)
    if version >= 24:
        for at, text in ((880, white), (1138, black), (1396, match.site or "")):
            record[at : at + len(wide(text))] = wide(text)
    return record


def game_header(game: Game, number: int) -> bytearray:
    """Type 1."""
    record = new(1)
    put(record, 12, "2iB", *game.score, game.start.crawford)
    if game.start.position != Position.start(game.start.rules.start):
        record[21:47] = board(game.start.position)
    put(record, 48, "iB", number, 0)
    put(record, 56, "3i", -1, -1, game.start.cube.value.bit_length() - 1)
    return record


def stored_cube(state: MatchState, auto: int) -> int:
    power = state.cube.value.bit_length() - 1 - auto
    return -power if state.cube.owner is Player.BLACK else power


def cube_record(state: MatchState, player: Player, double: int, answers: Iterable[int], auto: int) -> bytearray:
    """Type 2; the state is that before the action."""
    record = new(2)
    three = [*answers, -1, -1, -1][:3]
    put(record, 12, "6i", NUMBER[player], double, *three, stored_cube(state, auto))
    record[36:62] = board(state.view(Player.WHITE))
    put(record, 120, "h", -100)
    put(record, 200, "d", -1000.0)
    record[208:211] = b"\x0277"
    put(record, 216, "di", -1000.0, -1)
    put(record, 292, "i", -1)
    return record


def move_record(state: MatchState, after: MatchState | None, auto: int) -> bytearray:
    """Type 3; the state is that with the dice, `after` that after the play, None if nothing was played."""
    record, player = new(3), state.on_roll
    assert player is not None
    assert state.dice is not None
    record[9:35] = board(state.view(Player.WHITE))
    put(record, 64, "i", NUMBER[player])
    put(record, 100, "3i", state.dice.low, state.dice.high, stored_cube(state, auto))
    put(record, 2312, "2d", -1000.0, -1000.0)
    put(record, 2344, "32i", *[-1] * 32)
    put(record, 2524, "i", -1)
    if after is not None:
        record[2308] = 1
        record[35:61] = board(after.view(player))
        play = state.legal_plays.find(after.view(player.opponent))
        steps = [value for move in play.moves for value in (move.from_point - 1, move.to_point - 1)]
        put(record, 68, "8i", *(steps + [-1] * 8)[:8])
    return record


def game_footer(game: Game, last: MatchState, termination: int) -> bytearray:
    """Type 4."""
    record, result = new(4), last.result
    assert result is not None
    put(record, 12, "2iB", *last.score, False)
    put(record, 24, "3i", NUMBER[result.winner], result.points, termination)
    return record


def match_footer(match: Match) -> bytearray:
    """Type 5."""
    record = new(5)
    put(record, 12, "3i", *match.score, 1)
    return record


def game_records(game: Game, number: int) -> Iterator[bytearray]:
    """All records of a game; a position set by hand is marked as edited."""
    yield game_header(game, number)
    states = list(game.states())
    writer = _GameWriter(game.start)
    for event, before, after in zip(game.events, states, states[1:], strict=False):
        yield from writer.follow(event, before, after)
    yield from writer.rest()
    result = states[-1].result
    if result is not None:
        played = int(result.win or 1) if result.end == "played" else 0
        yield game_footer(game, states[-1], writer.termination or played)


class _GameWriter:
    """The records of the turns of a game."""

    def __init__(self, start: MatchState) -> None:
        self.auto = start.cube.value.bit_length() - 1
        self.asked = start
        """The state before the double."""
        self.turn: bytearray | None = None
        """The record of the double, until the roll."""
        self.answers: list[int] = []
        self.rolled: MatchState | None = None
        self.edited = False
        self.termination = 0

    def follow(self, event: object, before: MatchState, after: MatchState) -> Iterator[bytearray]:
        if isinstance(event, Forfeit):
            self.termination = 1000
        elif isinstance(event, SetPosition):
            self.edited = True
        elif isinstance(event, Event):
            yield from self.act(event, before, after)

    def act(self, event: Event, before: MatchState, after: MatchState) -> Iterator[bytearray]:
        match event.action:
            case Action.OPENING_ROLL | Action.ROLL:
                yield self.roll(before, after)
            case Action.DOUBLE | Action.TAKE | Action.DROP | Action.BEAVER:
                self.turn_cube(event.action, before)
            case Action.PLAY:
                yield move_record(before, after, self.auto)
                self.rolled = None
            case Action.RESIGN:
                self.termination = 100 + int(str(int(event.argument)))  # type: ignore[arg-type]
            case _:
                pass

    def roll(self, before: MatchState, after: MatchState) -> bytearray:
        assert after.on_roll is not None
        may_double = before.on_roll is not None and Action.DOUBLE in before.legal_actions
        turn = self.turn or cube_record(before, after.on_roll, 0 if may_double else -2, (), self.auto)
        turn[296] |= self.edited
        self.turn, self.edited, self.rolled = None, False, after
        return turn

    def turn_cube(self, action: Action, before: MatchState) -> None:
        if action is Action.DOUBLE:
            self.asked, self.answers = before, []
        else:
            self.answers.append(ANSWER[action])
        assert self.asked.on_roll is not None
        self.turn = cube_record(self.asked, self.asked.on_roll, 1, self.answers, self.auto)

    def rest(self) -> Iterator[bytearray]:
        """What stands at the end: a double without a roll, a roll without a play."""
        if self.turn is not None:
            yield self.turn
        if self.rolled is not None:
            yield move_record(self.rolled, None, self.auto)


def records_of(match: Match, *, version: int = 32) -> list[bytearray]:
    """All records of a match."""
    records = [header(match, version=version)]
    for number, game in enumerate(match.games, start=1):
        records += game_records(game, number)
    return [*records, match_footer(match)]


def entry(name: str, content: bytes, stored: bytes, start: int, *, method: int = 0) -> bytes:
    """A file in the index of an archive."""
    numbers = struct.pack("<4IBB2x", len(content), len(stored), start, zlib.crc32(content), method, 2)
    return pascal(name, 255).ljust(256, b"\0") + bytes(256) + numbers


def container(
    files: Mapping[str, bytes],
    *,
    thumbnail: bytes = b"",
    packed: bool = True,
    entries: Iterable[bytes] | None = None,
    count: int | None = None,
) -> bytes:
    """A file with these files in its archive.

    Args:
        files: the content by name.
        thumbnail: the picture.
        packed: whether the files and the index are compressed.
        entries: the index, if it is to be another one.
        count: how many files the trailer says there are.
    """
    data, index = b"", []
    for name, content in files.items():
        stored = zlib.compress(content, 1) if packed else content
        index.append(entry(name, content, stored, len(data), method=0 if packed else 1))
        data += stored
    index = index if entries is None else list(entries)
    return closed(data, index, thumbnail=thumbnail, packed=packed, count=count)


def closed(
    data: bytes, index: list[bytes], *, thumbnail: bytes = b"", packed: bool = True, count: int | None = None
) -> bytes:
    """A file with this archive and this index."""
    head = struct.pack("<4sIIqI16x", b"RGMH", 1, 8232, 0, len(thumbnail)).ljust(8232, b"\0")
    listed = zlib.compress(b"".join(index), 1) if packed else b"".join(index)
    checksum = zlib.crc32(data + listed)
    numbers = (checksum, len(index) if count is None else count, 1, len(listed), len(data), int(packed))
    return head + thumbnail + data + listed + struct.pack("<6I12x", *numbers)


def file_of(match: Match, *, version: int = 32, **others: bytes) -> bytes:
    """A match as a file. `others`: further files of the archive, such as `xgc` for temp.xgc."""
    return pack(records_of(match, version=version), **others)


def pack(records: Iterable[bytes], **others: bytes) -> bytes:
    """These records as a file."""
    return container({"temp.xg": b"".join(map(bytes, records))} | {f"temp.{n}": data for n, data in others.items()})
