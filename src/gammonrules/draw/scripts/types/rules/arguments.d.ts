/** What callers give: boards, dice, and how many checkers a side has. */
import type { DiceRoll } from "./types.js";
/** Two dice in this order, if both are 1 to 6. */
export declare const toDice: (first: number, second: number) => DiceRoll;
