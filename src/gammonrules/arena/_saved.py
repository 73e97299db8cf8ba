"""What an arena writes: a file to which every block is added as soon as it is played, and records."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from math import inf
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias
from zlib import crc32

import attrs
from attrs import define

from gammonrules._shared.disk_files import (
    beginning,
    errors_naming,
    file_to_extend,
    ordinary_file,
    path_text,
    write_whole,
)
from gammonrules.arena._blocks import AllValues, Block, BlockResults, Plan
from gammonrules.arena._losses import Loss
from gammonrules.arena._players import Entrant, code_of
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MOST_POINTS
from gammonrules.rules import Rules
from gammonrules.values import (
    is_json_object,
    is_series,
    real_argument,
    saying_where,
    shown,
    whole_argument,
)

if TYPE_CHECKING:  # it takes time to load
    from gammonrules.bearoff import TwoSided

FORMAT: Final = 3
"""To be raised too when the same seed comes to give other dice, or a name another player: in 2, gnubg:1 was 1-ply."""
LONGEST_LINE: Final = 1 << 16
"""Bytes; 64 names of 100 characters may take half of that, 2,000 pairs of games a little more."""
LARGEST_FILE: Final = 1 << 30
"""Bytes; a pair of games that is not in a block of many takes about 100."""
_Form: TypeAlias = dict[str, Any]
"""A line, as JSON has it."""
_MOST_PAIRS: Final = 1 << 31
_BLOCK: Final = b'{"players":['
"""How each line after the first one begins: with two players by number, or with the names of further ones."""
_SEED: Final = re.compile(rb'"seed":(\d{1,20}),')
_CUT_SEED: Final = re.compile(rb'"seed":\d*$')
_RECORD: Final = re.compile(r"\d+-\d+-\d{6,}-[12]\.mat", re.IGNORECASE)


@define(eq=False)
class Saved:
    """A file of JSON lines, each with a checksum: the first says of which arena, each other one is a block.

    Attributes:
        file: it is empty until a block is played: who could not play has not begun an arena.
        played: the blocks that it had.
        missing_line: the line that says who plays, to be written before the next block; None if it is there.
    """

    file: IO[bytes]
    played: dict[Block, BlockResults]
    missing_line: _Form | None

    def add(self, played: BlockResults) -> None:
        """Add a block, unless it is there. Raises OSError."""
        block = played.block
        if block in self.played:
            return
        if self.missing_line is not None:
            _append(self.file, self.missing_line)
            self.missing_line = None
        losses = None
        if played.losses is not None:
            losses = [[loss.decisions, loss.equity] for loss in played.losses]
        form = {
            "players": [block.player, block.opponent],
            "first": block.first,
            "values": [int(value) for value in chain.from_iterable(played.values)],
            "seconds": round(played.seconds, 6),
            "losses": losses,
        }
        _append(self.file, form)


@contextmanager
def open_saved(
    path: str | os.PathLike[str], plan: Plan, table: TwoSided | None, players: Iterable[Entrant]
) -> Generator[Saved]:
    """The file of an arena, made if it is not there, and mended if its last line was cut short; new players join it.

    Raises:
        ArgumentError: the path is none.
        ParseError: it is not the file of this arena, or another run is writing to it.
        OSError: it cannot be opened or written.
    """
    name = path_text(path)
    heading = _saved_heading(plan, table, players)
    with ExitStack() as stack:
        with saying_where(name, ParseError):
            file = stack.enter_context(file_to_extend(name))
            saved = _read_saved(file, plan, heading)
        yield saved


def seed_of_saved(path: str | os.PathLike[str]) -> int | None:
    """The seed in the first line of a file; None if it is not there, or has none.

    Whether it is the file of this arena is seen when it is opened to be extended. Raises ArgumentError, OSError, and
    ParseError if this is no ordinary file.
    """
    name = path_text(path)
    try:
        with saying_where(name, ParseError), ordinary_file(Path(name)) as file:
            seed = _SEED.search(beginning(file, LONGEST_LINE).partition(b"\n")[0])
    except FileNotFoundError:
        return None
    return None if seed is None else int(seed[1])


def with_records_in(folder: Path, saved: Mapping[Block, BlockResults]) -> dict[Block, BlockResults]:
    """What has been played, without the blocks that lack a record in the folder, which is made.

    Raises ArgumentError if it has a record of other games, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    in_folder = {path.name for path in folder.iterdir()}
    records_of_blocks = {block: {*_names_of_records(block)} for block in saved}
    of_no_saved_block = in_folder.difference(*records_of_blocks.values())
    for name in sorted(of_no_saved_block):
        if _RECORD.fullmatch(name):
            raise ArgumentError(
                f"{folder / name} is not the record of a saved pair of this arena: name another folder"
            )
    return {
        block: played for block, played in saved.items() if records_of_blocks[block] <= in_folder
    }


