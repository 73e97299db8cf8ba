"""What a report tells first: tiles, a sentence, the worst mistakes, and what to practice."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import attrs
import pytest
from test_report import analyzed

import loop
from gammonrules.board import PositionKind
from gammonrules.board.internals import board_in, is_mine
from gammonrules.match import MatchState, Player
from gammonrules.records import CubeAnalysis, ErrorSummary, loads, report_to_html, to_html, to_table
from gammonrules.records.page import kind_names, report
from real_records import loaded

ROOT = Path(__file__).parents[3]
XG = ROOT / "examples" / "matches" / "xg" / "test.xg"
GNUBG = ROOT / "tests" / "data" / "analysis" / "gnubg" / "match7662222_1ply.sgf"
PLURALS = {"blitz": "blitzes", "prime against prime": "priming battles", "containment": "containment games"}
PLURALS["doubling"] = "doubling"
SIDES = {kind_names.plural(kind): sides for kind, sides in kind_names.SIDES.items()}


@pytest.fixture(scope="module")
def by_kind() -> dict[str, dict[str, ErrorSummary]]:
    """What each player of that match lost in each kind of position and by doubling, from the table of decisions."""
    decisions = to_table(XG).to_pylist()
    kinds: dict[str, dict[str, ErrorSummary]] = defaultdict(lambda: defaultdict(ErrorSummary))
    for row in (decision for decision in decisions if decision["counts_xg"]):
        name, kind = row["player"], str(MatchState.from_xgid(row["xgid"]).position.kind)
        for part in (kind,) if row["decision"] == "play" else (kind, "doubling"):
            before = kinds[name][part]
            kinds[name][part] = ErrorSummary(before.decisions + 1, before.error + row["error"])
    return kinds


def ranked(mine: dict[str, ErrorSummary], weights: dict[str, float]) -> list[tuple[str, str]]:
    """The two kinds with the greatest excess, in the plural, and the excess."""
    kinds = {kind: errors for kind, errors in mine.items() if kind != "doubling"}
    total, number = (sum(getattr(errors, name) for errors in kinds.values()) for name in ("error", "decisions"))
    share = total / sum(errors.decisions * weights.get(kind, 1) for kind, errors in kinds.items())
    excess = {kind: errors.error - share * errors.decisions * weights.get(kind, 1) for kind, errors in kinds.items()}
    excess["doubling"] = mine["doubling"].error - total / number * mine["doubling"].decisions
    known = (kind for kind in excess if kind != "other" and excess[kind] > 0 and mine[kind].decisions >= 20)
    worst = sorted(known, key=lambda kind: -excess[kind])[:2]
    return [(PLURALS.get(kind, f"{kind}s"), f"{excess[kind]:.2f}") for kind in worst]


def practiced(page: str) -> list[str]:
    return re.findall(r"points, ([\d.]+) more than", page)


class TestPractice:
    def test_is_where_more_is_lost_than_on_average(self, by_kind: dict[str, dict[str, ErrorSummary]]) -> None:
        for name, mine in by_kind.items():
            page, expected = report_to_html(XG, player=name), ranked(mine, {})
            assert practiced(page) == [excess for _, excess in expected]
            said = re.findall('<a href="#practice-0">Practice ([^<]*)\\.</a>', page)[0].split(", then ")
            assert re.findall(r"<h2>Practice [^:]*: ([^<]+)</h2>", page) == said
            assert all(told in {kind, *SIDES.get(kind, ())} for (kind, _), told in zip(expected, said, strict=True))
            rows = [row for row in to_table(XG).to_pylist() if row["player"] == name and row["counts_xg"]]
            worst = max(row["error"] for row in rows)
            assert f'<dt>Worst mistake</dt><dd><span class="loss">−{worst:.3f}</span></dd>' in page

    def test_of_what_others_lose_more_more_is_expected(
        self, by_kind: dict[str, dict[str, ErrorSummary]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If there are enough of them, by the same engine and level."""
        assert "others have a PR" not in report_to_html(XG)
        monkeypatch.setattr(report, "_ENOUGH", 1)
        for name, mine in by_kind.items():
            (others,) = (of_kind for other, of_kind in by_kind.items() if other != name)
            page = report_to_html(XG, player=name)
            expected = ranked(mine, {kind: errors.rate or 1 for kind, errors in others.items()})
            assert practiced(page) == [excess for _, excess in expected]
            known = {f"{errors.pr:.1f}" for errors in others.values() if errors.pr is not None}
            told = re.findall(r"others have a PR of ([\d.]+)\.<", page)
            assert told
            assert known.issuperset(told)

    def test_of_one_side_the_numbers_are_those_of_both(self) -> None:
        """And say so, since the title names the one on which most is lost."""
        page = report_to_html(XG, player="Kévin Unger")
        rate, _ = loaded(XG).error_rates()
        assert "Practice <span" in page.partition("attacking in blitzes</h2>")[0]
        assert f"{rate.kinds[PositionKind.BLITZ].decisions} decisions in blitzes with a PR of" in page

    def test_positions_are_asked_without_their_answers(self) -> None:
        """The worst of their kind which are not among the three above, and their descriptions do not tell arrows."""
        page = report_to_html(XG, player="Kévin Unger")
        _, first, second, solved = page.split("<h2>", 3)
        assert solved.split("<h2>")[0].count("<details open><summary>Answer") == 3
        known = re.findall("<code>([^<]+)", solved.split("<h2>")[0])
        for part, kind in (first, "blitz"), (second, "bear-in"):
            assert part.count("<details><summary>Answer") == part.count(f"<small>{kind} ·") == 3
            assert {*re.findall("<code>([^<]+)", part)}.isdisjoint(known)
        assert 'class="arrow made"' in second
        assert 'class="arrow"' in second
        assert "rrows: " not in page


