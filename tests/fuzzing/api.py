"""The public constructors and actions with values that make no sense, written as Python source.

A line gives a value or an error of the library, in a short time, with a short message that can be printed. Values that
exist can be shown, kept, written and read. Arguments come in the number that the signature has.
"""

from __future__ import annotations

import pickle
import random
import re
import traceback
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, get_args
from xml.etree import ElementTree as ET

import attrs
import numpy as np

import gammonrules
from fuzzing.harness import attempt
from fuzzing.tables import check_table
from gammonrules import IllegalPlayError, MatchState, Plays, draw, identifiers, json, records
from gammonrules.errors import ProblemsError
from gammonrules.identifiers.forms import Form
from integers import Count

MAX_REPR_LENGTH = 60_000
HOSTILE = r"""
None  True  False  0  1  2  -1  3  6  7  25  26  10**9  2**63  2**64  -10**30  10**5000  -10**5000  2**5000
1 << 20000  1.0  0.5  float('nan')  float('inf')  1j  ''  '31'  '8/5 6/5'  b'31'  'x' * 10**6  '9' * 10**6  '\ud800'
'a\nb'  '\0'  '\x1b[31m'  '\u202e'  ()  []  {}  (3, 1)  [3, 1]  (3, 1, 1)  {3: 1}  {3, 1}  range(10**9)  range(26)
iter([3, 1])  (3 for _ in ())  [0] * 26  [0] * 10**6  (1,) * 10**6  [[[[]]]]  [Move(8, 5)] * 10**5
[Move(8, 5), Move(6, 5)]  ['8/5'] * 10**5  object()  int  len  Exception('x')  np.array(3)  Count(3)  Count(10**5000)
np.str_('31')  Endless()  Decimal(3)  Fraction(3, 1)  np.int8(3)  np.int64(2**40)  np.array([3, 1])  np.float64(3)
Player.WHITE  Player.BLACK  Win.GAMMON  Cube()  Cube(2, Player.WHITE)  Double(Player.WHITE, 2)  Position.start()
Dice(3, 1)  Rules()  MatchState.new(3)  Action.ROLL  End.PLAYED  Event('roll', argument='31')  memoryview(b'31')
bytearray(b'31')  {'bar': 1, 6: 2}  {6: 10**5000}  {'x' * 10**6: 1}  {6: 15, 'off': -1}
{i: 1 for i in range(10**5)}  '4HPwATDgc/ABMA'  'standard'
"""
"""Arguments that fit nowhere, or nearly; two blanks between them."""
FITTING = r"""
dice: (3, 1)  '31'  Dice(6, 6)  [2, 1]  '6-5'  (5, 5)
die: 1  2  3  4  5  6
by: None  Player.WHITE  Player.BLACK  0  1
play: ''  '8/5 6/5'  m.legal_plays[0]  m.legal_plays[-1]  str(m.legal_plays[0])  m.legal_plays[0].moves
player: Player.WHITE  Player.BLACK
win: Win.SINGLE  Win.GAMMON  3
position: Position.start()  Position.start('hypergammon')  m.position  Position.of({6: 1}, {1: 1}, checkers=1)
    Position.of(theirs={6: 3})  Position.of({'bar': 15}, {'bar': 2})
score: (0, 0)  (2, 4)  [1, 1]  (6, 6)  (10**9, 0)  (-1, 0)
length: None  1  3  5  7  25
rules: None  MONEY  TOURNAMENT  Rules(beavers=5, auto_doubles=3)  Rules(cube=False, scoring='pips')
    Rules(opening='reroll', max_cube=64)  Rules(start='hypergammon')
cube: Cube()  Cube(2, Player.WHITE)  Cube(64, Player.BLACK)  Cube(2**60)  Cube(2**300, Player.WHITE)
offer: None  Double(Player.WHITE, 2)  Double(Player.BLACK, 8, 1)  Resignation(Player.BLACK, Win.GAMMON)
result: None  Result(Player.WHITE, Win.SINGLE, 1, End.DROPPED)  Result(Player.BLACK, Win.GAMMON, 4, End.PLAYED)
flag: True  False  None
count: 1  2  3  15
counts: {6: 5, 8: 3}  {24: 2, 'bar': 1}  {1: 15}  {}  {6: 2, 'off': 13}
points: Position.start().points  list(m.position.points)  [0] * 6 + [2] + [0] * 18 + [-1]
text: 'x'  'Ann'  ''  m.xgid  m.gnubg_id  m.ogid  '4HPwATDgc/ABMA'  '8/5 6/5'
names: ('Ann', 'Bob')  None  ('x' * 10**6, '')  ('a\nb', '\ud800')  ('<', '&')
    ('דוד', 'a\u202eb\u2066c')  ('\ufffe\uffff', ']]>')  ('\x85\u2028', '👨\u200d👩')  ('e' + '\u0301' * 999, ' ')
action: 'roll'  'play'  'opening_roll'  'next_game'  'resign'  'double'  Action.TAKE
end: End.PLAYED  End.DROPPED  End.RESIGNED
value: 2  4  64  1
point: 24  6  25  0  1
turn: 'doubler'  'responder'
start: 'standard'  'nackgammon'  'hypergammon'
events: ()  (Event('take'),)  (Event('opening_roll', 'white', (3, 1)), Event('resign', 'white'))
games: ()  (records.Game(1, MatchState.new(7)),)  (records.Game(1, m),)
moves: ()  [Move(8, 5)]  m.legal_plays[0].moves  m.legal_plays[-1].moves[:1]
"""
"""Arguments that fit, by the word that stands for them in a form."""
FORMS = (
    ("MatchState.new({length}, rules={rules}, score={score})", 6),
    ("MatchState.new({length}, rules={rules}, position={position}, score={score}, crawford={flag})", 2),
    ("MatchState({position}, {player}, {dice}, cube={cube}, score={score}, length={length}, rules={rules})", 3),
    ("MatchState({position}, {by}, cube={cube}, offer={offer}, score={score}, length={length}, crawford={flag})", 3),
    ("MatchState({position}, {player}, cube={cube}, score={score}, length={length}, result={result})", 1),
    ("m.opening_roll({die}, {die}, by={by})", 6),
    ("m.roll({dice}, by={by})", 8),
    ("m.play({play}, by={by})", 12),
    ("m.double(by={by})", 6),
    ("m.take(by={by})", 5),
    ("m.beaver(by={by})", 4),
    ("m.drop(by={by})", 2),
    ("m.resign({win}, by={by})", 3),
    ("m.accept(by={by})", 2),
    ("m.decline(by={by})", 2),
    ("m.forfeit({player}, {count})", 1),
    ("m.next_game({by}, by={by})", 3),
    ("m.next_game(position={position})", 2),
    ("m.apply(Event({action}, {by}, {any}))", 4),
    ("m.apply({any})", 1),
    ("m.canonical(Event({action}, {by}, {any}))", 1),
    ("m.receive(Event({action}, {by}, {any}), {by}, roll=lambda: {dice})[1]", 1),
    ("m.receive(dict(action={action}, argument={play}), {player}, roll=lambda: {dice})[1]", 3),
    ("m.receive(dict(action={action}, by={by}, version={any}), {player}, roll=lambda: {any})[1]", 1),
    ("m.receive(dict(action='next_game', time={any}), {player}, roll=int, starter={by}, position={position})[1]", 1),
    ("m.receive({any}, {any}, roll=lambda: {dice})[1]", 1),
    ("attrs.evolve(m, position={position})", 2),
    ("attrs.evolve(m, cube={cube}, score={score})", 2),
    ("m.swap_players()", 1),
    ("m.view({player})", 1),
    ("m.legal_actions_of({player})", 1),
    ("m.cube_after({action})", 2),
    ("identifiers.write(m, {form}, strict={flag}, rules={rules})", 4),
    ("identifiers.write(m, {form}, names=({text}, {text}))", 1),
    ("identifiers.write({any}, {any}, names={any})", 1),
    ("MatchState.from_xgid({text}, {rules}, checkers={count})", 1),
    ("MatchState.from_gnubg_id({text}, {rules}, checkers={count})", 1),
    ("MatchState.from_ogid({text}, {rules}, checkers={count})", 1),
    ("identifiers.read({text}, {rules}, checkers={count}, doubled_turn={turn})", 2),
    ("identifiers.read({text}, {rules}, form={form}, checkers={count}, doubled_turn={turn})", 2),
    ("identifiers.lost_fields(m, {form}, {rules})", 1),
    ("identifiers.lost_fields({any}, {any})", 1),
    ("Position.of({counts}, {counts}, checkers={count})", 3),
    ("Position.from_points({points}, checkers={count})", 3),
    ("Position.from_id({text}, checkers={count})", 2),
    ("Position.start({start})", 1),
    ("({position}).legal_plays({dice})", 2),
    ("({position}).play({play}, {dice})", 2),
    ("m.legal_plays.find({play})", 3),
    ("m.legal_plays.next_moves({moves})", 2),
    ("m.legal_plays.is_complete({moves})", 2),
    ("m.legal_plays.points_after({moves})", 2),
    ("{any} in m.legal_plays", 1),
    ("Dice({die}, {die})", 1),
    ("Dice.of({dice})", 2),
    ("Move({point}, {point}, {flag})", 2),
    ("Outcome({flag}, {win})", 1),
    ("Cube({value}, {by})", 2),
    ("gammonrules.match.Clock(({any}, {count}), {count}, on_clock={by}).follow(m, {count}).pause({any})", 2),
    ("Double({player}, {value}, {count})", 2),
    ("Resignation({player}, {win}, {offer})", 2),
    ("Result({player}, {win}, {count}, {end})", 2),
    ("Event({action}, {by}, {play})", 2),
    ("Rules(beavers={count}, auto_doubles={count}, max_cube={value}, cube={flag}, start={start}, jacoby={flag})", 2),
    ("draw.text.match_state(m, bottom={player}, names={names})", 2),
    ("draw.svg.match_state(m, bottom={player}, names={names})", 2),
    ("draw.text.position({position}, flipped={flag})", 1),
    ("draw.svg.position({position}, flipped={flag})", 1),
    ("draw.svg.position({position}, dice={dice}, so_far={any}, highlight={any}, targets={any})", 2),
    ("draw.svg.match_state(m, last_dice={any}, labels={any})", 1),
    ("draw.BoardStyle(score={any}, centered_cube={any}, look={any}, layout={any}, nonce={any})", 1),
    ("draw.svg.match_state(m, last_play={any}, arrows={any}, style={any})", 2),
    ("draw.svg.match_state(m, style=draw.BoardStyle(theme={any}, size={any}))", 2),
    ("draw.Theme({text}, {text})", 1),
    ("json.dumps({any})", 2),
    ("json.loads({text})", 2),
    ("json.from_data({any})", 2),
    ("records.Game({count}, m, {events}, stated={any})", 2),
    ("records.Match({names}, {length}, {games}, {rules})", 2),
    ("records.Match.from_events({names}, {position}, {events})", 1),
    ("Forfeit({player}, {count})", 2),
    ("SetPosition({position}, {player}, {cube})", 2),
    ("records.RecordedResult({by}, {count}, {flag}, {text})", 1),
    ("records.Finding({any}, {any}, {count}, {count}, {text}, {text})", 1),
    ("records.loads({text}, {text})", 1),
    ("records.dumps({any})", 1),
    ("records.referee({any})", 1),
)
"""Calls, and how often each comes."""
ARGUMENTS = {"any": re.split(r"  |\n", HOSTILE.strip())} | {
    line.partition(": ")[0]: re.split(r" {2,}", line.partition(": ")[2])
    for line in re.sub(r"\n {4}", "  ", FITTING.strip()).splitlines()
}
ARGUMENTS["form"] = [*map(repr, get_args(Form))]

