"""Plays that match text does not show: made where nothing else can have been played, and never guessed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

import loop
from gammonrules import Dice, RecordEvent
from gammonrules.match import Action, End, Event, MatchState, Player
from gammonrules.records import Finding, FindingKind, Match, Severity, dumps, load, loads, referee

MATCHES = Path(__file__).parents[2] / "data" / "matches"
FILES = ("galaxy/match1247261.txt", "galaxy/match1728321.txt", "galaxy/match8574420.txt")
DANCE = re.compile(r"([0-9]{2}:)(?: {12}(?= )|$)", re.MULTILINE)
PLAY = re.compile(r"(?<=[0-9]{2}:)(?: [0-9]+/[0-9]+\*?)+")


@cache
def canonical(file: str) -> tuple[str, Match, tuple[re.Match[str], ...]]:
    """A record as text and as a match, and where its plays stand. An empty cell may hide a play, so none is left."""
    text = DANCE.sub(r"\1 Cannot Move", dumps(load(MATCHES / file)))
    return text, loads(text), tuple(PLAY.finditer(text))


def without(text: str, play: re.Match[str], mark: str = "????") -> str:
    """The text with a play replaced by a mark, so that nothing else moves."""
    return text[: play.start()] + f" {mark}".ljust(len(play[0])) + text[play.end() :]


def about_hidden(match: Match) -> list[Finding]:
    return [finding for finding in referee(match) if finding.kind is FindingKind.HIDDEN_PLAY]


def is_shown(event: RecordEvent) -> bool:
    """Whether it is a play that has moves."""
    return isinstance(event, Event) and event.action is Action.PLAY and event.argument != "no play"


START = "7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"


class TestInMidGame:
    """Of several legal plays none is chosen, whatever follows."""

    @settings(max_examples=20)
    @given(st.data())
    def test_the_only_legal_play_is_made_and_no_other(self, data: st.DataObject) -> None:
        text, match, plays = canonical(FILES[0])
        number = data.draw(st.integers(0, len(plays) - 1))
        made = [(game, index) for game in match.games for index, event in enumerate(game.events) if is_shown(event)]
        game, index = made[number]
        again = loads(without(text, plays[number])).games[match.games.index(game)]
        legal = len([*game.states()][index].legal_plays)
        later = [event for event in game.events[index + 1 :] if isinstance(event, Event)]
        if any(event.by is game.events[index].by for event in later):  # else the stated end may be that of the game
            assert again.events[index:] == (game.events[index:] if legal == 1 else ())
            assert again.cut is (legal > 1)

    @loop.rows("text", "", "????", "???")
    def test_several_are_legal(self, text: str) -> None:
        """After no other play are there checkers on 18 and 11, but the rest of the game is not tried."""
        match = loads(
            START + f"  1) 31: 8/5 6/5                 62: {text}\n  2) 41: 24/20 6/5               21: 18/16 11/10\n"
        )
        (finding,) = about_hidden(match)
        legal = len(MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").roll("62").legal_plays)
        note = f"the play is not shown, and {legal} are legal; the rest of this game is not replayed"
        assert (finding.severity, finding.explanation) == (Severity.WARNING, note)
        assert (match.games[0].cut, len(match.games[0].events)) == (True, 3)

    def test_the_only_legal_play(self) -> None:
        board = "; Set Pos=aBBBBB------B-----B-----c-/0\n"
        match = loads(START + board + "  1) 21: 18/15                   66: ????\n  2) 21: 15/12\n")
        assert match.games[0].events[4].argument == "bar/19"
        assert "is the only legal one" in referee(match)[0].explanation

    def test_a_play_that_cannot_be_read_is_an_error(self) -> None:
        match = loads(START + "  1) 31: 8/5 6/5                 62: 13/7 8/\n  2) 41: 24/20 6/5\n")
        (finding,) = [finding for finding in referee(match) if finding.kind is FindingKind.UNREADABLE_LINE]
        assert (finding.severity, match.games[0].cut) == (Severity.ERROR, True)


class TestLeftOutAtTheEnd:
    """One player's last plays are left out: the record says who won how much, so the game ends there."""

    ROWS = (
        "  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
        "  2) 51: 13/8 6/5                41:\n"
        "  3) 64: 24/14                   51:\n"
        "  4) 43: 14/7                    62:\n"
    )
    NEXT = " Game 2\n Ann : 1                         Bob : 0\n  1) 31: 8/5 6/5                 62: 24/18 13/11\n"
    WON = "      Wins 1 point\n"
    LAST = "the last play of this player is not shown"
    LATER = "the play is not shown, nor is any later one of this player"

    @loop.rows("mark", "", "????", "???")
    @pytest.mark.parametrize("end", [WON, WON + NEXT, NEXT], ids=["words", "both", "score"])
    def test_the_stated_end_is_the_end(self, end: str, mark: str) -> None:
        rows = re.sub("(?m)(41|51|62):$", rf"\1: {mark}", self.ROWS)
        match = loads(START + rows + end)
        game = match.games[0]
        (finding,) = [finding for finding in about_hidden(match) if finding.severity is Severity.WARNING]
        assert (finding.row, finding.game, finding.line) == (2, 1, 6)
        assert finding.explanation == (
            "the play is not shown, nor is any later one of this player; the game ends here, as the record states it, "
            "and 4 rolls and 2 plays after it are left out"
        )
        assert (game.cut, game.winner, game.result.points, game.result.end) == (False, Player.WHITE, 1, End.RESIGNED)
        assert [event.action for event in game.events[-3:]] == [Action.ROLL, Action.RESIGN, Action.ACCEPT]
        assert game.events[-3].argument == Dice(4, 1)
        assert all(loads(dumps(match, form)).games == match.games for form in ("mat", "sgf", "ogxm", "json"))

    @loop.rows(
        ("old", "new"),
        ("51:\n", "51: 24/18\n"),  # a later play
        ("62:\n", " Doubles => 2\n"),
        ("      Wins 1 point\n", ""),  # no end
        ("      Wins 1 point\n", "      Wins 2 points\n" + NEXT),  # two ends
        ("      Wins 1 point\n", "      Wins 1 point\n" + NEXT.replace("Ann : 1", "Ann : 0")),  # no gain
        ("  4) 43", "  4) xx"),
        ("Wins 1 point", "Wins 4 points"),  # which no resignation gives
        ("Wins 1 point", "Wins 4 points\n" + NEXT.replace("Ann : 1", "Ann : 4").rstrip()),
        ("Wins 1 point", "Wins 0 points"),
    )
    def test_nothing_else_is(self, old: str, new: str) -> None:
        text = START + self.ROWS + self.WON
        assert old in text
        match = loads(text.replace(old, new))
        assert (match.games[0].cut, match.games[0].winner) == (True, None)
        assert not any("as the record states it" in finding.explanation for finding in referee(match))

    def test_an_unreadable_play_of_the_other_player_is_left_out(self) -> None:
        (game,) = loads(START + self.ROWS.replace("14/7", "14/7/") + self.WON).games
        assert (game.cut, game.winner, game.result.points) == (False, Player.WHITE, 1)

    @loop.rows(
        ("words", "points", "end"),
        ("Wins 2 points", 2, End.RESIGNED),
        ("Wins 3 points", 3, End.RESIGNED),
        ("Wins 7 points and the match", 7, End.FORFEITED),
        ("Losses 1 point\n                                      Wins 1 point", 1, End.RESIGNED),
    )
    def test_other_points_that_are_those_of_the_game(self, words: str, points: int, end: End) -> None:
        (game,) = loads(START + self.ROWS + f"      {words}\n").games
        assert (game.cut, game.result.points, game.result.end) == (False, points, end)

    def test_points_that_are_capped(self) -> None:
        """Galaxy states what was needed, here 3 points of the 4 of the cube."""
        rows = (
            "  1) 31: 8/5 6/5                  Doubles => 2\n"
            "  2)  Takes                      62: 24/18 13/11\n"
            "  3)  Doubles => 4                Takes\n"
            "  4) 41: 13/9 6/5                51:\n"
            "  5) 64: 24/14\n"
        )
        (game,) = loads(START.replace("Ann : 0", "Ann : 4") + rows + "      Wins 3 points\n").games
        assert (game.cut, game.winner, game.result.points) == (False, Player.WHITE, 4)

    @loop.rows(
        ("rows", "what", "left_out"),
        ("64: 24/14", LAST, "1 roll and 1 play after it are"),
        ("64:", LAST, "1 roll after it is"),
        ("64: Cannot Move", LAST, "1 roll after it is"),
        ("64:                         51:", LATER, "2 rolls after it are"),
        ("64: 24/14                   51:\n  4) 43:", LATER, "3 rolls and 1 play after it are"),
    )
    def test_what_is_left_out(self, rows: str, what: str, left_out: str) -> None:
        assert self._warning("".join(self.ROWS.splitlines(keepends=True)[:2]) + f"  3) {rows}\n") == (
            f"{what}; the game ends here, as the record states it, and {left_out} left out"
        )

    @loop.rows("dance", "Cannot Move", "cannot move")
    def test_a_dance_shows_no_play(self, dance: str) -> None:
        rows = self.ROWS.replace("51:\n", f"51: {dance}\n")
        assert self._warning(rows) == (
            "the play is not shown, nor is any later one of this player; the game ends here, as the record states it, "
            "and 4 rolls and 2 plays after it are left out"
        )

    def _warning(self, rows: str) -> str:
        match = loads(START + rows + self.WON)
        assert (match.games[0].cut, match.games[0].winner) == (False, Player.WHITE)
        (finding,) = [finding for finding in about_hidden(match) if finding.severity is Severity.WARNING]
        return finding.explanation

    def test_a_forced_play_and_a_dance_are_played(self) -> None:
        """Before the first play that is not shown."""
        board = "; Set Pos=aBBBBB------b-----B-----c-/0\n"
        rows = "  1) 21: 18/15                   43:\n  2) 21: 18/15                   66:\n"
        match = loads(START + board + rows + "  3) 21: 5/4 5/3                  21:\n  4) 21: 4/3 4/2\n" + self.WON)
        (game,) = match.games
        plays = [event.argument for event in game.events if isinstance(event, Event) and event.by is Player.BLACK]
        assert (game.cut, game.winner, plays[1]) == (False, Player.WHITE, "no play")
        (finding,) = about_hidden(match)
        assert (finding.row, finding.severity) == (2, Severity.WARNING)
        assert "3 rolls and 2 plays after it are left out" in finding.explanation

    @loop.over("file", ["endings/match11325888.txt", "galaxy/match2151849.txt", *FILES])
    def test_of_real_games(self, file: str) -> None:
        """The last plays of one player are taken out; only where they doubled later is the end not that of the game."""
        text, match, plays = canonical(file)
        numbered = iter(plays)
        ended = 0
        for index, game in enumerate(match.games):
            shown = [(event, next(numbered)) for event in game.events if is_shown(event)]
            for player in Player:
                own = [play for event, play in shown if isinstance(event, Event) and event.by is player][-3:]
                left = text
                for play in own:
                    left = without(left, play, "")
                again = loads(left).games[index]
                assert again.cut or (again.winner, again.result.points) == (game.winner, game.result.points)
                ended += not again.cut and again.result.end is End.RESIGNED and len(again.events) < len(game.events)
        assert ended > 0


