"""`match.js` says what `MatchState` says, word for word: states, legal actions, refusals, and what strangers send."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import match_tries
import pytest
from hypothesis import given, settings
from match_tries import Try

import node
import processes
from gammonrules import draw
from match_setups import SETUPS

AT_ONCE = 10_000
"""Tries of one process."""
PROGRAM = """
import { createInterface } from "node:readline";
const match = await import(process.argv[1]);
const facts = (state) => [
  match.phase(state), match.toAct(state), match.winner(state), match.legalActions(state),
  match.legalActions(state, "white"), match.legalActions(state, "black"), match.view(state, "white"),
];
const receive = (state, message, player, { roll, ...others }) =>
  match.receive(state, message, player, { roll: () => roll, ...others });
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line);
  let answer;
  try {
    answer = ({ ...match, facts, receive })[name](...args);
  } catch (error) {
    if (!(error instanceof match.GammonError) || error.cause) throw error;
    answer = { error: error.message, reason: error.reason, problems: error.problems && true };
  }
  console.log(JSON.stringify(answer));
}
"""


Ask = Callable[[Sequence[list[Any]]], list[Any]]


@pytest.fixture(scope="session")
def ask_match(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """What `match.js` answers to these calls."""
    folder = tmp_path_factory.mktemp("match")
    script = folder / "match.mjs"
    script.write_text(draw.match_js(), encoding="utf-8")
    return lambda calls: node.answers(PROGRAM, script, calls, folder)


def check(ask: Ask, tries: Iterable[Try], told: Callable[[Any], Any] = lambda answer: answer) -> None:
    """The answers, or what is `told` of them, are those of the library."""
    tries = iter(tries)
    while some := [*islice(tries, AT_ONCE)]:
        answers = ask([call for call, _ in some])
        for (call, wanted), answer in zip(some, answers, strict=True):
            if "problems" in answer and "problems" not in wanted:
                del answer["problems"]  # those of a document, whose error has none in Python
            assert told(answer) == told(wanted), call


def verdict(answer: dict[str, Any]) -> Any:
    return "refused" if "error" in answer else answer


@pytest.mark.parametrize("count", [2_000, pytest.param(200_000, marks=pytest.mark.long)])
def test_every_step(ask_match: Ask, count: int) -> None:
    """What players and the house do, legal or not: the state after it, what is legal there, and the sentences."""
    check(ask_match, match_tries.steps(count, count))


@pytest.mark.parametrize("count", [500, pytest.param(50_000, marks=pytest.mark.long)])
def test_messages(ask_match: Ask, count: int) -> None:
    check(ask_match, match_tries.messages(count, count))


@pytest.mark.parametrize("count", [150, pytest.param(10_000, marks=pytest.mark.long)])
def test_arguments_of_any_kind(ask_match: Ask, count: int) -> None:
    """For each of the eleven actions so many values of JSON: taken or refused as in Python."""
    check(ask_match, match_tries.arguments(count, count), verdict)


@pytest.mark.parametrize("count", [500, pytest.param(50_000, marks=pytest.mark.long)])
def test_documents_of_strangers(ask_match: Ask, count: int) -> None:
    """States with something else in some place: each wrong place is named with its path."""
    check(ask_match, match_tries.strangers(count, count))


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_impossible_states(ask_match: Ask, count: int) -> None:
    """Fields that contradict each other or the rules: all sentences at once."""
    drawn: list[dict[str, Any]] = []

    @settings(max_examples=count, database=None, derandomize=True)
    @given(SETUPS)
    def draw_setup(setup: SimpleNamespace) -> None:
        drawn.append(vars(setup))

    draw_setup()
    check(ask_match, match_tries.setups(drawn))


@pytest.mark.parametrize("count", [300, pytest.param(20_000, marks=pytest.mark.long)])
def test_new_matches(ask_match: Ask, count: int) -> None:
    check(ask_match, match_tries.new_matches(count, count))


def run_node(program: str, folder: Path, *options: str) -> str:
    """What a program prints that has the script in its folder as `match.mjs`."""
    executable = shutil.which("node")
    if executable is None:
        pytest.skip("Node is not installed")
    (folder / "match.mjs").write_text(draw.match_js(), encoding="utf-8")
    (folder / "program.mjs").write_text(f'import * as match from "./match.mjs";\n{program}', encoding="utf-8")
    return str(processes.run(executable, *options, "program.mjs", cwd=folder, megabytes=node.NODE_NEEDS).stdout)


JUNK = """
const { newMatch, apply, GammonError } = match;
const cyclic = { action: "play" };
cyclic.argument = [cyclic];
let deep = [];
for (let depth = 0; depth < 1e5; depth += 1) deep = [deep];
const start = newMatch({ length: 7 });
const rolled = apply(start, { action: "opening_roll", argument: [3, 1] });
const throwing = { get action() { throw new Error("no"); }, get version() { throw 5; }, get length() { throw 5; } };
const lying = new Proxy({}, { get: () => { throw 5; }, ownKeys: () => { throw 5; } });
const junk = [
  undefined, null, true, false, 0, -0, NaN, Infinity, -1, 2.5, 2 ** 31, 2 ** 32, 2 ** 53, 10n, Symbol("x"),
  "", "x", "__proto__", "\\ud800", "x".repeat(1e5), [], [1], [3, 1], [7, 1], new Array(1e5), {}, { action: "play" },
  { action: Symbol("x") }, Object.create(null), Object.create(rolled), new Map(), new Date(), () => 3, cyclic, deep,
  throwing, lying, { ...rolled, cube: lying }, { ...rolled, version: 10n }, Object.freeze([deep]), { toString: 1 },
  { ...rolled, position: { points: new Int8Array(26), checkers: 15 } }, new Int8Array(26), new Uint8Array(2),
  { toString() { throw 5; } }, { [Symbol.toStringTag]: "x" }, { get [Symbol.toStringTag]() { throw 5; } },
  JSON.parse('{"__proto__": 1}'), { action: "play", argument: deep }, { action: "play", argument: cyclic },
  { action: "toString" }, { action: "constructor", by: "white" }, { type: "toString" },
  { action: "roll", argument: [1, 2 ** 32 + 1] },
];
"""


def test_bad_input_of_every_kind(tmp_path: Path) -> None:
    """It is one error of ours with one short sentence, and changes nothing."""
    program = f"""{JUNK}
        const calls = {{
          newMatch: [{{}}], readState: [rolled], legalActions: [rolled, "white"], apply: [rolled, {{}}],
          receive: [rolled, {{ action: "resign" }}, "white", {{ roll: () => [1, 2] }}],
          view: [rolled, "white"], possibleWins: [rolled, "white"],
          phase: [rolled], toAct: [rolled], winner: [rolled], toDice: [3, 1],
        }};
        const before = JSON.stringify(rolled);
        let refused = 0;
        for (const [name, args] of Object.entries(calls)) {{
          for (let at = 0; at < args.length; at += 1) {{
            for (const value of junk) {{
              try {{
                match[name](...args.with(at, value));
              }} catch (error) {{
                if (!(error instanceof GammonError)) throw error;
                if (error.message.length > 600 || /undefined|object Object/.test(error.message)) throw error;
                refused += 1;
              }}
            }}
          }}
        }}
        for (const name of ["length", "rules", "score", "crawford", "position", "size"]) {{
          for (const value of junk) {{
            try {{
              newMatch({{ [name]: value }});
            }} catch (error) {{
              if (!(error instanceof GammonError)) throw error;
              refused += 1;
            }}
          }}
        }}
        console.log(refused > 1000, JSON.stringify(rolled) === before, match.legalActions(rolled).join(" "));
    """
    assert run_node(program, tmp_path) == "true true play resign\n"


def test_values_are_frozen(tmp_path: Path) -> None:
    """So a state that was made here is what it was, and its copies are checked."""
    program = """
        const { newMatch, apply, receive, view, legalActions, possibleWins, toDice, readState } = match;
        const isObject = (value) => typeof value === "object" && value !== null;
        const isFrozen = (value) =>
          !isObject(value) || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
        let state = newMatch({ rules: { beavers: 2 }, position: undefined });
        const states = [state];
        const roll = () => [3, 1];
        const then = (action, argument) => { states.push((state = apply(state, { action, argument }))); };
        then("opening_roll", [3, 1]);
        then("play", [[8, 5], [6, 5]]);
        then("double");
        then("beaver");
        then("resign", "gammon");
        states.push(readState(JSON.parse(JSON.stringify(state))));
        then("accept");
        states.push(apply(state, { type: "SetPosition", position: view(states[0], "black"), on_roll: "black" }));
        const others = [view(state, "black"), legalActions(state), possibleWins(state, "white"), toDice(1, 2)];
        console.log([...states, ...others, receive(state, { action: "next_game" }, "black", { roll })].every(isFrozen));
        const forged = { ...states[1], cube: { value: 3, owner: null } };
        try { apply(forged, { action: "play", argument: "8/5 6/5" }); } catch ({ message }) { console.log(message); }
    """
    sentence = "$.cube: impossible cube: a cube shows a power of two up to 16,777,216, not 3"
    assert run_node(program, tmp_path) == f"true\n{sentence}\n"


def test_states_do_not_know_of_each_other(tmp_path: Path) -> None:
    """States of a match, asked in any order and between refusals, say what a copy says that is read anew."""
    program = """
        let seed = 1;
        const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
        const oneOf = (items) => items[random(items.length)];
        const roll = () => [random(6) + 1, random(6) + 1];
        const tell = (call) => {
          try { return call(); } catch ({ message }) { return message; }
        };
        const next = (state) => {
          const action = oneOf(match.legalActions(state));
          const play = () => oneOf(match.legalPlays(state.position.points, state.dice)).moves;
          const argument = { opening_roll: roll, roll, play }[action]?.() ?? null;
          return { action, argument };
        };
        let differing = 0;
        const states = [match.newMatch({ rules: { beavers: 2, auto_doubles: 1 } })];
        for (let step = 0; step < 300; step += 1) {
          const state = oneOf(states.slice(-5));
          const other = oneOf(states.slice(-5));
          const event = oneOf([next(state), { action: "take" }, { action: "roll", argument: [3, 1] }]);
          const ask = (value, another) => [
            tell(() => match.apply(value, event)), match.toAct(another), match.legalActions(another),
            match.phase(value), tell(() => match.apply(another, event)),
          ];
          const told = ask(state, other);
          const copied = ask(...[state, other].map((value) => match.readState(JSON.parse(JSON.stringify(value)))));
          differing += JSON.stringify(told) !== JSON.stringify(copied);
          const [after] = told;
          if (typeof after === "object") states.push(after);
        }
        console.log(differing, states.length > 50);
    """
    assert run_node(program, tmp_path) == "0 true\n"


def test_what_an_event_may_leave_out(tmp_path: Path) -> None:
    """A program need not write what is null, nor who acts; and what `roll` throws itself is passed on."""
    program = """
        const { newMatch, apply, receive, legalPlays, phase } = match;
        let state = apply(newMatch({ length: 3 }), { action: "opening_roll", argument: [3, 1], time: 5 });
        state = apply(state, { action: "play", argument: legalPlays(state.position.points, state.dice)[0].moves });
        console.log(state.on_roll, phase(apply(state, { action: "double", by: undefined })));
        console.log(apply(state, { action: "resign" }).offer.win);
        console.log(apply(state, { type: "Forfeit", loser: "white" }).result.points);
        try {
          receive(state, { action: "roll" }, "black", { roll: () => { throw new RangeError("no dice"); } });
        } catch (error) {
          console.log(String(error));
        }
    """
    assert run_node(program, tmp_path) == "black doubled\nsingle\n3\nRangeError: no dice\n"


def test_documents_of_version_1(tmp_path: Path) -> None:
    """There the end of a result was first called `by`."""
    program = """
        const { newMatch, apply, readState } = match;
        const state = apply(newMatch({ length: 3 }), { type: "Forfeit", loser: "white" });
        const { end: by, ...result } = state.result;
        const old = { ...state, version: 1, result: { ...result, by } };
        console.log(JSON.stringify(readState(old)) === JSON.stringify(state));
        try { readState({ ...old, version: 2 }); } catch ({ message }) { console.log(message); }
    """
    assert run_node(program, tmp_path) == "true\n$.result.by: there is no such field\n"


def test_all_that_is_wrong(tmp_path: Path) -> None:
    """A program gets each sentence by itself, of as many as the message has."""
    program = """
        const { newMatch, readState } = match;
        const told = (act) => {
          try { act(); } catch ({ message, problems }) {
            console.log(problems.length, problems.every((problem) => message.includes(problem)));
          }
        };
        told(() => newMatch({ length: 7, score: [7, -1] }));
        told(() => newMatch({ rules: { jacoby: 1, beavers: -1, scoring: "x" } }));
        told(() => readState({ ...newMatch(), cube: 3, dice: [1], crawford: null }));
        const unknown = Object.fromEntries(Array.from("abcdefghijklm", (name) => [name, 1]));
        told(() => readState({ ...newMatch(), ...unknown }));
    """
    assert run_node(program, tmp_path) == "2 true\n3 true\n3 true\n10 true\n"


def test_all_files_have_the_same_error(tmp_path: Path) -> None:
    """Whichever of them a page has, and however often, `instanceof` knows what any of them throws."""
    scripts = draw.rules_js(), draw.rules_js(), draw.alone_js(module=True)
    for number, script in enumerate(scripts):
        (tmp_path / f"{number}.mjs").write_text(script, encoding="utf-8")
    program = """
        const modules = [match, ...await Promise.all([0, 1, 2].map((number) => import(`./${number}.mjs`)))];
        const files = modules.map((module) => module.rules ?? module);
        for (const { pips } of files) {
          try { pips([]); } catch (error) { console.log(files.map(({ GammonError }) => error instanceof GammonError)); }
        }
        console.log(String(new match.GammonError("no")), new Set(files.map(({ GammonError }) => GammonError)).size);
    """
    assert run_node(program, tmp_path) == "[ true, true, true, true ]\n" * 4 + "GammonError: no 1\n"


@pytest.mark.parametrize("count", [10_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_memory_does_not_grow(tmp_path: Path, count: int) -> None:
    program = """
        const { newMatch, apply } = match;
        const state = newMatch({ length: 7 });
        const opening = { action: "opening_roll", argument: [7, 1] };
        const wrong = [{ action: "roll", argument: [3, 1] }, opening, { action: 5 }, 3];
        const used = () => { gc(); return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers; };
        const many = (count) => {
          for (let at = 0; at < count; at += 1) try { apply(state, wrong[at % 4]); } catch {}
        };
        many(5_000);
        const before = used();
        many(COUNT);
        console.log(used() - before < 2 ** 20);
    """
    assert run_node(program.replace("COUNT", str(count)), tmp_path, "--expose-gc") == "true\n"


def test_it_is_small() -> None:
    assert len(gzip.compress(draw.match_js().encode(), 9)) <= 30_500
