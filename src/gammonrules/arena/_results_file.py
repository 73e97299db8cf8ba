"""What an arena writes: a file to which every block is added as soon as it is played, and records."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from math import inf
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias
from zlib import crc32

import attrs
from attrs import define, field

from gammonrules._shared.disk_files import (
    beginning,
    errors_naming,
    file_to_extend,
    ordinary_file,
    path_text,
    write_whole,
)
from gammonrules.arena._losses import Loss
from gammonrules.arena._roster import Changes, Roster, RosterEntry
from gammonrules.arena._saved_games import PlainPairs, SavedGames
from gammonrules.arena._work_units import (
    AllValues,
    Block,
    BlockResults,
    OnError,
    Plan,
    Values,
    checked_on_error,
)
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import MAX_POINTS
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
MAX_LINE_LENGTH: Final = 1 << 16
"""Bytes; 64 names of 100 characters may take half of that, 2,000 pairs of games a little more."""
MAX_FILE_SIZE: Final = 1 << 30
"""Bytes; a pair of games that is not in a block of many takes about 100."""
_Form: TypeAlias = dict[str, Any]
"""A line, as JSON has it."""
_MAX_PAIRS: Final = 1 << 31
_MAX_JOINED: Final = 4_096
"""Players, with those who have left or begun anew."""
_BEGINNINGS: Final = (b'{"players":[', b'{"left":[', b'{"dropped":', b'{"on_error":')
"""How the lines after the first one begin: a block, or players who join; who leaves, or is dropped; and what is done
with who fails."""
_AFTER_SECONDS: Final = b',"losses":null'
_PLAIN_PAIR: Final = re.compile(
    rb'\{"players":\[(\d{1,4},\d{1,4})\],"first":(\d{1,9}),"values":\[(-?\d{1,10},-?\d{1,10})\],'
    rb'"seconds":(\d{1,9}(?:\.\d{1,6})?(?:e-0\d)?)'
    + _AFTER_SECONDS
    + rb',"crc32":(\d{1,10})\}\r?\n'
)
"""A line with one pair, as it is written where nothing is unusual."""
_SEED: Final = re.compile(rb'"seed":(\d{1,20}),')
_CUT_SEED: Final = re.compile(rb'"seed":\d*$')
_RECORD: Final = re.compile(r"\d+-\d+-\d{6,}-[12]\.mat", re.IGNORECASE)


@define(eq=False)
class Saved:
    """A file of JSON lines, each with a checksum: the first says of which arena, most others are blocks of games.

    Attributes:
        file: it is empty until a block is played: who could not play has not begun an arena.
        games: the blocks that it had.
        roster: who plays.
        on_error: what is done with a player who fails.
        missing_lines: what has changed, to be written before the next block.
    """

    file: IO[bytes]
    games: SavedGames = field(factory=SavedGames)
    roster: Roster = field(factory=Roster)
    on_error: OnError = "stop"
    missing_lines: list[_Form] = field(factory=list)

    def add(self, played: BlockResults) -> None:
        """Add a block, unless it is there. Raises OSError."""
        block = played.block
        if block in self.games:
            return
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
        if any(played.forfeits):
            form["forfeits"] = list(played.forfeits)
        self._append(form)

    def add_dropped(self, number: int, why: str) -> None:
        """Write that a player was dropped. Raises OSError."""
        self._append({"dropped": number, "why": why})

    def finish(self) -> None:
        """Write what has changed, unless there is no arena yet. Raises OSError."""
        if os.fstat(self.file.fileno()).st_size:
            self._write_missing_lines()

    def _append(self, form: _Form) -> None:
        self._write_missing_lines()
        _append(self.file, form)

    def _write_missing_lines(self) -> None:
        while self.missing_lines:
            _append(self.file, self.missing_lines[0])
            del self.missing_lines[0]


@contextmanager
def open_saved(
    path: str | os.PathLike[str], plan: Plan, table: TwoSided | None, entry: RosterEntry
) -> Generator[Saved]:
    """The file of an arena, made if it is not there, and mended if its last line was cut short; new players join it.

    Raises:
        ArgumentError: the path is none.
        ParseError: it is not the file of this arena, or another run is writing to it.
        OSError: it cannot be opened or written.
    """
    name = path_text(path)
    heading = _saved_heading(plan, table, entry)
    with ExitStack() as stack:
        with saying_where(name, ParseError):
            file = stack.enter_context(file_to_extend(name))
            saved = _read_saved(file, plan, heading)
            changes = entry.enter(saved.roster)
            if not saved.missing_lines:
                saved.missing_lines += _lines_about(changes, saved.roster)
            if plan.on_error not in {None, saved.on_error}:
                saved.missing_lines.append({"on_error": plan.on_error})
        yield saved


def seed_of_saved(path: str | os.PathLike[str]) -> int | None:
    """The seed in the first line of a file; None if it is not there, or has none.

    Whether it is the file of this arena is seen when it is opened to be extended. Raises ArgumentError, OSError, and
    ParseError if this is no ordinary file.
    """
    name = path_text(path)
    try:
        with saying_where(name, ParseError), ordinary_file(Path(name)) as file:
            seed = _SEED.search(beginning(file, MAX_LINE_LENGTH).partition(b"\n")[0])
    except FileNotFoundError:
        return None
    return None if seed is None else int(seed[1])


def _lines_about(changes: Changes, roster: Roster) -> Iterator[_Form]:
    """The lines that say who has left and joined."""
    if changes.left:
        yield {"left": changes.left}
    if changes.joined:
        yield {
            "players": [roster.names[number] for number in changes.joined],
            "code": [roster.codes[number] for number in changes.joined],
        }


def repeat_what_lacks_records(folder: Path, games: SavedGames) -> None:
    """Have the blocks played again that lack a record in the folder, which is made.

    Raises ArgumentError if it has a record of other games, and OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    in_folder = {path.name for path in folder.iterdir()}
    of_saved_blocks = set[str]()
    for block in games:
        names = {*_names_of_records(block)}
        of_saved_blocks |= names
        if not names <= in_folder:
            games.repeat([block])
    for name in sorted(in_folder - of_saved_blocks):
        if _RECORD.fullmatch(name):
            raise ArgumentError(
                f"{folder / name} is not the record of a saved pair of this arena: name another folder"
            )


