"""Who ended a game: in whatever way and column a record says it, the right player wins."""

from __future__ import annotations

import random
from pathlib import Path

import attrs
import pytest
from hypothesis import given, strategies as st

import loop
from fact_tables import table
from gammonrules import (
    MONEY,
    Action,
    Cube,
    Dice,
    End,
    Event,
    Forfeit,
    MatchState,
    Player,
    Position,
    Result,
    SetPosition,
    Win,
    strategies,
)
from gammonrules.match import Pair
from gammonrules.records import (
    FindingKind,
    Game,
    Match,
    RecordedResult,
    Severity,
    dumps,
    load,
    loads,
    lost_fields,
    referee,
)

WHITE, BLACK = Player
ENDINGS = Path(__file__).parents[2] / "data" / "matches" / "endings"

SCORE_LINE = " Ann : {}".ljust(34) + "Bob : {}"
OPENING = Event(Action.OPENING_ROLL, argument=(3, 1))


class Rows:
    """The rows of a game as they fill up, with either starter."""

    def __init__(self, score: tuple[int, int] = (0, 0), length: int = 7) -> None:
        self.head = [f" {length} point match", "", " Game 1", SCORE_LINE.format(*score)]
        self.rows: list[list[str]] = []
        self.tail: list[str] = []

    def add(self, side: Player, cell: str) -> None:
        if side is WHITE:
            self.rows.append([cell])
        elif self.rows and len(self.rows[-1]) == 1:
            self.rows[-1].append(cell)
        else:
            self.rows.append(["", cell])

    def extend(self, text: str) -> None:
        """More text in the last cell."""
        self.rows[-1][-1] += text

    def wins(self, side: Player, text: str) -> None:
        self.tail.append(" " * (6 if side is WHITE else 34) + text)

    @property
    def text(self) -> str:
        rows = [f"{number:3}) {row[0]:<27} {''.join(row[1:])}" for number, row in enumerate(self.rows, start=1)]
        return "\n".join([*self.head, *rows, *self.tail, ""])


def begun(
    first: Player, turns: int = 2, seed: int = 1, *, doubled: bool = False, length: int = 7
) -> tuple[Rows, Player]:
    """A game that has gone on for some turns, the same for either starter, and who is to play next."""
    rng, rows, side, position = random.Random(seed), Rows(length=length), first, Position.start()
    for turn in range(turns):
        if doubled and turn == turns - 1 > 0:
            rows.add(side, " Doubles => 2")
            rows.add(side.opponent, " Takes")
        dice = Dice.random(rng) if turn else Dice(3, 1)
        play = rng.choice(position.legal_plays(dice))
        rows.add(side, f"{dice}: {play if play.moves else ''}")
        position, side = play.position, side.opponent
    return rows, side


# How a record says that a player lost. Each takes the rows, the loser, who is next, and the points.


def unnumbered(rows: Rows, loser: Player, points: int) -> None:
    rows.tail.append(f" Losses {points} point")
    rows.tail.append("")
    rows.wins(loser.opponent, f"Wins {points} point")


def unnumbered_on_one_line(rows: Rows, _: Player, points: int) -> None:
    rows.tail.append(f" Losses {points} point          Wins {points} point")


def unnumbered_concession(rows: Rows, loser: Player, points: int) -> None:
    rows.tail.append(" Concedes")
    rows.wins(loser.opponent, f"Wins {points} point")


def unnumbered_without_wins(rows: Rows, _: Player, points: int) -> None:
    rows.tail.append(f" Losses {points} point")


def in_a_row(words: str):
    def end(rows: Rows, loser: Player, points: int) -> None:
        rows.add(loser, words.format(points))
        if loser is WHITE:
            rows.add(BLACK, f" Wins {points} point")
        else:
            rows.wins(WHITE, f"Wins {points} point")

    return end


def concession_alone(rows: Rows, loser: Player, points: int) -> None:
    rows.add(loser, f" Concedes {points} points")


def second_number(rows: Rows, loser: Player, points: int) -> None:
    """Another row number begins another row; the right player has none of their own."""
    if loser is WHITE:
        number = len(rows.rows) + (len(rows.rows[-1]) == 2)
        rows.extend(f"          {number})  Losses {points} point                 Wins {points} point")
    else:
        in_a_row(" Losses {} point")(rows, loser, points)


def wins_alone(rows: Rows, loser: Player, points: int) -> None:
    rows.wins(loser.opponent, f"Wins {points} point")


def wins_in_a_row(rows: Rows, loser: Player, points: int) -> None:
    rows.add(loser.opponent, f" Wins {points} point")


def resigned_in_winners_column(words: str):
    """As OpenGammon writes it: the words stand where the winner's "Wins" does."""

    def end(rows: Rows, loser: Player, points: int) -> None:
        rows.wins(loser.opponent, words)
        rows.wins(loser.opponent, f"Wins {points} point")

    return end


