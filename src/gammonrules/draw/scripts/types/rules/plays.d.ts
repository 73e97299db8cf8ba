/** What the compiled rules answer: legal plays, the tree of a turn, perft, pips, races, outcomes and Position IDs. */
import type { Dice, Options, Outcome, Play, Points, TurnTree } from "./types.js";
/** One play for each board that a roll leads to, in the order of the library; none in a finished game, and one without
 *  moves where nothing can be played. */
export declare function legalPlays(points: Points, dice: Dice, options?: Options): Play[];
export declare function turn(points: Points, dice: Dice, options?: Options): TurnTree;
/** How many series of plays there are for 1, 2, ... rolls, up to `depth`, which is at most 6. */
export declare function perft(points: Points, depth: number, options?: Options): number[];
/** What the player on roll needs to bear off all checkers, and what the opponent needs. */
export declare const pips: (points: Points, options?: Options) => [mine: number, theirs: number];
/** Whether the sides have passed each other. */
export declare const isRace: (points: Points, options?: Options) => boolean;
/** Null while both sides have checkers left. */
export declare function outcome(points: Points, options?: Options): Outcome | null;
/** GNU Backgammon's Position ID. */
export declare function positionId(points: Points, options?: Options): string;
export declare function fromPositionId(text: string, options?: Options): number[];
