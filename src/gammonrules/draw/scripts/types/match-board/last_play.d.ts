/** How the state of a board came about, as far as the board knows: `last`. */
import type { AnyLoggedEvent, MatchState, Player } from "../match/types.js";
import type { DiceRoll } from "../rules/types.js";
/** An earlier state, and what has happened since. */
export interface Last {
    readonly start: MatchState;
    readonly events: readonly AnyLoggedEvent[];
}
/** The same, with the state after each event. */
export interface Course extends Last {
    readonly states: readonly MatchState[];
}
/** An event, and the state after it. */
type Step = {
    readonly event: AnyLoggedEvent;
    readonly state: MatchState;
};
/** The last play: from which state to which, and what has happened since. */
export interface LastPlay {
    readonly player: Player;
    readonly dice: DiceRoll;
    readonly text: string;
    readonly start: MatchState;
    readonly end: MatchState;
    readonly since: readonly AnyLoggedEvent[];
}
/** What a page says, if it can have been so. */
export declare function readLast(value: unknown): Course | null;
/** What is known after one event more: nothing of before, where that has led to another state. */
export declare function continued(last: Course | null, before: MatchState, { event, state }: Step): Course;
export declare function leadsTo({ start, states }: Course, state: MatchState): boolean;
/** The last play of this game. */
export declare function lastPlayOf({ start, events, states }: Course): LastPlay | null;
/** White's die and Black's of each opening roll after which nothing else has happened. */
export declare function openingRollsOf({ events }: Course): DiceRoll[];
export {};
