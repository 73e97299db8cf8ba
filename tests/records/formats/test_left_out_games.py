"""A game that is left out has no place in `Match.games`: findings about the others lead to the right ones."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import xg_files
from click.testing import CliRunner

import loop
from gammonrules.cli.app import app
from gammonrules.records import FindingKind, dumps, loads, loads_all, referee

IMPOSSIBLE = "no game can start"
MAT = """ 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 62: ????
      Wins 1 point

 Game 2
 Ann : 7                         Bob : 0
  1) 31: 8/5 6/5

 Game 3
 Ann : 1                         Bob : 0
  1) 31: 8/5 6/5
"""


def sgf() -> str:
    possible = dumps(loads(MAT.replace("Ann : 7", "Ann : 1")), "sgf")
    trees = re.split(r"(?m)^(?=\(;)", possible)[1:]
    return "".join([trees[0], trees[1].replace("[ws:1]", "[ws:7]"), trees[2]])


def xg() -> bytes:
    match = loads(MAT.replace("Ann : 7", "Ann : 1"))
    records = xg_files.records_of(match)
    second = [record for record in records if record[8] == 1][1]
    xg_files.put(second, 12, "2i", 7, 0)
    return xg_files.pack(records)


def gnubg_text() -> str:
    """Three games without their numbers, since the scores do not go on."""
    names = [f"tests/data/analysis/gnubg/match7662222_1ply{part}.txt" for part in ("", "_002", "_003")]
    texts = [re.sub(r"after \d games?", "", Path(name).read_text(encoding="utf-8")) for name in names]
    texts[1] = re.sub(r"(?<=Match ID   : )\S+", with_seven_points, texts[1])
    return "".join(texts)


def with_seven_points(match_id: re.Match[str]) -> str:
    number = int.from_bytes(base64.b64decode(match_id[0]), "little") | 7 << 36
    return base64.b64encode(number.to_bytes(9, "little")).decode()


FILES: dict[str, tuple[Callable[[], str | bytes], FindingKind, tuple[int, ...]]] = {
    "mat": (lambda: MAT, FindingKind.UNFINISHED_GAME, (1, 3)),
    "sgf": (sgf, FindingKind.UNFINISHED_GAME, (1, 3)),
    "xg": (xg, FindingKind.UNFINISHED_GAME, (1, 3)),
    "gnubg-text": (gnubg_text, FindingKind.SCORE_DOES_NOT_FOLLOW, (1, 2)),
}


@pytest.mark.parametrize("name", FILES)
def test_findings_count_the_games_that_are_there(name: str, tmp_path: Path) -> None:
    file, kind, numbers = FILES[name]
    content = file()
    match = loads(content)
    assert (match.format, tuple(game.number for game in match.games)) == (name, numbers)
    findings = referee(match)
    (left_out,) = [finding for finding in findings if IMPOSSIBLE in finding.explanation]
    assert left_out.game is None
    later = [finding for finding in findings if finding.kind is kind and finding is not left_out]
    assert [finding.game for finding in later] == [2]
    assert match.games[1].line is not None
    assert all(finding.line is not None and finding.line >= match.games[1].line for finding in later)

    path = tmp_path / "match"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    shown = json.loads(CliRunner().invoke(app, ["referee", "--json", str(path)]).stdout)
    assert [entry.get("game") for entry in shown["findings"]] == [finding.game for finding in findings]


def test_what_is_wrong_inside_a_game_that_is_left_out_belongs_to_no_game() -> None:
    match = loads(MAT.replace("\n\n Game 3", "\n  1) 62: 24/18 13/11\n\n Game 3"))
    assert [finding.game for finding in match.findings if finding.kind is FindingKind.REPEATED_ROW_NUMBER] == [None]


def test_what_is_wrong_in_the_second_match_of_a_file_belongs_to_a_game_of_it() -> None:
    games = "".join(f"(;GM[6]MI[length:3][game:0]PW[{name}]PB[x];W[66])" for name in "ab")
    for match in loads_all(games):
        assert {finding.game for finding in referee(match)} == {1}


@loop.rows(("stated", "numbers"), ((0, 1, 2), (1, 2, 3)), ((0, 4), (1, 5)), ((3, 4), (3, 4)), ((2, 1), (2, 1)))
def test_games_of_sgf_count_from_0_if_one_does_and_falling_numbers_alone_begin_no_match(
    stated: tuple[int, ...], numbers: tuple[int, ...]
) -> None:
    games = [
        f"(;GM[6]MI[length:9][game:{number}][ws:{points}]PW[a]PB[b];W[31hefe];RE[W+1])"
        for points, number in enumerate(stated)
    ]
    assert tuple(game.number for game in loads("".join(games)).games) == numbers
