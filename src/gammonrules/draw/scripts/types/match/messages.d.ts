/** What players send, and what a server answers. */
import type { MatchState, Player, ReceiveOptions, ReceiveResult } from "./types.js";
/** The event that a player has sent, and the state after it: of a message only what that player decides is taken. What
 *  `roll` throws itself is passed on. */
export declare function receive(state: MatchState, message: unknown, player: Player, options: ReceiveOptions): ReceiveResult;
