"""The referee: each kind of finding on records made from a real one, and on matches built in a program."""

from __future__ import annotations

from pathlib import Path

import pytest

from gammonrules.match import Action, Event, MatchState, Player
from gammonrules.position import Position, Win
from gammonrules.records import (
    Finding,
    Game,
    Kind,
    Match,
    SetPosition,
    Severity,
    Stated,
    loads,
    referee,
)

MATCHES = Path(__file__).parent / "data" / "matches"
REAL = (MATCHES / "galaxy/match1728321.txt").read_text(encoding="utf-8").replace("Wins 3 point and", "Wins 1 point and")
CLEAN = (MATCHES / "galaxy/match1033650.txt").read_text(encoding="utf-8")


def changed(old: str, new: str, text: str = CLEAN) -> tuple[Finding, ...]:
    """What the referee says when one place of a clean record is another."""
    assert text.count(old) >= 1, old
    return referee(loads(text.replace(old, new, 1)))


def test_clean() -> None:
    assert referee(loads(CLEAN)) == ()


@pytest.mark.parametrize(
    ("old", "new", "kind", "severity", "game", "row"),
    [
        ("61: 13/7 8/7\n", "61: 13/7 8/6\n", Kind.ILLEGAL_PLAY, Severity.ERROR, 1, 1),
        ("61: 13/7 8/7\n", "61: 13/7 blah\n", Kind.UNREADABLE_LINE, Severity.ERROR, 1, 1),
        ("61: 13/7 8/7\n", "66: 13/7 13/7\n", Kind.ILLEGAL_ACTION, Severity.ERROR, 1, 1),
        ("61: 13/7 8/7\n", "67: 13/7 8/7\n", Kind.ILLEGAL_ACTION, Severity.ERROR, 1, 1),
        ("61: 13/7 8/7\n", "61:\n", Kind.HIDDEN_PLAY, Severity.WARNING, 1, 1),
        ("61: 13/7 8/7\n", "61: Cannot Move\n", Kind.ILLEGAL_PLAY, Severity.ERROR, 1, 1),
        ("  2) 61: 13/7 8/7 ", "  2)  Takes        ", Kind.ILLEGAL_ACTION, Severity.ERROR, 1, 2),
        (" 24)  Doubles => 2", " 24)  Doubles => 4", Kind.ILLEGAL_ACTION, Severity.ERROR, 1, 24),
        ("  3) 52: 24/22 22/17   ", "  1) 52: 24/22 22/17   ", Kind.REPEATED_ROW_NUMBER, Severity.INFO, 1, 1),
        ("Wins 1 point\n", "Wins 4 point\n", Kind.POINTS_MISMATCH, Severity.WARNING, 1, None),
        ("      Wins 1 point\n", " " * 34 + "Wins 1 point\n", Kind.POINTS_MISMATCH, Severity.WARNING, 1, None),
        ("Wins 1 point\n", "Wins 1 point and the match\n", Kind.AND_THE_MATCH, Severity.INFO, 1, None),
        (" lasse : 0 ", " : 0 ", Kind.NO_SCORE_LINE, Severity.INFO, 1, None),
        ("\n  2) 61:", "\n\x1b]0;title\x07\n  2) 61:", Kind.UNREADABLE_LINE, Severity.ERROR, 1, None),
        (" lasse : 1 ", " lasse : 3 ", Kind.SCORE_DOES_NOT_FOLLOW, Severity.ERROR, 2, None),
    ],
)
def test_one_change(old: str, new: str, kind: Kind, severity: Severity, game: int, row: int | None) -> None:
    first = changed(old, new)[0]
    assert (first.kind, first.severity, first.game, first.row) == (kind, severity, game, row)
    assert first.text
    assert first.explanation


def test_the_other_games_are_still_replayed() -> None:
    match = loads(CLEAN.replace("61: 13/7 8/7\n", "61: 13/7 8/6\n", 1))
    assert match.games[0].cut
    assert [game.cut for game in match.games[1:]] == [False] * 6
    assert match.rolls == 279
    assert match.score == loads(CLEAN).score


