"""Games played at the same time, alone or in matches: what functions are asked, whose dice are rolled, what is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from itertools import pairwise
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st

import each
import loop
import wording
from gammonrules import Action, ArgumentError, Dice, DiceError, MatchState, Phase, Position, PositionError, Rules, batch
from gammonrules.batch._random_streams import Stream
from gammonrules.board import START_NAMES
from matches_in_batch import anything, behind, careful, rng

START = Position.start()
NO_ROLLS = "dice: expected whole numbers of the shape (2, T, 2), rolls for each game, or a function"
OF_TURNS = {"points", "dice", "moves", "cubes", "owners"}
runs = each.first("runs", [40, 1_000])
"""How many games are compared with those of shorter runs."""


def lead(states: batch.MatchStates, _: np.random.Generator) -> Any:
    """Doubles and takes with a lead; the same decision for the same state."""
    mine, theirs = batch.pip_counts(states.view(states.to_act)).T
    offers = np.where(mine < theirs, Action.DOUBLE, Action.ROLL)
    return np.where(states.phase == Phase.DOUBLED, np.where(mine < 1.3 * theirs, Action.TAKE, Action.DROP), offers)


GAMES = partial(batch.play_games, start="hypergammon")
MATCHES = partial(batch.play_matches, cube=lead, length=3, rules=Rules(start="hypergammon"))
BOTH = pytest.mark.parametrize("play", [GAMES, MATCHES], ids=["games", "matches"])


def check_same(games: batch.Games, other: batch.Games, numbers: Iterable[int] | None = None) -> None:
    """The same games, or the same in those games or matches that have these numbers."""
    parts = [arrays_of(games, None if numbers is None else [*numbers]) for games in (games, other)]
    assert parts[0].keys() == parts[1].keys()
    for name, array in parts[0].items():
        assert np.array_equal(array, parts[1][name]), name


def arrays_of(games: batch.Games, numbers: list[int] | None) -> dict[str, np.ndarray[Any, Any]]:
    numbers_played = games.matches if isinstance(games, batch.MatchGames) else games.first + np.arange(len(games))
    which = np.isin(numbers_played, numbers_played if numbers is None else numbers)
    arrays = {name: array for name, array in attrs.asdict(games).items() if isinstance(array, np.ndarray)}
    arrays["lengths"] = np.diff(arrays.pop("offsets"))
    turns = np.repeat(which, games.lengths)
    return {name: array[turns if name in OF_TURNS else which] for name, array in arrays.items()}


class TestPhilox:
    """Whose numbers tests/batch/test_readings.py compares with those that its authors publish."""

    def test_uniform(self):
        """From 0 up to 1, each time the same, and not those of another turn, game or play."""
        stream = Stream(5)
        numbers_drawn = stream.uniform(np.repeat([0, 1], 5000), 0, 3, np.tile(np.arange(5000), 2))
        assert 0 <= numbers_drawn.min() < 0.001
        assert 0.999 < numbers_drawn.max() < 1
        assert abs(numbers_drawn.mean() - 0.5) < 0.01
        assert len(set(numbers_drawn.tolist())) == 10_000


def test_who_won_how_many():
    """As games say it; some of these are stopped."""
    games = batch.random_games(40, rng=rng(), max_turns=120)
    white, black, stopped = ((games.winners == winner).sum() for winner in (0, 1, -1))
    assert min(white, black, stopped) > 0
    assert f"40 games, White won {white}, Black {black}, {stopped} without result; " in repr(games)


class TestEachGameByItself:
    """A game depends on the generator and its number, not on how many games there are, or on who plays the others."""

    @runs
    @pytest.mark.parametrize("choose", [anything, careful])
    def test_however_many(self, choose, runs):
        many = batch.play_games(runs, choose, rng=rng())
        for first, last in ((0, 1), (0, 10), (runs // 2, runs // 2 + 10), (runs - 5, runs)):
            some = batch.play_games(last - first, choose, rng=rng(), first=first)
            check_same(some, many, range(first, last))
        check_same(batch.play_games(runs, choose, rng=rng()), many)

    def test_however_many_matches(self):
        many = MATCHES(30, anything, rng=rng())
        check_same(many, MATCHES(7, anything, rng=rng()), range(7))
        check_same(many, MATCHES(5, anything, rng=rng(), first=12), range(12, 17))

    @runs
    def test_random_games(self, runs):
        many = batch.random_games(runs, rng=rng())
        check_same(batch.random_games(10, rng=rng(), first=runs - 10), many, range(runs - 10, runs))

    @loop.rows("play", batch.play_games, partial(MATCHES, cube=None, length=None))
    def test_dice_do_not_depend_on_who_plays(self, play):
        """Duplicate dice: if the players change seats, the rolls are the same as long as both games last."""
        runs = [
            play(30, choose, rng=rng())
            for choose in ((careful, anything), (anything, careful), careful, batch_generator)
        ]
        for number in range(30):
            for shorter, other in pairwise(runs):
                least = min(shorter.lengths[number], other.lengths[number])
                assert np.array_equal(shorter[number][1][:least], other[number][1][:least])
                assert shorter.starters[number] == other.starters[number]

    def test_other_generators_other_games(self):
        assert not np.array_equal(batch.random_games(9, rng=rng(1)).final, batch.random_games(9, rng=rng(2)).final)
        source = rng(1)
        assert not np.array_equal(batch.random_games(9, rng=source).final, batch.random_games(9, rng=source).final)

    def test_one_number_is_drawn(self):
        used, fresh = rng(), rng()
        batch.random_games(9, rng=used)
        fresh.integers(0, 2**64, dtype=np.uint64)
        assert used.integers(0, 2**60) == fresh.integers(0, 2**60)


def batch_generator(turns: batch.Turns, rng: np.random.Generator) -> np.ndarray:
    """Draws from the caller's generator, as many numbers as there are games."""
    return turns.offsets[:-1] + rng.integers(0, turns.counts)


