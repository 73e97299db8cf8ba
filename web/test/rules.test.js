/** The rules: what is wrong with arguments, and what holds of the script. What they answer is compared with the library in
 * tests/draw/test_rules_js.py and test_notation_js.py. */

import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import * as rules from "../dist/rules.js";
import { checkError, checkJunk, errorOf, impossible, JUNK, THROWING, unfit, unknown } from "../testing/errors.js";

const { find, fromPositionId, GammonError, legalPlays, MESSAGES, notation, outcome, perft, pips, toDice, turn, why } = rules;
const START = fromPositionId("4HPwATDgc/ABMA");
const SCRIPT = new URL("../dist/rules.js", import.meta.url);
/** Valid calls, with the names of the arguments. */
const CALLS = {
  legalPlays: [["points", "dice", "options"], [START, "31", {}]],
  turn: [["points", "dice", "options"], [START, "31", {}]],
  perft: [["points", "depth", "options"], [START, 1, {}]],
  pips: [["points", "options"], [START, {}]],
  isRace: [["points", "options"], [START, {}]],
  outcome: [["points", "options"], [START, {}]],
  positionId: [["points", "options"], [START, {}]],
  fromPositionId: [["text", "options"], ["4HPwATDgc/ABMA", {}]],
  find: [["points", "dice", "play", "options"], [START, "31", "8/5 6/5", {}]],
  notation: [["points", "dice", "moves", "options"], [START, "31", [[8, 5], [6, 5]], {}]],
  why: [["points", "dice", "made", "from", "to", "options"], [START, "31", [], 8, 5, {}]],
  toDice: [["first", "second"], [3, 1]],
};
const ANYTHING = [...JUNK, ...THROWING];
const WITH_TRANSLATIONS = ["find", "notation", "why"];
const DICE = ["31", [3, 1]];
const NO_OPTIONS = [undefined, {}, Object.create(null)];
/** The values of ANYTHING that they take, argument by argument. */
const TAKEN = {
  legalPlays: [...DICE, ...NO_OPTIONS],
  turn: [...DICE, ...NO_OPTIONS],
  perft: NO_OPTIONS,
  pips: NO_OPTIONS,
  isRace: NO_OPTIONS,
  outcome: NO_OPTIONS,
  positionId: NO_OPTIONS,
  fromPositionId: NO_OPTIONS,
  find: [...DICE, ...NO_OPTIONS],
  notation: [...DICE, ...NO_OPTIONS],
  why: [...DICE, [], 0, -0, 0, -0, ...NO_OPTIONS],
  toDice: [],
};

test("any argument that is none is a problem at its place", () => {
  for (const [name, [names, args]] of Object.entries(CALLS)) {
    assert.deepEqual(checkJunk(rules[name], names, args, ANYTHING), TAKEN[name], name);
  }
  assert.deepEqual(pips(START), [167, 167]); // and nothing of it is left
});

test("the items of a board, of moves and of translations", () => {
  for (const value of ANYTHING) {
    const board = START.with(3, value);
    const translations = { bar: value };
    for (const [call, given] of [
      [() => pips(board), { points: board }],
      [() => find(START, [3, value], "8/5 6/5"), { dice: [3, value] }],
      [() => find(START, "31", [[8, 5], value]), { play: [[8, 5], value] }],
      [() => find(START, "31", [[8, value]]), { play: [[8, value]] }],
      [() => find(START, "31", "8/5 6/5", { translations }), { options: { translations } }],
      [() => find(START, "31", "8/5 6/5", { translations: value }), { options: { translations: value } }],
      [() => outcome(START, { checkers: value }), { options: { checkers: value } }],
    ]) {
      try {
        call();
      } catch (error) {
        checkError(error, given);
      }
    }
  }
});

