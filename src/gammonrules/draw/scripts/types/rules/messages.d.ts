/** The messages about plays, and the translations of a page. */
import { MESSAGES } from "../generated/messages.js";
export { MESSAGES };
/** The values that replace their names in braces. */
export type Fields = Readonly<Record<string, unknown>>;
