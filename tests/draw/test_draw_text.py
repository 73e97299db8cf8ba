"""Text boards: pictures known by heart, and every checker read back from the picture."""

from __future__ import annotations

from textwrap import dedent

import attrs
import pytest
from hypothesis import given, strategies as st

import wording
from boards import positions
from gammonrules import ArgumentError, Cube, MatchState, Player, Position, Rules, Win
from gammonrules.draw import text
from gammonrules.draw.text import match_state
from gammonrules.rules import MONEY

WHITE, BLACK = Player.WHITE, Player.BLACK


def drawn(picture: str) -> str:
    """The picture as written in a test: without the newlines around it, and without common indentation."""
    return dedent(picture).strip("\n")


def upside_down(picture: str) -> str:
    """The same picture from the other side of the board."""
    title, *lines = picture.splitlines()
    return "\n".join([title, *lines[::-1]]).translate({ord("v"): "^", ord("^"): "v"})


def side_lines(picture: str) -> list[str]:
    """The text to the right of the board, from top to bottom, without empty lines."""
    return [text for line in picture.splitlines()[1:] if (text := line[49:])]


def read_back(picture: str) -> dict[tuple[str, int | str], int]:
    """How many checkers of which letter the picture shows where: points by the numbers at its edges, "bar", "off"."""
    _, top_edge, *rows, bottom_edge = picture.splitlines()
    seen: dict[tuple[str, int | str], int] = {}
    for edge, half in ((top_edge, rows[:5]), (bottom_edge, rows[:5:-1])):
        for column in [*range(2, 20, 3), *range(25, 43, 3)]:
            read_stack(half, column, int(edge[column : column + 3].strip("-")), seen)
        read_stack(half, 21, "bar", seen)
        beside = "".join(row[45:48] for row in half).replace(" ", "")
        if beside:
            seen[beside[0], "off"] = len(beside)
            assert set(beside) == {beside[0]}
    return seen


def read_stack(half: list[str], column: int, place: int | str, seen: dict[tuple[str, int | str], int]) -> None:
    cells = [row[column : column + 3].strip() for row in half]
    if cells[0]:
        seen[cells[0], place] = int(cells[4]) if cells[4].isdigit() else sum(map(bool, cells))


def counts_of(position: Position, mine: str, theirs: str) -> dict[tuple[str, int | str], int]:
    """The same counts from the position itself, in the numbering of the player on roll."""
    counts: dict[tuple[str, int | str], int] = {(mine, "off"): position.off, (theirs, "off"): position.opponent_off}
    counts[mine, "bar"] = position.points[25]
    counts[theirs, "bar"] = -position.points[0]
    for number in range(1, 25):
        counts[mine if position.points[number] > 0 else theirs, number] = abs(position.points[number])
    return {place: count for place, count in counts.items() if count}


class TestEveryCheckerIsInThePicture:
    """A picture is complete: points, bars and checkers off can be read back, with either player at the bottom."""

    @given(positions(over=True), st.booleans())
    def test_position(self, position: Position, flipped: bool) -> None:
        assert read_back(text.position(position, flipped=flipped)) == counts_of(position, "X", "O")

    @given(positions(), st.sampled_from(Player), st.booleans())
    def test_table(self, position: Position, bottom: Player, white_starts: bool) -> None:
        state = MatchState.new(length=None, position=position)
        state = state.opening_roll(white=5 if white_starts else 2, black=4)
        letters = ("X", "O") if white_starts else ("O", "X")
        assert state.position == (position if white_starts else position.flip())
        assert read_back(match_state(state, bottom=bottom)) == counts_of(state.position, *letters)

    @given(positions(over=True), st.booleans())
    def test_form(self, position: Position, flipped: bool) -> None:
        lines = text.position(position, flipped=flipped).splitlines()
        assert len(lines) == 14
        assert all(line == line.rstrip() for line in lines)
        assert lines[7][0] == "^" if flipped else "v"