const TWICE = START.map((count) => 2 * count);
const SHUT_OUT = [-1, 2, 2, 2, 2, 2, 2, ...Array(12).fill(0), ...Array(6).fill(-2), 1];
const EMPTY = Array(26).fill(0);
const A_ROLL = 'two whole numbers from 1 to 6, such as [3, 1] or "31"';
const CHECKERS = "whole number from 1 to 15";
const PLACE = "whole number from 0 to 25";
const MISTAKES = [
  [() => pips({}), unfit("points", "type", "array of 26", {})],
  [() => pips(null), unfit("points", "type", "array of 26", null)],
  [() => pips(START.slice(1)), unfit("points", "size", "array of 26", START.slice(1))],
  [() => pips("4HPwATDgc/ABMA"), unfit("points", "type", "array of 26", "4HPwATDgc/ABMA")],
  [() => pips(START.with(3, "2")), unfit("points[3]", "type", "whole number", "2")],
  [() => pips(START.with(3, 0.5)), unfit("points[3]", "type", "whole number", 0.5)],
  [() => pips(START.with(3, [1])), unfit("points[3]", "type", "whole number", [1])],
  [() => pips(TWICE), [
    ...impossible("points", "the player on roll has 30 checkers, more than 15", TWICE),
    ...impossible("points", "the opponent has 30 checkers, more than 15", TWICE),
  ]],
  [() => pips(EMPTY.with(25, -1).with(1, 1)), unfit("points[25]", "range", "whole number from 0 to 15", -1)],
  [() => pips(EMPTY.with(0, 1).with(1, -1)), unfit("points[0]", "range", "whole number from -15 to 0", 1)],
  [() => pips(EMPTY), impossible("points", "neither side has a checker left", EMPTY)],
  [() => pips(SHUT_OUT), impossible("points", "both sides are on the bar, and neither can ever enter", SHUT_OUT)],
  [() => outcome(START, 3), unfit("options", "type", "object", 3)],
  [() => outcome(START, null), unfit("options", "type", "object", null)],
  [() => outcome(START, { checker: 3 }), unknown("options.checker", 3)],
  [() => outcome(START, { translations: {} }), unknown("options.translations", {})],
  [() => outcome(START, { "": 1 }), unknown('options[""]', 1)],
  [() => outcome(START, { checkers: 16 }), unfit("options.checkers", "range", CHECKERS, 16)],
  [() => outcome(START, { checkers: "15" }), unfit("options.checkers", "type", CHECKERS, "15")],
  [() => outcome(START, { checkers: null }), unfit("options.checkers", "type", CHECKERS, null)],
  [() => perft(START, 7), unfit("depth", "range", "whole number from 1 to 6", 7)],
  [() => perft(START, null), unfit("depth", "type", "whole number from 1 to 6", null)],
  [() => legalPlays(START, [0, 1]), unfit("dice[0]", "range", "whole number from 1 to 6", 0)],
  [() => turn(START, [1, 7]), unfit("dice[1]", "range", "whole number from 1 to 6", 7)],
  [() => legalPlays(START, ["3", 1]), unfit("dice[0]", "type", "whole number from 1 to 6", "3")],
  [() => legalPlays(START, [3, 1, 1]), unfit("dice", "size", A_ROLL, [3, 1, 1])],
  [() => legalPlays(START, 31), unfit("dice", "type", A_ROLL, 31)],
  [() => turn(START, "07"), unfit("dice", "choice", A_ROLL, "07")],
  [() => toDice(7, null), [
    ...unfit("first", "range", "whole number from 1 to 6", 7), ...unfit("second", "type", "whole number from 1 to 6", null),
  ]],
  [() => fromPositionId(14), unfit("text", "type", "string", 14)],
  [() => find(START, "31", null), unfit("play", "type", "string or array of moves", null)],
  [() => find(START, "31", [[8, 5], [6]]), unfit("play[1]", "size", "move, [from, to]", [6])],
  [() => find(START, "31", [[8, 5], "6/5"]), unfit("play[1]", "type", "move, [from, to]", "6/5")],
  [() => find(START, "31", [[26, 5]]), unfit("play[0][0]", "range", PLACE, 26)],
  [() => notation(START, "31", 85), unfit("moves", "type", "string or array of moves", 85)],
  [() => notation(START, "31", [[8, 5.5]]), unfit("moves[0][1]", "type", PLACE, 5.5)],
  [() => why(START, "31", null, 8, 5), unfit("made", "type", "array of moves", null)],
  [() => why(START, "31", [[]], 8, 5), unfit("made[0]", "size", "move, [from, to]", [])],
  [() => why(START, "31", [], 26, null), [...unfit("from", "range", PLACE, 26), ...unfit("to", "type", PLACE, null)]],
  [() => find(START, "31", "8/5 6/5", { translations: 5 }), unfit("options.translations", "type", "object", 5)],
  [() => find(START, "31", "8/5 6/5", { translations: { pint: "x" } }), unknown("options.translations.pint", "x")],
  [() => find(START, "31", "8/5 6/5", { translations: { bar: 5 } }), unfit("options.translations.bar", "type", "string or function", 5)],
  [() => find(START, "31", "8/5 6/5", { translations: { numbers: [1] } }), unfit("options.translations.numbers", "type", "array of strings", [1])],
];

