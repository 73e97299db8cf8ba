"""Values of the wrong type, size or form: each is refused by an error of the library, in a line, at once.

Objects that lie about what they are do not occur here: whoever makes those runs code of their own (`SECURITY.md`).

What is bounded where, and what happens beyond, is stated in `docs/reference/limits.md`, which is held to the code here.
"""

from __future__ import annotations

import pickle
import re
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from fractions import Fraction
from functools import partial
from itertools import product, repeat
from pathlib import Path
from typing import Any

import attrs
import numpy as np
import pytest
from hypothesis import given, strategies as st

import gammonrules.arena
import gammonrules.equity
import gammonrules.identifiers
import loop
from effort import bytes_fewer, calls_fewer
from gammonrules import (
    MONEY,
    Action,
    ArgumentError,
    Cube,
    Dice,
    Double,
    Event,
    GammonError,
    IllegalActionError,
    IllegalPlayError,
    MatchState,
    Move,
    Player,
    Position,
    Rules,
    Win,
    batch,
    board,
    draw,
    json,
    limits,
    records,
    strategies,
)
from gammonrules._shared.identifier_text import MAX_CHARACTERS
from gammonrules.board import IllegalPlayReason
from gammonrules.identifiers.internals import FORMS
from gammonrules.records import (
    MAX_RECORD_SIZE,
    Candidate,
    CubeAnalysis,
    Finding,
    FindingKind,
    Game,
    Match,
    PlayAnalysis,
    Severity,
)
from gammonrules.records.archive import zip_files
from gammonrules.records.formats import MAX_FILE_SIZE, match_reading
from gammonrules.records.formats.mat import cells
from gammonrules.records.formats.sgf import sgf_trees
from gammonrules.records.formats.sgf.sgf_reader import MAX_SGF_SIZE
from gammonrules.records.formats.texts import text_patterns
from gammonrules.records.formats.texts.gnubg_sheet import MAX_DECISIONS
from gammonrules.records.formats.texts.text_patterns import MAX_POSITIONS
from gammonrules.records.formats.xg import xg_container
from gammonrules.records.formats.xg.xg_analyses import MAX_CANDIDATES
from gammonrules.records.transcript.findings import MAX_OF_A_KIND, MAX_QUOTE_LENGTH
from gammonrules.values import shown
from integers import Count

WHITE, BLACK = Player.WHITE, Player.BLACK
START = Position.start()
OPENING = MatchState.new(7)
TO_PLAY = OPENING.opening_roll(3, 1)
TO_ROLL = TO_PLAY.play("8/5 6/5")
DOUBLED = TO_ROLL.double()
OVER = DOUBLED.drop()
PLAYS = START.legal_plays("31")
PLAYED = {name: json.to_data(PLAYS[0])[name] for name in ("before", "dice", "moves")}
MOVE = Move(8, 5)
MARKUP = '"><script>'


class Sly(str):
    """A text that writes markup in place of itself."""

    __slots__ = ()

    def _markup(self, *_: object) -> Any:
        return MARKUP

    __str__ = __repr__ = __format__ = __add__ = __getitem__ = _markup
    encode = join = partition = replace = split = strip = translate = _markup


class Kind(StrEnum):
    OTHER = "other"


def nested() -> list[Any]:
    inner: list[Any] = []
    for _ in range(20_000):
        inner = [inner]
    return inner


HOSTILE: dict[str, Any] = {
    "huge": 10**4300,
    "far below 0": -(10**4300),
    "very huge": 1 << 10**5,
    "more than JSON has": 2**53,
    "less than JSON has": -(2**53),
    "bool": True,
    "float": 1.5,
    "nan": float("nan"),
    "infinity": float("inf"),
    "None": None,
    "long text": "x" * 10**6,
    "many blanks": " " * 10**6,
    "a roll far apart": "3" + " " * 10**5 + "1 ",
    "control characters": "\x00\x1b[2J\u202e\ud800" * 10**5,
    "bytes": b"x" * 10**6,
    "list": [0] * 10**5,
    "tuple": (0,) * 10**4,
    "moves": [MOVE] * 10**5,
    "endless moves": repeat(MOVE),
    "endless": repeat(0),
    "deque": deque([0] * 10**5),
    "array": np.zeros((10**3, 26)),
    "array without a dimension": np.array(3),
    "array of objects": np.array([object()] * 26),
    "array of another length": np.array([3, 1, 1]),
    "memory of two dimensions": memoryview(bytes(4)).cast("B", (2, 2)),
    "memory without a dimension": memoryview(b"x").cast("B", ()),
    "dict": dict.fromkeys(range(10**5), 1),
    "nested": nested(),
    "text of another class": np.str_("x" * 10**6),
    "member of an enum": Kind.OTHER,
    "number of another class": np.int64(2**40),
    "pair of other numbers": (Count(10**30), np.float32(0.5)),
    "object": object(),
    "huge pair": (10**4300, -(10**4300)),
    "huge counts": [10**4300] * 26,
}


