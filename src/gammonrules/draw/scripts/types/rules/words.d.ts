/** The sentences about plays, and the words of a page in the place of some. */
import type { Words } from "./types.js";
/** The sentences, most of them by the reason that they give. A page may have functions of the fields instead. */
export declare const WORDS: Words;
