"""Match equity tables from files: the XML of GNU Backgammon and the `.met` text of eXtreme Gammon."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gammonrules._shared.checked_fields import check_kind
from gammonrules._shared.disk_files import beginning, ordinary_file, path_text, write_whole
from gammonrules.equity.match_equity_table import MatchEquityTable
from gammonrules.errors import ArgumentError, ParseError
from gammonrules.limits import (
    MAX_EQUITY_ELEMENTS,
    MAX_EQUITY_FILE_SIZE,
    MAX_EQUITY_TABLE_POINTS,
    MAX_NAME_LENGTH,
)
from gammonrules.values import printable, saying_where, shown

if (
    TYPE_CHECKING
):  # up to Python 3.12, subinterpreters cannot load it: it is imported where it is used
    from xml.etree import ElementTree as ET

_Row: TypeAlias = tuple[float, ...]


def read_table(path: str | os.PathLike[str]) -> MatchEquityTable:
    """Read a match equity table: XML of GNU Backgammon or `.met` text of eXtreme Gammon, recognized by the content.

    Of the XML, tables of the types `explicit` and `mec` are read; the second holds only the parameters, so the table is
    computed. Where the players differ, player 0 of the file is Black, as in gnubg IDs. If the two chances
    at a score do not add up to 1, that of player 0 counts, as in GNU Backgammon.

    Args:
        path: the path of the file, whatever its name.

    Raises:
        OSError: the file cannot be opened or read.
        ArgumentError: `path` is not a path.
        ParseError: the file has no match equity table in it, or a damaged one, or is larger than 1 MiB. The message
            begins with the path.

    Examples:
        >>> from gammonrules import equity
        >>> table = equity.read_table("tests/data/met/woolsey.xml")
        >>> table.name, table.before_crawford[3][4]
        ('Kit Woolsey', 0.58)
    """
    name = Path(path_text(path))
    with saying_where(str(name), ParseError), ordinary_file(name) as file:
        return table_in(beginning(file, MAX_EQUITY_FILE_SIZE + 1), name.stem)


def table_in(content: bytes, name: str) -> MatchEquityTable:
    """The table in the content of a file. Raises ParseError as `read`, without the path."""
    if len(content) > MAX_EQUITY_FILE_SIZE:
        raise ParseError("this file is larger than 1 MiB, the limit for a match equity table")
    is_xml = content.removeprefix(BOM_UTF8).lstrip().startswith(b"<")
    if is_xml:
        return _from_xml(content, name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", "replace")
    has_section = re.search(r"(?im)^[ \t]*\[precrawford\]", text) is not None
    if has_section:
        return _from_met(text, name)
    raise ParseError(
        "this is neither the XML of GNU Backgammon nor the .met text of eXtreme Gammon"
    )


def write_table(path: str | os.PathLike[str], table: MatchEquityTable) -> None:
    """Write a match equity table as the XML that GNU Backgammon reads, with nine decimals. A file there is replaced.

    Args:
        path: the path of the file.
        table: the table.

    Raises:
        OSError: the file cannot be written.
        ArgumentError: an argument has the wrong type.

    Examples:
        >>> import tempfile
        >>> from gammonrules import equity
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = equity.MatchEquityTable.from_gammon_rate(0.2)
        ...     equity.write_table(f"{folder}/mec.xml", table)
        ...     equity.read_table(f"{folder}/mec.xml").name
        'mec, gammon rate 0.2'
    """
    check_kind("table", table, MatchEquityTable)
    rows = table.before_crawford
    rows_after = {"both": table.after_crawford}  # by the player attribute
    if table.after_crawford_black is not None:
        # the file has the chances of player 0, who is Black: 1 minus those of White, which are in a column where Black
        # needs the same points
        columns_of_white = zip(*rows, strict=True)
        rows = tuple(tuple(1 - chance for chance in column) for column in columns_of_white)
        rows_after = {"0": table.after_crawford_black, "1": table.after_crawford}
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    root = ET.Element("met")
    info = ET.SubElement(root, "info")
    before = ET.SubElement(root, "pre-crawford-table", type="explicit")
    for tag, text in (
        ("name", table.name),
        ("description", table.name),
        ("length", str(len(rows))),
    ):
        ET.SubElement(info, tag).text = printable(text)
    for row in rows:
        _add_row(before, row)
    for player, row in rows_after.items():
        after = ET.SubElement(root, "post-crawford-table", type="explicit", player=player)
        _add_row(after, row)
    ET.indent(root)
    write_whole(path_text(path), ET.tostring(root, "utf-8", xml_declaration=True) + b"\n")


def _add_row(parent: ET.Element, chances: _Row) -> None:
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    row = ET.SubElement(parent, "row")
    for chance in chances:
        ET.SubElement(row, "me").text = f"{chance:.9f}"


# --- what both have ----------------------------------------------------------------------------------


_MAX_DECIMAL_LENGTH = 30
"""More characters than any program writes."""


def _plain_decimal(text: str, where: str) -> float:
    """A chance. Only plain decimals are read, so that no comma, percentage or NaN is taken for something else."""
    bare = text.strip()
    is_decimal = re.fullmatch(r"(\d+\.?\d*|\.\d+)", bare, re.ASCII) is not None
    is_short = len(bare) <= _MAX_DECIMAL_LENGTH
    if not is_decimal or not is_short or float(bare) > 1:
        raise ParseError(f"{where} must be a chance from 0 to 1 such as 0.5, not {shown(bare)}")
    return float(bare)


def _numbers(cells: Sequence[str], where: str, size: int, missing: int = 0) -> _Row:
    """A row of `size` chances, of which the last `missing` may be left out."""
    if not max(1, size - missing) <= len(cells) <= size:
        raise ParseError(f"{where} must have {size} chances, not {len(cells)}")
    return tuple(
        _plain_decimal(cell, f"{where}, column {column}") for column, cell in enumerate(cells, 1)
    )


def _length(text: str) -> int:
    """The number of points that a player may need. Raises ParseError."""
    number = re.fullmatch(r"\s*(\d{1,4})\s*", text, re.ASCII)
    if not number or not 1 <= int(number[1]) <= MAX_EQUITY_TABLE_POINTS:
        raise ParseError(
            f"the length of the table must be from 1 to {MAX_EQUITY_TABLE_POINTS}, not {shown(text.strip())}"
        )
    return int(number[1])


def _table_name(text: str | None, otherwise: str) -> str:
    """The name in a file, on one line; `otherwise` if it has none."""
    words = [] if text is None else text.split()
    name = " ".join(words) if words else otherwise
    return name[:MAX_NAME_LENGTH]


def _make_table(
    name: str, before: Sequence[_Row], after: _Row, white_after: _Row | None = None
) -> MatchEquityTable:
    """A table from the chances of player 0, who is Black; White's after the Crawford game if they are others."""
    if white_after is None:
        white_after = after
    columns = [*zip(*before, strict=True)]  # by the points that White needs
    players_are_equal = white_after == after and all(map(_add_up_to_1, before, columns))
    if players_are_equal:
        return MatchEquityTable(name, tuple(before), after)
    # without the rounding errors of the difference; files have no more than nine decimals
    white = tuple(tuple(round(1 - chance, 9) for chance in column) for column in columns)
    return MatchEquityTable(
        name, before_crawford=white, after_crawford=white_after, after_crawford_black=after
    )


