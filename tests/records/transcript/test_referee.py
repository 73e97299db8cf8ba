"""The referee: each kind of finding on records made from a real one, and on matches built in a program."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import attrs
import pytest

import loop
import wording
from gammonrules import SetPosition
from gammonrules.board import Position, Win
from gammonrules.errors import ArgumentError, GammonError
from gammonrules.limits import MAX_MESSAGE_LENGTH
from gammonrules.match import Action, Cube, Event, MatchState, Player
from gammonrules.records import Finding, FindingKind, Game, Match, RecordedResult, Severity, dumps, load, loads, referee
from gammonrules.rules import BRETTSPIELWELT_SINGLE, MONEY, PHILOS, PORTES, Rules
from integers import Count

MATCHES = Path(__file__).parents[2] / "data" / "matches"
CLEAN = (MATCHES / "galaxy/match1033650.txt").read_text(encoding="utf-8")


def changed(old: str, new: str, text: str = CLEAN) -> tuple[Finding, ...]:
    """What the referee says when one place in a clean record is changed."""
    assert text.count(old) >= 1, old
    return referee(loads(text.replace(old, new, 1)))


def test_clean() -> None:
    assert referee(loads(CLEAN)) == ()


@loop.rows(
    ("old", "new", "kind", "severity", "game", "row"),
    ("61: 13/7 8/7\n", "61: 13/7 8/6\n", FindingKind.ILLEGAL_PLAY, Severity.ERROR, 1, 1),
    ("61: 13/7 8/7\n", "61: 13/7 blah\n", FindingKind.UNREADABLE_LINE, Severity.ERROR, 1, 1),
    ("61: 13/7 8/7\n", "67: 13/7 8/7\n", FindingKind.ILLEGAL_ACTION, Severity.ERROR, 1, 1),
    ("61: 13/7 8/7\n", "61:\n", FindingKind.HIDDEN_PLAY, Severity.WARNING, 1, 1),
    ("  2) 61: 13/7 8/7 ", "  2)  Takes        ", FindingKind.ILLEGAL_ACTION, Severity.ERROR, 1, 2),
    ("  3) 52: 24/22 22/17   ", "  1) 52: 24/22 22/17   ", FindingKind.REPEATED_ROW_NUMBER, Severity.INFO, 1, 1),
    ("Wins 1 point\n", "Wins 4 point\n", FindingKind.POINTS_MISMATCH, Severity.WARNING, 1, None),
    ("      Wins 1 point\n", " " * 34 + "Wins 1 point\n", FindingKind.POINTS_MISMATCH, Severity.WARNING, 1, None),
    ("Wins 1 point\n", "Wins 1 point and the match\n", FindingKind.AND_THE_MATCH, Severity.INFO, 1, None),
    ("\n  2) 61:", "\n\x1b]0;title\x07\n  2) 61:", FindingKind.UNREADABLE_LINE, Severity.ERROR, 1, None),
    (" lasse : 1 ", " lasse : 3 ", FindingKind.SCORE_DOES_NOT_FOLLOW, Severity.ERROR, 2, None),
)
def test_one_change(old: str, new: str, kind: FindingKind, severity: Severity, game: int, row: int | None) -> None:
    first = changed(old, new)[0]
    assert (first.kind, first.severity, first.game, first.row) == (kind, severity, game, row)
    assert first.text
    assert first.explanation


@loop.over("path", sorted(MATCHES.rglob("*.mat")), ids=lambda path: path.name)
def test_what_the_reader_has_replayed_is_what_the_events_say(path: Path) -> None:
    """The referee trusts the reader; a record of the same events that nobody has replayed is judged alike."""
    match = load(path)
    unread = attrs.evolve(match, games=tuple(attrs.evolve(game) for game in match.games))
    assert referee(unread) == referee(match)
    for game in match.games:
        assert [*game.states()][-1] == game.final()


def test_the_other_games_are_still_replayed() -> None:
    match = loads(CLEAN.replace("61: 13/7 8/7\n", "61: 13/7 8/6\n", 1))
    assert match.games[0].cut
    assert [game.cut for game in match.games[1:]] == [False] * 6
    assert match.rolls == 279
    assert match.score == loads(CLEAN).score


CHARLOT = "charlot1-charlot2_7p_2025-11-08-2305"


class TestSameMatchInOtherFormats:
    """The games are equal, so what differs in the findings is what each format has words for."""

    HABITS = {
        FindingKind.HIDDEN_PLAY,  # "???": of texts of eXtreme Gammon and its files; SGF says that a player resigned
        FindingKind.RESIGN_WITHOUT_MARKER,
        FindingKind.AND_THE_MATCH,
        FindingKind.CAPPED_POINTS,  # eXtreme Gammon stores the score after a match with the length as its limit
    }

    @loop.rows(
        "files",
        ("matches/xg-text/test.mat", "matches/xg-text/test.txt", "matches/xg/test.xg", "matches/sgf/test.sgf"),
        (f"matches/xg-text/{CHARLOT}.mat", f"matches/xg/{CHARLOT}.xg", f"matches/sgf/{CHARLOT}.sgf"),
        ("matches/galaxy/match7662222.txt", "analysis/gnubg/match7662222_1ply.sgf"),
        ("analysis/gnubg/money-beaver_0ply.sgf", "analysis/gnubg/money-beaver_0ply.txt"),
    )
    def test_findings(self, files: tuple[str, ...]) -> None:
        first, *others = [load(MATCHES.parent / file) for file in files]
        for other in others:
            assert (first.games, first.players, first.score) == (other.games, other.players, other.score)
            assert (first.length, first.rules, first.rolls) == (other.length, other.rules, other.rolls)
        for match in (first, *others):
            findings = [finding for finding in referee(match) if finding.kind is not FindingKind.UNFINISHED_GAME]
            assert {finding.kind for finding in findings} <= self.HABITS
            assert all(finding.severity is Severity.INFO for finding in findings)


def uncut(match: Match) -> Match:
    """The record without what could not be followed."""
    return attrs.evolve(match, games=tuple(attrs.evolve(game, cut=False) for game in match.games))


E = Severity.ERROR

GIVEN_UP = (Severity.INFO, FindingKind.RESIGN_WITHOUT_MARKER, 1, None)

BROKEN_FILES = {
    "illegal-play.mat": [(E, FindingKind.ILLEGAL_PLAY, 1, 3), GIVEN_UP],
    "score-does-not-follow.mat": [(E, FindingKind.SCORE_DOES_NOT_FOLLOW, 2, None)],
    "unreadable-lines.mat": [
        (E, FindingKind.UNREADABLE_LINE, None, None),
        (E, FindingKind.UNREADABLE_LINE, 1, 2),
        (E, FindingKind.UNREADABLE_LINE, 2, 1),
    ],
    "cube-out-of-turn.mat": [
        (E, FindingKind.ILLEGAL_ACTION, 1, 3),
        (E, FindingKind.ILLEGAL_ACTION, 2, 2),
        (E, FindingKind.ILLEGAL_ACTION, 3, 1),
    ],
    "illegal-play-dump.mat": [(E, FindingKind.ILLEGAL_PLAY, 1, 1), (E, FindingKind.UNREADABLE_LINE, 1, 2)],
    "set-position.mat": [
        (E, FindingKind.ILLEGAL_PLAY, 1, 3),
        (Severity.INFO, FindingKind.POSITION_SET, 1, None),
        (E, FindingKind.ILLEGAL_ACTION, 2, None),  # the comment, which stands in no row
    ],
    "beaver.mat": [(E, FindingKind.ILLEGAL_ACTION, 1, 3), GIVEN_UP, (E, FindingKind.ILLEGAL_ACTION, 2, 2)],
}


class TestBrokenFiles:
    """The records with errors in `data/matches/broken`; its README says what is wrong with each."""

    @loop.over("name", BROKEN_FILES)
    def test_findings(self, name: str) -> None:
        findings = referee(load(MATCHES / "broken" / name))
        listed = [(finding.severity, finding.kind, finding.game, finding.row) for finding in findings]
        assert listed == BROKEN_FILES[name]
        assert all(finding.text and finding.explanation for finding in findings)

    def test_every_file_is_listed(self) -> None:
        assert {path.name for path in (MATCHES / "broken").glob("*.mat")} == set(BROKEN_FILES)

    @loop.over("name", BROKEN_FILES)
    def test_written_as_far_as_followed(self, name: str) -> None:
        match = load(MATCHES / "broken" / name)
        cut = [index for index, game in enumerate(match.games, start=1) if game.cut]
        if cut:
            with wording.raises(GammonError, f"game {cut[0]} cannot be written: what follows its events could not"):
                dumps(match)
        again = loads(dumps(uncut(match)))
        for game, read in zip(match.games, again.games, strict=True):
            assert read.events[: len(game.events)] == game.events


class TestBuiltMatches:
    """Nothing was read: the events alone show what is wrong."""

    START = MatchState.new(3)
    OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))

    def findings(self, *events: Event | SetPosition, stated: RecordedResult | None = None) -> tuple[Finding, ...]:
        return referee(Match(("Ann", "Bob"), 3, (Game(1, self.START, events, stated=stated),)))

    def test_of_one_event(self) -> None:
        over = Position.of(mine={1: 1}, theirs={"off": 15})
        for event, expected in (
            (Event(Action.PLAY, Player.WHITE, "8/5 6/5"), []),
            (Event(Action.PLAY, argument="8/5 6/4"), [(FindingKind.ILLEGAL_PLAY, None, "play 8/5 6/4")]),
            (Event(Action.DOUBLE), [(FindingKind.ILLEGAL_ACTION, None, "double")]),
            (SetPosition(over, Player.BLACK), []),
            (SetPosition(over, Player.BLACK, Cube(2)), [(FindingKind.ILLEGAL_ACTION, None, "position set by hand")]),
        ):
            assert [
                (finding.kind, finding.row, finding.text) for finding in self.findings(self.OPENING, event)
            ] == expected

    def test_a_last_checker_that_the_opponent_let_go(self) -> None:
        """What it wins is compared with what the record states, and with the score of the next game."""
        gammon = SetPosition(Position.of(mine={6: 15}, theirs={}), Player.BLACK)
        assert self.findings(self.OPENING, gammon, stated=RecordedResult(Player.WHITE, 2)) == ()
        for stated in (RecordedResult(Player.WHITE, 1), RecordedResult(Player.BLACK, 2)):
            (finding,) = self.findings(self.OPENING, gammon, stated=stated)
            assert finding.kind is FindingKind.POINTS_MISMATCH
        games = Game(1, self.START, (self.OPENING, gammon)), Game(2, MatchState.new(3, score=(1, 0)))
        (finding,) = referee(Match(("Ann", "Bob"), 3, games))
        assert (finding.kind, finding.game) == (FindingKind.SCORE_DOES_NOT_FOLLOW, 2)

    def test_resignation(self) -> None:
        resigned = (self.OPENING, Event(Action.RESIGN, Player.BLACK, Win.GAMMON), Event(Action.ACCEPT))
        assert self.findings(*resigned, stated=RecordedResult(Player.WHITE, 2)) == ()
        assert self.findings(*resigned, stated=RecordedResult(None, None)) == ()
        (odd,) = self.findings(*resigned, stated=RecordedResult(Player.WHITE, 1))
        assert odd.kind is FindingKind.RESIGN_ODD_VALUE

    def test_scores(self) -> None:
        ended = (self.OPENING, Event(Action.RESIGN, Player.BLACK, Win.SINGLE), Event(Action.ACCEPT))
        first = Game(1, self.START, ended)
        good, bad = (Game(2, MatchState.new(3, score=score)) for score in ((1, 0), (0, 1)))
        assert referee(Match(("Ann", "Bob"), 3, (first, good))) == ()
        (finding,) = referee(Match(("Ann", "Bob"), 3, (first, bad)))
        assert (finding.kind, finding.game) == (FindingKind.SCORE_DOES_NOT_FOLLOW, 2)

    @loop.rows(
        ("marked", "wrong"),
        ((False, True, False), []),
        ((False, False, False), [2]),
        ((False, False, True), [2]),
        ((False, True, True), [3]),
    )
    def test_crawford_game(self, marked: tuple[bool, ...], wrong: list[int]) -> None:
        """It is the first game that begins when a player needs one more point, and there is only one."""
        white, black = (
            (self.OPENING, Event(Action.RESIGN, loser, Win.GAMMON), Event(Action.ACCEPT))
            for loser in (Player.BLACK, Player.WHITE)
        )
        games = [
            Game(number, attrs.evolve(MatchState.new(5, score=score), crawford=crawford), events)
            for number, (score, events, crawford) in enumerate(
                zip([(2, 0), (4, 0), (4, 2)], [white, black, black], marked, strict=True), start=1
            )
        ]
        findings = referee(Match(("Ann", "Bob"), 5, tuple(games)))
        assert [(finding.kind, finding.game) for finding in findings] == [
            (FindingKind.CRAWFORD_MISMATCH, number) for number in wrong
        ]
        # Of a part of a match nothing is known about the games before it.
        assert referee(Match(("Ann", "Bob"), 5, tuple(games[1:2]))) == ()

    def test_numbers_of_games(self) -> None:
        """They may begin with any number."""
        games = [Game(number, self.START) for number in (4, 5, 5, 7)]
        findings = referee(Match(("Ann", "Bob"), 3, tuple(games)))
        assert [(finding.kind, finding.game) for finding in findings] == [
            (FindingKind.GAME_NUMBER, number) for number in (3, 4)
        ]

    def test_a_board_set_by_hand(self) -> None:
        """By an event or by the start of a game; one that starts when the turn is known just asks about a position."""
        board = Position.of(mine={6: 2}, theirs={5: 2})
        games = [
            (Game(1, self.START, (SetPosition(board, Player.WHITE),)), 1),
            (Game(1, MatchState.new(3, position=board)), 1),
            (Game(1, MatchState(board, Player.WHITE, length=3)), 0),
            (Game(1, MatchState.new(3, rules=Rules(start="nackgammon"))), 0),
        ]
        for game, count in games:
            kinds = [finding.kind for finding in referee(Match(("Ann", "Bob"), 3, (game,)))]
            assert kinds == [FindingKind.POSITION_SET] * count

    def test_a_checker_borne_off_by_both_dice(self) -> None:
        """Its play is written as two moves; a record with the one that does the same is read alike."""
        board = Position.of(mine={3: 1, 2: 1}, theirs={24: 2, 1: 13})
        roll, play = Event(Action.ROLL, Player.WHITE, (3, 1)), Event(Action.PLAY, Player.WHITE, "3/off")
        match = Match(("Ann", "Bob"), 3, (Game(1, self.START, (SetPosition(board, Player.WHITE), roll, play)),))
        for name, both, alone in (("mat", "3/2 2/0", "3/0"), ("sgf", "31cbbz", "31cz")):
            text = dumps(match, name)
            assert text.count(both) == 1
            read, again = loads(text), loads(text.replace(both, alone))
            assert again.games == read.games
            assert [finding.kind for finding in referee(again)] == [finding.kind for finding in referee(read)]

    def test_score_of_a_game_that_breaks_the_rules(self) -> None:
        game = Game(1, self.START, (Event(Action.PLAY, argument="8/5"),), stated=RecordedResult(Player.BLACK, 2))
        assert Match(("Ann", "Bob"), 3, (game,)).score == (0, 2)

    def test_score_after_a_game_without_end(self) -> None:
        """A game that goes on where nobody could follow it may have given any points; one that just stops gave none."""
        game = Game(1, self.START, (self.OPENING,))
        later = Game(2, MatchState.new(3, score=(2, 0)))
        (finding,) = referee(Match(("Ann", "Bob"), 3, (game, later)))
        assert finding.kind is FindingKind.SCORE_DOES_NOT_FOLLOW
        assert referee(Match(("Ann", "Bob"), 3, (attrs.evolve(game, cut=True), later))) == ()

    def test_nothing_is_stated_about_the_winner(self) -> None:
        assert self.findings(self.OPENING, stated=RecordedResult(None, 2)) == referee(Match(("Ann", "Bob"), 3)) == ()

    def test_any_events(self) -> None:
        """Anything that a program puts into a record is judged; nothing raises."""
        resign = Event(Action.RESIGN, Player.BLACK, Win.BACKGAMMON)
        board = SetPosition(Position.start(), Player.BLACK, Cube(1024, Player.WHITE))
        play = Position.start().legal_plays("62")[0]
        for events in permutations((resign, board, Event(Action.PLAY, argument=play), Event(Action.TAKE)), 2):
            findings = self.findings(self.OPENING, *events, stated=RecordedResult(None, -3))
            assert {finding.kind for finding in findings} <= {FindingKind.ILLEGAL_PLAY, FindingKind.ILLEGAL_ACTION}
        for length, rules in ((None, MONEY), (3, PHILOS), (None, BRETTSPIELWELT_SINGLE), (1, PORTES)):
            game = Game(1, MatchState.new(length, rules=rules), (board, resign), stated=RecordedResult(Player.WHITE, 0))
            referee(Match(("", ""), length, (game, game), rules))

    def test_no_match(self) -> None:
        with wording.raises(ArgumentError, "match must be a Match, not None"):
            referee(None)


class TestImpossibleValues:
    """All problems at once, in one GammonError."""

    START = MatchState.new(3)

    @loop.rows(
        ("build", "sentence"),
        (
            lambda: Match("AB", "7", (1,), 5, [("a",)], "x", 3, [], -1),
            (
                "impossible match: players is a pair of names, White's and Black's, not 'AB'; "
                "length is a whole number from 1 or None, not '7'; rules is a Rules, not 5; "
                "games is a tuple of Game, not (1,); tags is a tuple of pairs of texts, not [('a',)]; "
                "comments is a tuple of texts, not 'x'; format is a text, not 3; "
                "findings is a tuple of Finding, not []; stated_rolls is a whole number from 0 or None, not -1"
            ),
        ),
        (lambda: Match(("A", "B"), 10**6000, tags=10**6000), "impossible match: tags, a number of thousands of digits"),
        (lambda: Match(("A", "B"), 0), "impossible match: length is a whole number from 1 or None, not 0"),
        (lambda: Match(("A", "B"), True), "impossible match: length is a whole number from 1 or None, not True"),
        (
            lambda: Match(("A", "B"), 3, tags=(("a", "b"), ("c", 1))),
            "impossible match: tags, not (('a', 'b'), ('c', 1))",
        ),
        (
            lambda: Match(("A", "B"), 5, (Game(1, TestImpossibleValues.START), Game(2, MatchState.new(None)))),
            "impossible match: game 1 to 3, the match to 5; game 2 for money",
        ),
        (
            lambda: Game("1", None, [1], "x", 3, ("a",), 2),
            (
                "impossible game: number is a whole number, not '1'; start is a MatchState, not None; "
                "events is a tuple of Event, SetPosition and Forfeit, not [1]; "
                "comments is a tuple of texts, not 'x'; "
                "stated is a RecordedResult or None, not 3; rows is a tuple of whole numbers and None, not ('a',); "
                "cut is True or False, not 2"
            ),
        ),
        (
            lambda: Game(
                1, MatchState.new(3).opening_roll(3, 1).resign(by=Player.WHITE).accept(), (Event(Action.NEXT_GAME),)
            ),
            "impossible game: start is over; next a Game",
        ),
        (
            lambda: RecordedResult(1, 2.5, 3, 4, "x"),
            'impossible statement: winner is "white", "black" or None, not 1; 2.5; True, False, not 3; 4; row \'x\'',
        ),
        (
            lambda: SetPosition(1, 2, 3),
            'impossible position: a Position 1; on_roll is "white" or "black", not 2; a Cube or None 3',
        ),
        (
            lambda: Finding("error", "x", 0, "a", 5, None),
            "impossible finding: Severity 'error'; FindingKind 'x'; 1, 0; row 'a'; 5; None",
        ),
    )
    def test_refused(self, build: Callable[[], object], sentence: str) -> None:
        with pytest.raises(GammonError) as caught:
            build()
        wording.like(caught.value, sentence, longest=MAX_MESSAGE_LENGTH)

    @loop.rows("number", 10**9 + 1, -(10**9) - 1, 10**5000, -(10**5000))
    @loop.rows(
        "build",
        lambda number: RecordedResult(Player.WHITE, number),
        lambda number: RecordedResult(Player.WHITE, 1, line=number),
        lambda number: Finding(Severity.INFO, FindingKind.COIN_GAME, number, None, "", ""),
        lambda number: Finding(Severity.INFO, FindingKind.COIN_GAME, None, None, "", "", number),
        lambda number: Game(number, TestImpossibleValues.START),
        lambda number: Game(1, TestImpossibleValues.START, line=number),
        lambda number: Game(1, TestImpossibleValues.START, rows=(1, None, number)),
        lambda number: Game(1, TestImpossibleValues.START, lines=(None, number)),
        lambda number: Match(("A", "B"), number),
        lambda number: Match(("A", "B"), 7, stated_rolls=number),
    )
    def test_numbers_beyond_the_limit(self, build: Callable[[int], object], number: int) -> None:
        """So every number of a record can be shown and written."""
        with wording.tells(GammonError, "1,000,000,000" if number > 0 else "whole number"):
            build(number)

    @loop.rows("lines", (True,), (-4,), (0,), (1, 2.5))
    def test_lines_that_no_finding_could_have(self, lines: tuple[int, ...]) -> None:
        """The referee raises for no match, so a game takes no line that a finding would refuse."""
        with pytest.raises(GammonError, match="lines"):
            Game(1, self.START, (Event(Action.TAKE),), lines=lines)

    def test_whole_numbers_of_any_type(self) -> None:
        three = Count(3)
        match = Match(("A", "B"), three, (Game(three, self.START, stated=RecordedResult(None, three)),))
        assert match == Match(("A", "B"), 3, (Game(3, self.START),))
        assert type(match.length) is type(match.games[0].number) is type(match.games[0].stated.points) is int


def test_texts_of_findings_are_bounded():
    """A document of a stranger may hold findings; none may fill a screen."""
    for text, explanation in (("x" * 201, "y"), ("x", "y" * 1001)):
        with wording.raises(ArgumentError, "text and explanation have at most 200 and 1,000 characters"):
            Finding(Severity.INFO, FindingKind.FORFEIT, None, None, text, explanation)
    Finding(Severity.INFO, FindingKind.FORFEIT, None, None, "x" * 200, "y" * 1000)