def read(source: str) -> dict[str, Callable[[Any], object]]:
    """Functions of x, by their source; two blanks between them."""
    public = {name: getattr(module, name) for module in (board, draw, records) for name in module.__all__}
    names = vars(gammonrules) | public | globals()
    return {call: eval(f"lambda x: {call}", names) for call in re.split(r"  |\n", source.strip())}


CALLS = read("""
Dice(x, 1)  Dice.of(x)  Move(x, 5)  Move(8, x)  Move(8, 5, x)  Outcome(x, x)  Position.of(x, x)
Position.of({6: x}, {'bar': x, 'off': x})  Position.of({6: 1}, {6: 1}, checkers=x)
Position.of({x: 1} if x.__hash__ else x, {6: 1})  Position.from_points(x)  Position.from_points([0, x, *[0] * 24])
Position.from_points([x] * 26)  Position.from_points(START.points, checkers=x)  Position.start(x)
START.legal_plays(x)  START.play(x, '31')  START.play('8/5 6/5', x)  PLAYS.find(x)  PLAYS.next_moves(x)
PLAYS.is_complete(x)  PLAYS.points_after(x)  Rules(crawford=x, jacoby=x, cube=x, gammons=x, backgammons=x)
Rules(beavers=x, auto_doubles=x, max_cube=x)  Rules(scoring=x, opening=x, start=x)  Cube(x)  Cube(2, x)
Double(WHITE, x)  Double(x, 2)  Double(WHITE, 4, x)  Double(x, x, x)  Resignation(x, x, x)  Result(x, x, x, x)
Result(WHITE, Win.SINGLE, x, End.PLAYED)  Event(x)  Event('take', x)  Event(x, x, x)  MatchState(x)
MatchState(x, x, cube=x, offer=x, score=x, length=x, crawford=x, rules=x, result=x)  MatchState(START, x)
MatchState(START, WHITE, x)  MatchState(START, WHITE, score=x)  MatchState(START, WHITE, score=(x, 0))
MatchState(START, WHITE, score=(0, x))  MatchState(START, WHITE, length=x)
MatchState(START, WHITE, score=(x, 0), result=OVER.result)  MatchState.new(x)  MatchState.new(None, score=(x, 0))
MatchState.new(x, score=(x, x))  MatchState.new(7, position=x, rules=x)  attrs.evolve(TO_ROLL, score=(x, x))
attrs.evolve(TO_ROLL, length=x)  OPENING.opening_roll(x, 1)  OPENING.opening_roll(1, x)
OPENING.opening_roll(3, 1, by=x)  TO_ROLL.roll(x)  TO_PLAY.play(x)  TO_PLAY.play('8/5 6/5', by=x)
TO_ROLL.double(by=x)  DOUBLED.take(by=x)  TO_ROLL.resign(x)  OVER.next_game(x)  OVER.next_game(position=x)
TO_ROLL.apply(x)  TO_ROLL.receive(x, BLACK, roll=lambda: (3, 1))  TO_ROLL.receive(Event('double'), x, roll=x)
TO_ROLL.receive({'action': 'roll'}, BLACK, roll=lambda: x)  OPENING.receive({'action': x}, x, roll=lambda: (3, 1))
OPENING.receive({'action': 'opening_roll'}, BLACK, roll=lambda: (x, 1))
TO_PLAY.receive({'action': 'play', 'argument': x}, WHITE, roll=lambda: (3, 1))
TO_PLAY.receive({'action': 'play', 'argument': [x]}, WHITE, roll=lambda: (3, 1))
TO_PLAY.receive({'action': 'play', 'argument': [{'from_point': x, 'to_point': x, 'hit': x}]}, WHITE, roll=list)
TO_PLAY.receive({'action': 'play', 'argument': {'before': x, 'dice': x, 'moves': x}}, WHITE, roll=list)
TO_PLAY.receive({'action': 'play', 'argument': PLAYED | {'moves': x}}, WHITE, roll=list)
TO_PLAY.receive({'action': 'play', 'argument': PLAYED | {'dice': x}}, WHITE, roll=list)
TO_PLAY.receive({'action': 'play', 'argument': PLAYED | {'before': {'points': x, 'checkers': 15}}}, WHITE, roll=list)
TO_PLAY.receive({'action': 'play', 'argument': PLAYED | {'before': {'points': [1], 'checkers': x}}}, WHITE, roll=list)
TO_ROLL.receive({'action': 'resign', 'argument': x, 'time': x}, BLACK, roll=list)
TO_ROLL.receive(dict.fromkeys(('type', 'version', 'action', 'by', 'argument', 'time'), x), BLACK, roll=list)
OVER.receive({'action': 'next_game'}, BLACK, roll=list, starter=x)
OVER.receive({'action': 'next_game'}, BLACK, roll=list, position=x)
TO_ROLL.view(x)  TO_ROLL.legal_actions_of(x)  TO_ROLL.cube_after(x)  perft(x, 1)
perft(Position.of(mine={1: 1}), x)  PerftCount(1, x, x)  svg.position(START, dice=x)  svg.position(START, last_play=x)
svg.position(START, arrows=x)  svg.position(START, dice='31', so_far=x)  svg.position(START, last_dice=x)
json.dumps(x)  json.loads(x)
json.loads(json.dumps(Cube()), x)  json.from_data(x)
json.from_data({'version': json.VERSION, 'type': 'Player', 'value': x})
json.from_data({'version': json.VERSION, 'type': x, 'value': 1})
json.from_data({'version': x, 'type': 'Player', 'value': 'white'})
json.from_data(dict.fromkeys(('version', 'type', 'value', 'owner'), x))
json.from_data({'version': json.VERSION, 'type': 'Cube', 'value': x, 'owner': x})
""") | read(
    "  ".join(
        f"Event('{action}', None, x)  json.from_data("
        f"{{'version': json.VERSION, 'type': 'Event', 'action': '{action}', 'by': None, 'argument': x}})"
        for action in Action
    )
)
"""Functions of anything."""
ARGUMENTS = read("""
svg.position(x)  svg.position(START, flipped=x)  svg.position(START, style=x)  svg.position(START, highlight=x)
svg.position(START, targets=(x, x))  svg.position(START, arrows=[x])  svg.match_state(TO_ROLL, style=x)
draw.BoardStyle(theme=x)  draw.BoardStyle(nonce=x)  draw.BoardStyle(home=x)  draw.BoardStyle(numbers=x)
draw.BoardStyle(header=x, footer=x)  draw.BoardStyle(size=x)  draw.BoardStyle(look=x, layout=x)
draw.BoardStyle(score=x)  draw.BoardStyle(centered_cube=x)  svg.position(START, labels=x)
svg.position(START, labels={'pips': x})
svg.checker_center(x)  svg.checker_center(6, x)  svg.checker_center(6, 1, x)
svg.checker_center(6, home=x)  draw.Theme(ink=x, line=x)  svg.stylesheet(dark=x)  svg.stylesheet(when=x)
svg.match_state(x)  svg.match_state(TO_ROLL, bottom=x)  svg.match_state(TO_ROLL, names=x)
svg.match_state(TO_ROLL, names=(x, x))
text.position(x)  text.match_state(x)  text.match_state(TO_ROLL, names=x)  text.match_state(OVER, names=(x, x))
strategies.positions(kind=x)  strategies.positions(checkers=x)  strategies.match_states(phase=x)
strategies.games(max_turns=x)  strategies.matches(max_games=x)  strategies.events(x)
arena.EnginePlayer(x)  arena.Policy(x)  arena.Policy(max, x)  arena.Interval(x, x, x, x)  arena.Loss(x)
arena.Loss(1, x)  arena.Options(timeout=x)  arena.Options(on_error=x)  arena.Options(exclude=x)
arena.Options(rerun=x)  arena.Options(records=x)  arena.Options(progress=x)
arena.Pairing(x, x, x, x, x, x)  arena.Pairing(('Ann', 'Bob'), x, x, None, x, ((x, x),))  arena.Results(x, x, x, x)
equity.DoublingWindow(x, x)  records.needs_rollout(x)  records.similar_names(x)
""")
"""The same, which have no errors but `ArgumentError`."""

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