class TestBoard:
    def test_str_of_a_position(self) -> None:
        assert str(Position.start()) == text.position(Position.start())

    def test_both_views(self) -> None:
        after = Position.start().play("24/23 13/10", "31")
        assert text.position(after) == drawn(
            """
             Position ID: 4HPiASjgc/ABMA
             +13-14-15-16-17-18------19-20-21-22-23-24-+     O: opponent
             | X     O     O    |   | O              X |     163 pips
             | X           O    |   | O              X |
             | X           O    |   | O                |
             | X                |   | O                |
             | X                |   | O                |
            v|                  |BAR|                  |
             |                  |   | X                |
             | O                |   | X                |
             | O           X    |   | X                |
             | O           X    |   | X                |
             | O           X    |   | X           O  O |     167 pips
             +12-11-10--9--8--7-------6--5--4--3--2--1-+     X: on roll
            """
        )
        assert text.position(after, flipped=True) == upside_down(text.position(after))

    def test_hypergammon(self) -> None:
        position = Position.of(mine={24: 1, 23: 1, 22: 1}, theirs={24: 1, 4: 1}, checkers=3)
        assert text.position(position).splitlines()[0] == " Position ID: CAAAAQAAFQAAAA (3 checkers a side)"
        assert side_lines(text.position(position)) == ["O: opponent", "28 pips", "69 pips", "X: on roll"]
        assert read_back(text.position(position)) == counts_of(position, "X", "O")
        crowded = Position.of(mine={6: 12, "bar": 3}, theirs={24: 6, "bar": 8})
        assert side_lines(text.position(crowded)) == ["O: opponent", "344 pips", "147 pips", "X: on roll"]
        single = Position.of(mine={1: 1}, theirs={2: 1}, checkers=1)
        assert text.position(single).splitlines()[0].endswith("(1 checker a side)")
        assert side_lines(text.position(single)) == ["O: opponent", "2 pips", "1 pip", "X: on roll"]


@pytest.fixture
def started() -> MatchState:
    """A match to 7 after White's 3-1; Black is to roll."""
    return MatchState.new(length=7).opening_roll(white=3, black=1).play("8/5 6/5")


