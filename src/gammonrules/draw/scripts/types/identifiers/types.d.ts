/** What the functions of XGIDs take and give: docs/reference/match-js.md. */
import type { MatchState, Rules } from "../match/types.js";
export interface XgidOptions {
    /** What the text does not say, as in `newMatch`. If there are none, those of tournaments, or of money play. */
    rules?: Partial<Rules> | null;
    /** How many each side has; as many as in the start of the rules, usually 15, unless it is given. */
    checkers?: number | null;
    /** Whose turn the text shows while a double is pending. */
    doubledTurn?: "doubler" | "responder";
}
/** What an XGID describes. */
export interface XgidResult {
    readonly state: MatchState;
    /** A message for each guess. */
    readonly warnings: readonly string[];
}
