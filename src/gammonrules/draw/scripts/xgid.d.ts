/** The types of XGIDs (xgid.js), which docs/reference/match-js.md describes. */

import type { MatchState, Rules } from "./match.js";

export interface ReadOptions {
  /** What the text does not say, as in `newMatch`. If there are none, those of tournaments, or of money play. */
  rules?: Partial<Rules> | null;
  /** How many each side has; as many as in the start of the rules, usually 15, unless it is given. */
  checkers?: number | null;
  /** Whose turn the text shows while a double is pending. */
  doubledTurn?: "doubler" | "responder";
}

/** The XGID of a state, without its result and an offer to resign; White is the bottom player. */
export function xgid(state: MatchState): string;
/** The state that an XGID describes, as people paste it, and a sentence for each guess. */
export function fromXgid(
  text: string, options?: ReadOptions,
): { readonly state: MatchState; readonly warnings: readonly string[] };

declare global {
  /** What scripts without `export` have. */
  interface GammonBoardScripts {
    readonly xgid: typeof xgid;
    readonly fromXgid: typeof fromXgid;
  }
}
