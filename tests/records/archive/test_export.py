"""The table of decisions: its columns, rows by hand and by the decisions, and the files that `export` writes."""

from __future__ import annotations

import codecs
import csv
import datetime as dt
import importlib
import json
import os
import re
import shutil
import sys
from collections import Counter
from functools import cache
from importlib.util import find_spec
from itertools import chain
from math import isclose
from pathlib import Path
from typing import Any

import attrs
import pytest

import commands
import each
import loop
import wording
from gammonrules import Position, records
from gammonrules._shared import disk_files
from gammonrules._shared.extras import INSTALL
from gammonrules.errors import ArgumentError, GammonError, ParseError
from gammonrules.match import Action, End, Event, Forfeit, MatchState, Player, RecordEvent
from gammonrules.records import (
    COLUMNS,
    Column,
    CubeAnalysis,
    Decision,
    Game,
    Match,
    PlayAnalysis,
    dump,
    error_rates,
    export,
    join,
    load,
    loads,
    loads_all,
    openings,
    report_to_html,
    scan,
    search,
    to_table,
)
from gammonrules.records.archive import CANDIDATES, exporting, row_files as forms, scanning
from gammonrules.records.archive.column_values import columns_of
from gammonrules.records.archive.decision_rows import facts_of_games, parts_of_games
from gammonrules.records.archive.row_files import pyarrow
from gammonrules.records.archive.scanning import Unique
from gammonrules.records.transcript import counting_rule, with_analysis
from real_records import contents_read, loaded

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")

