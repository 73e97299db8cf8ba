"""OGXM: real files, both ways; against libogxm, the library of its makers; and files that nobody should have made."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import example, given, settings, strategies as st

import each
import loop
import wording
from fact_tables import table
from gammonrules import strategies
from gammonrules.analysis.internals import decoded
from gammonrules.board import Position
from gammonrules.dice import ROLLS, Dice
from gammonrules.equity import KAZAROSS_XG2, Chances
from gammonrules.errors import GammonError, ParseError
from gammonrules.match import Action, Clock, Cube, Event, Forfeit, MatchState, Player, SetPosition
from gammonrules.records import (
    Candidate,
    CubeAnalysis,
    Game,
    Match,
    PlayAnalysis,
    ScanEntry,
    dump,
    dumps,
    load,
    loads,
    loads_all,
    lost_fields,
    scan,
)
from gammonrules.records.formats.ogxm import ogxm_layout as layout, ogxm_stream
from gammonrules.records.formats.ogxm.ogxm_stream import files_in
from gammonrules.rules import MONEY, Rules
from real_records import loaded

DATA = Path(__file__).parents[2] / "data"
FOLDER = DATA / "matches" / "ogxm"
FILES = sorted(FOLDER.glob("*.ogxm"))
GIVEN = sorted(path for name in ("analysis", "matches") for path in (DATA / name).rglob("*") if path.is_file())
ANALYZED = [
    DATA / "analysis" / "gnubg" / "money-beaver_0ply.sgf",
    DATA / "matches" / "xg" / "charlot1-charlot2_7p_2025-11-08-2305.xg",
    *(DATA / "analysis" / "gnubg" / f"{name}.sgf" for name in ("match7662222_1ply", "rollout_3pt-game1")),
    *(DATA / "matches" / "xg" / f"{name}.xg" for name in ("match_with_comment", "test")),
]
EXPECTED = {row["file"]: row for row in table(FOLDER / "expected.tsv")}


def sections(content: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Type, start and length of each section."""
    at = layout.HEADER.size
    while at < len(content) - len(layout.END):
        kind, length, _ = layout.SECTION.unpack_from(content, at)
        yield kind, at, layout.SECTION.size + length
        at += layout.SECTION.size + length


def packed(*parts: tuple[bytes, int, bytes], version: int = 2, needed: tuple[int, int] = (2, 0)) -> bytes:
    """A file with these sections."""
    body = b"".join(layout.SECTION.pack(kind, len(part), flags) + part for kind, flags, part in parts)
    size = layout.HEADER.size + len(body) + len(layout.END)
    return layout.HEADER.pack(layout.MAGIC, version, 1, *needed, size) + body + layout.END


HEADER = b"MTCH", 1, layout.MATCH.write({"length": 5, "variant": 0, "white": "Ann", "black": "Bob"})
GAME = b"GAME", 1, layout.GAME.write({}) + layout.written_ply(1, Player.WHITE, [2 << 5 | 1, 1 << 5 | 1])


def beginning(path: Path) -> Match:
    """The first game of a record."""
    match = loaded(path)
    return attrs.evolve(match, games=match.games[:1])


def opened(*events: Event | SetPosition | Forfeit, start: MatchState | None = None) -> Match:
    first = start or MatchState.new(5)
    opening = Event(Action.OPENING_ROLL, argument=(3, 1)), Event(Action.PLAY, Player.WHITE, "8/5 6/5")
    return Match.from_events(("Ann", "Bob"), first, (*opening, *events))


