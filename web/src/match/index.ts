/** Matches for JavaScript: docs/reference/match-js.md. This has all of the rules, and what other scripts share. */

import code from "match.wasm";
import { setCode } from "../rules/compiled.js";
import { unwrapped } from "../rules/pasted_text.js";
import { isSame, marked, turned } from "../rules/rolls.js";
import { entriesOf, fieldOf, guarded, impossible, problemsOfNumber, refuse, refuseProblems, unfit } from "../rules/problems.js";
import { fail, frozen, isList, isWhole, quoted } from "../rules/values.js";
import { recorded } from "./applying.js";
import { oneOf } from "./json.js";
import { stateOf } from "./states.js";
import { doubleOf, scoreBefore } from "./table.js";
import { counted, letterOf, opponentOf, PLAYERS, TITLES } from "./terms.js";

setCode(code);

export * from "../rules/exports.js";
export { apply, canonical } from "./applying.js";
export { receive } from "./messages.js";
export { legalActions, newMatch, phase, possibleWins, readState, toAct, view, winner } from "./states.js";
export type * from "./types.js";

/** What other files of the library use. @internal */
export const internals = frozen({
  counted, doubleOf, entriesOf, fail, fieldOf, guarded, impossible, isList, isSame, isWhole, letterOf, marked, oneOf, opponentOf,
  PLAYERS, problemsOfNumber, quoted, recorded, refuse, refuseProblems, scoreBefore, stateOf, TITLES, turned, unfit,
  unwrapped,
});
