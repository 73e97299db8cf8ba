"""`show` and `view` read what the cookbook advises to save: a state, and a log with an event on each line."""

from __future__ import annotations

import json as plain_json
import zipfile
from pathlib import Path

import pytest

import loop
import wording
from commands import run
from gammonrules import Dice, MatchState, Player, Position, json
from gammonrules.errors import ParseError
from gammonrules.match import Event, RecordEvent
from gammonrules.records import MAX_RECORD_SIZE, Match, dumps, load, loads, loads_all, to_html
from gammonrules.records.formats import read_saved_record

START = MatchState.new(5)
GIVEN_UP = (
    Event("opening_roll", argument=(3, 1)),
    Event("resign", Player.BLACK, "gammon"),
    Event("accept", Player.WHITE),
)
LOG: list[RecordEvent] = [*GIVEN_UP, Event("next_game"), Event("opening_roll", argument=(6, 1))]
MATCH = Match.from_events(("White", "Black"), START, LOG)
LAST = MATCH.games[-1].final()
LINES = [json.dumps(event) for event in LOG]
WITH_START = "\n".join([json.dumps(START), *LINES, ""])
IN_ARRAY = plain_json.dumps([json.to_data(event) for event in LOG], indent=1)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def viewed(name: str) -> str:
    result = run("view", name, "-o", "-")
    assert result.exit_code == 0, result.stderr
    return result.stdout


class TestStates:
    @loop.rows("text", json.dumps(LAST), "\ufeff" + plain_json.dumps(json.to_data(LAST), indent=2) + "\r\n")
    def test_a_state(self, text: str, here: Path) -> None:
        Path("state.json").write_text(text, encoding="utf-8")
        assert run("show", "state.json").stdout == f"{LAST}\n"
        assert viewed("state.json") == to_html(Match.from_events(("White", "Black"), LAST, ()))
        assert viewed(str(here / "state.json")) == viewed("state.json")

    def test_a_picture_of_a_state(self, here: Path) -> None:
        (here / "state.json").write_text(json.dumps(LAST))
        drawn = run("show", "state.json", "-o", "-")
        assert (drawn.exit_code, drawn.stdout[:4]) == (0, "<svg")
        assert drawn.stdout == run("show", LAST.xgid, "-o", "-").stdout

    def test_the_file_that_is_read_is_never_replaced(self, here: Path) -> None:
        (here / "state.svg").write_text(json.dumps(LAST))
        result = run("show", "state.svg", "-o", "state.svg", "--force")
        assert result.exit_code == 2
        wording.check(result.stderr.rstrip("\n"), "state.svg is the file that is read")
        assert (here / "state.svg").read_text() == json.dumps(LAST)

    def test_an_identifier_comes_before_a_file_of_its_name(self, here: Path) -> None:
        (here / LAST.xgid.replace("/", "")).write_text(json.dumps(START))
        assert run("show", LAST.xgid).stdout == f"{MatchState.from_xgid(LAST.xgid)}\n"

    def test_a_position_is_shown_only(self, here: Path) -> None:
        (here / "position.json").write_text(json.dumps(Position.start()))
        assert run("show", "position.json").stdout == run("show", "4HPwATDgc/ABMA").stdout
        result = run("view", "position.json")
        assert (result.exit_code, [*here.glob("*.html")]) == (2, [])
        wording.check(result.stderr.rstrip("\n"), "position.json: ", "not a match", "gammonrules show")

    def test_the_state_of_a_finished_game_is_shown_only(self, here: Path) -> None:
        over = MATCH.games[0].final()
        (here / "over.json").write_text(json.dumps(over))
        assert run("show", "over.json").stdout == f"{over}\n"
        result = run("view", "over.json")
        assert result.exit_code == 2
        wording.check(result.stderr.rstrip("\n"), "the game of this state is over", "gammonrules show")


