"""The opponent in C and in WebAssembly decides and judges as selftaught does in Python."""

from __future__ import annotations

import importlib.util
import json
import math
import random
import struct
import zlib
from collections import Counter
from collections.abc import Callable, Iterator

import attrs
import opponent_hosts
import pytest
from attrs import frozen
from opponent_hosts import WEIGHTS, Host
from plays_and_doubles import CASH, worth_after

import loop
import match_in_c
import opponent_states
from gammonrules import KERNEL, Action, Event, MatchState, Phase, Player, Position, Rules, Win
from gammonrules._network import network
from gammonrules.engine import EngineUnsupportedError, SimpleEngine
from gammonrules.engine._named_engines import TEMPERATURES
from gammonrules.engine._selftaught import Selftaught
from gammonrules.match import Cube
from match_in_c import ACTIONS

pytestmark = [
    pytest.mark.skipif(KERNEL != "c", reason="selftaught needs the compiled kernel"),
    pytest.mark.skipif(match_in_c.COMPILER is None, reason="there is no C compiler"),
    pytest.mark.skipif(not match_in_c.SOURCE.exists(), reason="a distribution is tested without the sources beside it"),
]
REASONS = {
    entry["name"]: entry
    for entry in json.loads((opponent_hosts.C / "reasons.json").read_text(encoding="utf-8"))["reasons"]
}
STRENGTHS = [*TEMPERATURES]
STRONG = STRENGTHS.index("strong")
SAME = 1e-5
"""Two worths that differ by less are the same."""
OPENING = MatchState.new(7).opening_roll(white=3, black=1)
TO_ROLL = OPENING.play("8/5 6/5")
MONEY = attrs.evolve(TO_ROLL, length=None, rules=Rules(beavers=3))
RACE = attrs.evolve(OPENING, position=Position.of(mine={10: 5, 8: 5, 6: 5}, theirs={9: 5, 7: 5, 5: 5}))
BEAR_OFF = attrs.evolve(OPENING, position=Position.of(mine={5: 2, 3: 2, 1: 3, "off": 8}, theirs={5: 4, 3: 3, "off": 8}))
CLOSE = attrs.evolve(TO_ROLL, position=Position.of(mine={8: 3, 6: 4, 5: 4, 4: 4}, theirs={8: 4, 7: 3, 6: 4, 4: 4}))
"""A race in which a double is close."""
PIPS = Rules(scoring="pips", cube=False)
NEW_HOSTS: dict[str, Callable[[], Host]] = {
    "native": opponent_hosts.new_native,
    "webassembly": opponent_hosts.new_webassembly,
}


@pytest.fixture(scope="module", params=NEW_HOSTS)
def host(request: pytest.FixtureRequest) -> Host:
    if request.param == "webassembly" and importlib.util.find_spec("wasmtime") is None:
        pytest.skip("wasmtime is not installed")
    host = NEW_HOSTS[request.param]()
    assert host.read_weights() == 0
    return host


def reason(name: str) -> int:
    return REASONS[name]["number"]


def reason_of(error: EngineUnsupportedError, state: MatchState) -> int:
    """The number of the reason that has the sentence of an error."""
    (number,) = (
        entry["number"]
        for entry in REASONS.values()
        if str(error) == f"selftaught 4: {entry['sentence'].replace('{checkers}', str(state.position.checkers))}"
    )
    return number


