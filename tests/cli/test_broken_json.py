"""A stranger's JSON record with what the rules forbid, or nobody can read, takes neither commands nor others down."""

from __future__ import annotations

import json
import shutil
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
import pytest

import commands
import each
from gammonrules.cli.app import app
from gammonrules.json import to_data
from gammonrules.records import Match, dumps, load
from real_records import loaded

DATA = Path(__file__).parents[1] / "data"
ANALYZED = DATA / "analysis" / "gnubg" / "match7662222_1ply.sgf"
"""Four games, three of which are broken here, each in a file of its own."""
BROKEN: dict[str, tuple[int, Any]] = {
    "illegal play": (1, "8/4 1/11"),
    "unreadable play": (2, "two checkers down"),
    "illegal action": (3, None),
}
"""The index of the game, and what takes the place of its last play: another play, or a take without a double."""
FINDINGS = {"illegal play": "illegal-play", "unreadable play": "unreadable-line", "illegal action": "illegal-action"}
ROW = 7
REST_LEFT_OUT = "the rest of the game cannot be replayed or written, so it is left out (game 1)"
TABLES = pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs the extra tables")
WITH_RECORDS = "analyze cards convert export find openings referee report view".split()
WITHOUT_RECORDS = "arena bearoff bench conform evaluate examples hypergammon perft plays show".split()


def broken(kind: str, *, short: bool = False) -> dict[str, Any]:
    """A game as JSON whose sixth play or last is none, or whose second is, with rows and without lines."""
    match = loaded(ANALYZED)
    index, argument = BROKEN[kind]
    game = attrs.evolve(match.games[index], number=1, line=None, lines=(), stated=None)
    game = attrs.evolve(game, rows=(ROW,) * len(game.events))
    data: dict[str, Any] = to_data(attrs.evolve(match, games=(game,), format="json", stated_rolls=None))
    (written,) = data["games"]
    plays = [event for event in written["events"] if event.get("action") == "play"][:6]
    play = plays[1] if short else plays[-1]
    end = written["events"].index(play) + (1 if short else 4)
    del written["events"][end:], written["rows"][end:]
    written["analyses"] = [] if short else written["analyses"][:end]
    play.update({"argument": argument} if argument else {"action": "take", "argument": None})
    return data


def words(kind: str) -> str:
    """How commands name what was broken."""
    argument = BROKEN[kind][1]
    return repr(f"play {argument}" if argument else "take")


@cache
def texts() -> dict[str, str]:
    """A good record, and one of each kind."""
    good = loaded(ANALYZED)
    good_text = dumps(attrs.evolve(good, games=good.games[:1]), "json")
    return {"good": good_text} | {kind: json.dumps(broken(kind)) for kind in BROKEN}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """These records."""
    records = tmp_path / "records"
    records.mkdir()
    for name, text in texts().items():
        (records / f"{name}.json").write_text(text)
    return records


def named(folder: Path, kind: str) -> str:
    place = folder / f"{kind}.json"
    return f"{place}: game 1 is cut off in row {ROW}, {words(kind)}: what follows in it does not count"


def names_all(folder: Path, stderr: str) -> bool:
    """Whether each broken game is named once, and nothing is said to be a mistake of ours."""
    lines = stderr.splitlines()
    assert "please report" not in stderr
    return sorted(line for line in lines if "cut off" in line) == sorted(named(folder, kind) for kind in BROKEN)


def test_no_command_is_forgotten() -> None:
    """A new one that takes records belongs into this file."""
    assert app.list_commands(None) == sorted(WITH_RECORDS + WITHOUT_RECORDS)  # type: ignore[arg-type]


def test_referee(folder: Path) -> None:
    ended = commands.run("referee", folder, "--json")
    assert (ended.exit_code, ended.stderr) == (1, "")
    by_name = {Path(line["file"]).stem: line for line in map(json.loads, ended.stdout.splitlines())}
    assert by_name.keys() == {"good", *BROKEN}
    for kind in BROKEN:
        (error,) = [finding for finding in by_name[kind]["findings"] if finding["severity"] == "error"]
        assert (error["kind"], error["game"], error["row"]) == (FINDINGS[kind], 1, ROW)
        assert error["explanation"].endswith("; the rest of this game is not replayed")


@pytest.mark.parametrize("kind", BROKEN)
def test_view(folder: Path, kind: str, tmp_path: Path) -> None:
    ended = commands.run("view", folder / f"{kind}.json", "-o", tmp_path / "x.html")
    assert (ended.exit_code, ended.stderr.splitlines()) == (0, [named(folder, kind)])
    assert "the rest of this game is not replayed" in (tmp_path / "x.html").read_text()


@pytest.mark.parametrize("suffix", ["mat", "sgf", "ogxm"])
def test_convert(folder: Path, suffix: str, tmp_path: Path) -> None:
    refused = commands.run("convert", folder, tmp_path / "out", "--to", suffix)
    assert (refused.exit_code, commands.files_in(tmp_path / "out")) == (2, [f"good.{suffix}"])
    shortened = commands.run("convert", folder, tmp_path / "short", "--to", suffix, "--shorten")
    assert (shortened.exit_code, len(commands.files_in(tmp_path / "short"))) == (0, 4)
    for kind in BROKEN:
        record = folder / f"{kind}.json"
        assert f"{record}: game 1 cannot be written: part of it could not be replayed" in refused.stderr
        assert f"{record}: {REST_LEFT_OUT}" in shortened.stderr
    assert "please report" not in refused.stderr + shortened.stderr


