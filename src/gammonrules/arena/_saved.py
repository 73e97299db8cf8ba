"""What an arena writes: a file to which every block is added as soon as it is played, and records."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from math import inf
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, cast
from zlib import crc32

import attrs
from attrs import frozen

from gammonrules._shared.disk_files import errors_naming, file_to_extend, path_text, write_whole
from gammonrules.arena._blocks import Block, BlockResults, Plan
from gammonrules.arena._losses import Loss
from gammonrules.arena._players import Entrant, code_of
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MOST_POINTS
from gammonrules.rules import Rules
from gammonrules.values import real_argument, saying_where, shown, whole_argument

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.bearoff import TwoSided

FORMAT: Final = 3
"""To be raised too when the same seed comes to give other dice, or a name another player: in 2, gnubg:1 was 1-ply."""
LONGEST_LINE: Final = 1 << 16
"""Bytes; 64 names of 100 characters may take half of that, 2,000 pairs of games a little more."""
LARGEST_FILE: Final = 1 << 30
"""Bytes; a pair of games that is not in a block of many takes about 100."""
_MOST_PAIRS: Final = 1 << 31
_BLOCK: Final = b'{"players":['
"""How each line after the first one begins: with two players by number, or with the names of further ones."""
_RECORD: Final = re.compile(r"\d+-\d+-\d{6,}-[12]\.mat", re.IGNORECASE)


@frozen(eq=False)
class Saved:
    """A file of JSON lines, each with a checksum: the first says of which arena, each other one is a block.

    Attributes:
        file: it is empty until a block is played: who could not play has not begun an arena.
        played: the blocks that it had.
        due: the line that says who plays, if it does not say so yet.
    """

    file: IO[bytes]
    played: dict[Block, BlockResults]
    due: list[dict[str, Any]]

    def add(self, played: BlockResults) -> None:
        """Add a block, unless it is there. Raises OSError."""
        if played.block in self.played:
            return
        while self.due:
            _append(self.file, self.due.pop())
        values = [int(value) for pair in played.values for value in pair]
        losses = played.losses and [attrs.astuple(loss) for loss in played.losses]
        block = {
            "players": [played.block.player, played.block.opponent],
            "first": played.block.first,
        }
        _append(
            self.file,
            {**block, "values": values, "seconds": round(played.seconds, 6), "losses": losses},
        )


@contextmanager
def opened(
    path: str | os.PathLike[str], plan: Plan, table: TwoSided | None, players: Iterable[Entrant]
) -> Generator[Saved]:
    """The file of an arena, made if it is not there, and mended if its last line was cut short; new players join it.

    Raises:
        ArgumentError: the path is none.
        ParseError: it is not the file of this arena, or another run is writing to it.
        OSError: it cannot be opened or written.
    """
    name = path_text(path)
    heading = {**_saved_settings(plan, table), "code": [*map(code_of, players)]}
    with ExitStack() as stack:
        with saying_where(name, ParseError):
            file = stack.enter_context(file_to_extend(name))
            saved = Saved(file, *_blocks_in(file, plan, heading))
        yield saved


def with_records_in(folder: Path, saved: Mapping[Block, BlockResults]) -> dict[Block, BlockResults]:
    """What has been played, without the blocks that lack a record in the folder, which is made.

    Raises ArgumentError if it has a record of other games, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    there = {path.name for path in folder.iterdir()}
    ours = {name for block in saved for name in _names_of_records(block)}
    for name in sorted(there - ours):
        if _RECORD.fullmatch(name):
            raise ArgumentError(
                f"{folder / name} is not the record of a saved pair of this arena: name another folder"
            )
    return {
        block: played
        for block, played in saved.items()
        if there.issuperset(_names_of_records(block))
    }


def _saved_settings(plan: Plan, table: TwoSided | None) -> dict[str, Any]:
    """What must be the same when the arena goes on, but that further players may join."""
    board = plan.board and [plan.board.id, plan.board.checkers]
    arena = {
        "players": list(plan.names),
        "length": plan.length,
        "seed": plan.seed,
        "position": board,
    }
    return {
        "arena": FORMAT,
        **arena,
        "table": table and [table.points, table.checkers],
        **attrs.asdict(plan.rules),
    }


def _blocks_in(
    file: IO[bytes], plan: Plan, heading: dict[str, Any]
) -> tuple[dict[Block, BlockResults], list[dict[str, Any]]]:
    """The blocks in a file, which afterwards ends with a whole line, and what it does not say of who plays.

    Raises ParseError.
    """
    if os.fstat(file.fileno()).st_size > LARGEST_FILE:
        raise ParseError(f"the file of an arena has at most {LARGEST_FILE:,} bytes")
    blocks = dict[Block, BlockResults]()
    joined = 0
    file.seek(0)
    for number, line in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), 1):
        is_whole = line.endswith(b"\n") or len(line) == LONGEST_LINE
        begin = line[: len(_BLOCK)] if number > 1 else line
        if not is_whole and (_BLOCK if number > 1 else _saved_line(heading)).startswith(begin):
            file.truncate(file.tell() - len(line))
        elif number == 1:
            joined = _number_who_join(
                _heading_in(line),
                settings=heading,
                players=heading["players"],
                code=heading["code"],
            )
        else:
            try:
                form = json.loads(line if _is_right(line) else b"")
                played = None if "code" in form else _block_in(form, plan)
            except (ValueError, TypeError, KeyError, RecursionError):
                raise ParseError(
                    f"line {number:,} is damaged, or has no games of this arena"
                ) from None
            if played is None:
                joined += _number_who_join(
                    form,
                    settings={},
                    players=heading["players"][joined:],
                    code=heading["code"][joined:],
                )
            elif played.block in blocks:
                raise ParseError(f"line {number:,} has games of an earlier line")
            else:
                blocks[played.block] = played
    is_begun = os.fstat(file.fileno()).st_size
    due = {name: heading[name][joined:] for name in ("players", "code")} if is_begun else heading
    return blocks, [due] * (joined < len(plan.names))


