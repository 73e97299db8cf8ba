/** A match with its history for JavaScript: docs/reference/match-js.md. */
import { type Action, type AnyEvent, type AnyLoggedEvent, type Event, type LoggedEvent, type MatchOptions, type MatchState, type Phase, type Player, type ReceiveOptions } from "../match/index.js";
import type { MatOptions } from "./types.js";
export type { AnyLoggedEvent } from "../match/index.js";
export type { MatOptions } from "./types.js";
/** A match that keeps its states and what led to them: from one step to the next it is match.js. */
export declare class MatchHistory {
    #private;
    static name: string;
    /** The options of `newMatch`, or a state; then the events that have happened since. */
    constructor(start?: MatchOptions | MatchState, events?: readonly AnyEvent[]);
    get start(): MatchState;
    get state(): MatchState;
    /** Who is to act; null before and after a game. */
    get turn(): Player | null;
    get phase(): Phase;
    /** The winner of the match. */
    get winner(): Player | null;
    legalActions(player?: Player): readonly Action[];
    /** Does it, and gives the event as the history has it. */
    apply(event: Event): LoggedEvent;
    apply(event: AnyEvent): AnyLoggedEvent;
    /** Does what a player has sent: see `receive` of match.js. */
    receive(message: unknown, player: Player, options: ReceiveOptions): LoggedEvent;
    /** The event that is taken back; null if there is none. */
    undo(): AnyLoggedEvent | null;
    history(): readonly AnyLoggedEvent[];
    /** The record of the match as text; the names of the players, and tags and comments for its head, are free. */
    mat(options?: MatOptions): string;
}
declare global {
    /** What scripts without `export` have. */
    interface GammonBoardScripts {
        readonly MatchHistory: typeof MatchHistory;
    }
}
