"""The dialects of the Jellyfish text family, feature by feature, and what a record may say that it should not."""

from __future__ import annotations

import attrs

import loop
from gammonrules import SetPosition
from gammonrules.board import Position
from gammonrules.match import Action, Cube, Event, Player
from gammonrules.records import FindingKind, Match, Severity, dumps, loads, lost_fields, referee

SCORE = " Ann : 0                         Bob : 0"
OPENING = "  1) 31: 8/5 6/5                 62: 24/18 13/11"
CLOSED = "; Set Pos=aBBBBBBC-----------ddcc---/0"
LAST_CHECKERS = "; Set Pos=-A----------------------a-/0"
DROPPED = "  2)  Doubles => 2                Drops", "      Wins 1 point"


def record(*lines: str, length: int = 7, score: str = SCORE, tags: str = "") -> str:
    return tags + "\n".join([f" {length} point match", "", " Game 1", score, *lines, ""])


def plays(match: Match) -> list[object]:
    events = match.games[0].events
    return [event.argument for event in events if isinstance(event, Event) and event.action is Action.PLAY]


def worst(match: Match) -> set[str]:
    """The kinds of what is wrong, without the infos."""
    return {str(finding.kind) for finding in referee(match) if finding.severity is not Severity.INFO}


class TestFrame:
    """The header, the match line, the headings and the score lines."""

    @loop.rows("line", "7 point match", " 7 point match", "\t7 Point Match  ", "7 points match", "7-point match")
    def test_match_line(self, line: str) -> None:
        match = loads(record(OPENING).replace(" 7 point match", line))
        assert (match.length, len(match.games)) == (7, 1)

    @loop.rows("sign", ";", "#")
    def test_signs_of_comments(self, sign: str) -> None:
        match = loads(f'{sign} [Site "x"]\n{sign}free\n' + record(OPENING, f"{sign} engine faulted"))
        assert (match.tags, match.comments, match.games[0].comments) == (
            (("Site", "x"),),
            ("free",),
            ("engine faulted",),
        )

    @loop.rows(
        ("name", "value"),
        *(("Match ID", "-1033650"), ("Player 2 Elo", "7,00/0"), ("EventTime", "16:15"), ("Unrated", "On")),
        *(("Video", "https://example.org/?v=1"), ("Crawford", "On"), ("CubeLimit", "1024"), ("Beaver", "On")),
    )
    def test_tags_are_kept_and_known(self, name: str, value: str) -> None:
        match = loads(record(OPENING, tags=f'; [{name} "{value}"]\n'))
        assert match.tags == ((name, value),)
        assert {str(finding.kind) for finding in referee(match)} == {"unfinished-game"}

    @loop.rows(
        ("tags", "words"),
        ('; [Crawford "maybe"]\n', 'Crawford "maybe"'),
        ('; [Jacoby "yes"]\n', 'Jacoby "yes"'),
        ('; [CubeLimit "7"]\n', 'CubeLimit "7"'),
        ('; [CubeLimit "none"]\n', 'CubeLimit "none"'),
        ('; [Beavers "x"]\n', 'Beavers "x"'),
        ('; [Crawford "On"]\n; [crawford "off"]\n', 'crawford "off"'),
    )
    def test_rules_that_are_not_understood(self, tags: str, words: str) -> None:
        findings = [
            finding
            for finding in referee(loads(record(OPENING, tags=tags)))
            if finding.kind is FindingKind.UNKNOWN_RULE
        ]
        assert [(finding.severity, finding.text, finding.line) for finding in findings] == [
            (Severity.INFO, words, tags.count("\n"))
        ]

    def test_ratings_in_names(self) -> None:
        """GridGammon appends them; they change from game to game."""
        names = " Ann,1612.5 : {}                  Bob,1500 : 0"
        later = "\n".join(["", " Game 2", names.format(1).replace("1612.5", "1620.1"), OPENING])
        match = loads(record(OPENING, *DROPPED, score=names.format(0)) + later)
        assert (match.players, match.ratings, worst(match)) == (("Ann", "Bob"), (1612.5, 1500.0), set())
        for name in ("mat", "sgf", "json"):
            again = loads(dumps(match, name))
            assert (again == match, again.ratings, lost_fields(match, name)) == (True, match.ratings, ())

    @loop.over(
        ("left", "right"),
        [("Ann,1500", "Bob"), ("Bot,1", "Bot,2"), ("Bot,1500", "Bot,1600"), ("Ann,1500 m", "Bob,1500")],
    )
    def test_what_is_no_rating(self, left, right) -> None:
        """Only some names end like one, or it is too short, or players would become one."""
        match = loads(record(OPENING, score=f" {left} : 0              {right} : 0"))
        assert (match.players, match.ratings) == ((left, right), (None, None))

    def test_ratings_in_names_and_in_the_header(self) -> None:
        """The header counts; and its players may be the other way round."""
        score = " Ann,1612.5 : 0                  Bob,1500 : 0"
        exchanged = loads(record(OPENING, score=score, tags='; [Player 1 "Bob"]\n; [Player 2 "Ann"]\n'))
        assert exchanged.ratings == (1612.5, 1500.0)
        assert loads(record(OPENING, score=score, tags='; [Player 1 Elo "9"]\n')).ratings == (9.0, 1500.0)

    @loop.rows("row", "  1) 66: {}      31: 8/5 6/5", "  1)                    66: {}")
    def test_a_game_that_opens_with_a_doublet(self, row) -> None:
        """It is reported and played out, as GNU Backgammon does."""
        match = loads(record(row.format("24/18 24/18 13/7 13/7"), *DROPPED))
        (game,) = match.games
        by = Player.WHITE if row[5] == "6" else Player.BLACK
        play = Event("play", by, "24/18(2) 13/7(2)")
        assert game.events[:3] == (SetPosition(Position.start(), by), Event("roll", by, (6, 6)), play)
        assert (game.cut, game.winner) == (False, Player.WHITE)
        assert [finding.line for finding in match.findings if finding.kind is FindingKind.ILLEGAL_ACTION] == [5]
        for name in ("mat", "sgf", "json"):
            assert loads(dumps(match, name)) == match
        assert lost_fields(match, "mat") == lost_fields(match, "sgf") == ()
        assert next(match.decisions()).action == play.argument  # nobody decided not to double
        unplayed = attrs.evolve(match, games=(attrs.evolve(game, events=game.events[:2], stated=None),))
        assert all(loads(dumps(unplayed, name)) == unplayed for name in ("mat", "sgf"))

    @loop.rows(
        ("board", "words"),
        *((CLOSED, words) for words in ("Cannot Move", "cannot  move", "CANNOT MOVE")),
        (CLOSED.replace("BBBBBBC", "-BBBBBE"), "Cannot Move"),
    )
    def test_a_dance_without_its_roll(self, board: str, words: str) -> None:
        """Whatever the roll was, the game goes on from the same board; it is written in the same words."""
        match = loads(record(board, f"  1) 21: 7/5 7/6                 {words}", "  2) 21: 7/5 6/5"))
        (game,) = match.games
        before, after = [*game.states()][3:5]
        assert (game.cut, plays(match), worst(match)) == (False, ["7/5 7/6", "7/5 6/5"], set())
        assert (before.on_roll, after.on_roll, after.position) == (Player.BLACK, Player.WHITE, before.position.flip())
        for name in ("mat", "sgf", "ogxm", "json"):
            again = loads(dumps(match, name)).games[0]
            assert (again.events[-4:], again.final()) == (game.events[-4:], game.final())
        assert lost_fields(match, "mat") == ()
        assert "Cannot Move" in dumps(match)
        log = Match.from_events(match.players, game.start, game.events)  # where a position set by hand has its cube
        assert dumps(log) == dumps(attrs.evolve(match, tags=(), comments=()))

    @loop.rows(
        ("row", "kind"),
        ("  1) 31: 8/5 6/5                 Cannot Move", "illegal-play"),
        ("  1) Cannot Move                 31: 8/5 6/5", "illegal-action"),
        ("  1) 31: 8/5 6/5                 62: 24/18 13/11 Cannot Move", "unreadable-line"),
    )
    def test_no_dance(self, row: str, kind: str) -> None:
        """Every roll can be played, nobody has rolled yet, or it is in no column."""
        match = loads(record(row, "  2) 41: 24/20 6/5"))
        assert match.games[0].cut
        assert kind in worst(match)

    def test_no_dance_after_the_end(self) -> None:
        """A finished game has no plays, not even for a roll that could be asked for them."""
        match = loads(record(LAST_CHECKERS, "  1) 21: 1/0                      Cannot Move"))
        assert match.games[0].winner is Player.WHITE
        assert worst(match) == {"illegal-action"}

    def test_who_rolls_after_a_beaver(self) -> None:
        """The doubler takes the beaver by rolling; a roll of the other player does not."""
        rows = (OPENING, "  2)  Doubles => 2      Beavers => 4", "  3)                    62: 24/18 13/11")
        match = loads(record(*rows, length=0))
        assert match.games[0].events[-1].action is Action.BEAVER
        assert worst(match) == {"illegal-action"}

    @loop.rows(
        ("score", "kinds"),
        (" Ann : 1                         Bob : 0", set()),
        (" ann : 1                         BOB : 0", set()),
        (" Eve : 1                         Bob : 0", {"other-players"}),
        (" Ann : 1                         Eve : 0", {"other-players"}),
        (" Bob : 1                         Ann : 0", {"score-does-not-follow"}),
    )
    def test_other_names_in_a_later_game(self, score: str, kinds: set[str]) -> None:
        match = loads(record(OPENING, "      Wins 1 point") + f"\n Game 2\n{score}\n{OPENING}\n")
        assert worst(match) == kinds

    def test_money_with_running_scores(self) -> None:
        """As bots write it: a score before each game, and no cube."""
        text = record(OPENING, "      Wins 2 point", length=0, tags='; [CubeLimit "1"]\n; [Jacoby "Off"]\n')
        match = loads(text + f"\n Game 2\n Ann : 2                         Bob : 0\n{OPENING}\n")
        assert [game.score for game in match.games] == [(0, 0), (2, 0)]
        assert (match.length, match.rules.cube, worst(match)) == (None, False, set())