def analysis_of(text: str) -> PlayAnalysis:
    return PlayAnalysis((attrs.evolve(CANDIDATE, play=text, level=text),), engine=text)


READ = {
    "31": "Dice.of(x)",
    "nackgammon": "Position.start(x)  Rules(start=x)",
    START.id: "Position.from_id(x)  identifiers.read(x)",
    "bar": "Position.of({x: 1}, {6: 1})",
    "8/5 6/5": "START.play(x, '31')",
    "doubler": "identifiers.read(DOUBLED.xgid, doubled_turn=x)",
    TO_PLAY.xgid: "MatchState.from_xgid(x)  identifiers.read(x)",
    TO_PLAY.gnubg_id: "MatchState.from_gnubg_id(x)",
    TO_PLAY.ogid: "MatchState.from_ogid(x)",
    "play": "Event(x, WHITE, '8/5 6/5')",
    "white": "MatchState(START, x)  Event('next_game', x, x)",
    "double": "TO_ROLL.receive({'action': x}, 'black', roll=list)",
    "gammon": "TO_ROLL.resign(x)  TO_ROLL.receive({'action': 'resign', 'argument': x}, WHITE, roll=list)",
    json.dumps(TO_PLAY): "json.loads(x)",
    records.dumps(MATCH): "records.loads(x)",
    "mat": "records.loads(records.dumps(MATCH), x)",
    "sgf": "records.dumps(MATCH, x)  records.lost_fields(MATCH, x)",
    "examples/matches/galaxy/match1033650.txt": "records.load(x)",
    "race": "repr(strategies.positions(kind=x))",
}
for form in FORMS:
    identifier = gammonrules.identifiers.write(TO_PLAY, form)
    READ[identifier] = f"{READ.get(identifier, '')}  identifiers.read(x, form={form!r})".strip()
