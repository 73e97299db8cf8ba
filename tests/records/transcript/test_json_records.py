"""Match records as JSON: nothing of them is lost, and what is not a record is refused."""

from __future__ import annotations

import json as python_json
import sys
from copy import deepcopy
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest
from hypothesis import given, settings

import each
import loop
import processes
import wording
from core_documents import SCHEMAS, WHOLE_SCHEMA
from gammonrules import (
    ArgumentError,
    Dice,
    Event,
    Forfeit,
    GammonError,
    IllegalPlayError,
    MatchState,
    ParseError,
    Player,
    Position,
    SetPosition,
    json,
    records,
    strategies,
)
from gammonrules.analysis.internals import EncodedAnalysis, decoded
from gammonrules.json import _document
from gammonrules.limits import MAX_JSON_LENGTH
from gammonrules.match import RecordEvent
from gammonrules.records import (
    Candidate,
    Chances,
    CubeAnalysis,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    RecordedResult,
    Severity,
    load,
)
from json_schema import TYPE_SCHEMAS

DATA = Path(__file__).parents[2] / "data"
RECORDS = [path for path in sorted([*DATA.glob("matches/**/*"), *DATA.glob("analysis/**/*")]) if path.is_file()]


def everything(match: Match) -> list[object]:
    """All that a record holds, also what `==` leaves out, with its analyses decoded."""
    parts: list[object] = [attrs.astuple(match, recurse=False, filter=lambda field, _: field.name != "games")]
    names = [field.name for field in attrs.fields(Game)]
    plain = [name for name in names if name not in {"analyses", "pending_analysis", "_states"}]
    for game in match.games:
        parts.append([getattr(game, name) for name in plain])
        stored = [*game.analyses, game.pending_analysis]
        if any(isinstance(analysis, EncodedAnalysis) for analysis in stored):  # only these need a state
            states = [*game.states()]
            states_before = [*states[: len(game.analyses)], states[-1]]
            stored = [decoded(analysis, state) for analysis, state in zip(stored, states_before, strict=True)]
        parts.append(stored)
    return parts


def assert_lossless(match: Match) -> None:
    written = json.dumps(match)
    same = json.loads(written, Match)
    assert same == match
    assert everything(same) == everything(match)
    assert json.dumps(same) == written  # the types of all that is inside, too


# --- values ---------------------------------------------------------------------------------------

AFTER = Position.start().play("8/5 6/5", (3, 1))
CHANCES = Chances(0.5, 0.125, 0.01, 0.125, 0.01)
CANDIDATE = Candidate("8/5 6/5", AFTER, 0.159, CHANCES, "2-ply", 0.003, 0.51)
PLAYED = PlayAnalysis((CANDIDATE,), 0, -0.25, 0.0, "gnubg")
CUBE = CubeAnalysis(0.5, 0.75, 1.0, CHANCES, None, "rollout", (0.01, None), (0.5, None, 0.75), None, 0.0, "XG")
FINDING = Finding(Severity.INFO, FindingKind.NO_PLAYER_NAME, 1, None, "", "a player has no name", 3)
START = MatchState.new(7)
GAME = Game(
    1,
    START,
    (Event("opening_roll", argument=(3, 1)), Event("play", Player.WHITE, "8/5 6/5"), SetPosition(AFTER, Player.BLACK)),
    ("a remark",),
    RecordedResult(Player.WHITE, 2, text="Wins 2 points", row=-1, line=9),
    (1, 1, None),
    cut=True,
    line=4,
    lines=(5, 5, 6),
    analyses=(None, PLAYED, None),
    notes=(None, "a good play", None),
    pending_analysis=CUBE,
)
MATCH = Match(
    ("Ann", "Bób"),
    7,
    (GAME,),
    tags=(("Site", "Turku"), ("Site", "Oulu"), ("", "")),
    comments=("",),
    format="xg",
    findings=(FINDING,),
    stated_rolls=12,
)