def _heading_in(line: bytes) -> dict[str, Any]:
    """What the first line says. Raises ParseError."""
    if line.startswith(b'{"arena":%d,' % FORMAT) and not _is_right(line):
        raise ParseError("line 1 is damaged")
    first: object = None
    with suppress(ValueError, RecursionError):
        first = json.loads(line)
    if not isinstance(first, dict) or "arena" not in first:
        raise ParseError("this is not the file of an arena")
    # an option may be newer than the file
    return attrs.asdict(Rules()) | cast("dict[str, Any]", first)


def _number_who_join(
    form: dict[str, Any], settings: dict[str, Any], players: list[str], code: list[int | None]
) -> int:
    """How many players a line has. Raises ParseError for other settings, or unless those are the first of these."""
    saved: list[list[Any]] = [
        each if isinstance(each := form.get(name), list) else [] for name in ("players", "code")
    ]
    number = len(saved[0])
    for name, value in (settings | {"players": players[:number], "code": form.get("code")}).items():
        if form.get(name) != value:
            what = "has another format" if name == "arena" else "belongs to another arena"
            raise ParseError(
                f"this file {what}: {name} is {shown(form.get(name), 100)} there, not {shown(value, 100)}"
            )
    for name, theirs, ours in zip(players, saved[1], code, strict=False):
        if theirs != ours and None not in {theirs, ours}:
            raise ParseError(
                f"{shown(name, 100)} plays otherwise than when they joined: give them another name"
            )
    return number


def _block_in(saved: dict[str, Any], plan: Plan) -> BlockResults:
    """The block in a line. Raises ValueError, TypeError and KeyError if there is none."""
    player, opponent = saved["players"]
    opponent = whole_argument("opponent", value=opponent, least=1, most=len(plan.names) - 1)
    first = whole_argument("first", value=saved["first"], least=0, most=_MOST_PAIRS)
    least, most = (-MOST_POINTS, MOST_POINTS) if plan.length is None else (0, 1)
    values = [
        float(whole_argument("value", value=value, least=least, most=most))
        for value in saved["values"]
    ]
    if not values or (plan.length is None and 0 in values):
        raise ValueError("every game has a winner")
    pairs = tuple(zip(values[::2], values[1::2], strict=True))
    block = Block(
        whole_argument("player", value=player, least=0, most=opponent - 1),
        opponent=opponent,
        first=first,
        number=len(pairs),
    )
    losses = None
    if plan.table is not None:
        mine, theirs = saved["losses"]
        losses = Loss(*mine), Loss(*theirs)
    seconds = real_argument(
        "seconds",
        value=saved["seconds"],
        needed="a number from 0 up",
        fits=lambda number: 0 <= number < inf,
    )
    return BlockResults(block, values=pairs, seconds=seconds, losses=losses)


def _saved_line(form: dict[str, Any]) -> bytes:
    return (
        _with_checksum(json.dumps(form, separators=(",", ":"), ensure_ascii=False).encode()[:-1])
        + b"\n"
    )


def _with_checksum(text: bytes) -> bytes:
    """An object whose closing brace is missing, with the checksum of this text at its end."""
    return b'%s,"crc32":%d}' % (text, crc32(text))


def _is_right(line: bytes) -> bool:
    return line.rstrip(b"\r\n") == _with_checksum(line.rpartition(b",")[0])


def _append(file: IO[bytes], form: dict[str, Any]) -> None:
    """Add a line, and have it on the disk."""
    line = _saved_line(form)
    with errors_naming(file.name):
        while line:
            line = line[os.write(file.fileno(), line) :]
        os.fsync(file.fileno())


def write_records(folder: Path, played: BlockResults) -> None:
    """The records of a block that are not there. Raises OSError and ArgumentError."""
    for name, text in zip(_names_of_records(played.block), played.records, strict=True):
        if not os.path.lexists(folder / name):
            write_whole(str(folder / name), text.encode())


def _names_of_records(block: Block) -> Iterator[str]:
    """By the numbers of the players and of the pair, and the game of the pair, all from 1."""
    for pair in range(block.first + 1, block.first + block.number + 1):
        for game in (1, 2):
            yield f"{block.player + 1}-{block.opponent + 1}-{pair:06}-{game}.mat"