def _add_up_to_1(row: _Row, column: _Row) -> bool:
    """Whether each chance and that of the other player are 1."""
    return all(abs(mine + theirs - 1) < 1e-6 for mine, theirs in zip(row, column, strict=True))


# --- GNU Backgammon ----------------------------------------------------------------------------------


def _from_xml(content: bytes, name: str) -> MatchEquityTable:
    root = _root(content)
    if root.tag != "met":
        raise ParseError(
            f"this XML is no match equity table: its first element is {shown(root.tag)}, not 'met'"
        )
    before = _only_child(root, "pre-crawford-table")
    afters = sorted(root.findall("post-crawford-table"), key=_table_player)
    players = [_table_player(table) for table in afters]
    if players not in (["both"], ["0", "1"]):
        raise ParseError(
            "there must be one post-crawford-table for both players, or one each for players 0 and 1"
        )
    name = _table_name(root.findtext("info/name"), name)
    types = {table.get("type", "explicit") for table in (before, *afters)}
    if types == {"mec"}:
        return _generated(name, before, afters)
    if types != {"explicit"}:
        raise ParseError(
            f"all tables must be of one type, explicit or mec, not {shown(sorted(types))}"
        )
    size = _length(root.findtext("info/length", ""))
    return _explicit(name, size, before, afters)