@frozen
class Asked:
    """Who decides: the engine of Python, which has a number in place of random ones, and the same in C."""

    level: int
    strength: int
    number: list[float]
    engine: SimpleEngine

    @classmethod
    def of(cls, level: int, strength: int) -> Asked:
        number = [0.0]
        temperature = TEMPERATURES[STRENGTHS[strength]]
        return cls(level, strength, number, SimpleEngine(Selftaught(level, temperature, lambda: number[0])))

    def in_python(self, state: MatchState, number: float) -> tuple[int, Position | None]:
        """The number of the action, or below 0 of the reason; and the board after a play."""
        self.number[0] = number
        try:
            decision = self.engine.decide(state)
        except EngineUnsupportedError as error:
            return -reason_of(error, state), None
        if isinstance(decision, Event):
            after = decision.argument.position if decision.action is Action.PLAY else None
            return ACTIONS.index(decision.action), after
        return ACTIONS.index(decision), None

    def in_c(self, host: Host, state: MatchState, number: float) -> tuple[int, Position | None]:
        host.set(state)
        decided = host.call("decide", self.level, self.strength, number)
        return decided, host.board() if decided == ACTIONS.index(Action.PLAY) else None


ASKED = [Asked.of(1, strength) for strength in range(len(STRENGTHS))]
LEVELS = [ASKED[STRONG], Asked.of(2, STRONG)]


def is_explained(asked: Asked, state: MatchState, number: float, decided: tuple[int, Position | None]) -> bool:
    """Whether a decision is as good as another of Python: two are worth the same, or chances end at the number."""
    if asked.strength != STRONG and state.phase is not Phase.RESIGNED:
        return decided in [asked.in_python(state, number + change) for change in (-SAME, SAME)]
    if state.phase is Phase.TO_PLAY:
        equities = {play.position: play.equity for play in asked.engine.candidates(state)}
        assert decided[1] is not None
        return max(equities.values()) - equities[decided[1]] < SAME
    cube = asked.engine.cube_analysis(attrs.evolve(state, offer=None))
    return abs(cube.equity_double - cube.no_double) < SAME or abs(cube.double_take - cube.double_drop) < SAME


def compare_decisions(host: Host, asked: Asked, seed: int, count: int, *, least: int = 0) -> Counter[int]:
    """How often each action was decided, and below 0 each reason; all differences from Python are explained.

    Matches to fewer than `least` points are left out.
    """
    decisions = Counter[int]()
    rng = random.Random(seed)
    for state in opponent_states.states(rng, count):
        if least > (state.length or 0):
            continue
        number = rng.random()
        expected = asked.in_python(state, number)
        decided = asked.in_c(host, state, number)
        if decided != expected:
            assert is_explained(asked, state, number, decided), (state, number, decided, expected)
        decisions[decided[0]] += 1
    return decisions


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: STRENGTHS[asked.strength])
def test_decisions(host: Host, asked: Asked):
    decisions = compare_decisions(host, asked, seed=0, count=300 if asked.strength == STRONG else 60)
    assert len(decisions) > 5, decisions


def edges(weights: list[float]) -> Iterator[tuple[float, int]]:
    """Random numbers at the edges of the share that each number of a choice has, but for shares of almost nothing."""
    below = 0.0
    for number, weight in enumerate(weights):
        share = weight / sum(weights)
        if share > 10 * SAME:
            yield below + SAME, number
            yield below + share - SAME, number
        below += share


@loop.over("state", [OPENING, RACE, BEAR_OFF, CASH], ids=lambda state: state.position.id)
def test_each_play_has_its_share(host: Host, state: MatchState):
    """By the temperature of a strength, a quarter of it in a race, where in a bear-off some plays have no share.

    Plays count as if the opponent would not double, so that not all are alike after which the opponent doubles out.
    """
    engine = LEVELS[0].engine
    equities = {play.position: worth_after(engine, state, play).undoubled for play in state.legal_plays}
    plays = [play.position for play in state.legal_plays]
    off = [position.opponent_off if state is BEAR_OFF else 0 for position in plays]
    for asked in ASKED[:STRONG]:
        temperature = TEMPERATURES[STRENGTHS[asked.strength]] * (0.25 if state.position.is_race else 1)
        gains = [(equities[position] - max(equities.values())) / temperature for position in plays]
        weights = [math.exp(gain) * (count == max(off)) for gain, count in zip(gains, off, strict=True)]
        for number, play in edges(weights):
            assert asked.in_c(host, state, number)[1] == plays[play]


