/** What an XGID says, as a state. */
import type { ReadOptions, StateRead } from "./types.js";
/** The state that an XGID describes, as people paste it, and a sentence for each guess. */
export declare function fromXgid(text: string, options?: ReadOptions): StateRead;
