/** Words, which a page may change. */
import type { PlaceWords } from "./types.js";
/** What both elements say of places. */
export declare const WORDS_OF_PLACES: PlaceWords;
/** What is filled in where a text has its name in braces. */
export type Fields = Readonly<Record<string, unknown>>;
/** A text with these fields in it. */
export declare const filled: (text: string, fields: Fields) => string;
/** A place and what is on it. */
export declare function labelOf(group: SVGElement, words: PlaceWords): string;