class TestTurns:
    """What a function that chooses is asked."""

    def test_what_it_gets(self):
        seen: list[batch.Turns] = []

        def choose(turns, rng):
            seen.append(turns)
            return turns.random_rows()

        games = batch.play_games(20, choose, rng=rng(), first=100)
        assert sum(map(len, seen)) == len(games.points)
        for number, turns in enumerate(seen):
            assert isinstance(turns, batch.LegalPlays)
            assert set(turns.numbers.tolist()) == {number}
            rows = games.offsets[turns.games - 100] + number
            assert set(turns.on_roll.tolist()) == set(games.on_roll[rows].tolist()) == {number % 2}
            assert np.array_equal(numbers_in(games)["games"][rows], turns.games)
            assert np.array_equal(games.points[rows], turns.boards)
            assert np.array_equal(games.dice[rows], turns.dice)
            plays = batch.legal_plays(turns.boards, turns.dice)
            assert np.array_equal(plays.points, turns.points)
            assert np.array_equal(plays.offsets, turns.offsets)
        for turns in seen[:2]:
            for array in (turns.boards, turns.dice, turns.games, turns.numbers, turns.on_roll):
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0
                with pytest.raises(ValueError, match="cannot set WRITEABLE flag to True"):
                    array.setflags(write=True)
        assert repr(seen[0]).startswith("<Turns of 20 games: ")

    @loop.rows(("start", "checkers"), ("standard", 15), ("hypergammon", 3), ("hypergammon1", 1))
    def test_how_many_checkers_the_game_has(self, start: str, checkers: int) -> None:
        """So a gammon is told from a single win, wherever a function chooses, also if it has some of the games."""
        asked = list[batch.Turns]()

        def choose(turns, rng):
            asked.append(turns)
            return turns.random_rows()

        def other(turns, rng):
            return choose(turns, rng)

        rules = Rules(start=start, cube=False)
        games = batch.play_games(8, (choose, other), rng=rng(), start=start)
        results = np.concatenate([batch.outcomes(turns.points, checkers=turns.checkers) for turns in asked])
        assert {*np.abs(games.results).tolist()} <= {*np.abs(results).tolist()}
        batch.play_matches(3, (choose, other), rng=rng(), rules=rules)
        batch.rollout(Position.start(start), 36, choose, rng=rng(), max_turns=9, evaluate=lambda rows: rows[:, 0] * 0.0)
        own = batch.MatchStates.new(1, None, rules=rules).apply("opening_roll", dice=[(3, 1)])
        asked.append(batch.Turns.of(own.points, [(3, 1)], rng=rng(), states=own))
        asked.append(batch.Turns.of([Position.start(start).points], [(3, 1)], rng=rng(), checkers=checkers))
        assert {turns.checkers for turns in asked} == {checkers}

    @BOTH
    def test_errors_of_the_function_are_passed_on(self, play):
        def choose(turns, rng):
            raise RuntimeError("no idea")

        with pytest.raises(RuntimeError, match="no idea"):
            play(2, choose, rng=rng())

    @BOTH
    def test_a_function_for_each_player(self, play):
        """White's and Black's: the games are those of one function that asks who is on roll."""

        def of(player):
            def choose(turns, _):
                assert set(turns.on_roll.tolist()) == {player}
                return turns.offsets[:-1] if player else turns.offsets[1:] - 1

            return choose

        def both(turns, _):
            return np.where(turns.on_roll, turns.offsets[:-1], turns.offsets[1:] - 1)

        check_same(play(7, (of(0), of(1)), rng=rng(5)), play(7, both, rng=rng(5)))

    @BOTH
    def test_arguments_that_mean_nothing(self, play):
        usual = {"n": 3, "rng": rng(), "choose": anything}
        for name, value in (("n", -1), ("n", 2**33), ("first", -1), ("max_turns", 0.5), ("choose", None), ("rng", 7)):
            with wording.tells(ArgumentError, name, str(value)[:2]):
                play(**(usual | {name: value}))
        with pytest.raises(ArgumentError, match=r"^n must"):
            play(**usual, first=2**32)


