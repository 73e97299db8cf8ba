/** What is used of match.js besides what pages use. */

import { internals } from "../match/index.js";

export const {
  counted, doubleOf, entriesOf, fail, fieldOf, impossible, isList, isSame, isWhole, letterOf, marked, opponentOf, optionsOf,
  PLAYERS, reading, recorded, refuse, replayed, scoreBefore, stateFrom, TITLES, unfit,
} = internals;