def resigned_in_a_row(rows: Rows, loser: Player, points: int) -> None:
    rows.add(loser.opponent, " Resigned Game")
    rows.wins(loser.opponent, f"Wins {points} point")


BY_THE_LAST_PLAYER = (unnumbered, unnumbered_on_one_line, unnumbered_concession, unnumbered_without_wins)
BY_THE_NEXT_PLAYER = (in_a_row("62: Concedes"), in_a_row("62: Resigns"), in_a_row("62: ????"), in_a_row("62:"))
BY_EITHER = (
    *(in_a_row(words) for words in (" Losses {} point", " Concedes", " Resigns", " ????", " ???", "00: ????")),
    in_a_row(" Resigns {} points"),
    *(resigned_in_winners_column(words) for words in ("Resigned Game", "Resigned Match", "resigned  game")),
    resigned_in_a_row,
    concession_alone,
    second_number,
    wins_alone,
    wins_in_a_row,
)
WAYS = [(end, True) for end in (*BY_THE_LAST_PLAYER, *BY_EITHER)]
WAYS += [(end, False) for end in (*BY_THE_NEXT_PLAYER, *BY_EITHER)]
"""How it ends, and whether the player of the last turn lost, or the one who is next."""


def summary(match: Match) -> tuple[Result | None, list[tuple[str, str]]]:
    """How the last game ended, and what the referee says of it."""
    findings = (finding for finding in referee(match) if finding.kind is not FindingKind.REPEATED_ROW_NUMBER)
    return match.games[-1].final().result, [(str(finding.kind), str(finding.severity)) for finding in findings]


class TestRealRecords:
    @loop.over("row", table(ENDINGS / "expected.tsv"), ids=lambda row: row["file"])
    def test_as_expected(self, row: dict[str, str]) -> None:
        match = load(ENDINGS / row["file"])
        game = match.games[int(row["game"]) - 1]
        final = game.final()
        assert match.length == int(row["length"])
        assert final.result.winner is (WHITE if row["winner"] == "left" else BLACK)
        assert game.stated.winner is final.result.winner
        assert (game.stated.points, "{}-{}".format(*final.score)) == (int(row["points_stated"]), row["score_after"])
        assert not any(finding.severity is Severity.ERROR for finding in referee(match))


class TestLoser:
    """Every way of saying who lost, in either column, after any number of turns."""

    @loop.over(("end", "by_last"), WAYS)
    @loop.over("first", Player)
    @loop.rows("turns", 2, 3)
    def test_in_either_column(self, end, by_last, first, turns) -> None:
        rows, following = begun(first, turns)
        loser = following.opponent if by_last else following
        end(rows, loser, 2)
        match = loads(rows.text)
        result, kinds = summary(match)
        assert result == Result(loser.opponent, Win.GAMMON, 2, End.RESIGNED), rows.text
        assert match.games[0].stated.winner in {None, loser.opponent}
        assert not [kind for kind, severity in kinds if severity != "info"], rows.text
        assert not match.games[0].cut
        assert summary(loads(dumps(match)))[0] == result

    def test_two_rows_on_a_line(self) -> None:
        """As GNU Backgammon glues them after a roll without its play."""
        rows = [
            "  1) 31: 8/5 6/5                 62: 24/18 13/11  2) 21: 13/11 6/5               43: 13/10 13/9",
            "      Wins 1 point",
        ]
        separate = [
            "  1) 31: 8/5 6/5                 62: 24/18 13/11",
            "  2) 21: 13/11 6/5               43: 13/10 13/9",
            "      Wins 1 point",
        ]
        head = "\n".join(Rows().head) + "\n"
        glued = loads(head + "\n".join(rows))
        assert glued == loads(head + "\n".join(separate))
        assert glued.games[0].rows[2:] == (1, 1, 2, 2, 2, 2, None, None)

    @loop.rows(
        ("lines", "winner"),
        # Board, drop and the loser's own words come before the column of the winner, and the doubt is reported.
        (["  2)  Losses 1 point", "      Wins 1 point"], BLACK),
        (["  2) 64: ????", "      Wins 1 point"], BLACK),
        (["  2)  Doubles => 2                Drops", " " * 34 + "Wins 1 point"], WHITE),
        ([" Losses 1 point", " " * 34 + "Wins 1 point"], WHITE),
        ([" " * 34 + "Losses 1 point", " " * 34 + "Wins 1 point"], WHITE),
    )
    def test_ends_that_contradict_each_other(self, lines, winner) -> None:
        rows = begun(WHITE)[0]
        rows.tail += lines
        match = loads(rows.text)
        assert match.games[0].final().result.winner is winner
        assert FindingKind.POINTS_MISMATCH in {finding.kind for finding in referee(match)}

    def test_an_offer_is_no_resignation(self) -> None:
        """A word before the opponent's roll is the opponent's."""
        rows = begun(WHITE)[0]
        rows.rows.append(["62:", "         Concedes"])
        rows.wins(WHITE, "Wins 1 point")
        assert loads(rows.text).games[0].final().result.winner is WHITE


