/** The values of a state: positions, dice, cubes, offers and results. */

import { areDice, BAR, MOST, problemOfDice } from "../rules/arguments.js";
import { core, SLOTS } from "../rules/compiled.js";
import { turned } from "../rules/rolls.js";
import type { Thrown } from "../rules/types.js";
import { asInPython, frozen, isInteger, isWhole } from "../rules/values.js";
import { arrayOf, Faults, LEVEL, memberOf, orNull, PAIR, PLAYER, possible, readObject, tagged, whole } from "./json.js";
import { counted, ENDS, grouped, LARGEST_CUBE, levelNumber, MOST_POINTS } from "./terms.js";
import type { Cube, Double, Offer, Position, Resignation, Result } from "./types.js";

const COUNTS = arrayOf(whole, SLOTS, SLOTS);

export function readPosition(value: unknown, path: string, faults: Faults): Position | null {
  const position = readObject<Position>(value, path, faults, { points: COUNTS, checkers: whole });
  return possible("position", position, position ? problemsOfPosition(position) : [], path, faults);
}

export function positionFrom(value: unknown, path: string): Position {
  const faults = new Faults();
  return faults.checked(readPosition(value, path, faults));
}

export function problemsOfPosition({ points, checkers }: Position): string[] {
  const problems: string[] = [];
  const most = isWhole(checkers, 1, MOST) ? checkers : MOST;
  if (points[BAR] < 0) problems.push(`index 25 is my bar, not a place for ${points[BAR]}`);
  if (points[0] > 0) problems.push(`index 0 is the opponent's bar, not a place for ${points[0]}`);
  if (most !== checkers) problems.push(`each side must have 1 to ${MOST} checkers, not ${checkers}`);
  for (const [side, counts] of Object.entries({ mine: points.slice(1), theirs: turned(points).slice(1) })) {
    const total = counts.reduce((sum, count) => sum + Math.max(count, 0), 0);
    if (total > most) problems.push(`${side}: ${total} checkers, but the game has ${most}`);
  }
  if (problems.length) return problems;
  const { board, exports } = core();
  board.set(points);
  const wrong = exports.wrong(checkers);
  if (wrong > 4) problems.push("both sides are on the bar against a closed board, so neither can ever move");
  else if (wrong) problems.push("both sides have borne off everything");
  return problems;
}

export const sorted = ([first, second]: Thrown): Thrown => frozen(first < second ? [second, first] : [first, second]);

/** Two dice in the order in which they are given; a fault of theirs has the path of the document. */
export function readThrown(value: unknown, path: string, faults: Faults, place = path): Thrown | null {
  const before = faults.count;
  const faces = PAIR(value, path, faults);
  if (!faces || faults.count > before) return null;
  if (areDice(faces)) return faces;
  faults.rejected.push(`${place}: ${problemOfDice(faces)}`);
  return null;
}

export function readRoll(value: unknown, path: string, faults: Faults): Thrown | null {
  const faces = readThrown(value, path, faults);
  return faces && sorted(faces);
}

export const isCubeValue = (value: unknown): value is number => isWhole(value, 1, LARGEST_CUBE) && isInteger(Math.log2(value));

export function readCube(value: unknown, path: string, faults: Faults): Cube | null {
  const cube = readObject<Cube>(value, path, faults, { value: whole, owner: orNull(PLAYER) });
  return possible("cube", cube, cube ? problemsOfCube(cube) : [], path, faults);
}

export function problemsOfCube({ value, owner }: Cube): string[] {
  if (!isCubeValue(value)) return [`a cube shows a power of two up to ${grouped(LARGEST_CUBE)}, not ${value}`];
  return owner && value === 1 ? ["an owned cube has been turned, so it shows at least 2"] : [];
}

/** What is wrong with a number that has bounds. */
export function problemsOfNumber(name: string, value: unknown, least: number, most: number, nothing = ""): string[] {
  if (isWhole(value, least, most) || (nothing && value === null)) return [];
  const bounds = `${grouped(least)} to ${grouped(most)}`;
  const isBeyond = most !== MOST_POINTS && isInteger(value) && Math.abs(value) > MOST_POINTS;
  const beyond = isBeyond ? `, beyond ${grouped(MOST_POINTS)}` : "";
  return [`${name} must be a whole number from ${bounds}${nothing}, not ${asInPython(value, 60)}${beyond}`];
}

function readDouble(value: unknown, path: string, faults: Faults): Double | null {
  const double = readObject<Double>(value, path, faults, { by: PLAYER, value: whole, beavers: whole });
  return possible("double", double, double ? problemsOfDouble(double) : [], path, faults);
}

export function problemsOfDouble({ value, beavers }: Double): string[] {
  const problems = problemsOfNumber("beavers", beavers, 0, 23);
  const turns = problems.length ? 1 : beavers + 1;
  const isPossible = isCubeValue(value) && value >= 2 ** turns;
  return isPossible ? problems : [...problems, `a cube that was turned ${counted(turns, "time")} cannot be at ${value}`];
}

export function readOffer(value: unknown, path: string, faults: Faults): Offer | null {
  const { kind, others } = tagged(value, ["Double", "Resignation"], path, faults) ?? {};
  if (!kind) return null;
  if (kind === "Double") {
    const double = readDouble(others, path, faults);
    return double && frozen({ type: kind, ...double });
  }
  const offer = readObject<Resignation>(others, path, faults, { by: PLAYER, win: LEVEL, double: orNull(readDouble) });
  return offer && frozen({ type: kind, ...offer });
}

export function readResult(value: unknown, path: string, faults: Faults): Result | null {
  const readers = { winner: PLAYER, win: orNull(LEVEL), points: whole, end: memberOf(ENDS) };
  const result = readObject<Result>(value, path, faults, readers);
  const problems: string[] = [];
  if (result && (result.end === "forfeited") === (result.win !== null)) {
    const member = result.win && `<Win.${result.win.toUpperCase()}: ${levelNumber(result.win)}>`;
    const noLevel = `a forfeited game has no level, so win must be None, not ${member}`;
    problems.push(result.win ? noLevel : "win must be a Win, not None");
  }
  if (result && !isWhole(result.points, 1, MOST_POINTS)) {
    problems.push(`a win counts 1 to ${grouped(MOST_POINTS)} points, not ${result.points}`);
  }
  return possible("result", result, problems, path, faults);
}