class TestLogs:
    @loop.rows("text", WITH_START, WITH_START.replace("\n", "\r\n\r\n"))
    def test_a_log_that_begins_with_its_state(self, text: str, here: Path) -> None:
        (here / "log.jsonl").write_bytes(text.encode())
        shown = run("show", "log.jsonl")
        assert (shown.stdout, shown.stderr) == (f"{LAST}\n", "")
        assert viewed("log.jsonl") == to_html(MATCH)
        page = run("view", "log.jsonl", "-o", "-", "--player", "Black").stdout
        assert page == to_html(MATCH, bottom=Player.BLACK, player=Player.BLACK)

    @loop.rows("text", "\n".join(LINES), LINES[0] + "".join(LINES[1:]), IN_ARRAY)
    def test_a_log_of_events_alone_is_money_play(self, text: str, here: Path) -> None:
        (here / "log.jsonl").write_text(text)
        shown = run("show", "log.jsonl")
        money = Match.from_events(("White", "Black"), MatchState.new(None), LOG)
        assert shown.stdout == f"{money.games[-1].final()}\n"
        wording.check(shown.stderr.rstrip("\n"), "Warning", "money play", "MatchState")
        assert "money play" in viewed("log.jsonl")

    @loop.rows(
        ("text", "words"),
        ("\n".join([json.dumps(START), LINES[0], LINES[2]]), ("event 2 of the log", "accept")),
        ("\n".join(LINES[1:]), ("event 1 of the log", "opening roll", "money play", "MatchState")),
        (WITH_START[:-20], ("damaged or cut off", "line 6")),
        (WITH_START + json.dumps(Dice(3, 1)), ("document 7", "Dice", "Event, SetPosition or Forfeit")),
        (WITH_START + json.dumps(START), ("document 7", "MatchState")),
        (WITH_START + '{"type": "Evnt"}', ("document 7", "'Evnt'", "Event, SetPosition or Forfeit")),
        (WITH_START + '{"n": ' + "9" * 5_000 + "}", ("document 7", "no type", "Event, SetPosition or Forfeit")),
        (f"[{LINES[0]},{LINES[1]}", ("damaged or cut off",)),
        (f"{LINES[0]}]{LINES[1]}", ("damaged or cut off",)),
        (f"[{LINES[0]}]{LINES[1]}", ("goes on after its array",)),
        (f"[{LINES[0]},[{LINES[1]}]]", ("document 2", "no type")),
        (
            "\n".join([json.dumps(MATCH.games[0].final()), LINES[3], LINES[4]]),
            ("the first state in this log is over", "begin the log with the state of the next game"),
        ),
        (WITH_START.replace('"roll"', '"rolls"').replace("opening_roll", "opening"), ("document 2", "$.action")),
        ('{"a": ' + "[" * 100_000, ("nested too deeply",)),
        ('{"a": 1}', ("this is JSON, not a match",)),
        (json.dumps(Dice(3, 1)), ("'Dice'", "not a match")),
    )
    def test_what_cannot_be_read(self, text: str, words: tuple[str, ...], here: Path) -> None:
        (here / "log.jsonl").write_text(text)
        for command in ("show", "view"):
            result = run(command, "log.jsonl")
            assert (result.exit_code, result.stdout) == (2, "")
            wording.check(result.stderr.rstrip("\n"), *words)
        assert [path.name for path in here.iterdir()] == ["log.jsonl"]

    def test_an_encoding_counts(self, here: Path) -> None:
        (here / "log.jsonl").write_text(WITH_START, encoding="utf-16")
        for command in ("show", "view"):
            result = run(command, "log.jsonl")
            assert result.exit_code == 2
            wording.check(result.stderr.rstrip("\n"), "log.jsonl: ", "this text is in UTF-16")
        assert run("view", "log.jsonl", "-o", "-", "--encoding", "utf-16").stdout == to_html(MATCH)

    def test_an_archive_is_to_be_unpacked(self, here: Path) -> None:
        with zipfile.ZipFile("log.zip", "w") as archive:
            archive.writestr("log.jsonl", WITH_START)
        for command in ("show", "view"):
            result = run(command, "log.zip")
            assert result.exit_code == 2
            wording.check(result.stderr.rstrip("\n"), "in this ZIP archive", "from a file of its own")

    def test_the_limit_is_that_of_matches(self) -> None:
        """A log and a match, each larger than a record in another format may be."""
        log = (WITH_START + " " * MAX_RECORD_SIZE).encode()
        assert read_saved_record(log) == MATCH
        with wording.tells(ParseError, "log of events"):
            loads(log)
        match = plain_json.dumps(json.to_data(MATCH), sort_keys=True)
        assert loads(match.replace(",", "," + " " * MAX_RECORD_SIZE, 1)) == loads(dumps(MATCH, "json"))


