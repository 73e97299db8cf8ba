"""`gammonrules convert`: records in another format, said losses, and files that are whole or not there."""

from __future__ import annotations

import os
import re
import sys
import zipfile
from functools import partial
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import attrs
import pytest
from hypothesis import given, settings

import commands
import loop
from commands import files_in
from gammonrules import TO_ACT, ArgumentError, Event, GammonError, MatchState, ParseError, Player, json, strategies
from gammonrules._shared.extras import missing
from gammonrules.cli.convert import losses_in_words
from gammonrules.cli.output import names_below
from gammonrules.records import Game, Match, PlayAnalysis, RecordedResult, dumps, load, loads, lost_fields

EXAMPLES = Path(__file__).parents[2] / "examples" / "matches" / "galaxy"
RECORD = EXAMPLES / "match1033650.txt"

DEVICES = {
    *"con prn aux nul conin$ conout$".split(),
    *(f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"),
}
STRANGE_NAMES = [
    *("../../../b.mat", "/c.mat", "d.mat", "..", ".", "", ". ./.. /x", "...", "a/../../..", "C:/Users/evil.txt"),
    *("x:name", "C:", "C:..", "C:evil", "\\\\server\\share\\a.mat", "//server/share/a", "\\\\?\\C:\\a", "\\\\.\\nul"),
    *("CON", "nul.mat", "aux .mat", "Com1.tar.mat", "lpt²", "conin$", "dots...", "blank .mat ", "a.mat:stream"),
    *("e\x1b[2J.mat", "new\nline\r.mat", "bi\u202edi\u2066.mat", "nul\0", "\x9b", "\udc80", "x" * 65_000, "ש" * 300),
    *("x" * 239 + " . y", "n/" * 1_000 + "x", "..\\..\\a", "*?|<>"),
]


run = partial(commands.run, "convert")


class TestOneRecord:
    @pytest.mark.parametrize("name", ["out.txt", "out.MAT", "out.json"])
    def test_the_suffix_says_the_format(self, name: str, tmp_path: Path) -> None:
        result = run(RECORD, tmp_path / name)
        assert (result.exit_code, result.output) == (0, "")
        assert load(tmp_path / name) == load(RECORD)
        assert files_in(tmp_path) == [name]

    def test_or_the_option(self, tmp_path: Path) -> None:
        assert run(RECORD, tmp_path / "out.mat", "--to", "json").exit_code == 0
        assert json.loads((tmp_path / "out.mat").read_text(), Match) == load(RECORD)

    def test_the_encoding_of_a_text(self, tmp_path: Path) -> None:
        """One record has one; in a folder each may have another."""
        path, out = tmp_path / "in.mat", tmp_path / "out.json"
        path.write_bytes(RECORD.read_text("utf-8").replace("lasse", "太郎").encode("shift_jis"))
        assert run(path, out, "--encoding", "shift_jis").exit_code == 0
        assert load(out).players[0] == "太郎"
        assert commands.run("view", path, "-o", tmp_path / "a.html", "--encoding", "shift_jis").exit_code == 0
        assert "太郎" in (tmp_path / "a.html").read_text("utf-8")
        for source, target, encoding in (
            (path, tmp_path, "shift_jis"),
            (tmp_path, tmp_path / "new", "shift_jis"),
            (path, out, "no-such"),
            (path, out, "utf-8"),
        ):
            result = run(source, target, "--to", "mat", "--force", "--encoding", encoding)
            assert (result.exit_code, "encoding" in result.stderr) == (2, True)

    def test_to_standard_output(self) -> None:
        result = run(RECORD, "-", "--to", "mat")
        assert (result.exit_code, result.stdout) == (0, dumps(load(RECORD)))

    def test_into_a_folder(self, tmp_path: Path) -> None:
        result = run(RECORD, tmp_path, "--to", "json")
        assert (result.exit_code, files_in(tmp_path)) == (0, ["match1033650.json"])


class TestRefused:
    """Status 2, a sentence, and no file."""

    def refused(self, sentence: str, *arguments: object) -> None:
        result = run(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert sentence in result.stderr

    def test_a_suffix_that_names_no_format(self, tmp_path: Path) -> None:
        self.refused('the suffix of OUT names no format: use --to "mat"', RECORD, tmp_path / "a.doc")
        self.refused("the suffix of OUT names no format", RECORD, "-")
        self.refused("'doc' is not one of", RECORD, tmp_path / "a.doc", "--to", "doc")
        assert files_in(tmp_path) == []

    def test_the_file_that_is_read(self, tmp_path: Path) -> None:
        source, link = tmp_path / "a.mat", tmp_path / "b.mat"
        source.write_bytes(RECORD.read_bytes())
        link.symlink_to(source)
        for target in (source, link, tmp_path / "." / "a.mat"):
            self.refused("is the file that is read", source, target, "--force")
        assert source.read_bytes() == RECORD.read_bytes()

    def test_what_is_no_file(self, tmp_path: Path) -> None:
        if hasattr(os, "mkfifo"):
            os.mkfifo(tmp_path / "a.mat")
            self.refused("is not an ordinary file", RECORD, tmp_path / "a.mat", "--force")
        self.refused("cannot be written", RECORD, f"{tmp_path}/a\0b.mat")
        self.refused("a path is empty", RECORD, "")
        self.refused("a path is empty", "", "a.mat")

    def test_what_cannot_be_read(self, tmp_path: Path) -> None:
        self.refused("missing.mat: it cannot be opened: No such file", tmp_path / "missing.mat", tmp_path / "a.mat")
        (tmp_path / "no.mat").write_text("hello")
        self.refused("no.mat: the record holds no match", tmp_path / "no.mat", tmp_path / "a.mat")
        assert files_in(tmp_path) == ["no.mat"]

    def test_what_the_format_cannot_say(self, tmp_path: Path) -> None:
        source = tmp_path / "cut.mat"
        source.write_text("5 point match\n Game 1\n A : 0 B : 0\n  1) 31: 8/4 6/5    62: 24/18 13/11\n")
        self.refused("game 1 cannot be written", source, tmp_path / "a.mat")
        assert run(source, tmp_path / "a.json").exit_code == 0


class TestFolders:
    def test_all_records_keep_their_names(self, tmp_path: Path) -> None:
        source, target = tmp_path / "in", tmp_path / "out"
        (source / "deep").mkdir(parents=True)
        for name in ("a.txt", "deep/b.v2", "deep/c.MAT"):
            (source / name).write_bytes(RECORD.read_bytes())
        (source / "notes.md").write_text("no record")
        (source / "other.json").write_text('{"version": 1, "type": "Dice", "value": [3, 1]}')
        result = run(source, target, "--to", "json")
        assert (result.exit_code, result.stdout) == (0, "3 records written; 2 other files skipped\n")
        assert files_in(target) == ["a.json", "deep/b.v2.json", "deep/c.json"]
        assert result.stderr.count("skipped: ") == 2
        assert load(target / "deep/b.v2.json") == load(RECORD)

    def test_what_is_damaged_is_told(self, tmp_path: Path) -> None:
        source, target = tmp_path / "in", tmp_path / "out"
        source.mkdir()
        (source / "a.txt").write_bytes(RECORD.read_bytes())
        (source / "b.json").write_text(dumps(load(RECORD), "json")[:-9])
        result = run(source, target, "--to", "mat")
        assert (result.exit_code, result.stdout) == (2, "1 record written, 1 failed\n")
        assert "b.json: this JSON document is damaged or cut off: " in result.stderr
        assert files_in(target) == ["a.mat"]

    def test_two_records_of_one_name(self, tmp_path: Path) -> None:
        source, target = tmp_path / "in", tmp_path / "out"
        source.mkdir()
        for name in ("a.mat", "a.txt"):
            (source / name).write_bytes(RECORD.read_bytes())
        result = run(source, target, "--to", "json")
        assert (result.exit_code, result.output) == (0, "2 records written\n")
        assert files_in(target) == ["a.json", "a.txt.json"]

    def test_records_of_the_very_same_name_are_numbered(self, tmp_path: Path) -> None:
        source = tmp_path / "source"
        source.mkdir()
        with zipfile.ZipFile(source / "a.zip", "w") as archive:
            archive.write(RECORD, "a.txt")
            for _ in range(2):
                with pytest.warns(UserWarning, match="Duplicate name"):
                    archive.write(RECORD, "a.txt")
        assert run(source, tmp_path / "out", "--to", "json").exit_code == 0
        assert files_in(tmp_path / "out") == [f"a.zip/a{number}.json" for number in ("-2", "-3", "")]

    @loop.rows("folder", PurePosixPath("/out"), PureWindowsPath("D:/out"))
    @loop.over("name", STRANGE_NAMES)
    def test_a_name_in_a_zip_file_is_no_way_out(self, name: str, folder: PurePath) -> None:
        """On any system."""
        below = names_below(type(folder)(f"in/a.zip/{name}"), type(folder)("in"))
        target = folder.joinpath(*below)
        assert target.parts == (*folder.parts, *below)
        assert below[0] == "a.zip"
        for part in below:
            assert part not in {"", ".", ".."}
            assert part.isprintable()
            assert not set(part) & set('<>:"/\\|?*')
            assert part[-1] not in ". "
            assert part.partition(".")[0].rstrip().lower() not in DEVICES
            assert len(f"{part}.json".encode()) <= 255

    def test_a_zip_file_of_strange_names(self, tmp_path: Path) -> None:
        """Each record is written, none over another."""
        source, target = tmp_path / "in", tmp_path / "x" / "y" / "out"
        source.mkdir()
        names = [
            *("a:b.mat", "a?b.mat", "../../../c.mat", "/d.mat", "C:/e.mat", "..\\f.mat", "g\x1b\n\u202e.mat"),
            "x" * 300,
        ]
        with zipfile.ZipFile(source / "a.zip", "w") as archive:
            for name in (*names, "n/" * 1_500 + "n.mat", "A_B.MAT"):
                archive.writestr(name, RECORD.read_bytes())
        result = run(source, target, "--to", "json", "--force")
        assert (result.exit_code, result.stdout) == (2, "8 records written, 2 failed\n")
        assert all(line.isprintable() and len(line) < 700 for line in result.stderr.splitlines())
        assert [path.relative_to(target / "a.zip").as_posix() for path in sorted(tmp_path.rglob("*.json"))] == [
            *("C_/e.json", "a_b.json", "a_b.mat.json", "c.json", "d.json", "f.json", "g___.json", f"{'x' * 240}.json")
        ]
        assert "A_B.MAT.json was already written from another record" in result.stderr
        assert "it is in more than 100 folders" in result.stderr

    @pytest.mark.skipif(os.name != "posix", reason="links of POSIX")
    def test_a_folder_with_links_that_lead_out(self, tmp_path: Path) -> None:
        """Whoever made the folder must not choose where we write."""
        source, target = tmp_path / "in", tmp_path / "out"
        for folder in (source / "deep", target, tmp_path / "outside"):
            folder.mkdir(parents=True)
        for name in ("a.txt", "b.txt", "deep/c.txt"):
            (source / name).write_bytes(RECORD.read_bytes())
        (target / "deep").symlink_to(tmp_path / "outside")
        (target / "a.json").symlink_to(tmp_path / "outside" / "a")
        (tmp_path / "link").symlink_to("out")
        result = run(source, tmp_path / "link", "--to", "json", "--force")
        assert (result.exit_code, result.stdout) == (2, "1 record written, 2 failed\n")
        assert result.stderr.count("is a link, or in one, that leads out of") == 2
        assert (files_in(tmp_path / "outside"), files_in(target)) == ([], ["b.json"])
        result = run(source / "b.txt", target / "a.json")
        assert (result.exit_code, files_in(tmp_path / "outside")) == (2, [])

    @pytest.mark.parametrize("target", ["in", "in/out", ".", "in/../in/x"])
    def test_one_inside_the_other(self, target: str, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "in" / "a.mat").write_bytes(RECORD.read_bytes())
        result = run(tmp_path / "in", tmp_path / target, "--to", "json")
        assert (result.exit_code, files_in(tmp_path)) == (2, ["in/a.mat"])
        assert "neither may be inside the other" in result.stderr

    def test_a_file_in_the_place_of_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "out").write_text("mine")
        result = run(EXAMPLES, tmp_path / "out", "--to", "json")
        assert (result.exit_code, (tmp_path / "out").read_text()) == (2, "mine")
        assert "IN is a folder, so OUT must be one" in result.stderr


GAME = Game(1, MatchState.new(3), (Event("opening_roll", argument=(3, 1)), Event("play", Player.WHITE, "8/5 6/5")))


class TestLosses:
    """What a format leaves out is reported in words, and is not an error."""

    def test_a_game_that_cannot_be_written_whole(self, tmp_path: Path) -> None:
        """Its match is refused, or it is shortened, which is said; JSON has nothing to shorten."""
        broken = tmp_path / "a.mat"
        broken.write_text(RECORD.read_text().replace("  2) ", "  2) 66: 13/1 ", 1))
        refused = run(broken, tmp_path / "a.sgf")
        assert (refused.exit_code, files_in(tmp_path)) == (2, ["a.mat"])
        result = run(broken, tmp_path / "a.sgf", "--shorten")
        assert (result.exit_code, len(load(tmp_path / "a.sgf").games)) == (0, len(load(RECORD).games))
        assert "the rest of the game cannot be replayed or written, so it is left out (game 1)" in result.stderr
        assert "--shorten does nothing in JSON" in run(broken, tmp_path / "a.json", "--shorten").stderr

    def test_each_part_has_a_sentence(self) -> None:
        match = Match(("A", "B"), 3, tuple(attrs.evolve(GAME, number=number) for number in (1, 2, 3, 5, 7)))
        names = ["players", "rules.jacoby", "findings.forfeit", "other"]
        names += ["games[0].analyses.stated_error", "games[1].pending_analysis.stated_error"]
        names += [f"games[{index}].stated.points" for index in (0, 1, 2, 4)] + ["games[3].events"]
        assert losses_in_words(match, names) == [
            "the names of the players are changed, for example a colon to a dot",
            'the rule option "jacoby" is left out',
            'the referee\'s "forfeit" findings will differ',
            '"other" is left out or changed',
            '"stated error" of some analyses is left out or changed (games 1 to 2)',
            "the stated points are corrected to those that were won (games 1 to 3, 7)",
            (
                "some actions are left out, changed or added, such as a declined resignation or a position set by hand "
                "(game 5)"
            ),
        ]

    def test_of_a_match(self) -> None:
        stated = attrs.evolve(
            GAME, stated=RecordedResult(Player.WHITE, 9), notes=(None, "!"), pending_analysis=PlayAnalysis()
        )
        match = Match(("Ann", "Bob"), 3, (stated,))
        assert {"games[0].notes", "games[0].pending_analysis"} < set(lost_fields(match, "mat"))
        assert "games[0].analyses" not in lost_fields(
            attrs.evolve(match, games=(attrs.evolve(GAME, analyses=(None,)),)), "mat"
        )

    @settings(max_examples=10)
    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=4)))
    def test_of_drawn_records(self, match: Match) -> None:
        """What is not named is not lost."""
        assert lost_fields(match, "json") == ()
        try:
            lost, again = lost_fields(match, "mat"), loads(dumps(match, "mat"))
        except GammonError:
            return  # rules without a tag in this format
        if not lost:
            assert again == _as_read(match)
        for part in ("analyses", "notes"):
            has = {index for index, game in enumerate(match.games) if any(getattr(game, part))}
            assert has <= {index for index in range(len(match.games)) if f"games[{index}].{part}" in lost}

    def test_of_anything_else(self) -> None:
        with pytest.raises(ArgumentError, match=r"the format to write must be .* not 'doc'"):
            lost_fields(load(RECORD), "doc")
        with pytest.raises(ArgumentError, match="match must be a Match"):
            lost_fields(None, "mat")  # type: ignore[arg-type]