class TestDoubtfulEnds:
    """Words that disagree about the winner, or may be those of the other player, never pass in silence."""

    @staticmethod
    def read(*lines: str, names: str = SCORE_LINE.format(0, 0), after: str = "") -> tuple[Match, set[tuple[str, str]]]:
        rows = begun(WHITE)[0]
        rows.head[-1] = names
        rows.tail += [*lines, after]
        match = loads(rows.text)
        return match, {
            (str(finding.kind), str(finding.severity)) for finding in referee(match) if finding.severity != "info"
        }

    @loop.rows("cell", "00: 13/7 8/7", "00:", "00: Cannot Move", "07: ????")
    @loop.over("side", Player)
    def test_no_resignation_by_an_impossible_roll(self, cell, side) -> None:
        match, kinds = self.read("  2)".ljust(5 if side is WHITE else 34) + cell)
        assert (match.games[0].final().result, match.score) == (None, (0, 0))
        assert kinds == {("illegal-action", "error")}

    @loop.rows("cell", "00: ????", "00: ???", "00: Concedes")
    def test_a_resignation_without_a_roll(self, cell) -> None:
        match, kinds = self.read(f"  2) {cell}")
        assert (match.games[0].final().result.winner, kinds) == (BLACK, set())

    @loop.rows("after", "\n Game 2\n" + SCORE_LINE.format(1, 0), "  3)".ljust(34) + "Losses 1 point")
    def test_two_players_who_resign(self, after) -> None:
        match, kinds = self.read("  2) 64: ????", after=after)
        assert match.games[0].final().result.winner is WHITE
        assert kinds == {("points-mismatch", "warning")}

    @loop.rows("words", "  2) 61: 13/7 8/7    Wins 1 point", "  2) 61:      Wins 1 point")
    def test_wins_behind_a_roll_in_the_left_column(self, words) -> None:
        match, kinds = self.read(words)
        assert match.games[0].final().result.winner is BLACK
        assert kinds == {("points-mismatch", "warning")}

    def test_both_before_the_first_roll(self) -> None:
        result, kinds = summary(loads(Rows().text + "      Losses 1 point\n".ljust(51) + "Wins 1 point\n"))
        assert (result.winner, result.end, [kind for kind, _ in kinds]) == (BLACK, End.FORFEITED, ["forfeit"])

    @loop.rows("names", "Ann : 0\tBob : 0", "Ann : 0 Bob : 0")
    @loop.rows("words", "Wins 1 point", "Losses 1 point", "????")
    def test_names_that_stand_left_of_the_cells(self, names, words) -> None:
        """The name says the right column, the rows say the left one."""
        assert self.read(f"  2)     {words}", names=names)[1] == {("points-mismatch", "warning")}
        assert not self.read(f"  2) {words}", names=names)[1]
        assert not self.read("  2)".ljust(34) + words, names=names)[1]

    @loop.rows(
        ("words", "win"),
        ("Resigns", Win.SINGLE),
        ("Concedes.", Win.SINGLE),
        ("Resigns (gammon)", Win.GAMMON),
        ("Concedes a Backgammon", Win.BACKGAMMON),
    )
    def test_the_level_in_words(self, words, win) -> None:
        match, kinds = self.read(f"  2) {words}")
        assert (match.games[0].final().result.win, kinds) == (win, set())
        assert loads(dumps(match)).score == match.score == (0, win.value)

    @loop.over("side", Player)
    @loop.rows("line", "      Wins 1 point", " " * 34 + "Wins 1 point", "  2)".ljust(34) + " Wins 1 point", "")
    def test_a_resignation_in_the_winners_column(self, side, line) -> None:
        """What "Wins" says counts more; without it, that a level is missing."""
        match, kinds = self.read(" " * (6 if side is WHITE else 34) + "Resigned Game", line)
        column = side if not line else WHITE if line.startswith("      W") else BLACK
        assert match.games[0].result == Result(column, Win.SINGLE, 1, End.RESIGNED)
        doubt = ("resign-odd-value" if not line else "points-mismatch", "warning")
        assert kinds == ({doubt} if not line or column is not side else set())

    @loop.rows("words", "Resigned", "Resigned Game 2", "Lost on time", "Accepts")
    def test_other_words_stay_an_error(self, words) -> None:
        match, kinds = self.read(f"      {words}", " " * 34 + "Wins 2 points")
        assert (match.games[0].result.winner, match.score) == (BLACK, (0, 2))
        assert kinds == {("unreadable-line", "error")}

    @loop.rows("words", "Resigns 3", "Concedes the match", "Resigns gamon")
    def test_a_level_that_is_not_known(self, words) -> None:
        match, kinds = self.read(f"  2) {words}")
        assert (match.score, kinds) == ((0, 1), {("resign-odd-value", "warning")})

    @loop.rows(("points", "win"), (4, Win.BACKGAMMON), (6, Win.BACKGAMMON), (3, Win.BACKGAMMON), (2, Win.GAMMON))
    @loop.rows("form", "mat", "sgf", "ogxm")
    def test_points_that_no_level_gives(self, points, win, form) -> None:
        """More than twice the cube is a backgammon, and the reader itself says that it guessed, once."""
        start = attrs.evolve(MatchState.new(None), rules=attrs.evolve(MONEY, jacoby=False))
        game = Game(1, start, (OPENING,), stated=RecordedResult(WHITE, points))
        match = loads(dumps(Match(("Ann", "Bob"), None, (game,)), form))
        assert match.games[0].result == Result(WHITE, win, int(win), End.RESIGNED)
        odd = [finding for finding in match.findings if finding.kind is FindingKind.RESIGN_ODD_VALUE]
        assert [finding.game for finding in odd] == ([1] if points > 3 else [])
        assert [finding for finding in referee(match) if finding.kind is FindingKind.RESIGN_ODD_VALUE] == odd

    @loop.rows("points", 0, -3)
    def test_points_that_nobody_wins(self, points) -> None:
        match, kinds = self.read("  2) 61: 13/7 8/6", f"      Wins {points} points")
        assert (match.score, kinds) == ((0, 0), {("illegal-play", "error")})
        _, kinds = self.read(f"      Wins {points} points", after=" Game 2\n" + SCORE_LINE.format(0, 0))
        assert kinds == {("resign-odd-value", "warning"), ("score-does-not-follow", "error")}
        game = Game(1, MatchState.new(7), (OPENING,), stated=RecordedResult(WHITE, points))
        assert loads(dumps(Match(("A", "B"), 7, (game,)))).games[0].final().result is None


