"""Values that no honest caller would pass: each is refused by an error of the library, in a line, at once.

What is bounded where, and what happens beyond, is stated in `docs/reference/limits.md`, which is held to the code here.
"""

from __future__ import annotations

import itertools
import pickle
import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st

from gammonrules import (
    MONEY,
    Action,
    ArgumentError,
    Cube,
    Dice,
    Double,
    End,
    Event,
    GammonError,
    IllegalActionError,
    IllegalPlayError,
    MatchState,
    MatchStateError,
    Move,
    Outcome,
    Player,
    Position,
    Resignation,
    Result,
    Rules,
    Win,
    batch,
    identifiers,
    json,
    limits,
    records,
    strategies,
)
from gammonrules.board import BrokenRule, PerftCount, perft
from gammonrules.board.id_text import MOST_CHARACTERS
from gammonrules.draw import svg, text
from gammonrules.errors import ParseError, RulesError
from gammonrules.records import (
    LARGEST_FILE,
    LARGEST_RECORD,
    Candidate,
    CubeAnalysis,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
    Stated,
    zip_files,
)
from gammonrules.records.archive.worker_pool import MOST_JOBS
from gammonrules.records.findings import LONGEST_QUOTE, MOST_OF_A_KIND
from gammonrules.records.formats.mat import cells, sheet
from gammonrules.records.formats.mat.hidden_plays import MOST_CELLS
from gammonrules.records.formats.sgf import sgf_trees
from gammonrules.records.formats.sgf.sgf_reader import LARGEST_SGF
from gammonrules.records.formats.texts import text_patterns
from gammonrules.records.formats.texts.gnubg_sheet import MOST_DECISIONS
from gammonrules.records.formats.texts.position_texts import MOST_POSITIONS
from gammonrules.records.formats.xg import rtf_comments, xg_container
from gammonrules.records.formats.xg.xg_analyses import MOST_CANDIDATES
from gammonrules.values import shown
from integers import LikeInt

WHITE, BLACK = Player.WHITE, Player.BLACK
START = Position.start()
OPENING = MatchState.new(7)
TO_PLAY = OPENING.opening_roll(3, 1)
TO_ROLL = TO_PLAY.play("8/5 6/5")
DOUBLED = TO_ROLL.double()
OVER = DOUBLED.drop()
PLAYS = START.legal_plays("31")
MOVE = Move(8, 5)


class Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


class Verbose:
    def __repr__(self) -> str:
        return "x\n" * 10**5


class NoNumber:
    def __index__(self) -> int:
        raise ZeroDivisionError


class Everything(str):
    """A text that claims to equal, contain and be everything."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return hash("31")

    def __len__(self) -> int:
        return 2

    def __repr__(self) -> str:
        raise RuntimeError("no")

    def lower(self) -> str:
        return "8/5 6/5"


LIE = '"><script>'


class Sly(str):
    """A text that shows and does something else, wherever it is asked."""

    __slots__ = ()

    def _lie(self, *_: object) -> Any:
        return LIE

    __str__ = __repr__ = __format__ = __add__ = __mod__ = __getitem__ = _lie
    encode = format = join = lower = partition = replace = split = startswith = strip = upper = _lie

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 5

    def __len__(self) -> int:
        return 3

    def __iter__(self) -> Iterator[str]:
        return iter(LIE)

    def __reduce__(self) -> Any:
        return str, (LIE,)


class One(int):
    """A whole number that claims to be another one."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return True

    def __lt__(self, other: object) -> bool:
        return False

    def __gt__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1

    def __index__(self) -> int:
        return 1

    def __repr__(self) -> str:
        raise RuntimeError("no")


class EndlessPair(tuple):
    __slots__ = ()

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[Any]:
        return itertools.repeat(1)


class Array:
    """What claims to be an array of two numbers, and holds these."""

    shape: Any = (2,)

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __iter__(self) -> Iterator[Any]:
        return iter(self.numbers)


class Shapeless:
    @property
    def shape(self) -> Any:
        raise ZeroDivisionError


def nested() -> list[Any]:
    inner: list[Any] = []
    for _ in range(20_000):
        inner = [inner]
    return inner


