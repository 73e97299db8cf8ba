/** What holds of every error, whatever a program has given, and values to give. */

import assert from "node:assert/strict";
import { GammonError } from "../dist/rules.js";

const FIELDS = {
  missing: ["path", "reason"],
  unreadable: ["path", "reason"],
  unknown_field: ["path", "reason", "value"],
  impossible: ["path", "reason", "message", "value"],
};
const USUAL_FIELDS = ["path", "reason", "expected", "value"];
const REASONS = ["type", "range", "choice", "size", "version", ...Object.keys(FIELDS)];
/** How the errors begin that have nothing but a message: those of texts and records, which people read. */
const FOR_PEOPLE = /^(events\[\d+\]: )?(cannot read |a play has at most |this is no Position ID |this record cannot |XGID)/;

/** The error that a call throws. */
export function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  assert.fail("nothing is wrong");
}

export const problemsOf = (call) => errorOf(call).problems;

// The problems of an error that has one.
export const unfit = (path, reason, expected, value) => [{ path, reason, expected, value }];
export const impossible = (path, message, value) => [{ path, reason: "impossible", message, value }];
export const unknown = (path, value) => [{ path, reason: "unknown_field", value }];
export const missing = (path) => [{ path, reason: "missing" }];

/** The value at the path of a problem, in the arguments of these names. */
function valueAt(path, given) {
  const [, root, steps] = /^([$\w]+(?:\(\))?)(.*)$/s.exec(path);
  assert(root in given, `${root} is no argument`);
  let value = given[root] === undefined ? {} : given[root]; // options may be left out themselves
  if (root === path) return given[root];
  for (const [, name, index, text] of steps.matchAll(/\.(\w+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g)) {
    assert(Object(value) === value, `there is nothing at ${path}`);
    const field = name ?? index ?? JSON.parse(text);
    value = Object.hasOwn(value, field) ? value[field] : undefined;
  }
  return value;
}

/** Check an error of a call with arguments of these names: `$` is the document, event, message or options it is about. */
export function checkError(error, given) {
  assert(error instanceof GammonError, error);
  const { message, reason, problems } = error;
  assert(message.length <= 600, message);
  assert.doesNotMatch(message, /undefined|\[object|\bNone\b|\bTrue\b|\bFalse\b|[\n\r\u2028\u2029]/);
  if (!problems) return assert(reason || FOR_PEOPLE.test(message), message);
  assert(Object.isFrozen(problems) && problems.length > 0 && problems.length <= 10);
  for (const problem of problems) checkProblem(problem, given);
}

function checkProblem(problem, given) {
  const { path, reason, value } = problem;
  assert(Object.isFrozen(problem));
  assert(REASONS.includes(reason), reason);
  assert.deepEqual(Object.keys(problem), FIELDS[reason] ?? USUAL_FIELDS);
  for (const name of ["expected", "message"]) if (name in problem) assert.match(problem[name], /./, path);
  if (reason === "missing") assert.equal(valueAt(path, given), undefined);
  else if (reason === "unreadable") assert(!path.includes(".") && valueAt(path, given) !== undefined, path);
  else assert([valueAt(path, given)].includes(value), path); // which 0 is, of -0
}

/** Give each of these values in the place of each argument, and check all errors; the values that were taken. `names` are those
 * of the arguments in paths. */
export function checkJunk(call, names, args, junk) {
  const taken = [];
  for (const [at, name] of names.entries()) {
    for (const value of junk) {
      const changed = args.with(at, value);
      const others = Object.fromEntries(names.map((other, place) => [other, changed[place]]));
      try {
        call(...changed);
        taken.push(value);
      } catch (error) {
        checkError(error, { ...others, [name]: value });
      }
    }
  }
  return taken;
}

// --- values to give, of which hardly any is taken ---

const cyclic = { action: "play" };
cyclic.argument = [cyclic];
let deep = [];
for (let depth = 0; depth < 1e5; depth += 1) deep = [deep];

/** Values of every kind. */
export const JUNK = [
  undefined, null, true, false, 0, -0, NaN, Infinity, -1, 2.5, 2 ** 31, 2 ** 32, 2 ** 53, 10n, Symbol("x"),
  "", "x", "31", "__proto__", "\ud800", "\u2028\u0085", "x".repeat(1e5), [], [1], [3, 1], [7, 1], [3, 1, 1], ["3", "1"],
  new Array(1e5), Array(26).fill(0), Array(26).fill(1), Array(26).fill("1"), {}, { x: 1 }, { "x y": 1, "\u2028": 2 },
  { action: "play" }, { action: Symbol("x") }, Object.create(null), new Map(), new Date(), () => 3, cyclic, deep,
  Object.freeze([deep]), { toString: 1 }, new Int8Array(26), new Uint8Array(2), { [Symbol.toStringTag]: "x" },
  JSON.parse('{"__proto__": 1}'), { action: "play", argument: deep }, { action: "play", argument: cyclic },
  { action: "toString" }, { action: "constructor", by: "white" }, { type: "toString" },
  { action: "roll", argument: [1, 2 ** 32 + 1] }, { checkers: 16 }, { translations: { bar: 3, numbers: [1] } },
  Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`field_${at}`, at])),
];

const revoked = Proxy.revocable([], {});
revoked.revoke();

/** Values whose parts cannot be read. */
export const THROWING = [
  revoked.proxy,
  new Proxy([1, 2], { get: (_, name) => { if (name !== "length") throw new Error("no"); return 2; } }),
  new Proxy(Array(26).fill(0), { get: (_, name) => { if (name !== "length") throw 5; return 26; } }),
  { get checkers() { throw 5; }, get translations() { throw new Error("no"); } },
  { get action() { throw new Error("no"); }, get version() { throw 5; }, get length() { throw 5; } },
  new Proxy({}, { get: () => { throw 5; }, ownKeys: () => { throw 5; } }),
  { toString() { throw 5; } },
  { get [Symbol.toStringTag]() { throw 5; } },
];