def _saved_heading(plan: Plan, table: TwoSided | None, entry: RosterEntry) -> _Form:
    """The first line: the settings, which must be the same when the arena goes on, and who plays.

    Under "code" there is a checksum for each player, by which a function that was changed is known.
    """
    board = plan.board
    return {
        "arena": FORMAT,
        "players": list(entry.names),
        "length": plan.length,
        "seed": plan.seed,
        "position": None if board is None else [board.id, board.checkers],
        "table": None if table is None else [table.points, table.checkers],
        **attrs.asdict(plan.rules),
        "code": list(entry.codes),
    }


def _read_saved(file: IO[bytes], plan: Plan, heading: _Form) -> Saved:
    """The games saved in a file, which afterwards ends with a whole line. Raises ParseError."""
    if os.fstat(file.fileno()).st_size > MAX_FILE_SIZE:
        raise ParseError(f"the file of an arena has at most {MAX_FILE_SIZE:,} bytes")
    file.seek(0)
    first_line = file.readline(MAX_LINE_LENGTH)
    is_empty_or_cut_short = not _is_whole(first_line)
    # a seed that was drawn is another one now
    before_cut_seed = _CUT_SEED.sub(b'"seed":', first_line)
    if is_empty_or_cut_short and _saved_line(heading).startswith(before_cut_seed):
        file.truncate(0)
        return Saved(file, missing_lines=[heading])
    saved = Saved(file)
    _join(_form_of_heading(first_line, heading), saved.roster)
    _read_lines(saved, plan)
    return saved


def _read_lines(saved: Saved, plan: Plan) -> None:
    """Read the lines after the first one. Raises ParseError."""
    file = saved.file
    for number, line in _lines_that_are_not_plain(saved):
        if not _is_whole(line) and _begins_as_ours(line):
            # the last line, in the midst of which the arena was stopped
            file.truncate(file.tell() - len(line))
            return
        try:
            is_new = _read_line(line, saved, plan)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ParseError(f"line {number:,} is damaged, or has no games of this arena") from None
        if not is_new:
            raise ParseError(f"line {number:,} has games of an earlier line")


def _is_whole(line: bytes) -> bool:
    """Whether a line was not cut short; one that is too long is no line of ours."""
    return line.endswith(b"\n") or len(line) == MAX_LINE_LENGTH


def _begins_as_ours(line: bytes) -> bool:
    return any(beginning.startswith(line[: len(beginning)]) for beginning in _BEGINNINGS)


def _lines_that_are_not_plain(saved: Saved) -> Iterator[tuple[int, bytes]]:
    """Read the lines with one pair and nothing unusual, and give all others, with their numbers, to be read elsewhere.

    It reads as `_read_line` does, in a fifth of the time: there may be hundreds of thousands of such lines.
    """
    file = saved.file
    values_by_text = dict[bytes, Values]()
    pairs_by_text = dict[bytes, PlainPairs]()
    number = 1
    while line := file.readline(MAX_LINE_LENGTH):
        number += 1
        fields = _PLAIN_PAIR.fullmatch(line)
        if fields is None:
            yield number, line
            continue
        players, first, two_values, seconds, checksum = fields.groups()
        values = values_by_text.get(two_values)
        pairs = pairs_by_text.get(players)
        pair = int(first)
        if (
            values is None
            or pairs is None
            or pair in pairs.values
            or crc32(line[: fields.end(4) + len(_AFTER_SECONDS)]) != int(checksum)
        ):
            yield number, line
            # nobody would go on if it were wrong: from now on these texts are known
            pairs = saved.games.plain_pairs(*map(int, players.split(b",")))
            if pair in pairs.values:
                pairs_by_text[players] = pairs
                values_by_text[two_values] = pairs.values[pair]
            continue
        pairs.values[pair] = values
        pairs.seconds[pair] = float(seconds)