"""Texts, and functions that read them."""
WRITTEN = {
    "dark": "svg.position(START, style=draw.BoardStyle(theme=x))",
    "auto": "svg.position(START, style=draw.BoardStyle(theme=x, nonce=''))",
    "abc": "svg.position(START, style=draw.BoardStyle(theme='auto', nonce=x))",
    "[data-theme=dark]": "svg.stylesheet(when=x)",
    "print": "svg.stylesheet(light=x, dark=x)",
    "#123456": "draw.Theme(felt=x)  svg.position(START, style=draw.BoardStyle(theme=draw.Theme(felt=x)))",
    "left": "svg.position(START, style=draw.BoardStyle(home=x))",
    "off": "svg.position(START, style=draw.BoardStyle(numbers=x))",
    "bar": "svg.position(START, highlight=x, targets=[x, x])",
    "8/5*": "svg.position(START, arrows=x, last_play=x)",
    "Ann": "svg.match_state(TO_PLAY, names=[x, x])  text.match_state(TO_PLAY, names=(x, x))",
    "Bob": "written(attrs.evolve(MATCH, players=(x, 'Ann'), tags=((x, x),), comments=(x,), format=x))",
    "Well played": "of_game(attrs.evolve(GAME, comments=(x,), notes=(None, x)))"
    "  of_game(attrs.evolve(GAME, stated=RecordedResult(WHITE, 1, text=x)))",
    "Why": "written(attrs.evolve(MATCH, findings=(attrs.evolve(FINDING, text=x, explanation=x),)))",
    "fibs_board": "identifiers.write(TO_ROLL, x)  identifiers.read(identifiers.write(TO_ROLL, x), form=x)",
    "8/5 6/5": "of_game(attrs.evolve(GAME, analyses=(None, analysis_of(x))))  attrs.evolve(DECISION, action=x, note=x)",
    "2-ply": "CubeAnalysis(level=x, engine=x)",
}
"""Texts, and functions that write or keep them."""
NESTED = read("""
identifiers.read(START.id, [x])  identifiers.read(TO_ROLL.xgid, checkers=(x,))
identifiers.read(TO_ROLL.xgid, doubled_turn=x)  identifiers.lost_fields(x, "xgid")
identifiers.lost_fields(TO_ROLL, "gnubg_id", (x,))  identifiers.lost_fields(TO_ROLL, x)
identifiers.write(TO_ROLL, "xgid", rules=(x,))  identifiers.write(x, "xgid")  identifiers.write(TO_ROLL, (x,))
identifiers.write(TO_ROLL, "bot_line", names=(x, x))  identifiers.read(TO_ROLL.xgid, form=x)
batch.outcomes([START.points], checkers=(x,))  batch.from_positions([x])
batch.random_games((x,), rng=np.random.default_rng(1))  batch.random_games(1, rng=x)
batch.play_games(0, (x, x), rng=np.random.default_rng(1))
batch.random_games(0, rng=np.random.default_rng(1), first=(x,))
batch.random_games(0, rng=np.random.default_rng(1), max_turns=(x,))
batch.play_games(0, max, rng=np.random.default_rng(1), end=(x,))
batch.random_games(0, rng=np.random.default_rng(1)).lambda_returns([], x)
batch.play_matches(0, (max, max), (x, x), rng=np.random.default_rng(1))  batch.MatchStates.from_states([x])
batch.MatchStates.new(1, 7).may((x,))  strategies.reachable_positions(start=(x,))  strategies.plays(rolls=x)
""")
"""Others that have no errors but that one."""

