/** The options of an opponent. */
import type { CandidatesOptions, CubeOptions, DecideOptions, Look, Strength } from "./types.js";
export declare const STRENGTHS: readonly Strength[];
/** How somebody decides, as opponent.wasm takes it. */
interface Manner {
    readonly level: Look;
    readonly strength: number;
    readonly random: number;
}
export declare function mannerIn(options: DecideOptions): Manner;
export declare const lookIn: (options: CubeOptions) => Look;
/** Which plays are asked for, of which those in `also` have yet to be read. */
interface Wanted {
    readonly level: Look;
    readonly most: number;
    readonly also: readonly unknown[];
}
export declare function wantedIn(options: CandidatesOptions): Wanted;
export {};
