/** The types of the rules for JavaScript (rules.js), which docs/reference/rules-js.md describes. */

/** 26 counts as one player sees them: theirs above zero, on points 1 to 24 and on their bar, 25; the opponent's below, whose
 *  bar is 0. */
export type Points = readonly number[] | Int8Array;
/** Two faces in either order: [3, 1], "31" or "3-1". */
export type Dice = readonly [number, number] | string;
/** One checker moved by one die: from and to, as the player on roll numbers the points; 25 is the bar and 0 is off. */
export type Move = [from: number, to: number];

/** What every call takes besides. */
export interface Options {
  /** How many checkers each side has, on the board and off; 15 unless it is given. */
  checkers?: number;
}

/** A legal play. */
export interface Play {
  /** The board after it, as the opponent sees it, who is then on roll. */
  points: number[];
  moves: Move[];
}

/** Every way through a turn: `plays.tree().data` in Python, and what `<gammon-board>` takes as its `tree`. */
export interface TurnTree {
  /** As the player on roll sees them. */
  points: number[];
  dice: [high: number, low: number];
  /** For each node four numbers a branch: from, to, the die, the next node. The turn begins at node 0. */
  nodes: number[][];
}

/** How a finished game ended for the player who sees the board so: 1 for a single game, 2 a gammon, 3 a backgammon. */
export interface Outcome {
  won: boolean;
  win: 1 | 2 | 3;
}

/** What every call throws that was given something wrong, and where a page forbids WebAssembly. */
export class GammonError extends Error {}

/** One play for each board that a roll leads to, in the order of the library; none in a finished game, and one without
 *  moves where nothing can be played. */
export function legalPlays(points: Points, dice: Dice, options?: Options): Play[];
export function turn(points: Points, dice: Dice, options?: Options): TurnTree;
/** How many series of plays there are for 1, 2, ... rolls, up to `depth`, which is at most 6. */
export function perft(points: Points, depth: number, options?: Options): number[];
/** What the player on roll needs to bear off all checkers, and what the opponent needs. */
export function pips(points: Points, options?: Options): [mine: number, theirs: number];
/** Whether the sides have passed each other. */
export function isRace(points: Points, options?: Options): boolean;
/** Null while both sides have checkers left. */
export function outcome(points: Points, options?: Options): Outcome | null;
/** GNU Backgammon's Position ID. */
export function positionId(points: Points, options?: Options): string;
export function fromPositionId(text: string, options?: Options): number[];
