"""Plays as text: liberal in reading, canonical in writing, and three different refusals."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, strategies as st

import loop
import reference
import wording
from boards import board_of, boards, closed_boards, position_of, rolls, tight_turns, turns, wasteful_turns
from fuzzing import plays as written_plays
from gammonrules import Position
from gammonrules.board import AmbiguousPlayError, IllegalPlayError, IllegalPlayReason as Reason, Move, Play, notation
from gammonrules.board.internals import legal_play
from gammonrules.errors import ParseError
from reference import Step, sequences
from spelling import spellings

START = Position.start()
any_boards = st.one_of(boards(), closed_boards())
through_blots = tight_turns(places=range(14, 25), most=1, besides=(1,), near=(1, 0), far=(0, 1))


def against(mine: dict[int | str, int], theirs: dict[int, int]) -> Position:
    """A position with the opponent's checkers in the mover's numbering, as the worked cases are written."""
    return Position.of(mine=mine, theirs={25 - point: count for point, count in theirs.items()})


LONE_RUNNER = {24: 1, 1: 14}
HITS = against(LONE_RUNNER, {22: 1, 18: 1, 16: 1})
ENTERING = against({"bar": 2, 6: 2, 8: 11}, {22: 1, 4: 1, 1: 2})


DANCE = against({13: 5, "bar": 1}, {24: 2, 21: 2, 1: 2})
TWO_ON_THE_BAR = against({13: 3, "bar": 2}, {21: 2, 1: 2})


class TestReading:
    @loop.rows(
        ("position", "roll", "written", "texts"),
        (START, "62", "24/16", ["24/18/16", "24/16", "24/22/16", "24/18 18/16", "18/16 24/18", " 24/16\n"]),
        (START, "31", "8/5 6/5", ["6/5 8/5", "6/5  8/5", "6/5\t8/5", "8/5 6/5 ", "8-5 6-5", "6-5, 8-5"]),
        (START, "31", "24/20", ["24-23-20", "24-20", "24/20"]),
        (START, "11", "8/7(2) 6/5(2)", ["6/5(2) 8/7(2)", "8/7 6/5 8/7 6/5", "6/5 6/5 8/7 8/7", "8/7 8/7 6/5(2)"]),
        (START, "33", "13/7 8/5(2)", ["13/7 8/5(2)", "13/10/7 8/5(2)", "13/10 10/7 8/5(2)", "10/7 8/5 8/5 13/10"]),
        (ENTERING, "43", "bar/21 bar/22*", ["bar/22* bar/21", "BAR/22* BAR/21", "Bar/22 Bar/21", "25/22 25/21"]),
        (ENTERING, "33", "bar/22*(2) 6/3(2)", ["bar/22(2)* 6/3(2)", "25/22(2) 6/3(2)", "bar/22* bar/22 6/3 6/3"]),
        (ENTERING, "22", "bar/23(2) 6/4*(2)", ["6/4*(2) bar/23(2)", "6/4(2)* bar/23(2)", "6/4* 6/4 bar/23(2)"]),
        (against({4: 1, 2: 2}, {24: 2}), "53", "4/off 2/off", ["4/0 2/0", "4/OFF 2/Off", "2/off 4/off", "2/0 4/off"]),
        (DANCE, "41", "no play", ["", "NO PLAY", "Cannot Move", "cannot move\n", "Pass", "pass", "no move", ()]),
        (TWO_ON_THE_BAR, "43", "bar/22", ["Bar/22 Pass", "bar/22, pass", "bar-22 pass"]),  # as OpenSpiel writes it
        (HITS, "62", "24/22*/16*", ["24/22*/16", "24/22/16"]),  # a named point decides
    )
    def test_spellings(self, position, roll, written, texts):
        plays = position.legal_plays(roll)
        assert {str(plays.find(text)) for text in [*texts, written]} == {written}

    def test_moves(self):
        plays = START.legal_plays("31")
        expected = plays.find("8/5 6/5")
        for moves in (
            [Move(8, 5), Move(6, 5)],
            (Move(6, 5), Move(8, 5)),
            iter([Move(6, 5), Move(8, 5)]),
            expected.moves,
        ):
            assert plays.find(moves) == expected

    @loop.rows("times", 5, 15)
    def test_more_repeats_than_dice(self, times):
        """As many as there are checkers can be read; no roll allows them."""
        with wording.tells(IllegalPlayError, reason=Reason.DIE_NOT_ROLLED):
            START.legal_plays("11").find(f"6/5({times})")

    def test_combined_bear_off_may_use_both_dice(self):
        """With 6-1 the checker on 5 can leave by the 6 alone; by itself the text means 5/4/off, which uses both."""
        plays = against({5: 1, 2: 2}, {24: 2}).legal_plays("61")
        assert plays.find("5/off") == plays.find("5/4/off")
        assert plays.find("5/off 2/1") != plays.find("5/off")

    @given(any_boards, rolls(), st.randoms(use_true_random=False))
    def test_every_sequence_in_every_spelling(self, board, dice, rng):
        position = position_of(board)
        plays = position.legal_plays(dice)
        paths = list(sequences(board, dice).items())
        for path, after in rng.sample(paths, min(4, len(paths))):
            for text in spellings(path, rng):
                assert board_of(plays.find(text).position.flip()) == after, text
            moves = [Move(step.start, step.end, hit=step.hits) for step in path]
            assert board_of(plays.find(moves).position.flip()) == after


class TestAsPasted:
    @loop.rows(
        ("position", "roll", "written", "texts"),
        (START, "31", "8/5 6/5", [
            "8/5; 6/5", "8/5;6/5;", "8\u20135 6\u20135", "8\u22125, 6\u20145", "8\u21925 6\u21925",
            "8\u27a1\ufe0f5 6\u21d25", "8\u20445 6\u22155", "8/5\u00a06/5",
            "\uff18\uff0f\uff15\u3000\uff16\uff0f\uff15", "\ufeff8/5 6/5\u200b",
            "8/5 6/5?", "8/5 6/5!?", "8/5 6/5.", "(8/5 6/5)", "[8/5 6/5],", "`8/5 6/5`", '"8/5 6/5".',
            "**8/5 6/5**", "*8/5 6/5*", "***8/5 6/5***.", "_8/5 6/5_", "**(8/5 6/5)**", "\u201c8/5 6/5\u201d",
            "31: 8/5 6/5", "13: 8/5 6/5", "3-1: 8/5 6/5", "31:8/5 6/5", "3\u20131: 8-5 6-5",
            "**31: 8/5 6/5**", "**31:** 8/5 6/5",
        ]),
        (START, "11", "8/7(2) 6/5(2)", ["(8/7(2) 6/5(2))", "**8/7(2) 6/5 (2)**", "11: 6/5(2); 8/7 (2)!"]),
        (ENTERING, "43", "bar/21 bar/22*", [
            "B/21 b/22*", "b-22 b-21", "**B/22* b/21**", "**b/21 B/22***", "b/21 b/22*.", "43: B\u219221 B\u219222",
        ]),
        (against({4: 1, 2: 2}, {24: 2}), "53", "4/off 2/off", ["4/o 2/O", "4\u2192off 2\u2192o"]),
        (DANCE, "41", "no play", ["(no play)", "Cannot Move.", "41: Cannot Move", "**pass**"]),
    )  # fmt: skip
    def test_spellings(self, position, roll, written, texts):
        plays = position.legal_plays(roll)
        assert {str(plays.find(text)) for text in texts} == {written}
        assert {str(legal_play(plays, text)) for text in texts} == {written}

    @loop.rows(
        ("text", "stated"),
        ("52: 8/5 6/5", "52"),
        ("33: 24/20", "33"),
        ("5-2: no play", "52"),
        ("**21:** 8/5 6/5!", "21"),
    )
    def test_a_roll_that_is_another(self, text, stated):
        """Whatever follows it, the moves are not even tried."""
        plays = START.legal_plays("31")
        with wording.tells(IllegalPlayError, f'"{text}" with 31', "roll", stated[0], reason=Reason.OTHER_POSITION):
            plays.find(text)
        assert legal_play(plays, text) is None

    @loop.rows(
        "text",
        *("31:", "31: ", "?", "()", "**", "* *", '""', "``", ".", ";", "\u200b.", "31: ?", "**31:**"),
        *("8/5** **6/5", "*8/5 6/5", "37: 8/5", "312: 8/5 6/5", "31; 31: 8/5", "31 8/5 6/5", "8/5? 6/5", "8=5 6=5"),
        *("6\u20135", "8\u20135 6/5", "8\u00bd", "\u0668/5 6/5", "8/5\u00b2", "bo/22", "\u202e8/5", ")8/5 6/5("),
    )
    def test_no_play(self, text):
        with pytest.raises(ParseError) as caught:
            START.legal_plays("31").find(text)
        wording.check(caught.value)

    @loop.rows("text", "*" * 200, "(" * 100 + ")" * 100, "(" * 99 + "8" + ")" * 100, "31:" * 66, '"' * 200)
    def test_marks_and_nothing_else(self, text):
        with pytest.raises(ParseError):
            START.legal_plays("31").find(text)


class TestWriting:
    @loop.rows(
        ("position", "roll", "text"),
        (START, "31", "8/5 6/5"),
        (against({24: 2, 1: 13}, {22: 1}), "62", "24/18 24/22*"),
        (START, "11", "8/7(2) 6/5(2)"),
        (START, "55", "13/3(2)"),
        (START, "55", "13/8(4)"),
        (against(LONE_RUNNER, {22: 1}), "62", "24/22*/16"),
        (against(LONE_RUNNER, {16: 1}), "62", "24/16*"),
        (HITS, "62", "24/22*/16*"),
        (against(LONE_RUNNER, {22: 1, 20: 1, 18: 1, 16: 1}), "22", "24/22*/20*/18*/16*"),
        (against({13: 1, "bar": 1}, {22: 1, 21: 1, 1: 2}), "43", "bar/21*/18"),
        (against({13: 1, "bar": 1}, {1: 2}), "21", "bar/22"),
        (against({7: 1, 5: 1, 1: 13}, {24: 2}), "61", "7/off"),
        (against({1: 15}, {24: 2}), "66", "1/off(4)"),
        (against({6: 2, 3: 2}, {24: 2}), "44", "6/2(2) 3/off(2)"),
        (against({13: 1, "bar": 2}, {1: 2}), "22", "bar/21 bar/23 13/11"),
        (against({24: 4, 1: 11}, {2: 2}), "55", "24/14 24/19(2)"),
        (against({24: 1, 22: 1, 6: 5}, {20: 1, 1: 5}), "22", "24/20* 22/20 6/4"),
    )
    def test_canonical(self, position, roll, text):
        """By the kernel, if there is one, and in Python."""
        play = position.legal_plays(roll).find(text)
        moves = [(move.from_point, move.to_point, move.hit) for move in play.moves]
        assert str(play) == notation.canonical_text(moves) == text

    @given(any_boards, rolls())
    def test_reads_back(self, board, dice):
        """In any spelling of its letters; the high points are written first, and only a pass has no moves."""
        plays = position_of(board).legal_plays(dice)
        for play in plays:
            text = str(play)
            assert plays.find(text) == plays.find(text.upper()) == plays.find(play.moves) == play
            assert text in repr(play)
            assert (text == "no play") == (play.moves == ())
            words = text.split() if play.moves else []
            sources = [25 if word.startswith("bar") else int(word.split("/")[0]) for word in words]
            assert sources == sorted(sources, reverse=True)


RUNNER_62 = {
    "B02": against(LONE_RUNNER, {16: 2}),
    "B06": against({24: 1, 8: 1, 1: 13}, {16: 2, 6: 2}),
    "C03": against(LONE_RUNNER, {15: 2}),
}

# position, roll, text, the broken rule, the play that proves it, words of the sentence
BROKEN = {
    "blocked": (START, "51", "24/19 6/5", Reason.BLOCKED_POINT, None, [" 24/19 ", " 19 ", "5 checkers"]),
    "blocked on the way": (
        against(LONE_RUNNER, {22: 2, 18: 2}), "62", "24/16", Reason.BLOCKED_POINT, None, [],
    ),
    "blocked entry": (TWO_ON_THE_BAR, "43", "bar/21 bar/22", Reason.BLOCKED_POINT, None, [" bar/21 ", " 21 "]),
    "bar first": (TWO_ON_THE_BAR, "43", "bar/22 13/9", Reason.BAR_FIRST, None, [" 13/9 ", "the bar"]),
    "bar first, no entry": (DANCE, "41", "13/9", Reason.BAR_FIRST, None, ["bar"]),
    "not all home": (START, "61", "6/off 8/7", Reason.NOT_ALL_HOME, None, ["home"]),
    "all home but one": (
        against({7: 1, 6: 2, 1: 12}, {24: 2}), "65", "6/off 6/1", Reason.NOT_ALL_HOME, None, [" 6/off ", "7"],
    ),
    "all home but one on the bar": (
        against({"bar": 1, 6: 2, 1: 12}, {24: 2}), "65", "6/off 6/1", Reason.BAR_FIRST, None, ["bar"],
    ),
    "higher checker": (
        against({5: 1, 2: 2}, {24: 2}), "61", "2/off 5/4", Reason.HIGHER_CHECKER_FIRST, None, [" 2/off ", "6", "4"],
    ),
    "higher checker is blocked": (
        against({6: 1, 2: 1}, {1: 2}), "55", "2/off", Reason.HIGHER_CHECKER_FIRST, None, ["higher"],
    ),
    "both dice": (RUNNER_62["B06"], "62", "24/18", Reason.BOTH_DICE, "24/22 8/2", ["both dice", "24/22 8/2"]),
    "both dice at the end": (against({3: 1}, {2: 1, 24: 1}), "31", "3/off", None, None, []),
    "half of the last checker": (against({2: 1}, {6: 2}), "61", "2/1", Reason.BOTH_DICE, "2/off", ["both dice"]),
    "higher die": (RUNNER_62["B02"], "62", "24/22", Reason.HIGHER_DIE, "24/18", ["one die", "6", "24/18"]),
    "two of a doublet": (RUNNER_62["C03"], "33", "24/21", Reason.MORE_OF_DOUBLET, "24/18", ["two 3s", "one"]),
    "three": (against(LONE_RUNNER, {12: 2}), "33", "24/18", Reason.MORE_OF_DOUBLET, None, ["three 3s", "two"]),
    "four of a doublet": (
        against({24: 4, 1: 11}, {2: 2}), "55", "24/9", Reason.MORE_OF_DOUBLET, None, ["four 5s", "three"],
    ),
    "die not rolled": (START, "31", "13/8 6/5", Reason.DIE_NOT_ROLLED, None, ["5 pips"]),
    "die played twice": (START, "31", "8/5 6/3", Reason.DIE_NOT_ROLLED, None, ["3"]),
    "a die twice on one way": (START, "31", "24/20/16", Reason.DIE_NOT_ROLLED, None, []),
    "six pips": (START, "31", "6/off", Reason.DIE_NOT_ROLLED, None, ["6 pips"]),
    "three dice": (START, "31", "8/5 6/5 24/23", Reason.DIE_NOT_ROLLED, None, []),
    "five of a doublet": (START, "11", "8/7(3) 6/5(2)", Reason.DIE_NOT_ROLLED, None, []),
    "no such checker": (START, "31", "23/20 6/5", Reason.NO_SUCH_CHECKER, None, [" 23/20 ", "23"]),
    "no checker on the bar": (START, "31", "bar/22 6/5", Reason.NO_SUCH_CHECKER, None, [" bar/22 ", "the bar"]),
    "no checker left": (START, "11", "24/23(3) 6/5", Reason.NO_SUCH_CHECKER, None, ["24"]),
    "the opponent's checker": (START, "31", "12/9 6/5", Reason.NO_SUCH_CHECKER, None, ["12"]),
    "backward": (START, "31", "5/8 6/5", Reason.MOVES_BACKWARD, None, [" 5/8 "]),
    "backward from off": (START, "31", "off/3 6/5", Reason.MOVES_BACKWARD, None, [" off/3 "]),
    "nowhere": (START, "31", "5/5", Reason.MOVES_BACKWARD, None, [" 5/5 "]),
    "backward to the bar": (START, "31", "24/bar 6/5", Reason.MOVES_BACKWARD, None, [" 24/bar "]),
    "nothing hit": (START, "31", "8/5* 6/5", Reason.NOTHING_HIT, None, ["5"]),
    "nothing hit on the way": (START, "65", "24/18*/13", Reason.NOTHING_HIT, None, [" 18,", "blot"]),
    "nothing hit at the end": (against(LONE_RUNNER, {22: 1}), "62", "24/16*", Reason.NOTHING_HIT, None, []),
    "must play": (START, "31", "no play", Reason.MUST_PLAY, None, []),
    "must play, no text": (START, "31", "", Reason.MUST_PLAY, None, []),
    "nothing to pass": (START, "31", "8/5 6/5 pass", Reason.DIE_NOT_ROLLED, None, ["pass"]),
    "a die is passed": (START, "31", "8/5 pass", Reason.BOTH_DICE, None, ["both dice"]),
    "blocked, then passed": (START, "51", "24/19 pass", Reason.BLOCKED_POINT, None, ["19"]),
    "half of a play": (START, "31", "8/5", Reason.BOTH_DICE, None, ["both dice"]),
    "half of a doublet": (START, "11", "8/7(2)", Reason.MORE_OF_DOUBLET, None, []),
    "game over": (Position.of(mine={}, theirs={6: 2}), "31", "6/5", Reason.GAME_OVER, None, ["over"]),
    "pass when over": (Position.of(mine={}, theirs={6: 2}), "31", "", Reason.GAME_OVER, None, ["over"]),
}  # fmt: skip
LEGAL_AFTER_ALL = {"both dice at the end"}  # 3/off is read as 3/2*/off: see below
NEEDS_A_WITNESS = {Reason.BOTH_DICE, Reason.HIGHER_DIE, Reason.MORE_OF_DOUBLET, Reason.MUST_PLAY}


GERMAN = {
    Reason.BLOCKED_POINT: "{move}: auf {point} stehen {count} gegnerische Steine",
    Reason.BAR_FIRST: "{move} geht erst, wenn kein Stein mehr auf der Bar ist",
    Reason.NOT_ALL_HOME: "{move} geht noch nicht: ein Stein steht auf {point}",
    Reason.HIGHER_CHECKER_FIRST: "{move} mit {dice} geht nicht: zuerst zieht der Stein auf {point}",
    Reason.BOTH_DICE: "{dice} sind beide spielbar: {witness}",
    Reason.HIGHER_DIE: "nur {dice} ist spielbar: {witness}",
    Reason.MORE_OF_DOUBLET: "{dice} sind spielbar, nicht nur {count}: {witness}",
    Reason.DIE_NOT_ROLLED: "{move} sind {pips} Augen, es gibt aber {dice}",
    Reason.NO_SUCH_CHECKER: "auf {point} steht kein eigener Stein (gegnerische: {count})",
    Reason.MOVES_BACKWARD: "Steine ziehen nur vorwärts",
    Reason.NOTHING_HIT: "auf {point} wird nichts geschlagen",
    Reason.MUST_PLAY: "man muss ziehen: {witness}",
    Reason.GAME_OVER: "das Spiel ist aus",
    Reason.OTHER_ORDER: "{move} geht nicht in dieser Reihenfolge",
    Reason.AMBIGUOUS: "das kann vieles heißen: {candidates}",
    Reason.OTHER_POSITION: "das gehört zu einer anderen Stellung",
}


class TestBrokenRules:
    def test_in_german(self):
        """From the facts alone, whoever raises the error."""
        tries: list[tuple[Any, Any]] = [
            (case[0].legal_plays(case[1]).find, case[2]) for name, case in BROKEN.items() if name not in LEGAL_AFTER_ALL
        ]
        late = against({4: 1, 2: 1, 1: 3}, {24: 2}).legal_plays("62")
        tries += [(HITS.legal_plays("62").find, "24/16"), (late.find, START), (late.is_complete, [(2, 0), (4, 2)])]
        told = set()
        for ask, play in tries:
            with pytest.raises(IllegalPlayError) as caught:
                ask(play)
            error = caught.value
            together = error.reason is Reason.DIE_NOT_ROLLED and error.move is None
            text = ("{dice}: das alles geht nicht" if together else GERMAN[error.reason]).format_map(vars(error))
            assert "None" not in text, (play, text)
            told.add(error.reason)
        assert told == set(GERMAN) == set(Reason)

    @loop.over("name", sorted(BROKEN.keys() - LEGAL_AFTER_ALL))
    def test_names_the_rule(self, name):
        position, roll, text, reason, witness, words = BROKEN[name]
        plays = position.legal_plays(roll)
        with pytest.raises(IllegalPlayError) as caught:
            plays.find(text)
        error = caught.value
        assert error.reason == reason
        start, message = f'"{text}" with {roll}:', str(error)
        assert message.startswith(start)
        wording.check(message.removeprefix(start), *words)
        if witness:
            assert error.witness == plays.find(witness)
        if reason in NEEDS_A_WITNESS:
            assert error.witness in plays
            assert str(error.witness) in message
        assert error.witness is None or error.witness in plays

    def test_a_joined_bear_off_is_the_play_that_uses_both_dice(self):
        """3/off with 3-1 while an opposing blot stands on 2: the text can only mean 3/2*/off, the one legal play."""
        plays = against({3: 1}, {2: 1, 24: 1}).legal_plays("31")
        assert str(plays.find("3/off")) == "3/2*/off"


@lru_cache(maxsize=4)
def series(board: reference.Board, dice: tuple[int, int]) -> dict[tuple[Step, ...], reference.Board]:
    """Every series of steps that arrives where a legal play does, one for each set of steps.

    What counts is where it arrives: with 61 and checkers on the 6 and 5 points, 6/off by the 6 alone is as good as
    6/5/off, though the 1 could be played.
    """
    arrivals, by_path = reference.results(board, dice), {}
    for order in reference.orders(dice):
        reached: dict[tuple[Step, ...], reference.Board] = {(): board}
        for die in order:
            reached = {
                tuple(sorted((*path, step))): after
                for path, before in reached.items()
                for step, after in reference.steps(before, die)
            }
            by_path |= {path: after for path, after in reached.items() if after in arrivals}
    return by_path


def covers(steps: list[Step], legs: list[tuple[int, int]], *, by_die: bool) -> bool:
    """Whether these steps can be those of the legs, each of which has one or, unless `by_die`, more."""
    if not legs:
        return not steps
    (start, end), *others = legs
    for index, step in enumerate(steps):
        left = steps[:index] + steps[index + 1 :]
        if step.start == start and step.end == end and covers(left, others, by_die=by_die):
            return True
        goes_on = step.start == start and step.end > end and not by_die
        if goes_on and covers(left, [(step.end, end), *others], by_die=by_die):
            return True
    return False


class TestMeaning:
    """What is written means the play that the brute force finds; where it finds several, the one that hits nothing
    on the way.
    """

    @given(turns(any_boards) | tight_turns() | wasteful_turns(), through_blots, st.randoms(use_true_random=False))
    def test_legal_or_nearly(self, anywhere, lone, rng):
        """As text, with some stops and stars left out, and as moves; also without the short way to read a text."""
        for board, dice in [anywhere, lone] * 5:
            plays = position_of(board).legal_plays(dice)
            steps = written_plays.some_steps(rng, plays)
            chains = written_plays.joined(rng, steps)
            if chains:
                text = written_plays.spelled(rng, chains)
                self.check(board, plays, chains, text, by_die=False)
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(notation, "_at_first_sight", lambda roll, chains: None)
                    self.check(board, plays, chains, text, by_die=False)
                moves = [(*leg, leg[1] in starred) for stops, starred in chains for leg in pairwise(stops)]
                self.check(board, plays, chains, moves, by_die=True)

    def check(self, board, plays, chains, said, *, by_die: bool) -> None:
        results = self.meant(board, tuple(plays.dice), chains, by_die=by_die)
        quiet = {after for after, is_quiet in results.items() if is_quiet}
        try:
            after = reference.flip(board_of(plays.find(said).position))
        except AmbiguousPlayError as error:
            assert all(play in plays for play in error.candidates)
            arrivals = {reference.flip(board_of(play.position)) for play in error.candidates}
            assert arrivals == (quiet or {*results})
            assert len(arrivals) > 1
        except IllegalPlayError as error:
            assert not results, said
            assert error.reason not in NEEDS_A_WITNESS if error.witness is None else error.witness in plays
        except ParseError:
            assert any(start == end for (start, *_, end), _ in chains), said
        else:
            assert after in results, said
            assert len(results) == 1 or quiet == {after}, said

    @staticmethod
    def meant(board, dice, chains, *, by_die: bool) -> dict[reference.Board, bool]:
        """Where these chains may lead, and whether that hits nothing but on the points that they name."""
        legs = [leg for stops, _ in chains for leg in pairwise(stops)]
        starred, named = ({stop for chain in chains for stop in chain[part]} for part in (1, 0))
        results: dict[reference.Board, bool] = {}
        for path, after in series(board, dice).items():
            hit = {step.end for step in path if step.hits}
            if starred <= hit and covers([*path], legs, by_die=by_die):
                results[after] = results.get(after, False) or hit <= named
        return results


class TestAmbiguity:
    """An unstarred move of one checker by several dice whose routes hit differently."""

    @loop.rows(
        ("position", "roll", "text", "candidates"),
        (HITS, "62", "24/16", ["24/22*/16*", "24/18*/16*"]),
        (against({13: 1, "bar": 1}, {22: 1, 21: 1, 1: 2}), "43", "bar/18", ["bar/21*/18", "bar/22*/18"]),
    )
    def test_is_refused(self, position, roll, text, candidates):
        plays = position.legal_plays(roll)
        with pytest.raises(AmbiguousPlayError) as caught:
            plays.find(text)
        wording.check(caught.value, f'"{text}" with {roll}', *candidates)
        assert set(caught.value.candidates) == {plays.find(candidate) for candidate in candidates}
        assert isinstance(caught.value, IllegalPlayError)
        assert caught.value.reason is Reason.AMBIGUOUS

    @loop.rows(
        ("position", "roll", "text", "meant"),
        (against(LONE_RUNNER, {22: 1}), "62", "24/16", "24/18/16"),
        (against(LONE_RUNNER, {22: 1, 16: 1}), "62", "24/16*", "24/18/16*"),
        (against({3: 1}, {1: 1}), "21", "3/off", "3/2/off"),
        (against(LONE_RUNNER, {22: 1, 18: 2}), "62", "24/16", "24/22*/16"),
        (against(LONE_RUNNER, {22: 1, 20: 1, 18: 1, 16: 1}), "22", "24/16", "24/22*/20*/18*/16*"),
    )
    def test_is_decided(self, position, roll, text, meant):
        plays = position.legal_plays(roll)
        assert plays.find(text) == plays.find(meant)


JUNK = [
    "6*/5", "6/5(16)", "6/5(00)", "hello", "6", "6/", "/5", "6//5", "6-5", "6/5/", "/", "*", "(2)", "6/5(0)",
    "6/5()", "6/5(x)", "6/5(2", "6/5)2(", "6/5**(", "26/20", "100/5", "6/5x", "x6/5", "6/-5", "-6/5", "6.0/5",
    "bar", "off", "bar/", "offf/3", "\0", "6/5\0", "8/5 6/5\0", "٦/٥", "6/5(۲)", "no", "cannot",
    "8-5", "8-5 6/5", "8-5/4", "8--5 6-5", "8-5 -6-5", "-8-5 6-5", "8- 5 6-5", "pass 8/5", "pass pass", "8/5 pass 6/5",
    "play", "no play 6/5", "6/5 no play", "????", "Illegal play", "²/1", "6/5(1e3)",
]  # fmt: skip


class TestJunk:
    @loop.over("text", JUNK)
    def test_cannot_be_read(self, text):
        with pytest.raises(ParseError) as caught:
            START.legal_plays("31").find(text)
        assert not isinstance(caught.value, IllegalPlayError)
        assert len(str(caught.value)) < 300
        assert "\0" not in str(caught.value)

    @loop.rows(
        "text",
        *("6/5(999999999)", "6/5(" + "9" * 100_000 + ")", "6/5 " * 100_000, "6/5" * 100_000),
        *("/".join(["6", "5"] * 100_000), "24/23/22/21/20/19/18/17/16/15/14/13/12/11/10/9/8/7/6/5/4/3/2/1/off"),
        *("9" * 100_000 + "/5", "x" * 1_000_000, " " * 1_000_000 + "x", "*" * 100_000, "6/5" + "*" * 100_000),
        *("(" * 100_000, "bar/" * 100_000, "\0" * 100_000),
    )
    def test_long_junk_is_refused_at_once(self, text):
        for roll in ("31", "11"):
            with pytest.raises((ParseError, IllegalPlayError)) as caught:
                START.legal_plays(roll).find(text)
            assert len(str(caught.value)) < 500

    @given(st.text(max_size=60) | st.text(st.sampled_from("0123456789/*() barofps\0-,"), max_size=30), rolls())
    @example("6/5*(2)*", (1, 1))
    @example("6/5(1)", (1, 1))
    @example("6/5*/4*", (1, 1))
    def test_any_text_is_a_play_or_refused(self, text, dice):
        plays = START.legal_plays(dice)
        try:
            assert isinstance(plays.find(text), Play)
        except (ParseError, IllegalPlayError) as error:
            assert len(str(error)) < 500

    def test_rng_is_not_global(self):
        """Reading text rolls no dice."""
        state = random.getstate()
        START.legal_plays("31").find("8/5 6/5")
        assert random.getstate() == state
