/** Why an opponent is not asked about a state. */

import { version } from "selftaught.bin";
import type { Action, MatchState } from "../match/index.js";
import { fail, refuseIllegal } from "./internals.js";
import type { OpponentReason } from "./types.js";

export const NAME = `selftaught ${version}`;
const FIRST_UNKNOWN = 33;
const UNKNOWN: readonly [reason: OpponentReason, what: (state: MatchState) => string][] = [
  ["unknown_scoring", () => "pip scoring"],
  ["unknown_checkers", ({ position }) => `games with ${position.checkers} checkers a side`],
  ["unknown_crawford", () => "matches without the Crawford rule, unless a player needs only one point"],
  ["beyond_equity_table", () => "what matches are worth in which a player needs more than 25 points"],
];

/** Throw why there is no answer, if there is none: a number below 0. @internal */
export function refuseUnasked(answer: number, state: MatchState, action: Action, what: string = action): void {
  if (answer >= 0) return;
  const unknown = UNKNOWN[-answer - FIRST_UNKNOWN];
  if (unknown) fail(`${NAME}: it does not know ${unknown[1](state)}`, { reason: unknown[0] });
  refuseIllegal(-answer, state, action, action === "double" ? state.on_roll ?? "to_act" : "to_act", what);
}
