/** Matches: what is wrong with documents, messages and options, and what holds of states. What they answer is compared with the
 * library in tests/draw/test_match_js.py. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import * as match from "../dist/match.js";
import {
  checkError, checkJunk, errorOf, impossible, JUNK, missing, problemsOf, THROWING, unfit, unknown,
} from "../testing/errors.js";

const {
  apply, GammonError, isPhase, legalActions, legalPlays, newMatch, phase, possibleWins, readState, receive, toDice, view,
} = match;
const START = newMatch({ length: 7 });
const ROLLED = apply(START, { action: "opening_roll", argument: [3, 1] });
const roll = () => [1, 2];
/** What is nearly a state. */
const NEARLY = [
  ROLLED, Object.create(ROLLED), { ...ROLLED, cube: THROWING[1] }, { ...ROLLED, version: 10n },
  { ...ROLLED, position: { points: new Int8Array(26), checkers: 15 } }, { ...ROLLED, rules: {} }, { ...ROLLED, score: [7, 7] },
];
const ANYTHING = [...JUNK, ...THROWING, ...NEARLY];
/** Valid calls, with the names of the arguments: the one that is changed is the only one that can be wrong. */
const CALLS = {
  newMatch: [["$"], [{}]],
  readState: [["$"], [ROLLED]],
  legalActions: [["state", "player"], [ROLLED, "white"]],
  apply: [["state", "$"], [ROLLED, { action: "resign" }]],
  canonical: [["state", "$"], [ROLLED, { action: "resign" }]],
  receive: [["state", "$", "player", "options"], [ROLLED, { action: "resign" }, "white", { roll }]],
  view: [["state", "player"], [ROLLED, "white"]],
  possibleWins: [["state", "player"], [ROLLED, "white"]],
  phase: [["state"], [ROLLED]],
  isPhase: [["state", "phase"], [ROLLED, "to_play"]],
  toAct: [["state"], [ROLLED]],
  winner: [["state"], [ROLLED]],
  toDice: [["first", "second"], [3, 1]],
};
/** What they take of ANYTHING, but for ROLLED where a state may stand. */
const TAKEN = {
  newMatch: [undefined, {}, Object.create(null), NEARLY[1]], // which has no fields of its own
  legalActions: [undefined],
};
const WITHOUT_STATE = ["newMatch", "toDice"];

test("any argument that is none is a problem at its place, and changes nothing", () => {
  const before = JSON.stringify(ROLLED);
  for (const [name, [names, args]] of Object.entries(CALLS)) {
    const state = WITHOUT_STATE.includes(name) ? [] : [ROLLED];
    assert.deepEqual(checkJunk(match[name], names, args, ANYTHING), [...state, ...(TAKEN[name] ?? [])], name);
  }
  assert.equal(JSON.stringify(ROLLED), before);
  assert.deepEqual(legalActions(ROLLED), ["play", "resign"]);
});

/** Objects with something else in the place of each field, and of each field within it. */
function* changed(value, junk) {
  for (const name of Object.keys(value)) {
    for (const other of junk) yield { ...value, [name]: other };
    const { [name]: inner, ...rest } = value;
    yield rest;
    yield { ...value, [`${name} too`]: inner };
    if (Object.prototype.toString.call(inner) !== "[object Object]") continue;
    for (const other of changed(inner, junk)) yield { ...value, [name]: other };
  }
}