class TestRealFiles:
    @each.file(FILES, lambda path: path.name)
    def test_what_an_independent_reader_found(self, path: Path) -> None:
        match, row = load(path), EXPECTED[path.name]
        plays = [decision.play_analysis for decision in match.decisions() if decision.play_analysis]
        cubes = [decision for decision in match.decisions() if decision.cube_analysis]
        doubles = [decision for decision in match.decisions() if decision.action == "double"]
        assert match.format == "ogxm"
        assert match.players == (row["green"], row["red"])
        assert (match.length, len(match.games), match.rolls) == (
            int(row["length"]),
            int(row["games"]),
            int(row["dice_turns"]),
        )
        assert row["final_green_red"].startswith("-".join(map(str, match.score)))
        assert [game.stated and game.stated.points for game in match.games] == [
            None if points == "None" else int(points) for points in row["stored_wonPoints"].split(",")
        ]
        assert len([analysis for analysis in plays if analysis.candidates]) == int(row["analysed_checker_plays"])
        assert sum(len(analysis.candidates) for analysis in plays) == int(row["alternatives"])
        assert len(cubes) == int(row["cube_decisions_with_equities"])
        assert len(doubles) == int(row["doubles"])

    def test_what_nobody_can_play_is_a_finding(self) -> None:
        """A centered cube of 2 in a match; and a game that stops though its end is stated."""
        assert [finding.kind for finding in load(FOLDER / "cube-on-two.ogxm").findings] == ["illegal-action"]
        kinds = [finding.kind for finding in load(FOLDER / "fields.ogxm").findings]
        assert kinds == ["resign-without-marker", "unfinished-game"]

    def test_fields_of_the_header(self) -> None:
        match = load(FOLDER / "fields.ogxm")
        assert (match.event, match.site, str(match.date)) == ("Nordic Open", "opengammon.com", "2026-09-26")
        assert (match.rules.start, match.rules.max_cube) == ("nackgammon", 64)
        assert [game.start.cube for game in match.games] == [Cube(2, Player.BLACK), Cube(4, Player.WHITE)]

    def test_chances_of_winning_the_match_become_equities(self) -> None:
        """The best play of the file has a chance of 0.504216; the answer to a double is seen by the doubler."""
        first, *_, double, answer = load(FOLDER / "cube-on-two.ogxm").decisions()
        candidate = first.play_analysis.best
        assert candidate.mwc == 0.504216
        assert candidate.equity == KAZAROSS_XG2.to_equity(0.504216, first.state)
        assert candidate.level == "3-ply"
        assert double.cube_analysis.chances == answer.cube_analysis.chances
        assert double.cube_analysis.mwc == answer.cube_analysis.mwc == (0.544767, 0.546143, 0.554384)
        assert answer.best == "take"
        assert answer.cube_analysis.stated_answer_error == pytest.approx(answer.error, abs=1e-4)

    @each.first("path", [*FILES, *ANALYZED], of_these=len(FILES), ids=lambda path: path.name)
    def test_written_twice_it_is_the_same(self, path: Path) -> None:
        content = dumps(beginning(path), "ogxm")
        again = loads(content)
        assert dumps(again, "ogxm") == content
        assert set(lost_fields(again, "ogxm")) <= {
            f"games[0].findings.{kind}" for kind in ("illegal-action", "resign-without-marker")
        }

    @each.first("path", ANALYZED, ids=lambda path: path.name)
    def test_an_analyzed_match_survives(self, path: Path) -> None:
        match = beginning(path)
        again = loads(dumps(match, "ogxm"))
        assert again.games == match.games
        lost = {name.partition("].analyses.")[2] for name in lost_fields(match, "ogxm") if "analyses" in name}
        assert not lost & {"", "luck", "no_double", "double_take", "double_drop"}
        for before, after in zip(match.decisions(), again.decisions(), strict=True):
            assert (after.best, after.note) == (before.best, before.note)
            for name in ("equity", "equity_best", "luck"):
                pair = getattr(before, name), getattr(after, name)
                assert pair[0] == pair[1] or abs(pair[0] - pair[1]) <= 1.5e-6
            plays = before.play_analysis, after.play_analysis
            mine, read = (
                {candidate.play: candidate.level for candidate in each.candidates} if each else {} for each in plays
            )
            assert read == mine  # each level stands apart, so that plays of the opening book may move up


@st.composite
def starts(draw: st.DrawFn) -> MatchState:
    """Starts under rules that the format can express."""
    start, has_cube = (
        draw(st.sampled_from(("standard", "nackgammon", "hypergammon", "longgammon"))),
        draw(st.booleans()),
    )
    length = draw(st.none() | st.sampled_from((1, 2, 3, 5, 7)))
    if length is None:
        number = st.integers(0, 2)
        rules = Rules(
            jacoby=draw(st.booleans()), beavers=draw(number), auto_doubles=int(has_cube), start=start, cube=has_cube
        )
    else:
        rules = Rules(crawford=draw(st.booleans()), start=start, cube=has_cube)
    state = MatchState.new(length, rules=rules)
    boards = st.just(state.position) | strategies.positions(checkers=state.position.checkers)
    return attrs.evolve(state, position=draw(boards))


