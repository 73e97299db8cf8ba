/** What makes a state impossible: for each contradiction a state of a real match with as small a change as has it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { apply, newMatch, readState } from "../dist/match.js";
import { checkError, errorOf, impossible, problemsOf } from "../testing/errors.js";

const after = (state, ...events) => events.reduce(apply, state);
const OPENING = { action: "opening_roll", argument: [3, 1] };
const PLAYED_IT = { action: "play", argument: "8/5 6/5" };
const DOUBLE = { action: "double" };
const RESIGN = { action: "resign", argument: "single" };

const START = newMatch({ length: 7 });
const DOUBLED = after(START, OPENING, PLAYED_IT, DOUBLE); // by Black
const DROPPED = after(DOUBLED, { action: "drop" });
const RESIGNED = after(START, OPENING, RESIGN, { action: "accept" }); // by White
const FORFEITED = after(START, { type: "Forfeit", loser: "black" });
const LAST = { points: Array(26).fill(0).with(1, 1).with(24, -1), checkers: 15 };
const FINISHED = after(newMatch({ length: 7, position: LAST }), OPENING, { action: "play", argument: "1/off" }); // by White
const CRAWFORD = newMatch({ length: 7, score: [6, 0] });
const MONEY = after(newMatch(), OPENING);
const MONEY_DOUBLED = after(MONEY, PLAYED_IT, DOUBLE);
const MONEY_RESIGNED = after(MONEY, RESIGN, { action: "accept" });
const PIPS = newMatch({ rules: { scoring: "pips", cube: false } });
const PIPS_PLAYED = after(PIPS, OPENING, PLAYED_IT); // White has 163 pips now, and Black, who is on roll, 167

const BLACKS = { value: 2, owner: "black" };
const RESIGNATION = { type: "Resignation", by: "white", win: "single", double: null };
const withRules = (state, rules) => ({ ...state, rules: { ...state.rules, ...rules } });
const withOffer = (state, fields) => ({ ...state, offer: { ...state.offer, ...fields } });
/** The points of the result belong to the score. */
const withResult = (state, fields, score) => ({ ...state, result: { ...state.result, ...fields }, score });
const ONE_POINT = { win: "single", points: 1, end: "resigned" };