def rolled(*dice: tuple[int, int], **rules: Any) -> batch.MatchStates:
    """States at the first roll of White."""
    states = [MatchState.new(7, rules=Rules(**rules)).opening_roll(*roll) for roll in dice]
    return batch.MatchStates.from_states(states)


def numbers_in(games: batch.Games) -> dict[str, Any]:
    """For each row, the numbers of its game and of its turn."""
    rows = [(games.first + game, turn) for game, length in enumerate(games.lengths) for turn in range(length)]
    return dict(zip(("games", "numbers"), np.array(rows).T, strict=True))


class TestTurnsOfOnesOwn:
    def test_they_are_what_a_game_asks_about(self) -> None:
        """The same choices, from the boards and rolls of games that were played."""
        games = batch.play_games(5, careful, rng=np.random.default_rng(1))
        rng = np.random.default_rng(1)
        turns = batch.Turns.of(games.points, games.dice, rng=rng, on_roll=games.on_roll, **numbers_in(games))
        assert turns.moves[careful(turns, np.random.default_rng(1))].tolist() == games.moves.tolist()
        assert turns.boards.tolist() == games.points.tolist()
        assert [turns.games.dtype, turns.numbers.dtype, turns.on_roll.dtype] == [np.int64, np.int64, np.int8]
        assert not turns.points.flags.writeable

    def test_no_row_of_a_game_that_is_over(self):
        turns = batch.Turns.of([Position.of(mine={6: 1}).points, START.points], [(3, 1)] * 2, rng=rng())
        with wording.raises(ArgumentError, "board 0 has no plays: its game is over"):
            turns.random_rows()

    def test_with_the_score_and_the_cube(self) -> None:
        """A policy that reads them plays as in its matches."""
        asked = list[batch.Turns]()

        def by_score(turns, rng):
            asked.append(turns)
            return turns.best(turns.points[:, 25] * (turns.states.away[:, 0] - 3)[turns.board_numbers])

        batch.play_matches(10, by_score, rng=rng(), length=3, rules=Rules(start="hypergammon"))
        for turns in asked[:40]:
            again = batch.Turns.of(turns.boards, turns.dice[:, ::-1], rng=rng(), states=turns.states)
            assert again.on_roll.tolist() == turns.on_roll.tolist()
            assert by_score(again, rng()).tolist() == by_score(turns, rng()).tolist()

    def test_what_may_be_left_out(self) -> None:
        turns = batch.Turns.of([Position.start().points] * 2, [Dice(3, 1), (6, 5)], rng=np.random.default_rng(1))
        assert [turns.games.tolist(), turns.numbers.tolist(), turns.on_roll.tolist()] == [[0, 1], [0, 0], [0, 0]]
        assert turns.dice.tolist() == [[3, 1], [6, 5]]
        with wording.raises(PositionError, "points, row 0: 15 checkers, 14"):
            batch.Turns.of([Position.start().points], [(3, 1)], rng=rng(), checkers=14)

    @loop.rows(
        ("changed", "example"),
        ({"games": [1]}, "games: expected a whole number for each of 2 boards, not int64 of shape (1,)"),
        ({"numbers": [0.0, 1.0]}, "numbers: expected a whole number for each of 2 boards, not float64"),
        ({"on_roll": [0, 2]}, "on_roll, index 1: 2 is not from 0 to 1"),
        ({"games": [-1, 2]}, "games, index 0: -1 is not from 0 to 4,294,967,295"),
        ({"states": batch.MatchStates.new(3, length=7)}, "states: expected one for each of 2 boards, not 3"),
        ({"states": rolled((6, 5), (6, 5))}, "states, index 0: it has another roll"),
        ({"states": rolled((3, 1), (6, 5), start="hypergammon")}, "states, index 0: it has another board"),
        ({"states": rolled((3, 1), (6, 5)), "on_roll": [0, 1]}, "states, index 1: it has another player on roll"),
        ({"states": rolled((3, 1), (6, 5)), "checkers": 14}, "checkers: 14 a side, but states has 15"),
        ({"checkers": 0}, "checkers must be a whole number from 1 to 15, not 0"),
        ({"rng": 7}, "rng must be a NumPy generator, not 7; write numpy.random.default_rng(7)"),
    )
    def test_no_turns(self, changed: dict[str, object], example: str) -> None:
        with wording.raises(ArgumentError, example):
            batch.Turns.of(
                [Position.start().points] * 2, [(3, 1), (6, 5)], **({"rng": np.random.default_rng(1)} | changed)
            )