@loop.rows(
    ("text", "words"),
    (dumps(MATCH, "json"), ("this is a match", "gammonrules view")),
    (dumps(MATCH, "mat"), ("this is a match", "gammonrules view")),
    ("", ("empty",)),
    ("\0", ("NUL",)),
    ("hello", ("holds no match",)),
)
def test_show_names_what_a_file_is(text: str, words: tuple[str, ...], here: Path) -> None:
    (here / "match").write_text(text)
    result = run("show", "match")
    assert (result.exit_code, result.stdout) == (2, "")
    wording.check(result.stderr.rstrip("\n"), "match: ", "identifier", "JSON", *words)


def test_show_names_files_that_are_not_there(here: Path) -> None:
    (here / "folder").mkdir()
    (here / "link").symlink_to("nothing")
    for name, words in (
        ("missing.json", ("there is no file 'missing.json'", "identifier", "JSON")),
        ("nothere/log.jsonl", ("there is no file 'nothere/log.jsonl'",)),
        ("missing", ("'missing' is not a Position ID", "no file of this name", "JSON")),
        ("folder", ("folder: this is not an ordinary file",)),
        ("link", ("link: it cannot be opened",)),
        ("XGID=x", ("XGID: expected 10 fields",)),
    ):
        result = run("show", name)
        assert (result.exit_code, result.stdout) == (2, "")
        wording.check(result.stderr.rstrip("\n"), *words)


class TestMessages:
    """What `records` reports about JSON that is not a match."""

    @loop.rows(
        ("text", "words"),
        (json.dumps(START), ("MatchState", "gammonrules view if its game is not over", "gammonrules.json.loads")),
        (WITH_START, ("log of events", "gammonrules view", "Match.from_events")),
        ("\n".join(LINES), ("log of events", "gammonrules view", "Match.from_events")),
        (IN_ARRAY, ("log of events", "gammonrules view", "Match.from_events")),
        (json.dumps(Position.start()), ("Position", "gammonrules show", "gammonrules.json.loads")),
        (json.dumps(Dice(3, 1)), ("'Dice'", "gammonrules convert --to json", "records.dump")),
        ('{"type": "\\u001b[31m"}', (r"'\x1b[31m'", "records.dump")),
        ('{"game": {"type": "MatchState"}}', ("this is JSON, not a match", "records.dump")),
        ('[{"a": 1}]', ("this is JSON, not a match", "records.dump")),
        ('{"n": ' + "9" * 5_000 + "}", ("this is JSON, not a match", "records.dump")),
        ('{"version":3,"type":"MatchSt', ("looks like JSON", "cut off")),
        ('{"type": 5}', ("this is JSON, not a match", "records.dump")),
        (f"[{dumps(MATCH, 'json')}]", ("JSON with matches in an array", "a file of its own")),
        (dumps(MATCH, "json") * 2, ("this JSON goes on after its first match", "a file of its own", "line 2")),
        *[
            (text, ("this is JSON, not a match",))
            for text in ("{}", " [ ]\n", "[1, 2]", "5", "null", f"[[{LINES[0]}]]")
        ],
        ("[" * 100_000, ("looks like JSON", "nested too deeply")),
        ('{"a":' + "[" * 100_000, ("looks like JSON", "nested too deeply")),
    )
    def test_the_format_is_named(self, text: str, words: tuple[str, ...], here: Path) -> None:
        (here / "a.json").write_text(text)
        with wording.tells(ParseError, *words):
            load(here / "a.json")
        for record in (text, text.encode()):
            for read in (loads, loads_all):
                with wording.tells(ParseError, *words) as error:
                    read(record)
                assert "point match" not in str(error.value)

    def test_other_texts_are_not_called_json(self) -> None:
        for text in ("{31} [Event]", '[Site "x"]\n31', "31 42", "true story", "-", "[1, 2"):
            with wording.tells(ParseError, "the record holds no match"):
                loads(text)

    @loop.over("line", ['{"site": "x"}', '[{"site": "x"}]'])
    def test_a_match_text_may_follow_a_line_of_json(self, line: str) -> None:
        """Also with the blanks of a web page, or the ends of lines of an old program."""
        text = f"{line}\n{dumps(MATCH, 'mat')}"
        for record in (text, text.replace(" ", "\u00a0"), text.replace("\n", "\r")):
            assert loads(record).games == loads(text).games
            assert loads(record).findings[0].text == line
