/** match-board.js: <gammon-board> that needs no server, which docs/reference/board.md describes. */
export type * from "../board/types.js";
export * as rules from "../match/index.js";
export type { LoggedEvent, MatchState, Player } from "../match/types.js";
export type { Dice, DiceRoll, Die, Outcome, Points } from "../rules/types.js";
export { GammonBoard } from "./board.js";
export type { Last } from "./last_play.js";
export type * from "./types.js";