class TestLossless:
    """Everything of a record is written: rows, lines, remarks, analyses and findings, which `==` leaves out, too."""

    @each.file(RECORDS, lambda path: path.relative_to(DATA).as_posix())
    def test_files(self, path: Path) -> None:
        try:
            match = load(path)
        except GammonError:
            return  # of a format that cannot be read, or no record
        assert_lossless(match)

    @settings(max_examples=6)
    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=4)))
    def test_drawn_records(self, match: Match) -> None:
        assert_lossless(match)
        data = json.to_data(match)
        assert repr(everything(json.from_data(data, Match))) == repr(everything(match))
        SCHEMAS["Match"].validate(data)
        TYPE_SCHEMAS["Match"].validate(data)

    @given(strategies.play_analyses() | strategies.cube_analyses())
    def test_analyses(self, analysis: PlayAnalysis | CubeAnalysis) -> None:
        assert repr(json.loads(json.dumps(analysis), type(analysis))) == repr(analysis)

    def test_all_fields(self) -> None:
        assert_lossless(MATCH)
        WHOLE_SCHEMA.validate(json.to_data(MATCH))
        assert json.loads(json.dumps(GAME), Game).pending_analysis == CUBE

    def test_a_negative_zero(self) -> None:
        assert str(json.loads(json.dumps(PlayAnalysis(luck=-0.0)), PlayAnalysis).luck) == "-0.0"

    def test_numbers_without_a_fraction(self) -> None:
        """JavaScript writes 1.0 as 1."""
        data = json.to_data(CUBE) | {"no_double": 1, "double_take": -2}
        assert json.from_data(data, CubeAnalysis) == attrs.evolve(CUBE, no_double=1.0, double_take=-2.0)

    def test_encoded_analyses_are_decoded(self) -> None:
        seen: list[MatchState] = []

        def decode(data: object, state: MatchState) -> PlayAnalysis | None:
            seen.append(state)
            return PLAYED if data == "play" else None

        stored = EncodedAnalysis("nothing", decode), EncodedAnalysis("play", decode), None
        game = attrs.evolve(GAME, analyses=stored, pending_analysis=EncodedAnalysis("nothing", decode))
        same = json.loads(json.dumps(game), Game)
        assert (same.analyses, same.pending_analysis) == ((None, PLAYED, None), None)
        states = list(game.states())
        assert seen == [states[0], states[1], states[-1]]

    def test_encoded_analyses_after_an_illegal_play_cannot_be_decoded(self) -> None:
        events = GAME.events[0], Event("play", Player.WHITE, "8/4 6/5"), Event("roll", Player.BLACK, "31")
        game = attrs.evolve(GAME, events=events)
        assert json.loads(json.dumps(game), Game).events == events
        stored = None, None, EncodedAnalysis(None, lambda _data, _state: None)
        with pytest.raises(IllegalPlayError):
            json.dumps(attrs.evolve(game, analyses=stored))


MALFORMED = [
    ("players", ["Ann"], "$.players: expected an array of 2, not an array of 1"),
    ("players.0", 3, "$.players[0]: expected a string, not 3"),
    ("length", 7.0, "$.length: expected a whole number, not 7.0"),
    ("games", {}, "$.games: expected an array, not an object"),
    ("games.0.events.1.argument", 3, "$.games[0].events[1].argument: expected a string"),
    ("games.0.events.1.type", "Roll", '$.games[0].events[1].type: expected "Event" or "SetPosition" or "Forfeit"'),
    ("games.0.events.2.cube", "2", "$.games[0].events[2].cube: expected an object, not '2'"),
    ("games.0.rows.0", "1", "$.games[0].rows[0]: expected a whole number, not '1'"),
    ("games.0.notes.0", 1, "$.games[0].notes[0]: expected a string, not 1"),
    ("games.0.cut", None, "$.games[0].cut: expected true or false, not null"),
    ("games.0.states", [], "$.games[0].states: there is no such field"),
    ("games.0.analyses.1.type", "Analysis", '$.games[0].analyses[1].type: expected "PlayAnalysis" or "CubeAnalysis"'),
    ("games.0.analyses.1.luck", float("nan"), "$.games[0].analyses[1].luck: expected a finite number, not nan"),
    (
        "games.0.analyses.1.candidates.0.equity",
        float("-inf"),
        "$.games[0].analyses[1].candidates[0].equity: expected a finite number, not -inf",
    ),
    ("games.0.pending_analysis.mwc", [0.5], "$.games[0].pending_analysis.mwc: expected an array of 3"),
    ("games.0.pending_analysis.chances.lose", 0.5, "$.games[0].pending_analysis.chances.lose: there is no such field"),
    ("findings.0.kind", "no_kind", "$.findings[0].kind: there is no kind of finding 'no_kind'"),
    ("findings.0.severity", "fatal", "$.findings[0].severity: there is no severity 'fatal'"),
    ("findings.0.severity", 1, "$.findings[0].severity: expected a string, not 1"),
    ("stated_rolls", "12", "$.stated_rolls: expected a whole number, not '12'"),
]
IMPOSSIBLE = [
    ("games.0.events.0.argument", [3, 7], "$.games[0].events[0]: a die must be a whole number from 1 to 6"),
    ("games.0.events.0", {"type": "Event", "action": "next_game", "by": "white", "argument": None}, "$.games[0]: "),
    ("games.0.start.length", 5, "$: match: game 1 is of a match to 5, and the record of a match to 7"),
    ("games.0.analyses.1.played", 1, "$.games[0].analyses[1]: "),
    ("games.0.analyses.1.candidates.0.chances.win", 1.5, "$.games[0].analyses[1].candidates[0].chances: "),
    ("games.0.line", 0, "$.games[0]: "),
    ("stated_rolls", -1, "$: "),
]