HOSTILE: dict[str, Callable[[], Any]] = {
    "huge": lambda: 10**4300,
    "far below 0": lambda: -(10**4300),
    "very huge": lambda: 1 << 10**5,
    "more than JSON has": lambda: 2**53,
    "less than JSON has": lambda: -(2**53),
    "bool": lambda: True,
    "float": lambda: 1.5,
    "nan": lambda: float("nan"),
    "infinity": lambda: float("inf"),
    "None": lambda: None,
    "long text": lambda: "x" * 10**6,
    "many blanks": lambda: " " * 10**6,
    "a roll far apart": lambda: "3" + " " * 10**5 + "1 ",
    "control characters": lambda: "\x00\x1b[2J\u202e\ud800" * 10**5,
    "bytes": lambda: b"x" * 10**6,
    "list": lambda: [0] * 10**5,
    "tuple": lambda: (0,) * 10**5,
    "moves": lambda: [MOVE] * 10**5,
    "endless moves": lambda: itertools.repeat(MOVE),
    "endless": lambda: itertools.repeat(0),
    "endless pair": lambda: EndlessPair((3, 1)),
    "deque": lambda: deque([0] * 10**5),
    "array": lambda: np.zeros((10**3, 26)),
    "array without a dimension": lambda: np.array(3),
    "array of objects": lambda: np.array([Unprintable()] * 26),
    "dict": lambda: dict.fromkeys(range(10**5), 1),
    "nested": nested,
    "unprintable": Unprintable,
    "verbose": Verbose,
    "no number": NoNumber,
    "everything": lambda: Everything("x"),
    "one": lambda: One(10**30),
    "like an int": LikeInt,
    "pair like ints": lambda: (LikeInt(), LikeInt()),
    "short array": lambda: Array([3]),
    "long array": lambda: Array([3, 1, 1]),
    "endless array": lambda: Array(itertools.repeat(3)),
    "array of an array's shape": lambda: type("", (Array,), {"shape": np.array([2, 2])})([3, 1]),
    "shapeless": Shapeless,
    "object": object,
    "class": lambda: type("x" * 10**5, (), {}),
    "huge pair": lambda: (10**4300, -(10**4300)),
    "huge counts": lambda: [10**4300] * 26,
}