@pytest.mark.parametrize(
    ("error", "words"), [(0.002, "World champion"), (0.00995, "Expert"), (0.024, "Advanced"), (0.1, "Distracted")]
)
def test_class(error: float, words: str) -> None:
    """That of the PR in the one decimal that the page shows: of 4.975, which is 5.0 there, the one from 5 on."""
    matches = [analyzed(number=number, error=error) for number in range(20)]
    page = report_to_html(matches, player="Ann")
    assert f"<dd>points lost in 500 decisions; {words}</dd>" in page
    assert "World class from 2.5, Expert from 5, Advanced from 7.5, " in page


def test_one_decision_has_no_interval() -> None:
    assert "<small>±" not in report_to_html(analyzed(), player="Ann")


@loop.over("path", [XG, GNUBG.with_name("money-beaver_0ply.sgf")])
def test_luck_is_that_of_both_players(path: Path) -> None:
    """What one player's dice gave is half of an answer."""
    match = loaded(path)
    for player, rate in zip(Player, match.error_rates(), strict=True):
        tile = report_to_html(match, player=match.players[player]).partition("<dt>Net luck</dt>")[2]
        net = f"{rate.luck_net:+.2f}".replace("-", "−")
        assert tile.startswith(f"<dd>{net}</dd><dd>points from the dice beyond the opponents'</dd>")


def test_chances_of_matches_are_not_told_as_those_of_money_play_too() -> None:
    match, money = analyzed(length=5, luck=0.25), analyzed(number=1, length=0, luck=0.25)
    for matches, times in ([match], 1), ([match, money], 0), ([money, match], 0), ([money], 0):
        assert report_to_html(matches, player="Ann").count("of a match") == times


def test_luck_of_one_player_alone_is_called_so() -> None:
    match = analyzed()
    (game,) = match.games
    lucky = attrs.evolve(game.analyses[1], luck=0.25)  # type: ignore[type-var, arg-type]
    longer = loads("999 point match\n Game 1\n Ann : 0  Bob : 0\n  1) 31: 24/23 6/3  62: 24/18 13/11").games[0]
    half = attrs.evolve(match, games=(attrs.evolve(longer, analyses=(None, lucky)),))
    page = report_to_html(half, player="Ann")
    assert "<dt>Own luck</dt><dd>+0.25</dd>" in page
    assert "<dt>Net luck</dt>" not in page


def test_one_match_has_no_course() -> None:
    """Nor opponents or scores; three matches have a line."""
    several = "PR over time", "Match by match", "By opponent", "Cube decisions by score"
    page = report_to_html(XG, player="Kévin Unger")
    assert not [title for title in several if title in page]
    assert re.findall('href="#([^"]*)', page) == re.findall('id="(practice-[^"]*)', page) == ["practice-0"]
    days = [(("EventDate", f"2020.0{at}.01"),) for at in (1, 2, 3)]
    page = report_to_html([analyzed(number=at, tags=day) for at, day in enumerate(days)], player="Ann")
    assert [title for title in several if title in page] == ["PR over time", "Match by match"]
    assert "<polyline" in page


def test_no_mistake() -> None:
    page = report_to_html(analyzed(error=0.0), player="Ann")
    assert '<p class="lead">No mistake was made.</p>' in page
    assert "The worst mistakes" not in page


