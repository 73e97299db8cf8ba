/** The sentences about plays, and the words of a page in the place of some. */
import type { Words } from "./types.js";
/** The sentences, most of them by the reason that they give. A page may have functions of the fields instead. */
export declare const WORDS: Words;
/** What is filled in where a text has its name in braces. */
export type Fields = Readonly<Record<string, unknown>>;
