"""Texts that carry positions: GNU Backgammon's analyzed games, positions of eXtreme Gammon and BGBlitz."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import attrs
import pytest

import gnu_backgammon
import loop
import wording
from fact_tables import table
from gammonrules import (
    Action,
    ArgumentError,
    Cube,
    Dice,
    Event,
    Forfeit,
    MatchState,
    ParseError,
    Phase,
    Player,
    SetPosition,
    Win,
)
from gammonrules.board import Play, Plays
from gammonrules.board.internals import legal_play
from gammonrules.records import (
    Chances,
    CubeAnalysis,
    Decision,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    join,
    load,
    loads,
    loads_all,
    referee,
    scan,
)
from gammonrules.records.formats.texts import gnubg_boards, gnubg_sheet, text_patterns
from gammonrules.rules import MONEY
from real_records import loaded

WHITE, BLACK = Player
DATA = Path(__file__).parents[2] / "data"
ANALYSIS = DATA / "analysis"
GNUBG = sorted((ANALYSIS / "gnubg").glob("*.txt")) + sorted((ANALYSIS / "gnubg-bglab").glob("*.txt"))
LANGUAGES = sorted((ANALYSIS / "gnubg-languages").glob("*.txt"))
GAMES = [ANALYSIS / "gnubg" / f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003", "_004")]
MWC = ANALYSIS / "gnubg" / "match7662222_1ply_003_mwc.txt"
BEAVER = ANALYSIS / "gnubg" / "money-beaver_0ply.txt"
ROLLOUT = ANALYSIS / "gnubg" / "rollout_3pt-game1.txt"
SESSION, MONEY_SESSION, POSITION = (
    ANALYSIS / "gnubg-boards" / f"{name}.txt" for name in ("session", "session-money", "position")
)


EXPECTED = table(ANALYSIS / "expected.tsv")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def decisions(path: Path) -> tuple[Decision, ...]:
    return tuple(loaded(path).decisions())


def kinds(match: Match) -> set[FindingKind]:
    return {finding.kind for finding in referee(match)}


def numbers_of(decision: Decision) -> object:
    """What an analysis says, apart from the program."""
    return None if decision.analysis is None else attrs.evolve(decision.analysis, engine="")


class TestGnubg:
    """Every sample is followed to its end, and every identifier agrees."""

    @loop.over("path", GNUBG + LANGUAGES, ids=lambda path: path.name)
    def test_read_without_a_doubt(self, path: Path) -> None:
        match = loaded(path)
        assert match.format == "gnubg-text"
        assert kinds(match) <= ({FindingKind.UNFINISHED_GAME} if path == BEAVER else set())
        assert all(not game.cut for game in match.games)

    @loop.over("path", GNUBG, ids=lambda path: path.name)
    def test_every_analysis_is_read(self, path: Path) -> None:
        text, read = text_of(path), decisions(path)
        tables = len(re.findall(r"^1\. \D", text, re.MULTILINE))
        assert len([decision for decision in read if isinstance(decision.analysis, CubeAnalysis)]) == tables
        listed = len(re.findall(r"^[* ] +(\d+\. |\?\?)", text, re.MULTILINE))
        analyses = [decision.analysis for decision in read if isinstance(decision.analysis, PlayAnalysis)]
        assert sum(len(analysis.candidates) for analysis in analyses) == listed
        lucks = len(re.findall(r"^Rolled \d\d \(", text, re.MULTILINE))
        assert len([analysis for analysis in analyses if analysis.luck is not None]) == lucks

    def test_facts_of_the_match(self) -> None:
        match = loaded(ROLLOUT)
        assert match.players == ("MrPurple", "Lasse")
        assert (match.length, match.event, match.site, match.date) == (3, "Online match", "Backgammon Studio", None)
        assert dict(match.tags)["Date"] == "05/11/24"  # the 11th of May, or the 5th of November
        assert match.games[0].winner is BLACK

    @loop.rows("words", "Crawford game", '"Post" Crawford Spiel', "Crawfordovská hra")
    def test_the_crawford_game_is_named_behind_the_length(self, words: str) -> None:
        text = text_of(GAMES[3]).replace("(match to 5 points)", f"(match to 5 points), {words}")
        assert words in text
        assert loads(text) == loaded(GAMES[3])

    @loop.rows("order", (0, 1, 2, 3), (3, 1, 2, 0))
    def test_texts_of_one_game_each_are_joined(self, order: tuple[int, ...]) -> None:
        others = loaded(BEAVER), loaded(GAMES[2])
        matches = join([*(loaded(GAMES[index]) for index in order), *others])
        assert len(matches) == 3
        assert {*matches} == {loads("".join(map(text_of, GAMES))), *others}

    def test_what_leaves_several_ways_stays_apart(self) -> None:
        """Two different second games with the same end: neither has one way to the first or the third."""
        first, second, *rest = map(loaded, GAMES)
        shorter = attrs.evolve(second, games=(attrs.evolve(second.games[0], events=second.games[0].events[:20]),))
        assert [len(match.games) for match in join([first, second, shorter, *rest])] == [1, 1, 1, 2]
        with pytest.raises(ArgumentError, match="matches must be several, as in a list, not None"):
            join(None)  # type: ignore[arg-type]

    def test_what_seems_to_follow_itself_stays(self) -> None:
        """Two games in the wrong order, so that its end is where it begins."""
        games = (
            Game(3, MatchState.new(7, score=(1, 0)), (Forfeit(Player.BLACK, 1),)),
            Game(2, MatchState.new(7), (Forfeit(Player.BLACK, 1),)),
        )
        match = Match(("Ann", "Bob"), 7, games)
        assert join([match]) == (match,)

    def test_findings_of_joined_texts_belong_to_their_games(self) -> None:
        wrong = loads(text_of(GAMES[1]).replace("* the_boys moves", "* the_boys moves 1/25", 1))
        (match,) = join([loaded(GAMES[0]), wrong])
        assert [finding.game for finding in wrong.findings] == [1] * len(wrong.findings) != []
        assert [finding.game for finding in match.findings] == [2] * len(wrong.findings)

    @loop.rows(
        ("old", "new", "games"),
        ("(after 2 games)", "(after 4 games)", [3, 1]),  # games 1, 2 and 5, then 4
        ("lasse wins 1 point", "lasse wins 2 points", [1, 3]),
        ("lasse wins 1 point", "", [4]),
    )
    def test_games_go_on_if_numbers_and_scores_do(self, old: str, new: str, games: list[int]) -> None:
        text = "".join(map(text_of, GAMES))
        assert old in text
        assert [len(match.games) for match in loads_all(text.replace(old, new, 1))] == games

    @loop.rows("name", ": 2", ": 0", ": 0   \x85lX: lasse")
    def test_what_the_program_takes_for_a_name_is_none(self, name: str) -> None:
        """It writes the score for a player without a name, and what its memory holds behind it."""
        match = loads(text_of(GAMES[0]).replace("the_boys", name))
        assert match.players == ("lasse", "")
        assert match.games == loaded(GAMES[0]).games
        assert [finding.kind for finding in referee(match)] == [FindingKind.NO_PLAYER_NAME]

    @loop.rows(
        ("date", "written", "day"),
        ("16/09/2023", "", dt.date(2023, 9, 16)),
        ("09/16/23", "", dt.date(2023, 9, 16)),
        ("16/09/23", "", dt.date(2023, 9, 16)),  # not in 2016: the year comes last
        ("05/05/24", "", dt.date(2024, 5, 5)),
        ("2024-05-03", "", dt.date(2024, 5, 3)),
        ("05/03/24", "", None),
        ("07/11/2024", "Sat Aug 31 23:47:24 2024", dt.date(2024, 7, 11)),  # not after the text was written
        ("07/02/2024", "Sat Aug 31 23:47:24 2024", None),
        ("07/11/2024", "Sat Aug 32 23:47:24 2024", None),
        ("31/02/2024", "", None),
    )
    def test_a_date_that_can_only_be_read_in_one_way(self, date: str, written: str, day: dt.date | None) -> None:
        text = re.sub(r"(?m)^(Output generated ).*", rf"\g<1>{written}", text_of(GAMES[0]))
        match = loads(text.replace("Date: 05/03/24", f"Date: {date}"))
        assert (match.date, dict(match.tags)["Date"]) == (day, date)

    def test_other_dates_of_a_text_show_their_order(self) -> None:
        first, other = text_of(GAMES[0]), text_of(ROLLOUT).replace("05/11/24", "05/30/24")
        assert [match.date for match in loads_all(first + other)] == [dt.date(2024, 5, 3), dt.date(2024, 5, 30)]


def test_automatic_doubles_of_gnubg() -> None:
    """A cube that is centered above 1 in the start position was doubled by ties in the opening roll."""
    doubled = attrs.evolve(MONEY, auto_doubles=2)
    before = attrs.evolve(MatchState.new(None, rules=doubled), cube=Cube(4))
    state, moves = before.opening_roll(white=3, black=1), ["8/5 6/5", "24/18 13/11"]
    text = "The score (after 0 games) is: Ann 0, Bob 0\n\n"
    for number, (name, dice, move) in enumerate([("Ann", "31", moves[0]), ("Bob", "62", moves[1])], start=1):
        position_id, match_id = state.swap_players().gnubg_id.split(":")  # its player 0 is on the left
        text += f"Move number {number}:  {name} to play {dice}\n\n GNU Backgammon  Position ID: {position_id}\n"
        text += f"                 Match ID   : {match_id}\n\n* {name} moves {move}\n\n"
        state = state.play(move).roll("62")
    match = loads(text)
    assert match.games[0].start == before
    assert match.rules == doubled
    assert [decision.action for decision in match.decisions()] == [moves[0], "roll", moves[1]]
    assert kinds(match) == {FindingKind.UNFINISHED_GAME}


class TestGnubgLanguages:
    """In whatever language the text is, it says the same."""

    @loop.over("path", LANGUAGES, ids=lambda path: path.name)
    def test_equal_to_english(self, path: Path) -> None:
        english = GAMES[0]
        match = loaded(path)
        assert (match.players, match.length, match.games) == (loaded(english).players, 5, loaded(english).games)
        assert match.site == "BackgammonGalaxy"
        assert match.date == (None if path.name.endswith(".en.txt") else dt.date(2024, 5, 3))
        assert match.games[0].stated == attrs.evolve(
            loaded(english).games[0].stated, text=match.games[0].stated.text if match.games[0].stated else ""
        )
        assert list(map(numbers_of, decisions(path))) == list(map(numbers_of, decisions(english)))
        assert all(decision.analysis is not None for decision in decisions(path))

    @loop.over("path", LANGUAGES, ids=lambda path: path.name)
    def test_a_last_answer_without_an_end_is_known_by_its_word(self, path: Path) -> None:
        lines = text_of(path).splitlines()
        last = max(at for at, line in enumerate(lines) if line.startswith("* the_boys"))
        match = loads("\n".join(lines[: last + 1]))
        assert match.games[0].events[-1] == Event(Action.DROP, BLACK)
        taken = loads("\n".join([*lines[:last], "* the_boys accepts"]))
        assert taken.games[0].events[-1] == Event(Action.TAKE, BLACK)
        unknown = loads("\n".join([*lines[:last], "* the_boys hmm"]))
        assert unknown.games[0].events[-1] == Event(Action.DOUBLE, WHITE)
        double = max(at for at, line in enumerate(lines[:last]) if line.startswith("* lasse"))
        assert loads("\n".join(lines[: double + 1])).games[0].events[-1] == Event(Action.DOUBLE, WHITE)


class TestGnubgNumbers:
    """The numbers of the engine, against an independent decoder and the program's own sums."""

    @loop.over(
        "row",
        [row for row in EXPECTED if row["file"].startswith("gnubg") and row["file"].endswith(".txt")],
        ids=lambda row: f"{row['file']}-{row['n']}-{row['kind']}",
    )
    def test_as_expected(self, row: dict[str, str]) -> None:
        wanted = {"play": "play", "cube": "double", "response": "answer"}[row["kind"]]
        (decision,) = [
            decision
            for decision in decisions(ANALYSIS / row["file"])
            if decision.row == int(row["n"]) and kind_of(decision) == wanted
        ]
        assert loaded(ANALYSIS / row["file"]).players[decision.player] == row["side"]
        assert (decision.equity, decision.equity_best) == pytest.approx(
            (float(row["eq_played"]), float(row["eq_best"])), abs=1e-9
        )
        assert decision.error == pytest.approx(float(row["error"]), abs=1e-9)
        analysis = decision.analysis
        assert analysis is not None
        if isinstance(analysis, PlayAnalysis):
            plays = decision.state.legal_plays
            assert analysis.best is not None
            assert (plays.find(decision.action), plays.find(analysis.best.play)) == (
                plays.find(row["played"]),
                plays.find(row["best"]),
            )
            assert analysis.best.level == row["level"]
        else:
            equities = analysis.no_double, analysis.double_take, analysis.double_drop
            assert equities == pytest.approx((float(row["nd"]), float(row["dt"]), float(row["dp"])), abs=1e-9)
            assert analysis.level == row["level"]

    @loop.over("path", [path for path in GNUBG if "mwc" not in path.name], ids=lambda path: path.name)
    def test_alerts_are_errors(self, path: Path) -> None:
        """An alert states the error, and stands wherever a play lost 0.03 or a cube action anything."""
        for decision in decisions(path):
            analysis = decision.analysis
            if isinstance(analysis, PlayAnalysis):
                stated, least = analysis.stated_error, 0.03
            elif analysis is not None:
                stated = analysis.stated_answer_error if kind_of(decision) == "answer" else analysis.stated_error
                least = 0.0
            else:
                continue
            if decision.error is None:  # "Cannot move" has luck alone
                assert decision.is_forced
            elif stated is not None:
                assert decision.error == pytest.approx(stated, abs=0.0011)
            else:
                assert decision.error < least + 0.0011