Case = tuple[str, ...]
"""Lines of source; m is the last `MatchState` that one of them gave."""


def case(rng: random.Random) -> Case:
    """A few lines; the first makes a match state, and most of the others act on it. Flags are never odd."""
    forms, weights = zip(*FORMS, strict=True)
    lines = [_filled(rng, FORMS[0][0])]
    hostile = rng.choice((0.0, 0.02, 0.1))
    lines += [_filled(rng, form, hostile) for form in rng.choices(forms, weights, k=rng.choice((1, 3, 8, 20)))]
    return tuple(lines)


def _filled(rng: random.Random, form: str, hostile: float = 0.0) -> str:
    parts = form.split("{")
    for index, part in enumerate(parts[1:], 1):
        word, _, rest = part.partition("}")
        parts[index] = rng.choice(ARGUMENTS["any" if rng.random() < hostile and word != "flag" else word]) + rest
    return "".join(parts)


# --- values for the lines -----------------------------------------------------------------------------------------


class Endless:
    """An endless series, which must not be read too far."""

    def __init__(self) -> None:
        self.asked = 0

    def __iter__(self) -> Endless:
        return self

    def __next__(self) -> gammonrules.Move:
        self.asked += 1
        assert self.asked < 10_000, "a series without an end is read on and on"
        return gammonrules.Move(8, 5)


