/** What callers give: boards, dice, and how many checkers a side has. */

import { core, SLOTS } from "./compiled.js";
import type { Die, Options, Thrown } from "./types.js";
import { asInPython, entriesOf, fail, frozen, guarded, isInteger, isList, isWhole, shown, type Unread } from "./values.js";

/** @internal */
export const BAR = 25;
const LONGEST_ROLL = 20; // characters
/** @internal */
export const MOST = 15; // checkers of each player

/** How many checkers a side has; the call may have other options besides. @internal */
export function readCheckers(options: Unread<Options> = {}, ...others: string[]): number {
  entriesOf(options, "options", ["checkers", ...others]);
  const { checkers = MOST } = options;
  return isWhole(checkers, 1, MOST) ? checkers : fail(`each side must have 1 to ${MOST} checkers, not ${shown(checkers)}`);
}

function readCounts(points: unknown): number[] {
  if (!isList(points)) fail(`expected ${SLOTS} counts, not ${shown(points)}`);
  if (points.length !== SLOTS) fail(`expected ${SLOTS} counts, not ${points.length}`);
  const counts = new Array<number>(SLOTS); // a loop is the fastest way, and this one is called most
  for (let at = 0; at < SLOTS; at += 1) {
    const count = points[at];
    if (!isInteger(count)) fail(`index ${at}: ${shown(count)} is not a whole number`);
    counts[at] = count + 0; // not -0
  }
  return counts;
}

/** Checked counts, which are then on the board of the compiled rules, and how many checkers a side has. @internal */
export function readBoard(points: unknown, options?: Unread<Options>): { points: number[]; checkers: number } {
  const checkers = readCheckers(options);
  const counts = readCounts(points);
  const refuseBoard = (why: string) => fail(`impossible position: ${why}`);
  for (const [side, sign] of [["mine", 1], ["theirs", -1]] as const) {
    const total = counts.reduce((sum, count) => sum + Math.max(sign * count, 0), 0);
    if (total > checkers) refuseBoard(`${side}: ${total} checkers, but the game has ${checkers}`);
  }
  const { board, exports } = core();
  board.set(counts);
  const wrong = exports.wrong(checkers);
  if (!wrong) return { points: counts, checkers };
  if (wrong > 4) refuseBoard("both sides are on the bar against a closed board, so neither can ever move");
  if (wrong > 3) refuseBoard("both sides have borne off everything");
  if (counts[BAR] < 0) refuseBoard(`index ${BAR} is my bar, not a place for ${counts[BAR]}`);
  return refuseBoard(`index 0 is the opponent's bar, not a place for ${counts[0]}`);
}

/** The higher die first. @internal */
export function readDice(dice: unknown): [high: Die, low: Die] {
  const isText = typeof dice === "string" && dice.length <= LONGEST_ROLL;
  const faces: unknown = isText ? /^([1-6])-?([1-6])$/.exec(dice.replace(/[ \t-\r]/g, ""))?.slice(1).map(Number) : dice;
  if (isList(faces) && faces.length === 2) {
    const [first, second] = [faces[0], faces[1]];
    if (isDie(first) && isDie(second)) return first < second ? [second, first] : [first, second];
  }
  const what = isList(dice) && dice.length === 2 ? [...dice].map(shown).join(" and ") : shown(dice);
  fail(`a roll must be two whole numbers from 1 to 6, such as [3, 1] or "31", not ${what}`);
}

const isDie = (face: unknown): face is Die => isWhole(face, 1, 6);
/** @internal */
export const areDice = (faces: readonly [unknown, unknown]): faces is Thrown => faces.every(isDie);

/** What is wrong with two faces. @internal */
export function problemOfDice(faces: readonly [unknown, unknown]): string {
  const wrong = faces.filter((face) => !isDie(face)).map((face) => asInPython(face));
  return `a die must be a whole number from 1 to 6, not ${wrong.join(" and ")}`;
}

/** @internal */
export function diceOf(first: unknown, second: unknown): Thrown {
  const faces = [first, second] as const;
  if (areDice(faces)) return frozen(faces);
  const problem = problemOfDice(faces);
  return fail(problem, { problems: frozen([problem]) });
}

/** Two dice in this order, if both are 1 to 6. */
export const toDice: (first: number, second: number) => Thrown = guarded(diceOf);