ROOT = Path(__file__).parents[3]
DATA = Path(__file__).parents[2] / "data" / "matches"
ANALYSES = DATA.parent / "analysis"
PATHS = [
    *(DATA / "broken", DATA / "endings" / "match7707286.txt"),
    *(ANALYSES / "gnubg" / f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003", "_004")),
    *(ANALYSES / "gnubg" / "money-beaver_0ply.sgf", ANALYSES / "gnubg-bglab" / "match815944_002.1ply.txt"),
    ANALYSES / "xg" / "aachen2024-double-7pt-b.xg",
]
"""A record of each kind: with and without analyses, of several files, by points and for money."""
NAMES = [column.name for column in COLUMNS]
MORE: dict[str, tuple[str, ...]] = {}
"""The texts of the further games of a match, by that of its first."""
IS_POSIX = os.name == "posix"
RECORD = "5 point match\n Game 1\n Zoë : 0      Kévin : 0\n  1) 31: 8/5 6/5\n"


@cache
def rows(match: Match, file: str | None = None) -> list[dict[str, Any]]:
    entry = scanning.ScanEntry(file or "", match, fingerprint=match.fingerprint)
    games = parts_of_games(facts_of_games(scanning.with_played(entry)), exporting.numbers_by_game())
    parts = list(chain.from_iterable(games))
    columns = columns_of(parts)["decisions"] if parts else []
    return [dict(zip(NAMES, row, strict=True)) for row in zip(*columns, strict=True)]


@pytest.fixture(scope="module")
def entries() -> list[tuple[str, Match]]:
    matched = [entry for entry in scan(*PATHS) if entry.match]
    MORE.update({entry.path: entry.more for entry in matched if entry.more})
    return [(entry.path, entry.match) for entry in matched if entry.match]


@pytest.fixture(scope="module")
def table(entries: list[tuple[str, Match]]) -> list[dict[str, Any]]:
    made = [(row, (path, *MORE.get(path, ()))) for path, match in entries for row in rows(match, path)]
    return [row | {"file": files[(row["game"] - 1) % len(files)]} for row, files in made]


def without_stated(analysis: PlayAnalysis | CubeAnalysis) -> PlayAnalysis | CubeAnalysis:
    if isinstance(analysis, PlayAnalysis):
        return attrs.evolve(analysis, stated_error=None)
    return attrs.evolve(analysis, stated_error=None, stated_answer_error=None)


def with_moves(event: RecordEvent, state: MatchState) -> RecordEvent:
    """The same event, a play as its moves."""
    if not isinstance(event, Event) or event.action is not Action.PLAY:
        return event
    return attrs.evolve(event, argument=state.legal_plays.find(event.argument).moves)


class TestByHand:
    """Values that a person worked out on a board."""

    RECORD = """\
; [Site "Here"]
; [Event "Open"]
; [EventDate "2024.07.27"]
; [EventTime "19.44"]
; [Player 1 Elo "1500"]

3 point match

 Game 1
 Ann : 0                         Bob : 1
  1) 61: 13/7 8/7                 62: 24/22 13/7
  2)  Doubles => 2                 Takes
  3) 64: 24/18* 24/20             55: bar/20 13/8(3)
  4) 11: 8/7(2) 6/5*(2)           66: Cannot Move
      Wins 2 points
"""
    SHORT = ("turn", "seat", "cube", "cube_owner", "decision", "dice", "action", "pips", "opponent_pips", "hits")

    def test_rows(self) -> None:
        table = rows(loads(self.RECORD), "x.mat")
        assert [tuple(row[name] for name in self.SHORT) for row in table] == [
            (1, "white", 1, "centered", "play", "61", "13/7 8/7", 167, 167, 0),
            (2, "black", 1, "centered", "double", None, "roll", 167, 160, 0),
            (2, "black", 1, "centered", "play", "62", "24/22 13/7", 167, 160, 0),
            (3, "white", 1, "centered", "double", None, "double", 160, 159, 0),
            (3, "black", 1, "centered", "answer", None, "take", 159, 160, 0),
            (3, "white", 2, "opponent", "play", "64", "24/18* 24/20", 160, 159, 1),
            (4, "black", 2, "player", "play", "55", "bar/20 13/8(3)", 177, 150, 0),
            (5, "white", 2, "opponent", "play", "11", "8/7(2) 6/5*(2)", 150, 157, 1),
            (6, "black", 2, "player", "play", "66", "no play", 162, 146, 0),
            (7, "black", 2, "player", "resign", None, "single", 162, 146, 0),
            (7, "white", 2, "opponent", "resign_answer", None, "accept", 146, 162, 0),
        ]

    def test_a_resignation_after_a_roll_has_its_dice_and_its_luck(self) -> None:
        root = "(;GM[6]MI[length:5][game:0][ws:0][bs:0]PW[a]PB[b]RE[W+1R];W[31hefe]"
        *_, resigned, answer = rows(loads(f"{root};PL[B]DI[62]LU[-0.04])"), "x.sgf")
        names = "decision", "dice", "luck", "counts_gnubg", "error", "best"
        assert [resigned[name] for name in names] == ["resign", "62", -0.04, False, None, None]
        assert resigned["luck_mwc"] == pytest.approx(-0.00309, abs=5e-5)
        assert (answer["decision"], answer["luck"]) == ("resign_answer", None)
        *_, opponent, _ = rows(loads(f"{root};PL[B]DI[62]LU[-0.04])".replace("W+1R", "B+1R")), "x.sgf")
        assert (opponent["seat"], opponent["dice"], opponent["luck"]) == ("white", "62", None)

    def test_a_row_in_full(self) -> None:
        """Black's answer: the board is seen by Black, the XGID by White."""
        answer = rows(loads(self.RECORD), "x.mat")[4]
        seen = Position.of(mine={24: 1, 22: 1, 13: 4, 8: 3, 7: 1, 6: 5}, theirs={24: 2, 13: 4, 8: 2, 7: 2, 6: 5})
        # a drop leaves Black 50 %; a lost take the Crawford game, 32.264 %; a won one wins the match
        assert answer.pop("take_point") == pytest.approx((0.5 - 0.32264) / (1 - 0.32264), abs=1e-4)
        assert {name: value for name, value in answer.items() if value} == {
            "file": "x.mat", "match": loads(self.RECORD).fingerprint, "site": "Here", "event": "Open",
            "date": dt.date(2024, 7, 27), "date_text": "2024.07.27", "length": 3, "game": 1, "turn": 3, "number": 5,
            "game_fingerprint": loads(self.RECORD).games[0].fingerprint, "player": "Bob", "opponent": "Ann",
            "seat": "black", "opponent_rating": 1500.0, "score": 1, "away": 2, "opponent_away": 3, "cube": 1,
            "cube_owner": "centered", "decision": "answer", "action": "take", "position_id": seen.id,
            "xgid": "XGID=-a-a--EBB---dD---cae----B-:0:0:1:D:0:1:0:3:10", "pips": 159, "opponent_pips": 160,
            "game_points": -2, "line": 12, "longest_prime": 1, "opponent_longest_prime": 3, "opponent_anchors": 1,
            "position_kind": "opening", "opening_dice": "61", "opening": "13/7 8/7", "reply_dice": "62",
            "reply": "24/22 13/7", "match_games": 1, "game_end": "resigned", "game_win": "single",
            "time": dt.time(19, 44),
        }  # fmt: skip

    def test_the_opening_and_the_reply(self) -> None:
        """All rows of a game have them; a drop is no reply, and a position no opening."""
        names = "opening_dice", "opening", "reply_dice", "reply"
        dropped = "3 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 8/5 6/5      Doubles => 2\n  2)  Drops\n"
        for text, expected in (
            (self.RECORD, ("61", "13/7 8/7", "62", "24/22 13/7")),
            (dropped, ("31", "8/5 6/5", None, None)),
        ):
            assert {tuple(row[name] for name in names) for row in rows(loads(text))} == {expected}
        match = Match(("Ann", "Bob"), 3, (loads(self.RECORD).games[0],))
        late = attrs.evolve(match.games[0], start=[*match.games[0].states()][3], events=match.games[0].events[3:])
        told = rows(attrs.evolve(match, games=(late,)))
        assert {tuple(row[name] for name in names) for row in told} == {(None,) * 4}

    def test_forced(self) -> None:
        table = rows(loads(self.RECORD))
        assert [(row["plays"], row["forced"], row["bar"]) for row in table[-3:]] == [
            (1, True, 1),
            (None, False, 1),
            (None, False, 0),
        ]
        assert table[0]["plays"] == len(Position.start().legal_plays("61"))

    def test_findings_belong_to_the_last_decision_of_their_line(self) -> None:
        """A warning counts, and an information does not: all are about the resignation."""
        for stated, number in ("1 point", 1), ("4 points", 0):
            table = rows(loads(self.RECORD.replace("2 points", stated)), stated)
            assert [row["findings"] for row in table] == [0] * 10 + [number]


class TestLaws:
    def test_each_row_says_what_its_decision_says(self, entries: list[tuple[str, Match]]) -> None:
        for path, match in entries:
            for row, decision in zip(rows(match, path), match.decisions(), strict=True):
                said = about_board(decision) | about_analysis(decision, stated=match.format == "xg")
                said["match_won"] = None if match.winner is None else match.winner is decision.player
                assert {name: row[name] for name in said} == said

    def test_how_a_game_ended_is_what_its_last_event_and_board_say(self) -> None:
        """Every end is among these, and every win."""
        ends = set()
        for entry in scan(*(DATA / "galaxy").glob("match8*"), DATA / "endings", DATA / "ogxm"):
            for game in entry.match.games if entry.match else ():
                told = {(row["game_end"], row["game_win"]) for row in rows(attrs.evolve(entry.match, games=(game,)))}
                assert told == {end_on_the_board(game)}
                ends |= told
        assert {end for end, _ in ends} == {*map(str, End), None}
        assert {win for end, win in ends if end == "played"} == {"single", "gammon", "backgammon"}

    def test_a_take_point_is_there_for_answers_to_doubles(self, table: list[dict[str, Any]]) -> None:
        """Those of books: 25 % for money, 32 % if both need two points; none for an answer to a beaver."""
        answers = [row for row in table if row["decision"] == "answer"]
        assert all(row["take_point"] is None for row in table if row not in answers)
        assert {row["take_point"] for row in answers if not row["length"]} == {0.25, None}
        assert {row["action"] for row in answers if row["take_point"] is None} == {"take"}
        text = "5 point match\n Game 1\n Ann : 3  Bob : 3\n  1) 31: 8/5 6/5      Doubles => 2\n  2)  Takes\n"
        assert rows(loads(text))[-1]["take_point"] == pytest.approx(0.32264)


MISTAKES = {"roll": "missed_double", "double": "wrong_double", "take": "wrong_take", "drop": "wrong_drop"}


def about_board(decision: Decision) -> dict[str, Any]:
    """The board, and what is done on it."""
    state, player = decision.state, decision.player
    seen, owner = state.view(player), state.cube.owner
    is_play = decision.kind == "play"
    sides = {
        f"{prefix}{name}": number
        for prefix, side in (("", seen), ("opponent_", seen.flip()))
        for name, number in {
            "pips": side.pip_count, "bar": side.bar, "off": side.off,
            "longest_prime": side.longest_prime, "anchors": len(side.anchors),
        }.items()
    }  # fmt: skip
    return sides | {
        "position_id": seen.id,
        "xgid": state.xgid,
        "race": seen.is_race,
        "position_kind": state.position.kind,
        "cube": state.cube.value,
        "cube_owner": "centered" if owner is None else "player" if owner is player else "opponent",
        "dice": None if state.dice is None else f"{max(state.dice)}{min(state.dice)}",
        "score": state.score_before[player],
        "opponent_score": state.score_before[player.opponent],
        "crawford": state.crawford,
        "post_crawford": state.post_crawford,
        "turn": decision.turn,
        "decision": decision.kind,
        "action": decision.action,
        "plays": decision.plays,
        "forced": decision.plays == 1,
        "line": decision.line,
        "hits": sum(move.hit for move in state.legal_plays.find(decision.after.position).moves) if is_play else 0,
    }


def end_on_the_board(game: Game) -> tuple[str | None, str | None]:
    """How a game ended and how much it was won by: replayed, and counted on the last board."""
    state = game.start
    for event in game.events:
        before, state = state, state.apply(event)
    if isinstance(event, Forfeit):
        return "forfeited", None
    if event.action == "drop":
        return "dropped", "single"
    if event.action == "accept":
        return "resigned", ["single", "gammon", "backgammon"][before.offer.win - 1]
    for seen in map(state.view, Player):
        if max(seen.points) <= 0:  # nothing of this player is left
            if seen.opponent_off or (game.start.rules.jacoby and state.length is None and state.cube.owner is None):
                return "played", "single"
            return "played", "backgammon" if any(seen.points[:7]) else "gammon"
    return None, None


def about_analysis(decision: Decision, *, stated: bool) -> dict[str, Any]:
    """What an engine says of it, if one has analyzed it."""
    play, cube, analysis = decision.play_analysis, decision.cube_analysis, decision.analysis
    said: dict[str, Any] = {
        name: getattr(decision, name) for name in ("best", "equity", "equity_best", "error", "luck")
    }
    said["engine"] = analysis.engine or None if analysis else None
    for rule in ("xg", "gnubg"):
        said[f"counts_{rule}"] = (
            counting_rule(rule).counts(with_analysis(decision, analysis), xg_states_errors=stated) if analysis else None
        )
    said["mistake"] = MISTAKES.get(decision.action) if cube and decision.error else None
    chances = None
    if cube:
        said |= {"level": cube.level or None, "equity_no_double": cube.no_double}
        said |= {"equity_double_take": cube.double_take, "equity_double_drop": cube.double_drop}
        chances = cube.chances.flip() if cube.chances and decision.kind == "answer" else cube.chances
    if play:
        looked_at = play.made or play.best
        said["level"] = looked_at.level or None if looked_at else None
        chances = play.made and play.made.chances
        said["rank"] = None if play.played is None else play.played + 1
        said["equity_second"] = play.candidates[1].equity if len(play.candidates) > 1 else None
    for name in TestCandidates.FIVE:
        said[name] = chances and getattr(chances, name)
    return said


class TestTable:
    def test_values(self, table: list[dict[str, Any]]) -> None:
        made = to_table(*PATHS)
        assert made.column_names == NAMES
        assert made.to_pylist() == table

    def test_types(self) -> None:
        types = {"text": "string", "int": "int64", "float": "double", "bool": "bool"}
        types |= {"date": "date32[day]", "time": "time32[ms]"}
        assert [str(field.type) for field in to_table(Match(("A", "B"), 7)).schema] == [
            types[column.type] for column in COLUMNS
        ]

    def test_what_it_takes(self, tmp_path: Path) -> None:
        path = tmp_path / "x.mat"
        path.write_text(RECORD, encoding="utf-8")
        (tmp_path / "README.txt").write_text("Nothing")
        match = loads(RECORD)
        assert to_table(match)["file"].to_pylist() == [None]
        for arguments in ((path,), (str(tmp_path),), ([path],), (scan(path),), ((path for _ in "x"),)):
            assert to_table(*arguments)["file"].to_pylist() == [str(path)]
        assert to_table([match, path, match], match).num_rows == 4
        assert to_table([match, path, match], match, unique=True).num_rows == 1

    def test_a_match_states_errors_or_not(self) -> None:
        """Also for a game that has none: its rows count as in the error rates, whether games are chosen one by one."""
        match = loaded(ANALYSES / "xg" / "aachen2024-double-7pt-b.xg")
        unstated = [decision.analysis and without_stated(decision.analysis) for decision in match.games[1].decisions()]
        by_index = dict(zip((decision.index for decision in match.games[1].decisions()), unstated, strict=True))
        analyses = tuple(by_index.get(index) for index in range(len(match.games[1].events)))
        second = attrs.evolve(match.games[1], analyses=analyses)
        match = attrs.evolve(match, games=(match.games[0], second))
        counted = sum(rate.decisions for rate in match.error_rates("xg"))
        assert sum(rate.decisions for rate in second.error_rates("xg")) > 0  # by itself it has no stated error
        for unique in (False, "game"):
            table = to_table(match, unique=unique)
            assert table["counts_xg"].to_pylist().count(True) == counted

    def test_plays_as_moves(self) -> None:
        """A game that a program made has the rows of the same game as readers make it, and the same report."""
        match = loaded(ANALYSES / "xg" / "aachen2024-double-7pt-b.xg")
        games = [attrs.evolve(game, events=tuple(map(with_moves, game.events, game.states()))) for game in match.games]
        made = attrs.evolve(match, games=tuple(games))
        assert made.games[0].events != match.games[0].events
        assert to_table(made).to_pylist() == to_table(match).to_pylist()
        assert report_to_html(made) == report_to_html(match)

    @loop.rows("arguments", (5,), ([5],), (None,), ([[RECORD]],), (b"x",))
    def test_what_it_does_not_take(self, arguments: tuple[Any, ...]) -> None:
        with pytest.raises(ArgumentError, match="expected paths or matches"):
            to_table(*arguments)

    def test_a_table_instead_of_its_file(self) -> None:
        """It is named, and not its columns, through which Python goes."""
        table = pyarrow().table({"xgid": ["a"]})
        for ask in (to_table, search, openings, report_to_html, error_rates, join):
            for columns in (table, table.to_batches()[0]):
                with wording.tells(ArgumentError, f"pyarrow.{type(columns).__name__}"):
                    ask(columns)

    def test_a_named_file_that_cannot_be_read(self, tmp_path: Path) -> None:
        (tmp_path / "README.txt").write_text("Nothing")
        with pytest.raises(ParseError, match=r"README\.txt: the record holds no match"):
            to_table(tmp_path / "README.txt")
        with pytest.raises(ParseError, match="missing: it cannot be opened"):
            to_table(tmp_path / "missing")

    def test_an_illegal_match(self) -> None:
        game = Game(1, MatchState.new(7), (Event("opening_roll", argument=(3, 1)), Event("play", argument="24/1")))
        with pytest.raises(GammonError, match="24/1"):
            to_table(Match(("A", "B"), 7, (game,)))

    def test_without_pyarrow(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setitem(sys.modules, "pyarrow", None)
        pyarrow.cache_clear()
        with pytest.raises(ImportError, match=re.escape(INSTALL.format("tables"))):
            to_table(DATA)
        with pytest.raises(ImportError, match="tables"):
            export([DATA], tmp_path / "x.parquet")
        assert export([DATA / "broken"], tmp_path / "x.csv").matches
        assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]


def read(path: Path, columns: tuple[Column, ...] = COLUMNS) -> list[dict[str, Any]]:
    """The rows of a written table, as they were before."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq  # noqa: PLC0415 - it may not be there

        return pq.read_table(path).to_pylist()  # type: ignore[no-any-return]
    if path.suffix == ".jsonl":
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        days = {"date": dt.date.fromisoformat, "time": dt.time.fromisoformat}
        return [row | {name: days[name](row[name]) for name in days if row.get(name)} for row in lines]
    readers = {
        "text": str,
        "int": int,
        "float": float,
        "bool": {"true": True, "false": False}.__getitem__,
        "date": dt.date.fromisoformat,
        "time": dt.time.fromisoformat,
    }
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [
            {column.name: readers[column.type](row[column.name]) if row[column.name] else None for column in columns}
            for row in csv.DictReader(file)
        ]


def as_written(rows: list[dict[str, Any]], suffix: str) -> list[dict[str, Any]]:
    """In CSV floats have seven digits."""
    if suffix != ".csv":
        return rows
    return [
        {name: float(f"{value:.7g}") if isinstance(value, float) else value for name, value in row.items()}
        for row in rows
    ]


def types_in(table: Any) -> dict[str, str]:
    """What a library makes of the columns of a table."""
    kinds = zip(table.columns, table.types if hasattr(table, "types") else table.dtypes, strict=True)
    return {name: str(kind) for name, kind in kinds}


class TestExport:
    @loop.rows("suffix", ".parquet", ".csv", ".jsonl")
    def test_the_same_rows(self, tmp_path: Path, suffix: str, table) -> None:
        done = export(PATHS[:2], tmp_path / f"x{suffix}")
        rows = [row for row in table if {Path(row["file"]), Path(row["file"]).parent} & {*PATHS[:2]}]
        assert read(tmp_path / f"x{suffix}") == as_written(rows, suffix)
        assert (done.rows, done.unread) == (len(rows), [])
        assert done.skipped.total() > 0

    def test_excel_knows_the_encoding_of_csv(self, tmp_path: Path) -> None:
        """By one mark at the beginning of each table; pyarrow is one of the readers that take it away."""
        pytest.importorskip("pyarrow")
        arrow_csv = importlib.import_module("pyarrow.csv")
        tables = tmp_path / "x.csv", tmp_path / "y.csv"
        export(PATHS[-1], tables[0], candidates=tables[1])
        for table, columns in zip(tables, (COLUMNS, CANDIDATES), strict=True):
            content = table.read_bytes()
            assert (content.startswith(codecs.BOM_UTF8), content.count(codecs.BOM_UTF8)) == (True, 1)
            assert arrow_csv.read_csv(table).column_names == [column.name for column in columns]

    @pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
    def test_the_page_says_how_to_read_csv(self, library: str, tmp_path: Path) -> None:
        """Each column has the type that it has in Parquet; without it, a library takes dice for numbers."""
        module = pytest.importorskip(library)
        page = ROOT / "docs" / "reference" / "decisions-table.md"
        tables = tmp_path / "x.csv", tmp_path / "x.parquet"
        for table in tables:
            export(ANALYSES / "xg", table)
        (block,) = re.findall(r"(?ms)^ +```python\n( +texts = .*?)^ +```", page.read_text(encoding="utf-8"))
        others = {"pandas", "polars", "duckdb"} - {library}
        *before, reading = [line.strip() for line in block.splitlines() if not any(other in line for other in others)]
        names: dict[str, Any] = {library: module, "records": records, "file": str(tables[0])}
        exec("\n".join(before), names)
        plain, types = types_in(module.read_csv(str(tables[0]))), types_in(eval(reading, names))
        wanted = types_in(module.read_parquet(str(tables[1])))
        assert plain["dice"] != wanted["dice"]
        assert "date" in types["date"].lower()
        assert library == "pandas" or "time" in types["time"].lower()  # pandas has no times of day
        assert types | {"date": "", "time": ""} == wanted | {"date": "", "time": ""}

    def test_floats_are_short_in_csv(self, tmp_path: Path) -> None:
        """Seven digits, as the page says, and otherwise what Parquet has."""
        for suffix in (".csv", ".parquet"):
            export(PATHS[-1], tmp_path / f"x{suffix}", candidates=tmp_path / f"y{suffix}")
        for name, columns in (("x", COLUMNS), ("y", CANDIDATES)):
            floats = [column.name for column in columns if column.type == "float"]
            with (tmp_path / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
                texts = [row[name] for row in csv.DictReader(file) for name in floats]
            digits = [text.partition("e")[0].replace(".", "").lstrip("-0").rstrip("0") for text in texts]
            assert 5 < max(map(len, digits)) <= 7
            short, whole = read(tmp_path / f"{name}.csv", columns), read(tmp_path / f"{name}.parquet", columns)
            for row, exact in zip(short, whole, strict=True):
                close = {
                    name for name in floats if row[name] is not None and isclose(row[name], exact[name], rel_tol=5e-7)
                }
                assert [row[name] for name in row.keys() - close] == [exact[name] for name in row.keys() - close]

    @each.first("suffix", [".parquet", ".csv", ".jsonl"])
    def test_the_same_bytes_in_one_process(self, tmp_path: Path, suffix: str) -> None:
        for name, workers in ((f"x{suffix}", 2), (f"y{suffix.upper()}", 1)):
            export(ANALYSES / "gnubg-bglab", tmp_path / name, workers=workers)
        assert (tmp_path / f"y{suffix.upper()}").read_bytes() == (tmp_path / f"x{suffix}").read_bytes()

    def test_a_file_that_is_lost(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """It may hold a match, so it counts though nobody named it: for a mistake of ours, as for a killed worker."""

        def fail(content: bytes) -> tuple[Match, ...]:
            return loads_all(content) if b"Kevin" in content else (Match(**{}["x"]),)

        monkeypatch.setattr(scanning, "read_all", fail)
        for name in ("1.mat", "2.mat"):
            (tmp_path / name).write_text(RECORD.replace("Kévin", "Kevin") if name < "2" else RECORD, encoding="utf-8")
        why = "gammonrules failed on this file, please report this: KeyError: 'x'"
        assert [(entry.error, entry.has_crashed) for entry in scan(tmp_path)] == [(None, False), (why, True)]
        done = export(tmp_path, tmp_path / "x.csv")
        assert (done.matches, done.unread) == (1, [(str(tmp_path / "2.mat"), why)])
        (tmp_path / "x.csv").unlink()
        with pytest.raises(ParseError, match=r"2\.mat: gammonrules failed"):
            to_table(tmp_path)
        converted = commands.run("convert", tmp_path, f"{tmp_path}-new", "--to", "json")
        assert (converted.exit_code, converted.stdout) == (2, "1 record written, 1 failed\n")

    def test_names_that_are_no_text(self, tmp_path: Path) -> None:
        names = ["שלום\n.mat", 'a"b,c.mat', os.fsdecode(b"caf\xe9.mat") if sys.platform == "linux" else "x.mat"]
        for name in names:
            (tmp_path / name).write_text(RECORD.replace("Zoë", 'Z"o,ë'), encoding="utf-8")
        for suffix in forms.FORMS:
            export([tmp_path], tmp_path / f".out{suffix}")
            table = read(tmp_path / f".out{suffix}")
            assert {row["player"] for row in table} == {'Z"o,ë'}
            shown = {name.encode("utf-8", "backslashreplace").decode() for name in names}
            assert {Path(row["file"]).name for row in table} == shown

    def test_what_a_spreadsheet_would_execute(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """An apostrophe makes it a text; taking it away again, as the page says, gives back what was there."""
        monkeypatch.chdir(tmp_path)
        names = ["=cmd|calc!A0", "+1", "-1", "@SUM(A1)", "'=1", "'quoted", "=a,b", "Bo-b=", "Bo;=1", "Bo;\"=1\";''-2"]
        files = [f"={number}.json" for number in range(len(names))]
        for name, file in zip(names, files, strict=True):
            dump(attrs.evolve(loads(RECORD), players=(name, "\t=1")), file)
        for suffix in forms.FORMS:
            export(files, f"x{suffix}")
        guarded, wanted = read(Path("x.csv")), read(Path("x.jsonl"))
        assert ([row["player"] for row in wanted], read(Path("x.parquet"))) == (names, wanted)
        assert [row["player"] for row in guarded] == [
            *("'=cmd|calc!A0", "'+1", "'-1", "'@SUM(A1)", "''=1", "'quoted", "'=a,b", "Bo-b=", "Bo;'=1"),
            "Bo;'\"=1\";'''-2",
        ]
        assert {row["file"][:2] + row["opponent"][:2] for row in guarded} == {"'='\t"}
        apostrophe = re.compile(r"""(?:^|(?<=[;\t\r\n]))'(?=['"]*[=+\-@＝＋－＠\t\r\n])""")
        texts = {column.name for column in COLUMNS if column.type == "text"}
        undone = [
            {name: apostrophe.sub("", row[name]) if name in texts and row[name] else row[name] for name in row}
            for row in guarded
        ]
        assert undone == wanted

    def test_names_with_line_breaks(self, tmp_path: Path) -> None:
        match = attrs.evolve(loads(RECORD), tags=(("Site", "a\rb"), ("Event", "c\r\n=d")))
        dump(match, tmp_path / "x.json")
        export(tmp_path / "x.json", tmp_path / "x.csv")
        assert {(row["site"], row["event"]) for row in read(tmp_path / "x.csv")} == {("a\rb", "c\r'\n'=d")}

    def test_numbers_and_identifiers_keep_their_sign(self) -> None:
        row = dict.fromkeys(NAMES) | {"equity": -0.5, "game_points": -2, "position_id": "+/8PAATwPgEAAA"}
        assert b",-2," in (line := forms.csv_of("decisions", [[value] for value in row.values()]))
        assert b",-0.5," in line
        assert b",+/8PAATwPgEAAA," in line

    @pytest.mark.parametrize(
        ("unique", "counts"), [(False, (3, 2, 3)), (True, (1, 2, 1)), ("match", (1, 2, 1)), ("game", (1, 2, 1))]
    )
    def test_unique(self, tmp_path: Path, unique: Unique, counts: tuple[int, int, int]) -> None:
        for name in ("1.mat", "2.mat", "3.mat"):
            (tmp_path / name).write_text(RECORD, encoding="utf-8")
        for _ in range(2):  # the table itself is not read as a record
            done = export([tmp_path], tmp_path / "x.csv", unique=unique)
            assert (done.matches, done.duplicates, done.rows) == counts
            assert done.skipped.total() == 0
        assert to_table(tmp_path / "1.mat", scan(tmp_path), unique=unique).num_rows == (4 if unique is False else 1)

    @pytest.mark.parametrize("unique", ["games", 1, None, ["game"]])
    def test_nothing_else_is_unique(self, tmp_path: Path, unique: Any) -> None:
        with pytest.raises(ArgumentError, match='unique must be "match", "game", True or False, not '):
            export([tmp_path], tmp_path / "x.csv", unique=unique)

    def test_unique_games_keep_the_better_analyzed_twin(self, tmp_path: Path) -> None:
        """Game 2 is alone in an analyzed text; the others come from the record of the match."""
        shutil.copy(DATA / "galaxy" / "match7662222.txt", tmp_path / "a.txt")
        shutil.copy(DATA.parent / "analysis" / "gnubg" / "match7662222_1ply_002.txt", tmp_path / "b.txt")
        done = export([tmp_path], tmp_path / ".x.csv", unique="game")
        games = {(row["game"], Path(row["file"]).name) for row in read(tmp_path / ".x.csv")}
        assert games == {(1, "a.txt"), (2, "b.txt"), (3, "a.txt"), (4, "a.txt")}
        assert (done.matches, done.duplicates) == (2, 1)
        first, second = scan(tmp_path, unique="game")
        assert first.match is not None
        assert [game.number for game in first.match.games] == [1, 3, 4]
        assert first.fingerprint == loads((tmp_path / "a.txt").read_bytes()).fingerprint
        assert (second.path, second.duplicate_games) == (str(tmp_path / "b.txt"), (str(tmp_path / "a.txt"),))
        assert to_table(scan(tmp_path, unique="game")).equals(to_table(tmp_path, unique="game"))

    @loop.over("unique", ("match", "game"))
    def test_each_file_is_read_once(self, unique: Unique, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """What is made of it waits on disk for the choice; nothing of that is left. Totals are of all copies first."""
        read = contents_read(monkeypatch)
        for name in ("a.txt", "b.txt"):
            (tmp_path / name).write_text(RECORD, encoding="utf-8")
        (tmp_path / "c.txt").write_text("no record", encoding="utf-8")
        told: list[tuple[int, int]] = []

        def tell(so_far: exporting.ExportSummary) -> None:
            told.append((so_far.rows, so_far.skipped.total()))

        done = export(tmp_path, tmp_path / "x.csv", unique=unique, workers=1, progress=tell)
        assert len(read) == 3
        assert (done.matches, done.duplicates) == (1, 1)
        assert told == [(done.rows, 0), (2 * done.rows, 0), (2 * done.rows, 1), (done.rows, 1)]
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "b.txt", "c.txt", "x.csv"]
        read.clear()
        entries = list(scan(tmp_path, unique=unique, workers=1))
        assert (len(read), [Path(entry.path).name for entry in entries]) == (4, ["a.txt", "c.txt", "x.csv"])

    def test_nothing_read(self, tmp_path: Path) -> None:
        (tmp_path / "README.txt").write_text("Nothing")
        done = export([tmp_path], tmp_path / "x.csv")
        assert (done.matches, done.skipped.total(), done.unread) == (0, 1, [])
        assert [path.name for path in tmp_path.iterdir()] == ["README.txt"]

    def test_many_reasons(self, tmp_path: Path) -> None:
        done = exporting.ExportSummary()
        for number in range(1_000):
            exporting._skip(done, str(number), f"reason {number}", is_wanted=False)
        assert len(done.skipped) == exporting._REASONS + 1
        assert done.skipped["other reasons"] == 900
        assert done.examples["other reasons"] == ["100", "101", "102"]

    @pytest.mark.parametrize("name", ["x", "x.xlsx", ".", "", "a\0.csv", "x.parquet.gz"])
    def test_no_table(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(ArgumentError):
            export([DATA], tmp_path / name if name else name)
        assert list(tmp_path.iterdir()) == []

    @loop.rows("file", 5, b"x.csv")
    def test_no_path(self, file: Any) -> None:
        with pytest.raises(ArgumentError, match="expected the path of a table"):
            export([DATA], file)


class TestCandidates:
    FIVE = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")

    def listed(self, path: str, match: Match) -> list[dict[str, Any]]:
        """Every candidate of a match, asked of the decisions one by one."""
        listing: list[dict[str, Any]] = []
        for decision in match.decisions():
            analysis = decision.play_analysis
            for rank, candidate in enumerate(analysis.candidates if analysis else (), 1):
                chances = dict.fromkeys(self.FIVE) if candidate.chances is None else attrs.asdict(candidate.chances)
                about = {"file": path, "match": match.fingerprint, "game": decision.game, "turn": decision.turn}
                about |= {
                    "rank": rank,
                    "play": candidate.play,
                    "position_id": candidate.position.id,
                    "equity": candidate.equity,
                }
                about |= {"level": candidate.level or None, "standard_error": candidate.standard_error}
                listing.append(about | chances | {"engine": analysis.engine or None if analysis else None})
        return listing

    @each.first("suffix", sorted(forms.FORMS, reverse=True))
    def test_values(self, tmp_path: Path, suffix: str) -> None:
        folder = ANALYSES / "gnubg-bglab"
        done = export(folder, tmp_path / "x.csv", candidates=tmp_path / f"y{suffix}")
        entries = [entry for entry in scan(folder) if entry.match]
        wanted = [row for entry in entries for row in self.listed(entry.path, entry.match)]  # type: ignore[arg-type]
        table = read(tmp_path / f"y{suffix}", CANDIDATES)
        assert len(table) == done.candidates == len(wanted) > 100
        for row, expected in zip(table, wanted, strict=True):
            assert row == as_written([expected], suffix)[0] | {"number": row["number"]}

    def test_each_belongs_to_one_decision(self, tmp_path: Path) -> None:
        """By file, game and number; also where a file has two matches, or a match two games of one number."""
        text = (DATA.parent / "analysis" / "xg-text" / "money_play.txt").read_text(encoding="utf-8")
        texts = DATA.parent / "analysis" / "gnubg"
        twice = (texts / "match7662222_1ply_002.txt").read_text(encoding="utf-8")
        (tmp_path / "two.txt").write_text(twice + twice, encoding="utf-8")
        match = loads((texts / "money-beaver_0ply.sgf").read_bytes())
        dump(attrs.evolve(match, games=(match.games[0], match.games[0])), tmp_path / "same.json")
        (tmp_path / "position.txt").write_text(text, encoding="utf-8")
        export([tmp_path, PATHS[-1], ANALYSES / "gnubg-bglab"], tmp_path / ".x.jsonl", candidates=tmp_path / ".y.jsonl")
        decisions, candidates = read(tmp_path / ".x.jsonl"), read(tmp_path / ".y.jsonl", CANDIDATES)
        keys = ("file", "game", "number")
        by_key = {tuple(row[key] for key in keys): row for row in decisions}
        assert len(by_key) == len(decisions)
        assert len([row for row in decisions if row["file"] == str(tmp_path / "same.json")]) > 40
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in candidates:
            groups.setdefault(tuple(row[key] for key in keys), []).append(row)
        assert groups.keys() == {key for key, row in by_key.items() if row["decision"] == "play" and row["best"]}
        for key, group in groups.items():
            decision = by_key[key]
            assert [row["rank"] for row in group] == [*range(1, len(group) + 1)]
            assert all(row[name] == decision[name] for row in group for name in ("match", "turn", "engine"))
            assert (group[0]["play"], group[0]["equity"]) == (decision["best"], decision["equity_best"])
            if decision["rank"] is not None:
                made = group[decision["rank"] - 1]
                assert (made["play"], made["equity"]) == (decision["action"], decision["equity"])
                after = Position.from_id(decision["position_id"]).play(decision["action"], decision["dice"])
                assert made["position_id"] == after.id

    def test_of_unique_games(self, tmp_path: Path) -> None:
        shutil.copy(DATA.parent / "analysis" / "gnubg" / "match7662222_1ply_002.txt", tmp_path / "a.txt")
        shutil.copy(tmp_path / "a.txt", tmp_path / "b.txt")
        twice, once = (export(tmp_path, candidates=tmp_path / ".x.csv", unique=unique) for unique in (False, "game"))
        assert (once.rows, once.matches, 2 * once.candidates) == (0, 1, twice.candidates)

    @pytest.mark.parametrize("suffix", sorted(forms.FORMS))
    def test_records_without_analyses_have_none(self, tmp_path: Path, suffix: str) -> None:
        (tmp_path / "x.mat").write_text(RECORD, encoding="utf-8")
        done = export(tmp_path / "x.mat", candidates=tmp_path / f"x{suffix}")
        assert (done.matches, done.candidates, read(tmp_path / f"x{suffix}", CANDIDATES)) == (1, 0, [])

    def test_no_table_or_one_file_for_both(self, tmp_path: Path) -> None:
        with pytest.raises(ArgumentError, match="no table is asked for"):
            export(DATA)
        with pytest.raises(ArgumentError, match="two tables cannot be one file"):
            export(DATA, tmp_path / "x.csv", candidates=tmp_path / "in" / ".." / "x.csv")
        for wrong in (5, tmp_path / "x.xls"):
            with pytest.raises(ArgumentError, match="a table"):
                export(DATA, tmp_path / "x.csv", candidates=wrong)  # type: ignore[arg-type]
        assert list(tmp_path.iterdir()) == []

    def test_both_files_or_neither(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Somebody else's file appears in the place of the second while the first gets its name."""
        first, second = tmp_path / "x.csv", tmp_path / "y.csv"
        put = disk_files.NewFile.give_name

        def late(new: disk_files.NewFile) -> None:
            put(new)
            second.write_text("theirs")

        monkeypatch.setattr(disk_files.NewFile, "give_name", late)
        (tmp_path / "x.mat").write_text(RECORD, encoding="utf-8")
        ended = commands.run("export", tmp_path / "x.mat", "-o", first, "--candidates", second)
        assert (ended.exit_code, "y.csv exists: use --force" in ended.stderr) == (2, True)
        assert {path.name: path.read_text() for path in tmp_path.glob("*.csv")} == {"y.csv": "theirs"}


class TestCommand:
    def test_candidates(self, tmp_path: Path) -> None:
        analyzed, file = DATA.parent / "analysis" / "gnubg-bglab", tmp_path / "x.csv"
        done = commands.run("export", analyzed, "--candidates", file)
        assert (done.exit_code, done.stdout) == (0, "")
        assert f"{len(read(file, CANDIDATES)):,} candidates of 2 matches written to " in done.stderr
        again = commands.run("export", analyzed, "-o", tmp_path / "y.csv", "--candidates", file)
        assert (again.exit_code, "x.csv exists: use --force" in again.stderr) == (2, True)
        assert [path.name for path in tmp_path.iterdir()] == ["x.csv"]
        both = commands.run("export", analyzed, "--force", "-o", tmp_path / "y.jsonl", "--candidates", file)
        assert (both.exit_code, len(read(tmp_path / "y.jsonl")) > 20) == (0, True)

    def test_no_table(self, tmp_path: Path) -> None:
        ended = commands.main("export", DATA)
        assert ended == (2, b"", "Error: name a file with -o, with --candidates or with both\n")
        (tmp_path / "file").touch()
        files = tmp_path / "some" / "where" / "x.csv", tmp_path / "file" / "y.csv"
        ended = commands.main("export", DATA, "-o", files[0], "--candidates", files[1])
        assert ended == (2, b"", f"Error: {files[0]} and {files[1]} cannot be written: File exists\n")
        assert list(tmp_path.iterdir()) == [tmp_path / "file"]

    @pytest.mark.parametrize(("option", "rows"), [([], 86), (["--unique"], 86), (["--unique-games"], 75)])
    def test_a_game_that_is_there_twice(self, tmp_path: Path, option: list[str], rows: int) -> None:
        texts = DATA.parent / "analysis" / "gnubg"
        for name in ("match7662222_1ply_002.txt", "match7662222_1ply_003.txt", "match7662222_1ply_003_mwc.txt"):
            shutil.copy(texts / name, tmp_path)
        done = commands.run("export", tmp_path, *option, "-o", tmp_path / "x.csv")
        assert (done.exit_code, len(read(tmp_path / "x.csv"))) == (0, rows), done.output

    @pytest.mark.parametrize("suffix", sorted(forms.FORMS))
    def test_a_folder_that_is_not_there(self, tmp_path: Path, suffix: str) -> None:
        """It is made, as by the other commands, and stays only if the table is written."""
        target = tmp_path / "some" / "where" / f"x{suffix}"
        assert commands.main("export", ROOT, "--workers", 257, "-o", target)[0] == 2
        assert commands.main("export", tmp_path, "-o", target)[0] == 2
        assert not target.parent.parent.exists()
        assert commands.main("export", PATHS[1], "-o", target)[0] == 0
        assert target.is_file()

    @pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
    @pytest.mark.parametrize("suffix", sorted(forms.FORMS))
    def test_a_full_disk(self, tmp_path: Path, suffix: str) -> None:
        (tmp_path / f"x{suffix}").write_text("the old table")
        with commands.full_disk(9_000):
            ended = commands.main("export", PATHS[1], "--force", "-o", tmp_path / f"x{suffix}")
        assert ended == (2, b"", f"Error: {tmp_path / f'x{suffix}'} cannot be written: File too large\n")
        assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(f"x{suffix}", "the old table")]


@each.first("suffix", ["ogxm", "json", "sgf"])
def test_what_counts_in_error_rates_counts_in_the_table(tmp_path: Path, suffix: str) -> None:
    """Also where another format has the errors that eXtreme Gammon states."""
    path = tmp_path / f"copy.{suffix}"
    dump(load(DATA / "xg" / "charlot1-charlot2_7p_2025-11-08-2305.xg"), path)
    counted = Counter(row["player"] for row in to_table(path, workers=1).to_pylist() if row["counts_xg"])
    assert counted == {name: rate.decisions for name, rate in error_rates([load(path)]).items()}
    assert counted.total() > 160


def test_no_game_is_rebuilt() -> None:
    """The rows are made of the games of the match, also if nobody has replayed them yet."""
    match = load(ANALYSES / "gnubg" / "match7662222_1ply.sgf")
    for read in (match, attrs.evolve(match, games=tuple(map(attrs.evolve, match.games)))):
        facts = facts_of_games(scanning.with_played(scanning.ScanEntry("", read)))
        assert all(made.match is read and made.game is game for made, game in zip(facts, read.games, strict=True))
        assert all(made.analyses for made in facts)
