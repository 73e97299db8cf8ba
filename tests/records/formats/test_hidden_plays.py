"""Plays that a record does not show: found where the rest of the game allows only one, and never guessed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Container
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import attrs
import pytest
from hypothesis import given, settings, strategies as st

import loop
from gammonrules import KERNEL, RecordEvent
from gammonrules.errors import GammonError
from gammonrules.match import Action, End, Event, MatchState, Player
from gammonrules.records import Finding, FindingKind, Game, Match, Severity, dumps, load, loads, referee
from gammonrules.records.formats.mat import cell_replay

MATCHES = Path(__file__).parents[2] / "data" / "matches"
FILES = ("galaxy/match1247261.txt", "galaxy/match1728321.txt", "galaxy/match8574420.txt")
DANCE = re.compile(r"([0-9]{2}:)(?: {12}(?= )|$)", re.MULTILINE)
PLAY = re.compile(r"(?<=[0-9]{2}:)(?: [0-9]+/[0-9]+\*?)+")


@cache
def canonical(file: str) -> tuple[str, Match, tuple[re.Match[str], ...]]:
    """A record as text and as a match, and where its plays stand. An empty cell may hide a play, so none is left."""
    text = DANCE.sub(r"\1 Cannot Move", dumps(load(MATCHES / file)))
    return text, loads(text), tuple(PLAY.finditer(text))


def without(text: str, plays: list[re.Match[str]], mark: str = "????") -> str:
    """The text with plays replaced by a mark, so that nothing else moves."""
    for play in sorted(plays, key=lambda play: -play.start()):
        blank = f" {mark}".ljust(len(play[0]))
        text = text[: play.start()] + blank + text[play.end() :]
    return text


def about_hidden(match: Match) -> list[Finding]:
    return [finding for finding in referee(match) if finding.kind is FindingKind.HIDDEN_PLAY]


def guessed(match: Match) -> bool:
    """Whether a last bear-off is one of several that end the game as stated."""
    return any("is the first after which" in finding.explanation for finding in about_hidden(match))


def brute_force(game: Game, index: int) -> list[str]:
    """The plays after which the other events of a game are legal, tried one after another from the definition."""
    states = [*game.states()]
    rest = [in_steps(event, state) for event, state in zip(game.events, states, strict=False)][index + 1 :]
    fits: list[str] = []
    for play in states[index].legal_plays:
        state = states[index].play(play)
        try:
            for event in rest:
                state = state.apply(event)
        except GammonError:
            continue
        if state.result == game.result:
            fits.append(str(play))
    return fits


def is_shown(event: RecordEvent) -> bool:
    """Whether it is a play that has moves."""
    return isinstance(event, Event) and event.action is Action.PLAY and event.argument != "no play"


def can_end(state: MatchState, game: Game, at: int, hidden: Container[int]) -> bool:
    """Whether the events of a game from `at` on, whose plays at `hidden` may be any, can lead to its result."""
    if at == len(game.events) or state.result is not None:
        return at == len(game.events) and state.result == game.result
    if at in hidden:
        return any(can_end(state.play(play), game, at + 1, hidden) for play in state.legal_plays)
    try:
        return can_end(state.apply(game.events[at]), game, at + 1, hidden)
    except GammonError:
        return False


def in_steps(event: RecordEvent, before: MatchState) -> Event:
    """An event as the text has it, in which plays are steps of one die."""
    assert isinstance(event, Event)
    if event.action is not Action.PLAY:
        return event
    moves = before.legal_plays.find(event.argument).moves
    text = " ".join(f"{move.from_point}/{move.to_point}{'*' * move.hit}" for move in moves)
    return Event(Action.PLAY, event.by, text)


class TestLaw:
    """A play that is found is the one that was made; one that is not found is one of several that fit."""

    @settings(max_examples=10)
    @given(st.data())
    def test_as_many_fit_as_by_brute_force(self, data: st.DataObject) -> None:
        text, match, plays = canonical(FILES[0])
        number = data.draw(st.integers(0, len(plays) - 1))
        made = [(game, index) for game in match.games for index, event in enumerate(game.events) if is_shown(event)]
        game, index = made[number]
        (finding,) = about_hidden(loads(without(text, [plays[number]]))) or [None]
        if finding is None or index + 1 == len(game.events) or "resigned" in finding.explanation:
            return
        fits = brute_force(game, index)
        if finding.severity is Severity.INFO:
            assert fits == [game.events[index].argument]
            assert f"{fits[0]} " in finding.explanation
        elif "too many" not in finding.explanation:
            several = "all" if len(fits) == len([*game.states()][index].legal_plays) else len(fits)
            assert f"{several} of them fit" in finding.explanation

    @settings(max_examples=5)
    @given(st.data())
    def test_several_plays_of_a_game(self, data: st.DataObject) -> None:
        text, match, plays = canonical(FILES[1])
        chosen = data.draw(st.lists(st.sampled_from(plays), min_size=2, max_size=4, unique=True))
        again = loads(without(text, chosen))
        for mine, other in zip(match.games, again.games, strict=True):
            if not other.cut and mine.events[-1] == other.events[-1] and not guessed(again):
                assert mine == other


START = "7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"


class TestWhatDecides:
    """Dice and plays of both sides, the cube, and the end of the game."""

    @loop.rows("text", "", "????", "???", "13/7 8/", "??")
    def test_later_plays(self, text: str) -> None:
        """After no other play are there checkers on 18 and 11. A text that cannot be read is an error all the same."""
        match = loads(
            START + f"  1) 31: 8/5 6/5                 62: {text}\n"
            "  2) 41: 24/20 6/5               21: 18/16 11/10\n"
            "  3) 61: 13/7 8/7                64: 16/10 13/9\n"
        )
        first = referee(match)[0]
        assert str(match.games[0].events[3].argument) == "24/18 13/11"
        assert not match.games[0].cut
        assert first.explanation.endswith(
            "only 24/18 13/11 fits the rest of the game" + ", so it is used" * (first.severity is Severity.ERROR)
        )
        assert (first.kind, first.severity) == (
            (FindingKind.UNREADABLE_LINE, Severity.ERROR)
            if text.startswith("13")
            else (FindingKind.HIDDEN_PLAY, Severity.INFO)
        )

    @loop.rows(("end", "play"), ("      Wins 2 points", "6/1"), ("      Wins 1 point", "6/2 1/off"), ("", None))
    def test_the_end(self, end: str, play: str | None) -> None:
        """Bob may have borne off a checker or not; what he lost tells."""
        board = f"; Set Pos=--A{'-' * 16}a{'-' * 4}n-/0\n"
        rows = f"  1)                             41: ????\n  2) 62: 2/0\n{end}\n"
        match = loads('; [Jacoby "Off"]\n' + START.replace("7 point", "0 point") + board + rows)
        (finding,) = about_hidden(match)
        assert finding.severity is (Severity.WARNING if play is None else Severity.INFO)
        assert [event.argument for event in match.games[0].events[2:3]] == [play] * (play is not None)

    def test_an_end_that_is_not_reached_by_plays(self) -> None:
        """A player resigns after the last row; until then the plays decide."""
        match = loads(
            START + "  1) 31: 8/5 6/5                 62: ????\n"
            "  2) 41: 24/20 6/5               21: 18/16 11/10\n      Wins 1 point\n"
        )
        assert str(match.games[0].events[3].argument) == "24/18 13/11"
        assert match.games[0].winner is Player.WHITE

    @loop.rows(("text", "words"), ("????", "is the only legal one"), ("13/7 8/", "only bar/19 fits"))
    def test_the_only_legal_play(self, text: str, words: str) -> None:
        board = "; Set Pos=aBBBBB------B-----B-----c-/0\n"
        match = loads(START + board + f"  1) 21: 18/15                   66: {text}\n  2) 21: 15/12\n")
        assert match.games[0].events[4].argument == "bar/19"
        assert words in referee(match)[0].explanation

    def test_what_cannot_be_read_tells_nothing(self) -> None:
        match = loads(
            START + "  1) 31: 8/5 6/5                 62: ????\n"
            "  2) 41: 24/20 6/5               21: 18/16 11/10\n  3) nonsense\n"
        )
        assert [finding.severity for finding in about_hidden(match)] == [Severity.INFO]

    def test_an_illegal_play_later(self) -> None:
        match = loads(
            START + "  1) 31: 8/5 6/5                 62: ????\n  2) 41: 13/9 6/4                21: 18/16 11/10\n"
        )
        (finding,) = about_hidden(match)
        assert "none of them fit" in finding.explanation
        assert finding.severity is Severity.WARNING

    def test_nothing_follows(self) -> None:
        match = loads(START + "  1) 31: 8/5 6/5                 62: ????\n")
        (finding,) = about_hidden(match)
        legal = len(MatchState.new(7).opening_roll(3, 1).play("8/5 6/5").roll("62").legal_plays)
        assert f"{legal} are legal, and all of them fit" in finding.explanation


class TestLastBearOffs:
    """Where the winner shows none of the last plays, the first of those is used after which the game ends as stated."""

    BOARD = "; Set Pos=-BBA-------------------cc-/0\n"
    MONEY = START.replace("7 point", "0 point") + BOARD

    @loop.rows("hidden", "????", "???", "")
    @pytest.mark.parametrize("end", ["      Wins 1 point", " Game 2\n Ann : 1                         Bob : 0"])
    def test_several_end_as_stated(self, hidden: str, end: str) -> None:
        rows = f"  1) 21: {hidden:<24} 21: 2/0 1/0\n  2) 32: {hidden:<24} 21: 2/0 1/0\n  3) 65: {hidden}\n{end}\n"
        match = loads(self.MONEY + rows)
        (first, *_), game = about_hidden(match), match.games[0]
        note = "of the 4 legal ones, 3/off is the first after which the game can end as stated, so it is used"
        assert (first.severity, first.explanation) == (Severity.INFO, f"the play is not shown; {note}")
        assert (game.cut, game.winner, match.score) == (False, Player.WHITE, (1, 0))
        assert [event.argument for event in game.events[-1:]] == ["1/off(2)"]
        for form in ("mat", "sgf", "ogxm"):
            assert loads(dumps(match, form)).games[0].winner is Player.WHITE

    def test_one_after_which_checkers_are_left_is_not_used(self) -> None:
        """Three rolls bear off six checkers only if each die bears off one."""
        rows = "  1) 21: ????                     21: 2/0 1/0\n  2) 21: ????                     21: 2/0 1/0\n"
        board = "; Set Pos=-CC--------------------cc-/0\n"
        match = loads(START.replace("7 point", "0 point") + board + rows + "  3) 65: ????\n      Wins 1 point\n")
        played = [event.argument for event in match.games[0].events if isinstance(event, Event)]
        assert [play for play in played if isinstance(play, str)][::2] == ["2/off 1/off"] * 3

    @loop.rows("count", 1, 2, 3)
    def test_of_real_games_by_brute_force(self, count: int) -> None:
        tried = several = 0
        for file in ("endings/match11325888.txt", "galaxy/match2151849.txt", *FILES):
            text, match, plays = canonical(file)
            numbered = iter(plays)
            for index, game in enumerate(match.games):
                shown = [(at, next(numbered)) for at, event in enumerate(game.events) if is_shown(event)]
                hidden = dict([(at, play) for at, play in shown if game.events[at].by is game.winner][-count:])
                first = next(iter(hidden), 0)
                state = [*game.states()][first]
                if game.result is None or game.result.end is not End.PLAYED or max(state.position.points[7:]) > 0:
                    continue
                read = loads(without(text, [*hidden.values()]))
                assert (read.games[index].cut, read.games[index].result) == (False, game.result)
                for at, event in enumerate(game.events[first:], start=first):
                    expected = event
                    if at in hidden:
                        fits = (play for play in state.legal_plays if can_end(state.play(play), game, at + 1, hidden))
                        expected = attrs.evolve(event, argument=str(next(fits)))
                    assert read.games[index].events[at] == expected
                    state = state.apply(expected)
                tried, several = tried + 1, several + guessed(read)
        assert tried >= 5
        assert several >= (count > 1)

    @loop.rows(("point", "used"), (6, True), (7, False), (18, False))
    def test_only_once_all_checkers_are_home(self, point: int, used: bool) -> None:
        """From elsewhere the last checkers are not yet borne off, and of several plays none is guessed."""
        board = f"{self.BOARD[:10]}-BB{'-' * 19}cc--/0\n"
        board = board[: 10 + point] + "A" + board[11 + point :]
        rows = "  1) 21: ????                     21: 3/2 3/1\n  2) 66: ????                     21: 2/0 1/0\n"
        match = loads(START.replace("7 point", "0 point") + board + rows + "  3) 66: ????\n      Wins 1 point\n")
        note = about_hidden(match)[0].explanation
        assert ("is the first after which" in note, "of them fit the rest" in note) == (used, not used)
        assert match.games[0].cut is not used

    def test_none_is_guessed_where_a_later_one_is_shown(self) -> None:
        board = self.BOARD.replace("-BBA-", "-CC--")
        rows = "  1) 21: ????                     21: 2/0 1/0\n  2) 21: 2/0 1/0                  21: 2/0 1/0\n"
        match = loads(START.replace("7 point", "0 point") + board + rows + "  3) 66: ????\n      Wins 1 point\n")
        assert (match.games[0].cut, about_hidden(match)[0].severity) == (True, Severity.WARNING)

    @loop.rows("end", "", "                                  Wins 1 point", "      Wins 2 points")
    def test_no_other_end_is_made(self, end: str) -> None:
        """Nothing states the end, the other player wins, or nobody can win as much."""
        rows = "  1) 21: ????                     21: 2/0 1/0\n  2) 32: ????                     21: 2/0 1/0\n"
        match = loads(self.MONEY + rows + f"  3) 65: ????\n{end}\n")
        assert (match.games[0].cut, about_hidden(match)[0].severity) == (True, Severity.WARNING)

    def test_a_last_roll_wins_rather_than_being_resigned(self) -> None:
        """But not if the record says that its player lost."""
        rows = "  1) 21: 2/0 1/0                  21: 2/0 1/0\n  2) 32: 3/0 2/0                  21: 2/0 1/0\n"
        last = f"{rows}  3) 65: ????\n"
        won, lost = (loads(self.MONEY + last + end) for end in ("      Wins 1 point\n", "      Losses 1 point\n"))
        assert [event.argument for event in won.games[0].events[-1:]] == ["1/off"]
        assert (won.games[0].winner, lost.games[0].winner) == (Player.WHITE, Player.BLACK)


def calls(read: Callable[[], object]) -> int:
    """How many Python functions are called, which is the same on every machine."""
    count = 0

    def noted(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    read()  # what is imported and made only once, at the first record, does not count
    sys.setprofile(noted)
    try:
        read()
    finally:
        sys.setprofile(None)
    return count


CALLS_A_BYTE = 20
"""For any record; a real one takes about three."""


def games(count: int, *rows: str, length: int = 7) -> str:
    """Games of these rows."""
    lines = "".join(f"{number}) {row}\n" for number, row in enumerate(rows, start=1))
    score = " A : 0                         B : 0\n"
    return f"{length} point match\n" + "".join(f"Game {number}\n{score}{lines}" for number in range(1, count + 1))


LONG = "8/7 " * 21
LAST, ROWS = "-BBBCCC-----------cccbbb--", "1)11:????\n2)11:????\n3)21:???? 66:????\n4)31:\n"
EXPENSIVE = {
    "none that fits": games(1, "31: 8/5 6/5  62: ????", *["21: ????  21: ????"] * 9, "66: 1/0"),
    "the last checkers": START + " 1) 11: ???? 22: ????\n 2) 33: ???? 44: ????\n 3) 52: 1/0 1/0\n",
    "in many games": games(12, "21: ????  11: 24/20"),
    "in money play": games(12, *["21: ????  21: ????"] * 5, length=0),
    "doublets": games(12, "31: ????  66: ????", "33: 24/15  33: 24/12 6/3"),
    "long ways": games(12, "31: ????  65: 24/13", "31: x"),
    "short games": games(12, "22: ????  31: x", "21: ????"),
    "many moves": games(12, "31: ????  11: 8/7(15) 8/7(15) 8/7(15)"),
    "long texts": games(12, f"31: ????  11: {LONG}"),
    "no play": games(12, "31: ????  31: Cannot Move"),
    "cubes": games(12, "31: ????  doubles", "takes  31: ????"),
    "a long game": games(1, "31: 8/5 6/5  62: ????", *["21: 24/23 24/22  21: 24/23 24/22"] * 200),
    "the most plays": "0 point match\n"
    + "".join(
        f"Game {number}\n A : 0 B : 0\n;Set Pos=o--AA-AA-AA-A-AA-AA-AA-AA-/0\n1)11:??? 11:\n" for number in range(1, 9)
    ),
    "last bear-offs": "0 point match\n"
    + "".join(f"Game {number}\n A : 0 B : 0\n;Set Pos={LAST}/0\n{ROWS}Wins 1 point\n" for number in range(1, 9)),
    "last bear-offs of a match": START + f";Set Pos={LAST}/0\n" + ROWS * 9 + "9)11:????\nWins 1 point\n",
    "a last roll": "0 point match\n"
    + "".join(
        f"Game {number}\n A : 0 B : 0\n;Set Pos=o--AA-AA-AA-A-AA-AA-AA-AA-/0\n1)11:??? 11:???\nWins 1 point\n"
        for number in range(1, 9)
    ),
}
"""Hidden plays that are searched for as long as possible, from a search for the worst by chance."""


class TestCost:
    @pytest.mark.skipif(KERNEL != "c", reason="legal plays are found in Python, which takes more calls")
    @loop.over(("name", "text"), EXPENSIVE.items())
    def test_is_in_proportion_to_the_record(self, name: str, text: str) -> None:
        assert calls(lambda: loads(text)) <= CALLS_A_BYTE * len(text), name

    def test_beyond_it_a_play_stays_unknown(self) -> None:
        text, _, plays = canonical(FILES[0])
        match = loads(without(text, list(plays)))
        finding = about_hidden(match)[0]
        assert (finding.severity, match.games[0].cut) == (Severity.WARNING, True)
        assert "too many to try" in finding.explanation

    def test_a_board_is_tried_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Two hidden plays of one side lead to the same boards in many ways."""
        tried: list[object] = []
        is_refuted = cell_replay.HiddenPlays.is_refuted

        def noted(*arguments: Any) -> Any:
            tried.append(arguments)
            return is_refuted(*arguments)

        monkeypatch.setattr(cell_replay, "AS_OFTEN", 10_000)
        monkeypatch.setattr(cell_replay.HiddenPlays, "is_refuted", noted)
        rows = "  1) 31: 8/5 6/5                 62: ????\n  2) 41: ????                    21: ????\n"
        match = loads(START + rows + "  3) 66: 13/7 13/7 13/7 13/7      21: 1/0\n")
        (finding,) = about_hidden(match)
        assert "none of them fit" in finding.explanation
        # 3,695 boards in 5,539 ways, and 298 before them.
        assert 3_000 < len(tried) < 4_000
