"""Match equity tables read from files: GNU Backgammon's XML, and eXtreme Gammon's text."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, strategies as st

import loop
from gammonrules import ArgumentError, MatchState, ParseError, Player
from gammonrules.equity import KAZAROSS_XG2, MatchEquityTable, read_table

GNU = Path("/usr/share/gnubg/met")
needs_gnu = pytest.mark.skipif(not GNU.exists(), reason="GNU Backgammon is not installed")
TWO_ROWS = "<row><me>.5</me><me>0.7</me></row><row><me>.3</me><me>0.5</me></row>"
AFTER = "<row><me>.5</me><me>.4</me></row>"
HEAD = '<?xml version="1.0"?><!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD" "met.dtd">'


def xml(rows: str = TWO_ROWS, after: str = AFTER, length: str = "2", players: tuple[str, ...] = ("both",)) -> str:
    afters = "".join(
        f'<post-crawford-table type="explicit" player="{number}">{after}</post-crawford-table>' for number in players
    )
    info = f"<info><name>Two\n points</name><length>{length}</length></info>"
    return f'{HEAD}<met>{info}<pre-crawford-table type="explicit">{rows}</pre-crawford-table>{afters}</met>'


def parameters(kind: str, before: str, after: str = "") -> str:
    tables = f'<pre-crawford-table type="{kind}"><parameters>{before}</parameters></pre-crawford-table>'
    tables += f'<post-crawford-table type="{kind}"><parameters>{after}</parameters></post-crawford-table>'
    return f"<met><info><length>-1</length></info>{tables}</met>"


MET = """\
; of two points
[Current]
Name = Two points; of mine ™
[Other]
Size=7
[PostCrawford]
Size=2
Data=0.5 .40\t
[PreCrawford]
Size=2
 1 = 0.5 0.70  ; the Crawford game
2=.3 0.500000
"""


def table_of(content: str | bytes, folder: Path) -> MatchEquityTable:
    path = folder / "table.met"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_table(path)


def test_both_forms_of_a_table_are_equal(tmp_path: Path) -> None:
    from_xml, from_text = table_of(xml(), tmp_path), table_of(MET.encode("cp1252"), tmp_path)
    assert from_xml == MatchEquityTable("Two points", ((0.5, 0.7), (0.3, 0.5)), (0.5, 0.4))
    assert from_text.name == "Two points; of mine ™"
    assert table_of("\ufeff" + MET.replace("\n", "\r\n"), tmp_path) == from_text
    assert (from_text.before_crawford, from_text.after_crawford) == (from_xml.before_crawford, from_xml.after_crawford)
    assert table_of(xml(after="<row><me>.5</me></row>"), tmp_path).after_crawford == (0.5,)


def test_where_the_players_differ_player_0_is_black(tmp_path: Path) -> None:
    rows = TWO_ROWS.replace(".3<", ".35<")
    second = "<row><me>.5</me><me>.45</me></row>"
    content = xml(rows, players=("0", "1")).replace(f'"1">{AFTER}', f'"1">{second}')
    table = table_of(content, tmp_path)
    for score, crawford, black in (
        ((1, 0), True, 0.35),
        ((0, 1), True, 0.7),
        ((1, 0), False, 0.4),
        ((0, 1), False, 0.55),
    ):
        state = MatchState.new(2, score=score, crawford=crawford)
        assert table.chance(state, Player.BLACK) == pytest.approx(black)
        assert table.chance(state, Player.WHITE) == pytest.approx(1 - black)


@needs_gnu
@pytest.mark.long
@pytest.mark.parametrize("path", sorted(GNU.glob("[!cz]*.xml")), ids=lambda path: path.stem)
def test_the_tables_of_gnu_backgammon(path: Path) -> None:
    """All but that of Zadeh: player 0's chances are those of the file, or they are generated."""
    root, table = ET.parse(path).getroot(), read_table(path)
    rows = [[float(cell.text or "") for cell in row] for row in root.findall("pre-crawford-table/row")]
    if not rows:
        generated = MatchEquityTable.from_gammon_rate(free_drop_2_away=0.015, free_drop_4_away=0.004)
        assert (table.before_crawford, table.after_crawford) == (generated.before_crawford, generated.after_crawford)
        return
    length = len(rows)
    for mine in range(length):
        for theirs in range(length):
            state = MatchState.new(
                length,
                score=(length - 1 - theirs, length - 1 - mine),
                crawford=min(mine, theirs) == 0 < max(mine, theirs),
            )
            assert table.chance(state, Player.BLACK) == pytest.approx(rows[mine][theirs], abs=1e-9)