def test_doubles_and_takes_have_their_shares(host: Host):
    """The chance of a double that gains nothing is a half."""
    for state in (TO_ROLL, MONEY, CLOSE):
        cube = LEVELS[0].engine.cube_analysis(state)
        for before, gain, action, other in (
            (state, cube.equity_double - cube.no_double, Action.DOUBLE, Action.ROLL),
            (state.double(), cube.double_drop - cube.double_take, Action.TAKE, Action.DROP),
        ):
            for asked in ASKED[:STRONG]:
                chance = 1 / (1 + math.exp(-gain / TEMPERATURES[STRENGTHS[asked.strength]]))
                for number, choice in edges([chance, 1 - chance]):
                    assert asked.in_c(host, before, number)[0] == ACTIONS.index((action, other)[choice])


def test_decisions_one_roll_ahead(host: Host):
    compare_decisions(host, LEVELS[1], seed=0, count=15)


def test_decisions_beyond_the_equity_table(host: Host):
    assert compare_decisions(host, LEVELS[0], seed=0, count=2000, least=10**9).total() > 30


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 5))
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: STRENGTHS[asked.strength])
def test_many_decisions(host: Host, asked: Asked, seed: int, pytestconfig: pytest.Config):
    """20,000 states, and with `--cases` 16 times as many as that."""
    compare_decisions(host, asked, seed, pytestconfig.getoption("--cases") or 1250)


@pytest.mark.long
def test_many_decisions_one_roll_ahead(host: Host):
    compare_decisions(host, LEVELS[1], seed=1, count=1000)


def compare_judgments(host: Host, asked: Asked, seed: int, count: int) -> int:
    """How many equities of plays and cubes were compared."""
    compared = 0
    rng = random.Random(seed)
    for state in opponent_states.states(rng, count):
        try:
            if state.phase is Phase.TO_PLAY:
                compared += compare_plays(host, asked, state, rng)
            else:
                compared += compare_cubes(host, asked, state)
        except EngineUnsupportedError as error:
            host.set(state)
            name = "candidates" if state.phase is Phase.TO_PLAY else "cube"
            assert host.call(name, asked.level) == -reason_of(error, state)
    return compared


def compare_plays(host: Host, asked: Asked, state: MatchState, rng: random.Random) -> int:
    plays = state.legal_plays
    also = rng.sample(range(len(plays)), 1)
    expected = asked.engine.candidates(state, also=[plays[number] for number in also])
    judged = host.candidates(state, asked.level, also)
    assert {play.position for play in judged} == {play.position for play in expected}
    ahead = sum(play.level == "2-ply" for play in expected)
    assert host.call("looked_at") == ahead
    for ours, theirs in ((judged[:ahead], expected[:ahead]), (judged[ahead:], expected[ahead:])):
        assert [play.equity for play in ours] == pytest.approx([play.equity for play in theirs], abs=SAME)
    fives = {play.position: attrs.astuple(play.chances) for play in expected}
    for play in judged:
        assert play.five == pytest.approx(fives[play.position], abs=SAME)
    return len(plays)


def compare_cubes(host: Host, asked: Asked, state: MatchState) -> int:
    """Where nobody may double, none."""
    is_answered = state.phase is Phase.DOUBLED and not state.pending_double.beavers
    if not is_answered and Action.DOUBLE not in state.legal_actions:
        return 0
    cube = asked.engine.cube_analysis(state)
    host.set(state)
    assert host.call("cube", asked.level) == 0
    expected = [cube.no_double, cube.double_take, cube.double_drop]
    assert [*host.numbers("equities", "d", 3)] == pytest.approx(expected, abs=SAME)
    assert host.numbers("chances", "f", 5) == pytest.approx(attrs.astuple(cube.chances), abs=SAME)
    return 3


def test_equities(host: Host):
    assert compare_judgments(host, LEVELS[0], seed=5, count=60) > 300
    assert compare_judgments(host, LEVELS[1], seed=5, count=5) > 20


