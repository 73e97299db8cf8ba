"""What a page says about how well a match was played: the same numbers as the error rates and the decisions."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import attrs
import pytest
from test_records_html import Page, data_of

import each
import loop
from gammonrules import ArgumentError, Event, MatchState, Player, Position
from gammonrules.records import (
    Candidate,
    CubeAnalysis,
    Decision,
    ErrorRate,
    Game,
    Match,
    PlayAnalysis,
    load,
    page as page_package,
    to_html,
)
from gammonrules.records.page.template import part
from gammonrules.records.transcript import MISTAKES
from real_records import loaded

ROOT = Path(__file__).parents[3]
MATCHES = ROOT / "tests" / "data" / "matches"
ANALYSIS = ROOT / "tests" / "data" / "analysis"
ANALYZED = [
    *sorted(ANALYSIS.glob("gnubg/*")),
    *sorted(ANALYSIS.glob("gnubg-bglab/*.txt")),
    *sorted(ANALYSIS.glob("xg/*.xg")),
    *sorted(MATCHES.glob("xg/*.xg")),
    *(MATCHES / "sgf" / name for name in ("test.sgf", "charlot1-charlot2_7p_2025-11-08-2305.sgf")),
]
GNUBG = ANALYSIS / "gnubg" / "match7662222_1ply.sgf"
GALAXY = MATCHES / "galaxy" / "match9806622.txt"
KINDS = {"play": "play", "double": "double", "answer": "take"}


def test_the_sizes_that_the_page_names() -> None:
    """Stand in the text: those of the rule."""
    words = part("rates.html") + part("mistakes.html")
    assert all(f"{size:.2f}" in words for size in MISTAKES["xg"].values())


@cache
def page_of(path: Path) -> str:
    return to_html(loaded(path))


def item_lists(text: str) -> list[tuple[str, str, str, str]]:
    """Player, kind, address and cost of each mistake in the list."""
    pattern = r'<li class="(\w+) (\w+) size\d"><a href="#(.*?)"><b class="loss">(.*?)</b>'
    return [(player, kind, unescape(to), cost) for player, kind, to, cost in re.findall(pattern, text)]


def test_each_mistake_can_be_tried_again() -> None:
    """At the address of a page that is asked for, from the position before it; without one there is no such link.

    The head of the page leads there, too, and where no engine has analyzed the match, no command is named.
    """
    match = loaded(GNUBG)
    text = to_html(match, play_url_prefix="https://a.example/?x&from=")
    links = re.findall(r'<a href="https://a.example/\?x&amp;from=(.+?)" target="_blank">', text)
    positions = [unquote(unescape(to)) for to in links]
    mistakes = [decision.state for decision in match.decisions() if (decision.error or 0) >= 0.02]
    assert {MatchState.from_xgid(xgid).position for xgid in positions} <= {state.position for state in mistakes}
    assert len(positions) == len(item_lists(text)) > 10
    assert "try again" not in page_of(GNUBG)
    for page in (text, to_html(loaded(GALAXY), play_url_prefix="https://a.example/?x&from=")):
        assert '<a href="https://a.example/?x&amp;from=">To the game</a></p>' in page
        assert "RECORD" not in page
    with pytest.raises(ArgumentError, match="play_url_prefix"):
        to_html(match, play_url_prefix=1)


def rows(text: str) -> list[list[str]]:
    """The cells of the tables of error rates, but for their heads."""
    summary = text[text.index('<section id="rates"') : text.index("</section>", text.index('<section id="rates"'))]
    cells = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", summary)]
    return [row for row in cells if row[0] != "Player"]


def row_of(name: str, rate: ErrorRate) -> list[str]:
    """Of fewer than 20 decisions neither PR nor rate is said, as in a report."""
    numbers = [("–" if number is None else f"{number:.2f}") for number in (rate.pr, rate.rate)]
    if 0 < rate.decisions < 20:
        numbers = ["<small>too few</small>", "–"]
    luck = "–" if rate.luck is None else signed(rate.luck, 3)
    return [f"<bdi>{name}</bdi>", *numbers, *map(str, (rate.decisions, *rate.mistakes.values())), luck]


def signed(number: float | None, digits: int) -> str:
    assert number is not None
    return f"{number:+.{digits}f}".replace("-", "−")


@each.file(ANALYZED, lambda path: path.name)
class TestGivenRecords:
    """Every number of every analyzed record that is given."""

    def test_error_rates(self, path: Path) -> None:
        match = loaded(path)
        rates, text = match.error_rates(), page_of(path)
        assert rows(text) == [row_of(name, rate) for name, rate in zip(match.players, rates, strict=True)]
        beside_names = re.findall(r"<small>PR ([\d.]+)</small>", text)
        assert beside_names == [f"{rate.pr:.1f}" for rate in rates if rate.decisions >= 20]
        assert f"By <bdi>{rates[0].engine}</bdi>, <bdi>{rates[0].levels_text}</bdi>" in text
        net = rates[0].luck_net
        told = re.findall("<b>Net luck</b> of <bdi>(.*?)</bdi>: ([^;]*); counted with [a-z ]*: ([^ ]*)", text)
        expected = [] if net is None else [(match.players[0], *map(signed, (net, rates[0].luck_worth), (3, 2)))]
        assert told == expected

    def test_mistakes(self, path: Path) -> None:
        """As many as the error rates count, of each player and kind; each at its decision, the player's worst first."""
        match, text = loaded(path), page_of(path)
        items = item_lists(text)
        counts = Counter((player, kind) for player, kind, _, _ in items)
        for player, rate in zip(Player, match.error_rates(), strict=True):
            by_kind = {"play": rate.plays, "double": rate.doubles, "take": rate.takes}
            assert {kind: counts[player, kind] for kind in by_kind} == {
                kind: errors.mistakes["error"] for kind, errors in by_kind.items()
            }
        numbers = re.findall(r'<label class="chip">.*?<small>(\d+)</small></label></h3><ol>(.*?)</ol>', text)
        assert [int(number) for number, _ in numbers] == [listed.count("<li ") for _, listed in numbers]
        is_analyzed = f'Mistakes <span class="score">{len(items)}<' in text
        assert len(numbers) == (2 if is_analyzed else 0)
        order = [(player == "black", float(cost.replace("−", "-"))) for player, *_, cost in items]
        assert order == sorted(order)
        decisions = Counter(
            (str(decision.player), KINDS[decision.kind], f"−{decision.error:.3f}")
            for decision in match.decisions()
            if decision.kind in KINDS and decision.error is not None
        )
        assert Counter((player, kind, cost) for player, kind, _, cost in items) <= decisions
        addresses = {to for to, _ in Page(text).links}
        assert {f"#{to}" for _, _, to, _ in items} <= addresses

    def test_the_graph_has_the_mistakes(self, path: Path) -> None:
        text = page_of(path)
        drawn = re.findall(r'<a href="#([^"]*)" aria-label="(−\d\.\d{3}) ', text)
        items = [(to, cost) for _, _, to, cost in item_lists(text)]
        assert Counter((unescape(to), cost) for to, cost in drawn) == Counter(items)

    def test_questions(self, path: Path) -> None:
        """Each mistake is asked once; each answer costs what the engine says, whatever the order of the moves."""
        match, data = loaded(path), data_of(page_of(path))
        asked = [question for questions in data["questions"].values() for question in questions]
        mistakes = mistakes_of(match, len(asked))
        assert len(asked) == len(mistakes)
        for question, decision in zip(asked, mistakes, strict=True):
            assert question["side"] == [*Player].index(decision.player)
            if (plays := decision.play_analysis) is not None:
                best = plays.candidates[0].equity
                expected = {
                    candidate.position.flip().points: f"{max(0, best - candidate.equity):.3f}"
                    for candidate in plays.candidates
                }
                leaves = [at for at, moves in enumerate(question["tree"]["nodes"]) if not moves]
                boards = boards_of(question["tree"])
                assert len({boards[leaf] for leaf in leaves}) == len(leaves) == decision.plays
                assert {boards[int(leaf)]: cost for leaf, cost in question["costs"].items()} == expected
            else:
                names = ("Double", "No double") if decision.kind == "double" else ("Take", "Drop")
                costs = [float(question["costs"][name]) for name in names]
                made = names[decision.action in {"roll", "drop"}]
                assert min(costs) == 0
                assert question["costs"][made] == f"{decision.error:.3f}"


