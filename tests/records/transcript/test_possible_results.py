"""What was resigned, against what could still have happened: cases, short races, and games that were played out."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import attrs
import pytest
from hypothesis import given

import loop
import reference
from boards import board_of
from gammonrules import strategies
from gammonrules.board import Position, Win
from gammonrules.dice import ROLLS
from gammonrules.match import Action, Cube, End, Event, MatchState, Phase, Player, Result, SetPosition
from gammonrules.records import FindingKind, Game, Match, RecordedResult, Severity, dumps, loads, referee
from gammonrules.rules import BRETTSPIELWELT_SINGLE, Rules
from real_records import loaded
from reference import Board

WHITE, BLACK = Player
SINGLE, GAMMON, BACKGAMMON = Win
MORE = FindingKind.MORE_THAN_POSSIBLE
LESS = FindingKind.LESS_THAN_CERTAIN
SEVERITIES = {MORE: Severity.WARNING, LESS: Severity.INFO}
MATCHES = Path(__file__).parents[2] / "data" / "matches"
RECORDS = [
    path
    for path in sorted(MATCHES.glob("*/*"))
    if path.is_file() and path.parent.name != "broken" and path.suffix != ".tsv"
]

JACOBY = Rules(jacoby=True)
PIPS = BRETTSPIELWELT_SINGLE
START = Position.start()
FOURTEEN_OFF = Position.of(mine={6: 5, 5: 5}, theirs={24: 1})
"""Either side may still win, and neither a gammon."""
GAMMON_IS_SURE = Position.of(mine={1: 2}, theirs={13: 15})
A_TURN_EACH = Position.of(mine={1: 4}, theirs={1: 2})
"""The player on roll wins now with a doublet, or never."""
ON_THE_BAR = Position.of(mine={"bar": 1, 6: 14}, theirs={1: 2})
"""The player on roll loses a backgammon, or after a roll that brings the checker home far enough a gammon."""


def state_of(
    position: Position = START, dice: str | None = None, length: int | None = 7, **fields: object
) -> MatchState:
    return MatchState(position, WHITE, dice, length=length, **fields)  # type: ignore[arg-type]


def judged(game: Game) -> list[FindingKind]:
    """What the referee says about what could have happened in a game."""
    findings = [
        finding for finding in referee(Match(("Ann", "Bob"), game.start.length, (game,))) if finding.kind in SEVERITIES
    ]
    assert all(finding.severity is SEVERITIES[finding.kind] for finding in findings)
    return [finding.kind for finding in findings]


def resigned(state: MatchState, loser: Player, win: Win) -> list[FindingKind]:
    events = (Event(Action.RESIGN, loser, win), Event(Action.ACCEPT, loser.opponent))
    return judged(Game(1, state, events))


class TestResignations:
    @loop.rows(
        ("state", "loser", "win", "kinds"),
        (state_of(FOURTEEN_OFF), BLACK, SINGLE, []),
        (state_of(FOURTEEN_OFF), BLACK, GAMMON, [MORE]),
        (state_of(FOURTEEN_OFF), BLACK, BACKGAMMON, [MORE]),
        (state_of(FOURTEEN_OFF), WHITE, SINGLE, []),
        (state_of(FOURTEEN_OFF).double(), BLACK, GAMMON, [MORE]),
        (state_of(FOURTEEN_OFF).double(), BLACK, SINGLE, []),
        (state_of(GAMMON_IS_SURE), BLACK, SINGLE, [LESS]),
        (state_of(GAMMON_IS_SURE), BLACK, GAMMON, []),
        (state_of(GAMMON_IS_SURE), BLACK, BACKGAMMON, [MORE]),
        (state_of(GAMMON_IS_SURE), WHITE, SINGLE, [MORE]),
        # a roll that is to be played
        (state_of(A_TURN_EACH), WHITE, SINGLE, []),
        (state_of(A_TURN_EACH), BLACK, SINGLE, []),
        (state_of(A_TURN_EACH, "11"), WHITE, SINGLE, [MORE]),
        (state_of(A_TURN_EACH, "11"), BLACK, SINGLE, []),
        (state_of(A_TURN_EACH, "21"), WHITE, SINGLE, []),
        (state_of(A_TURN_EACH, "21"), BLACK, SINGLE, [MORE]),
        (state_of(ON_THE_BAR), WHITE, SINGLE, [LESS]),
        (state_of(ON_THE_BAR), WHITE, GAMMON, []),
        (state_of(ON_THE_BAR), WHITE, BACKGAMMON, []),
        (state_of(ON_THE_BAR, "66"), WHITE, GAMMON, []),
        (state_of(ON_THE_BAR, "66"), WHITE, BACKGAMMON, [MORE]),
        (state_of(ON_THE_BAR, "21"), WHITE, GAMMON, [LESS]),
        # levels are compared, not what they are worth: but points that win the match lack none
        (state_of(START, length=2, cube=Cube(2, WHITE)), BLACK, GAMMON, []),
        (state_of(GAMMON_IS_SURE, length=2, cube=Cube(2, WHITE)), BLACK, BACKGAMMON, [MORE]),
        (state_of(GAMMON_IS_SURE, length=2, cube=Cube(2, WHITE)), BLACK, SINGLE, []),
        (state_of(GAMMON_IS_SURE, length=2), BLACK, SINGLE, [LESS]),
        (state_of(GAMMON_IS_SURE, length=1), BLACK, SINGLE, []),
        # what the rules do not count is neither too much nor missing
        (state_of(GAMMON_IS_SURE, length=None, rules=JACOBY), BLACK, SINGLE, []),
        (state_of(GAMMON_IS_SURE, length=None, rules=JACOBY), BLACK, BACKGAMMON, []),
        (state_of(GAMMON_IS_SURE, length=None, rules=JACOBY), WHITE, BACKGAMMON, [MORE]),
        (state_of(GAMMON_IS_SURE, length=None, rules=JACOBY).double(), BLACK, SINGLE, []),
        (state_of(GAMMON_IS_SURE, length=None, rules=JACOBY, cube=Cube(2, WHITE)), BLACK, SINGLE, [LESS]),
        (state_of(GAMMON_IS_SURE, rules=Rules(backgammons=False)), BLACK, BACKGAMMON, []),
        (state_of(Position.of(mine={4: 1}, theirs={6: 2, 5: 2}), length=None, rules=PIPS), BLACK, SINGLE, []),
        (state_of(Position.of(mine={1: 1}, theirs={6: 2, 5: 2}), length=None, rules=PIPS), WHITE, SINGLE, [MORE]),
    )
    def test_what_is_accepted(self, state: MatchState, loser: Player, win: Win, kinds: list[FindingKind]):
        assert resigned(state, loser, win) == kinds
        declined = (Event(Action.RESIGN, loser, win), Event(Action.DECLINE, loser.opponent))
        assert judged(Game(1, state, declined)) == []

    def test_an_offer_that_was_there_before(self):
        offered = state_of(FOURTEEN_OFF).resign(GAMMON, by=BLACK)
        assert judged(Game(1, offered, (Event(Action.ACCEPT, WHITE),))) == [MORE]

    def test_in_a_game_that_goes_on(self):
        """What was resigned first does not count once the board was set anew."""
        events = (Event(Action.RESIGN, BLACK, GAMMON), Event(Action.ACCEPT, WHITE), SetPosition(START, BLACK))
        assert judged(Game(1, state_of(FOURTEEN_OFF), events)) == []
        assert judged(Game(1, state_of(FOURTEEN_OFF), (*events[:2], Event(Action.ROLL, WHITE, (3, 1))))) == [MORE]

    def test_words_and_places(self):
        events = (Event(Action.RESIGN, BLACK, GAMMON), Event(Action.ACCEPT, WHITE))
        game = Game(1, state_of(FOURTEEN_OFF), events, rows=(8, 9), lines=(18, 19))
        stated = attrs.evolve(game, stated=RecordedResult(WHITE, 2, text="Wins 2 points", row=10, line=20))
        for each, place in ((game, ("resign gammon", 9, 19)), (stated, ("Wins 2 points", 10, 20))):
            (finding,) = [finding for finding in referee(Match(("", ""), 7, (each,))) if finding.kind is MORE]
            assert (finding.text, finding.row, finding.line) == place


class TestStatedEnds:
    """Of a game that its events leave unfinished."""

    @loop.rows(
        ("state", "winner", "points", "kinds"),
        (state_of(FOURTEEN_OFF), WHITE, 1, []),
        (state_of(FOURTEEN_OFF), WHITE, 3, [MORE]),
        (state_of(FOURTEEN_OFF, cube=Cube(2, WHITE)), WHITE, 2, []),
        (state_of(FOURTEEN_OFF, cube=Cube(2, WHITE)), WHITE, 4, [MORE]),
        (state_of(FOURTEEN_OFF).double(), WHITE, 2, [MORE]),
        (state_of(FOURTEEN_OFF).double().take(), WHITE, 2, []),
        (state_of(), BLACK, 3, []),
        (state_of(FOURTEEN_OFF), None, 3, []),
        (state_of(FOURTEEN_OFF), WHITE, None, []),
        (state_of(FOURTEEN_OFF), WHITE, -3, []),
        (state_of(GAMMON_IS_SURE), BLACK, 1, [MORE]),
        (state_of(GAMMON_IS_SURE), WHITE, 1, []),
        (state_of(A_TURN_EACH, "21"), WHITE, 1, [MORE]),
        (state_of(length=None, rules=JACOBY), WHITE, 2, [MORE]),
        (state_of(length=None, rules=PIPS), WHITE, 150, []),
        (MatchState.new(7, position=FOURTEEN_OFF), WHITE, 3, []),
    )
    def test_without_a_result(
        self, state: MatchState, winner: Player | None, points: int | None, kinds: list[FindingKind]
    ):
        game = Game(1, state, stated=RecordedResult(winner, points))
        assert judged(game) == kinds
        assert judged(attrs.evolve(game, cut=True)) == []

    def test_after_an_event_that_breaks_the_rules(self):
        game = Game(1, state_of(FOURTEEN_OFF), (Event(Action.TAKE, BLACK),), stated=RecordedResult(WHITE, 3))
        assert judged(game) == []

    @loop.rows(("stated", "is_told"), (2, True), (3, False))
    def test_why_the_jacoby_rule_takes_points(self, stated: int, is_told: bool):
        """Only those of a level at which the game could end."""
        to_play = MatchState(GAMMON_IS_SURE, WHITE, "21", rules=JACOBY)
        resignation = (Event(Action.RESIGN, BLACK, SINGLE), Event(Action.ACCEPT, WHITE))
        for events in ((Event(Action.PLAY, WHITE, "1/off(2)"),), resignation):
            game = Game(1, to_play, events, stated=RecordedResult(WHITE, stated))
            (finding,) = referee(Match(("", ""), None, (game,), to_play.rules))
            assert ("Jacoby" in finding.explanation) == is_told


class TestReaders:
    FORMS = ("mat", "sgf", "ogxm")

    def record(
        self, position: Position, points: int, length: int = 7, score: tuple[int, int] = (0, 0), cube: int = 1
    ) -> Match:
        """A game that Black gives up, in their turn, for so many points."""
        start = MatchState.new(length, score=score)
        board = SetPosition(position.flip(), BLACK, Cube(cube, WHITE if cube > 1 else None))
        rolled = Event(Action.ROLL, BLACK, (2, 1))
        game = Game(1, start, (board, rolled), stated=RecordedResult(WHITE, points))
        return Match(("Ann", "Bob"), length, (game,))

    @loop.rows("form", *FORMS)
    def test_a_backgammon_with_14_off(self, form: str):
        match = loads(dumps(self.record(FOURTEEN_OFF, 3), form))  # type: ignore[call-overload]
        assert match.games[0].result == Result(WHITE, BACKGAMMON, 3, End.RESIGNED)
        (finding,) = [finding for finding in referee(match) if finding.kind in SEVERITIES]
        assert (finding.kind, finding.severity) == (MORE, Severity.WARNING)
        assert "single game" in finding.explanation
        for again in self.FORMS:
            assert finding.kind in {other.kind for other in referee(loads(dumps(match, again)))}  # type: ignore[call-overload]

    @loop.rows(
        ("position", "needed", "cube", "points", "win"),
        (GAMMON_IS_SURE, 2, 4, 2, GAMMON),  # capped: a single game would give 4
        (START, 2, 4, 2, SINGLE),
        (GAMMON_IS_SURE, 7, 2, 3, GAMMON),
        (GAMMON_IS_SURE, 7, 2, 5, BACKGAMMON),  # no possible level gives so many
        (GAMMON_IS_SURE, 7, 2, 2, SINGLE),  # what is stated exactly is taken
        (FOURTEEN_OFF, 3, 2, 3, GAMMON),
    )
    def test_points_that_no_level_gives(self, position: Position, needed: int, cube: int, points: int, win: Win):
        """They mean a level that was possible, if one gives more."""
        record = self.record(position, points, score=(7 - needed, 0), cube=cube)
        for form in self.FORMS:
            assert loads(dumps(record, form)).games[0].result == Result(WHITE, win, cube * win, End.RESIGNED)  # type: ignore[call-overload]

    @loop.rows(("words", "win"), ("Resigns", GAMMON), ("Concedes the match", GAMMON), ("Resigns single", SINGLE))
    def test_words_without_points(self, words: str, win: Win):
        """What was sure to be lost is the least that can have been meant."""
        match = self.read(GAMMON_IS_SURE, words, 7)
        assert match.games[0].result == Result(WHITE, win, int(win), End.RESIGNED)
        assert [finding.kind for finding in referee(match) if finding.kind in SEVERITIES] == [LESS] * (win is SINGLE)

    @loop.rows(("position", "jacoby"), (START, False), (FOURTEEN_OFF, True))
    def test_what_cannot_have_happened_speaks_for_no_rule(self, position: Position, jacoby: bool):
        """Three points with a centered cube, in a record that does not say whether the Jacoby rule was played."""
        match = self.read(position, "Concedes 3 points", 0)
        assert match.rules.jacoby is jacoby
        assert match.score == ((1, 0) if jacoby else (3, 0))

    @staticmethod
    def read(position: Position, words: str, length: int) -> Match:
        """Black has rolled, and gives up."""
        board = MatchState(position, WHITE).xgid.removeprefix("XGID=").split(":")[0]
        head = [f"{length} point match", " Game 1", " Ann : 0                         Bob : 0"]
        return loads("\n".join([*head, f"; Set Pos={board}/0", f"{'  1)':<33}21: {words}"]))


# --- all short races, from the rules of the table ---------------------------------------------------------------------


@cache
def endings(board: Board) -> frozenset[int]:
    """The levels at which the player on roll can win, negative for those at which they can lose."""
    return frozenset().union(*(endings_after(board, (roll.high, roll.low)) for roll in ROLLS))


@cache
def endings_after(board: Board, dice: tuple[int, int]) -> frozenset[int]:
    levels: set[int] = set()
    for after in reference.results(board, dice):
        mine, theirs = after
        if any(mine[1:]):
            levels.update(-level for level in endings(reference.flip(after)))
        else:
            levels.add(reference.level(theirs))
    return frozenset(levels)


def test_every_resignation_in_short_races():
    """Two checkers a side on the three lowest points, a third one off or none: with dice or without, and all levels."""
    sides = [places for left in (1, 2) for places in combinations_with_replacement((1, 2, 3), left)]
    chance = random.Random(80)
    count = 0
    for mine, theirs in chance.sample([*product(sides, repeat=2)], 40):
        for checkers in (2, 3):
            position = Position.of(
                mine={point: mine.count(point) for point in mine},
                theirs={point: theirs.count(point) for point in theirs},
                checkers=checkers,
            )
            board = board_of(position)
            for dice in (None, *chance.sample(ROLLS, 2)):
                levels = endings(board) if dice is None else endings_after(board, (dice.high, dice.low))
                state = MatchState(position, WHITE, dice, length=25)
                for loser, win in product(Player, Win):
                    lost = {level if loser is BLACK else -level for level in levels}
                    expected = []
                    if win > max(lost) or max(lost) < 0:
                        expected = [MORE]
                    elif win < min(lost):
                        expected = [LESS]
                    assert resigned(state, loser, win) == expected, (position, dice, loser, win)
                    count += len(expected)
    assert count > 500


# --- games that were played out ---------------------------------------------------------------------------------------


def doubts_about(game: Game) -> list[object]:
    """Where the level at which a game was lost would have been doubted, had it been resigned then."""
    states = list(game.states())
    result = states[-1].result
    if result is None or result.end is not End.PLAYED or result.win is None:
        return []
    loser = result.winner.opponent
    live = [state for state in states if state.phase in {Phase.TO_ROLL, Phase.TO_PLAY, Phase.DOUBLED}]
    return [state for state in live[-12:] if resigned(state, loser, result.win)]


@given(strategies.games())
def test_how_a_game_ended_was_possible_before(game: Game):
    assert doubts_about(game) == []


@pytest.mark.parametrize("records", [RECORDS[::10], pytest.param(RECORDS, marks=pytest.mark.long)])
def test_how_a_real_game_ended_was_possible_before(records: list[Path]):
    games = [game for path in records for game in loaded(path).games]
    assert [doubts for game in games if (doubts := doubts_about(game))] == []