class TestPlayersWhoChangeColumns:
    """The names of the first game are those of the match, so a later game that swaps them is reported."""

    @staticmethod
    def errors_of(
        first: tuple[str, str], last: tuple[str, str], score: tuple[int, int] = (0, 0)
    ) -> list[tuple[str, str]]:
        games = []
        for number, names in enumerate((first, last), start=1):
            line = f" {names[0]} : {score[0]}".ljust(34) + f"{names[1]} : {score[1]}"
            games.append(f" Game {number}\n{line}\n  1) 31: 8/5 6/5                 62: 24/18 13/11\n")
        match = loads(" 3 point match\n" + "\n".join(games) + "      Wins 3 points and the match\n")
        return [(str(finding.kind), finding.line) for finding in referee(match) if finding.severity is Severity.ERROR]

    @loop.rows(
        ("first", "last"),
        (("Ann", "Bob"), ("Bob", "Ann")),
        (("Ann,1500", "Bob,1612.5"), ("Bob,1600", "Ann,1512.5")),
        (("Ann", "Bob"), ("Bob", "")),
        (("Ann", "Bob"), ("Bobby", "Ann")),
    )
    def test_is_an_error(self, first, last) -> None:
        assert self.errors_of(first, last) == [("score-does-not-follow", 7)]

    @loop.rows(
        ("first", "last"),
        (("Ann", "Ann"), ("Ann", "Ann")),
        (("Ann,1500", "Bob,1612"), ("Ann,1512", "Bob,1600")),
        (("", "Bob"), ("Ann", "Bob")),
        (("Ann", "Bob"), ("Anne", "Bob Smith")),
    )
    def test_other_changes_are_none(self, first, last) -> None:
        assert self.errors_of(first, last) == []


class TestBadLastAction:
    """An action that cannot be replayed does not take the end of the game with it, which the record states."""

    ROWS = "  1) 31: 8/5 6/5                 62: 24/18 13/11\n  2) {}\n"

    @loop.rows("cell", "64: 24/18", "64: 24/18 x", "07: 8/1", "Takes", "64: Illegal play ()")
    @loop.rows(
        ("end", "points"),
        (" " * 34 + "Wins 2 points\n", 2),
        ("  3) Losses 1 point\n", 1),
        (" Game 2\n" + SCORE_LINE.format(0, 2), 2),
        (" " * 34 + "Wins 5 points\n Game 2\n" + SCORE_LINE.format(0, 3), 3),
    )
    def test_the_stated_end_is_taken(self, cell, end, points) -> None:
        match = loads(f" 7 point match\n Game 1\n{SCORE_LINE.format(0, 0)}\n{self.ROWS.format(cell)}{end}")
        game = match.games[0]
        assert (game.result, game.cut) == (Result(BLACK, Win(points), points, End.RESIGNED), False), (cell, end)
        assert any(finding.severity is Severity.ERROR for finding in match.findings)
        for form in ("mat", "sgf", "ogxm", "json"):
            assert loads(dumps(match, form)).games[0].result == game.result
        assert any(name.startswith("games[0].findings.") for name in lost_fields(match, "sgf"))

    @loop.rows(
        ("cell", "end"),
        ("64: 24/18", ""),
        ("64: 24/18", " " * 34 + "Wins 0 points"),
        ("64: 24/18                      52: 13/8 13/11", " " * 34 + "Wins 2 points"),
    )
    def test_not_without_an_end_or_if_the_game_goes_on(self, cell, end) -> None:
        match = loads(f" 7 point match\n Game 1\n{SCORE_LINE.format(0, 0)}\n{self.ROWS.format(cell)}{end}")
        assert (match.games[0].result, match.games[0].cut) == (None, True)

    @loop.rows(
        "text",
        "(;FF[4]GM[6]MI[length:7][ws:0][bs:0]PW[A]PB[B]RE[{}]\n;W[31hefe];B[62amxf])",
        "(;FF[4]GM[6]MI[length:7][ws:0][bs:0]PW[A]PB[B]RE[{}]\n;W[31hefe];B[zz])",
    )
    def test_in_sgf(self, text) -> None:
        match = loads(text.format("W+2R"))
        assert match.games[0].result == Result(WHITE, Win.GAMMON, 2, End.RESIGNED)
        assert loads(text.format("")).games[0].cut
        assert loads(text.format("W+2R").replace("\n;W", "\n;B[99];W")).games[0].cut