def mistakes_of(match: Match, number: int) -> list[Decision]:
    """The decisions that cost most, in order."""
    decisions = [*match.decisions()]
    errors = [decision.error or 0 if decision.kind in KINDS else 0 for decision in decisions]
    largest = {at for _, at in sorted(((error, at) for at, error in enumerate(errors)), reverse=True)[:number]}
    return [decision for at, decision in enumerate(decisions) if at in largest]


def boards_of(tree: dict[str, Any]) -> dict[int, tuple[int, ...]]:
    """The points at each node of a tree, checker by checker."""
    boards = {0: tuple(tree["points"])}
    for at, flat in enumerate(tree["nodes"]):
        for source, target, _, after in zip(*[iter(flat)] * 4, strict=True):
            points = [*boards[at]]
            points[source] -= 1
            if target:
                points[0] -= points[target] == -1
                points[target] = max(points[target], 0) + 1
            boards[after] = tuple(points)
    return boards


class TestTwoJudges:
    """Where two engines, or one at two levels, stand in a record, their numbers are told apart."""

    def match(self, **changes: str) -> Match:
        """A game, the end of which was analyzed by somebody else, or at another level."""
        match = loaded(GNUBG)
        game, half = match.games[1], 36
        analyses = decoded(game)
        analyses[half:] = [changed(analysis, **changes) for analysis in analyses[half:]]
        return attrs.evolve(match, games=(attrs.evolve(game, analyses=tuple(analyses)),))

    def test_engines(self) -> None:
        match = self.match(engine="<b>")
        text = to_html(match)
        by = [match.error_rates(analyzed_by=engine) for engine in ("gnubg", "<b>")]
        assert rows(text) == [row_of(*pair) for rates in by for pair in zip(match.players, rates, strict=True)]
        assert "Two engines or levels stand in this record" in text
        assert text.count("<polyline") == 2
        assert "1-ply GNU Backga" in text[text.index("<figure") : text.index("</figure>")]
        listed = re.findall(r"<small>.*?</small>", text[: text.index("<nav")])
        judges = Counter(("&lt;b&gt;" in item, "GNU Backgammon" in item) for item in listed if "best: " in item)
        assert judges == {
            (False, True): sum(rate.mistakes["error"] for rate in by[0]),
            (True, False): sum(rate.mistakes["error"] for rate in by[1]),
        }

    def test_levels(self) -> None:
        match = self.match(level="2-ply")
        by = [match.error_rates(analysis_level=level) for level in ("1-ply", "2-ply")]
        expected = [row_of(*pair) for rates in by for pair in zip(match.players, rates, strict=True)]
        assert rows(to_html(match)) == expected