ENTITIES = '<!DOCTYPE met [<!ENTITY a "0.5"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@loop.rows(
    ("content", "why"),
    ("a record", "neither the XML of GNU Backgammon nor the .met text"),
    (xml().replace("\n", " " * (1 << 20)), "larger than 1 MiB"),
    (xml().replace(HEAD, ENTITIES).replace(".7", "&b;"), "declares entities or elements of its own"),
    (xml().replace(".7", "&other;"), "this XML uses the entity 'other', which is not read"),
    (xml().replace('"1.0"', '"1.0" encoding="nonsense"'), "encoding"),
    (xml()[:-9], "line 2: this XML cannot be read: "),
    ("<svg/>", "its first element is 'svg', not 'met'"),
    ("<met>" + "<a/>" * 10_000 + "</met>", "more than 10,000 elements"),
    (xml().replace(HEAD, "<!DOCTYPE met [<!ELEMENT met ANY>]>"), "declares entities or elements of its own"),
    (xml(length="-1"), "from 1 to 64, not '-1'"),
    (xml(TWO_ROWS.replace(".3", "nan")), "pre-Crawford row 2, column 1 must be a chance"),
    (xml(length="65"), "length of the table must be from 1 to 64, not '65'"),
    (xml(length="3"), "pre-Crawford row 1 must have 3 chances, not 2"),
    (xml(TWO_ROWS[: TWO_ROWS.index("</row>") + 6]), "must have 2 rows, not 1"),
    (xml(TWO_ROWS.replace("0.7", "70.0")), "pre-Crawford row 1, column 2 must be a chance from 0 to 1 "),
    (xml(TWO_ROWS.replace(".3", "9" * 10_000)), "not '9999"),
    (xml(after="<row/>"), "the post-Crawford row must have 2 chances, not 0"),
    (xml(after=AFTER * 2), "must be one row in the element 'post-crawford-table', not 2"),
    (xml(players=("0",)), "one post-crawford-table for both players, or one each for players 0 and 1"),
    (xml().replace('"explicit"', '"mec"', 1), "all tables must be of one type"),
    (parameters("zadeh", ""), "all tables must be of one type, explicit or mec, not ['zadeh']"),
    (parameters("mec", '<parameter name="win-rate">0.6</parameter>'), "'win-rate' of 0.6 cannot be"),
    (parameters("mec", '<parameter name="gammon-rate">0.96</parameter>'), "gammon_rate must be a number"),
    (
        parameters("mec", '<parameter name="gammon-rate">1e9</parameter>'),
        "the parameter 'gammon-rate' must be a chance",
    ),
    (MET.replace("2=.3", "3=.3"), "[PreCrawford] has '3', but its Size is 2"),
    (MET.replace("2=.3", "2.3"), "[PreCrawford] lacks row 2"),
    (MET.replace("2=.3", "1=.3"), "line 12: '1' is there twice"),
    (MET.replace("Data", "Row"), "[PostCrawford] lacks Data"),
    (MET.replace("Size=2", "Size=3", 1), "must have the same Size"),
)
def test_what_is_wrong_is_said_in_a_line(content: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(ParseError) as raised:
        table_of(content, tmp_path)
    message = str(raised.value)
    assert message.startswith(f"{tmp_path / 'table.met'}: ")
    assert why in message
    assert "\n" not in message
    assert len(message) < len(str(tmp_path)) + 200


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "nothing.met")
    for path in (1, b"a.met", "", "a\0b", "\ud800", None):
        with pytest.raises(ArgumentError, match="expected a path, not"):
            read_table(path)  # type: ignore[arg-type]


@given(st.sampled_from((xml(), MET, parameters("mec", ""))), st.data())
def test_whatever_is_damaged_gives_a_table_or_a_parse_error(
    tmp_path_factory: pytest.TempPathFactory, content: str, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(content)))
    damage = data.draw(st.binary(max_size=4) | st.sampled_from((b"<row>", b"&amp;", b"2=", b"[", b"\xff\xfe", b"9")))
    damaged = content.encode()[:at] + damage + content.encode()[at + data.draw(st.integers(0, 20)) :]
    try:
        table = table_of(damaged, tmp_path_factory.getbasetemp())
    except ParseError:
        return
    assert MatchEquityTable(*(getattr(table, name) for name in ("name", "before_crawford", "after_crawford"))).name


@needs_gnu
def test_the_numbers_of_kazaross_are_those_of_the_file() -> None:
    table = read_table(GNU / "Kazaross-XG2.xml")
    assert table.before_crawford == KAZAROSS_XG2.before_crawford
    assert table.after_crawford == KAZAROSS_XG2.after_crawford