class TestForfeits:
    @loop.over("loser", Player)
    @loop.rows("turns", 0, 1, 2, 3)
    @loop.rows("points", 5, 7)
    def test_of_the_whole_match(self, loser, turns, points) -> None:
        """No level of resignation gives so many points: those that are needed, or the match length."""
        score = (2, 0) if loser is BLACK else (0, 2)
        rows = begun(WHITE, turns)[0]
        rows.head[-1] = SCORE_LINE.format(*score)
        in_a_row(" Losses {} point")(rows, loser, points)
        match = loads(rows.text)
        assert match.games[0].final().result == Result(loser.opponent, None, points, End.FORFEITED)
        assert match.score[loser.opponent] == 2 + points
        (forfeit,) = [finding for finding in referee(match) if finding.kind is FindingKind.FORFEIT]
        assert forfeit.severity is Severity.WARNING
        assert {finding.kind for finding in referee(match)} == {FindingKind.FORFEIT, FindingKind.AND_THE_MATCH}
        assert loads(dumps(match)) == match

    @loop.rows(
        ("length", "points", "end"),
        (7, 6, End.RESIGNED),  # neither needed nor the length: nonsense
        (3, 3, End.RESIGNED),  # a backgammon
        (5, 5, End.FORFEITED),
        (0, 5, End.RESIGNED),  # money play has no match to forfeit
    )
    def test_only_what_no_resignation_explains(self, length, points, end) -> None:
        rows = begun(WHITE, length=length)[0]
        in_a_row(" Losses {} point")(rows, WHITE, points)
        assert loads(rows.text).games[0].final().result.end is end

    @loop.over("winner", Player)
    @loop.rows("points", 16, 1004)
    @loop.over(
        ("cube", "needed", "won", "win"),
        [(1, 1, 3, Win.BACKGAMMON), (1, 4, 4, None), (2, 4, 6, Win.BACKGAMMON), (2, 7, 7, None)],
    )
    def test_more_points_than_the_cube_allows_are_a_backgammon(self, winner, points, cube, needed, won, win) -> None:
        """Or a forfeit in the last game, where even a backgammon would not win the match."""
        rows = begun(WHITE, doubled=cube == 2)[0]
        score = (7 - needed, 0) if winner is WHITE else (0, 7 - needed)
        rows.head[-1] = SCORE_LINE.format(*score)
        rows.wins(winner, f"Wins {points} points")
        match = loads(rows.text)
        result, kinds = summary(match)
        assert (match.winner, result) == (winner, Result(winner, win, won, End.RESIGNED if win else End.FORFEITED))
        assert any(severity == "warning" for _, severity in kinds)
        assert loads(dumps(match)) == match
        earlier = loads(f"{rows.text}\n Game 2\n{SCORE_LINE.format(*score)}\n").games[0]
        assert earlier.result == Result(winner, Win.BACKGAMMON, 3 * cube, End.RESIGNED)

    @loop.over("loser", Player)
    def test_by_a_comment(self, loser) -> None:
        rows = begun(WHITE)[0]
        rows.wins(loser.opponent, "Wins 2 points")
        rows.tail.append(f"; {Pair(('Ann', 'Bob'))[loser.opponent]} wins by forfeit")
        match = loads(rows.text)
        assert match.games[0].final().result == Result(loser.opponent, None, 2, End.FORFEITED)
        assert match.games[0].events[-1] == Forfeit(loser, 2)
        assert match.games[0].comments == ()
        assert loads(dumps(match)) == match

    @loop.rows("comment", "Cy wins by forfeit", "Ann wins by forfeit?", "wins by forfeit")
    def test_other_comments_stay(self, comment) -> None:
        rows = begun(WHITE)[0]
        rows.wins(WHITE, "Wins 2 points")
        rows.tail.append(f"; {comment}")
        (game,) = loads(rows.text).games
        assert (game.comments, game.final().result.end) == ((comment,), End.RESIGNED)

    def test_a_comment_after_the_end_of_a_game_awards_the_rest_of_the_match(self) -> None:
        """As BgMatchFormat_Lib writes it; its games end by play or by a drop."""
        rows = begun(WHITE, length=3)[0]
        rows.wins(BLACK, "Wins 1 point")
        rows.tail.append("; Ann wins by forfeit")
        match = loads(rows.text)
        assert [game.result for game in match.games] == [
            Result(BLACK, Win.SINGLE, 1, End.RESIGNED),
            Result(WHITE, None, 3, End.FORFEITED),
        ]
        assert (match.winner, match.score, [game.comments for game in match.games]) == (WHITE, (3, 1), [(), ()])
        (forfeit,) = [finding for finding in referee(match) if finding.kind is FindingKind.FORFEIT]
        assert (forfeit.game, forfeit.text, forfeit.line) == (2, "Ann wins by forfeit", len(rows.text.splitlines()))

    @loop.rows(
        ("length", "following"),
        (0, ""),  # money play has no points that are needed
        (7, "\n Game 2\n" + SCORE_LINE.format(0, 0)),  # the match went on
    )
    def test_a_comment_that_awards_nothing_is_reported(self, length, following) -> None:
        rows = begun(WHITE, length=length)[0]
        rows.tail += ["; Ann wins by forfeit", following]
        game, *_ = (match := loads(rows.text)).games
        assert (game.result, game.comments) == (None, ("Ann wins by forfeit",))
        assert ("forfeit", "warning") in summary(match)[1]

    def test_a_comment_in_mid_match_awards_nothing(self) -> None:
        """The points that are still needed cannot be those of a game that another one follows."""
        rows = begun(WHITE, length=3)[0]
        rows.wins(BLACK, "Wins 1 point")
        rows.tail += ["; Ann wins by forfeit", "\n Game 2\n" + SCORE_LINE.format(0, 1)]
        match = loads(rows.text)
        assert [game.comments for game in match.games] == [("Ann wins by forfeit",), ()]
        (forfeit,) = [finding for finding in referee(match) if finding.kind is FindingKind.FORFEIT]
        assert (forfeit.game, forfeit.explanation.startswith("nothing is awarded")) == (1, True)

    @loop.rows("ended", False, True)
    def test_somebody_else_wins_nothing(self, ended) -> None:
        rows = begun(WHITE)[0]
        if ended:
            rows.wins(WHITE, "Wins 2 points")
        rows.tail.append("; Cy wins by forfeit")
        result, kinds = summary(loads(rows.text))
        assert (result is not None, ("forfeit", "warning") in kinds) == (ended, not ended)

    @given(
        strategies.matches(
            starts=st.sampled_from([None, 1, 2, 3, 5]).map(MatchState.new), max_games=3, max_turns=3
        ).map(lambda match: attrs.evolve(match, players=("Ann", "Bob"))),
        st.integers(0, 3),
        st.sampled_from(Player),
    )
    def test_a_comment_under_any_match(self, match, left_out, winner) -> None:
        """It never takes points away, and gives all that are needed, unless it tells how a stated end came about."""
        *games, last = match.games
        last = attrs.evolve(last, events=last.events[: len(last.events) - left_out])
        text = dumps(attrs.evolve(match, games=(*games, last)))
        before, after = loads(text), loads(f"{text}; {match.players[winner]} wins by forfeit\n")
        result = before.games[-1].result
        is_its_end = result is not None and (result.end, result.winner) == (End.RESIGNED, winner)
        if match.length is None or before.winner is not None or is_its_end:
            assert (after.score, len(after.games)) == (before.score, len(before.games))
        else:
            assert after.winner is winner
            assert after.score[winner] == match.length
            assert after.score[winner.opponent] == before.score[winner.opponent]
        assert [finding.kind for finding in referee(after)].count(FindingKind.FORFEIT) == 1
        assert loads(dumps(after)) == after

    def test_a_position_set_by_hand_takes_it_back(self) -> None:
        board = SetPosition(Position.start(), WHITE)
        match = Match.from_events(("Ann", "Bob"), MatchState.new(5), [OPENING, Forfeit(BLACK), board])
        assert (match.games[0].final().result, match.score) == (None, (0, 0))

    def test_judged_where_the_game_is_over(self) -> None:
        given_up = Event(Action.RESIGN, BLACK, Win.SINGLE), Event(Action.ACCEPT, WHITE)
        game = Game(1, MatchState.new(3), (OPENING, *given_up, Forfeit(BLACK)))
        (finding,) = referee(Match(("Ann", "Bob"), 3, (game,)))
        assert (finding.kind, finding.text) == (FindingKind.ILLEGAL_ACTION, "forfeit")

    def test_other_points_than_those_awarded(self) -> None:
        game = Game(
            1, MatchState.new(5), (OPENING, Forfeit(BLACK)), stated=RecordedResult(WHITE, 2, and_the_match=True)
        )
        (finding,) = referee(Match(("Ann", "Bob"), 5, (game,)))
        assert (finding.kind, finding.explanation) == (FindingKind.POINTS_MISMATCH, "5 points were awarded, not 2")