CALLS: dict[str, Callable[[Any], object]] = {
    "Dice": lambda x: Dice(x, 1),
    "Dice of": Dice.of,
    "Move": lambda x: Move(x, 5),
    "Move to": lambda x: Move(8, x),
    "Move hit": lambda x: Move(8, 5, x),
    "Outcome": lambda x: Outcome(x, x),
    "Position of": lambda x: Position.of(x, x),
    "Position of counts": lambda x: Position.of({6: x}, {"bar": x, "off": x}),
    "Position of checkers": lambda x: Position.of({6: 1}, {6: 1}, checkers=x),
    "Position of points": lambda x: Position.of({x: 1} if x.__hash__ else x, {6: 1}),
    "Position from_points": Position.from_points,
    "Position from_points, a count": lambda x: Position.from_points([0, x, *[0] * 24]),
    "Position from_points, every count": lambda x: Position.from_points([x] * 26),
    "Position from_points, checkers": lambda x: Position.from_points(START.points, checkers=x),
    "Position start": Position.start,
    "Position legal_plays": START.legal_plays,
    "Position play": lambda x: START.play(x, "31"),
    "Position play dice": lambda x: START.play("8/5 6/5", x),
    "Plays find": PLAYS.find,
    "Plays next_moves": PLAYS.next_moves,
    "Plays complete": PLAYS.is_complete,
    "Plays points_after": PLAYS.points_after,
    "Rules, switches": lambda x: Rules(crawford=x, jacoby=x, cube=x, gammons=x, backgammons=x),
    "Rules, numbers": lambda x: Rules(beavers=x, auto_doubles=x, max_cube=x),
    "Rules, names": lambda x: Rules(scoring=x, opening=x, start=x),
    "Cube": Cube,
    "Cube owner": lambda x: Cube(2, x),
    "Double": lambda x: Double(WHITE, x),
    "Double by": lambda x: Double(x, 2),
    "Double beavers": lambda x: Double(WHITE, 4, x),
    "Double, all": lambda x: Double(x, x, x),
    "Resignation": lambda x: Resignation(x, x, x),
    "Result": lambda x: Result(x, x, x, x),
    "Result points": lambda x: Result(WHITE, Win.SINGLE, x, End.PLAYED),
    "Event": Event,
    "Event by": lambda x: Event("take", x),
    "Event, both": lambda x: Event(x, x, x),
    "MatchState": MatchState,
    "MatchState, all": lambda x: MatchState(x, x, cube=x, offer=x, score=x, length=x, crawford=x, rules=x, result=x),
    "MatchState on_roll": lambda x: MatchState(START, x),
    "MatchState dice": lambda x: MatchState(START, WHITE, x),
    "MatchState score": lambda x: MatchState(START, WHITE, score=x),
    "MatchState points": lambda x: MatchState(START, WHITE, score=(x, 0)),
    "MatchState points of Black": lambda x: MatchState(START, WHITE, score=(0, x)),
    "MatchState length": lambda x: MatchState(START, WHITE, length=x),
    "MatchState result": lambda x: MatchState(START, WHITE, score=(x, 0), result=OVER.result),
    "MatchState new": MatchState.new,
    "MatchState new, points": lambda x: MatchState.new(None, score=(x, 0)),
    "MatchState new, both": lambda x: MatchState.new(x, score=(x, x)),
    "MatchState new, position": lambda x: MatchState.new(7, position=x, rules=x),
    "evolve score": lambda x: attrs.evolve(TO_ROLL, score=(x, x)),
    "evolve length": lambda x: attrs.evolve(TO_ROLL, length=x),
    "opening_roll": lambda x: OPENING.opening_roll(x, 1),
    "opening_roll of Black": lambda x: OPENING.opening_roll(1, x),
    "opening_roll by": lambda x: OPENING.opening_roll(3, 1, by=x),
    "roll": TO_ROLL.roll,
    "play": TO_PLAY.play,
    "play by": lambda x: TO_PLAY.play("8/5 6/5", by=x),
    "double by": lambda x: TO_ROLL.double(by=x),
    "take by": lambda x: DOUBLED.take(by=x),
    "resign": TO_ROLL.resign,
    "next_game": OVER.next_game,
    "next_game, position": lambda x: OVER.next_game(position=x),
    "apply": TO_ROLL.apply,
    "view": TO_ROLL.view,
    "legal_actions_of": TO_ROLL.legal_actions_of,
    "cube_after": TO_ROLL.cube_after,
    "perft": lambda x: perft(x, 1),
    "perft depth": lambda x: perft(Position.of(mine={1: 1}), x),
    "PerftCount": lambda x: PerftCount(x, x, x),
    "PerftCount plays": lambda x: PerftCount(1, x, x),
    "svg board": svg.board,
    "svg board flipped": lambda x: svg.board(START, flipped=x),
    "svg board size": lambda x: svg.board(START, size=x),
    "picture dice": lambda x: svg.board(START, dice=x),
    "svg board highlight": lambda x: svg.board(START, highlight=x),
    "svg board targets": lambda x: svg.board(START, targets=(x, x)),
    "picture last_play": lambda x: svg.board(START, last_play=x),
    "picture arrows": lambda x: svg.board(START, arrows=x),
    "svg board moves as arrows": lambda x: svg.board(START, arrows=[x]),
    "picture so_far": lambda x: svg.board(START, dice="31", so_far=x),
    "svg board theme": lambda x: svg.board(START, theme=x),
    "svg board nonce": lambda x: svg.board(START, theme="auto", nonce=x),
    "svg board home": lambda x: svg.board(START, home=x),
    "svg board numbers": lambda x: svg.board(START, numbers=x),
    "svg board header": lambda x: svg.board(START, header=x, footer=x),
    "svg theme": lambda x: svg.Theme(ink=x, line=x),
    "svg stylesheet": lambda x: svg.stylesheet(dark=x),
    "svg stylesheet when": lambda x: svg.stylesheet(when=x),
    "svg table": svg.table,
    "svg table bottom": lambda x: svg.table(TO_ROLL, bottom=x),
    "svg table names": lambda x: svg.table(TO_ROLL, names=x),
    "svg table two names": lambda x: svg.table(TO_ROLL, names=(x, x)),
    "text board": text.board,
    "text table": text.table,
    "text table names": lambda x: text.table(TO_ROLL, names=x),
    "text table two names": lambda x: text.table(OVER, names=(x, x)),
    "json dumps": json.dumps,
    "json loads": json.loads,
    "json kind": lambda x: json.loads(json.dumps(Cube()), x),
    "json from_data": json.from_data,
    "json value": lambda x: json.from_data({"version": 2, "type": "Player", "value": x}),
    "json type": lambda x: json.from_data({"version": 2, "type": x, "value": 1}),
    "json version": lambda x: json.from_data({"version": x, "type": "Player", "value": "white"}),
    "json fields": lambda x: json.from_data(dict.fromkeys(("version", "type", "value", "owner"), x)),
    "json cube": lambda x: json.from_data({"version": 2, "type": "Cube", "value": x, "owner": x}),
    "strategies kind": lambda x: strategies.positions(kind=x),
    "strategies checkers": lambda x: strategies.positions(checkers=x),
    "strategies phase": lambda x: strategies.match_states(phase=x),
    "strategies max_turns": lambda x: strategies.games(max_turns=x),
    "strategies max_games": lambda x: strategies.matches(max_games=x),
    "strategies events": strategies.events,
    **{
        f"Event {action}": lambda x, action=action: Event(action, None, x)  # type: ignore[misc]
        for action in Action
    },
    **{
        f"json {action}": lambda x, action=action: json.from_data(  # type: ignore[misc]
            {"version": 2, "type": "Event", "action": action, "by": None, "argument": x}
        )
        for action in Action
    },
}

