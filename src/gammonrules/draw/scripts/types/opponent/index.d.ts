/** Somebody to play against, and what plays and doubles are worth, for JavaScript: docs/reference/match-js.md. */
/*! With the match equity table Kazaross-XG2: Copyright (C) 2011 Neil Kazaross. Copying and distribution of this file, with or
 * without modification, are permitted in any medium without royalty provided the copyright notice and this notice are
 * preserved. This file is offered as-is, without any warranty. */
import { type MatchState } from "../match/index.js";
import { STRENGTHS } from "./options.js";
import { NAME as name } from "./refusals.js";
import type { Candidate, CandidatesOptions, CubeAnalysis, CubeOptions, DecideOptions, Decision } from "./types.js";
export { name, STRENGTHS };
export type * from "./types.js";
/** What the player does who is to act. */
export declare function decide(state: MatchState, options?: DecideOptions): Decision;
/** The plays of a roll, best first. */
export declare function candidates(state: MatchState, options?: CandidatesOptions): readonly Candidate[];
/** What doubling is worth, where a player may double or has just doubled. */
export declare function cube(state: MatchState, options?: CubeOptions): CubeAnalysis;
declare global {
    /** What scripts without `export` have. */
    interface GammonBoardScripts {
        readonly opponent: typeof import("./index.js");
    }
}
