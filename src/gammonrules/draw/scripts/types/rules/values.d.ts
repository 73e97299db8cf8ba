/** Errors of the library, what counts as a list or a whole number, and values as sentences show them. */
import type { Facts, Reasons, WrittenPlay } from "./types.js";
/** What every call throws that was given something wrong, and where a page forbids WebAssembly. An illegal play or action
 *  has a reason, a play facts as well; text that cannot be read, and most other arguments, have none. */
export interface GammonError extends Error, Facts {
    reason?: Reasons[keyof Reasons];
    /** The plays that an ambiguous text fits, which hit different checkers. */
    candidates?: WrittenPlay[];
    /** All that is wrong with a state, a document, a roll, rules or a next game, up to ten sentences. */
    problems?: readonly string[];
}
type ErrorClass = new (message?: string, options?: ErrorOptions) => GammonError;
/** One class for all files of the library that a page has. */
export declare const GammonError: ErrorClass;
export {};
