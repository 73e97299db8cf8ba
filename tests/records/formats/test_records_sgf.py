"""GNU Backgammon's SGF: what is read from it."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path

import pytest

import loop
from fact_tables import table
from gammonrules import Action, Cube, Dice, Player, Position, Resignation, SetPosition, Win
from gammonrules.analysis.internals import EncodedAnalysis
from gammonrules.errors import ParseError
from gammonrules.match import End, Event
from gammonrules.records import (
    CubeAnalysis,
    Decision,
    DecisionKind,
    Finding,
    FindingKind,
    Match,
    PlayAnalysis,
    Severity,
    dumps,
    loads,
    loads_all,
    lost_fields,
    referee,
)
from gammonrules.records.transcript.findings import MAX_OF_A_KIND
from real_records import loaded

DATA = Path(__file__).parents[2] / "data"
MATCHES, ANALYSIS = DATA / "matches", DATA / "analysis"
FILES = sorted(DATA.rglob("*.sgf"))
TWINS = ("test", "charlot1-charlot2_7p_2025-11-08-2305")
WHITE, BLACK = Player.WHITE, Player.BLACK

ROOT = "MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"


def sgf(*nodes: str, root: str = ROOT) -> str:
    return f"(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.07.001]{root}\n;" + "\n;".join(nodes) + ")\n"


def kinds(match: Match) -> list[tuple[str, str]]:
    return [(str(finding.severity), str(finding.kind)) for finding in referee(match)]


def events(match: Match) -> list[tuple[str, object, object]]:
    """Action, player and argument of each event of the first game."""
    listed: list[tuple[str, object, object]] = []
    for event in match.games[0].events:
        if isinstance(event, Event):
            listed.append((event.action.value, event.by, event.argument))
        else:
            assert isinstance(event, SetPosition)
            listed.append(("set", event.on_roll, event))
    return listed


def actions(match: Match) -> Counter[Action]:
    """How often each action was done."""
    return Counter(event.action for game in match.games for event in game.events if isinstance(event, Event))


class TestRealFiles:
    @loop.over("path", FILES, ids=lambda path: path.name)
    def test_is_read_without_a_finding(self, path: Path) -> None:
        match = loaded(path)
        assert match.format == "sgf"
        assert len(match.games) == path.read_text(encoding="utf-8").count("GM[6]")
        unfinished = [("info", "unfinished-game")] * (path.name == "money-beaver_0ply.sgf")
        assert kinds(match) == unfinished
        nodes = re.findall(r";[BW]\[([^]]*)\]", path.read_text(encoding="utf-8"))
        done = actions(match)
        assert done[Action.DOUBLE] + done[Action.BEAVER] == nodes.count("double")
        assert (done[Action.TAKE], done[Action.DROP]) == (nodes.count("take"), nodes.count("drop"))
        assert done[Action.PLAY] == sum(node[0].isdigit() for node in nodes)

    def test_beavers_of_a_money_session(self) -> None:
        match = loaded(ANALYSIS / "gnubg" / "money-beaver_0ply.sgf")
        done = [event[:2] for event in events(match) if event[0] in {"double", "beaver", "take"}]
        assert done == [("double", BLACK), ("beaver", WHITE), ("take", BLACK)]
        assert match.games[0].final().cube == Cube(4, WHITE)
        assert match.rules.jacoby is False

    def test_lines_are_those_of_the_file(self) -> None:
        path = MATCHES / "sgf" / "backgammonhub_2026-01-20_3pt.sgf"
        lines = path.read_text(encoding="utf-8").split("\n")
        for game in loaded(path).games:
            assert "GM[6]" in lines[(game.line or 0) - 1]
            for event, line in zip(game.events, game.lines, strict=True):
                node = lines[(line or 0) - 1]
                if isinstance(event, Event) and event.action is Action.ROLL:
                    assert re.search(rf";[BW]\[({event.argument}|{str(event.argument)[::-1]})", node)


EXPECTED = [row for row in table(ANALYSIS / "expected.tsv") if row["file"].endswith(".sgf")]
KINDS = {"play": DecisionKind.PLAY, "cube": DecisionKind.DOUBLE, "response": DecisionKind.ANSWER}


def decision_of(row: dict[str, str]) -> Decision:
    """The decision of a row: that of the n-th node of its game, each of which has a line of its own."""
    game = loaded(ANALYSIS / row["file"]).games[int(row["game"]) - 1]
    line = sorted({line for line in game.lines if line})[int(row["n"]) - 1]
    return next(
        decision for decision in game.decisions() if decision.line == line and decision.kind is KINDS[row["kind"]]
    )


class TestAnalysis:
    def test_all_rows_are_there(self) -> None:
        assert len(EXPECTED) == 49

    @loop.over("row", EXPECTED, ids=lambda row: f"{row['file'][6:]}-{row['game']}-{row['n']}-{row['kind']}")
    def test_equals_an_independent_decoder(self, row: dict[str, str]) -> None:
        """All numbers to the digits that the table has, the converted ones of the cube as well."""
        decision = decision_of(row)
        stated: dict[str, float | None] = {
            "eq_played": decision.equity,
            "eq_best": decision.equity_best,
            "error": decision.error,
            "luck": decision.luck,
        }
        analysis = decision.analysis
        if isinstance(analysis, CubeAnalysis):
            assert analysis.chances is not None
            stated |= {"nd": analysis.no_double, "dt": analysis.double_take, "dp": analysis.double_drop}
            stated |= {"win_best": analysis.chances.win} if row["win_best"] else {}
            level = analysis.level
            played, best = decision.action, decision.best
            words = {"roll": "no double"}
            assert (words.get(played, played), words.get(best or "", best)) == (row["played"], row["best"])
        else:
            assert analysis is not None
            assert analysis.best is not None
            assert analysis.best.chances is not None
            stated["win_best"], level = analysis.best.chances.win, analysis.best.level
            plays = decision.state.legal_plays
            assert plays.find(row["played"]) == plays.find(decision.action)
            assert plays.find(row["best"]) == plays.find(analysis.best.play)
        assert level == row["level"]
        for name, value in stated.items():
            if row[name]:
                assert value == pytest.approx(float(row[name]), abs=5.1e-6), name

    @loop.over("path", FILES, ids=lambda path: path.name)
    def test_every_evaluation_is_decoded(self, path: Path) -> None:
        """Every candidate is legal, the first is the best, and the one that was played is the play that was made."""
        text = path.read_text(encoding="utf-8")
        candidates = cubes = 0
        for decision in loaded(path).decisions():
            analysis = decision.analysis
            if isinstance(analysis, PlayAnalysis) and analysis.candidates:
                candidates += len(analysis.candidates)
                assert analysis.made is not None
                assert analysis.made.play == decision.action
                assert analysis.made.position == decision.after.position
            cubes += isinstance(analysis, CubeAnalysis)
        assert candidates == len(re.findall(r"\[[a-z]* ?(?:E ver 3 -?[0-9]\.|X ver 3 Score)", text))
        beavers = actions(loaded(path))[Action.BEAVER]
        assert cubes == text.count("DA[") - beavers  # the one repeated where a beaver is taken says nothing about that

    def test_program_and_luck(self) -> None:
        match = loaded(MATCHES / "sgf" / "test.sgf")
        first = next(match.decisions()).play_analysis
        assert first is not None
        assert (first.engine, first.luck) == ("GNU Backgammon 1.08.003", 0.00186)
        without = next(loaded(MATCHES / "sgf" / f"{TWINS[1]}.sgf").decisions())
        assert without.luck is None  # it is "-inf" there

    def test_is_pickled_undecoded(self) -> None:
        match = loaded(MATCHES / "sgf" / "test.sgf")
        stored = next(stored for stored in match.games[0].analyses if stored is not None)
        assert isinstance(stored, EncodedAnalysis)
        assert pickle.loads(pickle.dumps(match)) == match

    @loop.rows(
        ("evaluation", "equity", "level"),
        ("E 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0", 0.02, "2-ply"),  # before there were versions
        ("E ver 2 0.500000 0.100000 0.010000 0.100000 0.010000 -0.020000 1C 0 1 0.000000", -0.02, "1-ply"),
        ("E ver 3 0.5 0.1 1e-05 1.000400 -0.000001 3.5 3 0 1 0.000000 1 0", 3.5, "3-ply cubeless"),
    )
    def test_forms_of_plays(self, evaluation: str, equity: float, level: str) -> None:
        match = loads(sgf(f"W[31hefe]A[0][hefe {evaluation}]"))
        analysis = list(match.decisions())[-1].play_analysis
        assert analysis is not None
        assert (analysis.candidates[0].equity, analysis.candidates[0].level) == (equity, level)
        assert kinds(match) == [("info", "unfinished-game")]

    @loop.rows(
        "analysis",
        "A[0][hefe E ver 3 nan 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]",
        "A[0][hefe E ver 3 0.5 0.1 0.01 0.1 0.01 inf 2C 0 1 0.0]",
        "A[0][hefe E ver 3 1.002 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]",
        "A[0][hefe E ver 3 0.5 0.1 0.01 0.1]",
        "A[0][hefe X ver 3 Score 0.1 0.1 Trials 36]",
        "A[x][hefe E ver 3 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]",
        "A[0][hefe Z]",
        "A[]",
        "LU[nan]",
        "LU[]",
    )
    def test_numbers_out_of_order_are_left_out(self, analysis: str) -> None:
        match = loads(sgf(f"W[31hefe]{analysis}", f"B[31hefe]{analysis}"))
        assert next(decision.analysis for decision in match.decisions()) is None
        assert kinds(match).count(("warning", "unreadable-analysis")) == 1

    @loop.rows("cubeful", "1.002", "-0.002", "7.5")
    def test_a_chance_of_the_match_is_one(self, cubeful: str) -> None:
        chances = "0.5 0.1 0.01 0.1 0.01 0.0"
        cube = f"DA[E ver 3 2C 1 0.000000 1 {chances} {cubeful} {chances} 0.5]"
        nodes = "W[31hefe]", f"B[31qtst]{cube}"
        assert ("warning", "unreadable-analysis") in kinds(loads(sgf(*nodes)))
        money = loads(sgf(*nodes, root="MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Bob]"))
        analysis = next(decision.cube_analysis for decision in money.decisions() if decision.cube_analysis)
        assert (analysis.no_double, analysis.double_take, analysis.mwc) == (float(cubeful), 0.5, None)

    def test_older_forms_of_the_cube(self) -> None:
        outputs = "0.5 0.1 0.01 0.1 0.01 0.0 0.53 0.5 0.1 0.01 0.1 0.01 0.0 0.48"
        forms = ("E ver 3 2C 1 0.000000 1", "E ver 2 2C 0 1 0.000000", "E 0.1 0.2 0.3 0.4 2C 0 1 0.000000")
        matches = [loads(sgf("W[31hefe]", f"B[31qtst]DA[{form} {outputs}]")) for form in forms]
        analyses = [
            next(decision.cube_analysis for decision in match.decisions() if decision.cube_analysis)
            for match in matches
        ]
        assert analyses[0] == analyses[1] == analyses[2]
        assert (analyses[0].level, analyses[0].mwc) == ("2-ply", (0.53, 0.48, None))

    def test_long_matches_keep_the_chance_of_the_match(self) -> None:
        outputs = "0.5 0.1 0.01 0.1 0.01 0.0 0.53 0.5 0.1 0.01 0.1 0.01 0.0 0.48"
        root = "MI[length:64][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"
        match = loads(sgf("W[31hefe]", f"B[31qtst]DA[E ver 3 2C 1 0.000000 1 {outputs}]", root=root))
        analysis = next(decision.cube_analysis for decision in match.decisions() if decision.cube_analysis)
        assert (analysis.no_double, analysis.double_take, analysis.mwc) == (None, None, (0.53, 0.48, None))

    def test_a_candidate_that_is_not_legal_is_left_out(self) -> None:
        evaluation = "E ver 3 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0"
        match = loads(sgf(f"W[31hefe]A[2][aaaa {evaluation}][hgha {evaluation}][hefe {evaluation}][ {evaluation}]"))
        analysis = list(match.decisions())[-1].play_analysis
        assert analysis is not None
        assert [candidate.play for candidate in analysis.candidates] == ["8/5 6/5"]
        assert analysis.played == 0


class TestEndings:
    def test_resignation_with_a_roll(self) -> None:
        """The game is over after the roll, of which there is no play."""
        match = loads(sgf("W[31hefe]", "PL[B]DI[62]", root=f"{ROOT}RE[W+2R]"))
        assert [event[:2] for event in events(match)][2:] == [("roll", BLACK), ("resign", BLACK), ("accept", WHITE)]
        result = match.games[0].result
        assert result is not None
        assert (result.winner, result.points, result.end) == (WHITE, 2, End.RESIGNED)
        assert kinds(match) == []

    @loop.rows(
        ("last", "result", "expected"),
        ("B[62]", "RE[W+1R]", []),  # as it would be written with a roll that was not played
        ("W[31hefe]", "RE[B+3R]", []),
        ("W[31hefe]", "RE[B+3]", [("info", "resign-without-marker")]),
        ("W[31hefe]", "", [("info", "unfinished-game")]),
        ("W[31hefe]", "RE[nobody]", [("info", "unfinished-game")]),
        ("W[31hefe]", "RE[W+5R]", [("warning", "resign-odd-value")]),
        ("W[31hefe]", "RE[W+7R]", [("warning", "forfeit")]),
    )
    def test_other_ends(self, last: str, result: str, expected: list[tuple[str, str]]) -> None:
        nodes = ["W[31hefe]", last] if last.startswith("B") else [last]
        match = loads(sgf(*nodes, root=f"{ROOT}{result}"))
        assert kinds(match) == expected

    @loop.rows("last", "B[62]LU[-0.04]", "PL[B]DI[62]LU[-0.04]", "B[62]A[0][hgeb E ver 3{}]LU[-0.04]")
    @pytest.mark.parametrize(("winner", "luck"), [("W", -0.04), ("B", None)])
    def test_the_luck_of_a_roll_before_a_resignation(self, last: str, winner: str, luck: float | None) -> None:
        """It is that of the resignation, in every format; and of the player who rolled, even if the other resigned."""
        evaluation = " 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0"
        match = loads(sgf("W[31hefe]", last.format(evaluation), root=f"{ROOT}RE[{winner}+1R]"))
        for read in (match, *(loads(dumps(match, form)) for form in ("sgf", "ogxm", "json"))):
            *_, resignation, _ = read.decisions()
            assert (resignation.kind, str(resignation.dice), resignation.luck) == ("resign", "62", luck)
            assert resignation.play_analysis == PlayAnalysis((), None, -0.04, engine=resignation.play_analysis.engine)
            assert [rate.luck for rate in read.error_rates("gnubg")] == [None, -0.04]
        assert not any("luck" in lost or lost.endswith("analyses") for lost in lost_fields(match, "sgf"))

    @loop.rows("node", "B[62]", "B[62]LU[-0.04193]")
    def test_a_last_roll_that_is_written_twice_is_one(self, node: str) -> None:
        """As GNU Backgammon does where it has read a dance before a resignation."""
        twice = loads(sgf("W[31hefe]", node, "B[62]", root=f"{ROOT}RE[W+2R]"))
        assert (twice.games, kinds(twice)) == (loads(sgf("W[31hefe]", node, root=f"{ROOT}RE[W+2R]")).games, [])
        assert twice.games[0].winner is WHITE
        assert kinds(loads(sgf("W[31hefe]", node, "B[61]", root=f"{ROOT}RE[W+2R]"))) != []

    def test_the_next_score_says_who_resigned(self) -> None:
        first, second = (f"MI[length:7][game:{n}][ws:0][bs:{n}]PW[A]PB[B]RU[Crawford]" for n in range(2))
        match = loads(sgf("W[31hefe]", root=first) + sgf("B[31qtst]", root=second))
        assert match.games[0].winner is BLACK
        assert kinds(match) == [("info", "resign-without-marker"), ("info", "unfinished-game")]

    def test_a_roll_that_is_still_to_be_played(self) -> None:
        analysis = "A[0][hgeb E ver 3 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]LU[0.5]"
        game = loads(sgf("W[31hefe]", f"B[62]{analysis}")).games[0]
        assert game.final().dice == Dice(6, 2)
        assert isinstance(game.pending_analysis, EncodedAnalysis)

    def test_a_roll_without_play_in_mid_game(self) -> None:
        match = loads(sgf("W[31hefe]", "B[52]", "W[31hefe]"))
        assert ("warning", "hidden-play") in kinds(match)
        assert match.games[0].cut

    def test_drop_and_capped_points(self) -> None:
        root = "MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]RE[B+1]"
        match = loads(sgf("W[31hefe]", "B[double]", "W[drop]", root=root))
        assert match.score == (0, 1)
        assert kinds(match) == []


class TestGibbon:
    """The nodes with which Gibbon, a client of FIBS, writes resignations; N of `resign:N` are points."""

    CUBE = "W[31hefe]", "B[double]", "W[take]", "B[62agln]"

    @loop.rows(
        ("nodes", "stated", "result"),
        (("W[31hefe]", "B[resign:1]", "W[accept]"), "RE[W+1Resign]", (WHITE, 1)),
        (("W[31hefe]", "B[resign:2]", "W[accept]"), "", (WHITE, 2)),
        (("W[31hefe]", "W[resign:3]", "B[accept]"), "RE[B+3Resign]", (BLACK, 3)),
        ((*CUBE, "W[resign:2]", "B[accept]"), "RE[B+2Resign]", (BLACK, 2)),
        ((*CUBE, "B[resign:4]", "W[accept]"), "", (WHITE, 4)),
        ((*CUBE, "W[resign:6]", "B[accept]"), "RE[B+6Resign]", (BLACK, 6)),
        (("W[31hefe]", "B[double]", "W[resign:1]", "B[accept]"), "RE[B+1Resign]", (BLACK, 1)),
        (("W[31hefe]", "C[a]", "B[Resign:1 ]", "C[b]", "W[ACCEPT]"), "RE[W+1Resign]", (WHITE, 1)),
        (("W[31hefe]", "B[resign:2]"), "RE[W+2Resign]", (WHITE, 2)),  # the acceptance is missing
    )
    def test_resignations(self, nodes: tuple[str, ...], stated: str, result: tuple[Player, int]) -> None:
        match = loads(sgf(*nodes, root=f"{ROOT}{stated}"))
        assert kinds(match) == []
        assert [event[0] for event in events(match)[-2:]] == ["resign", "accept"]
        ended = match.games[0].final().result
        assert ended is not None
        assert ((ended.winner, ended.points), ended.end) == (result, End.RESIGNED)
        written = loads(dumps(match, "mat"))
        assert written.score == match.score
        assert kinds(written) == [("info", "resign-without-marker")]

    def test_a_declined_offer_does_not_end_the_game(self) -> None:
        nodes = (*self.CUBE, "W[resign:2]", "B[reject]", "W[42hdfd]", "B[resign:4]", "W[accept]")
        match = loads(sgf(*nodes, root=f"{ROOT}RE[W+4Resign]"))
        assert kinds(match) == []
        offers = [offer for offer in events(match) if offer[0] == "resign"]
        assert [offer[1:] for offer in offers] == [(WHITE, Win.SINGLE), (BLACK, Win.GAMMON)]
        assert actions(match)[Action.DECLINE] == 1
        assert (match.score, actions(match)[Action.PLAY]) == ((4, 0), 3)

    def test_the_stated_points_are_not_those_of_a_declined_offer(self) -> None:
        nodes = (*self.CUBE, "B[resign:2]", "W[reject]", "W[42hdfd]", "B[resign:2]", "W[accept]")
        match = loads(sgf(*nodes, root=f"{ROOT}RE[W+4Resign]"))
        offers = [offer for offer in events(match) if offer[0] == "resign"]
        assert [offer[2] for offer in offers] == [Win.SINGLE, Win.GAMMON]
        assert kinds(match) == [("warning", "resign-odd-value")]

    @loop.rows(
        ("nodes", "stated", "points", "expected"),
        ((*CUBE, "W[resign:2]", "B[castle]"), "RE[B+4Resign]", 4, ["resign-odd-value", "unreadable-line"]),
        ((*CUBE, "W[resign:2]", "W[reject]"), "RE[B+4Resign]", 4, ["resign-odd-value", "illegal-action"]),
        ((*CUBE, "W[resign:2]", "W[resign:4]", "B[accept]"), "RE[B+4]", 4, ["resign-odd-value", "illegal-action"]),
        ((*CUBE, "W[resign:2]", "B[accept]", "B[accept]"), "RE[B+4]", 4, ["resign-odd-value", "illegal-action"]),
        (("W[31hefe]", "B[resign:1]", "PL[B]DI[62]"), "RE[W+2]", 2, ["resign-odd-value", "illegal-action"]),
        (("W[31hefe]", "W[resign:2]"), "RE[B+7]", 7, ["forfeit"]),
        (("W[31hefe]", "W[resign:2]"), "RE[B+2]C[Bob wins by forfeit]", 2, ["forfeit"]),
    )
    def test_the_stated_points_count(
        self, nodes: tuple[str, ...], stated: str, points: int, expected: list[str]
    ) -> None:
        """Whatever follows the last offer, and whether somebody answers it."""
        match = loads(sgf(*nodes, root=ROOT + stated))
        result = match.games[0].final().result
        assert result is not None
        assert result.points == points
        assert [kind for _, kind in kinds(match)] == expected
        assert not any("no level of resignation" in finding.explanation for finding in match.findings)
        assert loads(dumps(match, "mat")).score == match.score

    def test_an_offer_before_a_position_set_by_hand(self) -> None:
        nodes = ("W[31hefe]", "B[resign:1]", "CV[2]CP[c]", "B[62agln]")
        match = loads(sgf(*nodes, root=f"{ROOT}RE[W+2Resign]"))
        assert Win.SINGLE in [offer[2] for offer in events(match) if offer[0] == "resign"]

    @loop.rows("roll", "B[62]LU[0.1]", "PL[B]DI[62]LU[0.1]")
    def test_the_luck_of_a_roll_counts_once(self, roll: str) -> None:
        """It is kept with the offer, and stated again with the play, or before another offer."""
        root = f"{ROOT}AP[GNU Backgammon:1.07.001]"
        offer = ("B[resign:1]", "W[reject]")
        for nodes, stated in (
            (("B[62agln]LU[0.1]", "W[42hdfd]"), ""),
            (("B[62agln]", "W[42hdfd]"), ""),
            (("B[62]LU[0.1]", "B[resign:1]", "W[accept]"), "RE[W+1Resign]"),
            ((), "RE[W+1Resign]"),
        ):
            match = loads(sgf("W[31hefe]", roll, *offer, *nodes, root=root + stated))
            assert match.error_rates()[BLACK].luck == pytest.approx(0.1)
            assert [kind for severity, kind in kinds(match) if severity == "error"] == []

    def test_another_roll_after_a_declined_offer_is_illegal(self) -> None:
        match = loads(sgf("W[31hefe]", "B[62]", "B[resign:1]", "W[reject]", "B[61agrs]"))
        assert kinds(match) == [("error", "illegal-action")]

    def test_a_double_is_pending_again_after_a_declined_offer(self) -> None:
        match = loads(sgf("W[31hefe]", "B[double]", "W[resign:1]", "B[reject]", "W[drop]", root=f"{ROOT}RE[B+1]"))
        assert (kinds(match), match.score) == ([], (0, 1))

    @loop.rows("roll", ("B[62]",), ("PL[B]DI[62]",), ("PL[B]DI[62]LU[0.1]",))
    def test_a_roll_before_an_offer(self, roll: tuple[str, ...]) -> None:
        ended = loads(sgf("W[31hefe]", *roll, "B[resign:1]", "W[accept]", root=f"{ROOT}RE[W+1Resign]"))
        assert [event[0] for event in events(ended)[2:]] == ["roll", "resign", "accept"]
        goes_on = loads(sgf("W[31hefe]", *roll, "B[resign:1]", "W[reject]", "B[62agln]", "W[21hfmn]"))
        assert [event[0] for event in events(goes_on)[2:5]] == ["roll", "resign", "decline"]
        assert events(goes_on)[5] == ("play", BLACK, "24/18 13/11")

    @loop.rows(
        ("offer", "stated", "points", "expected"),
        ("W[resign:1]", "RE[B+2Resign]", 2, ["resign-odd-value"]),  # without the cube
        ("W[resign:2]", "RE[B+4Resign]", 4, ["resign-odd-value"]),  # the stated points are more certain
        ("W[resign:3]", "", 4, ["resign-odd-value"]),
        ("W[resign:99]", "", 6, ["resign-odd-value"]),
        ("W[resign:7]", "RE[B+7Resign]", 6, ["resign-odd-value", "resign-odd-value"]),
        ("W[resign:0]", "RE[B+4Resign]", 4, ["unreadable-line"]),
        ("W[resign]", "RE[B+4Resign]", 4, ["unreadable-line"]),
        ("W[resign:2000000000000000]", "RE[B+2Resign]", 2, ["unreadable-line"]),
        ("W[resign: 2]", "RE[B+4Resign]", 4, ["unreadable-line"]),
        ("W[resign:gammon]", "", None, ["unreadable-line"]),
        ("B[resign:2]", "RE[W+2Resign]", 2, ["illegal-action"]),  # accepted by the player who offered it
        ("B[resign:2]", "", None, ["illegal-action"]),
        ("B[reject]", "RE[B+2Resign]", 2, ["illegal-action"]),
    )
    def test_wrong_offers(self, offer: str, stated: str, points: int | None, expected: list[str]) -> None:
        match = loads(sgf(*self.CUBE, offer, "B[accept]", root=f"{ROOT}{stated}"))
        result = match.games[0].final().result
        assert (None if result is None else result.points) == points
        assert [kind for _, kind in kinds(match)] == expected
        assert match.games[0].cut == (points is None)

    def test_the_next_score_is_more_certain_than_an_offer(self) -> None:
        second = "MI[length:7][game:1][ws:0][bs:4]PW[Ann]PB[Bob]RU[Crawford]"
        match = loads(sgf(*self.CUBE, "W[resign:2]", "B[accept]") + sgf("B[31qtst]", root=second))
        assert match.games[1].score == (0, 4)
        assert kinds(match) == [("warning", "resign-odd-value"), ("info", "unfinished-game")]

    def test_an_offer_by_the_stated_winner(self) -> None:
        match = loads(sgf("W[31hefe]", "B[resign:2]", root=f"{ROOT}RE[B+2Resign]"))
        assert (match.score, kinds(match)) == ((0, 2), [("warning", "points-mismatch")])

    def test_an_offer_that_nobody_has_answered(self) -> None:
        unfinished = loads(sgf("W[31hefe]", "B[resign:2]"))
        assert kinds(unfinished) == [("info", "unfinished-game")]
        assert unfinished.games[0].final().offer == Resignation(BLACK, Win.GAMMON)
        goes_on = loads(sgf("W[31hefe]", "B[resign:1]", "B[62agln]", root=f"{ROOT}RE[W+1Resign]"))
        assert kinds(goes_on) == [("error", "illegal-action")]

    @loop.rows(
        ("nodes", "is_cut"),
        (("B[castle]", "W[moat]"), False),
        (("B[castle]", "B[62agln]"), True),
        (("B[castle]", "B[double]", "W[moat]"), True),
        (("B[castle]", "PL[B]DI[62]"), True),
    )
    def test_stated_points_are_trusted_where_a_game_stops(self, nodes: tuple[str, ...], is_cut: bool) -> None:
        match = loads(sgf("W[31hefe]", *nodes, root=f"{ROOT}RE[W+2Resign]"))
        assert (match.games[0].cut, match.score) == (is_cut, (2, 0))
        assert kinds(match) == [("error", "unreadable-line")]

    def test_games_are_counted_from_zero(self) -> None:
        root = ROOT.replace("game:0", "game:1").replace("ws:0", "ws:1")
        text = sgf("W[31hefe]", root=root).replace("GNU Backgammon:1.07.001", "gibbon (libgsgf):0.2.0 (0.2.0)")
        assert loads(text).games[0].number == 2


class TestSetUp:
    EXAMPLE = (
        "PL[B]AE[a:y]AW[b][f][f][f][f][h][h][h][m][m][m][y]AB[u][t][s][s][s][s][s][q][q][q][l][l][l][c][y]",
        "CV[2]",
        "CP[w]",
        "PL[B]DI[52]",
    )

    def position(self) -> Position:
        mine = {"bar": 1, 22: 1, 13: 3, 8: 3, 6: 5, 5: 1, 4: 1}
        return Position.of(mine=mine, theirs={"bar": 1, 13: 3, 8: 3, 6: 4, 2: 1})

    @loop.rows("order", (0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2))
    def test_a_saved_position(self, order: tuple[int, ...]) -> None:
        match = loads(sgf(*(self.EXAMPLE[index] for index in order)))
        final = match.games[0].final()
        assert (final.view(BLACK), final.on_roll, final.dice) == (self.position(), BLACK, Dice(5, 2))
        assert final.cube == Cube(2, WHITE)
        assert [event[0] for event in events(match)] == ["set", "roll"]

    def test_in_one_node_and_with_the_published_name_of_the_owner(self) -> None:
        match = loads(sgf("".join(self.EXAMPLE).replace("CP[w]", "CO[w]").replace("]PL[B]DI", "]DI")))
        assert match.games[0].final() == loads(sgf(*self.EXAMPLE)).games[0].final()

    def test_in_the_root(self) -> None:
        root = "MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]" + "".join(self.EXAMPLE[:3]) + "DI[52]"
        match = loads(f"(;FF[4]GM[6]{root})")
        assert match.games[0].final() == loads(sgf(*self.EXAMPLE)).games[0].final()

    def test_dice_that_were_overwritten(self) -> None:
        match = loads(sgf("PL[W]DI[53]", "B[31qtst]"))
        assert [event[0] for event in events(match)] == ["opening_roll", "play"]
        assert match.games[0].final().on_roll is WHITE

    def test_the_cube_alone(self) -> None:
        match = loads(sgf("W[31hefe]", "CV[2]CP[b]", "B[31qtst]"))
        assert [event[0] for event in events(match)] == ["opening_roll", "play", "set", "roll", "play"]
        assert match.games[0].final().cube == Cube(2, BLACK)

    def test_an_illegal_play(self) -> None:
        """Its dice and the board after it are nodes of their own."""
        board = self.EXAMPLE[0].replace("PL[B]", "PL[W]")
        match = loads(sgf("W[31hefe]", "PL[B]DI[52]", board, "W[61yxmg]"))
        assert [event[0] for event in events(match)] == ["opening_roll", "play", "roll", "set", "roll", "play"]
        assert ("error", "illegal-play") in kinds(match)

    @loop.rows(
        "node",
        *("AW[aa]", "AW[A]", "AB[" + "a][" * 70 + "a]", "AE[a:z]", "PL[X]AE[a:y]AW[a]AB[x]", "CV[3]", "CV[x]"),
        *("CV[99999999999]", "CP[x]", "DI[77]", "DI[]", "PL[]DI[31]", "AE[a:y]"),
    )
    def test_what_cannot_be_set(self, node: str) -> None:
        match = loads(sgf("W[31hefe]", node, "B[31qtst]"))
        assert match.games[0].cut
        assert any(severity == "error" for severity, _ in kinds(match))

    def test_automatic_doubles(self) -> None:
        root = "MI[length:0][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Jacoby]CV[4]"
        match = loads(sgf("W[31hefe]", root=root))
        assert (match.rules.auto_doubles, match.games[0].start.cube, match.rules.jacoby) == (2, Cube(4), True)


def test_steps_that_end_like_a_legal_play() -> None:
    """GNU Backgammon writes 5/off as 5/1 1/off, a route that the 2 of 42 forbids while a checker is on the 3-point."""
    text = "(;FF[4]GM[6]MI[length:1][game:0][ws:0][bs:0]PW[Ann]PB[Bob]\n;PL[W]AE[a:y]AW[e][c][a]AB[x][w]\n;W[42eaaz])"
    (decision,) = (decision for decision in loads(text).decisions() if decision.kind == "play")
    assert decision.action == "5/off"
    refused = loads(text.replace("eaaz", "eacz"))
    assert "illegal-play" in {finding.kind for finding in referee(refused)}


class TestRoot:
    @loop.rows(
        ("words", "start"),
        ("Nackgammon", "nackgammon"),
        ("Hypergammon1", "hypergammon1"),
        ("Hypergammon3", "hypergammon"),
    )
    def test_variations(self, words: str, start: str) -> None:
        match = loads(sgf("C[x]", root=f"MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford:{words}]"))
        assert match.rules.start == start

    @loop.rows(("result", "jacoby"), ("W+1", True), ("W+2", False), ("W+4", False))
    def test_stated_points_decide_about_the_jacoby_rule(self, result: str, jacoby: bool) -> None:
        """Of a gammon with a centered cube, in money play, where `RU` does not mention the rule."""
        board = "PL[W]AE[a:y]AW[b]AB" + 15 * "[s]"
        root = ROOT.replace("length:7", "length:0").replace("RU[Crawford]", f"RE[{result}]")
        match = loads(sgf(board, "W[21bz]", root=root))
        assert match.rules.jacoby is jacoby
        assert match.games[0].result.points == 2 - jacoby

    def test_no_cube_and_no_crawford(self) -> None:
        match = loads(sgf("C[x]", root="MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[NoCube]"))
        assert (match.rules.cube, match.rules.crawford) == (False, False)

    def test_unknown_properties_are_tags(self) -> None:
        match = loads(sgf("XX[y]W[31hefe]ZZ[1][2]", root=f"{ROOT}QQ[1][2]"))
        assert match.tags == (("QQ", "1, 2"),)
        assert kinds(match) == [("info", "unfinished-game")]

    def test_tags_ratings_and_comments(self) -> None:
        root = (
            "MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]WR[1600.5]BR[1500]DT[2024-02-30]"
            'GC[[Stakes "10\\: 1"\\]\na remark\\] with \\\\ and\n\n[another]C[about the game]'
        )
        match = loads(sgf("W[31hefe]C[a good \\] play\nindeed]", root=root))
        assert match.ratings == (1600.5, 1500.0)
        assert match.date is None
        assert ("Stakes", "10: 1") in match.tags
        assert match.comments == ("a remark] with \\ and", "[another")
        assert match.games[0].comments == ("about the game",)
        assert match.games[0].notes == (None, "a good ] play\nindeed")

    def test_lower_case_letters_in_names_do_not_count(self) -> None:
        text = sgf("W[31hefe]").replace("MI[", "MatchInfo[").replace("W[31", "White[31").replace("RU[", "RUles[")
        assert loads(text).games == loads(sgf("W[31hefe]")).games

    @loop.rows(
        ("flags", "expected"),
        (("Crawford", "Crawford:CrawfordGame", "Crawford"), []),
        (("Crawford", "Crawford", "Crawford"), ["crawford-mismatch"]),
        (("Crawford:CrawfordGame", "Crawford:CrawfordGame", "Crawford"), ["crawford-mismatch"]),
        (("Crawford", "Crawford:CrawfordGame", "Crawford:CrawfordGame"), ["crawford-mismatch"]),
        (("Crawford", "", "Crawford"), ["changed-rules", "crawford-mismatch"]),
        (("", "", ""), []),
    )
    def test_crawford_flags_against_the_score(self, flags: tuple[str, ...], expected: list[str]) -> None:
        """White wins two games of a match to 3 by resignations, then loses one."""
        scores, results = ((0, 0), (2, 0), (2, 1)), ("W+2R", "B+1R", "W+1R")
        games = (
            sgf("W[31hefe]", root=f"MI[length:3][game:{n}][ws:{w}][bs:{b}]PW[A]PB[B]RU[{flag}]RE[{result}]")
            for n, (flag, (w, b), result) in enumerate(zip(flags, scores, results, strict=True))
        )
        assert sorted(kind for _, kind in kinds(loads("".join(games)))) == expected

    @loop.rows(
        ("second", "games"),
        ("MI[length:5][game:1][ws:1][bs:0]PW[Ann]PB[Bob]RU[Crawford]", [1, 1]),
        ("MI[length:7][game:1][ws:1][bs:0]PW[Cid]PB[Dan]RU[Crawford]", [1, 1]),
        ("MI[length:7][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]", [1, 1]),
        ("MI[length:7][game:2][ws:1][bs:0]PW[Bob]PB[Ann]RU[Crawford]", [2]),  # they have changed colors
    )
    def test_two_matches_in_one_file(self, second: str, games: list[int]) -> None:
        first = "MI[length:7][game:1][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]RE[W+1R]"
        text = sgf("W[31hefe]", root=first) + sgf("W[31hefe]", root=second)
        matches = loads_all(text)
        assert [len(match.games) for match in matches] == games
        if len(games) == 1:
            assert any(severity == "error" for severity, _ in kinds(matches[0]))
        else:
            with pytest.raises(ParseError, match="holds 2 matches"):
                loads(text)

    @loop.rows(
        ("text", "words"),
        ("(;FF[4]GM[1]SZ[19];B[aa])", "GM\\[1\\]"),
        ("(;GM[11]AP[x])", "a game other than backgammon"),
        ("(;FF[4];B[aa])", "GM\\[6\\] is missing"),
        ("(;PW[", "holds no game|GM\\[6\\]"),
    )
    def test_other_games_are_refused(self, text: str, words: str) -> None:
        with pytest.raises(ParseError, match=words):
            loads(text)

    def test_scores_beyond_the_length(self) -> None:
        match = loads(sgf("W[31hefe]", root="MI[length:3][game:0][ws:3][bs:0]PW[A]PB[B]RU[Crawford]"))
        assert match.games == ()
        assert kinds(match) == [("error", "score-does-not-follow")]

    def test_money_games_that_do_not_say_their_score(self) -> None:
        """As GNU Backgammon wrote them in 2000: without `MI`."""
        roots = (f"PW[Ann]PB[Bob]RE[{side}+1]" for side in "WBW")
        match = loads("".join(sgf("W[31hefe]", "B[double]", "W[drop]", root=f"{root}") for root in roots))
        assert (match.length, [game.start.score for game in match.games]) == (None, [(0, 0), (0, 1), (0, 2)])
        assert [kind for kind in kinds(match) if kind[1] != "points-mismatch"] == [("info", "unreadable-line")]
        in_a_match = loads(sgf("W[31hefe]", root="PW[Ann]PB[Bob]RU[Crawford]"))
        assert ("error", "unreadable-line") in kinds(in_a_match)

    def test_names_and_length_are_missing(self) -> None:
        match = loads("(;GM[6];W[31hefe])")
        assert match.length is None
        assert kinds(match) == [("info", "no-score-line"), ("info", "unreadable-line"), ("info", "unfinished-game")]


class TestText:
    def test_variations_after_the_first_are_left_out(self) -> None:
        text = f"(;GM[6]{ROOT};W[31hefe](;B[62agln](;W[21xvxw])(;W[1]))(;B[62abln]))"
        match = loads(text)
        assert actions(match)[Action.PLAY] == 3
        assert kinds(match) == [("info", "left-out"), ("info", "unfinished-game")]
        assert loads(f"((({text})))").games == match.games

    def test_escapes(self) -> None:
        match = loads(sgf("W[31hefe]", root="MI[length:3][ws:0][bs:0]PW[A\\]B (;x)]PB[C\nD]RU[Crawford]"))
        assert match.players == ("A]B (;x)", "C D")

    @loop.rows(
        "text",
        sgf("W[31hefe]")[:-2],
        sgf("W[31hefe]", "B")[:-2],
        "hello " + sgf("W[31hefe]").replace("(", "", 1).replace(")", ""),
        sgf("W[31hefe]").replace("(;", "(XX[1];"),
        sgf("W[31hefe]") + "and more",
        sgf("W[31hefe]") + "()",
        sgf("W[31hefe]") + ")",
        sgf("W[31hefe]", "[31]"),
        sgf("W[31hefe] what is this B[31]"),
        sgf("W[31hefe]")[:-2] + sgf("B[31qtst]", root="MI[length:7][game:1][ws:0][bs:0]PW[Ann]PB[Bob]RU[Crawford]"),
    )
    def test_garbage_is_a_finding_or_a_sentence(self, text: str) -> None:
        try:
            match = loads(text, format="sgf")
        except ParseError as error:
            assert "holds no game" in str(error)
        else:
            assert any(kind == "unreadable-line" for _, kind in kinds(match))

    @loop.rows(
        "node",
        *("W[double]", "W[take]", "W[castle]", "W[]", "W[00]", "W[31hefehefehe]", "W[31he f]", "W[71hefe]"),
        *("W[31heh]", "W[31heay]", "W[31heaz]", "W[31hefg]", "B[31hefe]W[31hefe]", "W[33hehehehe]"),
    )
    def test_actions_that_cannot_be(self, node: str) -> None:
        match = loads(sgf(node, "B[31qtst]"))
        assert match.games[0].cut
        assert kinds(match)[0][0] == "error"

    @loop.rows(
        "text",
        "(" * 4_000,
        "(;GM[6]MI[length:3]" + "(;" * 4_000,
        "(;GM[6]MI[length:3]" + "(;B[31])" * 10_000 + ")",
        "(;GM[6]MI[length:3]" + ";B[31]" * 4_000,
        "(;GM[6]MI[length:3]PW[" + "x" * 20_000,
        "(;GM[6]MI[length:3];AW" + "[a]" * 10_000 + ")",
        "(;GM[6]MI[length:3]C[" + "\\" * 10_001 + "])",
        "(;GM[6]MI[length:3]" + "a b " * 6_000,
        "(;GM[6]MI[length:3]" + "AB[x]" * 5_000 + ")",
        "(;GM[6]MI[length:3]" + "".join(f"{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}[x]" for n in range(700)) + ")",
        "(;GM[6]MI[length:3])" * 4_000,
        "()" * 4_000,
        "(;GM[6]MI[length:3];W[31hefe]A[0]" + "[hefe E ver 3" + " 0.5" * 5_000 + "])",
        "(;GM[6]MI" + "[length:3]" * 5_000 + ")",
        "(;GM[6]RU[" + "Crawford:" * 5_000 + "])",
        "(;GM[6]MI[length:3]GC[" + '[x "y"\\]\n' * 4_000 + "])",
    )
    def test_time_is_linear(self, text: str) -> None:
        """Each takes a fraction of a second; anything quadratic would take minutes, and recursion would fail."""
        try:
            match = loads(text, format="sgf")
        except ParseError as error:
            assert len(str(error)) < 200
        else:
            assert len(referee(match)) < 300
            assert sum(len(game.events) for game in match.games) < 100


SMALL = sgf(
    "W[31hefe]A[0][hefe E ver 3 0.5 0.1 0.01 0.1 0.01 0.02 2C 0 1 0.0]LU[0.1]",
    "B[double]DA[E ver 3 2C 1 0.0 1 0.5 0.1 0.01 0.1 0.01 0.0 0.53 0.5 0.1 0.01 0.1 0.01 0.0 0.48]C[a \\] b]",
    "W[take]",
    "B[62agln]",
    "PL[W]DI[31]",
    "PL[B]AE[a:y]AW[a][b]AB[x]",
    "CV[4]",
    "CP[b]",
)
REAL = (MATCHES / "sgf" / "backgammonhub_2026-01-20_3pt.sgf").read_text(encoding="utf-8")


def outcome_of(text: str) -> Match | None:
    """What is read; None if it is refused. Every decision is decoded, and the referee looks at it."""
    try:
        match = loads(text, format="sgf")
    except ParseError:
        return None
    assert all(isinstance(finding, Finding) for finding in referee(match))
    for decision in match.decisions():
        _ = decision.analysis, decision.error
    return match


class TestBroken:
    @loop.rows("text", SMALL, REAL)
    def test_cut_at_every_character(self, text: str) -> None:
        whole = outcome_of(text)
        assert whole is not None
        for end in range(0, len(text), 3 if text is SMALL else 51):
            match = outcome_of(text[:end])
            if match is not None and text[:end].rstrip()[-1] != ")":  # that is, between two games
                assert any(finding.kind is FindingKind.UNREADABLE_LINE for finding in match.findings), end
                for game, read in zip(match.games[:-1], whole.games, strict=False):
                    assert game == read
                last = match.games[-1]
                assert last.events == whole.games[len(match.games) - 1].events[: len(last.events)]


class TestPlays:
    def test_the_only_one_is_found_where_none_is_shown(self) -> None:
        match = loads(sgf("PL[W]AE[a:y]AW[x]AB[l]", "W[31]", "B[21lnno]"))
        (hidden,) = [finding for finding in match.findings if finding.kind is FindingKind.HIDDEN_PLAY]
        assert hidden.severity is Severity.INFO
        assert "24/20" in hidden.explanation
        assert match.games[0].events[2] == Event(Action.PLAY, WHITE, "24/20")
        assert not match.games[0].cut

    def test_illegal_ones_are_not_all_explained(self) -> None:
        games = [
            sgf("W[31xaxa]", root=ROOT.replace("game:0", f"game:{number}")) for number in range(MAX_OF_A_KIND + 20)
        ]
        match = loads("".join(games))
        assert [game.cut for game in match.games] == [True] * len(games)
        assert [finding.kind for finding in match.findings].count(FindingKind.ILLEGAL_PLAY) == MAX_OF_A_KIND + 1


def test_nothing_in_another_variation_is_judged() -> None:
    match = loads(sgf("W[31hefe](;B[21lnno])([x])"))
    assert [finding.kind for finding in match.findings] == [FindingKind.LEFT_OUT, FindingKind.UNFINISHED_GAME]
