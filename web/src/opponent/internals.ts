/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  ACTIONS, bytesIn, bytesOf, compiled, fail, isList, isSame, oneOf, optionsOf, playMeant, problemsOfNumber, reading, refuse,
  refuseIllegal, refuseProblems, rollOn, stateFrom, unfit, withText,
} = internals;
