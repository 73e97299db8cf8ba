"""The match in C decides as `MatchState` does: every step, every refusal by its reason, and what can still be won."""

from __future__ import annotations

import random
import re
from functools import reduce
from operator import or_
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import example, given, strategies as st
from sentences import problem_sentence

import gammonrules
import loop
import match_in_c
import node
import processes
import random_logs
from boards import tables
from gammonrules import TO_ACT, Action, Event, MatchState, Phase, Player, Position, Rules, Win
from gammonrules.errors import (
    ArgumentError,
    IllegalActionError,
    IllegalActionReason,
    MatchStateError,
    MatchStateProblem,
)
from gammonrules.limits import MAX_CUBE
from gammonrules.match import Cube, Double, End, Result
from match_in_c import (
    ACTIONS,
    FIRST_CONTRADICTION,
    NO_SUCH_BOARD,
    NO_SUCH_DICE,
    NO_SUCH_MATCH,
    NO_SUCH_PLAY,
    NO_SUCH_POINTS,
    NO_SUCH_WIN,
    PROBLEMS,
    REASONS,
    SEATS,
    Table,
)
from match_setups import SETUPS

pytestmark = [
    pytest.mark.skipif(match_in_c.COMPILER is None, reason="there is no C compiler"),
    pytest.mark.skipif(not match_in_c.SOURCE.exists(), reason="a distribution is tested without the sources beside it"),
]
PHASES = list(Phase)
RULES_OF_POINTS = [rules for rules in random_logs.RULES if rules.scoring == "points"]


@pytest.fixture(scope="module")
def table() -> Table:
    library = match_in_c.compiled()
    assert library is not None
    return library


def attempt(rng: random.Random, state: MatchState) -> tuple[Event, tuple[int, ...], Position | None]:
    """An event, mostly one that is legal; its numbers and its board in C."""
    legal = sorted(state.legal_actions)
    action = rng.choice(legal) if legal and rng.random() < 0.9 else rng.choice(list(Action))
    argument: Any = None
    numbers: tuple[int, ...] = ()
    board = None
    match action:
        case Action.OPENING_ROLL | Action.ROLL:
            argument = numbers = (rng.randint(1, 6), rng.randint(1, 6))
        case Action.PLAY:
            is_to_play = state.phase is Phase.TO_PLAY
            argument = rng.choice(state.legal_plays) if is_to_play else ""
            board = argument.position if is_to_play else None
        case Action.RESIGN:
            argument = rng.choice(list(Win))
            numbers = (int(argument),)
        case Action.NEXT_GAME:
            board = Position.start(state.rules.start)
            argument = rng.choice([board, None, *Player] if board.checkers == state.position.checkers else [board])
            numbers = (SEATS[argument] if isinstance(argument, Player) else -1, board.checkers)
    by = rng.choice([*Player]) if rng.random() < 0.2 else TO_ACT
    return Event(action, by, argument), numbers, board


def applied(state: MatchState, event: Event) -> tuple[MatchState, int]:
    """The state after an event, and the number of the reason if it is illegal, which changes nothing."""
    try:
        return state.apply(event), 0
    except IllegalActionError as error:
        return state, REASONS.index(error.reason)


def seat_of(event: Event) -> int:
    return SEATS[event.by] if isinstance(event.by, Player) else -1


def step(table: Table, state: MatchState, rng: random.Random) -> MatchState:
    """Do the same in both, legal or not; the state afterward."""
    event, numbers, board = attempt(rng, state)
    after, reason = applied(state, event)
    assert table.act(event.action, seat_of(event), *numbers, board=board) == reason, (state, event)
    assert table.is_at(after), (state, event)
    return after


def check_state(table: Table, state: MatchState) -> None:
    """What is asked of a state."""
    library = table.library
    assert PHASES[library.gammonrules_phase()] is state.phase
    assert library.gammonrules_to_act() == SEATS[state.to_act]
    assert library.gammonrules_winner() == SEATS[state.winner]
    for seat in (None, *Player):
        actions = state.legal_actions if seat is None else state.legal_actions_of(seat)
        assert library.gammonrules_actions(SEATS[seat]) == sum(1 << ACTIONS.index(action) for action in actions), state


def compare(table: Table, steps: int, seed: int) -> None:
    """So many steps of matches under all rules, from starts and from positions set by hand."""
    rng = random.Random(seed)
    while steps > 0:
        rules = rng.choice(random_logs.RULES)
        length = None if rules.scoring == "pips" else rng.choice((None, 1, 2, 3, 5, 7))
        state = random_logs.beginning(rng, rules, length)
        table.set(state)
        for _ in range(rng.choice((20, 100, 400))):
            steps -= 1
            state = step(table, state, rng)
            check_state(table, state)
            if state.winner is not None:
                break


def test_every_step(table: Table):
    compare(table, steps=5_000, seed=0)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 5))
def test_every_step_of_many(table: Table, seed: int, pytestconfig: pytest.Config):
    """`--cases 2500000` for ten million."""
    compare(table, steps=pytestconfig.getoption("--cases") or 100_000, seed=seed)