test("any field that is none is a problem at its place", () => {
  const { version } = ROLLED;
  const { position } = newMatch({ rules: { start: "hypergammon" } });
  const whole = { before: ROLLED.position, dice: [3, 1], moves: [{ from_point: 8, to_point: 5, hit: false }, [6, 5]] };
  const events = [
    { version, type: "Event", action: "play", by: "white", argument: whole, time: 3 },
    { version, type: "Event", action: "resign", by: "white", argument: "gammon" },
    { version, type: "SetPosition", position, on_roll: "white", cube: { value: 2, owner: "black" } },
    { version, type: "Forfeit", loser: "white", points: 7 },
  ];
  const double = { by: "white", value: 2, beavers: 0 };
  const states = [
    ROLLED, { ...ROLLED, dice: null, offer: { type: "Double", ...double } },
    { ...ROLLED, offer: { type: "Resignation", by: "white", win: "gammon", double: null } },
    { ...ROLLED, dice: null, offer: { type: "Resignation", by: "white", win: "single", double } },
    apply(ROLLED, { type: "Forfeit", loser: "white", points: 1 }), { ...ROLLED, rules: { ...ROLLED.rules, scoring: "pips" } },
  ];
  const options = { length: 7, rules: { ...ROLLED.rules }, score: [1, 2], crawford: null, position };
  const over = states[4];
  const taken = {}; // how many, by the names of the calls
  const check = (name, call, value) => {
    try {
      call(value);
      taken[name] = (taken[name] ?? 0) + 1;
    } catch (error) {
      checkError(error, { $: value, options: value, "roll()": value });
    }
  };
  for (const document of states) for (const other of changed(document, ANYTHING)) check("readState", readState, other);
  for (const event of events) for (const other of changed(event, ANYTHING)) check("apply", (value) => apply(ROLLED, value), other);
  for (const message of events.slice(0, 2)) {
    for (const other of changed(message, ANYTHING)) check("receive", (value) => receive(ROLLED, value, "white", { roll }), other);
  }
  for (const other of changed(options, ANYTHING)) check("newMatch", newMatch, other);
  for (const starter of ANYTHING) {
    const receiving = (value) => receive(over, { action: "next_game" }, "white", value);
    for (const value of [{ roll, starter }, { roll, position: starter }, { roll: starter }]) check("options", receiving, value);
    const rolling = (value) => receive(START, { action: "opening_roll" }, "white", { roll: () => value });
    for (const value of [starter, [3, starter]]) check("roll", rolling, value);
  }
  // mostly rules that differ, and a time of a message, which is ignored
  assert.deepEqual(taken, { readState: 117, apply: 34, receive: 91, newMatch: 56, options: 5, roll: 1 });
});

const PLAYER = '"white" or "black"';
const DIE = "whole number from 1 to 6";
const LENGTH = "whole number from 1 to 1000000000 or null";
const PLAY = "string, array of moves or play";
const A_ROLL = "array of 2 whole numbers from 1 to 6";
const PHASE = '"opening", "to_roll", "to_play", "doubled", "resigned" or "over"';
const ACTIONS = '"opening_roll", "roll", "play", "double", "take", "drop", "beaver", "resign", "accept", "decline" or "next_game"';

/** Each a call with a value, and the problems of this value. */
const inOptions = (options, problems) => [newMatch, options, problems];
const inState = (fields, problems) => [readState, { ...START, ...fields }, problems];
const inEvent = (event, problems) => [(value) => apply(ROLLED, value), event, problems];
const inMessage = (message, problems) => [(value) => receive(ROLLED, value, "white", { roll }), message, problems];
const inReceiving = (options, problems) => [(value) => receive(ROLLED, { action: "resign" }, "white", value), options, problems];