MAX_ERROR_LENGTH = limits.MAX_MESSAGE_LENGTH + 150
"""Of a message: what lists its problems, and the words around them."""


def take_or_refuse_each(what: str, call: Callable[[Any], object]) -> None:
    """For each of the values either an error of the library, in a short line, or a value that can be shown."""
    for name, value in HOSTILE.items():
        try:
            made = call(value)
        except GammonError as error:
            message = str(error)
            assert len(message) <= MAX_ERROR_LENGTH, (what, name)
            assert message.isprintable(), (what, name)
            assert what not in ARGUMENTS or type(error) is ArgumentError, (what, name)
        except Exception as error:
            raise AssertionError(f"{what}, {name}: {error!r:.200}") from error
        else:
            assert len(repr(made)) < 30_000, (what, name)
            assert len(str(made)) < 30_000, (what, name)
            assert_shown_and_kept(made)


def test_refused_in_a_line_or_taken_for_what_it_is() -> None:
    """At once: without a look at each item of what has 100,000."""
    for what, call in (CALLS | ARGUMENTS).items():
        each_value = partial(take_or_refuse_each, what, call)
        assert calls_fewer(each_value, 100_000), what


def test_a_wrong_argument_is_an_argument_error() -> None:
    """All functions raise the same error for an argument that has no error class of its own."""
    for (what, call), (name, value) in product(NESTED.items(), HOSTILE.items()):
        try:
            call(value)
        except GammonError as error:
            assert type(error) is ArgumentError, (what, name)