/** Each clause once, in the order of the numbers of the problems. */
const CONTRADICTIONS = [
  ["White has -1 points before this game", { ...START, score: [-1, 0] }],
  ["Black has -2 points before this game", { ...START, score: [0, -2] }],
  ["White has 7 points before this game, which wins the match", { ...START, score: [7, 0] }],
  ["Black has 8 points before this game, which wins the match", { ...START, score: [0, 8] }],
  ["pip scoring in a match", { ...PIPS, length: 7 }],
  ["crawford must be false under rules without the Crawford rule", withRules(CRAWFORD, { crawford: false })],
  ["crawford must be false in money play", { ...MONEY, crawford: true }],
  ["crawford must be false unless exactly one side needs one point", { ...START, crawford: true }],
  ["crawford must be false with a turned cube", { ...after(CRAWFORD, OPENING), cube: BLACKS }],
  ["under rules without a cube, its value must be 1", { ...withRules(MONEY, { cube: false }), cube: BLACKS }],
  ["the cube goes up to a max_cube of 1", { ...withRules(MONEY, { max_cube: 1 }), cube: BLACKS }],
  ["in a match, a turned cube needs an owner", { ...START, cube: { value: 2, owner: null } }],
  ["before the opening roll, dice must be null", { ...START, dice: [3, 1] }],
  ["before the opening roll, offer must be null", { ...START, offer: RESIGNATION }],
  ["before the opening roll, owner of the cube must be null", { ...START, cube: BLACKS }],
  ["before the opening roll, result must be null", { ...RESIGNED, on_roll: null }],
  ["while a double is offered, dice must be null", { ...DOUBLED, dice: [3, 1] }],
  ["with a result, dice must be null", { ...RESIGNED, dice: [3, 1] }],
  ["a finished board needs a result", { ...FINISHED, result: null }],
  ["only the player on roll can have doubled", withOffer(DOUBLED, { by: "white" })],
  ["a double to 4 does not follow from a cube of 1", withOffer(DOUBLED, { value: 4 })],
  ["Black cannot have doubled: this game is played without a cube", withRules(DOUBLED, { cube: false })],
  ["beavers in a match", withOffer(DOUBLED, { value: 4, beavers: 1 })],
  ["more beavers than the rules allow, 1", withOffer(MONEY_DOUBLED, { value: 8, beavers: 2 })],
  ["with pip scoring, only a single game can be resigned", withOffer(after(PIPS, OPENING, RESIGN), { win: "gammon" })],
  ["with a result, offer must be null", { ...RESIGNED, offer: RESIGNATION }],
  ["a game that was played to its end needs a finished board", withResult(RESIGNED, { end: "played" }, [0, 1])],
  ["a game that was resigned has no finished board", withResult(FINISHED, { end: "resigned" }, [1, 0])],
  ["after the last play, on_roll is the loser", { ...FINISHED, on_roll: "white" }],
  ["the board shows another win", withResult(FINISHED, { win: "gammon", points: 2 }, [2, 0])],
  ["a game that was dropped is a single game", withResult(DROPPED, { win: "gammon", points: 2 }, [0, 2])],
  ["nobody can have dropped a double", withResult(DROPPED, { winner: "white" }, [1, 0])],
  ["a match to 7 is won with 7 points", withResult(FORFEITED, { points: 8 }, [8, 0])],
  ["a gammon does not count here", withResult(MONEY_RESIGNED, { win: "gammon", points: 2 }, [0, 2])],
  ["this win counts 1 point", withResult(RESIGNED, { points: 2 }, [0, 2])],
];
/** What some of them say of other states. */
const OTHER_MESSAGES = [
  ["Black has -2 points before this game", { ...RESIGNED, score: [0, -1] }],
  ["White cannot have doubled: Black owns the cube",
    { ...after(START, OPENING), dice: null, cube: BLACKS, offer: { type: "Double", by: "white", value: 4, beavers: 0 } }],
  ["Black cannot have doubled: the cube ends at 2",
    withOffer(withRules(MONEY_DOUBLED, { max_cube: 2 }), { value: 4, beavers: 1 })],
  ["a game that was forfeited has no finished board", withResult(FINISHED, { win: null, end: "forfeited" }, [1, 0])],
  ["a backgammon does not count here", withResult(MONEY_RESIGNED, { win: "backgammon", points: 3 }, [0, 3])],
  ["this win counts 2 points", withResult(RESIGNED, { win: "gammon" }, [0, 1])],
  ["this win counts 4 points", { ...RESIGNED, cube: { value: 4, owner: "white" } }],
  ["this win counts 163 points", withResult(PIPS_PLAYED, { ...ONE_POINT, winner: "black" }, [0, 1])],
  ["this win counts 167 points", withResult(PIPS_PLAYED, { ...ONE_POINT, winner: "white" }, [1, 0])],
];

test("each contradiction is there once", () => {
  const { problems } = JSON.parse(readFileSync(new URL("../dist/reasons.json", import.meta.url), "utf8"));
  const first = problems.findIndex(({ name }) => name === "negative_score"); // those before it are of single fields
  assert.equal(CONTRADICTIONS.length, problems.length - first);
  assert.equal(new Set(CONTRADICTIONS.map(([message]) => message)).size, CONTRADICTIONS.length);
});

for (const [message, document] of [...CONTRADICTIONS, ...OTHER_MESSAGES]) {
  test(message, () => {
    const error = errorOf(() => readState(document));
    assert.deepEqual(error.problems, impossible("$", message, document));
    checkError(error, { $: document });
  });
}

test("a state can have several, and says whether the double was possible before it and before the result", () => {
  const offered = { ...DROPPED, cube: { value: 8, owner: "black" }, offer: { ...DOUBLED.offer, value: 16 } };
  const dead = withResult(offered, { points: 8 }, [0, 8]);
  for (const [document, ...messages] of [
    [{ ...withRules(DOUBLED, { cube: false }), on_roll: null }, "before the opening roll, offer must be null",
      "Black cannot have doubled: this game is played without a cube"],
    [dead, "Black cannot have doubled: the cube is dead, 0 points and a cube of 8 already reach the match length of 7",
      "with a result, offer must be null", "nobody can have dropped a double"],
  ]) assert.deepEqual(problemsOf(() => readState(document)), messages.flatMap((message) => impossible("$", message, document)));
});