class TestStarts:
    """Games may begin anywhere, each on its own board."""

    def test_one_for_each_game(self):
        some = batch.random_games(20, rng=rng())
        boards = some.points[some.offsets[:-1] + 3]
        games = batch.random_games(20, rng=rng(), start=boards)
        assert np.array_equal(games.points[games.offsets[:-1]], boards)
        assert (games.start, some.start) == (None, "standard")
        check_same(batch.random_games(20, rng=rng(), start=batch.to_positions(boards)), games)
        check_same(batch.random_games(20, rng=rng(), start=boards.tolist()), games)
        alone = batch.random_games(1, rng=rng(), start=boards[7], first=7)
        check_same(alone, games, [7])
        boards[...] = 0
        assert (games.points[games.offsets[:-1]] != 0).any()  # a copy

    def test_same_board_for_all(self):
        for start in (START, START.points, list(START.points), np.array(START.points)):
            games = batch.random_games(50, rng=rng(), start=start)
            assert (games.points[games.offsets[:-1]] == START.points).all()
            assert any(high == low for high, low in games.dice[games.offsets[:-1]].tolist())  # no opening roll

    def test_checkers(self):
        hyper = Position.start("hypergammon")
        games = batch.random_games(50, rng=rng(), start=[hyper] * 50)
        assert games.checkers == 3
        check_same(batch.random_games(50, rng=rng(), start=hyper.points, checkers=3), games)
        assert not np.array_equal(batch.random_games(50, rng=rng(), start=hyper.points).results, games.results)

    @loop.rows(
        ("start", "error", "message"),
        ([START.points] * 3, ArgumentError, "start: expected one board, or one for each of 2 games, not 3"),
        ([START, "standard"], ArgumentError, "positions, index 1: expected a Position, not 'standard'"),
        (np.zeros((2, 25), int), PositionError, "start: points: expected the shape (N, 26), not (2, 25)"),
        (
            [[0] * 26] * 2,
            PositionError,
            "start: points, row 0: impossible position: both sides have borne off everything",
        ),
        ([START.points, [0] * 6 + [2] + [0] * 19], ArgumentError, "start, row 1: the game is over on this board"),
    )
    def test_impossible(self, start, error, message):
        with pytest.raises(error) as caught:
            batch.random_games(2, rng=rng(), start=start)
        assert str(caught.value) == message