class TestLastBearOff:
    """A last roll without a play wins, if the record states that, rather than being resigned."""

    BOARD = "; Set Pos=-BBA-------------------cc-/0\n"
    MONEY = START.replace("7 point", "0 point") + BOARD
    ROWS = "  1) 21: 2/0 1/0                  21: 2/0 1/0\n  2) 32: 3/0 2/0                  21: 2/0 1/0\n"

    @loop.rows("hidden", "????", "???", "")
    @pytest.mark.parametrize("end", ["      Wins 1 point", " Game 2\n Ann : 1                         Bob : 0"])
    def test_the_play_that_wins(self, hidden: str, end: str) -> None:
        board = self.BOARD.replace("-BBA-", "-DB--")
        rows = "  1) 21: 2/0 1/0                  21: 2/0 1/0\n  2) 11: 1/0 1/0 1/0 2/1          21: 2/0 1/0\n"
        match = loads(START.replace("7 point", "0 point") + board + f"{rows}  3) 65: {hidden}\n{end}\n")
        assert (match.games[0].cut, match.games[0].winner, match.score) == (False, Player.WHITE, (1, 0))
        for form in ("mat", "sgf", "ogxm"):
            assert loads(dumps(match, form)).games[0].winner is Player.WHITE

    def test_one_of_several(self) -> None:
        """With 2-1 the last checkers are borne off by both dice, or one of them moves within the board."""
        board = self.BOARD.replace("-BBA-", "-AA--")
        match = loads(START.replace("7 point", "0 point") + board + "  1) 21: ????\n      Wins 1 point\n")
        (finding,) = about_hidden(match)
        note = "of the 2 legal ones, 2/off 1/off ends the game as stated, so it is used"
        assert (finding.severity, finding.explanation) == (Severity.INFO, f"the play is not shown; {note}")
        assert [event.argument for event in match.games[0].events[-1:]] == ["2/off 1/off"]

    @loop.rows(("end", "winner"), ("      Wins 1 point", Player.WHITE), ("      Losses 1 point", Player.BLACK))
    def test_not_if_its_player_lost(self, end: str, winner: Player) -> None:
        match = loads(f"{self.MONEY}{self.ROWS}  3) 65: ????\n{end}\n")
        assert match.games[0].winner is winner

    @loop.rows("end", "", "      Wins 2 points")
    def test_no_other_end_is_made(self, end: str) -> None:
        """Nothing states the end, or nobody can win as much by a play."""
        board = self.BOARD.replace("-BBA-", "-AA--")
        match = loads(START.replace("7 point", "0 point") + board + f"  1) 21: ????\n{end}\n")
        result = match.games[0].final().result
        assert result is None or result.end is End.RESIGNED
        assert match.games[0].cut is (not end)

    def test_of_real_games(self) -> None:
        tried = 0
        for file in ("endings/match11325888.txt", "galaxy/match2151849.txt", *FILES):
            text, match, plays = canonical(file)
            numbered = iter(plays)
            for index, game in enumerate(match.games):
                shown = [(event, next(numbered)) for event in game.events if is_shown(event)]
                if game.result is not None and game.result.end is End.PLAYED:
                    last, play = shown[-1]
                    again = loads(without(text, play)).games[index]
                    assert (again.cut, again.result, again.events[-1]) == (False, game.result, last)
                    tried += 1
        assert tried >= 5