class TestPlays:
    """One play in the spellings of all programs."""

    @loop.rows("bar", "25/", "bar/", "Bar/", "BAR/")
    def test_from_the_bar(self, bar: str) -> None:
        board = f"; Set Pos={'-' * 20}a{'-' * 4}A/0"
        assert plays(loads(record(board, f"  1) 31: {bar}22 22/21"))) == ["bar/21"]

    @loop.rows("off", "/0", "/off", "/Off", "/OFF")
    def test_off(self, off: str) -> None:
        match = loads(record(f"; Set Pos=--A-A{'-' * 15}b{'-' * 5}/0", f"  1) 62: 4{off} 2{off}"))
        assert match.games[0].final().result.winner is Player.WHITE

    @loop.over(
        "text",
        ["8/7(2) 6/5(2)", "8/7 8/7 6/5 6/5", "6/5(2) 8/7 8/7", "8/7*(2) 6/5(2)", "8/7(2)* 6/5(2)", "8/7* 8/7 6/5(2)"],
    )
    def test_repeats_and_stars(self, text: str) -> None:
        """A star stands before or after the number, or is missing: the checkers decide what is hit."""
        match = loads(record(OPENING, f"  2) 11: {text}"))
        assert plays(match)[-1] == "8/7*(2) 6/5(2)"
        assert worst(match) == set()

    @loop.rows("text", "24/20*/14", "24/20* 20/14", "24/20 20/14", "20/14 24/20*", "24/14")
    def test_joined_steps(self, text: str) -> None:
        """A joined text without a star goes the way that hits nothing, here by 18."""
        match = loads(record("  1) 41: 6/5 24/20                64: " + text.replace("24/20", "24/20"), score=SCORE))
        assert worst(match) == set()
        assert str(plays(match)[-1]) == ("24/14" if text == "24/14" else "24/20*/14")

    def test_a_doublet_hits_on_its_way(self) -> None:
        match = loads(record(f"; Set Pos=---a-a-A{'-' * 5}A{'-' * 12}/0", "  1) 22: 7/3 13/9"))
        assert plays(match) == ["13/9 7/5*/3*"]

    def test_two_steps_off(self) -> None:
        match = loads(record(f"; Set Pos={'-' * 9}A{'-' * 10}b{'-' * 5}/0", "  1) 65: 9/off"))
        assert match.games[0].final().result.winner is Player.WHITE

    @loop.rows("text", "Cannot Move", "cannot move", "", "0/0")
    def test_no_play(self, text: str) -> None:
        board = f"; Set Pos={'-' * 19}{'b' * 6}A/0"
        match = loads(record(board, f"  1) 66: {text:<25}21: 6/5 6/4"))
        assert plays(match) == ["no play", "6/4 6/5"]


