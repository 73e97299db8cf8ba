"""Every hint that a command prints: typed as it is printed, it does what it promises."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from pathlib import Path

import attrs
import pytest

import commands
import loop
from gammonrules import Position
from gammonrules.cli import bearoff
from gammonrules.json import dumps
from gammonrules.records import dump
from real_records import loaded

XG = Path(__file__).parents[3] / "examples" / "matches" / "xg" / "test.xg"
FEW = "2 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11\n"
OTHER = FEW.replace("31: 24/23 6/3", "31: 8/5 6/5")
PLAYERS = ("lasse", "Eva"), ("Lasse", "-x"), ("Lasse M.", "Eva")
BORNE_OFF = Position.of(mine={2: 15}, theirs={1: 15}).id
WITH_SCORE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10"
WITH_CUBE = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:0:10"
ENGINE = "--engine selftaught"
EVALUATE = f"evaluate {ENGINE}"
ANALYZE = "{hint} few -o out --engine selftaught --level 1"
OF_FEW = "analyze few -o out --level 1"
OF_ANOTHER = "analyze other -o full --level 1 --engine selftaught"
BY_SELFTAUGHT = f"report few {{hint}} {ENGINE}"
TWO_SAME = "--alias lasse Lasse --alias lasse 'Lasse M.'"
ROWS = (  # a piece of the message, the command that prints it, what it recommends, and the command with that
    ("perhaps one player: --alias", "report game --player lasse", "player: (.*)", "{command} {hint}"),
    ("perhaps one player: --alias", "report game --player 'Lasse M.'", "player: (.*)", "{command} {hint}"),
    ("perhaps one player: --alias", "report game", "player: (--alias.*)", "{command} {hint}"),
    ("perhaps one player: --alias", "report game", "player: (--alias.*)", "{command} {hint} --player lasse"),
    ("perhaps one player: --alias", f"analyze names -o out {ENGINE}", "player: (.*)", "{command} {hint}"),
    ("if all are one player", f"report game {TWO_SAME}", "once, or (.*) if", "report game {hint}"),
    ("A report of one player: --player NAME", "report game", "ions  (.*)", "{command} --player='{hint}'"),
    ("did you mean", "report game --player lass", "(?:mean|or) ('.+?')", "report game --player {hint}"),
    (" is an option: --analyze DIR", "report few --analyze --level", "(--analyze DIR)", BY_SELFTAUGHT),
    ("; to have selftaught judge", "analyze few -o out", "(--engine selftaught)", "{command} {hint}"),
    ("name an engine with --engine, or", f"{OF_FEW} --to sgf", "(--engine),", "{command} {hint} selftaught"),
    ("name an engine with --engine, or", f"{OF_FEW} --to sgf", "(--to json)", "{command} {hint} --engine selftaught"),
    ("use another DIR; gammonrules analyze", OF_ANOTHER, "(--force)", "{command} {hint}"),
    ("use another DIR; gammonrules analyze", OF_ANOTHER, "another (DIR)", "{command} -o {hint}"),
    (" exists: use --force", "export few -o table.csv", "(--force)", "{command} {hint}"),
    (" exists: use --force", "convert few/a.mat table.csv --to json", "(--force)", "{command} {hint}"),
    ("names no format: use --to", "convert few/a.mat out", '"([a-z]+)"', "{command} --to {hint} --force"),
    ("name a file with -o, with --candidates", "export game", "with (-o),", "{command} {hint} out.csv"),
    ("name a file with -o, with --candidates", "export game", "(--candidates)", "{command} {hint} out.csv"),
    ("; --unique-games counts each game", "export game -o out.csv", "; (--[a-z-]+)", "{command} {hint} --force"),
    ("or more: a smaller --error asks", "cards game -o out.apkg --error 2.9", "(--error)", "{command} {hint} 0.01"),
    ("none by this engine at this level: gammonrules", "cards few -o out.apkg", "gammonrules (analyze)", ANALYZE),
    ("no cube is analyzed: gammonrules", "view few/a.mat -o out.html --matrix", "gammonrules (analyze)", ANALYZE),
    ("gammonrules export makes tables", "find 'dice = 31' empty", "gammonrules (export)", "{hint} game -o x.parquet"),
    ("gammonrules export writes", "find 'dice = 31' table.csv", "gammonrules (export)", "{hint} game -o x.parquet"),
    (" --limit ", f"{EVALUATE} 4HPwATDgc/ABMA --plays 3", "(--limit 3)", f"{EVALUATE} 4HPwATDgc/ABMA {{hint}}"),
    (": leave out --away and --cube", f"{EVALUATE} {WITH_SCORE} --away 4-2", "leave( )out", f"{EVALUATE} {WITH_SCORE}"),
    (": leave out --cube", f"{EVALUATE} {WITH_CUBE} --cube 4", "leave( )out", f"{EVALUATE} {WITH_CUBE}"),
    ("a position is not a match: gammonrules", "view position.json", "gammonrules (show)", "{hint} position.json"),
    ("this is a match, which gammonrules", "show few/a.mat", "gammonrules (view)", "{hint} few/a.mat -o out.html"),
    ("make one-sided --points", f"bearoff show {BORNE_OFF}", "gammonrules (.*?);", "{hint}"),
    ("; then add --table FILE", f"bearoff show {BORNE_OFF}", "gammonrules (.*?);", "{hint} && {command} --table FILE"),
)
WITH_BGSAGE = ": add --analyze", "report few -o out.html", "(--analyze .*)", "{command} {hint} --level 1"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some games under many names, analyzed, one of them twice; others that nobody has analyzed; and a table."""
    folder = tmp_path_factory.mktemp("hints")
    for name, text in ("few", FEW), ("other", OTHER), ("names", FEW):
        (folder / name).mkdir()
        (folder / name / "a.mat").write_text(text)
    (folder / "names" / "b.mat").write_text(OTHER.replace("Ann", "ann"))
    (folder / "game").mkdir()
    (folder / "empty").mkdir()
    for number, players in enumerate([*PLAYERS, PLAYERS[0]]):
        match = loaded(XG)
        games = match.games[number % 3 : number % 3 + 1]
        dump(attrs.evolve(match, players=players, games=games), folder / "game" / f"{number}.json")
    (folder / "position.json").write_text(dumps(Position.start()))
    (folder / "table.csv").touch()
    (folder / "empty" / "notes.txt").write_text("no record")
    assert commands.run("analyze", folder / "few", "-o", folder / "full", "--engine", "selftaught").exit_code == 0
    return folder


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is asked of bgsage, and a table of bear-offs that is computed in no time counts as large."""
    monkeypatch.setitem(sys.modules, "bgsage", None)
    monkeypatch.setattr("gammonrules.engine._factory.installed", lambda: "")
    monkeypatch.setattr(bearoff, "_MAX_LAYOUTS_ONE_SIDED", 1)
    commands.in_this_process(monkeypatch)


@pytest.mark.usefixtures("quick")
@loop.rows("piece, command, recommended, then", *ROWS)
def test_as_it_is_printed(piece: str, command: str, recommended: str, then: str, records: Path, tmp_path: Path) -> None:
    folder = tmp_path / str(ROWS.index((piece, command, recommended, then)))
    shutil.copytree(records, folder)
    check_hints(folder, piece, command, recommended, then)


@pytest.mark.usefixtures("quick")
@loop.rows("options", "", "--player lasse", "--player Lasse", "--player 'Lasse M.'")
def test_all_hints_together(options: str, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Typed together, the hints about the spellings of a name make one player of them, with the name asked for."""
    monkeypatch.chdir(records)
    page = tmp_path / "page.html"
    command = [*shlex.split(f"report game {options}"), "-o", page, "--force"]
    hints = re.findall("player: (--alias.*)", commands.run(*command).output)
    after = commands.run(*command, *shlex.split(" ".join(hints)))
    assert (len(hints), after.exit_code, "--alias" in after.output) == (2, 0, False), after.output
    told = after.output + page.read_text(encoding="utf-8")
    alike = {name for name, _ in PLAYERS if f"decisions  {name}\n" in told or f"<title>{name}:" in told}
    assert alike == {shlex.split(options)[-1] if options else "Lasse M."}


@pytest.mark.usefixtures("here")
def test_what_an_analysis_takes(records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    check_hints(records, *WITH_BGSAGE)


def check_hints(folder: Path, piece: str, command: str, recommended: str, then: str) -> None:
    """The command prints hints; with each of them it ends well, and does not print the same one again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        printed = commands.run(*shlex.split(command)).output
        hints = re.findall(recommended, printed)
        assert (piece.strip() in printed, hints != []) == (True, True), printed
        for hint in hints:
            for line in then.format(command=command, hint=hint).split(" && "):
                after = commands.run(*shlex.split(line))
                assert after.exit_code == 0, (line, after.output)
                assert f"player: {hint}\n" not in after.output, line