@cache
def _names() -> dict[str, Any]:
    """What the lines can name."""
    public = {name: getattr(gammonrules, name) for name in gammonrules.__all__}
    own = {"Count": Count, "Endless": Endless}
    modules = {"attrs": attrs, "draw": draw, "identifiers": identifiers, "json": json, "records": records, "np": np}
    return public | own | modules | {"gammonrules": gammonrules, "Decimal": Decimal, "Fraction": Fraction}


def candidates(case: Case) -> Iterator[Case]:
    """The case without one of its lines."""
    for index in range(len(case)):
        yield case[:index] + case[index + 1 :]


# --- what must hold -----------------------------------------------------------------------------------------------


def check(case: Case) -> int:
    """Evaluate the lines."""
    names = _names() | {"m": MatchState.new(7)}
    for line in case:
        code = _compiled(line)
        if "m.legal_plays" in line and names["m"].phase != "to_play":
            continue
        try:
            value, error = attempt(lambda code=code: eval(code, names), seconds=_seconds(line), longest=_longest(line))
        except (AttributeError, TypeError) as mistake:
            if _is_of_the_line(mistake):
                continue
            raise
        if error is None:
            _check_value(value)
        elif isinstance(error, IllegalPlayError):
            assert error.witness is None or isinstance(error.witness, gammonrules.Play)
        elif isinstance(error, ProblemsError):
            assert error.problems
        if isinstance(value, MatchState):
            names["m"] = value
    return len(case)