class TestDice:
    """The caller may bring the dice."""

    def test_of_other_games(self):
        games = batch.random_games(20, rng=rng())
        rolls = np.zeros((20, int(games.lengths.max()), 2), int)
        for number, (_, dice, _) in enumerate(games):
            rolls[number, : len(dice)] = dice
        moves = {
            (int(g), int(t)): games.moves[games.offsets[g] + t] for g in range(20) for t in range(games.lengths[g])
        }

        def again(turns, _):
            wanted = np.array([moves[int(g), int(t)] for g, t in zip(turns.games, turns.numbers, strict=True)])
            return turns.best((turns.moves == wanted[turns.board_numbers]).all(axis=(1, 2)).astype(float))

        check_same(batch.play_games(20, again, rng=rng(9), dice=rolls), games)
        check_same(batch.play_games(20, again, rng=rng(9), dice=lambda games, _, turns: rolls[games, turns]), games)

    @BOTH
    def test_a_function(self, play):
        """It is asked for every roll of every game, once."""
        asked = []

        def throw(matches, games, rolls):
            asked.extend(zip(matches.tolist(), games.tolist(), rolls.tolist(), strict=True))
            return np.repeat([[6, 5]], len(games), axis=0)

        games = play(3, anything, rng=rng(), dice=throw, first=5)
        assert (games.dice == [6, 5]).all()
        alone = isinstance(games, batch.MatchGames)
        numbers = zip(games.matches, games.of_match, strict=True) if alone else ((5 + game, 0) for game in range(3))
        lengths = games.lengths.tolist()
        expected = [(*of, roll) for of, length in zip(numbers, lengths, strict=True) for roll in range(length)]
        assert sorted(asked) == expected

    @BOTH
    def test_an_array(self, play):
        rolls = rng().integers(1, 7, (3, 4, 2))
        rolls[:, 0] = [6, 2]
        games = play(3, anything, rng=rng(), dice=rolls, first=9, max_turns=4)
        assert np.array_equal(np.sort(games.dice), np.sort(rolls.reshape(12, 2)))

    @BOTH
    @loop.rows(
        ("dice", "message"),
        (np.ones((2, 5, 2), int), "dice, game 4, roll 0: an opening roll is not a doublet"),
        (np.tile([[2, 1]], (2, 3, 1)), "dice, game 4, roll 3: the array has only 3 rolls for one game"),
        (
            np.tile([[[2, 1]], [[7, 1]]], (1, 3, 1)),
            "dice, game 5, roll 0: a die must be a whole number from 1 to 6, not 7",
        ),
        (np.tile([2, 1], (3, 9, 1)), f"{NO_ROLLS}, not int64 of shape (3, 9, 2)"),
        ([(2, 1)], f"{NO_ROLLS}, not int64 of shape (1, 2)"),
        (lambda *numbers: [(2, 1)], "dice: expected a roll for each of 2 games, not int64 of shape (1, 2)"),
        (lambda *numbers: [(2, 1), (0, 1)], "dice, game 5, roll 0: a die must be a whole number from 1 to 6, not 0"),
        (
            lambda *numbers: np.full((2, 2), np.nan),
            "dice: expected a roll for each of 2 games, not float64 of shape (2, 2)",
        ),
    )
    def test_impossible(self, play, dice, message):
        with pytest.raises(DiceError) as caught:
            play(2, anything, rng=rng(), dice=dice, first=4)
        of_match = message if play is GAMES else re.sub(r"game (\d)", r"match \1, game 0", message)
        assert str(caught.value) == of_match


