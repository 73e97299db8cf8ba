/** Matches for JavaScript: docs/reference/match-js.md. This has all of the rules, and what other scripts share. */

import code from "match.wasm";
import { setCode } from "../rules/compiled.js";
import { unwrapped } from "../rules/pasted_text.js";
import { isSame, marked, turned } from "../rules/rolls.js";
import {
  entriesOf, fieldOf, impossible, optionsOf, problemsOfNumber, reading, refuse, refuseProblems, unfit,
} from "../rules/problems.js";
import { fail, frozen, isList, isWhole, quoted } from "../rules/values.js";
import { recorded } from "./applying.js";
import { oneOf } from "./json.js";
import { rulesFrom } from "./options.js";
import { stateFrom, stateOf } from "./states.js";
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
  counted, doubleOf, entriesOf, fail, fieldOf, impossible, isList, isSame, isWhole, letterOf, marked, oneOf, opponentOf,
  optionsOf, PLAYERS, problemsOfNumber, quoted, reading, recorded, refuse, refuseProblems, rulesFrom, scoreBefore, stateFrom,
  stateOf, TITLES, turned, unfit, unwrapped,
});