def decoded(game: Game) -> list[Any]:
    """The analysis at each event of a game."""
    by_event = {decision.index: decision.analysis for decision in game.decisions()}
    return [by_event.get(index) for index in range(len(game.events))]


def changed(analysis: Any, *, engine: str | None = None, level: str | None = None) -> Any:
    if analysis is None:
        return None
    if engine is not None:
        return attrs.evolve(analysis, engine=engine)
    if isinstance(analysis, CubeAnalysis):
        return attrs.evolve(analysis, level=level)
    plays = tuple(attrs.evolve(candidate, level=level) for candidate in analysis.candidates)
    return attrs.evolve(analysis, candidates=plays)


def test_a_page_without_analyses_says_how_to_get_them() -> None:
    text = to_html(loaded(GALAXY))
    assert "gammonrules analyze RECORD -o DIR" in text
    assert not re.search(r"<figure|id=\"(rates|mistakes|quiz)\"|mistake-next\"|gammon-play\", \(", text)
    assert "questions" not in data_of(text)


def match_of_one_play(error: float) -> Match:
    position = Position.start().play("8/5 6/5", "31")
    candidates = Candidate("24/23 13/10", position, error), Candidate("8/5 6/5", position, 0.0)
    opening = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5")
    plays = PlayAnalysis(candidates, played=1)
    return Match(("Ann", "Bob"), None, (Game(1, MatchState.new(None), opening, analyses=(None, plays)),))


@loop.over("error", [0.0796, 0.0804])
def test_mistakes_that_cost_the_same_have_the_same_color(error: float) -> None:
    """Both cost 0.080 in the words of the page."""
    text = to_html(match_of_one_play(error))
    assert re.findall('aria-label="−0.080 [^"]*"><rect class="([a-z]+)"', text) == ["blunder"]


@loop.rows("error", 0.0, 0.3)
def test_one_decision(error: float) -> None:
    match = match_of_one_play(error)
    text = to_html(match)
    assert rows(text) == [row_of(name, rate) for name, rate in zip(match.players, match.error_rates(), strict=True)]
    assert "By <bdi>an unnamed program</bdi>" in text
    assert len(item_lists(text)) == (error > 0)
    assert "equity of the game" in text


def test_a_position_has_no_error_rates() -> None:
    text = to_html(load(ROOT / "examples" / "matches" / "positions" / "money-jacoby_double-take.txt"))
    assert not re.search(r"<figure|id=\"rates\"|gammonrules analyze", text)


def test_analyses_in_the_place_of_others() -> None:
    """A program has put them there: nothing is asked about them, and nothing raises."""
    opening = Event("opening_roll", argument=(3, 1)), Event("play", argument="8/5 6/5"), Event("double")
    wrong = CubeAnalysis(stated_answer_error=0.5), PlayAnalysis(stated_error=0.5)
    text = to_html(Match(("", ""), 5, (Game(1, MatchState.new(5), opening, analyses=(None, *wrong)),)))
    assert data_of(text)["questions"] == {}
    assert [kind for _, kind, _, _ in item_lists(text)] == ["play"]


def test_a_game_that_breaks_the_rules_has_no_error_rates() -> None:
    events = Event("opening_roll", argument=(3, 1)), Event("play", argument="24/19")
    match = attrs.evolve(loaded(GNUBG), games=loaded(GNUBG).games[:1])
    broken = Game(9, MatchState.new(5), events, analyses=(None, PlayAnalysis(stated_error=0.5)))
    text = to_html(attrs.evolve(match, games=(*match.games, broken)))
    assert rows(text) == rows(to_html(match))


def test_the_error_rates_of_a_page_that_ends_are_those_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    match = attrs.evolve(loaded(GNUBG), games=loaded(GNUBG).games[:2])
    text = to_html(match)
    monkeypatch.setattr(page_package, "MAX_POSITIONS", 30)
    cut = to_html(match)
    assert rows(cut) == rows(text)
    assert 0 < len(item_lists(cut)) < len(item_lists(text))
    assert {to for _, _, to, _ in item_lists(cut)} <= {to.removeprefix("#") for to, _ in Page(cut).links}
