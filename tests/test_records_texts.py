"""Texts that carry positions: GNU Backgammon's analyzed games, positions of eXtreme Gammon and BGBlitz."""

from __future__ import annotations

import csv
import gzip
import itertools
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import attrs
import pytest

from gammonrules import Action, Event, Player
from gammonrules.records import (
    CubeAnalysis,
    Decision,
    FindingKind,
    Match,
    PlayAnalysis,
    Severity,
    load,
    loads,
    referee,
)

WHITE, BLACK = Player
DATA = Path(__file__).parent / "data"
ANALYSIS = DATA / "analysis"
GNUBG = sorted((ANALYSIS / "gnubg").glob("*.txt")) + sorted((ANALYSIS / "gnubg-bglab").glob("*.txt"))
LANGUAGES = sorted((ANALYSIS / "gnubg-languages").glob("*.txt"))
GAMES = [ANALYSIS / "gnubg" / f"match7662222_1ply{part}.txt" for part in ("", "_002", "_003", "_004")]
BEAVER = ANALYSIS / "gnubg" / "money-beaver_0ply.txt"
ROLLOUT = ANALYSIS / "gnubg" / "rollout_3pt-game1.txt"


def rows(path: Path) -> list[dict[str, str]]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


EXPECTED = rows(ANALYSIS / "expected.tsv")

# Records are values: what one test has read, another may use.
loaded = cache(load)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def decisions(path: Path) -> tuple[Decision, ...]:
    return tuple(load(path).decisions())


def kinds(match: Match) -> set[FindingKind]:
    return {finding.kind for finding in referee(match)}


def numbers_of(decision: Decision) -> object:
    """What an analysis says, apart from the program."""
    return None if decision.analysis is None else attrs.evolve(decision.analysis, engine="")


class TestGnubg:
    """Every sample is followed to its end, and every identifier agrees."""

    @pytest.mark.parametrize("path", GNUBG + LANGUAGES, ids=lambda path: path.name)
    def test_read_without_a_doubt(self, path: Path) -> None:
        match = loaded(path)
        assert match.format == "gnubg-text"
        assert kinds(match) <= ({FindingKind.UNFINISHED_GAME} if path == BEAVER else set())
        assert all(not game.cut for game in match.games)

    @pytest.mark.parametrize("path", GNUBG, ids=lambda path: path.name)
    def test_every_decision_is_read(self, path: Path) -> None:
        """Each heading is a play, a double or an answer; a play also decides not to double where that is legal."""
        text, found = text_of(path), decisions(path)
        headings = re.findall(r"^Move number \d+: .*$", text, re.MULTILINE)
        plays = [heading for heading in headings if " to play " in heading]
        assert len([decision for decision in found if decision.kind == "play"]) == len(plays)
        assert len([decision for decision in found if decision.kind != "play" and decision.action != "roll"]) == len(
            headings
        ) - len(plays)
        assert [decision.row for decision in found if decision.action != "roll"] == list(range(1, len(headings) + 1))

    @pytest.mark.parametrize("path", GNUBG, ids=lambda path: path.name)
    def test_every_analysis_is_read(self, path: Path) -> None:
        text, found = text_of(path), decisions(path)
        tables = len(re.findall(r"^1\. \D", text, re.MULTILINE))
        assert len([decision for decision in found if isinstance(decision.analysis, CubeAnalysis)]) == tables
        listed = len(re.findall(r"^[* ] +(\d+\. |\?\?)", text, re.MULTILINE))
        analyses = [decision.analysis for decision in found if isinstance(decision.analysis, PlayAnalysis)]
        assert sum(len(analysis.candidates) for analysis in analyses) == listed
        lucks = len(re.findall(r"^Rolled \d\d \(", text, re.MULTILINE))
        assert len([analysis for analysis in analyses if analysis.luck is not None]) == lucks

    def test_facts_of_the_match(self) -> None:
        match = loaded(ROLLOUT)
        assert match.players == ("MrPurple", "Lasse")
        assert (match.length, match.event, match.site, match.date) == (3, "Online match", "Backgammon Studio", None)
        assert dict(match.tags)["Date"] == "05/11/24"  # the 11th of May, or the 5th of November
        assert match.games[0].winner is BLACK

    def test_games_keep_their_numbers(self) -> None:
        assert [loaded(path).games[0].number for path in GAMES] == [1, 2, 3, 4]
        assert [loaded(path).games[0].score for path in GAMES] == [(0, 0), (1, 0), (3, 0), (3, 1)]

    def test_several_games_in_one_text(self) -> None:
        match = loads("".join(map(text_of, GAMES)))
        assert [game.number for game in match.games] == [1, 2, 3, 4]
        assert match.games == tuple(loaded(path).games[0] for path in GAMES)
        assert (match.score, match.winner) == ((5, 1), WHITE)
        assert kinds(match) == set()

    def test_same_games_as_in_the_record(self) -> None:
        other = loaded(DATA / "matches" / "galaxy" / "match7662222.txt")
        assert other.players == loaded(GAMES[0]).players
        for path, game in zip(GAMES, other.games, strict=True):
            assert loaded(path).games[0] == game

    def test_beaver_and_its_answer(self) -> None:
        cube = [(decision.player, decision.action) for decision in decisions(BEAVER) if decision.kind != "play"]
        assert [pair for pair in cube if pair[1] != "roll"] == [(BLACK, "double"), (WHITE, "beaver"), (BLACK, "take")]
        assert loaded(BEAVER).rules.beavers == 1
        assert not loaded(BEAVER).rules.jacoby


REPLAYS: dict[str, list[dict[str, str]]] = defaultdict(list)
for line in rows(DATA / "replays.tsv.gz"):
    REPLAYS[line["file"]].append(line)