@given(tables())
def test_any_state(state: MatchState):
    """Also states to which no game led: what is asked of them, and what can still be won."""
    table = match_in_c.compiled()
    assert table is not None
    table.set(state)
    assert table.is_at(state)
    check_state(table, state)
    for player in Player:
        levels = sum(1 << win - 1 for win in state.possible_wins(player))
        assert table.library.gammonrules_possible_wins(SEATS[player]) == levels


START = Position.start()
WHITE, BLACK = Player


@loop.over(
    "state",
    lambda: [
        MatchState(START, WHITE, rules=Rules(max_cube=4), cube=Cube(4, WHITE)),
        MatchState(START, WHITE, cube=Cube(MAX_CUBE, WHITE)),
        MatchState(START, WHITE, rules=Rules(beavers=3, max_cube=4), offer=Double(WHITE, 4, beavers=1)),
        MatchState(START, WHITE, rules=Rules(beavers=1), offer=Double(WHITE, 4, beavers=1)),
        MatchState.new(None, score=(10**9, 0)).forfeit(WHITE, 1),
        MatchState.new(None, score=(10**9, 0)).forfeit(BLACK, 1),
    ],
)
def test_limits(table: Table, state: MatchState):
    table.set(state)
    check_state(table, state)
    for action in (Action.DOUBLE, Action.BEAVER, Action.NEXT_GAME):
        _, reason = applied(state, Event(action))
        assert table.library.gammonrules_why_not(ACTIONS.index(action), -1) == reason


@given(tables(), st.sampled_from(Player), st.sampled_from([None, 1, 2, 3, 64, 10**9]))
def test_forfeits(state: MatchState, loser: Player, points: int | None):
    table = match_in_c.compiled()
    assert table is not None
    table.set(state)
    reason = table.library.gammonrules_forfeit(SEATS[loser], points or 0)
    try:
        after = state.forfeit(loser, points)
    except IllegalActionError as error:
        assert reason == REASONS.index(error.reason)
        after = state
    except ArgumentError:
        assert reason == NO_SUCH_POINTS
        after = state
    assert table.is_at(after)


def test_every_option():
    """The match in C has the options in the order of those in Python, from which the tests write them."""
    header = match_in_c.SOURCE.with_name("gammonrules.h").read_text(encoding="utf-8")
    fields, _, _ = header.partition("} GammonrulesOptions;")
    declared = re.findall(r"int32_t ([a-z_, ]+);", fields.rpartition("typedef struct {")[2])
    assert ", ".join(declared).split(", ") == match_in_c.OPTIONS


def test_what_only_a_host_does_wrong(table: Table):
    """A number that is no die, no level, no play, no player or no action changes nothing."""
    state = MatchState.new(3)
    table.set(state)
    for dice in [(0, 1), (1, 7), (-1, -1), (2**31 - 1, 1)]:
        assert table.act(Action.OPENING_ROLL, -1, *dice) == NO_SUCH_DICE
    assert table.is_at(state)
    state = state.opening_roll(3, 1)
    table.set(state)
    assert table.act(Action.PLAY, -1, board=Position.start()) == NO_SUCH_PLAY
    for win in (0, 4, -1):
        assert table.act(Action.RESIGN, -1, win) == NO_SUCH_WIN
    for action, player in [(-1, 0), (11, 0), (2, 2), (2, -2), (2**31 - 1, 0)]:
        assert table.library.gammonrules_act(action, player, 0, 0) == REASONS.index(IllegalActionReason.UNKNOWN_PLAYER)
        assert table.library.gammonrules_why_not(action, player) == REASONS.index(IllegalActionReason.UNKNOWN_PLAYER)
    assert table.is_at(state)
    state = state.resign().accept()
    table.set(state)
    for checkers in (0, 5, 16):
        assert table.act(Action.NEXT_GAME, -1, -1, checkers, board=Position.start()) == NO_SUCH_BOARD
    assert table.is_at(state)


@pytest.mark.parametrize(("field", "number"), [("on_roll", 2), ("cube", 3), ("high", 7), ("length", -1), ("winner", 7)])
def test_a_number_that_no_field_has(table: Table, field: str, number: int):
    """Whatever else the host forgets to ask, nothing is done then, and nothing is allowed."""
    table.set(MatchState.new(3).opening_roll(3, 1))
    setattr(table.match, field, number)
    before = bytes(table.match)
    library = table.library
    assert library.gammonrules_problems()
    for action in range(len(ACTIONS)):
        assert library.gammonrules_why_not(action, 0) == library.gammonrules_act(action, 0, 1, 15) == NO_SUCH_MATCH
    assert library.gammonrules_forfeit(0, 1) == NO_SUCH_MATCH
    assert library.gammonrules_to_act() == -1
    assert library.gammonrules_actions(-1) == library.gammonrules_possible_wins(0) == 0
    assert bytes(table.match) == before


@pytest.mark.long
def test_what_strangers_write(tmp_path: Path):
    """`.ci/sanitize` does more of it, with sanitizers."""
    program = tmp_path / "exports"
    match_in_c.compile_to(program, Path(__file__).parents[1] / "fuzzing" / "exports.c")
    weights = match_in_c.SOURCE.with_name("selftaught.bin")
    assert " actions done, " in processes.run(program, weights, 1_000_000, 1).stdout


