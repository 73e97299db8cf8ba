/** The play that a text or moves mean, and why a move is illegal in the middle of a turn. */
import type { Dice, IllegalMove, Move, Points, TranslationOptions, WrittenPlay } from "./types.js";
/** The legal play that a text means, or moves in any order: every usual spelling, as `plays.find` in Python, also after the
 *  roll ("31: 8/5 6/5"). It throws a `GammonError` with the reason if none is meant. A text has at most 200 characters. */
export declare function find(points: Points, dice: Dice, play: string | readonly Readonly<Move>[], options?: TranslationOptions): WrittenPlay;
/** The canonical text of a legal play; what is no legal play is refused as by `find`. */
export declare function notation(points: Points, dice: Dice, moves: readonly Readonly<Move>[], options?: TranslationOptions): string;
/** Why a checker cannot go from one point to another after these moves; null if it can, with one die or several. It throws
 *  a `GammonError` if the moves cannot have been made. */
export declare function why(points: Points, dice: Dice, made: readonly Readonly<Move>[], from: number, to: number, options?: TranslationOptions): IllegalMove | null;
