/** Errors of the library, what counts as a list or a whole number, and texts as people read them. */
import type { IllegalMoveDetails, Problem, Reasons, WrittenPlay } from "./types.js";
/** What every call throws that was given something wrong, and where a page forbids WebAssembly. An illegal play or action
 *  has a reason, as has a state that an opponent does not know, a play also has details, and any other value that is not valid has
 *  problems. Nothing but a message have a play or an identifier that cannot be read, a record that cannot be written, and
 *  `MatchHistory.receive` where the match has gone on while the dice
 *  were rolled, all of them for people, and WebAssembly that a page forbids. */
export interface GammonError extends Error, IllegalMoveDetails {
    reason?: Reasons[keyof Reasons];
    /** The plays that an ambiguous text fits, which hit different checkers. */
    candidates?: WrittenPlay[];
    /** What is wrong with a document, a message, options or another argument, up to ten. */
    problems?: readonly Problem[];
}
type ErrorClass = new (message?: string, options?: ErrorOptions) => GammonError;
/** One class for all files of the library that a page has. */
export declare const GammonError: ErrorClass;
export {};
