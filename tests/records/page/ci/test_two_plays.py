"""Where a play was not the best one, both are drawn alike everywhere: the best one in full, the other one dashed.

A move that is in both has one arrow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

import gammonrules
from gammonrules import MatchState, Player, draw
from gammonrules.records import Decision, load, openings_to_html, report_to_html, rows_to_html, to_html, to_table

ROOT = Path(__file__).parents[4]
MATCH = ROOT / "examples" / "matches" / "xg" / "test.xg"
PAGES = Path(gammonrules.__file__).parent / "records" / "page"
ARROW = re.compile(r'<path d="[^"]*" ([^>]*?class="arrow[^"]*"[^>]*)/>')
OWN = re.compile(r' data-[a-z]+="[^"]*"')
"""What each arrow has for itself."""
OPENING = {"opening_dice": "", "opening": "", "dice": "21", "action": "24/21", "games": 3, "judged": 3, "cost": 0.03}
NUMBERS = dict.fromkeys(("won", "game_points", "match_won", "error"), 0.5)


def looks(drawn: str) -> set[str]:
    """How arrows look, but for where they are."""
    return {OWN.sub("", look) for look in ARROW.findall(drawn)}


def worst() -> Decision:
    return max((each for each in load(MATCH).decisions() if each.kind == "play"), key=lambda each: each.error or 0)


def of_match(page: str) -> str:
    """The lines of its pictures."""
    text = re.findall(r'<script type="application/json" id="data">(.*)</script>', page)[0]
    data = json.loads(text)
    return "\n".join(" ".join(data["words"][word] for word in line) for line in data["lines"])


def drawn() -> Iterator[tuple[str, str]]:
    rows = [row for row in to_table(MATCH).to_pylist() if row["decision"] == "play" and (row["error"] or 0) > 0.02]
    yield "report", report_to_html(MATCH)
    yield "find", rows_to_html(rows)
    opening = OPENING | NUMBERS | {"best": "13/11 6/5", "engine": "an engine", "level": ""}
    yield "openings", openings_to_html([opening])
    yield "match", of_match(to_html(attrs.evolve(load(MATCH), games=load(MATCH).games[-1:])))
    yield "notebook", worst()._repr_html_().replace("gammonrules light", "gammonrules auto")


def test_arrows() -> None:
    auto = draw.BoardStyle(theme="auto")
    apart, with_both = (
        looks(draw.svg.position(worst().state.position, arrows=f"24/23{both}", made=f"13/12{both}", style=auto))
        for both in ("", " 6/5")
    )
    assert (len(apart), len(with_both)) == (2, 3)
    for name, text in drawn():
        assert apart <= looks(text) <= with_both, name


def test_what_cannot_be_drawn_is_left_out() -> None:
    """A row without a board has its words, and one whose best play is none the arrows of the other."""
    row = next(row for row in to_table(MATCH).to_pylist() if row["decision"] == "play" and (row["error"] or 0) > 0.02)
    without, other = rows_to_html([row | {"xgid": "bad"}]), rows_to_html([row | {"best": "nonsense"}])
    assert "<svg" not in without
    assert row["player"] in without
    assert "pips" not in without
    assert {"arrow made" in look for look in looks(other)} == {False}
    assert "nonsense" in other
    assert rows_to_html([dict.fromkeys(row)]).count("<article") == 1


def test_who_is_asked_has_the_light_checkers_at_the_bottom() -> None:
    """In each question, also for who answers a double."""
    asked: set[tuple[str, Player]] = set()
    for row in to_table(MATCH).to_pylist():
        state = MatchState.from_xgid(row["xgid"])
        assert state.to_act is not None
        asked.add((row["decision"], state.to_act))
        page = rows_to_html([row | {"error": None}])
        light = state if state.to_act is Player.WHITE else state.swap_players()
        view = state.view(state.to_act)
        assert f"Light: <bdi>{row['player']}</bdi>" in page
        assert f"{view.pip_count} pips<br>Dark: <bdi>{row['opponent']}</bdi>" in page
        made = row["action"] if row["decision"] == "play" else None
        names = row["player"], row["opponent"]
        labels = {"arrows": "", "made": ""}
        style = draw.BoardStyle(theme="auto", header=False, footer=False, numbers="fixed")
        assert draw.svg.match_state(light, names=names, labels=labels, arrows=made, made=made, style=style) in page
    assert {(kind, player) for kind in ("play", "double", "answer") for player in Player} <= asked


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_have_the_colors_of_arrows(theme: str) -> None:
    light, dark = (PAGES / "base.css").read_text(encoding="utf-8").split("prefers-color-scheme: dark")
    css, colors = (light if theme == "light" else dark), draw.THEMES[theme]
    assert re.findall(r"--(?:error|best): (\S+);", css) == [colors.made, colors.arrow]