const PIPS = { scoring: "pips", beavers: 1 };
const WON = { length: 7, score: [7, -1] };
const BOTH = { roll, starter: "white", position: START.position };
const EARLY = { roll, starter: "white" };
const DOUBLED = { type: "Double", by: "white", value: 2, beavers: 1 };
const OWNED = { value: 1, owner: "white" };
const BACKWARD = { from_point: 5, to_point: 8, hit: false };
const DROPPED = { winner: "white", win: null, points: 1, end: "dropped" };
const MISTAKES = [
  inOptions({ crawford: "yes" }, unfit("$.crawford", "type", "boolean or null", "yes")),
  inOptions({ size: 7, points: 3 }, [...unknown("$.size", 7), ...unknown("$.points", 3)]),
  inOptions({ length: "7" }, unfit("$.length", "type", LENGTH, "7")),
  inOptions({ length: 2 ** 53 }, unfit("$.length", "range", LENGTH, 2 ** 53)),
  inOptions({ length: 0 }, unfit("$.length", "range", LENGTH, 0)),
  inOptions({ length: 2.5, score: [1] }, [
    ...unfit("$.length", "type", LENGTH, 2.5), ...unfit("$.score", "size", "array of 2", [1]),
  ]),
  inOptions({ score: [1, "2"] }, unfit("$.score[1]", "type", "whole number", "2")),
  inOptions({ score: [2 ** 53, 0] },
    unfit("$.score[0]", "range", "whole number from -9007199254740991 to 9007199254740991", 2 ** 53)),
  inOptions(WON, [
    ...impossible("$", "White has 7 points before this game, which wins the match", WON),
    ...impossible("$", "Black has -1 points before this game", WON),
  ]),
  inOptions({ rules: 3 }, unfit("$.rules", "type", "object", 3)),
  inOptions({ rules: { jacobi: true } }, unknown("$.rules.jacobi", true)),
  inOptions({ rules: { jacoby: 1, beavers: -1, max_cube: 3, scoring: "x" } }, [
    ...unfit("$.rules.jacoby", "type", "boolean", 1), ...unfit("$.rules.beavers", "range", "whole number from 0 to 1000", -1),
    ...unfit("$.rules.max_cube", "choice", "power of two from 1 to 16777216 or null", 3),
    ...unfit("$.rules.scoring", "choice", '"points" or "pips"', "x"),
  ]),
  inOptions({ rules: { max_cube: 2 ** 25 } },
    unfit("$.rules.max_cube", "range", "power of two from 1 to 16777216 or null", 2 ** 25)),
  inOptions({ rules: { gammons: false } },
    impossible("$.rules", "without gammons, backgammons must be false", { gammons: false })),
  inOptions({ rules: PIPS }, [
    ...impossible("$.rules", "with pip scoring, cube must be false", PIPS),
    ...impossible("$.rules", "with pip scoring, beavers must be 0", PIPS),
  ]),
  inOptions({ position: {} }, [...missing("$.position.points"), ...missing("$.position.checkers")]),
  inOptions({ position: { ...START.position, checkers: 16 } },
    unfit("$.position.checkers", "range", "whole number from 1 to 15", 16)),
  inState({ version: 4 }, unfit("$.version", "version", "version 1 to 3", 4)),
  inState({ version: undefined }, missing("$.version")),
  inState({ type: "Event" }, unfit("$.type", "choice", '"MatchState"', "Event")),
  inState({ "x y": 1 }, unknown('$["x y"]', 1)),
  inState({ on_roll: "red" }, unfit("$.on_roll", "choice", '"white", "black" or null', "red")),
  inState({ dice: [7, 1] }, unfit("$.dice[0]", "range", DIE, 7)),
  inState({ dice: [3] }, unfit("$.dice", "size", `${A_ROLL} or null`, [3])),
  inState({ cube: 3, crawford: null }, [
    ...unfit("$.cube", "type", "object", 3), ...unfit("$.crawford", "type", "boolean", null),
  ]),
  inState({ cube: { value: 3, owner: null } }, unfit("$.cube.value", "choice", "power of two from 1 to 16777216", 3)),
  inState({ cube: OWNED }, impossible("$.cube", "an owned cube shows at least 2", OWNED)),
  inState({ offer: DOUBLED }, impossible("$.offer", "a cube at 2 after 2 turns", DOUBLED)),
  inState({ result: DROPPED }, impossible("$.result", "a game that was dropped has a level", DROPPED)),
  inState({ position: { points: Array(26).fill(0), checkers: 15 } },
    impossible("$.position", "neither side has a checker left", { points: Array(26).fill(0), checkers: 15 })),
  inEvent({}, missing("$.action")),
  inEvent({ action: "castle" }, unfit("$.action", "choice", ACTIONS, "castle")),
  inEvent({ action: "roll" }, missing("$.argument")),
  inEvent({ action: "roll", argument: [7, 1] }, unfit("$.argument[0]", "range", DIE, 7)),
  inEvent({ action: "roll", argument: "31" }, unfit("$.argument", "type", A_ROLL, "31")),
  inEvent({ action: "opening_roll", argument: [1, 0] }, unfit("$.argument[1]", "range", DIE, 0)),
  inEvent({ action: "take", argument: 3 }, unfit("$.argument", "type", "null", 3)),
  inEvent({ action: "take", by: "red" }, unfit("$.by", "choice", '"white", "black" or "to_act"', "red")),
  inEvent({ action: "take", time: "3" }, unfit("$.time", "type", "number from -1000000000000 to 1000000000000", "3")),
  inEvent({ action: "take", times: 3 }, unknown("$.times", 3)),
  inEvent({ action: "play", argument: 3 }, unfit("$.argument", "type", PLAY, 3)),
  inEvent({ action: "next_game", argument: "red" },
    unfit("$.argument", "choice", '"white", "black", position or null', "red")),
  inEvent({ action: "play", argument: Array(5).fill([8, 7]) },
    unfit("$.argument", "size", "array of at most 4 moves", Array(5).fill([8, 7]))),
  inEvent({ action: "play", argument: [[26, 25]] }, [
    ...unfit("$.argument[0][0]", "range", "whole number from 1 to 25", 26),
    ...unfit("$.argument[0][1]", "range", "whole number from 0 to 24", 25),
  ]),
  inEvent({ action: "play", argument: [BACKWARD] },
    impossible("$.argument[0]", "a move goes forward, from a higher to a lower point", BACKWARD)),
  inEvent({ action: "play", argument: [{ from_point: 8 }] }, [
    ...missing("$.argument[0].to_point"), ...missing("$.argument[0].hit"),
  ]),
  inEvent({ action: "play", argument: [[8, 5], "6/5"] }, unfit("$.argument[1]", "type", "move, [from, to]", "6/5")),
  inEvent({ action: "play", argument: { before: START.position, dice: [3, 1], moves: 5 } },
    unfit("$.argument.moves", "type", "string or array of moves", 5)),
  inEvent({ action: "resign", argument: 2 }, unfit("$.argument", "choice", '"single", "gammon" or "backgammon"', 2)),
  inEvent({ type: "Forfeit", loser: "white", points: 8 }, impossible("$.points", "a match to 7 is won with 7 points", 8)),
  [(event) => apply(newMatch(), event), { type: "Forfeit", loser: "white" }, missing("$.points")],
  inMessage(3, unfit("$", "type", "object", 3)),
  inMessage({ "x y": 1, action: "roll" }, unknown('$["x y"]', 1)),
  inMessage({ action: "resign", type: "Forfeit" }, unfit("$.type", "choice", '"Event"', "Forfeit")),
  inMessage({ action: "resign", version: 4 }, unfit("$.version", "version", "version 1 to 3", 4)),
  inMessage({ action: "roll", argument: [6, 6] },
    unfit("$.argument", "type", "null, since the server throws the dice", [6, 6])),
  inMessage({ action: "take", argument: 3 }, unfit("$.argument", "type", "null", 3)),
  inMessage({ action: "resign", argument: 4 },
    unfit("$.argument", "choice", '"single", "gammon" or "backgammon", or 1 to 3', 4)),
  inMessage({ action: "play" }, missing("$.argument")),
  inMessage({ action: "play", argument: null }, unfit("$.argument", "type", PLAY, null)),
  inMessage({ action: "play", argument: 85 }, unfit("$.argument", "type", PLAY, 85)),
  inMessage({ action: "play", argument: [[13, 8], [6]] }, unfit("$.argument[1]", "size", "move, [from, to]", [6])),
  inMessage({ action: "play", argument: [[8, 5, 1]] }, unfit("$.argument[0][2]", "type", "boolean", 1)),
  inMessage({ action: "play", argument: Array(5).fill([8, 7]) },
    unfit("$.argument", "size", "array of at most 4 moves", Array(5).fill([8, 7]))),
  inMessage({ action: "play", argument: { before: START.position, dice: "37", moves: "8/5" } },
    unfit("$.argument.dice", "choice", 'two whole numbers from 1 to 6, such as [3, 1] or "31"', "37")),
  inReceiving({}, missing("options.roll")),
  inReceiving({ roll: 3 }, unfit("options.roll", "type", "function", 3)),
  inReceiving({ roll, starters: "white" }, unknown("options.starters", "white")),
  inReceiving(BOTH, impossible("options", "a next game takes a starter or a position", BOTH)),
  inReceiving(EARLY, impossible("options", "this game is not over, and takes no starter or position", EARLY)),
  [(phase) => isPhase(ROLLED, phase), "play", unfit("phase", "choice", PHASE, "play")],
];

