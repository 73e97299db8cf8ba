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
MOST_GAMES = 1_000
MOST_PLIES = 1_500
MOST_BLOCKS = 64
MOST_NOTES = 4_096
LONGEST_TEXT = 4_096
_MOST_ITEMS = 1_024
"""Games; plies in one; analyses; remarks; bytes of a text; and items of a list."""


@frozen
class _Codec:
    read: Callable[[Cursor], Any]
    write: Callable[[Any], bytes]


def _varint(value: int) -> bytes:
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + _varint(value >> 7)


def _with_length(content: bytes) -> bytes:
    return _varint(len(content)) + content


def _fixed_numbers(layout: str, unit: int = 1) -> _Codec:
    """Numbers of a fixed size, each a whole number of units; or only one."""
    numbers = Struct(f"<{layout}")
    is_one = len(layout) == 1

    def read(source: Cursor) -> Any:
        values = [
            value / unit if unit > 1 else value
            for value in numbers.unpack(source.take(numbers.size))
        ]
        return values[0] if is_one else values

    return _Codec(
        read,
        lambda value: numbers.pack(
            *(round(part * unit) for part in ([value] if is_one else value))
        ),
    )


def _any_number_of(field: _Codec | Record) -> _Codec:
    """Any number of items after that number."""
    return _Codec(
        lambda source: [field.read(source) for _ in range(source.number(_MOST_ITEMS))],
        lambda items: _varint(len(items)) + b"".join(map(field.write, items)),
    )


@frozen
class Record:
    fixed: dict[str, _Codec | Record]
    fields: dict[str, _Codec | Record]
    """In the order of their bits."""

    def read(self, source: Cursor) -> dict[str, Any]:
        body = Cursor(source.take(source.number()))
        mask = body.number()
        present = [item for bit, item in enumerate(self.fields.items()) if mask >> bit & 1]
        return {name: field.read(body) for name, field in (*self.fixed.items(), *present)}

    def write(self, values: dict[str, Any]) -> bytes:
        """Fields that are missing, or None, are left out."""
        present = {
            name: field for name, field in self.fields.items() if values.get(name) is not None
        }
        mask = sum(1 << bit for bit, name in enumerate(self.fields) if name in present)
        fields = (self.fixed | present).items()
        return _with_length(
            _varint(mask) + b"".join([field.write(values[name]) for name, field in fields])
        )


_NUMBER: Final = _Codec(Cursor.number, _varint)
_KINDS: Final[dict[str, _Codec | Record]] = {
    "": _NUMBER,
    "numbers": _any_number_of(_NUMBER),
    "two": _Codec(
        lambda source: (source.number(), source.number()), lambda pair: b"".join(map(_varint, pair))
    ),
    "flag": _Codec(lambda _: True, lambda _: b""),
    "bytes": _Codec(lambda source: source.take(source.number()), _with_length),
    "text": _Codec(
        lambda source: str(source.take(source.number(LONGEST_TEXT)), "utf-8", "replace"),
        lambda text: _with_length(text.encode("utf-8", "replace")),
    ),
    "dice": _fixed_numbers("2B"),
    "steps": _any_number_of(_fixed_numbers("B")),
    "equity": _fixed_numbers("i", 10**6),
    "loss": _fixed_numbers("I", 10**6),
    "chance": _fixed_numbers("H", 10**4),
    "five": _fixed_numbers("5H", 10**4),
    "board": _fixed_numbers("26b"),
    "id": _fixed_numbers("16B"),
    "digest": _fixed_numbers("32B"),
}


def _record(fixed: str, fields: str = "") -> Record:
    """A record whose fields are given as "name:kind"; a number needs no kind."""
    parts = ([entry.partition(":") for entry in part.split()] for part in (fixed, fields))
    return Record(*({name: _KINDS[kind] for name, _, kind in entries} for entries in parts))


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
SEATS: Final = (Player.WHITE, Player.BLACK)


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
    def text(self) -> str:
        dice = f"{ROLLS[self.action]}: " if self.action < len(ROLLS) else f"action {self.action} "
        return (dice + moves_in(self.steps, self.player)).rstrip()


def read_ply(source: Cursor, line: int) -> Ply:
    head = source.take(1)[0]
    steps = list[int]()
    action = head & 0x3F
    while len(steps) < _most_steps(action) and 0 not in steps:
        steps += source.take(1)
    extras = EXTRAS.read(source) if head & 0x80 else {}
    action = extras.get("action", action) if action == ESCAPE else action
    return Ply(
        line,
        action,
        player=SEATS[head >> 6 & 1],
        steps=[step for step in steps if step],
        extras=extras,
    )


def written_ply(
    action: int, player: Player, steps: Sequence[int] = (), extras: dict[str, Any] | None = None
) -> bytes:
    head = action | SEATS.index(player) << 6 | (extras is not None) << 7
    return bytes([head, *[*steps, 0][: _most_steps(action)]]) + (
        EXTRAS.write(extras) if extras else b""
    )


def _most_steps(action: int) -> int:
    return 0 if action >= len(ROLLS) else 4 if ROLLS[action].is_doublet else 2


def moves_in(steps: Sequence[int], player: Player) -> str:
    """A play in words, as the player numbers the points."""
    starts = [25 - (step & 0x1F) if player is Player.WHITE else step & 0x1F for step in steps]
    return " ".join(
        [
            f"{start}/{max(0, start - (step >> 5))}"
            for start, step in zip(starts, steps, strict=True)
        ]
    )


def seen(board: Sequence[int], player: Player) -> list[int]:
    """A board of a file as this player sees it, and the other way round."""
    return [*board[::-1]] if player is Player.WHITE else [-count for count in board]
