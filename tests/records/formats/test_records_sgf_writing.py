"""GNU Backgammon's SGF: what is written, and what it does not carry."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

import attrs
import pytest
from hypothesis import example, given, settings, strategies as st

import each
import loop
from gammonrules import Action, Cube, Forfeit, MatchState, Player, Position, SetPosition, Win, strategies
from gammonrules.equity import KAZAROSS_XG2
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.match import Event
from gammonrules.records import (
    Analysis,
    Candidate,
    Chances,
    CubeAnalysis,
    Game,
    Match,
    PlayAnalysis,
    dumps,
    load,
    loads,
    lost_fields,
    referee,
)
from gammonrules.rules import MONEY, Rules

DATA = Path(__file__).parents[2] / "data"
RECORDS = sorted(
    path
    for path in (DATA / "matches").rglob("*")
    if path.suffix in {".txt", ".mat", ".sgf", ".xg"} and not {"broken", "bgblitz-text"} & {*path.parts}
)
ANALYZED = sorted(path for path in (DATA / "analysis").rglob("*") if path.suffix in {".txt", ".xg"})
LEFT_OUT = {f"analyses.{name}" for name in ("level", "stated_error", "stated_answer_error")}
WHITE, BLACK = Player
OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))
PLAY = Event(Action.PLAY, WHITE, "8/5 6/5")
DOUBLED = Event(Action.DOUBLE, BLACK), Event(Action.TAKE, WHITE)


def again(match: Match) -> Match:
    return loads(dumps(match, "sgf"))


def set_by_hand(match: Match) -> list[object]:
    return [event for event in match.games[0].events if isinstance(event, SetPosition)]


class TestRealRecords:
    @each.file(RECORDS, lambda path: f"{path.parent.name}-{path.name}")
    def test_both_formats_give_the_same_games(self, path: Path) -> None:
        """Length, events, results and stated points are equal; all else is carried or named."""
        match = load(path)
        match = attrs.evolve(match, games=match.games[:2], stated_rolls=None)  # sessions have a hundred
        for form in ("sgf", "mat"):
            written, lost = loads(dumps(match, form)), lost_fields(match, form)
            equal = not any(
                re.match(r"(games\[\d+\]\.)?(start|events|comments|players|length|tags)", part) for part in lost
            )
            assert (written == match, hash(written) == hash(match)) == (equal, equal)
            assert written.rules == match.rules
            assert (written.length == match.length) is ("length" not in lost)
            assert [game.events for game in written.games] == [game.events for game in match.games]
            assert [game.final() for game in written.games] == [game.final() for game in match.games]
            said = {name.partition("].")[2] or name for name in lost if "findings" not in name}
            also = {"players", "notes"} if form == "mat" else {"length"} if match.is_coin_game else set[str]()
            also |= {"analyses.candidates", "analyses.played"} | LEFT_OUT if form == "sgf" else set()
            assert said <= {"stated.points", "stated.and_the_match", "analyses", "rolls"} | also
            for index, (game, read) in enumerate(zip(match.games, written.games, strict=True)):
                if game.stated and game.stated.points and f"games[{index}].stated.points" not in lost:
                    assert read.stated is not None
                    assert (read.stated.winner, read.stated.points) == (game.stated.winner, game.stated.points)
            errors = [finding.kind for finding in referee(written) if finding.severity == "error"]
            assert errors == [finding.kind for finding in referee(match) if finding.severity == "error"]

    @each.file(ANALYZED, lambda path: path.name)
    def test_analyses_of_other_formats_keep_their_numbers(self, path: Path) -> None:
        """But for those of a dance, and where no node is due: before a double, and before a resignation."""
        for game, other in zip((match := load(path)).games, again(match).games, strict=True):
            decided = zip(game.decisions(), other.decisions(), strict=len(game.events) > 0)
            for mine, read in [
                *((before.analysis, after.analysis) for before, after in decided),
                (game.pending, other.pending),
            ]:
                if read is None:
                    assert mine is None or isinstance(mine, CubeAnalysis)
                else:
                    assert numbers_in(read) == pytest.approx(numbers_in(mine), abs=1e-6)
        assert {
            name for name in lost_fields(match, "sgf") if re.search(r"equity|chances|luck|no_double|take", name)
        } == set()

    @each.file(sorted(DATA.rglob("*.sgf")), lambda path: path.name)
    def test_nothing_of_an_sgf_is_lost(self, path: Path) -> None:
        """Its analyses neither: they are written as they were."""
        match = load(path)
        assert lost_fields(match, "sgf") == ()
        written = again(match)
        assert [decision.analysis for decision in written.decisions()] == [
            decision.analysis for decision in match.decisions()
        ]
        assert dumps(written, "sgf") == dumps(match, "sgf")


def one_game(*events: Event | SetPosition | Forfeit, start: MatchState | None = None, length: int | None = 3) -> Match:
    return Match(("A", "B"), length, (Game(1, start or MatchState.new(length), events),))


def board(player: Player, cube: Cube | None = None) -> SetPosition:
    mine = {"bar": 1, 22: 1, 13: 3, 8: 3, 6: 5, 5: 1, 4: 1}
    return SetPosition(Position.of(mine=mine, theirs={"bar": 1, 13: 3, 8: 3, 6: 4, 2: 1}), player, cube)


RESIGNED = (OPENING, Event(Action.RESIGN, BLACK, Win.SINGLE), Event(Action.ACCEPT, WHITE))


class TestBuiltRecords:
    @loop.rows(
        ("match", "lost"),
        (one_game(*RESIGNED), ()),
        (attrs.evolve(one_game(*RESIGNED), players=("", "a:b]\\[;)(")), ("findings.no-score-line",)),
        (attrs.evolve(one_game(*RESIGNED), players=("a\nb", " x")), ("players",)),
        (attrs.evolve(one_game(*RESIGNED), tags=(("Event", "x\ny"),)), ("tags",)),
        (attrs.evolve(one_game(*RESIGNED), tags=(("Event", "x]\\"), ("Stakes", "[1] \\"), ("Event", "y"))), ()),
        (attrs.evolve(one_game(*RESIGNED), tags=(("EventDate", "2024.12.31"), ("Player 2 Elo", "1600"))), ()),
        (attrs.evolve(one_game(*RESIGNED), comments=("a ] b", "[c")), ()),
        (attrs.evolve(one_game(*RESIGNED), comments=("\x00",)), ("comments",)),
        (attrs.evolve(one_game(*RESIGNED), comments=('[Tag "x"]',)), ("tags", "comments")),
        (one_game(OPENING, PLAY, board(BLACK)), ()),
        (one_game(OPENING, board(BLACK)), ()),  # in the place of an illegal play
        (one_game(OPENING, PLAY, *DOUBLED, board(BLACK, Cube(2, WHITE))), ()),
        (one_game(board(BLACK)), ()),
        (one_game(board(BLACK, Cube(2, WHITE)), Event(Action.ROLL, BLACK, (3, 1))), ()),
        (one_game(OPENING, PLAY, Event(Action.ROLL, BLACK, (6, 2))), ()),
        (one_game(), ()),
        (one_game(Forfeit(WHITE, 3)), ()),
        (one_game(OPENING, Forfeit(BLACK, 2)), ()),
    )
    def test_what_is_lost(self, match: Match, lost: tuple[str, ...]) -> None:
        losses = [
            name for name in lost_fields(match, "sgf") if "illegal-play" not in name and "findings.forfeit" not in name
        ]
        assert [name.removeprefix("games[0].") for name in losses] == [*lost]

    def test_ties_and_automatic_doubles(self) -> None:
        rules = attrs.evolve(MONEY, auto_doubles=1)
        start = MatchState.new(None, rules=rules)
        match = one_game(Event(Action.OPENING_ROLL, argument=(3, 3)), OPENING, PLAY, start=start, length=None)
        assert again(match).games[0].start.cube == Cube(2)
        assert lost_fields(match, "sgf") == ("rolls", "games[0].start", "games[0].events")

    @loop.rows(
        "rules",
        Rules(jacoby=True, beavers=0),
        Rules(jacoby=True, beavers=1, max_cube=64),
        Rules(beavers=1, cube=False),
        Rules(beavers=1, start="nackgammon"),
    )
    @loop.rows("tags", (), (("CubeLimit", "8"), ("Beaver", "Off"), ("Jacoby", "Off")))
    def test_rules_of_money_play(self, rules: Rules, tags: tuple[tuple[str, str], ...]) -> None:
        """Those without a word stand as tags in the comment about the match, in the place of any that contradict."""
        match = Match(("A", "B"), None, (Game(1, MatchState.new(None, rules=rules)),), tags=tags)
        assert again(match).rules == rules

    @loop.rows("rules", Rules(crawford=False), Rules(max_cube=2), Rules(opening="reroll"), Rules(start="longgammon"))
    def test_rules_of_a_match(self, rules: Rules) -> None:
        match = Match(("A", "B"), 5, (Game(1, MatchState.new(5, rules=rules)),))
        assert again(match).rules == rules

    @given(
        st.sampled_from([(), (OPENING,), (OPENING, PLAY), (OPENING, PLAY, *DOUBLED)]),
        st.sampled_from([None, Cube(), *(Cube(value, player) for value in (2, 4) for player in Player)]),
        st.sampled_from(Player),
    )
    @settings(max_examples=20)
    def test_the_cube_of_a_position_set_by_hand(
        self, before: tuple[Event, ...], cube: Cube | None, player: Player
    ) -> None:
        """It comes back as it was, in .mat as the cube that it leaves; or it is named; or the record is refused."""
        match = one_game(*before, board(player, cube), Event(Action.ROLL, player, (3, 1)), length=None)
        for form in ("sgf", "mat"):
            with suppress(GammonError):
                read = loads(dumps(match, form))
                same = [*read.games[0].states()] == [*match.games[0].states()]
                assert ("games[0].events" in lost_fields(match, form)) == (not same)
                assert form == "mat" or set_by_hand(read) == set_by_hand(match)

    def test_what_cannot_be_written_is_refused(self) -> None:
        broken = attrs.evolve(one_game(*RESIGNED), games=(attrs.evolve(one_game(*RESIGNED).games[0], cut=True),))
        with pytest.raises(GammonError, match="could not be replayed"):
            dumps(broken, "sgf")
        with pytest.raises(GammonError, match="no game"):
            dumps(Match(("A", "B"), 3), "sgf")
        with pytest.raises(ArgumentError):
            lost_fields("x", "sgf")  # type: ignore[arg-type]
        twice = one_game(OPENING, PLAY, board(BLACK), board(WHITE))
        assert "games[0].events" in lost_fields(twice, "sgf")
        assert lost_fields(Match(("A", "B"), 3), "sgf") == ("match",)

    def test_no_file_is_written_that_is_too_large_to_be_read(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gammonrules.records.formats.sgf.sgf_writer.MAX_SGF_SIZE", 10)
        with pytest.raises(GammonError, match="too large"):
            dumps(one_game(), "sgf")

    @loop.rows("beavers", 0, 1, 2)
    def test_beavers_that_are_pending_at_the_start(self, beavers: int) -> None:
        start = MatchState.new(None, rules=Rules(beavers=2)).opening_roll(3, 1).play("8/5 6/5").double()
        for _ in range(beavers):
            start = start.beaver()
        (game,) = again(one_game(start.canonical(Event("take")), start=start, length=None)).games
        assert game.final().cube == Cube(2 ** (1 + beavers), WHITE)

    def test_a_double_that_is_pending_at_the_start(self) -> None:
        start = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5").double()
        match = one_game(Event(Action.BEAVER, WHITE), Event(Action.TAKE, BLACK), start=start, length=None)
        assert again(match).games[0].final().cube == Cube(4, WHITE)
        assert "games[0].start" in lost_fields(match, "sgf")

    def test_remarks_and_comments(self) -> None:
        played, notes = one_game(OPENING, PLAY).games[0], (None, "good \\ play\n!")
        game = attrs.evolve(played, comments=("one", "] two"), notes=notes)
        match = attrs.evolve(one_game(), games=(game,))
        assert lost_fields(match, "sgf") == ()
        assert again(match).games[0].notes == game.notes
        early = attrs.evolve(match, games=(attrs.evolve(game, notes=("of the roll", None)),))
        assert lost_fields(early, "sgf") == ("games[0].notes",)  # it stands with the play

    def test_a_position_that_is_asked_about(self) -> None:
        """With the analysis of the roll that is still to be played."""
        evaluation = "[0][agln E ver 3 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]"
        text = f"(;GM[6]MI[length:3]AP[GNU Backgammon:1.07.001]PW[A]PB[B]RU[Crawford];W[31hefe];B[62]A{evaluation})"
        assert lost_fields(loads(text), "sgf") == ()
        assert f";B[62]A{evaluation}" in dumps(loads(text), "sgf")

    def test_a_remark_about_a_roll_without_its_play(self) -> None:
        match = Match(("Ann", "Bob"), 7, (Game(1, MatchState.new(7), (OPENING,), notes=("so soon",)),))
        assert again(match).games[0].notes == ("so soon",)

    @given(strategies.records(matches=strategies.matches(max_games=2, max_turns=4)))
    @example(Match(("", "\u0378"), None, (Game(1, MatchState.new(None)),)))  # which cannot be printed
    @example(  # whose first roll says whose turn it is
        one_game(
            Event(Action.OPENING_ROLL, argument=(1, 2)),
            start=attrs.evolve(MatchState.new(3), position=Position.of(mine={1: 1}, theirs={1: 1})),
        )
    )
    @settings(max_examples=10)
    def test_whatever_is_built_is_written_or_refused(self, match: Match) -> None:
        """What comes back is the same, but for what is named."""
        try:
            text = dumps(match, "sgf")
        except GammonError:
            return
        read, lost = loads(text), lost_fields(match, "sgf")
        if not {"tags", "comments"} & {*lost}:
            assert dumps(read, "sgf") == text
        for index, (game, other) in enumerate(zip(match.games, read.games, strict=True)):
            assert game.result == other.result or game.stated is not None
            if f"games[{index}].events" not in lost:
                assert len(game.events) == len(other.events)


FIVE = Chances(0.6, 0.2, 0.01, 0.15, 0.005)
BEST = Candidate("8/5 6/5", Position.start().play("8/5 6/5", "31"), 0.25, FIVE, "2-ply")
CUBE = CubeAnalysis(0.5, 0.25, chances=FIVE, level="2-ply", engine="eXtreme Gammon 2.19")


def analyzed(play: Analysis | None = None, cube: Analysis | None = None, length: int | None = 3) -> Match:
    """A record with an analysis of the play 8/5 6/5, and of the roll after it."""
    match = one_game(OPENING, PLAY, Event(Action.ROLL, BLACK, (6, 2)), length=length)
    return attrs.evolve(match, games=(attrs.evolve(match.games[0], analyses=(None, play, cube)),))


def numbers_in(analysis: Analysis | None) -> list[float]:
    """What an analysis says, without a dance."""
    if isinstance(analysis, PlayAnalysis):
        plays = [candidate for candidate in analysis.candidates if candidate.play != "no play"]
        numbers = [number for candidate in plays for number in (candidate.equity, *attrs.astuple(candidate.chances))]  # type: ignore[arg-type]
        return [*numbers, *[analysis.luck] * (analysis.luck is not None)]
    assert isinstance(analysis, CubeAnalysis)
    assert analysis.chances is not None
    after = analysis.chances_double_take or analysis.chances
    return [analysis.no_double, analysis.double_take, *attrs.astuple(analysis.chances), *attrs.astuple(after)]  # type: ignore[list-item]


class TestAnalysesOfAnyEngine:
    @given(
        st.sampled_from([None, 3, 25]),
        strategies.play_analyses(plays=st.just(Position.start().legal_plays("31").find("8/5 6/5"))),
        strategies.cube_analyses(),
    )
    def test_all_that_is_complete_comes_back(self, length: int | None, play: PlayAnalysis, cube: CubeAnalysis) -> None:
        """What an evaluation needs, within rounding; what is incomplete is named as a whole."""
        match = analyzed(play, cube, length)
        read, evaluated = (decision.analysis for decision in again(match).decisions())
        if any(candidate.chances is None for candidate in play.candidates):
            play = attrs.evolve(play, candidates=(), played=None)
        assert (read is not None) is (play.luck is not None or len(play.candidates) > 0)
        if isinstance(read, PlayAnalysis):
            assert numbers_in(read) == pytest.approx(numbers_in(play), abs=1e-6)
            assert [candidate.play for candidate in read.candidates] == [
                candidate.play for candidate in play.candidates
            ]
            assert read.played == play.played
        state = list(match.games[0].states())[2]
        is_complete = None not in (cube.no_double, cube.double_take, cube.chances)
        if is_complete and length is not None:
            chances = (KAZAROSS_XG2.to_chance(equity, state) for equity in (cube.no_double, cube.double_take))  # type: ignore[arg-type]
            is_complete = all(-0.001 <= chance <= 1.001 for chance in chances)  # type: ignore[operator]
        assert (evaluated is not None) is is_complete
        if is_complete:
            assert numbers_in(evaluated) == pytest.approx(numbers_in(cube), abs=1e-6)

    @loop.rows(
        ("match", "text", "lost"),
        # the plies of the file are those of GNU Backgammon
        (analyzed(PlayAnalysis((BEST,), 0, engine="GNU Backgammon 1.07")), "AP[GNU Backgammon:1.07]", ()),
        (analyzed(PlayAnalysis((BEST,), 0, engine="eXtreme Gammon 2.19")), "1C 0 1", ()),
        (analyzed(PlayAnalysis((BEST,), 0, engine="a] b: c")), "AP[gammonrules:a\\] b: c]", ()),
        (analyzed(PlayAnalysis((attrs.evolve(BEST, level="1-ply cubeless"),), 0)), "1 0 1", ()),
        (analyzed(PlayAnalysis((attrs.evolve(BEST, level="rollout"),), 0)), "0C 0 1", ("level",)),
        (analyzed(PlayAnalysis((attrs.evolve(BEST, standard_error=0.1, mwc=0.5),))), "", ("mwc", "standard_error")),
        (analyzed(PlayAnalysis((BEST, attrs.evolve(BEST, chances=None)), 1)), "A[-1]", ("candidates", "played")),
        (
            analyzed(PlayAnalysis((attrs.evolve(BEST, equity=None), BEST), luck=0.5)),
            ";W[31hefe]LU[0.500000]GW[1]",
            ("candidates",),
        ),
        (
            analyzed(PlayAnalysis((BEST, attrs.evolve(BEST, chances=None), BEST), 2)),
            "A[1][hefe",
            ("candidates", "played"),
        ),
        (analyzed(PlayAnalysis((BEST,), luck=-0.7)), "GB[2]", ()),
        (analyzed(PlayAnalysis((BEST,), luck=1e10)), "", ("",)),
        (analyzed(PlayAnalysis((attrs.evolve(BEST, play="24/18"),))), "", ("",)),
        (analyzed(PlayAnalysis((BEST,), engine="gnubg 1"), CUBE), "DA[E ver 3 1C 1 0.000000 1 ", ("engine", "level")),
        (analyzed(cube=attrs.evolve(CUBE, double_drop=0.5, stated_error=1)), "", ("double_drop", "stated_error")),
        (analyzed(cube=attrs.evolve(CUBE, no_double=9)), "", ("",)),
    )
    def test_what_is_written_and_what_is_lost(self, match: Match, text: str, lost: tuple[str, ...]) -> None:
        written = dumps(match, "sgf")
        assert text in written
        assert lost or dumps(loads(written), "sgf") == written
        assert lost_fields(match, "sgf") == tuple(f"games[0].analyses.{part}".removesuffix(".") for part in lost)

    def test_what_an_analysis_gains_is_not_lost(self) -> None:
        """A level, an engine, chances after a take and chances of winning the match: the file has a place for each."""
        play, cube = PlayAnalysis((BEST,), engine="bgsage 1"), attrs.evolve(CUBE, level="", engine="", mwc=None)
        match = analyzed(play, attrs.evolve(cube, chances_double_take=None), 7)
        _, read = (decision.analysis for decision in again(match).decisions())
        assert isinstance(read, CubeAnalysis)
        assert (read.level, read.engine, read.chances_double_take) == ("1-ply", "bgsage 1", read.chances)
        assert read.mwc is not None
        assert lost_fields(match, "sgf") == ()


class TestStarts:
    def test_a_position_of_a_text_is_set_by_hand(self) -> None:
        """Without a double that is pending, the board, the turn and the roll are all there is."""
        xgid = "XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:0:0:7:10"
        match = loads(xgid)
        assert again(match).games[0].final().xgid == match.games[0].start.xgid == xgid