@loop.rows("name", "memory of two dimensions", "memory without a dimension")
def test_memory_is_no_series(name: str) -> None:
    """It looks like one until it is gone through; where series may be without end, these are."""
    several = batch.from_ids, batch.from_positions, batch.MatchStates.from_states, records.error_rates, records.to_table
    for call in several:
        with pytest.raises(ArgumentError):
            call(HOSTILE[name])


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
                assert len(str(error)) <= MAX_ERROR_LENGTH
            assert_shown_and_kept(state)

    @loop.rows("tries", 53, 100)
    def test_a_money_game_doubled_again_and_again(self, tries: int) -> None:
        """Agreed doubles end at the largest cube, and the game goes on to a result that JSON takes."""
        state = MatchState.new(None, rules=Rules(opening="reroll")).opening_roll(3, 1)
        for _ in range(tries):
            if Action.DOUBLE not in state.legal_actions:
                break
            state = attrs.evolve(state.double().take(), cube=Cube(2 * state.cube.value))
        assert state.cube.value == limits.MAX_CUBE
        with pytest.raises(IllegalActionError, match=r"^White cannot double: the cube ends at 16,777,216$"):
            state.double()
        for then in (state, state.resign(Win.BACKGAMMON), state.resign(Win.BACKGAMMON).accept()):
            assert_shown_and_kept(then)

    def test_automatic_doubles_without_end(self) -> None:
        state = MatchState.new(None, rules=Rules(auto_doubles=1000))
        for _ in range(1000):
            state = state.opening_roll(4, 4)
            assert state.cube.value <= limits.MAX_CUBE
        assert state.cube == Cube(limits.MAX_CUBE)
        assert_shown_and_kept(state)

    def test_beavers_without_end(self) -> None:
        state = (
            MatchState.new(None, rules=attrs.evolve(MONEY, beavers=1000)).opening_roll(3, 1).play("8/5 6/5").double()
        )
        for _ in range(limits.MAX_CUBE.bit_length() - 2):
            state = state.beaver()
            assert_shown_and_kept(state)
        with pytest.raises(IllegalActionError, match=r"cannot beaver: the cube ends at 16,777,216$"):
            state.beaver()
        assert_shown_and_kept(state.take())


class TestMoves:
    """A series of moves is looked at up to the first one that is too many."""

    def test_too_many(self) -> None:
        asked = PLAYS.find, PLAYS.next_moves, PLAYS.is_complete, PLAYS.points_after, TO_PLAY.play
        for ask, moves in product(asked, ([MOVE] * 10**6, repeat(MOVE))):
            with pytest.raises(IllegalPlayError, match=r'^"8/5 8/5.{,150}$') as caught:
                ask(moves)
            assert caught.value.reason is IllegalPlayReason.DIE_NOT_ROLLED

    def test_an_endless_series_is_left_where_it_is(self) -> None:
        moves = iter([MOVE] * 100)
        with pytest.raises(IllegalPlayError):
            PLAYS.find(moves)
        assert len(list(moves)) == 100 - (limits.MAX_MOVES + 1)

    def test_events(self) -> None:
        four = Event("play", argument=[MOVE] * 4)
        assert four.argument == (MOVE,) * 4
        with pytest.raises(ArgumentError, match=r"^a play has at most 4 moves, but this series has more$"):
            Event("play", argument=repeat(MOVE))
        with pytest.raises(ArgumentError, match=r"^a play has at most 200 characters, but this text has 201$"):
            Event("play", argument=" " * 201)


class TestOtherClasses:
    """A text or a number of another class counts as what it holds."""

    def test_texts(self) -> None:
        """Nothing of the class is kept: neither in what is made nor in what is written."""
        for str_, (held, source) in (*product([np.str_], READ.items()), *product([np.str_, Sly], WRITTEN.items())):
            for name, call in read(source).items():
                made, expected = call(str_(held)), call(held)
                stored = pickle.dumps(made)
                assert pickle.loads(stored) == expected, name
                assert repr(made) == repr(expected), name
                assert MARKUP.encode() not in stored, name
                assert b"numpy" not in stored, name

    def test_numbers(self) -> None:
        assert repr(Move(np.int8(8), Count(5))) == "Move(from_point=8, to_point=5, hit=False)"
        assert repr(Dice(np.int8(3), Count(1))) == "Dice(high=3, low=1)"
        assert repr(CubeAnalysis(1, np.float32(0.5), Fraction(1, 4))) == repr(CubeAnalysis(1.0, 0.5, 0.25))


class TestShown:
    """What errors show of a value: a line of it, at no cost."""

    def test_bounded(self) -> None:
        for name, value in HOSTILE.items():
            assert calls_fewer(partial(shown, value), 5_000), name
            assert bytes_fewer(partial(shown, value), 100_000), name
            text = shown(value)
            assert 0 < len(text) <= 43, name
            assert text.isprintable(), name

    def test_small_values_are_their_repr(self) -> None:
        numbers = 7, -1, True, None, 1.5, Win.GAMMON, Dice(3, 1)
        for value in (*numbers, "x", b"x", [3, 1], (3, 1), (3,), {1: "a"}, {1}, frozenset({1})):
            assert shown(value) == repr(value)

    def test_large_ones_are_not(self) -> None:
        assert shown(np.array(3)) == "an object of type ndarray"
        assert shown(deque(range(1001))) == "a deque of 1001"
        assert shown(nested()) == "[[[[...]]]]"