PLAYERS = {line["file"]: line for line in rows(DATA / "replays.players.tsv")}
WORDS = {"doubles": "doubles", "takes": "accepts", "drops": "rejects"}


def printed(file: str) -> str:
    """A record of the table as the program printed it, without its drawings."""
    names = [PLAYERS[file][f"gnubg_player{number}"] for number in (0, 1)]
    lines = list[str]()
    for game, group in itertools.groupby(REPLAYS[file], key=lambda row: row["game"]):
        lines.append(f"The score (after {int(game) - 1} games) is: {names[0]} 0, {names[1]} 0 (match to 5 points)")
        for row in group:
            who, number = row["who"], row["decision"]
            words = f"to play {row['dice']}" if row["kind"] == "roll-play" else "on roll, cube decision?"
            action = f"moves {row['play']}" if row["play"] else "cannot move"
            lines += [f"Move number {number}:  {who} {words}", ""]
            lines += [f" GNU Backgammon  Position ID: {row['position_id']}", f"  Match ID   : {row['match_id']}", ""]
            lines += [f"* {who} {WORDS.get(row['play'], action)}", ""]
    return "\n".join(lines)


def exchange(event: Event) -> Event:
    """The same event with the other player."""
    if event.action is Action.OPENING_ROLL:
        assert isinstance(event.argument, tuple)
        return Event(Action.OPENING_ROLL, argument=event.argument[::-1])
    assert isinstance(event.by, Player)
    return attrs.evolve(event, by=event.by.opponent)


class TestReplays:
    """The table of replays was made of such texts."""

    @pytest.mark.parametrize("file", sorted(REPLAYS))
    def test_every_identifier_agrees_and_the_games_are_those_of_the_record(self, file: str) -> None:
        match, other = loads(printed(file)), load(DATA / "matches" / file)
        assert match.format == "gnubg-text"
        exchanged = PLAYERS[file]["left_column_is_player"] == "1"
        assert [finding for finding in match.findings if finding.severity is not Severity.INFO] == []
        shown = [decision for decision in match.decisions() if decision.action != "roll"]
        assert [decision.state.position.id for decision in shown] == [row["position_id"] for row in REPLAYS[file]]
        for game, theirs in zip(match.games, other.games, strict=True):
            events = [event for event in theirs.events if isinstance(event, Event)]
            played = list(map(exchange, events)) if exchanged else events
            # The program prints neither a roll after which the player resigned, nor the resignation.
            rest = played[len(game.events) :]
            assert list(game.events) == played[: len(game.events)]
            assert [event.action for event in rest] in ([], *(RESIGNATIONS[at:] for at in range(2)))


RESIGNATIONS = [Action.ROLL, Action.RESIGN, Action.ACCEPT]


class TestGnubgLanguages:
    """In whatever language the text is, it says the same."""

    @pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.name)
    def test_equal_to_english(self, path: Path) -> None:
        english = GAMES[0]
        match = loaded(path)
        assert (match.players, match.length, match.games) == (loaded(english).players, 5, loaded(english).games)
        assert match.site == "BackgammonGalaxy"
        assert match.games[0].stated == attrs.evolve(
            loaded(english).games[0].stated, text=match.games[0].stated.text if match.games[0].stated else ""
        )
        assert list(map(numbers_of, decisions(path))) == list(map(numbers_of, decisions(english)))
        assert all(decision.analysis is not None for decision in decisions(path))

    @pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.name)
    def test_a_last_answer_without_an_end_is_known_by_its_word(self, path: Path) -> None:
        lines = text_of(path).splitlines()
        last = max(at for at, line in enumerate(lines) if line.startswith("* the_boys"))
        match = loads("\n".join(lines[: last + 1]))
        assert match.games[0].events[-1] == Event(Action.DROP, BLACK)
        taken = loads("\n".join([*lines[:last], "* the_boys accepts"]))
        assert taken.games[0].events[-1] == Event(Action.TAKE, BLACK)
        unknown = loads("\n".join([*lines[:last], "* the_boys hmm"]))
        assert unknown.games[0].events[-1] == Event(Action.DOUBLE, WHITE)


class TestGnubgNumbers:
    """The numbers of the engine, against an independent decoder and the program's own sums."""

    @pytest.mark.parametrize(
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
            equities = analysis.no_double, analysis.double_take, analysis.double_pass
            assert equities == pytest.approx((float(row["nd"]), float(row["dt"]), float(row["dp"])), abs=1e-9)
            assert analysis.level == row["level"]

    @pytest.mark.parametrize("path", [*GNUBG, *LANGUAGES], ids=lambda path: path.name)
    def test_sums_of_errors_are_those_of_the_program(self, path: Path) -> None:
        totals = [
            [float(number.replace(",", ".")) for number in pair]
            for pair in re.findall(
                r"^\S.* EMG \(.*?\) +([-+]\d+[.,]\d{3}) .*?\) +([-+]\d+[.,]\d{3}) ", text_of(path), re.MULTILINE
            )
        ]
        plays, *_, cube, _ = totals[: 4 if len(totals) % 4 == 0 else 3]  # between them luck, at the end everything
        for player in Player:
            for stated, is_play in ((plays, True), (cube, False)):
                errors = [
                    decision.error or 0.0
                    for decision in decisions(path)
                    if decision.player is player and (decision.kind == "play") is is_play
                ]
                counted = [error for error in errors if error]
                assert sum(counted) == pytest.approx(-stated[player], abs=0.001 + 0.0011 * len(counted))

    @pytest.mark.parametrize("path", [path for path in GNUBG if "mwc" not in path.name], ids=lambda path: path.name)
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
