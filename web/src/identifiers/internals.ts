/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  asInPython, doubleOf, entriesOf, fail, guarded, isWhole, letterOf, opponentOf, shown, stateOf, turned,
  unwrapped,
} = internals;
