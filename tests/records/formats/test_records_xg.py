"""eXtreme Gammon's binary files: what they hold, against text exports of the same matches and figures of others."""

from __future__ import annotations

import re
import struct
import zlib
from functools import cache
from operator import attrgetter
from pathlib import Path

import attrs
import pytest
import xg_files
from hypothesis import given, settings, strategies as st

import each
import loop
from fact_tables import table
from gammonrules import SetPosition, strategies
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.board import Position, Win
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.errors import ParseError
from gammonrules.match import Action, Cube, End, Event, MatchState, Phase, Player
from gammonrules.records import (
    CubeAnalysis,
    Decision,
    DecisionKind,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    load,
    loads,
    referee,
)
from gammonrules.records.formats.xg.xg_container import Comments, text_of_rtf
from gammonrules.rules import MONEY, TOURNAMENT
from real_records import loaded

DATA = Path(__file__).parents[2] / "data"
TEXTS = DATA / "matches" / "xg-text"
TEST = DATA / "matches" / "xg" / "test.xg"
COMMENTED = DATA / "matches" / "xg" / "match_with_comment.xg"
DOUBLES = DATA / "analysis" / "xg" / "aachen2024-double-7pt-a.xg"
ALL = sorted(DATA.glob("*/xg/*.xg"))
NAMES = ("Ann", "Bob")


def kinds(match: Match) -> list[str]:
    return [f"{finding.severity} {finding.kind}" for finding in referee(match)]


class TestRealFiles:
    """The five files of the program."""

    @loop.rows("name", "test.mat", "test.txt")
    def test_are_equal_to_the_text_exports_of_the_same_program(self, name):
        """Players, length, rules, every event and every tag."""
        theirs = load(TEXTS / name)
        assert loaded(TEST) == theirs
        assert (loaded(TEST).rolls, loaded(TEST).ratings) == (theirs.rolls, theirs.ratings)

    @loop.over("path", ALL, ids=lambda path: path.stem[:20])
    def test_replay_as_they_say(self, path):
        """Boards, cubes, scores, flags, winners and points are those that the files store."""
        match = loaded(path)
        faults = [finding for finding in referee(match) if finding.severity is not Severity.INFO]
        assert [(finding.kind, finding.game, finding.line) for finding in faults] == (
            [(FindingKind.ILLEGAL_PLAY, 7, 582)] if path == DOUBLES else []
        )
        assert match.winner is not None
        assert all(game.result for game in match.games)
        assert match.format == "xg"

    def test_the_remarks(self):
        notes = [(game.number, note) for game in loaded(COMMENTED).games for note in game.notes if note]
        assert notes == [(1, "coup assez difficile"), (1, "les double 66 sont toujpurs difficiles à trouver")]
        decisions = [decision for decision in loaded(COMMENTED).decisions() if decision.note]
        assert [(decision.kind.value, decision.line) for decision in decisions] == [("play", 8), ("play", 12)]


def decisions_with(path: Path, kind: type[PlayAnalysis | CubeAnalysis]) -> list[Decision]:
    return [decision for decision in loaded(path).decisions() if isinstance(decision.analysis, kind)]


def cubeless(six: tuple[float, ...], state: MatchState) -> float | None:
    """The normalized equity of six chances without further doubling, by the table: XG's seventh number."""
    return KAZAROSS_XG2.equity_from(Chances(*(six[i] for i in (3, 4, 5, 1, 0))), state)


class TestAnalysis:
    """What the engine thought: numbers, whose they are, in which unit."""

    KINDS = {"play": DecisionKind.PLAY, "cube": DecisionKind.DOUBLE, "response": DecisionKind.ANSWER}

    def decision(self, row: dict[str, str]) -> Decision | None:
        game = loaded(DATA / "analysis" / row["file"]).games[int(row["game"]) - 1]
        kind = self.KINDS[row["kind"]]
        # A roll is the decision not to double, and stands in the record after that of the cube.
        line = game.line + int(row["n"]) + (row["kind"] == "cube" and row["played"] == "no double")
        same = [decision for decision in game.decisions() if decision.kind is kind and decision.line == line]
        assert len(same) <= 1
        return same[0] if same else None

    @loop.over(
        "row", [row for row in table(DATA / "analysis" / "expected.tsv") if row["file"].endswith(".xg")], ids=str
    )
    def test_of_an_independent_decoder(self, row):
        decision = self.decision(row)
        if row["note"].startswith("illegal play"):
            assert decision is None  # it is no decision between legal plays
            return
        ours = {name: getattr(decision, name) for name in ("error", "luck")}
        ours |= {"eq_played": decision.equity, "eq_best": decision.equity_best}
        about = decision.analysis
        if isinstance(about, CubeAnalysis):
            ours |= {"nd": about.no_double, "dt": about.double_take, "dp": about.double_drop}
            ours |= {"win_best": about.chances.win if row["kind"] == "cube" else None}
            level, words = about.level, {"roll": "no double"}
            assert (words.get(decision.action, decision.action), words.get(decision.best, decision.best)) == (
                row["played"],
                row["best"],
            )
        else:
            ours |= {"win_best": about.best.chances.win, "nd": None, "dt": None, "dp": None}
            level = about.best.level
            plays = decision.state.legal_plays
            assert plays.find(decision.action) == plays.find(row["played"])
            assert plays.find(decision.best) == plays.find(row["best"])
        assert str(level).removeprefix("opening ") == row["level"]
        theirs = {name: float(row[name]) if row[name] else None for name in ours}
        assert ours == pytest.approx(theirs, abs=1e-4)

    @loop.over("path", ALL, ids=lambda path: path.stem[:20])
    def test_the_errors_of_doubles_and_answers_follow_from_the_equities(self, path):
        """The stated ones are ours; the free doubles that were not made state 0.0001."""
        checked = 0
        for decision in decisions_with(path, CubeAnalysis):
            about = decision.cube_analysis
            answer = decision.kind is DecisionKind.ANSWER
            stated = about.stated_answer_error if answer else about.stated_error
            assert decision.error == pytest.approx(stated, abs=1.5e-4)
            assert about.double_drop == 1
            checked += 1
        assert checked > 50

    @loop.over("path", ALL, ids=lambda path: path.stem[:20])
    def test_the_cubeless_equities_follow_from_the_chances(self, path):
        """By the table of Kazaross: this proves the order, the view and the unit of the chances."""
        checked = 0
        for decision in decisions_with(path, CubeAnalysis):
            block = decision.stored.data.block
            state = decision.state
            if decision.kind is DecisionKind.ANSWER:
                continue
            single, double = struct.unpack_from("<7f", block, 32), struct.unpack_from("<7f", block, 76)
            assert cubeless(single, state) == pytest.approx(single[6], abs=2e-4)
            assert cubeless(double, state) == pytest.approx(double[6], abs=2e-4)
            about = decision.cube_analysis
            assert attrs.astuple(about.chances) == pytest.approx([single[i] for i in (3, 4, 5, 1, 0)], abs=1e-6)
            checked += 1
        assert checked > 50


