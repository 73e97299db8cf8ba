/** An opponent: what is refused, and what holds of all answers. They are compared with the library's in
 * tests/engine/test_opponent_js.py. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, legalPlays, newMatch, phase, receive, toAct, toDice } from "../dist/match.js";
import * as opponent from "../dist/opponent.js";
import { inBrowser, open, POLICY_WITH_RULES } from "../testing/browser.js";
import { checkJunk, errorOf, JUNK, problemsOf, THROWING, unfit, unknown } from "../testing/errors.js";

const { candidates, cube, decide, name, STRENGTHS } = opponent;
const START = newMatch({ length: 7 });
const ROLLED = apply(START, { action: "opening_roll", argument: [3, 1] });
const TO_ROLL = apply(ROLLED, { action: "play", argument: "8/5 6/5" });
const DOUBLED = apply(TO_ROLL, { action: "double" });
const OVER = apply(DOUBLED, { action: "drop" });

/** Numbers from 0 to 1, always the same. */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** White to roll on this board. */
function withBoard(state, mine, theirs) {
  const points = Object.assign(Array(26).fill(0), mine, theirs);
  return apply(state, { type: "SetPosition", position: { points, checkers: 15 }, on_roll: "white" });
}

/** The states of a match between two strengths, to its end. */
function* played(options, strengths, random) {
  const die = () => 1 + Math.floor(6 * random());
  const roll = () => toDice(die(), die());
  let state = newMatch(options);
  while (phase(state) !== "over") {
    const by = toAct(state);
    const opening = { action: "opening_roll", argument: roll() };
    const message = by && decide(state, { strength: strengths[by], random });
    state = by ? receive(state, message, by, { roll }).state : apply(state, opening);
    yield state;
  }
}

test("two of them play to the end, and a message of each is all that it takes", () => {
  const random = numbersFrom(3);
  const phases = new Set();
  for (const length of [null, null, 1, 3, 5]) {
    for (const state of played({ length }, { white: "club", black: "strong" }, random)) phases.add(phase(state));
  }
  phases.delete("opening"); // a tie
  assert.deepEqual([...phases].sort(), ["doubled", "over", "to_play", "to_roll"]);
  const offered = apply(ROLLED, { action: "resign", argument: "gammon" });
  assert.deepEqual(decide(offered), { action: "accept", by: "black" });
  assert.deepEqual(decide(withBoard(TO_ROLL, { 4: 1, 1: 1 }, { 24: -1 })), { action: "double", by: "white" });
});

test("it is found where boards look for it", () => {
  const registered = globalThis[Symbol.for("gammon-board/opponent")];
  assert.deepEqual({ ...registered }, { ...opponent });
  assert.equal(name, "selftaught 4");
  assert(Object.isFrozen(registered) && Object.isFrozen(STRENGTHS));
});

test("plays are the legal ones, best first, with what each loses", () => {
  const plays = candidates(ROLLED);
  const texts = ({ points }) => String(points);
  assert.deepEqual(plays.map(texts).sort(), legalPlays(ROLLED.position.points, [3, 1]).map(texts).sort());
  assert.deepEqual([plays[0].text, plays[0].loss, plays[0].moves], ["8/5 6/5", 0, [[8, 5], [6, 5]]]);
  assert.deepEqual(plays.map(({ level }) => level), plays.map((_, rank) => (rank < 8 ? 2 : 1)));
  for (const { equity, loss, chances } of plays) {
    assert(Math.abs(plays[0].equity - equity - loss) < 1e-9 || loss === 0);
    assert(chances.win_backgammon <= chances.win_gammon && chances.win_gammon <= chances.win);
    assert(chances.lose_backgammon <= chances.lose_gammon && chances.lose_gammon <= 1 - chances.win + 1e-6);
  }
  const simple = candidates(ROLLED, { level: 1, limit: 3 });
  assert.deepEqual(simple.map(({ level }) => level), [1, 1, 1]);
  assert(simple[0].equity >= simple[1].equity && simple[1].equity >= simple[2].equity);
  assert.deepEqual(candidates(ROLLED, { limit: null }), plays);
  assert(Object.isFrozen(plays) && Object.isFrozen(plays[0]) && Object.isFrozen(plays[0].chances));
});

