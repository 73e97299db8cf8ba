/** Why an opponent is not asked about a state. */

import { version } from "selftaught.bin";
import { FIRST_UNKNOWN, UNKNOWN } from "../generated/messages.js";
import type { Action, MatchState } from "../match/index.js";
import { fail, refuseIllegal } from "./internals.js";
import type { OpponentReason } from "./types.js";

export const NAME = `selftaught ${version}`;
const REASONS = Object.keys(UNKNOWN) as OpponentReason[];

/** Throw why there is no answer, if there is none: a number below 0. @internal */
export function refuseUnasked(answer: number, state: MatchState, action: Action, what: string = action): void {
  if (answer >= 0) return;
  const reason = REASONS[-answer - FIRST_UNKNOWN];
  if (reason) {
    fail(`${NAME}: ${UNKNOWN[reason].replace("{checkers}", String(state.position.checkers))}`, { reason });
  }
  refuseIllegal(-answer, state, action, action === "double" ? state.on_roll ?? "to_act" : "to_act", what);
}
