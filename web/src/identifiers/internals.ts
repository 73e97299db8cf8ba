/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  doubleOf, entriesOf, fail, guarded, isWhole, letterOf, opponentOf, problemsOfNumber, quoted, refuse, refuseProblems, stateOf,
  turned, unfit, unwrapped,
} = internals;
