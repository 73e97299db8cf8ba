/** Why an opponent is not asked about a state. */
import type { Action, MatchState } from "../match/index.js";
export declare const NAME: string;
/** Throw why there is no answer, if there is none: a number below 0. */
export declare function refuseUnasked(answer: number, state: MatchState, action: Action, what?: string): void;
