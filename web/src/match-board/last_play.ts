/** How the state of a board came about, as far as the board knows: `last`. */

import { internals } from "../match/index.js";
import type { AnyLoggedEvent, MatchState, Player } from "../match/types.js";
import type { DiceRoll } from "../rules/types.js";

const { isList, missing, optionsOf, refuse, replayed, stateFrom, unfit } = internals;

const MAX_EVENTS = 100;
const DECIDING = ["play", "opening_roll", "next_game"]; // of what the last play is

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
type Step = { readonly event: AnyLoggedEvent; readonly state: MatchState };

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
export function readLast(value: unknown): Course | null {
  if ((value ?? null) === null) return null;
  const { start, events } = optionsOf(value, ["start", "events"], "last");
  if (start === undefined || events === undefined) refuse([missing(`last.${start === undefined ? "start" : "events"}`)]);
  if (isList(events) && events.length > MAX_EVENTS) {
    refuse([unfit("last.events", "size", `array of at most ${MAX_EVENTS} events`, events)]);
  }
  const begun = stateFrom(start, "last.start");
  return courseOf(begun, replayed(begun, events, "last.events"));
}

const courseOf = (start: MatchState, steps: readonly Step[]): Course =>
  ({ start, events: steps.map(({ event }) => event), states: steps.map(({ state }) => state) });

/** What is known after one event more: nothing of before, where that has led to another state. */
export function continued(last: Course | null, before: MatchState, { event, state }: Step): Course {
  if (!last || !leadsTo(last, before)) return courseOf(before, [{ event, state }]);
  const [events, states] = [[...last.events, event], [...last.states, state]];
  const gone = Math.max(0, events.length - MAX_EVENTS);
  return { start: gone ? states[gone - 1] : last.start, events: events.slice(gone), states: states.slice(gone) };
}

export function leadsTo({ start, states }: Course, state: MatchState): boolean {
  const end = states.at(-1) ?? start;
  return end === state || JSON.stringify(end) === JSON.stringify(state);
}

/** The last play of this game. */
export function lastPlayOf({ start, events, states }: Course): LastPlay | null {
  const at = events.findLastIndex((event) => event.type !== "Event" || DECIDING.includes(event.action));
  const event = events[at];
  const before = states[at - 1] ?? start;
  const { on_roll: player, dice } = before;
  if (event?.type !== "Event" || event.action !== "play" || !player || !dice) return null;
  return { player, dice, text: `${event.argument}`, start: before, end: states[at], since: events.slice(at + 1) };
}

/** White's die and Black's of each opening roll after which nothing else has happened. */
export function openingRollsOf({ events }: Course): DiceRoll[] {
  const rolls: DiceRoll[] = [];
  for (const event of [...events].reverse()) {
    if (event.type !== "Event" || event.action !== "opening_roll") break;
    rolls.unshift(event.argument);
  }
  return rolls;
}