def kind_of(decision: Decision) -> str:
    return "answer" if decision.action in {"take", "drop", "beaver"} else str(decision.kind)


XG = sorted((ANALYSIS / "xg-text").glob("*.txt"))
BGBLITZ = sorted((ANALYSIS / "bgblitz-text").glob("*.txt")) + sorted((DATA / "matches" / "bgblitz-text").glob("*.txt"))
PLAY = ANALYSIS / "xg-text" / "money_play.txt"
NOTE = ANALYSIS / "xg-text" / "money_play-with-note.txt"
CUBE = ANALYSIS / "xg-text" / "money-jacoby-beaver_no-double.txt"
ROLLED = ANALYSIS / "xg-text" / "rollout-play_decimal-comma.txt"


def pending(match: Match, game: int = 0) -> PlayAnalysis | CubeAnalysis:
    """What the program thought of the decision of a position."""
    analysis = match.games[game].pending
    assert analysis is not None
    return analysis


def is_in_order(analysis: PlayAnalysis | CubeAnalysis | None) -> bool:
    """Whether an analysis has been decoded; the classes refuse numbers that cannot be."""
    return analysis is None or isinstance(analysis, (PlayAnalysis, CubeAnalysis))


def pending_plays(game: Game) -> PlayAnalysis:
    assert isinstance(game.pending, PlayAnalysis)
    return game.pending


