/** Events done in a state, and matches repeated from their events. */
import type { AnyEvent, AnyLoggedEvent, Event, LoggedEvent, MatchState } from "./types.js";
/** The state after an action, a forfeit, or a position set by hand. */
export declare const apply: (state: MatchState, event: AnyEvent) => MatchState;
/** The event in the form that a log has, which says everything, if it is legal. */
export declare function canonical(state: MatchState, event: Event): LoggedEvent;
export declare function canonical(state: MatchState, event: AnyEvent): AnyLoggedEvent;
