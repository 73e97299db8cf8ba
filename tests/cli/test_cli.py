"""The command: verdicts, JSON, exit status, and input that is not what it should be."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import sys
import threading
import weakref
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import pytest
from click.testing import _NamedTextIOWrapper
from jsonschema import Draft202012Validator
from rich.cells import cell_len
from rich.console import Console

import gammonrules.cli
import gammonrules.cli.app
import loop
import processes
from commands import PROGRAM, main, refused, run
from gammonrules._shared import extras
from gammonrules._shared.disk_files import new_file
from gammonrules.board import perft_counts
from gammonrules.cli import verdict, verdict_lines
from gammonrules.cli.app import app
from gammonrules.match import MatchState, Player
from gammonrules.records import load, to_html
from gammonrules.records.archive.source_files import Source

MATCHES = Path(__file__).parents[1] / "data" / "matches"
EXAMPLES = Path(__file__).parents[2] / "examples" / "matches"
CLEAN = MATCHES / "galaxy" / "match1033650.txt"
WARNED = MATCHES / "endings" / "match7707286.txt"
SCHEMA = Path(__file__).parents[2] / "docs" / "reference" / "referee.schema.json"
SHORT = EXAMPLES / "positions" / "money-jacoby_double-take.txt"


def run_json(*paths: object) -> tuple[int, list[dict[str, object]]]:
    result = run("referee", "--json", *paths)
    entries = [json.loads(line) for line in result.stdout.splitlines()]
    for entry in entries:
        Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(entry)
    return result.exit_code, entries


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.mat"
    path.write_bytes(CLEAN.read_bytes().replace(b"61: 13/7 8/7\n", b"61: 13/7 8/6\n", 1))
    return path


class TestReferee:
    def test_examples(self) -> None:
        folders = [path for path in EXAMPLES.iterdir() if path.is_dir() and path.name != "bot-money"]
        result = run("referee", *folders)
        assert result.exit_code == 0
        files = [path for folder in folders for path in folder.iterdir()]
        assert len(files) >= 17
        assert all(path.name in result.stdout for path in files)
        assert f"\n{len(files)} records: {len(files) - 4} matches, 1 copy, 3 without a play\n" in result.stdout
        assert f"\n{len(files)} records, 1 of them without some games: 0 errors, " in result.stdout

    def test_verdict_of_a_clean_match(self) -> None:
        lines = run("referee", CLEAN).stdout.splitlines()
        assert lines[0].split() == ["score", "match", "games", "rolls", "findings", "players", "file"]
        assert lines[1].split() == ["7-4", "to", "7", "7", "279", "none", "lasse", "-", "gitte", str(CLEAN)]
        assert lines[2:] == ["1 match: 0 errors, 0 warnings, 0 info"]

    def test_findings_below_their_file(self) -> None:
        """Editors and terminals know `path:line: ...` at the beginning of a line."""
        lines = run("referee", WARNED).stdout.splitlines()
        assert lines[1].split()[:6] == ["0-5", "to", "5", "2", "27", "1"]
        assert lines[2] == f"{WARNED}:37: warning: forfeit, game 2, row 2"
        assert lines[3].startswith("    Black forfeits the game") or lines[3].startswith("    White forfeits the game")
        assert lines[4].startswith("    > ")
        assert lines[5] == ""

    @loop.rows(
        ("options", "findings", "counts"),
        ((), 4, "1 warning, 2 info"),
        (("--severity", "warning"), 1, "1 warning, 2 info"),
    )
    def test_severity(self, options: tuple[str, ...], findings: int, counts: str) -> None:
        """It is that of the findings shown; all are counted."""
        path = next((MATCHES / "studio").glob("MrPurple*"))
        printed = run("referee", *options, path).stdout
        assert printed.count(f"{path}:") == findings - (not options)
        assert counts in printed
        _, (verdict,) = run_json(*options, path)
        assert len(verdict["findings"]) == findings - (not options)

    def test_summary(self) -> None:
        printed = run("referee", "--summary", MATCHES / "broken").stdout.splitlines()
        rows = [line.split() for line in printed]
        assert rows[0] == ["findings", "files", "severity", "kind"]
        assert ["6", "3", "error", "illegal-action"] in rows
        assert sum(int(row[0]) for row in rows[1:-1] if row[2] == "error") == 14
        assert printed[-1].startswith("7 matches: 14 errors, 0 warnings, ")
        assert not any(".mat" in line for line in printed)

    def test_what_is_no_record_does_not_spoil_a_folder(self, tmp_path: Path, broken: Path) -> None:
        shutil.copy(CLEAN, tmp_path / "a.mat")
        broken.unlink()
        (tmp_path / "README.txt").write_text("These are records.", encoding="utf-8")
        (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n" + bytes(100))
        result = run("referee", tmp_path)
        assert result.exit_code == 0
        assert result.stdout.endswith("1 match: 0 errors, 0 warnings, 0 info; skipped, not records: 2\n")
        assert "README" not in result.stdout
        assert [entry["file"] for entry in run_json(tmp_path)[1]] == [str(tmp_path / "a.mat")]
        assert run("referee", tmp_path / "README.txt", CLEAN).exit_code == 2
        (tmp_path / "cut.xg").write_bytes((MATCHES / "xg" / "test.xg").read_bytes()[:5000])
        damaged = run("referee", tmp_path)
        assert (damaged.exit_code, "cut.xg" in damaged.stdout) == (2, True)

    def test_a_text_with_several_matches(self, tmp_path: Path) -> None:
        """Each has a line, and an object, of its own."""
        start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:"
        (tmp_path / "positions.txt").write_text(f"{start}7:10\n\n{start}5:10\n", encoding="utf-8")
        status, verdicts = run_json(tmp_path)
        assert (status, [entry["match_length"] for entry in verdicts]) == (0, [7, 5])
        assert "2 records: 0 errors" in run("referee", tmp_path).stdout

    @pytest.mark.long
    def test_the_same_on_all_processors(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """A whole archive, in the same order and words as in one process."""
        for number in range(13):
            for path in (CLEAN, WARNED):
                shutil.copy(path, tmp_path / f"{number:02}-{path.name}")
        (tmp_path / "README.txt").write_text("no record", encoding="utf-8")
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(2), raising=False)
        several = run("referee", tmp_path).stdout
        monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(1), raising=False)
        assert run("referee", tmp_path).stdout == several
        assert "26 records: 2 matches, 24 copies\n26 records: 0 errors, 13 warnings, 0 info; skipped" in several

    def test_exit_status_of_an_error(self, broken: Path) -> None:
        result = run("referee", CLEAN, broken)
        assert result.exit_code == 1
        assert f"{broken}:16: error: illegal-play, game 1, row 1\n" in result.stdout

    def test_json(self) -> None:
        status, (verdict,) = run_json(WARNED)
        (finding,) = verdict.pop("findings")
        assert status == 0
        assert list(verdict) == ["version", "file", "format", "match_length", "players", "games", "rolls", "score"]
        assert verdict == {
            "version": 1,
            "file": str(WARNED),
            "format": "mat",
            "match_length": 5,
            "players": ["lasse", "newbie"],
            "games": 2,
            "rolls": 27,
            "score": [0, 5],
        }
        assert set(finding) == {"severity", "kind", "game", "row", "text", "explanation", "line"}
        assert (finding["severity"], finding["kind"], finding["game"]) == ("warning", "forfeit", 2)
        assert (finding["row"], finding["line"]) == (2, 37)

    def test_json_of_money_play(self) -> None:
        status, (verdict,) = run_json(EXAMPLES / "bot-money")
        assert (status, verdict["match_length"], verdict["games"], verdict["rolls"]) == (0, 0, 100, 5260)


class TestBadInput:
    """One sentence each; the other files of the run are unaffected."""

    def check(self, path: Path, *words: str) -> None:
        status, verdicts = run_json(path, CLEAN)
        assert status == 2
        assert ["error" in entry for entry in verdicts] == [True, False]
        assert all(word in str(verdicts[0]["error"]) for word in words)
        assert str(path) not in str(verdicts[0]["error"])  # it stands before the sentence
        result = run("referee", path, CLEAN)
        assert result.exit_code == 2
        assert "279" in result.stdout
        assert "1 match: " in result.stdout

    @pytest.mark.parametrize("data", [b"garbage\n" * 100, b"x" * (33 * 1024 * 1024)], ids=["garbage", "33 MB"])
    def test_content(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "bad.mat"
        path.write_bytes(data)
        self.check(path, "holds no match" if len(data) < 1_000 else "larger than 32 MiB")

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="links and pipes of POSIX")
    @loop.rows("command", ("referee",), ("export", "-o", "x.csv"), ("convert", "out", "--to", "mat"))
    def test_what_cannot_be_opened(self, command: tuple[str, ...], here: Path) -> None:
        """In a folder it is skipped, with a sentence and the status of the rest; a file that is named must be one."""
        folder = here / f"of {command[0]}"
        folder.mkdir()
        (folder / "gone.mat").symlink_to("nowhere")
        os.mkfifo(folder / "pipe.mat")
        assert run(command[0], folder, *command[1:]).exit_code == 2  # nothing to read
        shutil.copy(WARNED, folder / "good.mat")
        result = run(command[0], folder, *command[1:])
        assert result.exit_code == 0
        for name in "gone.mat", "pipe.mat":
            assert name in result.stderr
            assert run(command[0], folder / name, *command[1:]).exit_code == 2

    @pytest.mark.parametrize("options", [(), ("--json",)])
    def test_a_mistake_of_ours_in_the_words(self, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        """An error of ours while a file is handled is caught, and the other files of the run are judged."""

        def fail(*_: object) -> None:
            raise ValueError("9" * 5000)

        monkeypatch.setattr(verdict_lines, "finding_lines", fail)
        monkeypatch.setattr(verdict.attrs, "asdict", fail)
        result = run("referee", *options, WARNED, CLEAN)
        assert result.exit_code == 2
        assert "please report this: ValueError: 999" in " ".join(result.stdout.split())
        assert "279" in result.stdout
        assert "9" * 300 not in result.stdout

    def test_hostile_names(self, tmp_path: Path) -> None:
        path = tmp_path / "evil [red]\x1b[31m.mat"
        path.write_bytes(CLEAN.read_bytes().replace(b"lasse :", b"[bold]x[/foo] \x1b]0;t\x07 :"))
        result = run("referee", path)
        assert result.exit_code == 0
        assert "\x1b" not in result.stdout
        assert "\x07" not in result.stdout
        assert "[bold]x[/foo]" in result.stdout

    @pytest.mark.skipif(os.name != "posix", reason="elsewhere all names are text")
    def test_undecodable_path(self, tmp_path: Path) -> None:
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.mat"))
        try:
            shutil.copy(CLEAN, path)
        except OSError:
            pytest.skip("this file system has no such names")
        assert run("referee", path).exit_code == 0
        for file, status in ((path, 0), (path.with_name("\udcfe.mat"), 2)):
            verdict = run("referee", "--json", file)
            assert verdict.exit_code == status
            assert json.loads(verdict.stdout)["file"].encode("utf-8").endswith(b".mat")  # no half characters

    @loop.rows(("path", "words"), ("", "empty"), ("a" * 300, "cannot be opened"), ("a\0b", "NUL"))
    def test_no_such_path_can_be(self, path: str, words: str) -> None:
        status, verdicts = run_json(path, CLEAN)
        assert (status, len(verdicts), verdicts[0]["file"]) == (2, 2, path)
        assert words in str(verdicts[0]["error"])
        assert verdicts[1]["rolls"] == 279
        assert run("referee", path, CLEAN).exit_code == 2

    def test_current_folder_is_gone(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        monkeypatch.chdir(folder)
        try:
            folder.rmdir()
        except OSError:
            pytest.skip("this system keeps the current folder")
        status, verdicts = run_json("x.mat", ".", CLEAN)
        assert status == 2
        assert ["error" in entry for entry in verdicts] == [True, True, False]

    def test_no_path(self) -> None:
        assert run("referee").exit_code == 2


class TestOnATerminal:
    def test_progress_bar(self, monkeypatch: pytest.MonkeyPatch) -> None:
        console = Console(force_terminal=True, width=80)
        files = [Source(str(CLEAN)), Source("a\0b"), Source("missing")]
        assert list(verdict_lines.with_progress("abc", files, console)) == ["a", "b", "c"]
        monkeypatch.setattr(verdict_lines, "LONG_RUN", 1)
        with console.capture() as capture:
            assert list(verdict_lines.with_progress("abc", files, console)) == ["a", "b", "c"]
        assert "Reading records" in capture.get()

    def test_colors(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("FORCE_COLOR", "1")
        monkeypatch.delenv("NO_COLOR", raising=False)
        assert "\x1b[" in run("referee", WARNED).stdout

    @pytest.mark.parametrize("columns", ["0", "20", "80", "\N{SUPERSCRIPT TWO}", "-5", "9" * 12])
    def test_any_width(self, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
        """A path that does not fit is shortened, but not where an editor should find it. No explanation is too wide."""
        with monkeypatch.context() as while_it_runs:  # pytest itself would write in this width
            while_it_runs.setenv("FORCE_COLOR", "1")
            for name in ("COLUMNS", "LINES"):
                while_it_runs.setenv(name, columns)
            printed = re.sub("\x1b\\[[0-9;]*m", "", run("referee", WARNED).stdout).splitlines()
        assert printed[1].split()[:8] == ["0-5", "to", "5", "2", "27", "1", "warning", *printed[1].split()[7:8]]
        assert f"{WARNED}:37: warning: forfeit, game 2, row 2" in printed
        assert printed[-1] == "1 match: 0 errors, 1 warning, 0 info"
        if columns in {"20", "80"}:
            assert all(len(line) <= int(columns) for line in printed[3:-1])
            assert " ".join("".join(printed[3:-2]).split()).startswith(("White forfeits", "Black forfeits"))
        if columns == "80":
            assert len(printed[1]) <= 80
            assert printed[1].endswith("match7707286.txt")

    @loop.rows(
        ("path", "width", "short"),
        ("matches/a.mat", 13, "matches/a.mat"),
        ("matches/a.mat", 12, "…/a.mat"),
        ("a/b/c.mat", 8, "…/c.mat"),
        ("in/abcdefghijklmnopqrst.mat", 12, "abcdef…t.mat"),
        ("in/" + "\N{CJK UNIFIED IDEOGRAPH-4E00}" * 20, 12, "一一一…一一"),
    )
    def test_shortened_paths(self, path: str, width: int, short: str) -> None:
        assert verdict_lines.shortened(path, width).replace(" ", "") == short
        assert cell_len(verdict_lines.shortened(path, width)) <= width

    def test_long_names(self, tmp_path: Path) -> None:
        path = tmp_path / "long.mat"
        path.write_text(CLEAN.read_text(encoding="utf-8").replace("lasse :", f"{'lasse' * 50} :"), encoding="utf-8")
        assert f"  {'lasse' * 4}las…  {path}\n" in run("referee", path).stdout

    @pytest.mark.long
    def test_without_a_locale(self, tmp_path: Path) -> None:
        """For which Python asks at its start."""
        shutil.copy(CLEAN, tmp_path / "\N{SNOWMAN}.mat")
        no_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        assert "279" in processes.run(*PROGRAM, "referee", tmp_path, env={**os.environ, **no_locale}).stdout


class TestShowAndPlays:
    START = "4HPwATDgc/ABMA"

    def test_show(self) -> None:
        result = run("show", self.START)
        assert result.exit_code == 0
        assert "167" in result.stdout

    def test_plays(self) -> None:
        lines = run("plays", self.START, "31").stdout.splitlines()
        assert len(lines) == 16
        assert lines[0].split()[-1] != self.START

    XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:0:0:7:10"

    def test_a_whole_table(self) -> None:
        for identifier in (self.XGID, MatchState.from_xgid(self.XGID).gnubg_id):
            shown = run("show", identifier)
            assert shown.exit_code == 0
            assert "Rolled 31" in shown.stdout
            assert "7 point match" in shown.stdout
            assert run("plays", identifier).stdout == run("plays", self.START, "31").stdout
            assert run("plays", identifier, "66").stdout == run("plays", self.START, "66").stdout

    def test_a_doubtful_table(self) -> None:
        result = run("show", "XGID=-b----E-C---eE---c-e----B-:1:1:-1:D:0:0:0:7:10")
        assert result.exit_code == 0
        assert "Cube offered at 4" in result.stdout
        assert result.stderr.startswith("Warning: XGID: the turn is read as that of the player who must answer")

    def test_a_doubled_table_of_a_converter(self) -> None:
        """`--doubled-turn responder` is that of `read`."""
        doubled, other = (f"XGID=-b----E-C---eE---c-e---B--:0:0:{turn}:D:0:0:0:7:10" for turn in ("1", "-1"))
        for command, *roll in ("show",), ("plays", "31"):
            shown = run(command, doubled, *roll).stdout
            assert run(command, other, *roll, "--doubled-turn", "responder").stdout == shown
            assert run(command, other, *roll).stdout != shown
        refused("show", doubled, "--doubled-turn", "taker", says="taker")

    @loop.rows("identifier", START, XGID.replace(":31:", ":00:"))
    def test_plays_without_a_roll(self, identifier: str) -> None:
        result = run("plays", identifier)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr == "Error: the identifier shows no dice: add a roll such as 31\n"

    def test_plays_as_json(self) -> None:
        listed = json.loads(run("plays", "--json", self.START, "3-1").stdout)
        assert (listed["id"], listed["roll"], len(listed["plays"])) == (self.START, "31", 16)
        assert set(listed["plays"][0]) == {"play", "id"}

    @loop.rows(
        "arguments",
        *(("show", "nonsense"), ("show", "\x00"), ("plays", START, "07"), ("plays", "x", "31"), ("perft", "x", 1)),
    )
    def test_bad(self, arguments: tuple[str, ...]) -> None:
        result = run(*arguments)
        assert result.exit_code == 2
        assert result.stderr.startswith("Error: ")


class TestPerft:
    START = "4HPwATDgc/ABMA"

    def test_table(self) -> None:
        result = run("perft", self.START, 2)
        assert result.exit_code == 0
        rows = [line.split() for line in result.stdout.splitlines()]
        assert rows == [["depth", "plays", "positions"], ["1", "447", "406"], ["2", "202782", "163706"]]
        assert result.stderr == ""

    def test_json(self) -> None:
        result = run("perft", "--json", self.START, 1)
        assert json.loads(result.stdout) == {"id": self.START, "checkers": 15, "plays": [447], "positions": [406]}
        assert result.stderr == ""

    def test_a_whole_table(self) -> None:
        assert run("perft", TestShowAndPlays.XGID, 1).stdout == run("perft", self.START, 1).stdout

    def test_progress_bar(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """On a terminal, beside the rows; with --json where errors go."""
        monkeypatch.setattr(_NamedTextIOWrapper, "isatty", lambda _: True)
        assert "Depth 1" in run("perft", self.START, 1).stdout
        as_json = run("perft", "--json", self.START, 1)
        assert "Depth 1" in as_json.stderr
        assert json.loads(as_json.stdout)["plays"] == [447]

    @loop.rows("columns", "30", "7")
    def test_narrow(self, columns: str) -> None:
        """However wide the terminal is, a row stays a line."""
        printed = run("perft", self.START, 1, COLUMNS=columns).stdout
        assert [line.split() for line in printed.splitlines()] == [["depth", "plays", "positions"], ["1", "447", "406"]]

    @loop.over("depth", ["0", "x", "1.5", "", "-1", "1_0", "+1", " 1", "\u0663", "\u00b2", "101", "9" * 5000])
    def test_no_depth(self, depth: str) -> None:
        result = run("perft", self.START, depth)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("Error: DEPTH: expected a whole number from 1 to 100, not '")
        assert result.stderr.count("\n") == 1
        assert len(result.stderr) < 110

    def test_options_in_any_place(self) -> None:
        for arguments in (
            (self.START, 1, "--json"),
            (self.START, "--json", 1),
            ("--json", "--", self.START, "0" * 5000 + "1"),
        ):
            assert json.loads(run("perft", *arguments).stdout)["plays"] == [447]
        for arguments in ((self.START, 1, "--jsn"), ("--jsn", self.START, -1)):
            refused("perft", *arguments, says="No such option")

    @pytest.mark.parametrize("options", [(), ("--json",)])
    def test_too_little_memory(self, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
        """What was counted before is printed."""

        def fail(_: object) -> None:
            raise MemoryError

        monkeypatch.setattr(perft_counts, "_last", fail)
        result = run("perft", *options, self.START, 2)
        assert (result.exit_code, result.stderr) == (2, "Error: the positions of depth 2 do not fit into memory\n")
        assert ("447" in result.stdout) == (not options)

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    def test_interrupted(self) -> None:
        """By Ctrl-C, on a terminal that gets its cursor back."""
        ours, its = os.openpty()
        command = [*PROGRAM, "perft", self.START, "9"]
        with (
            processes.running(*command, megabytes=1024, stdout=its) as running,
            os.fdopen(ours, encoding="utf-8") as screen,
        ):
            os.close(its)
            lines = iter(screen.readline, "")
            shown = "".join(takewhile(lambda line: "163706" not in line, lines))
            running.send_signal(signal.SIGINT)
            with suppress(OSError):  # what a terminal says on Linux when its last program has ended
                for line in lines:
                    shown += line
            _, errors = running.communicate(timeout=60)
        assert running.returncode == 130
        assert errors.strip() == "gammonrules: stopped"  # after the line on which ^C stands
        assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 1  # the cursor goes and comes back


class TestMain:
    def test_version_and_help(self) -> None:
        assert main("--version") == (0, f"gammonrules, version {gammonrules.__version__}\n".encode(), "")
        for option in ("-h", "--help"):
            assert "referee" in run(option).stdout

    @pytest.mark.parametrize("group", [(), ("bearoff",)])
    def test_a_group_without_a_command_shows_its_help(self, group: tuple[str, ...]) -> None:
        _, shown, _ = main(*group, "--help")
        assert main(*group) == (2, b"", shown.decode())

    def test_a_shell_is_told_how_to_complete(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("_GAMMONRULES_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", "gammonrules re")
        monkeypatch.setenv("COMP_CWORD", "1")
        status, output, errors = main()
        assert (status, output.split(), errors) == (0, [b"plain,referee", b"plain,report"], "")

    def test_output_that_is_no_file(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        app(["plays", "4HPwATDgc/ABMA", "66"], standalone_mode=False)
        assert "24/18(2)" in sys.stdout.getvalue()

    def test_an_argument_too_many_is_text(self) -> None:
        """As in `gammonrules view *`, in a folder of a stranger."""
        done = processes.run(*PROGRAM, "view", "a.mat", "f/a\nb\x1b[31m\x07.mat", check=False)
        assert done.returncode == 2
        assert "(f/a b [31m .mat)" in done.stderr.splitlines()[-1]

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
    @pytest.mark.parametrize("arguments", [("referee",), ("show", "\N{SNOWMAN}")], ids=["a name", "an error"])
    def test_names_and_paths_that_the_encoding_lacks(
        self, tmp_path: Path, arguments: tuple[str, ...], encoding: str
    ) -> None:
        path = tmp_path / "\N{SNOWMAN}.mat"
        shutil.copy(MATCHES / "xg-text" / "test.txt", path)
        status, output, errors = main(*arguments, path, encoding=encoding)
        assert status == (0 if arguments == ("referee",) else 2)
        assert "Traceback" not in errors
        assert encoding != "ascii" or status or b"K?vin Unger" in output

    def test_interrupted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """By Ctrl-C, while a file is read and while the modules are loaded."""

        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        for place, name in ((verdict, "loads_all"), (gammonrules.cli.app, "run")):
            monkeypatch.setattr(place, name, interrupt)
            status, _, errors = main("referee", CLEAN)
            assert (status, errors.strip()) == (130, "gammonrules: stopped")

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
    @pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN], ids=["usual", "nohup"])
    def test_stopped(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, before: signal.Handlers
    ) -> None:
        """By a signal: as by Ctrl-C nothing is left. One that is ignored stays so."""

        def write() -> int:
            with new_file(str(tmp_path / "x")) as new:
                os.kill(os.getpid(), number)
                new.put_in_place()
            return 0

        monkeypatch.setattr(gammonrules.cli.app, "run", write)
        usual = signal.signal(number, before)
        try:
            status, _, errors = main()
            assert signal.getsignal(number) == before
        finally:
            signal.signal(number, usual)
        expected = (128 + number, 0, "gammonrules: stopped\n") if before == signal.SIG_DFL else (0, 1, "")
        assert (status, len(list(tmp_path.iterdir())), errors) == expected

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    @pytest.mark.parametrize("goes_on", [True, False])
    def test_stopped_where_python_drops_errors(
        self, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, *, goes_on: bool
    ) -> None:
        """In the callback of a weak reference: the signal comes again later, or counts at the end of the run."""

        def drop() -> int:
            thing = {0}
            reference = weakref.ref(thing, lambda _: signal.raise_signal(number))
            del thing
            assert reference() is None
            if goes_on:
                waits()
            return 0

        def waits() -> None:
            """In one system call, until the signal interrupts it, or for want of that a byte comes."""
            ours, theirs = os.pipe()

            def end_it() -> None:
                was_late.append(True)
                os.write(theirs, b".")

            late = threading.Timer(10, end_it)
            late.start()
            try:
                os.read(ours, 1)
            finally:
                late.cancel()
                os.close(ours)
                os.close(theirs)

        was_late: list[bool] = []
        monkeypatch.setattr(gammonrules.cli.app, "run", drop)
        # a job in the background of a shell ignores SIGINT
        usual = signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        try:
            assert main() == (128 + number, b"", "gammonrules: stopped\n")
        finally:
            signal.signal(number, usual)
        assert not was_late

    def test_output_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(**_: object) -> None:
            raise OSError(28, "No space left on device")

        dropped: list[bool] = []
        monkeypatch.setattr(gammonrules.cli.app, "run", fail)
        monkeypatch.setattr(gammonrules.cli, "_drop_output", lambda: dropped.append(True))
        assert main() == (2, b"", "gammonrules: the output cannot be written: No space left on device\n")
        assert dropped == [True]

    def test_status_is_not_mistaken(self, broken: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """1 means findings of severity error, and nothing else; click and rich end with 1 if nobody reads."""
        dropped: list[bool] = []
        monkeypatch.setattr(gammonrules.cli, "_drop_output", lambda: dropped.append(True))
        for status in (1, 141):
            assert main("referee", broken)[0] == status
            monkeypatch.setattr(verdict, "formed", lambda *_: sys.exit(1))
        assert dropped == [True]

    def test_dropped_output(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        with (tmp_path / "out").open("w") as file:
            monkeypatch.setattr(sys, "__stdout__", file)
            gammonrules.cli._drop_output()
            file.write("nobody reads this")
        assert (tmp_path / "out").read_text() == ""

    @pytest.mark.parametrize("missing", ["click", "rich"])
    def test_without_the_extra(self, missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in [name for name in sys.modules if name.partition(".")[0] == missing]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, missing, None)
        for name, module in [*sys.modules.items()]:
            if name.startswith("gammonrules.cli."):
                monkeypatch.delitem(sys.modules, name)
                monkeypatch.setattr(gammonrules.cli, name.rpartition(".")[2], module)  # as it is, to be put back
        sentence = f"gammonrules: {extras.missing('the command', missing, 'cli')}\n"
        assert main("perft", "4HPwATDgc/ABMA", "1") == (2, b"", sentence)

    def test_other_missing_modules_are_not_hidden(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delitem(sys.modules, "gammonrules.cli.app", raising=False)
        monkeypatch.setitem(sys.modules, "gammonrules.cli.app", None)
        with pytest.raises(ModuleNotFoundError):
            gammonrules.cli.main()


class TestView:
    """A record as a page."""

    def test_the_page_is_that_of_the_library(self, here: Path) -> None:
        result = run("view", SHORT, "-o", "page.html")
        assert (result.exit_code, result.stdout) == (0, "page.html is written: open it in a browser\n")
        assert (here / "page.html").read_bytes().decode() == to_html(load(SHORT))
        assert [path.name for path in here.iterdir()] == ["page.html"]

    def test_a_player_is_at_the_bottom(self) -> None:
        match = load(SHORT)
        for player, name in zip(Player, match.players, strict=True):
            assert run("view", SHORT, "-o", "-", "--player", name).stdout == to_html(
                match, bottom=player, player=player
            )

    @pytest.mark.parametrize(
        ("record", "page"), [("final.mat", "final.html"), ("a.b.XG", "a.b.html"), ("3.11.2024", "3.11.2024.html")]
    )
    def test_without_a_name_it_gets_that_of_the_record(self, record: str, page: str, here: Path) -> None:
        (here / "records").mkdir()
        shutil.copy(SHORT, here / "records" / record)
        assert run("view", Path("records", record)).exit_code == 0
        assert sorted(path.name for path in here.iterdir()) == [page, "records"]

    def test_the_record_is_not_replaced(self, here: Path) -> None:
        shutil.copy(SHORT, here / "a.mat")
        result = run("view", "a.mat", "-o", "a.mat", "--force")
        assert (result.exit_code, result.stderr) == (2, "a.mat: a.mat is the file that is read: write to another one\n")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["."], ".: a page shows one match: name a record, not a folder"),
            ([""], "a path is empty"),
            ([SHORT, "-o", ""], "a path is empty"),
            ([SHORT, "--player", "\x1b[31mNobody"], "there is no player '\\x1b[31mNobody' in this record, only "),
            ([EXAMPLES.parent / "bot.py"], "the record holds no match"),
            ([SHORT, "-o", CLEAN / "page.html"], "cannot be written"),
        ],
    )
    def test_what_cannot_be_shown_or_written(self, arguments: list[object], words: str, here: Path) -> None:
        result = run("view", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1

    def test_a_mistake_of_ours_is_a_sentence_too(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gammonrules.records, "to_html", lambda _, **_others: 1 / 0)
        result = run("view", SHORT)
        assert (result.exit_code, [*here.iterdir()]) == (2, [])
        assert "gammonrules failed on this file, please report this: ZeroDivisionError" in result.stderr
