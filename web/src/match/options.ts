/** The options of the rules, and the boards with which games begin, which `generated/names.ts` lists. */

import { CHOICES, DEFAULTS, MAX_IN_A_ROW, MONEY, STARTS } from "../generated/names.js";
import { BAR } from "../rules/arguments.js";
import { SLOTS } from "../rules/wasm.js";
import { entriesOf, impossible, problemsOfNumber, refuseProblems, unfit } from "../rules/problems.js";
import type { Problem } from "../rules/types.js";
import { frozen, isInteger, isOneOf } from "../rules/values.js";
import { checked, type Faults, oneOf, orNull, type Reader, readObject, text, truth, wholeFrom } from "./json.js";
import type { Position, Rules } from "./types.js";
import { cubeValue, problemsOfCubeValue } from "./values.js";

const NAMES = Object.keys(DEFAULTS) as (keyof Rules)[];

/** Rules whose values have yet to be checked. */
type Chosen = Record<keyof Rules, unknown>;

/** White's first board. */
export function startOf(name: Rules["start"]): Position {
  const points = Array<number>(SLOTS).fill(0);
  let checkers = 0;
  for (const [place, count] of Object.entries(STARTS[name])) {
    const point = Number(place);
    points[point] += count;
    points[BAR - point] -= count;
    checkers += count;
  }
  return frozen({ points: frozen(points), checkers });
}

/** An option is read as what it usually is; the highest cube may be null. */
function readerLike(usual: unknown): Reader<unknown> {
  if (typeof usual === "boolean") return truth;
  if (typeof usual === "number") return wholeFrom(0, MAX_IN_A_ROW);
  return usual === null ? orNull(cubeValue) : text;
}

const RULES_READERS = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, usual]) => [name, readerLike(usual)]),
) as Record<keyof Rules, Reader<unknown>>;

export function readRules(value: unknown, path: string, faults: Faults): Rules | null {
  const rules = readObject<Chosen>(value, path, faults, RULES_READERS);
  return checked(rules as Rules | null, (read) => problemsOfRules(read, path, value), faults);
}

/** Some options, given at this path; those of a match or of money play if there are none. @internal */
export function rulesFrom(chosen: unknown, length: number | null, path: string): Rules {
  const different = chosen ?? (length === null ? MONEY : {});
  const rules: Chosen = { ...DEFAULTS };
  for (const [name, value] of entriesOf(different, path, NAMES)) rules[name] = value === 0 ? 0 : value; // not -0
  refuseProblems(problemsOfRules(rules, path, chosen));
  return frozen(rules as Rules);
}

function problemsOfRules(rules: Readonly<Chosen>, path: string, given: unknown): Problem[] {
  const { beavers, max_cube: highest, gammons, backgammons, scoring } = rules;
  const switches = NAMES.filter((name) => typeof DEFAULTS[name] === "boolean");
  const problems = switches
    .filter((name) => typeof rules[name] !== "boolean")
    .map((name) => unfit(`${path}.${name}`, "type", "boolean", rules[name]));
  for (const name of ["beavers", "auto_doubles"] as const) {
    problems.push(...problemsOfNumber(`${path}.${name}`, rules[name], 0, MAX_IN_A_ROW));
  }
  if (highest !== null) problems.push(...problemsOfCubeValue(`${path}.max_cube`, highest, " or null"));
  for (const [name, choices] of [...CHOICES, ["start", Object.keys(STARTS)] as const]) {
    if (!isOneOf(choices, rules[name])) problems.push(unfit(`${path}.${name}`, "choice", oneOf(choices), rules[name]));
  }
  const contradict = (message: string) => problems.push(impossible(path, message, given));
  if (backgammons === true && gammons === false) contradict("without gammons, backgammons must be false");
  if (scoring !== "pips") return problems;
  if (rules.cube === true) contradict("with pip scoring, cube must be false");
  if (isInteger(beavers) && beavers) contradict("with pip scoring, beavers must be 0");
  if (isInteger(rules.auto_doubles) && rules.auto_doubles) contradict("with pip scoring, auto_doubles must be 0");
  if (rules.jacoby === true) contradict("with pip scoring, jacoby must be false");
  return problems;
}
