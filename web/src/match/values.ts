/** The values of a state: positions, dice, cubes, offers and results. */

import { areDice, MAX_CHECKERS, problemsOfBoard, problemsOfDice } from "../rules/arguments.js";
import { SLOTS } from "../rules/wasm.js";
import { impossible, problemsOfNumber, reading, unfit } from "../rules/problems.js";
import type { DiceRoll, Problem } from "../rules/types.js";
import { frozen, isInteger, isWhole } from "../rules/values.js";
import {
  arrayOf, checked, Faults, memberOf, orNull, PLAYER, type Reader, readObject, tagged, whole, wholeFrom, wholeLike,
  WIN_KIND,
} from "./json.js";
import { counted, ENDS, MAX_CUBE, MAX_POINTS } from "./terms.js";
import type { Cube, Double, Offer, Position, Resignation, Result } from "./types.js";

const COUNTS = arrayOf(whole, SLOTS);
const CHECKERS = wholeFrom(1, MAX_CHECKERS);
export const A_ROLL = "array of 2 whole numbers from 1 to 6";
const FACES = arrayOf(wholeFrom(1, 6), 2, " whole numbers from 1 to 6") as Reader<readonly [number, number]>;
const MAX_BEAVERS = 23;

export function readPosition(value: unknown, path: string, faults: Faults): Position | null {
  const position = readObject<Position>(value, path, faults, { points: COUNTS, checkers: CHECKERS });
  return checked(position, (read) => problemsOfPosition(read, path, value), faults);
}

export const positionFrom = (value: unknown, path: string): Position => reading(path, () => {
  const faults = new Faults();
  return faults.checked(readPosition(value, path, faults));
});

/** What is wrong with a position that was given at this path. */
export function problemsOfPosition({ points, checkers }: Position, path: string, given: unknown): Problem[] {
  const problems = problemsOfNumber(`${path}.checkers`, checkers, 1, MAX_CHECKERS);
  return problems.length ? problems : problemsOfBoard(points, checkers, `${path}.points`, path, given);
}

export const sorted = ([first, second]: DiceRoll): DiceRoll => frozen(first < second ? [second, first] : [first, second]);

/** Two dice in the order in which they are given. */
export function readDiceRoll(value: unknown, path: string, faults: Faults): DiceRoll | null {
  const before = faults.count;
  const faces = FACES(value, path, faults);
  if (!faces || faults.count > before) return null;
  if (areDice(faces)) return faces;
  faults.rejected.push(...problemsOfDice(faces, [`${path}[0]`, `${path}[1]`]));
  return null;
}

export function readRoll(value: unknown, path: string, faults: Faults): DiceRoll | null {
  const faces = readDiceRoll(value, path, faults);
  return faces && sorted(faces);
}

export const isCubeValue = (value: unknown): value is number => isWhole(value, 1, MAX_CUBE) && isInteger(Math.log2(value));

/** What is wrong with a number that a cube shows. */
export function problemsOfCubeValue(path: string, value: unknown, others = ""): Problem[] {
  if (isCubeValue(value)) return [];
  const reason = isWhole(value, 1, MAX_CUBE) ? "choice" : isInteger(value) ? "range" : "type";
  return [unfit(path, reason, `power of two from 1 to ${MAX_CUBE}${others}`, value)];
}

export const cubeValue = wholeLike(problemsOfCubeValue);

export function readCube(value: unknown, path: string, faults: Faults): Cube | null {
  const cube = readObject<Cube>(value, path, faults, { value: cubeValue, owner: orNull(PLAYER) });
  return checked(cube, (read) => problemsOfCube(read, path, value), faults);
}

export function problemsOfCube({ value, owner }: Cube, path: string, given: unknown): Problem[] {
  const problems = problemsOfCubeValue(`${path}.value`, value);
  return owner && value === 1 ? [impossible(path, "an owned cube shows at least 2", given)] : problems;
}

function readDouble(value: unknown, path: string, faults: Faults, given = value): Double | null {
  const double = readObject<Double>(value, path, faults, { by: PLAYER, value: cubeValue, beavers: wholeFrom(0, MAX_BEAVERS) });
  return checked(double, (read) => problemsOfDouble(read, path, given), faults);
}

export function problemsOfDouble({ value, beavers }: Double, path: string, given: unknown): Problem[] {
  const problems = problemsOfNumber(`${path}.beavers`, beavers, 0, MAX_BEAVERS);
  if (problems.length) return problems;
  const turns = beavers + 1;
  const isPossible = isCubeValue(value) && value >= 2 ** turns;
  return isPossible ? [] : [impossible(path, `a cube at ${value} after ${counted(turns, "turn")}`, given)];
}

export function readOffer(value: unknown, path: string, faults: Faults): Offer | null {
  const { kind, others } = tagged(value, ["Double", "Resignation"], path, faults) ?? {};
  if (!kind) return null;
  if (kind === "Double") {
    const double = readDouble(others, path, faults, value);
    return double && frozen({ type: kind, ...double });
  }
  const readers = { by: PLAYER, win: WIN_KIND, double: orNull<Double>(readDouble) };
  const offer = readObject<Resignation>(others, path, faults, readers);
  return offer && frozen({ type: kind, ...offer });
}

export function readResult(value: unknown, path: string, faults: Faults): Result | null {
  const readers = { winner: PLAYER, win: orNull(WIN_KIND), points: wholeFrom(1, MAX_POINTS), end: memberOf(ENDS) };
  const result = readObject<Result>(value, path, faults, readers);
  return checked(result, (read) => problemsOfResult(read, path, value), faults);
}

function problemsOfResult({ win, points, end }: Result, path: string, given: unknown): Problem[] {
  const problems = problemsOfNumber(`${path}.points`, points, 1, MAX_POINTS);
  if ((end === "forfeited") !== (win === null)) {
    problems.unshift(impossible(path, win ? "a forfeited game has no level" : `a game that was ${end} has a level`, given));
  }
  return problems;
}