RECORDS = strategies.records(matches=strategies.matches(starts=starts(), max_turns=5))


def is_rounded(value: Any, read: Any) -> bool:
    """Whether a value that was read is the written one, to six decimals; what a list tells is not written."""
    if value is None:
        return True
    if isinstance(value, float) and isinstance(read, float):
        return abs(value - read) <= 1e-6
    if isinstance(value, tuple) and isinstance(read, tuple) and len(value) == len(read):
        return all(map(is_rounded, value, read))
    if isinstance(value, (PlayAnalysis, CubeAnalysis, Candidate, Chances)) and type(value) is type(read):
        return all(is_rounded(getattr(value, name), getattr(read, name)) for name in attrs.fields_dict(type(value)))
    return bool(value == read)


def more_than_named(match: Match, again: Match) -> set[str]:
    """What differs between a record and the same, written and read again, without what `lost_fields` names."""
    different = {name for name in ("players", "comments") if getattr(match, name) != getattr(again, name)}
    different |= {"tags"} if not {*match.tags} <= {*again.tags} else set()
    for index, (game, read) in enumerate(zip(match.games, again.games, strict=True)):
        pairs = [*zip(game.states(), game.analyses, read.states(), read.analyses, strict=False)]
        parts = {
            "number": game.number == read.number,
            "start": game.start == read.start or game.start.rules != read.start.rules,
            "events": [str(event) for event in map(MatchState.canonical, game.states(), game.events)]
            == [str(event) for event in read.events],
            "comments": game.comments == read.comments,
            "notes": all(note in (None, again) for note, again in zip(game.notes, read.notes, strict=False)),
            "times": all(
                event.time in (None, later.time) for event, later in zip(game.events, read.events, strict=False)
            ),
            "analyses": all(
                analysis is None or is_rounded(decoded(analysis, state), decoded(after, later))
                for state, analysis, later, after in pairs
            ),
        }
        different |= {f"games[{index}].{name}" for name, is_same in parts.items() if not is_same}
    named = {
        name.partition("].")[0] + "]." + name.partition("].")[2].split(".")[0] for name in lost_fields(match, "ogxm")
    }
    return different - named - {*lost_fields(match, "ogxm")}


SIX_FIVE = Event(Action.ROLL, Player.BLACK, "65")