def _saved_heading(plan: Plan, table: TwoSided | None, players: Iterable[Entrant]) -> _Form:
    """What the first line says: the settings, which must be the same when the arena goes on, and who plays.

    Under "code" there is a checksum for each player, by which a function that was changed is known.
    """
    board = plan.board
    return {
        "arena": FORMAT,
        "players": list(plan.names),
        "length": plan.length,
        "seed": plan.seed,
        "position": None if board is None else [board.id, board.checkers],
        "table": None if table is None else [table.points, table.checkers],
        **attrs.asdict(plan.rules),
        "code": [code_of(player) for player in players],
    }


def _read_saved(file: IO[bytes], plan: Plan, heading: _Form) -> Saved:
    """What is in a file, which afterwards ends with a whole line. Raises ParseError."""
    if os.fstat(file.fileno()).st_size > LARGEST_FILE:
        raise ParseError(f"the file of an arena has at most {LARGEST_FILE:,} bytes")
    file.seek(0)
    first_line = file.readline(LONGEST_LINE)
    is_empty_or_cut_short = not _is_whole(first_line)
    # a seed that was drawn is another one now
    before_cut_seed = _CUT_SEED.sub(b'"seed":', first_line)
    if is_empty_or_cut_short and _saved_line(heading).startswith(before_cut_seed):
        file.truncate(0)
        return Saved(file, {}, missing_line=heading)
    joined = _number_in_heading(first_line, heading)
    blocks = dict[Block, BlockResults]()
    for number, line in enumerate(_further_lines(file), 2):
        is_cut_short = not _is_whole(line) and _BLOCK.startswith(line[: len(_BLOCK)])
        if is_cut_short:  # the last line, in the midst of which the arena was stopped
            file.truncate(file.tell() - len(line))
            break
        try:
            form = _form_in(line)
            names_further_players = "code" in form
            played = None if names_further_players else _block_in(form, plan)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ParseError(f"line {number:,} is damaged, or has no games of this arena") from None
        if played is None:
            joined += _number_of_players(form, _who_joins(heading, joined))
            continue
        if played.block in blocks:
            raise ParseError(f"line {number:,} has games of an earlier line")
        blocks[played.block] = played
    # players who were named only now are added by a line of their own
    has_all = joined >= len(plan.names)
    return Saved(file, blocks, missing_line=None if has_all else _who_joins(heading, joined))