def test_two_players_are_told_at_once() -> None:
    """More of them are folded below the table."""
    page = report_to_html(XG)
    assert "<h1><bdi>Kévin Unger</bdi> and <bdi>Maxence Job</bdi></h1>" in page
    assert page.count('<h2 id="player-') == 2
    assert re.findall('id="practice-([^"]*)', page) == re.findall('href="#practice-([^"]*)', page) == ["0", "1"]
    assert "<details><summary><bdi>" not in page
    page = report_to_html([analyzed(f"player {at}", f"Bob {at % 2}", number=at) for at in range(4)])
    assert "<h1><bdi>6 players</bdi></h1>" in page
    assert page.count('<h2 id="player-') == page.count("<details><summary><bdi>") == 6


def test_who_lost_by_one_side_is_told_so() -> None:
    """Of a kind with sides, and only if nearly all was lost by one of them, whose positions are asked."""
    decisions = to_table(XG).to_pandas().query("counts_xg == True")
    for name, mine in decisions.groupby("player"):
        page = report_to_html(XG, player=str(name))
        for kind, sides in kind_names.SIDES.items():
            of_kind = mine[(mine["position_kind"] == kind) & (mine["error"] > 0)]
            lost = [0.0, 0.0]
            for xgid, error in zip(of_kind["xgid"], of_kind["error"], strict=True):
                state = MatchState.from_xgid(xgid)
                side = is_mine(PositionKind(kind), board_in(state.view(state.to_act)))
                if side is not None:
                    lost[not side] += error
            told = [words for words in sides if f": {words}</h2>" in page]
            assert told == [] or lost[sides.index(told[0])] >= 2 / 3 * of_kind["error"].sum() - 1e-6


def test_a_board_is_asked_once_and_only_what_is_a_mistake() -> None:
    """What is solved is not asked before, as where there are few mistakes; what is too small to be one is nowhere."""
    for rule, least in ("xg", 0.02), ("gnubg", 0.03):
        decisions = to_table(GNUBG).to_pandas().query(f"counts_{rule} == True")
        for name, mine in decisions.groupby("player"):
            page = report_to_html(GNUBG, player=str(name), rule=rule)
            costs = [float(cost) for cost in re.findall(r'class="loss">([\d.]+)<', page)]
            assert len(costs) == sum(mine["error"] >= least)
            boards = re.findall(r"<code>(XGID=[^<]+)</code>", page)
            assert len(boards) == len({*boards}) == len(costs)


def test_what_is_answered_wrong_twice_is_asked_once() -> None:
    page = report_to_html([analyzed(error=0.1 + at / 100, number=at) for at in range(5)], player="Ann")
    assert re.findall(r'class="loss">([\d.]+)<', page) == ["0.140"]
    assert "Mistakes cost 0.60 points" in page


CUBES = """7 point match
 Game 1
 Ann : 2                       Bob : 1
  1) 31: 8/5 6/5                62: 24/18 13/11
  2)  Doubles => 2               Takes
"""


@loop.rows(
    ("no_double", "take", "name", "words"),
    (1.25, 1.5, "Ann", ("Double or roll?", "2-1 to 7 · pips 163-159", "too good to double", "too good, drop")),
    (0.5, 0.25, "Ann", ("Double or roll?", "2-1 to 7 · pips 163-159", "no double", "no double, take")),
    (1.25, 1.5, "Bob", ("Take or drop?", "1-2 to 7 · pips 159-163", "drop", "too good, drop")),
    (0.5, 1.5, "Bob", ("Take or drop?", "1-2 to 7 · pips 159-163", "drop", "double, drop")),
)
def test_cubes_in_the_words_of_players(no_double: float, take: float, name: str, words: tuple[str, ...]) -> None:
    """With the score and the pips of the report's player first."""
    match = loads(CUBES)
    (game,), doubled = match.games, next(each for each in match.decisions() if each.kind == "answer")
    analysis = CubeAnalysis(no_double, take, engine="engine", level="2-ply")
    analyses = [analysis if index in {doubled.index - 1, doubled.index} else None for index in range(len(game.events))]
    judged = attrs.evolve(match, games=(attrs.evolve(game, analyses=tuple(analyses)),))
    page = report_to_html(judged, player=name)
    question, where, best, verdict = words
    assert f"<b>{question}</b> <small>" in page
    assert where in page
    assert f'<p class="best">{best} <small>best' in page
    assert f"Best: {verdict} ·" in page
    assert f"best: {best}<" in to_html(judged)
