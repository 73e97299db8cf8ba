/** XGIDs: what is wrong with arguments. What they say is compared with the library in tests/draw/test_xgid_js.py. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, newMatch } from "../dist/match.js";
import { fromXgid, xgid } from "../dist/xgid.js";
import { checkJunk, errorOf, impossible, JUNK, problemsOf, THROWING, unfit, unknown } from "../testing/errors.js";

const ID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";

test("any argument that is none is a problem at its place", () => {
  const junk = [...JUNK, ...THROWING];
  const nothing = [undefined, {}, Object.create(null)];
  assert.deepEqual(checkJunk(xgid, ["state"], [newMatch()], junk), []);
  assert.deepEqual(checkJunk(fromXgid, ["text", "options"], [ID, {}], junk), nothing);
  const taken = { rules: [undefined, null, {}, Object.create(null)], checkers: [undefined, null], doubledTurn: [undefined] };
  for (const [name, values] of Object.entries(taken)) {
    const options = checkJunk((given) => fromXgid(ID, given), ["options"], [{}], junk.map((value) => ({ [name]: value })));
    assert.deepEqual(options.map(({ [name]: value }) => value), values, name);
  }
});

test("the usual mistakes", () => {
  const mistakes = [
    [() => xgid(3), unfit("state", "type", "object", 3)],
    [() => fromXgid(null), unfit("text", "type", "string", null)],
    [() => fromXgid(ID, 3), unfit("options", "type", "object", 3)],
    [() => fromXgid(ID, { rule: 3 }), unknown("options.rule", 3)],
    [() => fromXgid(ID, { rules: { jacobi: true } }), unknown("options.rules.jacobi", true)],
    [() => fromXgid(ID, { checkers: 16 }), unfit("options.checkers", "range", "whole number from 1 to 15 or null", 16)],
    [() => fromXgid(ID, { doubledTurn: "white" }), unfit("options.doubledTurn", "choice", '"doubler" or "responder"', "white")],
  ];
  for (const [call, problems] of mistakes) assert.deepEqual(problemsOf(call), problems);
});

test("a text whose state is impossible says why", () => {
  const text = ID.replace(":0:0:1:31", ":1:1:1:31").replace(":0:7:10", ":1:7:10");
  assert.deepEqual(problemsOf(() => fromXgid(text)), [
    ...impossible("text", "crawford must be false unless exactly one side needs one point", text),
    ...impossible("text", "crawford must be false with a turned cube", text),
  ]);
});

test("a score that an XGID cannot have is refused", () => {
  const state = apply(newMatch({ score: [10 ** 9, 0] }), { type: "Forfeit", loser: "black", points: 5 });
  const { message, problems } = errorOf(() => xgid(state));
  assert.equal(message, "XGID, score: 1000000000 is the most that it can hold, not 1000000005");
  assert.equal(problems, undefined);
});
