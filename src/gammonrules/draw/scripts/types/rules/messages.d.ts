/** The messages about plays, and the translations of a page. */
import type { Messages } from "./types.js";
/** The messages in English, most of them by the reason that they give. A page may give functions of the fields instead. */
export declare const MESSAGES: Messages;
/** The values that replace their names in braces. */
export type Fields = Readonly<Record<string, unknown>>;