def changed(path: str, value: object) -> Any:
    data = deepcopy(json.to_data(MATCH))
    *way, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    inner: Any = data
    for key in way:
        inner = inner[key]
    inner[last] = value
    return data


class TestBrokenRules:
    """`json.loads` keeps every event; `records` cuts the game at the first that the rules forbid, as in any format."""

    START = MatchState.new(7)
    OPENING = Event("opening_roll", argument=(3, 1))
    PLAY = Event("play", Player.WHITE, "8/5 6/5")
    ROLL = Event("roll", Player.BLACK, "62")
    LATER = Event("roll", Player.WHITE, "11")
    BROKEN: ClassVar[list[tuple[RecordEvent, FindingKind, str, str]]] = [
        (Event("play", Player.BLACK, "8/4 1/11"), FindingKind.ILLEGAL_PLAY, "play 8/4 1/11", "8/4 is 4 pips"),
        (Event("play", Player.BLACK, "up"), FindingKind.UNREADABLE_LINE, "play up", "cannot read 'up'"),
        (Event("take", Player.BLACK), FindingKind.ILLEGAL_ACTION, "take", "Black cannot take"),
        (Forfeit(Player.BLACK, 2_000), FindingKind.ILLEGAL_ACTION, "forfeit", "points"),
    ]

    def match(self, event: RecordEvent) -> Match:
        """Two games, the first of which is broken at its fourth event."""
        game = Game(
            1,
            self.START,
            (self.OPENING, self.PLAY, self.ROLL, event, self.LATER),
            rows=(1, 1, 2, 3, 4),
            lines=(5, 5, 6, 7, 8),
            analyses=(None, PLAYED, None, PLAYED, None),
            notes=("a", "b", "c", "d", "e"),
            pending_analysis=CUBE,
            stated=RecordedResult(Player.WHITE, 1),
        )
        whole = Game(2, MatchState.new(7, score=(1, 0)), (self.OPENING, self.PLAY))
        return Match(("Ann", "Bob"), 7, (game, whole), findings=(FINDING,), format="json")

    @loop.over(("event", "kind", "words", "why"), BROKEN)
    def test_only_records_cut_it(self, event: RecordEvent, kind: FindingKind, words: str, why: str) -> None:
        match = self.match(event)
        text = json.dumps(match)
        assert json.loads(text) == match
        with pytest.raises(GammonError, match=why):
            [*json.loads(text, Match).games[0].states()]
        cut = records.loads(text)
        game, whole = cut.games
        assert (game.cut, whole.cut, whole) == (True, False, match.games[1])
        assert game.events == match.games[0].events[:3]
        assert (game.rows, game.lines, game.notes) == ((1, 1, 2), (5, 5, 6), ("a", "b", "c"))
        assert (game.analyses, game.pending_analysis) == ((None, PLAYED, None), None)
        assert (cut.score, cut.rolls) == ((1, 0), match.rolls)
        assert cut.findings[0] == FINDING
        (finding,) = cut.findings[1:]
        assert (finding.severity, finding.kind, finding.game) == (Severity.ERROR, kind, 1)
        assert (finding.row, finding.line, finding.text) == (3, 7, words)
        assert why in finding.explanation
        assert finding.explanation.endswith("; the rest of this game is not replayed")
        assert [finding.kind for finding in records.referee(match)].count(kind) == 1
        assert [other for other in records.referee(cut) if other.severity is Severity.ERROR] == [finding]

    @loop.over("event", [event for event, *_ in BROKEN])
    def test_what_is_lost_is_named(self, event: RecordEvent) -> None:
        match = self.match(event)
        text = records.dumps(match, "json")
        assert text == json.dumps(match) + "\n"
        assert records.lost_fields(match, "json") == ("games[0].rest",)
        cut = records.loads(text)
        assert records.lost_fields(cut, "json") == ("games[0].rest",)
        again = records.loads(records.dumps(cut, "json"))
        assert (again, everything(again)) == (cut, everything(cut))

    def test_every_way_to_read(self, tmp_path: Path) -> None:
        path = tmp_path / "x.json"
        path.write_text(json.dumps(self.match(self.BROKEN[0][0])))
        (scanned,) = records.scan(path)
        for match in (load(path), *records.load_all(path), *records.loads_all(path.read_bytes()), scanned.match):
            assert match is not None
            assert [game.cut for game in match.games] == [True, False]

    @loop.over("play", ["6/5 8/5", [(8, 5), (6, 5)], Position.start().legal_plays("31").find("8/5 6/5")])
    def test_plays_that_are_not_canonical(self, play: Any) -> None:
        """They stay as they are written, and decisions name them as everywhere."""
        game = Game(1, self.START, (self.OPENING, Event("play", argument=play)))
        match = records.loads(json.dumps(Match(("Ann", "Bob"), 7, (game,))))
        assert match.games[0] == game
        (decision,) = match.decisions()
        assert (decision.action, decision.player) == ("8/5 6/5", Player.WHITE)

    def test_games_that_are_whole_are_not_replayed_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        match = records.loads(json.dumps(load(DATA / "matches" / "galaxy" / "match7662222.txt")))
        monkeypatch.setattr(MatchState, "apply", lambda *_: pytest.fail("a game is replayed twice"))
        assert len([*match.decisions()]) > 100

    def test_findings_are_no_more_than_of_any_record(self) -> None:
        bad = self.match(self.BROKEN[0][0]).games[0]
        match = records.loads(json.dumps(Match(("Ann", "Bob"), 7, (bad,) * 100)))
        assert len(match.findings) == 51
        assert all(game.cut for game in match.games)