class TestPositions:
    """A text of positions is a match with one game a position, and no action but what is stated."""

    @loop.over("path", XG, ids=lambda path: path.name)
    def test_what_forums_and_mails_do_to_a_text(self, path: Path) -> None:
        """Forums take the indentation away, and mails quote; the analysis is the same."""
        lines = text_of(path).splitlines()
        expected = loads("\n".join(lines)).games[0]
        assert expected.pending is not None
        bare = loads("\n".join(line.strip() for line in lines)).games[0]
        assert (bare.start, bare.pending) == (expected.start, expected.pending)
        for quoted in (loads("\n".join(mark + line for line in lines)) for mark in ("> ", ">", "> > ", ">>")):
            assert quoted.games[0].start == expected.start
            assert (quoted.games[0].pending, quoted.games[0].comments) == (expected.pending, expected.comments)

    @loop.rows(
        "label",
        *("xgid={}", "XGID = {}", "XGID: {}", "XGID:{}", "1) XGID={}", "12. XGID={}", "- xgid={}", "* XGID={}"),
        *("**XGID={}**", "`XGID={}`", "Position 3: XGID={}", "(2) **XGID={}**", "> XGID={}.", "<XGID={}>"),
    )
    def test_labels_as_people_write_them(self, label: str) -> None:
        for path in (PLAY, BGBLITZ[0]):
            text = re.sub(r"(?m)^ ?XGID=(\S+)", lambda xgid: label.format(xgid[1]), text_of(path))
            read = loads(text)
            assert (read.format, read.games) == (loaded(path).format, loaded(path).games)
            assert read.games[0].pending == loaded(path).games[0].pending
        record = "7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n  1) 31: 8/5 6/5\n"
        findings = loads(record + label.format("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10")).findings
        assert {finding.severity for finding in findings} == {Severity.INFO}

    def test_identifiers_in_sentences_and_in_lines(self) -> None:
        """A sentence with an identifier is no record, and each of several lines begins a game."""
        first, second = (f"XGID=-b----E-C---eE---c-e----B-:0:0:1:{dice}:0:0:0:7:10" for dice in ("31", "32"))
        for text in (f"Black to play, {first}, what now?", f"https://example.org/?{first}"):
            with pytest.raises(ParseError):
                loads(text)
        match = loads(f"{first}\n\n{second}\n")
        assert [game.start.dice for game in match.games] == [Dice(3, 1), Dice(3, 2)]

    @loop.rows("case", str.upper, str.lower)
    def test_the_labels_of_bgblitz_in_another_case(self, case: Callable[[str], str]) -> None:
        text = re.sub("Position-ID|Match-ID|XGID", lambda label: case(label[0]), text_of(BGBLITZ[0]))
        assert loads(text).games == loaded(BGBLITZ[0]).games

    @loop.over("path", [*XG, *BGBLITZ, GAMES[0]], ids=lambda path: path.name)
    def test_below_the_line_of_a_match(self, path: Path) -> None:
        """The reader of match texts finds no game there; another one is tried."""
        read = loads(f"11 point match\n\n{text_of(path)}")
        assert (read.format, read.games) == (loaded(path).format, loaded(path).games)
        assert [game.pending for game in read.games] == [game.pending for game in loaded(path).games]

    def test_what_no_reader_finds_has_the_error_of_the_first(self) -> None:
        broken = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:9:7:10"
        record = "7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n  1) 31: 8/5 6/5\n"
        assert loads(f"{broken}\n{record}").format == "mat"
        with pytest.raises(ParseError, match="this position is left out"):
            loads(broken)
        with pytest.raises(ParseError, match="holds no game"):
            loads(f"7 point match\n{broken}")

    @loop.over("path", XG + BGBLITZ, ids=lambda path: path.name)
    def test_start_is_the_state_of_the_xgid(self, path: Path) -> None:
        match = loaded(path)
        (xgid,) = re.findall(r"^ ?(XGID=\S+)", text_of(path), re.MULTILINE)
        (game,) = match.games
        assert (game.events, list(match.decisions())) == ((), [])
        assert game.start == MatchState.from_xgid(xgid)
        assert (match.length, match.rules) == (game.start.length, game.start.rules)
        assert text_of(path).splitlines()[(game.line or 0) - 1].strip().startswith(("XGID=", "Position-ID:"))
        # The score in the XGID of this sample, 4-1, is the other way round in its words.
        assert kinds(match) == ({FindingKind.POSITION_MISMATCH} if "crawford" in path.name else set())

    @loop.over(
        "row", [row for row in EXPECTED if row["file"].startswith(("xg-text", "bgblitz"))], ids=lambda row: row["file"]
    )
    def test_as_expected(self, row: dict[str, str]) -> None:
        match = loaded(ANALYSIS / row["file"])
        analysis, state = pending(match), match.games[0].start
        if isinstance(analysis, PlayAnalysis):
            best = analysis.best
            assert row["kind"] == "play"
            assert best is not None
            assert best.chances is not None
            assert best.play == str(state.legal_plays.find(row["best"].replace(",", "")))
            assert (best.equity, best.chances.win) == pytest.approx((float(row["eq_best"]), float(row["win_best"])))
            assert str(best.level).lower() == row["level"].rstrip("¹").lower()
        else:
            assert row["kind"] == "cube"
            assert analysis.chances is not None
            equities = analysis.no_double, analysis.double_take, analysis.double_drop
            assert equities == tuple(float(row[name]) for name in ("nd", "dt", "dp"))
            assert analysis.chances.win == pytest.approx(float(row["win_best"]))
            assert analysis.best is {"double": Action.DOUBLE, "no double": Action.ROLL}[row["best"]]
            assert max(analysis.no_double or -9, min(analysis.double_take or 9, 1)) == float(row["eq_best"])
            assert str(analysis.level).lower() == row["level"].lower()

    @loop.over("path", XG + BGBLITZ, ids=lambda path: path.name)
    def test_every_candidate_is_legal_and_as_far_from_the_best_as_printed(self, path: Path) -> None:
        analysis = pending(loaded(path))
        if not isinstance(analysis, PlayAnalysis):
            return
        listed = re.findall(r"^ +\d+\. .*", text_of(path), re.MULTILINE)
        assert len(analysis.candidates) == len(listed)
        for line, candidate in zip(listed, analysis.candidates, strict=True):
            stated = re.search(r"\((-\d[.,]\d+)\)", line)
            difference = (candidate.equity or 0) - (analysis.candidates[0].equity or 0)
            assert difference == pytest.approx(float(stated[1].replace(",", ".")) if stated else 0, abs=0.0011)
            assert candidate.position == loaded(path).games[0].start.legal_plays.find(candidate.play).position
            assert candidate.chances is not None

    def test_notes_of_the_user_are_kept(self) -> None:
        assert loaded(NOTE).games[0].comments == ("TEST",)
        assert loaded(CUBE).games[0].comments == ("another test",)
        assert [loaded(path).games[0].comments for path in (PLAY, ROLLED)] == [(), ()]
        two = "I thought: 0.5\nand she: 0.6"  # only three such lines are the rows of a cube decision
        bare = "\n".join(line.strip() for line in text_of(NOTE).replace("TEST\n", two).splitlines())
        assert loads(bare).games[0].comments == (two,)

    def test_intervals_of_confidence_become_standard_errors(self) -> None:
        analysis = pending(loaded(ROLLED))
        assert isinstance(analysis, PlayAnalysis)
        errors = [candidate.standard_error or 0.0 for candidate in analysis.candidates]
        assert errors == pytest.approx([0.014 / 1.96, 0.012 / 1.96, 0.014 / 1.96])

    def test_engines_are_named(self) -> None:
        assert [pending(loaded(path)).engine for path in (PLAY, CUBE, BGBLITZ[0])] == [
            "eXtreme Gammon 2.10",
            "eXtreme Gammon 2.19.211.pre-release",
            "BGBlitz",
        ]

    def test_x_is_the_player_on_roll(self) -> None:
        """The program draws the board from the side of the player on roll, who is at the top of this XGID."""
        text = """XGID=-BaB--C---a-cD-Aabbe-A-A-A:1:-1:-1:00:2:0:0:9:10

X:Ann   O:Bob
Le score est X:0 O:2 match en 9 pt(s)
Course  X: 146  O: 162 X-O: 0-2/9
Videau: 2, X a le videau
X: lance ou double

Analysé avec XG Roller++
Chance de gain du joueur: 72,00% (G:31,15% B:2,80%)
Chance de gain de l'adversaire: 28,00% (G:6,88% B:0,24%)

Equités sans videau: Pas de double=+0,751, Double=+1,693

Equités avec videau
       Pas de redouble: +1,068
       Redouble/Prend:  +1,573 (+0,505)
       Redouble/Passe:  +1,000 (-0,068)

Meilleur action du videau: Trop bon pour redoubler / Passe
"""
        match = loads(text)
        assert (match.players, match.games[0].score, match.games[0].start.on_roll) == (("Bob", "Ann"), (2, 0), BLACK)
        assert kinds(match) == set()
        assert pending(match) == CubeAnalysis(
            1.068,
            1.573,
            1.0,
            Chances(0.72, 0.3115, 0.028, 0.0688, 0.0024),
            level="XG Roller++",
            engine="eXtreme Gammon",
        )

    def test_words_in_japanese_and_german(self) -> None:
        text = """XGID=---aBBCCCB----a-aa-babbbb-:1:1:1:00:1:2:0:9:10

X:プレーヤー 1   O:プレーヤー 2
Punktzahl ist  X:1 O:2 9 Pkt (e) match.
Pip count  X: 99  O: 87 X-O: 1-2/9
キューブ: 2, X own cube
X am würfeln, Dopplerwürfel Aktion

Analysiert in XG Roller++
Player Winning Chances:   89.87% (G:7.61% B:0.29%)
Gewinnchancen des Gegners: 10.13% (G:0.61% B:0.01%)

Equities ohne Dopplerwürfel: Nicht Doppeln=+0.881, Doppeln=+1.928

Cubeful Equities:
       ノーリダブル:    +1.027
       リダブル/テイク:  +1.869 (+0.842)
       リダブル/パス:   +1.000 (-0.027)

ベストキューブアクション：ツーグッド / パス
ダブルを正当化するのに必要な相手がテイクする確率: 3.1%

Gut gespielt!

eXtreme Gammon Version: 2.10, MET: Kazaross XG2
"""
        match = loads(text.replace("\n", "\r\n").encode())
        assert match.players == ("プレーヤー 1", "プレーヤー 2")
        assert (kinds(match), match.games[0].comments) == (set(), ("Gut gespielt!",))
        analysis = pending(match)
        assert isinstance(analysis, CubeAnalysis)
        assert (analysis.no_double, analysis.double_take, analysis.double_drop) == (1.027, 1.869, 1.0)

    @loop.rows(
        ("old", "new", "named"),
        ("X-O: 0-0", "X-O: 0-0", set()),
        ("X: 159  O: 163", "X: 158  O: 163", {"the pip counts"}),
        ("Score is X:0 O:0.", "Score is X:1 O:0.", {"the score"}),
        ("Cube: 1", "Cube: 2, O own cube", {"the cube"}),
        ("Unlimited Game, Jacoby Beaver", "7 pt.(s) match.", {"the length of the match"}),
    )
    def test_words_that_contradict_the_xgid(self, old: str, new: str, named: set[str]) -> None:
        match = loads(text_of(CUBE).replace(old, new))
        notes = [finding.explanation for finding in referee(match) if finding.kind is FindingKind.POSITION_MISMATCH]
        assert {name for note in notes for name in named if name in note} == named
        assert len(notes) == bool(named)

    @loop.rows(
        ("old", "new", "named"),
        ("4TcAALDeAAAAAA", "4HPwATDgc/ABMA", "the position"),
        ("UQngAAAAIAAE", "UQngACAAGAAE", "the score"),
        ("UQngAAAAIAAE", "cAngAAAAIAAE", "the cube"),
        ("Red - 4", "Red - 3", "the score that is printed"),
        ("a 7 point", "a 9 point", "the score that is printed"),
        ("X: Red  42", "X: Red  43", "the pip counts"),
    )
    def test_identifiers_of_bgblitz_that_contradict_each_other(self, old: str, new: str, named: str) -> None:
        path = ANALYSIS / "bgblitz-text" / "05_NRT_EN.txt"
        match = loads(text_of(path).replace(old, new))
        (finding,) = match.findings
        assert (finding.kind, finding.severity, finding.game) == (FindingKind.POSITION_MISMATCH, Severity.WARNING, 1)
        assert named in finding.explanation
        assert match.games == loaded(path).games
        assert loads(text_of(path).replace(" in a 7 point match", "")).findings == ()

    def test_bgblitz_without_its_xgid(self) -> None:
        for path in BGBLITZ:
            match = loads(re.sub(r" XGID=\S+", "", text_of(path)))
            start, other = match.games[0].start, loaded(path).games[0].start
            assert (start.gnubg_id, match.players, match.findings) == (other.gnubg_id, loaded(path).players, ())
            assert pending(match) == pending(loaded(path))

    def test_bgblitz_without_any_identifier_that_can_be_read(self) -> None:
        text = " Position-ID: 4HPwATDgc/ABMA    Match-ID: ////////////\n"
        with pytest.raises(
            ParseError, match="left out: it has no XGID, and its Position ID and Match ID cannot be read"
        ):
            loads(text)

    def test_many_positions_of_one_match(self) -> None:
        for path in (PLAY, BGBLITZ[3]):
            match = loads("\n\n".join([text_of(path)] * 30))
            assert len(match.games) == 30
            assert [game.number for game in match.games] == list(range(1, 31))
            assert {game.start for game in match.games} == {loaded(path).games[0].start}
            assert pending(match, 29) == pending(loaded(path))
            assert kinds(match) == set()

    def test_positions_of_several_matches(self) -> None:
        """One `Match` cannot hold them, so the error says where the second begins, and `loads_all` reads them."""
        texts = list(map(text_of, XG))
        matches = loads_all("\n".join(texts))
        assert sum(len(match.games) for match in matches) == len(XG)
        assert [game.start for match in matches for game in match.games] == [loaded(path).games[0].start for path in XG]
        with pytest.raises(ParseError) as error:
            loads("\n".join(texts))
        second = texts[0].count("\n") + 2
        assert f"the text holds {len(matches)} matches" in str(error.value)
        assert f"on line {second}" in str(error.value)
        assert "loads_all" in str(error.value)

    def test_a_position_that_cannot_be_read_does_not_spoil_the_rest(self) -> None:
        bad = text_of(PLAY).replace(":1:-1:-1:54:", ":1:-1:-1:57:")
        match = loads(bad + "\n" + text_of(PLAY))
        assert len(match.games) == 1
        (finding,) = match.findings
        assert (finding.kind, finding.severity, finding.line) == (FindingKind.UNREADABLE_LINE, Severity.ERROR, 1)
        with pytest.raises(ParseError, match="this position is left out: XGID, dice"):
            loads(bad)

    def test_numbers_that_cannot_be_read(self) -> None:
        for path, old, new in (
            (PLAY, "eq:+0.026 (-0.140)", "eq:+nan (-0.140)"),
            (PLAY, "49.07%", "149.07%"),
            (CUBE, "Double/Beaver: -0.568 (-0.624)", "Double/Beaver: -inf (-0.624)"),
            (BGBLITZ[0], "0.103 mwp /  -0.577", "0.103 mwp /  -1e99"),
            (BGBLITZ[0], "0.211  0.000  0.000", "9.211  0.000  0.000"),
            (GAMES[1], "Eq.: +0.021", "Eq.: -nan"),
        ):
            text = text_of(path)
            assert old in text
            match = loads(text.replace(old, new, 1))
            assert kinds(match) == {FindingKind.UNREADABLE_ANALYSIS}, (path, old)
            (game,), (whole,) = match.games, loaded(path).games
            assert (game.start, game.events) == (whole.start, whole.events)
            assert all(is_in_order(decision.analysis) for decision in match.decisions())