class TestWhatSurvives:
    @settings(max_examples=10)
    @given(RECORDS)
    def test_nothing_is_lost_but_what_is_named(self, match: Match) -> None:
        try:
            again = loads(dumps(match, "ogxm"))
        except GammonError as error:
            # the other: a player who resigns instead of a roll that they cannot play
            assert re.search(r"drop after a beaver|read back as a different game", str(error))
            return
        assert more_than_named(match, again) == set()

    def test_nothing_is_lost_of_a_whole_record(self) -> None:
        rules = attrs.evolve(MONEY, beavers=2, auto_doubles=1, start="nackgammon")
        start = MatchState.new(None, rules=rules)
        by = (Player.BLACK, Player.WHITE)
        events = [Event(Action.DOUBLE, by[0]), Event(Action.BEAVER, by[1]), Event(Action.BEAVER, by[0])]
        events += [Event(Action.TAKE, by[1]), Event(Action.RESIGN, by[1], 2), Event(Action.ACCEPT, by[0])]
        match = opened(*events, start=start)
        notes = (None, "slow", "bold <b>", *[None] * 4, "enough")
        game = attrs.evolve(match.games[0], comments=("one", "two\nlines"), notes=notes)
        tags = ("Event", "Nordic Open"), ("Transcriber", "Cy"), ("Site", "BackgammonGalaxy"), ("Rated", "")
        match = attrs.evolve(match, games=(game,), tags=tags, comments=("long " * 3,), players=("", "\N{SNOWMAN}<i>"))
        assert lost_fields(match, "ogxm") == ("games[0].findings.no-score-line",) or lost_fields(match, "ogxm") == ()
        assert loads(dumps(match, "ogxm")) == match

    @loop.rows(
        ("events", "lost"),
        ((Event(Action.RESIGN, Player.BLACK), Event(Action.DECLINE, Player.WHITE)), {"events"}),
        ((SIX_FIVE, SetPosition(Position.start(), Player.WHITE)), {"findings.illegal-play"}),
        ((SetPosition(Position.start(), Player.WHITE),), set()),
        ((SetPosition(Position.start(), Player.BLACK, Cube(2, Player.BLACK)),), set()),
        ((Forfeit(Player.BLACK, 5),), {"findings.forfeit"}),
        ((SIX_FIVE,), set()),
    )
    def test_named(self, events: tuple[Event, ...], lost: set[str]) -> None:
        names = lost_fields(opened(*events), "ogxm")
        assert {name.partition("].")[2] for name in names} == lost

    def test_rules_without_a_field_are_no_tags(self) -> None:
        """They have keys of their own, so that a tag of the same name stays as it is."""
        rules = Rules(opening="reroll", backgammons=False, start="hypergammon1")
        match = Match.from_events(("A", "B"), MatchState.new(None, rules=rules), ())
        match = attrs.evolve(match, tags=(("OpeningRoll", "at six"),))
        again = loads(dumps(match, "ogxm"))
        assert (again.rules, again.tags, again.findings) == (rules, match.tags, match.findings or again.findings)

    def test_a_start_in_mid_game(self) -> None:
        board, cube = Position.of(mine={6: 2}, theirs={5: 1}), Cube(2, Player.WHITE)
        start = MatchState(board, Player.BLACK, cube=cube, length=5, score=(3, 1))
        match = Match.from_events(("A", "B"), start, [Event(Action.ROLL, Player.BLACK, "21")])
        assert loads(dumps(match, "ogxm")).games[0].start == start

    def test_after_the_crawford_game(self) -> None:
        start = MatchState.new(5, score=(4, 1), crawford=False)
        assert not loads(dumps(opened(start=start), "ogxm")).games[0].start.crawford


def clock_of(game: Game) -> Clock:
    clock = Clock((300, 300), 8)
    for event, state in zip(game.events, [*game.states()][1:], strict=True):
        clock = clock.follow(state, event.time)
    return clock


class TestTimes:
    def test_the_clock_replays(self) -> None:
        """A reading belongs to a whole turn: that of its play. The clock does not ask when the dice were thrown."""
        match = opened(SIX_FIVE, Event(Action.PLAY, Player.BLACK, "24/13"),
                       Event(Action.DOUBLE, Player.WHITE), Event(Action.TAKE, Player.BLACK))  # fmt: skip
        [game] = match.games
        moments = (1_000, 1_000, 1_030.5, 1_030.5, 1_041.007, 1_099)
        timed = tuple(event.at(time) for event, time in zip(game.events, moments, strict=True))
        match = attrs.evolve(match, games=(attrs.evolve(game, events=timed),))
        again = loads(dumps(match, "ogxm"))
        assert lost_fields(match, "ogxm") == ()
        assert clock_of(match.games[0]) == clock_of(again.games[0])
        assert clock_of(again.games[0]).left("white", 1_099) == 297.493

    def test_a_clock_of_one_reading_has_no_width(self) -> None:
        game = layout.GAME.write({}) + layout.written_ply(1, Player.WHITE, [2 << 5 | 24, 1 << 5 | 24])
        clock = layout.CLOCK.pack(0, 0, 0, 7, 0, 0, 100, 1)
        match = loads(packed(HEADER, (b"GAME", 1, game), (b"CLCK", 0, clock)))
        first = match.games[0].events[0]
        assert isinstance(first, Event)
        assert first.time == 7

    def test_what_has_no_place_is_named(self) -> None:
        match = opened(SIX_FIVE, Event(Action.PLAY, Player.BLACK, "24/13"))
        [game] = match.games
        for moments in ((0, 1, 2, 3), (5, 5, 4, 4), (0.5, 0.5, 1, 1), (0, 0, 1, None)):
            events = tuple(e if t is None else e.at(t) for e, t in zip(game.events, moments, strict=True))
            timed = attrs.evolve(match, games=(attrs.evolve(game, events=events),))
            assert lost_fields(timed, "ogxm") == ("games[0].times",)
            assert lost_fields(timed, "mat") == ("games[0].times",)
            assert loads(dumps(timed, "ogxm")) == timed