GAME = Game(1, OPENING, (Event("opening_roll", argument=(3, 1)), Event("play", WHITE, "8/5 6/5")))
MATCH = Match(("Ann", "Bob"), 7, (GAME,))
CANDIDATE = Candidate("8/5 6/5", TO_ROLL.position)
FINDING = Finding(Severity.INFO, FindingKind.CAPPED_POINTS, 1, None, "Wins 1 point", "2 points were won")
DECISION, *_ = MATCH.decisions()


def written(match: Match) -> object:
    """A record, and all that is written of it."""
    return match, records.dumps(match), records.dumps(match, "json"), records.to_html(match), records.referee(match)


def of_game(game: Game) -> object:
    return written(attrs.evolve(MATCH, games=(game,)))


TEXTS: dict[str, tuple[Callable[[Any], object], str]] = {
    "dice": (Dice.of, "31"),
    "Position start": (Position.start, "nackgammon"),
    "Position from_id": (Position.from_id, START.id),
    "Position of": (lambda x: Position.of({x: 1}, {6: 1}), "bar"),
    "Position play": (lambda x: START.play(x, "31"), "8/5 6/5"),
    "XGID": (MatchState.from_xgid, TO_PLAY.xgid),
    "doubled_turn": (lambda x: MatchState.from_xgid(DOUBLED.xgid, doubled_turn=x), "doubler"),
    "gnubg ID": (MatchState.from_gnubg_id, TO_PLAY.gnubg_id),
    "OGID": (MatchState.from_ogid, TO_PLAY.ogid),
    "any identifier": (identifiers.read, f" [{START.id}]"),
    "Event": (lambda x: Event(x, WHITE, "8/5 6/5"), "play"),
    "Event by and argument": (lambda x: Event("next_game", x, x), "white"),
    "Rules": (lambda x: Rules(start=x), "nackgammon"),
    "MatchState": (lambda x: MatchState(START, x), "white"),
    "theme": (lambda x: svg.board(START, theme=x), "dark"),
    "theme that follows": (lambda x: svg.board(START, theme=x, nonce=""), "auto"),
    "nonce": (lambda x: svg.board(START, theme="auto", nonce=x), "abc"),
    "when": (lambda x: svg.stylesheet(when=x), "[data-theme=dark]"),
    "stylesheet": (lambda x: svg.stylesheet(light=x, dark=x), "print"),
    "Theme": (lambda x: svg.Theme(felt=x), "#123456"),
    "color": (lambda x: svg.board(START, theme=svg.Theme(felt=x)), "#123456"),
    "home": (lambda x: svg.board(START, home=x), "left"),
    "numbers": (lambda x: svg.board(START, numbers=x), "off"),
    "highlight": (lambda x: svg.board(START, highlight=x, targets=[x, x]), "bar"),
    "arrows": (lambda x: svg.board(START, arrows=x, last_play=x), "8/5*"),
    "names": (lambda x: svg.table(TO_PLAY, names=[x, x]), "Ann"),
    "names in text": (lambda x: text.table(TO_PLAY, names=(x, x)), "Ann"),
    "json loads": (json.loads, json.dumps(TO_PLAY)),
    "records loads": (records.loads, records.dumps(MATCH)),
    "format to read": (lambda x: records.loads(records.dumps(MATCH), x), "mat"),
    "format to write": (lambda x: (records.dumps(MATCH, x), records.lost_in(MATCH, x)), "sgf"),
    "load": (records.load, "examples/matches/galaxy/match1033650.txt"),
    "players": (lambda x: written(attrs.evolve(MATCH, players=(x, "Bob"))), "Ann"),
    "tags": (lambda x: written(attrs.evolve(MATCH, tags=((x, x),))), "Site"),
    "comments": (lambda x: written(attrs.evolve(MATCH, comments=(x,))), "Well played"),
    "format of a record": (lambda x: written(attrs.evolve(MATCH, format=x)), "mat"),
    "comments of a game": (lambda x: of_game(attrs.evolve(GAME, comments=(x,))), "Well played"),
    "notes": (lambda x: of_game(attrs.evolve(GAME, notes=(None, x))), "Well played"),
    "stated": (lambda x: of_game(attrs.evolve(GAME, stated=Stated(WHITE, 1, text=x))), "Wins 1 point"),
    "analysis": (lambda x: of_game(attrs.evolve(GAME, analyses=(None, analysis_of(x)))), "8/5 6/5"),
    "analysis of the cube": (lambda x: CubeAnalysis(level=x, engine=x), "2-ply"),
    "finding": (lambda x: written(attrs.evolve(MATCH, findings=(attrs.evolve(FINDING, text=x, explanation=x),))), "a"),
    "decision": (lambda x: attrs.evolve(DECISION, action=x, note=x), "8/5 6/5"),
    "strategies": (lambda x: repr(strategies.positions(kind=x)), "race"),
}
"""Functions that take a text, each with one."""