test("a play that is named is looked at as deeply as the best", () => {
  const plays = candidates(ROLLED);
  const worst = plays.at(-1);
  const [best, last, ...others] = candidates(ROLLED, { limit: 1, also: [worst.moves, plays[0].text] });
  assert.deepEqual([best, last.text, last.level, others], [plays[0], worst.text, 2, []]);
  assert.notEqual(last.equity, worst.equity);
  assert.deepEqual(candidates(ROLLED), plays); // once
});

test("a double has a verdict, before it and while it is pending", () => {
  const { verdict, best, best_answer, no_double, double_take, double_drop, level } = cube(TO_ROLL);
  assert.deepEqual([verdict, best, best_answer, double_drop, level], ["no double, take", "roll", "take", 1, 2]);
  assert(double_take < no_double);
  assert.deepEqual(cube(DOUBLED), cube(TO_ROLL));
  assert.equal(cube(TO_ROLL, { level: 1 }).level, 1);
  const boards = { "no double, take": { 6: 2 }, "double, take": { 3: 1, 2: 1 }, "double, drop": { 4: 1, 1: 1 } }; // the last roll
  for (const [wanted, mine] of Object.entries(boards)) assert.equal(cube(withBoard(TO_ROLL, mine, { 24: -1 })).verdict, wanted);
});

test("a game that is certain and cannot be a gammon is not too good to double", () => {
  const certain = cube(withBoard(TO_ROLL, { 1: 1 }, { 24: -1 }));
  assert.deepEqual([certain.no_double, certain.double_drop, certain.verdict], [1, 1, "double, drop"]);
});

test("a strength chooses by the number that it is given", () => {
  const number = (value) => ({ strength: "beginner", random: () => value });
  const chosen = new Set(Array.from({ length: 50 }, (_, at) => decide(ROLLED, number(at / 50)).argument));
  assert(chosen.size > 5);
  assert.deepEqual(decide(ROLLED, number(0.3)), decide(ROLLED, number(0.3)));
  const never = () => assert.fail("no number is needed");
  for (const options of [{}, { level: 2 }, { strength: null }, { strength: "strong" }]) {
    assert.equal(decide(ROLLED, { ...options, random: never }).argument, "8/5 6/5");
  }
});

test("a beginner bears off as many checkers as possible", () => {
  const random = numbersFrom(7);
  const below = (most) => Math.floor(most * random());
  const left = ({ points }) => points.reduce((sum, count) => sum - Math.min(0, count), 0);
  for (let turn = 0; turn < 1000; turn += 1) {
    const [mine, theirs] = [{}, {}];
    for (let checker = below(15); checker >= 0; checker -= 1) {
      const point = 1 + below(6);
      mine[point] = (mine[point] ?? 0) + 1;
      theirs[18 + point] = (theirs[18 + point] ?? 0) - 1;
    }
    const dice = toDice(1 + below(6), 1 + below(6));
    const state = apply(withBoard(TO_ROLL, mine, theirs), { action: "roll", argument: dice });
    const plays = candidates(state, { level: 1 });
    const { argument } = decide(state, { strength: "beginner", random });
    assert.equal(left(plays.find(({ text }) => text === argument)), Math.min(...plays.map(left)));
  }
});

const ANYTHING = [...JUNK, ...THROWING];
const UNCHANGED = [undefined, {}, Object.create(null)];

test("any argument that is none is a problem at its place, and changes nothing", () => {
  const before = [decide(ROLLED), candidates(ROLLED), cube(TO_ROLL)];
  const calls = { decide: ROLLED, candidates: ROLLED, cube: TO_ROLL };
  for (const [call, state] of Object.entries(calls)) {
    assert.deepEqual(checkJunk(opponent[call], ["state", "options"], [state, {}], ANYTHING), UNCHANGED, call);
  }
  const inOption = (call, state, option) => {
    const options = ANYTHING.map((value) => ({ [option]: value }));
    return checkJunk((given) => call(state, given), ["options"], [{}], options).map(({ [option]: value }) => value);
  };
  assert.deepEqual(inOption(decide, ROLLED, "strength"), [undefined, null]);
  assert.deepEqual(inOption(decide, ROLLED, "level"), [undefined]);
  assert.deepEqual(inOption(candidates, ROLLED, "limit"), [undefined, null]);
  assert.deepEqual(inOption(cube, TO_ROLL, "level"), [undefined]);
  const also = ANYTHING.map((value) => ({ also: [value] }));
  assert.deepEqual(checkJunk((options) => candidates(ROLLED, options), ["options"], [{}], also), []);
  assert.deepEqual([decide(ROLLED), candidates(ROLLED), cube(TO_ROLL)], before);
});