class TestCubeWords:
    @loop.rows("words", "Doubles => 2", "Doubles ==> 2", "Doubles", "doubles=>2", "Double => 2")
    def test_doubles(self, words: str) -> None:
        match = loads(
            record(f"  1) 31: 8/5 6/5                  {words}", "  2)  Takes                       61: 13/7 8/7")
        )
        assert match.games[0].final().cube == Cube(2, Player.WHITE)
        assert worst(match) == set()

    def test_beavers_of_gnubg(self) -> None:
        """Written by GNU Backgammon 1.07: a raccoon is a beaver again, nothing says that it was taken, then a blank."""
        match = loads(
            record(
                "  1) 31: 8/5 6/5                  Doubles => 2",
                "  2)  Beavers => 4                Beavers => 8",
                "  3)                             62: 24/18 13/11 ",
                "  4) 11: 8/7* 8/7 6/5 5/4        55: ",
                "  5)  Doubles => 16               Beavers => 32",
                "  6)  Drops                       Wins 16 points ",
                length=0,
            )
        )
        result = match.games[0].final().result
        assert (result.winner, result.points, match.rules.beavers) == (Player.BLACK, 16, 2)
        assert referee(match) == ()


class TestScores:
    """Across games: what follows from what."""

    def games(self, *scores: tuple[int, int], last: str = "      Wins 2 points") -> Match:
        """Games to 3, won by Ann for two points each, with these scores before them; the last may go on otherwise."""
        text = " 3 point match\n"
        for number, (white, black) in enumerate(scores, start=1):
            end = last if number == len(scores) else "      Wins 2 points"
            text += f"\n Game {number}\n Ann : {white}                         Bob : {black}\n{OPENING}\n{end}\n"
        return loads(text)

    def test_a_game_after_the_match(self) -> None:
        match = self.games((0, 0), (2, 0), (4, 0))
        (finding,) = [finding for finding in referee(match) if finding.severity is Severity.ERROR]
        assert (finding.kind, finding.line, len(match.games)) == (FindingKind.SCORE_DOES_NOT_FOLLOW, 14, 2)
        assert "won the match" in finding.explanation

    def test_a_double_in_the_crawford_game(self) -> None:
        (finding,) = [
            finding
            for finding in referee(self.games((0, 0), (2, 0), last="  2)  Doubles => 2                Drops"))
            if finding.severity is Severity.ERROR
        ]
        assert (finding.kind, finding.game) == (FindingKind.ILLEGAL_ACTION, 2)
        assert "Crawford" in finding.explanation


