"""Which copy of a match or game is kept: all games of a match as one engine analyzed them."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

import attrs
import pytest
from hypothesis import given, strategies as st

import commands
import each
from gammonrules.errors import ArgumentError
from gammonrules.records import Match, PlayAnalysis, dump, export, load, loads, scan, to_samples, to_table
from gammonrules.records.archive.scanning import Unique

pytestmark = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")

DATA = Path(__file__).parents[2] / "data"
Copies: TypeAlias = tuple[Path, Path]
Rows: TypeAlias = list[dict[str, Any]]
GAMES = """5 point match

 Game 1
 Ann : 0  Bob : 0
  1) 31: 8/5 6/5  62: 24/18 13/11
  2) Doubles => 2   Drops

 Game 2
 Ann : 1  Bob : 0
  1) 42: 8/4 6/4  62: 24/18 13/11
  2) Doubles => 2   Drops

 Game 3
 Ann : 2  Bob : 0
  1) 53: 8/3 6/3  62: 24/18 13/11
  2) Doubles => 2   Drops
"""
ENGINES = "A", "B", "C"


def engines_of(rows: Rows) -> dict[int, set[str]]:
    by_game: dict[int, set[str]] = {row["game"]: set() for row in rows}
    for row in rows:
        by_game[row["game"]] |= {row["engine"]} - {None}
    return by_game


@cache
def rows_of(path: Path) -> Rows:
    rows: Rows = to_table(path).to_pylist()
    return rows


class TestOneEngine:
    @each.first("unique, xg_first", [("game", False), ("match", True)])
    def test_a_match_has_the_numbers_of_one_copy(self, unique: Unique, xg_first: bool, by_gnubg_and_xg: Copies) -> None:
        """Of the engine that analyzed most decisions, or of the one that is asked for; nothing is left out for it."""
        gnubg, xg = by_gnubg_and_xg
        paths = by_gnubg_and_xg[:: -1 if xg_first else 1]
        chosen = to_table(paths, unique=unique)
        assert chosen.to_pylist() == rows_of(xg)
        assert json.loads(chosen.schema.metadata[b"other_engines"]) == []
        by_gnubg = to_table(paths, unique=unique, analyzed_by="gnubg").to_pylist()
        assert by_gnubg == rows_of(gnubg) == to_table(paths, unique=unique, analysis_level="2-ply").to_pylist()
        assert to_table(paths, unique=unique, analyzed_by="bgsage").to_pylist() == rows_of(xg)
        assert to_table(paths, unique=unique, analyzed_by="xg", analysis_level="2-ply").to_pylist() == rows_of(xg)

    def test_a_game_that_only_another_engine_has(self, tmp_path: Path, by_gnubg_and_xg: Copies) -> None:
        """The table and the command say so."""
        gnubg, xg = by_gnubg_and_xg
        match = load(xg)
        dump(attrs.evolve(match, games=match.games[:1]), tmp_path / "a.json")
        table = to_table(tmp_path / "a.json", gnubg, unique="game", analyzed_by="xg")
        assert engines_of(table.to_pylist()) == {3: {"eXtreme Gammon"}, 4: {"GNU Backgammon 1.08.003"}}
        others = [[str(gnubg), 2, "GNU Backgammon 1.08.003, 2-ply", "eXtreme Gammon"]]
        assert json.loads(table.schema.metadata[b"other_engines"]) == others
        done = export([tmp_path / "a.json", gnubg], tmp_path / "x.csv", unique="game", analyzed_by="xg")
        assert list(map(list, done.other_engines)) == others
        asked = "--unique-games", "--analyzed-by", "xg", "-o", tmp_path / "y.csv"
        said = commands.run("export", tmp_path / "a.json", gnubg, *asked).stderr.replace("\n", " ")
        assert "1 game not as the rest of the match: game 2 of " in said
        assert "GNU Backgammon 1.08.003, 2-ply" in said

    def test_two_levels_of_one_engine(self, tmp_path: Path) -> None:
        """Of two copies with a game each that is better analyzed, one is kept."""
        path, other = tmp_path / "b.sgf", tmp_path / "a.sgf"
        match = (DATA / "analysis" / "gnubg" / "match7662222_1ply.sgf").read_text(encoding="utf-8")
        games = match.split("(;")[:4]
        path.write_text("(;".join(games), encoding="utf-8")
        games[2] = games[2].replace("]DA[", "]XX[", 1)
        other.write_text("(;".join(games).replace(" 1C ", " 2C "), encoding="utf-8")
        for level, kept in ((None, path), ("2-ply", other)):
            table = to_table(other, path, unique="game", analysis_level=level)
            assert table.to_pylist() == rows_of(kept)
            assert json.loads(table.schema.metadata[b"other_engines"]) == []

    def test_engine_and_level_choose_among_copies(self, tmp_path: Path, by_gnubg_and_xg: Copies) -> None:
        gnubg, _ = by_gnubg_and_xg
        for asked in ({"analyzed_by": "gnubg"}, {"analysis_level": "2-ply"}):
            with pytest.raises(ArgumentError, match="add unique"):
                to_table(gnubg, **asked)
            with pytest.raises(ArgumentError, match="add unique"):
                list(scan(gnubg, **asked))
        ended = commands.run("export", gnubg, "--analyzed-by", "gnubg", "-o", tmp_path / "x.csv")
        assert (ended.exit_code, "--unique" in ended.stderr) == (2, True)
        for wrong in ({"analyzed_by": 5}, {"analysis_level": 5}):
            with pytest.raises(ArgumentError):
                to_table(gnubg, unique=True, **wrong)  # type: ignore[call-overload]

    def test_samples_are_those_of_the_engine_that_is_asked_for(self, by_gnubg_and_xg: Copies) -> None:
        """The other engine has a decision more."""
        gnubg, _ = by_gnubg_and_xg
        asked: dict[str, Any] = {"analyzed_by": "gnubg", "analysis_level": ["0-ply", "2-ply"]}
        assert len(to_samples(by_gnubg_and_xg, unique=True, **asked)) == len(to_samples(gnubg, **asked)) > 50


@cache
def _match() -> Match:
    return loads(GAMES)


Copy: TypeAlias = dict[int, list[str | None]]
"""By the index of a game, who analyzed each of its two plays."""
_PLAYS = st.lists(st.sampled_from([*ENGINES, *ENGINES, None]), min_size=2, max_size=2)
_GAME = st.one_of(st.sampled_from(ENGINES).map(lambda engine: [engine, engine]), _PLAYS)
COPIES = st.lists(st.dictionaries(st.integers(0, 2), _GAME, min_size=2), min_size=1, max_size=4)


def match_of(copy: Copy) -> Match:
    games = []
    for index in sorted(copy):
        game, by = _match().games[index], iter(copy[index])
        is_play = [decision.index for decision in game.decisions() if decision.kind.value == "play"]
        analyses = [next(by) if at in is_play else None for at in range(len(game.events))]
        judged = tuple(None if engine is None else PlayAnalysis((), None, 0.5, engine=engine) for engine in analyses)
        games.append(attrs.evolve(game, analyses=judged))
    return attrs.evolve(_match(), games=tuple(games))


def engine_of(copies: list[Copy]) -> list[str]:
    """The engines, by most games, then most decisions, then the first read."""
    numbers = [{game: Counter(filter(None, by)) for game, by in copy.items()} for copy in copies]
    read = [*dict.fromkeys(chain.from_iterable(by for copy in numbers for _, by in sorted(copy.items())))]
    games, decisions = Counter[str](), Counter[str]()
    for game in range(3):
        for engine in read:
            most = max(copy.get(game, Counter())[engine] for copy in numbers)
            games[engine] += most > 0
            decisions[engine] += most
    return sorted(read, key=lambda engine: (-games[engine], -decisions[engine], read.index(engine)))


@given(COPIES)
def test_rows_of_one_match_have_one_engine(copies: list[Copy]) -> None:
    """Whenever a copy with it has the game; and the rows of a game are those of one copy."""
    matches = [match_of(copy) for copy in copies]
    rows: Rows = to_table(matches, unique="game").to_pylist()
    engines, by_game = engine_of(copies), engines_of(rows)
    assert set(by_game) == {game + 1 for copy in copies for game in copy}
    tables: list[Rows] = [to_table(match).to_pylist() for match in matches]
    for number, analyzed_by in by_game.items():
        there = [{*filter(None, copy[number - 1])} for copy in copies if number - 1 in copy]
        first = next((engine for engine in engines if any(engine in by for by in there)), None)
        assert analyzed_by == ({first} if {first} in there else analyzed_by)
        assert first is None or first in analyzed_by
        of_game = [row for row in rows if row["game"] == number]
        every = [[row for row in table if row["game"] == number] for table in tables]
        ours = {"file", "match"}
        assert [{key: row[key] for key in row if key not in ours} for row in of_game] in [
            [{key: row[key] for key in row if key not in ours} for row in some] for some in every
        ]