test("what cannot be read is a problem of its argument, and no other error", () => {
  const unreadable = (path) => [{ path, reason: "unreadable" }];
  const [revoked, , throwing] = THROWING;
  const getter = { get bar() { throw new Error("no"); } };
  for (const [call, path] of [
    [() => pips(revoked), "points"], [() => pips(throwing), "points"], [() => legalPlays(START, THROWING[1]), "dice"],
    [() => outcome(START, THROWING[3]), "options"], [() => find(START, "31", revoked), "play"],
    [() => find(START, "31", [[8, 5], THROWING[1]]), "play"], [() => why(START, "31", revoked, 8, 5), "made"],
    [() => find(START, "31", "8/5 6/5", { translations: getter }), "options"],
    [() => find(START, "31", "8/5 6/5", { translations: { numbers: throwing } }), "options"],
  ]) {
    const error = errorOf(call);
    assert.deepEqual(error.problems, unreadable(path));
    assert("cause" in error);
  }
});

test("a function in the translations that throws passes through", () => {
  const translations = { illegal_play: () => { throw new RangeError("no message"); } };
  assert.throws(() => find(START, "31", "8/3", { translations }), new RangeError("no message"));
});

test("what is undefined is nothing", () => {
  assert.deepEqual(pips(START, { foo: undefined, checkers: undefined }), [167, 167]);
  assert.equal(find(START, "31", "8/5 6/5", { translations: { bar: undefined, foo: undefined } }).text, "8/5 6/5");
});

test("the usual mistakes", () => {
  for (const [call, problems] of MISTAKES) {
    const error = errorOf(call);
    assert(error instanceof GammonError);
    assert.deepEqual(error.problems, problems);
    assert.equal(error.reason, undefined);
  }
});

test("a message says where, what is expected, and what was given, in terms of JSON", () => {
  const messageOf = (call) => errorOf(call).message;
  const expected = (what) => `points[3]: expected whole number, not ${what}`;
  const values = [
    ["2", '"2"'], [0.5, "0.5"], [null, "null"], [undefined, "nothing"], [true, "true"], [[], "empty array"],
    [[1, 2], "array of 2"], [{}, "object"], [new Map(), "object"], [NaN, "NaN"], [Infinity, "Infinity"], [Promise.resolve([1, 2]), "Promise"], [THROWING[0], "object"],
    [5n, "bigint"], [() => 3, "function"], ["\u2028\n\u0085'\"", `"\\u2028\\n\\u0085'\\""`],
    ["x".repeat(1e6), `"${"x".repeat(39)}...`], [`${"x".repeat(38)}\u{1f3b2}x`, `"${"x".repeat(38)}...`],
    [`${"x".repeat(37)}\u{1f3b2}x`, `"${"x".repeat(37)}\u{1f3b2}...`], [`${"x".repeat(36)}\u2028\u2028`, `"${"x".repeat(36)}...`],
    [`${"x".repeat(33)}\u2028\u2028`, `"${"x".repeat(33)}\\u2028...`], [`${"x".repeat(38)}\\\\`, `"${"x".repeat(38)}...`],
  ];
  for (const [value, told] of values) assert.equal(messageOf(() => pips(START.with(3, value))), expected(told));
  assert.equal(messageOf(() => outcome(START, { checker: 3, "x y": 4 })), 'options.checker: unknown field; options["x y"]: unknown field');
  assert.equal(messageOf(() => outcome(START, { ["x".repeat(1e6)]: 3 })), `options.${"x".repeat(72)}...: unknown field`);
});