def analysis_of(text: str) -> PlayAnalysis:
    return PlayAnalysis((attrs.evolve(CANDIDATE, play=text, level=text),), engine=text)


ARGUMENTS = {
    **{name: call for name, call in CALLS.items() if name.startswith(("svg ", "text ", "strategies "))},
    "read rules": lambda x: identifiers.read(START.id, [x]),
    "read checkers": lambda x: identifiers.read(TO_ROLL.xgid, checkers=(x,)),
    "read doubled_turn": lambda x: identifiers.read(TO_ROLL.xgid, doubled_turn=x),
    "lost_in_xgid": identifiers.lost_in_xgid,
    "lost_in_gnubg_id rules": lambda x: identifiers.lost_in_gnubg_id(TO_ROLL, rules=(x,)),
    "to_xgid rules": lambda x: TO_ROLL.to_xgid(rules=(x,)),
    "batch checkers": lambda x: batch.outcomes([START.points], checkers=(x,)),
    "batch from_positions": lambda x: batch.from_positions([x]),
    "batch size": lambda x: batch.legal_plays_in_chunks([], [], size=x),
    "batch n": lambda x: batch.random_games((x,), np.random.default_rng(1)),
    "batch rng": lambda x: batch.random_games(1, x),
    "batch choose": lambda x: batch.play_games(0, np.random.default_rng(1), (x, x)),
    "batch first": lambda x: batch.random_games(0, np.random.default_rng(1), first=(x,)),
    "batch max_turns": lambda x: batch.random_games(0, np.random.default_rng(1), max_turns=(x,)),
    "batch lam": lambda x: batch.random_games(0, np.random.default_rng(1)).lambda_returns([], x),
    "batch cube": lambda x: batch.play_matches(0, np.random.default_rng(1), (max, max), (x, x)),
    "batch states": lambda x: batch.Tables.from_states([x]),
    "batch may": lambda x: batch.Tables.new(1, 7).may((x,)),
    "strategies start": lambda x: strategies.reachable_positions(start=(x,)),
    "strategies rolls": lambda x: strategies.plays(rolls=x),
}
"""Functions whose wrong arguments have no error of their own."""

LONGEST = limits.LONGEST_MESSAGE + 150
"""Of a message: what lists its problems, and the words around them."""


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_refused_in_a_line_or_taken_for_what_it_is(call: Callable[[Any], object]) -> None:
    """Either an error of the library, short and at once, or a value that can be shown."""
    for name, make in HOSTILE.items():
        given = make()
        begun = time.process_time()
        try:
            made = call(given)
        except GammonError as error:
            message = str(error)
            assert len(message) <= LONGEST, name
            assert message.isprintable(), name
        except Exception as error:
            raise AssertionError(f"{name}: {error!r:.200}") from error
        else:
            assert len(repr(made)) < 30_000, name
            assert len(str(made)) < 30_000, name
            assert_shown_and_kept(made)
        assert time.process_time() - begun < 1, name


@pytest.mark.parametrize("call", ARGUMENTS.values(), ids=ARGUMENTS)
def test_a_wrong_argument_is_an_argument_error(call: Callable[[Any], object]) -> None:
    """All functions raise the same error for an argument that has no error class of its own."""
    for name, make in HOSTILE.items():
        try:
            call(make())
        except GammonError as error:
            assert type(error) is ArgumentError, name