NACK = "Illegal play (7;0;1;0;0;a;b;0;0;0;1;0;0;-2;-2;0;0;0;4;0;3;0;0;0;-4;4;0;0;0;-3;0;-4;0;0;0;2;2;0;5;1;)"


class TestDailyGammon:
    """It puts a board before the first roll, as an illegal play of a roll that nobody made."""

    @loop.rows(
        ("rows", "opening", "by"),
        ((f"  1) 12: {NACK} 51: 24/23 23/18", "  2) 54: 24/20 23/18                43: 24/20 23/20"), (1, 5), "b"),
        ((f"  1)                                 12: {NACK}", "  2) 51: 24/23 23/18"), (5, 1), "a"),
    )
    def test_nackgammon(self, rows: tuple[str, ...], opening: tuple[int, int], by: str) -> None:
        match = loads(record(*rows))
        assert (match.rules.start, match.games[0].start.position) == ("nackgammon", Position.start("nackgammon"))
        first, second, *_ = match.games[0].events
        assert first == Event(Action.OPENING_ROLL, argument=opening)
        assert (second.argument, match.players[second.by].lower()[0]) == ("24/18", by)
        assert [str(finding.kind) for finding in referee(match)] == ["unfinished-game"]
        assert match.rolls == sum(row.count(":") for row in rows) - 1
        assert loads(dumps(match)).games == match.games == loads(dumps(match, "sgf")).games

    @loop.rows("side", 0, 1)
    def test_another_board_is_set_by_hand(self, side: int) -> None:
        """Here the player who rolls first has a checker on the 9 point instead of the 8 point."""
        dump_ = NACK.replace("-2;-2;0;0;0;4;0;3;0;", "-2;-2;0;0;0;4;0;2;1;")
        rows = (f"  1) 12: {dump_} 51: 24/18", "") if side else (f"  1){' ' * 33}12: {dump_}", "  2) 51: 24/18")
        match = loads(record(*rows))
        seen = Position.of({24: 2, 23: 2, 13: 4, 9: 1, 8: 2, 6: 4}, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4})
        assert match.games[0].events[0] == SetPosition(seen, [*Player][side], Cube())
        assert (plays(match), worst(match), match.rules.start) == (["24/18"], set(), "standard")

    def test_games_that_begin_differently(self) -> None:
        other = record(OPENING, *DROPPED).split("\n\n", 1)[1].replace("Game 1", "Game 2").replace("Ann : 0", "Ann : 1")
        match = loads(record(f"  1) 12: {NACK} 51: 24/18", *DROPPED) + other)
        assert [game.start.position for game in match.games] == [Position.start()] * 2
        first, second = (game.events[0] for game in match.games)
        assert (first, second) == (
            SetPosition(Position.start("nackgammon"), Player.BLACK, Cube()),
            Event(Action.OPENING_ROLL, argument=(3, 1)),
        )