def _is_of_the_line(error: Exception) -> bool:
    """Whether an error comes from the line itself, which uses something that the value does not have."""
    return traceback.extract_tb(error.__traceback__)[-1].name == "<module>"


@lru_cache(maxsize=10_000)
def _compiled(line: str) -> Any:
    return compile(line, line[:80], "eval")


def _seconds(line: str) -> float:
    """Lists and texts of a million items take some time by themselves."""
    return 0.3 if "10**" in line else 0.05


def _longest(line: str) -> int:
    return 4_000 if line.startswith("json.") else 300


def _check_value(value: object) -> None:
    """What exists can be shown, kept, written and read."""
    if isinstance(value, str):
        assert len(value) <= MAX_REPR_LENGTH, f"a text of {len(value):,} characters"
        value.encode()
        if value.startswith("<svg"):
            ET.fromstring(value)
        return
    if isinstance(value, (records.Match, records.Game, records.RecordedResult, records.Finding)):
        return  # they hold the texts that they were given
    assert len(repr(value)) <= MAX_REPR_LENGTH
    assert len(str(value)) <= MAX_REPR_LENGTH
    if isinstance(value, MatchState):
        _check_actions(value)
        if sum(value.position.points[20:]) % 4 == 0:  # which takes longer than all else
            check_table(value)
    elif isinstance(value, json.Value):
        assert json.loads(json.dumps(value)) == value
        assert pickle.loads(pickle.dumps(value)) == value
        hash(value)
    elif isinstance(value, Plays):
        for play in value[:3]:
            assert value.find(str(play)) == play


def _check_actions(state: MatchState) -> None:
    """An action without an argument succeeds exactly if it is listed."""
    for name in ("double", "take", "drop", "beaver", "accept", "decline"):
        _, error = attempt(getattr(state, name))
        assert (error is None) == (name in state.legal_actions), (state, name, error)
