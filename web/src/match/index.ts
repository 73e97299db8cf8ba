/** Matches for JavaScript: docs/reference/match-js.md. This has all of the rules, and what other scripts share. */

import code from "match.wasm";
import { bytesIn, compiled, setCode } from "../rules/wasm.js";
import { playMeant } from "../rules/notation.js";
import { unwrapped } from "../rules/pasted_text.js";
import { isSame, marked, turned, withText } from "../rules/rolls.js";
import {
  entriesOf, fieldOf, impossible, missing, optionsOf, problemsOfNumber, reading, refuse, refuseProblems, unfit,
} from "../rules/problems.js";
import { fail, frozen, isList, isWhole, quoted } from "../rules/values.js";
import { recorded, replayed } from "./apply.js";
import { oneOf } from "./json.js";
import { rulesFrom } from "./options.js";
import { rollOn } from "./plays.js";
import { refuseIllegal } from "./refusals.js";
import { stateFrom, stateOf } from "./states.js";
import { bytesOf, doubleOf, scoreBefore } from "./wasm.js";
import { ACTIONS, counted, letterOf, opponentOf, PLAYERS, TITLES } from "./terms.js";

setCode(code);

export * from "../rules/exports.js";
export { apply, canonical } from "./apply.js";
export { receive } from "./messages.js";
export { isPhase, legalActions, newMatch, phase, possibleWins, readState, toAct, view, winner } from "./states.js";
export type * from "./types.js";

/** What other files of the library use. @internal */
export const internals = frozen({
  ACTIONS, bytesIn, bytesOf, compiled, counted, doubleOf, entriesOf, fail, fieldOf, impossible, isList, isSame, isWhole,
  letterOf, marked, missing, oneOf, opponentOf, optionsOf, playMeant, PLAYERS, problemsOfNumber, quoted, reading, recorded,
  refuse, refuseIllegal, refuseProblems, replayed, rollOn, rulesFrom, scoreBefore, stateFrom, stateOf, TITLES, turned, unfit,
  unwrapped, withText,
});