class TestMidMatch:
    """A record that begins in the middle of a match does not say whether the Crawford game is over."""

    def record(self, *rows: str, score: tuple[int, int] = (6, 5)) -> Match:
        rows_of_record = Rows(score)
        rows_of_record.tail += ["  1) 31: 8/5 6/5                 62: 24/18 13/11", *rows]
        return loads(rows_of_record.text)

    @loop.rows("score", (6, 5), (5, 6), (0, 6))
    def test_a_cube_in_use_proves_a_game_after_it(self, score) -> None:
        trailer = WHITE if score[0] < score[1] else BLACK
        if trailer is WHITE:
            rows = ["  2)  Doubles => 2                Takes", "  3) 61: 13/7 8/7"]
        else:
            rows = ["  2) 61: 13/7 8/7                 Doubles => 2", "  3)  Takes"]
        match = self.record(*rows, score=score)
        assert [finding.kind for finding in referee(match)] == [FindingKind.UNFINISHED_GAME]
        start = match.games[0].start
        assert (start.crawford, start.post_crawford) == (False, True)
        assert match.games[0].final().cube.value == 2

    def test_without_evidence_it_is_said_what_was_assumed(self) -> None:
        match = self.record("      Wins 1 point and the match")
        assert match.games[0].start.crawford
        assumed = next(finding for finding in referee(match) if finding.kind is FindingKind.CRAWFORD_ASSUMED)
        assert (assumed.severity, assumed.game, assumed.line) == (Severity.INFO, 1, 4)

    @loop.rows("score", (0, 0), (5, 5), (6, 6))
    def test_other_scores_leave_no_doubt(self, score) -> None:
        kinds = {finding.kind for finding in referee(self.record("      Wins 1 point", score=score))}
        assert FindingKind.CRAWFORD_ASSUMED not in kinds

    def test_nor_do_matches_without_the_rule(self) -> None:
        game = Rows((6, 5))
        text = '; [Crawford "Off"]\n' + game.text + "  1) 31: 8/5 6/5                  Doubles => 2\n"
        assert [finding.kind for finding in referee(loads(text))] == [FindingKind.UNFINISHED_GAME]

    def test_games_that_are_missing(self) -> None:
        """The score jumps, so there may have been a Crawford game in between."""
        text = self.record("      Wins 1 point", score=(0, 0)) and begun(WHITE)[0].text + "      Wins 1 point\n"
        text += "\n Game 2\n" + SCORE_LINE.format(5, 6) + "\n  1)" + " " * 31 + "31: 8/5 6/5\n  2)  Doubles => 2\n"
        kinds = {finding.kind for finding in referee(loads(text))}
        assert kinds == {
            FindingKind.SCORE_DOES_NOT_FOLLOW,
            FindingKind.RESIGN_WITHOUT_MARKER,
            FindingKind.UNFINISHED_GAME,
        }


