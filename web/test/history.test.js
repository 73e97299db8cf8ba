/** A match with its history: what holds of it, and what is refused. Its record is compared with the library's in
 * tests/draw/test_history_js.py. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { MatchHistory } from "../dist/history.js";
import { apply, GammonError, newMatch } from "../dist/match.js";
import { checkJunk, errorOf, impossible, JUNK, missing, problemsOf, THROWING, unfit, unknown } from "../testing/errors.js";

const OPENING = { action: "opening_roll", argument: [3, 1] };

test("a match is kept with its history, which can be saved, read again and taken back", () => {
  const game = new MatchHistory({ length: 3 });
  assert.deepEqual([game.turn, game.phase, game.winner, game.undo(), game.history()], [null, "opening", null, null, []]);
  game.apply(OPENING);
  const head = { version: 3, type: "Event" };
  const played = game.apply({ action: "play", argument: [[6, 5], [8, 5]], time: 4 });
  assert.deepEqual(played, { ...head, action: "play", by: "white", argument: "8/5 6/5", time: 4 });
  const rolled = game.receive({ action: "roll" }, "black", { roll: () => [1, 2] });
  assert.deepEqual(rolled, { ...head, action: "roll", by: "black", argument: [2, 1] });
  assert.equal(game.turn, "black");
  const text = game.mat();
  assert.deepEqual([game.legalActions(), game.legalActions("white")], [["play", "resign"], ["resign"]]);
  assert.deepEqual([game.history().length, Object.isFrozen(game.history())], [3, true]);
  const again = new MatchHistory(...JSON.parse(JSON.stringify([game.start, game.history()])));
  assert.equal(again.mat(), text);
  assert.deepEqual(again.state, game.state);
  assert.deepEqual([game.undo().action, game.undo().action, game.phase, again.phase], ["roll", "play", "to_play", "to_play"]);
  assert.equal(apply(game.state, { type: "Forfeit", loser: "white" }).result.points, 3);
  assert.deepEqual([game.state.result, game.start.length], [null, 3]);
});

test("any argument that is none is a problem at its place", () => {
  const junk = [...JUNK, ...THROWING];
  const game = () => new MatchHistory({ length: 7 }, [OPENING]);
  const mat = (options) => game().mat(options);
  const nothing = [undefined, {}, Object.create(null)];
  const create = (...args) => new MatchHistory(...args);
  const isRevoked = (value) => value === THROWING[0];
  const isState = (value) => !isRevoked(value) && ["type", "version"].some((name) => Object.hasOwn(Object(value), name));
  const others = junk.filter((value) => !isState(value));
  assert.deepEqual(checkJunk(create, ["$", "events"], [{}, []], others), [...nothing, undefined, []]);
  assert.deepEqual(checkJunk(create, ["state", "events"], [newMatch(), []], junk.filter(isState)), []);
  assert.deepEqual(checkJunk(mat, ["$"], [{}], junk), nothing);
  assert.deepEqual(checkJunk((event) => game().apply(event), ["$"], [{ action: "resign" }], junk), []);
  const logs = junk.map((value) => [OPENING, value]);
  assert.deepEqual(checkJunk((events) => new MatchHistory({}, events), ["events"], [[]], logs), []);

  const short = ["", "x", "31", "__proto__", "\ud800", "\u2028\u0085"];
  const taken = {
    white: [undefined, ...short],
    black: [undefined, ...short],
    tags: [
      undefined, {}, { action: "play" }, Object.create(null),
      { action: "toString" }, { action: "constructor", by: "white" }, { type: "toString" },
    ],
    comments: [undefined, [], ["3", "1"], Array(26).fill("1")],
  };
  for (const [name, values] of Object.entries(taken)) {
    const options = checkJunk(mat, ["$"], [{}], junk.map((value) => ({ [name]: value })));
    assert.deepEqual(options.map(({ [name]: value }) => value), values, name);
  }
  const both = (value) => ({ tags: { "x y": value }, comments: [value] });
  assert.deepEqual(checkJunk(mat, ["$"], [{}], junk.map(both)), short.map(both));
});

const MISTAKES = [
  [() => new MatchHistory(3), unfit("$", "type", "object", 3)],
  [() => new MatchHistory({ size: 7 }), unknown("$.size", 7)],
  [() => new MatchHistory({ type: "MatchState" }), missing("state.version")],
  [() => new MatchHistory({ ...newMatch(), type: undefined }), missing("state.type")],
  [() => new MatchHistory({}, 3), unfit("events", "type", "array of events", 3)],
  [() => new MatchHistory({}, [OPENING, { action: "roll", argument: [7, 1] }]),
    unfit("events[1].argument[0]", "range", "whole number from 1 to 6", 7)],
  [() => new MatchHistory({}, [OPENING, 3]), unfit("events[1]", "type", "object", 3)],
  [() => new MatchHistory().mat(3), unfit("$", "type", "object", 3)],
  [() => new MatchHistory().mat({ red: "" }), unknown("$.red", "")],
  [() => new MatchHistory().mat({ white: 3 }), unfit("$.white", "type", "string", 3)],
  [() => new MatchHistory().mat({ tags: null }), unfit("$.tags", "type", "object", null)],
  [() => new MatchHistory().mat({ tags: { x: 3 } }), unfit("$.tags.x", "type", "string", 3)],
  [() => new MatchHistory().mat({ tags: { Jacoby: "Off" } }),
    impossible("$.tags.Jacoby", "the match has its rules already", "Off")],
  [() => new MatchHistory().mat({ comments: "x" }), unfit("$.comments", "type", "array of strings", "x")],
  [() => new MatchHistory().mat({ comments: ["x", 3] }), unfit("$.comments[1]", "type", "string", 3)],
];

test("the usual mistakes", () => {
  for (const [call, problems] of MISTAKES) assert.deepEqual(problemsOf(call), problems);
});

test("what is illegal in a log says which event it is", () => {
  const error = errorOf(() => new MatchHistory({}, [OPENING, { action: "double" }]));
  assert.equal(error.message, "events[1]: White cannot double: the dice have already been rolled");
  assert.equal(error.reason, "already_rolled");
  assert(error.cause instanceof GammonError);
  assert.equal(error.problems, undefined);
});

test("what is refused changes nothing", () => {
  const game = new MatchHistory({ length: 7 });
  assert.equal(errorOf(() => game.apply({ action: "roll", argument: [3, 1] })).reason, "opening_roll_first");
  const nested = () => {
    game.apply(OPENING);
    return [3, 1];
  };
  assert.throws(() => game.receive({ action: "opening_roll" }, "white", { roll: nested }), {
    name: "GammonError", message: "the game has gone on while the dice were thrown",
  });
  assert.deepEqual([game.history().length, game.phase], [1, "to_play"]);
});

test("a record that the format cannot have is refused", () => {
  const cannot = "this record cannot be written in this format: ";
  const messageOf = (game, options) => errorOf(() => game.mat(options)).message;
  assert.equal(messageOf(new MatchHistory({ length: 2_000_000 })),
    `${cannot}the record holds no match: the line "N point match" or "Unlimited game" is missing`);
  assert.equal(messageOf(new MatchHistory(), { white: "x".repeat(2000) }), `${cannot}a name, a tag or a comment is too long`);
  const over = apply(newMatch({ length: 1 }), { type: "Forfeit", loser: "white" });
  assert.equal(messageOf(new MatchHistory(over)), "impossible game: start is a game that is already over");
});