def _form_of_heading(line: bytes, heading: _Form) -> _Form:
    """The settings in the first line. Raises ParseError if it is not that of the arena with this heading."""
    if line.startswith(b'{"arena":%d,' % FORMAT) and not _is_right(line):
        raise ParseError("line 1 is damaged")
    form: object = None
    with suppress(ValueError, RecursionError):
        form = json.loads(line)
    if not is_json_object(form) or "arena" not in form:
        raise ParseError("this is not the file of an arena")
    # the file may be older than some options, which then were at their defaults
    defaults: _Form = attrs.asdict(Rules())
    settings: _Form = {**defaults, **form}
    for setting, expected in heading.items():
        if setting in {"players", "code"}:  # which are compared later, player by player
            continue
        if settings.get(setting) != expected:
            what = "has another format" if setting == "arena" else "belongs to another arena"
            raise ParseError(
                f"this file {what}: {setting} is {shown(settings.get(setting), 100)} there, "
                f"not {shown(expected, 100)}"
            )
    return settings


def _read_line(line: bytes, saved: Saved, plan: Plan) -> bool:
    """Read a line after the first one, and say whether it is new. Raises ValueError, TypeError and KeyError."""
    form = _form_in(line)
    roster = saved.roster
    if "first" in form:
        return _read_block(form, saved, plan)
    if "players" in form:
        _join(form, roster)
    elif "left" in form:
        roster.left.update(_number_in_roster(number, roster) for number in form["left"])
    elif "dropped" in form:
        roster.dropped[_number_in_roster(form["dropped"], roster)] = str(form["why"])
    else:
        saved.on_error = checked_on_error(form["on_error"])
    return True


def _join(form: _Form, roster: Roster) -> None:
    """Have the players of a line join. Raises ParseError if these are none."""
    players = form.get("players")
    if not is_series(players):
        raise ParseError("a line without players")
    codes = form.get("code")
    if not is_series(codes):  # it is older than these
        codes = [None] * len(players)
    if len(roster.names) + len(players) > _MAX_JOINED:
        raise ParseError(f"more than {_MAX_JOINED:,} players have joined")
    for name, code in zip(players, codes, strict=True):
        if not isinstance(name, str):
            raise ParseError("the name of a player is a text")
        if code is not None and not isinstance(code, int):
            raise ParseError("the code of a player is a whole number")
        roster.join(name, code)


def _number_in_roster(number: object, roster: Roster) -> int:
    return whole_argument("player", value=number, minimum=0, maximum=len(roster.names) - 1)


def _read_block(form: _Form, saved: Saved, plan: Plan) -> bool:
    """Add the block in a line, unless it is there. Raises ValueError, TypeError and KeyError if there is none."""
    played = _block_in(form, saved.roster, plan)
    if played.block in saved.games:
        return False
    saved.games.add(played)
    return True


def _block_in(form: _Form, roster: Roster, plan: Plan) -> BlockResults:
    """The block in a line. Raises ValueError, TypeError and KeyError if there is none."""
    player, opponent = (_number_in_roster(number, roster) for number in form["players"])
    if player >= opponent:
        raise ValueError("the first player of a pairing has the lower number")
    first = whole_argument("first", value=form["first"], minimum=0, maximum=_MAX_PAIRS)
    pairs = _pairs_of_values(form["values"], is_money=plan.length is None)
    block = Block(player, opponent, first, number=len(pairs))
    losses = None
    if plan.table is not None:
        first_loss, second_loss = form["losses"]
        losses = (_loss_in(first_loss), _loss_in(second_loss))
    seconds = real_argument(
        "seconds",
        value=form["seconds"],
        needed="a number from 0 up",
        fits=lambda number: 0 <= number < inf,
    )
    forfeited, opponent_forfeited = (
        whole_argument("forfeits", value=number, minimum=0, maximum=2 * len(pairs))
        for number in form.get("forfeits", (0, 0))
    )
    return BlockResults(
        block,
        values=pairs,
        seconds=seconds,
        losses=losses,
        forfeits=(forfeited, opponent_forfeited),
    )


def _pairs_of_values(saved: Iterable[Any], *, is_money: bool) -> AllValues:
    """The values of a line in pairs: as White and as Black in turn. Raises ValueError, TypeError and KeyError.

    `is_money`: whether these are points, instead of 1 and 0 for matches.
    """
    minimum = -MAX_POINTS if is_money else 0  # a match is 1 or 0
    maximum = MAX_POINTS if is_money else 1
    values = list[float]()
    for value in saved:
        values.append(float(whole_argument("value", value=value, minimum=minimum, maximum=maximum)))
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
    """The object in a line. Raises ValueError if it is damaged."""
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