@loop.over("asked", LEVELS)
def test_equal_plays_stand_in_the_order_of_legal_plays(host: Host, asked: Asked):
    """Whatever White plays, they win a single game."""
    ended = Position.of(mine={6: 1, 5: 1, 4: 1, "off": 12}, theirs={12: 14, "off": 1})
    state = attrs.evolve(OPENING, position=ended)
    plays = [play.position for play in state.legal_plays]
    judged = host.candidates(state, asked.level)
    assert len(plays) > 3
    assert len({play.equity for play in judged}) == 1
    assert [play.position for play in judged] == plays
    assert [play.position for play in asked.engine.candidates(state)] == plays
    assert asked.in_python(state, 0.0) == asked.in_c(host, state, 0.0) == (ACTIONS.index(Action.PLAY), plays[0])


def test_a_resignation_without_contact_is_accepted_with_pip_scoring(host: Host):
    """It gives all pips that are left."""
    pips = attrs.evolve(RACE, dice=None, length=None, rules=PIPS)
    state = pips.resign(Win.SINGLE, by=Player.BLACK)
    asked = LEVELS[0]
    assert asked.in_python(state, 0.0) == asked.in_c(host, state, 0.0) == (ACTIONS.index(Action.ACCEPT), None)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_many_equities(host: Host, seed: int):
    compare_judgments(host, LEVELS[0], seed, count=1000)
    compare_judgments(host, LEVELS[1], seed, count=100)


BAD = [
    *(("decide", (level, STRONG, 0.5), OPENING, "no_such_level") for level in (-(2**31), -1, 0, 3, 2**31 - 1)),
    *(
        ("decide", (1, strength, 0.5), OPENING, "no_such_strength")
        for strength in (-(2**31), -1, len(STRENGTHS), 2**31 - 1)
    ),
    ("decide", (2, 0, 0.5), OPENING, "no_such_strength"),
    *(
        ("decide", (1, 0, number), OPENING, "no_such_random")
        for number in (1.0, -1e-300, math.nan, math.inf, -math.inf)
    ),
    ("decide", (1, STRONG, 0.5), MatchState.new(7), "opening_roll_first"),
    ("decide", (1, STRONG, 0.5), TO_ROLL.double().drop(), "game_over"),
    ("candidates", (0,), OPENING, "no_such_level"),
    ("candidates", (1,), TO_ROLL, "not_rolled"),
    ("candidates", (1,), TO_ROLL.double(), "double_pending"),
    ("candidates", (1,), TO_ROLL.double().drop(), "game_over"),
    ("cube", (3,), TO_ROLL, "no_such_level"),
    ("cube", (1,), OPENING, "already_rolled"),
    ("cube", (1,), MatchState.new(7), "opening_roll_first"),
    ("cube", (1,), MONEY.double().beaver(), "double_pending"),
    ("cube", (1,), TO_ROLL.double().resign(), "resignation_pending"),
    ("cube", (1,), attrs.evolve(TO_ROLL, cube=Cube(2, Player.WHITE)), "opponent_owns_cube"),
    ("candidates", (1,), MatchState.new(26).opening_roll(3, 1), "beyond_equity_table"),
    ("cube", (1,), attrs.evolve(TO_ROLL, length=33), "beyond_equity_table"),
    ("candidates", (1,), MatchState.new(None, rules=PIPS).opening_roll(3, 1), "unknown_scoring"),
    (
        "decide",
        (1, STRONG, 0.5),
        MatchState.new(5, rules=Rules(start="hypergammon")).opening_roll(3, 1),
        "unknown_checkers",
    ),
    ("decide", (1, STRONG, 0.5), MatchState.new(5, rules=Rules(crawford=False)).opening_roll(3, 1), "unknown_crawford"),
]