def test_forced_play_is_found() -> None:
    """A hidden play is known where only one is legal."""
    text = "7 point match\n Game 1\n Ann : 0                         Bob : 0\n; Set Pos={}/0\n  1) {}   {}\n"
    board = "a" + "-" * 23 + "A" + "-"
    hidden = referee(loads(text.format(board, "61:", "61: 24/18 18/17")))
    claimed = referee(loads(text.format(board, "61: Cannot Move", "61: 24/18 18/17")))
    assert Kind.HIDDEN_PLAY in {finding.kind for finding in hidden}
    assert Kind.ILLEGAL_PLAY in {finding.kind for finding in claimed}


class TestBuiltMatches:
    """Nothing was read: the events alone show what is wrong."""

    START = MatchState.new(3)
    OPENING = Event(Action.OPENING_ROLL, None, (3, 1))

    def findings(self, *events: Event | SetPosition, stated: Stated | None = None) -> tuple[Finding, ...]:
        return referee(Match(("Ann", "Bob"), 3, (Game(1, self.START, events, stated=stated),)))

    def test_clean(self) -> None:
        assert self.findings(self.OPENING, Event(Action.PLAY, Player.WHITE, "8/5 6/5")) == ()

    def test_illegal_play(self) -> None:
        (finding,) = self.findings(self.OPENING, Event(Action.PLAY, None, "8/5 6/4"))
        assert (finding.kind, finding.row, finding.text) == (Kind.ILLEGAL_PLAY, None, "play 8/5 6/4")

    def test_illegal_action(self) -> None:
        (finding,) = self.findings(self.OPENING, Event(Action.DOUBLE, None))
        assert (finding.kind, finding.text) == (Kind.ILLEGAL_ACTION, "double")

    def test_impossible_position(self) -> None:
        over = Position.of(mine={1: 1}, theirs={"off": 15})
        (finding,) = self.findings(self.OPENING, SetPosition(over, Player.BLACK))
        assert (finding.kind, finding.text) == (Kind.ILLEGAL_ACTION, "position set by hand")

    def test_resignation(self) -> None:
        resigned = (self.OPENING, Event(Action.RESIGN, Player.BLACK, Win.GAMMON), Event(Action.ACCEPT))
        assert self.findings(*resigned, stated=Stated(Player.WHITE, 2)) == ()
        assert self.findings(*resigned, stated=Stated(None, None)) == ()
        (odd,) = self.findings(*resigned, stated=Stated(Player.WHITE, 1))
        assert odd.kind is Kind.RESIGN_ODD_VALUE

    def test_capped(self) -> None:
        events = (self.OPENING, Event(Action.RESIGN, Player.BLACK, Win.GAMMON), Event(Action.ACCEPT))
        game = Game(1, MatchState.new(3, score=(2, 0)), events, stated=Stated(Player.WHITE, 1, and_the_match=True))
        (finding,) = referee(Match(("Ann", "Bob"), 3, (game,)))
        assert (finding.kind, finding.explanation) == (
            Kind.CAPPED_POINTS,
            "2 points were won, of which 1 were still needed",
        )

    def test_scores(self) -> None:
        ended = (self.OPENING, Event(Action.RESIGN, Player.BLACK, Win.SINGLE), Event(Action.ACCEPT))
        first = Game(1, self.START, ended)
        good, bad = (Game(2, MatchState.new(3, score=score)) for score in ((1, 0), (0, 1)))
        assert referee(Match(("Ann", "Bob"), 3, (first, good))) == ()
        (finding,) = referee(Match(("Ann", "Bob"), 3, (first, bad)))
        assert (finding.kind, finding.game) == (Kind.SCORE_DOES_NOT_FOLLOW, 2)

    def test_score_of_a_game_that_breaks_the_rules(self) -> None:
        game = Game(1, self.START, (Event(Action.PLAY, None, "8/5"),), stated=Stated(Player.BLACK, 2))
        assert Match(("Ann", "Bob"), 3, (game,)).score == (0, 2)

    def test_nothing_is_stated_about_the_winner(self) -> None:
        assert self.findings(self.OPENING, stated=Stated(None, 2)) == ()

    def test_no_games(self) -> None:
        assert referee(Match(("Ann", "Bob"), 3)) == ()
