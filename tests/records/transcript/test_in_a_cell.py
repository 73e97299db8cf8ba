"""What a cell of a notebook shows of decisions, analyses, games and error rates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import attrs

import loop
from gammonrules import Action, Event, MatchState, Player
from gammonrules.draw import BoardStyle, svg
from gammonrules.engine import Hint
from gammonrules.records import Candidate, CubeAnalysis, ErrorRate, Game, PlayAnalysis, load, loads, scan

ROOT = Path(__file__).parents[3]
XG = load(ROOT / "examples" / "matches" / "xg" / "test.xg")
BROKEN = ROOT / "tests" / "data" / "matches" / "broken"


def cells(html: str) -> list[list[str]]:
    """The texts of the cells of a table, row by row."""
    rows = re.findall("<tr>(.*?)</tr>", html)
    return [[unescape(re.sub("</?b>", "", text)) for text in re.findall("<t[hd]>(.*?)</t[hd]>", row)] for row in rows]


def remarks(html: str) -> str:
    return unescape(re.sub("<.*?>", "\n", html.rpartition("<p>")[2]))


def words(game: Game, column: int) -> Iterator[str]:
    """What one player did, without what it cost."""
    for row in cells(game._repr_html_())[1:]:
        if row[column]:
            yield re.sub(r"no double \([0-9.]+\), | \([0-9.]+\)$", "", row[column])


class TestDecisions:
    def test_best_and_cost_beside_what_was_played(self) -> None:
        decision = max(XG.decisions(), key=lambda decision: decision.error or 0)
        board, _, text = decision._repr_html_().partition("<p>")
        assert board == decision._repr_svg_()
        assert text.startswith("Black: 9/4; best: 6/3*/1*; cost: 0.349</p>")
        assert re.findall("<td><b>(.*?)</b>", text)[:2] == ["2. 9/4", "+0.358"]

    def test_seats_are_those_of_the_state(self) -> None:
        """White is at the bottom, whoever decided, as in the picture of a state and of a hint."""
        state = MatchState.new(7).opening_roll(1, 3)
        assert state.on_roll is Player.BLACK
        decision = next(loads(" 7 point match\n Game 1\n A : 0  B : 0\n  1)          31: 8/5 6/5\n").decisions())
        assert decision.state == state
        assert decision._repr_svg_() == svg.match_state(
            state, bottom=Player.WHITE, arrows="8/5 6/5", style=BoardStyle(size=628)
        )
        assert state._repr_svg_() == svg.match_state(state, bottom=Player.WHITE, style=BoardStyle(size=628))
        hint = Hint(state, Action.PLAY, PlayAnalysis((Candidate("8/5 6/5", state.position),)))
        assert hint._repr_html_().startswith(state._repr_svg_())

    def test_texts_of_strangers(self) -> None:
        decision = next(decision for decision in XG.decisions() if decision.kind == "double")
        hostile = attrs.evolve(decision, action="<script>\x1b[31m")
        assert "&lt;script&gt;\N{REPLACEMENT CHARACTER}[31m" in hostile._repr_html_()
        assert "<script" not in hostile._repr_html_()


class TestAnalyses:
    def test_the_table_of_a_hint(self) -> None:
        for decision in XG.games[0].decisions():
            analysis = decision.analysis
            if analysis is not None:
                hint = Hint(decision.state, Action.PLAY, analysis)._repr_html_()
                assert cells(hint) == cells(analysis._repr_html_())

    @loop.rows(
        ("no_double", "verdict", "best"),
        (1.1, "too good, drop", "too good to double"),
        (1.001, "too good, drop", "too good to double"),
        (1.000001, "double, drop", "double"),  # an engine's rounding
        (1.0, "double, drop", "double"),
        (0.999, "double, drop", "double"),
    )
    def test_at_a_tie_no_position_is_too_good(self, no_double: float, verdict: str, best: str) -> None:
        """As in GNU Backgammon, whose words for a game that is certain are "Double, pass"."""
        analysis = CubeAnalysis(no_double, 2.0)
        double = next(decision for decision in XG.decisions() if decision.kind == "double")
        assert remarks(analysis._repr_html_()).strip() == f"Best: {verdict}"
        assert f"; best: {best}; cost: " in attrs.evolve(double, stored=analysis)._repr_html_()

    def test_without_numbers(self) -> None:
        assert cells(PlayAnalysis()._repr_html_()) == [["Play"]]
        assert cells(CubeAnalysis()._repr_html_())[1][0] == "No double"


class TestErrorRates:
    def test_pr(self) -> None:
        for rate in XG.error_rates():
            head, *rows = cells(rate._repr_html_())
            by_name = {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in rows}
            for name, part in (("All", rate), ("Plays", rate.plays), ("Doubles", rate.doubles), ("Takes", rate.takes)):
                shown = by_name[name]
                assert (shown["Decisions"], shown["PR"]) == (str(part.decisions), f"{part.pr:.2f}")
                assert [shown["Error"], shown["Blunder"]] == [str(number) for number in part.mistakes.values()]
            assert f"{rate.pr:.2f}" in repr(rate)
            assert len(repr(rate)) < 60
            assert rate.engine in remarks(rate._repr_html_())

    def test_without_decisions(self) -> None:
        assert cells(ErrorRate()._repr_html_())[1] == ["All", "0", "", "0.000"]
        assert "PR" not in repr(ErrorRate())


class TestGames:
    def test_its_plays_in_two_columns(self) -> None:
        for game in XG.games:
            for column, player in enumerate(Player, 1):
                own = [
                    decision for decision in game.decisions() if decision.player is player and decision.action != "roll"
                ]
                assert [text.rpartition(": ")[2] for text in words(game, column)] == [
                    decision.action for decision in own
                ]
        third = XG.games[2]
        assert cells(third._repr_html_())[3] == ["3", "55: 21/11 13/3 (0.032)", "33: 18/15(2) 7/4(2) (0.181)"]
        assert remarks(third._repr_html_()).startswith("Game 3 at 3-0, to 7")

    def test_what_a_missed_double_cost(self) -> None:
        missed = [
            decision for decision in XG.decisions() if decision.action == "roll" and (decision.error or 0) >= 0.0005
        ]
        shown = [text for game in XG.games for text in re.findall(r"no double \((.*?)\)", game._repr_html_())]
        assert shown == [f"{decision.error:.3f}" for decision in missed]
        assert shown

    def test_an_event_that_breaks_the_rules_ends_it(self) -> None:
        events = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5"), Event("take")
        html = Game(1, MatchState.new(3), events)._repr_html_()
        assert cells(html)[1:] == [["1", "31: 8/5 6/5", ""]]
        assert "take" in remarks(html)

    def test_of_broken_records(self) -> None:
        """Every game, and every decision of it, is shown."""
        games = [game for entry in scan(BROKEN, workers=1) if entry.match for game in entry.match.games]
        assert len(games) > 10
        for game in games:
            decisions = [decision for decision in game.decisions() if decision.action != "roll"]
            assert sum(bool(text) for row in cells(game._repr_html_())[1:] for text in row[1:]) == len(decisions)