class TestLimit:
    """Games may be stopped; without a limit one that does not end is an error."""

    def test_stopped(self):
        whole, games = (batch.random_games(50, rng=rng(), max_turns=limit) for limit in (None, 60))
        ended = whole.lengths <= 60
        assert 0 < ended.sum() < 50
        assert np.array_equal(games.lengths, np.minimum(whole.lengths, 60))
        assert np.array_equal(games.results, np.where(ended, whole.results, 0))
        after = np.append(whole.points, np.zeros((1, 26), np.int8), axis=0)[whole.offsets[:-1] + 60]
        assert np.array_equal(games.final, np.where(ended[:, None], whole.final, after))
        none = batch.random_games(5, rng=rng(), max_turns=0)
        assert (none.offsets.tolist(), none.results.tolist()) == ([0] * 6, [0] * 5)
        assert (none.final == START.points).all()

    @loop.rows("limit", -1, 1.5, "9", True)
    def test_no_number(self, limit):
        with wording.raises(ArgumentError, f"max_turns must be a whole number from 0 on, not {limit!r}"):
            batch.random_games(1, rng=rng(), max_turns=limit)

    @BOTH
    def test_never_ending(self, play, monkeypatch):
        monkeypatch.setattr("gammonrules.batch._game_loop.MAX_TURNS", 3)
        place = "game 3" if play is GAMES else "match 3, game 0"
        with wording.raises(ArgumentError, f"choose: {place} has not ended after 3 turns; max_turns=3 keeps"):
            play(1, anything, rng=rng(), first=3)
        assert play(1, anything, rng=rng(), first=3, max_turns=3).results.tolist() == [0]


class TestEnd:
    """Games may end before a roll, with the equity of the board."""

    def test_what_remains_of_the_games(self) -> None:
        """Up to their ends they are those that are played on, and so are the others; each player has a function."""
        whole, games = (batch.play_games(24, (careful, partial(careful)), rng=rng(), end=end) for end in (None, behind))
        ended = np.flatnonzero(games.results == 0)
        assert len(ended) in range(5, 20)
        assert set((games.lengths[ended] % 2).tolist()) == {0, 1}
        check_same(whole, games, set(range(24)) - set(ended.tolist()))
        for game in ended:
            length, row = games.lengths[game], whole.offsets[game] + games.lengths[game]
            assert np.array_equal(games[game][0], whole[game][0][:length])
            assert np.array_equal(games.final[game], whole.points[row])
        assert np.isnan(behind(games.points)).all()
        white = np.where(games.lengths % 2 == 0, 1, -1)
        assert np.array_equal(games.equities[ended], (white * behind(games.final))[ended])
        assert np.array_equal(whole.equities, whole.results)
        assert set(games.winners[ended].tolist()) == {-1}
        on_roll = np.where(games.on_roll == 0, 1, -1) * np.repeat(games.equities, games.lengths)
        assert np.array_equal(games.lambda_returns(np.zeros(len(on_roll)), 1), on_roll)

    def test_when_it_is_asked(self) -> None:
        """Before every roll except an opening roll, also where a game would be stopped; with arrays that stay."""
        seen = list[np.ndarray]()

        def known(boards: np.ndarray) -> np.ndarray:
            seen.append(boards)
            return np.where(np.arange(len(boards)) == 1, 0.0, np.nan)

        games = batch.play_games(5, anything, rng=rng(), end=known, max_turns=2)
        assert games.lengths.tolist() == [2, 1, 2, 2, 2]
        assert np.array_equal(games.equities, [np.nan, 0, 0, np.nan, np.nan], equal_nan=True)
        assert np.array_equal(seen[0], batch.play_games(5, anything, rng=rng(), max_turns=1).final)
        assert batch.play_games(2, anything, rng=rng(), start=START, end=known, max_turns=0).lengths.tolist() == [0, 0]
        assert [len(boards) for boards in seen] == [5, 4, 2]
        with pytest.raises(ValueError, match="read-only"):
            seen[0][...] = 0

    @loop.rows(
        ("result", "example"),
        ([0.5, np.nan, -3.1], "end, index 2: game 9: equity is from -3 to 3 points, or NaN, not -3.1"),
        ([np.inf, 0, 0], "end, index 0: game 7: not inf"),
        ([[0.5, 0, 0, 0, 0], [np.nan] * 5, [0.5, 0.6, 0, 0, 0]], "end, index 2: game 9: win_gammon is 0.6"),
        ([[np.nan] * 5, [0.5, np.nan, 0, 0, 0], [np.nan] * 5], "end, index 1: game 8: win_gammon is nan"),
        ([0, 0, 0], "end returns one float for each of 3 boards, not int64 of shape (3,)"),
        ([0.5], "end returns one float for each of 3 boards, not float64 of shape (1,)"),
        (np.zeros((3, 4)), "end returns one float for each of 3 boards, not float64 of shape (3, 4)"),
        (None, "end returns one float for each of 3 boards, not object of shape ()"),
    )
    def test_nonsense(self, result: Any, example: str) -> None:
        with wording.raises(ArgumentError, example):
            batch.play_games(3, anything, rng=rng(), first=7, start=START, end=lambda boards: result)