def _as_read(match: Match) -> Match:
    """The match as a reader makes it: it names who acts in every event but the opening roll."""
    games: list[Game] = []
    for game in match.games:
        events = [
            event
            if not isinstance(event, Event) or event.action == "opening_roll" or state.to_act is None
            else Event(event.action, state.to_act if event.by is TO_ACT else event.by, event.argument)
            for event, state in zip(game.events, game.states(), strict=False)
        ]
        games.append(attrs.evolve(game, events=tuple(events)))
    return attrs.evolve(match, games=tuple(games))


class TestJsonRecords:
    """`records` reads and writes JSON like every other format."""

    @loop.rows(
        "text",
        '{"version":1,"type":"Match"}',
        ' {\n "type" : "Match" }',
        '{"a":{"type":"Match"}}',
        '{"version":1,"type":"Match",' + '"a":[{' * 200_000,
        '{"version":1,"type":"Match","games":' + "9" * 5_000 + "}",
    )
    def test_what_holds_no_record(self, text: str) -> None:
        for record in (text, text.encode()):
            with pytest.raises(ParseError, match="this is a JSON document, but not a record that can be read: "):
                loads(record)

    @loop.rows("rest", '"a":[' * 200_000, '"games":' + "9" * 5_000)
    def test_what_is_damaged(self, rest: str) -> None:
        for record in (text := '{"version":1,"type":"Match",' + rest, text.encode()):
            with pytest.raises(ParseError, match=r"^this JSON document is damaged or cut off: "):
                loads(record)

    def test_without_cattrs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = dumps(load(RECORD), "json")
        monkeypatch.setitem(sys.modules, "cattrs", None)
        for name in [name for name in sys.modules if name.startswith("gammonrules.json")]:
            monkeypatch.delitem(sys.modules, name)
        needed = re.escape(missing("gammonrules.json", "cattrs", "json"))
        with pytest.raises(ParseError, match=f"^this is a JSON document, but {needed}$"):
            loads(text)
        with pytest.raises(GammonError, match=f"^{needed}$"):
            dumps(load(RECORD), "json")
