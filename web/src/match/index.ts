/** Matches for JavaScript: docs/reference/match-js.md. This has all of the rules, and what other scripts share. */

import code from "match.wasm";
import { setCode } from "../rules/compiled.js";
import { unwrapped } from "../rules/pasted_text.js";
import { isSame, marked, turned } from "../rules/rolls.js";
import { asInPython, entriesOf, fail, frozen, guarded, isList, isWhole, shown } from "../rules/values.js";
import { recorded } from "./applying.js";
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
  asInPython, counted, doubleOf, entriesOf, fail, guarded, isList, isSame, isWhole, letterOf, marked, opponentOf, PLAYERS,
  recorded, scoreBefore, shown, stateOf, TITLES, turned, unwrapped,
});