def test_convert_to_json(folder: Path, tmp_path: Path) -> None:
    """What is left out there is named as well."""
    ended = commands.run("convert", folder, tmp_path / "out", "--to", "json")
    assert (ended.exit_code, len(ended.stderr.splitlines())) == (0, len(BROKEN))
    for kind in BROKEN:
        assert f"{folder / kind}.json: {REST_LEFT_OUT}" in ended.stderr.splitlines()
        again = load(tmp_path / "out" / f"{kind}.json")
        assert (again.games[0].cut, again) == (True, load(folder / f"{kind}.json"))


@each.first("command", ["export", "view", "cards", "export --unique-games", "report"], of_these=2)
def test_a_game_is_named_by_its_number_in_the_file(tmp_path: Path, command: str) -> None:
    """Also where the other games are in a file read before, and do not count again."""
    match = loaded(ANALYZED)
    data: dict[str, Any] = to_data(attrs.evolve(match, games=match.games[:3], format="json", stated_rolls=None))
    *_, play = [event for event in data["games"][2]["events"] if event.get("action") == "play"]
    play["argument"] = "8/4 1/11"
    shutil.copy(ANALYZED, tmp_path / "a.sgf")
    (tmp_path / "b.json").write_text(json.dumps(data))
    name, *options = command.split()
    record = tmp_path / "b.json" if name == "view" else tmp_path
    output = tmp_path / ("x.csv" if name == "export" else "x.html")
    ended = commands.run(name, record, *options, "-o", output)
    assert ended.exit_code == 0
    assert f"{tmp_path / 'b.json'}: game 3 is cut off" in ended.stderr


@pytest.mark.parametrize("command", ["export", "report"])
def test_export_and_report(folder: Path, command: str, tmp_path: Path) -> None:
    ended = commands.run(command, folder, "-o", tmp_path / ("x.csv" if command == "export" else "x.html"))
    assert (ended.exit_code, names_all(folder, ended.stderr)) == (0, True)


@TABLES
def test_pages_of_a_report(folder: Path, tmp_path: Path) -> None:
    ended = commands.run("report", folder, "-o", tmp_path / "set", "--pages")
    assert (ended.exit_code, names_all(folder, ended.stderr)) == (0, True)
    assert len(commands.files_in(tmp_path / "set" / "matches")) == 4


@TABLES
@pytest.mark.parametrize("arguments", ["find|error >= 0|TABLE|-o|PAGE", "openings|TABLE|-o|PAGE"])
def test_find_and_openings(folder: Path, arguments: str, tmp_path: Path) -> None:
    places = {"TABLE": folder, "PAGE": tmp_path / "x.html"}
    ended = commands.run(*[places.get(argument, argument) for argument in arguments.split("|")])
    assert (ended.exit_code, names_all(folder, ended.stderr)) == (0, True)


def test_cards(folder: Path, tmp_path: Path) -> None:
    ended = commands.run("cards", folder, "-o", tmp_path / "x.apkg")
    assert (ended.exit_code, names_all(folder, ended.stderr)) == (0, True)


def test_analyze(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of short games, whose second play is broken."""
    for kind in BROKEN:
        (folder / f"{kind}.json").write_text(json.dumps(broken(kind, short=True)))
    (folder / "good.json").write_text("5 point match\n Game 1\n A : 0  B : 0\n  1) 31: 8/5 6/5\n")
    ended = commands.run("analyze", folder, "-o", tmp_path / "out", "--workers", 1, "--level", 1)
    assert (ended.exit_code, names_all(folder, ended.stderr)) == (0, True)
    assert len(commands.files_in(tmp_path / "out")) == 4


def test_members_of_an_archive(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "all.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for record in folder.iterdir():
            file.write(record, record.name)
    shutil.rmtree(folder)
    ended = commands.run("export", archive, "-o", tmp_path / "x.csv")
    assert (ended.exit_code, names_all(archive, ended.stderr)) == (0, True)


@TABLES
def test_texts_that_no_file_can_hold(tmp_path: Path) -> None:
    """A lone half of a pair of surrogates in all texts, and numbers beyond all bounds."""
    data = to_data(attrs.evolve(loaded(ANALYZED), games=loaded(ANALYZED).games[:1]))
    record = tmp_path / "x.json"
    record.write_text(json.dumps(spoiled(data)))
    for arguments in (
        ("export", record, "-o", tmp_path / "x.parquet", "--candidates", tmp_path / "y.parquet"),
        ("convert", record, tmp_path / "x.ogxm"),
        ("convert", record, tmp_path / "x.sgf"),
        ("view", record, "-o", tmp_path / "x.html"),
        ("report", record, "-o", tmp_path / "report.html"),
        ("cards", record, "-o", tmp_path / "x.apkg"),
    ):
        ended = commands.run(*arguments)
        assert (ended.exit_code, "please report" in ended.stderr) == (0, False), ended.stderr
    assert isinstance(load(tmp_path / "x.ogxm"), Match)


def spoiled(data: Any) -> Any:
    """The same analyses with plays, levels and engines that are none, and equities that are too large."""
    if isinstance(data, list):
        return [spoiled(item) for item in data]
    if not isinstance(data, dict):
        return data
    values = {name: spoiled(value) for name, value in data.items()}
    for name in ("play", "level", "engine"):
        if isinstance(values.get(name), str):
            values[name] += "\ud800"
    for name in ("equity", "luck", "double_take"):
        if isinstance(values.get(name), float):
            values[name] = 1e308
    return values
