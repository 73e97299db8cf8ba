"""What a report tells first: tiles, a sentence, the worst mistakes, and what to practice."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import attrs
import pytest

from gammonrules.match import MatchState
from gammonrules.records import Candidate, Errors, Match, PlayAnalysis, loads, report_to_html, to_table
from gammonrules.records.page import report as report_page
from real_records import loaded

XG = Path(__file__).parents[3] / "examples" / "matches" / "xg" / "test.xg"
PLURALS = {"blitz": "blitzes", "prime against prime": "priming battles", "containment": "containment games"}


def played(error: float, name: str = "Ann", number: int = 0, **fields: Any) -> Match:
    """A match of one opening play, which cost this much."""
    match = loads(f"999 point match\n Game 1\n Ann : {number}  Bob : 0\n  1) 31: 24/23 6/3")
    (game,), legal = match.games, next(match.decisions()).state.legal_plays
    worth = (legal.find("8/5 6/5"), 0.1), (legal.find("24/23 6/3"), 0.1 - error)
    candidates = tuple(Candidate(str(play), play.position, equity, level="2-ply") for play, equity in worth)
    games = (attrs.evolve(game, analyses=(None, PlayAnalysis(candidates, 1, engine="engine"))),)
    return attrs.evolve(match, players=(name, "Bob"), games=games, **fields)


@pytest.fixture(scope="module")
def by_kind() -> dict[str, dict[str, Errors]]:
    """What each player of that match lost in each kind of position, from the table of decisions."""
    decisions = to_table(XG).to_pandas()
    kinds: dict[str, dict[str, Errors]] = defaultdict(lambda: defaultdict(Errors))
    for row in decisions[decisions["counts_xg"] == True].to_dict("records"):  # noqa: E712  it may be null
        name, kind = row["player"], str(MatchState.from_xgid(row["xgid"]).position.kind)
        before = kinds[name][kind]
        kinds[name][kind] = Errors(before.decisions + 1, before.error + row["error"])
    return kinds


def ranked(mine: dict[str, Errors], weights: dict[str, float]) -> list[tuple[str, str]]:
    """The two kinds with the greatest excess, in the plural, and the excess."""
    total = sum(errors.error for errors in mine.values())
    share = total / sum(errors.decisions * weights.get(kind, 1) for kind, errors in mine.items())
    excess = {kind: errors.error - share * errors.decisions * weights.get(kind, 1) for kind, errors in mine.items()}
    worst = sorted((kind for kind in excess if kind != "other"), key=lambda kind: -excess[kind])[:2]
    return [(PLURALS.get(kind, f"{kind}s"), f"{excess[kind]:.2f}") for kind in worst]


def practiced(page: str) -> list[tuple[str, str]]:
    found = re.findall(r"<h3>([^<]+)</h3>\n<p>[^<]* points, ([\d.]+) more than", page)
    return [(kind.lower(), excess) for kind, excess in found]


class TestPractice:
    def test_is_where_more_is_lost_than_on_average(self, by_kind: dict[str, dict[str, Errors]]) -> None:
        for name, mine in by_kind.items():
            page, expected = report_to_html(XG, player=name), ranked(mine, {})
            assert practiced(page) == expected
            advice = f"Practice {', then '.join(kind for kind, _ in expected)}."
            assert f'"><a href="#practice-0"><b>{advice}</b></a> Checker play cost ' in page
            assert f"<dt>Worst kind</dt><dd>{expected[0][0].capitalize()}</dd>" in page

    def test_of_what_others_lose_more_more_is_expected(
        self, by_kind: dict[str, dict[str, Errors]], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """If there are enough of them, by the same engine and level."""
        assert "others have a PR" not in report_to_html(XG)
        monkeypatch.setattr(report_page, "_ENOUGH", 1)
        for name, mine in by_kind.items():
            (others,) = (of_kind for other, of_kind in by_kind.items() if other != name)
            page = report_to_html(XG, player=name)
            assert practiced(page) == ranked(mine, {kind: errors.rate or 1 for kind, errors in others.items()})
            known = {f"{errors.pr:.1f}" for errors in others.values() if errors.pr is not None}
            told = re.findall(r"others have a PR of ([\d.]+)\.<", page)
            assert told
            assert known.issuperset(told)

    def test_positions_are_asked_without_their_answers(self) -> None:
        """The worst of their kind which are not among the three above, and their descriptions do not tell arrows."""
        page = report_to_html(XG, player="Kévin Unger")
        first, second = page.split("What to practice</span>: try these</h2>")[1].split("<h2>")[0].split("<h3>")[1:]
        above = page.split("What to practice</span>: try these</h2>")[0]
        assert above.count("<details open><summary>Answer") == above.count("<article") == 3
        for part, kind in (first, "blitz"), (second, "bear-in"):
            assert part.count("<details><summary>Answer") == part.count(f"<small>{kind} ·") == 3
            assert {*re.findall("<code>([^<]+)", part)}.isdisjoint(re.findall("<code>([^<]+)", above))
        assert 'class="arrow made"' in second
        assert 'class="arrow"' in second
        assert "rrows: " not in page


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (0.002, "World champion, as eXtreme Gammon calls 0 to 2.5"),
        (0.006, "World class, as eXtreme Gammon calls 2.5 to 5"),
        (0.024, "Advanced, as eXtreme Gammon calls 7.5 to 12.5"),
        (0.03, "Intermediate, as eXtreme Gammon calls 12.5 to 17.5"),
        (0.1, "Distracted, as eXtreme Gammon calls 30 or more"),
    ],
)
def test_class(error: float, words: str) -> None:
    assert f"<dd>{words}</dd>" in report_to_html(played(error), player="Ann")


def test_how_far_the_pr_may_be_off() -> None:
    """By the standard error of what decisions cost, as the how-to has it."""
    decisions = to_table(XG).to_pandas().query("counts_xg == True").groupby("player")["error"]
    for name, off in (500 * decisions.sem()).items():
        assert f"<small>± {off:.1f}</small>" in report_to_html(XG, player=str(name))
    assert "±" not in report_to_html(played(0.1), player="Ann")


def test_one_match_has_no_course() -> None:
    """Nor months, opponents or scores; three matches have a line."""
    several = "PR over time", "Match by match", "Month by month", "By opponent", "Cube decisions by score"
    page = report_to_html(XG, player="Kévin Unger")
    assert not [title for title in several if title in page]
    assert re.findall('href="#([^"]*)', page) == re.findall('id="(practice-[^"]*)', page) == ["practice-0"]
    days = [(("EventDate", f"2020.0{at}.01"),) for at in (1, 2, 3)]
    page = report_to_html([played(0.1, number=at, tags=day) for at, day in enumerate(days)], player="Ann")
    assert [title for title in several if title in page] == ["PR over time", "Match by match", "Month by month"]
    assert "<polyline" in page


def test_no_mistake() -> None:
    page = report_to_html(played(0.0), player="Ann")
    assert '<p class="lead" data-player="Ann">No mistake was made.</p>' in page
    assert "The worst mistakes" not in page


def test_two_players_are_told_at_once() -> None:
    """More of them are folded below the table."""
    page = report_to_html(XG)
    assert "<h1><bdi>Kévin Unger</bdi> and <bdi>Maxence Job</bdi></h1>" in page
    assert page.count('<h2 id="player-') == 2
    assert re.findall('id="practice-([^"]*)', page) == re.findall('href="#practice-([^"]*)', page) == ["0", "1"]
    assert "<details><summary><bdi>" not in page
    page = report_to_html([played(0.1, f"player {at}", at) for at in range(3)])
    assert "<h1><bdi>4 players</bdi></h1>" in page
    assert page.count('<h2 id="player-') == page.count("<details><summary><bdi>") == 4


def test_long_names_and_names_from_right_to_left() -> None:
    for name in "x" * 200, "שלום <b>עולם</b>":
        page = report_to_html(attrs.evolve(loaded(XG), players=(name, "Bob")), player=name)
        assert "<b>עולם" not in page
        assert page.count("<h1><bdi>") == 1