class TestBackgammonApp:
    """It writes XGIDs below its games, and a word behind each move that it cannot explain."""

    def test_identifiers_below_the_games(self) -> None:
        xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10\n"
        text = record(OPENING, *DROPPED)
        match = loads(text + "\n" + xgid * 3)
        assert [(str(finding.kind), str(finding.severity)) for finding in match.findings] == [
            ("unreadable-line", "info")
        ]
        assert (match.games, match.rolls) == (loads(text).games, 2)

    def test_a_move_that_it_calls_illegal(self) -> None:
        rows = "  1) 31: 8/5 ILLEGAL? 6/5 illegal?  62: 24/18 13/11", "  2) 41: 13/9 6/5 ILLEGAL?"
        match = loads(record(*rows))
        assert plays(match) == ["8/5 6/5", "24/18 13/11", "13/9 6/5"]
        assert [note for note in match.games[0].notes if note] == ["ILLEGAL?\nillegal?", "ILLEGAL?"]
        assert worst(match) == set()
        assert worst(loads(record(OPENING, "  2) 41: 13/9 7/5 ILLEGAL?"))) == {"illegal-play"}


class TestSetByHand:
    START = "; Set Pos=-b----E-C---eE---c-e----B-/{}"

    @loop.rows("cube", "0", "-1", "1")
    def test_before_the_first_row(self, cube: str) -> None:
        match = loads(record(self.START.format(cube), "  1)                             42: 8/4 6/4"))
        position_set = [finding for finding in referee(match) if finding.kind is FindingKind.POSITION_SET]
        assert [(finding.severity, finding.line) for finding in position_set] == [(Severity.INFO, 5)] * (cube != "0")
        assert match.games[0].events[0].position == Position.start()

    def test_twice(self) -> None:
        """Only the last one counts."""
        text = record(self.START.format("1"), self.START.format("0"), "  1)                             42: 8/4 6/4")
        assert loads(text).games[0].events[0].cube == Cube()

    def test_after_the_first_row(self) -> None:
        match = loads(record(OPENING, self.START.format("0"), "  2) 11: 8/7(2) 6/5(2)"))
        assert worst(match) == {"unreadable-line"}
        assert len(plays(match)) == 3