test("a text that is no Position ID has a message for people", () => {
  for (const [text, quoted] of [
    ["4HPwATDgc/ABM", "'4HPwATDgc/ABM'"], ["4HPwATDgc/ABM?A", "'4HPwATDgc/ABM?A'"], ["AAAAAAAAAAAAAA", "'AAAAAAAAAAAAAA'"],
    ["4HPwATDgc/ABM\u0141", "'4HPwATDgc/ABM\u0141'"], // as a byte, this is an "A"
  ]) {
    const { message, problems, reason } = errorOf(() => fromPositionId(text));
    assert.equal(message, `this is no Position ID of a board with at most 15 checkers a side: ${quoted}`);
    assert.deepEqual([problems, reason], [undefined, undefined]);
  }
});

test("nothing is read of a play that is too long", () => {
  const long = Array(1e5).fill([8, 5]);
  assert.equal(errorOf(() => find(START, "31", "8/5 ".repeat(1e6))).message,
    "a play has at most 200 characters, but this text has 4000000");
  for (const call of [() => find(START, "31", long), () => why(START, "31", long, 8, 5)]) {
    const { message, reason } = errorOf(call);
    assert.match(message, /^"8\/5 8\/5.*" with 31: /);
    assert.equal(reason, "die_not_rolled");
  }
  assert.match(errorOf(() => why(START, "31", [[8, 5], [6, 5], [6, 5]], 8, 5)).message, /with 31: /);
});

test("every function refuses options that it does not have", () => {
  const wrong = [3, 0, "", "checkers", true, null, [], [3], { checker: 3 }, { checkers: 15, words_: {} }, { "": 1 }];
  wrong.push(...[null, "15", 0, 16, 1.5, [15], {}, true].map((checkers) => ({ checkers })));
  const translations = [5, 0, "", null, [], { pint: "x" }, { bar: 5 }, { bar: null }, { bar: ["x"] }, { toString: "x" }];
  translations.push({ numbers: "x" }, { numbers: [1] }, { numbers: {} }, { bar: "x".repeat(1e6), ["x".repeat(1e6)]: "y" });
  for (const [name, [names, args]] of Object.entries(CALLS)) {
    if (!names.includes("options")) continue;
    const ask = (options) => rules[name](...args.slice(0, -1), options);
    const refused = WITH_TRANSLATIONS.includes(name) ? [...wrong, ...translations.map((translations) => ({ translations }))] : [...wrong, { translations: {} }];
    for (const options of refused) {
      const error = errorOf(() => ask(options));
      checkError(error, { options });
      assert(error.problems && error.message.length <= 120, error.message);
    }
    for (const options of [undefined, {}, { checkers: 15 }, { checkers: undefined }]) ask(options);
  }
});