def _explicit(
    name: str, size: int, before: ET.Element, afters: list[ET.Element]
) -> MatchEquityTable:
    """A table of which the file has all chances."""
    rows = list[_Row]()
    for away, row in enumerate(before.findall("row"), 1):
        rows.append(_numbers(_me_texts(row), f"pre-Crawford row {away}", size))
    if len(rows) != size:
        raise ParseError(f"the pre-Crawford table must have {size} rows, not {len(rows)}")
    rows_after = list[_Row]()
    for table in afters:
        cells = _me_texts(_only_child(table, "row"))
        rows_after.append(_numbers(cells, "the post-Crawford row", size, missing=1))
    if len(rows_after) == 1:
        return _make_table(name, rows, rows_after[0])
    black_after, white_after = rows_after  # of players 0 and 1
    return _make_table(name, rows, black_after, white_after)


def _table_player(table: ET.Element) -> str:
    return table.get("player", "both")


def _root(content: bytes) -> ET.Element:
    """The first element. What a document declares of its own is refused, so that nothing is expanded or fetched."""
    from xml.etree import ElementTree as ET  # noqa: PLC0415
    from xml.parsers import expat  # noqa: PLC0415

    parser = expat.ParserCreate()
    builder = ET.TreeBuilder()
    elements = 0

    # what the parser calls

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal elements
        elements += 1
        if elements > MAX_EQUITY_ELEMENTS:
            raise ParseError(f"this XML has more than {MAX_EQUITY_ELEMENTS:,} elements")
        builder.start(tag, attributes)

    def doctype(
        _name: str, _system: str | None, _public: str | None, has_declarations: int
    ) -> None:
        if has_declarations:
            raise ParseError(
                "this XML declares entities or elements of its own, which are not read"
            )

    def unknown(name: str, *_others: object) -> None:
        raise ParseError(f"this XML uses the entity {shown(name)}, which is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    parser.SkippedEntityHandler = unknown
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        why = expat.errors.messages.get(error.code, "it is damaged")
        raise ParseError(f"line {error.lineno}: this XML cannot be read: {why}") from None
    except ParseError:  # of the functions above; it is a ValueError
        raise
    except (LookupError, TypeError, ValueError):
        raise ParseError("this XML names an encoding that is not known") from None
    return builder.close()


def _only_child(parent: ET.Element, tag: str) -> ET.Element:
    children = parent.findall(tag)
    if len(children) != 1:
        raise ParseError(
            f"there must be one {tag} in the element {shown(parent.tag)}, not {len(children)}"
        )
    return children[0]


def _me_texts(row: ET.Element) -> list[str]:
    return [cell.text or "" for cell in row.findall("me")]


_PARAMETERS = {
    "gammon-rate": "gammon_rate",
    "post gammon-rate": "gammon_rate",
    "post free-drop-2-away": "free_drop_2_away",
    "post free-drop-4-away": "free_drop_4_away",
}
"""The arguments of `from_gammon_rate` by the parameters of its two tables."""


def _generated(name: str, before: ET.Element, afters: list[ET.Element]) -> MatchEquityTable:
    """A table of which the file has only the parameters."""
    if len(afters) > 1:
        raise ParseError("a table given by parameters must be the same for both players")
    arguments = dict[str, float]()
    for prefix, table in (("", before), ("post ", afters[0])):
        for parameter in _only_child(table, "parameters").findall("parameter"):
            key = parameter.get("name", "")
            value = _plain_decimal(parameter.text or "", f"the parameter {shown(key)}")
            if key == "win-rate" and value == 0.5:  # what `from_gammon_rate` assumes
                continue
            argument = _PARAMETERS.get(prefix + key)
            error = ParseError(
                f"a mec table with the parameter {shown(key)} of {value:g} cannot be computed"
            )
            if argument is None:
                raise error
            # both tables have a gammon rate, and `from_gammon_rate` accepts only one
            if arguments.setdefault(argument, value) != value:
                raise error
    try:
        computed = MatchEquityTable.from_gammon_rate(
            arguments.get("gammon_rate", 0.26),
            free_drop_2_away=arguments.get("free_drop_2_away", 0),
            free_drop_4_away=arguments.get("free_drop_4_away", 0),
        )
    except ArgumentError as error:
        raise ParseError(str(error)) from None
    return MatchEquityTable(name, computed.before_crawford, computed.after_crawford)


# --- eXtreme Gammon ----------------------------------------------------------------------------------


def _from_met(text: str, name: str) -> MatchEquityTable:
    entries = _ini_entries(text)
    size = _length(_entry(entries, "precrawford", "size"))
    if _length(_entry(entries, "postcrawford", "size")) != size:
        raise ParseError("[PreCrawford] and [PostCrawford] must have the same Size")
    rows_expected = {str(away) for away in range(1, size + 1)}
    for section, key in entries:
        if section == "precrawford" and key.isdecimal() and key not in rows_expected:
            raise ParseError(f"[PreCrawford] has {shown(key)}, but its Size is {size}")
    rows = list[_Row]()
    for away in range(1, size + 1):
        cells = _entry(entries, "precrawford", str(away)).split()
        rows.append(_numbers(cells, f"[PreCrawford] row {away}", size))
    last = _entry(entries, "postcrawford", "data").split()
    after = _numbers(last, "[PostCrawford] Data", size, missing=1)
    return _make_table(_table_name(entries.get(("current", "name")), name), rows, after)


def _ini_entries(text: str) -> dict[tuple[str, str], str]:
    """The entries of a text of INI form by section and key, both in lower case.

    A `;` or `#` begins a line that is a comment; after chances, `;` begins one too, but a name may have it.
    """
    entries = dict[tuple[str, str], str]()
    section = ""
    for line_number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        header = re.fullmatch(r"\[([^\]]*)\].*", bare)
        if header:
            section = header[1].strip().lower()
            continue
        is_comment = bare.startswith((";", "#"))
        if is_comment or "=" not in bare:
            continue
        key, _, value = bare.partition("=")
        key = key.strip()
        entry = (section, key.lower())
        has_chances = section in {"precrawford", "postcrawford"}
        # of two rows of chances either could be meant; of all else the last entry counts
        if has_chances and entry in entries:
            raise ParseError(f"line {line_number}: {shown(key)} is there twice")
        has_name = section == "current"
        entries[entry] = value if has_name else value.partition(";")[0]
    return entries


def _entry(entries: Mapping[tuple[str, str], str], section: str, key: str) -> str:
    value = entries.get((section, key))
    if value is None:
        title = {"precrawford": "PreCrawford", "postcrawford": "PostCrawford"}[section]
        what = f"row {key}" if key.isdecimal() else key.capitalize()
        raise ParseError(f"[{title}] lacks {what}")
    return value