def assert_shown_and_kept(value: object) -> None:
    """The promise of every value: it has a repr, a str and a picture, and JSON gives it back."""
    assert repr(value)
    assert str(value)
    if isinstance(value, (MatchState, Position)):
        assert value._repr_svg_()
    if type(value).__name__ in json._document.KINDS:  # type: ignore[attr-defined]
        document = json.dumps(value)  # type: ignore[type-var]
        assert json.loads(document) == value
        assert len(document) < 10_000


class TestWhateverExistsCanBeShownAndKept:
    """Every state that can be constructed has a str, a repr, a picture and a JSON form that gives it back."""

    @given(strategies.match_states())
    def test_usual_states(self, state: MatchState) -> None:
        assert_shown_and_kept(state)

    @given(
        state=strategies.match_states(),
        points=st.integers(-(10**10), 10**10) | st.integers() | st.sampled_from((10**9, 10**9 - 1, 10**9 + 1)),
        length=st.none() | st.integers(1, 10**10) | st.integers(),
        power=st.integers(0, 60),
        beavers=st.integers(0, 60),
    )
    def test_states_at_the_ends_of_every_number(
        self, state: MatchState, points: int, length: int | None, power: int, beavers: int
    ) -> None:
        changes: list[Callable[[MatchState], MatchState]] = [
            lambda state: attrs.evolve(state, score=(state.score[0], points)),
            lambda state: attrs.evolve(state, length=length, score=(0, 0), crawford=None),
            lambda state: attrs.evolve(state, cube=Cube(2**power, state.cube.owner)),
            lambda state: attrs.evolve(state, rules=attrs.evolve(state.rules, max_cube=2**power, beavers=beavers)),
            lambda state: attrs.evolve(state, offer=Double(state.on_roll or WHITE, 2 ** (power + beavers), beavers)),
        ]
        for change in changes:
            try:
                state = change(state)
            except GammonError as error:
                assert len(str(error)) <= LONGEST
            assert_shown_and_kept(state)

    @pytest.mark.parametrize("tries", [53, 100])
    def test_a_money_game_doubled_again_and_again(self, tries: int) -> None:
        """Agreed doubles end at the largest cube, and the game goes on to a result that JSON takes."""
        state = MatchState.new(None, rules=Rules(opening="reroll")).opening_roll(3, 1)
        for _ in range(tries):
            if Action.DOUBLE not in state.legal_actions:
                break
            state = attrs.evolve(state.double().take(), cube=Cube(2 * state.cube.value))
        assert state.cube.value == limits.LARGEST_CUBE
        with pytest.raises(IllegalActionError, match=r"^White cannot double: the cube ends at 16,777,216$"):
            state.double()
        for then in (state, state.resign(Win.BACKGAMMON), state.resign(Win.BACKGAMMON).accept()):
            assert_shown_and_kept(then)

    def test_automatic_doubles_without_end(self) -> None:
        state = MatchState.new(None, rules=Rules(auto_doubles=1000))
        for _ in range(1000):
            state = state.opening_roll(4, 4)
            assert state.cube.value <= limits.LARGEST_CUBE
        assert state.cube == Cube(limits.LARGEST_CUBE)
        assert_shown_and_kept(state)

    def test_beavers_without_end(self) -> None:
        state = (
            MatchState.new(None, rules=attrs.evolve(MONEY, beavers=1000)).opening_roll(3, 1).play("8/5 6/5").double()
        )
        for _ in range(limits.LARGEST_CUBE.bit_length() - 2):
            state = state.beaver()
            assert_shown_and_kept(state)
        with pytest.raises(IllegalActionError, match=r"cannot beaver: the cube ends at 16,777,216$"):
            state.beaver()
        assert_shown_and_kept(state.take())

    def test_a_session_that_reaches_the_highest_score(self) -> None:
        over = MatchState.new(None, score=(10**9, 0)).opening_roll(3, 1).resign(by=BLACK).accept()
        assert_shown_and_kept(over)
        assert over.score == (10**9 + 1, 0)
        assert over.legal_actions == frozenset()
        with pytest.raises(
            IllegalActionError, match=r"^no next game: a game can begin with at most 1,000,000,000 points$"
        ):
            over.next_game()


