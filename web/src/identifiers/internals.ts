/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  doubleOf, fail, isWhole, letterOf, opponentOf, optionsOf, problemsOfNumber, quoted, reading, refuse, rulesFrom, stateFrom,
  stateOf, turned, unfit, unwrapped,
} = internals;