def dropped(rules: Rules, cube: Cube, winner: Player) -> SimpleNamespace:
    """A double by White that was dropped, or what followed it."""
    result = Result(winner, Win.SINGLE, cube.value, End.DROPPED)
    score = (cube.value, 0) if winner is WHITE else (0, cube.value)
    fields = {"dice": None, "offer": None, "score": score, "length": None, "crawford": False}
    return SimpleNamespace(position=START, on_roll=WHITE, cube=cube, rules=rules, result=result, **fields)


@given(SETUPS)
@example(dropped(Rules(beavers=1), Cube(4, BLACK), WHITE))
@example(dropped(Rules(beavers=2), Cube(4, BLACK), WHITE))
@example(dropped(Rules(beavers=2), Cube(2, BLACK), WHITE))
@example(dropped(Rules(beavers=1), Cube(2, BLACK), BLACK))
@example(dropped(Rules(beavers=1, max_cube=2), Cube(2, BLACK), BLACK))
@example(dropped(Rules(), Cube(2, WHITE), BLACK))
def test_problems(setup: SimpleNamespace):
    """What makes fields of strangers impossible: all at once, each as `MatchState` has it."""
    table = match_in_c.compiled()
    assert table is not None
    table.set(setup)
    numbers = table.problems()
    fields = {**vars(setup)}
    try:
        MatchState(fields.pop("position"), **fields)
    except MatchStateError as error:
        clauses = str(error).removeprefix("impossible match state: ").split("; ")
        if clauses[-1] == "and more":
            assert len(numbers) >= len(clauses)
        else:
            assert len(numbers) == len(clauses)
        for number, clause in zip(numbers, clauses, strict=False):
            said = problem_sentence(number, setup, clause.partition(", though ")[2])
            assert clause in (said, "and more")
        if error.problems is MatchStateProblem.SCORE_TOO_HIGH:
            assert all(number < FIRST_CONTRADICTION for number in numbers)
        else:
            flags = [PROBLEMS[number - FIRST_CONTRADICTION] for number in numbers]
            assert error.problems is reduce(or_, flags)
    else:
        assert numbers == []


def test_the_header(tmp_path: Path):
    """Its numbers are those of the C by the same names, and it names all actions, phases and reasons."""
    header = match_in_c.SOURCE.with_name("gammonrules.h")
    enums = re.findall(r"enum \{(.*?)\}", header.read_text(encoding="utf-8"), re.DOTALL)
    names = re.findall(r"\bGAMMONRULES_(\w+)", "".join(enums))
    assert {member.name for member in (*Action, *Phase, *IllegalActionReason, *Player)} <= {*names}
    asserted = [f'_Static_assert((int)GAMMONRULES_{name} == (int){name}, "{name}");' for name in names]
    program = tmp_path / "same.c"
    opponent = match_in_c.SOURCE.with_name("opponent.c").as_posix()  # which has the match, too
    program.write_text("\n".join([f'#include "{opponent}"', *asserted, ""]), encoding="utf-8")
    assert match_in_c.COMPILER is not None
    processes.run(match_in_c.COMPILER, "-std=c11", "-fsyntax-only", program)


HOST = """
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(process.argv[1])));
const bytes = new Uint8Array(exports.memory.buffer);
const [match, board] = [exports.match(), exports.board()];
for await (const line of createInterface({ input: process.stdin })) {
  const { before, points, call } = JSON.parse(line);
  bytes.set(before, match);
  bytes.set(points, board);
  const asked = [exports.problems(), ...[-1, 0, 1].map((seat) => exports.actions(seat)), exports.possible_wins(0)];
  const reason = exports.act(...call);
  console.log(JSON.stringify([...asked, reason, ...bytes.subarray(match, match + before.length)]));
}
"""


def test_in_webassembly(table: Table, tmp_path: Path):
    """`match.wasm` says what the same text says as a program of this machine."""
    rng = random.Random(0)
    calls: list[dict[str, Any]] = []
    expected: list[list[int]] = []
    for _ in range(20):
        state = random_logs.beginning(rng, rng.choice(RULES_OF_POINTS), rng.choice((None, 1, 3, 5)))
        for _ in range(30):
            table.set(state)
            event, numbers, board = attempt(rng, state)
            points = [number % 256 for number in (board or state.position).points]
            call = [ACTIONS.index(event.action), seat_of(event), *(*numbers, 0, 0)[:2]]
            calls.append({"before": [*bytes(table.match)], "points": points, "call": call})
            library = table.library
            asked = [library.gammonrules_problems(), *map(library.gammonrules_actions, (-1, 0, 1))]
            asked.append(library.gammonrules_possible_wins(0))
            table.board[:] = (board or state.position).points
            expected.append([*asked, library.gammonrules_act(*call), *bytes(table.match)])
            state, _ = applied(state, event)
    wasm = Path(gammonrules.__file__).parent / "c" / "match.wasm"
    assert node.answers(HOST, wasm, calls, tmp_path) == expected
