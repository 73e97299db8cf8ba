/** What scripts export of the rules: docs/reference/rules-js.md. */

export { toDice } from "./arguments.js";
export { find, notation, why } from "./notation.js";
export { fromPositionId, isRace, legalPlays, outcome, perft, pips, positionId, turn } from "./plays.js";
export type * from "./types.js";
export { GammonError } from "./values.js";
export { MESSAGES } from "./messages.js";
