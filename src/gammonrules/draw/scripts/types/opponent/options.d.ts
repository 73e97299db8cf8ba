/** The options of an opponent. */
import type { Strength } from "./types.js";
export declare const STRENGTHS: readonly Strength[];