class TestTable:
    def test_str_of_a_state(self, started: MatchState) -> None:
        assert str(started) == match_state(started)

    def test_both_views(self, started: MatchState) -> None:
        rolled = started.double().take().roll("64")
        assert match_state(rolled) == drawn(
            """
             Position ID: sGfwATDgc/ABMA
             +12-11-10--9--8--7-------6--5--4--3--2--1-+     O: Black
             | X           O    |   | O              X |     0 points
             | X           O    |   | O              X |     167 pips
             | X           O    |   | O                |     Rolled 64
             | X                |   | O                |
             | X                |   | O                |
            ^|                  |BAR|                  |     7 point match
             | O                |   |                  |
             | O                |   | X                |
             | O                |   | X                |
             | O           X    |   | X  X           O |     163 pips
             | O           X    |   | X  X           O |     0 points
             +13-14-15-16-17-18------19-20-21-22-23-24-+     X: White (Cube: 2)
            """
        )
        assert match_state(rolled, bottom=BLACK) == upside_down(match_state(rolled))

    def test_before_the_opening_roll_and_the_next(self, started: MatchState) -> None:
        assert side_lines(match_state(MatchState.new(length=None))) == [
            "O: Black", "0 points", "167 pips", "Money play (Cube: 1)", "Opening roll", "167 pips", "0 points",
            "X: White",
        ]  # fmt: skip
        assert side_lines(match_state(started)) == [
            "O: Black", "0 points", "167 pips", "On roll", "7 point match (Cube: 1)", "163 pips", "0 points",
            "X: White",
        ]  # fmt: skip

    def test_cube_offered_and_owned(self, started: MatchState) -> None:
        offered = started.double()
        assert side_lines(match_state(offered)) == [
            "O: Black", "0 points", "167 pips", "7 point match (Cube: 1)", "Cube offered at 2", "163 pips", "0 points",
            "X: White",
        ]  # fmt: skip
        assert "X: White (Cube: 2)" in side_lines(match_state(offered.take()))
        assert "7 point match" in side_lines(match_state(offered.take()))
        redoubled = offered.take().roll("64").play("24/14").double()
        assert "X: White (Cube: 2)" in side_lines(match_state(redoubled))
        assert "Cube offered at 4" in side_lines(match_state(redoubled))

    def test_beavers(self) -> None:
        state = MatchState.new(length=None, rules=attrs.evolve(MONEY, beavers=3))
        state = state.opening_roll(white=3, black=1).play("8/5 6/5").double()
        seen = []
        for _ in range(3):
            state = state.beaver()
            lines = match_state(state).splitlines()
            seen.append(next((line[49:], number < 7) for number, line in enumerate(lines) if "offered" in line))
        # Black, at the top, has doubled: a beaver is Black's to answer, a raccoon White's.
        assert seen == [
            ("Cube offered at 4 (beaver)", True),
            ("Cube offered at 8 (raccoon)", False),
            ("Cube offered at 16 (beaver 3)", True),
        ]

    def test_resignations(self, started: MatchState) -> None:
        assert "On roll, resigns a gammon" in side_lines(match_state(started.resign(Win.GAMMON, by=BLACK)))
        assert "Resigns a single game" in side_lines(match_state(started.resign(Win.SINGLE, by=WHITE)))
        rolled = started.roll("64")
        assert "Rolled 64, resigns a backgammon" in side_lines(match_state(rolled.resign(Win.BACKGAMMON, by=BLACK)))
        doubled = started.double().resign(Win.SINGLE, by=WHITE)
        assert "Cube offered at 2, resigns a single game" in side_lines(match_state(doubled))

    def test_results(self, started: MatchState) -> None:
        dropped = side_lines(match_state(started.double().drop()))
        assert "Black wins a single game (double dropped): 1 point" in dropped
        resigned = side_lines(match_state(started.double().take().resign(Win.BACKGAMMON, by=WHITE).accept()))
        assert "Black wins a backgammon (resigned): 6 points" in resigned
        assert "White wins the match" not in resigned
        forfeited = side_lines(match_state(started.forfeit(WHITE)))
        assert "Black wins by forfeit: 7 points" in forfeited
        assert "Black wins the match" in forfeited
        assert "White wins by forfeit: 2 points" in side_lines(match_state(MatchState.new(None).forfeit(BLACK, 2)))

    @given(
        loser=st.sampled_from(Player), win=st.sampled_from((*Win, None)), doubles=st.integers(0, 4), drops=st.booleans()
    )
    def test_a_result_has_the_message_of_the_board(
        self, loser: Player, win: Win | None, doubles: int, *, drops: bool
    ) -> None:
        """The same strings, in whatever way the game ended, and one line."""
        state = MatchState.new(None).opening_roll(3, 1).play("8/5 6/5")
        if drops:
            state = state.double().drop()
        elif win is None:
            state = state.forfeit(loser, 2**doubles)
        else:
            state = attrs.evolve(state, cube=Cube(2**doubles, loser) if doubles else Cube())
            state = state.resign(win, by=loser).accept()
        result = state.result
        assert result is not None
        assert str(result) in side_lines(match_state(state))
        assert str(result).endswith(": 1 point" if result.points == 1 else f": {result.points} points")
        assert repr(result).startswith("Result(")

    def test_end_of_the_match(self) -> None:
        last = Position.of(mine={1: 1}, theirs={6: 2})
        state = MatchState.new(length=1, position=last).opening_roll(white=3, black=1).play("1/off")
        assert read_back(match_state(state)) == counts_of(state.position, "O", "X")
        assert side_lines(match_state(state)) == [
            "O: Black", "0 points", "12 pips", "1 point match", "White wins a single game: 1 point",
            "White wins the match", "0 pips", "1 point", "X: White",
        ]  # fmt: skip

    def test_crawford_and_no_cube(self) -> None:
        crawford = MatchState.new(length=7, score=(6, 2))
        assert "7 point match (Crawford game)" in side_lines(match_state(crawford))
        after = MatchState.new(length=7, score=(6, 2), crawford=False)
        assert "7 point match, post-Crawford (Cube: 1)" in side_lines(match_state(after))
        state = MatchState.new(length=3, rules=Rules(cube=False))
        assert "3 point match (no cube)" in side_lines(match_state(state))

    @pytest.mark.parametrize("bottom", ["White", None, 1, True, Win.SINGLE])
    def test_bottom_that_is_no_player(self, started: MatchState, bottom: object) -> None:
        with wording.raises(ArgumentError, "bottom must be Player.WHITE or Player.BLACK, not "):
            match_state(started, bottom=bottom)  # type: ignore[arg-type]
