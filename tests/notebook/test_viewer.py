"""`Viewer` without a browser: what travels, what a page sends, and matches of every kind."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import loop
from gammonrules import ArgumentError, Event, GammonError, MatchState, Player, Rules, draw, notebook, records
from gammonrules.engine import SimpleEngine
from gammonrules.records import Game, Match
from shown import Shown

ROOT = Path(__file__).resolve().parents[2]
HYPERGAMMON = Rules(start="hypergammon")
XG = ROOT / "examples/matches/xg/test.xg"


class Viewer(Shown, notebook.Viewer):
    """With the page that shows it."""

    def read(self, item: Any) -> Any:
        """The item, with the strings that its numbers stand for."""
        return [*map(self.read, item)] if isinstance(item, list) else self._data["strings"][item]


def opening(*names: str, note: str | None = None, action: str = "8/5 6/5") -> Match:
    events = Event("opening_roll", argument=(3, 1)), Event("play", argument=action)
    notes = (None, note) if note else ()
    return Match((names or ("Ann", "Bob"))[:2], 7, (Game(1, MatchState.new(7), events, notes=notes),))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def match() -> Match:
    return records.load(XG)


def test_what_the_page_is_told(match: Match) -> None:
    """The state and the play of each decision, the panel, and the mistakes by what they cost."""
    viewer, decisions = Viewer(match), [*match.decisions()]
    told = viewer.read(viewer._data["decisions"])
    assert [entry[0] for entry in told] == [decision.state.xgid for decision in decisions]
    errors = [decision.error or 0 for decision in decisions]
    assert viewer._data["mistakes"] == sorted(
        (at for at, error in enumerate(errors) if error >= 0.02), key=lambda at: -errors[at]
    )
    *where, name, did, title, rows, chosen, remarks = told[viewer._data["mistakes"][0]]
    assert (where[1:], name, did, title) == ([15, "Game 7, 5-4", 21], "Maxence Job", "32: 9/4 (0.349)", "Plays")
    assert ([row.split("\t")[0] for row in rows[:3]], chosen) == (["Play", "1. 6/3*/1*", "2. 9/4"], [1])
    assert "Error: 0.349" in remarks
    assert "Kévin Unger: PR 7.79, 162 decisions, 25 errors, 14 blunders, by eXtreme Gammon" in viewer._data["remark"]
    assert viewer._data["remark"].endswith("\n546 decisions")
    assert len(json.dumps(viewer.get_state(), ensure_ascii=False, default=str).encode()) < 240_000


def test_the_decision_is_what_the_page_shows(match: Match) -> None:
    viewer, decisions = Viewer(match), [*match.decisions()]
    assert viewer.decision == decisions[0]
    viewer.decision = decisions[7]
    assert (viewer.decision, viewer._at) == (decisions[7], [7, ""])
    viewer.heard({"at": 9, "page": "0.5"})
    assert (viewer.decision, viewer._at) == (decisions[9], [9, "0.5"])
    picture = draw.svg.match_state(
        decisions[9], bottom=Player.WHITE, names=match.players, style=draw.BoardStyle(size=628)
    )
    assert viewer._bundle()["text/html"].count(picture) == 1
    assert repr(viewer) == "<Viewer of Kévin Unger 7-4 Maxence Job, to 7, 7 games>"


def test_the_decision_tells_who_observes_it(match: Match) -> None:
    """Whether a program or a page has gone on; what an observer raises keeps nobody from seeing it."""
    viewer, seen, decisions = Viewer(match), list[Any](), [*match.decisions()]

    def wrong(change: Any) -> None:
        raise ZeroDivisionError

    assert viewer.xgid == decisions[0].state.xgid
    viewer.observe(wrong, names="xgid")
    viewer.observe(lambda change: seen.append((change.new, viewer.xgid)), names="decision")
    with pytest.raises(ZeroDivisionError):
        viewer.decision = decisions[7]
    with pytest.raises(ZeroDivisionError):
        viewer.heard({"at": 9, "page": "0.5"})
    assert seen == [(decision, decision.state.xgid) for decision in (decisions[7], decisions[9])]
    assert viewer.told == [{}]


def test_a_decision_of_another_match_is_refused(match: Match) -> None:
    viewer = Viewer(match)
    (other,) = opening().decisions()
    for value in (other, None, 3):
        with pytest.raises(ArgumentError, match=r"^decision must be one of the match that is shown, not "):
            viewer.decision = value  # type: ignore[assignment]


@loop.rows(
    "message",
    {},
    {"at": -1, "page": "a"},
    {"at": 1, "page": "a"},
    {"at": 0.0, "page": "a"},
    {"at": [0], "page": "a"},
    {"at": 0, "page": 5},
    {"at": 0, "page": "a" * 40},
    {"at": None, "page": "a", "again": True},
)
def test_what_no_page_sends(message: object) -> None:
    """It changes nothing and is answered, and no error comes of it."""
    viewer = Viewer(opening())
    viewer.heard(message)
    assert (viewer.told, viewer._at) == ([{}], [0, ""])


def test_no_page_sets_attributes(match: Match) -> None:
    viewer = Viewer(match)
    state = {"_at": [5, ""], "_data": {}, "xgid": "stolen", "decision": 5}
    viewer.comm.handle_msg(
        {"content": {"data": {"method": "update", "state": state, "buffer_paths": []}}, "buffers": []}
    )
    viewer.set_state(state)
    assert (viewer._at, viewer.xgid) == ([0, ""], viewer.decision.state.xgid)
    assert viewer._data["decisions"]


def test_another_try(match: Match) -> None:
    """A board with the state before the decision; the next one begins on the same board."""
    viewer = Viewer(match)
    decisions = [*match.decisions()]
    for at in (506, 113):
        viewer.heard({"at": at, "page": "a", "again": True})
        assert viewer.told[-1] == {"again": viewer._board.model_id, "at": at}
        assert (viewer.decision, viewer._board.state) == (decisions[at], decisions[at].state)
    viewer.close()
    assert viewer._board.comm is None


def test_another_try_against_an_engine(match: Match) -> None:
    """Who decides is White, and bgsage answers."""
    pytest.importorskip("bgsage", reason="bgsage is not installed")
    with SimpleEngine.bgsage() as bgsage:
        viewer = Viewer(match, engine=bgsage)
        viewer.heard({"at": 506, "page": "a", "again": True})
        decision = viewer.decision
        assert decision is not None
        assert decision.player is Player.BLACK
        state = viewer._board.state
        assert (state.to_act, state) == (Player.WHITE, decision.state.swap_players())
        viewer._board._receive({"number": viewer._board._state_number, "do": "play", "argument": "9/4"})
        assert [event.by for event in viewer._board.events][:2] == [Player.WHITE, Player.BLACK]


# --- matches of every kind --------------------------------------------------------------------------------------------


def test_texts_of_a_match_are_texts() -> None:
    """Names and remarks with HTML come as they are, for `textContent`; the still picture escapes them."""
    script = "<script>alert(1)</script>"
    viewer = Viewer(opening(script, "<img src=x onerror=alert(2)>", note=f"</p>{script}"))
    ((*_, name, _, _, _, _, remarks),) = viewer.read(viewer._data["decisions"])
    assert (name, remarks.strip()) == (script, f"</p>{script}")
    assert not re.search(r"<(script|img)", viewer._bundle()["text/html"])


def test_long_and_strange_remarks_are_cut() -> None:
    viewer = Viewer(opening(note="\x00\u202e" + 5_000 * "a"))
    ((*_, remarks),) = viewer.read(viewer._data["decisions"])
    assert remarks.strip() == "\ufffd\ufffd" + 998 * "a" + "…"


def test_an_empty_match() -> None:
    for match in (Match(("", ""), 7, ()), Match(("Ann", "Bob"), None, (Game(1, MatchState.new(None)),))):
        viewer = Viewer(match)
        assert (viewer.decision, viewer._data["decisions"], viewer._data["mistakes"]) == (None, [], [])
        assert viewer._data["remark"].endswith("\n0 decisions")
        assert "This match has no decisions." in viewer._bundle()["text/html"]
        viewer.heard({"at": 0, "page": "a", "again": True})
        assert viewer.told == [{}]


def test_a_match_that_breaks_the_rules() -> None:
    with pytest.raises(GammonError):
        Viewer(opening(action="8/2"))


def test_hypergammon() -> None:
    """The page is told that each side has three checkers."""
    state = MatchState.new(5, rules=HYPERGAMMON).opening_roll(white=6, black=5)
    events = Event("opening_roll", argument=(6, 5)), Event("play", argument=state.legal_plays[0])
    viewer = Viewer(
        Match(("Ann", "Bob"), 5, (Game(1, MatchState.new(5, rules=HYPERGAMMON), events),), rules=HYPERGAMMON)
    )
    ((xgid, checkers, *_),) = viewer.read(viewer._data["decisions"])
    assert (xgid, checkers) == (state.xgid, 3)


def test_a_long_match_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    match = records.load(XG)
    monkeypatch.setattr("gammonrules.notebook._viewer.MAX_DECISIONS", 10)
    viewer = Viewer(match)
    assert len(viewer._data["decisions"]) == 10
    assert viewer._data["remark"].endswith("\n546 decisions, of which 10 are shown")
    with pytest.raises(ArgumentError):
        viewer.decision = [*match.decisions()][10]


def test_what_is_no_match_is_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^match must be a Match, not "):
        Viewer("match.xg")  # type: ignore[arg-type]
