/** Matches for JavaScript: docs/reference/match-js.md. This has all of the rules, and what other scripts share. */
export * from "../rules/exports.js";
export { apply, canonical } from "./apply.js";
export { receive } from "./messages.js";
export { isPhase, legalActions, newMatch, phase, possibleWins, readState, toAct, view, winner } from "./states.js";
export type * from "./types.js";
