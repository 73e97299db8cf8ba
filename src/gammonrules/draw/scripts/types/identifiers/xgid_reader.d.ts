/** What an XGID says, as a state. */
import type { XgidOptions, XgidResult } from "./types.js";
/** The state that an XGID describes, as people paste it, and a message for each guess. */
export declare function fromXgid(text: string, options?: XgidOptions): XgidResult;