HOME = st.lists(st.integers(1, 6), min_size=1, max_size=4).map(Counter)
BEAR_OFFS = st.builds(
    lambda mine, held: Position.of(mine=mine, theirs={25 - point: 2 for point in {*held, 24} - {*mine}}),
    HOME,
    st.sets(st.integers(1, 5), max_size=3),
)
"""Few checkers at home, with points of the opponent between them."""


def test_half_a_character_is_written_as_a_question_mark() -> None:
    match = attrs.evolve(load(ANALYZED[0]), tags=(("Event", "\ud800"),))
    assert ("Event", "?") in loads(dumps(match, "ogxm")).tags


def begins_with_a_double(game: Game) -> bool:
    """Which libogxm does not replay: it takes the first turn of any position for that of a starter, who may not."""
    first = game.events[0] if game.events else None
    return game.start.pending_double is not None or (isinstance(first, Event) and first.action is Action.DOUBLE)


class TestLibogxm:
    """What we write is valid to the library of the format's makers, and means the same to it."""

    @settings(max_examples=10)
    @given(RECORDS)
    def test_both_ways(self, match: Match) -> None:
        ogxm = pytest.importorskip("ogxm", reason="libogxm has wheels for Linux only")
        try:
            content = dumps(match, "ogxm")
        except GammonError:
            return
        assert ogxm.verify(content) == (None, True)
        document = ogxm.binary_to_json(content)
        assert ogxm.json_to_binary(document) == content
        assert is_replayed(document)
        assert (document.get("player_white", ""), document.get("player_black", "")) == match.players

    @each.file(GIVEN, lambda path: f"{path.parent.name}/{path.name}")
    def test_given_records_are_replayed_to_their_end(self, path: Path) -> None:
        ogxm = pytest.importorskip("ogxm", reason="libogxm has wheels for Linux only")
        for entry in scan(path):
            with suppress(GammonError):  # a record without games, or what this format has no place for
                content = dumps(entry.match, "ogxm")
                if any(map(begins_with_a_double, entry.match.games)):
                    with pytest.raises(ogxm.codec.OgxmError, match="corrupt"):
                        ogxm.binary_to_json(content)
                else:
                    assert is_replayed(ogxm.binary_to_json(content))

    @given(BEAR_OFFS, st.sampled_from(ROLLS))
    @example(Position.of(mine={4: 2, 2: 1}, theirs={24: 2}), Dice(3, 2))  # 4/1 is blocked, so 2/off is by the 2
    def test_a_checker_leaves_by_the_die_that_bears_it_off(self, board: Position, dice: Dice) -> None:
        ogxm = pytest.importorskip("ogxm", reason="libogxm has wheels for Linux only")
        start = attrs.evolve(MatchState.new(5), position=board, on_roll=Player.WHITE)
        plays = board.legal_plays(dice)
        listed = [Candidate(str(play), play.position, equity=-number / 100) for number, play in enumerate(plays)]
        rolled = Event(Action.ROLL, Player.WHITE, dice)
        for index, play in enumerate(plays):
            match = Match.from_events(("Ann", "Bob"), start, [rolled, Event(Action.PLAY, Player.WHITE, str(play))])
            analyses = None, PlayAnalysis(tuple(listed), index)
            match = attrs.evolve(match, games=(attrs.evolve(match.games[0], analyses=analyses),))
            document = ogxm.binary_to_json(dumps(match, "ogxm"))
            assert is_replayed(document)
            ply = document["games"][0]["plies"][1]
            assert ply["moves"] == next(each["move"] for each in ply["analysis"]["alternatives"] if each["is_played"])


def is_replayed(document: dict[str, Any]) -> bool:
    """Whether libogxm plays all games to their end, which it cannot where the last roll is not played."""
    lasts = [game["plies"][-1] for game in document["games"] if game["plies"]]
    waiting = sum("ogid_after" not in ply and ply.get("moves") == [] for ply in lasts)
    stopped = sum("ogid_after" not in ply for game in document["games"] for ply in game["plies"])
    return bool(document["replay_complete"]) or stopped == waiting


