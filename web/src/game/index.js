/** A match with its history for JavaScript: docs/reference/match-js.md. */

import { legalActions, newMatch, phase, readState, receive, toAct, winner } from "../match/index.js";
import { fail, guarded, isList, recorded, shown } from "./internals.js";
import { matOf } from "./mat.js";

/** A match that keeps its states and what led to them: from one step to the next it is match.js. */
export class Game {
  static name = "Game"; // minified, it would be shorter
  #events = [];
  #states = [];

  /** The options of `newMatch`, or a state; then the events that have happened since. */
  constructor(start = {}, events = []) {
    this.#states.push(startFrom(start));
    for (const [at, event] of eventsFrom(events).entries()) this.#replay(event, at + 1);
  }

  #replay(event, number) {
    try {
      this.apply(event);
    } catch (cause) {
      fail(`event ${number} of the log: ${cause.message}`, { ...factsOf(cause), cause });
    }
  }

  #add(event, state) {
    this.#events.push(event);
    this.#states.push(state);
    return event;
  }

  get start() {
    return this.#states[0];
  }

  get state() {
    return this.#states[this.#events.length];
  }

  get turn() {
    return toAct(this.state);
  }

  get phase() {
    return phase(this.state);
  }

  get winner() {
    return winner(this.state);
  }

  legalActions(player) {
    return legalActions(this.state, player);
  }

  apply(event) {
    const { event: logged, state } = recorded(this.state, event);
    return this.#add(logged, state);
  }

  receive(message, player, options) {
    const before = this.state;
    const { event, state } = receive(before, message, player, options);
    // the page threw the dice in between
    if (this.state !== before) fail("the game has gone on while the dice were thrown");
    return this.#add(event, state);
  }

  undo() {
    if (!this.#events.length) return null;
    this.#states.pop();
    return this.#events.pop();
  }

  history() {
    return Object.freeze([...this.#events]);
  }

  /** The record of the match as text; the names of the players, and tags and comments for its head, are free. */
  mat(options) {
    return matOf(this.#states, this.#events, options);
  }
}

const factsOf = ({ name, cause, ...facts }) => facts;

const startFrom = guarded((value) => (Object.hasOwn(value ?? {}, "type") ? readState(value) : newMatch(value)));

const eventsFrom = guarded((events) => {
  return isList(events) ? [...events] : fail(`the events of a log must be an array, not ${shown(events)}`);
});
