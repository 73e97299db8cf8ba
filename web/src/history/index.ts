/** A match with its history for JavaScript: docs/reference/match-js.md. */

import {
  type Action, type AnyEvent, type AnyLoggedEvent, type Event, legalActions, type LoggedEvent, type MatchOptions,
  type MatchState, newMatch, type Phase, phase, type Player, receive, type ReceiveOptions, toAct, winner,
} from "../match/index.js";
import { fail, reading, recorded, replayed, stateFrom } from "./internals.js";
import { matOf } from "./mat.js";
import type { MatOptions } from "./types.js";

export type { AnyLoggedEvent } from "../match/index.js";
export type { MatOptions } from "./types.js";

/** A match that keeps its states and what led to them: from one step to the next it is match.js. */
export class MatchHistory {
  static name = "MatchHistory"; // minified, it would be shorter
  #events: AnyLoggedEvent[] = [];
  #states: MatchState[] = [];

  /** The options of `newMatch`, or a state; then the events that have happened since. */
  constructor(start: MatchOptions | MatchState = {}, events: readonly AnyEvent[] = []) {
    this.#states.push(startFrom(start));
    for (const { event, state } of replayed(this.start, events, "events")) this.#add(event, state);
  }

  #add<Done extends AnyLoggedEvent>(event: Done, state: MatchState): Done {
    this.#events.push(event);
    this.#states.push(state);
    return event;
  }

  get start(): MatchState {
    return this.#states[0];
  }

  get state(): MatchState {
    return this.#states[this.#events.length];
  }

  /** Who is to act; null before and after a game. */
  get turn(): Player | null {
    return toAct(this.state);
  }

  get phase(): Phase {
    return phase(this.state);
  }

  /** The winner of the match. */
  get winner(): Player | null {
    return winner(this.state);
  }

  legalActions(player?: Player): readonly Action[] {
    return legalActions(this.state, player);
  }

  /** Does it, and gives the event as the history has it. */
  apply(event: Event): LoggedEvent;
  apply(event: AnyEvent): AnyLoggedEvent;
  apply(event: AnyEvent): AnyLoggedEvent {
    const { event: logged, state } = recorded(this.state, event);
    return this.#add(logged, state);
  }

  /** Does what a player has sent: see `receive` of match.js. */
  receive(message: unknown, player: Player, options: ReceiveOptions): LoggedEvent {
    const before = this.state;
    const { event, state } = receive(before, message, player, options);
    // the page threw the dice in between
    if (this.state !== before) fail("the game has gone on while the dice were thrown");
    return this.#add(event, state);
  }

  /** The event that is taken back; null if there is none. */
  undo(): AnyLoggedEvent | null {
    const event = this.#events.pop();
    if (!event) return null;
    this.#states.pop();
    return event;
  }

  history(): readonly AnyLoggedEvent[] {
    return Object.freeze([...this.#events]);
  }

  /** The record of the match as text; the names of the players, and tags and comments for its head, are free. */
  mat(options?: MatOptions): string {
    return matOf(this.#states, this.#events, options);
  }
}

/** Whether it is meant as a state, which has what no options have. */
const isState = (value: MatchOptions | MatchState): value is MatchState =>
  reading("$", () => ["type", "version"].some((name) => Object.hasOwn(value ?? {}, name)));

const startFrom = (value: MatchOptions | MatchState) => (isState(value) ? stateFrom(value) : newMatch(value));

declare global {
  /** What scripts without `export` have. */
  interface GammonBoardScripts {
    readonly MatchHistory: typeof MatchHistory;
  }
}