class TestBadInput:
    def test_cut_anywhere(self) -> None:
        """Whatever is whole is read, and that the rest is missing is said."""
        content = (FOLDER / "resign.ogxm").read_bytes()
        games, ends = 0, range(4, len(content), 7)
        for end in ends:
            try:
                match = loads(content[:end], "ogxm")
            except ParseError as error:
                wording.check(str(error))
            else:
                games += 1
                assert "damaged-file" in {finding.kind for finding in match.findings}
                for decision in match.decisions():
                    assert decision.action
                    assert (decision.error or 0) >= 0
        assert games > len(ends) - 22

    def test_every_byte_changed(self) -> None:
        """With a checksum no change goes unnoticed, but for the type of the checksum itself."""
        content = dumps(opened(SIX_FIVE), "ogxm")
        for at in range(layout.HEADER.size, len(content) - 4):
            changed = content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :]
            try:
                match = loads(changed, "ogxm")
            except ParseError:
                continue
            assert [*match.findings], at

    @loop.rows(
        ("content", "example"),
        (
            packed(HEADER, GAME, version=1),
            "this is an OGXM file of version 1, and only version 2, up to 2.2, can be read",
        ),
        (
            packed(HEADER, GAME, needed=(2, 9)),
            "this is an OGXM file of version 2, and only version 2, up to 2.2, can be read",
        ),
        (
            packed(HEADER, GAME, (b"NEWS", 1, b"x")),
            "this OGXM file has a section b'NEWS', without which it cannot be understood",
        ),
        (packed(HEADER), "this OGXM file holds no game that is possible"),
        (packed(GAME), "this OGXM file holds no match that is possible"),
        (layout.MAGIC + bytes(8), "this OGXM file is cut short: even its header is incomplete"),
    )
    def test_refused(self, content: bytes, example: str) -> None:
        with pytest.raises(ParseError) as caught:
            loads(content)
        wording.like(str(caught.value), example)

    @loop.rows(
        ("section", "kind"),
        ((b"NEWS", 0, b"x"), "left-out"),
        ((b"CSUM", 1, layout.CHECKSUM.write({"algorithm": 0, "digest": b"1234"})), "damaged-file"),
        ((b"ANNO", 0, b"\xff" * 9), "damaged-file"),
        ((b"CLCK", 0, bytes(12)), "damaged-file"),
        ((b"CLCK", 0, layout.CLOCK.pack(0, 0, 0, 0, 0, 2**32 - 1, 31, 1)), "damaged-file"),
        ((b"ANAL", 0, b"\x02\x00\x01"), "damaged-file"),
        ((b"GAME", 1, b"\x01\x00" + b"\x1e" * 2_000), "damaged-file"),
        ((b"GAME", 1, layout.GAME.write({"board": [15] * 26})), "illegal-action"),
        ((b"GAME", 1, layout.GAME.write({"cube": 2**40, "auto_doubles": 2**60})), "illegal-action"),
        ((b"GAME", 1, layout.GAME.write({}) + bytes([38])), "unreadable-line"),
        ((b"GAME", 1, layout.GAME.write({}) + layout.written_ply(1, Player.WHITE, [0x25])), "illegal-play"),
    )
    def test_reported(self, section: tuple[bytes, int, bytes], kind: str) -> None:
        match = loads(packed(HEADER, GAME, section))
        assert kind in {finding.kind for finding in match.findings}
        assert all(wording.check(finding.explanation) is None for finding in match.findings)

    @loop.rows("after", b"", layout.written_ply(layout.RESIGN, Player.BLACK, (), {"resigned": 2}))
    def test_a_last_play_that_nobody_can_make(self, after: bytes) -> None:
        """The end that the file states is taken, unless the game goes on before it."""
        fields = {} if after else {"winner": 0, "points": 2}
        bad, more = layout.written_ply(4, Player.BLACK, [0x25]), layout.written_ply(6, Player.WHITE)
        game = layout.GAME.write(fields) + layout.written_ply(1, Player.WHITE, [2 << 5 | 1, 1 << 5 | 1])
        for plies, points in ((bad, 2), (bad + more, None)):
            match = loads(packed(HEADER, (b"GAME", 1, game + plies + after)))
            assert (match.games[0].result and match.games[0].result.points) == points
            assert "illegal-play" in {finding.kind for finding in match.findings}

    def test_counts_are_checked_before_anything_is_made(self) -> None:
        plays = layout.DECISIONS[0].write({"ply": 0, "kind": 0, "plays": []})[:-1] + b"\xff\xff\xff\xff\x0f"
        block = b"ANAL", 0, layout.BLOCK.write({"id": [0] * 16})
        match = loads(packed(HEADER, GAME, block, (b"DECS", 0, bytes([len(plays) - 1]) + plays[1:])))
        assert next(iter(match.decisions())).analysis is None

    def test_a_text_that_begins_like_it(self) -> None:
        with pytest.raises(ParseError, match=r"not a record|no match"):
            loads("OGXM is a format\n")