class TestRefused:
    """Each wrong place is named by its path."""

    @loop.over(("path", "value", "sentence"), MALFORMED)
    def test_malformed(self, path: str, value: object, sentence: str) -> None:
        data = changed(path, value)
        for read in (json.from_data, lambda data: json.loads(python_json.dumps(data), Match)):
            with wording.raises(ParseError, sentence) as caught:
                read(data)
            assert str(caught.value).startswith(sentence.partition(": ")[0] + ": ")
        if not isinstance(value, float):  # those that no JSON can hold, or are whole
            assert not SCHEMAS["Match"].is_valid(data)

    @loop.over(("path", "value", "sentence"), IMPOSSIBLE)
    def test_impossible(self, path: str, value: object, sentence: str) -> None:
        with wording.raises(GammonError, sentence) as caught:
            json.from_data(changed(path, value))
        assert type(caught.value) is not ParseError


@loop.over("number", (10, 11, 12))
def test_ten_errors_are_listed(number: int) -> None:
    """Unknown fields of an object, or wrong items of an array."""
    for wrong in ({f"x{at}": 0 for at in range(number)}, {"games": ["x"] * number}):
        with pytest.raises(ParseError) as caught:
            json.from_data(json.to_data(MATCH) | wrong)
        said = str(caught.value)
        assert (said.count("$"), said.endswith("; and more")) == (10, number > 10)


class TestLength:
    """A record may be long; other values are short, and so is what a server reads of them."""

    def test_of_single_values(self) -> None:
        blanks = " " * MAX_JSON_LENGTH
        with pytest.raises(ParseError, match="up to 1000000 characters"):
            json.loads(blanks + json.dumps(Dice(3, 1)), Dice)
        assert json.loads(blanks + json.dumps(MATCH)) == json.loads(blanks + json.dumps(MATCH), Match) == MATCH

    def test_of_records(self, monkeypatch: pytest.MonkeyPatch) -> None:
        text = json.dumps(MATCH)
        monkeypatch.setattr(_document, "MAX_JSON_RECORD_LENGTH", len(text))
        assert json.loads(text) == MATCH
        for longer in (text + " ", (text + " " * 4 * len(text)).encode()):
            with pytest.raises(ParseError, match=f"a document has up to {len(text)} characters"):
                json.loads(longer, Match)

    def test_of_what_is_written(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gammonrules.json._text.MAX_JSON_RECORD_LENGTH", 1_000)
        with pytest.raises(GammonError, match="a document has up to 1000 characters"):
            json.dumps(MATCH)


def test_a_match_is_read_before_records_are_imported() -> None:
    """In a fresh interpreter, which has met no record; its type is listed there too."""
    program = """
import sys
from gammonrules import json
try:
    json.loads('{"version":3,"type":"Castle"}')
except ValueError as error:
    assert '"Match"' in str(error)
assert not any(name.startswith("gammonrules.records") for name in sys.modules)
assert json.dumps(json.loads(sys.argv[1])) == sys.argv[1]
"""
    processes.run(sys.executable, "-c", program, json.dumps(MATCH))


def test_no_other_values_of_records_have_a_form() -> None:
    for value in (Severity.INFO, EncodedAnalysis(None, lambda _data, _state: None), [MATCH]):
        with wording.raises(ArgumentError, " has no JSON form"):
            json.dumps(value)  # type: ignore[arg-type]
