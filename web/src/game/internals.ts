/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  counted, doubleOf, entriesOf, fail, fieldOf, guarded, impossible, isList, isSame, isWhole, letterOf, marked, opponentOf,
  PLAYERS, recorded, refuse, scoreBefore, TITLES, unfit,
} = internals;