test("the usual mistakes", () => {
  for (const [call, value, problems] of MISTAKES) {
    const error = errorOf(() => call(value));
    assert(error instanceof GammonError);
    assert.deepEqual(error.problems, problems);
    assert.equal(error.reason, undefined);
    checkError(error, { $: value, options: value, phase: value });
  }
});

test("a state that is none is not the document of another argument", () => {
  const event = { action: "resign" };
  assert.deepEqual(problemsOf(() => apply(undefined, event)), unfit("state", "type", "object", undefined));
  const { type, ...untyped } = ROLLED;
  assert.deepEqual(problemsOf(() => receive(untyped, event, "white", { roll })), missing("state.type"));
  assert.deepEqual(problemsOf(() => apply(THROWING[0], event)), [{ path: "state", reason: "unreadable" }]);
  assert.deepEqual(problemsOf(() => apply(ROLLED, THROWING[0])), [{ path: "$", reason: "unreadable" }]);
});

test("nobody but the players acts, and each for themselves", () => {
  const who = (message, player) => {
    const { reason, problems } = errorOf(() => receive(ROLLED, message, player, { roll }));
    return [reason, problems];
  };
  assert.deepEqual(who({ action: "resign" }, "red"), ["unknown_player", unfit("player", "choice", PLAYER, "red")]);
  const byBlack = ["unknown_player", unfit("$.by", "choice", '"white" or "to_act"', "black")];
  assert.deepEqual(who({ action: "resign", by: "black" }, "white"), byBlack);
});

