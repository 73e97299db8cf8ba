/** States: read as in the library's JSON, made of values, or begun; and what may be asked of them. */

import { turned } from "../rules/rolls.js";
import { asInPython, entriesOf, fail, frozen, guarded, isList, isObject, isWhole } from "../rules/values.js";
import {
  cannotRead, described, Faults, membersOf, orNull, PAIR, PLAYER, readObject, refuseProblems, tagged, truth, whole,
} from "./json.js";
import { readRules, rulesFrom, startOf } from "./options.js";
import { contradictionsOf, CRAWFORD_PROBLEMS, problemNumbers } from "./refusals.js";
import { Known, made, matchWinner, playerToAct, scoreBefore, write } from "./table.js";
import { ACTIONS, grouped, LEVELS, MOST_POINTS, PHASES, PLAYERS, seatOf, TITLES, VERSION } from "./terms.js";
import {
  positionFrom, problemsOfCube, problemsOfDouble, problemsOfNumber, problemsOfPosition, readCube, readOffer,
  readPosition, readResult, readRoll,
} from "./values.js";

const STATE_READERS = {
  position: readPosition,
  on_roll: orNull(PLAYER),
  dice: orNull(readRoll),
  cube: readCube,
  offer: orNull(readOffer),
  score: PAIR,
  length: orNull(whole),
  crawford: truth,
  rules: readRules,
  result: orNull(readResult),
};

export const readState = guarded((value) => {
  const faults = new Faults();
  const { version, ...document } = membersOf(value, `$`, faults) ?? {};
  if (!faults.count) readVersion(version, faults);
  faults.refuse();
  const { others } = tagged(document, ["MatchState"], `$`, faults);
  faults.refuse();
  const current = version === 1 ? { ...others, result: renewed(others.result) } : others;
  const fields = readObject(current, `$`, faults, STATE_READERS);
  faults.refuse();
  return checkedState(fields, `$: `);
});

export function readVersion(version, faults) {
  if (version === undefined) cannotRead("this field is missing", `$.version`, faults);
  else if (!isWhole(version, 1, VERSION)) cannotRead(wrongVersion(version), `$.version`, faults);
}

export const wrongVersion = (version) => `expected version 1 to ${VERSION}, not ${described(version)}`;

/** The result of a document of version 1, in which its `end` was first called `by`. */
function renewed(result) {
  if (!isObject(result) || !Object.hasOwn(result, "by") || Object.hasOwn(result, "end")) return result;
  const { by: end, ...others } = result;
  return { ...others, end };
}

export const stateFrom = (value) => (Known.has(value) ? value : readState(value));

/** A state of values that are known to be possible, if they fit each other. */
export function checkedState(fields, path = "") {
  refuseProblems("match state", problemsOfTypes(fields), path);
  refuseProblems("match state", contradictionsOf(fields), path);
  return made(fields);
}

/** A state of values of the right types, if these are possible, and fit each other. */
export function stateOf(fields) {
  const { position, cube, offer } = fields;
  refuseProblems("position", problemsOfPosition(position));
  if (offer) refuseProblems("double", problemsOfDouble(offer));
  refuseProblems("cube", problemsOfCube(cube));
  return checkedState(fields);
}

/** Scores that are too large for any other check, and lengths that are none. */
function problemsOfTypes(fields) {
  const problems = [];
  for (const [seat, points] of scoreBefore(fields).entries()) {
    if (Math.abs(points) > MOST_POINTS) {
      problems.push(
        `${TITLES[PLAYERS[seat]]} has ${points} points before this game, but a game begins with ${grouped(MOST_POINTS)} at most`,
      );
    }
  }
  return [...problems, ...problemsOfNumber("length", fields.length, 1, MOST_POINTS, " or None")];
}

export const newMatch = guarded((options = {}) => {
  entriesOf(options, "options", ["length", "rules", "score", "crawford", "position"]);
  const { length = null, rules: chosen = null, score = [0, 0], crawford = null, position = null } = options;
  const rules = rulesFrom(chosen, length);
  const first = position === null ? startOf(rules.start) : positionFrom(position, "position");
  const pair = isList(score) && score.length === 2 ? [score[0], score[1]] : [];
  const isPair = pair.length === 2 && pair.every(Number.isInteger);
  const problems = [];
  if (crawford !== null && typeof crawford !== "boolean") {
    problems.push(`crawford must be True, False or None, not ${asInPython(crawford, 60)}`);
  }
  if (!isPair) problems.push(`score must be a pair of whole numbers, White's and Black's, not ${asInPython(score)}`);
  const points = frozen(isPair ? pair.map((number) => number + 0) : [0, 0]); // not -0
  const nothing = { on_roll: null, dice: null, cube: frozen({ value: 1, owner: null }), offer: null, result: null };
  const fields = { ...nothing, position: first, score: points, length, crawford: crawford ?? true, rules };
  problems.push(...problemsOfTypes(fields));
  refuseProblems("match state", problems);
  if (crawford === null) fields.crawford = !problemNumbers(fields).some((number) => CRAWFORD_PROBLEMS.includes(number));
  return checkedState(fields);
});

export const phase = guarded((state) => PHASES[write(stateFrom(state)).phase()]);
export const toAct = guarded((state) => playerToAct(stateFrom(state)));
export const winner = guarded((state) => matchWinner(stateFrom(state)));

const membersIn = (bits, words) => frozen(words.filter((_, at) => (bits >> at) & 1));

export const playerIn = (value, name) => (PLAYERS.includes(value) ? value : fail(notPlayer(value, name)));
export const notPlayer = (value, name) => `${name} must be "white" or "black", not ${asInPython(value)}`;

export const legalActions = guarded((state, player) => {
  const seat = player === undefined ? -1 : seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).actions(seat), ACTIONS);
});

export const possibleWins = guarded((state, player) => {
  const seat = seatOf(playerIn(player, "player"));
  return membersIn(write(stateFrom(state)).possible_wins(seat), LEVELS);
});

export const view = guarded((state, player) => {
  const { position, on_roll } = stateFrom(state);
  if (playerIn(player, "player") === (on_roll ?? "white")) return position;
  return frozen({ ...position, points: frozen(turned(position.points)) });
});