test("options of kinds that JSON does not have", () => {
  const told = (act) => {
    try { return act(); } catch (error) { return error.name; }
  };
  const ask = (options) => told(() => outcome(START, options));
  const translations = (translations) => told(() => find(START, "31", "8/5 6/5", { translations }).text);
  const lone = Object.assign(Object.create(null), { checkers: 15 });
  const fitting = [undefined, { checkers: undefined }, lone, Object.freeze({ checkers: 15 })];
  assert.deepEqual(fitting.map(ask), Array(4).fill(null));
  const wrong = [() => 3, new Map([["checkers", 3]]), new Date(), Symbol("3"), 3n, new Int8Array(3)];
  assert.deepEqual(wrong.map(ask), Array(6).fill("GammonError"));
  assert.deepEqual([undefined, MESSAGES, { ...MESSAGES }, { bar: () => "x" }].map(translations), Array(4).fill("8/5 6/5"));
  const wrongTranslations = [() => 3, new Map(), Symbol("3"), { bar: Symbol("3") }, { numbers: [Symbol("3")] }];
  assert.deepEqual(wrongTranslations.map(translations), Array(5).fill("GammonError"));
});

test("every message and what is filled in is the page's; the text of plays is canonical in every language", () => {
  const translations = {
    bar: "Bar", off: "aus", pips: "{count} Augen", numbers: ["0", "ein", "zwei"],
    blocked_point: "{move} geht nicht: {count} Steine auf {point}", no_sum: "{move}: {pips}, nicht {dice}",
    illegal_play: "{play} ({dice}): {message}", more_of_doublet: "{possible}, nicht {count}: {play}", roll: "{text} und {nothing}",
  };
  const entering = EMPTY.with(19, -2).with(25, 1);
  const runner = EMPTY.with(1, 14).with(15, -2).with(24, 1);
  assert.equal(why(entering, "61", [], 25, 19, { translations }).message, "Bar/19 geht nicht: 2 Steine auf 19");
  assert.equal(why(entering, "61", [], 25, 0, { translations }).message, "Bar/aus: 25 Augen, nicht 61");
  const { message, witness } = errorOf(() => find(runner, "33", "24/21", { translations }));
  assert.equal(message, "24/21 (33): zwei, nicht ein: 24/18");
  assert.equal(witness.text, "24/18");
  assert.equal(errorOf(() => find(START, "31", "6-5", { translations })).message, "'6-5' und {nothing}");
});

test("translations are functions, for languages that have several plurals", () => {
  const translations = { pips: ({ count }) => `${count} ${count < 5 ? "pola" : "pól"}`, no_sum: ({ pips }) => pips };
  const told = [22, 19].map((to) => why(START, "31", [], 24, to, { translations }).message);
  assert.deepEqual(told, ["2 pola", "5 pól"]);
});

test("importing compiles nothing, and where code may not be made, the first call says so, each time", async () => {
  const { Module } = WebAssembly;
  WebAssembly.Module = class {
    constructor() { throw new Error("forbidden"); }
  };
  try {
    const other = await import(`${SCRIPT}?forbidden`);
    for (const _ of [1, 2]) {
      const error = errorOf(() => other.pips(START));
      assert(error instanceof other.GammonError);
      assert.equal(error.message, "WebAssembly cannot be used here: a Content-Security-Policy must allow 'wasm-unsafe-eval'");
    }
  } finally {
    WebAssembly.Module = Module;
  }
});

test("two copies, and typed arrays", async () => {
  const other = await import(`${SCRIPT}?again`);
  const plays = other.legalPlays(Int8Array.from(START), new Uint8Array([3, 1]));
  assert.notEqual(legalPlays, other.legalPlays);
  assert.deepEqual([plays.length, legalPlays(START, "31").length], [16, 16]);
});

test("memory does not grow", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };
  const many = (count) => { for (let at = 0; at < count; at += 1) legalPlays(START, [1 + (at % 6), 2]); };
  many(10_000);
  const before = used();
  many(30_000);
  assert(used() - before < 2 ** 20);
});

test("a worker is ended in mid-call", async () => {
  const text = `import("${SCRIPT}").then(({ perft }) => {
    require("node:worker_threads").parentPort.postMessage(perft([${START}], 1));
    perft([${START}], 6);
  })`;
  const worker = new Worker(text, { eval: true });
  const counts = await new Promise((resolve) => worker.once("message", resolve));
  await wait(50);
  assert.deepEqual([counts, await worker.terminate(), perft(START, 2)], [[447], 1, [447, 202782]]);
});
