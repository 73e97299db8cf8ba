/** XGIDs for JavaScript: docs/reference/match-js.md. */
import type { MatchState } from "../match/index.js";
import { fromXgid } from "./xgid_reader.js";
export { fromXgid };
export type { XgidOptions, XgidResult } from "./types.js";
/** The XGID of a state without its result and an offer to resign; White is the bottom player. */
export declare function xgid(state: MatchState): string;
declare global {
    /** What scripts without `export` have. */
    interface GammonBoardScripts {
        readonly xgid: typeof xgid;
        readonly fromXgid: typeof fromXgid;
    }
}