def _further_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines from where the file stands on; of one that is too long, the beginning."""
    line = file.readline(LONGEST_LINE)
    while line:
        yield line
        line = file.readline(LONGEST_LINE)


def _is_whole(line: bytes) -> bool:
    """Whether a line was not cut short; one that is too long is no line of ours."""
    return line.endswith(b"\n") or len(line) == LONGEST_LINE


def _who_joins(heading: _Form, joined: int) -> _Form:
    """What the line says with which the players after the first ones join."""
    return {"players": heading["players"][joined:], "code": heading["code"][joined:]}


def _number_in_heading(line: bytes, heading: _Form) -> int:
    """How many players the first line has. Raises ParseError if it is not that of this arena."""
    if line.startswith(b'{"arena":%d,' % FORMAT) and not _is_right(line):
        raise ParseError("line 1 is damaged")
    form: object = None
    with suppress(ValueError, RecursionError):
        form = json.loads(line)
    if not is_json_object(form) or "arena" not in form:
        raise ParseError("this is not the file of an arena")
    # the file may be older than some options, which then were at their defaults
    defaults: _Form = attrs.asdict(Rules())
    return _number_of_players({**defaults, **form}, heading)


def _number_of_players(form: _Form, expected: _Form) -> int:
    """How many players a line has.

    Raises ParseError for other settings, other code, or unless the players are the first of those who are expected.
    """
    players = form.get("players")
    number = len(players) if is_series(players) else 0
    for setting, value in expected.items():
        if setting == "code":  # which is compared below, player by player
            continue
        expected_value = value[:number] if setting == "players" else value
        if form.get(setting) != expected_value:
            what = "has another format" if setting == "arena" else "belongs to another arena"
            raise ParseError(
                f"this file {what}: {setting} is {shown(form.get(setting), 100)} there, "
                f"not {shown(expected_value, 100)}"
            )
    saved_code = form.get("code")
    if is_series(saved_code):
        # not strict: only the first of the expected players may be in this line
        for player, saved, present in zip(
            expected["players"], saved_code, expected["code"], strict=False
        ):
            are_known = saved is not None and present is not None
            if are_known and saved != present:
                raise ParseError(
                    f"{shown(player, 100)} plays otherwise than when they joined: give them another name"
                )
    return number


def _block_in(saved: _Form, plan: Plan) -> BlockResults:
    """The block in a line. Raises ValueError, TypeError and KeyError if there is none."""
    player, opponent = saved["players"]
    opponent = whole_argument("opponent", value=opponent, least=1, most=len(plan.names) - 1)
    player = whole_argument("player", value=player, least=0, most=opponent - 1)
    first = whole_argument("first", value=saved["first"], least=0, most=_MOST_PAIRS)
    pairs = _pairs_of_values(saved["values"], is_money=plan.length is None)
    block = Block(player, opponent, first, number=len(pairs))
    losses = None
    if plan.table is not None:
        first_loss, second_loss = saved["losses"]
        losses = (_loss_in(first_loss), _loss_in(second_loss))
    seconds = real_argument(
        "seconds",
        value=saved["seconds"],
        needed="a number from 0 up",
        fits=lambda number: 0 <= number < inf,
    )
    return BlockResults(block, values=pairs, seconds=seconds, losses=losses)


def _pairs_of_values(saved: Iterable[Any], *, is_money: bool) -> AllValues:
    """The values of a line in pairs: as White and as Black in turn. Raises ValueError, TypeError and KeyError."""
    least = -MOST_POINTS if is_money else 0  # a match is 1 or 0
    most = MOST_POINTS if is_money else 1
    values = list[float]()
    for value in saved:
        values.append(float(whole_argument("value", value=value, least=least, most=most)))
    if not values:
        raise ValueError("a block has a pair at least")
    if is_money and 0 in values:
        raise ValueError("every game has a winner")
    as_white = values[::2]
    as_black = values[1::2]
    return tuple(zip(as_white, as_black, strict=True))


def _loss_in(saved: list[Any]) -> Loss:
    decisions, equity = saved
    return Loss(decisions, equity)


def _saved_line(form: _Form) -> bytes:
    text = json.dumps(form, separators=(",", ":"), ensure_ascii=False).encode()
    return _with_checksum(text[:-1]) + b"\n"


def _with_checksum(text: bytes) -> bytes:
    """An object whose closing brace is missing, with the checksum of this text at its end."""
    return b'%s,"crc32":%d}' % (text, crc32(text))


def _form_in(line: bytes) -> Any:
    """What a line says. Raises ValueError if it is damaged."""
    if not _is_right(line):
        raise ValueError("its checksum is another one")
    return json.loads(line)


def _is_right(line: bytes) -> bool:
    """Whether a line ends with the checksum of what stands before it."""
    text, _, _ = line.rpartition(b",")
    return line.rstrip(b"\r\n") == _with_checksum(text)


def _append(file: IO[bytes], form: _Form) -> None:
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
