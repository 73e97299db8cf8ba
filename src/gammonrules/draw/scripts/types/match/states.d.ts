/** States: read as in the library's JSON, made of values, or begun; and what may be asked of them. */
import type { Action, MatchOptions, MatchState, MatchStateIn, Phase, Player, Position, WinKind } from "./types.js";
/** The state in a document, as `JSON.parse` gives it, if it is possible. */
export declare const readState: (document: unknown) => MatchState;
export declare const newMatch: (options?: MatchOptions) => MatchState;
export declare const phase: (state: MatchState) => Phase;
export declare const toAct: (state: MatchState) => Player | null;
/** Whether the match is in this phase, which says which of its fields are null. */
export declare function isPhase<Name extends Phase>(state: MatchState, phase: Name): state is MatchStateIn<Name>;
/** The winner of the match. */
export declare const winner: (state: MatchState) => Player | null;
/** What a player may do now; without a player what the one may do who is to act, or both. */
export declare function legalActions(state: MatchState, player?: Player): readonly Action[];
/** The levels with which this player can still win, as far as they are worth different points. */
export declare function possibleWins(state: MatchState, player: Player): readonly WinKind[];
/** The board as this player sees it. */
export declare function view(state: MatchState, player: Player): Position;