class TestGames:
    """What is kept of games."""

    @given(seed=st.integers(0, 2**32), start=st.sampled_from([*START_NAMES, None]))
    def test_every_play_is_legal(self, seed, start):
        """A brute force over plays: each recorded play leads from one board to the next, and the last to `final`."""
        opening = Position.of(mine={6: 3, 24: 2}, theirs={6: 2, 2: 1}, checkers=5) if start is None else start
        games = batch.random_games(1, rng=rng(seed), start=opening, max_turns=60)
        boards = batch.to_positions(games.points, checkers=games.checkers)
        boards += batch.to_positions(games.final, checkers=games.checkers)
        assert boards[0] == (opening if start is None else Position.start(start))
        assert start is None or games.dice[0, 0] != games.dice[0, 1]
        for row, (position, after) in enumerate(pairwise(boards)):
            moves = [tuple(move) for move in games.moves[row].tolist() if move[0] >= 0]
            play = position.legal_plays(tuple(games.dice[row].tolist())).find(moves)
            assert play.position == after
        won = 0 if boards[-1].outcome is None else int(boards[-1].outcome.win)
        assert games.results[0] == (-won if games.on_roll[-1] else won)

    def test_rows(self):
        games = batch.random_games(30, rng=rng(), first=4)
        assert games.lengths.tolist() == [len(dice) for _, dice, _ in games]
        assert (games.on_roll[games.offsets[1:] - 1] == games.winners).all()  # whoever plays last has won
        assert (games.on_roll[games.offsets[:-1]] == games.starters).all()