DIAGRAM = """White is Player 2

score: 0
pip: 167
3 point match
pip: 167
score: 0

Blue is Player 1
XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10
Blue to play 31

1. XG Roller++ 8/5 6/5 eq: +0.159
Player: 55.36% (G:18.23% B:1.05%)
Opponent: 44.64% (G:12.52% B:0.52%)
2. XG Roller++ 24/21 24/23 eq: -0.010 (-0.169)
Player: 49.36% (G:13.23% B:0.75%)
Opponent: 50.64% (G:14.52% B:0.62%)
"""
"""A diagram as forums lay it out, without a line of the cube."""
CHANCES = Chances(0.5536, 0.1823, 0.0105, 0.1252, 0.0052)


def unread(match: Match) -> list[tuple[int | None, str, str]]:
    """The findings about analyses: row or line, words of the record, explanation."""
    assert kinds(match) <= {FindingKind.UNREADABLE_ANALYSIS, FindingKind.UNFINISHED_GAME}
    warnings = [finding for finding in match.findings if finding.kind is FindingKind.UNREADABLE_ANALYSIS]
    assert {finding.severity for finding in warnings} <= {Severity.WARNING}
    return [(finding.line, finding.text, finding.explanation) for finding in warnings]


NOT_READ = "this line looks like a candidate and was not read"
NO_CHANCES = "the chances below this line are missing or cannot be read"
NO_NUMBER = "this line has no equity or chance that can be read, so it is left out"


def check_single_blanks(path: Path) -> None:
    """With one blank of the indentation, or none."""
    lines = text_of(path).splitlines()
    whole = loads_all("\n".join(lines))
    analyses = [[*map(numbers_of, match.decisions())] for match in whole]
    for left in ("", " "):
        single = [" ".join(line.split()) for line in lines]
        text = "\n".join([left + new if old[:1] == " " else new for old, new in zip(lines, single, strict=True)])
        again = loads_all(text)
        assert list(map(kinds, again)) == list(map(kinds, whole))
        assert [[*map(numbers_of, match.decisions())] for match in again] == analyses
        for old, new in zip(whole, again, strict=True):
            assert [game.events for game in new.games] == [game.events for game in old.games]
            assert [game.pending for game in new.games] == [game.pending for game in old.games]


