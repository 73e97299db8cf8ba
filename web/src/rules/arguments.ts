/** What callers give: boards, dice, and how many checkers a side has. */

import { core, SLOTS } from "./wasm.js";
import { impossible, optionsOf, problemsOfNumber, reading, refuse, refuseProblems, unfit } from "./problems.js";
import type { DiceRoll, Die, Problem } from "./types.js";
import { frozen, isInteger, isList, isWhole } from "./values.js";

/** @internal */
export const BAR = 25;
const MAX_ROLL_LENGTH = 20; // characters
/** @internal */
export const MAX_CHECKERS = 15; // checkers of each player

/** How many checkers a side has, and translations, if the call accepts them. @internal */
export function readOptions(options: unknown, ...others: "translations"[]): { checkers: number; translations?: unknown } {
  if (options === undefined) return { checkers: MAX_CHECKERS };
  const { checkers = MAX_CHECKERS, translations } = optionsOf(options, ["checkers", ...others]);
  if (isWhole(checkers, 1, MAX_CHECKERS)) return { checkers, translations };
  return refuse(problemsOfNumber("options.checkers", checkers, 1, MAX_CHECKERS));
}

function readCounts(points: unknown): number[] {
  const expected = `array of ${SLOTS}`;
  if (!isList(points)) refuse([unfit("points", "type", expected, points)]);
  if (points.length !== SLOTS) refuse([unfit("points", "size", expected, points)]);
  const counts = new Array<number>(SLOTS); // a loop is the fastest way, and this one is called most
  for (let at = 0; at < SLOTS; at += 1) {
    const count = points[at];
    if (!isInteger(count)) refuse([unfit(`points[${at}]`, "type", "whole number", count)]);
    counts[at] = count + 0; // not -0
  }
  return counts;
}

/** Checked counts, which are then on the board of the compiled rules, and how many checkers a side has. @internal */
export function readBoard(points: unknown, options?: unknown): { points: number[]; checkers: number } {
  const { checkers } = readOptions(options);
  const counts = reading("points", () => readCounts(points));
  refuseProblems(problemsOfBoard(counts, checkers, "points", "points", points));
  return { points: counts, checkers };
}

/** What is wrong with counts at this path as a board, which was given there or within something else; they are on the board
 * of the compiled rules if nothing is. @internal */
export function problemsOfBoard(
  counts: readonly number[], checkers: number, points: string, path: string, given: unknown,
): Problem[] {
  let mine = 0;
  let theirs = 0;
  for (const count of counts) {
    if (count > 0) mine += count;
    else theirs -= count;
  }
  const problems: Problem[] = [];
  const refuseBoard = (message: string) => problems.push(impossible(path, message, given));
  if (mine > checkers) refuseBoard(`the player on roll has ${mine} checkers, more than ${checkers}`);
  if (theirs > checkers) refuseBoard(`the opponent has ${theirs} checkers, more than ${checkers}`);
  if (counts[0] > 0) problems.push(unfit(`${points}[0]`, "range", `whole number from ${-checkers} to 0`, counts[0]));
  if (counts[BAR] < 0) problems.push(unfit(`${points}[${BAR}]`, "range", `whole number from 0 to ${checkers}`, counts[BAR]));
  if (problems.length) return problems;
  const { board, exports } = core();
  board.set(counts);
  const wrong = exports.wrong(checkers);
  if (wrong) refuseBoard(wrong > 4 ? "both sides are on the bar, and neither can ever enter" : "neither side has a checker left");
  return problems;
}

/** The higher die first. @internal */
export const readDice = (dice: unknown, path = "dice"): [high: Die, low: Die] => reading(path, () => diceIn(dice, path));

function diceIn(dice: unknown, path: string): [high: Die, low: Die] {
  const isText = typeof dice === "string" && dice.length <= MAX_ROLL_LENGTH;
  const faces: unknown = isText ? /^([1-6])-?([1-6])$/.exec(dice.replace(/[ \t-\r]/g, ""))?.slice(1).map(Number) : dice;
  if (!isList(faces) || faces.length !== 2) {
    const reason = isList(dice) ? "size" : typeof dice === "string" ? "choice" : "type";
    refuse([unfit(path, reason, 'two whole numbers from 1 to 6, such as [3, 1] or "31"', dice)]);
  }
  const [first, second] = [faces[0], faces[1]];
  if (isDie(first) && isDie(second)) return first < second ? [second, first] : [first, second];
  return refuse(problemsOfDice([first, second], [`${path}[0]`, `${path}[1]`]));
}

const isDie = (face: unknown): face is Die => isWhole(face, 1, 6);
/** @internal */
export const areDice = (faces: readonly [unknown, unknown]): faces is DiceRoll => faces.every(isDie);

/** What is wrong with two faces. @internal */
export const problemsOfDice = (faces: readonly [unknown, unknown], paths: readonly [string, string]): Problem[] =>
  faces.flatMap((face, at) => problemsOfNumber(paths[at], face, 1, 6));

/** @internal */
export const diceOf = (faces: readonly [unknown, unknown], paths: readonly [string, string]): DiceRoll =>
  (areDice(faces) ? frozen(faces) : refuse(problemsOfDice(faces, paths)));

/** Two dice in this order, if both are 1 to 6. */
export const toDice = (first: number, second: number): DiceRoll => diceOf([first, second], ["first", "second"]);
