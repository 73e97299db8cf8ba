"""What stands where: a table of fields for each record, which the reader and the writer share.

A record is its length, a mask that says which fields are present, the fields that always are, then the others in the
order of their bits. A later version may add fields at the end; the length leads over them.

Boards and steps are numbered as Black moves, down from the bar at 25; White's checkers are positive, and move up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Any, Final

from attrs import frozen

from gammonrules._shared.byte_cursor import Cursor
from gammonrules.board import Play
from gammonrules.dice import ROLLS
from gammonrules.match import Player

MAGIC = b"OGXM"
END = b"END!"
HEADER: Final = Struct("<4s4HI")
"""Version, the version that a reader needs, and the size of the file."""
SECTION: Final = Struct("<4sIB")
"""Type, length, and whether it must be understood."""
CLOCK: Final = Struct("<4IB3xIBI")
"""Reserve, delay and increment in milliseconds, the start in seconds, flags; then how many readings follow the first,
how many of their bits are packed into words, and their unit in milliseconds."""
MAX_GAMES = 1_000
MAX_PLIES = 1_500
MAX_BLOCKS = 64
MAX_NOTES = 4_096
MAX_TEXT_LENGTH = 4_096
_MAX_ITEMS = 1_024
"""Games; plies in one; analyses; remarks; bytes of a text; and items of a list."""


@frozen
class _Codec:
    read: Callable[[Cursor], Any]
    write: Callable[[Any], bytes]


def _varint(value: int) -> bytes:
    """A number in groups of seven bits, the lowest first; all bytes but the last have the high bit."""
    groups = bytearray()
    while value >= 0x80:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)


def _with_length(content: bytes) -> bytes:
    return _varint(len(content)) + content


def _fixed_number(layout: str, units_in_1: int = 1) -> _Codec:
    """A number of a fixed size: with 1000 `units_in_1`, 0.25 is stored as 250."""
    number = Struct(f"<{layout}")

    def read(source: Cursor) -> float:
        (units,) = number.unpack(source.take(number.size))
        return _from_units(units, units_in_1)

    return _Codec(read, write=lambda value: number.pack(round(value * units_in_1)))


def _fixed_numbers(layout: str, units_in_1: int = 1) -> _Codec:
    """Several numbers, each stored as by `_fixed_number`."""
    numbers = Struct(f"<{layout}")

    def read(source: Cursor) -> list[float]:
        stored = numbers.unpack(source.take(numbers.size))
        return [_from_units(units, units_in_1) for units in stored]

    def write(values: Sequence[float]) -> bytes:
        units = [round(value * units_in_1) for value in values]
        return numbers.pack(*units)

    return _Codec(read, write)


def _from_units(units: int, unit: int) -> float:
    return units if unit == 1 else units / unit


def _any_number_of(field: _Codec | Record) -> _Codec:
    """A list: how many items there are, then the items."""

    def read(source: Cursor) -> list[Any]:
        count = source.number(_MAX_ITEMS)
        return [field.read(source) for _ in range(count)]

    def write(items: Sequence[Any]) -> bytes:
        return _varint(len(items)) + b"".join([field.write(item) for item in items])

    return _Codec(read, write)


@frozen
class Record:
    fixed: dict[str, _Codec | Record]
    fields: dict[str, _Codec | Record]
    """In the order of their bits."""

    def read(self, source: Cursor) -> dict[str, Any]:
        body = Cursor(source.take(source.number()))
        mask = body.number()
        values: dict[str, Any] = {}
        for name, field in self.fixed.items():
            values[name] = field.read(body)
        for bit, (name, field) in enumerate(self.fields.items()):
            if mask >> bit & 1:
                values[name] = field.read(body)
        return values

    def write(self, values: dict[str, Any]) -> bytes:
        """Fields that are missing, or None, are left out."""
        mask = 0
        content: list[bytes] = []
        for name, field in self.fixed.items():
            content.append(field.write(values[name]))
        for bit, (name, field) in enumerate(self.fields.items()):
            if values.get(name) is not None:
                mask |= 1 << bit
                content.append(field.write(values[name]))
        return _with_length(_varint(mask) + b"".join(content))


_NUMBER: Final = _Codec(Cursor.number, _varint)
_KINDS: Final[dict[str, _Codec | Record]] = {
    "": _NUMBER,
    "numbers": _any_number_of(_NUMBER),
    "two": _Codec(
        lambda source: (source.number(), source.number()),
        lambda pair: _varint(pair[0]) + _varint(pair[1]),
    ),
    "flag": _Codec(lambda _: True, lambda _: b""),
    "bytes": _Codec(lambda source: source.take(source.number()), _with_length),
    "text": _Codec(
        lambda source: str(source.take(source.number(MAX_TEXT_LENGTH)), "utf-8", "replace"),
        lambda text: _with_length(text.encode("utf-8", "replace")),
    ),
    "dice": _fixed_numbers("2B"),
    "steps": _any_number_of(_fixed_number("B")),
    "equity": _fixed_number("i", units_in_1=10**6),
    "loss": _fixed_number("I", units_in_1=10**6),
    "chance": _fixed_number("H", units_in_1=10**4),
    "five": _fixed_numbers("5H", units_in_1=10**4),
    "board": _fixed_numbers("26b"),
    "id": _fixed_numbers("16B"),
    "digest": _fixed_numbers("32B"),
}


def _record(fixed: str, fields: str = "") -> Record:
    """A record whose fields are given as "name:kind"; a number needs no kind."""
    return Record(_fields_named(fixed), _fields_named(fields))


def _fields_named(entries: str) -> dict[str, _Codec | Record]:
    fields: dict[str, _Codec | Record] = {}
    for entry in entries.split():
        name, _, kind = entry.partition(":")
        fields[name] = _KINDS[kind]
    return fields


MATCH: Final = _record(
    "length variant",
    "white:text black:text rules cube_limit score:two final:two result source started completed seat "
    "crawford_played:flag event:text event_year date_precision stage:text round table:text city:text country:text "
    "event_url:text site:text",
)
GAME: Final = _record("", "winner points is_last:flag board:board cube owner auto_doubles")
EXTRAS: Final = _record(
    "", "dice:dice resigned cube illegal:flag settled:equity steps:steps board:board action owner"
)
_KINDS["level"] = _record("", "preset:text checker cube rollout:bytes no_rollout:flag")
BLOCK: Final = _record(
    "id:id",
    "digest:digest producer level:level complete:flag coverage:numbers model_id:text model:text model_digest:digest "
    "build:text currency",
)
_PLAY: Final = _record(
    "steps:steps equity:equity", "chances:five level:level played:flag error:equity"
)
_KINDS["plays"] = _any_number_of(_PLAY)
_CUBE = "no_double:equity double_take:equity double_drop:equity chances:five loss:loss take_point:chance window:flag"
DECISIONS: Final[tuple[Record, ...]] = (
    _record("ply kind", "plays:plays total best:equity loss:loss level:level"),
    _record("ply kind verdict", f"{_CUBE} level:level"),
    _record("ply kind"),
    _record("ply kind luck:equity"),
)
"""Of plays, of the cube, of a resignation, and of luck."""
NOTE: Final = _record("scope ref text:text", "key:text")
CHECKSUM: Final = _record("algorithm digest:bytes")

# --- plies ------------------------------------------------------------------------------------------------------------

DOUBLE = 21
TAKE = 22
DROP = 23
RESIGN = 27
RESIGN_MATCH = 28
FORFEIT = 29
SET_POSITION = 31
BEAVER = 32
RACCOON = 33
SETTLE = 34
CUBE_SET = 36
ESCAPE = 63
"""Actions; those below them are the rolls."""
SILENT: Final = (24, 25, 26, 30, 37)
"""Marks of an end, nothing at all, and dances."""


@frozen
class Ply:
    """What a player does: a roll with its play, or an action."""

    line: int
    """Its number in the match, counted from 1."""
    action: int
    player: Player
    steps: list[int]
    extras: dict[str, Any]
    row: None = None

    @property
    def index(self) -> int:
        """Its number as the file counts, from 0 through all games."""
        return self.line - 1

    @property
    def text(self) -> str:
        if self.action < len(ROLLS):
            return f"{ROLLS[self.action]}: {moves_in(self.steps, self.player)}".rstrip()
        return f"action {self.action} {moves_in(self.steps, self.player)}".rstrip()


_ACTION_BITS = 0x3F
_BLACK_BIT = 0x40
_EXTRAS_BIT = 0x80
"""What the first byte of a ply consists of."""
_NO_FURTHER_STEP = 0
"""It ends a play with fewer steps than its roll may have."""


def read_ply(source: Cursor, line: int) -> Ply:
    head = source.take(1)[0]
    action = head & _ACTION_BITS
    steps: list[int] = []
    for _ in range(_most_steps(action)):
        step = source.take(1)[0]
        if step == _NO_FURTHER_STEP:
            break
        steps.append(step)
    extras = EXTRAS.read(source) if head & _EXTRAS_BIT else {}
    if action == ESCAPE:  # an action too large for the bits of the head is a field
        action = extras.get("action", ESCAPE)
    player = Player.BLACK if head & _BLACK_BIT else Player.WHITE
    return Ply(line, action, player, steps, extras)


def written_ply(
    action: int, player: Player, steps: Sequence[int] = (), extras: dict[str, Any] | None = None
) -> bytes:
    head = action
    if player is Player.BLACK:
        head |= _BLACK_BIT
    if extras:
        head |= _EXTRAS_BIT
    content = bytes([head, *steps])
    if len(steps) < _most_steps(action):
        content += bytes([_NO_FURTHER_STEP])
    if extras:
        content += EXTRAS.write(extras)
    return content


def _most_steps(action: int) -> int:
    """The most steps of the play of a roll; none for another action."""
    if action >= len(ROLLS):
        return 0
    return 4 if ROLLS[action].is_doublet else 2


_START_BITS = 0x1F
_BITS_OF_START = 5
"""Of a step; above them is the die."""


def moves_in(steps: Sequence[int], player: Player) -> str:
    """A play in words, as the player numbers the points."""
    moves: list[str] = []
    for step in steps:
        start = step & _START_BITS
        if player is Player.WHITE:
            start = 25 - start  # steps are numbered as Black's points
        die = step >> _BITS_OF_START
        end = max(0, start - die)
        moves.append(f"{start}/{end}")
    return " ".join(moves)


def written_steps(play: Play, player: Player) -> list[int]:
    """The moves of a play with the dice that they use."""
    steps: list[int] = []
    for move in play.moves:
        start = move.from_point
        if player is Player.WHITE:
            start = 25 - start  # steps are numbered as Black's points
        assert move.die is not None  # of a legal play
        steps.append((move.die << _BITS_OF_START) | start)
    return steps


def seen(board: Sequence[int], player: Player) -> list[int]:
    """A board of a file as this player sees it, and the other way round."""
    if player is Player.WHITE:
        return list(reversed(board))
    return [-count for count in board]