const MISTAKES = [
  [() => decide(ROLLED, { strength: "expert" }),
    unfit("options.strength", "choice", '"beginner", "casual", "club" or "strong"', "expert")],
  [() => decide(ROLLED, { level: 3 }), unfit("options.level", "range", "whole number from 1 to 2", 3)],
  [() => decide(ROLLED, { strength: "club", level: 2 }), unfit("options.level", "choice", "1 beside a strength", 2)],
  [() => decide(ROLLED, { random: 0.5 }), unfit("options.random", "type", "function", 0.5)],
  [() => decide(ROLLED, { strength: "club", random: () => 1 }), unfit("random()", "range", "number from 0 to below 1", 1)],
  [() => decide(ROLLED, { strength: "club", random: () => "0" }), unfit("random()", "type", "number from 0 to below 1", "0")],
  [() => decide(ROLLED, { limit: 3 }), unknown("options.limit", 3)],
  [() => candidates(ROLLED, { limit: 0 }), unfit("options.limit", "range", "whole number from 1 to 3060 or null", 0)],
  [() => candidates(ROLLED, { also: "24/20" }), unfit("options.also", "type", "array of plays", "24/20")],
  [() => candidates(ROLLED, { also: [3] }), unfit("options.also[0]", "type", "string or array of moves", 3)],
  [() => cube(TO_ROLL, { level: "2" }), unfit("options.level", "type", "whole number from 1 to 2", "2")],
];

test("the usual mistakes", () => {
  for (const [call, problems] of MISTAKES) assert.deepEqual(problemsOf(call), problems);
  assert.equal(errorOf(() => candidates(ROLLED, { also: ["24/19"] })).reason, "die_not_rolled");
  assert.equal(errorOf(() => candidates(TO_ROLL, { also: ["24/19"] })).reason, "not_rolled");
});

/** A state of this match after its opening roll. */
const rolled = (options, ...roll) => apply(newMatch(options), { action: "opening_roll", argument: roll });

test("states in which nothing is to be decided, or that it does not know, have a reason", () => {
  const reasonOf = (call) => {
    const { reason, problems, message } = errorOf(call);
    assert.equal(problems, undefined);
    assert.match(message, /^[^\n]{20,120}$/);
    return reason;
  };
  const pips = { rules: { scoring: "pips", cube: false, jacoby: false, beavers: 0 } };
  const without = { length: 7, score: [6, 3], rules: { crawford: false } };
  const far = apply(rolled({ length: 26 }, 3, 1), { action: "play", argument: "8/5 6/5" });
  const rows = [
    [decide, START, "opening_roll_first"], [decide, OVER, "game_over"],
    [candidates, START, "opening_roll_first"], [candidates, TO_ROLL, "not_rolled"], [candidates, OVER, "game_over"],
    [cube, START, "opening_roll_first"], [cube, ROLLED, "already_rolled"], [cube, OVER, "game_over"],
    [cube, apply(DOUBLED, { action: "take" }), "opponent_owns_cube"],
    [decide, rolled(pips, 3, 1), "unknown_scoring"],
    [decide, rolled({ rules: { start: "hypergammon" } }, 3, 1), "unknown_checkers"],
    [decide, rolled({ ...without, score: [2, 3] }, 3, 1), "unknown_crawford"],
    [candidates, rolled({ length: 26 }, 3, 1), "beyond_equity_table"], [cube, far, "beyond_equity_table"],
  ];
  const told = rows.map(([call, state]) => reasonOf(() => call(state)));
  assert.deepEqual(told, rows.map(([, , reason]) => reason));
});

test("beyond the match equity table it plays on, rolls and takes", () => {
  const start = rolled({ length: 26 }, 3, 1);
  const { argument } = decide(start);
  assert.equal(argument, "8/5 6/5");
  const toRoll = apply(start, { action: "play", argument });
  assert.equal(decide(toRoll).action, "roll");
  assert.equal(decide(apply(toRoll, { action: "double" })).action, "take");
});