class TestCappedPoints:
    """Some programs cap the points of the last game, at those still needed or at the match length."""

    @loop.rows(
        ("stated", "kind"),
        (8, None),
        (7, FindingKind.CAPPED_POINTS),
        (5, FindingKind.CAPPED_POINTS),
        (6, FindingKind.POINTS_MISMATCH),
    )
    @loop.over("winner", Player)
    def test_a_gammon_at_four(self, stated, kind, winner) -> None:
        events = (OPENING, Event(Action.RESIGN, winner.opponent, Win.GAMMON), Event(Action.ACCEPT))
        score = (2, 0) if winner is WHITE else (0, 2)
        start = attrs.evolve(MatchState.new(7, score=score).opening_roll(3, 1), cube=Cube(4, WHITE))
        game = Game(1, start, events[1:], stated=RecordedResult(winner, stated, and_the_match=True))
        kinds = [finding.kind for finding in referee(Match(("Ann", "Bob"), 7, (game,)))]
        expected = FindingKind.RESIGN_ODD_VALUE if kind is FindingKind.POINTS_MISMATCH else kind
        assert kinds == ([] if expected is None else [expected])


class TestCoinGames:
    """BackgammonGalaxy writes one game of money play as a match to 16."""

    SITE = '; [Site "BackgammonGalaxy"]\n'

    @loop.rows("name", "match8239468.txt", "match8794401.txt")
    def test_is_money_play_with_the_jacoby_rule(self, name) -> None:
        """A gammon with a centered cube counts one point, as stated."""
        match = load(ENDINGS / name)
        (game,) = match.games
        assert {(state.length, state.rules) for state in game.states()} == {(None, MONEY)}
        assert (game.final().view(game.winner).outcome.win, game.result.points) == (Win.GAMMON, 1)
        assert [finding.kind for finding in referee(match)] == [FindingKind.COIN_GAME]
        assert (match.length, match.winner, repr(match).split(", ")[1]) == (16, None, "coin game")
        assert loads(dumps(match)) == loads(dumps(match, "json")) == match
        assert lost_fields(match, "mat") == ()

    def test_sgf_carries_the_play_and_not_the_length(self) -> None:
        match = load(ENDINGS / "match8239468.txt")
        again = loads(dumps(match, "sgf"))
        assert (again.length, again.games, again.rules) == (None, match.games, match.rules)
        assert lost_fields(match, "sgf") == ("length", "findings.coin-game")

    def test_in_files_of_gnu_backgammon(self) -> None:
        """It imports a coin game as a match to 16: so it counts the points, and so its analyses are decoded."""
        cube = "E ver 3 2C 1 0.000000 1" + 2 * " 0.504409 0.135071 0.005919 0.141011 0.006338 0.002272 0.500240"
        match = loads(
            "(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:16][game:0][ws:0][bs:0]PW[Ann]PB[Bob]"
            f"PC[BackgammonGalaxy]RU[Crawford]RE[B+2]\n;W[31hefe]\n;B[62]DA[{cube}])"
        )
        (game,) = match.games
        assert (match.length, match.is_coin_game, match.rules, game.start.length) == (16, True, MONEY, None)
        assert [str(finding.kind) for finding in match.findings] == [
            *("coin-game", "resign-without-marker", "resign-odd-value")
        ]
        analysis = list(game.decisions())[1].analysis
        assert analysis.mwc == (0.50024, 0.50024, None)
        assert analysis.no_double == pytest.approx(0.006, abs=0.001)
        assert lost_fields(match, "sgf")[:2] == ("length", "games[0].analyses.mwc")

    def test_in_texts_of_gnu_backgammon(self) -> None:
        """Their identifiers are those of a match to 16, and agree with the game all the same."""
        match = loads(
            "The score (after 0 games) is: Ann 0, Bob 0 (match to 16 points)\n\nMatch Information:\n"
            "Place: BackgammonGalaxy\n\nMove number 1:  Bob to play 41\n\n"
            " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAgGAgAAAAAE\n\n"
            "* Bob moves 24/23 13/9\n\nRolled 41 (-0.006):\n"
            "*    1. Cubeful 0-ply    24/23 13/9                   Eq.: -0.006\n"
            "       0.498 0.139 0.008 - 0.502 0.140 0.007\n"
        )
        (game,) = match.games
        assert (match.length, match.is_coin_game, match.rules, game.start.length) == (16, True, MONEY, None)
        assert [str(finding.kind) for finding in match.findings] == ["coin-game", "unfinished-game"]
        assert [(decision.action, decision.error) for decision in game.decisions()] == [("24/23 13/9", 0.0)]

    @loop.rows(
        ("text", "expected"),
        (SITE + Rows(length=16).text, True),
        (SITE + Rows(length=16).text.replace(SCORE_LINE.format(0, 0), "  1) 31: 8/5 6/5"), True),
        ('; [Site "Elsewhere"]\n' + Rows(length=16).text, False),
        (SITE + Rows(length=15).text, False),
        (SITE + Rows((1, 0), length=16).text, False),
        (SITE + Rows(length=16).text + "\n Game 2\n" + SCORE_LINE.format(0, 1), False),
    )
    def test_what_is_one(self, text, expected) -> None:
        assert loads(text).is_coin_game is expected