test("dice that are none are those of `roll`", () => {
  const thrown = (value) => problemsOf(() => receive(START, { action: "opening_roll" }, "white", { roll: () => value }));
  assert.deepEqual(thrown(null), unfit("roll()", "type", A_ROLL, null));
  assert.deepEqual(thrown([3]), unfit("roll()", "size", A_ROLL, [3]));
  const early = errorOf(() => receive(START, { action: "opening_roll" }, "white", { roll: async () => [3, 1] }));
  assert.equal(early.message, `roll(): expected ${A_ROLL}, not Promise`);
  assert.deepEqual(thrown([0, "x"]), [...unfit("roll()[0]", "range", DIE, 0), ...unfit("roll()[1]", "type", DIE, "x")]);
});

test("an illegal play is the same in an event and in a message, with its message alone", () => {
  const illegal = [[8, 4]];
  const whole = { before: START.position, dice: "31", moves: illegal };
  const expected = '"8/4" with 31: 8/4 is 4 pips, which neither die of 31 gives';
  for (const argument of [illegal, whole, { ...whole, dice: [1, 3] }]) {
    const event = { action: "play", argument };
    for (const call of [() => apply(ROLLED, event), () => receive(ROLLED, event, "white", { roll })]) {
      const error = errorOf(call);
      assert.equal(error.message, expected);
      assert.deepEqual([error.reason, error.move, error.pips, error.problems], ["die_not_rolled", [8, 4], 4, undefined]);
    }
  }
});

/** A board, from ours to theirs, with this many of each on the points of two objects. */
const boardOf = (mine, theirs) => Array.from({ length: 26 }, (_, point) => (mine[point] ?? 0) - (theirs[point] ?? 0));

test("a text in an event means what `find` says, in whichever way it is written", () => {
  const boards = [
    boardOf({ 24: 2, 13: 5, 8: 3, 6: 5 }, { 1: 2, 12: 5, 17: 3, 19: 5 }),
    boardOf({ 13: 5, 8: 4, 6: 6 }, { 9: 1, 11: 1, 3: 1, 20: 6, 22: 6 }), // blots on the ways of a checker
    boardOf({ 6: 2, 5: 1, 3: 2, 1: 1 }, { 24: 3, 22: 1 }),
  ];
  for (const points of boards) {
    for (const dice of [[3, 1], [4, 2], [6, 5], [2, 2], [6, 6]]) {
      const state = { ...ROLLED, position: { points, checkers: 15 }, dice };
      for (const { moves } of legalPlays(points, dice)) {
        const text = match.notation(points, dice, moves);
        const ends = `${text.split("/")[0]}/${text.split(/[ /]/).at(-1)}`;
        const more = [text.replaceAll("*", ""), text.replace(/(\d)( |$)/, "$1*$2"), text.split(" ").reverse().join(" "), ends];
        for (const written of [text, `${dice.join("")}: ${text}`, `65: ${text}`, `${text} pass`, ...more]) {
          const told = (call) => { try { return call(); } catch (error) { return `${error.reason} ${error.message}`; } };
          const played = () => [...apply(state, { action: "play", argument: written }).position.points];
          assert.deepEqual(told(played), told(() => [...match.find(points, dice, written).points]), written);
        }
      }
    }
  }
});