class TestMoves:
    """A series of moves is looked at up to the first one that is too many."""

    @pytest.mark.parametrize("make", [lambda: [MOVE] * 10**6, lambda: itertools.repeat(MOVE)], ids=["list", "endless"])
    @pytest.mark.parametrize(
        "ask",
        [PLAYS.find, PLAYS.next_moves, PLAYS.is_complete, PLAYS.points_after, TO_PLAY.play],
        ids=lambda ask: ask.__name__,
    )
    def test_too_many(self, ask: Callable[[Any], object], make: Callable[[], Any]) -> None:
        with pytest.raises(IllegalPlayError) as caught:
            ask(make())
        assert caught.value.reason is BrokenRule.DIE_NOT_ROLLED
        assert str(caught.value).startswith('"8/5 8/5')
        assert len(str(caught.value)) < 150

    def test_an_endless_series_is_left_where_it_is(self) -> None:
        moves = iter([MOVE] * 100)
        with pytest.raises(IllegalPlayError):
            PLAYS.find(moves)
        assert len(list(moves)) == 100 - (limits.MOST_MOVES + 1)

    def test_events(self) -> None:
        four = Event("play", argument=[MOVE] * 4)
        assert four.argument == (MOVE,) * 4
        with pytest.raises(ArgumentError, match=r"^a play has at most 4 moves, but this series has more$"):
            Event("play", argument=itertools.repeat(MOVE))
        with pytest.raises(ArgumentError, match=r"^a play has at most 200 characters, but this text has 201$"):
            Event("play", argument=" " * 201)

    def test_four_moves_are_a_play(self) -> None:
        doublets = START.legal_plays("11")
        assert str(doublets.find([Move(8, 7), Move(8, 7), Move(6, 5), Move(6, 5)])) == "8/7(2) 6/5(2)"


class TestSubclasses:
    """A text or a number of another class counts as what it holds, whatever the class claims."""

    def test_texts(self) -> None:
        assert PLAYS.find(np.str_("8/5 6/5")) == PLAYS.find("8/5 6/5")
        assert Dice.of(np.str_("31")) == Dice(3, 1)
        event = Event(np.str_("play"), np.str_("black"), np.str_("8/5 6/5"))
        assert type(event.argument) is str
        assert event == Event("play", Player.BLACK, "8/5 6/5")
        rules = Rules(scoring=np.str_("points"))  # type: ignore[arg-type]
        assert type(rules.scoring) is str
        assert json.loads(np.str_(json.dumps(rules))) == rules

    @pytest.mark.parametrize(
        ("ask", "error"),
        [
            (PLAYS.find, ParseError),
            (TO_PLAY.play, ParseError),
            (Dice.of, GammonError),
            (Event, ArgumentError),
            (Position.start, GammonError),
            (lambda text: Rules(scoring=text), RulesError),
            (lambda text: Position.of({text: 1}, {6: 1}), GammonError),
            (json.loads, ParseError),
        ],
    )
    def test_a_text_that_equals_everything_is_what_it_holds(
        self, ask: Callable[[str], object], error: type[GammonError]
    ) -> None:
        with pytest.raises(error, match=r"'x'|this is not JSON"):
            ask(Everything("x"))

    @pytest.mark.parametrize(("call", "text"), TEXTS.values(), ids=TEXTS)
    @pytest.mark.parametrize("kind", [Sly, np.str_])
    def test_every_text_counts_as_what_it_holds(
        self, call: Callable[[str], object], text: str, kind: Callable[[str], str]
    ) -> None:
        """The class decides nothing, and nothing of it is kept: neither in what is made nor in what is written."""
        made, expected = call(kind(text)), call(text)
        stored = pickle.dumps(made)
        assert pickle.loads(stored) == expected
        assert repr(made) == repr(expected)
        assert LIE.encode() not in stored
        assert b"numpy" not in stored

    def test_numbers(self) -> None:
        assert Move(One(8), One(5)) == Move(8, 5)
        assert type(Move(One(8), One(5)).from_point) is int
        assert Dice(One(3), One(1)) == Dice(3, 1)
        assert MatchState.new(One(7)).length == 7
        with pytest.raises(MatchStateError, match=r"not 1000000"):
            MatchState.new(One(10**30))