class TestLines:
    """Every finding that stems from a line of the file has it, counted from 1."""

    TEXT = """\
; [Variation "Tavli"]
 7 point match

 Game 1
 Ann : 0                           : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  1) 61: 13/7 8/6
      Wins 4 point and the match
nonsense
 Game 2
 Ann : 3                           : 0
  1) 31:                         62: 24/18 13/11
 Game 3
  1) 31: 8/5 6/5                  Doubles => 4
  2)  Drops                      Wins 3 point
"""

    @loop.rows("line_end", "\n", "\r\n", "\r")
    def test_every_finding(self, line_end) -> None:
        kinds = [(str(finding.kind), finding.line) for finding in referee(loads(self.TEXT.replace("\n", line_end)))]
        assert sorted(kinds) == sorted(
            [
                ("unknown-variation", 1),
                ("no-score-line", 5),
                ("repeated-row-number", 7),
                ("illegal-play", 7),
                *(("and-the-match-flag-mismatch", 8), ("resign-odd-value", 8), ("resign-without-marker", 8)),
                ("unreadable-line", 9),
                ("hidden-play", 12),
                ("unreadable-line", 13),
                ("illegal-action", 14),
                ("points-mismatch", 15),
            ]
        )

    def test_of_events(self) -> None:
        match = load(ENDINGS / "match7707286.txt")
        first, second = match.games
        assert (first.line, second.line) == (17, 35)
        assert first.lines[:5] == (18, 18, 18, 18, 19)
        assert second.lines == (36, 36, 36, 36, 37)
        assert len(first.lines) == len(first.rows) == len(first.events)