test("a text that is too long for a play has the same message everywhere", () => {
  const message = { action: "play", argument: "x".repeat(201) };
  const { points } = ROLLED.position;
  for (const call of [
    () => apply(ROLLED, message), () => receive(ROLLED, message, "white", { roll }), () => match.find(points, "31", message.argument),
  ]) {
    const error = errorOf(call);
    assert.deepEqual([error.message, error.problems], ["a play has at most 200 characters, but this text has 201", undefined]);
  }
});

test("up to ten problems, and as many as fit into a message", () => {
  const others = Object.fromEntries(Array.from("abcdefghijklm", (name) => [name, 1]));
  const { message, problems } = errorOf(() => readState({ ...START, ...others }));
  assert.deepEqual(problems.map(({ path }) => path), Array.from("abcdefghij", (name) => `$.${name}`));
  assert.equal(message, `${Array.from("abcdefghij", (name) => `$.${name}: unknown field`).join("; ")}; and more`);
  const rules = Object.fromEntries(Object.keys(START.rules).map((name) => [name, "x".repeat(1000)]));
  const long = errorOf(() => newMatch({ rules }));
  assert.equal(long.problems.length, 10);
  assert(long.message.length <= 510 && long.message.endsWith("; and more"));
});

test("what throws while it is read is one error of ours", () => {
  for (const value of THROWING.slice(0, 2)) {
    const error = errorOf(() => newMatch(value));
    assert.deepEqual(error.problems, [{ path: "$", reason: "unreadable" }]);
    assert("cause" in error);
  }
});

test("values are frozen, so a state that was made here is what it was, and its copies are checked", () => {
  const isFrozen = (value) => Object(value) !== value || (Object.isFrozen(value) && Object.values(value).every(isFrozen));
  const states = [newMatch({ rules: { beavers: 2 }, position: undefined })];
  const now = () => states[states.length - 1];
  const then = (action, argument) => states.push(apply(now(), { action, argument }));
  then("opening_roll", [3, 1]);
  then("play", [[8, 5], [6, 5]]);
  then("double");
  then("beaver");
  then("resign", "gammon");
  states.push(readState(JSON.parse(JSON.stringify(now()))));
  then("accept");
  const over = now();
  states.push(apply(over, { type: "SetPosition", position: view(states[0], "black"), on_roll: "black" }));
  const others = [view(over, "black"), legalActions(over), possibleWins(over, "white"), toDice(1, 2)];
  assert([...states, ...others, receive(over, { action: "next_game" }, "black", { roll })].every(isFrozen));
  const forged = { ...states[1], cube: { value: 3, owner: null } };
  const problems = problemsOf(() => apply(forged, { action: "play", argument: "8/5 6/5" }));
  assert.deepEqual(problems.map(({ path }) => path), ["state.cube.value"]);
});

test("states, asked in any order and between refusals, say what a copy says that is read anew", () => {
  let seed = 1;
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const oneOf = (items) => items[random(items.length)];
  const thrown = () => [random(6) + 1, random(6) + 1];
  const tell = (call) => {
    try { return call(); } catch ({ message }) { return message; }
  };
  const next = (state) => {
    const action = oneOf(legalActions(state));
    const play = () => oneOf(legalPlays(state.position.points, state.dice)).moves;
    return { action, argument: { opening_roll: thrown, roll: thrown, play }[action]?.() ?? null };
  };
  const states = [newMatch({ rules: { beavers: 2, auto_doubles: 1 } })];
  for (let step = 0; step < 300; step += 1) {
    const state = oneOf(states.slice(-5));
    const other = oneOf(states.slice(-5));
    const event = oneOf([next(state), { action: "take" }, { action: "roll", argument: [3, 1] }]);
    const ask = (value, another) => [
      tell(() => apply(value, event)), match.toAct(another), legalActions(another), phase(value),
      tell(() => apply(another, event)),
    ];
    const told = ask(state, other);
    assert.deepEqual(told, ask(...[state, other].map((value) => readState(JSON.parse(JSON.stringify(value))))));
    if (typeof told[0] === "object") states.push(told[0]);
  }
  assert(states.length > 50);
});