@loop.over("name, numbers, state, why", BAD, ids=lambda case: f"{case[0]}{case[1]} {case[3]}")
def test_bad_input(host: Host, name: str, numbers: tuple[float, ...], state: MatchState, why: str):
    """It gives the number of a reason, and changes nothing."""
    host.set(state)
    before = host.match()
    assert host.call(name, *numbers) == -reason(why)
    assert host.match() == before


def test_impossible_matches(host: Host):
    """Of a stranger: fields that no match has, and fields that contradict each other."""
    host.set(OPENING)
    match = host.match()
    for number in range(29):
        for value in (-(2**31), -5, 7, 2**31 - 1):
            changed = bytearray(match)
            struct.pack_into("<i", changed, 4 * number, value)
            host.write(host.call("match"), bytes(changed))
            is_impossible = host.call("problems") > 0
            for name, numbers in (("decide", (1, STRONG, 0.5)), ("candidates", (1,)), ("cube", (1,))):
                answer = host.call(name, *numbers)
                assert (answer == -reason("no_such_match")) == is_impossible, (number, value, name)
            assert host.match() == changed


def summed(content: bytes) -> bytes:
    """The same file, with the right checksum."""
    checksum = zlib.crc32(content[16:], zlib.crc32(content[:12]))
    return content[:12] + struct.pack("<I", checksum) + content[16:]


def test_weights(host: Host):
    """What is no file of weights is refused by a number, and what was read before stays."""
    half_nan = struct.pack("<e", math.nan)
    host = NEW_HOSTS["native" if host.call("weights") > 2**32 else "webassembly"]()
    host.set(OPENING)
    for name, numbers in (("decide", (1, STRONG, 0.5)), ("candidates", (1,)), ("cube", (1,))):
        assert host.call(name, *numbers) == -reason("no_weights")
    assert host.call("weights_version") == 0
    assert summed(WEIGHTS) == WEIGHTS
    assert host.read_weights(WEIGHTS[:-2] + half_nan) == 3
    assert host.read_weights() == 0
    assert host.call("weights_version") == network().version
    best = host.candidates(OPENING, 1)[0]
    for content, why in [
        *((bytes(size), 1) for size in (0, 16, len(WEIGHTS) - 1, len(WEIGHTS) + 1)),
        (summed(b"OTHER" + WEIGHTS[5:]), 2),
        (summed(WEIGHTS[:8] + bytes(4) + WEIGHTS[12:]), 2),
        (WEIGHTS[:1000] + bytes([WEIGHTS[1000] ^ 1]) + WEIGHTS[1001:], 3),
        (summed(WEIGHTS[:-2] + half_nan), 4),
        (summed(WEIGHTS[:16] + struct.pack("<e", math.inf) + WEIGHTS[18:]), 4),
    ]:
        assert host.read_weights(content) == why
        assert host.candidates(OPENING, 1)[0] == best
    without_version = summed(WEIGHTS[:4] + bytes(4) + WEIGHTS[8:])  # as `td_gammon.py` saves those of others
    assert host.read_weights(without_version) == 0
    assert host.call("weights_version") == 0
    assert host.candidates(OPENING, 1)[0] == best
    host.write(host.call("weights"), WEIGHTS)
    assert host.call("read_weights", -1) == 1
    assert host.call("read_weights", 2**31 - 1) == 1


def test_a_whole_game(host: Host):
    """A host plays a match with itself by `decide` and `act`, and each step is legal."""
    rng = random.Random(0)
    host.set(MatchState.new(3))
    steps = 0
    while host.call("winner") < 0:
        player = host.call("to_act")
        dice = rng.randint(1, 6), rng.randint(1, 6)
        action = host.call("decide", 1, 1, rng.random()) if player >= 0 else ACTIONS.index(Action.OPENING_ROLL)
        if host.call("phase") == 5:
            host.write(host.call("board"), bytes(number % 256 for number in Position.start().points))
            assert host.call("act", ACTIONS.index(Action.NEXT_GAME), -1, -1, 15) == 0
        else:
            assert host.call("act", action, -1, *dice) == 0
        steps += 1
    assert steps > 20