class TestThePageOfLimits:
    """`docs/reference/limits.md` states the constants of the code."""

    PAGE = (Path(__file__).parent.parent / "docs" / "reference" / "limits.md").read_text(encoding="utf-8")

    def test_rows(self) -> None:
        for row, limit in (
            ("a roll as text", limits.MAX_ROLL_LENGTH),
            ("a play as text", limits.MAX_PLAY_LENGTH),
            ("moves of a play", limits.MAX_MOVES),
            ("moves of an `Event`", limits.MAX_MOVES),
            ("match length", limits.MAX_POINTS),
            ("score before a game", limits.MAX_POINTS),
            ("times of a `Clock`", limits.MAX_SECONDS),
            ("points of a `Result`", limits.MAX_POINTS),
            ("value of a cube", limits.MAX_CUBE),
            ("beavers of a pending double", limits.MAX_CUBE.bit_length() - 2),
            ("`Rules.beavers`", limits.MAX_IN_A_ROW),
            ("depth of `perft`", limits.MAX_DEPTH),
            ("`max_turns`", limits.MAX_SCRIPTED),
            ("a document of another type", limits.MAX_JSON_LENGTH),
            ("a document of a match", limits.MAX_JSON_RECORD_LENGTH),
            ("a number that is read", limits.MAX_JSON_NUMBER),
            ("an identifier", MAX_CHARACTERS),
            ("any record file", MAX_FILE_SIZE // 2**20),
            ("a match record", MAX_RECORD_SIZE // 2**20),
            ("a record in SGF", MAX_SGF_SIZE // 2**20),
            ("what an `.xg` file unpacks to", xg_container.MAX_CONTENT_SIZE // 2**20),
            ("files inside an `.xg` file", xg_container.MAX_FILES),
            ("a line of match text", cells.MAX_LINE_LENGTH),
            ("a line of a text with positions", text_patterns.MAX_LINE_LENGTH),
            ("games of match text or of SGF", match_reading.MAX_GAMES),
            ("nodes of SGF", sgf_trees.MAX_NODES),
            ("decisions of an analyzed text", MAX_DECISIONS),
            ("positions of a text", MAX_POSITIONS),
            ("candidates for a play", MAX_CANDIDATES),
            ("comments of an `.xg` file", xg_container.MAX_COMMENT_LENGTH),
            ("comments of an `.xg` file", xg_container.MAX_COMMENTS_SIZE // 2**20),
            ("comments of an `.xg` file", xg_container.MAX_TEXT // 2**20),
            ("what a finding quotes", MAX_QUOTE_LENGTH),
            ("findings of one kind", MAX_OF_A_KIND),
            ("processes that read", limits.MAX_WORKERS),
            ("files in a ZIP archive", zip_files.MAX_MEMBERS),
            ("the list of files in a ZIP archive", zip_files.MAX_LIST_SIZE // 2**20),
            ("what a file in a ZIP archive inflates to", zip_files.MAX_INFLATED),
            ("a match in an environment", limits.MAX_EPISODE_LENGTH),
            ("games of one environment", limits.MAX_ENVIRONMENTS),
            ("tied opening rolls in a row", limits.MAX_TIES),
            ("width of an SVG", limits.MAX_WIDTH),
            ("points that stand out in an SVG", limits.MAX_MARKED),
            ("a selector or a nonce", limits.MAX_SELECTOR_LENGTH),
            ("a name in the description", limits.MAX_NAME_LENGTH),
            ("problems in one message", limits.MAX_MESSAGE_LENGTH),
        ):
            (value,) = re.findall(rf"(?m)^\| {re.escape(row)}[^|]*\|([^|]*)\|", self.PAGE)
            assert limit in [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", value)], row

    def test_no_score_is_above_the_number_it_names(self) -> None:
        assert limits.MAX_POINTS + 3 * limits.MAX_CUBE < 2_000_000_000 < limits.MAX_JSON_NUMBER