class TestStreams:
    """Files back to back (`.ogxms`), as databases of matches publish them."""

    PARTS = [dumps(opened(SIX_FIVE, start=MatchState.new(length)), "ogxm") for length in (3, 5, 7)]

    def lengths(self, content: bytes) -> list[int | None]:
        return [match.length for match in loads_all(content)]

    def test_all_matches_are_read(self, tmp_path: Path) -> None:
        path = tmp_path / "month.ogxms"
        path.write_bytes(b"".join(self.PARTS))
        assert loads_all(path.read_bytes()) == tuple(map(loads, self.PARTS))
        assert [(entry.path, entry.match) for entry in scan(tmp_path)] == [
            (str(path), match) for match in map(loads, self.PARTS)
        ]
        with pytest.raises(ParseError, match=r"holds 3 matches.*to 3, the second Ann against Bob, to 5"):
            load(path)

    def test_as_libogxm_divides_it(self) -> None:
        ogxm = pytest.importorskip("ogxm", reason="libogxm has wheels for Linux only")
        content = b"".join([*self.PARTS, *(path.read_bytes() for path in FILES)])
        assert list(ogxm.iter_stream(io.BytesIO(content))) == [content[slice(*part)] for part in files_in(content)]

    @loop.rows(
        ("content", "lengths", "where"),
        (PARTS[0][:-9] + PARTS[1], [3, 5], 0),  # cut short
        (PARTS[0] + PARTS[1][:-9], [3, 5], 1),
        (PARTS[0][:12] + b"\xff\xff\0\0" + PARTS[0][16:] + PARTS[1], [3, 5], 0),  # it says that it is longer
        (PARTS[0] + b"\n", [3], 0),
        (PARTS[0] + packed(HEADER, GAME, version=1) + PARTS[2], [3, 7], 0),
        (packed(HEADER) + PARTS[2], [7], 0),
    )
    def test_a_damaged_file_spoils_no_other(self, content: bytes, lengths: list[int], where: int) -> None:
        matches = loads_all(content)
        assert [match.length for match in matches] == lengths
        damaged = [{finding.kind for finding in match.findings} >= {"damaged-file"} for match in matches]
        assert damaged == [index == where for index in range(len(matches))]
        assert all(wording.check(finding.explanation) is None for match in matches for finding in match.findings)

    def test_no_match_at_all(self) -> None:
        with pytest.raises(ParseError, match="holds no game"):
            loads_all(packed(HEADER) + packed(GAME))

    def test_games_are_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(ogxm_stream, "MAX_GAMES", 2)
        first, second = loads_all(b"".join(self.PARTS))
        assert "damaged-file" not in {finding.kind for finding in first.findings}
        assert "damaged-file" in {finding.kind for finding in second.findings}


class TestWriting:
    def test_files_and_archives(self, tmp_path: Path) -> None:
        match = opened()
        dump(match, tmp_path / "a.ogxm")
        with (tmp_path / "b").open("wb") as file:
            dump(match, file, "ogxm")
        with (tmp_path / "c").open("w") as file, pytest.raises(GammonError, match="cannot be written to this file"):
            dump(match, file, "ogxm")
        assert (tmp_path / "a.ogxm").read_bytes() == (tmp_path / "b").read_bytes() == dumps(match, "ogxm")
        entries = [entry for entry in scan(tmp_path) if entry.match]
        assert [entry.format for entry in entries] == ["ogxm"] * 2
        assert all(isinstance(entry, ScanEntry) and entry.match == match for entry in entries)