class TestShown:
    """What errors show of a value: a line of it, at no cost."""

    @pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
    def test_bounded(self, make: Callable[[], Any]) -> None:
        value = make()
        begun = time.process_time()
        text = shown(value)
        assert time.process_time() - begun < 0.2
        assert 0 < len(text) <= 43
        assert text.isprintable()

    @pytest.mark.parametrize(
        "value",
        [
            7,
            -1,
            True,
            None,
            1.5,
            "x",
            b"x",
            [3, 1],
            (3, 1),
            (3,),
            {1: "a"},
            {1},
            frozenset({1}),
            Win.GAMMON,
            Dice(3, 1),
        ],
    )
    def test_small_values_are_their_repr(self, value: object) -> None:
        assert shown(value) == repr(value)

    def test_what_cannot_be_shown(self) -> None:
        assert shown(Unprintable()) == "an object of type Unprintable"
        assert shown([1, Unprintable()]) == "an object of type list"
        assert shown(deque(range(1001))) == "a deque of 1001"
        assert shown(nested()) == "[[[[...]]]]"


class TestThePageOfLimits:
    """`docs/reference/limits.md` states the constants of the code."""

    PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")

    @pytest.mark.parametrize(
        ("row", "limit"),
        [
            ("a roll as text", limits.LONGEST_ROLL),
            ("a play as text", limits.LONGEST_PLAY),
            ("moves of a play", limits.MOST_MOVES),
            ("moves of an `Event`", limits.MOST_MOVES),
            ("match length", limits.MOST_POINTS),
            ("score before a game", limits.MOST_POINTS),
            ("points of a `Result`", limits.MOST_POINTS),
            ("value of a cube", limits.LARGEST_CUBE),
            ("beavers of a pending double", limits.LARGEST_CUBE.bit_length() - 2),
            ("`Rules.beavers`", limits.MOST_IN_A_ROW),
            ("depth of `perft`", limits.MOST_DEPTH),
            ("`max_turns`", limits.MOST_SCRIPTED),
            ("a document of another type", limits.LONGEST_DOCUMENT),
            ("a document of a match", limits.LONGEST_JSON_RECORD),
            ("a number that is read", limits.LARGEST_JSON_NUMBER),
            ("an identifier", MOST_CHARACTERS),
            ("any record file", LARGEST_FILE // 2**20),
            ("a match record", LARGEST_RECORD // 2**20),
            ("a record in SGF", LARGEST_SGF // 2**20),
            ("what an `.xg` file unpacks to", xg_container.LARGEST_CONTENT // 2**20),
            ("files inside an `.xg` file", xg_container.MOST_FILES),
            ("a line of match text", cells.LONGEST_LINE),
            ("a line of a text with positions", text_patterns.LONGEST_LINE),
            ("games of match text or of SGF", sheet.MOST_GAMES),
            ("games of match text or of SGF", sgf_trees.MOST_GAMES),
            ("nodes of SGF", sgf_trees.MOST_NODES),
            ("decisions of an analyzed text", MOST_DECISIONS),
            ("positions of a text", MOST_POSITIONS),
            ("cells replayed to find the hidden plays", MOST_CELLS),
            ("candidates for a play", MOST_CANDIDATES),
            ("comments of an `.xg` file", rtf_comments.LONGEST_COMMENT),
            ("comments of an `.xg` file", rtf_comments.LARGEST_FILE // 2**20),
            ("comments of an `.xg` file", rtf_comments.MOST_TEXT // 2**20),
            ("what a finding quotes", LONGEST_QUOTE),
            ("findings of one kind", MOST_OF_A_KIND),
            ("processes that read", MOST_JOBS),
            ("files in a ZIP archive", zip_files.MOST_MEMBERS),
            ("the list of files in a ZIP archive", zip_files.LARGEST_LIST // 2**20),
            ("what a file in a ZIP archive inflates to", zip_files.MOST_INFLATED),
            ("a match in an environment", limits.LONGEST_EPISODE),
            ("games of one environment", limits.MOST_ENVIRONMENTS),
            ("tied opening rolls in a row", limits.MOST_TIES),
            ("width of an SVG", limits.LARGEST_PICTURE),
            ("points that stand out in an SVG", limits.MOST_MARKED),
            ("a selector or a nonce", limits.LONGEST_SELECTOR),
            ("a name in the description", limits.LONGEST_NAME),
            ("problems in one message", limits.LONGEST_MESSAGE),
        ],
    )
    def test_rows(self, row: str, limit: int) -> None:
        (value,) = re.findall(rf"(?m)^\| {re.escape(row)}[^|]*\|([^|]*)\|", self.PAGE)
        assert limit in [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", value)]

    def test_no_score_is_above_the_number_it_names(self) -> None:
        assert limits.MOST_POINTS + 3 * limits.LARGEST_CUBE < 2_000_000_000 < limits.LARGEST_JSON_NUMBER