def turn(state: MatchState, dice: str, play: str | None = None) -> list[Event]:
    """A roll, and a play."""
    rolled = Event("roll", argument=dice)
    if play is None:
        return [rolled]
    return [rolled, Event("play", argument=play)]


def game_of(start: MatchState, *events: Event) -> Match:
    return Match(NAMES, start.length, (Game(1, start, events),))


OPENING = (Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5"))
RESIGNED = (Event("resign", Player.BLACK), Event("accept"))
SHORT = game_of(MatchState.new(7), *OPENING, *RESIGNED)


def states_of(match: Match) -> list[list[MatchState]]:
    return [list(game.states()) for game in match.games]


def without_ties_and_refusals(game: Game) -> Game:
    """The same game as the format can hold it: the cube that ties have turned, no resignation that was declined."""
    start, states = game.start, list(game.states())
    first = next((i for i, state in enumerate(states) if state.phase is not Phase.OPENING), len(states))
    begun = max(0, first - 1)
    events = list(game.events[begun:])
    kept = []
    for event, following in zip(events, [*events[1:], None], strict=True):
        if event.action is Action.DECLINE or (following is not None and following.action is Action.DECLINE):
            continue
        kept.append(event)
    return Game(game.number, states[begun] if begun else start, tuple(kept))


class TestRoundTrip:
    """Records written as files, and read again: every state is the same."""

    @loop.rows("answers", ["take"], ["drop"], ["beaver", "take"], ["beaver", "drop"], ["beaver", "beaver", "take"])
    def test_answers(self, answers):
        start = MatchState.new(None, rules=attrs.evolve(MONEY, beavers=3))
        events = [*OPENING, Event("double"), *map(Event, answers)]
        if answers[-1] == "take":
            events += [Event("roll", argument="62"), Event("play", argument="24/18 13/11")]
        match = game_of(start, *events)
        again = loads(xg_files.file_of(match))
        assert again.rules.beavers == max(1, answers.count("beaver"))
        told = attrgetter("position", "cube", "offer", "result")
        assert [*map(told, again.games[0].states())] == [*map(told, match.games[0].states())]

    def test_a_beaver_is_taken_by_rolling_on(self):
        """If the file does not say what the doubler answered."""
        start = MatchState.new(None)
        match = game_of(start, *OPENING, Event("double"), Event("beaver"), Event("take"), Event("roll", argument="62"))
        records = xg_files.records_of(match)
        cube = next(record for record in records if record[8] == 2 and struct.unpack_from("<i", record, 16)[0] == 1)
        xg_files.put(cube, 24, "i", -1)
        assert states_of(loads(xg_files.pack(records))) == states_of(match)

    def test_automatic_doubles(self):
        rules = attrs.evolve(MONEY, auto_doubles=3)
        start = attrs.evolve(MatchState.new(None, rules=rules), cube=Cube(4))
        match = game_of(start, *OPENING, Event("double"), Event("take"), *turn(start, "62", "24/18 13/11"), *RESIGNED)
        again = loads(xg_files.file_of(match))
        assert again.rules == rules
        assert states_of(again) == states_of(match)
        assert kinds(again) == []
        assert again.games[0].result.points == 8

    def test_a_start_that_is_not_that_of_the_rules(self):
        """The first turn sets the position, since the file says there whose turn it is."""
        position = Position.of(mine={6: 5, 5: 5, 4: 5}, theirs={6: 5, 5: 5, 4: 5})
        match = game_of(MatchState.new(7, position=position), Event("opening_roll", argument=(3, 1)))
        game = loads(xg_files.file_of(match)).games[0]
        assert isinstance(game.events[0], SetPosition)
        assert game.final().position == position
        assert kinds(loads(xg_files.file_of(match))) == ["info unfinished-game", "info position-set"]

    @loop.rows(
        ("length", "options"),
        *((7, {"crawford": False}), (7, {"max_cube": 64}), (7, {"cube": False}), (None, {"jacoby": False})),
        *((None, {"beavers": 0}), (None, {"auto_doubles": 1})),
        *((5, {"start": name}) for name in ("nackgammon", "hypergammon", "longgammon")),
    )
    def test_rules(self, length, options):
        rules = attrs.evolve(TOURNAMENT if length else MONEY, **options)
        assert loads(xg_files.file_of(game_of(MatchState.new(length, rules=rules), OPENING[0]))).rules == rules

    STARTS = st.sampled_from(
        [
            MatchState.new(None),
            MatchState.new(None, rules=attrs.evolve(MONEY, jacoby=False, beavers=0)),
            MatchState.new(None, rules=attrs.evolve(MONEY, auto_doubles=2)),
            MatchState.new(1),
            MatchState.new(3),
            MatchState.new(5, rules=attrs.evolve(TOURNAMENT, crawford=False)),
            MatchState.new(3, rules=attrs.evolve(TOURNAMENT, start="hypergammon")),
        ]
    )

    @given(strategies.matches(starts=STARTS, max_games=3, max_turns=6))
    @settings(max_examples=6)
    def test_any_match(self, match):
        match = attrs.evolve(match, games=tuple(map(without_ties_and_refusals, match.games)), tags=())
        again = loads(xg_files.file_of(match))
        assert len(again.games) == len(match.games)
        for ours, theirs in zip(again.games, match.games, strict=True):
            mine, wanted = list(ours.states()), list(theirs.states())
            if wanted[-1].result.end == "resigned":  # of a level that gives the same points
                assert (mine[-1].result.points, mine[-1].result.winner) == (
                    wanted[-1].result.points,
                    wanted[-1].result.winner,
                )
                mine, wanted = mine[:-2], wanted[:-2]
            assert mine == wanted
        assert {kind.split()[0] for kind in kinds(again)} <= {"info"}


# --- what a file says against the replay ------------------------------------------------------------------------------

TURNS = (
    *OPENING,
    *turn(MatchState.new(7), "62", "24/18 13/11"),
    *turn(MatchState.new(7), "43", "24/20 13/10"),
    Event("double"),
    Event("take"),
    *turn(MatchState.new(7), "51", "13/8 6/5*"),
)
PLAYED = game_of(MatchState.new(7), *TURNS, Event("resign", Player.WHITE, Win.GAMMON), Event("accept"))


def changed(match: Match, kind: int, number: int, *changes: tuple[object, ...]) -> Match:
    """The match after one of its records, the one with this number among those of its kind, is changed."""
    records = xg_files.records_of(match)
    record = [record for record in records if record[8] == kind][number]
    for at, form, *values in changes:
        xg_files.put(record, at, form, *values)
    return loads(xg_files.pack(records))


def after_the_last_play(*points: tuple[int, int]) -> list[int]:
    """The board after Black's last play, as they see it, with these changes."""
    view = [*PLAYED.games[0].states()][8].view(Player.BLACK).points
    return [count + dict(points).get(point, 0) for point, count in enumerate(view)]


def findings(match: Match) -> list[tuple[str, int | None]]:
    return [(f"{finding.severity} {finding.kind}", finding.line) for finding in referee(match)]


class TestReferee:
    """Everything that a file stores twice is compared: with the replay, and with itself."""

    def test_nothing_is_found_in_a_sound_file(self):
        assert findings(loads(xg_files.file_of(PLAYED))) == []
        assert states_of(loads(xg_files.file_of(PLAYED))) == states_of(PLAYED)

    def test_another_board_before_a_turn(self):
        board = xg_files.board(Position.of(mine={6: 5, 8: 3, 13: 5, 24: 2}, theirs={6: 5, 8: 3, 13: 5, 23: 2}))
        match = changed(PLAYED, 2, 2, (36, "26s", board))
        assert findings(match)[0] == ("warning position-mismatch", 7)
        assert any(isinstance(event, SetPosition) for event in match.games[0].events)

    @loop.rows("cube", 3, -1)
    def test_another_cube(self, cube):
        match = changed(PLAYED, 2, 2, (32, "i", cube))
        assert findings(match)[0] == ("warning position-mismatch", 7)
        event = next(event for event in match.games[0].events if isinstance(event, SetPosition))
        assert event.cube == Cube(2 ** abs(cube), Player.WHITE if cube > 0 else Player.BLACK)

    def test_another_cube_after_automatic_doubles(self):
        """The file counts from the cube of the start."""
        start = attrs.evolve(MatchState.new(None, rules=attrs.evolve(MONEY, auto_doubles=3)), cube=Cube(4))
        match = changed(game_of(start, *OPENING, *turn(start, "62", "24/18 13/11")), 2, 1, (32, "i", 1))
        event = next(event for event in match.games[0].events if isinstance(event, SetPosition))
        assert event.cube == Cube(8, Player.WHITE)

    @loop.rows(
        ("kind", "number", "changes", "expected"),
        (2, 1, [(12, "i", 0)], ("error unreadable-line", 5)),  # a turn of nobody
        (2, 1, [(12, "i", -7)], ("error unreadable-line", 5)),
        (2, 2, [(32, "i", 25)], ("warning position-mismatch", 7)),  # a cube that cannot be
        (2, 2, [(32, "i", -(2**31))], ("warning position-mismatch", 7)),
        (2, 3, [(32, "i", 1)], ("warning position-mismatch", 9)),  # White owns the cube, and Black doubles
        (3, 1, [(64, "i", 1)], ("error illegal-action", 6)),  # a roll of the wrong player
        (3, 1, [(100, "2i", 7, 1)], ("error unreadable-line", 6)),  # no dice
        (3, 1, [(100, "2i", 2**31 - 1, -(2**31))], ("error unreadable-line", 6)),
        (3, 1, [(68, "4i", 23, 17, 12, 11)], ("warning position-mismatch", 6)),  # other moves than those to the board
        (3, 1, [(68, "8i", 0, 0, *[-1] * 6), (35, "26b", *[3] * 26)], ("error illegal-play", 6)),
        (3, 3, [(68, "8i", *[-1] * 8), (35, "26b", *after_the_last_play())], ("error illegal-play", 10)),  # a pass
        (1, 0, [(20, "B", 1)], ("warning crawford-mismatch", 2)),
        (4, 0, [(24, "i", 7)], ("info unfinished-game", 11)),  # points without a winner, a winner without points
        (4, 0, [(28, "i", 0)], ("info unfinished-game", 11)),
        (4, 0, [(28, "i", -3)], ("info unfinished-game", 11)),
        (4, 0, [(28, "i", 10**9)], ("warning resign-odd-value", 11)),
        (4, 0, [(28, "i", 10**9 + 1)], ("info unfinished-game", 11)),
        (4, 0, [(28, "2i", 3, 1001)], ("warning forfeit", 11)),
    )
    def test_a_field_that_cannot_be_right(self, kind, number, changes, expected):
        assert expected in findings(changed(PLAYED, kind, number, *changes))

    def test_a_last_roll_without_dice(self):
        """The end that the file states is taken."""
        match = changed(PLAYED, 3, 3, (100, "2i", 0, 1))
        assert findings(match)[0][0] == "error unreadable-line"
        assert (match.games[0].cut, match.games[0].result) == (False, PLAYED.games[0].result)

    @loop.rows("flag", 0, 2)
    def test_an_illegal_play(self, flag):
        """It stands, whether the program has noticed it or not."""
        after = 35, "26b", *after_the_last_play((13, -1), (6, 1))
        match = changed(PLAYED, 3, 3, (68, "8i", 12, 5, *[-1] * 6), after, (2480, "i", flag))
        assert findings(match)[0] == ("error illegal-play", 10)
        assert re.fullmatch("[1-6][1-6]: 13/6", referee(match)[0].text)
        assert match.games[0].result.points == 4

    def test_an_illegal_play_of_the_last_checkers(self):
        """It wins what the board says, not what the file states."""
        after = [min(0, count) for count in after_the_last_play()]
        match = changed(PLAYED, 3, 3, (68, "8i", 0, 0, *[-1] * 6), (35, "26b", *after))
        assert findings(match)[0] == ("error illegal-play", 10)
        final = match.games[0].final()
        assert (final.result.winner, final.result.end, final.on_roll) == (Player.BLACK, End.PLAYED, Player.WHITE)
        assert final.result.points == final.result.win * final.cube.value

    def test_one_that_stood_in_a_tournament(self):
        """The record after it, as eXtreme Gammon wrote it, is the opponent's roll from the board that it left."""
        match = load(DOUBLES)
        (game,) = [game for game in match.games if any(isinstance(event, SetPosition) for event in game.events)]
        states = [*game.states()]
        (index,) = [index for index, event in enumerate(game.events) if isinstance(event, SetPosition)]
        before, stands, rolled = states[index : index + 3]
        assert (before.on_roll, str(before.dice)) == (Player.BLACK, "43")
        assert stands.position not in [play.position for play in before.legal_plays]
        assert (stands.to_act, stands.dice, rolled.to_act) == (Player.WHITE, None, Player.WHITE)
        assert game.events[index + 1] == Event("roll", Player.WHITE, "44")
        kinds = {finding.kind for finding in match.findings if finding.game == game.number}
        assert FindingKind.ILLEGAL_PLAY in kinds
        assert FindingKind.POSITION_MISMATCH not in kinds  # the boards that the file has for the turns after it

    def test_a_play_that_is_not_shown(self):
        """The board before the next turn shows it."""
        match = changed(PLAYED, 3, 1, (68, "8i", *[0] * 8), (35, "26s", bytes(26)), (2308, "B", 0))
        assert findings(match) == [("info hidden-play", 7)]
        assert states_of(match) == states_of(PLAYED)

    def test_a_file_that_begins_after_the_crawford_game(self):
        """There nothing but the flag says which game it is."""
        start = MatchState.new(7, score=(3, 6), crawford=False)
        lost = *OPENING, *RESIGNED
        first = game_of(start, *lost).games[0]
        match = Match(("Ann", "Bob"), 7, (first, Game(2, first.final().next_game(), lost)))
        again = loads(xg_files.file_of(match))
        assert [game.start for game in again.games] == [game.start for game in match.games]
        assert kinds(again) == []

    def test_the_winner_and_the_scores(self):
        assert findings(changed(PLAYED, 4, 0, (24, "i", 1))) != []
        assert kinds(changed(PLAYED, 4, 0, (12, "2i", 1, 4))) == ["warning points-mismatch"]
        assert findings(changed(PLAYED, 5, 0, (12, "2i", 5, 5))) == [("warning points-mismatch", 12)]

    def test_the_score_before_the_next_game(self):
        two = attrs.evolve(PLAYED, games=(*PLAYED.games, Game(2, MatchState.new(7, score=(0, 4)), OPENING + RESIGNED)))
        assert findings(loads(xg_files.file_of(two))) == []
        for score in ((1, 4), (9, 4)):
            assert "error score-does-not-follow" in kinds(changed(two, 1, 1, (12, "2i", *score)))

    @loop.rows("score", (-4, 4), (0, -(2**31)), (2**31 - 1, 0))
    def test_no_score_of_money_play(self, score):
        """The game is read all the same, since nothing but the score depends on it."""
        start = MatchState.new(None)
        games = Game(1, start, OPENING + RESIGNED), Game(2, MatchState.new(None, score=(1, 0)), OPENING + RESIGNED)
        match = changed(Match(NAMES, None, games), 1, 1, (12, "2i", *score))
        assert findings(match)[0] == ("error score-does-not-follow", 6)
        assert [game.score for game in match.games] == [(0, 0), (1, 0)]
        assert match.score == (2, 0)

    @loop.rows("termination", 0, 2, 101, 104, -5)
    def test_the_level_of_a_resignation_follows_from_the_points(self, termination):
        match = changed(PLAYED, 4, 0, (32, "i", termination))
        assert match.games[0].result.win is Win.GAMMON
        assert kinds(match) == ["info resign-without-marker"] * (termination < 100)

    def test_a_drop_that_was_none(self):
        dropped = game_of(MatchState.new(7), *OPENING, Event("double"), Event("drop"))
        assert findings(loads(xg_files.file_of(dropped))) == []
        for termination in (2, 101):
            assert "warning points-mismatch" in kinds(changed(dropped, 4, 0, (32, "i", termination)))

    def test_a_game_that_goes_on_after_its_end(self):
        records = xg_files.records_of(PLAYED)
        records.insert(-1, records[-3])
        match = loads(xg_files.pack(records))
        assert findings(match) == [("warning points-mismatch", 12)]
        assert states_of(match) == states_of(PLAYED)

    def test_a_game_that_was_played_to_its_end(self):
        position = Position.of(mine={1: 1, "off": 14}, theirs={1: 1, "off": 14})
        start = MatchState.new(7, position=position)
        match = game_of(start, Event("opening_roll", argument=(3, 1)), Event("play", argument="1/off"))
        records = xg_files.records_of(match)
        assert kinds(loads(xg_files.pack(records))) == ["info position-set"]
        for termination in (0, 101):
            assert [kind for kind in kinds(changed(match, 4, 0, (32, "i", termination))) if "warning" in kind]
        without = loads(xg_files.pack([record for record in records if record[8] != 4]))
        assert ("info unfinished-game", 4) in findings(without)
        assert without.score == (1, 0)

    @loop.rows(("points", "kind"), (7, "warning forfeit"), (2, "info unfinished-game"))
    def test_a_game_without_a_roll(self, points, kind):
        """Nobody can resign before the opening roll; points that win the match were awarded."""
        header, start, *_, footer, end = xg_files.records_of(PLAYED)
        xg_files.put(footer, 28, "2i", points, 101)
        xg_files.put(footer, 12, "2i", 0, points)
        xg_files.put(end, 12, "2i", 0, points)
        assert kinds(loads(xg_files.pack([header, start, footer, end]))) == [kind]

    def test_an_opening_doublet(self):
        """It is rolled as in any other turn; here its play, that of another roll, is then illegal."""
        match = changed(PLAYED, 3, 0, (100, "2i", 3, 3))
        assert findings(match)[:2] == [("error illegal-action", 4), ("error illegal-play", 4)]
        assert [event.action for event in match.games[0].events[1:2]] == [Action.ROLL]

    def test_a_coin_game(self):
        """BackgammonGalaxy writes a game of money play as a match to 16."""
        written = attrs.evolve(game_of(MatchState.new(16), *TURNS), tags=(("Site", "BackgammonGalaxy"),))
        match = loads(xg_files.file_of(written))
        assert (match.length, match.is_coin_game, match.games[0].start.length, match.rules) == (16, True, None, MONEY)
        assert [str(finding.kind) for finding in match.findings] == ["coin-game", "unfinished-game"]

    def test_records_that_cannot_be_read_in_a_row_are_one_finding(self):
        records = xg_files.records_of(PLAYED)
        records[6:6] = [xg_files.new(kind) for kind in (7, 200, 99)]
        records[11:11] = [xg_files.new(7), records[0], xg_files.new(0)]
        match = loads(xg_files.pack(records))
        assert findings(match) == [("error unreadable-line", 7), ("error unreadable-line", 12)]
        assert states_of(match) == states_of(PLAYED)

    def test_records_where_they_do_not_belong(self):
        records = xg_files.records_of(PLAYED)
        records = [records[0], records[3], *records[1:], records[1], records[0]]
        match = loads(xg_files.pack(records))
        assert findings(match) == [("error unreadable-line", 2), ("error unreadable-line", 14)]
        assert states_of(match) == states_of(PLAYED)

    @loop.rows("number", -1, 25)
    def test_impossible_automatic_doubles(self, number):
        match = changed(game_of(MatchState.new(None), *OPENING), 1, 0, (64, "i", number))
        assert findings(match)[0][0] == "error illegal-action"


class TestPositionFiles:
    """A position that was saved (`.xgp`): a game header, one turn, no footers; the roll may be the question."""

    def position_file(self, kinds_of_records: set[int]) -> Match:
        start = MatchState.new(7, score=(3, 5))
        asked = game_of(start, *OPENING, Event("roll", argument="62"))
        records = xg_files.records_of(asked)[:-1]
        turns = [record for record in records[4:] if record[8] in kinds_of_records]
        return loads(xg_files.pack([*records[:2], *turns]))

    def test_of_a_cube(self):
        match = self.position_file({2})
        game = match.games[0]
        assert (game.score, game.final().phase) == ((3, 5), Phase.TO_ROLL)
        assert game.final().on_roll is Player.BLACK
        assert kinds(match) == ["info unfinished-game", "info position-set"]

    def test_of_a_roll(self):
        game = self.position_file({2, 3}).games[0]
        assert (game.final().phase, str(game.final().dice)) == (Phase.TO_PLAY, "62")
        assert self.position_file({3}).games[0].final() == game.final()


# --- header, comments, analyses ---------------------------------------------------------------------------------------


class TestHeader:
    """Names in both encodings, dates, places, rules."""

    def header(self, *changes: tuple[int, bytes], version: int = 32, match: Match = SHORT) -> Match:
        records = xg_files.records_of(match, version=version)
        for at, data in changes:
            records[0][at : at + len(data)] = data
        return loads(xg_files.pack(records))

    @loop.rows("names", ("Kévin", "Åsa"), ("", "Bob"), ("same", "same"), ("x" * 40, "\u20ac"))
    @loop.rows("version", 8, 23, 24, 32)
    def test_names(self, names, version):
        assert self.header(version=version, match=attrs.evolve(SHORT, players=names)).players == names

    def test_names_beyond_windows_1252(self):
        match = attrs.evolve(SHORT, players=("Αλέξης " + "ω" * 100, "日本\U0001f3b2"))
        assert self.header(match=match).players == match.players

    def test_unicode_is_preferred_where_there_is_any_and_cut_at_its_zero(self):
        match = self.header((9, xg_files.pascal("cut off", 40)), (880, "whole\0rest".encode("utf-16-le")))
        assert match.players == ("whole", "Bob")
        assert self.header((880, bytes(258))).players == ("Ann", "Bob")

    def test_names_of_noise(self):
        match = self.header((9, b"\xff" * 82), (880, b"\x00\xd8" * 129), (1138, b"\n\0\x1b\0A\0"))
        assert match.players[1] == "A"
        assert all(name.isprintable() for name in match.players)

    def test_ratings(self):
        ratings = 104, struct.pack("<2d2i", 1500.5, 1700.25, 10, 20)
        match = self.header(ratings)
        assert match.ratings == (1500.5, 1700.25)
        assert dict(match.tags)["Player 1 Elo"] == "1700.25/20"  # player 1 of the text export is on the right
        assert self.header(ratings, match=attrs.evolve(SHORT, players=("same", "same"))).ratings == match.ratings

    @loop.rows(
        ("days", "date"),
        *((45256.395833333336, "2023-11-26 09:30"), (1.0, "1899-12-31 00:00"), (2958465.0, "9999-12-31 00:00")),
        *((2958466.0, None), (0.0, None), (float("nan"), None), (float("inf"), None)),
    )
    def test_dates(self, days, date):
        match = self.header((128, struct.pack("<d", days)))
        stated = None if match.date is None else f"{match.date} {match.time:%H:%M}"
        assert stated == date

    @loop.rows(
        "at, values, name, value",
        *((608, [-1], "site", None), (608, [1], "site", "FIBS"), (608, [15], "site", "XG Mobile")),
        *((92, [1], "length", 1), (92, [25], "length", 25), (92, [99_999], "length", None)),
        *((612, [limit], "rules.max_cube", None) for limit in (-1, 11, 2**31 - 1)),
        *((104, [*[no] * 2, -5, -(2**31)], "ratings", (0, 0)) for no in (float("nan"), float("inf"), -1e300)),
    )
    def test_numbers(self, at, values, name, value):
        form = "<2d2i" if name == "ratings" else "<i"
        assert attrgetter(name)(self.header((at, struct.pack(form, *values)))) == value

    @loop.rows("version, limit", (7, None), (8, 8), (32, 8))
    def test_the_cube_has_a_limit_since_version_8(self, version, limit):
        assert self.header((612, struct.pack("<i", 3)), version=version).rules.max_cube == limit

    @loop.rows("byte, value", (0, "Off"), (1, "On"))
    def test_unrated(self, byte, value):
        assert ("Unrated", value) in self.header((574, bytes([byte]))).tags

    @loop.rows(("version", "at"), (23, 283), (32, 1396))
    def test_places(self, version, at):
        text = xg_files.pascal("Genève", 128) if version < 24 else xg_files.wide("Genève")
        assert self.header((at, text), version=version).site == "Genève"

    @loop.rows("length", -1, -(2**31), 2**31 - 1)
    def test_impossible_lengths(self, length):
        with pytest.raises(ParseError, match="an impossible length, "):
            self.header((92, struct.pack("<i", length)))

    @loop.rows("variation", 4, -1, 2**31 - 1)
    def test_unknown_variations(self, variation):
        assert kinds(self.header((96, struct.pack("<i", variation)))) == ["info unknown-variation"]

    def test_a_cube_is_there_if_it_was_turned(self):
        assert self.header((612, struct.pack("<i", 0)), match=PLAYED).rules == TOURNAMENT
        assert not self.header((612, struct.pack("<i", 0))).rules.cube

    def test_the_mark(self):
        assert kinds(self.header((556, bytes(4)))) == ["error damaged-file"]

    def test_no_header(self):
        with pytest.raises(ParseError, match="holds no match"):
            loads(xg_files.pack(xg_files.records_of(SHORT)[1:]))
        with pytest.raises(ParseError, match="holds no game"):
            loads(xg_files.pack(xg_files.records_of(SHORT)[:1]))


RTF = b"{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}}\x01\x02{\\colortbl;}\\pard\\f0 "


class TestComments:
    """Texts in RTF."""

    @loop.rows(
        ("rtf", "text"),
        (rb"caf\'e9\par}", "café"),
        (rb"one\par two\line three\tab four}", "one\ntwo\nthree\tfour"),
        (rb"\u8364?uro \u-10179?\u-9139?!}", "€uro \U0001f44d!"),
        (rb"\uc0\u233 t\u233}", "été"),
        (rb"{\uc2\u233 ab}c}", "éc"),
        (rb"\{a\\b\}}", r"{a\b}"),
        (rb"{\b bold}{\*\generator no text;} and {\i slanted}}", "bold and slanted"),
        (rb"\ldblquote so\rdblquote\~it is}", "“so”\xa0it is"),
        (b"x\x01\x02y}", "xy"),
        (rb"{\*\x{\*\y{a}b}c}d}", "d"),
        (rb"no end", "no end"),
        (rb"}}}}too many ends{{{{", "too many ends"),
        (rb"\'zz\u\uc\'", "zz"),
    )
    def test_texts(self, rtf, text):
        assert Comments.of(RTF + rtf).text(0) == text

    @loop.rows(
        ("page", "data", "text"),
        (b"1251", rb"\'ef\'f0", "пр"),
        (b"932", rb"\'93\'fa\'96\'7b", "日本"),
        (b"99999", rb"\'e9", "é"),
    )
    def test_code_pages(self, page, data, text):
        assert text_of_rtf(rb"{\rtf1\ansi\ansicpg" + page + b" " + data + b"}") == text

    def test_plain_texts(self):
        assert text_of_rtf(b"no RTF: \xe9\xff\x81") == "no RTF: éÿ\ufffd"

    def test_nesting_costs_nothing(self):
        assert Comments.of(RTF + b"{" * 9_000 + b"deep" + b"}" * 9_000).text(0) == "deep"

    def test_comments_are_bounded(self):
        assert len(text_of_rtf(b"x" * 100_000)) == 20_000
        many = Comments.of((b"x" * 20_000 + b"\r\n") * 1_000)
        assert sum(bool(many.text(number)) for number in range(1_000)) == 105  # 2 MiB of them
        assert sum(bool(many.text(0)) for _ in range(1_000)) == 104  # 4 MiB of text

    @given(
        st.lists(st.sampled_from([b"{", b"}", b"\\", b"'", b"e9", b"\\u", b"\\uc", b"-", b"1", b"\\*", b" ", b"\xff"]))
    )
    def test_any_text_is_read(self, parts):
        text = text_of_rtf(RTF + b"".join(parts))
        assert text.encode()  # no half of a surrogate pair

    def test_where_they_stand(self):
        records = xg_files.records_of(PLAYED)
        for number, (kind, at) in enumerate([(0, 576), (0, 580), (1, 56), (1, 60), (2, 292), (3, 2524)]):
            record = [record for record in records if record[8] == kind][-1]
            xg_files.put(record, at, "i", number)
        content = b"\r\n".join(b"%d" % number for number in range(6)) + b"\r\n"
        match = loads(xg_files.pack(records, xgc=content))
        assert match.comments == ("0", "1")
        assert match.games[0].comments == ("2", "3")
        game = match.games[0]
        notes = {event.action.value: note for event, note in zip(game.events, game.notes, strict=True) if note}
        assert notes == {"take": "4", "play": "5"}

    def test_about_a_roll_that_never_came(self):
        """Where the players stopped, the remark belongs to the game."""
        records = xg_files.records_of(PLAYED)[:7]
        assert records[-1][8] == 2
        xg_files.put(records[-1], 292, "i", 0)
        match = loads(xg_files.pack(records, xgc=b"too good?\r\n"))
        assert match.games[0].comments == ("too good?",)
        assert match.games[0].notes == ()

    @loop.rows("number", 6, -2)
    def test_numbers_that_no_comment_has(self, number):
        match = changed(PLAYED, 3, 0, (2524, "i", number))
        assert match == loads(xg_files.file_of(PLAYED))
        assert match.games[0].notes == ()


def with_analysis(rollouts: bytes = b"", **numbers: object) -> Match:
    """`PLAYED` with an analysis of its first play of Black, and of the double."""
    records = xg_files.records_of(PLAYED)
    state = list(PLAYED.games[0].states())[3]
    move = [record for record in records if record[8] == 3][1]
    plays = [state.legal_plays.find(text) for text in ("24/18 13/11", "24/16", "13/5")]
    count = numbers.get("count", 3)
    xg_files.put(move, 120, "i", count)
    for index, play in enumerate(plays):
        xg_files.put(move, 192 + 26 * index, "26s", xg_files.board(play.position.flip()))
        xg_files.put(move, 1280 + 4 * index, "H", (100, 3, 1002)[index])
        chances = numbers.get("chances", (0.01, 0.125, 0.5, 0.5, 0.125, 0.015625))
        xg_files.put(move, 1408 + 28 * index, "7f", *chances, numbers.get("equity", 0.25 - index / 8))
    xg_files.put(move, 2312, "2d", numbers.get("lost", 0.0), numbers.get("luck", -0.125))
    xg_files.put(move, 2344, "3i", numbers.get("rollout", 1), -1, -1)
    cube = next(record for record in records if record[8] == 2 and record[16] == 1)
    xg_files.put(cube, 92, "i", 100)
    xg_files.put(cube, 120, "h", 1)
    six = (0.01, 0.125, 0.25, 0.75, 0.125, 0.015625)
    xg_files.put(cube, 124, "7f3f", *six, 0.5, 0.625, numbers.get("double_take", 0.75), 1.0)
    xg_files.put(cube, 168, "7f", *six, 0.5)
    xg_files.put(cube, 200, "d8xd", 0.0, -0.0)
    xg_files.put(cube, 224, "i", numbers.get("rollout", 1))
    return loads(xg_files.pack(records, **({"xgr": rollouts} if rollouts else {})))


def rollout(first: float, second: float) -> bytes:
    return bytes(2020) + struct.pack("<2f", first, second) + bytes(2184 - 2028)


class TestWrittenAnalyses:
    """Numbers that no real file here has: rollouts, and what cannot be right."""

    def decisions(self, match: Match) -> tuple[PlayAnalysis | None, CubeAnalysis | None]:
        analyses = [decision.analysis for decision in match.decisions()]
        play = next((analysis for analysis in analyses if isinstance(analysis, PlayAnalysis)), None)
        return play, next((analysis for analysis in analyses if isinstance(analysis, CubeAnalysis)), None)

    def test_levels_and_standard_errors_of_rollouts(self):
        """A rollout states its 95 % interval."""
        match = with_analysis(rollout(9, 9) + rollout(0.0196, 0.0392))
        play, cube = self.decisions(match)
        assert [candidate.level for candidate in play.candidates] == ["rollout", "4-ply", "XG Roller++"]
        assert play.candidates[0].standard_error == pytest.approx(0.01)
        assert play.candidates[1].standard_error is None
        assert cube.standard_errors == pytest.approx((0.01, 0.02))
        assert (play.luck, play.error, play.played) == (-0.125, 0.0, 0)

    def test_no_luck_before_a_roll_without_equity_is_none_that_is_known(self):
        assert self.decisions(with_analysis(luck=0.0))[0].luck is None

    @loop.rows("number", 2, -5, 2**31 - 1)
    def test_rollouts_that_are_not_there(self, number):
        play, cube = self.decisions(with_analysis(rollout(1, 1), rollout=number))
        assert play.candidates[0].standard_error is None
        assert cube.standard_errors is None

    @loop.rows("interval", float("nan"), float("inf"), -1.0, 0.0)
    def test_intervals_that_are_none(self, interval):
        play, cube = self.decisions(with_analysis(rollout(interval, interval) * 2))
        assert play.candidates[0].standard_error is None
        assert cube.standard_errors is None

    def test_the_answer_has_the_analysis_of_the_double(self):
        match = with_analysis()
        double, take = (d for d in match.decisions() if isinstance(d.analysis, CubeAnalysis))
        assert (double.kind, take.kind) == (DecisionKind.DOUBLE, DecisionKind.ANSWER)
        assert (double.equity, take.equity, take.error) == (0.75, -0.75, 0.0)

    def test_the_answer_to_a_beaver_has_none(self):
        """The program evaluates the double, not what follows a beaver."""
        start = MatchState.new(None)
        match = game_of(start, *OPENING, Event("double"), Event("beaver"), Event("take"))
        records = xg_files.records_of(match)
        cube = next(record for record in records if record[8] == 2 and record[16] == 1)
        xg_files.put(cube, 120, "h", 1)
        xg_files.put(cube, 124, "7f3f", 0, 0, 0.5, 0.5, 0, 0, 0, 0.25, -0.5, 1)
        xg_files.put(cube, 200, "d8xd", 0.75, -0.125)
        decisions = list(loads(xg_files.pack(records)).decisions())[1:]
        assert [(decision.action, decision.error) for decision in decisions] == [
            ("double", 0.75),
            ("beaver", 0.125),
            ("take", None),
        ]

    def test_chances_that_are_a_little_off_are_put_right(self):
        play, _ = self.decisions(with_analysis(chances=(-0.0005, 0.0, 0.0, 1.0005, 1.0, 0.5)))
        assert (play.best.chances.win, play.best.chances.lose_backgammon) == (1.0, 0.0)

    def test_more_gammons_than_wins_by_a_network_are_cut(self):
        play, _ = self.decisions(with_analysis(chances=(0, 0, 0.1875, 0.8125, 0.828125, 0.0078125)))
        assert play.best.chances == Chances(0.8125, 0.8125, 0.0078125, 0, 0)

    @loop.rows(
        "numbers",
        *({"equity": float("nan")}, {"equity": -1e30}),
        *({"chances": (0, 0, 0, float("nan"), 0, 0)}, {"chances": (0, 0, -0.5, 1.5, 0, 0)}),
        *({"chances": (0, 0, 0.9, 0.1, 0.9, 0)}, {"chances": (0.3, 0.2, 0.5, 0.5, 0, 0)}),
        *({"luck": float("nan")}, {"luck": 1e300}, {"lost": float("-inf")}, {"count": 33}, {"count": -1}),
        *({"double_take": float("inf")}, {"double_take": 1e9}),
    )
    def test_numbers_that_cannot_be_right(self, numbers):
        match = with_analysis(**numbers)
        assert kinds(match) == ["warning unreadable-analysis"]
        assert states_of(match) == states_of(PLAYED)
        assert sum(analysis is None for analysis in self.decisions(match)) == 1

    def test_of_a_question(self):
        """The roll at the end of a file that asks how to play it."""
        records = xg_files.records_of(PLAYED)
        move_at = [index for index, record in enumerate(records) if record[8] == 3][1]
        sample = with_analysis()
        encoded = sample.games[0].analyses[3]
        assert isinstance(encoded, EncodedAnalysis)
        move = records[move_at]
        state = list(PLAYED.games[0].states())[3]
        xg_files.put(move, 120, "i", 1)
        xg_files.put(move, 192, "26s", xg_files.board(state.legal_plays.find("24/16").position.flip()))
        xg_files.put(move, 1408, "7f", 0, 0, 0.5, 0.5, 0, 0, 0.25)
        xg_files.put(move, 35, "26s", bytes(26))
        move[2308] = 0
        game = loads(xg_files.pack(records[: move_at + 1])).games[0]
        assert game.pending_analysis.decode(game.pending_analysis.data, game.final()).best.play == "24/16"


# --- containers -------------------------------------------------------------------------------------------------------


@cache
def big(megabytes: int) -> bytes:
    """Zeros, compressed a thousandfold."""
    return zlib.compress(bytes(megabytes * 2**20), 1)


GOOD = xg_files.file_of(PLAYED)
PLAIN = b"".join(map(bytes, xg_files.records_of(PLAYED)))


class TestContainer:
    """What stands around the match."""

    def damaged(self, content: bytes) -> list[str]:
        """What is said about a file whose match is read all the same."""
        match = loads(content)
        assert states_of(match) == states_of(PLAYED)
        damages = [finding for finding in match.findings if finding.kind == "damaged-file"]
        assert all(finding.severity == "error" and finding.line is None for finding in damages)
        return [finding.explanation for finding in damages]

    @loop.rows("packed", True, False)
    @loop.rows("thumbnail", b"", b"x\x9c" * 5000)
    def test_whatever_the_packing_and_the_picture(self, packed, thumbnail):
        content = xg_files.container({"temp.xgi": b"", "temp.xg": PLAIN}, packed=packed, thumbnail=thumbnail)
        assert self.damaged(content) == []

    def entry(self, at: int, number: int) -> bytes:
        """The file with another number in the entry of the match in its index."""
        stored = zlib.compress(PLAIN)
        wrong = bytearray(xg_files.entry("temp.xg", PLAIN, stored, 0))
        wrong[at : at + 4] = struct.pack("<I", number)
        return xg_files.closed(stored, [bytes(wrong)])

    def twice(self, *starts: tuple[str, int]) -> bytes:
        """The file with the match under these names in its index, from there on."""
        stored = zlib.compress(PLAIN)
        entries = [xg_files.entry(name, PLAIN, stored, start * len(stored)) for name, start in starts]
        return xg_files.closed(stored * (1 + max(start for _, start in starts)), entries)

    def test_what_the_index_says(self):
        for content, words in (
            (GOOD[:-36] + bytes([GOOD[-36] ^ 1]) + GOOD[-35:], "checksum of the file"),
            (GOOD + b"and more", "cut short"),
            (GOOD[:-60] + bytes(20) + GOOD[-40:], "index of the archive"),
            (self.entry(524, 1), "checksum of temp.xg"),
            (self.entry(512, 2**32 - 1), "4294967295"),
            (self.entry(516, 2**32 - 1), "beyond"),
            (self.twice(("temp.xg", 0), ("temp.xgi", 0)), "overlap"),
            (self.twice(("temp.xg", 0), ("temp.xg", 1)), "twice"),
        ):
            assert words in " ".join(self.damaged(content))

    def test_an_unknown_method(self):
        stored = zlib.compress(PLAIN)
        content = xg_files.closed(stored, [xg_files.entry("temp.xg", PLAIN, stored, 0, method=9)])
        with pytest.raises(ParseError, match="holds no match"):
            loads(content)

    @loop.rows("count", 0, 2, 17, 2**32 - 1)
    def test_a_lying_number_of_files(self, count):
        content = xg_files.container({"temp.xg": PLAIN}, count=count)
        assert self.damaged(content) != []

    @loop.rows("at", 12, 16)
    @loop.rows("size", 0, 1, 10**6, 2**32 - 1)
    def test_lying_sizes_in_the_trailer(self, at, size):
        content = bytearray(GOOD)
        content[-36 + at : -32 + at] = struct.pack("<I", size)
        assert self.damaged(bytes(content)) != []

    def test_two_files_in_one(self):
        """The end of the file counts."""
        other = xg_files.file_of(SHORT)
        match = loads(other + GOOD)
        assert states_of(match) == states_of(PLAYED)
        assert kinds(match)[0] == "error damaged-file"

    def test_a_last_record_that_is_cut(self):
        match = loads(xg_files.container({"temp.xg": PLAIN[:-100]}))
        assert states_of(match) == states_of(PLAYED)
        assert kinds(match) == ["error damaged-file"]

    @each.first("name", ["temp.xg", "temp.xgc", "temp.xgr"])
    def test_bombs(self, name):
        """Inflating stops at the limit, whatever the index says."""
        bomb = big(65)
        files = {"temp.xg": zlib.compress(PLAIN), name: bomb}
        entries, data = [], b""
        for file, stored in files.items():
            entries.append(xg_files.entry(file, b"", stored, len(data)))
            data += stored
        with pytest.raises(ParseError, match="inflates to more than 64 MiB, the limit"):
            loads(xg_files.closed(data, entries))

    def test_a_bomb_for_an_index(self):
        content = bytearray(xg_files.closed(zlib.compress(PLAIN), []))
        bomb = big(40)
        trailer = struct.pack("<6I12x", 0, 4, 1, len(bomb), len(zlib.compress(PLAIN)), 1)
        stored = bytes(content[: 8232 + len(zlib.compress(PLAIN))])
        assert "the index of the archive" in " ".join(self.damaged(stored + bomb + trailer))


class TestHostileFiles:
    """Whatever a file holds, there is a match or one sentence."""

    def test_truncated_anywhere(self):
        """Of a small file; what is cut from the archive is cut from the end of the match."""
        wanted = list(PLAYED.games[0].states())
        games = 0
        for size in [*range(0, 8232, 100), *range(8232, len(GOOD), 5)]:
            try:
                match = loads(GOOD[:size])
            except ParseError as error:
                assert "\n" not in str(error)
                assert len(str(error)) < 200
            else:
                games += 1
                assert match.findings
                assert size > 8232
                read_so_far = [state for game in match.games for state in game.states()]
                assert read_so_far[:-2] == wanted[: len(read_so_far)][:-2]
                referee(match)
        assert games > 20

    def test_a_text_may_begin_with_the_same_letters(self):
        text = "RGMH\n5 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5"
        assert loads(text.encode()).format == "mat"


def test_a_board_that_was_changed_by_hand_in_a_game() -> None:
    """The file marks it, so it is no doubt."""
    events = (
        Event(Action.OPENING_ROLL, argument=(3, 1)),
        Event(Action.PLAY, Player.WHITE, "8/5 6/5"),
        SetPosition(Position.start(), Player.BLACK),
        Event(Action.ROLL, Player.BLACK, (6, 1)),
        Event(Action.PLAY, Player.BLACK, "13/7 8/7"),
    )
    match = Match(("Ann", "Bob"), 7, (Game(1, MatchState.new(7), events),))
    again = loads(xg_files.file_of(match))
    (mismatch,) = [finding for finding in again.findings if finding.kind is FindingKind.POSITION_MISMATCH]
    assert (mismatch.severity, mismatch.explanation) == (Severity.INFO, "the board was changed by hand here")
    assert again.games[0].final() == match.games[0].final()