class TestReturns:
    """The targets of TD(λ)."""

    @BOTH
    @pytest.mark.parametrize("limit", [None, 0, 1, 2, 40])
    def test_by_definition(self, play, limit):
        games, lam = play(8, anything, rng=rng(), max_turns=limit), 0.7
        values, final = rng().normal(size=len(games.points)), rng(2).normal(size=len(games))
        returns = games.lambda_returns(values, lam, final=final)
        for number in range(len(games)):
            rows = range(games.offsets[number], games.offsets[number + 1])
            sign = 1 if rows and games.on_roll[rows[-1]] == 0 else -1
            back = sign * int(games.results[number]) or -final[number] if rows else 0
            for row in reversed(rows):
                assert returns[row] == pytest.approx(back)
                back = -((1 - lam) * values[row] + lam * back)

    def test_what_is_wrong(self):
        games = batch.random_games(3, rng=rng(), max_turns=5)
        values = np.zeros(15)
        for wrong in (None, values[1:], np.full(15, np.nan), np.full(15, np.inf), ["a"] * 15, values + 1j):
            with pytest.raises(ArgumentError, match=r"^values"):
                games.lambda_returns(wrong, 0.5, final=np.zeros(3))
        for lam in (-0.1, 1.1, np.nan, None, "1", True, [0.5]):
            with pytest.raises(ArgumentError, match=r"^lam must be a number from 0 to 1, not "):
                games.lambda_returns(values, lam, final=np.zeros(3))
        with wording.raises(ArgumentError, "final: game 0 was stopped, so the value of its last board is needed"):
            games.lambda_returns(values, 0.5)
        with wording.raises(ArgumentError, "final: expected a number for each of 3 rows, not float64 of shape (2,)"):
            games.lambda_returns(values, 0.5, final=np.zeros(2))
        five = np.zeros((15, 5))
        with wording.raises(ArgumentError, "final: expected five for each of 3 rows, not float64 of shape (3,)"):
            games.lambda_returns(five, 0.5, final=np.zeros(3))
        five[7, 2] = np.nan
        with wording.raises(ArgumentError, "values, row 7: nan is not a finite number"):
            games.lambda_returns(five, 0.5, final=np.zeros((3, 5)))


QUICK = Rules(start="hypergammon", jacoby=False)


class TestFiveNumbers:
    """Chances where a network has five outputs: equities follow from them, whoever sees them."""

    def test_of_results(self) -> None:
        games = batch.random_games(200, rng=rng(), max_turns=90)
        for result, five in zip(games.results.tolist(), games.chances.tolist(), strict=True):
            won, lost = max(0, result), max(0, -result)
            expected = [won > 0, won > 1, won > 2, lost > 1, lost > 2] if result else [np.nan] * 5
            assert np.array_equal(five, expected, equal_nan=True)
        assert set(games.results.tolist()) >= {-3, -2, -1, 0, 1, 2, 3}

    def test_of_ends(self) -> None:
        """What the player on roll expects, as White sees it."""
        mine, theirs = [0.6, 0.3, 0.1, 0.2, 0.05], [0.4, 0.2, 0.05, 0.3, 0.1]

        def known(boards: np.ndarray) -> np.ndarray:
            return np.where(np.isnan(behind(boards)), np.nan, np.array([mine]).T).T

        games = batch.play_games(24, careful, rng=rng(), end=known)
        ended = np.flatnonzero(games.results == 0)
        expected = [theirs if length % 2 else mine for length in games.lengths[ended].tolist()]
        assert mine in expected
        assert theirs in expected
        assert games.chances[ended] == pytest.approx(np.array(expected))
        assert games.equities[ended] == pytest.approx(cubeless(games.chances[ended]))

    @loop.rows("limit", None, 30)
    @loop.rows("matches", False, True)
    def test_the_equity_of_the_returns_is_the_return_of_the_equities(self, limit: int | None, *, matches: bool) -> None:
        """Whatever the values; with one number, `test_by_definition` has tried it."""
        play = (
            partial(batch.play_matches, length=3, rules=QUICK)
            if matches
            else partial(batch.play_games, start="hypergammon")
        )
        games = play(8, anything, rng=rng(), max_turns=limit)
        values, final = rng().normal(size=(len(games.points), 5)), rng(2).normal(size=(len(games), 5))
        returns = games.lambda_returns(values, 0.7, final=final)
        equities = games.lambda_returns(cubeless(values), 0.7, final=cubeless(final))
        assert returns.shape == values.shape
        assert cubeless(returns) == pytest.approx(equities)
        last = games.offsets[1:] - 1
        flipped = np.where(games.on_roll[last] == 0, games.chances[:, 0], 1 - games.chances[:, 0])
        over = games.results != 0
        assert over.any()
        assert np.array_equal(returns[last, 0][over], flipped[over])


def cubeless(five: np.ndarray) -> np.ndarray:
    return five @ [2, 1, 1, -1, -1] - 1
