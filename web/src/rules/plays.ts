/** What the compiled rules answer: legal plays, the tree of a turn, perft, pips, races, outcomes and Position IDs. */

import { readBoard, readDice, readOptions } from "./arguments.js";
import { core, SLOTS } from "./wasm.js";
import { MARKS, unwrapped } from "./pasted_text.js";
import { problemsOfNumber, refuse, refuseProblems, unfit } from "./problems.js";
import type { Dice, Die, Move, Options, Outcome, Play, Points, TurnTree } from "./types.js";
import { fail, numbersOf, quoted } from "./values.js";

const DEEPEST = 6; // of perft
const MAX_ID_LENGTH = 1e4; // characters of a text around one
const OPENING = `[${MARKS.slice(1, 10)}]*`; // those before it
const LABEL = new RegExp(`^(?:GNU Backgammon )?Pos(?:ition)?[ -]?ID(?![A-Z0-9+/-])${OPENING}[:=]?${OPENING}`, "i");

/** One play for each board that a roll leads to, in the order of the library; none in a finished game, and one without
 *  moves where nothing can be played. */
export function legalPlays(points: Points, dice: Dice, options?: Options): Play[] {
  const [high, low] = readDice(dice);
  readBoard(points, options);
  const { exports, boards, moves } = core();
  const plays: Play[] = [];
  for (let left = exports.plays(high, low), row = 0, at = 0; left > 0; left -= 1, row += SLOTS, at += 8) {
    const made: Move[] = [];
    for (let move = at; move < at + 8 && moves[move] >= 0; move += 2) made.push([moves[move], moves[move + 1]]);
    plays.push({ points: numbersOf(boards, row, row + SLOTS), moves: made });
  }
  return plays;
}

export function turn(points: Points, dice: Dice, options?: Options): TurnTree {
  const roll = readDice(dice);
  const { points: counts } = readBoard(points, options);
  const { exports, nodes } = core();
  const tree: number[][] = [];
  for (let left = exports.turn(...roll), at = 0; left > 0; left -= 1) {
    const end = at + 1 + 4 * nodes[at];
    tree.push(numbersOf(nodes, at + 1, end));
    at = end;
  }
  return { points: counts, dice: roll, nodes: tree };
}

/** How many series of plays there are for 1, 2, ... rolls, up to `depth`, which is at most 6. */
export function perft(points: Points, depth: number, options?: Options): number[] {
  refuseProblems(problemsOfNumber("depth", depth, 1, DEEPEST));
  readBoard(points, options);
  return Array.from({ length: depth }, (_, before) => core().exports.perft(before + 1));
}

/** From where a die can be played next, whatever was rolled: a bit for each point; the counts are ours. @internal */
export function playable(counts: readonly number[], die: Die): number {
  const { board, exports } = core();
  board.set(counts);
  return exports.playable(die);
}

function factsOf(points: Points, options?: Options): number[] {
  const { checkers } = readBoard(points, options);
  const { exports } = core();
  return [...new Int32Array(exports.memory.buffer, exports.facts(checkers), 4)];
}

/** What the player on roll needs to bear off all checkers, and what the opponent needs. */
export const pips = (points: Points, options?: Options) => factsOf(points, options).slice(0, 2) as [mine: number, theirs: number];
/** Whether the sides have passed each other. */
export const isRace = (points: Points, options?: Options): boolean => factsOf(points, options)[2] === 1;

/** Null while both sides have checkers left. */
export function outcome(points: Points, options?: Options): Outcome | null {
  const won = factsOf(points, options)[3];
  return won ? { won: won > 0, win: Math.abs(won) as Outcome["win"] } : null;
}

/** GNU Backgammon's Position ID. */
export function positionId(points: Points, options?: Options): string {
  readBoard(points, options);
  const { exports, text } = core();
  exports.write_id();
  return String.fromCharCode(...text);
}

export function fromPositionId(text: string, options?: Options): number[] {
  const { checkers } = readOptions(options);
  if (typeof text !== "string") refuse([unfit("text", "type", "string", text)]);
  const plain = text.length <= MAX_ID_LENGTH ? unwrapped(text) : "";
  const letters = plain.replace(LABEL, "");
  const { board, exports, text: place } = core();
  if (/^[A-Za-z\d+/]{14}(==)?$/.test(letters)) {
    place.forEach((_, at) => { place[at] = letters.charCodeAt(at); });
    if (exports.read_id(checkers)) return numbersOf(board, 0, SLOTS);
  }
  return fail(`this is no Position ID of a board with at most ${checkers} checkers a side: ${quoted(text)}`);
}