test("a state is in one phase, which says what is null", () => {
  const then = (state, ...actions) => actions.reduce((before, action) => apply(before, { action }), state);
  const toRoll = apply(ROLLED, { action: "play", argument: "8/5 6/5" });
  const states = [
    START, toRoll, ROLLED, then(toRoll, "double"),
    then(ROLLED, "resign"), then(toRoll, "resign"), then(toRoll, "double", "resign"),
    then(toRoll, "double", "drop"), apply(START, { type: "Forfeit", loser: "white" }),
  ];
  const phases = ["opening", "to_roll", "to_play", "doubled", "resigned", "over"];
  const seen = states.map((state) => {
    const { on_roll, dice, offer, result } = state;
    return [phases.filter((phase) => isPhase(state, phase)).join(), on_roll, dice, offer && offer.type, result && result.end];
  });
  assert.deepEqual(seen, [
    ["opening", null, null, null, null],
    ["to_roll", "black", null, null, null],
    ["to_play", "white", [3, 1], null, null],
    ["doubled", "black", null, "Double", null],
    ["resigned", "white", [3, 1], "Resignation", null],
    ["resigned", "black", null, "Resignation", null],
    ["resigned", "black", null, "Resignation", null],
    ["over", "black", null, null, "dropped"],
    ["over", null, null, null, "forfeited"],
  ]);
});

test("a program need not write what is null, nor who acts", () => {
  let state = apply(newMatch({ length: 3 }), { action: "opening_roll", argument: [3, 1], time: 5 });
  state = apply(state, { action: "play", argument: legalPlays(state.position.points, state.dice)[0].moves });
  assert.equal(state.on_roll, "black");
  assert.equal(phase(apply(state, { action: "double", by: undefined })), "doubled");
  assert.equal(apply(state, { action: "resign" }).offer.win, "single");
  assert.equal(apply(state, { type: "Forfeit", loser: "white" }).result.points, 3);
  const noDice = () => { throw new RangeError("no dice"); };
  assert.throws(() => receive(state, { action: "roll" }, "black", { roll: noDice }), new RangeError("no dice"));
});

test("in documents of version 1 the end of a result was first called `by`", () => {
  const state = apply(newMatch({ length: 3 }), { type: "Forfeit", loser: "white" });
  const { end: by, ...result } = state.result;
  const old = { ...state, version: 1, result: { ...result, by } };
  assert.deepEqual(readState(old), state);
  assert.deepEqual(problemsOf(() => readState({ ...old, version: 2 })), unknown("$.result.by", "forfeited"));
});

test("all files have the same error, whichever of them a page has, and however often", async () => {
  const names = ["match.js?again", "rules.js", "rules.js?again", "match-board.js"];
  const modules = await Promise.all(names.map((name) => import(`../dist/${name}`)));
  const files = [match, ...modules.map((module) => module.rules ?? module)];
  for (const { pips } of files) assert(files.every((file) => errorOf(() => pips([])) instanceof file.GammonError));
  assert.equal(new Set(files.map((file) => file.GammonError)).size, 1);
  assert.equal(new Set(files.map(({ pips }) => pips)).size, 4); // match-board.js has that of match.js
  assert.equal(String(new GammonError("no")), "GammonError: no");
});

test("memory does not grow", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc");
  const wrong = [
    { action: "roll", argument: [3, 1] }, { action: "opening_roll", argument: [7, 1] }, { action: 5 }, 3,
  ];
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  };
  const many = (count) => {
    for (let at = 0; at < count; at += 1) try { apply(START, wrong[at % 4]); } catch {}
  };
  many(5_000);
  const before = used();
  many(Number(process.env.COUNT ?? 10_000));
  assert(used() - before < 2 ** 20);
});
