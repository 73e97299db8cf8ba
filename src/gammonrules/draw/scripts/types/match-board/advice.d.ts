/** What the opponent of gammon-board/opponent says of a state, with the labels of a page. */
import type { MatchState } from "../match/types.js";
import type { Candidate, Opponent } from "../opponent/types.js";
import type { Move } from "../rules/types.js";
import { type MatchBoardLabels } from "./labels.js";
/** A play whose arrows can be seen. */
export interface HintedPlay {
    readonly label: string;
    readonly moves: Move[];
}
/** What is best. */
export interface Hint {
    readonly message: string;
    readonly plays: readonly HintedPlay[];
}
/** A play that loses, and the one preferred. */
export interface Mistake {
    readonly play: Candidate;
    readonly best: Candidate;
    readonly loss: number;
    /** What is said of it. */
    readonly message: string;
}
/** The opponent, which its script leaves in the same place in every page and bundle. */
export declare function loadedOpponent(): Opponent;
/** What is best for the player who is to act. */
export declare function hintOf(state: MatchState, labels: MatchBoardLabels): Hint;
/** What a tutor says of a play, if it loses enough. */
export declare function mistakeIn(state: MatchState, moves: readonly Readonly<Move>[], labels: MatchBoardLabels): Mistake | null;
declare module "../rules/types.js" {
    interface Reasons {
        board: "no_opponent";
    }
}