class TestForums:
    """Diagrams and tables as forums and pages show them: what they make of an analysis is read, or it is said."""

    def test_two_diagrams(self) -> None:
        match = loads(DIAGRAM * 2)
        assert unread(match) == []
        assert [len(pending_plays(game).candidates) for game in match.games] == [2, 2]
        assert [game.comments for game in match.games] == [(), ()]

    @loop.rows("line", "Votes: 24", "PR: 3", "Posted: 2016", "score: 0\npip: 135", "Cube: 1", "投票：24")
    def test_words_and_numbers_are_no_cube(self, line: str) -> None:
        for text in (f"{DIAGRAM}{line}\n", DIAGRAM.replace("Blue to play", f"{line}\nBlue to play")):
            match = loads(text)
            assert unread(match) == []
            assert len(pending_plays(match.games[0]).candidates) == 2

    def test_the_cube_of_the_program_is_still_compared(self) -> None:
        heading = "score: 9\nX:Ann   O:Bob\nScore is X:0 O:0 3 pt.(s) match.\nPip count  X: 167  O: 167 X-O: 0-0/3\n"
        right, wrong = (
            loads(DIAGRAM.replace("Blue to play", f"{heading}Cube: {cube}\nBlue to play")) for cube in ("1", "2, O own")
        )
        assert (kinds(right), kinds(wrong)) == (set(), {FindingKind.POSITION_MISMATCH})
        assert right.players == wrong.players == ("Ann", "Bob")
        assert len(pending_plays(wrong.games[0]).candidates) == 2

    @loop.rows(
        ("candidate", "chances"),
        ("1.XG Roller++8/5 6/5eq: +0.159", "Player:\nOpponent:\n{}\n{}"),
        ("1.playedXG Roller++8/5 6/5eq: +0.159", "{}\n{}"),
        ("1.\tXG Roller++\t8/5 6/5\teq: +0.159", "\tPlayer:\n\tOpponent:\n{}\n{}"),
        ("1.XG Roller++8/5 6/5eq: +0.159", " Player:Opponent: {}{} Conf.: ± 0.004 (+0.155...+0.163)"),
        ("  1. XG Roller++ 8/5 6/5 eq: +0.159", "Player: {}\nOpponent: {}"),
    )
    def test_tables_of_web_pages(self, candidate: str, chances: str) -> None:
        """Cells run together, and the chances are cells of their own."""
        printed = chances.format("55.36% (G:18.23% B:1.05%)", "44.64% (G:12.52% B:0.52%)")
        lines = DIAGRAM.splitlines()
        match = loads("\n".join([*lines[:12], candidate, printed, *lines[15:]]))
        assert unread(match) == []
        first, second = pending_plays(match.games[0]).candidates
        assert (first.play, first.equity, first.chances, first.level) == ("8/5 6/5", 0.159, CHANCES, "XG Roller++")
        assert (second.play, second.equity) == ("24/21 24/23", -0.01)

    @loop.rows(
        ("level", "name"),
        ("Rollout1", "rollout"),
        ("playedRollout12", "rollout"),
        ("Rollout^{1}", "rollout"),
        ("4-ply", "4-ply"),
        ("XG Roller+", "XG Roller+"),
    )
    def test_a_footnote_before_the_play(self, level: str, name: str) -> None:
        """Of `13/10`, `3/10` and `113/10` in `Rollout113/10` one is legal."""
        match = loads(DIAGRAM.replace("1. XG Roller++ 8/5 6/5 eq", f"1.{level}13/10 6/5eq"))
        assert unread(match) == []
        first = pending_plays(match.games[0]).candidates[0]
        assert (first.play, first.equity, str(first.level)) == ("13/10 6/5", 0.159, name)

    @loop.rows(
        "line",
        *("1.XG Roller++8/5 6/4eq: +0.159", "1. XG Roller++ 8/5 6/4 eq: +0.159", "1. XG Roller++ 8/5 6/5 eq: +nan"),
        *("1. | XG Roller++ | 8/5 6/5 | eq: +0.159 | ||", "1.8/5 6/4 +0.159", "1. bar/22 eq: +0.159"),
    )
    def test_a_line_that_is_no_candidate_is_said(self, line: str) -> None:
        match = loads(DIAGRAM.replace("1. XG Roller++ 8/5 6/5 eq: +0.159", line))
        assert unread(match) == [(13, " ".join(line.split()), NOT_READ)]
        assert [candidate.play for candidate in pending_plays(match.games[0]).candidates] == ["24/21 24/23"]

    @loop.rows(
        ("old", "new", "line", "note"),
        (":31:0:0:0:3:10", ":00:0:0:0:3:10", 13, f"{NOT_READ}, nor was 1 more"),  # nothing to play
        ("Blue to play", "eXtreme Gammon Version: 2.10\nBlue to play", 14, f"{NOT_READ}, nor was 1 more"),
        ("White is", "3.XG8/5 6/5eq: +0.159\nWhite is", 1, NOT_READ),  # above the XGID
        ("Blue to play 31\n", "Double/Take: +0.991\n", 11, NOT_READ.replace("a candidate", "a row of a cube decision")),
    )
    def test_wherever_it_stands(self, old: str, new: str, line: int, note: str) -> None:
        (finding,) = unread(loads(DIAGRAM.replace(old, new)))
        assert (finding[0], finding[2]) == (line, note)

    @loop.rows("play", "8/5 6/5", "8/5,6/5", "8/5, 6/5")
    def test_a_table_without_any_blank(self, play: str) -> None:
        """Only the best candidate has no difference in brackets."""
        table_of_page = f"1.XG Roller++{play}eq:+0.159\n2.XG Roller++24/21 24/23eq:-0.010(-0.169)\n"
        match = loads(DIAGRAM[: DIAGRAM.index("1. XG")] + table_of_page)
        assert unread(match) == []  # it has no chances at all
        candidates = pending_plays(match.games[0]).candidates
        expected = [("8/5 6/5", 0.159, "XG Roller++"), ("24/21 24/23", -0.01, "XG Roller++")]
        assert [(item.play, item.equity, item.level) for item in candidates] == expected

    @loop.rows("blank_lines", 0, 1, 2)
    def test_chances_that_are_missing(self, blank_lines: int) -> None:
        """The numbers of the candidate are kept, and the finding is about its line."""
        first = "Player: 55.36% (G:18.23% B:1.05%)\nOpponent: 44.64% (G:12.52% B:0.52%)\n"
        text = DIAGRAM.replace(first, "").replace("\n", "\n" * (1 + blank_lines))
        match = loads(text)
        line = 1 + 12 * (1 + blank_lines)
        assert unread(match) == [(line, "1. XG Roller++ 8/5 6/5 eq: +0.159", NO_CHANCES)]
        best, second = pending_plays(match.games[0]).candidates
        assert (best.equity, best.chances, second.equity) == (0.159, None, -0.01)
        assert second.chances is not None

    def test_a_position_may_have_several_findings(self) -> None:
        broken = DIAGRAM.replace("8/5 6/5", "8/5 6/4").replace("49.36%", "149.36%")
        match = loads(broken.replace("Blue to play 31\n", "Double/Take: +0.991\n"))
        assert [line for line, _, _ in unread(match)] == [13, 11, 16]

    def test_most_candidates_that_are_read(self) -> None:
        line = "1. XG Roller++ 8/5 6/5 eq: +0.159\n"
        match = loads(DIAGRAM.replace(line, line * 150))
        assert len(pending_plays(match.games[0]).candidates) == 100
        not_read, no_chances = unread(match)
        assert (not_read[0], not_read[2]) == (13 + 100, f"{NOT_READ}, nor were 50 more")
        assert (no_chances[0], no_chances[2]) == (13, NO_CHANCES)

    @loop.rows("blanks", " ", "  ", "    ")
    def test_rows_of_a_cube_without_their_indentation(self, blanks: str) -> None:
        """The other lines have kept one blank, as in a mail whose runs of blanks became one."""
        text = re.sub("(?m)^ {7}", blanks, text_of(CUBE)).replace("Analyzed in", " Analyzed in")
        assert pending(loads(text)) == pending(loaded(CUBE))
        assert loads(text).findings == ()
        broken = loads(text.replace("Double/Pass:   +1.000 (+0.943)", "Double/Pass"))
        note = "this line looks like a row of a cube decision and was not read"
        assert [(text, note) for _, text, note in unread(broken)] == [("Double/Beaver: -0.568 (-0.624)", note)]

    @loop.over("path", [CUBE, *BGBLITZ], ids=lambda path: path.name)
    def test_rows_of_a_cube_without_any_blank(self, path: Path) -> None:
        """Between their colon, their numbers and their brackets."""
        text = re.sub(
            r"(?m)(?<=[:0-9]) +\(? *(?=[+-]?[0-9]+\.[0-9]{3}\b[^%\n]*\)$)", self._without_blanks, text_of(path)
        )
        assert pending(loads(text)) == pending(loaded(path))
        assert kinds(loads(text)) == kinds(loaded(path))

    @staticmethod
    def _without_blanks(match: re.Match[str]) -> str:
        return match[0].replace(" ", "")

    @loop.over("path", [path for path in XG if "BAR" in text_of(path)], ids=lambda path: path.name)
    def test_a_post_whose_runs_of_blanks_became_one(self, path: Path) -> None:
        """The lines of its board have no half of 18 columns, and words around it have no numbers."""
        words = "Hello all,\nwhat would you do here, and why?\nI had this one last night, and was not sure.\n"
        post = "\n".join(" ".join(line.split()) for line in text_of(path).splitlines())
        (game,) = loads(f"{words}{post}\nThanks for your help.\n").games
        assert (game.start, game.pending) == (loaded(path).games[0].start, loaded(path).games[0].pending)

    @loop.over("path", [*XG[::3], *BGBLITZ[::3], *GNUBG[::3], POSITION], ids=lambda path: path.name)
    def test_analyses_are_read_with_single_blanks(self, path: Path) -> None:
        check_single_blanks(path)

    @pytest.mark.long
    @loop.over("path", [*XG, *BGBLITZ, *GNUBG, SESSION, MONEY_SESSION, POSITION], ids=lambda path: path.name)
    def test_every_analysis_is_read_with_single_blanks(self, path: Path) -> None:
        check_single_blanks(path)

    def test_words_around_an_identifier_are_no_record(self) -> None:
        words = "Hello all,\nwhat would you do here, and why?\n| Ann | X | | X |\n| Bob | X | | |\n"
        with pytest.raises(ParseError, match="this is not a record"):
            loads(f"{words}XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n")

    def test_lines_of_bgblitz(self) -> None:
        text, whole = text_of(BGBLITZ[0]), loaded(BGBLITZ[0]).games[0]
        assert loads("\n".join(line.strip() for line in text.splitlines())).games[0].pending == whole.pending
        apart = "  5.   0.101 mwp /  -0.585  (-0.093)  14/11"
        together = "5.0.101 mwp /-0.585(-0.093)14/11"
        assert apart in text
        assert loads(text.replace(apart, together)).games[0].pending == whole.pending
        number = 1 + text.splitlines().index(next(line for line in text.splitlines() if line.startswith(apart)))
        (finding,) = unread(loads(text.replace("14/11", "14/12")))
        assert (finding[0], finding[1][-5:], finding[2]) == (number, "14/12", NOT_READ)
        lines = text.splitlines()
        del lines[number]  # the chances
        match = loads("\n".join(lines))
        assert unread(match) == [(number, " ".join(apart.split()), NO_CHANCES)]
        assert [item.equity for item in pending_plays(match.games[0]).candidates][-1] == -0.585

    def test_lines_of_gnu_backgammon(self) -> None:
        text, whole = text_of(GAMES[1]), decisions(GAMES[1])
        lines = text.splitlines()
        ranked = [at for at, line in enumerate(lines) if re.match(r"[* ] +[0-9]+\. ", line)]
        together = [re.sub(r" {2,}", "", line) if at in ranked else line for at, line in enumerate(lines)]
        assert list(map(numbers_of, loads("\n".join(together)).decisions())) == list(map(numbers_of, whole))
        at = ranked[3]
        wrong = re.sub(r" [0-9]+/[0-9]+", " 1/24", lines[at], count=1)
        match = loads("\n".join([*lines[:at], wrong, *lines[at + 1 :]]))
        assert unread(match) == [(at + 1, " ".join(wrong.split()), NOT_READ)]
        assert [finding.row for finding in match.findings] == [1]

    def test_numbers_of_gnu_backgammon(self) -> None:
        """The line is that of the candidate; of each game only the first is reported."""
        lines = text_of(GAMES[1]).splitlines()
        candidates = [at for at, line in enumerate(lines) if "Eq.: " in line]
        for at in candidates[3:5]:
            without_chances = loads("\n".join([*lines[: at + 1], *lines[at + 2 :]]))
            assert unread(without_chances) == [(at + 1, " ".join(lines[at].split()), NO_CHANCES)]
        at = candidates[3]
        lines[at] = lines[at].split("Eq.:")[0].rstrip()
        lines[candidates[4]] = lines[candidates[4]].replace("/", "/2")
        assert unread(loads("\n".join(lines))) == [(at + 1, " ".join(lines[at].split()), NO_NUMBER)]

    def test_few_candidates_are_compared_with_the_rules(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Each must be legal, but most are printed as the library prints them, and found by their text."""
        asked: list[str] = []

        def counted_legal_play(plays: Plays, text: str) -> Play | None:
            asked.append(text)
            return legal_play(plays, text)

        monkeypatch.setattr(text_patterns, "legal_play", counted_legal_play)
        text = text_of(BEAVER)
        loads(text)
        assert 0 < len(asked) < text.count("Eq.: ") / 4

    def test_differences_without_a_blank(self) -> None:
        text, whole = text_of(GAMES[1]), decisions(GAMES[1])
        glued = re.sub(r"(?<=[0-9]) +\((?=[+-][0-9.]+\)$)", "(", text, flags=re.MULTILINE)
        assert glued != text
        assert list(map(numbers_of, loads(glued).decisions())) == list(map(numbers_of, whole))
        assert loads(glued).findings == loads(text).findings

    def test_lines_below_a_board_of_gnu_backgammon(self) -> None:
        text = text_of(SESSION)
        line = next(line for line in text.splitlines() if "Eq.: -0.204" in line)
        (match,) = loads_all(text.replace(line, line.replace("/", "/2")))
        number = text.splitlines().index(line) + 1
        assert unread(match) == [(number, " ".join(line.replace("/", "/2").split()), NOT_READ)]
        glued = re.sub(" {2,}", "", line)
        assert [game.pending for game in loads(text.replace(line, glued)).games] == [
            game.pending for game in loads(text).games
        ]


class TestBoards:
    """Boards that GNU Backgammon shows are positions with its hints: only words or a Match ID make a double."""

    def test_a_session(self) -> None:
        match, money = loads_all(text := text_of(SESSION) + text_of(MONEY_SESSION))
        starts = [game.start for game in (*match.games, *money.games)]
        assert (match.players, match.length, money.length) == (("Bob", "Ann"), 5, None)
        printed = re.findall(r"Position ID: (\S+)\s+Match ID   : (\S+)", text)
        assert starts == [MatchState.from_gnubg_id(":".join(pair)) for pair in dict.fromkeys(printed)]
        assert [finding for each in (match, money) for finding in referee(each)] == []
        assert [game.events for game in match.games] == [()] * 5
        opening, to_roll, doubled, taken, rolled = match.games
        assert (opening.line, doubled.start.phase, taken.pending) == (36, Phase.DOUBLED, None)
        assert [len(pending_plays(game).candidates) for game in (opening, rolled)] == [3, 2]
        chances = Chances(0.501, 0.141, 0.007, 0.137, 0.008)
        hint = CubeAnalysis(0.008, -0.327, 1.0, chances, level="0-ply", engine="GNU Backgammon 1.07.001")
        assert (to_roll.pending, doubled.pending) == (hint, attrs.evolve(hint, chances=chances))
        assert isinstance(money.games[1].pending, CubeAnalysis)
        assert money.games[1].pending.level == "1-ply"

    def test_two_such_boards_in_a_mail(self) -> None:
        """They were read as doubles, the second of which nobody can make."""
        boards = text_of(SESSION).split("Cube analysis")[0].split(" GNU Backgammon ")[-2:]
        mail = "Hi, what is wrong here?\n" + "".join(f" GNU Backgammon {board}" for board in boards)
        (game,) = loads(mail.replace("cAmgAAAAAAAE", "MAGgAAAAAAAE", 1)).games[1:]
        assert game.start.phase is Phase.TO_ROLL

    def test_a_board_with_a_heading_and_without_words_is_no_double(self) -> None:
        text = text_of(POSITION).replace("to play 21", "on roll, cube decision?")
        text = text.replace("MAGlAAAAAAAE", "MAGgAAAAAAAE")
        assert not [event for event in loads(text).games[0].events if isinstance(event, Event)]

    def test_the_analysis_of_an_exported_position(self) -> None:
        (game,) = loaded(POSITION).games
        assert [candidate.play for candidate in pending_plays(game).candidates][:2] == ["24/23 13/11", "24/21"]
        assert [len(match.games) for match in loads_all(text_of(POSITION) * 2)] == [1, 1]

    def test_boards_are_no_game_of_a_match_in_a_folder(self, tmp_path: Path) -> None:
        score, session = text_of(POSITION).split("\n\n")[0], text_of(SESSION)
        (tmp_path / "1.txt").write_text(score + session[session.index(" GNU Backgammon ") - 1 :], "utf-8")
        (tmp_path / "2.txt").write_bytes(GAMES[1].read_bytes())
        assert [len(item.match.games) for item in scan(tmp_path) if item.match] == [5, 1]

    def test_a_board_that_cannot_be_read(self) -> None:
        text = text_of(SESSION)
        match = loads(text.replace("QQmgAAAAAAAE", "/" * 12))
        (finding,) = match.findings
        assert (finding.kind, finding.severity, len(match.games)) == (FindingKind.UNREADABLE_LINE, Severity.ERROR, 4)
        match = loads(text.replace("Eq.: -0.204", "Eq.: -0,x04"))
        assert [finding.kind for finding in match.findings] == [FindingKind.UNREADABLE_ANALYSIS]

    def test_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(gnubg_boards, "MAX_POSITIONS", 50)
        board = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n  Match ID   : {}AAAAAAAE\n"
        with pytest.raises(ParseError, match="more than 50 positions"):
            loads((board.format("MAGl") + board.format("cAmg")) * 26)


class TestTwins:
    """The same match and analysis as SGF and as text: equal decisions, with numbers equal to the digits printed."""

    @loop.rows(
        ("sgf", "texts"),
        ("match7662222_1ply", GAMES),
        ("money-beaver_0ply", [BEAVER]),
        ("rollout_3pt-game1", [ROLLOUT]),
    )
    def test_equal(self, sgf: str, texts: list[Path]) -> None:
        sgf_match, other = load(ANALYSIS / "gnubg" / f"{sgf}.sgf"), loads("".join(map(text_of, texts)))
        assert (sgf_match.players, sgf_match.length, sgf_match.rules) == (other.players, other.length, other.rules)
        assert sgf_match.games == other.games
        assert sgf_match.fingerprint == other.fingerprint
        for first, second in zip(sgf_match.decisions(), other.decisions(), strict=True):
            if isinstance(second.analysis, PlayAnalysis):
                assert isinstance(first.analysis, PlayAnalysis)
                near_plays(first.analysis, second.analysis)
            elif isinstance(second.analysis, CubeAnalysis):
                assert isinstance(first.analysis, CubeAnalysis)
                near_cubes(first.analysis, second.analysis)
            else:  # the text says that beavers cannot be analyzed; the SGF repeats the numbers of the double
                assert second.action in {"beaver", "take"} or first.analysis is None

    def test_the_option_for_chances_of_the_match(self) -> None:
        """Converted back, they are the equities, to the digits that are left."""
        equities, chances = decisions(GAMES[2]), decisions(MWC)
        for first, second in zip(equities, chances, strict=True):
            if isinstance(first.analysis, PlayAnalysis):
                assert isinstance(second.analysis, PlayAnalysis)
                near_plays(first.analysis, second.analysis, digits=0.0016)
                assert all(candidate.mwc is not None for candidate in second.analysis.candidates)
            elif first.analysis is not None:
                assert isinstance(second.analysis, CubeAnalysis)
                near_cubes(first.analysis, second.analysis, digits=0.0016)
                assert second.analysis.mwc is not None

    def test_a_chance_of_the_match_above_1_leaves_its_analysis_out(self) -> None:
        damaged = loads(text_of(MWC).replace(" 25.41%", "125.41%", 1))
        assert kinds(damaged) == {FindingKind.UNREADABLE_ANALYSIS}
        assert sum(decision.analysis is None for decision in damaged.decisions()) == 1
        assert all(decision.analysis for decision in decisions(MWC))

    @gnu_backgammon.is_needed
    def test_every_option_for_the_output(self, tmp_path: Path) -> None:
        """Chances in percent, of the match, with more digits: the same decisions, with the same numbers."""
        options = {
            "winpc": "set output winpc on",
            "mwc": "set output mwc on",
            "mwc_winpc_matchpc": "set output matchpc off",
            "digits": "set output winpc off\nset output mwc off\nset output matchpc on\nset output digits 5",
        }
        commands = [f"load match {ANALYSIS / 'gnubg' / 'match7662222_1ply.sgf'}"]
        for name, words in options.items():
            commands += [words, f"export match text {tmp_path / name}.txt"]
        gnu_backgammon.run(tmp_path, *commands)
        for name in options:
            match = load(tmp_path / f"{name}_003.txt")
            assert kinds(match) == set()
            for first, second in zip(decisions(GAMES[2]), match.decisions(), strict=True):
                if isinstance(first.analysis, PlayAnalysis):
                    assert isinstance(second.analysis, PlayAnalysis)
                    near_plays(first.analysis, second.analysis, digits=0.0016)
                elif first.analysis is not None:
                    assert isinstance(second.analysis, CubeAnalysis)
                    near_cubes(first.analysis, second.analysis, digits=0.0016)


def near_plays(first: PlayAnalysis, second: PlayAnalysis, digits: float = 0.00051) -> None:
    """Whether the candidates of the second, which may be fewer, are those of the first."""
    assert (first.luck, first.engine) == (pytest.approx(second.luck, abs=digits), second.engine)
    known = {candidate.play: candidate for candidate in first.candidates}
    for candidate in second.candidates:
        same = known[candidate.play]
        assert (same.position, same.level) == (candidate.position, candidate.level)
        assert same.equity == pytest.approx(candidate.equity, abs=digits)
        assert same.standard_error == pytest.approx(candidate.standard_error, abs=digits)
        assert near_chances(same.chances, candidate.chances)
    made = [analysis.made.play for analysis in (first, second) if analysis.made is not None]
    assert len(set(made)) <= 1


def near_cubes(first: CubeAnalysis, second: CubeAnalysis, digits: float = 0.00051) -> None:
    equities = [(analysis.no_double, analysis.double_take, analysis.double_drop) for analysis in (first, second)]
    assert equities[0] == pytest.approx(equities[1], abs=digits)
    assert near_chances(first.chances, second.chances)
    assert (first.level, first.engine) == (second.level, second.engine)
    assert first.standard_errors == pytest.approx(second.standard_errors, abs=digits)


def near_chances(first: Chances | None, second: Chances | None) -> bool:
    if first is None or second is None:
        return first is second
    return attrs.astuple(first) == pytest.approx(attrs.astuple(second), abs=0.00051)


class TestNotes:
    NOTE = "Annotation:\nWhat a roll!\n\nThe score (after 3 games) is: Ann 1, Bob 2\n* lasse moves 8/5 6/5"

    def test_are_kept_whatever_they_say(self) -> None:
        text = text_of(GAMES[0])
        before = "Move number 4:"
        assert before in text
        match = loads(
            text.replace(before, f"{self.NOTE}\n{before}").replace("lasse wins", "Annotation:\nGG\nlasse wins")
        )
        (game,) = match.games
        assert match.games == loaded(GAMES[0]).games
        assert [note for note in game.notes if note] == [
            "What a roll!\nThe score (after 3 games) is: Ann 1, Bob 2\n* lasse moves 8/5 6/5",
            "GG",
        ]
        assert game.notes.index("GG") == len(game.events) - 1
        assert [decision.row for decision in match.decisions() if decision.note is not None] == [3, 6]
        assert game.stated == loaded(GAMES[0]).games[0].stated


class TestDamage:
    """Cut anywhere, changed anywhere, two texts in one: a match or one sentence."""

    @loop.rows(("path", "length"), (GAMES[0], 3_700), (PLAY, 10_000), (CUBE, 10_000), (BGBLITZ[0], 10_000))
    def test_truncated_anywhere(self, path: Path, length: int) -> None:
        whole = path.read_bytes()[:length]
        game = loaded(path).games[0]
        for end in range(0, len(whole), 41):
            try:
                match = loads(whole[:end])
            except ParseError as error:
                assert len(str(error)) < 300
                continue
            if match.format != "mat":
                (cut,) = match.games
                assert cut.events == game.events[: len(cut.events)] or FindingKind.ILLEGAL_PLAY in kinds(match)
                assert len(list(match.decisions())) <= len(cut.events)

    def test_two_matches_in_one_text(self) -> None:
        both = text_of(GAMES[0]) + text_of(ROLLOUT)
        matches = loads_all(both)
        assert [match.players for match in matches] == [("lasse", "the_boys"), ("MrPurple", "Lasse")]
        assert [match.games for match in matches] == [loaded(GAMES[0]).games, loaded(ROLLOUT).games]
        line = text_of(GAMES[0]).count("\n") + 1
        with pytest.raises(ParseError, match=rf"2 matches, .*MrPurple against Lasse, to 3, on line {line};"):
            loads(both)

    def test_the_same_match_twice(self) -> None:
        """Games that begin again are another match."""
        twice = "".join(map(text_of, GAMES[:2])) * 2
        assert [len(match.games) for match in loads_all(twice)] == [2, 2]

    def test_an_illegal_play_is_reported_and_the_next_position_set_by_hand(self) -> None:
        match = loads(text_of(GAMES[0]).replace("* the_boys moves 24/21 13/9", "* the_boys moves 24/21 13/8"))
        (finding,) = [finding for finding in match.findings if finding.severity is Severity.ERROR]
        assert (finding.kind, finding.row, finding.line) == (FindingKind.ILLEGAL_PLAY, 2, 60)
        (game,) = match.games
        assert (game.cut, game.winner) == (False, WHITE)
        assert len([event for event in game.events if isinstance(event, SetPosition)]) == 1
        assert game.final() == loaded(GAMES[0]).games[0].final()

    def test_a_play_that_is_not_shown_ends_the_replay(self) -> None:
        match = loads(text_of(GAMES[0]).replace("* the_boys moves 24/21 13/9", ""))
        (finding,) = [finding for finding in match.findings if finding.severity is not Severity.INFO]
        assert (finding.kind, finding.severity) == (FindingKind.HIDDEN_PLAY, Severity.WARNING)
        (game,) = match.games
        assert game.cut
        assert game.events == loaded(GAMES[0]).games[0].events[: len(game.events)]
        assert [event.action for event in game.events[2:] if isinstance(event, Event)] == [Action.ROLL]

    def test_another_score_in_an_identifier_is_reported(self) -> None:
        """That of the second decision; the game goes on."""
        text = text_of(GAMES[0])
        board, second = re.findall(r"Position ID: (\S+)\s+Match ID *: (\S+)", text)[1]
        other = attrs.evolve(MatchState.from_gnubg_id(f"{board}:{second}"), score=(1, 0))
        match = loads(text.replace(second, other.match_id, 1))
        (finding,) = [finding for finding in match.findings if finding.severity is not Severity.INFO]
        assert (finding.kind, finding.severity) == (FindingKind.POSITION_MISMATCH, Severity.WARNING)
        assert match.games == loaded(GAMES[0]).games

    def test_another_position_is_reported_and_set_by_hand(self) -> None:
        lines = text_of(GAMES[0]).splitlines()
        begin, end = (at for at, line in enumerate(lines) if line.startswith(("Move number 2:", "Move number 4:")))
        match = loads("\n".join([*lines[:begin], *lines[end:]]))
        (finding,) = [finding for finding in match.findings if finding.severity is not Severity.INFO]
        assert (finding.kind, finding.severity, finding.row) == (FindingKind.POSITION_MISMATCH, Severity.WARNING, 4)
        assert match.games[0].final() == loaded(GAMES[0]).games[0].final()

    @loop.rows("heading", "Move number 9:", "Move number 22:", "on roll, cube decision?", " doubles to 2")
    def test_a_text_that_begins_in_the_middle_of_a_game(self, heading: str) -> None:
        text = text_of(GAMES[1])
        match = loads(text[text.rindex("Move number", 0, text.index(heading) + 1) :])
        (game,), (whole,) = match.games, loaded(GAMES[1]).games
        first, *rest = game.events
        assert isinstance(first, SetPosition)
        assert list(whole.events[-len(rest) :]) == rest
        assert game.final() == whole.final()
        assert all(finding.severity is Severity.INFO for finding in referee(match))

    @loop.rows("old", "MAGpAAAAAAAE", "4HPhASLgc+RBIA")
    def test_identifiers_that_cannot_be_read(self, old: str) -> None:
        match = loads(text_of(GAMES[0]).replace(old, "/" * len(old)))
        assert Severity.ERROR in {finding.severity for finding in match.findings}
        assert len(match.games[0].events) >= 4

    def test_a_last_play_that_nobody_can_make(self) -> None:
        """The end that the text states is taken; without it, the rest of the game is left out."""
        lines = text_of(GAMES[0]).splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith("Move number 5:"))
        play = max(number for number in range(at) if " moves " in lines[number])
        bad = [*lines[:play], re.sub(r"moves .*", "moves 1/25", lines[play]), *lines[play + 1 : at]]
        ended, unended = loads("\n".join([*bad, "lasse wins a gammon and 2 points"])), loads("\n".join(bad))
        assert (ended.games[0].result.points, ended.games[0].cut) == (2, False)
        assert (unended.games[0].result, unended.games[0].cut) == (None, True)
        assert {Severity.ERROR} <= {finding.severity for finding in ended.findings}

    def test_a_resignation_has_no_line(self) -> None:
        lines = text_of(GAMES[0]).splitlines()
        at = next(at for at, line in enumerate(lines) if line.startswith("Move number 5:"))
        for words, level in (("lasse wins 1 point", 1), ("lasse wins a gammon and 2 points", 2)):
            match = loads("\n".join([*lines[:at], words]))
            game = match.games[0]
            assert game.events[-2:] == (Event(Action.RESIGN, BLACK, Win(level)), Event(Action.ACCEPT, WHITE))
            assert kinds(match) == {FindingKind.RESIGN_WITHOUT_MARKER}


class TestRecognition:
    """Neither do these readers take .mat files, nor does that reader take these texts."""

    def test_of_a_record_with_identifiers_in_it(self) -> None:
        xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
        record = "7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n  1) 31: 8/5 6/5\n"
        for text in (
            record + xgid,
            record.replace("7 point", f"; {xgid}\n7 point"),
            record.replace("match\n", f"match\n{xgid}\n"),
            f"; GNU Backgammon\n{record}",
        ):
            match = loads(text)
            assert match.format == "mat"
            assert [event.argument for event in match.games[0].events if isinstance(event, Event)] == [
                (3, 1),
                "8/5 6/5",
            ]

    @loop.rows("path", GAMES[0], PLAY, BGBLITZ[0])
    def test_whatever_the_bytes(self, path: Path) -> None:
        text = text_of(path)
        for data in (
            text.replace("\n", "\r\n").encode(),
            text.replace("\n", "\r").encode("utf-8-sig"),
            ("\n" * 100 + text).encode(),
            (text + "\x1a").encode(),
            text.encode("cp1252"),
        ):
            match = loads(data)
            assert (match.format, match.players) == (loaded(path).format, loaded(path).players)
            assert match.games == loaded(path).games


class TestLimits:
    @loop.rows(
        "text",
        text_of(GAMES[0])[:3_000] + "x" * 300_000,
        text_of(GAMES[0])[:2_000] + "     1. Cubeful 1-ply    24/16      Eq.: +0.001\n" * 2_000,
        "XGID=" * 50_000,
        " GNU Backgammon" * 20_000,
        " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n" * 3_000,
        " Position-ID: 4TcAALDeAAAAAA    Match-ID: UQngAAAAIAAE\n" * 200,
        f"{'a : ' * 200}\n" * 200 + " Position-ID: 4TcAALDeAAAAAA    Match-ID: UQngAAAAIAAE\n",
    )
    def test_hostile_texts_end_in_a_match_or_a_sentence(self, text: str) -> None:
        try:
            match = loads(text)
        except ParseError as error:
            assert len(str(error)) < 300
        else:
            for decision in match.decisions():
                assert len(getattr(decision.analysis, "candidates", ())) <= 100

    def test_numbers_of_positions_and_decisions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        xgid = "XGID=\n" + "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n" * 5_001
        with pytest.raises(ParseError, match="more than 5,000 positions"):
            loads(xgid)
        pair = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n  Match ID   : MACrAAAAAAAE\n"
        assert gnubg_sheet.MAX_DECISIONS == 100_000
        monkeypatch.setattr(gnubg_sheet, "MAX_DECISIONS", 1_000)
        with pytest.raises(ParseError, match="more than 1,000 decisions"):
            loads(pair * 1_001)


PAIR = "Position ID: 4HPwATDgc/ABMA Match ID: cIhyAAAAAAAE"


class TestKnownButNotRead:
    """What is known but not read has its name in the refusal; without a sign, a text is what it is not."""

    @loop.rows(
        ("start", "name"),
        (b"MatchID: 1230000\r\nPlayer1: 17 Ann\r\nPlayer2: 18 Bob\r\n", "TrueMoneyGames (.tmg)"),
        (b"Ann vs. Bob\r\nSet 1\r\n", "GamesGrid (.sgg)"),
        (b"boardid=7\ncreator=Ann\n", "PartyGammon (.gam)"),
        (b"MATCHLENGTH=3\nGAME_1_PLAYER_1=Ann\nGAME_1_GAMEPLAY=1 1 1 31 8/5 6/5#\n", "PartyGammon (.gam)"),
        (b"Ann   Bob\n\n1) 31: 8/5 6/5", "GammonEmpire (.gam)"),
        (
            b" Tom                            Jerry\n  1)                             56: 24/18 18/13 \n",
            "Jellyfish (.gam)",
        ),
        (
            b" Ann Lee                        Bob Ray\r\n  1) 31: 8/5 6/5                 62: 24/18\r\n",
            "Jellyfish (.gam)",
        ),
        (b"\tAnn-1\tBob.x\r\n  1)                             62: 24/18 13/11\r\n", "GammonEmpire (.gam)"),
        (b"Score is 0-0 in a 5 point match.\nann is X - bob is O\n\nX: (3 1) 8-5 6-5\n", "FIBS (.fibs)"),
        (b"> oldmoves ann\r\nScore is 2-0.\r\nann is X - bob is O\r\n", "FIBS (.fibs)"),
        (b"bgammon-replay 00000024\ni 1702738670 Ann Bob 1 0 0 1 1 0\n1 r 4-1 13/9 9/8\n", "bgammon.org (.match)"),
        (b"i Ann Bob 5 0 0 1 2 0\n1 d 2 1\n", "bgammon.org (.match)"),
        (b"bgf version 1.2\n", "BGRoom (.bgf)"),
    )
    def test_is_named(self, start: bytes, name: str) -> None:
        with pytest.raises(ParseError) as error:
            loads(start)
        program, _, suffixes = name.partition(" (")
        assert f" {program} " in str(error.value)
        assert f" ({suffixes}, which cannot be read yet: export it as text" in str(error.value)

    @loop.rows(
        ("start", "words"),
        (b"0;1;0;1;0;Ann;Bob;0;0;0;1;0;" + b"0;" * 28, "this is a Snowie position (.txt)"),
        (b"7; 0; 0; 0; 1; Ann; Bob; 0; 3; 2; 1; 0; " + b"0; " * 28, "this is a Snowie position (.txt)"),
        (b"~\0\x01\0", "this looks like a Jellyfish position (.pos)"),
    )
    def test_a_position_is_not_to_be_exported_as_a_match(self, start: bytes, words: str) -> None:
        with pytest.raises(ParseError) as error:
            loads(start)
        advice = "open it in GNU Backgammon and copy its Position ID and Match ID"
        assert str(error.value) == f"{words}, which cannot be read yet: {advice}"

    @loop.rows(
        ("lines", "form"),
        (("<!DOCTYPE html>", "<html><head>", '<meta name="generator" content="GNU Backgammon 1.07.001"/>'), "HTML"),
        (
            ("Move number 1: Ann to play 54", "", "\t\t", "Pip counts: Bob 167, Ann 167", PAIR, "", "• Ann moves 13/4"),
            "HTML",
        ),
        (("> Zug 1: Ann", "> Pips: Bob 7 167, Ann 1, 2 167", f"> {PAIR}", "> "), "HTML"),
        (("Ann\t167", "", "", "Bob\t167", PAIR, "• Ann moves 13/4"), "HTML"),
        (("<span>Position ID: <tt>4HPwATDgc/ABMA</tt> Match ID: <tt>cIhyAAAAAAAE</tt><br/>",), "HTML"),
        (
            (r"\documentclass{article}", r"\usepackage{epic,ucs}", r"\newcommand{\board}{", r"\shade\path(70,20)"),
            "LaTeX",
        ),
        ((r"\begin{picture}(356,240)(22,10)", r"\blackboard", r"\put(220,230){\whiten\circle{20}}"), "LaTeX"),
        (("3 points match (game 1)", "", "◦ Ann (0 points)"), "LaTeX"),
        (("Money session (game 12)", "", "◦ Ann (0 points)"), "LaTeX"),
    )
    def test_exports_of_gnu_backgammon(self, lines: tuple[str, ...], form: str) -> None:
        """Documents, and what a page or a viewer gives when a part of them is copied."""
        for end in ("\n", "\r\n"):
            text = end.join([*lines, ""])
            for record in (text, text.encode()):
                with wording.tells(ParseError, f"GNU Backgammon's {form} export", "SGF"):
                    loads(record)

    @loop.rows(
        ("start", "name"),
        ("<!DOCTYPE html><title>GNU Backgammon</title>", "web page"),
        ("\\documentclass{article}\n", "LaTeX document"),
        ("\ufeff% made by hand\n%\n\n\\documentclass{article}\n", "LaTeX document"),
        ("%!PS-Adobe-3.0\n", "PostScript"),
    )
    def test_other_documents(self, start: str, name: str) -> None:
        for record in (start, start.encode()):
            with wording.tells(ParseError, name, "not a record"):
                loads(record)

    def test_a_record_that_can_be_read_is_never_named(self) -> None:
        record = b"# Ann vs. Bob\n7 point match\n Game 1\n Ann : 0      Bob : 0\n  1) 31: 8/5 6/5\n"
        assert loads(record).rolls == 1

    @loop.over(
        "text",
        [
            " Ann : 0    Bob : 0\n1) 31: 8/5",
            "Ann against Bob\n1) 31",
            "Shopping list\n1) eggs",
            "The score is 2-0.\nann is X",
            "GAME_1=3",
            "i am 1 2 3",
            f"Look at {PAIR}",
            "See game 1 of our 3 points match (game 1) at home",
            f"What do you play?\nPips: Bob 167, Ann 167\n{PAIR}\nI like 8/5 6/5.\n",
            "To do:\n3 points match (game 1)\nMoney session (game 2)\n",
            f"{' ' * 70_000}\n\\blackboard\n\\put(220,230)",  # only the beginning is searched
        ],
    )
    def test_a_text_is_not_named_by_chance(self, text: str) -> None:
        with pytest.raises(ParseError, match="the record holds no match"):
            loads(text)
